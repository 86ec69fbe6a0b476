//! The use cases of invoices.

use cfdi::{document::DocumentType, rules::Finding};
use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Refused, Timestamp, Written};

use crate::{
    Balance, Branch, BranchId, CancelRefusal, CertificateId, Certified, CreditEntry, Fields,
    Invoice, InvoiceId, InvoiceQuery, Issuer, IssuerCertificate, IssuerFields, IssuerId, Ledger,
    LedgerQuery, NewBranch, OpenedCertificate, OrderId, ProviderChoice, SheetSettings, Status,
    UpdateBranch,
    issuer::Simulate,
    provider::{Credentials, ProviderKind, Rejection},
    references::Referrer,
    series::SeriesFolio,
    sums::{Sums, SumsQuery},
    withholding,
};

/// Why a command about invoices was refused.
#[derive(Clone, Debug, PartialEq)]
pub enum InvoiceError {
    /// No issuer is configured.
    NoIssuer,
    /// There is no active certificate that could seal.
    NoCertificate,
    /// No provider is chosen; the sandbox stamps for test accounts only.
    NoProvider,
    /// Only a draft can be changed, deleted or stamped.
    NotDraft {
        /// Its status.
        status: Status,
    },
    /// Only a stamped invoice can be replaced, or have an addenda.
    NotStamped {
        /// Its status.
        status: Status,
    },
    /// Another invoice is made of the order.
    OrderInvoiced {
        /// The order.
        order: OrderId,
        /// The invoice.
        invoice: InvoiceId,
    },
    /// The rules of the tax authority refuse it.
    Findings(Vec<Finding>),
    /// The account has not the credits that a stamp takes.
    InsufficientCredits {
        /// What it has.
        available: i64,
    },
    /// It is being stamped, or cancelled, right now.
    UnderWay,
    /// The provider refused, and nothing was stamped or cancelled.
    Provider(Rejection),
    /// The provider did not look at it: nothing was stamped or cancelled.
    ProviderUnavailable {
        /// Why.
        reason: String,
    },
    /// The provider gave no answer that can be relied on. It is being found out.
    OutcomeUnknown {
        /// What was seen.
        reason: String,
    },
    /// It cannot be cancelled.
    Cancel(CancelRefusal),
    /// The provider is stamping, so neither it nor its user can be changed.
    ProviderInUse,
    /// Only a stamped invoice can be sent by email.
    NothingToEmail,
    /// The service has no mail server to send emails with.
    NoMailServer,
    /// The mail server did not accept the email, which is given up.
    EmailRefused {
        /// What it said.
        reason: String,
    },
    /// The account has as many issuers as it may have.
    TooManyIssuers,
    /// Another issuer has the same RFC and tax regime.
    KnownIssuer {
        /// Which.
        id: IssuerId,
    },
    /// Another issuer of the same RFC numbers documents of a series of this name, too.
    SharedSeries {
        /// Which.
        id: IssuerId,
        /// The series.
        series: String,
    },
    /// The default issuer cannot be deleted.
    DefaultIssuer,
    /// Drafts or branches name the issuer.
    IssuerInUse,
    /// The account has as many branches as it may have.
    TooManyBranches,
    /// Another branch has this name.
    DuplicateBranch {
        /// Which.
        holder: BranchId,
    },
    /// The account has as many files of jobs as it may have.
    TooManyFiles,
    /// The account has as many certificates as it may have.
    TooManyCertificates,
    /// The series has been past the folio that is to come next.
    FolioTaken {
        /// The least that can come next.
        next: u64,
    },
    /// The certificate was added before.
    KnownCertificate {
        /// Under which identifier.
        id: CertificateId,
    },
    /// A refusal of withholdings alone.
    Withholding(withholding::Refusal),
}

/// An invoice to be made.
#[derive(Clone, Debug)]
pub struct NewInvoice {
    /// What it is.
    pub kind: DocumentType,
    /// Its fields.
    pub fields: Fields,
    /// Whether it is going to be stamped at once: then no draft is made of what could not be.
    pub is_to_stamp: bool,
}

