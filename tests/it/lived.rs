//! Every shipped scenario, lived once by each driver for all tests that look at what came of it.

use crate::common::{Program as _, json_of, root, shipped_scenarios};
use crate::coverage::Coverage;
use rayon::prelude::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Enough for deaths, dreams and inheritance in all of them.
const TICKS: [&str; 2] = ["--ticks", "1200"];

pub struct Lived {
    pub scenario: PathBuf,
    /// To its end, or as far as it is recorded where it is made for load tests; by the driver that a user gets.
    pub whole: Life,
    /// What happened in it.
    pub coverage: Coverage,
    /// As long as digests are recorded of, by the plain loop and on more threads than there are elsewhere.
    pub recorded: [Life; 2],
}

/// What a driver has left.
pub struct Life {
    pub flags: Vec<&'static str>,
    /// What `--json` says.
    pub told: Value,
    /// Names and hashes of its files.
    pub files: Value,
}

/// The program; `MORTA_PROGRAM` is another build of it.
pub fn program() -> Command {
    let path = std::env::var_os("MORTA_PROGRAM")
        .map_or_else(|| assert_cmd::cargo::cargo_bin("morta"), PathBuf::from);
    let mut command = Command::new(path);
    command.current_dir(root());
    command
}

fn live(scenario: &Path, out: &Path, flags: Vec<&'static str>) -> Life {
    let told = program().arg("run").arg(scenario).arg("--out").arg(out).arg("--json").args(&flags).json();
    let manifest = json_of(&out.join("manifest.json"));
    Life { flags, told, files: manifest["files"].clone() }
}

fn lived(scenario: PathBuf) -> Lived {
    let room = tempfile::tempdir().unwrap();
    let events = ["--set", "record.events=true"];
    // What a load test asks in thirty thousand ticks would cost as much as all the others, and shows no more.
    let asked = if scenario.parent().is_some_and(|of| of.ends_with("load")) { &TICKS[..] } else { &[] };
    let whole = live(&scenario, &room.path().join("whole"), [asked, &events].concat());
    let coverage = Coverage::of_run(&room.path().join("whole"), &scenario);
    // The README shows the digest of the whole quickstart; what is on a cassette is no longer than it was recorded.
    let is_whole = ["quickstart.toml", "real-mind.toml"].iter().any(|name| scenario.ends_with(name));
    let ticks = if is_whole { &[][..] } else { &TICKS };
    let recorded = [&["--plain"][..], &["--threads", "8"]]
        .map(|driver| live(&scenario, &room.path().join(driver.join("")), [ticks, driver].concat()));
    program().arg("inspect").arg(room.path().join("whole")).arg("lives").printed();
    Lived { scenario, whole, coverage, recorded }
}

static SHIPPED: LazyLock<Vec<Lived>> =
    LazyLock::new(|| shipped_scenarios().into_par_iter().with_max_len(1).map(lived).collect());

/// All of them, in the order of their files.
pub fn shipped() -> &'static [Lived] {
    &SHIPPED
}
