//! The messages of codec as types of Rust: those that are timed, and the fixtures that each slice is verified with.

use std::io::{self, Write};
use std::os::raw::c_int;

use minicbor::{CborLen, Decode, Encode};
use native::*;

/// Messages in a row that differ.
pub const ROTATED: usize = 8;
const FIRST_NUMBER: i64 = 100_000;
const SHORT_TEXT: usize = 16;
const ODD_TEXT: &str = "é€😀";
const ODD_TIMES: usize = 100;
const LONG_TEXT: usize = 300;

#[derive(Clone, Default, Encode, Decode, CborLen)]
pub struct Request {
    #[n(0)]
    pub message: String,
    #[n(1)]
    pub number: i64,
}

#[derive(Default, Encode, Decode, CborLen)]
pub struct Response {
    #[n(0)]
    pub first: String,
    #[n(1)]
    pub second: String,
}

#[derive(Default, Encode, Decode, CborLen)]
pub struct Complex {
    #[n(0)]
    pub items: Vec<Request>,
    #[n(1)]
    pub tags: Vec<String>,
    /// It is null where it is absent; the derived encoder would leave it out, since no field follows.
    #[n(2)]
    #[cbor(encode_with = "Encode::encode", is_nil = "never")]
    pub note: Option<String>,
}

#[derive(Default, Encode, Decode, CborLen)]
pub struct Payload {
    #[n(0)]
    #[cbor(with = "minicbor::bytes")]
    pub bytes: Vec<u8>,
}

fn never<T>(_: &T) -> bool {
    false
}

/// A shape: its number in codec.h, its messages, and what is digested of one.
pub trait Shape: Default + 'static {
    const NUMBER: c_int;
    /// The messages, and the answers to decode, that a loop goes through in turn. Those of a payload are one, of which
    /// the last byte is changed.
    const READY: usize = ROTATED;

    /// Makes the message at a place of those; `size` is that of a payload.
    fn timed(place: usize, size: usize) -> Self;

    /// Makes a message the one of an iteration.
    fn vary(&mut self, _iteration: u64) {}

    /// Makes an answer the one that an iteration decodes.
    fn vary_answer(_answer: &mut [u8], _iteration: u64) {}

    /// What an iteration adds up of a message that was decoded.
    fn light(&self) -> u64;

    /// One that is empty or absent, one that is little, and extremes.
    fn fixtures() -> [Self; 3];

    /// Writes the fields out, as `as_fields` of _messages.py does.
    fn write_fields(&self, out: &mut Vec<u8>) -> io::Result<()>;
}

impl Request {
    fn new(message: &str, number: i64) -> Self {
        let message = message.to_owned();
        Request { message, number }
    }
}

impl Response {
    fn new(first: &str, second: &str) -> Self {
        Response {
            first: first.to_owned(),
            second: second.to_owned(),
        }
    }
}

impl Shape for Request {
    const NUMBER: c_int = CODEC_REQUEST;

    fn timed(_: usize, _: usize) -> Self {
        Request::new("hello from the other side", FIRST_NUMBER)
    }

    #[inline(always)]
    fn vary(&mut self, iteration: u64) {
        self.number = FIRST_NUMBER + iteration as i64;
    }

    #[inline(always)]
    fn light(&self) -> u64 {
        self.number as u64
    }

    fn fixtures() -> [Self; 3] {
        [
            Request::default(),
            Request::new("a", -1),
            Request::new(&ODD_TEXT.repeat(ODD_TIMES), i64::MAX),
        ]
    }

    fn write_fields(&self, out: &mut Vec<u8>) -> io::Result<()> {
        write!(out, "2[")?;
        write_text(out, self.message.as_bytes())?;
        write!(out, "{};]", self.number)
    }
}

impl Shape for Response {
    const NUMBER: c_int = CODEC_RESPONSE;

    fn timed(place: usize, _: usize) -> Self {
        let second = "x".repeat(SHORT_TEXT + place % ROTATED);
        Response::new("status: everything is fine", &second)
    }

