//! The family tree of lineages (pedigree), with inheritances: who died when of what, and which bequests reached whose heirs. x is in ticks.
//! The table lists the inherited items that were used in most decisions; an item that was drawn and never used has neither a row nor an
//! arrow, and one of an earlier run's dead has no arrow. Long runs are cut to 40 lineages, 25 arrows and 400 lives a lineage, because each
//! life is an element of the page.

use super::causes::{OUTLIVED, colour_of, colours, in_words};
use super::data::LifeRow;
use crate::io::error::Result;
use crate::io::table::selection;
use crate::report::page::{Page, PageTable};
use crate::report::plot::Figure;
use crate::report::plot::lineages::{Arrow, LifeBar, Lineages};
use crate::run::run_folder::{Draw, FinishedRun};
use std::collections::{BTreeMap, BTreeSet};

/// Most lineages that are drawn: a screen's height of rows.
const LINEAGES_MAX: usize = 40;
/// Most inheritances that are drawn (our choice): more arrows across 40 rows would hide the bars.
const ARROWS_MAX: usize = 25;
/// Most rows of the table. Our choice, because a page shows the items that mattered most; the table of inheritances in the run's folder has all of
/// them.
const ROWS_MAX: usize = 12;
/// Most lives drawn in one lineage (our choice): a drawing is 860 pixels wide, so more bars would be thinner than two pixels, and each is an element that
/// the browser holds.
const LIVES_MAX: usize = 400;

selection! {
    struct Inherited of Draw {
        lineage: u32,
        golem: String,
        source: String,
        from_golem: String,
        dead_lineage: Option<u32>,
        dead_golem: Option<String>,
        dead_run: Option<u8>,
        drawn_tick: u64,
        claim: Option<String>,
        uses: Option<u32>,
        mean_r: Option<f64>,
    }
}

impl Inherited {
    /// Decisions in which it was used.
    fn uses(&self) -> u32 {
        self.uses.unwrap_or(0)
    }

    fn giver(&self) -> &str {
        self.dead_golem.as_ref().unwrap_or(&self.from_golem)
    }

    /// The dead of earlier runs have no row here: their lineage numbers are those of another world and would name a wrong row.
    fn giver_lineage(&self) -> Option<u32> {
        self.dead_lineage.filter(|_| self.dead_run.unwrap_or(0) == 0)
    }

    /// Empty for a scar.
    fn claim(&self) -> &str {
        self.claim.as_deref().unwrap_or_default()
    }
}

/// Writes the tree and the table of what was used most (family tree and inheritance table).
///
/// # Errors
/// When the table of inheritances is missing or damaged.
pub(super) fn write(page: &mut Page, run: &FinishedRun, lives: &[LifeRow]) -> Result<()> {
    page.section("Lineages");
    let inherited_items = used(run)?;
    let mut by_lineage: BTreeMap<u32, Vec<&LifeRow>> = BTreeMap::new();
    for life in lives {
        by_lineage.entry(life.lineage).or_default().push(life);
    }
    let shown = chosen(&by_lineage, &inherited_items);
    page.figure(tree(run, &by_lineage, &inherited_items, &shown));
    if shown.len() < by_lineage.len() {
        page.note(&format!(
            "{} of {} lineages are drawn: those between which most was handed on, then those with most generations.",
            shown.len(),
            by_lineage.len()
        ));
    }
    let longest = by_lineage.values().map(Vec::len).max().unwrap_or(0);
    if longest > LIVES_MAX {
        page.note(&format!("Of each lineage, the first {LIVES_MAX} lives are drawn."));
    }
    if inherited_items.is_empty() {
        page.paragraph("Nothing that was inherited was used in a decision.");
        return Ok(());
    }
    let row = |inherited_item: &Inherited| {
        let result = inherited_item.mean_r.map_or("\u{2013}".to_owned(), crate::io::text::figure);
        let claim = if inherited_item.claim().is_empty() { "a scar" } else { inherited_item.claim() };
        let (golem, source) = (inherited_item.golem.clone(), inherited_item.source.clone());
        let (giver, uses) = (inherited_item.giver().to_owned(), inherited_item.uses().to_string());
        vec![golem, giver, source, claim.to_owned(), uses, result]
    };
    page.table(&PageTable {
        caption: format!(
            "What was inherited and used most, of {} items that were used at all.",
            inherited_items.len()
        ),
        head: ["heir", "from", "by way of", "what it says", "uses", "mean R of them"]
            .map(str::to_owned)
            .to_vec(),
        rows: inherited_items.iter().take(ROWS_MAX).map(row).collect(),
        words: 4,
    });
    Ok(())
}

