//! Replies of a model, parsed: JSON of the task's form, with names that exist and possible numbers (structured output validation).
//!
//! Results are in R and within ±10, scores and confidences from 0 to 1, PAD coordinates from −1 to 1. What can't be used is an error in
//! words for the model; the broker asks it once more if the run's budget bears it, and otherwise or after a second failure the answer is
//! `Unreadable` and paid for. Episodes can't be invented: an unknown name anywhere is an error. Repeated sources are merged. Three slips
//! are dropped in silence, lest good findings be lost for them: a pair of one episode with itself, a step that its chain doesn't have, and
//! a guard beside findings that claims no loss. Words around the JSON object are passed over. A reply cut off at the token limit is
//! unusable, except at the edge of sleep, where it counts as no thought.

use super::form::{EpisodeName, Named, Place, schema_of};
use super::questions::{BESIDE, questions};
use super::{CallReply, FinishReason};
use crate::daimon::Pad;
use crate::episode::{Claim, ContextPattern, StepKind, VolatilityBand};
use crate::llm::{BatchAnswers, EpisodeBrief, Fragment, Reply, SourcedClaim, Stance, Task, TierConfig};
use crate::market::{AssetIndex, GasClass, LiquidityClass, Regime, Session, Strategy};
use morta_base::EpisodeId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The largest result that a reply may claim, in R, either way: ten times the stop's distance. A crisis can bring more (`predator.toml`: a
/// crash of .3 at a volatility of .004 a tick).
pub const LARGEST_R: f64 = 10.0;
/// Most characters of a sentence in a reply.
const LONGEST_ANSWER: usize = 300;
/// Most guards in a reply, and most contradicting pairs: enough for a batch, and few tokens.
const MOST_BESIDE: usize = 3;

/// The reason why an LLM's reply can't be used: a parse error or validation error, fed back to the model as a repair prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It was cut off, so it is no JSON.
    #[error("it was cut off after {0} tokens: say less")]
    CutOff(u32),
    /// It isn't JSON of the form.
    #[error("it isn't JSON of the form: {0}")]
    Form(String),
    /// It names something that isn't there, or a number that can't be.
    #[error("{0}")]
    Content(String),
}

impl Unreadable {
    /// Its error category in one word, for the log: `cut_off`, `form` or `content`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::CutOff(_) => "cut_off",
            Self::Form(_) => "form",
            Self::Content(_) => "content",
        }
    }
}

fn content<T>(why: String) -> Result<T, Unreadable> {
    Err(Unreadable::Content(why))
}

/// The forms of replies and their parts: read strictly, since a field that nobody knows is a misunderstanding, and shown as a schema.
macro_rules! forms {
    ($($form:item)+) => {
        $(
            #[derive(Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            $form
        )+
    };
}

