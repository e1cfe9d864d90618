//! What a page tells the reader to type, typed.

use super::common::{copy, is_there, root};
use super::links::options;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command begins with where the program isn't on the path.
const BUILT: &str = "cargo run --release -- ";
/// What a test can type for the reader: the programs, and what moves files.
const WAYS: [&str; 8] = ["morta ", "morta-memory ", BUILT, "mkdir ", "cp ", "cmp ", "cat ", "awk "];
/// What commands and their files may be about.
const NEEDED: [&str; 3] = ["scenarios", "sim-data", "lab/examples"];
/// Stands in shown output for what differs from run to run.
const GAP: &str = "[..]";
/// After these stands what a clock said, which a recording would get wrong for everybody else.
const CLOCKS: [&str; 3] = [", lived by actors in ", ", lived as a loop in ", " of them run now, in "];

/// A page's commands, in the order in which its reader types them, and the files that it has the reader write.
pub struct Session {
    page: PathBuf,
    text: String,
    parts: Vec<Part>,
}

/// A fenced block that somebody does something about.
enum Part {
    /// ```` ```toml,file=NAME ````: the reader saves it under this name.
    File { name: String, text: String },
    /// ```` ```console ````: the reader types it. With `,exit=N` where the commands are to fail, `,needs=PROGRAM` where another is asked for.
    Console { at: Range<usize>, exit: i32, needs: Option<String>, steps: Vec<Step> },
}

/// A command, and what the page shows of what it says: nothing if it leaves that out.
#[derive(Debug, PartialEq)]
struct Step {
    typed: String,
    shown: Vec<String>,
}

impl Session {
    /// That of a page, if it has any.
    pub fn of(page: &Path) -> Option<Self> {
        let text = fs::read_to_string(page).unwrap();
        let mut parts = Vec::new();
        let mut block: Option<(String, Range<usize>)> = None;
        for (event, at) in Parser::new_ext(&text, options()).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    block = Some((info.into_string(), at.end..at.start));
                }
                Event::Text(_) => {
                    block.iter_mut().for_each(|(_, of)| *of = of.start.min(at.start)..of.end.max(at.end));
                }
                Event::End(TagEnd::CodeBlock) => {
                    parts.extend(block.take().and_then(|(info, at)| Part::of(&info, at.clone(), &text[at])))
                }
                _ => {}
            }
        }
        let types = parts.iter().any(|part| matches!(part, Part::Console { .. }));
        types.then(|| Self { page: page.to_owned(), text, parts })
    }

    /// How many commands there are.
    pub fn steps(&self) -> usize {
        let of = |part: &Part| if let Part::Console { steps, .. } = part { steps.len() } else { 0 };
        self.parts.iter().map(of).sum()
    }

    /// Types all of it in a folder of its own, and says what came out otherwise than the page has it.
    pub fn live(&self) -> Vec<String> {
        let room = Room::new();
        let is_recording = std::env::var_os("MORTA_RECORD").is_some();
        let mut wrong = Vec::new();
        let mut page = self.text.clone();
        let mut moved = 0_isize;
        for part in &self.parts {
            match part {
                Part::File { name, text } => fs::write(room.folder().join(name), text).unwrap(),
                Part::Console { needs: Some(program), .. } if !is_there(program, "--version") => {
                    eprintln!("SKIPPED: {} needs {program}", self.page.display());
                }
                Part::Console { at, exit, steps, .. } => {
                    let said: Vec<Said> = steps.iter().map(|step| room.types(step, *exit)).collect();
                    wrong.extend(said.iter().filter_map(|said| said.failed.clone()));
                    let differ: Vec<String> = said.iter().filter_map(|said| said.differs.clone()).collect();
                    // What a command said that failed is no reader's example: the page stays, and the test says why.
                    let all_worked = said.iter().all(|said| said.failed.is_none());
                    if is_recording && all_worked && !differ.is_empty() {
                        let now: String = said.iter().map(|said| said.now.as_str()).collect();
                        let [start, end] = [at.start, at.end].map(|at| at.checked_add_signed(moved).unwrap());
                        moved += now.len() as isize - (end - start) as isize;
                        page.replace_range(start..end, &now);
                    } else {
                        wrong.extend(differ);
                    }
                }
            }
        }
        if page != self.text {
            fs::write(&self.page, page).unwrap();
        }
        let name = self.page.file_name().unwrap().to_string_lossy();
        wrong.into_iter().map(|why| format!("{name}: {why}")).collect()
    }
}

impl Part {
    fn of(info: &str, at: Range<usize>, text: &str) -> Option<Self> {
        let mut words = info.split(',');
        let language = words.next()?;
        let says = |key: &str| info.split(',').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        if let Some(name) = says("file") {
            return Some(Self::File { name: name.to_owned(), text: text.to_owned() });
        }
        let exit = says("exit").map_or(0, |code| code.parse().unwrap());
        let needs = says("needs").map(str::to_owned);
        (language == "console").then(|| Self::Console { at, exit, needs, steps: steps(text) })
    }
}

