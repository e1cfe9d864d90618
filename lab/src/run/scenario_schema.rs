//! The JSON Schema of scenario files, made from the engine's types (schemars), and how to read it: types, numeric ranges, units and
//! descriptions of keys. Files are checked by it before the types read them, `morta schema` prints it and the reference page of keys. It is
//! made and not written by hand, so that it can't fall behind the engine. `shape` reads the schemas of sweep files, replications and plans
//! too; those have their parts inlined, because `resolve` looks references up in the scenario's schema alone. `morta sensitivity` finds in
//! the scenario's the keys that it may move, with their ranges.

use morta_engine::world::Scenario;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::sync::OnceLock;

/// The JSON Schema of scenarios, made once in a process.
pub fn root() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(Scenario).to_value())
}

/// Makes the JSON Schema of another kind of file with every type inlined: references are looked up in the scenario's alone.
pub fn inlined<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The type of a place in a scenario: which values its schema allows.
pub enum Shape {
    /// True or false.
    Bool,
    /// Whole numbers: the least and the largest that the type can hold, and of these the ones that are declared. `shape` refuses by the
    /// type's alone; the declared range is for words, and checked with the values.
    Integer(i128, i128, Declared),
    /// Numbers, and which of them.
    Number(Declared),
    /// Dollars, as a number or as a text.
    Amount,
    /// Any text.
    Text,
    /// One of these texts, each with its meaning.
    OneOf(Vec<(&'static str, &'static str)>),
    /// One of these texts, each with its meaning, or another that the program has registered.
    Registered(Vec<(&'static str, &'static str)>),
    /// A list of this, with its least and largest length.
    List(&'static Value, usize, usize),
    /// A table with these keys.
    Table(SchemaTable),
    /// A table whose keys are the file's own, each with such a value.
    Map(&'static Value),
    /// Tables of several kinds; the key that names the kind, and the tables.
    Tagged(&'static str, Vec<(&'static str, SchemaTable)>),
    /// Anything.
    Any,
}

/// The numeric range that a key declares, with its unit: `minimum`, `maximum` and `x-unit` of the schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Its ends in words, as `from 0 to 1000`; empty where there are none.
    pub range: String,
    /// Its unit; empty where none is declared.
    pub unit: &'static str,
}

impl Declared {
    fn from_schema(schema: &'static Value) -> Self {
        let end = |name: &str| number_text(&schema[name]);
        let range = match (end("minimum"), end("exclusiveMinimum"), end("maximum")) {
            (Some(low), _, Some(high)) => format!("from {low} to {high}"),
            (Some(low), _, None) => format!("of at least {low}"),
            (None, Some(low), Some(high)) => format!("above {low}, at most {high}"),
            (None, Some(low), None) => format!("above {low}"),
            (None, None, Some(high)) => format!("of at most {high}"),
            (None, None, None) => String::new(),
        };
        Self { range, unit: schema["x-unit"].as_str().unwrap_or_default() }
    }

    fn words(&self, noun: &str) -> String {
        let mut words = noun.to_owned();
        if !self.range.is_empty() {
            words += &format!(" {}", self.range);
        }
        if !self.unit.is_empty() {
            words += &format!(" ({})", self.unit);
        }
        words
    }
}

/// A number without exponents, as the engine's messages have it.
fn number_text(number: &Value) -> Option<String> {
    if number.is_i64() || number.is_u64() {
        Some(number.to_string())
    } else {
        Some(number.as_f64()?.to_string())
    }
}

/// The keys of a table (object schema).
#[derive(Clone)]
pub struct SchemaTable {
    /// Each with the schema of its value, in the order of the type.
    pub keys: Vec<(&'static str, &'static Value)>,
    /// Those that must be there.
    pub required: Vec<&'static str>,
    /// Its description.
    pub description: String,
}

