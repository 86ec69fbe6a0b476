//! What the sandbox has in its books.

use kernel::{Amount, Currency, Timestamp};

use crate::{
    CallId, Card, Failure, Funding, Instructions, Method, PaymentId, RefundId, RefundStatus, Seen,
    SeenRefund, SeenState, card_data::clabe_check, gateway::Asked, payment::named, sandbox::Plan,
};

/// Seconds until what happens by itself happens.
pub(super) const SOON: i64 = 2;

named! {
    /// Where a charge stands.
    ChargeState {
        /// The payer has something to do.
        RequiresAction = "requires_action",
        /// It is worked on.
        Processing = "processing",
        /// The money is set aside.
        Authorized = "authorized",
        /// The money was received.
        Paid = "paid",
        /// It was refused.
        Failed = "failed",
        /// It was called off.
        Canceled = "canceled",
        /// Its time has passed.
        Expired = "expired",
    }
}

/// A payment in the books of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Its identifier there.
    pub id: String,
    /// The payment that it is.
    pub payment: PaymentId,
    /// The key of the call that made it.
    pub key: CallId,
    /// How it is paid.
    pub method: Method,
    /// What was asked for.
    pub amount: Amount,
    /// In which currency.
    pub currency: Currency,
    /// Whether it is captured as soon as it is authorized.
    pub is_captured_at_once: bool,
    /// The numbers of monthly installments that its payer may choose from.
    pub installments: Vec<u8>,
    /// What they have chosen.
    pub installments_chosen: Option<u8>,
    /// Where it stands.
    pub state: ChargeState,
    /// What has arrived.
    pub received: Amount,
    /// What is set aside.
    pub authorized: Amount,
    /// What was taken.
    pub captured: Amount,
    /// Why it was refused.
    pub failure: Option<Failure>,
    /// Its refunds.
    pub refunds: Vec<ChargeRefund>,
    /// Until when it can be paid.
    pub expires_at: Option<Timestamp>,
    /// When what happens by itself happens.
    pub next_at: Option<Timestamp>,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// A refund in the books of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeRefund {
    /// Its identifier there.
    pub id: String,
    /// The refund that it is; `None` of one that was made there.
    pub refund: Option<RefundId>,
    /// How much.
    pub amount: Amount,
    /// Where it stands.
    pub status: RefundStatus,
    /// Why it failed.
    pub failure: Option<Failure>,
}

pub(super) fn failure(code: &str, message: &str, is_retryable: bool) -> Failure {
    Failure { code: code.to_owned(), message: message.to_owned(), is_retryable }
}

impl Charge {
    /// The charge that a call makes.
    ///
    /// # Errors
    /// Why it makes none.
    pub(super) fn made(asked: &Asked) -> Self {
        let payment = &asked.payment;
        let plan = Plan::of(payment.amount);
        let unit = Amount::from_micros(1_000_000);
        let amount = match plan {
            Plan::OtherAmount => Amount::from_micros(payment.amount.micros() - unit.micros()),
            _ => payment.amount,
        };
        let soon = Some(asked.now.plus_seconds(SOON));
        let charge = Self {
            id: format!("sbx_{:032x}", payment.id.to_u128()),
            payment: payment.id,
            key: asked.call,
            method: payment.method,
            amount,
            currency: payment.currency,
            is_captured_at_once: payment.is_captured_at_once,
            installments: payment.installments.clone(),
            installments_chosen: None,
            state: ChargeState::RequiresAction,
            received: Amount::ZERO,
            authorized: Amount::ZERO,
            captured: Amount::ZERO,
            failure: None,
            refunds: Vec::new(),
            expires_at: payment.expires_at,
            next_at: None,
            paid_at: None,
            created_at: asked.now,
            version: 1,
        };
        if plan == Plan::Late {
            return Self { expires_at: soon, next_at: soon, ..charge };
        }
        if payment.method != Method::Card {
            let next_at = charge.expires_at;
            return Self { next_at, ..charge };
        }
        // Whoever pays by a link does so on a page.
        if payment.link.is_some() {
            return charge;
        }
        // Whoever pays at once takes as long as is offered.
        let installments_chosen =
            charge.installments.last().copied().filter(|_| plan != Plan::Confirmed);
        let charge = Self { installments_chosen, ..charge };
        match plan {
            Plan::Declined => charge.refused("card_declined", "The card was declined.", true),
            Plan::InsufficientFunds => {
                charge.refused("insufficient_funds", "The card has insufficient funds.", true)
            }
            Plan::ExpiredCard => charge.refused("expired_card", "The card has expired.", true),
            Plan::Slow => Self { state: ChargeState::Processing, next_at: soon, ..charge },
            Plan::Confirmed => charge,
            _ => charge.paid_by_card(asked.now),
        }
    }

