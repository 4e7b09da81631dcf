//! What a slice's receipt says of its messages: digests, and the bad messages that were refused.

use std::marker::PhantomData;

use ffibench::{Error, Fields};
use native::*;

use crate::messages::{Request, Shape, ROTATED};
use crate::values::Value;
use crate::ways::Way;

/// The digests of requests, of answers, and of the fields that were decoded, all as the library works them out.
pub struct Digests<V> {
    requests: u32,
    answers: u32,
    fields: u32,
    of: PhantomData<V>,
}

impl<V: Value> Digests<V> {
    /// Those of the fixtures.
    pub fn of_fixtures<M: Shape, W: Way<M>>() -> Result<Self, Error> {
        let mut digests = Digests {
            requests: 0,
            answers: 0,
            fields: 0,
            of: PhantomData,
        };
        for message in M::fixtures() {
            let request = W::encode(&message)?;
            let answer = checked::<M, W>(&request)?;
            digests.add(&request, &answer);
            digests.add_fields(&V::decode(&answer)?, &answer)?;
        }
        Ok(digests)
    }

    pub fn add(&mut self, request: &[u8], answer: &[u8]) {
        self.requests = digest(self.requests, request);
        self.answers = digest(self.answers, answer);
    }

    pub fn add_fields(&mut self, value: &V::Kept, answer: &[u8]) -> Result<(), Error> {
        let mut fields = Vec::new();
        V::write_fields(value, answer, &mut fields)?;
        self.fields = digest(self.fields, &fields);
        Ok(())
    }

    pub fn write(&self, receipt: Fields) -> Fields {
        receipt
            .integer("requests", self.requests)
            .integer("answers", self.answers)
            .integer("fields", self.fields)
    }
}

fn digest(before: u32, bytes: &[u8]) -> u32 {
    unsafe { codec_digest(before, bytes.as_ptr().cast(), bytes.len()) }
}

/// Has a message answered outside of a loop.
pub fn checked<M: Shape, W: Way<M>>(request: &[u8]) -> Result<Vec<u8>, Error> {
    let mut answer = vec![0; request.len() + ROTATED];
    let length = unsafe {
        codec_check(
            W::IS_BLOCK.into(),
            M::NUMBER,
            request.as_ptr().cast(),
            request.len(),
            answer.as_mut_ptr().cast(),
            answer.len(),
        )
    };
    answer.truncate(length_of(length)?);
    Ok(answer)
}

/// The length of an answer.
#[inline(always)]
pub fn length_of(length: i64) -> Result<usize, Error> {
    usize::try_from(length).map_err(|_| format!("the library refuses a message: {length}").into())
}

/// Counts the bad messages that host and library refuse: one that ends too soon, one that is not UTF-8.
pub fn refused<W: Way<Request>>() -> Result<usize, Error> {
    let good = W::encode(&Request {
        message: "a text".to_owned(),
        number: 1,
    })?;
    let mut odd = good.clone();
    let place = good.iter().position(|byte| *byte == b't');
    odd[place.ok_or("the text is not in its own message")?] = 0xFF;
    let short = &good[..good.len() - 1];
    Ok([short, &odd]
        .into_iter()
        .map(|bad| {
            let by_library = checked::<Request, W>(bad).is_err();
            usize::from(by_library) + usize::from(W::decode(bad).is_err())
        })
        .sum())
}
