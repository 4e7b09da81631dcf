// codec in Go: messages are encoded and decoded by fxamacker/cbor, or as a struct in one block, and answered by the
// library through cgo.
package main

import (
	"ffibench"
	"math"
	"runtime/debug"
	"strings"
)

func main() {
	fixHeap()
	size := ffibench.Number(ffibench.Option("size"))
	cases := map[string]ffibench.Loops{}
	for _, entry := range strings.Split(ffibench.Option("cases"), ",") {
		name, _, _ := strings.Cut(entry, ":")
		if loops, found := planned(name, size); found {
			cases[name] = loops
		}
	}
	ffibench.Serve(ffibench.Work{Library: GoString(codec_version()), Cases: cases})
}

// The heap is as Go has it where nobody says otherwise, whatever GOGC and GOMEMLIMIT are here. It is collected at 4 MiB
// as long as at most half of that is alive, so that its size is fixed for payloads of up to 300 KiB; with larger ones,
// it is collected at twice what is alive. A size by a limit of memory would be less fixed: the limit counts what Go has
// beside its heap too, and close to it memory is given back to the system in the loop.
//
// A slice begins with a collection outside the clocks, so that all have the same number of their own, which the figure
// `collections` says. Those that make payloads of 10 to 150 KiB have five or more, of 1 MiB two to five. In those of
// other shapes there is none, and what is made stays in the processor's cache: with a hundred times as many iterations,
// and eight collections or more, a message of the step `total` takes 1 to 25 % longer, the most in
// `request_struct_total`.
func fixHeap() {
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(math.MaxInt64)
}

// Returns the loops of a case by its key, `payload_struct_total_view`, and whether there is such a case here.
func planned(key string, size int) (ffibench.Loops, bool) {
	words := strings.SplitN(key, "_", 4)
	if len(words) < 3 {
		return ffibench.Loops{}, false
	}
	name, by, step, kind := words[0], words[1], words[2], strings.Join(words[3:], "")
	switch {
	case name == "request" && kind == "":
		return loops(requests, by, step, kind, size), true
	case name == "response" && kind == "":
		return loops(responses, by, step, kind, size), true
	case name == "complex" && kind == "":
		return loops(complexRequests, by, step, kind, size), true
	case name == "payload" && (kind == "" || kind == defaultHeap):
		return loops(payloads, by, step, kind, size), true
	case name == "payload" && by == "struct" && kind == view:
		return loops(payloadViews, by, step, kind, size), true
	}
	return ffibench.Loops{}, false
}

func loops[M any, P message[M]](of shape[M], by, step, kind string, size int) ffibench.Loops {
	made := &bench[M, P]{shape: of, way: asCBOR[M, P](), step: step, kind: kind, size: size}
	if by == "struct" {
		made.way = asBlock[M, P]()
	}
	return made.loops()
}
