//go:build !darwin || cgo

package tray

import (
	"context"
	"fmt"
	"sync"

	"fyne.io/systray"

	"recollect/internal/service"
)

// slots is how many recent projects the menu has room for.
const slots = 8

// menu is the menu as it is shown.
type menu struct {
	open, line, review, conflicts, asked *systray.MenuItem
	now, recent, all, pause, quit        *systray.MenuItem
	projects                             [slots]*systray.MenuItem

	mu    sync.Mutex
	shown service.View
	fresh bool // shown is what is to be seen
}

// build makes the menu. Its items stay the same ones: panels lose submenus that
// are made anew. What can be chosen begins with a verb.
func build(v service.View) *menu {
	m := &menu{}
	m.open = systray.AddMenuItem("Open Recollect", "Look at memories")
	systray.AddSeparator()
	m.line = systray.AddMenuItem("Ready", "")
	m.line.Disable()
	for _, wait := range []struct {
		item    **systray.MenuItem
		tooltip string
	}{
		{&m.review, "Look at what memorizing proposes"},
		{&m.conflicts, "Decide what holds where two items contradict each other"},
		{&m.asked, "Look at settings that came with a project"},
	} {
		*wait.item = systray.AddMenuItem("", wait.tooltip)
		(*wait.item).Hide()
	}
	systray.AddSeparator()
	m.now = systray.AddMenuItem("Memorize now", "Memorize the project that was worked on last")
	m.recent = systray.AddMenuItem("Memorize another project", "Memorize one of the projects that were worked on lately")
	for i := range m.projects {
		m.projects[i] = m.recent.AddSubMenuItem("", "")
		m.projects[i].Hide()
	}
	m.all = systray.AddMenuItem("Memorize all that is new", "In every project that has a memory")
	systray.AddSeparator()
	m.pause = systray.AddMenuItem(pauseWords, "Let nothing run by itself")
	m.quit = systray.AddMenuItem("Quit the background service", "The window and the command line do without it")
	m.apply(v)
	return m
}

// forget has the next apply show everything again.
func (m *menu) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fresh = false
}

// apply shows a view. Only what differs from before is touched: each change is
// sent to the panel.
func (m *menu) apply(v service.View) {
	m.mu.Lock()
	before, fresh := m.shown, m.fresh
	m.shown, m.fresh = v, true
	m.mu.Unlock()
	if !fresh || v.State != before.State {
		setIcon(v.State)
	}
	if !fresh || v.Line != before.Line {
		systray.SetTooltip(tooltip(v))
		m.line.SetTitle(label(v.Line))
	}
	waits := func(item *systray.MenuItem, before, now service.Waiting, words func(int) string) {
		switch {
		case fresh && now == before:
		case now.Count == 0:
			item.Hide()
		default:
			item.SetTitle(label(words(now.Count) + " " + where(now)))
			item.Show()
		}
	}
	waits(m.review, before.Review, v.Review, func(n int) string { return "Review " + count(n, "proposal") })
	waits(m.conflicts, before.Conflicts, v.Conflicts, func(n int) string { return "Decide " + count(n, "conflict") })
	waits(m.asked, before.Asked, v.Asked, func(n int) string { return "Answer " + count(n, "request") })
	if !fresh || v.Current != before.Current {
		title := "Memorize now"
		if v.Current.Root != "" {
			title = memorize(v.Current)
		}
		m.now.SetTitle(label(title))
		enable(m.now, v.Current.Root != "")
	}
	if !fresh || v.Busy != before.Busy {
		enable(m.all, !v.Busy)
	}
	if !fresh || v.Paused != before.Paused {
		title := pauseWords
		if v.Paused {
			title = "Resume background work"
		}
		m.pause.SetTitle(label(title))
	}
	m.applyRecent(before.Recent, v.Recent, fresh)
}

func (m *menu) applyRecent(before, now []service.Project, fresh bool) {
	at := func(list []service.Project, i int) service.Project {
		if i < len(list) {
			return list[i]
		}
		return service.Project{}
	}
	for i, item := range m.projects {
		p := at(now, i)
		switch {
		case fresh && p == at(before, i):
		case p.Root == "":
			item.Hide()
		default:
			item.SetTitle(label(memorize(p)))
			item.Show()
		}
	}
	if !fresh || (len(before) == 0) != (len(now) == 0) {
		enable(m.recent, len(now) > 0)
	}
}

func enable(item *systray.MenuItem, on bool) {
	switch {
	case on && item.Disabled():
		item.Enable()
	case !on && !item.Disabled():
		item.Disable()
	}
}

func tooltip(v service.View) string { return "Recollect: " + v.Line }

const pauseWords = "Pause background work"

// memorize names what is done with a project, and how much there is to do.
func memorize(p service.Project) string {
	if p.NewTurns == 0 {
		return "Memorize " + p.Name
	}
	return "Memorize " + p.Name + " (" + count(p.NewTurns, "new turn") + ")"
}

// where says in which project something waits.
func where(w service.Waiting) string {
	if w.Projects > 1 {
		return fmt.Sprintf("in %d projects", w.Projects)
	}
	return "of " + w.First.Name
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// clicks tells what is chosen. An item's channel drops a click that nobody waits
// for, so each has its own goroutine.
func (m *menu) clicks(ctx context.Context, act func(service.Action)) {
	on := func(clicked <-chan struct{}, action func(service.View) service.Action) {
		go func() {
			for {
				select {
				case <-ctx.Done():
					return
				case _, ok := <-clicked:
					if !ok {
						return
					}
					act(action(m.seen()))
				}
			}
		}()
	}
	verb := func(v service.Verb) func(service.View) service.Action {
		return func(service.View) service.Action { return service.Action{Verb: v} }
	}
	on(systray.TrayOpenedCh, verb(service.DoRefresh))
	on(m.now.ClickedCh, func(v service.View) service.Action {
		return service.Action{Verb: service.DoMemorize, Root: v.Current.Root}
	})
	for i, item := range m.projects {
		on(item.ClickedCh, func(v service.View) service.Action {
			if i >= len(v.Recent) {
				return service.Action{Verb: service.DoRefresh}
			}
			return service.Action{Verb: service.DoMemorize, Root: v.Recent[i].Root}
		})
	}
	on(m.all.ClickedCh, verb(service.DoMemorizeAll))
	on(m.open.ClickedCh, verb(service.DoOpen))
	show := func(item *systray.MenuItem, screen string, of func(service.View) service.Waiting) {
		on(item.ClickedCh, func(v service.View) service.Action {
			return service.Action{Verb: service.DoOpen, Root: of(v).First.Root, Screen: screen}
		})
	}
	show(m.review, "review", func(v service.View) service.Waiting { return v.Review })
	show(m.conflicts, "conflicts", func(v service.View) service.Waiting { return v.Conflicts })
	// Every screen of the project says what it asks for.
	show(m.asked, "projects", func(v service.View) service.Waiting { return v.Asked })
	on(m.pause.ClickedCh, func(v service.View) service.Action {
		if v.Paused {
			return service.Action{Verb: service.DoResume}
		}
		return service.Action{Verb: service.DoPause}
	})
	on(m.quit.ClickedCh, verb(service.DoQuit))
}

// seen is the view that the person chose from.
func (m *menu) seen() service.View {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shown
}
