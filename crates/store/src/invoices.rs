//! Invoices: drafts, the issuer, credits, and the sagas with providers.

pub(crate) mod abandoning;
mod around;
mod attaching;
mod branches;
mod calls;
mod cancelling;
mod certificates;
mod credits;
mod documents;
mod emails;
mod exports;
pub(crate) mod facts;
mod folios;
mod fresh;
pub(crate) mod global;
mod holders;
mod issuers;
mod judging;
mod kept;
mod known;
pub(crate) mod legacy;
mod list;
mod named;
mod papers;
mod provider;
mod relations;
mod sandbox;
pub(crate) mod sealed;
mod series;
mod settling;
mod stamping;
mod steps;
mod sums;
mod together;
pub(crate) mod withholdings;
mod write;

pub(crate) use cancelling::judge as judge_cancelling;
pub(crate) use emails::open as open_email;
pub(crate) use issuers::zone;
pub(crate) use write::create as draft;

use ::accounts::{Act, Action};
use ::invoices::{
    Balance, Branch, BranchId, Branches, CancelInvoice, CertificateId, ChooseProvider, CopyInvoice,
    CreditEntry, Credits, Documents, Invoice, InvoiceError, InvoiceId, InvoiceQuery, Invoices,
    Issuer, IssuerCertificate, IssuerFields, IssuerId, Issuers, Judged, Ledger, LedgerQuery,
    NewBranch, NewInvoice, OpenedCertificate, Proposed, ProviderCalls, ProviderChoice,
    SheetSettings, UpdateBranch, UpdateInvoice, Validation,
    calls::{Begun, Ended, ProviderCall, Recorded},
    credits::grant,
    references::Referrer,
    series::SeriesFolio,
    sums::{Sums, SumsQuery},
};
use ::tasks::ClaimId;
use base64::{Engine, engine::general_purpose::STANDARD};
use kernel::{
    AccountId, Ctx, Done, Fault, Idempotency, Page, PageRequest, Pending, Refused, Timestamp,
    Written,
};

use crate::{
    accounts, audit, invoicing as rows,
    readers::{Cost, snapshot},
    store::Store,
};
use together::{Settling, submit};

impl Invoices for Store {
    fn get(&self, account: AccountId, id: InvoiceId) -> Pending<Result<Option<Invoice>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| {
                let invoice = rows::by_id(db, account, id)?;
                fresh::seen_one(db, account, invoice)
            })
        })
    }

    fn as_written(
        &self,
        account: AccountId,
        id: InvoiceId,
    ) -> Pending<Result<Option<Invoice>, Fault>> {
        self.engine.read(Cost::Small, move |db| rows::by_id(db, account, id))
    }

    fn list(
        &self,
        account: AccountId,
        query: InvoiceQuery,
    ) -> Pending<Result<Page<Invoice>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::list(db, account, &query))
        })
    }

    fn sums(
        &self,
        account: AccountId,
        query: SumsQuery,
    ) -> Pending<Result<Option<Vec<Sums>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| sums::sums(db, account, &query))
        })
    }

    fn create(&self, ctx: Ctx, command: NewInvoice) -> Pending<Written<Invoice, InvoiceError>> {
        self.write(ctx, move |tx, ctx| write::create(tx, ctx, &command))
    }

    fn update(&self, ctx: Ctx, command: UpdateInvoice) -> Pending<Written<Invoice, InvoiceError>> {
        self.write(ctx, move |tx, ctx| write::update(tx, ctx, &command))
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: InvoiceId,
        version: Option<i64>,
    ) -> Pending<Written<InvoiceId, InvoiceError>> {
        self.write(ctx, move |tx, ctx| write::delete(tx, ctx, id, version))
    }

    fn copy(&self, ctx: Ctx, command: CopyInvoice) -> Pending<Written<Invoice, InvoiceError>> {
        self.write(ctx, move |tx, ctx| write::copy(tx, ctx, &command))
    }

    fn validate(
        &self,
        account: AccountId,
        id: InvoiceId,
        now: Timestamp,
    ) -> Pending<Result<Option<Validation>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| stamping::findings(db, &vault, account, id, now))
        })
    }

    fn referrers(&self, account: AccountId, of: &Invoice) -> Pending<Result<Vec<Referrer>, Fault>> {
        let (id, uuid) = (of.id, of.uuid().map(str::to_owned));
        let rfc = of.document.receiver.rfc.clone();
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| match &uuid {
                Some(uuid) => relations::with_drafts(db, account, (id, uuid, &rfc)),
                None => Ok(Vec::new()),
            })
        })
    }

    fn sealed_referrers(
        &self,
        account: AccountId,
        of: &Invoice,
    ) -> Pending<Result<Vec<Referrer>, Fault>> {
        let uuid = of.uuid().map(str::to_owned);
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| match &uuid {
                Some(uuid) => relations::referrers(db, account, uuid),
                None => Ok(Vec::new()),
            })
        })
    }

    fn judge(
        &self,
        account: AccountId,
        proposed: Proposed,
        now: Timestamp,
    ) -> Pending<Result<Result<Judged, Refused<InvoiceError>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| judging::judge(db, account, &proposed, now))
        })
    }

    fn set_addenda(
        &self,
        ctx: Ctx,
        id: InvoiceId,
        addenda: Option<String>,
    ) -> Pending<Written<Invoice, InvoiceError>> {
        self.write(ctx, move |tx, ctx| {
            documents::set_addenda(tx, ctx.account, id, addenda.as_deref())
        })
    }

    fn documents(
        &self,
        account: AccountId,
        id: InvoiceId,
    ) -> Pending<Result<Option<Documents>, Fault>> {
        self.engine.read(Cost::Small, move |db| snapshot(db, |db| documents::all(db, account, id)))
    }
}

