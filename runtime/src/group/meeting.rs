//! Where ranks that are processes find each other.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::device::Device;
use crate::error::Error;
use crate::group::nccl;
use crate::group::nccl::library::Id;
use crate::group::tcp;
use crate::group::transport::Transport;
use crate::group::{Group, LONGEST, TIMEOUT};

/// Between two looks for a file.
const PAUSE: Duration = Duration::from_millis(20);

/// Where the ranks of a group meet, if they are processes.
///
/// ```
/// use std::time::Duration;
/// use warpfold::group::Meeting;
/// let meeting = Meeting::tcp("10.0.0.1:29501").timeout(Duration::from_secs(300));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    place: Place,
    timeout: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Tcp(String),
    File(PathBuf),
}

impl Meeting {
    /// At an address and port of the machine of rank 0, which listens there: `10.0.0.1:29501`, or `tcp://10.0.0.1:29501`.
    pub fn tcp(address: impl Into<String>) -> Self {
        let address = address.into();
        Self {
            place: Place::Tcp(match address.strip_prefix("tcp://") {
                Some(address) => address.into(),
                None => address,
            }),
            timeout: TIMEOUT,
        }
    }

    /// In a file that all ranks see and that is not there yet: rank 0 writes it, and removes it when all have come. Ranks whose
    /// data is on CPUs must be on one machine.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self {
            place: Place::File(path.into()),
            timeout: TIMEOUT,
        }
    }

    /// How long a rank waits there for the others, at most a year; 60 seconds where nothing is said.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self {
            timeout: timeout.min(LONGEST),
            ..self
        }
    }
}

impl Group {
    /// Rank `rank` of `size` processes, which meet where `meeting` says. With a GPU as their device they talk over NCCL, otherwise
    /// over TCP. Each rank has a device of its own.
    ///
    /// # Errors
    /// [`Error::GroupMeeting`] and [`Error::GroupLost`] where the ranks do not find each other, [`Error::NoNccl`] where a GPU is the
    /// device and NCCL is not to be found, [`Error::Nccl`] for what it says.
    pub fn join(meeting: &Meeting, rank: usize, size: usize, device: Device) -> Result<Self, Error> {
        if rank >= size {
            return Err(Error::GroupMeeting {
                what: format!("there is no rank {rank} of {size}"),
                remedy: "number the ranks from 0 to size - 1".into(),
            });
        }
        if size == 1 {
            return Ok(Self::alone().with_device(device));
        }
        let timeout = meeting.timeout;
        let group = match device.stream().cloned() {
            None => Self::new(talk(meeting, rank, size)?, rank, size),
            Some(stream) => {
                let id = agree(meeting, rank, size)?;
                let joined = nccl::Rank::join(id, rank, size, stream, timeout);
                if let (0, Place::File(path)) = (rank, &meeting.place) {
                    // All have read it, or none will any more.
                    let _ = fs::remove_file(path);
                }
                Self::new(joined?, rank, size)
            }
        };
        Ok(group.with_device(device))
    }

    /// The ranks of a group of GPUs of this process, over NCCL: give one to each thread, as [`Group::run`] does.
    ///
    /// # Errors
    /// [`Error::NoGpu`], [`Error::NoNvrtc`], [`Error::NoNccl`], and [`Error::Nccl`] for what NCCL says.
    pub fn gpus(ordinals: &[usize]) -> Result<Vec<Self>, Error> {
        let devices = ordinals.iter().map(|&ordinal| Device::gpu(ordinal));
        let devices = devices.collect::<Result<Vec<_>, _>>()?;
        if let [device] = devices.as_slice() {
            return Ok(vec![Self::alone().with_device(device.clone())]);
        }
        let (id, size) = (nccl::library::get()?.unique_id()?, devices.len());
        std::thread::scope(|scope| {
            let joining: Vec<_> = devices
                .into_iter()
                .enumerate()
                .map(|(rank, device)| {
                    scope.spawn(move || {
                        let Some(stream) = device.stream().cloned() else {
                            unreachable!("a GPU has a stream")
                        };
                        let joined = nccl::Rank::join(id, rank, size, stream, TIMEOUT)?;
                        Ok(Self::new(joined, rank, size).with_device(device))
                    })
                })
                .collect();
            let joined = joining.into_iter().map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            joined.collect()
        })
    }

