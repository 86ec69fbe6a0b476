//! The top of the first page: who issues, and which document it is.

use crate::{
    Sheet,
    block::{ACCENT, Area, Block, Op, SHADE},
    figures,
    flow::{BODY_WIDTH, MARGIN},
    names::{Catalog, number, title},
    parts::{Field, GUTTER, columns},
    text::{Align, Span, Style, paragraph},
};

/// The room of a logo that stands above the issuer.
const BANNER: (f32, f32) = (190.0, 40.0);
/// The room of a logo that stands beside the issuer.
const EMBLEM: (f32, f32) = (76.0, 58.0);
/// A logo stands above from this many times as wide as it is high.
const BANNER_RATIO: f32 = 1.8;
/// The room of what identifies the document.
const PANEL_WIDTH: f32 = 240.0;
const INSET: f32 = 7.0;

/// The masthead. `logo` is the size of the logo in pixels.
pub(crate) fn masthead(sheet: &Sheet<'_>, logo: Option<(u32, u32)>) -> Block {
    let width = BODY_WIDTH - PANEL_WIDTH - GUTTER;
    let left = Span { x: MARGIN, width };
    let left = match logo.map(fitted) {
        Some(logo) if is_banner(logo) => {
            picture(logo).then(Block::space(7.0)).then(issuer(sheet, left))
        }
        Some(logo) => {
            let taken = logo.width + 12.0;
            let beside = Span { x: MARGIN + taken, width: width - taken };
            columns(picture(logo), issuer(sheet, beside))
        }
        None => issuer(sheet, left),
    };
    let panel = Span { x: MARGIN + BODY_WIDTH - PANEL_WIDTH, width: PANEL_WIDTH };
    columns(left, identity(sheet, panel)).then(Block::space(10.0))
}

/// A picture of that many pixels in the room of the logo, its sides in proportion.
fn fitted((width, height): (u32, u32)) -> Area {
    let (width, height) = (width.max(1) as f32, height.max(1) as f32);
    let room = if width >= height * BANNER_RATIO { BANNER } else { EMBLEM };
    let scale = (room.0 / width).min(room.1 / height);
    Area { x: MARGIN, y: 0.0, width: width * scale, height: height * scale }
}

fn is_banner(logo: Area) -> bool {
    logo.width >= logo.height * BANNER_RATIO
}

fn picture(logo: Area) -> Block {
    Block::of(logo.height, vec![Op::Logo { area: logo }])
}

fn issuer(sheet: &Sheet<'_>, span: Span) -> Block {
    let issuer = &sheet.document.issuer;
    let name = Style::STRONG.sized(12.5, 15.0).in_color(ACCENT);
    let line = |text: &str, style| paragraph(text, span, style, Align::Left);
    let regime = format!("Régimen fiscal: {}", Catalog::Regime.labelled(&issuer.tax_regime));
    let place = format!("Lugar de expedición (C.P.): {}", sheet.document.place_of_issue);
    line(&issuer.legal_name, name)
        .then(Block::space(1.5))
        .then(line(&format!("RFC: {}", issuer.rfc), Style::STRONG))
        .then(line(&regime, Style::TEXT))
        .then(line(&place, Style::TEXT))
}

/// Title, number, and a panel with the fiscal folio and the dates.
fn identity(sheet: &Sheet<'_>, span: Span) -> Block {
    let document = sheet.document;
    let right = |text: &str, style| paragraph(text, span, style, Align::Right);
    let title =
        right(&title(document).to_uppercase(), Style::STRONG.sized(15.0, 18.0).in_color(ACCENT));
    let number = number(document.series.as_deref(), document.folio.as_deref());
    let number = number
        .map(|number| right(&format!("Serie y folio: {number}"), Style::STRONG.sized(10.0, 13.0)));
    let inner = Span { x: span.x + INSET, width: span.width - 2.0 * INSET };
    let rows = stamped_fields(sheet).into_iter().map(|field| row(&field, inner));
    let panel = Block::space(4.0).then(rows.collect()).then(Block::space(4.0));
    title
        .then(number.unwrap_or_default())
        .then(Block::space(3.0))
        .then(panel.on(span.x, span.width, SHADE))
}

/// Name at the left, value at the right.
fn row((name, value): &Field, span: Span) -> Block {
    let style = if *name == FOLIO { Style::STRONG.sized(7.6, 10.4) } else { Style::TEXT };
    let name_span = Span { x: span.x, width: Style::NAME.width(name) };
    let taken = name_span.width + 4.0;
    let value_span = Span { x: span.x + taken, width: span.width - taken };
    paragraph(name, name_span, Style::NAME, Align::Left).beside(paragraph(
        value,
        value_span,
        style,
        Align::Right,
    ))
}

const FOLIO: &str = "Folio fiscal";

fn stamped_fields(sheet: &Sheet<'_>) -> Vec<Field> {
    let uuid = sheet.stamp.map_or_else(|| "Sin timbrar".to_owned(), |stamp| stamp.uuid.clone());
    let certificate = sheet.certificate_number.map(str::to_owned);
    let mut fields = vec![(FOLIO, uuid)];
    fields.push(("Fecha de emisión", figures::moment(sheet.document.issued_at)));
    fields.extend(certificate.map(|number| ("Certificado del emisor", number)));
    if let Some(stamp) = sheet.stamp {
        fields.push(("Fecha de certificación", figures::moment(stamp.stamped_at)));
        fields.push(("Certificado del SAT", stamp.certificate_number.clone()));
        fields.push(("RFC del PAC", stamp.provider_rfc.clone()));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logos_keep_their_proportions_within_their_room() {
        for (pixels, width, height) in [
            ((1_900, 100), 190.0, 10.0),
            ((400, 200), 80.0, 40.0),
            ((580, 580), 58.0, 58.0),
            ((10, 1_000), 0.58, 58.0),
        ] {
            let area = fitted(pixels);
            assert!((area.width - width).abs() < 0.01 && (area.height - height).abs() < 0.01);
        }
    }
}
