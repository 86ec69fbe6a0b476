//! Whether a customer could be invoiced, and the link by which they say it themselves.

use cfdi::rules::Finding;
use crm::{Customer, CustomerId};
use invoices::{
    KnownCustomer,
    tax_data::{self, TaxCheck, TaxStatus},
};
use kernel::{Refused, message};
use links::{Link, LinkKind, Target};

use super::{PATH, edit::WRITE};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    page::Page,
    pages::invoices::told::finding,
    parts::{Pill, Tone},
    reply::answered,
    texts::Say,
};

/// How many days a link works.
const LINK_DAYS: u32 = 30;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::post("customers/{id}/tax-link", WRITE, open),
        Page::post("customers/{id}/tax-link/close", WRITE, close),
    ]
}

/// A customer as invoices know it.
fn known(customer: &Customer) -> KnownCustomer {
    KnownCustomer {
        rfc: customer.rfc.clone(),
        legal_name: customer.legal_name.clone(),
        tax_regime: customer.tax_regime.clone(),
        tax_zip: customer.tax_zip.clone(),
        cfdi_use: customer.cfdi_use.clone(),
    }
}

/// Whether an invoice could be made out to a customer, and what is to be corrected, in sentences.
pub(super) async fn checked(
    call: &Call<Member>,
    customer: &Customer,
) -> Result<(Pill, Vec<String>), Failure> {
    let say = call.say();
    let issuer = answered(call.services().issuers.issuer(call.account(), None)).await?;
    let place = issuer.as_ref().map(|issuer| issuer.tax_zip.as_str());
    let TaxCheck { status, findings, doubts } =
        tax_data::check(&known(customer), place, call.now());
    let pill = match status {
        TaxStatus::Valid => Pill::new(Tone::Good, say.tax_valid()),
        TaxStatus::Doubtful => Pill::new(Tone::Waiting, say.tax_doubtful()),
        TaxStatus::Invalid => Pill::new(Tone::Bad, say.tax_invalid()),
        TaxStatus::Incomplete => Pill::new(Tone::Waiting, say.tax_incomplete()),
        TaxStatus::Missing => Pill::new(Tone::Plain, say.tax_missing()),
    };
    // Who has given nothing is not told of each field.
    let told = findings.iter().chain(&doubts).filter(|_| status != TaxStatus::Missing);
    Ok((pill, told.map(|one| sentence(call, say, one)).collect()))
}

fn sentence(call: &Call<Member>, say: Say, found: &Finding) -> String {
    let fault = finding(found);
    let field = fault.field.strip_prefix("receiver.").unwrap_or(&fault.field);
    let label = match field {
        "rfc" => say.rfc(),
        "legalName" | "name" => say.legal_name(),
        "taxRegime" => say.tax_regime(),
        "taxZip" => say.tax_zip(),
        "cfdiUse" => say.cfdi_use(),
        other => other,
    };
    let clause = fault.problem.in_language(call.language);
    let clause = clause.strip_prefix(fault.field.as_str()).unwrap_or(clause).trim();
    format!("{label} {clause}")
}

fn target(id: CustomerId) -> Target {
    Target { kind: LinkKind::TaxData, subject: id.to_string() }
}

/// The link of a customer, if there is one that works.
pub(super) async fn link(call: &Call<Member>, id: CustomerId) -> Result<Option<Link>, Failure> {
    answered(call.services().links.get(call.account(), target(id), call.now())).await
}

/// The address of its page.
pub(super) fn url(call: &Call<Member>, link: &Link) -> String {
    format!("{}/tax-data/{}", call.public_url(), link.token.reveal())
}

fn customer(call: &Call<Member>) -> Result<CustomerId, Failure> {
    CustomerId::parse(call.parameter("id")).ok_or(Failure::Nothing)
}

async fn open(call: Call<Member>) -> Result<Answer, Failure> {
    let id = customer(&call)?;
    let opened = call.services().links.open(call.ctx(), target(id), LINK_DAYS).await;
    settled(&call, id, opened.map(|opened| opened.map(drop)), "tax-link.opened")
}

async fn close(call: Call<Member>) -> Result<Answer, Failure> {
    let id = customer(&call)?;
    let closed = call.services().links.close(call.ctx(), target(id), None).await;
    settled(&call, id, closed.map(|closed| closed.map(drop)), "tax-link.closed")
}

/// Back to the customer, once it is done or was before.
fn settled<E>(
    call: &Call<Member>,
    id: CustomerId,
    done: Option<Result<(), Refused<E>>>,
    word: &str,
) -> Result<Answer, Failure> {
    match done {
        None => Err(Failure::Unavailable("the store is gone".to_owned())),
        Some(Err(Refused::Fault(fault))) => Err(fault.into()),
        Some(Err(Refused::NotFound)) => Err(Failure::Nothing),
        Some(Err(_)) => Err(Failure::Malformed(message!(
            "This cannot be done as it stands: look at the customer again.",
            "Así no se puede hacer: vuelve a ver al cliente."
        ))),
        Some(Ok(())) => Ok(call.done_at(&format!("{PATH}/{id}"), word)),
    }
}
