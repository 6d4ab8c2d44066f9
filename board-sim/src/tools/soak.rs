//! `soak`: virtual people play whole games against the device.

use anyhow::{Result, bail, ensure};
use board_sim::hands::{CAREFUL, SLOPPY, Style};
use board_sim::soak::{Failure, HINT_MS, LATE_MS, Plan, Tally, game, soak, spread};
use clap::{Args as ClapArgs, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use lodestone::games::Id;
use serde_json::{Value, json};

#[derive(Clone, Copy, ValueEnum)]
enum HandsOf {
    Careful,
    Sloppy,
}

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// Which game: gipf-basic, gipf, gipf-tournament, yinsh, yinsh-blitz, dvonn, lyngk, lyngk-six,
    /// glux-2, glux-3, glux-4, or all
    #[arg(long, default_value = "all", value_name = "ID|all")]
    game: String,
    /// Turns of each game at least
    #[arg(long, default_value_t = 1000)]
    turns: u64,
    /// Where everything drawn by lot comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How people handle pieces
    #[arg(long, value_enum, default_value = "careful")]
    hands: HandsOf,
    /// Sensors of each game that fail at some time
    #[arg(long, default_value_t = 0)]
    faults: usize,
    /// Gains were not taught; zeros always are
    #[arg(long)]
    untaught: bool,
    /// Only the game with this number, as a failure names it
    #[arg(long, value_name = "NUMBER")]
    game_number: Option<u64>,
    /// Print everything that happens
    #[arg(long)]
    trace: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let ids = match args.game.as_str() {
        "all" => Id::ALL.to_vec(),
        name => match Id::parse(name.as_bytes()) {
            Some(id) => vec![id],
            None => {
                bail!("no game {name:?}; the games are all {}", Id::ALL.map(Id::name).join(" "))
            }
        },
    };
    let bar = ProgressBar::new(args.turns * ids.len() as u64);
    let style = ProgressStyle::with_template("{msg:16} {bar:40} {pos}/{len} turns, {eta} left");
    bar.set_style(style.expect("the template is valid"));
    if !args.json {
        println!("{HEAD}");
    }
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for (n, id) in (0..).zip(ids) {
        let plan = plan(args, id);
        bar.set_message(id.name());
        bar.set_position(n * args.turns);
        let tally = match args.game_number {
            Some(number) => game(&plan, number),
            None => soak(&plan, args.turns, |turns| bar.inc(turns)),
        };
        if !args.json {
            bar.suspend(|| print(args, id, &tally));
        }
        rows.push(object(id, &tally));
        failures.extend(tally.failures);
    }
    bar.finish_and_clear();
    if args.json {
        println!("{}", json!({ "rows": rows, "failures": texts(args, &failures) }));
    }
    ensure!(failures.is_empty(), "{} games failed", failures.len());
    Ok(())
}

fn plan(args: &Args, id: Id) -> Plan {
    let style: &'static Style = match args.hands {
        HandsOf::Careful => &CAREFUL,
        HandsOf::Sloppy => &SLOPPY,
    };
    let (seed, faults, taught) = (args.seed, args.faults, !args.untaught);
    Plan { id, seed, style, faults, taught, trace: args.trace }
}

const HEAD: &str = "game             turns wrong stuck questions      % mistakes  mended changes  early \
                    unmeant unfair |  commit ms: median  p99 worst, late p99 worst | hint ms: p99 worst, none";

/// Late commits that are named.
const LATE_SHOWN: usize = 20;

/// A line for the game, and one for each failure and for what took longest, if that is too long, with
/// the command that shows it again.
fn print(args: &Args, id: Id, tally: &Tally) {
    println!("{}", line(id, tally));
    for failure in &tally.failures {
        let kind = if failure.is_wrong { "WRONG" } else { "STUCK" };
        println!("{kind} after step {}, {} ms: {}", failure.step, failure.at_ms, failure.what);
        println!("    {}", again(args, id, failure.number));
    }
    let mut late: Vec<_> = tally.late_ms.iter().filter(|(late, _)| *late > LATE_MS).collect();
    late.sort_unstable_by(|a, b| b.cmp(a));
    if let Some((_, number)) = late.first() {
        let games = late.iter().take(LATE_SHOWN).map(|(late, n)| format!("{late} ms in game {n}"));
        let games = games.collect::<Vec<_>>().join(", ");
        println!("commits over {LATE_MS} ms late: {}: {games}", late.len());
        println!("    {}", again(args, id, *number));
    }
    let [_, _, (hint, number)] = spread(&tally.hint_ms);
    if hint > HINT_MS {
        println!("destinations after {hint} ms:\n    {}", again(args, id, number));
    }
}

fn line(id: Id, tally: &Tally) -> String {
    let [median, p99, worst] = spread(&tally.commit_ms);
    let [_, late_p99, late] = spread(&tally.late_ms).map(|(ms, _)| ms);
    let [_, hint_p99, hint] = spread(&tally.hint_ms).map(|(ms, _)| ms);
    format!(
        "{:<15} {:>6} {:>5} {:>5} {:>9} {:>6.2} {:>8} {:>7} {:>7} {:>6} {:>7} {:>6} |             \
         {median:>6} {p99:>4} {worst:>5}       {late_p99:>4} {late:>5} |          {hint_p99:>3} {hint:>5}  {:>4}",
        id.name(),
        tally.turns,
        tally.wrong(),
        tally.stuck(),
        tally.questions,
        tally.questions_percent(),
        tally.mistakes,
        tally.mended,
        tally.changes,
        tally.early,
        tally.unmeant,
        tally.unfair,
        tally.hints_missing,
    )
}

fn object(id: Id, tally: &Tally) -> Value {
    json!({
        "game": id.name(),
        "games": tally.games,
        "turns": tally.turns,
        "wrong": tally.wrong(),
        "stuck": tally.stuck(),
        "questions": tally.questions,
        "mistakes": tally.mistakes,
        "mended": tally.mended,
        "changes": tally.changes,
        "early": tally.early,
        "unmeant": tally.unmeant,
        "unfair": tally.unfair,
        "commit_ms": spread(&tally.commit_ms),
        "late_ms": spread(&tally.late_ms).map(|(ms, _)| ms),
        "hint_ms": spread(&tally.hint_ms).map(|(ms, _)| ms),
        "hints_missing": tally.hints_missing,
        "simulated_ms": tally.simulated_ms,
    })
}

fn texts(args: &Args, failures: &[Failure]) -> Vec<Value> {
    failures
        .iter()
        .map(|failure| {
            let kind = if failure.is_wrong { "wrong" } else { "stuck" };
            json!({
                "kind": kind,
                "step": failure.step,
                "at_ms": failure.at_ms,
                "what": failure.what,
                "again": again(args, failure.id, failure.number),
            })
        })
        .collect()
}

/// The command that plays a game again.
fn again(args: &Args, id: Id, number: u64) -> String {
    let hands = match args.hands {
        HandsOf::Careful => "careful",
        HandsOf::Sloppy => "sloppy",
    };
    let untaught = if args.untaught { " --untaught" } else { "" };
    format!(
        "cargo sim soak --game {} --seed {} --hands {hands} --faults {}{untaught} --game-number {} --trace",
        id.name(),
        args.seed,
        args.faults,
        number
    )
}
