//! Ranks that are processes, over TCP: rank 0 collects what all send and sends it to all.
//!
//! A step costs one way to rank 0 and one back. That is all that shards on CPUs need, whose messages are small; GPUs use it
//! to agree on NCCL's id.

use std::io::{ErrorKind, Read, Write};
use std::mem::MaybeUninit;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::group::message::Bytes;
use crate::group::transport::{Block, Transport, gone, late};

/// What a rank says first: this protocol, then its number and how many ranks it knows of.
const HELLO: [u8; 8] = *b"warpfld1";
/// What rank 0 says to each once all have come, so that no rank takes itself for one of a group that there is not.
const WELCOME: [u8; 1] = *b"+";
/// How long a stranger may take to say it.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long after its own time rank 0 may take to say who did not come.
const GRACE: Duration = Duration::from_secs(1);
/// Between two tries to reach rank 0.
const PAUSE: Duration = Duration::from_millis(20);

/// How an answer of rank 0 begins.
const ALL: u8 = 0;
const LATE: u8 = 1;
const GONE: u8 = 2;

/// One rank.
pub(crate) enum Rank {
    /// Rank 0: the others, from rank 1 on.
    First(Vec<TcpStream>),
    /// Any other: the way to rank 0, and how many ranks there are.
    Other(TcpStream, usize),
}

fn meeting(what: String, remedy: &str) -> Error {
    Error::GroupMeeting {
        what,
        remedy: remedy.into(),
    }
}

/// The listener of rank 0.
pub(crate) fn listen(address: &str) -> Result<TcpListener, Error> {
    TcpListener::bind(address).map_err(|error| {
        meeting(
            format!("rank 0 cannot listen at {address}: {error}"),
            "name an address and a free port of the machine of rank 0, as in `tcp://10.0.0.1:29501`",
        )
    })
}

/// Rank 0 waits for all others.
pub(crate) fn first(listener: &TcpListener, size: usize, timeout: Duration) -> Result<Rank, Error> {
    let end = Instant::now() + timeout;
    let broken =
        |error: std::io::Error| meeting(format!("rank 0 cannot listen: {error}"), "use another port");
    listener.set_nonblocking(true).map_err(broken)?;
    let mut others: Vec<Option<TcpStream>> = (1..size).map(|_| None).collect();
    while let Some(missing) = others.iter().position(Option::is_none) {
        match listener.accept() {
            Ok((stream, _)) => {
                let Some((rank, of)) = hello(&stream) else {
                    continue;
                };
                if of != size || rank == 0 || rank >= size || others[rank - 1].is_some() {
                    let what = format!("rank {rank} of {of} came to a group of {size}, or came twice");
                    return Err(meeting(
                        what,
                        "start each rank from 0 to size - 1 once, all with one size",
                    ));
                }
                others[rank - 1] = Some(stream);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if Instant::now() >= end {
                    let what = format!("rank {} did not come within {timeout:?}", missing + 1);
                    return Err(meeting(
                        what,
                        "start all ranks; a meeting waits longer with `Meeting::timeout`, or `WARPFOLD_GROUP_TIMEOUT=300`",
                    ));
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(broken(error)),
        }
    }
    let mut others: Vec<_> = others.into_iter().flatten().collect();
    for (at, stream) in others.iter_mut().enumerate() {
        stream.write_all(&WELCOME).map_err(|_| gone(at + 1))?;
    }
    Ok(Rank::First(others))
}

/// What someone who connects says; nothing where it is no rank of ours.
fn hello(stream: &TcpStream) -> Option<(usize, usize)> {
    stream.set_nonblocking(false).ok()?;
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let mut said = [0; 16];
    (&mut &*stream).read_exact(&mut said).ok()?;
    let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| said[at + i])) as usize;
    (said[..8] == HELLO).then(|| (number(8), number(12)))
}

