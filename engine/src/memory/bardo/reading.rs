//! The reading budget: which claims and episodes are read for a decision, within one budget of tokens.
//!
//! An agent that asks a model has its memories in the prompt. The playbook comes first, because a conclusion stands for many episodes at
//! the price of half of one (20 tokens against 40), the loudest claim first; the rest of the budget is for the episodes of the largest
//! weight. Sizes are in tokens, for all candidates of one asset together. By default there is no budget
//! (`memory.bardo.reading.budget_tokens` 0): then all is read and nothing is paid. Within a budget the golem pays for what is read at the
//! price of the tier that thinks, where it pays for thinking (`golem.gate`). In LLM engineering this is context window packing by priority
//! (prompt budget).

use crate::memory::{ReadingBudget, Voice};
use std::collections::BTreeSet;

/// Tokens of a claim: the text of one, such as "favour momentum in volatile, deep liquidity: +0.42 R", has 50 to 80 bytes, and a token
/// about four.
const TOKENS_PER_CLAIM: u32 = 20;
/// Tokens of an episode: as many as a record of `generative-agents`.
const TOKENS_PER_EPISODE: u32 = 40;

/// Cuts the claims about each candidate to the budget, and returns the number of episodes that there is room for besides; `None` for no
/// bound. Of equally loud claims those of the first candidate are read first.
pub(super) fn cut(claims: &mut [Vec<Voice>], budget: &ReadingBudget) -> Option<u32> {
    if budget.budget_tokens == 0 {
        return None;
    }
    let all = claims.iter().enumerate();
    let mut ranked: Vec<(f64, usize, usize)> = all
        .flat_map(|(candidate, about)| {
            about.iter().enumerate().map(move |(place, voice)| (voice.weight, candidate, place))
        })
        .collect();
    // The sort is stable: of equally loud claims the first are read, so that the cut doesn't depend on the algorithm.
    ranked.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let room = (budget.budget_tokens / TOKENS_PER_CLAIM) as usize;
    let unread: BTreeSet<(usize, usize)> =
        ranked.iter().skip(room).map(|&(_, candidate, place)| (candidate, place)).collect();
    // From the last place backwards, so that removing one doesn't move the places still to be removed.
    for (candidate, place) in unread.into_iter().rev() {
        claims[candidate].remove(place);
    }
    let spent = room.min(ranked.len()) as u32 * TOKENS_PER_CLAIM;
    Some((budget.budget_tokens - spent) / TOKENS_PER_EPISODE)
}

/// A token count estimate of so many claims and episodes; 0 without a budget, where nothing is paid for.
pub(super) fn tokens(claims: usize, episodes: u32, budget: &ReadingBudget) -> u32 {
    let read = (claims as u32).saturating_mul(TOKENS_PER_CLAIM);
    let read = read.saturating_add(episodes.saturating_mul(TOKENS_PER_EPISODE));
    if budget.budget_tokens == 0 { 0 } else { read }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Provenance;
    use crate::memory::VoiceSource;
    use morta_base::{GolemId, RuleId};

    fn claims(weights: &[&[f64]]) -> Vec<Vec<Voice>> {
        let rule = |number| VoiceSource::Rule(RuleId { golem: GolemId::founder(0), number });
        let voice =
            |(number, weight): (usize, &f64)| Voice::new(rule(number as u32), Provenance::Own, *weight, 0.0);
        weights.iter().map(|about| about.iter().enumerate().map(voice).collect()).collect()
    }

    fn check(budget_tokens: u32, weights: &[&[f64]], read: &[&[f64]], episodes: Option<u32>) {
        let budget = ReadingBudget { budget_tokens };
        let mut about = claims(weights);
        assert_eq!(cut(&mut about, &budget), episodes, "{budget_tokens} tokens");
        let kept: Vec<Vec<f64>> =
            about.iter().map(|about| about.iter().map(|voice| voice.weight).collect()).collect();
        assert_eq!(kept, read, "{budget_tokens} tokens");
    }

    #[test]
    fn the_loudest_claims_are_read_first_and_episodes_get_what_is_left() {
        let all: &[&[f64]] = &[&[1.0, 3.0], &[2.0, 2.0]];
        check(0, all, all, None);
        check(160, all, all, Some(2));
        check(79, all, &[&[3.0], &[2.0, 2.0]], Some(0));
        check(59, all, &[&[3.0], &[2.0]], Some(0));
        check(19, all, &[&[], &[]], Some(0));
        check(45, &[&[], &[1.0]], &[&[], &[1.0]], Some(0));
    }
}
