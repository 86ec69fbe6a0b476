//! The issuer's logo: which pictures can be one.

use kernel::{Message, message, threads::computes_long};
use krilla::{Data, image::Image};

use crate::{paint, scaling::scaled};

/// The largest file that can be a logo.
pub const LOGO_BYTES_MAX: usize = 256 * 1024;
/// The fewest pixels of a logo's sides.
pub const LOGO_SIDE_MIN: u32 = 16;
/// The most pixels of a logo's sides; printed, it is less than 7 cm wide.
pub const LOGO_SIDE_MAX: u32 = 2_000;

/// The most pixels of a side that are printed: 220 for each inch of the width that a logo has on paper.
const PRINTED_SIDE_MAX: u32 = 600;
/// Where a PNG's header has the bits of a sample.
const PNG_DEPTH_AT: usize = 24;

/// The logo to keep of a picture: the picture itself, or one with fewer pixels if it has more than are printed, so that
/// no invoice is printed from 50 MB of pixels.
///
/// # Errors
/// What keeps it from being a logo, as a clause that follows the field's name: one is a PNG or JPEG that can be read,
/// neither too large nor too small.
pub fn logo_to_keep(bytes: Vec<u8>) -> Result<Vec<u8>, Message> {
    let incomplete = || message!("must be a complete image", "debe ser una imagen completa");
    check(&bytes)?;
    computes_long();
    let kept = match is_printed_whole(&bytes) {
        true => bytes,
        false => scaled(&bytes, PRINTED_SIDE_MAX).ok_or_else(incomplete)?,
    };
    let image = image(&kept).ok_or_else(incomplete)?;
    if is_complete(&kept) && paint::can_paint(&image) { Ok(kept) } else { Err(incomplete()) }
}

/// The logo these bytes are, if they look like one. Whether its pixels can be read shows only when it is
/// painted.
pub(crate) fn read(bytes: &[u8]) -> Option<Image> {
    check(bytes).ok()?;
    match is_printed_whole(bytes) {
        true => image(bytes),
        // Kept by a release that kept every picture as it was.
        false => image(&scaled(bytes, PRINTED_SIDE_MAX)?),
    }
}

/// Whether a picture is printed as it is. A JPEG goes into the PDF without being read.
fn is_printed_whole(bytes: &[u8]) -> bool {
    let Some(Format::Png) = format(bytes) else { return true };
    let is_small =
        png_size(bytes).is_some_and(|(width, height)| width.max(height) <= PRINTED_SIDE_MAX);
    is_small && bytes.get(PNG_DEPTH_AT).is_some_and(|bits| *bits <= 8)
}

/// Refuses a file that is too large, and a picture by what its first bytes say of it.
fn check(bytes: &[u8]) -> Result<(), Message> {
    let unreadable = || message!("must be a PNG or JPEG image", "debe ser una imagen PNG o JPEG");
    let unfit = || {
        message!(
            "must be between {LOGO_SIDE_MIN} and {LOGO_SIDE_MAX} pixels wide and high",
            "debe medir entre {LOGO_SIDE_MIN} y {LOGO_SIDE_MAX} píxeles de ancho y de alto"
        )
    };
    if bytes.len() > LOGO_BYTES_MAX {
        return Err(message!(
            "must be at most {LOGO_BYTES_MAX} bytes",
            "debe tener a lo más {LOGO_BYTES_MAX} bytes"
        ));
    }
    // Whoever opens a PNG to ask for its size inflates much of it.
    let size = match format(bytes).ok_or_else(unreadable)? {
        Format::Png => png_size(bytes),
        Format::Jpeg => image(bytes).map(|image| image.size()),
    };
    if fits(size.ok_or_else(unreadable)?) { Ok(()) } else { Err(unfit()) }
}

enum Format {
    Png,
    Jpeg,
}

fn format(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(Format::Png)
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        Some(Format::Jpeg)
    } else {
        None
    }
}

/// The picture, its pixels not read yet.
fn image(bytes: &[u8]) -> Option<Image> {
    let data = || Data::from(bytes.to_vec());
    match format(bytes)? {
        Format::Png => Image::from_png(data(), false).ok(),
        Format::Jpeg => Image::from_jpeg(data(), false).ok(),
    }
}

/// Width and height as a PNG's header has them. To be asked before its decoder is, which makes room for a
/// line of pixels, however long the header says that lines are.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.get(12..24)?.strip_prefix(b"IHDR")?;
    let (width, height) = header.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*width), u32::from_be_bytes(height.try_into().ok()?)))
}

fn fits((width, height): (u32, u32)) -> bool {
    let sides = LOGO_SIDE_MIN..=LOGO_SIDE_MAX;
    sides.contains(&width) && sides.contains(&height)
}

/// Whether a JPEG has its end. It goes into the PDF as it is, so nothing else would show what is missing.
fn is_complete(bytes: &[u8]) -> bool {
    let is_jpeg = matches!(format(bytes), Some(Format::Jpeg));
    !is_jpeg || bytes.windows(2).any(|pair| pair == [0xff, 0xd9])
}
