//! What `trastienda serve` says on a database without an account or a user: how to make them.

use api::{Clock, SystemClock};

use crate::{answers, beside::Beside, output, people, service::Running};

const SET_UP: &str =
    "# Nobody can sign in to the panel yet. This link makes the first user, and works once:";

/// Says how to make an account and a key, if there is no account yet, and by which link the first user is made, if there is
/// no user.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn show_if_empty(beside: &Beside<'_>, running: &Running) -> anyhow::Result<()> {
    use accounts::Accounts;

    let store = running.store();
    let host = running.url();
    if !answers::read(store.has_accounts())? {
        let key = "key create --account acc_... --name 'My key' --scopes '*'";
        let lines = [
            format!("Base URL: {host}{}", api::BASE_PATH),
            format!("API docs: {host}{}", api::DOCS_PATH),
            String::new(),
            "# There is no account yet. Create one and a key for it, in another terminal, in the same folder:".to_owned(),
        ];
        let commands = [
            beside.command("account create 'My shop'", &[]),
            beside.command(key, &[]),
            "# To try it first, add --test: the key opens a space of its own, with invoices that are not real.".to_owned(),
        ];
        for line in lines.into_iter().chain(beside.note()).chain(commands) {
            output::say(line);
        }
    }
    let public = beside.settings.public_url.as_ref().map(|url| url.0.clone());
    let base = public.unwrap_or(host);
    match people::set_up_link(&**store, &base, SystemClock.now()) {
        Ok(Some(link)) => {
            output::say(SET_UP);
            output::say(link);
        }
        Ok(None) => {}
        // The service is up all the same: a database that takes no writes now may take them later.
        Err(error) => {
            tracing::warn!(error = format!("{error:#}"), "no link for the first user was made");
        }
    }
    Ok(())
}
