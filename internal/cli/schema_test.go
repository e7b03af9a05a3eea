package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"recollect/internal/cli/answer"
	"recollect/internal/engine"
	"recollect/internal/memory"
	"recollect/internal/plugin"
	"recollect/internal/service"
)

var rewrite = flag.Bool("rewrite", false, "write docs/cli.schema.json anew")

// answers are what the commands print with --json, by the command; one that prints
// something else with a flag is there for each.
var answers = map[string]any{
	"start": startPage{}, "init": engine.Init{}, "projects": []engine.KnownProject{}, "projects --add": engine.KnownProject{},
	"status": engine.Status{}, "branches": []engine.Branch{}, "memorize": []engine.BranchReport{},
	"show": engine.Shown{}, "show --versions": []memory.Version{}, "show --archived": []memory.Item{},
	"show --block": blockAnswer{}, "show --source": engine.SourceOf{},
	"add": engine.Edited{}, "edit": engine.Edited{}, "move": engine.Edited{}, "pin": engine.Edited{}, "unpin": engine.Edited{}, "undo": engine.Edited{}, "redo": engine.Edited{}, "rename": renameAnswer{},
	"restore": restoreAnswer{}, "forget": forgetAnswer{}, "inject": engine.Injection{},
	"review list": []engine.Proposal{}, "review accept": engine.Reviewed{}, "review refuse": engine.Reviewed{}, "review undo": engine.Reviewed{},
	"conflicts list": []conflictAnswer{}, "conflicts show": conflictAnswer{}, "conflicts resolve": decidedAnswer{},
	"import puffin": []importAnswer{}, "extract": engine.Extracted{},
	"history sessions": []engine.Session{}, "history turns": []engine.Turn{},
	"model show": engine.ModelWays{}, "model use": engine.ChosenModel{},
	"auth set": engine.KeyStatus{}, "auth status": engine.KeyStatus{}, "auth test": engine.ModelTest{}, "auth delete": deletedAnswer{},
	"usage":       engine.Usage{},
	"plugin list": engine.PluginList{}, "plugin info": engine.PluginInfo{}, "plugin add": plugin.Entry{}, "plugin approve": plugin.Entry{},
	"plugin enable": plugin.Entry{}, "plugin disable": plugin.Entry{}, "plugin resume": resumeAnswer{}, "plugin remove": removeAnswer{},
	"plugin use": engine.PluginView{}, "plugin try": engine.Tried{}, "plugin log": []plugin.Logged{}, "plugin run": plugin.Outcome{},
	"config get": json.RawMessage{}, "config list": []engine.SettingView{}, "config set": setAnswer{},
	"trust": engine.Trust{}, "maintain": maintained{}, "maintain --all-projects": []maintained{},
	"service status": wholeStatus{}, "service start": wholeStatus{}, "service restart": wholeStatus{},
	"service pause": service.Status{}, "service resume": service.Status{}, "service stop": stopAnswer{},
	"service install": service.Installed{}, "service uninstall": gone{}, "open": service.Opened{},
	"uninstall": traces{}, "doctor": doctorAnswer{}, "completion": completionAnswer{}, "complete": []candidate{},
	"upgrade": upgrade{}, "plugin prepare": engine.Prepared{},
	"man": manAnswer{}, "version": versionAnswer{},
	"(error)": errorAnswer{}, "(note)": noteAnswer{},
}

// wordless commands have no answer in JSON, and why.
var wordless = map[string]string{
	"help":         "it is for people",
	"review each":  "it is for people: it waits for keys",
	"service run":  "it works until it is told to stop",
	"service logs": "it prints lines, each of them JSON already",
}

// describer makes the schema of types as answer writes them.
type describer struct {
	t     *testing.T
	defs  map[string]any
	types map[string]reflect.Type
}

func (d *describer) of(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface:
		return map[string]any{}
	case answer.Opaque(t):
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.of(t.Elem())
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": d.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": d.of(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Float64, reflect.Float32:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		return d.object(t)
	}
	return map[string]any{"type": "integer"}
}

func (d *describer) object(t reflect.Type) map[string]any {
	name := strings.ToUpper(t.Name()[:1]) + strings.TrimSuffix(t.Name()[1:], "Answer")
	if before := d.types[name]; before != nil && before != t {
		name = strings.ToUpper(filepath.Base(t.PkgPath())[:1]) + filepath.Base(t.PkgPath())[1:] + name
	}
	ref := map[string]any{"$ref": "#/$defs/" + name}
	if d.types[name] == t {
		return ref
	}
	d.types[name] = t
	properties, required := map[string]any{}, []string{}
	d.defs[name] = map[string]any{"type": "object", "properties": properties, "required": &required}
	for _, f := range answer.Fields(t) {
		if properties[f.Name] != nil {
			d.t.Errorf("%v has two fields %s", t, f.Name)
		}
		one := d.of(f.Type)
		switch f.Unit {
		case answer.Milliseconds:
			one = map[string]any{"type": "integer", "description": "milliseconds"}
		case answer.Dollars:
			one = map[string]any{"type": "number", "description": "US dollars"}
		}
		properties[f.Name] = one
		if !f.MayBeLeft {
			required = append(required, f.Name)
		}
	}
	return ref
}

const aboutSchema = "What each command of recollect prints with --json on standard output, by the command; (error) and (note) are printed on standard error. " +
	"Lists are there even if they are empty, times are RFC 3339 with a zone, _ms are milliseconds, usd is money in US dollars; what else is not there is left out. Later versions may add fields."

// docs/cli.schema.json is made from the types of the answers: -rewrite makes it anew.
func TestSchemaIsOfTheTypes(t *testing.T) {
	d := &describer{t: t, defs: map[string]any{}, types: map[string]reflect.Type{}}
	properties := map[string]any{}
	for _, command := range slices.Sorted(maps.Keys(answers)) {
		properties[command] = d.of(reflect.TypeOf(answers[command]))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Answers of recollect --json",
		"description": aboutSchema, "type": "object", "properties": properties, "$defs": d.defs}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "docs", "cli.schema.json")
	if *rewrite {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, b.Bytes()) {
		t.Errorf("%s is not of the types that are answered with (%v): go test ./internal/cli -run TestSchema -rewrite", file, err)
	}
}

func TestEveryCommandHasASchema(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&root{})
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range parser.Model.Leaves(false) {
		if name := commandPath(leaf); answers[name] == nil && wordless[name] == "" {
			t.Errorf("%s is not among the answers, nor without one for a reason", name)
		}
	}
}

// fits COMMAND holds the last answer on standard output against the schema of the
// command; fits (error) that on standard error. A field that the schema does not
// have is wrong, too.
func fits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: fits COMMAND")
	}
	command, from := strings.Join(args, " "), "stdout"
	if strings.HasPrefix(command, "(") {
		from = "stderr"
	}
	raw, err := os.ReadFile(filepath.Join(ts.Getenv("REPO"), "docs", "cli.schema.json"))
	ts.Check(err)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	ts.Check(err)
	for _, def := range schema.(map[string]any)["$defs"].(map[string]any) {
		def.(map[string]any)["additionalProperties"] = false
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	ts.Check(c.AddResource("cli.schema.json", schema))
	s, err := c.Compile("cli.schema.json#/properties/" + strings.NewReplacer("~", "~0", "/", "~1", " ", "%20").Replace(command))
	ts.Check(err)
	said, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(from)))
	if err != nil {
		ts.Fatalf("%s is not JSON: %v", from, err)
	}
	if err := s.Validate(said); err != nil {
		ts.Fatalf("the answer is not as docs/cli.schema.json has it: %v", err)
	}
}
