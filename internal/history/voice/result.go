package voice

import "strings"

// Called is the tool that was called, as far as a transcript tells.
type Called uint8

// The tools.
const (
	// Untold is where the transcript does not have the call.
	Untold   Called = iota
	Asking          // puts questions to the person
	Planning        // shows a plan to the person
	Foreign         // somebody else's tool, which may print anything as a failure
	Other
)

// CalledBy tells tools apart by their names.
func CalledBy(name string) Called {
	switch {
	case name == "AskUserQuestion":
		return Asking
	case name == "ExitPlanMode" || name == "exit_plan_mode":
		return Planning
	case strings.HasPrefix(name, "mcp__"):
		return Foreign
	}
	return Other
}

// Answer is what a person answered to one question.
type Answer struct{ Question, Said, Notes string }

// Result is what a record holds of the result of a tool call. All of it is the
// tool's, but for what a person typed while the call waited for them: answers,
// the reason why they refused it, what they changed in a plan.
type Result struct {
	Called Called
	// Text is the result as the model saw it. Failed says that it counts as an
	// error; Ran that the record holds what a tool gave back, and not words only.
	Text   string
	Failed bool
	Ran    bool
	// Denial is why the call was not made: the client's word for it, "" where it
	// says none. ByHost says that another program denied it.
	Denial string
	ByHost bool
	// Feedback is what the record says that the person gave as a reason.
	Feedback string
	// Answers are those that the record holds, in their order; Response is one to
	// all of the questions.
	Answers  []Answer
	Response string
	// Away says that the person was not there, and the client went on without them.
	Away bool
	// Plan is the plan as the person let it pass, if they Edited it. Known says
	// whether a line stood in it before; nil: it is not known what did.
	Plan   string
	Edited bool
	Known  func(line string) bool
}

// Words gives a person's words in the result of a call: an answer below the
// question that it answers, which stands there as a quote.
func (r *Result) Words() string {
	if r.Failed || r.Feedback != "" {
		return r.refusal()
	}
	switch r.Called {
	case Asking, Untold:
		if w := r.answers(); w != "" {
			return w
		}
	}
	switch r.Called {
	case Planning, Untold:
		return r.edits()
	}
	return ""
}

// How a result begins where a person refused the call, and what stands before
// what they said.
var (
	refused = [...]string{"The user doesn't want to proceed with this tool use.", "The user doesn't want to take this action right now.", "Permission for this tool use was denied."}
	reasons = "the user said:"
)

const (
	rejected  = "user-rejected"
	advice    = "\n\nNote: The user's next message "
	clarifies = "The user wants to clarify these questions."
	enough    = "The user has indicated "
)

// refusal gives the reason for which a person refused a call. Old clients have
// it in the result only, where somebody else's tool could have put it too.
func (r *Result) refusal() string {
	if r.ByHost || r.Ran || r.Denial != "" && r.Denial != rejected {
		return ""
	}
	why := r.Feedback
	if why == "" {
		if r.Called == Foreign && r.Denial == "" || !r.Failed {
			return ""
		}
		text := trim(r.Text)
		for _, b := range refused {
			if strings.HasPrefix(text, b) {
				if i := strings.Index(strings.ToLower(text), reasons); i >= 0 {
					why = text[i+len(reasons):]
				}
			}
		}
	}
	why = trim(why)
	if i := strings.LastIndex(why, advice); i >= 0 {
		why = why[:i]
	}
	switch {
	case strings.HasPrefix(why, clarifies):
		return quoted(clarified(why))
	case strings.HasPrefix(why, enough):
		return ""
	}
	return Words(why)
}

// clarified reads the answers of a person who wants to talk about the questions
// first.
func clarified(text string) []Answer {
	var out []Answer
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if q, ok := strings.CutPrefix(line, `- "`); ok {
			out = append(out, Answer{Question: strings.TrimSuffix(q, `"`)})
			continue
		}
		if len(out) == 0 {
			continue
		}
		last := &out[len(out)-1]
		if a, ok := strings.CutPrefix(line, "  Answer: "); ok {
			last.Said = a
		} else if n, ok := strings.CutPrefix(line, "  User notes: "); ok {
			last.Notes = n
		}
	}
	return out
}

