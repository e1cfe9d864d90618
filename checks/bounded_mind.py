"""Prints the contrasts of a comparison that checks/bounded-mind.sh has run: bounded_mind.py NAME RESULTS_CSV."""

import csv
import math
import sys

from statistics import mean, stdev

# Two-sided 97.5 % points of Student's t by degrees of freedom; beyond the table that of the normal is near enough.
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
     2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def read(path, measure):
    """Values by arm and world."""
    arms = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["cohort"] == "golems" and row[measure]:
                arms.setdefault(row["arm"], {})[row["seed"]] = float(row[measure])
    return arms


def interval(arms, treated, control, scale):
    worlds = sorted(arms[treated].keys() & arms[control].keys())
    differences = [scale * (arms[treated][world] - arms[control][world]) for world in worlds]
    count = len(differences)
    half = T[min(count - 2, len(T) - 1)] * stdev(differences) / math.sqrt(count)
    return f"{mean(differences):+.1f} [{mean(differences) - half:.1f}, {mean(differences) + half:.1f}]"


def main():
    name, path = sys.argv[1:]
    arms = read(path, "r_per_golem_tick")
    means = "  ".join(f"{arm} {10_000 * mean(values.values()):.0f}" for arm, values in arms.items())
    print(f"{name} ({len(next(iter(arms.values())))} worlds): {means}")
    for treated, control in [("now-real", "before-real"), ("now-real", "now-awake"), ("before-real", "before-awake")]:
        print(f"  {treated} - {control}: {interval(arms, treated, control, 10_000)}")
    gaps = read(path, "dream_gap_ticks")
    print("  ticks that a dream costs: " + ", ".join(f"{arm} {mean(values.values()):.1f}" for arm, values in gaps.items()))


main()
