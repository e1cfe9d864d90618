//! The choice of scars: which of its trades a golem leaves at death, with two controls of research for their content.
//!
//! Results are in R. The scars are the own losing trades of the lowest R, five at most by default. The controls (placebo arms) of
//! `memory.bardo.scar_content` (a permutation of moments, or a random sample of losses; off by default) tell whether the moment of a scar
//! matters or only their number; their draws come from a stream of their own, so that nothing else of the run changes. Bloodstains,
//! snapshots and legacies all take the scars from here.

use super::Bardo;
use crate::episode::{Episode, EpisodeKind, EpisodeRecord};
use crate::lethe::Bequest;
use morta_base::{Purpose, Stream, WorldSeed};

morta_base::words! {
    /// What scars hold (a research control, our own). Under each, as many are left and at the same price.
    #[derive(Default)]
    pub enum ScarContent: Key {
        /// The trades that cost most, with the moments in which they were entered.
        #[default]
        Real = "real",
        /// The same trades, each with the moment of another trade of the same life, drawn at random: they say that it hurt, and nothing of
        /// when.
        Shuffled = "shuffled",
        /// Losing trades of that life, drawn at random.
        Random = "random",
    }
}

impl Bardo {
    /// Its scars, the worst first. Only its own trades count: inherited ones are in the Lethe already, and would be counted
    /// twice. Copies that stand in earlier bequests are moved from there, because two snapshots have most scars in common.
    pub(super) fn own_scars(&self, mut earlier: Vec<Bequest>) -> impl Iterator<Item = Episode> {
        let most = self.config.scars as usize;
        let worst = match self.config.scar_content {
            ScarContent::Real | ScarContent::Shuffled => self.worst_losses(most),
            ScarContent::Random => {
                let mut losses: Vec<&EpisodeRecord> =
                    self.own_trades().filter(|trade| trade.realised_r < 0.0).collect();
                losses.sort_by_cached_key(|trade| (self.luck(trade).word(), trade.id));
                losses.truncate(most);
                losses
            }
        };
        let shuffled = self.config.scar_content == ScarContent::Shuffled;
        if shuffled {
            // Their moments are those of other trades.
            earlier.clear();
        }
        let mut copied = move |scar: &EpisodeRecord| {
            let is_it = |bequest: &Bequest| matches!(bequest, Bequest::Scar(known) if known.id == scar.id);
            let place = earlier.iter().position(is_it)?;
            let Bequest::Scar(known) = earlier.swap_remove(place) else { return None };
            // Dreams take arousal and the chain of decisions off a record; its embedding stays.
            let (known, embedding) = known.parts();
            Some(if known == *scar { known } else { scar.clone() }.with_embedding(embedding))
        };
        worst.into_iter().filter_map(move |scar| {
            let mut scar = copied(scar).or_else(|| self.grimoire.episode(scar.id))?;
            if shuffled {
                self.give_another_moment(&mut scar);
            }
            Some(scar)
        })
    }

    /// Its own losing trades of the lowest R, at most so many, the worst first; of equal ones the later first.
    ///
    /// One pass over the column of results: snapshots are taken so often that gathering the records of all losses was a thirtieth of a
    /// world's time. A column holds results in single precision, which keeps their order, so a record is looked at only where its rounded
    /// result is no better than that of the last one kept; blocks without such a result are skipped by one comparison of vectors.
    fn worst_losses(&self, most: usize) -> Vec<&EpisodeRecord> {
        const BLOCK: usize = 16;
        let (inherited, results) = (self.grimoire.inherited(), self.grimoire.realised_r());
        let is_loss = |trade: &EpisodeRecord| trade.kind == EpisodeKind::Trade && trade.realised_r < 0.0;
        let mut worst: Vec<&EpisodeRecord> = Vec::with_capacity(most + 1);
        let mut bound = if most == 0 { f32::NEG_INFINITY } else { 0.0 };
        for first in (0..results.len()).step_by(BLOCK) {
            let block = first..results.len().min(first + BLOCK);
            if !results[block.clone()].iter().fold(false, |any, result| any | (*result <= bound)) {
                continue;
            }
            for slot in block.filter(|&slot| !inherited[slot]) {
                let trade = self.grimoire.record(slot);
                if results[slot] > bound || !is_loss(trade) {
                    continue;
                }
                let is_worse = |kept: &&EpisodeRecord| {
                    kept.realised_r.total_cmp(&trade.realised_r).then(trade.id.cmp(&kept.id)).is_lt()
                };
                worst.insert(worst.partition_point(is_worse), trade);
                worst.truncate(most);
                if worst.len() == most {
                    bound = worst.last().map_or(f32::NEG_INFINITY, |last| last.realised_r as f32);
                }
            }
        }
        worst
    }

