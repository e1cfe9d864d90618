//! The narrator: which events of the log become lines, and in what words (event filter, projection of the event log). `Follower` writes its
//! lines for `morta run --follow`, and the page of `morta watch` shows them. Most events make no line, because a viewer would drown in
//! trades. A golem that outlives the run gets no `died`; one that fails in its own step gets it without `dying` before. After a resumption
//! lines go on as if every golem were awake.

use super::{FollowLine, Happening, Mode};
use morta_base::{DreamId, GolemId, Tick, Usdc};
use morta_engine::dream::DreamPhase;
use morta_engine::event::{Event, EventKind};
use std::collections::BTreeMap;

/// Turns events into lines (event filter). It keeps of each golem only its mode and its dream, and forgets the dead, so that a long run
/// takes no more memory than a short one.
#[derive(Debug, Default)]
pub struct Narrator {
    /// Names of cohorts, by number.
    cohorts: Vec<String>,
    /// The living, by id.
    golems: BTreeMap<GolemId, State>,
}

#[derive(Debug)]
struct State {
    mode: Mode,
    dream: Option<Dream>,
}

/// A dream under way.
#[derive(Debug)]
struct Dream {
    began: Tick,
    budget: Usdc,
    /// All inference charges since it began; one may be for a late reply to an earlier dream.
    spent: Usdc,
    /// Phases it has; a rich dream begins with its onset.
    phases: usize,
    /// Phases that have begun so far.
    begun: usize,
    /// Hypotheses of imagination so far.
    hypotheses: u32,
}

/// Phases of a dream that has no onset and no return.
const CORE_PHASES: usize = 3;

impl Narrator {
    /// Begins a world with cohorts of these names, and forgets the state of an earlier one.
    pub fn begin(&mut self, cohorts: Vec<String>) {
        *self = Self { cohorts, golems: BTreeMap::new() };
    }

    /// Turns an event into its lines; most events have none.
    pub fn tell(&mut self, event: &Event, on_line: &mut dyn FnMut(FollowLine)) {
        let Some(golem) = event.golem else { return };
        let mut say = |happening| on_line(FollowLine { tick: event.tick, golem, happening });
        if let EventKind::Born { cohort, parent, endowment } = &event.kind {
            let cohort = self.cohorts.get(usize::from(*cohort)).cloned().unwrap_or_default();
            say(Happening::Born { cohort, parent: *parent, endowment_usd: endowment.dollars() });
        }
        // A run that is resumed begins with golems whose birth was a line before the interruption.
        let state = self.golems.entry(golem).or_insert(State { mode: Mode::Awake, dream: None });
        match &event.kind {
            EventKind::DreamStarted { id, urgency, budget, order, .. } => {
                let (began, budget, spent) = (event.tick, *budget, Usdc::ZERO);
                let (phases, begun, hypotheses) = (CORE_PHASES, 0, 0);
                state.dream = Some(Dream { began, budget, spent, phases, begun, hypotheses });
                let (trigger, urgency, budget_usd) = (order.trigger, *urgency, budget.dollars());
                say(Happening::DreamStart { dream: id.number, trigger, urgency, budget_usd });
            }
            EventKind::DreamHypothesis { .. } => {
                if let Some(dream) = &mut state.dream {
                    dream.hypotheses += 1;
                }
            }
            EventKind::DreamPhase { id, phase, .. } => {
                state.turn(Mode::from_phase(*phase), &mut say);
                if let Some(dream) = &mut state.dream {
                    say(dream.progress(*id, *phase));
                }
            }
            EventKind::InferenceCharged { cost, .. } => {
                if let Some(dream) = &mut state.dream {
                    dream.spent += *cost;
                }
            }
            EventKind::DreamCompleted { id, cost, metrics, .. } => {
                let found = metrics.novel_insights_generated;
                state.wake(event.tick, (*id, false), *cost, found, &mut say);
            }
            EventKind::DreamInterrupted { id, cost, source, reason, .. } => {
                say(Happening::WakeInterrupt {
                    dream: id.number,
                    source: *source,
                    reason: reason.map(|reason| reason.to_string()).unwrap_or_default(),
                });
                state.wake(event.tick, (*id, true), *cost, 0, &mut say);
            }
            EventKind::BloodstainDrawn { id, rank, score, .. } => {
                say(Happening::BloodstainDrawn { bloodstain: *id, rank: *rank, score: *score });
            }
            EventKind::BloodstainLeft(bloodstain) => {
                say(Happening::BloodstainLeft { bloodstain: bloodstain.id });
            }
            EventKind::DeathInitiated { .. } => state.turn(Mode::Dying, &mut say),
            EventKind::LifeEnded(life) => {
                self.golems.remove(&golem);
                if let Some(cause) = life.cause {
                    let age_ticks = life.ended - life.born;
                    say(Happening::Died { cause, age_ticks, balance_usd: life.balance.dollars() });
                }
            }
            _ => {}
        }
    }
}

impl State {
    fn turn(&mut self, to: Mode, say: &mut impl FnMut(Happening)) {
        let from = std::mem::replace(&mut self.mode, to);
        if from != to {
            say(Happening::ModeChange { from, to });
        }
    }

    fn wake(
        &mut self,
        now: Tick,
        (id, interrupted): (DreamId, bool),
        cost: Usdc,
        insights_found: u32,
        say: &mut impl FnMut(Happening),
    ) {
        let (began, hypotheses_generated) =
            self.dream.take().map_or((now, 0), |dream| (dream.began, dream.hypotheses));
        say(Happening::DreamComplete {
            dream: id.number,
            interrupted,
            ticks: now - began,
            hypotheses_generated,
            insights_found,
            cost_usd: cost.dollars(),
        });
        // The dying don't wake up again: death interrupts a dream, and a line "awake" after "dying" would be wrong.
        if self.mode != Mode::Dying {
            self.turn(Mode::Awake, say);
        }
    }
}

impl Dream {
    fn progress(&mut self, id: DreamId, phase: DreamPhase) -> Happening {
        if phase == DreamPhase::Onset {
            self.phases = DreamPhase::ALL.len();
        }
        // Before it is counted: a phase that begins is not done yet, so the first line says 0 and none says 1.
        let share_done = self.begun as f64 / self.phases as f64;
        self.begun += 1;
        let (spent_usd, budget_usd) = (self.spent.dollars(), self.budget.dollars());
        Happening::DreamProgress { dream: id.number, phase, share_done, spent_usd, budget_usd }
    }
}
