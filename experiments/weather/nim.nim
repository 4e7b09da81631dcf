## weather through every Nim binding: one file for all bindings and both roles, in the signature of C.

import std/[json, monotimes, os, posix, strscans, strutils, times]
import ffibench, native

const
  multiplier = 16807
  modulus = 2147483647
  filter = "10001 "
  room = 256

type Station = ref object
  socket: pointer
  zipcodes, seed: int
  patience: float    # seconds
  bytes: int         # published in this slice
  matches: int
  temperature: int   # sum over the matches of this slice
  firstMatchNs: int64
  memory: string     # into which updates are received

proc die(call: string) {.noreturn.} =
  quit(call & ": " & osErrorMsg(OSErrorCode(zmq_errno())))

proc check(ok: bool; call: string) =
  if not ok:
    die(call)

proc setOption(station: Station; option: int; value: cint) =
  check(zmq_setsockopt(station.socket, option.cint, unsafeAddr value, csize_t(sizeof value)) == 0, "zmq_setsockopt")

proc setOption(station: Station; option: int; value: string) =
  check(zmq_setsockopt(station.socket, option.cint, value.cstring, value.len.csize_t) == 0, "zmq_setsockopt")

# The publisher.

proc bound(station: Station; port: string): string =
  ## Binds the socket; returns the address at which it waits.
  let address = "tcp://127.0.0.1:" & (if port == "0": "*" else: port)
  check(zmq_bind(station.socket, address.cstring) == 0, "publisher: " & address)
  var endpoint = newString(room)
  var size = csize_t(room)
  check(zmq_getsockopt(station.socket, ZMQ_LAST_ENDPOINT, endpoint.cstring, addr size) == 0, "zmq_getsockopt")
  $endpoint.cstring # up to the NUL

proc awaitSubscription(station: Station) =
  ## Waits for the subscription of this slice; the one before has been taken back, which comes first.
  var event: array[room, char]
  while true:
    let size = zmq_recv(station.socket, addr event, room, 0)
    if size > 0 and event[0] == '\1':
      return
    if size < 0:
      if zmq_errno() == EAGAIN:
        quit("publisher: no subscriber came within " & $station.patience & " s")
      die("zmq_recv")

proc draw(state: var int): int =
  state = multiplier * state mod modulus
  state

proc nextUpdate(station: Station; state: var int): string =
  let zipcode = (10001 + draw(state) mod station.zipcodes) mod 100000
  let temperature = draw(state) mod 215 - 80
  let humidity = draw(state) mod 50 + 10
  intToStr(zipcode, 5) & ' ' & $temperature & ' ' & $humidity

proc notSent() {.noreturn.} =
  quit("publisher: zmq_send did not take the whole update")

proc publish(station: Station; iterations: int) =
  var state = station.seed
  var bytes = 0
  for _ in 1 .. iterations:
    let update = station.nextUpdate(state)
    if zmq_send(station.socket, update.cstring, update.len.csize_t, 0) != update.len.cint:
      notSent()
    bytes += update.len
  station.bytes = bytes

proc publishNothing(station: Station; iterations: int) =
  var state = station.seed
  var bytes = 0
  for _ in 1 .. iterations:
    let update = station.nextUpdate(state)
    var sent = update.len.cint
    opaque(sent)
    if sent != update.len.cint:
      notSent()
    bytes += update.len
  station.bytes = bytes

# The subscriber.

proc temperatureOf(update: string): int =
  var zipcode, humidity: int
  if not scanf(update, "$i $i $i", zipcode, result, humidity):
    quit("subscriber: no weather: " & update)

proc nextTemperature(station: Station; came, wanted: int): int =
  ## Receives an update and parses it; `came` of `wanted` are there already.
  let size = zmq_recv(station.socket, station.memory.cstring, room - 1, 0)
  if size < 0:
    if zmq_errno() != EAGAIN:
      die("zmq_recv")
    quit("subscriber: " & $came & " of " & $wanted & " updates came within " & $station.patience &
      " s of each other; waiting for the publisher")
  if size >= room:
    quit("subscriber: an update of " & $size & " bytes")
  station.memory[size] = '\0'
  temperatureOf(station.memory)

proc receive(station: Station; iterations: int) =
  let start = getMonoTime()
  station.setOption(ZMQ_SUBSCRIBE, filter)
  var sum = station.nextTemperature(0, iterations)
  station.firstMatchNs = (getMonoTime() - start).inNanoseconds
  for came in 1 ..< iterations:
    sum += station.nextTemperature(came, iterations)
  station.temperature = sum

proc receiveNothing(station: Station; iterations: int) =
  station.memory[0 .. 11] = "10001 30 40\0"
  var sum = 0
  for _ in 1 .. iterations:
    barrier()
    sum += temperatureOf(station.memory)
  if sum != 30 * iterations:
    quit("subscriber: a sum of " & $sum)

proc finish(station: Station) =
  ## Whatever else was sent lies there still, and is seen by one who subscribes to everything.
  station.setOption(ZMQ_SUBSCRIBE, "")
  if zmq_recv(station.socket, station.memory.cstring, room, ZMQ_DONTWAIT) >= 0:
    quit("subscriber: more than " & $station.matches & " updates came")
  check(zmq_errno() == EAGAIN, "zmq_recv")
  if station.matches > 0 and option("verbose") == "1":
    stderr.writeLine("Average temperature for zipcode '", filter, "' was ", station.temperature div station.matches, "F")

proc servePublisher(station: Station) =
  station.zipcodes = option("zipcodes").number
  station.seed = option("seed").number
  let loops = Loops(
    before: proc (_: int) = station.awaitSubscription(),
    run: proc (iterations: int) = station.publish(iterations),
    empty: proc (iterations: int) = station.publishNothing(iterations),
    receipt: proc (iterations: int): JsonNode = %*{"updates": iterations, "bytes": station.bytes})
  serve({"publish": loops}, endpoint = station.bound(option("port")))

proc serveSubscriber(station: Station) =
  station.memory = newString(room)
  check(zmq_connect(station.socket, option("endpoint").cstring) == 0, "zmq_connect")
  let loops = Loops(
    run: proc (iterations: int) = station.receive(iterations),
    empty: proc (iterations: int) = station.receiveNothing(iterations),
    after: proc (_: int) = station.setOption(ZMQ_UNSUBSCRIBE, filter),
    figures: proc (_: int): JsonNode = %*{"first_match_ns": station.firstMatchNs},
    receipt: proc (iterations: int): JsonNode =
      station.matches = iterations
      %*{"matches": iterations, "temperature": station.temperature})
  serve({"receive": loops})
  station.finish()

proc main() =
  let publishes = option("role") == "publisher"
  var station = Station(patience: option("patience").parseFloat)
  let context = zmq_ctx_new()
  check(context != nil, "zmq_ctx_new")
  # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
  station.socket = zmq_socket(context, if publishes: ZMQ_XPUB else: ZMQ_SUB)
  check(station.socket != nil, "zmq_socket")
  station.setOption(if publishes: ZMQ_SNDHWM else: ZMQ_RCVHWM, 0)
  station.setOption(ZMQ_RCVTIMEO, cint(1000 * station.patience))
  if publishes:
    station.servePublisher()
  else:
    station.serveSubscriber()
  check(zmq_close(station.socket) == 0, "zmq_close")
  check(zmq_ctx_term(context) == 0, "zmq_ctx_term")

main()
