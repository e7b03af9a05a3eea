package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"recollect/hostapi"
	"recollect/internal/memory"
	"recollect/internal/plugin/bench/job"
)

// sizes are how many turns a request has, and how long each is in bytes.
var sizes = []struct {
	name        string
	turns, each int
}{{"2 KB", 8, 165}, {"200 KB", 200, 930}}

// long is a request that takes a guest a good while.
const longTurns, longEach = 4000, 930

// exam is a request and its right answer.
type exam struct {
	request []byte
	result  []byte // of hostapi.Answer
}

func newExam(n, each int) exam {
	request := hostapi.CheckRequest{Sections: []hostapi.Section{}, Items: turns(n, each)}
	result, err := job.Do(request, func() ([]hostapi.MemoryItem, error) { return known(), nil })
	if err != nil {
		panic(err)
	}
	return exam{encoded(request), encoded(result)}
}

// turns makes turns with quotes, escapes and letters of several bytes in them.
func turns(count, each int) []hostapi.Item {
	var items []hostapi.Item
	words := strings.Fields("the cache \"of\" records naïve path\\name was\nread again after tests of 🌊 tide tables failed twice while the index grew")
	said := []string{"We decided to keep it.", "It must stay so.", "This is a bug in the parser.", "We look at it later."}
	for i := range count {
		var b strings.Builder
		fmt.Fprintf(&b, "Turn %d:", i)
		for n := i; b.Len() < each; n++ {
			b.WriteByte(' ')
			b.WriteString(words[n*7%len(words)])
			if i%4 != 3 && n == i+9 {
				b.WriteByte(' ')
				b.WriteString(said[i*5%4])
			}
		}
		items = append(items, hostapi.Item{
			Section: "turns", Content: b.String(), Confidence: 0.5, Evidence: []string{fmt.Sprintf("turn-%04d", i)},
		})
	}
	return items
}

// right says what is wrong with the answer of a guest.
func (x exam) right(answer []byte) error {
	if want := wrapped(x.result); !bytes.Equal(answer, want) {
		return fmt.Errorf("the answer is %.300s, want %.300s", answer, want)
	}
	return nil
}

func wrapped(result []byte) []byte {
	return append(append([]byte(`{"result":`), result...), '}')
}

// remembered is what the host answers, as the store has it.
func remembered() memory.Memory {
	var m memory.Memory
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 5 {
		m.Items = append(m.Items, memory.Item{
			ID: fmt.Sprint("item-", i), Section: "facts", State: memory.Active, Confidence: 0.5, Created: at, Updated: at,
			Content: fmt.Sprintf("Known for long, number %d: the tables are read once.", i),
		})
	}
	// One that the guest must find to be known.
	m.Items[3].Content = firstKept()
	return m
}

// firstKept gives the first item of the small exam, as a guest shortens it.
func firstKept() string {
	got, err := job.Do(hostapi.CheckRequest{Items: turns(sizes[0].turns, sizes[0].each)},
		func() ([]hostapi.MemoryItem, error) { return nil, nil })
	if err != nil || len(got.Items) == 0 {
		panic("the benchmark's own input keeps nothing")
	}
	return got.Items[0].Content
}

// known is what the host answers, as it crosses the boundary.
func known() []hostapi.MemoryItem {
	var items []hostapi.MemoryItem
	for _, it := range remembered().Items {
		items = append(items, hostapi.MemoryItem{
			ID: it.ID, Section: it.Section, Content: it.Content, Confidence: it.Confidence, Created: it.Created, Updated: it.Updated,
		})
	}
	return items
}

// knownAnswer is the host's whole answer.
func knownAnswer() []byte { return wrapped(encoded(hostapi.MemoryGetResult{Items: known()})) }

func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
