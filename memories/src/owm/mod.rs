//! Outcome-Weighted Memory: recall ranks a trader's memories by their outcome, the similarity of their context, their age, the confidence in them
//! and the trader's affective state.
//!
//! # Five memories
//!
//! | memory | holds | fades |
//! |---|---|---|
//! | episodic: [`episodic::EpisodicMemory`] on a [`episodic::Shelf`] | a trade, or the decision not to trade | (1 + age/30 d)^(−½) |
//! | semantic: [`semantic::SemanticMemory`] | a belief about trades, as a Beta distribution that outcomes update | (1 + age/180 d)^(−0.3) |
//! | procedural: [`procedural::ProceduralMemory`] | actual behaviour: win rate, sizes, biases, drift | its window forgets |
//! | affective: [`affective::AffectiveState`] | confidence, risk appetite, drawdown, streaks | never |
//! | prospective: [`prospective::Plan`] | a plan: a trigger, an action and an expiry | expires |
//!
//! A [`Mind`] keeps all five: [`Mind::remember`] takes in a closed trade with all its consequences (an open one is only kept), [`Mind::recall`]
//! ranks its memories, and [`Mind::kelly`] computes the share of equity to stake. The formulas can be used alone, too: [`recall::recall`] ranks
//! any candidates, [`kelly::from_memory`] sizes by any scored outcomes.
//!
//! Score = Q · Sim · Rec · Conf · Aff: quality of the outcome (a sigmoid of R), similarity of contexts, recency, confidence factor and affect
//! factor ([`score`], [`similarity`]). One R is the initial risk of a trade. Moments are seconds since an origin of the caller's choice.
//! Strategies and symbols are the caller's numbers ([`induction::Names`] gives their names).
//!
//! # A program
//!
//! ```
//! use morta_memories::owm::context::{ContextVector, Regime, Session};
//! use morta_memories::owm::episodic::{Direction, Domain, EpisodicMemory};
//! use morta_memories::owm::induction::Names;
//! use morta_memories::owm::recall::Query;
//! use morta_memories::owm::score::DAY_S;
//! use morta_memories::owm::{MemoryType, Mind, MindConfig, Recollected, Wanted};
//!
//! struct Gold;
//!
//! impl Names for Gold {
//!     fn strategy(&self, _: u16) -> &str {
//!         "breakout"
//!     }
//!     fn symbol(&self, _: u16) -> &str {
//!         "XAUUSD"
//!     }
//! }
//!
//! let domain = Domain { strategy: 0, symbol: 0 };
//! let rising = ContextVector {
//!     regime: Some(Regime::TrendingUp),
//!     session: Some(Session::London),
//!     atr_d1: Some(100.0),
//!     price: Some(4_000.0),
//!     ..ContextVector::default()
//! };
//! let mut mind = Mind::new(MindConfig::default(), 10_000.0, 0.0);
//! // Twelve trades, one a day: two gains of 2 R for each loss of 1 R.
//! let mut beliefs = Vec::new();
//! for day in 0..12_u32 {
//!     let closed_s = f64::from(day) * DAY_S;
//!     let trade = EpisodicMemory {
//!         made_s: Some(closed_s),
//!         context: rising,
//!         pnl_r: Some(if day % 3 == 2 { -1.0 } else { 2.0 }),
//!         confidence: Some(0.5),
//!         ..EpisodicMemory::decided(day.into(), domain, Direction::Long, 4_000.0)
//!     };
//!     beliefs.extend(mind.remember(trade, &Gold, closed_s)?);
//! }
//! // The tenth trade induced a belief of the pattern.
//! assert_eq!(beliefs, [0]);
//! assert_eq!(mind.beliefs()[0].proposition, "breakout on XAUUSD gains in a market that is trending_up in the london session");
//!
//! let query = Query { now_s: 13.0 * DAY_S, context: rising, mood: mind.affect().mood() };
//! let wanted = Wanted { strategy: Some(0), symbol: None, types: &[MemoryType::Episodic], limit: 3, whole: false };
//! let recalled = mind.recall(&wanted, &query);
//! let Recollected::Episodic(first) = recalled[0].memory else { panic!("only episodes were wanted") };
//! assert_eq!((first.id, first.pnl_r), (10, Some(2.0)), "the newest gain comes to mind first");
//! assert!(mind.kelly(domain, &query) > 0.0, "such trades are worth a stake");
//! # Ok::<(), morta_memories::owm::semantic::BeliefError>(())
//! ```
//!
//! # Coming from TradeMemory
//!
//! | tool | here |
//! |---|---|
//! | `remember_trade` | [`Mind::remember`], then [`Mind::on_equity`] |
//! | `recall_memories` | [`Mind::recall`], then [`Mind::recalled`] of each episode that was used: a recall doesn't count itself |
//! | `get_behavioral_analysis` | [`Mind::habits`] |
//! | `get_agent_state` | [`Mind::affect`] |
//! | `create_trading_plan` | [`Mind::plan`] of a [`prospective::Plan`], whose [`trigger::Trigger`] reads the tool's JSON |
//! | plans of the document's §2.5 | [`intentions`]: from a reflection, a firm belief or a deep drawdown |
//! | `check_active_plans` | [`prospective::expire`], then [`prospective::applicable`] |
//!
//! Fields bear the names of its columns, with their unit where they have one (`hold_duration_seconds` is `hold_s`).
//!
//! # How to cite
//!
//! - The document: Sean (Mnemox AI), *Outcome-Weighted Memory (OWM): A Cognitive Memory Architecture for AI Trading Agents*, version
//!   1.0.0-draft, 4 March 2026.
//! - The original: TradeMemory Protocol, <https://github.com/mnemox-ai/tradememory-protocol>, commit `f0db289`.
//!
//! Where the two differ, this module follows the document, because it is the authors' own description. Its draft has no rule for: the pattern of
//! induction, momentum bias, stability, loss aversion, recency bias, the parameters of drift, the language of triggers. Those rules are ours,
//! and their keys and docs say so.
//!
//! # The digest
//!
//! Its sections: 2 the five memories, 3 circumstances and likeness ([`context`], [`similarity`]), 4 the recall score
//! ([`score`], [`recall`], [`recollect`]), 5 strength ([`strength`]), 6 beliefs ([`semantic`], [`induction`]), 7 habits and drift
//! ([`procedural`], [`drift`]), 8 the state of mind ([`affective`]), 9 plans ([`prospective`], [`trigger`]), 10 stakes ([`kelly`]), 11 good periods
//! ([`sharpe`]), 12 validation on recorded trades (not here: it needs a market).
//!
//! Where the document contradicts itself:
//!
//! | ruling | conflict | here |
//! |---|---|---|
//! | C-1 | the spread of R: a rolling standard deviation, or the root mean square of the candidates | the latter, at least 0.5 ([`score::SpreadPolicy`]) |
//! | C-2 | likeness of eight fields, or of seven without the spread | eight |
//! | C-3 | two unknown labels match, or never | never |
//! | C-4 | quality without an outcome: trust, or ½ | ½ for episodes, its confidence for a belief |
//! | C-5 | in a losing streak an outcome of 0 or none: −0.2, or 0 | −0.2 |
//! | C-6 | age in whole days, or in fractions | fractions |
//! | C-7 | plans have no rate of fading | in a ranking that of beliefs; they end by their expiry |
//! | C-8 | two Kelly fractions | the general one; the classic one where habits are compared to it |
//! | C-9 | retrieval bias and affect factor both bend recall by drawdown | the factor ([`score::AffectForm`]) |
//! | C-13 | recalls strengthen a memory, but aren't in the score | kept apart ([`strength`]), counted by [`Mind::recalled`] |
//! | C-14 | validity conditions are mandatory, yet may be null | mandatory |

pub mod affective;
mod columns;
pub mod context;
pub mod drift;
pub mod episodic;
pub mod induction;
pub mod intentions;
pub mod kelly;
pub mod mind;
pub mod procedural;
pub mod prospective;
pub mod recall;
pub mod recollect;
pub mod score;
pub mod semantic;
pub mod sharpe;
pub mod similarity;
pub mod strength;
#[cfg(test)]
mod tests;
pub mod trigger;
#[cfg(test)]
mod vectors;

pub use mind::{Mind, MindConfig, Seen};
pub use recollect::{MemoryType, RankedMemory, Recollected, Wanted};
