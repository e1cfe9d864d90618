//! The `[memory.openclaw]` table: schedules and limits of each sleep phase by the document's names, the time scale of its clock, weights in
//! numbers of trades, similarities from 0 to 1, token costs. What has no source in the document says so beside the key. Reflection on
//! themes is by formula by default, or by a language model.

use crate::llm::Tier;
use morta_base::keys;
use morta_memories::openclaw::config::DreamingConfig;
use morta_memories::openclaw::execution::TokenCosts;

morta_base::words! {
    /// Who says what trades of a theme are worth.
    #[derive(Default)]
    pub(crate) enum ReflectionBy: Key {
        /// The mean of what they made.
        #[default]
        Mean = "mean",
        /// A model, by the tier of REM sleep. Until it has answered, and where it can't be paid or says nothing of a theme, the mean holds.
        Model = "model",
    }
}

keys! {
    /// The `[memory.openclaw]` table. The keys of `dreaming` have the names of the document.
    pub struct OpenClawConfig {
        /// The three phases of sleep.
        dreaming: DreamingConfig = DreamingConfig::default();
        /// Tokens and time that a run of a phase takes.
        costs: TokenCosts = TokenCosts::default();
        /// The tier that a cheap, a medium and an expensive budget ask.
        tiers: [Tier; 3] = [Tier::T0, Tier::T0, Tier::T1];
        /// What trades of a theme are worth: "mean" of what they made, or what a "model" says that is asked on waking from REM sleep.
        reflection: ReflectionBy = ReflectionBy::default();
        /// Seconds that pass on the clock of schedules and notes in one second of the market. In compressed worlds,
        /// where a life is a few days, more than 1.
        time_scale: f64 = 1.0, in above(0.0).to(1e6), "factor";
        /// Notes that a memory search finds at most.
        search_results: u32 = 6, in 1..=100, "notes";
        /// Least likeness of a note that is found.
        min_similarity: f64 = 0.5, in 0.0..=1.0, "similarity";
        /// Imagined trades the prior of a decision counts as.
        // The same 3 as in all memories with a prior: they differ in what they remember alone.
        prior_weight: f64 = 3.0, in 0.0..=1e9, "trades";
        /// Trades that a short-term note of full likeness counts as.
        // The weights are ours: what sleep has promoted counts as four of what it hasn't looked at.
        short_term_weight: f64 = 0.5, in 0.0..=1e9, "trades";
        /// Trades that a note in long-term memory counts as.
        promoted_weight: f64 = 2.0, in 0.0..=1e9, "trades";
        /// Trades that a theme of full strength counts as.
        theme_weight: f64 = 0.5, in 0.0..=1e9, "trades";
        /// R that bears a claim of gain out; less bears out a claim of loss.
        confirm_margin_r: f64 = 0.25, in 0.0..=10.0, "R";
        /// Scars left at death.
        scars: u32 = 5, in 0..=100, "scars";
        /// Lessons left at death.
        lessons: u32 = 10, in 0..=1_000, "lessons";
        /// What is left of an inherited confidence for each generation it has crossed.
        confidence_decay: f64 = 0.85, in 0.0..=1.0, "factor";
    }
}
