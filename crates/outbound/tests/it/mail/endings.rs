//! How sending ends.

use std::{net::TcpListener, time::Duration};

use kernel::{
    mail::{Email, MailError, Mailer as _},
    reason::Reason,
};
use outbound::{Mailer, mail::Settings};
use testkit::{
    FakeSmtp,
    smtp::{Behaviour, Step},
};

use super::{email, mailer, settings};

const SHORT: Duration = Duration::from_millis(300);

const BEFORE: [Step; 6] =
    [Step::Greeting, Step::Ehlo, Step::Auth, Step::Mail, Step::Rcpt, Step::Data];

async fn failure(smtp: &FakeSmtp, behaviour: Behaviour) -> MailError {
    smtp.always(behaviour);
    let url = smtp.url_with(FakeSmtp::PASSWORD);
    let settings = Settings { timeout: SHORT, ..settings(url) };
    Mailer::new(&settings).unwrap().send(email()).await.unwrap_err()
}

fn unreachable(reason: &str) -> MailError {
    MailError::Unreachable { reason: reason.to_owned() }
}

fn refused(reason: &str) -> MailError {
    MailError::Refused { reason: reason.to_owned() }
}

#[tokio::test]
async fn a_no_is_told_with_its_words() {
    let smtp = FakeSmtp::start();
    for step in BEFORE.into_iter().chain([Step::Email]) {
        let whom = if step == Step::Rcpt { "of_recipient: ana@cliente.example: " } else { "" };
        let no = Behaviour::Say(step, "550-5.1.1 no\r\n550 5.1.1 never".to_owned());
        assert_eq!(failure(&smtp, no).await, refused(&format!("{whom}550 5.1.1 no never")));
        let later = Behaviour::Say(step, "451 4.7.1 not now".to_owned());
        let expected = unreachable(&format!("{whom}451 4.7.1 not now"));
        assert_eq!(failure(&smtp, later).await, expected, "{step:?}");
    }
    assert!(smtp.emails().is_empty());
}

#[tokio::test]
async fn silence_and_nonsense_before_the_email_send_nothing() {
    let smtp = FakeSmtp::start();
    for step in BEFORE {
        let error = failure(&smtp, Behaviour::Hang(step)).await;
        assert_eq!(error, unreachable(&Reason::TimedOut.kept("300 ms")), "{step:?}");
        for behaviour in [Behaviour::Close(step), Behaviour::Say(step, "hello".to_owned())] {
            let error = failure(&smtp, behaviour).await;
            assert!(matches!(error, MailError::Unreachable { .. }), "{step:?}: {error}");
        }
    }
    let error = failure(&smtp, Behaviour::Say(Step::Data, "250 Ok".to_owned())).await;
    assert_eq!(error, unreachable(Reason::MailUndocumented.code()));
    assert!(smtp.emails().is_empty());
}

#[tokio::test]
async fn silence_and_nonsense_after_the_email_are_not_known() {
    let smtp = FakeSmtp::start();
    for behaviour in [
        Behaviour::Hang(Step::Email),
        Behaviour::Close(Step::Email),
        Behaviour::Say(Step::Email, "hello".to_owned()),
        Behaviour::Say(Step::Email, "354 go on".to_owned()),
    ] {
        let error = failure(&smtp, behaviour).await;
        assert!(matches!(error, MailError::Unknown { .. }), "{error}");
    }
}

#[tokio::test]
async fn nobody_there_is_told() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for url in [
        format!("smtp://{address}?tls=none"),
        format!("smtp://{address}"),
        format!("smtps://{address}"),
    ] {
        let error = mailer(url).send(email()).await.unwrap_err();
        assert_eq!(error, unreachable(Reason::ConnectionRefused.code()));
    }
    let error = mailer("smtps://mail.invalid").send(email()).await.unwrap_err();
    assert!(matches!(error, MailError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn one_recipient_that_is_refused_keeps_the_email_from_all() {
    let smtp = FakeSmtp::start();
    smtp.always(Behaviour::Say(Step::Rcpt, "553 5.1.8 who?".to_owned()));
    let to = vec!["ana@cliente.example".to_owned(), "luis@cliente.example".to_owned()];
    let error = mailer(smtp.url()).send(Email { to, ..email() }).await.unwrap_err();
    assert_eq!(error, refused("of_recipient: ana@cliente.example: 553 5.1.8 who?"));
    assert!(!smtp.commands().contains(&"DATA".to_owned()));
    assert!(smtp.commands().contains(&"QUIT".to_owned()));
}

#[tokio::test]
async fn the_user_signs_in_and_the_password_is_never_repeated() {
    let smtp = FakeSmtp::start();
    mailer(smtp.url_with(FakeSmtp::PASSWORD)).send(email()).await.unwrap();
    assert_eq!(smtp.wait_for(1)[0].user.as_deref(), Some(FakeSmtp::USER));
    let wrong = mailer(smtp.url_with("secreto")).send(email()).await.unwrap_err();
    assert_eq!(wrong, refused("535 5.7.8 Authentication failed"));
    // Servers that say what they were told.
    for words in ["535 not secreto", "535 not c2VjcmV0bw=="] {
        smtp.always(Behaviour::Say(Step::Auth, words.to_owned()));
        let error = mailer(smtp.url_with("secreto")).send(email()).await.unwrap_err();
        assert_eq!(error, refused("535"));
    }
    smtp.always(Behaviour::Say(Step::Ehlo, "250-mail.example\r\n250 AUTH LOGIN".to_owned()));
    mailer(smtp.url_with(FakeSmtp::PASSWORD)).send(email()).await.unwrap();
    assert_eq!(smtp.wait_for(2)[1].user.as_deref(), Some(FakeSmtp::USER));
    smtp.always(Behaviour::Say(Step::Ehlo, "250 mail.example".to_owned()));
    let error = mailer(smtp.url_with(FakeSmtp::PASSWORD)).send(email()).await.unwrap_err();
    assert_eq!(error, unreachable(Reason::MailCannotSignIn.code()));
}

#[tokio::test]
async fn an_email_that_is_taken_is_sent_whatever_follows() {
    let smtp = FakeSmtp::start();
    smtp.always(Behaviour::Say(Step::Email, "250 2.0.0 \u{7}taken".to_owned()));
    mailer(smtp.url()).send(email()).await.unwrap();
    assert_eq!(smtp.wait_for(1).len(), 1);
    let long = format!("554 \u{7}{}", "x".repeat(900));
    smtp.always(Behaviour::Say(Step::Email, long));
    let error = mailer(smtp.url()).send(email()).await.unwrap_err().to_string();
    assert!(error.len() < 400 && !error.contains(char::is_control), "{error}");
}
