//! Links: whoever holds one sees or gives one thing of an account, without a key.
//!
//! A link is its token, which is long enough never to be guessed and is looked up by its digest. Of one thing there is
//! one link of a kind at a time; a new one takes the place of the one before, whose holder then finds nothing.

mod token;

use kernel::{AccountId, Ctx, Fault, Pending, Timestamp, Written};

pub use token::{RANDOM_BYTES, RandomDigest, RandomToken, Token, TokenDigest};

/// The most days that a link lasts: ten years, as long as documents are kept (article 30 of the CFF asks for five).
pub const DAYS_MAX: u32 = 3_650;

const MICROS_A_DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// What the holder of a link may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// Give a customer's tax data.
    TaxData,
    /// See an invoice, and download its XML and PDF.
    Invoice,
    /// Pay by a payment link.
    Payment,
    /// See how a payment that was begun by a link is paid, and what has become of it.
    Attempt,
    /// See a quote, accept it, and ask about it.
    Quote,
}

impl LinkKind {
    /// Every kind.
    pub const EVERY: &'static [Self] =
        &[Self::TaxData, Self::Invoice, Self::Payment, Self::Attempt, Self::Quote];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TaxData => "tax_data",
            Self::Invoice => "invoice",
            Self::Payment => "payment",
            Self::Attempt => "attempt",
            Self::Quote => "quote",
        }
    }
}

/// What a link is of: a kind of access to one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What may be done.
    pub kind: LinkKind,
    /// The identifier of the thing.
    pub subject: String,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it is of.
    pub target: Target,
    /// What its holder has.
    pub token: Token,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it leads nowhere.
    pub expires_at: Timestamp,
}

impl Link {
    /// A link that lasts so many days from `now` on.
    #[must_use]
    pub fn lasting(target: Target, token: Token, days: u32, now: Timestamp) -> Self {
        let lasts = i64::from(days.min(DAYS_MAX)).saturating_mul(MICROS_A_DAY);
        let expires_at = Timestamp::from_micros(now.micros().saturating_add(lasts));
        Self { target, token, created_at: now, expires_at }
    }

    /// Whether it leads nowhere any more.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        now >= self.expires_at
    }
}

/// Why a command about links was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// An invoice that is not stamped has nothing to show yet.
    NotStamped,
}

/// Links, each method one transaction.
pub trait Links: Send + Sync {
    /// Makes a link that lasts so many days, in the place of one of the same target; refused as not found when the
    /// account has no such thing.
    fn open(&self, ctx: Ctx, target: Target, days: u32) -> Pending<Written<Link, LinkError>>;

    /// The link of a target, unless there is none or it has expired.
    fn get(
        &self,
        account: AccountId,
        target: Target,
        now: Timestamp,
    ) -> Pending<Result<Option<Link>, Fault>>;

    /// Closes the link of a target, if it was made when the caller has seen it made; refused as not found when there is
    /// none.
    fn close(
        &self,
        ctx: Ctx,
        target: Target,
        made: Option<Timestamp>,
    ) -> Pending<Written<String, LinkError>>;

    /// Where a token leads: to nothing when no link has it, or it has expired.
    fn follow(
        &self,
        digest: TokenDigest,
        now: Timestamp,
    ) -> Pending<Result<Option<(AccountId, Target)>, Fault>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_lasts_until_its_days_are_over() {
        let now = Timestamp::parse("2026-01-31T18:00:00Z").unwrap();
        let target = Target { kind: LinkKind::TaxData, subject: "cus_1".to_owned() };
        let link = Link::lasting(target.clone(), Token::from_random([7; 18]), 30, now);
        let end = Timestamp::parse("2026-03-02T18:00:00Z").unwrap();
        assert_eq!(link.expires_at, end);
        let before = Timestamp::from_micros(end.micros() - 1);
        assert_eq!((link.is_expired(before), link.is_expired(end)), (false, true));
        let longest = Link::lasting(target, Token::from_random([7; 18]), u32::MAX, now);
        assert_eq!(longest.expires_at.to_string(), "2036-01-29T18:00:00.000Z");
    }
}
