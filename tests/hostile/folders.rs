//! What runs and sweeps leave, and what is read of it again: manifests, tables, checkpoints, cassettes, Lethes, plans, archives, cells.

use super::common::{LEAVING, Program as _, cut_off, edit_json, morta, root};
use super::kind::Kind;
use super::mutate::Shape;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use morta_lab::Laboratory;
use morta_lab::cassette::Cassette;
use morta_lab::checkpoint::{self, Checkpoint};
use morta_lab::inspect::{lethe, lives};
use morta_lab::provenance::Build;
use morta_lab::report::ReportPage;
use morta_lab::run_folder::{FinishedRun, Life, Trade};
use morta_lab::sweep_run::units::{Share, UnitPlan};
use morta_lab::table::{RowReader, TableRow};
use morta_lab::{Error, RunFolder, Sweep, SweepOptions, analyse};
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A short run with deaths, dreams, trades and a Lethe.
pub fn run(out: &Path) {
    let set = ["--ticks", "600", "--set", "cohorts.bardo.golems=4", "--set", "cohorts.none.golems=2"];
    let more = ["--set", "cohorts.oracle.golems=1", "--set", "mortality.hazard_scale=1000", "--json"];
    let scenario = root().join("scenarios/quickstart.toml");
    let told = morta().arg("run").arg(scenario).arg("--out").arg(out).args(set).args(more).json();
    // A sample without content would be refused as well as any other, and nothing tried.
    for what in ["episodes", "dreams", "bloodstains_left"] {
        assert!(told[what].as_u64() > Some(0), "{what}: {told}");
    }
}

/// A Lethe of two runs.
fn lethe_of_two(room: &Path) {
    fs::write(room.join("leaving.toml"), LEAVING).unwrap();
    for seed in ["11", "12"] {
        let mut run = morta();
        run.arg("run").arg(room.join("leaving.toml")).args(["--seed", seed, "--json", "--out"]);
        run.arg(room.join(seed)).arg("--lethe").arg(room.join("lethe")).assert().success();
    }
}

/// A run that was killed, with its checkpoint; made one of this very program, which is the one that reads it here.
fn cut(out: &Path) {
    let cohorts = "cohorts=[{name=\"a\",golems=2,memory=\"bardo\"}]";
    let begin = ["run", "scenarios/synthetic.toml", "--checkpoint-every", "20", "--ticks", "100000"];
    cut_off(&[&begin[..], &["--set", cohorts]].concat(), out, "checkpoint/events-2.bin.gz");
    edit_json(&out.join("checkpoint/plan.json"), |plan| {
        plan["build"] = serde_json::to_value(Build::this()).unwrap();
    });
}

/// Without files of prices, so that a sweep's folder can be moved.
pub const WORLD: &str = "name = \"small\"\nseed = 1\nticks = 30\n[[cohorts]]\nname = \"a\"\ngolems = 3\nmemory = \"bardo\"\n\
    [[market.assets]]\nsymbol = \"ETH\"\nsource = { kind = \"synthetic\" }\n";

const SWEEP: &str = "name = \"small\"\nscenario = \"scenario.toml\"\nseeds = { first = 1, count = 3 }\n[set]\nticks = 30\n\
    [[arms]]\nname = \"one\"\n[[arms]]\nname = \"two\"\nset = { golem.exploration_rate = 0.4 }\n";

fn sweep_files(room: &Path) {
    fs::create_dir_all(room).unwrap();
    fs::write(room.join("scenario.toml"), WORLD).unwrap();
    fs::write(room.join("sweep.toml"), SWEEP).unwrap();
}

/// The files of a sweep in a folder, and what it leaves below it.
fn sweep(room: &Path) {
    sweep_files(room);
    let mut command = morta();
    command.arg("sweep").arg(room.join("sweep.toml")).arg("--out").arg(room.join("out"));
    command.arg("--json").assert().success();
}

/// The same with two units of several, lived by this program: a plan is of the build that wrote it.
fn sweep_in_units(room: &Path) {
    sweep_files(room);
    let (sweep, out) = (Sweep::read(&room.join("sweep.toml")).unwrap(), room.join("out"));
    fs::create_dir_all(&out).unwrap();
    sweep.plan_units(&out, Duration::from_nanos(1)).unwrap();
    for unit in [0, 1] {
        sweep.run_share(&out, &Share::Unit(unit), SweepOptions::default()).unwrap();
    }
}

fn shape_of_run(name: &str) -> Option<Shape> {
    match name {
        name if name.starts_with("lethe/") || name.ends_with(".gz") => None,
        name if name.ends_with(".parquet") => Some(Shape::Binary),
        _ => Some(Shape::Text),
    }
}

fn all_rows<T: TableRow>(path: &Path) -> Result<(), Error> {
    RowReader::<T>::open(path)?.all().map(drop)
}

/// Everything but the event log, which is read of the tables alone.
fn look_into(run: &FinishedRun) -> Result<(), Error> {
    lives::look(run, 40)?;
    run.trades()?.all()?;
    run.dreams()?.all()?;
    run.replays()?.all()?;
    run.rules()?.all()?;
    run.ticks()?.all()?;
    run.events()?.all().map(drop)
}

/// A state with its hash put right again: what stands behind the hash must bear more than chance does to it.
fn look_at_resealed(room: &Path) -> Result<(), Error> {
    let body = fs::read(room.join("body")).unwrap();
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&body).unwrap();
    let body = packed.finish().unwrap();
    let path = room.join("state.bin");
    fs::write(&path, [&b"MORTA-CP1\n"[..], blake3::hash(&body).as_bytes(), &body].concat()).unwrap();
    checkpoint::read(&path).map(drop)
}

