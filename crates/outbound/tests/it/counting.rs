//! Counting for all nodes over TLS.

use std::{path::PathBuf, time::Duration};

use kernel::rate::{Quota, SharedCounter, Verdict};
use outbound::counting::{Address, Counter, Settings};
use testkit::Valkey;
use tokio::{
    io::copy_bidirectional,
    net::TcpStream,
    time::{sleep, timeout},
};

use crate::{
    support::Server,
    tls::{Authority, Leaf},
};

const PATIENCE: Duration = Duration::from_secs(60);

fn counter(server: &Server, ca_file: Option<PathBuf>) -> Counter {
    let address = Address::parse(&format!("rediss://{}", server.address)).unwrap();
    let prefix = "shop".to_owned();
    Counter::start(Settings { address, prefix, patience: PATIENCE, ca_file }).unwrap()
}

/// A Valkey or Redis that speaks TLS.
async fn behind_tls(valkey: &Valkey, authority: &Authority) -> Server {
    let acceptor = authority.acceptor(&Leaf::default());
    let place = valkey.url().replace("redis://", "");
    Server::start(move |stream| {
        let (acceptor, place) = (acceptor.clone(), place.clone());
        async move {
            let mut stream = acceptor.accept(stream).await?;
            let mut behind = TcpStream::connect(place).await?;
            copy_bidirectional(&mut stream, &mut behind).await.map(drop)
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_of_our_own_is_trusted_and_no_stranger() {
    let Some(valkey) = Valkey::start() else { return };
    let authority = Authority::new();
    let server = behind_tls(&valkey, &authority).await;
    let quota = Quota { at_once: 1, interval: Duration::from_secs(3_600) };
    let trusting = counter(&server, authority.settings().ca_file);
    let counted = async {
        loop {
            if let Some(verdict) = trusting.count("a", quota, 0).await {
                return verdict;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    let verdict = timeout(PATIENCE, counted).await.unwrap();
    assert_eq!(verdict, Verdict::Allowed { remaining: 0 });
    let stranger = counter(&server, None);
    assert_eq!(stranger.count("a", quota, 0).await, None);
}
