## xsub through every Nim binding: one loop for all, in the signature of C.

import std/[json, os]
import ffibench, native

proc check(ok: bool; call: string) =
  if not ok:
    quit(call & ": " & osErrorMsg(OSErrorCode(zmq_errno())))

proc tooShort() {.noreturn.} =
  quit("zmq_send did not take the whole message")

proc send(socket: pointer; message: string; iterations: int) =
  for _ in 1 .. iterations:
    if zmq_send(socket, message.cstring, message.len.csize_t, 0) != message.len.cint:
      tooShort()

proc sendNothing(message: string; iterations: int) =
  for _ in 1 .. iterations:
    var sent = message.len.cint
    opaque(sent)
    if sent != message.len.cint:
      tooShort()

proc main() =
  let message = option("message")
  let peers = option("peers").number
  let context = zmq_ctx_new()
  check(context != nil, "zmq_ctx_new")
  # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
  let socket = zmq_socket(context, if peers > 0: ZMQ_XPUB else: ZMQ_PUB)
  check(socket != nil, "zmq_socket")
  check(zmq_bind(socket, option("endpoint").cstring) == 0, "zmq_bind")
  for _ in 1 .. peers: # a subscription to everything is a message of one byte
    var subscription: byte
    check(zmq_recv(socket, addr subscription, 1, 0) == 1, "zmq_recv")

  serve({"send": Loops(
    run: proc (iterations: int) = send(socket, message, iterations),
    empty: proc (iterations: int) = sendNothing(message, iterations),
    receipt: proc (iterations: int): JsonNode = %*{"sends": iterations, "bytes": iterations * message.len})})

  check(zmq_close(socket) == 0, "zmq_close")
  check(zmq_ctx_term(context) == 0, "zmq_ctx_term")

main()
