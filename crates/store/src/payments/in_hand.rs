//! Payments in hand: cash, and transfers that have come. All that wait are recorded together.
//!
//! Nobody is called for them, so they are quick, and a till has many. On PostgreSQL, where every statement is waited for,
//! what they depend on is read at once and locked, and what they leave is written at once; each is judged by the
//! rules in between, on what the one before has left. Nothing is written for one that is refused, so it harms no neighbour.

mod ahead;

use std::any::Any;

use ::orders::Order;
use ::payments::{
    NewPayment, Payment, PaymentError, PaymentId, ProviderKind,
    provider::is_in_hand,
    service::{Begin, Begun},
};
use diesel::QueryResult;
use engine::{Batch, Caller, Together};
use kernel::{Ctx, Done, Fault, Pending, Refused, Written};

use super::{
    begin::{Outcome, no_order, of_payment, opened},
    money::{Books, Known, order_of},
    owed::owed,
    rows, settings,
};
use crate::{answers, db::Db, stored::KeptPayment, tx::Tx};
use ahead::Ahead;

/// A payment in hand that waits to be recorded.
pub(super) struct InHandJob {
    ctx: Ctx,
    new: NewPayment,
    caller: Caller<Begun, PaymentError>,
}

impl InHandJob {
    /// The job, if that is what is to be begun. Invoices are locked before their orders, each by itself.
    pub(super) fn of(
        ctx: &Ctx,
        begin: &Begin,
    ) -> Option<(Self, Pending<Written<Begun, PaymentError>>)> {
        let Begin::Create(new) = begin else { return None };
        let is_plain = new.invoice.is_none() && new.link.is_none();
        (is_plain && is_in_hand(new.provider, new.method)).then(|| {
            let (caller, pending) = Caller::waiting();
            (Self { ctx: ctx.clone(), new: (**new).clone(), caller }, pending)
        })
    }
}

impl Together for InHandJob {
    fn batch(&self) -> &'static dyn Batch {
        &InHand
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn answer(self: Box<Self>) {
        self.caller.answer();
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.caller.fail(fault);
    }
}

/// Records all payments in hand of a batch together.
struct InHand;

impl Batch for InHand {
    fn name(&self) -> &'static str {
        "payments in hand"
    }

    fn run_in_tx(&self, tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
        let mut jobs: Vec<&mut InHandJob> =
            jobs.into_iter().filter_map(|job| job.as_any().downcast_mut()).collect();
        let commands: Vec<&Ctx> = jobs.iter().map(|job| &job.ctx).collect();
        let kept = answers::kept_answers::<KeptPayment, PaymentError>(tx, &commands)?;
        let mut ahead = match tx.db {
            Db::Postgres(_) => Some(Ahead::read(tx, &jobs)?),
            Db::Sqlite(_) => None,
        };
        for (job, kept) in jobs.iter_mut().zip(kept) {
            let outcome = match kept {
                Ok(Some(Done { value, .. })) => {
                    Ok(Done { value: of_payment(value.payment, None), replayed: true })
                }
                Ok(None) => recorded(tx, job, ahead.as_mut()).map(Done::now),
                Err(failure) => Err(failure),
            };
            job.caller.keep(outcome)?;
        }
        // Whatever else is in the batch reads the database.
        tx.write_rows_for_others()
    }
}

/// What a payment depends on.
struct Found {
    order: Option<Order>,
    /// The payments of its order.
    others: Vec<Payment>,
    /// How the payment is named to the tax authority, where that is not as usual.
    sat_form: Option<String>,
    /// Only where it was read ahead.
    known: Option<Known>,
}

impl Found {
    fn read(tx: &mut Tx<'_>, InHandJob { ctx, new, .. }: &InHandJob) -> QueryResult<Self> {
        let order = order_of(tx, ctx.account, new.order)?;
        let others = new.order.map(|id| rows::of_order(tx.db, ctx.account, id)).transpose()?;
        let sat_form = settings::form_of(new, || settings::kept(tx.db, ctx.account))?;
        Ok(Self { order, others: others.unwrap_or_default(), sat_form, known: None })
    }
}

/// Judges a payment and has it recorded.
fn recorded(tx: &mut Tx<'_>, job: &InHandJob, mut ahead: Option<&mut Ahead>) -> Outcome<Begun> {
    let InHandJob { ctx, new, .. } = job;
    let found = match &mut ahead {
        Some(ahead) => ahead.found(ctx.account, new)?,
        None => Found::read(tx, job)?,
    };
    if let Some(id) = new.order.filter(|_| found.order.is_none()) {
        return Err(Refused::Invalid(vec![no_order(id)]).into());
    }
    let mut new = new.clone();
    new.sat_payment_form = found.sat_form;
    let owed = found.order.as_ref().map(|order| owed(tx.db, ctx.account, order, &found.others));
    let owed = owed.transpose()?;
    let id = PaymentId::from_u128(tx.ids.next());
    let opened = opened(&new, id, ProviderKind::Manual.into(), owed.as_ref(), ctx.now)?;
    let mut books = Books::open(ctx.account, opened.payment, found.order, ctx.now);
    (books.others, books.known) = (Some(found.others), found.known);
    books.receive(tx, opened.received, opened.events)?;
    let order = books.order.clone();
    let payment = books.close(tx, true)?;
    if let Some(ahead) = ahead {
        ahead.recorded(ctx.account, order, &payment);
    }
    answers::keep(tx, ctx, &KeptPayment { payment: id, refund: None, task: None })?;
    Ok(Begun { recorded: Some(payment), ..of_payment(id, None) })
}
