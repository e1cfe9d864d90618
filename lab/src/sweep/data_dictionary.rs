//! The data dictionary that `morta schema --tables` prints: every table that runs and sweeps write, column by column, with type, unit and
//! meaning. It is the schema documentation of Parquet and CSV files, made from their declarations, so that it can't fall behind the code. A
//! test holds the page `tables` of the book to it, so a changed column changes that page.

use crate::io::table::{Column, ColumnUnit, TableRow as _, TableSpec};
use crate::run::run_folder::tables;
use crate::sweep::measure::{CURVES, CurveKind, MEASURES};
use crate::sweep::sweep_folder::contrasts::ContrastRow;
use crate::sweep::sweep_folder::sensitivity::SensitivityRow;
use crate::sweep::sweep_folder::tables::{OfCell, ResultHead, SeriesPoint, Timing};

const INTRODUCTION: &str = "\
# Tables: every column

<!-- Generated from the declarations of the tables by `morta schema --tables`; don't edit. -->

What runs and sweeps leave behind, column by column. All tables are Parquet files, which polars, pandas, DuckDB and R read;
`results`, `contrasts`, `sensitivity` and `timings` are CSV too. From Rust, `morta_lab::run_folder::RunFolder::open(dir)?.lives()?` and its sisters
give the rows as structs.

A run's folder holds the tables of the first part and `journal.jsonl`, the notable events in words, one JSON object a line with
`tick`, `golem`, `cohort`, `event` and `text`. A sweep's folder holds those of the second part.

**Empty.** A column marked *may be empty* has no value (null) where its meaning says so; all others have one in every row.

**Joining.** `golem` joins the tables of a run: it is unique in `lives.parquet`. `cohort` and `memory` repeat in every table what
the life says. A bloodstain, a rule, an episode and a dream have identities of their own, which begin with that of their golem.

**Order.** Rows are in the order in which things happened, and the same bytes for the same scenario, seed and build.

**In the files.** Every Parquet file has the unit and the meaning of its columns in its footer, as JSON under the key `morta:columns`: in Python,
`json.loads(pyarrow.parquet.read_schema(file).metadata[b\"morta:columns\"])[\"holding_ticks\"][\"unit\"]`.
";

const SWEEPS: &str = "\
# Tables of a sweep

What is empty is an empty field in CSV. In `results.parquet` and `series.parquet` every column is nullable; the tables below say
which ever are empty.
";

/// Writes the data dictionary as a Markdown page.
pub fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    page += &units();
    page += "\n# Tables of a run\n";
    tables::ALL.iter().for_each(|kind| page += &section(kind.spec, &format!("`{}`", kind.spec.file)));
    page += &format!("\n{SWEEPS}");
    page += &section(ResultHead::TABLE, "`results.parquet`, `results.csv`");
    page += &measures();
    page += &section(SeriesPoint::TABLE, "`series.parquet`");
    page += &curves();
    page += &section(ContrastRow::TABLE, "`contrasts.parquet`, `contrasts.csv`");
    page += &section(SensitivityRow::TABLE, "`sensitivity.parquet`, `sensitivity.csv`");
    page += &section(OfCell::TABLE, "`lives.parquet` of a sweep");
    page += &section(Timing::TABLE, "`timings.csv`");
    page
}

fn units() -> String {
    let row = |unit: &ColumnUnit| format!("| {} | {} |\n", unit.name(), unit.about());
    let rows: String = ColumnUnit::ALL.iter().map(row).collect();
    format!("\n## Units\n\n| unit | what it is |\n|---|---|\n{rows}")
}

fn section(table: &TableSpec, title: &str) -> String {
    let rows: String = table.columns.iter().map(row).collect();
    let about = table.about;
    format!(
        "\n## {title}\n\n{about}\n\n| column | type | unit | empty | meaning |\n|---|---|---|---|---|\n{rows}"
    )
}

fn row(column: &Column) -> String {
    let Column { name, kind, nullable, unit, about, .. } = column;
    let empty = if *nullable { "may be" } else { "never" };
    format!("| `{name}` | {} | {} | {empty} | {} |\n", kind.name(), unit.name(), cell(about))
}

fn measures() -> String {
    let row = |measure: &crate::sweep::measure::Measure| {
        let (name, unit, better) = (measure.name, measure.unit, measure.better.name());
        format!("| `{name}` | float64 | {unit} | {better} | {} |\n", cell(measure.about))
    };
    let rows: String = MEASURES.iter().map(row).collect();
    format!(
        "\nThe measures, one column each; empty where a measure isn't defined, as the mean of nothing. *Better* says which way is \
         usually taken to be better.\n\n| column | type | unit | better | meaning |\n|---|---|---|---|---|\n{rows}"
    )
}

fn curves() -> String {
    let row = |kind: &CurveKind| format!("| `{}` | {} |\n", kind.name, cell(kind.about));
    let rows: String = CURVES.iter().map(row).collect();
    format!("\nThe curves:\n\n| `series` | `value` |\n|---|---|\n{rows}")
}

/// Text that stays within its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a sentence or more and in a unit that is explained; and no column is named twice.
    #[test]
    fn every_column_states_its_meaning() {
        let sweeps = [
            ResultHead::TABLE,
            SeriesPoint::TABLE,
            ContrastRow::TABLE,
            SensitivityRow::TABLE,
            OfCell::TABLE,
            Timing::TABLE,
        ];
        for table in tables::ALL.iter().map(|kind| kind.spec).chain(sweeps) {
            let mut names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{} names a column twice", table.file);
            for column in table.columns {
                assert!(
                    ColumnUnit::ALL.contains(&column.unit),
                    "{:?} is not among the units explained",
                    column.unit
                );
                let about = column.about;
                assert!(
                    about.ends_with('.') && about.len() > 4,
                    "{} of {}: {about}",
                    column.name,
                    table.file
                );
            }
        }
    }
}
