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
use lodestone::games::Id;
use lodestone::text::Language;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::protocol::{GameNews, News, REQUEST_MAX, json};
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
        .route("/games.json", get(games))
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

/// All games, in their order.
async fn games() -> Response {
    let games = serde_json::to_string(&Id::ALL.map(GameNews::of)).expect("plain data");
    ([(CONTENT_TYPE, "application/json")], games).into_response()
}

/// In which language a rule is to be read.
#[derive(Deserialize)]
struct Reader {
    lang: Option<String>,
}

async fn rule(Path(number): Path<String>, Query(reader): Query<Reader>) -> Response {
    let is_wanted = |language: &Language| reader.lang.as_deref() == Some(language.code());
    let language = Language::ALL.into_iter().find(is_wanted).unwrap_or_default();
    match rulebook::rule(language, &number) {
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
                    let error = json(&News::unreadable("text, not bytes"));
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
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::page::{Options, serve};

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

    /// A board of its own, served until the tests end; its port.
    fn site() -> u16 {
        let (say, heard) = channel();
        std::thread::spawn(move || {
            serve(Options::default(), |address| say.send(address.to_owned()).expect("heard"))
        });
        let address = heard.recv().expect("an address");
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        address.trim_end_matches('/').rsplit(':').next().and_then(|p| p.parse().ok()).expect("port")
    }

    /// Asks for a page and gives back the status of the answer, and the connection.
    fn ask(port: u16, path: &str, lines: &[&str]) -> (u16, TcpStream) {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
        let first = format!("GET {path} HTTP/1.1");
        let lines = [&[first.as_str()], lines, &["", ""]].concat();
        stream.write_all(lines.join("\r\n").as_bytes()).expect("room");
        // Byte by byte: what follows the head belongs to the caller.
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("an answer");
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        (status, stream)
    }

    const UPGRADE: [&str; 4] = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];

    /// A page's socket.
    fn join(port: u16) -> TcpStream {
        let (host, origin) =
            (format!("Host: 127.0.0.1:{port}"), format!("Origin: http://127.0.0.1:{port}"));
        let (status, stream) =
            ask(port, "/socket", &[&[host.as_str(), &origin], &UPGRADE[..]].concat());
        assert_eq!(status, 101);
        stream
    }

    /// Sends a frame as browsers do, masked (with zeros).
    fn send(stream: &mut TcpStream, kind: u8, text: &[u8]) {
        let mut frame = vec![0x80 | kind];
        match u16::try_from(text.len()).expect("short") {
            length @ 0..=125 => frame.push(0x80 | length as u8),
            length => frame.extend([&[0x80 | 0x7e], &length.to_be_bytes()[..]].concat()),
        }
        frame.extend([0; 4]);
        frame.extend(text);
        stream.write_all(&frame).expect("room");
    }

    /// The next frame: its kind and its bytes; nothing when the connection is closed.
    fn receive(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        stream.read_exact(&mut head).ok()?;
        let mut length = u64::from(head[1]);
        if length >= 126 {
            let mut bytes = [0; 8];
            let from = if length == 126 { 6 } else { 0 };
            stream.read_exact(&mut bytes[from..]).ok()?;
            length = u64::from_be_bytes(bytes);
        }
        let mut text = vec![0; length as usize];
        stream.read_exact(&mut text).ok()?;
        Some((head[0] & 15, text))
    }

    /// The next message of a type.
    fn hear(stream: &mut TcpStream, kind: &str) -> serde_json::Value {
        loop {
            let (_, text) = receive(stream).expect("the socket is open");
            let news: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
            if news["type"] == kind {
                return news;
            }
        }
    }

    #[test]
    fn every_request_is_checked_for_host_and_origin() {
        let port = site();
        let host = format!("Host: 127.0.0.1:{port}");
        let own = format!("Origin: http://127.0.0.1:{port}");
        let named = format!("Host: localhost:{port}");
        let rebound = format!("Host: board.example:{port}");
        let foreign = "Origin: http://board.example";
        let files = FILES.iter().map(|(name, ..)| format!("/{name}"));
        let made = ["/", "/board.svg?surface=yinsh", "/symbols.svg", "/games.json", "/rule/Y8"]
            .map(String::from);
        for path in files.chain(made) {
            assert_eq!(ask(port, &path, &[&host]).0, 200, "{path}");
            assert_eq!(ask(port, &path, &[&named]).0, 200, "{path}");
            assert_eq!(ask(port, &path, &[&rebound]).0, 403, "{path}");
            assert_eq!(ask(port, &path, &[&host, foreign]).0, 403, "{path}");
        }
        let socket = |lines: &[&str]| ask(port, "/socket", &[lines, &UPGRADE[..]].concat()).0;
        assert_eq!(socket(&[&host, &own]), 101);
        assert_eq!(socket(&[&host]), 403, "a browser says where its page is from");
        assert_eq!(socket(&[&host, foreign]), 403);
        assert_eq!(socket(&[&host, "Origin: null"]), 403);
        assert_eq!(socket(&[&rebound, &own]), 403);
        assert_eq!(ask(port, "/../Cargo.toml", &[&host]).0, 404);
        assert_eq!(ask(port, "/board.svg?surface=chess", &[&host]).0, 404);
        assert_eq!(ask(port, "/rule/Y99", &[&host]).0, 404);
        // Nobody listens at any other address of this machine.
        #[cfg(target_os = "linux")]
        assert!(TcpStream::connect(("127.0.0.2", port)).is_err());
    }

    #[test]
    fn what_is_malformed_is_answered_and_what_is_too_long_ends_the_conversation() {
        let mut page = join(site());
        hear(&mut page, "status");
        for text in ["nonsense", "{}", r#"{"move":{"x":1}}"#, r#"{"start":{"game":"chess"}}"#] {
            send(&mut page, 1, text.as_bytes());
            hear(&mut page, "error");
        }
        send(&mut page, 2, b"bytes");
        assert_eq!(hear(&mut page, "error")["detail"], "text, not bytes");
        send(&mut page, 1, &[b' '; REQUEST_MAX + 1]);
        // Closed, with or without a word.
        while let Some((kind, _)) = receive(&mut page) {
            if kind == 8 {
                break;
            }
        }
    }

    #[test]
    fn several_pages_see_one_board() {
        let port = site();
        let (mut first, mut second) = (join(port), join(port));
        for page in [&mut first, &mut second] {
            hear(page, "status");
        }
        send(&mut first, 1, br#"{"start":{"game":"glux-2"}}"#);
        for page in [&mut first, &mut second] {
            while hear(page, "status")["game"] != "glux-2" {}
        }
        drop(first);
        send(&mut second, 1, br#"{"start":{"game":"dvonn"}}"#);
        while hear(&mut second, "status")["game"] != "dvonn" {}
    }
}
