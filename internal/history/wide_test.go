package history

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// homeAt makes a folder the home of the environment.
func homeAt(t *testing.T, dir string) {
	t.Helper()
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	t.Setenv(name, dir)
}

func TestNoHomeIsFoundByWalkingUp(t *testing.T) {
	top := world(t)
	home := mkdir(t, top, "people", "sam")
	homeAt(t, home)
	mkdir(t, home, MemoryDir)
	mkdir(t, top, "people", MemoryDir)
	notes := mkdir(t, home, "notes", "deep")
	if p := locate(t, notes); p.Root != notes {
		t.Errorf("%s was taken for the project of %s", p.Root, notes)
	}
	inner := mkdir(t, home, "code", MemoryDir)
	if p := locate(t, mkdir(t, home, "code", "sub")); p.Root != filepath.Dir(inner) {
		t.Errorf("a project below the home is %s", p.Root)
	}
	// Who stands in it means it.
	at := locate(t, home)
	if at.Root != home || !TooWide(at.Root) {
		t.Errorf("%s", at.Root)
	}
	if !at.Owns(home) || at.Owns(notes) {
		t.Error("the home owns what is below it, or not itself")
	}
	for _, dir := range []string{home, filepath.Join(top, "people"), top, filepath.VolumeName(top) + string(filepath.Separator)} {
		if !TooWide(dir) {
			t.Errorf("%s is not too wide", dir)
		}
	}
	if TooWide(notes) || TooWide(filepath.Join(top, "people", "samantha")) {
		t.Error("a folder beside or below the home is too wide")
	}
}

func TestHomeIsARepository(t *testing.T) {
	home := repo(t, world(t), "sam")
	homeAt(t, home)
	notes := mkdir(t, home, "notes")
	if p := locate(t, notes); p.Root != notes || p.GitCommonDir != "" {
		t.Errorf("%+v", p)
	}
	code := repo(t, home, "code")
	if p := locate(t, mkdir(t, code, "sub")); p.Root != code || p.GitCommonDir == "" {
		t.Errorf("%+v", p)
	}
}

func TestSymlinkedHome(t *testing.T) {
	top := world(t)
	real, link := mkdir(t, top, "disk", "sam"), filepath.Join(top, "sam")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	homeAt(t, link)
	mkdir(t, real, MemoryDir)
	notes := mkdir(t, real, "notes")
	for _, dir := range []string{notes, filepath.Join(link, "notes")} {
		if p := locate(t, dir); p.Root != notes {
			t.Errorf("%s: %s", dir, p.Root)
		}
	}
}

// Without a variable the system knows where the home is.
func TestHomeOfTheSystem(t *testing.T) {
	homeAt(t, "")
	if len(Homes()) == 0 {
		t.Skip("the system knows no home of this user")
	}
	for _, home := range Homes() {
		if !TooWide(home) {
			t.Error(home)
		}
	}
}

func TestTemporaryFolder(t *testing.T) {
	temp, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		t.Skip(err)
	}
	if !TooWide(temp) || TooWide(world(t)) {
		t.Errorf("%s, or a folder below it", temp)
	}
}
