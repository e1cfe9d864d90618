use crate::common::episodes::{self, episode};
use crate::common::lethe::drawn;
use morta_base::{BloodstainId, GolemId, Lineage, Tick, WorldSeed};
use morta_engine::episode::{Claim, ContextPattern, EntryKind, FindingKind, Lesson};
use morta_engine::lethe::config::DelayRule;
use morta_engine::lethe::{
    Bequest, Bloodstain, BloodstainStore, CladeMap, Deposit, Drawn, EarlierBloodstain, EarlierBloodstains,
    Lethe, LetheConfig, LetheQuery, MemoryStore, StoreError, Vote,
};
use morta_engine::market::Strategy;
use morta_engine::mortality::Cause;

fn bloodstain(lineage: u32, number: u32, surprise: f64) -> Bloodstain {
    let mut scar = episode(number, 100);
    scar.surprise = surprise;
    let left = drawn(GolemId::founder(lineage), number, Bequest::Scar(scar)).bloodstain;
    Bloodstain { cause: Cause::Stochastic, vitality: 0.05, ..left }
}

fn lesson(lineage: u32, strategy: Strategy, confidence: f64) -> Bloodstain {
    let claim = Claim::of_worth(strategy, ContextPattern::default(), 0.4);
    let lesson = Lesson {
        kind: EntryKind::Heuristic,
        origin: GolemId::founder(lineage),
        finding: FindingKind::Hypothesis,
        ..episodes::lesson(claim, confidence, 5)
    };
    Bloodstain { bequest: Bequest::Lesson(lesson), ..bloodstain(lineage, 0, 0.0) }
}

/// The sum alone, without what else the defaults do.
fn bare() -> LetheConfig {
    LetheConfig {
        merge_above: 1.0,
        anonymity: 0,
        scar_boost: 1.0,
        quality_decay_per_day: 0.0,
        ..LetheConfig::default()
    }
}

fn lethe_with(config: LetheConfig) -> (Lethe, MemoryStore) {
    (Lethe::new(config, WorldSeed(1), 40.0, CladeMap::default()), MemoryStore::default())
}

fn lethe() -> (Lethe, MemoryStore) {
    lethe_with(bare())
}

fn query(limit: u32) -> LetheQuery {
    LetheQuery { embedding: vec![1.0, 0.0].into(), limit, kin: Some(ASKER) }
}

/// The lineage that asks.
const ASKER: Lineage = 7;

fn numbers(drawn: &[Drawn]) -> Vec<u32> {
    drawn.iter().map(|drawn| drawn.bloodstain.id.number).collect()
}

#[test]
fn bloodstains_surface_after_one_to_six_hours() {
    let (mut lethe, mut store) = lethe();
    let bloodstains = (0..50).map(|n| bloodstain(0, n, 1.0)).collect();
    lethe.deposit(100, Deposit { bloodstains }, &mut store).unwrap();
    let found = |now| lethe.draw(now, &query(100), &store).unwrap().len();
    assert_eq!(found(100 + 89), 0);
    assert!((1..50).contains(&found(100 + 300)));
    assert_eq!(found(100 + 540), 50);
}

/// By domain: a scar after 2 hours of 90 ticks, a rule about prices after 6, one about pools after 1.
#[test]
fn delays_by_domain() {
    let (mut lethe, mut store) = lethe_with(LetheConfig { delay: DelayRule::Domain, ..bare() });
    let bloodstains = vec![
        bloodstain(0, 9, 1.0),
        lesson(1, Strategy::Momentum, 0.8),
        lesson(2, Strategy::LiquidityProvision, 0.8),
    ];
    lethe.deposit(100, Deposit { bloodstains }, &mut store).unwrap();
    let found = |now| lethe.draw(now, &query(9), &store).unwrap().len();
    let counts: Vec<usize> = [189, 190, 279, 280, 639, 640].into_iter().map(found).collect();
    assert_eq!(counts, [0, 1, 1, 2, 2, 3]);
}

