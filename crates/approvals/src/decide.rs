//! Decisions.

use kernel::{NewEvent, Timestamp};

use crate::{Approval, ApprovalError, ApprovalId, Level, Person, Status, events};

/// What somebody decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// To agree.
    Approve,
    /// Not to.
    Reject,
}

impl Verdict {
    /// Every one.
    pub const EVERY: &'static [Self] = &[Self::Approve, Self::Reject];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
        }
    }

    /// What a request is called that has ended so.
    #[must_use]
    pub const fn ended(self) -> &'static str {
        match self {
            Self::Approve => Status::Approved.name(),
            Self::Reject => Status::Rejected.name(),
        }
    }
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Whose.
    pub by: Person,
    /// Which.
    pub verdict: Verdict,
    /// On which level; the first is 0.
    pub level: u32,
    /// What they say.
    pub comment: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A decision to be made.
#[derive(Clone, Debug)]
pub struct Decide {
    /// On what.
    pub id: ApprovalId,
    /// By whom.
    pub by: Person,
    /// Which.
    pub verdict: Verdict,
    /// What they say.
    pub comment: Option<String>,
    /// The version that they have seen, when what others have done since is to be looked at first.
    pub version: Option<i64>,
}

/// What comes of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It was made before.
    Before,
    /// It counts; the request waits for more, has been rejected, or is approved: then its command is to be carried out.
    Counted {
        /// The request with it.
        approval: Box<Approval>,
        /// What is told.
        events: Vec<NewEvent>,
    },
}

impl Approval {
    /// Counts a decision.
    ///
    /// # Errors
    /// When the person has decided otherwise before, may not decide, or nothing is to be decided any more.
    pub fn decide(&self, command: &Decide, now: Timestamp) -> Result<Decided, ApprovalError> {
        if let Some(before) = self.decisions.iter().find(|before| before.by == command.by) {
            return match before.verdict == command.verdict {
                true => Ok(Decided::Before),
                false => Err(ApprovalError::DecidedOtherwise),
            };
        }
        let is_open_to_requester =
            self.requirements.iter().all(|requirement| requirement.allow_self_approval);
        if command.by == self.requested_by && !is_open_to_requester {
            return Err(ApprovalError::Requester);
        }
        let status = self.status_at(now);
        if status != Status::Pending {
            return Err(ApprovalError::Closed(status));
        }
        if !self.at_level(self.level).any(|level| level.approvers.contains(&command.by)) {
            return Err(ApprovalError::NotNamed);
        }
        let mut approval = self.clone();
        approval.decisions.push(Decision {
            by: command.by,
            verdict: command.verdict,
            level: self.level,
            comment: command.comment.clone(),
            at: now,
        });
        let ends = match command.verdict {
            Verdict::Reject => Some(Status::Rejected),
            Verdict::Approve if !approval.is_met(self.level) => None,
            Verdict::Approve => {
                approval.level += 1;
                let is_last = approval.at_level(approval.level).next().is_none();
                is_last.then_some(Status::Approved)
            }
        };
        let Some(status) = ends else {
            let approval = Box::new(approval.touched(now));
            return Ok(Decided::Counted { approval, events: Vec::new() });
        };
        let events = vec![events::decided(self.id, command.verdict)];
        Ok(Decided::Counted { approval: Box::new(approval.ended(status, now)), events })
    }

    /// What is required at a level, for each reason.
    fn at_level(&self, number: u32) -> impl Iterator<Item = &Level> {
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        self.requirements.iter().filter_map(move |requirement| requirement.levels.get(place))
    }

