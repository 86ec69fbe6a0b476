//! The provider of an account.

use ::accounts::{Act, Action};
use ::invoices::{
    Balance, ChooseProvider, InvoiceError, ProviderChoice,
    calls::Callee,
    issuer::{self, CredentialsChange, Simulate},
    provider::{Credentials, ProviderKind},
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Mode, Timestamp};

use super::{calls, issuers};
use crate::{
    audit,
    db::{Db, on},
    error::{Failure, refuse_stale},
    rows::read_name,
    schema::{accounts, certification_providers as providers, credit_balances as balances},
    stored::{from_text, to_text},
    tx::Tx,
    vault::Vault,
};

/// Where the credentials of an account are kept, as their seal has it.
pub(super) fn place(account: &str) -> String {
    format!("certification provider {account}")
}

fn kind_of(name: &str) -> QueryResult<ProviderKind> {
    read_name(name, ProviderKind::EVERY, ProviderKind::name)
}

/// Kind, user, sealed credentials, what the sandbox is to pretend, and when it was chosen.
pub(super) type ChoiceRow = (String, Option<String>, Option<String>, String, i64);

fn mode_and_choice(db: &mut Db, account: AccountId) -> QueryResult<(Mode, Option<ChoiceRow>)> {
    let OnRecord { mode, choice } = on_record(db, account)?;
    Ok((mode, choice))
}

/// What is on record of whom an account calls.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct OnRecord {
    mode: Mode,
    /// What was chosen: its kind, user, sealed credentials, what the sandbox is to pretend, and when.
    choice: Option<ChoiceRow>,
}

impl OnRecord {
    /// What was chosen, if anything was.
    pub(super) const fn chosen(&self) -> Option<&ChoiceRow> {
        self.choice.as_ref()
    }

    /// The provider, as the mode has it.
    pub(super) fn choice(&self) -> QueryResult<ProviderChoice> {
        Ok(issuer::in_mode(self.mode, choice_of(self.choice.clone())?))
    }

    /// Whom the account calls about what is under way, and what with. What began without a choice is with the sandbox, in
    /// a live account too: an earlier release has let it.
    pub(super) fn callee(&self, vault: &Vault, account: AccountId) -> QueryResult<Callee> {
        let Some((kind, _, sealed, simulate, _)) = &self.choice else {
            let (provider, simulate) = (ProviderKind::Sandbox, Simulate::default());
            return Ok(Callee { account, provider, credentials: None, simulate });
        };
        let open = |sealed| from_text(&vault.open(&place(&account.to_string()), sealed)?);
        // Nobody can set it any more in a live account: what is under way there is to end.
        let simulate =
            if self.mode == Mode::Test { from_text(simulate)? } else { Simulate::default() };
        Ok(Callee {
            account,
            provider: kind_of(kind)?,
            credentials: sealed.as_deref().map(open).transpose()?,
            simulate,
        })
    }
}

/// What is on record of whom an account calls.
pub(super) fn on_record(db: &mut Db, account: AccountId) -> QueryResult<OnRecord> {
    on_record_with_credits(db, account).map(|(on_record, _)| on_record)
}

/// The same with the credits of the account.
pub(super) fn on_record_with_credits(
    db: &mut Db,
    account: AccountId,
) -> QueryResult<(OnRecord, Balance)> {
    let choice = (
        providers::kind,
        providers::user_name,
        providers::credentials,
        providers::simulate,
        providers::updated_at,
    );
    let credits = (balances::available, balances::reserved);
    let (is_test, choice, credits) = on!(db, |conn| accounts::table
        .left_join(providers::table.on(providers::account_id.eq(accounts::id)))
        .left_join(balances::table.on(balances::account_id.eq(accounts::id)))
        .filter(accounts::id.eq(account.to_string()))
        .select((accounts::test_of.is_not_null(), choice.nullable(), credits.nullable()))
        .first::<(bool, Option<ChoiceRow>, Option<(i64, i64)>)>(conn))?;
    let (available, reserved) = credits.unwrap_or_default();
    Ok((OnRecord { mode: Mode::of(is_test), choice }, Balance { available, reserved }))
}

/// The provider of an account, as its mode has it.
pub(super) fn choice(db: &mut Db, account: AccountId) -> QueryResult<ProviderChoice> {
    on_record(db, account)?.choice()
}