/// A perfect match of a stranger's scar of 3 R: .35 + .20·e^(−10/168) + .25 + .10·.4 + .10 = .928443.
#[test]
fn the_rank_is_the_weighted_sum() {
    let (mut lethe, mut store) = lethe();
    lethe.deposit(100, Deposit { bloodstains: vec![bloodstain(0, 0, 3.0)] }, &mut store).unwrap();
    let drawn = lethe.draw(1_000, &query(1), &store).unwrap();
    assert!((drawn[0].score - 0.928_443).abs() < 1e-6, "{}", drawn[0].score);
}

/// The same after half a quality's life, 8.664 days and 10 hours before: 1.2·1.5·(.35 + .20·e^(−h/168) + .25·½ + .04 + .10).
#[test]
fn quality_fades_and_scars_and_testaments_count_more() {
    // The boost is M00's; by default a scar counts once, by its term.
    let config = LetheConfig { anonymity: 0, scar_boost: 1.2, ..LetheConfig::default() };
    let (mut lethe, mut store) = lethe_with(config);
    let testament = Bloodstain { cause: Cause::Economic, died: 0, ..bloodstain(0, 0, 3.0) };
    lethe.deposit(0, Deposit { bloodstains: vec![testament] }, &mut store).unwrap();
    let hours = 24.0 * std::f64::consts::LN_2 / 0.08;
    let drawn = lethe.draw((hours * 90.0).round() as Tick, &query(1), &store).unwrap();
    let expected = 1.8 * (0.35 + 0.20 * morta_base::math::exp(-hours / 168.0) + 0.125 + 0.04 + 0.10);
    assert!((drawn[0].score - expected).abs() < 1e-4, "{} and {expected}", drawn[0].score);
    assert_eq!(drawn[0].terms.boost, 1.2 * 1.5);
}

