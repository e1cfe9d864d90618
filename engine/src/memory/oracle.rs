//! The upper bound: it reads the market's true regime, the law in force (while one comes into force gradually, the mean of two)
//! and the calendar, and knows the mean result and duration of each strategy in them.
//!
//! Its skill can be divided: each of the members below but `oracle` itself knows the truth for one question only and answers all others as
//! `none` does, so its gain over `none` is the worth of that skill. (Sizes show in money and not in R.)
//!
//! | member | worth taking? | which? | how much? | how long? |
//! |---|---|---|---|---|
//! | `oracle` | truth | truth | truth | truth |
//! | `oracle-abstains` | truth | prior | usual | to the end |
//! | `oracle-chooses` | prior | truth | usual | to the end |
//! | `oracle-sizes` | prior | prior | truth | to the end |
//! | `oracle-times` | prior | prior | usual | truth |
//!
//! Duration is known where golems review positions (`golem.holding.review_ticks`): the value of staying to the end by true regime and state
//! of the position. It leaves where that is less than the value of its time. That it might leave later isn't reckoned in, so this is a
//! lower estimate of the bound. In machine learning this is an oracle baseline with skill decomposition (ablation by component). Results
//! are in R, sizes are factors on the usual stake, from .1 to 1, or of the largest allowed stake where that is smaller. Of these members
//! `oracle` doesn't explore, the others do as `none` does.

use crate::episode::Provenance;
use crate::market::{Regime, StayTruth, Truth, TruthEntry, blend};
use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, Holding, HoldingAdvice, Holds, MemoryArchitecture,
    MemoryBirth, Outlook, Split, Voice, VoiceSource,
};
use crate::memory::family::{FamilyMember, Foreknowledge, MemoryKeys};
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Feature flags for skill decomposition (ablation mask): the questions that an oracle answers by the truth; the others by the prior.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skills {
    /// Whether a candidate is worth taking at all.
    pub abstains: bool,
    /// Which of them to take.
    pub chooses: bool,
    /// How much to stake on it.
    pub sizes: bool,
    /// How long to stay in.
    pub times: bool,
}

impl Skills {
    /// The questions of the member of a name; all of them for any other name.
    fn for_member(name: &str) -> Self {
        let none = Self { abstains: false, chooses: false, sizes: false, times: false };
        match name {
            "oracle-abstains" => Self { abstains: true, ..none },
            "oracle-chooses" => Self { chooses: true, ..none },
            "oracle-sizes" => Self { sizes: true, ..none },
            "oracle-times" => Self { times: true, ..none },
            _ => Self { abstains: true, chooses: true, sizes: true, times: true },
        }
    }
}

/// The smallest stake, as a share of the usual one: a trade that the truth calls a loss is still taken, where the oracle doesn't
/// abstain. At 0 it would abstain after all.
const LEAST_SIZE: f64 = 0.1;

/// Limits of stakes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Stakes {
    /// Share of the balance usually risked at the stop.
    risk_per_trade: f64,
    /// Largest stake as a share of the balance.
    max_position_share: f64,
}

impl Stakes {
    /// The multiplier of a trade's size: Kelly's share of the balance at risk, E\[R\] / E\[R²\] (Kelly 1956, for small shares),
    /// over the share that the usual stake risks, within [0.1, 1]. Usual stakes lie far below Kelly's, so in effect gains are
    /// staked in full and losses at a tenth.
    ///
    /// Where the largest allowed stake binds, a smaller multiplier alone would change nothing, so it counts from that stake.
    fn size(&self, entry: &TruthEntry, stop_distance: f64) -> f64 {
        let largest = (self.max_position_share * stop_distance / self.risk_per_trade).min(1.0);
        let risked = self.risk_per_trade * largest;
        let kelly = if entry.mean_square_r > 0.0 { entry.mean_r / entry.mean_square_r } else { 0.0 };
        let share = (kelly / risked).clamp(LEAST_SIZE, 1.0);
        if share >= 1.0 { 1.0 } else { share * largest }
    }
}

