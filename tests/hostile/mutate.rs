//! Changes to files: what bit rot, cut copies, careless editors and ill will do to them.

use super::luck::Luck;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read as _, Write as _};

/// What a file is made of, which decides what is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Text,
    Binary,
    /// Gzip around text: mutated inside and out.
    PackedText,
}

/// What numbers become.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1e308",
    "-1e308",
    "1e309",
    // Finite, and two of them or a square are not.
    "1.7976931348623157e308",
    "-1.7976931348623157e308",
    "1e155",
    "1e-200",
    // No double is this.
    "9007199254740993",
    // A time in seconds, milliseconds, microseconds and nanoseconds.
    "1767225600",
    "1767225600000",
    "1767225600000000",
    "1767225600000000000",
    "5e-324",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "4294967296",
    "65536",
    "0.1",
    "1e91",
    "99999999999999999999999999",
    "0x10",
    "1_000",
    "null",
    "true",
    "1e",
    ".",
    "-",
    "",
];

/// What words become, or get beside them.
const WORDS: &[&str] = &[
    "",
    "\"",
    "\\",
    "\"\"",
    "'",
    "\u{0}",
    "\\u0000",
    "\u{feff}",
    "\u{202e}",
    "\u{1b}[31m",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "💀",
    "\u{d7ff}",
    "ß",
    "İ",
    "\\ud800",
    "../..",
    "/dev/null",
    "/",
    ".",
    "%s",
    "{}",
    "[]",
    "{",
    "}",
    "[",
    "]",
    ",",
    ",,",
    ":",
    "=",
    "#",
    "//",
    "null",
    "nan",
    "2020-13-40",
    "2026-02-30T25:61:61Z",
    "-262144-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "L0.G0",
    // One key by two names, on lines of their own and in one.
    "\ncohorts.0.golems = 3\ncohorts.a.golems = 4\n",
    "\ngolem.purse.tradingShare = 0.2\n",
    "cohorts.0.golems=2\ncohorts.a.golems=3\n",
    "dream = { replay = { batch_size = 3, batchSize = 4 } }",
];

/// Bytes that are no text.
const BYTES: &[&[u8]] =
    &[&[0xff], &[0xfe, 0xff], &[0xc3], &[0xed, 0xa0, 0x80], &[0], &[0x80; 9], &[0xff; 10], &[0x1f, 0x8b]];

/// Times that something is repeated: past the width of a byte, of two bytes, and of what parsers nest.
const TIMES: [usize; 5] = [2, 20, 300, 5_000, 70_000];

/// Longest file that mutation makes of a shorter one, bytes: enough for limits of width, little enough for a million cases.
const BYTES_MAX: usize = 1 << 20;

/// One to four changes; `others` is where splices come from.
pub fn mutate(shape: Shape, sound: &[u8], others: &[&[u8]], luck: &mut Luck) -> Vec<u8> {
    if shape == Shape::PackedText && !luck.one_in(4) {
        let mut text = Vec::new();
        MultiGzDecoder::new(sound).read_to_end(&mut text).expect("the sound file is sound");
        return packed(&mutate(Shape::Text, &text, &[], luck));
    }
    let mut bytes = sound.to_vec();
    for _ in 0..[1, 1, 1, 2, 4][luck.below(5)] {
        if shape == Shape::Text && !luck.one_in(3) {
            change_text(&mut bytes, luck);
        } else {
            change_bytes(&mut bytes, others, luck);
        }
        bytes.truncate(sound.len() + BYTES_MAX);
    }
    bytes
}

/// As gzip.
pub fn packed(text: &[u8]) -> Vec<u8> {
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(text).expect("memory takes it");
    gz.finish().expect("memory takes it")
}

