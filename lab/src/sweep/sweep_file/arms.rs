//! The scenario of every arm, found and checked before anything runs. Arms are the treatments of an experiment: configurations of one
//! scenario, in the same worlds. What they share (bars, Lethes, cassettes to replay) is read once (memoization). An arm's hash is of its
//! scenario without the seed and of the contents of its files, and is part of the cache key of its cells. All are checked beforehand,
//! because the last arm would otherwise fail after a night. An arm with a mistake refuses the sweep; only in a Morris or Sobol design its
//! point is left out, as long as every axis keeps two rows that measure it. Of a key set twice, that of the arm, rung or axis wins over
//! `[set]`, and `[set]` over the scenario file; twice within `[set]`, or twice within an arm with its point, is refused.

use super::Sweep;
use super::config::SweepFile;
use super::design::{self, ArmPlan};
use super::sensitivity::SensitivityDesign;
use crate::io::error::{Error, Result};
use crate::run::cassette::{Cassette, Player};
use crate::run::connection::{Connection, cassette_of};
use crate::run::laboratory::Laboratory;
use crate::run::lethe_start::content_of;
use crate::run::notes::Notes;
use crate::run::provenance::canonical_json;
use crate::run::scenario_file::spelling::snake_case;
use crate::run::scenario_file::{self, DataFile, KeySetting, Library, Scenario};
use morta_actors::LetheContent;
use morta_base::Problem;
use morta_base::digest::hex_of;
use morta_engine::llm::{EndpointConfig, LlmMode};
use morta_engine::market::{AssetSource, Bar};
use morta_engine::memory::{Foreknowledge, MemoryName};
use morta_engine::world::{self, Plan};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// One arm: a scenario that lacks nothing but its seed (treatment arm).
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its name in the tables.
    pub name: String,
    /// Its description, as the file has it.
    pub description: String,
    /// The scenario; its seed is that of the first world.
    pub scenario: world::Scenario,
    /// Hash of the scenario without its seed, with the contents of its data files, its Lethe and its cassette; a part of each cell's hash.
    pub blake3: String,
    /// The values of the keys that differ between arms, in the sweep's order.
    pub parameters: Vec<Value>,
    /// The data files.
    pub data: Vec<DataFile>,
    /// Bars of each asset, shared by all arms that read the same.
    pub bars: Arc<Vec<Vec<Bar>>>,
    /// The memory architectures its cohorts may name, and the processes that bring some of them.
    pub laboratory: Laboratory,
    /// The Lethe that its cells start from; empty for none.
    pub lethe: Arc<LetheContent>,
    /// The cassette that its cells play; none where the model is simulated, or is to be recorded into a file that isn't there yet.
    pub cassette: Option<Arc<Cassette>>,
}

/// A shared input file with its content hash (checksum): a Lethe that arms start from, or a cassette that they play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedSource {
    /// Where it is.
    pub path: String,
    /// Hash of all that was read.
    pub blake3: String,
}

/// A point excluded from a sensitivity analysis for its invalid scenario: two of its keys bound each other and were drawn apart (infeasible
/// design point).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The point, by the name of its arm.
    pub point: String,
    /// The first mistake of its scenario.
    pub why: String,
}

/// Most mistakes that are listed of all arms together: one mistake of the base scenario is one of every arm.
const LINES_MAX: usize = 20;

