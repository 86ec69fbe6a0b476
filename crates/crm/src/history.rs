//! What has happened to a deal.

use kernel::{Amount, Currency, Timestamp};

use crate::{Deal, DealStatus, StageId};

kernel::ids! {
    /// The identifier of an entry.
    HistoryId = "dhe";
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// It was opened.
    Created,
    /// Its fields were changed.
    Updated,
    /// It went to another stage, as open or closed as before.
    Moved,
    /// It was won.
    Won,
    /// It was lost.
    Lost,
    /// It was taken up again.
    Reopened,
}

impl Happening {
    /// Every one.
    pub const EVERY: &'static [Self] =
        &[Self::Created, Self::Updated, Self::Moved, Self::Won, Self::Lost, Self::Reopened];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Moved => "moved",
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Reopened => "reopened",
        }
    }
}

/// An entry: what happened, and the deal behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Unique identifier.
    pub id: HistoryId,
    /// What happened.
    pub what: Happening,
    /// The stage before.
    pub from: Option<StageId>,
    /// The stage since.
    pub to: Option<StageId>,
    /// The value since.
    pub value: Amount,
    /// The currency of the value.
    pub currency: Currency,
    /// Who is responsible since.
    pub owner: Option<String>,
    /// Why it was lost.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// The entry of a change, if it is one that counts: another place in the same stage is none.
#[must_use]
pub fn entry(
    before: Option<&Deal>,
    after: &Deal,
    id: HistoryId,
    at: Timestamp,
) -> Option<HistoryEntry> {
    let what = match before {
        None => Happening::Created,
        Some(before) if before.status != after.status => match after.status {
            DealStatus::Open => Happening::Reopened,
            DealStatus::Won => Happening::Won,
            DealStatus::Lost => Happening::Lost,
        },
        Some(before) if before.stage() != after.stage() => Happening::Moved,
        Some(before) if is_updated(before, after) || is_lost_otherwise(before, after) => {
            Happening::Updated
        }
        Some(_) => return None,
    };
    Some(HistoryEntry {
        id,
        what,
        from: before.and_then(Deal::stage),
        to: after.stage(),
        value: after.value,
        currency: after.currency,
        owner: after.owner.clone(),
        reason: after.lost_reason.clone().filter(|_| {
            what == Happening::Lost || before.is_some_and(|before| is_lost_otherwise(before, after))
        }),
        at,
    })
}

/// Whether a deal that was lost is lost for another reason now.
fn is_lost_otherwise(before: &Deal, after: &Deal) -> bool {
    after.lost_reason.is_some() && before.lost_reason != after.lost_reason
}

fn is_updated(before: &Deal, after: &Deal) -> bool {
    let fields = |deal: &Deal| {
        let Deal { title, value, currency, customer, owner, expected_close, .. } = deal.clone();
        (title, value, currency, customer, owner, expected_close)
    };
    fields(before) != fields(after)
}
