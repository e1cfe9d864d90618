//! The pages of one column chunk in one row group of Parquet, by their page headers: their compressed and uncompressed sizes, bytes. They
//! are walked through before anything is decoded, because the reader allocates whatever a header claims. The result is what decoding one
//! page of the column needs at once; the caller adds it up over the wanted columns and refuses more than the limit `page-bytes` (256 MiB by
//! default).

use super::compact::{I32, Reader, STRUCT};
use parquet::basic::{Compression, Encoding, Type};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

/// Longest header, bytes: it may hold the least and the greatest text of its page.
const HEADER_BYTES_MAX: u64 = 1 << 20;
/// Most of them are far shorter, bytes.
const HEADER_BYTES: u64 = 1 << 12;
const DICTIONARY: i64 = 2;

/// What the pages of a column need (uncompressed page size).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    /// The largest page and the dictionary together, decompressed, bytes.
    pub largest_bytes: u64,
    /// The longest text that a row can have by that, bytes; 0 for numbers. The caller sizes its batches by it.
    pub text_bytes: u64,
}

/// What is of use here of a page header: its kind, its sizes in bytes, its number of values.
#[derive(Default)]
struct Header {
    kind: i64,
    uncompressed: i64,
    compressed: i64,
    values: i64,
}

/// Walks through the pages (page header validation).
///
/// # Errors
/// What can't be, in words.
pub(super) fn check(
    file: &File,
    group: &RowGroupMetaData,
    column: &ColumnChunkMetaData,
) -> Result<Needs, String> {
    let bytes = file.metadata().map_err(|error| error.to_string())?.len();
    let (mut at, end) = extent(bytes, column)?;
    let is_flat = column.column_descr().max_rep_level() == 0;
    if column.num_values() < 0 || (is_flat && column.num_values() != group.num_rows()) {
        return Err(format!("{} values for {} rows", column.num_values(), group.num_rows()));
    }
    let (mut values, mut dictionary, mut largest) = (0_i64, 0_u64, 0_u64);
    while at < end && values < column.num_values() {
        let (header, length) = header(file, at, end)?;
        let left = (end - at - length) as i64;
        let stored_as_is = column.compression() == Compression::UNCOMPRESSED;
        let sizes_can_be = (0..=left).contains(&header.compressed)
            && header.uncompressed >= 0
            && (!stored_as_is || header.uncompressed == header.compressed);
        if !sizes_can_be {
            let Header { compressed, uncompressed, .. } = header;
            return Err(format!(
                "a page of {compressed} bytes ({uncompressed} decompressed) where {left} are left"
            ));
        }
        let size = header.uncompressed as u64;
        if header.kind == DICTIONARY {
            // The reader makes room for each of them before it looks whether they are there.
            if header.values < 0 || header.values > header.uncompressed {
                return Err(format!("a dictionary of {} values in {size} bytes", header.values));
            }
            dictionary = dictionary.max(size);
        } else {
            values = values.checked_add(header.values).filter(|_| header.values >= 0).unwrap_or(i64::MAX);
            largest = largest.max(size);
        }
        at += length + header.compressed as u64;
    }
    if values != column.num_values() {
        return Err(format!("{values} values, and the footer tells of {}", column.num_values()));
    }
    let is_text = matches!(column.column_type(), Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY);
    // Of the one page a text may be repeated for each row, of the other its beginning.
    let repeats = column.encodings().any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY);
    let text = if repeats { dictionary.max(largest) } else { dictionary };
    Ok(Needs { largest_bytes: dictionary + largest, text_bytes: if is_text { text } else { 0 } })
}

/// Where a column begins, and where it ends (byte range of a column chunk).
///
/// # Errors
/// When that is not within a file of so many bytes, in words.
pub(super) fn extent(bytes: u64, column: &ColumnChunkMetaData) -> Result<(u64, u64), String> {
    let first = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let place = |offset: i64| u64::try_from(offset).ok().filter(|offset| *offset <= bytes);
    let begin = place(first.min(column.data_page_offset()));
    let end =
        begin.zip(place(column.compressed_size())).and_then(|(begin, size)| place((begin + size) as i64));
    // The reader begins at the dictionary, if there is one.
    match (begin, end) {
        (Some(begin), Some(end)) if first <= column.data_page_offset() => Ok((begin, end)),
        _ => Err(format!("{} bytes from {first} on, in a file of {bytes}", column.compressed_size())),
    }
}

/// The header at a place, and its length.
fn header(file: &File, at: u64, end: u64) -> Result<(Header, u64), String> {
    let mut file = file;
    for most in [HEADER_BYTES, HEADER_BYTES_MAX] {
        let mut bytes = Vec::new();
        let most = most.min(end - at);
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.take(most).read_to_end(&mut bytes));
        read.map_err(|error| error.to_string())?;
        let mut reader = Reader::new(&bytes);
        if let Some(header) = read_header(&mut reader) {
            return Ok((header, (bytes.len() - reader.left()) as u64));
        }
    }
    Err(format!("there is no page at byte {at}"))
}

/// <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift>, `PageHeader`.
fn read_header(reader: &mut Reader<'_>) -> Option<Header> {
    let mut header = Header { kind: -1, uncompressed: -1, compressed: -1, values: 0 };
    reader.fields(|reader, number, kind| {
        match (number, kind) {
            (1, I32) => header.kind = reader.whole()?,
            (2, I32) => header.uncompressed = reader.whole()?,
            (3, I32) => header.compressed = reader.whole()?,
            // Of data, of a dictionary, and of data in their second version.
            (5 | 7 | 8, STRUCT) => reader.fields(|reader, number, kind| {
                if (number, kind) == (1, I32) {
                    header.values = reader.whole()?;
                    return Some(());
                }
                reader.skip(kind)
            })?,
            (_, kind) => reader.skip(kind)?,
        }
        Some(())
    })?;
    (0..=3).contains(&header.kind).then_some(header)
}
