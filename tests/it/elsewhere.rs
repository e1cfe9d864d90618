//! Runs that are looked at from another folder than the one they were lived in, or whose data have been moved.

use crate::common::{Program as _, copy, morta, root};
use std::fs;
use std::path::Path;

fn done(place: &Path, arguments: &[&str]) {
    morta().current_dir(place).args(arguments).printed();
}

#[test]
fn data_are_found_from_any_folder_and_after_they_were_moved() {
    let room = tempfile::tempdir().unwrap();
    let project = room.path().join("project");
    copy(&root().join("sim-data"), &project.join("sim-data"));
    fs::create_dir(project.join("scenarios")).unwrap();
    fs::copy(root().join("scenarios/quickstart.toml"), project.join("scenarios/quickstart.toml")).unwrap();
    let begin = ["run", "scenarios/quickstart.toml", "--ticks", "60", "--out", "runs/x"];
    done(&project, &begin);
    for command in ["verify", "reproduce"] {
        done(room.path(), &[command, "project/runs/x"]);
    }
    let branch = |place: &Path, run: &str, out: &str, more: &[&str]| {
        let set = ["--at", "30", "--set", "golem.max_position_share=0.1", "--out", out];
        done(place, &[&["branch", run], &set[..], more].concat());
    };
    branch(room.path(), "project/runs/x", "branched", &[]);

    fs::rename(project.join("sim-data"), room.path().join("kept")).unwrap();
    for command in ["verify", "reproduce"] {
        morta().current_dir(&project).args([command, "runs/x"]).refused_with(&["--data DIR"]);
        done(&project, &[command, "runs/x", "--data", "../kept"]);
    }
    branch(&project, "runs/x", "again", &["--data", "../kept"]);
    // Other prices under the same name are no repetition of the run.
    let moved = room.path().join("kept");
    let (gold, coin) = (moved.join("xauusd_hour.csv.gz"), moved.join("btcusd_day.csv.gz"));
    let (a, b) = (fs::read(&gold).unwrap(), fs::read(&coin).unwrap());
    fs::write(&gold, b).unwrap();
    fs::write(&coin, a).unwrap();
    morta().current_dir(&project).args(["verify", "runs/x", "--data", "../kept"]).assert().failure();
}
