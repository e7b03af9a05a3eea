package plugin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The parts of a zip file, and what stands in them before names and contents.
const (
	localHead   = 30
	entryHead   = 46
	endHead     = 22
	localMark   = "PK\x03\x04"
	entryMark   = "PK\x01\x02"
	endMark     = "PK\x05\x06"
	afterMark   = "PK\x07\x08"
	sizesFollow = 1 << 3 // flag: sizes stand after the content
)

var errNotExact = errors.New("the package is not exactly a zip file: something stands before, between or after its entries, or they overlap")

// exactly refuses what readers of zip files take in different ways, so that the
// file which one of them checked is not the file that another one unpacks: bytes
// before, between and after the entries, entries that overlap, a comment, a
// directory that is not of the entries. What an entry holds is not looked at.
func exactly(data []byte) error {
	at := len(data) - endHead
	if at < 0 || string(data[at:at+4]) != endMark {
		if bytes.Contains(data, []byte(endMark)) {
			return errNotExact
		}
		return errors.New("the package is not a zip file")
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	n, size, directory := u16(at+10), u32(at+12), u32(at+16)
	if u16(at+4) != 0 || u16(at+6) != 0 || u16(at+8) != n || u16(at+20) != 0 || directory+size != at {
		return errNotExact
	}
	if n > 2*maxEntries {
		return fmt.Errorf("the package has more than %d entries", maxEntries)
	}
	type extent struct{ from, to int }
	var extents []extent
	for p := directory; p < at; {
		if p+entryHead > at || string(data[p:p+4]) != entryMark {
			return errNotExact
		}
		name, more, flags, packed, from := u16(p+28), u16(p+30)+u16(p+32), u16(p+8), u32(p+20), u32(p+42)
		if p+entryHead+name+more > at || from+localHead > directory || string(data[from:from+4]) != localMark ||
			u16(from+6) != flags || u16(from+8) != u16(p+10) || u16(from+26) != name || u16(p+34) != 0 {
			return errNotExact
		}
		to := from + localHead + name + u16(from+28) + packed
		if to > directory || !bytes.Equal(data[from+localHead:from+localHead+name], data[p+entryHead:p+entryHead+name]) {
			return errNotExact
		}
		if flags&sizesFollow != 0 {
			if to += 12; bytes.HasPrefix(data[to-12:], []byte(afterMark)) {
				to += 4
			}
		} else if u32(from+18) != packed {
			return errNotExact
		}
		extents = append(extents, extent{from, to})
		p += entryHead + name + more
	}
	slices.SortFunc(extents, func(a, b extent) int { return a.from - b.from })
	end := 0
	for _, e := range extents {
		if e.from != end {
			return errNotExact
		}
		end = e.to
	}
	if len(extents) != n || end != directory {
		return errNotExact
	}
	return nil
}
