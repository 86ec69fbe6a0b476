//! What `trastienda serve` says on a database without an account: the next two commands.

use crate::{answers, output, service::Running};

/// Says how to make an account and a key, if there is no account yet.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn show_if_empty(running: &Running) -> anyhow::Result<()> {
    use accounts::Accounts;

    if answers::read(running.store().has_accounts())? {
        return Ok(());
    }
    let host = running.url();
    for line in [
        format!("Base URL: {host}{}", api::BASE_PATH),
        format!("API docs: {host}{}", api::DOCS_PATH),
        String::new(),
        "# There is no account yet. Create one and a key for it, in another terminal:".to_owned(),
        "trastienda account create 'My shop'".to_owned(),
        "trastienda key create --account acc_... --name 'My key' --scopes '*'".to_owned(),
        "# To try it first, add --test: the key opens a space of its own, with invoices that are not real.".to_owned(),
    ] {
        output::say(line);
    }
    Ok(())
}