    /// This process's rank as its launcher set it: torchrun (`RANK`, `WORLD_SIZE`, `LOCAL_RANK`, `MASTER_ADDR`, `MASTER_PORT`), Open
    /// MPI's mpirun (`OMPI_COMM_WORLD_RANK`, `…_SIZE`, `…_LOCAL_RANK`) or Slurm's srun (`SLURM_PROCID`, `SLURM_NTASKS`, `SLURM_LOCALID`).
    ///
    /// The ranks meet where `WARPFOLD_GROUP` says, `tcp://host:port` or `file:///path`; otherwise at `MASTER_ADDR`, at the port after
    /// `MASTER_PORT`, where torchrun's own store listens. mpirun and srun say no place: set `WARPFOLD_GROUP` for them, the host that of
    /// rank 0. They wait there for `WARPFOLD_GROUP_TIMEOUT` seconds, 60 where it is not set. One rank alone meets nobody and needs
    /// neither. The device is the GPU of the local rank, or the CPU where there is no GPU.
    ///
    /// # Errors
    /// [`Error::GroupMeeting`] where these variables are not set or make no sense; otherwise as for [`join`](Self::join).
    pub fn from_env() -> Result<Self, Error> {
        let seat = seat(&|name| std::env::var(name).ok().filter(|value| !value.is_empty()))?;
        let device = match Device::gpu(seat.local) {
            Err(Error::NoGpu { .. }) if Device::gpu(0).is_err() => Device::cpu(),
            device => device?,
        };
        match &seat.meeting {
            Some(meeting) => Self::join(meeting, seat.rank, seat.size, device),
            None => Ok(Self::alone().with_device(device)),
        }
    }
}

/// What a launcher says of a process.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seat {
    pub rank: usize,
    pub size: usize,
    pub local: usize,
    /// None where there is one rank and no place was said.
    pub meeting: Option<Meeting>,
}

/// Reads it from variables.
pub(super) fn seat(get: &dyn Fn(&str) -> Option<String>) -> Result<Seat, Error> {
    const LAUNCHERS: [[&str; 3]; 3] = [
        ["RANK", "WORLD_SIZE", "LOCAL_RANK"],
        [
            "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_SIZE",
            "OMPI_COMM_WORLD_LOCAL_RANK",
        ],
        ["SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"],
    ];
    let wrong = |what: String, remedy: &str| Error::GroupMeeting {
        what,
        remedy: remedy.into(),
    };
    let Some([rank, size, local]) = LAUNCHERS.into_iter().find(|[rank, ..]| get(rank).is_some()) else {
        return Err(wrong(
            "no launcher has numbered this process".into(),
            "start it with `torchrun --nproc-per-node 2 --no-python PROGRAM` or mpirun, or use `Group::join`",
        ));
    };
    let number = |name: &str| {
        let text = get(name).unwrap_or_default();
        text.parse::<usize>().map_err(|_| {
            wrong(
                format!("{name} is `{text}` and no number"),
                "let a launcher set it",
            )
        })
    };
    let (rank, size) = (number(rank)?, number(size)?);
    let place = if let Some(place) = get("WARPFOLD_GROUP") {
        match (place.strip_prefix("tcp://"), place.strip_prefix("file://")) {
            (Some(address), _) => Some(Place::Tcp(address.into())),
            (_, Some(path)) => Some(Place::File(path.into())),
            _ => {
                let what = format!("WARPFOLD_GROUP is `{place}`");
                return Err(wrong(what, "write `tcp://host:port` or `file:///path`"));
            }
        }
    } else if (rank, size) == (0, 1) {
        None
    } else if let Some(host) = get("MASTER_ADDR") {
        let port = number("MASTER_PORT")?.saturating_add(1);
        Some(Place::Tcp(format!("{host}:{port}")))
    } else {
        let what = "neither WARPFOLD_GROUP nor MASTER_ADDR says where the ranks meet".into();
        return Err(wrong(what, "set `WARPFOLD_GROUP=tcp://host:port`"));
    };
    let timeout = match get("WARPFOLD_GROUP_TIMEOUT") {
        None => TIMEOUT,
        Some(text) => {
            let seconds = text.parse().ok().filter(|&seconds: &u64| seconds > 0);
            let seconds = seconds.ok_or_else(|| {
                let what = format!("WARPFOLD_GROUP_TIMEOUT is `{text}` and no number of seconds");
                wrong(what, "set `WARPFOLD_GROUP_TIMEOUT=300`")
            })?;
            Duration::from_secs(seconds).min(LONGEST)
        }
    };
    Ok(Seat {
        rank,
        size,
        local: if get(local).is_some() { number(local)? } else { 0 },
        meeting: place.map(|place| Meeting { place, timeout }),
    })
}

