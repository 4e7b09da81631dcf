//! The clocks around a loop.

use std::io;
use std::os::raw::{c_int, c_long};

use crate::{emit, Case, Error, Fields, Outcome};

/// Times slices and prints a line for each.
pub(crate) fn measure(
    name: &str,
    kind: &str,
    slices: u64,
    iterations: u64,
    case: &mut Case,
) -> Outcome {
    let empty = kind == "empty";
    for slice in 0..slices {
        let begun = clock_ns(PROCESS_CPU)?;
        let mut around = case.around.as_mut().filter(|_| !empty);
        if let Some(steps) = &mut around {
            (steps.0)(iterations)?;
        }
        let body = if empty {
            &mut case.empty
        } else {
            &mut case.run
        };

        let cpu = clock_ns(PROCESS_CPU)?;
        let wall = clock_ns(MONOTONIC)?;
        let outcome = body(iterations);
        let wall_ns = clock_ns(MONOTONIC)? - wall;
        let ended = clock_ns(PROCESS_CPU)?;

        outcome?;
        if let Some(steps) = &mut around {
            (steps.1)(iterations)?;
        }
        let around_ns = cpu - begun + clock_ns(PROCESS_CPU)? - ended;

        let mut line = Fields::new()
            .text("case", name)
            .integer("slice", slice)
            .text("kind", kind);
        line = line
            .integer("wall_ns", wall_ns)
            .integer("cpu_ns", ended - cpu);
        if around.is_some() {
            line = line.integer("around_ns", around_ns);
        }
        if !empty {
            line = line.field(
                "receipt",
                format_args!("{{{}}}", (case.receipt)(iterations).0),
            );
            if let Some(figures) = &mut case.figures {
                line = line.field("figures", format_args!("{{{}}}", figures(iterations).0));
            }
        }
        emit(&format!("{{{}}}", line.0))?;
    }
    Ok(())
}

const MONOTONIC: c_int = 1;
const PROCESS_CPU: c_int = 2;

#[repr(C)]
struct Timespec {
    seconds: c_long,
    nanoseconds: c_long,
}

extern "C" {
    // std::time has no clock of the process, and its own is read through this function too.
    fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
}

/// Reads a clock of the system, for what a contestant times itself.
pub fn monotonic_ns() -> Result<i64, Error> {
    clock_ns(MONOTONIC)
}

fn clock_ns(clock: c_int) -> Result<i64, Error> {
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    if unsafe { clock_gettime(clock, &mut time) } != 0 {
        return Err(io::Error::last_os_error().into());
    }
    Ok(time.seconds as i64 * 1_000_000_000 + time.nanoseconds as i64)
}
