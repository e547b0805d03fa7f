//! One test that runs many calls on the CPU and on the GPU, and tells all that differ, not only the first.
//!
//! Without a GPU the CPU half still runs, and is compared with whatever the test computes by itself.

use std::cell::RefCell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use warpfold::{Device, Error};

use crate::answer::{Answer, Equal};
use crate::{Lacks, ran_on_gpu, skip};

/// Faults that are told in full.
const TOLD: usize = 40;
/// Characters of an error that are told: the compiler's words come before the numbered source.
const ERROR_LENGTH: usize = 1500;

/// The calls of one test and what was wrong with them.
#[derive(Debug)]
pub struct Check {
    cpu: Device,
    gpu: Result<Device, Error>,
    /// Set once the driver reports an error: the context is lost, and what follows says nothing.
    lost: bool,
    calls: usize,
    faults: Vec<String>,
    _alone: Alone,
}

impl Default for Check {
    fn default() -> Self {
        Self::new()
    }
}

impl Check {
    /// Opens the first GPU, where there is one.
    pub fn new() -> Self {
        let alone = Alone::new();
        Self {
            cpu: Device::cpu(),
            gpu: Device::gpu(0),
            lost: false,
            calls: 0,
            faults: Vec::new(),
            _alone: alone,
        }
    }

    /// The GPU, where there is one that still answers.
    pub fn gpu(&self) -> Option<Device> {
        self.gpu.as_ref().ok().filter(|_| !self.lost).cloned()
    }

    /// Notes a fault.
    pub fn fault(&mut self, label: impl Display, what: impl Display) {
        self.faults.push(format!("{label}: {what}"));
    }

    /// Notes a fault unless `right`.
    pub fn is(&mut self, label: impl Display, right: bool, what: impl Display) {
        if !right {
            self.fault(label, what);
        }
    }

    /// Runs a call on the CPU and on the GPU, whose answers must be equal; gives the CPU's.
    pub fn same<A: Answer>(
        &mut self,
        label: impl Display,
        how: Equal,
        call: impl Fn(&Device) -> Result<A, Error>,
    ) -> Option<A> {
        self.calls += 1;
        let cpu = self.run(&label, "cpu", &self.cpu.clone(), &call);
        if let Some(device) = self.gpu() {
            let gpu = self.run(&label, "gpu", &device, &call);
            if let (Some(cpu), Some(gpu)) = (&cpu, &gpu)
                && let Some(what) = cpu.difference(gpu, how)
            {
                self.fault(&label, format!("cpu and gpu differ: {what}"));
            }
        }
        cpu
    }

    /// The same for a call that answers with values or, where it is refused, with words.
    pub fn same_text<A: Answer>(
        &mut self,
        label: impl Display,
        call: impl Fn(&Device) -> Result<(A, String), Error>,
    ) -> Option<(A, String)> {
        self.calls += 1;
        let cpu = self.run(&label, "cpu", &self.cpu.clone(), &call);
        if let Some(device) = self.gpu() {
            let gpu = self.run(&label, "gpu", &device, &call);
            if let (Some(cpu), Some(gpu)) = (&cpu, &gpu) {
                if let Some(what) = cpu.0.difference(&gpu.0, Equal::Bits) {
                    self.fault(&label, format!("cpu and gpu differ: {what}"));
                }
                self.is(
                    &label,
                    cpu.1 == gpu.1,
                    format!("cpu says `{}`, gpu says `{}`", cpu.1, gpu.1),
                );
            }
        }
        cpu
    }

    /// The same, and the CPU's answer must be `want`, bit for bit.
    pub fn gives<A: Answer>(
        &mut self,
        label: impl Display,
        want: &A,
        call: impl Fn(&Device) -> Result<A, Error>,
    ) {
        self.gives_about(label, Equal::Bits, want, call);
    }

    /// The same, and the CPU's answer must be `want`, as `how` says; between CPU and GPU bit for bit.
    pub fn gives_about<A: Answer>(
        &mut self,
        label: impl Display,
        how: Equal,
        want: &A,
        call: impl Fn(&Device) -> Result<A, Error>,
    ) {
        if let Some(got) = self.same(&label, Equal::Bits, call) {
            self.equal(label, how, &got, want);
        }
    }

