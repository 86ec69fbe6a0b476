//! From a draft to the document that follows from it.

use std::collections::HashMap;

use cfdi::{
    catalogs::postal_codes,
    document::{Document, DocumentType, Item, Part, Receiver, ThirdParty},
    local_taxes::LocalTax,
    payments::{Equivalence, PaidDocument, Payment},
    pricing::{self, Amounts, Stated},
    tax::{Factor, ItemTax, TaxRate},
    totals::Totals,
};
use kernel::{Amount, FieldFault, Message, Timestamp, message, text::collapsed};

use crate::{
    Creditable, Draft, DraftItem, InvoiceId, Issuer, PaidInvoice, complements, credit_notes,
    draft::{DraftLocalTax, DraftPaid, DraftPayment, Owed, Place},
    one_issuer::Settled,
};

const ONE: Amount = Amount::from_micros(1_000_000);

/// What the own invoices amount to that a draft settles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Debts {
    /// What is owed of those that its payments pay.
    pub owed: HashMap<InvoiceId, Owed>,
    /// What is left of those that it lowers, in its order.
    pub creditable: Vec<Creditable>,
    /// Whether it lowers invoices that were issued elsewhere, too.
    pub lowers_others: bool,
    /// All of them, with who issued them.
    pub settled: Vec<Settled>,
}

/// The document that the draft of an invoice is at `now`. White space in its texts is collapsed, as SAT's schema does with it.
///
/// # Errors
/// What keeps it from being one: an unknown place of issue, an invoice that is not owed, a credit note of more than is
/// left of what it credits.
pub fn build(
    draft: &Draft,
    issuer: &Issuer,
    (id, folio): (InvoiceId, Option<u64>),
    debts: &Debts,
    now: Timestamp,
) -> Result<Document, Vec<FieldFault>> {
    let place = draft.place_of_issue.as_ref().unwrap_or(&issuer.tax_zip);
    let Some(postal_code) = postal_codes::find(place) else {
        let problem = message!(
            "must be a postal code of SAT's catalog",
            "debe ser un código postal del catálogo del SAT"
        );
        return Err(vec![FieldFault::new("placeOfIssue", problem)]);
    };
    let zone = postal_code.zone();
    let is_sale = matches!(draft.kind, DocumentType::Income | DocumentType::Credit);
    let items = match draft.kind {
        DocumentType::Payment => vec![payment_item()],
        DocumentType::Income | DocumentType::Credit => priced(draft)?,
        // What is on the move is listed at its worth and adds up to nothing.
        DocumentType::Transfer => draft.items.iter().map(unpriced).collect(),
    };
    let payments = match draft.kind {
        DocumentType::Payment => payments(&draft.payments, debts, |moment| zone.local(moment))?,
        DocumentType::Income | DocumentType::Credit | DocumentType::Transfer => Vec::new(),
    };
    within_measure(&items, &payments)?;
    let local_taxes = if is_sale { local_taxes(draft, &items) } else { Vec::new() };
    let document = Document {
        kind: draft.kind,
        series: Some(draft.series.clone()),
        folio: folio.map(|folio| folio.to_string()),
        issued_at: zone.local(draft.issued_at.unwrap_or(now)),
        payment_form: draft.payment_form.clone(),
        payment_method: draft.payment_method,
        payment_terms: draft.payment_terms.as_deref().map(collapsed),
        currency: is_sale.then_some(draft.currency),
        exchange_rate: draft.exchange_rate,
        export: draft.export.clone(),
        place_of_issue: place.clone(),
        confirmation: draft.confirmation.clone(),
        global: draft.global.clone(),
        related: draft.related.clone(),
        issuer: cfdi::document::Issuer {
            rfc: issuer.rfc.clone(),
            legal_name: collapsed(&issuer.legal_name),
            tax_regime: issuer.tax_regime.clone(),
        },
        receiver: Receiver {
            legal_name: collapsed(&draft.receiver.legal_name),
            ..draft.receiver.clone()
        },
        items,
        local_taxes,
        payments,
        complements: complements::built(&draft.complements, id),
    };
    credit_notes::check(draft, &document, debts)?;
    Ok(document)
}

