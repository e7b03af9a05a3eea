package engine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestBlockAndReasons shows a block of the built-in policy as a person would look
// at it, with the reason for each item that is in it and that is not.
func TestBlockAndReasons(t *testing.T) {
	e := openEngine(t, sample(t))
	if _, err := e.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := blockMemory()
	if _, err := e.memories().Save(t.Context(), m, ""); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	show := func(what string) {
		view, err := e.Preview(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "=== %s: %d of %d tokens\n%s--- shown\n", what, view.Block.Tokens, view.Budget, view.Block.Text)
		for _, s := range view.Block.Shown {
			fmt.Fprintf(&out, "%s: %s\n", s.ID, s.Why)
		}
		fmt.Fprintln(&out, "--- left out")
		for _, l := range view.Block.Left {
			fmt.Fprintln(&out, strings.Join(strings.Fields(fmt.Sprint(l.ID, ": ", l.Reason, " ", l.By, " ", l.Why)), " "))
		}
	}
	show("as it is by default")
	configure(t, e, "inject.budget", "300")
	show("with less room")
	configure(t, e, "plugins.dev.recollect.ranked", `{"sections":["facts","conventions"],"least_confidence":0.5}`)
	show("facts and conventions that are sure enough")

	golden := filepath.Join("testdata", "block.golden")
	if *update {
		write(t, golden, out.Bytes())
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), out.String()); d != "" {
		t.Error(d)
	}
}

func blockMemory() memory.Memory {
	m := memory.Memory{Branch: "main", Layout: memory.DefaultLayout()}
	day := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	add := func(section string, confidence float64, content string, change ...func(*memory.Item)) {
		n := len(m.Items)
		at := day.AddDate(0, 0, n)
		it := memory.Item{
			ID: fmt.Sprintf("%012x", n+1), Section: section, State: memory.Active, Confidence: confidence, Content: content, Created: at, Updated: at,
			Origins: []memory.Origin{{Extractor: "dev.recollect.offline", Session: fmt.Sprint("s", n), Time: at}},
		}
		for _, f := range change {
			f(&it)
		}
		m.Items = append(m.Items, it)
	}
	person := func(it *memory.Item) { it.Origins[0].Extractor = memory.Person }
	add("facts", 0.6, "The tide tables are read from the folder `tables`, one file for each harbour.")
	add("facts", 0.9, "The service listens on port 8080.")
	add("facts", 0.7, "The service listens on port 9090.")
	add("facts", 0.4, "The folder `spikes` holds trials that nothing calls.")
	add("facts", 0.5, "The nightly run takes about four minutes, most of it in the table of currents.", func(it *memory.Item) { it.Pinned = true })
	add("conventions", 0.8, "Heights are kept in whole millimetres, never as floats.")
	add("conventions", 0.3, "Names of harbours are compared without accents.", person)
	add("conventions", 0.9, "Use tabs for indentation.", person)
	add("conventions", 0.9, "Use spaces for indentation.")
	add("conventions", 0.4, "Every handler logs the harbour that it was asked about and the time that it took.")
	add("architectural-decisions", 0.8, "Tables are parsed when the service starts and not on each request, since a request may wait no more than 20 ms; a cache with a lifetime was refused because it made the first request of the hour slow.")
	add("architectural-decisions", 0.7, "SQLite holds the measurements; a server of its own was refused as one more thing to run.")
	add("bug-patterns", 0.8, "A missing leap second made the tide one line late; the parser must count lines by their time and not by their number.")
	add("bug-patterns", 0.6, "On Windows the tables are read with CRLF, so lines must be trimmed before they are split.")
	add("facts", 0.9, "The service wrote its log to a file.", func(it *memory.Item) { it.State, it.SupersededBy = memory.Superseded, m.Items[1].ID })
	return m
}
