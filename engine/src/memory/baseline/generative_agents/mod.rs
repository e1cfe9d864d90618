//! `generative-agents`: the memory stream of Park et al., "Generative Agents: Interactive Simulacra of Human Behavior" (UIST 2023).
//!
//! Every closed trade becomes a record. Before a decision the records with the highest recency + importance + relevance are read. Once
//! enough importance has been observed, reflections are drawn from records and stored as records too. The mapping onto the market:
//!
//! | paper | here |
//! |---|---|
//! | an observation | a closed trade; what was stayed out of leaves no record |
//! | importance, rated by a model | surprise or arousal on the paper's scale: both are measured, so that no model need be asked |
//! | retrieval before an action | before a decision, by the market's embedding; the prior and what the retrieved say of the same strategy and asset are averaged |
//! | last access | the last decision acted on in which the record was among the voices named: advice changes nothing, so a look without consequence leaves no trace |
//! | the questions of a reflection | strategies, assets and regimes of the latest records that weigh most |
//! | an insight that cites records | the mean result of the retrieved records on the question, with the names of all of them |
//! | a call of a model | tokens of a tier, paid from the inference purse; without the money reflection waits |
//!
//! A reflection has a voice in its own regime. Outcomes are never held for or against it: a later reflection is drawn instead.
//! The paper's agents don't die, so nothing is handed on. Reflection happens in a waking moment, over 150 of summed importance by default,
//! and asks no model: it only costs as much. Results are in R, importance from 1 to 10, recency in simulated hours. It is the
//! retrieval-augmented memory baseline with reflection.

mod config;
mod reflection;
mod stream;
#[cfg(test)]
mod tests;

pub use config::GenerativeAgentsConfig;

use crate::episode::{Context, EpisodeKind};
use crate::llm::Tier;
use crate::memory::baseline::PRIOR_WEIGHT;
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, DecisionContext, Experience, MemoryAccount, MemoryArchitecture,
    MemoryBirth, Upkeep, UpkeepKind, Voice, VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use morta_base::Tick;
use reflection::{Reflection, reflect};
use serde::{Deserialize, Serialize};
use stream::{Origin, Query, Stream, StreamRecord, Subject, importance};

/// The tier that reflects. Our choice: the small one, because what reflections say is worked out here and a larger one would only cost
/// more; no consequence was found of another (`scenarios/sensitivity/knobs-baselines.toml`).
const TIER: Tier = Tier::T0;
/// Tokens read for a record that a question is drawn from or answered by. Our choice: a sentence of some thirty words.
const TOKENS_PER_RECORD: u32 = 40;
/// Tokens written for a question, and for a conclusion. Our choice: a sentence or two.
const TOKENS_PER_ANSWER: u32 = 60;

/// A memory stream with reflection (LLM agent memory baseline): it expects of a strategy the mean of the records that are retrieved (Park
/// et al. 2023).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerativeAgents {
    config: GenerativeAgentsConfig,
    stream: Stream,
    /// Importance observed since the last reflection.
    unreflected: f64,
    /// Number of the next reflection, as the source of its voice.
    next_reflection: u32,
    account: MemoryAccount,
}

impl GenerativeAgents {
    /// An empty memory stream, in a world whose ticks are so long in simulated hours; above 0.
    pub fn new(config: GenerativeAgentsConfig, tick_hours: f64) -> Self {
        Self { config, stream: Stream::new(tick_hours), ..Self::default() }
    }

    fn speak(&self, context: &Context, candidate: &Candidate, retrieved: &[&StreamRecord]) -> Advice {
        let fits = |record: &&&StreamRecord| {
            let Subject { strategy, asset, regime } = record.subject;
            (strategy, asset) == (candidate.strategy, candidate.asset)
                && (!record.is_reflection() || regime == context.regime)
        };
        let voice = |record: &&StreamRecord| record.voice(self.config.reflection_weight);
        let voices: Vec<Voice> = retrieved.iter().filter(fits).map(voice).collect();
        // In the order of retrieval, the highest score first: all weights are equal, so the loudest would be arbitrary.
        let why = voices.iter().take(Advice::MAX_VOICES).copied().collect();
        Advice { why, ..Advice::balanced(candidate, PRIOR_WEIGHT, voices.iter()) }.with_voices(voices)
    }

