//! Phases of sleep by the clock: the work, cost and result of each (light: gather and deduplicate; deep: promote; REM: themes).
//!
//! Costs are in tokens, limits are numbers of entries, results of themes are in R. Each phase is run only where the purse can pay its
//! dearest outcome. A formula does the work, and the tokens are charged as if a model had; only the worth of themes may really be asked of
//! one. The digest of OpenClaw, section 8, has the limits.

use super::config::ReflectionBy;
use super::note::{session_name, volatility_name};
use super::{OpenClaw, ThemeBelief};
use crate::episode::{ContextPattern, VolatilityBand};
use crate::llm::{Task, ThemeBrief, Tier};
use crate::market::{Regime, Session, Strategy};
use crate::memory::{Attention, Reads, Upkeep, UpkeepKind, VoiceSource};
use morta_base::Usdc;
use morta_base::moments::mean;
use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::light::light;
use morta_memories::openclaw::promote::promote;
use morta_memories::openclaw::rank::Ranking;
use morta_memories::openclaw::rem::{Theme, rem};
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::tags::normalise;
use morta_memories::openclaw::text::note_day;
use morta_memories::openclaw::time::Instant;

/// Most truths that REM sleep names besides its themes (digest section 8: at most max(1, min(3, limit))).
const MOST_TRUTHS: u32 = 3;

impl OpenClaw {
    /// Number of entries that a phase reads.
    pub(super) fn looks_at(&self, phase: Phase, now: Instant) -> u32 {
        let dreaming = &self.config.dreaming;
        let within = |days: u32| {
            let recent = |entry: &&RecallEntry| entry.recalled_within(days, now);
            self.store.entries.values().filter(recent).count() as u32
        };
        match phase {
            Phase::Light => within(dreaming.light.lookback_days),
            Phase::Rem => within(dreaming.rem.lookback_days),
            Phase::Deep => {
                let waiting = self.store.entries.values().filter(|entry| entry.promoted_at.is_none());
                waiting.count() as u32
            }
        }
    }

    /// Most entries or themes that it can name: its limit; REM sleep names up to three truths besides (digest section 8), deep
    /// sleep the recovered candidates.
    pub(super) fn most_named(&self, phase: Phase) -> u32 {
        let dreaming = &self.config.dreaming;
        match phase {
            Phase::Light => dreaming.light.limit,
            Phase::Rem => dreaming.rem.limit.saturating_add(MOST_TRUTHS),
            Phase::Deep => {
                dreaming.deep.limit.saturating_add(dreaming.deep.recovery.max_recovered_candidates)
            }
        }
    }

    /// A piece of work that reads so many entries and names so many.
    pub(super) fn upkeep(&self, phase: Phase, seen: u32, made: u32) -> Upkeep {
        let execution = self.config.dreaming.execution(phase);
        let tokens = self.config.costs.tokens(execution, seen, made);
        let tier: Tier = self.config.tiers[execution.budget as usize];
        let kind = match phase {
            Phase::Light => UpkeepKind::Light,
            Phase::Rem => UpkeepKind::Rem,
            Phase::Deep => UpkeepKind::Deep,
        };
        let tokens = Some((tier, tokens.input, tokens.output));
        Upkeep { made, tokens, ..Upkeep::new(kind, seen) }
    }

    /// Light sleep: stages the recalled entries without duplicates, which may raise their rank in deep sleep. Nothing is promoted.
    pub(super) fn light(&mut self, seen: u32, now: Instant) -> Upkeep {
        let staged = light(&self.store, now, &self.config.dreaming.light);
        if self.config.dreaming.deep.light_boost > 0.0 {
            for candidate in &staged {
                let signal = self.phases.entry(candidate.key.clone()).or_default();
                signal.light_hits = signal.light_hits.saturating_add(1);
                signal.last_light_at = Some(now);
            }
        }
        let merged = staged.iter().map(|candidate| candidate.duplicates.len() as u32).sum();
        Upkeep { merged, ..self.upkeep(Phase::Light, seen, staged.len() as u32) }
    }

    /// Deep sleep: promotes the entries that rank high enough into long-term memory.
    pub(super) fn deep(&mut self, seen: u32, now: Instant) -> Upkeep {
        let config = &self.config.dreaming.deep;
        let ranking = Ranking { now, zone: &self.zone, config, include_promoted: false };
        let notes = &self.notes;
        let read = |path: &str| notes.text(note_day(path)?);
        let (done, memory) = promote(&mut self.store, &self.long_term, read, &ranking, &self.phases);
        self.long_term = memory;
        for applied in &done.applied {
            if let Some(number) = self.notes.of_entry(&self.store.entries[&applied.key]) {
                self.notes.promote(number);
                self.account.call_on(VoiceSource::Note(number));
            }
        }
        let promoted = done.applied.len() as u32;
        let named = promoted + done.recovery.for_review.len() as u32;
        Upkeep { promoted, dropped: done.stale.len() as u32, ..self.upkeep(Phase::Deep, seen, named) }
    }

