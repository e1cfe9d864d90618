//! Under which subjects the simulated reader puts episodes: a strategy in some circumstances.

use crate::episode::{Context, ContextPattern, Feature};
use crate::llm::{EpisodeBrief, Generalisation, ReadingMethod};
use crate::market::Strategy;
use std::collections::{BTreeMap, BTreeSet};

/// What a group of trades is about, and where they stand in the batch.
pub(super) type Group = ((Strategy, ContextPattern), Vec<usize>);

/// The features of the chain, in its order.
const CHAIN: [Feature; 4] = [Feature::Regime, Feature::Volatility, Feature::Liquidity, Feature::Session];

/// Which trades fall under which subject, for all circumstances of up to `depth` features. What was left alone says nothing of what it is
/// worth, nor does what weighs nothing.
pub(super) fn groups(episodes: &[EpisodeBrief], method: &ReadingMethod, depth: u32) -> Vec<Group> {
    let patterns = Patterns::of(method, depth);
    let mut groups: BTreeMap<(Strategy, ContextPattern), Vec<usize>> = BTreeMap::new();
    let speaks = |episode: &EpisodeBrief| episode.traded && episode.weight > 0.0;
    for (index, episode) in episodes.iter().enumerate().filter(|(_, episode)| speaks(episode)) {
        for pattern in patterns.named_by(&episode.context) {
            groups.entry((episode.strategy, pattern)).or_default().push(index);
        }
    }
    match method.generalisation {
        Generalisation::Any => simplest(groups),
        Generalisation::Chain => groups.into_iter().collect(),
    }
}

/// Each set of trades once, under the circumstances that name least (of as little, those that come first among the features): on a market
/// with one asset, everything is on that asset, and to say so claims no more than to leave it out.
fn simplest(groups: BTreeMap<(Strategy, ContextPattern), Vec<usize>>) -> Vec<Group> {
    let mut ordered: Vec<Group> = groups.into_iter().collect();
    // A pattern that names an earlier feature is greater, because what is named is greater than what isn't.
    ordered.sort_by(|((_, a), _), ((_, b), _)| a.specificity().cmp(&b.specificity()).then(b.cmp(a)));
    let mut told: BTreeSet<Vec<usize>> = BTreeSet::new();
    ordered.retain(|(_, members)| told.insert(members.clone()));
    ordered.sort_by_key(|(subject, _)| *subject);
    ordered
}

/// The choices of features that are tried.
struct Patterns(Vec<Vec<Feature>>);

impl Patterns {
    fn of(method: &ReadingMethod, depth: u32) -> Self {
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
        assert_eq!(Patterns::of(&four, 3).0.len(), 64);
        four.features = CHAIN.to_vec();
        assert_eq!(Patterns::of(&four, 2).0.len(), 11);
        assert_eq!(Patterns::of(&method(Generalisation::Chain), 3).0.len(), 3);
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
        let groups = groups(&trades, &method(Generalisation::Any), 2);
        let told: Vec<(String, Vec<usize>)> =
            groups.into_iter().map(|((_, pattern), members)| (pattern.to_string(), members)).collect();
        let expect = |pattern: &str, members: &[usize]| (pattern.to_owned(), members.to_vec());
        assert_eq!(
            told,
            [
                expect("any market", &[0, 1, 2, 3]),
                expect("normal gas", &[0, 1, 2]),
                expect("spike gas", &[3]),
                expect("asset 0", &[0, 1]),
                expect("asset 1", &[2, 3]),
                expect("asset 1, normal gas", &[2]),
            ]
        );
    }

    #[test]
    fn the_chain_deepens_from_the_regime() {
        let groups = groups(&[brief(0, |c| c.regime = Regime::Volatile)], &method(Generalisation::Chain), 2);
        let told: Vec<u32> = groups.iter().map(|((_, pattern), _)| pattern.specificity()).collect();
        assert_eq!(told, [1, 2]);
        assert!(groups.iter().all(|((_, pattern), _)| pattern.regime == Some(Regime::Volatile)));
    }
}
