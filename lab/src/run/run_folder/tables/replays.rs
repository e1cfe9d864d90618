//! `replays.parquet`: one row an episode that a dream chose to replay, with every term of its utility
//! (prioritized experience replay; gain times need, Mattar and Daw 2018). Terms are 0 to 1, boosts are factors, so that gain and utility
//! may exceed 1; results are R, places count from 1. Episodes that were chosen and never read are kept, because a budget that ran out is a
//! finding. Dreams are off by default (`dream.enabled`); without them the table is empty.

use super::cast::{Cast, CohortEntry};
use super::{Heard, RowsOf, came_by, joined};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::{DreamId, EpisodeId, GolemId, RuleId, Tick};
use morta_engine::dream::DreamJournalEntry;
use morta_engine::dream::nrem::{ReadBatch, Replayed, WorsenedReplay, Worsening};
use morta_engine::event::EventKind;
use morta_engine::market::Regime;
use morta_engine::replay::{
    CreditAssignment, Deviation, PerturbationKind, ReplayMode, SelectionReason, StepCredit,
};
use std::collections::BTreeMap;

/// An episode that a dream chose, and what the dream did with it (replayed episode).
pub(crate) struct ChosenEpisode<'a> {
    golem: GolemId,
    cohort: &'a CohortEntry,
    dream: &'a ChoosingDream,
    ended: Tick,
    place: usize,
    chosen: &'a Replayed,
    /// Nothing when the dream was never heard to end.
    fate: Option<Fate<'a>>,
    claims: Vec<RuleId>,
}

/// What a dream did with an episode.
struct Fate<'a> {
    batch: Option<(usize, &'a ReadBatch)>,
    tried: Vec<&'a WorsenedReplay>,
    credit: Option<&'a CreditAssignment>,
}

/// A dream under way, with what is known of it so far.
struct ChoosingDream {
    id: DreamId,
    began: Tick,
    mode: ReplayMode,
    chosen: Vec<Replayed>,
    /// What it did with them.
    done: Option<(Vec<ReadBatch>, Vec<WorsenedReplay>)>,
    /// The claims it put to the test, and what each was learned from.
    staged: Vec<(RuleId, Vec<EpisodeId>)>,
}

impl ChosenEpisode<'_> {
    fn batch(&self) -> Option<(usize, &ReadBatch)> {
        self.fate.as_ref().and_then(|fate| fate.batch)
    }

    fn in_batch(&self, holds: fn(&ReadBatch) -> bool) -> Option<bool> {
        self.fate.as_ref().map(|fate| fate.batch.is_some_and(|(_, batch)| holds(batch)))
    }

    fn credit(&self) -> Option<&CreditAssignment> {
        self.fate.as_ref().and_then(|fate| fate.credit)
    }

    /// The decision that an outcome is mostly owed to.
    fn pivotal(&self) -> Option<StepCredit> {
        let credit = self.credit()?;
        credit.pivotal.and_then(|place| credit.steps.get(place as usize)).copied()
    }

    fn perturbed(&self) -> Option<(PerturbationKind, f64, &WorsenedReplay)> {
        self.fate.iter().flat_map(|fate| &fate.tried).find_map(|tried| match tried.change {
            Worsening::Perturbed { kind, magnitude } => Some((kind, magnitude, *tried)),
            Worsening::Deviating { .. } => None,
        })
    }

    fn supposed(&self, of: Deviation) -> Option<(f64, &WorsenedReplay)> {
        self.fate.iter().flat_map(|fate| &fate.tried).find_map(|tried| match tried.change {
            Worsening::Deviating { deviation, supposed_bps, .. } if deviation == of => {
                Some((supposed_bps, *tried))
            }
            _ => None,
        })
    }
}

