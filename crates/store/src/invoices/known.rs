//! What the account has of the things that the fields of a draft name.

mod debts;

use std::collections::{BTreeSet, HashMap};

use ::invoices::{
    CustomerId, Draft, DraftPaid, Fields, Holders, Invoice, InvoiceError, InvoiceId, IssuerId,
    Known, KnownCustomer, KnownProduct, OrderId, PaidInvoice, ProductId, branch,
    issuer::{self, of_draft},
    sales::{SoldItem, SoldOrder, SoldShipping},
    withheld,
};
use cfdi::{document::DocumentType, pricing::Kept};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Refused};

use super::{branches, holders, issuers, provider, rows};
use crate::{
    catalog::product_rates,
    crm::{customer_by_id, customer_kept},
    db::Db,
    error::Failure,
    orders::orders_by_key,
    payments,
    rows::{currency, decimals, read},
    schema::products::{self, dsl},
    tx::Tx,
};
use debts::credited;
pub(super) use debts::{Named, creditable, debts, debts_beside, named};

/// How what a draft names is read.
enum Reach<'a, 'b> {
    /// So that it stays until the end of the transaction.
    Keeping(&'a mut Tx<'b>),
    /// As it is seen.
    Seeing(&'a mut Db),
}

impl Reach<'_, '_> {
    fn db(&mut self) -> &mut Db {
        match self {
            Self::Keeping(tx) => &mut *tx.db,
            Self::Seeing(db) => db,
        }
    }

    /// Whether an issuer is there.
    fn issuer(&mut self, account: AccountId, id: IssuerId) -> QueryResult<bool> {
        match self {
            Self::Keeping(tx) => issuers::keep(tx, account, id),
            // It was read just now.
            Self::Seeing(_) => Ok(true),
        }
    }

    fn customer(
        &mut self,
        account: AccountId,
        id: CustomerId,
    ) -> QueryResult<Option<KnownCustomer>> {
        match self {
            Self::Keeping(tx) => customer(tx, account, id),
            Self::Seeing(db) => {
                let customer =
                    customer_by_id(db, account, crm::CustomerId::from_u128(id.to_u128()));
                Ok(customer?.as_ref().map(KnownCustomer::from))
            }
        }
    }

