package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"

	"recollect/internal/inject"
)

// aim adds the files to write to an input. An assistant reads the context file of
// the work tree that it runs in, which for a linked work tree is not the project's
// root. Which of them may be written is for inject to say.
func (e *Engine) aim(in *inject.Input, asked []string) error {
	if len(asked) == 0 {
		asked = e.settings().Inject.Targets
	}
	top, err := e.workTree()
	if err != nil {
		return err
	}
	in.Top, in.Links = top, e.yes().Links
	for _, t := range asked {
		path := filepath.FromSlash(t)
		if !filepath.IsAbs(path) {
			path = filepath.Join(top, path)
		}
		in.Targets = append(in.Targets, inject.Target{Path: path, Name: t})
	}
	return nil
}

// maxAsked bounds the targets that wait for a yes besides those of the settings.
const maxAsked = 32

// noteWaysOut remembers targets that a person named and that lead out of the
// project, so that their yes can be asked for.
func (e *Engine) noteWaysOut(asked []string, report inject.Report) error {
	var names []string
	for _, r := range report.Targets {
		if link, ok := inject.WayOut(r.Err); ok && len(asked) > 0 && !slices.Contains(names, link.Target) {
			names = append(names, link.Target)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return e.changeYes(func(y *yes) {
		for _, n := range names {
			if !slices.Contains(y.Asked, n) && len(y.Asked) < maxAsked {
				y.Asked = append(y.Asked, n)
			}
		}
	})
}

// linkClaims are the context files that lead out of the project, and where to.
func (e *Engine) linkClaims(context.Context) ([]Claim, error) {
	y := e.yes()
	in := inject.Input{}
	if err := e.aim(&in, slices.Concat(e.settings().Inject.Targets, y.Asked)); err != nil {
		return nil, err
	}
	ways, err := inject.WaysOut(in)
	var claims []Claim
	for _, w := range ways {
		claims = append(claims, Claim{
			Kind: ClaimLink, Name: w.Target, Value: w.Dest, Given: slices.Contains(y.Links, w),
			Words: "Memory would be written into " + strconv.Quote(w.Dest) + ", out of the project, where " + strconv.Quote(w.Target) + " leads.",
		})
	}
	return claims, err
}

// takeLinks keeps that the person said yes to where these links lead.
func (e *Engine) takeLinks(_ context.Context, claims []Claim) error {
	return e.changeYes(func(y *yes) {
		y.Links = nil
		for _, c := range claims {
			if dest, ok := c.Value.(string); ok {
				y.Links = append(y.Links, inject.Link{Target: c.Name, Dest: dest})
			}
		}
		if len(claims) == 0 {
			y.Asked = nil
		}
	})
}
