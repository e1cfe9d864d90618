//! Notes: what is valid in a scenario and most likely not what its author expects. Each names the key, the consequence and a remedy. They
//! are printed by `morta validate` and, before the start, by `morta run` and `morta sweep` (with `--json` in the object); a note refuses
//! nothing and enters no folder.
//!
//! A note is a claim about the author's file, so it is only made of what can be read off the keys: after one wrong note an author reads no
//! other again. Whether a claim holds for a sweep is decided over its arms: a key that one arm reads isn't idle.
//!
//! It is a linter (static analysis of a configuration): idle keys (of a table that is off, or a memory that no cohort has), a dreaming
//! memory while dreams are off, batches that lightweight dreams cut, sleep windows of hours for dreams of ticks, endowments that afford no
//! trade. Remarks that were made on reading recorded prices are passed on among the notes, as they are.

use crate::run::scenario_file::Scenario;
use crate::run::scenario_file::mistake::{self, Mistake};
use crate::run::scenario_file::spelling::snake_case;
use crate::run::scenario_file::tree::{Node, Origin, Value};
use morta_engine::dream::schedule::SleepWindow;
use morta_engine::golem::config::MIN_STAKE;
use morta_engine::market::{AssetSource, MarketConfig};
use morta_engine::replay::{ReplayConfig, Uncertainty, batch_size};
use morta_engine::world;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A part of the name of a memory that has the dreams of `[dream]`.
const DREAMING: &str = "bardo";

/// Whether a memory of this name has the dreams of `[dream]`. The summary of a run asks it too.
pub(crate) fn dreams(memory: &str) -> bool {
    memory.split('+').any(|part| part == DREAMING)
}

/// Shortest window that is said to suspend trading, and how much longer than its dreams it must be.
const WINDOW_HOURS_MIN: f64 = 1.0;
const WINDOW_TO_DREAMS_MIN: f64 = 4.0;
/// Ticks of a cycle besides its batches: falling asleep, imagination, integration, waking.
const CYCLE_TICKS: f64 = 4.0;
/// Cost of a trade beyond which no golem trades, as a multiple of what the gate lets through: signals stop nearer or farther, gas spikes
/// and rests.
const HOPELESS: f64 = 2.0;

/// What the keys of a scenario say of one key that may be idle: a note where it is, none where it isn't (lint finding).
#[derive(Clone, Debug)]
pub struct Judged {
    key: String,
    note: Option<String>,
}

/// Notes over the arms of a sweep: what is noted of a key in one arm counts unless another arm makes use of it (lint warnings).
#[derive(Clone, Debug, Default)]
pub struct Notes {
    by_key: BTreeMap<String, Option<String>>,
}

impl Notes {
    /// Takes in the lint findings of one scenario.
    pub fn take(&mut self, judged: Vec<Judged>) {
        for Judged { key, note } in judged {
            let known = self.by_key.entry(key).or_insert_with(|| note.clone());
            if note.is_none() {
                *known = None;
            }
        }
    }

    /// Words the lint findings, one line each, in the order of the keys.
    pub fn lines(&self) -> Vec<String> {
        self.by_key.values().flatten().cloned().collect()
    }
}

impl Scenario {
    /// Lints the scenario by itself: notes, one line each with the remedy; none where all is as it seems.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Notes::default();
        notes.take(self.judged(&serde_json::to_value(&self.scenario).expect("a scenario is plain data")));
        notes.lines()
    }

    /// Lints the scenario and names the keys that are in use too: a sweep drops a note on a key that another of its arms uses. `resolved`
    /// is the scenario as JSON, which a sweep of ten thousand points has made of each already.
    pub fn judged(&self, resolved: &Json) -> Vec<Judged> {
        let looking =
            Looking { scenario: &self.scenario, tree: &self.tree, file: self.path.display().to_string() };
        let mut found = vec![looking.dreams()];
        found.extend(
            self.remarks
                .iter()
                .map(|remark| Judged { key: format!("data {remark}"), note: Some(remark.clone()) }),
        );
        found.extend(looking.window());
        found.extend(looking.purse());
        found.extend(looking.batch());
        looking.idle_below("", looking.tree, resolved, None, &mut found);
        found
    }
}

