// Package ffibench is the worker contract in Go.
//
//	message := ffibench.Option("message") // an argument NAME=VALUE
//	... set up ...
//	ffibench.Serve(ffibench.Work{
//		Library:  "4.3.5",                // its own version, where it reports one
//		Endpoint: "tcp://127.0.0.1:5556", // where it waits for roles that are started after it
//		Cases:    map[string]ffibench.Loops{"send": {Run: run, Empty: empty, Receipt: receipt}},
//	}) // returns when standard input has closed
//	... tear down ...
//
// A mistake is reported on standard error, with a non-zero status.
package ffibench

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Loops are those of a case. What is called besides Run and Empty is outside of the clocks, and all but Receipt may be nil.
type Loops struct {
	Run     func(iterations int)
	Empty   func(iterations int) // the same without the native call
	Before  func(iterations int) // starts a warm-up or timed slice
	After   func(iterations int) // ends it
	Receipt func(iterations int) Receipt
	Figures func() Receipt
	Cannot  string // why it cannot run here, in place of all others
}

// Work is what a contestant can do.
type Work struct {
	Library  string
	Endpoint string
	Cases    map[string]Loops
}

// Clock reads one of libc's clocks, in nanoseconds. A binding without cgo sets it.
var Clock func(id int32) int64

const (
	clockMonotonic = 1
	clockCPU       = 2 // of the process
)

// The arguments NAME=VALUE.
var options = readOptions()

func readOptions() map[string]string {
	read := map[string]string{}
	for _, argument := range os.Args[1:] {
		name, value, found := strings.Cut(argument, "=")
		if !found {
			Fail("ffibench worker: not of the form NAME=VALUE: %s", argument)
		}
		read[name] = value
	}
	return read
}

// Fail ends the worker.
func Fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

// Option returns the value of the argument NAME=VALUE.
func Option(name string) string {
	value, found := options[name]
	if !found {
		Fail("ffibench worker: missing argument: %s", name)
	}
	return value
}

// Number returns a whole number that is not negative.
func Number(text string) int {
	number, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		Fail("ffibench worker: not a number: %s", text)
	}
	return int(number)
}

// Serve runs the cases that are asked for by the worker contract, after the set-up.
func Serve(work Work) {
	slices, warmup, cold := Number(Option("slices")), Number(Option("warmup")), 0
	if asked, found := options["cold"]; found {
		cold = Number(asked)
	}
	ready := Receipt{"library": work.Library}
	if work.Endpoint != "" {
		ready["endpoint"] = work.Endpoint
	}
	emit(fmt.Sprintf(`{"ready": %s}`, object(ready)))
	input := bufio.NewReader(os.Stdin)
	if line, _ := input.ReadString('\n'); line != "go\n" {
		Fail("ffibench worker: expected go on standard input")
	}
	for _, entry := range strings.Split(Option("cases"), ",") {
		name, iterations := planned(entry)
		loops, found := work.Cases[name]
		if !found {
			loops.Cannot = Option("binding") + " has no case " + name
		}
		if loops.Cannot != "" {
			emit(fmt.Sprintf(`{"case": %s, "unsupported": %s}`, quoted(name), quoted(loops.Cannot)))
			continue
		}
		if cold > 0 {
			measure(name, "cold", 1, cold, loops)
		}
		measure(name, "warmup", warmup, iterations, loops)
		measure(name, "timed", slices, iterations, loops)
		measure(name, "empty", slices, iterations, Loops{Run: loops.Empty})
	}
	if _, err := io.Copy(io.Discard, input); err != nil { // the harness reads the live process meanwhile
		Fail("ffibench worker: cannot read standard input: %v", err)
	}
}

// Times slices of a loop and prints a line for each.
func measure(name, kind string, slices, iterations int, loops Loops) {
	for slice := 0; slice < slices; slice++ {
		begun := Clock(clockCPU)
		if loops.Before != nil {
			loops.Before(iterations)
		}
		cpu := Clock(clockCPU)
		wall := Clock(clockMonotonic)
		loops.Run(iterations)
		wallNs := Clock(clockMonotonic) - wall
		ended := Clock(clockCPU)
		if loops.After != nil {
			loops.After(iterations)
		}
		aroundNs := cpu - begun + Clock(clockCPU) - ended
		line := fmt.Sprintf(`{"case": %s, "slice": %d, "kind": "%s", "wall_ns": %d, "cpu_ns": %d`,
			quoted(name), slice, kind, wallNs, ended-cpu)
		if loops.Before != nil || loops.After != nil {
			line += fmt.Sprintf(`, "around_ns": %d`, aroundNs)
		}
		if loops.Receipt != nil {
			line += `, "receipt": ` + object(loops.Receipt(iterations))
		}
		if loops.Figures != nil {
			line += `, "figures": ` + object(loops.Figures())
		}
		emit(line + "}")
	}
}

func planned(entry string) (name string, iterations int) {
	place := strings.LastIndexByte(entry, ':')
	if place < 1 {
		Fail("ffibench worker: not of the form NAME:ITERATIONS: %s", entry)
	}
	return entry[:place], Number(entry[place+1:])
}
