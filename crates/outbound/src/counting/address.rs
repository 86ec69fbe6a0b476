//! Where the server that counts is.

use std::fmt;

use redis::{ConnectionAddr, IntoConnectionInfo, RedisConnectionInfo};
use rustls::pki_types::ServerName;

/// The address of a server, as `redis://[user][:password@]host[:port][/database]`, or with `rediss://` for TLS. What is
/// shown of it has no password.
#[derive(Clone)]
pub struct Address {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) is_encrypted: bool,
    pub(super) session: RedisConnectionInfo,
}

impl Address {
    /// Reads a URL; `None` if it is no such address.
    #[must_use]
    pub fn parse(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let is_encrypted = match scheme {
            "redis" => false,
            "rediss" => true,
            _ => return None,
        };
        // Nothing that stands behind these would be heeded. In a password they are escaped.
        if rest.contains(['?', '#']) {
            return None;
        }
        let info = format!("redis://{rest}").into_connection_info().ok()?;
        let ConnectionAddr::Tcp(host, port) = info.addr() else { return None };
        let session = info.redis_settings();
        let has_name = !is_encrypted || ServerName::try_from(host.as_str()).is_ok();
        if host.is_empty() || !has_name || session.db() < 0 {
            return None;
        }
        Some(Self {
            host: host.clone(),
            port: *port,
            is_encrypted,
            session: session.clone().set_skip_set_lib_name(),
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_encrypted { "rediss" } else { "redis" };
        let has_secret = self.session.password().is_some() || self.session.username().is_some();
        let secret = if has_secret { "***@" } else { "" };
        let (host, port, database) = (&self.host, self.port, self.session.db());
        if host.contains(':') {
            write!(f, "{scheme}://{secret}[{host}]:{port}/{database}")
        } else {
            write!(f, "{scheme}://{secret}{host}:{port}/{database}")
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_their_password() {
        for (url, shown) in [
            ("redis://counter", "redis://counter:6379/0"),
            ("redis://:s3cr3t@counter:7000/2", "redis://***@counter:7000/2"),
            ("rediss://ana:s3cr%23t@10.0.0.1", "rediss://***@10.0.0.1:6379/0"),
            ("redis://[::1]:7000", "redis://[::1]:7000/0"),
        ] {
            let address = Address::parse(url).unwrap();
            assert_eq!((address.to_string(), format!("{address:?}")), (shown.into(), shown.into()));
        }
        let escaped = Address::parse("rediss://ana:s3cr%23t@10.0.0.1").unwrap();
        assert_eq!(escaped.session.password(), Some("s3cr#t"));
        assert!(escaped.is_encrypted);
    }

    #[test]
    fn what_is_no_address_of_a_server_is_refused() {
        for wrong in [
            "",
            "counter:6379",
            "redis://",
            "http://counter",
            "valkey://counter",
            "unix:///run/valkey.sock",
            "redis://counter/shop",
            "redis://counter/-1",
            "redis://counter?protocol=resp3",
            "rediss://counter#insecure",
            "redis://:s3#cr3t@counter",
            "redis://0.0.0.0",
        ] {
            assert!(Address::parse(wrong).is_none(), "{wrong}");
        }
    }
}