/// Joins over TCP.
fn talk(meeting: &Meeting, rank: usize, size: usize) -> Result<tcp::Rank, Error> {
    let timeout = meeting.timeout;
    match (&meeting.place, rank) {
        (Place::Tcp(address), 0) => tcp::first(&tcp::listen(address)?, size, timeout),
        (Place::Tcp(address), rank) => tcp::other(address, &|| Ok(address.clone()), rank, size, timeout),
        (Place::File(path), 0) => {
            let listener = tcp::listen("127.0.0.1:0")?;
            let address = listener.local_addr().map(|address| address.to_string());
            write(path, &address.unwrap_or_default())?;
            let joined = tcp::first(&listener, size, timeout);
            // All have read it, or none will any more.
            let _ = fs::remove_file(path);
            joined
        }
        (Place::File(path), rank) => {
            // Read anew each time: what stands there at first may be what a run before left.
            let place = format!("the address in {}", path.display());
            tcp::other(&place, &|| fs::read_to_string(path), rank, size, timeout)
        }
    }
}

/// NCCL's id, made by rank 0.
fn agree(meeting: &Meeting, rank: usize, size: usize) -> Result<Id, Error> {
    let nccl = nccl::library::get()?;
    let own = if rank == 0 {
        nccl.unique_id()?
    } else {
        Id([0; 128])
    };
    match &meeting.place {
        Place::Tcp(_) => {
            let mut ranks = talk(meeting, rank, size)?;
            let blocks = ranks.gather(&own.0.map(std::mem::MaybeUninit::new), meeting.timeout)?;
            let mut id = own;
            for (to, from) in id.0.iter_mut().zip(&blocks[0]) {
                // SAFETY: every rank sends 128 bytes that are written.
                *to = unsafe { from.assume_init() };
            }
            Ok(id)
        }
        Place::File(path) if rank == 0 => {
            let digits: Vec<_> = own.0.iter().map(|byte| format!("{byte:02x}")).collect();
            write(path, &digits.concat())?;
            Ok(own)
        }
        Place::File(path) => parse(&read(path, meeting.timeout)?).ok_or_else(|| Error::GroupMeeting {
            what: format!("{} is not what rank 0 writes", path.display()),
            remedy: "name a file that is not there yet, the same for all ranks".into(),
        }),
    }
}

fn parse(text: &str) -> Option<Id> {
    let mut id = Id([0; 128]);
    if text.len() != 256 {
        return None;
    }
    for (at, byte) in id.0.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(id)
}

/// Writes the file at once: who sees it sees all of it.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, text)
        .and_then(|()| fs::rename(&beside, path))
        .map_err(|error| Error::GroupMeeting {
            what: format!("cannot write {}: {error}", path.display()),
            remedy: "name a file in a folder that all ranks see".into(),
        })
}

/// Reads the file once it is there.
fn read(path: &Path, timeout: Duration) -> Result<String, Error> {
    let end = Instant::now() + timeout;
    loop {
        match fs::read_to_string(path) {
            Ok(text) => return Ok(text),
            Err(error) if Instant::now() >= end => {
                return Err(Error::GroupMeeting {
                    what: format!("cannot read {} within {timeout:?}: {error}", path.display()),
                    remedy: "start rank 0; a meeting waits longer with `Meeting::timeout`, or `WARPFOLD_GROUP_TIMEOUT=300`".into(),
                });
            }
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
}
