package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"recollect/internal/config"
)

// The kinds of claims.
const (
	ClaimSetting = "setting"
	ClaimLink    = "link"
	ClaimMemory  = "memory"
	ClaimState   = "state"
)

// Claim is one thing that came with the project and waits for the person's yes.
type Claim struct {
	Kind  string `json:"kind"`            // one of the above
	Name  string `json:"name"`            // the setting's key; the context file; the branch; what of the state
	Value any    `json:"value,omitempty"` // as it stands in the file
	Words string `json:"words"`           // one sentence: what would happen with a yes
	Long  bool   `json:"long,omitempty"`  // Words hold the beginning of the value only: it is to be shown too
	Given bool   `json:"given"`           // the person said yes to exactly this
}

// TrustStatus is how it is with what a project asks for, in one word.
type TrustStatus string

// The statuses.
const (
	TrustNothing TrustStatus = "nothing" // is asked for
	TrustAsked   TrustStatus = "asked"
	TrustGiven   TrustStatus = "given"
	TrustChanged TrustStatus = "changed" // a yes was given, and something besides is asked for
)

// Trust is what a project asks for beyond what may count by itself, and what the
// person said to it.
type Trust struct {
	Root   string      `json:"root"`
	Status TrustStatus `json:"status"`
	Digest string      `json:"digest"` // of all claims; a yes names it, so that it is to what was shown
	Claims []Claim     `json:"claims"`
	At     time.Time   `json:"at,omitzero"` // of the last yes
}

// Waiting are the claims without a yes.
func (t Trust) Waiting() []Claim {
	return slices.DeleteFunc(slices.Clone(t.Claims), func(c Claim) bool { return c.Given })
}

// ErrClaimsChanged says that a project asks for something else than what the
// person was shown.
var ErrClaimsChanged = errors.New("the project asks for something else now than what was shown")

// claimant contributes one kind of claims, and keeps the yes to them.
type claimant struct {
	kind   string
	claims func(context.Context) ([]Claim, error)
	// take keeps that the person said yes to exactly these claims of the kind; to
	// none: that there is no yes any more.
	take func(context.Context, []Claim) error
}

// claimants are all kinds of claims, in the order in which they are shown.
func (e *Engine) claimants() []claimant {
	return []claimant{
		{ClaimSetting, e.settingClaims, e.takeSettings},
		{ClaimLink, e.linkClaims, e.takeLinks},
		{ClaimState, e.stateClaims, e.takeState},
		{ClaimMemory, e.memoryClaims, e.takeMemory},
	}
}

// Trust tells what the project asks for. It writes nothing.
func (e *Engine) Trust(ctx context.Context) (Trust, error) {
	t := Trust{Root: e.project.Root, Claims: []Claim{}, At: e.yes().At}
	for _, c := range e.claimants() {
		claims, err := c.claims(ctx)
		if err != nil {
			return Trust{}, err
		}
		t.Claims = append(t.Claims, claims...)
	}
	t.Digest = digestOf(t.Root, t.Claims)
	waiting := len(t.Waiting())
	switch {
	case len(t.Claims) == 0:
		t.Status = TrustNothing
	case waiting == 0:
		t.Status = TrustGiven
	case waiting < len(t.Claims) || !t.At.IsZero():
		t.Status = TrustChanged
	default:
		t.Status = TrustAsked
	}
	return t, ctx.Err()
}

// GiveTrust keeps the person's yes to what the project asks for, which must be what
// digest names. With kinds it is to the claims of those kinds, and what was said to
// the others stays; else to all. ErrClaimsChanged if it is something else by now.
func (e *Engine) GiveTrust(ctx context.Context, digest string, kinds ...string) (Trust, error) {
	t, err := e.Trust(ctx)
	if err != nil {
		return Trust{}, err
	}
	if t.Digest != digest {
		return t, ErrClaimsChanged
	}
	return e.sayYes(ctx, t.Claims, kinds, e.options.Now().UTC())
}

// DeclineTrust keeps that the person does not want to be told any more of the
// settings and the earlier state that wait, which must be what digest names: they
// stay left aside. Asked for something else, they are told again.
func (e *Engine) DeclineTrust(ctx context.Context, digest string) (Trust, error) {
	t, err := e.Trust(ctx)
	if err != nil {
		return Trust{}, err
	}
	if t.Digest != digest {
		return t, ErrClaimsChanged
	}
	return t, e.changeYes(func(y *yes) { y.Declined = e.leftAsideDigest() })
}

// RevokeTrust takes every yes to what the project asks for back.
func (e *Engine) RevokeTrust(ctx context.Context) (Trust, error) {
	return e.sayYes(ctx, nil, nil, time.Time{})
}

// sayYes keeps a yes to claims of some kinds, or of all if none is named.
func (e *Engine) sayYes(ctx context.Context, claims []Claim, kinds []string, at time.Time) (Trust, error) {
	for _, c := range e.claimants() {
		if len(kinds) > 0 && !slices.Contains(kinds, c.kind) {
			continue
		}
		of := slices.DeleteFunc(slices.Clone(claims), func(x Claim) bool { return x.Kind != c.kind })
		if err := c.take(ctx, of); err != nil {
			return Trust{}, err
		}
	}
	if err := e.changeYes(func(y *yes) { y.At, y.Declined = at, "" }); err != nil {
		return Trust{}, err
	}
	if err := e.Refresh(); err != nil {
		return Trust{}, err
	}
	return e.Trust(ctx)
}

