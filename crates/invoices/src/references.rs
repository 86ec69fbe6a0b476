//! Which fiscal folios a sealed invoice refers to, and who refers to an invoice.

use std::collections::BTreeSet;

use cfdi::document::Document;

use crate::{Draft, Invoice, InvoiceId, Status};

/// The relation of a receipt to what it receipts the payment of; no code of c_TipoRelacion.
pub const PAID: &str = "paid";
/// The relation of an invoice to the one whose place it takes (c_TipoRelacion).
pub const REPLACES: &str = "04";

/// A fiscal folio that a document refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The fiscal folio, in capitals.
    pub uuid: String,
    /// A code of c_TipoRelacion, or [`PAID`].
    pub relation: String,
}

/// Everything that a document refers to.
#[must_use]
pub fn references(document: &Document) -> BTreeSet<Reference> {
    let reference = |uuid: &str, relation: &str| Reference {
        uuid: uuid.to_ascii_uppercase(),
        relation: relation.to_owned(),
    };
    let related = document
        .related
        .iter()
        .flat_map(|relation| relation.uuids.iter().map(|uuid| reference(uuid, &relation.relation)));
    let paid = document.payments.iter().flat_map(|payment| &payment.documents);
    related.chain(paid.map(|paid| reference(&paid.uuid, PAID))).collect()
}

/// How a draft refers to a stamped invoice: codes of c_TipoRelacion, or [`PAID`].
#[must_use]
pub fn relations(draft: &Draft, invoice: InvoiceId, uuid: &str) -> BTreeSet<String> {
    let paid = draft.paid_invoices().any(|id| id == invoice).then(|| PAID.to_owned());
    let related = draft
        .related
        .iter()
        .filter(|relation| relation.uuids.iter().any(|related| related.eq_ignore_ascii_case(uuid)));
    related.map(|relation| relation.relation.clone()).chain(paid).collect()
}

/// An invoice that refers to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Referrer {
    /// The invoice.
    pub invoice: Invoice,
    /// A code of c_TipoRelacion, or [`PAID`].
    pub relation: String,
}

impl Referrer {
    /// Whether it counts: it is sealed or stamped, and not cancelled.
    #[must_use]
    pub fn is_active(&self) -> bool {
        matches!(self.invoice.status, Status::Stamping | Status::Stamped)
    }

    /// Whether it takes the place of the other.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.relation == REPLACES
    }
}

/// Whether an active invoice has taken the place of the one that these refer to.
#[must_use]
pub fn is_replaced(referrers: &[Referrer]) -> bool {
    referrers.iter().any(|referrer| referrer.is_active() && referrer.replaces())
}

/// Whether a receipt of its payments, other than `by`, is being stamped.
#[must_use]
pub fn is_being_receipted(referrers: &[Referrer], by: &Invoice) -> bool {
    referrers.iter().any(|referrer| {
        !referrer.replaces()
            && referrer.invoice.id != by.id
            && referrer.invoice.status == Status::Stamping
    })
}
