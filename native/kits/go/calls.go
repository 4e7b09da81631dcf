package ffibench

import (
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// What generated loops need: memory that is filled, values that the compiler knows nothing of, and answers as exact
// text, as native/kits/c/ffibench_calls.h writes it.

// Pointer is an address that C gave.
type Pointer = unsafe.Pointer

// Of memory that is longer so many bytes are compared, spread evenly.
const memoryBytesMax = 64

// Numbers that have no literal.
var (
	Infinity     = math.Inf(1)
	NaN          = math.NaN()
	NegativeZero = math.Copysign(0, -1)
)

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Operation sets up a case; it returns its loops, and what tears it down.
type Operation func() (Loops, func())

// ServeOperations serves the operations that are asked for; what is set up first is torn down last.
func ServeOperations(operations map[string]Operation) {
	cases := map[string]Loops{}
	for _, entry := range strings.Split(Option("cases"), ",") {
		name, _ := planned(entry)
		setUp, found := operations[name]
		if !found {
			Fail("ffibench worker: there is no such case: %s", name)
		}
		loops, tearDown := setUp()
		cases[name] = loops
		defer tearDown()
	}
	Serve(Work{Cases: cases})
}

// Wrong ends the worker since a call in the loop did not answer what C does.
func Wrong(function string) { Fail("%s gave another answer than C", function) }

// Opaque hides a value from the compiler, so that it cannot delete a test of it.
//
//go:noinline
func Opaque[T any](value T) T { return value }

// Text returns the first character of a text that ends at a NUL.
func Text(text string) *byte { return &append([]byte(text), 0)[0] }

// Bytes returns memory in which a pattern repeats. A NUL follows, as in the bytes of other languages.
func Bytes(pattern string, size int) []byte {
	memory := make([]byte, size+1)[:size]
	for each := range memory {
		memory[each] = pattern[each%len(pattern)]
	}
	return memory
}

// Buffer returns memory for a call to fill.
func Buffer(size int) []byte { return make([]byte, size, size+1) }

// New returns a cell or a struct for a call to read or fill.
func New[T any]() *T { return new(T) }

// Range returns the items 0, 1 and so on.
func Range[T number](size int) []T {
	items := make([]T, size, size+1)
	for each := range items {
		items[each] = T(each)
	}
	return items
}

// Integer returns a whole number, or a truth value as one.
func Integer(value any) any {
	if truth := reflect.ValueOf(value); truth.Kind() == reflect.Bool {
		return Bool(truth.Bool())
	}
	return value
}

// Bool returns a truth value as a number.
func Bool(value bool) int {
	if value {
		return 1
	}
	return 0
}

// Address says whether there is one.
func Address(address Pointer) string {
	if address == nil {
		return "NULL"
	}
	return "not NULL"
}

// Real returns the bits of a floating-point number.
func Real[T ~float32 | ~float64](value T) string {
	return fmt.Sprintf("%016x", math.Float64bits(float64(value)))
}

// Hex returns the bytes of a text.
func Hex(text string) string { return hex.EncodeToString([]byte(text)) }

// Memory returns bytes of the items, of long memory those that are spread evenly over it.
func Memory[T any](items []T) string {
	if len(items) == 0 {
		return ""
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&items[0])), len(items)*int(unsafe.Sizeof(items[0])))
	if len(bytes) <= memoryBytesMax {
		return hex.EncodeToString(bytes)
	}
	var chosen [memoryBytesMax]byte
	for each := range chosen {
		chosen[each] = bytes[each*(len(bytes)-1)/(memoryBytesMax-1)]
	}
	return hex.EncodeToString(chosen[:])
}
