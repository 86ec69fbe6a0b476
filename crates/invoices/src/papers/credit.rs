//! Credit notes of refunds, and of what was never paid, of goods that came back or of cancelled orders: of exactly what was given
//! back, tax by tax.

use cfdi::{
    decimal,
    document::{Document, DocumentType, PaymentMethod, Receiver, Relation, is_generic},
    pricing::{Stated, priced, step},
    tax::TaxRate,
    totals::Totals,
};
use kernel::{Amount, Currency, FieldFault, Refused, Timestamp, message};

use super::{
    TaxSet,
    goods::WAIVED,
    share::{alone, by_sets, left, sets},
    tiers::{Tiers, less},
    with_lacks,
};
use crate::{
    Draft, Fields, Invoice, InvoiceError, InvoiceId, ItemFields, Known, NewInvoice, OrderId,
    RefundId, ReturnId, Status, credit_notes, drafting, drafting::Created,
};

/// The key of credit notes in SAT's guide: billing services.
const BILLING: &str = "84111506";
/// An activity (c_ClaveUnidad).
const ACTIVITY: &str = "ACT";
/// The relations of a return of goods, and of a credit note of anything else (c_TipoRelacion).
const RETURN: &str = "03";
const DISCOUNT: &str = "01";
/// How often the items are moved until their total, taxes withheld and local ones included, is what was given back.
const TRIES_MAX: usize = 8;
const ONE: Amount = Amount::from_micros(1_000_000);

/// Money given back of what was invoiced, or what of it was never paid: goods that came back, or all that was left of an order
/// that was cancelled.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenBack {
    /// The refund, where it is money.
    pub refund: Option<RefundId>,
    /// The return, where it is goods that were never paid.
    pub goods: Option<ReturnId>,
    /// The order, where it is what was never paid of a cancelled one.
    pub cancelled_order: Option<OrderId>,
    /// How much.
    pub amount: Amount,
    /// Its currency.
    pub currency: Currency,
    /// How it was paid and given back, a code of c_FormaPago; none where nobody has told.
    pub payment_form: Option<String>,
    /// The number of its order where a global invoice has it as one ticket among others.
    pub ticket: Option<String>,
    /// What came back of it, by the taxes of the lines, if it is for goods that did or never left.
    pub returned: Option<Vec<(Vec<TaxRate>, Amount)>>,
    /// What is left of its order then, in the same way.
    pub kept: Vec<(Vec<TaxRate>, Amount)>,
    /// Whether what is given back beyond what came back is a discount on what is kept.
    pub discounts_kept: bool,
}

/// The fields that say what a credit note of an invoice refers to; its items follow with [`credit_note`].
#[must_use]
pub fn fields(given: &GivenBack, invoice: &Invoice) -> Fields {
    let relation = if given.returned.is_some() { RETURN } else { DISCOUNT };
    let stated = invoice.document.payment_form.clone().filter(|form| form != super::UNTOLD);
    Fields {
        issuer: invoice.draft.issuer,
        related: Some(vec![related(invoice, relation)]),
        payment_form: given.payment_form.clone().or(stated).map(Some),
        payment_method: Some(Some(PaymentMethod::Pue)),
        currency: invoice.document.currency,
        exchange_rate: Some(invoice.document.exchange_rate),
        ..Fields::default()
    }
}

fn related(invoice: &Invoice, relation: &str) -> Relation {
    let uuids = invoice.uuid().map(str::to_owned).into_iter().collect();
    Relation { relation: relation.to_owned(), uuids }
}

