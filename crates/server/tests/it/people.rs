//! Users, their sessions and authenticators, and who belongs to an account. No endpoint offers them: the panel does.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use accounts::{
    Action, AuditQuery, MailQueue, NewMail, NewUser, OpenedSession, Password, People, PeopleError,
    Purpose, RecoveryCode, Role, SignIn, Team, TeamError, Token, UserId, UserOffice, Visit,
    mail::MAIL_SECONDS,
    session::{SESSION_IDLE_SECONDS_MAX, SESSION_SECONDS_MAX},
    team::{INVITATION_SECONDS, INVITATIONS_PER_HOUR, SAME_ADDRESS_SECONDS},
};
use kernel::{AccountId, Actor, Ctx, Idempotency, PageRequest, Pending, Refused, Trace, Written};
use store::Store;
use testkit::{App, DatabaseKind, on_both};

on_both!(
    the_first_user_is_made_by_a_link_that_works_once,
    a_wrong_password_is_counted_and_puts_off,
    strangers_shut_nobody_out,
    who_knows_the_password_alone_ends_no_session,
    invitations_are_bounded_and_one_however_often_they_are_sent,
    an_authenticator_is_asked_for_and_each_code_is_used_once,
    an_invitation_is_for_one_address_and_accepted_once,
    the_last_owner_stays_however_many_go_at_once,
    a_session_ends_idle_or_old_or_when_the_password_changes,
    a_password_is_set_anew_by_a_link,
    pages_of_an_account_are_found_by_its_slug,
    mail_is_kept_without_a_server_and_sent_with_one,
);

const PASSWORD: &str = "caballo-grapa-correcto";
const OTHER_PASSWORD: &str = "nopal mira lejos 83";

/// A service with an account, and what is asked of its people.
struct House {
    app: App,
    account: AccountId,
}

impl House {
    fn open(kind: DatabaseKind) -> Self {
        let app = App::start(kind);
        let account = app.live_account();
        Self { app, account }
    }

    fn store(&self) -> &Arc<Store> {
        self.app.store()
    }

    fn visit_from(&self, address: &str) -> Visit {
        let trace = Trace { address: address.parse().ok(), request_id: Some("r".to_owned()) };
        Visit { now: self.app.now(), trace: Arc::new(trace), user_agent: "Firefox".to_owned() }
    }

    fn visit(&self) -> Visit {
        self.visit_from("203.0.113.7")
    }

    /// Makes a member by the command line.
    fn member(&self, email: &str, role: Role) -> UserId {
        let ctx = Ctx::system(self.account, self.app.now());
        done(self.store().add_user(ctx, user(email), role)).id
    }

    fn sign_in(&self, email: &str, password: &str) -> Result<OpenedSession, PeopleError> {
        self.sign_in_as(email, password, self.visit())
    }

    fn sign_in_as(
        &self,
        email: &str,
        password: &str,
        visit: Visit,
    ) -> Result<OpenedSession, PeopleError> {
        let sign_in = SignIn { email: email.to_owned(), password: Password::new(password) };
        outcome(self.store().sign_in(sign_in, visit))
    }

    fn is_signed_in(&self, token: &Token) -> bool {
        let seen = self.store().signed_in(token.digest(), self.app.now());
        seen.wait().unwrap().unwrap().is_some_and(|seen| !seen.session.owes_code)
    }

    fn by(&self, user: UserId) -> Ctx {
        Ctx::system(self.account, self.app.now()).by(Actor::User(user))
    }

    /// How often something is on record.
    fn recorded(&self, action: Action) -> usize {
        let query = AuditQuery { action: Some(action.name().to_owned()), ..AuditQuery::default() };
        // Another trait has a method of the same name.
        let found = accounts::AuditLog::entries(&**self.store(), self.account, query);
        found.wait().unwrap().unwrap().items.len()
    }
}

fn user(email: &str) -> NewUser {
    NewUser {
        name: "Ana Ruiz".to_owned(),
        email: email.to_owned(),
        password: Password::new(PASSWORD),
        language: None,
        account_name: None,
    }
}

