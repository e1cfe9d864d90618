//! One declaration for each set of words that files, tables and events have. From it come the enum, the words that serde
//! writes and reads, its list, its `Display` and `FromStr` and, where keys may hold them, their JSON Schema.
//!
//! ```
//! morta_base::words! {
//!     /// What the tide is doing.
//!     #[derive(Default)]
//!     pub enum Tide: Key {
//!         /// It comes.
//!         #[default]
//!         Coming = "coming",
//!         /// It goes.
//!         Going = "going",
//!     }
//! }
//! assert_eq!(Tide::ALL.map(Tide::name), ["coming", "going"]);
//! assert_eq!((Tide::COUNT, Tide::Going.index()), (2, 1));
//! assert_eq!(serde_json::to_string(&Tide::Going).unwrap(), format!("\"{}\"", Tide::Going));
//! assert_eq!(serde_json::from_str::<Tide>("\"coming\"").unwrap(), Tide::default());
//! assert_eq!("going".parse(), Ok(Tide::Going));
//! assert_eq!("gone".parse::<Tide>().unwrap_err().to_string(), "must be coming or going");
//! ```
//!
//! It is a declarative macro for string enums. Words are case-sensitive, and an unknown one is refused with the list of all. In binary
//! formats the variant's number stands for the word.

/// The error of a text that is none of the words (an unknown enum value); the message lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be {}", listed(.0))]
pub struct UnknownWord(#[doc(hidden)] pub &'static [&'static str]);

fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        words => words.join(""),
    }
}

/// Declares enums that are written as words; see [`words`](mod@crate::keys::words).
///
/// A variant reads `Name = "word",` under its meaning as a doc comment. Variants are ordered, listed and numbered as they stand,
/// and the number is what events and snapshots have: new ones come last. `: Key` after an enum's name is for words that keys
/// hold, which need a schema. What else an enum derives is said above it; `Clone`, `Copy`, `Debug`, comparisons, `Hash` and
/// serde's two are there already.
#[macro_export]
macro_rules! words {
    ($( $(#[$about:meta])* $vis:vis enum $Words:ident $(: $Key:ident)? { $($variants:tt)+ } )+) => {
        $( $crate::words! { @one [$($Key)?] [$(#[$about])*] $vis $Words { $($variants)+ } } )+
    };
    (@one [Key] [$($about:tt)*] $vis:vis $Words:ident { $($variants:tt)+ }) => {
        $crate::words! { @one [] [#[derive(::schemars::JsonSchema)] $($about)*] $vis $Words { $($variants)+ } }

        impl $crate::keys::KeyValue for $Words {
            type Rule = $crate::keys::Free;
        }
    };
    (@one [] [$($about:tt)*] $vis:vis $Words:ident { $( $(#[$meaning:meta])* $Word:ident = $word:literal, )+ }) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize,
        )]
        $($about)*
        $vis enum $Words {
            $( $(#[$meaning])* #[serde(rename = $word)] $Word, )+
        }

        impl $Words {
            /// Number of variants.
            pub const COUNT: usize = [$($word),+].len();
            /// All variants, in the order of the declaration.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$Word),+];

            /// Its place (ordinal) among all variants, from 0.
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Its word, the string that files have for the variant.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$Word => $word, )+
                }
            }
        }

        impl ::std::fmt::Display for $Words {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $Words {
            type Err = $crate::keys::words::UnknownWord;

            fn from_str(word: &str) -> ::std::result::Result<Self, Self::Err> {
                let known = Self::ALL.into_iter().find(|known| known.name() == word);
                known.ok_or($crate::keys::words::UnknownWord(&[$($word),+]))
            }
        }
    };
}
