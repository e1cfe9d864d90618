//! How long to wait before another attempt: retry with exponential backoff and full jitter
//! (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). Pauses are seconds: by default at most .5, then twice as long
//! after each failure, up to 30. The threads of the pool (`worker`) make them, and add the endpoint's own `Retry-After`. Without jitter,
//! all threads would come back at once and fail again.

use jiff::Timestamp;
use morta_base::digest::hex_of;
use morta_engine::llm::EndpointConfig;
use morta_engine::llm::outside::CallKey;
use std::time::Duration;

/// The longest wait that an endpoint may ask for (maximum Retry-After). A run that would wait longer is ended instead, so that its machine
/// is free meanwhile; with checkpoints it can be resumed.
pub(super) const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(300);

/// The pause after the failed attempt of this number, from 1: even between zero and `backoff_seconds · 2^(attempt − 1)`, at most
/// `backoff_max_seconds`.
///
/// Drawn by hashing, so that it takes no luck from the world; the process is part of it, or those that were started together would
/// come back together.
pub(super) fn pause(config: &EndpointConfig, key: &CallKey, attempt: u32) -> Duration {
    let doubled = config.backoff_seconds * f64::from(2_u32.saturating_pow(attempt.saturating_sub(1)));
    let longest = doubled.min(config.backoff_max_seconds);
    let drawn = hex_of(format!("{key} {attempt} {}", std::process::id()).as_bytes());
    let drawn = u32::from_str_radix(&drawn[..8], 16).expect("a hash is hexadecimal digits");
    Duration::from_secs_f64(longest * f64::from(drawn) / f64::from(u32::MAX))
}

/// The wait of `Retry-After` (header parser): seconds, or until a date; none when it is neither.
pub(super) fn retry_after(header: &str, now: Timestamp) -> Option<Duration> {
    let header = header.trim();
    if header.is_empty() {
        return None;
    }
    let wait = match header.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(header).ok()?;
            // A date that is past asks for nothing.
            Duration::try_from(date.duration_since(now)).unwrap_or_default()
        }
    };
    Some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_twofold_up_to_the_longest_and_are_jittered() {
        let config =
            EndpointConfig { backoff_seconds: 0.5, backoff_max_seconds: 30.0, ..EndpointConfig::default() };
        let keys: Vec<CallKey> = (0..400).map(|n| CallKey(n.to_string())).collect();
        for (attempt, longest) in [(1, 0.5), (2, 1.0), (4, 4.0), (7, 30.0), (100, 30.0)] {
            let pauses: Vec<f64> =
                keys.iter().map(|key| pause(&config, key, attempt).as_secs_f64()).collect();
            assert!(pauses.iter().all(|pause| (0.0..=longest).contains(pause)));
            let mean = pauses.iter().sum::<f64>() / pauses.len() as f64;
            // Of 400 even draws the mean has a standard error of 0.0144 of the longest.
            assert!((mean / longest - 0.5).abs() < 0.06, "{attempt}: {mean}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        let seconds = |header| retry_after(header, now).map(|wait| wait.as_secs());
        assert_eq!(seconds("7"), Some(7));
        // The example of RFC 9110, 5.6.7.
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(37));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:48:37 GMT"), Some(0));
        assert_eq!(seconds("86400"), Some(86_400));
        assert_eq!(seconds("soon"), None);
        assert_eq!(seconds(""), None);
        assert_eq!(seconds("-5"), None);
    }
}