// answers gives what the person answered.
func (r *Result) answers() string {
	if r.Away {
		return ""
	}
	all := r.Answers
	if len(all) == 0 && r.Called == Asking {
		all = printed(r.Text)
	}
	words := quoted(all)
	if response := Words(r.Response); response != "" {
		words = trim(words + "\n\n" + response)
	}
	return words
}

// notesOnly stands where a person chose nothing and wrote notes.
const notesOnly = "(notes only)"

// quoted gives each answer below its question.
func quoted(all []Answer) string {
	var out []string
	for _, a := range all {
		said, notes := Words(a.Said), Words(a.Notes)
		if said == notesOnly || said == notes {
			said, notes = notes, ""
		}
		if said = trim(said + "\n" + notes); said == "" {
			continue
		}
		if q := cutAll(Bare(a.Question), output, sent, reported); q != "" {
			said = "> " + strings.ReplaceAll(q, "\n", "\n> ") + "\n" + said
		}
		out = append(out, said)
	}
	return strings.Join(out, "\n\n")
}

// How results begin in which answers are printed.
var answered = [...]string{"User has answered your questions: ", "Your questions have been answered: ", "The user answered: "}

// printed reads answers as a result prints them: "question"="answer", and so on.
func printed(text string) []Answer {
	text = trim(text)
	rest, ok := "", false
	for _, b := range answered {
		if rest, ok = strings.CutPrefix(text, b); ok {
			break
		}
	}
	if !ok || !strings.HasPrefix(rest, `"`) {
		return nil
	}
	for _, end := range [...]string{". You can now continue", ". Read the answers carefully"} {
		if i := strings.LastIndex(rest, end); i >= 0 {
			rest = rest[:i]
		}
	}
	var out []Answer
	for rest != "" {
		q, after, ok := strings.Cut(rest, `"="`)
		if !ok {
			break
		}
		// The answer ends where the next question begins.
		end := len(after)
		if next := strings.Index(after, `"="`); next >= 0 {
			if i := strings.LastIndex(after[:next], `, "`); i >= 0 {
				end = i
			}
		}
		a := Answer{Question: strings.TrimPrefix(q, `"`)}
		a.Said, a.Notes = answerOf(after[:end])
		out = append(out, a)
		rest = strings.TrimPrefix(after[end:], ", ")
	}
	return out
}

// answerOf cuts what a result prints of one answer into what was chosen and the
// person's notes; what the assistant had shown beside the option goes.
func answerOf(s string) (said, notes string) {
	for _, mark := range [...]string{`" user notes: `, ` notes: `} {
		if before, after, ok := strings.Cut(s, mark); ok {
			s, notes = before, after
			break
		}
	}
	for _, mark := range [...]string{`" selected `, `" user notes`} {
		s, _, _ = strings.Cut(s, mark)
	}
	return strings.TrimSuffix(s, `"`), notes
}

// editedPlan stands before a plan in a result where the person changed it.
const editedPlan = "## Approved Plan (edited by user):"

// edits gives what the person changed in a plan: the lines that did not stand in
// it before.
func (r *Result) edits() string {
	plan, edited := r.Plan, r.Edited
	if _, after, ok := strings.Cut(r.Text, editedPlan); ok && r.Called == Planning {
		edited = true
		if plan == "" {
			plan = after
		}
	}
	if !edited {
		return ""
	}
	if r.Known == nil {
		return Words(plan)
	}
	var out strings.Builder
	gap := false
	for line := range strings.Lines(plan) {
		if trim(line) == "" || r.Known(line) {
			gap = true
			continue
		}
		if gap && out.Len() > 0 {
			out.WriteByte('\n')
		}
		gap = false
		out.WriteString(strings.TrimRight(line, "\r\n") + "\n")
	}
	return Words(out.String())
}
