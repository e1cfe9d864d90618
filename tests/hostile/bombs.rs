//! Small files that would be large, and large files that hold nothing: refused in a line, whatever they claim, in half a gigabyte.
//!
//! Memory is bounded by a limit of the system where it is met, not by how much somebody happened to see; the time is bounded loosely, because
//! machines are shared. `HOSTILE_BOMBS` names a file to which figures are added.

use super::columns::{Cells, packed};
use super::common::{Text as _, compare, root, said, text};
use super::limits::limited;
use super::watch::most_memory;
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::basic::{Compression as Codec, Encoding, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// Longest that a refusal may take in a test, on any machine.
const TIME_MAX: Duration = Duration::from_secs(60);
/// Most data that a refusal may take, kB: half a gigabyte, and what allocators keep beside it.
const DATA_KB: u64 = 768 << 10;

/// The program with its data bounded.
fn bounded(arguments: &[&str]) -> (Output, Duration, u64) {
    let begun = Instant::now();
    let mut command = limited(&format!("-d {DATA_KB}"), arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut most_kb = 0;
    while child.try_wait().unwrap().is_none() {
        most_kb = most_kb.max(most_memory(child.id()) >> 10);
        std::thread::sleep(Duration::from_millis(1));
    }
    (child.wait_with_output().unwrap(), begun.elapsed(), most_kb)
}

fn refused(name: &str, arguments: &[&str], expected: &str) {
    let (output, took, most_kb) = bounded(arguments);
    let said = said(&output);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{name}: {said:.400}");
    assert!(said.contains(expected), "{name}: {said:.400}");
    assert!(took < TIME_MAX, "{name}: {took:?}");
    if let Some(path) = std::env::var_os("HOSTILE_BOMBS") {
        let line = format!(
            "{name:<40} {:>6.2} s {:>5} MB  {}\n",
            took.as_secs_f64(),
            most_kb >> 10,
            said.trim_end()
        );
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        file.unwrap().write_all(line.as_bytes()).unwrap();
    }
}

/// Gzip of a beginning and of something many times over.
fn gz(path: &Path, begins: &[u8], again: &[u8], bytes: u64) {
    let mut packed = GzEncoder::new(File::create(path).unwrap(), Compression::best());
    packed.write_all(begins).unwrap();
    let mut left = bytes;
    let block = again.repeat((1 << 20) / again.len());
    while left > 0 {
        packed.write_all(&block).unwrap();
        left = left.saturating_sub(block.len() as u64);
    }
    packed.finish().unwrap();
}

/// A scenario whose prices are in a file.
fn scenario(room: &Path, file: &str) -> PathBuf {
    let text = fs::read_to_string(root().join("scenarios/quickstart.toml")).unwrap();
    let path = room.join("bomb.toml");
    fs::write(&path, text.replace("../sim-data/xauusd_hour.csv.gz", file)).unwrap();
    path
}

const HEADING: &[u8] = b"time_utc,open,high,low,close\n";

fn prices(room: &Path, name: &str, file: &str, expected: &str) {
    refused(name, &["validate", text(&scenario(room, file))], expected);
}

#[test]
fn prices_that_never_end_are_refused() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    gz(&room.join("line.csv.gz"), HEADING, b"0", 1 << 29);
    prices(room, "512 MB in a line of 520 kB of gzip", "line.csv.gz", "line 2 is longer than 1048576 bytes");
    gz(&room.join("empty.csv.gz"), HEADING, b"\n", 1 << 28);
    prices(
        room,
        "268 million empty lines in gzip",
        "empty.csv.gz",
        "holds more than 5000000 rows, or empty lines",
    );
    gz(&room.join("quote.csv.gz"), &[HEADING, b"\""].concat(), b"\n", 1 << 28);
    prices(room, "a quote that never closes", "quote.csv.gz", "line 2 is longer");
    for (file, bytes, expected) in [
        ("sparse.csv", 1_500 << 20, "1572864000 bytes, and the most is 536870912"),
        ("small.csv", 400 << 20, "is longer than"),
    ] {
        File::create(room.join(file)).unwrap().set_len(bytes).unwrap();
        prices(room, &format!("a sparse file of {} MB", bytes >> 20), file, expected);
    }
}

/// Whoever means it is let through: the same file under a larger limit is refused for what it holds, not for what it is.
#[test]
fn limits_can_be_raised_and_lowered() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    let rows: String = (0..30)
        .map(|hour| format!("2020-01-{:02}T{:02}:00:00Z,1,2,1,2\n", 1 + hour / 24, hour % 24))
        .collect();
    fs::write(room.join("p.csv"), [HEADING, rows.as_bytes()].concat()).unwrap();
    let file = scenario(room, "p.csv");
    let validate = |limit: &str| {
        let output = bounded(&["validate", text(&file), "--at-most", limit]).0;
        (output.status.code(), said(&output))
    };
    let rows = "more than 20 rows: split the file, or allow more with --at-most bars-rows=N";
    validate("bars-rows=20").1.must_have(&[rows]);
    validate("line-bytes=8").1.must_have(&["line 1 is longer than 8 bytes"]);
    validate("bars-bytes=100").1.must_have(&["bytes, and the most is 100"]);
    let raised = validate("bars-rows=1k").1;
    assert!(!raised.contains("--at-most"), "{raised}");
    for wrong in ["rows=1", "bars-rows=0", "bars-rows"] {
        let (code, said) = validate(wrong);
        assert!(code == Some(2) && said.contains("--at-most"), "{said}");
    }
}

