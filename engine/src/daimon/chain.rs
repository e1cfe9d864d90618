//! Appraisal by a model in place of the rule table (digest, section 18: affect, mode "chain"): a language model answers with pleasure,
//! arousal and dominance for one happening.
//!
//! Only the keys are here; the question is a task of `llm`, and `golem::asked` sends it. Strength runs from 0 to 1, the tier is the price
//! class of the model. One question is under way at a time; what happens meanwhile, is fainter than `magnitude` or can't be paid is felt by
//! the rule table at once, and so is, later, what the model refuses. The mood moves when the answer comes, a tick or more after the
//! happening.

use morta_base::keys;

keys! {
    /// The `[daimon.chain]` table: what is put to a model when `daimon.mode` is `chain`. The model is paid from the inference purse; what can't be
    /// paid, is refused or comes back unreadable is felt by the rule table.
    pub struct ChainConfig {
        /// Intensity by the rule table from which a model is asked (proposed).
        magnitude: f64 = 0.3, in 0.0..=1.0, "strength";
        /// The tier that is asked, by number (proposed): 0 is the cheapest.
        tier: u32 = 0, in 0..=2, "tier";
    }
}
