//! Persian. Latin words stand in brackets, to be isolated.

use super::{Message, Words};
use crate::games::any::Reason;
use crate::games::slip::Slip;
use crate::games::{Id, dvonn, gipf, glux, lyngk, yinsh};
use crate::meaning::Kind;

pub(super) const WORDS: Words = Words {
    sentence,
    reason,
    game,
    colour,
    joker: "ژوکر",
    sides: ["سفید", "سیاه"],
    player: "بازیکن",
    comma: "، ",
    and: " و ",
    isolates: ["\u{2066}", "\u{2069}"],
};

#[rustfmt::skip] // a table: one row, one line
#[allow(clippy::too_many_lines)] // and as many as there are sentences
fn sentence(message: &Message) -> &'static str {
    match message {
        Message::ToAct { .. } => "نوبت {player} است",
        Message::BackInPlay => "همه‌چیز دوباره سر جای خود است",
        Message::UndoEndsHere => "بازی خیلی طولانی شده است: از این پس فقط تا همین‌جا می‌توان برگشت",
        Message::NotLegal { .. } => "{refusal}",
        Message::OtherTurn { .. } => "نوبت {player} است {rule}",
        Message::Unexplained { .. } => "هیچ حرکت مجازی این شکل را نمی‌دهد؛ مهره‌ها را طبق چراغ‌ها بگذارید: {points}",
        Message::TopsShown => "چراغ‌ها رنگ مهرهٔ بالای هر برج را نشان می‌دهند",

        Message::PutHere { .. } => "روی {points} مهره بگذارید",
        Message::TakeOff { .. } => "آنچه روی {points} است بردارید",
        Message::TurnOver { .. } => "{points} را پشت‌ورو کنید",
        Message::PutBack { .. } => "آنچه روی {points} بود سر جایش بگذارید",
        Message::DoesNotBelong { .. } => "جای این مهره اینجا نیست: {points}",
        Message::OtherPieceHere { .. } => "مهرهٔ {points} درست نیست: آن را عوض یا پشت‌ورو کنید",
        Message::CentreIt { .. } => "مهرهٔ کنار {points} را در مرکز نقطه بگذارید",
        Message::PushOn { .. } => "مهره‌ها را جلو برانید تا هر کدام سر خانهٔ خود باشد: {points}",
        Message::ShowOnDot { .. } => "مهرهٔ ساده یا گیپف؟ نخست آن را روی نقطهٔ ورود بگذارید، سپس دوباره جلو برانید: {points}",
        Message::PutRingDown => "حلقه را روی صفحه بگذارید",
        Message::TakeRow { .. } => "ردیف را بردارید: {points}",
        Message::GiveRing { .. } => "برای این ردیف یکی از حلقه‌های خود را بردارید: {points}",
        Message::TakeLost { .. } => "ارتباط این برج‌ها قطع شده است، آن‌ها را بردارید: {points}",
        Message::TakeFive { .. } => "برج پنج‌تایی خودتان کامل شد، آن را بردارید: {points}",
        Message::OkLeavesRow { .. } => "از ردیف {points} هر چه می‌خواهید بردارید؛ [OK] = همهٔ ردیف می‌ماند",
        Message::TellValue { .. } => "ژتون روی {points} چند است؟ کلید آن عدد را بزنید",
        Message::ValueTold { .. } => "عدد {number}: ژتون را بگذارید",
        Message::LiftAndSetDown { .. } => "کجا فرود آمد؟ آن را بردارید و دوباره همان‌جا بگذارید: {points}",
        Message::StoodHere { .. } => "روی {points} از پایین به بالا این‌ها بودند: {stack}",
        Message::CarryOut { .. } => "این حرکت را به جای {player} انجام دهید: {step}",

        Message::EmptyBoard { .. } => "بازی با صفحهٔ خالی شروع می‌شود: {points} را خالی کنید",
        Message::SetUpColour { .. } => "مهره‌های {colour} را بچینید: {points}",
        Message::SetUpJokers { .. } => "ژوکرها را بچینید: {points}",
        Message::LeftOver => "آیا از هر رنگ درست یک مهره مانده است؟ [OK] = بله، [UNDO] = نمایش دوبارهٔ رنگ‌ها",
        Message::SetUpDone => "همه‌چیز سر جای خود است: با [OK] بازی شروع می‌شود",
        Message::Trusted { .. } => "صفحه {points} را نمی‌بیند: فرض می‌کند که درست است",
        Message::OkCounts => "[OK] حرکت را ثبت می‌کند",
        Message::SetUpUnseen { .. } => "صفحه {points} را نمی‌بیند: خودتان نگاه کنید و بعد [OK] را بزنید",
        Message::PlacePiece { .. } => "{player} یک مهره می‌گذارد، به رنگ {colour}",
        Message::PlaceRing { .. } => "{player} یک حلقه می‌گذارد",
        Message::PlaceStart { .. } => "{player} ژتونی روی خانهٔ شروع {points} می‌گذارد و عددش را می‌گوید",

        Message::Interrupted => "بازی قطع شد: مهره‌ها را طبق چراغ‌ها سر جایشان بگذارید، یا بازی را تمام کنید ([UNDO] را نگه دارید)",
        Message::SomethingMagnetic => "چیزی آهن‌ربایی روی صفحه است؟ تلفن، کلید یا مهره‌ای دیگر",
        Message::SensorFailed { .. } => "صفحه دیگر {points} را نمی‌بیند؛ بازی ادامه دارد و هر جا لازم باشد صفحه می‌پرسد",
        Message::OtherPlayfield { .. } => "{game} صفحهٔ دیگر را لازم دارد",
        Message::NotStored => "صفحه نمی‌تواند این بازی را ذخیره کند: بازی ادامه دارد، ولی با قطع برق از دست می‌رود",
        Message::NotNow => "این کار الان ممکن نیست",
        Message::NoGame => "بازی‌ای در جریان نیست",
        Message::HoldOk => "برای اجازهٔ این کار [OK] را روی صفحه نگه دارید",

        Message::WhichOne { .. } => "کدام یک؟ آن را بردارید و دوباره بگذارید، یا کلیدش را بزنید: {points}",
        Message::FromWhere { .. } => "از کجا آمد؟ آن نقطه را لمس کنید یا کلیدش را بزنید: {points}",
        Message::OnThisPoint { .. } => "صفحه آن را نمی‌بیند: حرکت به {points} بود؟ [OK] = بله، [UNDO] = نه",
        Message::IsTakenBack { .. } => "آخرین حرکت به {points} پس گرفته شد؟ [OK] = بله، [UNDO] = نه",
        Message::IsOff { .. } => "صفحه {points} را نمی‌بیند: مهره‌اش برداشته شد؟ [OK] = بله، [UNDO] = نه",
        Message::TurnOrOtherValue { .. } => "عددی که گفته شد روی طرف دیگر است: {points} را برگردانید یا عدد دیگری بگویید",
        Message::BackInPlaces { .. } => "دو برج برداشته شدند: هر کدام سر جای خود برگشته است؟ {points}",
        Message::Resume { .. } => "بازی ناتمام {game}: [OK] = ادامه، [UNDO] = کنار گذاشتن",
        Message::EndGame => "بازی تمام شود؟ [K1] تا [K4] = تسلیم آن بازیکن، [OK] = پایان بی‌نتیجه، [UNDO] = ادامه",

        Message::KeyYes => "بله",
        Message::KeyNo => "نه",
        Message::KeyUndo => "پس گرفتن",
        Message::KeyMenu => "فهرست",
        Message::KeyPoint { .. } => "این یکی: {points}",
        Message::KeyValue { .. } => "عدد {number}",
        Message::KeyClaim { .. } => "تصاحب {colour}",
        Message::KeyTops => "نمایش مهره‌های بالایی",
        Message::KeyResign { .. } => "تسلیم {player}",

        Message::ChooseGame => "بازی را انتخاب کنید",
        Message::ChooseVariant => "نوع بازی را انتخاب کنید",
        Message::Game { .. } => "{game}",
        Message::MenuGipf => "گیپف",
        Message::MenuYinsh => "یینش",
        Message::MenuDvonn => "دوون",
        Message::MenuLyngk => "لینگک",
        Message::MenuGlux => "گلوکس",
        Message::MenuOptions => "تنظیمات",
        Message::MenuCare => "تنظیم حسگرها و خودآزمایی",
        Message::MenuZero => "تنظیم با صفحهٔ خالی",
        Message::MenuGain => "تنظیم با یک مهره",
        Message::MenuSelfTest => "خودآزمایی",
        Message::MenuBack => "بازگشت",
        Message::OkStarts { .. } => "{game}: شروع با [OK]",
        Message::NoHandicap => "بدون آوانس",
        Message::Handicap { .. } => "آوانس: مهره‌های بیشتر برای {player}: {number}",
        Message::HintsOff => "راهنمایی: خاموش",
        Message::HintsLegal => "راهنمایی: حرکت‌های مجاز",
        Message::Brightness { .. } => "روشنایی: {number} از [4]",
        Message::SettleTime { .. } => "زمان آرام گرفتن مهره: {number} میلی‌ثانیه",
        Message::SettleByOk => "زمان آرام گرفتن مهره: تا زدن [OK]",
        Message::SoundOn => "صدا: روشن",
        Message::SoundOff => "صدا: خاموش",
        Message::LanguageIs => "زبان: فارسی",

        Message::Won { .. } => "{player} برنده شد",
        Message::Drawn => "بازی مساوی شد",
        Message::Shared { .. } => "{players} با هم برنده شدند",
        Message::Score { .. } => "امتیاز: {score}",
        Message::Resigned { .. } => "{player} تسلیم شد",
        Message::Stopped => "بازی بدون نتیجه متوقف شد",

        Message::CalibrateEmpty => "همه‌چیز را از روی صفحه بردارید و بعد [OK] را بزنید",
        Message::Calibrating => "در حال اندازه‌گیری: به چیزی دست نزنید",
        Message::Calibrated => "حسگرهای صفحه تنظیم شدند",
        Message::CalibrationRefused { .. } => "تنظیم نشد: چیزی روی {points} هست؟ اگر نیست، حسگری خراب است",
        Message::TeachGain { .. } => "یک مهرهٔ تنها درست وسط {points} بگذارید",
        Message::GainTaught => "صفحه قدرت مهره‌هایش را یاد گرفت",
        Message::SelfTestPassed => "خودآزمایی تمام شد: همهٔ حسگرها سالم‌اند",
        Message::SelfTestFailed { .. } => "خودآزمایی: حسگرهای خراب: {points}",
        Message::SelfTestLights => "همهٔ چراغ‌ها به قرمز، سبز و آبی روشن می‌شوند؟ [OK] = بله، [UNDO] = نه",
        Message::SelfTestKeys => "همهٔ کلیدها را بزنید؛ چراغ هر کدام خاموش می‌شود",
    }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Gipf(reason) => of_gipf(reason),
        Reason::Yinsh(reason) => of_yinsh(reason),
        Reason::Dvonn(reason) => of_dvonn(reason),
        Reason::Lyngk(reason) => of_lyngk(reason),
        Reason::Glux(reason) => of_glux(reason),
        Reason::Slip(slip) => of_slip(slip),
        Reason::OtherGame(_) => "این حرکت مال بازی دیگری است",
    }
}

