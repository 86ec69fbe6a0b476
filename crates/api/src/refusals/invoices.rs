//! The refusals of invoices: by rules, by the authority's rules, by providers.

use cfdi::rules::Finding;
use intake::{Noun, noun};
use invoices::{CancelRefusal, InvoiceError, STAMP_COST, Status, provider::Rejection};
use kernel::{FieldFault, Language, Message, message, reason::within};

use crate::error::{ApiError, Code};

/// The most findings that one message names.
const FINDINGS_NAMED_MAX: usize = 20;

impl From<InvoiceError> for ApiError {
    fn from(error: InvoiceError) -> Self {
        match error {
            InvoiceError::NoIssuer => Self::new(
                Code::IssuerMissing,
                message!(
                    "no issuer is configured: PUT /invoices/cfdi/issuer first",
                    "no hay un emisor configurado: primero use PUT /invoices/cfdi/issuer"
                ),
            ),
            InvoiceError::NoCertificate => {
                no_certificate(noun("seal the document", "sellar el documento"))
            }
            InvoiceError::NoProvider => Self::new(
                Code::ProviderMissing,
                message!(
                    "no certification provider is chosen: PUT /invoices/cfdi/provider with sw or finkok; to try without \
                     one, use a test API key, whose invoices the sandbox stamps",
                    "no hay un proveedor de certificación elegido: use PUT /invoices/cfdi/provider con sw o finkok; para \
                     probar sin uno, use una clave de API de prueba, cuyas facturas timbra el sandbox"
                ),
            ),
            InvoiceError::NotDraft { status: Status::Stamping } => Self::new(
                Code::InvalidTransition,
                message!(
                    "the invoice is being stamped; wait until the outcome is known (GET it, or POST to \
                     its /timbrar again), and do not copy it meanwhile",
                    "la factura se está timbrando; espere a conocer el resultado (léala con GET o repita \
                     POST en su /timbrar) y no la copie mientras tanto"
                ),
            ),
            InvoiceError::NotDraft { status } => Self::new(
                Code::InvalidTransition,
                message!(
                    "only a draft can be changed, deleted or stamped, and this invoice is {status}; \
                     POST to its /copy to make a draft of it",
                    "solo un borrador se puede modificar, eliminar o timbrar, y esta factura está en \
                     estado {status}; use POST en su /copy para hacer un borrador de ella",
                    status = status.name()
                ),
            ),
            InvoiceError::NotStamped { status } => Self::new(
                Code::InvalidTransition,
                message!(
                    "this needs a stamped invoice, and the status of this one is {status}",
                    "para esto se requiere una factura timbrada, y esta se encuentra en estado {status}",
                    status = status.name()
                ),
            ),
            InvoiceError::NothingToEmail => Self::new(
                Code::Conflict,
                message!(
                    "only a stamped invoice can be sent; stamp it first",
                    "solo se puede enviar una factura timbrada; tímbrela primero"
                ),
            ),
            InvoiceError::NoMailServer => Self::new(
                Code::Conflict,
                message!(
                    "no mail server is configured: whoever runs the service must set smtp_url and \
                     mail_from",
                    "no hay servidor de correo: quien opera el servicio debe configurar smtp_url y \
                     mail_from"
                ),
            ),
            InvoiceError::EmailRefused { reason } => Self::new(
                Code::ProviderError,
                within(&reason, |reason| {
                    message!(
                        "the mail server did not accept the email: {reason}",
                        "el servidor de correo no aceptó el mensaje: {reason}"
                    )
                }),
            ),
            InvoiceError::OrderInvoiced { order, invoice } => Self::new(
                Code::OrderAlreadyInvoiced,
                message!(
                    "order {order} is invoiced by {invoice}; cancel or delete that one first",
                    "el pedido {order} ya está facturado en {invoice}; primero cancele o elimine esa \
                     factura"
                ),
            ),
            InvoiceError::Findings(list) => findings(&list),
            InvoiceError::Withholding(refusal) => refusal.into(),
            InvoiceError::InsufficientCredits { available } => Self::new(
                Code::InsufficientCredits,
                message!(
                    "a stamp takes {STAMP_COST} credits and {available} are available",
                    "un timbre cuesta {STAMP_COST} créditos y hay {available} disponibles"
                ),
            ),
            InvoiceError::UnderWay => Self::new(
                Code::InProgress,
                message!(
                    "it is being stamped or cancelled at this moment; read it to see what came of it",
                    "se está timbrando o cancelando en este momento; léalo para conocer el resultado"
                ),
            ),
            InvoiceError::Provider(rejection) => rejected(&rejection),
            InvoiceError::ProviderUnavailable { reason } => Self::new(
                Code::ProviderError,
                within(&reason, |reason| {
                    message!(
                        "the provider did not take the request: {reason}. Nothing was stamped or \
                         cancelled and no credit was spent; try again later",
                        "el proveedor no aceptó la solicitud: {reason}. No se timbró ni canceló nada y no \
                         se gastaron créditos; intente más tarde"
                    )
                }),
            ),
            InvoiceError::OutcomeUnknown { reason } => Self::new(
                Code::ProviderTimeout,
                within(&reason, |reason| {
                    message!(
                        "the provider gave no answer that can be relied on: {reason}. It is being found \
                         out: read the document, or repeat the request. Neither makes a second stamp or \
                         charge",
                        "el proveedor no dio una respuesta confiable: {reason}. Se está averiguando: lea el \
                         documento o repita la solicitud. Ninguna de las dos timbra ni cobra dos veces"
                    )
                }),
            ),
            InvoiceError::Cancel(refusal) => refusal.into(),
            InvoiceError::ProviderInUse => Self::new(
                Code::InProgress,
                message!(
                    "documents are being stamped with the provider at this moment; until their outcome \
                     is known its password or token can be changed, but neither provider nor user",
                    "hay documentos timbrándose con el proveedor en este momento; hasta conocer su \
                     resultado se puede cambiar la contraseña o el token, pero no el proveedor ni el \
                     usuario"
                ),
            ),
            InvoiceError::FolioTaken { next } => Self::new(
                Code::Conflict,
                message!(
                    "the series is already past this folio; set nextFolio to {next} or more",
                    "la serie ya pasó de ese folio; ponga nextFolio en {next} o más"
                ),
            ),
            InvoiceError::TooManyIssuers => Self::new(
                Code::Conflict,
                message!(
                    "the account has {most} issuers, the most it may have; delete one",
                    "la cuenta tiene {most} emisores, el máximo permitido; elimine uno",
                    most = invoices::issuer::ISSUERS_MAX
                ),
            ),
            InvoiceError::KnownIssuer { id } => Self::new(
                Code::Conflict,
                message!(
                    "issuer {id} has the same RFC and tax regime",
                    "el emisor {id} tiene el mismo RFC y régimen fiscal"
                ),
            ),
            InvoiceError::SharedSeries { id, series } => Self::new(
                Code::Conflict,
                message!(
                    "issuer {id}, which has the same RFC, has the series {series:?} too: folios would be issued twice, \
                     so give series of other names",
                    "el emisor {id}, que tiene el mismo RFC, también tiene la serie {series:?}: se repetirían folios, \
                     así que indique series con otros nombres"
                ),
            ),
            InvoiceError::DefaultIssuer => Self::new(
                Code::Conflict,
                message!(
                    "the default issuer cannot be deleted: set isDefault to true on another one first",
                    "el emisor predeterminado no se puede eliminar: primero indique isDefault como true en otro"
                ),
            ),
            InvoiceError::IssuerInUse => Self::new(
                Code::Conflict,
                message!(
                    "drafts, documents being stamped or branches name this issuer: stamp or delete those documents, \
                     and give those branches another issuer",
                    "hay borradores, documentos por timbrar o sucursales con este emisor: timbre o elimine esos \
                     documentos y asigne otro emisor a esas sucursales"
                ),
            ),
            InvoiceError::TooManyBranches => Self::new(
                Code::Conflict,
                message!(
                    "the account has {most} branches, the most it may have; delete one",
                    "la cuenta tiene {most} sucursales, el máximo permitido; elimine una",
                    most = invoices::branch::BRANCHES_MAX
                ),
            ),
            InvoiceError::DuplicateBranch { holder } => Self::new(
                Code::Conflict,
                message!(
                    "branch {holder} has this name; choose another name",
                    "la sucursal {holder} tiene ese nombre; elija otro nombre"
                ),
            ),
            InvoiceError::TooManyFiles => Self::new(
                Code::Conflict,
                message!(
                    "the account has {most} files of jobs, the most it may have; they are removed after {days} days",
                    "la cuenta tiene {most} archivos de trabajos, el máximo permitido; se eliminan después de {days} días",
                    most = tasks::FILES_MAX,
                    days = tasks::FILE_SECONDS / 86_400
                ),
            ),
            InvoiceError::TooManyCertificates => Self::new(
                Code::Conflict,
                message!(
                    "the account has {most} certificates, the most it may have; delete one",
                    "la cuenta tiene {most} certificados, el máximo permitido; elimine uno",
                    most = invoices::issuer::CERTIFICATES_MAX
                ),
            ),
            InvoiceError::KnownCertificate { id } => Self::new(
                Code::Conflict,
                message!(
                    "the certificate was added before, as {id}",
                    "el certificado ya se había agregado, como {id}"
                ),
            ),
        }
    }
}

