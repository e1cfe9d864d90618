//! What `morta score` reads. Every mistake names its file, line and field.

use crate::failure::UserError;
use morta_engine::base::{BloodstainId, EpisodeId, GolemId, Tick, Usdc};
use morta_engine::episode::{
    Conditions, Context, DreamPriority, Episode, EpisodeKind, Grimoire, GrimoireConfig, Provenance,
};
use morta_engine::market::{GasClass, LiquidityClass, PositionSide, Regime, Session, Strategy};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The input formats, for `--help`.
pub const HELP: &str = r#"STATE.json is one object:
  tick                 now, a whole number
  embedding            the market now: a list of numbers
  regime               "trending_up", "trending_down", "range_bound" or "volatile"
  pad                  {"pleasure", "arousal", "dominance"}, each -1 to 1; left out: no affect
  prediction_accuracy  0 to 1; below confusedBelowAccuracy replay goes by surprise; left out: normal
  hayflick_ratio       0 to 1, age as a share of the full count; 0 when left out
  seed                 for the prioritizations that draw; 0 when left out

EPISODES.jsonl has an object a line:
  episode_id               any text, once (or id)
  tick                     when it ended, not after the state's
  market_state_embedding   as long as the state's (or embedding)
  regime                   as above
  expected_outcome, actual_outcome
  pnl, position_size       position_size above 0
  surprise_score           left out: |expected_outcome - actual_outcome|
  counterfactual_regret    0 or more; 0 when left out
  last_replayed            tick of the last replay; left out: never
  replay_count             0 when left out
  emotional_tag            {"arousal"}, 0 to 1; left out: none
  provenance, source_type  "inherited" and "death_testament" make a bloodstain; left out: own
  dream_priority           "high", "medium" or "normal" (the Curator's tag)
  (other fields)           not looked at; they are named on standard error
Surprise, significance (|pnl| / position_size) and regret are scaled by the 95th percentile of the file."#;

/// Most episodes in one file.
const MAX_EPISODES: usize = 10_000_000;
/// Longest line, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// A mood.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pad {
    pub pleasure: f64,
    pub arousal: f64,
    pub dominance: f64,
}

/// The dreamer's situation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub tick: Tick,
    pub embedding: Vec<f32>,
    pub regime: Regime,
    #[serde(default)]
    pub pad: Option<Pad>,
    #[serde(default)]
    pub prediction_accuracy: Option<f64>,
    #[serde(default)]
    pub hayflick_ratio: f64,
    #[serde(default)]
    pub seed: u64,
}

impl State {
    /// Reads and checks it.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let fail = |what: &dyn Display| UserError::new(format!("{}: {what}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| fail(&error))?;
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
    #[serde(default)]
    surprise_score: Option<f64>,
    #[serde(default)]
    counterfactual_regret: Option<f64>,
    #[serde(default)]
    last_replayed: Option<Tick>,
    #[serde(default)]
    replay_count: u32,
    #[serde(default)]
    emotional_tag: Option<EmotionalTag>,
    #[serde(default)]
    provenance: Option<String>,
    #[serde(default)]
    source_type: Option<String>,
    #[serde(default)]
    dream_priority: DreamPriority,
    /// What a user's own log says besides; scoring doesn't look at it.
    #[serde(flatten)]
    other: BTreeMap<String, serde::de::IgnoredAny>,
}

/// The user's episodes, in the order of the file.
#[derive(Debug)]
pub struct Episodes {
    pub ids: Vec<String>,
    pub grimoire: Grimoire,
    /// Fields that were not looked at, with the number of lines that have them.
    pub ignored: BTreeMap<String, u64>,
}

impl Episodes {
    /// Reads and checks them; `-` reads standard input.
    pub fn read(path: &Path, state: &State) -> anyhow::Result<Self> {
        let name = path.display();
        let input: Box<dyn Read> = if path == Path::new("-") {
            Box::new(std::io::stdin())
        } else {
            let file = std::fs::File::open(path);
            Box::new(file.map_err(|error| UserError::new(format!("{name}: {error}")))?)
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
            let fail = |what: &dyn Display| UserError::new(format!("{name}:{number}: {what}"));
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
            row.check(state).map_err(|what| fail(&what))?;
            if !known.insert(row.episode_id.clone()) {
                return Err(fail(&format!("episode_id {:?} has come before", row.episode_id)));
            }
            if known.len() > MAX_EPISODES {
                return Err(fail(&format!("more than {MAX_EPISODES} episodes")));
            }
            episodes.add(row);
        }
        if episodes.ids.is_empty() {
            return Err(UserError::new(format!("{name}: there are no episodes")));
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

impl Row {
    fn check(&self, state: &State) -> Result<(), String> {
        let (found, expected) = (self.market_state_embedding.len(), state.embedding.len());
        if found != expected {
            return Err(format!("market_state_embedding has {found} numbers, the state's has {expected}"));
        }
        if self.market_state_embedding.iter().any(|x| !x.is_finite()) {
            return Err("market_state_embedding: every number must be finite".to_owned());
        }
        for (field, value) in [
            ("expected_outcome", self.expected_outcome),
            ("actual_outcome", self.actual_outcome),
            ("pnl", self.pnl),
            ("surprise_score", self.surprise_score.unwrap_or(0.0)),
        ] {
            if !value.is_finite() {
                return Err(format!("{field} = {value}: must be a finite number"));
            }
        }
        let size = self.position_size;
        if !(size.is_finite() && size > 0.0) {
            return Err(format!("position_size = {size}: must be a number above 0"));
        }
        for (field, value, high) in [
            ("surprise_score", self.surprise_score, f64::MAX),
            ("counterfactual_regret", self.counterfactual_regret, f64::MAX),
            ("emotional_tag.arousal", self.emotional_tag.as_ref().map(|tag| tag.arousal), 1.0),
        ] {
            if let Some(value) = value.filter(|value| !(0.0..=high).contains(value)) {
                let most = if high == 1.0 { " to 1" } else { " or more" };
                return Err(format!("{field} = {value}: must be 0{most}"));
            }
        }
        if self.tick > state.tick {
            return Err(format!("tick = {}: is after the state's tick {}", self.tick, state.tick));
        }
        if let Some(last) = self.last_replayed.filter(|last| *last > state.tick) {
            return Err(format!("last_replayed = {last}: is after the state's tick {}", state.tick));
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
            id: EpisodeId { golem, number },
            kind: EpisodeKind::Trade,
            provenance: if inherited {
                Provenance::Bloodstain(BloodstainId { golem, number })
            } else {
                Provenance::Own
            },
            opened: self.tick,
            closed: self.tick,
            asset: 0,
            strategy: Strategy::Momentum,
            side: PositionSide::Long,
            context: Context {
                regime: self.regime,
                volatility_quintile: 3,
                liquidity: LiquidityClass::Normal,
                gas: GasClass::Normal,
                session: Session::Asia,
            },
            conditions: Conditions::default(),
            stake: Usdc::from_dollars(self.position_size),
            pnl: Usdc::from_dollars(self.pnl),
            expected_r: self.expected_outcome,
            realised_r: self.actual_outcome,
            surprise: self.surprise_score.unwrap_or(error),
            significance: self.pnl.abs() / self.position_size,
            regret: self.counterfactual_regret.unwrap_or(0.0),
            better_strategy: None,
            arousal: self.emotional_tag.map_or(0.0, |tag| tag.arousal),
            embedding: self.market_state_embedding.into(),
            chain: Vec::new(),
            verification: None,
        }
    }
}
