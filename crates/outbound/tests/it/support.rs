//! Servers that do as they are told, and calls to them.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use outbound::{Client, Settings};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use webhooks::{AttemptError, Exchange, Post, Reach, Sender};

/// The limit of an exchange that is meant to run into it.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

/// An answer without a body after which the connection stays open.
pub(crate) const NO_CONTENT: &str = "HTTP/1.1 204 No Content\r\n\r\n";

/// A server of its own address.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    accepted: Arc<AtomicUsize>,
}

/// What a server was asked.
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Server {
    /// Hands every connection to `handle`, whose errors say only that the client has left.
    pub(crate) async fn start<H, F>(handle: H) -> Self
    where
        H: Fn(TcpStream) -> F + Send + 'static,
        F: Future<Output = io::Result<()>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let accepted = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&accepted);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(handle(stream));
            }
        });
        Self { address, accepted }
    }

    /// Gives every request the same answer and keeps the connection.
    pub(crate) async fn answering(answer: impl Into<String>) -> Self {
        let answer: Arc<str> = answer.into().into();
        Self::start(move |stream| answer_all(stream, Arc::clone(&answer))).await
    }

    /// Reads one request of each connection, and leaves the rest to `handle`.
    pub(crate) async fn asked<H, F>(handle: H) -> Self
    where
        H: Fn(TcpStream) -> F + Clone + Send + 'static,
        F: Future<Output = io::Result<()>> + Send + 'static,
    {
        Self::start(move |mut stream| {
            let handle = handle.clone();
            async move {
                read(&mut stream).await?;
                handle(stream).await
            }
        })
        .await
    }

    /// A URL on it.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook?shop=1", self.address)
    }

    /// Connections so far.
    pub(crate) fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

/// Reads a request.
pub(crate) async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<Request> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |digits| digits.parse().unwrap())];
    stream.read_exact(&mut body).await?;
    Ok(Request { head, body: String::from_utf8(body).unwrap() })
}

/// Gives every request of a connection the same answer.
pub(crate) async fn answer_all<S>(mut stream: S, answer: Arc<str>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        read(&mut stream).await?;
        stream.write_all(answer.as_bytes()).await?;
        stream.flush().await?;
    }
}

/// Writes the same again and again until the client leaves; counts the bytes.
pub(crate) async fn flood(stream: &mut TcpStream, bytes: &[u8], written: &AtomicUsize) {
    while stream.write_all(bytes).await.is_ok() {
        written.fetch_add(bytes.len(), Ordering::SeqCst);
    }
}

/// Settings for this machine.
pub(crate) fn development() -> Settings {
    Settings { reach: Reach::Development, ..Settings::default() }
}

/// A client for this machine.
pub(crate) fn client() -> Client {
    Client::new(&development()).unwrap()
}

/// A client for this machine that gives up soon.
pub(crate) fn hasty_client() -> Client {
    Client::new(&Settings { exchange_timeout: SHORT, ..development() }).unwrap()
}

/// A post as a delivery makes it.
pub(crate) fn post(url: &str) -> Post {
    let headers = vec![("Webhook-Id".to_owned(), "evt_1".to_owned())];
    Post { url: url.to_owned(), headers, body: r#"{"a":1}"#.to_owned() }
}

/// What comes of a post.
pub(crate) async fn send(client: &Client, url: &str) -> Exchange {
    client.post(post(url)).await
}

/// The status and body of an answer.
pub(crate) async fn answer(client: &Client, url: &str) -> (u16, Vec<u8>) {
    match send(client, url).await {
        Exchange::Answered { status, body } => (status, body),
        Exchange::Failed { reason } => panic!("{reason}"),
    }
}

/// The reason of a failure.
pub(crate) async fn failure(client: &Client, url: &str) -> AttemptError {
    match send(client, url).await {
        Exchange::Failed { reason } => reason,
        Exchange::Answered { status, .. } => panic!("answered {status}"),
    }
}

/// The memory that this process holds, in bytes.
pub(crate) fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4_096
}
