//! The input of scoring: a dreamer's situation (JSON), and episodes of the caller's own (JSON Lines). Every mistake names its file, line
//! and field. It is input validation: moments are ticks, results are R, moods are −1 to 1 (the PAD model). Unknown fields of the situation
//! are refused, because a misspelt one would silently take its default; those of an episode are counted and reported, because a caller's
//! log has fields of its own. A missing surprise is |expected − actual|, a missing regret 0; significance is |pnl| over position size. An
//! episode counts as inherited only where `provenance` is "inherited" and `source_type` is "death_testament".

use crate::io::bounded_lines::log_text;
use crate::io::error::{At as _, Error, Result};
use crate::io::limits::Limits;
use morta_base::{BloodstainId, EpisodeId, GolemId, Tick, Usdc};
use morta_engine::episode::{Context, DreamPriority, Episode, Grimoire, GrimoireConfig, Provenance};
use morta_engine::market::Regime;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Most episodes in one file: all of them are held in memory to be ranked.
const MAX_EPISODES: usize = 10_000_000;
/// Longest line, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// A mood in the PAD model: pleasure, arousal and dominance, each −1 to 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pad {
    /// Unpleasant to pleasant, -1 to 1.
    pub pleasure: f64,
    /// Calm to aroused, -1 to 1.
    pub arousal: f64,
    /// Controlled to in control, -1 to 1.
    pub dominance: f64,
}

/// The dreamer's situation, in whose context episodes are scored.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoringState {
    /// Now; no episode is later.
    pub tick: Tick,
    /// The market now; as long as that of every episode.
    pub embedding: Vec<f32>,
    /// What the dreamer takes the market for.
    pub regime: Regime,
    /// Its mood; none for a dreamer without affect.
    pub pad: Option<Pad>,
    /// How often it predicts rightly, 0 to 1; where it is low, replay goes by surprise. None for normal replay.
    pub prediction_accuracy: Option<f64>,
    /// Its age as a share of the Hayflick count, 0 to 1; the old turn to what they will leave.
    #[serde(default)]
    pub hayflick_ratio: f64,
    /// The seed of prioritizations that draw.
    #[serde(default)]
    pub seed: u64,
}

impl ScoringState {
    /// Reads and checks the situation from a JSON file.
    ///
    /// # Errors
    /// [`Error::Invalid`], one line that names the file and the field.
    pub fn read(path: &Path, limits: &Limits) -> Result<Self> {
        let fail = |problem: &dyn Display| Error::at(path, problem);
        let text = log_text(path, limits).map_err(|error| fail(&error))?;
        let state: Self = serde_json::from_str(&text).map_err(|error| fail(&error))?;
        let within = |value: f64, low: f64| (low..=1.0).contains(&value);
        if state.embedding.is_empty() || state.embedding.iter().any(|x| !x.is_finite()) {
            return Err(fail(&"embedding must be a list of at least one finite number"));
        }
        if !within(state.hayflick_ratio, 0.0) {
            return Err(fail(&format!("hayflick_ratio = {}: must be from 0 to 1", state.hayflick_ratio)));
        }
        if let Some(accuracy) = state.prediction_accuracy.filter(|accuracy| !within(*accuracy, 0.0)) {
            return Err(fail(&format!("prediction_accuracy = {accuracy}: must be from 0 to 1")));
        }
        if let Some(pad) = state.pad
            && ![pad.pleasure, pad.arousal, pad.dominance].into_iter().all(|x| within(x, -1.0))
        {
            return Err(fail(&"pad: pleasure, arousal and dominance must be from -1 to 1"));
        }
        Ok(state)
    }
}

#[derive(Debug, Deserialize)]
struct EmotionalTag {
    arousal: f64,
}

#[derive(Debug, Deserialize)]
struct Row {
    #[serde(alias = "id")]
    episode_id: String,
    tick: Tick,
    #[serde(alias = "embedding")]
    market_state_embedding: Vec<f32>,
    regime: Regime,
    expected_outcome: f64,
    actual_outcome: f64,
    pnl: f64,
    position_size: f64,
    surprise_score: Option<f64>,
    counterfactual_regret: Option<f64>,
    last_replayed: Option<Tick>,
    #[serde(default)]
    replay_count: u32,
    emotional_tag: Option<EmotionalTag>,
    provenance: Option<String>,
    source_type: Option<String>,
    #[serde(default)]
    dream_priority: DreamPriority,
    /// What a user's own log says besides; scoring doesn't look at it.
    #[serde(flatten)]
    other: BTreeMap<String, serde::de::IgnoredAny>,
}

