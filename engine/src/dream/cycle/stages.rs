//! The questions of a dream at each of its stages: the transition actions of the state machine, each gathering the requests of a stage
//! within its budget.
//!
//! Costs are in dollars, results in R. A question is asked only if its phase can pay the longest answer and a turn is left; the others are
//! dropped, and the report says `cut_short` (batches that the plan of replay had cut out before don't count). While money is short,
//! questions of imagination and integration go to smaller models first (`account::grade`). What needs no model is computed here as well:
//! credit assignment, stakes, sorting of memories, the plausibility test. With the control `dream.shuffle_outcomes` all of it reads a
//! memory with dealt-out outcomes, but for credit assignment, which deals its own courses out.

use super::{DreamCycle, Stage, luck};
use crate::dream::account::{self, Question};
use crate::dream::nrem::{ReadBatch, Replayed, WorsenedReplay};
use crate::dream::phase::DreamPhase;
use crate::dream::report::{DreamFinding, DreamNote};
use crate::dream::tier::{DreamOperation, DreamTier};
use crate::dream::view::DreamView;
use crate::dream::{nrem, onset, rem, wake};
use crate::episode::{Claim, ClaimKind, Course, EpisodeKind, EpisodeRecord, FindingKind, Grimoire};
use crate::llm::{SourcedClaim, Task, Tier};
use crate::phase::phase;
use crate::replay::stakes::TradeResult;
use crate::replay::{self, AnticipatoryTrajectory};
use morta_base::moments::Moments;
use morta_base::{EpisodeId, Purpose, Stream, Usdc, WorldSeed};
use std::collections::{BTreeMap, BTreeSet};

impl DreamCycle {
    /// Does one stage: gathers its questions and sets the next stage.
    pub(super) fn advance(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        if self.given_up {
            self.sort_memories(grimoire, view);
            self.stage = Stage::Over;
            return Vec::new();
        }
        match self.stage {
            Stage::Drifting => {
                phase!("dream: onset");
                self.stage = Stage::Watching;
                self.drift(grimoire, view)
            }
            Stage::Watching => {
                phase!("dream: onset");
                self.stage = Stage::Replaying;
                self.watch(grimoire, view)
            }
            Stage::Replaying => {
                phase!("dream: NREM");
                self.stage = Stage::Planning;
                self.enter(DreamPhase::Nrem, view);
                self.replay(grimoire, view)
            }
            Stage::Planning => {
                phase!("dream: NREM");
                self.stage = Stage::Imagining;
                self.plan_the_morning(grimoire, view)
            }
            Stage::Imagining => {
                phase!("dream: REM");
                self.stage = Stage::Consolidating;
                self.sort_memories(grimoire, view);
                self.enter(DreamPhase::Rem, view);
                self.wander(grimoire, view)
            }
            Stage::Consolidating => {
                phase!("dream: integration");
                self.stage = Stage::Returning;
                self.enter(DreamPhase::Integration, view);
                self.conclude_without_a_model();
                self.consolidate(view)
            }
            Stage::Returning => {
                phase!("dream: return");
                self.stage = Stage::Over;
                self.come_back(view)
            }
            Stage::Over => Vec::new(),
        }
    }

    fn enter(&mut self, phase: DreamPhase, view: &DreamView<'_>) {
        self.phase = phase;
        let budget = phase.allowance(&self.now.by_phase);
        self.account.begin_phase(budget);
        let model = self.now.tier.model(phase.operation());
        let budget_tokens = view.llm.tier(model).tokens_for(budget);
        self.notes.push(DreamNote::Phase { phase, budget, budget_tokens });
    }

    fn stream(&self, part: u32) -> Stream {
        WorldSeed(self.luck).world(Purpose::Dream, part, 0)
    }

    /// The questions that can be paid for within a limit, in the order given.
    fn afford(&mut self, questions: Vec<Question>, limit: Usdc, view: &DreamView<'_>) -> Vec<Question> {
        let (afforded, left) = self.split_by_means(questions, limit, view);
        self.report.cut_short |= !left.is_empty();
        afforded
    }