table! {
    /// One episode that a dream chose to replay, whether it was read or not. The rows of a dream stand together in the order of choice, and
    /// are written when the dream ends; those of a dream that never ended, when the life of the dreamer or the run does. `dream` joins
    /// `dreams.parquet`, `episode` joins `trades.parquet` where the dreamer traded it, and `claim_rules` joins `rules.parquet`.
    ///
    /// `utility` = `gain` · `need` · (1 − w·`spacing`) · `curator_boost` · `mood_boost` · `legacy_boost`, with w = `dream.replay.spacing_weight`.
    pub struct ReplayRow in "replays.parquet" at ended_tick from row: ChosenEpisode<'_>;

    /// Lineage of the dreamer.
    lineage: u32, Number = row.golem.slot();
    /// Generation of the dreamer.
    generation: u32, Number = row.golem.generation;
    /// The dreamer.
    golem: String, Id = Named(row.golem);
    /// Its cohort.
    cohort: String, Name = &row.cohort.name;
    /// The memory architecture of its cohort.
    memory: String, Word = &row.cohort.memory;
    /// The dream.
    dream: String, Id = Named(row.dream.id);
    /// When the dreamer fell asleep; all choices of a dream are made then.
    began_tick: u64, Tick = row.dream.began;
    /// When the dream ended.
    ended_tick: u64, Tick = row.ended;
    /// What the dream went after: `normal` (what prioritization puts first) or `confused` (what was most surprising).
    replay_mode: String, Word = row.dream.mode.to_string();
    /// Its place in the order of choice, from 1: by rank or draw, then the choices for diversity.
    place: u64, Number = row.place as u64 + 1;
    /// The episode.
    episode: String, Id = Named(row.chosen.episode);
    /// Where it comes from: `own` (lived through), `predecessor` (handed over by the golem whose place the dreamer took), `bloodstain`
    /// (drawn from the Lethe) or `clade` (told by a living sibling).
    provenance: String, Word = came_by(row.chosen.provenance).0;
    /// The bloodstain it was drawn from; empty when it came another way.
    bloodstain: Option<String>, Id = row.chosen.provenance.bloodstain().map(Named);
    /// The golem that left it, handed it over or told it; empty for the dreamer's own.
    from_golem: Option<String>, Id = came_by(row.chosen.provenance).1.map(Named);
    /// Why it was chosen: `top_utility`, `latest`, `most_surprising`, `drawn` (all alike) or `drawn_by_priority`, by the order of
    /// prioritization; or, for diversity, as the only one from a regime met of late (`regime_diversity`), from the oldest part of the memory
    /// (`temporal_diversity`), or felt strongly (`emotional_diversity`).
    reason: String, Word = <&str>::from(row.chosen.reason);
    /// The regime it stands for; empty unless chosen for `regime_diversity`.
    diversity_regime: Option<String>, Word = diversity_regime(row.chosen.reason).map(Regime::name);
    /// Gain: distance of outcome and expectation over the 95th percentile of the memory (`dream.replay.normalization_quantile`), at most 1.
    surprise: f64, Share = row.chosen.terms.surprise;
    /// Gain: size of the profit or loss over its percentile, at most 1.
    significance: f64, Share = row.chosen.terms.significance;
    /// Gain: what the best other strategy would have made beyond it over its percentile, at most 1.
    // Over a percentile of the dreamer's own memory rather than over the largest: one extreme trade would press all others to 0.
    regret: f64, Share = row.chosen.terms.regret;
    /// Gain: the three weighted by `dream.replay.gain_weights` and added up, at most 1.
    gain_base: f64, Share = row.chosen.terms.gain_base;
    /// Replays of the episode before this dream.
    replays_before: u32, Count = row.chosen.replays;
    /// Gain: what these leave of it, `dream.replay.replay_decay` for each.
    replay_decay: f64, Share = row.chosen.terms.replay_decay;
    /// Gain: factor for an inherited episode; 1 for others.
    bloodstain_boost: f64, Ratio = row.chosen.terms.bloodstain;
    /// `gain_base` · `replay_decay` · `bloodstain_boost`.
    gain: f64, Ratio = row.chosen.terms.gain();
    /// Need: likeness of the market then and when the dreamer fell asleep.
    likeness: f64, Share = row.chosen.terms.likeness;
    /// Need: 1 when the regime was the same, else `dream.replay.regime_mismatch`.
    regime_match: f64, Share = row.chosen.terms.regime;
    /// Need: what time has left, by `dream.replay.recency_half_life_ticks`.
    recency: f64, Share = row.chosen.terms.recency;
    /// The three weighted by `dream.replay.need_weights` and added up, at most 1.
    need: f64, Share = row.chosen.terms.need;
    /// How fresh the last replay is, by `dream.replay.spacing_half_life_ticks`: 1 for this tick, 0 for never.
    spacing: f64, Share = row.chosen.terms.spacing;
    /// Factor for the Curator's tag; 1 without.
    curator_boost: f64, Ratio = row.chosen.terms.curator;
    /// Factor for what the dreamer's mood is drawn to; 1 for the rest.
    mood_boost: f64, Ratio = row.chosen.terms.mood;
    /// Factor for what can be passed on, by the dreamer's age; 1 for the young.
    legacy_boost: f64, Ratio = row.chosen.terms.legacy;
    /// Replay utility. Choices follow it where `reason` is `top_utility`, `drawn_by_priority`, `regime_diversity` or `temporal_diversity`.
    utility: f64, Ratio = row.chosen.utility;
    /// Correction for unequal probabilities of being drawn; 1 where nothing was drawn by priority.
    importance_weight: f64, Share = row.chosen.importance_weight;
    /// What it counts for in means when it is read, its importance weight; 0 for a scar, which is shown but weighs nothing.
    reading_weight: f64, Share = row.chosen.weight;
    /// The batch it was put in, from 1 in the order of reading. Empty when it was in none: the dream was over before, the episode was
    /// forgotten since it was chosen, or the batches were full.
    batch: Option<u64>, Number = row.batch().map(|(place, _)| place as u64 + 1);
    /// Whether its batch was put to the model; what is not could not be paid for, or there was no turn left. This and the column after it
    /// are empty when the dream was `unfinished` (`outcome` in `dreams.parquet`).
    asked: Option<bool>, Flag = row.in_batch(|batch| batch.asked);
    /// Whether it was read: its batch was put to the model, and an answer was heard. Without an answer the question was refused, the reply
    /// unusable, or the dream over before it came.
    read: Option<bool>, Flag = row.in_batch(|batch| batch.answered);
    /// Realised minus expected R of an episode that was traced back from its outcome (reverse replay); empty for all others, as are the two
    /// columns after it.
    forecast_error_r: Option<f64>, R = row.credit().map(|credit| credit.forecast_error_r);
    /// The decision that moved the result most in the direction of the outcome: `analysis`, `entry`, `hold` or `exit`; empty also when none
    /// did.
    credited_step: Option<String>, Word = row.pivotal().map(|step| step.kind.to_string());
    /// Its part of all movement.
    credited_share: Option<f64>, Share = row.pivotal().map(|step| step.share);
    /// What was made worse when it was gone through once more: `slippage`, `latency`, `gas_spike`, `data_dropout`, `liquidity` or
    /// `decoupling`. Empty when nothing was tried on it, as are the four columns after it.
    perturbation: Option<String>, Word = row.perturbed().map(|(kind, ..)| kind.to_string());
    /// By how much: a factor (`slippage`, `gas_spike`), blocks (`latency`), minutes (`data_dropout`) or the share that is gone
    /// (`liquidity`, `decoupling`).
    perturbation_magnitude: Option<f64>, OfRow = row.perturbed().map(|(_, magnitude, _)| magnitude);
    /// What the trade would have made then.
    perturbed_r: Option<f64>, R = row.perturbed().map(|(.., tried)| tried.perturbed_r);
    /// Whether that alone would have spoilt it.
    broke: Option<bool>, Flag = row.perturbed().map(|(.., tried)| tried.breaks);
    /// Magnitude from which that perturbation would have spoilt it, in the perturbation's unit; empty where the trade bears any, or failed without.
    // Beside `broke`, because one magnitude alone would not tell a trade that nearly held from one that never could.
    tolerated_magnitude: Option<f64>, OfRow = row.perturbed().and_then(|(.., tried)| tried.tolerated);
    /// Slippage beyond the predicted that was supposed too: the largest of `dream.replay.deviation_multiples` times the measured. Empty
    /// where none was measured or the trade bears all of the multiples, as are the two columns after it.
    supposed_slippage_bps: Option<f64>, BasisPoints = row.supposed(Deviation::Slippage).map(|(bps, _)| bps);
    /// What the trade would have made with that slippage.
    supposed_slippage_r: Option<f64>, R = row.supposed(Deviation::Slippage).map(|(_, tried)| tried.perturbed_r);
    /// Whether that alone would have spoilt it.
    supposed_slippage_broke: Option<bool>, Flag = row.supposed(Deviation::Slippage).map(|(_, tried)| tried.breaks);
    /// Gas beyond the predicted that was supposed too, over the predicted: the largest of the same multiples. Empty where none was
    /// measured or the trade bears all of the multiples, as are the two columns after it.
    supposed_gas_ratio: Option<f64>, Ratio = row.supposed(Deviation::Gas).map(|(bps, _)| bps / 1e4);
    /// What the trade would have made with that gas.
    supposed_gas_r: Option<f64>, R = row.supposed(Deviation::Gas).map(|(_, tried)| tried.perturbed_r);
    /// Whether that alone would have spoilt it.
    supposed_gas_broke: Option<bool>, Flag = row.supposed(Deviation::Gas).map(|(_, tried)| tried.breaks);
    /// Claims that the dream put to the test and that were learned from the episode, among others.
    claims: u64, Count = row.claims.len() as u64;
    /// These claims, by the rules they would become.
    claim_rules: String, Ids = joined(&row.claims);
}

