//! Accounts, the API keys that open them, and the people behind them.
//!
//! A key is shown once, when it is made; only a digest of it is kept. What a key may do is the set of
//! its [scopes](Scope). People are [users](User) of the panel: each is a member of accounts, in a [role](Role) that
//! is a set of rights, and is known by a [session](Session). What somebody does about keys and people is
//! in the [audit log](AuditEntry) for ever.

pub mod account;
pub mod audit;
pub mod form_results;
pub mod grant;
pub mod key;
pub mod mail;
pub mod parked;
pub mod password;
pub mod people;
pub mod recovery;
pub mod requests;
pub mod role;
pub mod saved_views;
pub mod scope;
pub mod service;
pub mod session;
pub mod slug;
pub mod team;
pub mod throttle;
pub mod to_do;
pub mod token;
pub mod totp;
pub mod user;
pub mod user_link;

pub use account::Account;
pub use audit::{Act, Action, AuditEntry, AuditEntryId, AuditQuery, Whose};
pub use form_results::FormResults;
pub use grant::{ApiKeyQuery, GrantApiKey, Grantor, IssuedApiKey, KeyMaker, Overlap};
pub use key::{ApiKey, ApiKeyId, KeyDigest, NewApiKey};
pub use mail::{Mail, MailId, MailQueue, Mails, NewMail};
pub use parked::{ParkError, ParkForm, ParkedForm, ParkedForms};
pub use password::Password;
pub use people::{
    ApiKeyError, ApiKeys, AuditLog, NewUser, People, PeopleError, SignIn, Team, TestAccounts,
    UserOffice,
};
pub use recovery::RecoveryCode;
pub use requests::{LoggedRequest, RequestLine, RequestLineId, RequestLog, RequestQuery};
pub use role::{Access, Area, Right, Role};
pub use saved_views::{NewSavedView, SavedView, SavedViewError, SavedViewId, SavedViews};
pub use scope::{Scope, Scopes};
pub use service::{AccountError, Accounts, KeyWatcher};
pub use session::{OpenedSession, Session, SessionId, SignedIn, Visit};
pub use team::{
    Entry, Invitation, InvitationId, IssuedInvitation, Member, SeenInvitation, TeamError,
};
pub use to_do::{ToDo, ToDoQuery, ToDos};
pub use token::{Token, TokenDigest};
pub use totp::{TotpSecret, TotpSetUp};
pub use user::{Density, Theme, User, UserChanges, UserId};
pub use user_link::{IssuedUserLink, Purpose, SeenUserLink, UserLink, UserLinkId};
