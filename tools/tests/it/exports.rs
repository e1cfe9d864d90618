//! `morta-memory owm import` on real exports: each case has the shape of a public report, or is a file that a package wrote.

use super::{Room, answer, close, has, printed, refusal, refuses, says, values, write};
use serde_json::{Value, json};
use std::path::Path;

/// The result of an import: its counts, its line on standard error, and the trades in the store.
struct Taken {
    account: Value,
    line: String,
    trades: Vec<Value>,
}

impl Taken {
    fn counted(&self) -> [u64; 2] {
        ["trades", "skipped"].map(|key| self.account[key].as_u64().unwrap())
    }

    fn format(&self) -> &str {
        self.account["format"].as_str().unwrap()
    }

    fn seen(&self, number: usize) -> Seen {
        let trade = &self.trades[number];
        let number =
            |name: &str| trade[name].as_f64().map_or(f64::NAN, |number| (number * 1e6).round() / 1e6);
        let text = |name: &str| trade[name].as_str().unwrap().to_owned();
        (text("direction"), number("entry_price"), number("exit_price"), number("pnl"), text("timestamp"))
    }

    /// Asserts that exactly this trade was imported.
    #[track_caller]
    fn has_one(&self, trade: Seen) {
        assert_eq!((self.counted(), self.seen(0)), ([1, 0], trade), "{}", self.line);
    }

    /// Asserts which format the file had, how many trades were taken and rows skipped, and what the first trades are.
    #[track_caller]
    fn is(&self, format: &str, counted: [u64; 2], first: &[Seen]) {
        let seen: Vec<Seen> = (0..first.len()).map(|number| self.seen(number)).collect();
        assert_eq!((self.format(), self.counted(), &seen[..]), (format, counted, first), "{}", self.line);
    }
}

/// Direction, entry, exit, pnl and moment of a trade.
type Seen = (String, f64, f64, f64, String);

fn long(entry: f64, exit: f64, pnl: f64, at: &str) -> Seen {
    ("long".to_owned(), entry, exit, pnl, at.to_owned())
}

fn short(entry: f64, exit: f64, pnl: f64, at: &str) -> Seen {
    ("short".to_owned(), entry, exit, pnl, at.to_owned())
}

/// The words of `owm import store FILE FLAGS` for such a file, which is written into the room.
fn words<'a>(room: &Path, file_and_flags: &'a str, content: impl AsRef<[u8]>) -> Vec<&'a str> {
    let words: Vec<&str> = ["owm", "import", "store"].into_iter().chain(file_and_flags.split(' ')).collect();
    std::fs::write(room.join(words[3]), content).unwrap();
    words
}

fn import(file_and_flags: &str, content: impl AsRef<[u8]>) -> Taken {
    let room = &Room::new();
    let (account, line) = answer(room, &words(room, file_and_flags, content));
    assert_eq!(line.trim_end().lines().count(), 1, "one line: {line}");
    let trades = values(&printed(room, &["owm", "export", "store"]));
    Taken { account, line, trades }
}

/// Asserts that an import is refused, with all these parts in its one line of error.
#[track_caller]
fn refused(file_and_flags: &str, content: impl AsRef<[u8]>, parts: &[&str]) {
    let room = &Room::new();
    let error = refusal(room, &words(room, file_and_flags, content));
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    says(&error, parts);
    assert!(!room.join("store/owm.json").exists(), "no store is made");
}

fn sql(room: &Path, file: &str, statements: &str) {
    rusqlite::Connection::open(room.join(file)).unwrap().execute_batch(statements).unwrap();
}

fn of_package(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports").join(name)).unwrap()
}

const HEADER: &str = "timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,pnl\n";
const ROW: &str = "2026-01-05 08:15:00,DAX,orb,long,18000,18050,17980,49.5\n";
const AT: &str = "2026-01-05T08:15:00Z";

fn import_dax(file_and_flags: &str, content: impl AsRef<[u8]>) -> Taken {
    let taken = import(file_and_flags, content);
    taken.has_one(long(18000.0, 18050.0, 49.5, AT));
    has(&taken.trades[0], json!({ "pnl_r": 2.5, "symbol": "DAX" }));
    taken
}

#[test]
fn bom_preamble_header_case_and_a_missing_strategy_are_accepted() {
    let plain = format!("{HEADER}{ROW}");
    import_dax("trades.csv", &plain);
    import_dax("bom.csv", format!("\u{feff}{plain}"));
    import_dax("preamble.csv", format!("Account: 5551\nName: J. Doe\n\n{plain}"));
    import_dax("sep.csv", format!("sep=,\r\n{plain}"));
    let header = "Timestamp,Symbol,Strategy,Direction,Entry Price,Exit Price,Stop Loss,PnL\n";
    import_dax("header.csv", format!("{header}{}", ROW.replace("long", "Long")));
    let upper = HEADER.to_uppercase().replace(',', "|");
    import_dax("pipes.txt", format!("{upper}{}", ROW.replace(',', "|")));
    import_dax("tabs.tsv", plain.replace(',', "\t"));
    // Footers, blank lines and totals aren't trades, and are reported once.
    let footers = format!("{plain}\n,,,,,,,49.5\nTotal,,,,,,,49.5\nMade by somebody\n");
    let taken = import("footers.csv", &footers);
    assert_eq!(taken.counted(), [1, 1], "{}", taken.line);
    says(&taken.line, &["1 skipped: 1 (footers.csv:5: is no trade: totals or a note)"]);
    let no_strategy = "timestamp,symbol,side,entry_price,exit_price,stop_loss,pnl\n2026-01-05 08:15:00,DAX,buy,18000,18050,17980,49.5\n";
    let taken = import_dax("trades.csv", no_strategy);
    assert_eq!(taken.trades[0]["strategy_name"], "unnamed");
    says(&taken.line, &["no strategy is named: trades are of \"unnamed\", or --strategy NAME"]);
    let taken = import_dax("trades.csv --strategy orb", no_strategy);
    assert_eq!(taken.trades[0]["strategy_name"], "orb");
}

#[test]
fn utf16_and_windows_1252_are_decoded() {
    let text = format!("Konto: Größe\n{HEADER}{ROW}");
    let wide = |unit: fn(u16) -> [u8; 2], mark: &[u8]| {
        mark.iter().copied().chain(text.encode_utf16().flat_map(unit)).collect::<Vec<u8>>()
    };
    for bytes in [
        wide(u16::to_le_bytes, &[0xff, 0xfe]),
        wide(u16::to_be_bytes, &[0xfe, 0xff]),
        wide(u16::to_le_bytes, &[]),
    ] {
        let taken = import_dax("wide.csv", &bytes);
        assert!(taken.line.contains("read as UTF-16"), "{}", taken.line);
    }
    let latin: Vec<u8> = text.chars().map(|sign| sign as u8).collect();
    let taken = import_dax("latin.csv", &latin);
    assert!(taken.line.contains("read as windows-1252"), "{}", taken.line);
}