    fn holders(
        &mut self,
        account: AccountId,
        orders: impl IntoIterator<Item = OrderId>,
    ) -> QueryResult<Holders> {
        match self {
            Self::Keeping(tx) => holders::load(tx, account, orders),
            Self::Seeing(db) => holders::seen(db, account, orders),
        }
    }
}

/// Loads it, for a new draft, for one that is changed, or for a copy of another.
pub(super) fn load(
    tx: &mut Tx<'_>,
    account: AccountId,
    (kind, fields): (DocumentType, &Fields),
    before: Option<&Invoice>,
) -> Result<Known, Failure<InvoiceError>> {
    gathered(&mut Reach::Keeping(tx), account, (kind, fields), before)
}

/// The same for a draft that is only looked at.
pub(super) fn seen(
    db: &mut Db,
    account: AccountId,
    (kind, fields): (DocumentType, &Fields),
    before: Option<&Invoice>,
) -> Result<Known, Failure<InvoiceError>> {
    gathered(&mut Reach::Seeing(db), account, (kind, fields), before)
}

fn gathered(
    reach: &mut Reach<'_, '_>,
    account: AccountId,
    (kind, fields): (DocumentType, &Fields),
    before: Option<&Invoice>,
) -> Result<Known, Failure<InvoiceError>> {
    let draft = before.map(|before| &before.draft);
    let issuers = issuers::all(reach.db(), account)?;
    if issuers.is_empty() {
        return Err(Refused::Rule(InvoiceError::NoIssuer).into());
    }
    // What taxes its items bear tells what of them whoever it is made out to anew withholds.
    let readdressed = draft.filter(|draft| withheld::may_turn(draft, fields));
    let restated = draft.filter(|draft| withheld::may_restate(draft, fields));
    let billed = fields.orders.as_ref().or(restated.map(|draft| &draft.orders));
    let orders = orders(reach.db(), account, billed.map(Vec::as_slice).unwrap_or_default())?;
    let given = fields.items.iter().flatten().filter_map(|item| item.product);
    let made = readdressed.into_iter().flat_map(|draft| &draft.items);
    let named = given.chain(made.filter_map(|item| item.product));
    let ordered = orders.values().flat_map(|order| &order.items).map(|item| item.product);
    let products: BTreeSet<ProductId> = named.chain(ordered).collect();
    // Several orders are those of the public: nobody's tax data is asked for.
    let ordering = orders.values().filter(|_| orders.len() == 1).map(|order| order.customer);
    let customers = ordering.chain(fields.customer.flatten());
    let customers: BTreeSet<CustomerId> = customers.collect();
    let paid = fields.payments.iter().flatten().flat_map(|payment| &payment.documents);
    let paid = paid.filter_map(|paid| match &paid.invoice {
        PaidInvoice::Own(id) => Some(*id),
        PaidInvoice::External(_) => None,
    });
    let paid = paid.chain(draft.into_iter().flat_map(Draft::paid_invoices));
    let related = fields.related.iter().chain(draft.map(|draft| &draft.related));
    let related = related.flatten().flat_map(|relation| relation.uuids.iter().map(String::as_str));
    let payments = fields.payments.iter().chain(draft.map(|draft| &draft.payments)).flatten();
    let external = payments.flat_map(|payment| &payment.documents).filter_map(external_uuid);
    let related = by_uuids(reach.db(), account, related.chain(external))?;
    let paid = by_ids(reach.db(), account, paid)?;
    let branch = fields.branch.unwrap_or_else(|| draft.and_then(|draft| draft.branch));
    let branch = match branch {
        Some(branch) => branches::one(reach.db(), account, branch)?,
        None => None,
    };
    let referred = || referred(fields, &paid, &related);
    let issuer = of_draft(&issuers, fields, (before, branch.as_ref()), referred())?;
    let of_paper = match before {
        None => branch::of_paper(kind, fields, referred()),
        Some(_) => None,
    };
    let branch = match of_paper {
        // It may have come to another issuer since.
        Some(id) => branches::one(reach.db(), account, id)?
            .filter(|branch| branch.issuer.is_none_or(|its| its == issuer.id)),
        None => branch,
    };
    if !reach.issuer(account, issuer.id)? {
        return Err(issuer::unknown().into());
    }
    let held = fields.orders.iter().chain(draft.map(|draft| &draft.orders)).flatten();
    let former = draft.and_then(|draft| issuer::named(&issuers, Some(draft.issuer?))).cloned();
    Ok(Known {
        former: former.filter(|former| former.id != issuer.id),
        issuer,
        branch,
        provider: provider::choice(reach.db(), account)?.kind,
        customers: customers_of(reach, account, customers)?,
        products: products_of(reach.db(), account, &products)?,
        orders,
        paid,
        credited: credited(reach.db(), account, related.values())?,
        related,
        holders: reach.holders(account, held.copied())?,
        issuers,
    })
}

/// The own invoices that fields refer to, in their order: what is paid first.
fn referred<'a>(
    fields: &'a Fields,
    paid: &'a HashMap<InvoiceId, Invoice>,
    related: &'a HashMap<String, Invoice>,
) -> impl Iterator<Item = &'a Invoice> {
    let documents = fields.payments.iter().flatten().flat_map(|payment| &payment.documents);
    let payments = documents.filter_map(|document| match &document.invoice {
        PaidInvoice::Own(id) => paid.get(id),
        PaidInvoice::External(_) => None,
    });
    let uuids = fields.related.iter().flatten().flat_map(|relation| &relation.uuids);
    payments.chain(uuids.filter_map(|uuid| related.get(uuid)))
}

fn external_uuid(paid: &DraftPaid) -> Option<&str> {
    match &paid.invoice {
        PaidInvoice::Own(_) => None,
        PaidInvoice::External(owed) => Some(&owed.uuid),
    }
}

fn orders(
    db: &mut Db,
    account: AccountId,
    ids: &[OrderId],
) -> QueryResult<HashMap<OrderId, SoldOrder>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let keys: Vec<_> = ids.iter().map(|id| (account.to_string(), id.to_string())).collect();
    let found = orders_by_key(db, &keys)?;
    let mut orders = HashMap::new();
    for order in found.into_values() {
        let order = order?;
        let id = OrderId::from_u128(order.id.to_u128());
        // Several are those of the public, whose payments are told together.
        let form = match ids {
            [_] => payments::form_of_order(db, account, order.id)?,
            _ => None,
        };
        orders.insert(id, sold(order, form));
    }
    Ok(orders)
}

