package keyring

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/natefinch/atomic"

	"recollect/internal/safefile"
)

// FileNotice is what a person has to know who keeps a key in a file.
const FileNotice = "the key stands in this file as it is, for every program that you run to read; the keyring keeps it better"

// file is where a provider's key lies.
func (r *Ring) file(provider string) string {
	return filepath.Join(r.dir, provider+".key")
}

func (r *Ring) setFile(provider string, key Key) error {
	if r.dir == "" {
		return &Error{Kind: ErrInvalid, Provider: provider, Detail: "there is no folder for files with keys"}
	}
	path := r.file(provider)
	if err := safefile.MakePrivate(r.dir); err != nil {
		return fmt.Errorf("store the key in %s: %w", path, err)
	}
	// The library gives a new file's mode to no one else, and keeps that of an
	// old one: so one that others can read has to go first.
	if _, err := r.openFile(provider); errors.Is(err, ErrUnsafeFile) {
		return err
	}
	if err := atomic.WriteFile(path, strings.NewReader(key.seal()+"\n")); err != nil {
		return fmt.Errorf("store the key in %s: %w", path, err)
	}
	return nil
}

func (r *Ring) getFile(provider string) (Key, error) {
	text, err := r.openFile(provider)
	if err != nil {
		return Key{}, err
	}
	key, err := unseal(provider, text)
	if err != nil {
		return Key{}, &Error{Kind: ErrInvalid, Provider: provider, Detail: r.file(provider) + " holds no key",
			Fix: "store it anew with `recollect auth set " + provider + " --file`"}
	}
	return key, nil
}

// openFile reads a provider's file, if it is a plain file of this person only.
func (r *Ring) openFile(provider string) (string, error) {
	path := r.file(provider)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &Error{Kind: ErrNotFound, Provider: provider}
	case err != nil:
		return "", fmt.Errorf("read the key: %w", err)
	}
	if detail, fix := unsafeFile(path, info); detail != "" {
		return "", &Error{Kind: ErrUnsafeFile, Provider: provider, Detail: path + " " + detail, Fix: fix}
	}
	b, now, err := safefile.Read(context.Background(), path, maxKey+2*maxHost)
	if errors.Is(err, safefile.ErrTooLarge) { // no key is as long
		return "", nil
	}
	if err == nil && !os.SameFile(info, now) {
		err = errors.New("the file was exchanged while it was looked at")
	}
	if err != nil {
		return "", fmt.Errorf("read the key: %w", err)
	}
	return string(b), nil
}

func unsafeFile(path string, info fs.FileInfo) (detail, fix string) {
	switch {
	case !info.Mode().IsRegular():
		return "is not a plain file", "move it away"
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fmt.Sprintf("can be read by others (mode %04o)", info.Mode().Perm()),
			"make a new key at the vendor, for this one may be known to others; then: chmod 600 " + path
	}
	return "", ""
}

func (r *Ring) deleteFile(provider string) error {
	if r.dir == "" {
		return &Error{Kind: ErrNotFound, Provider: provider}
	}
	err := os.Remove(r.file(provider))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Kind: ErrNotFound, Provider: provider}
	case err != nil:
		return fmt.Errorf("delete the key: %w", err)
	}
	return nil
}
