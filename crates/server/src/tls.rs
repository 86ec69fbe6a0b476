//! HTTPS: the certificate that the listener shows, which is read again on demand.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use anyhow::{Context, anyhow, bail};
use rustls::{
    ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};

use x509_cert::{Certificate, der::Decode};

use crate::settings::Settings;

/// The protocols that a client may choose from, the best first (RFC 7301).
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The certificate and its private key, as the files had them when they were last read.
#[derive(Clone, Debug)]
pub struct Tls {
    files: Files,
    shown: Arc<Shown>,
    config: ServerConfig,
}

#[derive(Clone, Debug)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

/// What is shown to clients from now on.
struct Shown(RwLock<Arc<CertifiedKey>>);

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shown")
    }
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Tls {
    /// What the settings name; `None` where they name neither file.
    ///
    /// # Errors
    /// When only one is named, or they cannot be used together.
    pub fn from_settings(settings: &Settings) -> anyhow::Result<Option<Self>> {
        match (&settings.tls_cert, &settings.tls_key) {
            (None, None) => Ok(None),
            (Some(certificate), Some(key)) => Self::read(certificate, key).map(Some),
            (Some(_), None) => bail!("tls_cert needs tls_key, the private key of the certificate"),
            (None, Some(_)) => bail!("tls_key needs tls_cert, the certificate of the key"),
        }
    }

    /// Reads both files.
    ///
    /// # Errors
    /// When they cannot be read or do not belong together.
    pub fn read(certificate: &Path, key: &Path) -> anyhow::Result<Self> {
        let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
        let shown = Arc::new(Shown(RwLock::new(Arc::new(files.load()?))));
        let mut config =
            ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
                .with_safe_default_protocol_versions()?
                .with_no_client_auth()
                .with_cert_resolver(Arc::clone(&shown) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = PROTOCOLS.iter().map(|name| name.to_vec()).collect();
        Ok(Self { files, shown, config })
    }

    /// How the listener speaks TLS.
    pub(crate) fn config(&self) -> ServerConfig {
        self.config.clone()
    }

    /// When the certificate ends, in seconds since 1970; `None` if it does not say so legibly.
    pub fn ends_at(&self) -> Option<i64> {
        let shown = self.shown.0.read().unwrap_or_else(PoisonError::into_inner);
        let certificate = Certificate::from_der(shown.cert.first()?).ok()?;
        let end = certificate.tbs_certificate.validity.not_after.to_unix_duration();
        i64::try_from(end.as_secs()).ok()
    }

    /// Reads both files again; new connections are shown what they have now.
    ///
    /// # Errors
    /// When they cannot be used, which leaves everything as it was.
    pub fn reload(&self) -> anyhow::Result<()> {
        let loaded = Arc::new(self.files.load()?);
        *self.shown.0.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(())
    }
}

impl Files {
    fn load(&self) -> anyhow::Result<CertifiedKey> {
        let Self { certificate, key } = self;
        let unreadable = |what: &str, file: &Path| format!("cannot read {what} {}", file.display());
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .with_context(|| unreadable("tls_cert", certificate))?;
        if chain.is_empty() {
            bail!("tls_cert {} has no certificate in PEM form", certificate.display());
        }
        let private =
            PrivateKeyDer::from_pem_file(key).with_context(|| unreadable("tls_key", key))?;
        CertifiedKey::from_der(chain, private, &aws_lc_rs::default_provider()).map_err(|error| {
            anyhow!(
                "tls_cert {} and tls_key {} cannot be used together: {error}",
                certificate.display(),
                key.display()
            )
        })
    }
}
