//! What was read of a file, and what was assumed on the way: printed among the notes of a scenario that replays it (by validation, runs and
//! sweeps), and shown by `morta bars`. It covers data quality: gaps in the time series, rows without prices, the encoding, the time zone. A
//! duplicate timestamp isn't reported here, because such a file is refused. Moments are seconds since 1970-01-01 UTC, steps are seconds. A
//! `BarsFile` can be written again as a cleaned CSV of OHLC bars (`morta bars --out`). A reader can check by it that the file was
//! understood, because a wrong zone or column would make another market without an error.

use super::check::Checked;
use super::columns::Columns;
use super::error::shown;
use super::times::{Times, zone_name};
use crate::io::as_written::moments::{DateOrder, EpochUnit};
use crate::io::as_written::numbers::Decimal;
use crate::io::text::{View, count};
use jiff::tz::TimeZone;
use morta_engine::market::{Bar, RawBar};
use serde::Serialize;
use std::collections::BTreeMap;

const HOUR_S: i64 = 3_600;
const DAY_S: i64 = 24 * HOUR_S;
/// Gaps that are listed, the longest (our choice: a line of a terminal holds about five).
const GAPS_SHOWN: usize = 5;

/// How a file was read: a summary of its columns, encoding, time zone and data quality.
#[derive(Clone, Debug)]
pub struct About {
    /// The kind of file, in words.
    pub form: String,
    /// Our names of the columns that are read, with the file's.
    pub columns: Vec<(&'static str, String)>,
    /// Columns that aren't read.
    pub unused: Vec<String>,
    /// How the times are to be understood, in words.
    pub times: String,
    /// Assumptions, omissions, and other facts that the bars alone don't show.
    pub remarks: Vec<String>,
    pub(super) left_out: u64,
    pub(super) decimal: Decimal,
    pub(super) dates: Option<DateOrder>,
    has_header: bool,
}

impl About {
    fn new(form: String, names: &[String], columns: &Columns) -> Self {
        let named = columns.named();
        let used = |place: &usize| named.iter().any(|(_, used)| used == place);
        let unused = (0..names.len()).filter(|place| !used(place) && !names[*place].trim().is_empty());
        let unused = unused.map(|place| names[place].trim().to_owned()).collect();
        let columns = named.iter().map(|(ours, place)| (*ours, names[*place].trim().to_owned())).collect();
        let (times, remarks, decimal) = (String::new(), Vec::new(), Decimal::Point);
        Self { form, columns, unused, times, remarks, left_out: 0, decimal, dates: None, has_header: true }
    }

    /// Describes a text file by its encoding, delimiter and columns.
    pub(super) fn of_text(
        encoding: Option<&str>,
        delimiter: u8,
        header: usize,
        names: &[String],
        columns: &Columns,
    ) -> Self {
        let apart = match delimiter {
            b';' => "semicolons",
            b'\t' => "tabs",
            b'|' => "bars",
            _ => "commas",
        };
        let encoding = encoding.map_or(String::new(), |encoding| format!("{encoding}, "));
        let head = if header == 0 { "no header".to_owned() } else { format!("header on line {header}") };
        let form = format!("text, {encoding}columns apart by {apart}, {head}");
        Self { has_header: header > 0, ..Self::new(form, names, columns) }
    }

    /// Describes a Parquet file by its columns.
    pub(super) fn of_parquet(names: &[String], columns: &Columns) -> Self {
        Self::new("Parquet".to_owned(), names, columns)
    }

