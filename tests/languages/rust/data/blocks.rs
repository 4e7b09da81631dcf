//! Reads lines `SHAPE HEX`, and says of each whether the contestant of codec decodes the block.

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
        let (shape, digits) = line.split_once(' ').expect("SHAPE HEX");
        let block: Vec<u8> = (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("a byte"))
            .collect();
        let is_good = match shape {
            "0" => Request::unpack(&block).is_ok(),
            "1" => Response::unpack(&block).is_ok(),
            "2" => Complex::unpack(&block).is_ok(),
            _ => Payload::unpack(&block).is_ok(),
        };
        println!("{}", if is_good { "yes" } else { "no" });
    }
}
