//! `perft`: counts leaves, with a bar while it takes long and the speed at the end.

use std::time::Instant;

use anyhow::Result;
use board_sim::perft;
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use lodestone::games::Game;
use lodestone::games::any::Position;

use super::{play, setup};

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// Which game: gipf-basic, gipf, gipf-tournament, yinsh, yinsh-blitz, dvonn, lyngk, lyngk-six,
    /// glux-2, glux-3 or glux-4
    id: String,
    /// How many steps ahead
    depth: u32,
    /// LYNGK's set-up: 43 letters, or shuffle:SEED
    #[arg(long, value_name = "LETTERS|shuffle:SEED")]
    setup: Option<String>,
    /// GIPF basic: more pieces for a player, as 1+2
    #[arg(long)]
    handicap: Option<String>,
    /// Steps to play before counting
    #[arg(long, num_args = 1.., value_name = "STEP")]
    moves: Vec<String>,
    /// Print one JSON object instead of a sentence
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let setup = setup(&args.id, args.setup.as_deref(), args.handicap.as_deref())?;
    let (position, _) = play(&setup, &args.moves)?;
    let begin = Instant::now();
    let leaves = match args.depth {
        0 => 1,
        depth => count(&position, depth),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let speed = leaves as f64 / seconds.max(1e-9);
    if args.json {
        let depth = args.depth;
        println!("{}", serde_json::json!({ "depth": depth, "leaves": leaves, "seconds": seconds }));
    } else {
        println!("perft {} {leaves}", args.depth);
        println!("{seconds:.3} s, {:.1} million leaves/s", speed / 1e6);
    }
    Ok(())
}

/// Counts below one first step after the other, so that a bar can show how far it is.
fn count(position: &Position, depth: u32) -> u64 {
    let bar = ProgressBar::new(position.step_count() as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} first steps, {eta} left");
    bar.set_style(style.expect("the template is valid"));
    let leaves = perft::divide(position, depth).map(|(_, leaves)| leaves);
    let leaves = leaves.inspect(|_| bar.inc(1)).sum();
    bar.finish_and_clear();
    leaves
}
