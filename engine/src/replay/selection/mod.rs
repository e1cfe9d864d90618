//! The two passes that choose what to replay: first by the configured order, then for diversity (replay spec, "selection
//! algorithm").
//!
//! Without the second pass a golem replays the same few startling episodes dream after dream, which overweights unusual events (Schaul et
//! al. 2016). It reserves a share of the places for regimes, times and feelings that the first pass left out. Places are numbers of
//! episodes; importance weights are in (0, 1]. Terms of the field: top-k selection with a diversity quota, exploration against selection
//! bias. A dream chooses once, before it reads, and the command that explains scores chooses in the same way; the number of places is its
//! batch size times its batches (none in a dream that only consolidates, one batch in an emergency), and money may cut the choice down
//! afterwards.

use crate::episode::Grimoire;
use crate::market::Regime;
use crate::replay::{Prioritization, ReplayConfig, ReplayContext, Scorer, UtilityTerms};
use morta_base::{EpisodeId, Stream, moments};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

mod diversity;

morta_base::words! {
    /// Which pass chose an episode: the ranking by the configured order, or the diversity quota.
    pub enum SelectionPass {
        /// The first, by the configured prioritization.
        UtilityRanked = "utility_ranked",
        /// The second, for diversity.
        Diversity = "diversity",
    }
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr,
)]
/// The reason why an episode was chosen (its rationale), for the tables of replays.
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SelectionReason {
    /// Its utility is among the highest.
    TopUtility,
    /// It is among the latest.
    Latest,
    /// Its prediction was among the most wrong.
    MostSurprising,
    /// It was drawn, all episodes alike.
    Drawn,
    /// It was drawn with a probability that grows with utility.
    DrawnByPriority,
    /// No other choice is from this regime, which the golem has met lately.
    RegimeDiversity(Regime),
    /// No other choice is from the oldest part of the buffer.
    TemporalDiversity,
    /// No other choice has high arousal.
    EmotionalDiversity,
}

impl SelectionReason {
    /// Whether an episode was taken for having the highest utility or surprise, and so in part for how it came out. Such a sample has
    /// selection bias: of the episodes left out nothing is known. A reader that corrects for the draw then falls back on the usual level.
    pub(crate) const fn is_by_merit(self) -> bool {
        matches!(self, Self::TopUtility | Self::MostSurprising)
    }

    /// Whether the diversity quota chose it.
    pub(crate) const fn is_for_diversity(self) -> bool {
        matches!(self, Self::RegimeDiversity(_) | Self::TemporalDiversity | Self::EmotionalDiversity)
    }

    fn for_order(prioritization: Prioritization) -> Self {
        match prioritization {
            Prioritization::Utility => Self::TopUtility,
            Prioritization::Recency => Self::Latest,
            Prioritization::Surprise => Self::MostSurprising,
            Prioritization::Uniform => Self::Drawn,
            Prioritization::Proportional | Prioritization::Rank => Self::DrawnByPriority,
        }
    }
}

/// One episode to be replayed: a sample with its rationale, its utility and its importance weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selected {
    /// The episode.
    pub episode: EpisodeId,
    /// Which pass chose it.
    pub pass: SelectionPass,
    /// Why.
    pub reason: SelectionReason,
    /// The terms of its utility.
    pub terms: UtilityTerms,
    /// Correction for unequal probabilities of being drawn, in (0, 1]; 1 where nothing was drawn by priority. An episode that
    /// diversity adds to draws by priority had no probability of its own, and counts as much as an average draw.
    pub importance_weight: f64,
}

/// The reason why an episode was not chosen, for the command that explains scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSelected {
    /// Its utility doesn't exceed `min_utility`.
    BelowThreshold {
        /// Its utility.
        utility: f64,
        /// The least.
        min_utility: f64,
    },
    /// Others came before it.
    Outranked {
        /// Its utility.
        utility: f64,
        /// The lowest utility that the first pass chose, if it chose any.
        lowest_chosen: Option<f64>,
    },
    /// It was a candidate in a random draw.
    NotDrawn {
        /// Its utility.
        utility: f64,
    },
}

/// The choice (sampled replay batch), with enough to say why any other episode was not chosen: a ranked list with its cut-offs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// The chosen, in the order of replay: by rank or draw, then those for diversity.
    pub selected: Vec<Selected>,
    /// Demands of diversity that no place was left for.
    pub unmet: Vec<SelectionReason>,
    /// The order followed.
    pub prioritization: Prioritization,
    /// The threshold of utility that was in force.
    min_utility: f64,
}

impl Selection {
    /// Iterates over the ids of the episodes chosen, in order.
    pub fn episodes(&self) -> impl Iterator<Item = EpisodeId> {
        self.selected.iter().map(|selected| selected.episode)
    }

