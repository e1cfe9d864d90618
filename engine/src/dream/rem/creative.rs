//! Creative sessions: Boden's (2004) three kinds of creativity, and random memories (Hobson & McCarley 1977). It is hypothesis generation
//! (computational creativity); weights of modes sum to 1, except for the terminal phase, which has none. Claims are in R and tested awake
//! like all others, from a first confidence of .2 (.1 for transformations). Only dreams of the tier `hardened` have them, with a part of
//! the phase's money reserved. They are made out for the large model; the callers lower them to the middling one where money is short
//! (`account::grade`, and `golem::sleep` below the rung `sound`). Situations that no trade brought up can't be replayed, so they are
//! imagined.

use crate::dream::account::Question;
use crate::dream::circumstances::Circumstances;
use crate::dream::imagination::Intensity;
use crate::dream::integration::beliefs::BeliefEntry;
use crate::dream::tier::DreamOperation;
use crate::dream::view::DreamView;
use crate::episode::{EpisodeRecord, Grimoire};
use crate::llm::{CreativeMode, EpisodeBrief, Task, UnmetSituation};
use crate::market::Regime;
use crate::mortality::Phase;
use crate::replay::{PrimitiveLedger, primitive};
use morta_base::Stream;

/// Memories that a session begins with: the dream architecture's prompt has elements A, B and C.
const SEEDS: usize = 3;

/// The three kinds, in the order of their weights.
const MODES: [CreativeMode; 3] =
    [CreativeMode::Transformational, CreativeMode::Exploratory, CreativeMode::Combinational];

/// Shares of the three kinds of creativity by phase, a categorical distribution (digest section 5). The digest gives numbers for thriving
/// golems alone (.50, .30, .20) and says of the others: stable ones explore and then combine, conservation inverts thriving, declining ones
/// only combine, terminal ones do nothing.
pub const fn mode_weights(phase: Phase) -> [f64; 3] {
    match phase {
        Phase::Thriving => [0.50, 0.30, 0.20],
        Phase::Stable => [0.20, 0.50, 0.30],
        Phase::Conservation => [0.20, 0.30, 0.50],
        Phase::Declining => [0.0, 0.0, 1.0],
        Phase::Terminal => [0.0, 0.0, 0.0],
    }
}

/// The creative questions of a cycle, each with another rule in force, those first that life has tested least. Exploration begins
/// in the regime of the worst prospect, if the golem has lived through it. A golem whose turn to legacy is complete only combines
/// strategies that have gained (dream architecture, "three-clock modulation").
pub(crate) fn sessions(
    grimoire: &Grimoire,
    ledger: &PrimitiveLedger,
    view: &DreamView<'_>,
    now: &Circumstances,
    intensity: &Intensity,
    worst_prospect: Option<Regime>,
    stream: &mut Stream,
) -> Vec<Question> {
    let config = &view.config.imagination;
    let legacy = view.now.legacy >= 1.0;
    let weights = match (config.weigh_modes_by_phase, now.phase) {
        (_, Phase::Terminal) => return Vec::new(),
        _ if legacy => mode_weights(Phase::Declining),
        (true, phase) => mode_weights(phase),
        (false, _) => [1.0; 3],
    };
    let trades: Vec<&EpisodeRecord> =
        grimoire.evidence().filter(|episode| is_seed(episode, legacy)).collect();
    // A situation that a claim names already is left to waking life to decide: imagined again, it would only be counted twice.
    let is_open = |situation: &UnmetSituation| {
        situation.pattern.is_none_or(|pattern| view.known_claims().all(|known| known.pattern != pattern))
    };
    let mut unmet = primitive::unmet(ledger, grimoire.evidence()).filter(is_open);
    let mut rules: Vec<&BeliefEntry> = view.rules.iter().filter(|rule| rule.claim.expected_r > 0.0).collect();
    rules.sort_by_key(|rule| (rule.evidence.tests(), rule.in_force_since(), rule.id));
    let mut rules = rules.into_iter().cycle();
    let mut question = |mode, seeds: &[&EpisodeRecord], situation: Option<UnmetSituation>| {
        let seeds = seeds.iter().copied().map(EpisodeBrief::from).collect();
        let rule = rules.next().map(|rule| rule.claim);
        let task = Task::Imagine { mode, seeds, rule, situation: situation.map(Box::new) };
        Question::in_rich_dream(task, DreamOperation::Imagining, intensity.exploration_temperature)
    };
    let mut questions = Vec::new();
    for _ in 0..intensity.creative_sessions {
        let mode = stream.weighted(&weights).map(|place| MODES[place]);
        let Some(mode) = mode else { break };
        let there = |seed: &&EpisodeRecord| worst_prospect.is_none_or(|regime| seed.context.regime == regime);
        let near: Vec<&EpisodeRecord> = trades.iter().copied().filter(there).collect();
        let from = if mode == CreativeMode::Exploratory && near.len() > 1 { &near } else { &trades };
        let seeds = of_epochs(from, SEEDS, stream);
        // The situation is put together as well as the strategy.
        let composes = mode == CreativeMode::Combinational && config.unmet_situations;
        let situation = composes.then(|| unmet.next()).flatten();
        questions.push(question(mode, &seeds, situation));
    }
    for _ in 0..config.stochastic_sessions {
        let seeds = distant(&trades, SEEDS, stream);
        questions.push(question(CreativeMode::Stochastic, &seeds, None));
    }
    questions
}

fn is_seed(episode: &EpisodeRecord, legacy: bool) -> bool {
    !legacy || episode.realised_r > 0.0
}

/// One memory of each of `count` epochs, each with equally many memories, because the spec's seeds are of different epochs. Tried
/// and lost: draws from all memories alike, by which most seeds were of the time in which most was traded.
fn of_epochs<'a>(from: &[&'a EpisodeRecord], count: usize, stream: &mut Stream) -> Vec<&'a EpisodeRecord> {
    let mut by_time = from.to_vec();
    by_time.sort_by_key(|episode| (episode.closed, episode.id));
    let end = |epoch: usize| epoch * by_time.len() / count;
    let epochs = (0..count).map(|epoch| &by_time[end(epoch)..end(epoch + 1)]);
    epochs.filter(|epoch| !epoch.is_empty()).map(|epoch| epoch[stream.below(epoch.len())]).collect()
}

fn draw<'a>(from: &[&'a EpisodeRecord], count: usize, stream: &mut Stream) -> Vec<&'a EpisodeRecord> {
    let mut left = from.to_vec();
    let mut drawn = Vec::with_capacity(count);
    while drawn.len() < count && !left.is_empty() {
        drawn.push(left.swap_remove(stream.below(left.len())));
    }
    drawn
}

/// Random memories, each from another regime than the one before it or, where there is none, from more than half of the largest
/// distance in time.
fn distant<'a>(from: &[&'a EpisodeRecord], count: usize, stream: &mut Stream) -> Vec<&'a EpisodeRecord> {
    let mut drawn = draw(from, 1, stream);
    while let Some(&last) = drawn.last()
        && drawn.len() < count
    {
        let away = |episode: &EpisodeRecord| last.closed.abs_diff(episode.closed);
        let farthest = from.iter().map(|episode| away(episode)).max().unwrap_or(0);
        let far: Vec<&EpisodeRecord> = from
            .iter()
            .copied()
            .filter(|episode| drawn.iter().all(|known| known.id != episode.id))
            .filter(|episode| episode.context.regime != last.context.regime || 2 * away(episode) > farthest)
            .collect();
        match draw(&far, 1, stream).first() {
            Some(&next) => drawn.push(next),
            None => break,
        }
    }
    drawn
}
