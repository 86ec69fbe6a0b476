//! Where calls go, and where they never do.

use std::{
    env,
    net::IpAddr,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use outbound::{Client, Guard, Settings};
use tokio::{net::TcpListener, time::timeout};
use webhooks::{AttemptError, Reach, UrlFault};

use crate::support::{NO_CONTENT, SHORT, Server, answer, client, development, failure};

const NOT_PUBLIC: AttemptError = AttemptError::HostNotPublic;

const fn invalid_url(fault: UrlFault) -> AttemptError {
    AttemptError::InvalidUrl { fault }
}

/// A client whose names resolve to one answer after the other, the last one for ever; and how often it asked.
fn resolving(settings: &Settings, answers: &[&[&str]]) -> (Client, Arc<AtomicUsize>) {
    let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
    let answers: Vec<Vec<IpAddr>> = answers.iter().map(parse).collect();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let guard = Guard::with_lookup(
        settings.reach,
        Box::new(move |_| {
            let round = count.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
            let answer = answers[round].clone();
            Box::pin(async move { Ok(answer) })
        }),
    );
    (Client::with_guard(settings, guard).unwrap(), asked)
}

#[tokio::test]
async fn a_public_reach_wants_https() {
    let server = Server::answering(NO_CONTENT).await;
    let client = Client::new(&Settings::default()).unwrap();
    assert_eq!(failure(&client, &server.url()).await, invalid_url(UrlFault::Scheme));
    let named = format!("http://localhost:{}", server.address.port());
    assert_eq!(failure(&client, &named).await, invalid_url(UrlFault::Scheme));
    assert_eq!(server.accepted(), 0);
}

#[tokio::test]
async fn this_machine_is_refused_in_every_spelling() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let client = Client::new(&Settings::default()).unwrap();
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "１２７.０.０.１",
        "127。0。0。1",
        "127.0.0.1.",
        "%31%32%37.0.0.1",
    ] {
        let reason = failure(&client, &format!("https://{host}:{port}/")).await;
        assert_eq!(reason, invalid_url(UrlFault::NotPublic), "{host}");
    }
    for host in ["localhost", "LOCALHOST.", "a.localhost", "ｌocalhost"] {
        let reason = failure(&client, &format!("https://{host}:{port}/")).await;
        assert_eq!(reason, invalid_url(UrlFault::ThisMachine), "{host}");
    }
    assert!(timeout(Duration::from_millis(50), listener.accept()).await.is_err());
}

#[tokio::test]
async fn a_name_that_resolves_inside_is_refused() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let url = format!("https://shop.example:{}/", listener.local_addr().unwrap().port());
    let answers: &[&[&str]] = &[
        &["127.0.0.1"],
        &["::1"],
        &["10.0.0.1"],
        &["169.254.169.254"],
        &["::ffff:127.0.0.1"],
        &["0.0.0.0"],
        &["93.184.215.14", "127.0.0.1"],
        &["127.0.0.1", "93.184.215.14"],
    ];
    for answer in answers {
        let (client, _) = resolving(&Settings::default(), &[answer]);
        assert_eq!(failure(&client, &url).await, NOT_PUBLIC, "{answer:?}");
    }
    assert!(timeout(Duration::from_millis(50), listener.accept()).await.is_err());
}

#[tokio::test]
async fn a_reach_for_development_adds_this_machine_only() {
    let server = Server::answering(NO_CONTENT).await;
    let named = format!("http://localhost:{}/", server.address.port());
    assert_eq!(answer(&client(), &named).await.0, 204);
    let reason = failure(&client(), "http://192.168.0.1/").await;
    assert_eq!(reason, invalid_url(UrlFault::NotPublic));
    let (client, _) = resolving(&development(), &[&["127.0.0.1", "192.168.0.1"]]);
    let named = format!("http://shop.example:{}/", server.address.port());
    assert_eq!(failure(&client, &named).await, NOT_PUBLIC);
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn a_second_answer_that_differs_is_checked_too_and_never_asked_for_twice() {
    let server = Server::asked(|mut stream| async move {
        let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
        tokio::io::AsyncWriteExt::write_all(&mut stream, answer).await
    })
    .await;
    let (client, asked) = resolving(&development(), &[&["127.0.0.1"], &["10.0.0.1"]]);
    let url = format!("http://shop.example:{}/", server.address.port());
    assert_eq!(answer(&client, &url).await.0, 204);
    assert_eq!(asked.load(Ordering::SeqCst), 1, "what was checked is what is connected to");
    assert_eq!(failure(&client, &url).await, NOT_PUBLIC);
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn a_name_that_does_not_resolve_or_not_in_time_fails() {
    assert_eq!(failure(&client(), "http://shop.invalid/").await, AttemptError::HostUnresolved);
    let (client, _) = resolving(&development(), &[&[]]);
    assert_eq!(failure(&client, "http://shop.example/").await, AttemptError::HostUnresolved);

    let settings = Settings { exchange_timeout: SHORT, ..development() };
    let never =
        Guard::with_lookup(Reach::Development, Box::new(|_| Box::pin(std::future::pending())));
    let begun = Instant::now();
    let client = Client::with_guard(&settings, never).unwrap();
    assert_eq!(failure(&client, "http://shop.example/").await, AttemptError::timed_out(SHORT));
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_proxy_of_the_environment_is_not_asked() {
    // A test cannot change its own environment safely, so it runs itself with another.
    if env::var_os("OUTBOUND_PROXIED").is_none() {
        let name = "reach::a_proxy_of_the_environment_is_not_asked";
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(["--exact", name]).env("OUTBOUND_PROXIED", "1").env_remove("no_proxy");
        for variable in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"] {
            again.env(variable, "http://127.0.0.1:1");
        }
        assert!(again.status().unwrap().success());
        return;
    }
    let server = Server::answering(NO_CONTENT).await;
    assert_eq!(answer(&client(), &server.url()).await.0, 204);
}