    /// Takes in the remarks on times and rows; `place` is the noun for a row's place, like `line`.
    pub(super) fn take(&mut self, times: &Times, checked: &Checked, place: &str) {
        let mut units: Vec<(u64, EpochUnit)> = times.units.iter().map(|(unit, at)| (*at, *unit)).collect();
        units.sort_unstable();
        let mut read: Vec<String> = match units.as_slice() {
            [] => Vec::new(),
            [(_, unit)] => vec![unit.name().to_owned()],
            several => {
                several.iter().map(|(at, unit)| format!("{} from {place} {at} on", unit.name())).collect()
            }
        };
        let is_counted = units.iter().all(|(_, unit)| *unit == EpochUnit::Seconds);
        let is_of_zone = times.zone.as_ref().filter(|zone| **zone != TimeZone::UTC).map(zone_name);
        if let Some(zone) = &is_of_zone {
            read.push(format!("those without a zone are of {zone}"));
        } else if times.is_local {
            let remark =
                if times.has_clock { "no zone is named: read as UTC" } else { "days, from midnight UTC on" };
            read.push(remark.to_owned());
        }
        read.extend(self.dates.map(|order| match order {
            DateOrder::DayFirst => "the day before the month".to_owned(),
            DateOrder::MonthFirst => "the month before the day".to_owned(),
        }));
        if !is_counted || is_of_zone.is_some() || times.is_local && times.has_clock || self.dates.is_some() {
            self.remarks.push(format!("{}: {}", times.name, read.join("; ")));
        }
        self.times = if read.is_empty() { "each with its zone".to_owned() } else { read.join("; ") };
        let mut add = |is_so: bool, remark: String| self.remarks.extend(is_so.then_some(remark));
        add(
            !self.has_header,
            "no header: the columns are taken for a time, open, high, low and close".to_owned(),
        );
        add(self.decimal == Decimal::Comma, "numbers have a decimal comma".to_owned());
        add(checked.is_newest_first(), "the newest row is the first, and is read last".to_owned());
        add(
            self.unused.iter().any(|name| name.to_lowercase().starts_with("adj")),
            "prices are as they were traded: the adjusted close has no open, high and low beside it"
                .to_owned(),
        );
        let rows = |number: u64| count(number as usize, "row", "rows");
        add(self.left_out > 0, format!("{} without prices left out", rows(self.left_out)));
        add(
            checked.rounded > 0,
            format!(
                "{} whose open or close lay outside its range by rounding, which is widened",
                rows(checked.rounded)
            ),
        );
    }
}

/// A file of OHLC bars as it was read: the time series, the file's hash, and what was assumed.
#[derive(Clone, Debug)]
pub struct BarsFile {
    /// The bars of the period asked for.
    pub bars: Vec<Bar>,
    /// The rows they are of, if they were asked for.
    pub rows: Vec<RawBar>,
    /// The hash of all bytes of the file, in hexadecimal.
    pub blake3: String,
    /// How it was read.
    pub about: About,
}

impl BarsFile {
    /// Makes a file from its checked bars; the hash is empty here and filled in by the caller.
    pub(super) fn new(checked: Checked, about: About) -> Self {
        Self { bars: checked.bars, rows: checked.kept, blake3: String::new(), about }
    }

    /// Writes the rows as a cleaned CSV that leaves nothing to be settled: times in UTC, our names, in the order of time. Prices are
    /// printed with the shortest digits that read back as the same number, so that a cleaned file replays alike.
    pub fn clean(&self) -> String {
        let mut text = String::from("time_utc");
        let has_ask = self.rows.first().is_some_and(|row| row.ask.is_some());
        let has_volume = self.rows.iter().any(|row| row.volume.is_some());
        let prices = if has_ask {
            [super::columns::BID, super::columns::ASK].concat()
        } else {
            super::columns::PRICE.to_vec()
        };
        for name in prices.into_iter().chain(has_volume.then_some("volume")) {
            text.push(',');
            text.push_str(name);
        }
        text.push('\n');
        for row in &self.rows {
            text.push_str(&shown(row.open_time_s));
            for side in [Some(row.price), row.ask].into_iter().flatten() {
                for price in [side.open, side.high, side.low, side.close] {
                    text.push_str(&format!(",{price}"));
                }
            }
            if has_volume {
                text.push_str(&row.volume.map_or(",".to_owned(), |volume| format!(",{volume}")));
            }
            text.push('\n');
        }
        text
    }

