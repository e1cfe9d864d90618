//! Competences of memories, benefits claimed for dreaming, and the information of beliefs about outcomes (mutual information, alarms and
//! their lead time). Each measure names its unit. They are apart from earnings, because a memory may earn well and yet forget what it needs
//! later. Formulas are in `competence.rs`, `dreaming.rs`, `first_trades.rs` and `information.rs`, but for claims in legacies, which the
//! tally counts; measures of information, alarms and ruin are missing unless `mortality.epistemic.tell_forecasts` is on, which it isn't by
//! default.

use super::{measures, ratio};

measures! {
    tally;

    successor_first_sharpe_r: "Sharpe ratio of successors' first trades", "ratio", More,
        "mean R-multiple of the first 20 trades of successors over its standard deviation; none for fewer than two"
            = tally.first_trades.spread_of_successors.mean_over_deviation();
    threat_mean_r: "mean R per trade under threat", "R", More,
        "mean R-multiple of trades that were open while a shock lasted" = tally.threats.mean_r();
    playbook_settled_ticks: "age at which the playbook settles", "ticks", Less,
        "age at which a life had nine tenths of the rules that ever entered its playbook, mean over the lives that have ended or been cut \
         off by the run's end and had any"
            = tally.settling.mean_age();
    repeated_arousal_ratio: "arousal at repetition over arousal at first", "ratio", Less,
        "arousal at trades of a kind (strategy, regime as read, gain or loss) that a life had five of before, over that at its first five; \
         none where nothing is felt"
            = tally.habituation.ratio();
    legacy_hypotheses_mean: "untested claims per legacy", "claims", More,
        "claims yet to be tested that a legacy hands on, mean over the legacies received"
            = ratio(tally.legacy_hypotheses as f64, tally.legacies_received);
    stale_voice_share: "share of stale memories in decisions", "share", Less,
        "of the episodes that spoke in decisions, by weight, those that closed more than 1000 ticks before"
            = tally.staleness.share();
    retrieval_gain_r_per_tick: "gain from retrieval", "R/tick", More,
        "a market measure named after accurate retrieval: R per tick of the first five trades of a visit to a true regime of an asset that \
         was lived before in the same life, less that of first visits; a trade's time begins with the close of the one before it"
            = tally.competence.retrieval();
    learning_slope_r_per_tick: "slope of learning", "R/tick per trade", More,
        "a market measure named after test-time learning: slope of R per tick on the number of trades since birth, over the first 50 of each \
         life, weighted by time"
            = tally.competence.learning();
    long_range_gain_r_per_tick: "gain from long-range memory", "R/tick", More,
        "a market measure named after long-range understanding: as retrieval, of visits to what was last lived in an earlier life of the \
         lineage, or a tenth of the run ago, less that of first visits"
            = tally.competence.long_range();
    unlearning_ticks: "time to unlearn", "ticks", Less,
        "a market measure named after selective forgetting: what the first half of the time after a change of law lacks of what its second \
         half makes, in ticks of the second half's R per tick, mean over changes; a shock that begins another regime counts as a change; \
         none without one, or where the second halves make nothing"
            = tally.competence.unlearning_ticks();
    still_true_lost_r_per_tick: "loss of what is still true", "R/tick", Less,
        "a market measure named after selective forgetting: R per tick in regimes that a change of law did not touch, in the second half of \
         the time before it less that in the first half of the time after it"
            = tally.competence.still_true_lost();
    belief_information_nats: "information in beliefs", "nats", More,
        "mutual information of what memories expected of candidates with what came of them, over 200 forecasts: mean over a golem's windows, \
         then over golems with enough; about 0 where beliefs say nothing; none unless `mortality.epistemic.tell_forecasts`"
            = ratio(tally.information.nats, tally.information.read);
    decoupled_alarms_a_life: "decoupling alarms per life", "alarms", Neither,
        "times that information fell below a fifth of the most it ever was while vitality was above .5, over the same golems"
            = ratio(tally.information.decoupled as f64, tally.information.read);
    overfit_alarms_a_life: "overfitting alarms per life", "alarms", Neither,
        "times that it fell below a third of that of the 200 forecasts before, and below three tenths of the most it ever was, over the same \
         golems"
            = ratio(tally.information.overfit as f64, tally.information.read);
    ruined_share: "share of ruined golems", "share", Less,
        "golems whose balance fell below half of its highest, over those of whom a forecast was told"
            = ratio(tally.information.ruined() as f64, tally.information.golems);
    information_lead_ticks: "lead of information alarms", "ticks", More,
        "ticks from the first alarm of either kind that stood during the fall to that ruin, 0 where none did, median over the ruined"
            = tally.information.median_lead(|leads| leads.information as f64);
    vitality_lead_ticks: "lead of vitality alarms", "ticks", More,
        "the same of vitality below .5" = tally.information.median_lead(|leads| leads.vitality as f64);
    information_lead_gain_ticks: "lead of information over vitality", "ticks", More,
        "lead of information less lead of vitality, median over the ruined"
            = tally.information.median_lead(|leads| leads.information as f64 - leads.vitality as f64);
    information_false_alarm_share: "share of false information alarms", "share", Less,
        "alarms of information that no ruin followed within 100 ticks, over those of which that is known; two false ones for a true one are \
         2/3"
            = ratio(tally.information.of_information.wrong as f64, tally.information.of_information.judged);
    vitality_false_alarm_share: "share of false vitality alarms", "share", Less,
        "the same of vitality falling below .5"
            = ratio(tally.information.of_vitality.wrong as f64, tally.information.of_vitality.judged);
}
