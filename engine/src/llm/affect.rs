//! How the simulated model feels for a golem, and what it makes of what keeps coming up.

use crate::daimon::Pad;
use crate::llm::reader::Reader;
use crate::llm::{AppraisalBrief, Reply, ThemeBrief};
use morta_base::Stream;

/// A feeling on scales of 1 blurs less than a result on a scale of several R.
const NOISE: f64 = 0.25;
/// The most a made-up reflection claims, in R.
const MADE_UP_R: f64 = 0.6;

/// By the rule table, each coordinate and the strength read with the tier's noise; at the tier's rate of invention, a feeling out of nowhere.
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

/// What the trades of each theme made, read with the tier's noise over the root of their number; at the tier's rate of invention, one of
/// them is said to be worth anything.
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
