//! Waking recall: remembered trades count by likeness, regime and age.
//!
//! weight = max(0, cosine to the present market) · m · 2^(−age/(h·strength)), m 1 in the same regime and .1
//! in another, age in ticks since the trade closed, h `age_half_life_ticks`; strength grows with dreams that used the trade and
//! outcomes that it foretold (replay spec, "dream-retrieval strengthening"). Scars of the dead have no weight: they were chosen
//! by how they ended, so they would bias the mean; they make a golem careful instead ([`super::guard`]). Only the alternative
//! `memory.bardo.grimoire.scars_as_evidence` counts them. What was stayed out of has no weight either.
//!
//! The half-life of 2,000 ticks is ours. Beside it dreams add +.0046 R a golem-tick [.0033, .0059] where the law stands, and
//! nothing that can be told from 0 where it turns every 500 or 2,000 ticks (`morta sweep scenarios/levers/bounded-recall.toml`,
//! 20 worlds). In machine learning this is kernel regression (Nadaraya-Watson) over episodes with recency weighting; results are in R,
//! weights in numbers of episodes.

use crate::episode::Grimoire;
use crate::market::Strategy;
use crate::memory::{Candidate, DecisionContext, RecallConfig, Voice, VoiceSource};
use morta_base::Tick;
use morta_base::dot::dot_by_lanes;
use morta_base::fading::Fading;

/// A kernel-weighted sum with its top contributors: the recalled trades of one strategy.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recalled {
    /// Trades with weight.
    episodes: u32,
    /// Σ weight, in episodes.
    weight: f64,
    /// Σ weight · R.
    weighted_r: f64,
    /// Weights and slots of the top three, the largest first.
    loudest: [Option<(f64, u32)>; LOUDEST],
}

/// Most episodes' worth of weight that recall may have in a decision. Our choice: as much as a claim may count as
/// (`memory.bardo.evidence_cap`); no consequence was found of half and twice as much (`scenarios/sensitivity/knobs.toml`).
const MOST_WEIGHT: f64 = 40.0;
/// Share of its weight that an episode keeps when its regime is another one. Our choice: little enough that other regimes don't outshout
/// this one, and more than 0, so that a regime never seen is judged by the others.
const REGIME_MISMATCH: f64 = 0.1;

/// Episodes that are named one by one; the others are added to the voices of these. Our choice: names are for `inspect` and for
/// strengthening, and a decision among hundreds of episodes would carry hundreds of voices.
const LOUDEST: usize = 3;

/// Weighs every trade of the Grimoire that is evidence by similarity of embedding, and sums by strategy (kernel regression). Where
/// `retrieved` isn't 0, or there is `room` for only so many, the smaller number of trades counts, of the strategies that are candidates and
/// with the largest weights, of equal ones those of the first slot.
pub(super) fn recall(
    grimoire: &Grimoire,
    moment: &DecisionContext<'_>,
    candidates: &[Candidate],
    config: &RecallConfig,
    room: Option<u32>,
) -> [Recalled; Strategy::COUNT] {
    let bound = match (config.retrieved, room) {
        (0, room) => room,
        (retrieved, None) => Some(retrieved),
        (retrieved, Some(room)) => Some(retrieved.min(room)),
    };
    let mut recalled = [Recalled::default(); Strategy::COUNT];
    if !config.enabled {
        return recalled;
    }
    let fading = Fading::new(config.age_half_life_ticks);
    let length = dot_by_lanes(moment.embedding, moment.embedding).sqrt();
    // Stays empty, and isn't allocated, where there is no bound.
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    // Columns are lent once: each would otherwise be looked up for every episode at every decision.
    let (lengths, regimes, closed) = (grimoire.length(), grimoire.regimes(), grimoire.closed());
    let (strengths, strategies) = (grimoire.strength(), grimoire.strategies());
    for slot in (0..grimoire.len()).filter(|&slot| grimoire.is_evidence_at(slot)) {
        let scale = length * lengths[slot];
        let similarity = if scale > 0.0 {
            f64::from(dot_by_lanes(moment.embedding, grimoire.embedding(slot)) / scale)
        } else {
            0.0
        };
        // An episode of the opposite market would speak against itself. A higher bound had no consequence that was found (`scenarios/sensitivity`).
        if similarity <= 0.0 {
            continue;
        }
        let fit = similarity * if regimes[slot] == moment.context.regime { 1.0 } else { REGIME_MISMATCH };
        let age = moment.tick.saturating_sub(closed[slot]) as f64 / f64::from(strengths[slot]);
        let weight = fit * fading.left(age as Tick);
        if bound.is_none() {
            recalled[strategies[slot].index()].add(weight, slot, grimoire);
        } else if candidates.iter().any(|candidate| candidate.strategy == strategies[slot]) {
            ranked.push((weight, slot));
        }
    }
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    for (weight, slot) in ranked.into_iter().take(bound.unwrap_or(0) as usize) {
        recalled[strategies[slot].index()].add(weight, slot, grimoire);
    }
    recalled
}

