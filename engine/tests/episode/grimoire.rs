//! The columns hold the episodes and their indices under any sequence of insertions and removals.

use crate::common::episodes::{episode, id};
use morta_base::{BloodstainId, GolemId};
use morta_engine::episode::{DreamPriority, Grimoire, GrimoireConfig, Provenance};

fn store(capacity: u32) -> Grimoire {
    Grimoire::new(GrimoireConfig { capacity, ..GrimoireConfig::default() }, 2)
}

#[test]
fn the_least_retained_leaves() {
    let mut grimoire = store(2);
    assert_eq!(grimoire.insert(episode(0, 10), 10), None);
    assert_eq!(grimoire.insert(episode(1, 20), 20), None);
    grimoire.mark_replayed(id(0), 30, 0.5);
    let evicted = grimoire.insert(episode(2, 40), 40).unwrap();
    assert_eq!(evicted.id.number, 1);
}

#[test]
fn bloodstains_are_retained_longer() {
    let mut grimoire = store(4);
    grimoire.insert(episode(0, 0), 0);
    let mut inherited = episode(1, 0);
    inherited.provenance = Provenance::Bloodstain(BloodstainId { golem: GolemId::founder(1), number: 0 });
    grimoire.insert(inherited, 0);
    let (own, bloodstain) = (grimoire.retention(0, 4_320), grimoire.retention(1, 4_320));
    assert!(
        (own - 0.367_879_441).abs() < 1e-8 && (bloodstain - 0.716_531_311).abs() < 1e-8,
        "{own} {bloodstain}"
    );
}

#[test]
fn what_has_left_is_not_changed() {
    let mut grimoire = store(2);
    grimoire.insert(episode(0, 10), 10);
    let (before, gone) = (grimoire.clone(), id(1));
    grimoire.mark_replayed(gone, 20, 0.5);
    grimoire.reinforce(gone, 20, 0.5);
    grimoire.tag(gone, DreamPriority::High);
    assert!(!grimoire.abstract_away(gone) && !grimoire.depotentiate(gone, 0.5));
    assert_eq!((grimoire.remove(gone), grimoire.episode(gone), grimoire.get(gone)), (None, None, None));
    assert_eq!(grimoire, before);
}

#[test]
fn a_higher_tag_stays() {
    let (mut grimoire, id) = (store(2), id(0));
    grimoire.insert(episode(0, 10), 10);
    for (priority, expected) in [
        (DreamPriority::Medium, DreamPriority::Medium),
        (DreamPriority::High, DreamPriority::High),
        (DreamPriority::Medium, DreamPriority::High),
    ] {
        grimoire.tag(id, priority);
        assert_eq!(grimoire.priority()[0], expected);
    }
}