#[track_caller]
fn outcome<T>(pending: Pending<Written<T, PeopleError>>) -> Result<T, PeopleError> {
    match pending.wait().unwrap() {
        Ok(done) => Ok(done.value),
        Err(Refused::Rule(error)) => Err(error),
        Err(_) => panic!("refused by no rule"),
    }
}

#[track_caller]
fn done<T>(pending: Pending<Written<T, PeopleError>>) -> T {
    outcome(pending).unwrap_or_else(|error| panic!("{error:?}"))
}

fn the_first_user_is_made_by_a_link_that_works_once(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    assert!(!store.has_users().wait().unwrap().unwrap());
    let over = done(store.issue_link(Purpose::SetUp, house.app.now())).token;
    let token = done(store.issue_link(Purpose::SetUp, house.app.now())).token;
    let seen = |token: &Token| store.user_link(token.digest()).wait().unwrap().unwrap();
    assert!(seen(&over).is_some(), "each start makes one, and those that were sent stay good");
    assert!(seen(&token).is_some_and(|seen| !seen.opens_account));

    let weak = NewUser { password: Password::new("password1234"), ..user("ana@example.com") };
    let refused = store.set_up(token.digest(), weak, house.visit()).wait().unwrap().unwrap_err();
    assert!(matches!(&refused, Refused::Invalid(faults) if faults[0].field == "password"));
    let opened = done(store.set_up(token.digest(), user(" Ana@Example.com"), house.visit()));
    assert_eq!(opened.user.email, "ana@example.com");
    assert!(house.is_signed_in(&opened.token));
    let entries = store.entries(opened.user.id).wait().unwrap().unwrap();
    let roles: Vec<_> = entries.iter().map(|entry| (entry.account.id, entry.role)).collect();
    assert_eq!(roles, [(house.account, Role::Owner)]);

    let again = outcome(store.set_up(token.digest(), user("eva@example.com"), house.visit()));
    assert_eq!(again.unwrap_err(), PeopleError::LinkIsOver);
    let another = outcome(store.issue_link(Purpose::SetUp, house.app.now()));
    assert_eq!(another.unwrap_err(), PeopleError::UserExists);
    // An account of its own has a link of its own.
    let other = house.app.live_account();
    let link = done(store.issue_link(Purpose::SetUpAccount(other), house.app.now()));
    let opened = done(store.set_up(link.token.digest(), user("eva@example.com"), house.visit()));
    let entries = store.entries(opened.user.id).wait().unwrap().unwrap();
    assert_eq!((entries.len(), entries[0].account.id), (1, other));
}

fn a_wrong_password_is_counted_and_puts_off(kind: DatabaseKind) {
    let house = House::open(kind);
    let _ = house.member("ana@example.com", Role::Sales);
    let right = || house.sign_in("ana@example.com", PASSWORD);
    let wrong = || house.sign_in("ana@example.com", "caballo-grapa-incorrecto").unwrap_err();
    // Nobody learns who is a user.
    for email in ["nobody@example.com", "", "ana", "ANA@example.com "] {
        let refused = house.sign_in(email, "caballo-grapa-incorrecto").unwrap_err();
        assert_eq!(refused, PeopleError::WrongCredentials, "{email}");
    }
    for _ in 0..4 {
        assert_eq!(wrong(), PeopleError::WrongCredentials);
    }
    let PeopleError::Throttled { until } = right().unwrap_err() else { panic!("not put off") };
    assert!(until > house.app.now());
    // From elsewhere the user is not shut out.
    let elsewhere = house.visit_from("2001:db8:1::1");
    let opened = house.sign_in_as("ana@example.com", PASSWORD, elsewhere).unwrap();
    assert!(house.is_signed_in(&opened.token));
    assert_eq!(opened.session.network, "2001:db8:1::/48");
    house.app.advance_seconds(31);
    let _ = right().unwrap();
    assert_eq!(wrong(), PeopleError::WrongCredentials);
    let _ = right().unwrap();
    // The first of each run, and that which has put off.
    assert_eq!(house.recorded(Action::UserSignInFailed), 3);
    assert_eq!(house.recorded(Action::UserSignedIn), 3);
    assert!(house.app.gauge("sign_ins_failed_total") >= 6.0);
    let rows = house.app.database.lines("SELECT password AS line FROM users");
    assert!(rows.iter().all(|row| row.starts_with("$argon2id$")), "{rows:?}");
}

