//! Payments: what is asked for, what is received, and what is given back.

mod begin;
mod charges;
mod holds;
mod in_hand;
mod invoices;
mod links;
mod list;
mod money;
mod notices;
mod owed;
pub(crate) mod papers;
mod providers;
mod reconciling;
mod refunds;
mod rows;
mod settings;
mod settle;

pub(crate) use begin::{Why, held, mark_paid, refund_order, refund_payment};
pub(crate) use holds::{
    ExpiredHolds, free_all as free_all_holds, hold, lock as lock_payment, of_locked_order,
    release as release_holds, without_holds,
};
pub(crate) use invoices::settle_invoice;
pub(crate) use links::{can_collect, create as open_link};
pub(crate) use money::call_off_settled;
pub(crate) use notices::EXPIRED;
pub(crate) use owed::withholds;
pub(crate) use papers::form_of_order;
pub(crate) use providers::secrets;
pub(crate) use refunds::{by_id as refund_by_id, locked as refund_locked, save as save_refund};
pub(crate) use rows::{
    by_id as payment_by_id, locked as payment_locked, of_order, save as save_payment,
};

use ::accounts::{Act, Action};
use ::links::Token;
use ::payments::{
    CallQueue, CustomerId, InvoiceId, LinkQuery, NewLink, Notice, NoticeId, OrderId, Owed, Payment,
    PaymentError, PaymentId, PaymentLink, PaymentLinkId, PaymentLinks, PaymentQuery,
    PaymentSettings, Payments, ProviderAccount, ProviderKind, Refund, RefundId, RefundQuery, Seen,
    gateway::CallResult,
    link::{LinkChanges, Offer},
    notice::Received,
    reconcile::Ours,
    service::{Attempted, Begin, Begun, Callee, NoticeSubject, Resolution, SetProvider, Subject},
};
use ::tasks::Task;
use kernel::{
    AccountId, Amount, Ctx, Done, Fault, Page, PageRequest, Pending, Refused, Timestamp, Written,
};

use crate::{
    answers, audit,
    readers::{Cost, snapshot},
    store::Store,
    stored::KeptPayment,
};

impl Payments for Store {
    fn settings(&self, account: AccountId) -> Pending<Result<PaymentSettings, Fault>> {
        self.engine.read(Cost::Small, move |db| settings::kept(db, account))
    }

    fn set_settings(
        &self,
        ctx: Ctx,
        wanted: PaymentSettings,
        version: Option<i64>,
    ) -> Pending<Written<PaymentSettings, PaymentError>> {
        self.write(ctx, move |tx, ctx| settings::set(tx, ctx, &wanted, version))
    }

    fn get(&self, account: AccountId, id: PaymentId) -> Pending<Result<Option<Payment>, Fault>> {
        self.engine.read(Cost::Small, move |db| rows::by_id(db, account, id))
    }

