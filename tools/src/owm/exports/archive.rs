//! Files in a zip: one packed by freqtrade or an exchange, or the sheets of an Excel workbook, which is a zip of tables. It is zip extraction with a
//! limit against a zip bomb, in bytes. Several tables of trades are refused, because a guess would take the wrong one; of a workbook all
//! sheets are handed on.

use super::encoding;
use super::grid::NumberedRow;
use super::workbook;
use crate::limits;
use morta_lab::limits::Limit;
use std::io::{Cursor, Read as _};
use zip::ZipArchive;
use zip::result::ZipError;

/// The content of a zip: one packed file, or the sheets of a workbook.
pub(super) enum Packed {
    /// A file with its name.
    File(String, Vec<u8>),
    /// The rows of each sheet of a workbook.
    Workbook(Vec<Vec<NumberedRow>>),
}

/// Why the content of a zip archive can't be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    /// It isn't a zip, or is damaged.
    #[error("can't be read as a zip archive or a workbook: {0}")]
    Zip(#[from] ZipError),
    /// A file in it can't be unpacked.
    #[error("can't be read as a zip archive or a workbook: {0}")]
    Io(#[from] std::io::Error),
    /// A sheet of a workbook is no XML.
    #[error("can't be read as a zip archive or a workbook: {0}")]
    Sheet(#[from] quick_xml::Error),
    /// It unpacks to more than the limit of a log, in bytes.
    #[error("unpacks to more than {0} bytes")]
    TooLarge(u64),
    /// It has no file of trades.
    #[error("is a zip archive without a table: unpack it, and import its file")]
    NoTable,
    /// It has several, of which these are two. Which of them holds the trades isn't guessed, because a wrong one would fill the store with
    /// other rows.
    #[error("is a zip archive of several tables ({0}, {1}): unpack it, and import each")]
    Several(String, String),
}

/// Whether the bytes begin like a zip (magic bytes).
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Unpacks a zip (zip extraction).
///
/// # Errors
/// When it can't be read, unpacks to more than a log's limit, or holds no file of trades or several.
pub(super) fn opened(bytes: &[u8]) -> Result<Packed, ArchiveError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    bounded(&mut archive)?;
    let names: Vec<String> = (0..archive.len())
        .filter_map(|place| Some(archive.by_index(place).ok()?.name().ok()?.into_owned()))
        .collect();
    // The marker of a workbook, tested before tables are searched: its parts are XML and would not be found as tables.
    if names.iter().any(|name| name == "xl/workbook.xml") {
        return workbook(&mut archive, &names).map(Packed::Workbook);
    }
    // freqtrade packs its settings beside the trades; they aren't a second file of trades.
    let is_beside = |name: &str| ["_config.json", ".meta.json"].iter().any(|end| name.ends_with(end));
    let is_table = |name: &str| {
        ["csv", "tsv", "txt", "json", "jsonl", "htm", "html"]
            .iter()
            .any(|end| name.rsplit_once('.').is_some_and(|(_, suffix)| suffix.eq_ignore_ascii_case(end)))
    };
    let mut tables: Vec<String> =
        names.into_iter().filter(|name| is_table(name) && !is_beside(name)).collect();
    let name = tables.pop().ok_or(ArchiveError::NoTable)?;
    if let Some(other) = tables.pop() {
        return Err(ArchiveError::Several(name, other));
    }
    let mut content = Vec::new();
    archive.by_name(&name)?.read_to_end(&mut content)?;
    Ok(Packed::File(name, content))
}

/// Counts the unpacked bytes before they are kept. A few bytes can unpack to any size, and the size in a zip's header may be wrong, so neither can be
/// trusted.
fn bounded(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<(), ArchiveError> {
    let most = limits::now().most(Limit::LogBytes);
    let mut left = most;
    for place in 0..archive.len() {
        let entry = archive.by_index(place)?;
        // One byte more than is left is read, so that a zip of exactly the limit passes and a larger one doesn't.
        let unpacked = std::io::copy(&mut entry.take(left.saturating_add(1)), &mut std::io::sink())?;
        left = left.checked_sub(unpacked).ok_or(ArchiveError::TooLarge(most))?;
    }
    Ok(())
}

/// The sheets of a workbook in the order of their files. Charts lie in another folder and are skipped.
///
/// # Errors
/// When a part can't be read or isn't XML: one bad sheet refuses the workbook, because it may be the one with the trades.
fn workbook(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    names: &[String],
) -> Result<Vec<Vec<NumberedRow>>, ArchiveError> {
    let mut part = |name: &str| -> Result<String, ArchiveError> {
        let mut content = Vec::new();
        archive.by_name(name)?.read_to_end(&mut content)?;
        Ok(encoding::text(&content).0)
    };
    // A workbook without texts has no such part, so its absence isn't an error.
    let texts = match names.iter().find(|name| *name == "xl/sharedStrings.xml") {
        Some(name) => workbook::texts(&part(name)?)?,
        None => Vec::new(),
    };
    let mut sheets: Vec<&String> =
        names.iter().filter(|name| name.starts_with("xl/worksheets/") && name.ends_with(".xml")).collect();
    // Shorter names first, because by letters alone sheet10 would come before sheet2.
    sheets.sort_by_key(|name| (name.len(), name.as_str()));
    sheets.into_iter().map(|name| Ok(workbook::lines(&part(name)?, &texts)?)).collect()
}
