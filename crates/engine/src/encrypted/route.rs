//! What the URL of a database says of the way to its servers.

use std::{fmt, net::IpAddr, path::PathBuf, time::Duration};

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
    /// How long it may take until a password is asked for: less than libpq waits, so that it is told why.
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

/// What libpq is told as it stands. Whatever is not named here is refused: it might lead elsewhere, or ask for what cannot be
/// done.
const TOLD: [&str; 15] = [
    "application_name",
    "client_encoding",
    "connect_timeout",
    "fallback_application_name",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "load_balance_hosts",
    "options",
    "password",
    "require_auth",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];
/// What is as it is wished anyhow.
const GRANTED: [(&str, &str); 11] = [
    ("channel_binding", "disable"),
    ("channel_binding", "prefer"),
    ("gssencmode", "disable"),
    ("gssencmode", "prefer"),
    ("ssl", "true"),
    ("sslcertmode", "allow"),
    ("sslcertmode", "disable"),
    ("sslcompression", "0"),
    ("sslnegotiation", "postgres"),
    ("sslsni", "1"),
    ("ssl_min_protocol_version", "TLSv1.2"),
];
/// How a server is named where its certificate is not looked for.
const ELSEWHERE: [&str; 3] = ["host", "hostaddr", "port"];
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
        let parts = Parts::of(url);
        let parameters = parts.parameters()?;
        let Some(trust) = trust(&parameters)? else { return Ok(None) };
        let mut timeout = connect_timeout;
        let mut told = String::new();
        for Parameter { name, value, raw } in &parameters {
            let name = name.as_str();
            let is_granted = GRANTED.contains(&(name, value.as_str()));
            if is_granted || matches!(name, "sslmode" | "sslrootcert") {
                continue;
            }
            if !TOLD.contains(&name) {
                return Err(unfit(match ELSEWHERE.contains(&name) {
                    true => format!("has {name}: for TLS, name servers before the database"),
                    false => format!("asks by {name} for what cannot be had together with TLS"),
                }));
            }
            if name == "connect_timeout" {
                let seconds = value.trim().parse::<u64>();
                let seconds = seconds.map_err(|_| unfit(format!("has a {name} that is none")))?;
                // Nobody waits for ever.
                timeout = if seconds == 0 { connect_timeout } else { Duration::from_secs(seconds) };
            }
            told.push_str(&format!("{name}={raw}&"));
        }
        let patience = timeout.max(TIMEOUT_MIN) - TOLD_BEFORE;
        let servers = parts.hosts.split(',').map(|host| server(host, &trust, patience));
        let servers = servers.collect::<Result<_, _>>()?;
        let before = format!("{}://{}", parts.scheme, parts.user);
        Ok(Some(Self { before, servers, after: format!("/{}?{told}", parts.database) }))
    }

    /// The URL by which libpq goes it.
    ///
    /// # Errors
    /// Why it cannot.
    pub(crate) fn url(&self) -> Result<String, String> {
        let name = |server| -> Result<String, String> { Ok(format!("%40{}", socket_to(server)?)) };
        let names = self.servers.iter().map(name).collect::<Result<Vec<String>, String>>()?;
        let ports = vec![PORT.to_string(); names.len()].join(",");
        // The last that is said holds.
        let place = format!("host={}&port={ports}&{FIRMLY}", names.join(","));
        Ok(format!("{}{}{place}", self.before, self.after))
    }
}

/// The name of a server in a URL of PostgreSQL that is reached without TLS, though it may be another machine.
pub(crate) fn plain_host(url: &str) -> Option<String> {
    let parts = Parts::of(url);
    let parameters = parts.parameters().ok()?;
    if !matches!(trust(&parameters), Ok(None)) {
        return None;
    }
    let written = parts.hosts.split(',').map(|host| decoded(named(host).0).ok());
    let mut hosts: Vec<String> = written.collect::<Option<_>>()?;
    for Parameter { name, value, .. } in parameters {
        if matches!(name.as_str(), "host" | "hostaddr") {
            hosts.extend(value.split(',').map(str::to_owned));
        }
    }
    let is_near = |host: &str| {
        host.is_empty()
            || host.starts_with(['/', '@'])
            || host == "localhost"
            || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    };
    hosts.into_iter().find(|host| !is_near(host))
}

/// A URL, taken apart as libpq does.
struct Parts<'a> {
    scheme: &'a str,
    /// Who connects, with the `@`; or nothing.
    user: String,
    hosts: &'a str,
    database: &'a str,
    query: &'a str,
}

struct Parameter<'a> {
    name: String,
    value: String,
    /// The value as it stands in the URL.
    raw: &'a str,
}

impl<'a> Parts<'a> {
    fn of(url: &'a str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        // The first @ before the database ends a password, whatever it contains.
        let (user, rest) = match rest.split_once('@').filter(|(user, _)| !user.contains('/')) {
            Some((user, rest)) => (format!("{user}@"), rest),
            None => (String::new(), rest),
        };
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (hosts, database) = place.split_once('/').unwrap_or((place, ""));
        Self { scheme, user, hosts, database, query }
    }

