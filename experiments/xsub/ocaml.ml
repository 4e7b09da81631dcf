(* xsub through every OCaml binding: one loop for all, in the signature of C. *)

open Ffibench

let check ok call = if not ok then end_with (call ^ ": " ^ error_text (Native.zmq_errno ()))
let too_short () = end_with "zmq_send did not take the whole message"

let () =
  let message = option "message" and peers = number (option "peers") in
  let context = Native.zmq_ctx_new () in
  check (context <> Native.null) "zmq_ctx_new";
  (* An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed. *)
  let socket = Native.zmq_socket context (if peers > 0 then Native.zmq_xpub else Native.zmq_pub) in
  check (socket <> Native.null) "zmq_socket";
  check (Native.zmq_bind socket (Native.Memory.input (option "endpoint")) = 0) "zmq_bind";
  for _ = 1 to peers do
    (* a subscription to everything is a message of one byte *)
    check (Native.zmq_recv socket (Native.Memory.room 1) 1L 0 = 1) "zmq_recv"
  done;

  let bytes = Native.Memory.input message and size = String.length message in
  let length = Int64.of_int size in
  let run iterations =
    for _ = 1 to iterations do
      if Native.zmq_send socket bytes length 0 <> size then too_short ()
    done
  in
  let empty iterations =
    for _ = 1 to iterations do
      if Sys.opaque_identity size <> size then too_short ()
    done
  in
  let receipt iterations = [ ("sends", int iterations); ("bytes", int (iterations * size)) ] in
  serve [ ("send", Loops { plain with run; empty; receipt }) ];

  check (Native.zmq_close socket = 0) "zmq_close";
  check (Native.zmq_ctx_term context = 0) "zmq_ctx_term"
