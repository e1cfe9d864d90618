use morta_base::{Purpose, Stream, WorldSeed};
use morta_engine::daimon::{Appraisal, Emotion, Pad};
use morta_engine::llm::reader::SOBER_TEMPERATURE;
use morta_engine::llm::simulated::answer;
use morta_engine::llm::{AppraisalBrief, Reply, Task, ThemeBrief, Tier, TierConfig};

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

/// The pleasure of the loss as it is read 2,000 times.
fn pleasures(tier: &TierConfig) -> Vec<f64> {
    let pleasure = |tick| match answer(&loss(), None, tier, SOBER_TEMPERATURE, &mut stream(tick)) {
        Reply::Appraised { pad, .. } => pad.pleasure,
        other => panic!("{other:?}"),
    };
    (0..2_000).map(pleasure).collect()
}

/// What is read is the rule's, spread by a quarter of the tier's noise: .05 at .2 R, within four standard errors of a spread from 2,000.
#[test]
fn feelings_are_the_rules_with_noise() {
    let tier = TierConfig { reading_noise_r: 0.2, hallucination_rate: 0.0, ..TierConfig::for_tier(Tier::T0) };
    let found = pleasures(&tier);
    let mean = found.iter().sum::<f64>() / 2_000.0;
    let spread = (found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1_999.0).sqrt();
    assert!((mean + 0.5).abs() < 4.0 * 0.05 / 2_000.0_f64.sqrt(), "{mean}");
    assert!((spread / 0.05 - 1.0).abs() < 0.065, "{spread}");
    let sober = TierConfig { reading_noise_r: 0.0, ..tier };
    let reply = answer(&loss(), None, &sober, SOBER_TEMPERATURE, &mut stream(0));
    assert_eq!(reply, Reply::Appraised { pad: Pad::new(-0.5, 0.7, -0.3), intensity: 0.6 });
}

/// At a rate of invention of 1 every feeling is made up: pleasure is anything from -1 to 1, with mean 0 and variance 1/3.
#[test]
fn feelings_are_made_up_at_the_rate() {
    let tier = TierConfig { reading_noise_r: 0.0, hallucination_rate: 1.0, ..TierConfig::for_tier(Tier::T0) };
    let mean = pleasures(&tier).iter().sum::<f64>() / 2_000.0;
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
    let sober =
        TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::for_tier(Tier::T0) };
    let reply = answer(&task, None, &sober, SOBER_TEMPERATURE, &mut stream(0));
    assert_eq!(reply, Reply::Reflected(vec![(0, 0.8), (1, -0.3)]));
    let dreamy = TierConfig { hallucination_rate: 1.0, ..sober };
    let Reply::Reflected(reply) = answer(&task, None, &dreamy, SOBER_TEMPERATURE, &mut stream(0)) else {
        panic!("it reflects")
    };
    assert!(reply != vec![(0, 0.8), (1, -0.3)] && reply.len() == 2, "{reply:?}");
}
