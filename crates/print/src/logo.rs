//! The issuer's logo: which pictures can be one.

use kernel::{Message, message};
use krilla::{Data, image::Image};

use crate::paint;

/// The largest file that can be a logo.
pub const LOGO_BYTES_MAX: usize = 256 * 1024;
/// The fewest pixels of a logo's sides.
pub const LOGO_SIDE_MIN: u32 = 16;
/// The most pixels of a logo's sides; printed, it is less than 7 cm wide.
pub const LOGO_SIDE_MAX: u32 = 2_000;

/// What keeps these bytes from being a logo, as a clause that follows the field's name; none if they can
/// be one: a PNG or JPEG that can be read, neither too large nor too small.
#[must_use]
pub fn logo_problem(bytes: &[u8]) -> Option<Message> {
    match checked(bytes) {
        Ok(image) if is_complete(bytes) && paint::can_paint(&image) => None,
        Ok(_) => Some(message!("must be a complete image", "debe ser una imagen completa")),
        Err(problem) => Some(problem),
    }
}

/// The logo these bytes are, if they look like one. Whether its pixels can be read shows only when it is
/// painted.
pub(crate) fn read(bytes: &[u8]) -> Option<Image> {
    checked(bytes).ok()
}

fn checked(bytes: &[u8]) -> Result<Image, Message> {
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
    if matches!(format(bytes), Some(Format::Png)) {
        let size = png_size(bytes).ok_or_else(unreadable)?;
        Some(size).filter(|size| fits(*size)).ok_or_else(unfit)?;
    }
    let image = image(bytes).ok_or_else(unreadable)?;
    Some(image).filter(|image| fits(image.size())).ok_or_else(unfit)
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
