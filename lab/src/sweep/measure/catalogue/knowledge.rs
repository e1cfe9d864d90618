//! What golems foresee, and how they follow a law that changes. They are epistemic fitness, forecast skill (1 perfect, 0 no better than a
//! baseline), causal foresight, and adaptation in ticks and R. Forecasts are judged besides earnings, because a golem can be right and too
//! poor to trade. Means of a tick's fitness and vitality, and times of adaptation made of them, are of the whole world: cohorts have none.
//! Formulas are in `adaptation.rs`, `law_lag.rs` and `late.rs`; forecasts and foresight are summed up by the engine's own tallies.

use super::{count, measures, ratio};

measures! {
    tally;

    fitness_mean: "mean epistemic fitness", "0 to 1", More,
        "mean epistemic fitness of the survivors at the end" = ratio(tally.fitness, tally.survivors());
    epistemic_skill: "epistemic skill", "skill", More,
        "skill of the forecasts of memories over whole lives, their squared errors added up: 1 less that sum over the least of those of \
         persistence, of expecting nothing and of the prior; 0 is no better, at least −1; none where no forecast came due"
            = tally.forecasts.skill();
    causal_foresight: "causal foresight", "skill", More,
        "skill of what causal edges foretold, as the dreams after it found: 1 less the squared error of their confidence over that of the \
         usual rate of the effect, whatever was there before; 0 is no better; none where nothing was foretold"
            = (tally.foresight.brier_usual > 0.0).then(|| 1.0 - tally.foresight.brier / tally.foresight.brier_usual);
    causal_reach: "causal reach", "share", More,
        "chances of something new to set in that an edge spoke of, over all such chances between dreams"
            = ratio(tally.foresight.foretold as f64, tally.foresight.chances);
    causal_links_mean: "mean causal links per life", "links", Neither,
        "causal links known at the end of a life, mean"
            = ratio(tally.causal_links as f64, tally.lives.len() as u64);
    fitness_late_mean: "mean fitness in the last third", "0 to 1", More,
        "mean epistemic fitness of the living over the run's last third; everybody only"
            = ratio(tally.late.fitness, tally.late.ticks);
    vitality_late_mean: "mean vitality in the last third", "0 to 1", More,
        "mean vitality of the living over the run's last third; everybody only"
            = ratio(tally.late.vitality, tally.late.ticks);
    adaptation_ticks: "time to adapt to a shock", "ticks", Less,
        "ticks from the scenario's first planned shock until mean fitness is back at 90 % of its mean over the 100 ticks before; 0 if it \
         never falls below that until 100 ticks after the shock's end, the rest of the run if it never is back, none without such a shock; \
         everybody only"
            = tally.adaptation.mean_ticks();
    law_changes: "changes of law", "changes", Neither,
        "times that the market's law changed" = count(tally.law_lag.count());
    law_adaptation_ticks: "time to adapt to a change of law", "ticks", Less,
        "the same after each change of the market's law, mean over the changes; the rest of its era if fitness never is back, none without a \
         change; everybody only"
            = tally.law_adaptation.mean_ticks();
    law_change_cost_r: "cost of a change of law", "R", Less,
        "mean R of trades entered later than 100 ticks after a change of the market's law, less that of trades entered within 100 ticks of \
         one: what it costs that what was learned no longer pays"
            = tally.law_lag.cost_r();
}
