package ledger

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

var update = flag.Bool("update", false, "write the golden files anew")

var chartRows = map[string][]Row{
	"By day": {
		{Name: "2026-11-25", Calls: 12, InputTokens: 240_100, OutputTokens: 9_000, Money: 285_100},
		{Name: "2026-11-26"},
		{Name: "2026-11-27", Calls: 1, InputTokens: 950, Money: 40},
		{Name: "2026-11-28", Calls: 31, InputTokens: 1_900_000, OutputTokens: 100_000, Money: 812_345, Unpriced: 2},
	},
	"By project": {
		{Name: "/home/ada/work/clients/north/very/long/path/to/the/project", Calls: 30, InputTokens: 1000, Money: 700_000},
		{Name: "/home/ada/日本語プロジェクト/資料", Calls: 8, InputTokens: 500, Money: 350_000},
		{Name: "/tmp/\x1b[31mred\u202etxt", Calls: 1, InputTokens: 1, Money: 1},
		{Name: "", Calls: 1, InputTokens: 1, Money: 0},
	},
}

func TestChartGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, o := range []ChartOptions{{}, {Width: 60, ASCII: true}, {Width: 50, Measure: MeasureCalls, Rows: 3}, {Width: 100, Measure: MeasureTokens}} {
		for _, title := range []string{"By day", "By project"} {
			b.WriteString(Chart(title, chartRows[title], o) + "\n")
		}
	}
	golden := filepath.Join("testdata", "chart.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestChartFits draws at every width: no line is wider than the terminal, unless
// the terminal is too narrow for any chart, and all lines end in one column.
func TestChartFits(t *testing.T) {
	t.Parallel()
	for width := 1; width < 200; width++ {
		for title, rows := range chartRows {
			for _, ascii := range []bool{false, true} {
				lines := strings.Split(strings.TrimSuffix(Chart(title, rows, ChartOptions{Width: width, ASCII: ascii}), "\n"), "\n")[1:]
				for _, line := range lines {
					if w := uniseg.StringWidth(line); w > max(width, 58) || w != uniseg.StringWidth(lines[0]) {
						t.Fatalf("width %d: %d columns: %q", width, w, line)
					}
				}
			}
		}
	}
	if s := Chart("x", nil, ChartOptions{}); s != "" {
		t.Errorf("no rows: %q", s)
	}
}

func TestDollars(t *testing.T) {
	t.Parallel()
	for micro, want := range map[int64]string{0: "$0", 1: "<$0.0001", 100: "$0.0001", 12_300: "$0.0123", 99_999: "$0.1000", 1_005_000: "$1.00", 12_345_678: "$12.35"} {
		if got := Dollars(micro); got != want {
			t.Errorf("%d: %s, want %s", micro, got, want)
		}
	}
}