/// Taxes of states and municipalities with their amounts.
fn local_taxes(draft: &Draft, items: &[Item]) -> Vec<LocalTax> {
    if draft.local_taxes.is_empty() {
        return Vec::new();
    }
    let decimals = draft.currency.decimals();
    let Totals { sub_total, discount, .. } = Totals::of_items(items, decimals);
    let sold = cfdi::decimal::less(sub_total, discount.unwrap_or_default());
    let tax = |tax: &DraftLocalTax| {
        let (base, name) = (tax.base.unwrap_or(sold), collapsed(&tax.name));
        LocalTax::on(base, name, tax.rate, tax.withheld, decimals)
    };
    draft.local_taxes.iter().map(tax).collect()
}

/// Items with their amounts, which meet what is paid to the cent where prices have the taxes inside.
fn priced(draft: &Draft) -> Result<Vec<Item>, Vec<FieldFault>> {
    let (items, decimals) = (&draft.items, draft.currency.decimals());
    let wholes: Vec<Option<Vec<TaxRate>>> =
        items.iter().map(|item| taxes_of_one_sale(draft, item)).collect();
    let stated = items.iter().zip(&wholes).map(|(item, whole)| match whole {
        Some(taxes) => one_sale(item, taxes),
        None => stated(item, &item.taxes),
    });
    let priced = pricing::priced(&stated.collect::<Vec<_>>(), decimals);
    let (is_settled, paid) = (priced.is_settled(), priced.total);
    let amounts = items.iter().zip(&wholes).zip(priced.amounts);
    let stating = |((item, whole), amounts): ((&DraftItem, &Option<_>), Amounts)| match whole {
        Some(_) => stating_one_sale(item, amounts),
        None => stating(item, amounts),
    };
    let mut priced: Vec<Item> = amounts.map(stating).collect();
    within_measure(&priced, &[])?;
    if !is_settled {
        let problem = message!(
            "cannot be rounded so that their total is {paid}: give prices without taxes (taxIncluded false)",
            "no se pueden redondear de modo que su total sea {paid}: indicar precios sin impuestos (taxIncluded false)"
        );
        return Err(vec![FieldFault::new("items", problem)]);
    }
    if draft.kind == DocumentType::Income {
        priced.iter_mut().for_each(|item| give_away(item, decimals));
        within_measure(&priced, &[])?;
    }
    Ok(priced)
}

/// What its items state as withheld, all together.
pub(crate) fn withheld(draft: &Draft) -> Amount {
    let items: Vec<Stated<'_>> = draft.items.iter().map(|item| stated(item, &item.taxes)).collect();
    let sums = pricing::priced(&items, draft.currency.decimals()).sums;
    sums.total_withheld.unwrap_or_default()
}

/// The taxes of a sale of a global invoice that bears an amount per unit of several units, or of a part of one: an item there
/// is one sale (guide of the global invoice), so the amounts are those of all its units. `None` for any other item.
fn taxes_of_one_sale(draft: &Draft, item: &DraftItem) -> Option<Vec<TaxRate>> {
    let is_by_unit = item.taxes.iter().any(|rate| rate.factor == Factor::Cuota);
    let of_all = |rate: &TaxRate| match rate.factor {
        Factor::Cuota => {
            TaxRate { rate: cfdi::decimal::product(rate.rate, item.quantity), ..*rate }
        }
        Factor::Tasa | Factor::Exento => *rate,
    };
    let is_several = draft.global.is_some() && is_by_unit && item.quantity != ONE;
    is_several.then(|| item.taxes.iter().map(of_all).collect())
}

/// What is paid for all the units of an item, as one.
fn one_sale<'a>(item: &DraftItem, taxes: &'a [TaxRate]) -> Stated<'a> {
    let unit_price = stated(item, &[]).after_discount();
    Stated { quantity: ONE, unit_price, discount: None, ..stated(item, taxes) }
}

/// One sale as it is stated: its units are the base of the amount per unit.
fn stating_one_sale(item: &DraftItem, amounts: Amounts) -> Item {
    let by_unit = |(tax, rate): (ItemTax, &TaxRate)| match rate.factor {
        Factor::Cuota => ItemTax { rate: *rate, base: item.quantity, ..tax },
        Factor::Tasa | Factor::Exento => tax,
    };
    let stated = stating(item, amounts);
    let taxes = stated.taxes.into_iter().zip(&item.taxes).map(by_unit).collect();
    Item { quantity: ONE, taxes, ..stated }
}

