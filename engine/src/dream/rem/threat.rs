//! Threat simulation: the dangers to rehearse, by urgency (Revonsuo 2000; digest section 6). Losses are in R, times in ticks, terms from 0
//! to 1. It is risk prioritisation (a risk matrix) for threat simulation theory. Rare dangers leave few episodes to replay, so they are
//! rehearsed by their signs. Only dreams of the tier `hardened` rehearse, up to `dream.imagination.threat_scenarios` (3, by uncertainty 1
//! to 5). The middling model is asked. A rehearsal may yield responses (guards, and a strategy that served), which are tested awake; it
//! lowers the arousal by the threat, and is felt on waking. Signs are looked for in all remembered episodes, scars and abstentions
//! included.

use crate::dream::account::Question;
use crate::dream::circumstances::Circumstances;
use crate::dream::tier::DreamOperation;
use crate::dream::view::DreamView;
use crate::episode::{Context, EpisodeRecord, Grimoire, ThreatKind, ThreatRecord, ThreatTier};
use crate::llm::{EpisodeBrief, Task};
use crate::market::LiquidityClass;
use morta_base::Tick;

/// Most episodes shown with a threat: the latest under its signs, gains and losses alike. Only the costliest would make every
/// strategy look dangerous.
const SHOWN: usize = 10;
/// How long a loss is recent, in ticks. The digest (section 6) weighs "recent loss" and names no time; our choice, a day of 40-second
/// ticks.
const RECENT_LOSS_TICKS: Tick = 2_160;

/// Ticks since its rehearsal at which a threat's time term is full: a week of 40-second ticks, the longest interval of the
/// digest's frequencies.
const LONG_AGO_TICKS: f64 = 15_120.0;

/// The weighted risk score of a threat: priority = (.30 · recent loss + .25 · probability + .25 · severity + .20 · time since rehearsal) ·
/// factors, each term in [0, 1] (digest section 6).
///
/// Recent loss: the greatest under its signs within the last day, in R, at most 1. Probability: the share of episodes that show its signs,
/// with one imagined in two, so that what never occurred isn't impossible. Severity: by tier. Time: ticks since its rehearsal over a week,
/// at most 1. Factors: in the highest two volatility quintiles acute threats count double, in thin liquidity double, in both three times;
/// what has struck within five cycles, or what siblings have left a strong pheromone of, counts double.
pub fn priority(
    kind: ThreatKind,
    record: Option<&ThreatRecord>,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
) -> f64 {
    let tick = view.now.tick;
    let recent = |episode: &&EpisodeRecord| tick.saturating_sub(episode.closed) <= RECENT_LOSS_TICKS;
    let shown = || grimoire.records().iter().filter(|episode| kind.shows_in(episode));
    let loss = shown().filter(recent).map(|episode| -episode.realised_r).fold(0.0, f64::max).min(1.0);
    let probability = (shown().count() + 1) as f64 / (grimoire.len() + 2) as f64;
    let since = record
        .filter(|record| record.rehearsals > 0)
        .map_or(1.0, |record| (tick.saturating_sub(record.last_rehearsed) as f64 / LONG_AGO_TICKS).min(1.0));
    weigh(loss, probability, kind.tier(), since)
        * market_factor(kind.tier(), &now.context)
        * struck_factor(now.smelled.contains(&kind), record, view)
}

fn weigh(loss: f64, probability: f64, tier: ThreatTier, since: f64) -> f64 {
    0.30 * loss + 0.25 * probability + 0.25 * tier.severity() + 0.20 * since
}

fn market_factor(tier: ThreatTier, now: &Context) -> f64 {
    let wild = now.volatility_quintile >= 4;
    let thin = matches!(now.liquidity, LiquidityClass::Thin | LiquidityClass::Crisis);
    match (tier, wild, thin) {
        (ThreatTier::Acute, true, true) => 3.0,
        (ThreatTier::Acute, true, false) | (ThreatTier::Acute, false, true) => 2.0,
        _ => 1.0,
    }
}

fn struck_factor(smelled: bool, record: Option<&ThreatRecord>, view: &DreamView<'_>) -> f64 {
    let struck = record.is_some_and(|record| {
        record.last_struck.is_some_and(|struck| {
            let cycles = view.cycles_since(struck);
            cycles < view.config.imagination.struck_cycles
        })
    });
    if struck || smelled { 2.0 } else { 1.0 }
}

/// Whether a threat is due: acute ones every cycle, wearing ones every other, creeping ones weekly (digest section 6), and any
/// that siblings have left a strong pheromone of.
fn is_due(
    kind: ThreatKind,
    record: Option<&ThreatRecord>,
    view: &DreamView<'_>,
    now: &Circumstances,
) -> bool {
    let Some(record) = record.filter(|record| record.rehearsals > 0) else { return true };
    if now.smelled.contains(&kind) {
        return true;
    }
    match kind.tier() {
        ThreatTier::Acute => true,
        ThreatTier::Wearing => view.cycle >= record.last_cycle + 2,
        ThreatTier::Creeping => {
            view.now.tick.saturating_sub(record.last_rehearsed)
                >= view.config.imagination.creeping_threat_ticks
        }
    }
}

/// The threats of a cycle that are due, the most pressing first: the top k of the risk queue, `scenarios` at most.
pub(crate) fn rehearsals(
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
    scenarios: u32,
) -> Vec<ThreatKind> {
    let due = ThreatKind::ALL.into_iter().filter(|kind| is_due(*kind, view.threats.get(kind), view, now));
    let priority = |kind| priority(kind, view.threats.get(&kind), grimoire, view, now);
    let mut due: Vec<(f64, ThreatKind)> = due.map(|kind| (priority(kind), kind)).collect();
    due.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    due.into_iter().take(scenarios as usize).map(|(_, kind)| kind).collect()
}

/// The question of one rehearsal.
pub(crate) fn question(kind: ThreatKind, grimoire: &Grimoire, view: &DreamView<'_>) -> Question {
    let mut shown: Vec<&EpisodeRecord> =
        grimoire.records().iter().filter(|episode| kind.shows_in(episode)).collect();
    shown.sort_by_key(|episode| std::cmp::Reverse((episode.closed, episode.id)));
    let episodes = shown.into_iter().take(SHOWN).map(EpisodeBrief::from).collect();
    let temperature = view.config.imagination.exploration_temperature;
    Question::in_rich_dream(Task::Threaten { kind, episodes }, DreamOperation::Reading, temperature)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;

    /// .30·.5 + .25·.2 + .25·severity + .20·1: severities of .8, .5 and .3 by tier.
    #[test]
    fn priorities_by_hand() {
        for (tier, expected) in
            [(ThreatTier::Acute, 0.60), (ThreatTier::Wearing, 0.525), (ThreatTier::Creeping, 0.475)]
        {
            let found = weigh(0.5, 0.2, tier, 1.0);
            assert!((found - expected).abs() < 1e-12, "{tier:?}: {found}");
        }
    }

    #[test]
    fn acute_threats_press_in_wild_and_thin_markets() {
        let mut context = episode(0, 0).context;
        let mut check = |quintile, liquidity, acute| {
            (context.volatility_quintile, context.liquidity) = (quintile, liquidity);
            assert_eq!(market_factor(ThreatTier::Acute, &context), acute);
            assert_eq!(market_factor(ThreatTier::Wearing, &context), 1.0);
        };
        check(3, LiquidityClass::Normal, 1.0);
        check(4, LiquidityClass::Normal, 2.0);
        check(3, LiquidityClass::Thin, 2.0);
        check(5, LiquidityClass::Crisis, 3.0);
    }
}
