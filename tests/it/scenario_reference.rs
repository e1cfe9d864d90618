//! The pages that are made from the types are up to date.

use assert_cmd::Command;

fn check(flags: &[&str], file: &str) {
    let output = Command::cargo_bin("morta").unwrap().arg("schema").args(flags).output().unwrap();
    assert!(output.status.success());
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(file);
    let flags = flags.join(" ");
    let same = std::fs::read(path).is_ok_and(|kept| kept == output.stdout);
    assert!(same, "scenarios/{file} is out of date: cargo run -- schema {flags} > scenarios/{file}");
}

#[test]
fn the_schema_is_up_to_date() {
    check(&[], "scenario.schema.json");
}

#[test]
fn the_reference_page_is_up_to_date() {
    check(&["--reference"], "REFERENCE.md");
}

#[test]
fn the_data_dictionary_is_up_to_date() {
    check(&["--tables"], "TABLES.md");
}

#[test]
fn the_page_of_sweep_files_is_up_to_date() {
    check(&["--sweeps"], "SWEEPS.md");
}
