// xsub through the package zmq4 as its users write it: `socket.SendBytes(message, 0)`.
package main

import (
	"ffibench"
	"fmt"

	zmq "github.com/pebbe/zmq4"
)

func check(err error) {
	if err != nil {
		ffibench.Fail("%v", err)
	}
}

func main() {
	context, err := zmq.NewContext()
	check(err)
	// An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
	peers := ffibench.Number(ffibench.Option("peers"))
	kind := zmq.PUB
	if peers > 0 {
		kind = zmq.XPUB
	}
	socket, err := context.NewSocket(kind)
	check(err)
	check(socket.Bind(ffibench.Option("endpoint")))
	for peer := 0; peer < peers; peer++ { // a subscription to everything
		_, err := socket.RecvBytes(0)
		check(err)
	}

	message := []byte(ffibench.Option("message"))

	run := func(iterations int) {
		for i := 0; i < iterations; i++ {
			if _, err := socket.SendBytes(message, 0); err != nil {
				ffibench.Fail("SendBytes: %v", err)
			}
		}
	}
	empty := func(iterations int) {
		err := ffibench.Opaque(error(nil))
		for i := 0; i < iterations; i++ {
			if err != nil {
				ffibench.Fail("SendBytes: %v", err)
			}
		}
	}
	receipt := func(iterations int) ffibench.Receipt {
		return ffibench.Receipt{"sends": iterations, "bytes": iterations * len(message)}
	}
	major, minor, patch := zmq.Version()
	ffibench.Serve(ffibench.Work{
		Library: fmt.Sprintf("%d.%d.%d", major, minor, patch),
		Cases:   map[string]ffibench.Loops{"send": {Run: run, Empty: empty, Receipt: receipt}},
	})

	check(socket.Close())
	check(context.Term())
}
