//! Grouping of episodes by the simulated reader: a strategy in some circumstances. It enumerates conjunctions of features, as in
//! association rule mining (frequent itemsets), up to the depth that a tier holds together.
//!
//! Depth is a number of circumstances: 1, 2 and 3 by tier by default. A higher tier holds more of them together, so that it sees subtler
//! patterns. Groups of fewer trades than the reader takes an effect from are left out. With `generalisation = "chain"` the features are
//! taken in a fixed order, and groups of the same trades are not merged.

use crate::episode::{Context, ContextPattern, Feature};
use crate::llm::{EpisodeBrief, Generalisation, ReadingMethod};
use crate::market::Strategy;
use std::collections::{BTreeMap, BTreeSet};

/// A subject (the group-by key), and the places of its trades in the batch.
pub(super) type Group = ((Strategy, ContextPattern), Vec<usize>);

/// The features of the chain, in order.
const CHAIN: [Feature; 4] = [Feature::Regime, Feature::Volatility, Feature::Liquidity, Feature::Session];

/// Groups of trades by subject, for all circumstances of up to `depth` features. Abstentions and episodes without weight are in
/// no group: they say nothing of a trade's worth. Groups of fewer than `least` trades are dropped at once, because most are.
pub(super) fn groups(
    episodes: &[EpisodeBrief],
    method: &ReadingMethod,
    depth: u32,
    least: usize,
) -> Vec<Group> {
    let patterns = Patterns::for_method(method, depth);
    let mut groups: BTreeMap<(Strategy, ContextPattern), Vec<usize>> = BTreeMap::new();
    let speaks = |episode: &EpisodeBrief| episode.traded && episode.weight > 0.0;
    for (index, episode) in episodes.iter().enumerate().filter(|(_, episode)| speaks(episode)) {
        for pattern in patterns.named_by(&episode.context) {
            groups.entry((episode.strategy, pattern)).or_default().push(index);
        }
    }
    let groups = groups.into_iter().filter(|(_, members)| members.len() >= least).collect();
    match method.generalisation {
        Generalisation::Any => simplest(groups),
        Generalisation::Chain => groups,
    }
}

/// Keeps each set of trades once, under the fewest circumstances (of equally few, those that come first among the features). On a market
/// with one asset every trade is on that asset, and to name it would say no more.
fn simplest(mut groups: Vec<Group>) -> Vec<Group> {
    // A pattern that names an earlier feature is greater, because a named feature is greater than an unnamed one.
    let simpler =
        |a: &ContextPattern, b: &ContextPattern| a.specificity().cmp(&b.specificity()).then(b.cmp(a));
    groups.sort_by(|((_, a), one), ((_, b), other)| one.cmp(other).then_with(|| simpler(a, b)));
    groups.dedup_by(|(_, one), (_, other)| one == other);
    groups.sort_unstable_by_key(|(subject, _)| *subject);
    groups
}

/// The sets of features to try.
struct Patterns(Vec<Vec<Feature>>);

impl Patterns {
    fn for_method(method: &ReadingMethod, depth: u32) -> Self {
        let depth = depth as usize;
        Self(match method.generalisation {
            Generalisation::Chain => {
                (1..=CHAIN.len().min(depth)).map(|length| CHAIN[..length].to_vec()).collect()
            }
            Generalisation::Any => {
                let features: BTreeSet<Feature> = method.features.iter().copied().collect();
                let features: Vec<Feature> = features.into_iter().collect();
                let choice = |bits: u32| {
                    let is_chosen = |(place, _): &(usize, &Feature)| bits >> place & 1 == 1;
                    features.iter().enumerate().filter(is_chosen).map(|(_, feature)| *feature).collect()
                };
                let choices = (0..1_u32 << features.len()).filter(|bits| bits.count_ones() as usize <= depth);
                choices.map(choice).collect()
            }
        })
    }

    fn named_by(&self, context: &Context) -> impl Iterator<Item = ContextPattern> {
        self.0.iter().map(|features| ContextPattern::from_context(context, features.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::llm::{Level, ReadingConfig};
    use crate::market::{GasClass, Regime};

    fn brief(number: u32, change: impl FnOnce(&mut Context)) -> EpisodeBrief {
        let mut brief = EpisodeBrief::from(&episode(number, 10));
        change(&mut brief.context);
        brief
    }

    fn method(generalisation: Generalisation) -> ReadingMethod {
        ReadingMethod { generalisation, ..ReadingMethod::new(Level::Replayed, &ReadingConfig::default()) }
    }

    /// 1 + 7 + 21 + 35 choices of up to three of seven features, and 1 + 4 + 6 of up to two of four.
    #[test]
    fn every_choice_of_features_is_tried() {
        let mut four = method(Generalisation::Any);
        assert_eq!(Patterns::for_method(&four, 3).0.len(), 64);
        four.features = CHAIN.to_vec();
        assert_eq!(Patterns::for_method(&four, 2).0.len(), 11);
        assert_eq!(Patterns::for_method(&method(Generalisation::Chain), 3).0.len(), 3);
    }

    /// Two trades on the other asset and one of these in dear gas: the groups are all, asset 0, asset 1, and the dear one; that gas was
    /// normal picks out nobody else than nothing does but for it.
    #[test]
    fn the_simplest_description_of_a_group_is_kept() {
        let trades = [
            brief(0, |_| ()),
            brief(1, |_| ()),
            brief(2, |context| context.asset = 1),
            brief(3, |context| (context.asset, context.gas) = (1, GasClass::Spike)),
        ];
        let groups_of = |least| groups(&trades, &method(Generalisation::Any), 2, least);
        let described: Vec<(String, Vec<usize>)> =
            groups_of(1).into_iter().map(|((_, pattern), members)| (pattern.to_string(), members)).collect();
        let expect = |pattern: &str, members: &[usize]| (pattern.to_owned(), members.to_vec());
        assert_eq!(
            described,
            [
                expect("any market", &[0, 1, 2, 3]),
                expect("normal gas", &[0, 1, 2]),
                expect("spike gas", &[3]),
                expect("asset 0", &[0, 1]),
                expect("asset 1", &[2, 3]),
                expect("asset 1, normal gas", &[2]),
            ]
        );
        let of_two: Vec<usize> = groups_of(2).into_iter().map(|(_, members)| members.len()).collect();
        assert_eq!(of_two, [4, 3, 2, 2]);
    }

    #[test]
    fn the_chain_deepens_from_the_regime() {
        let groups =
            groups(&[brief(0, |c| c.regime = Regime::Volatile)], &method(Generalisation::Chain), 2, 1);
        let depths: Vec<u32> = groups.iter().map(|((_, pattern), _)| pattern.specificity()).collect();
        assert_eq!(depths, [1, 2]);
        assert!(groups.iter().all(|((_, pattern), _)| pattern.regime == Some(Regime::Volatile)));
    }
}