forms! {
    /// The circumstances of a finding; null where they don't matter.
    struct Circumstances {
        regime: Option<Regime>,
        volatility: Option<VolatilityBand>,
        liquidity: Option<LiquidityClass>,
        session: Option<Session>,
        asset: Option<AssetIndex>,
        gas: Option<GasClass>,
        shock: Option<bool>,
    }

    struct Finding {
        strategy: Strategy,
        circumstances: Circumstances,
        #[schemars(range(min = -LARGEST_R, max = LARGEST_R))]
        expected_r: f64,
        from: Vec<EpisodeName>,
    }

    struct Findings {
        findings: Vec<Finding>,
    }

    /// Findings of a batch, and what else is asked of it.
    struct Replay {
        #[serde(default)]
        keep: Vec<EpisodeName>,
        #[serde(default)]
        forget: Vec<EpisodeName>,
        contradictory: Option<Vec<Pair>>,
        #[serde(default)]
        turned_on: Vec<Turn>,
        findings: Vec<Finding>,
        #[serde(default)]
        guards: Vec<Finding>,
    }

    struct Pair {
        one: EpisodeName,
        other: EpisodeName,
    }

    struct Turn {
        episode: EpisodeName,
        step: StepKind,
    }

    /// What to do in what may come, and what to guard against.
    struct Morning {
        findings: Vec<Finding>,
        #[serde(default)]
        guards: Vec<Finding>,
    }

    struct Thought {
        // Short names: a thought is cut off after eighty tokens, its form included.
        place: EpisodeName,
        action: EpisodeName,
        outcome: EpisodeName,
    }

    struct Drift {
        thought: Option<Thought>,
    }

    struct Scores {
        #[schemars(inner(range(min = 0.0, max = 1.0)))]
        scores: Vec<f64>,
    }

    struct OtherWay {
        #[schemars(range(min = -LARGEST_R, max = LARGEST_R))]
        outcome_r: f64,
        #[schemars(range(min = 0.0, max = 1.0))]
        confidence: f64,
        lesson: Option<Finding>,
    }

    struct Blow {
        #[schemars(range(min = 0.0, max = LARGEST_R))]
        loss_r: Option<f64>,
        responses: Vec<Finding>,
    }

    struct Fact {
        episode: EpisodeName,
        #[schemars(length(max = LONGEST_ANSWER))]
        what_happened: String,
    }

    struct Facts {
        told_apart: Vec<Fact>,
    }

    struct Together {
        findings: Vec<Place>,
        #[schemars(range(min = -LARGEST_R, max = LARGEST_R))]
        expected_r: f64,
    }

    struct Groups {
        worth_testing: Vec<Together>,
    }

    struct OneThing {
        keep: Option<Place>,
    }

    struct Standing {
        strategy: Strategy,
        market: Option<Regime>,
        #[schemars(range(min = -1.0, max = 1.0))]
        strength: f64,
    }

    struct Standings {
        stances: Vec<Standing>,
    }

    struct Feeling {
        #[schemars(range(min = -1.0, max = 1.0))]
        pleasure: f64,
        #[schemars(range(min = -1.0, max = 1.0))]
        arousal: f64,
        #[schemars(range(min = -1.0, max = 1.0))]
        dominance: f64,
        #[schemars(range(min = 0.0, max = 1.0))]
        strength: f64,
    }

    struct Notion {
        theme: Place,
        #[schemars(range(min = -LARGEST_R, max = LARGEST_R))]
        worth_r: f64,
        #[schemars(length(max = LONGEST_ANSWER))]
        meaning: String,
    }

    struct Notions {
        reflections: Vec<Notion>,
    }
}

impl From<Circumstances> for ContextPattern {
    fn from(of: Circumstances) -> Self {
        let Circumstances { regime, volatility, liquidity, session, asset, gas, shock } = of;
        Self { regime, volatility, liquidity, session, asset, gas, shock, after: None, held: None }
    }
}

/// The name and the schema of a task's reply, with so many findings at most; `answers` says whether it is asked for more than findings.
pub(super) fn form_of(task: &Task, most: usize, answers: bool) -> (&'static str, Value) {
    let named = Named {
        episodes: episodes_of(task).iter().map(ToString::to_string).collect(),
        places: match task {
            Task::Consolidate { patterns } | Task::Recrystallise { patterns } => patterns.len(),
            Task::Reflect { themes } => themes.len(),
            _ => 0,
        },
    };
    let mut schema = match task {
        Task::Dissolve { .. } => schema_of::<Drift>(&named),
        Task::Observe { .. } => schema_of::<Scores>(&named),
        Task::FindPatterns { .. } => schema_of::<Replay>(&named),
        Task::Anticipate { .. } => schema_of::<Morning>(&named),
        Task::Imagine { .. } => schema_of::<Findings>(&named),
        Task::Counterfactual { .. } => schema_of::<OtherWay>(&named),
        Task::Threaten { .. } => schema_of::<Blow>(&named),
        Task::Reappraise { .. } => schema_of::<Facts>(&named),
        Task::Consolidate { .. } => schema_of::<Groups>(&named),
        Task::Recrystallise { .. } => schema_of::<OneThing>(&named),
        Task::Read => schema_of::<Standings>(&named),
        Task::Appraise(_) => schema_of::<Feeling>(&named),
        Task::Reflect { .. } => schema_of::<Notions>(&named),
    };
    leave_out_unasked(&mut schema, task, answers);
    for list in ["findings", "worth_testing", "stances"] {
        hold_length(&mut schema, list, 0, most);
    }
    for list in ["keep", "forget", "turned_on"] {
        hold_length(&mut schema, list, 0, named.episodes.len());
    }
    for list in ["contradictory", "guards", "responses"] {
        hold_length(&mut schema, list, 0, MOST_BESIDE);
    }
    hold_length(&mut schema, "told_apart", 0, named.episodes.len());
    hold_length(&mut schema, "reflections", 0, named.places);
    if let Task::Observe { fragments } = task {
        hold_length(&mut schema, "scores", fragments.len(), fragments.len());
    }
    (task.name(), schema)
}

