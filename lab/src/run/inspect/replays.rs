//! Episodes that a dream chose to replay, a line each (prioritized experience replay), for the view of a dream: the utility, the reason it
//! was chosen, whether the model read it, what was tried on it and the claims that came of it, results in R. The JSON has the terms of the
//! utility too, every column of `replays.parquet`.

use crate::io::error::Result;
use crate::io::table::TableRow as _;
use crate::io::text::{Align, plain, table};
use crate::run::inspect::trail;
use crate::run::run_folder::{BloodstainRow, FinishedRun, ReplayRow, Trade};
use morta_base::DreamId;
use morta_engine::episode::Episode;
use morta_engine::event::{Event, EventKind};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// An episode that a dream chose (replayed episode view).
#[derive(Serialize)]
pub(crate) struct ReplayView {
    /// Its row of the table.
    #[serde(flatten)]
    row: ReplayRow,
    /// The episode, if the tables still have it: the golem's own, or that of a dead one.
    #[serde(flatten)]
    known: Option<Known>,
}

/// A description of an episode.
#[derive(Clone, Serialize)]
struct Known {
    /// In a sentence; its name in the JSON of `--json` stays.
    #[serde(rename = "what")]
    description: String,
    /// In a few words.
    #[serde(skip)]
    brief: String,
}

/// The choices of a dream, in their order; nothing where the run is of a build that kept no such table (experience replay choices).
pub(super) fn of_dream(run: &FinishedRun, id: DreamId, own: &[Event]) -> Result<Option<Vec<ReplayView>>> {
    if !run.manifest.files.iter().any(|file| file.name == ReplayRow::TABLE.file) {
        return Ok(None);
    }
    let dream = id.to_string();
    let rows = run.replays()?.keep(|row| row.dream == dream)?;
    let wanted: BTreeSet<&str> = rows.iter().map(|row| row.episode.as_str()).collect();
    // The golem's own events first, because they are in memory already; a table is read only for episodes that these don't hold.
    let mut known = lived_through(own, &wanted);
    let unknown: BTreeSet<String> =
        wanted.iter().filter(|name| !known.contains_key(**name)).map(|name| (*name).to_owned()).collect();
    if !unknown.is_empty() {
        let traded = run.trades()?.keep(|trade| unknown.contains(&trade.episode))?;
        known.extend(traded.iter().map(|trade| (trade.episode.clone(), Known::traded(trade))));
        // A bloodstain has more: the golem that died, and its cause of death. It comes last, so that its description replaces that of the trade.
        let is_one = |left: &BloodstainRow| left.scar_episode.as_ref().is_some_and(|e| unknown.contains(e));
        for left in run.bloodstains()?.keep(is_one)? {
            known.extend(left.scar_episode.clone().map(|episode| (episode, Known::left(&left))));
        }
    }
    let view = |row: ReplayRow| ReplayView { known: known.get(&row.episode).cloned(), row };
    Ok(Some(rows.into_iter().map(view).collect()))
}

/// The golem's own episodes.
fn lived_through(own: &[Event], wanted: &BTreeSet<&str>) -> BTreeMap<String, Known> {
    let lived = own.iter().filter_map(|event| match &event.kind {
        EventKind::TradeClosed { episode, .. } => Some((episode, true)),
        EventKind::StayedOut { episode } => Some((episode, false)),
        _ => None,
    });
    let named = lived.map(|(episode, traded)| (episode.id.to_string(), Known::lived(episode, traded)));
    named.filter(|(name, _)| wanted.contains(name.as_str())).collect()
}

impl Known {
    fn lived(episode: &Episode, traded: bool) -> Self {
        let (strategy, regime) = (episode.strategy.name(), episode.context.regime.name());
        if traded {
            let Episode { expected_r, realised_r, regret, .. } = *episode;
            return Self::of_trade(strategy, regime, expected_r, realised_r, regret);
        }
        let description = format!("stayed out in {}, regret {:.2} R", plain(regime), episode.regret);
        Self { description, brief: "stayed out".to_owned() }
    }

    fn traded(trade: &Trade) -> Self {
        let Trade { strategy, regime_read, expected_r, realised_r, regret_r, .. } = trade;
        Self::of_trade(strategy, regime_read, *expected_r, *realised_r, *regret_r)
    }

