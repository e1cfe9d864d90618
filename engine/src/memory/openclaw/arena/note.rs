//! Daily notes of trades: a line for each, with its tags (journal entries in Markdown).
//!
//! Results are in R, likeness and trust run from 0 to 1, days are calendar days of the memory's clock. Notes are text because the
//! architecture promotes text; the typed fields beside it spare parsing at each decision.

use crate::episode::{Context, ContextPattern, Lesson, Provenance, VolatilityBand};
use crate::market::{Session, Strategy};
use morta_base::{EpisodeId, GolemId};
use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::text::note_path;
use morta_memories::openclaw::time::Day;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Lines of a note before the first trade: the title and an empty line.
const LINES_BEFORE: u32 = 2;

/// The subject of a note or of a decision: a strategy in some circumstances. Unnamed circumstances are `None`. A tagged context key. A set
/// of tags (label set).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circumstance {
    /// The strategy.
    pub strategy: Strategy,
    /// Regime, volatility and session; other circumstances aren't written down.
    pub pattern: ContextPattern,
}

impl Circumstance {
    /// From a decision. A projection of the state to three features. A categorical key.
    pub fn from_context(strategy: Strategy, context: &Context) -> Self {
        let pattern = ContextPattern {
            regime: Some(context.regime),
            volatility: Some(VolatilityBand::from_quintile(context.volatility_quintile)),
            session: Some(context.session),
            ..ContextPattern::default()
        };
        Self { strategy, pattern }
    }

    /// Its tags: strategy, regime, volatility, session, as far as they are named. Keyword tags.
    pub fn tags(&self) -> Vec<String> {
        let pattern = &self.pattern;
        let regime = pattern.regime.map(|regime| regime.name().to_owned());
        let volatility = pattern.volatility.map(|band| volatility_name(band).to_owned());
        let session = pattern.session.map(|session| session_name(session).to_owned());
        let strategy = self.strategy.name().to_owned();
        [Some(strategy), regime, volatility, session].into_iter().flatten().collect()
    }

    /// The query of a decision's search. The search query as text. Full-text search terms.
    pub fn query(&self) -> String {
        self.tags().join(" ")
    }

    /// The cosine of the features: shared / √(a·b), where each names its strategy and its circumstances; 0 for another strategy. Cosine
    /// similarity of feature sets. A set similarity.
    pub fn likeness(&self, other: &Self) -> f64 {
        fn shared<T: PartialEq>(a: Option<T>, b: Option<T>) -> u32 {
            u32::from(a.is_some() && a == b)
        }
        if self.strategy != other.strategy {
            return 0.0;
        }
        let (a, b) = (&self.pattern, &other.pattern);
        let features = 1
            + shared(a.regime, b.regime)
            + shared(a.volatility, b.volatility)
            + shared(a.session, b.session);
        f64::from(features) / f64::from((1 + a.specificity()) * (1 + b.specificity())).sqrt()
    }
}

/// The tag of a volatility. A tag for volatility.
pub const fn volatility_name(band: VolatilityBand) -> &'static str {
    match band {
        VolatilityBand::Calm => "calm",
        VolatilityBand::Middling => "middling",
        VolatilityBand::Wild => "wild",
    }
}

/// The tag of a session. A tag for the trading session.
pub const fn session_name(session: Session) -> &'static str {
    match session {
        Session::Asia => "asia",
        Session::Europe => "europe",
        Session::America => "america",
    }
}

/// One line of a daily note. A journal line with metadata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Its number, from 0, as the source of its voice.
    pub number: u32,
    /// The day of its note.
    pub day: Day,
    /// Its line there, from 1.
    pub line: u32,
    /// Its subject.
    pub about: Circumstance,
    /// Its result, in R.
    pub realised_r: f64,
    /// Its trust, 0 to 1: 1 for an own trade.
    pub trust: f64,
    /// Its provenance.
    pub provenance: Provenance,
    /// Its trade; none for a lesson.
    pub episode: Option<EpisodeId>,
    /// The golem that first lived or learned it.
    pub origin: GolemId,
    /// Whether it is in long-term memory.
    pub promoted: bool,
}

