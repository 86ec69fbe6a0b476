//! What credit notes take off the invoices they refer to.
//!
//! The credit notes of an invoice never amount to more than the invoice does. What they take off is no longer owed of
//! one that is paid in parts.

use std::collections::{BTreeMap, HashMap, HashSet};

use cfdi::{
    decimal,
    document::{Document, DocumentType},
    totals::Totals,
};
use kernel::{Amount, Currency, FieldFault, message};
use serde::{Deserialize, Serialize};

use crate::{Debts, Draft, Invoice, InvoiceId, Known, Status, references::Referrer};

/// The relations by which a credit note lowers what an invoice amounts to (c_TipoRelacion): as a credit note, by a
/// return of goods, by an advance that is applied.
const LOWERING: [&str; 3] = ["01", "03", "07"];

/// What a credit note takes off one of the account's own invoices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// The invoice.
    pub invoice: InvoiceId,
    /// What is taken off, in its currency.
    pub amount: Amount,
}

/// What a credit note has taken off an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credited {
    /// The credit note's fiscal folio, once it is stamped.
    pub uuid: Option<String>,
    /// What it takes off.
    pub amount: Amount,
}

/// One of the account's own invoices that a credit note lowers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Creditable {
    /// The invoice.
    pub invoice: InvoiceId,
    /// Its currency.
    pub currency: Currency,
    /// What other credit notes have left of its total.
    pub left: Amount,
}

/// The fiscal folios of the invoices that a draft lowers, if it is a credit note, each once: by a return and by a discount
/// it may lower the same one.
pub fn lowered(draft: &Draft) -> impl Iterator<Item = &str> {
    let is_note = draft.kind == DocumentType::Credit;
    let lowers = move |relation: &&str| is_note && LOWERING.contains(relation);
    let related = draft.related.iter();
    let lowering = related.filter(move |relation| lowers(&relation.relation.as_str()));
    let mut seen = HashSet::new();
    let named = lowering.flat_map(|relation| &relation.uuids).map(String::as_str);
    named.filter(move |uuid| seen.insert(*uuid))
}

/// What a living credit note takes off an invoice. One that an earlier release has stamped does not say so: it counts
/// with its total, as far as it names no other.
#[must_use]
pub fn taken(note: &Invoice, invoice: &Invoice) -> Option<Amount> {
    if note.status == Status::Cancelled {
        return None;
    }
    let said = note.applied_to.iter().find(|applied| applied.invoice == invoice.id);
    let names_one = note.applied_to.is_empty() && lowered(&note.draft).count() == 1;
    let is_old = note.status == Status::Stamped && names_one;
    said.map(|applied| applied.amount).or_else(|| is_old.then(|| note.totals().total))
}

/// What the drafts of credit notes among those who refer to an invoice would take off what is owed of it: not what gives back
/// what was paid, takes the place of another or lowers other invoices, too.
#[must_use]
pub fn drafted(invoice: &Invoice, referrers: &[Referrer]) -> Amount {
    let would_take = |note: &&Invoice| {
        let is_draft = note.status == Status::Draft && note.draft.refund.is_none();
        let is_first = note.draft.replaces().next().is_none();
        is_draft && is_first && lowered(&note.draft).eq(invoice.uuid())
    };
    // One that refers to it by two relations is there twice.
    let notes: BTreeMap<InvoiceId, &Invoice> =
        referrers.iter().map(|referrer| (referrer.invoice.id, &referrer.invoice)).collect();
    let taken = notes.into_values().filter(would_take).map(|note| note.totals().total);
    cfdi::decimal::sum(taken).min(invoice.outstanding().unwrap_or_default())
}

/// Whether it is a sale, which credit notes can lower.
#[must_use]
pub fn is_creditable(invoice: &Invoice) -> bool {
    invoice.draft.kind == DocumentType::Income
}

