//! `morta run --follow`: what happens, told as it happens, and never to the run's cost.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;

use common::{morta, scenario};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Rich dreams, deaths and successors who draw bloodstains, in a world of seconds.
const WORLD: &str = "scenarios/hardened.toml";

fn follow(out: &Path, flags: &[&str]) -> Vec<Value> {
    let mut command = Command::new(morta());
    command.args(["run", WORLD, "--ticks", "700", "--follow", "--out"]).arg(out).args(flags);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
