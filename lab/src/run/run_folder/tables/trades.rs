//! `trades.parquet`: every closed trade, with the advice it was entered on (trade log, trade blotter). Results and regret are R,
//! stakes are USDC, times are ticks. The advice stands in the same row, because an outcome without its expectation can't be judged.

use super::cast::CohortEntry;
use super::{Heard, RowsOf, joined};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::{GolemId, Tick, Usdc};
use morta_engine::episode::{Episode, OutcomeVerification, Provenance};
use morta_engine::event::{EventKind, ExitReason};
use morta_engine::market::{Regime, Strategy};
use morta_engine::memory::{Voice, VoiceSource};
use std::collections::BTreeMap;

/// A closed trade, and the decision it was entered on (trade record).
pub struct ClosedTrade<'a> {
    golem: GolemId,
    cohort: &'a CohortEntry,
    symbol: &'a str,
    episode: &'a Episode,
    exit: ExitReason,
    entry_price: f64,
    exit_price: f64,
    gas: Usdc,
    true_regime: Regime,
    explored: bool,
    asleep: bool,
    decision: Option<&'a DecisionRecord>,
}

/// What a golem thought when it decided on a position (decision rationale).
pub(crate) struct DecisionRecord {
    tick: Tick,
    prior_r: f64,
    confidence: f64,
    why: Vec<Voice>,
    loan: Usdc,
}

impl ClosedTrade<'_> {
    /// None where the decision isn't known.
    fn loan(&self) -> Usdc {
        self.decision.map_or(Usdc::ZERO, |decision| decision.loan)
    }

    fn execution<T>(&self, of: fn(OutcomeVerification) -> T) -> Option<T> {
        self.episode.verification.map(of)
    }
}

