//! `oracle-as-read`, the bound for every memory: it knows the expected results by what golems can *observe*.
//!
//! A memory can at best learn what the observations at a decision say of its outcome. This one has learnt that beforehand, from a walk
//! longer than any life: from all that a golem observes (its reading of the regime, bands, gas, session, the signal, the whole embedding),
//! and not from the true regime. It also knows which law is in force and whether something planned is going on, because a memory may infer
//! that from outcomes. A bound that didn't know would be beaten by a memory that adapts.
//!
//! Results are in R net of the candidate's own costs, durations in ticks, confidence is always 1. It neither explores nor learns. In
//! machine learning this is an upper bound by an oracle with the Bayes-optimal predictor, as far as the fitted models reach it. Its one key
//! is the length of the walk that it is trained on. It is a fitted policy, with perfect information about the law in force.

mod features;
mod fit;
mod linear;
mod trees;

pub use fit::{FitTo, MIDDLE};

use crate::market::{MarketError, StayTruth, blend};
use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, Holding, HoldingAdvice, Holds, MemoryArchitecture,
    MemoryBirth, VoiceSource,
};
use crate::memory::family::{FamilyMember, Foreknowledge, MemoryKeys};
use crate::memory::oracle::staying_by;
use features::Seen;
use fit::Laws;
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

morta_base::keys! {
    /// The `[memory.oracle_as_read]` table.
    pub struct AsReadConfig {
        /// Ticks of the walk it is fitted to beforehand, shared out among assets and laws; recorded prices are walked from end to end.
        walk_ticks: u64 = 80_000, in 2_000..=10_000_000, "ticks";
    }
}

/// A trained predictor (supervised model) of expected reward: results of candidates by observations, under one law of the drift calendar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForecastAsRead {
    laws: Laws,
}

impl ForecastAsRead {
    /// Trains the predictor: supervised learning (regression) on a simulated walk.
    ///
    /// # Errors
    /// When a market can't be made.
    pub fn fit(to: FitTo<'_>) -> Result<Self, MarketError> {
        Ok(Self { laws: fit::fit(to)? })
    }

    /// Expected R net of costs, and ticks held; `row` is a buffer.
    fn predict(&self, moment: &DecisionContext<'_>, candidate: &Candidate, row: &mut Vec<f32>) -> (f64, f64) {
        let Candidate { strategy, asset, side, signal, cost_r, .. } = candidate;
        let fitted = &self.laws.at(moment.tick, *asset)[strategy.index()];
        row.clear();
        let (context, embedding) = (&moment.context, moment.embedding);
        features::push(&Seen { context, embedding, signal, side: *side, cost_r: *cost_r }, row);
        (fitted.gross_r(row) - cost_r, fitted.held_ticks(row, signal.horizon_ticks))
    }
}

/// An oracle baseline (upper bound) on observable information, a pretrained policy: it knows expected results by shared knowledge, and
/// bequeaths nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OracleAsRead {
    /// Forecasts by the number of the law.
    #[serde(with = "morta_base::shared")]
    forecasts: Arc<Vec<ForecastAsRead>>,
    /// Values of staying by the observed regime; empty where positions are held to their end.
    #[serde(with = "morta_base::shared")]
    staying: Arc<Vec<StayTruth>>,
}

impl FamilyMember for OracleAsRead {
    const FOREKNOWLEDGE: Foreknowledge = Foreknowledge::AsRead;

    /// # Panics
    /// When the plan doesn't know ([`crate::world::Plan::knowing`]).
    fn empty(_: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        let forecasts = keys.knowledge.as_read.as_ref();
        Self {
            forecasts: Arc::clone(forecasts.expect("a plan with such oracles knows what pays as it is read")),
            staying: keys.knowledge.staying_as_read.clone().unwrap_or_default(),
        }
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        if let Some(forecast) = &keys.knowledge.as_read {
            self.forecasts = Arc::clone(forecast);
        }
        self.staying = keys.knowledge.staying_as_read.clone().unwrap_or_default();
    }
}

impl MemoryArchitecture for OracleAsRead {
    crate::capable_of!(holds);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let mut row = Vec::with_capacity(features::width(moment.embedding.len()));
        advice.extend(candidates.iter().map(|candidate| {
            let mut under = |law: u16| self.forecasts[usize::from(law)].predict(moment, candidate, &mut row);
            let (expected_r, held_ticks) = moment.law.mean_under(&mut under, |before, after, weight| {
                (blend(before.0, after.0, weight), blend(before.1, after.1, weight))
            });
            Advice { expected_r, held_ticks: Some(held_ticks), confidence: 1.0, ..Advice::prior(candidate) }
        }));
    }

    fn explores(&self) -> bool {
        false
    }

    /// It knows already.
    fn observe(&mut self, _: &Experience<'_>) {}
}

impl Holds for OracleAsRead {
    fn advise_holding(&self, moment: &DecisionContext<'_>, holding: &Holding<'_>) -> Option<HoldingAdvice> {
        let known = (!self.staying.is_empty()).then_some(&self.staying)?;
        let read = moment.context.regime;
        staying_by(known, moment, read, holding, VoiceSource::Truth(read))
    }
}
