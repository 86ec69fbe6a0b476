//! Customers.

use crm::{
    Customer, CustomerError, CustomerFilter, CustomerId, CustomerQuery, Customers, NewCustomer,
    UpdateCustomer, customer,
};
use diesel::{dsl::count_star, prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, Fault, Page, Pending, Refused, Timestamp, Written};

use crate::{
    counters::{self, Counter},
    db::{Db, first_locked},
    error::{Failure, refuse_stale},
    events,
    listing::{self, newest_first},
    lookups::Key,
    readers::{Cost, snapshot},
    rows::read,
    schema::{
        customers::{self, dsl},
        deals, invoices, orders,
    },
    store::Store,
    stored::{from_text, to_text},
    tx::Tx,
};

/// How many customers an account has.
const COUNTER: Counter = Counter("customers");

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = customers, treat_none_as_null = true, treat_none_as_default_value = false)]
pub(crate) struct CustomerRow {
    account_id: String,
    id: String,
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
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl CustomerRow {
    fn of(account: AccountId, customer: &Customer) -> Result<Self, DieselError> {
        let searched = [
            Some(&customer.name),
            customer.email.as_ref(),
            customer.phone.as_ref(),
            customer.rfc.as_ref(),
            customer.legal_name.as_ref(),
        ];
        let searched: Vec<&str> = searched.into_iter().flatten().map(String::as_str).collect();
        Ok(Self {
            account_id: account.to_string(),
            id: customer.id.to_string(),
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
            search_text: kernel::text::folded(&searched.join(" ")),
            created_at: customer.created_at.micros(),
            updated_at: customer.updated_at.micros(),
            version: customer.version,
        })
    }

    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn customer(self) -> Result<Customer, DieselError> {
        Ok(Customer {
            id: read(&self.id, CustomerId::parse)?,
            name: self.name,
            email: self.email,
            phone: self.phone,
            rfc: self.rfc,
            legal_name: self.legal_name,
            tax_regime: self.tax_regime,
            tax_zip: self.tax_zip,
            cfdi_use: self.cfdi_use,
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
        self.engine.read(cost, move |db| snapshot(db, |db| customers_list(db, account, &query)))
    }

    fn create(&self, ctx: Ctx, command: NewCustomer) -> Pending<Written<Customer, CustomerError>> {
        self.write(ctx, move |tx, ctx| {
            refuse_taken_email(tx, ctx.account, command.email.as_deref(), None)?;
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
            let before = locked(tx, ctx.account, command.id, command.version)?;
            let after = customer::update(&before, command.changes.clone(), ctx.now);
            if after == before {
                return Ok(after);
            }
            refuse_taken_email(tx, ctx.account, after.email.as_deref(), Some(after.id))?;
            let row = CustomerRow::of(ctx.account, &after)?;
            let this = customers::table
                .filter(dsl::account_id.eq(&row.account_id))
                .filter(dsl::id.eq(&row.id));
            diesel::update(this).set(&row).execute(tx.db)?;
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
            diesel::delete(customers::table.find((&account, &key))).execute(tx.db)?;
            counters::add(tx.db, ctx.account, COUNTER, -1)?;
            Ok(id)
        })
    }
}

/// Whether an order, a deal or an invoice names a customer. Whoever makes one keeps the customer's row from being
/// deleted until that is committed, so with the row locked nothing can come to name it unseen.
fn is_named(db: &mut Db, account: &str, customer: &str) -> QueryResult<bool> {
    let orders: i64 = orders::table
        .filter(orders::account_id.eq(account))
        .filter(orders::customer_id.eq(customer))
        .select(count_star())
        .get_result(db)?;
    let deals: i64 = deals::table
        .filter(deals::account_id.eq(account))
        .filter(deals::customer_id.eq(customer))
        .select(count_star())
        .get_result(db)?;
    let invoices: i64 = invoices::table
        .filter(invoices::account_id.eq(account))
        .filter(invoices::customer_id.eq(customer))
        .select(count_star())
        .get_result(db)?;
    Ok(orders + deals + invoices > 0)
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

type Filtered = customers::BoxedQuery<'static, <Db as Connection>::Backend>;

fn filtered(account: AccountId, filter: &CustomerFilter) -> Filtered {
    let mut query = customers::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(search) = &filter.search {
        query = query.filter(dsl::search_text.like(listing::containing(search)).escape('\\'));
    }
    if let Some(email) = &filter.email {
        query = query.filter(dsl::email_key.eq(email.to_lowercase()));
    }
    if let Some(phone) = &filter.phone {
        query = query.filter(dsl::phone.eq(phone.clone()));
    }
    if let Some(rfc) = &filter.rfc {
        query = query.filter(dsl::rfc.eq(rfc.clone()));
    }
    if let Some(since) = filter.updated_since {
        query = query.filter(dsl::updated_at.ge(since.micros()));
    }
    query
}

fn customers_list(
    db: &mut Db,
    account: AccountId,
    query: &CustomerQuery,
) -> QueryResult<Page<Customer>> {
    let total = if query.filter == CustomerFilter::default() {
        counters::value(db, account, COUNTER)?
    } else {
        filtered(account, &query.filter).count().get_result(db)?
    };
    let all = filtered(account, &query.filter);
    let rows = newest_first!(db, CustomerRow, dsl::id, query.page, all)?;
    listing::newest_page(
        rows,
        &query.page,
        total,
        "customer",
        CustomerRow::key,
        CustomerRow::customer,
    )
}