table! {
    /// One trade that was closed, in the order of closing: a position from its decision to its outcome. Positions still open when the run
    /// ended have no row.
    pub struct Trade in "trades.parquet" at closed_tick from trade: ClosedTrade<'_>;

    /// Lineage of the golem that traded.
    lineage: u32, Number = trade.golem.slot();
    /// Generation of the golem that traded.
    generation: u32, Number = trade.golem.generation;
    /// The golem that traded.
    golem: String, Id = Named(trade.golem);
    /// Its cohort.
    cohort: String, Name = &trade.cohort.name;
    /// The memory architecture of its cohort.
    memory: String, Word = &trade.cohort.memory;
    /// The episode that the golem remembers it as.
    #[stored(unique)]
    episode: String, Id = Named(trade.episode.id);
    /// When it was decided on.
    opened_tick: u64, Tick = trade.episode.opened;
    /// When it was closed.
    closed_tick: u64, Tick = trade.episode.closed;
    /// `closed_tick` less `opened_tick`.
    holding_ticks: u64, Ticks = trade.episode.closed - trade.episode.opened;
    /// Symbol of the asset.
    asset: String, Name = trade.symbol;
    /// The strategy: `trend_following`, `breakout`, `mean_reversion`, `momentum`, `liquidity_provision` or `oracle_arbitrage`.
    strategy: String, Word = trade.episode.strategy.name();
    /// What it gained from: `long` (a rising price), `short` (a falling one) or `liquidity` (fees of the pool).
    side: String, Word = trade.episode.side.to_string();
    /// The regime at the decision as the golem read it: `trending_up`, `trending_down`, `range_bound` or `volatile`.
    regime_read: String, Word = trade.episode.context.regime.name();
    /// The market's true regime at the entry, which golems don't see; for replayed prices a label that looks ahead.
    true_regime: String, Word = trade.true_regime.name();
    /// Volatility at the decision by rank, from 1 (calm) to 5 (wild).
    volatility_quintile: u8, Number = trade.episode.context.volatility_quintile;
    /// Depth of the pool at the decision against its long-run level: `crisis`, `thin`, `normal` or `deep`.
    liquidity: String, Word = trade.episode.context.liquidity.to_string();
    /// Price of gas at the decision against its long-run level: `low`, `normal`, `elevated` or `spike`.
    gas_class: String, Word = trade.episode.context.gas.to_string();
    /// Trading hours at the decision: `asia`, `europe` or `america`.
    session: String, Word = trade.episode.context.session.to_string();
    /// Money put in.
    stake_usdc: f64, Usdc = trade.episode.stake - trade.loan();
    /// What a lender added to it.
    loan_usdc: f64, Usdc = trade.loan();
    /// Money made, all costs taken off.
    pnl_usdc: f64, Usdc = trade.episode.pnl;
    /// What the golem expected at the decision, net of costs.
    expected_r: f64, R = trade.episode.expected_r;
    /// What it made, net of costs.
    realised_r: f64, R = trade.episode.realised_r;
    /// Distance between the two, at least 0.
    surprise_r: f64, R = trade.episode.surprise;
    /// Size of the profit or loss over the money put in, at least 0.
    significance: f64, Ratio = trade.episode.significance;
    /// What the best other strategy would have made over the same holding time beyond this one, followed on paper; at least 0.
    regret_r: f64, R = trade.episode.regret;
    /// The strategy the regret speaks of; empty when none would have done better.
    better_strategy: Option<String>, Word = trade.episode.better_strategy.map(Strategy::name);
    /// How aroused the golem was when it stored the episode; 0 where it slept when the trade was closed, for it feels that when it wakes.
    arousal: f64, Share = trade.episode.arousal;
    /// Steps of the decision that the episode keeps: analysis, entry, holds, exit.
    chain_steps: u64, Count = trade.episode.chain.len() as u64;
    /// Slippage of the round trip as predicted at the decision; empty where nothing was predicted, as are the three columns after it.
    predicted_slippage_bps: Option<f64>, BasisPoints = trade.execution(|check| check.predicted_slippage_bps);
    /// Slippage of the round trip as filled.
    realised_slippage_bps: Option<f64>, BasisPoints = trade.execution(|check| check.realised_slippage_bps);
    /// Gas of the round trip as predicted at the decision.
    predicted_gas_usdc: Option<f64>, Usdc = trade.execution(|check| check.predicted_gas);
    /// Gas of the round trip as charged.
    realised_gas_usdc: Option<f64>, Usdc = trade.execution(|check| check.realised_gas);
    /// Gas paid for the entry and the exit together.
    gas_usdc: f64, Usdc = trade.gas;
    /// Price at the entry.
    entry_price_usdc: f64, UsdcPerUnit = trade.entry_price;
    /// Price at the exit.
    exit_price_usdc: f64, UsdcPerUnit = trade.exit_price;
    /// What closed it: `stop` (the stop was reached), `horizon` (the strategy's holding time was over), `death`,
    /// `liquidated` (it no longer covered the loan) or `left` (it was thought over, and staying in was not worth its time).
    exit: String, Word = trade.exit.to_string();
    /// Whether its golem slept when it was closed: the venue closed it, at the stop or for the lender, and its golem learned of it on waking.
    asleep: Option<bool>, Flag = Some(trade.asleep);
    /// Whether it was entered to explore, against the golem's own ranking.
    explored: bool, Flag = trade.explored;
    /// What the golem would have expected without memory. Empty, as are the five columns after it, when the decision isn't known.
    prior_r: Option<f64>, R = trade.decision.map(|decision| decision.prior_r);
    /// How much of the expectation was memory's and not the prior's.
    confidence: Option<f64>, Share = trade.decision.map(|decision| decision.confidence);
    /// Voices of memory that the decision names, and the gut's.
    voices: Option<u64>, Count = trade.decision.map(|decision| decision.why.len() as u64);
    /// The first of them, in most memories that of the largest weight: a word for its kind (`rule`, `hypothesis`, `insight`, `refutation`, `episode`, `node`, `note`, `plan`,
    /// `truth` or `gut`; of the size of the position `guard`, `warning` or `stake`) and, for most kinds, which. Empty when none spoke.
    loudest_voice: Option<String>, Text =
        trade.decision.and_then(|decision| decision.why.first()).map(|voice| voice_name(&voice.source));
    /// Bloodstains whose knowledge spoke, loudest first.
    bloodstains_heard: Option<String>, Ids = trade.decision.map(|decision| bloodstains_of(&decision.why));
    /// Predecessors and golems of the clade whose knowledge spoke, loudest first.
    golems_heard: Option<String>, Ids = trade.decision.map(|decision| golems_of(&decision.why));
}

