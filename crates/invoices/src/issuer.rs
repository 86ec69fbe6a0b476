//! Issuers: the taxpayers on whose behalf an account invoices, with their certificates and the provider.

mod certificates;
mod choice;
mod several;
mod wanted;

use std::sync::Arc;

use cfdi::{
    csd::{Csd, CsdProblem},
    document::DocumentType,
    tax::TaxRate,
};
use kernel::{AccountId, FieldFault, Language, Timestamp, message};
use serde::{Deserialize, Serialize};

pub use certificates::{activated, added};
pub use choice::{CredentialsChange, choose, in_mode, responsible};
pub use several::{
    added as issuer_added, changed, deletable, named, no_longer_default, of_draft, unknown,
};
pub use wanted::{Secret, Wanted, resolved};

use crate::provider::ProviderKind;

kernel::ids! {
    /// An issuer's identifier.
    IssuerId = "iss";
    /// A certificate's identifier.
    CertificateId = "csd";
}

impl IssuerId {
    /// The first issuer of an account. Until an account could have several, its issuer had no identifier of its own.
    #[must_use]
    pub fn first_of(account: AccountId) -> Self {
        Self::from_u128(account.to_u128())
    }
}

/// The most characters of a legal name (cfdv40).
pub const LEGAL_NAME_CHARS_MAX: usize = 300;
/// The most certificates of an account.
pub const CERTIFICATES_MAX: usize = 100;
/// The most issuers of an account.
pub const ISSUERS_MAX: usize = 50;

/// A taxpayer on whose behalf an account invoices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issuer {
    /// Its identifier.
    pub id: IssuerId,
    /// Its RFC.
    pub rfc: String,
    /// Its name as registered, without the company's form.
    pub legal_name: String,
    /// A code of c_RegimenFiscal.
    pub tax_regime: String,
    /// The postal code where it issues.
    pub tax_zip: String,
    /// The series of each kind of document.
    pub series: Series,
    /// The taxes of what is sold where neither the item nor its product states any.
    pub default_taxes: Vec<TaxRate>,
    /// The taxes of the shipping of orders where the order states none; the default taxes if absent.
    pub shipping_taxes: Option<Vec<TaxRate>>,
    /// Whether receipts of payments (type P) that the service drafts are stamped by themselves.
    pub stamps_receipts: bool,
    /// Whether credit notes of refunds (type E) that the service drafts are stamped by themselves.
    pub stamps_credit_notes: bool,
    /// Whether a logo is printed.
    pub has_logo: bool,
    /// Whether it issues what names no issuer: one of an account does.
    pub is_default: bool,
    /// When it was first configured.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts its changes.
    pub version: i64,
}

/// What can be set of an issuer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerFields {
    /// Its RFC.
    pub rfc: String,
    /// Its name as registered, without the company's form.
    pub legal_name: String,
    /// A code of c_RegimenFiscal.
    pub tax_regime: String,
    /// The postal code where it issues.
    pub tax_zip: String,
    /// The series of each kind of document; the usual ones where none are given.
    pub series: Option<Series>,
    /// The taxes of what states none; 16 % of IVA where none are given.
    pub default_taxes: Option<Vec<TaxRate>>,
    /// The taxes of shipping, none of its own if `Some(None)`; as they were where that is not told.
    pub shipping_taxes: Option<Option<Vec<TaxRate>>>,
    /// Whether receipts that the service drafts are stamped by themselves; as it was where that is not told.
    pub stamps_receipts: Option<bool>,
    /// Whether credit notes that the service drafts are stamped by themselves; as it was where that is not told.
    pub stamps_credit_notes: Option<bool>,
    /// Whether it issues what names no issuer; as it was where that is not told.
    pub is_default: Option<bool>,
}

/// The series of each kind of document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Of sales.
    pub income: String,
    /// Of credit notes.
    pub credit: String,
    /// Of receipts of payment.
    pub payment: String,
    /// Of goods on the move.
    pub transfer: String,
}

impl Default for Series {
    /// The letters that most issuers use.
    fn default() -> Self {
        let [income, credit, payment, transfer] = ["F", "NC", "P", "T"].map(str::to_owned);
        Self { income, credit, payment, transfer }
    }
}

impl Series {
    /// The series of that kind.
    #[must_use]
    pub fn of(&self, kind: DocumentType) -> &str {
        match kind {
            DocumentType::Income => &self.income,
            DocumentType::Credit => &self.credit,
            DocumentType::Payment => &self.payment,
            DocumentType::Transfer => &self.transfer,
        }
    }
}

/// The issuer with a logo, or without one.
#[must_use]
pub fn with_logo(before: Issuer, has_logo: bool, now: Timestamp) -> Issuer {
    let version = before.version + 1;
    Issuer { has_logo, updated_at: now, version, ..before }
}

