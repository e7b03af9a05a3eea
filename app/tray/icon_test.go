//go:build linux

package tray

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"log"
	"log/slog"
	"os"
	"strings"
	"testing"

	"recollect/internal/service"
)

// Each state has a drawing of its own for each system.
func TestIcons(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{".png", "_template.png", ".ico"} {
		seen := map[string]service.State{}
		for _, s := range []service.State{service.StateIdle, service.StateNew, service.StateWorking, service.StateAttention, service.StateError} {
			b, err := os.ReadFile("icons/" + string(s) + ending)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := seen[string(b)]; ok {
				t.Errorf("%s%s looks like %s", s, ending, other)
			}
			seen[string(b)] = s
			if ending == ".ico" {
				if n := binary.LittleEndian.Uint16(b[4:]); n != 5 || binary.LittleEndian.Uint16(b[2:]) != 1 {
					t.Errorf("%s%s holds %d pictures", s, ending, n)
				}
				continue
			}
			img, err := png.Decode(bytes.NewReader(b))
			if err != nil || img.Bounds().Dx() != 44 || img.Bounds().Dy() != 44 {
				t.Errorf("%s%s: %v, %v", s, ending, img.Bounds(), err)
				continue
			}
			for y := range 44 {
				for x := range 44 {
					r, g, b, a := img.At(x, y).RGBA()
					if ending == "_template.png" && a > 0 && r+g+b > 0 {
						t.Fatalf("%s%s has a colour at %d,%d", s, ending, x, y)
					}
				}
			}
		}
	}
	if len(icon("", ".png")) == 0 {
		t.Error("there is no icon before anything is known")
	}
}

func TestLabel(t *testing.T) {
	t.Parallel()
	if got := label("my_web_shop & co"); got != "my__web__shop & co" {
		t.Errorf("label = %q", got)
	}
}

// The library's messages are told once, and the log is given back.
func TestListen(t *testing.T) {
	var told bytes.Buffer
	before := log.Writer()
	give := New(slog.New(slog.NewTextHandler(&told, nil))).listen()
	for range 3 {
		log.Print("systray error: failed to register")
	}
	for i := range 100 {
		log.Print("another ", i)
	}
	give()
	if log.Writer() != before {
		t.Error("the log was not given back")
	}
	if n := strings.Count(told.String(), "failed to register"); n != 1 {
		t.Errorf("told %d times:\n%s", n, told.String())
	}
	if n := strings.Count(told.String(), "\n"); n != maxSaid {
		t.Errorf("%d messages, want %d", n, maxSaid)
	}
}
