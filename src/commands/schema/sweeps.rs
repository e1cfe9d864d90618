//! The reference page of sweep files (`morta schema --sweeps`): what a sweep is, all keys and all measures with their units. It is
//! generated Markdown documentation, made from the schema and the catalogue of measures, so that it can't fall behind them; only the
//! introduction is written by hand.

use super::reference::keys_of;
use morta_lab::measure::{CURVES, MEASURES};
use std::fmt::Write as _;

const INTRODUCTION: &str = r#"# Sweep files: experiments in many worlds

<!-- Generated from the types by `morta schema --sweeps`; don't edit. -->

A sweep is a [TOML](https://toml.io) file: a scenario, what is changed in it, and in how many worlds. One *cell* is one arm
in one world. Every arm sees the same worlds: nothing but the seed makes a world, so arms can be compared pair by pair.

```toml
name = "batch"
scenario = "../synthetic.toml"          # relative to this file
set = { ticks = 2000 }                  # the same in all arms
seeds = { count = 20 }
axes = [{ key = "dream.replay.batch_size", values = [5, 10, 15] }]
```

```text
morta sweep FILE --dry-run              what would be run, and about how long it would take
morta sweep FILE --profile smoke        a variant of the file, for a first look
morta sweep FILE --out DIR              all of it
morta sweep FILE --out DIR --resume     what is missing of it, after Ctrl-C, a crash or a power cut
```

**Arms.** `[[arms]]` are named sets of changes, `[[axes]]` are keys that are varied; each arm is combined with all points
of the axes, and named after both: `uniform/batch_size=5`. Keys are written as for `--set`: `dream.replay.batch_size`,
`cohorts.bardo.golems`. The scenario of every arm is checked before anything runs.

**Levels.** An axis may have named `levels` instead of values, each with a `set` of several keys: `levels = [{ name = "slow", set = { ... } },
{ name = "fast", set = { ... } }]`. Its `key` is then a word of your own.

**Contrasts.** `[[contrasts]]` holds one arm against another, world by world, beside the comparisons with the baseline.

**Masking ladder.** What else could do the same work hides an effect. `[[ladder]]` lists rungs, each a `set` of keys that switches such
rivals on or off; every arm is run on every rung, in the same worlds, and every contrast (left out: each arm against the baseline) is
told rung by rung, with its difference from the primary rung. Arms are then named `real/bare`; `baseline = "shuffled"` means the one on the
primary rung, where alone the registered comparison is made.

```toml
contrasts = [{ treated = "real", control = "shuffled" }]

[[ladder]]
name = "bare"
primary = true
set = { memory.bardo.recall.enabled = false }

[[ladder]]
name = "full"
```

**Map.** `[map]` draws a contrast at every point of two axes (`design = "grid"`), corrected for the number of cells; `x` or `y` may be
`"ladder"` too. `morta report` draws it with a colour for the effect, hatched where the interval holds 0.

```toml
[map]
x = "drift"
y = "market.assets"
contrast = ["real", "shuffled"]
measure = "total_r"
```

With a ladder, a map or contrasts, arms are compared with the baseline only where it stands: on its rung, at its values of the axes.

**Rule.** `[preregistration.rule]` counts wins: each of its `criteria` (measure, direction, cohort, margin) is decided by its own test, corrected
for their number. The verdict is `supported` from `wins_needed` wins on, `refuted` from `losses_needed` losses on (left out: when the wins
can't be had any more), `weakly_supported` or `weakly_refuted` from `wins_weak` on, else `undecided`.

**Sensitivity.** `design = "morris"` and `design = "sobol"` say which keys move which measures. Each axis has a range (`low`, `high`, with `log` and
`integer`), `values` or `levels`; `[sensitivity]` names the measures and how many points there are. There are no arms and nothing is registered: it
explores. `morta sensitivity SCENARIO --measure M` is the short way, and `--write FILE` makes such a file of it.

```toml
design = "morris"                       # trajectories through a grid: many keys, few points
sensitivity = { measures = ["r_per_golem_tick"], trajectories = 10, levels = 4 }
# design = "sobol"                      # shares of variance, with interactions: few keys
# sensitivity = { measures = ["r_per_golem_tick"], base_samples = 64, second_order = true }
seeds = { count = 4 }
axes = [{ key = "golem.risk_per_trade", low = 0.01, high = 0.04, log = true }, { key = "dream.enabled", values = [false, true] }]
```

Every point is lived in the same worlds, and points that come to the same values are lived once. Elementary effects are by how much a measure would
change over a key's whole range (μ, μ*, σ); between values and levels a step is the whole range, and their order means nothing but the sign of μ. Indices
are shares of the measure's variance (first order, total). Both are told *of the mean* over worlds and *within a world*, averaged. A key that merely
sends a world down another path has effects in every world; of σ and of the indices of the mean this luck is taken out, μ* is held against what would
be left of it were the signs of effects drawn by lot, with Holm's correction for the number of keys. One world can't tell effects from luck. Intervals
hold two sources of error: trajectories or base samples are resampled, worlds are left out one at a time; with two or three worlds they are too narrow.

A point whose scenario can't be (keys that go together were drawn apart) is left out and told of, and the effects that would be read off it are dropped;
when a key is left with fewer than two, the file is refused. A key that changed no byte of any log stands for something that never happens.

**Resuming.** Each cell has a folder of its own, named after a hash of everything it depends on: the scenario, the seed, the
contents of data files, what is measured, and the program. `--resume` runs the cells that are missing. When the sweep
file, the scenario, the data or the program are not what they were, it refuses and says what has changed. A cell that
fails becomes a row with its error; `--resume --retry-failed` runs such cells again.

**The folder.** The tables are the same bytes however many threads ran the cells and however often they were interrupted.

| file | what |
|---|---|
| `results.csv`, `results.parquet` | one row for each cell and cohort (`all` is everybody): arm, seed, the values of the swept keys, the measures below. A failed cell has one row, with `outcome` = `failed` and its `error`. The CSV is written now and then while the sweep runs |
| `series.parquet` | learning curves, in long form: arm, seed, cohort, series, from_tick, to_tick, value |
| `lives.parquet` | every life of every cell: the columns of a run's `lives.parquet` after arm and seed |
| `analysis.json` | what came of it: the registered test of every arm against the baseline with intervals, effect sizes and whether there were enough worlds; secondary measures and survival; a sentence for each arm; what the rule, the ladder, the map, the sensitivity analysis and the profile of memories say, where there are any |
| `contrasts.csv`, `contrasts.parquet` | a row for each contrast on a rung or in a cell of the map; none where there are neither |
| `sensitivity.csv`, `sensitivity.parquet` | a row for each figure of each key; with the designs `morris` and `sobol` alone |
| `timings.csv` | how long each cell took, and the name of its folder |
| `sweep.json` | the sweep as it was read, its arms, the program, how many cells are done, hashes of the tables |
| `cells/` | one folder for each cell |

**Exit codes.** 0: every cell is done. 1: some failed, or `--fail-fast` stopped it. 2: the file can't be run as it is. 130:
Ctrl-C; what has ended is kept.
"#;

/// Generates the reference page of sweep files in Markdown.
pub(super) fn page() -> String {
    let mut page = keys_of("The sweep", INTRODUCTION, morta_lab::sweep_file::schema());
    write_measures(&mut page).expect("writing to a string does not fail");
    page
}

fn write_measures(page: &mut String) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Measures\n\nThe columns of `results.csv`; one that isn't defined in a cell, as a mean of nothing, is empty.\n"
    )?;
    writeln!(page, "| measure | in figures | unit | usually better | meaning |\n|---|---|---|---|---|")?;
    for measure in MEASURES.iter() {
        let (name, label, unit, better) = (measure.name, measure.label, measure.unit, measure.better.name());
        writeln!(page, "| `{name}` | {label} | {unit} | {better} | {} |", measure.about)?;
    }
    writeln!(page, "\n## Learning curves\n\n| series | meaning |\n|---|---|")?;
    CURVES.iter().try_for_each(|kind| writeln!(page, "| `{}` | {} |", kind.name, kind.about))
}
