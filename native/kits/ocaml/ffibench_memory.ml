(* Memory that C reads or fills, texts that it returns, and numbers that lie in memory as C has them. *)

open Bigarray

type memory = (char, int8_unsigned_elt, c_layout) Array1.t
type int8s = (int, int8_signed_elt, c_layout) Array1.t
type uint8s = (int, int8_unsigned_elt, c_layout) Array1.t
type int16s = (int, int16_signed_elt, c_layout) Array1.t
type uint16s = (int, int16_unsigned_elt, c_layout) Array1.t
type int32s = (int32, int32_elt, c_layout) Array1.t
type int64s = (int64, int64_elt, c_layout) Array1.t
type addresses = (nativeint, nativeint_elt, c_layout) Array1.t
type float32s = (float, float32_elt, c_layout) Array1.t
type float64s = (float, float64_elt, c_layout) Array1.t

(* OCaml's own strings and bytes: C may use them for as long as OCaml does not allocate. *)
module Heap = struct
  type input = string
  type room = Bytes.t

  let input text : input = text
  let room size : room = Bytes.make size '\000'
  let contents room size = Bytes.sub_string room 0 size
end

(* Memory that the collector does not move, for calls during which another thread may allocate. A NUL follows. *)
module Outside = struct
  type input = memory
  type room = memory

  let room size : room =
    let memory = Array1.create char c_layout (size + 1) in
    Array1.fill memory '\000';
    memory

  let input text : input =
    let memory = room (String.length text) in
    String.iteri (fun place each -> memory.{place} <- each) text;
    memory

  let contents (room : room) size = String.init size (fun place -> room.{place})
end

(* A text of C as a string of OCaml. *)
module Copied = struct
  type t = string option

  let is_null : t -> bool = Option.is_none
  let copied (text : t) = text
end

(* The address of a text of C, for calls that may not allocate. *)
module Address = struct
  type t = nativeint

  external copied : t -> string option = "ffibench_text"

  let is_null (text : t) = text = 0n
end

external bytes_of : ('a, 'b, c_layout) Array1.t -> string = "ffibench_bytes"