fn strangers_shut_nobody_out(kind: DatabaseKind) {
    let house = House::open(kind);
    house.app.hold_clock();
    let ana = house.member("ana@example.com", Role::Sales);
    let _ = house.sign_in("ana@example.com", PASSWORD).unwrap();
    let wrong = |email: &str, visit| house.sign_in_as(email, "nopal", visit).unwrap_err();
    // Somebody beside her tries many users, and others try her from many networks.
    for number in 0..60 {
        let _ = wrong(&format!("nobody{number}@example.com"), house.visit());
        for side in 0..2 {
            let visit = house.visit_from(&format!("198.{side}.{number}.1"));
            let _ = wrong("ana@example.com", visit);
        }
    }
    let newcomer = wrong("newcomer@example.com", house.visit());
    assert!(matches!(newcomer, PeopleError::Throttled { .. }), "{newcomer:?}");
    let elsewhere = house.visit_from("198.51.100.1");
    let refused = house.sign_in_as("ana@example.com", PASSWORD, elsewhere).unwrap_err();
    assert!(matches!(refused, PeopleError::Throttled { .. }), "{refused:?}");
    let at_home = house.sign_in("ana@example.com", PASSWORD).unwrap();
    assert_eq!(at_home.user.id, ana);
}

fn who_knows_the_password_alone_ends_no_session(kind: DatabaseKind) {
    let house = House::open(kind);
    house.app.hold_clock();
    let store = house.store();
    let ana = house.member("ana@example.com", Role::Owner);
    let opened = house.sign_in("ana@example.com", PASSWORD).unwrap();
    let begun = done(store.begin_totp(ana, "Tienda".to_owned(), house.app.now()));
    let code = begun.secret.code_at(house.app.now());
    let _ = done(store.confirm_totp(ana, code, house.visit()));
    for _ in 0..60 {
        assert!(house.sign_in("ana@example.com", PASSWORD).unwrap().session.owes_code);
    }
    assert!(house.is_signed_in(&opened.token));
    assert_eq!(house.recorded(Action::UserCodeNotGiven), 1, "once for a run");
}

fn an_authenticator_is_asked_for_and_each_code_is_used_once(kind: DatabaseKind) {
    let house = House::open(kind);
    house.app.hold_clock();
    let store = house.store();
    let ana = house.member("ana@example.com", Role::Owner);
    let now = || house.app.now();
    let begun = done(store.begin_totp(ana, "Tienda".to_owned(), now()));
    let wrong = outcome(store.confirm_totp(ana, "000000x".to_owned(), house.visit()));
    assert_eq!(wrong.unwrap_err(), PeopleError::WrongCredentials);
    let code = begun.secret.code_at(now());
    let codes = done(store.confirm_totp(ana, code.clone(), house.visit()));
    assert_eq!(codes.len(), 10);
    let sealed = house.app.database.lines("SELECT totp_secret AS line FROM users");
    assert!(!sealed[0].contains(&begun.secret.to_base32()), "{sealed:?}");

    let owing = house.sign_in("ana@example.com", PASSWORD).unwrap();
    assert!(owing.session.owes_code && !house.is_signed_in(&owing.token));
    let give = |token: &Token, code: &str| {
        outcome(store.give_code(token.digest(), code.to_owned(), house.visit()))
    };
    // It has confirmed the authenticator, so it is used up.
    assert_eq!(give(&owing.token, &code).unwrap_err(), PeopleError::WrongCredentials);
    house.app.advance_seconds(30);
    let code = begun.secret.code_at(now());
    let opened = give(&owing.token, &code).unwrap();
    assert!(house.is_signed_in(&opened.token));
    assert_ne!(opened.token, owing.token);
    assert!(!house.is_signed_in(&owing.token));

    let owing = house.sign_in("ana@example.com", PASSWORD).unwrap();
    assert_eq!(give(&owing.token, &code).unwrap_err(), PeopleError::WrongCredentials);
    let recovery = codes[0].reveal().to_lowercase();
    let opened = give(&owing.token, &recovery).unwrap();
    assert_eq!(opened.user.recovery_codes_left, 9);
    let owing = house.sign_in("ana@example.com", PASSWORD).unwrap();
    assert_eq!(give(&owing.token, &recovery).unwrap_err(), PeopleError::WrongCredentials);
    let renewed = done(store.renew_recovery_codes(ana, house.visit()));
    assert!(give(&owing.token, codes[1].reveal()).is_err());
    assert!(renewed.iter().all(|code| RecoveryCode::parse(code.reveal()).is_some()));

    let session = opened.session.id;
    let password = || Password::new(PASSWORD);
    let without = store.reauthenticate(session, password(), None, house.visit());
    assert_eq!(outcome(without).unwrap_err(), PeopleError::WrongCredentials);
    house.app.advance_seconds(30);
    let code = Some(begun.secret.code_at(now()));
    let lately = done(store.reauthenticate(session, password(), code, house.visit()));
    assert!(lately.is_authenticated_lately(now()));
    let _ = done(store.disable_totp(ana, house.visit()));
    assert!(!house.sign_in("ana@example.com", PASSWORD).unwrap().session.owes_code);
}

