//! The expected worth of a situation never met, put together from results under each of its parts (replay spec, "compositional
//! primitives": a golem prepares for conditions that it knows one by one and has never seen together). Results are in R. It is
//! compositional generalisation (zero-shot transfer). Only the figures are made here; the model that is asked to imagine the situation
//! concludes from them.

use crate::episode::{ContextPattern, EpisodeRecord, VolatilityBand};
use crate::llm::{PartWorth, UnmetSituation};
use crate::market::{GasClass, LiquidityClass, Regime, Strategy};
use crate::replay::primitive::{Primitive, PrimitiveLedger, PrimitiveSet};
use morta_base::EpisodeId;
use std::collections::BTreeMap;

/// Most trades named as the source of a part's worth. Our choice, because sources stand in every event and say where a claim
/// comes from, not how sure it is.
const SOURCES: usize = 5;

impl Primitive {
    /// The market classes by which a primitive is recognised before a trade; `None` for one that isn't visible in one market at one moment.
    /// They are wider than [`super::label`]: a pattern has no quintiles, so a cascade is the wild band here and its upper half there; and
    /// what a label reads off the trade (a gain, gas far above prediction) is left out. A breakout may go up or down, and a cascade may be
    /// a fall or turmoil: the regime is the one in which it was met most.
    fn sign(self, most_in: Regime) -> Option<ContextPattern> {
        let any = ContextPattern::default();
        let wild = Some(VolatilityBand::Wild);
        match self {
            Self::LiquidityCrisis => Some(ContextPattern { liquidity: Some(LiquidityClass::Crisis), ..any }),
            Self::GasSpike => Some(ContextPattern { gas: Some(GasClass::Spike), ..any }),
            Self::MomentumBreakout => {
                Some(ContextPattern { volatility: wild, ..ContextPattern::from_regime(most_in) })
            }
            Self::MeanReversion => Some(ContextPattern::from_regime(Regime::RangeBound)),
            Self::CascadingLiquidation => Some(ContextPattern {
                volatility: wild,
                liquidity: Some(LiquidityClass::Thin),
                ..ContextPattern::from_regime(most_in)
            }),
            Self::OracleDeviation | Self::CorrelationShift | Self::RegimeChange => None,
        }
    }
}

/// The signs of all members at once; `None` if one has none, or two contradict each other. Of two classes of liquidity the
/// thinner includes the other.
fn sign_of(parts: PrimitiveSet, most_in: impl Fn(Primitive) -> Regime) -> Option<ContextPattern> {
    fn both<T: PartialEq>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => Some(a.or(b)),
        }
    }
    parts.iter().try_fold(ContextPattern::default(), |all, part| {
        let sign = part.sign(most_in(part))?;
        let thinner = [all.liquidity, sign.liquidity].into_iter().flatten().min();
        Some(ContextPattern {
            regime: both(all.regime, sign.regime)?,
            volatility: both(all.volatility, sign.volatility)?,
            liquidity: thinner,
            gas: both(all.gas, sign.gas)?,
            ..all
        })
    })
}

/// Iterates over the situations that could be put together from primitives met. Those that the golem recognises and has tried a strategy
/// under each part of come first (of equals, the most familiar), each with the results of strategies under its parts. `evidence` are its
/// trades; each is found in the ledger, or has no part. They are zero-shot candidates with marginal effects; a combinational session takes
/// one, if there is one that no known claim names.
pub fn unmet<'a>(
    ledger: &PrimitiveLedger,
    evidence: impl Iterator<Item = &'a EpisodeRecord>,
) -> impl Iterator<Item = UnmetSituation> {
    let mut usual: BTreeMap<Strategy, (f64, u32)> = BTreeMap::new();
    let mut under: BTreeMap<(Strategy, Primitive), (f64, Vec<EpisodeId>)> = BTreeMap::new();
    let mut regimes: BTreeMap<Primitive, [u32; Regime::ALL.len()]> = BTreeMap::new();
    for trade in evidence {
        let (sum, count) = usual.entry(trade.strategy).or_default();
        *sum += trade.realised_r;
        *count += 1;
        for part in ledger.parts_of(trade.id).iter() {
            let (sum, trades) = under.entry((trade.strategy, part)).or_default();
            *sum += trade.realised_r;
            trades.push(trade.id);
            regimes.entry(part).or_default()[trade.context.regime as usize] += 1;
        }
    }
    let most_in = |part: Primitive| {
        let times = |regime: &Regime| regimes.get(&part).map_or(0, |times| times[*regime as usize]);
        Regime::ALL.into_iter().max_by_key(times).expect("there are regimes")
    };
    let recognised = |parts: PrimitiveSet| sign_of(parts, most_in);
    let tried = |strategy: Strategy, parts: PrimitiveSet| {
        parts.iter().all(|part| under.contains_key(&(strategy, part)))
    };
    let strategies: Vec<Strategy> = usual.keys().copied().collect();
    let mut sets = ledger.recombinations();
    let is_of_use = |parts: PrimitiveSet| {
        recognised(parts).is_some() && strategies.iter().any(|strategy| tried(*strategy, parts))
    };
    sets.sort_by_key(|parts| !is_of_use(*parts));
    let patterns: Vec<Option<ContextPattern>> = sets.iter().map(|parts| recognised(*parts)).collect();
    // The caller takes few, so the results of each are put together on demand.
    sets.into_iter().zip(patterns).map(move |(parts, pattern)| {
        let worth = |strategy: Strategy, part: Primitive| {
            let (sum, trades) = &under[&(strategy, part)];
            let (usual_sum, usual_trades) = usual[&strategy];
            PartWorth {
                part,
                strategy,
                mean_r: sum / trades.len() as f64,
                trades: trades.len() as u32,
                latest: trades[trades.len().saturating_sub(SOURCES)..].to_vec(),
                usual_r: usual_sum / f64::from(usual_trades),
                usual_trades,
            }
        };
        let tried = strategies
            .iter()
            .filter(|strategy| parts.iter().all(|part| under.contains_key(&(**strategy, part))));
        let known = tried.flat_map(|strategy| parts.iter().map(|part| worth(*strategy, part)));
        UnmetSituation { parts: parts.to_string(), pattern, known: known.collect() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gas and depth are seen side by side; of two regimes at once there is no market, and a change of regime isn't seen in a market at all.
    #[test]
    fn a_situation_is_recognised_by_the_signs_of_all_its_parts() {
        let sign = |parts: &[Primitive]| sign_of(parts.iter().copied().collect(), |_| Regime::TrendingDown);
        let both = sign(&[Primitive::LiquidityCrisis, Primitive::GasSpike]).unwrap();
        assert_eq!((both.liquidity, both.gas), (Some(LiquidityClass::Crisis), Some(GasClass::Spike)));
        assert_eq!((both.regime, both.volatility), (None, None));
        let breakout = sign(&[Primitive::MomentumBreakout, Primitive::GasSpike]).unwrap();
        assert_eq!(
            (breakout.volatility, breakout.regime),
            (Some(VolatilityBand::Wild), Some(Regime::TrendingDown))
        );
        assert_eq!(sign(&[Primitive::MeanReversion, Primitive::CascadingLiquidation]), None);
        let cascade = sign(&[Primitive::CascadingLiquidation, Primitive::LiquidityCrisis]).unwrap();
        assert_eq!(cascade.liquidity, Some(LiquidityClass::Crisis));
        assert_eq!(sign(&[Primitive::GasSpike, Primitive::RegimeChange]), None);
    }
}
