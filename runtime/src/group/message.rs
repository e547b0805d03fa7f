//! What ranks tell each other in one step of a call: 128 bytes, whatever the call, so that ranks whose calls differ
//! find out instead of waiting for each other.

use std::any::type_name;
use std::mem::MaybeUninit;

use crate::cpu::shard::Stand;
use crate::error::Error;
use crate::spec::Fold;

/// Bytes of the part that says what the call is.
pub(crate) const HEADER: usize = 64;
/// Bytes of a message: a header, then a state of up to 64 bytes or the reason of a failure.
pub(crate) const MESSAGE: usize = 128;
/// The longest state that a message carries.
pub(crate) const STATE: usize = MESSAGE - HEADER;
/// Tells messages of this layout from anything else.
const MARK: u64 = 0x7761_7270_666f_6c01;
/// Where the call's name is.
const NAME: usize = 34;

/// Bytes that are moved and, past the header, never looked at: a state may have padding, which nobody has written.
pub(crate) type Bytes = [MaybeUninit<u8>];

/// One rank's part of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message([MaybeUninit<u8>; MESSAGE]);

/// What a rank is doing, as the others see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The form, the spec and where the data is, in words.
    pub name: String,
    /// The same and the types, as a number.
    pub number: u64,
    /// Steps that this rank has taken before.
    pub turn: u64,
}

impl Call {
    /// A call of `form` on a spec's data in one place.
    pub fn of<S: Fold>(form: &str, place: &str, turn: u64) -> Self {
        let facts = [
            form,
            place,
            type_name::<S>(),
            type_name::<S::State>(),
            env!("CARGO_PKG_VERSION"),
        ];
        Self {
            name: format!("{form} `{}`", S::INFO.name),
            number: number(&facts, [size_of::<S::State>(), align_of::<S::State>()]),
            turn,
        }
    }

    /// A call that gathers elements of a type.
    pub fn gather<T>(turn: u64) -> Self {
        let facts = ["gather", type_name::<T>()];
        Self {
            name: format!("gather of {}", type_name::<T>()),
            number: number(&facts, [size_of::<T>(), align_of::<T>()]),
            turn,
        }
    }
}