#[rustfmt::skip]
const fn of_gipf(reason: gipf::Reason) -> &'static str {
    use gipf::Reason;
    match reason {
        Reason::NoWayIn => "مهره از یک نقطهٔ ورود به خانهٔ کنار آن وارد می‌شود",
        Reason::LineFull => "این خط پر است و مهره‌ای از آن بیرون رانده نمی‌شود",
        Reason::ReserveTooSmall => "ذخیره برای این کار مهرهٔ کافی ندارد",
        Reason::FirstMustBeGipf => "مهرهٔ اول باید مهرهٔ گیپف باشد",
        Reason::NoMoreGipfs => "مهرهٔ گیپف فقط در بازی مسابقه‌ای و پیش از اولین مهرهٔ ساده وارد می‌شود",
        Reason::NoRow => "روی این خط ردیف چهارتایی نیست",
        Reason::NotTheRun => "ردیف همراه همهٔ مهره‌های چسبیده به دو سر آن برداشته می‌شود",
        Reason::RowOfTheOther => "ردیف را صاحبش برمی‌دارد",
        Reason::RowsFirst => "اول باید ردیف‌ها برداشته شوند",
        Reason::NotToBeLeft => "فقط مهره‌های گیپف همین ردیف می‌توانند بمانند",
        Reason::Settled => "کار این خط تا ورود مهرهٔ بعدی تمام است",
        Reason::NothingToPush => "بازی تمام است: مهره‌ای برای وارد کردن نمانده است",
        Reason::NoGipfPieceLeft => "بازی تمام است: مهرهٔ گیپفی نمانده است",
    }
}

