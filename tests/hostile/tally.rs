//! Counts of a round: a line for each kind when it is through, and what was done so far if it never gets there.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What came of a round.
#[derive(Default, Debug)]
pub struct Count {
    pub accepted: u64,
    pub refused: u64,
    pub failures: Vec<String>,
}

/// The count of a round that goes on. `HOSTILE_SUMMARY` names a file that every finished round adds a line to; the line of the round
/// under way, with the number of its last case, stands in a file beside it, whatever ends the process.
pub struct Tally {
    name: &'static str,
    seed: u64,
    begun: Instant,
    under_way: Option<(PathBuf, File)>,
    pub count: Count,
}

fn summary() -> Option<PathBuf> {
    std::env::var_os("HOSTILE_SUMMARY").map(PathBuf::from)
}

fn tell(line: &str) {
    if let Some(path) = summary() {
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let mut file = file.expect("the summary can be written");
        writeln!(file, "{line}").expect("the summary can be written");
    }
}

impl Tally {
    pub fn begin(name: &'static str, seed: u64) -> Self {
        let under_way = summary().map(|path| {
            let path = path.with_extension("under-way");
            let file = File::create(&path).expect("the summary can be written");
            (path, file)
        });
        Self { name, seed, begun: Instant::now(), under_way, count: Count::default() }
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Says which case is done next.
    pub fn under_way(&self, number: u64) {
        if let Some((_, file)) = &self.under_way {
            let line = format!("{} under way: case {number:>9} of seed {}\n", self.line(), self.seed);
            file.write_all_at(line.as_bytes(), 0).expect("the summary can be written");
        }
    }

    fn line(&self) -> String {
        let Count { accepted, refused, failures } = &self.count;
        let (failures, took) = (failures.len(), self.elapsed().as_secs_f64());
        format!(
            "{:<24} {:>8} cases {accepted:>8} accepted {refused:>8} refused {failures:>4} failures {took:>7.1} s",
            self.name,
            accepted + refused + failures as u64,
        )
    }

    /// Counts a failure, and tells of it at once.
    pub fn fail(&mut self, what: String) {
        tell(&format!("FAILURE {}: {what}", self.name));
        self.count.failures.push(what);
    }

    /// Tells what came of it.
    pub fn end(self) -> Count {
        let line = self.line();
        println!("{line}");
        tell(&line);
        if let Some((path, _)) = &self.under_way {
            let _ = std::fs::remove_file(path);
        }
        self.count
    }
}
