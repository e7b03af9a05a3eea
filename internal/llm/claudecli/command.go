package claudecli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"recollect/internal/llm"
)

// settings turn off what the flags leave on. The program reads each file that a
// prompt mentions with an @ before its path, tools or no tools, and sends what is
// in it: a line of somebody's transcript must not reach the person's files.
const settings = `{"disableAllHooks":true,"permissions":{"deny":["Read","Read(//**)"]}}`

// variables are the program's settings that have no flag.
var variables = []string{
	InternalEnv + "=1", DepthEnv + "=1",
	"CLAUDE_CODE_DISABLE_ATTACHMENTS=1", // mentions, once more
	"CLAUDE_CODE_DISABLE_CLAUDE_MDS=1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1",
	"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
	// One call is one request.
	"CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1", "CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK=1",
	"MAX_THINKING_TOKENS=0", // it would think, and bill, up to 32k tokens
	"NO_COLOR=1",
}

// dropped are variables that tie the program to the session that started us.
func dropped(key string) bool {
	switch key {
	case "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE":
		return true
	}
	return false
}

// room is the folder of one call. Nothing but we and the program uses it.
type room struct{ path string }

// newRoom makes a room with the files that the program is given.
func newRoom(p llm.Prompt) (room, error) {
	path, err := os.MkdirTemp("", "recollect-model-")
	if err != nil {
		return room{}, err
	}
	r := room{path}
	system := p.System
	if system == "" {
		system = "Answer the message." // without any the program sends its own, of 12 KB
	}
	if len(p.Schema) > 0 && !r.schemaFits(p) {
		p.System = system
		system = p.SystemWithSchema()
	}
	for _, dir := range []string{r.work(), r.temp()} {
		if err == nil {
			err = os.Mkdir(dir, 0o700)
		}
	}
	for file, text := range map[string]string{r.system(): system, r.settings(): settings} {
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
	}
	if err != nil {
		r.remove()
	}
	return r, err
}

func (r room) work() string     { return filepath.Join(r.path, "empty") }
func (r room) temp() string     { return filepath.Join(r.path, "tmp") }
func (r room) system() string   { return filepath.Join(r.path, "system.txt") }
func (r room) settings() string { return filepath.Join(r.path, "settings.json") }
func (r room) remove()          { os.RemoveAll(r.path) }

// maxSchemaArg is below what any system allows for one argument.
const maxSchemaArg = 24 << 10

// schemaFits tells if the schema can be an argument. It comes from a plug-in, and
// the quoting of arguments to a Windows script is not to be trusted.
func (r room) schemaFits(p llm.Prompt) bool {
	return len(p.Schema) <= maxSchemaArg && runtime.GOOS != "windows"
}

func (c *Client) arguments(r room, p llm.Prompt) []string {
	model := p.Model
	if model == "" {
		model = c.o.Model
	}
	args := []string{
		"-p", "--model=" + model,
		"--output-format", "stream-json", "--verbose", "--include-partial-messages",
		"--tools", "", "--strict-mcp-config", "--safe-mode", "--settings", r.settings(),
		"--no-session-persistence", "--max-turns", "1", "--system-prompt-file", r.system(),
	}
	if len(p.Schema) > 0 && r.schemaFits(p) {
		args = append(args, "--json-schema", string(p.Schema))
	}
	if c.o.MaxCost > 0 {
		args = append(args, "--max-budget-usd", strconv.FormatFloat(float64(c.o.MaxCost)/1e6, 'f', 6, 64))
	}
	return args
}

func (c *Client) environment(r room, p llm.Prompt) []string {
	env := slices.DeleteFunc(slices.Clone(c.env), func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return dropped(key)
	})
	env = append(env, variables...)
	return append(env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS="+strconv.Itoa(p.ReplyTokens()),
		"TMPDIR="+r.temp(), "TMP="+r.temp(), "TEMP="+r.temp())
}
