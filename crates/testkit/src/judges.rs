//! Programs of others that judge what is done here, where `cargo xtask judge-payments` has installed them.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use reqwest::blocking::Client;
use serde_json::Value;

/// Names the Python that has the judges.
const PYTHON: &str = "TRASTIENDA_JUDGE_PYTHON";

/// The Python that has the judges. Where there is none, it says so loudly: the test has tested nothing.
#[must_use]
#[allow(clippy::print_stderr, reason = "nobody must take a skipped test for a passed one")]
pub fn python() -> Option<PathBuf> {
    let named = env::var_os(PYTHON).filter(|name| !name.is_empty());
    if named.is_none() {
        eprintln!(
            "!!! SKIPPED: without {PYTHON} nothing is judged; run `cargo xtask judge-payments` !!!"
        );
    }
    named.map(PathBuf::from)
}

fn script(python: &Path, name: &str) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/src/judge_payments");
    let mut command = Command::new(python);
    // No bytecode: the scripts lie among the sources.
    command.arg("-B").arg(folder.join(name)).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// What a script makes of a list of cases.
///
/// # Panics
/// When it fails.
#[must_use]
pub fn verdicts(python: &Path, name: &str, cases: &Value) -> Vec<Value> {
    let mut child = script(python, name).spawn().expect("the script starts");
    let mut input = child.stdin.take().expect("it reads cases");
    input.write_all(cases.to_string().as_bytes()).expect("it reads all cases");
    drop(input);
    let output = child.wait_with_output().expect("the script ends");
    assert!(output.status.success(), "{name} fails");
    serde_json::from_slice(&output.stdout).expect("a list of verdicts")
}

/// The package `localstripe`, a server that plays Stripe; gone when it is dropped.
pub struct LocalStripe {
    child: Child,
    url: String,
    http: Client,
}

impl LocalStripe {
    /// The key that it is called with.
    pub const KEY: &str = "sk_test_12345";

    /// Starts it.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(python: &Path) -> Self {
        let mut child = script(python, "serve.py").spawn().expect("localstripe starts");
        let mut port = String::new();
        let out = child.stdout.take().expect("it prints its port");
        BufReader::new(out).read_line(&mut port).expect("it prints its port");
        let port: u16 = port.trim().parse().expect("it prints its port");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("aws-lc knows TLS")
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        let http = Client::builder().no_proxy().tls_backend_preconfigured(tls).build();
        let http = http.expect("a client can be made");
        Self { child, url: format!("http://127.0.0.1:{port}"), http }
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Posts a form, as a payer's browser or the merchant on Stripe's own pages would; the status and the answer.
    ///
    /// # Panics
    /// When it does not answer.
    #[must_use]
    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> (u16, Value) {
        let mut url = reqwest::Url::parse("form:").expect("a URL");
        url.query_pairs_mut().extend_pairs(form);
        let request = self
            .http
            .post(format!("{}{path}", self.url))
            .bearer_auth(Self::KEY)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(url.query().unwrap_or_default().to_owned());
        let answer = request.send().expect("localstripe answers");
        let status = answer.status().as_u16();
        let text = answer.text().expect("localstripe answers");
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }
}

impl Drop for LocalStripe {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
