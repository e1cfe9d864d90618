//! Guards drawn from scars: circumstances and strategies that preceded deaths (replay spec, "bloodstain feedback").
//!
//! A scar was handed over because of how it ended, so it is no sample of what such trades earn. How it was chosen is known,
//! though: it is one of a few among all episodes of that life, and its number says how many there were. So each counts as one of
//! that many:
//!
//! - lift = (n_s / n) / q,
//! - loss = Σ r / (q·N + 2) in R a trade.
//!
//! | symbol | meaning |
//! |---|---|
//! | n, n_s | scars with a loss that are read, and those of them under a strategy in some circumstances |
//! | q | share of the dreamer's own trades that are under these, one imagined trade added, since nothing is known of the dead's |
//! | N | episodes that the dead had lived through by then, each death once |
//! | Σ r | sum of what the n_s made |
//!
//! A guard is drawn where scars of at least two deaths meet, lift is at least 2 and the loss exceeds the least effect: here, less of this
//! strategy. (Two deaths, the lift of 2 and the 2 that the loss is shrunk by are our choice, because one death or a rare circumstance may
//! be an accident.) It is tested awake like any guard. Its control (`dream.shuffle_outcomes`) deals circumstances of the dreamer's own
//! trades to the scars. No model is asked; only scars that this dream reads count. Of each strategy the guard of the largest loss is kept.
//! Under `scars_as_evidence` none is drawn, because a scar then counts in means like any trade.

use crate::dream::nrem::Replayed;
use crate::episode::{Claim, Context, ContextPattern, EpisodeKind, EpisodeRecord, Grimoire};
use crate::llm::SourcedClaim;
use crate::llm::imagined::signs;
use crate::llm::reader::{LEAST_EFFECT_R, SHRINKAGE};
use crate::market::Strategy;
use morta_base::{EpisodeId, GolemId, Stream};
use std::collections::{BTreeMap, BTreeSet};

/// Fewest deaths behind a guard: one death may be an accident.
const FEWEST_DEATHS: usize = 2;
/// Least factor by which something is commoner among scars than among own trades.
const LEAST_LIFT: f64 = 2.0;
/// Circumstances considered: regime, volatility, depth, gas, and pairs of them. Triples would leave a handful of scars nothing to
/// share.
const DEPTH: u32 = 2;

/// A scar under some circumstances.
struct Scar {
    id: EpisodeId,
    /// The golem that lived through it: deaths are counted, not scars.
    of: GolemId,
    realised_r: f64,
}

