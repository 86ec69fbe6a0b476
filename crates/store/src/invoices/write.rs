//! Drafts: made, changed, deleted, copied.

use ::invoices::{
    Cancellation, CancellationStatus, CopyInvoice, Draft, Invoice, InvoiceError, InvoiceId, Issuer,
    NewInvoice, OrderId, Status, UpdateInvoice, build, events, fields,
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, FieldFault, Refused, message};

use super::{issuer, known, rows};
use crate::{
    error::Stop,
    events::append,
    lane::Tx,
    schema::{
        invoice_orders::{self, dsl},
        invoices, orders,
    },
};

type Outcome<T> = Result<T, Stop<InvoiceError>>;

pub(super) fn create(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewInvoice) -> Outcome<Invoice> {
    let known = known::load(tx.db, ctx.account, &command.fields)?;
    let draft =
        fields::create(command.kind, command.fields.clone(), &known).map_err(Refused::Invalid)?;
    add(tx, ctx, draft, &known.issuer)
}

fn add(tx: &mut Tx<'_>, ctx: &Ctx, draft: Draft, issuer: &Issuer) -> Outcome<Invoice> {
    let id = InvoiceId::from_u128(tx.ids.next());
    take_orders(tx, ctx.account, id, &draft)?;
    let debts = known::debts(tx.db, ctx.account, &draft)?;
    let document = build(&draft, issuer, None, &debts, ctx.now).map_err(Refused::Invalid)?;
    let invoice = Invoice {
        id,
        status: Status::Draft,
        draft,
        document,
        folio: None,
        stamp: None,
        balance: None,
        installments: 0,
        cancellation: None,
        last_error: None,
        created_at: ctx.now,
        updated_at: ctx.now,
        version: 1,
    };
    rows::insert(tx, ctx.account, &invoice)?;
    append(tx, ctx.account, ctx.now, vec![events::created(&invoice)])?;
    Ok(invoice)
}

pub(super) fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &UpdateInvoice) -> Outcome<Invoice> {
    let mut invoice = draft(tx, ctx.account, command.id, command.version)?;
    let mut named = command.fields.clone();
    // Relations imply receivers, whichever of the two is changed.
    named.related = named.related.or_else(|| Some(invoice.draft.related.clone()));
    let known = known::load(tx.db, ctx.account, &named)?;
    let changed = fields::changed(invoice.draft.clone(), command.fields.clone(), &known)
        .map_err(Refused::Invalid)?;
    let series_changes = changed.series != invoice.draft.series;
    if command.fields.orders.is_some() || command.fields.related.is_some() {
        release_orders(tx, ctx.account, invoice.id)?;
        take_orders(tx, ctx.account, invoice.id, &changed)?;
    }
    let debts = known::debts(tx.db, ctx.account, &changed)?;
    // A folio belongs to its series.
    invoice.folio = invoice.folio.filter(|_| !series_changes);
    invoice.document =
        build(&changed, &known.issuer, invoice.folio, &debts, ctx.now).map_err(Refused::Invalid)?;
    invoice.draft = changed;
    rows::save(tx, ctx.account, &mut invoice, ctx.now)?;
    Ok(invoice)
}

pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: InvoiceId,
    version: Option<i64>,
) -> Outcome<InvoiceId> {
    draft(tx, ctx.account, id, version)?;
    release_orders(tx, ctx.account, id)?;
    let this = (ctx.account.to_string(), id.to_string());
    diesel::delete(invoices::table.find(this)).execute(tx.db)?;
    Ok(id)
}

