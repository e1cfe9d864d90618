//! Plans are made and carried out.

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
    pub(super) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.mind.plans().iter()
    }

    /// A deep drawdown is a reason to trade smaller, whatever the signal.
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

    /// A belief that says trades of a kind lose is a reason to leave them out.
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

    /// Takes in a plan unless one for the same moments is waiting.
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

    /// A plan that spoke in a decision is done, and what came of it is known.
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
