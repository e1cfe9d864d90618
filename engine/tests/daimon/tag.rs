use morta_engine::daimon::tag::ArousalRanks;

/// Whatever their scale, ranks of what comes in any order are spread over 0 to 1.
#[test]
fn ranks_are_spread_evenly() {
    let mut ranks = ArousalRanks::default();
    assert_eq!(ranks.rank(0.3), 0.5);
    let ranked: Vec<f64> = (0..400).map(|n| ranks.rank(f64::from((n * 37) % 100) / 200.0)).collect();
    let late = &ranked[200..];
    let high = late.iter().filter(|rank| **rank > 0.7).count();
    assert!((40..80).contains(&high), "{high} of 200 above .7");
    assert!(late.iter().all(|rank| (0.0..=1.0).contains(rank)));
}