/// Takes a console apart: a command after each dollar, gone on with after a backslash, and what it says below it.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(typed), _) => {
                steps.push(Step { typed: typed.to_owned(), shown: Vec::new() });
            }
            (None, Some(step)) if goes_on => step.typed += &format!("\n{line}"),
            (None, Some(step)) => step.shown.push(line.to_owned()),
            (None, None) => panic!("a console begins with a command, and not with: {line}"),
        }
        let step = steps.last().unwrap();
        goes_on = step.shown.is_empty() && step.typed.ends_with('\\');
    }
    for Step { typed, .. } in &steps {
        assert!(
            WAYS.iter().any(|way| typed.starts_with(way)),
            "no test can type this for the reader: {typed}"
        );
    }
    steps
}

/// What came of a command.
struct Said {
    /// Why it is no good at all.
    failed: Option<String>,
    /// How it differs from what the page shows.
    differs: Option<String>,
    /// The command, and what the page would have to show.
    now: String,
}

/// A folder in which everything is that commands may ask for.
struct Room {
    room: tempfile::TempDir,
}

impl Room {
    fn new() -> Self {
        let room = tempfile::tempdir().unwrap();
        for needed in NEEDED {
            copy(&root().join(needed), &room.path().join("project").join(needed));
        }
        let bin = room.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for program in ["morta", "morta-memory"] {
            let built = assert_cmd::cargo::cargo_bin(program);
            assert!(built.is_file(), "`cargo build --workspace` builds {program}");
            std::os::unix::fs::symlink(built, bin.join(program)).unwrap();
        }
        Self { room }
    }

    fn folder(&self) -> PathBuf {
        self.room.path().join("project")
    }

    fn types(&self, step: &Step, exit: i32) -> Said {
        let Step { typed, shown } = step;
        let by_name = typed.strip_prefix(BUILT).map_or(typed.clone(), |rest| format!("morta {rest}"));
        let mut paths = vec![self.room.path().join("bin")];
        paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{by_name}")])
            .current_dir(self.folder())
            .env("PATH", std::env::join_paths(paths).unwrap())
            .env_remove("MORTA_LOG")
            .env_remove("COLUMNS")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let failed = (output.status.code() != Some(exit))
            .then(|| format!("$ {typed}\nended with {}, not {exit}:\n{said}", output.status));
        let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
        let is_as_shown = shown.is_empty()
            || (shown.len() == lines.len()
                && shown.iter().zip(&lines).all(|(shown, line)| matches(shown, line)));
        let differs =
            (!is_as_shown).then(|| format!("$ {typed}\nshown:\n{}\nsaid:\n{said}", shown.join("\n")));
        let shows = if shown.is_empty() { Vec::new() } else { lines };
        let now: String = shows.iter().map(|line| recorded(line, shown) + "\n").collect();
        Said { failed, differs, now: format!("$ {typed}\n{now}") }
    }
}

/// Whether a line is as shown, anything standing where the page has a gap.
fn matches(shown: &str, line: &str) -> bool {
    let Some((begin, mut rest)) = shown.trim_end().split_once(GAP) else { return shown.trim_end() == line };
    let Some(mut line) = line.strip_prefix(begin) else { return false };
    while let Some((between, after)) = rest.split_once(GAP) {
        let Some(at) = line.find(between) else { return false };
        line = &line[at + between.len()..];
        rest = after;
    }
    line.ends_with(rest)
}

/// What a page shows for a line: with the gaps it had already, and one for what a clock said.
fn recorded(line: &str, shown: &[String]) -> String {
    let has_gaps = shown.iter().find(|shown| shown.contains(GAP) && matches(shown, line));
    let at_clock = || {
        let end = CLOCKS.iter().find_map(|clock| Some(line.find(clock)? + clock.len()));
        end.map_or_else(|| line.to_owned(), |end| format!("{}{GAP}", &line[..end]))
    };
    has_gaps.map_or_else(at_clock, Clone::clone)
}

#[test]
fn a_gap_stands_for_anything_and_nothing_else_does() {
    let check =
        |shown: &str, line: &str, expected: bool| assert_eq!(matches(shown, line), expected, "{shown}");
    check("in [..] s: [..] ticks", "in 1.2 s: 5 ticks", true);
    check("in [..] s: [..] ticks", "in 1.2 s: 5 tacks", false);
    check("in [..] s: [..] ticks", "on 1.2 s: 5 ticks", false);
    check("in [..]", "in", false);
    check("digest 9", "digest 91", false);
}

#[test]
fn what_a_clock_said_is_not_recorded() {
    let shown = ["in [..] s: [..] ticks".to_owned()];
    let check = |line: &str, expected: &str| assert_eq!(recorded(line, &shown), expected);
    check("in 1.2 s: 5 ticks", "in [..] s: [..] ticks");
    check("10 days, lived by actors in 0.13 s: 6.6e6 times faster", "10 days, lived by actors in [..]");
    check("8 done; 8 of them run now, in 0.4 s", "8 done; 8 of them run now, in [..]");
    check("digest 91", "digest 91");
}

#[test]
fn a_console_is_taken_apart() {
    let found = steps("$ morta run a \\\n    --ticks 3\nsaid\n\nmore\n$ morta lethe b\n");
    let step = |typed: &str, shown: &[&str]| Step {
        typed: typed.to_owned(),
        shown: shown.iter().map(|line| (*line).to_owned()).collect(),
    };
    assert_eq!(
        found,
        [step("morta run a \\\n    --ticks 3", &["said", "", "more"]), step("morta lethe b", &[])]
    );
}
