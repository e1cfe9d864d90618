"""The pictures of docs/src/gallery.md: a forest for each experiment, from the first table of its page under docs/src/results.

    pip install matplotlib
    python docs/gallery.py

They are drawn from the page and not from the sweep's folder, so that picture and page can't say different things; a test of the book holds them to each other.
"""

import os
import re

import matplotlib

matplotlib.use("svg")
# Text stays text: it can be searched, read aloud, and compared with the page.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "morta", "font.sans-serif": ["DejaVu Sans"], "font.size": 9})
from matplotlib import pyplot  # noqa: E402

BOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "src")
ROW = re.compile(r"^([+-][\d.e+-]+) \[([\d.e+-]+), ([\d.e+-]+)\]$")


def rows(name):
    """The measure, the baseline, and of every other arm its name and its difference as the page writes it."""
    with open(os.path.join(BOOK, "results", f"{name}.md"), encoding="utf-8") as page:
        text = page.read()
    measure = re.search(r"^(\S+ of .*?)(?:, (?:more|less) is better|: mean and)", text, re.M)[1]
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    head = next(place for place, cells in enumerate(lines) if cells[0] == "arm")
    column = lines[head].index("difference")
    found = []
    for cells in lines[head + 2 :]:
        if len(cells) != len(lines[head]):
            break
        if cells[1] == "baseline":
            baseline = cells[0]
        elif ROW.match(cells[column]):
            found.append((cells[0], cells[column]))
    return measure, baseline, found


def draw(name):
    measure, baseline, found = rows(name)
    figure, axes = pyplot.subplots(figsize=(7, 0.9 + 0.28 * len(found)), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15)
    axes.axvline(0, color="0.6", linewidth=0.8)
    for place, (_, difference) in enumerate(found):
        effect, low, high = (float(number) for number in ROW.match(difference).groups())
        colour = "0.45" if low <= 0 <= high else "#1f5fa8"
        axes.hlines(place, low, high, color=colour)
        axes.plot([effect], [place], "o", color=colour, markersize=4)
        axes.text(1.02, place, difference, transform=axes.get_yaxis_transform(), va="center")
    axes.set_yticks(range(len(found)), [arm for arm, _ in found])
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlabel(f"{measure}, less {baseline}")
    axes.spines[["top", "right", "left"]].set_visible(False)
    # Without a date: the same page gives the same bytes.
    figure.savefig(os.path.join(BOOK, "plots", f"gallery-{name}.svg"), metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


if __name__ == "__main__":
    with open(os.path.join(BOOK, "gallery.md"), encoding="utf-8") as page:
        for name in re.findall(r"plots/gallery-([\w-]+)\.svg", page.read()):
            draw(name)