pub(super) fn copy(tx: &mut Tx<'_>, ctx: &Ctx, command: &CopyInvoice) -> Outcome<Invoice> {
    let original = rows::by_id(tx.db, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    let issuer = issuer::by_account(tx.db, ctx.account)?;
    let issuer = issuer.ok_or(Refused::Rule(InvoiceError::NoIssuer))?;
    let mut draft = original.draft.clone();
    // Whose place the original takes is its own matter.
    draft.related.retain(|relation| relation.relation != "04");
    match (command.replaces, original.uuid()) {
        (true, Some(uuid)) => draft.related.push(cfdi::document::Relation {
            relation: "04".to_owned(),
            uuids: vec![uuid.to_owned()],
        }),
        (true, None) => {
            return Err(Refused::Rule(InvoiceError::NotStamped { status: original.status }).into());
        }
        // An order has one invoice; a plain copy is another sale.
        (false, _) => draft.orders.clear(),
    }
    add(tx, ctx, draft, &issuer)
}

/// A draft, locked.
fn draft(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    version: Option<i64>,
) -> Outcome<Invoice> {
    let invoice = rows::locked(tx, account, id, version)?;
    if invoice.status != Status::Draft {
        return Err(Refused::Rule(InvoiceError::NotDraft { status: invoice.status }).into());
    }
    Ok(invoice)
}

#[derive(Insertable)]
#[diesel(table_name = invoice_orders)]
struct OrderRow {
    account_id: String,
    order_id: String,
    invoice_id: String,
}

/// Makes the orders of a draft its own. An order that another invoice has stays the other's until the draft that
/// is to take the other's place is stamped.
pub(super) fn take_orders(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    draft: &Draft,
) -> Outcome<()> {
    for order in &draft.orders {
        let holder: Option<String> =
            link(account, *order).select(dsl::invoice_id).first(tx.db).optional()?;
        let Some(holder) = holder else {
            let row = OrderRow {
                account_id: account.to_string(),
                order_id: order.to_string(),
                invoice_id: id.to_string(),
            };
            diesel::insert_into(invoice_orders::table).values(&row).execute(tx.db)?;
            continue;
        };
        let holder = crate::rows::read(&holder, InvoiceId::parse)?;
        if holder != id && !gives_up(tx, account, holder, draft)? {
            let taken = InvoiceError::OrderInvoiced { order: *order, invoice: holder };
            return Err(Refused::Rule(taken).into());
        }
    }
    Ok(())
}

/// Makes the orders of an invoice that is to be stamped its own, also those of the invoice whose place it takes.
pub(super) fn keep_orders(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<()> {
    for order in &invoice.draft.orders {
        diesel::update(link(account, *order))
            .set(dsl::invoice_id.eq(invoice.id.to_string()))
            .execute(tx.db)?;
    }
    Ok(())
}

/// Gives the orders of a draft that was not stamped back to the living invoice whose place it was to take.
pub(super) fn return_orders(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<()> {
    for uuid in invoice.draft.replaces() {
        let replaced = rows::by_uuid(tx.db, account, uuid)?;
        let living = replaced.filter(|replaced| replaced.status == Status::Stamped);
        for order in living.iter().flat_map(|replaced| &replaced.draft.orders) {
            let holder = living.as_ref().map(|replaced| replaced.id.to_string());
            let own = link(account, *order).filter(dsl::invoice_id.eq(invoice.id.to_string()));
            diesel::update(own)
                .set(dsl::invoice_id.eq(holder.unwrap_or_default()))
                .execute(tx.db)?;
        }
    }
    Ok(())
}

/// Refuses what has changed around a draft since it was made: orders that were cancelled, and invoices that it
/// pays or refers to and that are cancelled, or about to be. These are locked: nobody cancels them meanwhile.
pub(super) fn check_sources(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> Outcome<()> {
    let mut faults = Vec::new();
    let ids: Vec<String> = invoice.draft.orders.iter().map(ToString::to_string).collect();
    if !ids.is_empty() {
        let cancelled: i64 = orders::table
            .filter(orders::account_id.eq(account.to_string()))
            .filter(orders::id.eq_any(ids))
            .filter(orders::status.eq("cancelled"))
            .count()
            .get_result(tx.db)?;
        if cancelled > 0 {
            faults.push(FieldFault::new(
                "orderIds",
                message!(
                    "name an order that was cancelled since",
                    "incluye un pedido que se canceló después"
                ),
            ));
        }
    }
    // What takes another's place may do so while the other is being cancelled.
    let related = invoice.draft.related.iter().filter(|relation| relation.relation != "04");
    let mut named = Vec::new();
    for uuid in related.flat_map(|relation| &relation.uuids) {
        named.extend(rows::by_uuid(tx.db, account, uuid)?.map(|own| (own.id, "related")));
    }
    named.extend(invoice.draft.paid_invoices().map(|id| (id, "payments")));
    named.sort();
    named.dedup();
    for (id, field) in named {
        let own = rows::locked::<InvoiceError>(tx, account, id, None)?;
        let asked =
            |cancellation: &Cancellation| cancellation.status != CancellationStatus::Rejected;
        if own.cancellation.as_ref().is_some_and(asked) {
            let problem = message!(
                "name {id}, which is cancelled or about to be",
                "incluye {id}, que está cancelada o en proceso de cancelación"
            );
            faults.push(FieldFault::new(field, problem));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Refused::Invalid(faults).into()) }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn link(account: AccountId, order: OrderId) -> _ {
    let (account, order): (String, String) = (account.to_string(), order.to_string());
    invoice_orders::table.filter(dsl::account_id.eq(account)).filter(dsl::order_id.eq(order))
}

fn gives_up(
    tx: &mut Tx<'_>,
    account: AccountId,
    holder: InvoiceId,
    draft: &Draft,
) -> QueryResult<bool> {
    let holder = rows::by_id(tx.db, account, holder)?;
    let uuid = holder.as_ref().and_then(Invoice::uuid);
    Ok(uuid
        .is_some_and(|uuid| draft.replaces().any(|replaced| replaced.eq_ignore_ascii_case(uuid))))
}

/// Frees the orders of an invoice, to be invoiced again.
pub(super) fn release_orders(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<()> {
    let own = dsl::invoice_orders
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::invoice_id.eq(id.to_string()));
    diesel::delete(own).execute(tx.db).map(drop)
}
