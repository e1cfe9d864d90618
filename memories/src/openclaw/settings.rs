//! Reads an `openclaw.json` as users write it: strings for numbers, fractions for counts, impossible values. An unusable value is replaced
//! by its default and listed (digest section 3), because the original goes on with the default too. Some values are dropped unlisted:
//! unknown sources, an unusable temperature, a limit of 0 tokens or milliseconds; fractions of counts are cut off. A count isn't tested
//! against the upper limit of its key. Keys that the document hasn't (weights, boosts, `order`, `themes`, `age_measure` and the like)
//! aren't read and keep their defaults; only `themes` is then set to clusters by REM sleep of the tools. It is lenient configuration
//! parsing (JSON) with a list of warnings.

use super::config::{DreamingConfig, RecoveryConfig};
use super::execution::ExecutionConfig;
use super::schedule::{Cadence, Phase, check_cron};
use super::time::Zone;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

morta_base::words! {
    /// The destination of the blocks of light and REM sleep (output mode).
    #[derive(Default)]
    pub enum StorageMode {
        /// The daily note.
        #[default]
        Inline = "inline",
        /// A report of its own.
        Separate = "separate",
        /// The daily note and a report.
        Both = "both",
    }

    /// A data source of a phase. The original parses sources and never uses them; here a choice other than the default filters the
    /// entries of the recall store. Light and REM sleep of the tools add the lines of transcripts and logs where a list, also the default
    /// one, has `sessions` or `logs`.
    pub enum Source {
        /// Daily notes.
        Daily = "daily",
        /// Transcripts of sessions.
        Sessions = "sessions",
        /// The recall store.
        Recall = "recall",
        /// Long-term memory.
        Memory = "memory",
        /// Logs of the program.
        Logs = "logs",
        /// Facts that deep sleep promoted.
        Deep = "deep",
    }
}

/// Further settings of a phase: its sources, which filter the entries of the store where they aren't the default ones and name the
/// transcripts to be added, and the model of `execution`, whose name, temperature and timeout are used in REM sleep alone, for wording
/// themes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseExtras {
    /// The phase.
    pub phase: Phase,
    /// Its sources.
    pub sources: Vec<Source>,
    /// Name of its model.
    pub model: Option<String>,
    /// Sampling temperature, 0 to 2.
    pub temperature: Option<f64>,
    /// Timeout, in milliseconds.
    pub timeout_ms: Option<u32>,
}

/// The settings of the dreaming block of a user's JSON configuration, parsed; what is missing has its default.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The settings that decide the result of dreaming.
    pub dreaming: DreamingConfig,
    /// Whether every run is logged in detail.
    pub verbose_logging: bool,
    /// The destination of the blocks of light and REM sleep.
    pub storage: StorageMode,
    /// Whether reports are written in addition.
    pub separate_reports: bool,
    /// The other settings of light, deep and REM sleep, in this order.
    pub extras: [PhaseExtras; 3],
    /// Descriptions of the values that were replaced by their defaults.
    pub mended: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self::from_json(&Value::Null)
    }
}

impl Settings {
    /// The configured sources of a phase; `None` for the default ones, which filter nothing.
    pub fn chosen_sources(&self, phase: Phase) -> Option<&[Source]> {
        let extras = self.extras.iter().find(|extras| extras.phase == phase)?;
        (extras.sources != usual_sources(phase)).then_some(extras.sources.as_slice())
    }

    /// Reads an `openclaw.json`, or its dreaming block alone, by JSON pointer (lenient parsing).
    pub fn from_json(file: &Value) -> Self {
        let block = file.pointer("/plugins/entries/memory-core/config/dreaming").unwrap_or(file);
        let mut read = Reader { block: block.clone(), mended: Vec::new() };
        let mut dreaming = DreamingConfig::default();
        read.flag("/enabled", &mut dreaming.enabled);
        let known_zone = |text: &str| Zone::named(text).map_err(|unknown| unknown.to_string());
        read.text("/timezone", &mut dreaming.timezone, |text| known_zone(text).map(drop));
        if read.at("/timezone").is_none() {
            // The user's own zone, which is outside of the dreaming block.
            let mut whole = Reader { block: file.clone(), mended: Vec::new() };
            let zone = "/agents/defaults/userTimezone";
            whole.text(zone, &mut dreaming.timezone, |text| known_zone(text).map(drop));
            read.mended.append(&mut whole.mended);
        }
        read.cron("/frequency", &mut dreaming.frequency);
        if read.at("/frequency").is_some() {
            dreaming.cadence = Cadence::Single;
        }
        read.light(&mut dreaming);
        read.deep(&mut dreaming);
        read.rem(&mut dreaming);
        let (mut verbose_logging, mut separate_reports) = (false, false);
        let mut storage = StorageMode::default();
        read.flag("/verboseLogging", &mut verbose_logging);
        read.name("/storage/mode", &mut storage);
        read.flag("/storage/separateReports", &mut separate_reports);
        let extras = [Phase::Light, Phase::Deep, Phase::Rem].map(|phase| read.extras(phase));
        Self { dreaming, verbose_logging, storage, separate_reports, extras, mended: read.mended }
    }
}