#[rustfmt::skip]
const fn of_yinsh(reason: yinsh::Reason) -> &'static str {
    use yinsh::Reason;
    match reason {
        Reason::RingNeedsVacantPoint => "حلقه روی نقطهٔ خالی گذاشته می‌شود",
        Reason::RingsArePlaced => "همهٔ حلقه‌ها چیده شده‌اند",
        Reason::RingsNotPlaced => "اول هر ده حلقه چیده می‌شوند",
        Reason::NotOwnRing => "هر کس حلقهٔ خودش را حرکت می‌دهد",
        Reason::NotInLine => "حلقه در خط راست حرکت می‌کند، دست‌کم یک نقطه",
        Reason::EndsOnOccupied => "حلقه روی نقطهٔ خالی می‌نشیند",
        Reason::PastTheLanding => "حلقه پس از پرش روی اولین نقطهٔ خالی می‌ایستد",
        Reason::RingInTheWay => "حلقه از حلقه نمی‌گذرد و از روی آن نمی‌پرد",
        Reason::NobodyCouldMove => "بازی تمام است: هیچ‌کس نمی‌توانست حرکت کند",
        Reason::NoRow => "ردیف یعنی پنج مهرهٔ هم‌رنگ کنار هم",
        Reason::RowOfTheOther => "ردیف را صاحبش برمی‌دارد",
        Reason::RowIsDue => "اول ردیف برداشته می‌شود",
        Reason::RingIsDue => "اول برای ردیف یک حلقه برداشته می‌شود",
        Reason::TakesNotOwnRing => "هر کس حلقهٔ خودش را برمی‌دارد",
        Reason::NoRowTaken => "حلقه فقط در ازای یک ردیف برداشته می‌شود",
        Reason::RingBeforeNextRow => "حلقه پیش از ردیف بعدی برداشته می‌شود",
        Reason::Won => "بازی تمام است: برنده معلوم شده است",
        Reason::PoolWasEmpty => "بازی تمام است: مهره‌ای نمانده بود",
    }
}