/// An oracle baseline (upper bound) with perfect information on regimes: it knows the ground truth by shared knowledge; it neither learns
/// nor bequeaths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OracleMemory {
    #[serde(with = "morta_base::shared")]
    /// Truths by the number of the law.
    truth: Arc<Vec<Truth>>,
    /// Values of staying, by the number of the law; empty where positions are held to their end.
    #[serde(with = "morta_base::shared")]
    staying: Arc<Vec<StayTruth>>,
    skills: Skills,
    stakes: Stakes,
}

impl OracleMemory {
    /// The true outlook of a candidate.
    fn advise_on(&self, moment: &DecisionContext<'_>, candidate: &Candidate) -> Advice {
        let under = |law: u16| {
            let table = self.truth[usize::from(law)].at(moment.tick, candidate.asset);
            *table.entry_of(moment.true_regime, candidate.strategy, &candidate.signal)
        };
        let entry = &moment.law.mean_under(under, TruthEntry::mean);
        // The present cost is known to every golem: one that has grown poor pays more of its stake for gas than the table's.
        let expected_r = entry.mean_r + entry.mean_cost_r - candidate.cost_r;
        let entry = &TruthEntry { mean_r: expected_r, mean_cost_r: candidate.cost_r, ..*entry };
        let truly = Outlook { expected_r, held_ticks: Some(entry.mean_ticks) };
        let prior = Outlook { expected_r: candidate.prior_r, held_ticks: None };
        let by = |skill: bool| if skill { truly } else { prior };
        let Skills { abstains, chooses, sizes, .. } = self.skills;
        let outlook = by(abstains || chooses);
        let voice =
            Voice::new(VoiceSource::Truth(moment.true_regime), Provenance::Own, 1.0, truly.expected_r);
        Advice {
            expected_r: outlook.expected_r,
            held_ticks: outlook.held_ticks,
            confidence: 1.0,
            size_multiplier: if sizes {
                self.stakes.size(entry, candidate.signal.stop_distance)
            } else {
                1.0
            },
            split: (abstains != chooses).then(|| Split { gate: by(abstains), choice: by(chooses) }),
            why: vec![voice],
            ..Advice::prior(candidate)
        }
    }
}

/// The true value of staying in, in a regime; `None` for states that are hardly ever met. `oracle-as-read` uses it too, by the regime as
/// read.
pub(super) fn staying_by(
    known: &[StayTruth],
    moment: &DecisionContext<'_>,
    regime: Regime,
    holding: &Holding<'_>,
    source: VoiceSource,
) -> Option<HoldingAdvice> {
    let (held, candidate) = (moment.context.held?, holding.candidate);
    let under = |law: u16| {
        let entry = known[usize::from(law)].at(candidate.asset, candidate.strategy, held, regime)?;
        Some(entry.stay_r - holding.rho * entry.ticks_left)
    };
    let stay_r =
        moment.law.mean_under(under, |before, after, weight| Some(blend(before?, after?, weight)))?;
    let voice = Voice::new(source, Provenance::Own, 1.0, stay_r);
    Some(HoldingAdvice { stay_r, why: vec![voice] })
}

impl FamilyMember for OracleMemory {
    const FOREKNOWLEDGE: Foreknowledge = Foreknowledge::Truth;

    /// # Panics
    /// When the plan doesn't know the truth ([`crate::world::Plan::knowing`]).
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        let MemoryBirth { risk_per_trade, max_position_share, .. } = *birth;
        let truth = keys.knowledge.truth.as_ref().expect("a plan with oracles knows the truth");
        Self {
            truth: Arc::clone(truth),
            staying: keys.knowledge.staying.clone().unwrap_or_default(),
            skills: Skills::for_member(birth.name),
            stakes: Stakes { risk_per_trade, max_position_share },
        }
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        if let Some(truth) = &keys.knowledge.truth {
            self.truth = Arc::clone(truth);
        }
        self.staying = keys.knowledge.staying.clone().unwrap_or_default();
    }
}

