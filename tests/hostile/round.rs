//! A round of one kind of files: every case has one verdict, and what fails is kept with what it takes to do it again.

use super::luck::Luck;
use super::mutate::{Shape, mutate};
use morta_lab::Error;
use std::cell::RefCell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// Longest that a case may take.
pub const TIME_MAX: Duration = Duration::from_secs(20);
/// Most memory that a case may take, bytes, over what there was before it.
pub const MEMORY_MAX: u64 = 1 << 30;
/// Longest line that anybody is told, bytes.
const LINE_MAX: usize = 8_000;
/// How often somebody looks whether a case hangs or eats the machine.
const WATCH: Duration = Duration::from_millis(100);
/// Failures of a kind after which its round ends: more of them say nothing new, and each may cost twenty seconds.
const FAILURES_MAX: usize = 20;

/// How much is tried; `HOSTILE_SEED`, `HOSTILE_CASES` and `HOSTILE_SECONDS` in the environment.
pub struct Effort {
    pub seed: u64,
    pub cases: u64,
    pub time: Duration,
    /// Of the kinds, only those whose name holds this (`HOSTILE_KIND`).
    pub kind: String,
    /// The first case (`HOSTILE_FROM`), to do one again.
    pub from: u64,
}

/// A number of the environment.
pub fn number(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}: must be a whole number")),
        Err(_) => usual,
    }
}

impl Effort {
    /// Short enough for every `cargo test`.
    pub fn asked() -> Self {
        Self {
            seed: number("HOSTILE_SEED", 1),
            cases: number("HOSTILE_CASES", 250),
            time: Duration::from_secs(number("HOSTILE_SECONDS", 3)),
            kind: std::env::var("HOSTILE_KIND").unwrap_or_default(),
            from: number("HOSTILE_FROM", 0),
        }
    }
}

/// One file of a sample.
pub struct SampleFile {
    pub name: String,
    pub bytes: Vec<u8>,
    /// None for a file that is left as it is.
    pub shape: Option<Shape>,
}

/// Reads the files of a folder as the program does.
pub type Look = Box<dyn Fn(&Path) -> Result<(), Error>>;

/// Files of one kind, sound, with who reads them.
pub struct Kind {
    pub name: &'static str,
    pub files: Vec<SampleFile>,
    pub look: Look,
    /// Whether who reads also writes, so that all files are put back after every case.
    pub writes: bool,
}

impl Kind {
    pub fn new(name: &'static str, look: impl Fn(&Path) -> Result<(), Error> + 'static) -> Self {
        Self { name, files: Vec::new(), look: Box::new(look), writes: false }
    }

    pub fn hostile(mut self, name: &str, shape: Shape, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push(SampleFile { name: name.to_owned(), bytes: bytes.into(), shape: Some(shape) });
        self
    }

    pub fn sound(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push(SampleFile { name: name.to_owned(), bytes: bytes.into(), shape: None });
        self
    }

    pub fn writing(mut self) -> Self {
        self.writes = true;
        self
    }

    /// Every file of a folder, those with these endings mutated.
    pub fn folder(mut self, folder: &Path, shape_of: impl Fn(&str) -> Option<Shape>) -> Self {
        for name in files_below(folder) {
            let bytes = fs::read(folder.join(&name)).expect("the sample can be read");
            let shape = shape_of(&name);
            self.files.push(SampleFile { name, bytes, shape });
        }
        assert!(!self.files.is_empty(), "{}: there is no sample", folder.display());
        self
    }

    /// All of its files one folder further down.
    pub fn below(mut self, folder: &str) -> Self {
        self.files.iter_mut().for_each(|file| file.name = format!("{folder}/{}", file.name));
        self
    }

    fn put(&self, room: &Path, file: &SampleFile, bytes: &[u8]) {
        let path = room.join(&file.name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("the room can be written to");
        }
        fs::write(&path, bytes).expect("the room can be written to");
    }

    pub fn put_all(&self, room: &Path) {
        let _ = fs::remove_dir_all(room);
        fs::create_dir_all(room).expect("the room can be made");
        self.files.iter().for_each(|file| self.put(room, file, &file.bytes));
    }

