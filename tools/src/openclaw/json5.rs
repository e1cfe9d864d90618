//! JSON5, in which OpenClaw's users write their configuration, read with the place of every value, so that one can be changed and all else stay.

use serde_json::{Map, Value};

/// Lists and objects that may lie in one another.
const DEEPEST: u32 = 100;

/// A value and where it stands.
#[derive(Debug)]
pub struct Node {
    /// Its first byte.
    pub from: usize,
    /// The byte after its last one.
    pub to: usize,
    /// What it holds.
    pub content: Content,
}

/// What a value holds.
#[derive(Debug)]
pub enum Content {
    /// A text, a number, true, false or null.
    Scalar(Value),
    /// A list.
    List(Vec<Node>),
    /// An object, and whether a comma follows its last value.
    Object(Vec<(String, Node)>, bool),
}

/// What isn't JSON5, and where.
#[derive(Debug)]
pub struct Fault {
    /// The byte.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
}

impl Node {
    /// The value by itself; of a key that comes twice the last one.
    pub fn value(&self) -> Value {
        match &self.content {
            Content::Scalar(value) => value.clone(),
            Content::List(list) => list.iter().map(Self::value).collect(),
            Content::Object(members, _) => {
                let members = members.iter().map(|(key, node)| (key.clone(), node.value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }
}

/// Reads a text of JSON5.
///
/// # Errors
/// When it isn't that.
pub fn parse(text: &str) -> Result<Node, Fault> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let node = reader.value()?;
    reader.skip()?;
    if reader.at < text.len() { reader.fault("more than one value") } else { Ok(node) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    const fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(Fault { at: self.at, what })
    }

    /// Passes white space and comments.
    fn skip(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            let blank =
                rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
            self.at += rest.len() - blank.len();
            if blank.starts_with("//") {
                self.at += blank.find('\n').unwrap_or(blank.len());
            } else if let Some(comment) = blank.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else { return self.fault("a comment without an end") };
                self.at += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    /// Passes a letter, if it comes next.
    fn takes(&mut self, letter: char) -> Result<bool, Fault> {
        self.skip()?;
        let takes = self.rest().starts_with(letter);
        self.at += if takes { letter.len_utf8() } else { 0 };
        Ok(takes)
    }

    fn value(&mut self) -> Result<Node, Fault> {
        self.skip()?;
        let from = self.at;
        if self.depth > DEEPEST {
            return self.fault("lists and objects lie too deep");
        }
        let content = match self.rest().chars().next() {
            Some('{') => self.inside(Self::object)?,
            Some('[') => self.inside(Self::list)?,
            Some('"' | '\'') => Content::Scalar(Value::String(self.string()?)),
            _ => Content::Scalar(self.word()?),
        };
        Ok(Node { from, to: self.at, content })
    }

    fn inside(&mut self, read: fn(&mut Self) -> Result<Content, Fault>) -> Result<Content, Fault> {
        (self.at, self.depth) = (self.at + 1, self.depth + 1);
        let content = read(self);
        self.depth -= 1;
        content
    }

    fn object(&mut self) -> Result<Content, Fault> {
        let (mut members, mut comma) = (Vec::new(), false);
        while !self.takes('}')? {
            if !members.is_empty() && !comma {
                return self.fault("a comma is missing, or a }");
            }
            let key = self.key()?;
            if !self.takes(':')? {
                return self.fault("a colon is missing");
            }
            members.push((key, self.value()?));
            comma = self.takes(',')?;
        }
        Ok(Content::Object(members, comma))
    }

    fn list(&mut self) -> Result<Content, Fault> {
        let (mut list, mut comma) = (Vec::new(), true);
        while !self.takes(']')? {
            if !comma {
                return self.fault("a comma is missing, or a ]");
            }
            list.push(self.value()?);
            comma = self.takes(',')?;
        }
        Ok(Content::List(list))
    }

    fn key(&mut self) -> Result<String, Fault> {
        if self.rest().starts_with(['"', '\'']) {
            return self.string();
        }
        let letters = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        let word = self.run(letters);
        if word.is_empty() { self.fault("a key is missing") } else { Ok(word.to_owned()) }
    }

    fn run(&mut self, is_of_it: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let word = &rest[..rest.find(|letter| !is_of_it(letter)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let from = self.at;
        let word = self.run(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'));
        let bare = word.trim_start_matches('+');
        if let Ok(value) = serde_json::from_str(bare) {
            return Ok(value);
        }
        let hex = bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X"));
        let number = match hex {
            Some(hex) => u32::from_str_radix(hex, 16).ok().map(f64::from),
            None => bare.parse().ok().filter(|number: &f64| number.is_finite()),
        };
        number.map(Value::from).ok_or(Fault { at: from, what: "a value is missing, or isn't JSON" })
    }

    fn string(&mut self) -> Result<String, Fault> {
        let mut letters = self.rest().char_indices();
        let quote = letters.next().map(|(_, quote)| quote);
        let mut text = String::new();
        while let Some((at, letter)) = letters.next() {
            if Some(letter) == quote {
                self.at += at + 1;
                return Ok(text);
            }
            match letter {
                '\n' => break,
                '\\' => escape(&mut letters, &mut text)
                    .ok_or(Fault { at: self.at + at, what: "no such escape" })?,
                other => text.push(other),
            }
        }
        self.fault("a text without an end")
    }
}

fn escape(letters: &mut std::str::CharIndices<'_>, text: &mut String) -> Option<()> {
    let (_, letter) = letters.next()?;
    text.push(match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' => '\0',
        'x' => char::from_u32(hex(letters, 2)?)?,
        'u' => return unicode(letters, text),
        // A line goes on in the next.
        '\n' => return Some(()),
        '\r' => return letters.next().filter(|(_, next)| *next == '\n').map(drop),
        other => other,
    });
    Some(())
}

fn unicode(letters: &mut std::str::CharIndices<'_>, text: &mut String) -> Option<()> {
    let first = hex(letters, 4)?;
    let code = match first {
        0xd800..=0xdbff => {
            let follows = letters.next()?.1 == '\\' && letters.next()?.1 == 'u';
            let second = hex(letters, 4).filter(|second| follows && (0xdc00..=0xdfff).contains(second))?;
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        }
        other => other,
    };
    text.push(char::from_u32(code)?);
    Some(())
}

fn hex(letters: &mut std::str::CharIndices<'_>, digits: u32) -> Option<u32> {
    (0..digits).try_fold(0, |sum, _| Some(sum * 16 + letters.next()?.1.to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// Values as configurations hold them, nested and empty ones too.
    fn values() -> impl Strategy<Value = Value> {
        let numbers = prop_oneof![any::<i32>().prop_map(Value::from), (-1e9..1e9_f64).prop_map(Value::from)];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            numbers,
            any::<String>().prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map("[a-zA-Z_$][a-zA-Z0-9_$]{0,8}", inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// The same as a user may have written it: keys without quotes, single quotes, remarks, commas after the last.
    fn loosely(value: &Value, style: u8) -> String {
        let comma = if style & 1 == 0 { "," } else { "" };
        let remark = ["", " // a remark\n", " /* { */ ", "\n\t"][usize::from(style >> 1 & 3)];
        match value {
            Value::Array(list) if !list.is_empty() => {
                let inside: Vec<String> = list.iter().map(|value| loosely(value, style)).collect();
                format!("[{remark}{}{comma}]", inside.join(","))
            }
            Value::Object(members) if !members.is_empty() => {
                let inside =
                    members.iter().map(|(key, value)| format!("{key}{remark}:{}", loosely(value, style)));
                format!("{{{}{comma}{remark}}}", inside.collect::<Vec<_>>().join(","))
            }
            Value::String(text)
                if style & 8 == 0
                    && !text.contains(['\'', '"', '\\'])
                    && !text.contains(char::is_control) =>
            {
                format!("'{text}'")
            }
            other => other.to_string(),
        }
    }

    proptest! {
        #[test]
        fn what_is_written_loosely_is_read_as_it_is(value in values(), style in 0..16_u8) {
            let text = loosely(&value, style);
            let node = parse(&text).map_err(|fault| TestCaseError::fail(format!("{text}: {} at {}", fault.what, fault.at)))?;
            prop_assert_eq!(node.value(), value, "{}", text);
        }

        #[test]
        fn no_text_is_too_strange(text in any::<String>(), marks in "[\\[\\]{}:,'\"/*\\\\ \n0-9a-fxu+.-]{0,60}") {
            for text in [text, marks] {
                if let Err(fault) = parse(&text) {
                    prop_assert!(fault.at <= text.len(), "{}", text);
                }
            }
        }
    }

    #[test]
    fn what_users_write_is_read() {
        let text = "\u{feff}// mine\n{ a: 'it\\'s', \"b\": [1, .5, +2, 0x10,], /* c */ c_$: { d: null, }, e: '\\ud83d\\ude00' }\n";
        let read = parse(text).unwrap().value();
        assert_eq!(read, json!({ "a": "it's", "b": [1, 0.5, 2, 16.0], "c_$": { "d": null }, "e": "😀" }));
    }

    #[test]
    fn what_isnt_json5_is_refused_where_it_stands() {
        for (text, at) in [
            ("{a 1}", 3),
            ("{a: 1 b: 2}", 6),
            ("[1 2]", 3),
            ("{a: 'x\n'}", 4),
            ("/* x", 0),
            ("{} {}", 3),
            ("", 0),
            ("{a: NaN}", 4),
            ("'\\ud83d'", 1),
        ] {
            assert_eq!(parse(text).unwrap_err().at, at, "{text}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
