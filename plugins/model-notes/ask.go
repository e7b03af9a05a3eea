package main

import (
	"errors"
	"strings"

	"recollect/hostapi"
	"recollect/hostapi/guest"
)

// tries is how often the same is asked at most.
const tries = 3

// replyError is a reply that can't be used.
type replyError struct {
	why   string // the rest of a sentence, for the model and for the log
	final bool   // to ask again is of no use
}

func (e *replyError) Error() string { return e.why }

// ask asks the model until read takes its reply, and tells it what was wrong
// with the last one. Its error is the host's, which is not asked again (the host
// has tried what can be tried), or the *replyError of the last reply.
func ask(p guest.CompleteParams, read func(reply string) error) error {
	prompt := p.Prompt
	var err error
	for n := range tries {
		if n > 0 {
			guest.Info(p.Purpose + ": asking again, the reply could not be used: " + clip(err.Error(), 300))
			p.Prompt = prompt + fill(againPrompt, "why", clip(err.Error(), 600))
		}
		reply, failed := guest.Complete(p)
		if failed != nil {
			return failed
		}
		err = read(reply)
		var bad *replyError
		if err == nil || errors.As(err, &bad) && bad.final {
			break
		}
	}
	return err
}

// stops says that an error of the host will meet every further request too, so
// that none is made. A code that is not known counts as unavailable.
func stops(err error) bool {
	var e *guest.Error
	return errors.As(err, &e) && e.Code != hostapi.CodeFailed && e.Code != hostapi.CodeInvalid
}

// modelThere says early that there is no model to ask, before a long history is
// read for nothing, and whether it is one of this machine. Any other answer is
// left to the first request.
func modelThere() (local bool, err error) {
	b, err := guest.Budget()
	for _, code := range []hostapi.Code{hostapi.CodeUnavailable, hostapi.CodeBudget, hostapi.CodeDenied, hostapi.CodeCancelled} {
		if guest.IsCode(err, code) {
			return false, err
		}
	}
	return b.Local, nil
}

// named gives an error of the host the words that a person needs, and keeps its
// code.
func named(what string, err error) error {
	var e *guest.Error
	if !errors.As(err, &e) {
		return &guest.Error{Code: hostapi.CodeFailed, Message: what + ": " + err.Error()}
	}
	return &guest.Error{Code: e.Code, Message: what + ": " + e.Message, Retry: e.Retry}
}

// declined says that a reply without any JSON is a refusal to do what was asked.
func declined(reply string) bool {
	head := strings.ToLower(clip(oneLine(strings.ReplaceAll(reply, "’", "'")), 300))
	for _, s := range []string{
		"i can't ", "i cannot ", "i can not ", "i won't ", "i'm unable to", "i am unable to",
		"i'm not able to", "i am not able to", "i must decline", "i have to decline", "i'm sorry, but",
	} {
		if strings.Contains(head, s) {
			return true
		}
	}
	return false
}
