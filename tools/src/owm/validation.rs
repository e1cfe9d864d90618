//! The loader of `morta-memory owm validate`, a backtest: does outcome-weighted memory size trades better than simpler rules do? It reads
//! a plan file (TOML) and the bars or trades that it names, checks the plan against its JSON Schema, and parses the
//! train/validation split. `Head` has the plan's metadata (plan header, experiment name), `DataConfig` the data source (data file,
//! input file), `SplitConfig` the split dates of the train/test split (date range, time split). Every arm sizes the same trades;
//! `crate::validation` computes the outcome. Days are UTC.
//!
//! Without a plan file a user's own trades are validated with default keys, every arm, the equity, lot and lot units of the command's
//! flags, and a split where 70 % of the time is over unless `--split` names a day. A plan is a file, so that a validation can be
//! registered before it is run.

use super::{files, own_trades};
use crate::limits;
use crate::notes::Notes;
use crate::validation::{ArmKind, Book, OwnTrade, Plan, Split, ValidationOutcome, carry_out, validate};
use morta_base::Problem;
use morta_base::keys::Keys;
use morta_engine::market::Bar;
use morta_lab::bars::{self, BarsError, Days};
use morta_lab::error::{At as _, Error, Result};
use morta_lab::scenario_file::tree::{Node, Value};
use morta_lab::scenario_file::{self, located, shape, user_error};
use morta_lab::scenario_schema;
use morta_lab::text::folded;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The part of a plan file that speaks of names, files and dates.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    /// What it is called.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// The bars.
    pub data: DataConfig,
    /// The split in time.
    pub split: SplitConfig,
}

/// The bars, or the trades.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DataConfig {
    /// CSV or Parquet with bars, relative to the plan.
    #[serde(default)]
    pub file: Option<String>,
    /// Instead of bars, trades by the columns of `morta-memory owm import`, relative to the plan.
    #[serde(default)]
    pub trades: Option<String>,
    /// Zone of the trades' moments that name none (default: UTC).
    #[serde(default)]
    pub zone: Option<String>,
    /// First day that is read, like 2018-01-31 (default: the file's first); windows fill until the training begins.
    #[serde(default)]
    pub start: Option<String>,
}

/// The split in time: days like 2018-01-31.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SplitConfig {
    /// First day of the training.
    pub train: String,
    /// First day of the validation.
    pub validation: String,
    /// The day after the last of the validation.
    pub end: String,
}

/// The data of a backtest: which file of bars or trades it was run on, and what was read of it.
#[derive(Clone, Debug, Serialize)]
pub struct DataUsed {
    /// The file.
    pub path: PathBuf,
    /// BLAKE3 hash of the file.
    pub blake3: String,
    /// Number of bars, including those that only fill the windows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bars: Option<u64>,
    /// Counts of a user's own trades.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trades: Option<TradesUsed>,
    /// Time of the first bar or trade, seconds since 1970-01-01 UTC.
    pub first_time_s: i64,
    /// Time of the last one.
    pub last_time_s: i64,
}

/// How many of a user's own trades were read, and how many were left out.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TradesUsed {
    /// Closed trades.
    pub ended: u64,
    /// Skipped rows.
    pub left_out: u64,
    /// Trades whose R was computed from their stop.
    pub r_from_stop: u64,
    /// Trades whose risk for a lot is unknown; they get the median of the others' risks.
    pub usual_risk: u64,
}

/// The input of a validation.
enum Source {
    Bars(Vec<Bar>),
    Trades(Box<Book>),
}

/// A backtest that is ready to run: a valid plan with its bars or trades loaded.
pub struct Loaded {
    /// The plan file, or the file of the trades.
    pub file: PathBuf,
    /// The plan's name.
    pub name: String,
    /// The plan's description.
    pub description: String,
    /// The plan itself.
    pub plan: Plan,
    /// The split in time.
    pub split: Split,
    /// The source of the bars or trades.
    pub data: DataUsed,
    source: Source,
}

/// A validation of a user's own trades without a plan file (backtest).
#[derive(Clone, Debug)]
pub struct Own<'a> {
    /// The trades, by the columns of `morta-memory owm import`.
    pub trades: &'a Path,
    /// First day of the validation; if none, the day at which 70 % of the trades' time is over.
    pub split: Option<&'a str>,
    /// Time zone of moments that name none.
    pub zone: &'a str,
    /// Equity at the beginning of the validation, in dollars.
    pub equity: f64,
    /// Lots of the fixed arm.
    pub fixed_lot: f64,
    /// Units in a lot, for trades without a profit in money.
    pub lot_units: f64,
}

/// The whole output of a backtest, as it is printed in JSON: the plan, its data, and the outcome.
#[derive(Serialize)]
pub struct Answer<'a> {
    name: &'a str,
    description: &'a str,
    file: &'a Path,
    data: &'a DataUsed,
    split: Split,
    plan: &'a Plan,
    outcome: &'a ValidationOutcome,
}

