//! A document settles invoices of its own issuer only.

use kernel::{FieldFault, message};

use crate::{Invoice, InvoiceId};

/// An own invoice that a draft pays, lowers or takes the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The field that names it.
    pub field: &'static str,
    /// The invoice.
    pub invoice: InvoiceId,
    /// The RFC that issued it.
    pub rfc: String,
}

/// The invoices that a draft settles: those `related` that it lowers or replaces, and those `paid`.
pub fn settled<'a>(
    related: impl Iterator<Item = &'a Invoice>,
    paid: impl Iterator<Item = &'a Invoice>,
) -> Vec<Settled> {
    let named = related.map(|one| ("related", one)).chain(paid.map(|one| ("payments", one)));
    let settled = named.map(|(field, invoice)| {
        let rfc = invoice.document.issuer.rfc.clone();
        Settled { field, invoice: invoice.id, rfc }
    });
    settled.collect()
}

/// What a document of an RFC settles that another taxpayer has issued.
pub(crate) fn faults(own: &str, settled: &[Settled]) -> Vec<FieldFault> {
    settled.iter().filter(|one| one.rfc != own).map(|one| fault(own, one)).collect()
}

fn fault(own: &str, Settled { field, invoice, rfc }: &Settled) -> FieldFault {
    let problem = message!(
        "refer to {invoice}, which {rfc} issued, but this document is of {own}: name the same issuer as issuerId",
        "hacen referencia a {invoice}, emitida por {rfc}, pero este documento es de {own}: indicar el mismo emisor en issuerId"
    );
    FieldFault::new(*field, problem)
}
