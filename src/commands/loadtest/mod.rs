//! `morta loadtest`: golems about to dream send scoring requests to scorer actors, and every latency counts.

mod check;
mod duration;
mod flags;
mod hdr;
mod machine;
mod outcome;
mod progress;
mod run;
mod subject;
pub mod text;

pub use flags::Args;
pub use outcome::{LoadTest, Mode, Step};

use crate::live::{INTERRUPTED, stop_on_interrupt};
use crate::output;
use crate::report::Report;
use crate::whole_file;
use hdr::IntervalLog;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// File of an `--out` folder that holds all figures; `morta report` makes the page from it.
pub const RESULT: &str = "loadtest.json";
const LOG: &str = "latency.hlog";
const PAGE: &str = "report.html";

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut asked = check::checked(&args)?;
    check::places_to_write(&args)?;
    let stop = stop_on_interrupt()?;
    let quiet = args.json;
    let Some(mut bench) = subject::prepare(&args, &asked, quiet)? else {
        eprintln!("stopped before there was anything to measure");
        return Ok(ExitCode::from(INTERRUPTED as u8));
    };
    if asked.lacks_rates() {
        let at_once_per_s = run::at_once_per_s(&asked, &bench, &stop)?;
        asked.sweep_about(at_once_per_s, args.steps);
    }
    let started_at = (!asked.is_simulated()).then(SystemTime::now);
    let warm_up = Duration::from_nanos(asked.warm_up_ns);
    let mut log = IntervalLog::new(started_at.map_or(SystemTime::UNIX_EPOCH, |start| start + warm_up));
    let steps = run::all(&asked, &mut bench, &mut log, &stop, quiet)?;
    let test = LoadTest::of(asked, bench.subject, steps, started_at);
    if let Some(file) = &args.hdr {
        whole_file::replace(file, &log.bytes)?;
    }
    if let Some(folder) = &args.out {
        let json = serde_json::to_string_pretty(&test)? + "\n";
        whole_file::replace(&folder.join(RESULT), json.as_bytes())?;
        whole_file::replace(&folder.join(LOG), &log.bytes)?;
        let report = Report::of(folder)?;
        whole_file::replace(&folder.join(PAGE), report.html.as_bytes())?;
        for (name, plot) in &report.figures {
            whole_file::replace(&folder.join(format!("{name}.svg")), plot.as_bytes())?;
        }
    }
    if args.json {
        output::line(serde_json::to_string_pretty(&test)?)?;
    } else {
        text::lines(&test).into_iter().try_for_each(output::line)?;
        let written = args.hdr.iter().chain(&args.out);
        written.into_iter().try_for_each(|path| output::line(format!("written to   {}", path.display())))?;
    }
    Ok(if test.interrupted { ExitCode::from(INTERRUPTED as u8) } else { ExitCode::SUCCESS })
}

/// A flag that ends the load.
type Stop = Arc<std::sync::atomic::AtomicBool>;
