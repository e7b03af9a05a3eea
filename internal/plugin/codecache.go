package plugin

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"golang.org/x/sys/cpu"

	"recollect/internal/atomicfile"
	"recollect/internal/filelock"
	"recollect/internal/plugin/meter"
	"recollect/internal/safefile"
)

// codeCache keeps metered modules and their machine code, an entry for each
// module: a folder with the two of them and a seal.
//
// The code is executed as it is found, so only what this person's program made
// may be loaded. The seal is a MAC over name and content of the entry, with a
// key in the library's folder. A plain digest would show rot, but not a cache
// that came from elsewhere: caches are restored from other machines' copies and
// shared in ways that data folders are not. It costs as much as the digest.
// Nothing here helps against a program that runs as the same person: it could
// read the key, or replace the program.
type codeCache struct {
	parent    string // holds a folder for each version
	dir       string // that of this version
	version   string
	key       []byte
	temporary bool // parent is removed by close

	mu   sync.Mutex
	open []wazero.CompilationCache
}

const (
	// cacheForm is raised when what is made of a module changes with neither the
	// meter's nor the program's version.
	cacheForm   = 2
	cachePrefix = "wasm-"
	keyName     = "cache.key"
	keyBytes    = 32

	unmade      = ".new" // ends the name of an entry that is not whole yet
	meteredName = "metered.wasm"
	sealName    = "seal"
	// What an entry may hold at most. Machine code is about four times its module.
	maxMetered = 3 * maxEntryBytes
	maxMachine = 512 << 20
)

var (
	notPlain    = regexp.MustCompile(`[^A-Za-z0-9.]+`)
	errDamaged  = errors.New("the cache of compiled plug-ins is damaged")
	machineName = regexp.MustCompile(`^wazero-[^/\\]+[/\\][0-9a-f]{64}$`)
)

// cacheVersion names all that the code depends on besides the module.
func cacheVersion(program string) string {
	f := 0
	for i, has := range []bool{cpu.X86.HasSSE41, cpu.X86.HasBMI1, cpu.X86.HasBMI2, cpu.X86.HasPOPCNT, cpu.ARM64.HasATOMICS} {
		if has {
			f |= 1 << i
		}
	}
	return fmt.Sprintf("%d-%s-m%s-%s-%s-%s-%x", cacheForm, program, meter.Version, wazeroVersion(), runtime.GOOS, runtime.GOARCH, f)
}

