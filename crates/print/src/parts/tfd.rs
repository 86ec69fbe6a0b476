//! The stamp: QR code, seals, and what the provider sealed.

use cfdi::stamp::Stamp;
use kernel::Language;

use crate::{
    block::{Area, Block, Op},
    flow::{BODY_WIDTH, MARGIN},
    parts::{FULL, heading},
    text::{Align, Span, Style, paragraph},
    texts,
};

/// The QR code's side without the white around it: 3 cm, more than the 2.75 cm that Anexo 20 demands.
pub(crate) const QR_SIDE: f32 = 85.1;
/// White around a code of the size these are: four modules.
const QUIET: f32 = 6.0;

/// A stamp, with the address where the document can be checked.
pub(crate) fn stamp(stamp: &Stamp, verification_url: String, language: Language) -> Block {
    let left = MARGIN + QR_SIDE + 2.0 * QUIET + 6.0;
    let span = Span { x: left, width: MARGIN + BODY_WIDTH - left };
    let sealed = [
        (texts::ISSUER_SEAL, stamp.issuer_seal.as_str()),
        (texts::SAT_SEAL, stamp.seal.as_str()),
        (texts::SAT_STRING, &stamp.cadena()),
    ];
    let seals = sealed.iter().map(|(title, text)| {
        paragraph(title.text(language), span, Style::HEADING.sized(6.6, 8.4), Align::Left)
            .then(paragraph(text, span, Style::SEAL, Align::Left))
            .then(Block::space(3.0))
    });
    let code = qr(verification_url);
    let title = heading(texts::STAMP.text(language), FULL);
    title.then(code.beside(seals.collect()))
}

/// The code in the first of many low slices, so that lines of text can stand beside it.
pub(crate) fn qr(text: String) -> Block {
    let area = Area { x: MARGIN + QUIET, y: QUIET, width: QR_SIDE, height: QR_SIDE };
    let height = QR_SIDE + 2.0 * QUIET;
    let lines = (height / Style::SEAL.leading).ceil();
    let below = (1..lines as usize).map(|_| Block::space(Style::SEAL.leading));
    Block::of(Style::SEAL.leading, vec![Op::Qr { area, text }]).then(below.collect())
}
