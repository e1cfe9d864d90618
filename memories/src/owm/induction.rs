//! How beliefs are drawn from episodes (digest section 6): once for every pattern of strategy, symbol, regime and session, when enough of its outcomes
//! are known. A label that isn't known leaves the belief open there; where neither regime nor session is known, none is drawn.

use super::context::{ContextVector, Regime, Session};
use super::episodic::{Domain, EpisodicMemory};
use super::semantic::{BeliefError, BeliefSource, Beta, Predicate, Scope, SemanticMemory};
use super::trigger::Trigger;
use morta_base::moments::mean;
use serde::{Deserialize, Serialize};

/// What episodes have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PatternKey {
    /// Strategy and symbol.
    pub domain: Domain,
    /// What the market does.
    pub regime: Option<Regime>,
    /// The part of the day.
    pub session: Option<Session>,
}

impl PatternKey {
    /// The pattern of an episode.
    pub const fn of(episode: &EpisodicMemory) -> Self {
        Self { domain: episode.domain, regime: episode.context.regime, session: episode.context.session }
    }

    /// Whether it says anything of the market. "This strategy works", wherever and whenever, is no belief that the document allows.
    pub const fn names_a_market(&self) -> bool {
        self.regime.is_some() || self.session.is_some()
    }

    /// What a belief drawn from it is about.
    pub const fn scope(&self) -> Scope {
        Scope {
            strategy: Some(self.domain.strategy),
            symbol: Some(self.domain.symbol),
            regime: self.regime,
            volatility_regime: None,
            session: self.session,
        }
    }
}

/// Names of what is known by number, for people.
pub trait Names {
    /// Of a strategy.
    fn strategy(&self, number: u16) -> &str;
    /// Of a symbol.
    fn symbol(&self, number: u16) -> &str;
}

/// The belief that a pattern's episodes with known outcomes suggest: that such trades gain, Beta(1 + wins, 1 + losses).
///
/// # Errors
/// Never for the conditions it is given by its pattern; the type is that of beliefs from outside.
pub fn induce(
    key: &PatternKey,
    episodes: &[&EpisodicMemory],
    names: &dyn Names,
    now_s: f64,
) -> Result<SemanticMemory, BeliefError> {
    let outcomes: Vec<f64> = episodes.iter().filter_map(|episode| episode.result()).collect();
    let wins = outcomes.iter().filter(|r| **r > 0.0).count() as u32;
    let losses = outcomes.len() as u32 - wins;
    let (strategy, symbol) = (names.strategy(key.domain.strategy), names.symbol(key.domain.symbol));
    let mut conditions = Trigger::default().and_is("strategy", strategy).and_is("symbol", symbol);
    let mut proposition = format!("{strategy} on {symbol} gains");
    if let Some(regime) = key.regime {
        conditions = conditions.and_is("regime", regime.name());
        proposition += &format!(" in a market that is {}", regime.name());
    }
    if let Some(session) = key.session {
        conditions = conditions.and_is("session", session.name());
        proposition += &format!(" in the {} session", session.name());
    }
    let belief = Beta::induced(wins, losses);
    let mut memory = SemanticMemory::new(
        proposition,
        Predicate::Profitable,
        belief,
        key.scope(),
        conditions,
        BeliefSource::Induced,
        now_s,
    )?;
    (memory.sample_size, memory.confirmed) = (outcomes.len() as u32, wins);
    episodes.iter().for_each(|episode| memory.count(episode.pnl_r));
    memory.context = typical(key, episodes);
    Ok(memory)
}

/// The pattern's labels, and the means of what was measured.
fn typical(key: &PatternKey, episodes: &[&EpisodicMemory]) -> ContextVector {
    let middle = |measure: fn(&ContextVector) -> Option<f64>| {
        let values: Vec<f64> = episodes.iter().filter_map(|episode| measure(&episode.context)).collect();
        mean(&values)
    };
    ContextVector {
        regime: key.regime,
        volatility_regime: None,
        session: key.session,
        atr_d1: middle(|context| context.atr_d1),
        atr_h1: middle(|context| context.atr_h1),
        spread_as_atr_pct: middle(|context| context.spread_as_atr_pct),
        drawdown_pct: middle(|context| context.drawdown_pct),
        price: middle(|context| context.price),
    }
}
