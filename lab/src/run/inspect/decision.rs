//! `morta inspect RUN golem ID --decision TICK`: one decision whole. It is a decision trace (explanation, attribution): the prior in R, the
//! voices that the event names in the memory's own order, as a rule loudest first, the gut's last (the signed R that each added where its
//! memory reports it, the rest as "others"), the size of the position, the outcome. Confidence is the share of the expectation that is
//! memory's, 0 to 1. The prior stands beside the decision, so that a reader sees what memory changed. Only decisions
//! to take a position are in the log: a tick in which the golem stayed out has none, and is refused with the nearest that has. A run
//! without an event log is refused as well. `golem` shows the last few decisions by the same views.

use crate::io::error::{Error, Result};
use crate::io::text::{Align, View, plain, table};
use crate::run::inspect::leads_on::{LeadsOn, Next};
use crate::run::inspect::trail::{self, Traced};
use crate::run::inspect::{no_events, register};
use crate::run::run_folder::events::{EventFilter, collect_events};
use crate::run::run_folder::tables::{Cast, voice_name};
use crate::run::run_folder::{FinishedRun, Trade};
use morta_base::{GolemId, Tick};
use morta_engine::episode::{Context, Provenance};
use morta_engine::event::{Event, EventKind};
use morta_engine::memory::{Voice, VoiceSource};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A decision with the memories that spoke for or against it, and its outcome (decision trace).
#[derive(Serialize)]
pub struct DecisionView {
    golem: String,
    pub(super) tick: Tick,
    strategy: String,
    asset: String,
    side: String,
    stake_usdc: f64,
    context: Context,
    expected_r: f64,
    prior_r: f64,
    confidence: f64,
    explored: bool,
    /// In the order of the event: the memory's own (as a rule the loudest first), then the gut's.
    voices: Vec<VoiceView>,
    /// None when the position was never closed, or never opened.
    outcome: Option<Trade>,
}

#[derive(Serialize)]
struct VoiceView {
    source: String,
    weight: f64,
    expected_r: f64,
    /// Circumstances that it names, where it is a claim.
    specificity: Option<u8>,
    /// How far it moved the expectation, R; none where its memory doesn't say.
    moved_r: Option<f64>,
    bloodstain: Option<String>,
    /// The golem that left the bloodstain, and its lesson.
    provenance: Option<Traced>,
    /// The origin of its claim: the golem's own, or another golem's, with the way it came.
    learned: String,
}

/// Looks at the decision of one tick (decision query). Where there is none at that tick, the error names the nearest tick that has one.
pub fn look(run: &FinishedRun, golem: GolemId, tick: Tick) -> Result<DecisionView> {
    register::life(run, golem)?;
    let mut decisions = decided(run, golem)?;
    let ticks: Vec<Tick> = decisions.iter().map(|event| event.tick).collect();
    decisions.retain(|event| event.tick == tick);
    let Some(last) = views(run, golem, &decisions)?.pop() else {
        let nearest = ticks.iter().min_by_key(|other| other.abs_diff(tick));
        let hint = nearest.map_or("it never decided on a position".to_owned(), |nearest| {
            format!("it did so {} times, nearest at tick {nearest}", ticks.len())
        });
        return Err(Error::invalid(format!("{golem} decided on no position at tick {tick}: {hint}")));
    };
    Ok(last)
}

/// Reads the events of a golem's decisions from the event log.
pub fn decided(run: &FinishedRun, golem: GolemId) -> Result<Vec<Event>> {
    if !run.has_events() {
        return Err(no_events(run, "how a golem decided"));
    }
    collect_events(run, EventFilter::for_golem(golem, &["decided"]))
}

/// Makes the traces of decisions, with their outcomes and the origins of their voices.
pub fn views(run: &FinishedRun, golem: GolemId, events: &[Event]) -> Result<Vec<DecisionView>> {
    let (name, cast) = (golem.to_string(), Cast::from_scenario(&run.manifest.scenario));
    let ticks: BTreeSet<Tick> = events.iter().map(|event| event.tick).collect();
    let trades = run.trades()?.keep(|trade| trade.golem == name && ticks.contains(&trade.opened_tick))?;
    let outcomes: BTreeMap<Tick, Trade> =
        trades.into_iter().map(|trade| (trade.opened_tick, trade)).collect();
    let inherited = |event: &Event| match &event.kind {
        EventKind::Decided { why, .. } => {
            why.iter().filter_map(|voice| voice.provenance.bloodstain()).collect()
        }
        _ => Vec::new(),
    };
    let bloodstains =
        trail::bloodstains(run, &events.iter().flat_map(inherited).map(|id| id.to_string()).collect())?;
    let view = |event: &Event| {
        let EventKind::Decided {
            strategy,
            asset,
            side,
            stake,
            context,
            expected_r,
            prior_r,
            confidence,
            explored,
            why,
        } = &event.kind
        else {
            return None;
        };
        Some(DecisionView {
            golem: name.clone(),
            tick: event.tick,
            strategy: strategy.name().to_owned(),
            asset: cast.symbol(*asset).to_owned(),
            side: side.to_string(),
            stake_usdc: stake.dollars(),
            context: *context,
            expected_r: *expected_r,
            prior_r: *prior_r,
            confidence: *confidence,
            explored: *explored,
            voices: why.iter().map(|voice| VoiceView::new(voice, &bloodstains)).collect(),
            outcome: outcomes.get(&event.tick).cloned(),
        })
    };
    Ok(events.iter().filter_map(view).collect())
}

