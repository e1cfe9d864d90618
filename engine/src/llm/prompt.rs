//! Tasks and replies as text. The simulated model doesn't read it, but its length is what is paid for, and a
//! real model gets exactly this.

use crate::llm::{
    BaseRate, Branch, CreativeMode, CreditBrief, EpisodeBrief, Fragment, Pattern, Prospect, Reply, Stance,
    Task, WhatIf,
};
use std::fmt::Write as _;

/// Characters a token, about, in English prose and numbers.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tokens of a text, estimated from its length.
pub fn tokens(text: &str) -> u32 {
    text.len().div_ceil(CHARACTERS_PER_TOKEN) as u32
}

/// The prompt of a task, after what the asker's memory gave it to read.
pub fn render_after(briefing: Option<&str>, task: &Task) -> String {
    let question = render(task);
    briefing.map_or_else(|| question.clone(), |briefing| format!("{briefing}\n{question}"))
}

/// The prompt of a task.
pub fn render(task: &Task) -> String {
    let mut text = String::from(opening(task));
    match task {
        Task::Dissolve { memories, keyword } => {
            memories.iter().for_each(|episode| describe(&mut text, episode));
            if let Some(keyword) = keyword {
                line(&mut text, format_args!("Somewhere in it: {keyword}."));
            }
        }
        Task::Observe { fragments } => {
            fragments.iter().for_each(|fragment| describe_fragment(&mut text, fragment));
        }
        Task::FindPatterns { episodes, credits, what_ifs, base_rates, rules } => {
            episodes.iter().for_each(|episode| describe(&mut text, episode));
            credits.iter().for_each(|credit| describe_credit(&mut text, credit));
            for what_if in what_ifs {
                let WhatIf { episode, change, perturbed_r, .. } = what_if;
                line(&mut text, format_args!("- {episode} with {change}: {perturbed_r:+.2} R"));
            }
            for BaseRate { strategy, regime, trades, mean_r } in base_rates {
                let regime = regime.name();
                line(&mut text, format_args!("- all {trades} {strategy}, {regime}: {mean_r:+.2} R"));
            }
            rules.iter().for_each(|rule| line(&mut text, format_args!("- in force: {rule}")));
        }
        Task::Anticipate { prospects } => {
            prospects.iter().for_each(|prospect| describe_prospect(&mut text, prospect));
        }
        Task::Counterfactual { episode, branch } => {
            describe(&mut text, episode);
            describe_branch(&mut text, branch);
        }
        Task::Imagine { mode, seeds, rule, situation } => {
            text.push_str(departure(*mode));
            seeds.iter().for_each(|episode| describe(&mut text, episode));
            if let Some(rule) = rule {
                line(&mut text, format_args!("- a rule long left alone: {rule}"));
            }
            if let Some(situation) = situation {
                line(&mut text, format_args!("- never met, though each part of it was: {situation}"));
            }
        }
        Task::Threaten { kind, episodes } => {
            line(&mut text, format_args!("The threat: {}.", kind.name().replace('_', " ")));
            episodes.iter().for_each(|episode| describe(&mut text, episode));
        }
        Task::Reappraise { episodes } => episodes.iter().for_each(|episode| describe(&mut text, episode)),
        Task::Consolidate { patterns } | Task::Recrystallise { patterns } => {
            patterns.iter().for_each(|pattern| describe_pattern(&mut text, pattern));
        }
        Task::Read => {}
    }
    text
}

/// What the model is told before it is shown anything.
const fn opening(task: &Task) -> &'static str {
    match task {
        Task::Dissolve { .. } => {
            "You are falling asleep. Let these memories run together: where from one, what was done from another, how it \
             ended from a third. Half a thought is enough.\n"
        }
        Task::Observe { .. } => {
            "Thoughts from the edge of sleep. Rate each from 0 to 1 by how new it is, how much it has to do with what \
             matters, and whether it holds together.\n"
        }
        Task::FindPatterns { .. } => {
            "You look back on trades while the market is shut out. Say which strategies paid, or cost, in which \
             circumstances. Go only by the episodes below; an effect needs at least two of them. Answer with one \
             line for each finding: strategy, circumstances, expected R.\n"
        }
        Task::Anticipate { .. } => {
            "Morning is near. Here is how things may go. For each, what would be the best answer, and what would it be \
             worth in R?\n"
        }
        Task::Counterfactual { .. } => {
            "Here is one decision and what came of it. Had you been free to choose again with what was known \
             then, what would the other way have brought, and what does that teach?\n"
        }
        Task::Imagine { .. } => {
            "You imagine freely. From what follows make something that has not been tried and that could be tried: \
             strategy, circumstances, expected R.\n"
        }
        Task::Threaten { .. } => {
            "Imagine that this strikes now. Going by what was lived through under its signs, how much would it cost, and \
             which strategy should be left alone, where?\n"
        }
        Task::Reappraise { .. } => {
            "These were felt strongly. For each, tell what happened apart from how it felt, and name those where you \
             could.\n"
        }
        Task::Consolidate { .. } => {
            "These are the findings of one dream. Put those about the same thing together, leave out what rests on \
             nothing, and list what is worth testing awake, the strongest first.\n"
        }
        Task::Recrystallise { .. } => {
            "You are waking up. Of what the dream found, keep one thing in mind: the one that would change most if it \
             were true.\n"
        }
        Task::Read => {
            "You wake up and have read what you remember. How do you stand to your ways of trading, each in each market? One \
             line for each that it says something of, the surest first: strategy, market, from -1 (leave it alone) \
             to 1 (seek it).\n"
        }
    }
}

