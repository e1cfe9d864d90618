//! The other form of appraisal: of a golem's standing, tick by tick (digest section 10, A01). Here a mood follows the state of affairs and
//! not single events, which is dimensional appraisal.
//!
//! All inputs but the number of anomalies and the sign of profit are scaled to −1..1 or 0..1; the result is a PAD point, to which the mood
//! is drawn by a tenth (1 − `mood_decay_rate`) in each waking tick, a moving average (exponential smoothing). It is used in mode `tick`
//! alone, where single happenings move no mood. The weights of the appraisal variables are the digest's and no keys. Both forms exist
//! because the digest has both.

use crate::daimon::Pad;
use morta_base::keys;

keys! {
    /// The `[daimon.tick]` table: how moods move when `daimon.mode` is `tick`.
    pub struct TickAppraisalConfig {
        /// How much of the old mood a tick leaves.
        mood_decay_rate: f64 = 0.9, in 0.0..=1.0, "share";
    }
}

/// A golem's standing at a tick: the variables of its appraisal. Digest section 20 leaves open what desirability and coping are;
/// `golem::affect` says what they are here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickStanding {
    /// Desirability of its results, −1 to 1.
    pub desirability: f64,
    /// Profit or loss at hand; only its sign counts.
    pub pnl: f64,
    /// Number of anomalies of the market.
    pub anomalies: f64,
    /// Error of the golem's expectations, 0 to 1.
    pub prediction_error: f64,
    /// Its ability to cope, −1 to 1.
    pub coping: f64,
    /// Vitality, 0 to 1.
    pub vitality: f64,
    /// Arousal and dominance by nature: those of its personality.
    pub nature: Pad,
}

/// The linear appraisal of a tick: P = .6·desirability + .4·sign(PnL); A = .15·anomalies + .5·PE + .35·A₀; D = .5·coping + .3·vitality +
/// .2·D₀; clamped.
pub fn appraise_tick(standing: &TickStanding) -> Pad {
    let sign = if standing.pnl == 0.0 { 0.0 } else { standing.pnl.signum() };
    Pad::new(
        0.6 * standing.desirability + 0.4 * sign,
        0.15 * standing.anomalies + 0.5 * standing.prediction_error + 0.35 * standing.nature.arousal,
        0.5 * standing.coping + 0.3 * standing.vitality + 0.2 * standing.nature.dominance,
    )
}
