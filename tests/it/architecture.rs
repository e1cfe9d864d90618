//! ARCHITECTURE.md and the README of each crate must be true: their paths exist, and rooms import from lower floors only.

use crate::common::{files_of, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the repository.
fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// ARCHITECTURE.md, which has the floors of crates, and the page of each crate, which has the floors of its rooms.
fn pages() -> Vec<String> {
    let crates = CRATES_WITH_ROOMS.iter().map(|home| read(Path::new(home).join("README.md")));
    [read("ARCHITECTURE.md")].into_iter().chain(crates).collect()
}

/// Texts between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_path_it_names_exists() {
    let page = pages().concat() + &read("engine/DECISIONS.md");
    let tops = [
        "base/", "stats/", "memories/", "engine/", "actors/", "lab/", "load/", "replications/", "console/",
        "tools/", "python/", "src/", "tests/", "benches/", "scenarios/", "sim-data/", "docs/",
    ];
    let paths: Vec<&str> =
        quoted(&page).filter(|text| tops.iter().any(|top| text.starts_with(top))).collect();
    assert!(paths.len() > 20, "the page names its places");
    let missing: Vec<&&str> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(
        missing.is_empty(),
        "ARCHITECTURE.md, or the README of a crate, names what isn't there: {missing:?}"
    );
}

/// Where the code of a crate is: the folder that its quoted paths begin with, without the slash; empty for the root.
type Home = String;

/// The floors that the pages' tables give: rows of `| floor | paths | ...`, one table for the crates and one for the rooms of each crate.
#[derive(Default)]
struct Floors {
    crates: BTreeMap<Home, u32>,
    rooms: BTreeMap<Home, BTreeMap<String, u32>>,
}

fn floors() -> Floors {
    let mut floors = Floors::default();
    for line in pages().iter().flat_map(|page| page.lines()) {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (Some(floor), Some(paths)) = (cells.next(), cells.next()) else { continue };
        let Ok(floor) = floor.parse::<u32>() else { continue };
        for path in quoted(paths) {
            if let Some(folder) = path.strip_suffix('/') {
                let home = if folder == "src" { "" } else { folder };
                floors.crates.insert(home.to_owned(), floor);
            } else if let Some((home, room)) = path.split_once("src/") {
                let room = room.trim_end_matches(".rs").to_owned();
                floors.rooms.entry(home.trim_end_matches('/').to_owned()).or_default().insert(room, floor);
            }
        }
    }
    floors
}

/// The sources below a folder of the repository.
pub(crate) fn rust_files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    files_of(&root().join(folder), "rs")
}

/// The code of a file, without comments.
fn code_of(file: &Path) -> String {
    without_comments(&read(file))
}

/// The code without its comments, which may name whom they like. Lines stay where they are.
fn without_comments(text: &str) -> String {
    let lines: Vec<&str> =
        text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect();
    lines.join("\n")
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The first names in a group of imports, `a::b, c::{d, e}`, up to the brace that ends it.
fn first_names(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, sign) in group.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(first_word(group[start..at].trim_start()));
                start = at + 1;
                if sign == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// Names that come after a path in the code, `path::name` or `path::{name, name}`, with their lines.
fn names_in<'a>(code: &'a str, path: &str) -> impl Iterator<Item = (usize, &'a str)> {
    code.match_indices(path).flat_map(move |(at, prefix)| {
        let names = names_at(&code[at + prefix.len()..]);
        names.into_iter().map(move |name| (line_of(code, at), name))
    })
}

fn names_at(code: &str) -> Vec<&str> {
    code.strip_prefix('{').map_or_else(|| vec![first_word(code)], first_names)
}

/// Rooms named as `crate::room`, `crate::{room, room}` or `crate::floor::room`, with their lines. Of the last, both `floor` and `floor/room`
/// are given.
fn imports(code: &str) -> impl Iterator<Item = (usize, String)> {
    code.match_indices("crate::").flat_map(move |(at, prefix)| {
        let rest = &code[at + prefix.len()..];
        let first = names_at(rest);
        let second = rest[first[0].len()..].strip_prefix("::").map_or_else(Vec::new, names_at);
        let second: Vec<String> = second.iter().map(|name| format!("{}/{name}", first[0])).collect();
        first.into_iter().map(str::to_owned).chain(second).map(move |room| (line_of(code, at), room))
    })
}

#[test]
fn imports_are_found_in_every_form() {
    let code = without_comments(
        "use crate::a::b;\n// crate::c\nuse crate::{\n    d,\n    e::{f, g},\n};\nfn h() -> crate::i {}\nuse crate::j::{k, l};",
    );
    let found: Vec<(usize, String)> = imports(&code).filter(|(_, room)| !room.is_empty()).collect();
    let expected = [(1, "a"), (1, "a/b"), (3, "d"), (3, "e"), (7, "i"), (8, "j"), (8, "j/k"), (8, "j/l")];
    assert_eq!(found, expected.map(|(line, room)| (line, room.to_owned())));
}

