//! A golem's memory of notes and sleep (OpenClaw dreaming). How the architecture maps onto the market:
//!
//! | OpenClaw | here |
//! |---|---|
//! | a line of a daily note | a closed trade, or a drawn bequest: strategy, regime, volatility, session, outcome; these are its tags |
//! | a memory search | a decision that was acted on; the query is its circumstance, the results are the notes that spoke in it, the score is their likeness |
//! | the clock | the market's, times `time_scale`; phases that are due wait until nothing is held |
//! | MEMORY.md | promoted notes: all of them speak at full weight wherever they fit; short-term notes only as results of a search, and softly |
//! | a theme of REM sleep | a faint belief: trades that carry the tag made this much on average |
//! | an execution block | tokens of a tier, paid from the inference purse, and time asleep |
//!
//! Promotion depends on how often, how well, by how many circumstances and on how many days a note was found, and not on whether
//! it was right: that is the architecture. So every recall is evidence that the memory made itself; the account counts it as self-fed where
//! the note tipped the decision. Abstentions leave no note, and nothing vetoes a trade. Results are in R, strengths and scores from 0 to 1.
//! It is a note-taking memory with spaced promotion by recall statistics.

mod architecture;
pub mod clock;
pub mod config;
mod estate;
pub mod note;
mod sleep;
mod voices;

pub use config::OpenClawConfig;

use crate::episode::{ContextPattern, Episode, Provenance};
use crate::market::Strategy;
use crate::memory::{Inheritance, MemoryAccount, Voice, VoiceSource};
use clock::ScaledClock;
use morta_base::{EpisodeId, GolemId, Tick};
use morta_memories::openclaw::rem::Theme;
use morta_memories::openclaw::schedule::Timetable;
use morta_memories::openclaw::signals::PhaseSignal;
use morta_memories::openclaw::store::{RecallStore, SearchHit};
use morta_memories::openclaw::text::note_path;
use morta_memories::openclaw::time::Zone;
use note::{Circumstance, Note, Notes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A topic cluster with its mean reward: a theme of REM sleep, in a form that decisions can use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThemeBelief {
    /// Its number; the same tags keep it.
    pub number: u32,
    /// The theme it comes from.
    pub theme: Theme,
    /// Its strategy; none for all of them.
    pub strategy: Option<Strategy>,
    /// Its circumstances.
    pub pattern: ContextPattern,
    /// Mean result of the trades that carry it, in R.
    pub mean_r: f64,
    /// Number of these trades.
    pub trades: u32,
    /// Worth of trades of its kind, in R: that mean, or a model's estimate.
    pub worth_r: f64,
}

/// A note-based memory of one golem, a journal with sleep consolidation: phases of sleep promote notes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenClaw {
    config: OpenClawConfig,
    /// The time zone of days and schedules.
    zone: Zone,
    golem: GolemId,
    clock: ScaledClock,
    /// When each phase of sleep is due next; none before the first waking tick.
    timetable: Option<Timetable>,
    notes: Notes,
    /// How often and how well each note was found (recall statistics), by which deep sleep promotes.
    store: RecallStore,
    /// Hits in light and REM sleep by the key of an entry, which raise its rank in deep sleep.
    phases: BTreeMap<String, PhaseSignal>,
    /// MEMORY.md.
    long_term: String,
    /// The themes of the last REM sleep, which speak in decisions.
    beliefs: Vec<ThemeBelief>,
    /// The tags of every theme ever; its number is its place, counted from that of the first.
    themes: Vec<Vec<String>>,
    first_theme: u32,
    /// Numbers of the beliefs that a model was last asked about, in order.
    reflected_on: Vec<u32>,
    /// Own trades of the lowest R, the worst first; left at death.
    scars: Vec<Episode>,
    /// What became of each drawn bloodstain.
    inheritance: Vec<Inheritance>,
    account: MemoryAccount,
}

/// The content of a note to be written.
struct Telling {
    about: Circumstance,
    realised_r: f64,
    trust: f64,
    provenance: Provenance,
    episode: Option<EpisodeId>,
    origin: GolemId,
}

impl Telling {
    fn of_trade(about: Circumstance, episode: &Episode, provenance: Provenance) -> Self {
        let (realised_r, origin) = (episode.realised_r, episode.lived_by());
        Self { about, realised_r, trust: 1.0, provenance, episode: Some(episode.id), origin }
    }
}

