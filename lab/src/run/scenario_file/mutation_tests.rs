//! Whatever a file holds, the loader answers with a scenario or with lines for the user (mutation fuzzing, robustness). A panic would show
//! a user the inside of the program in place of the mistake.

use super::{Overrides, load};
use crate::io::error::Error;
use crate::run::laboratory::Laboratory;
use proptest::prelude::*;

const SCENARIO: &str = include_str!("mutant.toml");

/// One change to a file.
#[derive(Clone, Debug)]
enum Mutation {
    Delete(prop::sample::Index),
    Duplicate(prop::sample::Index, prop::sample::Index),
    /// What follows the first `=` of a line becomes this.
    Value(prop::sample::Index, String),
    /// What precedes it becomes this.
    Key(prop::sample::Index, String),
    Line(prop::sample::Index, String),
    Bytes(prop::sample::Index, Vec<u8>),
}

fn value() -> impl Strategy<Value = String> {
    let odd = [
        "0", "-1", "1e308", "-1e308", "nan", "-inf", "9223372036854775807", "99999999999999999999",
        "4294967296", "0.5", "true", "\"\"", "\"oracle\"", "\"text\"", "[]", "[1]", "[[]]", "{}",
        "{ kind = 3 }", "2020-01-01", "1e-320", "\"2020-13-40\"", "\"../nowhere\"", "\"\\u0000\\n\"",
    ];
    prop_oneof![
        4 => prop::sample::select(odd.to_vec()).prop_map(str::to_owned),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_map(|number| format!("{number:e}")),
        1 => "\\PC{0,12}",
    ]
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<prop::sample::Index>;
    let key = "[a-zA-Z_.\"-]{0,10}";
    let line = prop_oneof![
        (key, value()).prop_map(|(key, value)| format!("{key} = {value}")),
        key.prop_map(|key| format!("[{key}]")),
        key.prop_map(|key| format!("[[{key}]]")),
    ];
    prop_oneof![
        1 => at().prop_map(Mutation::Delete),
        1 => (at(), at()).prop_map(|(from, to)| Mutation::Duplicate(from, to)),
        4 => (at(), value()).prop_map(|(at, value)| Mutation::Value(at, value)),
        1 => (at(), key).prop_map(|(at, key)| Mutation::Key(at, key)),
        1 => (at(), line).prop_map(|(at, line)| Mutation::Line(at, line)),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..4)).prop_map(|(at, bytes)| Mutation::Bytes(at, bytes)),
    ]
}

fn mutated(mutations: &[Mutation]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = SCENARIO.lines().map(|line| line.as_bytes().to_vec()).collect();
    for mutation in mutations {
        let count = lines.len().max(1);
        lines.resize(count, Vec::new());
        match mutation {
            Mutation::Delete(at) => drop(lines.remove(at.index(count))),
            Mutation::Duplicate(from, to) => lines.insert(to.index(count), lines[from.index(count)].clone()),
            Mutation::Line(at, line) => lines.insert(at.index(count), line.clone().into_bytes()),
            Mutation::Value(at, value) => {
                let line = &mut lines[at.index(count)];
                let end = line.iter().position(|byte| *byte == b'=').map_or(line.len(), |equals| equals + 1);
                line.truncate(end);
                line.extend(value.bytes());
            }
            Mutation::Key(at, key) => {
                let line = &mut lines[at.index(count)];
                let equals = line.iter().position(|byte| *byte == b'=').unwrap_or(0);
                line.splice(..equals, key.bytes());
            }
            Mutation::Bytes(at, bytes) => {
                let line = &mut lines[at.index(count)];
                let middle = line.len() / 2;
                line.splice(middle..middle, bytes.iter().copied());
            }
        }
    }
    lines.join(&b'\n')
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row =
        |hour: u32| format!("2020-01-{:02}T{:02}:00:00Z,1500,1510,1490,1505\n", 1 + hour / 24, hour % 24);
    let rows: String = (0..100).map(row).collect();
    std::fs::write(folder.path().join("gold.csv"), format!("time_utc,open,high,low,close\n{rows}")).unwrap();
    folder
}

fn outcome(folder: &tempfile::TempDir, text: &[u8], set: Vec<String>) -> Result<(), Vec<String>> {
    let path = folder.path().join("mutant.toml");
    std::fs::write(&path, text).unwrap();
    let loaded = load(&path, &Overrides { set, ..Overrides::default() }, &Laboratory::default())
        .and_then(|loaded| loaded.plan());
    match loaded {
        Ok(_) => Ok(()),
        Err(Error::Invalid(lines)) => Err(lines),
        Err(error) => panic!("not a mistake of the user's: {}", error.in_full()),
    }
}

#[test]
fn the_file_that_is_mutated_is_valid() {
    assert_eq!(outcome(&folder(), SCENARIO.as_bytes(), vec![]), Ok(()));
}

#[test]
fn depth_beyond_reason_is_a_mistake_not_a_stack_overflow() {
    let dotted = format!("{}a = 1", "a.".repeat(100_000));
    let listed = format!("a = {}", "[".repeat(100_000));
    for text in [dotted, listed] {
        assert!(outcome(&folder(), text.as_bytes(), vec![]).is_err());
        let (_, value) = text.split_once("= ").unwrap();
        assert!(
            outcome(&folder(), SCENARIO.as_bytes(), vec![format!("seed={value}"), text.clone()]).is_err()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_file_is_read_or_refused_in_whole_lines(
        mutations in prop::collection::vec(mutation(), 1..5),
        set in prop::collection::vec("(market|cohorts|seed|dream)(\\.[a0.-]{0,4})?=?\\PC{0,5}", 0..2),
    ) {
        let lines = outcome(&folder(), &mutated(&mutations), set).err().unwrap_or_default();
        for line in lines {
            prop_assert!(!line.is_empty() && !line.contains(['\n', '\r']), "{line:?}");
        }
    }
}
