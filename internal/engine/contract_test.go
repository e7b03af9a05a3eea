package engine

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"recollect/internal/inject"
	"recollect/internal/plugin"
)

// The window reads what the engine answers by the names in types.ts.
func TestAnswersAreAsTheWindowReadsThem(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "frontend", "src", "bridge", "types*.ts"))
	if err != nil || len(files) == 0 {
		t.Skip("no frontend beside the engine")
	}
	contract := map[string]map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(contract, interfaces(string(text)))
	}
	for name, tt := range map[string]struct {
		value  any
		beyond []string // what the window does not read
	}{
		"Injection":  {InjectionView{}, nil},
		"Block":      {inject.Block{}, nil},
		"Target":     {inject.Result{}, []string{"diff"}},
		"Power":      {plugin.Power{}, nil},
		"Plugin":     {PluginView{}, nil},
		"Plugins":    {PluginsView{}, nil},
		"PluginUse":  {PluginUse{}, nil},
		"Limits":     {plugin.Limits{}, []string{"request_bytes", "reply_bytes", "log_bytes"}},
		"Metrics":    {plugin.Metrics{}, nil},
		"LogLine":    {plugin.Logged{}, nil},
		"Absent":     {Absent{}, nil},
		"Tried":      {Tried{}, nil},
		"TriedItem":  {TriedItem{}, nil},
		"Setting":    {SettingView{}, nil},
		"Project":    {KnownProject{}, nil},
		"Counts":     {ProjectCounts{}, nil},
		"Assistant":  {Assistant{}, nil},
		"Branch":     {Branch{}, nil},
		"Stats":      {Stats{}, nil},
		"Spend":      {Spend{}, nil},
		"Status":     {Status{}, nil},
		"LastRun":    {LastRun{}, nil},
		"Head":       {Head{}, nil},
		"StaleBlock": {StaleBlock{}, nil},

		"Maintenance": {MaintenanceStatus{}, nil},
		"ModelPrices": {ModelPrices{}, nil},
		"ModelPrice":  {ModelPrice{}, nil},
	} {
		want, got := contract[name], fieldsOf(reflect.TypeOf(tt.value))
		if len(want) == 0 {
			t.Errorf("%s is not in the contract", name)
		}
		for field, optional := range want {
			may, there := got[field]
			// The name of a target is left out only where nobody named it.
			if !there && !optional || there && may && !optional && field != "name" {
				t.Errorf("%s.%s may be missing", name, field)
			}
		}
		for field := range got {
			if _, there := want[field]; !there && !slices.Contains(tt.beyond, field) {
				t.Errorf("%s.%s is not in the contract", name, field)
			}
		}
	}
}

var (
	interfaceForm = regexp.MustCompile(`(?s)export interface (\w+) \{\n(.*?)\n\}`)
	fieldForm     = regexp.MustCompile(`(?m)^  (\w+)(\??):`)
)

// interfaces gives the fields of each, and whether they are optional.
func interfaces(text string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, m := range interfaceForm.FindAllStringSubmatch(text, -1) {
		all[m[1]] = map[string]bool{}
		for _, f := range fieldForm.FindAllStringSubmatch(m[2], -1) {
			all[m[1]][f[1]] = f[2] != ""
		}
	}
	return all
}

// fieldsOf gives the JSON names of a struct, and whether they may be left out.
func fieldsOf(typ reflect.Type) map[string]bool {
	fields := map[string]bool{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for k, v := range fieldsOf(f.Type) {
				fields[k] = v
			}
		case name != "-" && name != "":
			fields[name] = strings.Contains(options, "omit")
		}
	}
	return fields
}
