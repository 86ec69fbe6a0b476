//! Connections are used again, and a stale one does no harm.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{io::AsyncWriteExt, time::sleep};
use webhooks::AttemptError;

use crate::support::{NO_CONTENT, Server, answer, client, failure, read};

#[tokio::test]
async fn a_hundred_posts_share_a_connection() {
    let server = Server::answering(NO_CONTENT).await;
    let client = client();
    for _ in 0..100 {
        assert_eq!(answer(&client, &server.url()).await.0, 204);
    }
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn posts_at_the_same_time_share_a_few_connections() {
    let server = Server::answering(NO_CONTENT).await;
    let (client, url) = (client(), server.url());
    let mut tasks = Vec::new();
    for _ in 0..8 {
        let (client, url) = (client.clone(), url.clone());
        tasks.push(tokio::spawn(async move {
            for _ in 0..50 {
                assert_eq!(answer(&client, &url).await.0, 204);
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert!(server.accepted() <= 16, "{}", server.accepted());
}

#[tokio::test]
async fn a_connection_closed_while_idle_costs_no_delivery() {
    let server =
        Server::asked(|mut stream| async move { stream.write_all(NO_CONTENT.as_bytes()).await })
            .await;
    let client = client();
    for round in 1..=5 {
        assert_eq!(answer(&client, &server.url()).await.0, 204);
        assert_eq!(server.accepted(), round);
        sleep(Duration::from_millis(20)).await;
    }
}

/// Without this, a server that closes as the next request comes would get it twice.
#[tokio::test]
async fn a_request_that_was_sent_is_not_sent_again() {
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    let server = Server::start(move |mut stream| {
        let count = Arc::clone(&count);
        async move {
            read(&mut stream).await?;
            count.fetch_add(1, Ordering::SeqCst);
            stream.write_all(NO_CONTENT.as_bytes()).await?;
            read(&mut stream).await?;
            count.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
    })
    .await;
    let client = client();
    assert_eq!(answer(&client, &server.url()).await.0, 204);
    assert_eq!(failure(&client, &server.url()).await, AttemptError::NoResponse);
    assert_eq!(requests.load(Ordering::SeqCst), 2);
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn an_exchange_given_up_does_not_spoil_the_next() {
    let server = Server::start(|mut stream| async move {
        read(&mut stream).await?;
        sleep(Duration::from_millis(200)).await;
        stream.write_all(NO_CONTENT.as_bytes()).await
    })
    .await;
    let client = client();
    let url = server.url();
    let given_up = tokio::time::timeout(Duration::from_millis(50), answer(&client, &url));
    assert!(given_up.await.is_err());
    assert_eq!(answer(&client, &url).await.0, 204);
}