    /// Tokens read and written: questions from the latest records, then a conclusion from the records retrieved for each.
    fn tokens(&self, attention: &Attention<'_>) -> (u32, u32) {
        let config = &self.config;
        let read = self.stream.latest(config.reflected_records).count() as u32;
        let retrieved = self.stream.latest(config.retrieved).count() as u32 * config.questions;
        let asked = attention.llm.tier(TIER).context_tokens * (1 + config.questions);
        (asked + (read + retrieved) * TOKENS_PER_RECORD, 2 * config.questions * TOKENS_PER_ANSWER)
    }

    fn conclude(&mut self, reflection: Reflection) {
        for (record, restates) in reflection.records.into_iter().zip(reflection.restates) {
            let Origin::Reflected { number, drawn_from } = &record.origin else { continue };
            self.next_reflection = number + 1;
            self.account.store(record.source(), restates);
            drawn_from.iter().for_each(|source| self.account.call_on(*source));
            self.stream.keep(record, self.config.capacity);
        }
        self.unreflected = 0.0;
    }
}

impl FamilyMember for GenerativeAgents {
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        Self::new(keys.memory.generative_agents.clone(), birth.tick_seconds / 3_600.0)
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        self.config = keys.memory.generative_agents.clone();
        self.stream.shrink(self.config.capacity);
    }
}

impl MemoryArchitecture for GenerativeAgents {
    crate::capable_of!(account);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let query = Query { now: moment.tick, embedding: moment.embedding };
        let retrieved = self.stream.retrieve(query, &self.config);
        advice.extend(candidates.iter().map(|candidate| self.speak(&moment.context, candidate, &retrieved)));
    }

    fn advise_without(
        &self,
        _: &Context,
        candidate: &Candidate,
        advice: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        Advice::balanced(candidate, PRIOR_WEIGHT, advice.others(silent))
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let Experience { episode, why, now, .. } = *experience;
        if episode.kind != EpisodeKind::Trade {
            return;
        }
        let called: Vec<VoiceSource> = why.iter().map(|voice| voice.source).collect();
        self.stream.retrieved(&called, now);
        self.account.store(VoiceSource::Episode(episode.id), false);
        self.account.call_on_all(why);
        let importance = importance(episode.surprise, episode.arousal, self.config.surprise_of_ten_r);
        self.unreflected += importance;
        let record = StreamRecord {
            origin: Origin::Observed(episode.id),
            subject: Subject::from_episode(episode),
            said_r: episode.realised_r,
            importance,
            last_retrieved: now,
            embedding: episode.embedding.clone(),
        };
        self.stream.keep(record, self.config.capacity);
    }

    fn wants_attention(&self) -> bool {
        self.config.questions > 0
    }

    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        if self.config.questions == 0 || self.unreflected <= self.config.reflection_threshold {
            return Attended::default();
        }
        let (read, written) = self.tokens(attention);
        let seen = self.stream.latest(self.config.reflected_records).count() as u32;
        let mut upkeep = Upkeep::new(UpkeepKind::Reflection, seen);
        upkeep.tokens = Some((TIER, read, written));
        if upkeep.cost(attention.llm) > attention.inference_left {
            return Attended::default();
        }
        let reflection = reflect(&self.stream, attention.tick, self.next_reflection, &self.config);
        upkeep.made = reflection.records.len() as u32;
        self.conclude(reflection);
        Attended { upkeep: vec![upkeep], ..Attended::default() }
    }

    /// Numbers its reflections after those of the other.
    fn count_on_from(&mut self, other: &Self) {
        self.next_reflection = self.next_reflection.max(other.next_reflection);
    }
}