/// Inherited items that were used in a decision, the most used first.
fn used(run: &FinishedRun) -> Result<Vec<Inherited>> {
    let mut inherited_items = Vec::new();
    for inherited in run.rows::<Inherited>()? {
        inherited_items.extend(Some(inherited?).filter(|inherited: &Inherited| inherited.uses() > 0));
    }
    // Ties are broken down to the claim, so that the same files give the same page.
    let ties =
        |of: &Inherited| (of.drawn_tick, of.golem.clone(), of.giver().to_owned(), of.claim().to_owned());
    inherited_items.sort_by_cached_key(|of| (std::cmp::Reverse(of.uses()), ties(of)));
    Ok(inherited_items)
}

/// The lineages that are drawn, in the order of their numbers.
fn chosen(by_lineage: &BTreeMap<u32, Vec<&LifeRow>>, inherited_items: &[Inherited]) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::new();
    for inherited_item in inherited_items {
        order.extend(inherited_item.giver_lineage());
        order.push(inherited_item.lineage);
    }
    let mut longest: Vec<(&u32, usize)> =
        by_lineage.iter().map(|(lineage, lives)| (lineage, lives.len())).collect();
    longest.sort_by_key(|(lineage, lives)| (std::cmp::Reverse(*lives), **lineage));
    let mut rows = BTreeSet::new();
    for lineage in order.into_iter().chain(longest.into_iter().map(|(lineage, _)| *lineage)) {
        if rows.len() == LINEAGES_MAX {
            break;
        }
        if by_lineage.contains_key(&lineage) {
            rows.insert(lineage);
        }
    }
    rows.into_iter().collect()
}

fn tree(
    run: &FinishedRun,
    by_lineage: &BTreeMap<u32, Vec<&LifeRow>>,
    inherited_items: &[Inherited],
    shown: &[u32],
) -> Option<Figure> {
    let mut bars = Vec::new();
    let mut causes = BTreeSet::new();
    for (row, lineage) in shown.iter().enumerate() {
        for life in by_lineage[lineage].iter().take(LIVES_MAX) {
            let cause = life.cause.as_deref().unwrap_or(OUTLIVED);
            causes.insert(cause.to_owned());
            let tooltip = format!("{}: {} ticks, {}", life.golem, life.lifespan_ticks, in_words(cause));
            let (from, to) = (life.born_tick as f64, life.ended_tick as f64);
            bars.push(LifeBar { row, from, to, colour: colour_of(cause), tooltip });
        }
    }
    let ends: BTreeMap<&str, u64> =
        by_lineage.values().flatten().map(|life| (life.golem.as_str(), life.ended_tick)).collect();
    let row = |lineage: u32| shown.binary_search(&lineage).ok();
    let arrow = |inherited_item: &Inherited| {
        let from = row(inherited_item.giver_lineage()?)?;
        let to = row(inherited_item.lineage)?;
        let ended = (*ends.get(inherited_item.giver())?).min(inherited_item.drawn_tick);
        let tooltip = format!(
            "{} to {}: used {} times",
            inherited_item.giver(),
            inherited_item.golem,
            inherited_item.uses()
        );
        Some(Arrow { from: (from, ended as f64), to: (to, inherited_item.drawn_tick as f64), tooltip })
    };
    let arrows: Vec<Arrow> = inherited_items.iter().filter_map(arrow).take(ARROWS_MAX).collect();
    let rows: Vec<String> = shown.iter().map(|lineage| format!("lineage {lineage}")).collect();
    let about_arrows = if arrows.is_empty() {
        String::new()
    } else {
        format!(
            " Arrows lead from the end of a life to the heir that drew what it left: the {} items that were used most.",
            arrows.len()
        )
    };
    Lineages {
        name: "lineages",
        title: "Lineages",
        description: &format!("A row is a lineage, a bar a life, its colour what ended it.{about_arrows}"),
        x_label: "time (ticks)",
        rows: &rows,
        bars: &bars,
        arrows: &arrows,
        colours: &colours(&causes),
        until: run.manifest.ticks as f64,
    }
    .draw()
}
