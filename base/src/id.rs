//! Stable identities: newtype identifiers (typed ids) of golems, episodes, bloodstains, rules, dreams and letters, with a text form such
//! as `L7.G2.E0` for tables, event logs and commands. A golem is known by its lineage slot and its generation, both from 0, never by the
//! order in which it was created, so that an extra birth in one arm of an experiment renames no other. In JSON the things of a golem are
//! their names and a golem its two numbers; binary formats have numbers alone.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// The slot a family of golems occupies, from 0; successors keep the slot of their predecessor. The upper eight bits are those of
/// the run ([`GolemId::run`]), 0 for all who live in this one.
pub type Lineage = u32;

/// Bits of a lineage that number the slots of one run; the bits above number the run. Our choice: eight bits are left for runs, so that a lineage stays one
/// number of 32 bits, and lineages are ordered by run, then by slot.
const RUN_SHIFT: u32 = 24;

/// One golem: the `generation`-th holder (from 0) of a lineage slot (an agent's id).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GolemId {
    /// The slot of the world it lives in: successors take the place of the dead.
    pub lineage: Lineage,
    /// Generation within the lineage; founders are generation 0.
    pub generation: u32,
}

impl GolemId {
    /// The founder of a lineage: the golem of generation 0.
    #[inline]
    pub const fn founder(lineage: Lineage) -> Self {
        Self { lineage, generation: 0 }
    }

    /// The golem that takes over the slot after this one's death, in the next generation.
    #[inline]
    pub const fn successor(self) -> Self {
        Self { lineage: self.lineage, generation: self.generation + 1 }
    }

    /// A golem of another run, as this run names it: `run` is 0 for this one, and from 1 on the number of an earlier run in the list of
    /// those whose Lethe this run began with (a bit field in the upper eight bits).
    ///
    /// # Panics
    /// When the lineage is not below 2^24, which is more than a world can have.
    #[inline]
    pub const fn of_run(run: u8, lineage: Lineage, generation: u32) -> Self {
        assert!(lineage < 1 << RUN_SHIFT, "a lineage of a world is below 2^24");
        Self { lineage: ((run as u32) << RUN_SHIFT) | lineage, generation }
    }

    /// Characters of its name (display length). They are counted rather than written: a dream prices hundreds of lines with names in them that no model
    /// will be shown.
    pub fn text_length(self) -> usize {
        let run = if self.run() > 0 { "A.".len() + digits(self.run().into()) } else { 0 };
        run + "L.G".len() + digits(self.slot()) + digits(self.generation)
    }

    /// The number of the run it lived in: 0 for this one.
    #[inline]
    pub const fn run(self) -> u8 {
        (self.lineage >> RUN_SHIFT) as u8
    }

    /// The number of its lineage slot in the run it lived in.
    #[inline]
    pub const fn slot(self) -> Lineage {
        self.lineage & ((1 << RUN_SHIFT) - 1)
    }

    /// Packs both parts into one number: lineage in the upper half.
    ///
    /// Packed names sort as names do, so that a map of them has the same order.
    #[inline]
    pub const fn packed(self) -> u64 {
        ((self.lineage as u64) << 32) | self.generation as u64
    }
}

impl fmt::Display for GolemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Spelling::for_golem(*self).as_str())
    }
}

/// Longest name: run, slot, generation and number, each with its letter and point.
const NAME_BYTES: usize = "A255.L16777215.G4294967295.E4294967295".len();

/// A name being written. A run's events and tables have a million of them; `write!` of their parts took a fiftieth of its time.
struct Spelling {
    bytes: [u8; NAME_BYTES],
    len: usize,
}

/// Decimal digits of a number.
fn digits(number: u32) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

impl Spelling {
    fn for_golem(golem: GolemId) -> Self {
        let mut name = Self { bytes: [0; NAME_BYTES], len: 0 };
        if golem.run() > 0 {
            name.push("A", golem.run().into());
            name.push(".L", golem.slot());
        } else {
            name.push("L", golem.slot());
        }
        name.push(".G", golem.generation);
        name
    }

