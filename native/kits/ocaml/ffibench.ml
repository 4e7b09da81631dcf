(* The worker contract in OCaml.

       open Ffibench
       let message = option "message"       (an argument NAME=VALUE)
       ... set up, with the functions and constants of the module Native ...
       let () = serve ~library:"4.3.5" [ ("send", Loops { plain with run; empty; receipt }) ]
       ... tear down ...

   A mistake in the arguments or a failed loop is reported on standard error, with a non-zero exit status. *)

type field =
  | Whole of int64
  | Unsigned of int64 (* the same 64 bits, never negative *)
  | Text of string
  | Object of (string * field) list

type loops = {
  run : int -> unit;
  empty : int -> unit; (* the same without the native call *)
  receipt : int -> (string * field) list; (* made outside the clocks *)
  before : (int -> unit) option; (* begins each slice that is not empty, outside the clocks *)
  after : (int -> unit) option; (* ends it *)
  figures : (unit -> (string * field) list) option; (* extra figures of the slice *)
}

type case = Loops of loops | Unsupported of string

let plain = { run = ignore; empty = ignore; receipt = (fun _ -> []); before = None; after = None; figures = None }
let int number = Whole (Int64.of_int number)

let end_with reason =
  prerr_endline reason;
  exit 1

let fail reason = end_with ("ffibench worker: " ^ reason)

let options =
  let pair argument =
    match String.index_opt argument '=' with
    | Some at -> (String.sub argument 0 at, String.sub argument (at + 1) (String.length argument - at - 1))
    | None -> fail ("not of the form NAME=VALUE: " ^ argument)
  in
  List.map pair (List.tl (Array.to_list Sys.argv))

(* The value of the argument NAME=VALUE. *)
let option name =
  match List.assoc_opt name options with Some value -> value | None -> fail ("missing argument: " ^ name)

(* A whole number that is not negative. *)
let number text =
  let digits = text <> "" && String.for_all (fun each -> '0' <= each && each <= '9') text in
  match if digits then int_of_string_opt text else None with
  | Some value -> value
  | None -> fail ("not a number: " ^ text)

(* The cases that are asked for, in their order, each with its iterations. *)
let planned_cases () =
  let pair entry =
    match String.rindex_opt entry ':' with
    | Some at -> (String.sub entry 0 at, number (String.sub entry (at + 1) (String.length entry - at - 1)))
    | None -> fail ("not of the form NAME:ITERATIONS: " ^ entry)
  in
  List.map pair (String.split_on_char ',' (option "cases"))

let quoted text =
  let escaped = function
    | ('"' | '\\') as each -> Printf.sprintf "\\%c" each
    | each when each < ' ' -> Printf.sprintf "\\u%04x" (Char.code each)
    | each -> String.make 1 each
  in
  Printf.sprintf "\"%s\"" (String.concat "" (List.map escaped (List.of_seq (String.to_seq text))))

let rec json = function
  | Whole number -> Int64.to_string number
  | Unsigned number -> Printf.sprintf "%Lu" number
  | Text text -> quoted text
  | Object fields ->
    let pair (name, value) = quoted name ^ ": " ^ json value in
    "{" ^ String.concat ", " (List.map pair fields) ^ "}"

let line () = match input_line stdin with each -> Some each | exception End_of_file -> None
let emit fields = Printf.printf "%s\n%!" (json (Object fields))

(* What libc gives: the clocks as Linux numbers them, and the text of an error. *)
external nanoseconds : (int[@untagged]) -> (int[@untagged]) = "no_bytecode" "ffibench_nanoseconds" [@@noalloc]
external error_text : int -> string = "ffibench_error_text"

let monotonic = 1
let processor = 2

(* Times so many slices and prints a line for each. Nothing but the loop lies between the clocks. *)
let measure name kind slices iterations loops =
  let timed = kind <> "empty" in
  let loop = if timed then loops.run else loops.empty in
  let around = Option.iter (fun call -> if timed then call iterations) in
  let further name value = if timed then Option.to_list (Option.map (fun each -> (name, each)) value) else [] in
  for slice = 0 to slices - 1 do
    let begun = nanoseconds processor in
    around loops.before;
    let cpu = nanoseconds processor in
    let wall = nanoseconds monotonic in
    loop iterations;
    let wall_ns = nanoseconds monotonic - wall in
    let ended = nanoseconds processor in
    around loops.after;
    let around_ns = cpu - begun + nanoseconds processor - ended in
    let is_around = Option.is_some loops.before || Option.is_some loops.after in
    emit
      ([ ("case", Text name); ("slice", int slice); ("kind", Text kind) ]
      @ [ ("wall_ns", int wall_ns); ("cpu_ns", int (ended - cpu)) ]
      @ further "around_ns" (if is_around then Some (int around_ns) else None)
      @ further "receipt" (if timed then Some (Object (loops.receipt iterations)) else None)
      @ further "figures" (Option.map (fun call -> Object (call ())) loops.figures))
  done

(* Runs the contestant, which is set up, by the contract; returns when standard input has closed. `library` is the
   version that it reports itself, `endpoint` where the worker waits for roles that are started after it. *)
let serve ?(library = "") ?endpoint cases =
  let slices = number (option "slices") and warmup = number (option "warmup") in
  let cold = number (Option.value (List.assoc_opt "cold" options) ~default:"0") in
  let address = match endpoint with Some each -> [ ("endpoint", Text each) ] | None -> [] in
  emit [ ("ready", Object (("library", Text library) :: address)) ];
  if line () <> Some "go" then fail "expected go on standard input";
  let run (name, iterations) =
    let lacking = Unsupported (option "binding" ^ " has no case " ^ name) in
    match Option.value (List.assoc_opt name cases) ~default:lacking with
    | Unsupported reason -> emit [ ("case", Text name); ("unsupported", Text reason) ]
    | Loops loops ->
      if cold > 0 then measure name "cold" 1 cold loops;
      measure name "warmup" warmup iterations loops;
      measure name "timed" slices iterations loops;
      measure name "empty" slices iterations loops
  in
  List.iter run (planned_cases ());
  (* the harness reads the live process meanwhile *)
  while line () <> None do
    ()
  done