/// Finds and validates the scenario of every arm (expansion), which makes the file a sweep. In a one-at-a-time design a value that is the scenario's own makes no second
/// arm.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub(super) fn resolve(
    file: SweepFile,
    tree: &scenario_file::tree::Node,
    path: &Path,
    base_path: &Path,
    laboratory: &Laboratory,
) -> Result<Sweep> {
    let shown = &path.display().to_string();
    let written = scenario_file::parse(base_path, "scenario")?;
    let common = tree.child("set").map(|set| design::settings(set, shown)).unwrap_or_default();
    let mut loader = ScenarioLoader::new(Library::new(laboratory));
    let base = loader.load(&written, base_path, &common)?;
    let plans = design::arms(&file, tree, shown);
    let keys = swept_keys(&plans, &written);
    let mut arms: Vec<Arm> = Vec::new();
    let mut notes = Notes::default();
    let mut wrong = set_twice(&common, &written, &format!("{shown}: set"));
    let twice = plans
        .iter()
        .flat_map(|plan| set_twice(&plan.settings, &written, &format!("{shown}: arm {}", plan.name)));
    wrong.extend(twice.take(LINES_MAX));
    if !wrong.is_empty() {
        return Err(Error::all(wrong));
    }
    let mut left_out = Vec::new();
    let mut whole = 0;
    for plan in plans {
        let settings: Vec<KeySetting> = common.iter().chain(&plan.settings).cloned().collect();
        let found = match loader.load(&written, base_path, &settings) {
            Ok(found) => found,
            Err(error) => {
                let lines = lines_of(error, shown, &plan.name)?;
                left_out.push(LeftOut { point: plan.name, why: lines.join("; ") });
                wrong.extend(lines);
                continue;
            }
        };
        let resolved = serde_json::to_value(&found.loaded.scenario)?;
        notes.take(found.loaded.judged(&resolved));
        let parameters = keys.iter().map(|key| value_at(&resolved, key)).collect();
        let arm = Arm::from_found(plan.name, plan.description, found, parameters, file.seeds.first);
        if !plan.single {
            whole = arms.len();
        } else if arms.get(whole).is_some_and(|whole| whole.blake3 == arm.blake3) {
            // The value is the scenario's own: the arm would be the base again, lived a second time.
            continue;
        }
        if arms.iter().any(|other| other.name == arm.name) {
            wrong.push(format!(
                "{shown}: arm {}: two values of an axis are the same: leave one out",
                arm.name
            ));
        }
        arms.push(arm);
    }
    let tells_of_all = |design: &SensitivityDesign| {
        let is_there = |point: usize| left_out.iter().all(|one| one.point != design.points[point].name);
        design.tells_of_all(file.axes.len(), is_there)
    };
    // A sensitivity analysis leaves invalid points out, as long as every axis keeps two rows that measure it.
    if wrong.is_empty() || SensitivityDesign::from_file(&file).as_ref().is_some_and(tells_of_all) {
        let Found { loaded, lethe, cassette, .. } = base;
        let mut base = portable(&loaded.scenario, &loaded.data, &lethe, cassette.as_deref());
        base.seed = file.seeds.first;
        return Ok(Sweep {
            file,
            path: path.to_owned(),
            profile: None,
            seeds_flag: None,
            ends_at: None,
            base,
            data: loaded.data,
            arms,
            keys,
            left_out,
            notes: notes.lines(),
        });
    }
    let left = wrong.len().saturating_sub(LINES_MAX);
    wrong.truncate(LINES_MAX);
    if left > 0 {
        wrong.push(format!("{shown}: and {left} more"));
    }
    Err(Error::all(wrong))
}

/// Reads scenarios with a cache of what they share (memoization): hundreds of arms commonly read the same bars, which would else be in
/// memory once for each. `restore` reads the arms of a folder by it too.
pub(crate) struct ScenarioLoader {
    library: Library,
    shared: Vec<Shared>,
    lethes: BTreeMap<String, Arc<LetheContent>>,
    cassettes: BTreeMap<String, Arc<Cassette>>,
    /// Markets that were opened once to check them.
    markets: BTreeSet<String>,
}

/// The bars that come from some files.
type Shared = (Vec<DataFile>, Arc<Vec<Vec<Bar>>>);

/// A loaded scenario as a bundle with what it reads: shared bars, a Lethe, a cassette.
pub(crate) struct Found {
    pub loaded: Scenario,
    pub bars: Arc<Vec<Vec<Bar>>>,
    pub lethe: Arc<LetheContent>,
    pub cassette: Option<Arc<Cassette>>,
}

impl ScenarioLoader {
    /// An empty scenario loader (empty cache) over a library of scenarios and their data.
    pub(crate) fn new(library: Library) -> Self {
        let (shared, lethes, cassettes, markets) = Default::default();
        Self { library, shared, lethes, cassettes, markets }
    }

    /// Reads a scenario with some settings changed (loads a scenario variant), and opens its market once to check it. A Lethe to persist
    /// into and a live model are refused, because cells must be repeatable one by one.
    ///
    /// # Errors
    /// [`Error::Invalid`], with a line for each mistake.
    pub(crate) fn load(
        &mut self,
        base: &scenario_file::tree::Node,
        path: &Path,
        settings: &[KeySetting],
    ) -> Result<Found> {
        let mut loaded = scenario_file::load_with(base, path, settings, &mut self.library)?;
        if loaded.scenario.lethe.persist.is_some() {
            return Err(loaded.lethe_mistake("persist", &PERSIST));
        }
        let market = serde_json::to_string(&(&loaded.scenario.market, loaded.scenario.ticks, &loaded.data))?;
        if self.markets.insert(market) {
            try_market(&loaded)?;
        }
        let lethe = self.lethe(&loaded)?;
        let cassette = self.cassette(&loaded)?;
        let bars = std::mem::take(&mut loaded.bars);
        let same = |(data, known): &&Shared| {
            *data == loaded.data && known.iter().map(Vec::len).eq(bars.iter().map(Vec::len))
        };
        if let Some((_, known)) = self.shared.iter().find(same) {
            return Ok(Found { bars: Arc::clone(known), loaded, lethe, cassette });
        }
        let bars = Arc::new(bars);
        self.shared.push((loaded.data.clone(), Arc::clone(&bars)));
        Ok(Found { loaded, bars, lethe, cassette })
    }

