//! `morta replicate`: registered files, the same bytes on any number of threads, and mistakes that name their place.

use crate::common::{Program as _, Text as _, files, morta};
use std::fs;
use std::path::Path;

fn replicate(args: &[&str], out: &Path) -> String {
    let (code, said, err) = morta().arg("replicate").args(args).arg("--out").arg(out).ended();
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}: nothing is drawn in a pipe");
    said
}

#[test]
fn threads_change_no_byte() {
    let room = tempfile::tempdir().unwrap();
    let lived = |threads: &str| {
        let out = room.path().join(threads);
        let names = ["linear-track", "dyna-maze", "inheritance"];
        let args = [&names[..], &["--seeds", "9..12", "--threads", threads, "--json"]].concat();
        let told = replicate(&args, &out).replace(out.to_str().unwrap(), "OUT");
        let [track, dyna, inheritance] = names.map(|name| files(&out.join(name)));
        (told, track, dyna, inheritance)
    };
    let one = lived("1");
    let has = |files: &[(String, Vec<u8>)], name: &str| {
        assert!(files.iter().any(|(file, _)| file == name), "{name}");
    };
    for name in [
        "figures.csv", "seeds.csv", "report.html", "runs.svg", "heat-0.svg", "fields-0.svg", "curves-0-0.svg",
    ] {
        has(&one.1, name);
    }
    for name in ["comparison.csv", "curves-2-0.svg", "deaths.svg", "deaths-3.svg", "ratios-3.svg"] {
        has(&one.3, name);
    }
    assert_eq!(one, lived("2"));
    assert_eq!(one, lived("8"));
}

/// Few seeds of each registered file but the one that compares many arms, which has a test below: all figures that were published are there.
#[test]
fn published_figures_come_out() {
    let room = tempfile::tempdir().unwrap();
    let told =
        replicate(&["linear-track", "open-field", "dyna-maze", "--seeds", "1..30", "--json"], room.path());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let rows = told.as_array().unwrap().iter().flat_map(|of| of["figures"].as_array().unwrap());
    let outside: Vec<String> = rows.filter(|row| row["inside"] != true).map(ToString::to_string).collect();
    assert!(outside.is_empty(), "{}", outside.join("\n"));
}

#[test]
fn an_order_is_held_against_another() {
    let room = tempfile::tempdir().unwrap();
    let told = replicate(&["specs-utility", "--seeds", "1..2"], &room.path().join("out"));
    told.must_have(&["EVB", "without surprise"]);
    let table = fs::read_to_string(room.path().join("out/specs-utility/comparison.csv")).unwrap();
    let heading = "replication,world,arm,against,ratio,low,high,p_holm,pairs,finding";
    assert_eq!(table.lines().next(), Some(heading));
}

#[test]
fn a_mistake_names_file_line_key_value_and_remedy() {
    let room = tempfile::tempdir().unwrap();
    let good = "name = 'x'\ntitle = 'x'\nsource = 'x'\nseeds = { first = 1, count = 2 }\n[[worlds]]\nname = 'w'\nmap = ['A.a']\n\
                [[arms]]\nname = 'a'\n";
    let check = |from: &str, to: &str, expected: &str| {
        let file = room.path().join("x.toml");
        fs::write(&file, good.replace(from, to)).unwrap();
        morta().arg("replicate").arg(&file).refused_with(&[expected]);
    };
    check("seeds = ", "seed = ", "x.toml:4: seed = {…}: no such key: did you mean seeds?");
    for (to, expected) in [
        ("map = ['A?a']", "7: worlds.0.map = \"?\": use # for a wall"),
        ("cliff = 1", "7: worlds.0.cliff = 1: must be a whole number from 2 to 16 (states)"),
        (
            "mazes = { predators = 1 }",
            "8: arms.0.heirs = \"immortal\": where there are predators it takes an heir",
        ),
        ("mazes = { wals = 0.1 }", "7: worlds.0.mazes.wals = 0.1: no such key: did you mean walls?"),
        (
            "mazes = {}\nrooms = ['11']",
            "8: worlds.0.rooms = \"11\": rows must have 9 letters (A to Z, a to z) or digits each",
        ),
        (
            "cliff = 3\nchange = { after_laps = 1, map = ['A.a'] }",
            "8: worlds.0.change = {…}: only goes with a map: leave it out",
        ),
        (
            "map = ['A.a']\nreward_deviation = 2\n[life]\ninverse_temperature = 80",
            "10: life.inverse_temperature = 80: must be at most 33.3, since values may reach 21",
        ),
        (
            "cliff = 3\n[life]\nlaps = 5",
            "8: life = {…}: only goes with a map, a graph or mazes: leave it out",
        ),
    ] {
        check("map = ['A.a']", to, &format!("x.toml:{expected}"));
    }
    for (before, expected) in [
        ("[[worlds]]\nname = 'w'\ncliff = 3", "9: worlds.1.name = \"w\": name every world once"),
        ("[lineage]\nlaps = 5", "8: lineage = {…}: only goes with mazes: leave it out"),
        ("[walk]\nrate = 0.5", "8: walk = {…}: only goes with a cliff: leave it out"),
    ] {
        check("[[arms]]", &format!("{before}\n[[arms]]"), &format!("x.toml:{expected}"));
    }
    for (more, expected) in [
        ("order = { kind = 'evp' }", "x.toml:10: arms.0.order.kind = \"evp\": must be one of"),
        ("against = 'b'", "x.toml:10: arms.0.against = \"b\": no arm has this name; there are a"),
        ("figures = [{ measure = 'updates' }]", "updates are measured of cliffs"),
        (
            "figures = [{ measure = 'agreement' }]",
            "arms.0.figures.0.measure = \"agreement\": is measured of the order specs alone",
        ),
        (
            "figures = [{ measure = 'forward_at_goal' }]\n[life]\ncount_events = false",
            "arms.0.figures.0.measure = \"forward_at_goal\": life.count_events is false",
        ),
        (
            "figures = [{ measure = 'steps_per_lap' }]\n[life]\nlaps = 1",
            "arms.0.figures.0.measure = \"steps_per_lap\": life.laps must be above 1",
        ),
    ] {
        check("name = 'a'", &format!("name = 'a'\n{more}"), expected);
    }
    check(
        "[[arms]]\nname = 'a'",
        "[[worlds]]\nname = 'v'\nmap = ['A.a']\n[[arms]]\nname = 'a'\nworlds = ['v']\nfigures = [{ measure = 'steps_per_lap' }]",
        "arms.0.figures.0.world = \"w\": the arm isn't run in this world, but in v",
    );
    for (args, expected) in [
        (&["linear-trak"][..], "use cliffwalk, dyna-maze"),
        (&[], "or --all"),
        (&["x", "--seeds", "9..1"], "smaller first"),
    ] {
        morta().arg("replicate").args(args).refused_with(&[expected]);
    }
}
