//! Tests of the Grimoire: under any sequence of insertions, removals, replays, tags and imports (property tests by proptest, in a store of
//! 8 episodes) all columns agree with the records, and a saved and loaded store equals the first, outline included. The outline's bit field
//! and the cached figures of `survey` are checked by hand. They stand here and not in `tests/` because they look into private columns.

use super::*;
use crate::common::episodes::{episode, id, take};
use crate::episode::Provenance;
use crate::market::{Regime, Strategy};
use morta_base::{BloodstainId, GolemId};
use proptest::prelude::*;

fn store(capacity: u32) -> Grimoire {
    Grimoire::new(GrimoireConfig { capacity, ..GrimoireConfig::default() }, 2)
}

/// Everything that can be done to a stored episode, by number.
fn change(grimoire: &mut Grimoire, slot: usize, operation: u8, now: Tick) {
    let id = grimoire.record(slot).id;
    match operation {
        2 => drop(grimoire.remove(id)),
        3 => grimoire.mark_replayed(id, now, 0.5),
        4 => grimoire.tag(id, [DreamPriority::High, DreamPriority::Medium][now as usize % 2]),
        5 => assert!(grimoire.depotentiate(id, 0.5)),
        6 => grimoire.reinforce(id, now, 1.0),
        7 => *grimoire = grimoire.with_dealt_outcomes(&[slot, 0], &[1, 0]),
        _ => {
            let taken = take(grimoire, id);
            grimoire.restore(taken, Some(now), 2, DreamPriority::High);
        }
    }
}

/// The numbers that only the outline has, with times relative to its origin, so that two outlines of different origins can be compared.
fn outlined(grimoire: &Grimoire) -> Vec<(f32, f32, Marks, Vec<f32>)> {
    let outline = grimoire.outline();
    let ago = |moment: f32| if moment == f32::MIN { moment } else { moment - outline.moment(0) as f32 };
    (0..grimoire.len())
        .map(|slot| {
            let (closed, replayed) = (outline.closed()[slot], outline.replayed()[slot]);
            let direction = outline.directions().numbers(slot);
            (ago(closed), ago(replayed), outline.marks()[slot], direction)
        })
        .collect()
}

#[test]
fn marks_by_hand() {
    let mut grimoire = store(2);
    let mut lived = episode(0, 10);
    (lived.realised_r, lived.context.regime, lived.strategy) = (-1.0, Regime::ALL[3], Strategy::ALL[5]);
    lived.provenance = Provenance::Bloodstain(BloodstainId { golem: GolemId::founder(1), number: 0 });
    grimoire.restore(lived, Some(20), 3, DreamPriority::High);
    let marks = grimoire.outline().marks()[0];
    assert_eq!(marks.0, 3 | 5 << 3 | 1 << 6 | 1 << 7 | 1 << 8 | 3 << 10);
    assert_eq!((marks.gained(), marks.lost()), (false, true));
    assert_eq!(Marks::split_kind(marks.kind()), Some((5, 3, false)));
    assert_eq!(Marks::split_kind(7 << 3), None);
}

/// One more or less counts; a tag doesn't.
#[test]
fn what_is_known_of_all_is_asked_anew_when_they_change() {
    let mut grimoire = store(8);
    (0..3).for_each(|number| drop(grimoire.insert(episode(number, 10), 10)));
    let yardsticks = |grimoire: &Grimoire, found: f64| grimoire.yardsticks(0.95, || [found; 3])[0];
    assert_eq!((yardsticks(&grimoire, 1.0), yardsticks(&grimoire, 2.0)), (1.0, 1.0));
    assert_eq!(grimoire.yardsticks(0.5, || [7.0; 3]), [7.0; 3]);
    grimoire.tag(id(0), DreamPriority::High);
    assert_eq!(yardsticks(&grimoire, 2.0), 1.0);
    let momentum_rising =
        |grimoire: &Grimoire| grimoire.results()[Strategy::Momentum.index()][Regime::TrendingUp.index()];
    assert_eq!(momentum_rising(&grimoire).1, 3);
    grimoire.remove(id(0));
    assert_eq!((yardsticks(&grimoire, 2.0), momentum_rising(&grimoire).1), (2.0, 2));
    grimoire.insert(episode(9, 20), 20);
    assert_eq!((yardsticks(&grimoire, 3.0), momentum_rising(&grimoire).1), (3.0, 3));
}

proptest! {
    /// Whatever is inserted, removed and replayed, the columns agree with the records.
    #[test]
    fn columns_agree(operations in prop::collection::vec((0_u32..40, 0_u8..9), 1..120)) {
        let mut grimoire = store(8);
        for (tick, (number, operation)) in operations.into_iter().enumerate() {
            let now = tick as Tick;
            match operation {
                0 | 1 => {
                    let mut new = episode(number, now);
                    new.embedding = vec![number as f32, 1.0].into();
                    new.surprise = f64::from(number);
                    new.realised_r = f64::from(number) - 20.0;
                    grimoire.insert(new, now);
                }
                _ if grimoire.is_empty() => {}
                operation => {
                    let slot = number as usize % grimoire.len();
                    change(&mut grimoire, slot, operation, now);
                }
            }
            prop_assert!(grimoire.len() <= 8);
            prop_assert_eq!(grimoire.embeddings().len(), grimoire.len() * 2);
            for slot in 0..grimoire.len() {
                let record = grimoire.record(slot);
                prop_assert_eq!(grimoire.slot_of(record.id), Some(slot));
                prop_assert_eq!(grimoire.embedding(slot), [record.id.number as f32, 1.0]);
                prop_assert_eq!(f64::from(grimoire.surprise()[slot]), record.surprise);
                prop_assert_eq!(grimoire.closed()[slot], record.closed);
            }
            let saved = serde_json::to_string(&grimoire).unwrap();
            let loaded: Grimoire = serde_json::from_str(&saved).unwrap();
            prop_assert_eq!(&loaded, &grimoire);
            prop_assert_eq!(outlined(&loaded), outlined(&grimoire));
            prop_assert_eq!(loaded.arousal(), grimoire.arousal());
            prop_assert_eq!(loaded.realised_r(), grimoire.realised_r());
        }
    }
}
