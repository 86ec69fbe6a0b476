//! What must be on record before a provider is asked to stamp.

use std::collections::BTreeSet;

use cfdi::document::{Document, DocumentType};
use kernel::{FieldFault, Refused, Timestamp, message};

use crate::{
    Balance, CancellationStatus, Creditable, Debts, HolderChange, Invoice, InvoiceError, InvoiceId,
    Status, credit_notes,
    credits::{self, Charged, CreditChange},
    drafting::require_draft,
    holders, mixing,
    provider::ProviderKind,
    receipts,
    references::{Reference, references},
    settled::Around,
    stamping::Billed,
};

/// What a draft depends on, as it is now and stays until the outcome is recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// What has become of its orders.
    pub billed: Billed,
    /// The own invoices that it refers to other than to take their place.
    pub related: Vec<Invoice>,
    /// The own invoices that its payments pay.
    pub paid: Vec<Invoice>,
    /// Those of which another receipt or credit note is being stamped.
    pub receipted: BTreeSet<InvoiceId>,
    /// Whether the place that it is to take has been taken by another living document.
    pub is_second_replacement: bool,
    /// What is left of those that it lowers.
    pub creditable: Vec<Creditable>,
}

/// What a draft is sealed as, and what that rests on.
#[derive(Clone, Copy, Debug)]
pub struct Sealing<'a> {
    /// The document that was sealed.
    pub document: &'a Document,
    /// What the invoices amounted to that it settles when it was built.
    pub debts: &'a Debts,
    /// What it depends on now.
    pub sources: &'a Sources,
    /// The orders and invoices that change with it.
    pub around: &'a Around,
    /// The credits of the account.
    pub balance: Balance,
    /// Who is to stamp it.
    pub provider: ProviderKind,
}

/// What is recorded before the first call: all of it together, with the sealed XML and the task.
#[derive(Clone, Debug, PartialEq)]
pub struct Reserved {
    /// The invoice, being stamped.
    pub invoice: Invoice,
    /// Orders that change hands.
    pub orders: Vec<HolderChange>,
    /// The invoices that it pays or lowers, with what is owed of them now.
    pub owing: Vec<Invoice>,
    /// The credits set aside.
    pub credits: CreditChange,
    /// What it refers to from now on.
    pub references: BTreeSet<Reference>,
}

/// Begins to stamp a draft that was sealed.
///
/// # Errors
/// [`InvoiceError::OrderInvoiced`] when an order was given to another invoice meanwhile; [`Refused::Invalid`] when an order or an
/// invoice that it names is cancelled, or about to be; [`InvoiceError::UnderWay`] or [`Refused::Stale`] as
/// [`receipts::pay`]; [`InvoiceError::InsufficientCredits`].
pub fn reserve(
    invoice: &Invoice,
    sealing: &Sealing<'_>,
    now: Timestamp,
) -> Result<Reserved, Refused<InvoiceError>> {
    let Sealing { document, debts, sources, around, balance, provider } = *sealing;
    require_draft(invoice)?;
    // The invoice whose place it was to take may have given its orders up to another since.
    let orders = holders::seize(invoice.id, &invoice.draft, &around.holders)?;
    let faults = outdated_by(invoice, sources);
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults));
    }
    if provider != ProviderKind::Sandbox {
        refuse_mixed(sources, around)?;
    }
    if sources.creditable != debts.creditable {
        return Err(Refused::Stale);
    }
    let mut invoice = Invoice {
        status: Status::Stamping,
        document: document.clone(),
        applied_to: credit_notes::applied(document, &sources.creditable),
        last_error: None,
        ..invoice.clone()
    };
    let receipted = &sources.receipted;
    let owing = receipts::pay(&invoice, around, receipted, debts, now)?;
    let credits = credits::reserve(balance, Charged::Invoice(invoice.id))?;
    invoice.touch(now);
    Ok(Reserved { invoice, orders, owing, credits, references: references(document) })
}

/// Refuses a draft of before, when the sandbox stamped for every account.
fn refuse_mixed(sources: &Sources, around: &Around) -> Result<(), Refused<InvoiceError>> {
    let related = sources.related.iter().chain(&around.replaced);
    let related = related.map(|invoice| ("related", invoice));
    let paid = sources.paid.iter().map(|invoice| ("payments", invoice));
    let faults = mixing::among(related.chain(paid));
    if faults.is_empty() { Ok(()) } else { Err(Refused::Invalid(faults)) }
}

/// What keeps a draft from being stamped, since it has changed around it after it was made.
pub(super) fn outdated_by(invoice: &Invoice, sources: &Sources) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    // What one has paid or credited goes over to one other; a sale may be replaced by several.
    let carries = matches!(invoice.draft.kind, DocumentType::Payment | DocumentType::Credit);
    if carries && sources.is_second_replacement {
        let problem = message!(
            "replace a document that another has replaced already: replace that one",
            "sustituyen un comprobante que otro ya sustituyó: sustituya a ese otro"
        );
        faults.push(FieldFault::new("related", problem));
    }
    faults.extend(sources.billed.faults(&invoice.draft));
    for (field, invoices) in [("related", &sources.related), ("payments", &sources.paid)] {
        for invoice in invoices.iter().filter(|invoice| is_being_cancelled(invoice)) {
            let id = invoice.id;
            let problem = message!(
                "reference {id}, which is cancelled or being cancelled",
                "hacen referencia a {id}, que está cancelada o en proceso de cancelación"
            );
            faults.push(FieldFault::new(field, problem));
        }
    }
    faults
}

fn is_being_cancelled(invoice: &Invoice) -> bool {
    let cancellation = invoice.cancellation.as_ref();
    cancellation.is_some_and(|asked| asked.status != CancellationStatus::Rejected)
}
