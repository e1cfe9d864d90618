//! Plain episodes, claims and courses for tests of any room.

use morta_base::{EpisodeId, GolemId, RuleId, Tick, Usdc};
use morta_engine::curator::KnownInsight;
use morta_engine::episode::{
    Claim, ContextPattern, Course, DecisionStep, EntryKind, Episode, EpisodeRecord, FindingKind, Grimoire,
    GrimoireConfig, Lesson, OutcomeVerification, Review, StepKind,
};
use morta_engine::llm::EpisodeBrief;
use morta_engine::market::{Held, Regime, SignalNow, Strategy};

/// Thought over every four ticks of 24 at these results, ended at `end_r`; a tick is worth `rho`.
pub fn course(number: u32, open: &[f64], end_r: f64, rho: f64) -> Course {
    let of = crate::common::episodes::episode(number, 10);
    let reviews = open.iter().zip(1_u64..).map(|(&open_r, place)| {
        let held = Held::read(4 * place, 24, open_r, SignalNow::Stands);
        Review { tick: 4 * place, held, open_r, rho }
    });
    Course {
        episode: EpisodeId { golem: GolemId::founder(0), number },
        strategy: of.strategy,
        context: of.context,
        reviews: reviews.collect(),
        ended: 24,
        end_r,
        left_at: None,
    }
}

/// The `number`th episode in the life of golem L0.G0.
pub fn id(number: u32) -> EpisodeId {
    EpisodeId { golem: GolemId::founder(0), number }
}

/// A plain episode for tests of any room: `number` in the life of golem L0.G0, closed at `closed`.
pub fn episode(number: u32, closed: Tick) -> Episode {
    Episode {
        opened: closed.saturating_sub(5),
        stake: Usdc::from_dollars(10.0),
        pnl: Usdc::from_dollars(0.1),
        expected_r: 0.1,
        realised_r: 0.2,
        surprise: 0.1,
        significance: 0.01,
        embedding: vec![1.0, 0.0].into(),
        ..Episode::neutral(id(number), closed)
    }
}

/// The same without its embedding, as a Grimoire keeps it.
pub fn record(number: u32, closed: Tick) -> EpisodeRecord {
    episode(number, closed).parts().0
}

/// Takes an episode out, to be changed and put back.
pub fn take(grimoire: &mut Grimoire, id: EpisodeId) -> Episode {
    let episode = grimoire.episode(id).unwrap();
    assert_eq!(grimoire.remove(id), Some(episode.clone().parts().0));
    episode
}

/// A brief of one with this strategy, regime and result.
pub fn brief(number: u32, strategy: Strategy, regime: Regime, realised_r: f64) -> EpisodeBrief {
    let mut brief = EpisodeBrief::from(&episode(number, 10));
    (brief.strategy, brief.context.regime, brief.realised_r) = (strategy, regime, realised_r);
    brief
}

/// A Grimoire that holds such episodes, all put into it at once.
pub fn holding(now: Tick, episodes: impl IntoIterator<Item = Episode>) -> Grimoire {
    let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
    episodes.into_iter().for_each(|episode| drop(grimoire.insert(episode, now)));
    grimoire
}

/// An insight of golem L0.G0 that so many outcomes bore out and none refuted.
pub fn lesson(claim: Claim, confidence: f64, confirmed: u32) -> Lesson {
    Lesson {
        kind: EntryKind::Insight,
        claim,
        confidence,
        confirmed,
        contradicted: 0,
        origin: GolemId::founder(0),
        unfinished: false,
        finding: FindingKind::Insight,
        learned_from: Vec::new(),
        outcomes_behind: confirmed,
    }
}

/// An insight of golem L0.G0 that was tested and isn't in force.
pub fn known_insight(number: u32, claim: Claim, confidence: f64) -> KnownInsight {
    KnownInsight {
        id: RuleId { golem: GolemId::founder(0), number },
        claim,
        confidence,
        quality: 0.5,
        active: false,
        structural: false,
        spared: false,
        foreign: false,
        tested: true,
        accesses: 5,
        low_cycles: 0,
    }
}

pub fn claim(expected_r: f64) -> Claim {
    Claim::of_worth(Strategy::Momentum, ContextPattern::from_regime(Regime::Volatile), expected_r)
}

/// 1,000 dollars for 100 ticks with 100 dollars at risk made 50: 0.5 R. Slippage 20 bps (15 more than predicted)
/// is 2 dollars, gas 1 dollar (twice the prediction). R: −0.03, +0.4 at 40, +0.1 at 60, +0.5.
pub fn trade() -> EpisodeRecord {
    let mut lived = record(0, 100);
    (lived.opened, lived.expected_r, lived.realised_r) = (0, 0.3, 0.5);
    (lived.stake, lived.pnl) = (Usdc::from_dollars(1_000.0), Usdc::from_dollars(50.0));
    lived.verification = Some(OutcomeVerification {
        predicted_slippage_bps: 5.0,
        realised_slippage_bps: 20.0,
        predicted_gas: Usdc::from_dollars(0.5),
        realised_gas: Usdc::from_dollars(1.0),
    });
    let step = |kind, tick, r| DecisionStep { kind, tick, r };
    lived.chain = vec![
        step(StepKind::Analysis, 0, 0.3),
        step(StepKind::Entry, 0, -0.03),
        step(StepKind::Hold, 40, 0.4),
        step(StepKind::Hold, 60, 0.1),
        step(StepKind::Exit, 100, 0.52),
    ];
    lived
}