fn usual_sources(phase: Phase) -> Vec<Source> {
    use Source::{Daily, Deep, Logs, Memory, Recall, Sessions};
    match phase {
        Phase::Light => vec![Daily, Sessions, Recall],
        Phase::Deep => vec![Daily, Memory, Sessions, Logs, Recall],
        Phase::Rem => vec![Memory, Daily, Deep],
    }
}

/// Reads values by JSON pointer and notes those that can't be used.
struct Reader {
    /// The dreaming block.
    block: Value,
    /// What was replaced by a default, and why.
    mended: Vec<String>,
}

impl Reader {
    fn at(&self, pointer: &str) -> Option<Value> {
        self.block.pointer(pointer).filter(|value| !value.is_null()).cloned()
    }

    /// Parses the value at a pointer into a setting; on failure keeps the default and lists the value.
    fn take<T>(&mut self, pointer: &str, into: &mut T, read: impl Fn(&Value) -> Result<T, String>) {
        let Some(value) = self.at(pointer) else { return };
        match read(&value) {
            Ok(read) => *into = read,
            Err(why) => {
                let key = pointer.trim_start_matches('/').replace('/', ".");
                self.mended.push(format!("{key} = {value}: {why}; its default is used"));
            }
        }
    }

    fn flag(&mut self, pointer: &str, into: &mut bool) {
        self.take(pointer, into, |value| match value {
            Value::Bool(flag) => Ok(*flag),
            Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Ok(true),
            Value::String(text) if text.trim().eq_ignore_ascii_case("false") => Ok(false),
            _ => Err("must be true or false".to_owned()),
        });
    }

    fn count(&mut self, pointer: &str, into: &mut u32) {
        self.take(pointer, into, |value| {
            let floored =
                number(value).map(f64::floor).filter(|count| (0.0..=f64::from(u32::MAX)).contains(count));
            floored.map(|count| count as u32).ok_or_else(|| "must be a whole number from 0".to_owned())
        });
    }

    fn share(&mut self, pointer: &str, into: &mut f64) {
        self.take(pointer, into, |value| {
            let share = number(value).filter(|share| (0.0..=1.0).contains(share));
            share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
        });
    }

    fn text(&mut self, pointer: &str, into: &mut String, check: impl Fn(&str) -> Result<(), String>) {
        self.take(pointer, into, |value| {
            let text = value.as_str().map(str::trim).filter(|text| !text.is_empty());
            let text = text.ok_or_else(|| "must be a text".to_owned())?;
            check(text).map(|()| text.to_owned())
        });
    }

    fn cron(&mut self, pointer: &str, into: &mut String) {
        self.text(pointer, into, |text| check_cron(text).map_err(|bad| bad.remedy()));
    }

    fn name<T: DeserializeOwned>(&mut self, pointer: &str, into: &mut T) {
        self.take(pointer, into, |value| {
            let text = value.as_str().unwrap_or_default().trim().to_lowercase();
            serde_json::from_value(Value::String(text)).map_err(|error| error.to_string())
        });
    }

    fn execution(&mut self, phase: &str, into: &mut ExecutionConfig) {
        let key = |name: &str| format!("/phases/{phase}/execution/{name}");
        self.name(&key("speed"), &mut into.speed);
        self.name(&key("thinking"), &mut into.thinking);
        self.name(&key("budget"), &mut into.budget);
        let mut most = 0;
        self.count(&key("maxOutputTokens"), &mut most);
        into.max_output_tokens = (most > 0).then_some(most);
    }

