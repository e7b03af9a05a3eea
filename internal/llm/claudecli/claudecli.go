// Package claudecli asks models through the claude program in print mode: it pays
// with the person's own subscription, and no key is needed.
//
// The program is made for work in a folder, with tools, hooks, memory and a
// record of each session. Here it is only asked: it runs in an empty folder, has
// no tools, reads no file that a prompt mentions, starts no hook, leaves no
// session, and asks once. It can't start us again, and ends when we do.
//
// Who pays is the program's own choice: where the environment has a key, in
// ANTHROPIC_API_KEY, it takes that before the subscription, as it always does.
package claudecli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/llm"
)

// Defaults of Options.
const (
	DefaultProgram = "claude"
	DefaultModel   = "haiku"
	DefaultTimeout = 5 * time.Minute
)

const name = "claude-cli"

// Variables that all we start can see: hooks of ours do nothing if InternalEnv is
// set, and nobody is asked from inside an answer.
const (
	InternalEnv = "RECOLLECT_INTERNAL"
	DepthEnv    = "RECOLLECT_DEPTH" // survives where a script clears InternalEnv
)

// Nested tells if the environment, given as os.LookupEnv gives it, is that of
// something that an own call has started.
func Nested(lookup func(string) (string, bool)) bool {
	internal, _ := lookup(InternalEnv)
	depth, _ := lookup(DepthEnv)
	return internal != "" && internal != "0" || depth != "" && depth != "0"
}

// Options of a client. The zero value is not usable: it has no marker.
type Options struct {
	// Marker begins each prompt, so that the session can be told from a person's
	// should the program record it in spite of all.
	Marker string

	Program string        // path, or name to look up; "": DefaultProgram, also where it is usually installed
	Model   string        // of prompts that name none; "": DefaultModel
	Timeout time.Duration // of one call; 0: DefaultTimeout
	MaxCost int64         // of one call, in millionths of a US dollar, a limit that the program keeps; 0: none
	Env     []string      // of the program, to which ours is added; nil: os.Environ()
}

// Client is an llm.Client.
type Client struct {
	o   Options
	env []string
}

var _ llm.Client = (*Client)(nil)

// New makes a client. It starts nothing: whether the program is there shows when
// it is asked. Any error is an *llm.Error.
func New(o Options) (*Client, error) {
	if strings.TrimSpace(o.Marker) == "" || strings.ContainsAny(o.Marker, "\r\n") {
		return nil, &llm.Error{Kind: llm.BadRequest, Client: name, Detail: "no marker of own prompts is given"}
	}
	if o.Model == "" {
		o.Model = DefaultModel
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	c := &Client{o: o, env: o.Env}
	if c.env == nil {
		c.env = os.Environ()
	}
	return c, nil
}

// Name is "claude-cli".
func (c *Client) Name() string { return name }

// Complete starts the program and asks it once.
func (c *Client) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	if err := llm.CheckPrompt(name, p); err != nil {
		return llm.Completion{}, err
	}
	if err := llm.ContextError(ctx, name); err != nil {
		return llm.Completion{}, err
	}
	if Nested(c.lookup) {
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Client: name,
			Detail: "we were started by a call of our own", Fix: "nothing needs to be done: a call within a call would never end"}
	}
	program, err := c.find()
	if err != nil {
		return llm.Completion{}, &llm.Error{Kind: llm.NotInstalled, Client: name, Detail: llm.Clean(err.Error()),
			Fix: "install Claude Code and log in once, or choose another client"}
	}
	dir, err := newRoom(p)
	if err != nil {
		return llm.Completion{}, &llm.Error{Kind: llm.Unavailable, Client: name, Detail: llm.Clean(err.Error()),
			Fix: "make room in the folder for temporary files"}
	}
	defer dir.remove()
	r := &reply{secrets: c.secrets()}
	ended := c.run(ctx, program, dir, p, r)
	if completion, ok := r.complete(); ok {
		return completion, nil
	}
	if err := llm.ContextError(ctx, name); err != nil {
		return r.used(), err
	}
	return r.used(), r.explain(ended)
}

// Find gives the path of the claude program that a client with these options starts,
// and starts nothing: whether anybody is logged in shows when it is asked.
func Find(o Options) (string, error) {
	c := Client{o: o, env: o.Env}
	if c.env == nil {
		c.env = os.Environ()
	}
	return c.find()
}

func (c *Client) lookup(key string) (string, bool) {
	for i := len(c.env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(c.env[i], key+"="); ok {
			return value, true
		}
	}
	return "", false
}

// secrets are what the program may quote when it is turned away.
func (c *Client) secrets() []string {
	var all []string
	for _, key := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"} {
		if value, _ := c.lookup(key); value != "" {
			all = append(all, value)
		}
	}
	return all
}

// find is the path of the program. A service has a short PATH: without a name
// from the person it is also looked for where its installers put it.
func (c *Client) find() (string, error) {
	program := c.o.Program
	if program == "" {
		program = DefaultProgram
	}
	path, err := exec.LookPath(program)
	if err == nil {
		return filepath.Abs(path)
	}
	home, _ := c.lookup("HOME")
	if c.o.Program == "" && home != "" {
		for _, at := range []string{".local/bin/claude", ".claude/local/claude", ".npm-global/bin/claude"} {
			if path, err := exec.LookPath(filepath.Join(home, filepath.FromSlash(at))); err == nil {
				return path, nil
			}
		}
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "", errors.New("there is no program " + filepath.Base(program))
	}
	return "", err
}
