use crate::common::episodes::episode;
use crate::memory::legacy::confidence::entry;
use morta_base::GolemId;
use morta_engine::episode::{Episode, Matter, Stake};
use morta_engine::market::Strategy;
use morta_engine::memory::SuccessionConfig;
use morta_engine::memory::legacy::LegacyEntry;
use morta_engine::memory::legacy::select::{proven, select};

fn of(strategy: Strategy, confirmed: u32) -> LegacyEntry {
    let mut new = entry(0.5, confirmed);
    (new.lesson.claim.strategy, new.lesson.origin) = (strategy, GolemId { lineage: 0, generation: 4 });
    new
}

/// Room for 16: 2 scars at most, 4 with what is proved; 8 for two domains, 4 each; 4 for the best of the rest.
#[test]
fn quotas_are_kept() {
    let config = SuccessionConfig { max_entries: 16, ..SuccessionConfig::default() };
    let scars: Vec<Episode> =
        (0..9).map(|number| Episode { surprise: f64::from(number), ..episode(number, 1) }).collect();
    let mut entries: Vec<LegacyEntry> = (0..20).map(|n| of(Strategy::Momentum, n)).collect();
    entries.extend((0..20).map(|n| of(Strategy::OracleArbitrage, n + 100)));
    let mut old = entry(0.7, 0);
    old.lesson.origin = GolemId { lineage: 0, generation: 2 };
    entries.extend(vec![old; 5]);
    let (scars, chosen) = select(scars, entries, 5, &config);
    assert_eq!(scars.iter().map(|scar| scar.id.number).collect::<Vec<_>>(), [8, 7]);
    let count = |fits: &dyn Fn(&LegacyEntry) -> bool| chosen.iter().filter(|entry| fits(entry)).count();
    assert_eq!(count(&|entry| entry.lesson.confidence == 0.7), 2, "what is proved fills the first quarter");
    // What is proved is of Momentum too. The better domain has its four, and the four best of the rest are its too.
    assert_eq!(count(&|entry| entry.lesson.claim.strategy == Strategy::OracleArbitrage), 8);
    assert_eq!(count(&|entry| entry.lesson.claim.strategy == Strategy::Momentum), 4 + 2);
    assert_eq!(scars.len() + chosen.len(), 16);
}

/// Of room for 16, a half goes to the one domain and a quarter to the best of the rest; the last quarter is for what is proved.
#[test]
fn a_single_domain_takes_three_quarters_and_all_where_enough_is_proved() {
    let config = SuccessionConfig { max_entries: 16, ..SuccessionConfig::default() };
    let alike: Vec<LegacyEntry> = (0..40).map(|n| of(Strategy::Momentum, n)).collect();
    let mut old = entry(0.7, 0);
    old.lesson.origin = GolemId { lineage: 0, generation: 2 };
    let with_proved = |count: usize| -> usize {
        let entries = alike.iter().cloned().chain(vec![old.clone(); count]).collect();
        select(Vec::new(), entries, 5, &config).1.len()
    };
    assert_eq!([0, 1, 4, 9].map(with_proved), [12, 13, 16, 16]);
}

/// A claim of worth, its stake and its guard are equal but for their matter.
#[test]
fn the_choice_does_not_depend_on_the_order_of_storage() {
    let config = SuccessionConfig { max_entries: 4, ..SuccessionConfig::default() };
    let about = |matter| {
        let mut one = of(Strategy::Momentum, 3);
        one.lesson.claim.matter = matter;
        one
    };
    let stored = [Matter::Worth, Matter::Stake(Stake::Half), Matter::Stake(Stake::Double), Matter::Guard];
    for turn in 0..stored.len() {
        let mut entries = stored.map(about).to_vec();
        entries.rotate_left(turn);
        let (_, chosen) = select(Vec::new(), entries, 5, &config);
        let chosen: Vec<Matter> = chosen.iter().map(|entry| entry.lesson.claim.matter).collect();
        assert_eq!(chosen, stored[..3], "turned by {turn}");
    }
}

#[test]
fn of_equals_the_one_borne_out_last_is_taken() {
    let config = SuccessionConfig { max_entries: 4, ..SuccessionConfig::default() };
    let at = |last_validated| LegacyEntry { last_validated, ..of(Strategy::Momentum, 3) };
    let (_, chosen) = select(Vec::new(), vec![at(1), at(9), at(5), at(7)], 5, &config);
    let order: Vec<u64> = chosen.iter().map(|entry| entry.last_validated).collect();
    assert_eq!(order, [9, 7, 5]);
}

#[test]
fn three_generations_and_seven_tenths_prove() {
    let config = SuccessionConfig::default();
    assert!(proven(&entry(0.7, 1), 3, &config));
    assert!(!proven(&entry(0.7, 1), 2, &config) && !proven(&entry(0.69, 1), 3, &config));
}