impl Recalled {
    fn add(&mut self, weight: f64, slot: usize, grimoire: &Grimoire) {
        if weight <= 0.0 {
            return;
        }
        self.episodes += 1;
        self.weight += weight;
        self.weighted_r += weight * f64::from(grimoire.realised_r()[slot]);
        let mut new = Some((weight, slot as u32));
        for place in &mut self.loudest {
            if place.is_none_or(|(loudest, _)| new.is_some_and(|(weight, _)| weight > loudest)) {
                std::mem::swap(place, &mut new);
            }
        }
    }

    /// The number of episodes that have weight, for the tokens that reading them takes.
    pub(super) const fn episodes(&self) -> u32 {
        self.episodes
    }

    /// Makes the voices of recalled episodes: the weighted mean of all trades, its weight capped, is shared out among the loudest episodes
    /// by their weight (attribution). The cap keeps a long life of similar trades from outvoting every rule.
    pub(super) fn speak<'a>(&'a self, grimoire: &'a Grimoire) -> impl Iterator<Item = Voice> + use<'a> {
        let mean = self.weighted_r / self.weight;
        let total = self.weight.min(MOST_WEIGHT);
        let loudest = self.loudest.iter().flatten().filter(|_| self.weight > 0.0);
        let named: f64 = loudest.clone().map(|(weight, _)| weight).sum();
        loudest.map(move |&(weight, slot)| {
            let record = grimoire.record(slot as usize);
            Voice::new(VoiceSource::Episode(record.id), record.provenance, total * weight / named, mean)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::common::memory::candidate;
    use crate::common::memory::moment;
    use crate::episode::GrimoireConfig;
    use std::sync::LazyLock;

    /// Every episode counts, however old.
    static ALL: LazyLock<RecallConfig> =
        LazyLock::new(|| RecallConfig { age_half_life_ticks: 0.0, ..RecallConfig::default() });

    /// The scar is the most similar of all, and has no weight unless the keys make it evidence.
    #[test]
    fn scars_are_silent_unless_they_count_as_evidence() {
        use crate::episode::Provenance;
        use morta_base::GolemId;
        let spoken = |scars_as_evidence| {
            let mut grimoire =
                Grimoire::new(GrimoireConfig { scars_as_evidence, ..GrimoireConfig::default() }, 2);
            for (number, r, provenance) in
                [(0, 0.5, Provenance::Own), (1, -3.0, Provenance::Predecessor(GolemId::founder(7)))]
            {
                let mut new = episode(number, 1);
                (new.realised_r, new.provenance) = (r, provenance);
                new.embedding = vec![1.0, 0.0].into();
                grimoire.insert(new, 1);
            }
            let moment = moment(2, grimoire.record(0).context, &[1.0, 0.0]);
            let recalled = recall(&grimoire, &moment, &[], &ALL, None);
            let voices = recalled[Strategy::Momentum.index()].speak(&grimoire);
            voices.map(|voice| voice.expected_r).collect::<Vec<_>>()
        };
        assert_eq!(spoken(false), [0.5]);
        assert_eq!(spoken(true), [-1.25, -1.25]);
    }

    #[test]
    fn likeness_decides_who_speaks() {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        for (number, embedding, r) in [(0, [1.0, 0.0], 1.0), (1, [0.6, 0.8], -0.5), (2, [-1.0, 0.0], 9.0)] {
            let mut new = episode(number, 1);
            new.embedding = embedding.to_vec().into();
            new.realised_r = r;
            grimoire.insert(new, 1);
        }
        let moment = moment(2, grimoire.record(0).context, &[2.0, 0.0]);
        let recalled = recall(&grimoire, &moment, &[], &ALL, None)[Strategy::Momentum.index()];
        let voices: Vec<Voice> = recalled.speak(&grimoire).collect();
        assert_eq!(voices.len(), 2, "the opposite market is silent: {voices:?}");
        // Weights 1 and .6: (1·1 − .6·.5) / 1.6 = .4375.
        assert!((voices[0].expected_r - 0.4375).abs() < 1e-6, "{voices:?}");
        assert!((voices[0].weight - 1.0).abs() < 1e-6 && (voices[1].weight - 0.6).abs() < 1e-6);
    }

    /// Three similar trades, closed at 0, 50 and 100; at tick 100 with a half-life of 50 ticks they weigh 1/4, 1/2 and 1. With a
    /// bound the latest count; trades of another strategy take no place of theirs.
    #[test]
    fn recall_fades_and_reads_those_that_weigh_most() {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        for (number, closed, r, strategy) in [
            (0, 0, 4.0, Strategy::Momentum),
            (1, 50, 2.0, Strategy::Momentum),
            (2, 100, 1.0, Strategy::Momentum),
            (3, 100, 9.0, Strategy::Breakout),
        ] {
            let mut new = episode(number, closed);
            (new.embedding, new.realised_r, new.strategy) = (vec![1.0, 0.0].into(), r, strategy);
            grimoire.insert(new, closed);
        }
        let mut moment = moment(2, grimoire.record(0).context, &[1.0, 0.0]);
        moment.tick = 100;
        let weigh = |retrieved, room| {
            let config = RecallConfig { age_half_life_ticks: 50.0, retrieved, ..RecallConfig::default() };
            let about = recall(&grimoire, &moment, &[candidate(Strategy::Momentum, 0.0)], &config, room);
            let about = &about[Strategy::Momentum.index()];
            let voices: Vec<Voice> = about.speak(&grimoire).collect();
            let weight: f64 = voices.iter().map(|voice| voice.weight).sum();
            (about.episodes(), weight, voices.first().map_or(0.0, |voice| voice.expected_r))
        };
        let check = |(count, weight, mean): (u32, f64, f64), expected: (u32, f64, f64)| {
            let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
            assert!(
                count == expected.0 && close(weight, expected.1) && close(mean, expected.2),
                "{count} {weight} {mean}"
            );
        };
        // (4/4 + 2/2 + 1)/(7/4), and (2/2 + 1)/(3/2).
        check(weigh(0, None), (3, 1.75, 12.0 / 7.0));
        check(weigh(2, None), (2, 1.5, 4.0 / 3.0));
        // Twice as strong, the oldest fades half as fast and weighs 1/2: (4/2 + 2/2 + 1)/2.
        let mut dreamt = grimoire.clone();
        dreamt.mark_replayed(dreamt.record(0).id, 100, 1.0);
        let config = RecallConfig { age_half_life_ticks: 50.0, ..RecallConfig::default() };
        let about = recall(&dreamt, &moment, &[], &config, None)[Strategy::Momentum.index()];
        let mean = about.speak(&dreamt).next().map_or(0.0, |voice| voice.expected_r);
        check((about.episodes(), about.weight, mean), (3, 2.0, 2.0));
        check(weigh(0, Some(1)), (1, 1.0, 1.0));
        check(weigh(2, Some(0)), (0, 0.0, 0.0));
    }
}
