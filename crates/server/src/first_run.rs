//! What `trastienda serve` says where somebody begins: how to make the first user, or an account and a key by hand.

use accounts::{Accounts, People, Purpose, UserOffice};
use api::{Clock, SystemClock};

use crate::{
    answers::{read, written},
    output,
    service::Running,
};

/// Says where the first user is made, if there is none yet, and how to make an account and a key without the panel, if
/// there is no account.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn show_if_empty(running: &Running) -> anyhow::Result<()> {
    let (store, host) = (running.store(), running.url());
    if !read(store.has_users())? {
        let link = store.issue_link(Purpose::SetUp, SystemClock.now());
        let link = written(link, "the link was not made")?;
        output::say(format!("Account panel: {host}/panel/setup/{}", link.token.reveal()));
        output::say(
            "# Nobody has signed up yet. This link makes the first user, once, within 7 days.",
        );
    }
    if read(store.has_accounts())? {
        return Ok(());
    }
    for line in [
        format!("Base URL: {host}{}", api::BASE_PATH),
        format!("API docs: {host}{}", api::DOCS_PATH),
        String::new(),
        "# There is no account yet. Open the link above, or create one and a key for it in another terminal:".to_owned(),
        "trastienda account create 'My shop'".to_owned(),
        "trastienda key create --account acc_... --name 'My key' --scopes '*'".to_owned(),
        "# To try it first, add --test: the key opens a space of its own, with invoices that are not real.".to_owned(),
    ] {
        output::say(line);
    }
    Ok(())
}
