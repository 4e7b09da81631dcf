## What generated loops have in common: memory that is filled, and answers as exact JSON. Floating-point numbers are
## written as the 16 hexadecimal digits of their bits, texts and memory as those of their bytes.

import std/[json, strutils]
import ffibench

const memoryBytesMax = 64 # of memory that is longer so many bytes are compared, spread evenly

proc filled*(pattern: string; size: int): string =
  ## So many bytes, in which the pattern repeats. A Nim string has a NUL behind its end, as C's memory has here.
  result = newString(size)
  for each in 0 ..< size:
    result[each] = pattern[each mod pattern.len]

proc counting*(size: int): string =
  ## So many bytes, which count 0, 1 .. 255, 0 ..
  result = newString(size)
  for each in 0 ..< size:
    result[each] = chr(each mod 256)

proc counting*[T](size: int; item: typedesc[T]): seq[T] =
  ## So many numbers, which count 0, 1 .. as the type T does.
  for each in 0 ..< size:
    result.add(when T is SomeFloat: T(each) else: cast[T](each))

proc wrong*(function: string) {.noreturn.} =
  ## A call in the loop answered otherwise.
  fail(function & " gave another answer than C")

proc expect*(answered: bool; what, function: string) =
  ## A call of the set-up or of the teardown has to answer what the expression says.
  if not answered:
    fail("in the " & what & " another answer was expected of " & function)

proc exactInteger*[T](value: T): JsonNode =
  ## A whole number of any type.
  when T is SomeUnsignedInt: %BiggestUInt(value) else: %BiggestInt(value)

proc realBits*(value: float): JsonNode =
  %toHex(cast[uint64](value)).toLowerAscii

proc addressSign*(value: pointer): JsonNode =
  %(if value == nil: "NULL" else: "not NULL")

proc textBytes*(value: string): JsonNode =
  %value.toHex.toLowerAscii

proc textBytes*(value: cstring): JsonNode =
  if value == nil: %"NULL" else: textBytes($value)

proc memoryBytes*(start: pointer; size: int): JsonNode =
  ## The bytes of memory, of a long one those that are spread evenly over it.
  let bytes = cast[ptr UncheckedArray[char]](start)
  let count = min(size, memoryBytesMax)
  var picked = newString(count)
  for each in 0 ..< count:
    picked[each] = bytes[if size <= memoryBytesMax: each else: each * (size - 1) div (memoryBytesMax - 1)]
  textBytes(picked)

type Operation* = object
  ## An operation that was set up.
  loops*: Loops
  tearDown*: proc () ## or nil

proc serveOperations*(setUp: proc (name: string): Operation {.nimcall.}) =
  ## Serves the operations that the argument `cases` names, set up in its order; the first is torn down last.
  var operations: seq[(string, Operation)]
  for (name, _) in plannedCases():
    operations.add((name, setUp(name)))
  var cases: seq[(string, Loops)]
  for (name, operation) in operations:
    cases.add((name, operation.loops))
  serve(cases)
  for each in countdown(operations.high, 0):
    let (_, operation) = operations[each]
    if operation.tearDown != nil:
      operation.tearDown()