/// The rooms of a crate with their files: folders and files, but for the file that holds them all. A folder whose rooms have floors of their
/// own isn't one room but as many.
fn rooms_of(home: &str, has_rooms: &impl Fn(&str) -> bool) -> Vec<(String, Vec<PathBuf>)> {
    let mut rooms = Vec::new();
    collect_rooms(&root().join(home).join("src"), "", has_rooms, &mut rooms);
    rooms
}

fn collect_rooms(
    folder: &Path,
    within: &str,
    has_rooms: &impl Fn(&str) -> bool,
    rooms: &mut Vec<(String, Vec<PathBuf>)>,
) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = format!("{within}{}", path.file_stem().unwrap().to_str().unwrap());
        let mut files = Vec::new();
        if path.is_dir() && has_rooms(&name) {
            collect_rooms(&path, &format!("{name}/"), has_rooms, rooms);
        } else if path.is_dir() {
            files = rust_files(&path);
        } else if !["lib", "main"].contains(&name.as_str()) && !name.ends_with("/mod") {
            files.push(path);
        }
        if !files.is_empty() {
            rooms.push((name, files));
        }
    }
}

/// All but those of one room: the root, of which nobody imports, and `python/`, which is glue.
const CRATES_WITH_ROOMS: [&str; 10] =
    ["base", "stats", "memories", "engine", "replications", "actors", "lab", "load", "console", "tools"];

