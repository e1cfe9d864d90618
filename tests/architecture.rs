//! ARCHITECTURE.md must be true: its paths exist, and rooms import from lower floors only.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// Texts between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_path_it_names_exists() {
    let page = page();
    let tops = ["engine/", "actors/", "lab/", "src/", "tests/", "benches/", "scenarios/", "sim-data/"];
    let paths: Vec<&str> =
        quoted(&page).filter(|text| tops.iter().any(|top| text.starts_with(top))).collect();
    assert!(paths.len() > 20, "the page names its places");
    let missing: Vec<&&str> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what isn't there: {missing:?}");
}

/// Room → floor, from the table of floors.
fn floors() -> BTreeMap<String, u32> {
    let page = page();
    let mut floors = BTreeMap::new();
    for line in page.lines() {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (Some(floor), Some(rooms)) = (cells.next(), cells.next()) else { continue };
        let Ok(floor) = floor.parse::<u32>() else { continue };
        for room in quoted(rooms).filter_map(|path| path.strip_prefix("engine/src/")) {
            floors.insert(room.to_owned(), floor);
        }
    }
    floors
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Rooms named as `crate::room` outside comments, with their lines.
fn imports(text: &str) -> impl Iterator<Item = (usize, String)> {
    text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")).flat_map(
        |(number, line)| {
            line.match_indices("crate::").map(move |(at, _)| {
                let rest = &line[at + "crate::".len()..];
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                (number + 1, rest[..end].to_owned())
            })
        },
    )
}

#[test]
fn rooms_import_from_lower_floors_only() {
    let floors = floors();
    let mut wrong = Vec::new();
    let rooms = fs::read_dir(root().join("engine/src")).unwrap().map(|entry| entry.unwrap().path());
    for room in rooms.filter(|path| path.is_dir()) {
        let name = room.file_name().unwrap().to_str().unwrap().to_owned();
        let own = *floors.get(&name).unwrap_or_else(|| panic!("ARCHITECTURE.md gives `{name}` no floor"));
        let mut files = Vec::new();
        rust_files(&room, &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for (line, other) in imports(&text) {
                if other != name && floors.get(&other).is_some_and(|floor| *floor >= own) {
                    wrong
                        .push(format!("{}:{line}: `{name}` (floor {own}) imports `{other}`", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_engine_does_no_io() {
    let mut files = Vec::new();
    rust_files(&root().join("engine/src"), &mut files);
    let forbidden = ["std::fs", "std::net", "std::env", "std::thread", "std::process", "println!", "tokio::"];
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for word in forbidden {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}

/// The tables that lead from a rule of the specs to the test that holds it must not lead astray.
#[test]
fn every_test_that_a_rule_names_exists() {
    let mut files = Vec::new();
    rust_files(&root().join("engine"), &mut files);
    let code: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let mut named = 0;
    for page in ["daimon/mod.rs", "dream/mod.rs", "dream/schedule/mod.rs", "replay/mod.rs"] {
        let text = fs::read_to_string(root().join("engine/src").join(page)).unwrap();
        for row in text.lines().filter(|line| line.starts_with("//! |")) {
            let last = row.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default();
            for test in quoted(last).filter(|name| name.contains('_') && *name != "compile_fail") {
                named += 1;
                assert!(
                    code.contains(&format!("fn {test}(")),
                    "{page} names a test `{test}` that isn't there"
                );
            }
        }
    }
    assert!(named > 50, "the tables name their tests: {named}");
}
