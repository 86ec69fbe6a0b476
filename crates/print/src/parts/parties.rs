//! Who receives, how it is paid, and what else is said of the whole document.

use cfdi::{
    document::{Document, Global, Receiver, Relation},
    totals::Totals,
};

use crate::{
    block::Block,
    figures,
    names::Catalog,
    parts::{FULL, Field, columns, fields, halves, heading},
    text::{Align, Style, paragraph},
};

const NAME_WIDTH: f32 = 84.0;

/// Receiver and terms beside each other.
pub(crate) fn parties(document: &Document) -> Block {
    let (left, right) = halves();
    let name =
        paragraph(&document.receiver.legal_name, left, Style::STRONG.sized(9.0, 11.4), Align::Left);
    let receiver = heading("RECEPTOR", left).then(name).then(fields(
        &receiver_fields(&document.receiver),
        left,
        NAME_WIDTH,
    ));
    let terms = heading("DATOS DEL COMPROBANTE (CFDI 4.0)", right).then(fields(
        &terms(document),
        right,
        NAME_WIDTH,
    ));
    columns(receiver, terms).then(Block::space(8.0))
}

fn receiver_fields(receiver: &Receiver) -> Vec<Field> {
    let mut fields = vec![
        ("RFC", receiver.rfc.clone()),
        ("Régimen fiscal", Catalog::Regime.labelled(&receiver.tax_regime)),
        ("Domicilio fiscal", format!("C.P. {}", receiver.tax_zip)),
        ("Uso del CFDI", Catalog::Use.labelled(&receiver.cfdi_use)),
    ];
    let residence = receiver.tax_residence.as_deref();
    fields.extend(residence.map(|code| ("Residencia fiscal", Catalog::Country.labelled(code))));
    fields.extend(receiver.foreign_tax_id.clone().map(|id| ("Reg. id. tributaria", id)));
    fields
}

fn terms(document: &Document) -> Vec<Field> {
    let form = document.payment_form.as_deref();
    let method = document.payment_method.map(cfdi::document::PaymentMethod::code);
    let mut fields = vec![("Tipo", Catalog::DocumentType.labelled(document.kind.code()))];
    fields.extend(form.map(|code| ("Forma de pago", Catalog::PaymentForm.labelled(code))));
    fields.extend(method.map(|code| ("Método de pago", Catalog::PaymentMethod.labelled(code))));
    fields.extend(document.payment_terms.clone().map(|terms| ("Condiciones de pago", terms)));
    fields.push(("Moneda", Catalog::Currency.labelled(document.currency_code())));
    fields.extend(document.exchange_rate.map(|rate| ("Tipo de cambio", figures::plain(rate))));
    fields.push(("Exportación", Catalog::Export.labelled(&document.export)));
    fields.extend(document.confirmation.clone().map(|code| ("Confirmación", code)));
    if document.currency.is_none() {
        let totals = Totals::of(document);
        let sums = [totals.sub_total, totals.total].map(|sum| figures::money(sum, 2));
        fields.push(("Subtotal y total", sums.join(" y ")));
    }
    fields
}

/// The period of a global invoice.
pub(crate) fn global(global: &Global) -> Block {
    let (left, right) = halves();
    let period = [
        ("Periodicidad", Catalog::Periodicity.labelled(&global.periodicity)),
        ("Meses", Catalog::Months.labelled(&global.months)),
    ];
    let year = [("Año", global.year.to_string())];
    let row = columns(fields(&period, left, NAME_WIDTH), fields(&year, right, NAME_WIDTH));
    heading("INFORMACIÓN GLOBAL", FULL).then(row).then(Block::space(8.0))
}

/// The documents it refers to.
pub(crate) fn related(relations: &[Relation]) -> Block {
    let rows = relations.iter().map(|relation| {
        let reason = format!("Relación: {}", Catalog::Relation.labelled(&relation.relation));
        let uuids =
            relation.uuids.iter().map(|uuid| paragraph(uuid, FULL, Style::TEXT, Align::Left));
        paragraph(&reason, FULL, Style::NAME, Align::Left).then(uuids.collect())
    });
    heading("CFDI RELACIONADOS", FULL).then(rows.collect()).then(Block::space(8.0))
}
