//! The `[memory.dark_pawns]` table: salience from 0 to 1, valence by results in R, intervals in ticks, weights of entities (hyperparameters
//! of an associative memory graph with decay).
//!
//! Defaults are the original's where it has any, but for `valence_from` and `session_gap_minutes`; what a market needs besides is ours, as
//! the comments say. Salience falls by a fixed amount in each dream (.1 by default), not by a share.

use crate::llm::Tier;
use morta_base::TableChecker;
use morta_base::keys;
use morta_memories::dark_pawns::{DreamRules, Valence, ValenceSource};

keys! {
    /// The `[memory.dark_pawns]` table.
    pub struct DarkPawnsConfig {
        /// Whether experiences are felt; without, everything weighs 0 and memory shifts no expectation: the ablation.
        valence: bool = DreamRules::default().valence;
        /// Sizes of a result from which it is felt as 1, 2 and 3, in rising order.
        // Our choice: half a stop's worth less than nothing is felt; 1 R, a full stop, is felt as 2 and twice that as 3, since
        // the original's bands go by levels, which a market hasn't got.
        felt_from_r: [f64; 3] = [0.25, 1.0, 2.0], in 0.0..=100.0, "R";
        /// Share of the highest equity at or below which an open trade is a near-death.
        // The original's bands begin at a quarter of full health (digest section 3).
        near_death_share: f64 = 0.25, in 0.0..=1.0, "share";
        /// Whether staying out is remembered too, without feeling.
        remember_abstentions: bool = false;
        /// Which blend of feelings advice and summaries go by: "integer" is the original's, "mean" the one that isn't
        /// cut.
        // Ours; the original has the integer alone. That is cut towards 0 at every encounter, so that a feeling hardly grows: after twelve
        // encounters of 0 and twelve of +3 it is still 0, where the mean rounds to 2.
        valence_from: ValenceSource = ValenceSource::Mean;
        /// Salience that every memory loses in a dream.
        decay_rate: f64 = DreamRules::default().decay_rate, in 0.0..=1.0, "salience";
        /// Salience below which a memory is forgotten.
        prune_threshold: f64 = DreamRules::default().prune_threshold, in 0.0..=1.0, "salience";
        /// Salience that an encounter adds.
        reinforce_bonus: f64 = DreamRules::default().reinforce_bonus, in 0.0..=1.0, "salience";
        /// Salience below which an event isn't told of.
        told_from_salience: f64 = DreamRules::default().told_from_salience, in 0.0..=1.0, "salience";
        /// Waking ticks between two dreams; a dream waits until nothing is held.
        dream_interval_ticks: u32 = 24, in 1..=1_000_000, "ticks";
        /// Ticks a dream takes, in which nothing is decided.
        dream_ticks: u32 = 1, in 0..=10_000, "ticks";
        /// Minutes without events after which the summary begins another session.
        // Ours, a day; the original has 30 minutes. No reason is recorded for the day. With half an hour each hourly bar with an event would
        // be a session of its own, because its events are an hour or more from those of any other bar.
        session_gap_minutes: u32 = 1_440, in 0..=1_000_000, "minutes";
        /// Tokens of four bytes the summary may take.
        summary_tokens: u32 = DreamRules::default().summary_tokens, in 0..=1_000_000, "tokens";
        /// Tier of the model that reads it.
        summary_tier: Tier = Tier::T0;
        /// R that a feeling of 1 shifts an expectation by at full weight.
        valence_r: f64 = 0.5, in 0.0..=100.0, "R";
        /// Weight of what is felt of a strategy in a regime; together the three weights count as at most 1.
        // Ours: .6 + .25 + .15 = 1, and the narrower a node, the more it says.
        pairing_weight: f64 = 0.6, in 0.0..=1e9, "weight";
        /// Weight of what is felt of a strategy anywhere.
        strategy_weight: f64 = 0.25, in 0.0..=1e9, "weight";
        /// Weight of what is felt of an asset.
        asset_weight: f64 = 0.15, in 0.0..=1e9, "weight";
        /// Weight of what a model makes of the summary it reads at birth and on waking; 0 asks none. Together with the
        /// others it counts as at most 1.
        reading_weight: f64 = 0.3, in 0.0..=1e9, "weight";
        /// Encounters after which a node has half its weight.
        // Ours: the prior of other memories counts as 3 trades, which halves what three say, too.
        familiar_after: f64 = 3.0, in 0.0..=1e6, "encounters";
        /// Whether a strategy that is dangerous in a regime (felt as −2 or worse) is forbidden there.
        veto_dangerous: bool = true;
        /// Encounters that takes at least.
        veto_after_visits: u32 = 3, in 1..=1_000_000, "encounters";
        /// Episodes a node keeps as its reasons, the latest.
        episodes_behind: u32 = 5, in 0..=100, "episodes";
        /// Scars left at death.
        scars: u32 = 5, in 0..=100, "scars";
        /// Lessons left at death.
        lessons: u32 = 10, in 0..=1_000, "lessons";
        /// Salience somebody else's scar comes with.
        scar_salience: f64 = 0.7, in 0.0..=1.0, "salience";
        /// What is left of an inherited confidence for each generation it has crossed.
        confidence_decay: f64 = 0.85, in 0.0..=1.0, "factor";
        /// Most confidence, and so salience, an inherited lesson comes with.
        confidence_ceiling: f64 = 0.7, in 0.0..=1.0, "confidence";
        /// R a trade must make to bear out an inherited claim of gain.
        confirm_margin_r: f64 = 0.25, in -100.0..=100.0, "R";
    }
    also bands_rise;
}

impl DarkPawnsConfig {
    fn bands_rise(&self, table: &mut TableChecker<'_>) {
        let [one, two, three] = self.felt_from_r;
        table.in_order(&[("felt_from_r.0", one), ("felt_from_r.1", two), ("felt_from_r.2", three)]);
    }

    /// Maps a trade's result to a valence level: its sign, and 0 to 3 by its size in R.
    pub fn felt(&self, result_r: f64) -> Valence {
        let reached = self.felt_from_r.iter().filter(|from| result_r.abs() >= **from && result_r != 0.0);
        let size = if self.valence { reached.count() as i64 } else { 0 };
        Valence::new(if result_r < 0.0 { -size } else { size })
    }

    /// The valence, or 0 where nothing is felt.
    pub(super) const fn unless_numb(&self, valence: Valence) -> Valence {
        if self.valence { valence } else { Valence::NEUTRAL }
    }

    /// The rules of fading and summarising.
    pub(super) fn rules(&self) -> DreamRules {
        DreamRules {
            valence: self.valence,
            valence_from: self.valence_from,
            decay_rate: self.decay_rate,
            prune_threshold: self.prune_threshold,
            reinforce_bonus: self.reinforce_bonus,
            told_from_salience: self.told_from_salience,
            session_gap_minutes: self.session_gap_minutes,
            summary_tokens: self.summary_tokens,
            ..DreamRules::default()
        }
    }
}
