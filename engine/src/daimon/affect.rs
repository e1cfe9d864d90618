//! One golem's affect: all state of this room, its mood, gut feelings, grief and rumination (an affective computing model).
//!
//! Moods are points in PAD space, each coordinate from −1 to 1; intensity and arousal of memories run from 0 to 1; results are in R, times
//! in ticks. The state decides nothing itself: `golem::affect` changes it by happenings and waking ticks (`golem::asked` by a model's
//! answers) and reads it for decisions; the waking gate, replay, the story of a life and the legacy read it too. So all of it can be
//! switched off (`daimon.enabled`) without a change of their rules. In a dream and in dying no tick is passed: nothing draws or fades the
//! mood, while grief runs out by the clock.

use crate::daimon::contagion::{catch, fade};
use crate::daimon::grief::{self, GRIEF};
use crate::daimon::helplessness::DominanceWindow;
use crate::daimon::rumination::Rumination;
use crate::daimon::somatic::{Marked, SomaticMarkers, SomaticSituation};
use crate::daimon::summary::AffectSums;
use crate::daimon::tag::ArousalRanks;
use crate::daimon::trigger::Lately;
use crate::daimon::{
    AffectMode, AffectSummary, Appraisal, DaimonConfig, Emotion, Felt, Happening, Mood, MoodCause, Pad,
    appraise,
};
use morta_base::lazy_box::LazyBox;
use morta_base::{EpisodeId, Stream, Tick};
use serde::{Deserialize, Serialize};

/// Length of a mood (of at most 1.73) up to which it counts as neutral. Our choice: a third of the distance from which a mood is reported.
const FAINT: f64 = 0.05;
/// Ticks for which a surprise makes a golem careful. The digest (section 10, A03) has surprise lower stakes and names no length; our choice, the
/// window in which another happening of the same kind is more of the same (`daimon.trigger.window_ticks`).
const SURPRISE_TICKS: Tick = 10;

/// The affect (emotional state) of one golem: its mood, and all state that appraisals and reports need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Affect {
    mood: Mood,
    /// When each kind of happening was last felt, for habituation.
    lately: Lately,
    /// The last bad surprise.
    surprised_at: Option<Tick>,
    /// The last death in the family, a predecessor's or a sibling's.
    grieving_since: Option<Tick>,
    /// Running mean result of its trades, in R.
    recent_r: f64,
    /// Dominance over the window of learned helplessness.
    dominance: DominanceWindow,
    /// Epistemic fitness as noted the last two times, the older first: its trend is the change since the older.
    fitness_seen: [Option<f64>; 2],
    markers: SomaticMarkers,
    rumination: Rumination,
    /// The mood last reported by an event.
    #[serde(rename = "told")]
    reported: Pad,
    /// The label last reported by an event.
    #[serde(rename = "told_label")]
    reported_label: Emotion,
    /// The mood at that report. Kept apart from `reported`, because moods are reported more often than labels change.
    #[serde(rename = "label_told_at")]
    label_reported_at: Pad,
    /// Mood by waking tick, summed for the record of the life.
    sums: AffectSums,
    /// By rhythm: the age at which it is due next, in ticks.
    due: [Tick; Rhythm::COUNT],
    /// Arousal of earlier trades, for the tag `quantile` alone.
    arousal_ranks: LazyBox<ArousalRanks>,
}

/// A recurring appraisal or pull: a periodic timer, by age. The caller gives the interval: 10 ticks for nature (`pull_interval_ticks`) and
/// mortality, 100 for knowledge, `curator.interval_ticks` for the Curator's cycle, in whatever phase of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rhythm {
    /// The pull of its nature.
    Nature,
    /// A reminder of its mortality.
    Mortality,
    /// A note of its epistemic fitness, from which a trend is read.
    Knowledge,
    /// The Curator's cycle.
    Curator,
}

impl Rhythm {
    const COUNT: usize = 4;
}

/// A change of the mood's label: an emotion transition, which the log records as an event. No decision depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The label before.
    pub from: Emotion,
    /// The label now.
    pub to: Emotion,
}

/// Weight of the newest trade in the running mean result: about the last five count; our choice, the same as for the running surprise of
/// sleep pressure, because both are about recent trades.
const RECENT: f64 = 0.2;
/// Length below which a caught mood is gone. A half-life never ends, and a mood that is exactly 0 needs no fading in every tick.
const GONE: f64 = 1e-4;

impl Affect {
    /// The affect of a newborn: it begins with the mood of its nature. A successor grieves.
    pub fn born(nature: Pad, born: Tick, succeeds: bool) -> Self {
        let reported_label = Emotion::from_pad(nature, FAINT);
        Self {
            mood: Mood::new(nature),
            grieving_since: succeeds.then_some(born),
            reported: nature,
            reported_label,
            label_reported_at: nature,
            ..Self::default()
        }
    }

