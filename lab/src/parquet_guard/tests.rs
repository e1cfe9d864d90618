//! Every bit of a small file, and files that claim what can't be.

use super::*;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

fn batch(rows: usize) -> RecordBatch {
    let whole: Vec<i64> = (0..rows as i64).collect();
    let real: Vec<Option<f64>> = (0..rows).map(|row| (row % 3 > 0).then_some(row as f64)).collect();
    let texts: Vec<String> = (0..rows).map(|row| format!("label {}", row % 2)).collect();
    let flags: Vec<bool> = (0..rows).map(|row| row % 2 == 0).collect();
    let columns = [
        ("whole", Arc::new(Int64Array::from(whole)) as ArrayRef),
        ("real", Arc::new(Float64Array::from(real)) as ArrayRef),
        ("text", Arc::new(StringArray::from(texts)) as ArrayRef),
        ("flag", Arc::new(BooleanArray::from(flags)) as ArrayRef),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn written(compression: Compression, version: WriterVersion) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_writer_version(version)
        .set_max_row_group_row_count(Some(4))
        .build();
    let batch = batch(6);
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn read(bytes: &[u8]) -> Result<usize, Unsound> {
    let batches = Sound::open(file(bytes))?.read(ProjectionMask::all())?;
    batches.map(|batch| batch.map(|batch| batch.num_rows())).sum()
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
fn what_is_cut_short_is_refused() {
    let whole = written(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    for length in 0..whole.len() {
        assert!(matches!(read(&whole[..length]), Err(Unsound::Footer(_))), "cut to {length}");
    }
}

/// A page that claims two gigabytes is refused by its header: nothing was allocated for it, or the test would need them.
#[test]
fn pages_that_claim_too_much_are_refused_by_name() {
    let whole = written(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let metadata = Sound::open(file(&whole)).unwrap().builder.metadata().clone();
    let column = metadata.row_group(0).column(2);
    let at = column.dictionary_page_offset().unwrap() as usize;
    // Kind, then the size when decompressed: one byte of a small number becomes the five of 2³¹ − 1, and what follows is later.
    assert_eq!((whole[at], whole[at + 2]), (0x15, 0x15));
    let mut bytes = whole.clone();
    bytes.splice(at + 3..at + 4, [0xfe, 0xff, 0xff, 0xff, 0x0f]);
    let told = read(&bytes).unwrap_err().to_string();
    assert!(told.starts_with("column ") && told.contains("row group 1"), "{told}");
}

#[test]
fn where_a_column_cant_be_decoded_it_is_named() {
    let whole = written(Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let metadata = Sound::open(file(&whole)).unwrap().builder.metadata().clone();
    let column = metadata.row_group(1).column(0);
    let mut bytes = whole.clone();
    let begin = column.dictionary_page_offset().unwrap_or(column.data_page_offset()) as usize;
    let last = begin + column.compressed_size() as usize;
    bytes[last - 3..last].fill(0xff);
    let told = read(&bytes).unwrap_err().to_string();
    assert!(told.contains("whole") && told.contains("row group 2"), "{told}");
}