/// A scenario with the file it was read from.
struct Looking<'a> {
    scenario: &'a world::Scenario,
    tree: &'a Node,
    file: String,
}

impl Looking<'_> {
    /// A note of a kind: the same key may be judged by another kind too.
    fn note(&self, kind: &str, key: &str, value: Option<String>, remedy: String) -> Judged {
        let origin = self.tree.origin_of(key).clone();
        // A key that isn't written has no line: that of its table would send the author to the wrong place.
        let origin = if self.written(key).is_some() { origin } else { Origin::Unknown };
        let mistake = Mistake { origin, key: key.to_owned(), value, remedy };
        Judged { key: format!("{kind} {key}"), note: Some(mistake.line(&self.file)) }
    }

    /// A value that the file itself, a flag or a sweep has written.
    fn written(&self, key: &str) -> Option<&Node> {
        key.split('.').try_fold(self.tree, |node, segment| node.child(segment))
    }

    fn dreamers(&self) -> Vec<&str> {
        let cohorts = self.scenario.cohorts.iter();
        cohorts.filter(|cohort| dreams(cohort.memory.as_str())).map(|cohort| cohort.name.as_str()).collect()
    }

    /// A memory that dreams where dreams are off by default.
    fn dreams(&self) -> Judged {
        let (key, dreamers) = ("dream.enabled", self.dreamers());
        if dreamers.is_empty() || self.scenario.dream.enabled || self.written(key).is_some() {
            // Without dreamers there is no claim either way.
            let kind = if dreamers.is_empty() { "nobody" } else { "dreams" };
            return Judged { key: format!("{kind} {key}"), note: None };
        }
        let who = dreamers.join(", ");
        let remedy = format!(
            "the memory of {who} dreams, and by default nobody does: write dream.enabled = true, or false where that is meant"
        );
        self.note("dreams", key, Some("false".to_owned()), remedy)
    }

    /// A batch larger than lightweight dreams read.
    fn batch(&self) -> Option<Judged> {
        let (dream, key) = (&self.scenario.dream, "dream.replay.batch_size");
        let usual = Uncertainty::Medium;
        let read = |replay: &ReplayConfig| dream.tier.batch_size(usual, replay);
        let is_cut = |replay: &ReplayConfig| read(replay) < batch_size(usual, replay);
        self.written(key).filter(|_| dream.enabled && !self.dreamers().is_empty())?;
        if !is_cut(&dream.replay) {
            return Some(Judged { key: format!("batch {key}"), note: None });
        }
        // A batch that is cut is as large as any batch of these dreams. What may be written instead is less where `intensity.medium` is above 1.
        let (most, asked) = (read(&dream.replay), dream.replay.batch_size);
        let fits = |size: &u32| !is_cut(&ReplayConfig { batch_size: *size, ..dream.replay.clone() });
        let less = (1..asked).rev().find(fits).map_or(String::new(), |size| format!("{size} or less, or "));
        let remedy = format!(
            "lightweight dreams read {most} episodes in a batch at most, whatever is asked for beyond: write {less}dream.tier = \"hardened\" for more"
        );
        Some(self.note("batch", key, Some(asked.to_string()), remedy))
    }

    /// A sleep window that keeps golems from trading for hours, for the sake of ticks of dream.
    fn window(&self) -> Option<Judged> {
        let (dream, market) = (&self.scenario.dream, &self.scenario.market);
        let suspends = dream.schedule.mode.keeps_windows();
        if !dream.enabled || !suspends || self.dreamers().is_empty() {
            return None;
        }
        let hours: f64 = dream
            .windows
            .windows
            .iter()
            .filter_map(|window| Some(SleepWindow::parse(window).ok()?.hours()))
            .sum();
        let ticks = hours * 3_600.0 / f64::from(market.tick_seconds);
        let cycles = f64::from(dream.budget.max_cycles_per_window.thriving);
        let dreamt = cycles * (f64::from(dream.max_batches) + CYCLE_TICKS);
        if is_replayed(market) || hours < WINDOW_HOURS_MIN || ticks < WINDOW_TO_DREAMS_MIN * dreamt {
            return None;
        }
        let mode = dream.schedule.mode.name();
        let remedy = format!(
            "golems that dream don't trade in the sleep windows, {hours:.0} h or {ticks:.0} ticks a day, for dreams of some {dreamt:.0} ticks: write \
             dream.schedule.mode = \"interval\" where that isn't meant"
        );
        Some(self.note("window", "dream.schedule.mode", Some(format!("\"{mode}\"")), remedy))
    }

    /// An endowment with which no trade passes the gate, or the least stake can't be put up.
    fn purse(&self) -> Option<Judged> {
        let (golem, gas) = (&self.scenario.golem, &self.scenario.market.gas);
        let trading = golem.endowment_usdc * golem.purse.trading_share;
        let risked = trading * golem.risk_per_trade;
        let cost_r = 2.0 * gas.base_usdc / risked;
        let endowment = Some(golem.endowment_usdc.to_string());
        if trading * golem.max_position_share < MIN_STAKE.dollars() {
            let remedy = format!(
                "no golem can put up the least stake, {} USDC: its largest stake is {trading} · {} USDC; give it more",
                MIN_STAKE.dollars(),
                golem.max_position_share
            );
            return Some(self.note("purse", "golem.endowment_usdc", endowment, remedy));
        }
        if cost_r > HOPELESS * golem.max_cost_r {
            let remedy = format!(
                "no trade is affordable: gas alone costs {cost_r:.1} R (2 · {} USDC on {risked:.4} USDC at risk) and golem.max_cost_r lets {} \
                 through; give golems more, or lower market.gas.base_usdc",
                gas.base_usdc, golem.max_cost_r
            );
            return Some(self.note("purse", "golem.endowment_usdc", endowment, remedy));
        }
        None
    }

    /// Keys that were written and that nothing reads: those of a table that is off, and of a memory that no cohort has.
    fn idle_below(
        &self,
        path: &str,
        node: &Node,
        resolved: &Json,
        why: Option<&str>,
        found: &mut Vec<Judged>,
    ) {
        let Value::Table(entries) = &node.value else {
            return match why {
                _ if path.ends_with(".enabled") || !path.contains('.') => {}
                Some(why) => {
                    found.push(self.note("idle", path, Some(mistake::written(&node.value)), why.to_owned()))
                }
                None => found.push(Judged { key: format!("idle {path}"), note: None }),
            };
        };
        for (key, child) in entries {
            let key = snake_case(key);
            let below = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
            // What a sweep or a flag switches off is off for the sake of a comparison, and the file's keys stay for when it isn't.
            let by_file = !child.child("enabled").is_some_and(|switch| is_from_elsewhere(&switch.origin));
            let is_off = by_file && resolved[&*key].get("enabled") == Some(&Json::Bool(false));
            // Pheromones are for siblings, so they alone are refused where clades are off.
            let needs_clades = below == "pheromones" && !self.scenario.clade.enabled;
            let besides = if needs_clades { " and clade.enabled" } else { "" };
            let own = match (why, is_off) {
                (Some(why), _) => Some(why.to_owned()),
                (None, true) => Some(format!(
                    "nothing reads it while {below}.enabled is false: switch that{besides} on, or leave this out"
                )),
                (None, false) => self.nobody_has(&below),
            };
            self.idle_below(&below, child, &resolved[&*key], own.as_deref(), found);
        }
    }

    /// The reason why the keys of a memory, or of dreams, aren't read.
    fn nobody_has(&self, table: &str) -> Option<String> {
        if self.written("cohorts").is_some_and(|cohorts| is_from_elsewhere(&cohorts.origin)) {
            return None;
        }
        if table == "dream" && self.dreamers().is_empty() {
            return Some(
                "nothing reads it, for the memory of no cohort has these dreams: leave it out".to_owned(),
            );
        }
        let memory = table.strip_prefix("memory.").filter(|name| !name.contains('.') && *name != "own")?;
        let name = memory.replace('_', "-");
        let has = self
            .scenario
            .cohorts
            .iter()
            .any(|cohort| cohort.memory.as_str().split('+').any(|part| part == name));
        (!has).then(|| {
            format!("nothing reads it, for no cohort has the memory {name}: leave it out, or give it to one")
        })
    }
}