    /// An answer must be what is wanted.
    pub fn equal<A: Answer>(&mut self, label: impl Display, how: Equal, got: &A, want: &A) {
        if let Some(what) = got.difference(want, how) {
            self.fault(label, format!("got and wanted: {what}"));
        }
    }

    /// A call must be refused on both, with an error that `is_right`.
    pub fn refused<A>(
        &mut self,
        label: impl Display,
        is_right: impl Fn(&Error) -> bool,
        call: impl Fn(&Device) -> Result<A, Error>,
    ) {
        let devices = [Some(self.cpu.clone()), self.gpu()];
        for (device, name) in devices.into_iter().zip(["cpu", "gpu"]) {
            let Some(device) = device else { continue };
            self.calls += 1;
            match catch_unwind(AssertUnwindSafe(|| call(&device))) {
                Err(_) => self.fault(&label, format!("{name} panicked")),
                Ok(Ok(_)) => self.fault(&label, format!("{name} took it")),
                Ok(Err(error)) if !is_right(&error) => {
                    self.fault(&label, format!("{name} gave another error: {}", told(&error)));
                }
                Ok(Err(error)) => {
                    let text = error.to_string();
                    self.is(&label, text.contains("\nhelp: "), format!("no help in: {text}"));
                }
            }
        }
    }

    /// Runs something on the GPU alone; nothing where there is none.
    pub fn on_gpu<A>(
        &mut self,
        label: impl Display,
        call: impl FnOnce(&Device) -> Result<A, Error>,
    ) -> Option<A> {
        let device = self.gpu()?;
        self.calls += 1;
        self.run(&label, "gpu", &device, call)
    }

    fn run<A>(
        &mut self,
        label: &impl Display,
        name: &str,
        device: &Device,
        call: impl FnOnce(&Device) -> Result<A, Error>,
    ) -> Option<A> {
        match catch_unwind(AssertUnwindSafe(|| call(device))) {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(error)) => {
                self.fault(label, format!("{name}: {}", told(&error)));
                // Only an error of the context itself makes the next question fail too.
                self.lost |= device.is_gpu() && device.synchronize().is_err();
                None
            }
            Err(_) => {
                self.fault(label, format!("{name} panicked"));
                None
            }
        }
    }

    /// Ends the test: fails with everything that was wrong; says whether it ran on a GPU.
    ///
    /// # Panics
    /// Where anything was wrong.
    #[track_caller]
    pub fn finish(mut self) {
        if let Some(device) = self.gpu()
            && let Err(error) = device.synchronize()
        {
            self.fault("the end", told(&error));
        }
        if let Err(error) = &self.gpu
            && lacks(error).is_none()
        {
            let what = format!(
                "a gpu that is there and refuses is no reason to skip: {}",
                told(error)
            );
            self.fault("the gpu", what);
        }
        if !self.faults.is_empty() {
            let told = self.faults.iter().take(TOLD).cloned().collect::<Vec<_>>();
            let lost = if self.lost {
                "\n(the context was lost: later calls did not run)"
            } else {
                ""
            };
            panic!(
                "{} faults in {} calls:\n  {}{lost}",
                self.faults.len(),
                self.calls,
                told.join("\n  ")
            );
        }
        match self.gpu {
            Ok(_) => ran_on_gpu(),
            Err(error) => {
                let lacks = lacks(&error).expect("another error is a fault");
                skip(
                    lacks,
                    format!(
                        "the half on the cpu is right; {}",
                        error.to_string().replace('\n', " ")
                    ),
                );
            }
        }
    }
}

/// What a machine lacks that gives this error instead of a GPU.
fn lacks(error: &Error) -> Option<Lacks> {
    match error {
        Error::NoGpu { .. } => Some(Lacks::Gpu),
        Error::NoNvrtc { .. } => Some(Lacks::Nvrtc),
        _ => None,
    }
}

/// The first GPU. Where there is none, or no NVRTC, the test that asks is skipped.
///
/// # Panics
/// Where a GPU is there and refuses, which is no reason to skip.
#[track_caller]
pub fn gpu() -> Option<Device> {
    match Device::gpu(0) {
        Ok(device) => Some(device),
        Err(error) => {
            let Some(lacks) = lacks(&error) else {
                panic!("a gpu that is there and refuses is no reason to skip: {error}")
            };
            skip(lacks, error);
            None
        }
    }
}