    /// Divides questions into those with money within a limit and turns, and the others, each in the order given.
    fn split_by_means(
        &mut self,
        questions: Vec<Question>,
        limit: Usdc,
        view: &DreamView<'_>,
    ) -> (Vec<Question>, Vec<Question>) {
        questions.into_iter().partition(|question| {
            let asked = self.turns_left > 0 && self.account.reserve(question.most(view.llm), limit);
            self.turns_left -= u32::from(asked);
            asked
        })
    }

    fn is_rich(&self) -> bool {
        self.now.tier == DreamTier::Hardened
    }

    fn drift(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        if !self.is_rich() || view.config.hypnagogia.cycles(self.now.phase, self.now.uncertainty) == 0 {
            return Vec::new();
        }
        self.enter(DreamPhase::Onset, view);
        let mut stream = self.stream(luck::ONSET);
        let partials = onset::drift(view, grimoire, &self.now, self.keyword, &mut stream);
        // Half is reserved for the observer, without whom the fragments would be lost. Our choice.
        let half = self.account.allowance().scaled(0.5);
        self.afford(partials, half, view)
    }

    fn watch(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        if self.caught.is_empty() {
            return Vec::new();
        }
        let question = onset::observe(self.caught.clone(), view, grimoire, &self.now, self.keyword);
        let Task::Observe { fragments } = &question.task else { unreachable!("the observer observes") };
        self.caught.clone_from(fragments);
        self.afford(vec![question], self.account.allowance(), view)
    }

    fn replay(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        let mut plan = self.plan.take().expect("a cycle replays once");
        // They were chosen at the beginning; episodes may have gone since, because a hot reload can shrink the Grimoire in a dream.
        for batch in &mut plan.batches {
            batch.episodes.retain(|episode| grimoire.contains(*episode));
        }
        plan.batches.retain(|batch| !batch.episodes.is_empty());
        let mut questions = Vec::new();
        for (place, batch) in plan.batches.iter().enumerate() {
            let question = nrem::question(place as u32, batch, &plan, grimoire, view);
            let question = self.afford(vec![question], self.account.allowance(), view);
            let asked = !question.is_empty();
            if asked {
                self.note_read(&batch.episodes, &plan);
            }
            let episodes = batch.episodes.clone();
            self.report.batches.push(ReadBatch { episodes, asked, answered: false });
            questions.extend(question);
        }
        if !questions.is_empty() {
            self.guards.append(&mut plan.guards);
        }
        self.report.causal = plan.known.take();
        self.prospects = std::mem::take(&mut plan.trajectories);
        let by_fitness = |a: &&AnticipatoryTrajectory, b: &&AnticipatoryTrajectory| {
            a.strategy_fitness.total_cmp(&b.strategy_fitness)
        };
        self.report.nrem.worst_prospect = self.prospects.iter().min_by(by_fitness).cloned();
        self.assign_credit(view);
        self.weigh_stakes(&plan, grimoire, view);
        questions
    }

    /// The question about the morning's prospects (forward replay). It comes at the end of NREM (replay spec, "when to use forward replay"),
    /// with what reading has really left of the money. Before, it was asked beside the batches: a dream was a tick shorter, and one that was
    /// broken off while it read had planned for a morning all the same.
    fn plan_the_morning(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        let prospects = std::mem::take(&mut self.prospects);
        if !self.is_rich() || prospects.is_empty() {
            return Vec::new();
        }
        let morning = nrem::anticipate(&prospects, grimoire, view, &self.now);
        let morning = self.afford(vec![morning], self.account.allowance(), view);
        // Only what is asked has been gone through.
        self.report.metrics.forward_replays = if morning.is_empty() { 0 } else { prospects.len() as u32 };
        morning
    }

    /// Learns from the steps of the trades that were read, where there are any. It needs no model: the sums are arithmetic.
    fn assign_credit(&mut self, view: &DreamView<'_>) {
        let read = self.report.replayed.iter();
        let courses: Vec<&Course> = read.filter_map(|read| view.courses.get(&read.episode)).collect();
        if courses.is_empty() {
            return;
        }
        let (config, shuffled) = (&view.config.replay.credit, view.config.shuffle_outcomes);
        let mut stream = self.stream(luck::CREDIT);
        let credited = replay::assign_to_steps(&courses, view.stay_values, config, shuffled, &mut stream);
        self.report.credit = Some(Box::new(credited));
    }

