//! The use cases of the people behind the account panel, of its keys and of its audit log.

use kernel::{
    AccountId, Ctx, Fault, FieldFault, Language, Mode, Page, Pending, Timestamp, Written,
};

use crate::{
    Account, AccountError, ApiKey, ApiKeyId, Purpose, RecoveryCode, Role, Token, TokenDigest,
    UserId,
    audit::{AuditEntry, AuditQuery},
    grant::{ApiKeyQuery, GrantApiKey, IssuedApiKey, KeyMaker, Overlap},
    password::Password,
    session::{OpenedSession, Session, SessionId, SignedIn, Visit},
    team::{Entry, Invitation, InvitationId, IssuedInvitation, Member, SeenInvitation, TeamError},
    totp::TotpSetUp,
    user::{User, UserChanges},
    user_link::{IssuedUserLink, SeenUserLink},
};

/// Why a command about people was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum PeopleError {
    /// The address, the password, the code or any of them is wrong; nobody learns which.
    WrongCredentials,
    /// There were too many failures: nobody may try before.
    Throttled { until: Timestamp },
    /// The team may not be changed so.
    Team(TeamError),
    /// The user is a member already.
    AlreadyMember,
    /// The account has as many members and invitations as it may.
    TooMany { max: u32 },
    /// The link or invitation was used, was taken back, or has expired.
    LinkIsOver,
    /// The invitation is for another address than that of whoever is signed in.
    OtherAddress { email: String },
    /// There is a user of the address: they sign in instead.
    UserExists,
    /// The user has no authenticator, or none waiting for its first code.
    NoTotp,
    /// The user has an authenticator already.
    HasTotp,
    /// Whoever asks may not: their role or their key does not allow it.
    Forbidden,
}

impl From<TeamError> for PeopleError {
    fn from(error: TeamError) -> Self {
        Self::Team(error)
    }
}

/// Who signs in, and how.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct SignIn {
    pub email: String,
    pub password: Password,
}

/// A new user, as the holder of a link says.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewUser {
    pub name: String,
    /// Fixed by an invitation, in which case it is ignored.
    pub email: String,
    pub password: Password,
    pub language: Option<Language>,
    /// The name of the account to be opened; used only where there is none yet.
    pub account_name: Option<String>,
}

/// The faults of a new user's fields: `name`, `email`, `password`.
#[must_use]
pub fn faults(user: &NewUser) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    let name = kernel::text::line(&user.name, crate::user::USER_NAME_CHARS_MAX);
    faults.extend(name.err().map(|problem| FieldFault::new("name", problem)));
    let email = crate::user::email(&user.email);
    faults.extend(email.err().map(|problem| FieldFault::new("email", problem)));
    let problem = user.password.problem(&user.email, &user.name);
    faults.extend(problem.map(|problem| FieldFault::new("password", problem)));
    faults
}

/// Signing in, sessions, and what users do about themselves. Whoever offers authenticators and passwords to users asks for the
/// password again before, unless the session [was authenticated lately](Session::is_authenticated_lately). Passwords are hashed on threads of their own, two at a time;
/// [`Refused::Busy`](kernel::Refused::Busy) when too many wait.
pub trait People: Send + Sync {
    /// Whether there is any user.
    fn has_users(&self) -> Pending<Result<bool, Fault>>;

