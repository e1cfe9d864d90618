//! `morta score`: scores and selects episodes of a caller's own for replay, with the code the simulation runs. As a function, it is
//! prioritized experience replay: utility is gain times need, times 1 less a share for a recent replay (spacing), times boosts; a budget of
//! places (`batch_size` by default) is filled by the configured prioritization, with some places kept for diversity. It exists so that the
//! selection can be used and tested apart from any simulation.

mod input;
mod keys;

pub use input::{Episodes, Pad, ScoringState};
pub use keys::read_replay_keys;

use morta_base::{Purpose, WorldSeed};
use morta_engine::replay::{
    NotSelected, PadBias, ReplayConfig, ReplayContext, ReplayMode, Scorer, Selected, SelectionReason,
    UtilityTerms, select,
};
use serde::Serialize;

/// The priority of one episode in experience replay: gain, need, spacing, utility, boosts and importance weight, whether it was selected,
/// and why.
#[derive(Debug, Serialize)]
pub struct Scored<'a> {
    /// Its name in the file.
    pub episode_id: &'a str,
    /// The gain term of the utility: how much a replay can still teach, 0 to 1, times the boost of an inherited episode.
    pub gain: f64,
    /// How likely it is to matter now, 0 to 1.
    pub need: f64,
    /// How fresh the last replay is, 0 to 1; the utility is multiplied by 1 less half of it (the default of the key `spacing_weight`).
    pub spacing_penalty: f64,
    /// What decides: gain and need with boosts and penalty.
    pub utility: f64,
    /// What raised its utility.
    pub boosts: Boosts,
    /// Whether it is among the selected places.
    pub selected: bool,
    /// "utility_ranked" or "diversity".
    pub pass: Option<String>,
    /// Why it was selected, or why not.
    pub reason: String,
    /// What it counts for when a draw chose it, to undo the bias of the draw.
    pub importance_weight: Option<f64>,
    /// The parts that gain and need are made of.
    pub terms: UtilityTerms,
}

/// Boosts by what they are for, as they enter the utility (priority multipliers).
#[derive(Debug, Serialize)]
pub struct Boosts {
    /// It was inherited from a dead golem.
    pub bloodstain: f64,
    /// The Curator has tagged it.
    pub curator: f64,
    /// It suits the dreamer's mood.
    pub mood: f64,
    /// It is worth leaving behind.
    pub legacy: f64,
}

/// Scores every episode, and selects `places` of them by the engine's own code, so that a figure here is the
/// figure of a dream in the same situation (prioritized experience replay).
pub fn score<'a>(
    state: &ScoringState,
    episodes: &'a Episodes,
    config: &ReplayConfig,
    places: usize,
) -> Vec<Scored<'a>> {
    let pad = state.pad;
    let context = ReplayContext {
        tick: state.tick,
        embedding: &state.embedding,
        regime: state.regime,
        pad_bias: pad
            .and_then(|pad| PadBias::from_pad(pad.pleasure, pad.arousal, pad.dominance, &config.mood)),
        affect: pad.is_some(),
        mode: state.prediction_accuracy.map_or(ReplayMode::Normal, |a| ReplayMode::of_accuracy(a, config)),
        legacy: config.legacy.turn(state.hayflick_ratio),
    };
    let mut stream = WorldSeed(state.seed).world(Purpose::Dream, 0, state.tick);
    let selection = select(&episodes.grimoire, &context, config, places, &mut stream);
    let scorer = Scorer::new(&episodes.grimoire, &context, config);
    let scored = |(slot, id): (usize, &'a String)| {
        let episode = episodes.grimoire.record(slot).id;
        let chosen = selection.selected.iter().find(|chosen| chosen.episode == episode);
        let terms = scorer.terms(slot);
        let reason = match chosen {
            Some(chosen) => why(chosen.reason),
            None => selection.reason_against(episode, terms.utility).map_or_else(String::new, why_not),
        };
        Scored {
            episode_id: id,
            gain: terms.gain,
            need: terms.need,
            spacing_penalty: terms.spacing,
            utility: terms.utility,
            boosts: Boosts {
                bloodstain: terms.bloodstain,
                curator: terms.curator,
                mood: terms.mood,
                legacy: terms.legacy,
            },
            selected: chosen.is_some(),
            pass: chosen.map(|chosen: &Selected| chosen.pass.to_string()),
            reason,
            importance_weight: chosen.map(|chosen| chosen.importance_weight),
            terms,
        }
    };
    episodes.ids.iter().enumerate().map(scored).collect()
}

fn why(reason: SelectionReason) -> String {
    match reason {
        SelectionReason::RegimeDiversity(regime) => format!("regime_diversity: {}", regime.name()),
        other => <&str>::from(other).to_owned(),
    }
}

fn why_not(reason: NotSelected) -> String {
    match reason {
        NotSelected::BelowThreshold { utility, min_utility } => {
            format!("below_threshold: {utility:.4} does not exceed {min_utility}")
        }
        NotSelected::Outranked { lowest_chosen: Some(lowest), .. } => {
            format!("outranked: the lowest utility chosen is {lowest:.4}")
        }
        NotSelected::Outranked { lowest_chosen: None, .. } => "outranked".to_owned(),
        NotSelected::NotDrawn { .. } => "not_drawn".to_owned(),
    }
}