    fn list(
        &self,
        account: AccountId,
        query: PaymentQuery,
    ) -> Pending<Result<Page<Payment>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::payments(db, account, &query))
        })
    }

    fn owed(&self, account: AccountId, order: OrderId) -> Pending<Result<Option<Owed>, Fault>> {
        self.engine
            .read(Cost::Small, move |db| snapshot(db, |db| owed::of_order(db, account, order)))
    }

    fn withholding(
        &self,
        account: AccountId,
        orders: Vec<(OrderId, CustomerId)>,
    ) -> Pending<Result<Vec<OrderId>, Fault>> {
        // Of one, nothing but look-ups by key.
        let cost = if orders.len() > 1 { Cost::Large } else { Cost::Small };
        self.engine.read_of(account, cost, move |db| {
            snapshot(db, |db| owed::withholding(db, account, &orders))
        })
    }

    fn asked(
        &self,
        account: AccountId,
        orders: Vec<(OrderId, Amount)>,
    ) -> Pending<Result<Vec<Amount>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| owed::asked(db, account, &orders))
    }

    fn unreceipted(
        &self,
        account: AccountId,
        invoices: Vec<(InvoiceId, Amount)>,
    ) -> Pending<Result<Vec<Amount>, Fault>> {
        self.engine.read(Cost::Small, move |db| invoices::unreceipted(db, account, &invoices))
    }

    fn refund(&self, account: AccountId, id: RefundId) -> Pending<Result<Option<Refund>, Fault>> {
        self.engine.read(Cost::Small, move |db| refunds::by_id(db, account, id))
    }

    fn refunds(
        &self,
        account: AccountId,
        query: RefundQuery,
    ) -> Pending<Result<Page<Refund>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::refunds(db, account, &query))
        })
    }

    fn resolve(
        &self,
        ctx: Ctx,
        id: PaymentId,
        resolution: Resolution,
        note: Option<String>,
    ) -> Pending<Written<Payment, PaymentError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let before: Option<Done<KeptPayment>> = answers::kept_answer(tx, &ctx)?;
            if let Some(Done { value: kept, .. }) = before {
                let payment = rows::by_id(tx.db, ctx.account, kept.payment)?;
                let value = payment.ok_or(Refused::NotFound)?;
                return Ok(Done { value, replayed: true });
            }
            let payment = begin::resolve(tx, &ctx, id, resolution)?;
            let action = match resolution {
                Resolution::Accept => Action::PaymentAccepted,
                Resolution::Reject => Action::PaymentRejected,
            };
            audit::record(tx, &ctx, &Act::new(action, &id).noted(note.clone()))?;
            answers::keep(tx, &ctx, &KeptPayment { payment: id, refund: None, task: None })?;
            Ok(Done::now(payment))
        })
    }

    fn providers(&self, account: AccountId) -> Pending<Result<Vec<ProviderAccount>, Fault>> {
        self.engine.read(Cost::Small, move |db| providers::all(db, account))
    }

    fn set_provider(
        &self,
        ctx: Ctx,
        command: SetProvider,
        version: Option<i64>,
    ) -> Pending<Written<ProviderAccount, PaymentError>> {
        let vault = self.engine.vault();
        self.write(ctx, move |tx, ctx| providers::set(tx, &vault, ctx, &command, version))
    }

    fn notices(
        &self,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Page<Notice>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| notices::list(db, account, &page))
        })
    }

    fn retry_notice(&self, ctx: Ctx, id: NoticeId) -> Pending<Written<Notice, PaymentError>> {
        self.engine.command(Some(ctx.account), move |tx| notices::retried(tx, &ctx, id))
    }
}

impl PaymentLinks for Store {
    fn create(&self, ctx: Ctx, new: NewLink) -> Pending<Written<PaymentLink, PaymentError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let before: Option<Done<PaymentLinkId>> = answers::kept_answer(tx, &ctx)?;
            if let Some(Done { value: id, .. }) = before {
                let link = links::by_id(tx.db, &vault, ctx.account, id)?;
                return Ok(Done { value: link.ok_or(Refused::NotFound)?, replayed: true });
            }
            let link = links::create(tx, &vault, &ctx, new.clone())?;
            answers::keep(tx, &ctx, &link.id)?;
            Ok(Done::now(link))
        })
    }

    fn get(
        &self,
        account: AccountId,
        id: PaymentLinkId,
    ) -> Pending<Result<Option<PaymentLink>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| links::by_id(db, &vault, account, id))
    }

    fn list(
        &self,
        account: AccountId,
        query: LinkQuery,
    ) -> Pending<Result<Page<PaymentLink>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| links::list(db, &vault, account, &query))
        })
    }

    fn update(
        &self,
        ctx: Ctx,
        id: PaymentLinkId,
        version: Option<i64>,
        changes: LinkChanges,
    ) -> Pending<Written<PaymentLink, PaymentError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            links::update(tx, &vault, &ctx, (id, version), changes.clone()).map(Done::now)
        })
    }

    fn deactivate(
        &self,
        ctx: Ctx,
        id: PaymentLinkId,
    ) -> Pending<Written<PaymentLink, PaymentError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            links::deactivate(tx, &vault, &ctx, id).map(Done::now)
        })
    }

    fn offer(
        &self,
        account: AccountId,
        id: PaymentLinkId,
        now: Timestamp,
    ) -> Pending<Result<Option<Offer>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| links::offer(db, &vault, account, id, now))
        })
    }

    fn attempt_token(
        &self,
        account: AccountId,
        payment: PaymentId,
        now: Timestamp,
    ) -> Pending<Result<Option<Token>, Fault>> {
        let vault = self.engine.vault();
        self.engine
            .read(Cost::Small, move |db| links::token_of_attempt(db, &vault, account, payment, now))
    }
}

