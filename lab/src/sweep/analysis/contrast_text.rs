//! Rules, ladders and maps for people at a terminal.

use super::contrast::{Contrast, Sign};
use super::ladder::LadderReport;
use super::map::MapReport;
use super::rule::{JudgedCriterion, JudgedPair, RuleReport};
use super::sentence::{between, signed};
use crate::io::text::{Align, figure, or_dash, p_value, percent, plain, table};

const LEFT: Align = Align::Left;
const RIGHT: Align = Align::Right;
/// Most columns of a map on the terminal.
const COLUMNS_MAX: usize = 12;

/// Effect, interval and both p, as cells of a row.
fn figures(found: &Contrast) -> [String; 4] {
    [
        or_dash(found.effect, signed),
        or_dash(found.interval.known(), between),
        or_dash(found.p.known(), |p| p_value(*p)),
        or_dash(found.corrected_p.known(), |p| p_value(*p)),
    ]
}

impl RuleReport {
    /// Lines of text.
    pub fn lines(&self) -> Vec<String> {
        self.pairs.iter().flat_map(|pair| self.of_pair(pair)).collect()
    }

    fn of_pair(&self, pair: &JudgedPair) -> Vec<String> {
        let JudgedPair { treated, control, criteria, wins, losses, undecided, verdict } = pair;
        let row = |one: &JudgedCriterion| {
            let [effect, interval, p, corrected] = figures(&one.contrast);
            let better = one.direction.name();
            let margin = if one.margin > 0.0 { figure(one.margin) } else { String::new() };
            let worlds = one.contrast.worlds.to_string();
            let outcome = one.outcome.name().to_owned();
            vec![one.name.clone(), better.to_owned(), margin, worlds, effect, interval, p, corrected, outcome]
        };
        let columns = [
            ("criterion", LEFT),
            ("better", LEFT),
            ("margin", RIGHT),
            ("worlds", RIGHT),
            ("difference", RIGHT),
            ("interval", RIGHT),
            ("p", RIGHT),
            (self.correction.in_brief(), RIGHT),
            ("outcome", LEFT),
        ];
        let needed = format!(
            "{} wins of {} support, {} losses refute",
            self.wins_needed,
            criteria.len(),
            self.losses_needed
        );
        let heading = format!(
            "{treated} against {control} by the registered rule ({needed}): {wins} won, {losses} lost, {undecided} undecided: {}",
            plain(verdict.name())
        );
        let rows: Vec<Vec<String>> = criteria.iter().map(row).collect();
        [String::new(), heading].into_iter().chain(table(&columns, &rows)).collect()
    }
}

impl LadderReport {
    /// Lines of text.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for one in &self.contrasts {
            lines.push(String::new());
            lines.push(format!("{} in {} of {}, {}", one.label(), one.measure, one.cohort, one.unit));
            let row = |on_rung: &super::ladder::OnRung| {
                let primary = self.rungs.iter().any(|rung| rung.primary && rung.name == on_rung.rung);
                let [effect, interval, p, corrected] = figures(&on_rung.contrast);
                let other = on_rung.from_primary.as_ref();
                vec![
                    format!(
                        "{}{}",
                        on_rung.rung,
                        if primary && self.rungs.len() > 1 { " (primary)" } else { "" }
                    ),
                    on_rung.contrast.worlds.to_string(),
                    effect,
                    interval,
                    p,
                    corrected,
                    other.map_or(String::new(), |one| figures(one)[0].clone()),
                    other.map_or(String::new(), |one| figures(one)[1].clone()),
                ]
            };
            let columns = [
                ("rung", LEFT),
                ("worlds", RIGHT),
                ("difference", RIGHT),
                ("interval", RIGHT),
                ("p", RIGHT),
                (self.correction.in_brief(), RIGHT),
                ("less primary's", RIGHT),
                ("interval", RIGHT),
            ];
            // Without other rungs there is nothing to be held against the primary one.
            let kept = if self.rungs.len() > 1 { columns.len() } else { columns.len() - 2 };
            let rows: Vec<Vec<String>> = one.rungs.iter().map(|on| row(on)[..kept].to_vec()).collect();
            lines.extend(table(&columns[..kept], &rows));
        }
        lines
    }
}

impl MapReport {
    /// Lines of text: the topmost row first. A value in brackets is one whose interval holds 0; a star says that the corrected test
    /// tells it from 0.
    pub fn lines(&self) -> Vec<String> {
        let cell = |one: &super::map::MapCell| {
            let Some(effect) = one.contrast.effect else { return "-".to_owned() };
            match one.contrast.sign {
                Sign::Above | Sign::Below => format!("{}*", signed(effect)),
                Sign::NotShown if one.contrast.holds_zero() => format!("({})", signed(effect)),
                Sign::NotShown => format!("{} ", signed(effect)),
            }
        };
        let shown = self.x.levels.len().min(COLUMNS_MAX);
        let corner = format!("{} \\ {}", self.y.name, self.x.name);
        let mut columns = vec![(corner.as_str(), RIGHT)];
        columns.extend(self.x.levels.iter().take(shown).map(|level| (level.as_str(), RIGHT)));
        let row = |cells: &[super::map::MapCell]| {
            let name = cells.first().map_or(String::new(), |cell| cell.y.clone());
            std::iter::once(name).chain(cells.iter().take(shown).map(cell)).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = self.rows().rev().map(row).collect();
        let worlds = self.cells.iter().map(|cell| cell.contrast.worlds).min().unwrap_or(0);
        let on_rung = self.rung.as_ref().map_or(String::new(), |rung| format!(" on rung {rung}"));
        let mut lines = vec![
            String::new(),
            format!(
                "map of {} of {}: {} \u{2212} {}{on_rung}, {}; {worlds} worlds or more a cell",
                self.measure, self.cohort, self.treated, self.control, self.unit
            ),
            format!(
                "(in brackets) the {} interval holds 0; * told from 0 after {} over {} cells",
                percent(self.confidence),
                self.correction.in_brief(),
                self.cells.len()
            ),
        ];
        lines.extend(table(&columns, &rows));
        if shown < self.x.levels.len() {
            lines.push(format!("and {} more columns, in analysis.json", self.x.levels.len() - shown));
        }
        lines
    }
}
