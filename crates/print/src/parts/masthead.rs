//! The top of the first page: who issues, and which document it is.

use kernel::Language;

use crate::{
    block::{Area, Block, Op},
    figures,
    flow::{BODY_WIDTH, MARGIN},
    frame::Frame,
    look::LogoPlace,
    names::Catalog,
    palette::Tone,
    parts::{FULL, Field, GUTTER, columns, contact::contact},
    text::{Align, Span, Style, paragraph},
    texts,
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
pub(crate) fn masthead(frame: &Frame<'_>, logo: Option<(u32, u32)>) -> Block {
    let left = Span { x: MARGIN, width: BODY_WIDTH - PANEL_WIDTH - GUTTER };
    let right = Span { x: MARGIN + BODY_WIDTH - PANEL_WIDTH, width: PANEL_WIDTH };
    let issuer = |span| issuer(frame, span);
    let below = Block::space(7.0);
    let (above, left, right) = match (logo.map(fitted), frame.look.logo_place) {
        (None, _) => (Block::default(), issuer(left), identity(frame, right)),
        (Some(logo), LogoPlace::Left) if is_banner(logo) => {
            let above = picture(logo, left, Align::Left).then(below);
            let left = above.then(issuer(left));
            (Block::default(), left, identity(frame, right))
        }
        (Some(logo), LogoPlace::Left) => {
            let taken = logo.0 + 12.0;
            let beside = Span { x: left.x + taken, width: left.width - taken };
            let left = columns(picture(logo, left, Align::Left), issuer(beside));
            (Block::default(), left, identity(frame, right))
        }
        (Some(logo), LogoPlace::Center) => {
            (picture(logo, FULL, Align::Center).then(below), issuer(left), identity(frame, right))
        }
        (Some(logo), LogoPlace::Right) => {
            let above = picture(logo, right, Align::Right).then(below);
            (Block::default(), issuer(left), above.then(identity(frame, right)))
        }
    };
    above.then(columns(left, right)).then(Block::space(10.0))
}

/// Width and height of a picture of that many pixels in the room of the logo, its sides in proportion.
fn fitted((width, height): (u32, u32)) -> (f32, f32) {
    let (width, height) = (width.max(1) as f32, height.max(1) as f32);
    let room = if width >= height * BANNER_RATIO { BANNER } else { EMBLEM };
    let scale = (room.0 / width).min(room.1 / height);
    (width * scale, height * scale)
}

fn is_banner((width, height): (f32, f32)) -> bool {
    width >= height * BANNER_RATIO
}

/// The logo at an edge of that room.
fn picture((width, height): (f32, f32), span: Span, align: Align) -> Block {
    let x = span.x + align.share() * (span.width - width);
    let area = Area { x, y: 0.0, width, height };
    Block::of(height, vec![Op::Logo { area }])
}

fn issuer(frame: &Frame<'_>, span: Span) -> Block {
    let (issuer, language) = (frame.issuer, frame.language);
    let name = Style::STRONG.sized(12.5, 15.0).in_tone(Tone::Title);
    let line = |text: &str, style| paragraph(text, span, style, Align::Left);
    let regime = Catalog::Regime.labelled(&issuer.tax_regime);
    let place = frame.place_of_issue;
    line(&issuer.legal_name, name)
        .then(Block::space(1.5))
        .then(line(&texts::ISSUER_RFC.with(language, &[&issuer.rfc]), Style::STRONG))
        .then(line(&texts::ISSUER_REGIME.with(language, &[&regime]), Style::TEXT))
        .then(line(&texts::PLACE_OF_ISSUE.with(language, &[place]), Style::TEXT))
        .then(contact(&frame.look.contact, span, language))
}

/// Title, number, and a panel with the fiscal folio and the dates.
fn identity(frame: &Frame<'_>, span: Span) -> Block {
    let language = frame.language;
    let right = |text: &str, style| paragraph(text, span, style, Align::Right);
    let title = right(
        &frame.title.text(language).to_uppercase(),
        Style::STRONG.sized(15.0, 18.0).in_tone(Tone::Title),
    );
    let number = frame.number.as_ref().map(|number| {
        right(&frame.number_name.with(language, &[number]), Style::STRONG.sized(10.0, 13.0))
    });
    let inner = Span { x: span.x + INSET, width: span.width - 2.0 * INSET };
    let rows = stamped_fields(frame).into_iter().map(|field| row(&field, inner, language));
    let panel = Block::space(4.0).then(rows.collect()).then(Block::space(4.0));
    title.then(number.unwrap_or_default()).then(Block::space(3.0)).then(panel.on(
        span.x,
        span.width,
        Tone::Shade,
    ))
}

/// Name at the left, value at the right.
fn row((name, value): &Field, span: Span, language: Language) -> Block {
    let style = if *name == texts::FOLIO { Style::STRONG.sized(7.6, 10.4) } else { Style::TEXT };
    let name = name.text(language);
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

fn stamped_fields(frame: &Frame<'_>) -> Vec<Field> {
    let unstamped = || texts::UNSTAMPED.text(frame.language).to_owned();
    let uuid = frame.stamp.map_or_else(unstamped, |stamp| stamp.uuid.clone());
    let certificate = frame.certificate_number.map(str::to_owned);
    let mut fields = vec![(texts::FOLIO, uuid)];
    fields.push((texts::ISSUED_AT, figures::moment(frame.issued_at)));
    fields.extend(certificate.map(|number| (texts::ISSUER_CERTIFICATE, number)));
    if let Some(stamp) = frame.stamp {
        fields.push((texts::STAMPED_AT, figures::moment(stamp.stamped_at)));
        fields.push((texts::SAT_CERTIFICATE, stamp.certificate_number.clone()));
        fields.push((texts::PROVIDER_RFC, stamp.provider_rfc.clone()));
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
            let found = fitted(pixels);
            assert!((found.0 - width).abs() < 0.01 && (found.1 - height).abs() < 0.01);
        }
    }
}
