//! `morta-memory openclaw`: logs, schedules, configurations and workspaces of OpenClaw's users.

use super::openclaw_files::{NOTE, store, strong, tell};
use super::{
    Room, answer, count, has, json_of, lines, memory, printed, read, refusal, refuses, said, says, write,
};
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Instant;
use morta_tools::openclaw::watch::{Clock, Said, WatchRequest, watch};
use morta_tools::server::Toolbox as _;
use morta_tools::server::openclaw::OpenClawTools;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

const FACT: &str = "VLAN ten is for guests";

fn event(at: &str, query: &str) -> Value {
    let hit = json!({ "path": NOTE, "startLine": 3, "endLine": 3, "score": 0.93 });
    json!({ "type": "memory.recall.recorded", "timestamp": at, "query": query, "resultCount": 1, "results": [hit] })
}

/// Six searches on two days, an event of another kind, and a search out of order.
fn events() -> Vec<Value> {
    let moments = ["03T11:00", "03T10:00", "03T12:00", "04T13:00", "04T14:00", "04T15:00"];
    let mut events: Vec<Value> = (0..)
        .zip(moments)
        .map(|(n, at)| event(&format!("2026-04-{at}:00.000Z"), &format!("which vlan {n}")))
        .collect();
    events.insert(3, json!({ "type": "memory.dream.completed", "timestamp": "2026-04-05T03:00:00.000Z", "phase": "light", "lineCount": 1 }));
    events
}

/// oc-events-log: OpenClaw's own log names the moment differently, has no texts, and has other events too.
#[test]
fn openclaws_log_of_events_is_read() {
    let room = &Room::new();
    for name in ["named", "own", "recorded"] {
        write(room, &format!("{name}/memory/2026-04-03.md"), format!("# Fri\n\n{FACT}\n"));
    }
    write(room, "events.jsonl", lines(events()));
    write(room, "own/memory/.dreams/events.jsonl", lines(events()));
    let flags = ["named", "--searches", "events.jsonl", "--until", "2026-04-06T04:00:00Z"];
    let (life, noted) = answer(room, &[&["openclaw", "live", "--json"], &flags[..]].concat());
    has(&life, json!({ "searches": 6, "recalls": 6, "promoted": 1 }));
    assert_eq!((count(&life["skipped"]), noted.as_str()), (0, ""));
    assert!(read(room, "named/MEMORY.md").contains(&format!("- {FACT} [score=0.8")));
    // Without arguments: the workspace's own log, and a week after its last search.
    let (life, _) = answer(room, &["openclaw", "live", "own", "--json"]);
    has(&life, json!({ "searches": 6, "promoted": 1 }));
    assert_eq!(life["runs"].as_array().unwrap().last().unwrap()["at"], "2026-04-11T12:00:00.000Z");

    let store = "recorded/memory/.dreams/short-term-recall.json";
    let (report, _) = answer(room, &["openclaw", "record", store, "events.jsonl", "--json"]);
    has(&report, json!({ "searches": 6, "otherEvents": 1 }));
    let kept = json_of(room, store);
    let entry = &kept["entries"]["memory:memory/2026-04-03.md:3:3"];
    has(entry, json!({ "snippet": FACT, "firstRecalledAt": "2026-04-03T10:00:00.000Z" }));
    assert!(entry["conceptTags"].as_array().unwrap().contains(&json!("vlan")));
    refuses(
        room,
        &["openclaw", "live", "named"],
        &["there is no log of events: name a log of searches with --searches"],
    );
    write(room, "named/memory/.dreams/events.jsonl", lines(&events()[3..4]));
    assert!(refusal(room, &["openclaw", "live", "named"]).contains("holds no search"));
}

pub(super) fn configuration(dreaming: Value) -> Value {
    json!({ "plugins": { "entries": { "memory-core": { "config": { "dreaming": dreaming } } } } })
}

