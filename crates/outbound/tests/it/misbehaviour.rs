//! Servers that hold the line, talk without end, hang up, or speak something else.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::sleep,
};
use webhooks::AttemptError;

use crate::support::{Server, answer, client, failure, flood, hasty_client, resident};

const MIB: usize = 1 << 20;

/// After [`SHORT`](crate::support::SHORT).
const TIMED_OUT: AttemptError = AttemptError::TimedOut { limit_ms: 300 };

/// What the sockets of both sides hold at most, and much to spare.
const BUFFERED: usize = 32 * MIB;

#[tokio::test]
async fn an_answer_that_does_not_come_times_out() {
    let server = Server::asked(|stream| async move {
        sleep(Duration::from_secs(60)).await;
        drop(stream);
        Ok(())
    })
    .await;
    let begun = Instant::now();
    assert_eq!(failure(&hasty_client(), &server.url()).await, TIMED_OUT);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_head_that_drips_times_out() {
    let server = Server::asked(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        loop {
            stream.write_all(b"a: b\r\n").await?;
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    assert_eq!(failure(&hasty_client(), &server.url()).await, TIMED_OUT);
}

#[tokio::test]
async fn a_body_that_drips_times_out() {
    for framing in ["content-length: 1000", "connection: close"] {
        let head = format!("HTTP/1.1 200 OK\r\n{framing}\r\n\r\n");
        let server = Server::asked(move |mut stream| {
            let head = head.clone();
            async move {
                stream.write_all(head.as_bytes()).await?;
                loop {
                    stream.write_all(b"x").await?;
                    sleep(Duration::from_millis(20)).await;
                }
            }
        })
        .await;
        assert_eq!(failure(&hasty_client(), &server.url()).await, TIMED_OUT);
    }
}

#[tokio::test]
async fn a_huge_body_answers_and_is_not_read() {
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let server = Server::asked(move |mut stream| {
        let count = Arc::clone(&count);
        async move {
            let head = b"HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n";
            stream.write_all(head).await?;
            flood(&mut stream, &[b'x'; 65_536], &count).await;
            Ok(())
        }
    })
    .await;
    let client = client();
    let before = resident();
    for round in 1..=5 {
        assert_eq!(answer(&client, &server.url()).await, (200, vec![b'x'; 2_048]));
        assert_eq!(server.accepted(), round, "the connection is given up");
    }
    sleep(Duration::from_millis(50)).await;
    assert!(written.load(Ordering::SeqCst) < 5 * BUFFERED, "{written:?}");
    assert!(resident().saturating_sub(before) < BUFFERED);
}

#[tokio::test]
async fn a_head_without_end_is_no_answer() {
    let long = format!("a: {}\r\n", "b".repeat(10_000));
    for line in ["a: b\r\n", long.as_str(), "bbbbbbbbbbbbbbbb"] {
        let (written, line) = (Arc::new(AtomicUsize::new(0)), line.as_bytes().repeat(100));
        let count = Arc::clone(&written);
        let server = Server::asked(move |mut stream| {
            let (count, line) = (Arc::clone(&count), line.clone());
            async move {
                stream.write_all(b"HTTP/1.1 200 OK\r\na: ").await?;
                flood(&mut stream, &line, &count).await;
                Ok(())
            }
        })
        .await;
        let before = resident();
        assert_eq!(failure(&client(), &server.url()).await, AttemptError::NotHttp);
        sleep(Duration::from_millis(50)).await;
        assert!(written.load(Ordering::SeqCst) < BUFFERED, "{written:?}");
        assert!(resident().saturating_sub(before) < BUFFERED);
    }
}

#[tokio::test]
async fn provisional_answers_without_end_time_out() {
    let server = Server::asked(|mut stream| async move {
        let many = b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(1_000);
        flood(&mut stream, &many, &AtomicUsize::new(0)).await;
        Ok(())
    })
    .await;
    let (begun, before) = (Instant::now(), resident());
    assert_eq!(failure(&hasty_client(), &server.url()).await, TIMED_OUT);
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(resident().saturating_sub(before) < BUFFERED);
}

#[tokio::test]
async fn trailers_without_end_are_no_answer() {
    let server = Server::asked(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n").await?;
        flood(&mut stream, &b"a: b\r\n".repeat(1_000), &AtomicUsize::new(0)).await;
        Ok(())
    })
    .await;
    let before = resident();
    failure(&hasty_client(), &server.url()).await;
    assert!(resident().saturating_sub(before) < BUFFERED);
}

#[tokio::test]
async fn a_connection_that_is_closed_or_reset_gave_no_answer() {
    let closing = Server::asked(|_| async { Ok(()) }).await;
    assert_eq!(failure(&client(), &closing.url()).await, AttemptError::NoResponse);
    // Closing with unread bytes resets the connection.
    let resetting = Server::start(|mut stream| async move { stream.read_u8().await.map(drop) });
    assert_eq!(failure(&client(), &resetting.await.url()).await, AttemptError::NoResponse);
    let halfway = Server::asked(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf").await
    });
    assert_eq!(failure(&client(), &halfway.await.url()).await, AttemptError::IncompleteResponse);
}

#[tokio::test]
async fn what_is_not_http_is_no_answer() {
    for greeting in ["220 mail.example ESMTP\r\n", "SSH-2.0-x\r\n", "\0\0\x18\x04\0\0\0\0\0\0\0\0"]
    {
        let server = Server::asked(move |mut stream| async move {
            stream.write_all(greeting.as_bytes()).await?;
            sleep(Duration::from_secs(60)).await;
            Ok(())
        })
        .await;
        assert_eq!(
            failure(&hasty_client(), &server.url()).await,
            AttemptError::NotHttp,
            "{greeting:?}"
        );
    }
}

#[tokio::test]
async fn a_port_where_nobody_listens_refuses() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    assert_eq!(failure(&client(), &url).await, AttemptError::ConnectionRefused);
}