    fn of_trade(strategy: &str, regime: &str, expected_r: f64, realised_r: f64, regret: f64) -> Self {
        let (strategy, regime) = (plain(strategy), plain(regime));
        Self {
            description: format!(
                "{strategy} in {regime}, expected {expected_r:+.2} R, made {realised_r:+.2} R, regret {regret:.2} R"
            ),
            brief: format!("{strategy} {realised_r:+.2}"),
        }
    }

    fn left(left: &BloodstainRow) -> Self {
        let made = left.scar_realised_r.map_or(String::new(), |r| format!(" {r:+.2}"));
        Self { description: trail::describe_own(left), brief: format!("{}{made}", plain(&left.strategy)) }
    }
}

impl ReplayView {
    fn why(&self) -> String {
        match self.row.reason.as_str() {
            "regime_diversity" => plain(self.row.diversity_regime.as_deref().unwrap_or("another regime")),
            "temporal_diversity" => "oldest part".to_owned(),
            "emotional_diversity" => "strong feeling".to_owned(),
            "drawn_by_priority" => "priority draw".to_owned(),
            "most_surprising" => "surprise".to_owned(),
            other => plain(other),
        }
    }

    /// Whether the model read it: yes; asked and no answer heard; in a batch that couldn't be paid for; in no batch; not known.
    fn read(&self) -> &'static str {
        let row = &self.row;
        match (row.read, row.asked, row.batch) {
            (Some(true), ..) => "yes",
            (_, Some(true), _) => "unheard",
            (_, Some(false), Some(_)) => "unpaid",
            (_, Some(false), None) => "no",
            (_, None, _) => "-",
        }
    }

    /// Whether it was spoilt by a perturbation.
    fn broke(&self) -> bool {
        let row = &self.row;
        [row.broke, row.supposed_slippage_broke, row.supposed_gas_broke].contains(&Some(true))
    }

    fn tried(&self) -> String {
        let Some(kind) = &self.row.perturbation else { return String::new() };
        let made = self.row.perturbed_r.map_or(String::new(), |r| format!(" {r:+.2}"));
        format!("{}{made}{}", plain(kind), if self.broke() { "*" } else { "" })
    }

    fn cells(&self) -> Vec<String> {
        let description = self.known.as_ref().map_or("not in the tables", |known| &known.brief);
        let from = match self.row.provenance.as_str() {
            "own" => String::new(),
            "clade" => ", of its clade".to_owned(),
            _ => ", scar".to_owned(),
        };
        vec![
            self.row.episode.clone(),
            format!("{:.3}", self.row.utility),
            self.why(),
            self.read().to_owned(),
            self.tried(),
            if self.row.claims > 0 { self.row.claims.to_string() } else { String::new() },
            format!("{description}{from}"),
        ]
    }
}

/// A line for each, under the names of the columns (text table of replayed episodes).
pub(super) fn lines(choices: &[ReplayView]) -> Vec<String> {
    use Align::{Left, Right};
    let count = |is: fn(&ReplayRow) -> bool| choices.iter().filter(|one| is(&one.row)).count();
    let how = match choices.first() {
        Some(first) if first.row.replay_mode == "confused" => ", confused: what surprised it most first",
        _ => "",
    };
    let (asked, read) = (count(|row| row.asked == Some(true)), count(|row| row.read == Some(true)));
    let done = if count(|row| row.asked.is_none()) > 0 {
        "what it read is not known, because it never ended".to_owned()
    } else {
        format!("it asked about {asked} and read {read}")
    };
    let mut lines = vec![format!("it chose {} episodes to replay{how}; {done}:", choices.len())];
    if choices.is_empty() {
        return lines;
    }
    let columns = [
        ("episode", Left),
        ("utility", Right),
        ("why", Left),
        ("read", Left),
        ("tried, R then", Left),
        ("claims", Right),
        ("what it was, R", Left),
    ];
    let rows: Vec<Vec<String>> = choices.iter().map(ReplayView::cells).collect();
    lines.extend(table(&columns, &rows).into_iter().map(|line| format!("  {line}")));
    if choices.iter().any(ReplayView::broke) {
        lines.push("  * what was made worse would have spoilt it".to_owned());
    }
    lines
}
