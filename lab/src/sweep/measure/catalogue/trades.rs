//! What golems do on the market, and what comes of it. They are performance metrics (R-multiple, win rate, Sharpe ratio, drawdown, regret),
//! calibration of expected R, and the use of memory; each names its unit. R and not dollars is the usual unit, because stakes differ
//! between golems. Only closed trades count, those that death closed among them; `mean_r` is the usual measure of a sweep that names none.

use super::Better::{Less, More, Neither};
use super::{Measure, count, measure, money, ratio};

/// In the order of their columns.
pub(super) const ALL: &[Measure] = &[
    measure("trades", "trades", "trades", Neither, "trades closed", |t, _| count(t.trades)),
    measure("wins", "wins", "trades", More, "of these, profitable", |t, _| count(t.wins)),
    measure("win_rate", "win rate", "share", More, "wins over trades", |t, _| ratio(t.wins as f64, t.trades)),
    measure(
        "r_per_golem_tick",
        "R per tick lived",
        "R per tick",
        More,
        "sum of R-multiples over the ticks that golems lived: time is what is scarce, and a trade of little R may take little of it",
        |t, _| ratio(t.total_r, t.golem_ticks()),
    ),
    measure(
        "decision_ticks_mean",
        "mean time from decision to close",
        "ticks",
        Neither,
        "mean ticks from the decision for a trade until it is closed",
        |t, _| ratio(t.held_ticks as f64, t.trades),
    ),
    measure("mean_r", "mean R per trade", "R", More, "mean R-multiple of a trade", |t, _| {
        ratio(t.total_r, t.trades)
    }),
    measure(
        "sharpe_r",
        "Sharpe ratio of R",
        "ratio",
        More,
        "mean R-multiple of a trade over its standard deviation; none for fewer than two trades",
        |t, _| t.r_spread.mean_over_deviation(),
    ),
    measure("total_r", "total R", "R", More, "sum of R-multiples", |t, _| Some(t.total_r)),
    measure(
        "r_drawdown",
        "drawdown of R",
        "R",
        Less,
        "deepest fall of the sum of R below what it had reached",
        |t, _| Some(t.r_fall.deepest),
    ),
    measure(
        "mean_regret_r",
        "mean regret per trade",
        "R",
        Less,
        "mean regret of a trade: what the best other strategy would have made beyond it",
        |t, _| ratio(t.total_regret_r, t.trades),
    ),
    measure("pnl_usdc", "profit", "USDC", More, "profit of all trades, costs taken off", |t, _| money(t.pnl)),
    measure(
        "expected_r_slope",
        "slope of realised on expected R",
        "R per R",
        Neither,
        "slope of the realised on the expected R of trades: 1 for who knows what to expect, 0 for who doesn't",
        |t, _| t.calibration.slope(),
    ),
    measure(
        "expected_r_correlation",
        "correlation of expected and realised R",
        "correlation",
        More,
        "correlation of the expected with the realised R of trades",
        |t, _| t.calibration.correlation(),
    ),
    measure(
        "expected_r_bias",
        "bias of expected R",
        "R",
        Neither,
        "expected less realised R, mean over trades: above 0 for who hopes too much",
        |t, _| t.calibration.bias(),
    ),
    measure("memory_stored", "items in memory", "items", Neither, "items that memories stored", |t, _| {
        count(t.memory.stored)
    }),
    measure(
        "junk_share",
        "share of junk in memory",
        "share",
        Less,
        "of these, items that were never called on or say the same as one before them",
        |t, _| ratio(t.memory.junk as f64, t.memory.stored),
    ),
    measure(
        "self_fed_share",
        "share of self-fed evidence",
        "share",
        Less,
        "outcomes counted for or against a belief that had tipped the decision: without it another was made, or none",
        |t, _| ratio(t.memory.self_evidence as f64, t.memory.evidence),
    ),
    measure(
        "stayed_out",
        "abstentions",
        "times",
        Neither,
        "abstentions that were followed to their end, remembered or not",
        |t, _| count(t.stayed_out),
    ),
    measure(
        "explored_share",
        "share of exploring trades",
        "share",
        Neither,
        "trades entered to explore, over trades",
        |t, _| ratio(t.explored as f64, t.trades),
    ),
    measure(
        "left_share",
        "share of trades left early",
        "share",
        Neither,
        "trades left before their stop and the end of their horizon, because staying in was not worth its time, over trades",
        |t, _| ratio(t.left as f64, t.trades),
    ),
    measure(
        "niches_occupied",
        "occupied niches",
        "niches",
        More,
        "pairs of strategy and regime as read that hold at least 2 % of the trades of the run's last half",
        |t, _| t.niches.occupied().map(|niches| niches as f64),
    ),
    measure(
        "successor_first_r",
        "mean R of successors' first trades",
        "R",
        More,
        "mean R-multiple of the first 20 trades of successors",
        |t, _| ratio(t.first_trades.of_successors().total_r, t.first_trades.of_successors().trades),
    ),
    measure(
        "first_r_per_tick",
        "R per tick of successors' first trades",
        "R per tick",
        More,
        "R-multiples of the first 20 trades of successors over the ticks from birth to the last of them (to their death, if that \
         comes before)",
        |t, _| t.first_trades.of_successors().r_per_tick(),
    ),
    measure(
        "ratchet_slope",
        "gain in first R per tick per generation",
        "R per tick",
        More,
        "slope over generations of the R per tick of the first 20 trades of a life, founders included, generations weighed by their \
         ticks; none for fewer than five generations",
        |t, _| t.first_trades.slope(),
    ),
];
