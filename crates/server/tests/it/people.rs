//! Users, their sessions and authenticators, and who belongs to an account. No endpoint offers them: the panel does.

mod signing_in;
mod team;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use accounts::{
    Action, AuditQuery, MailQueue, NewMail, NewUser, OpenedSession, Password, People, PeopleError,
    Purpose, Role, SignIn, Team, Token, UserId, UserOffice, Visit, mail::MAIL_SECONDS,
};
use kernel::{AccountId, Actor, Ctx, PageRequest, Pending, Refused, Trace, Written};
use store::Store;
use testkit::{App, DatabaseKind, on_both};

on_both!(
    the_first_user_is_made_by_a_link_that_works_once,
    pages_of_an_account_are_found_by_its_slug,
    mail_is_kept_without_a_server_and_sent_with_one,
);

const PASSWORD: &str = "caballo-grapa-correcto";

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
        let query = AuditQuery { action: Some(action), ..AuditQuery::default() };
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
