//! `trastienda account`.

use accounts::Accounts;
use api::{Clock, SystemClock};

use super::{AccountCommand, open};
use crate::{
    answers::{read, written},
    beside::Beside,
    output,
};

pub(super) fn run(command: AccountCommand, beside: &Beside<'_>) -> anyhow::Result<()> {
    let settings = beside.settings;
    match command {
        AccountCommand::Create { name, low_stock_threshold } => {
            let store = open::migrated(settings)?;
            let account = store.create_account(name, low_stock_threshold, SystemClock.now());
            let account = written(account, "the account was not created")?;
            output::say(format!("{}  {}", account.id, account.name));
            let next = format!("key create --account {} --name 'My key' --scopes '*'", account.id);
            output::note(format!("Next: {}", beside.command(&next, &[])));
        }
        AccountCommand::List => {
            let store = open::existing(settings)?;
            let rows: Vec<_> = read(store.list_accounts())?
                .into_iter()
                .map(|account| {
                    let mode = account.mode().name();
                    let test_of = account.test_of.map(|live| format!("{mode} of {live}"));
                    [
                        account.id.to_string(),
                        account.name,
                        test_of.unwrap_or_else(|| mode.to_owned()),
                        account.low_stock_threshold.to_string(),
                        account.created_at.to_string(),
                    ]
                })
                .collect();
            output::table(["ID", "NAME", "MODE", "LOW STOCK THRESHOLD", "CREATED"], &rows);
        }
    }
    Ok(())
}