/// Follows references and drops the alternative `null`, which TOML can't say (`$ref`).
pub fn resolve(mut schema: &'static Value) -> &'static Value {
    loop {
        if let Some(name) = schema["$ref"].as_str() {
            schema = &root()["$defs"][name.trim_start_matches("#/$defs/")];
        } else if let [given] = alternatives(schema)[..] {
            schema = given;
        } else {
            return schema;
        }
    }
}

/// The alternatives of a value (`anyOf`), `null` left out; none where its schema has no `anyOf`.
fn alternatives(schema: &'static Value) -> Vec<&'static Value> {
    let any = schema["anyOf"].as_array().into_iter().flatten();
    any.filter(|schema| schema["type"] != "null").collect()
}

/// The description of a key: its own before that of its type, because keys of one type mean different things (schema).
pub fn description(schema: &'static Value) -> &'static str {
    let own = schema["description"].as_str();
    own.or_else(|| resolve(schema)["description"].as_str()).unwrap_or_default()
}

/// Parses the schema of one place.
pub fn shape(schema: &'static Value) -> Shape {
    let schema = resolve(schema);
    if schema["x-registered"] == true {
        return Shape::Registered(words(schema));
    }
    if let Some(kinds) = schema["oneOf"].as_array() {
        return tagged(kinds).unwrap_or_else(|| Shape::OneOf(words(schema)));
    }
    if alternatives(schema).iter().any(|one| one["type"] == "number") {
        return Shape::Amount;
    }
    match type_name(schema) {
        "boolean" => Shape::Bool,
        "integer" => integer(schema),
        "number" => Shape::Number(Declared::from_schema(schema)),
        "string" if schema["enum"].is_array() || schema["const"].is_string() => Shape::OneOf(words(schema)),
        "string" => Shape::Text,
        "array" => {
            let length = |name: &str| schema[name].as_u64().map(|length| length as usize);
            Shape::List(
                &schema["items"],
                length("minItems").unwrap_or(0),
                length("maxItems").unwrap_or(usize::MAX),
            )
        }
        "object" if !schema["properties"].is_object() && schema["additionalProperties"] != false => {
            Shape::Map(&schema["additionalProperties"])
        }
        "object" => Shape::Table(table(schema)),
        _ => Shape::Any,
    }
}

fn type_name(schema: &'static Value) -> &'static str {
    let types = &schema["type"];
    let listed = || types.as_array()?.iter().filter_map(Value::as_str).find(|name| *name != "null");
    types.as_str().or_else(listed).unwrap_or_default()
}

fn integer(schema: &'static Value) -> Shape {
    let (low, high) = match schema["format"].as_str().unwrap_or_default() {
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        _ => (0, i64::MAX.into()),
    };
    Shape::Integer(low, high, Declared::from_schema(schema))
}

fn words(schema: &'static Value) -> Vec<(&'static str, &'static str)> {
    let plain = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let explained = schema["oneOf"].as_array().into_iter().flatten().flat_map(words);
    let own = schema["const"].as_str();
    own.into_iter().chain(plain).map(|word| (word, description(schema))).chain(explained).collect()
}

fn tagged(kinds: &'static [Value]) -> Option<Shape> {
    let mut tag = None;
    let mut tables = Vec::new();
    for kind in kinds {
        let of_kind = table(resolve(kind));
        let (key, name) =
            of_kind.keys.iter().find_map(|(key, schema)| Some((*key, schema["const"].as_str()?)))?;
        tag = Some(key);
        tables.push((name, of_kind));
    }
    Some(Shape::Tagged(tag?, tables))
}

fn table(schema: &'static Value) -> SchemaTable {
    let keys = schema["properties"].as_object();
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    SchemaTable {
        keys: keys.into_iter().flatten().map(|(key, schema)| (key.as_str(), schema)).collect(),
        required: required.collect(),
        description: description(schema).to_owned(),
    }
}

/// Whether a text can be parsed as an amount of money in dollars.
pub(crate) fn is_amount(text: &str) -> bool {
    morta_engine::dream::schedule::Dollars::parse(text).is_some()
}

/// Words the expected type of a value, for a message.
pub fn expected(shape: &Shape) -> String {
    match shape {
        Shape::Bool => "true or false".to_owned(),
        Shape::Integer(.., declared) if !declared.range.is_empty() => declared.words("a whole number"),
        Shape::Integer(low, high, _) if *high < i64::MAX.into() => {
            format!("a whole number from {low} to {high}")
        }
        Shape::Integer(low, ..) if *low > i64::MIN.into() => format!("a whole number of at least {low}"),
        Shape::Integer(..) => "a whole number".to_owned(),
        Shape::Number(declared) => declared.words("a number"),
        Shape::Amount => "an amount in dollars: a number of at least 0, or a text like \"$0.50\"".to_owned(),
        Shape::Text => "a text in quotes".to_owned(),
        Shape::OneOf(words) | Shape::Registered(words) => {
            let words: Vec<_> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            format!("one of {}", words.join(", "))
        }
        Shape::List(item, low, high) => {
            let item = match self::shape(item) {
                Shape::Any => "value".to_owned(),
                other => expected(&other),
            };
            match (*low, *high) {
                (low, high) if low == high => format!("a list of {low} entries, each {item}"),
                (0, usize::MAX) => format!("a list, each entry {item}"),
                (0, high) => format!("a list of at most {high} entries, each {item}"),
                (low, usize::MAX) => format!("a list of at least {low} entries, each {item}"),
                (low, high) => format!("a list of {low} to {high} entries, each {item}"),
            }
        }
        Shape::Table(_) | Shape::Map(_) | Shape::Tagged(..) => "a table".to_owned(),
        Shape::Any => "anything".to_owned(),
    }
}
