#!/usr/bin/env python3
"""The same analysis of a sweep with NumPy, SciPy and statsmodels: are the numbers equal, and how much faster are we?

    cargo build --release -p infranoise-stats --example whole
    python3 crates/infranoise-stats/benches/compare_numpy.py target/release/examples/whole

Needs numpy, scipy and statsmodels. One simulated sweep of 227 tasks, 10 repeats and 6 arms, 10,000 bootstrap draws.
Each side is timed over several repetitions in one call of this script, the fastest counts. Exit status 1 if a number
differs or if we are less than 50 times as fast.
"""

import json
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import ttost_paired

TASKS, REPEATS, ARMS, DRAWS = 227, 10, 6, 10_000
INFRA = [0.058, 0.045, 0.033, 0.021, 0.012, 0.005]
TIMES_OURS, TIMES_THEIRS = 20, 3
BAR = 50
EXACT, SAMPLED = 1e-7, 0.02


def simulate(rng):
    """Passes, infra errors and trials of each task and arm."""
    size = 1 / 0.6 - 1
    rates = rng.beta(0.6 * size, 0.4 * size, TASKS)
    size = 1 / 0.3 - 1
    weights = rng.beta(0.058 * size, 0.942 * size, TASKS) / 0.058
    errors = rng.binomial(REPEATS, np.minimum(1, np.outer(weights, INFRA)))
    passes = rng.binomial(REPEATS - errors, rates[:, None])
    return passes, errors


def wilson_neff(x, k):
    y = x / k
    p, se = y.mean(), stats.sem(y)
    n_eff = min(k.sum(), p * (1 - p) / se**2)
    alpha = 2 * stats.norm.sf(stats.t.ppf(0.975, len(y) - 1))
    return proportion_confint(p * n_eff, n_eff, alpha=alpha, method="wilson")


def bootstrap_means(values, rng):
    """Means of the columns over resampled tasks."""
    counts = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=DRAWS)
    return counts @ values / len(values)


def exact_test(xa, ka, xb, kb):
    """Convolution of the tasks' hypergeometric distributions, tails and common odds ratio."""
    pmf, low, observed = np.array([1.0]), 0, xb.sum()
    for a, na, b, nb in zip(xa, ka, xb, kb):
        m = a + b
        support = np.arange(max(0, m - na), min(m, nb) + 1)
        pmf = np.convolve(pmf, stats.hypergeom.pmf(support, na + nb, m, nb))
        low += support[0]
    at = observed - low
    p = min(1.0, pmf[pmf <= pmf[at] * (1 + 1e-7)].sum())
    with np.errstate(divide="ignore"):
        logs = np.log(pmf)
    sums = np.arange(len(pmf)) - at

    def tilted(log_odds):
        w = logs + sums * log_odds
        w = np.exp(w - w.max())
        return w / w.sum()

    mean = lambda log_odds: (tilted(log_odds) * sums).sum()
    upper = lambda log_odds: tilted(log_odds)[at:].sum() - 0.025
    lower = lambda log_odds: tilted(log_odds)[: at + 1].sum() - 0.025
    root = lambda f: np.exp(optimize.brentq(f, -20, 20, xtol=1e-14, rtol=1e-14))
    ratio = 0.0 if at == 0 else root(mean)
    return p, ratio, 0.0 if at == 0 else root(upper), root(lower)


def signflip(xa, xb):
    d = np.abs(xb - xa)
    d = d[d > 0]
    chance = np.zeros(d.sum() + 1)
    chance[0] = 1
    for size in d:
        moved = np.zeros_like(chance)
        moved[size:] = chance[:-size]
        chance = (chance + moved) / 2
    signed = np.abs(2 * np.arange(len(chance)) - d.sum())
    return chance[signed >= abs((xb - xa).sum())].sum()


def risk_difference_high(xa, ka, xb, kb):
    n = ka + kb
    weight = ka * kb / n
    value = ((xb * ka - xa * kb) / n).sum() / weight.sum()
    slope = (xa * (kb / n) ** 2 - xb * (ka / n) ** 2 + ka * kb * (ka - kb) / (2 * n**2)).sum()
    spread = ((xb * (ka - xa) + xa * (kb - xb)) / (2 * n)).sum()
    se = np.sqrt(value * slope + spread) / weight.sum()
    return value + stats.norm.ppf(0.975) * se


def difference(out, name, xa, ka, xb, kb):
    ya, yb = xa / ka, xb / kb
    t = stats.ttest_rel(yb, ya)
    d = yb - ya
    se = stats.sem(d)
    p, ratio, low, high = exact_test(xa, ka, xb, kb)
    keep = (xa + xb > 0) & (xa + xb < ka + kb)
    tables = np.array([[xb[keep], kb[keep] - xb[keep]], [xa[keep], ka[keep] - xa[keep]]], dtype=float)
    out[f"{name}.difference"] = d.mean()
    out[f"{name}.p_t"] = t.pvalue
    out[f"{name}.high_t"] = t.confidence_interval(0.95).high
    out[f"{name}.high_mh"] = risk_difference_high(xa, ka, xb, kb)
    out[f"{name}.fixed_se"] = np.sqrt((ya * (1 - ya) / (ka - 1) + yb * (1 - yb) / (kb - 1)).sum()) / len(ya)
    out[f"{name}.p_cmh"] = StratifiedTable(tables).test_null_odds(correction=False).pvalue
    out[f"{name}.p_exact"] = p
    out[f"{name}.odds_ratio"], out[f"{name}.odds_ratio_low"], out[f"{name}.odds_ratio_high"] = ratio, low, high
    out[f"{name}.p_tost"] = ttost_paired(yb, ya, -0.03, 0.03)[0]
    out[f"{name}.floor"] = np.sqrt(stats.ncx2.ppf(0.95, 1, (0.02 / se) ** 2)) * se
    out[f"{name}.p_signflip"] = signflip(xa, xb)
    return p


