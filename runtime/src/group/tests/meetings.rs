//! Ranks that find each other over TCP and through files, as processes do; here each is a thread.

use std::collections::HashMap;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{total, whole};
use crate::error::Error;
use crate::group::Meeting;
use crate::group::meeting::seat;
use crate::{Device, Group};

const SOON: Duration = Duration::from_millis(200);

/// An address that was free a moment ago.
fn address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("warpfold-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// Joins `size` ranks, the last first, and runs `work` on each.
fn meet<R: Send>(meeting: &Meeting, size: usize, work: impl Fn(&mut Group) -> R + Sync) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let mut ranks: Vec<_> = (0..size)
            .rev()
            .map(|rank| {
                scope.spawn(move || {
                    let group = Group::join(meeting, rank, size, Device::cpu());
                    work(&mut group.unwrap())
                })
            })
            .collect();
        ranks.reverse();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

fn work(group: &mut Group) -> (u64, Vec<u64>) {
    let own: Vec<u64> = (0..100 * (group.rank() as u64 + 1)).collect();
    let sum = group.reduce::<whole, _>((&own,)).unwrap();
    (sum, group.gather(&own[..group.rank()]).unwrap())
}

#[test]
fn ranks_meet_at_an_address_and_in_a_file() {
    let path = file("meeting");
    for meeting in [Meeting::tcp(address()), Meeting::file(&path)] {
        let sum = (1..4).map(|k| (0..100 * k).sum::<u64>()).sum();
        assert_eq!(meet(&meeting, 3, work), vec![(sum, vec![0, 0, 1]); 3]);
    }
    assert!(!path.exists(), "rank 0 removes the file");
}

#[test]
fn whoever_knocks_by_mistake_is_sent_away() {
    let address = address();
    let meeting = Meeting::tcp(&address);
    let stranger = std::thread::spawn({
        let address = address.clone();
        move || {
            while let Err(error) = TcpStream::connect(&address)
                .and_then(|mut stream| stream.write_all(b"GET / HTTP/1.1\r\n\r\n"))
            {
                assert!(error.kind() == std::io::ErrorKind::ConnectionRefused, "{error}");
                std::thread::yield_now();
            }
        }
    });
    let joined = std::thread::scope(|scope| {
        let first = scope.spawn(|| Group::join(&meeting, 0, 2, Device::cpu()).map(|group| group.size()));
        stranger.join().unwrap();
        let second = Group::join(&meeting, 1, 2, Device::cpu()).map(|group| group.size());
        [first.join().unwrap(), second]
    });
    assert!(joined.iter().all(|size| matches!(size, Ok(2))), "{joined:?}");
}

#[test]
fn a_rank_that_ends_or_is_late_gives_the_others_an_error() {
    for gone in [0, 1, 2] {
        let meeting = Meeting::tcp(address());
        let begun = Instant::now();
        meet(&meeting, 3, |group| {
            if group.rank() == gone {
                return;
            }
            let error = group.reduce::<total, _>((&[1.0_f32],)).unwrap_err();
            assert!(matches!(error, Error::GroupLost { .. }), "{error}");
        });
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
    // Rank 2 is there, but makes no call while the others wait.
    let meeting = Meeting::tcp(address());
    let waiting = std::sync::Barrier::new(3);
    meet(&meeting, 3, |group| {
        if group.rank() != 2 {
            let mut hasty = std::mem::replace(group, Group::alone()).timeout(SOON);
            let error = hasty.reduce::<total, _>((&[1.0_f32],)).unwrap_err();
            assert!(matches!(error, Error::GroupLost { .. }), "{error}");
            assert!(error.to_string().contains("rank 2 did not come"), "{error}");
        }
        waiting.wait();
    });
}

#[test]
fn ranks_that_do_not_find_each_other_say_so() {
    let meeting = Meeting::tcp(address()).timeout(SOON);
    let error = Group::join(&meeting, 0, 2, Device::cpu())
        .unwrap_err()
        .to_string();
    assert!(error.contains("rank 1 did not come"), "{error}");
    let error = Group::join(&meeting, 1, 2, Device::cpu())
        .unwrap_err()
        .to_string();
    assert!(error.contains("did not reach rank 0 at 127.0.0.1"), "{error}");
    let nobody = Meeting::file(file("nobody")).timeout(SOON);
    let error = Group::join(&nobody, 1, 2, Device::cpu()).unwrap_err().to_string();
    assert!(
        error.contains("warpfold-") && error.contains("Meeting::timeout"),
        "{error}"
    );
    let error = Group::join(&meeting, 2, 2, Device::cpu())
        .unwrap_err()
        .to_string();
    assert!(error.contains("no rank 2 of 2"), "{error}");
    assert_eq!(Group::join(&meeting, 0, 1, Device::cpu()).unwrap().size(), 1);
}

#[test]
fn what_an_earlier_run_left_in_the_file_is_passed_over() {
    let path = file("stale");
    for stale in [address(), String::new(), "no address".into()] {
        std::fs::write(&path, stale).unwrap();
        let meeting = Meeting::file(&path);
        let sizes = std::thread::scope(|scope| {
            let second = scope.spawn(|| Group::join(&meeting, 1, 2, Device::cpu()).map(|group| group.size()));
            std::thread::sleep(SOON);
            let first = Group::join(&meeting, 0, 2, Device::cpu()).map(|group| group.size());
            [first, second.join().unwrap()]
        });
        assert!(sizes.iter().all(|size| matches!(size, Ok(2))), "{sizes:?}");
    }
}

#[test]
fn what_is_no_group_takes_nobody_in() {
    // A server of something else, and one that says nothing.
    for answer in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b""] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(answer).unwrap();
            std::thread::sleep(2 * SOON);
        });
        let meeting = Meeting::tcp(format!("tcp://{address}")).timeout(SOON);
        let error = Group::join(&meeting, 1, 2, Device::cpu()).unwrap_err();
        assert!(matches!(error, Error::GroupMeeting { .. }), "{error}");
        server.join().unwrap();
    }
}