impl Loaded {
    /// Runs the backtest.
    ///
    /// # Errors
    /// [`Error::Invalid`] when no trade lies between the days of the split.
    pub fn validate(&self) -> Result<ValidationOutcome> {
        let (done, remedy) = match &self.source {
            Source::Bars(bars) => (validate(&self.plan, bars, &self.split), "change split or variants"),
            Source::Trades(book) => (carry_out(&self.plan, book, &self.split), "change the split"),
        };
        done.map_err(|why| Error::at(&self.file, format!("{why}: {remedy}")))
    }

    /// Joins the plan with its outcome for output as JSON.
    pub fn answer<'a>(&'a self, outcome: &'a ValidationOutcome) -> Answer<'a> {
        let Self { file, name, description, plan, split, data, source: _ } = self;
        Answer { name, description, file, data, split: *split, plan, outcome }
    }
}

const HEAD_KEYS: [&str; 4] = ["name", "description", "data", "split"];

/// The schema of a whole file, with the properties of both parts.
fn schema() -> &'static serde_json::Value {
    static SCHEMA: OnceLock<serde_json::Value> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let (mut whole, plan) = (scenario_schema::inlined::<Head>(), scenario_schema::inlined::<Plan>());
        if let (Some(into), Some(from)) =
            (whole["properties"].as_object_mut(), plan["properties"].as_object())
        {
            into.extend(from.clone());
        }
        if let (Some(into), Some(from)) = (whole["required"].as_array_mut(), plan["required"].as_array()) {
            into.extend(from.clone());
        }
        whole
    })
}

/// Reads a plan file and its bars or trades (backtest plan loader). A skipped row of trades is reported through `notes`.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub fn load(path: &Path, notes: Notes<'_>) -> Result<Loaded> {
    let tree = scenario_file::parse(path, "validation plan")?;
    let wrong = shape::mistakes(&tree, schema());
    if !wrong.is_empty() {
        return Err(user_error(wrong, path));
    }
    let head: Head = part(&tree, path, true)?;
    let plan: Plan = part(&tree, path, false)?;
    let mut problems = plan.problems("");
    let mut day = |key: &str, text: &str| {
        bars::day_start_s(text).unwrap_or_else(|_| {
            problems.push(Problem::new(key, format!("\"{text}\""), "must be a day like 2018-01-31"));
            0
        })
    };
    let start_s = head.data.start.as_deref().map(|text| day("data.start", text));
    let split = Split {
        train_s: day("split.train", &head.split.train),
        validation_s: day("split.validation", &head.split.validation),
        end_s: day("split.end", &head.split.end),
    };
    if problems.is_empty() {
        problems.extend(out_of_order(&head, start_s, &split));
        problems.extend(not_of_its_data(&head.data, &plan));
    }
    if !problems.is_empty() {
        return Err(user_error(located(problems, &tree), path));
    }
    let Head { name, description, data, .. } = head;
    let beside = |file: &str| path.parent().unwrap_or(Path::new("")).join(file);
    let file = path.to_owned();
    if let Some(trades) = &data.trades {
        let zone = data.zone.as_deref().unwrap_or("UTC");
        let (trades, data) = own(&beside(trades), zone, plan.account.lot_units, notes)?;
        let source = Source::Trades(Box::new(Book::of_trades(trades, &plan, &split)));
        return Ok(Loaded { file, name, description, plan, split, data, source });
    }
    let named = data.file.unwrap_or_default();
    let bar_file = beside(&named);
    let (bars, blake3) = bars::read(&bar_file, Days { start_s, end_s: Some(split.end_s) }, limits::now())
        .map_err(|error| {
            let remedy = match error {
                BarsError::Unreadable(why) => format!("can't read {}: {why}", bar_file.display()),
                BarsError::Content(line) => return Error::invalid(line),
            };
            let problem = Problem::new("data.file", format!("\"{named}\""), remedy);
            user_error(located(vec![problem], &tree), path)
        })?;
    let time = |bar: Option<&Bar>| bar.map_or(0, |bar| bar.open_time_s);
    let (first_time_s, last_time_s) = (time(bars.first()), time(bars.last()));
    let count = Some(bars.len() as u64);
    let data = DataUsed { path: bar_file, blake3, bars: count, trades: None, first_time_s, last_time_s };
    Ok(Loaded { file, name, description, plan, split, data, source: Source::Bars(bars) })
}

