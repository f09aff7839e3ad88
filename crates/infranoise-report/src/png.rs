//! Figures in pixels.
//!
//! An SVG with text needs fonts, and those of the machine differ. So the font is part of the program (DejaVu Sans Condensed, cut down to
//! the characters that figures use; its licence lies beside it), and the same document gives the same pixels everywhere. Text in other
//! scripts shows as empty boxes here; SVG and HTML use the reader's own fonts.

use std::sync::{Arc, OnceLock};

use resvg::{tiny_skia, usvg};

const FONTS: [&[u8]; 2] = [
    include_bytes!("../fonts/DejaVuSansCondensed.ttf"),
    include_bytes!("../fonts/DejaVuSansCondensed-Bold.ttf"),
];
const FAMILY: &str = "DejaVu Sans Condensed";

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The drawing cannot be read.
    #[error("draw the figure: {0}")]
    Svg(#[from] usvg::Error),
    /// It would be too large.
    #[error("a picture of {0} by {1} pixels cannot be made")]
    Size(f32, f32),
    /// The pixels cannot be written.
    #[error("write the pixels: {0}")]
    Encode(String),
}

fn fonts() -> Arc<usvg::fontdb::Database> {
    static DATABASE: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    let make = || {
        let mut database = usvg::fontdb::Database::new();
        for font in FONTS {
            database.load_font_data(font.to_vec());
        }
        database.set_sans_serif_family(FAMILY);
        Arc::new(database)
    };
    Arc::clone(DATABASE.get_or_init(make))
}

/// A figure's file ([`Figure::file`](crate::figures::Figure::file)) as PNG, so many pixels for each unit of the drawing.
///
/// # Errors
/// If the drawing is malformed, or too large for a picture.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let options =
        usvg::Options { fontdb: fonts(), font_family: FAMILY.to_owned(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let (width, height) = (tree.size().width() * scale, tree.size().height() * scale);
    let mut pixels = tiny_skia::Pixmap::new(width.ceil() as u32, height.ceil() as u32)
        .ok_or(PngError::Size(width, height))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}