#[rustfmt::skip]
const fn of_dvonn(reason: dvonn::Reason) -> &'static str {
    use dvonn::Reason;
    match reason {
        Reason::PieceNeedsVacantPoint => "مهره روی نقطهٔ خالی گذاشته می‌شود",
        Reason::PiecesArePlaced => "همهٔ مهره‌ها چیده شده‌اند",
        Reason::PiecesNotPlaced => "اول هر [49] مهره چیده می‌شوند",
        Reason::NoStack => "آنجا برجی نیست",
        Reason::RedAlone => "مهرهٔ قرمز تنها مال هیچ‌کس نیست",
        Reason::StackOfTheOther => "هر برج را فقط صاحبش حرکت می‌دهد",
        Reason::NotItsHeight => "برج در خط راست و درست به اندازهٔ بلندی‌اش حرکت می‌کند",
        Reason::EndsOnVacant => "برج روی نقطهٔ پر فرود می‌آید",
        Reason::Surrounded => "برجی که شش همسایه دارد نمی‌تواند حرکت کند",
    }
}

#[rustfmt::skip]
const fn of_lyngk(reason: lyngk::Reason) -> &'static str {
    use lyngk::Reason;
    match reason {
        Reason::LoneJoker => "ژوکر تنها حرکت نمی‌کند",
        Reason::ColourTaken => "این رنگ پیش‌تر تصاحب شده است",
        Reason::SecondClaimInTurn => "در هر نوبت فقط یک رنگ تصاحب می‌شود و بعد باید حرکت کرد",
        Reason::ThirdClaim => "هر بازیکن حداکثر دو رنگ را تصاحب می‌کند",
        Reason::NoMoveAfterClaim => "پس از تصاحب این رنگ حرکتی در کار نیست",
        Reason::NoStack => "آنجا برجی برای حرکت نیست",
        Reason::NotHisStack => "رنگ بالای این برج مال حریف است",
        Reason::VacantEnd => "حرکت هرگز روی نقطهٔ خالی تمام نمی‌شود",
        Reason::NotMet => "برج روی اولین برجی می‌نشیند که روی خط به آن می‌رسد",
        Reason::OverFive => "هر برج حداکثر پنج مهره دارد",
        Reason::ColourTwice => "هیچ رنگی دو بار در یک برج نمی‌آید",
        Reason::SingleOnHigher => "مهرهٔ تنهای بی‌طرف فقط روی مهرهٔ تنها می‌نشیند",
        Reason::StackOnHigher => "برج بی‌طرف روی برج بلندتر از خود نمی‌نشیند",
        Reason::NobodyHasAStep => "بازی تمام است: هیچ‌کس حرکت مجازی ندارد",
        Reason::OverSix => "هر برج حداکثر شش مهره دارد",
        Reason::WonBySix => "بازی تمام است: یک برج شش‌تایی برنده شد",
    }
}

