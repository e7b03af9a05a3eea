package engine

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/config"
	"recollect/internal/llm/budget"
	"recollect/internal/llm/ledger"
	"recollect/internal/memory"
)

// Stats are the figures of a project's Dashboard.
type Stats struct {
	Items         int       `json:"items"`      // active ones
	Sessions      int       `json:"sessions"`   // conversations read
	Turns         int       `json:"turns"`      // in them
	TurnsRead     int       `json:"turns_read"` // memorized
	Branches      int       `json:"branches"`
	LastMemorized time.Time `json:"last_memorized,omitzero"`
	// NextMaintenance is zero as long as none is scheduled.
	NextMaintenance time.Time `json:"next_maintenance,omitzero"`
	// Growth are the active items at the end of each day with a change, oldest
	// first, by the days on which they were said; of a long history at the end of weeks or months. At most maxGrowth.
	Growth     []GrowthDay    `json:"growth"`
	Sections   []SectionCount `json:"sections"`   // in the order of the layout
	Confidence [10]int        `json:"confidence"` // active items from 0 to 1 in tenths; the last includes 1
	Spend      []Spend        `json:"spend"`      // of this project by day, oldest first, without days of nothing
	Cap        Cap            `json:"cap"`
	LeftToday  string         `json:"left_today,omitempty"` // in words; "" without a model
}

// GrowthDay is one day of Growth: items by section id.
type GrowthDay struct {
	Day      string         `json:"day"` // "2026-11-28", local
	Sections map[string]int `json:"sections"`
}

// SectionCount is one section with its active items.
type SectionCount struct {
	ID      string `json:"id"`
	Heading string `json:"heading"`
	Items   int    `json:"items"`
}

// Spend is what models took on one day.
type Spend struct {
	Day      string `json:"day"`
	Calls    int64  `json:"calls"`
	Tokens   int64  `json:"tokens"`
	Money    int64  `json:"money"`    // millionths of a US dollar
	Unpriced int64  `json:"unpriced"` // calls whose price is not known
}

// Cap is what models may take on one day, over all projects; -1: any amount.
type Cap struct {
	Calls  int64 `json:"calls"`
	Tokens int64 `json:"tokens"`
	Money  int64 `json:"money"` // millionths of a US dollar
}

const (
	// maxGrowth is two years of days.
	maxGrowth  = 731
	spendYears = 2
)

// Stats gives the project's figures. No plug-in is opened.
func (e *Engine) Stats(ctx context.Context) (Stats, error) {
	s := Stats{Growth: []GrowthDay{}, Sections: []SectionCount{}, Spend: []Spend{}, Cap: capOf(e.settings().Budget.Day)}
	if err := e.statTurns(ctx, &s); err != nil {
		return s, err
	}
	if err := e.statItems(&s); err != nil {
		return s, err
	}
	s.LastMemorized = e.lastMemorized()
	if m, err := e.Maintenance(); err == nil {
		s.NextMaintenance = m.nextMaintenance()
	}
	return s, e.statSpend(ctx, &s)
}

func (e *Engine) statTurns(ctx context.Context, s *Stats) error {
	h, err := e.openHistory(ctx)
	if err != nil {
		return err
	}
	defer h.Close()
	byName, err := e.countTurns(h)
	if err != nil {
		return err
	}
	s.Sessions = len(h.Sessions())
	for _, b := range byName {
		s.Turns += b.Turns
		s.TurnsRead += b.Turns - b.NewTurns
	}
	stored, err := e.memories().Branches()
	if err != nil {
		return err
	}
	s.Branches = len(byName)
	for _, name := range stored {
		if byName[name] == nil {
			s.Branches++
		}
	}
	return nil
}

func (e *Engine) statItems(s *Stats) error {
	names, err := e.memories().Branches()
	if err != nil {
		return err
	}
	now := e.options.Now()
	g := growth{zone: now.Location(), today: dayOf(now, now.Location()), byDay: map[string]map[string]int{}}
	for _, name := range names {
		m, _, err := e.memories().Load(name)
		if err != nil {
			continue // Branches and Status tell of it
		}
		for _, sec := range m.Layout.Sections {
			s.section(sec)
		}
		g.add(m.Items)
		for _, it := range m.Items {
			if it.State != memory.Active {
				continue
			}
			s.Items++
			s.section(memory.Section{ID: it.Section, Heading: it.Section}).Items++
			s.Confidence[min(max(int(it.Confidence*10+1e-9), 0), 9)]++
		}
	}
	s.Growth = g.days(maxGrowth)
	return nil
}

// section gives the entry of a section, which is made with the first asking.
func (s *Stats) section(sec memory.Section) *SectionCount {
	i := slices.IndexFunc(s.Sections, func(c SectionCount) bool { return c.ID == sec.ID })
	if i < 0 {
		i = len(s.Sections)
		s.Sections = append(s.Sections, SectionCount{ID: sec.ID, Heading: sec.Heading})
	}
	return &s.Sections[i]
}

