//! The testament: what a golem's memory says of its life, in the nine sections of the spec (digest section 13, "nine sections"). It is a
//! self-report of a knowledge base for a post-mortem, and nothing here changes the memory.
//!
//! Results are in R, confidence and arousal from 0 to 1. After a sudden death no section is asked for: the caller fills the sections from
//! the bequests of the last snapshot. The autopsy is for deaths by failing knowledge alone.

use super::Bardo;
use crate::dream::Belief;
use crate::episode::{Claim, ContextPattern, EpisodeKind, EpisodeRecord, Evidence, Lesson};
use crate::lethe::bloodstain::CausalNote;
use crate::lethe::testament::{
    Remembered, Saying, Section, SectionEntry, SectionKind, ToxicEntry, Treatment, UnvalidatedDream,
};
use crate::market::{Regime, Strategy};
use crate::memory::contract::Testifies;
use crate::replay::causal::CausalConfig;
use morta_base::EpisodeId;

/// Losses to which the death is attributed: the latest five. Our choice, as many as scars are left.
const LAST_LOSSES: usize = 5;
/// Causal edges that are named: the five most confident. Our choice.
const STRONGEST_EDGES: usize = 5;
/// Cases added to those counted, so that one case doesn't give certainty; the prior of the causal graph.
const DOUBT: f64 = 2.0;

/// A rule or a claim under test, with all evidence: for a rule, outcomes since the last dream too.
struct Known<'a> {
    belief: &'a Belief,
    evidence: Evidence,
    in_force: bool,
}

impl Known<'_> {
    fn entry(&self) -> SectionEntry {
        SectionEntry {
            saying: Saying::Claim(self.belief.claim),
            confidence: self.belief.confidence,
            provenance: self.belief.provenance,
            confirmed: self.evidence.confirmed,
            contradicted: self.evidence.contradicted,
            learned_from: self.belief.learned_from.clone(),
        }
    }

    fn section(&self) -> Option<SectionKind> {
        let Evidence { confirmed: good, contradicted: bad } = self.evidence;
        if bad > good + 1 || (self.in_force && bad > good) {
            Some(SectionKind::GotWrong)
        } else if self.in_force {
            Some(SectionKind::Learned)
        } else if good + bad == 0 {
            Some(SectionKind::NeverTested)
        } else if good > 0 && bad > 0 && good.abs_diff(bad) <= 1 {
            Some(SectionKind::Confused)
        } else {
            (good > bad).then_some(SectionKind::Suspect)
        }
    }
}

impl Testifies for Bardo {
    /// The nine sections. Every rule and claim is in the first that fits: wrong if contradicted more often than confirmed (by two
    /// more where it was only under test), learned if in force, never tested, confusing if outcomes were almost even, suspected
    /// if more often confirmed.
    fn testament_sections(&self, causal: &CausalConfig) -> Vec<Section> {
        let known = self.known();
        let claims = |kind| known.iter().filter(move |known| known.section() == Some(kind)).map(Known::entry);
        let fill = |kind| {
            let entries = match kind {
                SectionKind::KilledMe => self.last_losses(),
                SectionKind::WouldChange => self.regrets(),
                SectionKind::CausalEdges => self.causal_edges(causal),
                SectionKind::EmotionalTopology => self.emotional_topology(),
                SectionKind::Confused => claims(kind).chain(self.flagged()).collect(),
                SectionKind::NeverTested => claims(kind).chain(self.drafts()).collect(),
                _ => claims(kind).collect(),
            };
            Section::new(kind, entries)
        };
        SectionKind::ALL.map(fill).into()
    }