    /// REM sleep: draws themes, which replace all earlier beliefs.
    pub(super) fn rem(&mut self, seen: u32, now: Instant) -> Upkeep {
        let reflection = rem(&self.store, now, &self.config.dreaming.rem);
        if self.config.dreaming.deep.rem_boost > 0.0 {
            for key in reflection.themes.iter().flat_map(|theme| &theme.keys) {
                let signal = self.phases.entry(key.clone()).or_default();
                signal.rem_hits = signal.rem_hits.saturating_add(1);
                signal.last_rem_at = Some(now);
            }
        }
        let named = (reflection.themes.len() + reflection.truths.len()) as u32;
        self.beliefs.clear();
        for theme in reflection.themes {
            if let Some(belief) = self.belief(theme) {
                self.beliefs.push(belief);
            }
        }
        self.upkeep(Phase::Rem, seen, named)
    }

    /// The question of the themes' worth, where a model is to estimate it and can be paid.
    pub(super) fn question_of_themes(
        &mut self,
        attention: &Attention<'_>,
        left: Usdc,
    ) -> Option<(Tier, Vec<ThemeBrief>)> {
        if self.config.reflection != ReflectionBy::Model || self.beliefs.is_empty() {
            return None;
        }
        let brief = |belief: &ThemeBelief| ThemeBrief {
            tags: belief.theme.tags.clone(),
            count: belief.theme.count,
            strength: belief.theme.strength,
            mean_r: belief.mean_r,
            trades: belief.trades,
        };
        let themes: Vec<ThemeBrief> = self.beliefs.iter().map(brief).collect();
        let budget = self.config.dreaming.execution(Phase::Rem).budget;
        let tier = self.config.tiers[budget as usize];
        let question = Task::Reflect { themes: themes.clone() };
        let model = attention.llm.tier(tier);
        let most = attention.llm.most_output(&question, question.max_output_tokens());
        let dearest = model.price(model.tokens_read(None, &question), most);
        if dearest > left {
            return None;
        }
        self.reflected_on = self.beliefs.iter().map(|belief| belief.number).collect();
        Some((tier, themes))
    }

    /// The belief of a theme; `None` when one of its tags is no circumstance of a decision, as an outcome is.
    fn belief(&mut self, theme: Theme) -> Option<ThemeBelief> {
        let (strategy, pattern) = circumstances(&theme.tags)?;
        let notes = theme.keys.iter().filter_map(|key| self.notes.of_entry(self.store.entries.get(key)?));
        let results = notes.filter_map(|number| self.notes.get(number)).map(|note| note.realised_r);
        let results: Vec<f64> = results.collect();
        let mean_r = mean(&results)?;
        let known = self.themes.iter().position(|tags| *tags == theme.tags);
        let number = self.first_theme + known.unwrap_or(self.themes.len()) as u32;
        if known.is_none() {
            self.themes.push(theme.tags.clone());
            self.account.store(VoiceSource::Node(number), false);
        }
        Some(ThemeBelief {
            number,
            theme,
            strategy,
            pattern,
            mean_r,
            trades: results.len() as u32,
            worth_r: mean_r,
        })
    }
}

impl Reads for OpenClaw {
    /// Takes over a model's estimates for the themes that it was asked about, as far as they are still believed.
    fn receive_reflections(&mut self, worth: Vec<(u32, f64)>) {
        for (place, worth_r) in worth {
            let Some(number) = self.reflected_on.get(place as usize) else { continue };
            if let Some(belief) = self.beliefs.iter_mut().find(|belief| belief.number == *number) {
                belief.worth_r = worth_r;
            }
        }
    }
}

/// The circumstances of some tags; `None` when one names none, or two contradict each other.
pub(super) fn circumstances(tags: &[String]) -> Option<(Option<Strategy>, ContextPattern)> {
    fn put<T: PartialEq>(place: &mut Option<T>, found: T) -> Option<()> {
        if place.as_ref().is_some_and(|known| *known != found) {
            return None;
        }
        *place = Some(found);
        Some(())
    }
    const SESSIONS: [Session; 3] = [Session::Asia, Session::Europe, Session::America];
    let (mut strategy, mut pattern) = (None, ContextPattern::default());
    for tag in tags {
        let is = |name: &str| normalise(name) == *tag;
        if let Some(found) = Strategy::ALL.into_iter().find(|one| is(one.name())) {
            put(&mut strategy, found)?;
        } else if let Some(found) = Regime::ALL.into_iter().find(|one| is(one.name())) {
            put(&mut pattern.regime, found)?;
        } else if let Some(found) = VolatilityBand::ALL.into_iter().find(|one| is(volatility_name(*one))) {
            put(&mut pattern.volatility, found)?;
        } else {
            put(&mut pattern.session, SESSIONS.into_iter().find(|one| is(session_name(*one)))?)?;
        }
    }
    Some((strategy, pattern))
}
