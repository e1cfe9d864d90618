//! A child process that answers lines with lines.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child as Process, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest line that is sent or read, bytes.
pub const LONGEST_LINE: usize = 16 << 20;
/// How long a child may take to end by itself once nobody asks any more.
const GRACE: Duration = Duration::from_secs(1);
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// A child process. Its standard input and output are one socket, whose reads can end after a time; its standard error is ours.
#[derive(Debug)]
pub struct Child {
    process: Process,
    stream: UnixStream,
    patience: Duration,
    read: Vec<u8>,
    given_up: bool,
}

impl Child {
    /// Starts one, in a process group of its own, so that Ctrl-C reaches the laboratory alone.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn start(command: &[String], patience: Duration) -> Result<Self, String> {
        let (program, flags) = command.split_first().ok_or("the command is empty")?;
        let begin = || {
            let (ours, theirs) = UnixStream::pair()?;
            ours.set_read_timeout(Some(patience))?;
            ours.set_write_timeout(Some(patience))?;
            let (stdin, stdout) = (OwnedFd::from(theirs.try_clone()?), OwnedFd::from(theirs));
            let mut command = Command::new(program);
            command.args(flags).stdin(Stdio::from(stdin)).stdout(Stdio::from(stdout)).process_group(0);
            std::io::Result::Ok((command.spawn()?, ours))
        };
        let (process, stream) = begin().map_err(|error| format!("it can't be started: {error}"))?;
        Ok(Self { process, stream, patience, read: Vec::new(), given_up: false })
    }

    /// Sends a line, without its end, and reads the line that answers it.
    ///
    /// # Errors
    /// When there is none in time; the child is gone then, and the line says what was wrong.
    pub fn ask(&mut self, line: &[u8]) -> Result<String, String> {
        let asked = self.exchange(line);
        asked.map_err(|why| {
            self.given_up = true;
            format!("{why} ({})", self.end())
        })
    }

    fn exchange(&mut self, line: &[u8]) -> Result<String, String> {
        if line.len() > LONGEST_LINE {
            return Err(format!("a request of {} bytes is longer than {LONGEST_LINE}", line.len()));
        }
        let sent = self.stream.write_all(line).and_then(|()| self.stream.write_all(b"\n"));
        sent.map_err(|error| self.told(&error, "took nothing in"))?;
        self.read_line()?;
        let line = String::from_utf8(std::mem::take(&mut self.read));
        line.map_err(|_| "it answered something that isn't UTF-8".to_owned())
    }

    fn read_line(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        let mut chunk = [0; CHUNK];
        let mut is_shortened = false;
        let result = loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => break Err("it closed its output".to_owned()),
                Ok(length) => self.read.extend_from_slice(&chunk[..length]),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if self.read.is_empty() => break Err(self.told(&error, "didn't answer")),
                Err(_) => break Err(self.cut()),
            }
            if self.read.ends_with(b"\n") {
                break Ok(());
            }
            if self.read.len() > LONGEST_LINE {
                break Err(format!("its answer is longer than {LONGEST_LINE} bytes"));
            }
            let left = self.patience.saturating_sub(begun.elapsed());
            if left.is_zero() || self.stream.set_read_timeout(Some(left)).is_err() {
                break Err(self.cut());
            }
            is_shortened = true;
        };
        if is_shortened && result.is_ok() {
            let reset = self.stream.set_read_timeout(Some(self.patience));
            reset.map_err(|error| format!("it can't be waited for: {error}"))?;
        }
        result?;
        self.read.pop();
        match self.read.contains(&b'\n') {
            true => Err("it answered more than a line".to_owned()),
            false => Ok(()),
        }
    }

    fn cut(&self) -> String {
        format!("its answer wasn't whole after {:?}", self.patience)
    }

    fn told(&self, error: &std::io::Error, what: &str) -> String {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => format!("it {what} for {:?}", self.patience),
            _ => format!("it is gone: {error}"),
        }
    }

    /// Ends it, and says how it ended.
    fn end(&mut self) -> String {
        // Who hears that nobody asks any more ends by itself.
        let _ = self.stream.shutdown(Shutdown::Both);
        let begun = Instant::now();
        while begun.elapsed() < GRACE {
            match self.process.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
        self.kill();
        "it was running still, and was killed".to_owned()
    }

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
