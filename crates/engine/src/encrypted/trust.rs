//! Whose certificate is taken.

use std::{path::Path, sync::Arc};

use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
    version::{TLS12, TLS13},
};

use super::route::{Authorities, Trust};

/// TLS 1.2 and 1.3 with whoever is trusted.
pub(super) fn config(trust: &Trust) -> Result<Arc<ClientConfig>, String> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&TLS13, &TLS12])
        .map_err(|error| error.to_string())?;
    let builder = match trust {
        Trust::Named(authorities) => builder.with_root_certificates(roots(authorities)?),
        Trust::Signed(authorities) => {
            let roots = Arc::new(roots(authorities)?);
            let verifier =
                WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider));
            let verifier = verifier.build().map_err(|error| error.to_string())?;
            let verifier = AnyName { authorities: Some(verifier), provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
        Trust::Anybody => {
            let verifier = AnyName { authorities: None, provider };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
    };
    Ok(Arc::new(builder.with_no_client_auth()))
}

fn roots(authorities: &Authorities) -> Result<RootCertStore, String> {
    match authorities {
        Authorities::Public => Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }),
        Authorities::File(path) => {
            roots_of(path).map_err(|why| format!("sslrootcert {}: {why}", path.display()))
        }
    }
}

/// Every certificate of a file; one that cannot be read spoils it, as does having none.
fn roots_of(path: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| error.to_string())? {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.is_empty() { Err("it contains no certificate".to_owned()) } else { Ok(roots) }
}

/// Takes certificates whatever name they are for: those that the authorities have signed or, without authorities, any. Then what is
/// said is encrypted, for whomever.
#[derive(Debug)]
struct AnyName {
    authorities: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        status: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authorities) = &self.authorities else {
            return Ok(ServerCertVerified::assertion());
        };
        // The name is looked at last.
        match authorities.verify_server_cert(certificate, between, name, status, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
