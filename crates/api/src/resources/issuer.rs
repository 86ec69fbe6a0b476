//! `/invoices/cfdi/issuer`: the taxpayer that issues the account's invoices, with logo and certificates.

mod body;
mod certificate;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::SentBack;
use invoices::{CertificateId, InvoiceError, IssuerCertificate, IssuerFields, NewCertificate};
use kernel::{FieldFault, PageRequest, message};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, changes, id, json, plain, query, taking},
    error::{ApiError, Code},
    page::{in_memory, rows_before},
    reply::{self, answered, computed, written},
};
use body::IssuerBody;
use certificate::CertificateBody;

const ISSUER: &str = "/invoices/cfdi/issuer";
const LOGO: &str = "/invoices/cfdi/issuer/logo";
const CERTIFICATES: &str = CertificateBody::PATH;
const CERTIFICATE: &str = "/invoices/cfdi/issuer/certificates/{id}";
const ID: Segment<CertificateId> = id(CertificateId::PREFIX, CertificateId::parse);
const ACTIVATE: &str = "/invoices/cfdi/issuer/certificates/{id}/activate";

/// The `id` in the answer to the deletion of the logo.
const LOGO_ID: &str = "logo";

pub(super) fn endpoints() -> Vec<Endpoint> {
    issuer().into_iter().chain(certificates()).collect()
}

/// The issuer itself.
fn issuer() -> [Endpoint; 4] {
    [
        Endpoint::get(ISSUER, Scope::Invoices, plain(show))
            .of_only_one()
            .summary("Get the issuer")
            .describes(
                "The taxpayer that issues the account's invoices; 404 until one is configured.",
            )
            .answers::<IssuerBody>(200, "The issuer.", examples::ISSUER)
            .refuses(&[Code::NotFound]),
        Endpoint::put(ISSUER, Scope::Invoices, taking(changes(forms::ISSUER), set))
            .summary("Set the issuer")
            .describes(
                "Configures the taxpayer that issues the account's invoices. Replaces the whole \
                 resource; omitted fields take their defaults. Legal name, tax regime and postal \
                 code must match SAT's records. Drafts use the new issuer; stamped invoices are \
                 unaffected.",
            )
            .answers::<IssuerBody>(200, "The updated issuer.", examples::ISSUER),
        Endpoint::put(LOGO, Scope::Invoices, taking(json(forms::LOGO), set_logo))
            .summary("Set the logo")
            .describes(
                "Sets the image printed on the PDF of invoices: a PNG or JPEG of at most 256 KiB.",
            )
            .answers::<IssuerBody>(200, "The updated issuer.", examples::ISSUER)
            .refuses(&[Code::IssuerMissing]),
        Endpoint::delete(LOGO, Scope::Invoices, plain(delete_logo))
            .summary("Delete the logo")
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED_LOGO)
            .refuses(&[Code::IssuerMissing]),
    ]
}

/// The certificates that seal invoices.
fn certificates() -> [Endpoint; 5] {
    [
        Endpoint::get(CERTIFICATES, Scope::Invoices, taking(query(forms::LIST), list))
            .summary("List certificates")
            .describes(
                "Digital seal certificates (CSD), newest first. Private keys are never shown.",
            )
            .pages::<CertificateBody>("A page of certificates.", examples::PAGE),
        Endpoint::post(CERTIFICATES, Scope::Invoices, taking(json(forms::ADD), add_certificate))
            .summary("Add a certificate")
            .describes(
                "Adds a digital seal certificate (CSD) with its private key, using the files \
                 issued by SAT. The private key is stored encrypted with the service's master key; \
                 the password is not stored. The certificate is activated unless another valid one \
                 is active. An e.firma (FIEL) certificate, one of another RFC, or one that is \
                 expired or not yet valid is refused.",
            )
            .answers::<CertificateBody>(201, "The certificate.", examples::CERTIFICATE)
            .refuses(&[Code::Conflict, Code::IssuerMissing]),
        Endpoint::get(CERTIFICATE, Scope::Invoices, taking(ID, show_certificate))
            .summary("Get a certificate")
            .answers::<CertificateBody>(200, "The certificate.", examples::CERTIFICATE),
        Endpoint::post(ACTIVATE, Scope::Invoices, taking(ID, activate))
            .summary("Activate a certificate")
            .describes(
                "Makes a certificate the one that seals from now on, replacing the active one. \
                 Activating the active certificate has no effect.",
            )
            .answers::<CertificateBody>(200, "The updated certificate.", examples::CERTIFICATE),
        Endpoint::delete(CERTIFICATE, Scope::Invoices, taking(ID, delete))
            .summary("Delete a certificate")
            .describes(
                "Deletes a certificate and its private key. Invoices sealed with it are \
                 unaffected; their cancellation is signed with whichever certificate is active at \
                 that time.",
            )
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
    ]
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let issuer = answered(call.services().issuers.issuer(call.account)).await?;
    let issuer = IssuerBody::from(issuer.ok_or_else(untold)?);
    Answer::tagged(call.headers(), &issuer, issuer.etag())
}

