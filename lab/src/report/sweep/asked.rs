//! The question of a sweep, its progress, and the commands that reproduce it: the pre-registration section of a report (measure, baseline,
//! confidence level, arms with their settings, seeds). The question stands before any result, because a reader must know what was decided
//! beforehand. A sweep without a registration is shown with the usual measure, the first arm as baseline and an error rate of .05. A
//! sensitivity analysis has its measures and the number of its keys there instead, and no table of arms.

use super::data::SweepData;
use crate::io::text::markup::shortened;
use crate::io::text::percent;
use crate::report::page::{Page, PageTable};
use crate::report::{hashes, shown_name};
use crate::sweep::measure::{EVERYBODY, USUAL_MEASURE, find, label};
use crate::sweep::sweep_file::{Correction, Direction, Test};
use serde_json::Value;

/// Most keys of a scenario that the table of arms has columns for (our choice: about as many as fit a page). sweep.json has all, so none is lost.
const KEYS_MAX: usize = 6;
/// Most letters of a value in that table: a list of assets is a page by itself, and sweep.json has it.
const VALUE_LETTERS_MAX: usize = 60;

/// What is compared, and how: as registered, or as is usual (pre-registered question).
pub(crate) struct PageQuestion {
    pub measure: String,
    pub unit: &'static str,
    pub cohort: String,
    pub direction: Option<Direction>,
    /// Place of the baseline among the arms, from 0.
    pub baseline: usize,
    pub test: Test,
    pub correction: Correction,
    pub alpha: f64,
}

impl PageQuestion {
    /// The registered question; without a registration that of `[question]`, or the usual measure of everybody, and the first arm as baseline, so
    /// that an exploratory sweep has a page too (pre-registered question).
    pub(crate) fn from_sweep(data: &SweepData) -> Self {
        let registered = data.file.preregistration.as_ref();
        let primary = registered.map(|registered| &registered.primary);
        let asked = data.file.question.as_ref();
        let usual = asked.map_or((USUAL_MEASURE, EVERYBODY), |asked| (&asked.measure, &asked.cohort));
        let (measure, cohort) = primary.map_or(usual, |primary| (&primary.measure, &primary.cohort));
        let names = data.manifest.arms.iter().map(|arm| arm.name.as_str());
        let named = |name: &String| data.file.arm_named(names.clone(), name);
        Self {
            unit: find(measure).map_or("", |measure| measure.unit),
            cohort: cohort.to_owned(),
            direction: primary.map(|primary| primary.direction),
            baseline: registered.and_then(|registered| named(&registered.baseline)).unwrap_or(0),
            test: registered.map_or(Test::default(), |registered| registered.test),
            correction: registered.map_or(Correction::default(), |registered| registered.correction),
            alpha: registered.map_or(0.05, |registered| registered.alpha),
            measure: measure.to_owned(),
        }
    }

    /// The confidence level of intervals: 1 less the error rate alpha.
    pub(super) fn level(&self) -> f64 {
        1.0 - self.alpha
    }
}

/// Notes that the sweep isn't finished, or wasn't run as registered, before any result: both change how far the results can be believed
/// (incomplete experiment).
pub(super) fn state(page: &mut Page, data: &SweepData) {
    let counts = data.manifest.cells;
    if !data.is_complete() {
        let known = data.cells_ended();
        page.note(&format!(
            "This sweep is not finished: {known} of {} cells have ended, and the page tells of these alone. Go on with it \
             with --resume.",
            counts.total
        ));
    }
    if data.manifest.as_registered == Some(false) {
        page.note("This is not as registered: it was run with a profile or another number of worlds.");
    }
}

