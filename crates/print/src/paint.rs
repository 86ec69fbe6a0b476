//! Pages of things to draw, as a PDF.

use kernel::threads::computes_long;
use krilla::{
    Document,
    color::rgb,
    error::KrillaError,
    geom::{PathBuilder, Point, Rect, Size, Transform},
    image::Image,
    metadata::Metadata,
    num::NormalizedF32,
    page::PageSettings,
    paint::{Fill, FillRule},
    surface::Surface,
};
use qrcode::{EcLevel, QrCode};

use crate::{
    block::{Area, Op},
    color::Color,
    flow::{PAGE_HEIGHT, PAGE_WIDTH},
    fonts::Face,
    palette::{Palette, Tone},
};

/// How wide the letters across a page are together.
const WATERMARK_WIDTH: f32 = 600.0;
const WATERMARK_DEGREES: f32 = -50.0;

/// Paints the pages.
///
/// # Errors
/// When the logo's pixels cannot be read, or a font not embedded.
pub(crate) fn paint(
    pages: &[Vec<Op>],
    palette: Palette,
    logo: Option<&Image>,
    metadata: Metadata,
) -> Result<Vec<u8>, KrillaError> {
    computes_long();
    let mut document = Document::new();
    document.set_metadata(metadata);
    for ops in pages {
        let Some(settings) = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT) else { continue };
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        for op in ops {
            draw(op, palette, logo, &mut surface);
        }
        surface.finish();
        page.finish();
    }
    document.finish()
}

/// Whether a picture's pixels can be read.
pub(crate) fn can_paint(image: &Image) -> bool {
    let area = Area { x: 0.0, y: 0.0, width: 10.0, height: 10.0 };
    paint(&[vec![Op::Logo { area }]], Palette::of(Color::BLACK), Some(image), Metadata::new())
        .is_ok()
}

fn draw(op: &Op, palette: Palette, logo: Option<&Image>, surface: &mut Surface<'_>) {
    match op {
        Op::Text { x, y, face, size, tone, text } => {
            surface.set_fill(Some(fill(palette.color(*tone))));
            letters(Point::from_xy(*x, *y), *face, *size, text, false, surface);
        }
        Op::Fill { area, tone } => fill_area(*area, palette.color(*tone), surface),
        Op::Qr { area, text } => qr(*area, text, palette.color(Tone::Ink), surface),
        Op::Logo { area } => picture(*area, logo, surface),
        Op::Watermark { text, tone } => watermark(text, palette.color(*tone), surface),
    }
}

fn fill(Color(red, green, blue): Color) -> Fill {
    let paint = rgb::Color::new(red, green, blue).into();
    Fill { paint, opacity: NormalizedF32::ONE, rule: FillRule::NonZero }
}

fn letters(
    at: Point,
    face: Face,
    size: f32,
    text: &str,
    outlined: bool,
    surface: &mut Surface<'_>,
) {
    if let Some(font) = face.font() {
        surface.draw_glyphs(at, &face.glyphs(text), font, text, size, outlined);
    }
}

fn fill_area(area: Area, color: Color, surface: &mut Surface<'_>) {
    let mut path = PathBuilder::new();
    if let Some(rect) = Rect::from_xywh(area.x, area.y, area.width, area.height) {
        path.push_rect(rect);
    }
    if let Some(path) = path.finish() {
        surface.set_fill(Some(fill(color)));
        surface.draw_path(&path);
    }
}

/// A QR code with error correction M, as Anexo 20 has it, each run of dark modules one rectangle.
fn qr(area: Area, text: &str, color: Color, surface: &mut Surface<'_>) {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else { return };
    let width = code.width();
    let side = area.width / width as f32;
    let colors = code.to_colors();
    let mut path = PathBuilder::new();
    for (row, modules) in colors.chunks(width).enumerate() {
        let mut column = 0;
        for run in modules.chunk_by(|one, next| one == next) {
            let dark = run.first() == Some(&qrcode::Color::Dark);
            let (x, y) = (area.x + column as f32 * side, area.y + row as f32 * side);
            let rect = Rect::from_xywh(x, y, run.len() as f32 * side, side);
            if let Some(rect) = rect.filter(|_| dark) {
                path.push_rect(rect);
            }
            column += run.len();
        }
    }
    if let Some(path) = path.finish() {
        surface.set_fill(Some(fill(color)));
        surface.draw_path(&path);
    }
}

fn picture(area: Area, logo: Option<&Image>, surface: &mut Surface<'_>) {
    let (Some(logo), Some(size)) = (logo, Size::from_wh(area.width, area.height)) else { return };
    surface.push_transform(&Transform::from_translate(area.x, area.y));
    surface.draw_image(logo.clone(), size);
    surface.pop();
}

/// As outlines, so that it is seen but neither searched nor copied.
fn watermark(text: &str, color: Color, surface: &mut Surface<'_>) {
    let size = WATERMARK_WIDTH / Face::Bold.width(1.0, text).max(1.0);
    let (x, y) = (PAGE_WIDTH / 2.0, PAGE_HEIGHT / 2.0);
    surface.set_fill(Some(fill(color)));
    surface.push_transform(&Transform::from_rotate_at(WATERMARK_DEGREES, x, y));
    let start = Point::from_xy(x - WATERMARK_WIDTH / 2.0, y + size * 0.36);
    letters(start, Face::Bold, size, text, true, surface);
    surface.pop();
}
