package plugin

import (
	"fmt"
	"slices"
	"strings"

	"recollect/hostapi"
)

// Power is what a capability lets a plug-in do, for the person who approves it.
type Power struct {
	Capability hostapi.Capability `json:"capability"`
	Words      string             `json:"words"` // what it may do at most, whatever its author says
	// Grave says that it can send text away from this machine or cost money.
	Grave bool `json:"grave"`
	// Reason is what its author says it is for, and no more than that.
	Reason string `json:"reason,omitempty"`
}

// Powers says what a plug-in with this manifest may do, the graver first.
func Powers(m hostapi.Manifest) []Power {
	powers := []Power{}
	for _, p := range []struct {
		capability hostapi.Capability
		words      func(hostapi.Manifest, hostapi.Grant) string
		grave      bool
	}{
		{hostapi.CapLLMCall, modelPower, true},
		{hostapi.CapHistoryRead, historyPower, false},
		{hostapi.CapMemoryRead, memoryPower, false},
		{hostapi.CapStorage, storagePower, false},
	} {
		if g, ok := m.Capabilities[p.capability]; ok {
			powers = append(powers, Power{p.capability, p.words(m, g), p.grave, g.Reason})
		}
	}
	return powers
}

// modelPower names all that a plug-in may know when it writes to a model: what
// it asks for, and what it is handed in its roles.
func modelPower(m hostapi.Manifest, _ hostapi.Grant) string {
	var knows []string
	if g, ok := m.Capabilities[hostapi.CapHistoryRead]; ok {
		said := "what you and the assistant said"
		if g.Scope == scopeProject {
			said += " on any branch"
		}
		knows = append(knows, said)
	}
	_, reads := m.Capabilities[hostapi.CapMemoryRead]
	if reads || slices.Contains(m.Roles, hostapi.RoleExtractor) || slices.Contains(m.Roles, hostapi.RolePolicy) {
		knows = append(knows, "what is remembered")
	}
	if slices.Contains(m.Roles, hostapi.RoleSchema) {
		knows = append(knows, "what was found")
	}
	return fmt.Sprintf("It asks your model, at most %s in one call and within your budget. It may send %s: that leaves this machine unless the model runs on it, and may cost money.",
		often(asked(m.Limits).ModelCalls), enumerate(knows))
}

func historyPower(_ hostapi.Manifest, g hostapi.Grant) string {
	if g.Scope == scopeProject {
		return "It reads what you and the assistant said on every branch of a project: no files, no output of tools, no secret that is recognised."
	}
	return "It reads what you and the assistant said on the branch at hand: no files, no output of tools, no secret that is recognised."
}

func memoryPower(m hostapi.Manifest, g hostapi.Grant) string {
	if len(g.Sections) == 0 {
		return "It reads what is remembered about the branch at hand."
	}
	words := "It reads what is remembered about the branch at hand in " + sectionNames(g.Sections)
	switch {
	case slices.Contains(m.Roles, hostapi.RoleExtractor):
		return words + ", and is handed all of it when it brings in what it found."
	case slices.Contains(m.Roles, hostapi.RolePolicy):
		return words + ", and is handed all of it when it selects."
	}
	return words + "."
}

func storagePower(hostapi.Manifest, hostapi.Grant) string {
	return fmt.Sprintf("It keeps notes of its own in each project, on this machine and up to %d MB; they stay when it is removed.", maxStorageBytes>>20)
}

// sectionNames lists sections that a stranger named, as long as that says
// something.
func sectionNames(ids []string) string {
	odd := slices.ContainsFunc(ids, func(id string) bool { return len(id) > 64 || !sectionForm.MatchString(id) })
	switch {
	case len(ids) == 1 && !odd:
		return "the section " + ids[0]
	case len(ids) > 8 || odd:
		return fmt.Sprintf("some sections (%d)", len(ids))
	}
	return "the sections " + enumerate(ids)
}

func often(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
