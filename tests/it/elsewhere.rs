//! Runs that are looked at from another folder than the one they were lived in, or whose data have been moved.

use crate::common::{Program as _, morta, root};
use std::fs;
use std::path::Path;

fn from(place: &Path, arguments: &[&str]) -> (i32, String) {
    let (code, out, err) = morta().current_dir(place).args(arguments).ended();
    (code, out + &err)
}

#[test]
fn data_are_found_from_any_folder_and_after_they_were_moved() {
    let room = tempfile::tempdir().unwrap();
    let project = room.path().join("project");
    for folder in ["scenarios", "sim-data"] {
        fs::create_dir_all(project.join(folder)).unwrap();
    }
    fs::copy(root().join("scenarios/quickstart.toml"), project.join("scenarios/quickstart.toml")).unwrap();
    for entry in fs::read_dir(root().join("sim-data")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, project.join("sim-data").join(path.file_name().unwrap())).unwrap();
    }
    let begin = ["run", "scenarios/quickstart.toml", "--ticks", "60", "--out", "runs/x"];
    let (code, said) = from(&project, &begin);
    assert_eq!(code, 0, "{said}");
    for command in ["verify", "reproduce"] {
        let (code, said) = from(room.path(), &[command, "project/runs/x"]);
        assert_eq!(code, 0, "{command}: {said}");
    }
    let branch = |place: &Path, run: &str, out: &str, more: &[&str]| {
        let set = ["--at", "30", "--set", "golem.max_position_share=0.1", "--out", out];
        from(place, &[&["branch", run], &set[..], more].concat())
    };
    let (code, said) = branch(room.path(), "project/runs/x", "branched", &[]);
    assert_eq!(code, 0, "{said}");

    fs::rename(project.join("sim-data"), room.path().join("kept")).unwrap();
    for command in ["verify", "reproduce"] {
        let (code, said) = from(&project, &[command, "runs/x"]);
        assert!(code == 2 && said.contains("--data DIR"), "{command}: {said}");
        let (code, said) = from(&project, &[command, "runs/x", "--data", "../kept"]);
        assert_eq!(code, 0, "{command}: {said}");
    }
    let (code, said) = branch(&project, "runs/x", "again", &["--data", "../kept"]);
    assert_eq!(code, 0, "{said}");
    // Other prices under the same name are no repetition of the run.
    let moved = room.path().join("kept");
    let prices = fs::read_dir(&moved).unwrap().map(|entry| entry.unwrap().path());
    let (gold, coin) = (moved.join("xauusd_hour.csv.gz"), moved.join("btcusd_day.csv.gz"));
    assert!(prices.into_iter().any(|path| path == gold));
    let (a, b) = (fs::read(&gold).unwrap(), fs::read(&coin).unwrap());
    fs::write(&gold, b).unwrap();
    fs::write(&coin, a).unwrap();
    let (code, said) = from(&project, &["verify", "runs/x", "--data", "../kept"]);
    assert!(code != 0, "{said}");
}
