//! `/payments/settings`: how the payments of an account are dealt with.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::SentBack;
use payments::PaymentSettings;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud::unchanged,
    endpoint::{Endpoint, changes, plain, taking},
    error::ApiError,
    reply::{answered, written},
};
use body::SettingsBody;

const SETTINGS: &str = SettingsBody::PATH;

pub(super) fn endpoints() -> [Endpoint; 2] {
    [
        Endpoint::get(SETTINGS, Scope::Payments, plain(show))
            .of_only_one()
            .summary("Get the payment settings")
            .describes("How the payments of the account are dealt with; as usual where nothing was set.")
            .answers::<SettingsBody>(200, "The settings.", examples::SETTINGS),
        Endpoint::put(SETTINGS, Scope::Payments, taking(changes(forms::SET), set))
            .of_only_one()
            .summary("Set the payment settings")
            .describes(
                "Replaces all of them. `satPaymentForms` counts for payments that are made from now on and name no \
                 `satPaymentForm` of their own. With `refundLatePayments` `auto`, money that comes for a cancelled order \
                 is given back by itself where its provider does that, and nobody's approval is asked; the rest stays in \
                 `refundDue` of the order.",
            )
            .answers::<SettingsBody>(200, "The updated settings.", examples::SETTINGS),
    ]
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let settings = answered(call.services().payments.settings(call.account)).await?;
    Answer::shown::<SettingsBody>(call.headers(), settings)
}

async fn set(
    call: Call,
    (wanted, sent_back): (PaymentSettings, SentBack),
) -> Result<Answer, ApiError> {
    let before = answered(call.services().payments.settings(call.account)).await?;
    unchanged(&call, sent_back, &SettingsBody::from(before))?;
    let version = call.expected_version();
    let setting = call.services().payments.set_settings(call.ctx()?, wanted, version);
    let shown = SettingsBody::from(written(setting).await?.value);
    Answer::json(StatusCode::OK, &shown)?.with(ETAG, shown.etag())
}
