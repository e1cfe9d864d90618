//! Every rule happens somewhere: of each kind of event, reason, mode, phase and outcome the page `docs/src/coverage.md` says how often it came about
//! in which shipped scenario. What happens in none fails this test, unless the list below says why.
//!
//! What each changes beyond that, as far as a study asked, is beside it (`docs/consequence-of-rules.txt`).
//!
//! `MORTA_RECORD=1 cargo test --workspace --test it coverage` writes the page anew.

use crate::common::answers::{Answers, Counted};
use crate::common::generated::Pages;
use crate::lived::shipped;
use morta_engine::daimon::{Emotion, MoodCause};
use morta_engine::dream::{DreamScope, DreamTrigger, WakeSource};
use morta_engine::episode::{ClaimKind, FindingKind, StagingVerdict};
use morta_engine::event::{EventKind, ExitReason};
use morta_engine::market::ShockKind;
use morta_engine::memory::VoiceSource;
use morta_engine::mortality::{Cause, Phase, Rung};
use morta_engine::replay::{PadBias, ReplayMode, SelectionReason};
use morta_lab::RunFolder;
use morta_lab::run_folder::events::{EventFilter, read_events};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

/// What happens in no shipped scenario, and why.
const NOWHERE: &[(&str, &str, &str)] = &[
    ("cause of death", "fault", "a panic on purpose (`faults`); `engine/tests/services.rs`"),
    (
        "event",
        "forecasts_settled",
        "told where asked for (`mortality.epistemic.tell_forecasts`), as in `scenarios/levers/information.toml`",
    ),
    (
        "event",
        "order_refused",
        "golems ask for what the pool can do; its refusals are tested in `engine/src/market`",
    ),
    ("event", "value_stranded", "what is held is worth more than the gas of closing it"),
    ("mood bias of a dream", "disdainful", "what goes wrong takes away control and arouses"),
    (
        "reason of a selection",
        "drawn",
        "one prioritization a world; `scenarios/sweeps/replay.toml` has them all",
    ),
    (
        "reason of a selection",
        "latest",
        "one prioritization a world; `scenarios/sweeps/replay.toml` has them all",
    ),
    (
        "trigger of a dream",
        "time",
        "what time adds to its rest is less than another reason wherever anybody asks",
    ),
    ("trigger of a dream", "epistemic_drift", "another term of urgency is always larger"),
];

/// How often something came about, by scenario.
type Counts = BTreeMap<String, u64>;