    /// Explains why an episode of that utility was not chosen; `None` for one that was. `utility` must be the scorer's in the same
    /// situation: it isn't worked out again.
    pub fn reason_against(&self, episode: EpisodeId, utility: f64) -> Option<NotSelected> {
        if self.episodes().any(|chosen| chosen == episode) {
            None
        } else if self.prioritization.goes_by_utility() && utility <= self.min_utility {
            Some(NotSelected::BelowThreshold { utility, min_utility: self.min_utility })
        } else if self.prioritization.is_random() {
            Some(NotSelected::NotDrawn { utility })
        } else {
            let ranked = self.selected.iter().filter(|chosen| chosen.pass == SelectionPass::UtilityRanked);
            let lowest_chosen = ranked.map(|chosen| chosen.terms.utility).min_by(f64::total_cmp);
            Some(NotSelected::Outranked { utility, lowest_chosen })
        }
    }
}

/// Places kept for diversity among `places`: the diversity quota, `diversity_share` (default .2) of them, rounded to the nearest. The
/// replications that replay by the spec's utility keep as many.
pub fn reserved_places(places: usize, config: &ReplayConfig) -> usize {
    (places as f64 * config.diversity_share).round() as usize
}

/// Shortens a choice to `places`: the first by the order followed and, for the reserved places, the first for diversity, so that
/// diversity keeps its share. (Simply cutting off the end would drop diversity first, since it stands last.) A truncation that keeps the
/// diversity quota.
pub fn cut_down<T>(
    chosen: Vec<T>,
    places: usize,
    config: &ReplayConfig,
    reason: impl Fn(&T) -> SelectionReason,
) -> Vec<T> {
    let (diverse, ranked): (Vec<T>, Vec<T>) =
        chosen.into_iter().partition(|one| reason(one).is_for_diversity());
    let reserved = reserved_places(places, config).min(diverse.len());
    ranked.into_iter().take(places - reserved).chain(diverse.into_iter().take(reserved)).collect()
}

/// Chooses at most `places` episodes (top-k with a diversity quota), none twice.
///
/// The first pass fills all places but the reserved ones; where the order goes by utility, only with episodes whose utility exceeds
/// `min_utility`. The second gives the reserved places to episodes that meet a demand which the first pass left open. Places that diversity
/// doesn't need go back to the first pass.
pub fn select(
    grimoire: &Grimoire,
    context: &ReplayContext<'_>,
    config: &ReplayConfig,
    places: usize,
    stream: &mut Stream,
) -> Selection {
    let scorer = Scorer::new(grimoire, context, config);
    let order = config.prioritization.in_mode(context.mode);
    let ranked = order.first(places, grimoire, &scorer, config, stream);
    let reserved = reserved_places(places, config);

    let sure = &ranked.slots[..ranked.slots.len().min(places - reserved)];
    let diverse = diversity::choose(sure, reserved, grimoire, &scorer, context, config);
    let extra = BTreeMap::from_iter(diverse.chosen.iter().copied());
    let first_pass: Vec<(u32, f64)> = ranked
        .slots
        .into_iter()
        .zip(ranked.importance)
        .filter(|(slot, _)| !extra.contains_key(slot))
        .take(places - extra.len())
        .collect();

    let reason = SelectionReason::for_order(order);
    let pick = |slot: u32, pass, reason, importance_weight| {
        let (episode, terms) = (grimoire.record(slot as usize).id, scorer.terms(slot as usize));
        Selected { episode, pass, reason, terms, importance_weight }
    };
    let average = moments::mean(first_pass.iter().map(|(_, weight)| *weight)).unwrap_or(1.0);
    let ranked = first_pass.iter().map(|&(slot, w)| pick(slot, SelectionPass::UtilityRanked, reason, w));
    let diverse_picks =
        diverse.chosen.iter().map(|&(slot, why)| pick(slot, SelectionPass::Diversity, why, average));
    let selected: Vec<Selected> = ranked.chain(diverse_picks).collect();
    assert!(selected.len() <= places, "a selection fits its places");
    Selection { selected, unmet: diverse.unmet, prioritization: order, min_utility: config.min_utility }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve by rank and three for diversity, cut down to ten: the first eight and the first two, in that order; to five, four and one.
    #[test]
    fn diversity_keeps_its_share_of_what_is_left() {
        let chosen: Vec<(u32, SelectionReason)> = (0..12)
            .map(|rank| (rank, SelectionReason::TopUtility))
            .chain((12..15).map(|place| (place, SelectionReason::TemporalDiversity)))
            .collect();
        let config = ReplayConfig::default();
        let left = |places| {
            let left = cut_down(chosen.clone(), places, &config, |(_, reason)| *reason);
            left.into_iter().map(|(number, _)| number).collect::<Vec<u32>>()
        };
        assert_eq!(left(10), [0, 1, 2, 3, 4, 5, 6, 7, 12, 13]);
        assert_eq!(left(5), [0, 1, 2, 3, 12]);
        assert_eq!(left(0), [0; 0]);
    }
}
