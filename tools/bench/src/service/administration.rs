//! Accounts and API keys, made through the server's command line.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, ensure};

use super::process::ServiceOptions;

/// An account with a key that may do everything.
#[derive(Clone, Debug)]
pub(crate) struct Tenant {
    pub(crate) account_id: String,
    pub(crate) api_key: String,
}

impl Tenant {
    /// Makes an account and its key in a database that the server has migrated.
    pub(crate) fn create(options: &ServiceOptions) -> anyhow::Result<Self> {
        Self::with(options, &[])
    }

    /// A test account, which can invoice. The service has been started before: its master key is there.
    pub(crate) fn create_test(options: &ServiceOptions) -> anyhow::Result<Self> {
        let data_folder = options.data_folder.to_str().context("a folder whose name is no text")?;
        Self::with(options, &["--test", "--data-dir", data_folder])
    }

    fn with(options: &ServiceOptions, more: &[&str]) -> anyhow::Result<Self> {
        let database_url = options.database_url.as_str();
        let said = run(options, &["account", "create", "Bench", "--database-url", database_url])?;
        let account_id = token(&said, "acc_").context("no account id in what the server said")?;
        let key_command = ["key", "create", "--account", account_id, "--name", "bench"];
        let key_options = ["--scopes", "*", "--database-url", database_url];
        let key_said = run(options, &[&key_command[..], &key_options[..], more].concat())?;
        let api_key = token(&key_said, "service_").context("no key in what the server said")?;
        Ok(Self { account_id: account_id.to_owned(), api_key: api_key.to_owned() })
    }
}

/// So that no two spare keys have the same name.
static SPARE_KEYS: AtomicU64 = AtomicU64::new(1);

/// A further key of an account, to be revoked or used up.
#[derive(Clone, Debug)]
pub(crate) struct SpareKey {
    id: String,
    pub(crate) api_key: String,
}

impl SpareKey {
    /// Makes one; `more` is what else it is made with.
    pub(crate) fn create(
        options: &ServiceOptions,
        account_id: &str,
        more: &[&str],
    ) -> anyhow::Result<Self> {
        let name = format!("spare-{}", SPARE_KEYS.fetch_add(1, Ordering::Relaxed));
        let database = ["--database-url", options.database_url.as_str()];
        let create = ["key", "create", "--account", account_id, "--name", &name, "--scopes", "*"];
        let said = run(options, &[&create[..], more, &database[..]].concat())?;
        let api_key = token(&said, "service_").context("no key in what the server said")?;
        let list = ["key", "list", "--account", account_id];
        let listed = run(options, &[&list[..], &database[..]].concat())?;
        let row = listed.lines().find(|row| row.split_whitespace().nth(1) == Some(name.as_str()));
        let id = row.and_then(|row| token(row, "key_")).context("the new key is not listed")?;
        Ok(Self { id: id.to_owned(), api_key: api_key.to_owned() })
    }

    /// Revokes it by the command line, beside the servers that know it.
    pub(crate) fn revoke(&self, options: &ServiceOptions) -> anyhow::Result<()> {
        let database_url = options.database_url.as_str();
        run(options, &["key", "revoke", &self.id, "--database-url", database_url]).map(drop)
    }
}

/// What the link ends with by which the first user is made.
pub(super) fn set_up_token(options: &ServiceOptions) -> anyhow::Result<String> {
    let database_url = options.database_url.as_str();
    let said = run(options, &["users", "setup-link", "--database-url", database_url])?;
    let token = said.trim().rsplit('/').next().filter(|token| !token.is_empty());
    token.map(str::to_owned).context("no link in what the server said")
}

fn run(options: &ServiceOptions, arguments: &[&str]) -> anyhow::Result<String> {
    let output = options.command().args(arguments).output();
    let output = output.with_context(|| format!("running {}", options.binary.display()))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    // Not the arguments: the address of a database may hold a password.
    let what: Vec<&str> = arguments.iter().take(2).copied().collect();
    ensure!(output.status.success(), "`{}` failed: {}", what.join(" "), errors.trim());
    Ok(String::from_utf8(output.stdout)?)
}

/// The first word of letters, digits and underscores that starts with `prefix`.
fn token<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .find(|word| word.len() > prefix.len() && word.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::token;

    #[test]
    fn a_token_is_found_wherever_it_stands() {
        let said = "created\nacc_01JD3V9QK4W8N2RZ6T5B7C0XEA Bench\n";
        assert_eq!(token(said, "acc_"), Some("acc_01JD3V9QK4W8N2RZ6T5B7C0XEA"));
        assert_eq!(token("{\"key\":\"service_abC1\"}", "service_"), Some("service_abC1"));
        assert_eq!(token("acc_ nothing", "acc_"), None);
    }
}
