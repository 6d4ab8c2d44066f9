//! The link's messages as JSON: by name, and without what has a default, as the pipe speaks of them.

use lodestone::games::Id;
use lodestone::geometry::{Playfield, Point, PointSet};
use lodestone::link::{FromBoard, Key, Places, Seat, Setting, Task, Text, ToBoard};
use lodestone::sense::Fault;
use lodestone::sound::Sound;
use lodestone::text::Language;

fn place(index: usize) -> Places {
    Places(PointSet::of(Point::new(Playfield::Hex, index).expect("a point")))
}

#[test]
fn messages_have_names_where_people_read_them() {
    for (json, expected) in [
        (r#""GetState""#, ToBoard::GetState),
        (
            r#"{"NewGame":{"id":"yinsh"}}"#,
            ToBoard::NewGame { id: Id::Yinsh, handicap: Text::default(), setup: Text::default() },
        ),
        (r#"{"Resign":{}}"#, ToBoard::Resign { player: Seat(None) }),
        (r#"{"Key":{"key":"OK","down":true}}"#, ToBoard::Key { key: Key::Ok, down: true }),
        (
            r#"{"SetOption":{"setting":{"language":"fa"}}}"#,
            ToBoard::SetOption { setting: Setting::Language(Language::Persian) },
        ),
    ] {
        assert_eq!(serde_json::from_str::<ToBoard>(json).unwrap(), expected);
    }
    assert!(serde_json::from_str::<ToBoard>(r#"{"NewGame":{"id":"chess"}}"#).is_err());
    for (message, json) in [
        (FromBoard::BackInPlay, r#""back-in-play""#),
        (
            FromBoard::Prompt { task: Task::SetUp, points: place(3) },
            r#"{"prompt":{"do":"set-up","points":[3]}}"#,
        ),
        (
            FromBoard::Fault { points: place(45), kind: Fault::OutOfRange },
            r#"{"fault":{"points":[45],"kind":"out-of-range"}}"#,
        ),
        (FromBoard::Sound { sound: Sound::Turn }, r#"{"sound":{"sound":"turn"}}"#),
    ] {
        assert_eq!(serde_json::to_string(&message).unwrap(), json);
    }
}
