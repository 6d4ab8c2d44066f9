//! Requests of browsers: who may ask, the files of the page, drawings, rules, the socket.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender as WorldSender;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::protocol::{News, REQUEST_MAX, json};
use super::report;
use super::world::Incoming;
use crate::{draw, rulebook};

/// The files of the page: name, type, content.
const FILES: [(&str, &str, &str); 10] = [
    ("index.html", "text/html", include_str!("../../page/index.html")),
    ("style.css", "text/css", include_str!("../../page/style.css")),
    ("icon.svg", "image/svg+xml", include_str!("../../page/icon.svg")),
    ("main.js", "text/javascript", include_str!("../../page/main.js")),
    ("board.js", "text/javascript", include_str!("../../page/board.js")),
    ("hand.js", "text/javascript", include_str!("../../page/hand.js")),
    ("panel.js", "text/javascript", include_str!("../../page/panel.js")),
    ("drawer.js", "text/javascript", include_str!("../../page/drawer.js")),
    ("replay.js", "text/javascript", include_str!("../../page/replay.js")),
    ("words.js", "text/javascript", include_str!("../../page/words.js")),
];

/// Lines that may wait for a page before it is dropped: some seconds of the liveliest board.
const WAITING_MAX: usize = 1024;

/// Nothing from elsewhere, no foreign frames.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
                      connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// What every request needs.
#[derive(Clone)]
struct Site {
    port: u16,
    world: WorldSender<Incoming>,
}

/// Everything that is served on this port.
pub(super) fn routes(port: u16, world: WorldSender<Incoming>) -> Router {
    let site = Site { port, world };
    Router::new()
        .route("/", get(|| file(Path("index.html".into()))))
        .route("/{file}", get(file))
        .route("/board.svg", get(board))
        .route("/symbols.svg", get(symbols))
        .route("/rule/{number}", get(rule))
        .route("/socket", get(socket))
        .layer(middleware::from_fn_with_state(site.clone(), guard))
        .with_state(site)
}

/// Turns away whoever does not come from this machine's page.
async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    if !is_ours(site.port, request.headers()) {
        return (StatusCode::FORBIDDEN, "this board is for its own machine only").into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Whether a request is for this address, and from this page if it says where it is from. A name
/// that merely leads here (DNS rebinding) is none of ours.
fn is_ours(port: u16, headers: &HeaderMap) -> bool {
    let is_here =
        |host: &str| ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{port}"));
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
    let is_from_here = |origin: &str| origin.strip_prefix("http://").is_some_and(&is_here);
    text(HOST).is_some_and(is_here) && text(ORIGIN).is_none_or(is_from_here)
}

async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(file, ..)| *file == name) {
        Some(&(_, kind, content)) => {
            ([(CONTENT_TYPE, format!("{kind}; charset=utf-8"))], content).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[derive(Deserialize)]
struct Wanted {
    surface: String,
}

/// What lies under the pieces, as an SVG of its own.
async fn board(Query(wanted): Query<Wanted>) -> Response {
    let Some(surface) = report::surface(&wanted.surface) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let [x, y, width, height] = draw::view(surface);
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='{x} {y} {width} {height}'>{}</svg>",
        draw::board(surface)
    );
    ([(CONTENT_TYPE, "image/svg+xml")], svg).into_response()
}

/// All drawings that are placed with `<use>`.
async fn symbols() -> Response {
    static SVG: LazyLock<String> = LazyLock::new(|| {
        format!("<svg xmlns='http://www.w3.org/2000/svg'>{}</svg>", draw::symbols())
    });
    ([(CONTENT_TYPE, "image/svg+xml")], SVG.as_str()).into_response()
}

async fn rule(Path(number): Path<String>) -> Response {
    match rulebook::rule(&number) {
        Some(text) => text.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The socket: only for browsers, which say where their page is from.
async fn socket(
    State(site): State<Site>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !headers.contains_key(ORIGIN) {
        return (StatusCode::FORBIDDEN, "the socket is for the page").into_response();
    }
    upgrade
        .max_message_size(REQUEST_MAX)
        .max_frame_size(REQUEST_MAX)
        .on_upgrade(move |socket| look(socket, site.world))
}

/// A page looks at the board until it closes or cannot keep up.
async fn look(mut socket: WebSocket, world: WorldSender<Incoming>) {
    static PAGES: AtomicU64 = AtomicU64::new(1);
    let page = PAGES.fetch_add(1, Ordering::Relaxed);
    let (to_page, mut lines) = mpsc::channel::<Arc<str>>(WAITING_MAX);
    if world.send(Incoming::Join(page, to_page)).is_err() {
        return;
    }
    loop {
        let sent = tokio::select! {
            line = lines.recv() => match line {
                Some(line) => socket.send(Message::Text((&*line).into())).await.is_ok(),
                None => false,
            },
            said = socket.recv() => match said {
                Some(Ok(Message::Text(text))) => {
                    world.send(Incoming::Said(page, text.as_str().into())).is_ok()
                }
                Some(Ok(Message::Binary(_))) => {
                    let error = json(&News::Error { text: "text, not bytes" });
                    socket.send(Message::Text((&*error).into())).await.is_ok()
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => true,
                Some(Ok(Message::Close(_)) | Err(_)) | None => false,
            },
        };
        if !sent {
            break;
        }
    }
    // A world that is gone has nobody to miss.
    let _ = world.send(Incoming::Leave(page));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_this_machines_own_page_gets_in() {
        assert!(is_ours(8000, &headers("127.0.0.1:8000", None)));
        assert!(is_ours(8000, &headers("localhost:8000", Some("http://localhost:8000"))));
        for (host, origin) in [
            ("board.example:8000", None),
            ("127.0.0.1:8001", None),
            ("127.0.0.1.board.example:8000", None),
            ("127.0.0.1:8000", Some("http://board.example")),
            ("127.0.0.1:8000", Some("https://127.0.0.1:8000")),
            ("127.0.0.1:8000", Some("http://127.0.0.1:9000")),
            ("127.0.0.1:8000", Some("null")),
        ] {
            assert!(!is_ours(8000, &headers(host, origin)), "{host} {origin:?}");
        }
        assert!(!is_ours(8000, &HeaderMap::new()));
    }
}
