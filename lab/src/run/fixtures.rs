//! Records made by hand (test fixtures), for the tests of measures and of compared arms: a tick, a life and a trade. Only the fields that a
//! test needs vary; all others are zero or neutral. They exist because a lived world would hide which event a measure counts.

use morta_base::{DreamId, EpisodeId, GolemId, LetterId, Tick};
use morta_engine::episode::{Conditions, Context, Episode};
use morta_engine::event::{LifeRecord, TickRecord};
use morta_engine::llm::outside::{Asker, Call, Message, Role};
use morta_engine::market::{Regime, Session, Strategy};
use morta_engine::mortality::narrative::NarrativeArc;
use morta_engine::mortality::{Cause, Phase, Rung};
use serde::de::DeserializeOwned;

/// A record of which every number is 0, nothing is there and every word is the first of its kind: what zeros mean in postcard.
fn nothing<T: DeserializeOwned>() -> T {
    postcard::from_bytes(&[0; 1_024]).expect("zeros are a record")
}

/// Makes the record of a closed tick for tests, in which so many lived, so fit and so vital.
pub fn closed(alive: u32, fitness_mean: f64, vitality_mean: f64) -> TickRecord {
    TickRecord {
        alive,
        fitness_mean,
        vitality_mean,
        price: 1.0,
        true_regime: Regime::RangeBound,
        ..nothing()
    }
}

/// A golem of one lineage.
pub(crate) fn golem(generation: u32) -> GolemId {
    GolemId { lineage: 4, generation }
}

/// Who asks a model for a dream's letter.
pub(crate) fn asker(tick: Tick) -> Asker {
    let golem = GolemId::founder(3);
    Asker { letter: LetterId { golem, number: 1 }, dream: DreamId { golem, number: 2 }, tick }
}

/// A question to a model.
pub(crate) fn call(question: &str) -> Call {
    Call {
        model: "small".into(),
        messages: vec![Message::new(Role::System, "You."), Message::new(Role::User, question)],
        schema_name: "read".into(),
        schema: serde_json::json!({ "type": "object" }),
        temperature: 0.4,
        max_tokens: 100,
        seed: 7,
    }
}

/// A life in which nothing happened but its end (life fixture).
pub(crate) fn life(parent: Option<GolemId>, ended: Tick, cause: Option<Cause>) -> LifeRecord {
    LifeRecord {
        parent,
        ended,
        cause,
        rung: Rung::Exhausted,
        arc: NarrativeArc::Stable,
        fitness: 0.5,
        vitality: 0.5,
        phase: Phase::Stable,
        ..nothing()
    }
}

/// Makes a trade of one golem for tests, opened and closed at these ticks, that made so many R.
pub(crate) fn episode(golem: GolemId, (opened, closed): (Tick, Tick), realised_r: f64) -> Episode {
    let conditions =
        Conditions { price: 1.0, atr_fast: 0.01, atr_slow: 0.01, spread_over_atr: 0.0, drawdown: 0.0 };
    Episode {
        opened,
        strategy: Strategy::Breakout,
        context: Context { session: Session::Europe, ..Context::neutral(Regime::RangeBound) },
        conditions,
        realised_r,
        ..Episode::neutral(EpisodeId { golem, number: 1 }, closed)
    }
}
