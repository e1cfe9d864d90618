//! Text in columns (CSV dialect detection, delimiter sniffing): comma, semicolon, tab or bar, the one by which a line has the most names of
//! columns that the caller knows; of equals the one that cuts the first line into most cells, and then the comma. It goes by names and not
//! by counts of signs, because numbers with a decimal comma hold commas too. Only the first 400 lines decide on the delimiter; `reader` and
//! `lines` give the rows. Rows may be of unequal length here: the caller checks them. Readers of price files, of `morta stats` and of trade
//! exports share it.

/// Signs between columns; of equally good ones the first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Lines in which a header is looked for.
pub const LOOKED_AT: usize = 400;

/// A row of trimmed cells, with the number of its line, from 1. The tools of owm hold rows of HTML and workbooks in it too.
pub type NumberedRow = (usize, Vec<String>);

/// Normalises the line ends of a text from CRLF to LF, because the reader counts a line of Windows' after the next has begun.
pub fn with_plain_line_ends(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

/// Detects the delimiter: the one by which some line has the most names of columns, as a caller counts them.
pub fn delimiter(text: &str, names_of: impl Fn(&[String]) -> usize) -> u8 {
    let merit = |delimiter: &u8| {
        let lines = lines(text, *delimiter, LOOKED_AT);
        let names = lines.iter().map(|(_, cells)| names_of(cells)).max().unwrap_or(0);
        // Where no name is known, the delimiter that cuts the first line into most is it.
        (names, lines.first().map_or(0, |(_, cells)| cells.len()))
    };
    let mut best = (DELIMITERS[0], merit(&DELIMITERS[0]));
    for delimiter in DELIMITERS.into_iter().skip(1) {
        let merit = merit(&delimiter);
        if merit > best.1 {
            best = (delimiter, merit);
        }
    }
    best.0
}

/// Makes a CSV reader of all rows of a text, the header among them; rows may differ in length.
pub fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes())
}

/// Reads the first `most` rows of a text with their line numbers, as a preview for finding the header (CSV records).
pub fn lines(text: &str, delimiter: u8, most: usize) -> Vec<NumberedRow> {
    let mut lines = Vec::new();
    // The text is UTF-8 and its rows may differ in length, so nothing is left that the library refuses.
    for record in reader(text, delimiter).records().take(most).flatten() {
        let line = record.position().map_or(lines.len() + 1, |position| position.line() as usize);
        lines.push((line, record.iter().map(|cell| cell.trim().to_owned()).collect()));
    }
    lines
}