/// A change of one draft.
#[derive(Clone, Debug)]
pub struct UpdateInvoice {
    /// Which.
    pub id: InvoiceId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
    pub fields: Fields,
}

/// A draft to be made after another invoice.
#[derive(Clone, Debug)]
pub struct CopyInvoice {
    /// Which.
    pub id: InvoiceId,
    /// Whether it is to take the place of the other (relation `04`), which must be stamped then.
    pub replaces: bool,
}

/// A draft that is looked at before it is made or changed.
#[derive(Clone, Debug)]
pub enum Proposed {
    /// One that is to be made.
    New(NewInvoice),
    /// One that is to be changed, as it was read.
    Change(Box<Invoice>, UpdateInvoice),
}

/// What a draft would be, and what is to be said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The draft; a new one has no identifier yet.
    pub invoice: Invoice,
    /// What it would be refused for.
    pub validation: Validation,
    /// Who would stamp it; none while a live account has chosen nobody.
    pub provider: Option<ProviderKind>,
    /// The issuers of the account.
    pub issuers: Vec<Issuer>,
}

/// An invoice with the documents that are kept of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Documents {
    /// The invoice.
    pub invoice: Invoice,
    /// The stamped document, with its addenda; the sealed one while it is being stamped.
    pub xml: Option<String>,
    /// What was appended to it for the buyer.
    pub addenda: Option<String>,
    /// The number of the certificate it is sealed with.
    pub certificate_number: Option<String>,
    /// The authority's receipt of the request to cancel it.
    pub receipt: Option<String>,
    /// The issuer's logo.
    pub logo: Option<Vec<u8>>,
    /// The branch that it is issued at, if there still is one.
    pub branch: Option<Branch>,
    /// How it is printed.
    pub sheet: SheetSettings,
}

/// What a draft would be refused for.
pub type Findings = Vec<Finding>;

/// What is to be said of a draft before it is stamped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Validation {
    /// What it would be refused for.
    pub findings: Findings,
    /// What is nearly always a mistake.
    pub warnings: Findings,
}

/// Invoices, each method one transaction with its events.
pub trait Invoices: Send + Sync {
    /// One invoice; `None` when the account has no such invoice.
    fn get(&self, account: AccountId, id: InvoiceId) -> Pending<Result<Option<Invoice>, Fault>>;

    /// The same as it was written last: what follows from a draft may have changed since.
    fn as_written(
        &self,
        account: AccountId,
        id: InvoiceId,
    ) -> Pending<Result<Option<Invoice>, Fault>>;

    /// A page of invoices.
    fn list(
        &self,
        account: AccountId,
        query: InvoiceQuery,
    ) -> Pending<Result<Page<Invoice>, Fault>>;

    /// What invoices add up to, exactly; `None` while the sums of too many of before an upgrade are still to be made.
    fn sums(
        &self,
        account: AccountId,
        query: SumsQuery,
    ) -> Pending<Result<Option<Vec<Sums>>, Fault>>;

    /// Makes a draft.
    fn create(&self, ctx: Ctx, command: NewInvoice) -> Pending<Written<Invoice, InvoiceError>>;

    /// Changes a draft.
    fn update(&self, ctx: Ctx, command: UpdateInvoice) -> Pending<Written<Invoice, InvoiceError>>;

    /// Deletes a draft.
    fn delete(
        &self,
        ctx: Ctx,
        id: InvoiceId,
        version: Option<i64>,
    ) -> Pending<Written<InvoiceId, InvoiceError>>;

    /// Makes a draft after another invoice.
    fn copy(&self, ctx: Ctx, command: CopyInvoice) -> Pending<Written<Invoice, InvoiceError>>;

    /// Everything a draft would be refused for at `now`; nothing is spent. A sealed invoice has no findings.
    fn validate(
        &self,
        account: AccountId,
        id: InvoiceId,
        now: Timestamp,
    ) -> Pending<Result<Option<Validation>, Fault>>;

