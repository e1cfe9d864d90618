mod account;

use morta_memories::dark_pawns::Valence;
use morta_memories::dark_pawns::effects::{Choices, Fading, Stance, Strength, consequence, persistence};

#[test]
fn persistence_is_a_difference_of_shares() {
    let choices = |chosen, of| Choices { chosen, of };
    let score = persistence(choices(40, 50), choices(20, 50)).unwrap();
    assert!((score - 0.4).abs() < 1e-12, "{score}");
    assert_eq!(persistence(choices(0, 0), choices(1, 2)), None);
    let strengths = [0.31, 0.3, 0.1, 0.09].map(Strength::of_persistence);
    assert_eq!(strengths, [Strength::Strong, Strength::Moderate, Strength::Moderate, Strength::Little]);
}

#[test]
fn consequence_is_stance_for_valence() {
    assert_eq!(consequence(Stance::Pass, Stance::Attack, Valence::new(-3)), Some(2.0 / 3.0));
    assert_eq!(consequence(Stance::Flee, Stance::Assist, Valence::new(2)), Some(1.0));
    assert_eq!(consequence(Stance::Assist, Stance::Pass, Valence::new(2)), Some(-0.5));
    assert_eq!(consequence(Stance::Pass, Stance::Defend, Valence::NEUTRAL), None);
    let strengths = [0.51, 0.5, 0.2, 0.19].map(Strength::of_consequence);
    assert_eq!(strengths, [Strength::Strong, Strength::Moderate, Strength::Moderate, Strength::Little]);
}

#[test]
fn fading_is_found_again() {
    let truth = Fading { initial: 0.6, rate: 0.2 };
    let points: Vec<(f64, f64)> = [1.0, 3.0, 7.0, 30.0].map(|t| (t, truth.after(t))).into();
    let found = Fading::fit(&points).unwrap();
    assert!((found.initial - 0.6).abs() < 1e-12 && (found.rate - 0.2).abs() < 1e-12, "{found:?}");
    assert!((found.half_life().unwrap() - 3.465_735_902_799_727).abs() < 1e-9);
    assert_eq!(Fading::fit(&[(1.0, 0.5), (1.0, 0.4)]), None);
    assert_eq!(Fading::fit(&[(1.0, 0.5), (3.0, 0.0)]), None);
    assert_eq!(Fading { initial: 0.1, rate: -0.1 }.half_life(), None);
}
