package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// step is one thing that must pass. A skipped one says why.
type step struct {
	name string
	run  func() error
}

// errSkipped marks a step that this machine can't do.
type errSkipped struct{ why string }

func (e errSkipped) Error() string { return e.why }

// test runs every step whatever the ones before it did, and sums up at the end.
func (t *tool) test(o options) error {
	steps, err := t.steps(o)
	if err != nil {
		return err
	}
	if o.list {
		for _, s := range steps {
			t.say("%s", s.name)
		}
		return nil
	}
	if steps, err = chosen(steps, o); err != nil {
		return err
	}
	return t.all(steps)
}

// steps lists what must pass, what is quick first. What compiles C comes after
// what finds most mistakes, and the slowest last.
func (t *tool) steps(o options) ([]step, error) {
	steps := []step{
		{"modules", func() error { return t.modules(t.root) }},
		{"gofmt", t.gofmt},
		{"plugins", t.plugins},
		{"bindings", t.bindingsCurrent},
		{"frontend", t.frontendTests},
		{"keyring", func() error { return t.require(keyring) }},
		{"machines", func() error { return t.require(machines) }},
		{"vet", func() error { return t.vet(nil, "./...") }},
		{"vet windows", func() error { return t.vet([]string{"GOOS=windows", "CGO_ENABLED=0"}, "./...") }},
		{"vet darwin", func() error { return t.vet([]string{"GOOS=darwin", "CGO_ENABLED=0"}, "./...") }},
		{"build wasip1", func() error {
			return t.goRun(t.root, slices.Concat(wasmTarget, pinned), append([]string{"build"}, wasmPackages...)...)
		}},
		{"test", func() error { return t.goRun(t.root, nil, "test", "-timeout", "30m", "./...") }},
	}
	examples, err := modulesBelow(t.path("examples"))
	if err != nil {
		return nil, err
	}
	for _, dir := range examples {
		steps = append(steps, step{"test " + t.rel(dir), func() error { return t.example(dir) }})
	}
	return append(steps,
		step{"desktop", func() error { return t.desktopStep(options{}) }},
		step{"desktop dev", func() error { return t.desktopStep(options{dev: true}) }},
		step{"e2e", t.e2e},
		step{"window", t.windowSmoke},
		step{"desktop windows", func() error { return t.desktopStep(options{goos: "windows", arch: "amd64"}) }},
		step{"package", t.packageStep},
		step{"test -race", func() error { return t.race(o.noRace) }},
	), nil
}

// chosen takes the steps that the flags name.
func chosen(steps []step, o options) ([]step, error) {
	find := func(name string) (int, error) {
		i := slices.IndexFunc(steps, func(s step) bool { return s.name == name })
		if i < 0 {
			return 0, fmt.Errorf("there is no step %q; -list names them", name)
		}
		return i, nil
	}
	if o.only != "" {
		var some []step
		for name := range strings.SplitSeq(o.only, ",") {
			i, err := find(strings.TrimSpace(name))
			if err != nil {
				return nil, err
			}
			some = append(some, steps[i])
		}
		return some, nil
	}
	if o.from != "" {
		i, err := find(o.from)
		if err != nil {
			return nil, err
		}
		return steps[i:], nil
	}
	return steps, nil
}

// desktopStep builds the window where this machine can.
func (t *tool) desktopStep(o options) error {
	if o.goos == "" {
		o.goos, o.arch = runtime.GOOS, runtime.GOARCH
		if o.goos == "linux" {
			if err := t.require(webkit); err != nil {
				return err
			}
		}
	}
	if err := t.orSkip(t.node()); err != nil {
		return err
	}
	return t.desktop(o)
}

// packageStep makes the packages and looks into them.
func (t *tool) packageStep() error {
	if runtime.GOOS != "linux" {
		return errSkipped{"packages are made on Linux"}
	}
	if err := t.require(webkit, installer, inspector); err != nil {
		return err
	}
	if err := t.orSkip(t.node()); err != nil {
		return err
	}
	if err := t.pack(options{}); err != nil {
		return err
	}
	return t.inspect()
}