    fn luck(&self, trade: &EpisodeRecord) -> Stream {
        WorldSeed::CONTROL.golem(self.golem, Purpose::ScarControl, u64::from(trade.id.number))
    }

    fn give_another_moment(&self, scar: &mut Episode) {
        let others: Vec<&EpisodeRecord> = self.own_trades().filter(|other| other.id != scar.id).collect();
        if others.is_empty() {
            return;
        }
        let record = self.grimoire.get(scar.id).expect("a scar is a trade of the Grimoire");
        let other = others[self.luck(record).below(others.len())];
        if let Some(other) = self.grimoire.episode(other.id) {
            (scar.context, scar.conditions, scar.embedding) =
                (other.context, other.conditions, other.embedding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::common::memory::observe;
    use crate::dream::config::ConsolidationConfig;
    use crate::memory::BardoConfig;
    use morta_base::{GolemId, Tick};

    /// A life of forty trades, numbered by their moments' first feature; the odd ones lost, the later the more. Scars are asked for after
    /// each trade, as snapshots do, and each time by way of those before.
    fn scars(scar_content: ScarContent) -> Vec<Episode> {
        let config = BardoConfig { scar_content, ..BardoConfig::default() };
        let mut bardo = Bardo::new(GolemId::founder(0), config, ConsolidationConfig::default(), 2);
        let mut renewed: Vec<Episode> = Vec::new();
        for number in 0..40 {
            let mut trade = episode(number, Tick::from(number));
            trade.realised_r = if number % 2 == 1 { -0.01 * f64::from(number) } else { 1.0 };
            trade.embedding = vec![number as f32, 1.0].into();
            observe(&mut bardo, &trade, &[], Tick::from(number));
            if let Some(Episode { id, .. }) = renewed.first().filter(|_| number % 7 == 3) {
                bardo.grimoire.depotentiate(*id, 0.5);
                bardo.grimoire.abstract_away(*id);
            }
            let anew: Vec<Episode> = bardo.own_scars(Vec::new()).collect();
            renewed = bardo.own_scars(renewed.into_iter().map(Bequest::Scar).collect()).collect();
            assert_eq!(renewed, anew);
        }
        renewed
    }

    fn numbers(scars: &[Episode]) -> Vec<u32> {
        scars.iter().map(|scar| scar.id.number).collect()
    }

    fn moments(scars: &[Episode]) -> Vec<u32> {
        scars.iter().map(|scar| scar.embedding[0] as u32).collect()
    }

    #[test]
    fn real_scars_are_the_worst_trades_with_their_moments() {
        let real = scars(ScarContent::Real);
        assert_eq!(numbers(&real), [39, 37, 35, 33, 31]);
        assert_eq!(moments(&real), numbers(&real));
    }

    /// As many, of the same trades and outcomes; none with the moment it was got in.
    #[test]
    fn shuffled_scars_say_that_it_hurt_and_not_when() {
        let (real, shuffled) = (scars(ScarContent::Real), scars(ScarContent::Shuffled));
        assert_eq!(numbers(&shuffled), numbers(&real));
        assert!(shuffled.iter().zip(&real).all(|(a, b)| a.realised_r == b.realised_r));
        assert!(moments(&shuffled).iter().zip(numbers(&shuffled)).all(|(moment, number)| *moment != number));
    }

    #[test]
    fn random_scars_are_losses_of_any_size() {
        let random = scars(ScarContent::Random);
        assert_eq!(random.len(), 5);
        assert!(random.iter().all(|scar| scar.realised_r < 0.0));
        assert_ne!(numbers(&random), numbers(&scars(ScarContent::Real)));
        assert_eq!(random, scars(ScarContent::Random), "the same draw every time");
    }
}