    fn refused(self, code: &str, message: &str, is_retryable: bool) -> Self {
        let failure = Some(failure(code, message, is_retryable));
        Self { state: ChargeState::Failed, failure, ..self }
    }

    /// Paid by a card, or authorized where it is captured later.
    pub(super) fn paid_by_card(self, now: Timestamp) -> Self {
        let amount = self.amount;
        if self.is_captured_at_once {
            return self.paid(amount, now);
        }
        let lapses = (Plan::of(amount) == Plan::Lapses).then(|| now.plus_seconds(SOON));
        let week = Some(now.plus_seconds(7 * 86_400));
        Self {
            state: ChargeState::Authorized,
            authorized: amount,
            expires_at: lapses.or(week),
            next_at: lapses.or(week),
            failure: None,
            ..self
        }
    }

    /// So much more has arrived.
    pub(super) fn paid(self, more: Amount, now: Timestamp) -> Self {
        let received = Amount::from_micros(self.received.micros().saturating_add(more.micros()));
        if received < self.amount && self.method != Method::Card {
            return Self { received, ..self };
        }
        Self {
            state: ChargeState::Paid,
            received,
            captured: received,
            authorized: self.authorized.max(received),
            paid_at: self.paid_at.or(Some(now)),
            // A refund may be under way.
            next_at: self.next_at.filter(|_| self.state == ChargeState::Paid),
            failure: None,
            ..self
        }
    }

    /// Nothing more is expected: what has arrived by then is what was paid.
    pub(super) fn ended(self, state: ChargeState, now: Timestamp) -> Self {
        if self.received == Amount::ZERO {
            return Self { state, next_at: None, ..self };
        }
        Self {
            state: ChargeState::Paid,
            captured: self.received,
            authorized: self.authorized.max(self.received),
            paid_at: Some(now),
            next_at: None,
            ..self
        }
    }

    /// What has happened by itself by `now`.
    #[must_use]
    pub fn as_of(&self, now: Timestamp) -> Self {
        let Some(due) = self.next_at.filter(|due| *due <= now) else { return self.clone() };
        let plan = Plan::of(self.amount);
        let base = Self { next_at: None, version: self.version + 1, ..self.clone() };
        let after = match (self.state, plan) {
            (ChargeState::Processing, _) if base.method == Method::Card => base.paid_by_card(due),
            (ChargeState::Processing, _) => {
                let rest = Amount::from_micros(base.amount.micros() - base.received.micros());
                base.paid(rest, due)
            }
            (ChargeState::Authorized, _) => Self { state: ChargeState::Expired, ..base },
            (ChargeState::RequiresAction, Plan::Late) => {
                let next_at = Some(due.plus_seconds(SOON));
                Self { state: ChargeState::Expired, next_at, ..base }
            }
            (ChargeState::RequiresAction, _) => base.ended(ChargeState::Expired, due),
            (ChargeState::Expired, Plan::Late) => {
                let amount = base.amount;
                base.paid(amount, due)
            }
            (ChargeState::Paid, _) => base.refunds_moved_on(plan),
            _ => base,
        };
        after.as_of(now)
    }