// growth sums up what came and went on each day.
type growth struct {
	zone  *time.Location
	today string
	byDay map[string]map[string]int // day, section: change
}

// add takes in the items of a memory: each came on the day on which it was said
// first. One that is not active any more went when what took its place was said,
// else on the day of its last update. Where the times make no sense it came and
// went as soon as they allow, and nothing lies in the future.
func (g *growth) add(items []memory.Item) {
	came := make(map[string]string, len(items)) // day by id
	for _, it := range items {
		came[it.ID] = g.day(firstSaid(it))
	}
	for _, it := range items {
		begin := g.day(firstSaid(it))
		g.change(begin, it.Section, 1)
		if it.State == memory.Active {
			continue
		}
		end := g.day(it.Updated)
		if next := came[it.SupersededBy]; it.SupersededBy != "" && next != "" {
			end = next
		}
		g.change(max(begin, end), it.Section, -1)
	}
}

// firstSaid is when an item was said first: the earliest of its origins, else when
// it was written down.
func firstSaid(it memory.Item) time.Time {
	var first time.Time
	for _, o := range it.Origins {
		if first.IsZero() || !o.Time.IsZero() && o.Time.Before(first) {
			first = o.Time
		}
	}
	for _, t := range []time.Time{it.Created, it.Updated} {
		if first.IsZero() {
			first = t
		}
	}
	return first
}

func (g *growth) day(t time.Time) string {
	if t.IsZero() || t.Year() > 9999 || t.Year() < 1 {
		return g.today
	}
	return min(dayOf(t, g.zone), g.today)
}

func dayOf(t time.Time, zone *time.Location) string { return t.In(zone).Format(time.DateOnly) }

func (g *growth) change(day, section string, by int) {
	if g.byDay[day] == nil {
		g.byDay[day] = map[string]int{}
	}
	g.byDay[day][section] += by
}

// days gives the state at the end of each day with a change: of each week, month
// or year if there would be more than limit, and then of the last ones.
func (g *growth) days(limit int) []GrowthDay {
	out := []GrowthDay{}
	now := map[string]int{}
	for _, day := range slices.Sorted(maps.Keys(g.byDay)) {
		for section, by := range g.byDay[day] {
			if now[section] += by; now[section] == 0 {
				delete(now, section)
			}
		}
		out = append(out, GrowthDay{day, maps.Clone(now)})
	}
	for _, period := range []func(string) string{weekOf, monthOf, yearOf} {
		if len(out) <= limit {
			break
		}
		out = lastOfEach(out, period)
	}
	return out[max(len(out)-limit, 0):]
}

func lastOfEach(days []GrowthDay, period func(string) string) []GrowthDay {
	out := days[:0]
	for i, d := range days {
		if i+1 == len(days) || period(d.Day) != period(days[i+1].Day) {
			out = append(out, d)
		}
	}
	return out
}

func weekOf(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
}

func monthOf(day string) string { return day[:min(len(day), len("2026-11"))] }

func yearOf(day string) string { return day[:min(len(day), len("2026"))] }

// lastMemorized is when the last memorize ended well; of a project that was
// memorized before that was noted, when the turns that were seen were written
// down.
func (e *Engine) lastMemorized() time.Time {
	last := e.record(e.project.Root).Memorize.Done
	if !last.IsZero() {
		return last
	}
	entries, err := e.seen().in().ReadDir(maxSeenFiles)
	if err != nil {
		return last
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".json" {
			continue
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

func (e *Engine) statSpend(ctx context.Context, s *Stats) error {
	l := e.ledger()
	defer l.Close()
	from := e.options.Now().AddDate(-spendYears, 0, 0).Format(time.DateOnly)
	u, err := l.Usage(ctx, ledger.Query{From: from, Project: e.project.Name()})
	if err != nil {
		return err
	}
	for _, r := range u.ByDay {
		s.Spend = append(s.Spend, Spend{r.Name, r.Calls, r.InputTokens + r.OutputTokens, r.Money, r.Unpriced})
	}
	s.Spend = s.Spend[max(len(s.Spend)-maxGrowth, 0):]
	s.LeftToday, err = e.leftToday(ctx)
	return err
}

// leftToday says what of the budget for models is left; "" without a model.
func (e *Engine) leftToday(ctx context.Context) (string, error) {
	if e.settings().Model.Provider == config.NoProvider {
		return "", nil
	}
	l := e.ledger()
	defer l.Close()
	left, err := budget.New(budget.Options{Ledger: l, Limits: limits(e.settings().Budget)}).Left(ctx, "")
	return inWords(left), err
}

// capOf gives a day's limits with -1 for none.
func capOf(day config.Spend) Cap {
	a := amount(day)
	none := func(n int64) int64 {
		if n == budget.NoLimit {
			return -1
		}
		return n
	}
	return Cap{none(a.Calls), none(a.Tokens), none(a.Money)}
}
