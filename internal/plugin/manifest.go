package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/semver"

	"recollect/hostapi"
	"recollect/internal/printable"
)

// maxManifest is the most that a plugin.json may have in bytes.
const maxManifest = 256 << 10

// Each part of an id begins with a letter or a digit; there are at least two.
var idForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)

var sectionForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ParseManifest reads a plugin.json strictly: unknown keys, roles, capabilities
// and versions are errors. An error is the rest of a sentence about the
// manifest.
func ParseManifest(data []byte) (hostapi.Manifest, error) {
	var m hostapi.Manifest
	if len(data) > maxManifest {
		return m, fmt.Errorf("plugin.json is larger than %d KB", maxManifest>>10)
	}
	if !utf8.Valid(data) {
		return m, errors.New("plugin.json is not UTF-8")
	}
	if err := decodeStrict(data, &m); err != nil {
		var version struct {
			Manifest int `json:"manifest"`
		}
		if json.Unmarshal(data, &version) == nil && version.Manifest > hostapi.ManifestVersion {
			return m, needsNewer("manifest version %d", version.Manifest)
		}
		return m, fmt.Errorf("plugin.json is not a manifest: %s", printable.Line(err.Error(), 300))
	}
	for _, check := range []func(hostapi.Manifest) error{
		checkNames, checkRoles, checkCapabilities, checkLimits, checkConfigSchema, checkStaticSchema,
	} {
		if err := check(m); err != nil {
			return m, err
		}
	}
	return m, nil
}

func decodeStrict(data []byte, v any) error {
	// The schema of a configuration has names of its own.
	if _, err := scan(context.Background(), data, shape{exact: map[string]bool{"config": true}}); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something after the object")
	}
	return nil
}

func needsNewer(format string, args ...any) error {
	return fmt.Errorf("it needs a newer Recollect: "+format+" is not known", args...)
}

func checkNames(m hostapi.Manifest) error {
	switch {
	case m.Manifest > hostapi.ManifestVersion:
		return needsNewer("manifest version %d", m.Manifest)
	case m.Manifest != hostapi.ManifestVersion:
		return fmt.Errorf(`"manifest" must be %d`, hostapi.ManifestVersion)
	case m.ABI != hostapi.ABI && strings.HasPrefix(m.ABI, "rc/"):
		return needsNewer("abi %s", printable.Quote(m.ABI, 80))
	case m.ABI != hostapi.ABI:
		return fmt.Errorf(`"abi" must be "%s"`, hostapi.ABI)
	case len(m.ID) > 128 || !idForm.MatchString(m.ID):
		return fmt.Errorf(`"id" must be a reversed domain name in lower case like "org.example.name", not %s`, printable.Quote(m.ID, 140))
	case !strict(m.Version):
		return fmt.Errorf(`"version" must be a semantic version like "1.0.0", not %s`, printable.Quote(m.Version, 80))
	}
	for _, text := range []struct {
		key, value string
		required   bool
		max        int
	}{
		{"name", m.Name, true, 80}, {"description", m.Description, true, 500},
		{"license", m.License, false, 80}, {"homepage", m.Homepage, false, 300},
	} {
		if err := checkText(text.key, text.value, text.required, text.max); err != nil {
			return err
		}
	}
	if m.Homepage != "" && !strings.HasPrefix(m.Homepage, "https://") && !strings.HasPrefix(m.Homepage, "http://") {
		return errors.New(`"homepage" must be a web address`)
	}
	return nil
}

// strict is semver.IsValid for a version as it stands in a manifest: without
// "v", with all three numbers.
func strict(version string) bool {
	v := "v" + version
	return len(version) <= 64 && semver.IsValid(v) && strings.HasPrefix(v, semver.MajorMinor(v)+".")
}

func checkText(key, value string, required bool, limit int) error {
	if required && strings.TrimSpace(value) == "" {
		return fmt.Errorf("\"%s\" is missing", key)
	}
	if utf8.RuneCountInString(value) > limit {
		return fmt.Errorf("\"%s\" is longer than %d characters", key, limit)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return !printable.Rune(r) }) {
		return fmt.Errorf("\"%s\" holds control characters, or others that can't be seen", key)
	}
	return nil
}

