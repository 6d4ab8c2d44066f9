//! Answers that only the journal can give, message by message: there is no room for all of one.
//!
//! Each message reads the journal anew, between two turns of the console.

use lodestone::console::Console;
use lodestone::journal::{History, write_tags};
use lodestone::link::service::{Parts, Service};
use lodestone::link::{Failure, FromBoard, PART_MAX, Text, ToBoard};

use super::console::answer;
use super::store::{Failed, Store};

/// An answer that is under way.
pub(super) enum Long {
    /// The tags of all games; so many are sent.
    List(usize),
    /// One game.
    Game(u32, Parts),
}

impl Long {
    pub(super) fn list() -> Long {
        Long::List(0)
    }

    pub(super) fn game(number: u32) -> Long {
        Long::Game(number, Parts::of(number))
    }

    /// Sends as much as there is room for.
    pub(super) async fn go_on(
        &mut self,
        store: &mut Store,
        history: &mut History,
        service: &mut Service,
        console: &Console,
    ) {
        match self {
            Long::List(sent) => {
                let (mut at, mut all_sent) = (0, true);
                let listed = store
                    .games(|game| {
                        if at == *sent && service.wants_part() {
                            let mut part = Tags::new();
                            // The longest tags fit.
                            let _ = write_tags(game, &mut part);
                            let text = Text::new(&part).unwrap_or_default();
                            let (number, offset) = (game.number.into(), 0);
                            service.send(
                                console,
                                &FromBoard::Game { number, offset, last: true, text },
                            );
                            *sent += 1;
                        } else {
                            all_sent &= at < *sent;
                        }
                        at += 1;
                    })
                    .await;
                if listed.is_err() || all_sent {
                    service.end_answer();
                    service.send(console, &answer(&ToBoard::ListGames, listed));
                }
            }
            Long::Game(number, parts) => {
                let mut part = [0; PART_MAX];
                let mut window = parts.window(&mut part);
                let written = match u16::try_from(*number) {
                    Ok(number) => store.write_game(number, history, &mut window).await,
                    Err(_) => Ok(None),
                };
                let message = match written {
                    Ok(Some(_)) => parts.message(window),
                    Ok(None) => refusal(Failure::NoSuchGame),
                    Err(Failed) => refusal(Failure::Storage),
                };
                if !matches!(message, FromBoard::Game { last: false, .. }) {
                    service.end_answer();
                }
                service.send(console, &message);
            }
        }
    }
}

/// The text of a game's tags: its name, 43 letters of a set-up, its result.
type Tags = heapless::String<160>;

fn refusal(code: Failure) -> FromBoard<'static> {
    FromBoard::Error { code, text: Text::default() }
}
