//! Decisions of golems, with the memories that spoke: the action, the stake in USDC, expected results in R with and without memory. They
//! are what the two arms of `morta branch` are compared by (action divergence), lineage by lineage in each tick; a tick without a decision
//! counts as a choice too. Choices and stakes are separate, because stakes differ at the first change of a balance. Reasons and
//! expectations are reported and not compared.

use crate::run::run_folder::tables::Cast;
use morta_base::{Lineage, Usdc};
use morta_engine::event::{Event, EventKind};
use morta_engine::market::{PositionSide, Strategy};
use morta_engine::memory::Voice;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The record of a golem's decision to trade: action, stake, and reasons with expected R and prior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// The golem that decided.
    pub golem: String,
    /// The strategy followed.
    pub strategy: Strategy,
    /// The asset.
    pub asset: String,
    /// The position.
    pub side: PositionSide,
    /// Money put in, dollars.
    pub stake_usdc: f64,
    /// The result it expected, R.
    pub expected_r: f64,
    /// The prior, R: the expected result without memory.
    pub prior_r: f64,
    /// How sure its memory was, 0 to 1.
    pub confidence: f64,
    /// Whether it acted to explore.
    pub explored: bool,
    /// Which memories spoke, loudest first.
    pub voices: Vec<Voice>,
    #[serde(skip)]
    stake: Usdc,
}

/// A choice: golem, strategy, asset and side (action tuple).
pub(crate) type DecisionChoice<'a> = (&'a str, Strategy, &'a str, PositionSide);

impl Chosen {
    /// The choice of action without stake and reasons, by which both arms are compared.
    pub fn choice(&self) -> DecisionChoice<'_> {
        (&self.golem, self.strategy, &self.asset, self.side)
    }

    /// The choice of action with its stake, by which both arms are compared.
    pub fn done(&self) -> (DecisionChoice<'_>, Usdc) {
        (self.choice(), self.stake)
    }

    /// Words the decision in a line, with stake, expectation and voices.
    pub fn words(&self) -> String {
        let Self { strategy, side, .. } = self;
        let explored = if self.explored { ", to explore" } else { "" };
        let voices: Vec<String> = self.voices.iter().map(voice).collect();
        let loudest = if voices.is_empty() { "no voice".to_owned() } else { voices.join(", ") };
        format!(
            "{strategy} {} {side}, {:.4} USDC, expects {:+.3} R{explored} ({loudest})",
            self.asset, self.stake_usdc, self.expected_r
        )
    }
}

fn voice(voice: &Voice) -> String {
    let source = match serde_json::to_value(voice.source) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(serde_json::Value::Object(entries)) => entries.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    format!("{} {:+.3} R × {:.2}", crate::io::text::plain(&source), voice.expected_r, voice.weight)
}

/// Groups the decisions of a tick by lineage: a golem makes at most one.
pub(super) fn decisions(events: &[Event], cast: &Cast) -> BTreeMap<Lineage, Chosen> {
    let chosen = |event: &Event| {
        let EventKind::Decided {
            strategy,
            asset,
            side,
            stake,
            expected_r,
            prior_r,
            confidence,
            explored,
            why,
            ..
        } = &event.kind
        else {
            return None;
        };
        let golem = event.golem?;
        let chosen = Chosen {
            golem: golem.to_string(),
            strategy: *strategy,
            asset: cast.symbol(*asset).to_owned(),
            side: *side,
            stake_usdc: stake.dollars(),
            expected_r: *expected_r,
            prior_r: *prior_r,
            confidence: *confidence,
            explored: *explored,
            voices: why.clone(),
            stake: *stake,
        };
        Some((golem.lineage, chosen))
    };
    events.iter().filter_map(chosen).collect()
}
