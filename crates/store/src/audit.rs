//! The audit log: what was done, recorded with its effect.

use std::sync::Arc;

use ::accounts::{
    Act, Action, AuditEntry, AuditEntryId, AuditLog, AuditQuery, Visit, Whose, audit::Fields,
};
use diesel::prelude::*;
use kernel::{AccountId, Actor, Ctx, Fault, Page, Pending, Timestamp, UserId};

use crate::{
    db::Db,
    listing::{self, newest_first},
    lookups::Key,
    readers::Cost,
    rows::{read, read_optional},
    schema::{
        api_keys,
        audit_entries::{self as table, dsl},
        memberships, users,
    },
    store::Store,
    stored::{from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct EntryRow {
    account_id: String,
    id: String,
    actor: String,
    action: String,
    subject: String,
    note: String,
    created_at: i64,
    actor_name: Option<String>,
    before: Option<String>,
    after: Option<String>,
    address: Option<String>,
    request_id: Option<String>,
}

impl EntryRow {
    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn entry(self) -> QueryResult<AuditEntry> {
        let fields = |text: Option<String>| match text {
            Some(text) => from_text(&text),
            None => Ok(Fields::new()),
        };
        Ok(AuditEntry {
            id: read(&self.id, AuditEntryId::parse)?,
            account: read(&self.account_id, AccountId::parse)?,
            actor: read(&self.actor, Actor::parse)?,
            actor_name: self.actor_name,
            action: self.action,
            resource: self.subject,
            note: Some(self.note).filter(|note| !note.is_empty()),
            before: fields(self.before)?,
            after: fields(self.after)?,
            address: read_optional(self.address, |text| text.parse().ok())?,
            request_id: self.request_id,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// Records what somebody does in the transaction of its effect; nothing where all was saved as it was.
pub(crate) fn record(tx: &mut Tx<'_>, ctx: &Ctx, act: &Act) -> QueryResult<()> {
    if !act.is_news() {
        return Ok(());
    }
    let fields = |fields: &Fields| (!fields.is_empty()).then(|| to_text(fields)).transpose();
    let trace = ctx.trace.as_deref();
    let row = EntryRow {
        account_id: ctx.account.to_string(),
        id: AuditEntryId::from_u128(tx.ids.next()).to_string(),
        actor: ctx.actor.to_string(),
        action: act.action.name().to_owned(),
        subject: act.resource.clone(),
        note: act.note.clone().unwrap_or_default(),
        created_at: ctx.now.micros(),
        actor_name: name_of(tx.db, ctx)?,
        before: fields(&act.before)?,
        after: fields(&act.after)?,
        address: trace.and_then(|trace| trace.address).map(|address| address.to_string()),
        request_id: trace.and_then(|trace| trace.request_id.clone()),
    };
    diesel::insert_into(table::table).values(&row).execute(tx.db).map(drop)
}

/// The same of what needs no fields.
pub(crate) fn note(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    action: Action,
    resource: &impl ToString,
) -> QueryResult<()> {
    record(tx, ctx, &Act::new(action, resource))
}

/// What an actor is called now: keys and users are renamed, and keys are removed some day.
fn name_of(db: &mut Db, ctx: &Ctx) -> QueryResult<Option<String>> {
    match &ctx.actor {
        Actor::Key(id) => api_keys::table
            .filter(api_keys::id.eq(id.to_string()))
            .select(api_keys::name)
            .first(db)
            .optional(),
        Actor::User(id) => {
            users::table.find(id.to_string()).select(users::email).first(db).optional()
        }
        Actor::System | Actor::Public | Actor::Operator(_) => Ok(None),
    }
}

/// Records what a user does about themselves, in each account that they are a member of.
pub(crate) fn record_of_user(
    tx: &mut Tx<'_>,
    user: UserId,
    actor: &Actor,
    visit: &Visit,
    act: &Act,
) -> QueryResult<()> {
    let accounts: Vec<String> = memberships::table
        .filter(memberships::user_id.eq(user.to_string()))
        .order(memberships::account_id)
        .select(memberships::account_id)
        .load(tx.db)?;
    for account in accounts {
        let account = read(&account, AccountId::parse)?;
        record(tx, &of_visit(account, actor.clone(), visit), act)?;
    }
    Ok(())
}

/// The circumstances of a visit in an account.
pub(crate) fn of_visit(account: AccountId, actor: Actor, visit: &Visit) -> Ctx {
    let trace = Some(Arc::clone(&visit.trace));
    Ctx { trace, ..Ctx::system(account, visit.now).by(actor) }
}

impl AuditLog for Store {
    fn entries(
        &self,
        account: AccountId,
        query: AuditQuery,
    ) -> Pending<Result<Page<AuditEntry>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| list(db, account, &query))
    }
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, query: &AuditQuery) -> Filtered {
    let mut own = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    own = match &query.actor {
        None => own,
        Some(Whose::One(actor)) => own.filter(dsl::actor.eq(actor.to_string())),
        Some(Whose::Kind(kind)) => match *kind {
            "key" => own.filter(dsl::actor.like("key_%")),
            "user" => own.filter(dsl::actor.like("usr_%")),
            "operator" => own.filter(dsl::actor.like("operator%")),
            kind => own.filter(dsl::actor.eq(kind)),
        },
    };
    if let Some(action) = query.action {
        own = own.filter(dsl::action.eq(action.name()));
    }
    if let Some(resource) = &query.resource {
        own = own.filter(dsl::subject.eq(resource.clone()));
    }
    // Identifiers begin with their moment.
    if let Some(from) = query.from {
        own = own.filter(dsl::id.ge(AuditEntryId::least_at(from).to_string()));
    }
    if let Some(to) = query.to {
        own = own.filter(dsl::id.lt(AuditEntryId::least_at(to).to_string()));
    }
    own
}

fn list(db: &mut Db, account: AccountId, query: &AuditQuery) -> QueryResult<Page<AuditEntry>> {
    let all = || matching(account, query);
    let some = |db: &mut Db, at_most| -> QueryResult<Vec<i64>> {
        all().limit(at_most).select(dsl::created_at).load(db)
    };
    let count = |db: &mut Db| all().count().get_result(db);
    let total = listing::bounded_total(db, &query.page, some, count)?;
    let rows = newest_first!(db, EntryRow, dsl::id, query.page, all())?;
    listing::newest_page(rows, &query.page, total, "audit entry", EntryRow::key, EntryRow::entry)
}
