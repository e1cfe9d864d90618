//! Reverse replay: divides an outcome among the decisions that led to it, the last first (Foster & Wilson 2006).
//!
//! A trade is traced back with the probability min(1, rate·|R|), R its result, doubled for losses: the replay spec wants the rate to grow
//! with the outcome (Ambrose, Pfeiffer & Foster 2016) and losses to come first, because a gain may be luck. The spec names neither number;
//! one half for a gain of 1 R and twice that for a loss are our choice, by which every full loss is traced. It is temporal credit
//! assignment in the order of hippocampal reverse replay. Credits are in R, signed, and sum to the outcome; shares are of the absolute
//! credits, 0 to 1. A dream traces the episodes it has chosen, once, with twice the probability where forward replay found their strategy
//! in need of attention; the model that reads a batch gets the complete credits of its episodes and may name another pivotal decision. No
//! claim follows from them alone, but the simulated reader weighs a traced trade by its entry's share and reads its result with half the
//! noise.

use crate::episode::{DecisionStep, EpisodeKind, EpisodeRecord, Grimoire, StepKind};
use crate::market::Strategy;
use morta_base::keys;
use morta_base::{EpisodeId, Stream, Tick};
use serde::{Deserialize, Serialize};

keys! {
    /// Which outcomes are traced back.
    pub struct ReverseConfig {
        /// Probability of tracing a gain of 1 R back; proportional to |R| and at most 1.
        rate_per_r: f64 = 0.5, in 0.0..=100.0, "probability per R";
        /// Factor on that rate for losses.
        loss_factor: f64 = 2.0, in 1.0..=100.0, "factor";
    }
}

impl ReverseConfig {
    /// Sampling probability that an outcome of `r` R-multiples is traced back, linear in |r|, in [0, 1]: rate·|r|, times the loss factor
    /// when r is below 0, clamped to 1. For strategies in need of attention `reverse_replays` doubles it.
    pub fn rate(&self, r: f64) -> f64 {
        let factor = if r < 0.0 { self.loss_factor } else { 1.0 };
        (self.rate_per_r * factor * r.abs()).min(1.0)
    }
}

/// The contribution of one decision to an outcome: an attribution (return decomposition).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepCredit {
    /// The kind of decision.
    pub kind: StepKind,
    /// The tick of the decision.
    pub tick: Tick,
    /// R gained or lost between this decision and the next; for the entry also the cost of going in, for the exit
    /// what came off the open result when closing. Over all steps it sums to the realised R.
    pub credit_r: f64,
    /// Its share of all movement, |credit| over the sum of |credit|, 0 to 1; 0 when nothing moved.
    pub share: f64,
    /// The result had the position been closed here, in R; `None` for the analysis, which was before there was a position, and where the
    /// whole outcome stands on one step.
    pub r_if_closed_here: Option<f64>,
}

impl StepCredit {
    /// Before its share is known, and without a result at that moment.
    const fn new(kind: StepKind, tick: Tick, credit_r: f64) -> Self {
        Self { kind, tick, credit_r, share: 0.0, r_if_closed_here: None }
    }
}

/// One outcome, traced back: temporal credit assignment, with the decisions last first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreditAssignment {
    /// The episode.
    pub episode: EpisodeId,
    /// Its outcome, in R.
    pub realised_r: f64,
    /// Realised minus expected R: the error of the analysis.
    pub forecast_error_r: f64,
    /// The decisions, the latest first.
    pub steps: Vec<StepCredit>,
    /// Place in `steps` of the decision that moved the result most in the direction of the outcome; `None` when none
    /// did.
    pub pivotal: Option<u32>,
}

impl CreditAssignment {
    /// Whether the outcome was divided among two decisions or more, one of which turned it. It isn't when the chain was dropped as the
    /// episode was abstracted: the whole outcome then stands on the exit, which says nothing of how it came about. Only complete
    /// assignments are shown to a model and counted in the metrics.
    pub fn is_complete(&self) -> bool {
        self.pivotal.is_some() && self.steps.iter().filter(|step| step.r_if_closed_here.is_some()).count() > 1
    }

    /// Makes the decision of this kind that moved the result most the pivotal one, if there is one: an override by a reader's judgement,
    /// which replaces the largest movement.
    pub fn turn_on(&mut self, kind: StepKind) {
        let of_kind = self.steps.iter().enumerate().filter(|(_, step)| step.kind == kind);
        let most = of_kind.max_by(|(_, a), (_, b)| a.share.total_cmp(&b.share));
        if let Some((place, _)) = most {
            self.pivotal = Some(place as u32);
        }
    }

