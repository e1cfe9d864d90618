//! The sections of a sensitivity analysis: Morris screening (elementary effects) and Sobol indices of measures to keys, as ranked bars,
//! scatter plots, tables and sentences. Indices are shares of a measure's variance, 0 to 1 but for estimation error; Morris effects are in
//! its unit, over a key's whole range: μ is signed, μ* and σ aren't. p is against luck, corrected by Holm over the keys of a measure. The
//! size that luck alone makes is marked for Morris effects where it is known, because a key that merely sends a world down another path has
//! effects too. All figures are computed by `crate::sweep::analysis::sensitivity`.

use crate::io::text::{between, capitalised, figure, or_dash, p_value, percent};
use crate::report::document::Document;
use crate::report::page::PageTable;
use crate::report::plot::Figure;
use crate::report::plot::ranked::{Ranked, RankedBar, RankedBars};
use crate::report::plot::scatter::{Scatter, ScatterPoint};
use crate::sweep::analysis::sensitivity::{
    ALPHA, KeySensitivity, MeasureSensitivity, MorrisFigures, SensitivityReport, SobolFigures,
};
use crate::sweep::measure::label;
use morta_stats::Computed;
use morta_stats::sensitivity::worlds::FigureSpread;

/// Most keys of a figure, and most pairs of a table. Our choice: a screening of all keys has hundreds, and those that don't move the measure are of no interest
/// in a figure; `sensitivity.parquet` has all.
const FIGURE_MAX: usize = 40;
const PAIRS_MAX: usize = 30;
/// Most points that are listed one by one (our choice: about a screen); the first of them show the reason, and the number of all is stated.
const LEFT_OUT_MAX: usize = 20;

/// Writes the sections: method, each measure, keys that change nothing, points left out (Morris and Sobol results).
pub(super) fn write(document: &mut Document, report: &SensitivityReport) {
    document.section("Method");
    document.sentence(design(report));
    document.explanation(method(report));
    for (place, measure) in report.measures.iter().enumerate() {
        document.section(format!("What moves {}", measure.measure));
        measure.sentences.iter().for_each(|said| document.finding(format!("{}.", capitalised(said))));
        document.figure(bars(report, measure, place));
        document.figure(scatter(report, measure, place));
        document.table(keys(report, measure));
        if measure.keys.len() > FIGURE_MAX {
            document.note(format!(
                "Figures show {FIGURE_MAX} of {} keys; the table has all.",
                measure.keys.len()
            ));
        }
        if !measure.pairs.is_empty() {
            document.table(pairs(report, measure));
        }
    }
    still(document, report);
    left_out(document, report);
}

/// What was lived, in a line.
fn design(report: &SensitivityReport) -> String {
    let design = if report.is_morris() { "elementary effects" } else { "Sobol' indices" };
    format!(
        "{design}: {} {}, {} points in {} worlds; {} intervals over rows of the design and worlds",
        report.rows,
        report.rows_name(),
        report.points,
        report.worlds,
        percent(report.confidence)
    )
}

fn method(report: &SensitivityReport) -> String {
    let (rows, points, worlds) = (report.rows, report.points, report.worlds);
    let lived = format!("{points} points, each lived in the same {worlds} worlds");
    if report.is_morris() {
        format!(
            "{rows} trajectories, {lived}: each moves every key once. An elementary effect is by how much a measure would change over a \
             key's whole range. μ* is the mean of the sizes of effects: how much a key matters. μ is their mean, so its sign tells the \
             direction. σ is their standard deviation: where it is large, the effect is curved or depends on other keys. Effects are on the \
             mean over worlds. A key that merely reshuffles luck has some μ* too, so each is held against what would be left of its effects \
             were their signs drawn by lot."
        )
    } else {
        format!(
            "{rows} base samples, {lived}. The first-order index is the share of a measure's variance that a key makes alone, the total index \
             that with everything it does together with others; what the total has more is interaction. Both are of the mean over worlds, with what \
             luck adds taken out. Within a world, a key that merely reshuffles luck looks like one that acts together with all others."
        )
    }
}