def analysis(passes, errors, trials, rng):
    out = {}
    y = passes / trials
    for arm in range(ARMS):
        x, k = passes[:, arm], trials[:, arm]
        out[f"score.{arm}.low"], out[f"score.{arm}.high"] = wilson_neff(x, k)
        rate = x / k
        out[f"score.{arm}.seed_se"] = np.sqrt((rate * (1 - rate) / (k - 1)).sum()) / TASKS
        exact = stats.binomtest(int(errors[:, arm].sum()), int(k.sum())).proportion_ci(0.95, "exact")
        out[f"infra.{arm}.high"] = exact.high
    for name, rates in (("score", y), ("infra", errors / trials)):
        for arm, high in enumerate(np.percentile(bootstrap_means(rates, rng), 97.5, axis=0)):
            out[f"{name}.{arm}.boot_high"] = high
    p_values = {"success": [], "infra": []}
    for arm in range(1, ARMS):
        for name, x in (("success", passes), ("infra", errors)):
            p = difference(out, f"{name}.{arm}", x[:, 0], trials[:, 0], x[:, arm], trials[:, arm])
            p_values[name].append(p)
        i_a, i_b = errors[:, 0] / trials[:, 0], errors[:, arm] / trials[:, arm]
        usable = i_b < 1
        q = y[usable, arm] / (1 - i_b[usable])
        out[f"recovered.{arm}"] = ((i_a - i_b)[usable] * q).mean()
        solved = (1 - i_a[usable]) * q - y[usable, 0]
        out[f"newly_solved.{arm}.p"] = stats.ttest_1samp(solved, 0).pvalue
    for name, list_of_p in p_values.items():
        for arm, p in enumerate(multipletests(list_of_p, method="holm")[1]):
            out[f"{name}.holm.{arm}"] = p
    sweep(out, passes, errors, trials, rng)
    return out


def sweep(out, passes, errors, trials, rng):
    y = passes / trials
    scores = np.arange(ARMS)
    slopes = np.array([stats.linregress(scores, row).slope for row in y])
    out["trend.p"] = stats.ttest_1samp(slopes, 0).pvalue
    n, m = trials.sum(1), errors.sum(1)
    mean = (trials * scores).sum(1) / n
    u = (errors * scores).sum(1) - m * mean
    v = m * (n - m) / (n * (n - 1)) * (trials * (scores - mean[:, None]) ** 2).sum(1)
    out["mantel.z"] = u.sum() / np.sqrt(v.sum())
    grand, rows, columns = y.mean(), y.mean(1), y.mean(0)
    residual = y - rows[:, None] - columns + grand
    ms_inter = REPEATS * (residual**2).sum() / ((TASKS - 1) * (ARMS - 1))
    ms_task = REPEATS * ARMS * ((rows - grand) ** 2).sum() / (TASKS - 1)
    ms_error = REPEATS / (REPEATS - 1) * (y * (1 - y)).mean()
    out["var_interaction"] = (ms_inter - ms_error) / REPEATS
    out["var_task"] = (ms_task - ms_inter) / (ARMS * REPEATS)
    failures = 1 - y - errors / trials
    out["turning_point"] = float(np.argmax(failures.mean(0) > failures.mean(0).max() - 1e-12))
    means = bootstrap_means(failures, rng)
    winners = np.argmax(means > means.max(1, keepdims=True) - 1e-12, axis=1)
    for arm, share in enumerate(np.bincount(winners, minlength=ARMS) / DRAWS):
        out[f"boot_share.{arm}"] = share
    for name, rates, increasing in (("", y, True), ("infra.", errors / trials, False)):
        means = bootstrap_means(rates, rng)
        fits = np.array([optimize.isotonic_regression(row, increasing=increasing).x for row in means])
        for arm, high in enumerate(np.percentile(fits, 97.5, axis=0)):
            out[f"{name}boot_band.{arm}"] = high


def main():
    ours = sys.argv[1]
    passes, errors = simulate(np.random.default_rng(20260205))
    trials = np.full_like(passes, REPEATS)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(np.stack([passes, errors, trials], axis=2).tolist(), file)
        file.flush()
        result = subprocess.run([ours, file.name, str(DRAWS), str(TIMES_OURS)], check=True, capture_output=True, text=True)
    result = json.loads(result.stdout)
    theirs, fastest = {}, float("inf")
    for _ in range(TIMES_THEIRS):
        start = time.perf_counter()
        theirs = analysis(passes, errors, trials, np.random.default_rng(1))
        fastest = min(fastest, time.perf_counter() - start)

    numbers = dict(result["numbers"])
    assert numbers.keys() == theirs.keys(), numbers.keys() ^ theirs.keys()
    worst, different = 0.0, []
    for name, expected in theirs.items():
        error = abs(numbers[name] - expected) / max(1.0, abs(expected))
        tolerance = SAMPLED if "boot" in name else EXACT
        worst = max(worst, error if tolerance == EXACT else 0.0)
        if not error <= tolerance:
            different.append(f"{name}: {numbers[name]} and {expected}")
    ratio = fastest / result["seconds"]
    print(f"{len(theirs)} numbers, largest error of the exact ones {worst:.1e}, different: {len(different)}")
    print("\n".join(different))
    print(f"infranoise {1e3 * result['seconds']:.1f} ms, NumPy/SciPy/statsmodels {1e3 * fastest:.0f} ms: {ratio:.0f} times as fast")
    sys.exit(1 if different or ratio < BAR else 0)


if __name__ == "__main__":
    main()
