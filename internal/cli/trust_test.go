package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// servers are those of stories that must hear nothing, by the story's folder.
type servers struct {
	mu    sync.Mutex
	heard map[string][]string
}

// silent VARIABLE starts a server and puts its address into a variable; without a
// variable it fails if that server was asked anything.
func (s *servers) silent(t *testing.T, ts *testscript.TestScript, args []string) {
	work := ts.Getenv("WORK")
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(args) == 0 {
		if heard := s.heard[work]; len(heard) > 0 {
			ts.Fatalf("the server was asked:\n%s", strings.Join(heard, "\n"))
		}
		return
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heard[work] = append(s.heard[work], r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(server.Close)
	ts.Setenv(args[0], server.URL)
}

// fill copies a file with the address of the silent server in place of URL: fill
// FROM TO.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fill FROM TO")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "URL", ts.Getenv("URL"))
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[1])), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}
