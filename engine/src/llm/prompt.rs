//! Tasks and replies as text: prompt rendering with a token estimate of four bytes a token. The simulated model doesn't read the text, but
//! its length is paid for; there only the length is counted, and no text is built. A real model is shown the same text, between its
//! standing instructions and the form of its reply ([`crate::llm::outside`]), and its endpoint counts the tokens that it pays for.
//!
//! Results are printed in R, money in dollars, times in ticks. Tokens here exclude the tier's standing context, which
//! `TierConfig::tokens_read` and a dream's prices add. A changed word changes the keys of recorded calls, whose replies are then not found,
//! and with its length what golems pay for the question in any mode, so that runs of the simulated model give other bytes as well.

use crate::episode::{Context, DecisionStep, StepKind};
use crate::llm::{
    AppraisalBrief, BaseRate, Branch, CreativeMode, CreditBrief, EpisodeBrief, Fragment, Level,
    MorningSituation, OpenPosition, PartWorth, Prospect, Reply, SourcedClaim, Stance, Task, ThemeBrief,
    UnmetSituation,
};
use morta_base::EpisodeId;
use morta_base::decimal::{self, Decimal};
use std::fmt::{self, Write};

/// Bytes a token, roughly, in English prose and numbers.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tokens of a text of so many bytes, roughly, rounded up.
fn tokens(bytes: usize) -> u32 {
    bytes.div_ceil(CHARACTERS_PER_TOKEN) as u32
}

/// Estimates the input tokens (token counting) of a task's prompt after the briefing, by its length in bytes. No tokenizer is run.
pub fn prompt_tokens(briefing: Option<&str>, task: &Task) -> u32 {
    let line_of = |briefing: &str| briefing.len() + 1;
    tokens(briefing.map_or(0, line_of) + measured(|length| write_prompt(length, task)))
}

/// Counts the tokens (prompt length) of a question about patterns whose what-ifs are measured apart, each by [`what_if_bytes`], because
/// their texts took an eighth of a plan's time. Questions without what-ifs are priced by it too, with 0 bytes.
pub(crate) fn prompt_tokens_beside(task: &Task, what_if_bytes: usize) -> u32 {
    tokens(what_if_bytes + measured(|length| write_prompt(length, task)))
}

/// Bytes of one what-if in a prompt, whose change takes so many. A dream prices hundreds that no model will be shown, so they are measured
/// without being written.
pub(crate) fn what_if_bytes(episode: EpisodeId, change_bytes: usize, perturbed_r: f64) -> usize {
    change_bytes + measured(|length| write_what_if(length, episode, "", perturbed_r))
}

/// Renders the prompt of a task: its instruction, and the content that the answer may be drawn from.
pub(crate) fn prompt_text(task: &Task) -> String {
    let mut text = String::new();
    write_prompt(&mut text, task).expect("memory can be written to");
    text
}

/// Estimates the output tokens of a simulated reply, by its length in bytes: what the asker pays for it.
pub(crate) fn reply_tokens(reply: &Reply) -> u32 {
    tokens(measured(|length| write_reply(length, reply)))
}

/// A text that is written, or of which only the length is counted. Each thing comes after the words that lead to it.
trait Text: Write {
    /// Writes a number with so many decimals.
    fn number(&mut self, before: &str, x: f64, decimals: u32) -> fmt::Result {
        write!(self, "{before}{}", Decimal(x, decimals))
    }

    /// Writes a number with its sign, a plus as well, and so many decimals.
    fn signed(&mut self, before: &str, x: f64, decimals: u32) -> fmt::Result {
        write!(self, "{before}{x:+.0$}", decimals as usize)
    }

    /// Writes a whole number.
    fn whole(&mut self, before: &str, n: u64) -> fmt::Result {
        write!(self, "{before}{n}")
    }

    /// Writes the name of an episode.
    fn episode(&mut self, before: &str, id: EpisodeId) -> fmt::Result {
        write!(self, "{before}{id}")
    }

    /// Writes a word as it is.
    fn word(&mut self, before: &str, word: &str) -> fmt::Result {
        self.write_str(before)?;
        self.write_str(word)
    }

