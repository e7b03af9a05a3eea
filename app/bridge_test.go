package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/engine/enginetest"
	"recollect/internal/memorize"
	"recollect/internal/peer"
	"recollect/internal/plugin"
	"recollect/internal/plugin/plugintest"
	"recollect/internal/service"
)

func TestMain(m *testing.M) {
	plugintest.CompileFast(os.Args[1:])
	if handled, code := plugin.RunChild(os.Args[1:], os.Stdin, os.Stdout); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// page is a shell that keeps what it is told.
type page struct {
	folder string // that the person picks
	file   string

	mu     sync.Mutex
	raised int
	opened []string
	ended  chan engine.Job
	shown  chan Show
}

func newPage() *page { return &page{ended: make(chan engine.Job, 10), shown: make(chan Show, 10)} }

func (p *page) emit(event string, data any) {
	switch d := data.(type) {
	case engine.Job:
		if event == engine.EventEnded {
			p.ended <- d
		}
	case Show:
		p.shown <- d
	}
}

func (p *page) raise() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.raised++
}
func (p *page) pickFolder(string) (string, error)               { return p.folder, nil }
func (p *page) pickFile(string, string, string) (string, error) { return p.file, nil }
func (p *page) open(path string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened = append(p.opened, path)
	return nil
}

// desk lays out a home with one project that has the sample's history, and
// gives a bridge to a page on it. It sets the environment of the test.
func desk(t *testing.T) (b *Bridge, p *page, project string) {
	t.Helper()
	b, p, project = deskFor(t, start{})
	if _, err := b.Asked(); err != nil {
		t.Fatal(err)
	}
	return b, p, project
}

// deskFor is desk with a command line, and a page that has not asked yet.
func deskFor(t *testing.T, s start) (b *Bridge, p *page, project string) {
	t.Helper()
	sample := enginetest.LayOut(t, "..")
	t.Setenv(config.EnvHome, sample.Home)
	t.Setenv("CLAUDE_CONFIG_DIR", sample.Claude)
	t.Setenv("HOME", sample.Dir)
	dirs, folder, err := service.Where(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	b, p = newBridge(dirs, folder, s), newPage()
	b.appear(p)
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	})
	return b, p, sample.Project
}

func (p *page) end(t *testing.T) engine.Job {
	t.Helper()
	select {
	case j := <-p.ended:
		return j
	case <-time.After(2 * time.Minute):
		t.Fatal("no job ended")
		return engine.Job{}
	}
}

// TestBridgeHasWhatThePageAsks holds the methods to the interface of the page:
// names and numbers of arguments.
func TestBridgeHasWhatThePageAsks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "frontend", "src", "bridge", "bridge.ts"))
	if err != nil {
		t.Fatal(err)
	}
	calls := regexp.MustCompile(`(?m)^  (\w+)\(([^)]*)\): Promise<`).FindAllStringSubmatch(string(text), -1)
	if len(calls) < 40 {
		t.Fatalf("only %d calls were found", len(calls))
	}
	bridge := reflect.TypeFor[*Bridge]()
	asked := map[string]bool{}
	for _, c := range calls {
		name := strings.ToUpper(c[1][:1]) + c[1][1:]
		asked[name] = true
		m, ok := bridge.MethodByName(name)
		if !ok {
			t.Errorf("the page asks %s, which the bridge does not have", name)
			continue
		}
		if want, got := strings.Count(c[2], ":"), m.Type.NumIn()-1; got != want {
			t.Errorf("%s takes %d arguments, the page gives %d", name, got, want)
		}
		if last := m.Type.Out(m.Type.NumOut() - 1); last != reflect.TypeFor[error]() {
			t.Errorf("%s can't fail", name)
		}
	}
	for m := range bridge.Methods() {
		if !asked[m.Name] {
			t.Errorf("nobody asks %s", m.Name)
		}
	}
}

