//! Where the mail server is and who writes.

use std::{fmt, net::IpAddr, path::Path, path::PathBuf, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use lettre::transport::smtp::{
    authentication::Credentials,
    client::{Certificate, CertificateStore, TlsParameters},
};
use reqwest::Url;
use rustls::pki_types::ServerName;

use crate::{SetupError, tls};

/// Where the mail server is and who writes.
#[derive(Clone, PartialEq, Eq)]
pub struct Settings {
    /// The mail server, with the user and the password if it wants them, percent-encoded:
    /// - `smtps://user:password@host:465` for TLS from the start;
    /// - `smtp://user:password@host:587` for TLS by STARTTLS, which is insisted on;
    /// - `smtp://host:25?tls=none` for none, only on this machine.
    ///
    /// The ports shown are those that are used if it names none.
    pub smtp_url: String,
    /// The sender: `ventas@tienda.example` or `Tienda <ventas@tienda.example>`.
    pub from: String,
    /// Timeout for handing over one email.
    pub timeout: Duration,
    /// A PEM file of certificate authorities to trust besides those of Mozilla's list, which are compiled in.
    pub ca_file: Option<PathBuf>,
}

impl fmt::Debug for Settings {
    /// Without the server's address, which has the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("from", &self.from)
            .field("timeout", &self.timeout)
            .field("ca_file", &self.ca_file)
            .finish_non_exhaustive()
    }
}

/// A mail server and how to talk to it.
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) credentials: Option<Credentials>,
    /// The password in the forms that it is sent in, which no reason may repeat.
    pub(super) secrets: Vec<String>,
}

/// How a connection is encrypted.
pub(super) enum Security {
    /// From the start.
    Tls(TlsParameters),
    /// After a few words in the clear.
    StartTls(TlsParameters),
    /// Not at all.
    None,
}

impl Server {
    pub(super) fn new(url: &str, ca_file: Option<&Path>) -> Result<Self, SetupError> {
        let refused = |reason| SetupError::Url { setting: "smtp_url", reason };
        let url = Url::parse(url).map_err(|_| refused("must be a URL"))?;
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        if ServerName::try_from(host.as_str()).is_err() {
            return Err(refused("must name a host"));
        }
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(refused("must end with its host and port"));
        }
        let (security, port) = match (url.scheme(), url.query()) {
            ("smtps", None) => (Security::Tls(trust(&host, ca_file)?), 465),
            ("smtp", None) => (Security::StartTls(trust(&host, ca_file)?), 587),
            ("smtp", Some("tls=none")) if is_this_machine(&host) => (Security::None, 25),
            ("smtp", Some("tls=none")) => {
                return Err(refused("may use tls=none only with this machine"));
            }
            ("smtp" | "smtps", _) => return Err(refused("must end with its host and port")),
            _ => return Err(refused("must begin with smtps:// or smtp://")),
        };
        let (credentials, secrets) = credentials(&url).map_err(refused)?;
        let port = url.port().unwrap_or(port);
        Ok(Self { host, port, security, credentials, secrets })
    }
}

fn credentials(url: &Url) -> Result<(Option<Credentials>, Vec<String>), &'static str> {
    let (user, password) = match (url.username(), url.password()) {
        ("", None) => return Ok((None, Vec::new())),
        ("", Some(_)) | (_, None) => {
            return Err("must have both a user and a password, or neither");
        }
        (user, Some(password)) => (decoded(user), decoded(password)),
    };
    let (Some(user), Some(password)) = (user, password) else {
        return Err("must contain a percent-encoded user and password");
    };
    let secrets = vec![
        STANDARD.encode(format!("\0{user}\0{password}")),
        STANDARD.encode(&password),
        password.clone(),
    ];
    Ok((Some(Credentials::new(user, password)), secrets))
}