    /// Writes a word, its first letter as a capital.
    fn capitalised(&mut self, before: &str, word: &str) -> fmt::Result {
        self.write_str(before)?;
        let mut letters = word.chars();
        letters.next().map_or(Ok(()), |first| self.write_char(first.to_ascii_uppercase()))?;
        self.write_str(letters.as_str())
    }
}

impl Text for String {}

/// A writer that only counts bytes: most prompts are never read, and their text would be most of a dream's allocations.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// Counts the digits of numbers and names instead of finding them, which took two thirds of the time of measuring.
impl Text for Length {
    fn number(&mut self, before: &str, x: f64, decimals: u32) -> fmt::Result {
        self.0 += before.len() + Decimal(x, decimals).text_length();
        Ok(())
    }

    fn signed(&mut self, before: &str, x: f64, decimals: u32) -> fmt::Result {
        match decimal::length(x, decimals) {
            Some(digits) => self.0 += before.len() + 1 + digits,
            None => write!(self, "{before}{x:+.0$}", decimals as usize)?,
        }
        Ok(())
    }

    fn whole(&mut self, before: &str, n: u64) -> fmt::Result {
        self.0 += before.len() + n.checked_ilog10().unwrap_or(0) as usize + 1;
        Ok(())
    }

    fn episode(&mut self, before: &str, id: EpisodeId) -> fmt::Result {
        self.0 += before.len() + id.text_length();
        Ok(())
    }

    fn capitalised(&mut self, before: &str, word: &str) -> fmt::Result {
        self.word(before, word)
    }
}

fn measured(write: impl FnOnce(&mut Length) -> fmt::Result) -> usize {
    let mut length = Length(0);
    write(&mut length).expect("measuring doesn't fail");
    length.0
}

/// Writes the prompt of a task.
fn write_prompt(text: &mut impl Text, task: &Task) -> fmt::Result {
    text.write_str(opening(task))?;
    match task {
        Task::Dissolve { memories, keyword } => {
            each(memories, |episode| describe(text, episode))?;
            if let Some(keyword) = keyword {
                writeln!(text, "Somewhere in it: {keyword}.")?;
            }
        }
        Task::Observe { fragments } => each(fragments, |fragment| describe_fragment(text, fragment))?,
        Task::FindPatterns { episodes, credits, what_ifs, base_rates, rules, method, .. } => {
            text.write_str(level_words(method.level))?;
            each(episodes, |episode| describe(text, episode))?;
            each(credits, |credit| describe_credit(text, credit))?;
            for what_if in what_ifs {
                write_what_if(text, what_if.episode, &what_if.change, what_if.perturbed_r)?;
            }
            for BaseRate { strategy, regime, trades, mean_r } in base_rates {
                let regime = regime.name();
                write!(text, "- all {trades} {strategy}, {regime}")?;
                text.signed(": ", *mean_r, 2)?;
                text.write_str(" R\n")?;
            }
            each(rules, |rule| writeln!(text, "- in force: {rule}"))?;
        }
        Task::Anticipate { prospects, standing } => {
            describe_standing(text, standing)?;
            each(prospects, |prospect| describe_prospect(text, prospect))?;
        }
        Task::Counterfactual { episode, branch } => {
            describe(text, episode)?;
            describe_branch(text, branch)?;
        }
        Task::Imagine { mode, seeds, rule, situation } => {
            text.write_str(departure(*mode))?;
            each(seeds, |episode| describe(text, episode))?;
            if let Some(rule) = rule {
                writeln!(text, "- a rule long left alone: {rule}")?;
            }
            if let Some(situation) = situation {
                describe_situation(text, situation)?;
            }
        }
        Task::Threaten { kind, episodes } => {
            writeln!(text, "The threat: {}.", kind.name().replace('_', " "))?;
            each(episodes, |episode| describe(text, episode))?;
        }
        Task::Reappraise { episodes } => each(episodes, |episode| describe(text, episode))?,
        Task::Consolidate { patterns } | Task::Recrystallise { patterns } => {
            each(patterns, |pattern| describe_pattern(text, pattern))?;
        }
        Task::Read => {}
        Task::Appraise(brief) => describe_happening(text, brief)?,
        Task::Reflect { themes } => {
            for (n, ThemeBrief { tags, count, strength, mean_r, trades }) in themes.iter().enumerate() {
                let tags = tags.join(", ");
                writeln!(
                    text,
                    "{}. {tags}: in {count} memories, strength {strength:.2}; {trades} trades, {mean_r:+.2} R on average",
                    n + 1
                )?;
            }
        }
    }
    Ok(())
}

