//! TLS: rustls with AWS-LC, and whom it trusts.

use std::{path::Path, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, pem::PemObject},
    version::{TLS12, TLS13},
};

use crate::SetupError;

/// TLS 1.2 and 1.3 with Mozilla's authorities and those of `ca_file`, offering HTTP/2 and HTTP/1.1.
pub(crate) fn config(ca_file: Option<&Path>) -> Result<ClientConfig, SetupError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = ca_file {
        trust(&mut roots, path)
            .map_err(|reason| SetupError::CaFile { path: path.to_owned(), reason })?;
    }
    // Named here because a default for the process would be somebody else's to choose.
    let provider = Arc::new(aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13, &TLS12])
        .map_err(|error| SetupError::Http(Box::new(error)))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// Adds every certificate of a file; one that cannot be read spoils it, as does having none.
fn trust(roots: &mut RootCertStore, path: &Path) -> Result<(), String> {
    let before = roots.len();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| error.to_string())? {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    if roots.len() == before { Err("it contains no certificate".to_owned()) } else { Ok(()) }
}
