//! weather through every Rust binding: one file for all bindings and both roles, in the signature of C.

use std::cell::Cell;
use std::ffi::{c_void, CString};
use std::io::{self, ErrorKind, Write};
use std::mem::size_of;
use std::os::raw::c_int;
use std::process::ExitCode;
use std::str;

use ffibench::{monotonic_ns, Case, Error, Fields, Outcome, Worker};
use native::*;

const MULTIPLIER: u64 = 16_807;
const MODULUS: u64 = 2_147_483_647;
const FILTER: &str = "10001 ";
const ROOM: usize = 256;

fn main() -> ExitCode {
    ffibench::main(work)
}

fn system_error() -> io::Error {
    io::Error::from_raw_os_error(unsafe { zmq_errno() })
}

fn check(ok: bool, call: &str) -> Outcome {
    if ok {
        return Ok(());
    }
    Err(format!("{call}: {}", system_error()).into())
}

struct Station {
    socket: *mut c_void,
    patience: f64, // seconds
}

impl Station {
    fn set(&self, option: c_int, value: &[u8]) -> Outcome {
        let address = value.as_ptr().cast();
        let status = unsafe { zmq_setsockopt(self.socket, option, address, value.len()) };
        check(status == 0, "zmq_setsockopt")
    }

    /// Returns the size of what came, or what the system says.
    fn receive(&self, update: &mut [u8; ROOM], flags: c_int) -> io::Result<usize> {
        match unsafe { zmq_recv(self.socket, update.as_mut_ptr().cast(), ROOM, flags) } {
            -1 => Err(system_error()),
            size => Ok(size as usize),
        }
    }
}

fn work(worker: &Worker) -> Outcome {
    library::load()?;
    let publishes = worker.option("role")? == "publisher";
    let context = unsafe { zmq_ctx_new() };
    check(!context.is_null(), "zmq_ctx_new")?;
    // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    let socket = unsafe { zmq_socket(context, if publishes { ZMQ_XPUB } else { ZMQ_SUB }) };
    check(!socket.is_null(), "zmq_socket")?;
    let patience = worker.option("patience")?.parse()?;
    let station = Station { socket, patience };
    let milliseconds = (1000.0 * patience) as c_int;
    let unlimited: c_int = 0;
    let mark = if publishes { ZMQ_SNDHWM } else { ZMQ_RCVHWM };
    station.set(mark, &unlimited.to_ne_bytes())?;
    station.set(ZMQ_RCVTIMEO, &milliseconds.to_ne_bytes())?;
    if publishes {
        publish(worker, &station)?;
    } else {
        subscribe(worker, &station)?;
    }
    check(unsafe { zmq_close(socket) } == 0, "zmq_close")?;
    check(unsafe { zmq_ctx_term(context) } == 0, "zmq_ctx_term")
}

// The publisher.

/// Binds to a port, 0 for a free one, and returns the endpoint.
fn bound(station: &Station, port: u64) -> Result<String, Error> {
    let place = if port == 0 {
        "*".to_owned()
    } else {
        port.to_string()
    };
    let address = CString::new(format!("tcp://127.0.0.1:{place}"))?;
    let status = unsafe { zmq_bind(station.socket, address.as_ptr()) };
    check(status == 0, &format!("publisher: {}", address.to_str()?))?;
    let (mut endpoint, mut size) = ([0_u8; ROOM], size_of::<[u8; ROOM]>());
    let room = endpoint.as_mut_ptr().cast();
    let status = unsafe { zmq_getsockopt(station.socket, ZMQ_LAST_ENDPOINT, room, &mut size) };
    check(status == 0, "zmq_getsockopt")?;
    Ok(str::from_utf8(&endpoint[..size - 1])?.to_owned()) // it ends at a NUL
}

/// Waits for the subscription that a slice is for; the one before has been taken back, which comes first.
fn await_subscription(station: &Station) -> Outcome {
    let mut event = [0_u8; ROOM];
    loop {
        match station.receive(&mut event, 0) {
            Ok(size) if size > 0 && event[0] == 1 => return Ok(()),
            Ok(_) => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let patience = station.patience;
                return Err(format!("publisher: no subscriber came within {patience} s").into());
            }
            Err(error) => return Err(format!("zmq_recv: {error}").into()),
        }
    }
}

fn draw(state: &mut u64) -> u64 {
    *state = MULTIPLIER * *state % MODULUS;
    *state
}

/// Draws and formats the next update.
fn next_update(state: &mut u64, zipcodes: u64, update: &mut Vec<u8>) -> io::Result<()> {
    let zipcode = (10_001 + draw(state) % zipcodes) % 100_000;
    let temperature = (draw(state) % 215) as i32 - 80;
    let humidity = draw(state) % 50 + 10;
    update.clear();
    write!(update, "{zipcode:05} {temperature} {humidity}")
}