/// Why an episode can't be scored.
#[derive(Debug, thiserror::Error)]
enum RowError {
    #[error("market_state_embedding has {found} numbers, the state's has {expected}")]
    Length { found: usize, expected: usize },
    #[error("market_state_embedding: every number must be finite")]
    Embedding,
    #[error("{field} = {}: must be {must}", shown(*value))]
    Value { field: &'static str, value: f64, must: &'static str },
    #[error("{field} = {tick}: is after the state's tick {now}")]
    Late { field: &'static str, tick: Tick, now: Tick },
}

/// Episodes of the caller's own, in the order of the file (input episodes).
#[derive(Debug)]
pub struct Episodes {
    /// Their names.
    pub ids: Vec<String>,
    /// The episodes, each in the slot of its place in the file.
    pub grimoire: Grimoire,
    /// Fields that were not looked at, with the number of lines that have them.
    pub ignored: BTreeMap<String, u64>,
}

impl Episodes {
    /// Reads and checks them from JSON Lines; `-` reads standard input. Duplicate ids are refused.
    ///
    /// # Errors
    /// [`Error::Invalid`], one line that names the file, the line and the field.
    pub fn read(path: &Path, state: &ScoringState) -> Result<Self> {
        let name = path.display();
        let input: Box<dyn Read> = if path == Path::new("-") {
            Box::new(std::io::stdin())
        } else {
            let file = std::fs::File::open(path);
            Box::new(file.at(path)?)
        };
        let config = GrimoireConfig { capacity: MAX_EPISODES as u32, ..GrimoireConfig::default() };
        let dimensions = state.embedding.len() as u32;
        let mut episodes =
            Self { ids: Vec::new(), grimoire: Grimoire::new(config, dimensions), ignored: BTreeMap::new() };
        let mut known = BTreeSet::new();
        let mut input = BufReader::new(input);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let fail = |problem: &dyn Display| Error::invalid(format!("{name}:{number}: {problem}"));
            let read =
                input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(|error| fail(&error))?;
            if read as u64 == MAX_LINE {
                return Err(fail(&format!("the line is longer than {MAX_LINE} bytes")));
            }
            if read == 0 {
                break;
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let row: Row = serde_json::from_slice(&line).map_err(|error| fail(&error))?;
            row.check(state).map_err(|problem| fail(&problem))?;
            if !known.insert(row.episode_id.clone()) {
                return Err(fail(&format!("episode_id {:?} has come before", row.episode_id)));
            }
            if known.len() > MAX_EPISODES {
                return Err(fail(&format!("more than {MAX_EPISODES} episodes")));
            }
            episodes.add(row);
        }
        if episodes.ids.is_empty() {
            return Err(Error::invalid(format!("{name}: there are no episodes")));
        }
        Ok(episodes)
    }

    fn add(&mut self, row: Row) {
        let slot = self.ids.len();
        let (last, count, priority) = (row.last_replayed, row.replay_count, row.dream_priority);
        self.ids.push(row.episode_id.clone());
        row.other.keys().for_each(|field| *self.ignored.entry(field.clone()).or_default() += 1);
        self.grimoire.restore(row.into_episode(slot as u32), last, count, priority);
    }
}

/// A number as one would write it: neither end of what a double holds is three hundred digits.
fn shown(value: f64) -> String {
    let size = value.abs();
    if size >= 1e15 || (size > 0.0 && size < 1e-6) { format!("{value:e}") } else { value.to_string() }
}

/// The largest size of a number, as in `stats`: squares of larger ones would overflow when they are summed up.
const SIZE_MAX: f64 = 1e90;

impl Row {
    fn check(&self, state: &ScoringState) -> Result<(), RowError> {
        let (found, expected) = (self.market_state_embedding.len(), state.embedding.len());
        if found != expected {
            return Err(RowError::Length { found, expected });
        }
        if self.market_state_embedding.iter().any(|x| !x.is_finite()) {
            return Err(RowError::Embedding);
        }
        for (field, value) in [
            ("expected_outcome", self.expected_outcome),
            ("actual_outcome", self.actual_outcome),
            ("pnl", self.pnl),
            ("surprise_score", self.surprise_score.unwrap_or(0.0)),
        ] {
            // A difference of two at the end of what a double holds would be no number, and take the surprise of all others with it.
            if value.is_nan() || value.abs() > SIZE_MAX {
                return Err(RowError::Value { field, value, must: "a number of at most 1e90 in size" });
            }
        }
        let size = self.position_size;
        if !(1.0 / SIZE_MAX..=SIZE_MAX).contains(&size) {
            let must = if size > 0.0 { "from 1e-90 to 1e90" } else { "a number above 0" };
            return Err(RowError::Value { field: "position_size", value: size, must });
        }
        for (field, value, high) in [
            ("surprise_score", self.surprise_score, SIZE_MAX),
            ("counterfactual_regret", self.counterfactual_regret, SIZE_MAX),
            ("emotional_tag.arousal", self.emotional_tag.as_ref().map(|tag| tag.arousal), 1.0),
        ] {
            if let Some(value) = value.filter(|value| !(0.0..=high).contains(value)) {
                let must = if high == 1.0 { "0 to 1" } else { "0 to 1e90" };
                return Err(RowError::Value { field, value, must });
            }
        }
        let late = |field, tick| RowError::Late { field, tick, now: state.tick };
        if self.tick > state.tick {
            return Err(late("tick", self.tick));
        }
        if let Some(last) = self.last_replayed.filter(|last| *last > state.tick) {
            return Err(late("last_replayed", last));
        }
        Ok(())
    }

    /// The parts that scoring doesn't look at are neutral.
    fn into_episode(self, number: u32) -> Episode {
        let golem = GolemId::founder(0);
        let inherited = self.provenance.as_deref() == Some("inherited")
            && self.source_type.as_deref() == Some("death_testament");
        let error = (self.expected_outcome - self.actual_outcome).abs();
        Episode {
            provenance: if inherited {
                Provenance::Bloodstain(BloodstainId { golem, number })
            } else {
                Provenance::Own
            },
            context: Context::neutral(self.regime),
            stake: Usdc::from_dollars(self.position_size),
            pnl: Usdc::from_dollars(self.pnl),
            expected_r: self.expected_outcome,
            realised_r: self.actual_outcome,
            surprise: self.surprise_score.unwrap_or(error),
            significance: self.pnl.abs() / self.position_size,
            regret: self.counterfactual_regret.unwrap_or(0.0),
            arousal: self.emotional_tag.map_or(0.0, |tag| tag.arousal),
            embedding: self.market_state_embedding.into(),
            ..Episode::neutral(EpisodeId { golem, number }, self.tick)
        }
    }
}
