//! Customers.

pub(crate) mod bulk;
mod list;

use crm::{
    Customer, CustomerError, CustomerFilter, CustomerGroupId, CustomerId, CustomerQuery, Customers,
    NewCustomer, UpdateCustomer, customer, events::tax_data_submitted,
};
use diesel::{dsl::count_star, prelude::*, result::Error as DieselError};
use engine::cleanup::SLICE_ROWS;
use kernel::{AccountId, Ctx, Fault, Page, Pending, Refused, Timestamp, Written, search::Terms};
use links::LinkKind;

use super::activities;
use crate::{
    counters::{self, Counter},
    db::{Db, first_locked, on},
    error::{Failure, refuse_stale},
    events, groups, listing,
    lookups::Key,
    readers::{Cost, snapshot},
    rows::{read, refuse_taken_external_id},
    schema::{
        customers::{self, dsl},
        deals, invoices, orders, quotes, withholdings,
    },
    search,
    statement::update,
    store::Store,
    stored::{from_text, to_text},
    tx::Tx,
};

/// How many customers an account has.
const COUNTER: Counter = Counter("customers");

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = customers, treat_none_as_default_value = false)]
pub(crate) struct CustomerRow {
    account_id: String,
    id: String,
    external_id: Option<String>,
    name: String,
    email: Option<String>,
    email_key: Option<String>,
    phone: Option<String>,
    rfc: Option<String>,
    legal_name: Option<String>,
    tax_regime: Option<String>,
    tax_zip: Option<String>,
    cfdi_use: Option<String>,
    addresses: String,
    metadata: String,
    search_text: String,
    search_version: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
    group_id: Option<String>,
    tax_residence: Option<String>,
    foreign_tax_id: Option<String>,
}

