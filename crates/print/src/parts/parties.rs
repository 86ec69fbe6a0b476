//! Who receives, how it is paid, and what else is said of the whole document.

use cfdi::{
    document::{Document, Global, Receiver, Relation},
    totals::Totals,
};
use kernel::Language;

use crate::{
    block::Block,
    figures,
    names::Catalog,
    parts::{FULL, Field, columns, fields, halves, heading},
    text::{Align, Style, paragraph},
    texts,
};

const NAME_WIDTH: f32 = 84.0;

/// Receiver and terms beside each other.
pub(crate) fn parties(document: &Document, language: Language) -> Block {
    let (left, right) = halves();
    let name =
        paragraph(&document.receiver.legal_name, left, Style::STRONG.sized(9.0, 11.4), Align::Left);
    let receiver = heading(texts::RECEIVER.text(language), left).then(name).then(fields(
        &receiver_fields(&document.receiver, language),
        left,
        NAME_WIDTH,
        language,
    ));
    let terms = heading(texts::TERMS.text(language), right).then(fields(
        &terms(document, language),
        right,
        NAME_WIDTH,
        language,
    ));
    columns(receiver, terms).then(Block::space(8.0))
}

fn receiver_fields(receiver: &Receiver, language: Language) -> Vec<Field> {
    let mut fields = vec![
        (texts::RFC, receiver.rfc.clone()),
        (texts::REGIME, Catalog::Regime.labelled(&receiver.tax_regime)),
        (texts::TAX_ADDRESS, texts::ZIP.with(language, &[&receiver.tax_zip])),
        (texts::USE, Catalog::Use.labelled(&receiver.cfdi_use)),
    ];
    let residence = receiver.tax_residence.as_deref();
    fields.extend(residence.map(|code| (texts::TAX_RESIDENCE, Catalog::Country.labelled(code))));
    fields.extend(receiver.foreign_tax_id.clone().map(|id| (texts::FOREIGN_TAX_ID, id)));
    fields
}

fn terms(document: &Document, language: Language) -> Vec<Field> {
    let form = document.payment_form.as_deref();
    let method = document.payment_method.map(cfdi::document::PaymentMethod::code);
    let mut fields = vec![(texts::KIND, Catalog::DocumentType.labelled(document.kind.code()))];
    fields.extend(form.map(|code| (texts::PAYMENT_FORM, Catalog::PaymentForm.labelled(code))));
    fields
        .extend(method.map(|code| (texts::PAYMENT_METHOD, Catalog::PaymentMethod.labelled(code))));
    fields.extend(document.payment_terms.clone().map(|terms| (texts::PAYMENT_TERMS, terms)));
    fields.push((texts::CURRENCY, Catalog::Currency.labelled(document.currency_code())));
    fields.extend(document.exchange_rate.map(|rate| (texts::EXCHANGE_RATE, figures::plain(rate))));
    fields.push((texts::EXPORT, Catalog::Export.labelled(&document.export)));
    fields.extend(document.confirmation.clone().map(|code| (texts::CONFIRMATION, code)));
    if document.currency.is_none() {
        let totals = Totals::of(document);
        let [sub_total, total] = [totals.sub_total, totals.total].map(|sum| figures::money(sum, 2));
        let sums = texts::TWO_SUMS.with(language, &[&sub_total, &total]);
        fields.push((texts::SUBTOTAL_AND_TOTAL, sums));
    }
    fields
}

/// The period of a global invoice.
pub(crate) fn global(global: &Global, language: Language) -> Block {
    let (left, right) = halves();
    let period = [
        (texts::PERIODICITY, Catalog::Periodicity.labelled(&global.periodicity)),
        (texts::MONTHS, Catalog::Months.labelled(&global.months)),
    ];
    let year = [(texts::YEAR, global.year.to_string())];
    let column = |list: &[Field], span| fields(list, span, NAME_WIDTH, language);
    let row = columns(column(&period, left), column(&year, right));
    heading(texts::GLOBAL.text(language), FULL).then(row).then(Block::space(8.0))
}

/// The documents it refers to.
pub(crate) fn related(relations: &[Relation], language: Language) -> Block {
    let rows = relations.iter().map(|relation| {
        let reason = Catalog::Relation.labelled(&relation.relation);
        let reason = texts::RELATION.with(language, &[&reason]);
        let uuids =
            relation.uuids.iter().map(|uuid| paragraph(uuid, FULL, Style::TEXT, Align::Left));
        paragraph(&reason, FULL, Style::NAME, Align::Left).then(uuids.collect())
    });
    heading(texts::RELATED.text(language), FULL).then(rows.collect()).then(Block::space(8.0))
}