#[test]
fn any_time_to_wait_is_taken() {
    let meeting = Meeting::tcp(address()).timeout(Duration::MAX);
    let sums = meet(&meeting, 2, |group| {
        let mut patient = std::mem::replace(group, Group::alone()).timeout(Duration::MAX);
        patient.reduce::<whole, _>((&[1_u64],)).unwrap()
    });
    assert_eq!(sums, [2, 2]);
}

#[test]
fn ranks_that_disagree_about_their_number_say_so() {
    let meeting = Meeting::tcp(address()).timeout(Duration::from_secs(10));
    let error = std::thread::scope(|scope| {
        let first = scope.spawn(|| Group::join(&meeting, 0, 2, Device::cpu()).map(|_| ()));
        let other = Group::join(&meeting, 1, 3, Device::cpu())
            .unwrap_err()
            .to_string();
        assert!(other.contains("was not taken into a group"), "{other}");
        first.join().unwrap().unwrap_err().to_string()
    });
    assert!(error.contains("rank 1 of 3 came to a group of 2"), "{error}");
}

fn seated(variables: &[(&str, &str)]) -> Result<String, String> {
    let variables: HashMap<_, _> = variables.iter().copied().collect();
    let get = |name: &str| variables.get(name).map(|&value| value.to_owned());
    match seat(&get) {
        Ok(seat) => Ok(format!(
            "{}/{} local {} {:?}",
            seat.rank, seat.size, seat.local, seat.meeting
        )),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn launchers_say_which_rank_this_is_and_where_to_meet() {
    let torchrun = [
        ("RANK", "3"),
        ("WORLD_SIZE", "8"),
        ("LOCAL_RANK", "1"),
        ("MASTER_ADDR", "node0"),
        ("MASTER_PORT", "29500"),
    ];
    let found = seated(&torchrun).unwrap();
    assert!(
        found.starts_with("3/8 local 1 ") && found.contains("node0:29501"),
        "{found}"
    );
    let mpirun = [
        ("OMPI_COMM_WORLD_RANK", "1"),
        ("OMPI_COMM_WORLD_SIZE", "2"),
        ("OMPI_COMM_WORLD_LOCAL_RANK", "1"),
        ("WARPFOLD_GROUP", "file:///tmp/id"),
    ];
    let found = seated(&mpirun).unwrap();
    assert!(
        found.starts_with("1/2 local 1 ") && found.contains("/tmp/id"),
        "{found}"
    );
    let srun = [
        ("SLURM_PROCID", "0"),
        ("SLURM_NTASKS", "2"),
        ("WARPFOLD_GROUP", "tcp://node0:7000"),
    ];
    let found = seated(&srun).unwrap();
    assert!(
        found.starts_with("0/2 local 0 ") && found.contains("timeout: 60s"),
        "{found}"
    );
    let patient = [srun.as_slice(), &[("WARPFOLD_GROUP_TIMEOUT", "300")]].concat();
    assert!(seated(&patient).unwrap().contains("timeout: 300s"));
    let endless = [
        srun.as_slice(),
        &[("WARPFOLD_GROUP_TIMEOUT", "18446744073709551615")],
    ]
    .concat();
    assert!(seated(&endless).unwrap().contains("timeout: 31536000s"));
    // One rank meets nobody, whatever a launcher says of the place.
    let alone = [("RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "node0")];
    assert_eq!(seated(&alone).unwrap(), "0/1 local 0 None");
    for (name, value, what) in [
        ("WARPFOLD_GROUP_TIMEOUT", "5m", "`5m` and no number of seconds"),
        ("WARPFOLD_GROUP_TIMEOUT", "0", "`0` and no number of seconds"),
    ] {
        let error = seated(&[srun.as_slice(), &[(name, value)]].concat()).unwrap_err();
        assert!(error.contains(what) && error.contains("\nhelp: "), "{error}");
    }
    for (variables, what) in [
        (&[][..], "no launcher has numbered this process"),
        (
            &[("RANK", "0"), ("WORLD_SIZE", "2")],
            "neither WARPFOLD_GROUP nor MASTER_ADDR",
        ),
        (
            &[
                ("RANK", "x"),
                ("WORLD_SIZE", "2"),
                ("WARPFOLD_GROUP", "tcp://a:1"),
            ],
            "RANK is `x` and no number",
        ),
        (
            &[("RANK", "0"), ("WORLD_SIZE", "2"), ("WARPFOLD_GROUP", "here")],
            "WARPFOLD_GROUP is `here`",
        ),
    ] {
        let error = seated(variables).unwrap_err();
        assert!(error.contains(what) && error.contains("\nhelp: "), "{error}");
    }
}