    /// Whether a rhythm (a periodic timer) is due: at every age that is a multiple of the interval, but not at birth. A date that fell into
    /// sleep is skipped and not made up for. Comparing with the next tick due is cheaper than dividing, and this is called in every waking
    /// tick.
    pub fn is_due(&mut self, rhythm: Rhythm, age: Tick, interval: Tick) -> bool {
        let due = &mut self.due[rhythm as usize];
        if age < *due {
            return false;
        }
        let is_due = age > 0 && age.is_multiple_of(interval);
        *due = (age / interval + 1) * interval;
        is_due
    }

    /// Returns the mood as it is now (the current emotional state), with its own part and the caught one apart.
    pub fn mood(&self) -> &Mood {
        &self.mood
    }

    /// The mood as a point in PAD space, with the part it has caught. Decisions read this one.
    pub fn pad(&self) -> Pad {
        self.mood.pad()
    }

    /// The label of the mood, a discrete emotion; `Surprise` for some ticks after one. No point of the space is a surprise, so only its
    /// label can last.
    pub fn emotion(&self, now: Tick) -> Emotion {
        let surprised = self.surprised_at.is_some_and(|at| now < at + SURPRISE_TICKS);
        if surprised { Emotion::Surprise } else { Emotion::from_pad(self.pad(), FAINT) }
    }

    /// Running mean result of its trades, in R: an exponential moving average.
    pub fn recent_r(&self) -> f64 {
        self.recent_r
    }

    /// Whether a happening of this cause was felt in this tick (deduplication of emotions).
    pub(crate) fn felt_now(&self, cause: MoodCause, now: Tick) -> bool {
        self.lately.now(cause, now)
    }

    /// Returns the cognitive appraisal of a happening by the rule table, with habituation, and whether it is felt at all: then it is noted,
    /// and the caller must [move](Self::be_moved) the mood. The two are apart, because a model's appraisal may come ticks later.
    pub fn notice(&mut self, happening: Happening, now: Tick, config: &DaimonConfig) -> (Appraisal, bool) {
        let felt = appraise(happening, &config.rules);
        if !self.lately.is_felt(happening, felt.intensity, now, &config.trigger) {
            return (felt, false);
        }
        if felt.emotion == Emotion::Surprise {
            self.surprised_at = Some(now);
        }
        if happening == Happening::SiblingDied {
            self.grieving_since = Some(now);
        }
        (felt, true)
    }

    /// Moves the mood (the emotional state) by an appraisal, by the rule table or by a model. In mode `tick` it isn't moved: there, moods
    /// follow the appraisal of ticks.
    pub fn be_moved(&mut self, felt: &Appraisal, is_loss: bool, config: &DaimonConfig) {
        match config.mode {
            AffectMode::Rule | AffectMode::Chain => self.mood.feel(felt, config.mood_decay_rate),
            AffectMode::Residual => self.mood.follow(felt, is_loss, &config.residual),
            AffectMode::Tick | AffectMode::Off => {}
        }
    }

    /// Draws the mood towards the appraisal of a tick, in mode `tick`: an exponential moving average of appraisals.
    pub(crate) fn take_stock(&mut self, standing: Pad, config: &DaimonConfig) {
        self.mood.draw_towards(standing, 1.0 - config.tick.mood_decay_rate);
    }

    /// Passes a tick: a caught mood fades (emotional contagion), grief draws, and the mood is added to the sums of the life. Returns the
    /// last cause that moved it.
    pub fn pass_tick(&mut self, now: Tick, tick_seconds: f64, config: &DaimonConfig) -> MoodCause {
        let mut cause = MoodCause::Personality;
        let caught = self.mood.caught();
        if caught != Pad::default() {
            let left = fade(caught, tick_seconds, &config.contagion);
            self.mood.set_caught(if left.length() < GONE { Pad::default() } else { left });
            cause = MoodCause::Contagion;
        }
        let grief = self.grief_left(now, config);
        if grief > 0.0 {
            self.mood.draw_towards(GRIEF, grief::PULL * grief);
            cause = MoodCause::Grief;
        }
        let mood = self.pad();
        self.dominance.note(mood.dominance, config.behaviour.helplessness_ticks);
        self.sums.note(mood, Emotion::from_pad(mood, FAINT));
        cause
    }

    /// Draws the mood back to its nature by a share: mean reversion to personality (homeostasis).
    pub fn return_to(&mut self, nature: Pad, config: &DaimonConfig) {
        self.mood.draw_towards(nature, config.personality.pull);
    }

