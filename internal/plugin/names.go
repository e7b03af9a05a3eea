package plugin

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"recollect/internal/printable"
)

func badName(name string) error {
	return fmt.Errorf("%s is not a name that a package may hold", printable.Quote(name, 100))
}

// plainName holds for relative slash-separated paths that mean the same file on
// every system, lead nowhere else and look like what they are.
func plainName(name string) bool {
	if len(name) > 200 || !fs.ValidPath(name) || name == "." || path.Clean(name) != name {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || !filepath.IsLocal(part) {
			return false
		}
		if strings.ContainsFunc(part, func(r rune) bool { return !printable.Name(r) || strings.ContainsRune(`\:*?"<>|`, r) }) || reserved(part) {
			return false
		}
	}
	return true
}

// reserved says whether Windows takes the name for a device.
func reserved(part string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
	stem = strings.TrimRight(stem, " ")
	if len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) {
		return stem[3] >= '0' && stem[3] <= '9'
	}
	return slices.Contains([]string{"CON", "PRN", "AUX", "NUL"}, stem)
}

// distinct refuses names that some file system takes for the same: those that
// differ in case only, or in how their letters are composed.
func distinct(files map[string][]byte, folders []string) error {
	// A name in its folded form, as it is written and with "/" if it is a folder.
	names := map[string]string{}
	add := func(name, end string) error {
		key := folded(name)
		if there, ok := names[key]; ok && (there != name+end || end == "") {
			return fmt.Errorf("%s is in the package twice, in different writing", printable.Quote(name, 100))
		}
		names[key] = name + end
		return nil
	}
	for name := range files {
		folders = append(folders, parents(name)...)
	}
	for _, name := range folders {
		for _, folder := range append(parents(name), name) {
			if err := add(folder, "/"); err != nil {
				return err
			}
		}
	}
	for name := range files {
		if err := add(name, ""); err != nil {
			return err
		}
	}
	return nil
}

// parents are the folders that a name stands in.
func parents(name string) (list []string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		list = append(list, dir)
	}
	return list
}

// folded is what a name has in common with all that differ from it in case or
// composition.
func folded(name string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, norm.NFC.String(name)))
}

// ourDomain is what the ids of built-in plug-ins begin with.
const ourDomain = "dev.recollect"

// reservedID says whether an id could be taken for a built-in's.
func reservedID(id string) bool {
	look := strings.NewReplacer("0", "o", "1", "l", "i", "l", "3", "e").Replace(id) + "."
	for _, dash := range []string{".", ""} {
		like := strings.ReplaceAll(look, "-", dash)
		if strings.HasPrefix(like, ourDomain+".") || strings.HasPrefix(like, strings.ReplaceAll(ourDomain, ".", "")+".") {
			return true
		}
	}
	return false
}