#[test]
fn kin_and_quality_come_first() {
    let (mut lethe, mut store) = lethe();
    let bloodstains = vec![bloodstain(0, 0, 0.3), bloodstain(7, 1, 0.3), bloodstain(0, 2, 3.0)];
    lethe.deposit(100, Deposit { bloodstains }, &mut store).unwrap();
    let drawn = lethe.draw(10_000, &query(3), &store).unwrap();
    assert_eq!(numbers(&drawn), [2, 1, 0]);
    assert_eq!(drawn.iter().map(|d| d.rank).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn duplicate_bloodstains_are_drawn_once() {
    let (mut lethe, mut store) = lethe_with(LetheConfig { merge_above: 0.9, ..bare() });
    let bloodstains = vec![
        lesson(1, Strategy::Momentum, 0.5),
        lesson(2, Strategy::Momentum, 0.9),
        lesson(3, Strategy::Breakout, 0.7),
    ];
    lethe.deposit(100, Deposit { bloodstains }, &mut store).unwrap();
    let drawn = lethe.draw(10_000, &query(2), &store).unwrap();
    let found: Vec<_> = drawn.iter().map(|d| (d.bloodstain.id.golem.lineage, d.merged)).collect();
    assert_eq!(found, [(2, 1), (3, 0)]);
}

/// A stranger's bequest is handed out when five golems have left something, a predecessor's at once.
#[test]
fn strangers_stay_in_a_crowd_of_five() {
    let (mut lethe, mut store) = lethe_with(LetheConfig { anonymity: 5, ..bare() });
    let bloodstains = [7, 0, 1, 2].map(|lineage| bloodstain(lineage, lineage, 1.0)).to_vec();
    lethe.deposit(100, Deposit { bloodstains }, &mut store).unwrap();
    assert_eq!(numbers(&lethe.draw(10_000, &query(9), &store).unwrap()), [7]);
    lethe.deposit(100, Deposit { bloodstains: vec![bloodstain(3, 3, 1.0)] }, &mut store).unwrap();
    assert_eq!(lethe.draw(10_000, &query(9), &store).unwrap().len(), 5);
}

#[test]
fn a_quorum_withdraws_what_failed() {
    let (mut lethe, mut store) = lethe();
    let left = bloodstain(0, 0, 1.0);
    lethe.deposit(100, Deposit { bloodstains: vec![left.clone()] }, &mut store).unwrap();
    let vote = Vote { bloodstain: left.id, worked: false, in_dying: false };
    lethe.count_votes(&[vote, vote]);
    assert_eq!(lethe.draw(10_000, &query(9), &store).unwrap().len(), 1);
    lethe.count_votes(&[vote]);
    assert_eq!(lethe.draw(10_000, &query(9), &store).unwrap(), []);
}

#[test]
fn the_oldest_leave_a_full_lethe() {
    let (mut lethe, mut store) = lethe_with(LetheConfig { capacity: 2, ..bare() });
    let bloodstains = (0..3).map(|n| bloodstain(0, n, 1.0)).collect();
    lethe.deposit(0, Deposit { bloodstains }, &mut store).unwrap();
    assert_eq!(lethe.len(), 2);
    assert_eq!(store.get(BloodstainId { golem: GolemId::founder(0), number: 0 }).unwrap(), None);
}

/// A store that can't be written.
#[derive(Clone, PartialEq, Debug)]
struct Unwritable(MemoryStore);

impl BloodstainStore for Unwritable {
    fn put(&mut self, _: &Bloodstain) -> Result<(), StoreError> {
        Err(StoreError("full".to_owned()))
    }

    fn get(&self, id: BloodstainId) -> Result<Option<Bloodstain>, StoreError> {
        self.0.get(id)
    }

    fn remove(&mut self, _: &[BloodstainId]) -> Result<(), StoreError> {
        Err(StoreError("full".to_owned()))
    }

    fn flush(&mut self, _: Tick) -> Result<(), StoreError> {
        Err(StoreError("full".to_owned()))
    }
}

#[test]
fn a_store_that_fails_leaves_the_lethe_as_it_was() {
    let (mut lethe, mut store) = lethe();
    let bloodstains = (0..5).map(|n| bloodstain(0, n, 1.0)).collect();
    lethe.deposit(0, Deposit { bloodstains }, &mut store).unwrap();
    let (before, mut unwritable) = (lethe.clone(), Unwritable(store.clone()));
    let small = LetheConfig { capacity: 2, ..bare() };
    let third = BloodstainId { golem: GolemId::founder(0), number: 2 };
    lethe.rebind(small.clone(), CladeMap::default(), &mut unwritable).unwrap_err();
    lethe.remove(third, &mut unwritable).unwrap_err();
    let deposit = Deposit { bloodstains: vec![bloodstain(0, 9, 1.0)] };
    lethe.deposit(1, deposit, &mut unwritable).unwrap_err();
    assert_eq!((&lethe, &unwritable.0), (&before, &store));

    assert!(lethe.remove(third, &mut store).unwrap());
    lethe.rebind(small, CladeMap::default(), &mut store).unwrap();
    assert_eq!(lethe.ids().map(|id| id.number).collect::<Vec<u32>>(), [3, 4]);
}

/// What was left 168 hours before tick 0 is found at once, its recency e^(−1), and it is no kin though it had the slot.
#[test]
fn earlier_runs_are_remembered_at_their_age() {
    let mut old = bloodstain(7, 0, 3.0);
    old.rename(&|golem| GolemId::of_run(1, golem.lineage, golem.generation));
    let earlier_bloodstains = EarlierBloodstains {
        bloodstains: vec![EarlierBloodstain { bloodstain: old.clone(), hours_before: 168.0 }],
    };
    let (mut lethe, _) = lethe();
    let store = MemoryStore::holding([old.clone()]);
    lethe.load_earlier(&earlier_bloodstains);
    let drawn = lethe.draw(0, &query(1), &store).unwrap();
    assert_eq!(drawn[0].bloodstain, old);
    assert_eq!(drawn[0].bloodstain.id.to_string(), "A1.L7.G0.B0");
    let expected = 0.35 + 0.20 * morta_base::math::exp(-1.0) + 0.25 + 0.10 * 0.4 + 0.10;
    assert!((drawn[0].score - expected).abs() < 1e-12, "{}", drawn[0].score);
}
