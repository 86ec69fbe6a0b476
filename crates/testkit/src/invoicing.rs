//! What invoices need before the first of them: an issuer, a certificate, credits.

use std::{sync::Arc, time::Duration};

use cfdi::csd::{key, sandbox::Issued};
use dispatch::{CertificationSettings, TaskSettings};
use invoices::{Credits, Issuers, NewCertificate, issuer::IssuerFields};
use kernel::{AccountId, Ctx, Timestamp};
use server::Certifying;
use store::Store;

use crate::{App, Client};

/// The password of the fixtures' keys.
pub const PASSWORD: &str = "12345678a";

/// The `.cer` and `.key` of a company, RFC EKU9003173C9.
pub const COMPANY: (&[u8], &[u8]) = (
    include_bytes!("../../cfdi/fixtures/csd/EKU9003173C9.cer"),
    include_bytes!("../../cfdi/fixtures/csd/EKU9003173C9.key"),
);

/// The `.cer` and `.key` of a person, RFC CACX7605101P8.
pub const PERSON: (&[u8], &[u8]) = (
    include_bytes!("../../cfdi/fixtures/csd/CACX7605101P8.cer"),
    include_bytes!("../../cfdi/fixtures/csd/CACX7605101P8.key"),
);

/// The `.cer` and `.key` of a certification provider.
const PROVIDER: (&[u8], &[u8]) = (
    include_bytes!("../../cfdi/fixtures/csd/AAA010101AAA_provider.cer"),
    include_bytes!("../../cfdi/fixtures/csd/AAA010101AAA_provider.key"),
);

/// The credits of [`App::issuer`].
pub const CREDITS: i64 = 1_000;

/// Quick to see what is due, and with short provider timeouts.
pub(crate) fn certifying() -> Certifying {
    let timeout = Duration::from_secs(2);
    Certifying {
        tasks: TaskSettings { sweep_interval: Duration::from_millis(50) },
        engine: CertificationSettings { provider_timeout: timeout },
        providers: outbound::pac::Settings { timeout, ..outbound::pac::Settings::default() },
    }
}

/// Gives the sandbox a certificate, which it would take a while to make.
pub(crate) fn give_identity(store: &Arc<Store>, now: Timestamp) {
    let (certificate, key_file) = PROVIDER;
    let made = || {
        let pkcs8_der = key::decrypt(key_file, PASSWORD).expect("the fixture's key opens");
        Ok(Issued { cer_der: certificate.to_vec(), pkcs8_der })
    };
    store.sandbox_identity(made, now).expect("the sandbox gets its certificate");
}

impl App {
    /// A client of a new account that can invoice: as EKU9003173C9, in 42501, with [`CREDITS`].
    #[must_use]
    pub fn issuer(&self) -> Client {
        let account = self.account();
        self.can_invoice(account);
        self.grant(account, CREDITS);
        self.client_of(account, "*")
    }

    /// Sets an account's issuer and gives it a certificate.
    pub fn can_invoice(&self, account: AccountId) {
        let store = self.running().store();
        let fields = IssuerFields {
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_regime: "601".to_owned(),
            tax_zip: "42501".to_owned(),
            series: None,
            default_taxes: None,
            shipping_taxes: None,
            stamps_receipts: None,
            stamps_credit_notes: None,
            is_default: None,
        };
        let set = store.set_issuer(self.ctx(account), None, fields, None);
        set.wait().expect("the store answers").expect("the issuer is set");
        let (certificate, private_key) = COMPANY;
        let command = NewCertificate {
            certificate: certificate.to_vec(),
            private_key: private_key.to_vec(),
            password: PASSWORD.to_owned(),
        };
        let opened = command.open().expect("SAT's test certificate opens");
        let added = store.add_certificate(self.ctx(account), opened);
        added.wait().expect("the store answers").expect("the certificate is added");
    }

    /// Grants credits.
    pub fn grant(&self, account: AccountId, credits: i64) {
        let granted = self.running().store().grant(self.ctx(account), credits, None);
        granted.wait().expect("the store answers").expect("credits are granted");
    }

    fn ctx(&self, account: AccountId) -> Ctx {
        Ctx::system(account, self.now())
    }
}
