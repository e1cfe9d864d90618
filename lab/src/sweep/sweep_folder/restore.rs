//! A sweep restored from its folder: the scenario of every arm is reconstructed from the manifest alone, so that a folder can be analysed
//! and reproduced after its sweep file was changed: `morta reproduce`, `morta watch`, the analysis of a folder and `dark-pawns decisions`
//! call it, and no resumed sweep does. It is deserialization of an experiment for reproducibility. Data files, Lethes and
//! cassettes are read again from their old paths. A changed one is no error: its arm is named to the caller, and keeps the hash that its
//! cells are found by; of the callers the repetition of sampled cells alone reports it.

use super::SweepManifest;
use crate::io::error::{Error, Result};
use crate::run::laboratory::Laboratory;
use crate::run::scenario_file::fixed_keys;
use crate::run::scenario_file::spelling::same_key;
use crate::run::scenario_file::tree::{self, Origin};
use crate::run::scenario_file::{KeySetting, Library};
use crate::sweep::sweep_file::{Arm, ScenarioLoader, Sweep, SweepFile};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// Restores the sweep of a folder from its manifest, and names the arms whose scenarios aren't what they were: their data, Lethe or
/// cassette has changed, or this build gives a key another meaning. Its cohorts may name any memory architecture of the laboratory.
///
/// # Errors
/// [`Error::Invalid`] when the manifest is damaged, a file that it names is gone, or the laboratory lacks an architecture that it names.
pub fn restore(
    dir: &Path,
    manifest: &SweepManifest,
    laboratory: &Laboratory,
) -> Result<(Sweep, Vec<String>)> {
    let damaged = |why: &dyn std::fmt::Display| Error::at(dir, format!("sweep.json is damaged: {why}"));
    let file: SweepFile =
        serde_json::from_value(manifest.configuration.clone()).map_err(|error| damaged(&error))?;
    let mut base = with_places(manifest);
    fixed_keys::leave_out(&mut base);
    let first = manifest.arms.first().ok_or_else(|| damaged(&"it has no arms"))?;
    let keys: Vec<String> = first.parameters.keys().cloned().collect();
    let mut loader = ScenarioLoader::new(Library::of_folder(dir, laboratory));
    let (mut arms, mut changed) = (Vec::new(), Vec::new());
    for entry in &manifest.arms {
        let mut json = base.clone();
        for key in entry.parameters.iter().filter(|(_, value)| value.is_null()).map(|(key, _)| key) {
            leave_out(&mut json, key);
        }
        let named: Arc<str> = format!("{}: arm {}", dir.display(), entry.name).into();
        let origin = Origin::Sweep(named);
        let tree = tree::of_json(&json, &origin).ok_or_else(|| damaged(&"its scenario is empty"))?;
        let setting = |(key, value): (&String, &Value)| {
            Some(KeySetting { key: key.clone(), node: tree::of_json(value, &origin)? })
        };
        let is_key = |(key, _): &(&String, &Value)| fixed_keys::remedy(key).is_none();
        let settings: Vec<KeySetting> = entry.parameters.iter().filter(is_key).filter_map(setting).collect();
        let found = loader.load(&tree, Path::new("sweep.json"), &settings)?;
        // Parameters and names are taken as the tables have them: read anew, this build might spell a value otherwise.
        let parameters = entry.parameters.values().cloned().collect();
        let mut arm = Arm::from_found(
            entry.name.clone(),
            entry.description.clone(),
            found,
            parameters,
            file.seeds.first,
        );
        if arm.blake3 != entry.blake3 {
            changed.push(entry.name.clone());
        }
        // Cells are found by the hash that the arm had then; a changed arm is reported instead of having lost all its cells.
        arm.blake3.clone_from(&entry.blake3);
        arms.push(arm);
    }
    let sweep = Sweep {
        left_out: manifest.left_out.clone(),
        notes: Vec::new(),
        base: arms[0].scenario.clone(),
        data: manifest.data.clone(),
        path: dir.to_owned(),
        profile: manifest.profile.clone(),
        seeds_flag: manifest.seeds_flag,
        ends_at: manifest.ends_at,
        file,
        arms,
        keys,
    };
    Ok((sweep, changed))
}

/// The base scenario with paths for the hashes of its data files, its Lethe and its cassette. The manifest has hashes there, so that it is the same
/// wherever the files lie.
fn with_places(manifest: &SweepManifest) -> Value {
    let mut json = manifest.scenario.clone();
    let mut files = manifest.data.iter();
    for asset in json["market"]["assets"].as_array_mut().into_iter().flatten() {
        if asset["source"]["kind"] == "replay"
            && let Some(file) = files.next()
        {
            asset["source"]["file"] = file.path.display().to_string().into();
        }
    }
    let digest = json["lethe"]["start_from"].as_str().map(str::to_owned);
    if let Some(source) = manifest.lethes.iter().find(|source| Some(&source.blake3) == digest.as_ref()) {
        json["lethe"]["start_from"] = source.path.clone().into();
    }
    let hash = json["llm"]["cassette"].as_str().map(str::to_owned);
    if let Some(source) = manifest.cassettes.iter().find(|source| Some(&source.blake3) == hash.as_ref()) {
        json["llm"]["cassette"] = source.path.clone().into();
    }
    json
}

/// Removes the value at a dotted key; entries of lists are named by their place, `name` or `symbol`. A key that an arm leaves out differs from one with
/// its default: it may stand in the base scenario.
fn leave_out(json: &mut Value, key: &str) {
    let (table, last) = key.rsplit_once('.').unwrap_or(("", key));
    let mut place = json;
    for segment in table.split('.').filter(|segment| !segment.is_empty()) {
        let next = match place {
            Value::Array(entries) => {
                let named = |entry: &Value| entry["name"] == segment || entry["symbol"] == segment;
                let index = entries.iter().position(named).or_else(|| segment.parse().ok());
                index.and_then(|index| entries.get_mut(index))
            }
            Value::Object(entries) => value_of(entries, segment),
            _ => None,
        };
        match next {
            Some(next) => place = next,
            None => return,
        }
    }
    if let Value::Object(entries) = place {
        entries.retain(|key, _| !same_key(key, last));
    }
}

/// The value of a key, whichever way it is spelt.
fn value_of<'a>(entries: &'a mut serde_json::Map<String, Value>, key: &str) -> Option<&'a mut Value> {
    entries.iter_mut().find(|(known, _)| same_key(known, key)).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_left_out_by_an_arm_is_left_out_again() {
        let mut json = json!({"cohorts": [{"name": "a", "dreams": true}], "lethe": {"start_from": "x"}});
        leave_out(&mut json, "cohorts.a.dreams");
        leave_out(&mut json, "lethe.start_from");
        leave_out(&mut json, "gone.too");
        assert_eq!(json, json!({"cohorts": [{"name": "a"}], "lethe": {}}));
    }
}