/// What is counted, category by category.
#[derive(Default)]
pub struct Coverage(BTreeMap<&'static str, BTreeMap<String, Counts>>);

/// The words that a choice may be, as reading a wrong one lists them.
fn words<T: DeserializeOwned>() -> Vec<String> {
    let Err(error) = serde_json::from_str::<T>("\"?\"") else { panic!("it is no choice among words") };
    let told = error.to_string();
    let words: Vec<String> = told.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    assert!(!words.is_empty(), "{told}");
    words
}

/// The word for a choice; of one that carries more, its name.
fn word<T: Serialize>(choice: &T) -> String {
    match serde_json::to_value(choice).unwrap() {
        serde_json::Value::String(word) => word,
        serde_json::Value::Object(fields) => fields.keys().next().unwrap().clone(),
        other => panic!("no choice: {other}"),
    }
}

impl Coverage {
    /// Every word of a category, none of them seen so far.
    fn expect<T: DeserializeOwned>(&mut self, category: &'static str) {
        let known = self.0.entry(category).or_default();
        known.extend(words::<T>().into_iter().map(|word| (word, Counts::new())));
    }

    fn all() -> Self {
        let mut all = Self::default();
        all.expect::<EventKind>("event");
        all.expect::<Cause>("cause of death");
        all.expect::<Phase>("phase");
        all.expect::<Rung>("rung of the credit ladder");
        all.expect::<ExitReason>("end of a trade");
        all.expect::<VoiceSource>("voice");
        all.expect::<ShockKind>("shock");
        all.expect::<DreamTrigger>("trigger of a dream");
        all.expect::<DreamScope>("scope of a dream");
        all.expect::<WakeSource>("interruption of a dream");
        all.expect::<ReplayMode>("replay mode");
        all.expect::<PadBias>("mood bias of a dream");
        all.expect::<SelectionReason>("reason of a selection");
        all.expect::<FindingKind>("finding");
        all.expect::<ClaimKind>("claim");
        all.expect::<StagingVerdict>("verdict of a test");
        all.expect::<Emotion>("emotion");
        all.expect::<MoodCause>("cause of a mood");
        all
    }

    fn count<T: Serialize>(&mut self, category: &'static str, choice: &T, scenario: &str) {
        let word = word(choice);
        let known = self.0.get_mut(category).unwrap();
        let counts =
            known.get_mut(&word).unwrap_or_else(|| panic!("{category} {word} is not among its words"));
        *counts.entry(scenario.to_owned()).or_default() += 1;
    }

    fn take(&mut self, kind: &EventKind, scenario: &str) {
        let name = kind.name().to_owned();
        self.count("event", &name, scenario);
        match kind {
            EventKind::LifeEnded(life) => {
                if let Some(cause) = &life.cause {
                    self.count("cause of death", cause, scenario);
                }
                self.count("phase", &life.phase, scenario);
                self.count("rung of the credit ladder", &life.rung, scenario);
            }
            EventKind::PhaseChanged { to, .. } => self.count("phase", to, scenario),
            EventKind::TradeClosed { exit, .. } => self.count("end of a trade", exit, scenario),
            EventKind::Decided { why, .. } => {
                why.iter().for_each(|voice| self.count("voice", &voice.source, scenario));
            }
            EventKind::ShockStarted(shock) => {
                shock.kinds.iter().for_each(|kind| self.count("shock", &kind, scenario));
            }
            EventKind::DreamStarted { order, mind, replayed, .. } => {
                self.count("trigger of a dream", &order.trigger, scenario);
                self.count("scope of a dream", &order.scope, scenario);
                self.count("replay mode", &mind.mode, scenario);
                mind.bias.iter().for_each(|bias| self.count("mood bias of a dream", bias, scenario));
                replayed.iter().for_each(|one| self.count("reason of a selection", &one.reason, scenario));
            }
            EventKind::DreamInterrupted { source, .. } => {
                self.count("interruption of a dream", source, scenario);
            }
            EventKind::ClaimStaged { kind, claim, .. } => {
                self.count("finding", kind, scenario);
                self.count("claim", &claim.kind(), scenario);
            }
            EventKind::ClaimDecided { verdict, .. } => self.count("verdict of a test", verdict, scenario),
            EventKind::MoodUpdate { label, cause, .. } => {
                self.count("emotion", label, scenario);
                self.count("cause of a mood", cause, scenario);
            }
            _ => {}
        }
    }

    /// What a scenario's run has shown.
    pub fn of_run(run: &Path, scenario: &Path) -> Self {
        let mut coverage = Self::all();
        let name = scenario.file_stem().unwrap().to_str().unwrap().to_owned();
        read_events(&RunFolder::open(run).unwrap(), EventFilter::default(), |event| {
            coverage.take(&event.kind, &name);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        coverage
    }

    /// What another scenario's run has shown.
    fn add(&mut self, other: &Self) {
        for (category, words) in &other.0 {
            let known = self.0.entry(category).or_default();
            words
                .iter()
                .for_each(|(word, counts)| known.entry(word.clone()).or_default().extend(counts.clone()));
        }
    }

    /// What never happened, and isn't explained; and what is explained and happened after all.
    fn holes(&self) -> BTreeSet<String> {
        let explained =
            |category: &str, word: &str| NOWHERE.iter().any(|(c, w, _)| (*c, *w) == (category, word));
        let all = self
            .0
            .iter()
            .flat_map(|(category, words)| words.iter().map(move |(w, counts)| (category, w, counts)));
        all.filter(|(category, word, counts)| counts.is_empty() != explained(category, word))
            .map(|(category, word, _)| format!("{category}: {word}"))
            .collect()
    }

    fn page(&self, answers: &Answers) -> String {
        let rules: Vec<String> = self.rules().collect();
        let Counted { found, none, records, fixed } = answers.counted(rules.iter().map(String::as_str));
        let mut page = format!(
            "# What happens in the shipped scenarios\n\n\
             Made by `MORTA_RECORD=1 cargo test --workspace --test it coverage`; how often each rule came about when every shipped scenario was lived to its end\n\
             (`scenarios/load` for 1,200 ticks), and in which of them most often. What happens in none says why.\n\n\
             That something happens is no consequence. What moved where a study took a rule away or turned it stands in the last column, with its page: of {} rules\n\
             {found} have one that was found, of {none} *none was found* in the worlds of that study, {records} are records of what something else decided, {fixed} can't be\n\
             taken away, and {} were not asked (`docs/consequence-of-rules.txt`).\n",
            rules.len(),
            rules.len() - found - none - records - fixed
        );
        for (category, words) in &self.0 {
            write!(
                page,
                "\n## {category}\n\n| what | times | scenarios | most often in | consequence |\n|---|---|---|---|---|\n"
            )
            .unwrap();
            for (word, counts) in words {
                let total: u64 = counts.values().sum();
                let most = counts.iter().max_by_key(|(name, count)| (**count, std::cmp::Reverse(*name)));
                let told = most.map_or_else(|| self.why(category, word), |(name, _)| name.clone());
                let answer = answers.cell(&format!("{category}: {word}"), "results");
                let answer = answer.unwrap_or_else(|| "not asked".to_owned());
                writeln!(page, "| `{word}` | {total} | {} | {told} | {answer} |", counts.len()).unwrap();
            }
        }
        page
    }

    /// Every word with its category, as the file of answers names it.
    fn rules(&self) -> impl Iterator<Item = String> {
        let named = |(category, words): (&&str, &BTreeMap<String, Counts>)| {
            words.keys().map(|word| format!("{category}: {word}")).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(named)
    }

    fn why(&self, category: &str, word: &str) -> String {
        let found = NOWHERE.iter().find(|(c, w, _)| (*c, *w) == (category, word));
        found.map_or("**nowhere**".to_owned(), |(.., why)| format!("nowhere: {why}"))
    }
}

#[test]
fn every_rule_happens_somewhere() {
    let mut coverage = Coverage::all();
    shipped().iter().for_each(|lived| coverage.add(&lived.coverage));
    let answers = Answers::read("docs/consequence-of-rules.txt");
    let page = Pages::new("coverage", coverage.page(&answers));
    if std::env::var_os("MORTA_RECORD").is_some() {
        page.write();
    }
    assert_eq!(
        coverage.holes(),
        BTreeSet::new(),
        "rules that happen nowhere unexplained, or are explained and happen"
    );
    page.hold("MORTA_RECORD=1 cargo test --workspace --test it coverage");
    let rules: BTreeSet<String> = coverage.rules().collect();
    assert_eq!(answers.wrong(|rule| rules.contains(rule)), [""; 0]);
}