    /// Draws claims about stakes from the trades that were read, where such claims are tested at all. It needs no model.
    fn weigh_stakes(&mut self, plan: &nrem::ReplayPlan, grimoire: &Grimoire, view: &DreamView<'_>) {
        let consolidation = &view.config.consolidation;
        if !consolidation.kinds.contains(&ClaimKind::Stake) {
            return;
        }
        let config = &view.config.replay.stakes;
        let read = self.report.replayed.iter().filter_map(|read| grimoire.get(read.episode));
        let trades = read.filter(|episode| episode.kind == EpisodeKind::Trade && grimoire.is_fair(episode));
        let mut made = Vec::new();
        for trade in trades {
            let weight = plan.weights.get(&trade.id).copied().unwrap_or(1.0);
            made.push(TradeResult::from_episode(trade, trade.realised_r, weight));
            let worse = plan.tried.iter().filter(|trial| trial.episode == trade.id);
            let weight = weight * replay::stakes::WHAT_IF_WEIGHT;
            made.extend(worse.map(|trial| TradeResult::from_episode(trade, trial.perturbed_r, weight)));
        }
        let found = replay::stakes::stakes(&made, consolidation.staging.usual_risk, config);
        self.stakes
            .extend(found.into_iter().map(|(claim, learned_from)| SourcedClaim { claim, learned_from }));
    }

    /// Claims from steps and about stakes aren't consolidated: there is one for each state already.
    fn conclude_without_a_model(&mut self) {
        let of_steps = self.report.credit.iter().flat_map(|credited| &credited.claims);
        let of_steps =
            of_steps.map(|(claim, from)| SourcedClaim { claim: *claim, learned_from: from.clone() });
        let patterns: Vec<SourcedClaim> = of_steps.chain(self.stakes.iter().cloned()).collect();
        let finding = |pattern| DreamFinding { pattern, kind: FindingKind::Insight, confidence: None };
        self.report.findings.extend(patterns.into_iter().map(finding));
    }

    fn note_read(&mut self, batch: &[EpisodeId], plan: &nrem::ReplayPlan) {
        let metrics = &mut self.report.metrics;
        metrics.batches_processed += 1;
        metrics.episodes_replayed += batch.len() as u32;
        self.report.replayed.extend(self.chosen.iter().filter(|r| batch.contains(&r.episode)).cloned());
        let traced = plan.credits.iter().filter(|credit| batch.contains(&credit.episode));
        self.report.nrem.credit_assignments.extend(traced.cloned());
        metrics.reverse_replays = self.report.nrem.credit_assignments.len() as u32;
        metrics.credit_assignments_completed =
            self.report.nrem.credit_assignments.iter().filter(|credit| credit.is_complete()).count() as u32;
        let tried: Vec<WorsenedReplay> =
            plan.tried.iter().filter(|trial| batch.contains(&trial.episode)).copied().collect();
        let perturbed: BTreeSet<EpisodeId> = tried.iter().map(|trial| trial.episode).collect();
        metrics.perturbed_replays += perturbed.len() as u32;
        self.report.nrem.broken_by_perturbation += tried.iter().filter(|trial| trial.breaks).count() as u32;
        self.report.tried.extend(tried);
    }

    fn sort_memories(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) {
        let rules = view.rules.iter().map(|rule| rule.claim);
        let config = &view.config.consolidation.triage;
        let (replayed, patterns) = (&self.report.replayed, &self.patterns);
        self.report.triage = nrem::triage::triage(replayed, patterns, rules, &self.sorted, grimoire, config);
        let count = |verdict| self.report.triage.iter().filter(|t| t.verdict == verdict).count() as u32;
        let decisions = &mut self.report.nrem.triage_decisions;
        decisions.preserve = count(nrem::TriageVerdict::Preserve);
        decisions.r#abstract = count(nrem::TriageVerdict::Abstract);
        decisions.forget = count(nrem::TriageVerdict::Forget);
        self.report.metrics.contradictions_found =
            self.contradictory.unwrap_or_else(|| disagreements(&self.report.replayed, grimoire));
    }