/// A German report of MetaTrader, and a broker's list in Windows-1252.
#[test]
fn german_headers_are_known() {
    let report = "Bericht,,,,,,,,,,,,\nZeit,Position,Symbol,Typ,Volumen,Preis,S / L,T / P,Zeit,Preis,Kommission,Swap,Gewinn
2026.01.05 08:15:00,5001,XAUUSD,buy,0.10,4 012.50,4 002.50,4 042.50,2026.01.05 11:20:00,4 030.10,- 0.70,0.00,176.00\n";
    import("bericht.csv", report).has_one(long(4012.5, 4030.1, 176.0, "2026-01-05T11:20:00Z"));
    let list = "Datum;Uhrzeit;Instrument;Richtung;Größe;Einstieg;Ausstieg;Gewinn\n05.01.2026;08:15;DAX;Verkauf;2;18.000,50;17.990,00;21,00 €\n";
    let euro = |sign: char| if sign == '€' { 0x80 } else { sign as u8 };
    let taken = import("liste.csv", list.chars().map(euro).collect::<Vec<u8>>());
    taken.has_one(short(18000.5, 17990.0, 21.0, AT));
    assert_eq!(taken.trades[0]["lot_size"], 2.0);
}

#[test]
fn numbers_with_either_decimal_sign_are_read() {
    let european = |price: &str, pnl: &str| {
        format!(
            "timestamp;symbol;strategy;direction;entry_price;exit_price;stop_loss;pnl\n2026-01-05 08:15:00;DAX;orb;long;{price};18.050,00;17.980,50;{pnl}\n"
        )
    };
    import("trades.csv", european("18.000,50", "49,50")).has_one(long(18000.5, 18050.0, 49.5, AT));
    for (pnl, expected) in [
        ("-49,50", -49.5),
        ("(49,50)", -49.5),
        ("49,50-", -49.5),
        ("− 49,50 €", -49.5),
        ("EUR 1.049,50", 1049.5),
        ("+49,5", 49.5),
    ] {
        assert_eq!(import("trades.csv", european("18.000,50", pnl)).seen(0).3, expected, "{pnl}");
    }
    // An ambiguous column follows the other columns of its file. If all are ambiguous, the user is asked, because a wrong guess would be off by a
    // factor of 1,000.
    assert_eq!(import("trades.csv", european("18.000", "49,50")).seen(0).1, 18000.0);
    let both =
        "timestamp;symbol;direction;entry_price;exit_price\n2026-01-05 08:15:00;DAX;long;1.234;1.250\n";
    let parts = ["trades.csv:2: entry_price = \"1.234\"", "--decimal point or --decimal comma"];
    refused("trades.csv", both, &parts);
    assert_eq!(import("trades.csv --decimal comma", both).seen(0).1, 1234.0);
    assert_eq!(import("trades.csv --decimal point", both).seen(0).1, 1.234);
    let mixed = format!("{HEADER}{}{}", ROW.replace("49.5", "49.55"), ROW.replace("49.5", "\"49,55\""));
    refused("trades.csv", &mixed, &["trades.csv:3: pnl = \"49,55\" has a decimal comma", "on line 2"]);
    let far = import("trades.csv", format!("{HEADER}{ROW}{}", ROW.replace("18000", "1e31")));
    assert_eq!(far.counted(), [1, 1]);
    assert!(far.line.contains("must be 0, or from 1e-30 to 1e30"), "{}", far.line);
    let room = &Room::new();
    refuses(
        room,
        &["owm", "import", "store", "t.csv", "--decimal", "dot"],
        &["--decimal", "must be point or comma"],
    );
}

#[test]
fn dates_of_both_orders_are_read() {
    let of = |dates: &[&str]| {
        let rows: String =
            dates.iter().map(|at| format!("\"{at}\",DAX,orb,long,18000,18050,17980,49.5\n")).collect();
        format!("{HEADER}{rows}")
    };
    for (dates, expected) in [
        (vec!["31/01/2026 08:15", "05/01/2026 08:15:00"], AT),
        (vec!["01/31/2026 8:15 AM", "1/5/2026, 8:15:00 AM"], AT),
        (vec!["05.01.2026 08:15"], AT),
        (vec!["20260105;081500"], AT),
        (vec!["5 Jan 2026 08:15"], AT),
        (vec!["2026-01-05T09:15:00+01:00"], AT),
        (vec!["1767600900"], AT),
        (vec!["1767600900000"], AT),
        (vec!["1767600900000000"], AT),
        (vec!["1767600900000000000"], AT),
        (vec!["46027.34375"], AT),
    ] {
        let taken = import("trades.csv", of(&dates));
        assert_eq!(taken.trades[0]["timestamp"], expected, "{dates:?}: {}", taken.line);
    }
    says(
        &import("trades.csv", of(&["1767600900000"])).line,
        &["timestamp is read as milliseconds since 1970"],
    );
    let both = of(&["05/01/2026 08:15", "06/01/2026 08:15"]);
    let parts = ["trades.csv:2: timestamp = \"05/01/2026 08:15\"", "--dates dmy or --dates mdy"];
    refused("trades.csv", &both, &parts);
    assert_eq!(import("trades.csv --dates dmy", &both).trades[0]["timestamp"], AT);
    let taken = import("trades.csv --dates mdy", &both);
    assert_eq!(taken.trades[0]["timestamp"], "2026-05-01T08:15:00Z");
    let parts = ["trades.csv:3", "has the order mdy", "on line 2 the order dmy"];
    refused("trades.csv", of(&["31/01/2026", "01/31/2026"]), &parts);
    // A day and its times in separate columns, and a zone in a header.
    let apart = "Date,Entry Time,Exit Time,Symbol,Side,Entry Price,Exit Price,PnL\n2026-01-05,08:15:00,09:15,DAX,buy,18000,18050,49.5\n";
    let taken = import("trades.csv", apart);
    has(&taken.trades[0], json!({ "timestamp": "2026-01-05T09:15:00Z", "hold_duration_seconds": 3600.0 }));
    let zoned = "Opening time (UTC+2),Symbol,Opening direction,Entry price,Closing price,Closing time (UTC+2),Net USD\n05/31/2026 10:15:00,EURUSD,Buy,1.1,1.2,05/31/2026 11:15:00,10.5\n";
    import("ctrader.csv", zoned).has_one(long(1.1, 1.2, 10.5, "2026-05-31T09:15:00Z"));
    let bars = "Entry Timestamp,Symbol,Side,Entry Price,Exit Price\n5,DAX,buy,18000,18050.5\n";
    refused("bars.csv", bars, &["bars.csv:2: Entry Timestamp = \"5\": must be a moment"]);
}

#[test]
fn json_is_read_from_lists_nested_lists_and_lines() {
    let trade = r#"{"timestamp": "2026-01-05T08:15:00Z", "symbol": "DAX", "strategy": "orb", "direction": "long",
  "entry_price": 18000, "exit_price": 18050, "stop_loss": 17980, "pnl": 49.5}"#;
    import_dax("trades.json", format!("[\n {trade}\n]\n"));
    import_dax("one.json", trade);
    import_dax(
        "within.json",
        format!("{{\"account\": {{\"name\": \"x\"}}, \"data\": {{\"trades\": [{trade}]}}}}"),
    );
    import_dax("lines.jsonl", format!("{}\n", trade.replace('\n', " ")));
    import_dax(
        "camel.json",
        format!("[{}]", trade.replace("entry_price", "entryPrice").replace("stop_loss", "stopLoss")),
    );
    import_dax(
        "texts.json",
        format!("[{}]", trade.replace("49.5", "\"49.5\"").replace("18000", "\"18000.000\"")),
    );
    let broken = format!("[\n{trade},\n{}\n]", trade.replace("\"long\"", "\"up\""));
    let taken = import("trades.json", &broken);
    assert!(taken.line.contains("trades.json:4: direction = \"up\": must be long"), "{}", taken.line);
    refused("trades.json", format!("[\n{trade},\n"), &["trades.json:", "EOF"]);
}

