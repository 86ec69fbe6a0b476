//! Whether a customer could be invoiced, and the link by which they say it themselves.

use cfdi::{catalogs::zones::Zone, rules::Finding};
use crm::{Customer, CustomerId};
use invoices::{
    KnownCustomer,
    tax_data::{self, TaxCheck, TaxStatus},
};
use links::{LinkKind, Target};

use super::{PATH, edit::WRITE};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    page::Page,
    pages::{
        given_links::{self, GivenLink, Shown},
        invoices::told::finding,
    },
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

/// Whether an invoice could be made out to a customer, and what is to be corrected, in sentences.
pub(super) async fn checked(
    call: &Call<Member>,
    customer: &Customer,
) -> Result<(Pill, Vec<String>), Failure> {
    let say = call.say();
    let issuer = answered(call.services().issuers.issuer(call.account(), None)).await?;
    let place = issuer.as_ref().map(|issuer| issuer.tax_zip.as_str());
    let TaxCheck { status, findings, doubts } =
        tax_data::check(&KnownCustomer::from(customer), place, call.now());
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
        "taxResidence" => say.tax_residence(),
        "foreignTaxId" => say.foreign_tax_id(),
        other => other,
    };
    let clause = fault.problem.in_language(call.language);
    let clause = clause.strip_prefix(fault.field.as_str()).unwrap_or(clause).trim();
    format!("{label} {clause}")
}

fn target(id: CustomerId) -> Target {
    Target { kind: LinkKind::TaxData, subject: id.to_string() }
}

/// The link of a customer as it is shown, if there is one that works.
pub(super) async fn link(
    call: &Call<Member>,
    id: CustomerId,
    zone: Zone,
) -> Result<Option<GivenLink>, Failure> {
    let say = call.say();
    let shown = Shown {
        page: "/tax-data",
        id: "tax-link",
        label: say.tax_link(),
        close: (call.href(&format!("{PATH}/{id}/tax-link/close")), say.close_tax_link()),
    };
    let link = given_links::link(call, target(id)).await?;
    Ok(link.map(|link| GivenLink::new(call, &link, shown, zone)))
}

fn customer(call: &Call<Member>) -> Result<CustomerId, Failure> {
    CustomerId::parse(call.parameter("id")).ok_or(Failure::Nothing)
}

async fn open(call: Call<Member>) -> Result<Answer, Failure> {
    let id = customer(&call)?;
    let to = (format!("{PATH}/{id}"), "tax-link.opened");
    given_links::open(&call, target(id), LINK_DAYS, (&to.0, to.1)).await
}

async fn close(call: Call<Member>) -> Result<Answer, Failure> {
    let id = customer(&call)?;
    let to = (format!("{PATH}/{id}"), "tax-link.closed");
    given_links::close(&call, target(id), (&to.0, to.1)).await
}
