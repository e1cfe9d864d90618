//! Finds a life by its name (lookup by id); an unknown name is answered with the names that exist. Every view of a golem or lineage asks it
//! first; the views of a golem and of a death describe the life by it, in ticks, R and USDC. A golem of an earlier run is refused, because
//! its life isn't in this folder. A bare "not found" would leave the user to guess at ids.

use crate::io::error::{Error, Result};
use crate::run::run_folder::{FinishedRun, Life};
use morta_base::{GolemId, Lineage};

/// Looks up all lives of a lineage, oldest first.
pub fn lineage(run: &FinishedRun, lineage: Lineage) -> Result<Vec<Life>> {
    let mut lives = run.lives()?.keep(|life| life.lineage == lineage)?;
    lives.sort_by_key(|life| life.generation);
    if lives.is_empty() {
        let lineages: u32 = run.manifest.scenario.cohorts.iter().map(|cohort| cohort.golems).sum();
        let last = lineages.saturating_sub(1);
        return Err(Error::invalid(format!("there is no lineage L{lineage}: this run has L0 to L{last}")));
    }
    Ok(lives)
}

/// Looks up a life by the golem's id.
pub fn life(run: &FinishedRun, golem: GolemId) -> Result<Life> {
    if golem.run() > 0 {
        return Err(Error::invalid(format!(
            "{golem} lived in an earlier run: this one knows only what it left (see `morta lethe`)"
        )));
    }
    let lives = lineage(run, golem.lineage)?;
    let last = lives.last().map_or(0, |life| life.generation);
    match lives.into_iter().find(|life| life.generation == golem.generation) {
        Some(life) => Ok(life),
        None => Err(Error::invalid(format!(
            "there is no golem {golem}: lineage L{0} has L{0}.G0 to L{0}.G{last}",
            golem.lineage
        ))),
    }
}

/// Describes a life in five lines, and a sixth for an immortal that would have died.
pub fn describe(life: &Life) -> Vec<String> {
    let origin = life.parent.as_ref().map_or("a founder".to_owned(), |parent| format!("succeeds {parent}"));
    let end = match &life.cause {
        Some(cause) => format!("died at {} of {}", life.ended_tick, in_words(cause)),
        None => format!("outlived the run, which ended at {}", life.ended_tick),
    };
    let mut lines = vec![
        format!("{} ({}, memory {}), {origin}", life.golem, life.cohort, life.memory),
        format!("  born at tick {}, {end}; lived {} ticks", life.born_tick, life.lifespan_ticks),
        format!(
            "  {} trades, {} won, {:+.2} R in all{}, {:+.2} R of regret; stayed out {} times",
            life.trades,
            life.wins,
            life.total_r,
            life.mean_r.map_or(String::new(), |mean| format!(" ({mean:+.3} a trade)")),
            life.total_regret_r,
            life.stayed_out
        ),
        format!(
            "  ${:.2} at birth, ${:.2} at the end: trades {:+.2}, compute -{:.2}, inference -{:.4}, Lethe -{:.4} (gas of trades: {:.4})",
            life.endowment_usdc,
            life.balance_usdc,
            life.pnl_usdc,
            life.compute_paid_usdc,
            life.inference_paid_usdc,
            life.lethe_paid_usdc,
            life.gas_paid_usdc
        ),
        format!(
            "  {} dreams, {} rules, {} bloodstains drawn, {} left; at the end fitness {:.2}, vitality {:.2}, {}",
            life.dreams,
            life.rules,
            life.bloodstains_drawn,
            life.bloodstains_left,
            life.fitness,
            life.vitality,
            life.phase
        ),
    ];
    if let (Some(tick), Some(cause)) = (life.would_have_died_tick, &life.would_have_died_cause) {
        lines.push(format!("  immortal: would have died at {tick} of {}", in_words(cause)));
    }
    lines
}

/// Words a cause of death for people.
pub fn in_words(cause: &str) -> &str {
    match cause {
        "economic" => "running out of money",
        "epistemic_senescence" => "failing knowledge",
        "stochastic" => "chance",
        "model_staleness" => "a model worse than guessing",
        "owner_kill" => "its owner's hand",
        "kill_switch" => "the kill switch",
        "fault" => "a fault in its own step",
        other => other,
    }
}
