package service

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/maintain"
)

// story is a person at a machine with a project, its history and the program.
type story struct {
	*machine
	program string
	project string // as the person names it
}

// recollect runs the program in the project, as the person.
func (s *story) recollect(args ...string) string {
	s.t.Helper()
	return s.run(asPerson(append([]string{"env", "--chdir=" + s.project, s.program}, args...)...)...)
}

// give puts a file into the person's home, as theirs.
func (s *story) give(path, text string) {
	s.t.Helper()
	s.run("install", "-d", "-o", person, "-g", person, filepath.Dir(path))
	inside := filepath.Join(s.root, path)
	f, err := os.OpenFile(inside, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := f.Close(); err != nil {
		s.t.Fatal(err)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.run("chown", person+":"+person, path)
}

// session is a transcript as Claude Code writes it: one object a line, appended to
// with each turn.
type session struct {
	id, branch, parent string
	lines              int
}

// says has the person say something in the session, and the assistant answer.
func (s *story) says(in *session, user, answer string) {
	s.t.Helper()
	var text strings.Builder
	for _, role := range []string{"user", "assistant"} {
		in.lines++
		id := fmt.Sprintf("%s-%04d", in.id[:8], in.lines)
		message := map[string]any{"role": role, "content": user}
		if role == "assistant" {
			message = map[string]any{
				"role": role, "id": "msg_" + id, "type": "message", "model": "claude-sonnet-4-5",
				"content": []map[string]any{{"type": "text", "text": answer}},
				"usage":   map[string]any{"input_tokens": 1200, "output_tokens": 60},
			}
		}
		var parent any
		if in.parent != "" {
			parent = in.parent
		}
		line, err := json.Marshal(map[string]any{
			"type": role, "uuid": id, "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": s.project,
			"sessionId": in.id, "version": "2.1.146", "gitBranch": in.branch, "message": message,
			"timestamp": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		})
		if err != nil {
			s.t.Fatal(err)
		}
		text.Write(append(line, '\n'))
		in.parent = id
	}
	slug := strings.ReplaceAll(s.project, "/", "-")
	s.give(personHome+"/.claude/projects/"+slug+"/"+in.id+".jsonl", text.String())
}

// memory is what a branch's memory says.
func (s *story) memory(branch string) string {
	s.t.Helper()
	out, _ := s.try(asPerson("env", "--chdir="+s.project, s.program, "show", "--branch", branch)...)
	return out
}

// running says whether the service answers.
func (s *story) running() bool {
	out, err := s.try(asPerson(s.program, "service", "status")...)
	return err == nil && strings.HasPrefix(out, "running")
}

// runs counts the maintenance that the service did, by kind, as its log has it.
func (s *story) runs() map[maintain.Kind]int {
	s.t.Helper()
	n := map[maintain.Kind]int{}
	for l := range strings.Lines(s.recollect("service", "logs", "--json", "--lines", "1000")) {
		var line struct {
			Msg  string
			Kind maintain.Kind
		}
		if err := json.Unmarshal([]byte(l), &line); err != nil {
			s.t.Fatalf("%v: %s", err, l)
		}
		if line.Msg == "maintenance" {
			n[line.Kind]++
		}
	}
	return n
}

// missed writes the log of a memory that was maintained last days ago: all
// but the monthly run were missed, several times.
func (s *story) missed() {
	s.t.Helper()
	ago := func(d time.Duration) string { return time.Now().Add(-d).UTC().Format("2006-01-02T15:04:05.000Z") }
	const day = 24 * time.Hour
	log, err := json.Marshal(map[string]any{
		"version": 1, "lastThreadProcessed": ago(4 * day), "lastStartup": ago(4 * day), "lastNightly": ago(4 * day),
		"lastWeeklyConsolidation": ago(16 * day), "lastMonthlyReindex": ago(time.Minute),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.give(s.project+"/.recollect/maintenance-log.json", string(log)+"\n")
}

// The whole of it: install, log out, log in, new history appears, memory is there
// in the morning, status explains it, uninstall leaves the home as it was. The
// person has no right to linger: the service lives from login to logout.
func TestSystemdStory(t *testing.T) {
	s := &story{machine: bootMachine(t), project: personHome + "/work/shop"}
	s.program = s.build("/opt/recollect")
	s.login()
	until(t, "the person's manager runs", func() bool {
		_, err := s.try("test", "-S", "/run/user/"+s.uid()+"/systemd/private")
		return err == nil
	})
	s.run("install", "-d", "-o", person, "-g", person, personHome+"/work", s.project)
	known := &session{id: "7d3f6a52-0c1e-4b58-9f0a-2f4f0c7b9e11", branch: "main"}
	s.says(known, "We always store prices as integer cents, never as floats, in every service of this project.", "Understood, that is how it will be done from now on.")
	before := slices.DeleteFunc(s.others(), func(line string) bool { return lies(line, ".claude") })

	s.recollect("memorize", "--branch", "main")
	if m := s.memory("main"); !strings.Contains(m, "integer cents") {
		t.Fatalf("the memory by hand:\n%s", m)
	}
	// Nothing else becomes due while the test runs, whatever the time is.
	later := strings.Fields(s.run("date", "-d", "12 hours", "+%-M %-H %-d %w"))
	for kind, days := range map[string]string{"nightly": "* * *", "weekly": "* * " + later[3], "monthly": later[2] + " * *"} {
		s.recollect("config", "set", "--user", "maintenance."+kind, later[0]+" "+later[1]+" "+days)
	}
	s.recollect("service", "install")
	if !s.running() {
		t.Fatal("it does not run after the install")
	}
	s.logout()
	until(t, "it ends with the session", func() bool { return !s.running() })

	s.missed()
	s.login()
	began := time.Now()
	until(t, "it runs after a login", s.running)
	t.Logf("running %s after the login", time.Since(began).Round(time.Millisecond))

	transcripts := testMorning(t, s, known)
	s.noSecondRun()

	memory := s.kept()
	s.recollect("service", "uninstall")
	if s.running() {
		t.Error("it runs after service uninstall")
	}
	out := s.recollect("uninstall", "--data", "--yes")
	t.Logf("uninstall:\n%s", out)
	if d := cmp.Diff(append(before, transcripts...), s.others()); d != "" {
		t.Errorf("the home is not as it was:\n%s", d)
	}
	if d := cmp.Diff(memory, s.kept()); d != "" {
		t.Errorf("the memory is not as it was:\n%s", d)
	}
	s.nothingLeft()
	s.logout()
}

// testMorning has new history appear, and finds it remembered without anybody
// having asked.
func testMorning(t *testing.T, s *story, known *session) (transcripts []string) {
	began := time.Now()
	s.says(known, "Invoices must never be changed once they are sent; we always write a correction instead.", "Understood: a sent invoice stays, and a correction follows it.")
	s.says(&session{id: "c0a4e1b6-58d2-4f0d-8a77-61b0d5a3f742", branch: "feature/returns"},
		"Returned goods must always be booked on the quarantine shelf first.", "Noted, returned goods go to the quarantine shelf first.")
	transcripts = s.part(".claude")
	until(t, "the service noticed what is new", func() bool {
		return strings.Contains(s.recollect("service", "status"), "turns not memorized yet")
	})
	t.Logf("noticed within %s", time.Since(began).Round(time.Millisecond))
	if m := s.memory("main"); strings.Contains(m, "sent") {
		t.Error("it memorized what nobody asked for")
	}
	var due map[maintain.Kind]int
	want := map[maintain.Kind]int{maintain.Startup: 1, maintain.Nightly: 1, maintain.Weekly: 1}
	until(t, "what was missed is made up for", func() bool {
		time.Sleep(time.Second)
		due = s.runs()
		return len(due) >= len(want)
	})
	t.Logf("made up for %s after the history appeared", time.Since(began).Round(time.Second))
	if d := cmp.Diff(want, due); d != "" {
		t.Errorf("the runs:\n%s", d)
	}
	if m := s.memory("main"); !strings.Contains(m, "Invoices must never be changed") || !strings.Contains(m, "integer cents") {
		t.Errorf("the memory of main:\n%s", m)
	}
	if m := s.memory("feature/returns"); !strings.Contains(m, "quarantine shelf") {
		t.Errorf("the memory of the new branch:\n%s", m)
	}
	out := s.recollect("status")
	t.Logf("status:\n%s", out)
	for _, want := range []string{
		"^Everything is memorized", "2 branches, 3 turns, 3 items", `maintenance is due: nightly 20\d\d-`, "weekly 20", "monthly 20", "the service runs",
		"startup: 1 branch has no memory yet; memorized 1", "weekly: 1 branch has new turns; memorized 1", `nightly: \d memor`,
	} {
		if !regexp.MustCompile("(?m)" + want).MatchString(out) {
			t.Errorf("status does not say %q", want)
		}
	}
	return transcripts
}

// noSecondRun logs out and in, and waits until the service has looked what is due.
func (s *story) noSecondRun() {
	s.t.Helper()
	was := s.runs()
	s.logout()
	until(s.t, "it ends with the session", func() bool { return !s.running() })
	s.login()
	until(s.t, "it runs after a login", s.running)
	time.Sleep(FirstLook + 5*time.Second)
	if d := cmp.Diff(was, s.runs()); d != "" {
		s.t.Errorf("what was made up for is done again:\n%s", d)
	}
}

// part is what is in the person's home at a folder and in it.
func (s *story) part(folder string) []string {
	s.t.Helper()
	return slices.DeleteFunc(s.home(), func(line string) bool { return !lies(line, folder) })
}

// lies says whether a line of home is of a folder or of something in it.
func lies(line, folder string) bool {
	_, name, _ := strings.Cut(line, " ")
	return name == folder || strings.HasPrefix(name, folder+" ") || strings.HasPrefix(name, folder+"/")
}

const keptIn = "work/shop/.recollect"

// kept is the memory.
func (s *story) kept() []string { s.t.Helper(); return s.part(keptIn) }

// others is all in the person's home but the memory of the project; the
// transcripts are last.
func (s *story) others() []string {
	s.t.Helper()
	rest := slices.DeleteFunc(s.home(), func(line string) bool { return lies(line, keptIn) || lies(line, ".claude") })
	return append(rest, s.part(".claude")...)
}

// nothingLeft looks for processes, files and units of the person's elsewhere.
func (s *story) nothingLeft() {
	s.t.Helper()
	if out, err := s.try("pgrep", "-u", person, "-l", "recollect"); err == nil {
		s.t.Errorf("a process is left: %s", out)
	}
	if out := s.run("find", "/", "-xdev", "-user", person, "-not", "-path", personHome+"*", "-not", "-path", "/proc/*"); out != "" {
		s.t.Errorf("left elsewhere:\n%s", out)
	}
	if out := s.run("find", "/run/user/"+s.uid(), "-name", "*recollect*"); out != "" {
		s.t.Errorf("left of the session:\n%s", out)
	}
	user := asPerson("env", "XDG_RUNTIME_DIR=/run/user/"+s.uid(), "systemctl", "--user", "list-units", "--all", "--full", "--no-legend", "--plain", "recollect*")
	// systemd forgets a unit that is gone when it comes to it.
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Second) {
		out := s.run(user...)
		if out == "" {
			return
		}
		if time.Now().After(end) {
			s.t.Errorf("systemd keeps a unit in mind:\n%s", out)
			return
		}
	}
}
