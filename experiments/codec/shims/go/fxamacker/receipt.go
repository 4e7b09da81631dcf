package main

import (
	"bytes"
	"ffibench"
	"runtime"
)

// Digests the fixtures' messages, and what the loop left of its last one.
func (b *bench[M, P]) end(iterations int) {
	b.collections = collected() - b.collections
	var digests struct{ requests, answers, fields uint32 }
	add := func(request, answer []byte, fields string) {
		digests.requests = digest(digests.requests, request)
		digests.answers = digest(digests.answers, answer)
		digests.fields = digest(digests.fields, []byte(fields))
	}
	for place := range b.fixtures {
		request := b.encoded(&b.fixtures[place])
		answer := b.checked(request)
		add(request, answer, b.decoded(answer))
	}
	switch b.step {
	case "decode":
		last := iterations - 1
		b.request = b.encoded(b.message(last % rotated))
		add(b.request, b.checked(b.request), b.kept(b.ready[last%len(b.ready)]))
	case "total":
		add(b.request, b.answered, b.kept(b.room))
	case "call":
		add(b.request, b.answered, b.decoded(b.answered))
	default:
		answer := b.checked(b.request)
		add(b.request, answer, b.decoded(answer))
	}
	b.receipt = ffibench.Receipt{
		"messages": iterations,
		"sum":      b.sum,
		"requests": digests.requests,
		"answers":  digests.answers,
		"fields":   digests.fields,
		"refused":  refused(b.isBlock),
	}
}

func digest(before uint32, data []byte) uint32 { return codec_digest(before, data, uint(len(data))) }

// Returns the fields of the last message. What it was decoded from is overwritten meanwhile: a copy does not change
// with it.
func (b *bench[M, P]) kept(from []byte) string {
	if b.kind == view {
		return b.value.fields()
	}
	saved := bytes.Clone(from)
	clear(from)
	fields := b.value.fields()
	copy(from, saved)
	return fields
}

// Returns the fields of an answer.
func (b *bench[M, P]) decoded(answer []byte) string {
	value := P(new(M))
	check(b.decode(answer, value))
	return value.fields()
}

// Has a message answered outside of a loop.
func (b *bench[M, P]) checked(request []byte) []byte {
	answer := make([]byte, len(request)+rotated)
	return answer[:lengthOf(checkedLength(b.isBlock, b.number, request, answer))]
}

func checkedLength(isBlock, number int32, request, answer []byte) int {
	return codec_check(isBlock, number, request, uint(len(request)), answer, uint(len(answer)))
}

// Counts the bad messages that host and library refuse: one that ends too soon, one that is not UTF-8.
func refused(isBlock int32) int {
	own := asCBOR[request]()
	if isBlock != 0 {
		own = asBlock[request]()
	}
	good, err := own.encode(&request{Message: "a text", Number: 1})
	check(err)
	found := 0
	for _, bad := range [][]byte{good[:len(good)-1], bytes.Replace(good, []byte("t"), []byte{0xFF}, 1)} {
		if checkedLength(isBlock, CODEC_REQUEST, bad, make([]byte, 64)) < 0 {
			found++
		}
		if own.decode(bad, new(request)) != nil {
			found++
		}
	}
	return found
}

// Returns how often garbage has been collected. The loop's own goroutine asks, outside of the clocks.
func collected() uint32 {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.NumGC
}
