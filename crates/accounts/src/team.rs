//! Who belongs to an account: members, and those who are invited.

use kernel::{AccountId, Timestamp};

use crate::{Account, Role, Token, User, UserId};

kernel::ids! {
    /// An invitation's identifier, which opens nothing.
    InvitationId = "ivt";
}

/// The most members of an account, those who are invited with them.
pub const MEMBERS_MAX: u32 = 200;
/// How long an invitation is good for, in seconds: 7 days.
pub const INVITATION_SECONDS: i64 = 7 * 86_400;

/// The most invitations of an account in an hour: each is a mail to somebody who has not asked for one.
pub const INVITATIONS_PER_HOUR: u32 = 20;
/// How long after an invitation the same address is not invited again, in seconds.
pub const SAME_ADDRESS_SECONDS: i64 = 300;

/// A user in an account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Member {
    pub account: AccountId,
    pub user: User,
    pub role: Role,
    /// Since when.
    pub created_at: Timestamp,
}

/// An account that a user may enter. Who is a member of a live account has the same role in its test account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Entry {
    pub account: Account,
    /// By which its pages are found.
    pub slug: String,
    pub role: Role,
    /// The postal code of the account's tax address, which tells its time zone; `None` until it has one.
    pub tax_zip: Option<String>,
}

/// An address that was invited.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Invitation {
    pub id: InvitationId,
    pub account: AccountId,
    /// Only a user of this address may accept it.
    pub email: String,
    pub role: Role,
    /// Who has invited, if it was a user.
    pub invited_by: Option<UserId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub accepted_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl Invitation {
    /// Whether it can still be accepted.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.accepted_at.is_none() && self.revoked_at.is_none() && now < self.expires_at
    }
}

/// An invitation just made: the only moment at which the token of its link is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct IssuedInvitation {
    pub invitation: Invitation,
    pub token: Token,
}

/// What the holder of an invitation's link is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct SeenInvitation {
    pub invitation: Invitation,
    pub account_name: String,
    /// Whether there is a user of the address already, who signs in to accept.
    pub has_user: bool,
}

/// Why the team may not be changed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamError {
    /// An account keeps an owner.
    LastOwner,
    /// Only owners make, change and remove owners.
    OwnersOnly,
}

/// Whether somebody of a role, or an operator, may give a member another role, or none.
///
/// # Errors
/// Why not.
pub fn change(
    by: Option<Role>,
    before: Role,
    after: Option<Role>,
    owners: usize,
) -> Result<(), TeamError> {
    let may = by.is_none_or(|by| by.governs(before) && after.is_none_or(|after| by.governs(after)));
    if !may {
        return Err(TeamError::OwnersOnly);
    }
    if before == Role::Owner && after != Some(Role::Owner) && owners <= 1 {
        return Err(TeamError::LastOwner);
    }
    Ok(())
}

/// Whether a member may leave by themselves.
///
/// # Errors
/// When no owner would be left.
pub fn leave(role: Role, owners: usize) -> Result<(), TeamError> {
    if role == Role::Owner && owners <= 1 { Err(TeamError::LastOwner) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_owner_stays() {
        for by in [None, Some(Role::Owner)] {
            for after in Role::EVERY.iter().copied().map(Some).chain([None]) {
                let expected =
                    if after == Some(Role::Owner) { Ok(()) } else { Err(TeamError::LastOwner) };
                assert_eq!(change(by, Role::Owner, after, 1), expected, "{by:?} {after:?}");
                assert_eq!(change(by, Role::Owner, after, 2), Ok(()), "{by:?} {after:?}");
            }
        }
        assert_eq!(leave(Role::Owner, 1), Err(TeamError::LastOwner));
        assert_eq!(leave(Role::Owner, 2), Ok(()));
        assert_eq!(leave(Role::Admin, 1), Ok(()));
    }

    #[test]
    fn owners_are_the_business_of_owners() {
        let admin = Some(Role::Admin);
        assert_eq!(change(admin, Role::Sales, Some(Role::Admin), 1), Ok(()));
        assert_eq!(change(admin, Role::Admin, None, 1), Ok(()));
        assert_eq!(change(admin, Role::Sales, Some(Role::Owner), 1), Err(TeamError::OwnersOnly));
        assert_eq!(change(admin, Role::Owner, None, 2), Err(TeamError::OwnersOnly));
        assert_eq!(change(Some(Role::Viewer), Role::Viewer, None, 2), Err(TeamError::OwnersOnly));
    }
}
