//! HTTP/2 where it is offered.

use std::{
    future::poll_fn,
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use h2::server::SendResponse;
use hyper::http::Response;
use tokio::{net::TcpStream, task::yield_now};
use tokio_rustls::server::TlsStream;
use webhooks::AttemptError;

use crate::{
    support::{SHORT, Server, answer, failure, resident},
    tls::{Authority, Leaf, https},
};

type Bytes = hyper::body::Bytes;

const MIB: usize = 1 << 20;

/// A server that hands every request to `handle`.
async fn serve<H, F>(authority: &Authority, handle: H) -> Server
where
    H: Fn(SendResponse<Bytes>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<(), h2::Error>> + Send + 'static,
{
    let acceptor = authority.acceptor(&Leaf { protocols: &["h2", "http/1.1"], ..Leaf::default() });
    let handle = Arc::new(handle);
    Server::start(move |stream| {
        let (acceptor, handle) = (acceptor.clone(), Arc::clone(&handle));
        async move { converse(acceptor.accept(stream).await?, handle).await.map_err(io::Error::other) }
    })
    .await
}

async fn converse<H, F>(stream: TlsStream<TcpStream>, handle: Arc<H>) -> Result<(), h2::Error>
where
    H: Fn(SendResponse<Bytes>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<(), h2::Error>> + Send + 'static,
{
    let mut connection = h2::server::handshake(stream).await?;
    while let Some(request) = connection.accept().await {
        let (_, respond) = request?;
        tokio::spawn(handle(respond));
    }
    Ok(())
}

fn head(status: u16) -> Response<()> {
    Response::builder().status(status).body(()).unwrap()
}

#[tokio::test]
async fn posts_share_a_connection() {
    let authority = Authority::new();
    let server = serve(&authority, |mut respond| async move {
        respond.send_response(head(200), false)?.send_data("ok".into(), true)
    })
    .await;
    let client = authority.client();
    let url = https(server.address);
    assert_eq!(answer(&client, &url).await, (200, b"ok".to_vec()));
    let mut tasks = Vec::new();
    for _ in 0..100 {
        let (client, url) = (client.clone(), url.clone());
        tasks.push(tokio::spawn(async move { answer(&client, &url).await.0 }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), 200);
    }
    assert_eq!(server.accepted(), 1);
}

#[tokio::test]
async fn a_huge_body_answers_and_is_not_read() {
    let authority = Authority::new();
    let server = serve(&authority, |mut respond| async move {
        let mut body = respond.send_response(head(200), false)?;
        loop {
            body.reserve_capacity(16_384);
            let Some(room) = poll_fn(|cx| body.poll_capacity(cx)).await else { return Ok(()) };
            body.send_data(vec![b'x'; room?].into(), false)?;
        }
    })
    .await;
    let client = authority.client();
    let before = resident();
    for _ in 0..50 {
        assert_eq!(answer(&client, &https(server.address)).await, (200, vec![b'x'; 2_048]));
    }
    assert_eq!(server.accepted(), 1, "giving up an answer leaves the others alone");
    assert!(resident().saturating_sub(before) < 32 * MIB);
}

#[tokio::test]
async fn a_head_that_is_too_large_is_no_answer() {
    let authority = Authority::new();
    let server = serve(&authority, |mut respond| async move {
        let mut head = head(200);
        for number in 0..100 {
            let name = hyper::http::HeaderName::try_from(format!("x-{number}")).unwrap();
            head.headers_mut().insert(name, "b".repeat(1_000).parse().unwrap());
        }
        respond.send_response(head, true).map(drop)
    })
    .await;
    let reason = failure(&authority.client(), &https(server.address)).await;
    assert_eq!(reason, AttemptError::NoResponse);
}

#[tokio::test]
async fn provisional_answers_without_end_time_out() {
    let authority = Authority::new();
    let server = serve(&authority, |mut respond| async move {
        loop {
            respond.send_informational(head(103))?;
            yield_now().await;
        }
    })
    .await;
    let client = authority.hasty_client();
    let begun = Instant::now();
    assert_eq!(failure(&client, &https(server.address)).await, AttemptError::timed_out(SHORT));
    assert!(begun.elapsed() < Duration::from_secs(10));
}