impl CallQueue for Store {
    fn begin(
        &self,
        ctx: Ctx,
        begin: Begin,
        until: Timestamp,
    ) -> Pending<Written<Begun, PaymentError>> {
        if let Some((job, pending)) = in_hand::InHandJob::of(&ctx, &begin) {
            self.engine.together(ctx.account, Box::new(job));
            return pending;
        }
        let (vault, gate) = (self.engine.vault(), self.refund_gate);
        self.engine.command(Some(ctx.account), move |tx| {
            begin::begin(tx, &vault, &ctx, &begin, until, gate)
        })
    }

    fn subject(&self, task: &Task) -> Pending<Result<Option<Subject>, Fault>> {
        let (vault, task) = (self.engine.vault(), task.clone());
        self.engine.read(Cost::Small, move |db| settle::subject(db, &vault, &task))
    }

    fn settle(
        &self,
        task: &Task,
        attempted: Attempted,
        now: Timestamp,
    ) -> Pending<Written<bool, PaymentError>> {
        let task = task.clone();
        self.engine.command(Some(task.account), move |tx| {
            settle::settle(tx, &task, attempted.clone(), now).map(Done::now)
        })
    }

    fn payment(
        &self,
        account: AccountId,
        id: PaymentId,
    ) -> Pending<Result<Option<Subject>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| settle::of_payment(db, &vault, account, id))
    }

    fn refund(&self, account: AccountId, id: RefundId) -> Pending<Result<Option<Refund>, Fault>> {
        Payments::refund(self, account, id)
    }

    fn made_between(
        &self,
        account: AccountId,
        provider: ProviderKind,
        between: (Timestamp, Timestamp),
        limit: usize,
    ) -> Pending<Result<Vec<Ours>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| reconciling::made_between(db, account, provider, between, limit))
        })
    }

    fn named(
        &self,
        account: AccountId,
        provider: ProviderKind,
        names: Vec<(Option<PaymentId>, String)>,
    ) -> Pending<Result<Vec<Ours>, Fault>> {
        if names.is_empty() {
            return Pending::ready(Ok(Vec::new()));
        }
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| reconciling::named(db, account, provider, &names))
        })
    }

    fn see(
        &self,
        account: AccountId,
        id: PaymentId,
        seen: Seen,
        now: Timestamp,
    ) -> Pending<Written<Payment, PaymentError>> {
        self.engine.command(Some(account), move |tx| {
            settle::see(tx, account, id, &seen, now).map(Done::now)
        })
    }

    fn credentials(
        &self,
        account: AccountId,
        kind: ProviderKind,
    ) -> Pending<Result<Option<Callee>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| providers::callee(db, &vault, account, kind))
    }

    fn keep_notice(
        &self,
        account: AccountId,
        notice: Notice,
        received: Received,
    ) -> Pending<Written<(), PaymentError>> {
        self.engine.command(Some(account), move |tx| {
            Ok(Done::now(notices::keep(tx, account, &notice, &received)?))
        })
    }

    fn notice(&self, task: &Task) -> Pending<Result<Option<NoticeSubject>, Fault>> {
        let (vault, task) = (self.engine.vault(), task.clone());
        self.engine.read(Cost::Small, move |db| notices::subject(db, &vault, &task))
    }

    fn settle_notice(
        &self,
        task: &Task,
        notice: NoticeId,
        attempted: Result<CallResult, String>,
        now: Timestamp,
    ) -> Pending<Written<bool, PaymentError>> {
        let task = task.clone();
        self.engine.command(Some(task.account), move |tx| {
            notices::settle(tx, &task, notice, attempted.clone(), now).map(Done::now)
        })
    }
}
