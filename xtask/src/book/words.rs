//! The words for people that the tables of the documents need and the board itself has not: what a
//! light says, how a colour or a rhythm is called. A new meaning does not compile without its words;
//! a new colour or rhythm has no name, and the check says so.

use anyhow::{Context, Result};
use lodestone::meaning::{Kind, Lamp, Meaning};
use lodestone::sound::Sound;
use lodestone::text::Language;

use super::looks::Colour;

/// English, then Persian.
type Both = [&'static str; 2];

fn choose(both: Both, language: Language) -> &'static str {
    match language {
        Language::English => both[0],
        Language::Persian => both[1],
    }
}

pub(super) fn and(language: Language) -> &'static str {
    choose([" and ", " و "], language)
}

/// The heads of a table with these columns.
pub(super) fn head(columns: &[Both], language: Language) -> String {
    let names: Vec<&str> = columns.iter().map(|&both| choose(both, language)).collect();
    format!("| {} |\n|{}", names.join(" | "), "---|".repeat(columns.len()))
}

pub(super) const LIGHT: Both = ["light", "چراغ"];
pub(super) const IN_TIME: Both = ["four seconds of it", "چهار ثانیه از آن"];
pub(super) const NAME: Both = ["name", "نام"];
pub(super) const SAYS: Both = ["what it says", "معنا"];
pub(super) const HEARD: Both = ["what you hear", "آنچه می‌شنوید"];
pub(super) const WHERE: Both = ["where", "کجا"];
pub(super) const RULE: Both = ["rule", "قانون"];
pub(super) const BOARD_SAYS: Both = ["what the board says", "آنچه صفحه می‌گوید"];
pub(super) const PLAYER: Both = ["player", "بازیکن"];
pub(super) const PIECES: Both = ["pieces", "مهره"];

/// What a light of a point says.
pub(super) fn meaning(meaning: Meaning, language: Language) -> &'static str {
    let both = match meaning {
        Meaning::Origin => [
            "The piece in your hand came from here.",
            "مهره‌ای که در دست دارید از اینجا برداشته شده است.",
        ],
        Meaning::Destination => ["It may go here.", "مهره می‌تواند اینجا برود."],
        Meaning::Capture => [
            "It may go here, and takes or completes something.",
            "مهره می‌تواند اینجا برود و با آن چیزی گرفته یا کامل می‌شود.",
        ],
        Meaning::Movable => [
            "A piece that may act (shown when nobody has touched anything for a while).",
            "مهره‌ای که می‌تواند حرکت کند (وقتی مدتی کسی دست نزده باشد).",
        ],
        Meaning::Put => ["To be done: put a piece here.", "کاری مانده: اینجا مهره بگذارید."],
        Meaning::Take => ["To be done: take this off.", "کاری مانده: این را بردارید."],
        Meaning::Flip => ["To be done: turn this over.", "کاری مانده: این را پشت‌ورو کنید."],
        Meaning::Wrong => ["This does not belong here.", "این اینجا جا ندارد."],
        Meaning::Missing => ["Something is missing here.", "اینجا چیزی کم است."],
        Meaning::Candidate(_) => [
            "Which one? The candidates of a question light up one after the other.",
            "کدام‌یک؟ گزینه‌های پرسش یکی پس از دیگری روشن می‌شوند.",
        ],
        Meaning::LastFrom => ["The last step began here.", "آخرین حرکت از اینجا شروع شد."],
        Meaning::LastTo => ["The last step ended here.", "آخرین حرکت اینجا تمام شد."],
        Meaning::SetUp(_) => {
            ["Set-up: a piece of this colour goes here.", "چیدن: مهره‌ای از این رنگ اینجا می‌آید."]
        }
        Meaning::ToAct(_) => ["This player is to act.", "نوبت این بازیکن است."],
        Meaning::Winner(..) => [
            "The winner's points; his score is counted out.",
            "خانه‌های برنده؛ امتیاز او شمرده می‌شود.",
        ],
    };
    choose(both, language)
}

/// What the lamp of a key says.
pub(super) fn lamp(lamp: Lamp, language: Language) -> &'static str {
    let both = match lamp {
        Lamp::Ready => [
            "The key does something now. A dark key does nothing.",
            "این کلید اکنون کاری می‌کند. کلید خاموش کاری نمی‌کند.",
        ],
        Lamp::Chosen => [
            "What the key stands for is chosen: a value told, an option that is on.",
            "آنچه کلید نشان می‌دهد انتخاب شده است: عددی گفته شده یا گزینه‌ای روشن.",
        ],
        Lamp::Kind(_) => [
            "The key stands for pieces of this colour: claims, set-up.",
            "این کلید نشانهٔ مهره‌های این رنگ است: تصاحب، چیدن.",
        ],
        Lamp::Candidate => [
            "The key answers the question: K1 is the first candidate.",
            "این کلید پاسخ پرسش است: K1 گزینهٔ نخست است.",
        ],
    };
    choose(both, language)
}

/// What a sound says, and how it sounds.
pub(super) fn sound(sound: Sound, language: Language) -> [&'static str; 2] {
    let (says, heard) = match sound {
        Sound::Accepted => (
            ["A step counts.", "حرکت ثبت شد."],
            ["two short notes, upwards", "دو نت کوتاه، بالارونده"],
        ),
        Sound::Wrong => (
            [
                "Something is not legal; the red lights say where.",
                "چیزی مجاز نیست؛ چراغ‌های قرمز جایش را نشان می‌دهند.",
            ],
            ["two low notes, downwards", "دو نت بم، پایین‌رونده"],
        ),
        Sound::Turn => (
            ["The set-up is done: the game begins.", "چیدن تمام شد: بازی شروع می‌شود."],
            ["one short note", "یک نت کوتاه"],
        ),
        Sound::Question => {
            (["The board asks something.", "صفحه چیزی می‌پرسد."], ["two equal notes", "دو نت یکسان"])
        }
        Sound::End => {
            (["The game is over.", "بازی تمام شد."], ["four notes, upwards", "چهار نت، بالارونده"])
        }
    };
    [choose(says, language), choose(heard, language)]
}

