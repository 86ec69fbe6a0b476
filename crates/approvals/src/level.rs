//! Who must agree.

use std::fmt;

use kernel::{FieldFault, UserId, message};

kernel::ids! {
    /// An API key, by the identifier that it has as one.
    KeyId = "key";
}

/// The most levels.
pub const LEVELS_MAX: usize = 5;
/// The most approvers of one level.
pub const APPROVERS_MAX: usize = 20;

/// Somebody who asks or decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Person {
    /// Whoever holds an API key.
    Key(KeyId),
    /// A user of the panel.
    User(UserId),
}

impl Person {
    /// Reads what [`Display`](fmt::Display) writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let key = KeyId::parse(text).map(Self::Key);
        key.or_else(|| UserId::parse(text).map(Self::User))
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::User(id) => id.fmt(f),
        }
    }
}

/// Those of whom some must agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Who may.
    pub approvers: Vec<Person>,
    /// How many of them must.
    pub min_approvals: u32,
}

/// What is wrong with levels; the fields are named as beneath `levels`.
pub(crate) fn faults(levels: &[Level]) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        let mut known = Vec::new();
        for (place, person) in level.approvers.iter().enumerate() {
            if known.contains(person) {
                faults.push(FieldFault::new(
                    format!("levels[{index}].approvers[{place}]"),
                    message!("is named twice", "se indica dos veces"),
                ));
            }
            known.push(*person);
        }
        let count = level.approvers.len();
        if usize::try_from(level.min_approvals).is_ok_and(|min| min > count) {
            faults.push(FieldFault::new(
                format!("levels[{index}].minApprovals"),
                message!(
                    "must be at most {count}, as many approvers as the level has",
                    "debe ser a lo más {count}, los aprobadores que tiene el nivel"
                ),
            ));
        }
    }
    if faults.is_empty() && !can_be_met(levels, None) {
        faults.push(FieldFault::new(
            "levels",
            message!(
                "cannot all be met: each approver decides once, and too few are named for all levels together",
                "no se pueden cumplir todos: cada aprobador decide una sola vez y se indican muy pocos para todos los niveles juntos"
            ),
        ));
    }
    faults
}

/// Whether all levels can be met though each person decides once, and somebody not at all.
pub(crate) fn can_be_met(levels: &[Level], without: Option<Person>) -> bool {
    // A seat for each approval that is needed, and who sits on it: augmenting paths find whether all can be taken.
    let seats: Vec<&Level> =
        levels.iter().flat_map(|level| (0..level.min_approvals).map(move |_| level)).collect();
    let mut taken: Vec<(Person, usize)> = Vec::new();
    (0..seats.len()).all(|seat| sits(&seats, seat, without, &mut Vec::new(), &mut taken))
}

/// Finds somebody for a seat, if others move.
fn sits(
    seats: &[&Level],
    seat: usize,
    without: Option<Person>,
    asked: &mut Vec<Person>,
    taken: &mut Vec<(Person, usize)>,
) -> bool {
    let Some(level) = seats.get(seat) else { return false };
    for person in level.approvers.iter().filter(|person| Some(**person) != without) {
        if asked.contains(person) {
            continue;
        }
        asked.push(*person);
        let sits_at = taken.iter().find(|(known, _)| known == person).map(|(_, at)| *at);
        let is_free = sits_at.is_none_or(|other| sits(seats, other, without, asked, taken));
        if is_free {
            taken.retain(|(known, _)| known != person);
            taken.push((*person, seat));
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(number: u128) -> Person {
        Person::Key(KeyId::from_u128(number))
    }

    fn level(approvers: &[u128], min_approvals: u32) -> Level {
        Level { approvers: approvers.iter().map(|number| key(*number)).collect(), min_approvals }
    }

    #[test]
    fn a_person_is_read_as_it_is_written() {
        assert_eq!(Person::parse(&key(7).to_string()), Some(key(7)));
        let user = Person::User(UserId::from_u128(7));
        assert_eq!(Person::parse(&user.to_string()), Some(user));
        assert_eq!(Person::parse("cus_00000000000000000000000000"), None);
    }

    #[test]
    fn each_decides_once() {
        for (levels, met) in [
            (vec![level(&[1], 1)], true),
            (vec![level(&[1, 2], 2)], true),
            (vec![level(&[1], 1), level(&[1], 1)], false),
            (vec![level(&[1, 2], 1), level(&[1], 1)], true),
            (vec![level(&[1, 2], 2), level(&[1, 2, 3], 1)], true),
            (vec![level(&[1, 2], 1), level(&[1, 2], 1), level(&[1, 2], 1)], false),
        ] {
            assert_eq!(can_be_met(&levels, None), met, "{levels:?}");
        }
        assert!(!can_be_met(&[level(&[1], 1)], Some(key(1))));
        assert!(can_be_met(&[level(&[1, 2], 1)], Some(key(1))));
    }

    #[test]
    fn faults_have_their_place() {
        let fields = |levels: &[Level]| -> Vec<String> {
            faults(levels).into_iter().map(|fault| fault.field).collect()
        };
        assert_eq!(fields(&[level(&[1, 2], 1)]), [""; 0]);
        assert_eq!(fields(&[level(&[1, 1], 1)]), ["levels[0].approvers[1]"]);
        assert_eq!(fields(&[level(&[1], 1), level(&[2], 2)]), ["levels[1].minApprovals"]);
        assert_eq!(fields(&[level(&[1], 1), level(&[1], 1)]), ["levels"]);
    }

    /// Tries every way to give each person one level or none.
    fn by_trying(levels: &[Level], people: u128) -> bool {
        fn place(levels: &[Level], counts: &mut Vec<u32>, person: u128, people: u128) -> bool {
            if person == people {
                return levels
                    .iter()
                    .zip(counts.iter())
                    .all(|(level, n)| *n >= level.min_approvals);
            }
            if place(levels, counts, person + 1, people) {
                return true;
            }
            for index in 0..levels.len() {
                if levels[index].approvers.contains(&key(person)) {
                    counts[index] += 1;
                    if place(levels, counts, person + 1, people) {
                        return true;
                    }
                    counts[index] -= 1;
                }
            }
            false
        }
        place(levels, &mut vec![0; levels.len()], 0, people)
    }

    proptest! {
        #[test]
        fn seats_are_found_wherever_there_are_some(
            drawn in prop::collection::vec((prop::collection::btree_set(0_u128..5, 1..5), 1_u32..4), 1..4)
        ) {
            let levels: Vec<Level> = drawn
                .into_iter()
                .map(|(people, min)| level(&people.into_iter().collect::<Vec<_>>(), min))
                .collect();
            prop_assert_eq!(can_be_met(&levels, None), by_trying(&levels, 5));
        }
    }
}