/// TradeNote#24, #95; mql5.com article 5436.
#[test]
fn metatraders_reports() {
    let csv = "Trade History Report,,,,,,,,,,,,,,
Name:,,,Jane Doe,,,,,,,,,,,
Account:,,,\"5551234 (USD, Broker-Demo, demo, Hedge)\",,,,,,,,,,,
Date:,,,2026.01.31 05:04,,,,,,,,,,,
Positions,,,,,,,,,,,,,,
Time,Position,Symbol,Type,Volume,Price,S / L,T / P,Time,Price,Commission,Swap,Profit,,
2026.01.05 08:15:00,5001,XAUUSD,buy,0.10,4 012.50,4 002.50,4 042.50,2026.01.05 11:20:00,4 030.10,- 0.70,0.00, 176.00,,
2026.01.06 09:00:00,5002,XAUUSD,sell,0.10,4 040.00,4 050.00,4 010.00,2026.01.06 12:00:00,4 050.20,- 0.70,- 1.20,- 102.00,,
Orders,,,,,,,,,,,,,,
Open Time,Order,Symbol,Type,Volume,Price,S / L,T / P,Time,State,,Comment,,,
2026.01.05 08:15:00,9001,XAUUSD,buy,0.10 / 0.10,market,4 002.50,4 042.50,2026.01.05 08:15:00,filled,,,,,
";
    let check = |taken: &Taken| {
        taken.is(
            "MetaTrader 5 positions",
            [2, 0],
            &[
                long(4012.5, 4030.1, 176.0, "2026-01-05T11:20:00Z"),
                short(4040.0, 4050.2, -102.0, "2026-01-06T12:00:00Z"),
            ],
        );
        has(&taken.trades[0], json!({ "id": "5001", "lot_size": 0.1 }));
        assert!((taken.trades[0]["pnl_r"].as_f64().unwrap() - 1.76).abs() < 1e-9);
    };
    check(&import("positions.csv", csv));
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(csv.replace('\n', "\r\n").encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    check(&import("positions.csv", &wide));
    let zoned = import("positions.csv --zone Europe/Helsinki", csv);
    assert_eq!(zoned.seen(0).4, "2026-01-05T09:20:00Z", "the broker's clock");
    let cells = |line: &str| {
        let line = line.replace("\"5551234 (USD, Broker-Demo, demo, Hedge)\"", "5551234");
        // Hidden drill-down cells stand within the rows of real reports.
        let cells = line.split(',').enumerate().map(|(place, cell)| {
            let hidden = if place == 3 && line.starts_with("2026") {
                "<td class=\"hidden\" colspan=\"8\"></td>"
            } else {
                ""
            };
            format!("<td>{}</td>{hidden}", cell.replace(' ', "&nbsp;"))
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = csv.lines().map(cells).collect();
    check(&import(
        "report.html",
        format!(
            "<!DOCTYPE html><html><head><title>x</title></head>\n<body><table>{rows}</table></body></html>"
        ),
    ));
    let case = "<html><head><title>5551: Trade History Report</title></head><body><table><tr><th colspan=14>Positions</th></tr><tr><td>Time</td><td>Position</td><td>Symbol</td><td>Type</td><td>Volume</td><td>Price</td><td>S / L</td><td>T / P</td><td>Time</td><td>Price</td><td>Commission</td><td>Swap</td><td>Profit</td></tr><tr><td>2026.01.05 08:15:00</td><td>5001</td><td>XAUUSD</td><td>buy</td><td>0.10</td><td>4 012.50</td><td>4 002.50</td><td>4 042.50</td><td>2026.01.05 11:20:00</td><td>4 030.10</td><td>-0.70</td><td>0.00</td><td>176.00</td></tr></table></body></html>";
    import("ReportHistory.html", case).has_one(long(4012.5, 4030.1, 176.0, "2026-01-05T11:20:00Z"));
}

#[test]
fn a_tester_has_deals_and_a_statement_has_deposits() {
    let deals = "<html><table><tr><td colspan=13><b>Deals</b></td></tr>
<tr><td>Time</td><td>Deal</td><td>Symbol</td><td>Type</td><td>Direction</td><td>Volume</td><td>Price</td><td>Order</td><td>Commission</td><td>Swap</td><td>Profit</td><td>Balance</td><td>Comment</td></tr>
<tr><td>2026.01.05 00:00:00</td><td>1</td><td></td><td>balance</td><td></td><td></td><td></td><td></td><td>0.00</td><td>0.00</td><td>10 000.00</td><td>10 000.00</td><td></td></tr>
<tr><td>2026.01.05 08:15:00</td><td>2</td><td>EURUSD</td><td>sell</td><td>in</td><td>0.2</td><td>1.10500</td><td>2</td><td>-0.70</td><td>0.00</td><td>0.00</td><td>9 999.30</td><td></td></tr>
<tr><td>2026.01.05 09:15:00</td><td>3</td><td>EURUSD</td><td>buy</td><td>out</td><td>0.1</td><td>1.10400</td><td>3</td><td>-0.35</td><td>-0.10</td><td>10.00</td><td>10 008.85</td><td></td></tr>
<tr><td>2026.01.05 10:15:00</td><td>4</td><td>EURUSD</td><td>buy</td><td>out</td><td>0.1</td><td>1.10700</td><td>4</td><td>-0.35</td><td>0.00</td><td>-20.00</td><td>9 988.50</td><td></td></tr>
</table></html>";
    let taken = import("tester.htm", deals);
    taken.is("MetaTrader 5 deals", [2, 1], &[short(1.105, 1.104, 9.2, "2026-01-05T09:15:00Z")]);
    assert_eq!(taken.seen(1).3, -20.7);
    let python = "ticket,order,time,time_msc,type,entry,magic,position_id,reason,volume,price,commission,swap,profit,fee,symbol,comment,external_id
1,0,1767600000,1767600000000,2,0,0,0,0,0.0,0.0,0.0,0.0,10000.0,0.0,,Deposit,
2,7,1767600900,1767600900000,0,0,0,7,3,0.1,1.105,-0.35,0.0,0.0,0.0,EURUSD,,
3,8,1767604500,1767604500000,1,1,0,7,3,0.1,1.106,-0.35,-0.1,10.0,0.0,EURUSD,,
";
    let taken = import("deals.csv", python);
    taken.is("MetaTrader 5 deals", [1, 1], &[long(1.105, 1.106, 9.2, "2026-01-05T09:15:00Z")]);
    let statement = "<html><head><title>Statement: 5551</title></head><body><table>
<tr align=left><td colspan=2><b>A/C No: 5551</b></td><td colspan=6>Name: J. Doe</td></tr>
<tr><td colspan=13><b>Closed Transactions:</b></td></tr>
<tr><td>Ticket</td><td nowrap>Open Time</td><td>Type</td><td>Size</td><td>Item</td><td>Price</td><td>S / L</td><td>T / P</td><td nowrap>Close Time</td><td>Price</td><td>Commission</td><td>Taxes</td><td>Swap</td><td>Profit</td></tr>
<tr><td>1</td><td>2026.01.05 08:00</td><td>balance</td><td colspan=10>Deposit</td><td>10 000.00</td></tr>
<tr><td>2</td><td>2026.01.05 08:15</td><td>sell</td><td>0.10</td><td>eurusd</td><td>1.10500</td><td>1.10600</td><td>0.00000</td><td>2026.01.05 09:15</td><td>1.10400</td><td>0.00</td><td>0.00</td><td>-0.10</td><td>10.00</td></tr>
<tr><td>3</td><td>2026.01.05 08:20</td><td>buy limit</td><td>0.10</td><td>eurusd</td><td>1.10000</td><td>0.00000</td><td>0.00000</td><td>2026.01.05 09:20</td><td>1.10400</td><td colspan=4>cancelled</td></tr>
<tr><td>4</td><td>2026.01.05 10:00</td><td>buy</td><td>0.10</td><td>eurusd</td><td>1.10000</td><td>0.00000</td><td>0.00000</td><td>2026.01.05 11:00</td><td>1.10100</td><td>0.00</td><td>0.00</td><td>0.00</td><td>10.00</td></tr>
<tr><td colspan=10>&nbsp;</td><td>0.00</td><td>0.00</td><td>-0.10</td><td>20.00</td></tr>
<tr><td colspan=14><b>Open Trades:</b></td></tr>
<tr><td>Ticket</td><td>Open Time</td><td>Type</td><td>Size</td><td>Item</td><td>Price</td><td>S / L</td><td>T / P</td><td>&nbsp;</td><td>Price</td><td>Commission</td><td>Taxes</td><td>Swap</td><td>Profit</td></tr>
</table></body></html>";
    let taken = import("statement.htm", statement);
    taken.is("MetaTrader 4 statement", [2, 3], &[short(1.105, 1.104, 10.0, "2026-01-05T09:15:00Z")]);
    // A stop of 0 means no stop.
    close(&taken.trades[0]["pnl_r"], 1.0);
    assert_eq!(taken.trades[1].get("pnl_r"), None);
    assert!(taken.line.contains("R of 1 trades is unknown"), "{}", taken.line);
}

/// freqtrade#3302, dema-trading#140, and files that freqtrade wrote.
#[test]
fn freqtrades_backtests_and_database() {
    let case = r#"{"strategy": {"SampleStrategy": {"trades": [{"pair": "ADA/USDT", "stake_amount": 200.0, "amount": 2266.4, "open_date": "2026-01-01 06:00:00+00:00", "close_date": "2026-01-02 12:00:00+00:00", "open_rate": 0.0873, "close_rate": 0.0966, "fee_open": 0.001, "fee_close": 0.001, "trade_duration": 1800, "profit_ratio": 0.1045, "profit_abs": 20.9, "exit_reason": "roi", "stop_loss_abs": 0.0812, "initial_stop_loss_abs": 0.0812, "is_short": false, "is_open": false, "enter_tag": "", "open_timestamp": 1767247200000, "close_timestamp": 1767355200000}]}}, "strategy_comparison": []}"#;
    let taken = import("backtest-result.json", case);
    taken.is("freqtrade", [1, 0], &[long(0.0873, 0.0966, 20.9, "2026-01-02T12:00:00Z")]);
    has(&taken.trades[0], json!({ "strategy_name": "SampleStrategy", "symbol": "ADA/USDT" }));
    assert!((taken.trades[0]["pnl_r"].as_f64().unwrap() - 0.0093 / 0.0061).abs() < 1e-9);
    let package = import("backtest.json", of_package("freqtrade-backtest.json"));
    assert_eq!(package.counted(), [2, 0], "{}", package.line);
    assert_eq!(package.seen(0), long(101.5, 102.0, 0.584236, "2026-01-08T00:00:00Z"));
    assert_eq!(package.seen(1), short(101.0, 103.0, -4.364356, "2026-01-13T00:00:00Z"));
    let room = &Room::new();
    sql(room, "tradesv3.sqlite", &of_package("freqtrade-tradesv3.sql"));
    let (account, _) = answer(room, &["owm", "import", "store", "tradesv3.sqlite"]);
    has(&account, json!({ "trades": 3, "skipped": 0, "format": "freqtrade" }));
    let (state, _) = answer(room, &["owm", "state", "store"]);
    assert_eq!(state["open_trades"], 1, "the open trade is open");
    // The open trade is closed by a later import of the same database.
    sql(
        room,
        "tradesv3.sqlite",
        "UPDATE trades SET is_open = 0, close_date = '2026-01-14 00:00:00', close_rate = 100.25, close_profit_abs = -5.7 WHERE id = 3",
    );
    let (account, noted) = answer(room, &["owm", "import", "store", "tradesv3.sqlite"]);
    assert_eq!(account["closed"], 1, "{noted}");
}

/// TradeMemory's own database with both tables: lots of 0, no R, no patterns yet, and an episode without a symbol.
#[test]
fn a_journal_without_patterns() {
    let room = &Room::new();
    sql(
        room,
        "tradememory.db",
        r#"CREATE TABLE trade_records (id TEXT PRIMARY KEY, timestamp TEXT, symbol TEXT, direction TEXT, lot_size REAL, strategy TEXT, confidence REAL,
            reasoning TEXT, market_context TEXT, exit_timestamp TEXT, exit_price REAL, pnl REAL, pnl_r REAL, hold_duration INTEGER, exit_reasoning TEXT, lessons TEXT, tags TEXT);
        INSERT INTO trade_records VALUES ('mcp-1', '2026-03-01T09:00:00+00:00', 'XAUUSD', 'long', 0, 'VolBreakout', 0, 'rising', '{"description": "x", "entry_price": 4015.0}', NULL, 4030, 150, NULL, NULL, NULL, 'held too short', '[]'),
            ('mcp-2', '2026-03-02T09:00:00+00:00', 'XAUUSD', 'short', 0, 'VolBreakout', 0, 'open', '{"description": "x", "entry_price": 4040.0}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]'),
            ('MT5-77', '2026-03-03T01:00:00', 'XAUUSD', 'long', 0.1, 'IntradayMomentum', 0.6, 'auto', '{"price": 4030.0, "session": "asian"}', '2026-03-03T05:00:00', 4022, -80, NULL, 240, 'SL', 'late', '["mt5"]');
        CREATE TABLE episodic_memory (id TEXT PRIMARY KEY, timestamp TEXT, context_json TEXT, strategy TEXT, direction TEXT, entry_price REAL, lot_size REAL, pnl_r REAL);
        INSERT INTO episodic_memory VALUES ('ep-9', '2026-03-04T09:00:00+00:00', '{"symbol": "XAUUSD", "price": 4030}', 'VolBreakout', 'long', 4030, 0.1, 3),
            ('ep-10', '2026-03-05T09:00:00+00:00', '{"description": "no symbol here"}', 'VolBreakout', 'LONG', 4030, 0, NULL);
        CREATE TABLE patterns (pattern_id TEXT, description TEXT, confidence REAL, sample_size INTEGER, strategy TEXT, symbol TEXT, discovered_at TEXT);"#,
    );
    let (account, noted) = answer(room, &["owm", "import", "store", "tradememory.db"]);
    has(&account, json!({ "trades": 4, "skipped": 1, "format": "TradeMemory" }));
    assert!(noted.contains("trade_records and episodic_memory:4: symbol: missing"), "{noted}");
}

#[test]
fn what_vectorbt_and_backtrader_write() {
    for (name, format) in
        [("vectorbt-trades.csv", "vectorbt trades"), ("vectorbt-positions.csv", "vectorbt trades")]
    {
        let taken = import(name, of_package(name));
        taken.is(format, [8, 0], &[]);
        let of_aaa =
            |place: usize| taken.trades.iter().filter(|trade| trade["symbol"] == "AAA").nth(place).unwrap();
        has(of_aaa(0), json!({ "pnl": 0.593, "direction": "long", "timestamp": "2026-01-08T00:00:00Z" }));
        let open =
            taken.trades.iter().filter(|trade| trade.get("exit_price").is_none_or(Value::is_null)).count();
        assert_eq!(open, 2, "those that are open have no outcome");
        assert!(taken.line.contains("R of 6 trades is unknown"), "{}", taken.line);
    }
    // The orders pair to the same trades.
    let taken = import("vectorbt-orders.csv", of_package("vectorbt-orders.csv"));
    taken.is("vectorbt orders", [6, 0], &[long(101.5, 102.0, 0.593, "2026-01-08T00:00:00Z")]);
    let taken = import("backtrader-writer.csv --strategy turns", of_package("backtrader-writer.csv"));
    taken.is("backtrader transactions", [3, 0], &[]);
    assert_eq!(taken.seen(0).3, 3.0 * (98.0 - 103.25));
    assert_eq!((taken.seen(1).0.as_str(), taken.seen(1).3), ("short", 101.0 - 104.5));
    assert_eq!(taken.seen(2).3, 2.0 * (97.5 - 104.5));
    // The gross total of backtrader's own TradeAnalyzer.
    assert_eq!(taken.trades.iter().map(|trade| trade["pnl"].as_f64().unwrap()).sum::<f64>(), -33.25);
    let taken = import("backtesting.csv --symbol AAA", of_package("backtesting-trades.csv"));
    taken.is("backtesting.py trades", [2, 0], &[long(103.25, 101.0, -7.36275, "2026-01-11T00:00:00Z")]);
    assert_eq!(taken.seen(1), short(101.0, 99.0, 3.6, "2026-01-16T00:00:00Z"));
    assert_eq!(taken.trades[1]["lot_size"], 2.0);
    close(&taken.trades[0]["pnl_r"], -2.25 / 8.25);
    let no_transactions =
        of_package("backtrader-writer.csv").split("- transactions:").next().unwrap().to_owned();
    refused("writer.csv", &no_transactions, &["bt.analyzers.Transactions"]);
}

/// BittyTax#141, rotki#7647, and the other versions of the same file.
#[test]
fn binances_fills_are_paired() {
    let case = "Date(UTC),Pair,Side,Price,Executed,Amount,Fee
2026-01-29 09:13:15,BTCUSDT,BUY,\"91,426.2000000000\",0.0528450000BTC,4831.41750000USDT,0.0000500000BNB
2026-01-30 09:13:15,BTCUSDT,SELL,\"92,900.0000000000\",0.0528450000BTC,4909.30050000USDT,0.0000500000BNB
";
    let taken = import("fills.csv", case);
    taken.is("Binance spot trades", [1, 0], &[long(91426.2, 92900.0, 77.882961, "2026-01-30T09:13:15Z")]);
    for said in [
        "2 fills were paired to trades, first in, first out",
        "2 fees in BNB are not in pnl",
        "R of 1 trades is unknown",
    ] {
        assert!(taken.line.contains(said), "{said}: {}", taken.line);
    }
    let older = "Date(UTC);Market;Type;Price;Amount;Total;Fee;Fee Coin
2020-06-02 10:00:00;ETHBTC;SELL;0.026;1;0.026;0.000026;BTC
2020-06-01 10:00:00;ETHBTC;BUY;0.025;0.6;0.015;0.0006;ETH
2020-06-01 10:00:00;ETHBTC;BUY;0.025;0.6;0.015;0.0006;ETH
";
    let taken = import("older.csv", older);
    // Two fills of one moment are one order; 0.1988 stays open.
    assert_eq!(taken.counted(), [1, 0], "{}", taken.line);
    assert_eq!(taken.seen(0).3, 0.000949, "{}", taken.line);
    assert!(taken.line.contains("what stays open is not taken: 0.1988 of ETHBTC (long"), "{}", taken.line);
    let futures =
        "Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Realized Profit,Buyer,Maker,Trade ID,Order ID
1,26-03-17 09:34:12,BTCUSDC,SELL,73800.5,0.01,738.005,0.29 USDC,0,false,false,1,11
1,26-03-17 10:34:12,BTCUSDC,BUY,73700.5,0.01,737.005,0.29 USDC,1,true,false,2,12
";
    let taken = import("futures.csv", futures);
    taken.is("Binance futures trades", [1, 0], &[short(73800.5, 73700.5, 0.42, "2026-03-17T10:34:12Z")]);
    let api = r#"[{"symbol":"BNBBTC","id":28457,"orderId":1,"price":"4.00000100","qty":"12.00000000","quoteQty":"48.000012","commission":"10.10000000","commissionAsset":"BNB","time":1499865549590,"isBuyer":true,"isMaker":false},
{"symbol":"BNBBTC","id":28458,"orderId":2,"price":"5.00000000","qty":"1.90000000","quoteQty":"9.5","commission":"0.1","commissionAsset":"BTC","time":1499865559590,"isBuyer":false,"isMaker":false}]"#;
    let taken = import("api.json", api);
    assert_eq!(taken.counted(), [1, 0], "{}", taken.line);
    let sold_first = import(
        "sold.csv",
        case.replace("BUY", "X").replace("SELL", "BUY").replace(",X,", ",SELL,").replace("01-30", "01-28"),
    );
    assert_eq!(sold_first.counted(), [1, 0], "{}", sold_first.line);
    refused("sold.csv", case.replace("BUY", "SELL"), &["holds no row of trades"]);
}

#[test]
fn bybits_fills_and_closed_positions() {
    let spot = "UID: 281915315,Company Name: ,Country:
Uid,Spot Pairs,Order Type,Direction,Filled Value,Filled Price,Filled Quantity,Fees,Transaction ID,Order No.,Timestamp (UTC+0)
1,BTCUSDT,LIMIT,BUY,4478.0578,97100.000,0.046118,0,t1,o1,14:35 2024-11-21
1,BTCUSDT,MARKET,SELL,4519.564,98000.000,0.046118,0,t2,o2,14:35 2024-11-22
";
    let taken = import("spot.csv", spot);
    taken.is("Bybit spot trades", [1, 0], &[long(97100.0, 98000.0, 41.5062, "2024-11-22T14:35:00Z")]);
    let api = r#"{"retCode": 0, "result": {"list": [
{"symbol": "ETHUSDT", "side": "Buy", "execPrice": "2000", "execQty": "1", "execValue": "2000", "execFee": "1.1", "execTime": "1767700900000", "orderId": "b", "execType": "Trade", "feeCurrency": "USDT"},
{"symbol": "ETHUSDT", "side": "Sell", "execPrice": "0", "execQty": "1", "execValue": "2050", "execFee": "0.1", "execTime": "1767650900000", "orderId": "f", "execType": "Funding", "feeCurrency": ""},
{"symbol": "ETHUSDT", "side": "Sell", "execPrice": "2050", "execQty": "1", "execValue": "2050", "execFee": "1.1", "execTime": "1767600900000", "orderId": "a", "execType": "Trade", "feeCurrency": ""}]}}"#;
    let taken = import("executions.json", api);
    taken.is("Bybit executions", [1, 1], &[short(2050.0, 2000.0, 47.8, "2026-01-06T12:01:40Z")]);
    let closed = "Contracts,Closing Direction,Qty,Entry Price,Exit Price,Closed P&L,Exit Type,Trade Time(UTC+0),Order No.,Create Time
