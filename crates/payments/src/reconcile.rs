//! Our books beside a provider's: payment by payment, and in sums. What differs is told and never mended here:
//! asking the provider about a payment is what mends it, and that goes through [`judge`](crate::judge()).

use std::collections::{BTreeMap, BTreeSet};

use kernel::{Amount, Currency, FieldFault, Sum, Timestamp, message};

use crate::{
    Payment, PaymentId, ProviderKind, RefundStatus, Seen, SeenState, Status,
    payment::{less, named, plus},
};

/// The most days that are compared at a time.
pub const DAYS_MAX: i64 = 31;
/// How many of our payments are compared in one answer.
pub const PAYMENTS_MAX: usize = 200;
/// How many pages of a provider's list are read for one answer.
pub const PAGES_MAX: usize = 20;

named! {
    /// What has come of comparing a payment.
    Verdict {
        /// Both have it, and it is the same.
        Matched = "matched",
        /// The provider has it, and we do not know it.
        MissingHere = "missing_here",
        /// We have it, and the provider does not know it.
        MissingThere = "missing_there",
        /// Both have it, and something of it is not the same.
        Different = "different",
    }
}

named! {
    /// What of a payment is not the same.
    Difference {
        /// What was asked for.
        Amount = "amount",
        /// In which currency.
        Currency = "currency",
        /// What was taken.
        Captured = "captured",
        /// What was given back through the provider.
        Refunded = "refunded",
        /// Where it stands.
        Status = "status",
    }
}

/// A payment of ours, as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ours {
    /// The payment.
    pub payment: Payment,
    /// What of its refunds the merchant has given back, which no provider knows of.
    pub refunded_in_hand: Amount,
}

impl Ours {
    /// What was given back through the provider.
    #[must_use]
    pub fn refunded_there(&self) -> Amount {
        less(self.payment.refunded, self.refunded_in_hand)
    }

    /// Whether the provider should have it. What was refused before it came to be is of nobody.
    #[must_use]
    pub fn should_be_there(&self) -> bool {
        let Payment { status, provider_ref, captured, .. } = &self.payment;
        !status.is_unpaid_end() || provider_ref.is_some() || *captured > Amount::ZERO
    }
}

/// A payment in a provider's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theirs {
    /// What it shows of it.
    pub seen: Seen,
    /// When it was made there, where that is known.
    pub created_at: Option<Timestamp>,
    /// Whether the list shows a part of it alone, such as one try of many: asked about it by itself, the provider shows all.
    pub is_partial: bool,
}

impl Theirs {
    /// What was taken.
    #[must_use]
    pub const fn captured(&self) -> Amount {
        match self.seen.state {
            SeenState::Paid { captured, .. } => captured,
            _ => Amount::ZERO,
        }
    }

    /// What was given back.
    #[must_use]
    pub fn refunded(&self) -> Amount {
        let done = self.seen.refunds.iter().filter(|r| r.status == RefundStatus::Succeeded);
        done.fold(Amount::ZERO, |sum, refund| plus(sum, refund.amount))
    }

    /// Where it stands, in our words.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self.seen.state {
            SeenState::RequiresAction(_) => Status::RequiresAction,
            SeenState::Processing => Status::Processing,
            SeenState::Authorized(_) => Status::Authorized,
            SeenState::Paid { .. } => Status::Paid,
            SeenState::Failed(_) => Status::Failed,
            SeenState::Canceled | SeenState::Returned => Status::Canceled,
            SeenState::Expired => Status::Expired,
        }
    }
}

/// A payment on both sides, or on one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// What has come of it.
    pub verdict: Verdict,
    /// Through whom.
    pub provider: ProviderKind,
    /// What we have.
    pub ours: Option<Ours>,
    /// What the provider has.
    pub theirs: Option<Theirs>,
    /// What is not the same.
    pub differences: Vec<Difference>,
}

/// Compares a payment that both have.
#[must_use]
pub fn compare(ours: Ours, theirs: Theirs) -> Compared {
    let payment = &ours.payment;
    let mut differences = Vec::new();
    let mut note = |differs: bool, difference| {
        if differs {
            differences.push(difference);
        }
    };
    note(payment.amount != theirs.seen.amount, Difference::Amount);
    note(payment.currency != theirs.seen.currency, Difference::Currency);
    note(payment.captured != theirs.captured(), Difference::Captured);
    note(ours.refunded_there() != theirs.refunded(), Difference::Refunded);
    note(payment.status != theirs.status(), Difference::Status);
    let verdict = if differences.is_empty() { Verdict::Matched } else { Verdict::Different };
    Compared {
        verdict,
        provider: payment.provider,
        ours: Some(ours),
        theirs: Some(theirs),
        differences,
    }
}

/// A payment that the provider has and we do not know.
#[must_use]
pub fn missing_here(provider: ProviderKind, theirs: Theirs) -> Compared {
    let (verdict, theirs) = (Verdict::MissingHere, Some(theirs));
    Compared { verdict, provider, ours: None, theirs, differences: Vec::new() }
}