/// Whether a market has recorded prices (replayed market data), which bring their own times. Notes on sweeps ask it too.
pub(crate) fn is_replayed(market: &MarketConfig) -> bool {
    market.assets.iter().any(|asset| matches!(asset.source, AssetSource::Replay(_)))
}

/// Whether a value comes from a sweep or a flag. A scenario file states it then nowhere, so a note must not speak of its line.
fn is_from_elsewhere(origin: &Origin) -> bool {
    matches!(origin, Origin::Sweep(_) | Origin::Flag(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::scenario_schema::{self, Shape};

    const SCENARIO: &str = "name = \"x\"\nseed = 1\nticks = 100\n[[cohorts]]\nname = \"a\"\ngolems = 1\nmemory = \"bardo\"\n\
        [[market.assets]]\nsymbol = \"X\"\nsource = { kind = \"synthetic\" }\n";

    fn read(keys: &str) -> crate::io::error::Result<Scenario> {
        let room = tempfile::tempdir().unwrap();
        let file = room.path().join("x.toml");
        std::fs::write(&file, format!("{keys}\n{SCENARIO}")).unwrap();
        Scenario::read(&file)
    }

    /// The tables of a scenario that have a switch, by their paths.
    fn switched(path: &str, shape: &Shape, found: &mut Vec<String>) {
        let Shape::Table(table) = shape else { return };
        if !path.is_empty() && table.keys.iter().any(|(key, _)| *key == "enabled") {
            found.push(path.to_owned());
        }
        for (key, schema) in &table.keys {
            let below = if path.is_empty() { (*key).to_owned() } else { format!("{path}.{key}") };
            switched(&below, &scenario_schema::shape(schema), found);
        }
    }

    /// Whatever table a note proposes to switch on can be, by itself or with what the note says besides.
    #[test]
    fn a_switch_that_a_note_proposes_is_accepted() {
        let mut tables = Vec::new();
        switched("", &scenario_schema::shape(scenario_schema::root()), &mut tables);
        assert!(tables.len() > 10, "{tables:?}");
        for table in &tables {
            let besides = if table == "pheromones" { "clade.enabled = true" } else { "" };
            let loaded = read(&format!("{table}.enabled = true\n{besides}"));
            assert!(loaded.is_ok(), "{table}: {:?}", loaded.err().map(|error| error.to_string()));
        }
        let idle = "pheromones.enabled = false\npheromones.deposit_usdc = 0.5";
        let proposes = |keys: &str, part: &str| {
            let notes = read(keys).unwrap().notes();
            assert!(notes.iter().any(|note| note.contains(part)), "{part}: {notes:?}");
        };
        proposes(idle, "switch that and clade.enabled on, or leave this out");
        proposes(&format!("clade.enabled = true\n{idle}"), "switch that on, or leave this out");
        assert!(read("pheromones.enabled = true").is_err(), "without clades they are refused");
    }

    /// The proposed batch is one that isn't cut, whatever `intensity` makes of it.
    #[test]
    fn a_batch_that_a_note_proposes_is_not_cut() {
        let notes = |size: u32, intensity: &str| {
            let dreaming = "dream.enabled = true\ndream.schedule.mode = \"interval\"";
            read(&format!("{dreaming}\ndream.replay.batch_size = {size}\n{intensity}")).unwrap().notes()
        };
        let (high, medium) = ("dream.replay.intensity.high = 0.2", "dream.replay.intensity.medium = 2.0");
        for (intensity, proposed) in [("", 5), (high, 5), (medium, 2)] {
            let found = notes(10, intensity);
            let expected = format!("write {proposed} or less, or dream.tier");
            let said = |note: &String| note.contains("read 5 episodes") && note.contains(&expected);
            assert!(found.iter().any(said), "{intensity}: {found:?}");
            assert_eq!(notes(proposed, intensity), [""; 0]);
        }
        let found = notes(1, "dream.replay.intensity.medium = 9.0");
        assert!(
            found.iter().any(|note| note.contains("beyond: write dream.tier = \"hardened\" for more")),
            "{found:?}"
        );
    }
}