OPUSDT,Close Long,793.7,0.6299,0.6331,2.01880767,Trade,2025-06-05 10:05:40,9871b976,2025-06-05 10:05:40
BTCUSDT,Buy,0.5,60500,60000,250.40,Trade,2025-06-06 14:22:10,9871b977,2025-06-06 14:22:10
";
    import("closed.csv", closed).is(
        "Bybit closed positions",
        [2, 0],
        &[
            long(0.6299, 0.6331, 2.018808, "2025-06-05T10:05:40Z"),
            short(60500.0, 60000.0, 250.4, "2025-06-06T14:22:10Z"),
        ],
    );
}

/// TradeNote#131, its template, and QuantConnect's page.
#[test]
fn journals_and_testers() {
    let case = "id;account;broker;currency;type;side;strategy;symbol;entryTime;exitTime;entryPrice;exitPrice;netProceeds;stopLoss
t1;A1;template;USD;future;B;long;MES;1739991790;1739991896;6152;6149;-17.28;6142
t2;A1;template;USD;future;B;long;MES;1740001790;1740005896;6150;6161;52.72;6140
";
    let taken = import("trades.csv", case);
    taken.is("TradeNote", [2, 0], &[long(6152.0, 6149.0, -17.28, "2025-02-19T19:04:56Z")]);
    assert_eq!((&taken.trades[0]["id"], &taken.trades[1]["pnl_r"]), (&json!("t1"), &json!(1.1)));
    assert!(taken.line.contains("entryTime is read as seconds since 1970"), "{}", taken.line);
    let template = "Account,T/D,S/D,Currency,Type,Side,Symbol,Qty,Price,Exec Time,Comm,SEC,TAF,NSCC,Nasdaq,ECN Remove,ECN Add,Gross Proceeds,Net Proceeds,Clr Broker,Liq,Note
XY000001,08/08/2022,08/10/2022,USD,3,SS,RBLX,50,49.88,09:47:59,0,0.06,0.01,0,0,0,0,2494,2493.93,SIM,,
XY000001,08/08/2022,08/10/2022,USD,3,BC,RBLX,25,49.65,09:48:22,0,0,0,0,0,0,0,-1241.25,-1241.25,SIM,,
XY000001,08/08/2022,08/10/2022,USD,3,BC,RBLX,25,49.89,09:48:45,0,0,0,0,0,0,0,-1247.25,-1247.25,SIM,,
";
    let taken = import("template.csv --zone America/New_York", template);
    taken.is("TradeNote executions", [2, 0], &[short(49.88, 49.65, 5.715, "2022-08-08T13:48:22Z")]);
    let quantconnect = "Entry Time,Symbols,Exit Time,Direction,Entry Price,Exit Price,Quantity,P&L,Fees,MAE,MFE,Drawdown,IsWin,Order Ids
2026-01-02T15:00:00Z,\"IWM\",2026-01-02T19:54:00Z,Buy,195.23,193.28,500,-978.14,5,-1029.04,203.87,1232.91,0,\"1,3\"
";
    let taken = import("trades.csv", quantconnect);
    taken.is("QuantConnect trades", [1, 0], &[long(195.23, 193.28, -978.14, "2026-01-02T19:54:00Z")]);
    let json = r#"{"totalPerformance": {"closedTrades": [{"symbol": {"value": "IWM", "id": "IWM X"}, "entryTime": "2026-01-02T15:00:00Z", "entryPrice": 195.23, "direction": 1, "quantity": 5.0, "exitTime": "2026-01-02T19:54:00Z", "exitPrice": 193.28, "profitLoss": 9.75, "totalFees": 2.0, "mae": -1.0, "mfe": 12.0, "duration": "04:54:00"}]}}"#;
    import("result.json", json).has_one(short(195.23, 193.28, 9.75, "2026-01-02T19:54:00Z"));
    let tally = r#"{"exportVersion": "1.0", "user": {"username": "t"}, "trades": [{"symbol": "AAPL", "side": "long", "quantity": 100, "entryPrice": 150.0, "exitPrice": 155.0, "entryTime": "2025-07-14T09:30:00.000Z", "exitTime": "2025-07-14T15:30:00.000Z", "pnl": 500.0, "commission": 2.0, "fees": 0.5, "notes": "n", "tags": ["earnings"], "strategy": "Breakout"}], "tags": [{"name": "momentum", "color": "x"}], "equityHistory": [{"date": "2025-07-14", "equity": 50000.0, "pnl": 500.0}]}"#;
    let taken = import("tradetally-export.json", tally);
    taken.is("TradeTally", [1, 0], &[]);
    assert_eq!(taken.seen(0), long(150.0, 155.0, 500.0, "2025-07-14T15:30:00Z"));
    assert_eq!(taken.trades[0]["tags"], json!(["earnings"]));
}

