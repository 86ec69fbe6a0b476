//! Leads and their conversion.

mod list;
mod merging;

use crm::{
    Conversion, ConvertLead, Customer, CustomerId, DealId, Duplicate, Lead, LeadError, LeadFilter,
    LeadId, LeadQuery, LeadStatus, Leads, MergeLeads, NewLead, UpdateLead, convert, lead,
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{
    AccountId, Amount, Ctx, Fault, FieldFault, Page, Pending, Refused, Timestamp, Written, message,
};

use super::{
    activities,
    customers::{customer_by_id, customer_insert, customer_kept, customer_kept_by_email},
    deals,
};
use crate::{
    counters::{self, Counter},
    db::{Db, first_locked},
    error::{Failure, refuse_stale},
    events, listing,
    lookups::Key,
    readers::{Cost, snapshot},
    rows::{currency, read, read_name, read_optional, refuse_taken_external_id},
    schema::leads::{self, dsl},
    search,
    store::Store,
    stored::{from_text, to_text},
    tx::Tx,
};

/// How many leads an account has.
const COUNTER: Counter = Counter("leads");
/// How many of them have become part of another.
const MERGED: Counter = Counter("merged_leads");

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = leads, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct LeadRow {
    account_id: String,
    id: String,
    external_id: Option<String>,
    name: String,
    email: Option<String>,
    phone: Option<String>,
    company: Option<String>,
    source: Option<String>,
    status: String,
    estimated_value: Option<i64>,
    currency: String,
    owner_id: Option<String>,
    notes: Option<String>,
    tags: String,
    metadata: String,
    deal_id: Option<String>,
    customer_id: Option<String>,
    search_text: String,
    search_version: i64,
    merged_into: Option<String>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl LeadRow {
    fn of(account: AccountId, lead: &Lead) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: lead.id.to_string(),
            external_id: lead.external_id.clone(),
            name: lead.name.clone(),
            email: lead.email.clone(),
            phone: lead.phone.clone(),
            company: lead.company.clone(),
            source: lead.source.clone(),
            status: lead.status.name().to_owned(),
            estimated_value: lead.estimated_value.map(Amount::micros),
            currency: lead.currency.to_string(),
            owner_id: lead.owner.clone(),
            notes: lead.notes.clone(),
            tags: to_text(&lead.tags)?,
            metadata: to_text(&lead.metadata)?,
            deal_id: lead.deal.map(|id| id.to_string()),
            customer_id: lead.customer.map(|id| id.to_string()),
            search_text: lead.terms().joined(),
            search_version: search::VERSION,
            merged_into: lead.merged_into.map(|id| id.to_string()),
            created_at: lead.created_at.micros(),
            updated_at: lead.updated_at.micros(),
            version: lead.version,
        })
    }

    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn lead(self) -> Result<Lead, DieselError> {
        Ok(Lead {
            id: read(&self.id, LeadId::parse)?,
            external_id: self.external_id,
            name: self.name,
            email: self.email,
            phone: self.phone,
            company: self.company,
            source: self.source,
            status: read_name(&self.status, LeadStatus::EVERY, LeadStatus::name)?,
            estimated_value: self.estimated_value.map(Amount::from_micros),
            currency: currency(&self.currency)?,
            owner: self.owner_id,
            notes: self.notes,
            tags: from_text(&self.tags)?,
            metadata: from_text(&self.metadata)?,
            deal: read_optional(self.deal_id, DealId::parse)?,
            customer: read_optional(self.customer_id, CustomerId::parse)?,
            merged_into: read_optional(self.merged_into, LeadId::parse)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

impl Leads for Store {
    fn get(&self, account: AccountId, id: LeadId) -> Pending<Result<Option<Lead>, Fault>> {
        self.engine.read(Cost::Small, move |db| lead_by_id(db, account, id))
    }

    fn list(&self, account: AccountId, query: LeadQuery) -> Pending<Result<Page<Lead>, Fault>> {
        let plain =
            query.filter == LeadFilter::default() && query.page.offset() < listing::OFFSET_QUICK;
        let cost = if plain { Cost::Small } else { Cost::Large };
        self.engine
            .read_of(account, cost, move |db| snapshot(db, |db| list::page(db, account, &query)))
    }

    fn create(&self, ctx: Ctx, command: NewLead) -> Pending<Written<Lead, LeadError>> {
        self.write(ctx, move |tx, ctx| {
            refuse_taken_external_id!(
                tx.db,
                leads,
                ctx.account,
                command.external_id.as_deref(),
                None,
                LeadId::parse,
                LeadError
            );
            let id = LeadId::from_u128(tx.ids.next());
            let (lead, event) = lead::create(command.clone(), id, ctx.now);
            diesel::insert_into(leads::table)
                .values(&LeadRow::of(ctx.account, &lead)?)
                .execute(tx.db)?;
            counters::add(tx.db, ctx.account, COUNTER, 1)?;
            events::append(tx, ctx.account, ctx.now, vec![event])?;
            Ok(lead)
        })
    }

    fn update(&self, ctx: Ctx, command: UpdateLead) -> Pending<Written<Lead, LeadError>> {
        self.write(ctx, move |tx, ctx| {
            let before = locked(tx, ctx.account, command.id, command.version)?;
            let after =
                lead::update(&before, command.changes.clone(), ctx.now).map_err(Refused::Rule)?;
            if after != before {
                let external_id = after.external_id.as_deref();
                refuse_taken_external_id!(
                    tx.db,
                    leads,
                    ctx.account,
                    external_id,
                    Some(after.id),
                    LeadId::parse,
                    LeadError
                );
                save(tx, ctx.account, &after)?;
            }
            Ok(after)
        })
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: LeadId,
        version: Option<i64>,
    ) -> Pending<Written<LeadId, LeadError>> {
        self.write(ctx, move |tx, ctx| {
            let lead = locked(tx, ctx.account, id, version)?;
            activities::follow_lead(tx.db, ctx, id, None)?;
            diesel::delete(leads::table.find((ctx.account.to_string(), id.to_string())))
                .execute(tx.db)?;
            counters::add(tx.db, ctx.account, COUNTER, -1)?;
            if lead.merged_into.is_some() {
                counters::add(tx.db, ctx.account, MERGED, -1)?;
            }
            Ok(id)
        })
    }

    fn duplicates(
        &self,
        account: AccountId,
        id: LeadId,
    ) -> Pending<Result<Option<Vec<Duplicate>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| match lead_by_id(db, account, id)? {
                Some(lead) => merging::duplicates(db, account, &lead).map(Some),
                None => Ok(None),
            })
        })
    }

    fn merge(&self, ctx: Ctx, command: MergeLeads) -> Pending<Written<Lead, LeadError>> {
        self.write(ctx, move |tx, ctx| merging::merge(tx, ctx, &command))
    }

    fn convert(&self, ctx: Ctx, command: ConvertLead) -> Pending<Written<Conversion, LeadError>> {
        self.write(ctx, move |tx, ctx| lead_convert(tx, ctx, &command))
    }
}

