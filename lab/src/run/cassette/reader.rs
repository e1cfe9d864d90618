//! Lines of cassettes and journals (JSON Lines), parsed and validated one by one: a cassette may come from anybody, and a reply under a
//! wrong key would answer another prompt. The key of each line is hashed anew, and the first wrong line refuses the whole file; only a last
//! line that was cut off is left out of a journal. Lines are bounded at 16 MiB and cassettes at 8 GiB after decompression; a journal has no
//! bound as a whole. Also the allow list of keys for pruning a cassette.

use super::{Cassette, CassetteEntry};
use crate::io::error::{Context as _, Error, Result};
use crate::io::text::json_line;
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use morta_engine::llm::outside::CallKey;

/// The version of the format that this build writes, and the only one there is.
const VERSION: u32 = 1;
/// The longest line that is read, bytes: a hundred times the longest call of the shipped scenarios, and little enough for any machine.
const LONGEST_LINE: u64 = 16 << 20;
/// Largest cassette after decompression, bytes: a few kilobytes of gzip can hold terabytes of nothing.
const LARGEST_CASSETTE: u64 = 8 << 30;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    morta_cassette: u32,
}

/// The first line, with its end.
///
/// # Panics
/// Never: it is plain data.
pub(super) fn header() -> Vec<u8> {
    json_line(&Header { morta_cassette: VERSION })
}

/// Whether a file of this name is compressed (gzip, by its extension).
pub(super) fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Parses a whole cassette, decompressed where it is gzip; the first wrong line refuses it.
pub(super) fn read(path: &Path) -> Result<Cassette> {
    let file = File::open(path).map_err(|error| {
        let remedy = "name one that there is, or record one with `--llm record`";
        Error::at(path, format!("the cassette can't be read ({error}): {remedy}"))
    })?;
    let source = CassetteSource { path, most: LARGEST_CASSETTE };
    let cassette = if is_compressed(path) {
        source.lines(BufReader::new(MultiGzDecoder::new(file)), CutEnd::IsRead)
    } else {
        source.lines(BufReader::new(file), CutEnd::IsRead)
    };
    Ok(cassette?.cassette)
}

/// Reads a journal: as far as it is whole, and how many bytes that is (a torn last line is left out).
pub(super) fn read_journal(path: &Path, file: &File) -> Result<(Cassette, u64)> {
    let source = CassetteSource { path, most: u64::MAX };
    let read = source.lines(BufReader::new(file), CutEnd::IsLeftOut)?;
    Ok((read.cassette, read.whole_bytes))
}

/// Reads the keys that a file lists, one a line; empty lines and those that begin with `#` say nothing (allow list).
///
/// # Errors
/// [`Error::Invalid`] when it can't be read, or a line is no key.
pub fn keys_in(path: &Path) -> Result<BTreeSet<CallKey>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::at(path, format!("keys can't be read: {error}")))?;
    let lines = text.lines().map(str::trim).enumerate();
    let keys = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(n, line)| {
        let is_key = line.len() == 64 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_key.then(|| CallKey(line.to_ascii_lowercase())).ok_or_else(|| {
            let place = format!("{}, line {}", path.display(), n + 1);
            Error::invalid(format!("{place}: `{}` is no key: write 64 hexadecimal digits", shortened(line)))
        })
    });
    keys.collect()
}

/// The treatment of a last line without an end: a journal's process may have died in it, a cassette is written whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CutEnd {
    IsRead,
    IsLeftOut,
}

/// The calls that were read, and the bytes of the lines that are whole (parse result).
struct WhatWasRead {
    cassette: Cassette,
    whole_bytes: u64,
}

/// The file whose lines are read; errors name it.
struct CassetteSource<'a> {
    path: &'a Path,
    most: u64,
}

impl CassetteSource<'_> {
    fn wrong(&self, line: usize, problem: impl AsRef<str>, remedy: &str) -> Error {
        Error::invalid(format!("{}, line {line}: {}: {remedy}", self.path.display(), problem.as_ref()))
    }

    fn lines(&self, mut from: impl BufRead, cut: CutEnd) -> Result<WhatWasRead> {
        let (mut cassette, mut whole_bytes, mut number) = (Cassette::default(), 0, 0);
        let mut line = Vec::new();
        loop {
            line.clear();
            number += 1;
            let read = (&mut from).take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
            let read =
                read.with_context(|| format!("{}, line {number}: can't be read", self.path.display()))?;
            if read as u64 > LONGEST_LINE {
                let problem = format!("longer than {} MB", LONGEST_LINE >> 20);
                return Err(self.wrong(number, problem, "it is no cassette, or damaged"));
            }
            if read == 0 && (number > 1 || cut == CutEnd::IsLeftOut) {
                return Ok(WhatWasRead { cassette, whole_bytes });
            }
            if !line.ends_with(b"\n") && cut == CutEnd::IsLeftOut {
                return Ok(WhatWasRead { cassette, whole_bytes });
            }
            whole_bytes += read as u64;
            if whole_bytes > self.most {
                let problem = format!("more than {} GB", self.most >> 30);
                return Err(self.wrong(
                    number,
                    problem,
                    "it is no cassette; split one that is with `morta cassette prune`",
                ));
            }
            if number == 1 {
                self.check_header(&line)?;
            } else {
                let entry = self.entry(number, &line)?;
                cassette
                    .insert(entry)
                    .map_err(|problem| self.wrong(number, problem, "keep the line that is right"))?;
            }
        }
    }

    fn check_header(&self, line: &[u8]) -> Result<()> {
        let remedy = format!("a cassette begins with {}", String::from_utf8_lossy(&header()).trim_end());
        let header: Header = serde_json::from_slice(line)
            .map_err(|_| self.wrong(1, format!("`{}` is no header", shortened_bytes(line)), &remedy))?;
        if header.morta_cassette == VERSION {
            return Ok(());
        }
        let problem =
            format!("a cassette of version {}, and this build reads {VERSION}", header.morta_cassette);
        Err(self.wrong(1, problem, "use the build that wrote it, or record it anew"))
    }

    fn entry(&self, number: usize, line: &[u8]) -> Result<CassetteEntry> {
        let entry: CassetteEntry = serde_json::from_slice(line).map_err(|error| {
            let cut = if line.ends_with(b"\n") { "" } else { ", and its end is missing" };
            self.wrong(
                number,
                format!("no call of a cassette ({error}{cut})"),
                "take the line out, or record it anew",
            )
        })?;
        let hash = entry.request.key();
        if hash == entry.key {
            return Ok(entry);
        }
        let problem =
            format!("key {} isn't the hash of its request, which is {hash}", shortened(&entry.key.0));
        Err(self.wrong(number, problem, "requests aren't edited by hand; record it anew"))
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

fn shortened_bytes(line: &[u8]) -> String {
    shortened(String::from_utf8_lossy(&line[..line.len().min(320)]).trim_end())
}