#[test]
fn other_brokers_by_the_names_of_their_columns() {
    let older = "Trade #,Type,Signal,Date/Time,Price USDT,Contracts,Profit USDT,Profit %
1,Entry long,Long,2024-01-03 15:00,42150.5,0.237,—,
1,Exit long,Close,2024-01-05 09:00,43980.1,0.237,433.62,1
2,Exit short,Close,2024-01-06 09:00,44080.1,0.235,−23.50,-1
2,Entry short,Short,2024-01-05 09:00,43980.1,0.235,,
3,Entry long,Long,2024-01-07 09:00,43980.1,0.235,,
";
    import("list.csv --symbol BTCUSDT", older).is(
        "TradingView list of trades",
        [3, 0],
        &[
            long(42150.5, 43980.1, 433.62, "2024-01-05T09:00:00Z"),
            short(43980.1, 44080.1, -23.5, "2024-01-06T09:00:00Z"),
        ],
    );
    let newer = "Trade number,Type,Date and time,Signal,Price USD,Size (qty),Net PnL USD\n7,Exit long,2026-01-08 14:00,Close,2660,1,150\n7,Entry long,2026-01-08 09:00,Long,2645,1,150\n";
    import("list.csv --symbol XAUUSD", newer).has_one(long(2645.0, 2660.0, 150.0, "2026-01-08T14:00:00Z"));
    refused("list.csv", newer, &["--symbol NAME"]);
    let tradovate = "symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration
MNQZ6,-2,0,0.25,1,2,2,21000.25,21010.25,$40.00,09/14/2026 09:31:05,09/14/2026 09:35:10,4min 5sec
MNQZ6,-2,0,0.25,3,4,1,21020.00,21010.00,$(20.00),09/14/2026 09:50:00,09/14/2026 09:45:00,5min
";
    import("performance.csv", tradovate).is(
        "Tradovate performance",
        [2, 0],
        &[
            long(21000.25, 21010.25, 40.0, "2026-09-14T09:35:10Z"),
            short(21010.0, 21020.0, -20.0, "2026-09-14T09:50:00Z"),
        ],
    );
    let projectx = "Id,ContractName,EnteredAt,ExitedAt,EntryPrice,ExitPrice,Fees,PnL,Size,Type,TradeDay,TradeDuration
910050760,MBTK5,05/08/2025 11:22:07 -04:00,05/08/2025 11:27:06 -04:00,100285.000000000,101010.000000000,2.34000,72.500000000,1,Long,05/08/2025 00:00:00 -05:00,00:04:59.2514080
";
    let taken = import("trades_export.csv", projectx);
    taken.is("ProjectX trades", [1, 0], &[long(100285.0, 101010.0, 72.5, "2025-05-08T15:27:06Z")]);
    // A word where a number is allowed isn't a number, and a row with an outcome is a trade.
    let words = "entry_date,pair,type,entry_point,stop_loss,result\n2024-01-01 02:00:00,BTC/USD,Long,40000.0,39000.0,Win\n";
    assert_eq!(import("words.csv", words).counted(), [1, 0]);
    let ended = "Date,Symbol,Side,Quantity,Price,Net P&L\n2025-09-24,xauusd,Buy,0.02,3750.0,40.0\n2025-09-24,xauusd,Buy,0.02,3750.0,-61.0\n";
    assert_eq!(import("ended.csv", ended).counted(), [2, 0]);
    let sides = "entry_date,exit_date,entry,exit,pnl\n2015-03-12,2015-03-25,47.05,49.21,4.59\n";
    refused("oil.csv --symbol CL", sides, &["--direction long (or short)"]);
    import("oil.csv --symbol CL --direction long", sides)
        .has_one(long(47.05, 49.21, 4.59, "2015-03-25T00:00:00Z"));
    let chinese = "\u{feff}开仓时间,出场时间,开仓方向,入场价格,出场价格,盈亏(USDT)\n2026-02-28 06:10,2026-02-28 06:30,做空,65638.80,65332.60,+149.13\n";
    let maps = "--map 开仓时间=timestamp --map 出场时间=exit_timestamp --map 开仓方向=direction --map 入场价格=entry_price \
                --map 出场价格=exit_price --map 盈亏(USDT)=pnl";
    import(&format!("chinese.csv --symbol BTCUSDT {maps}"), chinese)
        .has_one(short(65638.8, 65332.6, 149.13, "2026-02-28T06:30:00Z"));
    let ninja = "Trade number;Instrument;Account;Strategy;Market pos.;Qty;Entry price;Exit price;Entry time;Exit time;Entry name;Exit name;Profit;Cum. net profit;Commission;MAE;MFE;ETD;Bars
1;ES 03-26;Sim101;;Short;1;5000,25;4990,25;13.01.2026 09:30:00;13.01.2026 09:45:00;Entry;Exit;500,00 $;500,00 $;0,00 $;25,00 $;600,00 $;1,00 $;3
";
    import("ninja.csv", ninja).has_one(short(5000.25, 4990.25, 500.0, "2026-01-13T09:45:00Z"));
    let flex = "\"ClientAccountID\",\"Symbol\",\"TradeDate\",\"DateTime\",\"Buy/Sell\",\"Quantity\",\"TradePrice\",\"IBCommission\",\"IBCommissionCurrency\",\"FifoPnlRealized\"
\"U1\",\"ES\",\"20260105\",\"20260105;103000\",\"BUY\",\"1\",\"5000\",\"-2\",\"USD\",\"0\"
\"U1\",\"ES\",\"20260105\",\"20260105;113000\",\"SELL\",\"-1\",\"5010\",\"-2\",\"USD\",\"498\"
";
    let taken = import("flex.csv", flex);
    assert_eq!(taken.counted(), [1, 0], "{}", taken.line);
    // The realised profit contains the multiplier and the commission.
    assert_eq!((taken.seen(0).3, taken.seen(0).4.as_str()), (498.0, "2026-01-05T11:30:00Z"));
    let coinbase =
        "portfolio,trade id,product,side,created at,size,size unit,price,fee,total,price/fee/total unit
default,1,BTC-USD,BUY,2026-01-05T08:15:00.000Z,0.1,BTC,90000,9.0,-9009,USD
default,2,BTC-USD,SELL,2026-01-06T08:15:00.000Z,0.1,BTC,91000,9.1,9090.9,USD
";
    let taken = import("fills.csv", coinbase);
    assert_eq!((taken.format(), taken.seen(0).3), ("Coinbase fills", 81.9), "{}", taken.line);
    let ccxt = r#"[{"id": "1", "timestamp": 1767600900000, "datetime": "2026-01-05T08:15:00Z", "symbol": "BTC/USDT", "side": "buy", "price": 90000.0, "amount": 0.1, "cost": 9000.0, "fee": {"cost": 9.0, "currency": "USDT"}},
{"id": "2", "timestamp": 1767687300000, "datetime": "2026-01-06T08:15:00Z", "symbol": "BTC/USDT", "side": "sell", "price": 91000.0, "amount": 0.1, "cost": 9100.0}]"#;
    let taken = import("trades.json", ccxt);
    let found = (taken.format(), taken.counted(), taken.seen(0).3);
    assert_eq!(found, ("ccxt trades", [1, 0], 100.0), "{}", taken.line);
    let orders = "timestamp,symbol,side,price\n2026-01-05T08:15:00Z,BTC/USDT,buy,90000.5\n";
    // A price without an end is no trade.
    refused("orders.csv", orders, &["entry_price: missing"]);
    let kraken = "\"txid\",\"ordertxid\",\"pair\",\"time\",\"type\",\"ordertype\",\"price\",\"cost\",\"fee\",\"vol\",\"margin\",\"misc\",\"ledgers\"
