//go:build ignore

// Generate writes rules.go from the rules of a pinned version of gitleaks. Its
// packages are not imported by the program: see README.md.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/zricethezav/gitleaks/v8@v8.30.0"

// leftOut are the rules that are not taken, with the reason.
var leftOut = map[string]string{
	"generic-api-key":                 "ours: names with values",
	"hashicorp-tf-password":           "ours: names with values",
	"kubernetes-secret-yaml":          "ours: names with values",
	"nuget-config-password":           "for one kind of file",
	"pkcs12-file":                     "a file's name",
	"private-key":                     "ours: PEM blocks",
	"jwt":                             "ours",
	"jwt-base64":                      "ours",
	"curl-auth-header":                "ours: authorization",
	"curl-auth-user":                  "ours: user:password",
	"sourcegraph-access-token":        "takes any commit's hash",
	"airtable-personnal-access-token": "its keyword is not in it",
	"lob-api-key":                     "its keyword is not its name",
	"new-relic-browser-api-token":     "ours: a token's form",
	"new-relic-insert-key":            "ours: a token's form",
	"new-relic-user-api-key":          "ours: a token's form",
	"typeform-api-token":              "ours: a token's form",
	"twilio-api-key":                  "its keyword is too short to look for",
	"azure-ad-client-secret":          "its keyword is too short to look for",
	"adobe-client-id":                 "no secret",
	"asana-client-id":                 "no secret",
	"bitbucket-client-id":             "no secret",
	"discord-client-id":               "no secret",
	"linkedin-client-id":              "no secret",
	"lob-pub-api-key":                 "no secret",
	"looker-client-id":                "no secret",
	"mailgun-pub-key":                 "no secret",
	"messagebird-client-id":           "no secret",
	"new-relic-user-api-id":           "no secret",
	"plaid-client-id":                 "no secret",
	"sendbird-access-id":              "no secret",
	"sumologic-access-id":             "no secret",
}

type rule struct {
	id, pattern string
	entropy     float64
	group       int
	keywords    []string
	named       bool
}

// anyName is how a rule lets a longer name begin that ends in what it looks for.
// Such a rule is applied where the keyword is, so it need not search.
const anyName = `[\w.-]{0,50}?`

// begins says whether a match begins with a keyword.
func (r rule) begins(keyword string) bool {
	name, value, ok := strings.Cut(r.pattern, `(?:[ \t\w.-]{0,20})`)
	if !ok {
		log.Fatalf("%s: not of the form that names have", r.id)
	}
	if strings.HasPrefix(name, "^(?i:") {
		name += ")"
	}
	re := regexp.MustCompile(name)
	for _, word := range []string{keyword, strings.ToUpper(keyword)} {
		for _, behind := range []string{"", "_token", "_key", "_api_key", "_secret", "_login", "_bot"} {
			if re.MatchString(word+behind) || re.MatchString(word+strings.ToUpper(behind)) {
				return true
			}
		}
	}
	// Or it is a token beside those with names.
	return strings.Contains(value, `|\b(`+strings.ToUpper(keyword))
}

func main() {
	log.SetFlags(0)
	dir := download()
	data, err := os.ReadFile(filepath.Join(dir, "config", "gitleaks.toml"))
	if err != nil {
		log.Fatal(err)
	}
	license, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
	if err != nil {
		log.Fatal(err)
	}
	var kept []rule
	for _, r := range parse(string(data)) {
		if _, out := leftOut[r.id]; out || r.pattern == "" {
			continue
		}
		r.pattern = endings(r.pattern)
		r.named = strings.Contains(r.pattern, anyName)
		if r.named {
			r.pattern = "^" + strings.ReplaceAll(r.pattern, anyName, "")
			r.keywords = slices.DeleteFunc(r.keywords, func(k string) bool { return !r.begins(k) })
		}
		if _, err := syntax.Parse(r.pattern, syntax.Perl); err != nil {
			log.Fatalf("%s: %v", r.id, err)
		}
		r.keywords = slices.DeleteFunc(r.keywords, func(k string) bool { return len(k) < 3 })
		if len(r.keywords) == 0 {
			log.Fatalf("%s: no keyword of three bytes", r.id)
		}
		kept = append(kept, r)
	}
	if err := os.WriteFile("rules.go", source(kept), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("LICENSE", license, 0o644); err != nil {
		log.Fatal(err)
	}
	log.Printf("%d rules of %s", len(kept), module)
}

func download() string {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		log.Fatalf("go mod download %s: %v", module, err)
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		log.Fatal(err)
	}
	return got.Dir
}

// endings replaces what the library lets follow a secret (quotes, spaces, a
// semicolon, an escaped line break) by anything that cannot be a part of it: in
// a sentence a full stop or a bracket follows.
func endings(pattern string) string {
	const theirs = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	return strings.ReplaceAll(pattern, theirs, `(?:[^0-9A-Za-z_+/=-]|$)`)
}

var (
	field   = regexp.MustCompile(`^(\w+) = (.*)$`)
	literal = regexp.MustCompile(`(?s)^'''(.*)'''$|^"((?:[^"\\]|\\.)*)"$`)
	words   = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// parse reads the rules of the library's file. It knows as much of TOML as the
// file uses: tables of rules whose fields stand on one line, but for lists.
func parse(text string) []rule {
	var rules []rule
	in := false
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") {
			in = line == "[[rules]]"
			if in {
				rules = append(rules, rule{})
			}
			continue
		}
		m := field.FindStringSubmatch(line)
		if !in || m == nil {
			continue
		}
		r := &rules[len(rules)-1]
		switch m[1] {
		case "id":
			r.id = unquote(m[2])
		case "regex":
			r.pattern = unquote(m[2])
		case "entropy":
			r.entropy, _ = strconv.ParseFloat(m[2], 64)
		case "secretGroup":
			r.group, _ = strconv.Atoi(m[2])
		case "keywords":
			list := m[2]
			for !strings.Contains(list, "]") {
				i++
				list += lines[i]
			}
			for _, w := range words.FindAllStringSubmatch(list, -1) {
				r.keywords = append(r.keywords, strings.ToLower(w[1]))
			}
		}
	}
	return rules
}

func unquote(v string) string {
	m := literal.FindStringSubmatch(v)
	if m == nil {
		log.Fatalf("not a string: %s", v)
	}
	return m[1] + m[2]
}

func source(rules []rule) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by generate.go from %s. DO NOT EDIT.\n\n", module)
	b.WriteString("package library\n\n// Rules are the library's rules, in its order.\nvar Rules = []Rule{\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "\t{ID: %q, Pattern: %s", r.id, quote(r.pattern))
		if r.entropy > 0 {
			fmt.Fprintf(&b, ", Entropy: %v", r.entropy)
		}
		if r.group > 0 {
			fmt.Fprintf(&b, ", Group: %d", r.group)
		}
		if r.named {
			b.WriteString(", Named: true")
		}
		fmt.Fprintf(&b, ", Keywords: %#v},\n", r.keywords)
	}
	b.WriteString("}\n")
	out, err := format.Source(b.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	return out
}

func quote(s string) string {
	if strings.Contains(s, "`") {
		return strconv.Quote(s)
	}
	return "`" + s + "`"
}
