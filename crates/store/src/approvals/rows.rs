//! Requests and decisions as rows.

use std::collections::HashMap;

use ::approvals::{
    Approval, ApprovalId, ApprovalQuery, CommandKind, Decision, Effect, EntityType, Outcome,
    Person, Status, Verdict,
};
use diesel::{prelude::*, result::Error as DieselError, sql_types::Integer};
use kernel::{AccountId, Page, Timestamp};

use super::figures;
use crate::{
    db::{Db, first_locked},
    listing::{self, newest_first},
    rows::{corrupt, micros, moment, read, read_name},
    schema::{
        approval_decisions,
        approvals::{self as table, dsl},
    },
    stored::{from_text, to_text},
    tx::Tx,
    unreadable::readable,
};

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct ApprovalRow {
    account_id: String,
    id: String,
    entity_type: String,
    entity_id: String,
    command_kind: Option<String>,
    command: Option<String>,
    facts: String,
    digest: String,
    requirements: String,
    reason: Option<String>,
    requested_by: String,
    status: String,
    level: i64,
    effect: String,
    result: Option<String>,
    created_at: i64,
    updated_at: i64,
    expires_at: i64,
    ended_at: Option<i64>,
    version: i64,
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = approval_decisions, treat_none_as_default_value = false)]
struct DecisionRow {
    account_id: String,
    approval_id: String,
    person: String,
    verdict: String,
    level: i64,
    comment: Option<String>,
    decided_at: i64,
    place: i64,
}

/// A request with the command that waits for it, as it is written down.
pub(super) struct Kept {
    pub(super) approval: Approval,
    pub(super) command: Option<String>,
}

impl ApprovalRow {
    fn of(account: AccountId, kept: &Kept) -> Result<Self, DieselError> {
        let approval = &kept.approval;
        let result = approval.outcome.as_ref().map(|outcome| match outcome {
            Outcome::Made(text) => Ok(text.clone()),
            Outcome::Refused(refusal) => to_text(refusal),
        });
        Ok(Self {
            account_id: account.to_string(),
            id: approval.id.to_string(),
            entity_type: approval.entity.name().to_owned(),
            entity_id: approval.entity_id.clone(),
            command_kind: approval.command.map(|kind| kind.name().to_owned()),
            command: kept.command.clone(),
            facts: to_text(&approval.facts)?,
            digest: approval.digest.clone(),
            requirements: to_text(&approval.requirements)?,
            reason: approval.reason.clone(),
            requested_by: approval.requested_by.to_string(),
            status: approval.status.name().to_owned(),
            level: approval.level.into(),
            effect: approval.effect.name().to_owned(),
            result: result.transpose()?,
            created_at: approval.created_at.micros(),
            updated_at: approval.updated_at.micros(),
            expires_at: approval.expires_at.micros(),
            ended_at: micros(approval.ended_at),
            version: approval.version,
        })
    }

    fn kept(self, decisions: Vec<Decision>) -> Result<Kept, DieselError> {
        let effect = read_name(&self.effect, Effect::EVERY, Effect::name)?;
        let outcome = match (effect, self.result) {
            (Effect::Applied, Some(text)) => Some(Outcome::Made(text)),
            (Effect::Failed, Some(text)) => Some(Outcome::Refused(from_text(&text)?)),
            _ => None,
        };
        let kind = self.command_kind.as_deref();
        let kind = kind.map(|name| read_name(name, CommandKind::EVERY, CommandKind::name));
        let approval = Approval {
            id: read(&self.id, ApprovalId::parse)?,
            entity: read_name(&self.entity_type, EntityType::EVERY, EntityType::name)?,
            entity_id: self.entity_id,
            command: kind.transpose()?,
            facts: from_text(&self.facts)?,
            digest: self.digest,
            requirements: from_text(&self.requirements)?,
            reason: self.reason,
            requested_by: read(&self.requested_by, Person::parse)?,
            status: read_name(&self.status, Status::EVERY, Status::name)?,
            level: u32::try_from(self.level).map_err(|_| corrupt("a level below the first"))?,
            decisions,
            effect,
            outcome,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            expires_at: Timestamp::from_micros(self.expires_at),
            ended_at: moment(self.ended_at),
            version: self.version,
        };
        Ok(Kept { approval, command: self.command })
    }
}