    /// The documents of the account that refer to one: its receipts of payments, credit notes and whatever takes its place,
    /// cancelled ones too; of what is not sealed yet the newest drafts of receipts and credit notes.
    fn referrers(&self, account: AccountId, of: &Invoice) -> Pending<Result<Vec<Referrer>, Fault>>;

    /// The same of what is sealed alone: a draft keeps nothing from being cancelled.
    fn sealed_referrers(
        &self,
        account: AccountId,
        of: &Invoice,
    ) -> Pending<Result<Vec<Referrer>, Fault>>;

    /// What a draft would be if it were made or changed so at `now`; nothing is written. It is refused for what making or
    /// changing it would be refused for.
    fn judge(
        &self,
        account: AccountId,
        proposed: Proposed,
        now: Timestamp,
    ) -> Pending<Result<Result<Judged, Refused<InvoiceError>>, Fault>>;

    /// Sets what is appended to the document of a stamped invoice for its buyer, [checked](cfdi::addenda::check); `None`
    /// removes it.
    fn set_addenda(
        &self,
        ctx: Ctx,
        id: InvoiceId,
        addenda: Option<String>,
    ) -> Pending<Written<Invoice, InvoiceError>>;

    /// An invoice with its documents.
    fn documents(
        &self,
        account: AccountId,
        id: InvoiceId,
    ) -> Pending<Result<Option<Documents>, Fault>>;
}

/// A provider to be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChooseProvider {
    /// Which.
    pub kind: ProviderKind,
    /// What it is called with; `None` keeps what is kept for the same kind.
    pub credentials: Option<Credentials>,
    /// What the sandbox is to pretend.
    pub simulate: Simulate,
}

/// The issuers of an account, their certificates and the provider. Where `which` names no issuer, the default one is meant.
pub trait Issuers: Send + Sync {
    /// Every issuer, the default one first, then as they were added.
    fn issuers(&self, account: AccountId) -> Pending<Result<Vec<Issuer>, Fault>>;

    /// One issuer; `None` when the account has no such one.
    fn issuer(
        &self,
        account: AccountId,
        which: Option<IssuerId>,
    ) -> Pending<Result<Option<Issuer>, Fault>>;

    /// Adds an issuer.
    fn add_issuer(&self, ctx: Ctx, fields: IssuerFields) -> Pending<Written<Issuer, InvoiceError>>;

    /// Sets an issuer, over the version that the caller may have seen; the default one is added where there is none.
    fn set_issuer(
        &self,
        ctx: Ctx,
        which: Option<IssuerId>,
        fields: IssuerFields,
        version: Option<i64>,
    ) -> Pending<Written<Issuer, InvoiceError>>;

    /// Deletes an issuer that nothing names.
    fn delete_issuer(
        &self,
        ctx: Ctx,
        id: IssuerId,
        version: Option<i64>,
    ) -> Pending<Written<IssuerId, InvoiceError>>;

    /// Sets or removes the logo, PNG or JPEG; of the version as in [`set_issuer`](Self::set_issuer).
    fn set_logo(
        &self,
        ctx: Ctx,
        which: Option<IssuerId>,
        logo: Option<Vec<u8>>,
        version: Option<i64>,
    ) -> Pending<Written<Issuer, InvoiceError>>;

    /// How the issuer's invoices are printed; as usual where there is no issuer, or nothing was set.
    fn sheet(
        &self,
        account: AccountId,
        which: Option<IssuerId>,
    ) -> Pending<Result<SheetSettings, Fault>>;

    /// Sets how the issuer's invoices are printed; of the version as in [`set_issuer`](Self::set_issuer).
    fn set_sheet(
        &self,
        ctx: Ctx,
        which: Option<IssuerId>,
        settings: SheetSettings,
        version: Option<i64>,
    ) -> Pending<Written<SheetSettings, InvoiceError>>;

    /// The certificates, newest first.
    fn certificates(&self, account: AccountId) -> Pending<Result<Vec<IssuerCertificate>, Fault>>;