    /// Opens a session, which owes a code if the user has an authenticator.
    fn sign_in(
        &self,
        sign_in: SignIn,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>>;

    /// Pays the code that a session owes, of the authenticator or a recovery code, and gives the session a new token.
    fn give_code(
        &self,
        token: TokenDigest,
        code: String,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>>;

    /// Who is behind a token, if its session is live; one that owes a code is shown as such. Whoever asks calls
    /// [`seen`](Self::seen) where the session [is long unseen](Session::is_long_unseen).
    fn signed_in(
        &self,
        token: TokenDigest,
        now: Timestamp,
    ) -> Pending<Result<Option<SignedIn>, Fault>>;

    /// Whose session a token was of that [has run out lately](Session::is_known_ended). It opens nothing any more.
    fn ended_session(
        &self,
        token: TokenDigest,
        now: Timestamp,
    ) -> Pending<Result<Option<UserId>, Fault>>;

    /// Notes that a session was seen, so that it does not end as idle. Nobody need wait for it.
    fn seen(
        &self,
        user: UserId,
        session: SessionId,
        now: Timestamp,
    ) -> Pending<Written<(), PeopleError>>;

    /// Gives the password again, and the code if the user has an authenticator, for what asks for it.
    fn reauthenticate(
        &self,
        session: SessionId,
        password: Password,
        code: Option<String>,
        visit: Visit,
    ) -> Pending<Written<Session, PeopleError>>;

    /// The live sessions of a user, the last seen first.
    fn sessions(&self, user: UserId, now: Timestamp) -> Pending<Result<Vec<Session>, Fault>>;

    /// Ends a session of a user. No such one, or one that has ended, is no fault.
    fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        now: Timestamp,
    ) -> Pending<Written<(), PeopleError>>;

    /// Ends all sessions of a user but this one; answers how many.
    fn end_other_sessions(
        &self,
        user: UserId,
        kept: SessionId,
        now: Timestamp,
    ) -> Pending<Written<u32, PeopleError>>;

    /// A user.
    fn user(&self, id: UserId) -> Pending<Result<Option<User>, Fault>>;

    /// Changes what a user says of themselves.
    fn change_user(
        &self,
        id: UserId,
        changes: UserChanges,
        now: Timestamp,
    ) -> Pending<Written<User, PeopleError>>;

    /// Sets another password, and ends all other sessions. [`PeopleError::WrongCredentials`] when the present one is
    /// another; a fault of `password` when the new one will not do.
    fn change_password(
        &self,
        session: SessionId,
        present: Password,
        new: Password,
        visit: Visit,
    ) -> Pending<Written<User, PeopleError>>;

    /// Makes a secret for an authenticator, which counts once a code of it was given. `issuer` is what the app calls the
    /// service.
    fn begin_totp(
        &self,
        user: UserId,
        issuer: String,
        now: Timestamp,
    ) -> Pending<Written<TotpSetUp, PeopleError>>;

    /// Gives the first code: from now on one is asked for at sign-in. Answers the recovery codes, this once.
    fn confirm_totp(
        &self,
        user: UserId,
        code: String,
        visit: Visit,
    ) -> Pending<Written<Vec<RecoveryCode>, PeopleError>>;

    /// No code is asked for any more.
    fn disable_totp(&self, user: UserId, visit: Visit) -> Pending<Written<User, PeopleError>>;

    /// Replaces the recovery codes, and answers the new ones, this once.
    fn renew_recovery_codes(
        &self,
        user: UserId,
        visit: Visit,
    ) -> Pending<Written<Vec<RecoveryCode>, PeopleError>>;

    /// What a link that works once leads to; `None` when there is no such link.
    fn user_link(&self, token: TokenDigest) -> Pending<Result<Option<SeenUserLink>, Fault>>;

    /// Makes the user of a link to set up, who owns its account, or all accounts that have nobody, or the new one named.
    fn set_up(
        &self,
        token: TokenDigest,
        user: NewUser,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>>;

    /// Sets a password anew by a link, ends all sessions of the user, and signs in. An authenticator is asked for still.
    fn reset_password(
        &self,
        token: TokenDigest,
        password: Password,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>>;

    /// Signs in by a link, as into the demo.
    fn sign_in_by_link(
        &self,
        token: TokenDigest,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>>;
}

/// Who belongs to an account. Who changes it is the actor of the call: a user acts by the role that they have there, an
/// operator as an owner.
pub trait Team: Send + Sync {
    /// The account with this slug, if the user may enter it.
    fn entry(&self, user: UserId, slug: String) -> Pending<Result<Option<Entry>, Fault>>;

    /// Every account that a user may enter, by name, each test account behind its own.
    fn entries(&self, user: UserId) -> Pending<Result<Vec<Entry>, Fault>>;

    /// Gives the live account of an account another name, and its test account with it; its slug stays. A fault of `name`
    /// when it will not do.
    fn rename_account(&self, ctx: Ctx, name: String) -> Pending<Written<Account, PeopleError>>;

    /// The members of an account, the oldest first; of a test account those of its live one.
    fn members(&self, account: AccountId) -> Pending<Result<Vec<Member>, Fault>>;

    /// What those members are called, in no order.
    fn member_names(&self, account: AccountId) -> Pending<Result<Vec<(UserId, String)>, Fault>>;

    /// Gives a member another role.
    fn change_role(
        &self,
        ctx: Ctx,
        user: UserId,
        role: Role,
    ) -> Pending<Written<Member, PeopleError>>;

    /// Removes a member; a user may remove themselves, whatever their role.
    fn remove_member(&self, ctx: Ctx, user: UserId) -> Pending<Written<(), PeopleError>>;

    /// Invitations of an account that are open, newest first.
    fn invitations(
        &self,
        account: AccountId,
        now: Timestamp,
    ) -> Pending<Result<Vec<Invitation>, Fault>>;

    /// Invites an address; another open invitation of the same address is over with it.
    fn invite(
        &self,
        ctx: Ctx,
        email: String,
        role: Role,
    ) -> Pending<Written<IssuedInvitation, PeopleError>>;

    /// Takes an invitation back.
    fn revoke_invitation(
        &self,
        ctx: Ctx,
        id: InvitationId,
    ) -> Pending<Written<Invitation, PeopleError>>;

    /// What an invitation's link leads to; `None` when there is no such link.
    fn invitation(&self, token: TokenDigest) -> Pending<Result<Option<SeenInvitation>, Fault>>;

    /// Accepts an invitation as a new user, and signs in.
    fn join(
        &self,
        token: TokenDigest,
        user: NewUser,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>>;

    /// Accepts an invitation as a user who is signed in.
    fn accept(
        &self,
        token: TokenDigest,
        user: UserId,
        visit: Visit,
    ) -> Pending<Written<Member, PeopleError>>;
}

/// The accounts that a user is a member of, and as what.
pub type Memberships = Vec<(AccountId, Role)>;

/// What operators do about users.
pub trait UserOffice: Send + Sync {
    /// Every user with the accounts of which they are a member, the oldest first.
    fn users(&self) -> Pending<Result<Vec<(User, Memberships)>, Fault>>;

    /// The user of an address.
    fn user_of(&self, email: String) -> Pending<Result<Option<User>, Fault>>;

    /// Makes a user who is a member of the account. [`PeopleError::UserExists`] if there is one of the address: nobody has
    /// proven that it is theirs, so whoever gives them an account looks at who they are first.
    fn add_user(&self, ctx: Ctx, user: NewUser, role: Role) -> Pending<Written<User, PeopleError>>;

    /// Makes a user that there is a member of the account.
    fn add_member(&self, ctx: Ctx, user: UserId, role: Role)
    -> Pending<Written<User, PeopleError>>;

    /// Makes a link that works once. One for the same purpose that was not used is over with it, but for those to set up
    /// an installation.
    fn issue_link(
        &self,
        purpose: Purpose,
        now: Timestamp,
    ) -> Pending<Written<IssuedUserLink, PeopleError>>;
}

/// Why a command about keys was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum ApiKeyError {
    /// The key is already revoked.
    AlreadyRevoked,
    /// The key has expired.
    Expired,
    /// The account has as many keys as it may.
    TooMany { max: u32 },
    /// Whoever asks may not.
    Forbidden,
}

/// API keys of an account and its test account. Whoever makes one is the actor of the call.
pub trait ApiKeys: Send + Sync {
    /// Makes a key, of the account or of its test account, which is opened if there is none yet.
    fn grant(
        &self,
        ctx: Ctx,
        mode: Mode,
        command: GrantApiKey,
        maker: KeyMaker,
    ) -> Pending<Written<IssuedApiKey, ApiKeyError>>;

    /// A page of keys.
    fn api_keys(
        &self,
        account: AccountId,
        query: ApiKeyQuery,
        now: Timestamp,
    ) -> Pending<Result<Page<ApiKey>, Fault>>;

    /// A key of the account or of its test account.
    fn api_key(&self, account: AccountId, id: ApiKeyId) -> Pending<Result<Option<ApiKey>, Fault>>;

    /// Gives a key another text. The one of before opens what it did until the overlap is over.
    fn rotate(
        &self,
        ctx: Ctx,
        id: ApiKeyId,
        overlap: Overlap,
        maker: KeyMaker,
    ) -> Pending<Written<IssuedApiKey, ApiKeyError>>;

    /// Revokes a key for good, if it has this version, where one is named.
    fn revoke(
        &self,
        ctx: Ctx,
        id: ApiKeyId,
        version: Option<i64>,
    ) -> Pending<Written<ApiKey, ApiKeyError>>;
}

/// Opens test accounts with what it takes to invoice in them.
pub trait TestAccounts: Send + Sync {
    /// The test account of a live one, opened and furnished as far as it is not. [`Refused::Busy`](kernel::Refused::Busy)
    /// while another is being opened.
    fn open(&self, live: AccountId, now: Timestamp) -> Pending<Written<Account, AccountError>>;
}

/// What was done in an account.
pub trait AuditLog: Send + Sync {
    /// A page of entries, newest first.
    fn entries(
        &self,
        account: AccountId,
        query: AuditQuery,
    ) -> Pending<Result<Page<AuditEntry>, Fault>>;
}

/// Where tokens are read from what a browser sent: a text of another form opens nothing.
#[must_use]
pub fn digest_of(text: &str) -> Option<TokenDigest> {
    Token::parse(text).map(|token| token.digest())
}
