use std::collections::BTreeSet;

use lodestone::games::any::{Setup, Step};
use lodestone::geometry::{Board, CellSet};
use lodestone::meaning::{Meaning, Meanings};
use lodestone::random::SplitMix64;
use resvg::usvg::{Options, Tree};

use super::*;

/// All boards there are.
fn surfaces() -> impl Iterator<Item = Surface> {
    Id::ALL.map(Surface::Game).into_iter().chain(Playfield::ALL.map(Surface::Bare))
}

/// What stands between two marks in a text, each time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

/// Every definition has a name of its own, and whatever is used is defined; an SVG reader would
/// silently leave out what is not.
fn check(svg: &str) {
    Tree::from_str(svg, &Options::default()).expect("well-formed");
    let ids = between(svg, " id='", "'");
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "two definitions of one name");
    let uses = between(svg, "href='#", "'").into_iter().chain(between(svg, "url(#", ")"));
    for name in uses {
        assert!(unique.contains(name), "{name} is not defined");
    }
}

/// The position after so many random steps.
fn random_position(id: Id, steps: usize, seed: u64) -> Position {
    let mut random = SplitMix64::new(seed);
    let mut position = Setup::of(id).position();
    for _ in 0..steps {
        let count = position.step_count();
        let Some(step) = (count > 0).then(|| position.steps().nth(random.below(count))).flatten()
        else {
            break;
        };
        position.play_unchecked(step);
    }
    position
}

