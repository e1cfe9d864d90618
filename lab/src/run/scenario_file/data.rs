//! The data files of a scenario's replayed assets: price bars (historical market data, backtest data), loaded once and aligned by time
//! (inner join of timestamps): with several replayed assets, a bar that one of them lacks is dropped from all. Times are seconds since 1970
//! UTC. Paths are relative to the scenario's folder; those of Lethes and of the cassette are resolved here too. Hashes go into manifests,
//! because a scenario names a file and not its content; who compares them is the caller. Files without a bar in the period, and assets
//! without a common one, are refused; whether bars suffice for the ticks is checked when the run is planned.

use super::library::{Library, Recorded};
use super::mistake::Mistake;
use super::tree::Node;
use crate::io::bars::{self, BarsError, Days};
use crate::io::error::{Error, Result};
use morta_base::Problem;
use morta_engine::market::{AssetSource, Bar, RecordingConfig};
use morta_engine::world::Scenario;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One data file as it was used; its checksum shows whether the file is still the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// Where it is, from the current directory.
    pub path: PathBuf,
    /// Hash of all its bytes, in hexadecimal.
    pub blake3: String,
    /// How many of its rows are used as bars.
    pub rows: u64,
    /// Time of the first bar used, seconds since 1970-01-01 UTC.
    pub first_time_s: i64,
    /// Time of the last bar used.
    pub last_time_s: i64,
}

/// The historical price data of a scenario's replayed assets.
pub(super) struct Data {
    /// Bars by asset, empty for synthetic ones.
    pub bars: Vec<Vec<Bar>>,
    /// Each file as it was used.
    pub files: Vec<DataFile>,
    /// Assumptions about files, each with the file's name.
    pub remarks: Vec<String>,
}

/// Reads the bars of all replayed assets, and makes their paths work from the current directory. Where several assets are replayed, only
/// the bars whose time all of them have are kept: a tick is one bar of each.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub(super) fn load(
    scenario: &mut Scenario,
    base: &Path,
    tree: &Node,
    file: &str,
    library: &mut Library,
) -> Result<Data> {
    let mut bars = Vec::new();
    let mut read = Vec::new();
    let mut remarks = Vec::new();
    let mut wrong = Vec::new();
    for (index, asset) in scenario.market.assets.iter_mut().enumerate() {
        let mut own = Vec::new();
        if let AssetSource::Replay(recording) = &mut asset.source {
            match load_one(recording, base, library) {
                Ok((found, path)) => {
                    own = found.bars;
                    remarks
                        .extend(found.remarks.iter().map(|remark| format!("{}: {remark}", path.display())));
                    read.push((index, path, found.blake3));
                }
                Err(Fault::Key(name, value, remedy)) => {
                    let key = format!("market.assets.{index}.source.{name}");
                    wrong.push(Mistake::from_problem(Problem::new(key, value, remedy), tree).line(file));
                }
                Err(Fault::Line(line)) => wrong.push(line),
            }
        }
        bars.push(own);
    }
    Error::if_any(wrong)?;
    let replayed: Vec<usize> = read.iter().map(|(index, ..)| *index).collect();
    if !keep_common_times(&mut bars, &replayed) {
        let remedy = "the replayed assets have no bar at the same time: use data of the same period";
        let problem = Problem::new("market.assets", format!("{} assets", replayed.len()), remedy);
        return Err(Error::invalid(Mistake::from_problem(problem, tree).line(file)));
    }
    let used = |(index, path, blake3): (usize, PathBuf, String)| {
        let own: &[Bar] = &bars[index];
        let time = |bar: Option<&Bar>| bar.map_or(0, |bar| bar.open_time_s);
        let (first_time_s, last_time_s) = (time(own.first()), time(own.last()));
        DataFile { path, blake3, rows: own.len() as u64, first_time_s, last_time_s }
    };
    let files = read.into_iter().map(used).collect();
    Ok(Data { bars, files, remarks })
}

/// Resolves the paths of Lethes and of the cassette against the current directory. A file names them relative to its own folder.
pub(crate) fn find_paths(scenario: &mut Scenario, base: &Path) {
    let paths = [&mut scenario.lethe.start_from, &mut scenario.lethe.persist, &mut scenario.llm.cassette];
    for folder in paths.into_iter().flatten() {
        if let Some(text) = from_current_dir(&base.join(&folder)).to_str() {
            *folder = text.to_owned();
        }
    }
}

