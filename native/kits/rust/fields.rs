//! What a worker prints: JSON by hand.

use std::fmt::{Display, Write as _};

/// The fields of a JSON object: whole numbers, exactly, and texts.
#[derive(Default)]
pub struct Fields(pub(crate) String);

impl Fields {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn integer(self, name: &str, value: impl Into<i128>) -> Self {
        self.field(name, value.into())
    }

    pub fn text(self, name: &str, value: &str) -> Self {
        self.field(name, json(value))
    }

    pub(crate) fn field(mut self, name: &str, value: impl Display) -> Self {
        let comma = if self.0.is_empty() { "" } else { ", " };
        write!(self.0, "{comma}{}: {value}", json(name)).expect("a String takes all");
        self
    }
}

pub(crate) fn json(text: &str) -> String {
    let mut quoted = String::from('"');
    for each in text.chars() {
        match each {
            '"' | '\\' => quoted.extend(['\\', each]),
            '\0'..='\x1f' => quoted.push_str(&format!("\\u{:04x}", each as u32)),
            _ => quoted.push(each),
        }
    }
    quoted + "\""
}
