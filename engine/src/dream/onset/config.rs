//! The `[dream.hypnagogia]` table: what happens at the edge of sleep (hypnagogia, targeted dream incubation).
//!
//! Temperatures run from 0 to 2, scores, arousal and confidence from 0 to 1, pools are numbers of episodes. It counts for the tier
//! `hardened` alone. Sources are beside the keys.

use crate::mortality::Phase;
use crate::replay::Uncertainty;
use morta_base::TableChecker;
use morta_base::keys;

keys! {
    /// The `[dream.hypnagogia]` table: what happens at the edge of sleep.
    pub struct HypnagogiaConfig {
        /// Whether rich dreams begin at the edge of sleep; lightweight ones never do.
        enabled: bool = true;
        /// Dalí cycles of an onset; left out, by behavioural phase and uncertainty: thriving 3 to 5, stable 2 or 3,
        /// conservation 1, else none.
        // Digest section 8, the depth table of H00; which number of a range it is, by uncertainty, is our choice: the spec gives ranges alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        dali_cycles: Option<u32> = None, in 0..=20, "cycles";
        /// Fragments caught in a cycle.
        // Dream architecture, "DaliInterrupt": 4 partials of 80 tokens; Hori's stages give 1.0 to 1.5; the observer runs at 0.4.
        partials: u32 = 4, in 1..=20, "fragments";
        /// Temperature at which the drift begins.
        temperature_low: f64 = 1.0, in 0.0..=2.0, "temperature";
        /// Temperature of the deepest drift, at least `temperature_low`.
        temperature_high: f64 = 1.5, in 0.0..=2.0, "temperature";
        /// What is left of the depth in each cycle after the first.
        // H02: re-annealed to 80 % of the peak.
        reanneal: f64 = 0.8, in 0.0..=1.0, "share";
        /// Temperature of the observer.
        observer_temperature: f64 = 0.4, in 0.0..=2.0, "temperature";
        /// Score above which a fragment is kept.
        // H04: a fragment is kept above .10.
        floor: f64 = 0.10, in 0.0..=1.0, "score";
        /// Factor on every score: above 1 for an observer known to be too strict.
        observer_bias: f64 = 1.0, in 0.0..=10.0, "factor";
        /// What likeness to the keyword adds to a memory's rank.
        // Dream architecture, "targeted dream incubation": +0.2.
        incubation_bias: f64 = 0.2, in 0.0..=1.0, "score";
        /// Exponent of surprise in the choice of memories.
        // H02: sampling ∝ surprise^0.6, from pools of 200 recent, 50 with salience from .7, 20 near demurrage.
        surprise_exponent: f64 = 0.6, in 0.0..=4.0, "exponent";
        /// Latest episodes among which memories are looked for.
        recent_pool: u32 = 200, in 2..=100_000, "episodes";
        /// Episodes felt strongly that are added to them.
        salient_pool: u32 = 50, in 0..=100_000, "episodes";
        /// Episodes about to be forgotten that are added.
        fading_pool: u32 = 20, in 0..=100_000, "episodes";
        /// Arousal from which an episode counts as felt strongly here.
        salience: f64 = 0.7, in 0.0..=1.0, "arousal";
        /// Confidence of the weakest fragment kept.
        // Dream architecture, "DaliInterrupt": creative predictions at 0.10 to 0.20.
        fragment_confidence_min: f64 = 0.10, in 0.0..=1.0, "confidence";
        /// Confidence of the strongest, at least `fragment_confidence_min`.
        fragment_confidence_max: f64 = 0.20, in 0.0..=1.0, "confidence";
    }
    also ends_are_in_order;
}

impl HypnagogiaConfig {
    fn ends_are_in_order(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[
            ("temperature_low", self.temperature_low),
            ("temperature_high", self.temperature_high),
        ]);
        table.in_order(&[
            ("fragment_confidence_min", self.fragment_confidence_min),
            ("fragment_confidence_max", self.fragment_confidence_max),
        ]);
    }
}

impl HypnagogiaConfig {
    /// Looks up the Dalí cycles of an onset by phase and uncertainty (H00's table of depths; its ranges are read as: the surer the golem,
    /// the fewer). 0 skips the onset; a terminal golem has none, whatever the key says.
    pub fn cycles(&self, phase: Phase, uncertainty: Uncertainty) -> u32 {
        let place = match uncertainty {
            Uncertainty::Low => 0,
            Uncertainty::Medium => 1,
            Uncertainty::High => 2,
        };
        match (self.enabled, self.dali_cycles, phase) {
            (false, ..) | (_, _, Phase::Terminal) => 0,
            (_, Some(cycles), _) => cycles,
            (_, None, Phase::Thriving) => [3, 4, 5][place],
            (_, None, Phase::Stable) => [2, 2, 3][place],
            (_, None, Phase::Conservation) => 1,
            (_, None, Phase::Declining) => 0,
        }
    }
}
