package plugin

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/tetratelabs/wazero"

	"recollect/internal/atomicfile"
	"recollect/internal/plugin/meter"
)

// codeCache keeps metered modules and their machine code, in a folder or, with
// dir "", in memory. What the folder holds is executed without further checks:
// only its owner may write there.
type codeCache struct {
	dir     string
	machine wazero.CompilationCache
}

var notPlain = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// maxMetered bounds a module with its meter.
const maxMetered = 3 * maxEntryBytes

func openCodeCache(parent, version string) (*codeCache, error) {
	if parent == "" {
		return &codeCache{machine: wazero.NewCompilationCache()}, nil
	}
	key := fmt.Sprintf("wasm-%s-m%s-%s", version, meter.Version, wazeroVersion())
	c := &codeCache{dir: filepath.Join(parent, notPlain.ReplaceAllString(key, "-"))}
	err := privateDir(c.dir)
	if err == nil {
		c.machine, err = wazero.NewCompilationCacheWithDir(c.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the cache of compiled plug-ins can't be used: %w", err)
	}
	return c, nil
}

func (c *codeCache) close() error {
	return guard(func() error { return c.machine.Close(context.Background()) })
}

// load gives the module of the package with this digest ready to run. Errors are the rest of a sentence about
// the plug-in. An entry of the cache that does not work is made anew.
func (c *codeCache) load(ctx context.Context, digest string, wasm []byte, memory int64) (*module, error) {
	name := ""
	if c.dir != "" {
		name = filepath.Join(c.dir, digest+".metered")
	}
	if name != "" {
		if metered, _, err := atomicfile.Read(name, maxMetered); err == nil {
			if m, err := compile(ctx, c.machine, metered, memory); err == nil {
				return m, nil
			}
			_ = os.Remove(name)
		}
	}
	var metered []byte
	err := guard(func() (err error) {
		metered, _, err = meter.Instrument(wasm, meter.Options{Limits: meter.Limits{MemoryPages: int(memory / pageBytes)}})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("its module is refused: %w", err)
	}
	m, err := compile(ctx, c.machine, metered, memory)
	if err != nil && c.dir != "" {
		// Whether the module is at fault or what the cache holds of it is seen
		// without the cache.
		if m, err = compile(ctx, nil, metered, memory); err == nil {
			c.clear()
		}
	}
	if err != nil {
		return nil, err
	}
	if name != "" {
		// A cache that can't be written is slow, not wrong.
		_ = atomicfile.Replace(name, metered, atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
	}
	return m, nil
}

// clear empties the cache, so that all is compiled anew.
func (c *codeCache) clear() {
	_ = filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			_ = os.Remove(name)
		}
		return nil
	})
}

// privateDir makes a folder that only its owner can enter. The folder itself
// may not be a link.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}