    fn refunds_moved_on(mut self, plan: Plan) -> Self {
        for refund in &mut self.refunds {
            match (plan, refund.status) {
                (Plan::RefundReturns, RefundStatus::Succeeded) => {
                    refund.status = RefundStatus::Failed;
                    let why = "The bank has sent the money back.";
                    refund.failure = Some(failure("refund_returned", why, true));
                }
                (Plan::RefundSlow, RefundStatus::Processing) => {
                    refund.status = RefundStatus::Succeeded;
                }
                _ => {}
            }
        }
        self
    }

    /// What a notification says of it: what to ask about, and nothing that would have to be believed.
    #[must_use]
    pub fn news(&self) -> String {
        let (id, version) = (&self.id, self.version);
        let payment = self.payment;
        format!(
            r#"{{"id":"{id}_{version}","type":"charge.changed","charge":"{id}","payment":"{payment}"}}"#
        )
    }

    /// What of it was given back or is about to be.
    pub(super) fn refunded(&self) -> i64 {
        let held = |refund: &&ChargeRefund| {
            !matches!(refund.status, RefundStatus::Failed | RefundStatus::Canceled)
        };
        self.refunds.iter().filter(held).map(|refund| refund.amount.micros()).sum()
    }

    /// What the sandbox shows of it.
    #[must_use]
    pub fn seen(&self) -> Seen {
        let failure = || {
            let known = self.failure.clone();
            known.unwrap_or_else(|| failure("card_declined", "The card was declined.", true))
        };
        let state = match self.state {
            ChargeState::RequiresAction => SeenState::RequiresAction(self.failure.clone()),
            ChargeState::Processing => SeenState::Processing,
            ChargeState::Authorized => SeenState::Authorized(self.authorized),
            ChargeState::Paid => SeenState::Paid { captured: self.captured, at: self.paid_at },
            ChargeState::Failed => SeenState::Failed(failure()),
            ChargeState::Canceled => SeenState::Canceled,
            ChargeState::Expired => SeenState::Expired,
        };
        let card = Card {
            brand: Some("visa".to_owned()),
            last4: Some("4242".to_owned()),
            funding: Some(Funding::Credit),
        };
        let is_transfer = self.method == Method::Spei && self.captured > Amount::ZERO;
        Seen {
            provider_ref: self.id.clone(),
            payment: Some(self.payment),
            amount: self.amount,
            currency: self.currency,
            state,
            received: self.received,
            instructions: self.instructions(),
            expires_at: self.expires_at,
            card: (self.method == Method::Card).then_some(card),
            installments_chosen: self.installments_chosen,
            tracking_key: is_transfer.then(|| format!("SBX{}", self.digits(12))),
            fee: None,
            refunds: self.refunds.iter().map(ChargeRefund::seen).collect(),
        }
    }

    /// So many digits that follow from its identifier.
    fn digits(&self, count: usize) -> String {
        let text = format!("{:039}", self.payment.to_u128());
        text.chars().rev().take(count).collect()
    }

    fn instructions(&self) -> Option<Instructions> {
        match self.method {
            Method::Spei => {
                // 646 is a bank's, 180 its place; no account begins so.
                let number = format!("646180{}", self.digits(11));
                let check = clabe_check(&number);
                Some(Instructions {
                    clabe: Some(format!("{number}{check}")),
                    bank: Some("STP".to_owned()),
                    reference: Some(self.digits(7)),
                    ..Instructions::default()
                })
            }
            Method::Oxxo => {
                let reference = self.digits(14);
                let barcode = Some(reference.clone());
                let reference = Some(reference);
                Some(Instructions { reference, barcode, ..Instructions::default() })
            }
            _ => None,
        }
    }
}

impl ChargeRefund {
    pub(super) fn seen(&self) -> SeenRefund {
        SeenRefund {
            provider_ref: self.id.clone(),
            refund: self.refund,
            amount: self.amount,
            status: self.status,
            failure: self.failure.clone(),
        }
    }
}
