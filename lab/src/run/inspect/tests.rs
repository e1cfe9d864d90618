//! Each view of a small run, as text and as JSON (golden tests of structure, no figures).

use super::*;
use crate::io::error::Result;
use crate::io::text::View;
use crate::run::run_folder::tests::{finished, finished_changed, finished_without_events};
use crate::run::run_folder::{Draw, FinishedRun, Life, RunFolder};
use morta_base::{DreamId, GolemId};
use morta_engine::event::{Event, EventKind};
use morta_engine::mortality::Cause;

fn text(view: &impl View) -> String {
    let json = serde_json::to_value(view).unwrap();
    assert!(json.is_object());
    view.lines().join("\n")
}

fn with(run: &FinishedRun, wanted: impl Fn(&Life) -> bool) -> GolemId {
    let lives = run.lives().unwrap().keep(wanted).unwrap();
    lives.first().expect("the world of these tests has such a golem").golem.parse().unwrap()
}

fn is_refused<T>(result: Result<T>, reason: &str) {
    let error = result.err().expect("this is refused");
    assert!(matches!(error, Error::Invalid(_)) && error.to_string().contains(reason), "{error}");
}

#[test]
fn lives_are_listed_by_cohort_and_one_by_one() {
    let (_root, run) = finished();
    let shown = text(&lives::look(&run, 5).unwrap());
    assert!(shown.contains("dreamers") && shown.contains("forgetful") && shown.contains("stochastic"));
    assert!(shown.contains("L0.G0") && shown.contains("more: show them with --limit"), "{shown}");
}

#[test]
fn a_decision_is_traced_back_to_the_dead() {
    let (_root, run) = finished();
    let spoke = |draw: &Draw| draw.uses > Some(0) && draw.source == "bloodstain";
    let draws = run.inheritance().unwrap().keep(spoke).unwrap();
    let draw = draws.first().expect("the world of these tests has a bloodstain that spoke");
    let heir: GolemId = draw.golem.parse().unwrap();
    let shown = text(&golem::look(&run, heir, usize::MAX).unwrap());
    assert!(shown.contains(&format!("left by {}, who died", draw.from_golem)), "{shown}");
    assert!(shown.contains(&format!("← {}", draw.bloodstain.as_ref().unwrap())), "{shown}");
    let decisions = decision::decided(&run, heir).unwrap();
    let one = text(&decision::look(&run, heir, decisions[0].tick).unwrap());
    assert!(one.contains("it expects") && one.contains("came of it"), "{one}");
    is_refused(decision::look(&run, heir, u64::MAX), "decided on no position");
}

#[test]
fn a_decision_is_traced_back_to_the_predecessor() {
    let (_root, run) = finished();
    let spoke = |draw: &Draw| draw.uses > Some(0) && draw.source == "predecessor";
    let draws = run.inheritance().unwrap().keep(spoke).unwrap();
    let draw = draws.first().expect("the world of these tests has a legacy that spoke");
    let shown = text(&golem::look(&run, draw.golem.parse().unwrap(), usize::MAX).unwrap());
    assert!(shown.contains(&format!("from {}, predecessor", draw.from_golem)), "{shown}");
    assert!(shown.contains(&format!("← {}, its predecessor", draw.from_golem)), "{shown}");
}

#[test]
fn a_death_shows_its_cause_and_bequests() {
    let (_root, run) = finished();
    let dead = with(&run, |life| life.cause.as_deref() == Some("stochastic") && life.bloodstains_left > 0);
    let shown = text(&death::look(&run, dead, 5).unwrap());
    assert!(shown.contains("← this one") && shown.contains(&format!("{dead}.B0")), "{shown}");
    for part in ["its clocks over the last", "its testament (", "its successor ", "vitality"] {
        assert!(shown.contains(part), "no `{part}` in {shown}");
    }
    let faulted = with(&run, |life| life.cause.as_deref() == Some("fault"));
    assert!(
        text(&death::look(&run, faulted, 5).unwrap()).contains("a fault in its own step: it had not begun")
    );
    let alive = with(&run, |life| life.censored);
    is_refused(death::look(&run, alive, 5), "outlived the run");
}