#[rustfmt::skip]
const fn of_glux(reason: glux::Reason) -> &'static str {
    use glux::Reason;
    match reason {
        Reason::NotOnStart => "اولین ژتون روی خانهٔ شروع بازیکن گذاشته می‌شود",
        Reason::NoSuchChip => "ژتونی با این عدد نمانده است",
        Reason::NothingCounts => "شمارش هیچ‌یک از ژتون‌های بازیکن به این خانه نمی‌رسد",
        Reason::ChipsOnTheWay => "خانه‌های میان راه باید خالی باشند",
        Reason::Closed => "خانه‌ای که دو ژتون دارد بسته است",
        Reason::StartOfAnother => "ژتون شروع بازیکن دیگر هرگز پوشانده نمی‌شود",
        Reason::Over => "بازی تمام است: هیچ‌کس نمی‌تواند ژتون بگذارد",
    }
}

#[rustfmt::skip]
const fn of_slip(slip: Slip) -> &'static str {
    match slip {
        Slip::StackedForGipfPiece => "دو مهرهٔ روی هم، مهرهٔ گیپف نیست: مهرهٔ بلند را به کار ببرید",
        Slip::LeftOnDot => "روی نقطهٔ ورود چیزی نمی‌ماند",
        Slip::RunNotMoved => "همهٔ مهره‌های به‌هم‌چسبیده درست یک خانه جلو می‌روند",
        Slip::OtherColourPushed => "هر کس مهرهٔ رنگ خودش را وارد می‌کند و رنگ مهره‌ها عوض نمی‌شود",
        Slip::RowBeforeItsTime => "اول کسی که مهره وارد کرده ردیف‌هایش را برمی‌دارد، بعد حریف",
        Slip::NotARing => "در آغاز فقط حلقه‌ها چیده می‌شوند",
        Slip::MarkerOutsideRing => "مهره درون یکی از حلقه‌های خود بازیکن گذاشته می‌شود",
        Slip::MarkerWrongWayUp => "رنگ بازیکن باید روی مهره دیده شود",
        Slip::NoMarker => "پیش از حرکت حلقه، مهره‌ای درون آن گذاشته می‌شود",
        Slip::WronglyTurned => "فقط مهره‌هایی که حلقه از رویشان پریده است پشت‌ورو می‌شوند",
        Slip::MoreThanFive => "از هر ردیف فقط پنج مهره برداشته می‌شود",
        Slip::SeveralPlaced => "هر بار فقط یک مهره گذاشته می‌شود",
        Slip::RedsComeFirst => "اول سه مهرهٔ قرمز چیده می‌شوند و بیش از سه تا نیستند",
        Slip::DvonnStackSplit | Slip::LyngkStackSplit => "برج هرگز تقسیم نمی‌شود",
        Slip::TakenInContact => "فقط برج‌هایی برداشته می‌شوند که به هیچ مهرهٔ قرمزی وصل نیستند",
        Slip::ClaimAfterMove => "رنگ پیش از حرکت تصاحب می‌شود",
        Slip::NeutralFiveTaken => "برج پنج‌تایی بی‌طرف روی صفحه می‌ماند",
        Slip::CountedFromWrongChip => "شمارش از ژتون‌های نپوشیدهٔ خود بازیکن است",
    }
}

fn game(id: Id) -> &'static str {
    match id {
        Id::GipfBasic => "گیپف ساده",
        Id::Gipf => "گیپف معمولی",
        Id::GipfTournament => "گیپف مسابقه‌ای",
        Id::Yinsh => "یینش",
        Id::YinshBlitz => "یینش سریع",
        Id::Dvonn => "دوون",
        Id::Lyngk => "لینگک",
        Id::LyngkSix => "لینگک شش‌تایی",
        Id::Glux2 => "گلوکس دونفره",
        Id::Glux3 => "گلوکس سه‌نفره",
        Id::Glux4 => "گلوکس چهارنفره",
    }
}

fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::White => "سفید",
        Kind::Black => "سیاه",
        Kind::Blue => "آبی",
        Kind::Green => "سبز",
        Kind::Ivory => "عاجی",
        Kind::Red => "قرمز",
    }
}
