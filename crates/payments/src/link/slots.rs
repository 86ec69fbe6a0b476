//! What becomes of the slot that a payment has of its link.

use crate::Status;

/// What changes of a link's counters when a payment of it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotChange {
    /// By how many more it is being paid.
    pub taken: i64,
    /// By how many more it has been paid.
    pub paid: i64,
}

impl SlotChange {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// What changes when a payment moves from one status to another; from none when it begins. An open payment has a slot.
/// Money that comes after its end counts, with no slot to give back.
#[must_use]
pub fn moved(before: Option<Status>, after: Status) -> SlotChange {
    let counts = |status: Status| (i64::from(status.is_open()), i64::from(status == Status::Paid));
    let (taken_before, paid_before) = before.map(counts).unwrap_or_default();
    let (taken, paid) = counts(after);
    SlotChange { taken: taken - taken_before, paid: paid - paid_before }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::select};

    use super::*;

    #[test]
    fn slots_are_taken_given_back_and_used() {
        use Status::{Authorized, Canceled, Expired, Failed, Paid, Pending, RequiresAction};
        for (before, after, taken, paid) in [
            (None, Pending, 1, 0),
            (Some(Pending), RequiresAction, 0, 0),
            (Some(Pending), Failed, -1, 0),
            (Some(RequiresAction), Canceled, -1, 0),
            (Some(RequiresAction), Paid, -1, 1),
            (Some(Authorized), Paid, -1, 1),
            (Some(Paid), Paid, 0, 0),
            (Some(Expired), Paid, 0, 1),
        ] {
            assert_eq!(moved(before, after), SlotChange { taken, paid }, "{before:?} {after:?}");
        }
    }

    proptest! {
        /// Whatever a payment goes through, what it holds is what its last status says.
        #[test]
        fn the_sum_of_the_moves_is_the_last_status(path in prop::collection::vec(select(Status::EVERY), 1..9)) {
            let mut before = None;
            let mut sum = SlotChange::default();
            for status in &path {
                let change = moved(before, *status);
                sum = SlotChange { taken: sum.taken + change.taken, paid: sum.paid + change.paid };
                before = Some(*status);
            }
            let last = *path.last().unwrap();
            prop_assert_eq!(sum.taken, i64::from(last.is_open()));
            prop_assert_eq!(sum.paid, i64::from(last == Status::Paid));
        }
    }
}
