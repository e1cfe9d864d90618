//! `morta-memory openclaw light` and `rem`: the blocks that light sleep and REM sleep would write, and, with `--apply`, writing them. Light
//! sleep is deduplication of snippets by Jaccard similarity, REM sleep clusters tags into themes. Without `--apply` it is a dry run
//! (preview), and no model is called. The preview is the default, because blocks go into notes that the user writes in. `LightArgs` has the
//! CLI options with lookback days and a limit, as those of `RemArgs` (pattern strength).

use super::room::{RoomArgs, share};
use morta_console::arguments::word;
use morta_memories::openclaw::config::{LightConfig, LightOrder, RemConfig, Themes};
use morta_memories::openclaw::rem::Reflection;
use morta_tools::openclaw::fan_out::Answers;
use morta_tools::openclaw::phases::{self, PhaseReport, Staged};

/// The flags of `morta-memory openclaw light`. What is left out is as configured.
#[derive(clap::Args)]
pub(crate) struct LightArgs {
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
    #[arg(long, value_name = "ORDER", value_parser = word(ORDERS, LightOrder::name))]
    order: Option<LightOrder>,
}

const ORDERS: &[(LightOrder, &str)] = &[
    (LightOrder::Score, "Dedupe, sort by average score, cut: as the document says"),
    (LightOrder::Recency, "Sort by last recall, cut, dedupe: as the released program does"),
];

/// The flags of `morta-memory openclaw rem`. What is left out is as configured.
#[derive(clap::Args)]
pub(crate) struct RemArgs {
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
    /// What a theme is; clusters when left out.
    #[arg(long, value_name = "KIND", value_parser = word(KINDS, Themes::name))]
    themes: Option<Themes>,
    /// Name the entries it is surest of, too.
    #[arg(long)]
    truths: bool,
}

const KINDS: &[(Themes, &str)] = &[
    (Themes::Tags, "A tag that many traces carry: as the released program does"),
    (Themes::Clusters, "Tags that occur together: as the document says"),
];

/// Runs light sleep on the chosen workspaces: deduplication and staging.
pub(super) fn light(args: &LightArgs) -> morta_lab::Result<Answers<PhaseReport<Staged>>> {
    let config = |usual: LightConfig| LightConfig {
        limit: args.limit.unwrap_or(usual.limit),
        lookback_days: args.lookback_days.unwrap_or(usual.lookback_days),
        dedupe_similarity: args.dedupe_similarity.unwrap_or(usual.dedupe_similarity),
        order: args.order.unwrap_or(usual.order),
        ..usual
    };
    args.room.ask(|around, notes| phases::light(around, args.apply, config, notes))
}

/// Runs REM sleep on the chosen workspaces: tag clustering.
pub(super) fn rem(args: &RemArgs) -> morta_lab::Result<Answers<PhaseReport<Reflection>>> {
    let config = |usual: RemConfig| RemConfig {
        limit: args.limit.unwrap_or(usual.limit),
        lookback_days: args.lookback_days.unwrap_or(usual.lookback_days),
        min_pattern_strength: args.min_pattern_strength.unwrap_or(usual.min_pattern_strength),
        themes: args.themes.unwrap_or(usual.themes),
        truths: args.truths || usual.truths,
        ..usual
    };
    args.room.ask(|around, notes| phases::rem(around, args.apply, config, notes))
}
