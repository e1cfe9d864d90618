//! Exchange with the dead and with siblings: what is left as scars and lessons, and how bloodstains become encounters (social learning,
//! vicarious experience).
//!
//! Confidence, trust and salience run from 0 to 1, results are in R. A reported encounter adds salience in proportion to trust: a scar's is
//! .7 by default, a lesson's its confidence: of the dead times .85 for each generation crossed, at most .7, of a sibling .8 of it, at most
//! .4. Its feeling counts in a node's mean like that of an own encounter. Nothing is put to a test. Bequests of claims about staying or
//! about sequences are left out, since no node stands for them; lessons of siblings are all taken in.

use super::live::result_of;
use super::{DarkPawns, Happening, MarketNode, Trace};
use crate::episode::{Claim, ClaimKind, ContextPattern, EntryKind, Episode, FindingKind, Lesson, Provenance};
use crate::lethe::{Bequest, Bloodstain, Drawn, generations_crossed};
use crate::memory::legacy::InheritOutcome;
use crate::memory::{Bequeaths, CladeTrust, Inheritance, InheritedItem, ReceivedLessons, Teaches};
use morta_base::{GolemId, Tick, math};
use morta_memories::dark_pawns::valence::of_dealing;
use morta_memories::dark_pawns::{EdgeKind, Node, Valence};

/// Encounters added to the counted ones, so that a single encounter doesn't give certainty. The same number as in the testament.
const DOUBT: f64 = 2.0;

impl Bequeaths for DarkPawns {
    /// Scars first: own trades that lost money, by salience times strength of feeling, the costliest of equals first. Then
    /// feelings towards strategies in regimes, by the same.
    fn bequeath(&self) -> Vec<Bequest> {
        let mut scars: Vec<(f64, &Episode)> = self.wounds.values().filter_map(|e| self.scar(e)).collect();
        scars.sort_by(|(a, one), (b, other)| {
            let costliest = one.realised_r.total_cmp(&other.realised_r);
            b.total_cmp(a).then(costliest).then(one.id.cmp(&other.id))
        });
        scars.truncate(self.config.scars as usize);
        let mut lessons: Vec<(f64, Lesson)> =
            self.traces.iter().filter_map(|(n, t)| self.lesson(n, t)).collect();
        lessons.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        lessons.truncate(self.config.lessons as usize);
        let scars = scars.into_iter().map(|(_, episode)| Bequest::Scar(episode.clone()));
        scars.chain(lessons.into_iter().map(|(_, lesson)| Bequest::Lesson(lesson))).collect()
    }

    /// Every bloodstain is an encounter with the dead: an event, a new entity, and the feeling of the suffered trade or learned
    /// lesson, as faint as its trust. A disproof takes feeling away.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome {
        let mut received = InheritOutcome::default();
        for Drawn { bloodstain, rank, score, .. } in drawn {
            // Only claims about entries: this memory has none about holding or sequences, so other claims would never have a voice.
            if !bloodstain.bequest.is_understood(ClaimKind::Entry) {
                continue;
            }
            let mut inheritance = match &bloodstain.bequest {
                Bequest::Scar(episode) => {
                    received.scars += 1;
                    self.meet_scar(&bloodstain, episode, now)
                }
                Bequest::Lesson(lesson) => {
                    let crossed = generations_crossed(lesson.origin, bloodstain.id.golem, self.golem);
                    let left =
                        lesson.confidence * math::pow(self.config.confidence_decay, f64::from(crossed));
                    let confidence = left.min(self.config.confidence_ceiling);
                    let source = Provenance::Bloodstain(bloodstain.id);
                    self.meet_lesson(MarketNode::Met(bloodstain.id), source, lesson, confidence, now)
                }
            };
            (inheritance.rank, inheritance.score) = (rank, score);
            self.inheritance.push(inheritance);
            self.unread = true;
        }
        received
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.inheritance
    }
}

impl Teaches for DarkPawns {
    fn lessons(&self, _: Tick, _: Tick) -> Vec<Lesson> {
        self.traces.iter().filter_map(|(node, trace)| Some(self.lesson(node, trace)?.1)).collect()
    }

    /// Every lesson of a sibling becomes an event. Its salience is scaled by the trust in siblings.
    fn receive_lessons(
        &mut self,
        lessons: Vec<(GolemId, Lesson)>,
        trust: CladeTrust,
        now: Tick,
    ) -> ReceivedLessons {
        let tested = vec![true; lessons.len()];
        for (giver, lesson) in lessons {
            let node = MarketNode::Lesson(self.next_lesson);
            self.next_lesson += 1;
            let confidence = (lesson.confidence * trust.factor).min(trust.ceiling);
            let inheritance = self.meet_lesson(node, Provenance::Clade(giver), &lesson, confidence, now);
            self.inheritance.push(inheritance);
        }
        ReceivedLessons { tested, received: InheritOutcome::default() }
    }
}