/// A death by chance, its testament taken away and its end made a fault: such is the log where a fault strikes the dying.
#[test]
fn a_fault_during_the_last_rites_is_shown_with_what_it_was_dying_of() {
    let mut faulted = None;
    let (_root, run) = finished_changed(|ticks| {
        let by_chance = |event: &&mut Event| match &event.kind {
            EventKind::LifeEnded(life) => life.cause == Some(Cause::Stochastic),
            _ => false,
        };
        let end = ticks.iter_mut().flatten().find(by_chance).expect("chance strikes in this world");
        let EventKind::LifeEnded(life) = &mut end.kind else { unreachable!("it is the end of a life") };
        life.cause = Some(Cause::Fault);
        faulted = end.golem;
        let is_testament = |event: &Event| matches!(event.kind, EventKind::TestamentWritten(_));
        ticks
            .iter_mut()
            .for_each(|events| events.retain(|event| event.golem != faulted || !is_testament(event)));
    });
    let death = death::look(&run, faulted.unwrap(), 5).unwrap();
    let shown = text(&death);
    for part in [
        "of a fault in its own step",
        ", of chance; a fault in its own step ended that at",
        "← this one",
        "its successor",
    ] {
        assert!(shown.contains(part), "no `{part}` in {shown}");
    }
    assert!(!shown.contains("were in order") && !shown.contains("its testament"), "{shown}");
    let json = serde_json::to_value(&death).unwrap();
    assert_eq!((&json["life"]["cause"], &json["readings"]["cause"]), (&"fault".into(), &"stochastic".into()));
}

/// Who was worn down has all sections to fill; JSON has all of them, empty or not.
#[test]
fn a_testament_is_shown_by_section() {
    let (_root, run) = finished();
    let dead = with(&run, |life| life.cause.as_deref() == Some("stochastic") && life.bloodstains_left > 0);
    let death = death::look(&run, dead, 5).unwrap();
    let json = serde_json::to_value(&death).unwrap();
    assert_eq!(json["testament"]["sections"].as_array().unwrap().len(), 9);
    assert!(json["readings"]["last_readings"].as_array().unwrap().len() <= 50);
    assert!(json["successor"]["trades_there"].is_u64(), "{json}");
    assert!(text(&death).contains("  killed me:"), "{}", text(&death));
}

#[test]
fn a_playbook_is_markdown() {
    let (_root, run) = finished();
    let steps = run.rules().unwrap().all().unwrap();
    let shown = text(&playbook::look(&run, steps[0].golem.parse().unwrap()).unwrap());
    assert!(shown.starts_with("# Playbook of ") && shown.contains("## In force"), "{shown}");
    assert!(shown.contains(&format!("- **{}**: ", steps[0].rule)), "{shown}");
}

#[test]
fn a_lineage_lists_its_generations() {
    let (_root, run) = finished();
    let heir = with(&run, |life| life.generation > 0 && life.bloodstains_drawn > 0);
    let shown = text(&lineage::look(&run, heir.lineage).unwrap());
    assert!(shown.contains(&format!("{heir} inherited:")), "{shown}");
}

#[test]
fn an_unknown_golem_is_reported_in_one_line() {
    let (_root, run) = finished();
    is_refused(lineage::look(&run, 99), "there is no lineage L99: this run has L0 to L11");
    is_refused(golem::look(&run, GolemId { lineage: 1, generation: 999 }, 3), "there is no golem L1.G999");
}

#[test]
fn without_the_event_log_the_rest_is_shown() {
    let (_root, run) = finished_without_events();
    let dead = with(&run, |life| life.cause.as_deref() == Some("stochastic"));
    assert!(text(&golem::look(&run, dead, 3).unwrap()).contains("how it decided can't be told"));
    assert!(text(&death::look(&run, dead, 3).unwrap()).contains("can't be told"));
    is_refused(decision::look(&run, dead, 1), "was not kept");
}

#[test]
fn a_dream_is_a_story() {
    let (_root, run) = finished();
    let staged = run.rules().unwrap().keep(|step| step.dream.is_some()).unwrap();
    let first = staged.first().expect("the dreams of this world put claims to the test");
    let id: DreamId = first.dream.as_deref().unwrap().parse().unwrap();
    let shown = text(&dream::look(&run, id, false).unwrap());
    for part in [
        "why it slept:",
        "urgency by term",
        "episodes to replay; it asked about",
        "nrem begins",
        "what became of that:",
    ] {
        assert!(shown.contains(part), "no `{part}` in {shown}");
    }
    assert!(shown.contains(&first.claim), "{shown}");
    let mut earlier = RunFolder::open(run.dir()).unwrap();
    earlier.manifest.files.retain(|file| file.name != "replays.parquet");
    assert!(text(&dream::look(&earlier, id, false).unwrap()).contains("kept no replays.parquet"));
    let none = DreamId { number: 9_999, ..id };
    is_refused(dream::look(&run, none, false), "there is no dream");
    let (_silent, run) = finished_without_events();
    is_refused(dream::look(&run, id, false), "the event log was not kept");
}
