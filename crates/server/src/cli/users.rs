//! `trastienda users`.

use accounts::{Purpose, Role, User, UserOffice};
use anyhow::{anyhow, bail};
use api::{Clock, SystemClock};
use clap::Subcommand;
use kernel::{AccountId, Ctx};

use super::{
    command::{account_id, one_line},
    open, operator,
};
use crate::{
    answers::{read, waited},
    output, people,
    settings::Settings,
};

/// What can be done with users.
#[derive(Debug, Subcommand)]
pub enum UsersCommand {
    /// Make somebody a member of an account, and print the link by which they set a password
    ///
    /// Only the link goes to standard output; it works once, for an hour. Somebody who is a user already is shown, and is
    /// made a member with `--existing`: they sign in as before. The database is created or migrated first.
    #[command(after_help = "\
Roles: owner, admin, sales, accountant, warehouse, viewer.

Example:
  trastienda users add ana@example.com --account acc_01J... --name 'Ana Ruiz' --role owner")]
    Add {
        /// The address by which they sign in
        #[arg(value_name = "EMAIL", value_parser = email)]
        email: String,
        /// The account, see `trastienda account list`
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: AccountId,
        /// What they are called
        #[arg(long, value_name = "NAME", value_parser = one_line)]
        name: String,
        /// What they may do
        #[arg(long, value_name = "ROLE", value_parser = role)]
        role: Role,
        /// The address is that of a user already, and it is they who are meant
        #[arg(long)]
        existing: bool,
    },
    /// List users with the accounts that they are members of, oldest first
    #[command(after_help = "\
Example:
  trastienda users list")]
    List,
    /// Print a link by which a user sets a password anew
    ///
    /// It works once, for an hour, and ends all sessions of the user. An authenticator is asked for still. Nobody but
    /// an operator can have it: give it to the user by a way that you trust.
    #[command(after_help = "\
Example:
  trastienda users reset-password ana@example.com")]
    ResetPassword {
        /// The address of the user, see `trastienda users list`
        #[arg(value_name = "EMAIL", value_parser = email)]
        email: String,
    },
    /// Print a link by which the first user is made, or another owner of an account
    ///
    /// It works once, for a week. Without an account its holder becomes the owner of all accounts that have nobody, or names
    /// a new one if there is none; that is for installations without any user.
    #[command(after_help = "\
Examples:
  trastienda users setup-link
  trastienda users setup-link --account acc_01J...")]
    SetupLink {
        /// The account, see `trastienda account list`
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: Option<AccountId>,
    },
}

fn email(text: &str) -> Result<String, String> {
    accounts::user::email(text).map_err(|problem| problem.to_string())
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| {
        let names: Vec<_> = Role::EVERY.iter().map(|role| role.name()).collect();
        format!("must be one of {}", names.join(", "))
    })
}

pub(super) fn run(command: UsersCommand, settings: &Settings) -> anyhow::Result<()> {
    let now = SystemClock.now();
    let base = people::base_url(settings);
    match command {
        UsersCommand::Add { email, account, name, role, existing } => {
            let store = open::migrated(settings)?;
            let missing = format!("no account {account}; see `trastienda account list`");
            let ctx = Ctx::system(account, now).by(operator());
            let known = read(store.users())?.into_iter().find(|(user, _)| user.email == email);
            match known {
                // Nobody has proven that the address is theirs: an invitation may have been opened by another.
                Some(known) if !existing => {
                    let [id, email, name, _, since, accounts] = row(known);
                    bail!(
                        "{email} is a user already: {id} {name:?}, since {since}, with {accounts}; if that is who you \
                         mean, say --existing"
                    );
                }
                Some((user, _)) => {
                    let added = waited(store.add_member(ctx, user.id, role))?;
                    let user = people::told(added, &missing)?;
                    output::note(format!("{} signs in as before.", user.email));
                }
                None => {
                    let user = people::without_password(name, email)?;
                    let user = people::told(waited(store.add_user(ctx, user, role))?, &missing)?;
                    let purpose = Purpose::ResetPassword(user.id);
                    output::say(people::link(&*store, purpose, &base, now)?);
                    output::note(format!(
                        "{} {}: the link works once, for an hour.",
                        user.id, user.email
                    ));
                }
            }
        }
        UsersCommand::List => {
            let store = open::existing(settings)?;
            let rows: Vec<_> = read(store.users())?.into_iter().map(row).collect();
            output::table(["ID", "EMAIL", "NAME", "AUTHENTICATOR", "CREATED", "ACCOUNTS"], &rows);
        }
        UsersCommand::ResetPassword { email } => {
            let store = open::existing(settings)?;
            let user = read(store.user_of(email.clone()))?;
            let user =
                user.ok_or_else(|| anyhow!("no user {email}; see `trastienda users list`"))?;
            let purpose = Purpose::ResetPassword(user.id);
            output::say(people::link(&*store, purpose, &base, now)?);
            output::note(
                "The link works once, for an hour. Give it to the user by a way that you trust.",
            );
        }
        UsersCommand::SetupLink { account } => {
            let store = open::migrated(settings)?;
            let purpose = account.map_or(Purpose::SetUp, Purpose::SetUpAccount);
            output::say(people::link(&*store, purpose, &base, now)?);
            output::note("The link works once, for a week. Its holder owns what it opens.");
        }
    }
    Ok(())
}

fn row((user, accounts): (User, Vec<(AccountId, Role)>)) -> [String; 6] {
    let accounts: Vec<_> =
        accounts.into_iter().map(|(account, role)| format!("{account} {}", role.name())).collect();
    let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    [
        user.id.to_string(),
        user.email,
        user.name,
        if user.totp_since.is_some() { "yes" } else { "-" }.to_owned(),
        user.created_at.to_string(),
        or_dash(accounts.join(", ")),
    ]
}
