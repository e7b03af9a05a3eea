package plugin

import (
	"context"
	"encoding/json"
	"errors"

	"recollect/hostapi"
	"recollect/internal/inject"
	"recollect/internal/memorize"
	"recollect/internal/printable"
)

// Whatever a plug-in sends, as an answer or as a request, passes [scan] before it
// is decoded. A few bytes of JSON can stand for a large struct, so a limit on
// bytes alone lets 8 MB become gigabytes.

// ending makes an abort of what must end a call; other errors stay as they are.
// what is the beginning of the sentence.
func ending(ctx context.Context, what string, err error) error {
	var over *errShape
	if errors.As(err, &over) {
		return &abort{KindLimit, what + " " + over.reason}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// replyShape is that of answers of which nothing more is known.
func replyShape() shape {
	return shape{lists: map[string]int{"evidence": hostapi.MaxEvidence, "warnings": hostapi.MaxWarnings}}
}

func (sh shape) and(key string, most int) shape {
	sh.lists[key] = min(most, hostapi.MaxList)
	return sh
}

// spare is what an answer may have more than the request can account for, so that
// a small slip is told from an attack.
const spare = 100

func extractShape() shape {
	return replyShape().and("items", hostapi.MaxFound).and("refused", hostapi.MaxRefused).and("rejected", hostapi.MaxRefused)
}

func evolveShape(x memorize.Evolution) shape {
	most := len(x.Memory.Items) + len(x.Found) + spare
	return replyShape().and("items", most).and("changes", 2*most)
}

func checkShape(n int) shape { return replyShape().and("items", n+spare).and("rejects", n+spare) }

func selectShape(s inject.Selection) shape {
	return replyShape().and("selected", len(s.Items)+spare).and("left", len(s.Items)+spare)
}

// decode takes an answer apart, while the clock of the call runs. An empty one
// and a null result are nothing found. into, if not nil, decodes the result.
func (s *session) decode(answer []byte, sh shape, into func([]byte) error) (result json.RawMessage, err error) {
	if len(answer) == 0 {
		return nil, nil
	}
	s.clock.start()
	defer s.clock.stop()
	// The instance may be with another call already.
	if s.usage.Fuel += byteFuel * int64(len(answer)); s.limits.Fuel > 0 && s.usage.Fuel > s.limits.Fuel {
		return nil, s.spent()
	}
	parts, err := scan(s.ctx, answer, sh)
	if err != nil {
		return nil, notOfForm("its answer", ending(s.ctx, "its answer", err))
	}
	if raw := parts.get("error"); raw != nil {
		var e hostapi.Error
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, notOfForm("its answer", err)
		}
		e.Code, e.Message = hostapi.Code(printable.Line(string(e.Code), 40)), printable.Line(e.Message, maxReason)
		return nil, &e
	}
	result = parts.get("result")
	if result != nil && into != nil {
		if err := into(result); err != nil {
			return nil, notOfForm("its result", err)
		}
	}
	return result, nil
}

// notOfForm leaves alone what ended the call.
func notOfForm(what string, err error) error {
	var ends *abort
	if errors.As(err, &ends) || errors.Is(err, errDeadline) || errors.Is(err, errWaits) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &abort{KindInvalid, what + " is not of its form: " + printable.Line(err.Error(), 200)}
}
