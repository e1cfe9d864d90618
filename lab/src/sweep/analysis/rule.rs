//! A verdict that counts wins over several criteria, by the rule that was registered.
//!
//! A criterion is won where the treated arm is better by more than the margin m (the measure's unit) after correction over the criteria of
//! its pair, and lost where it is worse by more than m. "By more than m" is tested by moving the treated arm's values by m towards the
//! control's and testing that difference against 0; a test against 0 alone would call a gain of any size a win. Without a margin m = 0, and
//! both are the same test. Several treated arms are several pairs, which aren't corrected for one another. Only a sweep whose registration
//! has a rule has such a verdict.
//!
//! It is a decision rule with several endpoints: superiority by a margin, and vote counting of wins and losses.

use super::compare::Basis;
use super::contrast::{Aim, Contrast, judge};
use crate::sweep::sweep_file::layout::GridPlace;
use crate::sweep::sweep_file::rule::{Criterion, Rule};
use crate::sweep::sweep_file::{Correction, Direction, Sweep, Test};
use serde::{Deserialize, Serialize};

/// The outcome of the registered decision rule, as `rule` of `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RuleReport {
    /// Wins from which on the hypothesis is supported.
    pub wins_needed: u64,
    /// Wins from which on it is supported weakly; none where the rule has no such step.
    pub wins_weak: Option<u64>,
    /// Losses from which on it is refuted.
    pub losses_needed: u64,
    /// The test of each criterion.
    pub test: Test,
    /// The correction for several criteria.
    pub correction: Correction,
    /// The error rate.
    pub alpha: f64,
    /// The pairs of arms that were judged.
    pub pairs: Vec<JudgedPair>,
}

/// One arm judged against another by the rule, criterion by criterion.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgedPair {
    /// The arm that is judged.
    pub treated: String,
    /// The arm it is judged against.
    pub control: String,
    /// Each criterion.
    pub criteria: Vec<JudgedCriterion>,
    /// How many were won.
    pub wins: u64,
    /// How many were lost.
    pub losses: u64,
    /// How many are undecided.
    pub undecided: u64,
    /// The verdict that the rule draws from these counts.
    pub verdict: RuleVerdict,
}

/// The result of one criterion for a pair of arms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgedCriterion {
    /// Its name in the file; the name of its measure where it has none.
    pub name: String,
    /// Its measure.
    pub measure: String,
    /// The measure's unit.
    pub unit: String,
    /// The cohort it is taken of.
    pub cohort: String,
    /// Which way is better.
    pub direction: Direction,
    /// The margin by which the better arm must be better, in the measure's unit.
    pub margin: f64,
    /// The arm less the other: effect and interval as they are, p that the gain or loss goes beyond the margin.
    #[serde(flatten)]
    pub contrast: Contrast,
    /// What came of it.
    pub outcome: CriterionOutcome,
}

morta_base::words! {
    /// What came of a criterion (win, loss or undecided).
    pub enum CriterionOutcome {
        /// The arm is better, beyond the margin, after correction.
        Won = "won",
        /// It is worse, beyond the margin, after correction.
        Lost = "lost",
        /// Neither is shown, or nothing can be computed.
        Undecided = "undecided",
    }

    /// What the rule makes of wins and losses (hypothesis verdict, decision outcome; inconclusive where neither side has enough).
    pub enum RuleVerdict {
        /// As many wins as are needed.
        Supported = "supported",
        /// Fewer, but enough for weak support, and fewer losses than that.
        WeaklySupported = "weakly_supported",
        /// As many losses as refute it.
        Refuted = "refuted",
        /// Fewer, but enough for a weak refutation, and fewer wins than that.
        WeaklyRefuted = "weakly_refuted",
        /// None of these.
        Undecided = "undecided",
    }
}

