//! The `[memory.owm]` table: outcome-weighted memory on the market, with Kelly sizing and a time scale of its own. Weights are numbers of
//! episodes, sizes are factors on the usual stake, drawdown and probabilities run from 0 to 1, durations of plans are in days of the
//! memory's clock. The expectation is a weighted average of recalled outcomes. Abstentions are left out, censored (open, the default), or
//! stored with the result of their episode, which golems set to 0 R. `bardo+owm` uses the table too, without beliefs and plans. The
//! expectation weight decides how outcomes are weighted for the expected value, by score or uniformly. An abstention is a no-trade
//! decision; its result would be an opportunity cost.

use morta_base::TableChecker;
use morta_base::keys;
use morta_memories::owm::MindConfig;

morta_base::words! {
    /// What an episode's outcome weighs in the expectation of the next one.
    pub enum ExpectationWeight: Key {
        /// The recall score: good outcomes come to mind more easily, and weigh more.
        Score = "score",
        /// The recall score without the quality of the outcome: only likeness, freshness, trust and state of mind weigh.
        Likeness = "likeness",
    }

    /// How decisions to stay out are remembered.
    pub enum Abstentions: Key {
        /// Not at all.
        Ignored = "ignored",
        /// As episodes without an outcome.
        Open = "open",
        /// As episodes with a result of 0 R, which staying out made; what the trade would have made isn't stored.
        Counterfactual = "counterfactual",
    }
}

keys! {
    /// The `[memory.owm]` table.
    pub struct OwmConfig {
        /// The five memories, and how they are asked.
        mind: MindConfig = MindConfig::default();
        /// Seconds of memory for each simulated second: worlds that compress time set it, so that memories fade and
        /// plans expire at the pace of the lives lived there.
        time_scale: f64 = 1.0, in 1e-6..=1e6, "factor";
        /// How decisions to stay out are remembered.
        abstentions: Abstentions = Abstentions::Open;
        /// What an outcome weighs in the expectation of the next.
        expectation: ExpectationWeight = ExpectationWeight::Score;
        /// Remembered episodes the prior of a decision counts as.
        // The same 3 as in all memories with a prior: they differ in what they remember alone.
        prior_weight: f64 = 3.0, in 0.0..=1e9, "episodes";
        /// Most episodes' worth of weight that recall may have in a decision.
        // Ours, as is a belief's weight: four and almost three times the prior, so that many trades say more than a belief, and
        // both more than not knowing.
        max_recall_weight: f64 = 12.0, in 0.0..=1e9, "episodes";
        /// Episodes that a belief of full certainty counts as.
        belief_weight: f64 = 8.0, in 0.0..=1e9, "episodes";
        /// Size of a position, in usual sizes, while fewer than `mind.kelly.least_memories` episodes come to mind.
        cold_size: f64 = 1.0, in 0.0..=10.0, "sizes";
        /// Least size that memory suggests, in usual sizes.
        // Ours: the criterion of Kelly may halve a position or add half to it, and thereby differs from memories without sizes in
        // degree only.
        smallest_size: f64 = 0.5, in 0.0..=10.0, "sizes";
        /// Largest size that memory suggests, in usual sizes, at least `smallest_size`.
        // As far above the usual size as `smallest_size` is below.
        largest_size: f64 = 1.5, in 0.0..=100.0, "sizes";
        /// Days a plan is valid.
        plan_days: f64 = 30.0, in 0.001..=1e6, "days";
        /// Belief in gain below which a plan is made to leave such trades out, if they lost on average; 0 for never.
        // Ours, as are the drawdown and the factor below: a plan is for what is bad already, not for a streak.
        skip_below: f64 = 0.3, in 0.0..=1.0, "probability";
        /// Drawdown above which a plan is made to trade smaller; 1 for never.
        defend_above: f64 = 0.15, in 0.0..=1.0, "share";
        /// Factor on sizes then.
        defence_size: f64 = 0.5, in 0.0..=1.0, "factor";
        /// Plans that were carried out or have expired and are kept.
        plans_kept: u32 = 50, in 0..=100_000, "plans";
        /// Scars left at death.
        scars: u32 = 5, in 0..=100, "scars";
        /// Lessons left at death.
        lessons: u32 = 10, in 0..=1_000, "lessons";
        /// R from which an outcome bears out an inherited claim of gain.
        confirm_margin_r: f64 = 0.25, in -100.0..=100.0, "R";
        /// What is left of an inherited confidence for each generation it has crossed.
        confidence_decay: f64 = 0.85, in 0.0..=1.0, "factor";
        /// Most confidence an inherited lesson starts from.
        confidence_ceiling: f64 = 0.7, in 0.0..=1.0, "confidence";
    }
    also sizes_are_in_order;
}

impl OwmConfig {
    fn sizes_are_in_order(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("smallest_size", self.smallest_size), ("largest_size", self.largest_size)]);
    }
}
