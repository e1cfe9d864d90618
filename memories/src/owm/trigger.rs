//! The language of triggers (digest section 9): a small predicate language for plans and for the validity conditions of beliefs. A trigger
//! is a JSON object whose keys are fields and whose values are a scalar (equality) or an object of comparisons `gt`, `gte`, `lt`, `lte`,
//! `eq`, `ne`, `in`; all must hold. By `holds`, a field that the situation doesn't know and an empty trigger never trigger; `may_hold` lets
//! fields that its caller names be unknown. The caller supplies the fields, so their names and units are the caller's; a misspelt name is
//! an unknown field, not an error. The language is ours, because the document asks for any computable predicate; the original triggers
//! always on an empty condition.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// A value of a field, owned: a number, a text or a flag (a scalar of JSON).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scalar {
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// True or false.
    Flag(bool),
}

/// A value of a field, borrowed: a number, a text or a flag (a scalar).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// A number.
    Number(f64),
    /// A word.
    Text(&'a str),
    /// True or false.
    Flag(bool),
}

/// A function that looks up a known field of a situation by its name; `None` for an unknown one.
pub type KnownFields<'a> = dyn Fn(&str) -> Option<FieldValue<'a>> + 'a;

/// A comparison operator for the value of a field. A value of another type fails every comparison except `ne`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Above a number.
    Gt(f64),
    /// At or above a number.
    Gte(f64),
    /// Below a number.
    Lt(f64),
    /// At or below a number.
    Lte(f64),
    /// Equal to a value.
    Eq(Scalar),
    /// Different from a value.
    Ne(Scalar),
    /// Equal to one of several values.
    In(Vec<Scalar>),
}

/// The tests of one field: a predicate, joined by a logical and.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// Name of the field, as the caller has it.
    pub field: String,
    /// Tests of its value; all must pass.
    pub tests: Vec<Test>,
}

/// A trigger: conditions on the fields of a situation (a predicate). Its derived serde form is that of checkpoints; users' JSON is read by
/// `Trigger::from_json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    /// The conditions; all must hold. A trigger without conditions never holds.
    pub conditions: Vec<Condition>,
}

/// The reason why a trigger can't be parsed, such as an unknown operator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TriggerError {
    /// The trigger isn't a JSON object.
    #[error("a trigger must be an object of fields")]
    NotAnObject,
    /// A comparison is unknown.
    #[error("field {field}: unknown operator {operator}; use gt, gte, lt, lte, eq, ne or in")]
    UnknownOperator {
        /// Name of the field.
        field: String,
        /// The unknown comparison.
        operator: String,
    },
    /// A comparison has an operand of the wrong type.
    #[error("field {field}: {operator} needs {needs}")]
    Operand {
        /// Name of the field.
        field: String,
        /// The comparison.
        operator: String,
        /// The type of operand that it needs.
        needs: &'static str,
    },
}

impl Scalar {
    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_f64().map(Self::Number),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Bool(flag) => Some(Self::Flag(*flag)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Number(number) => Value::from(*number),
            Self::Text(text) => Value::from(text.as_str()),
            Self::Flag(flag) => Value::from(*flag),
        }
    }

    fn is(&self, value: FieldValue<'_>) -> bool {
        match (self, value) {
            (Self::Number(a), FieldValue::Number(b)) => *a == b,
            (Self::Text(a), FieldValue::Text(b)) => a == b,
            (Self::Flag(a), FieldValue::Flag(b)) => *a == b,
            _ => false,
        }
    }
}

impl Test {
    fn from_json(field: &str, operator: &str, value: &Value) -> Result<Self, TriggerError> {
        let refuse =
            |needs| TriggerError::Operand { field: field.to_owned(), operator: operator.to_owned(), needs };
        let number = || value.as_f64().ok_or_else(|| refuse("a number"));
        let scalar = || Scalar::from_json(value).ok_or_else(|| refuse("a number, a text, true or false"));
        Ok(match operator {
            "gt" => Self::Gt(number()?),
            "gte" => Self::Gte(number()?),
            "lt" => Self::Lt(number()?),
            "lte" => Self::Lte(number()?),
            "eq" => Self::Eq(scalar()?),
            "ne" => Self::Ne(scalar()?),
            "in" => {
                let list = value.as_array().ok_or_else(|| refuse("a list"))?;
                let scalars: Option<Vec<Scalar>> = list.iter().map(Scalar::from_json).collect();
                Self::In(scalars.ok_or_else(|| refuse("a list of numbers, texts, true or false"))?)
            }
            _ => {
                return Err(TriggerError::UnknownOperator {
                    field: field.to_owned(),
                    operator: operator.to_owned(),
                });
            }
        })
    }

