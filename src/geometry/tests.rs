//! Counts, lines, neighbours and names, over all points of all boards.

use std::collections::BTreeSet;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::*;

const BOARDS: [(&str, &Board, usize); 8] = [
    ("hex", &HEX, 91),
    ("square", &SQUARE, 225),
    ("gipf", &GIPF, 61),
    ("yinsh", &YINSH, 85),
    ("dvonn", &DVONN, 49),
    ("lyngk", &LYNGK, 43),
    ("glux-2", &GLUX_2, 117),
    ("glux-4", &GLUX_4, 225),
];

fn all(board: &Board) -> CellSet {
    board.cells().collect()
}

fn named(board: &Board, name: &str) -> Cell {
    board.parse(name.as_bytes()).unwrap_or_else(|| panic!("{name} exists"))
}

/// The playfield's name of the point a game's cell lies on.
fn on_playfield(board: &Board, name: &str) -> String {
    let playfield = match board.playfield() {
        Playfield::Hex => &HEX,
        Playfield::Square => &SQUARE,
    };
    let cell = playfield.cell(board.point(named(board, name))).unwrap();
    playfield.name(cell).to_string()
}

#[test]
fn boards_have_their_numbers_of_cells() {
    for (game, board, count) in BOARDS {
        assert_eq!(board.cell_count(), count, "{game}");
    }
    assert_eq!(GIPF_SPOTS.len(), 37);
    assert_eq!(GIPF_DOTS.len(), 24);
    assert!((GIPF_SPOTS & GIPF_DOTS).is_empty());
}

#[test]
fn columns_of_the_hex_playfield_are_those_of_the_rule_book() {
    let columns = [
        ("a", 1, 6),
        ("b", 1, 7),
        ("c", 1, 8),
        ("d", 1, 9),
        ("e", 1, 10),
        ("f", 1, 11),
        ("g", 2, 11),
        ("h", 3, 11),
        ("i", 4, 11),
        ("j", 5, 11),
        ("k", 6, 11),
    ];
    let expected: Vec<String> = columns
        .iter()
        .flat_map(|&(letter, low, high)| (low..=high).map(move |row| format!("{letter}{row}")))
        .collect();
    let names: Vec<String> = HEX.cells().map(|cell| HEX.name(cell).to_string()).collect();
    assert_eq!(names, expected);
}

#[test]
fn boards_have_their_numbers_of_lines() {
    assert_eq!(YINSH.lines(all(&YINSH)).count(), 33);
    assert_eq!(GIPF.lines(GIPF_SPOTS.widen()).count(), 21);
    assert_eq!(LYNGK.lines(all(&LYNGK)).count(), 21);
    assert_eq!(DVONN.lines(all(&DVONN)).count(), 27);
    assert_eq!(GLUX_2.lines(all(&GLUX_2)).count(), 13 + 9);
    assert_eq!(GLUX_4.lines(all(&GLUX_4)).count(), 15 + 15);
}

#[test]
fn gipf_has_42_pushes_one_at_each_end_of_each_line() {
    let mut pushes = 0;
    for dot in GIPF_DOTS {
        let onto_spots = GIPF
            .playfield()
            .directions()
            .filter_map(|direction| GIPF.next(dot, direction))
            .filter(|&cell| GIPF_SPOTS.contains(cell))
            .count();
        assert!(onto_spots == 1 || onto_spots == 2);
        pushes += onto_spots;
    }
    assert_eq!(pushes, 42);
    for line in GIPF.lines(GIPF_SPOTS.widen()) {
        let back = GIPF.playfield().opposite(line.direction);
        let before = GIPF.next(line.start, back).unwrap();
        let behind = GIPF.ray(line.start, line.direction).nth(line.length - 1).unwrap();
        assert!(GIPF_DOTS.contains(before) && GIPF_DOTS.contains(behind));
    }
}

#[test]
fn lyngk_lies_on_the_spots_of_gipf_and_six_of_its_dots() {
    let tips = [("a3", "a3"), ("c1", "c1"), ("c7", "c7"), ("g3", "g1"), ("g9", "g7"), ("i7", "i3")];
    for (lyngk, gipf) in tips {
        let dot = named(&GIPF, gipf);
        assert_eq!(LYNGK.point(named(&LYNGK, lyngk)), GIPF.point(dot), "{lyngk}");
        assert!(GIPF_DOTS.contains(dot));
    }
    let dots = LYNGK
        .cells()
        .filter(|&cell| GIPF_DOTS.contains(GIPF.cell(LYNGK.point(cell)).unwrap()))
        .count();
    assert_eq!(dots, 6);
}

#[test]
fn games_lie_where_the_rule_book_says() {
    for (board, name, point) in [
        (&GIPF, "e5", "f6"),
        (&GIPF, "f1", "g3"),
        (&GIPF, "i1", "j6"),
        (&LYNGK, "e5", "f6"),
        (&DVONN, "a1", "d1"),
        (&DVONN, "f3", "f6"),
        (&DVONN, "k5", "h11"),
        (&YINSH, "k7", "k7"),
        (&GLUX_2, "a1", "b4"),
        (&GLUX_2, "m9", "n12"),
        (&GLUX_4, "o15", "o15"),
    ] {
        assert_eq!(on_playfield(board, name), point, "{name}");
    }
    let unused: BTreeSet<String> = HEX
        .cells()
        .filter(|&cell| YINSH.cell(HEX.point(cell)).is_none())
        .map(|cell| HEX.name(cell).to_string())
        .collect();
    assert_eq!(unused, ["a1", "a6", "f1", "f11", "k11", "k6"].map(String::from).into());
}

