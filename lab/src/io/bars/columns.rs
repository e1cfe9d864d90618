//! Which column of a file holds what.

use super::error::BadColumns;

/// Places of the columns of a bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    pub time: usize,
    /// Open, high, low, close; of the bid when there is an ask.
    pub price: [usize; 4],
    pub ask: Option<[usize; 4]>,
    pub volume: Option<usize>,
}

/// The name of the column of times.
pub const TIME: &str = "time_utc";
/// The name of the column of volumes.
pub const VOLUME: &str = "volume";
/// The names of the columns of prices, and the last parts of those of either side.
pub const PRICE: [&str; 4] = ["open", "high", "low", "close"];
const BID: [&str; 4] = ["bid_open", "bid_high", "bid_low", "bid_close"];
const ASK: [&str; 4] = ["ask_open", "ask_high", "ask_low", "ask_close"];

impl Columns {
    /// Finds the columns by their names. The error says which one is missing, or there twice: nobody can tell which of two is meant.
    pub fn find(names: &[&str]) -> Result<Self, BadColumns> {
        let known = [TIME, VOLUME].into_iter().chain(PRICE).chain(BID).chain(ASK);
        for column in known {
            if names.iter().filter(|name| name.trim() == column).count() > 1 {
                return Err(BadColumns::Twice(column));
            }
        }
        let place = |wanted: &str| names.iter().position(|name| name.trim() == wanted);
        let need = |wanted: &'static str| place(wanted).ok_or(BadColumns::Missing(wanted));
        let all = |wanted: [&'static str; 4]| -> Result<[usize; 4], BadColumns> {
            Ok([need(wanted[0])?, need(wanted[1])?, need(wanted[2])?, need(wanted[3])?])
        };
        let two_sided = BID.iter().chain(&ASK).any(|name| place(name).is_some());
        let (price, ask) = if two_sided { (all(BID)?, Some(all(ASK)?)) } else { (all(PRICE)?, None) };
        Ok(Self { time: need(TIME)?, price, ask, volume: place(VOLUME) })
    }

    /// All of them.
    pub fn places(&self) -> Vec<usize> {
        let prices = [Some(self.price), self.ask].into_iter().flatten().flatten();
        [self.time].into_iter().chain(prices).chain(self.volume).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_in_any_order() {
        let found = Columns::find(&["close", "low", "x", "high", "open", " time_utc"]).unwrap();
        assert_eq!(found, Columns { time: 5, price: [4, 3, 1, 0], ask: None, volume: None });
        let one_side = Columns::find(&["time_utc", "bid_open", "bid_high", "bid_low", "bid_close"]);
        assert!(one_side.unwrap_err().to_string().starts_with("has no column ask_open"));
        let twice = Columns::find(&["time_utc", "open", "high", "low", "close", " close"]);
        assert_eq!(twice.unwrap_err().to_string(), "has two columns close: rename one, or leave it out");
        let unused = ["time_utc", "open", "high", "low", "close", "note", "note"];
        assert!(Columns::find(&unused).is_ok(), "of others there may be many");
    }
}
