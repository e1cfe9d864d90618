//! A table of every kind of column, written, read back and asked for in part. It is a round-trip test of the
//! Parquet writer and reader.

use crate::io::error::{Error, Result};
use crate::io::table::{
    ColumnKind, ColumnUnit, FillRow as _, Named, RowReader, TableRow as _, selection, table,
};
use crate::run::run_folder::RunFolder;
use crate::run::run_folder::writer::TableWriter;
use morta_base::{GolemId, Usdc};

/// Anything that rows can be made of.
struct Thing {
    number: u64,
    named: bool,
}

table! {
    /// One thing; of no use
    /// but here.
    struct ThingRow in "things.parquet" at tick from thing: Thing;

    /// When.
    tick: u64, Tick = thing.number;
    /// Less than nothing.
    below: i64, Ticks = -(thing.number as i64);
    /// A small number.
    small: u8, Number = (thing.number % 200) as u8;
    /// Money.
    money: f64, Usdc = Usdc::from_dollars(thing.number as f64 / 4.0);
    /// A part of it.
    part: Option<f64>, Share = thing.named.then_some(0.5);
    /// Whether it has a name.
    named: bool, Flag = thing.named;
    /// Its name.
    #[stored(unique)]
    name: Option<String>, Id = thing.named.then(|| Named(GolemId::founder(thing.number as u32)));
    /// A word.
    word: String, Word = if thing.named { "known" } else { "nameless" };
    /// A second word of the same type.
    other: Option<String>, Word = thing.named.then(|| "else".to_owned());
}

selection! {
    struct WordOf of ThingRow {
        word: String,
        tick: u64,
    }
}

fn things() -> Vec<Thing> {
    (0..20_000).map(|number| Thing { number, named: number % 3 == 0 }).collect()
}

fn written(dir: &std::path::Path) -> std::path::PathBuf {
    let folder = RunFolder::create(dir).unwrap();
    let mut out = TableWriter::<ThingRow>::create(&folder).unwrap();
    things().iter().for_each(|thing| out.add(thing).unwrap());
    let file = out.finish().unwrap();
    assert_eq!(file.rows, 20_000);
    folder.put_in_place(&file.name).unwrap();
    dir.join(file.name)
}

#[test]
fn declared_columns_are_written_and_read_back() {
    let root = tempfile::tempdir().unwrap();
    let path = written(&root.path().join("things"));
    let rows = RowReader::<ThingRow>::open(&path).unwrap().all().unwrap();
    assert!(rows.iter().eq(things().iter().map(ThingRow::from_source).collect::<Vec<_>>().iter()));
    let kept = RowReader::<ThingRow>::open(&path).unwrap().keep(|row| row.tick > 19_997).unwrap();
    assert_eq!(kept.iter().map(|row| row.below).collect::<Vec<_>>(), [-19_998, -19_999]);
}

#[test]
fn a_selection_reads_its_columns_in_its_own_order() {
    let root = tempfile::tempdir().unwrap();
    let path = written(&root.path().join("things"));
    let first: Vec<WordOf> =
        RowReader::<WordOf>::open(&path).unwrap().take(2).collect::<Result<_>>().unwrap();
    assert_eq!(first[0], WordOf { word: "known".to_owned(), tick: 0 });
    assert_eq!(first[1], WordOf { word: "nameless".to_owned(), tick: 1 });
    let both: Vec<(WordOf, ThingRow)> = RowReader::open(&path).unwrap().all().unwrap();
    assert!(both.iter().all(|(part, whole)| part.word == whole.word && part.tick == whole.tick));
}

#[test]
fn a_declaration_describes_its_column() {
    let spec = ThingRow::TABLE;
    assert_eq!((spec.file, spec.tick), ("things.parquet", Some("tick")));
    assert_eq!(spec.about, "One thing; of no use but here.");
    let name = const { ThingRow::TABLE.column("name") };
    assert_eq!(
        (name.kind, name.nullable, name.unit, name.unique),
        (ColumnKind::Text, true, ColumnUnit::Id, true)
    );
    assert_eq!(spec.column("money").about, "Money.");
    assert!(!spec.column("word").nullable && !spec.column("word").unique);
}

/// A column that a build doesn't know, or knows to be something else, is named.
#[test]
fn tables_of_another_build_are_refused() {
    table! {
        /// As before, with a column more.
        struct Later in "things.parquet" from thing: Thing;

        /// When.
        tick: u64, Tick = thing.number;
        /// What came later.
        colour: String, Word = "grey";
    }
    table! {
        /// As before, with another type.
        struct Other in "things.parquet" from thing: Thing;

        /// When, roughly.
        tick: f64, Ratio = thing.number as f64;
    }
    let root = tempfile::tempdir().unwrap();
    let path = written(&root.path().join("things"));
    let refused = |error: Option<Error>, part: &str| {
        let error = error.expect("it is refused").to_string();
        assert!(error.contains(part) && error.ends_with("use the build that wrote it"), "{error}");
    };
    refused(RowReader::<Later>::open(&path).err(), "there is no column `colour`");
    refused(RowReader::<Other>::open(&path).err(), "column `tick` is not of float64");
}

#[test]
fn a_cell_that_does_not_fit_is_an_error_and_the_last_one() {
    table! {
        /// As before, with smaller numbers.
        struct Small in "things.parquet" from thing: Thing;

        /// When.
        tick: u8, Number = (thing.number % 200) as u8;
    }
    table! {
        /// As before, and never empty.
        struct Whole in "things.parquet" from thing: Thing;

        /// A part of it.
        part: f64, Share = if thing.named { 0.5 } else { 0.0 };
    }
    let root = tempfile::tempdir().unwrap();
    let path = written(&root.path().join("things"));
    let mut rows = RowReader::<Small>::open(&path).unwrap();
    assert_eq!(rows.by_ref().take_while(Result::is_ok).count(), 256);
    assert!(rows.next().is_none());
    let error = RowReader::<Small>::open(&path).unwrap().all().unwrap_err().in_full();
    assert!(error.contains("things.parquet is damaged: tick has a number that can't be one"), "{error}");
    let error = RowReader::<Whole>::open(&path).unwrap().all().unwrap_err().in_full();
    assert!(error.contains("part is empty"), "{error}");
}

/// Names, units and meanings that a reader can use; a file names a column once.
#[test]
fn every_unit_has_a_name_of_its_own() {
    let mut names: Vec<&str> = ColumnUnit::ALL.iter().map(|unit| unit.name()).collect();
    assert!(ColumnUnit::ALL.iter().enumerate().all(|(place, unit)| *unit as usize == place));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ColumnUnit::ALL.len());
}
