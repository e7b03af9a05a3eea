package budget

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/tokens"
)

// TestQuickTokens compares samples with the whole, on texts that are evenly
// mixed and on the corpus of transcripts, where that is there.
func TestQuickTokens(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"prose":  strings.Repeat("we chose a lock on the file because it dies with its process. ", 500),
		"code":   strings.Repeat("if err := f.Sync(); err != nil {\n\t\treturn fmt.Errorf(\"%w\", err)\n}\n", 500),
		"日本語":    strings.Repeat("メモリの変更は原子的に書き込む必要があります。", 400),
		"hex":    strings.Repeat("9f8a7c6b5d4e3f2a1b0c", 1000),
		"mixed":  strings.Repeat("plain words, many of them, and then ", 300) + strings.Repeat("{\"k\":[1,2,3],\"é\":null}", 600),
		"spaces": strings.Repeat(" ", 20000),
	}
	dir := corpus(t)
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || len(texts) > 30 {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() > sampled && info.Size() < 40<<10 {
			if text, err := os.ReadFile(p); err == nil {
				texts[p] = string(text)
			}
		}
		return nil
	})
	if len(texts) < 10 {
		t.Log("the corpus is not there")
	}
	for name, text := range texts {
		quick, exact := quickTokens(text), tokens.Count(text)
		if float64(quick) < float64(exact) || float64(quick) > 1.6*float64(exact)+100 {
			t.Errorf("%s: quick %d, exact %d", name, quick, exact)
		}
	}
}

// corpus is beside the repository.
func corpus(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared", "corpus")
		}
	}
	return ""
}
