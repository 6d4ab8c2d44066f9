//! Leaves counted by others: the data files `perft/*.txt`, whose sources they name.
//!
//! A row is `id | setup or - | steps or - | depth:count ...`. How deep a run goes depends on its
//! effort; `cargo xtask test` counts up to some ten million leaves a row, `--long` all of them.

use board_sim::perft;
use lodestone::games::any::Position;

use super::cases::{bare, files, play, start};
use super::effort::{Effort, effort};

struct Row {
    place: String,
    position: Position,
    counts: Vec<(u32, u64)>,
}

fn row(place: String, line: &str) -> Result<Row, String> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [id, setup, steps, counts] = fields[..] else { return Err("four fields".into()) };
    let setup = if setup == "-" { id.into() } else { format!("{id} setup {setup}") };
    let mut position = start(&setup)?.position();
    if steps != "-" {
        steps.split_whitespace().try_for_each(|step| play(&mut position, step))?;
    }
    let count = |pair: &str| {
        let (depth, count) = pair.split_once(':')?;
        Some((depth.parse().ok()?, count.parse().ok()?))
    };
    let counts = counts.split_whitespace().map(count).collect::<Option<_>>();
    Ok(Row { place, position, counts: counts.ok_or("depth:count")? })
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (file, text) in files("perft") {
        for (number, line) in text.lines().enumerate() {
            let line = bare(line);
            if !line.is_empty() && !line.starts_with('#') {
                let place = format!("{file}:{}", number + 1);
                rows.push(row(place.clone(), line).unwrap_or_else(|e| panic!("{place}: {e}")));
            }
        }
    }
    rows
}

#[test]
fn leaves_are_those_that_others_counted() {
    let most = match effort() {
        Effort::Quick => 1_000_000,
        Effort::Full => 20_000_000,
        Effort::Long => u64::MAX,
    };
    let rows = rows();
    assert!(rows.len() >= 8, "every game has its rows");
    for row in rows {
        for &(depth, count) in row.counts.iter().filter(|&&(_, count)| count <= most) {
            assert_eq!(perft::leaves(&row.position, depth), count, "{} depth {depth}", row.place);
        }
    }
}
