//! What the URL of a database says of the way to its servers.

use std::{fmt, path::PathBuf, time::Duration};

use super::{PORT, socket_to};
use crate::StoreError;

/// A way to servers that is encrypted.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Route {
    /// The scheme, and who connects.
    before: String,
    servers: Vec<Server>,
    /// The database, and what else libpq is told.
    after: String,
}

impl fmt::Debug for Route {
    /// Without who connects, and by which password.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Route").field("servers", &self.servers).finish_non_exhaustive()
    }
}

/// A server, and whom it has to be known to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) trust: Trust,
    /// How long it may take until a connection is encrypted: less than libpq waits, so that it is told why.
    pub(super) patience: Duration,
}

/// Whose certificate is taken, as `sslmode` has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Trust {
    /// `require`: anybody's.
    Anybody,
    /// `verify-ca`: one of the authorities'.
    Signed(Authorities),
    /// `verify-full`: one of the authorities' for the name of the server.
    Named(Authorities),
}

/// Who signs certificates, as `sslrootcert` has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Authorities {
    /// `system`, or nothing said: those that browsers trust.
    Public,
    /// Those in a file.
    File(PathBuf),
}

/// Parameters of libpq that cannot be followed here.
const UNKNOWN: [&str; 6] = ["sslcert", "sslkey", "sslpassword", "sslcrl", "sslcrldir", "hostaddr"];
/// Values of others that cannot.
const UNFIT: [(&str, &str); 4] = [
    ("channel_binding", "require"),
    ("sslnegotiation", "direct"),
    ("gssencmode", "require"),
    ("sslcertmode", "require"),
];
/// What libpq must not take from its environment: another address, and encryption that it does not know.
const FIRMLY: &str = "hostaddr=&sslmode=disable";
/// So long before libpq gives up, the reason is told.
const TOLD_BEFORE: Duration = Duration::from_millis(500);
/// libpq waits no shorter than this.
const TIMEOUT_MIN: Duration = Duration::from_secs(2);

impl Route {
    /// The way that a URL of PostgreSQL asks for; none where it asks for no encryption, which libpq goes by itself.
    ///
    /// # Errors
    /// When it asks for what there is not.
    pub(crate) fn of(url: &str, connect_timeout: Duration) -> Result<Option<Self>, StoreError> {
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut authorities, mut rest) = (None, None, Vec::new());
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match name {
                "sslmode" => mode = Some(value),
                // As Java's drivers have it, and libpq too.
                "ssl" if value == "true" => mode = Some("require"),
                "sslrootcert" => authorities = Some(decoded(value)?),
                _ => rest.push(parameter),
            }
        }
        let Some(trust) = trust(mode, authorities)? else { return Ok(None) };
        let mut timeout = connect_timeout;
        for parameter in &rest {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if name == "connect_timeout" {
                let seconds = value.parse().map_err(|_| unfit(format!("has {parameter:?}")))?;
                // Nobody waits for ever.
                timeout = if seconds == 0 { connect_timeout } else { Duration::from_secs(seconds) };
            }
            if UNKNOWN.contains(&name) || UNFIT.contains(&(name, value)) {
                return Err(unfit(format!("asks for {parameter:?}, which this program cannot do")));
            }
        }
        let (scheme, place) = place.split_once("://").unwrap_or(("postgres", place));
        let (authority, path) = match place.find('/') {
            Some(slash) => place.split_at(slash),
            None => (place, ""),
        };
        let (user, hosts) = match authority.rfind('@') {
            Some(at) => authority.split_at(at + 1),
            None => ("", authority),
        };
        let patience = timeout.max(TIMEOUT_MIN) - TOLD_BEFORE;
        let servers = hosts.split(',').map(|host| server(host, &trust, patience));
        let servers = servers.collect::<Result<_, _>>()?;
        rest.push(FIRMLY);
        let after = format!("{path}?{}", rest.join("&"));
        Ok(Some(Self { before: format!("{scheme}://{user}"), servers, after }))
    }

    /// The URL by which libpq goes it.
    ///
    /// # Errors
    /// Why it cannot.
    pub(crate) fn url(&self) -> Result<String, String> {
        let hosts = self.servers.iter().map(|server| -> Result<String, String> {
            let name = socket_to(server)?;
            Ok(format!("%40{name}:{PORT}"))
        });
        let hosts = hosts.collect::<Result<Vec<String>, String>>()?;
        Ok(format!("{}{}{}", self.before, hosts.join(","), self.after))
    }
}

