//! The two ways in which a message crosses: CBOR by minicbor, or a struct in one block.

use std::os::raw::{c_int, c_void};

use ffibench::Error;
use minicbor::{CborLen, Decode, Decoder, Encode};
use native::*;

use crate::block::Packed;

/// How messages are encoded and decoded, and the function of the library that answers one.
pub trait Way<M>: 'static {
    const IS_BLOCK: bool;
    const ANSWER: unsafe extern "C" fn(c_int, *const c_void, usize, *mut c_void, usize) -> i64;

    fn encode(message: &M) -> Result<Vec<u8>, Error>;
    fn decode(bytes: &[u8]) -> Result<M, Error>;
}

pub struct Cbor;
pub struct Block;

impl<M> Way<M> for Cbor
where
    M: Encode<()> + CborLen<()> + for<'b> Decode<'b, ()>,
{
    const IS_BLOCK: bool = false;
    const ANSWER: unsafe extern "C" fn(c_int, *const c_void, usize, *mut c_void, usize) -> i64 =
        codec_answer_cbor;

    /// As `minicbor::to_vec`, which begins with no memory and asks for more three times.
    #[inline]
    fn encode(message: &M) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::with_capacity(minicbor::len(message));
        minicbor::encode(message, &mut bytes)?;
        Ok(bytes)
    }

    /// As `minicbor::decode`, which takes bytes behind the message for none of its business.
    #[inline]
    fn decode(bytes: &[u8]) -> Result<M, Error> {
        let mut decoder = Decoder::new(bytes);
        let message = decoder.decode()?;
        if decoder.position() != bytes.len() {
            return Err("there are bytes behind the message".into());
        }
        Ok(message)
    }
}

impl<M: Packed> Way<M> for Block {
    const IS_BLOCK: bool = true;
    const ANSWER: unsafe extern "C" fn(c_int, *const c_void, usize, *mut c_void, usize) -> i64 =
        codec_answer_block;

    #[inline]
    fn encode(message: &M) -> Result<Vec<u8>, Error> {
        message.pack()
    }

    #[inline]
    fn decode(block: &[u8]) -> Result<M, Error> {
        M::unpack(block)
    }
}