    fn wander(&mut self, grimoire: &Grimoire, view: &DreamView<'_>) -> Vec<Question> {
        let all = self.account.allowance();
        let config = &view.config.imagination;
        let replayed = std::mem::take(&mut self.report.replayed);
        let worst = self.report.nrem.worst_prospect.as_ref().map(|worst| worst.terminal_state.regime);
        let ways =
            |decisions| rem::counterfactuals(&replayed, grimoire, view, decisions, self.now.tier, worst);
        let questions = if self.is_rich() {
            // Ideas have a part of the money reserved (half, at least the creative floor), and compete for the rest.
            let share = self.now.by_phase.rem.dollars() / self.budget.dollars().max(f64::MIN_POSITIVE);
            let creative = self.budget.scaled(replay::creative_share(0.5 * share, &view.config.replay));
            let mut stream = self.stream(luck::REM);
            let ledger = view.primitives.after(grimoire);
            let mut ideas = rem::creative::sessions(
                grimoire, &ledger, view, &self.now, &self.intensity, worst, &mut stream,
            );
            self.report.primitives = Some(Box::new(ledger));
            let ways = ways((config.key_decisions, self.intensity.counterfactual_depth));
            let threats = rem::threat::rehearsals(grimoire, view, &self.now, self.intensity.threat_scenarios);
            let threats = threats.into_iter().map(|kind| rem::threat::question(kind, grimoire, view));
            account::grade(&mut ideas, self.account.left(creative), Tier::T1, view.llm);
            let (mut questions, more_ideas) = self.split_by_means(ideas, creative, view);
            // Questions for the middling model come first: they cost little, and the large model would take all of the money.
            let rest = rem::reappraisal(&replayed, grimoire, view).into_iter();
            let mut rest: Vec<Question> = rest.chain(threats).chain(ways).chain(more_ideas).collect();
            account::grade(&mut rest, self.account.left(all), Tier::T1, view.llm);
            questions.extend(self.afford(rest, all, view));
            questions
        } else {
            let one = ways((1, config.counterfactual_depth.min(1)));
            self.afford(one, all, view)
        };
        self.report.replayed = replayed;
        questions
    }

    /// Patterns read, patterns imagined and guards are consolidated apart from each other, so that a strong memory doesn't crowd
    /// out a new idea.
    fn consolidate(&mut self, view: &DreamView<'_>) -> Vec<Question> {
        let read: Vec<SourcedClaim> = self.patterns.iter().chain(&self.anticipated).cloned().collect();
        let fragments = self.kept.iter().map(|(fragment, _)| SourcedClaim {
            claim: fragment.claim,
            learned_from: vec![fragment.context_from, fragment.action_from, fragment.outcome_from],
        });
        let imagined: Vec<SourcedClaim> =
            self.hypotheses.iter().chain(&self.transformations).cloned().chain(fragments).collect();
        let groups = [read, imagined, self.guards.clone()];
        let ask = |patterns| Question {
            task: Task::Consolidate { patterns },
            tier: self.now.tier.model(DreamOperation::Reading),
            temperature: view.config.imagination.analytic_temperature,
        };
        let mut questions: Vec<Question> =
            groups.into_iter().filter(|patterns| !patterns.is_empty()).map(ask).collect();
        let all = self.account.allowance();
        account::grade(&mut questions, self.account.left(all), Tier::T0, view.llm);
        let asked = self.afford(questions, all, view);
        // Where nothing is asked, all of it is left to the next dream.
        self.open_groups = asked.len().max(1) as u32;
        asked
    }

    fn come_back(&mut self, view: &DreamView<'_>) -> Vec<Question> {
        if !self.is_rich() {
            return Vec::new();
        }
        self.enter(DreamPhase::Return, view);
        let question = wake::question(&self.report.findings, view);
        self.afford(question.into_iter().collect(), self.account.allowance(), view)
    }
}

