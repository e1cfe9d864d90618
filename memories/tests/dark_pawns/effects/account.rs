use morta_memories::dark_pawns::Valence;
use morta_memories::dark_pawns::effects::{
    Account, Arm, Cost, Decision, Encounter, Hosting, Stance, account,
};

/// So many decisions of which so many are flights, the rest attacks.
fn decisions(arm: Arm, flights: u32, of: u32, sessions: u32, valence: i8) -> impl Iterator<Item = Decision> {
    (0..of).map(move |n| Decision {
        arm,
        stimulus: format!("mob{}", valence.abs()),
        action: if n < flights { "flee" } else { "attack" }.to_owned(),
        sessions: (arm == Arm::Memory).then_some(sessions),
        valence: (arm == Arm::Memory).then_some(Valence::new(valence.into())),
    })
}

#[test]
fn strong_feelings_fade_at_half_the_rate() {
    let mut all = Vec::new();
    for (valence, flights) in [(-3, [160, 80]), (-1, [160, 40])] {
        all.extend(decisions(Arm::None, 0, 100, 0, valence));
        for (sessions, flights) in [1, 3].into_iter().zip(flights) {
            all.extend(decisions(Arm::Memory, flights, 200, sessions, valence));
        }
    }
    let account = account(&all, &[], &[]);
    let half_lives: Vec<f64> = account.curves.iter().filter_map(|curve| curve.half_life_sessions).collect();
    assert!((half_lives[0] - 1.0).abs() < 1e-9 && (half_lives[1] - 2.0).abs() < 1e-9, "{half_lives:?}");
    assert!((account.half_life_ratio.unwrap() - 2.0).abs() < 1e-9);
    let scores: Vec<(&str, f64, bool)> =
        account.persistence.iter().map(|p| (p.stimulus.as_str(), p.bps, p.enough)).collect();
    assert_eq!(scores, [("mob1", 0.5, true), ("mob1", 0.5, true), ("mob3", 0.6, true), ("mob3", 0.6, true)]);
}

#[test]
fn stances_and_costs() {
    let encounter = |after, valence| Encounter {
        entity: "Brenda".to_owned(),
        before: Stance::Pass,
        after,
        valence: Valence::new(valence),
    };
    let encounters = [encounter(Stance::Defend, 2), encounter(Stance::Pass, 1), encounter(Stance::Attack, 0)];
    let cost = |hosting, tokens| Cost { hosting, tokens };
    let costs = [cost(Hosting::Server, 300), cost(Hosting::Server, 100), cost(Hosting::Client, 800)];
    let account = account(&[], &encounters, &costs);
    assert_eq!(account.consequences[0].scs, 0.5);
    assert_eq!(account.consequences[0].events, 2);
    assert_eq!((account.cost_ratio, account.cost_enough), (Some(0.25), false));
    assert_eq!(account.half_life_ratio, None);
}

#[test]
fn nothing_is_measured_of_one_arm() {
    let all: Vec<Decision> = decisions(Arm::Memory, 1, 2, 1, 3).collect();
    assert_eq!(account(&all, &[], &[]), Account::default());
}
