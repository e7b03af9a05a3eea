package openai

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"recollect/internal/llm"
)

func TestModels(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`{"id":"m"},`, 300)
	for name, c := range map[string]struct {
		status int
		body   string
		want   int // names; -1: an error
		kind   llm.Kind
	}{
		"a list":          {200, `{"object":"list","data":[{"id":"small:4b"},{"id":"large"}]}`, 2, ""},
		"an empty one":    {200, `{"object":"list","data":[]}`, 0, ""},
		"null":            {200, `{"object":"list","data":null}`, 0, ""},
		"no names":        {200, `{"data":[{"id":""},{"name":"x"},{"id":"` + strings.Repeat("x", 201) + `"}]}`, 0, ""},
		"too many":        {200, `{"data":[` + many + `{"id":"m"}]}`, maxModels, ""},
		"no JSON":         {200, `<html>`, -1, llm.Malformed},
		"other JSON":      {200, `{"data":{"id":1}}`, -1, llm.Malformed},
		"it has no list":  {404, `{"error":"not found"}`, -1, ""},
		"longer than all": {200, `{"data":[{"id":"` + strings.Repeat("x", 1<<20) + `"}]}`, -1, llm.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet || r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "" {
					t.Errorf("%s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer s.Close()
			names, err := Models(t.Context(), s.URL)
			if c.want < 0 {
				if err == nil || c.kind != "" && llm.KindOf(err) != c.kind {
					t.Errorf("%q, %v", names, err)
				}
			} else if err != nil || len(names) != c.want || slices.Contains(names, "") {
				t.Errorf("%q, %v", names, err)
			}
		})
	}
}

// Other machines are not asked, nor is one that a server of this machine names.
func TestModelsAsksThisMachineOnly(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://192.0.2.1/v1", "https://models.example.com/v1", "127.0.0.1", "", "http://user:pass@127.0.0.1/v1"} {
		if names, err := Models(t.Context(), address); err == nil || llm.KindOf(err) != llm.BadRequest {
			t.Errorf("%q: %q, %v", address, names, err)
		}
	}
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusFound))
	defer s.Close()
	if _, err := Models(t.Context(), s.URL); err == nil || asked {
		t.Errorf("it followed: %v, %v", asked, err)
	}
}