    fn parameters(&self) -> Result<Vec<Parameter<'a>>, StoreError> {
        let parameters = self.query.split('&').filter(|parameter| !parameter.is_empty());
        let parameter = |text: &'a str| -> Result<Parameter<'a>, StoreError> {
            let (name, raw) = text
                .split_once('=')
                .ok_or_else(|| unfit("has a parameter without a value".to_owned()))?;
            Ok(Parameter { name: decoded(name)?, value: decoded(raw)?, raw })
        };
        parameters.map(parameter).collect()
    }
}

/// Whom the parameters of a URL have trusted; nobody where they want no encryption.
fn trust(parameters: &[Parameter<'_>]) -> Result<Option<Trust>, StoreError> {
    let (mut mode, mut authorities) = (None, None);
    for Parameter { name, value, .. } in parameters {
        match name.as_str() {
            "sslmode" => mode = Some(value.as_str()),
            // As Java's drivers have it, and libpq too.
            "ssl" if value == "true" => mode = Some("require"),
            "sslrootcert" => authorities = Some(value.as_str()).filter(|named| !named.is_empty()),
            _ => {}
        }
    }
    let file = |path: &str| Authorities::File(PathBuf::from(path));
    match (mode, authorities) {
        (None, Some("system")) | (Some("verify-full"), None | Some("system")) => {
            Ok(Some(Trust::Named(Authorities::Public)))
        }
        (Some("require" | "verify-ca"), Some("system")) | (Some("verify-ca"), None) => {
            // Anybody is given a certificate by a public authority, for some name.
            Err(unfit(
                "trusts public authorities with any name: have sslmode=verify-full, or sslrootcert name a file"
                    .to_owned(),
            ))
        }
        (Some("verify-full"), Some(path)) => Ok(Some(Trust::Named(file(path)))),
        // As libpq has it: who names authorities means them.
        (Some("require" | "verify-ca"), Some(path)) => Ok(Some(Trust::Signed(file(path)))),
        (Some("require"), None) => Ok(Some(Trust::Anybody)),
        (None | Some("disable" | "allow" | "prefer"), None) => Ok(None),
        (None | Some("disable" | "allow" | "prefer"), Some(_)) => Err(unfit(
            "has an sslrootcert, and no sslmode that wants TLS: have sslmode=verify-full"
                .to_owned(),
        )),
        (Some(mode), _) => Err(unfit(format!(
            "has the sslmode {mode:?}, which is none of disable, prefer, require, verify-ca and verify-full"
        ))),
    }
}

/// The name of a host and what is said behind it.
fn named(host: &str) -> (&str, &str) {
    match host.strip_prefix('[') {
        Some(v6) => v6.split_once(']').unwrap_or((v6, "")),
        None => match host.find(':') {
            Some(colon) => host.split_at(colon),
            None => (host, ""),
        },
    }
}

fn server(host: &str, trust: &Trust, patience: Duration) -> Result<Server, StoreError> {
    let (name, port) = named(host);
    let name = decoded(name)?;
    if name.is_empty() || name.starts_with(['/', '@']) {
        return Err(unfit(
            "asks for TLS, and names no server by its name or address before the database"
                .to_owned(),
        ));
    }
    let port = match port.strip_prefix(':').filter(|port| !port.is_empty()) {
        // Not repeated: it may be the rest of a password.
        Some(port) => port.parse().map_err(|_| unfit("has a port that is none".to_owned()))?,
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
            ("?sslmode=prefer&sslrootcert=", None),
            ("?connect_timeout=3", None),
            ("?host=elsewhere", None),
            ("?sslmode=require", Some(Trust::Anybody)),
            ("?%73slmode=%72equire", Some(Trust::Anybody)),
            ("?sslmode=disable&sslmode=require", Some(Trust::Anybody)),
            ("?ssl=true", Some(Trust::Anybody)),
            ("?sslmode=require&sslrootcert=%2Fetc%2Fca%20one.pem", Some(Trust::Signed(file()))),
            ("?sslmode=verify-ca&sslrootcert=/etc/ca%20one.pem", Some(Trust::Signed(file()))),
            ("?sslmode=verify-full", Some(Trust::Named(Authorities::Public))),
            ("?sslmode=verify-full&sslrootcert=system", Some(Trust::Named(Authorities::Public))),
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
    fn every_server_has_its_place_and_libpq_is_told_the_rest() {
        let url = "postgresql://u:p?%40x@a,b:6432,[::1]:7,[fe80::2]/shop?application_name=x%20y&sslmode=require\
                   &sslsni=1&%74arget_session_attrs=read-write";
        let route = Route::of(url, FIVE).unwrap().unwrap();
        assert_eq!(route.before, "postgresql://u:p?%40x@");
        assert_eq!(route.after, "/shop?application_name=x%20y&target_session_attrs=read-write&");
        assert!(!format!("{route:?}").contains("p?%40x"), "{route:?}");
        let servers = [("a", 5432), ("b", 6432), ("::1", 7), ("fe80::2", 5432)]
            .map(|(host, port)| server_of(host, port, Trust::Anybody));
        assert_eq!(route.servers, servers);
        let bare = Route::of("postgres://db?sslmode=require", FIVE).unwrap().unwrap();
        assert_eq!((bare.before.as_str(), bare.after.as_str()), ("postgres://", "/?"));
        for (seconds, patience) in [(9, 8_500), (1, 1_500), (0, 4_500)] {
            let url = format!("postgres://db/d?sslmode=require&connect_timeout={seconds}");
            let route = Route::of(&url, FIVE).unwrap().unwrap();
            assert_eq!(route.servers[0].patience, Duration::from_millis(patience));
        }
    }

    #[test]
    fn what_cannot_be_done_is_refused_and_no_secret_is_repeated() {
        for wrong in [
            "postgres://db/shop?sslmode=always",
            "postgres://db/shop?sslmode=",
            "postgres://db/shop?sslmode=require&sslrootcert=system",
            "postgres://db/shop?sslmode=verify-ca&sslrootcert=system",
            "postgres://db/shop?sslmode=verify-ca",
            "postgres://db/shop?sslrootcert=s3cret.pem",
            "postgres://db/shop?sslmode=prefer&sslrootcert=system",
            "postgres://db/shop?sslmode=disable&sslrootcert=s3cret.pem",
            "postgres:///shop?sslmode=require",
            "postgres://%2Fvar%2Frun/shop?sslmode=require",
            "postgres://db:70000/shop?sslmode=require",
            "postgres://u:s3cret/x@db/shop?sslmode=require",
            "postgres://d%zzb/shop?sslmode=require",
            "postgres://db/shop?sslmode=require&sslcert=mine.pem",
            "postgres://db/shop?sslmode=require&sslpassword=s3cret",
            "postgres://db/shop?sslmode=require&s3cret",
            "postgres://db/shop?sslmode=require&ssl=false",
            "postgres://db/shop?sslmode=verify-full&channel_binding=require",
            "postgres://db/shop?sslmode=verify-full&hostaddr=10.0.0.1",
            "postgres://db/shop?sslmode=verify-full&host=10.0.0.1",
            "postgres://db/shop?%68ost=10.0.0.1&sslmode=verify-full",
            "postgres://db/shop?sslmode=verify-full&port=1",
            "postgres://db/shop?sslmode=verify-full&service=other",
            "postgres://db/shop?sslmode=verify-full&passfile=s3cret",
            "postgres://db/shop?sslmode=verify-full&sslsni=0",
            "postgres://db/shop?sslmode=verify-full&ssl_min_protocol_version=TLSv1.3",
            "postgres://db/shop?sslmode=verify-full&ssl_max_protocol_version=TLSv1.2",
            "postgres://db/shop?sslmode=verify-full&connect_timeout=s3cret",
        ] {
            match Route::of(wrong, FIVE) {
                Err(StoreError::Url(why)) => assert!(!why.contains("s3cret"), "{wrong}: {why}"),
                other => panic!("{wrong}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_server_has_one_socket_and_libpq_goes_nowhere_else() {
        let route = |url: &str| Route::of(url, FIVE).unwrap().unwrap().url().unwrap();
        let one = route("postgres://u@db.invalid/shop?sslmode=require");
        assert!(one.starts_with("postgres://u@/shop?host=%40trastienda-"), "{one}");
        assert!(one.ends_with("&port=5432&hostaddr=&sslmode=disable"), "{one}");
        assert_eq!(route("postgres://u@db.invalid/shop?sslmode=require"), one);
        assert_ne!(route("postgres://u@db.invalid/shop?sslmode=verify-full"), one);
        let two = route("postgres://u@db.invalid,db.invalid:1/shop?sslmode=require");
        assert_eq!(two.matches("%40trastienda-").count(), 2, "{two}");
        assert!(two.contains("&port=5432,5432&"), "{two}");
        let missing = "postgres://db.invalid/shop?sslmode=verify-full&sslrootcert=/nowhere.pem";
        let refused = Route::of(missing, FIVE).unwrap().unwrap().url().unwrap_err();
        assert!(refused.contains("/nowhere.pem"), "{refused}");
    }

    #[test]
    fn another_machine_that_is_spoken_to_in_the_clear_is_named() {
        for (url, host) in [
            ("postgres:///shop", None),
            ("postgres://u:p@/shop?host=/run/postgresql", None),
            ("postgres://%2Frun%2Fpostgresql/shop", None),
            ("postgres://localhost,127.0.0.1:1,[::1]/shop?sslmode=disable", None),
            ("postgres://u:p@db.example/shop?sslmode=require", None),
            ("postgres://u:p@db.example/shop", Some("db.example")),
            ("postgres://u:p@localhost,10.0.0.7:1/shop?sslmode=prefer", Some("10.0.0.7")),
            ("postgres:///shop?%68ost=db.example", Some("db.example")),
        ] {
            assert_eq!(plain_host(url).as_deref(), host, "{url}");
        }
    }
}
