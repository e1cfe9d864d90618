//! Does outcome-weighted memory size trades better than simpler rules do, on recorded bars? Plan files are read, compared with their
//! schema and checked, their bars are read, and every arm sizes the same trades.

use crate::bars::{self, BarsError, Days};
use crate::error::Error;
use crate::scenario_file::tree::{Node, Value};
use crate::scenario_file::{self, shape, told, user_error};
use morta_engine::base::Problem;
use morta_engine::base::keys::Keys;
use morta_engine::market::Bar;
use morta_engine::memory::owm::validation::{Outcome, Plan, Split, validate};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The part of a plan file that speaks of names, files and dates.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Head {
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

/// The bars.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DataConfig {
    /// CSV or Parquet with bars, relative to the plan.
    pub file: String,
    /// First day that is read, like 2018-01-31 (default: the file's first); windows fill until the training begins.
    #[serde(default)]
    pub start: Option<String>,
}

/// The split in time: days like 2018-01-31.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SplitConfig {
    /// First day of the training.
    pub train: String,
    /// First day of the validation.
    pub validation: String,
    /// The day after the last of the validation.
    pub end: String,
}

/// The bars that were used.
#[derive(Clone, Debug, Serialize)]
pub struct DataUsed {
    /// The file.
    pub path: PathBuf,
    /// Hash of all its bytes.
    pub blake3: String,
    /// Bars, those that fill the windows included.
    pub bars: u64,
    /// Time of the first, seconds since 1970-01-01 UTC.
    pub first_time_s: i64,
    /// Time of the last.
    pub last_time_s: i64,
}

/// A plan that is valid, with its bars.
pub struct Loaded {
    /// The plan file.
    pub file: PathBuf,
    /// What it says of names, files and dates.
    pub head: Head,
    /// The plan itself.
    pub plan: Plan,
    /// The bars.
    pub bars: Vec<Bar>,
    /// The split in time.
    pub split: Split,
    /// Where the bars come from.
    pub data: DataUsed,
}

/// Everything there is to tell of a validation.
#[derive(Serialize)]
pub struct Answer<'a> {
    name: &'a str,
    description: &'a str,
    file: &'a Path,
    data: &'a DataUsed,
    split: Split,
    plan: &'a Plan,
    outcome: &'a Outcome,
}

impl Loaded {
    /// Carries the plan out.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there is nothing to compare between the days of the split.
    pub fn validate(&self) -> crate::Result<Outcome> {
        validate(&self.plan, &self.bars, &self.split).map_err(|why| {
            Error::invalid(format!("{}: {why}: change split or variants", self.file.display()))
        })
    }

    /// The plan with what came of it.
    pub fn answer<'a>(&'a self, outcome: &'a Outcome) -> Answer<'a> {
        let Self { file, head, plan, split, data, bars: _ } = self;
        let (name, description) = (head.name.as_str(), head.description.as_str());
        Answer { name, description, file, data, split: *split, plan, outcome }
    }
}

const HEAD_KEYS: [&str; 4] = ["name", "description", "data", "split"];

/// The schema of a whole file: both parts in one table.
fn schema() -> &'static serde_json::Value {
    static SCHEMA: OnceLock<serde_json::Value> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let settings = || schemars::generate::SchemaSettings::default().with(|s| s.inline_subschemas = true);
        let mut whole = settings().into_generator().into_root_schema_for::<Head>().to_value();
        let plan = settings().into_generator().into_root_schema_for::<Plan>().to_value();
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

/// Reads a plan file and its bars.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub fn load(path: &Path) -> crate::Result<Loaded> {
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
    }
    if !problems.is_empty() {
        return Err(user_error(told(problems, &tree), path));
    }
    let file = path.parent().unwrap_or(Path::new("")).join(&head.data.file);
    let (bars, blake3) = bars::read(&file, Days { start_s, end_s: Some(split.end_s) }).map_err(|error| {
        let remedy = match error {
            BarsError::Unreadable(why) => format!("can't read {}: {why}", file.display()),
            BarsError::Content(line) => return Error::invalid(line),
        };
        let problem = Problem::new("data.file", format!("\"{}\"", head.data.file), remedy);
        user_error(told(vec![problem], &tree), path)
    })?;
    let time = |bar: Option<&Bar>| bar.map_or(0, |bar| bar.open_time_s);
    let (first_time_s, last_time_s) = (time(bars.first()), time(bars.last()));
    let data = DataUsed { path: file, blake3, bars: bars.len() as u64, first_time_s, last_time_s };
    Ok(Loaded { file: path.to_owned(), head, plan, bars, split, data })
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
fn part<T: DeserializeOwned>(tree: &Node, path: &Path, head: bool) -> crate::Result<T> {
    let mut own = tree.clone();
    if let Value::Table(entries) = &mut own.value {
        entries.retain(|(key, _)| HEAD_KEYS.contains(&key.as_str()) == head);
    }
    own.into_toml().try_into().map_err(|error: toml::de::Error| {
        let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::invalid(format!("{}: {what}", path.display()))
    })
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
            let loaded = load(&entry.unwrap().path()).unwrap();
            assert_eq!(loaded.plan.variants().len(), 96);
            assert!(loaded.split.validation_s - loaded.split.train_s > 540 * 86_400);
            assert!(!loaded.head.description.is_empty() && loaded.bars.len() > 10_000);
            found += 1;
        }
        assert!(found >= 1);
    }
}