impl Issuers for Store {
    fn issuers(&self, account: AccountId) -> Pending<Result<Vec<Issuer>, Fault>> {
        self.engine.read(Cost::Small, move |db| issuers::all(db, account))
    }

    fn issuer(
        &self,
        account: AccountId,
        which: Option<IssuerId>,
    ) -> Pending<Result<Option<Issuer>, Fault>> {
        self.engine.read(Cost::Small, move |db| issuers::one(db, account, which))
    }

    fn add_issuer(&self, ctx: Ctx, fields: IssuerFields) -> Pending<Written<Issuer, InvoiceError>> {
        self.write(ctx, move |tx, ctx| issuers::add(tx, ctx, fields.clone()))
    }

    fn set_issuer(
        &self,
        ctx: Ctx,
        which: Option<IssuerId>,
        fields: IssuerFields,
        version: Option<i64>,
    ) -> Pending<Written<Issuer, InvoiceError>> {
        self.write(ctx, move |tx, ctx| issuers::set(tx, ctx, which, fields.clone(), version))
    }

    fn delete_issuer(
        &self,
        ctx: Ctx,
        id: IssuerId,
        version: Option<i64>,
    ) -> Pending<Written<IssuerId, InvoiceError>> {
        self.write(ctx, move |tx, ctx| issuers::delete(tx, ctx, id, version))
    }

    fn set_logo(
        &self,
        ctx: Ctx,
        which: Option<IssuerId>,
        logo: Option<Vec<u8>>,
        version: Option<i64>,
    ) -> Pending<Written<Issuer, InvoiceError>> {
        let logo = logo.map(|bytes| STANDARD.encode(bytes));
        self.write(ctx, move |tx, ctx| issuers::set_logo(tx, ctx, which, logo.as_deref(), version))
    }

    fn sheet(
        &self,
        account: AccountId,
        which: Option<IssuerId>,
    ) -> Pending<Result<SheetSettings, Fault>> {
        self.engine.read(Cost::Small, move |db| issuers::sheet(db, account, which))
    }

    fn set_sheet(
        &self,
        ctx: Ctx,
        which: Option<IssuerId>,
        settings: SheetSettings,
        version: Option<i64>,
    ) -> Pending<Written<SheetSettings, InvoiceError>> {
        self.write(ctx, move |tx, ctx| {
            issuers::set_sheet(tx, ctx, which, settings.clone(), version)
        })
    }

    fn certificates(&self, account: AccountId) -> Pending<Result<Vec<IssuerCertificate>, Fault>> {
        self.engine.read(Cost::Small, move |db| certificates::list(db, account))
    }

    fn add_certificate(
        &self,
        ctx: Ctx,
        certificate: OpenedCertificate,
    ) -> Pending<Written<IssuerCertificate, InvoiceError>> {
        let vault = self.engine.vault();
        self.write(ctx, move |tx, ctx| certificates::add(tx, ctx, &vault, &certificate))
    }

    fn activate_certificate(
        &self,
        ctx: Ctx,
        id: CertificateId,
    ) -> Pending<Written<IssuerCertificate, InvoiceError>> {
        self.write(ctx, move |tx, ctx| certificates::activate(tx, ctx, id))
    }

    fn delete_certificate(
        &self,
        ctx: Ctx,
        id: CertificateId,
    ) -> Pending<Written<CertificateId, InvoiceError>> {
        self.write(ctx, move |tx, ctx| certificates::delete(tx, ctx, id))
    }

    fn series(
        &self,
        account: AccountId,
        which: Option<IssuerId>,
        page: PageRequest,
    ) -> Pending<Result<Page<SeriesFolio>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| series::page(db, account, which, &page))
        })
    }

    fn one_series(
        &self,
        account: AccountId,
        issuer: IssuerId,
        series: String,
    ) -> Pending<Result<Option<SeriesFolio>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| series::one(db, account, issuer, &series))
        })
    }

    fn set_series(
        &self,
        ctx: Ctx,
        (which, series): (Option<IssuerId>, String),
        next_folio: u64,
        seen: Option<i64>,
    ) -> Pending<Written<SeriesFolio, InvoiceError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            folios::continue_at(tx, &ctx, (which, &series), next_folio, seen).map(Done::now)
        })
    }

    fn provider(&self, account: AccountId) -> Pending<Result<ProviderChoice, Fault>> {
        self.engine.read(Cost::Small, move |db| provider::choice(db, account))
    }

    fn choose_provider(
        &self,
        ctx: Ctx,
        command: ChooseProvider,
        seen: Option<i64>,
    ) -> Pending<Written<ProviderChoice, InvoiceError>> {
        let vault = self.engine.vault();
        self.write(ctx, move |tx, ctx| provider::choose(tx, ctx, &vault, (&command, seen)))
    }
}