#[test]
fn columns_of_the_games_are_those_of_the_rule_book() {
    let check = |board: &Board, ranges: &[(char, u8, u8)]| {
        let expected: Vec<String> = ranges
            .iter()
            .flat_map(|&(letter, low, high)| (low..=high).map(move |row| format!("{letter}{row}")))
            .collect();
        let names: Vec<String> = board.cells().map(|c| board.name(c).to_string()).collect();
        assert_eq!(names, expected);
    };
    check(
        &GIPF,
        &[
            ('a', 1, 5),
            ('b', 1, 6),
            ('c', 1, 7),
            ('d', 1, 8),
            ('e', 1, 9),
            ('f', 1, 8),
            ('g', 1, 7),
            ('h', 1, 6),
            ('i', 1, 5),
        ],
    );
    check(
        &LYNGK,
        &[
            ('a', 3, 3),
            ('b', 2, 5),
            ('c', 1, 7),
            ('d', 2, 7),
            ('e', 2, 8),
            ('f', 3, 8),
            ('g', 3, 9),
            ('h', 5, 8),
            ('i', 7, 7),
        ],
    );
    check(
        &DVONN,
        &[
            ('a', 1, 3),
            ('b', 1, 4),
            ('c', 1, 5),
            ('d', 1, 5),
            ('e', 1, 5),
            ('f', 1, 5),
            ('g', 1, 5),
            ('h', 1, 5),
            ('i', 1, 5),
            ('j', 2, 5),
            ('k', 3, 5),
        ],
    );
}

#[test]
fn neighbours_are_symmetric_and_rays_end_at_the_edge() {
    for (game, board, _) in BOARDS {
        for cell in board.cells() {
            for direction in board.playfield().directions() {
                let back = board.playfield().opposite(direction);
                if let Some(next) = board.next(cell, direction) {
                    assert_eq!(board.next(next, back), Some(cell), "{game}");
                }
                let last = board.ray(cell, direction).last().unwrap_or(cell);
                assert_eq!(board.next(last, direction), None, "{game}");
            }
        }
    }
}

#[test]
fn names_make_the_round_trip_and_others_are_refused() {
    for (game, board, _) in BOARDS {
        for cell in board.cells() {
            assert_eq!(board.parse(board.name(cell).to_string().as_bytes()), Some(cell), "{game}");
            assert_eq!(board.cell(board.point(cell)), Some(cell), "{game}");
        }
        let names: BTreeSet<String> = board.cells().map(|c| board.name(c).to_string()).collect();
        for column in 'a'..='z' {
            for row in 0..=30 {
                let name = format!("{column}{row}");
                assert_eq!(board.parse(name.as_bytes()).is_some(), names.contains(&name), "{name}");
            }
        }
        let odd: [&[u8]; 10] =
            [b"", b"f", b"6", b"6f", b"f06", b"F6", b"f6 ", b" f6", b"f-1", b"\xff6"];
        for name in odd {
            assert_eq!(board.parse(name), None, "{game}: {name:?}");
        }
    }
}

#[test]
fn points_know_their_place() {
    for playfield in Playfield::ALL {
        for point in playfield.points() {
            let (column, row) = playfield.place(point);
            assert_eq!(playfield.at(column, row), Some(point));
        }
        assert_eq!(Point::new(playfield, playfield.point_count()), None);
    }
}

#[test]
fn rooms_cover_what_the_plans_say() {
    let size = |plan: &[Option<Room>], room: usize| {
        plan.iter().filter(|r| r.is_some_and(|r| r.index() + 1 == room)).count()
    };
    let sizes =
        |plan: &[Option<Room>]| (1..=Room::COUNT).map(|r| size(plan, r)).collect::<Vec<_>>();
    assert_eq!(sizes(&rooms::GLUX_2), [4, 8, 4, 7, 9, 7, 4, 8, 4]);
    assert_eq!(sizes(&rooms::GLUX_4), [4, 7, 4, 7, 9, 7, 4, 7, 4]);
    assert_eq!(rooms::GLUX_4[named(&GLUX_4, "h8").index()], Some(Room::MIDDLE));
    assert_eq!(rooms::GLUX_2[named(&GLUX_2, "g5").index()], Some(Room::MIDDLE));
    // X1 looks the same from all four sides: a quarter turn maps rooms onto rooms.
    for cell in GLUX_4.cells() {
        let (column, row) = Playfield::Square.place(GLUX_4.point(cell));
        let turned = Playfield::Square.at(row - 1, 15 - column).unwrap();
        let turned = GLUX_4.cell(turned).unwrap();
        let (here, there) = (rooms::GLUX_4[cell.index()], rooms::GLUX_4[turned.index()]);
        assert_eq!(here.is_some(), there.is_some(), "{}", GLUX_4.name(cell));
    }
}

#[test]
fn sets_do_what_sets_do() {
    let mut set: Cells<2> = [3, 70, 64].map(Cell::new).into_iter().collect();
    assert_eq!(set.iter().map(Cell::index).collect::<Vec<_>>(), [3, 64, 70]);
    assert_eq!((set.lowest(), set.highest()), (Some(Cell::new(3)), Some(Cell::new(70))));
    assert_eq!(set.len(), 3);
    set.remove(Cell::new(64));
    assert!(!set.contains(Cell::new(64)) && set.contains(Cell::new(70)));
    assert_eq!((set - Cells::of(Cell::new(3))).lowest(), Some(Cell::new(70)));
    assert_eq!(set.widen::<4>().len(), 2);
    assert_eq!(Cells::<2>::EMPTY.lowest(), None);
    assert_eq!(Cells::<2>::first(85).len(), 85);
}
