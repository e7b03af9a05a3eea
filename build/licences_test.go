package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is distributed has its licence, or is not made.
func TestLicenceOf(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root, map[string]string{
		"whole/LICENSE.md":           "Do what you like.",
		"empty/COPYING":              " \n",
		"none/README.md":             "MIT",
		"build/licences/a-b.txt":     "Kept here.",
		"build/licences/useless.txt": "\n",
	})
	tool, _ := testTool(t, root)
	for _, tt := range []struct{ name, dir, want string }{
		{"whole", "whole", "Do what you like."},
		{"a/b", "none", "Kept here."},
		{"a/b", "empty", "Kept here."},
		{"useless", "none", ""},
		{"none", "none", ""},
		{"gone", "gone", ""},
	} {
		text, err := tool.licenceOf(tt.name, filepath.Join(root, tt.dir))
		if text != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s in %s: %q, %v", tt.name, tt.dir, text, err)
		}
		if tt.name == "none" && (err == nil || !strings.Contains(err.Error(), filepath.Join("build", "licences", "none.txt"))) {
			t.Errorf("%v does not say where it is to be put", err)
		}
	}
}

// All that is part of the window has one.
func TestPagesHaveLicences(t *testing.T) {
	t.Parallel()
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := testTool(t, root)
	if _, err := os.Stat(tool.path("frontend", "node_modules", "svelte")); err != nil {
		t.Skip("the packages of the window are not here")
	}
	found, err := tool.npmLicences()
	if err != nil || len(found) == 0 {
		t.Fatal(len(found), err)
	}
	for name, text := range found {
		if len(text) < 200 {
			t.Errorf("%s: %q", name, text)
		}
	}
}
