//! Drafts: made, changed, copied and numbered.

use cfdi::document::Relation;
use kernel::{NewEvent, Refused, Timestamp};

use crate::{
    Debts, Draft, Fields, HolderChange, Holders, Invoice, InvoiceError, InvoiceId, Issuer, Known,
    NewInvoice, Status, build, credit_notes, events, fields, holders, mixing, one_issuer, papers,
    receipts, references::REPLACES,
};

/// What comes of making a draft: all of it is recorded together.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    /// The draft.
    pub invoice: Invoice,
    /// The orders that it takes hold of.
    pub orders: Vec<HolderChange>,
    /// What to tell.
    pub events: Vec<NewEvent>,
}

/// What comes of changing a draft.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The draft afterwards.
    pub invoice: Invoice,
    /// The orders that it takes hold of, or gives up.
    pub orders: Vec<HolderChange>,
}

/// Makes a draft.
///
/// # Errors
/// [`Refused::Invalid`] for fields that are missing or name nothing, [`InvoiceError::OrderInvoiced`] for an order that
/// another invoice holds.
pub fn create(
    command: &NewInvoice,
    id: InvoiceId,
    known: &Known,
    now: Timestamp,
) -> Result<Created, Refused<InvoiceError>> {
    let draft =
        fields::create(command.kind, command.fields.clone(), known).map_err(Refused::Invalid)?;
    made(draft, id, known, now)
}

/// Makes a draft after another invoice. `replaces` when it is to take the other's place (relation `04`); a plain
/// copy is another sale, and leaves the orders to the other.
///
/// # Errors
/// [`InvoiceError::NotStamped`] when what has no fiscal folio is to be replaced; otherwise as [`create`].
pub fn copy(
    original: &Invoice,
    replaces: bool,
    id: InvoiceId,
    known: &Known,
    now: Timestamp,
) -> Result<Created, Refused<InvoiceError>> {
    let mut draft = original.draft.clone();
    // Whose place the original takes is its own matter.
    draft.related.retain(|relation| relation.relation != REPLACES);
    draft.issued_at = None;
    // Who issued the original may have been deleted since.
    draft.issuer = Some(known.issuer.id);
    if !replaces {
        (draft.payment, draft.refund, draft.goods) = (None, None, None);
        draft.cancelled_order = None;
        draft.orders.clear();
        return made(draft, id, known, now);
    }
    let not_stamped = InvoiceError::NotStamped { status: original.status };
    let uuid = original.uuid().ok_or(Refused::Rule(not_stamped))?.to_owned();
    let mut known = known.clone();
    known.related.insert(uuid.clone(), original.clone());
    draft.related.push(Relation { relation: REPLACES.to_owned(), uuids: vec![uuid] });
    made(draft, id, &known, now)
}

fn made(
    draft: Draft,
    id: InvoiceId,
    known: &Known,
    now: Timestamp,
) -> Result<Created, Refused<InvoiceError>> {
    let debts = debts(&draft, known);
    refuse_strangers(&draft, known, &debts)?;
    let orders = holders::claim(id, &draft, &known.holders)?;
    let document =
        build(&draft, &known.issuer, (id, None), &debts, now).map_err(Refused::Invalid)?;
    let invoice = Invoice {
        id,
        status: Status::Draft,
        draft,
        document,
        folio: None,
        stamp: None,
        balance: None,
        installments: 0,
        applied_to: Vec::new(),
        cancellation: None,
        last_error: None,
        created_at: now,
        updated_at: now,
        version: Invoice::FIRST_VERSION,
    };
    let events = vec![events::created(&invoice)];
    Ok(Created { invoice, orders, events })
}

