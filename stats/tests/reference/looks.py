"""Prints the bounds of looks that stats/tests/statistics/looks.rs expects, from nested adaptive quadrature: slow, and independent of any grid."""

import numpy as np
from scipy import integrate
from scipy.optimize import brentq
from scipy.stats import norm


def spent(kind, alpha, t):
    if kind == "obrien_fleming":
        return 4 * norm.sf(norm.isf(alpha / 4) / np.sqrt(t))
    return alpha * np.log1p((np.e - 1) * t)


def bounds(kind, alpha, t):
    """Of three looks."""
    share = np.diff([spent(kind, alpha, x) for x in t], prepend=0)
    step, root = np.sqrt(np.diff(t, prepend=0)), np.sqrt(t)
    z = [norm.isf(share[0] / 2)]
    first = lambda s: norm.pdf(s / step[0]) / step[0]
    beyond = lambda c, s, look: norm.sf((c * root[look] - s) / step[look]) + norm.cdf((-c * root[look] - s) / step[look])
    e0 = z[0] * root[0]

    def second(c):
        return integrate.quad(lambda s: first(s) * beyond(c, s, 1), -e0, e0, epsabs=1e-14, epsrel=1e-13, limit=500)[0]

    z.append(brentq(lambda c: second(c) - share[1], 0.5, 8, xtol=1e-13))
    e1 = z[1] * root[1]

    def density(u):
        inner = lambda s: first(s) * norm.pdf((u - s) / step[1]) / step[1]
        return integrate.quad(inner, -e0, e0, epsabs=1e-13, epsrel=1e-12, points=[max(-e0, min(e0, u))], limit=200)[0]

    def third(c):
        return integrate.quad(lambda u: density(u) * beyond(c, u, 2), -e1, e1, epsabs=1e-12, epsrel=1e-11, limit=200)[0]

    z.append(brentq(lambda c: third(c) - share[2], 0.5, 8, xtol=1e-10))
    return [float(x) for x in z]


for kind, alpha, t in [
    ("obrien_fleming", 0.05, [0.25, 0.5, 1]),
    ("pocock", 0.05, [0.25, 0.5, 1]),
    ("obrien_fleming", 0.01, [0.25, 0.5, 1]),
    ("pocock", 0.05, [0.3, 0.35, 0.8]),
    ("pocock", 0.05, [0.5, 0.501, 1]),
]:
    print(kind, alpha, t, bounds(kind, alpha, t))
