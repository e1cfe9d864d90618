//! The page of a sweep.

mod answer;
mod asked;
mod contrasts;
mod data;
mod grid;
mod learning;
mod profile;
mod sensitivity;

use super::page::{Page, Table};
use super::plot::Figure as Plot;
use super::plot::forest::{Estimate, Forest};
use super::survival::Lives;
use crate::io::error::Result;
use crate::io::table::{Rows, selection};
use crate::io::text::{figure, p_is, p_value, percent, range};
use crate::run::run_folder::Life;
use crate::sweep::analysis::report::{Analysis, ArmReport, Finding as Found};
use crate::sweep::measure::{EVERYBODY, find};
use crate::sweep::sweep_folder::tables::OfCell;
use answer::{Answer, Finding, Question, analysis, answers, differences, signed};
use data::SweepData;
use morta_stats::Summary;
use morta_stats::t_test::paired_t;
use std::path::Path;

const NONE: &str = "\u{2013}";
/// Most verdicts that are written out; the table has all.
const SENTENCES_MAX: usize = 12;
/// Most rows of the forest plot.
const FOREST_MAX: usize = 60;
/// Most failed cells that are told of one by one.
const FAILURES_MAX: usize = 30;

/// Writes the page of the sweep in a folder.
///
/// # Errors
/// When a table that should be there is missing, or one is damaged.
pub fn page(dir: &Path) -> Result<Page> {
    let data = SweepData::read(dir)?;
    let question = Question::of(&data);
    let analysis = analysis(&data)?;
    let compared = compared(&data, &question);
    let mut answers = answers(&data, &question, analysis.as_ref());
    answers.retain(|answer| compared.contains(&answer.arm));
    let mut page = Page::new(&data.manifest.name, "Morta sweep", &data.file.description);
    asked::state(&mut page, &data);
    asked::write(&mut page, &data, &question, &compared);
    if data.file.sensitivity().is_some() {
        match analysis.as_ref().and_then(|analysis| analysis.sensitivity.as_ref()) {
            Some(report) => sensitivity::write(&mut page, report),
            None => page.note("Nothing is known yet: the sweep's analysis is written when it stops or ends."),
        }
        failures(&mut page, &data);
        asked::reproduce(&mut page, &data);
        return Ok(page);
    }
    verdicts(&mut page, &data, &question, &answers, analysis.as_ref());
    if let Some(analysis) = &analysis {
        contrasts::write(&mut page, analysis);
        if let Some(found) = &analysis.profile {
            profile::write(&mut page, found);
        }
    }
    let mut order: Vec<usize> = compared.into_iter().filter(|arm| *arm != question.baseline).collect();
    order.insert(0, question.baseline);
    page.section("Survival");
    survival(&mut page, &data, &question, &order)?;
    page.section("Learning");
    learning::write(&mut page, &data, &question.cohort, &order, question.level())?;
    secondary(&mut page, &data, &question, &order);
    cost(&mut page, &data, &order);
    failures(&mut page, &data);
    asked::reproduce(&mut page, &data);
    Ok(page)
}

/// The arms that are held against the baseline: of a sensitivity analysis none, with a ladder or a map those that stand where it does. The others are in the sections of
/// ladder and map.
fn compared(data: &SweepData, question: &Question) -> Vec<usize> {
    if data.file.sensitivity().is_some() {
        Vec::new()
    } else if data.file.has_points() {
        data.file.layout().beside(question.baseline)
    } else {
        (0..data.manifest.arms.len()).collect()
    }
}

fn verdicts(
    page: &mut Page,
    data: &SweepData,
    question: &Question,
    answers: &[Answer],
    analysis: Option<&Analysis>,
) {
    page.section("Verdict");
    let baseline = &data.manifest.arms[question.baseline].name;
    if !question.registered {
        page.note(
            "Nothing was registered before the sweep was run: what follows describes, and nothing is tested.",
        );
    }
    if !data.knows(&question.measure) {
        page.note(&format!("{} can't be told: no result has it.", question.measure));
        return;
    }
    let compared: Vec<&Answer> = answers.iter().filter(|answer| answer.difference.is_some()).collect();
    if answers.len() == 1 {
        page.note("There is one arm only, so nothing is compared.");
    }
    match analysis {
        None => page.note("There is no verdict yet: the sweep's analysis is written when it stops or ends."),
        Some(analysis) => {
            sentences(page, analysis);
            closeness(page, analysis);
            ranks(page, analysis);
        }
    }
    page.figure(forest(question, &compared, baseline));
    if compared.len() > FOREST_MAX {
        page.note(&format!(
            "The plot shows {FOREST_MAX} of {} comparisons; the table has all.",
            compared.len()
        ));
    }
    page.table(&all_arms(question, answers, baseline));
    let lost: usize = compared.iter().filter_map(|a| a.difference.as_ref()).map(|d| d.unpaired).sum();
    if lost > 0 {
        page.note(&format!(
            "Comparisons leave out worlds in which only one of the two arms has a value: {lost} values in all."
        ));
    }
    page.figure(grid::heat_map(data, question, answers));
}

