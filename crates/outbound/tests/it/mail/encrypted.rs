//! Mail servers with TLS: one that has none, behind one that has.

use std::{io, net::SocketAddr};

use kernel::{
    mail::{MailError, Mailer as _},
    reason::Reason,
};
use outbound::{Mailer, mail::Settings};
use testkit::FakeSmtp;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, copy_bidirectional},
    net::TcpStream,
};
use tokio_rustls::TlsAcceptor;

use super::{email, mailer, settings};
use crate::{
    support::Server,
    tls::{Authority, Leaf},
};

/// TLS from the start.
async fn wrapped(acceptor: TlsAcceptor, behind: SocketAddr) -> Server {
    Server::start(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let mut outer = acceptor.accept(stream).await?;
            let mut inner = TcpStream::connect(behind).await?;
            copy_bidirectional(&mut outer, &mut inner).await.map(drop)
        }
    })
    .await
}

/// TLS after STARTTLS; `last` are the last words in the clear.
async fn upgraded(acceptor: TlsAcceptor, behind: SocketAddr, last: &'static str) -> Server {
    Server::start(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let mut stream = BufReader::new(stream);
            stream.write_all(b"220 mail.example ESMTP\r\n").await?;
            hear(&mut stream, "EHLO tienda.example").await?;
            stream.write_all(b"250-mail.example\r\n250 STARTTLS\r\n").await?;
            hear(&mut stream, "STARTTLS").await?;
            stream.write_all(last.as_bytes()).await?;
            let mut outer = acceptor.accept(stream.into_inner()).await?;
            let mut inner = BufReader::new(TcpStream::connect(behind).await?);
            inner.read_line(&mut String::new()).await?;
            copy_bidirectional(&mut outer, &mut inner).await.map(drop)
        }
    })
    .await
}

async fn hear(stream: &mut BufReader<TcpStream>, expected: &str) -> io::Result<()> {
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    if line.trim_end() == expected { Ok(()) } else { Err(io::Error::other(line)) }
}

fn trusting(authority: &Authority, url: String) -> Mailer {
    let ca_file = authority.settings().ca_file;
    Mailer::new(&Settings { ca_file, ..settings(url) }).unwrap()
}

fn with_user(scheme: &str, host: &str, server: &Server) -> String {
    let url = FakeSmtp::start().url_with(FakeSmtp::PASSWORD);
    let user = url.trim_start_matches("smtp://").split('@').next().unwrap();
    format!("{scheme}://{user}@{host}:{}", server.address.port())
}

#[tokio::test]
async fn an_email_goes_under_tls_of_both_kinds() {
    let (authority, smtp) = (Authority::new(), FakeSmtp::start());
    for name in ["127.0.0.1", "localhost"] {
        let acceptor = authority.acceptor(&Leaf { name, ..Leaf::default() });
        let server = wrapped(acceptor.clone(), smtp.addr()).await;
        trusting(&authority, with_user("smtps", name, &server)).send(email()).await.unwrap();
        let server = upgraded(acceptor, smtp.addr(), "220 go ahead\r\n").await;
        trusting(&authority, with_user("smtp", name, &server)).send(email()).await.unwrap();
    }
    let emails = smtp.wait_for(4);
    assert!(emails.iter().all(|email| email.user.as_deref() == Some(FakeSmtp::USER)));
}

#[tokio::test]
async fn a_certificate_that_proves_nothing_is_sent_nothing() {
    let (authority, smtp) = (Authority::new(), FakeSmtp::start());
    let shop = authority.acceptor(&Leaf { name: "shop.example", ..Leaf::default() });
    let good = authority.acceptor(&Leaf::default());
    for scheme in ["smtps", "smtp"] {
        let start = async |acceptor: &TlsAcceptor| match scheme {
            "smtps" => wrapped(acceptor.clone(), smtp.addr()).await,
            _ => upgraded(acceptor.clone(), smtp.addr(), "220 go ahead\r\n").await,
        };
        let server = start(&shop).await;
        let url = with_user(scheme, "127.0.0.1", &server);
        let error = trusting(&authority, url).send(email()).await.unwrap_err();
        let reason = Reason::CertificateWrongHost.alone();
        assert_eq!(error, MailError::Unreachable { reason });
        let server = start(&good).await;
        let url = with_user(scheme, "127.0.0.1", &server);
        let error = mailer(url).send(email()).await.unwrap_err();
        let reason = Reason::CertificateUnknownIssuer.alone();
        assert_eq!(error, MailError::Unreachable { reason });
    }
    assert!(smtp.commands().is_empty());
}

#[tokio::test]
async fn nothing_is_said_in_the_clear_to_a_server_without_tls() {
    let (authority, smtp) = (Authority::new(), FakeSmtp::start());
    let url = format!("smtp://{}", smtp.addr());
    let error = trusting(&authority, url).send(email()).await.unwrap_err();
    let reason = Reason::MailWithoutTls.alone();
    assert_eq!(error, MailError::Unreachable { reason });
    assert_eq!(smtp.commands(), ["EHLO tienda.example"]);
    let url = format!("smtps://{}", smtp.addr());
    let error = trusting(&authority, url).send(email()).await.unwrap_err();
    let MailError::Unreachable { reason } = error else { panic!("{error}") };
    assert!(
        [Reason::NotTls, Reason::TlsFailed].iter().any(|one| one.alone() == reason),
        "{reason}"
    );
    assert!(smtp.emails().is_empty());
}

#[tokio::test]
async fn words_slipped_in_before_tls_count_for_nothing() {
    let (authority, smtp) = (Authority::new(), FakeSmtp::start());
    let acceptor = authority.acceptor(&Leaf::default());
    // All that a client waits for until its email is taken, and the server has heard nothing of it.
    let last = "220 go ahead\r\n250 mail.example\r\n250 Ok\r\n250 Ok\r\n354 go on\r\n250 taken\r\n";
    let server = upgraded(acceptor, smtp.addr(), last).await;
    let url = format!("smtp://{}", server.address);
    let error = trusting(&authority, url).send(email()).await.unwrap_err();
    assert!(matches!(error, MailError::Unreachable { .. }), "{error}");
    assert!(smtp.emails().is_empty());
}