async fn set(
    call: Call,
    (fields, sent_back): (IssuerFields, SentBack),
) -> Result<Answer, ApiError> {
    if !sent_back.is_empty() {
        let issuer = answered(call.services().issuers.issuer(call.account)).await?;
        match issuer.map(IssuerBody::from) {
            Some(issuer) => crud::unchanged_at(&call, sent_back, &issuer, issuer.etag())?,
            None => sent_back.refuse().map_err(|faults| ApiError::of_faults(&faults))?,
        }
    }
    let version = call.expected_version();
    let done = written(call.services().issuers.set_issuer(call.ctx()?, fields, version)).await?;
    changed(&IssuerBody::from(done.value))
}

async fn add_certificate(call: Call, command: NewCertificate) -> Result<Answer, ApiError> {
    if answered(call.services().issuers.issuer(call.account)).await?.is_none() {
        return Err(InvoiceError::NoIssuer.into());
    }
    let opened = computed((&call.context, call.account), move || command.open()).await?;
    let opened = opened.map_err(|faults| ApiError::of_faults(&faults))?;
    let done = written(call.services().issuers.add_certificate(call.ctx()?, opened)).await?;
    Answer::created::<CertificateBody>(done)
}

async fn set_logo(call: Call, image: Vec<u8>) -> Result<Answer, ApiError> {
    let printer = call.services().printer.clone();
    let image =
        computed((&call.context, call.account), move || printer.logo_to_keep(image)).await?;
    let image =
        image.map_err(|problem| ApiError::of_faults(&[FieldFault::new("image", problem)]))?;
    let (issuers, version) = (&call.services().issuers, call.expected_version());
    let done = written(issuers.set_logo(call.ctx()?, Some(image), version)).await?;
    changed(&IssuerBody::from(done.value))
}

async fn delete_logo(call: Call) -> Result<Answer, ApiError> {
    let version = call.expected_version();
    let done = written(call.services().issuers.set_logo(call.ctx()?, None, version)).await?;
    Answer::deleted(&kernel::Done { value: LOGO_ID, replayed: done.replayed })
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let certificates = answered(call.services().issuers.certificates(call.account)).await?;
    let total = certificates.len();
    let rows = certificates.into_iter().skip(rows_before(&asked)).take(asked.limit as usize);
    let page = in_memory(rows.collect(), total, &asked, forms::ORDER);
    Answer::page::<CertificateBody>(page, &asked)
}

async fn show_certificate(call: Call, id: CertificateId) -> Result<Answer, ApiError> {
    let certificate = named(&call, id).await?;
    Answer::shown::<CertificateBody>(call.headers(), certificate)
}

async fn activate(call: Call, id: CertificateId) -> Result<Answer, ApiError> {
    let done = written(call.services().issuers.activate_certificate(call.ctx()?, id)).await?;
    Answer::acted::<CertificateBody, _>(done)
}

async fn delete(call: Call, id: CertificateId) -> Result<Answer, ApiError> {
    if call.expected_version().is_some() {
        named(&call, id).await?;
        call.expect_version(Some(certificate::VERSION))?;
    }
    let done = written(call.services().issuers.delete_certificate(call.ctx()?, id)).await?;
    Answer::deleted(&done)
}

/// The certificate that the path names.
async fn named(call: &Call, id: CertificateId) -> Result<IssuerCertificate, ApiError> {
    let certificates = answered(call.services().issuers.certificates(call.account)).await?;
    let named = certificates.into_iter().find(|certificate| certificate.id == id);
    named.ok_or_else(reply::not_found)
}

fn changed(issuer: &IssuerBody) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, issuer)?.with(ETAG, issuer.etag())
}

fn untold() -> ApiError {
    let message = message!(
        "no issuer is configured: PUT /invoices/cfdi/issuer",
        "no hay un emisor configurado: PUT /invoices/cfdi/issuer"
    );
    ApiError::new(Code::NotFound, message)
}
