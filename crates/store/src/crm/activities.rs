//! Activities as rows.

use ::crm::{
    Activities, Activity, ActivityError, ActivityFilter, ActivityId, ActivityKind, ActivityQuery,
    ActivitySort, CustomerId, DealId, LeadId, NewActivity, UpdateActivity, activity,
};
use diesel::{dsl::sql, prelude::*, result::Error as DieselError, sql_types::Bool};
use kernel::{
    AccountId, Ctx, Fault, FieldFault, Page, Pending, Refused, Timestamp, Written, message,
    page::{Cursor, Sorting},
};

use super::{customers::customer_kept, deals};
use crate::{
    db::{Db, first_locked},
    error::{Failure, refuse_stale, with_faults},
    listing::{self, between, number_key},
    lookups::Key,
    readers::{Cost, snapshot},
    rows::{micros, moment, read, read_name, read_optional},
    schema::activities::{self as table, dsl},
    store::Store,
    tx::Tx,
    unreadable::readable,
};

type Outcome<T> = Result<T, Failure<ActivityError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct ActivityRow {
    account_id: String,
    id: String,
    kind: String,
    subject: String,
    notes: Option<String>,
    due_at: Option<i64>,
    done_at: Option<i64>,
    assignee_id: Option<String>,
    deal_id: Option<String>,
    lead_id: Option<String>,
    customer_id: Option<String>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl ActivityRow {
    fn of(account: AccountId, activity: &Activity) -> Self {
        Self {
            account_id: account.to_string(),
            id: activity.id.to_string(),
            kind: activity.kind.name().to_owned(),
            subject: activity.subject.clone(),
            notes: activity.notes.clone(),
            due_at: micros(activity.due_at),
            done_at: micros(activity.done_at),
            assignee_id: activity.assignee.clone(),
            deal_id: activity.deal.map(|id| id.to_string()),
            lead_id: activity.lead.map(|id| id.to_string()),
            customer_id: activity.customer.map(|id| id.to_string()),
            created_at: activity.created_at.micros(),
            updated_at: activity.updated_at.micros(),
            version: activity.version,
        }
    }

    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn activity(self) -> Result<Activity, DieselError> {
        Ok(Activity {
            id: read(&self.id, ActivityId::parse)?,
            kind: read_name(&self.kind, ActivityKind::EVERY, ActivityKind::name)?,
            subject: self.subject,
            notes: self.notes,
            due_at: moment(self.due_at),
            done_at: moment(self.done_at),
            assignee: self.assignee_id,
            deal: read_optional(self.deal_id, DealId::parse)?,
            lead: read_optional(self.lead_id, LeadId::parse)?,
            customer: read_optional(self.customer_id, CustomerId::parse)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: ActivityId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

impl Activities for Store {
    fn get(&self, account: AccountId, id: ActivityId) -> Pending<Result<Option<Activity>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let row: Option<ActivityRow> =
                this(account, id).select(ActivityRow::as_select()).first(db).optional()?;
            row.map(ActivityRow::activity).transpose()
        })
    }

    fn list(
        &self,
        account: AccountId,
        query: ActivityQuery,
    ) -> Pending<Result<Page<Activity>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| activities(db, account, &query))
        })
    }

    fn create(&self, ctx: Ctx, command: NewActivity) -> Pending<Written<Activity, ActivityError>> {
        self.write(ctx, move |tx, ctx| {
            let about = (command.deal, command.lead, command.customer);
            let unknown = unknown(tx, ctx.account, about)?;
            let id = ActivityId::from_u128(tx.ids.next());
            let made = activity::create(command.clone(), id, ctx.now);
            let made = with_faults(unknown, made.map_err(invalid))?;
            let row = ActivityRow::of(ctx.account, &made);
            diesel::insert_into(table::table).values(&row).execute(tx.db)?;
            Ok(made)
        })
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdateActivity,
    ) -> Pending<Written<Activity, ActivityError>> {
        self.write(ctx, move |tx, ctx| {
            let changes = command.changes.clone();
            let about =
                (changes.deal.flatten(), changes.lead.flatten(), changes.customer.flatten());
            // What it is about is locked before it, as by whoever deletes that.
            let unknown = unknown(tx, ctx.account, about)?;
            let before = locked(tx, ctx.account, command.id, command.version)?;
            let after = activity::update(&before, changes, ctx.now);
            let after = with_faults(unknown, after.map_err(invalid))?;
            if after != before {
                let row = ActivityRow::of(ctx.account, &after);
                diesel::update(this(ctx.account, after.id)).set(&row).execute(tx.db)?;
            }
            Ok(after)
        })
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: ActivityId,
        version: Option<i64>,
    ) -> Pending<Written<ActivityId, ActivityError>> {
        self.write(ctx, move |tx, ctx| {
            locked(tx, ctx.account, id, version)?;
            diesel::delete(this(ctx.account, id)).execute(tx.db)?;
            Ok(id)
        })
    }
}

fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ActivityId,
    version: Option<i64>,
) -> Outcome<Activity> {
    let row = first_locked!(tx.db, ActivityRow, this(account, id))?;
    let activity = row.ok_or(Refused::NotFound)?.activity()?;
    refuse_stale(version, activity.version)?;
    Ok(activity)
}

fn invalid(faults: Vec<FieldFault>) -> Failure<ActivityError> {
    Refused::Invalid(faults).into()
}

/// What an activity is said to be about and is not there; the rest is kept there until the end of the transaction.
fn unknown(
    tx: &mut Tx<'_>,
    account: AccountId,
    (deal, lead, customer): (Option<DealId>, Option<LeadId>, Option<CustomerId>),
) -> Outcome<Vec<FieldFault>> {
    let mut faults = Vec::new();
    if let Some(id) = deal
        && deals::kept(tx, account, id)?.is_none()
    {
        let problem = message!(
            "names no deal of this account",
            "no corresponde a ninguna oportunidad de esta cuenta"
        );
        faults.push(FieldFault::new("dealId", problem));
    }
    if let Some(id) = lead {
        faults.extend(deals::unfit_lead(tx, account, id)?);
    }
    if let Some(id) = customer
        && customer_kept(tx, account, id)?.is_none()
    {
        faults.push(deals::no_customer());
    }
    Ok(faults)
}

/// Removes the activities of a deal that goes; those that are about a lead or a customer as well stay with these.
pub(super) fn forget_deal(db: &mut Db, ctx: &Ctx, deal: DealId) -> QueryResult<()> {
    let own = || {
        table::table
            .filter(dsl::account_id.eq(ctx.account.to_string()))
            .filter(dsl::deal_id.eq(deal.to_string()))
    };
    let of_nothing_else = own().filter(dsl::lead_id.is_null()).filter(dsl::customer_id.is_null());
    diesel::delete(of_nothing_else).execute(db)?;
    diesel::update(own()).set((dsl::deal_id.eq(None::<String>), changed(ctx))).execute(db).map(drop)
}

/// Has the activities of a lead be another's, or nobody's.
pub(super) fn follow_lead(
    db: &mut Db,
    ctx: &Ctx,
    lead: LeadId,
    to: Option<LeadId>,
) -> QueryResult<()> {
    let own = table::table
        .filter(dsl::account_id.eq(ctx.account.to_string()))
        .filter(dsl::lead_id.eq(lead.to_string()));
    let to = to.map(|id| id.to_string());
    diesel::update(own).set((dsl::lead_id.eq(to), changed(ctx))).execute(db).map(drop)
}

/// Has the activities of a customer be nobody's.
pub(super) fn forget_customer(db: &mut Db, ctx: &Ctx, customer: CustomerId) -> QueryResult<()> {
    let own = table::table
        .filter(dsl::account_id.eq(ctx.account.to_string()))
        .filter(dsl::customer_id.eq(customer.to_string()));
    let nobody = dsl::customer_id.eq(None::<String>);
    diesel::update(own).set((nobody, changed(ctx))).execute(db).map(drop)
}

/// What makes a new version of the activities that are changed together.
#[diesel::dsl::auto_type(no_type_alias)]
fn changed(ctx: &Ctx) -> _ {
    let now: i64 = ctx.now.micros();
    (dsl::updated_at.eq(now), dsl::version.eq(dsl::version + 1_i64))
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, query: &ActivityQuery) -> Filtered {
    let ActivityFilter { ids, kind, is_done, assignee, deal, lead, customer, due_from, due_to } =
        &query.filter;
    let mut found = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    if let Some(ids) = ids {
        found = found.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
    }
    if let Some(kind) = kind {
        found = found.filter(dsl::kind.eq(kind.name()));
    }
    match is_done {
        Some(true) => found = found.filter(dsl::done_at.is_not_null()),
        // Notes are never to be done. As the index has it: SQLite does not see that from a parameter.
        Some(false) => {
            found = found
                .filter(dsl::done_at.is_null())
                .filter(sql::<Bool>("activities.kind <> 'note'"));
        }
        None => {}
    }
    if let Some(assignee) = assignee {
        found = found.filter(dsl::assignee_id.eq(assignee.clone()));
    }
    if let Some(deal) = deal {
        found = found.filter(dsl::deal_id.eq(deal.to_string()));
    }
    if let Some(lead) = lead {
        found = found.filter(dsl::lead_id.eq(lead.to_string()));
    }
    if let Some(customer) = customer {
        found = found.filter(dsl::customer_id.eq(customer.to_string()));
    }
    if let Some(from) = due_from {
        found = found.filter(dsl::due_at.ge(from.micros()));
    }
    if let Some(to) = due_to {
        found = found.filter(dsl::due_at.lt(to.micros()));
    }
    found
}

