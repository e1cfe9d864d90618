//! The legacy that passes from a golem to its own successor (vertical transmission, inheritance), and its reception.
//!
//! Confidence runs from 0 to 1, results are in R. Unlike bequests, a legacy goes to one heir only, all at once, without a delay and a
//! price. It is made at death and received in the successor's first tick, under `succession.policy = "continue"` alone; a fault, or a
//! sudden death before any snapshot, leaves none. After a sudden death own scars, entries, rules and disproofs are those written by the
//! last snapshot, with the figures they have at death, and the last dream's findings are lost; causal links and scars drawn from the Lethe
//! are handed on as they are. An heir tests nearly all of it for itself; only what three generations have proved is in force at once, and
//! disproofs hold at once.

use super::Bardo;
use super::curated::{Entrance, NewInsight};
use crate::dream::integration::beliefs::{ClaimSource, Disproof};
use crate::dream::{Belief, BeliefEntry, Status, integration};
use crate::episode::{DreamPriority, EntryKind, EntryStanding, Episode, Evidence, Lesson, Provenance};
use crate::memory::legacy::confidence::inherited_confidence;
use crate::memory::legacy::growth::playbook_distance;
use crate::memory::legacy::select::{proven, select};
use crate::memory::legacy::{
    AffectLegacy, Growth, Heir, HeldRule, InheritOutcome, Legacy, LegacyEntry, SuccessionConfig,
};
use crate::memory::{HandsOn, Inheritance, InheritedItem};
use crate::replay::causal::CausalLink;
use morta_base::Tick;

/// Surprise in R of the gravest scar; gravity is surprise over this. Our choice: three times a full stop, which only a gap
/// reaches.
const GRAVE_R: f64 = 3.0;

impl HandsOn for Bardo {
    /// The legacy of a golem that knows this, or of the part that was known by a tick.
    fn legacy(
        &self,
        affect: Option<AffectLegacy>,
        known_by: Option<Tick>,
        config: &SuccessionConfig,
    ) -> Legacy {
        let early = |written: Tick| known_by.is_none_or(|tick| written <= tick);
        let heir = self.golem.generation + 1;
        let drawn =
            self.grimoire.records().iter().filter(|episode| episode.provenance.bloodstain().is_some());
        let drawn = drawn.filter_map(|scar| self.grimoire.episode(scar.id));
        let scars = self.own_scars(Vec::new()).filter(|scar| early(scar.closed)).chain(drawn).collect();
        let mut entries = self.entries();
        entries.retain(|entry| early(entry.written));
        let (scars, entries) = select(scars, entries, heir, config);
        let rules = self.beliefs.rules().iter().filter(|rule| rule.in_force_since().is_some_and(early));
        let playbook: Vec<HeldRule> = rules.map(HeldRule::from).collect();
        let wrong = self.beliefs.proved_wrong().iter().filter(|wrong| early(wrong.standing.written));
        let anti = wrong.filter_map(BeliefEntry::disproof).collect();
        let links = if config.causal_links { self.later.causal.links().to_vec() } else { Vec::new() };
        let mut legacy = Legacy { from: self.golem, scars, entries, anti, playbook, links, affect };
        if config.shuffle_claims {
            legacy.shuffle_claims();
        }
        if config.shuffle_links {
            legacy.shuffle_links();
        }
        legacy
    }

    /// Takes over a legacy. Scars are remembered, and the gravest are dreamt of first. Entries that three generations have proved
    /// pass the gate and are in force. Rules and unfinished hypotheses are staged, the most surprising hypotheses with priority;
    /// entries without a place in the buffer are kept as candidates, as insights are. Strength starts at 1 again: an heir has to
    /// earn a voice by use (digest section 14, IKEA effect).
    fn receive_legacy(&mut self, legacy: Legacy, heir: &Heir, config: &SuccessionConfig) -> InheritOutcome {
        let (source, now) = (Provenance::Predecessor(legacy.from), heir.now);
        let mut received = InheritOutcome::default();
        self.later.reference = legacy.playbook;
        let [at_home, elsewhere] = config.causal_confidence;
        let share = |link: &CausalLink| if link.is_at_home_in(heir.regime) { at_home } else { elsewhere };
        if !legacy.links.is_empty() {
            self.later.causal.take_over(legacy.links.into_iter().map(|link| (link, share(&link))));
        }
        self.receive_scars(legacy.scars, source, now, config, &mut received);
        for anti in legacy.anti {
            received.anti += 1;
            self.receive_anti(anti, source, now);
        }
        let affect = legacy.affect.as_ref();
        let trust = |entry: &LegacyEntry| inherited_confidence(entry, heir, affect, config);
        let rated = legacy.entries.into_iter().map(|entry| (trust(&entry), entry));
        let (defaults, rest): (Vec<_>, Vec<_>) =
            rated.partition(|(_, entry)| proven(entry, heir.generation, config) && !entry.lesson.unfinished);
        let mut rest = rest;
        rest.extend(self.receive_defaults(defaults, source, now, &mut received));
        for (confidence, entry) in in_order(rest, config) {
            self.receive_entry(entry.lesson, confidence, source, now, &mut received);
        }
        // Entries beyond the capacity are reported as entries that left.
        let _ = self.make_room(now);
        received
    }

