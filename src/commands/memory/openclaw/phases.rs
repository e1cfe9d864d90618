//! `morta memory openclaw light` and `rem`: what these phases would write, and with `--apply`, writing it.

use super::room::{Room, RoomArgs, share};
use super::store_file::{LeftOut, StoreFile};
use crate::output::Told;
use clap::ValueEnum;
use morta_memories::openclaw::config::{LightConfig, LightOrder, RemConfig, Themes};
use morta_memories::openclaw::light::{self, Candidate};
use morta_memories::openclaw::rem::{self, Reflection};
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Instant;
use serde::Serialize;

/// The flags of `morta memory openclaw light`. What is left out is as configured.
#[derive(clap::Args)]
pub struct LightArgs {
    #[command(flatten)]
    pub room: RoomArgs,
    /// Write the block into today's note (or a report: storage.mode).
    #[arg(long)]
    apply: bool,
    /// Most candidates.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Days it looks back.
    #[arg(long, value_name = "N")]
    lookback_days: Option<u32>,
    /// Jaccard similarity from which two snippets are one, 0 to 1.
    #[arg(long, value_name = "X", value_parser = share)]
    dedupe_similarity: Option<f64>,
    /// How candidates are sorted.
    #[arg(long, value_name = "ORDER", value_enum)]
    order: Option<Order>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    /// Dedupe, sort by average score, cut: as the document says.
    Score,
    /// Sort by last recall, cut, dedupe: as the released program does.
    Recency,
}

/// The flags of `morta memory openclaw rem`. What is left out is as configured.
#[derive(clap::Args)]
pub struct RemArgs {
    #[command(flatten)]
    pub room: RoomArgs,
    /// Write the block into today's note (or a report: storage.mode).
    #[arg(long)]
    apply: bool,
    /// Most themes.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Days it looks back.
    #[arg(long, value_name = "N")]
    lookback_days: Option<u32>,
    /// Least strength of a theme, 0 to 1.
    #[arg(long, value_name = "X", value_parser = share)]
    min_pattern_strength: Option<f64>,
    /// What a theme is.
    #[arg(long, value_name = "KIND", value_enum)]
    themes: Option<Kind>,
    /// Name the entries it is surest of, too.
    #[arg(long)]
    truths: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// A tag that many traces carry.
    Tags,
    /// Tags that occur together.
    Clusters,
}

/// What a phase found.
#[derive(Debug, Serialize)]
pub struct Report<Found> {
    store: String,
    now: Instant,
    timezone: String,
    #[serde(flatten)]
    found: Found,
    /// Lines of the block.
    block: Vec<String>,
    /// Entries of the file that can't be used.
    dropped: Vec<LeftOut>,
    /// With --apply, the files that were written.
    written: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Staged {
    candidates: Vec<Candidate>,
}

/// Light sleep.
pub fn light(args: &LightArgs) -> anyhow::Result<Report<Staged>> {
    report(&args.room, args.apply, Phase::Light, |file, room, now| {
        let usual = room.settings.dreaming.light.clone();
        let config = LightConfig {
            limit: args.limit.unwrap_or(usual.limit),
            lookback_days: args.lookback_days.unwrap_or(usual.lookback_days),
            dedupe_similarity: args.dedupe_similarity.unwrap_or(usual.dedupe_similarity),
            order: args.order.map_or(usual.order, |order| match order {
                Order::Score => LightOrder::Score,
                Order::Recency => LightOrder::Recency,
            }),
            ..usual
        };
        let candidates = light::light(&file.store, now, &config);
        let block = light::body(&candidates);
        (Staged { candidates }, block)
    })
}

/// REM sleep.
pub fn rem(args: &RemArgs) -> anyhow::Result<Report<Reflection>> {
    report(&args.room, args.apply, Phase::Rem, |file, room, now| {
        let usual = room.settings.dreaming.rem.clone();
        let config = RemConfig {
            limit: args.limit.unwrap_or(usual.limit),
            lookback_days: args.lookback_days.unwrap_or(usual.lookback_days),
            min_pattern_strength: args.min_pattern_strength.unwrap_or(usual.min_pattern_strength),
            themes: args.themes.map_or(usual.themes, |kind| match kind {
                Kind::Tags => Themes::Tags,
                Kind::Clusters => Themes::Clusters,
            }),
            truths: args.truths || usual.truths,
            ..usual
        };
        let reflection = rem::rem(&file.store, now, &config);
        let block = rem::body(&reflection);
        (reflection, block)
    })
}

fn report<Found>(
    args: &RoomArgs,
    apply: bool,
    phase: Phase,
    sleep: impl FnOnce(&StoreFile, &Room, Instant) -> (Found, Vec<String>),
) -> anyhow::Result<Report<Found>> {
    let room = Room::of(args)?;
    let file = StoreFile::read(&args.store)?;
    let now = room.now(&file.store, &args.store)?;
    let (found, block) = sleep(&file, &room, now);
    let written = if apply { room.write_block(phase, now, &block)? } else { Vec::new() };
    Ok(Report {
        store: args.store.display().to_string(),
        now,
        timezone: room.zone.name().to_owned(),
        found,
        block,
        dropped: file.dropped,
        written: written.iter().map(|path| path.display().to_string()).collect(),
    })
}

impl<Found: Serialize> Told for Report<Found> {
    fn lines(&self) -> Vec<String> {
        let written = self.written.iter().map(|path| format!("written to {path}"));
        self.block.iter().cloned().chain(written).collect()
    }
}
