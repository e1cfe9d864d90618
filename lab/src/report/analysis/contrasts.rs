//! Sections of pre-registered contrasts: rules that count wins, masking ladders (ablations), phase maps and the specification curve
//! (multiverse analysis), as figures and tables of the report. Each section is written only where the analysis has its part. p is corrected
//! within a family: the criteria of one pair of a rule, the primary rung, the other rungs, the differences between rungs, the cells of a
//! map, a whole curve. Differences are treated less control, paired by world, in the unit of their measure. Each has the number of its
//! worlds beside it, because cells lose worlds to failures; the differences between rungs and the specification curve have none.

use super::{effect, estimate, head, p_values};
use crate::io::text::{capitalised, figure, or_dash, percent, signed};
use crate::report::document::Document;
use crate::report::page::PageTable;
use crate::report::plot::Figure;
use crate::report::plot::forest::{Estimate, Forest};
use crate::report::plot::phase::{Phase, PhaseCell, short};
use crate::report::plot::specification::{Specification, SpecificationPoint};
use crate::sweep::analysis::contrast::Contrast;
use crate::sweep::analysis::ladder::{LadderReport, OnRung, RungContrasts};
use crate::sweep::analysis::map::{MapCell, MapReport};
use crate::sweep::analysis::report::Analysis;
use crate::sweep::analysis::rule::{JudgedCriterion, RuleReport};
use crate::sweep::analysis::specification::{SpecificationCurve, Way};
use crate::sweep::measure::label;

/// Writes a section for each part that the analysis has: rule, ladder, map, specification curves (planned contrasts).
pub(super) fn write(document: &mut Document, analysis: &Analysis) {
    if let Some(rule) = &analysis.rule {
        by_rule(document, rule);
    }
    if let Some(ladder) = &analysis.ladder {
        by_rung(document, ladder);
    }
    if let Some(map) = &analysis.map {
        mapped(document, map);
    }
    if let [_, ..] = analysis.specification_curves.as_slice() {
        document.section("Specification curve");
        document.explanation(
            "One question in every way that the design can ask it, from the smallest effect to the largest, with the choices below: an answer that \
             only one of them gives is an answer to that choice. The band is the way that was registered to decide; p is corrected over the \
             whole curve, and blue is told apart.",
        );
        let curves = analysis.specification_curves.iter().enumerate();
        curves.for_each(|(number, curve)| specified(document, number, curve));
    }
}

fn specified(document: &mut Document, number: usize, curve: &SpecificationCurve) {
    let SpecificationCurve { treated, measure, unit, cohort, choices, ways, .. } = curve;
    let apart = |above: bool| {
        let is_so = |way: &&Way| way.contrast.tells_apart() && (way.contrast.effect > Some(0.0)) == above;
        ways.iter().filter(is_so).count()
    };
    document.sentence(format!(
        "{treated} in {measure} of {cohort}, asked in {} ways: the median effect is {} {unit}; {} ways tell it above 0, {} below",
        ways.len(),
        or_dash(curve.median_effect, signed),
        apart(true),
        apart(false)
    ));
    // Ways without an effect have no place on the curve; the table below lists them.
    let point = |way: &Way| {
        Some(SpecificationPoint {
            value: way.contrast.effect?,
            interval: way.contrast.interval.known().map(|interval| (interval.low, interval.high)),
            levels: way.levels.clone(),
            established: way.contrast.tells_apart(),
            registered: way.registered,
        })
    };
    let points: Vec<SpecificationPoint> = ways.iter().filter_map(point).collect();
    let named: Vec<(String, Vec<String>)> =
        choices.iter().map(|choice| (choice.name.clone(), choice.levels.clone())).collect();
    document.figure(
        Specification {
            name: &format!("specification-{}", number + 1),
            title: &format!("{treated} in every way to ask"),
            description: "Mean paired difference over worlds with its t interval at the corrected level, one column for each way to ask; the marks \
                below say which choices it is made of.",
            y_label: &format!("{treated} less the control: {} of {cohort} ({unit})", label(measure)),
            zone: ways.first().and_then(|way| way.contrast.matters),
            choices: &named,
            points: &points,
        }
        .draw(),
    );
    let row = |way: &Way| {
        let levels = choices.iter().zip(&way.levels).map(|(choice, level)| choice.levels[*level].clone());
        let decides = if way.registered { "registered" } else { "" };
        let figures = [way.contrast.in_brief().to_owned(), effect(&way.contrast), p_values(&way.contrast)];
        levels.chain([decides.to_owned()]).chain(figures).collect()
    };
    let names = choices.iter().map(|choice| choice.name.clone());
    let figures = ["", "verdict", "difference", "p (corrected)"].map(str::to_owned);
    document.detail(PageTable {
        caption: format!("Every way to ask of {treated}, the smallest effect first."),
        head: names.chain(figures).collect(),
        rows: ways.iter().map(row).collect(),
        words: choices.len() + 2,
    });
}

/// Worlds, and the means of both arms over them.
fn worlds_and_means(found: &Contrast) -> [String; 3] {
    let mean = |value: Option<f64>| or_dash(value, figure);
    [found.worlds.to_string(), mean(found.treated_mean), mean(found.control_mean)]
}

