//! Test accounts: opened beside live ones, and given what it takes to invoice, so that nothing stands between a
//! developer and a first stamp.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use accounts::{Account, AccountError, Accounts, TestAccounts};
use anyhow::anyhow;
use cfdi::csd::{key, rand_core::OsRng, sandbox};
use invoices::{
    Credits, Issuers, LedgerQuery, NewCertificate, OpenedCertificate, issuer::IssuerFields,
};
use kernel::{AccountId, Ctx, Done, Fault, Pending, Refused, Timestamp, Written, threads};

use store::Store;

use crate::answers::{read, written};

/// The tax authority's own example of a company.
const RFC: &str = "EKU9003173C9";
const LEGAL_NAME: &str = "ESCUELA KEMPER URGATE";
const TAX_REGIME: &str = "601";
const TAX_ZIP: &str = "42501";
/// What is said of an account that was there a moment ago.
const REFUSED: &str = "the test account no longer exists";
/// Enough for a million stamps, so that nobody who tries has to ask for more.
const CREDITS: i64 = 10_000_000;

/// Opens test accounts beside requests, one at a time: each needs a certificate, which takes a second to make.
pub(crate) struct Opener {
    store: Arc<Store>,
    is_busy: Arc<AtomicBool>,
}

impl Opener {
    /// Of this store.
    pub(crate) fn new(store: Arc<Store>) -> Self {
        Self { store, is_busy: Arc::default() }
    }
}

impl TestAccounts for Opener {
    fn open(&self, live: AccountId, now: Timestamp) -> Pending<Written<Account, AccountError>> {
        if self.is_busy.swap(true, Ordering::AcqRel) {
            return Pending::ready(Err(Refused::Busy));
        }
        let (answer, pending) = Pending::channel();
        let (store, is_busy) = (Arc::clone(&self.store), Arc::clone(&self.is_busy));
        let work = move || {
            threads::give_way();
            let opened = open(&store, live, now);
            drop(store);
            is_busy.store(false, Ordering::Release);
            let unavailable =
                |error: anyhow::Error| Refused::Fault(Fault::Unavailable(format!("{error:#}")));
            answer.send(opened.map(Done::now).map_err(unavailable));
        };
        match thread::Builder::new().name("test-account".to_owned()).spawn(work) {
            Ok(_) => pending,
            Err(error) => {
                self.is_busy.store(false, Ordering::Release);
                Pending::ready(Err(Refused::Fault(Fault::Unavailable(error.to_string()))))
            }
        }
    }
}

/// Opens the test account of a live one, if there is none yet, and gives it what it lacks: an issuer, a certificate that
/// only the sandbox takes, and credits. A test account is its own.
///
/// # Errors
/// When there is no such account, or the database refuses.
pub(crate) fn open(store: &Store, live: AccountId, now: Timestamp) -> anyhow::Result<Account> {
    let missing = format!("no account {live}; see `trastienda account list`");
    let account = written(store.test_account(live, now), &missing)?;
    furnish(store, store, account.id, now)?;
    Ok(account)
}

fn furnish(
    issuers: &dyn Issuers,
    credits: &dyn Credits,
    account: AccountId,
    now: Timestamp,
) -> anyhow::Result<()> {
    let ctx = || Ctx::system(account, now);
    let mut known = read(issuers.issuers(account))?;
    if known.is_empty() {
        let fields = IssuerFields {
            rfc: RFC.to_owned(),
            legal_name: LEGAL_NAME.to_owned(),
            tax_regime: TAX_REGIME.to_owned(),
            tax_zip: TAX_ZIP.to_owned(),
            series: None,
            default_taxes: None,
            shipping_taxes: None,
            stamps_receipts: None,
            stamps_credit_notes: None,
            is_default: None,
        };
        known.push(written(issuers.add_issuer(ctx(), fields), REFUSED)?);
    }
    let certificates = read(issuers.certificates(account))?;
    let mut held: BTreeSet<String> = certificates.into_iter().map(|one| one.rfc).collect();
    // Of whomever it invoices as by now: SAT has test certificates of a few RFCs only.
    for issuer in known {
        if held.insert(issuer.rfc.clone()) {
            let opened = certificate(&issuer.rfc, &issuer.legal_name, now)?;
            written(issuers.add_certificate(ctx(), opened), REFUSED)?;
        }
    }
    if read(credits.ledger(account, LedgerQuery::default()))?.items.is_empty() {
        written(credits.grant(ctx(), CREDITS, Some("Test".to_owned())), REFUSED)?;
    }
    Ok(())
}

/// A certificate in the form of the authority's, signed by nobody whom it would trust. It is older than the oldest date of
/// issue that SAT takes, so that this can be tried at once.
fn certificate(rfc: &str, legal_name: &str, now: Timestamp) -> anyhow::Result<OpenedCertificate> {
    const PASSWORD: &str = "test";
    const AGE_SECONDS: i64 = 7 * 86_400;
    let order = sandbox::Order::seal(rfc, legal_name, now.plus_seconds(-AGE_SECONDS));
    let issued = sandbox::issue(&order, &mut OsRng).map_err(|error| anyhow!("{error}"))?;
    let private_key = key::encrypt(&issued.pkcs8_der, PASSWORD, &mut OsRng)
        .map_err(|problem| anyhow!("{problem}"))?;
    let (certificate, password) = (issued.cer_der, PASSWORD.to_owned());
    let opened = NewCertificate { certificate, private_key, password }.open();
    opened.map_err(|faults| anyhow!("{faults:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dated_back_can_be_sealed_at_once() {
        let now = Timestamp::from_micros(1_800_000_000_000_000);
        let opened = certificate(RFC, LEGAL_NAME, now).unwrap();
        for hours in [72, 0] {
            assert!(opened.sealing(RFC, now.plus_seconds(-3_600 * hours)).is_ok(), "{hours} h ago");
        }
    }
}
