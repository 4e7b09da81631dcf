(* What generated loops have in common: memory that is filled, and answers as exact text. Floating-point numbers are
   written as the 16 hexadecimal digits of their bits, texts and memory as those of their bytes. *)

open Ffibench

let memory_bytes_max = 64 (* of memory that is longer so many bytes are compared, spread evenly *)

(* So many bytes, in which the pattern repeats. *)
let filled pattern size = String.init size (fun place -> pattern.[place mod String.length pattern])

(* So many bytes, which count 0, 1 .. 255, 0 .. *)
let counting size = String.init size (fun place -> Char.chr (place land 255))

(* Memory for one number. *)
let cell kind zero = Bigarray.(Array1.init kind c_layout 1 (fun _ -> zero))

(* Numbers in memory: these, or so many that count 0, 1 .. *)
let numbers kind values = Bigarray.(Array1.of_array kind c_layout values)
let counting_numbers kind size of_int = Bigarray.(Array1.init kind c_layout (max size 1) of_int)

(* A call in the loop answered otherwise. *)
let wrong name = fail (name ^ " gave another answer than C")

(* A call of the set-up or of the teardown has to answer what the expression says. *)
let expect answered what name =
  if not answered then fail (Printf.sprintf "in the %s another answer was expected of %s" what name)

let hexadecimal bytes =
  let digits each = Printf.sprintf "%02x" (Char.code each) in
  Text (String.concat "" (List.map digits (List.of_seq (String.to_seq bytes))))

let real number = Text (Printf.sprintf "%016Lx" (Int64.bits_of_float number))
let address value = Text (if value = 0n then "NULL" else "not NULL")
let text = function Some bytes -> hexadecimal bytes | None -> Text "NULL"

(* The bytes of memory, of a long one those that are spread evenly over it. *)
let memory bytes =
  let size = String.length bytes in
  let spread place = bytes.[place * (size - 1) / (memory_bytes_max - 1)] in
  hexadecimal (if size <= memory_bytes_max then bytes else String.init memory_bytes_max spread)

type operation = { case : case; tear_down : unit -> unit }

(* Serves the operations that the argument `cases` names, set up in its order; the first is torn down last. *)
let serve_operations set_up =
  let operations = List.map (fun (name, _) -> (name, set_up name)) (planned_cases ()) in
  serve (List.map (fun (name, operation) -> (name, operation.case)) operations);
  List.iter (fun (_, operation) -> operation.tear_down ()) (List.rev operations)