    /// Rules and claims contradicted more often than confirmed, with a treatment for each; the most trusted, so the most harmful,
    /// first (digest section 13: toxic entries with discard, invert or reinvestigate).
    fn autopsy(&self) -> Vec<ToxicEntry> {
        let known = self.known();
        let mut toxic: Vec<ToxicEntry> = known
            .iter()
            .filter(|known| known.evidence.contradicted > known.evidence.confirmed)
            .map(|known| {
                let Belief { id, claim, confidence, .. } = *known.belief;
                let (trades, mean_r) = self.experience_of(&claim);
                let treatment = Treatment::for_claim(&claim, trades, mean_r);
                ToxicEntry { id, claim, confidence, trades, mean_r, treatment }
            })
            .collect();
        toxic.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.id.cmp(&b.id)));
        toxic.truncate(Section::MAX_ENTRIES);
        toxic
    }

    /// Dreams of which no conclusion was confirmed, the best first.
    fn unvalidated_dreams(&self) -> Vec<UnvalidatedDream> {
        let mut dreams: Vec<UnvalidatedDream> = self
            .later
            .journal
            .iter()
            .filter(|entry| entry.live.confirmed() == 0)
            .map(|entry| UnvalidatedDream {
                dream: entry.id,
                quality: entry.dream_quality_score,
                staged: entry.integration.staged.len() as u32,
            })
            .collect();
        dreams.sort_by(|a, b| b.quality.total_cmp(&a.quality).then(a.dream.cmp(&b.dream)));
        dreams.truncate(Section::MAX_ENTRIES);
        dreams
    }

    /// The trades that a review can choose from: the golem's own.
    fn reviewable(&self) -> Vec<Remembered> {
        let remembered = |episode: &EpisodeRecord| Remembered {
            episode: episode.id,
            tick: episode.closed,
            strategy: episode.strategy,
            regime: episode.context.regime,
            realised_r: episode.realised_r,
            arousal: episode.arousal,
        };
        self.own_trades().map(remembered).collect()
    }
}

impl Bardo {
    /// The trades of this life, without abstentions and scars of others.
    pub(super) fn own_trades(&self) -> impl Iterator<Item = &EpisodeRecord> {
        let records = self.grimoire.records().iter();
        records.filter(|episode| episode.kind == EpisodeKind::Trade && !episode.is_inherited())
    }

