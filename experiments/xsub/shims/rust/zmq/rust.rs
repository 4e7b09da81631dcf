//! xsub through the crate zmq as its users write it: `socket.send(message, 0)`, which makes a message object.

use std::process::ExitCode;

use ffibench::{Case, Fields, Outcome, Worker};

fn main() -> ExitCode {
    ffibench::main(work)
}

fn work(worker: &Worker) -> Outcome {
    let message = worker.option("message")?.as_bytes();
    let peers = worker.number("peers")?;
    let context = zmq::Context::new();
    // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    let socket = context.socket(if peers == 0 { zmq::PUB } else { zmq::XPUB })?;
    socket.bind(worker.option("endpoint")?)?;
    for _ in 0..peers {
        socket.recv_bytes(0)?;
    }

    let run = |iterations| {
        for _ in 0..iterations {
            socket.send(message, 0)?;
        }
        Ok(())
    };
    let empty = |iterations| {
        for _ in 0..iterations {
            ffibench::opaque(0);
        }
        Ok(())
    };
    let receipt = |iterations| {
        Fields::new()
            .integer("sends", iterations)
            .integer("bytes", iterations * message.len() as u64)
    };
    let (major, minor, patch) = zmq::version();
    let version = format!("{major}.{minor}.{patch}");
    worker.serve(
        &version,
        None,
        vec![("send", Case::new(run, empty, receipt))],
    )
}
