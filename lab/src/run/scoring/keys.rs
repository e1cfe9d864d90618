//! Keys of replay in a file of their own (TOML, hyperparameters of prioritized replay), so that a caller of `morta score` can score
//! episodes without a scenario. A key that is left out has the default of `[dream.replay]`; an unknown key or a value out of its range is
//! refused. Keys stand alone, or under `[replay]` or `[dream.replay]`, in either spelling (snake_case, camelCase).

use crate::io::error::{Error, Result};
use crate::run::scenario_file::spelling;
use crate::run::scenario_schema;
use morta_base::Problem;
use morta_base::keys::Keys as _;
use morta_engine::replay::ReplayConfig;
use std::path::Path;

/// A file that names the table of its keys.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    dream: Option<DreamKeys>,
    replay: Option<ReplayConfig>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct DreamKeys {
    replay: ReplayConfig,
}

/// Reads replay keys: a TOML file with the keys of `[dream.replay]`, with or without that heading (replay hyperparameters).
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub fn read_replay_keys(path: &Path) -> Result<ReplayConfig> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::at(path, format!("can't read the replay keys: {error}")))?;
    // The keys may stand alone, or under the name they have in a scenario.
    let has = |key: &str| text.parse::<toml::Table>().is_ok_and(|table| table.contains_key(key));
    let (alone, schema) = match (has("dream"), has("replay")) {
        (true, _) => (false, scenario_schema::root()),
        (false, true) => (false, &scenario_schema::root()["$defs"]["DreamConfig"]),
        (false, false) => (true, &scenario_schema::root()["$defs"]["ReplayConfig"]),
    };
    let text = spelling::rewritten(&text, schema).map_or(text, |(text, _)| text);
    let parsed: Result<Keys, toml::de::Error> = match alone {
        false => toml::from_str(&text),
        true => toml::from_str(&text).map(|replay| Keys { dream: None, replay: Some(replay) }),
    };
    let keys = parsed.map_err(|error| Error::in_toml(path, &text, &error))?;
    let config = keys.replay.or(keys.dream.map(|dream| dream.replay)).unwrap_or_default();
    let line = |Problem { key, value, remedy }: Problem| {
        format!("{}: {} = {value}: {remedy}", path.display(), key.trim_start_matches('.'))
    };
    Error::if_any(config.problems("").into_iter().map(line).collect()).map(|()| config)
}
