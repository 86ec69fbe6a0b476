//! What is done about an invoice: it is stamped, deleted, or copied to be replaced.

use std::time::Duration;

use accounts::{Right, Scope};
use invoices::{
    CopyInvoice, Invoice, InvoiceFilter, InvoiceId, InvoiceQuery, Status, papers::whole_credit_note,
};
use kernel::{Ctx, FieldFault};
use tokio::time::timeout;

use super::{
    PATH, WRITE, cancel, detail,
    detail::{invoice, place},
    names::{did_stamp, number},
    told::{placed, told},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    layout::Sheet,
    markup::Markup,
    page::Page,
    parts::Asked,
    reply::{answered, changed, concluded, found},
};

/// So long a page waits for a stamp; then the invoice is shown as it stands, and looked at again.
const PATIENCE: Duration = Duration::from_secs(3);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::post("invoices/{id}/stamp", WRITE, stamp),
        Page::get("invoices/{id}/delete", WRITE, ask_delete),
        Page::post("invoices/{id}/delete", WRITE, delete),
        Page::post("invoices/{id}/copy", WRITE, copy),
        Page::post("invoices/{id}/credit-note", WRITE, credit),
    ]
}

async fn stamp(call: Call<Member>) -> Result<Answer, Failure> {
    let id = InvoiceId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    // The button says what is stamped for how much.
    stamped(&call, call.ctx(), (id, call.seen_version())).await
}

/// Has a draft stamped, as it was seen, and leads to it. Who does not wait for the provider stops nothing.
pub(super) async fn stamped(
    call: &Call<Member>,
    ctx: Ctx,
    (id, version): (InvoiceId, Option<i64>),
) -> Result<Answer, Failure> {
    let stamping = call.services().certifier.stamp(ctx, id, version);
    let word = match timeout(PATIENCE, concluded(stamping, |error| placed(&error))).await {
        Ok(Ok(Ok(stamped))) => did_stamp(stamped.draft.kind),
        Ok(Ok(Err(faults))) => {
            let seen = found(call.services().invoices.get(call.account(), id)).await?;
            // It may be stamped, as somebody else has changed it.
            return match seen.status == Status::Draft || faults.contains(&changed()) {
                true => detail::page(call, &seen, &faults).await,
                false => Ok(call.done_at(&format!("{PATH}/{id}"), "invoice.stamping")),
            };
        }
        Ok(Err(failure)) => return Err(failure),
        Err(_) => {
            let seen = found(call.services().invoices.get(call.account(), id)).await?;
            match seen.status {
                // Its turn has not come, and nothing is on record that would be resumed.
                Status::Draft => "invoice.waits",
                _ => "invoice.stamping",
            }
        }
    };
    Ok(call.done_at(&format!("{PATH}/{id}"), word))
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    Ok(deleting(&call, &invoice, &[]))
}

fn deleting(call: &Call<Member>, invoice: &Invoice, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let form = call.form(place(call, invoice.id, "delete"), Vec::new(), say.delete_draft(), faults);
    let form = form.dangerous().hidden("version", invoice.version.to_string());
    let text = say.delete_draft_intro(&invoice.document.receiver.legal_name);
    let body = Asked { text, form: Markup::of(&form) };
    let title = format!("{}: {}", say.delete_draft(), number(say, invoice));
    let sheet = Sheet::new(title, &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(number(say, invoice), place(call, invoice.id, "")))
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    let deleting_it = call.services().invoices.delete(call.ctx(), invoice.id, call.seen_version());
    Ok(match concluded(deleting_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "invoice.deleted"),
        Err(faults) => deleting(&call, &invoice, &faults),
    })
}

/// Makes the draft that is to take the place of a stamped invoice.
async fn copy(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    let command = CopyInvoice { id: invoice.id, replaces: true };
    let copying = call.services().invoices.copy(call.ctx(), command);
    match concluded(copying, |error| told(&error)).await? {
        Ok(draft) => Ok(call.done_at(&format!("{PATH}/{}/edit", draft.id), "invoice.copied")),
        Err(faults) => cancel::page(&call, &invoice, call.sent.values(), &faults).await,
    }
}

/// Makes the draft of a credit note of all of an invoice, to be corrected.
async fn credit(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    let (services, account) = (call.services(), call.account());
    let is_due = is_receipt_due(&call, &invoice).await?;
    let mut command = whole_credit_note(&invoice, is_due);
    if let (Some(customer), true) =
        (invoice.draft.customer, call.may(Right::read(Scope::Customers)))
    {
        let id = crm::CustomerId::from_u128(customer.to_u128());
        let known = answered(services.customers.get(account, id)).await?;
        command.fields.customer = known.map(|_| Some(customer));
    }
    let making = services.invoices.create(call.ctx(), command);
    match concluded(making, |error| placed(&error)).await? {
        Ok(note) => Ok(call.done_at(&format!("{PATH}/{}/edit", note.id), "invoice.credit_begun")),
        Err(faults) => detail::page(&call, &invoice, &faults).await,
    }
}

/// Whether something was paid of an invoice that has no stamped receipt yet.
async fn is_receipt_due(call: &Call<Member>, invoice: &Invoice) -> Result<bool, Failure> {
    let (ids, receipt_due) = (Some(vec![invoice.id]), Some(true));
    let filter = InvoiceFilter { ids, receipt_due, ..InvoiceFilter::default() };
    let query = InvoiceQuery { filter, ..InvoiceQuery::default() };
    let due = answered(call.services().invoices.list(call.account(), query)).await?;
    Ok(!due.items.is_empty())
}
