//! What passes from one generation to the next, in small worlds.

use crate::common::{learnable_by, live, of_kind};
use morta_base::GolemId;
use morta_engine::episode::Provenance;
use morta_engine::event::{Event, EventKind, LifeRecord};
use morta_engine::memory::legacy::ConfidenceForm;
use morta_engine::memory::{InheritedItem, SuccessionPolicy};
use morta_engine::world::scenario::PopulationPolicy;
use morta_engine::world::{Fault, FaultTarget, Plan, Scenario};
use std::collections::BTreeSet;

fn scenario() -> Scenario {
    let mut scenario = learnable_by("bardo", 4, 2_500);
    scenario.dream.dream_cycle_interval = 60;
    scenario.population.policy = PopulationPolicy::Fixed;
    // A life lasts a few hundred ticks.
    scenario.mortality.hazard_scale = 1_500.0;
    // Chance strikes whom it will: what isn't put down by then is lost.
    scenario.mortality.thanatopsis.snapshot_interval_ticks = 10;
    scenario
}

fn lives(events: &[Event]) -> Vec<(GolemId, &LifeRecord)> {
    of_kind!(event in events, EventKind::LifeEnded(life) => (event.golem?, &**life)).collect()
}

/// Every heir takes over from the golem it succeeds; what it was handed is accounted for at its end and names who first learned it;
/// something learned three generations before is still known.
#[test]
fn a_legacy_passes_from_generation_to_generation() {
    let events = live(scenario());
    let (mut heirs, mut crossed, mut sources) = (0, 0, BTreeSet::new());
    for event in &events {
        let Some(golem) = event.golem else { continue };
        match &event.kind {
            EventKind::LegacyReceived { from, .. } => {
                assert_eq!(from.successor(), golem);
                heirs += 1;
            }
            EventKind::ClaimStaged { provenance, dream, .. } => {
                sources.insert(match provenance {
                    Provenance::Own => "own",
                    Provenance::Bloodstain(_) => "bloodstain",
                    Provenance::Predecessor(giver) => {
                        assert!(giver.successor() == golem || dream.is_some(), "{event:?}");
                        "predecessor"
                    }
                    Provenance::Clade(_) => "clade",
                });
            }
            EventKind::InheritanceSettled(settled) => {
                let crosses = settled.origin.lineage == golem.lineage
                    && golem.generation >= settled.origin.generation + 3;
                crossed += u32::from(crosses && !settled.is_scar());
                assert!(settled.wins <= settled.uses && settled.first_use.is_some() == (settled.uses > 0));
                let scar = matches!(settled.inherited_item, InheritedItem::Scar(_));
                assert_eq!(scar, settled.confidence.is_none());
            }
            _ => {}
        }
    }
    let born = of_kind!(event in events, EventKind::Born { parent: Some(_), .. }).count();
    // A golem that dies without a bequest has no heir.
    assert!(heirs > 10 && heirs <= born && 10 * heirs >= 8 * born, "{heirs} heirs of {born} successors");
    assert!(crossed > 0, "nothing crossed three generations");
    for source in ["own", "bloodstain", "predecessor"] {
        assert!(sources.contains(source), "no claim from {source} was put to the test: {sources:?}");
    }
    assert!(lives(&events).iter().any(|(_, life)| life.growth.is_some_and(|growth| growth.inherited > 0)));
}

/// Under "fresh" nothing passes on but what lies in the Lethe; under "none" nobody follows.
#[test]
fn the_other_policies_hand_over_nothing() {
    let mut fresh = scenario();
    fresh.succession.policy = SuccessionPolicy::Fresh;
    let events = live(fresh);
    let mut born = 0;
    for event in &events {
        match &event.kind {
            EventKind::Born { parent, .. } => {
                born += 1;
                assert_eq!(*parent, None);
            }
            EventKind::LegacyReceived { .. } => panic!("{event:?}"),
            EventKind::InheritanceSettled(settled) => assert!(settled.source.bloodstain().is_some()),
            _ => {}
        }
    }
    assert!(born > 10);

    let mut none = scenario();
    none.succession.policy = SuccessionPolicy::None;
    let problems = Plan::new(none.clone(), &[Vec::new()]).expect_err("the two policies disagree");
    assert_eq!((problems[0].key.as_str(), problems[0].value.as_str()), ("succession.policy", "none"));
    none.population.policy = PopulationPolicy::Extinction;
    assert!(lives(&live(none)).iter().all(|(golem, _)| golem.generation == 0));
}

/// A golem that dies of a fault takes its memory with it.
#[test]
fn a_fault_leaves_no_legacy() {
    let mut faulty = scenario();
    faulty.ticks = 400;
    faulty.mortality.hazard_scale = 0.0;
    faulty.faults = vec![Fault { tick: 300, target: FaultTarget::Golem, lineage: Some(1) }];
    let events = live(faulty);
    let heir = GolemId { lineage: 1, generation: 1 };
    assert!(
        lives(&events).iter().any(|(golem, life)| *golem == heir && life.parent == Some(GolemId::founder(1)))
    );
    let legacies = of_kind!(event in events, EventKind::LegacyReceived { .. } if event.golem == Some(heir));
    assert_eq!(legacies.count(), 0);
}

/// With "flat", everything that has no value of its own starts from .4, or .1 more in its own regime.
#[test]
fn the_confidence_form_is_a_switch() {
    let mut flat = scenario();
    flat.succession.confidence_form = ConfidenceForm::Flat;
    flat.succession.testament_bonus = 0.0;
    let events = live(flat);
    let inherited = of_kind!(event in events, EventKind::InheritanceSettled(settled)
        if matches!(settled.source, Provenance::Predecessor(_)) => settled.confidence?);
    // Refutations are believed as the predecessor believed them.
    let confidences: Vec<f64> = inherited.filter(|confidence| *confidence <= 0.5).collect();
    assert!(confidences.contains(&0.4), "{confidences:?}");
}
