"""Prints the figures that stats/tests/statistics/main.rs and the unit tests of stats/src expect.

    python -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python statistics.py

With --data it writes the two data sets to ../data first.
"""

import sys
import warnings

import numpy as np
import pandas as pd
from lifelines import CoxPHFitter, KaplanMeierFitter
from lifelines.datasets import load_leukemia, load_waltons
from lifelines.statistics import multivariate_logrank_test, proportional_hazard_test
from lifelines.utils import concordance_index, median_survival_times, restricted_mean_survival_time
from rliable import library as rly
from rliable import metrics
import statsmodels.api as sm
from scipy import stats
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestIndPower, TTestPower
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

warnings.filterwarnings("ignore")
np.set_printoptions(precision=17)


def show(name, *values):
    flat = [float(x) for value in values for x in np.atleast_1d(np.asarray(value, dtype=float)).ravel()]
    print(f"{name}: {', '.join(repr(x) for x in flat)}")


def greenwood_rmst(t, e, horizon):
    """Area under the curve and the variance of that estimate, by definition."""
    times = np.unique(t[(e == 1) & (t <= horizon)])
    s, surv, rows = 1.0, [], []
    for time in times:
        n, d = (t >= time).sum(), ((t == time) & (e == 1)).sum()
        s *= 1 - d / n
        surv.append(s)
        rows.append((n, d))
    edges = np.append(times, horizon)
    mean = times[0] + sum(s * (edges[i + 1] - edges[i]) for i, s in enumerate(surv))
    variance = 0.0
    for i, (n, d) in enumerate(rows):
        after = sum(surv[j] * (edges[j + 1] - edges[j]) for j in range(i, len(surv)))
        if n > d:
            variance += after**2 * d / (n * (n - d))
    return mean, variance


def efron_robust(x, t, e, beta, covariance, clusters):
    """Sandwich of Therneau & Grambsch (2000), every term written out, life by life and death by death."""
    risk = np.exp(x @ beta)
    scores = np.zeros_like(x)
    for time in np.unique(t[e == 1]):
        dying = (t == time) & (e == 1)
        d = dying.sum()
        for k in range(d):
            weight = np.where(dying, 1 - k / d, 1.0) * (t >= time) * risk
            mean = (weight[:, None] * x).sum(0) / weight.sum()
            scores += dying[:, None] * (x - mean) / d - weight[:, None] * (x - mean) / weight.sum()
    shift = pd.DataFrame(scores @ covariance).groupby(np.asarray(clusters)).sum().to_numpy()
    return np.sqrt(np.diag(shift.T @ shift))


def survival():
    waltons, leukemia = load_waltons(), load_leukemia()
    if "--data" in sys.argv:
        waltons.to_csv("../data/waltons.csv", index=False)
        leukemia.to_csv("../data/leukemia.csv", index=False)

    for group, lives in list(waltons.groupby("group")) + [("Rx 1", leukemia[leukemia.Rx == 1].rename(columns={"t": "T", "status": "E"}))]:
        km = KaplanMeierFitter().fit(lives["T"], lives["E"])
        at = [20, 40, 60] if group != "Rx 1" else [6, 13, 23]
        show(f"{group} survival", km.predict(at))
        bands = km.confidence_interval_
        show(f"{group} log-log bands", [bands.iloc[bands.index.get_indexer([x], method="ffill")[0]] for x in at])
        show(f"{group} median and bands", km.median_survival_time_, median_survival_times(bands))
        s, g = km.predict(at).to_numpy(), []
        t, e = lives["T"].to_numpy(), lives["E"].to_numpy()
        for x in at:
            g.append(sum(((t == u) & (e == 1)).sum() / ((t >= u).sum() * ((t >= u).sum() - ((t == u) & (e == 1)).sum()))
                         for u in np.unique(t[(e == 1) & (t <= x)])))
        show(f"{group} Greenwood variance", s**2 * np.array(g))
        horizon = 60 if group != "Rx 1" else 20
        show(f"{group} restricted mean at {horizon}", restricted_mean_survival_time(km, t=horizon))
        show(f"{group} restricted mean and variance by definition", *greenwood_rmst(t, e, horizon))

    test = multivariate_logrank_test(waltons["T"], waltons["group"], waltons["E"])
    show("waltons log-rank", test.test_statistic, test.p_value)
    three = np.where(leukemia.logWBC < 2.3, 0, np.where(leukemia.logWBC < 3.1, 1, 2))
    test = multivariate_logrank_test(leukemia["t"], three, leukemia["status"])
    show("leukemia log-rank of three", test.test_statistic, test.p_value)

    columns = ["sex", "logWBC", "Rx"]
    x, t, e = leukemia[columns].to_numpy(float), leukemia["t"].to_numpy(float), leukemia["status"].to_numpy()
    clusters = np.arange(len(leukemia)) % 14
    cox = CoxPHFitter().fit(leukemia, "t", "status", fit_options={"precision": 1e-12, "r_precision": 1e-14})
    cox_report("leukemia Efron", cox)
    show("  robust by definition", efron_robust(x, t, e, cox.params_.to_numpy(), cox.variance_matrix_.to_numpy(), clusters))
    ph(cox, leukemia, t)

    breslow = PHReg(t, x, status=e, ties="breslow").fit()
    print("leukemia Breslow (statsmodels)")
    show("  coefficients", breslow.params)
    show("  standard errors", breslow.bse)
    show("  log likelihood", breslow.llf)
    robust = PHReg(t, x, status=e, ties="breslow").fit(groups=clusters)
    show("  robust", robust.bse)

    untied = leukemia.assign(t=leukemia.t + 0.001 * np.arange(len(leukemia)), cluster=clusters)
    cox = CoxPHFitter().fit(untied, "t", "status", cluster_col="cluster", fit_options={"precision": 1e-12, "r_precision": 1e-14})
    cox_report("leukemia untied, clustered", cox)
    cox = CoxPHFitter().fit(untied.drop(columns="cluster"), "t", "status", fit_options={"precision": 1e-12, "r_precision": 1e-14})
    for transform in ["rank", "km"]:
        test = proportional_hazard_test(cox, untied.drop(columns="cluster"), time_transform=transform)
        show(f"  untied drift, {transform}", test.test_statistic, test.p_value)

    walton = waltons.assign(miR=(waltons.group == "miR-137").astype(int)).drop(columns="group")
    cox = CoxPHFitter().fit(walton, "T", "E", fit_options={"precision": 1e-12, "r_precision": 1e-14})
    cox_report("waltons Efron", cox)


