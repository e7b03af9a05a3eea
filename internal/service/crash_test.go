package service

import (
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/config"
)

// envCrash has the test binary crash: its value is the folder of the data.
const envCrash = "SERVICE_TEST_CRASH"

const crashSecret = "sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKKKLLLLMMMMNNNN-AAAAAAAA"

// crash panics where nobody can recover.
func crash(data string) {
	watchCrashes(config.Dirs{Data: data}, slog.New(slog.DiscardHandler))
	go panic("the key " + crashSecret + " is wrong")
	time.Sleep(time.Minute)
}

func TestCrash(t *testing.T) {
	t.Parallel()
	dirs := config.Dirs{Data: t.TempDir()}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	if LastCrash(dirs) != nil {
		t.Error("a crash before there was a service")
	}
	for range keptCrashes + 2 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envCrash+"="+dirs.Data)
		if err := cmd.Run(); err == nil {
			t.Fatal("it did not crash")
		}
		c := LastCrash(dirs)
		if c == nil || time.Since(c.At) > time.Minute {
			t.Fatalf("the crash is not known: %v", c)
		}
		if err := fileCrash(dirs, log); err != nil {
			t.Fatal(err)
		}
		// Their names are their seconds.
		filed := LastCrash(dirs)
		if filed == nil || filed.File == c.File {
			t.Fatalf("the crash was not filed: %v", filed)
		}
		older := filepath.Join(logDir(dirs), "crash-"+filed.At.Add(-time.Duration(len(crashes(dirs)))*time.Hour).Format("20060102T150405Z")+".txt")
		if err := os.Rename(filed.File, older); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(crashes(dirs)); n > keptCrashes+1 {
		t.Errorf("%d crashes are kept", n)
	}
	text, err := os.ReadFile(LastCrash(dirs).File)
	if err != nil || !strings.Contains(string(text), "goroutine") || !strings.Contains(string(text), "is wrong") || strings.Contains(string(text), "BBBB") {
		t.Errorf("%v\n%s", err, text)
	}
	// One that is killed leaves no word, and one that ends well nothing at all.
	if err := os.WriteFile(openCrash(dirs), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	n := len(crashes(dirs))
	if err := fileCrash(dirs, log); err != nil || len(crashes(dirs)) != n {
		t.Errorf("%v, %d crashes", err, len(crashes(dirs)))
	}
	if _, err := os.Stat(openCrash(dirs)); err == nil {
		t.Error("the open file is left")
	}
}
