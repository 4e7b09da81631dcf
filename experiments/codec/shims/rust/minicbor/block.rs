//! Messages as a struct in one block, as codec.h lays it out. Whatever a block says is held against its length.

use std::ops::Range;
use std::str;

use ffibench::Error;

use crate::messages::{Complex, Payload, Request, Response};

const SPAN: usize = 8;
const REQUEST: usize = 16;
const RESPONSE: usize = 16;
const COMPLEX: usize = 24;

/// What is laid out in one block of memory.
pub trait Packed: Sized {
    fn pack(&self) -> Result<Vec<u8>, Error>;
    fn unpack(block: &[u8]) -> Result<Self, Error>;
}

/// A block that is being written: heads first, in order, then the bytes that they name.
struct Writer {
    block: Vec<u8>,
    end: usize, // of the texts that heads have named so far
}

impl Writer {
    /// Asks for the memory of a whole block, of which `heads` bytes come before all texts.
    #[inline]
    fn new(heads: usize, texts: usize) -> Result<Self, Error> {
        u32::try_from(heads + texts).map_err(|_| "a block is shorter than 4 GiB")?;
        Ok(Writer {
            block: Vec::with_capacity(heads + texts),
            end: heads,
        })
    }

    /// Writes a text or a list: where it lies, and how many there are.
    #[inline]
    fn put(&mut self, offset: usize, count: usize) {
        let span = offset as u64 | (count as u64) << 32;
        self.block.extend_from_slice(&span.to_le_bytes());
    }

    #[inline]
    fn put_text(&mut self, length: usize) {
        self.put(self.end, length);
        self.end += length;
    }

    #[inline]
    fn put_request(&mut self, request: &Request) {
        self.put_text(request.message.len());
        self.block.extend_from_slice(&request.number.to_le_bytes());
    }

    #[inline]
    fn put_bytes(&mut self, bytes: &[u8]) {
        self.block.extend_from_slice(bytes);
    }
}

#[inline]
fn number_at(block: &[u8], at: usize) -> Result<u64, Error> {
    let bytes = block.get(at..at + 8).ok_or("the block ends too soon")?;
    Ok(u64::from_le_bytes(bytes.try_into()?))
}

/// Where elements of a size lie that the head at `at` names, all of them in the block.
#[inline]
fn span_at(block: &[u8], at: usize, size: usize) -> Result<Range<usize>, Error> {
    let head = number_at(block, at)?;
    let (offset, count) = (head & u64::from(u32::MAX), head >> 32);
    let end = offset + count * size as u64;
    if end > block.len() as u64 {
        return Err("a text or a list lies outside the block".into());
    }
    Ok(offset as usize..end as usize)
}

#[inline]
fn text_at(block: &[u8], at: usize) -> Result<String, Error> {
    Ok(str::from_utf8(&block[span_at(block, at, 1)?])?.to_owned())
}

#[inline]
fn request_at(block: &[u8], at: usize) -> Result<Request, Error> {
    Ok(Request {
        message: text_at(block, at)?,
        number: number_at(block, at + SPAN)? as i64,
    })
}

impl Packed for Request {
    #[inline]
    fn pack(&self) -> Result<Vec<u8>, Error> {
        let mut writer = Writer::new(REQUEST, self.message.len())?;
        writer.put_request(self);
        writer.put_bytes(self.message.as_bytes());
        Ok(writer.block)
    }

    #[inline]
    fn unpack(block: &[u8]) -> Result<Self, Error> {
        request_at(block, 0)
    }
}

impl Packed for Response {
    #[inline]
    fn pack(&self) -> Result<Vec<u8>, Error> {
        let mut writer = Writer::new(RESPONSE, self.first.len() + self.second.len())?;
        writer.put_text(self.first.len());
        writer.put_text(self.second.len());
        writer.put_bytes(self.first.as_bytes());
        writer.put_bytes(self.second.as_bytes());
        Ok(writer.block)
    }

    #[inline]
    fn unpack(block: &[u8]) -> Result<Self, Error> {
        Ok(Response {
            first: text_at(block, 0)?,
            second: text_at(block, SPAN)?,
        })
    }
}

impl Complex {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let items = self.items.iter().map(|item| item.message.as_str());
        let tags = self.tags.iter().map(String::as_str);
        items.chain(tags).chain(self.note.as_deref())
    }
}

impl Packed for Complex {
    fn pack(&self) -> Result<Vec<u8>, Error> {
        let tags = COMPLEX + REQUEST * self.items.len();
        let heads = tags + SPAN * self.tags.len();
        let texts = self.texts().map(str::len).sum::<usize>();
        let mut writer = Writer::new(heads, texts)?;
        writer.put(COMPLEX, self.items.len());
        writer.put(tags, self.tags.len());
        match &self.note {
            Some(note) => writer.put(heads + texts - note.len(), note.len()), // the last of all texts
            None => writer.put(0, 0),
        }
        for item in &self.items {
            writer.put_request(item);
        }
        for tag in &self.tags {
            writer.put_text(tag.len());
        }
        for text in self.texts() {
            writer.put_bytes(text.as_bytes());
        }
        Ok(writer.block)
    }

    fn unpack(block: &[u8]) -> Result<Self, Error> {
        let items_at = span_at(block, 0, REQUEST)?;
        let tags_at = span_at(block, SPAN, SPAN)?;
        let mut items = Vec::with_capacity(items_at.len() / REQUEST);
        for at in items_at.step_by(REQUEST) {
            items.push(request_at(block, at)?);
        }
        let mut tags = Vec::with_capacity(tags_at.len() / SPAN);
        for at in tags_at.step_by(SPAN) {
            tags.push(text_at(block, at)?);
        }
        let has_note = number_at(block, 2 * SPAN)? as u32 != 0;
        let note = has_note.then(|| text_at(block, 2 * SPAN)).transpose()?;
        Ok(Complex { items, tags, note })
    }
}

impl Packed for Payload {
    #[inline]
    fn pack(&self) -> Result<Vec<u8>, Error> {
        let mut writer = Writer::new(SPAN, self.bytes.len())?;
        writer.put_text(self.bytes.len());
        writer.put_bytes(&self.bytes);
        Ok(writer.block)
    }

    #[inline]
    fn unpack(block: &[u8]) -> Result<Self, Error> {
        let bytes = block[bytes_of(block)?].to_owned();
        Ok(Payload { bytes })
    }
}

/// Where the bytes of a payload lie.
#[inline]
pub fn bytes_of(block: &[u8]) -> Result<Range<usize>, Error> {
    span_at(block, 0, 1)
}