fn diversity_regime(reason: SelectionReason) -> Option<Regime> {
    match reason {
        SelectionReason::RegimeDiversity(regime) => Some(regime),
        _ => None,
    }
}

/// Makes the rows; remembers what every sleeper has chosen (experience replay table recorder).
#[derive(Default)]
pub(super) struct Replays {
    asleep: BTreeMap<GolemId, ChoosingDream>,
}

impl RowsOf for Replays {
    type Row = ReplayRow;

    fn take(&mut self, Heard { event, cast, .. }: Heard<'_>, out: &mut TableWriter<ReplayRow>) -> Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        match &event.kind {
            EventKind::DreamStarted { id, mind, replayed, .. } => {
                let (began, mode, chosen) = (event.tick, mind.mode, replayed.clone());
                let dream = ChoosingDream { id: *id, began, mode, chosen, done: None, staged: Vec::new() };
                self.asleep.insert(golem, dream);
            }
            EventKind::DreamReplayed { batches, tried, .. } => {
                if let Some(dream) = self.asleep.get_mut(&golem) {
                    dream.done = Some((batches.clone(), tried.clone()));
                }
            }
            EventKind::ClaimStaged { id, dream: Some(of), learned_from, .. } => {
                if let Some(dream) = self.asleep.get_mut(&golem).filter(|dream| dream.id == *of) {
                    dream.staged.push((*id, learned_from.clone()));
                }
            }
            EventKind::DreamCompleted { journal, .. } | EventKind::DreamInterrupted { journal, .. } => {
                return self.write_out(golem, Some(journal), event.tick, cast, out);
            }
            EventKind::LifeEnded(_) => return self.write_out(golem, None, event.tick, cast, out),
            _ => {}
        }
        Ok(())
    }
}