impl OpenClaw {
    /// An empty notebook. An unknown time zone is UTC; a checked configuration has none.
    pub fn new(golem: GolemId, config: OpenClawConfig) -> Self {
        Self {
            zone: Zone::named(&config.dreaming.timezone).unwrap_or_default(),
            clock: ScaledClock::new(config.time_scale),
            config,
            golem,
            timetable: None,
            notes: Notes::default(),
            store: RecallStore::default(),
            phases: BTreeMap::new(),
            long_term: String::new(),
            beliefs: Vec::new(),
            themes: Vec::new(),
            first_theme: 0,
            reflected_on: Vec::new(),
            scars: Vec::new(),
            inheritance: Vec::new(),
            account: MemoryAccount::default(),
        }
    }

    /// Takes over other keys: schedules start anew when theirs have changed.
    fn go_on_by(&mut self, config: OpenClawConfig, now: Tick) {
        let same = config.dreaming == self.config.dreaming && config.time_scale == self.config.time_scale;
        self.zone = Zone::named(&config.dreaming.timezone).unwrap_or_default();
        self.clock.rescale(config.time_scale, now);
        if !same && self.timetable.is_some() {
            self.timetable = Some(Timetable::new(&config.dreaming, &self.zone, self.clock.instant(now)));
        }
        self.scars.truncate(config.scars as usize);
        self.config = config;
    }

    /// The notes (daily journal), short-term and promoted.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The recall statistics: how often and how well each note was found.
    pub fn store(&self) -> &RecallStore {
        &self.store
    }

    /// The long-term memory file MEMORY.md as text (Markdown). Decisions read the promoted notes and not this text.
    pub fn long_term(&self) -> &str {
        &self.long_term
    }

    /// The topic clusters in use: beliefs from the last REM sleep, with their values.
    pub fn beliefs(&self) -> &[ThemeBelief] {
        &self.beliefs
    }

    /// Records the search of a decision: its results are the notes that spoke, at the tick of the decision.
    fn record_search(&mut self, episode: &Episode, why: &[Voice]) {
        let query = Circumstance::from_context(episode.strategy, &episode.context);
        let spoke = why.iter().filter_map(|voice| match voice.source {
            VoiceSource::Note(number) => self.notes.get(number),
            _ => None,
        });
        let found: Vec<(String, &Note, String, Vec<String>)> =
            spoke.map(|note| (note_path(note.day), note, note.text(), note.tags())).collect();
        let hits: Vec<SearchHit<'_>> = found
            .iter()
            .map(|(path, note, text, tags)| SearchHit {
                path,
                start_line: note.line,
                end_line: note.line,
                score: query.likeness(&note.about),
                snippet: text,
                tags: Some(tags),
            })
            .collect();
        for (_, note, ..) in &found {
            self.account.weigh(VoiceSource::Note(note.number));
        }
        self.store.record(&query.query(), &hits, self.clock.instant(episode.opened), &self.zone);
    }

    /// Writes a line of today's note.
    fn write(&mut self, telling: Telling, now: Tick) {
        let Telling { about, realised_r, trust, provenance, episode, origin } = telling;
        let day = self.zone.day(self.clock.instant(now));
        let same = |other: &Note| other.about == about && (other.realised_r > 0.0) == (realised_r > 0.0);
        let restates = self.notes.about(about.strategy).any(same);
        let (number, line) = (0, 0);
        let note = Note {
            number,
            day,
            line,
            about,
            realised_r,
            trust,
            provenance,
            episode,
            origin,
            promoted: false,
        };
        let number = self.notes.write(note);
        self.account.store(VoiceSource::Note(number), restates);
    }

    fn keep_scar(&mut self, episode: &Episode) {
        let most = self.config.scars as usize;
        if episode.realised_r >= 0.0 || most == 0 {
            return;
        }
        let worse = |other: &Episode| other.realised_r <= episode.realised_r;
        let place = self.scars.iter().take_while(|other| worse(other)).count();
        if place < most {
            self.scars.insert(place, episode.clone());
            self.scars.truncate(most);
        }
    }
}

#[cfg(test)]
mod tests;
