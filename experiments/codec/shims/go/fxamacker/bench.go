package main

import (
	"ffibench"
	"runtime"
)

// Kinds of cases.
const (
	defaultHeap = "default_heap"
	view        = "view"
)

// A bench is what the loops of a case work on, and what they leave for the receipt.
type bench[M any, P message[M]] struct {
	shape[M]
	way[M, P]
	step        string
	kind        string
	size        int // of a payload
	messages    []M
	ready       [][]byte // answers to decode
	room        []byte   // that the library writes answers to
	request     []byte
	answered    []byte // what the last call wrote, in that room
	value       P
	sum         int
	collections uint32
	receipt     ffibench.Receipt
}

// Returns the loops of the case.
func (b *bench[M, P]) loops() ffibench.Loops {
	runs := map[string]func(int){"encode": b.encodes, "call": b.calls, "decode": b.decodes, "total": b.totals}
	return ffibench.Loops{
		Run:     runs[b.step],
		Empty:   b.nothing,
		Before:  b.begin,
		After:   b.end,
		Receipt: func(int) ffibench.Receipt { return b.receipt },
		Figures: func() ffibench.Receipt { return ffibench.Receipt{"collections": b.collections} },
	}
}

// Makes the message of an iteration.
func (b *bench[M, P]) message(iteration int) P {
	made := P(&b.messages[iteration%len(b.messages)])
	made.vary(iteration)
	return made
}

// Encodes each message.
func (b *bench[M, P]) encodes(iterations int) {
	sum := 0
	for i := 0; i < iterations; i++ {
		request, err := b.encode(b.message(i))
		check(err)
		sum += len(request)
		b.request = request
	}
	b.sum = sum
}

// Has the same message answered.
func (b *bench[M, P]) calls(iterations int) {
	sum, length := 0, 0
	for i := 0; i < iterations; i++ {
		length = lengthOf(b.answer(b.number, b.request, uint(len(b.request)), b.room, uint(len(b.room))))
		sum += length
	}
	b.answered, b.sum = b.room[:length], sum
}

// Decodes answers that are ready.
func (b *bench[M, P]) decodes(iterations int) {
	sum := 0
	for i := 0; i < iterations; i++ {
		answer := b.ready[i%len(b.ready)]
		if b.varyAnswer != nil {
			b.varyAnswer(answer, i)
		}
		value := P(new(M))
		check(b.decode(answer, value))
		sum += value.light()
		b.value = value
	}
	b.sum = sum
}

// Encodes a message, has it answered, decodes the answer.
func (b *bench[M, P]) totals(iterations int) {
	sum := 0
	for i := 0; i < iterations; i++ {
		request, err := b.encode(b.message(i))
		check(err)
		length := lengthOf(b.answer(b.number, request, uint(len(request)), b.room, uint(len(b.room))))
		value := P(new(M))
		check(b.decode(b.room[:length], value))
		sum += value.light()
		b.request, b.answered, b.value = request, b.room[:length], value
	}
	b.sum = sum
}

// Makes the messages alone, where the case's step makes any.
func (b *bench[M, P]) nothing(iterations int) {
	sum, encodes := 0, b.step == "encode" || b.step == "total"
	for i := 0; i < iterations; i++ {
		if encodes {
			b.message(i)
		}
		sum += lengthOf(len(b.room))
	}
	b.sum = sum
}

// Drops what the slice before left, warms the heap of C where the case has it so, and collects.
func (b *bench[M, P]) begin(int) {
	b.value, b.answered = nil, nil
	if b.kind != defaultHeap && codec_warm_heap() != 0 {
		ffibench.Fail("codec: the heap cannot be kept warm: malloc is not glibc's")
	}
	if b.messages == nil {
		b.open()
	}
	b.request = b.encoded(b.message(0))
	runtime.GC()
	b.collections = collected()
}

// Drops what the case before worked on.
var closeBench = func() {}

// Makes the messages and the answers to decode, when the case comes: only what one case needs is alive.
func (b *bench[M, P]) open() {
	closeBench()
	closeBench = func() { b.messages, b.ready, b.room, b.request, b.answered, b.value = nil, nil, nil, nil, nil, nil }
	room := 0
	for place := range b.fixtures {
		room = max(room, len(b.encoded(&b.fixtures[place])))
	}
	b.messages = b.timed(b.size)
	answers := rotated
	if b.varyAnswer != nil {
		answers = 1
	}
	for place := 0; place < answers; place++ {
		answer := b.checked(b.encoded(b.message(place)))
		b.ready = append(b.ready, answer)
		room = max(room, len(answer))
	}
	b.room = make([]byte, room+rotated)
}

func (b *bench[M, P]) encoded(made P) []byte {
	request, err := b.encode(made)
	check(err)
	return request
}
