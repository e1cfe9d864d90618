//! `lives.parquet`: one row a life, those that outlived the run included; made for survival analysis.

use super::{Cast, Table, name_of};
use crate::run_folder::column::{Column, flag, float, int, text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::Digest;
use morta_engine::daimon::Emotion;
use morta_engine::event::{Event, EventKind};
use morta_engine::memory::Growth;
use morta_engine::mortality::{Cause, TestamentTier};

pub const COLUMNS: &[Column] = &[
    int("lineage"),
    int("generation"),
    text("golem"),
    int("cohort_index"),
    text("cohort"),
    text("memory"),
    text("parent").or_null(),
    int("born_tick"),
    int("ended_tick"),
    int("lifespan_ticks"),
    text("cause").or_null(),
    flag("censored"),
    int("would_have_died_tick").or_null(),
    text("would_have_died_cause").or_null(),
    // of immortals, by the clock
    int("would_have_died_economic_tick").or_null(),
    int("would_have_died_epistemic_tick").or_null(),
    int("would_have_died_stochastic_tick").or_null(),
    text("testament_tier").or_null(),
    float("stranded_usdc"),
    int("snapshots"),
    int("senescent_ticks"),
    text("rung"),
    int("first_warning_tick").or_null(),
    float("sustainability").or_null(),
    text("arc"),
    float("endowment_usdc"),
    float("balance_usdc"),
    int("trades"),
    int("wins"),
    float("total_r"),
    float("mean_r").or_null(),
    float("pnl_usdc"),
    float("total_regret_r"),
    int("stayed_out"),
    int("dreams"),
    int("rules"),
    int("memory_stored"),
    int("memory_unused"),
    int("memory_restated"),
    int("memory_junk"),
    int("memory_evidence"),
    int("memory_self_evidence"),
    int("bloodstains_drawn"),
    int("bloodstains_left"),
    // what it inherited, and what it made of that; empty when it inherited no lessons
    int("lessons_inherited").or_null(),
    int("lessons_validated").or_null(),
    int("lessons_contradicted").or_null(),
    int("entries_novel").or_null(),
    float("playbook_distance").or_null(),
    float("ratchet").or_null(),
    flag("low_divergence").or_null(),
    float("fitness"),
    float("vitality"),
    text("phase"),
    float("compute_paid_usdc"),
    float("inference_paid_usdc"),
    float("gas_paid_usdc"),
    float("lethe_paid_usdc"),
    float("mean_pleasure").or_null(),
    float("mean_arousal").or_null(),
    float("mean_dominance").or_null(),
    float("share_neutral").or_null(),
    float("share_joy").or_null(),
    float("share_trust").or_null(),
    float("share_anticipation").or_null(),
    float("share_anger").or_null(),
    float("share_fear").or_null(),
    float("share_disgust").or_null(),
    float("share_sadness").or_null(),
];

/// Makes the rows.
pub struct Lives;

impl Table for Lives {
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let (Some(golem), EventKind::LifeEnded(life)) = (event.golem, &event.kind) else { return Ok(()) };
        let cohort = cast.cohort(golem.lineage);
        let mut row = out.row();
        row.golem(golem).int(life.cohort).text(&cohort.name).text(&cohort.memory);
        row.name_or_null(life.parent);
        row.int(life.born).int(life.ended).int(life.lifespan());
        row.text_or_null(life.cause.map(Cause::name)).flag(life.is_censored());
        row.int_or_null(life.would_have_died.map(|(tick, _)| tick));
        row.text_or_null(life.would_have_died.map(|(_, cause)| cause.name()));
        for tick in life.would_have_died_by {
            row.int_or_null(tick);
        }
        row.text_or_null(life.tier.map(TestamentTier::name)).usdc(life.stranded).int(life.snapshots);
        row.int(life.senescent_ticks).text(life.rung.name()).int_or_null(life.first_warning);
        row.float_or_null(life.sustainability).text(life.arc.name());
        row.usdc(life.endowment).usdc(life.balance).int(life.trades).int(life.wins).float(life.total_r);
        row.float_or_null((life.trades > 0).then(|| life.total_r / f64::from(life.trades)));
        row.usdc(life.pnl).float(life.total_regret_r).int(life.stayed_out).int(life.dreams).int(life.rules);
        let memory = &life.memory;
        row.int(memory.stored).int(memory.unused).int(memory.restated).int(memory.junk);
        row.int(memory.evidence).int(memory.self_evidence);
        row.int(life.bloodstains_drawn).int(life.bloodstains_left);
        let growth = life.growth.as_ref();
        row.int_or_null(growth.map(|growth| growth.inherited))
            .int_or_null(growth.map(|growth| growth.validated));
        row.int_or_null(growth.map(|growth| growth.contradicted))
            .int_or_null(growth.map(|growth| growth.novel));
        row.float_or_null(growth.map(|growth| growth.playbook_distance));
        row.float_or_null(growth.map(Growth::ratchet));
        row.flag_or_null(growth.map(Growth::low_divergence));
        row.float(life.fitness).float(life.vitality).text(name_of(life.phase));
        row.usdc(life.compute_paid).usdc(life.inference_paid).usdc(life.gas_paid).usdc(life.lethe_paid);
        row.float_or_null(life.affect.map(|affect| affect.mean_pleasure));
        row.float_or_null(life.affect.map(|affect| affect.mean_arousal));
        row.float_or_null(life.affect.map(|affect| affect.mean_dominance));
        for mood in Emotion::OF_MOODS {
            row.float_or_null(life.affect.map(|affect| affect.share_by_mood[mood.index()]));
        }
        row.end()
    }
}