/// A certificate for sealing (CSD). Its private key is kept sealed and never shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuerCertificate {
    /// Its identifier.
    pub id: CertificateId,
    /// Its number, 20 digits.
    pub number: String,
    /// Whose it is.
    pub rfc: String,
    /// The holder's name as it has it.
    pub legal_name: String,
    /// Valid from.
    pub valid_from: Timestamp,
    /// Valid until.
    pub valid_until: Timestamp,
    /// Whether it seals: one of an RFC does.
    pub is_active: bool,
    /// When it was added.
    pub created_at: Timestamp,
}

/// A certificate to be added, as the authority's files have it.
#[derive(Clone)]
pub struct NewCertificate {
    /// The `.cer`: DER of X.509.
    pub certificate: Vec<u8>,
    /// The `.key`: DER of an encrypted PKCS#8 key.
    pub private_key: Vec<u8>,
    /// The key's password.
    pub password: String,
}

impl std::fmt::Debug for NewCertificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewCertificate(..)")
    }
}

impl NewCertificate {
    /// Opens it. The file says how much computing its password takes, so this is not to be done where it keeps others
    /// waiting.
    ///
    /// # Errors
    /// What is wrong with which field.
    pub fn open(&self) -> Result<OpenedCertificate, Vec<FieldFault>> {
        let csd = Csd::open(&self.certificate, &self.private_key, &self.password);
        csd.map(|csd| OpenedCertificate(Arc::new(csd))).map_err(|problem| vec![fault(&problem)])
    }
}

/// A certificate to be added, with its private key.
#[derive(Clone)]
pub struct OpenedCertificate(Arc<Csd>);

impl OpenedCertificate {
    /// Whose it is.
    #[must_use]
    pub fn rfc(&self) -> &str {
        self.0.certificate().rfc()
    }

    /// The pair, if it can seal for `rfc` at `now`.
    ///
    /// # Errors
    /// What is wrong with which field.
    pub fn sealing(&self, rfc: &str, now: Timestamp) -> Result<&Csd, Vec<FieldFault>> {
        let problems = self.0.problems_at(now, rfc);
        if problems.is_empty() { Ok(&self.0) } else { Err(problems.iter().map(fault).collect()) }
    }
}

fn fault(problem: &CsdProblem) -> FieldFault {
    let field = match problem {
        CsdProblem::WrongPassword => "password",
        CsdProblem::NotAKey | CsdProblem::KeyOfAnotherCertificate { .. } => "privateKey",
        CsdProblem::NotACertificate
        | CsdProblem::IsFiel { .. }
        | CsdProblem::NotACsd { .. }
        | CsdProblem::Expired { .. }
        | CsdProblem::NotYetValid { .. }
        | CsdProblem::OfAnotherRfc { .. } => "certificate",
    };
    let problem = problem.message();
    let (english, spanish) =
        (problem.in_language(Language::English), problem.in_language(Language::Spanish));
    FieldFault::new(field, message!("is refused: {english}", "se rechaza: {spanish}"))
}

/// How an account works with its provider; nobody is chosen by default. Credentials are kept sealed and never shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderChoice {
    /// Which; none while a live account has chosen nobody.
    pub kind: Option<ProviderKind>,
    /// The user it is called as, when it is called with user and password.
    pub user: Option<String>,
    /// What the sandbox pretends.
    pub simulate: Simulate,
    /// When it was chosen; none if it never was.
    pub updated_at: Option<Timestamp>,
}

impl ProviderChoice {
    /// Which choice it is, as a number: the time when it was made, or 1 before the first.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.updated_at.map_or(1, Timestamp::micros)
    }
}

/// What the sandbox pretends, so that a client can try what happens then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulate {
    /// When stamping.
    pub stamping: SimulatedStamping,
    /// When cancelling.
    pub cancellation: SimulatedCancellation,
}

/// What the sandbox pretends when it is to stamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SimulatedStamping {
    /// Nothing: it stamps.
    #[default]
    Normal,
    /// No answer comes, and nothing was stamped.
    Timeout,
    /// No answer comes, though it was stamped.
    TimeoutAfterStamping,
    /// Nothing listens.
    Unavailable,
}

/// What the sandbox pretends when it is to cancel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SimulatedCancellation {
    /// The receiver accepts at once where it is asked.
    #[default]
    Accept,
    /// The receiver rejects where it is asked.
    Reject,
    /// The receiver lets its three days pass.
    Expire,
    /// The receiver has not answered yet.
    Pending,
}

impl SimulatedStamping {
    /// Every one.
    pub const EVERY: &'static [Self] =
        &[Self::Normal, Self::Timeout, Self::TimeoutAfterStamping, Self::Unavailable];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Timeout => "timeout",
            Self::TimeoutAfterStamping => "timeoutAfterStamping",
            Self::Unavailable => "unavailable",
        }
    }
}

impl SimulatedCancellation {
    /// Every one.
    pub const EVERY: &'static [Self] = &[Self::Accept, Self::Reject, Self::Expire, Self::Pending];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Expire => "expire",
            Self::Pending => "pending",
        }
    }
}