/// C23, C24: `on` enables all phases, `enable` and `disable` one.
#[test]
fn on_switches_all_phases_and_enable_one() {
    let room = &Room::new();
    let off = json!({ "enabled": false, "phases": { "light": { "enabled": false, "limit": 7 }, "rem": { "enabled": "false" } } });
    write(room, "openclaw.json", configuration(off));
    let runs = |what: &[&str]| -> Vec<bool> {
        let (report, _) = answer(room, &[&["openclaw", "dreaming", "--json"], what].concat());
        report["phases"].as_array().unwrap().iter().map(|phase| phase[1].as_bool().unwrap()).collect()
    };
    assert_eq!(runs(&["on"]), [true; 3]);
    assert_eq!(runs(&["disable", "light"]), [false, true, true]);
    assert_eq!(runs(&["disable", "REM"]), [false, true, false]);
    assert_eq!(runs(&["enable", "Light"]), [true, true, false]);
    assert_eq!(runs(&["off"]), [false; 3]);
    assert_eq!(runs(&["enable", "rem"]), [false; 3], "dreaming as a whole is off");
    assert_eq!(runs(&["on"]), [true; 3]);
    let limit = "/plugins/entries/memory-core/config/dreaming/phases/light/limit";
    has(&json_of(room, "openclaw.json"), json!({ limit: 7 }));
    refuses(room, &["openclaw", "dreaming", "disable", "deeep"], &["must be light, deep or rem"]);
    let nowhere = &Room::new();
    refuses(nowhere, &["openclaw", "dreaming"], &["name the one that OpenClaw reads by --config"]);
    // A missing setting is added, and comments are kept.
    write(room, "openclaw.json", "{\n  // mine\n  agents: {},\n}\n");
    assert_eq!(runs(&["disable", "deep"]), [true, false, true]);
    assert!(read(room, "openclaw.json").contains("// mine\n  agents: {},"));
}

/// C30: the thresholds of the workspace's configuration apply to runs by hand and by schedule.
#[test]
fn a_workspaces_configuration_applies_to_every_command() {
    let high = configuration(
        json!({ "phases": { "deep": { "minScore": 0.99, "recovery": { "enabled": false } } } }),
    );
    for place in ["openclaw.json", ".openclaw/openclaw.json"] {
        let room = &Room::new();
        write(room, NOTE, format!("{FACT}\n"));
        store(room, &[strong(NOTE, (1, 1), FACT)]);
        let passing = || tell(room, "promote", &[]).0["passing"].clone();
        assert_eq!(passing(), 1);
        write(room, place, &high);
        assert_eq!(passing(), 0, "{place}");
        let (status, _) = tell(room, "status", &["--deep"]);
        has(&status, json!({ "/settings/dreaming/deep/min_score": 0.99, "/deep/passing": 0 }));
        assert!(status["config"].as_str().unwrap().ends_with("openclaw.json"));
        write(
            room,
            "searches.jsonl",
            lines(&[json!({ "at": "2026-04-04T10:00:00Z", "query": "q", "results": [] })]),
        );
        let (life, _) = answer(room, &["openclaw", "live", ".", "--searches", "searches.jsonl", "--json"]);
        assert_eq!(life["promoted"], 0, "{place}");
    }
    // OpenClaw's own folder has its configuration beside the workspace.
    let room = &Room::new();
    let home = room.join(".openclaw");
    write(&home, "openclaw.json", &high);
    let ws = home.join("workspace");
    write(&ws, NOTE, format!("{FACT}\n"));
    store(&ws, &[strong(NOTE, (1, 1), FACT)]);
    assert_eq!(tell(&ws, "promote", &[]).0["passing"], 0);
}