    #[inline(always)]
    fn light(&self) -> u64 {
        self.first.len() as u64
    }

    fn fixtures() -> [Self; 3] {
        [
            Response::default(),
            Response::new("a", ""),
            Response::new(&ODD_TEXT.repeat(ODD_TIMES), &"z".repeat(LONG_TEXT)),
        ]
    }

    fn write_fields(&self, out: &mut Vec<u8>) -> io::Result<()> {
        write!(out, "2[")?;
        write_text(out, self.first.as_bytes())?;
        write_text(out, self.second.as_bytes())?;
        write!(out, "]")
    }
}

impl Shape for Complex {
    const NUMBER: c_int = CODEC_COMPLEX;

    fn timed(_: usize, _: usize) -> Self {
        Complex {
            items: vec![
                Request::new("first item", FIRST_NUMBER),
                Request::new("second item", 1),
                Request::new("third item", -2),
            ],
            tags: ["alpha", "beta", "gamma", "delta"].map(String::from).into(),
            note: Some("a note, which may be absent".to_owned()),
        }
    }

    #[inline(always)]
    fn vary(&mut self, iteration: u64) {
        self.items[0].vary(iteration);
    }

    #[inline(always)]
    fn light(&self) -> u64 {
        self.items[0].number as u64 + self.tags.len() as u64
    }

    fn fixtures() -> [Self; 3] {
        let little = Complex {
            items: vec![Request::default()],
            tags: vec![String::new()],
            note: None,
        };
        let extreme = Complex {
            items: vec![Request::new(ODD_TEXT, i64::MIN); ODD_TIMES],
            tags: vec![ODD_TEXT.to_owned(); ODD_TIMES],
            note: Some(String::new()),
        };
        [Complex::default(), little, extreme]
    }

    fn write_fields(&self, out: &mut Vec<u8>) -> io::Result<()> {
        write!(out, "3[{}[", self.items.len())?;
        for item in &self.items {
            item.write_fields(out)?;
        }
        write!(out, "]{}[", self.tags.len())?;
        for tag in &self.tags {
            write_text(out, tag.as_bytes())?;
        }
        write!(out, "]")?;
        match &self.note {
            Some(note) => write_text(out, note.as_bytes())?,
            None => write!(out, "-")?,
        }
        write!(out, "]")
    }
}

impl Shape for Payload {
    const NUMBER: c_int = CODEC_PAYLOAD;
    const READY: usize = 1;

    fn timed(_: usize, size: usize) -> Self {
        let bytes = (0..size).map(|place| (7 * place + 3) as u8).collect();
        Payload { bytes }
    }

    #[inline(always)]
    fn vary(&mut self, iteration: u64) {
        *last(&mut self.bytes) = iteration as u8;
    }

    #[inline(always)]
    fn vary_answer(answer: &mut [u8], iteration: u64) {
        *last(answer) = (iteration % ROTATED as u64) as u8 + 1;
    }

    #[inline(always)]
    fn light(&self) -> u64 {
        last_of(&self.bytes)
    }

    fn fixtures() -> [Self; 3] {
        let all = (0..4 * 256).map(|place| place as u8).collect();
        [Vec::new(), vec![0], all].map(|bytes| Payload { bytes })
    }

    fn write_fields(&self, out: &mut Vec<u8>) -> io::Result<()> {
        write_bytes(&self.bytes, out)
    }
}

#[inline(always)]
fn last(bytes: &mut [u8]) -> &mut u8 {
    bytes.last_mut().expect("a payload that is timed has bytes")
}

/// What is added up of the bytes of a payload.
#[inline(always)]
pub fn last_of(bytes: &[u8]) -> u64 {
    u64::from(*bytes.last().expect("a payload that is timed has bytes"))
}

/// Writes out the one field of a payload.
pub fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    write!(out, "1[")?;
    write_text(out, bytes)?;
    write!(out, "]")
}

fn write_text(out: &mut Vec<u8>, text: &[u8]) -> io::Result<()> {
    write!(out, "{}:", text.len())?;
    out.write_all(text)
}
