//! What arrives.

use kernel::mail::{Attachment, Email, MailError, Mailer as _};
use outbound::mail::BYTES_MAX;
use testkit::FakeSmtp;

use super::{email, mailer};

fn attached(email: &testkit::smtp::Email) -> Vec<Attachment> {
    let attachments = email.attachments.iter().cloned();
    let attachments = attachments.map(|one| Attachment {
        name: one.name,
        content_type: one.content_type,
        bytes: one.bytes,
    });
    attachments.collect()
}

#[tokio::test]
async fn an_email_arrives_as_it_was_written() {
    let smtp = FakeSmtp::start();
    mailer(smtp.url()).send(email()).await.unwrap();
    let came = smtp.wait_for(1).remove(0);
    assert_eq!(came.from, "ventas@tienda.example");
    assert_eq!(came.to, ["ana@cliente.example"]);
    assert_eq!(came.user, None);
    assert_eq!(came.header("to"), Some("ana@cliente.example"));
    assert!(came.header("from").unwrap().contains("Núñez"), "{:?}", came.header("from"));
    assert_eq!(came.subject(), "Factura A-1");
    assert!(came.header("date").unwrap().ends_with("+0000"));
    assert_eq!(came.header("message-id"), Some("<tsk_1@tienda.example>"));
    assert_eq!(came.text, email().text);
    assert_eq!(attached(&came), email().attachments);
    assert_eq!(
        smtp.commands(),
        [
            "EHLO tienda.example",
            "MAIL FROM:<ventas@tienda.example>",
            "RCPT TO:<ana@cliente.example>",
            "DATA",
            "QUIT",
        ]
    );
}

#[tokio::test]
async fn all_writing_arrives() {
    let smtp = FakeSmtp::start();
    let mailer = mailer(smtp.url());
    for (subject, name, text) in [
        ("Factura «A-1» de Núñez", "Núñez.xml", "¡Año nuevo!"),
        ("\u{1F455} 日本語 ".repeat(12).trim_end(), &format!("{}.pdf", "ñandú ".repeat(30)), "日"),
        ("a =?utf-8?b?w7E=? b", "a \"b\" (c); d=e.xml", ".\n..\n.a\n--\nFrom b\n=20 =\n"),
        (&"x".repeat(250), &"y".repeat(200), &"z".repeat(5_000)),
        ("", "a", ""),
    ] {
        let mut email = email();
        email.subject = subject.to_owned();
        email.text = text.to_owned();
        email.attachments[0].name = name.to_owned();
        mailer.send(email.clone()).await.unwrap();
        let came = smtp.emails().pop().unwrap();
        assert_eq!(came.subject(), subject);
        assert_eq!(came.text, text.trim_end());
        assert_eq!(attached(&came), email.attachments);
    }
}

#[tokio::test]
async fn an_email_without_enclosures_and_one_as_large_as_may_be_arrive() {
    let smtp = FakeSmtp::start();
    let mailer = mailer(smtp.url());
    mailer.send(Email { attachments: Vec::new(), ..email() }).await.unwrap();
    let mut large = email();
    let rest: usize = large.text.len() + large.attachments[0].bytes.len();
    large.attachments[1].bytes = (0..BYTES_MAX - rest).map(|at| (at % 251) as u8).collect();
    mailer.send(large.clone()).await.unwrap();
    let came = smtp.wait_for(2);
    assert!(came[0].attachments.is_empty());
    assert_eq!(came[0].text, email().text);
    assert!(attached(&came[1]) == large.attachments);
}

#[tokio::test]
async fn an_email_goes_to_all_and_says_so() {
    let smtp = FakeSmtp::start();
    let to = vec!["ana@cliente.example".to_owned(), "luis@cliente.example".to_owned()];
    mailer(smtp.url()).send(Email { to: to.clone(), ..email() }).await.unwrap();
    let came = smtp.wait_for(1).remove(0);
    assert_eq!(came.to, to);
    assert_eq!(came.header("to"), Some("ana@cliente.example, luis@cliente.example"));
}

#[tokio::test]
async fn an_email_that_cannot_be_sent_calls_nobody() {
    let smtp = FakeSmtp::start();
    let to = vec!["ana@cliente.example\r\nRCPT TO:<x@y.example>".to_owned()];
    let subject = "Factura\r\nBcc: x@y.example".to_owned();
    for email in [Email { to, ..email() }, Email { subject, ..email() }] {
        let error = mailer(smtp.url()).send(email).await.unwrap_err();
        assert!(matches!(error, MailError::Refused { .. }), "{error}");
    }
    assert!(smtp.commands().is_empty());
}
