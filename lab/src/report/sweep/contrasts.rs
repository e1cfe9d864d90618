//! Rules that count wins, ladders and maps: what the analysis says of them, as figures and tables.

use super::NONE;
use super::answer::signed;
use crate::io::text::{figure, p_value, percent, plain, range};
use crate::report::page::{Page, Table};
use crate::report::plot::forest::{Estimate, Forest};
use crate::report::plot::phase::{Cell, Phase, short};
use crate::sweep::analysis::contrast::{Contrast, Sign};
use crate::sweep::analysis::ladder::{LadderReport, OnRung, RungContrasts};
use crate::sweep::analysis::map::{MapCell, MapReport};
use crate::sweep::analysis::report::Analysis;
use crate::sweep::analysis::rule::{JudgedCriterion, RuleReport};

/// The sections of what the analysis has.
pub fn write(page: &mut Page, analysis: &Analysis) {
    if let Some(rule) = &analysis.rule {
        by_rule(page, rule);
    }
    if let Some(ladder) = &analysis.ladder {
        by_rung(page, ladder);
    }
    if let Some(map) = &analysis.map {
        mapped(page, map);
    }
}

/// p with the corrected one behind it.
fn p_of(found: &Contrast) -> String {
    let p = |p: Option<&f64>| p.map_or(NONE.to_owned(), |p| p_value(*p));
    format!("{} ({})", p(found.p.known()), p(found.corrected_p.known()))
}

/// Worlds, and the means of both arms over them.
fn worlds_and_means(found: &Contrast) -> [String; 3] {
    let mean = |value: Option<f64>| value.map_or(NONE.to_owned(), figure);
    [found.worlds.to_string(), mean(found.treated_mean), mean(found.control_mean)]
}

const fn sign_name(sign: Sign) -> &'static str {
    match sign {
        Sign::Above => "above 0",
        Sign::Below => "below 0",
        Sign::NotShown => "not shown",
    }
}

/// The effect with its interval.
fn told(found: &Contrast) -> String {
    let effect = found.effect.map_or(NONE.to_owned(), signed);
    found.interval.known().map_or(effect.clone(), |interval| format!("{effect} ({})", range(*interval)))
}

fn by_rule(page: &mut Page, rule: &RuleReport) {
    page.section("Verdict by rule");
    page.paragraph(&format!(
        "Registered before the first cell was run: {} wins support the hypothesis, {} losses refute it. Each criterion is decided by \
         its own {}, with {}'s correction over the criteria, at an error rate of {}.",
        rule.wins_needed,
        rule.losses_needed,
        rule.test.in_words(),
        rule.correction.in_words(),
        percent(rule.alpha)
    ));
    for pair in &rule.pairs {
        page.finding(&format!(
            "{} against {} is {}: {} of {} criteria won, {} lost, {} undecided.",
            pair.treated,
            pair.control,
            plain(pair.verdict.name()),
            pair.wins,
            pair.criteria.len(),
            pair.losses,
            pair.undecided
        ));
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
            vec![name, outcome, beyond, measure, told(&one.contrast), p_of(&one.contrast), worlds]
        };
        let head =
            ["criterion", "outcome", "better", "measure", "difference (interval)", "p (corrected)", "worlds"];
        page.table(&Table {
            caption: format!(
                "{} less {}, world by world. A criterion is won or lost when the corrected test tells the difference from the margin.",
                pair.treated, pair.control
            ),
            head: head.map(str::to_owned).to_vec(),
            rows: pair.criteria.iter().map(row).collect(),
            words: 4,
        });
    }
}

