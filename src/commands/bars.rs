//! `morta bars FILE`: how a file of prices (OHLC bars) is read, and with `--out` the same prices as clean CSV without ambiguities. It is
//! the check before a scenario replays them, because a misread file would make another market. Prices or dates that read both ways are
//! refused with the flag that settles them. Times without a time zone are UTC unless `--zone` is given. An existing output file is never
//! overwritten. `Args` has the CLI arguments to check price data.

use super::free;
use anyhow::Context as _;
use morta_console::failure::UserError;
use morta_console::output::{self, Printable as _};
use morta_lab::Laboratory;
use morta_lab::as_written::moments::DateOrder;
use morta_lab::as_written::numbers::Decimal;
use morta_lab::bars::{self, BarsError, BarsOptions, TimeZone};
use morta_lab::whole_file;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta bars`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of prices: CSV, also with tabs or semicolons, gzip of it, or Parquet (`.parquet`).
    file: PathBuf,

    /// Write the bars as CSV with the columns and times of Morta's own files. A file that is there already is left alone.
    #[arg(long, value_name = "CLEAN")]
    out: Option<PathBuf>,

    /// The zone of times that name none, such as Europe/Berlin; left out: UTC.
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    zone: Option<TimeZone>,

    /// The decimal sign, where prices read both ways: point or comma.
    #[arg(long, value_name = "SIGN")]
    decimal: Option<Decimal>,

    /// The order of day and month, where dates read both ways: dmy or mdy.
    #[arg(long, value_name = "ORDER")]
    dates: Option<DateOrder>,

    /// Print an object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Reads OHLC bars from a file of prices, says how it was read, and writes them as clean bars if asked.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let Args { file, out, zone, decimal, dates, json } = args;
    out.as_deref().map_or(Ok(()), free)?;
    let options = BarsOptions { zone, decimal, dates, keeps_rows: out.is_some(), ..BarsOptions::default() };
    let name = file.display().to_string();
    let read = bars::open(&file, &options, laboratory.limits()).map_err(|error| match error {
        BarsError::Unreadable(why) => UserError::new(format!("{name}: can't be read: {why}")),
        BarsError::Content(line) => UserError::new(line),
    })?;
    if let Some(out) = &out {
        let written = whole_file::replace(out, read.clean().as_bytes());
        written.with_context(|| format!("{} can't be written", out.display()))?;
    }
    read.described(&name).print(json)?;
    if let Some(out) = out {
        output::remark(format!("written: {}", out.display()));
    }
    Ok(ExitCode::SUCCESS)
}

fn zone(name: &str) -> anyhow::Result<TimeZone> {
    TimeZone::get(name).map_err(|_| {
        anyhow::anyhow!(
            "there is no zone of that name: give one of the tz database, such as America/New_York or UTC"
        )
    })
}
