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

/// Levels as they are asked for at a moment. Somebody who may not decide any more is left out, and where too few of a level are
/// left for its approvals, owners of the account stand in; a level that even they do not suffice for takes as many as there are. So
/// nobody is waited for who does not come. `without` does not decide, for having asked. Levels of which everybody is there stay
/// as they are, and so does one for which nobody is.
pub(crate) fn staffed(
    levels: &[Level],
    may: impl Fn(Person) -> bool,
    owners: &[Person],
    without: Option<Person>,
) -> Vec<Level> {
    let is_gone = |person: &Person| !may(*person);
    if !levels.iter().flat_map(|level| &level.approvers).any(is_gone) {
        return levels.to_vec();
    }
    let one = |level: &Level| {
        let is_short = level.approvers.iter().any(is_gone);
        (is_short, staffed_one(level, &may, owners, without))
    };
    let mut kept: Vec<(bool, Level)> = levels.iter().map(one).collect();
    let all = |kept: &[(bool, Level)]| -> Vec<Level> {
        kept.iter().map(|(_, level)| level.clone()).collect()
    };
    let whole: Vec<_> = kept.iter().filter(|(is_short, _)| !is_short).cloned().collect();
    // Levels of which everybody is there are asked in any case. If they alone cannot be met, because of who asks, nothing is won
    // by asking fewer people.
    let helps = can_be_met(&all(&whole), without);
    // Each decides once: where the same few stand in for several levels, the last ones have nobody.
    while helps && kept.len() > 1 && !can_be_met(&all(&kept), without) {
        let Some(last) = kept.iter().rposition(|(is_short, _)| *is_short) else { break };
        kept.remove(last);
    }
    all(&kept)
}

fn staffed_one(
    level: &Level,
    may: impl Fn(Person) -> bool,
    owners: &[Person],
    without: Option<Person>,
) -> Level {
    let mut approvers: Vec<Person> =
        level.approvers.iter().copied().filter(|person| may(*person)).collect();
    if approvers.len() == level.approvers.len() {
        return level.clone();
    }
    let deciding = |approvers: &[Person]| {
        let others = approvers.iter().filter(|person| Some(**person) != without);
        u32::try_from(others.count()).unwrap_or(u32::MAX)
    };
    if deciding(&approvers) < level.min_approvals {
        for owner in owners {
            if approvers.len() < APPROVERS_MAX && !approvers.contains(owner) {
                approvers.push(*owner);
            }
        }
    }
    if approvers.is_empty() {
        return level.clone();
    }
    Level { min_approvals: level.min_approvals.min(deciding(&approvers).max(1)), approvers }
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
    fn owners_stand_in_for_who_is_gone() {
        let owners = [key(8), key(9)];
        type Case<'a> = (Vec<Level>, &'a [u128], Option<u128>, Vec<Level>);
        let staffed = |levels: &[Level], gone: &[u128], without: Option<u128>| {
            let may = |person: Person| !gone.iter().any(|number| key(*number) == person);
            super::staffed(levels, may, &owners, without.map(key))
        };
        let cases: [Case<'_>; 11] = [
            // Everybody is there.
            (vec![level(&[1, 2], 1)], &[3], None, vec![level(&[1, 2], 1)]),
            // Enough are left.
            (vec![level(&[1, 2], 1)], &[2], None, vec![level(&[1], 1)]),
            (vec![level(&[1, 2, 9], 2)], &[2], None, vec![level(&[1, 9], 2)]),
            // Too few are.
            (vec![level(&[1], 1)], &[1], None, vec![level(&[8, 9], 1)]),
            (vec![level(&[1, 2], 2)], &[2], None, vec![level(&[1, 8, 9], 2)]),
            // Who is left has asked.
            (vec![level(&[1, 2], 1)], &[2], Some(1), vec![level(&[1, 8, 9], 1)]),
            // Even with owners there are too few.
            (vec![level(&[1, 2, 3, 4], 4)], &[1, 2, 3, 4], None, vec![level(&[8, 9], 2)]),
            (vec![level(&[1, 2], 2)], &[1, 2], Some(9), vec![level(&[8, 9], 1)]),
            // Two owners stand in for two levels, not for three.
            (
                vec![level(&[1], 1), level(&[2], 1), level(&[3], 1)],
                &[1, 2, 3],
                None,
                vec![level(&[8, 9], 1), level(&[8, 9], 1)],
            ),
            // Who asks is asked for alone, whoever is gone from another level: it waits as it would have.
            (
                vec![level(&[1, 2], 1), level(&[3], 1)],
                &[2],
                Some(3),
                vec![level(&[1], 1), level(&[3], 1)],
            ),
            // Where too few are left for both, the level of which everybody is there is kept.
            (vec![level(&[1, 2], 1), level(&[1], 1)], &[2], None, vec![level(&[1], 1)]),
        ];
        for (levels, gone, without, wanted) in cases {
            assert_eq!(staffed(&levels, gone, without), wanted, "{levels:?} {gone:?} {without:?}");
        }
        let levels = [level(&[1], 1)];
        assert_eq!(super::staffed(&levels, |_| false, &[], None), levels, "nobody is there");
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
        /// Whoever is gone: with owners there, somebody of each level that is asked may decide, and nobody is who may not.
        #[test]
        fn who_is_asked_is_there(
            drawn in prop::collection::vec((prop::collection::btree_set(0_u128..5, 1..5), 1_u32..4), 1..4),
            gone in prop::collection::btree_set(0_u128..5, 1..5),
        ) {
            let levels: Vec<Level> = drawn
                .into_iter()
                .map(|(people, min)| {
                    let people: Vec<_> = people.into_iter().collect();
                    let most = u32::try_from(people.len()).unwrap();
                    level(&people, min.min(most))
                })
                .collect();
            prop_assume!(can_be_met(&levels, None));
            let may = |person: Person| !gone.iter().any(|number| key(*number) == person);
            let asked = staffed(&levels, may, &[key(9)], None);
            prop_assert!(!asked.is_empty() && can_be_met(&asked, None), "{asked:?}");
            prop_assert!(asked.iter().all(|level| level.min_approvals > 0));
            let mut named = asked.iter().flat_map(|level| &level.approvers);
            prop_assert!(named.all(|person| may(*person)), "{asked:?}");
        }

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