impl RuleVerdict {
    /// The verdict of so many wins and losses. Full support is looked for before refutation, and weak verdicts only where the other side
    /// isn't weakly shown as well: as many weak wins as weak losses decide nothing.
    fn from_counts(rule: &Rule, wins: u64, losses: u64) -> Self {
        let weak = rule.wins_weak.unwrap_or(u64::MAX);
        if wins >= rule.wins_needed {
            Self::Supported
        } else if losses >= rule.losses_needed() {
            Self::Refuted
        } else if wins >= weak && losses < weak {
            Self::WeaklySupported
        } else if losses >= weak && wins < weak {
            Self::WeaklyRefuted
        } else {
            Self::Undecided
        }
    }
}

impl RuleReport {
    /// Judges every pair of a sweep whose registration has a rule.
    pub(super) fn from_sweep(basis: &Basis<'_>, rule: &Rule) -> Self {
        let rules = &basis.rules;
        let (treated, control) = pairs(basis.sweep, rule);
        let pair = |arm: usize| judged(basis, rule, [arm, control]);
        Self {
            wins_needed: rule.wins_needed,
            wins_weak: rule.wins_weak,
            losses_needed: rule.losses_needed(),
            test: rules.test(),
            correction: rules.correction(),
            alpha: rules.alpha(),
            pairs: treated.into_iter().map(pair).collect(),
        }
    }
}

/// Numbers of the arms that are judged, and of the control, both on the rung and the point of the axes where the baseline stands.
fn pairs(sweep: &Sweep, rule: &Rule) -> (Vec<usize>, usize) {
    let (file, baseline) = (&sweep.file, sweep.baseline());
    let layout = file.layout();
    let named = |name: &String| {
        let arm = file.arm_place(name);
        layout.index(GridPlace { arm, ..layout.place(baseline) })
    };
    let control = rule.control.as_ref().map_or(baseline, named);
    let treated = match &rule.treated {
        Some(name) => vec![named(name)],
        None => sweep.compared().into_iter().filter(|arm| *arm != control).collect(),
    };
    (treated, control)
}

fn judged(basis: &Basis<'_>, rule: &Rule, [treated, control]: [usize; 2]) -> JudgedPair {
    let (sweep, rules) = (basis.sweep, &basis.rules);
    let mut beyond: Vec<Contrast> = Vec::new();
    let mut plain: Vec<Contrast> = Vec::new();
    for criterion in &rule.criteria {
        let question = basis.question(&criterion.measure, &criterion.cohort);
        let (own, base) = (&question.values[treated], &question.values[control]);
        let found = Contrast::between(basis, question, [treated, control]);
        beyond.push(Contrast::from_values(&drawn(criterion, own, found.effect), base, Aim::default(), rules));
        plain.push(found);
    }
    judge(&mut beyond, rules.correction(), rules);
    let criteria = rule.criteria.iter().zip(plain.into_iter().zip(beyond));
    let criteria: Vec<JudgedCriterion> = criteria
        .map(|(criterion, (plain, beyond))| {
            let question = basis.question(&criterion.measure, &criterion.cohort);
            let outcome = outcome(criterion, &beyond, plain.effect);
            JudgedCriterion {
                name: criterion.label().to_owned(),
                measure: criterion.measure.clone(),
                unit: question.measure.unit.to_owned(),
                cohort: criterion.cohort.clone(),
                direction: criterion.direction,
                margin: criterion.margin,
                contrast: plain.with_p_of(beyond),
                outcome,
            }
        })
        .collect();
    let count = |wanted: CriterionOutcome| criteria.iter().filter(|one| one.outcome == wanted).count() as u64;
    let (wins, losses, undecided) =
        (count(CriterionOutcome::Won), count(CriterionOutcome::Lost), count(CriterionOutcome::Undecided));
    JudgedPair {
        treated: sweep.arms[treated].name.clone(),
        control: sweep.arms[control].name.clone(),
        wins,
        losses,
        undecided,
        verdict: RuleVerdict::from_counts(rule, wins, losses),
        criteria,
    }
}

