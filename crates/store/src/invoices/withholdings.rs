//! Withholdings: drafts, and the sagas with providers that they share with invoices.

pub(crate) mod abandoning;
mod attaching;
mod cancelling;
mod documents;
mod list;
mod rows;
mod settling;
mod stamping;
mod write;

use ::invoices::{
    InvoiceError, ProviderCalls, Validation,
    calls::{Begun, Ended, ProviderCall, Recorded},
    withholding::{
        CancelWithholding, Documents, NewWithholding, UpdateWithholding, Withholding,
        WithholdingId, WithholdingQuery, Withholdings,
    },
};
use ::tasks::ClaimId;
use kernel::{
    AccountId, Ctx, Done, Fault, Idempotency, Page, Pending, Refused, Timestamp, Written,
};

use super::{calls, kept};
use crate::{
    readers::{Cost, snapshot},
    store::Store,
};

impl Withholdings for Store {
    fn get(
        &self,
        account: AccountId,
        id: WithholdingId,
    ) -> Pending<Result<Option<Withholding>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| {
                let withholding = rows::by_id(db, account, id)?;
                rows::as_now(db, account, withholding)
            })
        })
    }

    fn list(
        &self,
        account: AccountId,
        query: WithholdingQuery,
    ) -> Pending<Result<Page<Withholding>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::list(db, account, &query))
        })
    }

    fn create(
        &self,
        ctx: Ctx,
        command: NewWithholding,
    ) -> Pending<Written<Withholding, InvoiceError>> {
        self.write(ctx, move |tx, ctx| write::create(tx, ctx, &command))
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdateWithholding,
    ) -> Pending<Written<Withholding, InvoiceError>> {
        self.write(ctx, move |tx, ctx| write::update(tx, ctx, &command))
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: WithholdingId,
        version: Option<i64>,
    ) -> Pending<Written<WithholdingId, InvoiceError>> {
        self.write(ctx, move |tx, ctx| write::delete(tx, ctx, id, version))
    }

    fn validate(
        &self,
        account: AccountId,
        id: WithholdingId,
        now: Timestamp,
    ) -> Pending<Result<Option<Validation>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| stamping::findings(db, &vault, account, id, now))
        })
    }

    fn documents(
        &self,
        account: AccountId,
        id: WithholdingId,
    ) -> Pending<Result<Option<Documents>, Fault>> {
        self.engine.read(Cost::Small, move |db| snapshot(db, |db| documents::all(db, account, id)))
    }
}

impl ProviderCalls<Withholding> for Store {
    fn begin_stamping(
        &self,
        ctx: Ctx,
        id: WithholdingId,
        version: Option<i64>,
        until: Timestamp,
    ) -> Written<Begun<Withholding>, InvoiceError> {
        kept::begin_stamping(self, &ctx, (id, version), until)
    }

    fn begin_cancelling(
        &self,
        ctx: Ctx,
        command: CancelWithholding,
        until: Timestamp,
    ) -> Written<Begun<Withholding>, InvoiceError> {
        cancelling::begin(self, &ctx, command, until)
    }

    fn record(
        &self,
        call: ProviderCall<WithholdingId>,
        ended: Ended,
        idempotency: Option<Idempotency>,
        now: Timestamp,
    ) -> Pending<Written<Recorded<Withholding>, InvoiceError>> {
        self.engine.command(Some(call.callee.account), move |tx| {
            let key = idempotency.as_ref();
            let subject = match &ended {
                Ended::Stamping(verdict) => stamping::record(tx, &call, verdict, key, now)?,
                Ended::Cancelling(outcome) => {
                    cancelling::record(tx, &call, outcome.clone(), key, now)?
                }
                Ended::Following(_) => {
                    let fault = Fault::Internal("no withholding is followed".to_owned());
                    return Err(Refused::Fault(fault).into());
                }
            };
            Ok(Done::now(Recorded { subject, next: None }))
        })
    }

    fn call(
        &self,
        account: AccountId,
        id: WithholdingId,
        claim: ClaimId,
    ) -> Pending<Result<Option<ProviderCall<WithholdingId>>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| {
            calls::under_claim::<Withholding>(db, &vault, (account, id), claim)
        })
    }
}
