//! Goods that leave the country for good (standard and guide of the complement Comercio Exterior 2.0).

mod address;
mod document;
mod goods;
mod lines;
mod parties;
mod values;

use crate::{
    catalogs::{countries, incoterms, transfer_reasons},
    complements::ForeignTrade,
    document::DocumentType,
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        limits, listed, text,
    },
};

/// What the complement's own matrix of errors refuses, as against its schema (301). Its numbers differ from version to
/// version of the complement, so that they are not told.
const GUIDE: &str = "CFDI40999";

/// The reason of goods that an earlier document sold.
const INVOICED_BEFORE: &str = "01";
/// The reason of goods that belong to others.
const OF_OTHERS: &str = "05";

pub(super) fn check(case: &Case<'_>, trade: &ForeignTrade, at: &At<'_>, found: &mut Findings) {
    if case.document.kind == DocumentType::Payment {
        found.add(
            GUIDE,
            at,
            format_args!("must be left out, because a payment receipt (type P) exports nothing"),
            format_args!("debe omitirse, porque un recibo de pago (tipo P) no ampara exportación"),
        );
        return;
    }
    document::check(case, trade, found);
    transfer_reason(case, trade, &at.field("transferReason"), found);
    let certificate = trade.certificate_of_origin.as_ref();
    if let Some(number) = certificate.and_then(|certificate| certificate.number.as_deref()) {
        let at = at.field("certificateOfOrigin");
        text_between(number, (6, 40), &at.field("number"), found);
    }
    trusted_exporter(case, trade, &at.field("trustedExporterNumber"), found);
    if let Some(incoterm) = trade.incoterm.as_deref() {
        let key = (incoterm, incoterms::find(incoterm));
        let error = ("301", &at.field("incoterm"));
        listed::check(key, &listed::INCOTERMS, case.day(), error, found);
    }
    text::optional(trade.remarks.as_deref(), 300, &at.field("remarks"), found);
    usd_rate(trade, &at.field("usdRate"), found);
    parties::check(case, trade, at, found);
    goods::check(case, trade, &at.field("goods"), found);
}

/// Of transfers, and only of them.
fn transfer_reason(case: &Case<'_>, trade: &ForeignTrade, at: &At<'_>, found: &mut Findings) {
    match (case.document.kind == DocumentType::Transfer, trade.transfer_reason.as_deref()) {
        (true, None) => found.add(
            GUIDE,
            at,
            format_args!("is missing: say why the goods move, with a code of c_MotivoTraslado"),
            format_args!("falta: indicar por qué se traslada, con una clave de c_MotivoTraslado"),
        ),
        (true, Some(reason)) => {
            let key = (reason, transfer_reasons::find(reason));
            let error = ("301", at);
            listed::check(key, &listed::TRANSFER_REASONS, case.day(), error, found);
        }
        (false, Some(_)) => found.add(
            GUIDE,
            at,
            format_args!("must be left out: only transfers of goods (type T) have a reason"),
            format_args!("debe omitirse: solo los traslados (tipo T) llevan motivo"),
        ),
        (false, None) => {}
    }
}

/// The agreement that knows trusted exporters is that with the European Union.
fn trusted_exporter(case: &Case<'_>, trade: &ForeignTrade, at: &At<'_>, found: &mut Findings) {
    let Some(number) = trade.trusted_exporter_number.as_deref() else { return };
    text::check(number, 50, at, found);
    let buyer = trade.receiver.iter().filter_map(|receiver| receiver.address.as_ref());
    let recipients = trade.recipients.iter().flat_map(|recipient| &recipient.addresses);
    let countries = buyer.chain(recipients).map(|address| address.country.as_str());
    let mut countries = countries.chain(case.document.receiver.tax_residence.as_deref());
    let in_union = |code| countries::find(code).is_some_and(|country| country.in_european_union());
    if !countries.any(in_union) {
        found.add(
            GUIDE,
            at,
            format_args!(
                "must be left out: it is for exports to the European Union, and neither the \
                 receiver nor a recipient is there",
            ),
            format_args!(
                "debe omitirse: es para exportaciones a la Unión Europea, y ahí no está ni el \
                 receptor ni un destinatario",
            ),
        );
    }
}

fn usd_rate(trade: &ForeignTrade, at: &At<'_>, found: &mut Findings) {
    let rate = trade.usd_rate;
    if limits::is_possible(rate, at, found) && rate.micros() == 0 {
        found.add(
            GUIDE,
            at,
            format_args!(
                "is {rate}, but must be greater than zero: set the pesos for one US dollar, as \
                 published for the day",
            ),
            format_args!(
                "es {rate}, pero debe ser mayor que cero: indicar cuántos pesos vale un dólar, \
                 según el tipo de cambio publicado del día",
            ),
        );
    }
}

/// Text that may be too short as well as too long (301).
fn text_between(
    text: &str,
    (chars_min, chars_max): (usize, usize),
    at: &At<'_>,
    found: &mut Findings,
) {
    text::check(text, chars_max, at, found);
    let chars = text.chars().count();
    if !text.is_empty() && chars < chars_min {
        let value = Shown(text);
        found.add(
            "301",
            at,
            format_args!("is {value}, but must have at least {chars_min} characters: complete it"),
            format_args!(
                "es {value}, pero debe tener al menos {chars_min} caracteres: completarlo"
            ),
        );
    }
}
