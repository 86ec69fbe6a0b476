//! Sessions with SW, and secrets.

use std::time::Duration;

use invoices::provider::{Credentials, ProviderKind, Providers, Recovery, StampOutcome};
use kernel::reason::Reason;
use testkit::pac::{Behaviour, Call, FakePac, Reply};

use super::support::{
    BOTH, account, credentials, document, hasty, pacs, request, stamped, told, told_cancel,
    told_recovery,
};

const LONG: Duration = Duration::from_secs(30);

#[tokio::test]
async fn one_session_serves_all_calls_of_an_account() {
    let pac = FakePac::start();
    let pacs = pacs(&pac.url(), LONG);
    let calls = (0..10).map(|number| {
        let account = pacs.provider(ProviderKind::Sw, Some(&credentials())).unwrap();
        tokio::spawn(account.stamp(document(number)))
    });
    for call in calls.collect::<Vec<_>>() {
        stamped(call.await.unwrap());
    }
    assert_eq!((pac.count(Call::SignIn), pac.count(Call::Stamp)), (1, 10));
}

#[tokio::test]
async fn a_session_that_has_ended_is_renewed_once() {
    let pac = FakePac::start();
    let sw = account(&pac, ProviderKind::Sw);
    stamped(sw.stamp(document(1)).await);
    pac.expire_sessions();
    let calls = (2..12).map(|number| tokio::spawn(sw.stamp(document(number))));
    for call in calls.collect::<Vec<_>>() {
        stamped(call.await.unwrap());
    }
    assert_eq!((pac.count(Call::SignIn), pac.stamps().len()), (2, 11));
    // Some providers say it with another status.
    let refused = Behaviour::refuse("AU4000", "No fue posible validar el token.");
    pac.script(Call::Stamp, [refused], Behaviour::documented());
    stamped(sw.stamp(document(12)).await);
    assert_eq!(pac.count(Call::SignIn), 3);
}

#[tokio::test]
async fn a_refusal_that_lasts_is_told_after_two_calls() {
    let pac = FakePac::start();
    pac.always(Call::Stamp, Behaviour::status(401));
    let outcome = account(&pac, ProviderKind::Sw).stamp(document(1)).await;
    let reason = Reason::CredentialsRejected.alone();
    assert_eq!(outcome, StampOutcome::Unknown { reason });
    assert_eq!((pac.count(Call::SignIn), pac.count(Call::Stamp)), (2, 2));
}

#[tokio::test]
async fn a_session_that_ends_between_stamp_and_answer_finds_the_stamp() {
    let pac = FakePac::start();
    let expired = Behaviour::then(Reply::Http(401, String::new()));
    pac.script(Call::Stamp, [expired], Behaviour::documented());
    let sw = account(&pac, ProviderKind::Sw);
    assert_eq!(stamped(sw.stamp(document(1)).await), pac.stamps()[0].xml);
    assert_eq!(pac.stamps().len(), 1);
}

#[tokio::test]
async fn a_session_that_cannot_be_begun_anew_says_nothing_of_the_first_call() {
    let refused = [
        Reply::Http(401, String::new()),
        Reply::Http(429, String::new()),
        Reply::Http(500, String::new()),
        Reply::Close,
    ];
    for reply in refused {
        let pac = FakePac::start();
        let expired = Behaviour::then(Reply::Http(401, String::new()));
        pac.script(Call::Stamp, [expired], Behaviour::documented());
        let sign_ins = [Behaviour::documented(), Behaviour::instead(reply.clone())];
        pac.script(Call::SignIn, sign_ins, Behaviour::documented());
        let sw = account(&pac, ProviderKind::Sw);
        assert_eq!(told(&sw.stamp(document(1)).await), "unknown", "{reply:?}");
        assert_eq!(stamped(sw.stamp(document(1)).await), pac.stamps()[0].xml);
        assert_eq!(pac.stamps().len(), 1);
    }
}

#[tokio::test]
async fn a_token_without_end_needs_no_session() {
    let pac = FakePac::start();
    let token = Credentials::Token(FakePac::TOKEN.to_owned());
    let sw = pacs(&pac.url(), LONG).provider(ProviderKind::Sw, Some(&token)).unwrap();
    stamped(sw.stamp(document(1)).await);
    pac.always(Call::Stamp, Behaviour::status(401));
    assert_eq!(told(&sw.stamp(document(2)).await), "unknown");
    assert_eq!((pac.count(Call::SignIn), pac.count(Call::Stamp)), (0, 2));
}

#[tokio::test]
async fn without_a_session_nothing_is_sent() {
    let pac = FakePac::start();
    let empty = Reply::Http(200, "{\"status\":\"success\",\"data\":{\"token\":\"\"}}".to_owned());
    let odd =
        Reply::Http(200, "{\"status\":\"success\",\"data\":{\"token\":\"a\\nb\"}}".to_owned());
    for reply in [
        Reply::Hang,
        Reply::Close,
        Reply::Reset,
        Reply::Half,
        empty,
        odd,
        Reply::Http(500, String::new()),
        Reply::Http(502, "<html>".to_owned()),
        Reply::Http(429, String::new()),
        Reply::Refuse("AU2000".to_owned(), "x".to_owned()),
        Reply::Refuse("XX".to_owned(), "x".to_owned()),
    ] {
        pac.always(Call::SignIn, Behaviour::instead(reply.clone()));
        let sw = hasty(&pac, ProviderKind::Sw);
        assert_eq!(told(&sw.stamp(document(1)).await), "not taken", "{reply:?}");
        assert_eq!(told_cancel(&sw.cancel(request("1")).await), "not taken", "{reply:?}");
        assert_eq!(told_recovery(&sw.recover(document(1)).await), "unknown", "{reply:?}");
    }
    assert_eq!((pac.count(Call::Stamp), pac.count(Call::Cancel)), (0, 0));
}

#[tokio::test]
async fn secrets_are_not_repeated() {
    let secret = "Geheim-4711";
    for kind in BOTH {
        let pac = FakePac::start();
        let wrong =
            Credentials::User { user: FakePac::USER.to_owned(), password: secret.to_owned() };
        assert!(!format!("{wrong:?}").contains(secret));
        let account = pacs(&pac.url(), LONG).provider(kind, Some(&wrong)).unwrap();
        let reason = Reason::CredentialsRejected.alone();
        let outcome = account.stamp(document(1)).await;
        assert_eq!(outcome, StampOutcome::NotTaken { reason: reason.clone() });
        assert_eq!(account.recover(document(1)).await, Recovery::Unknown { reason });
        assert_eq!(told_cancel(&account.cancel(request("1")).await), "not taken");
        // A provider that tells it back.
        for call in [Call::SignIn, Call::Stamp] {
            let code = if kind == ProviderKind::Sw { "AU2000" } else { "300" };
            pac.always(call, Behaviour::refuse(code, secret));
        }
        assert!(!format!("{:?}", account.stamp(document(1)).await).contains(secret));
    }
}
