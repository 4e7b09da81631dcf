// xsub through every Go shim: one loop for all bindings, in the signature of C.
package main

import (
	"ffibench"
	"syscall"
)

func check(ok bool, call string) {
	if !ok {
		ffibench.Fail("%s: %v", call, syscall.Errno(zmq_errno()))
	}
}

func main() {
	context := zmq_ctx_new()
	check(context != nil, "zmq_ctx_new")
	// An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
	peers := ffibench.Number(ffibench.Option("peers"))
	var kind int32 = ZMQ_PUB
	if peers > 0 {
		kind = ZMQ_XPUB
	}
	socket := zmq_socket(context, kind)
	check(socket != nil, "zmq_socket")
	check(zmq_bind(socket, ffibench.Text(ffibench.Option("endpoint"))) == 0, "zmq_bind")
	for peer := 0; peer < peers; peer++ { // a subscription to everything is a message of one byte
		check(zmq_recv(socket, make([]byte, 1), 1, 0) == 1, "zmq_recv")
	}

	message := []byte(ffibench.Option("message"))
	size := len(message)

	run := func(iterations int) {
		for i := 0; i < iterations; i++ {
			if zmq_send(socket, message, uint(size), 0) != int32(size) {
				ffibench.Fail("zmq_send did not take the whole message")
			}
		}
	}
	empty := func(iterations int) {
		sent := ffibench.Opaque(int32(size))
		for i := 0; i < iterations; i++ {
			if sent != int32(size) {
				ffibench.Fail("zmq_send did not take the whole message")
			}
		}
	}
	receipt := func(iterations int) ffibench.Receipt {
		return ffibench.Receipt{"sends": iterations, "bytes": iterations * size}
	}
	ffibench.Serve(ffibench.Work{
		Cases: map[string]ffibench.Loops{"send": {Run: run, Empty: empty, Receipt: receipt}},
	})

	check(zmq_close(socket) == 0, "zmq_close")
	check(zmq_ctx_term(context) == 0, "zmq_ctx_term")
}