/// Loads a backtest of a user's own trades, with default settings and every arm.
///
/// # Errors
/// [`Error::Invalid`] when the trades can't be read, or the split isn't a day within them.
pub fn own_validation(request: &Own<'_>, notes: Notes<'_>) -> Result<Loaded> {
    const DAY_S: i64 = 86_400;
    let (trades, data) = own(request.trades, request.zone, request.lot_units, notes)?;
    let usual =
        (7 * (data.last_time_s - data.first_time_s) / 10 + data.first_time_s).div_euclid(DAY_S) * DAY_S;
    let validation_s = match request.split {
        None => usual,
        Some(day) => bars::day_start_s(day)
            .map_err(|_| Error::invalid(format!("--split {day}: must be a day like 2018-01-31")))?,
    };
    let split = Split {
        train_s: data.first_time_s,
        validation_s,
        end_s: (data.last_time_s.div_euclid(DAY_S) + 1) * DAY_S,
    };
    if !(split.train_s..split.end_s).contains(&validation_s) {
        let day = |moment_s| morta_lab::text::date(moment_s)[..10].to_owned();
        let what = format!("must be after {} and before {}", day(split.train_s), day(split.end_s));
        return Err(Error::invalid(format!("--split {}: {what}", day(validation_s))));
    }
    let mut plan: Plan = toml::from_str("").expect("every key of a plan has a usual value");
    plan.arms.extend([ArmKind::OwmLikeness, ArmKind::Layers]);
    plan.account.start_equity = request.equity;
    plan.account.fixed_lot = request.fixed_lot;
    plan.account.lot_units = request.lot_units;
    if let Some(problem) = plan.problems("").first() {
        return Err(Error::invalid(problem.to_string()));
    }
    let source = Source::Trades(Box::new(Book::of_trades(trades, &plan, &split)));
    let name =
        request.trades.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let description = "A user's own trades by the usual keys.".to_owned();
    Ok(Loaded { file: request.trades.to_owned(), name, description, plan, split, data, source })
}

/// Reads a user's own trades, with their counts and hash.
fn own(path: &Path, zone: &str, lot_units: f64, notes: Notes<'_>) -> Result<(Vec<OwnTrade>, DataUsed)> {
    let read = own_trades::read(path, zone, lot_units, notes)?;
    let moments = |moment: fn(&OwnTrade) -> f64| read.trades.iter().map(moment);
    let first = moments(|trade| trade.entered_s).fold(f64::INFINITY, f64::min);
    let last = moments(|trade| trade.exited_s).fold(f64::NEG_INFINITY, f64::max);
    // Standard input can't be read a second time, so its hash is that of no bytes.
    let again = if path == Path::new("-") { Vec::new() } else { files::bytes(path)? };
    let blake3 = blake3::hash(&again).to_string();
    let used = TradesUsed {
        ended: read.trades.len() as u64,
        left_out: read.left_out,
        r_from_stop: read.r_from_stop,
        usual_risk: read.usual_risk,
    };
    let data = DataUsed {
        path: path.to_owned(),
        blake3,
        bars: None,
        trades: Some(used),
        first_time_s: first.floor() as i64,
        last_time_s: last.floor() as i64,
    };
    Ok((read.trades, data))
}

/// A key of the plan that doesn't fit its data: bars need variants, trades come with their own.
fn not_of_its_data(data: &DataConfig, plan: &Plan) -> Option<Problem> {
    let variants = plan.variants().len();
    match (&data.file, &data.trades) {
        (Some(_), Some(trades)) => {
            Some(Problem::new("data.trades", format!("\"{trades}\""), "name bars (file) or trades, not both"))
        }
        (None, None) => Some(Problem::new("data", "", "name bars (file) or trades (trades)")),
        (Some(_), None) if variants == 0 => {
            Some(Problem::new("variants", "0 variants", "bars need at least one"))
        }
        (None, Some(_)) if variants > 0 => Some(Problem::new(
            "variants",
            format!("{variants} variants"),
            "leave them out: what is traded is in data.trades",
        )),
        _ => None,
    }
}

fn out_of_order(head: &Head, start_s: Option<i64>, split: &Split) -> Option<Problem> {
    let wrong = |key: &str, text: &str, than: &str| {
        Some(Problem::new(key, format!("\"{text}\""), format!("must be a later day than {than}")))
    };
    match head {
        _ if start_s.is_some_and(|start| start > split.train_s) => {
            let remedy = "must not be an earlier day than data.start: the training needs bars";
            Some(Problem::new("split.train", format!("\"{}\"", head.split.train), remedy))
        }
        _ if split.validation_s <= split.train_s => {
            wrong("split.validation", &head.split.validation, "split.train")
        }
        _ if split.end_s <= split.validation_s => wrong("split.end", &head.split.end, "split.validation"),
        _ => None,
    }
}

/// The tables of one of the two parts.
fn part<T: DeserializeOwned>(tree: &Node, path: &Path, head: bool) -> Result<T> {
    let mut own = tree.clone();
    if let Value::Table(entries) = &mut own.value {
        entries.retain(|(key, _)| HEAD_KEYS.contains(&key.as_str()) == head);
    }
    own.into_toml().try_into::<T>().map_err(|error| folded(error.message())).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped plans are valid, follow the digest's calendar and make its number of variants.
    #[test]
    fn shipped_plans_are_valid() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/validation");
        let mut found = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let loaded = load(&entry.unwrap().path(), &mut |_| {}).unwrap();
            assert_eq!(loaded.plan.variants().len(), 96);
            assert!(loaded.split.validation_s - loaded.split.train_s > 540 * 86_400);
            assert!(!loaded.description.is_empty() && loaded.data.bars.unwrap() > 10_000);
            found += 1;
        }
        assert!(found >= 1);
    }
}