const fn departure(mode: CreativeMode) -> &'static str {
    match mode {
        CreativeMode::Combinational => "Join what was apart: what worked in one place, tried in another.\n",
        CreativeMode::Exploratory => {
            "Push what is known to its limits: the same, where it is wildest or thinnest.\n"
        }
        CreativeMode::Transformational => {
            "Turn a basic assumption around: what if what costs were what pays?\n"
        }
        CreativeMode::Stochastic => "These came up at random. Find the story that connects them.\n",
    }
}

/// A reply as the model would write it.
pub fn render_reply(reply: &Reply) -> String {
    let mut text = String::new();
    match reply {
        Reply::Fragment(Some(fragment)) => line(&mut text, format_args!("{}", fragment.claim)),
        Reply::Observed(scores) => {
            scores.iter().for_each(|score| line(&mut text, format_args!("{score:.2}")))
        }
        Reply::Patterns(patterns) | Reply::Anticipated(patterns) | Reply::Consolidated(patterns) => {
            patterns.iter().for_each(|pattern| describe_pattern(&mut text, pattern));
        }
        Reply::Imagined { ideas, .. } => ideas.iter().for_each(|idea| describe_pattern(&mut text, idea)),
        Reply::Lesson { outcome_r, lesson, confidence, .. } => {
            line(&mut text, format_args!("It would have made {outcome_r:+.2} R ({confidence:.2})."));
            lesson.iter().for_each(|lesson| describe_pattern(&mut text, lesson));
        }
        Reply::Threat { loss_r, guard, .. } => {
            loss_r.iter().for_each(|loss| line(&mut text, format_args!("It would cost {loss:.2} R.")));
            guard.iter().for_each(|guard| describe_pattern(&mut text, guard));
        }
        Reply::Reappraised(episodes) => {
            episodes.iter().for_each(|episode| line(&mut text, format_args!("{episode}")));
        }
        Reply::Stances(stances) => {
            for Stance { strategy, regime, strength } in stances {
                let regime = regime.map_or("any", |regime| regime.name());
                line(&mut text, format_args!("- {strategy}, {regime}: {strength:+.2}"));
            }
        }
        Reply::KeptInMind(Some(claim)) => line(&mut text, format_args!("{claim}")),
        Reply::Fragment(None) | Reply::KeptInMind(None) => text.push_str("Nothing.\n"),
    }
    text
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string does not fail");
}

fn describe_fragment(text: &mut String, fragment: &Fragment) {
    let Fragment { claim, novelty, relevance, coherence, .. } = fragment;
    line(text, format_args!("- {claim} (new {novelty:.2}, near {relevance:.2}, whole {coherence:.2})"));
}

fn describe_credit(text: &mut String, credit: &CreditBrief) {
    let CreditBrief { episode, pivotal, forecast_error_r } = credit;
    match pivotal {
        Some((kind, share)) => line(
            text,
            format_args!(
                "- {episode} turned on the {} ({:.0} % of it), off by {forecast_error_r:+.2} R",
                format!("{kind:?}").to_lowercase(),
                100.0 * share
            ),
        ),
        None => line(text, format_args!("- {episode} turned on nothing, off by {forecast_error_r:+.2} R")),
    }
}

fn describe_prospect(text: &mut String, prospect: &Prospect) {
    let Prospect { hypothesis, regime, best_response, confidence, breaking, .. } = prospect;
    let best = best_response.map_or("nothing is known".to_owned(), |(s, r)| format!("{s} made {r:+.2} R"));
    let regime = regime.name().replace('_', " ");
    line(
        text,
        format_args!("- {hypothesis} ({confidence:.2}), into {regime}: {best}; {breaking} positions break"),
    );
}

fn describe_branch(text: &mut String, branch: &Branch) {
    match branch {
        Branch::OtherStrategy { strategy, result_r } => {
            line(text, format_args!("What if it had been {strategy}? It stood at {result_r:+.2} R."));
        }
        Branch::StayingOut => line(text, format_args!("What if nothing had been done?")),
        Branch::LeavingEarlier { result_r } => {
            line(text, format_args!("What if you had left at the best moment, at {result_r:+.2} R?"));
        }
    }
}

fn describe(text: &mut String, episode: &EpisodeBrief) {
    let context = &episode.context;
    let written = writeln!(
        text,
        "- {}: {}{} in a {} market, volatility {} of 5, {:?} liquidity, {:?} gas, {:?} hours; expected {:+.2} R, made \
         {:+.2} R{}",
        episode.id,
        if episode.traded { "" } else { "stayed out of " },
        episode.strategy,
        context.regime.name(),
        context.volatility_quintile,
        context.liquidity,
        context.gas,
        context.session,
        episode.expected_r,
        episode.realised_r,
        match episode.better_strategy {
            Some(better) => format!("; {better} would have made {:+.2} R more", episode.regret),
            None => String::new(),
        }
    );
    written.expect("writing to a string does not fail");
}

fn describe_pattern(text: &mut String, pattern: &Pattern) {
    let written = writeln!(text, "- {} (from {} episodes)", pattern.claim, pattern.learned_from.len());
    written.expect("writing to a string does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::grimoire::tests::episode;
    use crate::llm::LlmConfig;
    use crate::llm::Tier;

    /// Dream architecture, CORE: replaying five episodes costs about $0.0003 to $0.0008.
    #[test]
    fn replaying_five_episodes_costs_what_the_spec_says() {
        let episodes = (0..5).map(|n| EpisodeBrief::from(&episode(n, 10))).collect();
        let task = Task::FindPatterns {
            episodes,
            credits: Vec::new(),
            what_ifs: Vec::new(),
            base_rates: Vec::new(),
            rules: Vec::new(),
        };
        let input = tokens(&render(&task));
        let price = LlmConfig::default().tier(Tier::T0).price(input, 250).dollars();
        assert!((0.0003..0.0008).contains(&price), "{input} tokens, ${price}");
    }
}
