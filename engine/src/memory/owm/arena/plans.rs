//! Plans: when they are made, and when they are done (prospective memory, implementation intentions: if trigger, then action).
//!
//! Drawdown is a share from 0 to 1, moments are in seconds of the memory's clock. By default a plan halves sizes above a drawdown of 15 %,
//! another skips trades of a kind whose belief in gain is below .3 and whose mean is a loss; each is valid for 30 days. A plan exists so
//! that a conclusion drawn in calm acts in the moment that it is about.

use super::Owm;
use super::voices::LOTS;
use crate::episode::Episode;
use crate::memory::{Upkeep, UpkeepKind, Voice, VoiceSource};
use morta_memories::owm::episodic::Domain;
use morta_memories::owm::induction::{Names, PatternKey};
use morta_memories::owm::prospective::{ActionType, Plan, PlanStatus, PlannedAction, TriggerType};
use morta_memories::owm::semantic::Predicate;
use morta_memories::owm::trigger::Trigger;

impl Owm {
    /// Iterates over all plans, done and expired ones included.
    pub(super) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.mind.plans().iter()
    }

    /// Plans to trade smaller in a deep drawdown, whatever the signal (digest section 2: a drawdown of more than 15 % halves the
    /// lots).
    pub(super) fn plan_to_defend(&mut self, now_s: f64) {
        let (above, drawdown) = (self.config.defend_above, self.mind.affect().drawdown());
        if drawdown <= above || above >= 1.0 {
            return;
        }
        let trigger = Trigger::default().and_above("drawdown_pct", above);
        let action = PlannedAction {
            kind: ActionType::AdjustParam,
            parameter: Some(LOTS.to_owned()),
            magnitude: Some(self.config.defence_size),
        };
        let reasoning = format!("more than {above} is lost from the peak");
        let plan = Plan {
            trigger_type: TriggerType::State,
            priority: self.mind.affect().drawdown_state,
            ..Plan::new(trigger, action, reasoning, now_s, self.config.plan_days)
        };
        self.make(plan, now_s);
    }

    /// Plans to skip trades of a kind that a belief says lose. Belief and mean have to agree: a kind may win seldom and gain in
    /// sum.
    pub(super) fn plan_to_skip(&mut self, domain: Domain, now_s: f64) {
        let Some(newest) = self.mind.shelf(domain).and_then(|shelf| shelf.records().last()) else { return };
        let (scope, newest) = (PatternKey::of(newest).scope(), newest.id);
        let bad = self.mind.beliefs().iter().find(|belief| {
            belief.scope == scope
                && belief.predicate == Predicate::Profitable
                && belief.belief.mean() < self.config.skip_below
                && belief.mean_r().is_some_and(|mean_r| mean_r < 0.0)
        });
        let Some(belief) = bad else { return };
        let mut trigger = Trigger::default()
            .and_is("strategy", self.around.strategy(domain.strategy))
            .and_is("symbol", self.around.symbol(domain.symbol));
        if let Some(regime) = scope.regime {
            trigger = trigger.and_is("regime", regime.name());
        }
        if let Some(session) = scope.session {
            trigger = trigger.and_is("session", session.name());
        }
        let action = PlannedAction { kind: ActionType::SkipTrade, parameter: None, magnitude: None };
        let plan = Plan {
            priority: 1.0 - belief.belief.mean(),
            source_episodic: vec![newest],
            source_semantic: vec![belief.id],
            ..Plan::new(
                trigger,
                action,
                format!("it is not so that {}", belief.proposition),
                now_s,
                self.config.plan_days,
            )
        };
        self.make(plan, now_s);
    }

    /// Adds a plan, unless one with the same trigger is active: the reason of a plan persists for many ticks, and would make one
    /// at each.
    fn make(&mut self, plan: Plan, now_s: f64) {
        if self.plans().any(|known| known.is_valid(now_s) && known.trigger == plan.trigger) {
            return;
        }
        let restated = self.plans().any(|known| known.trigger == plan.trigger);
        let sources = plan.source_semantic.clone();
        let id = self.mind.plan(plan);
        self.account.store(VoiceSource::Plan(id), restated);
        for belief in sources {
            self.account.call_on(self.belief_voice(belief));
        }
        let waiting = self.plans().count() as u32;
        self.done.push(Upkeep { made: 1, ..Upkeep::new(UpkeepKind::Planning, waiting) });
    }

    /// Marks plans that spoke in a decision as done, and notes the outcome.
    pub(super) fn carry_out_plans(&mut self, episode: &Episode, why: &[Voice], now_s: f64) {
        for voice in why {
            let VoiceSource::Plan(id) = voice.source else { continue };
            if let Some(plan) = self.mind.plans_mut().iter_mut().find(|plan| plan.id == id) {
                if plan.status == PlanStatus::Active {
                    plan.carry_out(now_s);
                }
                plan.outcome_pnl_r = Some(episode.realised_r);
            }
        }
    }
}
