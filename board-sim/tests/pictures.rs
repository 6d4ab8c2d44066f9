//! The tools `render`, `record` and `replay` as one runs them: what they write, what they refuse and how.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The repository, where the commands of the documents are run.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

/// Where this run puts its pictures: `target/pictures`.
fn pictures() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let pictures = target.join("pictures");
    fs::create_dir_all(&pictures).expect("a directory");
    pictures
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_board-sim"));
    command.args(arguments).current_dir(root()).output().expect("the tool runs")
}

/// Runs the tool, which must fail with this status and say this.
fn refused(arguments: &[&str], status: i32, says: &str) {
    let output = run(arguments);
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
    assert!(said.contains(says), "{arguments:?}: {said}");
}

/// The commands of the page on pictures, with their output into the target directory.
#[test]
fn the_pictures_of_the_documents_are_made_by_their_commands() {
    let page = fs::read_to_string(root().join("docs/pictures/README.md")).expect("the page");
    let commands: Vec<_> = page.lines().filter_map(|l| l.strip_prefix("$ cargo sim ")).collect();
    assert_eq!(commands.len(), 10, "one for each game, and five of lights");
    for command in commands {
        let mut words: Vec<&str> = command.split(' ').collect();
        let out = words.pop().expect("a file to write");
        let committed = fs::metadata(root().join(out)).expect("the picture is there").len();
        assert!(committed < 200_000, "{out} has {committed} bytes");
        let made = pictures().join(Path::new(out).file_name().expect("a name"));
        words.push(made.to_str().expect("text"));
        let output = run(&words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let bytes = fs::read(&made).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG"), "{out}");
    }
}

#[test]
fn a_drawing_of_a_step_shows_what_stood_then() {
    let out = pictures().join("step.svg");
    let name = out.to_str().expect("text");
    let record = "docs/pictures/yinsh.game";
    for (step, rings) in [("0", 0), ("3", 3), ("10", 10)] {
        let output = run(&["render", "--record", record, "--step", step, "--out", name]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let svg = fs::read_to_string(&out).expect("a drawing");
        let count = |symbol: &str| svg.matches(&format!("<use href='#{symbol}'")).count();
        assert_eq!(count("yinsh-W") + count("yinsh-B"), rings, "after {step} steps");
    }
}

#[test]
fn meanings_are_lit_as_a_file_says() {
    let (file, out) = (pictures().join("meanings.txt"), pictures().join("meanings.svg"));
    let (file, out) = (file.to_str().expect("text"), out.to_str().expect("text"));
    fs::write(file, "f6 destination\n\na1 set-up red\n").expect("a file");
    let lit = ["render", "--bare", "hex", "--meanings", file, "--out", out];
    assert!(run(&lit).status.success());
    let svg = fs::read_to_string(out).expect("a drawing");
    assert_eq!(svg.matches("<use href='#halo-hex'").count(), 2);
    for (line, says) in [
        ("f6", "line 1: expected a point and a meaning"),
        ("z9 put", "the board has no point \"z9\""),
        ("f6 shine", "no meaning \"shine\"; there are origin"),
        ("f6 set-up pink", "set-up wants white, black"),
        ("f6 to-act 5", "to-act wants a player"),
    ] {
        fs::write(file, line).expect("a file");
        refused(&lit, 1, says);
    }
}

#[test]
fn a_frame_of_leds_is_lit_as_the_pipe_says_it() {
    let (file, out) = (pictures().join("frame.json"), pictures().join("frame.svg"));
    let (file, out) = (file.to_str().expect("text"), out.to_str().expect("text"));
    let lit = ["render", "--bare", "hex", "--frame", file, "--out", out];
    fs::write(file, r#"{"t":5,"lights":{"K1":"0c0c0c","a1":"ff0000","f6":"00a000"}}"#)
        .expect("a file");
    assert!(run(&lit).status.success());
    let svg = fs::read_to_string(out).expect("a drawing");
    assert_eq!(svg.matches("<use href='#halo-hex'").count(), 2, "lamps are beside the board");
    assert!(svg.contains("color='rgb(255,40,40)' opacity='1'"), "a1 is red");
    for (line, says) in [
        ("nonsense", "has no line with lights"),
        (r#"{"lamps":["K1"]}"#, "has no line with lights"),
        (r#"{"lights":{"z9":"00a000"}}"#, "the board has no point \"z9\""),
        (r#"{"lights":{"f6":"green"}}"#, "\"green\" is no colour"),
    ] {
        fs::write(file, line).expect("a file");
        refused(&lit, 1, says);
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_what_to_do() {
    let record = "docs/pictures/yinsh.game";
    let drawn = |more: &[&'static str]| [&["render", "--record", record], more].concat();
    refused(&["render", "--out", "x.svg"], 2, "--id");
    refused(&["render", "--id", "chess", "--out", "x.svg"], 1, "the games are gipf-basic");
    refused(&["render", "--id", "yinsh", "--steps", "f6", "f6", "--out", "x.svg"], 1, "[Y2]");
    refused(&drawn(&["--out", "x.jpeg"]), 1, "end the name in .svg or .png");
    refused(&drawn(&["--out", "x.png", "--width", "0"]), 1, "choose 1 to");
    refused(&drawn(&["--step", "999", "--out", "x.svg"]), 1, "the game has 44 steps");
    refused(&drawn(&["--game", "2", "--out", "x.svg"]), 1, "which has 1");
    refused(&drawn(&["--lift", "a1", "--out", "x.svg"]), 1, "no point \"a1\"");
    refused(&drawn(&["--lift", "a2", "--out", "x.svg"]), 1, "nothing stands there");
    assert!(!root().join("x.svg").exists() && !root().join("x.png").exists());
}

#[test]
fn records_go_to_json_and_back() {
    for game in ["gipf", "yinsh", "dvonn", "lyngk", "glux"] {
        let file = format!("docs/pictures/{game}.game");
        let json = run(&["record", &file]);
        assert!(json.status.success(), "{}", String::from_utf8_lossy(&json.stderr));
        let out = pictures().join(format!("{game}.json"));
        fs::write(&out, &json.stdout).expect("a file");
        let back = run(&["record", "--from-json", out.to_str().expect("text")]);
        let source = fs::read(root().join(&file)).expect("a record");
        assert_eq!(String::from_utf8_lossy(&back.stdout), String::from_utf8_lossy(&source));
    }
    refused(&["record", "no such file"], 1, "cannot read no such file");
    refused(&["record", "--from-json", "docs/pictures/yinsh.game"], 1, "expected");
}

#[test]
fn a_reader_who_has_had_enough_is_no_failure() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_board-sim"));
    command.args(["replay", "docs/pictures/yinsh.game", "--steps"]).current_dir(root());
    let mut tool = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(tool.stdout.take());
    let ended = tool.wait_with_output().expect("it ends");
    assert!(ended.status.success());
    assert!(ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
}