fn by_rule(document: &mut Document, rule: &RuleReport) {
    document.section("Verdict by rule");
    document.explanation(format!(
        "Registered before the first cell was run: {} wins support the hypothesis, {} losses refute it. Each criterion is decided by \
         its own {}, with {}'s correction over the criteria, at an error rate of {}.",
        rule.wins_needed,
        rule.losses_needed,
        rule.test.in_words(),
        rule.correction.in_words(),
        percent(rule.alpha)
    ));
    for pair in &rule.pairs {
        let row = |one: &JudgedCriterion| {
            let better = one.direction.name();
            let beyond = if one.margin > 0.0 {
                format!("{better}, by {}", figure(one.margin))
            } else {
                better.to_owned()
            };
            let measure = format!("{} of {}, {}", one.measure, one.cohort, one.unit);
            let (name, outcome) = (one.name.clone(), one.outcome.name().to_owned());
            let worlds = one.contrast.worlds.to_string();
            vec![name, outcome, beyond, measure, effect(&one.contrast), p_values(&one.contrast), worlds]
        };
        document.table(PageTable {
            caption: format!(
                "{} less {}, world by world: a criterion is won or lost when the corrected test tells the difference from the margin.",
                pair.treated, pair.control
            ),
            head: head(["criterion", "outcome", "better", "measure", "difference", "p (corrected)", "worlds"]),
            rows: pair.criteria.iter().map(row).collect(),
            words: 4,
        });
    }
}

fn by_rung(document: &mut Document, ladder: &LadderReport) {
    let is_ladder = ladder.rungs.len() > 1;
    document.section(if is_ladder { "Masking ladder" } else { "Contrasts" });
    if is_ladder {
        document.explanation(
            "Other mechanisms can do the same work and hide an effect. On each rung they are switched on or off as it says, and the same \
             arms are run in the same worlds; the registered comparison is made on the primary rung.",
        );
        let primary = |primary: bool| if primary { "primary".to_owned() } else { String::new() };
        document.detail(PageTable {
            caption: "The rungs.".to_owned(),
            head: head(["rung", "what is on and what is off", ""]),
            rows: ladder
                .rungs
                .iter()
                .map(|rung| vec![rung.name.clone(), rung.description.clone(), primary(rung.primary)])
                .collect(),
            words: 3,
        });
    }
    let families = if is_ladder {
        "those on the primary rung are one family, those on the other rungs a second, the differences between rungs a third"
    } else {
        "all of them are one family"
    };
    document.explanation(format!(
        "Differences are paired by world; p is that of the {}, corrected by {}: {families}. Intervals are t intervals at the level that the \
         correction leaves of {}.",
        ladder.test.in_words(),
        ladder.correction.in_words(),
        percent(ladder.confidence)
    ));
    for (number, one) in ladder.contrasts.iter().enumerate() {
        if !one.description.is_empty() {
            document.explanation(format!("{}: {}", one.label(), one.description));
        }
        document.figure(forest(ladder, one, number));
        document.table(rung_table(ladder, one));
    }
}

/// The name of a rung. Without a ladder there is one nameless rung, so the contrast's own name is shown instead.
fn rung_name(ladder: &LadderReport, one: &RungContrasts, on: &OnRung) -> String {
    let is_primary =
        ladder.rungs.len() > 1 && ladder.rungs.iter().any(|rung| rung.primary && rung.name == on.rung);
    match (on.rung.is_empty(), is_primary) {
        (true, _) => one.label(),
        (false, true) => format!("{} (primary)", on.rung),
        (false, false) => on.rung.clone(),
    }
}

fn forest(ladder: &LadderReport, one: &RungContrasts, number: usize) -> Option<Figure> {
    let row = |on: &OnRung| estimate(rung_name(ladder, one, on), &on.contrast, Vec::new());
    let rows: Vec<Estimate> = one.rungs.iter().filter_map(row).collect();
    let by = if ladder.rungs.len() > 1 { " by rung" } else { "" };
    Forest {
        name: &format!("contrast-{}", number + 1),
        title: &format!("{} in {}{by}", one.label(), label(&one.measure)),
        description: "Mean paired difference over worlds with its t interval at the corrected level; rows in blue are told apart by the \
            corrected test.",
        x_label: &format!("difference of {} of {} ({})", label(&one.measure), one.cohort, one.unit),
        zone: one.rungs.first().and_then(|on| on.contrast.matters),
        rows: &rows,
    }
    .draw()
}

fn rung_table(ladder: &LadderReport, one: &RungContrasts) -> PageTable {
    let is_ladder = ladder.rungs.len() > 1;
    let row = |on: &OnRung| {
        let found = &on.contrast;
        let mut row =
            vec![rung_name(ladder, one, on), found.in_brief().to_owned(), effect(found), p_values(found)];
        if is_ladder {
            let beyond = on.from_primary.as_ref().map(|beyond| [effect(beyond), p_values(beyond)]);
            row.extend(beyond.unwrap_or_default());
        }
        row.extend(worlds_and_means(found));
        row
    };
    let (treated, control) = (one.treated.as_str(), one.control.as_str());
    let mut names = vec!["rung", "verdict", "difference", "p (corrected)"];
    if is_ladder {
        names.extend(["less the primary rung's", "p (corrected)"]);
    } else {
        names[0] = "contrast";
    }
    names.extend(["worlds", treated, control]);
    PageTable {
        caption: format!("{} in {} of {}, {}.", one.label(), one.measure, one.cohort, one.unit),
        head: names.into_iter().map(str::to_owned).collect(),
        rows: one.rungs.iter().map(row).collect(),
        words: 2,
    }
}