/// C9: the workspaces of all agents are used; a failure is reported and doesn't stop the others.
#[test]
fn every_workspace_of_the_configuration_is_used() {
    let room = &Room::new();
    for name in ["ada", "eve", "bob"] {
        let ws = room.join(name);
        write(&ws, NOTE, format!("{FACT}\n"));
        store(&ws, &[strong(NOTE, (1, 1), FACT)]);
    }
    let agents = json!({
        "defaults": { "workspace": "ada", "userTimezone": "Europe/Berlin" },
        "eve": { "workspace": room.join("eve") },
        "list": [{ "id": "a", "workspace": "./ada" }, { "id": "b", "workspace": "bob" }, { "id": "c", "workspace": "gone" }, { "id": "d" }, { "id": "e", "workspace": "new" }],
    });
    write(room, "openclaw.json", json!({ "agents": agents }));
    fs::create_dir_all(room.join("new")).unwrap();
    let (done, noted) = tell(room, "promote", &["--apply"]);
    let applied: Vec<&Value> =
        done["workspaces"].as_array().unwrap().iter().map(|one| &one["applied"]["applied"]).collect();
    assert_eq!(applied, [&json!(1), &json!(1), &json!(1)], "{done}");
    assert_eq!(count(&done["failed"]), 1);
    says(&noted, &["this workspace is left out: new/memory", "gone: the configuration names"]);
    for name in ["ada", "eve", "bob"] {
        assert!(fs::read_to_string(room.join(name).join("MEMORY.md")).unwrap().contains(FACT), "{name}");
    }
    for what in ["status", "light", "rem"] {
        let (all, _) = tell(room, what, &[]);
        assert_eq!(count(&all["workspaces"]), 3, "{what}");
    }
    // In a copy of one workspace on another machine only that one exists, and is used.
    write(
        &room.join("ada"),
        "openclaw.json",
        json!({ "agents": { "defaults": { "workspace": "/nowhere/else" } } }),
    );
    let (alone, _) = tell(&room.join("ada"), "status", &[]);
    assert_eq!(alone["promotedTotal"], 1);
    // A named workspace is used alone.
    let (one, _) = tell(room, "status", &["--workspace", "eve"]);
    assert_eq!(one["promotedTotal"], 1);
}

fn message(at: &str, role: &str, content: Value) -> Value {
    json!({ "type": "message", "timestamp": at, "message": { "role": role, "content": content } })
}

/// C21: transcripts and logs of a workspace are sources.
#[test]
fn transcripts_and_logs_are_sources() {
    let room = &Room::new();
    store(room, &[strong(NOTE, (1, 1), FACT)]);
    let text = |text: &str| json!([{ "type": "thinking", "thinking": "hidden thoughts of it" }, { "type": "text", "text": text }]);
    let session = [
        json!({ "type": "session", "version": 3, "id": "s", "timestamp": "2026-04-04T10:00:00Z" }),
        message("2026-04-04T10:01:00Z", "user", json!("The heating is off on Sundays")),
        message("2026-04-04T10:02:00Z", "assistant", text("I will remember the heating")),
        message("2026-04-04T10:03:00Z", "toolResult", text("a result of a tool")),
        message("2026-04-04T10:04:00Z", "user", json!("ok")),
        message(
            "2026-04-04T10:05:00Z",
            "user",
            json!("Write a dream diary entry from these memory fragments: heating"),
        ),
        message("2026-03-01T10:00:00Z", "user", json!("long ago and far away")),
    ];
    write(room, "sessions/a.jsonl", format!("{}not json\n", lines(&session)));
    write(
        room,
        "logs/gateway.log",
        "2026-04-04T11:00:00Z the gateway was restarted by hand\nno moment here at all\n",
    );
    let candidates = |sources: Value| -> Vec<String> {
        let dreaming = json!({ "phases": { "light": { "sources": sources } } });
        write(room, "openclaw.json", configuration(dreaming));
        let (light, _) = tell(room, "light", &[]);
        let candidates = light["candidates"].as_array().unwrap();
        candidates.iter().map(|one| one["entry"]["snippet"].as_str().unwrap().to_owned()).collect()
    };
    let talk = ["Assistant: I will remember the heating", "User: The heating is off on Sundays"];
    assert_eq!(candidates(json!(["sessions"])), talk);
    assert_eq!(candidates(json!(["logs"])), ["the gateway was restarted by hand"]);
    assert_eq!(candidates(json!(["daily", "sessions", "recall"])), [FACT, talk[0], talk[1]]);
    assert_eq!(candidates(json!(["daily"])), [FACT]);
    // Lines of transcripts aren't in the store, and are never promoted.
    let (done, _) = tell(room, "promote", &["--apply"]);
    assert_eq!(count(&done["entries"]), 1);
}