    /// The file that a case changes, and what it becomes.
    pub fn case(&self, seed: u64, number: u64) -> (&SampleFile, Vec<u8>) {
        let mut luck = Luck::of_case(seed, self.name, number);
        let hostile: Vec<&SampleFile> = self.files.iter().filter(|file| file.shape.is_some()).collect();
        let file = hostile[luck.below(hostile.len())];
        let others: Vec<&[u8]> = self.files.iter().map(|file| file.bytes.as_slice()).collect();
        let shape = file.shape.expect("it is one that is changed");
        (file, mutate(shape, &file.bytes, &others, &mut luck))
    }
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("the sample can be read") {
            let path = entry.expect("the sample can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it lies below");
                found.push(name.to_str().expect("names are text").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// What came of a case.
#[derive(Debug)]
pub enum Verdict {
    Accepted,
    Refused,
    Failure(String),
}

/// What came of a round.
#[derive(Default, Debug)]
pub struct Count {
    pub accepted: u64,
    pub refused: u64,
    pub failures: Vec<String>,
}

/// Where failing cases are kept.
pub fn failures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/hostile/failures")
}

/// The case under way, for who watches it: what to say of it, its file, when it began, and the memory there was.
struct UnderWay {
    told: String,
    file: PathBuf,
    begun: Instant,
    memory: u64,
}

static UNDER_WAY: Mutex<Option<UnderWay>> = Mutex::new(None);
/// One round at a time in this process: time and memory are the process's.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

thread_local! {
    /// The last panic of a case on this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static IN_CASE: RefCell<bool> = const { RefCell::new(false) };
}

/// A number of this process's memory, bytes: `VmRSS` now, `VmHWM` at most, `VmPeak` addresses at most. Nothing where there is no `/proc`.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok()).map_or(0, |kb: u64| kb << 10)
}

/// Looks at the case under way; one that hangs or eats the machine can't be ended from within, so the process ends, its case kept.
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
                let under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(case) = &*under_way else { continue };
                let grown = memory("VmRSS").saturating_sub(case.memory);
                let why = if case.begun.elapsed() > TIME_MAX {
                    format!("a hang: more than {} s", TIME_MAX.as_secs())
                } else if grown > MEMORY_MAX {
                    format!("memory: {} MB", grown >> 20)
                } else {
                    continue;
                };
                let kept = failures().join("ended-the-process");
                let _ = fs::create_dir_all(failures());
                let _ = fs::copy(&case.file, &kept);
                eprintln!("FAILURE: {}: {why}; the file is {}", case.told, kept.display());
                std::process::exit(101);
            }
        });
    });
}

/// One case of a look, timed and caught.
fn look(kind: &Kind, room: &Path, told: &str, file: &Path) -> Verdict {
    let case = UnderWay {
        told: told.to_owned(),
        file: file.to_owned(),
        begun: Instant::now(),
        memory: memory("VmRSS"),
    };
    let (before, begun) = (memory("VmHWM").max(case.memory), case.begun);
    let addresses = memory("VmPeak");
    *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = Some(case);
    IN_CASE.with(|in_case| *in_case.borrow_mut() = true);
    let looked = catch_unwind(AssertUnwindSafe(|| (kind.look)(room)));
    IN_CASE.with(|in_case| *in_case.borrow_mut() = false);
    *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = None;
    let panic = PANIC.with(|panic| panic.borrow_mut().take()).unwrap_or_default();
    let grown = memory("VmHWM").saturating_sub(before).max(memory("VmPeak").saturating_sub(addresses));
    if begun.elapsed() > TIME_MAX {
        return Verdict::Failure(format!("a hang: {:.0} s", begun.elapsed().as_secs_f64()));
    }
    if grown > MEMORY_MAX {
        return Verdict::Failure(format!("memory: {} MB", grown >> 20));
    }
    match looked {
        Err(_) => Verdict::Failure(format!("a panic: {panic}")),
        Ok(Ok(())) => Verdict::Accepted,
        Ok(Err(error)) => judge(&error),
    }
}

