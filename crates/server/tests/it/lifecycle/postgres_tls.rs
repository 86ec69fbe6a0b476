//! TLS between the program and its PostgreSQL, here in front of one that speaks none.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, mpsc},
    thread,
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use serde_json::json;
use testkit::DatabaseKind;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    runtime,
};
use tokio_rustls::TlsAcceptor;

use super::program::{Site, stocked};

/// What a client of PostgreSQL says that wants TLS.
const TLS_WANTED: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Speaks TLS in front of a server, as `localhost`; its certificate is `db.pem` in the folder of the site.
fn front(site: &Site, server: &str) -> SocketAddr {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    fs::write(site.folder.path().join("db.pem"), cert.pem()).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let server = server.to_owned();
    let (bound, told) = mpsc::channel();
    thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
            bound.send(listener.local_addr().unwrap()).unwrap();
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, acceptor.clone(), server.clone()));
            }
        });
    });
    told.recv().unwrap()
}

/// Whoever does not want TLS is sent away.
async fn pass(mut client: TcpStream, acceptor: TlsAcceptor, server: String) {
    let mut wanted = [0; 8];
    if client.read_exact(&mut wanted).await.is_err() || wanted != TLS_WANTED {
        return;
    }
    client.write_all(b"S").await.unwrap();
    let Ok(mut client) = acceptor.accept(client).await else { return };
    let mut server = TcpStream::connect(&server).await.unwrap();
    drop(copy_bidirectional(&mut client, &mut server).await);
}

#[test]
fn the_database_is_reached_by_tls_and_by_whom_it_is_trusted() {
    let site = Site::new(DatabaseKind::Postgres);
    let (_, key) = site.account_and_key();
    let url = site.database.as_ref().unwrap().url.clone();
    let (scheme, rest) = url.split_once("://").unwrap();
    let (authority, rest) = rest.split_once('/').unwrap();
    let (user, server) = authority.rsplit_once('@').unwrap_or(("postgres", authority));
    let port = front(&site, server).port();
    // The URL of a test's database has parameters.
    let by = |hosts: &str, mode: &str| format!("{scheme}://{user}@{hosts}/{rest}&sslmode={mode}");
    let (named, numbered) = (format!("localhost:{port}"), format!("127.0.0.1:{port}"));
    let reaches = |url: &str| {
        let said = site.run(&["migrate", "--database-url", url]);
        assert!(matches!(said.code, Some(0 | 1)), "{}", said.err);
        (said.code == Some(0), said.err)
    };
    for (hosts, mode, is_reached) in [
        (&named, "disable", false),
        (&named, "require", true),
        (&numbered, "require", true),
        (&named, "verify-full&sslrootcert=db.pem", true),
        (&numbered, "verify-full&sslrootcert=db.pem", false),
        (&numbered, "verify-ca&sslrootcert=db.pem", true),
        (&named, "verify-ca", false),
        (&named, "verify-full", false),
        (&named, "verify-full&sslrootcert=nowhere.pem", false),
        (&named, "always", false),
        // The first is not there.
        (&format!("localhost:1,{named}"), "require", true),
    ] {
        let (reached, said) = reaches(&by(hosts, mode));
        assert_eq!(reached, is_reached, "{hosts} {mode}: {said}");
    }

    let tls = by(&named, "verify-full&sslrootcert=db.pem");
    let service = site.serve(&["--database-url", &tls]);
    let (order, product) = stocked(&service, &key, 3);
    let placed = service.ask(&key, "POST", "/orders", Some(&order));
    assert_eq!(placed.status, 201, "{}", placed.text);
    let left = service.ask(&key, "GET", &format!("/products/{product}"), None).json();
    assert_eq!(left["inventory"], json!(2));
}