impl From<CancelRefusal> for ApiError {
    fn from(refusal: CancelRefusal) -> Self {
        match refusal {
            CancelRefusal::NotStamped { status } => {
                let Noun { english, spanish } = match status {
                    Status::Draft => noun("; delete it instead", "; elimínela en su lugar"),
                    Status::Stamping => {
                        noun("; wait until it is stamped", "; espere a que se timbre")
                    }
                    Status::Stamped | Status::Cancelled => noun("", ""),
                };
                let status = status.name();
                let message = message!(
                    "only a stamped invoice can be cancelled, and the status of this one is {status}{english}",
                    "solo se puede cancelar una factura timbrada, y esta se encuentra en estado \
                     {status}{spanish}"
                );
                Self::new(Code::InvalidTransition, message)
            }
            CancelRefusal::UnderWay { reason } => Self::new(
                Code::Conflict,
                message!(
                    "its cancellation was asked for before, with reason {reason}",
                    "su cancelación ya se había solicitado, con el motivo {reason}",
                    reason = reason.code()
                ),
            ),
            CancelRefusal::Related { uuids } => Self::new(
                Code::RelatedDocuments,
                message!(
                    "active documents reference the invoice; cancel them first: {uuids}",
                    "hay documentos vigentes relacionados con la factura; cancélelos primero: {uuids}",
                    uuids = uuids.join(", ")
                ),
            ),
            CancelRefusal::BadReplacement => Self::of_faults(&[FieldFault::new(
                "replacementUuid",
                message!(
                    "must be the uuid of a stamped invoice of this account that refers to this one \
                     with relation 04: POST to its /copy with \"replace\": true and stamp the copy",
                    "debe ser el uuid de una factura timbrada de esta cuenta relacionada con esta con \
                     la clave 04: use POST en su /copy con \"replace\": true y timbre la copia"
                ),
            )]),
            CancelRefusal::Replaced { uuid } => Self::of_faults(&[FieldFault::new(
                "reason",
                message!(
                    "must be \"01\" with \"replacementUuid\": \"{uuid}\", the stamped invoice that \
                     has taken its place",
                    "debe ser \"01\" con \"replacementUuid\": \"{uuid}\", la factura timbrada que la \
                     sustituye"
                ),
            )]),
            CancelRefusal::NoCertificate => {
                no_certificate(noun("sign the request", "firmar la solicitud"))
            }
        }
    }
}

