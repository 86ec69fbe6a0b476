//! `/invoices/cfdi/issuer/certificates`: the certificates that seal what the account's issuers issue.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use invoices::{CertificateId, InvoiceError, IssuerCertificate, NewCertificate};
use kernel::PageRequest;

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    endpoint::{Endpoint, Segment, id, json, query, taking},
    error::{ApiError, Code},
    page::{Way, page_of_all},
    reply::{self, answered, computed, written},
};
use body::CertificateBody;

const CERTIFICATES: &str = CertificateBody::PATH;
const CERTIFICATE: &str = "/invoices/cfdi/issuer/certificates/{id}";
const ID: Segment<CertificateId> = id(CertificateId::PREFIX, CertificateId::parse);
const ACTIVATE: &str = "/invoices/cfdi/issuer/certificates/{id}/activate";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(CERTIFICATES, Scope::Invoices, taking(query(forms::LIST), list))
            .summary("List certificates")
            .describes(
                "Digital seal certificates (CSD) of all issuers, newest first. Private keys are never shown.",
            )
            .pages::<CertificateBody>("A page of certificates.", examples::PAGE),
        Endpoint::post(CERTIFICATES, Scope::Invoices, taking(json(forms::ADD), add_certificate))
            .summary("Add a certificate")
            .describes(
                "Adds a digital seal certificate (CSD) with its private key, using the files \
                 issued by SAT. The private key is stored encrypted with the service's master key; \
                 the password is not stored. It belongs to the issuers of its RFC, and is activated unless \
                 another valid one of that RFC is active. An e.firma (FIEL) certificate, one of an \
                 RFC that no issuer has, or one that is expired or not yet valid is refused.",
            )
            .answers::<CertificateBody>(201, "The certificate.", examples::CERTIFICATE)
            .refuses(&[Code::Conflict, Code::IssuerMissing]),
        Endpoint::get(CERTIFICATE, Scope::Invoices, taking(ID, show_certificate))
            .summary("Get a certificate")
            .answers::<CertificateBody>(200, "The certificate.", examples::CERTIFICATE),
        Endpoint::post(ACTIVATE, Scope::Invoices, taking(ID, activate))
            .summary("Activate a certificate")
            .describes(
                "Makes a certificate the one that seals for its RFC from now on, replacing the active one. \
                 Activating the active certificate has no effect.",
            )
            .answers::<CertificateBody>(200, "The updated certificate.", examples::CERTIFICATE),
        Endpoint::delete(CERTIFICATE, Scope::Invoices, taking(ID, delete))
            .summary("Delete a certificate")
            .describes(
                "Deletes a certificate and its private key. Invoices sealed with it are \
                 unaffected; their cancellation is signed with whichever certificate of its RFC is active at \
                 that time.",
            )
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
    ]
}

async fn add_certificate(call: Call, command: NewCertificate) -> Result<Answer, ApiError> {
    if answered(call.services().issuers.issuer(call.account, None)).await?.is_none() {
        return Err(InvoiceError::NoIssuer.into());
    }
    let opened = computed((&call.context, call.account), move || command.open()).await?;
    let opened = opened.map_err(|faults| ApiError::of_faults(&faults))?;
    let done = written(call.services().issuers.add_certificate(call.ctx()?, opened)).await?;
    Answer::created::<CertificateBody>(done)
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let certificates = answered(call.services().issuers.certificates(call.account)).await?;
    let page = page_of_all(certificates, &asked, (forms::ORDER, Way::Down), |certificate| {
        certificate.id.to_string()
    });
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
        call.expect_version(Some(body::VERSION))?;
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