    fn push(&mut self, letter: &str, number: u32) {
        let mut digits = itoa::Buffer::new();
        for part in [letter, digits.format(number)] {
            self.bytes[self.len..][..part.len()].copy_from_slice(part.as_bytes());
            self.len += part.len();
        }
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("letters and digits are text")
    }
}

/// The error of a text that is not a golem's name (parse error).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a golem: write a lineage and a generation, as in L7.G2")]
pub struct GolemIdParseError(String);

impl FromStr for GolemId {
    type Err = GolemIdParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (run, rest) = match text.strip_prefix(['A', 'a']) {
                Some(named) => {
                    let (run, rest) = named.split_once('.')?;
                    // Run 0 is this one and has no letter: otherwise one golem would have two names, and the second would join no row of a table.
                    (run.parse().ok().filter(|run| *run > 0)?, rest)
                }
                None => (0, text),
            };
            let (lineage, generation) = rest.split_once('.')?;
            let lineage: Lineage = lineage.strip_prefix(['L', 'l'])?.parse().ok()?;
            let generation = generation.strip_prefix(['G', 'g'])?.parse().ok()?;
            // Checked here, because `of_run` panics beyond it, and a name may come from any file.
            (lineage < 1 << RUN_SHIFT).then(|| Self::of_run(run, lineage, generation))
        };
        parse().ok_or_else(|| GolemIdParseError(text.to_owned()))
    }
}

/// The error of a text that is not a name of something of a golem's (parse error).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not such a name: write a golem and a number, as in L7.G2.{letter}0")]
pub struct ScopedIdParseError {
    text: String,
    letter: &'static str,
}

/// The two parts of a name of something of a golem's, as binary formats hold it; JSON of builds before 0.2 held it so too.
#[derive(Serialize, Deserialize)]
struct Parts {
    golem: GolemId,
    number: u32,
}

/// Reads a name, or its two parts, from a format for people.
struct NameOrParts<Id>(PhantomData<Id>);

impl<'de, Id> Visitor<'de> for NameOrParts<Id>
where
    Id: FromStr<Err = ScopedIdParseError> + From<Parts>,
{
    type Value = Id;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name as in L7.G2.E0, or its golem and number")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Id, E> {
        name.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<Id, A::Error> {
        Parts::deserialize(MapAccessDeserializer::new(parts)).map(Id::from)
    }
}

macro_rules! scoped_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            /// The golem that made it.
            pub golem: GolemId,
            /// Its number in that golem's life, from 0.
            pub number: u32,
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.spelling().as_str())
            }
        }

        impl $name {
            /// Characters of its name (display length), counted rather than written because prompts are priced by their length.
            pub fn text_length(&self) -> usize {
                self.golem.text_length() + concat!(".", $letter).len() + digits(self.number)
            }

            fn spelling(&self) -> Spelling {
                let mut name = Spelling::for_golem(self.golem);
                name.push(concat!(".", $letter), self.number);
                name
            }
        }

        // JSON has the name that tables and commands have, so that the two can be joined; an object of its parts was a seventh of the text of
        // a run's events. Binary formats (checkpoints, digests) have the parts.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    return serializer.serialize_str(self.spelling().as_str());
                }
                Parts { golem: self.golem, number: self.number }.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    return deserializer.deserialize_any(NameOrParts(PhantomData));
                }
                Parts::deserialize(deserializer).map(Self::from)
            }
        }

        impl From<Parts> for $name {
            fn from(Parts { golem, number }: Parts) -> Self {
                Self { golem, number }
            }
        }

        impl FromStr for $name {
            type Err = ScopedIdParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let parse = || {
                    let (golem, number) = text.rsplit_once('.')?;
                    let number = number.strip_prefix($letter).or(number.strip_prefix(&$letter.to_lowercase()))?;
                    Some(Self { golem: golem.parse().ok()?, number: number.parse().ok()? })
                };
                parse().ok_or_else(|| ScopedIdParseError { text: text.to_owned(), letter: $letter })
            }
        }
    };
}

