package service

import (
	"slices"
	"strings"
	"testing"
)

const smaps = `00400000-00d39000 r-xp 00000000 fe:00 10000454                           /bin/recollect
Size:               9444 kB
Rss:                7588 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
00d39000-02c02000 r--p 00939000 fe:00 10000454                           /bin/recollect
Rss:               25316 kB
Anonymous:             4 kB
02c02000-02c86000 rw-p 02802000 fe:00 10000454                           /bin/recollect
Anonymous:             0 kB
02c86000-02c87000 r--s 02802000 fe:00 10000454                           /bin/recollect
Anonymous:             0 kB
144271400000-144274c00000 rw-p 00000000 00:00 0 
Anonymous:             0 kB
7ff46f456000-7ff46f5ac000 r-xp 00026000 fe:00 326269                     /usr/lib/libc.so.6
Anonymous:             0 kB
7fff-nonsense r-xp 00026000 fe:00 326269                     /bin/recollect
Anonymous:             0 kB
02d00000-02d01000 r--p 00000000 fe:00 10000454                           /bin/recollect
Anonymous:             0 kB
`

func TestIdleMappings(t *testing.T) {
	t.Parallel()
	want := []mapping{{0x400000, 0xd39000}, {0x2d00000, 0x2d01000}}
	if got := idleMappings(strings.NewReader(smaps), "/bin/recollect"); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// The program goes on as if nothing had been.
func TestRest(t *testing.T) {
	t.Parallel()
	for range 20 {
		Rest()
		if got := idleMappings(strings.NewReader(smaps), "/bin/recollect"); len(got) != 2 {
			t.Fatalf("got %x", got)
		}
	}
}