/// Changes a draft. A folio belongs to its issuer and series, and is given up with them; what was found wrong with it is
/// looked for again.
///
/// # Errors
/// [`InvoiceError::NotDraft`] for what is sealed already; otherwise as [`create`].
pub fn change(
    before: &Invoice,
    fields: &Fields,
    known: &Known,
    now: Timestamp,
) -> Result<Changed, Refused<InvoiceError>> {
    require_draft(before)?;
    let draft =
        fields::changed(before.draft.clone(), fields.clone(), known).map_err(Refused::Invalid)?;
    let debts = debts(&draft, known);
    refuse_strangers(&draft, known, &debts)?;
    let orders = if fields.orders.is_some() || fields.related.is_some() {
        holders::claim(before.id, &draft, &known.holders)?
    } else {
        Vec::new()
    };
    let stays = draft.series == before.draft.series && draft.issuer == before.draft.issuer;
    let folio = before.folio.filter(|_| stays);
    let document =
        build(&draft, &known.issuer, (before.id, folio), &debts, now).map_err(Refused::Invalid)?;
    let last_error = match &before.last_error {
        Some(error) if error.is_of_findings() => papers::lacks(&document, now),
        error => error.clone(),
    };
    let mut invoice = Invoice { draft, document, folio, last_error, ..before.clone() };
    invoice.touch(now);
    Ok(Changed { invoice, orders })
}

/// Refuses to refer to what the sandbox stamped, and to settle what another issuer has issued.
fn refuse_strangers(
    draft: &Draft,
    known: &Known,
    debts: &Debts,
) -> Result<(), Refused<InvoiceError>> {
    let mut faults = mixing::faults(draft, known);
    faults.extend(one_issuer::faults(&known.issuer.rfc, &debts.settled));
    if faults.is_empty() { Ok(()) } else { Err(Refused::Invalid(faults)) }
}

/// What the own invoices amount to that a draft settles, among what is known.
fn debts(draft: &Draft, known: &Known) -> Debts {
    let replaced = || draft.replaces().filter_map(|uuid| known.related.get(uuid));
    let lowered = credit_notes::lowered(draft).filter_map(|uuid| known.related.get(uuid));
    let paid = draft.paid_invoices().filter_map(|id| known.paid.get(&id));
    Debts {
        settled: one_issuer::settled(lowered.chain(replaced()), paid),
        owed: receipts::owed(&known.paid, replaced()),
        creditable: credit_notes::creditable(draft, &known.related, &known.credited),
        lowers_others: credit_notes::lowers_others(draft, &known.related),
    }
}

/// Refuses an addenda for what has no document to append it to, or none that counts.
///
/// # Errors
/// [`InvoiceError::NotStamped`].
pub fn allow_addenda(invoice: &Invoice) -> Result<(), Refused<InvoiceError>> {
    match invoice.status {
        Status::Stamped => Ok(()),
        status => Err(Refused::Rule(InvoiceError::NotStamped { status })),
    }
}

/// What comes of deleting a draft: the orders that it gives up.
///
/// # Errors
/// [`InvoiceError::NotDraft`].
pub fn delete(
    invoice: &Invoice,
    holders: &Holders,
) -> Result<Vec<HolderChange>, Refused<InvoiceError>> {
    require_draft(invoice)?;
    Ok(holders::release(invoice.id, holders))
}

/// A draft with the next folio of its series.
///
/// # Errors
/// [`InvoiceError::NotDraft`].
pub fn number(
    invoice: &Invoice,
    folio: u64,
    now: Timestamp,
) -> Result<Invoice, Refused<InvoiceError>> {
    require_draft(invoice)?;
    let mut numbered = Invoice { folio: Some(folio), ..invoice.clone() };
    numbered.touch(now);
    Ok(numbered)
}

/// An invoice as it is now: what follows from a draft changes with its issuer, and with what is owed of what it pays.
/// What is sealed stays as it was sealed. A draft that is no document any more, since more was paid than is owed, is
/// shown as it was last.
#[must_use]
pub fn refreshed(invoice: Invoice, issuer: &Issuer, debts: &Debts) -> Invoice {
    if invoice.status != Status::Draft {
        return invoice;
    }
    match build(&invoice.draft, issuer, (invoice.id, invoice.folio), debts, invoice.updated_at) {
        Ok(document) => Invoice { document, ..invoice },
        Err(_) => invoice,
    }
}

pub(crate) fn require_draft(invoice: &Invoice) -> Result<(), Refused<InvoiceError>> {
    match invoice.status {
        Status::Draft => Ok(()),
        status => Err(Refused::Rule(InvoiceError::NotDraft { status })),
    }
}