fn an_invitation_is_for_one_address_and_accepted_once(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let ana = house.member("ana@example.com", Role::Admin);
    let invite = |email: &str, role| outcome(store.invite(house.by(ana), email.to_owned(), role));
    assert_eq!(
        invite("luis@example.com", Role::Owner).unwrap_err(),
        PeopleError::Team(TeamError::OwnersOnly)
    );
    assert_eq!(invite("Ana@example.com", Role::Sales).unwrap_err(), PeopleError::AlreadyMember);
    let first = invite("luis@example.com", Role::Sales).unwrap();
    // Nobody gets one mail after the other.
    let soon = invite("luis@example.com", Role::Warehouse).unwrap_err();
    assert!(matches!(soon, PeopleError::Throttled { .. }), "{soon:?}");
    house.app.advance_seconds(SAME_ADDRESS_SECONDS);
    let second = invite("luis@example.com", Role::Warehouse).unwrap();
    let open = store.invitations(house.account, house.app.now()).wait().unwrap().unwrap();
    assert_eq!(open.len(), 1, "another one of the address is over");
    let join = |token: &Token| {
        outcome(store.join(token.digest(), user("somebody@example.com"), house.visit()))
    };
    assert_eq!(join(&first.token).unwrap_err(), PeopleError::LinkIsOver);
    let luis = join(&second.token).unwrap();
    assert_eq!(luis.user.email, "luis@example.com", "the address is that of the invitation");
    assert_eq!(join(&second.token).unwrap_err(), PeopleError::LinkIsOver);
    let members = store.members(house.account).wait().unwrap().unwrap();
    let roles: Vec<_> = members.iter().map(|member| member.role).collect();
    assert_eq!(roles, [Role::Admin, Role::Warehouse]);
    // Who may not manage the team invites nobody.
    let forbidden =
        store.invite(house.by(luis.user.id), "eva@example.com".to_owned(), Role::Viewer);
    assert_eq!(outcome(forbidden).unwrap_err(), PeopleError::Team(TeamError::OwnersOnly));

    // A user of another account accepts as the one they are, if it is their address.
    let other = house.app.live_account();
    let ctx = Ctx::system(other, house.app.now());
    let eva = done(store.add_user(ctx, user("eva@example.com"), Role::Owner)).id;
    let invited = invite("eva@example.com", Role::Viewer).unwrap();
    let seen = store.invitation(invited.token.digest()).wait().unwrap().unwrap().unwrap();
    assert!(seen.has_user && seen.account_name == "Shop");
    assert_eq!(join(&invited.token).unwrap_err(), PeopleError::UserExists);
    let accept = |user| outcome(store.accept(invited.token.digest(), user, house.visit()));
    let expected = PeopleError::OtherAddress { email: "eva@example.com".to_owned() };
    assert_eq!(accept(ana).unwrap_err(), expected);
    assert_eq!(accept(eva).unwrap().role, Role::Viewer);
    assert_eq!(store.entries(eva).wait().unwrap().unwrap().len(), 2);

    let late = invite("late@example.com", Role::Viewer).unwrap();
    let taken = invite("back@example.com", Role::Viewer).unwrap();
    let _ = done(store.revoke_invitation(house.by(ana), taken.invitation.id));
    assert_eq!(join(&taken.token).unwrap_err(), PeopleError::LinkIsOver);
    house.app.advance_seconds(INVITATION_SECONDS);
    assert_eq!(join(&late.token).unwrap_err(), PeopleError::LinkIsOver);
    assert_eq!(house.recorded(Action::MemberAdded), 3);
}