fn publish(worker: &Worker, station: &Station) -> Outcome {
    let zipcodes = worker.number("zipcodes")?;
    let seed = worker.number("seed")?;
    let endpoint = bound(station, worker.number("port")?)?;
    let bytes = Cell::new(0);
    let socket = station.socket;
    let run = |iterations| {
        let (mut state, mut total) = (seed, 0);
        let mut update = Vec::with_capacity(ROOM);
        for _ in 0..iterations {
            next_update(&mut state, zipcodes, &mut update)?;
            let sent = unsafe { zmq_send(socket, update.as_ptr().cast(), update.len(), 0) };
            if sent != update.len() as c_int {
                return Err("publisher: zmq_send did not take the whole update".into());
            }
            total += update.len() as u64;
        }
        bytes.set(total);
        Ok(())
    };
    let empty = |iterations| {
        let (mut state, mut total) = (seed, 0);
        let mut update = Vec::with_capacity(ROOM);
        for _ in 0..iterations {
            next_update(&mut state, zipcodes, &mut update)?;
            let sent = ffibench::opaque(update.len() as c_int);
            if sent != update.len() as c_int {
                return Err("publisher: zmq_send did not take the whole update".into());
            }
            total += update.len() as u64;
        }
        bytes.set(total);
        Ok(())
    };
    let receipt = |done| {
        Fields::new()
            .integer("updates", done)
            .integer("bytes", bytes.get())
    };
    let case = Case::new(run, empty, receipt).around(|_| await_subscription(station), |_| Ok(()));
    worker.serve("", Some(&endpoint), vec![("publish", case)])
}

// The subscriber.

/// Receives an update and parses it; `came` of `wanted` are there already.
fn next_temperature(
    station: &Station,
    update: &mut [u8; ROOM],
    came: u64,
    wanted: u64,
) -> Result<i64, Error> {
    match station.receive(update, 0) {
        Ok(size) => temperature_of(&update[..size.min(ROOM)]),
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            let within = format!("within {} s of each other", station.patience);
            let waiting = "waiting for the publisher";
            Err(format!("subscriber: {came} of {wanted} updates came {within}; {waiting}").into())
        }
        Err(error) => Err(format!("zmq_recv: {error}").into()),
    }
}

fn temperature_of(update: &[u8]) -> Result<i64, Error> {
    let text = str::from_utf8(update)?;
    let mut words = text.split(' ').map(str::parse::<i64>);
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some(Ok(_zipcode)), Some(Ok(temperature)), Some(Ok(_humidity)), None) => Ok(temperature),
        _ => Err(format!("subscriber: no weather: {text}").into()),
    }
}

fn subscribe(worker: &Worker, station: &Station) -> Outcome {
    let endpoint = CString::new(worker.option("endpoint")?)?;
    let status = unsafe { zmq_connect(station.socket, endpoint.as_ptr()) };
    check(status == 0, "zmq_connect")?;
    let (matches, temperature, first_match_ns) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let run = |iterations| {
        let mut update = [0; ROOM];
        let start = monotonic_ns()?;
        station.set(ZMQ_SUBSCRIBE, FILTER.as_bytes())?;
        let mut sum = next_temperature(station, &mut update, 0, iterations)?;
        first_match_ns.set(monotonic_ns()? - start);
        for came in 1..iterations {
            sum += next_temperature(station, &mut update, came, iterations)?;
        }
        temperature.set(sum);
        matches.set(iterations);
        Ok(())
    };
    let empty = |iterations| {
        let mut sum = 0;
        for _ in 0..iterations {
            let mut update: &[u8] = b"10001 30 40";
            ffibench::opaque_memory(&mut update);
            sum += temperature_of(update)?;
        }
        check(sum == 30 * iterations as i64, "subscriber: a wrong sum")
    };
    let receipt = |done| {
        Fields::new()
            .integer("matches", done)
            .integer("temperature", temperature.get())
    };
    let unsubscribe = |_| station.set(ZMQ_UNSUBSCRIBE, FILTER.as_bytes());
    let case = Case::new(run, empty, receipt)
        .around(|_| Ok(()), unsubscribe)
        .figures(|_| Fields::new().integer("first_match_ns", first_match_ns.get()));
    worker.serve("", None, vec![("receive", case)])?;
    end(station, matches.get())?;
    if matches.get() != 0 && worker.option("verbose")? == "1" {
        let average = temperature.get() / matches.get() as i64;
        eprintln!("Average temperature for zipcode '{FILTER}' was {average}F");
    }
    Ok(())
}

/// Whatever else was sent lies there still, and is seen by one who subscribes to everything.
fn end(station: &Station, matches: u64) -> Outcome {
    station.set(ZMQ_SUBSCRIBE, b"")?;
    match station.receive(&mut [0; ROOM], ZMQ_DONTWAIT) {
        Ok(_) => Err(format!("subscriber: more than {matches} updates came").into()),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
        Err(error) => Err(format!("zmq_recv: {error}").into()),
    }
}