fn bar(found: &Computed<FigureSpread>) -> Option<RankedBar> {
    found
        .known()
        .map(|found| RankedBar { value: found.value, interval: (found.interval.low, found.interval.high) })
}

/// A row of the ranked bars. Only μ* has a mark of luck: it is a mean of absolute values, which luck alone makes larger than 0, where Sobol' indices of the
/// mean have luck taken out.
fn ranked(key: &KeySensitivity) -> Ranked {
    let (bars, mark, value_text) = match (&key.morris, &key.sobol) {
        (Some(one), _) => {
            let mark = key.luck.known().map(|luck| luck.threshold).filter(|threshold| *threshold > 0.0);
            (vec![bar(&one.mu_star)], mark, value(&one.mu_star))
        }
        (_, Some(one)) => {
            let (first, total) = (one.usual_first(), one.usual_total());
            (vec![bar(first), bar(total)], None, format!("{}, {}", value(first), value(total)))
        }
        _ => (Vec::new(), None, String::new()),
    };
    Ranked { name: key.key.clone(), bars, mark, value_text, established: key.matters() }
}

fn bars(report: &SensitivityReport, measure: &MeasureSensitivity, place: usize) -> Option<Figure> {
    let rows: Vec<Ranked> = measure.keys.iter().take(FIGURE_MAX).map(ranked).collect();
    let (kinds, mark): (&[&str], _) = if report.is_morris() {
        (&["μ* of the mean over worlds"], "what luck alone would leave")
    } else {
        (&["first order: alone", "total: with interactions"], "")
    };
    let marks = rows.iter().any(|row| row.mark.is_some());
    let x_label = if report.is_morris() {
        format!(
            "μ* of {} of {} ({} over a key's range)",
            label(&measure.measure),
            measure.cohort,
            measure.unit
        )
    } else {
        format!("share of the variance of {} of {}", label(&measure.measure), measure.cohort)
    };
    RankedBars {
        name: &format!("sensitivity-{}", place + 1),
        title: &format!("What moves {} of {}", label(&measure.measure), measure.cohort),
        description: &format!(
            "{} Whiskers are {} intervals over both {} and worlds. Names in bold: p of luck alone at most {ALPHA} after Holm's correction for {} \
             keys.",
            if report.is_morris() {
                "Mean size of elementary effects on the mean over worlds, largest first; the dark mark is what luck alone would leave."
            } else {
                "First-order and total index of each key, the largest total first."
            },
            percent(report.confidence),
            report.rows_name(),
            measure.keys.len()
        ),
        x_label: &x_label,
        kinds,
        mark: if marks { mark } else { "" },
        rows: &rows,
    }
    .draw()
}

/// μ* against σ, the plot of Morris (1991): a key on the line σ = μ* has effects of either sign or of very different sizes. One world has no σ beyond luck, so
/// σ within the world is drawn instead, and the label says so.
fn scatter(report: &SensitivityReport, measure: &MeasureSensitivity, place: usize) -> Option<Figure> {
    let of_mean = report.worlds > 1;
    let point = |key: &KeySensitivity| {
        let one = key.morris.as_ref()?;
        let sigma = if of_mean { &one.sigma } else { &one.world_sigma };
        let (x, y) = (one.mu_star.known()?.value, sigma.known()?.value);
        Some(ScatterPoint { name: key.key.clone(), x, y, established: key.matters() })
    };
    let points: Vec<ScatterPoint> = measure.keys.iter().take(FIGURE_MAX).filter_map(point).collect();
    let luck = if of_mean { " beyond luck" } else { ", luck included" };
    Scatter {
        name: &format!("sensitivity-{}-spread", place + 1),
        title: &format!("How much, and how evenly, keys move {}", label(&measure.measure)),
        description: &format!(
            "μ* against σ{luck}. Far to the right: it matters. Far below the dotted line σ = μ*: it does the same wherever it and the others \
             stand; near it or above: curved, or together with others."
        ),
        x_label: &format!("μ* ({})", measure.unit),
        y_label: &format!("σ{luck} ({})", measure.unit),
        line: "σ = μ*",
        points: &points,
    }
    .draw()
}

fn value(found: &Computed<FigureSpread>) -> String {
    or_dash(found.known(), |found| figure(found.value))
}

