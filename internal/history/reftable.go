package history

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/safefile"
)

// A repository of git 2.45 or later can keep its refs in a stack of tables, newest
// last in reftable/tables.list. HEAD is then a record in them, and the file of that
// name says no more than that. Of a table only its sorted records of refs matter
// here, which come first:
//
//	table:  "REFT", version, block size (3 bytes), 16 bytes, with version 2 a hash id (4)
//	block:  'r', its length (3), records, offsets of some records (3 each), their number (2)
//	record: length of the prefix shared with the name before (varint), length of the
//	        rest of the name << 3 | kind (varint), the rest, an index (varint), a value
//
// The length of the first block is counted from the start of the table.

const (
	maxTables    = 4096    // of a stack; git packs them long before
	maxTableHead = 1 << 20 // bytes of a table in which HEAD and the branches are looked for
	tableTries   = 5       // git may pack the tables while they are read
	reftableHead = 24      // bytes before the first block
)

var (
	errReftable = errors.New("its tables of refs can't be read")
	errNoHead   = errors.New("its tables of refs have no HEAD")
)

// Kinds of a record's value.
const (
	refDeleted = iota
	refCommit  // an id
	refPeeled  // two ids
	refSymbolic
)

// reftableRef gives the ref that HEAD names in the tables of a git directory; "" for a
// commit, which is a detached head.
func reftableRef(gitDir string) (ref string, err error) {
	for range tableTries {
		if ref, err = newestHead(safefile.Beneath(gitDir).Sub("reftable")); err == nil {
			return ref, nil
		}
	}
	return "", err
}

func newestHead(dir safefile.Folder) (string, error) {
	list, _, err := dir.Read(context.Background(), "tables.list", maxGitFile)
	if err != nil {
		return "", err
	}
	names := strings.Fields(string(list))
	if len(names) > maxTables {
		return "", errReftable
	}
	for _, name := range slices.Backward(names) {
		if !filepath.IsLocal(name) || filepath.Base(name) != name {
			return "", errReftable
		}
		data, err := tableHead(dir, name)
		if err != nil {
			return "", err
		}
		kind, ref, found, err := headIn(data)
		switch {
		case err != nil:
			return "", fmt.Errorf("%s: %w", name, err)
		case !found:
			continue
		case kind == refSymbolic:
			return ref, nil
		case kind == refDeleted:
			return "", errNoHead
		}
		return "", nil
	}
	return "", errNoHead
}

func tableHead(dir safefile.Folder, name string) ([]byte, error) {
	f, _, err := dir.Open(name, 1<<40)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxTableHead))
}

// headIn looks for the record of HEAD in the beginning of a table.
func headIn(table []byte) (kind int, ref string, found bool, err error) {
	err = eachRef(table, func(r tableRecord) bool {
		if r.name == "HEAD" {
			kind, ref, found = r.kind, r.to, true
		}
		return r.name < "HEAD"
	})
	return kind, ref, found, err
}

// tableRecord is a ref in a table; to is what a symbolic one names.
type tableRecord struct {
	name string
	kind int
	to   string
}

// eachRef gives the records of the beginning of a table, sorted by their names, until
// more says that no other is wanted.
func eachRef(table []byte, more func(tableRecord) bool) error {
	if len(table) < reftableHead || string(table[:4]) != "REFT" || table[4] < 1 || table[4] > 2 {
		return errReftable
	}
	first, idSize := reftableHead, 20
	if table[4] == 2 {
		if first += 4; len(table) < first {
			return errReftable
		}
		if string(table[reftableHead:first]) == "s256" {
			idSize = 32
		}
	}
	size := uint24(table[5:])
	for at := 0; ; first = 0 {
		if at+first+4 > len(table) || table[at+first] != 'r' {
			return nil // no refs, or no more of them
		}
		end := at + uint24(table[at+first+1:])
		if end > len(table) || end < at+first+6 {
			return errReftable
		}
		restarts := int(binary.BigEndian.Uint16(table[end-2:]))
		records := end - 2 - 3*restarts
		if records < at+first+4 {
			return errReftable
		}
		r := refReader{data: table[at+first+4 : records], idSize: idSize}
		for len(r.data) > 0 {
			name, kind, to, err := r.next()
			if err != nil || !more(tableRecord{name, kind, to}) {
				return err
			}
		}
		// Blocks are padded to the size that the table names, or follow each other.
		next := end
		if size > 0 && (end >= len(table) || table[end] == 0) {
			next = at + (end-at+size-1)/size*size
		}
		at = next
	}
}

// reftableBranches lists the branches in the tables of a git directory. What can't be
// read is left out.
func reftableBranches(ctx context.Context, gitDir string) []string {
	dir := safefile.Beneath(gitDir).Sub("reftable")
	list, _, err := dir.Read(ctx, "tables.list", maxGitFile)
	tables := strings.Fields(string(list))
	if err != nil || len(tables) > maxTables {
		return nil
	}
	there := map[string]bool{}
	for _, table := range tables { // of two records of a ref the newer one holds
		if !filepath.IsLocal(table) || filepath.Base(table) != table {
			return nil
		}
		data, err := tableHead(dir, table)
		if err != nil {
			continue
		}
		_ = eachRef(data, func(r tableRecord) bool {
			if name, ok := strings.CutPrefix(r.name, "refs/heads/"); ok && (there[name] || len(there) < maxBranches) {
				there[name] = r.kind != refDeleted
			}
			return r.name < "refs/heads0" && ctx.Err() == nil // "0" comes after "/"
		})
	}
	var names []string
	for name, is := range there {
		if is {
			names = append(names, name)
		}
	}
	return names
}

func uint24(b []byte) int { return int(b[0])<<16 | int(b[1])<<8 | int(b[2]) }

// refReader reads the records of a block.
type refReader struct {
	data   []byte
	idSize int
	name   []byte
}

func (r *refReader) next() (name string, kind int, ref string, err error) {
	prefix, ok1 := r.varint()
	rest, ok2 := r.varint()
	kind = int(rest & 7)
	suffix, ok3 := r.take(rest >> 3)
	if !ok1 || !ok2 || !ok3 || prefix > uint64(len(r.name)) {
		return "", 0, "", errReftable
	}
	r.name = append(r.name[:prefix:prefix], suffix...)
	_, ok := r.varint() // how much newer it is than the table's oldest
	switch kind {
	case refDeleted:
	case refCommit, refPeeled:
		_, ok2 = r.take(uint64(kind * r.idSize))
		ok = ok && ok2
	case refSymbolic:
		n, had := r.varint()
		to, whole := r.take(n)
		ref, ok = string(to), ok && had && whole
	default:
		ok = false
	}
	if !ok {
		return "", 0, "", errReftable
	}
	return string(r.name), kind, ref, nil
}

func (r *refReader) take(n uint64) ([]byte, bool) {
	if n > uint64(len(r.data)) {
		return nil, false
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out, true
}

// varint reads a number as git packs offsets: seven bits a byte, the highest first,
// each continued byte adding one.
func (r *refReader) varint() (uint64, bool) {
	var n uint64
	for i, c := range r.data {
		if i > 9 {
			break
		}
		if i > 0 {
			n++
		}
		n = n<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			r.data = r.data[i+1:]
			return n, true
		}
	}
	return 0, false
}
