//! `trastienda credits`.

use api::{Clock, SystemClock};
use invoices::{Balance, Credits};
use kernel::{AccountId, Ctx};
use store::Store;

use super::{CreditsCommand, open};
use crate::{
    answers::{read, written},
    output,
    settings::Settings,
};

pub(super) fn run(command: CreditsCommand, settings: &Settings) -> anyhow::Result<()> {
    match command {
        CreditsCommand::Grant { amount, account, note } => {
            let store = open::migrated(settings)?;
            let ctx = Ctx::system(account, SystemClock.now()).by(super::operator());
            let missing = format!("no account {account}; see `trastienda account list`");
            let entry = written(store.grant(ctx, amount, note), &missing)?;
            output::say(format!("{} {} credits granted", entry.id, entry.amount));
            show(&store, account)
        }
        CreditsCommand::Show { account } => {
            let store = open::existing(settings)?;
            show(&store, account)
        }
    }
}

fn show(store: &Store, account: AccountId) -> anyhow::Result<()> {
    let Balance { available, reserved } = read(store.balance(account))?;
    output::say(format!("{account}  available {available}  reserved {reserved}"));
    Ok(())
}