/// Makes the rows of the table from events; remembers each golem's last decision.
#[derive(Default)]
pub(super) struct Trades {
    decisions: BTreeMap<GolemId, DecisionRecord>,
}

impl Trade {
    /// What closed it, and that its golem slept then, in words (exit reason), for the views of deaths and decisions.
    pub(crate) fn exit_in_words(&self) -> String {
        if self.asleep == Some(true) {
            format!("{}, by the venue while it slept", self.exit)
        } else {
            self.exit.clone()
        }
    }
}

impl RowsOf for Trades {
    type Row = Trade;

    fn take(&mut self, Heard { event, cast, .. }: Heard<'_>, out: &mut TableWriter<Trade>) -> Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::Decided { prior_r, confidence, why, .. } => {
                let (prior_r, confidence, why) = (*prior_r, *confidence, why.clone());
                self.decisions.insert(
                    golem,
                    DecisionRecord { tick: event.tick, prior_r, confidence, why, loan: Usdc::ZERO },
                );
            }
            EventKind::Leveraged { loan, .. } => {
                if let Some(decision) = self.decisions.get_mut(&golem) {
                    decision.loan = *loan;
                }
            }
            EventKind::TradeClosed {
                episode,
                exit,
                entry_price,
                exit_price,
                gas,
                true_regime,
                explored,
                asleep,
            } => {
                // A refused order leaves a decision that the next trade wasn't entered on.
                let decision =
                    self.decisions.remove(&golem).filter(|decision| decision.tick == episode.opened);
                out.add(&ClosedTrade {
                    golem,
                    cohort: cast.cohort(golem.lineage),
                    symbol: cast.symbol(episode.asset),
                    episode,
                    exit: *exit,
                    entry_price: *entry_price,
                    exit_price: *exit_price,
                    gas: *gas,
                    true_regime: *true_regime,
                    explored: *explored,
                    asleep: *asleep,
                    decision: decision.as_ref(),
                })?;
            }
            EventKind::LifeEnded(_) => {
                self.decisions.remove(&golem);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Names a voice by its provenance, as a label for the attribution of decisions in the table. The view of a decision has words of its own
/// for some kinds, and these for others.
pub fn voice_name(source: &VoiceSource) -> String {
    match source {
        VoiceSource::Rule(id) => format!("rule {id}"),
        VoiceSource::Hypothesis(id) => format!("hypothesis {id}"),
        VoiceSource::Insight(id) => format!("insight {id}"),
        VoiceSource::AntiKnowledge(id) => format!("refutation {id}"),
        VoiceSource::Episode(id) => format!("episode {id}"),
        VoiceSource::Node(number) => format!("node {number}"),
        VoiceSource::Note(number) => format!("note {number}"),
        VoiceSource::Plan(number) => format!("plan {number}"),
        VoiceSource::Truth(regime) => format!("truth {}", regime.name()),
        VoiceSource::Gut => "gut".to_owned(),
        VoiceSource::Guard(id) => format!("guard {id}"),
        VoiceSource::Warning(id) => format!("warning {id}"),
        VoiceSource::Stake(id) => format!("stake {id}"),
    }
}

fn bloodstains_of(why: &[Voice]) -> String {
    joined(why.iter().filter_map(|voice| voice.provenance.bloodstain()))
}

fn golems_of(why: &[Voice]) -> String {
    joined(why.iter().filter_map(|voice| match voice.provenance {
        Provenance::Predecessor(golem) | Provenance::Clade(golem) => Some(golem),
        Provenance::Own | Provenance::Bloodstain(_) => None,
    }))
}