/// Whether the orders of a draft bear withheld taxes, if it [may lack](withheld::may_lack) them.
pub(super) fn bears_withheld(db: &mut Db, account: AccountId, draft: &Draft) -> QueryResult<bool> {
    if !withheld::may_lack(draft) {
        return Ok(false);
    }
    let keys: Vec<_> =
        draft.orders.iter().map(|id| (account.to_string(), id.to_string())).collect();
    for order in orders_by_key(db, &keys)?.into_values() {
        let order = order?;
        if order.amount_charged_net() < order.amount_charged() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn sold(order: ::orders::Order, payment_form: Option<String>) -> SoldOrder {
    let is_paid = order.amount_due() == Amount::ZERO;
    let (is_refunded, withheld) = (order.is_given_back(), order.withheld_kept());
    let (left, charged) = (order.left(), order.amount_charged());
    let item = |item: ::orders::Item| SoldItem {
        discount: item.taken_off(),
        quantity: item.ordered().amount(),
        product: ProductId::from_u128(item.sold.product.to_u128()),
        name: item.name,
        sku: item.sku,
        unit_price: item.unit_price,
        tax_included: item.tax_included,
        taxes: item.taxes,
    };
    let shipping = |shipping: ::orders::Shipping| SoldShipping {
        name: shipping.name,
        amount: shipping.amount,
        taxes: shipping.taxes,
    };
    let whole = SoldOrder {
        number: ::orders::number_text(order.number),
        customer: CustomerId::from_u128(order.customer.to_u128()),
        currency: order.currency,
        is_cancelled: order.status == ::orders::OrderStatus::Cancelled,
        is_refunded,
        items: order.items.into_iter().map(item).collect(),
        shipping: order.shipping.map(shipping),
        total: order.total,
        is_paid,
        withheld,
        payment_form,
    };
    let Some(left) = left else { return whole };
    let lines: Vec<Kept> = left.lines.iter().map(::orders::LeftLine::kept).collect();
    whole.less_returned(&lines, left.shipping, charged)
}

/// Customers that an invoice is going to name.
fn customers_of(
    reach: &mut Reach<'_, '_>,
    account: AccountId,
    ids: BTreeSet<CustomerId>,
) -> QueryResult<HashMap<CustomerId, KnownCustomer>> {
    let mut known = HashMap::new();
    for id in ids {
        known.extend(reach.customer(account, id)?.map(|customer| (id, customer)));
    }
    Ok(known)
}

/// One such customer, who stays until the invoice is on record.
pub(super) fn customer(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: CustomerId,
) -> QueryResult<Option<KnownCustomer>> {
    let customer = customer_kept(tx, account, crm::CustomerId::from_u128(id.to_u128()))?;
    Ok(customer.as_ref().map(KnownCustomer::from))
}

type ProductRow = (
    String,
    String,
    String,
    i64,
    String,
    bool,
    Option<String>,
    Option<String>,
    Option<String>,
    i64,
    String,
);

/// Deleted ones too: what was sold is still to be invoiced.
fn products_of(
    db: &mut Db,
    account: AccountId,
    ids: &BTreeSet<ProductId>,
) -> QueryResult<HashMap<ProductId, KnownProduct>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let rows: Vec<ProductRow> = products::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq_any(ids))
        .select((
            dsl::id,
            dsl::name,
            dsl::sku,
            dsl::price,
            dsl::currency,
            dsl::tax_included,
            dsl::sat_product_key,
            dsl::sat_unit_key,
            dsl::unit,
            dsl::quantity_decimals,
            dsl::taxes,
        ))
        .load(db)?;
    let known = |row: ProductRow| {
        let (id, name, sku, price, code, tax_included, product_key, unit_key, unit, count, taxes) =
            row;
        let product = KnownProduct {
            name,
            sku,
            price: Amount::from_micros(price),
            currency: currency(&code)?,
            tax_included,
            sat_product_key: product_key,
            sat_unit_key: unit_key,
            unit,
            is_weighed: !decimals(count)?.is_zero(),
            taxes: product_rates(&taxes)?,
        };
        Ok((read(&id, ProductId::parse)?, product))
    };
    rows.into_iter().map(known).collect()
}

fn by_ids(
    db: &mut Db,
    account: AccountId,
    ids: impl Iterator<Item = InvoiceId>,
) -> QueryResult<HashMap<InvoiceId, Invoice>> {
    let ids: BTreeSet<InvoiceId> = ids.collect();
    let found = ids.into_iter().map(|id| Ok(rows::by_id(db, account, id)?.map(|one| (id, one))));
    let found: QueryResult<Vec<_>> = found.collect();
    Ok(found?.into_iter().flatten().collect())
}

fn by_uuids<'a>(
    db: &mut Db,
    account: AccountId,
    uuids: impl Iterator<Item = &'a str>,
) -> QueryResult<HashMap<String, Invoice>> {
    let mut known = HashMap::new();
    for uuid in uuids {
        if let Some(invoice) = rows::by_uuid(db, account, uuid)? {
            known.insert(uuid.to_owned(), invoice);
        }
    }
    Ok(known)
}