fn choice_of(row: Option<ChoiceRow>) -> QueryResult<ProviderChoice> {
    let Some((kind, user, _, simulate, updated_at)) = row else {
        return Ok(ProviderChoice::default());
    };
    Ok(ProviderChoice {
        kind: Some(kind_of(&kind)?),
        user,
        simulate: from_text(&simulate)?,
        updated_at: Some(Timestamp::from_micros(updated_at)),
    })
}

/// Whom an account calls about what is under way, and what with.
pub(super) fn opened(db: &mut Db, vault: &Vault, account: AccountId) -> QueryResult<Callee> {
    on_record(db, account)?.callee(vault, account)
}

/// Which provider an account calls about what is being stamped.
pub(super) fn called(db: &mut Db, account: AccountId) -> QueryResult<ProviderKind> {
    let chosen = mode_and_choice(db, account)?.1.map(|(kind, ..)| kind_of(&kind));
    Ok(chosen.transpose()?.unwrap_or(ProviderKind::Sandbox))
}

/// Chooses the provider, over the choice that was seen if one was.
pub(super) fn choose(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    (command, seen): (&ChooseProvider, Option<i64>),
) -> Result<ProviderChoice, Failure<InvoiceError>> {
    issuers::lock(tx, ctx.account)?;
    let (mode, row) = mode_and_choice(tx.db, ctx.account)?;
    let is_first = row.is_none();
    let kept = row.as_ref().and_then(|(_, _, sealed, ..)| sealed.clone());
    let before = issuer::in_mode(mode, choice_of(row)?);
    refuse_stale(seen, before.version())?;
    let is_stamping = calls::is_stamping(tx.db, ctx.account)?;
    let (after, credentials) =
        issuer::choose(mode, &before, kept.is_some(), command, is_stamping, ctx.now)?;
    let account = ctx.account.to_string();
    let given = match &credentials {
        CredentialsChange::Replace(given) => Some(given),
        CredentialsChange::Keep | CredentialsChange::Remove => None,
    };
    // What no key opens any more is replaced by whatever is given.
    let known = kept.as_deref().filter(|_| credentials != CredentialsChange::Keep);
    let known = known.and_then(|sealed| vault.open(&place(&account), sealed).ok());
    let known = known.and_then(|text| from_text::<Credentials>(&text).ok());
    let sealed = match &credentials {
        CredentialsChange::Keep => kept,
        CredentialsChange::Remove => None,
        CredentialsChange::Replace(credentials) => {
            Some(vault.seal(&place(&account), &to_text(credentials)?)?)
        }
    };
    let values = (
        providers::kind.eq(command.kind.name()),
        providers::user_name.eq(&after.user),
        providers::credentials.eq(&sealed),
        providers::simulate.eq(to_text(&after.simulate)?),
        providers::updated_at.eq(ctx.now.micros()),
    );
    if is_first {
        diesel::insert_into(providers::table)
            .values((providers::account_id.eq(&account), values))
            .execute(tx.db)?;
    } else {
        let this = providers::table.filter(providers::account_id.eq(&account));
        diesel::update(this).set(values).execute(tx.db)?;
    }
    let act = chosen(ctx.account, (&before, known.as_ref()), (&after, given));
    audit::record(tx, ctx, &act)?;
    Ok(after)
}

/// What of the choice is another: of what is secret, only that it is. Without new credentials, none are known.
fn chosen(
    account: AccountId,
    (before, known): (&ProviderChoice, Option<&Credentials>),
    (after, given): (&ProviderChoice, Option<&Credentials>),
) -> Act {
    let kind = |of: &ProviderChoice| of.kind.map(|kind| kind.name().to_owned());
    let stamping = |of: &ProviderChoice| Some(of.simulate.stamping.name().to_owned());
    let cancellation = |of: &ProviderChoice| Some(of.simulate.cancellation.name().to_owned());
    Act::new(Action::CertificationProviderChosen, &account)
        .with("kind", kind(before), kind(after))
        .with("user", before.user.clone(), after.user.clone())
        .with_secret("password", known.and_then(password), given.and_then(password))
        .with_secret("token", known.and_then(token), given.and_then(token))
        .with("simulate.stamping", stamping(before), stamping(after))
        .with("simulate.cancellation", cancellation(before), cancellation(after))
}

fn password(credentials: &Credentials) -> Option<&str> {
    match credentials {
        Credentials::User { password, .. } => Some(password),
        Credentials::Token(_) => None,
    }
}

fn token(credentials: &Credentials) -> Option<&str> {
    match credentials {
        Credentials::User { .. } => None,
        Credentials::Token(token) => Some(token),
    }
}
