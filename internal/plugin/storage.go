package plugin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/hostapi"
	"recollect/internal/atomicfile"
	"recollect/internal/filelock"
	"recollect/internal/safefile"
)

// Quota of one plug-in's storage in one project.
const (
	maxKeyBytes     = 256
	maxValueBytes   = 1 << 20
	maxKeys         = 1024
	maxStorageBytes = 10 << 20
)

// lockWait bounds how long a plug-in's call waits for another one's.
const lockWait = 5 * time.Second

// store is one plug-in's storage in one project: a folder with a file for each
// key. A file is named by a digest of its key and holds the key, encoded as
// JSON, on its first line, and then the value.
type store struct{ dir string }

const valueExt = ".value"

func (s store) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+valueExt)
}

func (s store) lock(ctx context.Context) (*filelock.Lock, error) {
	if err := safefile.MakePrivate(s.dir); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	return filelock.Acquire(ctx, filepath.Join(s.dir, "lock"), filelock.Options{})
}

// get gives a value; fs.ErrNotExist if there is none. A file that is not one of
// ours counts as none.
func (s store) get(key string) (string, error) {
	data, _, err := atomicfile.Read(s.file(key), maxValueBytes+8*maxKeyBytes)
	if err != nil {
		return "", err
	}
	stored, value, ok := splitValue(data)
	if !ok || stored != key || !utf8.Valid(value) {
		return "", fs.ErrNotExist
	}
	return string(value), nil
}

func splitValue(data []byte) (key string, value []byte, ok bool) {
	head, value, ok := bytes.Cut(data, []byte("\n"))
	return key, value, ok && json.Unmarshal(head, &key) == nil
}

var errQuota = errors.New("the storage of the plug-in in this project is full")

// put keeps a value. A crash leaves the old one or the new one.
func (s store) put(ctx context.Context, key, value string) error {
	head, err := json.Marshal(key)
	if err != nil {
		return err
	}
	data := slices.Concat(head, []byte("\n"), []byte(value))
	l, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release()
	keys, size, err := s.usage(filepath.Base(s.file(key)))
	if err != nil {
		return err
	}
	if keys+1 > maxKeys || size+int64(len(data)) > maxStorageBytes {
		return errQuota
	}
	return atomicfile.Replace(s.file(key), data, atomicfile.Expect{}, atomicfile.Options{Mode: 0o600})
}

// usage counts keys and bytes, without the file named except.
func (s store) usage(except string) (keys int, size int64, err error) {
	entries, err := s.entries()
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != except {
			keys++
			size += info.Size()
		}
	}
	return keys, size, err
}

func (s store) entries() ([]fs.DirEntry, error) {
	all, err := safefile.ReadDir(s.dir, 4*maxKeys)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(all, func(e fs.DirEntry) bool {
		return !strings.HasSuffix(e.Name(), valueExt) || strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular()
	}), err
}

func (s store) delete(ctx context.Context, key string) error {
	l, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release()
	if err := os.Remove(s.file(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// list gives the keys that begin with prefix, sorted.
func (s store) list(prefix string) ([]string, error) {
	entries, err := s.entries()
	if err != nil {
		return nil, err
	}
	keys := []string{}
	for _, e := range entries {
		key, ok := readKey(filepath.Join(s.dir, e.Name()))
		if ok && strings.HasPrefix(key, prefix) && filepath.Base(s.file(key)) == e.Name() {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

func readKey(name string) (string, bool) {
	f, _, err := safefile.Open(name, maxValueBytes+8*maxKeyBytes)
	if err != nil {
		return "", false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 8*maxKeyBytes))
	if err != nil {
		return "", false
	}
	key, _, ok := splitValue(head)
	return key, ok
}

// store gives the plug-in's storage and checks the key, unless it is nil.
func (s *session) store(key *string) (storage, *hostapi.Error) {
	if s.setting.Storage == "" {
		return nil, refusal(hostapi.CodeUnavailable, "there is no storage in this call")
	}
	if key != nil && (*key == "" || len(*key) > maxKeyBytes || !utf8.ValidString(*key)) {
		return nil, refusal(hostapi.CodeInvalid, "a key must have 1 to %d bytes of UTF-8", maxKeyBytes)
	}
	if key != nil {
		if refused := s.clean(key); refused != nil {
			return nil, refused
		}
	}
	st := store{filepath.Join(s.setting.Storage, "plugin-"+s.manifest.ID)}
	if s.setting.Scratch != nil {
		return over{st, s.setting.Scratch}, nil
	}
	return st, nil
}

func (s *session) storageGet(p hostapi.StorageKey) (any, *hostapi.Error) {
	st, refused := s.store(&p.Key)
	if refused != nil {
		return nil, refused
	}
	value, err := st.get(p.Key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refusal(hostapi.CodeNotFound, "there is no such key")
	}
	if err != nil {
		return nil, storageRefusal(err)
	}
	return hostapi.StorageValue{Value: value}, nil
}

func (s *session) storagePut(p hostapi.StoragePut) (any, *hostapi.Error) {
	st, refused := s.store(&p.Key)
	if refused != nil {
		return nil, refused
	}
	if len(p.Value) > maxValueBytes {
		return nil, refusal(hostapi.CodeBudget, "a value can't be larger than %d bytes", maxValueBytes)
	}
	if refused := s.clean(&p.Value); refused != nil {
		return nil, refused
	}
	err := st.put(s.ctx, p.Key, p.Value)
	if errors.Is(err, errQuota) {
		return nil, refusal(hostapi.CodeBudget, "%v", err)
	}
	if err != nil {
		return nil, storageRefusal(err)
	}
	return struct{}{}, nil
}

func (s *session) storageDelete(p hostapi.StorageKey) (any, *hostapi.Error) {
	st, refused := s.store(&p.Key)
	if refused != nil {
		return nil, refused
	}
	if err := st.delete(s.ctx, p.Key); err != nil {
		return nil, storageRefusal(err)
	}
	return struct{}{}, nil
}

func (s *session) storageList(p hostapi.StorageListParams) (any, *hostapi.Error) {
	st, refused := s.store(nil)
	if refused != nil {
		return nil, refused
	}
	keys, err := st.list(p.Prefix)
	if err != nil {
		return nil, storageRefusal(err)
	}
	return hostapi.StorageListResult{Keys: keys}, nil
}

// storageRefusal names no path: a plug-in has no use for one.
func storageRefusal(err error) *hostapi.Error {
	if errors.Is(err, filelock.ErrBusy) {
		return &hostapi.Error{Code: hostapi.CodeUnavailable, Message: "the storage is in use", Retry: true}
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return refusal(hostapi.CodeFailed, "the storage can't be used: %v", err)
}
