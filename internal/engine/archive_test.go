package engine

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"recollect/internal/atomicfile"
	"recollect/internal/history"
	"recollect/internal/history/archive"
	"recollect/internal/maintain"
	"recollect/internal/memorize"
)

// forget takes all transcripts away, as their assistant does.
func forgetTranscripts(t testing.TB, o Options) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(o.Getenv("CLAUDE_CONFIG_DIR"), "projects")); err != nil {
		t.Fatal(err)
	}
}

// When the transcripts are gone, every item still leads to the same words.
func TestProvenanceOutlivesTheTranscripts(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openSample(t, o)
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	v, err := e.Memory(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]SourceOf{}
	for _, it := range v.Items {
		if before[it.ID], err = e.SourceOf(t.Context(), "main", it.ID); err != nil {
			t.Fatal(err)
		}
	}
	session := v.Items[0].Origins[0].Session
	window, err := e.SessionTurns(t.Context(), session, 0, 50)
	if err != nil {
		t.Fatal(err)
	}
	forgetTranscripts(t, o)
	for _, it := range v.Items {
		after, err := e.SourceOf(t.Context(), "main", it.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range after.Places {
			was := before[it.ID].Places[i]
			if !p.Archived || p.Missing != "" || p.Title != was.Title || len(p.Turns) == 0 {
				t.Errorf("%q: %+v", it.Content, p)
			}
			if got, want := citedText(p.Turns, p.Cited), citedText(was.Turns, was.Cited); got != want || got == "" {
				t.Errorf("%q: %q, was %q", it.Content, got, want)
			}
		}
	}
	again, err := e.SessionTurns(t.Context(), session, 0, 50)
	if err != nil || !again.Archived || again.Title != window.Title || !reflect.DeepEqual(again.Turns, window.Turns) {
		t.Errorf("%+v\n%+v\n%v", again, window, err)
	}
	// What is archived is no history: nothing is extracted from it.
	reports, err := e.Memorize(t.Context(), MemorizeOptions{Branches: []string{"main"}, Again: true})
	if err != nil || len(reports) != 1 || reports[0].Outcome != memorize.Unchanged || reports[0].Found != 0 {
		t.Errorf("%+v %v", reports, err)
	}
}

// citedText joins the texts of cited messages.
func citedText(turns []Turn, cited []string) string {
	var b strings.Builder
	for _, id := range cited {
		for _, turn := range turns {
			for _, m := range turn.Messages {
				if m.ID == id {
					b.WriteString(m.Text)
				}
			}
		}
	}
	return b.String()
}

// A memorize does not fail because nothing can be archived, and says so once.
func TestAFullDiskFailsNoMemorize(t *testing.T) {
	t.Parallel()
	o := sample(t)
	full := errors.New("no space left on device")
	var broken atomic.Bool
	broken.Store(true)
	o.beforeArchive = func(string, atomicfile.Step) error {
		if broken.Load() {
			return full
		}
		return nil
	}
	e := openSample(t, o)
	reports, err := e.Memorize(t.Context(), MemorizeOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, r := range reports {
		if r.Problem != nil {
			t.Errorf("%+v", r.Problem)
		}
		for _, w := range r.Warnings {
			if strings.Contains(w, "no space left") {
				told++
			}
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	broken.Store(false)
	r, err := e.ArchiveSessions(t.Context())
	if err != nil || r.Failed > 0 || r.Written == 0 || r.Written != r.Sessions {
		t.Errorf("%+v %v", r, err)
	}
	if r, err = e.ArchiveSessions(t.Context()); err != nil || r.Written != 0 || r.Sessions == 0 {
		t.Errorf("%+v %v", r, err)
	}
	// So does maintenance, where nothing new brings a memorize.
	if err := os.RemoveAll(filepath.Join(o.Getenv("RECOLLECT_HOME"), "data", "archive")); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Maintain(t.Context(), MaintainOptions{Kind: maintain.Nightly}); err != nil {
		t.Fatal(err)
	}
	if u, err := e.archive().Size(); err != nil || u.Sessions != r.Sessions {
		t.Errorf("%+v %v", u, err)
	}
}

// What was read only is archived: a session nobody memorized is none of ours.
func TestOnlyWhatWasReadIsArchived(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openSample(t, o)
	if r, err := e.ArchiveSessions(t.Context()); err != nil || r.Sessions != 0 {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true, DryRun: true}); err != nil {
		t.Fatal(err)
	}
	main := "main"
	if _, err := e.Memorize(t.Context(), MemorizeOptions{Branch: &main}); err != nil {
		t.Fatal(err)
	}
	on, err := e.Sessions(t.Context(), &main)
	if err != nil {
		t.Fatal(err)
	}
	if u, err := e.archive().Size(); err != nil || u.Sessions != len(on) {
		t.Errorf("%+v, %d sessions, %v", u, len(on), err)
	}
}

func TestSettingsOfTheArchive(t *testing.T) {
	t.Parallel()
	o := sample(t)
	home := filepath.Join(o.Getenv("RECOLLECT_HOME"), "config", "config.json")
	here := filepath.Join(o.Dir, history.MemoryDir, "config.json")
	// What comes with a project reaches no further than the project.
	write(t, here, []byte(`{"version":1,"archive":{"limit":1,"redact":false,"enabled":true}}`))
	e := openSample(t, o)
	if a := e.archiving(); !a.Enabled || !a.Redact || a.Limit != 512 {
		t.Errorf("%+v", a)
	}
	write(t, home, []byte(`{"version":1,"archive":{"limit":7,"redact":false}}`))
	if a := openSample(t, o).archiving(); !a.Enabled || a.Redact || a.Limit != 7 {
		t.Errorf("%+v", a)
	}
	write(t, here, []byte(`{"version":1,"archive":{"enabled":false}}`))
	off := openSample(t, o)
	if !off.archiving().Enabled {
		t.Error("a project turned the archive off by itself")
	}
	trust(t, off)
	if _, err := off.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if u, err := off.archive().Total(); err != nil || u.Bytes != 0 {
		t.Errorf("%+v %v", u, err)
	}
}

func TestNoSecretIsArchived(t *testing.T) {
	t.Parallel()
	o := sample(t)
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	say(t, o, "secret-session", "We always sign in with "+secret+" when we deploy the bridge.")
	e := openSample(t, o)
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	head, err := e.archive().Find("claude-code", "secret-session")
	if err != nil || !head.Redacted {
		t.Fatal(head, err)
	}
	n := 0
	for turn, err := range e.archive().Turns(t.Context(), head) {
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range turn.Messages {
			n++
			if strings.Contains(m.Text, secret) {
				t.Error(m.Text)
			}
		}
	}
	if n == 0 {
		t.Error("nothing was archived")
	}
}

// say adds a session of one turn to the history of the sample.
func say(t testing.TB, o Options, session, prompt string) string {
	t.Helper()
	return sayAt(t, o, session, prompt, time.Now())
}

func sayAt(t testing.TB, o Options, session, prompt string, at time.Time) string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(o.Getenv("CLAUDE_CONFIG_DIR"), "projects", "*"))
	if err != nil || len(folders) != 1 {
		t.Fatal(folders, err)
	}
	path := filepath.Join(folders[0], session+".jsonl")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	user := session + "-" + at.Format("150405.000000000")
	for _, r := range []map[string]any{
		{"type": "user", "uuid": user, "parentUuid": nil, "message": map[string]any{"role": "user", "content": prompt}},
		{"type": "assistant", "uuid": user + "-a", "parentUuid": user, "message": map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": "Understood, I keep to that from now on."}}}},
	} {
		r["sessionId"], r["cwd"], r["gitBranch"], r["version"], r["timestamp"] = session, o.Dir, "main", "2.1.240", at.UTC().Format(time.RFC3339Nano)
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(append(line, '\n')); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestDoctorSaysWhatWouldBeLost(t *testing.T) {
	t.Parallel()
	o := sample(t)
	path := say(t, o, "old-session", "We always paint the buoys red before the season.")
	e := openSample(t, o)
	doctor := func() (facts, findings string) {
		d, err := e.Doctor(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Facts {
			facts += f.Name + ": " + f.Value + "\n"
		}
		for _, f := range d.Findings {
			findings += f.Where + ": " + f.What + "\n"
		}
		return facts, findings
	}
	facts, findings := doctor()
	if !strings.Contains(facts, "30 days after their last change") || !strings.Contains(facts, "archived sessions: 0 sessions") || strings.Contains(findings, "removed") {
		t.Errorf("%s\n%s", facts, findings)
	}
	at := time.Now().Add(-25 * 24 * time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	if _, findings = doctor(); !strings.Contains(findings, "1 session with 1 turn that is not memorized may be removed from "+at.Add(30*24*time.Hour).Local().Format("2006-01-02")) {
		t.Error(findings)
	}
	write(t, filepath.Join(o.Getenv("CLAUDE_CONFIG_DIR"), "settings.json"), []byte(`{"cleanupPeriodDays":20}`))
	if facts, findings = doctor(); !strings.Contains(facts, "20 days") || !strings.Contains(findings, "any time") {
		t.Errorf("%s\n%s", facts, findings)
	}
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if facts, findings = doctor(); strings.Contains(findings, "removed") || strings.Contains(facts, "archived sessions: 0 sessions") {
		t.Errorf("%s\n%s", facts, findings)
	}
}

// What room is made by: in projects whose memory can't be read, every session
// counts as one that an item came from.
func TestCited(t *testing.T) {
	t.Parallel()
	o := sample(t)
	e := openSample(t, o)
	if _, err := e.Memorize(t.Context(), MemorizeOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	v, err := e.Memory(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	origin := v.Items[0].Origins[0]
	cited := e.cited(o.Dir)
	if !cited[archive.Cited{Source: origin.Source, Session: origin.Session}] || cited[archive.Cited{}] {
		t.Errorf("%v", cited)
	}
	if none := e.cited(filepath.Join(o.Dir, "not there")); len(none) != 1 || none[archive.Cited{}] {
		t.Errorf("%v", none)
	}
	path := filepath.Join(o.Dir, history.MemoryDir, "branches", "main.items.jsonl")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if !e.cited(o.Dir)[archive.Cited{}] {
		t.Error("a memory that can't be read cites nothing")
	}
}