    /// The entry's part of all movement, 0 to 1; `None` where the outcome wasn't divided. The simulated reader weighs the trade by this
    /// attribution.
    pub fn entry_share(&self) -> Option<f64> {
        let entry = self.steps.iter().find(|step| step.kind == StepKind::Entry);
        entry.filter(|_| self.is_complete()).map(|entry| entry.share)
    }
}

/// Assigns an outcome to the decisions of its chain (temporal credit assignment) by the changes of R between them. An LLM may refine this,
/// but starts from what was measured, because a model can't correct its reasoning without feedback from outside (Huang et al. 2024, by the
/// replay spec).
///
/// An episode without an entry in its chain has its whole outcome on one step: the exit, or the analysis of a trade that was turned down.
pub fn assign_credit(episode: &EpisodeRecord) -> CreditAssignment {
    let mut steps = Vec::with_capacity(episode.chain.len().max(1));
    let mut r_after = episode.realised_r;
    for (place, &DecisionStep { kind, tick, r }) in episode.chain.iter().enumerate().rev() {
        if kind == StepKind::Analysis {
            steps.push(StepCredit::new(kind, tick, 0.0));
            continue;
        }
        let is_first = !episode.chain[..place].iter().any(|earlier| earlier.kind != StepKind::Analysis);
        let r_before = if is_first { 0.0 } else { r };
        steps.push(StepCredit {
            r_if_closed_here: Some(r),
            ..StepCredit::new(kind, tick, r_after - r_before)
        });
        r_after = r;
    }
    if steps.iter().all(|step| step.kind == StepKind::Analysis) {
        assign_whole(episode, &mut steps);
    }
    finish(episode, steps)
}

/// Puts the whole outcome on one step.
fn assign_whole(episode: &EpisodeRecord, steps: &mut Vec<StepCredit>) {
    let (kind, tick) = match episode.kind {
        EpisodeKind::Trade => (StepKind::Exit, episode.closed),
        EpisodeKind::StayedOut => (StepKind::Analysis, episode.opened),
    };
    steps.retain(|step| step.kind != kind);
    steps.insert(0, StepCredit::new(kind, tick, episode.realised_r));
}

fn finish(episode: &EpisodeRecord, mut steps: Vec<StepCredit>) -> CreditAssignment {
    let movement: f64 = steps.iter().map(|step| step.credit_r.abs()).sum();
    if movement > 0.0 {
        for step in &mut steps {
            step.share = step.credit_r.abs() / movement;
        }
    }
    let direction = if episode.realised_r < 0.0 { -1.0 } else { 1.0 };
    let mut pivotal: Option<usize> = None;
    for (place, step) in steps.iter().enumerate() {
        let towards = step.credit_r * direction;
        if towards > pivotal.map_or(0.0, |best| steps[best].credit_r * direction) {
            pivotal = Some(place);
        }
    }
    CreditAssignment {
        episode: episode.id,
        realised_r: episode.realised_r,
        forecast_error_r: episode.realised_r - episode.expected_r,
        pivotal: pivotal.map(|place| place as u32),
        steps,
    }
}

/// Factor on the rate for trades that are like a position in need of attention. (Dream spec, "anticipatory trajectories",
/// which feed credit assignment. The factor is our choice: the same as for regrets in the regime of the worst prospect.)
const ATTENTION: f64 = 2.0;

/// Traces back (credit assignment) the stored trades among the episodes, each with its rate's probability and those by a strategy of
/// `attention` with twice that. Every trade takes one number of the stream, in the order given, whether or not it is traced, so that one
/// trade's luck never depends on another's. Losses come first, then gains, each by size.
pub fn reverse_replays(
    episodes: &[EpisodeId],
    grimoire: &Grimoire,
    attention: &[Strategy],
    config: &ReverseConfig,
    stream: &mut Stream,
) -> Vec<CreditAssignment> {
    let mut traced: Vec<CreditAssignment> = Vec::new();
    for episode in episodes.iter().filter_map(|id| grimoire.get(*id)) {
        let factor = if attention.contains(&episode.strategy) { ATTENTION } else { 1.0 };
        let rate = (factor * config.rate(episode.realised_r)).min(1.0);
        if episode.kind == EpisodeKind::Trade && stream.chance(rate) {
            traced.push(assign_credit(episode));
        }
    }
    traced.sort_by(|a, b| {
        let is_gain = |assignment: &CreditAssignment| assignment.realised_r >= 0.0;
        let by_size = b.realised_r.abs().total_cmp(&a.realised_r.abs());
        is_gain(a).cmp(&is_gain(b)).then(by_size).then(a.episode.cmp(&b.episode))
    });
    traced
}
