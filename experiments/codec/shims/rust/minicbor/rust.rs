//! codec in Rust: messages are encoded and decoded by minicbor, or as a struct in one block, and answered by the
//! library.
//!
//! Memory comes from Rust's default allocator, which is malloc: the heap is the one that the library keeps warm.

use std::cell::RefCell;
use std::ffi::CStr;
use std::mem::take;
use std::process::ExitCode;

use ffibench::{Case, Outcome, Worker};
use native::*;

mod bench;
mod block;
mod messages;
mod receipt;
mod values;
mod ways;

use bench::{Bench, Step};
use messages::{Complex, Payload, Request, Response, Shape};
use values::{Owned, Value, View};
use ways::{Block, Cbor, Way};

fn main() -> ExitCode {
    ffibench::main(work)
}

fn work(worker: &Worker) -> Outcome {
    library::load()?;
    let size = worker.number("size")? as usize;
    let mut cases = Vec::new();
    for (name, _) in worker.cases()? {
        if let Some(case) = planned(name, size) {
            cases.push((name, case));
        }
    }
    let version = unsafe { CStr::from_ptr(codec_version().cast()) };
    worker.serve(version.to_str()?, None, cases)
}

/// The case of a key, `payload_struct_total_view`; None where there is no such case here.
fn planned(name: &str, size: usize) -> Option<Case<'static>> {
    let mut words = name.splitn(4, '_');
    let mut word = || words.next().unwrap_or_default();
    let (shape, way, step, kind) = (word(), word(), word(), word());
    let step = match step {
        "encode" => Step::Encode,
        "call" => Step::Call,
        "decode" => Step::Decode,
        "total" => Step::Total,
        _ => return None,
    };
    let is_warm = kind != "default_heap";
    let case = match (shape, way, kind) {
        ("payload", "struct", "view") => case::<Payload, Block, View>(step, is_warm, size),
        ("request", way, "") => owned::<Request>(way, step, is_warm, size),
        ("response", way, "") => owned::<Response>(way, step, is_warm, size),
        ("complex", way, "") => owned::<Complex>(way, step, is_warm, size),
        ("payload", way, "" | "default_heap") => owned::<Payload>(way, step, is_warm, size),
        _ => return None,
    };
    Some(case)
}

fn owned<M>(way: &str, step: Step, is_warm: bool, size: usize) -> Case<'static>
where
    M: Shape,
    Cbor: Way<M>,
    Block: Way<M>,
{
    match way {
        "cbor" => case::<M, Cbor, Owned<M, Cbor>>(step, is_warm, size),
        _ => case::<M, Block, Owned<M, Block>>(step, is_warm, size),
    }
}

fn case<M, W, V>(step: Step, is_warm: bool, size: usize) -> Case<'static>
where
    M: Shape,
    W: Way<M> + Way<Request>,
    V: Value,
{
    // It stays until the process ends, as the loops do.
    let bench: &RefCell<Bench<M, W, V>> =
        Box::leak(Box::new(RefCell::new(Bench::new(step, is_warm, size))));
    let run = move |iterations| bench.borrow_mut().run(iterations);
    let empty = move |iterations| bench.borrow_mut().nothing(iterations);
    let receipt = move |_| take(&mut bench.borrow_mut().receipt);
    Case::new(run, empty, receipt).around(
        move |_| bench.borrow_mut().before(),
        move |iterations| bench.borrow_mut().after(iterations),
    )
}
