//! Pictures as PNG.

use std::fmt;

use ::png::{ColorType, Compression, Encoder, EncodingError, Filter};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Wider than this no picture is made: it would take gigabytes.
const WIDTH_MAX: u32 = 8192;

/// Why there is no PNG.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PngError {
    /// It is not an SVG that can be drawn.
    Svg(String),
    /// 0, or too many pixels.
    Width(u32),
    /// It cannot be written as PNG.
    Encode(String),
}

impl fmt::Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PngError::Svg(reason) => write!(f, "not an SVG: {reason}"),
            PngError::Width(width) => {
                write!(f, "a width of {width} pixels; choose 1 to {WIDTH_MAX}")
            }
            PngError::Encode(reason) => write!(f, "no PNG: {reason}"),
        }
    }
}

impl std::error::Error for PngError {}

/// Draws an SVG document so many pixels wide; outside of the plate it is transparent.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    let tree =
        Tree::from_str(svg, &Options::default()).map_err(|e| PngError::Svg(e.to_string()))?;
    if !(1..=WIDTH_MAX).contains(&width) {
        return Err(PngError::Width(width));
    }
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round().max(1.0) as u32;
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::Width(width))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    encode(pixels).map_err(|e| PngError::Encode(e.to_string()))
}

/// As small as it gets: such pictures stand in repositories and on pages.
fn encode(mut pixels: Pixmap) -> Result<Vec<u8>, EncodingError> {
    coarsen(pixels.data_mut());
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, pixels.width(), pixels.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_compression(Compression::High);
    // With coarse colours, runs of equal pixels are worth more than small differences.
    encoder.set_filter(Filter::NoFilter);
    encoder.write_header()?.write_image_data(&pixels.take_demultiplied())?;
    Ok(out)
}

/// Rounds every channel to a step that nobody sees: the lowest bits of soft light and shadow would
/// be a good third of the file.
fn coarsen(channels: &mut [u8]) {
    const STEP: u8 = 3;
    for pixel in channels.chunks_exact_mut(4) {
        let (colour, alpha) = pixel.split_at_mut(3);
        // Colours are premultiplied and must not exceed alpha.
        for channel in colour {
            *channel = (*channel / STEP * STEP).min(alpha[0]);
        }
    }
}