fn change_bytes(bytes: &mut Vec<u8>, others: &[&[u8]], luck: &mut Luck) {
    let length = bytes.len();
    let at = luck.below(length);
    let span = |luck: &mut Luck| at..(at + 1 + luck.below(16)).min(length);
    match luck.below(9) {
        _ if length == 0 => bytes.extend_from_slice(luck.pick(BYTES)),
        0 | 1 => bytes[at] ^= 1 << luck.below(8),
        2 => bytes[at] = luck.next() as u8,
        3 => drop(bytes.splice(at..at, luck.pick(BYTES).iter().copied())),
        4 => drop(bytes.drain(span(luck))),
        5 => {
            let part = bytes[span(luck)].to_vec();
            drop(bytes.splice(at..at, part));
        }
        6 => bytes.truncate(at),
        7 => {
            // A part of itself, or of another file, in place of the rest.
            let own = bytes.clone();
            let other = others.get(luck.below(others.len())).copied().unwrap_or(&own);
            let from = luck.below(other.len());
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from.min(other.len())..]);
        }
        _ => bytes[span(luck)].fill([0, 0xff][luck.below(2)]),
    }
}

fn change_text(bytes: &mut Vec<u8>, luck: &mut Luck) {
    let Some(token) = token(bytes, luck) else {
        bytes.extend_from_slice(luck.pick(WORDS).as_bytes());
        return;
    };
    let is_number =
        bytes[token.clone()].iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e'));
    match luck.below(8) {
        0..=2 if is_number => drop(bytes.splice(token, luck.pick(NUMBERS).bytes())),
        0 | 1 => drop(bytes.splice(token, luck.pick(WORDS).bytes())),
        2 => drop(bytes.splice(token.end..token.end, luck.pick(WORDS).bytes())),
        3 => swap_tokens(bytes, token, luck),
        4 => repeat(bytes, token, luck),
        5 => nest(bytes, token, luck),
        6 => change_lines(bytes, token.start, luck),
        _ => drop(bytes.splice(token, luck.pick(NUMBERS).bytes())),
    }
}

type Span = std::ops::Range<usize>;

/// A number or a word, at random.
fn token(bytes: &[u8], luck: &mut Luck) -> Option<Span> {
    let is_of_token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_');
    let at = luck.below(bytes.len());
    let start = at + bytes.get(at..)?.iter().position(is_of_token)?;
    let start = bytes[..start].iter().rposition(|byte| !is_of_token(byte)).map_or(0, |before| before + 1);
    let length = bytes[start..].iter().position(|byte| !is_of_token(byte)).unwrap_or(bytes.len() - start);
    Some(start..start + length)
}

fn swap_tokens(bytes: &mut Vec<u8>, token: Span, luck: &mut Luck) {
    if let Some(other) = self::token(bytes, luck) {
        let word = bytes[other].to_vec();
        drop(bytes.splice(token, word));
    }
}

/// A token, or what is around it, many times over.
fn repeat(bytes: &mut Vec<u8>, token: Span, luck: &mut Luck) {
    let end = (token.end + luck.below(24)).min(bytes.len());
    let part = &bytes[token.start..end];
    let times = TIMES[luck.below(TIMES.len())].min(BYTES_MAX / part.len().max(1));
    let many = part.repeat(times);
    drop(bytes.splice(end..end, many));
}

/// Brackets, deeper than any parser should follow.
fn nest(bytes: &mut Vec<u8>, token: Span, luck: &mut Luck) {
    let (open, close) =
        [("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("a.", ""), ("{ a = ", "}")][luck.below(5)];
    let times = TIMES[luck.below(TIMES.len())];
    let inside = bytes[token.clone()].to_vec();
    let around = [open.repeat(times).into_bytes(), inside, close.repeat(times).into_bytes()].concat();
    drop(bytes.splice(token, around));
}

/// A line taken out, twice there, moved, or without its end.
fn change_lines(bytes: &mut Vec<u8>, at: usize, luck: &mut Luck) {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    let end =
        bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length + 1);
    let line = bytes[start..end].to_vec();
    match luck.below(4) {
        0 => drop(bytes.drain(start..end)),
        1 => drop(bytes.splice(end..end, line)),
        2 => {
            drop(bytes.drain(start..end));
            bytes.splice(0..0, line);
        }
        _ if end > start => drop(bytes.drain(end - 1..end)),
        _ => {}
    }
}