impl VoiceView {
    fn new(voice: &Voice, bloodstains: &BTreeMap<String, Traced>) -> Self {
        let bloodstain = voice.provenance.bloodstain().map(|id| id.to_string());
        Self {
            source: match voice.source {
                VoiceSource::Node(number) => format!("node {number} of its memory"),
                VoiceSource::Truth(regime) => format!("the truth: {}", plain(regime.name())),
                VoiceSource::Gut => "a gut feeling".to_owned(),
                VoiceSource::Guard(id) => format!("a warning: the scar {id}"),
                VoiceSource::Warning(id) => format!("a warning: the rule {id}"),
                VoiceSource::Stake(id) => format!("on the size: the rule {id}"),
                other => voice_name(&other),
            },
            weight: voice.weight,
            expected_r: voice.expected_r,
            specificity: voice.specificity,
            moved_r: voice.moved_r,
            provenance: bloodstain.as_ref().and_then(|id| bloodstains.get(id).cloned()),
            bloodstain,
            learned: match voice.provenance {
                Provenance::Own => "itself".to_owned(),
                Provenance::Bloodstain(id) => format!("bloodstain {id}"),
                Provenance::Predecessor(golem) => format!("{golem}, its predecessor"),
                Provenance::Clade(golem) => format!("{golem}, of its clade"),
            },
        }
    }
}

impl LeadsOn for DecisionView {
    fn next(&self, _: &FinishedRun) -> Vec<Next> {
        vec![
            Next::new("the life it belongs to", format!("golem {}", self.golem)),
            Next::new("the rules that spoke", format!("playbook {}", self.golem)),
        ]
    }
}

impl View for DecisionView {
    fn lines(&self) -> Vec<String> {
        let c = &self.context;
        let mut lines = vec![
            format!(
                "tick {}: {} decides on {}, {} {}, ${:.2}{}",
                self.tick,
                self.golem,
                plain(&self.strategy),
                self.side,
                self.asset,
                self.stake_usdc,
                if self.explored { " (to explore, against its own ranking)" } else { "" }
            ),
            format!(
                "  it reads: {}, volatility {}/5, {} liquidity, {} gas, {} hours",
                plain(c.regime.name()),
                c.volatility_quintile,
                c.liquidity,
                c.gas,
                c.session
            ),
            format!(
                "  it expects {:+.3} R, without memory {:+.3} R; confidence {:.2}",
                self.expected_r,
                self.prior_r,
                self.confidence.abs()
            ),
        ];
        lines.extend(self.voices_in_lines());
        lines.push(match &self.outcome {
            Some(trade) => format!(
                "  came of it: {:+.3} R ({:+.2} $) at tick {}, closed by {}; regret {:+.2} R{}; true regime at the entry: {}",
                trade.realised_r,
                trade.pnl_usdc,
                trade.closed_tick,
                trade.exit_in_words(),
                trade.regret_r,
                trade.better_strategy.as_deref().map_or(String::new(), |better| format!(
                    " ({} would have done better)",
                    plain(better)
                )),
                plain(&trade.true_regime)
            ),
            None => "  came of it: no closed trade (refused by the market, or still open at the end)".to_owned(),
        });
        lines
    }
}

impl DecisionView {
    /// The part of the expectation, beyond that without memory, of voices that aren't named, R; none where the memory doesn't report shares
    /// of voices, and none below the last digit that is shown.
    fn others_moved_r(&self) -> Option<f64> {
        // Half of the last of three decimals: a smaller remainder would be printed as +0.000.
        const SHOWN_R: f64 = 0.0005;
        let added = || self.voices.iter().filter_map(|voice| voice.moved_r);
        added().next()?;
        let others = self.expected_r - self.prior_r - added().sum::<f64>();
        (others.abs() >= SHOWN_R).then_some(others)
    }

    fn voices_in_lines(&self) -> Vec<String> {
        use Align::{Left, Right};
        if self.voices.is_empty() {
            return vec!["  no memory spoke".to_owned()];
        }
        let row = |voice: &VoiceView| {
            let origin = match (&voice.provenance, &voice.bloodstain) {
                (Some(bloodstain), _) => format!("← {}", trail::describe(bloodstain)),
                (None, None) if voice.learned == "itself" => String::new(),
                (None, _) => format!("← {}", voice.learned),
            };
            let (weight, r) = (format!("{:.3}", voice.weight), format!("{:+.3}", voice.expected_r));
            let moved = voice.moved_r.map_or(String::new(), |moved| format!("{moved:+.3}"));
            let source = match voice.specificity {
                Some(0) => format!("{}, of any market", voice.source),
                _ => voice.source.clone(),
            };
            vec![source, weight, r, moved, origin]
        };
        let columns =
            [("voice", Left), ("weight", Right), ("expects R", Right), ("adds R", Right), ("", Left)];
        let mut rows: Vec<Vec<String>> = self.voices.iter().map(row).collect();
        rows.extend(self.others_moved_r().map(|moved| {
            let blank = String::new;
            vec!["others, not named".to_owned(), blank(), blank(), format!("{moved:+.3}"), blank()]
        }));
        table(&columns, &rows).into_iter().map(|line| format!("    {line}")).collect()
    }
}