/// A refusal is one line for each mistake.
pub fn judge(error: &Error) -> Verdict {
    let lines = error.mistakes().map_or_else(|| vec![error.in_full()], <[String]>::to_vec);
    match lines.iter().find_map(|line| bad_line(line)) {
        Some(why) => Verdict::Failure(why),
        None if lines.is_empty() => Verdict::Failure("refused without a word".to_owned()),
        None => Verdict::Refused,
    }
}

fn bad_line(line: &str) -> Option<String> {
    let shown: String = line.chars().take(200).collect();
    if line.trim().is_empty() {
        Some("an empty message".to_owned())
    } else if line.contains(['\n', '\r']) {
        Some(format!("a message of several lines: {shown:?}"))
    } else if line.len() > LINE_MAX {
        Some(format!("a message of {} bytes: {shown:?}", line.len()))
    } else {
        None
    }
}

/// Tries one kind. The sound files must be accepted first: who refuses everything has shown nothing.
pub fn round(kind: &Kind, effort: &Effort) -> Count {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    watch();
    let mut count = Count::default();
    let place = tempfile::tempdir().expect("there is room");
    let room = place.path().join("room");
    kind.put_all(&room);
    match look(kind, &room, &format!("{}, sound", kind.name), &room) {
        Verdict::Accepted => {}
        verdict => {
            let error = (kind.look)(&room).err().map(|error| error.in_full());
            panic!("{}: the sound files aren't accepted: {verdict:?} {error:?}", kind.name);
        }
    }
    if kind.writes {
        kind.put_all(&room);
    }
    let begun = Instant::now();
    for number in effort.from..effort.from + effort.cases {
        if begun.elapsed() > effort.time || count.failures.len() >= FAILURES_MAX {
            break;
        }
        let (file, bytes) = kind.case(effort.seed, number);
        kind.put(&room, file, &bytes);
        let again = format!(
            "HOSTILE_SEED={} HOSTILE_KIND={} HOSTILE_FROM={number} HOSTILE_CASES=1",
            effort.seed, kind.name
        );
        match look(kind, &room, &again, &room.join(&file.name)) {
            Verdict::Accepted => count.accepted += 1,
            Verdict::Refused => count.refused += 1,
            Verdict::Failure(why) => {
                let kept = failures().join(format!("{}-{}-{number}", kind.name, effort.seed));
                let kept = kept.join(file.name.replace('/', "_"));
                fs::create_dir_all(kept.parent().expect("it has one")).expect("failures can be kept");
                fs::write(&kept, &bytes).expect("failures can be kept");
                count.failures.push(format!("{why}\n    {}: {again}", kept.display()));
            }
        }
        if kind.writes {
            kind.put_all(&room);
        } else {
            kind.put(&room, file, &file.bytes);
        }
    }
    tell(kind.name, &count, begun.elapsed());
    count
}

/// A line for each kind, and a file of them if `HOSTILE_SUMMARY` names one.
pub fn tell(name: &str, count: &Count, took: Duration) {
    let line = format!(
        "{name:<24} {:>8} cases {:>8} accepted {:>8} refused {:>4} failures {:>7.1} s",
        count.accepted + count.refused + count.failures.len() as u64,
        count.accepted,
        count.refused,
        count.failures.len(),
        took.as_secs_f64()
    );
    println!("{line}");
    if let Ok(path) = std::env::var("HOSTILE_SUMMARY") {
        use std::io::Write as _;
        let file = fs::OpenOptions::new().create(true).append(true).open(&path);
        writeln!(file.expect("the summary can be written"), "{line}").expect("the summary can be written");
    }
}

/// Tries several kinds, and fails with every failure of all of them.
pub fn rounds(kinds: Vec<Kind>) {
    let effort = Effort::asked();
    let mut failures = Vec::new();
    for kind in kinds.iter().filter(|kind| kind.name.contains(&effort.kind)) {
        let count = round(kind, &effort);
        failures.extend(count.failures.into_iter().map(|what| format!("{}: {what}", kind.name)));
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
