//! Settings that are shipped: scenario files, and the arms of sweep files.

use crate::common::{root, shipped_scenarios, toml_files};
use morta_engine::market::{AssetConfig, AssetSource};
use morta_engine::memory::Foreknowledge;
use morta_lab::Sweep;
use morta_lab::scenario_file::tree::{Node, Value as Written};
use morta_lab::scenario_file::{self, Scenario};
use morta_lab::sweep_file::Arm;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A scenario that is shipped.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its file, and after a space the arm of a sweep.
    pub name: String,
    /// All its keys, the defaults among them.
    pub scenario: Value,
    /// The keys that its file, or the file and the arm, write themselves; entries of lists as `[]`.
    pub written: BTreeSet<String>,
    /// A guess at what a tick and a plan of it cost: how many golems live there, and many more where somebody knows the truth.
    pub cost: u64,
}

/// What it costs to begin with a recording, in golems.
const RECORDING: u64 = 200;
/// What it costs to work out what an oracle knows, in golems.
const TRUTH: u64 = 2_000;

/// Every shipped setting: scenario files first, then the arms of each sweep file, those that come to the same left out.
pub fn all() -> Vec<Place> {
    let mut found: Vec<Place> = shipped_scenarios().iter().map(|path| of_file(&relative(path))).collect();
    // A cassette plays one world only: under any change its calls are missing.
    found.retain(|place| place.scenario["llm"]["mode"] == "simulated");
    let mut seen: BTreeSet<String> = found.iter().map(Place::content).collect();
    for path in sweeps() {
        found.extend(of_sweep(&path).into_iter().filter(|place| seen.insert(place.content())));
    }
    found
}

/// The settings of these names, as far as there are such; of each sweep all arms.
pub fn named(names: &BTreeSet<&str>) -> Vec<Place> {
    let file = |name: &&str| name.split(' ').next().unwrap_or_default().to_owned();
    let files: BTreeSet<String> = names.iter().map(file).collect();
    let there = files.iter().map(Path::new).filter(|path| root().join(path).is_file());
    let read = |path: &Path| if is_sweep(path) { of_sweep(path) } else { vec![of_file(path)] };
    let mut found: Vec<Place> = there.flat_map(read).collect();
    found.retain(|place| names.contains(place.name.as_str()));
    found
}

fn is_sweep(path: &Path) -> bool {
    SWEEPS.iter().any(|folder| path.starts_with(folder))
}

/// Where sweep files are.
const SWEEPS: [&str; 3] = ["scenarios/levers", "scenarios/experiments", "scenarios/sweeps"];

fn relative(path: &Path) -> PathBuf {
    path.strip_prefix(root()).unwrap().to_owned()
}

pub fn sweeps() -> Vec<PathBuf> {
    toml_files(&SWEEPS).iter().map(|path| relative(path)).collect()
}

fn of_file(path: &Path) -> Place {
    let loaded = Scenario::read(path).unwrap();
    let mut written = BTreeSet::new();
    keys_of(&scenario_file::parse(path, "scenario").unwrap(), "", &mut written);
    place(path.display().to_string(), &loaded.scenario, written, loaded.laboratory.memories())
}

/// The arms of a sweep, in worlds of its first seed.
pub fn of_sweep(path: &Path) -> Vec<Place> {
    let sweep = Sweep::read(path).unwrap();
    let base = path.parent().unwrap().join(&sweep.file.scenario);
    let mut written = BTreeSet::new();
    keys_of(&scenario_file::parse(&base, "scenario").unwrap(), "", &mut written);
    let mut of_sweep = BTreeSet::new();
    keys_of(&scenario_file::parse(path, "sweep").unwrap(), "", &mut of_sweep);
    written.extend(of_sweep.iter().filter_map(|key| Some(key.split_once("set.")?.1.to_owned())));
    written.extend(sweep.keys.iter().cloned());
    let arm = |arm: &Arm| {
        place(
            format!("{} {}", path.display(), arm.name),
            &arm.scenario,
            written.clone(),
            arm.laboratory.memories(),
        )
    };
    sweep.arms.iter().map(arm).collect()
}

fn keys_of(node: &Node, path: &str, found: &mut BTreeSet<String>) {
    match &node.value {
        Written::Table(entries) => {
            for (key, node) in entries {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                keys_of(node, &path, found);
                found.insert(path);
            }
        }
        Written::List(nodes) => nodes.iter().for_each(|node| keys_of(node, &format!("{path}[]"), found)),
        _ => {}
    }
}

fn place(
    name: String,
    scenario: &morta_engine::world::Scenario,
    written: BTreeSet<String>,
    memories: &morta_engine::memory::MemoryRegistry,
) -> Place {
    let golems: u64 = scenario.cohorts.iter().map(|cohort| u64::from(cohort.golems)).sum();
    let knows = |cohort: &morta_engine::world::Cohort| {
        memories.foreknowledge(&cohort.memory) != Foreknowledge::Nothing
    };
    let truths = u64::from(scenario.cohorts.iter().any(knows));
    let is_replayed = |asset: &AssetConfig| matches!(asset.source, AssetSource::Replay(_));
    let recordings = scenario.market.assets.iter().filter(|asset| is_replayed(asset)).count() as u64;
    let cost = golems + truths * TRUTH + recordings * RECORDING;
    Place { name, scenario: serde_json::to_value(scenario).unwrap(), written, cost }
}

impl Place {
    /// The same for settings that differ in nothing but their names and seeds.
    fn content(&self) -> String {
        let mut plain = self.scenario.clone();
        for key in ["name", "description", "seed"] {
            plain[key] = Value::Null;
        }
        plain.to_string()
    }

    /// Whether it is shipped for no other purpose than to let keys act: small, short, and close to every limit.
    pub fn is_proving(&self) -> bool {
        self.name.starts_with("scenarios/proving/")
    }

    /// How much a setting says about a key: that it writes it itself, or a key of the same table.
    pub fn mentions(&self, key: &str) -> u8 {
        let bare = key.replace("(synthetic)", "").replace("(replay)", "");
        let table = bare.rsplit_once('.').map_or("", |(table, _)| table);
        match () {
            () if self.written.contains(&bare) => 2,
            () if self.written.contains(table.trim_end_matches("[]")) => 1,
            () => 0,
        }
    }
}
