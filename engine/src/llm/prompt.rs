//! Tasks and replies as text. The simulated model doesn't read it, but its length is what is paid for, and a
//! real model gets exactly this.

use crate::llm::{EpisodeBrief, Pattern, Reply, Task};
use std::fmt::Write as _;

/// Characters a token, about, in English prose and numbers.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tokens of a text, estimated from its length.
pub fn tokens(text: &str) -> u32 {
    text.len().div_ceil(CHARACTERS_PER_TOKEN) as u32
}

/// The prompt of a task.
pub fn render(task: &Task) -> String {
    let mut text = String::new();
    match task {
        Task::FindPatterns { episodes } => {
            text.push_str(
                "You look back on trades while the market is shut out. Say which strategies paid, or cost, in which \
                 circumstances. Go only by the episodes below; an effect needs at least two of them. Answer with one \
                 line for each finding: strategy, circumstances, expected R.\n",
            );
            episodes.iter().for_each(|episode| describe(&mut text, episode));
        }
        Task::Counterfactual { episode } => {
            text.push_str(
                "Here is one decision and what came of it. Had you been free to choose again with what was known \
                 then, which strategy would have served better, and what does that teach?\n",
            );
            describe(&mut text, episode);
        }
        Task::Consolidate { patterns } => {
            text.push_str(
                "These are the findings of one dream. Put those about the same thing together, leave out what \
                 rests on nothing, and list what is worth testing awake, the strongest first.\n",
            );
            patterns.iter().for_each(|pattern| describe_pattern(&mut text, pattern));
        }
    }
    text
}

/// A reply as the model would write it.
pub fn render_reply(reply: &Reply) -> String {
    let mut text = String::new();
    match reply {
        Reply::Patterns(patterns) | Reply::Consolidated(patterns) => {
            patterns.iter().for_each(|pattern| describe_pattern(&mut text, pattern));
        }
        Reply::Lesson(lesson) => match lesson {
            Some(pattern) => describe_pattern(&mut text, pattern),
            None => text.push_str("No lesson.\n"),
        },
    }
    text
}

fn describe(text: &mut String, episode: &EpisodeBrief) {
    let context = &episode.context;
    let written = writeln!(
        text,
        "- {}: {} in a {} market, volatility {} of 5, {:?} liquidity, {:?} gas, {:?} hours; expected {:+.2} R, made \
         {:+.2} R{}",
        episode.id,
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
        let input = tokens(&render(&Task::FindPatterns { episodes }));
        let price = LlmConfig::default().tier(Tier::T0).price(input, 250).dollars();
        assert!((0.0003..0.0008).contains(&price), "{input} tokens, ${price}");
    }
}