/// C27: an unreadable schedule is an error. It was once replaced by the default, which ran at another time.
#[test]
fn an_unreadable_schedule_is_refused() {
    let room = &Room::new();
    store(room, &[strong(NOTE, (1, 1), FACT)]);
    write(room, "searches.jsonl", lines(events()));
    for (dreaming, key) in [
        (json!({ "phases": { "light": { "cron": "every day" } } }), "phases.light.cron = \"every day\": "),
        (json!({ "phases": { "deep": { "cron": "61 3 * * *" } } }), "phases.deep.cron = "),
        (json!({ "frequency": "nightly" }), "frequency = \"nightly\": "),
        (json!({ "timezone": "Mars/Olympus" }), "timezone = \"Mars/Olympus\": "),
        (json!({ "phases": { "rem": { "cron": 5 } } }), "phases.rem.cron = 5: "),
    ] {
        write(room, "openclaw.json", configuration(dreaming));
        for what in [
            &["status"][..],
            &["dreaming", "status"],
            &["live", ".", "--searches", "searches.jsonl"],
            &["live", "--watch"],
            &["schedule"],
        ] {
            let error = refusal(room, &[&["openclaw"], what].concat());
            let error = error.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
            assert!(error.contains(&format!("openclaw.json: {key}")), "{what:?}: {error}");
        }
    }
}

/// A test's clock: each wait advances it at once, and it stops at its end.
struct Leaping {
    now: Instant,
    end: Instant,
    asleep: Option<(Instant, Instant)>,
}

impl Clock for Leaping {
    fn now(&self) -> Instant {
        self.now
    }

    fn wait(&mut self, time: Duration) -> bool {
        self.now = Instant(self.now.0 + time.as_millis() as i64);
        if let Some((from, to)) = self.asleep.filter(|(from, to)| (*from..*to).contains(&self.now)) {
            assert!(from < to);
            self.now = to;
        }
        self.now < self.end
    }
}

fn watched(room: &Path, from: &str, to: &str, asleep: Option<(&str, &str)>) -> Vec<String> {
    let moment = |text: &str| text.parse::<Instant>().unwrap();
    let asleep = asleep.map(|(from, to)| (moment(from), moment(to)));
    let mut clock = Leaping { now: moment(from), end: moment(to), asleep };
    let request =
        WatchRequest { workspaces: vec![room.to_owned()], config: None, ablated: vec![Phase::Light] };
    let mut lines = Vec::new();
    let mut say = |said: Said| {
        lines.push(match said {
            Said::Next(at, phase) => format!("next {} {at}", phase.name()),
            Said::Ran(run) => format!("{} {} {}", run.at, run.phase.name(), run.found),
        });
        Ok(())
    };
    watch(&request, &mut clock, &mut say, &mut |_| {}).unwrap();
    lines
}

/// Deep sleep at 3:00, REM on Sunday at 5:00: each at its time, and once after a computer slept through several.
#[test]
fn phases_run_when_they_are_due() {
    let room = &Room::new();
    write(room, NOTE, format!("{FACT}\n"));
    store(room, &[strong(NOTE, (1, 1), FACT)]);
    let lines = watched(room, "2026-04-04T22:00:00Z", "2026-04-05T06:00:00Z", None);
    let expected = [
        "next deep 2026-04-05T03:00:00.000Z",
        "2026-04-05T03:00:00.000Z deep 1",
        "next rem 2026-04-05T05:00:00.000Z",
        "2026-04-05T05:00:00.000Z rem 0",
        "next deep 2026-04-06T03:00:00.000Z",
    ];
    assert_eq!(lines, expected);
    assert!(read(room, "MEMORY.md").contains(FACT));
    let slept = ("2026-04-06T01:00:00Z", "2026-04-09T12:00:00Z");
    let lines = watched(room, "2026-04-06T00:00:00Z", "2026-04-09T13:00:00Z", Some(slept));
    let expected = [
        "next deep 2026-04-06T03:00:00.000Z",
        "2026-04-09T03:00:00.000Z deep 0",
        "next deep 2026-04-10T03:00:00.000Z",
    ];
    assert_eq!(lines, expected);
    write(room, "openclaw.json", configuration(json!({ "enabled": false })));
    assert!(refusal(room, &["openclaw", "live", "--watch"]).contains("no phase is on"));
}

/// The program itself, until it is interrupted.
#[cfg(unix)]
#[test]
fn watching_ends_with_an_interrupt() {
    use std::io::{BufRead as _, BufReader};
    let room = &Room::new();
    store(room, &[strong(NOTE, (1, 1), FACT)]);
    let mut child = memory(room, &["openclaw", "live", "--watch"]).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.trim_end().ends_with("is next"), "{first}");
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(child.wait().unwrap().success());
}

