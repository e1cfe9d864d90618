//! Bars and tables of anybody: CSV, gzip, Parquet.

use super::columns::{Cells, packed as columns_packed};
use super::kind::Kind;
use super::mutate::{Shape, packed};
use super::texts::bars;
use morta_lab::Error;
use morta_lab::bars::{self, Days};
use morta_lab::limits::Limits;
use morta_lab::statistics::{ArmsCompared, ArmsOptions, PairedColumns, SurvivalAnalysis, SurvivalOptions};
use morta_stats::survival::cox::Ties;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::path::Path;

/// A table of six worlds and two arms as Parquet.
fn parquet(columns: &[(&str, Cells)], compression: Compression) -> Vec<u8> {
    columns_packed(columns, WriterProperties::builder().set_compression(compression).build())
}

fn bars_as_parquet(compression: Compression) -> Vec<u8> {
    let text = bars();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut columns = vec![("time_utc", Cells::texts(rows.iter().map(|row| row[0])))];
    for (place, name) in ["open", "high", "low", "close", "volume"].into_iter().enumerate() {
        columns.push((name, Cells::floats(rows.iter().map(|row| row[place + 1].parse().unwrap()))));
    }
    parquet(&columns, compression)
}

const WORLDS: usize = 8;

fn table() -> String {
    let row = |n: usize| {
        format!(
            "{},{},{},{},{}\n",
            n / 2,
            ["a", "b"][n % 2],
            3 + n * 5 % 7,
            !n.is_multiple_of(3),
            (n as f64).sin()
        )
    };
    format!("world,arm,time,dead,score\n{}", (0..2 * WORLDS).map(row).collect::<String>())
}

fn table_as_parquet(compression: Compression) -> Vec<u8> {
    let rows = 0..2 * WORLDS;
    let columns = [
        ("world", Cells::texts(rows.clone().map(|n| (n / 2).to_string()))),
        ("arm", Cells::texts(rows.clone().map(|n| ["a", "b"][n % 2]))),
        ("time", Cells::floats(rows.clone().map(|n| (3 + n * 5 % 7) as f64))),
        ("dead", Cells::Flag(rows.clone().map(|n| n % 3 != 0).collect())),
        ("score", Cells::floats(rows.map(|n| (n as f64).sin()))),
    ];
    parquet(&columns, compression)
}

fn read_bars(path: &Path) -> Result<(), Error> {
    bars::read(path, Days::default(), &Limits::default())
        .map(drop)
        .map_err(|error| Error::invalid(error.to_string()))
}

fn survival(file: &Path) -> Result<(), Error> {
    let asked = SurvivalOptions {
        file: file.to_owned(),
        duration: "time".to_owned(),
        event: "dead".to_owned(),
        entry: None,
        weight: Some("time".to_owned()),
        group: Some("arm".to_owned()),
        baseline: None,
        covariates: vec!["score".to_owned()],
        cluster: Some("world".to_owned()),
        ties: Ties::Efron,
        horizon: None,
        level: 0.95,
        only: Vec::new(),
    };
    SurvivalAnalysis::from_table(&asked, &Limits::default()).map(drop)
}

fn compare(file: &Path) -> Result<(), Error> {
    let columns = PairedColumns {
        file: file.to_owned(),
        score: "score".to_owned(),
        arm: "arm".to_owned(),
        pair: "world".to_owned(),
        baseline: None,
        only: Vec::new(),
    };
    let asked = ArmsOptions {
        seed: 1,
        resamples: 50,
        target: Some(0.5),
        half_width: Some(0.1),
        level: 0.95,
        matters: Some(0.2),
        better: None,
    };
    ArmsCompared::from_columns(&columns, &asked, &Limits::default()).map(drop)
}

/// What a table may be asked; a file must be refused by both or be good for one.
fn statistics(file: &Path) -> Result<(), Error> {
    let (survived, compared) = (survival(file), compare(file));
    survived.or(compared)
}

pub fn kinds() -> Vec<Kind> {
    let (plain, snappy) = (Compression::UNCOMPRESSED, Compression::SNAPPY);
    let (gz, snappy_table) = (packed(bars().as_bytes()), table_as_parquet(snappy));
    vec![
        Kind::of_file("bars-csv", "bars.csv", Shape::Text, bars(), read_bars),
        Kind::of_file("bars-gz", "bars.csv.gz", Shape::PackedText, gz, read_bars),
        Kind::new("bars-parquet", |room| read_bars(&room.join("bars.parquet")))
            .sound("other", bars_as_parquet(snappy))
            .hostile("bars.parquet", Shape::Binary, bars_as_parquet(plain)),
        Kind::of_file("stats-csv", "table.csv", Shape::Text, table(), statistics),
        Kind::new("stats-parquet", |room| statistics(&room.join("table.parquet")))
            .sound("other", snappy_table.clone())
            .hostile("table.parquet", Shape::Binary, table_as_parquet(plain)),
        Kind::of_file("stats-parquet-snappy", "table.parquet", Shape::Binary, snappy_table, statistics),
    ]
}
