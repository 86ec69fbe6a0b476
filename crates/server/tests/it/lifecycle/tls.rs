//! HTTPS by the program itself.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    sync::Arc,
    time::Duration,
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto::aws_lc_rs,
    pki_types::CertificateDer,
};
use testkit::DatabaseKind;

use super::program::{Server, Site};

const PATIENCE: Duration = Duration::from_secs(30);

/// Writes a new certificate for `localhost` and its key where the program finds them.
fn issue(site: &Site) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    fs::write(site.folder.path().join("shop.pem"), cert.pem()).unwrap();
    fs::write(site.folder.path().join("shop.key"), signing_key.serialize_pem()).unwrap();
    cert.der().clone()
}

/// A client that trusts one certificate and offers these protocols.
fn connect(
    server: &Server,
    trusted: &CertificateDer<'static>,
    protocols: &[&[u8]],
) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let connection = ClientConnection::new(Arc::new(config), "localhost".try_into().unwrap());
    let stream = TcpStream::connect(server.addr).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    StreamOwned::new(connection.unwrap(), stream)
}

/// What such a client is answered, after it has agreed on a protocol.
fn ask(
    server: &Server,
    trusted: &CertificateDer<'static>,
    protocols: &[&[u8]],
) -> std::io::Result<(Option<Vec<u8>>, String)> {
    let mut stream = connect(server, trusted, protocols);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    // Whoever closes the connection may do so without a word.
    drop(stream.read_to_end(&mut answer));
    let protocol = stream.conn.alpn_protocol().map(<[u8]>::to_vec);
    Ok((protocol, String::from_utf8_lossy(&answer).into_owned()))
}

#[test]
fn https_is_served_with_a_certificate_that_is_read_again() {
    let site = Site::new(DatabaseKind::Sqlite);
    let first = issue(&site);
    let mut server = site.serve(&["--tls-cert", "shop.pem", "--tls-key", "shop.key"]);
    assert!(server.out.find(|line| line.starts_with("Base URL:")).contains("https://127.0.0.1:"));
    let (protocol, answer) = ask(&server, &first, &[b"http/1.1"]).unwrap();
    assert_eq!(protocol.as_deref(), Some(&b"http/1.1"[..]));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let (protocol, _) = ask(&server, &first, &[b"h2", b"http/1.1"]).unwrap();
    assert_eq!(protocol.as_deref(), Some(&b"h2"[..]));

    let second = issue(&site);
    server.hang_up();
    let _ = server.logged("read tls_cert and tls_key again");
    assert!(ask(&server, &first, &[]).is_err(), "the old certificate is shown no more");
    assert!(ask(&server, &second, &[]).unwrap().1.starts_with("HTTP/1.1 200"));

    fs::write(site.folder.path().join("shop.key"), "no key").unwrap();
    server.hang_up();
    let refused = server.logged("kept the certificate in use");
    assert!(refused["error"].as_str().unwrap().contains("tls_key"), "{refused}");
    assert!(ask(&server, &second, &[]).is_ok());
    server.terminate();
    assert_eq!(server.ended().code(), Some(0));
}

/// The connection is alive, but its flow control lets nothing more through (RFC 9113, section 5.2).
#[test]
fn an_answer_over_http2_that_is_not_taken_is_cut_off() {
    let site = Site::new(DatabaseKind::Sqlite);
    let trusted = issue(&site);
    let files = ["--tls-cert", "shop.pem", "--tls-key", "shop.key"];
    let server = site.serve(&[&files[..], &["--answer-timeout-seconds", "1"]].concat());
    let mut stream = connect(&server, &trusted, &[b"h2"]);
    let path = "/api/v1/openapi.json";
    // GET, https, then :path and :authority by their places in the static table.
    let fields = [&[0x82, 0x87, 4, path.len() as u8], path.as_bytes(), &[1, 1], b"x"].concat();
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    let headers = [0, 0, fields.len() as u8, 1, 5, 0, 0, 0, 1];
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    stream.write_all(&[&preface[..], &settings, &headers, &fields].concat()).unwrap();
    let mut read = Vec::new();
    let end = stream.read_to_end(&mut read).map_err(|error| error.kind());
    assert!(!matches!(end, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{end:?}");
    // The window that HTTP/2 begins with.
    assert!((65_535..100_000).contains(&read.len()), "{} bytes", read.len());
    let said = server.logged("the client does not take its answer");
    assert_eq!(said["client"], "127.0.0.1", "{said}");
}

#[test]
fn what_https_cannot_be_served_with_is_named() {
    let site = Site::new(DatabaseKind::Sqlite);
    let _ = issue(&site);
    fs::write(site.folder.path().join("empty.pem"), "").unwrap();
    let other = Site::bare();
    let _ = issue(&other);
    let stranger = other.folder.path().join("shop.key");
    for (args, problem) in [
        (vec!["--tls-cert", "shop.pem"], "tls_cert needs tls_key"),
        (vec!["--tls-key", "shop.key"], "tls_key needs tls_cert"),
        (vec!["--tls-cert", "none.pem", "--tls-key", "shop.key"], "cannot read tls_cert none.pem"),
        (vec!["--tls-cert", "empty.pem", "--tls-key", "shop.key"], "has no certificate"),
        (vec!["--tls-cert", "shop.pem", "--tls-key", "shop.pem"], "cannot read tls_key shop.pem"),
        (
            vec!["--tls-cert", "shop.pem", "--tls-key", stranger.to_str().unwrap()],
            "cannot be used together",
        ),
    ] {
        let said = site.run(&[&["serve", "--listen", "127.0.0.1:0"], &args[..]].concat());
        assert_eq!(said.code, Some(1), "{args:?}: {}", said.err);
        assert!(said.err.contains(problem), "{args:?}: {}", said.err);
    }
}
