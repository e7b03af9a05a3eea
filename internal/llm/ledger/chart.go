package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// Measure is what the bars of a chart show.
type Measure string

// The measures.
const (
	MeasureMoney  Measure = "money"
	MeasureTokens Measure = "tokens"
	MeasureCalls  Measure = "calls"
)

// ChartOptions say how a chart looks.
type ChartOptions struct {
	Measure Measure // "": money
	Width   int     // columns of the terminal; 0: 80, and never fewer than 40
	ASCII   bool    // for terminals without block characters
	Rows    int     // at most so many, the rest in one row; 0: 31
}

// Chart draws one bar a row, with the figures behind it. Days keep the last
// rows, everything else the first. No rows, no text.
func Chart(title string, rows []Row, o ChartOptions) string {
	if len(rows) == 0 {
		return ""
	}
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Rows <= 0 {
		o.Rows = 31
	}
	o.Width = max(o.Width, 40)
	rows = fold(rows, o.Rows)
	var most int64
	nameWidth := 0
	var widths [3]int
	for _, r := range rows {
		nameWidth = max(nameWidth, uniseg.StringWidth(chartName(r.Name)))
		most = max(most, o.Measure.of(r))
		for i, s := range chartFigures(r) {
			widths[i] = max(widths[i], len(s))
		}
	}
	// What the figures leave is shared by the names and the bars.
	room := max(o.Width-widths[0]-widths[1]-widths[2]-8, 20)
	nameWidth = min(nameWidth, room*3/5)

	var b strings.Builder
	fmt.Fprintln(&b, title)
	for _, r := range rows {
		name := shorten(chartName(r.Name), nameWidth, o.ASCII)
		f := chartFigures(r)
		fmt.Fprintf(&b, "  %s%s %s %*s  %*s  %*s\n", name, pad(name, nameWidth), bar(o.Measure.of(r), most, room-nameWidth, o.ASCII),
			widths[0], f[0], widths[1], f[1], widths[2], f[2])
	}
	return b.String()
}

func (m Measure) of(r Row) int64 {
	switch m {
	case MeasureTokens:
		return r.InputTokens + r.OutputTokens
	case MeasureCalls:
		return r.Calls
	}
	return r.Money
}

// fold puts what is beyond the limit into one row.
func fold(rows []Row, limit int) []Row {
	if len(rows) <= limit {
		return rows
	}
	days := isDate(rows[0].Name)
	kept, rest := rows[:limit-1], rows[limit-1:]
	if days {
		rest, kept = rows[:len(rows)-limit+1], rows[len(rows)-limit+1:]
	}
	sum := Row{Name: fmt.Sprintf("%d others", len(rest))}
	if days {
		sum.Name = fmt.Sprintf("%d earlier days", len(rest))
	}
	for _, r := range rest {
		sum.Calls += r.Calls
		sum.Unpriced += r.Unpriced
		sum.InputTokens += r.InputTokens
		sum.OutputTokens += r.OutputTokens
		sum.Money += r.Money
	}
	if days {
		return append([]Row{sum}, kept...)
	}
	return append(slices.Clone(kept), sum)
}

func chartName(s string) string {
	if s == "" {
		return "(none)"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '?' // would move the cursor or turn the text around
		}
		return r
	}, s)
}

// chartFigures are money, tokens and calls, in ASCII.
func chartFigures(r Row) [3]string {
	money := Dollars(r.Money)
	if r.Unpriced > 0 {
		money += "+?"
	}
	calls := strconv.FormatInt(r.Calls, 10) + " calls"
	if r.Calls == 1 {
		calls = "1 call "
	}
	return [3]string{money, count(r.InputTokens+r.OutputTokens) + " tok", calls}
}

// Dollars writes millionths of a US dollar for people: to the cent from ten
// cents on, finer below.
func Dollars(micro int64) string {
	switch {
	case micro == 0:
		return "$0"
	case micro < 100:
		return "<$0.0001"
	case micro < 100_000:
		return fmt.Sprintf("$%.4f", float64(micro)/1e6)
	}
	return fmt.Sprintf("$%.2f", float64(micro)/1e6)
}

// count writes a number with a unit: 950, 12.3k, 4.5M.
func count(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// shorten cuts a text in its middle, where paths differ least.
func shorten(s string, width int, ascii bool) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	mark := "…"
	if ascii {
		mark = "~"
	}
	var clusters []string
	for g := uniseg.NewGraphemes(s); g.Next(); {
		clusters = append(clusters, g.Str())
	}
	front := fitting(clusters, (width-1)/3)
	slices.Reverse(clusters)
	back := fitting(clusters, width-1-uniseg.StringWidth(strings.Join(front, "")))
	slices.Reverse(back)
	return strings.Join(front, "") + mark + strings.Join(back, "")
}

// fitting are the first clusters that fit into the width.
func fitting(clusters []string, width int) []string {
	for i, c := range clusters {
		if width -= uniseg.StringWidth(c); width < 0 {
			return slices.Clone(clusters[:i])
		}
	}
	return slices.Clone(clusters)
}

func pad(s string, width int) string {
	return strings.Repeat(" ", max(width-uniseg.StringWidth(s), 0))
}

// bar is as long as n is to most, in eighths of a column; what is not nothing
// shows.
func bar(n, most int64, width int, ascii bool) string {
	if n <= 0 || most <= 0 {
		return strings.Repeat(" ", width)
	}
	eighths := max(int(float64(n)/float64(most)*float64(width*8)+0.5), 1)
	if ascii {
		full := max(eighths/8, 1)
		return strings.Repeat("#", full) + strings.Repeat(" ", max(width-full, 0))
	}
	s := strings.Repeat("█", eighths/8)
	used := eighths / 8
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
		used++
	}
	return s + strings.Repeat(" ", max(width-used, 0))
}
