//! Groups of customers, such as wholesalers: whom price lists are for.

use kernel::{AccountId, Ctx, Fault, Pending, Refused, Timestamp, Written};

kernel::ids! {
    /// A customer group's identifier.
    CustomerGroupId = "cgr";
}

/// The most groups of an account.
pub const GROUPS_MAX: usize = 200;
/// The most characters of a group's name.
pub const GROUP_NAME_CHARS_MAX: usize = 100;

/// A group of customers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CustomerGroup {
    pub id: CustomerGroupId,
    /// Unlike those of the others, accents and case aside.
    pub name: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// A group to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewCustomerGroup {
    pub name: String,
}

/// Changes of a group: what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CustomerGroupChanges {
    pub name: Option<String>,
}

/// A group to be changed.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateCustomerGroup {
    pub id: CustomerGroupId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: CustomerGroupChanges,
}

/// Why a command about groups was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomerGroupError {
    /// The account has as many groups as it may have.
    TooMany {
        /// So many.
        max: usize,
    },
    /// Another one has this name.
    DuplicateName {
        /// The other one.
        holder: CustomerGroupId,
    },
    /// Customers are in it.
    HasCustomers,
    /// A price list is for it.
    HasPriceLists,
}

type Judged<T> = Result<T, Refused<CustomerGroupError>>;

/// Makes a group beside those that are known.
///
/// # Errors
/// There are too many, or another one has the name.
pub fn create(
    new: NewCustomerGroup,
    known: &[CustomerGroup],
    id: CustomerGroupId,
    now: Timestamp,
) -> Judged<CustomerGroup> {
    if known.len() >= GROUPS_MAX {
        return Err(Refused::Rule(CustomerGroupError::TooMany { max: GROUPS_MAX }));
    }
    let (created_at, updated_at, version) = (now, now, 1);
    let made = CustomerGroup { id, name: new.name, created_at, updated_at, version };
    refuse_twin(&made, known)?;
    Ok(made)
}

/// Changes a group that is among those known; nothing changed means no new version.
///
/// # Errors
/// There is none of this identifier, or another one has the name.
pub fn update(
    known: &[CustomerGroup],
    id: CustomerGroupId,
    changes: CustomerGroupChanges,
    now: Timestamp,
) -> Judged<CustomerGroup> {
    let before = known.iter().find(|group| group.id == id).ok_or(Refused::NotFound)?;
    let mut after = before.clone();
    after.name = changes.name.unwrap_or(after.name);
    if after == *before {
        return Ok(after);
    }
    refuse_twin(&after, known)?;
    (after.updated_at, after.version) = (now, after.version + 1);
    Ok(after)
}

fn refuse_twin(group: &CustomerGroup, known: &[CustomerGroup]) -> Judged<()> {
    let name = kernel::text::folded(&group.name);
    let same =
        |other: &&CustomerGroup| other.id != group.id && kernel::text::folded(&other.name) == name;
    match known.iter().find(same) {
        Some(other) => Err(Refused::Rule(CustomerGroupError::DuplicateName { holder: other.id })),
        None => Ok(()),
    }
}

/// Groups of customers, each method one transaction.
pub trait CustomerGroups: Send + Sync {
    /// One group; `None` when the account has no such group.
    fn get(
        &self,
        account: AccountId,
        id: CustomerGroupId,
    ) -> Pending<Result<Option<CustomerGroup>, Fault>>;

    /// All of them, the newest first.
    fn all(&self, account: AccountId) -> Pending<Result<Vec<CustomerGroup>, Fault>>;

    /// Adds a group.
    fn create(
        &self,
        ctx: Ctx,
        command: NewCustomerGroup,
    ) -> Pending<Written<CustomerGroup, CustomerGroupError>>;

    /// Changes a group.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdateCustomerGroup,
    ) -> Pending<Written<CustomerGroup, CustomerGroupError>>;

    /// Removes a group that neither customers nor price lists name.
    fn delete(
        &self,
        ctx: Ctx,
        id: CustomerGroupId,
        version: Option<i64>,
    ) -> Pending<Written<CustomerGroupId, CustomerGroupError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_different_names() {
        let at = Timestamp::from_micros(1);
        let new = |name: &str| NewCustomerGroup { name: name.to_owned() };
        let id = CustomerGroupId::from_u128;
        let first = create(new("Mayoreo"), &[], id(1), at).unwrap();
        let known = [first.clone()];
        assert!(matches!(
            create(new("mayoréo"), &known, id(2), at),
            Err(Refused::Rule(CustomerGroupError::DuplicateName { holder })) if holder == id(1)
        ));
        let same = CustomerGroupChanges { name: Some("Mayoreo".to_owned()) };
        assert_eq!(update(&known, id(1), same, at).unwrap(), first);
        let other = CustomerGroupChanges { name: Some("MAYOREO".to_owned()) };
        assert_eq!(update(&known, id(1), other, at).unwrap().version, 2);
        let gone = update(&known, id(9), CustomerGroupChanges::default(), at);
        assert!(matches!(gone, Err(Refused::NotFound)));
    }
}
