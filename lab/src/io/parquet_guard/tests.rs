//! Every bit of a small file is flipped (bit-flip fuzzing), and files claim what can't be.

use super::*;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use std::io::Write as _;
use std::time::Instant;

const FIELDS: &str =
    "required int64 whole; optional double real; required binary text (utf8); required boolean flag;";

/// Six rows, in groups of four and two.
fn written(compression: Compression, version: WriterVersion) -> Vec<u8> {
    let properties =
        WriterProperties::builder().set_compression(compression).set_writer_version(version).build();
    let group = |rows: std::ops::Range<i64>| {
        let rows: Vec<i64> = rows.collect();
        let texts: Vec<&str> = rows.iter().map(|row| ["label 0", "label 1"][(row % 2) as usize]).collect();
        vec![
            ColumnCells::Int(rows.iter().copied().map(Some).collect()),
            ColumnCells::Float(rows.iter().map(|row| (row % 3 > 0).then_some(*row as f64)).collect()),
            test_file::texts(&texts),
            ColumnCells::Bool(rows.iter().map(|row| Some(row % 2 == 0)).collect()),
        ]
    };
    test_file::written(FIELDS, [group(0..4), group(4..6)], properties)
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn read(bytes: &[u8]) -> Result<usize, Unsound> {
    let sound = Sound::open(file(bytes), Limit::PageBytes.usual())?;
    // Every column that is of a kind that anything reads, as the readers do.
    let is_read = |place: &usize| sound.columns[*place].is_read();
    let places: Vec<usize> = (0..sound.columns.len()).filter(is_read).collect();
    let batches = sound.read(&places, None)?;
    batches.map(|batch| batch.map(|batch| batch.rows)).sum()
}

/// Whatever comes out, it comes out at once, and as an error if not as rows.
#[test]
fn no_flipped_bit_panics_or_takes_long() {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    // Every bit of the form that most files have, and every fifth of others.
    for (compression, version, step) in [
        (Compression::SNAPPY, WriterVersion::PARQUET_1_0, 1),
        (Compression::UNCOMPRESSED, WriterVersion::PARQUET_1_0, 5),
        (zstd, WriterVersion::PARQUET_2_0, 5),
    ] {
        let whole = written(compression, version);
        assert_eq!(read(&whole), Ok(6), "{compression:?}");
        let mut refused = 0;
        for bit in (0..8 * whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let begun = Instant::now();
            let found = read(&bytes);
            refused += usize::from(found.is_err());
            assert!(found.as_ref().map_or(true, |rows| *rows <= 6), "bit {bit}, {compression:?}: {found:?}");
            assert!(begun.elapsed().as_secs() < 5, "bit {bit}, {compression:?}");
        }
        assert!(refused > 100, "of {} bits {refused} were told of", 8 * whole.len());
    }
}

#[test]
fn files_cut_short_are_refused() {
    let whole = written(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    for length in 0..whole.len() {
        assert!(matches!(read(&whole[..length]), Err(Unsound::Footer(_))), "cut to {length}");
    }
}

/// A page that claims two gigabytes is refused by its header: nothing was allocated for it, or the test would need them.
#[test]
fn pages_that_claim_too_much_are_refused_by_name() {
    let whole = written(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let metadata = Sound::open(file(&whole), Limit::PageBytes.usual()).unwrap().reader.metadata().clone();
    let column = metadata.row_group(0).column(2);
    let at = column.dictionary_page_offset().unwrap() as usize;
    // Kind, then the size when decompressed: one byte of a small number becomes the five of 2³¹ − 1, and what follows is later.
    assert_eq!((whole[at], whole[at + 2]), (0x15, 0x15));
    let mut bytes = whole.clone();
    bytes.splice(at + 3..at + 4, [0xfe, 0xff, 0xff, 0xff, 0x0f]);
    let message = read(&bytes).unwrap_err().to_string();
    assert!(message.starts_with("column ") && message.contains("row group 1"), "{message}");
}

#[test]
fn a_file_that_was_cut_off_is_to_be_written_again() {
    let whole = written(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let message = read(&whole[..whole.len() - 20]).unwrap_err();
    assert_eq!(message.remedy(), "it was cut off or overwritten: write it again", "{message}");
}

#[test]
fn where_a_column_cant_be_decoded_it_is_named() {
    let whole = written(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let metadata = Sound::open(file(&whole), Limit::PageBytes.usual()).unwrap().reader.metadata().clone();
    let column = metadata.row_group(1).column(0);
    let mut bytes = whole.clone();
    let begin = column.dictionary_page_offset().unwrap_or(column.data_page_offset()) as usize;
    let last = begin + column.compressed_size() as usize;
    bytes[last - 3..last].fill(0xff);
    let message = read(&bytes).unwrap_err().to_string();
    assert!(message.contains("whole") && message.contains("row group 2"), "{message}");
}
