//! What the payment, refund or return of a paper shows of how that stands: stamped, or a draft with a problem.

use ::invoices::{Invoice, InvoiceError, InvoiceId, Status, papers, provider::Rejection};
use ::orders::ReturnId;
use diesel::QueryResult;
use kernel::{AccountId, Refused, Timestamp};

use super::{Outcome, rows};
use crate::{error::Failure, orders::note_return_stands, payments, tx::Tx};

/// Tells the payment, refund or return of a paper that this is stamped, or with which problem it is a draft.
pub(super) fn stands(
    tx: &mut Tx<'_>,
    account: AccountId,
    paper: &Invoice,
    problem: Option<String>,
    now: Timestamp,
) -> QueryResult<()> {
    let id = ::payments::InvoiceId::from_u128(paper.id.to_u128());
    if let Some(payment) = paper.draft.payment {
        let payment = ::payments::PaymentId::from_u128(payment.to_u128());
        payments::papers::receipt_stands(tx, account, (payment, id), problem.clone(), now)?;
    }
    if let Some(refund) = paper.draft.refund {
        let refund = ::payments::RefundId::from_u128(refund.to_u128());
        payments::papers::note_stands(tx, account, (refund, id), problem.clone(), now)?;
    }
    if let Some(goods) = paper.draft.goods {
        let goods = ReturnId::from_u128(goods.to_u128());
        let note = ::orders::InvoiceId::from_u128(paper.id.to_u128());
        note_return_stands(tx, account, (goods, note), problem)?;
    }
    Ok(())
}

/// The same of one that its task could not have stamped, unless somebody has stamped or deleted it meanwhile.
pub(super) fn not_stamped(
    tx: &mut Tx<'_>,
    account: AccountId,
    (paper, rejection): (InvoiceId, &Rejection),
    now: Timestamp,
) -> Outcome<()> {
    let paper = match rows::locked::<InvoiceError>(tx, account, paper, None) {
        Ok(paper) if paper.status == Status::Draft => paper,
        Ok(_) | Err(Failure::Refused(Refused::NotFound)) => return Ok(()),
        Err(failure) => return Err(failure),
    };
    Ok(stands(tx, account, &paper, Some(papers::problem(rejection)), now)?)
}