fn hold_length(schema: &mut Value, list: &str, least: usize, most: usize) {
    if let Some(list) = schema.pointer_mut(&format!("/properties/{list}")).and_then(Value::as_object_mut) {
        list.insert("minItems".into(), json!(least));
        list.insert("maxItems".into(), json!(most));
    }
}

/// Leaves out the fields that belong to questions which are not asked.
fn leave_out_unasked(schema: &mut Value, task: &Task, answers: bool) {
    let asked: Vec<&str> =
        questions(task, answers).iter().flat_map(|question| question.fields).copied().collect();
    let is_unasked = |field: &&str| BESIDE.contains(field) && !asked.contains(field);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|field, _| !is_unasked(&field.as_str()));
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|field| field.as_str().is_none_or(|field| !is_unasked(&field)));
    }
}

/// The episodes that a reply may name.
fn episodes_of(task: &Task) -> BTreeSet<EpisodeId> {
    let ids = |episodes: &[EpisodeBrief]| episodes.iter().map(|episode| episode.id).collect();
    match task {
        Task::Dissolve { memories, .. } => ids(memories),
        Task::FindPatterns { episodes, .. }
        | Task::Threaten { episodes, .. }
        | Task::Reappraise { episodes } => ids(episodes),
        Task::Imagine { seeds, .. } => ids(seeds),
        Task::Counterfactual { episode, .. } => ids(std::slice::from_ref(episode)),
        Task::Anticipate { prospects, standing } => {
            let known = prospects.iter().flat_map(|prospect| &prospect.known_from).copied();
            known.chain(standing.alike.iter().map(|episode| episode.id)).collect()
        }
        Task::Observe { .. }
        | Task::Consolidate { .. }
        | Task::Recrystallise { .. }
        | Task::Read
        | Task::Appraise(_)
        | Task::Reflect { .. } => BTreeSet::new(),
    }
}

/// Reads a model's reply to a task, with at most as many findings as the tier's `max_patterns`, and validates it (a guardrail against
/// hallucinated references).
///
/// # Errors
/// When it can't be used.
pub(crate) fn read(task: &Task, tier: &TierConfig, reply: &CallReply) -> Result<Reply, Unreadable> {
    if reply.finish == FinishReason::Length {
        // The edge of sleep is where thoughts break off: what isn't said within eighty tokens is gone, and isn't asked for again.
        if matches!(task, Task::Dissolve { .. }) {
            return Ok(Reply::Fragment(None));
        }
        return Err(Unreadable::CutOff(reply.output_tokens));
    }
    let reader = Reader { task, episodes: episodes_of(task), most: tier.max_patterns as usize };
    reader.read(bare(&reply.text))
}

/// Ends of the reasoning that some models write before their answer.
const REASONING_ENDS: [&str; 2] = ["</think>", "</thinking>"];

/// The first object after a model's reasoning: servers that can't constrain sampling put words or fences around, and both may
/// hold braces. Where there is none, the text between the first brace and the last, so that the error is about that.
fn bare(text: &str) -> &str {
    let ends = REASONING_ENDS.iter().filter_map(|end| Some(text.rfind(end)? + end.len()));
    let text = &text[ends.max().unwrap_or(0)..];
    let object = |(first, _): (usize, &str)| {
        let mut values = serde_json::Deserializer::from_str(&text[first..]).into_iter::<serde_json::Value>();
        values.next()?.ok()?;
        Some(&text[first..first + values.byte_offset()])
    };
    let object = text.match_indices('{').take(BRACES_MAX).find_map(object);
    object.unwrap_or(match (text.find('{'), text.rfind('}')) {
        (Some(first), Some(last)) if first < last => &text[first..=last],
        _ => text,
    })
}

/// Most braces at which an object is looked for: each costs a parse of the text behind it.
const BRACES_MAX: usize = 64;

struct Reader<'a> {
    task: &'a Task,
    episodes: BTreeSet<EpisodeId>,
    most: usize,
}

