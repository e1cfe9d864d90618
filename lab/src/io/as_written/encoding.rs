//! Bytes of an export as text: gzip decompression and detection of the character encoding. A text is UTF-8, or UTF-16 with or without its
//! byte order mark (BOM). All other bytes are read as Windows-1252, because Latin-1 is a part of it and any byte has a character in it, so
//! that an export of an old program isn't refused. Nothing here bounds the decompressed size: the callers do (`crate::io::bounded_lines`).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use flate2::read::MultiGzDecoder;
use std::io::{self, BufRead as _, BufReader, Read};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Bytes looked at where a text names no encoding: enough for a header, few enough to cost nothing.
const LOOKED_AT: usize = 4_096;

/// Decompresses a text that gzip may have compressed. Its first bytes say so (magic bytes) and not its name, since downloads often keep
/// `.csv` for a compressed file.
///
/// # Errors
/// When it can't be read.
pub fn decompressed<'a>(from: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut from = BufReader::with_capacity(1 << 16, from);
    let is_gzip = from.fill_buf()?.starts_with(&GZIP_MAGIC);
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(from)) } else { Box::new(from) })
}

/// Decodes the text of a file, and names the encoding it was read by if that isn't UTF-8 (charset detection).
pub fn text(bytes: &[u8]) -> (String, Option<&'static str>) {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = marked
        .or_else(|| unmarked_utf_16(bytes))
        .unwrap_or_else(|| if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 });
    let (text, ..) = encoding.decode(bytes);
    (text.into_owned(), (encoding != UTF_8).then(|| encoding.name()))
}

/// MetaTrader writes UTF-16 without a mark where an expert writes the file itself: every other byte of ASCII is 0 then.
fn unmarked_utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let zeros_at = |rest: usize| head.iter().skip(rest).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros_at(0), zeros_at(1));
    let most = head.len() / 4;
    match (even > most, odd > most) {
        (false, true) => Some(UTF_16LE),
        (true, false) => Some(UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn encodings_are_recognised() {
        let wide = |mark: bool| {
            let mark = if mark { vec![0xff, 0xfe] } else { Vec::new() };
            let units = "Zeit;Größe;Preis\r\n".encode_utf16().flat_map(u16::to_le_bytes);
            mark.into_iter().chain(units).collect::<Vec<u8>>()
        };
        for (bytes, encoding) in [
            ("Zeit;Größe;Preis\r\n".as_bytes().to_vec(), None),
            ([&[0xef, 0xbb, 0xbf], "Zeit;Größe;Preis\r\n".as_bytes()].concat(), None),
            (wide(true), Some("UTF-16LE")),
            (wide(false), Some("UTF-16LE")),
            (b"Zeit;Gr\xf6\xdfe;Preis\r\n".to_vec(), Some("windows-1252")),
        ] {
            assert_eq!(text(&bytes), ("Zeit;Größe;Preis\r\n".to_owned(), encoding));
        }
    }
}