/// The treated arm's values moved towards the control's by the margin, from the side of the mean difference. A difference that stays on
/// that side is beyond the margin.
fn drawn(criterion: &Criterion, own: &[Option<f64>], effect: Option<f64>) -> Vec<Option<f64>> {
    let shift = if effect.unwrap_or(0.0) >= 0.0 { criterion.margin } else { -criterion.margin };
    own.iter().map(|value| value.map(|value| value - shift)).collect()
}

fn outcome(criterion: &Criterion, beyond: &Contrast, effect: Option<f64>) -> CriterionOutcome {
    let (left, effect) = (beyond.effect.unwrap_or(0.0), effect.unwrap_or(0.0));
    let rejects = beyond.corrected_p.known().zip(beyond.alpha).is_some_and(|(p, alpha)| *p <= alpha);
    // A mean within the margin changes its sign when it is moved: then p speaks for the opposite side, so the criterion stays undecided.
    if !rejects || left * effect <= 0.0 {
        CriterionOutcome::Undecided
    } else if (left > 0.0) == (criterion.direction == Direction::More) {
        CriterionOutcome::Won
    } else {
        CriterionOutcome::Lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::analysis::compare::DecisionRules;

    fn rule(wins_weak: Option<u64>, losses_needed: Option<u64>) -> Rule {
        let criterion = |name: &str| Criterion {
            name: name.to_owned(),
            measure: "mean_r".to_owned(),
            direction: Direction::More,
            cohort: "all".to_owned(),
            margin: 0.0,
        };
        Rule {
            treated: None,
            control: None,
            criteria: ["a", "b", "c", "d", "e", "f"].map(criterion).to_vec(),
            wins_needed: 4,
            wins_weak,
            losses_needed,
        }
    }

    /// Four of six support; three losses make that impossible, unless the rule asks for four.
    #[test]
    fn verdicts_follow_the_registered_numbers() {
        use RuleVerdict::{Refuted, Supported, Undecided, WeaklyRefuted, WeaklySupported};
        let plain = rule(None, None);
        for (wins, losses, expected) in
            [(4, 2, Supported), (3, 2, Undecided), (3, 3, Refuted), (0, 0, Undecided), (6, 0, Supported)]
        {
            assert_eq!(RuleVerdict::from_counts(&plain, wins, losses), expected, "{wins} to {losses}");
        }
        let mirrored = rule(Some(3), Some(4));
        for (wins, losses, expected) in [
            (3, 2, WeaklySupported),
            (3, 3, Undecided),
            (2, 3, WeaklyRefuted),
            (2, 4, Refuted),
            (2, 2, Undecided),
        ] {
            assert_eq!(RuleVerdict::from_counts(&mirrored, wins, losses), expected, "{wins} to {losses}");
        }
    }

    /// Twelve worlds with gains of .9 to 2: shown against nothing and beyond .5, not beyond 1.4, and a mean below the margin is neither won
    /// nor lost.
    #[test]
    fn a_margin_must_be_gone_beyond() {
        let rules = DecisionRules::unregistered();
        let own: Vec<Option<f64>> = (0..12).map(|world| Some(0.9 + f64::from(world) * 0.1)).collect();
        let base = vec![Some(0.0); 12];
        for (direction, margin, expected) in [
            (Direction::More, 0.0, CriterionOutcome::Won),
            (Direction::Less, 0.0, CriterionOutcome::Lost),
            (Direction::More, 0.5, CriterionOutcome::Won),
            (Direction::More, 1.4, CriterionOutcome::Undecided),
            (Direction::More, 9.0, CriterionOutcome::Undecided),
            (Direction::Less, 9.0, CriterionOutcome::Undecided),
        ] {
            let criterion = Criterion { direction, margin, ..rule(None, None).criteria.remove(0) };
            let effect = Contrast::from_values(&own, &base, Aim::default(), &rules).effect;
            let mut beyond =
                Contrast::from_values(&drawn(&criterion, &own, effect), &base, Aim::default(), &rules);
            judge([&mut beyond], Correction::Holm, &rules);
            assert_eq!(outcome(&criterion, &beyond, effect), expected, "{direction:?} {margin}");
        }
    }
}
