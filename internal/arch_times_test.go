package internal_test

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// A time that a person reads names its zone: printable writes it. Whoever has a layout
// of their own writes files.
func TestTimesNameTheirZone(t *testing.T) {
	t.Parallel()
	for _, f := range readModule(t) {
		if f.test || !inside(f.dir, "internal") && !inside(f.dir, "app") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || method.Sel.Name != "Format" {
				return true
			}
			if l, ok := call.Args[0].(*ast.BasicLit); ok && l.Kind == token.STRING {
				layout, _ := strconv.Unquote(l.Value)
				if strings.Contains(layout, ":04") && !strings.Contains(layout, "MST") && !strings.HasSuffix(layout, "Z") && f.dir != "internal/history/puffin" {
					t.Errorf("%s: %q has no zone: use printable.Time", f.pos(n), layout)
				}
			}
			if s, ok := call.Args[0].(*ast.SelectorExpr); ok && (s.Sel.Name == "DateTime" || s.Sel.Name == "Kitchen") {
				t.Errorf("%s: time.%s has no zone: use printable.Time", f.pos(n), s.Sel.Name)
			}
			return true
		})
	}
}
