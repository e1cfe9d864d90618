//! Who looks on while a case is under way: one that panics is caught, and one that hangs or eats the machine ends the process, its file kept.

use super::common::{process, wait_until};
use std::any::Any;
use std::cell::RefCell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// Longest that a case may take.
pub const TIME_MAX: Duration = Duration::from_secs(20);
/// Most memory that a case may take, bytes, over what there was before it.
pub const MEMORY_MAX: u64 = 1 << 30;
/// How often somebody looks whether a case hangs or eats the machine.
const WATCH: Duration = Duration::from_millis(100);

/// Where failing cases are kept.
pub fn failures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/hostile/failures")
}

/// The case under way: what to say of it, its file, when it began, and the memory there was.
struct UnderWay {
    told: String,
    file: PathBuf,
    begun: Instant,
    memory: Memory,
}

static UNDER_WAY: Mutex<Option<UnderWay>> = Mutex::new(None);

thread_local! {
    /// The last panic of a case on this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static IN_CASE: RefCell<bool> = const { RefCell::new(false) };
}

/// This process's memory, bytes; nothing where there is no `/proc`.
#[derive(Clone, Copy)]
struct Memory {
    now: u64,
    most: u64,
    addresses: u64,
}

/// What the system says of a process under a name, as `VmRSS:`.
fn of_status<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// The same in bytes; nothing where it isn't said.
fn bytes_of_status(status: &str, name: &str) -> u64 {
    let kb = of_status(status, name).and_then(|text| text.strip_suffix("kB")?.trim().parse::<u64>().ok());
    kb.map_or(0, |kb| kb << 10)
}

impl Memory {
    fn read() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let [now, most, addresses] =
            ["VmRSS:", "VmHWM:", "VmPeak:"].map(|name| bytes_of_status(&status, name));
        Self { now, most, addresses }
    }

    /// What was taken since, resident or of addresses, bytes.
    fn grown_since(self, before: Self) -> u64 {
        let resident = self.most.saturating_sub(before.most.max(before.now));
        resident.max(self.addresses.saturating_sub(before.addresses))
    }
}

/// The most memory a process of the program has had, bytes; nothing while it isn't one.
///
/// A process that is being begun shares the memory of whoever begins it for a moment, in which its peak is that of all the tests beside
/// this one. Its name changes only after its memory has.
pub fn most_memory(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    if of_status(&status, "Name:") == Some("morta") { bytes_of_status(&status, "VmHWM:") } else { 0 }
}

/// What became of a case: what it returned, or what its panic said, unless it took too much.
pub enum Watched<T> {
    Returned(T),
    Panicked(String),
    TookTooMuch(String),
}

/// Does a case; `told` says how to do it again, `file` is what it reads.
pub fn watched<T>(told: &str, file: &Path, work: impl FnOnce() -> T) -> Watched<T> {
    watch();
    let (begun, before) = (Instant::now(), Memory::read());
    let case = UnderWay { told: told.to_owned(), file: file.to_owned(), begun, memory: before };
    set_under_way(Some(case));
    IN_CASE.with(|in_case| *in_case.borrow_mut() = true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IN_CASE.with(|in_case| *in_case.borrow_mut() = false);
    set_under_way(None);
    let panic = PANIC.with(|panic| panic.borrow_mut().take()).unwrap_or_default();
    let grown = Memory::read().grown_since(before);
    if begun.elapsed() > TIME_MAX {
        return Watched::TookTooMuch(format!("a hang: {:.0} s", begun.elapsed().as_secs_f64()));
    }
    if grown > MEMORY_MAX {
        return Watched::TookTooMuch(format!("memory: {} MB", grown >> 20));
    }
    match done {
        Ok(returned) => Watched::Returned(returned),
        Err(payload) => Watched::Panicked(if panic.is_empty() { said(payload.as_ref()) } else { panic }),
    }
}

fn said(payload: &dyn Any) -> String {
    payload.downcast_ref::<String>().cloned().unwrap_or_else(|| "on another thread".to_owned())
}

fn set_under_way(case: Option<UnderWay>) {
    *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = case;
}

/// A case that hangs or eats the machine can't be ended from within, so the process ends.
fn watch() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            if IN_CASE.with(|in_case| *in_case.borrow()) {
                PANIC.with(|panic| *panic.borrow_mut() = Some(about.to_string().replace('\n', " ")));
            } else {
                usual(about);
            }
        }));
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(WATCH);
                end_if_too_much();
            }
        });
    });
}

fn end_if_too_much() {
    let under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(case) = &*under_way else { return };
    let grown = Memory::read().now.saturating_sub(case.memory.now);
    let why = if case.begun.elapsed() > TIME_MAX {
        format!("a hang: more than {} s", TIME_MAX.as_secs())
    } else if grown > MEMORY_MAX {
        format!("memory: {} MB", grown >> 20)
    } else {
        return;
    };
    let kept = failures().join("ended-the-process");
    let _ = fs::create_dir_all(failures());
    let _ = fs::copy(&case.file, &kept);
    eprintln!("FAILURE: {}: {why}; the file is {}", case.told, kept.display());
    std::process::exit(101);
}

/// The guard against too much memory looks at something: at a process of the program, and at no other.
#[test]
fn memory_of_the_program_is_seen() {
    let room = tempfile::tempdir().unwrap();
    let mut program = process(&["run", "scenarios/quickstart.toml", "--ticks", "1000000", "--out"]);
    program.arg(room.path().join("run")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut program = program.spawn().unwrap();
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    wait_until(|| most_memory(program.id()) >= 1 << 20);
    let (seen, not_seen) = (most_memory(program.id()), most_memory(other.id()));
    for child in [&mut program, &mut other] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!((1 << 20..MEMORY_MAX).contains(&seen), "{seen}");
    assert_eq!(not_seen, 0);
}
