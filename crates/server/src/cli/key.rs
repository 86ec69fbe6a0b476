//! `trastienda key`.

use accounts::{AccountError, Accounts, ApiKey, service::CreateApiKey};
use anyhow::{anyhow, bail};
use api::{Clock, SystemClock};
use kernel::{Refused, Timestamp};

use super::{KeyCommand, open};
use crate::{
    answers::{outcome, read, waited, written},
    keys, output,
    settings::Settings,
    test_accounts,
};

const DAY_SECONDS: i64 = 86_400;

pub(super) fn run(command: KeyCommand, settings: &Settings) -> anyhow::Result<()> {
    let now = SystemClock.now();
    match command {
        KeyCommand::Create {
            account,
            test,
            name,
            scopes,
            approve,
            rate_per_hour,
            expires_in_days,
        } => {
            let missing = format!("no account {account}; see `trastienda account list`");
            let (store, account) = if test {
                let store = open::sealing(settings)?;
                let account = test_accounts::open(&store, account, now)?;
                (store, account)
            } else {
                let store = open::migrated(settings)?;
                let account = read(store.account(account))?;
                (store, account.ok_or_else(|| anyhow!("{missing}"))?)
            };
            let key = keys::new_key(settings.brand.as_str(), account.mode())?;
            let days = expires_in_days.map(i64::from);
            let command = CreateApiKey {
                account: account.id,
                name,
                digest: key.digest,
                last4: key.last4().to_owned(),
                scopes,
                may_approve: approve,
                rate_per_hour,
                expires_at: days.map(|days| now.plus_seconds(days * DAY_SECONDS)),
            };
            let made = written(store.create_key(command, now), &missing)?;
            output::say(&key.text);
            output::note(format!("{} {:?}: the key is shown only this once.", made.id, made.name));
            if let Some(live) = account.test_of {
                output::note(format!("It opens {}, the test account of {live}.", account.id));
            }
            if made.scopes.to_string().is_empty() {
                output::note("It has no scopes, so every request made with it will be refused.");
            }
        }
        KeyCommand::List { account } => {
            let store = open::existing(settings)?;
            let keys = read(store.list_keys(account))?;
            let rows: Vec<_> = keys.into_iter().map(|key| row(key, now)).collect();
            output::table(
                [
                    "ID",
                    "NAME",
                    "ENDS IN",
                    "SCOPES",
                    "APPROVES",
                    "RATE/HOUR",
                    "CREATED",
                    "EXPIRES",
                    "STATE",
                ],
                &rows,
            );
        }
        KeyCommand::Revoke { id } => {
            let store = open::existing(settings)?;
            let missing = format!("no key {id}; see `trastienda key list`");
            let revoked = waited(store.revoke_key(id, now))?;
            if matches!(revoked, Err(Refused::Rule(AccountError::AlreadyRevoked))) {
                bail!("the key {id} is already revoked");
            }
            let key = outcome(revoked, &missing)?;
            output::say(format!("{} revoked ({:?}, ends in {})", key.id, key.name, key.last4));
        }
    }
    Ok(())
}

fn row(key: ApiKey, now: Timestamp) -> [String; 9] {
    let state = match (key.is_live(now), key.revoked_at) {
        (true, _) => "live".to_owned(),
        (false, Some(at)) => format!("revoked {at}"),
        (false, None) => "expired".to_owned(),
    };
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    [
        key.id.to_string(),
        key.name,
        key.last4,
        key.scopes.to_string(),
        if key.may_approve { "yes" } else { "-" }.to_owned(),
        or_dash(key.rate_per_hour.map(|rate| rate.to_string())),
        key.created_at.to_string(),
        or_dash(key.expires_at.map(|at| at.to_string())),
        state,
    ]
}