    fn known(&self) -> Vec<Known<'_>> {
        let rules = self.beliefs.rules().iter().map(|rule| {
            let mut evidence = rule.evidence;
            evidence.add(self.tallies.get(&rule.id).map_or(Evidence::NONE, |since| since.evidence));
            Known { belief: rule, evidence, in_force: true }
        });
        let waiting = self.beliefs.awaiting_admission().iter().chain(self.beliefs.under_test());
        let waiting =
            waiting.map(|staged| Known { belief: staged, evidence: staged.evidence, in_force: false });
        rules.chain(waiting).collect()
    }

    /// Number of remembered trades that a claim applies to, and their mean result in R.
    fn experience_of(&self, claim: &Claim) -> (u32, f64) {
        let about = self.own_trades().filter(|episode| claim.applies(episode.strategy, &episode.context));
        let (count, sum) =
            about.fold((0_u32, 0.0), |(count, sum), episode| (count + 1, sum + episode.realised_r));
        (count, if count == 0 { 0.0 } else { sum / f64::from(count) })
    }

    /// The last own trades that lost; each is blamed by its share of their sum.
    fn last_losses(&self) -> Vec<SectionEntry> {
        let mut losses: Vec<&EpisodeRecord> =
            self.own_trades().filter(|episode| episode.realised_r < 0.0).collect();
        losses.sort_by(|a, b| b.closed.cmp(&a.closed).then(b.id.cmp(&a.id)));
        losses.truncate(LAST_LOSSES);
        let total: f64 = losses.iter().map(|episode| episode.realised_r).sum();
        losses.into_iter().map(|loss| SectionEntry::of_loss(loss, loss.realised_r / total)).collect()
    }

    /// Results of better strategies in the same regime, from the regrets of own trades; confidence grows with their number.
    fn regrets(&self) -> Vec<SectionEntry> {
        let mut found: Vec<(Regime, Strategy, Vec<EpisodeId>, f64)> = Vec::new();
        for episode in self.own_trades() {
            let Some(better) = episode.better_strategy else { continue };
            let made = episode.realised_r + episode.regret;
            let regime = episode.context.regime;
            match found.iter_mut().find(|(r, s, ..)| (*r, *s) == (regime, better)) {
                Some((.., cases, sum)) => {
                    cases.push(episode.id);
                    *sum += made;
                }
                None => found.push((regime, better, vec![episode.id], made)),
            }
        }
        let entry = |(regime, strategy, cases, sum): (Regime, Strategy, Vec<EpisodeId>, f64)| {
            let count = cases.len() as f64;
            let claim = Claim::of_worth(strategy, ContextPattern::from_regime(regime), sum / count);
            let cases = cases.into_iter().rev().take(Section::MAX_ENTRIES).collect();
            SectionEntry::untested(Saying::Claim(claim), count / (count + DOUBT), cases)
        };
        found.into_iter().map(entry).collect()
    }

    fn causal_edges(&self, config: &CausalConfig) -> Vec<SectionEntry> {
        let known = self.later.causal.after(&self.grimoire, self.golem, config);
        let entry = |edge: &crate::replay::causal::CausalEdge| {
            let (confidence, fired) = (edge.confidence, edge.fired);
            let (cause, effect) = (edge.cause.to_string(), edge.effect.to_string());
            let edge_of = Saying::Edge(CausalNote { cause, effect, confidence, fired });
            let contradicted = edge.opportunities - fired;
            let untested = SectionEntry::untested(edge_of, confidence, Vec::new());
            SectionEntry { confirmed: fired, contradicted, ..untested }
        };
        known.graph().edges().iter().take(STRONGEST_EDGES).map(entry).collect()
    }

    /// Mean arousal and result of each regime, over all own trades in it.
    fn emotional_topology(&self) -> Vec<SectionEntry> {
        let of = |regime: Regime| {
            let there = self.own_trades().filter(|episode| episode.context.regime == regime);
            let (count, arousal, r) = there.fold((0_u32, 0.0, 0.0), |(count, arousal, r), episode| {
                (count + 1, arousal + episode.arousal, r + episode.realised_r)
            });
            let n = f64::from(count);
            let felt = Saying::Feeling { regime, episodes: count, arousal: arousal / n, mean_r: r / n };
            (count > 0).then(|| SectionEntry::untested(felt, n / (n + DOUBT), Vec::new()))
        };
        Regime::ALL.into_iter().filter_map(of).collect()
    }

    /// Contradictions that dreams flagged; their confidence is the dream's quality.
    fn flagged(&self) -> impl Iterator<Item = SectionEntry> {
        self.later.journal.iter().flat_map(|dream| {
            let claims = dream.integration.contradictions_flagged.iter().map(|claim| Saying::Claim(*claim));
            claims.map(|claim| SectionEntry::untested(claim, dream.dream_quality_score, Vec::new()))
        })
    }

    /// Findings of the last dream, which can't be tested any more.
    fn drafts(&self) -> impl Iterator<Item = SectionEntry> {
        self.later.draft.iter().map(|draft| {
            let Lesson { claim, confidence, learned_from, .. } = draft;
            SectionEntry::untested(Saying::Claim(*claim), *confidence, learned_from.clone())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{GolemId, RuleId};

    #[test]
    fn every_claim_has_its_section() {
        let check = |good, bad, in_force, section| {
            let claim = Claim::of_worth(Strategy::Momentum, ContextPattern::default(), 0.3);
            let id = RuleId { golem: GolemId::founder(0), number: 0 };
            let belief = &Belief::new(id, claim, 0.5, 0);
            let evidence = Evidence { confirmed: good, contradicted: bad };
            let known = Known { belief, evidence, in_force };
            assert_eq!(known.section(), section, "{good} {bad} {in_force}");
        };
        check(5, 0, true, Some(SectionKind::Learned));
        check(1, 2, true, Some(SectionKind::GotWrong));
        check(0, 0, false, Some(SectionKind::NeverTested));
        check(1, 2, false, Some(SectionKind::Confused));
        check(2, 2, false, Some(SectionKind::Confused));
        check(3, 1, false, Some(SectionKind::Suspect));
        check(1, 0, false, Some(SectionKind::Suspect));
        check(0, 2, false, Some(SectionKind::GotWrong));
        check(0, 1, false, None);
    }
}
