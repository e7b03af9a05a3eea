// Command hostile is a guest that misbehaves as the branch of the request says.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"recollect/hostapi/guest"
)

//go:wasmexport rc_extract
func extract(n int32) int64 { return guest.Extract(n, misbehave) }

func main() {}

var (
	sink   []byte
	noMap  map[string]int
	hoard  [][]byte
	forked int
)

func misbehave(r guest.ExtractRequest) (guest.ExtractResult, error) {
	var got guest.ExtractResult
	item := func(format string, args ...any) {
		got.Items = append(got.Items, guest.Item{Content: fmt.Sprintf(format, args...)})
	}
	switch r.Branch {
	case "loop":
		for n := 0; ; n++ {
			sink = append(sink[:0], byte(n))
		}
	case "hog":
		for {
			hoard = append(hoard, make([]byte, 1<<20))
		}
	case "panic":
		panic("as told")
	case "nil map":
		noMap["x"] = 1
	case "recursion":
		item("%d", recurse(1))
	case "exit":
		os.Exit(7)
	case "sleep":
		time.Sleep(time.Hour)
	case "deadlock":
		select {}
	case "goroutines":
		for {
			forked++
			go func() { select {} }()
		}
	case "host calls":
		for {
			if _, err := guest.Features(); err != nil {
				return got, err
			}
		}
	case "logs":
		for text := strings.Repeat("log ", 1000); ; {
			guest.Info(text)
		}
	case "some logs":
		for range 10000 {
			guest.Info(strings.Repeat("log ", 100))
		}
	// The floods make no garbage, or it would depend on the collector whether the
	// time or the memory ends them.
	case "stderr":
		for text := strings.Repeat("err ", 1000); ; {
			_, _ = os.Stderr.WriteString(text)
		}
	case "stdout":
		for text := strings.Repeat("out ", 1000); ; {
			_, _ = os.Stdout.WriteString(text)
		}
	case "reply":
		item("%s", strings.Repeat("x", 2<<20))
	case "sandbox":
		look(item)
	default:
		return got, reach(r.Branch)
	}
	return got, nil
}

// reach tries to get at something outside; that it can't is its error.
func reach(what string) error {
	switch what {
	case "read a file":
		_, err := os.ReadFile("/etc/passwd")
		return err
	case "write a file":
		return os.WriteFile("/tmp/out", []byte("x"), 0o600)
	case "list a folder":
		_, err := os.ReadDir("/")
		return err
	case "dial":
		_, err := net.Dial("tcp", "127.0.0.1:80")
		return err
	case "resolve a name":
		_, err := net.LookupHost("example.org")
		return err
	case "start a process":
		_, err := os.StartProcess("/bin/sh", []string{"sh"}, &os.ProcAttr{})
		return err
	case "read standard input":
		_, err := os.Stdin.Read(make([]byte, 1))
		return err
	case "environment":
		if len(os.Environ())+len(os.Args) == 0 {
			return errors.New("nothing in it")
		}
	case "clock":
		if at := time.Now(); at.Year() == 2022 {
			return fmt.Errorf("it is %d for ever", at.Year())
		}
	}
	return nil
}

func recurse(n int) int {
	var frame [512]int
	frame[n%512] = n
	return recurse(n+1) + frame[(n+1)%512]
}

// look notes what of the outside world the guest can see.
func look(item func(format string, args ...any)) {
	for _, name := range []string{"/", ".", "/etc/passwd", "/proc/self/environ", "../plugin.json"} {
		_, err := os.ReadFile(name)
		item("read %v", err != nil)
	}
	item("write %v", os.WriteFile("/out", nil, 0o600) != nil)
	item("environ %d", len(os.Environ()))
	item("args %d", len(os.Args))
	_, err := net.DialTimeout("tcp", "127.0.0.1:80", time.Second)
	item("dial %v", err != nil)
	item("clock %d", time.Now().Year())
}