    fn to_json(&self) -> (&'static str, Value) {
        match self {
            Self::Gt(number) => ("gt", Value::from(*number)),
            Self::Gte(number) => ("gte", Value::from(*number)),
            Self::Lt(number) => ("lt", Value::from(*number)),
            Self::Lte(number) => ("lte", Value::from(*number)),
            Self::Eq(scalar) => ("eq", scalar.to_json()),
            Self::Ne(scalar) => ("ne", scalar.to_json()),
            Self::In(list) => ("in", list.iter().map(Scalar::to_json).collect()),
        }
    }

    fn holds(&self, value: FieldValue<'_>) -> bool {
        let number = |test: &dyn Fn(f64) -> bool| matches!(value, FieldValue::Number(x) if test(x));
        match self {
            Self::Gt(bound) => number(&|x| x > *bound),
            Self::Gte(bound) => number(&|x| x >= *bound),
            Self::Lt(bound) => number(&|x| x < *bound),
            Self::Lte(bound) => number(&|x| x <= *bound),
            Self::Eq(scalar) => scalar.is(value),
            Self::Ne(scalar) => !scalar.is(value),
            Self::In(list) => list.iter().any(|scalar| scalar.is(value)),
        }
    }
}

impl Trigger {
    /// Adds the condition that a field equals a word (builder).
    pub fn and_is(mut self, field: &str, word: &str) -> Self {
        let tests = vec![Test::Eq(Scalar::Text(word.to_owned()))];
        self.conditions.push(Condition { field: field.to_owned(), tests });
        self
    }

    /// Adds the condition that a field is above a number, a threshold (builder).
    pub fn and_above(mut self, field: &str, bound: f64) -> Self {
        self.conditions.push(Condition { field: field.to_owned(), tests: vec![Test::Gt(bound)] });
        self
    }

    /// Parses a trigger from JSON.
    ///
    /// # Errors
    /// When it isn't an object of fields with scalars or known comparisons.
    pub fn from_json(value: &Value) -> Result<Self, TriggerError> {
        let fields = value.as_object().ok_or(TriggerError::NotAnObject)?;
        let condition = |(field, wanted): (&String, &Value)| {
            let tests = match wanted {
                Value::Object(tests) => {
                    tests.iter().map(|(operator, value)| Test::from_json(field, operator, value)).collect()
                }
                scalar => Test::from_json(field, "eq", scalar).map(|test| vec![test]),
            };
            tests.map(|tests| Condition { field: field.clone(), tests })
        };
        Ok(Self { conditions: fields.iter().map(condition).collect::<Result<_, _>>()? })
    }

    /// Serialises the trigger as JSON; a single equality is written as a scalar.
    pub fn to_json(&self) -> Value {
        let condition = |condition: &Condition| {
            let wanted = match condition.tests.as_slice() {
                [Test::Eq(scalar)] => scalar.to_json(),
                tests => Value::Object(
                    tests.iter().map(Test::to_json).map(|(key, value)| (key.to_owned(), value)).collect(),
                ),
            };
            (condition.field.clone(), wanted)
        };
        Value::Object(self.conditions.iter().map(condition).collect::<Map<_, _>>())
    }

    /// Whether it holds, if conditions on unknown fields named in `open` count as holding (partial evaluation). Unlike `Trigger::holds`, it
    /// is true without conditions.
    pub fn may_hold<'a>(&self, open: &[&str], field: impl Fn(&str) -> Option<FieldValue<'a>>) -> bool {
        self.conditions.iter().all(|condition| match field(&condition.field) {
            Some(value) => condition.tests.iter().all(|test| test.holds(value)),
            None => open.contains(&condition.field.as_str()),
        })
    }

    /// Evaluates it: whether it holds for the known fields. A condition without tests holds if its field is known.
    pub fn holds<'a>(&self, field: impl Fn(&str) -> Option<FieldValue<'a>>) -> bool {
        !self.conditions.is_empty() && self.may_hold(&[], field)
    }
}
