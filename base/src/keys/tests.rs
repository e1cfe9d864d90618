//! Tables that the macro makes, and the checks of their values. They are small, because the macro's errors
//! are compile errors.

use crate::keys::Keys;
use schemars::schema_for;
use serde_json::json;

crate::keys! {
    /// A table within.
    pub struct Inner {
        /// A share without its lower end.
        part: f64 = 0.5, in above(0.0).to(1.0), "share";
        /// Numbers of a list.
        steps: Vec<f64> = vec![1.0], in 0.0..=9.0, "R", len 1..=3;
    }
}

crate::keys! {
    /// A table.
    pub struct Outer {
        /// A whole number without an upper end.
        ticks: u64 = 3, in 1.., "ticks";
        /// What may be left out.
        most: Option<u32> = None, in 2..=5, "golems";
        /// A flag.
        enabled: bool = true;
        /// A table.
        inner: Inner = Inner::default();
    }
    also flag_has_ticks;
}

impl Outer {
    fn flag_has_ticks(&self, table: &mut crate::check::TableChecker<'_>) {
        table.demand(self.enabled || self.ticks > 2, "enabled", self.enabled, "needs more ticks");
    }
}

crate::keys! {
    /// A table with a key that has no default.
    pub struct Required {
        /// The key.
        tick: u64, in 0.., "ticks";
        /// Another that may be left out.
        #[serde(default)]
        name: Option<String>;
    }
}

fn problem_lines(outer: &Outer) -> Vec<String> {
    outer.problems("outer").iter().map(ToString::to_string).collect()
}

#[test]
fn values_are_held_to_their_declarations() {
    assert_eq!(problem_lines(&Outer::default()), [""; 0]);
    let inner = Inner { part: 0.0, steps: vec![1.0, f64::NAN, 2.0, 3.0] };
    let wrong = Outer { ticks: 0, most: Some(6), enabled: false, inner };
    assert_eq!(
        problem_lines(&wrong),
        [
            "outer.ticks = 0: must be a whole number of at least 1 (ticks)",
            "outer.most = 6: must be a whole number from 2 to 5 (golems)",
            "outer.inner.part = 0: must be a number above 0, at most 1 (share)",
            "outer.inner.steps = 4 entries: must have 1 to 3 entries",
            "outer.inner.steps.1 = NaN: must be a number from 0 to 9 (R)",
            "outer.enabled = false: needs more ticks",
        ]
    );
}

#[test]
fn the_schema_says_the_same() {
    let schema = schema_for!(Outer).to_value();
    let keys = &schema["properties"];
    assert_eq!(
        keys["ticks"],
        json!({
            "description": "A whole number without an upper end.",
            "type": "integer", "format": "uint64", "default": 3, "minimum": 1, "x-unit": "ticks",
        })
    );
    assert_eq!((&keys["most"]["minimum"], &keys["most"]["maximum"]), (&json!(2), &json!(5)));
    let inner = &schema["$defs"]["Inner"]["properties"];
    assert_eq!((&inner["part"]["exclusiveMinimum"], &inner["part"]["maximum"]), (&json!(0.0), &json!(1.0)));
    assert_eq!((&inner["steps"]["minItems"], &inner["steps"]["items"]["maximum"]), (&json!(1), &json!(9.0)));
}

#[test]
fn a_key_without_a_default_is_required() {
    let schema = schema_for!(Required).to_value();
    assert_eq!(schema["required"], json!(["tick"]));
    assert!(serde_json::from_value::<Required>(json!({})).is_err());
    assert_eq!(serde_json::from_value::<Required>(json!({ "tick": 1 })).unwrap().name, None);
}

crate::words! {
    /// Which way it goes.
    #[derive(Default)]
    enum Way: Key {
        /// Up.
        Up = "up",
        /// Down again.
        #[default]
        #[serde(alias = "downwards")]
        DownAgain = "down-again",
    }

    enum Bare: Key {
        One = "one",
        Two = "two",
    }
}

#[test]
fn words_are_the_same_wherever_they_stand() {
    assert_eq!((Way::COUNT, Way::ALL, Way::default().index()), (2, [Way::Up, Way::DownAgain], 1));
    assert_eq!(Way::ALL.map(Way::name), ["up", "down-again"]);
    assert_eq!(format!("{:>4}", Way::Up), "  up");
    for way in Way::ALL {
        assert_eq!(json!(way), json!(way.name()));
        assert_eq!(serde_json::from_value::<Way>(json!(way.to_string())).unwrap(), way);
        assert_eq!(postcard::to_allocvec(&way).unwrap(), [way.index() as u8]);
    }
    assert_eq!(serde_json::from_value::<Way>(json!("downwards")).unwrap(), Way::DownAgain);
    assert_eq!(
        schema_for!(Way).to_value()["oneOf"],
        json!([
            { "description": "Up.", "type": "string", "const": "up" },
            { "description": "Down again.", "type": "string", "const": "down-again" },
        ])
    );
    assert_eq!(schema_for!(Bare).to_value()["enum"], json!(Bare::ALL.map(Bare::name)));
    assert_eq!(Bare::ALL.map(Bare::index), [0, 1]);
}
