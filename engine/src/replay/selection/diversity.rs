//! The second pass: episodes for regimes, times and feelings that the first pass left out (diversity sampling, stratified coverage).
//!
//! Demands are fixed in their order; each is met by one episode at most. Feelings are a demand only where affect is on. Windows are in
//! ticks, shares from 0 to 1. Without it, rehearsal would narrow to what already stands out. The caller gives it `diversity_share` of the
//! places (default .2), takes back those that no demand needs, and records the demands that found none.

use crate::episode::Grimoire;
use crate::market::Regime;
use crate::replay::prioritization::highest;
use crate::replay::{ReplayConfig, ReplayContext, Scorer, SelectionReason, decay};

/// The choices of diversity, and the demands that no place was left for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Diverse {
    /// Slot and reason of each, in the order of demands.
    pub(super) chosen: Vec<(u32, SelectionReason)>,
    /// Demands that no place was left for.
    pub(super) unmet: Vec<SelectionReason>,
}

/// A demand for representation, and the slots that meet it.
type Demand = (SelectionReason, Vec<u32>);

/// Fills at most `places` with one episode for each demand that neither `taken` nor an earlier choice meets. The utility
/// threshold doesn't apply, because the spec wants one "regardless of utility score". The latest regime, the oldest part and
/// feeling come first, then the other regimes, so that two reserved places are not both spent on regimes.
pub(super) fn choose(
    taken: &[u32],
    places: usize,
    grimoire: &Grimoire,
    scorer: &Scorer<'_>,
    context: &ReplayContext<'_>,
    config: &ReplayConfig,
) -> Diverse {
    let is_open = |(_, meets): &Demand| !meets.is_empty() && !taken.iter().any(|slot| meets.contains(slot));
    let mut regimes = regime_demands(grimoire, context, config).into_iter().filter(is_open);
    let first = regimes.next();
    let others = other_demands(grimoire, context, config).into_iter().filter(is_open);
    let mut diverse = Diverse { chosen: Vec::new(), unmet: Vec::new() };
    for (reason, meets) in first.into_iter().chain(others).chain(regimes) {
        if diverse.chosen.iter().any(|(slot, _)| meets.contains(slot)) {
            continue;
        }
        if diverse.chosen.len() == places {
            diverse.unmet.push(reason);
            continue;
        }
        let arousal = |slot: usize| f64::from(grimoire.arousal()[slot]);
        let best = match reason {
            SelectionReason::EmotionalDiversity => highest(1, meets, grimoire, arousal).pop(),
            _ => scorer.best_among(&meets).map(|best| best.slot),
        };
        diverse.chosen.extend(best.map(|slot| (slot, reason)));
    }
    diverse
}

/// One demand for each regime met lately, the latest first.
fn regime_demands(grimoire: &Grimoire, context: &ReplayContext<'_>, config: &ReplayConfig) -> Vec<Demand> {
    let demand = |regime| {
        let meets = slots_where(grimoire, |slot| grimoire.regimes()[slot] == regime);
        (SelectionReason::RegimeDiversity(regime), meets)
    };
    lately_met(grimoire, context, config).into_iter().map(demand).collect()
}

/// The oldest part of the buffer; with affect, strong feelings.
fn other_demands(grimoire: &Grimoire, context: &ReplayContext<'_>, config: &ReplayConfig) -> Vec<Demand> {
    let mut demands = vec![(SelectionReason::TemporalDiversity, oldest(grimoire, config.oldest_share))];
    if context.affect {
        let felt = |slot: usize| f64::from(grimoire.arousal()[slot]) >= config.high_arousal;
        demands.push((SelectionReason::EmotionalDiversity, slots_where(grimoire, felt)));
    }
    demands
}

/// Regimes in which the golem itself has lived within the window, the latest first.
fn lately_met(grimoire: &Grimoire, context: &ReplayContext<'_>, config: &ReplayConfig) -> Vec<Regime> {
    let mut latest = [None; Regime::COUNT];
    let own = (0..grimoire.len()).filter(|&slot| !grimoire.inherited()[slot]);
    for slot in own {
        let closed = grimoire.closed()[slot];
        if decay::elapsed(context.tick, closed) <= config.regime_window_ticks as f64 {
            let known = &mut latest[grimoire.regimes()[slot].index()];
            *known = (*known).max(Some(closed));
        }
    }
    let mut met: Vec<Regime> =
        Regime::ALL.into_iter().filter(|regime| latest[regime.index()].is_some()).collect();
    met.sort_by_key(|regime| std::cmp::Reverse(latest[regime.index()]));
    met
}

/// The oldest share of the buffer by closing tick, rounded down; ties by identity.
fn oldest(grimoire: &Grimoire, share: f64) -> Vec<u32> {
    let count = (grimoire.len() as f64 * share + ROUNDING).floor() as usize;
    let mut slots: Vec<u32> = (0..grimoire.len() as u32).collect();
    let age = |&slot: &u32| (grimoire.closed()[slot as usize], grimoire.record(slot as usize).id);
    if count < slots.len() {
        slots.select_nth_unstable_by_key(count, age);
        slots.truncate(count);
    }
    slots
}

/// A third of three is one, although 3 · (1/3) might round to just under it.
const ROUNDING: f64 = 1e-9;

fn slots_where(grimoire: &Grimoire, holds: impl Fn(usize) -> bool) -> Vec<u32> {
    (0..grimoire.len()).filter(|&slot| holds(slot)).map(|slot| slot as u32).collect()
}
