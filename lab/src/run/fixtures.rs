//! Records made by hand (test fixtures), for the tests of measures and of compared arms: a tick, a life and a trade. Only the fields that a
//! test needs vary; all others are zero or neutral. They exist because a lived world would hide which event a measure counts.

use morta_base::{EpisodeId, GolemId, Tick, Usdc};
use morta_engine::episode::{Conditions, Context, Episode};
use morta_engine::event::{LifeRecord, TickRecord};
use morta_engine::market::{Regime, Session, Strategy};
use morta_engine::memory::MemoryCensus;
use morta_engine::mortality::narrative::NarrativeArc;
use morta_engine::mortality::skill::ForecastTally;
use morta_engine::mortality::{Cause, Phase, Rung};
use morta_engine::replay::causal::Foresight;

/// Makes the record of a closed tick for tests, in which so many lived, so fit and so vital.
pub fn closed(alive: u32, fitness_mean: f64, vitality_mean: f64) -> TickRecord {
    TickRecord {
        time_s: 0,
        alive,
        dreaming: 0,
        fitness_mean,
        vitality_mean,
        born: 0,
        died: 0,
        trades: 0,
        bloodstains: 0,
        purses: Usdc::ZERO,
        compute_paid: Usdc::ZERO,
        inference_paid: Usdc::ZERO,
        gas_paid: Usdc::ZERO,
        lethe_paid: Usdc::ZERO,
        ledger_sum: Usdc::ZERO,
        gas: Usdc::ZERO,
        price: 1.0,
        true_regime: Regime::RangeBound,
    }
}

/// A life in which nothing happened but its end (life fixture).
pub(crate) fn life(parent: Option<GolemId>, ended: Tick, cause: Option<Cause>) -> LifeRecord {
    LifeRecord {
        cohort: 0,
        parent,
        born: 0,
        ended,
        cause,
        would_have_died: None,
        would_have_died_by: [None; 3],
        tier: None,
        stranded: Usdc::ZERO,
        snapshots: 0,
        senescent_ticks: 0,
        rung: Rung::Exhausted,
        first_warning: None,
        sustainability: None,
        arc: NarrativeArc::Stable,
        endowment: Usdc::ZERO,
        balance: Usdc::ZERO,
        trades: 0,
        wins: 0,
        total_r: 0.0,
        pnl: Usdc::ZERO,
        total_regret_r: 0.0,
        stayed_out: 0,
        liquidations: 0,
        killed_by_trade: None,
        killed_by_liquidation: false,
        dreams: 0,
        rules: 0,
        memory: MemoryCensus::default(),
        bloodstains_drawn: 0,
        bloodstains_left: 0,
        growth: None,
        fitness: 0.5,
        forecasts: ForecastTally::default(),
        foresight: Foresight::default(),
        causal_links: 0,
        vitality: 0.5,
        phase: Phase::Stable,
        compute_paid: Usdc::ZERO,
        inference_paid: Usdc::ZERO,
        gas_paid: Usdc::ZERO,
        lethe_paid: Usdc::ZERO,
        affect: None,
    }
}

/// Makes a trade of one golem for tests, opened and closed at these ticks, that made so many R.
pub(crate) fn episode(golem: GolemId, (opened, closed): (Tick, Tick), realised_r: f64) -> Episode {
    let conditions =
        Conditions { price: 1.0, atr_fast: 0.01, atr_slow: 0.01, spread_over_atr: 0.0, drawdown: 0.0 };
    Episode {
        opened,
        strategy: Strategy::Breakout,
        context: Context { session: Session::Europe, ..Context::neutral(Regime::RangeBound) },
        conditions,
        realised_r,
        ..Episode::neutral(EpisodeId { golem, number: 1 }, closed)
    }
}
