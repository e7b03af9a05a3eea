package service

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// What a clone's settings ask for counts in the background no more than elsewhere.
func TestACloneIsMemorizedWithoutWhatItAsksFor(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(server.Close)
	w, p := newWorld(t), &panel{}
	w.env["OPENAI_API_KEY"] = "sk-test-0123456789abcdef"
	w.set(t, `"watch":{"memorize":true,"idle":1}`)
	root := w.begin(t, "clone")
	w.write(t, "clone/.recollect/config.json", []byte(`{"version":1,"extractors":["dev.recollect.model-notes"],"watch":{"memorize":false},`+
		`"model":{"provider":"openai","name":"m","base_url":"`+server.URL+`/v1"},"budget":{"day_dollars":-1}}`))
	w.run(t, p)
	until(t, "the project is shown", func() bool { return len(p.last().Recent) == 1 })
	time.Sleep(500 * time.Millisecond) // the folders are watched soon after
	w.said(t, "clone", "We always ship on Tuesdays, never on Fridays.")
	w.silent(t, time.Hour)
	until(t, "it is memorized", func() bool { return strings.Contains(w.memory(root), "Tuesdays") })
	if n := asked.Load(); n > 0 {
		t.Errorf("the server that the clone names was asked %d times", n)
	}
}
