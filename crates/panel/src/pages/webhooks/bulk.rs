//! Deliveries of a webhook that are sent again: those that are ticked, or all in a state.

use ::bulk::{Action, DeliverySelection, Selection, Wanted};
use intake::{Form, noun};
use kernel::{FieldFault, PageRequest, Timestamp, page::Total};
use webhooks::{DeliveryFilter, DeliveryId, DeliveryQuery, SubscriptionId};

use super::{PATH, acts::WRITE, filter};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::grouped,
    list,
    page::Page,
    pages::bulk::asking::{Question, as_of, asked, begun, means_ticked, shown_at, ticked},
    reply::found,
};

const CONFIRMED: Form<Timestamp> =
    Form::body("BulkDeliveries", noun("this form", "este formulario"), as_of, "");

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("webhooks/{id}/resend", WRITE, ask),
        Page::post("webhooks/{id}/resend", WRITE, begin),
    ]
}

/// Which deliveries a query means.
fn selection(call: &Call<Member>) -> Result<DeliverySelection, Failure> {
    let subscription = SubscriptionId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let (ids, filter) = match means_ticked(&call.query) {
        true => (Some(ticked(&call.query, DeliveryId::parse)?), DeliveryFilter::default()),
        false => (None, filter(&call.query)),
    };
    list::all_read(&call.query)?;
    // Each field by its name: one that is not taken over would have more sent than are listed.
    let DeliveryFilter { state, event_name, event } = filter;
    Ok(DeliverySelection { subscription, ids, state, event_name, event, until: None })
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    page(&call, &[]).await
}

async fn page(call: &Call<Member>, faults: &[FieldFault]) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let chosen = selection(call)?.frozen_at(shown_at(call));
    let id = chosen.subscription;
    let webhook = found(services.webhooks.get(account, id)).await?;
    let total = match &chosen.ids {
        Some(ids) => Total::exact(u64::try_from(ids.len()).unwrap_or(u64::MAX)),
        None => {
            let page = PageRequest { limit: 1, ..PageRequest::default() };
            let query = DeliveryQuery { filter: chosen.filter(), page };
            found(services.webhooks.list_deliveries(account, id, query)).await?.total
        }
    };
    let question = Question {
        page: format!("{PATH}/{id}/resend"),
        title: say.resend_deliveries(),
        intro: say.bulk_resend_intro(&grouped(total.rows)),
        vain: None,
        rows: total.is_exact.then_some(total.rows),
        counts: Vec::new(),
        notes: Vec::new(),
        fields: Vec::new(),
        is_dangerous: false,
        back: (webhook.url, format!("{}/{id}", call.href(PATH))),
    };
    Ok(asked(call, question, faults))
}

async fn begin(call: Call<Member>) -> Result<Answer, Failure> {
    let as_of = match call.read(&CONFIRMED)? {
        Ok(as_of) => as_of,
        Err(faults) => return page(&call, &faults).await,
    };
    let chosen = selection(&call)?.frozen_at(as_of.min(call.now()));
    let _ = found(call.services().webhooks.get(call.account(), chosen.subscription)).await?;
    let action = Action::ResendDeliveries;
    match begun(&call, Wanted { action, selection: Selection::Deliveries(chosen) }).await? {
        Ok(answer) => Ok(answer),
        Err(faults) => page(&call, &faults).await,
    }
}
