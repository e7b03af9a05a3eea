package claudecode

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/history"
)

// tool makes the record of a call, outcome that of its result with what the
// record keeps beside it.
func tool(id, parent string, n int, name string, input fields) string {
	return recordLine("assistant", id, parent, n, assistant("msg_"+id, fields{"type": "tool_use", "id": "t" + id, "name": name, "input": input}))
}

func outcome(id, parent string, n int, text string, failed bool, more ...fields) string {
	return recordLine("user", id, parent, n, fields{"role": "user", "content": []any{
		fields{"type": "tool_result", "tool_use_id": "t" + parent, "is_error": failed, "content": text},
	}}, more...)
}

const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"

func asks(question string) fields {
	return fields{"questions": []any{fields{"question": question, "options": []any{fields{"label": "Redis"}, fields{"label": "SQLite"}}}}}
}

func answers(question, said string) fields {
	f := asks(question)
	f["answers"] = fields{question: said}
	return fields{"toolUseResult": f}
}

// What a person says while a call waits for them is theirs, and nothing else of
// a result is.
func TestPersonInResults(t *testing.T) {
	t.Parallel()
	printed := `User has answered your questions: "Where?"="In files". You can now continue.`
	lines := []string{
		user("a", "", 1, "Begin."),
		tool("b", "a", 2, "AskUserQuestion", asks("Where?")), outcome("c", "b", 3, printed, false, answers("Where?", "In files")),
		answer("d", "c", 4, "Fine."),
		tool("e", "d", 5, "Bash", fields{"command": "x"}), outcome("f", "e", 6, printed, false, answers("Where?", "In files")),
		tool("g", "f", 7, "Bash", fields{"command": "rm"}), outcome("h", "g", 8, refusal+"Keep it.", true, fields{"toolUseResult": "Error: " + refusal + "Keep it."}),
		tool("i", "h", 9, "mcp__x__y", fields{}), outcome("j", "i", 10, refusal+"We curl.", true, fields{"toolUseResult": "Error: " + refusal + "We curl."}),
		tool("k", "j", 11, "mcp__x__y", fields{}), outcome("l", "k", 12, refusal+"Never that.", true, fields{"toolUseResult": "User rejected tool use", "toolDenialKind": "user-rejected", "userFeedback": "Never that."}),
		tool("m", "l", 13, "ExitPlanMode", fields{"plan": "# Plan\n- make it\n- send it"}),
		outcome("n", "m", 14, "User has approved your plan.\n\n## Approved Plan (edited by user):\n# Plan\n- make it\n- always sign it", false,
			fields{"toolUseResult": fields{"plan": "# Plan\n- make it\n- always sign it", "planWasEdited": true}}),
		answer("o", "n", 15, "Done."),
		recordLine("user", "p", "o", 16, fields{"role": "user", "content": []any{
			fields{"type": "tool_result", "tool_use_id": "tb", "content": printed}, fields{"type": "tool_result", "tool_use_id": "tm", "content": printed}}}, answers("Where?", "In files")),
	}
	got, h := talkOf(t, lines...)
	want := []string{"Begin.", "> Where?\nIn files / Fine.", "Keep it.", "Never that.", "- always sign it / Done."}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if n := h.Report().Abandoned; n != 0 {
		t.Errorf("%d turns are taken for abandoned", n)
	}
	// The same where the file is read while each of the calls waits, and with an
	// index of it.
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	write(t, path)
	s := New(Options{IndexDir: t.TempDir()})
	for _, l := range lines {
		appendTo(t, path, l)
		openPath(t, s, path)
	}
	again := openPath(t, s, path)
	if d := cmp.Diff(want, talk(t, again)); d != "" {
		t.Errorf("read in parts (-want +got):\n%s", d)
	}
	if again.Revision() == "" || again.Report().BytesRead != 0 {
		t.Error("the index was not used")
	}
}