impl Note {
    /// Its tags: those of its circumstance, and the outcome. Keyword tags with the outcome.
    pub fn tags(&self) -> Vec<String> {
        let mut tags = self.about.tags();
        tags.push(outcome_name(self.realised_r).to_owned());
        tags
    }

    /// Its text. The Markdown text of the line.
    pub fn text(&self) -> String {
        let who = match self.provenance {
            Provenance::Own => String::new(),
            _ => format!("{} told: ", self.origin),
        };
        let tags = self.about.tags().join(" ");
        format!(
            "{who}{tags}: {} {:+.2} R, note {}",
            outcome_name(self.realised_r),
            self.realised_r,
            self.number
        )
    }

    /// The key of its entry in the recall store. A unique key by path and line. A citation key.
    pub fn key(&self) -> String {
        RecallEntry::key(&note_path(self.day), self.line, self.line)
    }

    /// The subject of a lesson. A projection of a lesson to three features. A categorical key of a lesson.
    pub fn about_lesson(lesson: &Lesson) -> Circumstance {
        let ContextPattern { regime, volatility, session, .. } = lesson.claim.pattern;
        let pattern = ContextPattern { regime, volatility, session, ..ContextPattern::default() };
        Circumstance { strategy: lesson.claim.strategy, pattern }
    }
}

fn outcome_name(realised_r: f64) -> &'static str {
    if realised_r > 0.0 { "win" } else { "loss" }
}

/// All notes, by number, by day and by strategy. An indexed journal (by number, day and strategy). A diary with lookup by key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The number of the first note.
    first: u32,
    all: Vec<Note>,
    days: BTreeMap<Day, Vec<u32>>,
    strategies: BTreeMap<Strategy, Vec<u32>>,
}

impl Notes {
    /// Number of notes. The journal size. The note count.
    pub fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// The number of the next note. The next sequence number. An autoincrement.
    pub fn next(&self) -> u32 {
        self.first + self.count()
    }

    /// No notes yet; the first will have this number. An empty journal with a sequence offset.
    pub fn numbered_from(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    fn at(&self, number: u32) -> &Note {
        self.get(number).expect("notes name only notes that there are")
    }

    /// A note by its number. A lookup by number. An array index lookup.
    pub fn get(&self, number: u32) -> Option<&Note> {
        self.all.get(number.checked_sub(self.first)? as usize)
    }

    /// All notes, oldest first. An iterator in chronological order. A chronological scan.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.all.iter()
    }

    /// Those on a strategy, newest first. A secondary index lookup. A filter by strategy.
    pub fn about(&self, strategy: Strategy) -> impl Iterator<Item = &Note> {
        let numbers = self.strategies.get(&strategy).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().rev().map(|number| self.at(*number))
    }

    /// Writes a line into the note of a day, which sets its number and its line. Returns the number. An append to the journal.
    pub fn write(&mut self, mut note: Note) -> u32 {
        let number = self.next();
        note.number = number;
        let of_day = self.days.entry(note.day).or_default();
        note.line = LINES_BEFORE + 1 + of_day.len() as u32;
        of_day.push(number);
        self.strategies.entry(note.about.strategy).or_default().push(number);
        self.all.push(note);
        number
    }

    /// The text of a day's note; `None` without one. The Markdown file of a day.
    pub fn text(&self, day: Day) -> Option<String> {
        let numbers = self.days.get(&day)?;
        let lines = numbers.iter().map(|number| format!("{}\n", self.at(*number).text()));
        Some(format!("# {day}\n\n{}", lines.collect::<String>()))
    }

    /// The note of a recall-store entry. A reverse lookup from recall statistics.
    pub fn of_entry(&self, entry: &RecallEntry) -> Option<u32> {
        let place = entry.start_line.checked_sub(LINES_BEFORE + 1)?;
        self.days.get(&entry.note_day()?)?.get(place as usize).copied()
    }

    /// Moves a note into long-term memory. A promotion to long-term memory. Short-term to long-term consolidation.
    pub fn promote(&mut self, number: u32) {
        let place = (number - self.first) as usize;
        self.all[place].promoted = true;
    }
}