/// A mistake in one recording: of a key of the scenario, with name, value and remedy, or of the file itself, as a whole line.
enum Fault {
    Key(&'static str, String, String),
    Line(String),
}

fn load_one(
    recording: &mut RecordingConfig,
    base: &Path,
    library: &mut Library,
) -> Result<(Recorded, PathBuf), Fault> {
    let day = |name, text: &Option<String>| {
        text.as_deref().map(bars::day_start_s).transpose().map_err(|_| {
            let text = text.clone().unwrap_or_default();
            Fault::Key(name, format!("\"{text}\""), "must be a day like 2018-01-31".to_owned())
        })
    };
    let days = Days { start_s: day("start", &recording.start)?, end_s: day("end", &recording.end)? };
    if let (Some(start), Some(end)) = (days.start_s, days.end_s)
        && end <= start
    {
        let text = recording.end.clone().unwrap_or_default();
        return Err(Fault::Key("end", format!("\"{text}\""), "must be a later day than start".to_owned()));
    }
    let on_file = |remedy: String| Fault::Key("file", format!("\"{}\"", recording.file), remedy);
    let said = from_current_dir(&base.join(&recording.file));
    let path = library.place_of(&said);
    let found = library.read(&path, days).map_err(|error| match error {
        BarsError::Unreadable(why) if library.finds_data() => on_file(format!(
            "can't read {}: {why}; it is neither here nor above the run's folder: name the folder that holds it with --data DIR",
            path.display()
        )),
        BarsError::Unreadable(why) => on_file(format!("can't read {}: {why}", path.display())),
        BarsError::Content(line) => Fault::Line(line),
    })?;
    if found.bars.is_empty() {
        return Err(on_file("has no bars in this period: change start or end".to_owned()));
    }
    match path.to_str() {
        // The scenario is what was lived, wherever its data are now.
        _ if path != said => {}
        Some(text) => recording.file = text.to_owned(),
        None => return Err(on_file("must be a path in UTF-8".to_owned())),
    }
    Ok((found, path))
}

/// The path relative to the current directory if it is below it, and absolute if it isn't; as it is when it doesn't
/// exist.
fn from_current_dir(path: &Path) -> PathBuf {
    let Ok(whole) = path.canonicalize() else { return path.to_owned() };
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here.ok().and_then(|here| whole.strip_prefix(here).map(Path::to_owned).ok());
    below.unwrap_or(whole)
}

/// Keeps the bars whose times all these assets have; false when nothing is left.
fn keep_common_times(bars: &mut [Vec<Bar>], replayed: &[usize]) -> bool {
    let Some((first, others)) = replayed.split_first() else { return true };
    if others.is_empty() {
        return true;
    }
    let times = |bars: &[Bar]| bars.iter().map(|bar| bar.open_time_s).collect::<BTreeSet<_>>();
    let mut common = times(&bars[*first]);
    for other in others {
        let own = times(&bars[*other]);
        common.retain(|time| own.contains(time));
    }
    for index in replayed {
        bars[*index].retain(|bar| common.contains(&bar.open_time_s));
    }
    !common.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars_at(times: &[i64]) -> Vec<Bar> {
        let bar = |&open_time_s: &i64| Bar {
            open_time_s,
            open: 1.0,
            high: 1.0,
            low: 1.0,
            close: 1.0,
            half_spread: 0.0,
            volume: None,
        };
        times.iter().map(bar).collect()
    }

    #[test]
    fn replayed_assets_keep_the_times_they_share() {
        let mut bars = vec![bars_at(&[1, 2, 3, 5]), vec![], bars_at(&[2, 3, 4, 5])];
        assert!(keep_common_times(&mut bars, &[0, 2]));
        assert_eq!(bars[0], bars_at(&[2, 3, 5]));
        assert_eq!(bars[0], bars[2]);
        let mut apart = vec![bars_at(&[1]), bars_at(&[2])];
        assert!(!keep_common_times(&mut apart, &[0, 1]));
    }
}
