//! How the API shows a notification of a payment provider.

use std::fmt::Display;

use kernel::{Language, Timestamp, reason};
use payments::{Notice, NoticeId, NoticeStatus, PaymentId, ProviderKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A notification of a payment provider.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentNotification)]
pub(super) struct NoticeBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "ntf_01KG9C6F8H0J2M4P6R8T0V2X4Z")]
    id: NoticeId,
    /// Provider that sent it.
    #[schema(value_type = shapes::PaymentProvider)]
    provider: ProviderKind,
    /// What tells it from every other: the provider's identifier of the event, or a digest.
    event_key: String,
    /// Whether the provider has signed it.
    signed: bool,
    /// Provider's identifier of the payment.
    provider_ref: Option<String>,
    /// Payment that it is about.
    #[schema(value_type = Option<String>, example = "pay_01KG9A4D6F8H0J2M4P6R8T0V2X")]
    payment_id: Option<PaymentId>,
    /// Status.
    #[schema(value_type = shapes::NoticeState)]
    status: NoticeStatus,
    /// How often it was looked into.
    attempts: u32,
    /// Why it is `dead` or `ignored`, in the language that `Accept-Language` prefers.
    problem: Option<String>,
    /// When it came.
    #[schema(value_type = shapes::Timestamp)]
    received_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
}

impl Resource for NoticeBody {
    type Thing = Notice;

    const PATH: &'static str = "/payments/notifications";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.updated_at.micros())
    }

    fn in_language(notice: Notice, language: Language) -> Notice {
        let told = |kept: String| reason::told(&kept).in_language(language).to_owned();
        Notice { problem: notice.problem.map(told), ..notice }
    }
}

impl From<Notice> for NoticeBody {
    fn from(notice: Notice) -> Self {
        Self {
            id: notice.id,
            provider: notice.provider,
            event_key: notice.event_key,
            signed: notice.is_signed,
            provider_ref: notice.provider_ref,
            payment_id: notice.payment,
            status: notice.status,
            attempts: notice.tries,
            problem: notice.problem,
            received_at: notice.received_at,
            updated_at: notice.updated_at,
        }
    }
}