/// The own invoices that a draft lowers, with what is left of each: what credit notes have taken off whose place the
/// draft takes does not count.
#[must_use]
pub fn creditable(
    draft: &Draft,
    related: &HashMap<String, Invoice>,
    credited: &HashMap<InvoiceId, Vec<Credited>>,
) -> Vec<Creditable> {
    let is_replaced = |note: &Credited| {
        let uuid = note.uuid.as_deref();
        uuid.is_some_and(|uuid| draft.replaces().any(|other| other.eq_ignore_ascii_case(uuid)))
    };
    let sales = lowered(draft)
        .filter_map(|uuid| related.get(uuid))
        .filter(|invoice| is_creditable(invoice));
    let left = |invoice: &Invoice| {
        let notes = credited.get(&invoice.id).into_iter().flatten();
        let taken = notes.filter(|note| !is_replaced(note)).map(|note| note.amount);
        let left = cfdi::decimal::less(invoice.totals().total, cfdi::decimal::sum(taken));
        left.max(Amount::ZERO)
    };
    let mut creditable: Vec<Creditable> = Vec::new();
    for invoice in sales {
        if creditable.iter().all(|known| known.invoice != invoice.id) {
            let currency = invoice.document.currency.unwrap_or(Currency::MXN);
            creditable.push(Creditable { invoice: invoice.id, currency, left: left(invoice) });
        }
    }
    creditable
}

/// Whether a draft lowers an invoice that is none of the account's own documents, of which nothing is known.
#[must_use]
pub fn lowers_others(draft: &Draft, related: &HashMap<String, Invoice>) -> bool {
    lowered(draft).any(|uuid| !related.contains_key(uuid))
}

/// What a credit note takes off each: as much as is left of the first, then of the next.
#[must_use]
pub fn applied(document: &Document, creditable: &[Creditable]) -> Vec<Applied> {
    let mut rest = Totals::of(document).total;
    let mut applied = Vec::new();
    for Creditable { invoice, left, .. } in creditable {
        let amount = rest.min(*left).max(Amount::ZERO);
        rest = cfdi::decimal::less(rest, amount);
        if amount > Amount::ZERO {
            applied.push(Applied { invoice: *invoice, amount });
        }
    }
    applied
}

/// Refuses a credit note of more than is left of its invoices, or in another currency. An invoice that was issued
/// elsewhere may take what the account's own do not.
pub(crate) fn check(
    draft: &Draft,
    document: &Document,
    Debts { creditable, lowers_others, .. }: &Debts,
) -> Result<(), Vec<FieldFault>> {
    if let Some(other) = creditable.iter().find(|invoice| invoice.currency != draft.currency) {
        let (own, theirs) = (draft.currency, other.currency);
        let problem = message!(
            "is {own}, but must be {theirs}, the currency of the invoice that is credited",
            "es {own}, pero debe ser {theirs}, la moneda de la factura que se acredita"
        );
        return Err(vec![FieldFault::new("currency", problem)]);
    }
    let total = Totals::of(document).total;
    let left = decimal::sum(creditable.iter().map(|invoice| invoice.left));
    if creditable.is_empty() || *lowers_others || total <= left {
        return Ok(());
    }
    let [total, left] = [total, left].map(|sum| decimal::digits(sum, draft.currency.decimals()));
    let problem = message!(
        "add up to {total}, but only {left} is left of what is credited: lower the amounts",
        "suman {total}, pero solo quedan {left} por acreditar: reducir los importes"
    );
    Err(vec![FieldFault::new("items", problem)])
}

/// Refuses a credit note to another receiver than that of the invoices it lowers.
pub(crate) fn receiver_faults(draft: &Draft, known: &Known) -> Vec<FieldFault> {
    let sales = lowered(draft).filter_map(|uuid| known.related.get(uuid));
    let foreign = sales
        .map(|sale| &sale.document.receiver)
        .find(|theirs| !draft.receiver.rfc.is_empty() && theirs.rfc != draft.receiver.rfc);
    let fault = |theirs: &str| {
        let own = &draft.receiver.rfc;
        let problem = message!(
            "refer to an invoice of {theirs}, but this credit note is made out to {own}",
            "hacen referencia a una factura de {theirs}, pero esta nota de crédito está a nombre de {own}"
        );
        FieldFault::new("related", problem)
    };
    foreign.map(|theirs| fault(&theirs.rfc)).into_iter().collect()
}