fn the_last_owner_stays_however_many_go_at_once(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let owners: Vec<UserId> = (0..6)
        .map(|number| house.member(&format!("owner{number}@example.com"), Role::Owner))
        .collect();
    // As another node would.
    let beside = Store::open(&house.app.database.settings()).unwrap();
    let pending: Vec<_> = owners
        .iter()
        .enumerate()
        .map(|(number, owner)| {
            let node: &Store = if number.is_multiple_of(2) { store } else { &beside };
            let ctx = house.by(*owner);
            match number % 3 {
                0 => node.remove_member(ctx, *owner),
                _ => {
                    let (answer, pending) = Pending::channel();
                    let changed = node.change_role(ctx, *owner, Role::Viewer);
                    std::thread::spawn(move || {
                        let changed = changed.wait().unwrap();
                        answer.send(changed.map(|_| kernel::Done::now(())));
                    });
                    pending
                }
            }
        })
        .collect();
    let outcomes: Vec<_> = pending.into_iter().map(outcome).collect();
    let stayed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    assert_eq!(stayed, 1, "{outcomes:?}");
    let last = PeopleError::Team(TeamError::LastOwner);
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().err().is_none_or(|e| *e == last)));
    let members = store.members(house.account).wait().unwrap().unwrap();
    assert_eq!(members.iter().filter(|member| member.role == Role::Owner).count(), 1);
}

fn a_session_ends_idle_or_old_or_when_the_password_changes(kind: DatabaseKind) {
    let house = House::open(kind);
    house.app.hold_clock();
    let store = house.store();
    let ana = house.member("ana@example.com", Role::Viewer);
    let idle = house.sign_in("ana@example.com", PASSWORD).unwrap();
    let busy = house.sign_in("ana@example.com", PASSWORD).unwrap();
    let mut elapsed = 0;
    while elapsed + SESSION_IDLE_SECONDS_MAX < SESSION_SECONDS_MAX {
        house.app.advance_seconds(SESSION_IDLE_SECONDS_MAX - 1);
        elapsed += SESSION_IDLE_SECONDS_MAX - 1;
        assert!(house.is_signed_in(&busy.token), "{elapsed}");
        done(store.seen(ana, busy.session.id, house.app.now()));
    }
    assert!(!house.is_signed_in(&idle.token));
    house.app.advance_seconds(SESSION_SECONDS_MAX - elapsed);
    assert!(!house.is_signed_in(&busy.token));

    let sessions = [(); 3].map(|()| house.sign_in("ana@example.com", PASSWORD).unwrap());
    house.app.housekeep();
    let live = || store.sessions(ana, house.app.now()).wait().unwrap().unwrap().len();
    assert_eq!(live(), 3);
    done(store.end_session(ana, sessions[2].session.id, house.app.now()));
    assert_eq!(live(), 2);
    let change = |present: &str| {
        let (present, new) = (Password::new(present), Password::new(OTHER_PASSWORD));
        outcome(store.change_password(sessions[0].session.id, present, new, house.visit()))
    };
    assert_eq!(change("something else entirely").unwrap_err(), PeopleError::WrongCredentials);
    let _ = change(PASSWORD).unwrap();
    assert!(house.is_signed_in(&sessions[0].token) && !house.is_signed_in(&sessions[1].token));
    assert!(house.sign_in("ana@example.com", PASSWORD).is_err());
    assert!(house.sign_in("ana@example.com", OTHER_PASSWORD).is_ok());
    assert_eq!(house.recorded(Action::UserPasswordChanged), 1);
}

