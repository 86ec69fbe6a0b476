//! `/payments/notifications`: what payment providers have told, and what was made of it.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::header::CONTENT_LANGUAGE;
use kernel::{Done, PageRequest};
use payments::NoticeId;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{Endpoint, Segment, id, query, taking},
    error::{ApiError, Code},
    reply::{answered, written},
};
use body::NoticeBody;

const ALL: &str = "/payments/notifications";
const RETRY: &str = "/payments/notifications/{id}/retry";
const ID: Segment<NoticeId> = id(NoticeId::PREFIX, NoticeId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Payments, taking(query(forms::LIST), list))
            .translated()
            .summary("List payment notifications")
            .describes(
                "What payment providers have sent to `/hooks/payments/{provider}/{accountId}`, newest first, for 30 \
                 days. A notification moves no money: it says which payment to ask the provider about.",
            )
            .pages::<NoticeBody>("A page of notifications.", examples::PAGE),
        Endpoint::post(RETRY, Scope::Payments, taking(ID, retry))
            .translated()
            .summary("Retry a payment notification")
            .describes(
                "Has a notification that is `dead` looked into again, with ten attempts of its own.",
            )
            .answers::<NoticeBody>(200, "The notification.", examples::RETRIED)
            .refuses(&[Code::Conflict]),
    ]
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let language = call.language();
    let page = answered(call.services().payments.notices(call.account, asked.clone())).await?;
    let page = page.map(|notice| NoticeBody::in_language(notice, language));
    Answer::page::<NoticeBody>(page, &asked)?.with(CONTENT_LANGUAGE, language.tag())
}

async fn retry(call: Call, id: NoticeId) -> Result<Answer, ApiError> {
    let language = call.language();
    let Done { value, replayed } =
        written(call.services().payments.retry_notice(call.ctx()?, id)).await?;
    let value = NoticeBody::in_language(value, language);
    Answer::acted::<NoticeBody, _>(Done { value, replayed })?.with(CONTENT_LANGUAGE, language.tag())
}
