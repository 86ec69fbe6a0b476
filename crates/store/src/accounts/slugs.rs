//! What accounts are called in the addresses of their pages, and which accounts a user may enter.

use std::collections::BTreeMap;

use ::accounts::{Entry, Role, UserId, slug};
use diesel::prelude::*;
use kernel::AccountId;

use super::AccountRow;
use crate::{
    db::{Db, on},
    rows::read,
    schema::{accounts as table, issuers, memberships},
    tx::Tx,
};

/// So many accounts of one name are as many as there will be.
const TRIED_MAX: usize = 10_000;

/// Gives an account a slug if it has none yet, and its test account with it.
pub(super) fn give(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    let account = account.to_string();
    let live: (String, Option<String>) =
        table::table.find(&account).select((table::name, table::slug)).first(tx.db)?;
    let slug = match live {
        (_, Some(slug)) => slug,
        (name, None) => set(tx, &account, &slug::of_name(&name))?,
    };
    give_test_account(tx, &account, &slug)
}

/// Gives the test account of an account with a slug its own, if there is one that has none yet.
fn give_test_account(tx: &mut Tx<'_>, live: &str, slug: &str) -> QueryResult<()> {
    let test: Option<String> = table::table
        .filter(table::test_of.eq(live))
        .filter(table::slug.is_null())
        .select(table::id)
        .first(tx.db)
        .optional()?;
    if let Some(test) = test {
        set(tx, &test, &slug::of_test_account(slug))?;
    }
    Ok(())
}

/// The same as soon as a test account is opened.
pub(super) fn follow(tx: &mut Tx<'_>, live: AccountId) -> QueryResult<()> {
    let live = live.to_string();
    let slug: Option<String> = table::table.find(&live).select(table::slug).first(tx.db)?;
    match slug {
        Some(slug) => give_test_account(tx, &live, &slug),
        None => Ok(()),
    }
}

fn set(tx: &mut Tx<'_>, account: &str, wanted: &str) -> QueryResult<String> {
    for slug in slug::candidates(wanted).take(TRIED_MAX) {
        let taken: Option<String> =
            table::table.filter(table::slug.eq(&slug)).select(table::id).first(tx.db).optional()?;
        if taken.is_none() {
            diesel::update(table::table.find(account)).set(table::slug.eq(&slug)).execute(tx.db)?;
            return Ok(slug);
        }
    }
    Err(crate::rows::corrupt(format!("{TRIED_MAX} accounts of the slug {wanted}")))
}

/// The account with this slug, if the user may enter it.
pub(super) fn entry(db: &mut Db, user: UserId, slug: &str) -> QueryResult<Option<Entry>> {
    // Who is a member of the live account is one of its test account.
    let is_member = memberships::account_id.eq(table::id).and(table::test_of.is_null());
    let is_member = is_member.or(memberships::account_id.nullable().eq(table::test_of));
    let is_default = issuers::account_id.eq(table::id).and(issuers::is_default.eq(1));
    let found: Option<(AccountRow, String, Option<String>)> = on!(db, |conn| table::table
        .inner_join(memberships::table.on(is_member))
        .left_join(issuers::table.on(is_default))
        .filter(table::slug.eq(slug))
        .filter(memberships::user_id.eq(user.to_string()))
        .select((AccountRow::as_select(), memberships::role, issuers::tax_zip.nullable()))
        .first::<(AccountRow, String, Option<String>)>(conn)
        .optional())?;
    let entry = |(row, role, tax_zip): (AccountRow, String, Option<String>)| {
        let (account, role) = (row.account()?, read(&role, Role::parse)?);
        Ok(Entry { account, slug: slug.to_owned(), role, tax_zip })
    };
    found.map(entry).transpose()
}

/// Every account that a user may enter, by name, each test account behind its own.
pub(super) fn entries(db: &mut Db, user: UserId) -> QueryResult<Vec<Entry>> {
    let held: Vec<(String, String)> = memberships::table
        .filter(memberships::user_id.eq(user.to_string()))
        .select((memberships::account_id, memberships::role))
        .load(db)?;
    let roles: BTreeMap<String, String> = held.into_iter().collect();
    let ids = || roles.keys().cloned().collect::<Vec<String>>();
    let is_default = issuers::account_id.eq(table::id).and(issuers::is_default.eq(1));
    let rows: Vec<(AccountRow, Option<String>, Option<String>)> = on!(db, |conn| table::table
        .left_join(issuers::table.on(is_default))
        .filter(table::id.eq_any(ids()).or(table::test_of.eq_any(ids())))
        .select((AccountRow::as_select(), table::slug, issuers::tax_zip.nullable()))
        .load::<(AccountRow, Option<String>, Option<String>)>(conn))?;
    let mut entries = Vec::with_capacity(rows.len());
    for (row, slug, tax_zip) in rows {
        let account = row.account()?;
        let live = account.test_of.unwrap_or(account.id).to_string();
        // One that has none is of a node of the last release, and has it by the next that is done to the account.
        let (Some(slug), Some(role)) = (slug, roles.get(&live)) else { continue };
        entries.push(Entry { account, slug, role: read(role, Role::parse)?, tax_zip });
    }
    let order = |entry: &Entry| {
        let live = entry.account.test_of.unwrap_or(entry.account.id);
        (kernel::text::folded(&entry.account.name), live, entry.account.test_of.is_some())
    };
    entries.sort_by_key(order);
    Ok(entries)
}
