package plugin

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"recollect/hostapi"
)

func TestPowersSayWhatAManifestMayDo(t *testing.T) {
	t.Parallel()
	type grants = map[hostapi.Capability]hostapi.Grant
	const model, past, kept, notes = hostapi.CapLLMCall, hostapi.CapHistoryRead, hostapi.CapMemoryRead, hostapi.CapStorage
	for _, tt := range []struct {
		name   string
		roles  []hostapi.Role
		grants grants
		limits *hostapi.ManifestLimits
		want   []string // of each power in order: parts of its words, "!" before what must not be there
	}{
		{"nothing", []hostapi.Role{hostapi.RolePolicy}, nil, nil, nil},
		{"all", []hostapi.Role{hostapi.RoleExtractor}, grants{notes: {}, kept: {}, past: {}, model: {}}, nil,
			[]string{"asks your model, at most 4 times|said and what is remembered|leaves this machine|cost money", "on the branch at hand", "about the branch at hand", "10 MB"}},
		{"wide", []hostapi.Role{hostapi.RoleExtractor}, grants{past: {Scope: "project"}, model: {}}, &hostapi.ManifestLimits{ModelCalls: 1000},
			[]string{"at most 32 times|said on any branch", "on every branch|!at hand"}},
		{"schema that asks", []hostapi.Role{hostapi.RoleSchema}, grants{model: {}}, &hostapi.ManifestLimits{ModelCalls: 1},
			[]string{"at most once|It may send what was found:|!said|!remembered"}},
		{"policy that asks", []hostapi.Role{hostapi.RolePolicy}, grants{model: {}}, nil, []string{"send what is remembered:|!said"}},
		{"one section", []hostapi.Role{hostapi.RoleSchema}, grants{kept: {Sections: []string{"facts"}}}, nil, []string{"in the section facts.|!handed"}},
		{"two sections", []hostapi.Role{hostapi.RoleExtractor}, grants{kept: {Sections: []string{"facts", "bug-patterns"}}}, nil,
			[]string{"the sections facts and bug-patterns, and is handed all of it"}},
		{"odd sections", []hostapi.Role{hostapi.RolePolicy}, grants{kept: {Sections: []string{"facts. It is harmless", "b"}}}, nil,
			[]string{"some sections (2)|!harmless|handed all of it when it selects"}},
	} {
		m := manifest("org.example.powers")
		m.Roles, m.Capabilities, m.Limits = tt.roles, tt.grants, tt.limits
		powers := Powers(m)
		if powers == nil || len(powers) != len(tt.want) {
			t.Errorf("%s: %d powers: %+v", tt.name, len(powers), powers)
			continue
		}
		for i, p := range powers {
			if p.Grave != (p.Capability == model) || p.Reason != m.Capabilities[p.Capability].Reason {
				t.Errorf("%s: %+v", tt.name, p)
			}
			for part := range strings.SplitSeq(tt.want[i], "|") {
				part, not := strings.CutPrefix(part, "!")
				if strings.Contains(p.Words, part) == not {
					t.Errorf("%s: %q, %q", tt.name, p.Words, tt.want[i])
				}
			}
		}
	}
}

// Whatever the host grants has its sentence.
func TestEveryCapabilityHasWords(t *testing.T) {
	t.Parallel()
	m := manifest("org.example.all")
	words := map[hostapi.Capability]bool{"": true}
	for _, p := range Powers(m) {
		words[p.Capability] = true
	}
	for name, method := range methods() {
		if !words[method.capability] {
			t.Errorf("%s needs %s, for which there are no words", name, method.capability)
		}
	}
}

func TestMoreNamesWhatIsNew(t *testing.T) {
	t.Parallel()
	m := manifest("org.example.more")
	m.Capabilities = map[hostapi.Capability]hostapi.Grant{
		hostapi.CapHistoryRead: {Reason: "r"}, hostapi.CapMemoryRead: {Reason: "r", Sections: []string{"facts"}},
	}
	for _, tt := range []struct {
		change func(*hostapi.Manifest)
		want   []string
	}{
		{func(*hostapi.Manifest) {}, nil},
		{func(m *hostapi.Manifest) {
			m.Capabilities[hostapi.CapHistoryRead] = hostapi.Grant{Reason: "other words"}
		}, nil},
		{func(m *hostapi.Manifest) { delete(m.Capabilities, hostapi.CapMemoryRead) }, nil},
		{func(m *hostapi.Manifest) { m.Capabilities[hostapi.CapHistoryRead] = hostapi.Grant{Scope: scopeProject} }, []string{"history:read: .*every branch"}},
		{func(m *hostapi.Manifest) { m.Capabilities[hostapi.CapMemoryRead] = hostapi.Grant{} }, []string{"memory:read: "}},
		{func(m *hostapi.Manifest) {
			m.Capabilities[hostapi.CapMemoryRead] = hostapi.Grant{Sections: []string{"facts", "x"}}
		}, []string{"memory:read: .*facts and x"}},
		{func(m *hostapi.Manifest) { m.Roles = append(m.Roles, hostapi.RolePolicy) }, []string{"the role policy"}},
		{func(m *hostapi.Manifest) {
			m.Limits = &hostapi.ManifestLimits{MemoryBytes: 128 << 20, WallMS: 60_000, ModelCalls: 8, HostCalls: 1000}
			m.Capabilities[hostapi.CapLLMCall] = hostapi.Grant{Reason: "r"}
		}, []string{"llm:call: It asks your model, at most 8 times", "128 MB of memory instead of 64", "1m0s in one call instead of 30s", "8 questions .* instead of 4", "more steps"}},
		{func(m *hostapi.Manifest) { m.Limits = &hostapi.ManifestLimits{MemoryBytes: 8 << 20, WallMS: 1} }, nil},
	} {
		b := m
		b.Capabilities = maps.Clone(m.Capabilities)
		b.Roles = slices.Clone(m.Roles)
		tt.change(&b)
		got := more(m, b)
		if len(got) != len(tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
			continue
		}
		for i, form := range tt.want {
			if !regexp.MustCompile(form).MatchString(got[i]) {
				t.Errorf("%q, want %q", got[i], form)
			}
		}
	}
}
