//! Running other programs: each is shown before it runs, and its output is passed on as it comes.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result};

/// The cargo that runs this task.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command to its end and says whether it succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    announce(command);
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", shown(command)))?;
    Ok(status.success())
}

/// Runs a command to its end, giving each line of its stdout and stderr, in the order they were written, to `on_line`.
pub fn each_line(mut command: Command, mut on_line: impl FnMut(&str)) -> Result<ExitStatus> {
    let (reader, writer) = std::io::pipe()?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot run {}", shown(&command)))?;
    // The command holds the writing ends; the reader sees the end of the output only once they are closed here.
    drop(command);

    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        on_line(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']));
        line.clear();
    }
    Ok(child.wait()?)
}

/// As [`each_line`], and the lines are printed too.
pub fn stream(command: Command, mut on_line: impl FnMut(&str)) -> Result<ExitStatus> {
    announce(&command);
    each_line(command, |line| {
        // Whoever reads may have gone away (`| head`); the run goes on for its exit status.
        let _ = writeln!(std::io::stdout(), "{line}");
        on_line(line);
    })
}

/// Runs a command to its end, its stderr shown, and gives whether it succeeded and its stdout.
pub fn stdout_of(command: &mut Command) -> Result<(bool, String)> {
    announce(command);
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot run {}", shown(command)))?;
    Ok((
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    ))
}

/// The stdout of a command, `None` where it cannot run or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Prints a command as a person would type it.
fn announce(command: &Command) {
    eprintln!("$ {}", shown(command));
}

fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy);
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn lines_of_both_outputs_come_in_the_order_written() {
        let mut lines = Vec::new();
        let status = each_line(shell("echo a; echo b >&2; printf c; exit 3"), |line| {
            lines.push(line.to_owned());
        })
        .unwrap();
        assert_eq!(lines, ["a", "b", "c"]);
        assert_eq!(status.code(), Some(3));
    }

    #[test]
    fn output_is_none_for_what_fails_or_is_not_there() {
        assert_eq!(output(&mut shell("echo ' x '")), Some("x".to_owned()));
        assert_eq!(output(&mut shell("echo x; exit 1")), None);
        assert_eq!(output(&mut Command::new("no-such-program-anywhere")), None);
    }

    #[test]
    fn a_command_is_shown_without_the_path_of_its_program() {
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["test", "--workspace"]);
        assert_eq!(shown(&command), "cargo test --workspace");
    }
}
