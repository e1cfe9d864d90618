//! The simulated model's appraisals, and its estimates for themes: a noisy stand-in for a language model's emotional judgement (mock).
//!
//! Pleasure, arousal and dominance run from −1 to 1, intensity from 0 to 1, estimates of themes are in R. Noise and the rate of
//! hallucination are the model tier's times the temperature over `SOBER_TEMPERATURE` (.4), the rate at most 1. Golems ask for appraisals in
//! `daimon.mode = "chain"`, memories for themes when they reflect. A model outside the simulation answers itself, and nothing here is
//! called.

use crate::daimon::Pad;
use crate::llm::reader::{MADE_UP_R, Reader};
use crate::llm::{AppraisalBrief, Reply, ThemeBrief};
use morta_base::Stream;

/// Share of the reading noise in a judgement on a scale of 1. Our choice, because noise is in R, and results span several R.
const NOISE: f64 = 0.25;

/// Appraises by the rule table, each coordinate and the intensity read with the tier's noise; at the tier's rate of
/// hallucination, with a random feeling instead.
pub(super) fn appraise(brief: &AppraisalBrief, reader: &Reader<'_>, stream: &mut Stream) -> Reply {
    let rule = &brief.by_rule;
    let mut read = |value: f64| value + NOISE * reader.noise_r * stream.normal();
    let pad = Pad::new(read(rule.pad.pleasure), read(rule.pad.arousal), read(rule.pad.dominance));
    let intensity = read(rule.intensity).clamp(0.0, 1.0);
    if stream.chance(reader.invention) {
        let mut any = || stream.between(-1.0, 1.0);
        return Reply::Appraised { pad: Pad::new(any(), any(), any()), intensity };
    }
    Reply::Appraised { pad, intensity }
}

/// Estimates the worth of each theme by its mean result, read with the tier's noise over the root of the number of trades; at the
/// tier's rate of hallucination, one of the estimates is random.
pub(super) fn reflect(themes: &[ThemeBrief], reader: &Reader<'_>, stream: &mut Stream) -> Reply {
    let mut read: Vec<(u32, f64)> = themes
        .iter()
        .enumerate()
        .map(|(place, theme)| {
            let noise = reader.noise_r * stream.normal() / f64::from(theme.trades.max(1)).sqrt();
            (place as u32, theme.mean_r + noise)
        })
        .collect();
    if !read.is_empty() && stream.chance(reader.invention) {
        let one = stream.below(read.len());
        read[one].1 = stream.between(-MADE_UP_R, MADE_UP_R);
    }
    Reply::Reflected(read)
}
