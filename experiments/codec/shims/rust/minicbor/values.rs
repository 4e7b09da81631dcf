//! What an iteration makes of an answer: a message of its own, or of a payload a view.

use std::io;
use std::marker::PhantomData;
use std::ops::Range;

use ffibench::Error;

use crate::block::bytes_of;
use crate::messages::{last_of, write_bytes, Shape};
use crate::ways::Way;

/// How an answer is decoded, and what is kept of it until the next one is.
pub trait Value: 'static {
    type Kept: Default + 'static;
    /// Whether it is still the same when the answer is overwritten.
    const IS_OWNED: bool;

    fn decode(answer: &[u8]) -> Result<Self::Kept, Error>;
    fn light(kept: &Self::Kept, answer: &[u8]) -> u64;
    fn write_fields(kept: &Self::Kept, answer: &[u8], out: &mut Vec<u8>) -> io::Result<()>;
}

/// A message of type `M`, whose texts, lists and bytes are copies.
pub struct Owned<M, W>(PhantomData<(M, W)>);

impl<M: Shape, W: Way<M>> Value for Owned<M, W> {
    type Kept = M;
    const IS_OWNED: bool = true;

    #[inline(always)]
    fn decode(answer: &[u8]) -> Result<M, Error> {
        W::decode(answer)
    }

    #[inline(always)]
    fn light(kept: &M, _: &[u8]) -> u64 {
        kept.light()
    }

    fn write_fields(kept: &M, _: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        kept.write_fields(out)
    }
}

/// The slice of the answer that a payload's bytes are. Where it lies is kept, and not the slice: the next answer is
/// written to the same memory, which nothing may borrow then.
pub struct View;

impl Value for View {
    type Kept = Range<usize>;
    const IS_OWNED: bool = false;

    #[inline(always)]
    fn decode(answer: &[u8]) -> Result<Range<usize>, Error> {
        bytes_of(answer)
    }

    #[inline(always)]
    fn light(kept: &Range<usize>, answer: &[u8]) -> u64 {
        last_of(&answer[kept.clone()])
    }

    fn write_fields(kept: &Range<usize>, answer: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        write_bytes(&answer[kept.clone()], out)
    }
}
