//! What the tasks of invoices ask of providers.

use ::invoices::{
    Invoice, InvoiceId,
    calls::Step,
    provider::{Expression, ProviderKind, Service, ToCancel, ToStamp},
};
use ::tasks::kind::{CANCEL, FOLLOW, STAMP};
use diesel::prelude::*;
use kernel::AccountId;

use super::{documents, rows};
use crate::{db::Db, rows::corrupt};

/// The step of an invoice's task of that kind, and who stamped the invoice.
pub(super) fn step(
    db: &mut Db,
    account: AccountId,
    id: InvoiceId,
    kind: &str,
) -> QueryResult<(Step, Option<ProviderKind>)> {
    let missing = || corrupt(format!("the task of {id} without its documents"));
    let documents = documents::by_invoice(db, account, id)?.ok_or_else(missing)?;
    let invoice = rows::by_id(db, account, id)?.ok_or_else(missing)?;
    let stamper = invoice.stamp.as_ref().map(|stamped| stamped.provider);
    if kind == STAMP.name {
        let document = document(id, documents.sealed_xml);
        return Ok((Step::Stamp { document, seal: documents.seal }, stamper));
    }
    let expression = expression(&invoice).ok_or_else(missing)?;
    if kind == FOLLOW.name {
        return Ok((Step::Follow(expression), stamper));
    }
    if kind != CANCEL.name {
        return Err(corrupt(format!("the task {kind:?} under the key of an invoice")));
    }
    let request = ToCancel {
        service: Service::Invoice,
        issuer_rfc: invoice.document.issuer.rfc,
        uuid: expression.uuid.clone(),
        xml: documents.cancel_request.ok_or_else(missing)?,
    };
    Ok((Step::Cancel { request, expression: Some(expression) }, stamper))
}

/// A sealed invoice to be stamped.
pub(super) fn document(id: InvoiceId, xml: String) -> ToStamp {
    ToStamp { service: Service::Invoice, key: id.to_string(), xml }
}

/// What a stamped invoice is asked after by.
pub(super) fn expression(invoice: &Invoice) -> Option<Expression> {
    let stamp = &invoice.stamp.as_ref()?.stamp;
    Some(Expression {
        uuid: stamp.uuid.clone(),
        issuer_rfc: invoice.document.issuer.rfc.clone(),
        receiver_rfc: invoice.document.receiver.rfc.clone(),
        total: cfdi::stamp::total_of(&invoice.document),
        seal_end: cfdi::stamp::seal_end(&stamp.issuer_seal).to_owned(),
    })
}