impl CustomerRow {
    fn of(account: AccountId, customer: &Customer) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: customer.id.to_string(),
            external_id: customer.external_id.clone(),
            name: customer.name.clone(),
            email: customer.email.clone(),
            email_key: customer.email.as_deref().map(str::to_lowercase),
            phone: customer.phone.clone(),
            rfc: customer.rfc.clone(),
            legal_name: customer.legal_name.clone(),
            tax_regime: customer.tax_regime.clone(),
            tax_zip: customer.tax_zip.clone(),
            cfdi_use: customer.cfdi_use.clone(),
            addresses: to_text(&customer.addresses)?,
            metadata: to_text(&customer.metadata)?,
            search_text: customer.terms().joined(),
            search_version: search::VERSION,
            created_at: customer.created_at.micros(),
            updated_at: customer.updated_at.micros(),
            version: customer.version,
            group_id: customer.group.map(|id| id.to_string()),
            tax_residence: customer.tax_residence.clone(),
            foreign_tax_id: customer.foreign_tax_id.clone(),
        })
    }

    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn customer(self) -> Result<Customer, DieselError> {
        Ok(Customer {
            id: read(&self.id, CustomerId::parse)?,
            external_id: self.external_id,
            name: self.name,
            email: self.email,
            phone: self.phone,
            rfc: self.rfc,
            legal_name: self.legal_name,
            tax_regime: self.tax_regime,
            tax_zip: self.tax_zip,
            cfdi_use: self.cfdi_use,
            tax_residence: self.tax_residence,
            foreign_tax_id: self.foreign_tax_id,
            group: self.group_id.map(|id| read(&id, CustomerGroupId::parse)).transpose()?,
            addresses: from_text(&self.addresses)?,
            metadata: from_text(&self.metadata)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

impl Customers for Store {
    fn get(&self, account: AccountId, id: CustomerId) -> Pending<Result<Option<Customer>, Fault>> {
        self.engine.read(Cost::Small, move |db| customer_by_id(db, account, id))
    }

    fn list(
        &self,
        account: AccountId,
        query: CustomerQuery,
    ) -> Pending<Result<Page<Customer>, Fault>> {
        let plain = query.filter == CustomerFilter::default()
            && query.page.offset() < listing::OFFSET_QUICK;
        let cost = if plain { Cost::Small } else { Cost::Large };
        self.engine
            .read_of(account, cost, move |db| snapshot(db, |db| list::page(db, account, &query)))
    }

    fn create(&self, ctx: Ctx, command: NewCustomer) -> Pending<Written<Customer, CustomerError>> {
        self.write(ctx, move |tx, ctx| {
            keep_group(tx, ctx.account, command.group)?;
            refuse_taken_email(tx, ctx.account, command.email.as_deref(), None)?;
            refuse_taken_external_id!(
                tx.db,
                customers,
                ctx.account,
                command.external_id.as_deref(),
                None,
                CustomerId::parse,
                CustomerError
            );
            let id = CustomerId::from_u128(tx.ids.next());
            let (customer, event) = customer::create(command.clone(), id, ctx.now);
            customer_insert(tx, ctx.account, &customer)?;
            events::append(tx, ctx.account, ctx.now, vec![event])?;
            Ok(customer)
        })
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdateCustomer,
    ) -> Pending<Written<Customer, CustomerError>> {
        self.write(ctx, move |tx, ctx| {
            keep_group(tx, ctx.account, command.changes.group.flatten())?;
            let before = locked(tx, ctx.account, command.id, command.version)?;
            let after = customer::update(&before, command.changes.clone(), ctx.now);
            if command.is_submitted {
                let event = tax_data_submitted(&after);
                events::append(tx, ctx.account, ctx.now, vec![event])?;
            }
            if after == before {
                return Ok(after);
            }
            refuse_taken_email(tx, ctx.account, after.email.as_deref(), Some(after.id))?;
            let external_id = after.external_id.as_deref();
            refuse_taken_external_id!(
                tx.db,
                customers,
                ctx.account,
                external_id,
                Some(after.id),
                CustomerId::parse,
                CustomerError
            );
            save_changed(tx, ctx.account, &before, &after)?;
            Ok(after)
        })
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: CustomerId,
        version: Option<i64>,
    ) -> Pending<Written<CustomerId, CustomerError>> {
        self.write(ctx, move |tx, ctx| {
            locked(tx, ctx.account, id, version)?;
            let (account, key) = (ctx.account.to_string(), id.to_string());
            if is_named(tx.db, &account, &key)? {
                return Err(Refused::Rule(CustomerError::Referenced).into());
            }
            activities::forget_customer(tx.db, ctx, id)?;
            diesel::delete(customers::table.find((&account, &key))).execute(tx.db)?;
            crate::links::forget(tx.db, &account, LinkKind::TaxData, &key)?;
            counters::add(tx.db, ctx.account, COUNTER, -1)?;
            Ok(id)
        })
    }
}

/// Keeps the group that a customer is to be in.
fn keep_group(
    tx: &mut Tx<'_>,
    account: AccountId,
    group: Option<CustomerGroupId>,
) -> Result<(), Failure<CustomerError>> {
    let Some(group) = group else { return Ok(()) };
    let kept = groups::keep(tx, account, &group.to_string(), "groupId")?;
    kept.map_err(|faults| Refused::Invalid(faults).into())
}

/// Saves a customer that has changed, and lets orders be found under the new terms.
fn save_changed(
    tx: &mut Tx<'_>,
    account: AccountId,
    before: &Customer,
    after: &Customer,
) -> QueryResult<()> {
    let row = CustomerRow::of(account, after)?;
    let update = update!(
        "customers", row as CustomerRow,
        set external_id, name, email, email_key, phone, rfc, legal_name, tax_regime, tax_zip, cfdi_use, addresses,
            metadata, search_text, search_version, created_at, updated_at, version, group_id,
            tax_residence, foreign_tax_id;
        key account_id, id
    );
    on!(&mut *tx.db, |conn| update.execute(conn))?;
    if words(before) != words(after) {
        let (account, id) = (account.to_string(), after.id.to_string());
        mark_renamed(tx, &account, &id, Some(FIRST_RENAMED))?;
        rename_orders(tx, &account, &id)?;
    }
    Ok(())
}

/// Sorts behind every identifier of an order.
const FIRST_RENAMED: &str = "ord_~";

/// The terms that a customer's orders share.
fn words(customer: &Customer) -> Terms {
    Terms::default().words_of(&customer.terms().joined())
}

/// Makes the search terms of a customer anew.
pub(crate) fn renew_terms(tx: &mut Tx<'_>, account: &str, id: &str) -> QueryResult<()> {
    let this = customers::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id));
    let Some(row) = first_locked!(tx.db, CustomerRow, this)? else { return Ok(()) };
    let kept = row.search_text.clone();
    let terms = row.customer().map_or(kept, |customer| customer.terms().joined());
    let columns = (dsl::search_text.eq(terms), dsl::search_version.eq(search::VERSION));
    diesel::update(this).set(columns).execute(tx.db).map(drop)
}

/// Lets the next of a customer's orders, the newest first, be found under the customer's present terms; says how many.
/// Most customers have so few that it is done with the change; the rest follows in the background.
pub(crate) fn rename_orders(tx: &mut Tx<'_>, account: &str, customer: &str) -> QueryResult<u64> {
    let this = customers::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(customer));
    let renamed_to: Option<String> = this.select(dsl::orders_renamed_to).first(tx.db)?;
    let Some(renamed_to) = renamed_to else { return Ok(0) };
    let next: Vec<String> = orders::table
        .filter(orders::account_id.eq(account))
        .filter(orders::customer_id.eq(customer))
        .filter(orders::id.lt(renamed_to))
        .order(orders::id.desc())
        .limit(SLICE_ROWS)
        .select(orders::id)
        .load(tx.db)?;
    for order in &next {
        crate::orders::renew_terms(tx, account, order)?;
    }
    let is_last = next.len() < usize::try_from(SLICE_ROWS).unwrap_or(usize::MAX);
    let last = next.last().filter(|_| !is_last).map(String::as_str);
    mark_renamed(tx, account, customer, last)?;
    Ok(next.len() as u64)
}

