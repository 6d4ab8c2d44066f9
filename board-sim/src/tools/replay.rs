//! `replay`: plays the records of a file through the rules, or shows one on the page.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use board_sim::{page, record, text};
use clap::Args as ClapArgs;
use lodestone::games::Game;
use serde_json::json;

use super::play::{self, Site};

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// A file of game records (.game)
    file: PathBuf,
    /// Show the position after every step
    #[arg(long)]
    steps: bool,
    /// Print one JSON object a record instead of lines for people
    #[arg(long)]
    json: bool,
    /// Step through a record on the page, and play on from anywhere
    #[arg(long, conflicts_with_all = ["steps", "json"])]
    page: bool,
    /// Which record of the file the page shows, counted from 1
    #[arg(long, default_value_t = 1, requires = "page")]
    game: usize,
    #[command(flatten, next_help_heading = "With --page")]
    site: Site,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut records = super::records(&args.file)?;
    if args.page {
        let count = records.len();
        ensure!((1..=count).contains(&args.game), "the file has {count} records");
        let replay = Some(records.swap_remove(args.game - 1));
        return play::serve(&args.site, page::Options { replay, ..page::Options::default() });
    }
    for (number, record) in records.iter().enumerate() {
        if args.json {
            println!("{}", as_json(record));
        } else {
            show(number + 1, record, args.steps);
        }
    }
    Ok(())
}

fn show(number: usize, record: &record::Record, all_steps: bool) {
    let positions: Vec<_> = record.positions().collect();
    let last = positions.last().expect("the set-up is always there");
    println!(
        "game {number}: {}, {} steps, result {}",
        last.id(),
        record.steps.len(),
        record.result
    );
    if all_steps {
        for ((position, after), &step) in positions.iter().zip(&positions[1..]).zip(&record.steps) {
            println!("{:<12} {}", text::step(position, step), text::position(after));
        }
    } else {
        println!("{}", text::position(last));
    }
    println!("score {}", text::score(last));
}

fn as_json(record: &record::Record) -> serde_json::Value {
    let positions: Vec<_> = record.positions().collect();
    let steps = positions.iter().zip(&record.steps).map(|(p, &step)| text::step(p, step));
    let last = positions.last().expect("the set-up is always there");
    json!({
        "tags": record.tags,
        "steps": steps.collect::<Vec<_>>(),
        "result": record.result,
        "position": text::position(last),
        "score": last.score().as_slice(),
    })
}