scoped_id!(
    /// One episode in the life of the golem that lived it (episode identifier); heirs keep the original's identity.
    EpisodeId, "E"
);
scoped_id!(
    /// One bloodstain left by a dead golem (bloodstain identifier).
    BloodstainId, "B"
);
scoped_id!(
    /// One rule of a playbook, from its staging on (rule identifier); heirs keep the original's identity.
    RuleId, "R"
);
scoped_id!(
    /// One dream cycle of a golem (dream identifier).
    DreamId, "D"
);
scoped_id!(
    /// One letter from a golem to a shared actor (message identifier); shared actors handle letters in this order.
    LetterId, "M"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let id = GolemId { lineage: 12, generation: 3 };
        assert_eq!(id.to_string(), "L12.G3");
        assert_eq!("l12.g3".parse(), Ok(id));
        for bad in ["", "L1", "1.2", "L1.G", "L-1.G0", "L99999999999.G0"] {
            assert!(bad.parse::<GolemId>().is_err(), "{bad}");
        }
        let dream = DreamId { golem: id, number: 4 };
        assert_eq!(dream.to_string().parse(), Ok(dream));
        for (run, slot, number) in
            [(0, 0, 0), (1, 9, 10), (99, 1_000, 99_999), (255, (1 << 24) - 1, u32::MAX)]
        {
            let golem = GolemId::of_run(run, slot, number);
            let episode = EpisodeId { golem, number };
            assert_eq!(
                (golem.text_length(), episode.text_length()),
                (golem.to_string().len(), episode.to_string().len())
            );
        }
        assert!("L1.G2.B4".parse::<DreamId>().is_err() && "D4".parse::<DreamId>().is_err());
    }

    /// The dead of earlier runs have names of their own, and none of them is the name of anybody of this run.
    #[test]
    fn the_dead_of_earlier_runs_have_names_of_their_own() {
        let old = GolemId::of_run(2, 12, 3);
        assert_eq!((old.run(), old.slot(), old.to_string().as_str()), (2, 12, "A2.L12.G3"));
        assert_eq!("a2.l12.g3".parse(), Ok(old));
        let longest =
            EpisodeId { golem: GolemId::of_run(255, (1 << RUN_SHIFT) - 1, u32::MAX), number: u32::MAX };
        assert_eq!(longest.to_string().parse(), Ok(longest));
        assert_ne!(old, GolemId { lineage: 12, generation: 3 });
        let left = BloodstainId { golem: old, number: 7 };
        assert_eq!(left.to_string().parse(), Ok(left));
        for bad in ["A0.L1.G1", "A256.L1.G1", "A1.L16777216.G0", "A1"] {
            assert!(bad.parse::<GolemId>().is_err(), "{bad}");
        }
    }

    /// JSON has the name, builds before wrote the parts, and binary formats have the parts still: digests depend on it.
    #[test]
    fn formats_for_people_have_the_name_and_binary_ones_the_parts() {
        let id = EpisodeId { golem: GolemId { lineage: 6, generation: 1 }, number: 20 };
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"L6.G1.E20\"");
        for json in ["\"L6.G1.E20\"", r#"{"golem":{"lineage":6,"generation":1},"number":20}"#] {
            assert_eq!(serde_json::from_str::<EpisodeId>(json).unwrap(), id, "{json}");
        }
        for bad in ["\"L6.G1.B20\"", "\"\"", "20", "{}"] {
            assert!(serde_json::from_str::<EpisodeId>(bad).is_err(), "{bad}");
        }
        let bytes = postcard::to_allocvec(&id).unwrap();
        assert_eq!(bytes, [6, 1, 20]);
        assert_eq!(postcard::from_bytes::<EpisodeId>(&bytes).unwrap(), id);
    }

    #[test]
    fn order_is_lineage_then_generation() {
        let a = GolemId { lineage: 0, generation: 9 };
        let b = GolemId { lineage: 1, generation: 0 };
        assert!(a < b && a.packed() < b.packed());
    }
}
