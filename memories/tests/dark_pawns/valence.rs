use morta_memories::dark_pawns::valence::{health_percent, of_damage, of_dealing, of_fight, of_flight};
use morta_memories::dark_pawns::{DamageBands, Valence};

#[test]
fn fights_by_level() {
    let bands = [(-30, 0), (-10, 0), (-9, 1), (-3, 1), (-2, 2), (0, 2), (3, 2), (4, 3), (40, 3)];
    for (above, expected) in bands {
        assert_eq!(of_fight(50 + above, 50).get(), expected, "{above}");
    }
    assert_eq!((of_fight(0, 5).get(), of_fight(5, 0).get()), (1, 1));
}

#[test]
fn percent_is_rounded_down() {
    assert_eq!(health_percent(Some((199, 250))), 79);
    assert_eq!(of_flight(79).get(), -2);
    assert_eq!(health_percent(None), 100);
    assert_eq!(health_percent(Some((-1, 50))), -2);
    assert_eq!(health_percent(Some((i64::MAX, 1))), i64::MAX);
}

#[test]
fn damage_by_both_sources() {
    let damage = |hp, bands| of_damage(Some((hp, 1000)), bands).get();
    for (hp, seed, original) in
        [(49, -3, -3), (50, -2, -3), (59, -2, -3), (60, -2, -2), (159, -2, -2), (160, -1, -1), (310, -1, 0)]
    {
        assert_eq!(damage(hp, DamageBands::Seed), seed, "{hp}");
        assert_eq!(damage(hp, DamageBands::Original), original, "{hp}");
    }
    assert_eq!(of_damage(None, DamageBands::Seed).get(), -1);
}

#[test]
fn dealings_in_any_case() {
    for (kind, expected) in [("Betrayal", -3), ("GIVE", 2), ("greet", 1), ("exchange", 1), ("insult", -2)] {
        assert_eq!(of_dealing(kind).map(Valence::get), Some(expected), "{kind}");
    }
    assert_eq!(of_dealing("dance"), None);
}
