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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daimon::{Appraisal, Emotion};
    use crate::llm::reader::SOBER_TEMPERATURE;
    use crate::llm::simulated::answer;
    use crate::llm::{Task, Tier, TierConfig};
    use morta_base::{Purpose, WorldSeed};

    fn stream(tick: u64) -> Stream {
        WorldSeed(1).world(Purpose::LlmReader, 0, tick)
    }

    fn loss() -> Task {
        let by_rule = Appraisal { pad: Pad::new(-0.5, 0.7, -0.3), intensity: 0.6, emotion: Emotion::Fear };
        Task::Appraise(AppraisalBrief {
            happening: "a trade lost 12.0 per cent of its stake".to_owned(),
            mood: Pad::default(),
            vitality: 0.8,
            recent_r: -0.1,
            fitness: 0.5,
            by_rule,
        })
    }

    /// What is read is the rule's, spread by a quarter of the tier's noise: .05 at .2 R, within four standard errors of a spread from 2,000.
    #[test]
    fn feelings_are_the_rules_with_noise() {
        let tier = TierConfig { reading_noise_r: 0.2, hallucination_rate: 0.0, ..TierConfig::of(Tier::T0) };
        let pleasure = |tick| match answer(&loss(), None, &tier, SOBER_TEMPERATURE, &mut stream(tick)) {
            Reply::Appraised { pad, .. } => pad.pleasure,
            other => panic!("{other:?}"),
        };
        let found: Vec<f64> = (0..2_000).map(pleasure).collect();
        let mean = found.iter().sum::<f64>() / 2_000.0;
        let spread = (found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1_999.0).sqrt();
        assert!((mean + 0.5).abs() < 4.0 * 0.05 / 2_000.0_f64.sqrt(), "{mean}");
        assert!((spread / 0.05 - 1.0).abs() < 0.065, "{spread}");
        let sober = TierConfig { reading_noise_r: 0.0, ..tier };
        let told = answer(&loss(), None, &sober, SOBER_TEMPERATURE, &mut stream(0));
        assert_eq!(told, Reply::Appraised { pad: Pad::new(-0.5, 0.7, -0.3), intensity: 0.6 });
    }

    /// At a rate of invention of 1 every feeling is made up: pleasure is anything from -1 to 1, with mean 0 and variance 1/3.
    #[test]
    fn feelings_are_made_up_at_the_rate() {
        let tier = TierConfig { reading_noise_r: 0.0, hallucination_rate: 1.0, ..TierConfig::of(Tier::T0) };
        let pleasure = |tick| match answer(&loss(), None, &tier, SOBER_TEMPERATURE, &mut stream(tick)) {
            Reply::Appraised { pad, .. } => pad.pleasure,
            other => panic!("{other:?}"),
        };
        let mean = (0..2_000).map(pleasure).sum::<f64>() / 2_000.0;
        assert!(mean.abs() < 4.0 * (1.0_f64 / 3.0 / 2_000.0).sqrt(), "{mean}");
    }

    #[test]
    fn themes_are_worth_what_their_trades_made() {
        let theme = |mean_r, trades| ThemeBrief {
            tags: vec!["volatile".into()],
            count: 5,
            strength: 0.9,
            mean_r,
            trades,
        };
        let task = Task::Reflect { themes: vec![theme(0.8, 4), theme(-0.3, 100)] };
        let sober = TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::of(Tier::T0) };
        let told = answer(&task, None, &sober, SOBER_TEMPERATURE, &mut stream(0));
        assert_eq!(told, Reply::Reflected(vec![(0, 0.8), (1, -0.3)]));
        let dreamy = TierConfig { hallucination_rate: 1.0, ..sober };
        let Reply::Reflected(told) = answer(&task, None, &dreamy, SOBER_TEMPERATURE, &mut stream(0)) else {
            panic!("it reflects")
        };
        assert!(told != vec![(0, 0.8), (1, -0.3)] && told.len() == 2, "{told:?}");
    }
}
