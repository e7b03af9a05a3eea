//go:build !darwin || cgo

package tray

import (
	"context"
	"sync"

	"fyne.io/systray"

	"recollect/internal/service"
)

// slots is how many recent projects the menu has room for.
const slots = 8

// menu is the menu as it is shown.
type menu struct {
	now, recent, all, line, open, pause, quit *systray.MenuItem
	projects                                  [slots]*systray.MenuItem

	mu    sync.Mutex
	shown service.View
	fresh bool // shown is what is to be seen
}

// build makes the menu. Its items stay the same ones: panels lose submenus that
// are made anew.
func build(v service.View) *menu {
	m := &menu{}
	m.now = systray.AddMenuItem("Memorize now", "Memorize the project that was worked on last")
	m.recent = systray.AddMenuItem("Recent projects", "Memorize another project")
	for i := range m.projects {
		m.projects[i] = m.recent.AddSubMenuItem("", "")
		m.projects[i].Hide()
	}
	m.all = systray.AddMenuItem("Memorize all", "Memorize what is new in every project that has a memory")
	systray.AddSeparator()
	m.line = systray.AddMenuItem("Ready", "")
	m.line.Disable()
	systray.AddSeparator()
	m.open = systray.AddMenuItem("Open Recollect", "Look at memories")
	m.pause = systray.AddMenuItem("Pause", "Let nothing run by itself")
	m.quit = systray.AddMenuItem("Quit", "End Recollect in the background")
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
	if !fresh || v.Current != before.Current {
		title := "Memorize now"
		if v.Current.Root != "" {
			title += " (" + v.Current.Name + ")"
		}
		m.now.SetTitle(label(title))
		enable(m.now, v.Current.Root != "")
	}
	if !fresh || v.Busy != before.Busy {
		enable(m.all, !v.Busy)
	}
	if !fresh || v.Paused != before.Paused {
		title := "Pause"
		if v.Paused {
			title = "Resume"
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
			item.SetTitle(label(p.Name))
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
