//! A Bardo without a world, and the messages that it receives.

use crate::common::episodes::{claim, episode};
use crate::common::memory::{advice_on, candidate, moment};
use morta_base::{EpisodeId, GolemId, Tick};
use morta_engine::curator::{Conclusion, CuratorReport, Operation};
use morta_engine::dream::config::ConsolidationConfig;
use morta_engine::episode::Episode;
use morta_engine::market::{Regime, Strategy};
use morta_engine::memory::bardo::Bardo;
use morta_engine::memory::{BardoConfig, ClockSigns, Curates, Curation, Heir, Voice};
use morta_engine::mortality::Phase;

pub fn golem(generation: u32) -> GolemId {
    GolemId { lineage: 0, generation }
}

pub fn bardo_with(generation: u32, config: BardoConfig) -> Bardo {
    Bardo::new(golem(generation), config, ConsolidationConfig::default(), 2)
}

pub fn bardo(generation: u32) -> Bardo {
    bardo_with(generation, BardoConfig::default())
}

/// "Momentum makes .4 R in a volatile market."
pub fn said(expected_r: f64, confidence: f64, sources: &[u32]) -> Conclusion {
    let name = |number: &u32| EpisodeId { golem: golem(0), number: *number };
    Conclusion {
        claim: claim(expected_r),
        confidence,
        confirmed: 4,
        contradicted: 0,
        learned_from: sources.iter().map(name).collect(),
    }
}

pub fn tell(bardo: &mut Bardo, operations: Vec<Operation>, now: Tick) -> Curation {
    bardo.apply_curator_report(CuratorReport { operations, ..CuratorReport::default() }, 0.1, now)
}

pub fn volatile(number: u32, closed: Tick, realised_r: f64) -> Episode {
    let mut lived = episode(number, closed);
    lived.context.regime = Regime::Volatile;
    lived.realised_r = realised_r;
    lived
}

pub const WELL: ClockSigns = ClockSigns { economic: 1.0, fitness: 0.8, phase: Phase::Stable };

pub fn advice(bardo: &Bardo, now: Tick) -> Vec<Voice> {
    let mut context = episode(0, 0).context;
    context.regime = Regime::Volatile;
    advice_on(bardo, &moment(now, context, &[1.0, 0.0]), candidate(Strategy::Momentum, 0.0)).why
}

pub fn heir(generation: u32) -> Heir {
    Heir { generation, regime: Regime::TrendingUp, now: 0 }
}
