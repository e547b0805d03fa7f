//! A peer's process: requests are lines of words on its standard input, replies are lines of JSON.
//!
//! | request | reply |
//! | --- | --- |
//! | `prepare` and [`Cell::words`] | `{"peers": [{"name", "at", "total", "magnitude"} or {"name", "error"}]}` |
//! | `time NAME LAUNCHES` | `{"us": […]}` |
//! | `release` | `{}` |
//! | `versions` | `{"versions": {…}}` |
//! | `ceilings` (the CUB program) | `{"copy_gb_s", "read_gb_s", "empty_kernel_us"}` |
//!
//! Any reply may be `{"error": "…"}` instead. A program that does not answer in time is killed and left out.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bytes::Ceilings;
use crate::cell::Cell;
use crate::contest::{Contestant, Prepared};

/// A running peer.
#[derive(Debug)]
pub struct Peer {
    title: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    patience: Duration,
    /// Whether the request for the next cell has gone out.
    begun: Result<(), String>,
}

impl Peer {
    /// Starts a program. `patience` bounds each reply.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(title: &str, command: &mut Command, patience: Duration) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{title} does not start: {error}"))?;
        let input = child.stdin.take();
        let output = child
            .stdout
            .take()
            .ok_or_else(|| format!("{title} has no output"))?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // Libraries print to standard output as they please; replies are objects.
                if line.starts_with('{') && sender.send(line).is_err() {
                    break;
                }
            }
        });
        let begun = Err(format!("{title} was not told the cell"));
        Ok(Self {
            title: title.to_owned(),
            child,
            input,
            lines,
            patience,
            begun,
        })
    }

    fn ask(&mut self, request: &str) -> Result<Value, String> {
        self.send(request)?;
        self.receive(request)
    }

    fn send(&mut self, request: &str) -> Result<(), String> {
        let title = &self.title;
        let input = self
            .input
            .as_mut()
            .ok_or_else(|| format!("{title} has stopped"))?;
        if let Err(error) = writeln!(input, "{request}").and_then(|()| input.flush()) {
            self.input = None;
            return Err(format!("{title} has stopped: {error}"));
        }
        Ok(())
    }

    fn receive(&mut self, request: &str) -> Result<Value, String> {
        let title = self.title.clone();
        let line = match self.lines.recv_timeout(self.patience) {
            Ok(line) => line,
            Err(reason) => {
                self.input = None;
                let _ = self.child.kill();
                return Err(match reason {
                    RecvTimeoutError::Timeout => {
                        format!(
                            "{title} did not answer `{request}` in {} s",
                            self.patience.as_secs()
                        )
                    }
                    RecvTimeoutError::Disconnected => format!("{title} ended on `{request}`"),
                });
            }
        };
        let reply: Value =
            serde_json::from_str(&line).map_err(|error| format!("{title}: {error}: {line}"))?;
        match reply.get("error").and_then(Value::as_str) {
            Some(error) => Err(format!("{title}: {error}")),
            None => Ok(reply),
        }
    }

    fn field<T: DeserializeOwned>(&mut self, request: &str, field: &str) -> Result<T, String> {
        let reply = self.ask(request)?;
        self.take(&reply, field)
    }

    fn take<T: DeserializeOwned>(&self, reply: &Value, field: &str) -> Result<T, String> {
        let value = reply
            .get(field)
            .cloned()
            .ok_or_else(|| format!("{}: no `{field}` in {reply}", self.title))?;
        serde_json::from_value(value).map_err(|error| format!("{}: {error} in `{field}`", self.title))
    }

    /// The versions of what the peer is made of.
    ///
    /// # Errors
    /// When the program broke.
    pub fn versions(&mut self) -> Result<BTreeMap<String, String>, String> {
        self.field("versions", "versions")
    }

    /// What the card's memory reaches, from the program that measures it.
    ///
    /// # Errors
    /// When the program broke or does not measure ceilings.
    pub fn ceilings(&mut self) -> Result<Ceilings, String> {
        let reply = self.ask("ceilings")?;
        serde_json::from_value(reply).map_err(|error| format!("{}: {error} in the ceilings", self.title))
    }
}

fn prepare(cell: &Cell) -> String {
    format!("prepare {}", cell.words())
}

impl Contestant for Peer {
    fn begin(&mut self, cell: &Cell) {
        self.begun = self.send(&prepare(cell));
    }

    fn prepare(&mut self, cell: &Cell) -> Result<Vec<Prepared>, String> {
        std::mem::replace(
            &mut self.begun,
            Err(format!("{} was not told the cell", self.title)),
        )?;
        let reply = self.receive(&prepare(cell))?;
        self.take(&reply, "peers")
    }

    fn time(&mut self, name: &str, launches: u32) -> Result<Vec<f64>, String> {
        self.field(&format!("time {name} {launches}"), "us")
    }

    fn release(&mut self) -> Result<(), String> {
        self.ask("release").map(drop)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Closing its input ends a peer; one that hangs is killed.
        self.input = None;
        for _ in 0..50 {
            match self.child.try_wait() {
                Ok(Some(_)) => return,
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{DType, Family, Work};

    const CELL: Cell = Cell {
        family: Family::Rows,
        work: Work::Max,
        rows: 2,
        cols: 4,
        stride: 4,
        dtype: DType::F32,
    };

    fn shell(script: &str, patience: Duration) -> Peer {
        Peer::start("shell", Command::new("sh").args(["-c", script]), patience).unwrap()
    }

    #[test]
    fn a_conversation() {
        let script = r#"
            echo "a library says hello"
            read line; echo "{\"peers\": [{\"name\": \"p\", \"at\": [1.5, null], \"total\": 2, \"magnitude\": 3}]}"
            read line; [ "$line" = "time p 2" ] && echo '{"us": [1.0, 2.0]}'
            read line; echo '{"error": "out of memory"}'"#;
        let mut peer = shell(script, Duration::from_secs(10));
        assert!(peer.prepare(&CELL).is_err());
        peer.begin(&CELL);
        let prepared = peer.prepare(&CELL).unwrap();
        assert_eq!(prepared[0].at, [Some(1.5), None]);
        assert_eq!(peer.time("p", 2), Ok(vec![1.0, 2.0]));
        assert_eq!(peer.release(), Err("shell: out of memory".to_owned()));
    }

    #[test]
    fn a_peer_that_ends_or_hangs_says_so_once_and_stays_out() {
        let mut ended = shell("read line", Duration::from_secs(10));
        assert!(ended.time("p", 1).unwrap_err().contains("ended on `time p 1`"));
        let mut hangs = shell("read line; sleep 60", Duration::from_millis(50));
        assert!(hangs.time("p", 1).unwrap_err().contains("did not answer"));
        assert!(hangs.time("p", 1).unwrap_err().contains("has stopped"));
    }
}
