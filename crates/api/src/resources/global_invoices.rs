//! `/invoices/cfdi/global` and `/invoices/global`: the sales to the general public, invoiced by the period.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::SentBack;
use invoices::global::{GlobalSettings, WantedRun};
use kernel::Done;

use super::jobs::{GLOBAL_EXAMPLE, JobBody};
use crate::{
    answer::Answer,
    call::Call,
    crud,
    endpoint::{Endpoint, changes, json, plain, query, taking},
    error::{ApiError, Code},
    reply::{answered, written},
};
pub(super) use body::GlobalRunBody;
use body::{PreviewBody, SettingsBody};

const SETTINGS: &str = "/invoices/cfdi/global";
const RUN: &str = "/invoices/global";
const PREVIEW: &str = "/invoices/global/preview";

pub(super) fn endpoints() -> [Endpoint; 4] {
    [
        Endpoint::get(SETTINGS, Scope::Invoices, plain(show))
            .of_only_one()
            .summary("Get the settings of global invoices")
            .describes("How the sales that nobody asked an invoice for are invoiced.")
            .answers::<SettingsBody>(200, "The settings.", examples::SETTINGS),
        Endpoint::put(SETTINGS, Scope::Invoices, taking(changes(forms::SET), set))
            .summary("Set the settings of global invoices")
            .describes(
                "With `automatic`, the sales of each period are invoiced when it ends, from today on: those paid within it, in \
                 pesos, that are neither cancelled nor in another invoice. Each period is a job of the kind `invoices.global`; \
                 the next one is `queued` until its time. Replaces the whole resource; omitted fields take their defaults.",
            )
            .answers::<SettingsBody>(200, "The updated settings.", examples::SETTINGS)
            .refuses(&[Code::IssuerMissing]),
        Endpoint::post(RUN, Scope::Invoices, taking(json(forms::RUN), run))
            .translated()
            .summary("Create the global invoices of a period")
            .describes(
                "Starts a job that invoices the sales of a period that has ended, as far as nobody has invoiced them. Omitted \
                 fields are as in the settings. Poll the job: its `result` names the invoices, and says of those that could \
                 not be stamped why.",
            )
            .answers::<JobBody>(202, "The job that makes the invoices.", GLOBAL_EXAMPLE)
            .refuses(&[Code::IssuerMissing]),
        Endpoint::get(PREVIEW, Scope::Invoices, taking(query(forms::PREVIEW), preview))
            .summary("Preview the global invoices of a period")
            .describes(
                "The sales that POST /invoices/global would invoice at this moment, and those of the period that it would leave \
                 out, each with the reason. Nothing is created.",
            )
            .answers::<PreviewBody>(200, "The preview.", examples::PREVIEW)
            .refuses(&[Code::IssuerMissing]),
    ]
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let settings = answered(call.services().global_invoices.global_settings(call.account)).await?;
    let shown = SettingsBody::from(settings);
    Answer::tagged(call.headers(), &shown, shown.etag())
}

async fn set(
    call: Call,
    (settings, sent_back): (GlobalSettings, SentBack),
) -> Result<Answer, ApiError> {
    let global = &call.services().global_invoices;
    if !sent_back.is_empty() {
        let before = SettingsBody::from(answered(global.global_settings(call.account)).await?);
        crud::unchanged_at(&call, sent_back, &before, before.etag())?;
    }
    let done = written(global.set_global(call.ctx()?, settings, call.expected_version())).await?;
    let shown = SettingsBody::from(done.value);
    Answer::json(StatusCode::OK, &shown)?.with(ETAG, shown.etag())
}

async fn run(call: Call, wanted: WantedRun) -> Result<Answer, ApiError> {
    let global = &call.services().global_invoices;
    let Done { value: task, replayed } = written(global.run_global(call.ctx()?, wanted)).await?;
    let job = JobBody::new(task, None, (call.now, call.language()))?;
    Answer::accepted(&Done { value: job, replayed })?.told(call.language())
}

async fn preview(call: Call, wanted: WantedRun) -> Result<Answer, ApiError> {
    let global = &call.services().global_invoices;
    let previewed = answered(global.preview_global(call.account, wanted, call.now)).await??;
    Answer::json(StatusCode::OK, &PreviewBody::from(previewed))
}