/// Any other rank tries until rank 0 is at the address that `found` gives, which may be another one each time. `place`: what
/// people call it.
pub(crate) fn other(
    place: &str,
    found: &dyn Fn() -> std::io::Result<String>,
    rank: usize,
    size: usize,
    timeout: Duration,
) -> Result<Rank, Error> {
    let end = Instant::now() + timeout;
    let mut stream = loop {
        match found().and_then(|address| TcpStream::connect(address.trim())) {
            Ok(stream) => break stream,
            Err(error) if Instant::now() >= end => {
                let what = format!("rank {rank} did not reach rank 0 at {place} within {timeout:?}: {error}");
                return Err(meeting(
                    what,
                    "start rank 0, or name its address; a meeting waits longer with `Meeting::timeout`, or `WARPFOLD_GROUP_TIMEOUT=300`",
                ));
            }
            Err(_) => std::thread::sleep(PAUSE),
        }
    };
    let mut said = [0; 16];
    said[..8].copy_from_slice(&HELLO);
    said[8..12].copy_from_slice(&(rank as u32).to_le_bytes());
    said[12..].copy_from_slice(&(size as u32).to_le_bytes());
    let sent = stream.set_nodelay(true).and_then(|()| stream.write_all(&said));
    let welcomed = sent.and_then(|()| {
        stream.set_read_timeout(Some(end.saturating_duration_since(Instant::now()).max(PAUSE)))?;
        let mut said = [0; WELCOME.len()];
        stream.read_exact(&mut said)?;
        stream.set_read_timeout(None)?;
        Ok(said == WELCOME)
    });
    if !matches!(welcomed, Ok(true)) {
        let what = format!(
            "rank {rank} of {size} reached {place}, and was not taken into a group there within {timeout:?}"
        );
        return Err(meeting(
            what,
            "start each rank from 0 to size - 1 once, all with one size and the address of rank 0",
        ));
    }
    Ok(Rank::Other(stream, size))
}

/// Bytes to be sent as they are.
fn plain(bytes: &Bytes) -> &[u8] {
    // SAFETY: the same memory. Padding among them has no value; it is handed to the system, which copies it, and never
    // looked at here.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

fn block(bytes: &[u8]) -> Block {
    bytes.iter().copied().map(MaybeUninit::new).collect()
}

/// Reads so many bytes until `end`; says otherwise whether the rank there is late or gone.
fn read(stream: &mut TcpStream, bytes: &mut [u8], end: Instant) -> Result<(), u8> {
    let mut done = 0;
    while done < bytes.len() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(LATE);
        }
        stream.set_read_timeout(Some(left)).map_err(|_| GONE)?;
        match stream.read(&mut bytes[done..]) {
            Ok(0) => return Err(GONE),
            Ok(count) => done += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(LATE);
            }
            Err(_) => return Err(GONE),
        }
    }
    Ok(())
}

fn lost(rank: usize, how: u8, timeout: Duration) -> Error {
    if how == LATE {
        late(rank, timeout)
    } else {
        gone(rank)
    }
}

impl Transport for Rank {
    fn gather(&mut self, message: &Bytes, timeout: Duration) -> Result<Vec<Block>, Error> {
        let end = Instant::now() + timeout;
        match self {
            Self::First(others) => {
                let mut rest = vec![0; message.len() * others.len()];
                let parts = rest.chunks_exact_mut(message.len());
                let failed = others
                    .iter_mut()
                    .zip(parts)
                    .enumerate()
                    .find_map(|(at, (stream, part))| Some((at + 1, read(stream, part, end).err()?)));
                if let Some((rank, how)) = failed {
                    let mut news = [0; 5];
                    news[0] = how;
                    news[1..].copy_from_slice(&(rank as u32).to_le_bytes());
                    for stream in others.iter_mut() {
                        // Who does not hear it is gone too.
                        let _ = stream.write_all(&news);
                    }
                    others.clear();
                    return Err(lost(rank, how, timeout));
                }
                let unheard = others.iter_mut().enumerate().find_map(|(at, stream)| {
                    let sent = stream.write_all(&[ALL, 0, 0, 0, 0]);
                    let sent = sent.and_then(|()| stream.write_all(plain(message)));
                    sent.and_then(|()| stream.write_all(&rest)).err().map(|_| at + 1)
                });
                if let Some(rank) = unheard {
                    others.clear();
                    return Err(gone(rank));
                }
                let others = rest.chunks(message.len()).map(block);
                Ok(std::iter::once(message.to_vec()).chain(others).collect())
            }
            Self::Other(stream, size) => {
                // Rank 0 waits as long for the others, and then says who did not come.
                let end = end + GRACE;
                stream.write_all(plain(message)).map_err(|_| gone(0))?;
                let mut news = [0; 5];
                read(stream, &mut news, end).map_err(|how| lost(0, how, timeout))?;
                if news[0] != ALL {
                    let rank = u32::from_le_bytes(std::array::from_fn(|i| news[i + 1]));
                    return Err(lost(rank as usize, news[0], timeout));
                }
                let mut all = vec![0; message.len() * *size];
                read(stream, &mut all, end).map_err(|how| lost(0, how, timeout))?;
                Ok(all.chunks(message.len()).map(block).collect())
            }
        }
    }
}
