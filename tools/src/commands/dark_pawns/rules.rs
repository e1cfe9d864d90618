//! Flags of the rules that find, value and summarise events. They come from a TOML configuration file; missing keys have defaults, unknown
//! keys are refused. `--no-valence` wins over the file. They are declared once, so that commands with the same file value a log alike.
//! `RuleFlags` has the CLI arguments that commands have in common (shared flags, ablation).

use morta_memories::dark_pawns::DreamRules;
use morta_tools::dark_pawns::rules;
use std::path::PathBuf;

/// The rules' flags.
#[derive(clap::Args)]
pub(crate) struct RuleFlags {
    /// How events are found, valued and told: a TOML file with any of valence, speech ("whole-word", "substring"), damage_bands
    /// ("seed", "original"), death_events, social_links, valence_from ("integer", "mean"), first_salience ("full", "felt"), fading
    /// ("subtract", "by-feeling"), decay_rate, half_life_dreams, prune_threshold, reinforce_bonus, told_from_salience,
    /// session_gap_minutes, summary_tokens.
    #[arg(long, value_name = "RULES.toml")]
    rules: Option<PathBuf>,

    /// Give every event the valence 0 inside dreaming: the ablation of computed valence.
    #[arg(long)]
    no_valence: bool,
}

impl RuleFlags {
    /// Reads the rules that these flags name (configuration).
    ///
    /// # Errors
    /// When the file can't be read, or a key or its value can't be.
    pub(super) fn read(&self) -> anyhow::Result<DreamRules> {
        let rules = self.rules.as_deref().map_or_else(|| Ok(DreamRules::default()), rules::read)?;
        Ok(DreamRules { valence: rules.valence && !self.no_valence, ..rules })
    }
}