/// States an item sold for nothing as SAT takes it: at a price (CFDI40166) with a discount of the same amount. No tax is
/// due on what is left (c_ObjetoImp `04`), for a tax needs a base (CFDI40174). The price of one that has none is the least that
/// the currency has, so that the sums stay what they were.
fn give_away(item: &mut Item, decimals: u32) {
    let is_taxed = item.taxes.iter().any(|tax| tax.amount != Amount::ZERO);
    if is_taxed || item.amount != item.discount.unwrap_or_default() {
        return;
    }
    if item.amount == Amount::ZERO {
        // Whole units of the currency, whatever the quantity: parts of them would move the rounded sums.
        let units = item.quantity.micros().saturating_add(999_999).div_euclid(1_000_000);
        item.amount = Amount::from_micros(units.saturating_mul(pricing::step(decimals)));
        item.unit_price = cfdi::decimal::quotient(item.amount, item.quantity);
        item.discount = Some(item.amount);
    }
    if !item.taxes.is_empty() && item.tax_object == "02" {
        "04".clone_into(&mut item.tax_object);
    }
    item.taxes.clear();
}

/// Refuses amounts beyond what the service can hold: they could be reckoned, and never be read again.
fn within_measure(items: &[Item], payments: &[Payment]) -> Result<(), Vec<FieldFault>> {
    let is_held =
        |amount: &Amount| (-Amount::MAX.micros()..=Amount::MAX.micros()).contains(&amount.micros());
    let mut faults = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let taxes = item.taxes.iter().flat_map(|tax| [tax.base, tax.amount]);
        let amounts = taxes.chain([item.amount, item.unit_price]).chain(item.discount);
        if !amounts.into_iter().all(|amount| is_held(&amount)) {
            faults.push(FieldFault::new(format!("items[{index}]"), TOO_LARGE));
        }
    }
    for (index, payment) in payments.iter().enumerate() {
        let taxes = payment.documents.iter().flat_map(|document| &document.taxes);
        let in_payment = cfdi::payments::taxes_of(payment);
        let amounts = taxes.chain(&in_payment).flat_map(|tax| [tax.base, tax.amount]);
        if !amounts.into_iter().all(|amount| is_held(&amount)) {
            faults.push(FieldFault::new(format!("payments[{index}]"), TOO_LARGE));
        }
    }
    let sum = cfdi::decimal::sum(items.iter().map(|item| item.amount));
    if faults.is_empty() && !is_held(&sum) {
        faults.push(FieldFault::new("items", TOO_LARGE));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

pub(crate) const TOO_LARGE: Message = Message::fixed(
    "must not amount to more than 1000000000000",
    "no debe sumar más de 1000000000000",
);

/// An item that amounts to nothing for its receiver: it bears no taxes.
fn unpriced(item: &DraftItem) -> Item {
    stating(item, stated(item, &[]).amounts())
}

/// What is sold as it is stated, with the taxes that it bears.
fn stated<'a>(item: &DraftItem, taxes: &'a [TaxRate]) -> Stated<'a> {
    Stated {
        quantity: item.quantity,
        unit_price: item.unit_price,
        discount: item.discount,
        tax_included: item.tax_included,
        rates: taxes,
    }
}

fn stating(item: &DraftItem, amounts: Amounts) -> Item {
    let usual_object = if amounts.taxes.is_empty() { "01" } else { "02" };
    Item {
        sat_product_key: item.sat_product_key.clone(),
        sku: item.sku.as_deref().map(collapsed),
        quantity: item.quantity,
        sat_unit_key: item.sat_unit_key.clone(),
        unit: item.unit.as_deref().map(collapsed),
        description: collapsed(&item.description),
        unit_price: amounts.unit_price,
        amount: amounts.amount,
        discount: amounts.discount,
        tax_object: item.tax_object.clone().unwrap_or_else(|| usual_object.to_owned()),
        taxes: amounts.taxes,
        third_party: item
            .third_party
            .as_ref()
            .map(|party| ThirdParty { legal_name: collapsed(&party.legal_name), ..party.clone() }),
        customs: item.customs.clone(),
        property_accounts: item.property_accounts.clone(),
        parts: item.parts.iter().map(part).collect(),
    }
}

fn part(part: &Part) -> Part {
    Part {
        sku: part.sku.as_deref().map(collapsed),
        unit: part.unit.as_deref().map(collapsed),
        description: collapsed(&part.description),
        ..part.clone()
    }
}

