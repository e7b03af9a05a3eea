// Package voice decides who spoke in a record of a transcript, and which of its
// text are a person's own words. It is the only place that does: sources find
// the fields, this package says what they mean.
//
// A record counts before its words. What it says of itself (Claim) is believed
// first; only where it says nothing do the words tell, by the elements that
// clients wrap around what others say (Words). Of what comes back from a tool
// only what a person typed in between is theirs (Result).
//
// A value that is not known here is not the person's: clients add kinds of
// senders, and a person's word is what memory believes.
package voice

// Speaker is who spoke in a record.
type Speaker uint8

// The speakers.
const (
	// Unknown is somebody whom the record names and this package does not know.
	Unknown Speaker = iota
	Person
	Assistant
	Agent  // another session, or a program that sends messages
	Task   // a subagent or a task of the assistant's own
	Client // the assistant's program itself
	Tool
)

// Claim is what a record says of who spoke in it. Texts are as they stand in the
// record; an empty one says nothing.
type Claim struct {
	// Kind is "user", "assistant", or of an attachment "queued_command".
	Kind string
	// Origin is the kind of the record's origin, Source where its prompt came from;
	// of a queued command both stand in the record and in what is attached to it.
	Origin, Source [2]string
	// Mode of a queued command.
	Mode string
	// Beside says that the record is a subagent's own.
	Beside bool
	// Hidden says that the client wrote the text: meta text, the summary of a
	// compaction, an error, what is only to be seen in the transcript.
	Hidden bool
	// Made says that no model made an assistant's message.
	Made bool
}

// Speaker gives who spoke.
func (c *Claim) Speaker() Speaker {
	switch {
	case c.Kind != "user" && c.Kind != "assistant" && c.Kind != "queued_command":
		return Client
	case c.Beside:
		return Task
	case c.Kind == "assistant" && !c.Made && !c.Hidden:
		return Assistant
	case c.Kind == "assistant":
		return Client
	}
	for i := range c.Origin {
		if s := byOrigin(c.Origin[i]); s != Person {
			return s
		}
		if s := bySource(c.Source[i]); s != Person {
			return s
		}
	}
	if c.Hidden {
		return Client
	}
	return byMode(c.Mode)
}

// Said reports whether the record itself says that a person spoke, so that an
// element of another's in its words is one that they pasted.
func (c *Claim) Said() bool {
	return c.Speaker() == Person && (c.Origin != [2]string{} || c.Source != [2]string{})
}

// Outsider reports whether what a speaker sends is for the assistant alone: what
// it answers is not said to the person, and would be another's word in its mouth.
func (s Speaker) Outsider() bool { return s == Agent || s == Unknown }

// Stranger gives what it was in the record that is not known: the name of the
// field and its value. It gives "", "" where Speaker is not Unknown.
func (c *Claim) Stranger() (field, value string) {
	if c.Speaker() != Unknown {
		return "", ""
	}
	for i := range c.Origin {
		if byOrigin(c.Origin[i]) == Unknown {
			return "origin", c.Origin[i]
		}
		if bySource(c.Source[i]) == Unknown {
			return "promptSource", c.Source[i]
		}
	}
	return "", ""
}

// byMode reads the mode of a queued command. Modes are the client's own doing:
// of all but a prompt nothing is said.
func byMode(mode string) Speaker {
	switch mode {
	case "", "prompt":
		return Person
	case "task-notification":
		return Task
	}
	return Client
}

// byOrigin reads the kind of an origin. Old clients have none.
func byOrigin(kind string) Speaker {
	switch kind {
	case "", "human":
		return Person
	case "peer", "coordinator", "observer", "observer-activity", "channel", "slack-ping", "voice-call", "plugin":
		return Agent
	case "task-notification":
		return Task
	case "auto-continuation", "unclassified":
		return Client
	}
	return Unknown
}

// bySource reads where a prompt came from. One that the client offered and the
// person took is theirs, as an option that they chose is.
func bySource(source string) Speaker {
	switch source {
	case "", "typed", "queued", "sdk", "suggestion_accepted":
		return Person
	case "system":
		return Client
	}
	return Unknown
}
