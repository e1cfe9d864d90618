//! The analysis as a section of a Markdown page: to be quoted, and to be kept beside the sweep file.

use super::contrast::{Contrast, Sign};
use super::ladder::LadderReport;
use super::map::{MapCell, MapReport};
use super::report::{Analysis, ArmReport};
use super::rule::{JudgedCriterion, RuleReport};
use super::sentence::{between, signed};
use crate::io::text::{figure, or_dash, p_value, plain};
use crate::sweep::sweep_folder::{Counts, SweepManifest};
use morta_stats::Computed;

/// Most arms of a table.
const ARMS_MAX: usize = 40;

/// A table's lines, with an empty one before it.
fn table(columns: &[&str], rows: Vec<Vec<String>>) -> Vec<String> {
    let row = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    };
    let head = row(columns.iter().map(|&name| name.to_owned()).collect());
    let rule = format!("|{}", "---|".repeat(columns.len()));
    [String::new(), head, rule].into_iter().chain(rows.into_iter().map(row)).collect()
}

/// Difference with its interval, bold where the corrected test tells it from 0; and corrected p.
fn told(found: &Contrast) -> [String; 2] {
    let interval = or_dash(found.interval.known(), between);
    let effect = or_dash(found.effect, signed);
    let shown = if found.sign == Sign::NotShown { effect } else { format!("**{effect}**") };
    [format!("{shown} {interval}"), or_dash(found.corrected_p.known(), |p| p_value(*p))]
}

impl Analysis {
    /// The section of a sweep, its heading first.
    pub fn markdown(&self, manifest: &SweepManifest) -> String {
        let registered = &manifest.configuration;
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let first = registered["seeds"]["first"].as_u64().unwrap_or_default();
        let worlds = registered["seeds"]["count"].as_u64().unwrap_or_default();
        let Counts { total: cells, done, failed } = self.cells;
        let mut lines = vec![format!("## {}", self.name), String::new(), text(&registered["description"])];
        let asked = self.hypothesis.as_ref().map(|expected| format!("Expected: {expected}"));
        lines.extend(asked.into_iter().flat_map(|line| [String::new(), line]));
        lines.push(String::new());
        let ended = done + failed;
        let unfinished = if ended < cells { format!(", {} not run", cells - ended) } else { String::new() };
        let broken = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        let last = first + worlds.saturating_sub(1);
        lines.push(format!(
            "{worlds} worlds, seeds {first} to {last}; {cells} cells{unfinished}{broken}; build {}.",
            manifest.build
        ));
        lines.extend(self.standing.because.iter().map(|why| format!("{why}.")));
        if let Some(sensitivity) = &self.sensitivity {
            lines.extend([String::new(), "```text".to_owned()]);
            lines.extend(sensitivity.lines());
            lines.push("```".to_owned());
            return lines.join("\n") + "\n";
        }
        lines.extend(self.compared());
        lines.extend(self.rule.iter().flat_map(RuleReport::markdown));
        lines.extend(self.ladder.iter().flat_map(LadderReport::markdown));
        lines.extend(self.map.iter().flat_map(MapReport::markdown));
        lines.extend(self.looked_at());
        lines.join("\n") + "\n"
    }

    fn compared(&self) -> Vec<String> {
        let primary = &self.primary;
        let row = |arm: &ArmReport| {
            let found = arm.difference.as_ref().and_then(Computed::known);
            let judged = found.and_then(|found| found.judged.as_ref());
            let difference = match (&arm.difference, found) {
                (None, _) => "baseline".to_owned(),
                (_, Some(found)) => {
                    format!("{} {}", signed(found.mean), or_dash(found.interval.known(), between))
                }
                (_, None) => "-".to_owned(),
            };
            let share = arm.share_of_gap.as_ref().and_then(Computed::known);
            vec![
                arm.arm.clone(),
                or_dash(arm.value.as_ref(), |value| figure(value.mean)),
                difference,
                or_dash(judged.and_then(|judged| judged.corrected_p.known()), |p| p_value(*p)),
                or_dash(share, |share| format!("{} {}", figure(share.value), between(&share.interval))),
            ]
        };
        let gap = primary.arms.iter().any(|arm| arm.share_of_gap.is_some());
        let measure = format!("{} of {}", primary.measure, primary.cohort);
        let difference = format!("less {}", primary.baseline);
        let columns = ["arm", &measure, &difference, "corrected p", "share of gap"];
        let kept = if gap { 5 } else { 4 };
        let rows: Vec<Vec<String>> =
            primary.arms.iter().take(ARMS_MAX).map(|arm| row(arm)[..kept].to_vec()).collect();
        let left = primary.arms.len().saturating_sub(ARMS_MAX);
        let more = (left > 0).then(|| format!("\nand {left} more arms"));
        table(&columns[..kept], rows).into_iter().chain(more).collect()
    }