fn by_rung(page: &mut Page, ladder: &LadderReport) {
    let is_ladder = ladder.rungs.len() > 1;
    page.section(if is_ladder { "Masking ladder" } else { "Contrasts" });
    if is_ladder {
        page.paragraph(
            "Other mechanisms can do the same work and hide an effect. On each rung they are switched on or off as it says, and the same \
             arms are run in the same worlds; the registered comparison is made on the primary rung.",
        );
        let primary = |primary: bool| if primary { "primary".to_owned() } else { String::new() };
        page.table(&Table {
            caption: "The rungs.".to_owned(),
            head: ["rung", "what is on and what is off", ""].map(str::to_owned).to_vec(),
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
    page.paragraph(&format!(
        "Differences are paired by world. Intervals are {} t intervals, not corrected; p is that of the {}, corrected by {}: {families}.",
        percent(ladder.confidence),
        ladder.test.in_words(),
        ladder.correction.in_words()
    ));
    for (number, one) in ladder.contrasts.iter().enumerate() {
        if !one.description.is_empty() {
            page.paragraph(&format!("{}: {}", one.label(), one.description));
        }
        page.figure(forest(ladder, one, number));
        page.table(&rung_table(one, is_ladder));
    }
}

fn forest(ladder: &LadderReport, one: &RungContrasts, number: usize) -> Option<crate::report::plot::Figure> {
    let primary = |name: &str| ladder.rungs.iter().any(|rung| rung.primary && rung.name == name);
    let row = |on: &OnRung| {
        let mark = if primary(&on.rung) && ladder.rungs.len() > 1 { " (primary)" } else { "" };
        let name = if on.rung.is_empty() { one.label() } else { format!("{}{mark}", on.rung) };
        Some(Estimate {
            name,
            value: on.contrast.effect?,
            interval: on.contrast.interval.known().map(|interval| (interval.low, interval.high)),
            told: told(&on.contrast),
            established: on.contrast.sign != Sign::NotShown,
        })
    };
    let rows: Vec<Estimate> = one.rungs.iter().filter_map(row).collect();
    let by = if ladder.rungs.len() > 1 { " by rung" } else { "" };
    Forest {
        name: &format!("contrast-{}", number + 1),
        title: &format!("{} in {}{by}", one.label(), one.measure),
        description: &format!(
            "Mean paired difference over worlds with its {} t interval; rows in blue pass the corrected test.",
            percent(ladder.confidence)
        ),
        x_label: &format!("{} of {} ({})", one.measure, one.cohort, one.unit),
        zone: None,
        rows: &rows,
    }
    .draw()
}

fn rung_table(one: &RungContrasts, is_ladder: bool) -> Table {
    let row = |on: &OnRung| {
        let found = &on.contrast;
        let name = if on.rung.is_empty() { one.label() } else { on.rung.clone() };
        let mut row = vec![name, sign_name(found.sign).to_owned(), told(found), p_of(found)];
        if is_ladder {
            let beyond = on.from_primary.as_ref().map(|beyond| [told(beyond), p_of(beyond)]);
            row.extend(beyond.unwrap_or_default());
        }
        row.extend(worlds_and_means(found));
        row
    };
    let (treated, control) = (one.treated.as_str(), one.control.as_str());
    let mut head = vec!["rung", "finding", "difference (interval)", "p (corrected)"];
    if is_ladder {
        head.extend(["less the primary rung's", "p (corrected)"]);
    } else {
        head[0] = "contrast";
    }
    head.extend(["worlds", treated, control]);
    Table {
        caption: format!("{} in {} of {}, {}.", one.label(), one.measure, one.cohort, one.unit),
        head: head.into_iter().map(str::to_owned).collect(),
        rows: one.rungs.iter().map(row).collect(),
        words: 2,
    }
}

fn mapped(page: &mut Page, map: &MapReport) {
    page.section("Map");
    let on_rung = map.rung.as_ref().map_or(String::new(), |rung| format!(", on rung {rung} of the ladder"));
    page.paragraph(&format!(
        "{} less {}, world by world, in {} of {}{on_rung}: at each point of {} and {} by itself. Intervals are {} t intervals, not \
         corrected; p is that of the {}, corrected by {} over the {} cells.",
        map.treated,
        map.control,
        map.measure,
        map.cohort,
        map.x.name,
        map.y.name,
        percent(map.confidence),
        map.test.in_words(),
        map.correction.in_words(),
        map.cells.len()
    ));
    let most = map.cells.iter().filter_map(|cell| cell.contrast.effect).map(f64::abs).fold(0.0, f64::max);
    let cell = |cell: &MapCell| {
        let found = &cell.contrast;
        Some(Cell {
            effect: found.effect?,
            short: short(found.effect?, most),
            told: format!(
                "{} = {}, {} = {}: {}, {} worlds",
                map.x.name,
                cell.x,
                map.y.name,
                cell.y,
                told(found),
                found.worlds
            ),
            hatched: found.holds_zero(),
            established: found.sign != Sign::NotShown,
        })
    };
    let cells: Vec<Vec<Option<Cell>>> = map.rows().map(|row| row.iter().map(cell).collect()).collect();
    let (level, correction) = (percent(map.confidence), map.correction.in_words());
    page.figure(
        Phase {
            name: "map",
            title: &format!("{} \u{2212} {} by {} and {}", map.treated, map.control, map.x.name, map.y.name),
            description: &format!(
                "Mean paired difference of {} of {} in {}: blue where {} has more, orange where it has less, the stronger the colour, \
                 the larger the difference. Hatched cells are those whose {level} interval holds 0; figures in bold pass the corrected \
                 test; lines join places of the same effect, drawn straight between the middles of cells. The table has every cell.",
                map.measure, map.cohort, map.unit, map.treated
            ),
            x: (&map.x.name, &map.x.levels),
            y: (&map.y.name, &map.y.levels),
            cells: &cells,
            unit: &map.unit,
            hatched: &format!("{level} interval holds 0"),
            established: &format!("told from 0 after {correction} over {} cells", map.cells.len()),
        }
        .draw(),
    );
    let row = |cell: &MapCell| {
        let found = &cell.contrast;
        let sign = sign_name(found.sign).to_owned();
        let mut row = vec![cell.x.clone(), cell.y.clone(), sign, told(found), p_of(found)];
        row.extend(worlds_and_means(found));
        row
    };
    let (treated, control) = (map.treated.as_str(), map.control.as_str());
    let (x, y) = (map.x.name.as_str(), map.y.name.as_str());
    let head = [x, y, "finding", "difference (interval)", "p (corrected)", "worlds", treated, control];
    page.table(&Table {
        caption: format!("Every cell: {} of {}, {}.", map.measure, map.cohort, map.unit),
        head: head.map(str::to_owned).to_vec(),
        rows: map.cells.iter().map(row).collect(),
        words: 3,
    });
}