#[test]
fn schedules_are_printed_for_cron_and_systemd() {
    let room = &Room::new();
    let ws = room.join("my ws");
    write(&ws, NOTE, format!("{FACT}\n"));
    store(&ws, &[strong(NOTE, (1, 1), FACT)]);
    write(
        &ws,
        "openclaw.json",
        configuration(json!({ "timezone": "Europe/Berlin", "phases": { "rem": { "enabled": false } } })),
    );
    let schedule = |flags: &[&str]| printed(room, &[&["openclaw", "schedule"], flags].concat());
    let cron = schedule(&["my ws"]);
    let lines: Vec<&str> = cron.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!((lines.len(), lines[0]), (4, "CRON_TZ=Europe/Berlin"));
    assert!(lines[1].starts_with("0 */6 * * * '") && lines[1].contains(" openclaw light '"), "{cron}");
    // The crontab's command works.
    let deep = lines[3].strip_prefix("0 3 * * * ").unwrap().replace("now now", "now 2026-04-05T03:00:00Z");
    let output = std::process::Command::new("sh").args(["-c", &deep]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(read(&ws, "MEMORY.md").contains(FACT));
    let systemd = schedule(&["my ws", "--as", "systemd"]);
    for line in [
        "OnCalendar=*-*-* 0/6:0:00 Europe/Berlin",
        "OnCalendar=*-*-* 3:0:00 Europe/Berlin",
        "WantedBy=timers.target",
    ] {
        assert!(systemd.lines().any(|one| one == line), "{line}: {systemd}");
    }
    assert!(!systemd.contains(" rem "), "{systemd}");
    // Two workspaces of one name don't take each other's units, also where each has a call of its own.
    let units = |workspaces: &[&str]| -> Vec<String> {
        let systemd = schedule(&[&["--as", "systemd"], workspaces].concat());
        let names = systemd.lines().filter(|line| line.starts_with("# ~") && line.ends_with(".service"));
        names.map(str::to_owned).collect()
    };
    for ws in ["ada/ws", "eve/ws"] {
        write(&room.join(ws), "openclaw.json", configuration(json!({ "enabled": true })));
    }
    let apart = [units(&["ada/ws"]), units(&["eve/ws"])].concat();
    assert_eq!(apart, units(&["ada/ws", "eve/ws"]));
    assert_eq!(apart.iter().collect::<std::collections::BTreeSet<_>>().len(), 6, "{apart:?}");
    write(&ws, "openclaw.json", configuration(json!({ "frequency": "@daily" })));
    assert!(refusal(room, &["openclaw", "schedule", "my ws", "--as", "systemd"]).contains("take --as cron"));
}

/// A limit beyond what is counted is refused: cut to 32 bits, 4,294,967,296 would promote nothing.
#[test]
fn a_limit_too_large_is_refused() {
    let room = &Room::new();
    store(room, &[strong(NOTE, (1, 1), FACT)]);
    let tools = OpenClawTools::new(room.to_path_buf(), None).unwrap();
    let call =
        |limit: u64| tools.call("promote", json!({ "limit": limit }).as_object().unwrap().clone(), None);
    assert!(call(u64::from(u32::MAX)).is_ok());
    let error = call(1 << 32).unwrap_err().to_string();
    assert!(error.contains("arguments: limit: must be a whole number from 0 to 4294967295"), "{error}");
}

/// The same over MCP: one phase, or all of dreaming.
#[test]
fn an_agent_can_switch_phases() {
    let room = &Room::new();
    write(room, "openclaw.json", configuration(json!({ "enabled": true })));
    // The workspace's configuration is found without being named.
    let tools = OpenClawTools::new(room.to_path_buf(), None).unwrap();
    let call = |arguments: Value| tools.call("dreaming", arguments.as_object().unwrap().clone(), None);
    let runs = |answer: Value| {
        answer["phases"].as_array().unwrap().iter().map(|one| one[1].clone()).collect::<Vec<_>>()
    };
    let off = call(json!({ "phase": "rem", "enabled": false })).unwrap();
    assert_eq!(runs(off), [json!(true), json!(true), json!(false)]);
    assert_eq!(runs(call(json!({ "enabled": true })).unwrap()), [json!(true), json!(true), json!(true)]);
    let error = call(json!({ "phase": "rem" })).unwrap_err().to_string();
    assert!(error.contains("arguments: enabled: missing"), "{error}");
}