func TestFirstRunUntilItIsEnded(t *testing.T) {
	b, p, project := desk(t)
	first, err := b.FirstRun()
	if err != nil {
		t.Fatal(err)
	}
	if !first.Needed || len(first.Assistants) == 0 {
		t.Fatalf("the first run is %+v", first)
	}
	projects, err := b.Projects()
	if err != nil {
		t.Fatal(err)
	}
	if len(projects) != 1 || projects[0].Root != project || projects[0].Memory {
		t.Fatalf("the projects are %+v", projects)
	}
	if _, err := b.Memorize(project, MemorizeRequest{Branches: []string{"main"}, Preview: true}); err != nil {
		t.Fatal(err)
	}
	if j := p.end(t); j.State != engine.JobDone || len(j.Reports) != 1 || len(j.Reports[0].Changes) == 0 || j.By != "window" {
		t.Fatalf("the preview ended as %+v", j)
	}
	if _, err := os.Stat(filepath.Join(project, ".recollect")); err == nil {
		t.Error("the preview has made a memory folder")
	}
	if err := b.EndFirstRun(); err != nil {
		t.Fatal(err)
	}
	if again, err := b.FirstRun(); err != nil || again.Needed {
		t.Errorf("the first run comes again: %+v, %v", again, err)
	}
}

// The page is told what a model would cost before one is chosen, and the choice is
// the person's.
func TestWaysToAModel(t *testing.T) {
	b, _, project := desk(t)
	ways, err := b.ModelWays(project)
	if err != nil || ways.Chosen || ways.Current != engine.Offline || len(ways.Ways) != 5 {
		t.Fatalf("%+v, %v", ways, err)
	}
	if w := ways.Ways[0]; w.Sessions == 0 || w.Requests == 0 || w.Money == 0 || !w.Subscription {
		t.Errorf("%+v", w)
	}
	if c, err := b.ChooseModel(project, "anthropic", "", ""); err != nil || c.Missing == "" {
		t.Errorf("%+v, %v", c, err)
	}
	if ways, err := b.ModelWays(project); err != nil || !ways.Chosen || ways.Current != "anthropic" {
		t.Errorf("%+v, %v", ways, err)
	}
	if ways, err := b.ModelWays(""); err != nil || ways.Current != "anthropic" || ways.Ways[0].Requests != 0 {
		t.Errorf("without a project: %+v, %v", ways, err)
	}
	if _, err := b.ChooseModel(project, "nobody", "", ""); err == nil {
		t.Error("a way was chosen that there is not")
	}
	if _, err := os.Stat(filepath.Join(project, ".recollect")); err == nil {
		t.Error("the choice has made a memory folder")
	}
}

