package history

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
)

// resolve makes an absolute path symlink-free as far as it exists; the rest is
// kept as it is written.
func resolve(abs string) (string, error) {
	rest := ""
	for dir := abs; ; {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		parent := filepath.Dir(dir)
		if !missing(err) || parent == dir {
			return "", err
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
	}
}

// missing says that a path is not there, or cannot be looked at because of
// where it is: below a file, or in a folder that is closed to us.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || notFolder(err)
}

// windowsPath says whether a path is an absolute one of Windows: with a drive,
// or on a share.
func windowsPath(p string) bool {
	if strings.HasPrefix(p, `\\`) {
		return true
	}
	if len(p) < 2 || p[1] != ':' || !('a' <= p[0]|0x20 && p[0]|0x20 <= 'z') {
		return false
	}
	return len(p) == 2 || p[2] == '\\' || p[2] == '/'
}

// Absolute says whether a directory, as a record names it, can be anybody's: it
// is an absolute path, of this system or of Windows, and not overlong.
func Absolute(dir string) bool {
	return len(dir) <= maxPath && !strings.ContainsRune(dir, 0) && (filepath.IsAbs(dir) || windowsPath(dir))
}

// foreign says that a path is one of Windows and we are not on it.
func foreign(p string) bool { return runtime.GOOS != "windows" && windowsPath(p) }

// cleanWindows is filepath.Clean for a Windows path on any system; the drive's
// letter becomes a capital.
func cleanWindows(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if rest, ok := strings.CutPrefix(p, "//?/UNC/"); ok {
		p = "//" + rest
	} else if rest, ok := strings.CutPrefix(p, "//?/"); ok {
		p = rest
	}
	switch {
	case strings.HasPrefix(p, "//"):
		p = "/" + path.Clean(p)
	case len(p) >= 2 && p[1] == ':':
		p = strings.ToUpper(p[:1]) + ":" + path.Clean("/"+p[2:])
	}
	return strings.ReplaceAll(p, "/", `\`)
}

// pathKey gives paths that name one folder by their writing one key.
func pathKey(p string) string {
	if runtime.GOOS != "windows" && !windowsPath(p) {
		return path.Clean(p)
	}
	p = strings.ReplaceAll(cleanWindows(p), `\`, "/")
	return strings.Map(unicode.ToUpper, p)
}

func samePath(a, b string) bool { return a == b || pathKey(a) == pathKey(b) }

// keyBelow says whether a key is root or names something below it.
func keyBelow(key, root string) bool {
	rest, ok := strings.CutPrefix(key, root)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(root, "/"))
}
