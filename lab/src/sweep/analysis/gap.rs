//! The share of the gap between a lower and an upper bound that an arm closes.
//!
//! share = (arm − lower) / (upper − lower), of means over the worlds in which all three have a value; 0 at the lower bound, 1 at the upper,
//! below and above without limit. It can't be computed where the upper bound is no better than the lower.
//!
//! The upper bound is the registered ceiling. The lower one is the baseline, unless that is one of the arms that bound memories from below:
//! then it is the best of those that the sweep has. `none` alone is no lower bound where the prior misleads or where a market rewards
//! haste: an arm can lie far above it that chooses at random, or that knows one fixed policy and no circumstances.
//!
//! It is a normalized score (optimality gap) between a lower bound and an oracle. It has a bootstrap interval, isn't tested and decides
//! nothing. Without a registered `ceiling` there is none; `compare` asks for it in each measure that it compares.

use super::Question;
use super::compare::Basis;
use crate::sweep::measure::Better;
use crate::sweep::sweep_file::layout::GridPlace;
use crate::sweep::sweep_file::{Design, Sweep};
use morta_stats::aggregate::Estimate;
use morta_stats::{Computed, ceiling};
use serde::{Deserialize, Serialize};

/// Names of the arms that bound memories from below: without memory, with choices at random, and with the best fixed policy. In a list or a
/// grid they are taken where the baseline stands, on its rung and at its point of the axes.
const LOWER_BOUNDS: [&str; 3] = ["none", "random", "constant"];
/// Stream of random numbers, apart from those of comparisons, so that a registered ceiling changes no other figure.
const PART_OF_GAPS: u32 = 900;

/// The ends of the gap in one measure: the arms of its lower and upper bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GapEnds {
    /// The arm at the lower end.
    pub from: String,
    /// The arms that it is the best of, itself among them.
    pub best_of: Vec<String>,
    /// The arm at the upper end.
    pub to: String,
}

impl GapEnds {
    /// Words both ends of the gap, as a sentence names them.
    pub fn in_words(&self) -> String {
        let Self { from, best_of, to } = self;
        match best_of.as_slice() {
            [names @ .., last] if !names.is_empty() => {
                format!("from {from} (the best of {} and {last}) to {to}", names.join(", "))
            }
            _ => format!("from {from} to {to}"),
        }
    }
}

/// The gap in one measure: the arms at its ends, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The lower end, which is the best of these.
    from: usize,
    best_of: Vec<usize>,
    /// The ceiling.
    to: usize,
}

impl Gap {
    /// The gap of a sweep with a ceiling; `None` in a measure of which neither more nor less is better, for then no end is the upper one.
    pub(super) fn from_sweep(sweep: &Sweep, question: &Question) -> Option<Self> {
        let (to, baseline, better) = (sweep.ceiling()?, sweep.baseline(), question.measure.better);
        if better == Better::Neither {
            return None;
        }
        let layout = sweep.file.layout();
        let named = |name: &&str| match sweep.file.design {
            Design::List | Design::Grid => {
                let arm = sweep.file.arms.iter().position(|arm| arm.name == *name)?;
                Some(layout.index(GridPlace { arm, ..layout.place(baseline) }))
            }
            _ => sweep.arm_named(name),
        };
        let bounds: Vec<usize> = LOWER_BOUNDS.iter().filter_map(named).collect();
        let best_of = if bounds.contains(&baseline) { bounds } else { vec![baseline] };
        Some(Self { from: best(&best_of, to, &question.values, better), best_of, to })
    }

    /// The ends by their names.
    pub(super) fn ends(&self, sweep: &Sweep) -> GapEnds {
        let name = |arm: usize| sweep.arms[arm].name.clone();
        let best_of = self.best_of.iter().map(|arm| name(*arm)).collect();
        GapEnds { from: name(self.from), best_of, to: name(self.to) }
    }

    /// The share of the gap that an arm closes; `None` for the ends themselves, whose shares are 0 and 1 by definition.
    pub(super) fn share(
        &self,
        basis: &Basis<'_>,
        question: &Question,
        arm: usize,
    ) -> Option<Computed<Estimate>> {
        if arm == self.to || arm == self.from {
            return None;
        }
        let values = &question.values;
        let [mut own, mut base, mut best] = [const { Vec::new() }; 3];
        for ((arm, from), to) in values[arm].iter().zip(&values[self.from]).zip(&values[self.to]) {
            if let (Some(arm), Some(from), Some(to)) = (arm, from, to) {
                own.push(*arm);
                base.push(*from);
                best.push(*to);
            }
        }
        let gap: f64 = best.iter().zip(&base).map(|(best, base)| best - base).sum();
        let better = if question.measure.better == Better::Less { -gap } else { gap };
        if better <= 0.0 {
            let GapEnds { from, to, .. } = self.ends(basis.sweep);
            let why = format!("the ceiling {to} is no better than {from} in {}", question.measure.name);
            return Some(Computed::Unknown { cannot_be_computed: why });
        }
        Some(ceiling::share_of_gap(&own, &base, &best, &basis.rules.bootstrap(PART_OF_GAPS)).into())
    }
}

/// The best of some arms by their means over the worlds in which all of them and the ceiling have a value, so that no arm is best because
/// it failed where worlds were bad; the first of equals.
fn best(arms: &[usize], ceiling: usize, values: &[Vec<Option<f64>>], better: Better) -> usize {
    let complete = |world: &usize| arms.iter().chain([&ceiling]).all(|arm| values[*arm][*world].is_some());
    let worlds: Vec<usize> = (0..values[ceiling].len()).filter(complete).collect();
    let sum = |arm: usize| -> f64 {
        let sum: f64 = worlds.iter().filter_map(|world| values[arm][*world]).sum();
        if better == Better::Less { -sum } else { sum }
    };
    arms.iter().copied().reduce(|best, own| if sum(own) > sum(best) { own } else { best }).unwrap_or(ceiling)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arms none, random, constant and the ceiling in three worlds. In the third world `random` failed, so its luck of the others there
    /// doesn't count: the means of the first two are 1.5, 2.5, 2 and 9.
    #[test]
    fn the_lower_end_is_the_best_of_those_there_are() {
        let values = [
            vec![Some(1.0), Some(2.0), Some(90.0)],
            vec![Some(2.0), Some(3.0), None],
            vec![Some(1.0), Some(3.0), Some(50.0)],
            vec![Some(9.0), Some(9.0), Some(9.0)],
        ];
        for (arms, better, expected) in [
            (vec![0, 1, 2], Better::More, 1),
            (vec![0, 1, 2], Better::Less, 0),
            (vec![0, 2], Better::More, 0),
            (vec![2], Better::More, 2),
        ] {
            assert_eq!(best(&arms, 3, &values, better), expected, "{arms:?}");
        }
    }

    #[test]
    fn the_ends_are_named_with_the_arms_the_lower_one_is_the_best_of() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let ends = |best_of| GapEnds { from: "random".to_owned(), best_of, to: "oracle".to_owned() };
        assert_eq!(
            ends(names(&["none", "random", "constant"])).in_words(),
            "from random (the best of none, random and constant) to oracle"
        );
        assert_eq!(ends(names(&["random"])).in_words(), "from random to oracle");
    }
}
