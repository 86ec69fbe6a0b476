//! `/withholdings`: certificates of withheld taxes, from draft to stamp to cancellation.

mod body;
mod documents;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use invoices::{
    Certifier, Validation,
    withholding::{
        CancelWithholding, NewWithholding, UpdateWithholding, Withholding, WithholdingId,
    },
};
use kernel::{AccountId, Done, Fault, Message, Pending, message};

use super::{
    invoices::{CANCEL_CODES, VERDICT, VerdictBody, WantedCancellation},
    stamped_at_once::{Stampable, stamped_at_once},
};
use crate::{
    Services,
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, Waits, id, json, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{found, written},
};
use body::WithholdingBody;

const ALL: &str = WithholdingBody::PATH;
const ONE: &str = "/withholdings/{id}";
const ID: Segment<WithholdingId> = id(WithholdingId::PREFIX, WithholdingId::parse);
const VALIDATE: &str = "/withholdings/{id}/validate";
const STAMP: &str = "/withholdings/{id}/stamp";
const CANCEL: &str = "/withholdings/{id}/cancel";

/// What can become of a request to stamp.
const STAMP_REFUSALS: &[Code] = &[
    Code::InsufficientCredits,
    Code::CertificateMissing,
    Code::ProviderMissing,
    Code::WithholdingInvalid,
    Code::Conflict,
    Code::InvalidTransition,
    Code::InProgress,
    Code::IssuerMissing,
    Code::RejectedByProvider,
    Code::ProviderError,
    Code::ProviderTimeout,
];

pub(super) fn endpoints() -> Vec<Endpoint> {
    resources().into_iter().chain(actions()).chain(documents::endpoints()).collect()
}

/// The withholdings themselves.
fn resources() -> [Endpoint; 5] {
    [
        Endpoint::get(
            ALL,
            Scope::Invoices,
            crud::list::<WithholdingBody, _, _>(forms::LIST, |services, account, query| {
                services.withholdings.list(account, query)
            }),
        )
        .translated()
        .summary("List withholdings")
        .describes("Newest first.")
        .pages::<WithholdingBody>("A page of withholdings.", examples::PAGE),
        Endpoint::post(ALL, Scope::Invoices, taking(json(forms::CREATE), create))
            .translated()
            .waits_for(Waits::Stamp)
            .summary("Create a withholding")
            .describes(
                "Creates a draft of a certificate of withheld taxes (constancia de retenciones e \
                 información de pagos 2.0). The receiver defaults to the tax data of the customer, \
                 the issuer to the default one. Nothing is stamped and no credits are spent, unless \
                 `stamp` is set: then it is stamped as well, as by POST /withholdings/{id}/stamp, and \
                 what the SAT rules reject or no credits pay for is not even created.",
            )
            .answers::<WithholdingBody>(
                201,
                "The new withholding, with status `draft`, or `stamped`.",
                examples::DRAFT,
            )
            .or_accepts::<WithholdingBody>(
                "The withholding whose stamping the provider has not answered yet: read it again.",
                examples::STAMPING,
            )
            .refuses(STAMP_REFUSALS),
        Endpoint::get(
            ONE,
            Scope::Invoices,
            crud::show::<WithholdingBody, _, _>(ID, |services, account, id| {
                services.withholdings.get(account, id)
            }),
        )
        .translated()
        .summary("Get a withholding")
        .answers::<WithholdingBody>(200, "The withholding.", examples::STAMPED),
        Endpoint::patch(
            ONE,
            Scope::Invoices,
            crud::update::<WithholdingBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.withholdings.get(account, id),
                |services, ctx, (id, tag), fields| {
                    services.withholdings.update(
                        ctx,
                        UpdateWithholding { id, version: tag.map(ETag::of_version), fields },
                    )
                },
            ),
        )
        .translated()
        .summary("Update a withholding")
        .describes(
            "Changes only the fields that are sent, while the withholding is a draft; `null` clears \
             an optional field. `receiver`, `period`, `totals`, `taxes`, `related` and `complements` \
             are each replaced as a whole.",
        )
        .answers::<WithholdingBody>(200, "The updated withholding.", examples::DRAFT)
        .refuses(&[Code::InvalidTransition]),
        Endpoint::delete(
            ONE,
            Scope::Invoices,
            crud::delete(ID, |services, ctx, id, version| {
                services.withholdings.delete(ctx, id, version)
            }),
        )
        .summary("Delete a withholding")
        .describes("Deletes a draft. A stamped withholding must be cancelled instead.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::InvalidTransition]),
    ]
}

