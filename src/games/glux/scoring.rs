//! Points and the winner (X14 to X18).

use super::Glux;
use crate::games::{Outcome, Player, Winners};
use crate::geometry::Room;

/// X15: points for the most spots in a room.
const FIRST: u16 = 4;
/// X15: points for the second most, with three or four players.
const SECOND: u16 = 2;

/// A number for each player.
type Tally = [u16; Player::MAX];

/// X14 to X17: the points of each player as the board lies now.
pub(super) fn points(game: &Glux) -> Tally {
    let mut points = [0; Player::MAX];
    for spots in spots(game) {
        let room_points = room_points(spots, game.variant.player_count());
        points.iter_mut().zip(room_points).for_each(|(sum, more)| *sum += more);
    }
    points
}

/// X18: who wins if the game ends now.
pub(super) fn outcome(game: &Glux) -> Outcome {
    let (points, middle) = (points(game), spots(game)[Room::MIDDLE.index()]);
    let standing = |player: Player| (points[player.index()], middle[player.index()]);
    let best = game.players().map(standing).max();
    let mut winners = game.players().filter(|&player| Some(standing(player)) == best);
    match (winners.clone().count(), winners.next(), game.variant.player_count()) {
        (1, Some(winner), _) => Outcome::Win(winner),
        (_, _, 2) => Outcome::Draw,
        (_, first, _) => {
            Outcome::Share(first.into_iter().chain(winners).fold(Winners::default(), Winners::with))
        }
    }
}

/// X14: by room, the spots of each player's uncovered chips.
fn spots(game: &Glux) -> [Tally; Room::COUNT] {
    let mut spots = [[0; Player::MAX]; Room::COUNT];
    for (chip, room) in game.upper.iter().zip(game.plan().rooms) {
        if let (Some(chip), Some(room)) = (chip, room) {
            spots[room.index()][chip.player().index()] += u16::from(chip.spots());
        }
    }
    spots
}

/// X15 to X17: what a room with these spots is worth to each player.
fn room_points(spots: Tally, player_count: usize) -> Tally {
    let most = spots.into_iter().max().unwrap_or_default();
    let shared = spots.into_iter().filter(|&own| own == most).count() > 1;
    let second = spots.into_iter().filter(|&own| own < most).max().unwrap_or_default();
    spots.map(|own| match own {
        0 => 0,
        own if own == most => FIRST,
        own if own == second && !shared && player_count > 2 => SECOND,
        _ => 0,
    })
}