\"A\",\"O1\",\"XXBTZEUR\",\"2026-01-05 08:15:00.1234\",\"buy\",\"limit\",\"90000.0\",\"9000.0\",\"9.0\",\"0.10000000\",\"0.0\",\"\",\"L\"
\"B\",\"O2\",\"XXBTZEUR\",\"2026-01-06 08:15:00.1234\",\"sell\",\"limit\",\"91000.0\",\"9100.0\",\"9.1\",\"0.10000000\",\"0.0\",\"\",\"L\"
";
    let taken = import("kraken.csv", kraken);
    assert_eq!((taken.format(), taken.seen(0).3), ("Kraken trades", 81.9), "{}", taken.line);
}

#[test]
fn unknown_columns_are_listed_and_can_be_mapped() {
    let odd = "Wann,Was,Wie,Rein,Raus,Gewinn\n2026-01-05 08:15:00,DAX,long,18000,18050,49.5\n";
    refused("odd.csv", odd, &["odd.csv", "Wann", "--map"]);
    let maps = "--map Wann=timestamp --map was=symbol --map Wie=direction --map Rein=entry_price --map Raus=exit_price \
                --map Gewinn=pnl";
    import(&format!("odd.csv {maps}"), odd).has_one(long(18000.0, 18050.0, 49.5, AT));
    refused("odd.csv --map Wohin=symbol", odd, &["--map \"Wohin=symbol\"", "Wann, Was"]);
    let room = &Room::new();
    refuses(
        room,
        &["owm", "import", "store", "odd.csv", "--map", "Wann=when"],
        &["--map", "must be one of timestamp"],
    );
    // A user's naming has precedence over what a column's name suggests.
    let both = "time,exec,symbol,side,entry_price,exit_price\n2026-01-06 08:15:00,2026-01-05 08:15:00,DAX,buy,18000,18050.5\n";
    assert_eq!(import("both.csv --map exec=timestamp", both).trades[0]["timestamp"], AT);
    let moved = format!("{HEADER}{}", ROW.replace("17980", "18040"));
    let taken = import("moved.csv", &moved);
    assert_eq!(taken.trades[0].get("pnl_r"), None);
    says(&taken.line, &["1 stops stand where the trade gains"]);
    for (content, said) in [
        ("", "holds no row of trades"),
        ("hello\nworld\n", "holds no row of trades"),
        (HEADER, "holds no row of trades"),
    ] {
        refused("empty.csv", content, &[said]);
    }
    let taken = import("many.csv", format!("{HEADER}{ROW}{}", ROW.replace("long", "up").repeat(500)));
    has(&taken.account["skipped_by"], json!({ "direction: must be long, short, buy or sell": 500 }));
    assert!(taken.line.contains("500 skipped: 500 (many.csv:3:"), "{}", taken.line);
    let room = &Room::new();
    write(room, "two.csv", format!("{HEADER}{ROW}{}", ROW.replace("long", "up").repeat(2)));
    let (_, every) = answer(room, &["owm", "import", "store", "two.csv", "--every-line"]);
    assert!(every.lines().count() == 3 && every.contains("two.csv:4: direction"), "{every}");
}

