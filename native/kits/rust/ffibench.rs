//! The worker contract in Rust.
//!
//!     fn main() -> ExitCode {
//!         ffibench::main(work)
//!     }
//!
//!     fn work(worker: &Worker) -> Outcome {
//!         let message = worker.option("message")?; // the argument NAME=VALUE
//!         ... set up ...
//!         let run = move |iterations| ...;         // Err where a return code is wrong
//!         let empty = move |iterations| ...;       // the same without the native call
//!         let receipt = move |iterations| Fields::new().integer("sends", iterations);
//!         worker.serve("4.3.5", None, vec![("send", Case::new(run, empty, receipt))])?;
//!         ... tear down; standard input has closed ...
//!         Ok(())
//!     }
//!
//! An error is reported on standard error, with a non-zero status.

use std::io::{self, Write as _};
use std::process::ExitCode;

mod calls;
mod fields;
mod slices;

pub use calls::*;
pub use fields::Fields;
pub use slices::monotonic_ns;

use slices::measure;

pub type Error = Box<dyn std::error::Error>;
pub type Outcome = Result<(), Error>;
type Step<'a> = Box<dyn FnMut(u64) -> Outcome + 'a>;
type Report<'a> = Box<dyn FnMut(u64) -> Fields + 'a>;

/// What the arguments of the process say.
pub struct Worker(Vec<(String, String)>);

/// The loops of a case; all but these are called outside of the clocks.
pub struct Case<'a> {
    run: Step<'a>,
    empty: Step<'a>,
    receipt: Report<'a>,
    around: Option<(Step<'a>, Step<'a>)>,
    figures: Option<Report<'a>>,
    unsupported: Option<String>,
}

impl<'a> Case<'a> {
    pub fn new(
        run: impl FnMut(u64) -> Outcome + 'a,
        empty: impl FnMut(u64) -> Outcome + 'a,
        receipt: impl FnMut(u64) -> Fields + 'a,
    ) -> Self {
        Case {
            run: Box::new(run),
            empty: Box::new(empty),
            receipt: Box::new(receipt),
            around: None,
            figures: None,
            unsupported: None,
        }
    }

    /// One that cannot be run here, and why.
    pub fn unsupported(reason: &str) -> Self {
        Case {
            unsupported: Some(reason.to_owned()),
            ..Case::new(|_| Ok(()), |_| Ok(()), |_| Fields::new())
        }
    }

    /// What begins and ends each warm-up and timed slice.
    pub fn around(
        self,
        before: impl FnMut(u64) -> Outcome + 'a,
        after: impl FnMut(u64) -> Outcome + 'a,
    ) -> Self {
        Case {
            around: Some((Box::new(before), Box::new(after))),
            ..self
        }
    }

    /// More figures of a slice.
    pub fn figures(self, figures: impl FnMut(u64) -> Fields + 'a) -> Self {
        Case {
            figures: Some(Box::new(figures)),
            ..self
        }
    }
}

/// Does the work of a whole process.
pub fn main(work: fn(&Worker) -> Outcome) -> ExitCode {
    match Worker::open().and_then(|worker| work(&worker)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ffibench worker: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Worker {
    fn open() -> Result<Self, Error> {
        let mut options = Vec::new();
        for argument in std::env::args_os().skip(1) {
            let text = argument
                .into_string()
                .map_err(|other| format!("not of UTF-8: {other:?}"))?;
            let (name, value) = text
                .split_once('=')
                .ok_or_else(|| format!("not of the form NAME=VALUE: {text}"))?;
            options.push((name.to_owned(), value.to_owned()));
        }
        Ok(Worker(options))
    }

    fn find(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|option| option.0 == name)
            .map(|option| option.1.as_str())
    }

    /// The value of the argument NAME=VALUE.
    pub fn option(&self, name: &str) -> Result<&str, Error> {
        self.find(name)
            .ok_or_else(|| format!("missing argument: {name}").into())
    }

    /// The value of an argument that is a whole number.
    pub fn number(&self, name: &str) -> Result<u64, Error> {
        number(self.option(name)?)
    }

    /// The cases that are asked for, with their iterations, in the order of the argument `cases`.
    pub fn cases(&self) -> Result<Vec<(&str, u64)>, Error> {
        let entries = self
            .option("cases")?
            .split(',')
            .filter(|entry| !entry.is_empty());
        let read = entries.map(|entry| {
            let (name, count) = entry
                .rsplit_once(':')
                .ok_or_else(|| format!("not of the form NAME:ITERATIONS: {entry}"))?;
            Ok((name, number(count)?))
        });
        read.collect()
    }

    /// Runs the cases that are asked for, after the set-up, and returns when standard input has closed.
    ///
    /// `library` is its own version, where it reports one, `endpoint` where it waits for roles that are started later.
    pub fn serve(
        &self,
        library: &str,
        endpoint: Option<&str>,
        cases: Vec<(&str, Case)>,
    ) -> Outcome {
        let mut cases = cases;
        let (slices, warmup) = (self.number("slices")?, self.number("warmup")?);
        let cold = self.find("cold").map_or(Ok(0), number)?;
        let ready = Fields::new().text("library", library);
        let ready = match endpoint {
            Some(place) => ready.text("endpoint", place),
            None => ready,
        };
        emit(&format!("{{\"ready\": {{{}}}}}", ready.0))?;
        let mut line = String::new();
        io::stdin().read_line(&mut line)?;
        if line != "go\n" {
            return Err("expected go on standard input".into());
        }
        for (name, iterations) in self.cases()? {
            let found = cases.iter_mut().find(|each| each.0 == name);
            match found.map(|each| &mut each.1) {
                Some(Case {
                    unsupported: Some(reason),
                    ..
                }) => emit_lacking(name, reason)?,
                Some(case) => {
                    if cold > 0 {
                        measure(name, "cold", 1, cold, case)?;
                    }
                    measure(name, "warmup", warmup, iterations, case)?;
                    measure(name, "timed", slices, iterations, case)?;
                    measure(name, "empty", slices, iterations, case)?;
                }
                None => {
                    let binding = self.option("binding")?;
                    emit_lacking(name, &format!("{binding} has no case {name}"))?;
                }
            }
        }
        io::copy(&mut io::stdin().lock(), &mut io::sink())?; // the harness reads the live process meanwhile
        Ok(())
    }
}

fn number(text: &str) -> Result<u64, Error> {
    text.parse()
        .map_err(|_| format!("not a number: {text}").into())
}

fn emit_lacking(name: &str, reason: &str) -> Outcome {
    let line = Fields::new().text("case", name).text("unsupported", reason);
    emit(&format!("{{{}}}", line.0))
}

/// Prints a line; standard output is flushed at its end.
pub(crate) fn emit(line: &str) -> Outcome {
    Ok(writeln!(io::stdout(), "{line}")?)
}