func checkRoles(m hostapi.Manifest) error {
	if len(m.Roles) == 0 {
		return errors.New(`"roles" is empty`)
	}
	for i, r := range m.Roles {
		if !slices.Contains([]hostapi.Role{hostapi.RoleExtractor, hostapi.RoleSchema, hostapi.RolePolicy}, r) {
			return needsNewer("role %s", printable.Quote(string(r), 80))
		}
		if slices.Contains(m.Roles[:i], r) {
			return fmt.Errorf("role \"%s\" is named twice", r)
		}
	}
	return nil
}

func checkCapabilities(m hostapi.Manifest) error {
	for c, g := range m.Capabilities {
		switch c {
		case hostapi.CapHistoryRead, hostapi.CapLLMCall, hostapi.CapStorage, hostapi.CapMemoryRead:
		default:
			return needsNewer("capability %s", printable.Quote(string(c), 80))
		}
		if err := checkText("reason", g.Reason, true, 300); err != nil {
			return fmt.Errorf("capability \"%s\": %w", c, err)
		}
		if g.Scope != "" && (c != hostapi.CapHistoryRead || g.Scope != scopeBranch && g.Scope != scopeProject) {
			return fmt.Errorf(`capability "%s": "scope" %s is not one it can have`, c, printable.Quote(g.Scope, 80))
		}
		if len(g.Sections) > 0 && c != hostapi.CapMemoryRead {
			return fmt.Errorf(`capability "%s" has no "sections"`, c)
		}
	}
	return nil
}

func checkLimits(m hostapi.Manifest) error {
	l := m.Limits
	if l != nil && (l.MemoryBytes < 0 || l.WallMS < 0 || l.Fuel < 0 || l.HostCalls < 0 || l.ModelCalls < 0 ||
		l.RequestBytes < 0 || l.ReplyBytes < 0 || l.LogBytes < 0) {
		return errors.New(`"limits" holds a negative number`)
	}
	return nil
}

func checkConfigSchema(m hostapi.Manifest) error {
	if len(m.Config) == 0 {
		return nil
	}
	_, err := compileSchema(m.Config)
	return err
}

func checkStaticSchema(m hostapi.Manifest) error {
	if m.Schema == nil {
		return nil
	}
	if !slices.Contains(m.Roles, hostapi.RoleSchema) {
		return errors.New(`"schema" is there but "roles" does not name the role`)
	}
	return checkSections(*m.Schema)
}

// checkSections holds for a manifest's schema and for an answer of rc_sections.
func checkSections(s hostapi.SectionsResult) error {
	if s.Subject != "branch" {
		return needsNewer("subject %s", printable.Quote(s.Subject, 80))
	}
	if err := checkText("title", s.Title, true, 80); err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	if len(s.Sections) == 0 || len(s.Sections) > 64 {
		return errors.New("the schema must have 1 to 64 sections")
	}
	ids, headings := map[string]bool{}, map[string]bool{}
	for _, sec := range s.Sections {
		if len(sec.ID) > 64 || !sectionForm.MatchString(sec.ID) {
			return fmt.Errorf("section id %s is not kebab-case", printable.Quote(sec.ID, 80))
		}
		if err := checkText("heading", sec.Heading, true, 80); err != nil {
			return fmt.Errorf("section \"%s\": %w", sec.ID, err)
		}
		if utf8.RuneCountInString(sec.Guidance) > 2000 {
			return fmt.Errorf("section \"%s\": its guidance is longer than 2000 characters", sec.ID)
		}
		if strings.ContainsFunc(sec.Guidance, func(r rune) bool { return r != '\n' && r != '\t' && !printable.Rune(r) }) {
			return fmt.Errorf("section \"%s\": its guidance holds control characters, or others that can't be seen", sec.ID)
		}
		if ids[sec.ID] || headings[strings.ToLower(sec.Heading)] {
			return fmt.Errorf("section \"%s\" is there twice", sec.ID)
		}
		ids[sec.ID], headings[strings.ToLower(sec.Heading)] = true, true
	}
	return nil
}