/// Under compute-sanitizer, keeps the tests of other threads waiting until it is dropped: what a tool reports stands between
/// the lines of one test.
#[derive(Debug)]
#[must_use]
pub struct Alone(());

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
thread_local! {
    /// How many of this thread's hold the lock.
    static HELD: RefCell<(usize, Option<MutexGuard<'static, ()>>)> = const { RefCell::new((0, None)) };
}

impl Alone {
    /// Waits until no other thread is alone.
    #[allow(clippy::new_without_default, reason = "it waits")]
    pub fn new() -> Self {
        if under_sanitizer() {
            HELD.with_borrow_mut(|(held, guard)| {
                if *held == 0 {
                    *guard = Some(ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner));
                }
                *held += 1;
            });
        }
        Self(())
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        if under_sanitizer() {
            HELD.with_borrow_mut(|(held, guard)| {
                *held -= 1;
                if *held == 0 {
                    *guard = None;
                }
            });
        }
    }
}

/// Whether the test runs under compute-sanitizer, which slows each launch down a hundredfold: fewer sizes then.
pub fn under_sanitizer() -> bool {
    std::env::var_os("WARPFOLD_SANITIZER").is_some()
}

/// Whether the test that asks steps aside because compute-sanitizer watches: `why` it is not for the tools. It is counted as
/// skipped then.
#[track_caller]
pub fn steps_aside(why: &str) -> bool {
    let watched = under_sanitizer();
    if watched {
        skip(Lacks::Time, format!("a sanitizer is watching: {why}"));
    }
    watched
}

/// The sizes to run: all, or the first two under compute-sanitizer.
pub fn sizes<T>(all: &[T]) -> &[T] {
    if under_sanitizer() {
        &all[..all.len().min(2)]
    } else {
        all
    }
}

/// The sizes to run where each is a kernel that takes seconds to compile: all, or the first under compute-sanitizer.
pub fn few_sizes<T>(all: &[T]) -> &[T] {
    if under_sanitizer() {
        &all[..all.len().min(1)]
    } else {
        all
    }
}

/// How many elements a large test takes: a debug build of the CPU back end is slow, and so is compute-sanitizer; where
/// there is a GPU the build is one for release.
pub fn many(release: usize) -> usize {
    if cfg!(debug_assertions) || under_sanitizer() {
        release.min(100_003)
    } else {
        release
    }
}

/// An error's text, cut where it goes on and on.
fn told(error: &Error) -> String {
    let text = error.to_string();
    match text.char_indices().nth(ERROR_LENGTH) {
        None => text,
        Some((end, _)) => format!("{} …", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faults_are_told() {
        let failed = catch_unwind(|| {
            let mut check = Check::new();
            check.gives("one", &1, |_| Ok(1));
            check.gives("two", &1, |_| Ok(2));
            check.gives("three", &vec![1.5_f32], |_| panic!("as asked"));
            check.refused("four", |_| true, |_| Ok(()));
            check.finish();
        });
        let text = *failed.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("two: got and wanted: 2 and 1"), "{text}");
        assert!(text.contains("three: cpu panicked"), "{text}");
        assert!(text.contains("four: cpu took it"), "{text}");
        assert!(!text.contains("one:"), "{text}");
    }

    #[test]
    fn a_refusal_is_a_fault_whatever_it_says() {
        let failed = catch_unwind(|| {
            let mut check = Check::new();
            check.gives("sum", &1, |_| {
                Err(Error::Unsupported {
                    spec: "sum",
                    what: "runs on the CPU only".to_owned(),
                    remedy: "none",
                })
            });
            check.finish();
        });
        let text = *failed.unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("sum: cpu: "), "{text}");
    }

    #[test]
    fn only_a_missing_gpu_or_library_is_a_reason_to_skip() {
        let unsupported = Error::Unsupported {
            spec: "sum",
            what: String::new(),
            remedy: "none",
        };
        assert_eq!(lacks(&unsupported), None);
    }
}
