//! TLS with authorities of our own.

use std::{io::Write, net::SocketAddr, sync::Arc, time::Duration};

use outbound::{Client, Settings, SetupError};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::{
    ServerConfig, SupportedProtocolVersion,
    crypto::aws_lc_rs,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    version::{TLS12, TLS13},
};
use tempfile::NamedTempFile;
use tokio::{io::AsyncWriteExt, time::sleep};
use tokio_rustls::TlsAcceptor;
use webhooks::AttemptError;

use crate::support::{
    NO_CONTENT, SHORT, Server, answer, answer_all, client, development, failure, hasty_client,
};

type Versions = &'static [&'static SupportedProtocolVersion];

const OLD: Versions = &[&TLS12];
const NEW: Versions = &[&TLS13];
const BOTH: Versions = &[&TLS13, &TLS12];

/// An authority and the file that names it.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: NamedTempFile,
}

impl Authority {
    pub(crate) fn new() -> Self {
        Self::named("ours")
    }

    fn named(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(issuer.pem().as_bytes()).unwrap();
        Self { issuer, file }
    }

    /// A client that trusts it.
    pub(crate) fn client(&self) -> Client {
        Client::new(&self.settings()).unwrap()
    }

    /// A client that trusts it and gives up soon.
    pub(crate) fn hasty_client(&self) -> Client {
        Client::new(&Settings { exchange_timeout: SHORT, ..self.settings() }).unwrap()
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings { ca_file: Some(self.file.path().to_owned()), ..development() }
    }

    /// What a server of that name needs. It speaks `versions` of TLS and offers `protocols`.
    pub(crate) fn acceptor(&self, leaf: &Leaf) -> TlsAcceptor {
        let mut params = CertificateParams::new(vec![leaf.name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(leaf.years.0, 1, 1);
        params.not_after = date_time_ymd(leaf.years.1, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(aws_lc_rs::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(leaf.versions)
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        config.alpn_protocols =
            leaf.protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        TlsAcceptor::from(Arc::new(config))
    }

    /// A server that answers every request over HTTP/1.1.
    pub(crate) async fn serve(&self, leaf: &Leaf) -> Server {
        let acceptor = self.acceptor(leaf);
        Server::start(move |stream| {
            let acceptor = acceptor.clone();
            async move { answer_all(acceptor.accept(stream).await?, NO_CONTENT.into()).await }
        })
        .await
    }
}

/// A server's certificate and how it speaks.
pub(crate) struct Leaf {
    pub(crate) name: &'static str,
    pub(crate) years: (i32, i32),
    pub(crate) versions: Versions,
    pub(crate) protocols: &'static [&'static str],
}

impl Default for Leaf {
    fn default() -> Self {
        Self { name: "127.0.0.1", years: (2020, 2120), versions: BOTH, protocols: &[] }
    }
}

pub(crate) fn https(address: SocketAddr) -> String {
    format!("https://{address}/")
}

#[tokio::test]
async fn an_authority_of_our_own_is_trusted() {
    let authority = Authority::new();
    for versions in [OLD, NEW] {
        for protocols in [[].as_slice(), &["http/1.1"]] {
            let leaf = Leaf { versions, protocols, ..Leaf::default() };
            let server = authority.serve(&leaf).await;
            let client = authority.client();
            for _ in 0..10 {
                assert_eq!(answer(&client, &https(server.address)).await.0, 204);
            }
            assert_eq!(server.accepted(), 1);
        }
    }
    let server = authority.serve(&Leaf { name: "localhost", ..Leaf::default() }).await;
    let url = format!("https://localhost:{}/", server.address.port());
    assert_eq!(answer(&authority.client(), &url).await.0, 204);
}

#[tokio::test]
async fn a_certificate_that_proves_nothing_is_refused_with_its_reason() {
    let authority = Authority::new();
    let cases = [
        (Leaf { years: (2020, 2021), ..Leaf::default() }, AttemptError::CertificateExpired),
        (Leaf { years: (2120, 2121), ..Leaf::default() }, AttemptError::CertificateNotYetValid),
        (Leaf { name: "shop.example", ..Leaf::default() }, AttemptError::CertificateWrongHost),
    ];
    for (leaf, reason) in cases {
        let server = authority.serve(&leaf).await;
        let found = failure(&authority.client(), &https(server.address)).await;
        assert_eq!(found, reason);
    }
    let server = authority.serve(&Leaf::default()).await;
    for stranger in [client(), Authority::named("another").client()] {
        let found = failure(&stranger, &https(server.address)).await;
        assert_eq!(found, AttemptError::CertificateUnknownIssuer);
    }
}

#[tokio::test]
async fn a_handshake_that_goes_wrong_is_told_of() {
    let authority = Authority::new();
    let server = authority.serve(&Leaf { protocols: &["spdy/1"], ..Leaf::default() }).await;
    let found = failure(&authority.client(), &https(server.address)).await;
    let alert = "NoApplicationProtocol".to_owned();
    assert_eq!(found, AttemptError::TlsAlert { alert });
    let plain = Server::answering(NO_CONTENT).await;
    let found = failure(&hasty_client(), &https(plain.address)).await;
    assert_eq!(found, AttemptError::timed_out(SHORT), "it waits for the end of a request");
    let chatty = Server::start(|mut stream| async move {
        stream.write_all(b"220 mail.example ESMTP\r\n").await?;
        sleep(SHORT).await;
        Ok(())
    });
    let found = failure(&client(), &https(chatty.await.address)).await;
    assert_eq!(found, AttemptError::NotTls);
    let closing = Server::start(|mut stream| async move {
        let mut hello = [0; 4_096];
        tokio::io::AsyncReadExt::read(&mut stream, &mut hello).await.map(drop)
    });
    let found = failure(&client(), &https(closing.await.address)).await;
    assert_eq!(found, AttemptError::TlsClosed);
    let silent = Server::start(|stream| async move {
        sleep(Duration::from_secs(60)).await;
        drop(stream);
        Ok(())
    });
    let found = failure(&hasty_client(), &https(silent.await.address)).await;
    assert_eq!(found, AttemptError::timed_out(SHORT));
}

#[test]
fn a_file_without_authorities_is_refused() {
    for text in ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let settings = Settings { ca_file: Some(file.path().to_owned()), ..Settings::default() };
        let error = Client::new(&settings).err().expect("refused");
        assert!(matches!(error, SetupError::CaFile { .. }), "{error}");
    }
    let settings = Settings { ca_file: Some("missing.pem".into()), ..Settings::default() };
    let error = Client::new(&settings).err().expect("refused");
    assert!(error.to_string().contains("missing.pem"), "{error}");
    let settings = Settings { user_agent: "a\nb".to_owned(), ..Settings::default() };
    assert!(matches!(Client::new(&settings), Err(SetupError::UserAgent)));
}
