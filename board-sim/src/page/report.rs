//! What the console knows, as pages are told it.

use lodestone::console::{Console, Event};
use lodestone::games::any::Position;
use lodestone::games::{Game, Id, Player};
use lodestone::geometry::{Board, Playfield, Point};
use lodestone::link::{Failure, Key, Phase};
use lodestone::text::Message;

use super::protocol::{Both, Meant, PlayerNews, RefereeNews, Status};
use crate::draw::{self, Surface};
use crate::text;

/// All keys, in their order.
pub(super) const KEYS: [Key; 8] =
    [Key::K1, Key::K2, Key::K3, Key::K4, Key::K5, Key::K6, Key::Ok, Key::Undo];

/// Everything beside the board that the console knows.
pub(super) fn status(console: &Console) -> Status {
    let mut headlines = Vec::new();
    console.headlines(&mut |message| {
        // What was said last and what is to be done now may be the same.
        let sentence = Both::say(&message);
        if !headlines.contains(&sentence) {
            headlines.push(sentence);
        }
    });
    let legend = |key: Key| console.legend(key).map(|message| Both::say(&message));
    let phase = console.phase();
    let mut status = Status {
        phase: Some(phase),
        headlines,
        legends: KEYS.map(legend).to_vec(),
        options: Some(*console.options()),
        can_lay_out: can_lay_out(phase),
        ..Status::default()
    };
    let Some(referee) = console.game() else { return status };
    let position = referee.position();
    let turn = match console.outcome() {
        Some(_) => 0,
        None => position.turn().map_or(0, Player::number),
    };
    let record = referee.record().map(|step| text::step(position, step)).collect();
    describe(&mut status, position, turn, record);
    status
}

/// What a page says of a request that the board did not carry out.
pub(super) const fn failed(failure: Failure) -> Message<'static> {
    match failure {
        Failure::NoGame => Message::NoGame,
        Failure::HoldOk => Message::HoldOk,
        _ => Message::NotNow,
    }
}

/// Whether pieces are to be put somewhere.
pub(super) const fn can_lay_out(phase: Phase) -> bool {
    matches!(phase, Phase::SetUp | Phase::Resume | Phase::Mend)
}

/// What there is to say of a game.
pub(super) fn describe(status: &mut Status, position: &Position, turn: u8, record: Vec<String>) {
    let game = position.id();
    status.game = Some(game.name());
    status.title = Some(Both::say(&Message::Game { game }));
    (status.turn, status.record) = (turn, record);
    let score = position.score();
    let player = |index: usize| PlayerNews {
        score: score.as_slice().get(index).copied().unwrap_or_default(),
        symbols: signs(position, Player::from_index(index)),
    };
    status.players = (0..game.player_count()).map(player).collect();
}

/// The pieces that stand for a player; of LYNGK's players those they have claimed.
fn signs(position: &Position, player: Player) -> Vec<String> {
    let name = |piece: &str| draw::name(position.id(), piece);
    let index = player.index();
    match position {
        Position::Gipf(_) | Position::Dvonn(_) => vec![name(["w", "b"][index & 1])],
        Position::Yinsh(_) => vec![name(["W", "B"][index & 1])],
        Position::Lyngk(game) => {
            game.claims(player).map(|colour| name(&colour.letter().to_string())).collect()
        }
        Position::Glux(_) => vec![name(["11", "21", "31", "41"][index & 3])],
    }
}

/// What the referee makes of the board.
pub(super) fn referee(console: &Console) -> RefereeNews {
    let Some(referee) = console.game() else { return RefereeNews::default() };
    let position = referee.position();
    let board = position.board();
    let candidates: Vec<String> =
        referee.candidates().iter().map(|&cell| board.name(cell).to_string()).collect();
    let explained = referee.explanations().map(|(why, steps)| {
        let steps: Vec<String> = steps.iter().map(|&step| text::step(position, step)).collect();
        (why, steps.join(" "))
    });
    RefereeNews {
        stage: format!("{:?}", referee.stage()),
        position: text::position(position),
        legal: position.steps().count(),
        differs: text::cells(board, referee.picture().differs(referee.expected())),
        candidates: candidates.join(" "),
        explained: explained.collect(),
        meanings: by_name(board, console.playfield(), &meanings(console)),
    }
}

/// What the lights say, point by point.
pub(super) fn meanings(console: &Console) -> Vec<Meant> {
    console.meanings().iter().map(|(point, meaning)| Meant::of(point.index(), meaning)).collect()
}

/// For each meaning the points that have it; those that the game does not use in brackets.
pub(super) fn by_name(
    board: &Board,
    playfield: Playfield,
    meanings: &[Meant],
) -> Vec<(String, String)> {
    let bare = super::world::bare(playfield);
    let mut by_name: Vec<(String, String)> = Vec::new();
    for &Meant(index, meaning, _) in meanings {
        let Some(point) = Point::new(playfield, index) else { continue };
        let at = match (board.cell(point), bare.cell(point)) {
            (Some(cell), _) => board.name(cell).to_string(),
            (None, Some(cell)) => format!("({})", bare.name(cell)),
            (None, None) => continue,
        };
        match by_name.iter_mut().find(|(name, _)| name == meaning) {
            Some((_, points)) => {
                points.push(' ');
                points.push_str(&at);
            }
            None => by_name.push((meaning.into(), at)),
        }
    }
    by_name
}

/// The kind of an event, for the log.
pub(super) const fn kind(event: &Event) -> &'static str {
    match event {
        Event::Committed { .. } => "committed",
        Event::Undone(_) => "undone",
        Event::Refused(_) => "refused",
        Event::Prompt(..) => "prompt",
        Event::Question(..) => "question",
        Event::Notice(_) => "notice",
        Event::BackInPlay => "back-in-play",
        Event::Fault(..) => "fault",
        Event::Report { .. } => "report",
    }
}

/// A line that fits into the log.
pub(super) fn short(text: &str) -> String {
    text.chars().take(160).collect()
}

/// The name under which a surface is fetched.
pub(super) const fn surface_name(surface: Surface) -> &'static str {
    match surface {
        Surface::Game(id) => id.name(),
        Surface::Bare(Playfield::Hex) => "hex",
        Surface::Bare(Playfield::Square) => "square",
    }
}

/// The surface of this name.
pub(super) fn surface(name: &str) -> Option<Surface> {
    match name {
        "hex" => Some(Surface::Bare(Playfield::Hex)),
        "square" => Some(Surface::Bare(Playfield::Square)),
        id => Id::parse(id.as_bytes()).map(Surface::Game),
    }
}
