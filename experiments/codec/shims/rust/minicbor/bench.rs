//! The loops of a case, and what comes before and after them.

use std::marker::PhantomData;

use ffibench::{Error, Fields, Outcome};
use native::*;

use crate::messages::{Request, Shape, ROTATED};
use crate::receipt::{checked, length_of, refused, Digests};
use crate::values::Value;
use crate::ways::Way;

#[derive(Clone, Copy, PartialEq)]
pub enum Step {
    Encode,
    Call,
    Decode,
    Total,
}

/// What the loops of a case work on, and leave for the receipt.
pub struct Bench<M, W, V: Value> {
    step: Step,
    is_warm: bool,
    size: usize, // of a payload
    messages: Vec<M>,
    ready: Vec<Vec<u8>>, // answers to decode
    answer: Vec<u8>,
    answered: usize, // bytes of it that the last call wrote
    request: Vec<u8>,
    value: V::Kept,
    sum: u64,
    pub receipt: Fields,
    way: PhantomData<W>,
}

impl<M: Shape, W: Way<M> + Way<Request>, V: Value> Bench<M, W, V> {
    pub fn new(step: Step, is_warm: bool, size: usize) -> Self {
        Bench {
            step,
            is_warm,
            size,
            messages: Vec::new(),
            ready: Vec::new(),
            answer: Vec::new(),
            answered: 0,
            request: Vec::new(),
            value: V::Kept::default(),
            sum: 0,
            receipt: Fields::new(),
            way: PhantomData,
        }
    }

    /// Makes the messages and the answers to decode, when the case comes: before, they would lie in the way of others.
    fn open(&mut self) -> Outcome {
        let mut room = 0;
        for message in &M::fixtures() {
            room = room.max(W::encode(message)?.len());
        }
        for place in 0..M::READY {
            let mut message = M::timed(place, self.size);
            message.vary(place as u64);
            let request = W::encode(&message)?;
            self.ready.push(checked::<M, W>(&request)?);
            self.messages.push(message);
        }
        room += self.ready.iter().map(Vec::len).max().unwrap_or(0) + ROTATED;
        self.answer = vec![0; room];
        Ok(())
    }

    pub fn run(&mut self, iterations: u64) -> Outcome {
        self.sum = match self.step {
            Step::Encode => self.encodes(iterations),
            Step::Call => self.calls(iterations),
            Step::Decode => self.decodes(iterations),
            Step::Total => self.totals(iterations),
        }?;
        Ok(())
    }

    /// Encodes each message.
    fn encodes(&mut self, iterations: u64) -> Result<u64, Error> {
        let mut sum = 0;
        for iteration in 0..iterations {
            let request = W::encode(vary(&mut self.messages, iteration))?;
            sum += request.len() as u64;
            keep(&mut self.request, request);
        }
        Ok(sum)
    }

    /// Has the same message answered.
    fn calls(&mut self, iterations: u64) -> Result<u64, Error> {
        let mut sum = 0;
        for _ in 0..iterations {
            self.answered = answer::<M, W>(&self.request, &mut self.answer)?;
            sum += self.answered as u64;
        }
        Ok(sum)
    }

    /// Decodes answers that are ready.
    fn decodes(&mut self, iterations: u64) -> Result<u64, Error> {
        let mut sum = 0;
        for iteration in 0..iterations {
            let answer = &mut self.ready[iteration as usize % M::READY];
            M::vary_answer(answer, iteration);
            let value = V::decode(answer)?;
            sum += V::light(&value, answer);
            keep(&mut self.value, value);
        }
        Ok(sum)
    }

    /// Encodes a message, has it answered, decodes the answer.
    fn totals(&mut self, iterations: u64) -> Result<u64, Error> {
        let mut sum = 0_u64;
        for iteration in 0..iterations {
            let request = W::encode(vary(&mut self.messages, iteration))?;
            self.answered = answer::<M, W>(&request, &mut self.answer)?;
            keep(&mut self.request, request);
            let answer = &self.answer[..self.answered];
            let value = V::decode(answer)?;
            sum += V::light(&value, answer);
            keep(&mut self.value, value);
        }
        Ok(sum)
    }

    /// Makes the messages alone, where the step makes any.
    pub fn nothing(&mut self, iterations: u64) -> Outcome {
        let mut sum = 0;
        let encodes = matches!(self.step, Step::Encode | Step::Total);
        for iteration in 0..iterations {
            if encodes {
                vary(&mut self.messages, iteration);
            }
            sum += length_of(ffibench::opaque(self.answer.len() as i64))?;
        }
        self.sum = sum as u64;
        Ok(())
    }

    /// Drops what the slice before left, and warms the heap where the case has it so.
    pub fn before(&mut self) -> Outcome {
        self.value = V::Kept::default();
        self.answered = 0;
        if self.is_warm && unsafe { codec_warm_heap() } != 0 {
            return Err("the heap cannot be kept warm: malloc is not glibc's".into());
        }
        if self.messages.is_empty() {
            self.open()?;
        }
        self.request = W::encode(vary(&mut self.messages, 0))?;
        Ok(())
    }

    /// Digests the fixtures' messages, and what the loop left of its last one.
    pub fn after(&mut self, iterations: u64) -> Outcome {
        let mut digests = Digests::<V>::of_fixtures::<M, W>()?;
        let is_called = matches!(self.step, Step::Call | Step::Total);
        let is_decoded = matches!(self.step, Step::Decode | Step::Total);
        if self.step == Step::Decode {
            let last = (iterations - 1) % ROTATED as u64;
            self.request = W::encode(vary(&mut self.messages, last))?;
        }
        let answer = if is_called {
            self.answer[..self.answered].to_vec()
        } else {
            checked::<M, W>(&self.request)?
        };
        digests.add(&self.request, &answer);
        if !is_decoded {
            self.value = V::decode(&answer)?;
        } else if is_called && V::IS_OWNED {
            self.answer.fill(0xA5); // what was copied must not change with it
        }
        let memory = if is_called { &self.answer } else { &answer };
        digests.add_fields(&self.value, memory)?;
        let receipt = Fields::new()
            .integer("messages", iterations)
            .integer("sum", self.sum)
            .integer("refused", refused::<W>()? as u64);
        self.receipt = digests.write(receipt);
        Ok(())
    }
}

/// Makes the message of an iteration.
#[inline(always)]
fn vary<M: Shape>(messages: &mut [M], iteration: u64) -> &M {
    let message = &mut messages[iteration as usize % M::READY];
    message.vary(iteration);
    message
}

/// Has a message answered by the library.
#[inline(always)]
fn answer<M: Shape, W: Way<M>>(request: &[u8], answer: &mut [u8]) -> Result<usize, Error> {
    length_of(unsafe {
        (W::ANSWER)(
            M::NUMBER,
            request.as_ptr().cast(),
            request.len(),
            answer.as_mut_ptr().cast(),
            answer.len(),
        )
    })
}

/// Keeps what an iteration made until the next one has made its own, and drops that of the one before. The compiler
/// must take all of it for read: it may delete a copy of which one byte is used.
#[inline(always)]
fn keep<T>(kept: &mut T, made: T) {
    *kept = made;
    ffibench::opaque_memory(kept);
}