impl DecisionRow {
    fn decision(self) -> Result<Decision, DieselError> {
        Ok(Decision {
            by: read(&self.person, Person::parse)?,
            verdict: read_name(&self.verdict, Verdict::EVERY, Verdict::name)?,
            level: u32::try_from(self.level).map_err(|_| corrupt("a level below the first"))?,
            comment: self.comment,
            at: Timestamp::from_micros(self.decided_at),
        })
    }
}

/// The decisions on some requests, by these, in their order, or why one of them cannot be read.
fn decisions(
    db: &mut Db,
    account: &str,
    ids: Vec<&str>,
) -> QueryResult<HashMap<String, QueryResult<Vec<Decision>>>> {
    let rows: Vec<DecisionRow> = approval_decisions::table
        .filter(approval_decisions::account_id.eq(account))
        .filter(approval_decisions::approval_id.eq_any(ids))
        .order((approval_decisions::approval_id, approval_decisions::place))
        .select(DecisionRow::as_select())
        .load(db)?;
    let mut decided = HashMap::new();
    for row in rows {
        let known = decided.entry(row.approval_id.clone()).or_insert_with(|| Ok(Vec::new()));
        match (known.as_mut(), row.decision()) {
            (Ok(known), Ok(decision)) => known.push(decision),
            (Ok(_), Err(error)) => *known = Err(error),
            (Err(_), _) => {}
        }
    }
    Ok(decided)
}

fn with_decisions(db: &mut Db, row: Option<ApprovalRow>) -> QueryResult<Option<Kept>> {
    let Some(row) = row else { return Ok(None) };
    let decided = decisions(db, &row.account_id, vec![&row.id])?;
    let decided = decided.into_values().next().unwrap_or_else(|| Ok(Vec::new()));
    row.kept(decided?).map(Some)
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: ApprovalId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

pub(super) fn by_id(
    db: &mut Db,
    account: AccountId,
    id: ApprovalId,
) -> QueryResult<Option<Approval>> {
    let row = this(account, id).select(ApprovalRow::as_select()).first(db).optional()?;
    Ok(with_decisions(db, row)?.map(|kept| kept.approval))
}

/// A request, locked until the end of the transaction.
pub(super) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ApprovalId,
) -> QueryResult<Option<Kept>> {
    let row = first_locked!(
        tx.db,
        ApprovalRow,
        table::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    with_decisions(tx.db, row)
}

/// The request that waits with the very same command, about what is as it was.
pub(super) fn waiting(
    db: &mut Db,
    account: AccountId,
    (entity_id, command, digest): (&str, &str, &str),
    now: Timestamp,
) -> QueryResult<Option<ApprovalId>> {
    let id: Option<String> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::entity_id.eq(entity_id))
        .filter(dsl::status.eq(Status::Pending.name()))
        .filter(dsl::expires_at.gt(now.micros()))
        .filter(dsl::command.eq(command))
        .filter(dsl::digest.eq(digest))
        .select(dsl::id)
        .first(db)
        .optional()?;
    id.map(|id| read(&id, ApprovalId::parse)).transpose()
}

/// The commands of a kind about something that wait for requests.
pub(super) fn waiting_commands(
    db: &mut Db,
    account: AccountId,
    (entity_id, kind): (&str, CommandKind),
    now: Timestamp,
) -> QueryResult<Vec<String>> {
    let commands: Vec<Option<String>> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::entity_id.eq(entity_id))
        .filter(dsl::command_kind.eq(kind.name()))
        .filter(dsl::status.eq(Status::Pending.name()))
        .filter(dsl::expires_at.gt(now.micros()))
        .select(dsl::command)
        .load(db)?;
    Ok(commands.into_iter().flatten().collect())
}