fn trust(mode: Option<&str>, authorities: Option<String>) -> Result<Option<Trust>, StoreError> {
    let is_named = authorities.as_deref().is_some_and(|named| named != "system");
    let is_system = authorities.as_deref() == Some("system");
    let authorities = match authorities {
        Some(file) if is_named => Authorities::File(PathBuf::from(file)),
        _ => Authorities::Public,
    };
    match mode {
        None if is_system => Ok(Some(Trust::Named(authorities))),
        None | Some("disable" | "allow" | "prefer") => Ok(None),
        // As libpq has it: who names authorities means them.
        Some("require") if is_named => Ok(Some(Trust::Signed(authorities))),
        Some("require") => Ok(Some(Trust::Anybody)),
        Some("verify-ca") => Ok(Some(Trust::Signed(authorities))),
        Some("verify-full") => Ok(Some(Trust::Named(authorities))),
        Some(mode) => Err(unfit(format!(
            "has the sslmode {mode:?}, which is none of disable, prefer, require, verify-ca and verify-full"
        ))),
    }
}

fn server(host: &str, trust: &Trust, patience: Duration) -> Result<Server, StoreError> {
    let (name, port) = match host.strip_prefix('[') {
        Some(v6) => v6.split_once(']').unwrap_or((v6, "")),
        None => match host.find(':') {
            Some(colon) => host.split_at(colon),
            None => (host, ""),
        },
    };
    let name = decoded(name)?;
    if name.is_empty() || name.starts_with(['/', '@']) {
        return Err(unfit(
            "asks for TLS, and names no server by its name or address before the database"
                .to_owned(),
        ));
    }
    let port = match port.strip_prefix(':').filter(|port| !port.is_empty()) {
        Some(port) => port.parse().map_err(|_| unfit(format!("has the port {port:?}")))?,
        None => PORT,
    };
    Ok(Server { host: name, port, trust: trust.clone(), patience })
}

/// A part of a URL with what is escaped in it as it is meant.
fn decoded(text: &str) -> Result<String, StoreError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next(), rest.next()].map(|digit| {
            digit
                .and_then(|digit| char::from(digit).to_digit(16))
                .and_then(|it| u8::try_from(it).ok())
        });
        match digits {
            [Some(high), Some(low)] => bytes.push(high << 4 | low),
            _ => return Err(unfit("has a % without two hexadecimal digits".to_owned())),
        }
    }
    String::from_utf8(bytes).map_err(|_| unfit("has what is no UTF-8".to_owned()))
}

