//! The `[memory]` table: the keys of every shipped memory architecture. Weights are numbers of outcomes, confidences and similarities from
//! 0 to 1 (cosines from −1), results in R, sizes in entries or tokens. A golem reads only the table of its own cohort's memory; `bardo+owm`
//! reads both of its parts' tables, and `none`, `random` and the regime oracles have none.
//!
//! Values without a source in the specs say so beside the key. Pooling is evidence aggregation (shrinkage, or a sum of votes); recall is
//! similarity-weighted retrieval from an episode store, with a half-life by age; a guard is a risk warning that scales positions down, with
//! a scope (by strategy or whole asset); a reading budget is a context window limit; holding is an exit policy. The table configures agent
//! memory. The episode store of `bardo` is a replay buffer.
//!
//! The `///` texts of keys are printed in `docs/src/scenario-files/memory.md` and in the JSON Schema; what only matters in the code stands in
//! `//` comments here.

use crate::episode::{AgeingConfig, DemurrageConfig, GrimoireConfig};
use crate::memory::as_read::AsReadConfig;
use crate::memory::bardo::ScarContent;
use crate::memory::baseline::{GenerativeAgentsConfig, RagConfig, WindowMemoryConfig};
use crate::memory::constant::ConstantConfig;
use crate::memory::dark_pawns::DarkPawnsConfig;
use crate::memory::openclaw::arena::OpenClawConfig;
use crate::memory::owm::OwmConfig;
use morta_base::keys;
use std::collections::BTreeMap;

keys! {
    /// The `[memory]` table.
    pub struct MemoryConfig {
        /// Keys of the `bardo` architecture.
        bardo: BardoConfig = BardoConfig::default();
        /// Keys of the `openclaw` architecture.
        openclaw: OpenClawConfig = OpenClawConfig::default();
        /// Keys of the `dark-pawns` architecture.
        dark_pawns: DarkPawnsConfig = DarkPawnsConfig::default();
        /// Keys of the `owm` architecture.
        owm: OwmConfig = OwmConfig::default();
        /// Keys of `oracle-as-read`.
        oracle_as_read: AsReadConfig = AsReadConfig::default();
        /// Keys of `window`.
        window: WindowMemoryConfig = WindowMemoryConfig::default();
        /// Keys of `rag`.
        rag: RagConfig = RagConfig::default();
        /// Keys of `generative-agents`.
        generative_agents: GenerativeAgentsConfig = GenerativeAgentsConfig::default();
        /// The policy of `constant`, and what it was fitted to.
        #[serde(skip_serializing_if = "ConstantConfig::is_empty")]
        constant: ConstantConfig = ConstantConfig::default();
        /// Keys of architectures that a program has registered besides, each in a table of its name; they say themselves what they take.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        own: BTreeMap<String, serde_json::Value> = BTreeMap::new();
    }
}

morta_base::words! {
    /// How what is known is pooled into the expectation of a trade.
    #[derive(Default)]
    pub enum Pooling: Key {
        /// Level by level, from the prior over general and specific claims to episodes, each shrunk to the one above.
        #[default]
        Once = "once",
        /// The mean of the prior and all voices by their weights, so that an outcome speaks once for each claim it is behind, and as an episode.
        Sum = "sum",
    }
}

keys! {
    /// The `[memory.bardo]` table.
    pub struct BardoConfig {
        /// The episode store.
        grimoire: GrimoireConfig = GrimoireConfig::default();
        /// Waking recall of similar episodes.
        recall: RecallConfig = RecallConfig::default();
        /// What is read for a decision, and how many tokens that is.
        reading: ReadingBudget = ReadingBudget::default();
        /// What is said of staying in a position.
        holding: HoldingMemoryConfig = HoldingMemoryConfig::default();
        /// What scars of the dead do to the size of a position.
        guard: GuardConfig = GuardConfig::default();
        /// How claims and episodes are pooled (our own key): "once" or "sum".
        pooling: Pooling = Pooling::default();
        /// κ: outcomes that a level counts as, at most, beside the more specific one below it (our own key; pooled once); 0 takes κ from how far
        /// apart the golem's outcomes lie within and between strategies and regimes (Bühlmann & Straub 1970), beginning at 3.
        shrinkage_outcomes: f64 = 0.0, in 0.0..=1e9, "outcomes";
        // Pooling, holdings, κ and the weights below are ours: the specs say that memory informs decisions, and not by how much.
        /// Most episodes that a claim counts as in a decision, at full confidence: otherwise as many as outcomes are behind it, in whosever life.
        evidence_cap: f64 = 40.0, in 0.0..=1e9, "episodes";
        /// How unused knowledge fades.
        ageing: AgeingConfig = AgeingConfig::default();
        /// What knowledge pays that isn't borne out.
        demurrage: DemurrageConfig = DemurrageConfig::default();
        /// Most active entries (insights, rules, claims under test, what proved wrong). Beyond that the least trusted
        /// insight or rule goes to the archive, or what proved wrong is deleted; claims under test never leave by it.
        // Digest section 2: 500 active entries, archive the lowest confidence. The exceptions are `memory::bardo::upkeep`'s.
        capacity: u32 = 500, in 20..=100_000, "entries";
        /// Most entries in the archive; the oldest leaves.
        archive_capacity: u32 = 500, in 0..=100_000, "entries";
        /// Scars left at death.
        // Digest section 13: at most 5 scars in a bloodstain.
        scars: u32 = 5, in 0..=100, "scars";
        /// What they hold: "real", or one of two controls of research, "shuffled" (the same trades with the moments of others) and
        /// "random" (losing trades at random).
        scar_content: ScarContent = ScarContent::Real;
        /// Lessons left at death.
        lessons: u32 = 10, in 0..=1_000, "lessons";
        /// What is left of an inherited confidence for each generation it has crossed.
        // Digest section 14: c·.85^g, ceiling .7.
        confidence_decay: f64 = 0.85, in 0.0..=1.0, "factor";
        /// Most confidence an inherited lesson starts from.
        confidence_ceiling: f64 = 0.7, in 0.0..=1.0, "confidence";
    }
}

