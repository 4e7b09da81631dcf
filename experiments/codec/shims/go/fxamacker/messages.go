package main

import (
	"fmt"
	"math"
	"strings"
)

// The messages of codec as types of Go: those that are timed, and the fixtures that each slice is verified with.

const (
	rotated     = 8 // messages in a row that differ
	firstNumber = 100_000
	shortText   = 16
	oddText     = "é€😀"
	oddTimes    = 100
	longText    = 300
)

// A message is a pointer to one of the types below.
type message[M any] interface {
	*M
	vary(iteration int) // makes it the one of an iteration
	light() int         // what an iteration adds up of a message that was decoded
	fields() string     // written out as by as_fields of _messages.py
	pack() []byte       // as a struct in one block
	unpack(block []byte) error
}

// A shape is what a loop needs besides the type of its messages.
type shape[M any] struct {
	number int32
	// Makes the messages that a loop goes through in turn; size is that of a payload. Those of a payload are one, of
	// which the last byte is changed.
	timed    func(size int) []M
	fixtures []M // one that is empty or absent, one that is little, and extremes
	// Makes an answer the one that an iteration decodes; nil where there are several.
	varyAnswer func(answer []byte, iteration int)
}

type request struct {
	_       struct{} `cbor:",toarray"`
	Message string
	Number  int64
}

type response struct {
	_      struct{} `cbor:",toarray"`
	First  string
	Second string
}

type complexRequest struct {
	_     struct{} `cbor:",toarray"`
	Items []request
	Tags  []string
	Note  *string
}

type payload struct {
	_     struct{} `cbor:",toarray"`
	Bytes []byte
}

// A view's bytes are those of the answer; all else is as of a payload that has its own.
type payloadView struct{ payload }

var requests = shape[request]{
	number: CODEC_REQUEST,
	timed: func(int) []request {
		return []request{{Message: "hello from the other side"}}
	},
	fixtures: []request{
		{},
		{Message: "a", Number: -1},
		{Message: strings.Repeat(oddText, oddTimes), Number: math.MaxInt64},
	},
}

func (r *request) vary(iteration int) { r.Number = int64(firstNumber + iteration) }
func (r *request) light() int         { return int(r.Number) }
func (r *request) fields() string     { return fmt.Sprintf("2[%s%d;]", textFields(r.Message), r.Number) }

var responses = shape[response]{
	number: CODEC_RESPONSE,
	timed: func(int) []response {
		made := make([]response, rotated)
		for place := range made {
			made[place] = response{First: "status: everything is fine", Second: strings.Repeat("x", shortText+place)}
		}
		return made
	},
	fixtures: []response{
		{},
		{First: "a"},
		{First: strings.Repeat(oddText, oddTimes), Second: strings.Repeat("z", longText)},
	},
}

func (r *response) vary(int)       {}
func (r *response) light() int     { return len(r.First) }
func (r *response) fields() string { return "2[" + textFields(r.First) + textFields(r.Second) + "]" }

var complexRequests = shape[complexRequest]{
	number: CODEC_COMPLEX,
	timed: func(int) []complexRequest {
		note := "a note, which may be absent"
		return []complexRequest{{
			Items: []request{{Message: "first item"}, {Message: "second item", Number: 1}, {Message: "third item", Number: -2}},
			Tags:  []string{"alpha", "beta", "gamma", "delta"},
			Note:  &note,
		}}
	},
	fixtures: []complexRequest{
		{Items: []request{}, Tags: []string{}}, // a nil slice would be null
		{Items: make([]request, 1), Tags: make([]string, 1)},
		{
			Items: repeat(request{Message: oddText, Number: math.MinInt64}),
			Tags:  repeat(oddText),
			Note:  new(string),
		},
	},
}

func (c *complexRequest) vary(iteration int) { c.Items[0].vary(iteration) }
func (c *complexRequest) light() int         { return c.Items[0].light() + len(c.Tags) }

func (c *complexRequest) fields() string {
	var out strings.Builder
	fmt.Fprintf(&out, "3[%d[", len(c.Items))
	for place := range c.Items {
		out.WriteString(c.Items[place].fields())
	}
	fmt.Fprintf(&out, "]%d[", len(c.Tags))
	for _, tag := range c.Tags {
		out.WriteString(textFields(tag))
	}
	note := "-"
	if c.Note != nil {
		note = textFields(*c.Note)
	}
	return out.String() + "]" + note + "]"
}

var payloads = shape[payload]{
	number:     CODEC_PAYLOAD,
	timed:      timedPayload,
	fixtures:   payloadFixtures,
	varyAnswer: varyLast,
}

var payloadViews = shape[payloadView]{
	number: CODEC_PAYLOAD,
	timed: func(size int) []payloadView {
		return viewed(timedPayload(size))
	},
	fixtures:   viewed(payloadFixtures),
	varyAnswer: varyLast,
}

var payloadFixtures = []payload{{Bytes: []byte{}}, {Bytes: []byte{0}}, {Bytes: allBytes(1024, 1, 0)}}

func timedPayload(size int) []payload { return []payload{{Bytes: allBytes(size, 7, 3)}} }

func (p *payload) vary(iteration int) { p.Bytes[len(p.Bytes)-1] = byte(iteration) }
func (p *payload) light() int         { return int(p.Bytes[len(p.Bytes)-1]) }
func (p *payload) fields() string     { return "1[" + textFields(string(p.Bytes)) + "]" }

func varyLast(answer []byte, iteration int) { answer[len(answer)-1] = byte(iteration%rotated + 1) }

func viewed(made []payload) []payloadView {
	views := make([]payloadView, len(made))
	for place := range made {
		views[place].payload = made[place]
	}
	return views
}

func allBytes(size, step, first int) []byte {
	bytes := make([]byte, size)
	for place := range bytes {
		bytes[place] = byte(step*place + first)
	}
	return bytes
}

func repeat[T any](one T) []T {
	all := make([]T, oddTimes)
	for place := range all {
		all[place] = one
	}
	return all
}

func textFields(text string) string { return fmt.Sprintf("%d:%s", len(text), text) }
