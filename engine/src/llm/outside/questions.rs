//! The questions of each task, which a model is to think through before its findings.
//!
//! Those of batch replay, backward credit, perturbed and forward replay are the replay engine's; those of replay as a phase and
//! of imagination are the dream architecture's. A question is asked only if its answer is used: most are answered by a finding,
//! some by a field of the reply that a dream uses. Others are left out, since they are paid for: what each episode was (it is
//! shown), whether a decision was right by what was known, whether a trade had survived a change (it is computed), what
//! connects a scenario in words. The simulated model gets none, because it only counts. They are a chain-of-thought prompt. With
//! `llm.answer_questions = false`, and in a life's review, those that a field of the reply answers beside its findings (`BESIDE`) are not
//! asked.

use crate::llm::Task;

/// A question, with the fields of the reply for its answer; none where findings answer it.
#[derive(Clone, Copy)]
pub(super) struct PromptQuestion {
    pub words: &'static str,
    pub fields: &'static [&'static str],
}

const fn by_finding(words: &'static str) -> PromptQuestion {
    PromptQuestion { words, fields: &[] }
}

/// Replay as a phase (dream architecture, phase 1), and a batch at once (replay engine, compressed batch replay). A hidden variable can
/// only be one of the circumstances: nothing else can be tested awake.
const BATCH: [PromptQuestion; 5] = [
    by_finding("What do the first three have in common?"),
    by_finding("Which circumstance that nobody named explains how most of them ended?"),
    by_finding("Which one change of the rules would have bettered most of them?"),
    PromptQuestion {
        words: "Which are to be kept whole, because they stand apart or teach by themselves, and which forgotten? What findings rest on is kept as findings.",
        fields: &["keep", "forget"],
    },
    PromptQuestion { words: "Which contradict each other?", fields: &["contradictory"] },
];
/// From the outcome backwards (replay engine, reverse replay).
const BACKWARD: PromptQuestion = PromptQuestion {
    words: "Which decision of each chain did most for how it ended, by what could be known then?",
    fields: &["turned_on"],
};
/// Under a perturbation (replay engine, perturbed replay).
const PERTURBED: PromptQuestion = PromptQuestion {
    words: "Where should the rules guard against such a change, and what would it cost there, below 0 R?",
    fields: &["guards"],
};
/// Into the future (replay engine, forward replay).
const FORWARD: [PromptQuestion; 3] = [
    by_finding(
        "Which three developments are likeliest within the next fifty ticks, and what is the best response to each by the rules in force?",
    ),
    by_finding("By which circumstances should each response begin?"),
    PromptQuestion {
        words: "What is the worst that each can bring, below 0 R, and in what is it to be guarded against?",
        fields: &["guards"],
    },
];
/// Imagination (dream architecture, phase 2).
const IMAGINE: [PromptQuestion; 3] = [
    by_finding(
        "Which strategy nobody has tried would do well in a scenario that connects all that is listed?",
    ),
    by_finding("Where would it fail badly? That is a finding, too, below 0 R."),
    by_finding("In what simplest form can it be tested?"),
];
/// An alternative (dream architecture, counterfactual reasoning).
const COUNTERFACTUAL: [PromptQuestion; 2] = [
    PromptQuestion {
        words: "What would the other way have done, going by what could be known when it was decided?",
        fields: &["outcome_r"],
    },
    PromptQuestion { words: "Would that hold again, or was it luck?", fields: &["confidence"] },
];
/// A threat (dream architecture, threat simulation).
const THREATEN: [PromptQuestion; 2] = [
    PromptQuestion { words: "What was lost under such signs before?", fields: &["loss_r"] },
    PromptQuestion {
        words: "How would it begin, what can be done beforehand, and what instead when it is there?",
        fields: &["responses"],
    },
];

/// An event, step by step: relevance, consequence, cause, means to cope, and only then the feeling (appraisal theory; the
/// digest's "chain").
const APPRAISE: [PromptQuestion; 4] = [
    PromptQuestion {
        words: "Does it matter to what you need: money, understanding, time to live?",
        fields: &["strength"],
    },
    PromptQuestion {
        words: "Does it bring you nearer to that or further from it, and how sure is that?",
        fields: &["pleasure", "arousal"],
    },
    PromptQuestion { words: "Was it your own doing, somebody else's, or chance?", fields: &["dominance"] },
    PromptQuestion {
        words: "What can you do about it, and would it be the same next time?",
        fields: &["dominance"],
    },
];
/// Recurrent themes (REM sleep).
const REFLECT: [PromptQuestion; 2] = [
    by_finding("Which of these come up because they matter, and which only because they are common?"),
    by_finding("Where are the trades too few to go by?"),
];

/// Properties of a reply's schema, the fields that serve a question alone: without it, a reply doesn't have them.
pub(super) const BESIDE: [&str; 5] = ["keep", "forget", "contradictory", "turned_on", "guards"];

/// The questions of a task; none where the answer is the whole reply. Those that are answered besides the findings are included
/// if `beside`.
pub(super) fn questions(task: &Task, beside: bool) -> Vec<PromptQuestion> {
    let mut asked = match task {
        Task::FindPatterns { credits, what_ifs, .. } => {
            let mut asked = BATCH.to_vec();
            asked.extend((!credits.is_empty()).then_some(BACKWARD));
            asked.extend((!what_ifs.is_empty()).then_some(PERTURBED));
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
    };
    let is_use_made_of_it = beside && !matches!(task, Task::FindPatterns { is_dreamt: false, .. });
    asked.retain(|question| is_use_made_of_it || !question.fields.iter().any(|field| BESIDE.contains(field)));
    asked
}
