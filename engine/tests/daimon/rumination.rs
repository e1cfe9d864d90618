use morta_base::{EpisodeId, GolemId, Purpose, Tick, WorldSeed};
use morta_engine::daimon::rumination::{Rumination, RuminationConfig};
use morta_engine::daimon::{Happening, RuleTable, appraise};

/// The moments at which episodes of this arousal came back. Where `again`, an episode that was let go is kept anew.
fn live(ticks: Tick, arousal: f64, episodes: u32, again: bool) -> Vec<(Tick, u32)> {
    let (golem, config) = (GolemId::founder(1), RuminationConfig::default());
    let mut rumination = Rumination::default();
    let felt = appraise(Happening::RegimeShifted, &RuleTable::default());
    let keep = |rumination: &mut Rumination, number| {
        rumination.keep(EpisodeId { golem, number }, felt, arousal, &config);
    };
    (0..episodes).for_each(|number| keep(&mut rumination, number));
    let mut relived = Vec::new();
    for now in 0..ticks {
        if rumination.is_due(now, &config) {
            let mut stream = WorldSeed(5).golem(golem, Purpose::Rumination, now);
            let Some((episode, _)) = rumination.relive(now, &mut stream, &config) else { continue };
            relived.push((now, episode.number));
            let times = relived.iter().filter(|(_, number)| *number == episode.number).count();
            if again && times.is_multiple_of(3) {
                keep(&mut rumination, episode.number);
            }
        }
    }
    relived
}

#[test]
fn memories_come_back_about_every_two_hundred_ticks() {
    let relived = live(200_000, 0.4, 5, true);
    // A thousand expected; five standard deviations are 158.
    assert!((842..1_158).contains(&relived.len()), "{}", relived.len());
    assert!(relived.windows(2).all(|pair| pair[0].1 != pair[1].1), "never the same twice running");
    assert!((0..5).all(|number| relived.iter().any(|(_, found)| *found == number)));
}

#[test]
fn nothing_is_brooded_over_for_ever() {
    let relived = live(20_000, 0.4, 2, false);
    let times = |number| relived.iter().filter(|(_, found)| *found == number).count();
    assert_eq!((times(0), times(1)), (3, 3));
    assert!(live(20_000, 0.29, 2, false).is_empty());
}

#[test]
fn it_is_felt_again_at_half_strength() {
    let golem = GolemId::founder(1);
    let config = RuminationConfig::default();
    let (mut rumination, felt) =
        (Rumination::default(), appraise(Happening::RegimeShifted, &RuleTable::default()));
    rumination.keep(EpisodeId { golem, number: 0 }, felt, 0.42, &config);
    let mut relive =
        |now| rumination.relive(now, &mut WorldSeed(5).golem(golem, Purpose::Rumination, now), &config);
    assert_eq!(relive(0), None);
    assert_eq!(relive(300).unwrap().1.intensity, 0.3);
}
