//! TLS of the private server, for the tests that want it: a certificate for `localhost` that signs itself.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::user::User;
use crate::command::quiet;

const REQUEST: &str = "\
[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = localhost
[extensions]
subjectAltName = DNS:localhost
basicConstraints = critical,CA:FALSE
";
/// Who has to give a password, and by TLS; everybody else is trusted.
const WHO: &str = "\
hostssl all by_password 127.0.0.1/32 scram-sha-256
host all by_password 127.0.0.1/32 reject
";
/// What the server is told besides.
pub(super) const SETTINGS: &str = "ssl = 'on'\n";

/// Makes key and certificate where the server looks for them; whether that could be done.
///
/// # Errors
/// When the files cannot be written.
pub(super) fn make(user: &User, data: &Path) -> Result<bool> {
    let request = data.join("server.cnf");
    fs::write(&request, REQUEST).with_context(|| format!("cannot write {}", request.display()))?;
    let mut openssl = user.command(Path::new("openssl"));
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]);
    openssl.args(["-nodes", "-days", "3650", "-config"]).arg(&request);
    openssl.arg("-keyout").arg(data.join("server.key"));
    openssl.arg("-out").arg(data.join("server.crt"));
    if let Err(error) = quiet(&mut openssl) {
        eprintln!("warning: TESTS WITH TLS OF THE SERVER ITSELF ARE SKIPPED: {error:#}");
        return Ok(false);
    }
    let who = data.join("pg_hba.conf");
    let others = fs::read_to_string(&who)?;
    fs::write(&who, format!("{WHO}{others}"))
        .with_context(|| format!("cannot write {}", who.display()))?;
    Ok(true)
}
