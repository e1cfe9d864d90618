//! Latencies as an HDR histogram interval log, the format of HistogramLogAnalyzer, HistogramLogProcessor and other readers. Values are
//! nanoseconds, maxima milliseconds. It is written so that a result can be looked at with the tools people have; nothing here reads it
//! again. `run` begins a step for each rate and adds an interval whenever one with counted answers ends; the command writes the bytes into
//! `latency.hlog` of `--out`, and into the file of `--hdr`.

use crate::generator::{Interval, Latencies};
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
use std::time::{Duration, SystemTime};

/// An HDR histogram log that is being written, interval by interval.
pub struct IntervalLog {
    /// The text written so far.
    pub bytes: Vec<u8>,
    tag: Option<String>,
    /// The beginning of the current rate's measurement on the log's axis, seconds. Rates follow each other without their warm-ups.
    offset_s: f64,
    /// The end of the latest interval on the log's axis, seconds.
    reached_s: f64,
    serializer: V2DeflateSerializer,
}

/// Divisor of maxima: the readers of the format show them in milliseconds.
const NS_PER_MS: f64 = 1e6;

impl IntervalLog {
    /// Begins a log at `started`.
    pub fn new(started: SystemTime) -> Self {
        let mut bytes = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        let begun = IntervalLogWriterBuilder::new()
            .add_comment(concat!(
                "[Logged with morta ",
                env!("CARGO_PKG_VERSION"),
                " loadtest; values in ns]"
            ))
            .add_comment("[Histogram log format version 1.3]")
            .with_start_time(started)
            .with_base_time(started)
            .with_max_value_divisor(NS_PER_MS)
            .begin_log_with(&mut bytes, &mut serializer);
        begun.map(|_| ()).expect("writing to memory does not fail");
        // The legend that Java's writer puts before the first line. Written for people, because readers skip it.
        bytes.extend_from_slice(
            b"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n",
        );
        Self { bytes, tag: None, offset_s: 0.0, reached_s: 0.0, serializer }
    }

    /// Begins another rate. The rates of a sweep are tagged, so that a reader can separate them; a single load has no tag (`None`).
    pub(crate) fn begin_step(&mut self, rate: Option<f64>) {
        self.tag = rate.map(|rate| format!("rate-{rate:.0}"));
        self.offset_s = self.reached_s;
    }

    /// Adds an interval with the histogram of its latencies.
    pub fn take(&mut self, interval: &Interval, latencies: &Latencies) {
        let start = Duration::from_secs_f64(self.offset_s + interval.start_s);
        let length = Duration::from_secs_f64(interval.length_s);
        let tag = self.tag.as_deref().and_then(Tag::new);
        let mut line = Vec::new();
        let mut writer = IntervalLogWriterBuilder::new()
            .with_max_value_divisor(NS_PER_MS)
            .begin_log_with(&mut line, &mut self.serializer)
            .expect("writing to memory does not fail");
        writer
            .write_histogram(latencies.histogram(), start, length, tag)
            .expect("a histogram that was recorded can be written down");
        // Only the last line: each writer repeats the remark on the unit of maxima, which is in the head already.
        let entry = line.split_inclusive(|byte| *byte == b'\n').next_back().unwrap_or_default();
        self.bytes.extend_from_slice(entry);
        self.reached_s = self.reached_s.max((start + length).as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::Deserializer;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

    #[test]
    fn a_written_log_is_read_back() {
        let mut log = IntervalLog::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000));
        for (step, rate) in [100.0, 200.0].into_iter().enumerate() {
            log.begin_step(Some(rate));
            for second in 0..3 {
                let mut latencies = Latencies::default();
                (1..=1_000).for_each(|n| latencies.record(n * 1_000 * (step as u64 + 1)));
                let interval = Interval { start_s: f64::from(second), length_s: 1.0, ..Interval::default() };
                log.take(&interval, &latencies);
            }
        }
        let entries: Vec<LogEntry<'_>> =
            IntervalLogIterator::new(&log.bytes).collect::<Result<_, _>>().unwrap();
        assert_eq!(entries[0], LogEntry::StartTime(Duration::from_secs(1_000)));
        assert_eq!(entries[1], LogEntry::BaseTime(Duration::from_secs(1_000)));
        assert_eq!(entries.len(), 8);
        for (number, entry) in entries[2..].iter().enumerate() {
            let LogEntry::Interval(interval) = entry else { panic!("{entry:?}") };
            assert_eq!(interval.start_timestamp(), Duration::from_secs(number as u64));
            let rate = if number < 3 { "rate-100" } else { "rate-200" };
            assert_eq!(interval.tag().unwrap().as_str(), rate);
            let bytes = decoded(interval.encoded_histogram());
            let histogram: hdrhistogram::Histogram<u64> =
                Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
            assert_eq!(histogram.len(), 1_000);
            let most = if number < 3 { 1e6 } else { 2e6 };
            assert!(
                (histogram.max() as f64 / most - 1.0).abs() < 1e-3
                    && (interval.max() * 1e6 / most - 1.0).abs() < 1e-3
            );
        }
    }

    /// Base64 (RFC 4648), so that the test needs no crate of its own for it.
    fn decoded(text: &str) -> Vec<u8> {
        const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut bytes = Vec::new();
        let (mut bits, mut count) = (0_u32, 0);
        for letter in text.bytes().filter(|letter| *letter != b'=') {
            let value = LETTERS.iter().position(|known| *known == letter).unwrap() as u32;
            (bits, count) = ((bits << 6) | value, count + 6);
            if count >= 8 {
                count -= 8;
                bytes.push((bits >> count) as u8);
                bits &= (1 << count) - 1;
            }
        }
        bytes
    }
}