    fn lethe(&mut self, loaded: &Scenario) -> Result<Arc<LetheContent>> {
        let Some(folder) = &loaded.scenario.lethe.start_from else { return Ok(Arc::default()) };
        if let Some(known) = self.lethes.get(folder) {
            return Ok(Arc::clone(known));
        }
        let content =
            content_of(&loaded.scenario).map_err(|error| loaded.lethe_mistake("start_from", &error))?;
        self.lethes.insert(folder.clone(), Arc::clone(&content));
        Ok(content)
    }

    fn cassette(&mut self, loaded: &Scenario) -> Result<Option<Arc<Cassette>>> {
        let llm = &loaded.scenario.llm;
        match (llm.mode, &llm.cassette) {
            (LlmMode::Simulated, _) => Ok(None),
            (LlmMode::Replay, Some(path)) if self.cassettes.contains_key(path) => {
                Ok(self.cassettes.get(path).cloned())
            }
            (LlmMode::Replay, path) => {
                let cassette = Arc::new(cassette_of(loaded)?);
                self.cassettes.insert(path.clone().unwrap_or_default(), Arc::clone(&cassette));
                Ok(Some(cassette))
            }
            // Calls in a cassette that exists aren't made again; one that doesn't exist yet is about to be recorded.
            (LlmMode::Record, Some(path)) if Path::new(path).exists() => {
                Ok(Some(Arc::new(cassette_of(loaded)?)))
            }
            (LlmMode::Record, _) => Ok(None),
            (LlmMode::Live, _) => Err(loaded.llm_mistake("mode", LlmMode::Live.name(), LIVE)),
        }
    }
}

/// Why cells can't ask a real model and forget what it says.
const LIVE: &str = "the cells of a sweep must be repeatable one by one, so what a model says is kept: write mode = \"record\", or \
    mode = \"replay\" with a cassette";

/// Why cells can't add to a Lethe.
const PERSIST: &str = "the cells of a sweep run at once and must be repeatable one by one, so they can't add to a Lethe: leave it \
    out, and run with `morta run --lethe` what is to last";

/// Opens the market once. The knowledge of oracles takes seconds to compute and can't fail, so the trial has no oracle.
fn try_market(loaded: &Scenario) -> Result<()> {
    let mut plain = loaded.clone();
    for cohort in &mut plain.scenario.cohorts {
        if loaded.laboratory.memories().foreknowledge(&cohort.memory) != Foreknowledge::Nothing {
            cohort.memory = MemoryName::NONE;
        }
    }
    plain.plan().map(|_| ())
}

/// The mistakes of an arm; lines about the scenario file name the arm too.
fn lines_of(error: Error, shown: &str, arm: &str) -> Result<Vec<String>> {
    let Error::Invalid(lines) = error else { return Err(error) };
    let name = |line: String| if line.starts_with(shown) { line } else { format!("{line} (in arm {arm})") };
    Ok(lines.into_iter().map(name).collect())
}

/// Keys that are given two values at once: in one spelling by a nested table, or in two by name and number.
fn set_twice(settings: &[KeySetting], tree: &scenario_file::tree::Node, place: &str) -> Vec<String> {
    let paths: Vec<String> =
        settings.iter().map(|setting| scenario_file::resolved_key(tree, &setting.key)).collect();
    let is_within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut wrong = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let earlier =
            paths[..index].iter().position(|other| is_within(path, other) || is_within(other, path));
        if let Some(earlier) = earlier {
            let (one, other) = (&settings[earlier].key, &settings[index].key);
            wrong.push(format!("{place}: {one} and {other} are one key ({path}): set it once"));
        }
    }
    wrong
}

fn swept_keys(plans: &[ArmPlan], tree: &scenario_file::tree::Node) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    for setting in plans.iter().flat_map(|plan| &plan.settings) {
        if known.insert(scenario_file::resolved_key(tree, &setting.key)) {
            keys.push(setting.key.clone());
        }
    }
    keys
}