def late_and_weighted():
    """Lives that enter late, with weights: entries and weights by row, none of them at a time of death."""
    waltons, leukemia = load_waltons(), load_leukemia()
    for frame, time in [(waltons, "T"), (leukemia, "t")]:
        rows = np.arange(len(frame))
        frame["entry"] = frame[time] * np.array([0, 0.13, 0.37, 0])[rows % 4]
        frame["weight"] = np.array([1, 2, 0.5, 1.5, 3])[rows % 5]
    for group, lives in waltons.groupby("group"):
        for name, more in [("entries", ["entry"]), ("weights", ["weight"]), ("both", ["entry", "weight"])]:
            more = {{"entry": "entry", "weight": "weights"}[column]: lives[column] for column in more}
            km = KaplanMeierFitter().fit(lives["T"], lives["E"], **more)
            bands = km.confidence_interval_
            at = [20, 40, 60]
            show(f"{group}, {name}", km.predict(at), [bands.iloc[bands.index.get_indexer([x], method="ffill")[0]] for x in at])
            show(f"{group}, {name}, restricted mean at 60", restricted_mean_survival_time(km, t=60))
    test = multivariate_logrank_test(waltons["T"], waltons["group"], waltons["E"], weights=waltons["weight"])
    show("waltons log-rank, weights", test.test_statistic, test.p_value)
    precise = {"fit_options": {"precision": 1e-12, "r_precision": 1e-14}}
    for name, columns in [("entries", ["entry"]), ("weights", ["weight"]), ("both", ["entry", "weight"])]:
        frame = leukemia.drop(columns=[column for column in ["entry", "weight"] if column not in columns])
        cox = CoxPHFitter().fit(frame, "t", "status", **{f"{x}{'s' * (x == 'weight')}_col": x for x in columns}, **precise)
        show(f"leukemia Efron, {name}", cox.params_, cox.standard_errors_, cox.log_likelihood_)
    untied = leukemia.assign(t=leukemia.t + 0.001 * np.arange(len(leukemia))).drop(columns="entry")
    cox = CoxPHFitter().fit(untied, "t", "status", weights_col="weight", robust=True, **precise)
    show("leukemia untied, weights, robust", cox.params_, cox.standard_errors_)
    cox = CoxPHFitter().fit(untied, "t", "status", weights_col="weight", **precise)
    for transform in ["rank", "km"]:
        test = proportional_hazard_test(cox, untied, time_transform=transform)
        show(f"  drift, {transform}", test.test_statistic, test.p_value)


def cox_report(name, cox):
    print(name)
    show("  coefficients", cox.params_)
    show("  standard errors", cox.standard_errors_)
    show("  z", cox.summary["z"])
    show("  p", cox.summary["p"])
    show("  log likelihood", cox.log_likelihood_)
    test = cox.log_likelihood_ratio_test()
    show("  likelihood ratio", test.test_statistic, test.p_value)
    v = np.linalg.inv(cox.variance_matrix_.to_numpy())
    wald = cox.params_.to_numpy() @ v @ cox.params_.to_numpy()
    show("  Wald from the information", wald, stats.chi2.sf(wald, len(cox.params_)))
    show("  concordance", cox.concordance_index_)