fn in_order(query: Filtered, sort: Sorting<ActivitySort>, behind: Option<&Cursor>) -> Filtered {
    match sort.by {
        ActivitySort::CreatedAt => between!(query, sort.ascending, dsl::id, behind, None),
        ActivitySort::DueAt => between!(
            query,
            sort.ascending,
            dsl::id,
            behind,
            None,
            dsl::due_at.assume_not_null(),
            number_key
        ),
    }
}

fn place(row: &ActivityRow, sort: Sorting<ActivitySort>) -> Cursor {
    let (name, key) = match sort.by {
        ActivitySort::CreatedAt => ("createdAt", String::new()),
        ActivitySort::DueAt => {
            ("dueAt", row.due_at.map_or_else(String::new, |due_at| due_at.to_string()))
        }
    };
    listing::place(name, sort.ascending, key, &row.id)
}

fn loaded(
    db: &mut Db,
    query: Filtered,
    (offset, limit): (i64, i64),
) -> QueryResult<Vec<ActivityRow>> {
    query.offset(offset).limit(limit).select(ActivityRow::as_select()).load(db)
}

/// The rows of a page, one more than it holds.
fn fetched(
    db: &mut Db,
    account: AccountId,
    query: &ActivityQuery,
) -> QueryResult<Vec<ActivityRow>> {
    let (sort, behind) = (query.sort, query.page.cursor.as_ref());
    let (offset, limit) = (query.page.offset(), listing::fetched(&query.page));
    match sort.by {
        ActivitySort::CreatedAt => {
            loaded(db, in_order(matching(account, query), sort, behind), (offset, limit))
        }
        ActivitySort::DueAt => due_first(db, account, query, (offset, limit)),
    }
}

/// The same in the order in which they are due. What is due at no moment follows in a query of its own: the index has what
/// is due alone, and the databases do not agree on where they put the others.
fn due_first(
    db: &mut Db,
    account: AccountId,
    query: &ActivityQuery,
    (offset, limit): (i64, i64),
) -> QueryResult<Vec<ActivityRow>> {
    let (sort, behind) = (query.sort, query.page.cursor.as_ref());
    let due = || matching(account, query).filter(dsl::due_at.is_not_null());
    // The place of what is due at no moment has no key.
    let last = behind.filter(|place| number_key(place).is_none());
    let mut rows = match last {
        Some(_) => Vec::new(),
        None => loaded(db, in_order(due(), sort, behind), (offset, limit))?,
    };
    let left = limit - i64::try_from(rows.len()).unwrap_or(limit);
    let within_times = query.filter.due_from.is_some() || query.filter.due_to.is_some();
    if left > 0 && !within_times {
        let skipped = match offset > 0 && rows.is_empty() {
            true => offset - due().count().get_result::<i64>(db)?,
            false => 0,
        };
        let others = matching(account, query).filter(dsl::due_at.is_null());
        let by_id = Sorting { by: ActivitySort::CreatedAt, ..sort };
        rows.extend(loaded(db, in_order(others, by_id, last), (skipped, left))?);
    }
    Ok(rows)
}

fn activities(
    db: &mut Db,
    account: AccountId,
    query: &ActivityQuery,
) -> QueryResult<Page<Activity>> {
    let total = listing::total(&query.page, || matching(account, query).count().get_result(db))?;
    let page = &query.page;
    let rows = fetched(db, account, query)?;
    let read = |rows: Vec<ActivityRow>| {
        readable("activity", rows.into_iter().map(|row| (row.key(), row.activity())))
    };
    listing::page_of(rows, page, total, |row| place(row, query.sort), read)
}
