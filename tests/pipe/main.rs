//! The board behind a pipe, as a program at its other end sees it.

use std::fmt::Write as _;
use std::io::{BufReader, Read};
use std::time::{Duration, Instant};

use board_sim::device::{Build, Flash};
use board_sim::pipe::{HostBoard, LINE_MAX, Session, run};
use board_sim::table::{Kind, Piece, Pole, Table, Tolerances};
use lodestone::geometry::Playfield;
use lodestone::random::SplitMix64;
use lodestone::sense::Calibration;
use lodestone::text::Language;
use serde_json::Value;

fn build(playfield: Playfield) -> Build {
    Build { playfield, calibration: Calibration::exact(playfield), seed: 0, flash: Flash::erased() }
}

fn board(playfield: Playfield) -> HostBoard {
    HostBoard::new(build(playfield), true, None)
}

/// Everything a board answers to this input.
fn answers(board: HostBoard, input: &str) -> String {
    let mut out = Vec::new();
    run(board, input.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A table that is written down scan by scan.
struct Script {
    table: Table,
    now_us: u64,
    text: String,
}

impl Script {
    fn new(playfield: Playfield) -> Script {
        let table = Table::new(playfield, &Tolerances::NOISE, 1);
        Script { table, now_us: 0, text: String::new() }
    }

    fn say(&mut self, rest: &str) {
        writeln!(self.text, "{{\"t\":{}{rest}}}", self.now_us as f64 / 1000.0).unwrap();
    }

    fn wait(&mut self, ms: u64) {
        for _ in 0..ms * 2 / 25 {
            self.now_us += 12_500;
            let codes: Vec<String> =
                self.table.scan(self.now_us).iter().map(u16::to_string).collect();
            self.say(&format!(",\"scan\":[{}]", codes.join(",")));
        }
    }

    fn put(&mut self, column: i8, row: i8, kind: Kind, pole: Pole) {
        let point = self.table.playfield().at(column, row).unwrap();
        self.table.put(Piece::new(kind, pole), self.table.place_mm(point));
    }
}

/// Two rings of YINSH are placed.
fn two_rings() -> Script {
    let mut script = Script::new(Playfield::Hex);
    script.say(",\"host\":{\"NewGame\":{\"id\":\"yinsh\"}}");
    script.wait(500);
    script.put(5, 6, Kind::Ring, Pole::Plus);
    script.wait(1000);
    script.put(4, 6, Kind::Ring, Pole::Minus);
    script.wait(1000);
    script.say(",\"host\":\"GetPosition\"");
    script
}

#[test]
fn the_same_script_gives_the_same_bytes() {
    let script = two_rings().text;
    let said = answers(board(Playfield::Hex), &script);
    assert_eq!(said, answers(board(Playfield::Hex), &script));
    let steps: Vec<Value> = lines(&said)
        .into_iter()
        .filter_map(|line| line["event"].get("committed").cloned())
        .collect();
    assert_eq!(
        steps,
        [
            serde_json::json!({"step": "f6", "count": 1, "turn": 2, "result": "none"}),
            serde_json::json!({"step": "e6", "count": 2, "turn": 1, "result": "none"}),
        ]
    );
    let answered = lines(&said);
    let position = answered.iter().find_map(|line| line.get("position"));
    assert_eq!(position, Some(&"e6:B f6:W | pool 51 rings 0 0".into()));
}

#[test]
fn what_cannot_be_read_is_answered_and_changes_nothing() {
    let scan = |code: &str, count: usize| {
        format!("{{\"t\":3000,\"scan\":[{}]}}", vec![code; count].join(","))
    };
    let wrong = [
        ("", "not a JSON object"),
        ("x", "not a JSON object"),
        ("[3000]", "not a JSON object"),
        ("{", "EOF"),
        ("{}", "missing field `t`"),
        (r#"{"t":"now"}"#, "t must be a number"),
        (r#"{"t":-1}"#, "t must be from 0"),
        (r#"{"t":1e300}"#, "t must be from 0"),
        (r#"{"t":10}"#, "t goes back to 10 from 2500"),
        (r#"{"t":3000,"t":3000}"#, "duplicate field"),
        (r#"{"t":3000} {"t":3000}"#, "trailing characters"),
        (r#"{"t":3000,"colour":1}"#, "unknown field `colour`"),
        (r#"{"t":3000,"scan":null}"#, "invalid type: null"),
        (r#"{"t":3000,"scan":7}"#, "invalid type"),
        (&scan("2048", 90), "a scan of 90 codes, not 91"),
        (&scan("2048", 225), "a scan of 225 codes, not 91"),
        (&scan("4096", 91), "code 4096 of a1 is above 4095"),
        (&scan("-1", 91), "invalid value"),
        (&scan("1.5", 91), "invalid type"),
        (r#"{"t":3000,"key":"K7","down":true}"#, "unknown variant `K7`"),
        (r#"{"t":3000,"key":"K1"}"#, "a key without `down`"),
        (r#"{"t":3000,"down":true}"#, "`down` without a key"),
        (r#"{"t":3000,"key":"K1","down":1}"#, "invalid type"),
        (r#"{"t":3000,"key":"K1","down":true,"power":"cut"}"#, "more than one"),
        (r#"{"t":3000,"power":"on"}"#, "unknown variant `on`"),
        (r#"{"t":3000,"host":"Jump"}"#, "unknown variant `Jump`"),
        (r#"{"t":3000,"host":{"NewGame":{}}}"#, "missing field `id`"),
        (r#"{"t":3000,"host":{"NewGame":{"id":"chess"}}}"#, "invalid value"),
        (r#"{"t":3000,"host":{"Undo":{"all":true}}}"#, "invalid type"),
        (r#"{"t":3000,"host":{"Watch":{"all":true}}}"#, "no field `all`"),
    ];
    let mut session = Session::new(board(Playfield::Hex));
    let mut ask = |line: &str| {
        let mut out = Vec::new();
        session.handle(line.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let (script, look) = (two_rings().text, [r#"{"t":2500,"host":"GetState"}"#]);
    script.lines().for_each(|line| drop(ask(line)));
    let before = look.map(&mut ask);
    for (line, reason) in wrong {
        let said = ask(line);
        let error: Value = serde_json::from_str(&said).unwrap();
        assert!(error["error"].as_str().unwrap().contains(reason), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
        assert_eq!(look.map(&mut ask), before, "{line}");
    }
    let mut out = Vec::new();
    session.handle(b"{\"t\":\"\xff\"}", &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "{\"error\":\"not UTF-8\"}\n");
}

#[test]
fn a_line_of_any_length_is_one_error() {
    let padded = |count: usize| format!("{}{{\"t\":1}}\n", " ".repeat(count - 7)).into_bytes();
    let input = [padded(LINE_MAX), padded(LINE_MAX + 1), b"{\"t\":0}".to_vec()].concat();
    let endless = std::io::repeat(b'[').take(100 << 20);
    let mut out = Vec::new();
    run(board(Playfield::Hex), BufReader::new(input.chain(endless)), &mut out).unwrap();
    let errors: Vec<Value> = lines(&String::from_utf8(out).unwrap())
        .into_iter()
        .filter_map(|line| line.get("error").cloned())
        .collect();
    let too_long = "a line of more than 65536 bytes";
    assert_eq!(errors, [too_long, too_long], "the last one follows on the line before");
}

#[test]
fn a_million_random_bytes_change_nothing_and_end_nothing() {
    let mut random = SplitMix64::new(7);
    let mut noise: Vec<u8> = (0..1_000_000).map(|_| random.next() as u8).collect();
    noise.push(b'\n');
    let script = two_rings().text;
    let after = b"{\"t\":2600,\"host\":\"GetPosition\"}\n{\"t\":2600,\"host\":\"GetState\"}\n";
    let answered = |parts: &[&[u8]]| {
        let mut out = Vec::new();
        run(board(Playfield::Hex), &parts.concat()[..], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let quiet = answered(&[script.as_bytes(), after]);
    let noisy = answered(&[script.as_bytes(), &noise, after]);
    let (errors, rest): (Vec<&str>, Vec<&str>) =
        noisy.lines().partition(|line| line.starts_with("{\"error\""));
    assert!(errors.len() > 3000, "{} lines of noise", errors.len());
    assert_eq!(rest, quiet.lines().collect::<Vec<_>>());
}

/// How long this thread has been at work, where the system tells: others may keep the machine busy.
fn working_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[test]
fn a_resting_board_is_scanned_far_faster_than_it_happens() {
    const SCANS: usize = 100_000;
    let mut script = two_rings();
    script.text.clear();
    script.wait(1250);
    let scans: Vec<String> =
        script.text.lines().map(|line| line[line.find(',').unwrap()..].to_string()).collect();
    let mut input = two_rings().text;
    for n in 0..SCANS {
        let t = 2500.0 + 12.5 * (n + 1) as f64;
        writeln!(input, "{{\"t\":{t}{}", scans[n % scans.len()]).unwrap();
    }
    let (began, worked) = (Instant::now(), working_time());
    let said = answers(board(Playfield::Hex), &input);
    let took = working_time()
        .zip(worked)
        .map_or(began.elapsed(), |(end, begin)| end.saturating_sub(begin));
    println!("{SCANS} scans in {:.2} s", took.as_secs_f64());
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(said.matches("committed").count(), 2);
}

#[test]
fn texts_are_in_the_language_asked_for() {
    let mut script = two_rings();
    script.put(5, 6, Kind::Marker, Pole::Minus);
    script.wait(1500);
    let text = |language| {
        let board = HostBoard::new(build(Playfield::Hex), false, language);
        let said = lines(&answers(board, &script.text));
        let refused = said.iter().find_map(|line| line["event"].get("refused"));
        refused.expect("a marker before all rings are placed")["text"].to_string()
    };
    let english = text(None);
    assert!(english.is_ascii() && english.len() > 2, "{english}");
    assert_eq!(text(Some(Language::English)), english);
    assert!(!text(Some(Language::Persian)).is_ascii());
}

#[test]
fn a_game_outlives_the_power_and_the_program() {
    let build = build(Playfield::Hex);
    let script = two_rings().text + "{\"t\":2600,\"power\":\"cut\"}\n";
    let state = "{\"t\":2601,\"host\":\"GetState\"}\n";
    let after = |said: &str| lines(said).into_iter().rev().find_map(|l| l.get("state").cloned());
    let cut = answers(HostBoard::new(build.clone(), false, None), &(script + state));
    let again = answers(HostBoard::new(build, false, None), state);
    for said in [cut, again] {
        let state = after(&said).unwrap();
        assert_eq!((&state["phase"], &state["count"]), (&"resume".into(), &2.into()));
    }
}

#[test]
fn the_journal_file_is_the_flash() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipe.flash");
    let _ = std::fs::remove_file(&file);
    let board = || {
        let flash = Flash::in_file(&file).unwrap();
        HostBoard::new(Build { flash, ..build(Playfield::Hex) }, false, None)
    };
    answers(board(), &two_rings().text);
    let script = "{\"t\":0,\"host\":\"Resume\"}\n{\"t\":1,\"host\":\"GetPosition\"}";
    let said = lines(&answers(board(), script));
    assert!(said.iter().any(|line| line["position"] == "e6:B f6:W | pool 51 rings 0 0"));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_board_without_zeros_asks_to_be_emptied() {
    for playfield in Playfield::ALL {
        let build = Build { calibration: Calibration::none(playfield), ..build(playfield) };
        let said = answers(HostBoard::new(build, false, None), "{\"t\":0,\"host\":\"GetState\"}");
        assert_eq!(lines(&said)[0]["state"]["phase"], "calibration");
    }
}