fn write_what_if(text: &mut impl Text, episode: EpisodeId, change: &str, perturbed_r: f64) -> fmt::Result {
    text.episode("- ", episode)?;
    text.word(" with ", change)?;
    text.signed(": ", perturbed_r, 2)?;
    text.write_str(" R\n")
}

/// The words for how the episodes were chosen.
const fn level_words(level: Level) -> &'static str {
    match level {
        Level::Replayed => "",
        Level::Usual => {
            "They were chosen for what came of them, so go by the means of all trades for how much a strategy makes, and by \
             the episodes for where it makes more or less.\n"
        }
    }
}

fn each<T>(items: &[T], write: impl FnMut(&T) -> fmt::Result) -> fmt::Result {
    items.iter().try_for_each(write)
}

/// The instruction at the start of a prompt.
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
             circumstances; first what speaks against a rule in force. Go only by the episodes below; an effect needs at \
             least two of them. One line for each finding: strategy, circumstances, expected R.\n"
        }
        Task::Anticipate { .. } => {
            "Morning is near. Here is how things stand and may go. For each way, what would be the best answer, and what \
             would it be worth in R?\n"
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
             which strategies should be left alone, where, and which would serve in their place?\n"
        }
        Task::Reappraise { .. } => {
            "These were felt strongly (\"felt\": arousal, 0 to 1). For each, tell what happened apart from how it felt, and \
             name those where you could.\n"
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
        Task::Appraise(_) => "Something has just happened to you. How does it feel?\n",
        Task::Reflect { .. } => {
            "You are dreaming. These circumstances keep coming up in what you remember. For each that means something, what are trades \
             of its kind worth from now on, in R?\n"
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

/// Writes a reply in the form of a model's.
fn write_reply(text: &mut impl Text, reply: &Reply) -> fmt::Result {
    match reply {
        Reply::Fragment(Some(fragment)) => writeln!(text, "{}", fragment.claim),
        Reply::Observed(scores) => each(scores, |score| writeln!(text, "{score:.2}")),
        Reply::Patterns { patterns, .. }
        | Reply::Anticipated { responses: patterns, .. }
        | Reply::Consolidated(patterns) => each(patterns, |pattern| describe_pattern(text, pattern)),
        Reply::Imagined { ideas, .. } => each(ideas, |idea| describe_pattern(text, idea)),
        Reply::Lesson { outcome_r, lesson, confidence, .. } => {
            writeln!(text, "It would have made {outcome_r:+.2} R ({confidence:.2}).")?;
            lesson.iter().try_for_each(|lesson| describe_pattern(text, lesson))
        }
        Reply::Threat { loss_r, responses, .. } => {
            loss_r.iter().try_for_each(|loss| writeln!(text, "It would cost {loss:.2} R."))?;
            each(responses, |response| describe_pattern(text, response))
        }
        Reply::Reappraised(episodes) => each(episodes, |episode| writeln!(text, "{episode}")),
        Reply::Stances(stances) => each(stances, |Stance { strategy, regime, strength }| {
            let regime = regime.map_or("any", |regime| regime.name());
            writeln!(text, "- {strategy}, {regime}: {strength:+.2}")
        }),
        Reply::Appraised { pad, intensity } => {
            let (pleasure, arousal, dominance) = (pad.pleasure, pad.arousal, pad.dominance);
            writeln!(
                text,
                "Pleasure {pleasure:+.2}, arousal {arousal:+.2}, dominance {dominance:+.2}: {intensity:.2}."
            )
        }
        Reply::Reflected(themes) => each(themes, |(place, r)| writeln!(text, "- {}: {r:+.2} R", place + 1)),
        Reply::KeptInMind(Some(claim)) => writeln!(text, "{claim}"),
        Reply::Fragment(None) | Reply::KeptInMind(None) => text.write_str("Nothing.\n"),
    }
}

fn describe_happening(text: &mut impl Text, brief: &AppraisalBrief) -> fmt::Result {
    let AppraisalBrief { happening, mood, vitality, recent_r, fitness, .. } = brief;
    writeln!(text, "What happened: {happening}.")?;
    writeln!(
        text,
        "Your mood before: pleasure {:+.2}, arousal {:+.2}, dominance {:+.2} (each from -1 to 1).",
        mood.pleasure, mood.arousal, mood.dominance
    )?;
    writeln!(
        text,
        "You: vitality {vitality:.2} of 1; your trades make {recent_r:+.2} R of late; you foresee the market with {fitness:.2} of 1."
    )
}

fn describe_fragment(text: &mut impl Text, fragment: &Fragment) -> fmt::Result {
    let Fragment { claim, novelty, relevance, coherence, .. } = fragment;
    writeln!(text, "- {claim} (new {novelty:.2}, near {relevance:.2}, whole {coherence:.2})")
}

/// A never-met situation with the results under its parts: a strategy's mean under each beside its mean under all circumstances.
fn describe_situation(text: &mut impl Text, situation: &UnmetSituation) -> fmt::Result {
    writeln!(text, "- never met, though each part of it was: {}", situation.parts)?;
    each(&situation.known, |known| {
        let PartWorth { part, strategy, mean_r, trades, usual_r, usual_trades, .. } = known;
        let part = part.name().replace('_', " ");
        writeln!(
            text,
            "  {strategy}, {part}: {mean_r:+.2} R in {trades} trades ({usual_r:+.2} R in all its {usual_trades})"
        )
    })
}

/// The chain from the outcome backwards, the order of reverse replay.
fn describe_credit(text: &mut impl Text, credit: &CreditBrief) -> fmt::Result {
    text.episode("- ", credit.episode)?;
    text.write_str(":")?;
    for DecisionStep { kind, tick, r } in &credit.chain {
        text.word(" ", kind.name())?;
        text.whole(" t", *tick)?;
        // The number of the analysis is the expectation, which the episode's own line has.
        if *kind != StepKind::Analysis {
            text.signed(" ", *r, 2)?;
            text.write_str(" R,")?;
        }
    }
    match credit.pivotal {
        Some((kind, share)) => {
            text.word("; turned on the ", kind.name())?;
            text.number(" (", 100.0 * share, 0)?;
            text.write_str(" %)\n")
        }
        None => text.write_str("\n"),
    }
}

fn describe_standing(text: &mut impl Text, standing: &MorningSituation) -> fmt::Result {
    let MorningSituation { tick, context, price, gas, positions, rules, alike } = standing;
    write!(text, "Now, t{tick}: price {price:.2}, gas ${:.2}; ", gas.dollars())?;
    describe_market(text, context)?;
    writeln!(text)?;
    each(positions, |OpenPosition { strategy, asset, side, stake, unrealised_r }| {
        let stake = stake.dollars();
        writeln!(
            text,
            "- open: {strategy}, {side}, asset {asset}, ${stake:.2} in it, {unrealised_r:+.2} R so far"
        )
    })?;
    each(rules, |rule| writeln!(text, "- in force: {rule}"))?;
    each(alike, |episode| describe(text, episode))
}

fn describe_prospect(text: &mut impl Text, prospect: &Prospect) -> fmt::Result {
    let Prospect { hypothesis, regime, best_response, confidence, breaking, .. } = prospect;
    let best = best_response.map_or("nothing is known".to_owned(), |(s, r)| format!("{s} made {r:+.2} R"));
    let regime = regime.name().replace('_', " ");
    writeln!(text, "- {hypothesis} ({confidence:.2}), into {regime}: {best}; {breaking} positions break")
}

fn describe_branch(text: &mut impl Text, branch: &Branch) -> fmt::Result {
    match branch {
        Branch::OtherStrategy { strategy, result_r } => {
            writeln!(text, "What if it had been {strategy}? It stood at {result_r:+.2} R.")
        }
        Branch::StayingOut => writeln!(text, "What if nothing had been done?"),
        Branch::LeavingEarlier { result_r, .. } => {
            writeln!(text, "What if you had left at the best moment, at {result_r:+.2} R?")
        }
        Branch::EnteringLater { result_r, .. } => {
            writeln!(
                text,
                "What if you had gone in at the worst moment? From there it made {result_r:+.2} R."
            )
        }
    }
}

fn describe_market(text: &mut impl Text, context: &Context) -> fmt::Result {
    text.word(context.regime.name(), if context.shock { " after a shock" } else { "" })?;
    text.whole(", volatility ", context.volatility_quintile.into())?;
    text.capitalised("/5, ", context.liquidity.name())?;
    text.capitalised(" liquidity, ", context.gas.name())?;
    text.capitalised(" gas, ", context.session.name())?;
    text.write_str(" hours")
}

/// Tick, market, action, result in R and in money, surprise and arousal (replay engine, "batch replay"). One line, because its
/// length is paid for with every episode that is read.
fn describe(text: &mut impl Text, episode: &EpisodeBrief) -> fmt::Result {
    text.episode("- ", episode.id)?;
    text.whole(" t", episode.closed)?;
    text.word(if episode.traded { ": " } else { ": stayed out of " }, episode.strategy.name())?;
    text.whole(", asset ", episode.context.asset.into())?;
    text.write_str("; ")?;
    describe_market(text, &episode.context)?;
    text.signed("; expected ", episode.expected_r, 2)?;
    text.signed(", made ", episode.realised_r, 2)?;
    text.write_str(" R")?;
    if episode.traded {
        text.signed(", $", episode.pnl.dollars(), 2)?;
    }
    text.number(", surprise ", episode.surprise, 1)?;
    if episode.arousal > 0.0 {
        text.number(", felt ", episode.arousal, 1)?;
    }
    if let Some(better) = episode.better_strategy {
        text.word("; ", better.name())?;
        text.signed(" ", episode.regret, 2)?;
        text.write_str(" R more")?;
    }
    // A model that averages has to know the weights; that all are alike isn't worth a token.
    match episode.weight {
        1.0 => text.write_str("\n"),
        0.0 => text.write_str(" (handed over for how it ended: not usual)\n"),
        weight => {
            text.number(" (counts ", weight, 2)?;
            text.write_str(")\n")
        }
    }
}

fn describe_pattern(text: &mut impl Text, pattern: &SourcedClaim) -> fmt::Result {
    writeln!(text, "- {} (from {} episodes)", pattern.claim, pattern.learned_from.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::llm::LlmConfig;
    use crate::llm::Tier;

    /// Signs, zeros, both sides of a middle, and what is no number.
    #[test]
    fn a_measured_number_is_as_long_as_a_written_one() {
        for x in
            [0.0, -0.0, -0.004, 0.005, -0.996, 9.995, 99.994, -1e9, f64::NAN, f64::NEG_INFINITY, f64::MAX]
        {
            for decimals in [0, 1, 2, 3] {
                let written = |text: &mut dyn Text| {
                    text.number("made ", x, decimals).and_then(|()| text.signed(", ", x, decimals))
                };
                let (mut text, mut length) = (String::new(), Length(0));
                written(&mut text).and_then(|()| written(&mut length)).expect("memory can be written to");
                assert_eq!(length.0, text.len(), "{x} with {decimals} decimals: {text}");
            }
        }
    }

    /// Dream architecture, CORE: replaying five episodes costs about $0.0003 to $0.0008.
    #[test]
    fn replaying_five_episodes_costs_what_the_spec_says() {
        let episodes = (0..5).map(|n| EpisodeBrief::from(&episode(n, 10))).collect();
        let task = Task::FindPatterns {
            batch: 0,
            episodes,
            credits: Vec::new(),
            what_ifs: Vec::new(),
            base_rates: Vec::new(),
            rules: Vec::new(),
            method: Default::default(),
            is_dreamt: true,
        };
        let input = prompt_tokens(None, &task);
        let mut text = String::from("What is remembered.\n");
        write_prompt(&mut text, &task).expect("memory can be written to");
        assert_eq!(prompt_tokens(Some("What is remembered."), &task), tokens(text.len()));
        let model = LlmConfig::default().tier(Tier::T0);
        let read = model.tokens_read(None, &task);
        assert_eq!(read, input + model.context_tokens);
        let price = model.price(read, 250).dollars();
        assert!((0.0003..0.0008).contains(&price), "{read} tokens, ${price}");
    }
}