/// The question, the registration, and the arms (pre-registration section).
pub(super) fn write(page: &mut Page, data: &SweepData, question: &PageQuestion, compared: &[usize]) {
    page.section("What was asked");
    let manifest = &data.manifest;
    let mut facts = vec![
        ("Question", data.file.description.clone()),
        ("Scenario", text_of(&manifest.scenario["name"])),
        ("Of it", text_of(&manifest.scenario["description"])),
        ("Worlds", worlds(data)),
        (if data.file.sensitivity().is_some() { "Points" } else { "Arms" }, manifest.arms.len().to_string()),
        (
            "Cells",
            format!(
                "{} ({} done, {} failed)",
                manifest.cells.total, manifest.cells.done, manifest.cells.failed
            ),
        ),
    ];
    if let Some(registered) = &data.file.preregistration {
        let better = match question.direction {
            Some(Direction::More) => "more is better",
            Some(Direction::Less) => "less is better",
            None => "",
        };
        facts.extend([
            ("Hypothesis", registered.hypothesis.clone()),
            (
                "Primary measure",
                format!(
                    "{} of {}, in {}; {better} ({})",
                    label(&question.measure),
                    question.cohort,
                    question.unit,
                    question.measure
                ),
            ),
            ("Baseline", registered.baseline.clone()),
            ("Analysis", registered.analysis.clone()),
            (
                "Test",
                format!(
                    "{}, {}'s correction, error rate {}",
                    question.test.in_words(),
                    question.correction.in_words(),
                    percent(question.alpha)
                ),
            ),
            (
                "Effect of interest",
                format!(
                    "{} {}, at a power of {}",
                    registered.effect_of_interest,
                    question.unit,
                    percent(registered.power)
                ),
            ),
            ("Exclusions", registered.exclusions.clone()),
            ("Registration", manifest.preregistration_blake3.clone().unwrap_or_default()),
        ]);
    } else if let Some(asks) = data.file.sensitivity() {
        let measures: Vec<&str> = asks.measures.iter().map(|measure| label(measure)).collect();
        facts.push(("Measures", format!("{}, of {}", measures.join(", "), asks.cohort)));
        facts.push(("Keys", data.file.axes.len().to_string()));
    } else {
        facts.push(("Registration", "none".to_owned()));
        let (words, name) = (label(&question.measure), &question.measure);
        let usual = if data.file.question.is_some() { "" } else { ", the usual one" };
        facts.push(("Measure", format!("{words} of {} ({name}){usual}", question.cohort)));
        facts.push(("Baseline", format!("{}, the first arm", manifest.arms[question.baseline].name)));
    }
    page.facts(&facts);
    if data.file.sensitivity().is_none() {
        arms(page, data, compared);
    }
}

fn worlds(data: &SweepData) -> String {
    let seeds = &data.file.seeds;
    let stopped = data.manifest.ends_at.map_or(String::new(), |_| format!(" of {} planned", seeds.count));
    match data.manifest.ends_at.unwrap_or(seeds.count) {
        1 => format!("1{stopped}, seed {}", seeds.first),
        count => {
            format!("{count}{stopped}, seeds {} to {}", seeds.first, seeds.first.saturating_add(count - 1))
        }
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn arms(page: &mut Page, data: &SweepData, compared: &[usize]) {
    let all = &data.manifest.arms;
    let arms: Vec<_> = compared.iter().map(|arm| &all[*arm]).collect();
    let mut keys: Vec<&String> = Vec::new();
    for key in arms.iter().flat_map(|arm| arm.parameters.keys()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let left = keys.len().saturating_sub(KEYS_MAX);
    keys.truncate(KEYS_MAX);
    let described = arms.iter().any(|arm| !arm.description.is_empty());
    let mut head = vec!["arm".to_owned()];
    head.extend(described.then(|| "what it stands for".to_owned()));
    head.extend(keys.iter().map(|key| (*key).clone()));
    let row = |arm: &crate::sweep::sweep_folder::manifest::ManifestArm| {
        let mut row = vec![arm.name.clone()];
        row.extend(described.then(|| arm.description.clone()));
        let shown = |value: &Value| shortened(&text_of(value), VALUE_LETTERS_MAX);
        let value = |key: &&String| arm.parameters.get(*key).map_or(String::new(), shown);
        row.extend(keys.iter().map(value));
        row
    };
    page.table(&PageTable {
        caption: "The arms and what they change in the scenario.".to_owned(),
        words: head.len(),
        head,
        rows: arms.iter().copied().map(row).collect(),
    });
    if arms.len() < all.len() {
        page.note(&format!(
            "The table has the arms that stand where the baseline does; there are {} in all, in sweep.json.",
            all.len()
        ));
    }
    if left > 0 {
        page.note(&format!(
            "The table leaves out {left} of the keys that differ between arms; sweep.json has all."
        ));
    }
}

/// Writes the commands, the build and the BLAKE3 hashes of tables and data (reproducibility section).
pub(super) fn reproduce(page: &mut Page, data: &SweepData) {
    page.section("How to get it again");
    let manifest = &data.manifest;
    page.paragraph(
        "The sweep file, with its defaults and the profile carried out, is in sweep.json under `configuration`. The same file, \
         data and build give the same tables, byte for byte, on any number of threads.",
    );
    let mut command = format!("morta sweep {}.toml", manifest.name);
    if let Some(profile) = &manifest.profile {
        command.push_str(&format!(" --profile {profile}"));
    }
    if let Some(seeds) = manifest.seeds_flag {
        command.push_str(&format!(" --seeds {seeds}"));
    }
    let again = format!("{command} --out again");
    let name = shown_name(&data.dir);
    page.code(&format!("{again}\nmorta report {name}\nmorta reproduce {name}"));
    page.facts(&[("Build", manifest.build.clone()), ("Worlds", worlds(data))]);
    let data = manifest.data.iter().map(|file| (file, String::new()));
    let table = hashes("Tables of this sweep and the files of prices it read.", &manifest.files, data);
    if table.rows.is_empty() {
        page.note("There are no hashes: tables are complete when the sweep stops or ends.");
        return;
    }
    page.table(&table);
}
