//! What the payments of a receipt may name: a receipt that an accountant would sign.

use std::collections::HashMap;

use cfdi::{
    catalogs::postal_codes,
    document::{DocumentType, PaymentMethod, Receiver, is_generic},
};
use kernel::{Amount, FieldFault, Message, message};

use crate::{Draft, DraftPayment, Invoice, Known, Owed, PaidInvoice, Status, draft::DraftPaid};

type Problem = (&'static str, Message);

/// What is wrong with what the payments of a draft name.
pub(crate) fn faults(draft: &Draft, known: &Known) -> Vec<FieldFault> {
    if draft.kind != DocumentType::Payment {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let mut elsewhere = HashMap::new();
    for (index, payment) in draft.payments.iter().enumerate() {
        for (position, paid) in payment.documents.iter().enumerate() {
            let earlier = payment.documents.iter().take(position);
            let problem = is_repeated(paid, earlier).or_else(|| match &paid.invoice {
                PaidInvoice::Own(id) => own_problem(draft, payment, known.paid.get(id)),
                PaidInvoice::External(owed) => known
                    .related
                    .get(&owed.uuid)
                    .map(own_as_external)
                    .or_else(|| above_total(owed))
                    .or_else(|| follow(&mut elsewhere, owed, paid.amount)),
            });
            let problem = problem.or_else(|| of_one_currency(payment, paid, known));
            if let Some((name, problem)) = problem {
                let field = match name {
                    "paidAt" => format!("payments[{index}].{name}"),
                    _ => format!("payments[{index}].documents[{position}].{name}"),
                };
                faults.push(FieldFault::new(field, problem));
            }
        }
    }
    faults
}

/// One payment states what it pays of an invoice once.
fn is_repeated<'a>(
    paid: &DraftPaid,
    mut earlier: impl Iterator<Item = &'a DraftPaid>,
) -> Option<Problem> {
    let is_same = |other: &DraftPaid| match (&paid.invoice, &other.invoice) {
        (PaidInvoice::Own(own), PaidInvoice::Own(other)) => own == other,
        (PaidInvoice::External(own), PaidInvoice::External(other)) => own.uuid == other.uuid,
        _ => false,
    };
    let name = match &paid.invoice {
        PaidInvoice::Own(_) => "invoiceId",
        PaidInvoice::External(_) => "external.uuid",
    };
    let problem = message!(
        "is in this payment before: state the whole amount once",
        "ya está en este pago: indicar el importe completo una sola vez"
    );
    earlier.any(is_same).then_some((name, problem))
}

/// In one currency there is one amount.
fn of_one_currency(payment: &DraftPayment, paid: &DraftPaid, known: &Known) -> Option<Problem> {
    let of_invoice = match &paid.invoice {
        PaidInvoice::Own(id) => known.paid.get(id)?.document.currency?,
        PaidInvoice::External(owed) => owed.currency,
    };
    let (amount, currency) = (paid.amount, payment.currency);
    let is_other = paid.payment_amount.is_some_and(|other| other != amount);
    (of_invoice == currency && is_other).then(|| {
        let problem = message!(
            "must be {amount} or be left out: invoice and payment are both in {currency}",
            "debe ser {amount} u omitirse: la factura y el pago son en {currency}"
        );
        ("paymentAmount", problem)
    })
}

fn own_problem(draft: &Draft, payment: &DraftPayment, paid: Option<&Invoice>) -> Option<Problem> {
    let Some(invoice) = paid else {
        let problem = message!(
            "names no invoice of this account",
            "no corresponde a ninguna factura de esta cuenta"
        );
        return Some(("invoiceId", problem));
    };
    unpayable(invoice)
        .or_else(|| of_another_receiver(&draft.receiver, &invoice.document.receiver))
        .map(|problem| ("invoiceId", problem))
        .or_else(|| paid_before(payment, invoice).map(|problem| ("paidAt", problem)))
}

/// Why payments of an invoice cannot be receipted.
#[must_use]
pub fn unpayable(invoice: &Invoice) -> Option<Message> {
    match (invoice.status, invoice.document.payment_method) {
        (Status::Cancelled, _) => Some(message!(
            "names an invoice that is cancelled",
            "corresponde a una factura cancelada"
        )),
        (Status::Draft | Status::Stamping, _) => Some(message!(
            "names an invoice that is not stamped yet",
            "corresponde a una factura que aún no está timbrada"
        )),
        (Status::Stamped, Some(PaymentMethod::Ppd)) => None,
        (Status::Stamped, _) => Some(message!(
            "names an invoice paid in one go (PUE); only those paid in parts (PPD) get receipts",
            "corresponde a una factura pagada en una sola exhibición (PUE); solo las de pago en \
             parcialidades o diferido (PPD) llevan complemento de pago"
        )),
    }
}

/// Why nobody is asked to pay an invoice: one that is not stamped, is no sale, or whose sales are paid one by one.
#[must_use]
pub fn uncollectible(invoice: &Invoice) -> Option<Message> {
    if invoice.status != Status::Stamped {
        return unpayable(invoice);
    }
    let is_at_once = invoice.document.payment_method == Some(PaymentMethod::Pue);
    if invoice.draft.kind != DocumentType::Income {
        let kind = invoice.draft.kind.code();
        return Some(message!(
            "names a document of type {kind}; only invoices of sales (I) are paid",
            "corresponde a un comprobante de tipo {kind}; solo se cobran las facturas de ingreso (I)"
        ));
    }
    if invoice.document.global.is_some() {
        return Some(message!(
            "names a global invoice, whose sales are paid already",
            "corresponde a una factura global, cuyas ventas ya están pagadas"
        ));
    }
    (is_at_once && invoice.draft.orders.len() > 1).then(|| {
        message!(
            "names an invoice paid in one go (PUE) for several orders; send the orderId of each of them instead",
            "corresponde a una factura pagada en una sola exhibición (PUE) de varios pedidos; hay que enviar el orderId de \
             cada uno"
        )
    })
}

/// A receipt goes to whom the invoice was made out to. Those without an RFC of their own are told apart by name.
fn of_another_receiver(own: &Receiver, theirs: &Receiver) -> Option<Message> {
    let is_same =
        own.rfc == theirs.rfc && (!is_generic(&theirs.rfc) || own.legal_name == theirs.legal_name);
    if own.rfc.is_empty() || is_same {
        return None;
    }
    let named = |receiver: &Receiver| format!("{} ({})", receiver.legal_name, receiver.rfc);
    let (own, theirs) = (named(own), named(theirs));
    Some(message!(
        "names an invoice of {theirs}, but this receipt is made out to {own}: make a receipt for each receiver",
        "corresponde a una factura de {theirs}, pero este recibo está a nombre de {own}: hacer un recibo por receptor"
    ))
}

/// What was paid before the day of the invoice was an advance. What takes the place of another invoice was owed since that one,
/// which may be of elsewhere.
fn paid_before(payment: &DraftPayment, invoice: &Invoice) -> Option<Message> {
    if invoice.draft.replaces().next().is_some() {
        return None;
    }
    let issued = invoice.document.issued_at.date();
    let zone = postal_codes::find(&invoice.document.place_of_issue)?.zone();
    if zone.local(payment.paid_at).date() >= issued {
        return None;
    }
    Some(message!(
        "is before {issued}, when the invoice was issued: correct the date, or invoice the payment as an advance",
        "es anterior al {issued}, fecha de la factura: corregir la fecha, o facturar el pago como anticipo"
    ))
}

/// What is owed of one of the account's own invoices is known.
fn own_as_external(invoice: &Invoice) -> Problem {
    let id = invoice.id;
    let problem = message!(
        "is of this account's own invoice {id}: name that as invoiceId instead of external",
        "es de la factura {id} de esta cuenta: indicarla con invoiceId en lugar de external"
    );
    ("external.uuid", problem)
}

/// No more is ever owed of an invoice than it amounts to.
fn above_total(owed: &Owed) -> Option<Problem> {
    let total = owed.total;
    (owed.balance > total).then(|| {
        let problem = message!(
            "must be at most {total}, the total of the invoice",
            "debe ser a lo más {total}, el total de la factura"
        );
        ("external.balance", problem)
    })
}

/// What a later payment of the receipt says of an invoice of elsewhere follows from the one before.
fn follow(
    elsewhere: &mut HashMap<String, (Amount, u32)>,
    owed: &Owed,
    amount: Amount,
) -> Option<Problem> {
    let after = (cfdi::decimal::less(owed.balance, amount), owed.installments + 1);
    let (balance, installments) = elsewhere.insert(owed.uuid.clone(), after)?;
    if owed.balance != balance {
        let problem = message!(
            "must be {balance}, what the payment before leaves",
            "debe ser {balance}, lo que deja el pago anterior"
        );
        return Some(("external.balance", problem));
    }
    if owed.installments != installments {
        let problem = message!(
            "must be {installments}, with the payment before",
            "debe ser {installments}, con el pago anterior"
        );
        return Some(("external.installments", problem));
    }
    None
}