// digestOf names claims: two sets of claims of one project with the same digest ask
// for the same.
func digestOf(root string, claims []Claim) string {
	list := [][3]any{}
	for _, c := range claims {
		list = append(list, [3]any{c.Kind, c.Name, asked(c.Value)})
	}
	b, _ := json.Marshal([]any{root, list})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// asked is what of a claim's value a yes is bound to: all but who wrote an item,
// which git may once tell in time and once not.
func asked(value any) any {
	items, ok := value.([]ClaimedItem)
	if !ok {
		return value
	}
	items = slices.Clone(items)
	for i := range items {
		items[i].From = ""
	}
	return items
}

// settingClaims are the settings that wait.
func (e *Engine) settingClaims(context.Context) ([]Claim, error) {
	f, err := e.load()
	if err != nil {
		return nil, err
	}
	var claims []Claim
	for _, r := range f.Requests {
		claims = append(claims, Claim{Kind: ClaimSetting, Name: r.Key, Value: r.Value, Words: r.Words, Long: !r.Whole, Given: f.Given})
	}
	return claims, nil
}

func (e *Engine) takeSettings(_ context.Context, claims []Claim) error {
	return e.changeYes(func(y *yes) {
		y.Settings = nil
		for _, c := range claims {
			if y.Settings == nil {
				y.Settings = map[string]json.RawMessage{}
			}
			y.Settings[c.Name], _ = c.Value.(json.RawMessage)
		}
	})
}

// settingsGiven says whether the person said yes to just these requests. What they
// said yes to and the file no longer sets makes it another question: what is left
// may do something else alone. What counts by itself by now does not.
func (e *Engine) settingsGiven(requests []config.Request, stands map[string]json.RawMessage) bool {
	given := e.yes().Settings
	for _, r := range requests {
		if v, ok := given[r.Key]; !ok || string(v) != string(r.Value) {
			return false
		}
	}
	for name, v := range given {
		if now, ok := stands[name]; !ok || string(config.Canonical(now)) != string(v) {
			return false
		}
	}
	return true
}

// ErrWaiting says that a person can't put a setting that needs a yes beside others
// that wait for one: theirs would be to all of them.
var ErrWaiting = errors.New("the project's settings ask for something else already that waits for your yes")

// keepTyped keeps that what a person has put into the project's settings, or taken
// out of them, has their yes: with what had it before, and nothing besides. typed is
// what it asks for; nil: nothing.
func (e *Engine) keepTyped(ctx context.Context, before config.InForce, name string, typed *config.Request) error {
	if before.Waits(name) {
		return nil
	}
	after, err := e.load()
	if err != nil {
		return err
	}
	var claims []Claim
	for _, r := range after.Requests {
		known := typed != nil && r.Key == name && string(r.Value) == string(typed.Value) ||
			before.Given && slices.ContainsFunc(before.Requests, func(b config.Request) bool { return b.Key == r.Key && string(b.Value) == string(r.Value) })
		if !known {
			return nil // somebody else changed the file meanwhile
		}
		claims = append(claims, Claim{Name: r.Key, Value: r.Value})
	}
	if len(claims) == 0 && len(before.Requests) == 0 {
		return nil
	}
	if err := e.takeSettings(ctx, claims); err != nil || typed == nil {
		return err
	}
	return e.changeYes(func(y *yes) { y.At = e.options.Now().UTC() })
}

// LeftAside says what the project's settings ask for and did not get when they
// were last read, a word each: "model", "budget".
func (e *Engine) LeftAside() []string {
	f := e.inForce.Load()
	var out []string
	for _, r := range f.Requests {
		if !f.Given && !slices.Contains(out, r.Group()) {
			out = append(out, r.Group())
		}
	}
	if e.hasEarlierState() {
		out = append(out, "what an earlier version kept")
	}
	return out
}

// ToldAside is LeftAside, but nothing of what the person does not want to be told.
func (e *Engine) ToldAside() []string {
	left := e.LeftAside()
	if len(left) > 0 && e.yes().Declined == e.leftAsideDigest() {
		return nil
	}
	return left
}

// leftAsideDigest names what LeftAside is about.
func (e *Engine) leftAsideDigest() string {
	var claims []Claim
	for _, r := range e.inForce.Load().Requests {
		claims = append(claims, Claim{Kind: ClaimSetting, Name: r.Key, Value: r.Value})
	}
	if e.hasEarlierState() {
		claims = append(claims, Claim{Kind: ClaimState})
	}
	return digestOf(e.project.Root, claims)
}

// statusOfTrust tells of the settings that came with the project.
func (e *Engine) statusOfTrust(s *Status) {
	f := e.inForce.Load()
	if s.LeftAside = e.LeftAside(); f.Given {
		s.Trusted = len(f.Requests)
	} else {
		s.Asked = len(f.Requests)
	}
}

// diagnoseTrust finds what waits for the person's yes.
func (e *Engine) diagnoseTrust(ctx context.Context, d *Diagnosis) error {
	if e.settingsErr != nil {
		return nil
	}
	t, err := e.Trust(ctx)
	if err != nil {
		return err
	}
	for _, c := range t.Claims {
		if c.Given {
			d.fact("with your yes", c.Name+": "+c.Words)
		} else {
			d.find(Finding{Where: "asked by the project: " + c.Name, What: c.Words + " It is left aside until you say yes: recollect trust"})
		}
	}
	return nil
}
