//! The image's log: defmt frames to text, with the tables of the ELF.

use anyhow::{Context, Result};
use defmt_decoder::{DecodeError, Encoding, Locations, Table};

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// `info`, `warn`, ...; empty for a plain print.
    pub level: &'static str,
    /// The text.
    pub text: String,
    /// Source file and line.
    pub place: String,
}

/// Turns bytes into lines; keeps the beginning of a line until its end comes.
pub(super) struct LogDecoder {
    table: Table,
    locations: Locations,
    pending: Vec<u8>,
}

impl LogDecoder {
    pub(super) fn new(elf: &[u8]) -> Result<LogDecoder> {
        let table = Table::parse(elf)?.context("the image has no defmt section")?;
        anyhow::ensure!(table.encoding() == Encoding::Rzcobs, "the image's log is not in rzCOBS");
        let locations = table.get_locations(elf)?;
        Ok(LogDecoder { table, locations, pending: Vec::new() })
    }

    /// Forgets an unfinished line: the chip that began it was reset.
    pub(super) fn restart(&mut self) {
        self.pending.clear();
    }

    /// Takes bytes in and returns the lines that are complete. A line ends with a zero byte.
    pub(super) fn decode(&mut self, bytes: &[u8]) -> Result<Vec<LogLine>> {
        self.pending.extend_from_slice(bytes);
        let Some(end) = self.pending.iter().rposition(|byte| *byte == 0) else {
            return Ok(Vec::new());
        };
        let complete: Vec<u8> = self.pending.drain(..=end).collect();
        let mut decoder = self.table.new_stream_decoder();
        decoder.received(&complete);
        let mut lines = Vec::new();
        loop {
            match decoder.decode() {
                Ok(frame) => lines.push(LogLine {
                    level: frame.level().map_or("", |level| level.as_str()),
                    text: frame.display_message().to_string(),
                    place: self.locations.get(&frame.index()).map_or(String::new(), |place| {
                        format!("{}:{}", place.file.display(), place.line)
                    }),
                }),
                Err(DecodeError::UnexpectedEof) => return Ok(lines),
                Err(DecodeError::Malformed) => anyhow::bail!("the image's log is damaged"),
            }
        }
    }
}
