//! A child process (subprocess) that answers lines with lines over a Unix socket: inter-process communication with a timeout
//! (30 seconds by default) and a bound on the line length (16 MiB). After its last call, or its first failure, its input is closed; once it
//! has ended, or a second later, its process group is killed, because a forgotten process would hold memory and ports for ever.
//! `Link` is its only user.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child as Process, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The longest line that is sent or read, bytes. Without a bound, a program that never ends its line would fill the memory.
pub(crate) const LONGEST_LINE: usize = 16 << 20;
/// Time that a child has to end by itself after its last call; then its process group is killed.
const GRACE: Duration = Duration::from_secs(1);
/// Interval at which a waiting thread checks whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(100);
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// A child process (subprocess with a socket). Its standard input and output are one socket and not pipes, because reads of a socket can
/// have a time limit; its standard error is ours, so that a traceback reaches the terminal.
#[derive(Debug)]
pub(crate) struct Child {
    process: Process,
    stream: UnixStream,
    /// The timeout of a line written and of a line read, each by itself.
    patience: Duration,
    /// Ends the wait for an answer once it is set.
    stop: Option<Arc<AtomicBool>>,
    /// Bytes of the answer that have arrived.
    read: Vec<u8>,
    /// Whether it was ended after a failure; then dropping it does nothing more.
    given_up: bool,
}

/// Whether the error only says that nothing could be read or written for a moment.
fn is_pause(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Child {
    /// Spawns a subprocess, in a process group of its own, so that Ctrl-C reaches the laboratory alone.
    ///
    /// # Errors
    /// When it can't be started.
    pub(crate) fn start(
        command: &[String],
        patience: Duration,
        stop: Option<Arc<AtomicBool>>,
    ) -> Result<Self, String> {
        let (program, flags) = command.split_first().ok_or("the command is empty")?;
        let begin = || {
            let (ours, theirs) = UnixStream::pair()?;
            ours.set_read_timeout(Some(LOOK))?;
            ours.set_write_timeout(Some(LOOK))?;
            let (stdin, stdout) = (OwnedFd::from(theirs.try_clone()?), OwnedFd::from(theirs));
            let mut command = Command::new(program);
            command.args(flags).stdin(Stdio::from(stdin)).stdout(Stdio::from(stdout)).process_group(0);
            std::io::Result::Ok((command.spawn()?, ours))
        };
        let (process, stream) = begin().map_err(|error| format!("it can't be started: {error}"))?;
        Ok(Self { process, stream, patience, stop, read: Vec::new(), given_up: false })
    }

    /// Sends a line, without its end, and reads the line that answers it (request and response with timeout).
    ///
    /// # Errors
    /// When there is none in time, or it is too long, more than a line or no UTF-8, or nobody waits any longer; the child is ended then,
    /// and the error says what was wrong.
    pub(crate) fn ask(&mut self, line: &[u8]) -> Result<String, String> {
        let exchanged = self.exchange(line);
        exchanged.map_err(|why| {
            // A late answer would be read as that of the next call, so a child is ended after its first failure.
            self.given_up = true;
            format!("{why} ({})", self.end())
        })
    }

    fn exchange(&mut self, line: &[u8]) -> Result<String, String> {
        if line.len() > LONGEST_LINE {
            return Err(format!("a request of {} bytes is longer than {LONGEST_LINE}", line.len()));
        }
        self.write_line(line)?;
        self.read_line()?;
        let line = String::from_utf8(std::mem::take(&mut self.read));
        line.map_err(|_| "it answered something that isn't UTF-8".to_owned())
    }

    /// Reads a line within the patience, checking now and then whether it is still wanted.
    fn read_line(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        let mut chunk = [0; CHUNK];
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err("it closed its output".to_owned()),
                Ok(length) => self.read.extend_from_slice(&chunk[..length]),
                // A signal ends a read too, and mustn't start the patience anew.
                Err(error) if is_pause(&error) => {
                    if self.is_stopped() {
                        return Err("nobody waited for its answer any longer".to_owned());
                    }
                }
                Err(error) => return Err(format!("it is gone: {error}")),
            }
            if self.read.ends_with(b"\n") {
                break;
            }
            if self.read.len() > LONGEST_LINE {
                return Err(format!("its answer is longer than {LONGEST_LINE} bytes"));
            }
            if begun.elapsed() >= self.patience {
                return Err(match self.read.is_empty() {
                    true => format!("it didn't answer for {:?}", self.patience),
                    false => format!("its answer wasn't whole after {:?}", self.patience),
                });
            }
        }
        self.read.pop();
        // A second line would stay in the socket and be taken for the next answer.
        match self.read.contains(&b'\n') {
            true => Err("it answered more than a line".to_owned()),
            false => Ok(()),
        }
    }

    /// Sends a line with its end, likewise.
    fn write_line(&mut self, line: &[u8]) -> Result<(), String> {
        let begun = Instant::now();
        for mut rest in [line, b"\n"] {
            while !rest.is_empty() {
                match self.stream.write(rest) {
                    Ok(length) => rest = &rest[length..],
                    Err(error) if is_pause(&error) && self.is_stopped() => {
                        return Err("nobody waited for it any longer".to_owned());
                    }
                    Err(error) if is_pause(&error) && begun.elapsed() < self.patience => {}
                    Err(error) if is_pause(&error) => {
                        return Err(format!("it took nothing in for {:?}", self.patience));
                    }
                    Err(error) => return Err(format!("it is gone: {error}")),
                }
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Ends it, and says how it ended.
    fn end(&mut self) -> String {
        // A program that finds its input closed ends by itself.
        let _ = self.stream.shutdown(Shutdown::Both);
        let begun = Instant::now();
        while begun.elapsed() < GRACE {
            match self.process.try_wait() {
                Ok(Some(status)) => {
                    // A launcher may end before the processes that it began; they are of its group, and wait for nobody.
                    self.kill();
                    return status.to_string();
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
        self.kill();
        "it was running still, and was killed".to_owned()
    }

    /// Kills the whole group: a shell or a Python launcher has the memory's own process as a child.
    fn kill(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        let _ = self.process.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.given_up {
            self.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state of a process by `ps`: none once it is gone, `Z` where nobody has waited for it yet.
    fn state(process: &str) -> String {
        let listed = Command::new("ps").args(["-o", "stat=", "-p", process]).output();
        String::from_utf8(listed.expect("there is `ps`").stdout).expect("letters").trim().to_owned()
    }

    /// The launcher ends by itself when its input is closed; what it began in the background doesn't read any.
    #[test]
    fn what_a_launcher_left_behind_ends_with_it() {
        let script = "read question; sleep 600 < /dev/null > /dev/null & echo $!; read none";
        let command = ["sh", "-c", script].map(str::to_owned);
        let mut child = Child::start(&command, Duration::from_secs(30), None).expect("there is a shell");
        let left = child.ask(b"?").expect("it says the number of its process");
        assert_ne!(state(&left), "");
        drop(child);
        let begun = Instant::now();
        while !matches!(state(&left).chars().next(), None | Some('Z')) {
            assert!(begun.elapsed() < Duration::from_secs(10), "process {left} lives on: {}", state(&left));
            std::thread::sleep(LOOK);
        }
    }
}