/// The guards that scars among some episodes call for; with `shuffled`, a research control, their circumstances are those of
/// other trades.
pub(super) fn guards(
    replayed: &[Replayed],
    grimoire: &Grimoire,
    usual_risk: f64,
    shuffled: bool,
    stream: &mut Stream,
) -> Vec<SourcedClaim> {
    let own: Vec<&EpisodeRecord> = grimoire.evidence().filter(|episode| !episode.is_inherited()).collect();
    let read = replayed.iter().filter_map(|replayed| grimoire.get(replayed.episode));
    let hurt = |scar: &&EpisodeRecord| {
        scar.kind == EpisodeKind::Trade && !grimoire.is_fair(scar) && scar.realised_r < 0.0
    };
    let mut scars = 0.0;
    let mut lived: BTreeMap<GolemId, u32> = BTreeMap::new();
    let mut groups: BTreeMap<(Strategy, ContextPattern), Vec<Scar>> = BTreeMap::new();
    for scar in read.filter(hurt) {
        let shown = if shuffled && !own.is_empty() { own[stream.below(own.len())] } else { scar };
        let of = scar.lived_by();
        scars += 1.0;
        let known = lived.entry(of).or_default();
        *known = (*known).max(scar.id.number + 1);
        for pattern in signs(&shown.context, DEPTH) {
            let scar = Scar { id: scar.id, of, realised_r: scar.realised_r };
            groups.entry((shown.strategy, pattern)).or_default().push(scar);
        }
    }
    let all_lived: f64 = lived.values().copied().map(f64::from).sum();
    let share = |strategy: Strategy, pattern: &ContextPattern| {
        let is_under = |context: &Context, of: Strategy| of == strategy && pattern.matches(context);
        let under = own.iter().filter(|trade| is_under(&trade.context, trade.strategy)).count();
        (under + 1) as f64 / (own.len() + 1) as f64
    };
    let guard = |((strategy, pattern), members): ((Strategy, ContextPattern), Vec<Scar>)| {
        let deaths: BTreeSet<GolemId> = members.iter().map(|scar| scar.of).collect();
        if deaths.len() < FEWEST_DEATHS {
            return None;
        }
        let share = share(strategy, &pattern);
        let lift = members.len() as f64 / scars / share;
        let sum: f64 = members.iter().map(|scar| scar.realised_r).sum();
        let loss = sum / (share * all_lived + SHRINKAGE);
        let claim = Claim::of_worth(strategy, pattern, loss).as_guard(usual_risk);
        let learned_from = members.iter().map(|scar| scar.id).collect();
        (lift >= LEAST_LIFT && loss <= -LEAST_EFFECT_R)
            .then_some((loss, SourcedClaim { claim, learned_from }))
    };
    let mut found: Vec<(f64, SourcedClaim)> = groups.into_iter().filter_map(guard).collect();
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    // Pairs of circumstances repeat what a single one says: of each strategy, the guard of the largest loss is kept.
    let mut named: BTreeSet<Strategy> = BTreeSet::new();
    found.retain(|(_, guard)| named.insert(guard.claim.strategy));
    found.into_iter().map(|(_, guard)| guard).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::dream::nrem::replayed::samples;
    use crate::episode::{GrimoireConfig, Provenance};
    use crate::market::Regime;
    use crate::replay::SelectionReason;
    use morta_base::{Purpose, WorldSeed};

    /// Nine own trades by momentum, one of them while volatile, and three scars of two dead, all by momentum while volatile.
    fn grimoire() -> (Grimoire, Vec<EpisodeId>) {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        let mut scars = Vec::new();
        for number in 0..12 {
            let mut new = episode(number, 10 + u64::from(number));
            new.strategy = Strategy::Momentum;
            new.context.regime = if number >= 8 { Regime::Volatile } else { Regime::RangeBound };
            new.realised_r = 0.2;
            if number >= 9 {
                // The dead lived through ten and eleven episodes.
                let dead = GolemId::founder(if number == 11 { 9 } else { 8 });
                new.id = EpisodeId { golem: dead, number: if number == 11 { 10 } else { number } };
                (new.provenance, new.realised_r) = (Provenance::Predecessor(dead), -1.0);
                scars.push(new.id);
            }
            grimoire.insert(new, 30);
        }
        (grimoire, scars)
    }

    fn chosen(grimoire: &Grimoire, scars: &[EpisodeId]) -> Vec<Replayed> {
        samples::chosen(scars, grimoire, SelectionReason::TopUtility, 1.0)
    }

    /// q = 2/10 for momentum while volatile, of which all three scars are: lift 5. The dead lived through 11 + 11 episodes:
    /// −3 / (.2·22 + 2) = −.469 R a trade.
    #[test]
    fn circumstances_that_preceded_deaths_call_for_a_guard() {
        let (grimoire, scars) = grimoire();
        let mut stream = WorldSeed(1).world(Purpose::Dream, 0, 0);
        let found = guards(&chosen(&grimoire, &scars), &grimoire, 0.1, false, &mut stream);
        let [guard] = &found[..] else { panic!("one guard: {found:?}") };
        let lost = -3.0 / (0.2 * 22.0 + 2.0);
        let expected = Claim::of_worth(Strategy::Momentum, guard.claim.pattern, lost).as_guard(0.1);
        assert_eq!(guard.claim.pattern.regime, Some(Regime::Volatile));
        assert!((guard.claim.expected_r - expected.expected_r).abs() < 1e-12, "{}", guard.claim);
        assert_eq!(guard.learned_from, scars);
    }

    /// One death is no pattern; and in circumstances of the dreamer's own trades, scars are no commoner than these.
    #[test]
    fn one_death_and_shuffled_scars_teach_nothing() {
        let (grimoire, scars) = grimoire();
        let mut stream = WorldSeed(1).world(Purpose::Dream, 0, 0);
        let of_one = chosen(&grimoire, &scars[..2]);
        assert_eq!(guards(&of_one, &grimoire, 0.1, false, &mut stream), []);
        let all = chosen(&grimoire, &scars);
        let shuffled = (0..40).filter(|_| !guards(&all, &grimoire, 0.1, true, &mut stream).is_empty());
        assert!(shuffled.count() < 8, "by chance some are");
    }
}