/// A zip with these files.
fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    use std::io::Write as _;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let how = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, content) in files {
        archive.start_file(*name, how).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// MetaTrader 5 also writes its report as a workbook, and freqtrade zips its backtests.
#[test]
fn workbooks_and_archives() {
    let texts = [
        "Positions", "Time", "Position", "Symbol", "Type", "Volume", "Price", "S / L", "T / P", "Commission",
        "Swap", "Profit", "2026.01.05 08:15:00", "XAU&amp;USD", "buy", "2026.01.05 11:20:00",
    ];
    let shared: String = texts.iter().map(|text| format!("<si><t>{text}</t></si>")).collect();
    let cell = |place: String, kind: &str, value: &str| format!("<c r=\"{place}\"{kind}><v>{value}</v></c>");
    let of_text = |place: String, number: usize| cell(place, " t=\"s\"", &number.to_string());
    let letters: Vec<char> = ('A'..='M').collect();
    let header = [1, 2, 3, 4, 5, 6, 7, 8, 1, 6, 9, 10, 11];
    let header: String =
        letters.iter().zip(header).map(|(letter, number)| of_text(format!("{letter}5"), number)).collect();
    let row = format!(
        "{}<c r=\"B6\"><v>5001</v></c>{}{}<c r=\"E6\" t=\"inlineStr\"><is><t>0.10</t></is></c><c r=\"F6\"><v>4.125</v></c><c r=\"G6\"><v>4.025</v></c><c r=\"H6\"/>{}<c r=\"J6\"><v>4.225</v></c><c r=\"K6\"><v>-0.7</v></c><c r=\"L6\"><v>0</v></c><c r=\"M6\"><v>176</v></c>",
        of_text("A6".to_owned(), 12),
        of_text("C6".to_owned(), 13),
        of_text("D6".to_owned(), 14),
        of_text("I6".to_owned(), 15),
    );
    // A cell in the last row and column must not make the table a million rows long.
    let sheet = format!(
        "<?xml version=\"1.0\"?><worksheet><sheetData><row r=\"4\">{}</row><row r=\"5\">{header}</row><row r=\"6\">{row}</row><row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row></sheetData></worksheet>",
        of_text("A4".to_owned(), 0)
    );
    let book = zipped(&[
        ("[Content_Types].xml", "<Types/>"),
        ("xl/workbook.xml", "<workbook/>"),
        ("xl/sharedStrings.xml", &format!("<sst>{shared}</sst>")),
        ("xl/worksheets/sheet1.xml", &sheet),
    ]);
    let taken = import("ReportHistory.xlsx", &book);
    taken.is("MetaTrader 5 positions", [1, 0], &[]);
    // 4.125 is a number in a workbook, and isn't ambiguous.
    assert_eq!(taken.seen(0), long(4.125, 4.225, 176.0, "2026-01-05T11:20:00Z"));
    has(&taken.trades[0], json!({ "symbol": "XAU&USD", "id": "5001" }));
    let days = format!(
        "<worksheet><sheetData><row>{}</row><row><c><v>46027.34375</v></c><c t=\"str\"><v>DAX</v></c><c t=\"str\"><v>Long</v></c><c><v>1.234</v></c><c><v>1.25</v></c></row></sheetData></worksheet>",
        ["Entry Time", "Symbol", "Side", "Entry Price", "Exit Price"]
            .map(|name| format!("<c t=\"str\"><v>{name}</v></c>"))
            .concat()
    );
    let book = zipped(&[("xl/workbook.xml", "<workbook/>"), ("xl/worksheets/sheet1.xml", &days)]);
    let taken = import("days.xlsx", &book);
    has(&taken.trades[0], json!({ "timestamp": AT, "entry_price": 1.234 }));
    assert!(taken.line.contains("Entry Time is read as days of a spreadsheet"), "{}", taken.line);
    let backtest = of_package("freqtrade-backtest.json");
    let archive = zipped(&[
        ("backtest-result-1.json", &backtest),
        ("backtest-result-1_config.json", "{}"),
        ("backtest-result-1_S.py", "pass"),
    ]);
    assert_eq!(import("backtest-result-1.zip", &archive).counted(), [2, 0]);
    let refused = |content: &[u8], part: &str| refused("a.zip", content, &[part]);
    refused(&zipped(&[("a.csv", HEADER), ("b.csv", HEADER)]), "archive of several tables");
    refused(&zipped(&[("a.png", "x")]), "archive without a table");
    refused(&archive[..archive.len() / 2], "can't be read as a zip archive");
    refused(&zipped(&[("a.csv", &"0".repeat(300 << 20))]), "unpacks to more than");
}
