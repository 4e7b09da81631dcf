## The worker contract in Nim.
##
## .. code-block:: nim
##   import ffibench, native                 # `native`: the header's functions and constants
##   let message = option("message")         # an argument NAME=VALUE
##   ... set up ...
##   serve({"send": Loops(run: run, empty: empty, receipt: receipt)}, library = "4.3.5")
##   ... tear down ...
##
## A mistake in the arguments or a failed loop is reported on standard error, with a non-zero exit status.

import std/[json, os, posix, strutils, tables]

type
  Loop* = proc (iterations: int)
  Said* = proc (iterations: int): JsonNode ## An object of whole numbers and strings, made outside the clocks.
  Loops* = object                          ## The loops of a case; what may be nil is optional.
    run*: Loop
    empty*: Loop                           ## The same without the native call.
    receipt*: Said
    before*: Loop                          ## Starts a slice that is not empty, outside the clocks; or nil.
    after*: Loop                           ## Ends it; or nil.
    figures*: Said                         ## Extra figures of the slice; or nil.
    unsupported*: string                   ## Why it cannot be run; then nothing else is set.

template opaque*(value: untyped) =
  ## Hides a local variable's value from the C compiler, so that it cannot delete a test of it.
  when value isnot SomeFloat:
    {.emit: ["__asm__ volatile(\"\" : \"+r\"(", value, "));"].}
  elif defined(amd64):
    {.emit: ["__asm__ volatile(\"\" : \"+x\"(", value, "));"].}
  else:
    {.emit: ["__asm__ volatile(\"\" : \"+m\"(", value, "));"].}

template barrier*() =
  ## What memory holds is unknown to the C compiler from here on, so that it cannot delete a loop.
  {.emit: "__asm__ volatile(\"\" ::: \"memory\");".}

proc fail*(reason: string) {.noreturn.} =
  quit("ffibench worker: " & reason)

proc readOptions(): Table[string, string] =
  for argument in commandLineParams():
    let parts = argument.split('=', maxsplit = 1)
    if parts.len < 2:
      fail("not of the form NAME=VALUE: " & argument)
    result[parts[0]] = parts[1]

let options = readOptions()

proc option*(name: string): string =
  ## The value of the argument NAME=VALUE.
  if name notin options:
    fail("missing argument: " & name)
  options[name]

proc number*(text: string): int =
  ## A whole number that is not negative.
  try:
    if text.len > 0 and text.allCharsInSet(Digits):
      return text.parseInt
  except ValueError: # it does not fit
    discard
  fail("not a number: " & text)

proc plannedCases*(): seq[(string, int)] =
  ## The cases that are asked for, in their order, each with its iterations.
  for entry in option("cases").split(','):
    let parts = entry.rsplit(':', maxsplit = 1)
    if parts.len < 2:
      fail("not of the form NAME:ITERATIONS: " & entry)
    result.add((parts[0], parts[1].number))

proc nanoseconds(clock: Clockid): int64 =
  var now: Timespec
  if clock_gettime(clock, now) != 0:
    fail("cannot read a clock")
  now.tv_sec.int64 * 1_000_000_000 + now.tv_nsec

proc emit(line: JsonNode) =
  stdout.writeLine($line)
  stdout.flushFile # a line is read as soon as it is written

proc checked(said: JsonNode): JsonNode =
  ## The fields of a receipt, which are exact.
  if said == nil or said.kind != JObject:
    fail("a receipt that is no object")
  for name, value in said:
    if value.kind notin {JInt, JString}:
      fail("a receipt with " & name & " " & $value & ", no whole number")
  said

proc measure(name, kind: string; slices, iterations: int; loops: Loops) =
  ## Times so many slices and prints a line for each. Nothing but the loop lies between the clocks.
  let work = if kind == "empty": loops.empty else: loops.run
  for slice in 0 ..< slices:
    let begun = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    if kind != "empty" and loops.before != nil:
      loops.before(iterations)
    let cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    let wall = nanoseconds(CLOCK_MONOTONIC)
    work(iterations)
    let wallNs = nanoseconds(CLOCK_MONOTONIC) - wall
    let ended = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    if kind != "empty" and loops.after != nil:
      loops.after(iterations)
    let aroundNs = cpu - begun + nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - ended
    let line = %*{"case": name, "slice": slice, "kind": kind, "wall_ns": wallNs, "cpu_ns": ended - cpu}
    if kind != "empty":
      if loops.before != nil or loops.after != nil:
        line["around_ns"] = %aroundNs
      line["receipt"] = checked(loops.receipt(iterations))
      if loops.figures != nil:
        line["figures"] = checked(loops.figures(iterations))
    emit(line)

proc serve*(cases: openArray[(string, Loops)]; library = ""; endpoint = "") =
  ## Runs the contestant, which is set up, by the contract; returns when standard input has closed. `library` is the
  ## version that it reports itself, `endpoint` where it waits for roles that are started after it.
  let slices = option("slices").number
  let warmup = option("warmup").number
  let cold = options.getOrDefault("cold", "0").number
  let known = toTable(cases)
  let ready = %*{"library": library}
  if endpoint.len > 0:
    ready["endpoint"] = %endpoint
  emit(%*{"ready": ready})
  var line: string
  if not stdin.readLine(line) or line != "go":
    fail("expected go on standard input")
  for (name, iterations) in plannedCases():
    let lacking = Loops(unsupported: option("binding") & " has no case " & name)
    let loops = known.getOrDefault(name, lacking)
    if loops.unsupported.len > 0:
      emit(%*{"case": name, "unsupported": loops.unsupported})
      continue
    if cold > 0:
      measure(name, "cold", 1, cold, loops)
    measure(name, "warmup", warmup, iterations, loops)
    measure(name, "timed", slices, iterations, loops)
    measure(name, "empty", slices, iterations, loops)
  while stdin.readLine(line): # the harness reads the live process meanwhile
    discard