    /// Adds a certificate of an issuer's RFC, and activates it if no other valid one of the RFC is active.
    fn add_certificate(
        &self,
        ctx: Ctx,
        certificate: OpenedCertificate,
    ) -> Pending<Written<IssuerCertificate, InvoiceError>>;

    /// Has its RFC seal with this certificate from now on.
    fn activate_certificate(
        &self,
        ctx: Ctx,
        id: CertificateId,
    ) -> Pending<Written<IssuerCertificate, InvoiceError>>;

    /// Forgets a certificate and its key.
    fn delete_certificate(
        &self,
        ctx: Ctx,
        id: CertificateId,
    ) -> Pending<Written<CertificateId, InvoiceError>>;

    /// A page of the series that invoices have and those that issuers and branches name, by issuer and name; of all issuers
    /// where `which` names none.
    fn series(
        &self,
        account: AccountId,
        which: Option<IssuerId>,
        page: PageRequest,
    ) -> Pending<Result<Page<SeriesFolio>, Fault>>;

    /// One of them.
    fn one_series(
        &self,
        account: AccountId,
        issuer: IssuerId,
        series: String,
    ) -> Pending<Result<Option<SeriesFolio>, Fault>>;

    /// Has a series of an issuer go on with this folio, over the one that the caller has seen come next.
    fn set_series(
        &self,
        ctx: Ctx,
        series: (Option<IssuerId>, String),
        next_folio: u64,
        seen: Option<i64>,
    ) -> Pending<Written<SeriesFolio, InvoiceError>>;

    /// Which provider stamps.
    fn provider(&self, account: AccountId) -> Pending<Result<ProviderChoice, Fault>>;

    /// Chooses the provider, over the choice of this version if it says one.
    fn choose_provider(
        &self,
        ctx: Ctx,
        command: ChooseProvider,
        seen: Option<i64>,
    ) -> Pending<Written<ProviderChoice, InvoiceError>>;
}

/// The branches of an account.
pub trait Branches: Send + Sync {
    /// Every branch, newest first.
    fn branches(&self, account: AccountId) -> Pending<Result<Vec<Branch>, Fault>>;

    /// One branch; `None` when the account has no such branch.
    fn branch(&self, account: AccountId, id: BranchId) -> Pending<Result<Option<Branch>, Fault>>;

    /// Makes a branch.
    fn create_branch(&self, ctx: Ctx, command: NewBranch)
    -> Pending<Written<Branch, InvoiceError>>;

    /// Changes a branch.
    fn update_branch(
        &self,
        ctx: Ctx,
        command: UpdateBranch,
    ) -> Pending<Written<Branch, InvoiceError>>;

    /// Deletes a branch. Invoices keep its identifier.
    fn delete_branch(
        &self,
        ctx: Ctx,
        id: BranchId,
        version: Option<i64>,
    ) -> Pending<Written<BranchId, InvoiceError>>;
}

/// The credits of an account.
pub trait Credits: Send + Sync {
    /// What there is.
    fn balance(&self, account: AccountId) -> Pending<Result<Balance, Fault>>;

    /// A page of the ledger.
    fn ledger(&self, account: AccountId, query: LedgerQuery) -> Pending<Result<Ledger, Fault>>;

    /// Gives credits.
    fn grant(
        &self,
        ctx: Ctx,
        amount: i64,
        note: Option<String>,
    ) -> Pending<Written<CreditEntry, InvoiceError>>;
}

/// Carries out what needs a provider, which may take as long as its time-out: whoever stops waiting stops nothing.
pub trait Certifier<T: Certified>: Send + Sync {
    /// Stamps it; what is stamped already is the answer as it is. Given the version that the caller has seen, it is
    /// [`Refused::Stale`] if the draft has been changed since, before or after it was stamped. What attempts to stamp it change is no
    /// change of the draft.
    fn stamp(&self, ctx: Ctx, id: T::Id, version: Option<i64>)
    -> Pending<Written<T, InvoiceError>>;

    /// Cancels it.
    fn cancel(&self, ctx: Ctx, command: T::Cancel) -> Pending<Written<T, InvoiceError>>;
}
