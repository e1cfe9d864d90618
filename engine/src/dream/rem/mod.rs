//! Imagination: alternatives to decisions, ideas, threats, and feelings worked through (REM sleep). None of it happened, so its findings
//! are tested awake like all others.
//!
//! Results are in R, arousal runs from 0 to 1. A counterfactual's result is read off the episode (regret, holds, reviews) and no guess of
//! the model, which draws the lesson. Dreams of the tier `core` ask the small model about at most one alternative to one decision, and
//! nothing else. In `hardened` ones the large model gets counterfactuals and ideas, or for want of money the middling one, which gets all
//! else. The field's terms: counterfactual reasoning, generative replay, threat simulation, emotional reappraisal.

pub mod creative;
pub mod threat;

use crate::dream::account::Question;
use crate::dream::nrem::Replayed;
use crate::dream::tier::{DreamOperation, DreamTier};
use crate::dream::view::DreamView;
use crate::episode::{Course, EpisodeKind, EpisodeRecord, Grimoire, StepKind};
use crate::llm::{Branch, EpisodeBrief, Task};
use crate::market::Regime;

/// Factor on a regret in the regime of the worst prospect, so that what is coming is examined first. (Dream architecture,
/// "anticipatory trajectories", which feed REM. The factor is our choice.)
const EXPECTED: f64 = 2.0;
/// Most episodes reappraised in one question. Our choice: a batch, as in replay.
const REAPPRAISED: usize = 10;

/// The questions about alternatives to the most regretted decisions, those in the regime of the worst prospect before others: own
/// actions before what one merely controls, the latest of equals first (Byrne; digest section 5). A lightweight dream asks about
/// one decision, and only about one alternative.
pub(crate) fn counterfactuals(
    replayed: &[Replayed],
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    (decisions, depth): (u32, u32),
    tier: DreamTier,
    worst_prospect: Option<Regime>,
) -> Vec<Question> {
    let remembered = replayed.iter().filter_map(|replayed| grimoire.get(replayed.episode));
    let mut key: Vec<&EpisodeRecord> = remembered.collect();
    // Episodes of the dead were handed over because of their losses: hindsight on them would draw a claim from the worst trades
    // only.
    let branches = |episode: &EpisodeRecord| branches(episode, view.courses.get(&episode.id));
    key.retain(|episode| grimoire.is_fair(episode) && !branches(episode).is_empty());
    let weight = |episode: &EpisodeRecord| {
        if worst_prospect == Some(episode.context.regime) {
            EXPECTED * episode.regret
        } else {
            episode.regret
        }
    };
    key.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(b.closed.cmp(&a.closed)).then(a.id.cmp(&b.id)));
    let ask = |(episode, branch)| Question {
        task: Task::Counterfactual { episode, branch },
        tier: tier.model(DreamOperation::Imagining),
        temperature: view.config.imagination.analytic_temperature,
    };
    let of = |episode: &EpisodeRecord| {
        let ways = branches(episode).into_iter().take(depth as usize);
        ways.map(|branch| (EpisodeBrief::from(episode), branch)).collect::<Vec<_>>()
    };
    key.into_iter().take(decisions as usize).flat_map(of).map(ask).collect()
}

/// Alternatives to a decision with a better result, by its course where it was reviewed.
fn branches(episode: &EpisodeRecord, course: Option<&Course>) -> Vec<Branch> {
    let mut branches = Vec::new();
    if let Some(strategy) = episode.better_strategy {
        let result_r = episode.realised_r + episode.regret;
        branches.push(Branch::OtherStrategy { strategy, result_r });
    }
    if episode.kind == EpisodeKind::Trade && episode.realised_r < 0.0 {
        branches.push(Branch::StayingOut);
    }
    // The part of a course after the position was left is followed on paper.
    let held_through = || course.into_iter().flat_map(Course::held_through);
    let holds = episode.chain.iter().filter(|step| step.kind == StepKind::Hold).map(|step| step.r);
    let best = holds.fold(f64::NEG_INFINITY, f64::max);
    if best > episode.realised_r {
        let best_review = held_through().max_by(|a, b| a.open_r.total_cmp(&b.open_r));
        branches.push(Branch::LeavingEarlier { result_r: best, held: best_review.map(|review| review.held) });
    }
    // A later entry can be reckoned from the position's value when it was reviewed. An earlier one can't: no episode holds prices
    // from before its trade. Stakes are read from all trades at once (`replay::stakes`).
    if let Some(worst) =
        held_through().min_by(|a, b| a.open_r.total_cmp(&b.open_r)).filter(|worst| worst.open_r < 0.0)
    {
        branches
            .push(Branch::EnteringLater { result_r: episode.realised_r - worst.open_r, held: worst.held });
    }
    branches
}

/// The question that separates facts from feeling, if any replayed episode has high arousal (Walker & van der Helm 2009).
pub(crate) fn reappraisal(
    replayed: &[Replayed],
    grimoire: &Grimoire,
    view: &DreamView<'_>,
) -> Option<Question> {
    let felt = |slot: &usize| f64::from(grimoire.arousal()[*slot]) > view.config.replay.high_arousal;
    let slots = replayed.iter().filter_map(|replayed| grimoire.slot_of(replayed.episode));
    let episodes: Vec<EpisodeBrief> =
        slots.filter(felt).take(REAPPRAISED).map(|slot| EpisodeBrief::from(grimoire.record(slot))).collect();
    let temperature = view.config.imagination.analytic_temperature;
    let task = (!episodes.is_empty()).then_some(Task::Reappraise { episodes });
    task.map(|task| Question::in_rich_dream(task, DreamOperation::Reading, temperature))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::record;
    use crate::episode::{DecisionStep, Review};
    use crate::market::{Held, HoldStage, OpenBand, SignalNow, Strategy};

    const HELD: Held = Held { stage: HoldStage::Early, open: OpenBand::Behind, signal: SignalNow::Stands };

    #[test]
    fn ways_not_taken_come_in_order_of_control() {
        let mut regretted = record(0, 10);
        (regretted.realised_r, regretted.regret) = (-1.0, 2.5);
        regretted.better_strategy = Some(Strategy::MeanReversion);
        regretted.chain = vec![DecisionStep { kind: StepKind::Hold, tick: 7, r: 0.8 }];
        let ways = branches(&regretted, None);
        assert!(matches!(
            ways[0],
            Branch::OtherStrategy { strategy: Strategy::MeanReversion, result_r: 1.5 }
        ));
        assert!(matches!(ways[1], Branch::StayingOut));
        assert!(matches!(ways[2], Branch::LeavingEarlier { result_r: 0.8, held: None }));
        // Thought over at −1.2 R and, on paper, at −3 R: an entry at the former made .2 R by the end.
        let review = |tick, open_r| Review { tick, held: HELD, open_r, rho: 0.0 };
        let course = Course {
            episode: regretted.id,
            strategy: regretted.strategy,
            context: regretted.context,
            reviews: vec![review(6, -1.2), review(7, 0.8), review(9, -3.0)],
            ended: 12,
            end_r: -2.0,
            left_at: Some(1),
        };
        let ways = branches(&regretted, Some(&course));
        let Branch::EnteringLater { result_r, held: HELD } = ways[3] else { panic!("{ways:?}") };
        assert!(
            (result_r - 0.2).abs() < 1e-12
                && matches!(ways[2], Branch::LeavingEarlier { held: Some(HELD), .. })
        );
        let mut content = record(1, 10);
        content.realised_r = 1.0;
        assert!(branches(&content, None).is_empty(), "nothing would have been better");
    }
}
