//! `/payments/reconciliation`: our payments beside the lists of their providers.

mod body;
mod examples;

use accounts::Scope;
use actix_web::http::StatusCode;
use intake::{
    Check, Fields, Form,
    checks::{moment, one_of},
};
use payments::{ProviderKind, reconcile::Wanted};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Waits, query, taking},
    error::{ApiError, Code},
    reply::written,
};
use body::ReconciliationBody;

const ALL: &str = "/payments/reconciliation";
const ASKED: Form<Wanted> = Form::query(read);

pub(super) fn endpoints() -> [Endpoint; 1] {
    [Endpoint::get(ALL, Scope::Payments, taking(query(ASKED), show))
        .waits_for(Waits::Payment)
        .summary("Reconcile payments")
        .describes(
            "Compares the payments that were asked for in a time of at most 31 days with what their providers list: \
             each payment, and the sums of each currency and outcome. What differs is told and not mended: `POST \
             /payments/{id}/sync` asks the provider about a payment and counts what it shows. Payments that you take \
             yourself have no provider and are not compared. The providers are asked while you wait, so an answer \
             has the first 200 payments of the time or so; `nextFrom` is then where to go on.",
        )
        .asks(&[("from", "2026-01-01T00:00:00Z"), ("to", "2026-02-01T00:00:00Z")])
        .answers::<ReconciliationBody>(200, "What was compared.", examples::RECONCILIATION)
        .refuses(&[Code::ProviderError, Code::ProviderTimeout])]
}

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let from = moment().about("Only payments asked for at or after this time.");
    let from = fields.required("from", from);
    let to = moment().about("Only payments asked for before this time, at most 31 days later.");
    let to = fields.required("to", to);
    let provider = one_of(ProviderKind::EVERY, ProviderKind::name)
        .about("Only payments of this provider; of every one that is set up by default.");
    let provider = fields.change("provider", provider);
    match Wanted::new(from?, to?, provider) {
        Ok(wanted) => Some(wanted),
        Err(fault) => fields.refuse(&fault.field, fault.problem),
    }
}

async fn show(call: Call, wanted: Wanted) -> Result<Answer, ApiError> {
    let to = wanted.to;
    let compared = written(call.services().collector.reconcile(call.account, wanted)).await?;
    Answer::json(StatusCode::OK, &ReconciliationBody::new(compared.value, to))
}
