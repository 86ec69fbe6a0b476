//! What an invoice belongs with: the orders that it bills, and the documents that it refers to or that refer to it.

use invoices::{
    Invoice, InvoiceFilter, InvoiceQuery, Status, credit_notes,
    references::{PAID, REPLACES, Reference, references},
};
use kernel::Amount;

use super::{
    WRITE,
    cancel::{Living, documents, relation_name},
    detail::place,
    names::{number, told_amount},
};
use crate::{
    call::{Call, Member},
    failure::Failure,
    pages::linked::order_numbers,
    parts::Link,
    reply::answered,
    texts::Say,
};

/// How many of the orders of an invoice it leads to: a global one may bill thousands.
const ORDERS_MAX: usize = 20;
/// How many of the documents that it refers to it names.
const REFERENCES_MAX: usize = 50;

/// The invoice whose place a stamped one has taken, while it is still to be cancelled: where that is done.
pub(super) async fn replaced(
    call: &Call<Member>,
    invoice: &Invoice,
) -> Result<Option<Link>, Failure> {
    let relation = invoice.document.related.iter().find(|one| one.relation == REPLACES);
    let former = relation.and_then(|relation| relation.uuids.first());
    let (Some(former), Some(uuid), true) = (former, invoice.uuid(), call.may(WRITE)) else {
        return Ok(None);
    };
    let filter = InvoiceFilter { uuid: Some(former.clone()), ..InvoiceFilter::default() };
    let query = InvoiceQuery { filter, ..InvoiceQuery::default() };
    let listed = answered(call.services().invoices.list(call.account(), query)).await?;
    let former = listed.items.iter().find(|one| one.status == Status::Stamped);
    Ok(former.map(|former| {
        let cancel = place(call, former.id, "cancel");
        let label = call.say().cancel_replaced(&number(call.say(), former));
        Link::new(label, format!("{cancel}?reason=01&replacementUuid={uuid}"))
    }))
}

/// What refers to an invoice: credit notes and receipts of payments, drafts among them, and what has taken its place.
#[derive(Default)]
pub(super) struct Referring {
    pub(super) documents: Vec<Living>,
    /// What drafts of credit notes would take off what is owed of it.
    pub(super) to_be_credited: Option<String>,
}

pub(super) async fn referring(
    call: &Call<Member>,
    invoice: &Invoice,
) -> Result<Referring, Failure> {
    if invoice.uuid().is_none() {
        return Ok(Referring::default());
    }
    let referrers = call.services().invoices.referrers(call.account(), invoice);
    let referrers = answered(referrers).await?;
    let drafted = credit_notes::drafted(invoice, &referrers);
    Ok(Referring {
        documents: documents(call, &referrers),
        to_be_credited: (drafted > Amount::ZERO).then(|| told_amount(invoice, drafted)),
    })
}

/// To what it refers but for what it receipts the payment of, which stands in its lines.
pub(super) fn refers_to(call: &Call<Member>, invoice: &Invoice) -> Vec<(String, Link)> {
    let known = references(&invoice.document).into_iter();
    let known = known.filter(|reference| reference.relation != PAID).take(REFERENCES_MAX);
    let told = |reference: Reference| {
        let link = Link::new(reference.uuid.clone(), folio_place(call, &reference.uuid));
        (relation_name(&reference.relation), link)
    };
    known.map(told).collect()
}

/// Where the invoice of a fiscal folio is found, if it is one of ours.
pub(super) fn folio_place(call: &Call<Member>, uuid: &str) -> String {
    format!("{}?q={uuid}", call.href("search"))
}

/// To the orders that it bills, of which the first few are named.
pub(super) async fn orders(call: &Call<Member>, invoice: &Invoice) -> Result<Vec<Link>, Failure> {
    let billed = || invoice.draft.orders.iter().take(ORDERS_MAX);
    let numbers = order_numbers(call, billed().map(|id| id.to_u128())).await?;
    let link = |id: &invoices::OrderId| {
        let number = numbers.get(&id.to_u128())?;
        Some(Link::new(number.clone(), format!("{}/{id}", call.href("orders"))))
    };
    Ok(billed().filter_map(link).collect())
}

pub(super) fn more_orders(say: Say, invoice: &Invoice) -> Option<String> {
    let more = invoice.draft.orders.len().saturating_sub(ORDERS_MAX);
    (more > 0).then(|| say.and_more(more))
}