/// The map as it lies, the topmost row first: a bold cell is distinguished from 0 by the corrected test, a cell in brackets isn't.
fn grid(map: &MapReport) -> PageTable {
    let cell = |one: &MapCell| {
        let effect = or_dash(one.contrast.effect, signed);
        match (one.contrast.tells_apart(), one.contrast.holds_zero()) {
            (true, _) => format!("**{effect}**"),
            (false, true) => format!("({effect})"),
            (false, false) => effect,
        }
    };
    let row = |cells: &[MapCell]| {
        let name = cells.first().map_or_else(String::new, |cell| cell.y.clone());
        std::iter::once(name).chain(cells.iter().map(cell)).collect()
    };
    // The fewest of any cell: cells lose different worlds to failures, and a larger number would promise more than the weakest cell has.
    let worlds = map.cells.iter().map(|cell| cell.contrast.worlds).min().unwrap_or(0);
    PageTable {
        caption: format!(
            "{} \u{2212} {} in {} of {} ({}), {worlds} worlds or more a cell; ** told apart by the corrected test, ( ) the interval holds 0.",
            map.treated, map.control, map.measure, map.cohort, map.unit
        ),
        head: std::iter::once(format!("{} \\ {}", map.y.name, map.x.name))
            .chain(map.x.levels.iter().cloned())
            .collect(),
        rows: map.rows().rev().map(row).collect(),
        words: 1,
    }
}

fn mapped(document: &mut Document, map: &MapReport) {
    document.section("Map");
    let on_rung = map.rung.as_ref().map_or(String::new(), |rung| format!(", on rung {rung} of the ladder"));
    document.explanation(format!(
        "{} less {}, world by world, in {} of {}{on_rung}: at each point of {} and {} by itself; p is that of the {}, corrected by {} over the \
         {} cells. Intervals are t intervals at the level that the correction leaves of {}.",
        map.treated,
        map.control,
        map.measure,
        map.cohort,
        map.x.name,
        map.y.name,
        map.test.in_words(),
        map.correction.in_words(),
        map.cells.len(),
        percent(map.confidence)
    ));
    document.table(grid(map));
    let most = map.cells.iter().filter_map(|cell| cell.contrast.effect).map(f64::abs).fold(0.0, f64::max);
    let cell = |cell: &MapCell| {
        let found = &cell.contrast;
        Some(PhaseCell {
            effect: found.effect?,
            short: short(found.effect?, most),
            tooltip: format!(
                "{} = {}, {} = {}: {}, {} worlds",
                map.x.name,
                cell.x,
                map.y.name,
                cell.y,
                effect(found),
                found.worlds
            ),
            hatched: found.holds_zero(),
            established: found.tells_apart(),
        })
    };
    let cells: Vec<Vec<Option<PhaseCell>>> = map.rows().map(|row| row.iter().map(cell).collect()).collect();
    let correction = map.correction.in_words();
    document.figure(
        Phase {
            name: "map",
            title: &format!(
                "{} of {} less {} by {} and {}",
                capitalised(label(&map.measure)),
                map.treated,
                map.control,
                map.x.name,
                map.y.name
            ),
            description: &format!(
                "Mean paired difference of {} of {} in {}: blue where {} has more, orange where it has less, the stronger the colour, \
                 the larger the difference. Hatched cells are those whose interval holds 0; figures in bold pass the corrected \
                 test; lines join places of the same effect, drawn straight between the middles of cells. The table has every cell.",
                label(&map.measure),
                map.cohort,
                map.unit,
                map.treated
            ),
            x: (&map.x.name, &map.x.levels),
            y: (&map.y.name, &map.y.levels),
            cells: &cells,
            unit: &map.unit,
            hatched: "interval holds 0",
            established: &format!("told apart after {correction} over {} cells", map.cells.len()),
        }
        .draw(),
    );
    let row = |cell: &MapCell| {
        let found = &cell.contrast;
        let sign = found.in_brief().to_owned();
        let mut row = vec![cell.x.clone(), cell.y.clone(), sign, effect(found), p_values(found)];
        row.extend(worlds_and_means(found));
        row
    };
    let (treated, control) = (map.treated.as_str(), map.control.as_str());
    let (x, y) = (map.x.name.as_str(), map.y.name.as_str());
    document.detail(PageTable {
        caption: format!("Every cell: {} of {}, {}.", map.measure, map.cohort, map.unit),
        head: head([x, y, "verdict", "difference", "p (corrected)", "worlds", treated, control]),
        rows: map.cells.iter().map(row).collect(),
        words: 3,
    });
}