    /// The growth of this life over its inheritance; `None` if it inherited no lesson (scars are none).
    fn growth(&self) -> Option<Growth> {
        let lessons = || self.later.inheritance.iter().filter(|inherited| !inherited.is_scar());
        let inherited = lessons().count() as u32;
        if inherited == 0 {
            return None;
        }
        // Claims under test and candidates have no full voice yet, so they are no growth.
        let speaks = |entry: &&BeliefEntry| match entry.status() {
            Status::InForce(_) | Status::ProvedWrong { .. } => true,
            Status::Insight { active, .. } => active,
            Status::UnderTest(_)
            | Status::AwaitsAdmission(_)
            | Status::Quarantined { .. }
            | Status::Archived { .. } => false,
        };
        let own = self.beliefs.active().iter().filter(|entry| entry.provenance == Provenance::Own);
        let held: Vec<HeldRule> = self.beliefs.rules().iter().map(HeldRule::from).collect();
        Some(Growth {
            inherited,
            novel: own.filter(speaks).count() as u32,
            validated: lessons().filter(|known| known.confirmed > known.contradicted).count() as u32,
            contradicted: lessons().filter(|known| known.contradicted > known.confirmed).count() as u32,
            questioned: lessons().filter(|known| known.contradicted > 0).count() as u32,
            playbook_distance: playbook_distance(&held, &self.later.reference),
        })
    }
}

impl Bardo {
    /// Rules, insights, claims under test and the last dream's findings, one of each subject: entries in force before waking
    /// conclusions, and those before imagined ones.
    fn entries(&self) -> Vec<LegacyEntry> {
        let testament = self.testament();
        let entry = |lesson: Lesson, standing: Option<&EntryStanding>| LegacyEntry {
            in_testament: testament.iter().any(|known| known.claim.same_subject(&lesson.claim)),
            written: standing.map_or(Tick::MAX, |standing| standing.written),
            last_validated: standing.map_or(0, |standing| standing.last_validated),
            dream_validated: standing.is_some_and(|standing| standing.dream_validated),
            lesson,
        };
        let beliefs = &self.beliefs;
        let waiting = beliefs.awaiting_admission().iter().chain(beliefs.under_test());
        let held = beliefs.rules().iter().chain(waiting).chain(beliefs.insights());
        let held = held.map(|entry| (entry.lesson(), Some(&entry.standing)));
        let drafted = self.later.draft.iter().map(|draft| (draft.clone(), None));
        let mut entries: Vec<LegacyEntry> = Vec::new();
        for (lesson, standing) in held.chain(drafted) {
            if !entries.iter().any(|known| known.lesson.claim.same_subject(&lesson.claim)) {
                entries.push(entry(lesson, standing));
            }
        }
        entries
    }

    fn receive_scars(
        &mut self,
        scars: Vec<Episode>,
        source: Provenance,
        now: Tick,
        config: &SuccessionConfig,
        received: &mut InheritOutcome,
    ) {
        let mut priority = config.priority_scars;
        for scar in scars {
            let (id, grave) = (scar.id, scar.surprise / GRAVE_R >= config.priority_scar_gravity);
            let inheritance = self.inherit_scar(scar, source, now);
            self.later.inheritance.push(inheritance);
            received.scars += 1;
            if grave && priority > 0 && self.grimoire.contains(id) {
                priority -= 1;
                self.grimoire.tag(id, DreamPriority::High);
            }
        }
    }

    /// Disproved claims are always handed over (digest section 12: anti-knowledge is always inherited), with the predecessor's
    /// confidence before demurrage.
    fn receive_anti(&mut self, Disproof { belief, found_r }: Disproof, source: Provenance, now: Tick) {
        let id = self.new_rule_id();
        let confidence = belief.standing.before_demurrage(belief.confidence);
        let inherited_item = InheritedItem::Lesson { entry: Some(id), claim: belief.claim };
        let mut inheritance = Inheritance::new(source, inherited_item, belief.origin, now);
        inheritance.confidence = Some(confidence);
        self.later.inheritance.push(inheritance);
        let (evidence, standing) = (Evidence::NONE, EntryStanding::new(now));
        let belief = Belief { id, confidence, evidence, standing, provenance: source, ..belief };
        self.take_over_disproof(Disproof { belief, found_r });
    }

