//! Where the providers are and how long they may take.

use std::{path::PathBuf, time::Duration};

use reqwest::Url;

use crate::SetupError;

/// SW sapien.
pub const SW_PRODUCTION: &str = "https://services.sw.com.mx";
/// SW sapien, for trying out: its stamps have no fiscal value.
pub const SW_TEST: &str = "https://services.test.sw.com.mx";
/// Finkok.
pub const FINKOK_PRODUCTION: &str = "https://facturacion.finkok.com";
/// Finkok, for trying out: its stamps have no fiscal value.
pub const FINKOK_TEST: &str = "https://demo-facturacion.finkok.com";
/// The tax authority's service of statuses.
pub const SAT_PRODUCTION: &str = "https://consultaqr.facturaelectronica.sat.gob.mx";
/// The same for documents of the providers' test services.
pub const SAT_TEST: &str = "https://pruebacfdiconsultaqr.cloudapp.net";

/// Where the providers are and how long they may take. An address is `https`, or `http` on this machine, and
/// is followed by the paths that the provider documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// SW sapien: [`SW_PRODUCTION`], [`SW_TEST`].
    pub sw_url: String,
    /// Finkok: [`FINKOK_PRODUCTION`], [`FINKOK_TEST`].
    pub finkok_url: String,
    /// The tax authority: [`SAT_PRODUCTION`], [`SAT_TEST`].
    pub sat_url: String,
    /// Timeout for one operation at a provider, including all the calls it needs.
    pub timeout: Duration,
    /// A PEM file of certificate authorities to trust besides those of Mozilla's list, which are compiled in.
    pub ca_file: Option<PathBuf>,
}

impl Default for Settings {
    /// The services of production, 30 seconds, no further authorities.
    fn default() -> Self {
        Self {
            sw_url: SW_PRODUCTION.to_owned(),
            finkok_url: FINKOK_PRODUCTION.to_owned(),
            sat_url: SAT_PRODUCTION.to_owned(),
            timeout: Duration::from_secs(30),
            ca_file: None,
        }
    }
}

/// An address that paths can be appended to.
pub(crate) fn base(setting: &'static str, url: &str) -> Result<String, SetupError> {
    let refused = |reason| SetupError::Url { setting, reason };
    let parsed = Url::parse(url).map_err(|_| refused("must be a URL"))?;
    let own = parsed.host_str().is_some_and(is_this_machine);
    if !(parsed.scheme() == "https" || own && parsed.scheme() == "http") {
        return Err(refused("must begin with https://"));
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(refused("must not contain credentials"));
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(refused("must end with its path"));
    }
    Ok(parsed.as_str().trim_end_matches('/').to_owned())
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_https_or_on_this_machine() {
        for (url, usable) in [
            ("https://pac.example/", "https://pac.example"),
            ("https://pac.example:8443/a/", "https://pac.example:8443/a"),
            ("http://127.0.0.1:81", "http://127.0.0.1:81"),
            ("http://127.9.9.9", "http://127.9.9.9"),
            ("http://[::1]:81/", "http://[::1]:81"),
            ("http://localhost", "http://localhost"),
        ] {
            assert_eq!(base("sw_url", url).unwrap(), usable);
        }
        for url in [
            "",
            "pac.example",
            "http://pac.example",
            "http://10.0.0.1",
            "http://localhost.example",
            "ftp://127.0.0.1",
            "https://user:secret@pac.example",
            "https://pac.example/?a=1",
            "https://pac.example/#a",
        ] {
            let error = base("sw_url", url).unwrap_err().to_string();
            assert!(error.starts_with("sw_url must"), "{url}: {error}");
            assert!(!error.contains("secret"));
        }
        for url in
            [SW_PRODUCTION, SW_TEST, FINKOK_PRODUCTION, FINKOK_TEST, SAT_PRODUCTION, SAT_TEST]
        {
            assert_eq!(base("sw_url", url).unwrap(), url);
        }
    }
}