    /// Whether enough have agreed at a level, for every reason.
    fn is_met(&self, number: u32) -> bool {
        let enough = |level: &Level| {
            usize::try_from(level.min_approvals)
                .is_ok_and(|wanted| self.approvals(level, number) >= wanted)
        };
        self.at_level(number).all(enough)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{AdHoc, EntityType, Facts, KeyId, Requirement, TakeBack, approval::ask_ad_hoc};

    fn key(number: u128) -> Person {
        Person::Key(KeyId::from_u128(number))
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_seconds(seconds)
    }

    fn level(approvers: &[u128], min_approvals: u32) -> Level {
        Level { approvers: approvers.iter().map(|number| key(*number)).collect(), min_approvals }
    }

    /// Asked by key 9.
    fn asked(levels: &[Level]) -> Approval {
        let command = AdHoc {
            entity: EntityType::OrderCancellation,
            entity_id: "ord_1".to_owned(),
            reason: None,
            levels: levels.to_vec(),
            expires_after_hours: 1,
            by: key(9),
        };
        let facts = (Facts::default(), String::new());
        ask_ad_hoc(command, facts, ApprovalId::from_u128(1), at(0)).unwrap().approval
    }

    fn by_whom(person: u128, may_approve: bool) -> TakeBack {
        let id = ApprovalId::from_u128(1);
        TakeBack { id, by: key(person), may_approve, version: None }
    }

    fn by(person: u128, verdict: Verdict) -> Decide {
        let id = ApprovalId::from_u128(1);
        Decide { id, by: key(person), verdict, comment: None, version: None }
    }

    fn after(approval: &Approval, person: u128, verdict: Verdict) -> Approval {
        match approval.decide(&by(person, verdict), at(1)) {
            Ok(Decided::Counted { approval, .. }) => *approval,
            other => panic!("{person}: {other:?}"),
        }
    }

    fn refused(approval: &Approval, person: u128, verdict: Verdict, seconds: i64) -> ApprovalError {
        approval.decide(&by(person, verdict), at(seconds)).unwrap_err()
    }

    #[test]
    fn level_by_level() {
        use Verdict::Approve;
        let request = asked(&[level(&[1, 2, 3], 2), level(&[3, 4], 1)]);
        assert_eq!(refused(&request, 4, Approve, 1), ApprovalError::NotNamed);
        let one = after(&request, 1, Approve);
        assert_eq!((one.status, one.level), (Status::Pending, 0));
        let two = after(&one, 2, Approve);
        assert_eq!((two.status, two.level), (Status::Pending, 1));
        assert_eq!(two.decide(&by(1, Approve), at(2)), Ok(Decided::Before));
        let Ok(Decided::Counted { approval, events }) = two.decide(&by(3, Approve), at(1)) else {
            panic!("the last decision counts");
        };
        assert_eq!((approval.status, approval.ended_at), (Status::Approved, Some(at(1))));
        assert_eq!(
            events[0].data,
            format!(r#"{{"requestId":"{}","decision":"approved"}}"#, approval.id)
        );
    }

    #[test]
    fn a_decision_counts_for_every_reason_that_names_its_person() {
        let mut request = asked(&[level(&[1, 2], 1)]);
        let other =
            Requirement { levels: vec![level(&[2, 3], 1)], ..request.requirements[0].clone() };
        request.requirements.push(other);
        let one = after(&request, 1, Verdict::Approve);
        assert_eq!((one.status, one.level), (Status::Pending, 0));
        assert_eq!(after(&one, 3, Verdict::Approve).status, Status::Approved);
        assert_eq!(after(&request, 2, Verdict::Approve).status, Status::Approved);
    }

    #[test]
    fn one_rejection_ends_it_all() {
        let request = asked(&[level(&[1, 2], 2)]);
        let rejected = after(&after(&request, 1, Verdict::Approve), 2, Verdict::Reject);
        assert_eq!(rejected.status, Status::Rejected);
        assert_eq!(rejected.decide(&by(2, Verdict::Reject), at(9)), Ok(Decided::Before));
        assert_eq!(refused(&rejected, 2, Verdict::Approve, 2), ApprovalError::DecidedOtherwise);
        let closed = ApprovalError::Closed(Status::Rejected);
        assert_eq!(refused(&rejected, 3, Verdict::Approve, 2), closed);
    }

    #[test]
    fn who_asks_does_not_decide() {
        let mut request = asked(&[level(&[1, 9], 1)]);
        assert_eq!(refused(&request, 9, Verdict::Approve, 1), ApprovalError::Requester);
        assert_eq!(refused(&request, 9, Verdict::Reject, 1), ApprovalError::Requester);
        request.requirements[0].allow_self_approval = true;
        assert_eq!(after(&request, 9, Verdict::Approve).status, Status::Approved);
    }

    #[test]
    fn its_time_is_over_after_its_hours() {
        let request = asked(&[level(&[1], 1)]);
        let closed = ApprovalError::Closed(Status::Expired);
        assert_eq!(refused(&request, 1, Verdict::Approve, 3_600), closed);
        assert!(request.decide(&by(1, Verdict::Approve), at(3_599)).is_ok());
        let seen = request.clone().at(at(4_000));
        assert_eq!((seen.status, seen.ended_at), (Status::Expired, Some(at(3_600))));
        assert_eq!(request.taken_back(&by_whom(9, false), at(3_600)), Err(closed));
    }

    #[test]
    fn who_asked_or_may_approve_takes_it_back() {
        let request = asked(&[level(&[1], 1)]);
        let taken_back =
            |person, may_approve| request.taken_back(&by_whom(person, may_approve), at(1));
        assert_eq!(taken_back(1, false), Err(ApprovalError::NotRequester));
        let cancelled = taken_back(9, false).unwrap();
        assert_eq!(cancelled.status, Status::Cancelled);
        assert_eq!(cancelled.taken_back(&by_whom(9, false), at(2)).unwrap(), cancelled);
        assert!(taken_back(1, true).is_ok());
        // What is decided is not taken back, nor the other way round.
        let approved = after(&request, 1, Verdict::Approve);
        let closed = Err(ApprovalError::Closed(Status::Approved));
        assert_eq!(approved.taken_back(&by_whom(9, true), at(2)), closed);
        let closed = ApprovalError::Closed(Status::Cancelled);
        assert_eq!(refused(&cancelled, 1, Verdict::Approve, 2), closed);
    }

    #[test]
    fn nobody_asks_themselves_alone() {
        let command = AdHoc {
            entity: EntityType::OrderCancellation,
            entity_id: "ord_1".to_owned(),
            reason: None,
            levels: vec![level(&[9], 1)],
            expires_after_hours: 1,
            by: key(9),
        };
        let facts = (Facts::default(), String::new());
        assert!(ask_ad_hoc(command, facts, ApprovalId::from_u128(1), at(0)).is_err());
    }

    proptest! {
        /// Whoever decides in whatever order: a request is approved only once every level of every reason has enough.
        #[test]
        fn nothing_is_approved_by_too_few(
            levels in prop::collection::vec((prop::collection::btree_set(1_u128..7, 1..6), 1_u32..3), 1..4),
            order in Just((1_u128..7).collect::<Vec<_>>()).prop_shuffle(),
            again in any::<bool>(),
        ) {
            let levels: Vec<Level> = levels
                .into_iter()
                .map(|(people, min)| level(&people.into_iter().collect::<Vec<_>>(), min))
                .collect();
            prop_assume!(crate::level::can_be_met(&levels, None));
            let mut request = asked(&levels);
            for person in order.iter().chain(order.iter().filter(|_| again)) {
                match request.decide(&by(*person, Verdict::Approve), at(1)) {
                    Ok(Decided::Counted { approval, .. }) => request = *approval,
                    Ok(Decided::Before)
                    | Err(ApprovalError::NotNamed | ApprovalError::Closed(_)) => {}
                    Err(other) => panic!("{other:?}"),
                }
            }
            let counts: Vec<usize> = levels
                .iter()
                .zip(0..)
                .map(|(level, number)| request.approvals(level, number))
                .collect();
            let is_enough = levels
                .iter()
                .zip(&counts)
                .all(|(level, count)| *count >= level.min_approvals as usize);
            prop_assert_eq!(request.status == Status::Approved, is_enough);
            let people: std::collections::BTreeSet<_> =
                request.decisions.iter().map(|decision| decision.by).collect();
            prop_assert_eq!(people.len(), request.decisions.len());
        }
    }
}
