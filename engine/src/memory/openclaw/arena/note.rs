//! Daily notes of trades and of drawn bequests: a line for each, with its tags (journal entries in Markdown).
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

/// A tagged context key (set of tags): the subject of a note or of a decision, a strategy in some circumstances. Unnamed ones are `None`.
/// Similarity search compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circumstance {
    /// The strategy.
    pub strategy: Strategy,
    /// Regime, volatility and session; other circumstances aren't written down.
    pub pattern: ContextPattern,
}

impl Circumstance {
    /// Projects a decision's context to the topic of a note, by three features: regime, volatility band and session.
    pub fn from_context(strategy: Strategy, context: &Context) -> Self {
        let pattern = ContextPattern {
            regime: Some(context.regime),
            volatility: Some(VolatilityBand::from_quintile(context.volatility_quintile)),
            session: Some(context.session),
            ..ContextPattern::default()
        };
        Self { strategy, pattern }
    }

    /// Keyword tags (labels): strategy, regime, volatility, session, as far as they are named.
    pub fn tags(&self) -> Vec<String> {
        let pattern = &self.pattern;
        let regime = pattern.regime.map(|regime| regime.name().to_owned());
        let volatility = pattern.volatility.map(|band| volatility_name(band).to_owned());
        let session = pattern.session.map(|session| session_name(session).to_owned());
        let strategy = self.strategy.name().to_owned();
        [Some(strategy), regime, volatility, session].into_iter().flatten().collect()
    }

    /// The search query of a decision as text: its tags in a row.
    pub fn query(&self) -> String {
        self.tags().join(" ")
    }

    /// Cosine similarity of feature sets (normalised set overlap): shared / √(a·b), where each names its strategy and its circumstances; 0
    /// for another strategy.
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

/// The tag name of a volatility band (string label); REM sleep finds the band of a theme by it.
pub(crate) const fn volatility_name(band: VolatilityBand) -> &'static str {
    match band {
        VolatilityBand::Calm => "calm",
        VolatilityBand::Middling => "middling",
        VolatilityBand::Wild => "wild",
    }
}

/// The tag name of a trading session (string label); REM sleep finds the session of a theme by it.
pub(crate) const fn session_name(session: Session) -> &'static str {
    match session {
        Session::Asia => "asia",
        Session::Europe => "europe",
        Session::America => "america",
    }
}

/// One line of a daily note (journal), with metadata: about a trade, own or drawn, or a drawn lesson.
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
    /// Keyword tags of its circumstance, with the outcome (win or loss).
    pub fn tags(&self) -> Vec<String> {
        let mut tags = self.about.tags();
        tags.push(outcome_name(self.realised_r).to_owned());
        tags
    }

    /// Renders the line as Markdown text.
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

    /// The unique key of its entry in the recall store, by path and line.
    pub fn key(&self) -> String {
        RecallEntry::key(&note_path(self.day), self.line, self.line)
    }

    /// Projects a lesson to its subject, as far as notes can name it: three features.
    pub fn about_lesson(lesson: &Lesson) -> Circumstance {
        let ContextPattern { regime, volatility, session, .. } = lesson.claim.pattern;
        let pattern = ContextPattern { regime, volatility, session, ..ContextPattern::default() };
        Circumstance { strategy: lesson.claim.strategy, pattern }
    }
}

fn outcome_name(realised_r: f64) -> &'static str {
    if realised_r > 0.0 { "win" } else { "loss" }
}

/// An append-only journal with indexes: all notes, by number, by day and by strategy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The number of the first note.
    first: u32,
    all: Vec<Note>,
    days: BTreeMap<Day, Vec<u32>>,
    strategies: BTreeMap<Strategy, Vec<u32>>,
}

impl Notes {
    /// The number of notes in the journal.
    pub fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// The next sequence number (auto-increment id): that of the note to be written.
    pub fn next(&self) -> u32 {
        self.first + self.count()
    }

    /// Makes an empty journal whose first note will have this number (sequence offset).
    pub(crate) fn numbered_from(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    fn at(&self, number: u32) -> &Note {
        self.get(number).expect("notes name only notes that there are")
    }

    /// Looks up a note by its number; `None` where there is no such note.
    pub fn get(&self, number: u32) -> Option<&Note> {
        self.all.get(number.checked_sub(self.first)? as usize)
    }

    /// Iterates over all notes of the journal in chronological order.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.all.iter()
    }

    /// Iterates over the notes on a strategy, newest first, by an index.
    pub fn about(&self, strategy: Strategy) -> impl Iterator<Item = &Note> {
        let numbers = self.strategies.get(&strategy).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().rev().map(|number| self.at(*number))
    }

    /// Appends a line to the journal, in the note of a day, which sets its number and its line. Returns the number.
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

    /// Renders the note of a day as a Markdown file; `None` without one.
    pub fn text(&self, day: Day) -> Option<String> {
        let numbers = self.days.get(&day)?;
        let lines = numbers.iter().map(|number| format!("{}\n", self.at(*number).text()));
        Some(format!("# {day}\n\n{}", lines.collect::<String>()))
    }

    /// Looks up, from recall statistics, the note of a recall-store entry, by its day and line number.
    pub fn of_entry(&self, entry: &RecallEntry) -> Option<u32> {
        let place = entry.start_line.checked_sub(LINES_BEFORE + 1)?;
        self.days.get(&entry.note_day()?)?.get(place as usize).copied()
    }

    /// Promotes a note to long-term memory: from then on it speaks at full weight.
    pub fn promote(&mut self, number: u32) {
        let place = (number - self.first) as usize;
        self.all[place].promoted = true;
    }
}