    /// Makes the description that `morta bars` shows, as text or JSON.
    pub fn described<'a>(&'a self, file: &'a str) -> DescribedBars<'a> {
        let times: Vec<i64> = self.bars.iter().map(|bar| bar.open_time_s).collect();
        let mut steps = BTreeMap::<i64, usize>::new();
        times.windows(2).for_each(|two| *steps.entry(two[1] - two[0]).or_default() += 1);
        // The most frequent step, because mean and median would move with the gaps; of equally frequent ones the shortest, so that the others count as gaps.
        let step = steps.iter().max_by_key(|(step, times)| (**times, -**step)).map(|(step, _)| *step);
        let step_s = step.unwrap_or(0);
        let shorter_steps = steps.range(..step_s).map(|(_, times)| times).sum();
        let mut gaps: Vec<Gap> = times
            .windows(2)
            .filter(|two| two[1] - two[0] > step_s)
            .map(|two| Gap { from: shown(two[0]), to: shown(two[1]), seconds: two[1] - two[0] })
            .collect();
        let gaps_number = gaps.len();
        gaps.sort_by_key(|gap| -gap.seconds);
        gaps.truncate(GAPS_SHOWN);
        let About { form, columns, unused, times: read, remarks, .. } = &self.about;
        DescribedBars {
            file,
            form,
            columns: columns.iter().map(|(ours, theirs)| (*ours, theirs.as_str())).collect(),
            unused,
            times: read,
            bars: times.len(),
            first: times.first().map(|time| shown(*time)),
            last: times.last().map(|time| shown(*time)),
            step_s: step,
            shorter_steps,
            gaps: gaps_number,
            longest_gaps: gaps,
            remarks,
        }
    }
}

/// A gap in the time series: a step longer than most, where bars may be missing.
#[derive(Clone, Debug, Serialize)]
pub struct Gap {
    /// The bar before it.
    pub from: String,
    /// The bar after it.
    pub to: String,
    /// How long it is.
    pub seconds: i64,
}

/// What is to be known of a file of bars before it is replayed: a summary of its period, columns and data quality.
#[derive(Clone, Debug, Serialize)]
pub struct DescribedBars<'a> {
    /// The file.
    pub file: &'a str,
    /// What kind of file it is.
    pub form: &'a str,
    /// The columns that are read, ours to theirs.
    pub columns: BTreeMap<&'static str, &'a str>,
    /// Columns that aren't read.
    pub unused: &'a [String],
    /// How the times are understood.
    pub times: &'a str,
    /// How many bars.
    pub bars: usize,
    /// When the first opens, UTC.
    pub first: Option<String>,
    /// When the last opens, UTC.
    pub last: Option<String>,
    /// From bar to bar, seconds: the most frequent. One bar has none.
    pub step_s: Option<i64>,
    /// Steps shorter than that.
    pub shorter_steps: usize,
    /// Steps longer than that.
    pub gaps: usize,
    /// The longest of them.
    pub longest_gaps: Vec<Gap>,
    /// What was assumed or left out.
    pub remarks: &'a [String],
}

impl View for DescribedBars<'_> {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{}: {}", self.file, self.form)];
        let mut say = |label: &str, text: String| lines.push(format!("  {label:<9}{text}"));
        // In the order of a bar, not of the alphabet.
        let order = ["time", "clock", "open", "high", "low", "close", "volume"];
        let rank = |name: &&str| order.iter().position(|known| name.ends_with(known));
        let mut columns: Vec<&str> = self.columns.keys().copied().collect();
        columns.sort_by_key(|name| (name.starts_with("ask"), rank(name)));
        let columns: Vec<String> =
            columns.iter().map(|name| format!("{name} = {}", self.columns[name])).collect();
        say("columns", columns.join(", "));
        if !self.unused.is_empty() {
            say("not read", self.unused.join(", "));
        }
        say("times", self.times.to_owned());
        match (&self.first, &self.last) {
            (Some(first), Some(last)) => say("bars", format!("{}, {first} to {last}", self.bars)),
            _ => say("bars", "none".to_owned()),
        }
        if let Some(step) = self.step_s {
            let shorter = match self.shorter_steps {
                0 => String::new(),
                number => format!("; {} shorter", count(number, "is", "are")),
            };
            say("step", format!("{}{shorter}", duration(step)));
            let gap = |gap: &Gap| format!("{} after {}", duration(gap.seconds), gap.from);
            let longest: Vec<String> = self.longest_gaps.iter().map(gap).collect();
            let of = if self.gaps > longest.len() { ", the longest" } else { "" };
            say(
                "gaps",
                if self.gaps == 0 {
                    "none".to_owned()
                } else {
                    format!("{}{of}: {}", self.gaps, longest.join(", "))
                },
            );
        }
        self.remarks.iter().for_each(|remark| say("note", remark.clone()));
        lines
    }
}

/// A length of time in its largest whole unit.
fn duration(seconds: i64) -> String {
    let units = [(DAY_S, "day", "days"), (HOUR_S, "hour", "hours"), (60, "minute", "minutes")];
    let whole = units.iter().find(|(unit, ..)| seconds >= *unit && seconds % unit == 0);
    whole.map_or_else(
        || count(seconds as usize, "second", "seconds"),
        |(unit, one, many)| count((seconds / unit) as usize, one, many),
    )
}
