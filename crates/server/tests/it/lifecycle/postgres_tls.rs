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
    crypto::aws_lc_rs,
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

/// Speaks TLS in front of a server, as `localhost`, or keeps silent once that is agreed upon; its certificate is `db.pem` in the
/// folder of the site.
fn front(site: &Site, server: Option<&str>) -> SocketAddr {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    fs::write(site.folder.path().join("db.pem"), cert.pem()).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let server = server.map(str::to_owned);
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
async fn pass(mut client: TcpStream, acceptor: TlsAcceptor, server: Option<String>) {
    let mut wanted = [0; 8];
    if client.read_exact(&mut wanted).await.is_err() || wanted != TLS_WANTED {
        return;
    }
    client.write_all(b"S").await.unwrap();
    let Ok(mut client) = acceptor.accept(client).await else { return };
    let Some(server) = server else { return std::future::pending().await };
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
    let port = front(&site, Some(server)).port();
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
        (&named, "require&sslrootcert=system", false),
        (&named, "prefer&sslrootcert=db.pem", false),
        (&named, "verify-full&sslrootcert=db.pem&sslsni=0", false),
        (&named, "verify-full", false),
        (&named, "verify-full&sslrootcert=nowhere.pem", false),
        (&named, "always", false),
        // The first is not there.
        (&format!("localhost:1,{named}"), "require", true),
    ] {
        let (reached, said) = reaches(&by(hosts, mode));
        assert_eq!(reached, is_reached, "{hosts} {mode}: {said}");
    }

    // Who is named behind the database is not asked for a certificate.
    let (_, plain) = server.rsplit_once(':').unwrap();
    for elsewhere in [
        format!("host=127.0.0.1&port={plain}"),
        format!("%68ost=127.0.0.1&%70ort={plain}"),
        format!("hostaddr=127.0.0.1&port={plain}"),
    ] {
        let (reached, said) = reaches(&by(&named, &format!("verify-full&{elsewhere}")));
        assert!(!reached, "{elsewhere}: {said}");
    }

    let tls = by(&named, "verify-full&sslrootcert=db.pem");
    let service = site.serve(&["--database-url", &tls]);
    let (order, product) = stocked(&service, &key, 3);
    let placed = service.ask(&key, "POST", "/orders", Some(&order));
    assert_eq!(placed.status, 201, "{}", placed.text);
    let left = service.ask(&key, "GET", &format!("/products/{product}"), None).json();
    assert_eq!(left["inventory"], json!(2));
}

/// By a password that the server wants bound to the connection where the client can.
#[test]
fn a_server_that_speaks_tls_itself_is_given_a_password() {
    let site = Site::new(DatabaseKind::Postgres);
    let database = site.database.as_ref().unwrap();
    if database.lines("SELECT setting AS line FROM pg_settings WHERE name = 'ssl'") != ["on"] {
        eprintln!("skipped: the PostgreSQL of the tests speaks no TLS");
        return;
    }
    let (_, key) = site.account_and_key();
    database.execute_all(
        "DROP ROLE IF EXISTS by_password; CREATE ROLE by_password LOGIN SUPERUSER PASSWORD 's3cret:@/'",
    );
    let folder = "SELECT setting AS line FROM pg_settings WHERE name = 'data_directory'";
    let certificate = format!("{}/server.crt", database.lines(folder)[0]);
    let (scheme, rest) = database.url.split_once("://").unwrap();
    let (authority, rest) = rest.split_once('/').unwrap();
    let port = authority.rsplit_once(':').unwrap().1;
    let by = |mode: &str| {
        format!("{scheme}://by_password:s3cret%3A%40%2F@localhost:{port}/{rest}&sslmode={mode}")
    };
    let plain = site.run(&["migrate", "--database-url", &by("disable")]);
    assert_eq!(plain.code, Some(1), "it is not let in without");
    assert!(!plain.err.contains("s3cret"), "{}", plain.err);
    let strict = format!("verify-full&sslrootcert={certificate}&require_auth=scram-sha-256");
    for mode in ["require", &strict] {
        let said = site.run(&["migrate", "--database-url", &by(mode)]);
        assert_eq!(said.code, Some(0), "{mode}: {}", said.err);
    }
    let service = site.serve(&["--database-url", &by("require")]);
    assert_eq!(service.ask(&key, "GET", "/products", None).status, 200);
    let ways = "SELECT DISTINCT s.ssl::text AS line FROM pg_stat_ssl s JOIN pg_stat_activity a ON a.pid = s.pid \
        WHERE a.usename = 'by_password'";
    assert_eq!(database.lines(ways), ["true"]);
    drop(service);
}

/// Taken and never answered: by a machine that hangs, or by something else than PostgreSQL.
#[test]
fn who_never_answers_is_told_of_within_the_time_to_connect() {
    let site = Site::new(DatabaseKind::Postgres);
    let silent = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let hushed = front(&site, None);
    let url = &site.database.as_ref().unwrap().url;
    let (scheme, rest) = url.split_once("://").unwrap();
    let (_, rest) = rest.split_once('/').unwrap();
    for port in [silent.local_addr().unwrap().port(), hushed.port()] {
        let url = format!(
            "{scheme}://postgres@localhost:{port}/{rest}&sslmode=require&connect_timeout=2"
        );
        let said = site.run(&["migrate", "--database-url", &url]);
        assert_eq!(said.code, Some(1), "{}", said.err);
        assert!(said.err.contains("localhost"), "{}", said.err);
    }
}