    fn light(&mut self, dreaming: &mut DreamingConfig) {
        let light = &mut dreaming.light;
        self.flag("/phases/light/enabled", &mut light.enabled);
        self.cron("/phases/light/cron", &mut light.cron);
        self.count("/phases/light/lookbackDays", &mut light.lookback_days);
        self.count("/phases/light/limit", &mut light.limit);
        self.share("/phases/light/dedupeSimilarity", &mut light.dedupe_similarity);
        self.execution("light", &mut light.execution);
    }

    fn deep(&mut self, dreaming: &mut DreamingConfig) {
        let deep = &mut dreaming.deep;
        self.flag("/phases/deep/enabled", &mut deep.enabled);
        self.cron("/phases/deep/cron", &mut deep.cron);
        self.count("/phases/deep/limit", &mut deep.limit);
        self.share("/phases/deep/minScore", &mut deep.min_score);
        self.count("/phases/deep/minRecallCount", &mut deep.min_recall_count);
        self.count("/phases/deep/minUniqueQueries", &mut deep.min_unique_queries);
        let mut half_life = deep.recency_half_life_days as u32;
        self.count("/phases/deep/recencyHalfLifeDays", &mut half_life);
        deep.recency_half_life_days = f64::from(half_life);
        self.count("/phases/deep/maxAgeDays", &mut deep.max_age_days);
        self.execution("deep", &mut deep.execution);
        self.recovery(&mut deep.recovery);
    }

    fn recovery(&mut self, recovery: &mut RecoveryConfig) {
        let key = |name: &str| format!("/phases/deep/recovery/{name}");
        self.flag(&key("enabled"), &mut recovery.enabled);
        self.share(&key("triggerBelowHealth"), &mut recovery.trigger_below_health);
        self.count(&key("lookbackDays"), &mut recovery.lookback_days);
        self.count(&key("maxRecoveredCandidates"), &mut recovery.max_recovered_candidates);
        self.share(&key("minRecoveryConfidence"), &mut recovery.min_recovery_confidence);
        self.share(&key("autoWriteMinConfidence"), &mut recovery.auto_write_min_confidence);
    }

    fn rem(&mut self, dreaming: &mut DreamingConfig) {
        let rem = &mut dreaming.rem;
        self.flag("/phases/rem/enabled", &mut rem.enabled);
        self.cron("/phases/rem/cron", &mut rem.cron);
        self.count("/phases/rem/lookbackDays", &mut rem.lookback_days);
        self.count("/phases/rem/limit", &mut rem.limit);
        self.share("/phases/rem/minPatternStrength", &mut rem.min_pattern_strength);
        self.execution("rem", &mut rem.execution);
    }

    fn extras(&mut self, phase: Phase) -> PhaseExtras {
        let key = |name: &str| format!("/phases/{}/{name}", phase.name());
        let listed = self.at(&key("sources")).and_then(|value| value.as_array().cloned()).unwrap_or_default();
        let mut sources: Vec<Source> = Vec::new();
        for source in listed.into_iter().filter_map(|name| serde_json::from_value(name).ok()) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        if sources.is_empty() {
            sources = usual_sources(phase);
        }
        let (mut model, mut timeout) = (String::new(), 0);
        self.text(&key("execution/model"), &mut model, |_| Ok(()));
        self.count(&key("execution/timeoutMs"), &mut timeout);
        let temperature = self.at(&key("execution/temperature")).as_ref().and_then(number);
        PhaseExtras {
            phase,
            sources,
            model: Some(model).filter(|model| !model.is_empty()),
            temperature: temperature.filter(|temperature| *temperature >= 0.0).map(|one| one.min(2.0)),
            timeout_ms: Some(timeout).filter(|timeout| *timeout > 0),
        }
    }
}

/// A finite number, from a number or a text.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// Whether a JSON object is an `openclaw.json` or a dreaming block, by its keys (format sniffing). Another program's file must be refused,
/// because all of its values would be replaced by defaults without a word.
pub fn is_settings(file: &Value) -> bool {
    let known = ["enabled", "timezone", "verboseLogging", "storage", "phases", "frequency"];
    let is_block = |block: &Map<String, Value>| block.keys().any(|key| known.contains(&key.as_str()));
    file.as_object().is_some_and(|file| {
        file.contains_key("plugins") || file.contains_key("agents") || is_block(file) || file.is_empty()
    })
}
