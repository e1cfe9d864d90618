//! `morta watch`: looked at from outside, by friends and others. The page itself is tried in a browser by `tests/live_view`.

use crate::common::{Program as _, Text as _, cut_off, manifest, morta, process, replace_in, wait_until};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A world that is watched; killed if the test ends before it does.
struct Watched {
    process: Child,
    /// Where it listens.
    address: String,
    /// What comes after the path of its URL.
    query: String,
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Watched {
    fn new(what: &Path, flags: &[&str]) -> Self {
        let mut command = process(&["watch"]);
        command.arg(what).args(flags).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().last().unwrap().strip_prefix("http://").unwrap();
        let (address, query) = url.split_once('/').unwrap();
        Self { process, address: address.to_owned(), query: query.to_owned() }
    }

    fn quickstart(out: &Path, flags: &[&str]) -> Self {
        let out = out.to_str().unwrap();
        let flags = [&["--ticks", "400", "--out", out], flags].concat();
        Self::new(Path::new("scenarios/quickstart.toml"), &flags)
    }

    /// The quickstart's world in a folder of a room, both of which are returned before it.
    fn in_room(flags: &[&str]) -> (TempDir, PathBuf, Self) {
        let room = tempfile::tempdir().unwrap();
        let run = room.path().join("run");
        let watched = Self::quickstart(&run, flags);
        (room, run, watched)
    }

    fn connect(&self) -> TcpStream {
        let port = self.address.rsplit(':').next().unwrap();
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// The status and the rest of what is answered to a request: its first line, other headers than Host, and a body.
    fn ask(&self, first: &str, host: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let length = body.len();
        let request = format!(
            "{first} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // A server that refuses may close before all was sent.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
        (status, answer)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path}"), &self.address, "", "")
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        self.ask(&format!("POST {path}"), &self.address, "Content-Type: application/json\r\n", body)
    }

    /// Lets so many ticks be lived, until a viewer is told that the world is at this one.
    fn step(&self, ticks: u64, viewer: &mut BufReader<TcpStream>, tick: u64) {
        assert_eq!(self.post("/control", &format!(r#"{{"do":"step","ticks":{ticks}}}"#)).0, 204);
        while state(viewer)["tick"] != tick {}
    }

    /// Lets it be lived to its end.
    fn end(self) {
        assert_eq!(self.post("/control", r#"{"do":"go"}"#).0, 204);
        self.wait();
    }

    /// The stream of the page: states.
    fn viewer(&self) -> BufReader<TcpStream> {
        self.stream("/states")
    }

    /// That of another program, `/events`, has what happens by name too.
    fn stream(&self, path: &str) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        BufReader::new(stream)
    }

    fn wait(mut self) {
        assert!(wait_until(|| self.process.try_wait().unwrap().is_some()), "it doesn't end");
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
    }
}

/// As many unfinished bodies as there are connections: each is refused within seconds, and then everybody is let in again.
#[test]
fn a_body_that_never_ends_shuts_nobody_out() {
    let (_room, _, watched) = Watched::in_room(&[]);
    let begun = Instant::now();
    let mut held: Vec<TcpStream> = (0..140)
        .map(|_| {
            let mut stream = watched.connect();
            let head = format!(
                "POST /control HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{",
                watched.address
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let mut answer = [0; 12];
    held[0].read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert_eq!(watched.get("/").0, 200);
    assert!(begun.elapsed() < Duration::from_secs(25), "it took {:?}", begun.elapsed());
}

/// The next state that a viewer is sent.
fn state(viewer: &mut BufReader<TcpStream>) -> Value {
    loop {
        if let (None, state) = sent(viewer) {
            return state;
        }
    }
}

/// The next state of which something holds.
fn state_when(viewer: &mut BufReader<TcpStream>, holds: impl Fn(&Value) -> bool) -> Value {
    std::iter::repeat_with(|| state(viewer)).find(holds).expect("states come until the server has gone")
}

/// What a viewer is sent next, and under which name.
fn sent(viewer: &mut BufReader<TcpStream>) -> (Option<String>, Value) {
    let mut name = None;
    loop {
        let mut line = String::new();
        assert_ne!(viewer.read_line(&mut line).unwrap(), 0, "the server has gone");
        if let Some(said) = line.strip_prefix("event: ") {
            name = Some(said.trim().to_owned());
        }
        if let Some(json) = line.strip_prefix("data: ") {
            return (name, serde_json::from_str(json).unwrap());
        }
    }
}

/// Lives the quickstart's world where nobody looks on.
fn live_unwatched(out: &Path) {
    let mut command = morta();
    command.args(["run", "scenarios/quickstart.toml", "--ticks", "400", "--out"]).arg(out).assert().success();
}

fn branch(run: &Path, at: &str, out: &Path) {
    let flags = ["--at", at, "--set", "mortality.hazard_scale=5000", "--out"];
    morta().arg("branch").arg(run).args(flags).arg(out).assert().success();
}

fn digest(run: &Path) -> String {
    manifest(run)["digest"].as_str().unwrap().to_owned()
}

#[test]
fn whoever_looks_on_changes_nothing() {
    let room = tempfile::tempdir().unwrap();
    let at = |name: &str| room.path().join(name);
    live_unwatched(&at("unwatched"));
    let watched = Watched::quickstart(&at("alone"), &["--until-end"]);
    watched.wait();
    let watched = Watched::quickstart(&at("fifty"), &["--until-end", "--paused"]);
    // Some read, some never do, some leave.
    let mut viewers: Vec<_> = (0..50).map(|_| watched.viewer()).collect();
    assert_eq!(state(&mut viewers[0])["state"], "paused");
    viewers.truncate(40);
    watched.end();
    assert_eq!(digest(&at("alone")), digest(&at("unwatched")));
    assert_eq!(digest(&at("fifty")), digest(&at("unwatched")));
}

#[test]
fn steps_are_lived_one_by_one() {
    let (_room, _, watched) = Watched::in_room(&["--paused"]);
    let mut viewer = watched.viewer();
    while state(&mut viewer)["tick"] != 1 {}
    assert_eq!(watched.post("/control", r#"{"do":"step","ticks":3}"#).0, 204);
    let mut last = 1;
    while last < 4 {
        last = state(&mut viewer)["tick"].as_u64().unwrap();
    }
    assert_eq!(last, 4, "and no further");
    let (status, told) = watched.get("/golem/L0.G0");
    assert_eq!(status, 200);
    assert!(told.contains("\"cohort\":\"bardo\""), "{told}");
}

/// Whoever listens to the specs' words hears them: what is sent under a name has that name, and is what `--follow` prints.
#[test]
fn what_happens_is_sent_under_its_name() {
    let room = tempfile::tempdir().unwrap();
    // Nobody has lived through enough to dream of in the first four hundred ticks.
    let run = room.path().join("run");
    let more = ["--ticks", "700", "--paused", "--out", run.to_str().unwrap()];
    let watched = Watched::new(Path::new("scenarios/quickstart.toml"), &more);
    let (mut viewer, mut page) = (watched.stream("/events"), watched.viewer());
    while state(&mut viewer)["tick"] != 1 {}
    let mut left: Vec<&str> = vec!["dream_start", "mode_change", "dream_progress", "dream_complete"];
    // A viewer who can't keep up misses news rather than holding the world up: a few ticks at a time, this one keeps up on any machine.
    let (mut asked, step) = (21_u64, 20);
    let go_on = || assert_eq!(watched.post("/control", &format!(r#"{{"do":"step","ticks":{step}}}"#)).0, 204);
    go_on();
    while !left.is_empty() {
        let (name, line) = sent(&mut viewer);
        if name.is_none() && line["tick"].as_u64() >= Some(asked) {
            assert!(asked < 700, "never sent: {left:?}");
            asked += step;
            go_on();
        }
        let Some(name) = name else { continue };
        assert_eq!(line["event"], name.as_str());
        if name == "dream_complete" {
            for figure in ["dream", "hypotheses_generated", "insights_found", "cost_usd"] {
                assert!(line[figure].is_number(), "{line}");
            }
        }
        left.retain(|expected| *expected != name);
    }
    // The page shows nothing by name, and each viewer that was sent it would cost the run.
    let states = std::iter::repeat_with(|| sent(&mut page));
    let mut until_now = states.take_while(|(_, line)| line["tick"].as_u64() < Some(asked - step));
    assert!(until_now.all(|(name, _)| name.is_none()));
}

/// An owner's word from the page is heard at the next tick, said in the next states, and lived again by `verify`.
#[test]
fn directives_reach_the_world_and_are_written_into_its_scenario() {
    let (_room, run, watched) = Watched::in_room(&["--paused", "--until-end"]);
    let mut viewer = watched.viewer();
    while state(&mut viewer)["tick"] != 1 {}
    watched.step(200, &mut viewer, 201);
    assert_eq!(watched.post("/direct", r#"{"do":"fly"}"#).0, 400);
    assert_eq!(watched.post("/direct", r#"{"do":"dream","golem":"7"}"#).0, 400);
    assert_eq!(watched.post("/direct", r#"{"do":"dream","cohort":"nobody"}"#).0, 202);
    assert_eq!(watched.post("/direct", r#"{"do":"dream","cohort":"none"}"#).0, 202);
    assert_eq!(watched.post("/direct", r#"{"do":"dream"}"#).0, 202);
    assert_eq!(watched.post("/control", r#"{"do":"step","ticks":1}"#).0, 204);
    let heard = state_when(&mut viewer, |state| state["directives"].as_array().unwrap().len() == 3);
    let heard = &heard["directives"];
    assert_eq!(heard[0]["event"], "directive_refused");
    assert!(heard[0]["why"].as_str().unwrap().contains("neither a golem like L3.G2 nor a cohort"), "{heard}");
    assert!(heard[1]["why"].as_str().unwrap().contains("nobody who is meant can dream"), "{heard}");
    assert_eq!(heard[2], json!({ "event": "directive", "tick": 201, "do": "dream" }));
    watched.end();
    assert_eq!(manifest(&run)["scenario"]["dream"]["directives"], json!([{ "tick": 201 }]));
    morta().arg("verify").arg(&run).assert().success();
}

#[test]
fn a_run_is_shown_again_and_compared() {
    let room = tempfile::tempdir().unwrap();
    let run = room.path().join("run");
    live_unwatched(&run);
    let watched = Watched::new(&run, &[]);
    let mut viewer = watched.viewer();
    let end = state_when(&mut viewer, |state| state["state"] == "ended");
    assert_eq!(end["end"], format!("lived again: identical, digest {}", digest(&run)));
    let (status, told) = watched.get("/golem/L1.G0");
    assert!(status == 200 && told.contains("inspect: playbook"), "{told}");
    // Its branches lie beside it, and it is as it was.
    let wish = r#"{"at":100,"set":["mortality.hazard_scale=5000"]}"#;
    assert_eq!(watched.post("/branch", wish).0, 202);
    let folder = folder_of_first_branch(&mut viewer);
    morta().arg("reproduce").arg(folder).assert().success();
    morta().arg("watch").arg(&run).args(["--ticks", "5"]).refused_with(&["--ticks: "]);
}

/// Where the first branch is, once it has been lived.
fn folder_of_first_branch(viewer: &mut BufReader<TcpStream>) -> PathBuf {
    let is_over = |branch: &Value| branch["state"] != "under_way" && !branch.is_null();
    let branch = state_when(viewer, |state| is_over(&state["branches"][0]))["branches"][0].clone();
    assert_eq!(branch["state"], "lived", "{branch}");
    PathBuf::from(branch["folder"].as_str().unwrap())
}

/// A world that is held up is branched where it is; it then goes on as if nothing had been asked, and the branch is that of the whole run.
#[test]
fn a_world_is_branched_while_it_is_lived() {
    let (room, run, watched) = Watched::in_room(&["--paused", "--until-end"]);
    let mut viewer = watched.viewer();
    watched.step(149, &mut viewer, 150);
    let wish = |at: u32| format!(r#"{{"at":{at},"set":["mortality.hazard_scale=5000"]}}"#);
    assert_eq!(watched.post("/branch", &wish(150)).0, 409, "it hasn't been lived");
    // Whoever looks on may choose no file, server or store, however the key is spelt.
    for (set, table) in [
        ("llm.cassette=/etc/hostname", "llm"),
        (r#"llm={mode="replay",model="x",cassette="/etc/hostname"}"#, "llm"),
        (r#"llm.endpoint={base_url="http://127.0.0.1:1/v1"}"#, "llm"),
        (r#"lethe={persist="elsewhere"}"#, "lethe"),
        ("market.assets.0.source.file=/etc/hostname", "market.assets.source.file"),
        (
            r#"market.assets.0={symbol="GOLD",source={kind="replay",file="/etc/hostname"}}"#,
            "market.assets.source.file",
        ),
    ] {
        let (status, answer) = watched.post("/branch", &json!({ "at": 149, "set": [set] }).to_string());
        assert_eq!(status, 403, "{set}: {answer}");
        assert!(answer.contains(&format!("{table}: can't be changed from here")), "{set}: {answer}");
    }
    // A branch sets its ticks itself, so a mistake there must not hide the rest of a wish.
    let hidden = [r#""ticks"="x""#, r#"llm={mode="replay",model="x",cassette="/etc/hostname"}"#];
    let (status, answer) = watched.post("/branch", &json!({ "at": 149, "set": hidden }).to_string());
    assert_eq!(status, 400, "{answer}");
    assert_eq!(watched.post("/branch", &wish(149)).0, 202);
    let branched = folder_of_first_branch(&mut viewer);
    assert_eq!(state(&mut watched.viewer())["tick"], 150, "it is still held up");
    watched.end();
    live_unwatched(&room.path().join("unwatched"));
    assert_eq!(digest(&run), digest(&room.path().join("unwatched")));
    let later = room.path().join("later");
    branch(&run, "149", &later);
    assert_eq!(digest(&branched), digest(&later));
    morta().arg("reproduce").arg(&branched).assert().success();
}

/// A world that was steered is branched as it was lived, while it is lived as well as from its record.
#[test]
fn a_steered_world_is_branched_with_its_directives() {
    let (room, run, watched) = Watched::in_room(&["--paused", "--until-end"]);
    let mut viewer = watched.viewer();
    watched.step(199, &mut viewer, 200);
    assert_eq!(watched.post("/direct", r#"{"do":"dream"}"#).0, 202);
    watched.step(60, &mut viewer, 260);
    let wish = r#"{"at":250,"set":["mortality.hazard_scale=5000"]}"#;
    assert_eq!(watched.post("/branch", wish).0, 202);
    let branched = folder_of_first_branch(&mut viewer);
    watched.end();
    assert_eq!(manifest(&run)["scenario"]["dream"]["directives"].as_array().unwrap().len(), 1);
    let later = room.path().join("later");
    branch(&run, "250", &later);
    assert_eq!(digest(&branched), digest(&later));
}

/// What a page shows of a world that has ended, but for how it came to be shown.
fn last_state(watched: &Watched) -> Value {
    let mut state = state_when(&mut watched.viewer(), |state| state["state"] == "ended");
    (state["end"], state["viewers"]) = (Value::Null, Value::Null);
    state["parts"]["status"] = Value::Null;
    state
}

#[test]
fn a_run_that_another_process_lives_is_followed_to_its_end() {
    let room = tempfile::tempdir().unwrap();
    let run = room.path().join("run");
    let begin = ["run", "scenarios/quickstart.toml", "--ticks", "3000", "--checkpoint-every", "100"];
    cut_off(&begin, &run, "checkpoint/state.bin");
    let watched = Watched::new(&run, &[]);
    let mut viewer = watched.viewer();
    let waiting = state_when(&mut viewer, |state| {
        state["state"] == "waiting for the process that lives it" && state["tick"] != 0
    });
    let so_far = waiting["tick"].as_u64().unwrap();
    assert!(so_far.is_multiple_of(100) && so_far < 3000, "{so_far}");
    assert_eq!(watched.post("/branch", r#"{"at":1,"set":[]}"#).0, 409);
    morta().args(["run", "--resume"]).arg(&run).assert().success();
    let followed = last_state(&watched);
    assert_eq!(followed["tick"], 3000);
    // The same as if the run had been lived before one's eyes.
    assert_eq!(followed, last_state(&Watched::new(&run, &[])));
    morta().arg("watch").arg(&run).args(["--set", "ticks=5"]).refusal();
}

#[test]
fn a_sweep_is_shown_and_its_verdict_hidden_until_it_is_complete() {
    let room = tempfile::tempdir().unwrap();
    let dir = room.path().join("sweep");
    let sweep = |more: &[&str]| {
        let mut command = morta();
        command.args(["sweep", "scenarios/levers/affect.toml", "--profile", "smoke", "--seeds", "3"]);
        command.arg("--out").arg(&dir).args(more).printed()
    };
    sweep(&[]);
    let first = state(&mut Watched::new(&dir, &[]).viewer());
    let arms = first["arms"].as_array().unwrap().len() as u64;
    assert_eq!((&first["cells"], &first["failed"]), (&Value::from(3 * arms), &Value::from(0)));
    // As if it had been stopped before its last cell.
    let gone =
        std::fs::read_dir(dir.join("cells")).unwrap().flatten().map(|entry| entry.path()).max().unwrap();
    std::fs::remove_dir_all(gone).unwrap();
    replace_in(&dir.join("sweep.json"), "\"complete\"", "\"stopped\"");
    let watched = Watched::new(&dir, &[]);
    let mut viewer = watched.viewer();
    let under_way = state_when(&mut viewer, |state| state["done"] == 3 * arms - 1);
    assert_eq!((&under_way["state"], &under_way["verdict"]), (&Value::from("under way"), &Value::Null));
    assert_eq!(under_way["worlds_in_all_arms"], 2);
    let interval = under_way["arms"][0]["interval"].as_array().unwrap();
    let mean = under_way["arms"][0]["mean"].as_f64().unwrap();
    assert!(interval[0].as_f64().unwrap() <= mean && mean <= interval[1].as_f64().unwrap());
    sweep(&["--resume"]);
    let complete = state_when(&mut viewer, |state| state["state"] == "complete");
    let verdict: Vec<&str> =
        complete["verdict"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let told = sweep(&["--resume"]);
    assert!(verdict.len() > 3 && told.contains(&verdict.join("\n")), "{verdict:#?}\n{told}");
    assert_eq!(complete["worlds_in_all_arms"], 3);
    for path in ["/golem/L0.G0", "/sweep.json"] {
        assert_eq!(watched.get(path).0, 404, "{path}");
    }
    assert_eq!(watched.post("/control", r#"{"do":"go"}"#).0, 404);
    morta().arg("watch").arg(&dir).arg("--paused").refused_with(&["--paused: "]);
    // Units that nobody has collected don't say what they are of.
    let units = room.path().join("shared");
    std::fs::create_dir_all(units.join("units")).unwrap();
    morta().arg("watch").arg(&units).refused_with(&["--collect"]);
}

#[test]
fn what_is_not_for_others_is_refused() {
    let (_room, _, watched) = Watched::in_room(&["--paused"]);
    let own = watched.address.clone();
    let json = "Content-Type: application/json\r\n";
    let long = format!(r#"{{"do":"pause","x":"{}"}}"#, "a".repeat(5000));
    let refused = [
        (421, watched.ask("GET /", "evil.example", "", "")),
        (421, watched.ask("GET /states", "127.0.0.1", "", "")),
        (403, watched.ask("GET /events", &own, "Origin: http://evil.example\r\n", "")),
        (403, watched.ask("POST /control", &own, &format!("Origin: null\r\n{json}"), r#"{"do":"go"}"#)),
        // What a form of another page could send has another type.
        (400, watched.ask("POST /control", &own, "Content-Type: text/plain\r\n", r#"{"do":"go"}"#)),
        (413, watched.post("/control", &long)),
        (400, watched.post("/control", r#"{"do":"fly"}"#)),
        (400, watched.post("/control", r#"{"do":"step","ticks":0}"#)),
        (400, watched.post("/control", r#"{"do":"speed","ticks_per_second":-1}"#)),
        (400, watched.post("/control", "{")),
        (409, watched.post("/branch", r#"{"at":1,"set":[]}"#)),
        (421, watched.ask("POST /direct", "evil.example", json, r#"{"do":"dream"}"#)),
        (403, watched.ask("POST /direct", &own, &format!("Origin: null\r\n{json}"), r#"{"do":"dream"}"#)),
        (400, watched.ask("POST /direct", &own, "Content-Type: text/plain\r\n", r#"{"do":"dream"}"#)),
        (404, watched.get("/../../etc/passwd")),
        (404, watched.get("/%2e%2e/%2e%2e/etc/passwd")),
        (404, watched.get("/manifest.json")),
        (400, watched.get("/golem/..%2f..%2fetc%2fpasswd")),
        (400, watched.get("/golem/%3Cscript%3E")),
        (404, watched.get("/golem/L9999.G0")),
        (404, watched.ask("DELETE /control", &own, "", "")),
    ];
    for (at, (expected, (status, answer))) in refused.iter().enumerate() {
        assert_eq!(status, expected, "request {at}: {answer}");
    }
    let (status, page) = watched.get("/");
    assert_eq!(status, 200);
    page.to_lowercase().must_have(&[
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
    ]);
    assert!(!page.contains("https://") && !page.contains("src="), "the page needs nothing from elsewhere");
    // One more than may look on is turned away, and those who do are still served.
    let mut viewers: Vec<_> = (0..64).map(|_| watched.viewer()).collect();
    viewers.iter_mut().for_each(|viewer| drop(state(viewer)));
    assert_eq!((watched.get("/events").0, watched.get("/states").0), (503, 503));
    assert_eq!(watched.post("/control", r#"{"do":"step","ticks":1}"#).0, 204);
    assert!(viewers.iter_mut().all(|viewer| state(viewer)["state"] == "paused"));
}

#[test]
fn who_listens_to_all_asks_for_a_token() {
    let (_room, _, watched) = Watched::in_room(&["--paused", "--host", "0.0.0.0"]);
    let host = watched.address.replace("0.0.0.0", "127.0.0.1");
    let ask = |path: &str| watched.ask(&format!("GET {path}"), &host, "", "").0;
    assert_eq!(ask("/"), 401);
    assert_eq!(ask("/?token=00000000000000000000000000000000"), 401);
    assert_eq!(ask(&format!("/{}", watched.query)), 200);
}

#[test]
fn an_address_that_is_taken_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let room = tempfile::tempdir().unwrap();
    let watch = ["watch", "scenarios/quickstart.toml", "--port", &port, "--out"];
    morta().args(watch).arg(room.path().join("run")).refused_with(&[&port, "--port"]);
}
