//! `bloodstains.parquet`: what the dead left.

use super::{Cast, Table, name_of};
use crate::run_folder::column::{Column, float, int, text};
use crate::run_folder::writer::TableWriter;
use morta_engine::base::{Digest, EpisodeId};
use morta_engine::episode::Lesson;
use morta_engine::event::{Event, EventKind};
use morta_engine::lethe::Bequest;

pub const COLUMNS: &[Column] = &[
    int("lineage"),
    int("generation"),
    text("golem"),
    text("cohort"),
    text("memory"),
    text("bloodstain"),
    // scar: an episode; lesson: a rule; hypothesis: a claim still under test
    text("kind"),
    text("cause"),
    int("died_tick"),
    int("age_ticks"),
    float("vitality"),
    float("quality"),
    text("regime_read"),
    int("volatility_quintile"),
    text("liquidity"),
    text("gas_class"),
    text("session"),
    text("strategy"),
    text("claim").or_null(),
    float("claim_expected_r").or_null(),
    float("confidence").or_null(),
    int("origin_generation").or_null(),
    // episodes it was learned from, with spaces between
    text("learned_from").or_null(),
    text("scar_episode").or_null(),
    float("scar_expected_r").or_null(),
    float("scar_realised_r").or_null(),
];

/// Makes the rows.
pub struct Bloodstains;

impl Table for Bloodstains {
    fn take(&mut self, event: &Event, cast: &Cast, _: &Digest, out: &mut TableWriter) -> crate::Result<()> {
        let EventKind::BloodstainLeft(left) = &event.kind else { return Ok(()) };
        let golem = left.id.golem;
        let cohort = cast.cohort(golem.lineage);
        let kind = kind_of(&left.bequest);
        let mut row = out.row();
        row.golem(golem).text(&cohort.name).text(&cohort.memory).name(left.id).text(kind);
        row.text(left.cause.name()).int(left.died).int(left.age).float(left.vitality).float(left.quality());
        let context = &left.context;
        row.text(context.regime.name()).int(context.volatility_quintile).text(name_of(context.liquidity));
        row.text(name_of(context.gas)).text(name_of(context.session));
        match &left.bequest {
            Bequest::Lesson(Lesson { claim, confidence, origin, learned_from, .. }) => {
                row.text(claim.strategy.name()).name(claim).float(claim.expected_r);
                row.float(*confidence).int(origin.generation).text(ids(learned_from));
                row.text_or_null(None::<&str>).float_or_null(None).float_or_null(None);
            }
            Bequest::Scar(episode) => {
                row.text(episode.strategy.name()).text_or_null(None::<&str>).float_or_null(None);
                row.float_or_null(None).int_or_null(None::<u32>).text_or_null(None::<&str>);
                row.name(episode.id).float(episode.expected_r).float(episode.realised_r);
            }
        }
        row.end()
    }
}

/// What kind of bequest it is.
pub fn kind_of(bequest: &Bequest) -> &'static str {
    match bequest {
        Bequest::Scar(_) => "scar",
        Bequest::Lesson(Lesson { unfinished: false, .. }) => "lesson",
        Bequest::Lesson(Lesson { unfinished: true, .. }) => "hypothesis",
    }
}

/// Ids with spaces between.
pub fn ids(episodes: &[EpisodeId]) -> String {
    let names: Vec<String> = episodes.iter().map(ToString::to_string).collect();
    names.join(" ")
}