/// A credit note of all of an invoice, tax by tax, to be corrected to what is credited. The customer is not named, who may be
/// there no more. Of an invoice to be paid later (PPD) it waives what is owed where nothing was paid of it, neither with a
/// receipt nor, by `is_receipt_due`, without one yet.
#[must_use]
pub fn whole_credit_note(invoice: &Invoice, is_receipt_due: bool) -> NewInvoice {
    let document = &invoice.document;
    let stated = document.payment_form.clone().filter(|form| form != super::UNTOLD);
    let is_unpaid = document.payment_method == Some(PaymentMethod::Ppd)
        && invoice.installments == 0
        && !is_receipt_due;
    let form = stated.or_else(|| is_unpaid.then(|| WAIVED.to_owned()));
    // The use follows from the regime: that of credit notes is another one.
    let mut receiver = Receiver { cfdi_use: String::new(), ..document.receiver.clone() };
    if is_generic(&receiver.rfc) {
        // That of the place of issue, which may be another by now.
        receiver.tax_zip = String::new();
    }
    let fields = Fields {
        issuer: invoice.draft.issuer,
        receiver: Some(receiver),
        items: Some(whole_items(document)),
        local_taxes: Some(invoice.draft.local_taxes.clone()),
        related: Some(vec![related(invoice, DISCOUNT)]),
        payment_form: Some(form),
        payment_method: Some(Some(PaymentMethod::Pue)),
        currency: document.currency,
        exchange_rate: Some(document.exchange_rate),
        ..Fields::default()
    };
    NewInvoice { kind: DocumentType::Credit, fields, is_to_stamp: false }
}

/// All of a document, set by set; where rounding wants it, with its discounts apart, or line by line.
fn whole_items(document: &Document) -> Vec<ItemFields> {
    let decimals = document.decimals();
    let lines: Vec<TaxSet> = document.items.iter().map(alone).collect();
    let whole = sets(document, None);
    let stated = |sets: &[TaxSet], is_apart: bool| -> Vec<ItemFields> {
        let sold = sets.iter().filter(|set| set.gross > Amount::ZERO);
        sold.map(|set| whole_item(set, is_apart, false)).collect()
    };
    let wanted = Totals::of_items(&document.items, decimals).total;
    let mut ways = [stated(&whole, false), stated(&whole, true), stated(&lines, true)].into_iter();
    let met = ways.find(|items| total(items, decimals) == wanted);
    met.unwrap_or_else(|| stated(&whole, false))
}

/// What is paid for items that state all there is to price them by.
fn total(items: &[ItemFields], decimals: u32) -> Amount {
    let stated = items.iter().map(|item| Stated {
        quantity: item.quantity,
        unit_price: item.unit_price.unwrap_or_default(),
        discount: item.discount,
        tax_included: item.tax_included.unwrap_or(true),
        rates: item.taxes.as_deref().unwrap_or_default(),
    });
    priced(&stated.collect::<Vec<_>>(), decimals).sums.total()
}

