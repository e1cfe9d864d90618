//! The HTML report of a sweep (experiment report): question, verdicts, figures, survival, costs, failures, reproduction. Verdicts are those
//! of `analysis.json`, which the sweep writes when it stops or ends; a file of another build's format is judged anew from the cells, and
//! where that fails the page has the reason. Results of an unfinished sweep are shown with a note before them, because they may still change. A
//! sensitivity analysis has no sections of survival, learning and costs. `data` reads the folder, `asked` writes question and
//! reproduction, `grid` the heat map, `learning` the curves; verdicts are worded by `crate::report::analysis`.

mod asked;
mod data;
mod grid;
mod learning;

use super::analysis::document_with_worlds;
use super::page::{Page, PageTable};
use super::survival::GroupedLives;
use crate::io::error::Result;
use crate::io::table::{RowReader, selection};
use crate::io::text::{figure, or_dash};
use crate::run::run_folder::Life;
use crate::sweep::measure::{EVERYBODY, find};
use crate::sweep::sweep_folder::tables::OfCell;
use asked::PageQuestion;
use data::{COSTS, SweepData};
use morta_stats::Summary;
use std::path::Path;

/// Most failed cells that are listed one by one (our choice: about a screen). Cells that fail by one mistake fail alike, so more rows would say no more.
const FAILURES_MAX: usize = 30;

/// Writes the page of the sweep in a folder (HTML experiment report).
///
/// # Errors
/// When a table that should be there is missing, or one is damaged.
pub(super) fn page(dir: &Path) -> Result<Page> {
    let data = SweepData::read(dir)?;
    let question = PageQuestion::from_sweep(&data);
    let analysis = data.analysis()?;
    let compared = compared(&data, &question);
    let mut page = Page::new(&data.manifest.name, "Morta sweep", &data.file.description);
    asked::state(&mut page, &data);
    asked::write(&mut page, &data, &question, &compared);
    match &analysis {
        Err(why) => {
            page.section("Verdict");
            page.note(why);
        }
        Ok(analysis) => {
            // A table of an earlier build may lack the measure: then there are no single worlds to show.
            let worlds = data.differences(&analysis.primary).unwrap_or_default();
            document_with_worlds(analysis, &worlds).on_page(&mut page);
            page.figure(grid::heat_map(&data, analysis));
        }
    }
    if data.file.sensitivity().is_none() {
        let mut order: Vec<usize> = compared.into_iter().filter(|arm| *arm != question.baseline).collect();
        order.insert(0, question.baseline);
        page.section("Survival");
        survival(&mut page, &data, &question, &order)?;
        page.section("Learning");
        learning::write(&mut page, &data, &question.cohort, &order, question.level())?;
        cost(&mut page, &data, &order);
    }
    failures(&mut page, &data);
    asked::reproduce(&mut page, &data);
    Ok(page)
}

/// The arms that are held against the baseline: of a sensitivity analysis none, with a ladder, contrasts or a map those that stand where
/// it does. The others are in the sections of these.
fn compared(data: &SweepData, question: &PageQuestion) -> Vec<usize> {
    if data.file.sensitivity().is_some() {
        Vec::new()
    } else if data.file.has_points() {
        data.file.layout().beside(question.baseline)
    } else {
        (0..data.manifest.arms.len()).collect()
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

fn survival(page: &mut Page, data: &SweepData, question: &PageQuestion, order: &[usize]) -> Result<()> {
    let Some(path) = data.table("lives.parquet")? else {
        page.note("There are no survival curves: lives.parquet is written when a sweep with a finished cell stops or ends.");
        return Ok(());
    };
    let registered = data.file.preregistration.as_ref().and_then(|registered| registered.survival.as_ref());
    let cohort = registered.map_or(&question.cohort, |survival| &survival.cohort);
    page.paragraph(&format!("Lives of {cohort}."));
    let arms = data.arms();
    let mut lives = GroupedLives::from_names(order.iter().map(|arm| data.manifest.arms[*arm].name.clone()));
    let place = |arm: &usize| order.iter().position(|known| known == arm);
    lives.as_grid(grid::panels(data).and_then(|(grid, arms)| {
        let places = arms.iter().map(place).collect::<Option<Vec<usize>>>()?;
        Some((grid, places))
    }));
    for life in RowReader::<(ArmOf, Lifetime)>::open(&path)? {
        let (ArmOf { arm }, life) = life?;
        let place = arms.get(arm.as_str()).and_then(|arm| order.iter().position(|known| known == arm));
        if let Some(place) = place.filter(|_| cohort == EVERYBODY || life.cohort == *cohort) {
            lives.add(place, life.lifespan_ticks, !life.censored);
        }
    }
    lives.write(page, question.level(), "arm", true)
}

fn cost(page: &mut Page, data: &SweepData, order: &[usize]) {
    page.section("Dreams and cost");
    let mut head = vec!["arm".to_owned()];
    head.extend(
        COSTS
            .iter()
            .filter_map(|name| find(name))
            .map(|measure| format!("{}, {}", measure.label, measure.unit)),
    );
    let cell = |arm: usize, place: usize| {
        let mean =
            Summary::from_values(COSTS[place], &data.costs(arm, place)).ok().map(|summary| summary.mean);
        or_dash(mean, figure)
    };
    let row = |arm: &usize| {
        let mut row = vec![data.manifest.arms[*arm].name.clone()];
        row.extend((0..COSTS.len()).map(|place| cell(*arm, place)));
        row
    };
    page.table(&PageTable {
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
    page.table(&PageTable {
        caption: "Cells that failed.".to_owned(),
        head: ["arm", "why", "seed"].map(str::to_owned).to_vec(),
        rows: failed.iter().take(FAILURES_MAX).map(row).collect(),
        words: 2,
    });
    if failed.len() > FAILURES_MAX {
        page.note(&format!("{FAILURES_MAX} of {} failures are listed; results.csv has all.", failed.len()));
    }
}
