//! Reading a line: everything about it is checked before anything happens.

use lodestone::geometry::Playfield;
use lodestone::link::{Key, ToBoard};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Input, LINE_MAX, names};

/// The latest time, ms: some thirty years.
const T_MAX: f64 = 1e12;
const CODE_MAX: u16 = 4095;

/// A line as JSON has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<'a> {
    #[serde(borrow)]
    t: &'a RawValue,
    #[serde(default, deserialize_with = "given")]
    scan: Option<Vec<u16>>,
    #[serde(default, deserialize_with = "given")]
    key: Option<Key>,
    #[serde(default, deserialize_with = "given")]
    down: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    host: Option<Value>,
    #[serde(default, deserialize_with = "given")]
    power: Option<Power>,
}

/// What the power does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Power {
    Cut,
}

/// A field that may be left out, but not `null`.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// What a line says, checked.
pub(super) struct Line<'a> {
    /// The time as it was written.
    pub(super) t: &'a RawValue,
    pub(super) now_us: u64,
    what: What,
}

enum What {
    Scan(Vec<u16>),
    Key(Key, bool),
    /// The JSON of a request that can be read.
    Host(String),
    Tick,
    PowerCut,
}

impl<'a> Line<'a> {
    /// Reads a line for a board at this time, or says what is wrong with it.
    pub(super) fn read(
        line: &'a [u8],
        playfield: Playfield,
        now_us: u64,
    ) -> Result<Line<'a>, String> {
        if line.len() > LINE_MAX {
            return Err(format!("a line of more than {LINE_MAX} bytes"));
        }
        let text = str::from_utf8(line).map_err(|_| "not UTF-8")?;
        // A list with the fields in their order would be read, too.
        if !text.trim_start().starts_with('{') {
            return Err("not a JSON object".into());
        }
        let raw: Raw = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let t = raw.t;
        let line_us = time_us(t)?;
        if line_us < now_us {
            return Err(format!("t goes back to {t} from {}", now_us as f64 / 1000.0));
        }
        Ok(Line { t, now_us: line_us, what: what(raw, playfield)? })
    }

    /// What happens.
    pub(super) fn input(&self) -> Input<'_> {
        match &self.what {
            What::Scan(codes) => Input::Scan(codes),
            What::Key(key, down) => Input::Key(*key, *down),
            // It was read before, so it can be read again.
            What::Host(text) => serde_json::from_str(text).map_or(Input::Tick, Input::Host),
            What::Tick => Input::Tick,
            What::PowerCut => Input::PowerCut,
        }
    }
}

fn time_us(t: &RawValue) -> Result<u64, String> {
    match t.get().parse::<f64>() {
        Ok(ms) if (0.0..=T_MAX).contains(&ms) => Ok((ms * 1000.0).round() as u64),
        Ok(_) => Err(format!("t must be from 0 to {T_MAX:e} ms")),
        Err(_) => Err("t must be a number of milliseconds".into()),
    }
}

/// The one thing that happens.
fn what(raw: Raw, playfield: Playfield) -> Result<What, String> {
    match (raw.scan, raw.key, raw.down, raw.host, raw.power) {
        (Some(codes), None, None, None, None) => checked(codes, playfield).map(What::Scan),
        (None, Some(key), Some(down), None, None) => Ok(What::Key(key, down)),
        (None, Some(_), None, None, None) => Err("a key without `down`".into()),
        (None, None, Some(_), None, None) => Err("`down` without a key".into()),
        (None, None, None, Some(request), None) => request_text(&request).map(What::Host),
        (None, None, None, None, Some(Power::Cut)) => Ok(What::PowerCut),
        (None, None, None, None, None) => Ok(What::Tick),
        _ => Err("more than one of `scan`, `key`, `host`, `power`".into()),
    }
}

fn checked(codes: Vec<u16>, playfield: Playfield) -> Result<Vec<u16>, String> {
    let count = playfield.point_count();
    if codes.len() != count {
        return Err(format!("a scan of {} codes, not {count}", codes.len()));
    }
    if let Some((point, code)) = playfield.points().zip(&codes).find(|(_, code)| **code > CODE_MAX)
    {
        let board = names(playfield);
        let name = board.cell(point).map(|cell| board.name(cell).to_string());
        return Err(format!("code {code} of {} is above {CODE_MAX}", name.unwrap_or_default()));
    }
    Ok(codes)
}

/// The JSON of a request in the form the link reads: the bare name of one whose fields all have
/// defaults gets its fields, and nothing is escaped that need not be.
fn request_text(request: &Value) -> Result<String, String> {
    let read = |value: &Value| -> Result<String, String> {
        let text = value.to_string();
        let known: ToBoard = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        no_other_fields(value, &known)?;
        Ok(text)
    };
    read(request).or_else(|reason| match request {
        Value::String(name) => read(&serde_json::json!({ name: {} })).map_err(|_| reason),
        _ => Err(reason),
    })
}

/// A field that the request does not have is a mistake, not something to pass over.
fn no_other_fields(given: &Value, known: &ToBoard) -> Result<(), String> {
    let known = serde_json::to_value(known).map_err(|error| error.to_string())?;
    let fields = |value: &Value| {
        let message = value.as_object()?.values().next()?;
        Some(message.as_object()?.keys().cloned().collect::<Vec<_>>())
    };
    let known = fields(&known).unwrap_or_default();
    let other = fields(given).unwrap_or_default().into_iter().find(|field| !known.contains(field));
    other.map_or(Ok(()), |field| Err(format!("no field `{field}` in this request")))
}