/// Instead of the name of a colour that differs from piece to piece or player to player.
pub(super) fn own_colour(language: Language) -> &'static str {
    choose(["in its own colour", "به رنگ خودش"], language)
}

/// Where GLÜX shows whose turn it is.
pub(super) fn start(language: Language) -> &'static str {
    choose(["GLÜX: the player's start", "GLÜX: خانهٔ شروع بازیکن"], language)
}

/// The head of the column of states in the table of keys.
pub(super) fn keys_of(language: Language) -> &'static str {
    choose(["when", "کجا"], language)
}

/// Pieces by their colour.
pub(super) fn kind(kind: Kind, language: Language) -> &'static str {
    let both = match kind {
        Kind::White => ["white", "سفید"],
        Kind::Black => ["black", "سیاه"],
        Kind::Blue => ["blue", "آبی"],
        Kind::Green => ["green", "سبز"],
        Kind::Ivory => ["ivory", "عاجی"],
        Kind::Red => ["red", "قرمز"],
    };
    choose(both, language)
}

/// How an LED colour is called.
pub(super) fn colour(colour: Colour, language: Language) -> Result<String> {
    const COLOURS: [(Colour, Both); 18] = [
        ([24, 24, 24], ["dim white", "سفید کم‌نور"]),
        ([40, 40, 40], ["soft white", "سفید ملایم"]),
        ([80, 80, 80], ["white", "سفید"]),
        ([120, 120, 120], ["bright white", "سفید پرنور"]),
        ([0, 160, 0], ["green", "سبز"]),
        ([0, 140, 0], ["green", "سبز"]),
        ([180, 80, 0], ["amber", "کهربایی"]),
        ([220, 0, 0], ["red", "قرمز"]),
        ([160, 0, 0], ["red", "قرمز"]),
        ([160, 0, 160], ["magenta", "ارغوانی"]),
        ([0, 0, 32], ["very dim blue", "آبی بسیار کم‌نور"]),
        ([0, 0, 96], ["dim blue", "آبی کم‌نور"]),
        ([0, 0, 160], ["blue", "آبی"]),
        ([24, 0, 40], ["dim violet", "بنفش کم‌نور"]),
        ([40, 0, 72], ["violet", "بنفش"]),
        ([140, 105, 45], ["ivory", "عاجی"]),
        ([0, 80, 80], ["turquoise", "فیروزه‌ای"]),
        ([110, 50, 0], ["orange", "نارنجی"]),
    ];
    let known = COLOURS.iter().find(|(known, _)| *known == colour);
    let (_, both) =
        known.with_context(|| format!("colour {colour:?} has no name: give it one in words.rs"))?;
    Ok(choose(*both, language).to_owned())
}

/// How a rhythm is called.
pub(super) fn rhythm(strip: &str, language: Language) -> Result<&'static str> {
    const RHYTHMS: [(&str, Both); 10] = [
        ("████████████████████████████████", ["steady", "پیوسته"]),
        ("████████▃▃▃▃▃▃▃▃████████▃▃▃▃▃▃▃▃", ["slowly to and fro", "آهسته، یکی در میان"]),
        (
            "▁▁▁▁▁▁▁▂▃▄▄▅▆▇███▇▆▅▄▄▃▂▁▁▁▁▁▁▁▁",
            ["breathes very slowly", "بسیار آهسته کم و زیاد می‌شود"],
        ),
        (
            "████████████····████████████····",
            ["long light, short dark", "روشنی بلند، تاریکی کوتاه"],
        ),
        (
            "████············████············",
            ["short light, long dark", "روشنی کوتاه، تاریکی بلند"],
        ),
        ("██··██··········██··██··········", ["double blink", "دو چشمک"]),
        ("█···█···█···█···█···█···█···█···", ["fast short flashes", "چشمک‌های تند و کوتاه"]),
        ("·███·███·███·███·███·███·███·███", ["light with short gaps", "روشن با وقفه‌های کوتاه"]),
        ("████▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁", ["one after the other", "یکی پس از دیگری"]),
        (
            "█▄▂▁▁▁▁▁▁▁▁▁▁▁▂▄█▄▂▁▁▁▁▁▁▁▁▁▁▁▂▄",
            ["runs from light to light", "از چراغی به چراغی می‌دود"],
        ),
    ];
    let known = RHYTHMS.iter().find(|(known, _)| *known == strip);
    let (_, both) =
        known.with_context(|| format!("rhythm {strip} has no name: give it one in words.rs"))?;
    Ok(choose(*both, language))
}

/// Where in the menu the board is.
pub(super) fn state(state: super::tables::State, language: Language) -> &'static str {
    use super::tables::State;
    let both = match state {
        State::Hex => ["menu, hexagonal playfield", "فهرست، صفحهٔ شش‌ضلعی"],
        State::Square => ["menu, square playfield", "فهرست، صفحهٔ مربعی"],
        State::Variants => ["GIPF chosen", "پس از انتخاب GIPF"],
        State::Options => ["options", "تنظیمات"],
        State::Care => ["calibration and self-test", "تنظیم حسگرها و خودآزمایی"],
        State::End => ["end the game?", "پایان بازی؟"],
    };
    choose(both, language)
}
