//! What a kernel takes of a multiprocessor, read from its machine code: no driver is asked and no tool.

/// What a thread of a kernel takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// The kernel as the schedule names it, with its order and loads.
    pub kernel: String,
    /// Registers of 32 bits.
    pub registers: u32,
    /// Bytes of local memory: what does not fit the registers, and arrays that are indexed as the kernel runs.
    pub local: u32,
}

/// The notes of `.nv.info`, each a format, an attribute, a size and so many bytes: those that are wanted here name a
/// function first and its value then.
const SIZED: u8 = 4;
const FRAME_SIZE: u8 = 0x11;
const REGISTERS: u8 = 0x2f;

/// The registers and local bytes of the kernel in a cubin that holds one; `None` where it is no such file.
///
/// The largest of each counts, so that functions which are called are seen too.
pub(super) fn of_cubin(cubin: &[u8]) -> Option<(u32, u32)> {
    let notes = section(cubin, b".nv.info")?;
    let (mut registers, mut local) = (None, None);
    let mut rest = notes;
    while let [format, attribute, low, high, after @ ..] = rest {
        // Only sized notes are longer than a word.
        let size = if *format == SIZED {
            usize::from(u16::from_le_bytes([*low, *high]))
        } else {
            0
        };
        let (value, next) = after.split_at_checked(size)?;
        let wanted = match *attribute {
            FRAME_SIZE => Some(&mut local),
            REGISTERS => Some(&mut registers),
            _ => None,
        };
        if let (Some(wanted), SIZED) = (wanted, *format) {
            *wanted = (*wanted).max(Some(word(value, 4)?));
        }
        rest = next;
    }
    Some((registers?, local?))
}

/// The bytes of a section of an ELF file of 64 bits, least significant byte first.
fn section<'a>(file: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    file.starts_with(b"\x7fELF\x02\x01").then_some(())?;
    let headers = long(file, 0x28)?;
    let [size, count, names] = [0x3a, 0x3c, 0x3e].map(|at| half(file, at));
    let (size, count, names) = (size?, count?, names?);
    let header = |index: usize| file.get(headers + index * size..)?.get(..size);
    let body = |header: &[u8]| file.get(long(header, 0x18)?..)?.get(..long(header, 0x20)?);
    let names = body(header(names)?)?;
    (0..count).find_map(|index| {
        let header = header(index)?;
        let own = names.get(word(header, 0)? as usize..)?;
        (own.starts_with(name) && own.get(name.len()) == Some(&0)).then(|| body(header))?
    })
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 2)?;
    Some(usize::from(u16::from_le_bytes(bytes.try_into().ok()?)))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 8)?;
    usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::gpu::nvrtc::{self, Image};

    #[test]
    fn what_is_no_cubin_has_none() {
        assert_eq!(of_cubin(b""), None);
        assert_eq!(of_cubin(b"\x7fELF\x02\x01"), None);
        assert_eq!(of_cubin(&[0; 200]), None);
    }

    #[test]
    fn local_memory_is_seen() {
        let nvrtc = match nvrtc::get() {
            Ok(nvrtc) => nvrtc,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "skipped: local_memory_is_seen: {error}");
                return;
            }
        };
        let take = |body: &str| {
            let source = format!("extern \"C\" __global__ void kernel(int* x, int n) {{ {body} }}");
            match nvrtc.compile("kernel", &source, 90) {
                Ok(Image::Cubin(cubin)) => of_cubin(&cubin),
                other => panic!("{other:?}"),
            }
        };
        let (registers, local) = take("x[threadIdx.x] += n;").unwrap();
        assert!(
            registers > 0 && local == 0,
            "{registers} registers, {local} bytes"
        );
        // Which element is taken is only known as the kernel runs.
        let (_, local) = take("int y[64]; for (int i = 0; i < 64; i++) y[i] = x[i]; for (int i = 0; i < n; i++) y[x[i] & 63] += i; *x = y[n & 63];").unwrap();
        assert!(local >= 256, "{local} bytes");
    }
}