fn unfit(why: String) -> StoreError {
    StoreError::Url(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE: Duration = Duration::from_secs(5);
    const PATIENCE: Duration = Duration::from_millis(4_500);

    fn server_of(host: &str, port: u16, trust: Trust) -> Server {
        Server { host: host.to_owned(), port, trust, patience: PATIENCE }
    }

    #[test]
    fn a_url_says_who_is_trusted() {
        let file = || Authorities::File(PathBuf::from("/etc/ca one.pem"));
        for (query, trust) in [
            ("", None),
            ("?sslmode=disable", None),
            ("?sslmode=prefer&sslrootcert=system", None),
            ("?connect_timeout=3", None),
            ("?sslmode=require", Some(Trust::Anybody)),
            ("?ssl=true", Some(Trust::Anybody)),
            ("?sslmode=require&sslrootcert=%2Fetc%2Fca%20one.pem", Some(Trust::Signed(file()))),
            ("?sslmode=verify-ca", Some(Trust::Signed(Authorities::Public))),
            ("?sslmode=verify-full", Some(Trust::Named(Authorities::Public))),
            ("?sslrootcert=system", Some(Trust::Named(Authorities::Public))),
            ("?sslrootcert=/etc/ca%20one.pem&sslmode=verify-full", Some(Trust::Named(file()))),
        ] {
            let route = Route::of(&format!("postgres://u:p@db.example/shop{query}"), FIVE).unwrap();
            let servers = route.map(|route| route.servers);
            let wanted = trust.map(|trust| vec![server_of("db.example", 5432, trust)]);
            assert_eq!(servers, wanted, "{query}");
        }
    }

    #[test]
    fn every_server_has_its_place_and_libpq_keeps_the_rest() {
        let url = "postgresql://u:p%40x@a,b:6432,[::1]:7,[fe80::2]/shop?application_name=x&sslmode=require\
                   &target_session_attrs=read-write";
        let route = Route::of(url, FIVE).unwrap().unwrap();
        assert_eq!(route.before, "postgresql://u:p%40x@");
        assert_eq!(
            route.after,
            "/shop?application_name=x&target_session_attrs=read-write&hostaddr=&sslmode=disable"
        );
        assert!(!format!("{route:?}").contains("p%40x"), "{route:?}");
        let servers = [("a", 5432), ("b", 6432), ("::1", 7), ("fe80::2", 5432)]
            .map(|(host, port)| server_of(host, port, Trust::Anybody));
        assert_eq!(route.servers, servers);
        let bare = Route::of("postgres://db?sslmode=require", FIVE).unwrap().unwrap();
        assert_eq!(bare.before, "postgres://");
        assert_eq!(bare.after, "?hostaddr=&sslmode=disable");
        for (seconds, patience) in [(9, 8_500), (1, 1_500), (0, 4_500)] {
            let url = format!("postgres://db/d?sslmode=require&connect_timeout={seconds}");
            let route = Route::of(&url, FIVE).unwrap().unwrap();
            assert_eq!(route.servers[0].patience, Duration::from_millis(patience));
        }
    }

    #[test]
    fn what_cannot_be_done_is_refused() {
        for wrong in [
            "postgres://db/shop?sslmode=always",
            "postgres://db/shop?sslmode=",
            "postgres:///shop?sslmode=require",
            "postgres://%2Fvar%2Frun/shop?sslmode=require",
            "postgres://db:70000/shop?sslmode=require",
            "postgres://d%zzb/shop?sslmode=require",
            "postgres://db/shop?sslmode=require&sslcert=mine.pem",
            "postgres://db/shop?sslmode=verify-full&channel_binding=require",
            "postgres://db/shop?sslmode=verify-full&hostaddr=10.0.0.1",
            "postgres://db/shop?sslmode=verify-full&connect_timeout=soon",
        ] {
            assert!(matches!(Route::of(wrong, FIVE), Err(StoreError::Url(_))), "{wrong}");
        }
    }

    #[test]
    fn a_server_has_one_socket() {
        let route = |url: &str| Route::of(url, FIVE).unwrap().unwrap().url().unwrap();
        let one = route("postgres://u@db.invalid/shop?sslmode=require");
        assert!(one.starts_with("postgres://u@%40trastienda-"), "{one}");
        assert!(one.ends_with(":5432/shop?hostaddr=&sslmode=disable"), "{one}");
        assert_eq!(route("postgres://u@db.invalid/shop?sslmode=require"), one);
        assert_ne!(route("postgres://u@db.invalid/shop?sslmode=verify-full"), one);
        let missing = "postgres://db.invalid/shop?sslmode=verify-full&sslrootcert=/nowhere.pem";
        let refused = Route::of(missing, FIVE).unwrap().unwrap().url().unwrap_err();
        assert!(refused.contains("/nowhere.pem"), "{refused}");
    }
}
