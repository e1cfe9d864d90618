//! `morta score`: scores and selects a user's own episodes for replay, with the code the simulation runs.

mod input;

use crate::failure::UserError;
use crate::output;
use input::{Episodes, State};
use morta_engine::base::keys::Keys as _;
use morta_engine::base::{Purpose, WorldSeed};
use morta_engine::replay::{
    NotSelected, PadBias, Prioritization, ReplayConfig, ReplayContext, ReplayMode, Scorer, Selected,
    SelectionReason, UtilityTerms, select,
};
use morta_lab::run_folder::tables::name_of;
use morta_lab::scenario_file::spelling;
use morta_lab::scenario_schema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta score`.
#[derive(clap::Args)]
#[command(after_long_help = input::HELP)]
pub struct Args {
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
    #[arg(long, value_name = "WAY", value_parser = way)]
    prioritization: Option<Prioritization>,

    /// How many episodes to select, instead of the configured batch_size.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    places: Option<u32>,

    /// Print a JSON array, an object an episode, instead of a table.
    #[arg(long)]
    json: bool,
}

/// One episode's score, every part of it, and its fate.
#[derive(Debug, Serialize)]
struct Scored<'a> {
    episode_id: &'a str,
    gain: f64,
    need: f64,
    /// How fresh the last replay is, 0 to 1; half of it is taken off the utility (key `spacing_weight`).
    spacing_penalty: f64,
    utility: f64,
    boosts: Boosts,
    selected: bool,
    /// "utility_ranked" or "diversity".
    pass: Option<String>,
    reason: String,
    importance_weight: Option<f64>,
    terms: UtilityTerms,
}

#[derive(Debug, Serialize)]
struct Boosts {
    bloodstain: f64,
    curator: f64,
    mood: f64,
    legacy: f64,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut config = args.config.as_deref().map_or_else(|| Ok(ReplayConfig::default()), read_config)?;
    config.prioritization = args.prioritization.unwrap_or(config.prioritization);
    let state = State::read(&args.state)?;
    let episodes = Episodes::read(&args.episodes, &state)?;
    if !episodes.ignored.is_empty() {
        let fields: Vec<String> =
            episodes.ignored.iter().map(|(name, n)| format!("{name} ({n} lines)")).collect();
        eprintln!("note: {}: fields not looked at: {}", args.episodes.display(), fields.join(", "));
    }
    let places = args.places.unwrap_or(config.batch_size) as usize;
    let scored = score(&state, &episodes, &config, places);
    if args.json {
        output::line(serde_json::to_string_pretty(&scored)?)?;
    } else {
        table(&scored)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A prioritization by the name it has in a scenario.
fn way(name: &str) -> Result<Prioritization, String> {
    let known = Prioritization::ALL.into_iter().find(|&way| name_of(way) == name);
    known.ok_or_else(|| format!("there are {}", Prioritization::ALL.map(name_of).join(", ")))
}

/// A file that names the table of its keys.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    dream: Option<DreamKeys>,
    replay: Option<ReplayConfig>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct DreamKeys {
    replay: ReplayConfig,
}

fn read_config(path: &Path) -> anyhow::Result<ReplayConfig> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("{shown}: can't read the replay keys: {error}")))?;
    // The keys may stand alone, or under the name they have in a scenario.
    let has = |key: &str| text.parse::<toml::Table>().is_ok_and(|table| table.contains_key(key));
    let (alone, schema) = match (has("dream"), has("replay")) {
        (true, _) => (false, scenario_schema::root()),
        (false, true) => (false, &scenario_schema::root()["$defs"]["DreamConfig"]),
        (false, false) => (true, &scenario_schema::root()["$defs"]["ReplayConfig"]),
    };
    let text = spelling::rewritten(&text, schema).map_or(text, |(text, _)| text);
    let parsed: Result<Keys, toml::de::Error> = match alone {
        false => toml::from_str(&text),
        true => toml::from_str(&text).map(|replay| Keys { dream: None, replay: Some(replay) }),
    };
    let keys = parsed.map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        UserError::new(format!("{shown}:{line}: {what}"))
    })?;
    let config = keys.replay.or(keys.dream.map(|dream| dream.replay)).unwrap_or_default();
    let problems = config.problems("");
    if problems.is_empty() {
        return Ok(config);
    }
    let line = |problem: &morta_engine::base::Problem| {
        format!("{shown}: {} = {}: {}", problem.key.trim_start_matches('.'), problem.value, problem.remedy)
    };
    Err(UserError::all(problems.iter().map(line).collect()))
}

fn score<'a>(state: &State, episodes: &'a Episodes, config: &ReplayConfig, places: usize) -> Vec<Scored<'a>> {
    let pad = state.pad;
    let context = ReplayContext {
        tick: state.tick,
        embedding: &state.embedding,
        regime: state.regime,
        pad_bias: pad.and_then(|pad| PadBias::of(pad.pleasure, pad.arousal, pad.dominance, &config.mood)),
        affect: pad.is_some(),
        mode: state.prediction_accuracy.map_or(ReplayMode::Normal, |a| ReplayMode::of_accuracy(a, config)),
        legacy: config.legacy.turn(state.hayflick_ratio),
    };
    let mut stream = WorldSeed(state.seed).world(Purpose::Dream, 0, state.tick);
    let selection = select(&episodes.grimoire, &context, config, places, &mut stream);
    let scorer = Scorer::new(&episodes.grimoire, &context, config);
    let scored = |(slot, id): (usize, &'a String)| {
        let episode = episodes.grimoire.record(slot).id;
        let chosen = selection.selected.iter().find(|chosen| chosen.episode == episode);
        let terms = scorer.terms(slot);
        let reason = match chosen {
            Some(chosen) => why(chosen.reason),
            None => selection.reason_against(episode, terms.utility).map_or_else(String::new, why_not),
        };
        Scored {
            episode_id: id,
            gain: terms.gain,
            need: terms.need,
            spacing_penalty: terms.spacing,
            utility: terms.utility,
            boosts: Boosts {
                bloodstain: terms.bloodstain,
                curator: terms.curator,
                mood: terms.mood,
                legacy: terms.legacy,
            },
            selected: chosen.is_some(),
            pass: chosen.map(|chosen: &Selected| name_of(chosen.pass)),
            reason,
            importance_weight: chosen.map(|chosen| chosen.importance_weight),
            terms,
        }
    };
    episodes.ids.iter().enumerate().map(scored).collect()
}

fn why(reason: SelectionReason) -> String {
    match reason {
        SelectionReason::RegimeDiversity(regime) => format!("regime_diversity: {}", regime.name()),
        other => name_of(other),
    }
}

fn why_not(reason: NotSelected) -> String {
    match reason {
        NotSelected::BelowThreshold { utility, min_utility } => {
            format!("below_threshold: {utility:.4} does not exceed {min_utility}")
        }
        NotSelected::Outranked { lowest_chosen: Some(lowest), .. } => {
            format!("outranked: the lowest utility chosen is {lowest:.4}")
        }
        NotSelected::Outranked { lowest_chosen: None, .. } => "outranked".to_owned(),
        NotSelected::NotDrawn { .. } => "not_drawn".to_owned(),
    }
}

fn table(scored: &[Scored<'_>]) -> anyhow::Result<()> {
    let width = scored.iter().map(|s| s.episode_id.chars().count()).max().unwrap_or(0).max("episode".len());
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
