"""Writes the designs that stats/tests/statistics/sensitivity.rs reads, and prints the figures it expects of them.

    python -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python sensitivity.py

Points are shares of the unit cube; the factors of Ishigami's function go from -pi to pi.
"""

import pathlib
import warnings

import numpy as np
from SALib.analyze import morris, sobol
from SALib.sample import morris as trajectories
from SALib.sample import sobol as saltelli
from SALib.test_functions import Ishigami, Sobol_G

warnings.filterwarnings("ignore")
DATA = pathlib.Path(__file__).parent.parent / "data"
A = np.array([0.0, 1.0, 4.5, 9.0])
ROWS, TRAJECTORIES, LEVELS = 16, 6, 4


def ishigami(points):
    return Ishigami.evaluate(np.pi * (2 * points - 1))


def g_function(points):
    return Sobol_G.evaluate(points, a=A)


def problem(factors):
    return {"num_vars": factors, "names": [f"x{i + 1}" for i in range(factors)], "bounds": [[0, 1]] * factors}


def write(name, points, outputs):
    head = ",".join(f"x{i + 1}" for i in range(points.shape[1])) + ",y"
    rows = [",".join(repr(float(x)) for x in [*point, y]) for point, y in zip(points, outputs)]
    (DATA / name).write_text("\n".join([head, *rows]) + "\n")


def show(name, values):
    print(f"{name}: {', '.join(repr(float(x)) for x in np.asarray(values).ravel())}")


for name, function, factors in [("ishigami", ishigami, 3), ("g-function", g_function, len(A))]:
    points = saltelli.sample(problem(factors), ROWS, calc_second_order=True, scramble=True, seed=1)
    outputs = function(points)
    write(f"saltelli-{name}.csv", points, outputs)
    found = sobol.analyze(problem(factors), outputs, calc_second_order=True, num_resamples=2, seed=1)
    show(f"{name} S1", found["S1"])
    show(f"{name} ST", found["ST"])
    show(f"{name} S2", found["S2"][np.triu_indices(factors, 1)])
    points = trajectories.sample(problem(factors), TRAJECTORIES, num_levels=LEVELS, seed=1)
    outputs = function(points)
    write(f"morris-{name}.csv", points, outputs)
    found = morris.analyze(problem(factors), points, outputs, num_levels=LEVELS, num_resamples=2, seed=1)
    for figure in ["mu", "mu_star", "sigma"]:
        show(f"{name} {figure}", found[figure])
