//! Fields that documents of one type have and others do not: what would be left out of the document is refused by name.

use cfdi::document::DocumentType;
use kernel::{Currency, FieldFault, message};

use crate::{Draft, Fields, ItemFields};

/// What is given although a document of that type has no place for it.
pub(crate) fn faults(kind: DocumentType, fields: &Fields) -> Vec<FieldFault> {
    let is_receipt = kind == DocumentType::Payment;
    let gives = |list: Option<usize>| list.is_some_and(|length| length > 0);
    let mut faults = Vec::new();
    if !is_receipt && gives(fields.payments.as_ref().map(Vec::len)) {
        let problem = message!(
            "must be omitted: only payment receipts (type P) have payments",
            "debe omitirse: solo los recibos de pago (tipo P) llevan pagos"
        );
        faults.push(FieldFault::new("payments", problem));
    }
    if is_receipt && gives(fields.items.as_ref().map(Vec::len)) {
        let problem = message!(
            "must be omitted: SAT prescribes the one item of a payment receipt (type P)",
            "debe omitirse: el SAT define el único concepto de un recibo de pago (tipo P)"
        );
        faults.push(FieldFault::new("items", problem));
    }
    if is_receipt && gives(fields.orders.as_ref().map(Vec::len)) {
        let problem = message!(
            "must be omitted: a payment receipt (type P) names the invoices it pays in payments",
            "debe omitirse: un recibo de pago (tipo P) indica en payments las facturas que se pagan"
        );
        faults.push(FieldFault::new("orderIds", problem));
    }
    let is_sale = matches!(kind, DocumentType::Income | DocumentType::Credit);
    if !is_sale && gives(fields.local_taxes.as_ref().map(Vec::len)) {
        let problem = message!(
            "must be omitted: only income invoices and credit notes (types I and E) have local taxes",
            "debe omitirse: solo las facturas de ingreso y las notas de crédito (tipos I y E) llevan impuestos locales"
        );
        faults.push(FieldFault::new("localTaxes", problem));
    }
    faults.extend(currency_fault(kind, fields.currency));
    if kind == DocumentType::Transfer {
        let items = fields.items.iter().flatten().enumerate();
        faults.extend(items.filter_map(|(index, item)| taxes_fault(index, item)));
    }
    faults
}

/// The tickets of a global invoice are stated with their taxes, and it has no complement (SAT's guide for global invoices).
pub(crate) fn local_taxes_of_a_period(draft: &Draft) -> Option<FieldFault> {
    let is_misplaced = draft.global.is_some() && !draft.local_taxes.is_empty();
    let problem = message!(
        "must be omitted: a global invoice has no local taxes",
        "debe omitirse: una factura global no lleva impuestos locales"
    );
    is_misplaced.then(|| FieldFault::new("localTaxes", problem))
}

/// Receipts and transfers of goods are in no currency (`XXX`); they are shown in the usual one.
fn currency_fault(kind: DocumentType, currency: Option<Currency>) -> Option<FieldFault> {
    currency.filter(|currency| *currency != Currency::MXN)?;
    let problem = match kind {
        DocumentType::Income | DocumentType::Credit => return None,
        DocumentType::Payment => message!(
            "must be omitted: give the currency of each of the payments instead",
            "debe omitirse: indicar la moneda en cada uno de los pagos"
        ),
        DocumentType::Transfer => message!(
            "must be omitted: transfers of goods (type T) have no currency",
            "debe omitirse: los comprobantes de traslado (tipo T) no llevan moneda"
        ),
    };
    Some(FieldFault::new("currency", problem))
}

fn taxes_fault(index: usize, item: &ItemFields) -> Option<FieldFault> {
    item.taxes.as_ref().filter(|taxes| !taxes.is_empty())?;
    let problem = message!(
        "must be omitted: transfers of goods (type T) have no taxes",
        "debe omitirse: los comprobantes de traslado (tipo T) no llevan impuestos"
    );
    Some(FieldFault::new(format!("items[{index}].taxes"), problem))
}