/// The plausibility test before staging. Memory denies a claim when the remembered trades that it applies to, three or more, have
/// a mean on the other side of zero by more than `least` of its standard errors. (The specs want such a test and don't define it;
/// of fewer than three trades the standard error says nothing.)
pub(super) fn is_denied(claim: &Claim, grimoire: &Grimoire, least: f64) -> bool {
    const FEWEST: f64 = 3.0;
    // A mean says nothing of what is rare and ruinous, which is what claims about size and guards are about.
    if !claim.kind().is_about_worth() {
        return false;
    }
    let applies = |e: &&EpisodeRecord| claim.applies(e.strategy, &e.context);
    let results = Moments::of(grimoire.evidence().filter(applies).map(|e| e.realised_r));
    let Some(results) = results.filter(|results| results.n >= FEWEST) else { return false };
    let against = if claim.expected_r > 0.0 { -results.mean } else { results.mean };
    results.standard_error().is_some_and(|error| against > least * error)
}

/// Contradictions among replayed trades: in each strategy and regime, the smaller of the numbers of gains and losses, summed.
fn disagreements(replayed: &[Replayed], grimoire: &Grimoire) -> u32 {
    let remembered = replayed.iter().filter_map(|replayed| grimoire.get(replayed.episode));
    let mut subjects: BTreeMap<_, (u32, u32)> = BTreeMap::new();
    for episode in remembered.filter(|episode| episode.kind == EpisodeKind::Trade) {
        let (gains, losses) = subjects.entry((episode.strategy, episode.context.regime)).or_default();
        *(if episode.realised_r > 0.0 { gains } else { losses }) += 1;
    }
    subjects.values().map(|(gains, losses)| gains.min(losses)).sum()
}

/// The memory with the outcomes of its trades dealt out among them at random. Where scars are no evidence they keep to
/// themselves: dealt among all trades, their outcomes would count after all.
pub(super) fn disguise(grimoire: &Grimoire, luck: u64) -> Grimoire {
    let mut stream = WorldSeed(luck).world(Purpose::Permutation, 0, 0);
    let is_trade = |slot: &usize| grimoire.record(*slot).kind == EpisodeKind::Trade;
    let trades = (0..grimoire.len()).filter(is_trade);
    let (fair, scars): (Vec<usize>, Vec<usize>) =
        trades.partition(|&slot| grimoire.is_fair(grimoire.record(slot)));
    let mut order: Vec<usize> = (0..fair.len() + scars.len()).collect();
    let (among_fair, among_scars) = order.split_at_mut(fair.len());
    for part in [among_fair, among_scars] {
        stream.shuffle(part);
    }
    grimoire.with_dealt_outcomes(&[fair, scars].concat(), &order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::episode::{GrimoireConfig, Provenance};
    use morta_base::GolemId;

    /// Outcomes of scars are dealt among scars, and others among others; where scars are evidence, they mix.
    #[test]
    fn shuffled_outcomes_of_scars_stay_among_scars() {
        let mixed = |scars_as_evidence: bool| {
            let mut grimoire =
                Grimoire::new(GrimoireConfig { scars_as_evidence, ..GrimoireConfig::default() }, 2);
            for number in 0..12 {
                let mut new = episode(number, 10);
                new.realised_r = f64::from(number) / 10.0;
                if number >= 8 {
                    new.provenance = Provenance::Predecessor(GolemId::founder(9));
                    new.realised_r = -f64::from(number);
                }
                grimoire.insert(new, 10);
            }
            let dealt: Vec<Grimoire> = (0..20).map(|luck| disguise(&grimoire, luck)).collect();
            let moved = |dealt: &Grimoire| {
                dealt.records().iter().zip(grimoire.records()).any(|(a, b)| a.realised_r != b.realised_r)
            };
            assert!(dealt.iter().filter(|dealt| moved(dealt)).count() > 15);
            let out_of_place = |e: &EpisodeRecord| e.is_inherited() != (e.realised_r < 0.0);
            dealt.iter().any(|dealt| dealt.records().iter().any(out_of_place))
        };
        assert!(!mixed(false) && mixed(true));
    }
}
