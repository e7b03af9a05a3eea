//go:build !wasip1

package guest

import (
	"encoding/json"

	"recollect/hostapi"
)

// Host answers a plug-in that is built natively for its tests. [Fake] is one.
type Host interface {
	// Answer answers one request.
	Answer(hostapi.Request) hostapi.Answer
	// Log takes one line of the plug-in's log.
	Log(level int32, line string)
}

var host Host

// SetHost makes h the host of this process and returns a function that puts the
// former one back. A plug-in has one host: tests that use it can't run in
// parallel.
func SetHost(h Host) (restore func()) {
	former := host
	host = h
	return func() { host = former }
}

// Invoke calls an export of the plug-in as the host would: it encodes in, calls,
// and gives the result or the error that the plug-in answered.
func Invoke(export func(n int32) int64, in any) (json.RawMessage, error) {
	data, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	request = data
	if export(int32(len(data))) == 0 {
		return nil, nil
	}
	var a hostapi.Answer
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, err
	}
	if a.Error != nil {
		return nil, a.Error
	}
	return a.Result, nil
}

func place(data []byte) int64 { return int64(len(data)) }

func ask(req []byte) []byte {
	a := hostapi.Answer{Error: &Error{Code: hostapi.CodeUnavailable, Message: "no host is set: see guest.SetHost"}}
	var r hostapi.Request
	if err := json.Unmarshal(req, &r); err != nil {
		a.Error = &Error{Code: hostapi.CodeInvalid, Message: err.Error()}
	} else if host != nil {
		a = host.Answer(r)
	}
	data, err := json.Marshal(a)
	if err != nil {
		return nil
	}
	return data
}

func log(level int32, line string) {
	if host != nil {
		host.Log(level, line)
	}
}
