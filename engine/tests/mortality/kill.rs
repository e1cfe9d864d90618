use morta_base::Checker;
use morta_engine::mortality::{Cause, Kill};

fn kill(lineage: Option<u32>, cohort: Option<&str>) -> Kill {
    Kill { tick: 7, lineage, cohort: cohort.map(str::to_owned) }
}

#[test]
fn owners_end_one_and_kill_switches_all() {
    let kills = [kill(Some(3), None), kill(None, Some("bardo"))];
    assert_eq!(Kill::strikes(&kills, 3, 7), Some(Cause::OwnerKill));
    assert_eq!(Kill::strikes(&kills, 4, 7), Some(Cause::KillSwitch));
    assert_eq!(Kill::strikes(&kills, 3, 8), None);
    assert!(kills[1].concerns("bardo") && !kills[1].concerns("none") && kills[0].concerns("none"));
}

#[test]
fn a_kill_names_exactly_one_existing_lineage_or_cohort() {
    let kills =
        [kill(Some(9), None), kill(None, Some("nobody")), kill(None, None), kill(Some(0), Some("bardo"))];
    let mut check = Checker::default();
    Kill::check(&kills, &mut check.table("mortality"), &["bardo", "none"], 9);
    let keys: Vec<String> = check.into_problems().into_iter().map(|problem| problem.key).collect();
    let expected = ["0.lineage", "1.cohort", "2.lineage", "3.cohort"];
    assert_eq!(keys, expected.map(|key| format!("mortality.kills.{key}")));
}
