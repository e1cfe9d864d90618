//! The reference page of sweep files: every key, and every measure.

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
| `analysis.json` | what came of it: the registered test of every arm against the baseline with intervals, effect sizes and whether there were enough worlds; secondary measures and survival; a sentence for each arm |
| `timings.csv` | how long each cell took, and the name of its folder |
| `sweep.json` | the sweep as it was read, its arms, the program, how many cells are done, hashes of the tables |
| `cells/` | one folder for each cell |

**Exit codes.** 0: every cell is done. 1: some failed, or `--fail-fast` stopped it. 2: the file can't be run as it is. 130:
Ctrl-C; what has ended is kept.
"#;

/// The page.
pub fn page() -> String {
    let mut page = keys_of("The sweep", INTRODUCTION, morta_lab::sweep_file::schema());
    write_measures(&mut page).expect("writing to a string does not fail");
    page
}

fn write_measures(page: &mut String) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Measures\n\nThe columns of `results.csv`; one that isn't defined in a cell, as a mean of nothing, is empty.\n"
    )?;
    writeln!(page, "| measure | unit | usually better | meaning |\n|---|---|---|---|")?;
    for measure in MEASURES {
        let (name, unit, better) = (measure.name, measure.unit, measure.better.name());
        writeln!(page, "| `{name}` | {unit} | {better} | {} |", measure.about)?;
    }
    writeln!(page, "\n## Learning curves\n\n| series | meaning |\n|---|---|")?;
    CURVES.iter().try_for_each(|(name, about)| writeln!(page, "| `{name}` | {about} |"))
}
