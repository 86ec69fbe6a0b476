//! A document settles invoices of its own issuer only.

use kernel::{FieldFault, message};

use crate::{Draft, Invoice, Known, PaidInvoice, credit_notes};

/// What a draft pays, lowers or takes the place of that another taxpayer has issued.
pub(crate) fn faults(draft: &Draft, known: &Known) -> Vec<FieldFault> {
    let settled = credit_notes::lowered(draft).chain(draft.replaces());
    let related = settled.filter_map(|uuid| known.related.get(uuid));
    let documents = draft.payments.iter().flat_map(|payment| &payment.documents);
    let paid = documents.filter_map(|paid| match &paid.invoice {
        PaidInvoice::Own(id) => known.paid.get(id),
        PaidInvoice::External(_) => None,
    });
    let named = related.map(|one| ("related", one)).chain(paid.map(|one| ("payments", one)));
    let own = &known.issuer.rfc;
    let foreign = named.filter(|(_, invoice)| invoice.document.issuer.rfc != *own);
    foreign.map(|(field, invoice)| fault(field, own, invoice)).collect()
}

fn fault(field: &'static str, own: &str, invoice: &Invoice) -> FieldFault {
    let (id, theirs) = (invoice.id, &invoice.document.issuer.rfc);
    let problem = message!(
        "refer to {id}, which {theirs} issued, but this document is of {own}: name the same issuer as issuerId",
        "hacen referencia a {id}, emitida por {theirs}, pero este documento es de {own}: indique el mismo emisor en issuerId"
    );
    FieldFault::new(field, problem)
}
