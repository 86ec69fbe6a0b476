//! What is sent, and what is kept of the answer.

use std::sync::{Arc, Mutex};

use outbound::{Client, Settings};
use tokio::io::AsyncWriteExt;
use webhooks::{AttemptError, Exchange, Sender};

use crate::support::{NO_CONTENT, Server, answer, client, development, post, read, send};

#[tokio::test]
async fn the_request_has_what_the_post_says_and_little_more() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&seen);
    let server = Server::start(move |mut stream| {
        let requests = Arc::clone(&requests);
        async move {
            let request = read(&mut stream).await?;
            requests.lock().unwrap().push(request);
            stream.write_all(NO_CONTENT.as_bytes()).await
        }
    })
    .await;
    let settings = Settings { user_agent: "shop/1".to_owned(), ..development() };
    let exchange = send(&Client::new(&settings).unwrap(), &server.url()).await;
    assert_eq!(exchange, Exchange::Answered { status: 204, body: Vec::new() });

    let seen = seen.lock().unwrap();
    let [request] = seen.as_slice() else { panic!("{} requests", seen.len()) };
    assert_eq!(request.body, r#"{"a":1}"#);
    let mut lines: Vec<_> = request.head.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.remove(0), "POST /hook?shop=1 HTTP/1.1");
    lines.sort_unstable();
    let host = format!("host: {}", server.address);
    assert_eq!(
        lines,
        [
            "accept: */*",
            "content-length: 7",
            "content-type: application/json",
            host.as_str(),
            "user-agent: shop/1",
            "webhook-id: evt_1",
        ]
    );
}

#[tokio::test]
async fn the_beginning_of_a_long_answer_is_kept() {
    let body = format!("{}{}", "x".repeat(2_048), "y".repeat(2_952));
    let head = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 5000\r\n\r\n";
    let server = Server::answering(format!("{head}{body}")).await;
    let client = client();
    for _ in 0..2 {
        assert_eq!(answer(&client, &server.url()).await, (500, vec![b'x'; 2_048]));
    }
    assert_eq!(server.accepted(), 1, "an answer within the bound leaves the connection usable");
}

#[tokio::test]
async fn answers_come_in_every_framing() {
    for (answered, status, body) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", 200, "ok"),
        (
            "HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n",
            202,
            "ok",
        ),
        (
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n",
            201,
            "",
        ),
        ("HTTP/1.1 410 Gone\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nno", 410, "no"),
        ("HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n", 999, ""),
        ("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n", 101, ""),
    ] {
        let server = Server::answering(answered).await;
        let found = answer(&client(), &server.url()).await;
        assert_eq!(found, (status, body.as_bytes().to_vec()), "{answered}");
    }
    let server = Server::asked(|mut stream| async move {
        stream.write_all(b"HTTP/1.0 200 OK\r\n\r\nto the end").await
    })
    .await;
    assert_eq!(answer(&client(), &server.url()).await, (200, b"to the end".to_vec()));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_nobody_goes_there() {
    let other = Server::answering(NO_CONTENT).await;
    for status in [301, 302, 303, 307, 308] {
        let head = format!("HTTP/1.1 {status} Moved\r\nlocation: {}\r\n", other.url());
        let server = Server::answering(format!("{head}content-length: 0\r\n\r\n")).await;
        let exchange = send(&client(), &server.url()).await;
        assert!(!exchange.delivers());
        assert_eq!(exchange, Exchange::Answered { status, body: Vec::new() });
    }
    assert_eq!(other.accepted(), 0);
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_fails_the_post() {
    let server = Server::answering(NO_CONTENT).await;
    for (name, value) in [("a b", "x"), ("", "x"), ("webhook-id", "a\r\nevil: 1")] {
        let mut post = post(&server.url());
        post.headers = vec![(name.to_owned(), value.to_owned())];
        let Exchange::Failed { reason } = client().post(post).await else { panic!("{name}") };
        assert_eq!(reason, AttemptError::InvalidRequestHeader);
    }
    assert_eq!(server.accepted(), 0);
}
