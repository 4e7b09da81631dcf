//! xsub through every Rust binding: one loop for all, in the signature of C.

use std::ffi::CString;
use std::io;
use std::os::raw::c_int;
use std::process::ExitCode;

use ffibench::{Case, Fields, Outcome, Worker};
use native::*;

fn main() -> ExitCode {
    ffibench::main(work)
}

fn check(ok: bool, call: &str) -> Outcome {
    if ok {
        return Ok(());
    }
    let error = io::Error::from_raw_os_error(unsafe { zmq_errno() });
    Err(format!("{call}: {error}").into())
}

fn work(worker: &Worker) -> Outcome {
    library::load()?;
    let context = unsafe { zmq_ctx_new() };
    check(!context.is_null(), "zmq_ctx_new")?;
    // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    let peers = worker.number("peers")?;
    let socket = unsafe { zmq_socket(context, if peers == 0 { ZMQ_PUB } else { ZMQ_XPUB }) };
    check(!socket.is_null(), "zmq_socket")?;
    let endpoint = CString::new(worker.option("endpoint")?)?;
    check(
        unsafe { zmq_bind(socket, endpoint.as_ptr()) } == 0,
        "zmq_bind",
    )?;
    for _ in 0..peers {
        // A subscription to everything is a message of one byte.
        let mut subscription = [0_u8];
        let size = unsafe {
            zmq_recv(
                socket,
                subscription.as_mut_ptr().cast(),
                subscription.len(),
                0,
            )
        };
        check(size == 1, "zmq_recv")?;
    }

    let message = worker.option("message")?;
    let size = message.len() as c_int;
    let run = move |iterations| {
        for _ in 0..iterations {
            if unsafe { zmq_send(socket, message.as_ptr().cast(), message.len(), 0) } != size {
                return Err("zmq_send did not take the whole message".into());
            }
        }
        Ok(())
    };
    let empty = move |iterations| {
        for _ in 0..iterations {
            if ffibench::opaque(size) != size {
                return Err("zmq_send did not take the whole message".into());
            }
        }
        Ok(())
    };
    let receipt = move |iterations| {
        Fields::new()
            .integer("sends", iterations)
            .integer("bytes", iterations * message.len() as u64)
    };
    worker.serve("", None, vec![("send", Case::new(run, empty, receipt))])?;

    check(unsafe { zmq_close(socket) } == 0, "zmq_close")?;
    check(unsafe { zmq_ctx_term(context) } == 0, "zmq_ctx_term")
}