/// What the tax authority would refuse of an invoice.
pub(crate) fn findings(list: &[Finding]) -> ApiError {
    ApiError::new(Code::InvoiceInvalid, told(list))
}

/// Findings, each with its code, field and cure.
pub(super) fn told(list: &[Finding]) -> Message {
    let unnamed = list.len().saturating_sub(FINDINGS_NAMED_MAX);
    Message::both(|language| {
        let named = list.iter().take(FINDINGS_NAMED_MAX);
        let named = named.map(|one| format!("{}: {}", one.code, one.message(language)));
        let rest = match language {
            _ if unnamed == 0 => None,
            Language::English => Some(format!("And {unnamed} more.")),
            Language::Spanish => Some(format!("Y {unnamed} más.")),
        };
        named.chain(rest).collect::<Vec<_>>().join(" ")
    })
}

/// What the provider says is in Spanish, whoever reads it.
fn rejected(Rejection { code, message: words }: &Rejection) -> ApiError {
    let message = message!(
        "the provider refused with code {code}: {words}. Nothing was stamped or cancelled and no \
         credit was spent",
        "el proveedor rechazó la solicitud con el código {code}: {words}. No se timbró ni canceló \
         nada y no se gastaron créditos"
    );
    ApiError::new(Code::RejectedByProvider, message)
}

fn no_certificate(to_what: Noun) -> ApiError {
    let Noun { english, spanish } = to_what;
    let message = message!(
        "no active certificate can {english}: POST /invoices/cfdi/issuer/certificates, or activate \
         one",
        "ningún certificado activo puede {spanish}: use POST /invoices/cfdi/issuer/certificates o \
         active uno"
    );
    ApiError::new(Code::CertificateMissing, message)
}

#[cfg(test)]
mod tests {
    use invoices::{BranchId, CancelReason, CertificateId, InvoiceId, IssuerId, OrderId};

    use super::*;

    fn rejection() -> Rejection {
        Rejection { code: "CFDI40147".to_owned(), message: "El nombre no coincide".to_owned() }
    }