def ph(cox, frame, t):
    """Ties share their mean rank, as R does; lifelines numbers them by row."""
    def rank(durations, events, weights):
        ranks = pd.Series(0.0, index=durations.index)
        ranks[events] = stats.rankdata(durations[events])
        return ranks

    for name, transform in [("mean rank", rank), ("km", "km")]:
        test = proportional_hazard_test(cox, frame, time_transform=transform)
        show(f"  drift, {name}", test.test_statistic, test.p_value)
    residuals = cox.compute_residuals(frame, "schoenfeld")
    g = stats.rankdata(t[residuals.index]); g = g - g.mean()
    u = g @ residuals.to_numpy()
    chi = u @ cox.variance_matrix_.to_numpy() @ u * len(g) / (g @ g)
    show("  drift of all, mean rank", chi, stats.chi2.sf(chi, 3))


A = [0.52, 1.31, -0.24, 2.05, 0.97, 1.44, 0.11, 3.02, 1.76, 0.68, 2.49, 1.18]
B = [0.31, 0.85, -0.40, 1.95, 1.12, 0.93, -0.35, 1.88, 1.41, 0.72, 1.60, 1.33]
TIED = [3, -1, 2, 2, 0, 5, -4, 1, 1, 6, -2, 3, 7, 0, 2, 4]
TASKS_X = [[0.1, 0.5, 0.9, 1.3], [2.0, 1.0, 0.5, 0.2], [0.7, 0.7, 0.9, 1.1]]
TASKS_Y = [[0.2, 0.4, 0.6, 0.9], [1.0, 1.0, 0.7, 0.4], [0.3, 0.7, 0.8, 1.0]]


def cliff(a, b, level=0.95):
    a, b = np.asarray(a), np.asarray(b)
    d = np.sign(a[:, None] - b[None, :])
    n, m = d.shape
    delta = d.mean()
    rows, cols = d.mean(1), d.mean(0)
    v = (m**2 * ((rows - delta) ** 2).sum() + n**2 * ((cols - delta) ** 2).sum() - ((d - delta) ** 2).sum()) / (
        n * m * (n - 1) * (m - 1))
    v = max(v, (1 - delta**2) / (n * m - 1))
    z = stats.norm.ppf(0.5 + level / 2)
    half = z * np.sqrt(v) * np.sqrt((1 - delta**2) ** 2 + z**2 * v)
    return delta, (delta - delta**3 - half) / (1 - delta**2 + z**2 * v), (delta - delta**3 + half) / (1 - delta**2 + z**2 * v)


def comparisons():
    a, b = np.array(A), np.array(B)
    d = a - b
    test = stats.ttest_rel(a, b)
    show("paired t", test.statistic, test.pvalue, test.confidence_interval(0.95))
    test = stats.ttest_ind(a, b, equal_var=False)
    show("Welch t", test.statistic, test.df, test.pvalue, test.confidence_interval(0.95))
    show("correlation, variance reduction", np.corrcoef(a, b)[0, 1], 1 - d.var(ddof=1) / (a.var(ddof=1) + b.var(ddof=1)))
    test = stats.wilcoxon(d)
    show("Wilcoxon exact", test.statistic, test.pvalue)
    tied = np.array(TIED, float)
    for correction in [False, True]:
        test = stats.wilcoxon(tied, correction=correction)
        show(f"Wilcoxon tied, correction {correction}", test.statistic, test.pvalue)
    test = stats.wilcoxon(tied[:12])
    show("Wilcoxon tied, twelve", test.statistic, test.pvalue)
    test = stats.mannwhitneyu(a, b)
    show("Mann-Whitney asymptotic", test.statistic, test.pvalue)
    test = stats.mannwhitneyu(a[:7], b)
    show("Mann-Whitney exact", test.statistic, test.pvalue)
    test = stats.mannwhitneyu(tied, tied[:9] + 1)
    show("Mann-Whitney tied", test.statistic, test.pvalue)
    test = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
    show("sign flip exact", test.statistic, test.pvalue)
    for margin, alpha in [(0.6, 0.05), (0.3, 0.05), (0.5, 0.1)]:
        p, above, below = ttost_paired(a, b, -margin, margin)
        show(f"equivalence within {margin}", p, above[1], below[1], DescrStatsW(d).tconfint_mean(2 * alpha))
    pooled = np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2)
    show("d, d_z", (a.mean() - b.mean()) / pooled, d.mean() / d.std(ddof=1))
    show("Cliff", *cliff(a, b))
    p = [0.01, 0.04, 0.03, 0.005, 0.5, 0.04]
    show("Holm", multipletests(p, method="holm")[1])
    show("BH", multipletests(p, method="fdr_bh")[1])
    # A bootstrap distribution that is known, so that only the correction is looked at.
    known = stats._resampling.BootstrapResult(None, np.array([d.mean() + 0.09 * np.sin(i) - 0.01 * np.cos(3 * i) for i in range(200)]), None)
    for method in ["percentile", "BCa"]:
        result = stats.bootstrap((d,), np.mean, n_resamples=0, bootstrap_result=known, method=method)
        show(f"bootstrap {method}, known", result.confidence_interval)
        result = stats.bootstrap((d,), np.mean, n_resamples=500_000, method=method, rng=1)
        show(f"bootstrap {method}", result.confidence_interval)


