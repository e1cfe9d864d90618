//! The flags that say how events are found, valued and told.

use crate::failure::UserError;
use morta_engine::base::Problem;
use morta_engine::base::keys::Keys;
use morta_memories::dark_pawns::DreamRules;
use std::path::{Path, PathBuf};

/// The rules' flags.
#[derive(clap::Args)]
pub struct RuleFlags {
    /// How events are found, valued and told: a TOML file with any of valence, speech ("whole-word", "substring"), damage_bands
    /// ("seed", "original"), death_events, social_links, valence_from ("integer", "mean"), decay_rate, prune_threshold,
    /// reinforce_bonus, told_from_salience, session_gap_minutes, summary_tokens.
    #[arg(long, value_name = "RULES.toml")]
    rules: Option<PathBuf>,

    /// Give every event the valence 0 inside dreaming: the ablation of computed valence.
    #[arg(long)]
    no_valence: bool,
}

impl RuleFlags {
    /// The rules they ask for.
    ///
    /// # Errors
    /// When the file can't be read, or a key or its value can't be.
    pub fn read(&self) -> anyhow::Result<DreamRules> {
        let rules = self.rules.as_deref().map_or_else(|| Ok(DreamRules::default()), read)?;
        Ok(DreamRules { valence: rules.valence && !self.no_valence, ..rules })
    }
}

fn read(path: &Path) -> anyhow::Result<DreamRules> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("{shown}: can't read the rules: {error}")))?;
    let rules: DreamRules = toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        UserError::new(format!("{shown}:{line}: {what}"))
    })?;
    let problems = rules.problems("");
    if problems.is_empty() {
        return Ok(rules);
    }
    let line =
        |problem: &Problem| format!("{shown}: {} = {}: {}", problem.key, problem.value, problem.remedy);
    Err(UserError::all(problems.iter().map(line).collect()))
}
