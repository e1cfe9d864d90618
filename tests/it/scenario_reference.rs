//! The pages that are made from the types are up to date.

use crate::common::generated::{Pages, links_to_tables, sections, table_of};
use crate::common::{Program as _, morta};

const RECORD: &str = "MORTA_RECORD=1 cargo test --workspace --test it scenario_reference";

fn schema(flags: &[&str]) -> String {
    morta().arg("schema").args(flags).printed()
}

#[test]
fn the_schema_is_up_to_date() {
    let (path, now) = (crate::common::root().join("scenarios/scenario.schema.json"), schema(&[]));
    if std::env::var_os("MORTA_RECORD").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let same = std::fs::read_to_string(path).is_ok_and(|kept| kept == now);
    assert!(same, "scenarios/scenario.schema.json is out of date: {RECORD}");
}

/// A table of a scenario is described on one page with the tables inside it.
#[test]
fn the_reference_page_is_up_to_date() {
    let page = schema(&["--reference"]);
    let of = |section: &str| table_of(section.split('`').nth(1).unwrap_or_default().trim_matches('['));
    let mut sections = sections(&page, "## ");
    let intro = sections.remove(0);
    let keys = |table: Option<&str>| -> String {
        sections.iter().filter(|section| of(section) == table).copied().collect()
    };
    let links = links_to_tables("scenario-files");
    let first = format!(
        "{intro}## Tables with a page of their own\n\n{links}\nThe other keys are below.\n\n{}",
        keys(None)
    );
    let mut pages = Pages::new("scenario-files", first);
    let tables: std::collections::BTreeSet<&str> =
        sections.iter().filter_map(|section| of(section)).collect();
    for table in tables {
        let head =
            format!("# Scenario files: `{table}`\n\n[How these pages are read](../scenario-files.md)\n\n");
        pages.add(table, head + &keys(Some(table)));
    }
    pages.hold(RECORD);
}

/// Tables of a run and of a sweep have a page each.
#[test]
fn the_data_dictionary_is_up_to_date() {
    let page = schema(&["--tables"]);
    let parts = sections(&page, "# ");
    let [intro, run, sweep] = parts[..] else { panic!("the page has two parts, not {}", parts.len() - 1) };
    let links = "\n- [Tables of a run](tables/run.md)\n- [Tables of a sweep](tables/sweep.md)\n";
    let mut pages = Pages::new("tables", intro.trim_end().to_owned() + "\n" + links);
    pages.add("run", run.to_owned());
    pages.add("sweep", sweep.to_owned());
    pages.hold(RECORD);
}

#[test]
fn the_page_of_sweep_files_is_up_to_date() {
    Pages::new("sweep-files", schema(&["--sweeps"])).hold(RECORD);
}

fn help(command: &[String]) -> String {
    // Lines break at the width of a terminal where there is one, or as COLUMNS says.
    morta().args(command).arg("--help").env_remove("COLUMNS").printed()
}

/// Commands that a help lists, but for `help` itself.
fn commands_in(help: &str) -> Vec<String> {
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !["", "help"].contains(name)).map(str::to_owned).collect()
}

/// Adds what a command says of itself, and commands inside it after it.
fn describe(command: &[String], page: &mut String) {
    let (help, name) = (help(command), format!("morta {}", command.join(" ")));
    let mark = "#".repeat(command.len() + 1);
    *page += &format!("\n{mark} `{name}`\n\n```text\n{}\n```\n", help.trim_end());
    for inner in commands_in(&help) {
        describe(&[command, &[inner]].concat(), page);
    }
}

#[test]
fn the_page_of_flags_is_up_to_date() {
    let mut page = "# Every command and its flags\n\nWhat `--help` says of each command. [Commands](commands.md) is where to begin.\n".to_owned();
    let commands = commands_in(&help(&[]));
    assert!(commands.len() > 15, "{commands:?}");
    commands.into_iter().for_each(|command| describe(&[command], &mut page));
    Pages::new("flags", page).hold(RECORD);
}