EVENTS = [3, 0, 1, 2, 0, 4, 1, 0, 2, 5, 0, 1, 1, 0, 0, 2, 0, 1, 0, 0, 1, 2, 0, 1, 3, 0]
EXPOSURE = [120, 80.5, 60, 140, 33, 150, 90, 75, 110, 160, 20, 88, 95, 40, 70, 130, 66, 101, 58, 47, 93, 149, 81, 77, 137, 29]


def rates():
    """Thirteen rows of an arm, thirteen of a baseline; seven worlds each, of which five are the same."""
    events, exposure = np.array(EVENTS, float), np.array(EXPOSURE)
    arm = (np.arange(26) < 13).astype(float)
    world = np.where(arm == 1, np.arange(26) % 7, np.arange(26) % 7 + 2)
    for name, rows, x in [("ratio", slice(None), sm.add_constant(arm)), ("rate", slice(13), np.ones((26, 1)))]:
        model = sm.GLM(events[rows], x[rows], family=sm.families.Poisson(), offset=np.log(exposure[rows]))
        fit = model.fit(cov_type="cluster", cov_kwds={"groups": world[rows]}, use_t=True, tol=1e-14)
        show(f"{name} by world", fit.params[-1], fit.bse[-1], fit.tvalues[-1], fit.pvalues[-1], np.exp(fit.conf_int(0.05)[-1]))


def aggregates():
    x, y = np.array(TASKS_X).T, np.array(TASKS_Y).T
    show("IQM", metrics.aggregate_iqm(x), metrics.aggregate_iqm(y))
    show("gap", metrics.aggregate_optimality_gap(x, 1.0))
    show("improvement", metrics.probability_of_improvement(x, y))
    show("profile", rly.run_score_deviation(x, 0.5), rly.run_score_deviation(x, 0.7), rly.run_score_deviation(x, 2.0))
    _, intervals = rly.get_interval_estimates({"x": x}, lambda s: np.array([metrics.aggregate_iqm(s), metrics.aggregate_optimality_gap(s, 1.0)]), reps=50_000, random_state=np.random.RandomState(1))
    show("IQM and gap intervals", intervals["x"].T)
    _, intervals = rly.get_interval_estimates({"x,y": (x, y)}, metrics.probability_of_improvement, reps=50_000, random_state=np.random.RandomState(1))
    show("improvement interval", intervals["x,y"])


def power():
    one, two = TTestPower(), TTestIndPower()
    show("paired power", one.power(0.5, 34, 0.05), one.power(0.2, 2, 0.05), one.power(-1.3, 9, 0.01))
    show("unpaired power", two.power(0.5, 17, 0.05), two.power(0.5, 64, 0.05))
    show("pairs and runs needed", one.solve_power(0.5, alpha=0.05, power=0.8), two.solve_power(0.5, alpha=0.05, power=0.8))


def distributions():
    show("normal", stats.norm.cdf(1), stats.norm.cdf(-8), 2 * stats.norm.sf(3), stats.norm.ppf(0.975), stats.norm.ppf(0.0001))
    show("t", 2 * stats.t.sf(2.5, 7), 2 * stats.t.sf(12, 33.5), stats.t.ppf(0.975, 1), stats.t.ppf(0.975, 33), stats.t.ppf(0.995, 4.6))
    show("t, one-sided", stats.t.sf(2.5, 7), stats.t.sf(-0.3, 4.6))
    show("t, many degrees", 2 * stats.t.sf(2.5, 2e5), 2 * stats.t.sf(7, 2e5), stats.t.ppf(0.975, 2e5))
    show("chi-square", stats.chi2.sf(3.84, 1), stats.chi2.sf(120, 3))
    show("half-width of 1, 3, 2, 5, 4", stats.t.ppf(0.975, 4) * np.std([1, 3, 2, 5, 4], ddof=1) / np.sqrt(5))


if __name__ == "__main__":
    for part in [survival, late_and_weighted, comparisons, rates, aggregates, power, distributions]:
        print(f"## {part.__name__}")
        part()