/// A payment of ours that the provider does not know.
#[must_use]
pub fn missing_there(ours: Ours) -> Compared {
    let (verdict, provider) = (Verdict::MissingThere, ours.payment.provider);
    Compared { verdict, provider, ours: Some(ours), theirs: None, differences: Vec::new() }
}

/// The payments that a list names and does not show whole: in parts, or more than once. They are to be asked about.
#[must_use]
pub fn in_parts(listed: &[Theirs]) -> BTreeSet<PaymentId> {
    let (mut seen, mut in_parts) = (BTreeSet::new(), BTreeSet::new());
    for theirs in listed {
        if let Some(id) = theirs.seen.payment
            && (!seen.insert(id) || theirs.is_partial)
        {
            in_parts.insert(id);
        }
    }
    in_parts
}

/// Which of our payments one in a provider's list is: the one that it names, else the one that has its identifier.
#[must_use]
pub fn is_it(payment: &Payment, theirs: &Theirs) -> bool {
    match theirs.seen.payment {
        Some(id) => payment.id == id,
        None => payment.provider_ref.as_deref() == Some(theirs.seen.provider_ref.as_str()),
    }
}

/// What is to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Payments made at this moment or later.
    pub from: Timestamp,
    /// And before this one.
    pub to: Timestamp,
    /// Through whom; every provider that is set up if absent.
    pub provider: Option<ProviderKind>,
}

impl Wanted {
    /// What was made from one moment to another, to the millisecond.
    ///
    /// # Errors
    /// The field that is not right.
    pub fn new(
        from: Timestamp,
        to: Timestamp,
        provider: Option<ProviderKind>,
    ) -> Result<Self, FieldFault> {
        let (from, to) = (from.to_millis(), to.to_millis());
        let problem = if to <= from {
            message!("must be later than from", "debe ser posterior a from")
        } else if to > from.plus_seconds(DAYS_MAX * 86_400) {
            message!(
                "must be at most {DAYS_MAX} days after from",
                "debe ser a lo más {DAYS_MAX} días después de from"
            )
        } else {
            return Ok(Self { from, to, provider });
        };
        Err(FieldFault::new("to", problem))
    }
}

/// What was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciled {
    /// Up to when: where there is much, an answer ends before the end that was asked for.
    pub until: Timestamp,
    /// Providers whose lists were compared.
    pub listed: Vec<ProviderKind>,
    /// Providers that have no list here.
    pub unlisted: Vec<ProviderKind>,
    /// Each payment, the oldest first.
    pub rows: Vec<Compared>,
}

/// What one side has, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many payments.
    pub count: u64,
    /// What was taken.
    pub captured: Sum,
    /// What was given back through the provider.
    pub refunded: Sum,
}

impl Totals {
    fn add(&mut self, captured: Amount, refunded: Amount) {
        self.count += 1;
        self.captured += captured.into();
        self.refunded += refunded.into();
    }
}

/// What the payments of one currency and verdict add up to on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The currency.
    pub currency: Currency,
    /// What has come of comparing them.
    pub verdict: Verdict,
    /// Ours.
    pub here: Totals,
    /// The provider's.
    pub there: Totals,
}