    /// Passes defaults through integration's gate with the outcomes of the life they come from. Returns those that it turned down.
    fn receive_defaults(
        &mut self,
        defaults: Vec<(f64, LegacyEntry)>,
        source: Provenance,
        now: Tick,
        received: &mut InheritOutcome,
    ) -> Vec<(f64, LegacyEntry)> {
        let mut waiting: Vec<(f64, LegacyEntry, Belief)> = Vec::new();
        for (confidence, entry) in defaults {
            let (confirmed, contradicted) = (entry.lesson.confirmed, entry.lesson.contradicted);
            let id = self.new_rule_id();
            let handed_over = Belief::handed_over(&entry.lesson, id, confidence, source, now);
            // The gate sees the giver's outcomes as evidence, so they must not count among `outcomes_before` as well.
            let outcomes_before = handed_over.outcomes_before.saturating_sub(confirmed + contradicted);
            let evidence = Evidence { confirmed, contradicted };
            let belief = Belief { evidence, outcomes_before, ..handed_over };
            waiting.push((confidence, entry, belief));
        }
        let beliefs = waiting.iter().map(|(_, _, belief)| belief.clone()).collect();
        let admitted = integration::take_over_defaults(beliefs, &mut self.beliefs, now, &self.consolidation);
        let mut turned_away = Vec::new();
        for (confidence, entry, belief) in waiting {
            let in_force = admitted.iter().any(|rule| rule.id == belief.id);
            if in_force {
                let inheritance =
                    Inheritance::lesson(source, &entry.lesson, Some(belief.id), confidence, now);
                self.later.inheritance.push(inheritance);
            } else {
                turned_away.push((confidence, entry));
            }
        }
        self.note_admitted(&admitted);
        received.defaults = admitted;
        turned_away
    }

    /// Stages rules and questions while there is room; all other entries are kept as candidates.
    fn receive_entry(
        &mut self,
        lesson: Lesson,
        confidence: f64,
        source: Provenance,
        now: Tick,
        received: &mut InheritOutcome,
    ) {
        let testable = !matches!(lesson.kind, EntryKind::Insight) && (lesson.unfinished || is_rule(&lesson));
        let under_test = self.beliefs.under_test().iter();
        let inherited = under_test.filter(|entry| entry.source() == ClaimSource::Dead).count();
        let room = inherited < self.consolidation.room(ClaimSource::Dead) as usize;
        let inheritance = if testable && room {
            self.inherit_lesson(lesson, confidence, source, now, received)
        } else {
            self.keep_as_candidate(&lesson, confidence, source, now, received)
        };
        self.later.inheritance.push(inheritance);
    }

    fn keep_as_candidate(
        &mut self,
        lesson: &Lesson,
        confidence: f64,
        source: Provenance,
        now: Tick,
        received: &mut InheritOutcome,
    ) -> Inheritance {
        let id = self.new_rule_id();
        let new = NewInsight {
            belief: Belief::handed_over(lesson, id, confidence, source, now),
            kind: lesson.kind,
            outcomes: Evidence { confirmed: lesson.confirmed, contradicted: lesson.contradicted },
        };
        let kept = self.let_in(new, now) != Entrance::Shut;
        received.candidates += u32::from(kept);
        Inheritance::lesson(source, lesson, kept.then_some(id), confidence, now)
    }
}

/// Whether a predecessor lived by it, or was warned by it.
const fn is_rule(lesson: &Lesson) -> bool {
    matches!(lesson.kind, EntryKind::Heuristic | EntryKind::Warning)
}

/// Questions first, the most surprising of them before others (Zeigarnik): the first few keep their priority for a place and for
/// the first dream. Then rules and the rest, in the order they were chosen.
fn in_order(entries: Vec<(f64, LegacyEntry)>, config: &SuccessionConfig) -> Vec<(f64, LegacyEntry)> {
    let (mut questions, rest): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|(_, entry)| entry.lesson.unfinished);
    let surprise = |entry: &LegacyEntry| entry.lesson.claim.expected_r.abs();
    questions.sort_by(|(_, a), (_, b)| surprise(b).total_cmp(&surprise(a)));
    for (_, entry) in questions.iter_mut().skip(config.priority_hypotheses as usize) {
        entry.lesson.unfinished = false;
    }
    questions.into_iter().chain(rest).collect()
}