    fn looked_at(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for one in &self.secondary {
            for arm in one.arms.iter().take(ARMS_MAX) {
                let Some(found) = arm.difference.as_ref().and_then(Computed::known) else { continue };
                let interval = or_dash(found.interval.known(), between);
                rows.push(vec![
                    one.measure.clone(),
                    arm.arm.clone(),
                    format!("{} {interval}", signed(found.mean)),
                ]);
            }
        }
        if rows.is_empty() {
            return Vec::new();
        }
        let heading = [String::new(), "Looked at besides; not tested:".to_owned()];
        let difference = format!("less {}", self.primary.baseline);
        heading.into_iter().chain(table(&["measure", "arm", &difference], rows)).collect()
    }
}

impl RuleReport {
    fn markdown(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for pair in &self.pairs {
            lines.push(String::new());
            lines.push(format!(
                "{} against {} by the registered rule: {} won, {} lost, {} undecided: {}",
                pair.treated,
                pair.control,
                pair.wins,
                pair.losses,
                pair.undecided,
                plain(pair.verdict.name())
            ));
            let row = |one: &JudgedCriterion| {
                let [effect, p] = told(&one.contrast);
                vec![one.name.clone(), effect, p, one.outcome.name().to_owned()]
            };
            let rows = pair.criteria.iter().map(row).collect();
            lines.extend(table(&["criterion", "difference", "corrected p", "outcome"], rows));
        }
        lines
    }
}

impl LadderReport {
    fn markdown(&self) -> Vec<String> {
        let rungs = self.rungs.len() > 1;
        let mut rows = Vec::new();
        for one in &self.contrasts {
            for on in &one.rungs {
                let [effect, p] = told(&on.contrast);
                let asked = format!("{}, {}", one.label(), one.measure);
                let from = on.from_primary.as_ref().map_or_else(String::new, |other| told(other)[0].clone());
                let row = [asked, on.rung.clone(), effect, p, from];
                let kept = |(place, cell)| (rungs || ![1, 4].contains(&place)).then_some(cell);
                rows.push(row.into_iter().enumerate().filter_map(kept).collect());
            }
        }
        let all = ["contrast", "rung", "difference", "corrected p", "less the primary rung's"];
        let few = ["contrast", "difference", "corrected p"];
        table(if rungs { &all[..] } else { &few[..] }, rows)
    }
}

impl MapReport {
    fn markdown(&self) -> Vec<String> {
        let cell = |one: &MapCell| told(&one.contrast)[0].clone();
        let row = |cells: &[MapCell]| {
            let name = cells.first().map_or_else(String::new, |cell| cell.y.clone());
            std::iter::once(name).chain(cells.iter().map(cell)).collect()
        };
        let corner = format!("{} \\ {}", self.y.name, self.x.name);
        let columns: Vec<&str> =
            std::iter::once(corner.as_str()).chain(self.x.levels.iter().map(String::as_str)).collect();
        let heading = format!(
            "Map of {} of {}: {} \u{2212} {}; bold is told from 0 after correction over its cells.",
            self.measure, self.cohort, self.treated, self.control
        );
        let rows = self.rows().rev().map(row).collect();
        [String::new(), heading].into_iter().chain(table(&columns, rows)).collect()
    }
}
