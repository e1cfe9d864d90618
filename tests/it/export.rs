//! `morta export`: the tables other tools read.

use crate::common::{Program as _, lived, morta};
use std::collections::BTreeMap;

/// Header and rows by the name of the golem.
fn phylogeny(run: &std::path::Path, ancestry: &str) -> Vec<BTreeMap<String, String>> {
    let table = morta().args(["export", "phylogeny", "--ancestry", ancestry]).arg(run).printed();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn a_phylogeny_names_ancestors_that_were_there_before() {
    let many_deaths = ["--set", "ticks=2500", "--set", "mortality.hazard_scale=200"];
    let (_room, folder) = lived("scenarios/quickstart.toml", &many_deaths);
    let (mut successors, mut pupils) = (0, 0);
    for ancestry in ["succession", "knowledge"] {
        let lives = phylogeny(&folder, ancestry);
        let born: BTreeMap<String, u64> =
            lives.iter().map(|life| (life["id"].clone(), life["origin_time"].parse().unwrap())).collect();
        assert_eq!(born.len(), lives.len(), "identities are unique");
        for life in &lives {
            let list = life["ancestor_list"].trim_matches(['[', ']']);
            let ancestors: Vec<&str> = list.split(',').filter(|name| *name != "NONE").collect();
            assert_eq!(
                ancestors.is_empty(),
                life["generation"] == "0" && !list.contains(|c: char| c.is_ascii_digit())
            );
            assert!(ancestors.iter().all(|id| born[*id] < born[&life["id"]]), "{life:?}");
            assert!(life["destruction_time"] == "inf" || life["destruction_time"].parse::<u64>().is_ok());
            match ancestry {
                "succession" => {
                    assert_eq!(ancestors.len(), usize::from(life["generation"] != "0"));
                    successors += ancestors.len();
                }
                _ => pupils += usize::from(ancestors.len() > 1),
            }
        }
    }
    assert!(successors > 10 && pupils > 0, "{successors} successors, {pupils} with several teachers");
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let (room, folder) = lived("scenarios/synthetic.toml", &["--set", "ticks=50"]);
    let out = room.path().join("tree.csv");
    std::fs::write(&out, "mine").unwrap();
    morta().args(["export", "phylogeny"]).arg(&folder).arg("--out").arg(&out).refusal();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "mine");
}