// Ids and versions are not needed to know an answer for one.
func TestAnswerWithoutIDs(t *testing.T) {
	t.Parallel()
	bare := func(line string) string {
		for _, x := range []string{`"tool_use_id":"tb",`, `,"version":"2.1.0"`} {
			line = strings.ReplaceAll(line, x, "")
		}
		return line
	}
	got, _ := talkOf(t, user("a", "", 1, "Begin."), bare(tool("b", "a", 2, "AskUserQuestion", asks("Where?"))),
		bare(recordLine("user", "c", "b", 3, fields{"role": "user", "content": []any{
			fields{"type": "tool_result", "content": `Your questions have been answered: "Where?"="In files". You can now continue.`, "tool_use_id": "tb"},
		}})))
	if d := cmp.Diff([]string{"Begin.", "> Where?\nIn files"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What another sends is nobody's here, nor what the assistant answers to it; what
// it says when a task of its own reports is its own.
func TestOthers(t *testing.T) {
	t.Parallel()
	from := func(kind string) fields { return fields{"origin": fields{"kind": kind}} }
	got, h := talkOf(t,
		user("a", "", 1, "Begin."), answer("b", "a", 2, "Begun."),
		user("c", "b", 3, "Always rebase.", from("peer")), answer("d", "c", 4, "We always rebase."),
		user("e", "d", 5, "Go on.", fields{"origin": fields{"kind": "human"}, "promptSource": "typed"}), answer("f", "e", 6, "Going on."),
		user("g", "f", 7, "It is built.", from("task-notification")), answer("h", "g", 8, "The build takes a minute."),
		user("i", "h", 9, "Always tag.", from("swarm")), answer("j", "i", 10, "We always tag."),
		user("k", "j", 11, "Always sign.", from("swarm"), fields{"isMeta": true}),
		user("l", "k", 12, "Always push.", fields{"promptSource": "a kind of prompt that is no name and longer than one"}),
		user("m", "l", 13, "Always pull.", fields{"origin": "swarm"}),
		user("n", "m", 14, "Always look.", fields{"origin": fields{}}),
		user("o", "n", 15, "Always see.", fields{"isVisibleInTranscriptOnly": true}),
		recordLine("user", "p", "o", 16, fields{"role": "user", "content": []any{
			fields{"type": "text", "text": `<cross-session-message from="x">`}, fields{"type": "text", "text": "Always cut."}, fields{"type": "text", "text": "</cross-session-message>"}}}),
		recordLine("attachment", "q", "p", 17, nil, fields{"attachment": fields{"type": "queued_command", "prompt": "Always queue.", "origin": fields{"kind": "peer"}}}),
		recordLine("attachment", "r", "q", 18, nil, fields{"attachment": fields{"type": "queued_command", "prompt": "Always wait.", "isMeta": true}}),
		user("s", "r", 19, "The end.", fields{"origin": nil, "promptSource": nil}), answer("t", "s", 20, "Good."),
	)
	if d := cmp.Diff([]string{"Begin. / Begun.", "Go on. / Going on. / The build takes a minute.", "The end. / Good."}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	want := []history.Stranger{{Field: "origin", Kind: "", Records: 1}, {Field: "origin", Kind: "swarm", Records: 3}, {Field: "promptSource", Kind: "", Records: 1}}
	if d := cmp.Diff(want, h.Report().Strangers); d != "" {
		t.Errorf("strangers (-want +got):\n%s", d)
	}
}

// A record that says nothing of session, branch and directory is where the one
// before it was, also if that was read on another day.
func TestBareQueuedRecord(t *testing.T) {
	t.Parallel()
	bare := recordLine("attachment", "absent", "", 3, nil, fields{"uuid": "absent", "sessionId": "absent", "cwd": "absent", "gitBranch": "absent", "version": "absent", "userType": "absent",
		"attachment": fields{"type": "queued_command", "commandMode": "prompt", "prompt": "Always test."}})
	noBranch := user("d", "b", 4, "Go on.", fields{"gitBranch": "absent"})
	path := write(t, filepath.Join(t.TempDir(), "other.jsonl"), user("a", "", 1, "Begin.", fields{"gitBranch": "fix"}), answer("b", "a", 2, "Begun.", fields{"gitBranch": "fix"}))
	s := New(Options{IndexDir: t.TempDir()})
	openPath(t, s, path)
	appendTo(t, path, bare, noBranch)
	openPath(t, s, path)
	h := openPath(t, s, path)
	if d := cmp.Diff([]string{"Begin. / Begun.", "Always test.", "Go on."}, talk(t, h)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, r := range h.Refs("*") {
		if r.Session != "s1" || r.Branch != "fix" {
			t.Errorf("turn %s is of session %s, branch %s", r.ID, r.Session, r.Branch)
		}
	}
	if h.Report().BytesRead != 0 {
		t.Error("the index was not used")
	}
}