/// Drafts the credit note of what was given back of an invoice, of which `notes` are the other living ones, drafts among
/// them.
///
/// # Errors
/// As [`drafting::create`]; also where the notes have not left so much of what was invoiced, or where no rounding meets
/// what was given back.
pub fn credit_note(
    given: &GivenBack,
    invoice: &Invoice,
    notes: &[Invoice],
    id: InvoiceId,
    known: &Known,
    now: Timestamp,
) -> Result<Created, Refused<InvoiceError>> {
    let whole = sets(&invoice.document, given.ticket.as_deref());
    let rest = left(&whole, notes.iter().map(|note| &note.document));
    let came_back = given.returned.as_deref().map(|returned| by_sets(&whole, returned));
    let kept = by_sets(&whole, &given.kept);
    let tiers = Tiers::of(&rest, came_back.as_deref(), &kept);
    let decimals = invoice.document.decimals();
    let step = Amount::from_micros(step(decimals));
    let most = rounded_off(&invoice.totals(), whole.len(), notes.len() + 1, step);
    let gross_in = |tiers: &Tiers| tiers.gross_for(given.amount, &invoice.totals(), &whole);
    let goods = tiers.goods_before(gross_in(&tiers), (most, step), decimals);
    let goods = goods.filter(|_| given.discounts_kept);
    let local_taxes = Some(invoice.draft.local_taxes.clone());
    let mut base = Fields { local_taxes, ..fields(given, invoice) };
    if goods.is_some() {
        base.related = Some(vec![related(invoice, RETURN), related(invoice, DISCOUNT)]);
    }
    let is_all = notes.is_empty()
        && goods.is_none()
        && given.ticket.is_none()
        && given.amount == invoice.totals().total;
    let drafted = |items| {
        let fields = Fields { items: Some(items), ..base.clone() };
        let command = NewInvoice { kind: DocumentType::Credit, fields, is_to_stamp: false };
        let mut created = drafting::create(&command, id, known, now)?;
        (created.invoice.draft.refund, created.invoice.draft.goods) = (given.refund, given.goods);
        created.invoice.draft.cancelled_order = given.cancelled_order;
        Ok::<_, Refused<InvoiceError>>(created)
    };
    let is_return = given.returned.is_some();
    // All of it is what it was, to the last tax; where rounding wants it, with its discounts apart, or line by line.
    let lines: Vec<TaxSet> = invoice.document.items.iter().map(alone).collect();
    for (sets, is_apart) in [(&whole, false), (&whole, true), (&lines, true)] {
        let given_back = sets.iter().filter(|set| is_all && set.gross > Amount::ZERO);
        let items: Vec<ItemFields> =
            given_back.map(|set| whole_item(set, is_apart, is_return)).collect();
        if !items.is_empty()
            && let Ok(created) = drafted(items)
            && is_same(&created.invoice.totals(), &invoice.totals())
        {
            return Ok(with_lacks(created, now));
        }
    }
    let tiers = if goods.is_some() { tiers.discounting() } else { tiers };
    let all = tiers.total();
    let mut gross = gross_in(&tiers).rounded(decimals);
    if all > Amount::ZERO {
        // Rounding may make it more than what is left.
        gross = gross.min(all);
    }
    let noted = |parts: &[Amount]| {
        drafted(match &goods {
            Some(goods) => {
                let mut items = part_items(&whole, goods, true);
                items.extend(part_items(&whole, &less(parts, goods), false));
                items
            }
            None => part_items(&whole, parts, is_return),
        })
    };
    let (mut refused, mut tried) = (None, Vec::new());
    for _ in 0..TRIES_MAX {
        let parts = tiers.widened(gross, (most, step)).shared(gross, decimals);
        let parts = parts.ok_or_else(|| exceeds((gross, all), given.currency))?;
        match noted(&parts) {
            Ok(created) => {
                let total = created.invoice.totals().total;
                if total == given.amount {
                    return Ok(with_lacks(created, now));
                }
                gross = decimal::sum([gross, decimal::less(given.amount, total)]);
            }
            // It may be a cent more than is left of the invoice, and is then less at the next try.
            Err(error) => {
                gross = decimal::less(gross, step);
                refused = refused.or(Some(error));
            }
        }
        tried = parts;
    }
    if let Some(error) = refused {
        return Err(error);
    }
    // With a cent more, two more may be paid of several sets, which are shared and rounded anew: then one of them is moved alone.
    for parts in moved(&tried, step) {
        if let Ok(created) = noted(&parts)
            && created.invoice.totals().total == given.amount
        {
            return Ok(with_lacks(created, now));
        }
    }
    let amount = given.amount;
    let problem = message!(
        "cannot be rounded so that the total is {amount}: make the credit note yourself",
        "no se pueden redondear de modo que el total sea {amount}: hacer la nota de crédito a mano"
    );
    Err(Refused::Invalid(vec![FieldFault::new("items", problem)]))
}

/// By how much what is sold may be off in so many credit notes of so many sets together, each of which meets what was given
/// back once taxes are withheld: these are rounded in each of them. Nothing where none are.
pub(super) fn rounded_off(totals: &Totals, sets: usize, notes: usize, step: Amount) -> Amount {
    let taxes = totals.withheld.len() + sets;
    let steps = i64::try_from(notes.saturating_mul(taxes)).unwrap_or(i64::MAX);
    let is_plain = totals.withheld.is_empty() && totals.local_charged == totals.local_withheld;
    if is_plain { Amount::ZERO } else { Amount::from_micros(step.micros().saturating_mul(steps)) }
}

