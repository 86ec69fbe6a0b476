//! The panel's own files: named by what is in them, so that browsers never ask for one twice.

use std::{io::Write, sync::LazyLock};

use actix_web::{http::header::CACHE_CONTROL, web::Bytes};
use aws_lc_rs::digest::{SHA256, digest};
use flate2::{Compression, write::GzEncoder};

use crate::{answer::Answer, call::Call, failure::Failure};

const CSS: &str = include_str!("../assets/panel.css");
const SCRIPT: &str = include_str!("../assets/panel.js");
const ICONS: &str = include_str!("../assets/icons.svg");
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Takes about as long as the database does for what a page shows.
const GZIP_LEVEL: u32 = 4;

/// How the pages look, what they do beyond being read, and their icons.
static FILES: LazyLock<Files> = LazyLock::new(|| Files {
    style: File::of("panel", "css", "text/css; charset=utf-8", CSS),
    script: File::of("panel", "js", "text/javascript; charset=utf-8", SCRIPT),
    icons: File::of("icons", "svg", "image/svg+xml", ICONS),
});

struct Files {
    style: File,
    script: File,
    icons: File,
}

struct File {
    name: String,
    path: String,
    kind: &'static str,
    text: &'static str,
}

impl File {
    fn of(stem: &str, ending: &str, kind: &'static str, text: &'static str) -> Self {
        let digest = digest(&SHA256, text.as_bytes());
        let digest = hex::encode(digest.as_ref().get(..8).unwrap_or_default());
        let name = format!("{stem}.{digest}.{ending}");
        Self { path: format!("/panel/assets/{name}"), name, kind, text }
    }
}

/// Where the style sheet lies.
pub(crate) fn style() -> &'static str {
    &FILES.style.path
}

/// Where the script lies.
pub(crate) fn script() -> &'static str {
    &FILES.script.path
}

/// Where the icons lie.
pub(crate) fn icons() -> &'static str {
    &FILES.icons.path
}

/// Answers with a file.
pub(crate) async fn show(call: Call<()>) -> Result<Answer, Failure> {
    let name = call.parameter("file");
    let mut files = [&FILES.style, &FILES.script, &FILES.icons].into_iter();
    let file = files.find(|file| file.name == name).ok_or(Failure::Nothing)?;
    let body = Bytes::from_static(file.text.as_bytes());
    Ok(Answer::file(file.kind, body).with(CACHE_CONTROL, FOR_EVER))
}

/// The same in fewer bytes; nothing if that fails, which writing to memory does not.
pub(crate) fn gzipped(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder =
        GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::new(GZIP_LEVEL));
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
