//! What the kit is for: every shipped memory passes, and of memories that break the contract in one way each, that way is found.
#![allow(clippy::print_stdout, reason = "what was found of every memory, should one fail")]

use morta_engine::episode::Provenance;
use morta_engine::llm::Tier;
use morta_engine::memory::{
    Advice, Attended, Attention, Candidate, DecisionContext, Experience, MemoryAccount, MemoryArchitecture,
    MemoryCensus, MemoryName, MemoryRegistry, Upkeep, UpkeepKind, Voice, VoiceSource,
};
use morta_lab::Error;
use morta_lab::conformance::{ConformanceBounds, ConformanceReport, check};
use morta_lab::text::View as _;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

fn checked(registry: &MemoryRegistry, name: &str) -> ConformanceReport {
    check(registry, &MemoryName::from(name), &ConformanceBounds::default()).unwrap()
}

/// Each memory is reported as soon as it is checked, because all of them take minutes.
#[test]
fn every_shipped_memory_conforms() {
    let registry = MemoryRegistry::default();
    let mut failed = Vec::new();
    // A fixed policy is of one market, and the kit's worlds are of several: it would be refused there.
    for name in registry.names().filter(|name| *name != "constant") {
        let report = checked(&registry, name);
        println!("{}", report.lines().join("\n"));
        failed.extend((!report.conforms()).then(|| report.memory.to_string()));
    }
    assert!(failed.is_empty(), "these don't conform: {failed:?}");
}

/// In which way a memory is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Broken {
    #[default]
    Not,
    DrawsItsOwnLots,
    ForgetsAtLoading,
    CantBeLoaded,
    Panics,
    ExpectsInfinity,
    ForbidsAll,
    Grows,
    NamesWhatHadNoSay,
    NamesWhatWasNotHeard,
    CountsWhatItNeverStored,
    SpendsWhatIsNotThere,
}

/// The mean R of all trades so far, and one way to break the contract.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Mean {
    broken: Broken,
    trades: u32,
    sum_r: f64,
    hoard: Vec<u8>,
    #[serde(skip)]
    lost_at_loading: f64,
    #[serde(deserialize_with = "readable")]
    readable: bool,
    account: MemoryAccount,
}

/// A format that can't be read back when the flag is set.
fn readable<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<bool, D::Error> {
    match bool::deserialize(reader)? {
        true => Ok(true),
        false => Err(serde::de::Error::custom("this can't be read")),
    }
}

/// What every memory of this program shares: a source of differences between runs.
static LOTS: AtomicU64 = AtomicU64::new(0);

const NOTE: VoiceSource = VoiceSource::Note(0);

impl Mean {
    fn mean(&self, candidate: &Candidate) -> f64 {
        (candidate.prior_r + self.sum_r + self.lost_at_loading) / (f64::from(self.trades) + 1.0)
    }

    fn voices(&self, mean: f64) -> (Vec<Voice>, Vec<Voice>) {
        let voice = Voice::new(NOTE, Provenance::Own, 1.0, mean);
        match self.broken {
            Broken::NamesWhatHadNoSay => (vec![voice], vec![voice]),
            Broken::NamesWhatWasNotHeard => (vec![voice], Vec::new()),
            _ => (Vec::new(), Vec::new()),
        }
    }
}

impl MemoryArchitecture for Mean {
    fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| {
            let mean = self.mean(candidate);
            let (why, heard) = self.voices(mean);
            let prior = Advice { why, heard, expected_r: mean, ..Advice::prior(candidate) };
            match self.broken {
                Broken::ExpectsInfinity => Advice { expected_r: f64::INFINITY, ..prior },
                Broken::ForbidsAll => Advice { veto: true, ..prior },
                _ => prior,
            }
        }));
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let realised_r = experience.episode.realised_r;
        self.trades += 1;
        self.sum_r += realised_r;
        match self.broken {
            Broken::DrawsItsOwnLots => self.sum_r += LOTS.fetch_add(1, Ordering::Relaxed) as f64,
            Broken::ForgetsAtLoading => self.lost_at_loading += 5.0 * realised_r,
            Broken::CantBeLoaded => self.readable = false,
            Broken::Grows => self.hoard.extend([7; 20_000]),
            Broken::Panics => assert!(self.trades < 20, "it is broken"),
            _ => {}
        }
    }

    fn wants_attention(&self) -> bool {
        self.broken == Broken::SpendsWhatIsNotThere
    }

    fn attend(&mut self, _: &Attention<'_>) -> Attended {
        let tokens = Some((Tier::T0, 100, 100));
        let done = Upkeep { tokens, ..Upkeep::new(UpkeepKind::Induction, 1) };
        Attended { upkeep: vec![done], ..Attended::default() }
    }

    fn census(&self) -> MemoryCensus {
        let unused = u64::from(self.broken == Broken::CountsWhatItNeverStored);
        MemoryCensus { unused, ..self.account.census() }
    }
}

fn broken(way: Broken) -> ConformanceReport {
    let mut registry = MemoryRegistry::default();
    let empty = move |_: &morta_engine::memory::MemoryBirth<'_>| {
        Ok(Mean { broken: way, readable: true, ..Mean::default() })
    };
    registry.register("mean", "The mean R of all trades.", empty).unwrap();
    checked(&registry, "mean")
}

fn failed(report: &ConformanceReport) -> Vec<&'static str> {
    report.failed().map(|check| check.name).collect()
}

#[test]
fn every_way_to_break_the_contract_is_found_and_no_other() {
    let ways = [
        (Broken::Not, ""),
        (Broken::ForgetsAtLoading, "save-load"),
        (Broken::CantBeLoaded, "save-load"),
        (Broken::Panics, "faults"),
        (Broken::ExpectsInfinity, "advice"),
        (Broken::ForbidsAll, "veto"),
        (Broken::Grows, "size"),
        (Broken::NamesWhatHadNoSay, "voices"),
        (Broken::NamesWhatWasNotHeard, "voices"),
        (Broken::CountsWhatItNeverStored, "counts"),
        (Broken::SpendsWhatIsNotThere, "payment"),
    ];
    for (way, expected) in ways {
        let report = broken(way);
        let expected: Vec<&str> = Some(expected).filter(|name| !name.is_empty()).into_iter().collect();
        assert_eq!(failed(&report), expected, "{way:?}:\n{}", report.lines().join("\n"));
    }
    // A memory that differs from run to run differs after loading as well.
    assert_eq!(failed(&broken(Broken::DrawsItsOwnLots)), ["same-bytes", "save-load"]);
}

#[test]
fn a_report_is_written_in_lines_and_as_json() {
    let report = broken(Broken::ForbidsAll);
    let lines = report.lines();
    assert_eq!(lines.len(), report.checks.len() + 1);
    let veto = lines.iter().find(|line| line.starts_with("FAIL veto")).unwrap();
    assert!(veto.contains("100 % of") && veto.contains("at most 25 %"), "{veto}");
    assert_eq!(lines.last().unwrap(), "mean does NOT conform: veto");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!((&json["memory"], &json["bounds"]["seed"]), (&"mean".into(), &1.into()));
    assert_eq!(json["checks"].as_array().unwrap().len(), report.checks.len());
}

#[test]
fn a_name_that_nobody_registered_is_a_mistake() {
    let unknown =
        check(&MemoryRegistry::default(), &MemoryName::from_static("mean"), &ConformanceBounds::default());
    let Err(Error::Invalid(lines)) = unknown else { panic!("{unknown:?}") };
    assert!(lines[0].contains("`mean`") && lines[0].contains("\"bardo\""), "{lines:?}");
}
