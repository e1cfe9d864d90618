//! `morta replicate`: published results on replay are run again by the registered files in `scenarios/replications`, and compared with the
//! publication (replication study). Tables, plots and a page go to `runs/replications/NAME`. A figure is inside if its 95 % interval
//! overlaps the registered range; one outside is a result and no error, so that the exit code is 0. It exists because an instrument must
//! reproduce known results before it is believed. A replication that is stopped is an error and writes nothing; those before it stay.
//! `Args` has the CLI arguments for a reproduction of published results.

use super::make_folder;
use crate::terminal::CellLine;
use morta_console::failure::UserError;
use morta_console::terminal::stop_on_interrupt;
use morta_console::{arguments, output};
use morta_lab::replication::{self, Replicated};
use morta_lab::report::{ReportPage, replication as pages};
use morta_lab::text::Align::{Left, Right};
use morta_lab::text::{figure, or_dash, p_value, table_of};
use morta_lab::whole_file;
use serde_json::json;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Folder of the registered files, from the current folder.
const FOLDER: &str = "scenarios/replications";

/// The flags of `morta replicate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Names of files in scenarios/replications, or files.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// All files in scenarios/replications.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Seeds in place of those registered, from A to B, both included.
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    seeds: Option<Range<u64>>,
    /// Threads; they change nothing but the time. Left out: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Where pages and tables go, a folder for each replication.
    #[arg(long, value_name = "DIR", default_value = "runs/replications")]
    out: PathBuf,
    /// Print one JSON array: the figures and comparisons of each replication.
    #[arg(long)]
    json: bool,
}

fn seeds(text: &str) -> Result<Range<u64>, &'static str> {
    let range = arguments::from_to(text).and_then(|range| Some(*range.start()..range.end().checked_add(1)?));
    range.ok_or("must be two whole numbers like 61001..61200, the smaller first")
}

/// Runs the command (replication study). A figure outside of its tolerance is a result, so the exit code is 0
/// all the same.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut files = Vec::new();
    for path in paths(&args)? {
        files.push((replication::read(&path)?, path));
    }
    let stop = stop_on_interrupt()?;
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or(cores, usize::from);
    let mut replications = Vec::new();
    for (file, path) in files {
        let watch = CellLine::new("seeds", args.json);
        let done = replication::run(file, args.seeds.clone(), threads, (&stop, &watch))?;
        let command = command(&path, args.seeds.as_ref());
        let folder = args.out.join(&done.file.name);
        write(&done, &command, &folder)?;
        if args.json {
            replications.push(json!({
                "name": done.file.name, "command": command, "folder": folder, "figures": done.rows, "comparisons": done.ratios,
            }));
        } else {
            lines(&done, &command, &folder).into_iter().try_for_each(output::line)?;
        }
    }
    if args.json {
        output::json(&replications)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn paths(args: &Args) -> anyhow::Result<Vec<PathBuf>> {
    let known = replication::registered_files(Path::new(FOLDER));
    let stem = |path: &PathBuf| {
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    };
    let names = || known.iter().map(stem).collect::<Vec<String>>().join(", ");
    if args.all || args.names.is_empty() {
        return match (args.all, known.is_empty()) {
            (true, false) => Ok(known),
            (_, true) => Err(UserError::new(format!(
                "{FOLDER}: there are no replications here: go to the folder of Morta, or name files"
            ))),
            (false, false) => {
                Err(UserError::new(format!("name replications, or --all: there are {}", names())))
            }
        };
    }
    let find = |name: &String| {
        let file = Path::new(name);
        let found = known.iter().find(|path| stem(path) == *name).cloned();
        let found = found.or_else(|| file.extension().map(|_| file.to_owned()));
        found.ok_or_else(|| {
            UserError::new(match known.is_empty() {
                true => {
                    format!("{name}: there is no {FOLDER} here: go to the folder of Morta, or name a file")
                }
                false => {
                    format!("{name}: there is no such replication in {FOLDER}: use {}, or a file", names())
                }
            })
        })
    };
    args.names.iter().map(find).collect()
}

/// The command that repeats a replication.
fn command(path: &Path, seeds: Option<&Range<u64>>) -> String {
    let seeds =
        seeds.map_or_else(String::new, |seeds| format!(" --seeds {}..{}", seeds.start, seeds.end - 1));
    format!("morta replicate {}{seeds}", path.display())
}

fn write(done: &Replicated, command: &str, folder: &Path) -> anyhow::Result<()> {
    make_folder("--out", folder)?;
    let report = ReportPage::from_page("replication", pages::page(done, command));
    let mut files = vec![
        ("figures.csv".to_owned(), replication::figures_csv(done)?),
        ("seeds.csv".to_owned(), replication::seeds_csv(done)?),
        ("report.html".to_owned(), report.html.into_bytes()),
    ];
    if done.file.comparison.is_some() {
        files.push(("comparison.csv".to_owned(), replication::comparison_csv(done)?));
    }
    let plots = report.figures.into_iter();
    files.extend(plots.map(|figure| (format!("{}.svg", figure.name), figure.svg.into_bytes())));
    for (name, content) in files {
        whole_file::replace(&folder.join(name), &content)?;
    }
    Ok(())
}

fn lines(done: &Replicated, command: &str, folder: &Path) -> Vec<String> {
    let file = &done.file;
    let [inside, outside] = done.inside_outside();
    let mut lines = vec![format!("{}: {}", file.name, file.title), file.source.clone(), String::new()];
    if !done.rows.is_empty() {
        lines.extend(table_of::<morta_replications::figure::Row>(
            &[
                ("world", Left, &|row| row.world.clone()),
                ("arm", Left, &|row| row.arm.clone()),
                ("measure", Left, &|row| row.measure.clone()),
                ("published", Right, &|row| or_dash(row.published, figure)),
                ("ours [95 %]", Left, &|row| or_dash(row.ours.as_ref(), pages::in_words)),
                ("seeds", Right, &|row| or_dash(row.ours, |_| pages::units(done, row))),
                ("", Left, &|row| pages::verdict(row).to_owned()),
            ],
            &done.rows,
        ));
    }
    if !done.ratios.is_empty() {
        let ratio = |one: &morta_replications::comparison::Ratio| {
            format!("{:.3} [{:.3}, {:.3}]", one.ratio, one.low, one.high)
        };
        lines.push(String::new());
        lines.extend(table_of::<morta_replications::comparison::Ratio>(
            &[
                ("world", Left, &|one| one.world.clone()),
                ("arm", Left, &|one| one.arm.clone()),
                ("against", Left, &|one| one.against.clone()),
                ("ratio of what it took", Left, &ratio),
                ("p, corrected", Left, &|one| or_dash(one.p, p_value)),
                ("finding", Left, &|one| one.finding.to_string()),
            ],
            &done.ratios,
        ));
    }
    lines.push(String::new());
    if inside + outside > 0 {
        lines.push(format!("{inside} of {} published figures inside", inside + outside));
    }
    lines.push(format!("again        {command}"));
    lines.push(format!("written to   {}", folder.display()));
    lines.push(String::new());
    lines
}
