//! `morta-memory openclaw promote`: the entries to promote, the gates that stop the others, and, with `--apply`, memory promotion.
//! Promotion adds a frequently recalled snippet to long-term memory and marks it in the store; scores are 0 to 1, the other thresholds are
//! counts and days. Without `--apply` it is a dry run (preview). A dry run is the default, because promotion changes a file that the user
//! writes in. `Args` has the CLI options with promotion thresholds.

use super::room::{RoomArgs, share};
use morta_console::arguments::{above_0, word};
use morta_memories::openclaw::config::{AgeMeasure, DeepConfig};
use morta_tools::openclaw::fan_out::Answers;
use morta_tools::openclaw::promote::{PromotionReport, PromotionRequest};
use std::path::PathBuf;

/// The flags of `morta-memory openclaw promote`. Thresholds that are left out are those of deep sleep's configuration.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pub room: RoomArgs,
    /// Promote: look the snippets up in their live notes, add them to long-term memory and mark them in the store.
    #[arg(long)]
    apply: bool,
    /// Long-term memory; MEMORY.md of the workspace when left out.
    #[arg(long, value_name = "FILE", requires = "store")]
    memory: Option<PathBuf>,
    /// Most entries to promote.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Rank what was promoted before, too. (It is not promoted again.)
    #[arg(long)]
    include_promoted: bool,
    /// Least score, 0 to 1.
    #[arg(long, value_name = "X", value_parser = share)]
    min_score: Option<f64>,
    /// Least number of recalls.
    #[arg(long, value_name = "N")]
    min_recall_count: Option<u32>,
    /// Least number of distinct queries.
    #[arg(long, value_name = "N")]
    min_unique_queries: Option<u32>,
    /// Oldest, in days; 0 for the usual 30.
    #[arg(long, value_name = "N")]
    max_age_days: Option<u32>,
    /// What the age is counted from.
    #[arg(long, value_name = "WHAT", value_parser = word(AGES, AgeMeasure::name))]
    age_from: Option<AgeMeasure>,
    /// Days in which recency halves.
    #[arg(long, value_name = "X", value_parser = above_0)]
    recency_half_life_days: Option<f64>,
}

const AGES: &[(AgeMeasure, &str)] =
    &[(AgeMeasure::Note, "The day of the note"), (AgeMeasure::Recall, "The last recall")];

/// Ranks the entries, and promotes with `--apply` (else a dry run).
pub(super) fn promote(args: &Args) -> morta_lab::Result<Answers<PromotionReport>> {
    let config = |usual: DeepConfig| DeepConfig {
        limit: args.limit.unwrap_or(usual.limit),
        min_score: args.min_score.unwrap_or(usual.min_score),
        min_recall_count: args.min_recall_count.unwrap_or(usual.min_recall_count),
        min_unique_queries: args.min_unique_queries.unwrap_or(usual.min_unique_queries),
        max_age_days: args.max_age_days.unwrap_or(usual.max_age_days),
        recency_half_life_days: args.recency_half_life_days.unwrap_or(usual.recency_half_life_days),
        age_measure: args.age_from.unwrap_or(usual.age_measure),
        ..usual
    };
    let Args { apply, include_promoted, .. } = *args;
    let memory = args.memory.as_deref();
    args.room.ask(|around, notes| {
        PromotionReport::for_request(
            &PromotionRequest { around, apply, memory, include_promoted },
            config,
            notes,
        )
    })
}
