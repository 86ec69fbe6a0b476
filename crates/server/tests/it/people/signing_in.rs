//! Passwords, authenticators and sessions.

use accounts::{
    Action, Password, People, PeopleError, Purpose, RecoveryCode, Role, Token, UserOffice,
    session::{SESSION_IDLE_SECONDS_MAX, SESSION_SECONDS_MAX},
};
use kernel::Refused;
use testkit::{DatabaseKind, on_both};

use super::{House, PASSWORD, done, outcome, user};

on_both!(
    a_wrong_password_is_counted_and_puts_off,
    strangers_shut_nobody_out,
    who_knows_the_password_alone_ends_no_session,
    an_authenticator_is_asked_for_and_each_code_is_used_once,
    a_session_ends_idle_or_old_or_when_the_password_changes,
    a_password_is_set_anew_by_a_link,
);

const OTHER_PASSWORD: &str = "nopal mira lejos 83";

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