/// FNV-1a: equal on every machine and in every build.
fn number(facts: &[&str], sizes: [usize; 2]) -> u64 {
    let texts = facts.iter().flat_map(|fact| fact.bytes().chain([0]));
    let sizes = sizes.into_iter().flat_map(|size| (size as u64).to_le_bytes());
    texts.chain(sizes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Message {
    fn new(call: &Call, len: u64, failed: bool) -> Self {
        let mut bytes = [0_u8; MESSAGE];
        for (at, word) in [MARK, call.number, call.turn, len].into_iter().enumerate() {
            bytes[at * 8..][..8].copy_from_slice(&word.to_le_bytes());
        }
        let name = fitting(&call.name, HEADER - NAME);
        bytes[32] = u8::from(failed);
        bytes[33] = name.len() as u8;
        bytes[NAME..][..name.len()].copy_from_slice(name.as_bytes());
        Self(bytes.map(MaybeUninit::new))
    }

    /// How many elements this rank has.
    pub fn length(call: &Call, len: u64) -> Self {
        Self::new(call, len, false)
    }

    /// This rank's state of `len` elements.
    pub fn state<T: Copy>(call: &Call, len: u64, state: T) -> Self {
        let mut message = Self::new(call, len, false);
        assert!(size_of::<T>() <= STATE, "specs have states of up to 64 bytes");
        // SAFETY: the source is a live value of that many bytes, the target holds as many and is another place. Padding
        // is copied as bytes without a value, which `MaybeUninit` may hold.
        unsafe {
            let from = (&raw const state).cast::<MaybeUninit<u8>>();
            from.copy_to_nonoverlapping(message.0[HEADER..].as_mut_ptr(), size_of::<T>());
        }
        message
    }

    /// This rank's state of `len` elements, as a kernel left it.
    pub fn slot(call: &Call, len: u64, slot: &[u8; STATE]) -> Self {
        let mut message = Self::new(call, len, false);
        for (to, &byte) in message.0[HEADER..].iter_mut().zip(slot) {
            to.write(byte);
        }
        message
    }

    /// This rank cannot take part. The others get the first line of the reason, with a mark where it is cut.
    pub fn failure(call: &Call, reason: &Error) -> Self {
        let mut message = Self::new(call, 0, true);
        let reason = reason.to_string();
        let mut line = reason.lines().next().unwrap_or_default().to_owned();
        if line.len() > STATE - 1 {
            line.truncate(fitting(&line, STATE - 1 - CUT.len()).len());
            line.push_str(CUT);
        }
        message.0[HEADER].write(line.len() as u8);
        for (slot, byte) in message.0[HEADER + 1..].iter_mut().zip(line.bytes()) {
            slot.write(byte);
        }
        message
    }

    /// As the transports move it.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// All bytes. The state must have come from a kernel, on this rank and all others, as a call on device data checks.
    pub fn written(&self) -> [u8; MESSAGE] {
        // SAFETY: `slot` writes every byte of a message, and `check` saw that all ranks make this call, whose name says
        // that their data is on devices.
        self.0.map(|byte| unsafe { byte.assume_init() })
    }

    /// The message as it came from another rank.
    pub fn from_bytes(bytes: &Bytes) -> Self {
        let mut message = Self([MaybeUninit::new(0); MESSAGE]);
        message.0.copy_from_slice(bytes);
        message
    }

    /// The message as it came from a device.
    pub fn from_written(bytes: &[u8]) -> Self {
        let mut message = Self([MaybeUninit::new(0); MESSAGE]);
        for (to, &byte) in message.0.iter_mut().zip(bytes) {
            to.write(byte);
        }
        message
    }

    fn byte(&self, at: usize) -> u8 {
        debug_assert!(at < HEADER || self.failed());
        // SAFETY: every byte of a header is written, and those of a reason are.
        unsafe { self.0[at].assume_init() }
    }

    fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|i| self.byte(at * 8 + i)))
    }

    fn text(&self, from: usize, len: usize) -> String {
        let bytes: Vec<_> = (from..(from + len).min(MESSAGE))
            .map(|at| self.byte(at))
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Elements that the rank has.
    pub fn len(&self) -> u64 {
        self.word(3)
    }

    fn failed(&self) -> bool {
        // SAFETY: a byte of the header.
        unsafe { self.0[32].assume_init() != 0 }
    }

    /// The state that the rank sent. The message must have passed [`check`] for a call with this type of state.
    pub fn read<T: Copy>(&self) -> T {
        assert!(size_of::<T>() <= STATE, "specs have states of up to 64 bytes");
        // SAFETY: `check` saw that the sender made the same call of the same spec, types and version: it put a `T` there.
        unsafe { self.0[HEADER..].as_ptr().cast::<T>().read_unaligned() }
    }
}

/// Where the shard of rank `rank` stands.
pub(crate) fn stand(messages: &[Message], rank: usize) -> Stand {
    let lengths = || messages.iter().map(Message::len);
    Stand {
        n: messages[rank].len(),
        first: lengths().take(rank).sum(),
        total: lengths().sum(),
    }
}

/// Every rank makes this call and takes part in it.
pub(crate) fn check(call: &Call, messages: &[Message]) -> Result<(), Error> {
    for (rank, message) in messages.iter().enumerate() {
        let there = if message.word(0) != MARK {
            "something of another version of warpfold".into()
        } else if message.word(1) != call.number {
            let name = message.text(NAME, usize::from(message.byte(33)));
            if name == fitting(&call.name, HEADER - NAME) {
                format!("{name} of another build, type or place of the data")
            } else {
                name
            }
        } else if message.word(2) != call.turn {
            format!(
                "it at step {} where this rank is at step {}",
                message.word(2),
                call.turn
            )
        } else {
            continue;
        };
        return Err(Error::GroupDiffers {
            here: call.name.clone(),
            rank,
            there,
        });
    }
    for (rank, message) in messages.iter().enumerate() {
        if message.failed() {
            let len = usize::from(message.byte(HEADER));
            return Err(Error::GroupFailed {
                rank,
                reason: message.text(HEADER + 1, len),
            });
        }
    }
    Ok(())
}

/// Stands where a reason goes on.
const CUT: &str = "…";

/// The start of a text, at most `most` bytes of it.
fn fitting(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