pub(super) fn insert(tx: &mut Tx<'_>, account: AccountId, kept: &Kept) -> QueryResult<()> {
    let row = ApprovalRow::of(account, kept)?;
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    tx.effects.count(figures::REQUESTED, 1);
    Ok(())
}

/// Saves a request over the one that was seen, with the decisions that came since.
pub(super) fn save(
    tx: &mut Tx<'_>,
    account: AccountId,
    seen: &Approval,
    kept: &Kept,
) -> QueryResult<()> {
    let row = ApprovalRow::of(account, kept)?;
    let unchanged = this(account, seen.id)
        .filter(dsl::status.eq(seen.status.name()))
        .filter(dsl::level.eq(i64::from(seen.level)))
        .filter(dsl::version.eq(seen.version));
    if diesel::update(unchanged).set(&row).execute(tx.db)? == 0 {
        return Err(corrupt("a request that has changed under its lock"));
    }
    let ended = figures::ended(kept.approval.status).filter(|_| seen.status == Status::Pending);
    if let Some(figure) = ended {
        tx.effects.count(figure, 1);
    }
    let before = seen.decisions.len();
    for (place, decision) in kept.approval.decisions.iter().enumerate().skip(before) {
        let row = DecisionRow {
            account_id: account.to_string(),
            approval_id: seen.id.to_string(),
            person: decision.by.to_string(),
            verdict: decision.verdict.name().to_owned(),
            level: decision.level.into(),
            comment: decision.comment.clone(),
            decided_at: decision.at.micros(),
            place: i64::try_from(place).unwrap_or(i64::MAX),
        };
        diesel::insert_into(approval_decisions::table).values(&row).execute(tx.db)?;
    }
    Ok(())
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn filtered(account: AccountId, query: &ApprovalQuery) -> Filtered {
    let entities: Vec<&str> = query.entities.iter().map(|entity| entity.name()).collect();
    let mut approvals = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::entity_type.eq_any(entities))
        .into_boxed();
    if let Some(id) = &query.entity_id {
        approvals = approvals.filter(dsl::entity_id.eq(id.clone()));
    }
    let (pending, now) = (Status::Pending.name(), query.now.micros());
    match query.status {
        None => approvals,
        Some(Status::Pending) => {
            approvals.filter(dsl::status.eq(pending)).filter(dsl::expires_at.gt(now))
        }
        Some(Status::Expired) => {
            let unmarked = dsl::status.eq(pending).and(dsl::expires_at.le(now));
            approvals.filter(dsl::status.eq(Status::Expired.name()).or(unmarked))
        }
        Some(status) => approvals.filter(dsl::status.eq(status.name())),
    }
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    query: &ApprovalQuery,
) -> QueryResult<Page<Approval>> {
    let all = || filtered(account, query);
    let some = |db: &mut Db, at_most| -> QueryResult<Vec<i32>> {
        all().limit(at_most).select(1.into_sql::<Integer>()).load(db)
    };
    let count = |db: &mut Db| all().count().get_result(db);
    let total = listing::bounded_total(db, &query.page, some, count)?;
    let rows = newest_first!(db, ApprovalRow, dsl::id, query.page, all())?;
    let ids = rows.iter().map(|row| row.id.as_str()).collect();
    let mut decided = decisions(db, &account.to_string(), ids)?;
    let behind = |row: &ApprovalRow| listing::by_id(&row.id);
    listing::page_of(rows, &query.page, total, behind, |rows| {
        let approval = |row: ApprovalRow| {
            let key = (row.account_id.clone(), row.id.clone());
            let decisions = decided.remove(&row.id).unwrap_or_else(|| Ok(Vec::new()));
            (key, decisions.and_then(|decisions| row.kept(decisions)).map(|kept| kept.approval))
        };
        readable("approval", rows.into_iter().map(approval))
    })
}

/// The command of a request that is on its way.
pub(super) fn queued_command(
    db: &mut Db,
    account: AccountId,
    id: ApprovalId,
) -> QueryResult<Option<String>> {
    let queued = this(account, id).filter(dsl::effect.eq(Effect::Queued.name()));
    Ok(queued.select(dsl::command).first::<Option<String>>(db).optional()?.flatten())
}
