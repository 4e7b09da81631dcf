// weather through every Go shim: one file for all bindings and both roles, in the signature of C.
package main

import (
	"bytes"
	"ffibench"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

const (
	filter = "10001 "
	room   = 256
)

var (
	socket   unsafe.Pointer
	patience float64 // seconds
	memory   = make([]byte, room)
)

func check(ok bool, call string) {
	if !ok {
		ffibench.Fail("%s: %v", call, syscall.Errno(zmq_errno()))
	}
}

func again() bool { return syscall.Errno(zmq_errno()) == syscall.EAGAIN }

func set(option int32, value []byte) {
	check(zmq_setsockopt(socket, option, value, uint(len(value))) == 0, "zmq_setsockopt")
}

func setNumber(option, value int32) {
	set(option, unsafe.Slice((*byte)(unsafe.Pointer(&value)), unsafe.Sizeof(value)))
}

// The publisher.

var zipcodes, seed, published int

func bound(port string) string {
	address := "tcp://127.0.0.1:" + port
	if port == "0" {
		address = "tcp://127.0.0.1:*"
	}
	check(zmq_bind(socket, ffibench.Text(address)) == 0, "publisher: "+address)
	size := uint(room)
	check(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, memory, &size) == 0, "zmq_getsockopt")
	endpoint, _, _ := bytes.Cut(memory[:size], []byte{0})
	return string(endpoint)
}

func awaitSubscription(int) {
	for event := byte(0); event != 1; event = memory[0] { // the one before has been taken back, which comes first
		if zmq_recv(socket, memory, room, 0) >= 0 {
			continue
		}
		if again() {
			ffibench.Fail("publisher: no subscriber came within %g s", patience)
		}
		check(false, "zmq_recv")
	}
}

func draw(state *int) int {
	*state = 16807 * *state % 2147483647
	return *state
}

// Draws and formats the next update into memory that there is.
func nextUpdate(state *int, update []byte) []byte {
	zipcode := (10001 + draw(state)%zipcodes) % 100000
	temperature := draw(state)%215 - 80
	humidity := draw(state)%50 + 10
	return fmt.Appendf(update[:0], "%05d %d %d", zipcode, temperature, humidity)
}

func publish(iterations int) {
	state, total := seed, 0
	update := make([]byte, 0, room)
	for i := 0; i < iterations; i++ {
		update = nextUpdate(&state, update)
		if zmq_send(socket, update, uint(len(update)), 0) != int32(len(update)) {
			ffibench.Fail("publisher: zmq_send did not take the whole update")
		}
		total += len(update)
	}
	published = total
}

func publishNothing(iterations int) {
	state, total := seed, 0
	update := make([]byte, 0, room)
	for i := 0; i < iterations; i++ {
		update = nextUpdate(&state, update)
		if ffibench.Opaque(int32(len(update))) != int32(len(update)) {
			ffibench.Fail("publisher: zmq_send did not take the whole update")
		}
		total += len(update)
	}
	published = total
}

// The subscriber.

var (
	matches, total int
	firstMatch     time.Duration
)

func missed(came, wanted int) {
	check(again(), "zmq_recv")
	within := fmt.Sprintf("within %g s of each other; waiting for the publisher", patience)
	ffibench.Fail("subscriber: %d of %d updates came %s", came, wanted, within)
}

func temperatureOf(update []byte) int {
	words := strings.Fields(string(update))
	if len(words) != 3 {
		ffibench.Fail("subscriber: no weather: %s", update)
	}
	temperature, err := strconv.Atoi(words[1])
	if err != nil {
		ffibench.Fail("subscriber: no weather: %v", err)
	}
	return temperature
}

// Receives an update and parses it; so many of those that are wanted are there already.
func nextTemperature(came, wanted int) int {
	size := zmq_recv(socket, memory, room, 0)
	if size < 0 {
		missed(came, wanted)
	}
	if size > room {
		ffibench.Fail("subscriber: an update of %d bytes", size)
	}
	return temperatureOf(memory[:size])
}

func receive(iterations int) {
	start := time.Now()
	set(ZMQ_SUBSCRIBE, []byte(filter))
	sum := nextTemperature(0, iterations)
	firstMatch = time.Since(start)
	for i := 1; i < iterations; i++ {
		sum += nextTemperature(i, iterations)
	}
	matches, total = iterations, sum
}

func receiveNothing(iterations int) {
	update := []byte("10001 30 40")
	sum := 0
	for i := 0; i < iterations; i++ {
		sum += temperatureOf(ffibench.Opaque(update))
	}
	if sum != 30*iterations {
		ffibench.Fail("subscriber: a sum of %d", sum)
	}
}

// Whatever else was sent lies there still, and is seen by one who subscribes to everything.
func end() {
	set(ZMQ_SUBSCRIBE, nil)
	if zmq_recv(socket, memory, room, ZMQ_DONTWAIT) >= 0 {
		ffibench.Fail("subscriber: more than %d updates came", matches)
	}
	check(again(), "zmq_recv")
	if matches > 0 && ffibench.Option("verbose") == "1" {
		fmt.Fprintf(os.Stderr, "Average temperature for zipcode '%s' was %dF\n", filter, total/matches)
	}
}

func main() {
	var err error
	if patience, err = strconv.ParseFloat(ffibench.Option("patience"), 64); err != nil {
		ffibench.Fail("patience: %v", err)
	}
	context := zmq_ctx_new()
	check(context != nil, "zmq_ctx_new")
	// An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
	publishes := ffibench.Option("role") == "publisher"
	var kind, limit int32 = ZMQ_SUB, ZMQ_RCVHWM
	if publishes {
		kind, limit = ZMQ_XPUB, ZMQ_SNDHWM
	}
	socket = zmq_socket(context, kind)
	check(socket != nil, "zmq_socket")
	setNumber(limit, 0)
	setNumber(ZMQ_RCVTIMEO, int32(1000*patience))

	if publishes {
		zipcodes, seed = ffibench.Number(ffibench.Option("zipcodes")), ffibench.Number(ffibench.Option("seed"))
		receipt := func(iterations int) ffibench.Receipt {
			return ffibench.Receipt{"updates": iterations, "bytes": published}
		}
		loops := ffibench.Loops{Run: publish, Empty: publishNothing, Before: awaitSubscription, Receipt: receipt}
		endpoint := bound(ffibench.Option("port"))
		ffibench.Serve(ffibench.Work{Endpoint: endpoint, Cases: map[string]ffibench.Loops{"publish": loops}})
	} else {
		check(zmq_connect(socket, ffibench.Text(ffibench.Option("endpoint"))) == 0, "zmq_connect")
		loops := ffibench.Loops{
			Run:   receive,
			Empty: receiveNothing,
			After: func(int) { set(ZMQ_UNSUBSCRIBE, []byte(filter)) },
			Receipt: func(iterations int) ffibench.Receipt {
				return ffibench.Receipt{"matches": iterations, "temperature": total}
			},
			Figures: func() ffibench.Receipt {
				return ffibench.Receipt{"first_match_ns": firstMatch.Nanoseconds()}
			},
		}
		ffibench.Serve(ffibench.Work{Cases: map[string]ffibench.Loops{"receive": loops}})
		end()
	}

	check(zmq_close(socket) == 0, "zmq_close")
	check(zmq_ctx_term(context) == 0, "zmq_ctx_term")
}