fn unsealed(state: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    ZlibDecoder::new(&state[10 + 32..]).read_to_end(&mut body).unwrap();
    body
}

/// A cassette of the first calls of the shipped one.
fn cassette() -> String {
    let text = fs::read_to_string(root().join("scenarios/real-mind.cassette.jsonl")).unwrap();
    text.lines().take(6).map(|line| format!("{line}\n")).collect()
}

/// What a Lethe is told to hold: all of it, or a word of what isn't there.
fn look_at_lethe(room: &Path, sound: &serde_json::Value) -> Result<(), Error> {
    let view = serde_json::to_value(lethe::look(room, 10)?)?;
    let is_harmed = view["losses"].as_array().is_some_and(|losses| !losses.is_empty());
    assert!(
        is_harmed || view["bloodstains"] == sound["bloodstains"],
        "bloodstains are missed in silence: {view}"
    );
    Ok(())
}

/// Results come of cells as they were written, and of no others. (Whoever changes nothing but the blanks at the end has changed nothing.)
fn look_at_sweep(room: &Path, sound: &[(PathBuf, Vec<u8>)]) -> Result<(), Error> {
    analyse(&room.join("out"), &Laboratory::default())?;
    for (name, written) in sound {
        let is_written = fs::read(room.join(name))?.trim_ascii_end() == written.trim_ascii_end();
        assert!(is_written, "{} was changed, and its figures are shown", name.display());
    }
    Ok(())
}

/// The files of cells below a folder, by their names there.
fn cells(room: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let folders = fs::read_dir(room.join("out/cells")).unwrap();
    let name = |entry: fs::DirEntry| Path::new("out/cells").join(entry.file_name()).join("cell.json");
    let cells = folders.map(|entry| name(entry.unwrap())).filter(|name| room.join(name).exists());
    cells.map(|name| (name.clone(), fs::read(room.join(name)).unwrap())).collect()
}

pub fn kinds() -> Vec<Kind> {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    let (lived, killed, local, units) =
        (room.join("run"), room.join("cut"), room.join("local"), room.join("units"));
    run(&lived);
    cut(&killed);
    sweep(&local);
    sweep_in_units(&units);
    lethe_of_two(room);
    let held = serde_json::to_value(lethe::look(&room.join("lethe"), 10).unwrap()).unwrap();
    assert!(held["bloodstains"].as_u64() > Some(5), "{held}");
    let written = cells(&local);
    assert_eq!(written.len(), 6);
    let state = fs::read(killed.join("checkpoint/state.bin")).unwrap();
    let table = |name: &str| fs::read(lived.join(name)).unwrap();
    vec![
        Kind::new("run-folder", |room| {
            let run = RunFolder::open(room)?;
            look_into(&run)?;
            match run.lethe_harm() {
                Some(harm) => Err(Error::failed(harm)),
                None => Ok(()),
            }
        })
        .folder(&lived, shape_of_run),
        Kind::new("run-report", |room| ReportPage::from_folder(room).map(drop)).folder(&lived, |name| {
            matches!(name, "manifest.json" | "lives.parquet").then(|| shape_of_run(name)).flatten()
        }),
        // Past the hashes of the manifest, as a folder that somebody has made to do harm would be.
        Kind::new("run-tables", |room| {
            all_rows::<Life>(&room.join("lives.parquet"))?;
            all_rows::<Trade>(&room.join("trades.parquet"))
        })
        .hostile("lives.parquet", Shape::Binary, table("lives.parquet"))
        .hostile("trades.parquet", Shape::Binary, table("trades.parquet")),
        Kind::new("checkpoint", |room| {
            let (found, _) = Checkpoint::find(room)?;
            let (state, _) =
                checkpoint::read(&found.state_path())?.ok_or_else(|| Error::failed("no state"))?;
            found.log().replay(state.intervals, |_| Ok(()))
        })
        .folder(&killed.join("checkpoint"), |name| {
            Some(if name == "plan.json" { Shape::Text } else { Shape::Binary })
        })
        .below("checkpoint")
        .writing(),
        Kind::new("checkpoint-resealed", look_at_resealed).hostile("body", Shape::Binary, unsealed(&state)),
        Kind::of_file("cassette", "cassette.jsonl", Shape::Text, cassette(), |file| {
            let cassette = Cassette::read(file)?;
            cassette.listing();
            cassette.content();
            Ok(())
        }),
        Kind::new("lethe", move |room| look_at_lethe(room, &held))
            .folder(&room.join("lethe"), |_| Some(Shape::Binary))
            .writing(),
        Kind::new("sweep-folder", move |room| look_at_sweep(room, &written)).folder(&local, |name| {
            let is_cell = name.contains("/cells/") || name.ends_with("sweep.json");
            is_cell.then(|| shape_of_run(name)).flatten()
        }),
        Kind::new("sweep-units", |room| {
            let out = room.join("out");
            UnitPlan::read(&out)?;
            let sweep = Sweep::read(&room.join("sweep.toml"))?;
            sweep.collect(&out, true, Duration::from_secs(3_600)).map(drop)
        })
        .folder(&units, |name| match name {
            "out/plan.json" => Some(Shape::Text),
            name => name.ends_with(".tar").then_some(Shape::Binary),
        })
        .writing(),
    ]
}
