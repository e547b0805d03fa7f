//! Ranks that are threads of one process: no library and no network. What runs in tests everywhere.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::group::message::Bytes;
use crate::group::transport::{Block, Transport, gone, late};

/// What a rank has said so far, less what all have read.
#[derive(Default)]
struct Log {
    said: VecDeque<Block>,
    /// Steps whose messages are no longer kept.
    forgotten: u64,
    /// Steps that this rank has read.
    read: u64,
    gone: bool,
    /// Whom a rank that is gone waited for in vain, and for how long where that one was late: it is to blame.
    blames: Option<(usize, Option<Duration>)>,
}

impl Log {
    fn at(&self, turn: u64) -> Option<&Block> {
        self.said.get((turn - self.forgotten) as usize)
    }
}

struct Table {
    logs: Mutex<Vec<Log>>,
    changed: Condvar,
}

impl Table {
    fn logs(&self) -> MutexGuard<'_, Vec<Log>> {
        // A rank that panics does so outside: the logs are whole.
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of them.
pub(crate) struct Thread {
    table: Arc<Table>,
    rank: usize,
    turn: u64,
}

/// The ranks of a group of `size`.
pub(crate) fn ranks(size: usize) -> Vec<Thread> {
    let table = Arc::new(Table {
        logs: Mutex::new((0..size).map(|_| Log::default()).collect()),
        changed: Condvar::new(),
    });
    let thread = |rank| Thread {
        table: Arc::clone(&table),
        rank,
        turn: 0,
    };
    (0..size).map(thread).collect()
}

impl Transport for Thread {
    fn gather(&mut self, message: &Bytes, timeout: Duration) -> Result<Vec<Block>, Error> {
        let (end, turn) = (Instant::now() + timeout, self.turn);
        self.turn += 1;
        let mut logs = self.table.logs();
        logs[self.rank].said.push_back(message.to_vec());
        self.table.changed.notify_all();
        while let Some(missing) = logs.iter().position(|log| log.at(turn).is_none()) {
            let left = end.saturating_duration_since(Instant::now());
            let blamed = if logs[missing].gone {
                let blames = logs[missing].blames.filter(|(rank, _)| *rank != self.rank);
                blames.unwrap_or((missing, None))
            } else if left.is_zero() {
                (missing, Some(timeout))
            } else {
                let waited = self.table.changed.wait_timeout(logs, left);
                logs = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            };
            // Nobody has had all messages of this step: who comes late is not to have them either.
            logs[self.rank].said.pop_back();
            logs[self.rank].gone = true;
            logs[self.rank].blames = Some(blamed);
            self.table.changed.notify_all();
            return Err(match blamed {
                (rank, Some(timeout)) => late(rank, timeout),
                (rank, None) => gone(rank),
            });
        }
        let all = logs.iter().filter_map(|log| log.at(turn)).cloned().collect();
        logs[self.rank].read = turn + 1;
        // Those who have left read no more.
        let read = logs
            .iter()
            .filter(|log| !log.gone)
            .map(|log| log.read)
            .min()
            .unwrap_or(turn);
        for log in logs.iter_mut() {
            while log.forgotten < read && log.said.pop_front().is_some() {
                log.forgotten += 1;
            }
        }
        Ok(all)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.table.logs()[self.rank].gone = true;
        self.table.changed.notify_all();
    }
}
