//! The questions that come with each task, in the order of the specs: what a model is to think through, one sentence each, before it
//! says what follows.
//!
//! Batch replay, backward credit, perturbed and forward replay ask those of the replay engine; replay as a phase and imagination those of
//! the dream architecture. The simulated model needs none: it is asked nothing that it can't count.

use crate::llm::Task;

/// Replay as a phase (dream architecture, phase 1).
const REPLAY: [&str; 2] = [
    "In what market was each episode lived, what was done, and how did it end?",
    "Which of them should be kept as they are, which drawn together into a rule, and which forgotten?",
];
/// A batch at once (replay engine, compressed batch replay).
const BATCH: [&str; 5] = [
    "What do the first three have in common?",
    "Could something that isn't shown explain how all of them ended?",
    "Which of them contradict each other, and why?",
    "Which one change of the rules would have bettered most of them?",
    "Which one stands apart, and by what?",
];
/// From the outcome back (replay engine, reverse replay).
const BACKWARD: [&str; 3] = [
    "Were the decisions right by what was known when they were made?",
    "What contributed most to how it ended?",
    "If one thing could be changed in one step, which?",
];
/// With something made worse (replay engine, perturbed replay).
const PERTURBED: [&str; 4] = [
    "Would the trade still have paid after the change?",
    "From how large a change on would the decision have been another?",
    "How much of it can the strategy bear?",
    "Should the rules guard against it?",
];
/// Ahead (replay engine, forward replay).
const FORWARD: [&str; 4] = [
    "Which three developments are likeliest within the next fifty ticks?",
    "What is the best response to each, by the rules in force?",
    "By which signs should each response begin?",
    "What is the worst that each can bring, and the way out of it?",
];
/// Imagination (dream architecture, phase 2).
const IMAGINE: [&str; 4] = [
    "Which one scenario connects all that is listed?",
    "Which strategy nobody has tried would do well in it?",
    "When would that strategy fail badly?",
    "What is its simplest form that can be tested?",
];
/// A way not taken (dream architecture, counterfactual reasoning).
const COUNTERFACTUAL: [&str; 3] = [
    "What could be known when it was decided?",
    "What would the other way have done, and what would have stayed as it was?",
    "Would that hold again, or was it luck?",
];
/// A threat (dream architecture, threat simulation).
const THREATEN: [&str; 3] = [
    "How would it begin, and what would be lost first?",
    "What was lost under such signs before?",
    "What can be done beforehand, and what is too late by then?",
];

/// A happening, step by step: relevance, consequence, cause, means to cope, and only then the feeling (appraisal theory; the digest's "chain").
const APPRAISE: [&str; 4] = [
    "Does it matter to what you need: money, understanding, time to live?",
    "Does it bring you nearer to that or further from it, and how sure is that?",
    "Was it your own doing, somebody else's, or chance?",
    "What can you do about it, and would it be the same next time?",
];
/// What keeps coming up (REM sleep).
const REFLECT: [&str; 2] = [
    "Which of these come up because they matter, and which only because they are common?",
    "Where are the trades too few to go by?",
];

/// The questions of a task; none where the answer is all that is asked.
pub(super) fn questions(task: &Task) -> Vec<&'static str> {
    match task {
        Task::FindPatterns { credits, what_ifs, .. } => {
            let mut asked = [REPLAY.as_slice(), BATCH.as_slice()].concat();
            if !credits.is_empty() {
                asked.extend(BACKWARD);
            }
            if !what_ifs.is_empty() {
                asked.extend(PERTURBED);
            }
            asked
        }
        Task::Anticipate { .. } => FORWARD.to_vec(),
        Task::Imagine { .. } => IMAGINE.to_vec(),
        Task::Counterfactual { .. } => COUNTERFACTUAL.to_vec(),
        Task::Threaten { .. } => THREATEN.to_vec(),
        Task::Appraise(_) => APPRAISE.to_vec(),
        Task::Reflect { .. } => REFLECT.to_vec(),
        Task::Dissolve { .. }
        | Task::Observe { .. }
        | Task::Reappraise { .. }
        | Task::Consolidate { .. }
        | Task::Recrystallise { .. }
        | Task::Read => Vec::new(),
    }
}