impl Arm {
    /// An arm of a scenario that was read (arm construction), with the values of the keys that differ between arms; `seed` is that of the
    /// first world. Its hash is blake3 of canonical JSON, without the seed and with content hashes in place of file names.
    pub(crate) fn from_found(
        name: String,
        description: String,
        found: Found,
        parameters: Vec<Value>,
        seed: u64,
    ) -> Self {
        let Found { loaded, bars, lethe, cassette } = found;
        let mut scenario = loaded.scenario;
        scenario.seed = seed;
        let (data, laboratory) = (loaded.data, loaded.laboratory);
        // The seed is in the cell's own hash: so the same world is the same cell in any sweep, wherever its seeds begin.
        let seedless = world::Scenario { seed: 0, ..scenario.clone() };
        let portable = portable(&seedless, &data, &lethe, cassette.as_deref());
        let blake3 = hex_of(canonical_json(&portable).as_bytes());
        Self { name, description, scenario, blake3, parameters, data, bars, laboratory, lethe, cassette }
    }

    /// Sets another base URL of the real model, if the arm asks one (`--endpoint`). The arm's hash stays, because the address of a model is
    /// no part of a cell.
    pub fn at_endpoint(mut self, base_url: &str) -> Self {
        if self.scenario.llm.mode.is_outside() {
            base_url.clone_into(&mut self.scenario.llm.endpoint.base_url);
        }
        self
    }

    /// Plans a world of this arm under a random seed, with the laboratory of that world and its connection to a real model; called once for
    /// each cell that is lived, and for the cells that calibrate the estimate of a sweep's time.
    ///
    /// # Errors
    /// What is wrong with the scenario under this seed.
    pub fn plan(
        &self,
        seed: u64,
        laboratory: &Laboratory,
        connection: &Connection,
    ) -> Result<Plan, Vec<Problem>> {
        let scenario = world::Scenario { seed, ..self.scenario.clone() };
        let plan = Plan::with_memories(scenario, &self.bars, Arc::clone(laboratory.memories()))?;
        Ok(connection.connect(plan))
    }

    /// The model connection of an arm that records nothing (record/replay client): a player of its own cassette, or the simulated model.
    pub(crate) fn own_answers(&self) -> Connection {
        match &self.cassette {
            Some(cassette) => Connection::Player(Arc::new(Player::new(Arc::clone(cassette)))),
            None => Connection::Simulated,
        }
    }

    /// The cassette it plays, if it does (cassette input), with its content hash.
    pub(crate) fn cassette_source(&self) -> Option<SharedSource> {
        let path = self.scenario.llm.cassette.clone()?;
        Some(SharedSource { path, blake3: self.cassette.as_ref()?.hash() })
    }

    /// The Lethe that it starts from (warm start), if it does, with its content hash.
    pub(crate) fn lethe_source(&self) -> Option<SharedSource> {
        let path = self.scenario.lethe.start_from.clone()?;
        Some(SharedSource { path, blake3: self.lethe.digest() })
    }
}

/// The scenario with the hashes of its data files and its Lethe in place of their names: cells are found again after a project was moved,
/// and not taken for the same after a file was changed.
fn portable(
    scenario: &world::Scenario,
    data: &[DataFile],
    lethe: &LetheContent,
    cassette: Option<&Cassette>,
) -> world::Scenario {
    let mut scenario = scenario.clone();
    let mut contents = data.iter().map(|file| file.blake3.clone());
    for asset in &mut scenario.market.assets {
        if let AssetSource::Replay(recording) = &mut asset.source {
            recording.file = contents.next().unwrap_or_default();
        }
    }
    if let Some(folder) = &mut scenario.lethe.start_from {
        *folder = lethe.digest();
    }
    scenario.llm.cassette = cassette.map(Cassette::hash);
    // The address of a model is no part of a cell: the same model may be served elsewhere tomorrow.
    scenario.llm.endpoint = EndpointConfig::default();
    scenario
}

/// Looks up the value at a dotted path of JSON, in either spelling; entries of lists are named by their place, `name` or `symbol`. Null
/// where there is none.
pub(super) fn value_at(json: &Value, key: &str) -> Value {
    let step = |value: &Value, segment: &str| match value {
        Value::Array(entries) => {
            let named = |entry: &&Value| entry["name"] == segment || entry["symbol"] == segment;
            let placed = || entries.get(segment.parse::<usize>().ok()?);
            entries.iter().find(named).or_else(placed).cloned()
        }
        other => other.get(segment).or_else(|| other.get(snake_case(segment).as_ref())).cloned(),
    };
    key.split('.').try_fold(json.clone(), |value, segment| step(&value, segment)).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_entries_of_lists_too() {
        let json = serde_json::json!({"cohorts": [{"name": "a", "golems": 2}, {"name": "b", "golems": 3}], "ticks": 5});
        for (key, expected) in [("cohorts.b.golems", 3), ("cohorts.0.golems", 2), ("ticks", 5)] {
            assert_eq!(value_at(&json, key), expected, "{key}");
        }
        assert_eq!(value_at(&json, "cohorts.c.golems"), Value::Null);
    }
}