fn a_password_is_set_anew_by_a_link(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let ana = house.member("ana@example.com", Role::Viewer);
    let before = house.sign_in("ana@example.com", PASSWORD).unwrap();
    let link = done(store.issue_link(Purpose::ResetPassword(ana), house.app.now()));
    let digest = || link.token.digest();
    let reset = |password: &str| {
        store.reset_password(digest(), Password::new(password), house.visit()).wait().unwrap()
    };
    assert!(matches!(reset("short"), Err(Refused::Invalid(_))));
    // It is good for nothing else.
    let signed = store.set_up(digest(), user("eva@example.com"), house.visit());
    assert!(matches!(signed.wait().unwrap(), Err(Refused::NotFound)));
    let opened = reset(OTHER_PASSWORD).unwrap().value;
    assert!(house.is_signed_in(&opened.token) && !house.is_signed_in(&before.token));
    assert!(matches!(reset(PASSWORD), Err(Refused::Rule(PeopleError::LinkIsOver))));
    assert!(house.sign_in("ana@example.com", PASSWORD).is_err());

    let link = done(store.issue_link(Purpose::SignIn(ana), house.app.now()));
    let sign_in = || outcome(store.sign_in_by_link(link.token.digest(), house.visit()));
    assert!(house.is_signed_in(&sign_in().unwrap().token));
    assert_eq!(sign_in().unwrap_err(), PeopleError::LinkIsOver);
}

fn pages_of_an_account_are_found_by_its_slug(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let ana = house.member("ana@example.com", Role::Accountant);
    let test = house.app.test_account(house.account);
    let other = house.app.live_account();
    let ctx = Ctx::system(other, house.app.now());
    let eva = done(store.add_user(ctx, user("eva@example.com"), Role::Owner)).id;
    let entry = |user, slug: &str| store.entry(user, slug.to_owned()).wait().unwrap().unwrap();
    let found = entry(ana, "shop").unwrap();
    assert_eq!((found.account.id, found.role), (house.account, Role::Accountant));
    let found = entry(ana, "shop-test").unwrap();
    assert_eq!((found.account.id, found.role), (test, Role::Accountant));
    assert_eq!(entry(eva, "shop-2").unwrap().account.id, other);
    assert!(entry(ana, "shop-2").is_none() && entry(eva, "shop").is_none());
    assert!(entry(ana, "nothing").is_none());
    let slugs: Vec<_> =
        store.entries(ana).wait().unwrap().unwrap().into_iter().map(|entry| entry.slug).collect();
    assert_eq!(slugs, ["shop", "shop-test"]);
    // Another name leaves its pages where they are.
    let rename = |user, name: &str| outcome(store.rename_account(house.by(user), name.to_owned()));
    assert_eq!(rename(ana, "Lupita").unwrap_err(), PeopleError::Forbidden);
    let luis = house.member("luis@example.com", Role::Admin);
    assert_eq!(rename(luis, "Lupita").unwrap().name, "Lupita");
    assert_eq!(entry(ana, "shop-test").unwrap().account.name, "Lupita");
    let empty = store.rename_account(house.by(luis), " ".to_owned()).wait().unwrap();
    assert!(matches!(empty, Err(Refused::Invalid(_))));
    assert_eq!(house.recorded(Action::AccountChanged), 1);
}

