"""The pictures of docs/src/gallery.md: a forest for each experiment, from the first table of its page under docs/src/results; and the README's.

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
    measure = re.search(r"^(\S+ of .*?)(?:, (?:more|less) is better|: mean and)|^\| arm \| (.*?) \| less ", text, re.M)
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    head = next(place for place, cells in enumerate(lines) if cells[0] == "arm")
    # Pages that were made before verdicts stood in them have another table.
    column = next(place for place, title in enumerate(lines[head]) if title == "difference" or title.startswith("less "))
    found = []
    for cells in lines[head + 2 :]:
        if len(cells) != len(lines[head]):
            break
        if "baseline" in cells:
            baseline = cells[0]
        elif ROW.match(cells[column]):
            found.append((cells[0], cells[column]))
    return measure[1] or measure[2], baseline, found


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


#: Opacity of a cell of the first picture for each R a tick: the largest effect that was found so far is a little over half.
SHADE = 75.6


def draw_dreams():
    """The picture of the README, from the map of `bounded-recall`: drawn by hand once, so that its words can be read on a telephone."""
    path = os.path.join(BOOK, "plots", "dreams.svg")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    with open(os.path.join(BOOK, "results", "bounded-recall.md"), encoding="utf-8") as page:
        table = page.read().split("### Map", 1)[1]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines() if line.startswith("|")]
    columns = [rows[0].index(recall) for recall in ("half-life-2000", "all", "half-life-500", "four")]
    # Everything but the cells stays as it is: titles of columns, and of rows beside their first cell.
    first = next(place for place, line in enumerate(lines) if line.startswith("<rect x=\"92\" y=\"62\""))
    titles = {y: next(line for line in lines if line.startswith(f'<text class="l" x="84" y="{at}"')) for y, at in ((62, 93), (114, 137), (166, 189))}
    drawn = []
    for y, law in ((62, "stands"), (114, "2000"), (166, "500")):
        row = next(cells for cells in rows if cells[0] == law)
        drawn.append(titles[y])
        for place, column in enumerate(columns):
            x, text = 92 + 88 * place, row[column]
            value = float(text.strip("()*"))
            colour = "blue" if value > 0 else "orange"
            drawn.append(f'<rect x="{x}" y="{y}" width="86" height="50" style="fill:var(--{colour})" opacity="{abs(value) * SHADE:.3f}"/>')
            is_open = text.startswith("(")
            if is_open:
                drawn.append(
                    f'<rect x="{x}" y="{y}" width="86" height="50" fill="url(#h)"/><rect x="{x + 17}" y="{y + 15}" width="52" height="20" '
                    'style="fill:var(--ground)" opacity=".8"/>'
                )
            shown = f"{value:+.4f}".replace("0.", ".", 1).replace("-", "−")
            weight = "" if is_open else ' class="b"'
            drawn.append(f'<text{weight} x="{x + 43}" y="{y + 30}">{shown}</text>')
    # The title of the first row stands before its cells.
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines[: first - 1], *drawn, lines[-1]]) + "\n")


if __name__ == "__main__":
    with open(os.path.join(BOOK, "gallery.md"), encoding="utf-8") as page:
        for name in re.findall(r"plots/gallery-([\w-]+)\.svg", page.read()):
            draw(name)
    draw_dreams()
