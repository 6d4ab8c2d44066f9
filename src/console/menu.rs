//! The menu: what the keys choose, by table.
//!
//! Two levels: games, then the variants of one, or the options. UNDO goes up a level, from the
//! first one back to the game that waits.

use super::{Console, Effect, Effects, State, push};
use crate::games::any::Setup;
use crate::games::{Id, gipf, lyngk};
use crate::geometry::Playfield;
use crate::link::{Options, Setting};
use crate::meaning::{Lamp, Lamps};
use crate::text::{Language, Message, Who};
use crate::wiring::KEY_LED_COUNT;

use super::service::Service;

/// Where in the menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Menu {
    /// Which game.
    Games,
    /// Which variant of it, and GIPF's handicap.
    Variant { ids: &'static [Id], chosen: Id, handicap: u8 },
    /// The options.
    Options,
    /// What the board does for itself.
    Care,
}

/// A press in the menu.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Press {
    Number(u8),
    Ok,
    Undo,
}

/// The ids behind K1..K5.
const FAMILIES: [&[Id]; 5] = [
    &[Id::GipfBasic, Id::Gipf, Id::GipfTournament],
    &[Id::Yinsh, Id::YinshBlitz],
    &[Id::Dvonn],
    &[Id::Lyngk, Id::LyngkSix],
    &[Id::Glux2, Id::Glux3, Id::Glux4],
];
/// What K4 goes through in GIPF's basic game.
const HANDICAPS: [Option<&[u8]>; 7] =
    [None, Some(b"1+1"), Some(b"1+2"), Some(b"1+3"), Some(b"2+1"), Some(b"2+2"), Some(b"2+3")];
/// What K3 of the options goes through, ms; 0 is by OK.
const SETTLES: [u16; 6] = [500, 1000, 2000, 0, 150, 300];
const HANDICAP_KEY: usize = 3;

/// The playfield of a game.
pub(super) fn playfield(id: Id) -> Playfield {
    match id {
        Id::Glux2 | Id::Glux3 | Id::Glux4 => Playfield::Square,
        _ => Playfield::Hex,
    }
}

impl Menu {
    pub(super) fn lamps(self, board: Playfield, options: Options) -> Lamps {
        let lit = |is_ready: bool, is_chosen: bool| match (is_ready, is_chosen) {
            (_, true) => Some(Lamp::Chosen),
            (true, false) => Some(Lamp::Ready),
            (false, false) => None,
        };
        core::array::from_fn(|key| match self {
            Menu::Games => {
                let fits = |ids: &&[Id]| playfield(ids[0]) == board;
                lit(key == 5 || FAMILIES.get(key).is_some_and(fits), false)
            }
            Menu::Variant { ids, chosen, handicap } => {
                let takes_handicap = key == HANDICAP_KEY && chosen == Id::GipfBasic;
                let is_chosen = ids.get(key) == Some(&chosen) || takes_handicap && handicap > 0;
                lit(key < ids.len() || takes_handicap, is_chosen)
            }
            Menu::Options => lit(true, key == 0 && options.hints || key == 3 && options.sound),
            Menu::Care => lit(key < 3, false),
        })
    }

    /// How the lamps look beside each other.
    fn glows(self, board: Playfield, options: Options) -> [Glow; KEY_LED_COUNT] {
        let lamps = self.lamps(board, options);
        let has_dim = lamps.contains(&Some(Lamp::Ready));
        lamps.map(|lamp| match lamp {
            None => Glow::Dark,
            Some(Lamp::Chosen) if has_dim => Glow::Bright,
            Some(_) => Glow::Dim,
        })
    }

    /// What a key means here.
    pub(super) fn legend(
        self,
        key: usize,
        board: Playfield,
        options: Options,
    ) -> Option<Message<'static>> {
        if key >= KEY_LED_COUNT || self.lamps(board, options)[key].is_none() {
            return None;
        }
        Some(match self {
            Menu::Games => [
                Message::MenuGipf,
                Message::MenuYinsh,
                Message::MenuDvonn,
                Message::MenuLyngk,
                Message::MenuGlux,
                Message::MenuOptions,
            ][key],
            Menu::Variant { ids, handicap, .. } => match ids.get(key) {
                Some(&game) => Message::Game { game },
                None => handicap_legend(handicap),
            },
            Menu::Options => option_legend(key, options),
            Menu::Care => [Message::MenuZero, Message::MenuGain, Message::MenuSelfTest][key],
        })
    }
}

/// How a key's lamp looks beside the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glow {
    /// Not lit.
    Dark,
    /// Lit as most are.
    Dim,
    /// Brighter than another.
    Bright,
}

/// What a key means in the menu of a board of which only the lamps are known; `None` also where two
/// menus look the same, as the variants of YINSH and LYNGK do.
pub fn legend_by_lamps(
    glows: &[Glow; KEY_LED_COUNT],
    key: usize,
    board: Playfield,
    options: Options,
) -> Option<Message<'static>> {
    let families = FAMILIES.iter().filter(|ids| playfield(ids[0]) == board);
    let variants = families.flat_map(|&ids| {
        let chosen = ids.iter().flat_map(|&chosen| [(chosen, 0), (chosen, 1)]);
        chosen.map(move |(chosen, handicap)| Menu::Variant { ids, chosen, handicap })
    });
    let has_sense = |menu: &Menu| match *menu {
        Menu::Variant { chosen, handicap, .. } => handicap == 0 || chosen == Id::GipfBasic,
        _ => true,
    };
    let menus = [Menu::Games, Menu::Options, Menu::Care].into_iter().chain(variants);
    let looks_so = |menu: &Menu| menu.glows(board, options) == *glows;
    let mut menus = menus.filter(has_sense).filter(looks_so);
    let menu = menus.next().filter(|_| menus.next().is_none())?;
    // Lamps do not tell how large a handicap is.
    match menu {
        Menu::Variant { handicap: 1.., .. } if key == HANDICAP_KEY => None,
        _ => menu.legend(key, board, options),
    }
}