impl Replays {
    /// Writes the rows of a golem's dream, if it is in one.
    fn write_out(
        &mut self,
        golem: GolemId,
        journal: Option<&DreamJournalEntry>,
        ended: Tick,
        cast: &Cast,
        out: &mut TableWriter<ReplayRow>,
    ) -> Result<()> {
        let Some(dream) = self.asleep.remove(&golem) else { return Ok(()) };
        let cohort = cast.cohort(golem.lineage);
        for (place, chosen) in dream.chosen.iter().enumerate() {
            let episode = chosen.episode;
            let fate = journal.zip(dream.done.as_ref()).map(|(journal, (batches, tried))| Fate {
                batch: batches.iter().enumerate().find(|(_, batch)| batch.episodes.contains(&episode)),
                tried: tried.iter().filter(|tried| tried.episode == episode).collect(),
                credit: journal.nrem.credit_assignments.iter().find(|credit| credit.episode == episode),
            });
            let rests_on_it = dream.staged.iter().filter(|(_, from)| from.contains(&episode));
            let claims = rests_on_it.map(|(rule, _)| *rule).collect();
            let dream = &dream;
            out.add(&ChosenEpisode { golem, cohort, dream, ended, place, chosen, fate, claims })?;
        }
        Ok(())
    }
}