// openCodeCache opens the cache below parent, whose key is in the folder secret.
// Without a parent, or where it can't be used, the cache lasts as long as the
// host: that is slow, not wrong.
func openCodeCache(parent, secret, version string) (*codeCache, error) {
	c := &codeCache{version: cacheVersion(version)}
	name := cachePrefix + notPlain.ReplaceAllString(c.version, "-")
	if parent != "" {
		var err error
		c.parent, c.dir = parent, filepath.Join(parent, name)
		if c.key, err = sealingKey(secret); err == nil && privateDir(c.dir) == nil {
			return c, nil
		}
	}
	temp, err := os.MkdirTemp("", "recollect-wasm-")
	if err == nil {
		c.parent, c.dir, c.temporary, c.key = temp, filepath.Join(temp, name), true, newKey()
		err = privateDir(c.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("there is no folder for compiled plug-ins: %w", err)
	}
	return c, nil
}

func newKey() []byte {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // it never fails
	return key
}

// sealingKey reads the key, or makes it if it is missing or damaged; then no entry
// is valid any more.
func sealingKey(dir string) ([]byte, error) {
	name := filepath.Join(dir, keyName)
	for range 3 {
		key, sum, err := atomicfile.Read(name, keyBytes)
		if err == nil && len(key) == keyBytes {
			return key, nil
		}
		expect := atomicfile.Absent()
		if err == nil {
			expect = atomicfile.Content(sum)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := safefile.MakePrivate(dir); err != nil {
			return nil, err
		}
		key = newKey()
		err = atomicfile.Replace(name, key, expect, atomicfile.Options{Mode: 0o600})
		if err == nil {
			return key, nil
		}
		if !errors.Is(err, atomicfile.ErrChanged) { // another process made it
			return nil, err
		}
	}
	return nil, errors.New("its key changes all the time")
}

// close frees the code: none of it may run any more.
func (c *codeCache) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, machine := range c.open {
		errs = append(errs, guard(func() error { return machine.Close(context.Background()) }))
	}
	c.open = nil
	if c.temporary {
		errs = append(errs, os.RemoveAll(c.parent))
	}
	return errors.Join(errs...)
}

// name is the entry of a module: the code depends on its bytes and on the memory
// that it may declare.
func (c *codeCache) name(wasm []byte, memory int64) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n", memory/pageBytes)
	h.Write(wasm)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// load gives the module of an entry ready to run. Without one the error is
// fs.ErrNotExist, with one that is not as it was sealed errDamaged.
func (c *codeCache) load(ctx context.Context, name string, memory int64) (*module, error) {
	dir := filepath.Join(c.dir, name)
	mac, metered, err := c.mac(dir, name)
	if err != nil {
		return nil, err
	}
	seal, _, err := atomicfile.Read(filepath.Join(dir, sealName), sha256.Size)
	if err != nil || !hmac.Equal(seal, mac) {
		return nil, errDamaged
	}
	machine, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	m, err := compile(ctx, machine, metered, memory)
	if err != nil {
		_ = machine.Close(context.Background())
		return nil, err
	}
	c.mu.Lock()
	c.open = append(c.open, machine)
	c.mu.Unlock()
	c.used(dir)
	return m, nil
}

// used keeps an entry from being pruned.
func (c *codeCache) used(dir string) {
	now := time.Now()
	if info, err := os.Lstat(dir); err == nil && now.Sub(info.ModTime()) > 24*time.Hour {
		_ = os.Chtimes(dir, now, now)
	}
}

// mac reads an entry, which must hold the files that it is made of and no
// others, all of them this person's, and gives its MAC and the metered module.
func (c *codeCache) mac(dir, name string) (mac, metered []byte, err error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() || !safefile.Ours(info) {
		return nil, nil, errDamaged
	}
	machine := ""
	err = safefile.Walk(context.Background(), dir, maxEntries, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		switch {
		case err != nil || !d.Type().IsRegular() || !safefile.Ours(info):
			return errDamaged
		case rel == meteredName && info.Size() <= maxMetered, rel == sealName:
		case machine == "" && info.Size() <= maxMachine && machineName.MatchString(rel):
			machine = rel
		default:
			return errDamaged
		}
		return nil
	})
	if err == nil && machine == "" {
		err = errDamaged
	}
	if err != nil {
		return nil, nil, errors.Join(errDamaged, err)
	}
	if metered, _, err = atomicfile.Read(filepath.Join(dir, meteredName), maxMetered); err != nil {
		return nil, nil, errors.Join(errDamaged, err)
	}
	f, _, err := safefile.Open(filepath.Join(dir, machine), maxMachine)
	if err != nil {
		return nil, nil, errors.Join(errDamaged, err)
	}
	defer f.Close()
	h := hmac.New(sha256.New, c.key)
	for _, part := range [][]byte{[]byte(c.version), []byte(name), []byte(filepath.ToSlash(machine)), metered} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write(part)
	}
	if _, err := io.CopyBuffer(h, io.LimitReader(f, maxMachine), make([]byte, 256<<10)); err != nil {
		return nil, nil, errors.Join(errDamaged, err)
	}
	return h.Sum(nil), metered, nil
}

// lock keeps processes from making the same entry at once.
func (c *codeCache) lock(ctx context.Context, name string) (*filelock.Lock, error) {
	return filelock.Acquire(ctx, filepath.Join(c.dir, "lock-"+name[:1]), filelock.Options{})
}

// begin gives an empty folder to make an entry in. It must hold the lock, and
// remove the folder at the end: what is there was left by a process that died.
func (c *codeCache) begin(name string) (string, error) {
	dir := filepath.Join(c.dir, name+unmade)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.Mkdir(dir, 0o700)
}

// put seals what was made in the folder of begin and puts it in place.
func (c *codeCache) put(made, name string) error {
	mac, _, err := c.mac(made, name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(made, sealName), mac, 0o600); err != nil {
		return err
	}
	target := filepath.Join(c.dir, name)
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := os.Rename(made, target); err != nil {
		return err
	}
	c.prune(time.Now(), name)
	return nil
}

// privateDir makes a folder that only its owner can enter. The folder itself
// may not be a link, nor another's.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !safefile.Ours(info) {
		return fmt.Errorf("%s is not a folder of yours", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}