/// Adds up what was compared, apart by currency and verdict. A payment whose currencies differ is in both.
#[must_use]
pub fn sums(rows: &[Compared]) -> Vec<Group> {
    let mut groups: BTreeMap<(String, Verdict), Group> = BTreeMap::new();
    let mut group = |currency: Currency, verdict: Verdict, add: &dyn Fn(&mut Group)| {
        let new = Group { currency, verdict, here: Totals::default(), there: Totals::default() };
        add(groups.entry((currency.to_string(), verdict)).or_insert(new));
    };
    for row in rows {
        if let Some(ours) = &row.ours {
            let (captured, refunded) = (ours.payment.captured, ours.refunded_there());
            group(ours.payment.currency, row.verdict, &|group| group.here.add(captured, refunded));
        }
        if let Some(theirs) = &row.theirs {
            let (captured, refunded) = (theirs.captured(), theirs.refunded());
            group(theirs.seen.currency, row.verdict, &|group| group.there.add(captured, refunded));
        }
    }
    groups.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Failure, Method, RefundId, SeenRefund, open::tests::opened};

    fn amount(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    fn ours() -> Ours {
        let payment = opened(ProviderKind::Sandbox, Method::Card, amount(100));
        let payment = Payment {
            status: Status::Paid,
            captured: amount(100),
            authorized: amount(100),
            refunded: amount(30),
            provider_ref: Some("sbx_1".to_owned()),
            ..payment
        };
        Ours { payment, refunded_in_hand: amount(20) }
    }

    fn theirs() -> Theirs {
        let refund = |units, status| SeenRefund {
            provider_ref: "sbx_r".to_owned(),
            refund: Some(RefundId::from_u128(1)),
            amount: amount(units),
            status,
            failure: None,
        };
        let seen = Seen {
            provider_ref: "sbx_1".to_owned(),
            payment: None,
            amount: amount(100),
            currency: Currency::MXN,
            state: SeenState::Paid { captured: amount(100), at: None },
            received: amount(100),
            instructions: None,
            expires_at: None,
            card: None,
            installments_chosen: None,
            tracking_key: None,
            fee: None,
            refunds: vec![refund(10, RefundStatus::Succeeded), refund(5, RefundStatus::Failed)],
        };
        Theirs { seen, created_at: Some(Timestamp::from_micros(1)), is_partial: false }
    }

    #[test]
    fn what_is_the_same_matches_and_money_in_hand_is_not_the_provider_s() {
        let row = compare(ours(), theirs());
        assert_eq!((row.verdict, row.differences), (Verdict::Matched, Vec::new()));
    }

    #[test]
    fn every_difference_is_named() {
        let dollars = Currency::parse("USD").unwrap();
        let failed = Failure { code: String::new(), message: String::new(), is_retryable: false };
        type Spoil = fn(&mut Seen);
        let spoilt: [(&[Difference], Spoil); 4] = [
            (&[Difference::Amount], |seen| seen.amount = Amount::from_micros(1)),
            (&[Difference::Refunded], |seen| seen.refunds.clear()),
            (&[Difference::Captured], |seen| {
                seen.state = SeenState::Paid { captured: Amount::from_micros(1), at: None };
            }),
            (&[Difference::Captured, Difference::Status], |seen| {
                seen.state = SeenState::Processing;
            }),
        ];
        for (differences, spoil) in spoilt {
            let mut theirs = theirs();
            spoil(&mut theirs.seen);
            assert_eq!(compare(ours(), theirs).differences, differences);
        }
        let mut other = theirs();
        other.seen.currency = dollars;
        other.seen.state = SeenState::Failed(failed);
        let row = compare(ours(), other);
        assert_eq!(
            row.differences,
            [Difference::Currency, Difference::Captured, Difference::Status]
        );
    }

    #[test]
    fn what_never_came_to_be_is_missed_by_nobody() {
        let refused = |status, provider_ref: Option<&str>| {
            let payment = Payment {
                status,
                captured: Amount::ZERO,
                provider_ref: provider_ref.map(str::to_owned),
                ..ours().payment
            };
            Ours { payment, refunded_in_hand: Amount::ZERO }.should_be_there()
        };
        assert!(!refused(Status::Failed, None));
        assert!(refused(Status::Failed, Some("sbx_1")) && refused(Status::Pending, None));
    }

    #[test]
    fn a_time_is_one_of_a_month_at_most() {
        let day = |day: i64| Timestamp::from_micros(day * 86_400_000_000);
        assert!(Wanted::new(day(0), day(31), None).is_ok());
        for (from, to) in [(0, 0), (1, 0), (0, 32)] {
            assert_eq!(Wanted::new(day(from), day(to), None).unwrap_err().field, "to");
        }
    }

    #[test]
    fn one_is_known_by_the_payment_that_it_names_and_else_by_its_identifier() {
        let (payment, mut theirs) = (ours().payment, theirs());
        assert!(is_it(&payment, &theirs));
        theirs.seen.payment = Some(PaymentId::from_u128(payment.id.to_u128() + 1));
        assert!(!is_it(&payment, &theirs));
        theirs.seen.payment = Some(payment.id);
        theirs.seen.provider_ref = "another".to_owned();
        assert!(is_it(&payment, &theirs));
    }

    #[test]
    fn what_a_list_shows_in_parts_is_asked_about() {
        let named = |id: u128, is_partial| {
            let seen = Seen { payment: Some(PaymentId::from_u128(id)), ..theirs().seen };
            Theirs { seen, is_partial, ..theirs() }
        };
        let listed = [named(1, false), named(2, false), named(3, true), named(2, false), theirs()];
        let asked = in_parts(&listed);
        assert_eq!(asked.into_iter().map(|id| id.to_u128()).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn sums_are_apart_by_currency_and_verdict() {
        let mut elsewhere = theirs();
        elsewhere.seen.currency = Currency::parse("USD").unwrap();
        let rows = [
            compare(ours(), theirs()),
            compare(ours(), theirs()),
            missing_here(ProviderKind::Sandbox, elsewhere),
        ];
        let sums = sums(&rows);
        let shown: Vec<_> = sums
            .iter()
            .map(|group| (group.currency.to_string(), group.verdict, group.here, group.there))
            .collect();
        let totals = |count, captured: i128, refunded: i128| Totals {
            count,
            captured: Sum::from_micros(captured * 1_000_000),
            refunded: Sum::from_micros(refunded * 1_000_000),
        };
        assert_eq!(
            shown,
            [
                ("MXN".to_owned(), Verdict::Matched, totals(2, 200, 20), totals(2, 200, 20)),
                ("USD".to_owned(), Verdict::MissingHere, Totals::default(), totals(1, 100, 10)),
            ]
        );
    }
}