/// The same parts with one of them moved by a step or two.
fn moved(parts: &[Amount], step: Amount) -> impl Iterator<Item = Vec<Amount>> {
    let places = parts.iter().enumerate().filter(|(_, part)| **part > Amount::ZERO);
    places.flat_map(move |(place, _)| {
        [-2, -1, 1, 2].into_iter().map(move |steps| {
            let by = Amount::from_micros(step.micros().saturating_mul(steps));
            let mut moved = parts.to_vec();
            if let Some(part) = moved.get_mut(place) {
                *part = decimal::sum([*part, by]);
            }
            moved
        })
    })
}

/// Why there is no credit note of more than is left of an invoice.
#[must_use]
pub fn exceeds((amount, left): (Amount, Amount), currency: Currency) -> Refused<InvoiceError> {
    let [amount, left] = [amount, left].map(|sum| decimal::digits(sum, currency.decimals()));
    let problem = message!(
        "add up to {amount}, but only {left} is left of what is credited (credit_exceeds_invoice)",
        "suman {amount}, pero solo quedan {left} por acreditar (credit_exceeds_invoice)"
    );
    Refused::Invalid(vec![FieldFault::new("items", problem)])
}

fn is_same(own: &Totals, theirs: &Totals) -> bool {
    let net =
        |totals: &Totals| decimal::less(totals.sub_total, totals.discount.unwrap_or_default());
    let taxes = |totals: &Totals| -> Vec<(TaxRate, Amount)> {
        totals.transferred.iter().map(|tax| (tax.rate, tax.amount)).collect()
    };
    own.total == theirs.total
        && net(own) == net(theirs)
        && taxes(own) == taxes(theirs)
        && own.withheld == theirs.withheld
}

/// All of a set, at what it was before taxes, with its discounts apart or taken off.
fn whole_item(set: &TaxSet, is_apart: bool, is_return: bool) -> ItemFields {
    let quantity = if set.is_by_unit() { set.units } else { ONE };
    let discount = Some(set.discount).filter(|discount| is_apart && *discount > Amount::ZERO);
    let off = if discount.is_some() { Amount::ZERO } else { set.discount };
    let unit_price = decimal::quotient(decimal::less(set.amount, off), quantity);
    let item = item(set, quantity, false, is_return);
    ItemFields { unit_price: Some(unit_price), discount, ..item }
}

/// So much of each set, with all taxes inside.
fn part_items(sets: &[TaxSet], parts: &[Amount], is_return: bool) -> Vec<ItemFields> {
    let sold = sets.iter().zip(parts).filter(|(_, part)| **part > Amount::ZERO);
    sold.map(|(set, part)| part_item(set, *part, is_return)).collect()
}

/// So much of a set, with all taxes inside.
fn part_item(set: &TaxSet, part: Amount, is_return: bool) -> ItemFields {
    let least = Amount::from_micros(1);
    let quantity = match set.is_by_unit() {
        true => decimal::share(set.units, part, set.gross).max(least),
        false => ONE,
    };
    let unit_price = decimal::quotient(part, quantity);
    ItemFields { unit_price: Some(unit_price), ..item(set, quantity, true, is_return) }
}

fn item(set: &TaxSet, quantity: Amount, tax_included: bool, is_return: bool) -> ItemFields {
    let description = match is_return {
        true => "Devolución de mercancías",
        false => "Devolución, descuento o bonificación",
    };
    ItemFields {
        sat_product_key: Some(BILLING.to_owned()),
        sat_unit_key: Some(ACTIVITY.to_owned()),
        description: Some(description.to_owned()),
        quantity,
        tax_included: Some(tax_included),
        tax_object: Some(set.tax_object.clone()),
        taxes: Some(set.taxes.clone()),
        ..ItemFields::default()
    }
}

/// What the credit note of a refund, or a draft of one, holds of the invoice that it lowers. One that takes the place of
/// another holds nothing: the other does until it is cancelled.
#[must_use]
pub fn held(note: &Invoice) -> Option<(&str, Amount)> {
    let Draft { refund, .. } = &note.draft;
    let is_first = note.draft.replaces().next().is_none();
    let is_living = note.status != Status::Cancelled && refund.is_some() && is_first;
    let uuid = credit_notes::lowered(&note.draft).next().filter(|_| is_living)?;
    Some((uuid, note.totals().total))
}
