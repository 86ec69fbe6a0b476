//! Somebody who looks around in the demo's panel.

use std::sync::Arc;

use accounts::{Accounts, NewUser, Password, Purpose, Role, UserOffice};
use anyhow::{Context, anyhow};
use kernel::{AccountId, Actor, Ctx, Timestamp};
use ring::rand::{SecureRandom, SystemRandom};
use store::Store;

use super::shop::GONE;
use crate::answers::{read, written};

const NAME: &str = "Demo";
const EMAIL: &str = "demo@example.com";

/// The token of a link that signs in to the panel of the demo, once. Nobody knows the password of its user.
pub(super) fn sign_in_token(
    store: &Store,
    account: AccountId,
    now: Timestamp,
) -> anyhow::Result<String> {
    let known = read(store.user_of(EMAIL.to_owned()))?;
    let user = match known {
        Some(user) => user,
        None => {
            let found = read(Accounts::account(store, account))?.context(GONE)?;
            let live = found.test_of.unwrap_or(account);
            let ctx = Ctx::system(live, now).by(Actor::Operator(Arc::from("demo")));
            let user = NewUser {
                name: NAME.to_owned(),
                email: EMAIL.to_owned(),
                password: Password::new(random()?),
                language: None,
                account_name: None,
            };
            written(store.add_user(ctx, user, Role::Owner), GONE)?
        }
    };
    let link = written(store.issue_link(Purpose::SignIn(user.id), now), GONE)?;
    Ok(link.token.reveal().to_owned())
}

fn random() -> anyhow::Result<String> {
    let mut bytes = [0; 32];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| anyhow!("the operating system provides no random numbers"))?;
    Ok(hex::encode(bytes))
}
