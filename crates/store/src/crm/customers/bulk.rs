//! Many customers at once: whom rows of a file are about, and what they make of them.

use std::collections::BTreeSet;

use crm::Customer;
use diesel::prelude::*;
use imports::{
    ImportId,
    customer::{CustomerKey, Register},
};
use kernel::{AccountId, Timestamp};

use super::{COUNTER, CustomerRow, save_changed};
use crate::{
    counters,
    db::{Db, all_locked},
    events,
    schema::customers::{self, dsl},
    tx::Tx,
};

/// Rows that one statement inserts: PostgreSQL takes at most 65,535 values.
const ROWS_AT_ONCE: usize = 1_000;

/// The customers that any of these keys finds, locked until the end of the transaction.
pub(crate) fn found_by(
    tx: &mut Tx<'_>,
    account: AccountId,
    keys: &BTreeSet<CustomerKey>,
) -> QueryResult<Vec<Customer>> {
    let (mut ids, mut emails, mut phones) = (Vec::new(), Vec::new(), Vec::new());
    for key in keys {
        match key {
            CustomerKey::ExternalId(id) => ids.push(id),
            CustomerKey::Email(email) => emails.push(email),
            CustomerKey::Phone(phone) => phones.push(phone),
        }
    }
    let own = || {
        let own = customers::table.filter(dsl::account_id.eq(account.to_string()));
        own.select(dsl::id)
    };
    let mut found: BTreeSet<String> = BTreeSet::new();
    if !ids.is_empty() {
        found.extend(own().filter(dsl::external_id.eq_any(ids)).load::<String>(tx.db)?);
    }
    if !emails.is_empty() {
        found.extend(own().filter(dsl::email_key.eq_any(emails)).load::<String>(tx.db)?);
    }
    if !phones.is_empty() {
        found.extend(own().filter(dsl::phone.eq_any(phones)).load::<String>(tx.db)?);
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<CustomerRow> = all_locked!(
        tx.db,
        CustomerRow,
        customers::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq_any(&found))
            .order(dsl::id)
    )?;
    rows.into_iter().map(CustomerRow::customer).collect()
}

/// Records what an import has made of the customers on a register.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    (account, import): (AccountId, ImportId),
    now: Timestamp,
    register: Register<'_>,
) -> QueryResult<()> {
    let mut new = Vec::new();
    for entry in register.touched() {
        match &entry.before {
            None => new.push(CustomerRow::of(account, &entry.customer)?),
            // Changed first: one may have had the address that a new one has.
            Some(before) => save_changed(tx, account, before, &entry.customer)?,
        }
    }
    match &mut *tx.db {
        Db::Sqlite(conn) => {
            for row in &new {
                diesel::insert_into(customers::table).values(row).execute(conn)?;
            }
        }
        Db::Postgres(conn) => {
            for rows in new.chunks(ROWS_AT_ONCE) {
                diesel::insert_into(customers::table).values(rows).execute(conn)?;
            }
        }
    }
    if !new.is_empty() {
        counters::add(tx.db, account, COUNTER, i64::try_from(new.len()).unwrap_or(i64::MAX))?;
    }
    events::append_batch(tx, (account, import.to_string()), now, register.events)
}