fn interval(found: &Computed<FigureSpread>) -> String {
    or_dash(found.known(), |found| between(&found.interval))
}

fn keys(report: &SensitivityReport, measure: &MeasureSensitivity) -> PageTable {
    let morris = |key: &KeySensitivity, one: &MorrisFigures| {
        let luck = or_dash(key.luck.known(), |luck| figure(luck.threshold));
        let p = p_value(key.corrected_p);
        let (mu_star, mu, sigma) = (value(&one.mu_star), value(&one.mu), value(&one.sigma));
        vec![
            mu_star,
            interval(&one.mu_star),
            luck,
            p,
            mu,
            interval(&one.mu),
            sigma,
            value(&one.world_mu_star),
        ]
    };
    let sobol = |key: &KeySensitivity, one: &SobolFigures| {
        let p = p_value(key.corrected_p);
        let (first, total) = (value(&one.first), value(&one.total));
        let within = format!("{}, {}", value(&one.world_first), value(&one.world_total));
        vec![first, interval(&one.first), total, interval(&one.total), value(&one.interaction), p, within]
    };
    let row = |key: &KeySensitivity| {
        let figures = key.morris.as_ref().map(|one| morris(key, one));
        let figures = figures.or_else(|| key.sobol.as_ref().map(|one| sobol(key, one)));
        [key.key.clone(), key.range.clone()].into_iter().chain(figures.unwrap_or_default()).collect()
    };
    let head: &[&str] = if report.is_morris() {
        &["key", "range", "μ*", "interval", "luck alone", "p (Holm)", "μ", "interval", "σ", "μ* in a world"]
    } else {
        &["key", "range", "first", "interval", "total", "interval", "total − first", "p (Holm)", "in a world"]
    };
    let unit = if report.is_morris() { measure.unit.as_str() } else { "shares of variance" };
    PageTable {
        caption: format!(
            "{} of {}, in {unit}: {} intervals; “in a world” is the mean over worlds of the figure in each.",
            measure.measure,
            measure.cohort,
            percent(report.confidence)
        ),
        head: head.iter().map(|name| (*name).to_owned()).collect(),
        rows: measure.keys.iter().map(row).collect(),
        words: 2,
    }
}

fn pairs(report: &SensitivityReport, measure: &MeasureSensitivity) -> PageTable {
    let row = |pair: &crate::sweep::analysis::sensitivity::PairSensitivity| {
        vec![pair.key.clone(), pair.with.clone(), value(&pair.second), interval(&pair.second)]
    };
    PageTable {
        caption: format!(
            "Second-order indices of {} within a world, averaged over worlds: what two keys do together beyond what each does alone; {} \
             intervals. The {} largest of {}.",
            measure.measure,
            percent(report.confidence),
            measure.pairs.len().min(PAIRS_MAX),
            measure.pairs.len()
        ),
        head: ["key", "with", "together", "interval"].map(str::to_owned).to_vec(),
        rows: measure.pairs.iter().take(PAIRS_MAX).map(row).collect(),
        words: 2,
    }
}

fn still(document: &mut Document, report: &SensitivityReport) {
    document.section("Keys that change nothing here");
    if report.changed_no_byte.is_empty() {
        document.sentence("Every key changed the log of some world.");
    } else {
        document.sentence(format!(
            "Moving these changed no byte of any log, so whatever they stand for never happens in this scenario: {}.",
            report.changed_no_byte.join(", ")
        ));
    }
}

fn left_out(document: &mut Document, report: &SensitivityReport) {
    if report.left_out.is_empty() {
        return;
    }
    document.section("Points left out");
    document.sentence(format!(
        "The scenarios of {} points can't be, because keys that go together were drawn apart; what would be read off them is dropped.",
        report.left_out.len()
    ));
    document.table(PageTable {
        caption: format!("The first {} of them.", report.left_out.len().min(LEFT_OUT_MAX)),
        head: ["point", "why"].map(str::to_owned).to_vec(),
        rows: report
            .left_out
            .iter()
            .take(LEFT_OUT_MAX)
            .map(|one| vec![one.point.clone(), one.why.clone()])
            .collect(),
        words: 2,
    });
}
