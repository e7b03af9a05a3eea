package internal_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// serving is what the window may use of net/http: it adds headers to what its page
// is answered, and calls nobody.
var serving = []string{"Handler", "HandlerFunc", "ResponseWriter", "Request"}

func TestTheWindowCallsNobody(t *testing.T) {
	t.Parallel()
	used := 0
	for _, f := range readModule(t) {
		if f.test || !inside(f.dir, "app") {
			continue
		}
		for _, imp := range f.imports() {
			if inside(imp, "net") && imp != "net/http" && !slices.Contains(harmless, imp) || strings.HasPrefix(imp, "crypto/tls") {
				t.Errorf("%s imports %s: the window calls nobody", f.rel, imp)
			}
		}
		f.selectors("http", func(sel *ast.SelectorExpr) {
			used++
			if !slices.Contains(serving, sel.Sel.Name) {
				t.Errorf("%s: http.%s: the window serves its page and calls nobody", f.pos(sel), sel.Sel.Name)
			}
		})
	}
	if used == 0 {
		t.Error("the window uses nothing of net/http: close its door in the floor plan")
	}
}