impl MemoryArchitecture for OracleMemory {
    crate::capable_of!(holds);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| self.advise_on(moment, candidate)));
    }

    /// With one skill only it explores as `none` does, so that the worth of the skill is the only difference between them.
    fn explores(&self) -> bool {
        !(self.skills.abstains && self.skills.chooses)
    }

    /// It knows already.
    fn observe(&mut self, _: &Experience<'_>) {}
}

impl Holds for OracleMemory {
    fn advise_holding(&self, moment: &DecisionContext<'_>, holding: &Holding<'_>) -> Option<HoldingAdvice> {
        let known = (self.skills.times && !self.staying.is_empty()).then_some(&self.staying)?;
        let voice = VoiceSource::Truth(moment.true_regime);
        staying_by(known, moment, moment.true_regime, holding, voice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::common::memory::{candidate, moment};
    use crate::episode::Context;
    use crate::market::{Signal, Strategy, TruthTable};

    const STAKES: Stakes = Stakes { risk_per_trade: 0.02, max_position_share: 0.25 };

    fn entry(mean_r: f64, mean_square_r: f64) -> TruthEntry {
        TruthEntry { mean_r, mean_square_r, mean_ticks: 7.0, trades: 100, ..TruthEntry::default() }
    }

    /// Worked out by hand from Kelly's share (Kelly 1956), because a figure of the code's own would agree with any mistake in it. At a stop
    /// of 1 % the largest stake, a quarter of the balance, risks .25 %: an eighth of the risk that it would have otherwise. A gain of .1 R
    /// with a mean square of 1.7 R² has a Kelly share of 5.9 %, far above: all of it. A loss: a tenth of the largest stake, so 1/80 of the
    /// usual one. .004 R at 1.6 R² has .25 %: all; .002 R half of the largest stake.
    #[test]
    fn stakes_follow_kelly_below_the_largest() {
        for (entry, size) in [
            (entry(0.1, 1.7), 1.0),
            (entry(-0.1, 1.7), 0.0125),
            (entry(0.004, 1.6), 1.0),
            (entry(0.002, 1.6), 0.0625),
        ] {
            assert!((STAKES.size(&entry, 0.01) - size).abs() < 1e-12, "{entry:?}");
        }
        // Where the stop is so far that the usual risk binds, the multiplier is the share itself.
        assert!((STAKES.size(&entry(-0.1, 1.7), 0.5) - 0.1).abs() < 1e-12);
        assert_eq!(
            STAKES.size(&TruthEntry::default(), 0.5),
            0.1,
            "of what is never seen nothing is expected"
        );
    }

    /// A candidate whose prior is .3 R and whose truth is −.2 R in seven ticks.
    #[test]
    fn each_skill_knows_the_truth_for_its_own_question() {
        let mut table = TruthTable::default();
        table.entries[Regime::Volatile.index()][Strategy::Momentum.index()] = entry(-0.2, 1.7);
        let truth = Arc::new(vec![Truth::standing(table)]);
        let context = Context { regime: Regime::RangeBound, ..episode(0, 0).context };
        let moment = moment(9, context, &[0.0; 16]);
        let signal = Signal { strength: 0.5, stop_distance: 0.01, horizon_ticks: 8 };
        let candidate = Candidate { signal, ..candidate(Strategy::Momentum, 0.3) };
        let (truly, prior) = (
            Outlook { expected_r: -0.2, held_ticks: Some(7.0) },
            Outlook { expected_r: 0.3, held_ticks: None },
        );
        for (name, gate, choice, size) in [
            ("oracle", truly, truly, 0.0125),
            ("oracle-abstains", truly, prior, 1.0),
            ("oracle-chooses", prior, truly, 1.0),
            ("oracle-sizes", prior, prior, 0.0125),
        ] {
            let (truth, staying) = (Arc::clone(&truth), Arc::default());
            let oracle = OracleMemory { truth, staying, skills: Skills::for_member(name), stakes: STAKES };
            let advice = oracle.advise_on(&moment, &candidate);
            assert_eq!(
                (advice.gate(), advice.choice(), advice.size_multiplier),
                (gate, choice, size),
                "{name}"
            );
        }
    }
}
