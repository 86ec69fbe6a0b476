//! The panel's own files: named by what is in them, so that browsers never ask for one twice.

use std::{io::Write, sync::LazyLock};

use actix_web::{http::header::CACHE_CONTROL, web::Bytes};
use aws_lc_rs::digest::{SHA256, digest};
use flate2::{Compression, write::GzEncoder};

use crate::{answer::Answer, call::Call, failure::Failure};

/// Its colours are those of the pages of links.
const STYLE: &str = concat!(
    include_str!("../../pages/assets/tokens.css"),
    "\n",
    include_str!("../assets/panel.css")
);
/// What every page may do; the others are for some.
const SCRIPT: &str = include_str!("../assets/panel.js");
const PALETTE: &str = include_str!("../assets/palette.js");
const BOARD: &str = include_str!("../assets/board.js");
const INVOICE: &str = include_str!("../assets/invoice.js");
const ICONS: &str = include_str!("../assets/icons.svg");
/// Inter of rsms, weights 400 to 650, what English and Spanish need of it: `varLib.instancer wght=400:650`, then
/// `pyftsubset --layout-features=kern,tnum,ccmp,locl,mark,calt --flavor=woff2` of fonttools over U+0020-007E, the
/// letters, quotation marks and signs of Spanish, dashes, the ellipsis, the minus and the multiplication sign.
const FONT: &[u8] = include_bytes!("../assets/inter.woff2");
/// What the style sheet calls the font, until it is known by what is in it.
const FONT_IN_STYLE: &str = "inter.woff2";
/// The same of the script and the palette that it loads.
const PALETTE_IN_SCRIPT: &str = "palette.js";
/// Where they lie, below `/panel`.
pub(crate) const PATH: &str = "assets/{file}";
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Takes about as long as the database does for what a page shows.
const GZIP_LEVEL: u32 = 4;

/// How the pages look, what they do beyond being read, their icons and their font.
static FILES: LazyLock<Files> = LazyLock::new(|| {
    let font = File::of("inter", "woff2", "font/woff2", Bytes::from_static(FONT));
    let style = STYLE.replace(FONT_IN_STYLE, &font.name);
    let text = |text: &'static str| Bytes::from_static(text.as_bytes());
    let script =
        |stem: &str, bytes: Bytes| File::of(stem, "js", "text/javascript; charset=utf-8", bytes);
    let palette = script("palette", text(PALETTE));
    Files {
        style: File::of("panel", "css", "text/css; charset=utf-8", Bytes::from(style)),
        script: script("panel", Bytes::from(SCRIPT.replace(PALETTE_IN_SCRIPT, &palette.name))),
        palette,
        board: script("board", text(BOARD)),
        invoice: script("invoice", text(INVOICE)),
        icons: File::of("icons", "svg", "image/svg+xml", text(ICONS)),
        font,
    }
});

struct Files {
    style: File,
    script: File,
    palette: File,
    board: File,
    invoice: File,
    icons: File,
    font: File,
}

struct File {
    name: String,
    path: String,
    kind: &'static str,
    bytes: Bytes,
}

impl File {
    fn of(stem: &str, ending: &str, kind: &'static str, bytes: Bytes) -> Self {
        let digest = digest(&SHA256, &bytes);
        let digest = hex::encode(digest.as_ref().get(..8).unwrap_or_default());
        let name = format!("{stem}.{digest}.{ending}");
        Self { path: format!("/panel/assets/{name}"), name, kind, bytes }
    }
}

/// Where the style sheet lies.
pub(crate) fn style() -> &'static str {
    &FILES.style.path
}

/// Where the script of every page lies.
pub(crate) fn script() -> &'static str {
    &FILES.script.path
}

/// Where the script of the board of deals lies.
pub(crate) fn board() -> &'static str {
    &FILES.board.path
}

/// Where the script of the form of an invoice lies.
pub(crate) fn invoice() -> &'static str {
    &FILES.invoice.path
}

/// Where the font lies.
pub(crate) fn font() -> &'static str {
    &FILES.font.path
}

/// Where the icons lie.
pub(crate) fn icons() -> &'static str {
    &FILES.icons.path
}

/// Answers with a file.
pub(crate) async fn show(call: Call<()>) -> Result<Answer, Failure> {
    let name = call.parameter("file");
    let Files { style, script, palette, board, invoice, icons, font } = &*FILES;
    let mut files = [style, script, palette, board, invoice, icons, font].into_iter();
    let file = files.find(|file| file.name == name).ok_or(Failure::Nothing)?;
    Ok(Answer::file(file.kind, file.bytes.clone()).with(CACHE_CONTROL, FOR_EVER))
}

/// The same in fewer bytes; nothing if that fails, which writing to memory does not.
pub(crate) fn gzipped(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder =
        GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::new(GZIP_LEVEL));
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every first visit takes.
    const SCRIPT_BYTES_MAX: usize = 12 << 10;

    #[test]
    fn the_script_is_small_and_names_what_it_loads() {
        assert!(SCRIPT.len() <= SCRIPT_BYTES_MAX, "{} bytes", SCRIPT.len());
        let script = String::from_utf8(FILES.script.bytes.to_vec()).unwrap();
        let loaded = script.matches("import(\"./").count();
        assert_eq!(
            script.matches(&format!("import(\"./{}\")", FILES.palette.name)).count(),
            loaded
        );
    }
}
