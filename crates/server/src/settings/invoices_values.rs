//! What the settings of invoices can hold.

use super::Value;

/// The base address of a service that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceUrl(pub String);

impl Value for ServiceUrl {
    fn read(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        match rest {
            Some(host) if !host.is_empty() && !text.contains(char::is_whitespace) => {
                Ok(Self(text.to_owned()))
            }
            _ => Err("must be a base URL such as https://shop.example.com".to_owned()),
        }
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// Where the service is reached from outside, without a path: pages name their parts by absolute paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(pub String);

impl Value for PublicUrl {
    fn read(text: &str) -> Result<Self, String> {
        let problem =
            || "must be a base URL without a path, such as https://shop.example.com".to_owned();
        let ServiceUrl(url) = ServiceUrl::read(text).map_err(|_| problem())?;
        let url = url.strip_suffix('/').unwrap_or(&url);
        let host = url.split_once("://").map_or("", |(_, host)| host);
        if host.contains(['/', '?', '#']) { Err(problem()) } else { Ok(Self(url.to_owned())) }
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// The address of a mail server, with user and password.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpUrl(pub String);

impl std::fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SmtpUrl(..)")
    }
}

impl Value for SmtpUrl {
    fn read(text: &str) -> Result<Self, String> {
        if text.starts_with("smtps://") || text.starts_with("smtp://") {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be a mail server URL such as smtps://USER:PASSWORD@mail.example.com:465"
                .to_owned())
        }
    }

    fn show(&self) -> String {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("smtp", ""));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        format!("{scheme}://***@{host}")
    }
}

/// Whom mail is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(pub String);

impl Value for Sender {
    fn read(text: &str) -> Result<Self, String> {
        if text.contains('@') && !text.contains(['\r', '\n']) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be an email address such as facturas@example.com".to_owned())
        }
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_servers_are_shown_without_their_password() {
        let url = SmtpUrl::read("smtps://shop:se@cret@mail.example.com:465").unwrap();
        assert_eq!(url.show(), "smtps://***@mail.example.com:465");
        assert!(!format!("{url:?}").contains("cret"));
        assert!(SmtpUrl::read("https://mail.example.com").is_err());
    }

    #[test]
    fn services_have_an_address() {
        assert!(ServiceUrl::read("https://services.sw.com.mx").is_ok());
        for wrong in ["", "services.sw.com.mx", "https://", "ftp://x", "https://a b"] {
            assert!(ServiceUrl::read(wrong).is_err(), "{wrong}");
            assert!(PublicUrl::read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(PublicUrl::read("https://x.mx:8443/").unwrap().0, "https://x.mx:8443");
        for wrong in ["https://x.mx/tienda", "https://x.mx//", "https://x.mx?a", "https://x.mx#a"] {
            assert!(PublicUrl::read(wrong).is_err(), "{wrong}");
        }
    }
}
