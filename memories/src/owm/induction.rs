//! Induction of beliefs from episodes (digest section 6). It is inductive generalization: a Beta posterior from counts of wins and losses.
//! The pattern is strategy, symbol, regime and session; it is ours, because the document names none. `super::Mind` decides when: once for
//! every pattern, at the first closed trade with which ten outcomes or more (`induce_after`) of the pattern are on the shelf. Episodes
//! without consequences (`Mind::keep`: inherited ones, and decisions not to trade that have a result) count there; they start no induction
//! themselves. An unknown label leaves the belief open there; a pattern without regime and session gets no belief
//! (`PatternKey::names_a_market`).

use super::context::{ContextVector, Regime, Session};
use super::episodic::{Domain, EpisodicMemory};
use super::semantic::{BeliefError, BeliefSource, Beta, Predicate, Scope, SemanticMemory};
use super::trigger::Trigger;
use morta_base::moments::mean;
use serde::{Deserialize, Serialize};

/// A pattern: the fields that episodes have in common (a composite key to group by). The golem memory `owm` finds the belief for a plan to
/// skip trades by its scope, the `owm` tools the trades behind a new belief by the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PatternKey {
    /// Strategy and symbol.
    pub domain: Domain,
    /// Regime of the market.
    pub regime: Option<Regime>,
    /// Session of the trading day.
    pub session: Option<Session>,
}

impl PatternKey {
    /// The pattern (grouping key) of an episode: its strategy, symbol, regime and session.
    pub const fn of(episode: &EpisodicMemory) -> Self {
        Self { domain: episode.domain, regime: episode.context.regime, session: episode.context.session }
    }

    /// Whether it has a regime or a session. The document rejects beliefs without conditions, such as "this strategy works".
    pub const fn names_a_market(&self) -> bool {
        self.regime.is_some() || self.session.is_some()
    }

    /// The scope of a belief that is induced from it: the same fields, every volatility.
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

/// The caller's names for its numbers of strategies and symbols (name resolution). They stand in the texts and conditions of beliefs and
/// plans.
pub trait Names {
    /// The name of a strategy.
    fn strategy(&self, number: u16) -> &str;
    /// The name of a symbol.
    fn symbol(&self, number: u16) -> &str;
}

/// Induces the belief that trades of a pattern gain, Beta(1 + wins, 1 + losses) over its episodes with known outcomes (a uniform Beta
/// prior). Counts aren't weighted by R here, while later outcomes are (ruling C-15: as stated).
///
/// # Errors
/// Never, because a pattern always has conditions; the type is that of beliefs from a caller.
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

/// The typical context: the pattern's labels and the means of the measures.
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
