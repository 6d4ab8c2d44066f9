//! `play --terminal`: the bare board, live in the terminal. The image one would flash runs in the emulator;
//! magnets are put on points by name, and what its LEDs show is drawn.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use board_sim::emulator::{Emulator, LedFrame, Options, What};
use clap::Args as ClapArgs;
use lodestone::geometry::{self, Board, Playfield, Point};
use lodestone::wiring::{self, limits};

use super::Field;

#[derive(ClapArgs)]
#[command(next_help_heading = "With --terminal or --backend emulator")]
pub(crate) struct BareArgs {
    /// Which playfield is plugged in
    #[arg(long, value_enum, default_value_t)]
    playfield: Field,
    /// The image to run; made by `cargo xtask image` when there is none yet
    #[arg(long)]
    elf: Option<PathBuf>,
}

impl BareArgs {
    /// The image to run.
    pub(super) fn elf(&self) -> Result<PathBuf> {
        self.elf.clone().map_or_else(super::image, Ok)
    }
}

/// Code of a marker centred on a point: 3.72 mT above the zero.
const MAGNET: u16 = limits::ZERO_NOMINAL + 277;
/// Long enough for the image to boot and to switch the LEDs on.
const BOOT: Duration = Duration::from_millis(1500);
/// Long enough for a scan and an LED frame, whatever was on its way.
const LOOK: Duration = Duration::from_millis(100);

const HELP: &str = "a point such as f6 puts a magnet there or takes it away; quit ends";

pub(crate) fn run(args: &BareArgs) -> Result<()> {
    let mut live = Live::start(&args.elf()?, args.playfield.into())?;
    live.look(BOOT)?;
    let interactive = io::stdin().is_terminal();
    if interactive {
        println!("The bare board, run by its own image in the emulator.");
    }
    live.draw();
    println!("{HELP}");
    for line in io::stdin().lock().lines() {
        let line = line?;
        let name = line.trim();
        if name == "quit" {
            break;
        }
        let Some(cell) = live.board.parse(name.as_bytes()) else {
            println!("no point {name:?}; {HELP}");
            continue;
        };
        live.toggle(live.board.point(cell))?;
        live.draw();
        io::stdout().flush()?;
    }
    Ok(())
}

/// A running board and what its LEDs show.
struct Live {
    emulator: Emulator,
    playfield: Playfield,
    board: &'static Board,
    magnets: BTreeSet<Point>,
    shown: Option<LedFrame>,
}

impl Live {
    fn start(elf: &Path, playfield: Playfield) -> Result<Live> {
        let mut emulator = Emulator::start(elf, &Options::default())?;
        emulator.plug(Some(playfield))?;
        emulator.set_usb_host(true)?;
        let board = match playfield {
            Playfield::Hex => &geometry::HEX,
            Playfield::Square => &geometry::SQUARE,
        };
        Ok(Live { emulator, playfield, board, magnets: BTreeSet::new(), shown: None })
    }

    /// Lets the board run and keeps the last frame it showed.
    fn look(&mut self, time: Duration) -> Result<()> {
        for event in self.emulator.run(time)? {
            match event.what {
                What::Frame(frame) => self.shown = Some(frame),
                What::Log(line) => eprintln!("board: {}", line.text),
                _ => {}
            }
        }
        Ok(())
    }

    fn toggle(&mut self, point: Point) -> Result<()> {
        let put = self.magnets.insert(point);
        if !put {
            self.magnets.remove(&point);
        }
        let code = if put { MAGNET } else { limits::ZERO_NOMINAL };
        self.emulator.set_codes(self.playfield, &[(point, code)])?;
        self.look(LOOK)
    }

    /// The colour of a point's LED, if it shines, as bright as a screen can show it.
    fn light(&self, point: Point) -> Option<[u8; 3]> {
        let frame = self.shown.as_ref().filter(|frame| frame.powered)?;
        let rgb = frame.rgb.get(wiring::led(self.playfield, point))?;
        let peak = u16::from(*rgb.iter().max()?);
        (peak > 0).then(|| rgb.map(|byte| (u16::from(byte) * 255 / peak) as u8))
    }

    /// Draws the playfield as it lies on the table; lit points are discs in their colour.
    fn draw(&self) {
        let (columns, lines) = match self.playfield {
            Playfield::Hex => (11, 21),
            Playfield::Square => (15, 15),
        };
        for line in 0..lines {
            let row: String = (0..columns).map(|column| self.spot(column, line)).collect();
            println!("  {}", row.trim_end());
        }
    }

    /// What stands in a column (four characters wide) of a line, counted from the top.
    fn spot(&self, column: i8, line: i8) -> String {
        let at = match self.playfield {
            // Half a row up for each column to the right of the middle, half a row down before it.
            Playfield::Hex if (line + column) % 2 == 1 => Some((17 + column - line) / 2),
            Playfield::Hex => None,
            Playfield::Square => Some(15 - line),
        };
        let point = at.and_then(|row| self.playfield.at(column, row));
        let Some(point) = point else { return "    ".into() };
        match self.light(point) {
            Some([r, g, b]) => format!("\x1b[38;2;{r};{g};{b}m●\x1b[0m   "),
            None => "·   ".into(),
        }
    }
}
