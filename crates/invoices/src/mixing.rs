//! Documents for the tax authority refer to none that the sandbox stamped.
//!
//! A live account may have such documents from releases that let every account stamp with the sandbox.

use kernel::{FieldFault, message};

use crate::{Draft, Invoice, Known, PaidInvoice, provider::ProviderKind};

/// What a draft refers to that has no fiscal value, unless it will have none itself.
pub(crate) fn faults(draft: &Draft, known: &Known) -> Vec<FieldFault> {
    if known.provider == Some(ProviderKind::Sandbox) {
        return Vec::new();
    }
    let uuids = draft.related.iter().flat_map(|relation| &relation.uuids);
    let related = uuids.filter_map(|uuid| known.related.get(uuid));
    let related = related.map(|invoice| ("related", invoice));
    let documents = draft.payments.iter().flat_map(|payment| &payment.documents);
    let paid = documents.filter_map(|paid| match &paid.invoice {
        PaidInvoice::Own(id) => known.paid.get(id),
        PaidInvoice::External(_) => None,
    });
    let paid = paid.map(|invoice| ("payments", invoice));
    among(related.chain(paid))
}

/// The same of invoices that a draft refers to in a field of its.
pub(crate) fn among<'a>(
    invoices: impl Iterator<Item = (&'static str, &'a Invoice)>,
) -> Vec<FieldFault> {
    invoices.filter(|(_, invoice)| is_of_the_sandbox(invoice)).map(fault).collect()
}

fn is_of_the_sandbox(invoice: &Invoice) -> bool {
    invoice.stamp.as_ref().is_some_and(|stamped| stamped.provider == ProviderKind::Sandbox)
}

fn fault((field, invoice): (&str, &Invoice)) -> FieldFault {
    let id = invoice.id;
    let problem = message!(
        "refer to {id}, which the sandbox stamped and which has no fiscal value: issue that invoice anew",
        "hacen referencia a {id}, timbrada en el ambiente de pruebas y sin valor fiscal: volver a emitir esa factura"
    );
    FieldFault::new(field, problem)
}