#[test]
fn every_piece_has_a_definition() {
    let symbols = symbols();
    let mut names = BTreeSet::new();
    for (id, piece) in pieces::all() {
        let name = name(id, &piece);
        assert!(symbols.contains(&format!("<g id='{name}'>")), "{name}");
        names.insert(name);
    }
    assert_eq!(names.len(), 4 + 4 + 3 + 6 + 24);
    for name in ["gipf-W", "yinsh-b", "dvonn-r", "lyngk-W", "glux-46"] {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn every_board_is_drawn_well_formed_in_all_stages_of_the_game() {
    for surface in surfaces() {
        check(&Picture::of(surface).svg());
    }
    for id in Id::ALL {
        for steps in [5, 25, 60] {
            let position = random_position(id, steps, 1);
            let svg = Picture::position(&position).svg();
            check(&svg);
            let line = text::position(&position);
            let piles = line.split(' ').take_while(|&word| word != "|").count();
            assert_eq!(
                between(&svg, "<g transform='translate(", ")'><use href='#shadow'").len(),
                piles
            );
        }
    }
}

#[test]
fn every_name_and_number_can_be_written() {
    let glyphs: Vec<String> =
        between(&glyphs::symbols(), "id='glyph-", "'").iter().map(ToString::to_string).collect();
    let board_names =
        |board: &'static Board| board.cells().map(|cell| board.name(cell).to_string());
    let names = surfaces().map(Surface::board).flat_map(board_names);
    for word in names.chain(["0123456789".to_string(), "KBGIRW".to_string()]) {
        for letter in word.chars() {
            assert!(glyphs.contains(&letter.to_string()), "{letter} of {word}");
        }
        assert_eq!(
            between(&glyphs::word(&word, (0.0, 0.0), 5.0, "red"), "<use", ">").len(),
            word.len()
        );
    }
}

/// One small golden picture: a stack of two with its shadow and its height.
#[test]
fn a_stack_is_drawn_bottom_to_top() {
    assert_eq!(
        pile(Id::Dvonn, "wr"),
        "<use href='#shadow' transform='translate(2 3.1) scale(12.2)'/>\
         <use href='#dvonn-w' y='1.6'/><use href='#dvonn-r' y='-1.6'/>\
         <g color='#ffe6d6' transform='translate(-2.19 -1.3) scale(1.09)'>\
         <use href='#glyph-2' x='0'/></g>"
    );
    assert_eq!(between(&pile(Id::Glux2, "1426"), "href='#", "'"), ["shadow", "glux-14", "glux-26"]);
    assert_eq!(pile(Id::Dvonn, ""), "");
}

#[test]
fn a_stack_never_hides_the_row_behind_it() {
    for (id, count) in Id::ALL.into_iter().flat_map(|id| (1..=49).map(move |count| (id, count))) {
        let rise = stack_step(id, count) * (count - 1) as f64;
        assert!(rise < 17.1, "{id}: {count} pieces rise by {rise}");
    }
    assert!(stack_step(Id::Lyngk, 5) > 4.0, "the letters of five layers can be read");
}

#[test]
fn points_lie_as_on_the_plate() {
    let at = |column, row| place(Playfield::Hex, Playfield::Hex.at(column, row).unwrap());
    assert_eq!(at(5, 6), (0.0, 0.0));
    assert_eq!(at(5, 11), (0.0, -150.0));
    for surface in surfaces() {
        let board = surface.board();
        let [left, top, width, height] = view(surface);
        for cell in board.cells() {
            let (x, y) = place(board.playfield(), board.point(cell));
            assert!(x > left + 20.0 && x < left + width - 20.0, "{surface:?}");
            assert!(y > top + 20.0 && y < top + height - 20.0, "{surface:?}");
        }
    }
}

#[test]
fn a_light_has_the_hue_of_its_led_and_the_brightness_that_is_seen() {
    assert_eq!(on_screen([0, 0, 0]), None);
    assert_eq!(on_screen([0, 255, 0]), Some(([40, 255, 40], 1.0)));
    assert_eq!(on_screen([0, 0, 63]).unwrap().0, [40, 40, 255]);
    assert!(on_screen([24, 24, 24]).unwrap().1 < on_screen([80, 80, 80]).unwrap().1);
    let f6 = Playfield::Hex.at(5, 6).unwrap();
    let mut meanings = Meanings::none(Playfield::Hex);
    assert_eq!(halos(Playfield::Hex, &frame(&meanings, 0)), "");
    meanings.set(f6, Meaning::Destination);
    assert_eq!(
        halos(Playfield::Hex, &frame(&meanings, 0)),
        "<use href='#halo-hex' x='0' y='0' color='rgb(40,255,40)' opacity='0.79'/>\n"
    );
}

/// The cells that mean this.
fn lit(board: &Board, meanings: &Meanings, meaning: Meaning) -> CellSet {
    board.cells().filter(|&cell| meanings.at(board.point(cell)) == Some(meaning)).collect()
}

/// Plays steps; returns the set-up, the steps and where they lead.
fn game(id: Id, texts: &str) -> (Setup, Vec<Step>, Position) {
    let setup = Setup::of(id);
    let mut position = setup.position();
    let mut steps = Vec::new();
    for text in texts.split_whitespace() {
        let step = position.parse_step(text.as_bytes()).expect("a step text");
        position.play(step).expect("a legal step");
        steps.push(step);
    }
    (setup, steps, position)
}

#[test]
fn a_lifted_piece_lights_where_it_may_go() {
    for (id, texts, name, standing, held) in [
        (Id::Yinsh, "f6 a5 b6 c6 b4 b1 b7 k7 b5 b3", "f6", "w", "W"),
        (Id::Lyngk, "", "e4", "", "K"),
        (Id::Gipf, "", "a3", "w", ""),
    ] {
        let (setup, steps, position) = game(id, texts);
        let board = position.board();
        let cell = board.parse(name.as_bytes()).unwrap();
        let mut lit_board = Lit::new(&setup, &steps).expect("a position");
        lit_board.lift(cell).expect("a piece to lift");
        let destinations = lit(board, &lit_board.meanings(), Meaning::Destination);
        assert_eq!(destinations, position.destinations(cell), "{id}");
        assert!(!destinations.is_empty(), "{id}");
        let picture = lit_board.into_picture();
        assert_eq!(picture.at(cell), standing, "{id}");
        let shown = picture.held.as_ref().map_or("", |(_, content)| content);
        assert_eq!(shown.get(..1).unwrap_or(""), held, "{id}");
    }
}

#[test]
fn what_does_not_stand_there_cannot_be_lifted() {
    let (setup, steps, _) = game(Id::Yinsh, "f6");
    let mut lit = Lit::new(&setup, &steps).expect("a position");
    assert_eq!(lit.lift(Cell::new(0)), Err(LiftError::Nothing));
}

#[test]
fn hints_light_where_the_player_may_begin() {
    for (id, texts, meaning) in [
        (Id::Glux2, "a1=3 m9=4 a4=2", Meaning::Destination),
        (Id::Dvonn, "f3", Meaning::Destination),
        (Id::Lyngk, "", Meaning::Movable),
    ] {
        let (setup, steps, position) = game(id, texts);
        let hints = Lit::new(&setup, &steps).expect("a position").hints();
        assert_eq!(lit(position.board(), &hints, meaning), position.origins(), "{id}");
    }
}

#[test]
fn a_png_has_the_width_it_should_and_is_transparent_only_outside() {
    let svg = Picture::of(Surface::Game(Id::Yinsh)).svg();
    let bytes = png(&svg, 172).expect("a picture");
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&bytes).expect("a PNG");
    assert_eq!((pixels.width(), pixels.height()), (172, 190));
    assert_eq!(pixels.pixel(0, 0).unwrap().alpha(), 0);
    assert_eq!(pixels.pixel(86, 95).unwrap().alpha(), 255);
    assert_eq!(png(&svg, 0), Err(PngError::Width(0)));
    assert_eq!(png(&svg, 1_000_000), Err(PngError::Width(1_000_000)));
    assert!(matches!(png("<svg", 100), Err(PngError::Svg(_))));
}
