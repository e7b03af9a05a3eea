package main

import (
	"encoding/json"
	"testing"

	"recollect/hostapi/guest"
)

func TestFind(t *testing.T) {
	sections := []guest.Section{{ID: "facts"}, {ID: "conventions"}, {ID: "bug-patterns"}}
	tests := []struct {
		name, role, text string
		config           any
		want             []string // section and content
	}{
		{"a note", guest.RoleUser, "Fix it.\nNote to self: the CI runs in UTC.", nil, []string{"facts the CI runs in UTC."}},
		{"a bullet", guest.RoleUser, "- gotcha: Close() hangs twice", nil, []string{"bug-patterns Close() hangs twice"}},
		{"a policy", guest.RoleUser, "TODO policy: every TODO names an owner", nil, []string{"conventions every TODO names an owner"}},
		{"twice", guest.RoleUser, "rule: no globals\nrule: No globals", nil, []string{"conventions no globals"}},
		{"nothing marked", guest.RoleUser, "Please fix the build.", nil, nil},
		{"an empty mark", guest.RoleUser, "remember:  ", nil, nil},
		{"a suggestion", guest.RoleUser, "maybe: the depot closes at six", nil, []string{"facts the depot closes at six"}},
		{"in code", guest.RoleUser, "```\nrule: not a rule\n```", nil, nil},
		{"the assistant", guest.RoleAssistant, "gotcha: not asked for", nil, nil},
		{"the assistant, asked for", guest.RoleAssistant, "gotcha: asked for", config{Assistant: true}, []string{"bug-patterns asked for"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fake := &guest.Fake{Branch: "main", Config: tt.config, Turns: []guest.Turn{
				{ID: "t", New: true, Messages: []guest.Message{{ID: "m", Role: tt.role, Text: tt.text}}},
			}}
			defer guest.SetHost(fake)()
			data, err := guest.Invoke(extract, guest.ExtractRequest{Branch: "main", Sections: sections})
			if err != nil {
				t.Fatal(err)
			}
			var got guest.ExtractResult
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, it := range got.Items {
				lines = append(lines, it.Section+" "+it.Content)
				if len(it.Evidence) != 1 || it.Evidence[0] != "m" {
					t.Errorf("evidence = %v", it.Evidence)
				}
				if it.Suggestion != (tt.name == "a suggestion") {
					t.Errorf("suggestion = %v", it.Suggestion)
				}
			}
			if len(lines) != len(tt.want) || len(lines) > 0 && lines[0] != tt.want[0] {
				t.Errorf("got %q, want %q", lines, tt.want)
			}
		})
	}
}
