//! Keys whose change makes no difference in any shipped setting, and why.

use crate::keys::Key;
use crate::record::Record;

/// A key, or a whole table as `faults[].*`, and why nothing shows it.
const NOWHERE: &[(&str, &str)] = &[
    ("name", "a name: the run folder is called by it, and nothing that happens"),
    ("description", "tells people what it is for"),
    ("cohorts[].name", "a name: tables tell of cohorts by it, events by their place"),
    ("market.assets[].symbol", "a name: tables tell of assets by it, events by their place"),
    ("market.drift.laws[].name", "a name: what refers to it would have to change with it"),
    (
        "market.assets[].source(replay).file",
        "only one of the shipped recordings is long enough for a shipped setting; `.start` changes the bars",
    ),
    (
        "memory.constant.market",
        "says which market the policy is for: a scenario with any other value is refused; `tests/it/fit.rs`",
    ),
    ("memory.constant.first_seed", "says on which worlds the policy was fitted"),
    ("memory.constant.last_seed", "as `memory.constant.first_seed`"),
    ("memory.constant.cells[].asset", "a cell of another asset is in the table already; `tests/it/fit.rs`"),
    (
        "daimon.behaviour.probing",
        "no consequence found within 60,000 ticks of any shipped setting since sleepers perceive nothing; it had one before",
    ),
    ("dream.pace.most_ticks.thriving", "as `daimon.behaviour.probing`"),
    ("memory.bardo.grimoire.bloodstain_half_life_multiple", "as `daimon.behaviour.probing`"),
    ("lethe.delays.mechanics_hours", "as `daimon.behaviour.probing`"),
    ("lethe.delays.structure_hours", "as `daimon.behaviour.probing`"),
    ("lethe.delays.regime_hours", "as `daimon.behaviour.probing`"),
    ("memory.own", "parameters of memories that a program registers itself; `lab/tests/own_memory.rs`"),
    (
        "llm.mode",
        "a real model is no part of a shipped setting but the one that plays its cassette; `tests/it/real_mind.rs`",
    ),
    ("llm.model", "asks another model, which the shipped cassette can't play; `tests/it/real_mind.rs`"),
    ("llm.model_t1", "as `llm.model`"),
    ("llm.model_t2", "as `llm.model`"),
    ("llm.output_factor", "another limit is another call, which the shipped cassette can't play"),
    ("llm.answer_questions", "another form is another call, which the shipped cassette can't play"),
    ("llm.cassette", "a file beside the scenario; `tests/it/real_mind.rs`"),
    ("llm.endpoint.*", "how a real model is reached; no reply depends on it; `tests/it/real_mind.rs`"),
    ("lethe.persist", "a folder outside the world; `tests/it/persistent_lethe.rs`"),
    ("lethe.start_from", "a folder that an earlier run has left; `tests/it/persistent_lethe.rs`"),
    (
        "memory.owm.mind.drift.*",
        "habits drift in what `morta-memory owm report` tells; no golem decides by it; `memories/tests/owm.rs`",
    ),
    (
        "memory.owm.mind.affect.history",
        "moments that `morta-memory owm` tells of; no golem looks back on them",
    ),
    (
        "memory.owm.mind.semantic_fetch",
        "golems recall episodes; `morta-memory owm recall` fetches beliefs too; `tools/tests/it/owm.rs`",
    ),
    (
        "memory.owm.mind.score.semantic_tau_days",
        "golems recall episodes; `morta-memory owm recall` scores beliefs and plans; `memories/src/owm/vectors.rs`",
    ),
    (
        "memory.owm.mind.score.semantic_decay",
        "golems recall episodes; `morta-memory owm recall` scores beliefs and plans; `memories/src/owm/vectors.rs`",
    ),
    (
        "memory.openclaw.dreaming.light.cluster_similarity",
        "groups candidates for whoever reads `morta-memory openclaw`; all are staged alike",
    ),
    ("faults[].*", "no shipped setting panics on purpose; `engine/tests/services.rs`"),
    ("record.events", "what is written, and nothing that happens; `tests/it/coverage.rs` reads it"),
];

fn speaks_of(pattern: &str, key: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == key, |table| key.starts_with(table))
}

/// Why a key needs no proof.
pub fn why(key: &str) -> Option<&'static str> {
    NOWHERE.iter().find(|(pattern, _)| speaks_of(pattern, key)).map(|(_, why)| *why)
}

/// Lines of the list that speak of no key, or of one that is proved.
pub fn idle(keys: &[Key], record: &Record) -> Vec<String> {
    let speaks_of_none = |pattern: &str| !keys.iter().any(|key| speaks_of(pattern, &key.name));
    let proved = |pattern: &str| record.keys().find(|key| speaks_of(pattern, key));
    let line = |(pattern, _): &(&str, &str)| match proved(pattern) {
        Some(key) => Some(format!("{pattern}: is excepted, and the page proves {key}")),
        None if speaks_of_none(pattern) => Some(format!("{pattern}: is excepted, and there is no such key")),
        None => None,
    };
    NOWHERE.iter().filter_map(line).collect()
}