impl DarkPawns {
    fn scar<'a>(&self, episode: &'a Episode) -> Option<(f64, &'a Episode)> {
        let node = self.graph.node(&MarketNode::Lived(episode.id))?;
        Some((node.salience * f64::from(node.valence.get().abs()), episode))
    }

    /// The lesson of a node with at least two own encounters and a valence other than 0. Its confidence is salience·n/(n + 2).
    fn lesson(&self, node: &MarketNode, trace: &Trace) -> Option<(f64, Lesson)> {
        let MarketNode::Pairing(strategy, regime) = *node else { return None };
        let felt: &Node<MarketNode> = self.graph.node(node)?;
        let feeling = felt.mean();
        // Not after a single encounter: the lesson would repeat one trade, and a scar has more detail of it.
        if trace.own < 2 || feeling == 0.0 {
            return None;
        }
        let expected_r = self.config.valence_r * feeling;
        let own = f64::from(trace.own);
        let (confirmed, contradicted) =
            if feeling > 0.0 { (trace.good, trace.bad) } else { (trace.bad, trace.good) };
        let lesson = Lesson {
            kind: if feeling > 0.0 { EntryKind::Insight } else { EntryKind::Warning },
            claim: Claim::of_worth(strategy, ContextPattern::from_regime(regime), expected_r),
            confidence: felt.salience * own / (own + DOUBT),
            confirmed,
            contradicted,
            origin: self.golem,
            unfinished: false,
            finding: FindingKind::Insight,
            learned_from: trace.behind.iter().map(|(episode, _)| *episode).collect(),
            outcomes_behind: confirmed + contradicted,
        };
        Some((felt.salience * feeling.abs(), lesson))
    }

    fn meet_scar(&mut self, bloodstain: &Bloodstain, episode: &Episode, now: Tick) -> Inheritance {
        let source = Provenance::Bloodstain(bloodstain.id);
        let origin = episode.id.golem;
        let label = format!("Met the stain of {origin}: {}", lowered(&result_of(episode)));
        let valence = self.config.felt(episode.realised_r);
        let happening = Happening {
            node: MarketNode::Met(bloodstain.id),
            label: &label,
            valence,
            at: self.stamp(now),
            trust: self.config.scar_salience,
            provenance: source,
            episodes: std::slice::from_ref(&episode.id),
        };
        self.meet_event(&happening);
        let (strategy, regime) = (episode.strategy, episode.context.regime);
        let ties = [
            (MarketNode::Pairing(strategy, regime), EdgeKind::Killed),
            (MarketNode::Strategy(strategy), EdgeKind::Involved),
            (MarketNode::Asset(episode.asset), EdgeKind::Involved),
        ];
        self.meet_all(&ties, &happening);
        self.meet_kin(origin, "assist", &happening);
        Inheritance::new(source, InheritedItem::Scar(episode.id), origin, now)
    }

    fn meet_lesson(
        &mut self,
        node: MarketNode,
        source: Provenance,
        lesson: &Lesson,
        confidence: f64,
        now: Tick,
    ) -> Inheritance {
        let claim = &lesson.claim;
        let wrong = lesson.kind == EntryKind::AntiKnowledge;
        let valence = if wrong { Valence::NEUTRAL } else { self.config.felt(claim.expected_r) };
        let doubt = if wrong { ", which proved wrong" } else { "" };
        let happening = Happening {
            node,
            label: &format!("Was told by {}: {claim}{doubt}", lesson.origin),
            valence,
            at: self.stamp(now),
            trust: confidence,
            provenance: source,
            episodes: &lesson.learned_from,
        };
        self.meet_event(&happening);
        let subject = match claim.pattern.regime {
            Some(regime) => (MarketNode::Pairing(claim.strategy, regime), EdgeKind::Fought),
            None => (MarketNode::Strategy(claim.strategy), EdgeKind::Involved),
        };
        self.meet_all(&[subject], &happening);
        self.meet_kin(lesson.origin, "gift", &happening);
        Inheritance::lesson(source, lesson, None, confidence, now)
    }

    fn meet_all(&mut self, ties: &[(MarketNode, EdgeKind)], happening: &Happening<'_>) {
        for (node, tie) in ties {
            self.meet(*node, happening.valence, happening);
            self.graph.tie(&happening.node, node, *tie, happening.at);
        }
    }

    fn meet_kin(&mut self, golem: GolemId, dealing: &str, happening: &Happening<'_>) {
        let kin = MarketNode::Kin(golem);
        let valence = of_dealing(dealing).unwrap_or(Valence::NEUTRAL);
        self.meet(kin, self.config.unless_numb(valence), happening);
        self.graph.tie(&happening.node, &kin, EdgeKind::Social, happening.at);
    }
}

fn lowered(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