impl Reader<'_> {
    fn read(&self, json: &str) -> Result<Reply, Unreadable> {
        Ok(match self.task {
            Task::Dissolve { memories, .. } => {
                Reply::Fragment(self.fragment(parse::<Drift>(json)?, memories)?)
            }
            Task::Observe { fragments } => Reply::Observed(scores(parse(json)?, fragments.len())?),
            Task::FindPatterns { batch, .. } => {
                let (patterns, answers) = self.replay(parse(json)?)?;
                Reply::Patterns { batch: *batch, patterns, answers: Box::new(answers) }
            }
            // What may come isn't always known from anywhere.
            Task::Anticipate { .. } => {
                let Morning { findings, guards } = parse(json)?;
                let responses = self.findings(Findings { findings }, 0)?;
                Reply::Anticipated { responses, guards: self.guards(guards, 0)? }
            }
            Task::Imagine { mode, seeds, .. } => {
                let least = usize::from(!seeds.is_empty());
                Reply::Imagined { mode: *mode, ideas: self.findings(parse(json)?, least)? }
            }
            Task::Counterfactual { episode, branch } => {
                let OtherWay { outcome_r, confidence, lesson } = parse(json)?;
                Reply::Lesson {
                    episode: episode.id,
                    branch: *branch,
                    outcome_r: within("outcome_r", outcome_r, -LARGEST_R, LARGEST_R)?,
                    lesson: lesson.map(|lesson| self.pattern(lesson, 1)).transpose()?,
                    confidence: within("confidence", confidence, 0.0, 1.0)?,
                }
            }
            Task::Threaten { kind, .. } => {
                let Blow { loss_r, responses } = parse(json)?;
                let loss_r = loss_r.map(|loss| within("loss_r", loss, 0.0, LARGEST_R)).transpose()?;
                self.check_count("responses", responses.len(), MOST_BESIDE)?;
                let responses = responses.into_iter().map(|response| self.pattern(response, 1));
                Reply::Threat { kind: *kind, loss_r, responses: responses.collect::<Result<_, _>>()? }
            }
            Task::Reappraise { .. } => Reply::Reappraised(self.facts(parse(json)?)?),
            Task::Consolidate { patterns } => Reply::Consolidated(self.groups(parse(json)?, patterns)?),
            Task::Recrystallise { patterns } => {
                let OneThing { keep } = parse(json)?;
                let kept = keep.map(|place| at(patterns, place)).transpose()?;
                Reply::KeptInMind(kept.map(|pattern| pattern.claim))
            }
            Task::Read => Reply::Stances(self.stances(parse(json)?)?),
            Task::Appraise(_) => self.feeling(parse(json)?)?,
            Task::Reflect { themes } => Reply::Reflected(self.notions(parse(json)?, themes.len())?),
        })
    }

    fn findings(
        &self,
        Findings { findings }: Findings,
        least: usize,
    ) -> Result<Vec<SourcedClaim>, Unreadable> {
        self.check_count("findings", findings.len(), self.most)?;
        findings.into_iter().map(|finding| self.pattern(finding, least)).collect()
    }

    fn guards(&self, guards: Vec<Finding>, least: usize) -> Result<Vec<SourcedClaim>, Unreadable> {
        self.check_count("guards", guards.len(), MOST_BESIDE)?;
        let guards: Vec<SourcedClaim> =
            guards.into_iter().map(|guard| self.pattern(guard, least)).collect::<Result<_, _>>()?;
        // A claim of gain needs no guard: it is in the wrong place, and no reason to lose the others.
        Ok(guards.into_iter().filter(|guard| guard.claim.expected_r < 0.0).collect())
    }

    /// Findings and the other answers. An episode that contradicts itself, and a step that its chain doesn't have, are left out:
    /// a mistake in them is no reason to lose the findings.
    fn replay(&self, said: Replay) -> Result<(Vec<SourcedClaim>, BatchAnswers), Unreadable> {
        let Replay { keep, forget, contradictory, turned_on, findings, guards } = said;
        let named = |names: &[EpisodeName]| -> Result<Vec<EpisodeId>, Unreadable> {
            names.iter().map(|name| self.episode(name)).collect()
        };
        let pair = |Pair { one, other }: &Pair| Ok((self.episode(one)?, self.episode(other)?));
        let pairs = |pairs: Vec<Pair>| {
            self.check_count("contradictory", pairs.len(), MOST_BESIDE)?;
            let pairs = pairs.iter().map(pair).collect::<Result<Vec<_>, Unreadable>>()?;
            Ok(pairs.into_iter().filter(|(one, other)| one != other).collect())
        };
        let turn = |Turn { episode, step }: &Turn| Ok((self.episode(episode)?, *step));
        let turned_on: Vec<(EpisodeId, StepKind)> =
            turned_on.iter().map(turn).collect::<Result<_, Unreadable>>()?;
        let answers = BatchAnswers {
            keep: named(&keep)?,
            forget: named(&forget)?,
            contradictory: contradictory.map(pairs).transpose()?,
            turned_on: turned_on
                .into_iter()
                .filter(|(episode, step)| self.has_step(*episode, *step))
                .collect(),
            guards: self.guards(guards, 1)?,
        };
        Ok((self.findings(Findings { findings }, 1)?, answers))
    }

    fn has_step(&self, episode: EpisodeId, step: StepKind) -> bool {
        let Task::FindPatterns { credits, .. } = self.task else { return false };
        let mut chains =
            credits.iter().filter(|credit| credit.episode == episode).flat_map(|credit| &credit.chain);
        chains.any(|known| known.kind == step)
    }

    fn check_count(&self, what: &str, count: usize, most: usize) -> Result<(), Unreadable> {
        if count > most {
            return content(format!("{what} has {count} entries: at most {most}"));
        }
        Ok(())
    }

    fn pattern(&self, finding: Finding, least: usize) -> Result<SourcedClaim, Unreadable> {
        let Finding { strategy, circumstances, expected_r, from } = finding;
        let expected_r = within("expected_r", expected_r, -LARGEST_R, LARGEST_R)?;
        let mut learned_from = from.iter().map(|name| self.episode(name)).collect::<Result<Vec<_>, _>>()?;
        learned_from.sort_unstable();
        learned_from.dedup();
        if learned_from.len() < least {
            return content("from is empty: name the episodes it rests on".to_owned());
        }
        Ok(SourcedClaim { claim: Claim::of_worth(strategy, circumstances.into(), expected_r), learned_from })
    }

    fn episode(&self, EpisodeName(name): &EpisodeName) -> Result<EpisodeId, Unreadable> {
        let found = name.parse().ok().filter(|id| self.episodes.contains(id));
        found.ok_or_else(|| Unreadable::Content(format!("there is no episode `{}`", shortened(name))))
    }

    /// A thought's claim follows from the memories it is put together from, as the simulated model's does: half of what the outcome made.
    fn fragment(&self, drift: Drift, memories: &[EpisodeBrief]) -> Result<Option<Fragment>, Unreadable> {
        let Some(Thought { place, action, outcome }) = drift.thought else { return Ok(None) };
        let ids = [self.episode(&place)?, self.episode(&action)?, self.episode(&outcome)?];
        let brief = |id| memories.iter().find(|memory| memory.id == id);
        let [Some(context), Some(action), Some(outcome)] = ids.map(brief) else { return Ok(None) };
        if context.id == action.id || action.id == outcome.id {
            return content("place, action and outcome must come from different memories".to_owned());
        }
        Ok(Some(Fragment::of(context, action, outcome)))
    }

    fn facts(&self, Facts { told_apart }: Facts) -> Result<Vec<EpisodeId>, Unreadable> {
        let mut found = Vec::new();
        for Fact { episode, what_happened } in &told_apart {
            short_enough("what_happened", what_happened)?;
            let id = self.episode(episode)?;
            if !found.contains(&id) {
                found.push(id);
            }
        }
        Ok(found)
    }

    fn groups(
        &self,
        Groups { worth_testing }: Groups,
        patterns: &[SourcedClaim],
    ) -> Result<Vec<SourcedClaim>, Unreadable> {
        self.check_count("worth_testing", worth_testing.len(), self.most)?;
        let mut used = BTreeSet::new();
        worth_testing
            .into_iter()
            .map(|Together { findings, expected_r }| {
                let expected_r = within("expected_r", expected_r, -LARGEST_R, LARGEST_R)?;
                let mut merged: Option<SourcedClaim> = None;
                for place in findings {
                    if !used.insert(place.0) {
                        return content(format!("finding {} is used twice", place.0));
                    }
                    let one = at(patterns, place)?;
                    match &mut merged {
                        None => merged = Some(one.clone()),
                        Some(merged) => merged.learned_from.extend(&one.learned_from),
                    }
                }
                let Some(mut merged) = merged else { return content("a group has no findings".to_owned()) };
                merged.learned_from.sort_unstable();
                merged.learned_from.dedup();
                merged.claim.expected_r = expected_r;
                Ok(merged)
            })
            .collect()
    }

    fn feeling(&self, felt: Feeling) -> Result<Reply, Unreadable> {
        let Feeling { pleasure, arousal, dominance, strength } = felt;
        let coordinate = |name, value| within(name, value, -1.0, 1.0);
        let pad = Pad::new(
            coordinate("pleasure", pleasure)?,
            coordinate("arousal", arousal)?,
            coordinate("dominance", dominance)?,
        );
        Ok(Reply::Appraised { pad, intensity: within("strength", strength, 0.0, 1.0)? })
    }

    fn notions(
        &self,
        Notions { reflections }: Notions,
        themes: usize,
    ) -> Result<Vec<(u32, f64)>, Unreadable> {
        let mut used = BTreeSet::new();
        reflections
            .into_iter()
            .map(|Notion { theme: Place(place), worth_r, meaning }| {
                short_enough("meaning", &meaning)?;
                if place == 0 || place as usize > themes {
                    return content(format!("there is no theme {place}: they are 1 to {themes}"));
                }
                if !used.insert(place) {
                    return content(format!("theme {place} is named twice"));
                }
                Ok((place - 1, within("worth_r", worth_r, -LARGEST_R, LARGEST_R)?))
            })
            .collect()
    }

    fn stances(&self, Standings { stances }: Standings) -> Result<Vec<Stance>, Unreadable> {
        self.check_count("stances", stances.len(), self.most)?;
        let stance = |Standing { strategy, market, strength }| {
            Ok(Stance { strategy, regime: market, strength: within("strength", strength, -1.0, 1.0)? })
        };
        stances.into_iter().map(stance).collect()
    }
}

