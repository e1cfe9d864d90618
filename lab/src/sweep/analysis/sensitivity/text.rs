//! A sensitivity analysis for people.

use super::{KeySensitivity, MeasureSensitivity, MorrisFigures, SensitivityReport, SobolFigures};
use crate::io::text::{Align, figure, or_dash, p_value, percent, table};
use crate::sweep::analysis::sentence::between;
use morta_stats::Computed;
use morta_stats::sensitivity::worlds::Spread;

const LEFT: Align = Align::Left;
const RIGHT: Align = Align::Right;
/// Most keys, pairs and points that are told of on the terminal.
const KEYS_MAX: usize = 40;
const PAIRS_MAX: usize = 12;
const LEFT_OUT_MAX: usize = 5;

impl SensitivityReport {
    /// Lines of text.
    pub fn lines(&self) -> Vec<String> {
        let design = if self.is_morris() { "elementary effects" } else { "Sobol' indices" };
        let mut lines = vec![format!(
            "{design}: {} {}, {} points in {} worlds; {} intervals over rows of the design and worlds",
            self.rows,
            self.rows_name(),
            self.points,
            self.worlds,
            percent(self.confidence)
        )];
        for measure in &self.measures {
            lines.push(String::new());
            lines.extend(measure.lines(self.is_morris()));
        }
        if !self.changed_no_byte.is_empty() {
            lines.push(String::new());
            let names = self.changed_no_byte.join(", ");
            lines.push(format!("changed no byte of any log, here: {names}"));
        }
        lines.extend(self.points_left_out());
        lines
    }

    fn points_left_out(&self) -> Vec<String> {
        let all = &self.left_out;
        if all.is_empty() {
            return Vec::new();
        }
        let heading = format!("left out, because their scenarios can't be: {} points", all.len());
        let mut lines = vec![String::new(), heading];
        lines.extend(all.iter().take(LEFT_OUT_MAX).map(|one| format!("  {}: {}", one.point, one.why)));
        if all.len() > LEFT_OUT_MAX {
            lines.push(format!("  and {} more, in sweep.json", all.len() - LEFT_OUT_MAX));
        }
        lines
    }
}

impl MeasureSensitivity {
    fn lines(&self, is_morris: bool) -> Vec<String> {
        let Self { measure, cohort, unit, keys, .. } = self;
        let mut lines = vec![if is_morris {
            format!(
                "{measure} of {cohort}, in {unit} over a key's whole range; effects on the mean over worlds"
            )
        } else {
            format!("{measure} of {cohort}; shares of the variance of the mean over worlds, luck taken out")
        }];
        let told = keys.iter().take(KEYS_MAX);
        lines.extend(if is_morris {
            let rows: Vec<_> = told.filter_map(|key| Some(morris_row(key, key.morris.as_ref()?))).collect();
            table(&MORRIS, &rows)
        } else {
            let rows: Vec<_> = told.filter_map(|key| Some(sobol_row(key, key.sobol.as_ref()?))).collect();
            table(&SOBOL, &rows)
        });
        if keys.len() > KEYS_MAX {
            lines.push(format!("and {} more keys, in sensitivity.csv", keys.len() - KEYS_MAX));
        }
        lines.extend(self.pair_lines());
        lines.push(String::new());
        lines.extend(self.sentences.iter().cloned());
        lines
    }

    fn pair_lines(&self) -> Vec<String> {
        if self.pairs.is_empty() {
            return Vec::new();
        }
        let row = |pair: &super::PairSensitivity| {
            vec![pair.key.clone(), pair.with.clone(), value(&pair.second), interval(&pair.second)]
        };
        let rows: Vec<Vec<String>> = self.pairs.iter().take(PAIRS_MAX).map(row).collect();
        let columns = [("key", LEFT), ("with", LEFT), ("together", RIGHT), ("interval", RIGHT)];
        [String::new()].into_iter().chain(table(&columns, &rows)).collect()
    }
}

const MORRIS: [(&str, Align); 9] = [
    ("key", LEFT),
    ("range", LEFT),
    ("mu*", RIGHT),
    ("interval", RIGHT),
    ("luck alone", RIGHT),
    ("p, Holm", RIGHT),
    ("mu", RIGHT),
    ("sigma", RIGHT),
    ("mu* in a world", RIGHT),
];

fn morris_row(key: &KeySensitivity, figures: &MorrisFigures) -> Vec<String> {
    vec![
        key.key.clone(),
        key.range.clone(),
        value(&figures.mu_star),
        interval(&figures.mu_star),
        or_dash(key.luck.known(), |luck| figure(luck.threshold)),
        p_value(key.corrected_p),
        value(&figures.mu),
        value(&figures.sigma),
        value(&figures.world_mu_star),
    ]
}

const SOBOL: [(&str, Align); 9] = [
    ("key", LEFT),
    ("range", LEFT),
    ("first", RIGHT),
    ("interval", RIGHT),
    ("total", RIGHT),
    ("interval", RIGHT),
    ("p, Holm", RIGHT),
    ("first in a world", RIGHT),
    ("total in a world", RIGHT),
];

fn sobol_row(key: &KeySensitivity, figures: &SobolFigures) -> Vec<String> {
    vec![
        key.key.clone(),
        key.range.clone(),
        value(&figures.first),
        interval(&figures.first),
        value(&figures.total),
        interval(&figures.total),
        p_value(key.corrected_p),
        value(&figures.world_first),
        value(&figures.world_total),
    ]
}

fn value(found: &Computed<Spread>) -> String {
    or_dash(found.known(), |found| figure(found.value))
}

fn interval(found: &Computed<Spread>) -> String {
    or_dash(found.known(), |found| between(&found.interval))
}