/// As the analysis has them: those that settle something first, when there are many.
fn sentences(page: &mut Page, analysis: &Analysis) {
    let all = &analysis.sentences;
    let settled = |arm: &ArmReport| {
        let judged = arm.difference.as_ref().and_then(|found| found.known()?.judged.as_ref());
        judged.is_some_and(|judged| matches!(judged.finding, Found::Better | Found::Worse))
    };
    let of_arms = analysis.primary.arms.iter().filter(|arm| arm.difference.is_some());
    let told: Vec<&String> = if all.len() <= SENTENCES_MAX {
        all.iter().collect()
    } else {
        all.iter()
            .zip(of_arms)
            .filter(|(_, arm)| settled(arm))
            .map(|(said, _)| said)
            .take(SENTENCES_MAX)
            .collect()
    };
    told.iter().for_each(|said| page.finding(said));
    if told.len() < all.len() {
        let left = all.len() - told.len();
        page.paragraph(&format!(
            "Of the {} comparisons, the other {left} are in the table below.",
            all.len()
        ));
    }
}

/// How far each arm has come from the baseline to the registered upper bound.
fn closeness(page: &mut Page, analysis: &Analysis) {
    let primary = &analysis.primary;
    let known = |arm: &ArmReport| Some((arm.arm.clone(), *arm.share_of_gap.as_ref()?.known()?));
    let rows: Vec<Estimate> = primary
        .arms
        .iter()
        .filter_map(known)
        .map(|(name, share)| Estimate {
            name,
            value: share.value,
            interval: Some((share.interval.low, share.interval.high)),
            told: format!("{} ({})", figure(share.value), range(share.interval)),
            established: share.interval.low > 0.0,
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    page.figure(
        Forest {
            name: "share-of-gap",
            title: "Share of the gap between baseline and upper bound",
            description: &format!(
                "0 is {}, 1 the registered upper bound; {} intervals of resampled worlds. Rows in blue lie above 0.",
                primary.baseline,
                percent(primary.confidence)
            ),
            x_label: &format!("share of the gap in {} of {}", primary.measure, primary.cohort),
            zone: None,
            rows: &rows,
        }
        .draw(),
    );
}

/// Arms by their mean rank within worlds.
fn ranks(page: &mut Page, analysis: &Analysis) {
    let primary = &analysis.primary;
    let Some(ranking) = primary.ranking.as_ref().and_then(|ranking| ranking.known()) else { return };
    let mut order: Vec<usize> = (0..ranking.mean_ranks.len()).collect();
    order.sort_by(|a, b| ranking.mean_ranks[*a].value.total_cmp(&ranking.mean_ranks[*b].value));
    let row = |arm: &usize| {
        let rank = &ranking.mean_ranks[*arm];
        vec![primary.arms[*arm].arm.clone(), figure(rank.value), range(rank.interval)]
    };
    page.table(&Table {
        caption: format!(
            "Ranks within {} worlds in {} of {}, 1 is best: mean and {} interval of resampled worlds. Friedman's test that all \
             arms are alike: {}.",
            ranking.worlds,
            primary.measure,
            primary.cohort,
            percent(primary.confidence),
            p_is(ranking.p)
        ),
        head: ["arm", "mean rank", "interval"].map(str::to_owned).to_vec(),
        rows: order.iter().map(row).collect(),
        words: 1,
    });
}

fn forest(question: &Question, compared: &[&Answer], baseline: &str) -> Option<Plot> {
    let row = |answer: &&Answer| {
        let difference = answer.difference.as_ref()?;
        Some(Estimate {
            name: answer.name.clone(),
            value: difference.mean,
            interval: difference.interval.known().map(|interval| (interval.low, interval.high)),
            told: difference.told(),
            established: matches!(difference.finding, Finding::Better | Finding::Worse),
        })
    };
    let rows: Vec<Estimate> = compared.iter().take(FOREST_MAX).filter_map(row).collect();
    let zone = question.effect_of_interest.map_or(String::new(), |zone| {
        format!(" Differences within the shaded zone, ±{zone}, would not matter.")
    });
    Forest {
        name: "differences",
        title: &format!("Differences of {} from {baseline}", question.measure),
        description: &format!(
            "Mean paired difference over worlds with its {} t interval, not corrected for the number of comparisons; rows in \
             blue pass the corrected test.{zone}",
            percent(question.level())
        ),
        x_label: &format!("difference of {} of {} ({})", question.measure, question.cohort, question.unit),
        zone: question.effect_of_interest,
        rows: &rows,
    }
    .draw()
}

fn all_arms(question: &Question, answers: &[Answer], baseline: &str) -> Table {
    let row = |answer: &Answer| {
        let (worlds, mean) = answer.own.as_ref().map_or(("0".to_owned(), NONE.to_owned()), |own| {
            let spread = own.standard_deviation.map_or(String::new(), |sd| format!(" ± {}", figure(sd)));
            (own.count.to_string(), format!("{}{spread}", figure(own.mean)))
        });
        let mut row = vec![answer.name.clone(), worlds, mean];
        let Some(difference) = &answer.difference else {
            let why = if answer.arm == question.baseline { "baseline" } else { "no world in common" };
            row.push(why.to_owned());
            row.resize(8, String::new());
            return row;
        };
        row.push(signed(difference.mean));
        row.push(difference.interval.known().map_or(NONE.to_owned(), |interval| range(*interval)));
        let p = difference.p.map_or(NONE.to_owned(), p_value);
        let corrected = difference.corrected_p.map_or(NONE.to_owned(), p_value);
        row.push(format!("{p} ({corrected})"));
        row.push(difference.effect_size.known().map_or(NONE.to_owned(), |d| figure(*d)));
        row.push(difference.finding.name().to_owned());
        row
    };
    let head = ["arm", "worlds", "mean ± SD", "difference", "interval", "p (corrected)", "d_z", "finding"];
    let unit = question.unit;
    Table {
        caption: format!(
            "{} of {} in {unit}: mean and standard deviation over worlds; paired difference from {baseline} with its {} t \
             interval; p of the {} and after {}'s correction; Cohen's d_z of the differences; alike: all of the interval \
             is within the effect of interest.",
            question.measure,
            question.cohort,
            percent(question.level()),
            question.test.in_words(),
            question.correction.in_words()
        ),
        head: head.map(str::to_owned).to_vec(),
        rows: answers.iter().map(row).collect(),
        words: 1,
    }
}

selection! {
    struct ArmOf of OfCell {
        arm: String,
    }
}

selection! {
    struct Lifetime of Life {
        cohort: String,
        lifespan_ticks: u64,
        censored: bool,
    }
}

fn survival(page: &mut Page, data: &SweepData, question: &Question, order: &[usize]) -> Result<()> {
    let Some(path) = data.table("lives.parquet")? else {
        page.note("There are no survival curves: lives.parquet is written when a sweep with a finished cell stops or ends.");
        return Ok(());
    };
    let registered = data.file.preregistration.as_ref().and_then(|registered| registered.survival.as_ref());
    let cohort = registered.map_or(&question.cohort, |survival| &survival.cohort);
    page.paragraph(&format!("Lives of {cohort}."));
    let arms = data.arms();
    let mut lives = Lives::of(order.iter().map(|arm| data.manifest.arms[*arm].name.clone()));
    for life in Rows::<(ArmOf, Lifetime)>::open(&path)? {
        let (ArmOf { arm }, life) = life?;
        let place = arms.get(arm.as_str()).and_then(|arm| order.iter().position(|known| known == arm));
        if let Some(place) = place.filter(|_| cohort == EVERYBODY || life.cohort == *cohort) {
            lives.add(place, life.lifespan_ticks, !life.censored);
        }
    }
    lives.write(page, question.level(), "arm", true)
}

/// A cell of a table: a mean over worlds, and the difference from the baseline with its interval.
fn mean_and_difference(data: &SweepData, question: &Question, arm: usize, measure: &str) -> String {
    let own = data.values(arm, &question.cohort, measure);
    let plain: Vec<f64> = own.values().copied().collect();
    let Ok(summary) = Summary::of(measure, &plain) else { return NONE.to_owned() };
    let mean = figure(summary.mean);
    if arm == question.baseline {
        return mean;
    }
    let base = data.values(question.baseline, &question.cohort, measure);
    match paired_t(&differences(&own, &base), question.level()) {
        Ok(test) => format!("{mean}; {} ({})", signed(test.difference), range(test.interval)),
        Err(_) => mean,
    }
}

fn secondary(page: &mut Page, data: &SweepData, question: &Question, order: &[usize]) {
    let Some(registered) = &data.file.preregistration else { return };
    if registered.secondary.is_empty() {
        return;
    }
    page.section("Secondary measures");
    page.paragraph("Registered to be looked at; they decide nothing, and their intervals are not corrected.");
    let unit = |name: &String| find(name).map_or("", |measure| measure.unit);
    let mut head = vec!["arm".to_owned()];
    head.extend(registered.secondary.iter().map(|name| format!("{name}, {}", unit(name))));
    let row = |arm: &usize| {
        let mut row = vec![data.manifest.arms[*arm].name.clone()];
        row.extend(registered.secondary.iter().map(|name| mean_and_difference(data, question, *arm, name)));
        row
    };
    page.table(&Table {
        caption: format!(
            "Means over worlds of {}; after the semicolon the paired difference from {} with its {} t interval, where there is \
             one.",
            question.cohort,
            data.manifest.arms[question.baseline].name,
            percent(question.level())
        ),
        head,
        rows: order.iter().map(row).collect(),
        words: 1,
    });
    for name in registered.secondary.iter().filter(|name| !data.knows(name)) {
        page.note(&format!("{name} can't be told: no result has it."));
    }
}

/// What dreams and life cost, by the names of measures.
const COSTS: [&str; 9] = [
    "dreams",
    "dreams_interrupted",
    "dream_quality_mean",
    "inference_calls",
    "inference_usdc",
    "compute_usdc",
    "gas_usdc",
    "lethe_usdc",
    "endowments_usdc",
];

fn cost(page: &mut Page, data: &SweepData, order: &[usize]) {
    page.section("Dreams and cost");
    let unit = |name: &&str| find(name).map_or("", |measure| measure.unit);
    let mut head = vec!["arm".to_owned()];
    head.extend(
        COSTS.iter().map(|name| format!("{}, {}", name.replace('_', " ").replace(" usdc", ""), unit(name))),
    );
    let cell = |arm: usize, name: &str| {
        let values: Vec<f64> = data.values(arm, EVERYBODY, name).into_values().collect();
        Summary::of(name, &values).map_or(NONE.to_owned(), |summary| figure(summary.mean))
    };
    let row = |arm: &usize| {
        let mut row = vec![data.manifest.arms[*arm].name.clone()];
        row.extend(COSTS.iter().map(|name| cell(*arm, name)));
        row
    };
    page.table(&Table {
        caption: "What a world holds on average, everybody together.".to_owned(),
        head,
        rows: order.iter().map(row).collect(),
        words: 1,
    });
}

fn failures(page: &mut Page, data: &SweepData) {
    let failed = data.failures();
    if failed.is_empty() {
        return;
    }
    page.section("Failed cells");
    page.paragraph(&format!(
        "{} of {} cells failed and have no results.",
        failed.len(),
        data.manifest.cells.total
    ));
    let row = |(arm, seed, why): &(usize, u64, &str)| {
        vec![data.manifest.arms[*arm].name.clone(), (*why).to_owned(), seed.to_string()]
    };
    page.table(&Table {
        caption: "Cells that failed.".to_owned(),
        head: ["arm", "why", "seed"].map(str::to_owned).to_vec(),
        rows: failed.iter().take(FAILURES_MAX).map(row).collect(),
        words: 2,
    });
    if failed.len() > FAILURES_MAX {
        page.note(&format!("{FAILURES_MAX} of {} failures are listed; results.csv has all.", failed.len()));
    }
}
