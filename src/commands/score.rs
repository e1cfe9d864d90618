//! `morta score`: scores a user's own episodes for replay, and says which are selected (prioritized experience replay), with the code the
//! simulation runs at each dream. Input is a state and episodes as JSON; gain, need, spacing and utility have no unit. No store is changed.
//! It exists so that the rule can be used on data of one's own. `Args` has the CLI arguments to score memories (scoring by priority score,
//! JSONL).

use morta_console::output;
use morta_engine::replay::{Prioritization, ReplayConfig};
use morta_lab::Laboratory;
use morta_lab::scoring::{Episodes, Scored, ScoringState, read_replay_keys, score};
use morta_lab::text::COLUMN_MAX;
use std::path::PathBuf;
use std::process::ExitCode;

/// The input formats.
const HELP: &str = r#"STATE.json is one object:
  tick                 now, a whole number
  embedding            the market now: a list of numbers
  regime               "trending_up", "trending_down", "range_bound" or "volatile"
  pad                  {"pleasure", "arousal", "dominance"}, each -1 to 1; left out: no affect
  prediction_accuracy  0 to 1; below confusedBelowAccuracy replay goes by surprise; left out: normal
  hayflick_ratio       0 to 1, age as a share of the full count; 0 when left out
  seed                 for the prioritizations that draw; 0 when left out

EPISODES.jsonl has an object a line:
  episode_id               any text, once (or id)
  tick                     when it ended, not after the state's
  market_state_embedding   as long as the state's (or embedding)
  regime                   as above
  expected_outcome, actual_outcome
  pnl, position_size       position_size above 0
  surprise_score           left out: |expected_outcome - actual_outcome|
  counterfactual_regret    0 or more; 0 when left out
  last_replayed            tick of the last replay; left out: never
  replay_count             0 when left out
  emotional_tag            {"arousal"}, 0 to 1; left out: none
  provenance, source_type  "inherited" and "death_testament" make a bloodstain; left out: own
  dream_priority           "high", "medium" or "normal" (the Curator's tag)
  (other fields)           not looked at; they are named on standard error
Surprise, significance (|pnl| / position_size) and regret are scaled by the 95th percentile of the file."#;

/// The flags of `morta score`.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(crate) struct Args {
    /// The dreamer's situation: a JSON object.
    #[arg(long, value_name = "STATE.json")]
    state: PathBuf,

    /// The episodes: one JSON object a line; - reads standard input.
    #[arg(long, value_name = "EPISODES.jsonl")]
    episodes: PathBuf,

    /// Replay keys: a TOML file with the keys of [dream.replay], with or without that heading.
    #[arg(long, value_name = "REPLAY.toml")]
    config: Option<PathBuf>,

    /// What decides which episodes come first, instead of the configured prioritization; the last three draw at random, by
    /// the state's seed.
    // A flag, because ways are compared over the same episodes and keys.
    #[arg(long, value_name = "WAY")]
    prioritization: Option<Prioritization>,

    /// How many episodes to select, instead of the configured batch_size.
    // A flag, because rankings are read farther down than a dream would read.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    places: Option<u32>,

    /// Print a JSON array, an object an episode, instead of a table.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Runs the command: scores a user's own episodes by prioritized experience replay.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let mut config = args.config.as_deref().map_or_else(|| Ok(ReplayConfig::default()), read_replay_keys)?;
    config.prioritization = args.prioritization.unwrap_or(config.prioritization);
    let state = ScoringState::read(&args.state, laboratory.limits())?;
    let episodes = Episodes::read(&args.episodes, &state)?;
    if !episodes.ignored.is_empty() {
        let fields: Vec<String> =
            episodes.ignored.iter().map(|(name, n)| format!("{name} ({n} lines)")).collect();
        output::remark(format!(
            "note: {}: fields not looked at: {}",
            args.episodes.display(),
            fields.join(", ")
        ));
    }
    let places = args.places.unwrap_or(config.batch_size) as usize;
    let scored = score(&state, &episodes, &config, places);
    if args.json {
        output::json(&scored)?;
    } else {
        table(&scored)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(scored: &[Scored<'_>]) -> anyhow::Result<()> {
    let width = scored
        .iter()
        .map(|s| s.episode_id.chars().count())
        .max()
        .unwrap_or(0)
        .clamp("episode".len(), COLUMN_MAX);
    output::line(format!(
        "{:width$}  {:>7}  {:>7}  {:>7}  {:>7}  chosen  reason",
        "episode", "gain", "need", "spacing", "utility"
    ))?;
    for s in scored {
        let chosen = if s.selected { "yes" } else { "no" };
        output::line(format!(
            "{:width$}  {:>7.4}  {:>7.4}  {:>7.4}  {:>7.4}  {chosen:>6}  {}",
            s.episode_id, s.gain, s.need, s.spacing_penalty, s.utility, s.reason
        ))?;
    }
    Ok(())
}
