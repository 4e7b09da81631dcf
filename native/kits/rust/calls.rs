//! What generated loops need: memory that C reads and writes, values that the compiler knows nothing of, and answers as
//! exact text, as native/kits/c/ffibench_calls.h writes it.

use std::arch::asm;
use std::cell::Cell;
use std::ffi::CStr;
use std::mem::{size_of, transmute_copy};
use std::slice;

use crate::Error;

/// Of memory that is longer so many bytes are compared, spread evenly.
const MEMORY_BYTES_MAX: usize = 64;

/// A value in a register of its own, which the compiler must take for any other of its type.
///
/// `std::hint::black_box` does the same by way of memory, and came with Rust 1.66.
pub trait Opaque: Copy {
    fn opaque(self) -> Self;
}

macro_rules! opaque {
    ($class:ident: $($type:ty),*) => {$(
        impl Opaque for $type {
            #[inline(always)]
            #[allow(asm_sub_register)]
            fn opaque(mut self) -> Self {
                unsafe { asm!("/* {0} */", inout($class) self, options(nomem, nostack, preserves_flags)) };
                self
            }
        }
    )*};
}

opaque!(reg: i16, u16, i32, u32, i64, u64, isize, usize);
#[cfg(target_arch = "x86_64")]
opaque!(xmm_reg: f32, f64);
#[cfg(target_arch = "aarch64")]
opaque!(vreg: f32, f64);

macro_rules! opaque_byte {
    ($($type:ty => $value:ident $back:expr),*) => {$(
        impl Opaque for $type {
            #[inline(always)]
            fn opaque(self) -> Self {
                let $value = u32::from(self as u8).opaque();
                $back
            }
        }
    )*};
}

opaque_byte!(u8 => value value as u8, i8 => value value as i8, bool => value value != 0);

impl<T> Opaque for *mut T {
    #[inline(always)]
    fn opaque(self) -> Self {
        (self as usize).opaque() as Self
    }
}

impl<T> Opaque for *const T {
    #[inline(always)]
    fn opaque(self) -> Self {
        (self as usize).opaque() as Self
    }
}

/// A function that C calls, or none: an address.
impl<F: Copy> Opaque for Option<F> {
    #[inline(always)]
    fn opaque(self) -> Self {
        assert!(size_of::<Self>() == size_of::<usize>());
        unsafe { transmute_copy(&transmute_copy::<Self, usize>(&self).opaque()) }
    }
}

#[inline(always)]
pub fn opaque<T: Opaque>(value: T) -> T {
    value.opaque()
}

/// As `opaque`, of what lies in memory.
#[inline(always)]
pub fn opaque_memory<T>(value: &mut T) {
    unsafe { asm!("/* {0} */", in(reg) value, options(nostack, preserves_flags)) };
}

/// What memory holds is unknown from here on, so that no call can be made once for all iterations.
#[inline(always)]
pub fn clobber() {
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// Values side by side that C reads and writes: Rust touches them through their address alone. They stay until the
/// process ends.
pub struct Memory<T> {
    address: *mut T,
    length: usize,
}

impl<T: Copy> Memory<T> {
    pub fn of(values: Vec<T>) -> &'static Self {
        let values = Box::leak(values.into_boxed_slice());
        Box::leak(Box::new(Memory {
            address: values.as_mut_ptr(),
            length: values.len(),
        }))
    }

    pub fn as_ptr(&self) -> *const T {
        self.address
    }

    pub fn as_mut_ptr(&self) -> *mut T {
        self.address
    }

    /// The first of them.
    #[inline(always)]
    pub fn get(&self) -> T {
        assert!(self.length > 0);
        unsafe { *self.address }
    }

    #[inline(always)]
    pub fn set(&self, value: T) {
        assert!(self.length > 0);
        unsafe { *self.address = value };
    }

    /// The hexadecimal digits of the first `size` bytes; where those are many, of some that are spread evenly.
    pub fn hex(&self, size: usize) -> String {
        assert!(size <= self.length * size_of::<T>());
        let bytes = unsafe { slice::from_raw_parts(self.address.cast::<u8>(), size) };
        let last = MEMORY_BYTES_MAX - 1;
        if size <= MEMORY_BYTES_MAX {
            return hex(bytes);
        }
        hex(&(0..=last)
            .map(|each| bytes[each * (size - 1) / last])
            .collect::<Vec<_>>())
    }
}

/// Bytes in which a pattern repeats, and a NUL behind them.
pub fn bytes(pattern: &[u8], size: usize) -> &'static Memory<u8> {
    Memory::of(
        pattern
            .iter()
            .copied()
            .cycle()
            .take(size)
            .chain([0])
            .collect(),
    )
}

/// What the loop leaves for the receipt.
pub fn kept<T>(value: T) -> &'static Cell<T> {
    Box::leak(Box::new(Cell::new(value)))
}

/// The 16 hexadecimal digits of a number's bits.
pub fn real(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

/// The hexadecimal digits of a text's bytes.
///
/// # Safety
/// The address is NULL or that of a text that ends at a NUL.
pub unsafe fn text<T>(address: *const T) -> String {
    if address.is_null() {
        return String::from("NULL");
    }
    hex(CStr::from_ptr(address.cast()).to_bytes())
}

/// Whether an address is NULL, in words.
pub fn address<T>(address: *const T) -> &'static str {
    if address.is_null() {
        "NULL"
    } else {
        "not NULL"
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|each| format!("{each:02x}")).collect()
}

/// What is said of a call whose answer is not that of C.
#[cold]
pub fn wrong(function: &str) -> Error {
    format!("{function} gave another answer than C").into()
}