fn table_refused(name: &str, table: &Path, expected: &str) {
    refused(name, &compare(table), expected);
}

/// A label that every row has, of 20 kB.
fn labelled(rows: usize) -> [(&'static str, Cells); 3] {
    let label = "x".repeat(20_000).as_str().into();
    [
        ("arm", Cells::Text(vec![label; rows])),
        ("w", Cells::Int((0..rows as i64).collect())),
        ("x", Cells::floats(vec![1.0; rows])),
    ]
}

#[test]
fn tables_that_claim_gigabytes_are_refused() {
    let room = tempfile::tempdir().unwrap();
    let at = |name: &str| room.path().join(name);
    let write = |name: &str, columns: &[(&str, Cells)], properties: WriterProperties| {
        fs::write(at(name), packed(columns, properties)).unwrap();
    };
    write("labels.parquet", &labelled(200_000), WriterProperties::default());
    table_refused(
        "a label of 20 kB in 200,000 rows",
        &at("labels.parquet"),
        "text of 20000 bytes, and the most is 10000",
    );

    let many = ["arm", "w", "x"].map(|name| (name, Cells::Float(vec![None; 12_000_000])));
    let zstd = WriterProperties::builder().set_compression(Codec::ZSTD(ZstdLevel::default()));
    write("rows.parquet", &many, zstd.build());
    table_refused("12 million rows in few bytes", &at("rows.parquet"), "more than 2000000 rows");
    fs::write(at("lies.parquet"), claiming_fewer(&fs::read(at("rows.parquet")).unwrap())).unwrap();
    table_refused("a footer of 10 rows over 12 million", &at("lies.parquet"), "can't be read as Parquet");

    let page = [
        ("arm", Cells::texts(["y".repeat(300 << 20)])),
        ("w", Cells::Int(vec![1])),
        ("x", Cells::floats([1.0])),
    ];
    let plain = WriterProperties::builder().set_dictionary_enabled(false).set_encoding(Encoding::PLAIN);
    write("page.parquet", &page, plain.set_compression(Codec::SNAPPY).build());
    table_refused("a page of 300 MB in 14 MB", &at("page.parquet"), "its pages need");

    let mut csv = io::BufWriter::new(File::create(at("rows.csv")).unwrap());
    csv.write_all(b"w,arm,x\n").unwrap();
    io::copy(&mut io::repeat(b'\n').take(1 << 28), &mut csv).unwrap();
    csv.flush().unwrap();
    table_refused("268 million empty lines", &at("rows.csv"), "more than 2000000 rows, or empty lines");
}

/// The footer's own count of rows, 12 million as a varint of four bytes (zigzag), becomes ten.
fn claiming_fewer(sound: &[u8]) -> Vec<u8> {
    let varint = |mut number: u64| {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let (many, few) = (varint(24_000_000), vec![0x80 | 20, 0x80, 0x80, 0]);
    let footer = sound.len()
        - 8
        - u32::from_le_bytes(sound[sound.len() - 8..sound.len() - 4].try_into().unwrap()) as usize;
    let at = footer
        + sound[footer..]
            .windows(many.len())
            .position(|window| window == many)
            .expect("the footer counts its rows");
    let mut lies = sound.to_vec();
    lies.splice(at..at + many.len(), few);
    lies
}

#[test]
fn logs_and_stores_that_never_end_are_refused() {
    let room = tempfile::tempdir().unwrap();
    let log = room.path().join("log.jsonl");
    File::create(&log).unwrap().set_len(1_500 << 20).unwrap();
    let store = room.path().join("store");
    let told = "holds more than 268435456 bytes: split it, or allow more with --at-most log-bytes=N";
    for (name, asked) in [
        ("a sparse log of trades of 1.5 GB", vec!["memory", "owm", "remember", text(&store), text(&log)]),
        (
            "a sparse log of searches of 1.5 GB",
            vec!["memory", "openclaw", "record", text(&store), text(&log)],
        ),
        ("a sparse store of recalls of 1.5 GB", vec!["memory", "openclaw", "status", text(&log)]),
        ("a sparse log of decisions of 1.5 GB", vec!["memory", "dark-pawns", "effects", text(&log)]),
    ] {
        refused(name, &asked, told);
    }
}