fn parse<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, Unreadable> {
    serde_json::from_str(json).map_err(|error| Unreadable::Form(error.to_string()))
}

fn scores(Scores { scores }: Scores, fragments: usize) -> Result<Vec<f64>, Unreadable> {
    if scores.len() != fragments {
        return content(format!("scores has {} numbers for {fragments} thoughts", scores.len()));
    }
    scores.into_iter().map(|score| within("scores", score, 0.0, 1.0)).collect()
}

fn at(patterns: &[SourcedClaim], Place(place): Place) -> Result<&SourcedClaim, Unreadable> {
    let found = place.checked_sub(1).and_then(|index| patterns.get(index as usize));
    found.ok_or_else(|| {
        Unreadable::Content(format!("there is no finding {place}: they are 1 to {}", patterns.len()))
    })
}

/// JSON has no infinities, so a number that isn't finite can't come this far.
fn within(what: &str, value: f64, least: f64, most: f64) -> Result<f64, Unreadable> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        content(format!("{what} is {value}: from {least} to {most}"))
    }
}

fn short_enough(what: &str, text: &str) -> Result<(), Unreadable> {
    match text.chars().count() {
        count if count > LONGEST_ANSWER => {
            content(format!("a text in {what} has {count} characters: at most {LONGEST_ANSWER}"))
        }
        _ => Ok(()),
    }
}

/// Enough of a name to find it by.
fn shortened(name: &str) -> String {
    name.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn the_answer_stands_behind_reasoning_words_and_fences() {
        for (text, expected) in [
            ("{\"a\": 1}", "{\"a\": 1}"),
            ("Here: {\"a\": {\"b\": \"}\"}} hope it helps {x}", "{\"a\": {\"b\": \"}\"}}"),
            ("<think>\nI wonder {x}\n</think>\n{\"a\": 2}", "{\"a\": 2}"),
            ("<think>let me {\"a\":1} see</think>\n```json\n{\"a\": 2}\n```", "{\"a\": 2}"),
            ("I wonder {x} and then {\"a\": 3}", "{\"a\": 3}"),
            ("{\"a\": }", "{\"a\": }"),
            ("no", "no"),
        ] {
            assert_eq!(bare(text), expected, "{text}");
        }
    }
}