fn lead_convert(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &ConvertLead,
) -> Result<Conversion, Failure<LeadError>> {
    let lead = locked(tx, ctx.account, command.id, None)?;
    if let (Some(deal), Some(customer)) = (lead.deal, lead.customer) {
        return converted_before(tx.db, ctx.account, lead, deal, customer);
    }
    let known = known_customer(tx, ctx.account, &lead, command)?;
    let place = deals::place_for_lead(tx, ctx)?;
    let new = (CustomerId::from_u128(tx.ids.next()), DealId::from_u128(tx.ids.next()));
    let converted = convert(&lead, command, known, new, place, ctx.now).map_err(Refused::Rule)?;
    let conversion = converted.conversion;
    if converted.customer_is_new {
        customer_insert(tx, ctx.account, &conversion.customer)?;
    }
    deals::insert(tx, ctx.account, &conversion.deal)?;
    save(tx, ctx.account, &conversion.lead)?;
    events::append(tx, ctx.account, ctx.now, converted.events)?;
    Ok(conversion)
}

/// The customer that the caller names, or the one with the lead's e-mail address.
fn known_customer(
    tx: &mut Tx<'_>,
    account: AccountId,
    lead: &Lead,
    command: &ConvertLead,
) -> Result<Option<Customer>, Failure<LeadError>> {
    if let Some(id) = command.customer {
        let named = customer_kept(tx, account, id)?;
        let unknown = || {
            Refused::Invalid(vec![FieldFault::new(
                "customerId",
                message!(
                    "names no customer of this account",
                    "no corresponde a ningún cliente de esta cuenta"
                ),
            )])
        };
        return Ok(Some(named.ok_or_else(unknown)?));
    }
    match &lead.email {
        Some(email) => Ok(customer_kept_by_email(tx, account, email)?),
        None => Ok(None),
    }
}