    /// Returns the mood when it has moved far enough since the last report (a dead-band filter): an event at every tick would be the most
    /// frequent of all.
    pub fn news(&mut self, config: &DaimonConfig) -> Option<Pad> {
        let mood = self.pad();
        let moved = mood.distance(self.reported) > config.mood_update_distance;
        moved.then(|| {
            self.reported = mood;
            mood
        })
    }

    /// Returns the change of the mood's label since the last report, if any, with hysteresis. Moods that hover at a border of octants don't
    /// count: the mood must be farther from the one last reported than the longest neutral mood is long.
    pub fn shift(&mut self) -> Option<Shift> {
        let mood = self.pad();
        let (from, to) = (self.reported_label, Emotion::from_pad(mood, FAINT));
        let shifted = from != to && mood.distance(self.label_reported_at) > FAINT;
        shifted.then(|| {
            (self.reported_label, self.label_reported_at) = (to, mood);
            Shift { from, to }
        })
    }

    /// The rest of its grief, from 1 to 0: a linear decay of bereavement. Besides the mood it lowers exploration, by up to a half.
    pub(crate) fn grief_left(&self, now: Tick, config: &DaimonConfig) -> f64 {
        self.grieving_since.map_or(0.0, |since| config.grief.left(since, now))
    }

    /// Whether its mean dominance over the window (200 ticks) is below −.3 by default: learned helplessness, as a threshold on the
    /// moving average. It makes a dream more urgent and has no other effect.
    pub(crate) fn is_helpless(&self, config: &DaimonConfig) -> bool {
        self.dominance.mean().is_some_and(|mean| mean < config.behaviour.helplessness_dominance)
    }

    /// Catches the moods of siblings, at each sync of the clade: emotional contagion, or mood transfer between agents.
    pub fn catch(&mut self, siblings: &[Pad], config: &DaimonConfig) {
        self.mood.set_caught(catch(siblings, self.mood.caught(), &config.contagion));
    }

    /// Notes the epistemic fitness, every 100 ticks: a history of two samples for the trend estimate.
    pub(crate) fn note_fitness(&mut self, fitness: f64) {
        self.fitness_seen = [self.fitness_seen[1], Some(fitness)];
    }

    /// Change (finite difference) of the fitness since the last but one time it was noted, or since the last when there is only one.
    pub(crate) fn fitness_trend(&self, fitness: f64) -> f64 {
        let [older, newer] = self.fitness_seen;
        older.or(newer).map_or(0.0, |then| fitness - then)
    }

    /// Takes in a closed trade and updates its somatic marker (Damasio's hypothesis). Returns the marker when that has moved by the
    /// distance from which it is reported.
    pub(crate) fn note_trade(
        &mut self,
        place: SomaticSituation,
        realised_r: f64,
        config: &DaimonConfig,
    ) -> Option<Marked> {
        self.recent_r += RECENT * (realised_r - self.recent_r);
        self.markers.note(place, realised_r, &config.somatic)
    }

    /// The gut feeling (intuition) about a strategy here, −1 to 1. It is an affect heuristic by somatic markers; `None` without any.
    pub fn gut(&self, here: &SomaticSituation, config: &DaimonConfig) -> Option<f64> {
        self.markers.gut(here, &config.somatic)
    }

    /// The arousal at encoding, with which a closed trade is remembered, 0 to 1: its emotional tag.
    pub fn tag(&mut self, felt: &Felt, config: &DaimonConfig) -> f64 {
        felt.arousal(config.tag, |arousal| self.arousal_ranks.make().rank(arousal))
    }

    /// Keeps an arousing episode for rumination, in a bounded queue of intrusive memories; arousal below .3 isn't kept.
    pub fn keep(&mut self, episode: EpisodeId, felt: Appraisal, arousal: f64, config: &DaimonConfig) {
        self.rumination.keep(episode, felt, arousal, &config.rumination);
    }

    /// Whether a rumination may be due in this tick: a timer check, cheaper than a draw.
    pub(crate) fn may_ruminate(&self, now: Tick, config: &DaimonConfig) -> bool {
        self.rumination.is_due(now, &config.rumination)
    }

    /// Lets an episode, drawn at random, come back and be felt again: an intrusive (involuntary) memory. In mode `tick` it doesn't move the
    /// mood.
    pub(crate) fn ruminate(
        &mut self,
        now: Tick,
        stream: &mut Stream,
        config: &DaimonConfig,
    ) -> Option<EpisodeId> {
        let (episode, felt) = self.rumination.relive(now, stream, &config.rumination)?;
        self.be_moved(&felt, false, config);
        Some(episode)
    }

    /// Summary statistics of the life's affect: means over the waking ticks so far; `None` before the first.
    pub fn summary(&self) -> Option<AffectSummary> {
        self.sums.summary()
    }
}
