//! The `[succession]` table: who follows, with how much of the predecessor's confidence (0 to 1), for how many entries, and how long a
//! newborn explores (ticks).
//!
//! It configures inheritance (transfer learning, warm start); the forms of confidence are those of several documents (digest section 14).
//! The policies of succession are inheritance (continue), reset (fresh) and no replacement (none).

use morta_base::keys;

morta_base::words! {
    /// Who follows, and with what.
    #[derive(Default)]
    pub enum SuccessionPolicy: Key {
        /// A successor that gets its predecessor's legacy and traits.
        #[default]
        Continue = "continue",
        /// A new golem that gets nothing from its predecessor, and to which that one's bloodstains are a stranger's.
        Fresh = "fresh",
        /// Nobody. `population.policy` has to say so too: "extinction".
        None = "none",
    }

    /// How an inherited confidence is reckoned.
    #[derive(Default)]
    pub enum ConfidenceForm: Key {
        /// c · decay^g, g being the generations since it was first learned.
        #[default]
        Geometric = "geometric",
        /// The same for all.
        Flat = "flat",
        /// Half of it.
        Half = "half",
        /// One value for what the predecessor's waking life bore out, another for the rest.
        DreamSplit = "dream_split",
        /// All of it.
        None = "none",
    }
}

keys! {
    /// The `[succession]` table.
    pub struct SuccessionConfig {
        /// Who follows, and with what: "continue", "fresh" or "none".
        policy: SuccessionPolicy = SuccessionPolicy::default();
        /// A research control (our own key): whether what lessons expect is dealt out among them at random before they are handed over. As
        /// many are handed over then, as sure and on the same subjects, and there is nothing to be learned from them.
        shuffle_claims: bool = false;
        /// A research control (our own key): whether every causal link is handed over with another effect than it was found with, drawn at
        /// random.
        shuffle_links: bool = false;
        /// Most entries handed over: a quarter for scars and what three generations have proved, half in equal parts
        /// for the domains, a quarter for the best of the rest. What proved wrong comes on top.
        max_entries: u32 = 2_048, in 1..=100_000, "entries";
        /// How an inherited confidence is reckoned: "geometric", "flat", "half", "dream_split" or "none".
        confidence_form: ConfidenceForm = ConfidenceForm::default();
        /// What is left for each generation under "geometric".
        confidence_decay: f64 = 0.85, in 0.0..=1.0, "factor";
        /// Confidence of everything under "flat".
        flat_confidence: f64 = 0.4, in 0.0..=1.0, "confidence";
        /// Confidence, under "dream_split", of what waking life bore out.
        lived_confidence: f64 = 0.25, in 0.0..=1.0, "confidence";
        /// Confidence, under "dream_split", of what only dreams said.
        dreamt_confidence: f64 = 0.15, in 0.0..=1.0, "confidence";
        /// Most confidence an inherited entry starts from.
        confidence_ceiling: f64 = 0.7, in 0.0..=1.0, "confidence";
        /// Confidence of a dream's conclusion that was never tested.
        untested_confidence: f64 = 0.15, in 0.0..=1.0, "confidence";
        /// Whether causal links are handed over (our own key).
        causal_links: bool = true;
        /// Share of what a causal link rests on that counts for the heir, in the regime that it speaks of and elsewhere.
        causal_confidence: [f64; 2] = [0.5, 0.3], in 0.0..=1.0, "share";
        /// What is added for an entry that speaks of the regime the heir is born into; never beyond the predecessor's
        /// own confidence.
        regime_bonus: f64 = 0.1, in 0.0..=1.0, "share";
        /// What is added for what the predecessor left to the world too.
        testament_bonus: f64 = 0.03, in 0.0..=1.0, "share";
        /// What is added, times the diversity of the predecessor's feelings.
        diversity_bonus: f64 = 0.1, in 0.0..=1.0, "share";
        /// Generations an entry must have crossed to become a default.
        default_generations: u32 = 3, in 1..=1_000_000, "generations";
        /// Confidence it must have had. A default is in force from birth if the admission gate lets it.
        default_confidence: f64 = 0.7, in 0.0..=1.0, "confidence";
        /// What is added to the rate of exploration of every newborn.
        exploration_bonus: f64 = 0.2, in 0.0..=1.0, "share";
        /// For how many ticks.
        exploration_ticks: u64 = 100, in 0..=1_000_000_000, "ticks";
        /// Gravity from which a scar is among the first an heir dreams of; gravity is its surprise over 3 R.
        priority_scar_gravity: f64 = 0.65, in 0.0..=1.0, "gravity";
        /// How many of these there are at most.
        priority_scars: u32 = 5, in 0..=100, "scars";
        /// Hypotheses that take precedence in the staging buffer and in the first dream.
        priority_hypotheses: u32 = 3, in 0..=100, "hypotheses";
    }
}