fn converted_before(
    db: &mut Db,
    account: AccountId,
    lead: Lead,
    deal: DealId,
    customer: CustomerId,
) -> Result<Conversion, Failure<LeadError>> {
    let opened = deals::by_id(db, account, deal)?.ok_or(DieselError::NotFound)?;
    let found = customer_by_id(db, account, customer)?;
    let gone = LeadError::CustomerDeleted { deal, customer };
    let customer = found.ok_or(Refused::Rule(gone))?;
    Ok(Conversion { lead, customer, deal: opened })
}

/// Has a lead name its deal no more.
pub(super) fn forget_deal(
    tx: &mut Tx<'_>,
    account: AccountId,
    (lead, deal): (LeadId, DealId),
    now: Timestamp,
) -> QueryResult<()> {
    let this = leads::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(lead.to_string()))
        .filter(dsl::deal_id.eq(deal.to_string()));
    diesel::update(this)
        .set((
            dsl::deal_id.eq(None::<String>),
            dsl::updated_at.eq(now.micros()),
            dsl::version.eq(dsl::version + 1),
        ))
        .execute(tx.db)
        .map(drop)
}

pub(super) fn lead_by_id(db: &mut Db, account: AccountId, id: LeadId) -> QueryResult<Option<Lead>> {
    let row = leads::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(LeadRow::as_select())
        .first::<LeadRow>(db)
        .optional()?;
    row.map(LeadRow::lead).transpose()
}

/// The lead, which is neither deleted nor merged until the end of the transaction.
pub(super) fn lead_kept(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: LeadId,
) -> QueryResult<Option<Lead>> {
    let this = leads::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()));
    let row: QueryResult<LeadRow> = match &mut *tx.db {
        Db::Postgres(conn) => this.select(LeadRow::as_select()).for_key_share().first(conn),
        Db::Sqlite(conn) => this.select(LeadRow::as_select()).first(conn),
    };
    row.optional()?.map(LeadRow::lead).transpose()
}

/// The lead, locked until the end of the transaction, at the version that the caller has seen.
fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: LeadId,
    version: Option<i64>,
) -> Result<Lead, Failure<LeadError>> {
    let row = first_locked!(
        tx.db,
        LeadRow,
        leads::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    let lead = row.ok_or(Refused::NotFound)?.lead()?;
    refuse_stale(version, lead.version)?;
    Ok(lead)
}

fn save(tx: &mut Tx<'_>, account: AccountId, lead: &Lead) -> QueryResult<()> {
    let row = LeadRow::of(account, lead)?;
    let this = leads::table.filter(dsl::account_id.eq(&row.account_id)).filter(dsl::id.eq(&row.id));
    diesel::update(this).set(&row).execute(tx.db).map(drop)
}

/// Makes the search terms of a lead anew.
pub(crate) fn renew_terms(tx: &mut Tx<'_>, account: &str, id: &str) -> QueryResult<()> {
    let this = leads::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id));
    let Some(row) = first_locked!(tx.db, LeadRow, this)? else { return Ok(()) };
    let kept = row.search_text.clone();
    let terms = row.lead().map_or(kept, |lead| lead.terms().joined());
    let columns = (dsl::search_text.eq(terms), dsl::search_version.eq(search::VERSION));
    diesel::update(this).set(columns).execute(tx.db).map(drop)
}
