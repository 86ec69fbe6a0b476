//! Links that work once: to make the first user, to set a password anew, to look around in the demo.

use kernel::{AccountId, Timestamp};

use crate::{Token, UserId};

kernel::ids! {
    /// The identifier of such a link, which opens nothing.
    UserLinkId = "ulk";
}

/// How long a link for a new user is good for, in seconds: 7 days.
pub const SET_UP_SECONDS: i64 = 7 * 86_400;
/// How long a link to set a password anew is good for, in seconds: 1 hour.
pub const RESET_SECONDS: i64 = 3_600;
/// How long a link that signs in is good for, in seconds: 1 day.
pub const SIGN_IN_SECONDS: i64 = 86_400;

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Its holder becomes the first user of the installation, and the owner of its accounts.
    SetUp,
    /// Its holder becomes an owner of the account.
    SetUpAccount(AccountId),
    /// The user sets a password anew.
    ResetPassword(UserId),
    /// The user is signed in.
    SignIn(UserId),
}

impl Purpose {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::SetUpAccount(_) => "set_up_account",
            Self::ResetPassword(_) => "reset_password",
            Self::SignIn(_) => "sign_in",
        }
    }

    /// The path of the page that it leads to, with the token behind it.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::SetUp | Self::SetUpAccount(_) => "/panel/setup/",
            Self::ResetPassword(_) => "/panel/reset/",
            Self::SignIn(_) => "/panel/sign-in/",
        }
    }

    /// How long a link for it is good, in seconds.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        match self {
            Self::SetUp | Self::SetUpAccount(_) => SET_UP_SECONDS,
            Self::ResetPassword(_) => RESET_SECONDS,
            Self::SignIn(_) => SIGN_IN_SECONDS,
        }
    }
}

/// A link on record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UserLink {
    pub id: UserLinkId,
    pub purpose: Purpose,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
}

impl UserLink {
    /// Whether it still opens something.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.used_at.is_none() && now < self.expires_at
    }
}

/// A link just made: the only moment at which its token is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct IssuedUserLink {
    pub link: UserLink,
    pub token: Token,
}

/// What the holder of a link is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct SeenUserLink {
    pub link: UserLink,
    /// Whose it is, if it is a user's.
    pub email: Option<String>,
    /// The account that it opens, if it is one.
    pub account_name: Option<String>,
    /// Whether a new account has to be named: there is none yet.
    pub opens_account: bool,
}
