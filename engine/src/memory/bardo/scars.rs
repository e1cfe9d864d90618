//! The choice of scars: which of its trades a golem leaves at death, with two controls of research for their content. Costs and results are
//! in R. Controls (permutation, random sample) tell whether the moment of a scar matters or its number.

use super::Bardo;
use crate::episode::{Episode, EpisodeRecord};
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
    /// twice.
    pub(super) fn own_scars(&self) -> Vec<Episode> {
        let most = self.config.scars as usize;
        let mut losses: Vec<&EpisodeRecord> =
            self.own_trades().filter(|trade| trade.realised_r < 0.0).collect();
        match self.config.scar_content {
            ScarContent::Real | ScarContent::Shuffled => {
                let worse = |a: &&EpisodeRecord, b: &&EpisodeRecord| {
                    a.realised_r.total_cmp(&b.realised_r).then(b.id.cmp(&a.id))
                };
                // Only the few worst are put in order: a snapshot is taken so often that a sort of all losses was a fiftieth of a world's time.
                if (1..losses.len()).contains(&most) {
                    losses.select_nth_unstable_by(most - 1, worse);
                    losses.truncate(most);
                }
                losses.sort_by(worse);
            }
            ScarContent::Random => {
                losses.sort_by_cached_key(|trade| (self.luck(trade).word(), trade.id));
            }
        }
        losses.truncate(most);
        let mut scars: Vec<Episode> =
            losses.iter().filter_map(|scar| self.grimoire.episode(scar.id)).collect();
        if self.config.scar_content == ScarContent::Shuffled {
            scars.iter_mut().for_each(|scar| self.give_another_moment(scar));
        }
        scars
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

    /// A life of forty trades, numbered by their moments' first feature; the odd ones lost, the later the more.
    fn scars(scar_content: ScarContent) -> Vec<Episode> {
        let config = BardoConfig { scar_content, ..BardoConfig::default() };
        let mut bardo = Bardo::new(GolemId::founder(0), config, ConsolidationConfig::default(), 2);
        for number in 0..40 {
            let mut trade = episode(number, Tick::from(number));
            trade.realised_r = if number % 2 == 1 { -0.01 * f64::from(number) } else { 1.0 };
            trade.embedding = vec![number as f32, 1.0].into();
            observe(&mut bardo, &trade, &[], Tick::from(number));
        }
        bardo.own_scars()
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
