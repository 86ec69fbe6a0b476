//! Signing in, sessions, and what users do about themselves.

use ::accounts::{
    NewUser, OpenedSession, Password, People, PeopleError, RecoveryCode, SeenUserLink, Session,
    SessionId, SignIn, SignedIn, TokenDigest, TotpSetUp, User, UserChanges, UserId, Visit,
};
use kernel::{Done, Fault, Pending, Timestamp, Written};

use super::{sessions, signing_in, totp, user_links, users};
use crate::{readers::Cost, store::Store};

impl People for Store {
    fn has_users(&self) -> Pending<Result<bool, Fault>> {
        self.engine.read(Cost::Small, users::any)
    }

    fn sign_in(
        &self,
        sign_in: SignIn,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords
            .run(&self.engine, move |engine| signing_in::sign_in(engine, vault, &sign_in, visit))
    }

    fn give_code(
        &self,
        token: TokenDigest,
        code: String,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords.run(&self.engine, move |engine| {
            signing_in::give_code(engine, vault, token, code, visit)
        })
    }

    fn signed_in(
        &self,
        token: TokenDigest,
        now: Timestamp,
    ) -> Pending<Result<Option<SignedIn>, Fault>> {
        self.engine.read(Cost::Small, move |db| sessions::signed_in(db, &token, now))
    }

    fn ended_session(
        &self,
        token: TokenDigest,
        now: Timestamp,
    ) -> Pending<Result<Option<UserId>, Fault>> {
        self.engine.read(Cost::Small, move |db| sessions::ended(db, &token, now))
    }

    fn seen(
        &self,
        user: UserId,
        session: SessionId,
        now: Timestamp,
    ) -> Pending<Written<(), PeopleError>> {
        self.engine.command(None, move |tx| {
            sessions::seen(tx, user, session, now)?;
            Ok(Done::now(()))
        })
    }

    fn reauthenticate(
        &self,
        session: SessionId,
        password: Password,
        code: Option<String>,
        visit: Visit,
    ) -> Pending<Written<Session, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords.run(&self.engine, move |engine| {
            signing_in::reauthenticate(engine, vault, session, &password, code, visit)
        })
    }

    fn sessions(&self, user: UserId, now: Timestamp) -> Pending<Result<Vec<Session>, Fault>> {
        self.engine.read(Cost::Small, move |db| sessions::of_user(db, user, now))
    }

    fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        _: Timestamp,
    ) -> Pending<Written<(), PeopleError>> {
        self.engine.command(None, move |tx| {
            sessions::end(tx, user, session)?;
            Ok(Done::now(()))
        })
    }

    fn end_other_sessions(
        &self,
        user: UserId,
        kept: SessionId,
        now: Timestamp,
    ) -> Pending<Written<u32, PeopleError>> {
        self.engine.command(None, move |tx| {
            Ok(Done::now(sessions::end_others(tx, user, Some(kept), now)?))
        })
    }

    fn user(&self, id: UserId) -> Pending<Result<Option<User>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let row = users::by_id(db, id)?;
            row.map(|row| row.user(db)).transpose()
        })
    }

    fn change_user(
        &self,
        id: UserId,
        changes: UserChanges,
        _: Timestamp,
    ) -> Pending<Written<User, PeopleError>> {
        self.engine.command(None, move |tx| users::change(tx, id, &changes).map(Done::now))
    }

    fn change_password(
        &self,
        session: SessionId,
        present: Password,
        new: Password,
        visit: Visit,
    ) -> Pending<Written<User, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords.run(&self.engine, move |engine| {
            signing_in::change_password(engine, &vault, session, &present, &new, visit)
        })
    }

    fn begin_totp(
        &self,
        user: UserId,
        issuer: String,
        _: Timestamp,
    ) -> Pending<Written<TotpSetUp, PeopleError>> {
        let vault = self.engine.vault();
        self.engine.command(None, move |tx| totp::begin(tx, &vault, user, &issuer).map(Done::now))
    }

    fn confirm_totp(
        &self,
        user: UserId,
        code: String,
        visit: Visit,
    ) -> Pending<Written<Vec<RecoveryCode>, PeopleError>> {
        let vault = self.engine.vault();
        self.engine
            .command(None, move |tx| totp::confirm(tx, &vault, user, &code, &visit).map(Done::now))
    }

    fn disable_totp(&self, user: UserId, visit: Visit) -> Pending<Written<User, PeopleError>> {
        self.engine.command(None, move |tx| totp::disable(tx, user, &visit).map(Done::now))
    }

    fn renew_recovery_codes(
        &self,
        user: UserId,
        visit: Visit,
    ) -> Pending<Written<Vec<RecoveryCode>, PeopleError>> {
        let vault = self.engine.vault();
        self.engine
            .command(None, move |tx| totp::renew_codes(tx, &vault, user, &visit).map(Done::now))
    }

    fn user_link(&self, token: TokenDigest) -> Pending<Result<Option<SeenUserLink>, Fault>> {
        self.engine.read(Cost::Small, move |db| user_links::seen(db, &token))
    }

    fn set_up(
        &self,
        token: TokenDigest,
        user: NewUser,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords
            .run(&self.engine, move |engine| user_links::set_up(engine, vault, token, user, visit))
    }

    fn reset_password(
        &self,
        token: TokenDigest,
        password: Password,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords.run(&self.engine, move |engine| {
            user_links::reset_password(engine, vault, token, &password, visit)
        })
    }

    fn sign_in_by_link(
        &self,
        token: TokenDigest,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>> {
        let vault = self.engine.vault();
        self.engine
            .command(None, move |tx| user_links::sign_in(tx, &vault, &token, &visit).map(Done::now))
    }
}
