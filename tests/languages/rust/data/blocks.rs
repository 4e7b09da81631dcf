//! Reads lines `SHAPE struct HEX LENGTH`, and says of each whether the contestant of codec takes the block.

use std::io::{self, BufRead};

#[allow(dead_code)]
mod block;

mod messages {
    #[derive(Default)]
    pub struct Request {
        pub message: String,
        pub number: i64,
    }
    pub struct Response {
        pub first: String,
        pub second: String,
    }
    pub struct Complex {
        pub items: Vec<Request>,
        pub tags: Vec<String>,
        pub note: Option<String>,
    }
    pub struct Payload {
        pub bytes: Vec<u8>,
    }
}

use block::Packed;
use messages::{Complex, Payload, Request, Response};

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line of text");
        let words: Vec<&str> = line.split(' ').collect();
        let [shape, _, digits, length] = words[..] else {
            panic!("not of the form SHAPE struct HEX LENGTH: {line}");
        };
        let memory: Vec<u8> = (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("a byte"))
            .collect();
        let block = &memory[..length.parse::<usize>().expect("a length")];
        let is_good = match shape {
            "request" => Request::unpack(block).is_ok(),
            "response" => Response::unpack(block).is_ok(),
            "complex" => Complex::unpack(block).is_ok(),
            _ => Payload::unpack(block).is_ok(),
        };
        println!("{}", if is_good { "taken" } else { "refused" });
    }
}
