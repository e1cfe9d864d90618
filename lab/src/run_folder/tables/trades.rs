//! `trades.parquet`: every trade that was closed, with the advice it was entered on.

use super::{Cast, Table, name_of};
use crate::run_folder::column::{Column, flag, float, int, text, unique_text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::{Digest, GolemId, Tick};
use morta_engine::episode::Provenance;
use morta_engine::event::{Event, EventKind};
use morta_engine::market::Strategy;
use morta_engine::memory::{Voice, VoiceSource};
use std::collections::BTreeMap;

pub const COLUMNS: &[Column] = &[
    int("lineage"),
    int("generation"),
    text("golem"),
    text("cohort"),
    text("memory"),
    unique_text("episode"),
    int("opened_tick"),
    int("closed_tick"),
    int("holding_ticks"),
    text("asset"),
    text("strategy"),
    text("side"),
    text("regime_read"),
    text("true_regime"),
    int("volatility_quintile"),
    text("liquidity"),
    text("gas_class"),
    text("session"),
    float("stake_usdc"),
    float("pnl_usdc"),
    float("expected_r"),
    float("realised_r"),
    float("surprise_r"),
    float("significance"),
    float("regret_r"),
    text("better_strategy").or_null(),
    float("arousal"),
    int("chain_steps"),
    float("predicted_slippage_bps").or_null(),
    float("realised_slippage_bps").or_null(),
    float("predicted_gas_usdc").or_null(),
    float("realised_gas_usdc").or_null(),
    float("gas_usdc"),
    float("entry_price_usdc"),
    float("exit_price_usdc"),
    text("exit"),
    flag("explored"),
    // of the decision
    float("prior_r").or_null(),
    float("confidence").or_null(),
    int("voices").or_null(),
    text("loudest_voice").or_null(),
    // bloodstains that spoke, loudest first, with spaces between
    text("bloodstains_heard").or_null(),
    // predecessors and golems of the clade whose knowledge spoke, likewise
    text("golems_heard").or_null(),
];

struct Decision {
    tick: Tick,
    prior_r: f64,
    confidence: f64,
    why: Vec<Voice>,
}

/// Makes the rows; remembers each golem's last decision.
#[derive(Default)]
pub struct Trades {
    decisions: BTreeMap<GolemId, Decision>,
}

impl Table for Trades {
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::Decided { prior_r, confidence, why, .. } => {
                let (prior_r, confidence, why) = (*prior_r, *confidence, why.clone());
                self.decisions.insert(golem, Decision { tick: event.tick, prior_r, confidence, why });
                Ok(())
            }
            EventKind::TradeClosed { episode, .. } => {
                let decision =
                    self.decisions.remove(&golem).filter(|decision| decision.tick == episode.opened);
                write(golem, &event.kind, decision.as_ref(), cast, out)
            }
            EventKind::LifeEnded(_) => {
                self.decisions.remove(&golem);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn write(
    golem: GolemId,
    closed: &EventKind,
    decision: Option<&Decision>,
    cast: &Cast,
    out: &mut TableWriter,
) -> crate::Result<()> {
    let EventKind::TradeClosed { episode, exit, entry_price, exit_price, gas, true_regime, explored } =
        closed
    else {
        unreachable!("rows of trades are made from trades")
    };
    let cohort = cast.cohort(golem.lineage);
    let (context, check) = (&episode.context, episode.verification);
    let mut row = out.row();
    row.golem(golem).text(&cohort.name).text(&cohort.memory).name(episode.id);
    row.int(episode.opened).int(episode.closed).int(episode.closed - episode.opened);
    row.text(cast.symbol(episode.asset)).text(episode.strategy.name()).text(name_of(episode.side));
    row.text(context.regime.name()).text(true_regime.name()).int(context.volatility_quintile);
    row.text(name_of(context.liquidity)).text(name_of(context.gas)).text(name_of(context.session));
    row.usdc(episode.stake).usdc(episode.pnl).float(episode.expected_r).float(episode.realised_r);
    row.float(episode.surprise).float(episode.significance).float(episode.regret);
    row.text_or_null(episode.better_strategy.map(Strategy::name)).float(episode.arousal);
    row.int(episode.chain.len() as u64);
    row.float_or_null(check.map(|check| check.predicted_slippage_bps));
    row.float_or_null(check.map(|check| check.realised_slippage_bps));
    row.usdc_or_null(check.map(|check| check.predicted_gas));
    row.usdc_or_null(check.map(|check| check.realised_gas));
    row.usdc(*gas).float(*entry_price).float(*exit_price).text(name_of(exit)).flag(*explored);
    row.float_or_null(decision.map(|decision| decision.prior_r));
    row.float_or_null(decision.map(|decision| decision.confidence));
    row.int_or_null(decision.map(|decision| decision.why.len() as u64));
    row.text_or_null(decision.and_then(|decision| decision.why.first()).map(|voice| source(&voice.source)));
    row.text_or_null(decision.map(|decision| bloodstains(&decision.why)));
    row.text_or_null(decision.map(|decision| golems(&decision.why)));
    row.end()
}

fn source(source: &VoiceSource) -> String {
    match source {
        VoiceSource::Prior => "prior".to_owned(),
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
    }
}

fn bloodstains(why: &[Voice]) -> String {
    let bloodstains = why.iter().filter_map(|voice| voice.provenance.bloodstain());
    let ids: Vec<String> = bloodstains.map(|id| id.to_string()).collect();
    ids.join(" ")
}

fn golems(why: &[Voice]) -> String {
    let givers = why.iter().filter_map(|voice| match voice.provenance {
        Provenance::Predecessor(golem) | Provenance::Clade(golem) => Some(golem.to_string()),
        Provenance::Own | Provenance::Bloodstain(_) => None,
    });
    givers.collect::<Vec<String>>().join(" ")
}