fn mark_renamed(
    tx: &mut Tx<'_>,
    account: &str,
    customer: &str,
    to: Option<&str>,
) -> QueryResult<()> {
    let this = customers::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(customer));
    diesel::update(this).set(dsl::orders_renamed_to.eq(to)).execute(tx.db).map(drop)
}

/// Whether an order, a deal, an invoice or a withholding names a customer. Whoever makes one keeps the customer's row from being
/// deleted until that is committed, so with the row locked nothing can come to name it unseen.
fn is_named(db: &mut Db, account: &str, customer: &str) -> QueryResult<bool> {
    macro_rules! names {
        ($($table:ident),+) => {$(
            let rows: i64 = $table::table
                .filter($table::account_id.eq(account))
                .filter($table::customer_id.eq(customer))
                .select(count_star())
                .get_result(db)?;
            if rows > 0 {
                return Ok(true);
            }
        )+};
    }
    names!(orders, deals, invoices, withholdings, quotes);
    Ok(false)
}

/// The first customer of a query, who cannot be deleted until the end of the transaction; others may name it
/// meanwhile. On SQLite, where a writer is alone, there is nothing to lock.
macro_rules! first_kept {
    ($tx:expr, $query:expr) => {
        match &mut *$tx.db {
            Db::Postgres(conn) => $query
                .select(CustomerRow::as_select())
                .for_key_share()
                .first::<CustomerRow>(conn)
                .optional(),
            Db::Sqlite(conn) => {
                $query.select(CustomerRow::as_select()).first::<CustomerRow>(conn).optional()
            }
        }
    };
}

/// The customer, who stays until the end of the transaction.
pub(crate) fn customer_kept(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: CustomerId,
) -> QueryResult<Option<Customer>> {
    let row = first_kept!(
        tx,
        customers::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    row.map(CustomerRow::customer).transpose()
}

/// The customer with this e-mail address, case aside, who stays until the end of the transaction.
pub(crate) fn customer_kept_by_email(
    tx: &mut Tx<'_>,
    account: AccountId,
    email: &str,
) -> QueryResult<Option<Customer>> {
    let row = first_kept!(
        tx,
        customers::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::email_key.eq(email.to_lowercase()))
    )?;
    row.map(CustomerRow::customer).transpose()
}

pub(crate) fn customer_by_id(
    db: &mut Db,
    account: AccountId,
    id: CustomerId,
) -> QueryResult<Option<Customer>> {
    let row = customers::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(CustomerRow::as_select())
        .first::<CustomerRow>(db)
        .optional()?;
    row.map(CustomerRow::customer).transpose()
}

/// The customer with this e-mail address, case aside.
fn customer_by_email(
    db: &mut Db,
    account: AccountId,
    email: &str,
) -> QueryResult<Option<Customer>> {
    let row = customers::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::email_key.eq(email.to_lowercase()))
        .select(CustomerRow::as_select())
        .first::<CustomerRow>(db)
        .optional()?;
    row.map(CustomerRow::customer).transpose()
}

pub(crate) fn customer_insert(
    tx: &mut Tx<'_>,
    account: AccountId,
    customer: &Customer,
) -> QueryResult<()> {
    let row = CustomerRow::of(account, customer)?;
    diesel::insert_into(customers::table).values(&row).execute(tx.db)?;
    counters::add(tx.db, account, COUNTER, 1)
}

/// The customer, locked until the end of the transaction, at the version that the caller has seen.
fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: CustomerId,
    version: Option<i64>,
) -> Result<Customer, Failure<CustomerError>> {
    let row = first_locked!(
        tx.db,
        CustomerRow,
        customers::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    let customer = row.ok_or(Refused::NotFound)?.customer()?;
    refuse_stale(version, customer.version)?;
    Ok(customer)
}

fn refuse_taken_email(
    tx: &mut Tx<'_>,
    account: AccountId,
    email: Option<&str>,
    own: Option<CustomerId>,
) -> Result<(), Failure<CustomerError>> {
    let Some(email) = email else { return Ok(()) };
    match customer_by_email(tx.db, account, email)?.filter(|holder| Some(holder.id) != own) {
        Some(holder) => {
            let taken =
                CustomerError::DuplicateEmail { email: email.to_owned(), holder: holder.id };
            Err(Refused::Rule(taken).into())
        }
        None => Ok(()),
    }
}