/// A part of a URL without its percent-encoding, if that is text.
fn decoded(part: &str) -> Option<String> {
    let mut pieces = part.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        let (code, rest) = piece.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Mozilla's authorities and those of `ca_file`, as for all other calls.
fn trust(host: &str, ca_file: Option<&Path>) -> Result<TlsParameters, SetupError> {
    let failed = |error| SetupError::Http(Box::new(error));
    let builder = TlsParameters::builder(host.to_owned());
    let mut builder = builder.certificate_store(CertificateStore::WebpkiRoots);
    if let Some(path) = ca_file {
        // lettre takes no configuration of ours, but what ours says of the file holds.
        tls::config(Some(path))?;
        let refused = |reason: String| SetupError::CaFile { path: path.to_owned(), reason };
        let pem = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
        builder = builder.add_root_certificate(Certificate::from_pem(&pem).map_err(failed)?);
    }
    builder.build().map_err(failed)
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(url: &str) -> Result<Server, String> {
        Server::new(url, None).map_err(|error| error.to_string())
    }

    #[test]
    fn an_address_says_how_to_connect() {
        for (url, host, port, security) in [
            ("smtps://mail.example", "mail.example", 465, "tls"),
            ("smtps://u:p@mail.example:1465/", "mail.example", 1465, "tls"),
            ("smtps://10.0.0.1", "10.0.0.1", 465, "tls"),
            ("smtp://mail.example", "mail.example", 587, "starttls"),
            ("smtp://127.0.0.1:2525", "127.0.0.1", 2525, "starttls"),
            ("smtp://localhost?tls=none", "localhost", 25, "none"),
            ("smtp://127.9.9.9:2525?tls=none", "127.9.9.9", 2525, "none"),
            ("smtp://[::1]:2525/?tls=none", "::1", 2525, "none"),
        ] {
            let server = server(url).unwrap();
            assert_eq!((server.host.as_str(), server.port), (host, port), "{url}");
            let found = match server.security {
                Security::Tls(_) => "tls",
                Security::StartTls(_) => "starttls",
                Security::None => "none",
            };
            assert_eq!(found, security, "{url}");
        }
    }

    #[test]
    fn an_address_that_cannot_be_used_is_refused_without_its_password() {
        for url in [
            "",
            "mail.example",
            "https://mail.example",
            "smtp:mail.example",
            "smtp://",
            "smtp://:25",
            "smtp://ma%20il.example",
            "smtp://u:secret@mail.example?tls=none",
            "smtp://localhost.example?tls=none",
            "smtp://10.0.0.1?tls=none",
            "smtps://localhost?tls=none",
            "smtp://localhost?tls=opportunistic",
            "smtp://localhost?tls=none&a=1",
            "smtp://u:secret@mail.example/name",
            "smtp://u:secret@mail.example#a",
            "smtp://u@mail.example",
            "smtp://:secret@mail.example",
            "smtp://u:secret%GG@mail.example",
            "smtp://u:secret%ff@mail.example",
            "smtp://u:secret%00@mail.example",
        ] {
            let error = server(url).err().expect(url);
            assert!(error.starts_with("smtp_url m"), "{url}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_user_and_a_password_may_have_any_letters() {
        let url = "smtps://ventas%40tienda.example:a%3A%2f%40%25%C3%B1+b@mail.example";
        let server = server(url).unwrap();
        let expected = Credentials::new("ventas@tienda.example".to_owned(), "a:/@%ñ+b".to_owned());
        assert_eq!(server.credentials, Some(expected));
        assert!(server.secrets.contains(&"a:/@%ñ+b".to_owned()));
    }

    #[test]
    fn settings_are_shown_without_the_password() {
        let settings = Settings {
            smtp_url: "smtps://u:secret@mail.example".to_owned(),
            from: "ventas@tienda.example".to_owned(),
            timeout: Duration::from_secs(1),
            ca_file: None,
        };
        assert!(!format!("{settings:?}").contains("secret"));
    }
}
