//! What the demo shop invoices with: an issuer, a certificate that only the sandbox takes, and credits.

use anyhow::anyhow;
use cfdi::csd::{key, rand_core::OsRng, sandbox};
use invoices::{
    Credits, Issuers, LedgerQuery, NewCertificate, OpenedCertificate, issuer::IssuerFields,
};
use kernel::{AccountId, Ctx, Timestamp};

use super::shop::GONE;
use crate::answers::{read, written};

/// The tax authority's own example of a company.
const RFC: &str = "EKU9003173C9";
const LEGAL_NAME: &str = "ESCUELA KEMPER URGATE";
const TAX_REGIME: &str = "601";
const TAX_ZIP: &str = "42501";
/// Enough for a hundred stamps.
const CREDITS: i64 = 1_000;

/// Makes what is missing.
pub(super) fn prepare(
    issuers: &dyn Issuers,
    credits: &dyn Credits,
    account: AccountId,
    now: Timestamp,
) -> anyhow::Result<()> {
    let ctx = || Ctx { account, now, idempotency: None };
    if read(issuers.issuer(account))?.is_none() {
        let fields = IssuerFields {
            rfc: RFC.to_owned(),
            legal_name: LEGAL_NAME.to_owned(),
            tax_regime: TAX_REGIME.to_owned(),
            tax_zip: TAX_ZIP.to_owned(),
            series: None,
            default_taxes: None,
        };
        written(issuers.set_issuer(ctx(), fields, None), GONE)?;
    }
    if read(issuers.certificates(account))?.is_empty() {
        written(issuers.add_certificate(ctx(), certificate(now)?), GONE)?;
    }
    if read(credits.ledger(account, LedgerQuery::default()))?.items.is_empty() {
        written(credits.grant(ctx(), CREDITS, Some("Demo".to_owned())), GONE)?;
    }
    Ok(())
}

/// A certificate in the form of the authority's, signed by nobody whom it would trust.
fn certificate(now: Timestamp) -> anyhow::Result<OpenedCertificate> {
    const PASSWORD: &str = "demo";
    let order = sandbox::Order::seal(RFC, LEGAL_NAME, now);
    let issued = sandbox::issue(&order, &mut OsRng).map_err(|error| anyhow!("{error}"))?;
    let private_key = key::encrypt(&issued.pkcs8_der, PASSWORD, &mut OsRng)
        .map_err(|problem| anyhow!("{problem}"))?;
    let (certificate, password) = (issued.cer_der, PASSWORD.to_owned());
    let opened = NewCertificate { certificate, private_key, password }.open();
    opened.map_err(|faults| anyhow!("{faults:?}"))
}
