//! `dreams.parquet`: one row a dream cycle, with the replay metrics.

use super::{Cast, Table, name_of};
use crate::run_folder::column::{Column, flag, float, int, text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::{Digest, DreamId, GolemId, Tick, Usdc};
use morta_engine::dream::{DreamOrder, WakeSource};
use morta_engine::event::{DreamResult, Event, EventKind};
use morta_engine::replay::ReplayMetrics;
use std::collections::BTreeMap;

pub const COLUMNS: &[Column] = &[
    int("lineage"),
    int("generation"),
    text("golem"),
    text("cohort"),
    text("memory"),
    text("dream"),
    // completed; interrupted: the dreamer was woken or died; unfinished: the run ended, or the dreamer failed
    text("outcome"),
    int("began_tick"),
    int("ended_tick"),
    int("duration_ticks"),
    // interval, window, directive, emergency, or the strongest term of urgency
    text("trigger"),
    text("tier"),
    text("scope"),
    text("phase"),
    float("urgency"),
    float("dream_intensity"),
    float("budget_usdc"),
    int("episodes_chosen"),
    int("inference_calls").or_null(),
    float("cost_usdc").or_null(),
    flag("cut_short").or_null(),
    int("rules_after").or_null(),
    int("staged_after").or_null(),
    // the golem's own judgement, 0 to 1
    float("quality").or_null(),
    int("counterfactuals_generated").or_null(),
    int("insights_crystallized").or_null(),
    int("heuristics_proposed").or_null(),
    int("episodes_depotentiated").or_null(),
    int("episodes_forgotten").or_null(),
    int("playbook_edits").or_null(),
    // what broke it off, and the budget lost by that
    text("woken_by").or_null(),
    float("wasted_usdc").or_null(),
    int("episodes_replayed").or_null(),
    int("batches_processed").or_null(),
    int("reverse_replays").or_null(),
    int("forward_replays").or_null(),
    int("perturbed_replays").or_null(),
    int("patterns_identified").or_null(),
    int("contradictions_found").or_null(),
    int("credit_assignments_completed").or_null(),
    int("novel_insights_generated").or_null(),
    int("existing_insights_confirmed").or_null(),
    int("existing_insights_contradicted").or_null(),
    int("playbook_revisions_proposed").or_null(),
    float("total_inference_cost_usdc").or_null(),
    float("cost_per_insight_usdc").or_null(),
    int("insights_confirmed_by_live_trading").or_null(),
    int("insights_contradicted_by_live_trading").or_null(),
    float("replay_predictive_accuracy").or_null(),
];

struct Begun {
    id: DreamId,
    tick: Tick,
    order: DreamOrder,
    episodes_chosen: u32,
}

#[derive(Default)]
struct Ending<'a> {
    outcome: &'static str,
    metrics: Option<&'a ReplayMetrics>,
    inference_calls: Option<u32>,
    cost: Option<Usdc>,
    cut_short: Option<bool>,
    rules: Option<u32>,
    staged: Option<u32>,
    result: Option<&'a DreamResult>,
    broken_off: Option<(WakeSource, Usdc)>,
}

/// Makes the rows; remembers who is asleep.
#[derive(Default)]
pub struct Dreams {
    asleep: BTreeMap<GolemId, Begun>,
}

impl Table for Dreams {
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let Some(golem) = event.golem else { return Ok(()) };
        let ending = match &event.kind {
            EventKind::DreamStarted { id, order, replayed, .. } => {
                let (tick, order) = (event.tick, (**order).clone());
                let begun = Begun { id: *id, tick, order, episodes_chosen: replayed.len() as u32 };
                self.asleep.insert(golem, begun);
                return Ok(());
            }
            EventKind::DreamCompleted {
                metrics,
                inference_calls,
                cost,
                cut_short,
                rules,
                staged,
                result,
                ..
            } => Ending {
                outcome: "completed",
                metrics: Some(metrics),
                inference_calls: Some(*inference_calls),
                cost: Some(*cost),
                cut_short: Some(*cut_short),
                rules: Some(*rules),
                staged: Some(*staged),
                result: Some(result),
                broken_off: None,
            },
            EventKind::DreamInterrupted { cost, source, wasted, .. } => Ending {
                outcome: "interrupted",
                cost: Some(*cost),
                broken_off: Some((*source, *wasted)),
                ..Ending::default()
            },
            EventKind::LifeEnded(_) => Ending { outcome: "unfinished", ..Ending::default() },
            _ => return Ok(()),
        };
        match self.asleep.remove(&golem) {
            Some(begun) => write(golem, &begun, event.tick, &ending, cast, out),
            None => Ok(()),
        }
    }
}

fn write(
    golem: GolemId,
    begun: &Begun,
    ended: Tick,
    ending: &Ending<'_>,
    cast: &Cast,
    out: &mut TableWriter,
) -> crate::Result<()> {
    let cohort = cast.cohort(golem.lineage);
    let mut row = out.row();
    row.golem(golem).text(&cohort.name).text(&cohort.memory).name(begun.id).text(ending.outcome);
    row.int(begun.tick).int(ended).int(ended - begun.tick);
    let order = &begun.order;
    row.text(name_of(order.trigger)).text(name_of(order.tier)).text(name_of(order.scope));
    row.text(name_of(order.behavioural_phase)).float(order.urgency).float(order.dream_intensity);
    row.usdc(order.budget).int(begun.episodes_chosen);
    row.int_or_null(ending.inference_calls).usdc_or_null(ending.cost).flag_or_null(ending.cut_short);
    row.int_or_null(ending.rules).int_or_null(ending.staged);
    let result = ending.result;
    row.float_or_null(result.map(|r| r.quality));
    row.int_or_null(result.map(|r| r.counterfactuals_generated));
    row.int_or_null(result.map(|r| r.insights_crystallized));
    row.int_or_null(result.map(|r| r.heuristics_proposed));
    row.int_or_null(result.map(|r| r.episodes_depotentiated));
    row.int_or_null(result.map(|r| r.episodes_forgotten));
    row.int_or_null(result.map(|r| r.playbook_edits));
    row.text_or_null(ending.broken_off.map(|(source, _)| name_of(source)));
    row.usdc_or_null(ending.broken_off.map(|(_, wasted)| wasted));
    let metrics = ending.metrics;
    row.int_or_null(metrics.map(|m| m.episodes_replayed));
    row.int_or_null(metrics.map(|m| m.batches_processed));
    row.int_or_null(metrics.map(|m| m.reverse_replays));
    row.int_or_null(metrics.map(|m| m.forward_replays));
    row.int_or_null(metrics.map(|m| m.perturbed_replays));
    row.int_or_null(metrics.map(|m| m.patterns_identified));
    row.int_or_null(metrics.map(|m| m.contradictions_found));
    row.int_or_null(metrics.map(|m| m.credit_assignments_completed));
    row.int_or_null(metrics.map(|m| m.novel_insights_generated));
    row.int_or_null(metrics.map(|m| m.existing_insights_confirmed));
    row.int_or_null(metrics.map(|m| m.existing_insights_contradicted));
    row.int_or_null(metrics.map(|m| m.playbook_revisions_proposed));
    row.usdc_or_null(metrics.map(|m| m.total_inference_cost));
    row.float_or_null(metrics.map(|m| m.cost_per_insight));
    row.int_or_null(metrics.map(|m| m.insights_confirmed_by_live_trading));
    row.int_or_null(metrics.map(|m| m.insights_contradicted_by_live_trading));
    row.float_or_null(metrics.map(|m| m.replay_predictive_accuracy));
    row.end()
}
