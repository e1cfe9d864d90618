//! Housekeeping: entries pay demurrage, go to the archive or are burnt, and make room for one another.

use super::Bardo;
use crate::base::{RuleId, Tick};
use crate::curator::Insight;
use crate::dream::Rule;
use crate::dream::integration;
use crate::episode::{AntiKnowledge, Claim, EntryKind, LeavingReason};
use crate::memory::{ClockSigns, EntryMove, MemoryEvent, Way};

impl Bardo {
    /// Everything pays what is due, those that have too little left go, idle ones go while money is short, and if there are still
    /// too many, the least trusted do. Paying is once an interval, however often this is called, and starts anew with
    /// every phase of life. Returns the rules that left.
    pub fn housekeeping(&mut self, signs: ClockSigns, now: Tick) -> Vec<Rule> {
        let demurrage = self.config.demurrage.clone();
        if self.phase.replace(signs.phase).is_some_and(|before| before != signs.phase) {
            self.start_clocks_anew(now);
        }
        let fast = signs.fitness < demurrage.epistemic_pressure_below;
        for insight in &mut self.insights {
            let nature = insight.nature();
            demurrage.levy(&mut insight.standing, &nature, &mut insight.confidence, now, fast);
        }
        if let Some(learned) = self.later.get_mut() {
            for anti in &mut learned.anti {
                let nature = anti.nature();
                demurrage.levy(&mut anti.standing, &nature, &mut anti.confidence, now, fast);
            }
            for staged in learned.staging.claims_mut().chain(&mut learned.validated) {
                let nature = staged.nature();
                demurrage.levy(&mut staged.standing, &nature, &mut staged.confidence, now, fast);
            }
        }
        let rules = integration::demur(&mut self.playbook, &demurrage, now, |_| fast);
        for rule in &rules {
            self.put_away(as_insight(rule), LeavingReason::ZeroConfidence, now);
        }
        self.let_go(now, LeavingReason::ZeroConfidence, |_, insight| demurrage.archives(insight.confidence));
        self.drop_anti(|anti| demurrage.archives(anti.confidence));
        if signs.economic < demurrage.economic_pressure_below {
            self.let_go(now, LeavingReason::Idle, |now, insight| {
                now.saturating_sub(insight.standing.last_accessed) > demurrage.idle_ticks
            });
        }
        let mut gone = rules;
        gone.extend(self.make_room(now));
        gone
    }

    /// A new phase of life is a new reckoning: nothing is owed from the last one (digest section 12).
    fn start_clocks_anew(&mut self, now: Tick) {
        self.insights.iter_mut().for_each(|insight| insight.standing.paid_until = now);
        if let Some(learned) = self.later.get_mut() {
            let waiting = learned.staging.claims_mut().chain(&mut learned.validated);
            waiting.for_each(|staged| staged.standing.paid_until = now);
            learned.anti.iter_mut().for_each(|anti| anti.standing.paid_until = now);
        }
        integration::start_clocks_anew(&mut self.playbook, now);
    }

    /// Insights that a test picks out leave.
    fn let_go(&mut self, now: Tick, reason: LeavingReason, leaves: impl Fn(Tick, &Insight) -> bool) {
        let (left, kept) =
            std::mem::take(&mut self.insights).into_iter().partition(|known| leaves(now, known));
        self.insights = kept;
        let left: Vec<Insight> = left;
        left.into_iter().for_each(|insight| self.put_away(insight, reason, now));
    }

    /// Refutations that a test picks out are forgotten: experience has spoken for the claim after all.
    fn drop_anti(&mut self, leaves: impl Fn(&AntiKnowledge) -> bool) {
        let Some(learned) = self.later.get_mut() else { return };
        let left: Vec<AntiKnowledge> = learned.anti.extract_if(.., |anti| leaves(anti)).collect();
        for anti in left {
            let way = Way::Burned(LeavingReason::Contradicted);
            self.tell_move(anti.id, EntryKind::AntiKnowledge, anti.claim, anti.confidence, way);
        }
    }

    /// Takes one insight out.
    pub(super) fn archive_insight(&mut self, id: RuleId, reason: LeavingReason, now: Tick) {
        if let Some(place) = self.insights.iter().position(|insight| insight.id == id) {
            let insight = self.insights.remove(place);
            self.put_away(insight, reason, now);
        }
    }

    /// Into the archive, or, when hardly anything is left of it, gone.
    pub(super) fn put_away(&mut self, entry: Insight, reason: LeavingReason, now: Tick) {
        let burnt = self.config.demurrage.burns(entry.confidence);
        let way = if burnt { Way::Burned(reason) } else { Way::Archived(reason) };
        self.tell_move(entry.id, entry.kind, entry.claim, entry.confidence, way);
        if !burnt {
            self.archive.put(entry, now, self.config.archive_capacity as usize);
        }
    }

    pub(super) fn tell_move(&mut self, id: RuleId, kind: EntryKind, claim: Claim, confidence: f64, way: Way) {
        let entry_move = EntryMove { id, kind, claim, confidence, way };
        self.later.events.push(MemoryEvent::EntryMoved(entry_move));
    }

    /// Entries that are active: insights, rules, claims under test or waiting for the gate, and what proved wrong.
    pub fn active_entries(&self) -> usize {
        self.insights.len()
            + self.playbook.rules().len()
            + self.later.staging.claims().len()
            + self.later.validated.len()
            + self.later.anti.len()
    }

    /// While there are too many, the least trusted insight, rule or refutation leaves. Claims under test have a bound of their own
    /// and are left alone. Returns the rules that left.
    pub(super) fn make_room(&mut self, now: Tick) -> Vec<Rule> {
        let mut gone = Vec::new();
        while self.active_entries() > self.config.capacity as usize {
            let Some(least) = self.least_trusted() else { break };
            if let Some(rule) = integration::give_up(&mut self.playbook, least) {
                self.put_away(as_insight(&rule), LeavingReason::Capacity, now);
                gone.push(rule);
            } else if let Some(place) = self.later.anti.iter().position(|anti| anti.id == least) {
                let anti = self.later.anti.remove(place);
                let way = Way::Burned(LeavingReason::Capacity);
                self.tell_move(anti.id, EntryKind::AntiKnowledge, anti.claim, anti.confidence, way);
            } else {
                self.archive_insight(least, LeavingReason::Capacity, now);
            }
        }
        gone
    }

    fn least_trusted(&self) -> Option<RuleId> {
        let insights = self.insights.iter().map(|insight| (insight.confidence, insight.id));
        let rules = self.playbook.rules().iter().map(|rule| (rule.confidence, rule.id));
        let anti = self.later.anti.iter().map(|anti| (anti.confidence, anti.id));
        let least = insights.chain(rules).chain(anti).min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        least.map(|(_, id)| id)
    }
}

/// A rule as the archive keeps it.
pub(super) fn as_insight(rule: &Rule) -> Insight {
    Insight {
        id: rule.id,
        kind: rule.nature().kind,
        claim: rule.claim,
        confidence: rule.confidence,
        active: false,
        confirmed: rule.confirmed,
        contradicted: rule.contradicted,
        standing: rule.standing,
        provenance: rule.provenance,
        origin: rule.origin,
        learned_from: rule.learned_from.clone(),
    }
}
