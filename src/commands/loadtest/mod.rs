//! `morta loadtest`: a latency benchmark of the scorers that choose memories for dreams (open loop or closed loop). Grimoires, those of a
//! scenario's golems or made from a seed, are clients; requests go to scorer actors, each on a thread of its own. It serves
//! capacity planning: latency percentiles, drops, and the highest rate that is sustained (the knee). It has no part in simulations.
//! Latencies count from the due time in an open loop, because a slow server would otherwise hide its queue. An open loop without `--rate`
//! and `--sweep` first measures for a second to choose its rates.

mod flags;
mod progress;

pub(crate) use flags::Args;

use super::make_folder;
use crate::terminal::RunLine;
use morta_console::failure::UserError;
use morta_console::output;
use morta_console::terminal::{INTERRUPTED, stop_on_interrupt};
use morta_lab::Laboratory;
use morta_lab::text::json_file;
use morta_lab::whole_file;
use morta_load::loadtest::{self, IntervalLog, LoadTest, LoadTestStart, RESULT, text};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

const LOG: &str = "latency.hlog";
const PAGE: &str = "report.html";

/// Runs the command: a latency benchmark (load test).
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let mut settings = args.unchecked().check()?;
    places_to_write(&args)?;
    let stop = stop_on_interrupt()?;
    let quiet = args.json;
    let line = RunLine::new(quiet);
    let Some(mut bench) = loadtest::prepare(&args.source(), &settings, line.control(&stop), laboratory)?
    else {
        output::remark("stopped before there was anything to measure");
        return Ok(ExitCode::from(INTERRUPTED as u8));
    };
    if settings.lacks_rates() {
        let at_once_per_s = loadtest::at_once_per_s(&settings, &bench, &stop)?;
        settings.sweep_about(at_once_per_s, args.steps);
    }
    let started = LoadTestStart {
        command: shell_command(std::env::args().skip(1)),
        at: (!settings.is_simulated()).then(SystemTime::now),
    };
    let warm_up = Duration::from_nanos(settings.load.warm_up_ns);
    let mut log = IntervalLog::new(started.at.map_or(SystemTime::UNIX_EPOCH, |start| start + warm_up));
    let line = progress::Line::start(&settings, quiet || settings.is_simulated());
    let steps = loadtest::all(&settings, &mut bench, &mut log, &stop, &line);
    line.end();
    let test = LoadTest::of(settings, bench.subject, steps?, started);
    if let Some(file) = &args.hdr {
        whole_file::replace(file, &log.bytes)?;
    }
    if let Some(folder) = &args.out {
        whole_file::replace(&folder.join(RESULT), json_file(&test)?.as_bytes())?;
        whole_file::replace(&folder.join(LOG), &log.bytes)?;
        let report = morta_load::page::report(folder)?;
        whole_file::replace(&folder.join(PAGE), report.html.as_bytes())?;
        for figure in &report.figures {
            whole_file::replace(&folder.join(format!("{}.svg", figure.name)), figure.svg.as_bytes())?;
        }
    }
    if args.json {
        output::json(&test)?;
    } else {
        text::lines(&test).into_iter().try_for_each(output::line)?;
        let written = args.hdr.iter().chain(&args.out);
        written.into_iter().try_for_each(|path| output::line(format!("written to   {}", path.display())))?;
    }
    Ok(if test.interrupted { ExitCode::from(INTERRUPTED as u8) } else { ExitCode::SUCCESS })
}

/// Checks the places of the output files, and makes the folder of `--out`, before a long measurement whose results would be lost.
///
/// # Errors
/// [`UserError`] when the HDR log names no file or its folder isn't there, or the folder of `--out` can't be made.
fn places_to_write(args: &Args) -> anyhow::Result<()> {
    if let Some(file) = &args.hdr {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if file.is_dir() || file.file_name().is_none() {
            return Err(UserError::new(format!("--hdr {}: this is a folder: name a file", file.display())));
        }
        if !folder.is_dir() {
            let (file, folder) = (file.display(), folder.display());
            return Err(UserError::new(format!("--hdr {file}: there is no folder {folder}: make it first")));
        }
    }
    if let Some(folder) = &args.out {
        make_folder("--out", folder)?;
    }
    Ok(())
}

/// The command line with quotes, so that it can be copied into a shell.
fn shell_command(args: impl Iterator<Item = String>) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=,+@%".contains(letter);
    let word = |arg: String| match !arg.is_empty() && arg.chars().all(plain) {
        true => arg,
        false => format!("'{}'", arg.replace('\'', "'\\''")),
    };
    std::iter::once("morta".to_owned()).chain(args.map(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_copied_into_a_shell() {
        let args = ["loadtest", "--out", "my runs/it's", "--rate", "1e3"].map(str::to_owned);
        assert_eq!(shell_command(args.into_iter()), r"morta loadtest --out 'my runs/it'\''s' --rate 1e3");
    }
}