/// Actions on a withholding.
fn actions() -> [Endpoint; 3] {
    [
        Endpoint::post(VALIDATE, Scope::Invoices, taking(ID, validate))
            .translated()
            .summary("Validate a withholding")
            .describes(
                "Lists everything for which SAT or the provider would reject the draft if it were \
                 stamped now, each with the SAT code, the field and how to fix it. No credits are \
                 spent.",
            )
            .answers::<VerdictBody>(200, "The result of the validation.", VERDICT),
        Endpoint::post(STAMP, Scope::Invoices, taking(ID, stamp))
            .translated()
            .conditional()
            .waits_for(Waits::Provider)
            .summary("Stamp a withholding")
            .describes(
                "Seals a draft and has it stamped (timbrado), for 10 credits, with the guarantees of \
                 POST /invoices/{id}/timbrar: every retry sends the same bytes, so there is only one \
                 stamp and one charge. A withholding that is already stamped is returned unchanged, and \
                 `If-Match` is honoured in the same way. A \
                 502 means that nothing was stamped or charged. After a 504 the outcome is not known \
                 yet and the service is determining it: read the withholding or repeat the request.",
            )
            .answers::<WithholdingBody>(200, "The withholding with its stamp.", examples::STAMPED)
            .refuses(STAMP_REFUSALS),
        Endpoint::post(
            CANCEL,
            Scope::Invoices,
            taking((ID, json(forms::CANCEL).coded(CANCEL_CODES)), cancel),
        )
        .translated()
        .waits_for(Waits::Provider)
        .summary("Cancel a withholding")
        .describes(
            "Asks SAT to cancel a stamped withholding for one of the reasons listed by GET \
             /invoices/cfdi/cancellation-motivos. Reason `01` requires `replacementUuid`, the stamped \
             withholding whose `related` names this one with relation `04`; the others do not allow \
             it. The receiver does not have to accept: the withholding is cancelled once SAT has the \
             request. Repeating the request with the same reason returns the current status.",
        )
        .answers::<WithholdingBody>(
            200,
            "The withholding with its cancellation.",
            examples::CANCELLED,
        )
        .refuses(&[
            Code::InvalidCancellationReason,
            Code::CertificateMissing,
            Code::Conflict,
            Code::InvalidTransition,
            Code::InProgress,
            Code::RejectedByProvider,
            Code::ProviderError,
            Code::ProviderTimeout,
        ]),
    ]
}

async fn create(call: Call, command: NewWithholding) -> Result<Answer, ApiError> {
    let (language, ctx, is_to_stamp) = (call.language(), call.ctx()?, command.is_to_stamp);
    let done = written(call.services().withholdings.create(ctx.clone(), command)).await?;
    let answer = match is_to_stamp {
        true => stamped_at_once::<WithholdingBody>(&call, ctx, done).await?,
        false => Answer::created::<WithholdingBody>(done)?,
    };
    answer.told(language)
}

impl Stampable for WithholdingBody {
    fn certifier(services: &Services) -> &dyn Certifier<Withholding> {
        &*services.withholding_certifier
    }

    fn get(
        services: &Services,
        account: AccountId,
        id: WithholdingId,
    ) -> Pending<Result<Option<Withholding>, Fault>> {
        services.withholdings.get(account, id)
    }

    fn still_a_draft() -> Message {
        message!(
            "the draft at Location has been created, but not stamped yet: too many withholdings of this account are \
             being stamped; POST to its /stamp, or repeat the request with the same Idempotency-Key",
            "se creó el borrador indicado en Location, pero aún no se timbra: se están timbrando demasiadas constancias \
             de esta cuenta; use POST en su /stamp, o repita la solicitud con la misma Idempotency-Key"
        )
    }
}

async fn validate(call: Call, id: WithholdingId) -> Result<Answer, ApiError> {
    // Nothing is done that a key could keep from being done twice, but it must be one.
    let now = call.ctx()?.now;
    let Validation { findings, warnings } =
        found(call.services().withholdings.validate(call.account, id, now)).await?;
    let language = call.language();
    Answer::json(StatusCode::OK, &VerdictBody::new(&findings, &warnings, language))?
        .with(CONTENT_LANGUAGE, language.tag())
}

async fn stamp(call: Call, id: WithholdingId) -> Result<Answer, ApiError> {
    let language = call.language();
    let (ctx, version) = (call.ctx()?, call.expected_version());
    let stamping = call.services().withholding_certifier.stamp(ctx, id, version);
    let Done { value, replayed } = written(stamping).await?;
    let value = WithholdingBody::in_language(value, language);
    Answer::acted::<WithholdingBody, _>(Done { value, replayed })?.told(language)
}

async fn cancel(
    call: Call,
    (id, wanted): (WithholdingId, WantedCancellation),
) -> Result<Answer, ApiError> {
    let WantedCancellation { reason, replacement_uuid } = wanted;
    let command = CancelWithholding { id, reason, replacement_uuid };
    let cancelling = call.services().withholding_certifier.cancel(call.ctx()?, command);
    let Done { value, replayed } = written(cancelling).await?;
    let value = WithholdingBody::in_language(value, call.language());
    Answer::acted::<WithholdingBody, _>(Done { value, replayed })?
        .with(CONTENT_LANGUAGE, call.language().tag())
}