keys! {
    /// The `[memory.bardo.holding]` table: who speaks when a position is thought over (`golem.holding.review_ticks`).
    pub struct HoldingMemoryConfig {
        /// Whether positions that went through the same state speak, each with what staying in came to; without, only claims do.
        recall: bool = true;
    }
}

keys! {
    /// The `[memory.bardo.reading]` table: what a golem that reads its memories as text has room for. Where golems pay for thinking
    /// (`golem.gate`), what is read within a budget is paid for at the price of the tier that thinks.
    pub struct ReadingBudget {
        /// Most tokens of claims and episodes that are read for a decision about an asset, claims first, the loudest first; 0 for no bound, and
        /// then nothing is paid for (our own key).
        budget_tokens: u32 = 0, in 0..=10_000_000, "tokens";
    }
}

keys! {
    /// The `[memory.bardo.recall]` table: episodes of the same strategy speak in proportion to their likeness.
    pub struct RecallConfig {
        /// Whether episodes speak at all; without, only rules and hypotheses do.
        enabled: bool = true;
        /// Episodes that speak in a decision about an asset, those of the largest weight among the strategies that are weighed; 0 for all (our own
        /// key). An agent that reads its memories has room for a few.
        retrieved: u32 = 0, in 0..=1_000_000, "episodes";
        /// Ticks after which an episode speaks half as loudly; 0 for never (our own key). A recall that fades beside a playbook that keeps: fast and
        /// slow memory complement each other (McClelland, McNaughton & O'Reilly 1995).
        // For an episode of strength 1. The age is divided by the strength in the Grimoire, which replays and helpful recalls raise.
        age_half_life_ticks: f64 = 2_000.0, in 0.0..=1e12, "ticks";
    }
}

morta_base::words! {
    /// Whom a scar warns.
    #[derive(Default)]
    pub enum GuardScope: Key {
        /// Who would do the same on the same asset.
        #[default]
        Strategy = "strategy",
        /// Whoever would do anything on the same asset.
        Asset = "asset",
    }
}

keys! {
    /// The `[memory.bardo.guard]` table: a moment like the one in which somebody was hurt, with the same strategy on the same asset, makes
    /// careful.
    pub struct GuardConfig {
        /// Least cosine similarity of a scar's moment to the present for it to warn (our own key).
        // Ours, as is what a warning leaves: half the size still earns something where the warning is wrong. What scars of
        // moments at least .6 alike do, leaving .1 of the size: liquidations per 1,000 golem-ticks −.016 [−.024, −.008] of .082
        // against scars of other moments, in a build whose recall didn't fade (`morta sweep scenarios/levers/bloodstains.toml`,
        // 60 worlds, p = .0003).
        min_similarity: f64 = 0.8, in -1.0..=1.0, "similarity";
        /// Whom a scar warns (our own key): "strategy" (who would do the same on the same asset) or "asset" (whoever would do anything
        /// there: what went through every stop was no fault of the strategy).
        scope: GuardScope = GuardScope::default();
        /// What a warning leaves of a position's size (our own key); 1 for no effect.
        // Of all scars that fit, only the most similar one acts, because several scars of one crash are one event. Guard claims in force read
        // this key too (`memory::bardo::voices`): one takes away its confidence times 1 less the factor. At 1 both have no effect.
        size_factor: f64 = 0.5, in 0.0..=1.0, "factor";
    }
}
