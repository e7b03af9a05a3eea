package ledger

import "time"

// day is what counts for one day's budget.
type day struct {
	date    string
	total   Amount
	plugins map[string]Amount
	open    map[string]event // reservations by id
}

func newDay(date string) day {
	return day{date: date, plugins: map[string]Amount{}, open: map[string]event{}}
}

// apply takes in the next line of the record.
func (d *day) apply(e event) {
	switch e.Kind {
	case kindDay:
		*d = newDay(e.Day)
	case kindBack:
		d.date = e.Day
		for id, open := range d.open {
			open.Day = e.Day
			d.open[id] = open
		}
	case kindReserve:
		if _, twice := d.open[e.ID]; twice || e.Day != d.date {
			return
		}
		d.open[e.ID] = e
		d.add(e.Plugin, e.amount())
	case kindSettle, kindLost:
		reserved, known := d.open[e.ID]
		switch {
		case known:
			delete(d.open, e.ID)
			d.add(reserved.Plugin, e.amount().minus(reserved.amount()))
		case e.Day == d.date && e.Kind == kindSettle:
			d.add(e.Plugin, e.amount()) // the line of the reservation is damaged
		}
	}
}

func (d *day) add(plugin string, a Amount) {
	d.total = d.total.Plus(a)
	d.plugins[plugin] = d.plugins[plugin].Plus(a)
}

func dateOf(t time.Time) string { return t.Format(time.DateOnly) }

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// endOf is the midnight that ends a date, in the zone of now.
func endOf(date string, now time.Time) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, date, now.Location())
	if err != nil {
		t = now
	}
	return time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, now.Location())
}

// step is how the record's day and the clock's date go together.
type step int

const (
	sameDay step = iota // also for a clock that is a little behind
	newDate             // a day begins
	wayBack             // the record's date was never true
)

// maxBack is how far a clock can be behind the record, in days, before the
// record is taken to be wrong: a flight to the west and a fitful clock are.
const maxBack = 2

func next(record string, now time.Time) step {
	date := dateOf(now)
	if record == "" || date > record {
		return newDate
	}
	if date < record {
		if r, err := time.Parse(time.DateOnly, record); err == nil && dateOf(r.AddDate(0, 0, -maxBack)) > date {
			return wayBack
		}
	}
	return sameDay
}