fn mail_is_kept_without_a_server_and_sent_with_one(kind: DatabaseKind) {
    let mail = || NewMail {
        recipient: "ana@example.com".to_owned(),
        subject: "Invitación".to_owned(),
        text: "https://tienda.example/panel/invite/secret".to_owned(),
    };
    let house = House::open(kind);
    let queue: &dyn MailQueue = &**house.store();
    let ctx = || Ctx::system(house.account, house.app.now());
    let kept = done(queue.keep(ctx(), mail(), false));
    assert_eq!((kept.text.as_deref(), kept.sent_at), (None, None));
    let seen = |account, id| queue.mail(account, id).wait().unwrap().unwrap();
    assert_eq!(seen(house.account, kept.id).unwrap().text, Some(mail().text));
    let sealed = house.app.database.lines("SELECT text AS line FROM mails");
    assert!(!sealed[0].contains("secret"), "{sealed:?}");
    let total = |account| {
        let page = queue.mails(account, PageRequest::default()).wait().unwrap().unwrap();
        page.total.rows
    };
    let other = house.app.live_account();
    assert!(seen(other, kept.id).is_none());
    assert_eq!([total(house.account), total(other)], [1, 0]);
    let wrong = NewMail { recipient: "ana".to_owned(), ..mail() };
    let refused = queue.keep(ctx(), wrong, false).wait().unwrap();
    assert!(matches!(refused, Err(Refused::Invalid(_))));
    done(queue.forget(ctx(), kept.id));
    assert!(seen(house.account, kept.id).is_none());
    let _ = done(queue.keep(ctx(), mail(), false));
    house.app.advance_seconds(MAIL_SECONDS + 1);
    house.app.housekeep();
    assert_eq!(total(house.account), 0, "it is kept for a while");

    let (app, smtp) = crate::openapi::posting(kind);
    let account = app.live_account();
    let queue: &dyn MailQueue = &**app.store();
    let sent = done(queue.keep(Ctx::system(account, app.now()), mail(), true));
    let came = smtp.wait_for(1);
    assert_eq!(came[0].to, ["ana@example.com"]);
    let end = Instant::now() + Duration::from_secs(30);
    while queue.mail(account, sent.id).wait().unwrap().unwrap().unwrap().sent_at.is_none() {
        assert!(Instant::now() < end, "the mail is not noted as sent");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(queue.mail(account, sent.id).wait().unwrap().unwrap().unwrap().text, None);
}

fn invitations_are_bounded_and_one_however_often_they_are_sent(kind: DatabaseKind) {
    let house = House::open(kind);
    let store = house.store();
    let (ana, luis) = (
        house.member("ana@example.com", Role::Owner),
        house.member("luis@example.com", Role::Admin),
    );
    let once = |key: &str| {
        let (operation, key) = ("POST invite".to_owned(), key.to_owned());
        let idempotency = Some(Idempotency { operation, key, digest: "d".to_owned() });
        Ctx { idempotency, ..house.by(ana) }
    };
    let invite = |ctx, email: &str, role| outcome(store.invite(ctx, email.to_owned(), role));
    let first = invite(once("k"), "eva@example.com", Role::Owner).unwrap();
    assert_eq!(invite(once("k"), "eva@example.com", Role::Owner).unwrap(), first);
    assert_eq!(house.recorded(Action::InvitationCreated), 1);
    let answers = house.app.database.lines("SELECT answer AS line FROM idempotency_answers");
    assert!(answers.iter().all(|line| !line.contains(first.token.reveal())), "{answers:?}");
    // Who may not take an invitation back does not do so by another one.
    house.app.advance_seconds(SAME_ADDRESS_SECONDS);
    let instead = invite(house.by(luis), "eva@example.com", Role::Viewer).unwrap_err();
    assert_eq!(instead, PeopleError::Team(TeamError::OwnersOnly));
    let again = invite(house.by(ana), "eva@example.com", Role::Viewer).unwrap();
    assert_eq!(house.recorded(Action::InvitationRevoked), 1);
    for number in 2..INVITATIONS_PER_HOUR {
        let _ = invite(house.by(luis), &format!("a{number}@example.com"), Role::Viewer).unwrap();
    }
    let many = invite(house.by(luis), "more@example.com", Role::Viewer).unwrap_err();
    assert!(matches!(many, PeopleError::Throttled { .. }), "{many:?}");
    house.app.advance_seconds(INVITATION_SECONDS + 31 * 86_400);
    house.app.housekeep();
    let kept = store.invitation(again.token.digest()).wait().unwrap().unwrap();
    assert!(kept.is_none(), "what ended long ago is not kept");
    // Links of operators are on record.
    let _ = done(store.issue_link(Purpose::ResetPassword(ana), house.app.now()));
    assert_eq!(house.recorded(Action::UserResetLinkIssued), 1);
    // Nor does anybody become a member unasked because their address is known.
    let known = store.add_user(
        Ctx::system(house.account, house.app.now()),
        user("ana@example.com"),
        Role::Viewer,
    );
    assert_eq!(outcome(known).unwrap_err(), PeopleError::UserExists);
}