/// What a crate re-exports at its top is for other crates: a room that imports from there imports from above.
#[test]
fn no_room_imports_from_the_top_of_its_crate() {
    let mut wrong = Vec::new();
    for home in CRATES_WITH_ROOMS {
        for (_, files) in rooms_of(home, &|_| false) {
            for file in files {
                let code = code_of(&file);
                let from_the_top = imports(&code).filter(|(_, name)| name.starts_with(char::is_uppercase));
                wrong.extend(
                    from_the_top.map(|(line, name)| format!("{}:{line}: crate::{name}", file.display())),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rooms_import_from_lower_floors_only() {
    let floors = floors();
    for home in CRATES_WITH_ROOMS {
        assert!(floors.rooms.contains_key(home), "ARCHITECTURE.md has no table of floors for `{home}`");
    }
    let mut wrong = Vec::new();
    for (home, floors) in &floors.rooms {
        let has_rooms = |name: &str| {
            !floors.contains_key(name) && floors.keys().any(|room| room.starts_with(&format!("{name}/")))
        };
        for (name, files) in rooms_of(home, &has_rooms) {
            let own =
                *floors.get(&name).unwrap_or_else(|| panic!("{home}/README.md gives `{name}` no floor"));
            for file in files {
                let code = code_of(&file);
                // A test may live in a whole world to see one part of it.
                let code = code.split("#[cfg(test)]\nmod ").next().unwrap();
                for (line, other) in imports(code) {
                    if other != name && floors.get(&other).is_some_and(|floor| *floor >= own) {
                        wrong.push(format!(
                            "{}:{line}: `{name}` (floor {own}) imports `{other}`",
                            file.display()
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Others implement the contract: it, and the vocabulary beside it, know neither a memory nor what the shipped ones are made of.
#[test]
fn the_contract_of_memories_imports_no_memory() {
    let room = Path::new("engine/src/memory");
    let folders = ["contract", "legacy"].iter().flat_map(|folder| rust_files(room.join(folder)));
    let mut wrong = Vec::new();
    for file in folders.chain([room.join("inheritance.rs")]) {
        let code = code_of(&file);
        // What a macro names is named where it is used.
        let code = code.replace("$crate::", "");
        let vocabulary = ["contract", "inheritance", "legacy"];
        let named = names_in(&code, "crate::memory::").chain(names_in(&code, "super::super::"));
        let others = named.filter(|(_, name)| !vocabulary.contains(name));
        wrong.extend(others.map(|(line, name)| format!("{}:{line}: memory::{name}", file.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the manifests of the workspace call a crate.
fn package(home: &str) -> String {
    format!("morta-{home}")
}

fn manifest(home: &str) -> toml::Table {
    read(Path::new(home).join("Cargo.toml")).parse().unwrap()
}

/// The crates of the workspace that a crate's own manifest names, for its code or for its tests alone.
fn dependencies(home: &str, table: &str) -> Vec<String> {
    let manifest = manifest(home);
    let named = manifest.get(table).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
    named.filter_map(|name| name.strip_prefix("morta-")).map(str::to_owned).collect()
}

#[test]
fn crates_import_from_lower_floors_only() {
    let floors = floors().crates;
    let workspace = manifest("");
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let without: Vec<_> =
        members.iter().filter(|member| !floors.contains_key(member.as_str().unwrap())).collect();
    assert!(without.is_empty(), "ARCHITECTURE.md gives these crates no floor: {without:?}");
    let mut wrong = Vec::new();
    for (home, own) in &floors {
        for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let above = dependencies(home, table).into_iter().filter(|other| floors[other] >= *own);
            wrong.extend(above.map(|other| {
                format!("`{home}` (floor {own}) names {} as one of its {table}", package(&other))
            }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A first build of `morta` compiles neither SQLite nor MCP, and of whoever knows no world nobody below can come to know one.
#[test]
fn who_stands_aside_is_imported_by_nobody_below() {
    let importers = |of: &str| -> Vec<String> {
        let homes = floors().crates.into_keys();
        homes.filter(|home| dependencies(home, "dependencies").iter().any(|other| other == of)).collect()
    };
    assert_eq!(importers("stats"), ["", "lab", "python", "replications", "tools"]);
    assert_eq!(importers("load"), [""]);
    assert!(importers("tools").is_empty());
    for home in floors().crates.keys().filter(|home| *home != "tools") {
        let manifest = manifest(home);
        for heavy in ["rmcp", "rusqlite"] {
            let named = manifest.get("dependencies").is_some_and(|table| table.get(heavy).is_some());
            assert!(!named, "`{home}` names {heavy}, which only tools/ may");
        }
    }
}

/// Every crate that a manifest names is used: what is named and unused still has to be built first.
#[test]
fn what_a_manifest_names_is_used() {
    let mut idle = Vec::new();
    for home in floors().crates.keys() {
        let folders = ["src", "tests", "benches", "examples"].map(|part| root().join(home).join(part));
        let files = folders.iter().filter(|folder| folder.exists()).flat_map(rust_files);
        let code: String = files.map(|file| code_of(&file)).collect();
        let named = ["dependencies", "dev-dependencies"].map(|table| dependencies(home, table)).concat();
        let unused = named.into_iter().filter(|other| !code.contains(&format!("morta_{other}::")));
        idle.extend(unused.map(|other| format!("`{home}` names {} and doesn't use it", package(&other))));
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

/// Fails where the files of these folders, read so, have one of these words.
fn assert_unused(words: &[&str], folders: &[&str], read: impl Fn(&Path) -> String) {
    for file in folders.iter().flat_map(rust_files) {
        let text = read(&file);
        for word in words {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}

/// The engine, all below it, and the generator of a load are functions of what they are given.
#[test]
fn the_domain_does_no_io() {
    let domain =
        ["base/src", "stats/src", "memories/src", "engine/src", "replications/src", "load/src/generator"];
    let forbidden = ["std::fs", "std::net", "std::env", "std::thread", "std::process", "println!", "tokio::"];
    assert_unused(&forbidden, &domain, |file| read(file));
}

/// What a process holds in common can't change a result: each such thing is a row of the page, with what it is for.
#[test]
fn nothing_is_held_in_common_but_what_the_page_lists() {
    let page = read("ARCHITECTURE.md");
    let section = page.split_once("### What a process holds in common").expect("the page has the section").1;
    let rows = section.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("| `"));
    let listed: BTreeSet<String> =
        rows.flat_map(|row| quoted(row.split('|').nth(1).unwrap()).map(str::to_owned)).collect();
    let mut found = BTreeSet::new();
    for home in floors().crates.keys().filter(|home| !["tests", "benches"].contains(&home.as_str())) {
        let files = rust_files(Path::new(home).join("src"));
        for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
            let code = code_of(file);
            // What follows is compiled for tests alone.
            let code = code.split("#[cfg(test)]\nmod ").next().unwrap();
            let names = code.lines().filter_map(|line| {
                let (before, after) = line.trim_start().split_once("static ")?;
                let is_declared = ["", "pub", "pub(crate)", "pub(super)"].contains(&before.trim_end());
                is_declared.then(|| first_word(after).to_owned())
            });
            found.extend(names.filter(|name| name.starts_with(char::is_uppercase)));
        }
    }
    assert_eq!(found, listed);
}

/// Only the command line prints, draws and reads flags: what the laboratory has to say it returns, or logs.
#[test]
fn the_laboratory_prints_nothing() {
    let forbidden = ["println!", "print!(", "indicatif", "clap", "process::exit"];
    assert_unused(&forbidden, &["lab/src", "load/src"], code_of);
}

/// The command line computes nothing, so it needs none of the crates that results are made of, and reads no files.
#[test]
fn the_command_line_reads_no_tables() {
    assert_unused(&["parquet::", "csv::", "World::", "quantile("], &["src"], code_of);
    assert_unused(&["File::open", "fs::read", "stdin()", "serde_json::from_", "toml::"], &["src"], code_of);
}

/// The tables that lead from a rule of the specs to the test that holds it must not lead astray.
#[test]
fn every_test_that_a_rule_names_exists() {
    let code: String = ["base", "engine", "memories"].iter().flat_map(rust_files).map(read).collect();
    let mut named = 0;
    for page in ["daimon/mod.rs", "dream/mod.rs", "dream/schedule/mod.rs", "replay/mod.rs"] {
        let text = read(Path::new("engine/src").join(page));
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