    #[test]
    fn each_refusal_has_its_status_code_and_cure() {
        let cancel = InvoiceError::Cancel;
        let uuid = "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60".to_owned();
        let reason = || "the connection was cut".to_owned();
        let order = OrderId::from_u128(1);
        let invoice = InvoiceId::from_u128(2);
        for (error, status, code, words) in [
            (InvoiceError::NoIssuer, 409, "issuer_missing", "PUT /invoices/cfdi/issuer"),
            (InvoiceError::NoProvider, 409, "provider_missing", "PUT /invoices/cfdi/provider"),
            (InvoiceError::NoCertificate, 409, "certificate_missing", "/issuer/certificates"),
            (
                InvoiceError::NotDraft { status: Status::Stamped },
                409,
                "invalid_transition",
                "is stamped",
            ),
            (
                InvoiceError::NotStamped { status: Status::Draft },
                409,
                "invalid_transition",
                "this one is draft",
            ),
            (
                InvoiceError::OrderInvoiced { order, invoice },
                409,
                "order_already_invoiced",
                "inv_00000000000000000000000002",
            ),
            (InvoiceError::Findings(Vec::new()), 409, "invoice_invalid", ""),
            (
                InvoiceError::InsufficientCredits { available: 7 },
                402,
                "insufficient_credits",
                "takes 10 credits and 7 are",
            ),
            (InvoiceError::UnderWay, 409, "in_progress", "at this moment"),
            (InvoiceError::ProviderInUse, 409, "in_progress", "neither provider nor user"),
            (
                InvoiceError::Provider(rejection()),
                409,
                "rejected_by_provider",
                "code CFDI40147: El nombre no coincide",
            ),
            (
                InvoiceError::ProviderUnavailable { reason: reason() },
                502,
                "provider_error",
                "the connection was cut. Nothing was stamped",
            ),
            (
                InvoiceError::OutcomeUnknown { reason: reason() },
                504,
                "provider_timeout",
                "Neither makes a second stamp",
            ),
            (
                cancel(CancelRefusal::NotStamped { status: Status::Draft }),
                409,
                "invalid_transition",
                "delete it instead",
            ),
            (
                cancel(CancelRefusal::UnderWay { reason: CancelReason::Errors }),
                409,
                "conflict",
                "reason 02",
            ),
            (
                cancel(CancelRefusal::Related { uuids: vec![uuid.clone()] }),
                409,
                "related_documents",
                uuid.as_str(),
            ),
            (
                cancel(CancelRefusal::BadReplacement),
                400,
                "validation_failed",
                "replacementUuid must be",
            ),
            (
                cancel(CancelRefusal::Replaced { uuid: "6E1C".to_owned() }),
                400,
                "validation_failed",
                "reason must be \"01\" with \"replacementUuid\": \"6E1C\"",
            ),
            (
                cancel(CancelRefusal::NoCertificate),
                409,
                "certificate_missing",
                "can sign the request",
            ),
            (InvoiceError::FolioTaken { next: 8 }, 409, "conflict", "nextFolio to 8 or more"),
            (InvoiceError::TooManyIssuers, 409, "conflict", "has 50 issuers"),
            (
                InvoiceError::KnownIssuer { id: IssuerId::from_u128(3) },
                409,
                "conflict",
                "iss_00000000000000000000000003",
            ),
            (
                InvoiceError::SharedSeries { id: IssuerId::from_u128(3), series: "F".to_owned() },
                409,
                "conflict",
                "has the series \"F\" too",
            ),
            (InvoiceError::DefaultIssuer, 409, "conflict", "isDefault to true on another"),
            (InvoiceError::IssuerInUse, 409, "conflict", "another issuer"),
            (InvoiceError::TooManyBranches, 409, "conflict", "has 1000 branches"),
            (
                InvoiceError::DuplicateBranch { holder: BranchId::from_u128(3) },
                409,
                "conflict",
                "has this name",
            ),
            (InvoiceError::TooManyFiles, 409, "conflict", "after 7 days"),
            (InvoiceError::TooManyCertificates, 409, "conflict", "has 100 certificates"),
            (
                InvoiceError::KnownCertificate { id: CertificateId::from_u128(3) },
                409,
                "conflict",
                "csd_00000000000000000000000003",
            ),
        ] {
            let shown = format!("{error:?}");
            let answer = ApiError::from(error);
            assert_eq!((answer.code.status(), answer.code.name()), (status, code), "{shown}");
            assert!(answer.message.to_string().contains(words), "{shown}: {}", answer.message);
            let [english, spanish] = Language::EVERY.map(|one| answer.message.in_language(one));
            // Without findings there is nothing to say.
            assert!(english != spanish || code == "invoice_invalid", "{shown}: {spanish}");
        }
    }
}
