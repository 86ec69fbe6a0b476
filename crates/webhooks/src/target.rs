//! Where deliveries may go.

use std::net::IpAddr;

use kernel::{Message, address::is_public, message};
use url::{Host, Url};

/// The most characters of an endpoint's URL.
pub const URL_CHARS_MAX: usize = 2_048;

/// Which endpoints may be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// `https` at public addresses.
    #[default]
    Public,
    /// For development: also `http`, and the local machine.
    Development,
}

impl Reach {
    /// Whether a connection to this address may be made.
    #[must_use]
    pub fn admits(self, address: IpAddr) -> bool {
        is_public(address) || (self == Self::Development && address.is_loopback())
    }
}

/// Why a URL may not be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlFault {
    /// It has more than [`URL_CHARS_MAX`] characters.
    TooLong,
    /// It has blanks or control characters.
    Blanks,
    /// It is no URL.
    Malformed,
    /// It begins with another scheme than may be called.
    Scheme,
    /// It has a user name or a password.
    Credentials,
    /// It has a fragment.
    Fragment,
    /// Its port is 0.
    Port,
    /// Its address is of the inside.
    NotPublic,
    /// It is this machine's.
    ThisMachine,
}

impl UrlFault {
    /// A clause that follows the field's name.
    #[must_use]
    pub fn clause(self) -> Message {
        match self {
            Self::TooLong => message!(
                "must have at most {URL_CHARS_MAX} characters",
                "debe tener a lo más {URL_CHARS_MAX} caracteres"
            ),
            Self::Blanks => message!(
                "must not contain blanks or control characters",
                "no debe contener espacios ni caracteres de control"
            ),
            Self::Malformed => message!(
                "must be a URL such as \"https://example.com/webhooks\"",
                "debe ser una URL como \"https://example.com/webhooks\""
            ),
            Self::Scheme => message!("must start with https://", "debe comenzar con https://"),
            Self::Credentials => message!(
                "must not contain a user name or password",
                "no debe contener usuario ni contraseña"
            ),
            Self::Fragment => {
                message!("must not contain a fragment (#…)", "no debe contener un fragmento (#…)")
            }
            Self::Port => message!("must not name port 0", "no debe indicar el puerto 0"),
            Self::NotPublic => message!(
                "must not point to a private, local or reserved address",
                "no debe apuntar a una dirección privada, local o reservada"
            ),
            Self::ThisMachine => {
                message!("must not point to this machine", "no debe apuntar a este equipo")
            }
        }
    }

    /// The clause with its subject, for whoever shows no field.
    #[must_use]
    pub fn of_the_url(self) -> Message {
        let clause = self.clause();
        Message::both(|language| {
            let subject = message!("the URL", "la URL");
            format!("{} {}", subject.in_language(language), clause.in_language(language))
        })
    }
}

/// The address of an endpoint, as far as it can be checked without resolving names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target(Url);

/// A URL as it was written, for those who read forms.
///
/// # Errors
/// When it may not be called: a clause that follows the field's name.
pub fn checked(text: &str, reach: Reach) -> Result<String, Message> {
    Target::parse(text, reach).map(|_| text.to_owned()).map_err(UrlFault::clause)
}

impl Target {
    /// Judges a URL. Names are not resolved here: whoever connects asks [`Reach::admits`] about the address
    /// that it connects to.
    ///
    /// # Errors
    /// Why it may not be called.
    pub fn parse(text: &str, reach: Reach) -> Result<Self, UrlFault> {
        if text.chars().count() > URL_CHARS_MAX {
            return Err(UrlFault::TooLong);
        }
        // The URL standard would drop line breaks and blanks: what is shown must be what is called.
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(UrlFault::Blanks);
        }
        let url = Url::parse(text).map_err(|_| UrlFault::Malformed)?;
        match (url.scheme(), reach) {
            ("https", _) | ("http", Reach::Development) => {}
            _ => return Err(UrlFault::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlFault::Credentials);
        }
        if url.fragment().is_some() {
            return Err(UrlFault::Fragment);
        }
        if url.port() == Some(0) {
            return Err(UrlFault::Port);
        }
        let target = Self(url);
        match target.address() {
            Some(address) if !reach.admits(address) => Err(UrlFault::NotPublic),
            None if reach == Reach::Public && target.names_this_machine() => {
                Err(UrlFault::ThisMachine)
            }
            _ => Ok(target),
        }
    }

    /// The URL, normalised.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The address, when the URL names one instead of a host.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(_) => None,
        }
    }

    /// `localhost` and names below it (RFC 6761 §6.3), with or without the dot of the root.
    fn names_this_machine(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_end_matches('.');
        host == "localhost" || host.ends_with(".localhost") || host.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_https_urls_are_targets() {
        for text in [
            "https://example.com/hooks?shop=1",
            "https://example.com:8443",
            "HTTPS://EXAMPLE.COM/",
            "https://93.184.215.14/x",
            "https://[2606:4700:4700::1111]/x",
            "https://müller.example/",
        ] {
            assert!(Target::parse(text, Reach::Public).is_ok(), "{text}");
        }
    }

    #[test]
    fn whatever_points_inside_is_refused_however_it_is_written() {
        for text in [
            "",
            "example.com",
            "//example.com",
            "ftp://example.com",
            "http://example.com",
            "https://",
            "file:///etc/passwd",
            "gopher://example.com",
            "https://user@example.com",
            "https://user:pass@example.com",
            "https://example.com#x",
            "https://example.com:0/",
            "https://exa mple.com",
            "https://example.com/\n",
            " https://example.com",
            "https://localhost",
            "https://LOCALHOST./",
            "https://a.localhost",
            "https://127.0.0.1",
            "https://2130706433",
            "https://0x7f000001",
            "https://0177.0.0.1",
            "https://127.1",
            "https://0",
            "https://１２７.０.０.１",
            "https://[::1]",
            "https://[::ffff:127.0.0.1]",
            "https://[::ffff:7f00:1]",
            "https://[64:ff9b::7f00:1]",
            "https://169.254.169.254/latest",
            "https://10.0.0.1",
            "https://192.168.0.1",
            "https://[fe80::1]",
            "https://[fd00::1]",
            "https://255.255.255.255",
            "https://224.0.0.1",
            "https://0.0.0.0",
            "https://127。0。0。1",
        ] {
            assert!(Target::parse(text, Reach::Public).is_err(), "{text}");
        }
        assert!(
            Target::parse(&format!("https://e.com/{}", "x".repeat(2_048)), Reach::Public).is_err()
        );
    }

    #[test]
    fn development_adds_http_and_this_machine_only() {
        for text in ["http://127.0.0.1:9000/x", "http://localhost:9000", "http://[::1]:9000"] {
            assert!(Target::parse(text, Reach::Development).is_ok(), "{text}");
        }
        for text in ["http://10.0.0.1", "http://169.254.169.254", "http://[::ffff:127.0.0.1]"] {
            assert!(Target::parse(text, Reach::Development).is_err(), "{text}");
        }
    }
}
