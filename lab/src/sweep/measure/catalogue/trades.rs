//! What golems do on the market, and what comes of it. They are performance metrics (R-multiple, win rate, Sharpe ratio, drawdown, regret),
//! calibration of expected R, and the use of memory; each names its unit. R and not dollars is the usual unit, because stakes differ
//! between golems. Only closed trades count, those that death closed among them; `mean_r` is the usual measure of a sweep that names none.

use super::{count, measures, money, ratio};

measures! {
    tally;

    trades: "trades", "trades", Neither, "trades closed" = count(tally.trades);
    wins: "wins", "trades", More, "of these, profitable" = count(tally.wins);
    win_rate: "win rate", "share", More, "wins over trades" = ratio(tally.wins as f64, tally.trades);
    r_per_golem_tick: "R per tick lived", "R per tick", More,
        "sum of R-multiples over the ticks that golems lived: time is what is scarce, and a trade of little R may take little of it"
            = ratio(tally.total_r, tally.golem_ticks());
    decision_ticks_mean: "mean time from decision to close", "ticks", Neither,
        "mean ticks from the decision for a trade until it is closed"
            = ratio(tally.held_ticks as f64, tally.trades);
    mean_r: "mean R per trade", "R", More, "mean R-multiple of a trade" = ratio(tally.total_r, tally.trades);
    sharpe_r: "Sharpe ratio of R", "ratio", More,
        "mean R-multiple of a trade over its standard deviation; none for fewer than two trades"
            = tally.r_spread.mean_over_deviation();
    total_r: "total R", "R", More, "sum of R-multiples" = Some(tally.total_r);
    r_drawdown: "drawdown of R", "R", Less,
        "deepest fall of the sum of R below what it had reached" = Some(tally.r_fall.deepest);
    mean_regret_r: "mean regret per trade", "R", Less,
        "mean regret of a trade: what the best other strategy would have made beyond it"
            = ratio(tally.total_regret_r, tally.trades);
    pnl_usdc: "profit", "USDC", More, "profit of all trades, costs taken off" = money(tally.pnl);
    expected_r_slope: "slope of realised on expected R", "R per R", Neither,
        "slope of the realised on the expected R of trades: 1 for who knows what to expect, 0 for who doesn't"
            = tally.calibration.slope();
    expected_r_correlation: "correlation of expected and realised R", "correlation", More,
        "correlation of the expected with the realised R of trades" = tally.calibration.correlation();
    expected_r_bias: "bias of expected R", "R", Neither,
        "expected less realised R, mean over trades: above 0 for who hopes too much"
            = tally.calibration.bias();
    memory_stored: "items in memory", "items", Neither,
        "items that memories stored" = count(tally.memory.stored);
    junk_share: "share of junk in memory", "share", Less,
        "of these, items that were never called on or say the same as one before them"
            = ratio(tally.memory.junk as f64, tally.memory.stored);
    self_fed_share: "share of self-fed evidence", "share", Less,
        "outcomes counted for or against a belief that had tipped the decision: without it another was made, or none"
            = ratio(tally.memory.self_evidence as f64, tally.memory.evidence);
    stayed_out: "abstentions", "times", Neither,
        "abstentions that were followed to their end, remembered or not" = count(tally.stayed_out);
    explored_share: "share of exploring trades", "share", Neither,
        "trades entered to explore, over trades" = ratio(tally.explored as f64, tally.trades);
    left_share: "share of trades left early", "share", Neither,
        "trades left before their stop and the end of their horizon, because staying in was not worth its time, over trades"
            = ratio(tally.left as f64, tally.trades);
    niches_occupied: "occupied niches", "niches", More,
        "pairs of strategy and regime as read that hold at least 2 % of the trades of the run's last half"
            = tally.niches.occupied().map(|niches| niches as f64);
    successor_first_r: "mean R of successors' first trades", "R", More,
        "mean R-multiple of the first 20 trades of successors"
            = ratio(tally.first_trades.of_successors().total_r, tally.first_trades.of_successors().trades);
    first_r_per_tick: "R per tick of successors' first trades", "R per tick", More,
        "R-multiples of the first 20 trades of successors over the ticks from birth to the last of them (to their death, if that comes \
         before)"
            = tally.first_trades.of_successors().r_per_tick();
    ratchet_slope: "gain in first R per tick per generation", "R per tick", More,
        "slope over generations of the R per tick of the first 20 trades of a life, founders included, generations weighed by their ticks; \
         none for fewer than five generations"
            = tally.first_trades.slope();
}