// Who uses a plug-in is known in the window as on the command line, from any page.
func TestPluginUses(t *testing.T) {
	b, _, project := desk(t)
	if _, err := b.ChooseModel(project, "none", "", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := b.UsePlugin(project, "dev.recollect.model-notes", "extractor", true); err != nil {
		t.Fatal(err)
	}
	if uses, err := b.PluginUses(project, "dev.recollect.model-notes"); err != nil || len(uses) != 1 || uses[0].Root != project || !slices.Equal(uses[0].Roles, []string{"extractor"}) {
		t.Errorf("%+v, %v", uses, err)
	}
	if uses, err := b.PluginUses("", "dev.recollect.offline"); err != nil || len(uses) != 1 || uses[0].Root != "" || !slices.Equal(uses[0].Roles, []string{"extractor"}) {
		t.Errorf("without a project: %+v, %v", uses, err)
	}
}

func TestMemorizeEditAndInject(t *testing.T) {
	b, p, project := desk(t)
	if _, err := b.Memorize(project, MemorizeRequest{}); err != nil {
		t.Fatal(err)
	}
	if j := p.end(t); j.State != engine.JobDone || j.Reports[0].Outcome != memorize.Memorized {
		t.Fatalf("it ended as %+v", j)
	}
	m, err := b.Memory(project, "main")
	if err != nil || len(m.Items) == 0 {
		t.Fatalf("the memory is %+v, %v", m, err)
	}
	at := slices.IndexFunc(m.Items, func(it engine.ShownItem) bool { return it.Section == "conventions" })
	if at < 0 {
		t.Fatalf("no convention is among %+v", m.Items)
	}
	item := m.Items[at]
	edited, err := b.EditItem(project, "main", item.ID, "The tide tables are in UTC.", item.Content)
	if err != nil || edited.Undo == "" {
		t.Fatalf("edited: %+v, %v", edited, err)
	}
	if _, err := b.EditItem(project, "main", item.ID, "Other words.", item.Content); err == nil {
		t.Error("an item was overwritten that said something else by then")
	}
	source, err := b.SourceOf(project, "main", m.Items[at+1].ID)
	if err != nil || len(source.Places) == 0 || len(source.Places[0].Turns) == 0 {
		t.Fatalf("it came from %+v, %v", source, err)
	}
	before, err := os.ReadFile(filepath.Join(project, "CLAUDE.md"))
	if err != nil {
		t.Fatal(err)
	}
	preview, err := b.PreviewInjection(project, "main")
	if err != nil || len(preview.Targets) != 1 {
		t.Fatalf("the preview is %+v, %v", preview, err)
	}
	if _, err := b.Inject(project, "main", nil, false, false); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(project, "CLAUDE.md"))
	if err != nil || !bytes.Contains(after, []byte("The tide tables are in UTC.")) {
		t.Errorf("the file is %s, %v", after, err)
	}
	if _, err := b.Inject(project, "main", nil, true, false); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(project, "CLAUDE.md")); err != nil || !bytes.Equal(got, before) {
		t.Errorf("after removing the file is %q, was %q, %v", got, before, err)
	}
	if _, err := b.UndoEdit(project, "main", edited.Undo); err != nil {
		t.Fatal(err)
	}
	if m, err = b.Memory(project, "main"); err != nil || m.Items[at].Content != item.Content {
		t.Errorf("after the undo it says %q, %v", m.Items[at].Content, err)
	}
}

func TestErrorsReachThePageInWords(t *testing.T) {
	b, _, project := desk(t)
	_, err := b.SourceOf(project, "main", "nothing")
	if err == nil {
		t.Fatal("an item that is not there has a source")
	}
	data, err := json.Marshal(service.Explain(err))
	if err != nil {
		t.Fatal(err)
	}
	var told map[string]any
	if err := json.Unmarshal(data, &told); err != nil {
		t.Fatal(err)
	}
	if told["code"] != "not_found" || told["message"] == "" || told["hint"] == "" {
		t.Errorf("the page is told %s", data)
	}
	if _, err := b.SetSetting("", "inject.budget", json.RawMessage("500"), false); err == nil {
		t.Error("a project's setting was set without a project")
	}
	if err := b.OpenFolder("/etc", project); err == nil {
		t.Error("the page can open any folder")
	}
	if err := b.CancelJob(-1); !errors.Is(err, peer.ErrNotRunning) {
		t.Errorf("a job of a service that is not there: %v", err)
	}
}

func TestSecondWindowRaisesTheFirst(t *testing.T) {
	b, p, project := deskFor(t, start{screen: "memory"})
	server, err := peer.Listen(peer.Options{Folder: b.folder, Role: peer.Window, Version: version, Handle: b.handle})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := run(start{screen: "dashboard"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []Show{{Screen: "dashboard"}, {}} { // the page that loads asks once
		if got, err := b.Asked(); err != nil || got != want {
			t.Errorf("asked to show %+v, %v, want %+v", got, err, want)
		}
	}
	if err := run(start{project: project, screen: "review"}, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case s := <-p.shown:
		if s.Root != project || s.Screen != "review" {
			t.Errorf("it was asked to show %+v", s)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the first window was not asked")
	}
	if p.raised != 2 {
		t.Errorf("it came forward %d times", p.raised)
	}
}

func TestOnlyOurTestsMaySteerThePage(t *testing.T) {
	for _, e2e := range []string{"", "1"} {
		var gone []string
		hideInspector(func(string) string { return e2e }, func(name string) error {
			gone = append(gone, name)
			return nil
		})
		if want := e2e == ""; want != (len(gone) == 2) {
			t.Errorf("with RECOLLECT_E2E=%q the variables %v are taken away", e2e, gone)
		}
	}
}
