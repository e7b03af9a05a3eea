package service

import (
	"fmt"
	"strings"
)

// written heads every file that an installation writes: what does not have it
// is a person's own and is neither replaced nor removed.
const written = "Written by: recollect service install"

// plan is what is to be started when the person logs in.
type plan struct {
	Program string   // absolute
	Env     []string // NAME=value, those that the system would not give it
	User    string   // whose service of the whole machine it is; empty: the person's own
	UID     string   // of User
}

// label is the name of the agent of launchd.
const label = "dev.recollect.service"

// Template is what an installation of a person's own service would write on a
// system, for a program at an absolute path: a unit of systemd, an agent of launchd
// or a value of Windows' Run key.
func Template(system, program string) string {
	p := plan{Program: program}
	switch system {
	case "darwin":
		return agentText(p, label)
	case "windows":
		return runKeyText(p) + "\n"
	}
	return unitText(p)
}

// args are what the program is started with.
var args = []string{"service", "run"}

// unitText is a unit of systemd.
//
// The window that is opened from the tray is a child of the service. So a stop
// ends the main process only, and what is forbidden here is forbidden to a
// browser engine and to the assistants' own programs too: that is why there is
// no MemoryDenyWriteExecute (compiled Wasm, too, is written and then run), no
// PrivateTmp (the sockets may lie in /tmp) and no protected home.
func unitText(p plan) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	line("# " + written)
	line("[Unit]")
	line("Description=Recollect: keeps the memory of your assistants")
	line("ConditionFileIsExecutable=%s", percent(p.Program))
	line("StartLimitIntervalSec=60")
	line("StartLimitBurst=10")
	if p.User != "" { // the user's manager brings the folder of the sockets and the bus
		line("Requires=user@%s.service", p.UID)
		line("After=user@%s.service", p.UID)
	}
	line("\n[Service]")
	line("Type=exec")
	line("ExecStart=%s %s", unitProgram(p.Program), strings.Join(args, " "))
	if p.User != "" {
		line("User=%s", p.User)
		line("WorkingDirectory=~")
		line("Environment=XDG_RUNTIME_DIR=/run/user/%s", p.UID)
		line("Environment=DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/%s/bus", p.UID)
	}
	for _, e := range p.Env {
		line("Environment=%s", unitQuote(e))
	}
	for _, l := range []string{
		"Restart=on-failure", "RestartSec=2", "TimeoutStopSec=30", "KillMode=process", "OOMPolicy=continue",
		"LimitCORE=0", "NoNewPrivileges=yes", "LockPersonality=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes",
		"SystemCallArchitectures=native", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
	} {
		line("%s", l)
	}
	line("\n[Install]")
	if p.User != "" {
		line("WantedBy=multi-user.target")
	} else {
		line("WantedBy=default.target")
	}
	return b.String()
}

// programOfUnit gives the program that unitText wrote down.
func programOfUnit(text string) string {
	for l := range strings.Lines(text) {
		if path, ok := strings.CutPrefix(strings.TrimRight(l, "\n"), "ConditionFileIsExecutable="); ok {
			return strings.ReplaceAll(path, "%%", "%")
		}
	}
	return ""
}

// percent keeps systemd from taking a percent sign for a specifier.
func percent(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// unitProgram is a program as a unit names it. systemd takes no name with quotes
// or backslashes, but another program does. What is an argument then has its
// variables put in.
func unitProgram(path string) string {
	if !strings.ContainsAny(path, `"'\`) {
		return unitQuote(path)
	}
	return "/usr/bin/env " + strings.ReplaceAll(unitQuote(path), "$", "$$")
}

// unitQuote makes a text one word of a unit, in a place where no variables are
// put in: that of the program, or a variable itself.
func unitQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(s) + `"`
}

// entryText is an entry of a desktop's autostart, see
// https://specifications.freedesktop.org/autostart-spec/
func entryText(p plan) string {
	words := []string{}
	if len(p.Env) > 0 {
		words = append(words, "env")
		for _, e := range p.Env {
			words = append(words, entryQuote(e))
		}
	}
	words = append(append(words, entryQuote(p.Program)), args...)
	return "# " + written + `
[Desktop Entry]
Type=Application
Name=Recollect
Comment=Keeps the memory of your assistants
TryExec=` + strings.ReplaceAll(p.Program, `\`, `\\`) + `
Exec=` + strings.Join(words, " ") + `
Icon=dev.recollect.Recollect
Terminal=false
NoDisplay=true
X-GNOME-Autostart-enabled=true
`
}

// entryQuote makes a text one word of Exec: quoted as words are, then as values
// of a desktop entry are.
func entryQuote(s string) string {
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`).Replace(s) + `"`
	return strings.NewReplacer(`\`, `\\`, `%`, `%%`).Replace(quoted)
}

// programOfEntry gives the program that entryText wrote down, and whether the
// person has turned the entry off.
func programOfEntry(text string) (program string, off bool) {
	for l := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(l), "=")
		switch strings.TrimSpace(name) {
		case "TryExec":
			program = strings.ReplaceAll(value, `\\`, `\`)
		case "Hidden":
			off = off || value == "true"
		case "X-GNOME-Autostart-enabled":
			off = off || value == "false"
		}
	}
	return program, off
}

// agentText is an agent of launchd. It is started at login and after a crash; a
// person who quits it is left alone until the next login.
func agentText(p plan, label string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ` + written + ` -->
<plist version="1.0">
<dict>
`)
	key := func(name, value string) { fmt.Fprintf(&b, "\t<key>%s</key>\n\t%s\n", name, value) }
	str := func(s string) string { return "<string>" + xmlText(s) + "</string>" }
	key("Label", str(label))
	words := str(p.Program)
	for _, a := range args {
		words += str(a)
	}
	key("ProgramArguments", "<array>"+words+"</array>")
	if len(p.Env) > 0 {
		vars := ""
		for _, e := range p.Env {
			name, value, _ := strings.Cut(e, "=")
			vars += "<key>" + xmlText(name) + "</key>" + str(value)
		}
		key("EnvironmentVariables", "<dict>"+vars+"</dict>")
	}
	key("RunAtLoad", "<true/>")
	key("KeepAlive", "<dict><key>SuccessfulExit</key><false/></dict>")
	key("ThrottleInterval", "<integer>2</integer>")
	key("AbandonProcessGroup", "<true/>") // the window goes on
	key("LimitLoadToSessionType", "<string>Aqua</string>")
	key("StandardOutPath", "<string>/dev/null</string>")
	key("StandardErrorPath", "<string>/dev/null</string>")
	b.WriteString("</dict>\n</plist>\n")
	return b.String()
}

// programOfAgent gives the program that agentText wrote down.
func programOfAgent(text string) string {
	_, rest, _ := strings.Cut(text, "<key>ProgramArguments</key>")
	_, rest, _ = strings.Cut(rest, "<string>")
	word, _, found := strings.Cut(rest, "</string>")
	if !found {
		return ""
	}
	return xmlBack.Replace(word)
}

var (
	xmlThere = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	xmlBack  = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
)

func xmlText(s string) string { return xmlThere.Replace(s) }

// runKeyText is a value of Windows' Run key.
func runKeyText(p plan) string { return `"` + p.Program + `" service run --unseen` }

// programOfRunKey gives the program that runKeyText wrote down.
func programOfRunKey(value string) string {
	rest, ok := strings.CutPrefix(value, `"`)
	program, _, found := strings.Cut(rest, `"`)
	if !ok || !found {
		return ""
	}
	return program
}