/// The one item of a receipt of payments (CRP20112 to CRP20123).
fn payment_item() -> Item {
    Item {
        sat_product_key: "84111506".to_owned(),
        sku: None,
        quantity: Amount::from_micros(1_000_000),
        sat_unit_key: "ACT".to_owned(),
        unit: None,
        description: "Pago".to_owned(),
        unit_price: Amount::ZERO,
        amount: Amount::ZERO,
        discount: None,
        tax_object: "01".to_owned(),
        taxes: Vec::new(),
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}

/// The payments with what is owed of each document before them. One document may be paid by several.
fn payments(
    drafts: &[DraftPayment],
    debts: &Debts,
    local: impl Fn(Timestamp) -> time::PrimitiveDateTime,
) -> Result<Vec<Payment>, Vec<FieldFault>> {
    let mut owed = debts.owed.clone();
    let (mut payments, mut faults) = (Vec::new(), Vec::new());
    for (index, draft) in drafts.iter().enumerate() {
        let mut documents = Vec::new();
        for (position, paid) in draft.documents.iter().enumerate() {
            match document(draft, paid, &mut owed) {
                Ok(document) => documents.push(document),
                Err((name, problem)) => {
                    let field = format!("payments[{index}].documents[{position}].{name}");
                    faults.push(FieldFault::new(field, problem));
                }
            }
        }
        payments.push(Payment {
            paid_at: local(draft.paid_at),
            payment_form: draft.payment_form.clone(),
            currency: draft.currency,
            exchange_rate: draft.exchange_rate,
            amount: draft.amount,
            operation: draft.operation.as_deref().map(collapsed),
            payer_account: draft.payer_account.clone(),
            payee_account: draft.payee_account.clone(),
            documents,
        });
    }
    if faults.is_empty() { Ok(payments) } else { Err(faults) }
}

type Problem = (&'static str, Message);

fn document(
    payment: &DraftPayment,
    paid: &DraftPaid,
    debts: &mut HashMap<InvoiceId, Owed>,
) -> Result<PaidDocument, Problem> {
    let owed = match &paid.invoice {
        PaidInvoice::External(owed) => owed.as_ref().clone(),
        PaidInvoice::Own(id) => {
            let nothing = || {
                let problem = message!(
                    "names an invoice of which nothing is owed",
                    "corresponde a una factura sin saldo pendiente"
                );
                ("invoiceId", problem)
            };
            let owed = debts.get_mut(id).ok_or_else(nothing)?;
            let before = owed.clone();
            owed.balance = cfdi::decimal::less(owed.balance, paid.amount);
            owed.installments += 1;
            owed.place = None;
            before
        }
    };
    let Place { installment, balance_before, most } = owed.place.unwrap_or(Place {
        installment: owed.installments + 1,
        balance_before: owed.balance,
        most: owed.balance,
    });
    if paid.amount > most {
        let problem = message!(
            "must be at most {most}, what is owed of the invoice",
            "debe ser a lo más {most}, el saldo pendiente de la factura"
        );
        return Err(("amount", problem));
    }
    let equivalence = equivalence(payment, paid, &owed)?;
    let taxes = PaidDocument::proportional(&owed.taxes, paid.amount, owed.total);
    let usual_object = if taxes.is_empty() { "01" } else { "02" };
    Ok(PaidDocument {
        uuid: owed.uuid,
        series: owed.series,
        folio: owed.folio,
        currency: owed.currency,
        equivalence,
        installment,
        balance_before,
        amount: paid.amount,
        tax_object: owed.tax_object.unwrap_or_else(|| usual_object.to_owned()),
        taxes,
    })
}

/// Units of the document's currency for one of the payment's. A payment of one document is that document's
/// amount; of several in another currency each needs to be told.
fn equivalence(
    payment: &DraftPayment,
    paid: &DraftPaid,
    owed: &Owed,
) -> Result<Equivalence, Problem> {
    if owed.currency == payment.currency {
        return Ok(Equivalence::ONE);
    }
    let alone = payment.documents.len() == 1;
    let amount = paid.payment_amount.or(alone.then_some(payment.amount));
    amount.and_then(|amount| Equivalence::of(paid.amount, amount)).ok_or_else(|| {
        let (paid_in, owed_in) = (payment.currency, owed.currency);
        let problem = message!(
            "must be what is paid of this invoice in {paid_in}, above zero: its currency is {owed_in}",
            "debe ser lo que se paga de esta factura en {paid_in}, mayor que cero: su moneda es {owed_in}"
        );
        ("paymentAmount", problem)
    })
}