fn handicap_legend(handicap: u8) -> Message<'static> {
    match HANDICAPS[usize::from(handicap)] {
        Some(&[player, _, pieces]) => Message::Handicap {
            player: Who {
                game: Id::GipfBasic,
                player: crate::games::Player::from_index(usize::from(player - b'1')),
            },
            number: u16::from(pieces - b'0'),
        },
        _ => Message::NoHandicap,
    }
}

fn option_legend(key: usize, options: Options) -> Message<'static> {
    match key {
        0 if options.hints => Message::HintsLegal,
        0 => Message::HintsOff,
        1 => Message::Brightness { number: options.brightness.into() },
        2 if options.settle == 0 => Message::SettleByOk,
        2 => Message::SettleTime { number: options.settle },
        3 if options.sound => Message::SoundOn,
        3 => Message::SoundOff,
        4 => Message::LanguageIs,
        _ => Message::MenuCare,
    }
}

impl Console {
    /// A press in the menu.
    pub(super) fn choose(&mut self, press: Press, effects: &mut Effects) {
        let State::Menu(menu) = self.state else { return };
        match (menu, press) {
            (Menu::Games, Press::Number(6)) => self.state = State::Menu(Menu::Options),
            (Menu::Games, Press::Number(number)) => self.choose_family(number),
            (Menu::Games, Press::Undo) if self.has_game => self.back_to_game(),
            (Menu::Games, _) => {}
            (_, Press::Undo) | (Menu::Options | Menu::Care, Press::Ok) => {
                self.state = State::Menu(Menu::Games);
            }
            (Menu::Variant { ids, chosen, handicap }, Press::Number(number)) => {
                let key = usize::from(number) - 1;
                let next = if let Some(&id) = ids.get(key) {
                    Menu::Variant { ids, chosen: id, handicap: 0 }
                } else if key == HANDICAP_KEY && chosen == Id::GipfBasic {
                    let handicap = (handicap + 1) % HANDICAPS.len() as u8;
                    Menu::Variant { ids, chosen, handicap }
                } else {
                    return;
                };
                self.state = State::Menu(next);
            }
            (Menu::Variant { chosen, handicap, .. }, Press::Ok) => {
                let setup = self.chosen_setup(chosen, handicap);
                self.begin(&setup, effects);
            }
            (Menu::Options, Press::Number(6)) => self.state = State::Menu(Menu::Care),
            (Menu::Options, Press::Number(number)) => self.next_option(number, effects),
            (Menu::Care, Press::Number(number)) => self.care(number),
        }
    }

    fn choose_family(&mut self, number: u8) {
        let ids = FAMILIES.get(usize::from(number) - 1);
        if let Some(ids) = ids.filter(|ids| playfield(ids[0]) == self.playfield()) {
            self.state = State::Menu(Menu::Variant { ids, chosen: ids[0], handicap: 0 });
        }
    }

    /// The game that waited goes on; what was done on the board meanwhile is led back.
    pub(super) fn back_to_game(&mut self) {
        self.state = State::Game;
        self.sense.set_profile(self.referee.profile());
        self.referee.restore(self.now_ms);
    }

    fn chosen_setup(&mut self, id: Id, handicap: u8) -> Setup {
        match (Setup::of(id), HANDICAPS[usize::from(handicap)]) {
            (Setup::Gipf(gipf::Variant::Basic(_)), Some(text)) => {
                Setup::Gipf(gipf::Variant::Basic(gipf::Handicap::parse(text)))
            }
            (Setup::Lyngk(variant, _), _) => {
                Setup::Lyngk(variant, lyngk::Deal::shuffle(self.random.next()))
            }
            (setup, _) => setup,
        }
    }

    fn next_option(&mut self, number: u8, effects: &mut Effects) {
        let options = &self.options;
        let setting = match number {
            1 => Setting::Hints(!options.hints),
            2 => Setting::Brightness(options.brightness % 4 + 1),
            3 => {
                let now = SETTLES.iter().position(|&ms| ms == options.settle).unwrap_or(0);
                Setting::Settle(SETTLES[(now + 1) % SETTLES.len()])
            }
            4 => Setting::Sound(!options.sound),
            5 => Setting::Language(match options.language {
                Language::English => Language::Persian,
                Language::Persian => Language::English,
            }),
            _ => return,
        };
        self.set(setting, effects);
    }

    /// Changes an option; `false` when it cannot have that value.
    pub(super) fn set(&mut self, setting: Setting, effects: &mut Effects) -> bool {
        match setting {
            Setting::Hints(on) => self.options.hints = on,
            Setting::Brightness(step @ 1..=4) => self.options.brightness = step,
            Setting::Settle(ms @ (0 | 150..=2000)) => self.options.settle = ms,
            Setting::Sound(on) => self.options.sound = on,
            Setting::Language(language) => self.options.language = language,
            Setting::Brightness(_) | Setting::Settle(_) => return false,
        }
        self.apply_options();
        push(effects, Effect::SaveOptions);
        true
    }

    fn care(&mut self, number: u8) {
        self.begin_service(match number {
            1 => Service::zero(),
            2 => Service::gain(self.calibration()),
            3 => Service::self_test(),
            _ => return,
        });
    }
}