impl Branches for Store {
    fn branches(&self, account: AccountId) -> Pending<Result<Vec<Branch>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| branches::all(db, account))
    }

    fn branch(&self, account: AccountId, id: BranchId) -> Pending<Result<Option<Branch>, Fault>> {
        self.engine.read(Cost::Small, move |db| branches::one(db, account, id))
    }

    fn create_branch(
        &self,
        ctx: Ctx,
        command: NewBranch,
    ) -> Pending<Written<Branch, InvoiceError>> {
        self.write(ctx, move |tx, ctx| branches::create(tx, ctx, &command))
    }

    fn update_branch(
        &self,
        ctx: Ctx,
        command: UpdateBranch,
    ) -> Pending<Written<Branch, InvoiceError>> {
        self.write(ctx, move |tx, ctx| branches::update(tx, ctx, &command))
    }

    fn delete_branch(
        &self,
        ctx: Ctx,
        id: BranchId,
        version: Option<i64>,
    ) -> Pending<Written<BranchId, InvoiceError>> {
        self.write(ctx, move |tx, ctx| branches::delete(tx, ctx, id, version))
    }
}

impl Credits for Store {
    fn balance(&self, account: AccountId) -> Pending<Result<Balance, Fault>> {
        self.engine.read(Cost::Small, move |db| credits::balance(db, account))
    }

    fn ledger(&self, account: AccountId, query: LedgerQuery) -> Pending<Result<Ledger, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| credits::ledger(db, account, &query))
        })
    }

    fn grant(
        &self,
        ctx: Ctx,
        amount: i64,
        note: Option<String>,
    ) -> Pending<Written<CreditEntry, InvoiceError>> {
        self.write(ctx, move |tx, ctx| {
            if !accounts::is_there(tx.db, ctx.account)? {
                return Err(Refused::NotFound.into());
            }
            let balance = credits::locked(tx, ctx.account)?;
            let change = grant(amount, note.clone());
            let entry = credits::enter(tx, ctx.account, (balance, &change), ctx.now)?;
            let act = Act::new(Action::CreditsGranted, &entry.id).with(
                "amount",
                None,
                Some(amount.to_string()),
            );
            audit::record(tx, ctx, &act)?;
            Ok(entry)
        })
    }
}

impl ProviderCalls<Invoice> for Store {
    fn begin_stamping(
        &self,
        ctx: Ctx,
        id: InvoiceId,
        version: Option<i64>,
        until: Timestamp,
    ) -> Written<Begun<Invoice>, InvoiceError> {
        kept::begin_stamping(self, &ctx, (id, version), until)
    }

    fn begin_cancelling(
        &self,
        ctx: Ctx,
        command: CancelInvoice,
        until: Timestamp,
    ) -> Written<Begun<Invoice>, InvoiceError> {
        cancelling::begin(self, &ctx, command, until)
    }

    fn record(
        &self,
        call: ProviderCall<InvoiceId>,
        ended: Ended,
        idempotency: Option<Idempotency>,
        now: Timestamp,
    ) -> Pending<Written<Recorded<Invoice>, InvoiceError>> {
        let account = call.callee.account;
        let begun = self.under_way.take(account, call.subject, call.claim);
        if let (Some(begun), Ended::Stamping(verdict)) = (begun, &ended)
            && let Some(step) = Settling::of(begun, (&call, verdict), idempotency.as_ref(), now)
        {
            return submit(self, account, step);
        }
        self.engine.command(Some(account), move |tx| {
            let key = idempotency.as_ref();
            let (invoice, next) = match &ended {
                Ended::Stamping(verdict) => (stamping::record(tx, &call, verdict, key, now)?, None),
                Ended::Cancelling(outcome) => {
                    cancelling::record_sent(tx, &call, outcome.clone(), key, now)?
                }
                Ended::Following(outcome) => {
                    (cancelling::record_followed(tx, &call, outcome.clone(), key, now)?, None)
                }
            };
            Ok(Done::now(Recorded { subject: invoice, next }))
        })
    }

    fn call(
        &self,
        account: AccountId,
        id: InvoiceId,
        claim: ClaimId,
    ) -> Pending<Result<Option<ProviderCall<InvoiceId>>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| {
            calls::under_claim::<Invoice>(db, &vault, (account, id), claim)
        })
    }
}

/// The store ended before it answered.
fn gone() -> Fault {
    Fault::Unavailable("the store is shutting down".to_owned())
}
