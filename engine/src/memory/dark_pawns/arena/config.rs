//! The `[memory.dark_pawns]` table.

use crate::base::TableChecker;
use crate::llm::Tier;
use morta_memories::dark_pawns::{DreamRules, Valence, ValenceSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[memory.dark_pawns]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DarkPawnsConfig {
    /// Whether experiences are felt; without, everything weighs 0 and memory shifts no expectation: the ablation.
    pub valence: bool,
    /// Sizes of a result in R from which it is felt as 1, 2 and 3, in rising order, 0 to 100.
    pub felt_from_r: [f64; 3],
    /// Share of the highest equity at or below which an open trade is a near-death, 0 to 1.
    pub near_death_share: f64,
    /// Whether staying out is remembered too, without feeling.
    pub remember_abstentions: bool,
    /// Which blend of feelings advice and summaries go by: "integer" is the original's, "mean" the one that isn't cut.
    pub valence_from: ValenceSource,
    /// Salience that every memory loses in a dream, 0 to 1.
    pub decay_rate: f64,
    /// Salience below which a memory is forgotten, 0 to 1.
    pub prune_threshold: f64,
    /// Salience that an encounter adds, 0 to 1.
    pub reinforce_bonus: f64,
    /// Salience below which an event isn't told of, 0 to 1.
    pub told_from_salience: f64,
    /// Waking ticks between two dreams, 1 to 1,000,000; a dream waits until nothing is held.
    pub dream_interval_ticks: u32,
    /// Ticks a dream takes, in which nothing is decided, 0 to 10,000.
    pub dream_ticks: u32,
    /// Minutes without events after which the summary begins another session, 0 to 1,000,000.
    pub session_gap_minutes: u32,
    /// Tokens of four bytes the summary may take, 0 to 1,000,000.
    pub summary_tokens: u32,
    /// Tier of the model that reads it.
    pub summary_tier: Tier,
    /// R that a feeling of 1 shifts an expectation by at full weight, 0 to 100.
    pub valence_r: f64,
    /// Weight of what is felt of a strategy in a regime, 0 or more; together the three weights count as at most 1.
    pub pairing_weight: f64,
    /// Weight of what is felt of a strategy anywhere, 0 or more.
    pub strategy_weight: f64,
    /// Weight of what is felt of an asset, 0 or more.
    pub asset_weight: f64,
    /// Weight of what a model makes of the summary it reads at birth and on waking, 0 or more; 0 asks none. Together with the others it
    /// counts as at most 1.
    pub reading_weight: f64,
    /// Encounters after which a node has half its weight, 0 to 1,000,000.
    pub familiar_after: f64,
    /// Whether a strategy that is dangerous in a regime (felt as −2 or worse) is forbidden there.
    pub veto_dangerous: bool,
    /// Encounters that takes at least, 1 to 1,000,000.
    pub veto_after_visits: u32,
    /// Episodes a node keeps as its reasons, the latest, 0 to 100.
    pub episodes_behind: u32,
    /// Scars left at death, 0 to 100.
    pub scars: u32,
    /// Lessons left at death, 0 to 1,000.
    pub lessons: u32,
    /// Salience somebody else's scar comes with, 0 to 1.
    pub scar_salience: f64,
    /// What is left of an inherited confidence for each generation it has crossed, 0 to 1.
    pub confidence_decay: f64,
    /// Most confidence, and so salience, an inherited lesson comes with, 0 to 1.
    pub confidence_ceiling: f64,
    /// R a trade must make to bear out an inherited claim of gain, −100 to 100.
    pub confirm_margin_r: f64,
}

impl Default for DarkPawnsConfig {
    fn default() -> Self {
        let rules = DreamRules::default();
        Self {
            valence: rules.valence,
            felt_from_r: [0.25, 1.0, 2.0],
            near_death_share: 0.25,
            remember_abstentions: false,
            valence_from: ValenceSource::Mean,
            decay_rate: rules.decay_rate,
            prune_threshold: rules.prune_threshold,
            reinforce_bonus: rules.reinforce_bonus,
            told_from_salience: rules.told_from_salience,
            dream_interval_ticks: 24,
            dream_ticks: 1,
            session_gap_minutes: 1_440,
            summary_tokens: rules.summary_tokens,
            summary_tier: Tier::T0,
            valence_r: 0.5,
            pairing_weight: 0.6,
            strategy_weight: 0.25,
            asset_weight: 0.15,
            reading_weight: 0.3,
            familiar_after: 3.0,
            veto_dangerous: true,
            veto_after_visits: 3,
            episodes_behind: 5,
            scars: 5,
            lessons: 10,
            scar_salience: 0.7,
            confidence_decay: 0.85,
            confidence_ceiling: 0.7,
            confirm_margin_r: 0.25,
        }
    }
}

impl DarkPawnsConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        let bands = self.felt_from_r;
        let rising = bands.windows(2).all(|pair| pair[0] <= pair[1]);
        let good = rising && bands.iter().all(|r| (0.0..=100.0).contains(r));
        let shown = format!("{bands:?}");
        table.demand(good, "felt_from_r", shown, "must be three numbers from 0 to 100 in rising order");
        table.share("near_death_share", self.near_death_share);
        self.rules().check(table);
        table.whole("dream_interval_ticks", self.dream_interval_ticks.into(), 1, 1_000_000);
        table.whole("dream_ticks", self.dream_ticks.into(), 0, 10_000);
        table.within("valence_r", self.valence_r, 0.0, 100.0);
        table.within("pairing_weight", self.pairing_weight, 0.0, 1e9);
        table.within("strategy_weight", self.strategy_weight, 0.0, 1e9);
        table.within("asset_weight", self.asset_weight, 0.0, 1e9);
        table.within("reading_weight", self.reading_weight, 0.0, 1e9);
        table.within("familiar_after", self.familiar_after, 0.0, 1e6);
        table.whole("veto_after_visits", self.veto_after_visits.into(), 1, 1_000_000);
        table.whole("episodes_behind", self.episodes_behind.into(), 0, 100);
        table.whole("scars", self.scars.into(), 0, 100);
        table.whole("lessons", self.lessons.into(), 0, 1_000);
        table.share("scar_salience", self.scar_salience);
        table.share("confidence_decay", self.confidence_decay);
        table.share("confidence_ceiling", self.confidence_ceiling);
        table.within("confirm_margin_r", self.confirm_margin_r, -100.0, 100.0);
    }

    /// How a result feels: its sign, and 0 to 3 by its size in R.
    pub fn felt(&self, result_r: f64) -> Valence {
        let reached = self.felt_from_r.iter().filter(|from| result_r.abs() >= **from && result_r != 0.0);
        let size = if self.valence { reached.count() as i64 } else { 0 };
        Valence::new(if result_r < 0.0 { -size } else { size })
    }

    /// A feeling, unless nothing is felt.
    pub(super) const fn unless_numb(&self, valence: Valence) -> Valence {
        if self.valence { valence } else { Valence::NEUTRAL }
    }

    /// The rules of fading and telling.
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
