//! Rules as rows.

use ::accounts::{Act, Action, audit::Fields};
use ::approvals::{
    ApprovalError, Condition, EntityType, Level, NewRule, ReviseRule, Rule, RuleId, Value,
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, Refused, Timestamp};

use super::approvers;
use crate::{
    audit,
    db::{Db, first_locked},
    error::{Failure, refuse_stale},
    rows::{currency, read, read_name},
    schema::approval_rules::{self as table, dsl},
    stored::{from_text, to_text},
    tx::Tx,
    unreadable::readable,
};

type Outcome<T> = Result<T, Failure<ApprovalError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct RuleRow {
    account_id: String,
    id: String,
    entity_type: String,
    name: Option<String>,
    currency: Option<String>,
    conditions: String,
    levels: String,
    allow_self_approval: bool,
    expires_after_hours: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl RuleRow {
    fn of(account: AccountId, rule: &Rule) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: rule.id.to_string(),
            entity_type: rule.entity.name().to_owned(),
            name: rule.name.clone(),
            currency: rule.currency.map(|currency| currency.to_string()),
            conditions: to_text(&rule.conditions)?,
            levels: to_text(&rule.levels)?,
            allow_self_approval: rule.allow_self_approval,
            expires_after_hours: rule.expires_after_hours.into(),
            created_at: rule.created_at.micros(),
            updated_at: rule.updated_at.micros(),
            version: rule.version,
        })
    }

    fn rule(self) -> Result<Rule, DieselError> {
        Ok(Rule {
            id: read(&self.id, RuleId::parse)?,
            entity: read_name(&self.entity_type, EntityType::EVERY, EntityType::name)?,
            name: self.name,
            currency: self.currency.as_deref().map(currency).transpose()?,
            conditions: from_text(&self.conditions)?,
            levels: from_text(&self.levels)?,
            allow_self_approval: self.allow_self_approval,
            expires_after_hours: u32::try_from(self.expires_after_hours).unwrap_or(u32::MAX),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: RuleId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

pub(super) fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<Rule>> {
    let rows: Vec<RuleRow> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .order(dsl::id.desc())
        .select(RuleRow::as_select())
        .load(db)?;
    let rule = |row: RuleRow| ((row.account_id.clone(), row.id.clone()), row.rule());
    readable("approval rule", rows.into_iter().map(rule))
}

pub(super) fn one(db: &mut Db, account: AccountId, id: RuleId) -> QueryResult<Option<Rule>> {
    let row = this(account, id).select(RuleRow::as_select()).first::<RuleRow>(db).optional()?;
    row.map(RuleRow::rule).transpose()
}

/// Whether there are rules about such things.
fn names(entities: &[EntityType]) -> Vec<&'static str> {
    entities.iter().map(|entity| entity.name()).collect()
}

pub(super) fn are_there(
    db: &mut Db,
    account: AccountId,
    entities: &[EntityType],
) -> QueryResult<bool> {
    let first = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::entity_type.eq_any(names(entities)))
        .select(dsl::id)
        .first::<String>(db);
    Ok(first.optional()?.is_some())
}

/// The rules about such things. One that cannot be read is not passed over: what it guards would be open.
pub(super) fn about(
    db: &mut Db,
    account: AccountId,
    entities: &[EntityType],
) -> QueryResult<Vec<Rule>> {
    let rows: Vec<RuleRow> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::entity_type.eq_any(names(entities)))
        .order(dsl::id)
        .select(RuleRow::as_select())
        .load(db)?;
    rows.into_iter().map(RuleRow::rule).collect()
}

pub(super) fn create(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewRule) -> Outcome<Rule> {
    let own = table::table.filter(dsl::account_id.eq(ctx.account.to_string()));
    let others: i64 = own.count().get_result(tx.db)?;
    let others = usize::try_from(others).unwrap_or(usize::MAX);
    let rule = Rule::create(command.clone(), RuleId::from_u128(tx.ids.next()), others, ctx.now)?;
    approvers::refuse_others(tx.db, ctx.account, (rule.entity, &rule.levels), ctx.now)?;
    let row = RuleRow::of(ctx.account, &rule)?;
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    let act = Act::new(Action::ApprovalRuleCreated, &rule.id);
    audit::record(tx, ctx, &act.with_all(&Fields::new(), &told(&rule)))?;
    Ok(rule)
}

pub(super) fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &ReviseRule) -> Outcome<Rule> {
    let before = locked(tx, ctx.account, command.id, command.version)?;
    let after = before.changed(command.changes.clone(), ctx.now)?;
    if command.changes.levels.is_some() {
        approvers::refuse_others(tx.db, ctx.account, (after.entity, &after.levels), ctx.now)?;
    }
    if after.version != before.version {
        let row = RuleRow::of(ctx.account, &after)?;
        diesel::update(this(ctx.account, after.id)).set(&row).execute(tx.db)?;
        let act = Act::new(Action::ApprovalRuleChanged, &after.id);
        audit::record(tx, ctx, &act.with_all(&told(&before), &told(&after)))?;
    }
    Ok(after)
}

pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: RuleId,
    version: Option<i64>,
) -> Outcome<RuleId> {
    let before = locked(tx, ctx.account, id, version)?;
    diesel::delete(this(ctx.account, id)).execute(tx.db)?;
    let act = Act::new(Action::ApprovalRuleDeleted, &id);
    audit::record(tx, ctx, &act.with_all(&told(&before), &Fields::new()))?;
    Ok(id)
}

/// A rule as the audit log tells it: every part by the name that the API gives it.
fn told(rule: &Rule) -> Fields {
    let joined = |parts: Vec<String>| parts.join("; ");
    let parts = [
        ("entityType", Some(rule.entity.name().to_owned())),
        ("name", rule.name.clone()),
        ("currency", rule.currency.map(|currency| currency.to_string())),
        ("conditions", Some(joined(rule.conditions.iter().map(condition).collect()))),
        ("levels", Some(joined(rule.levels.iter().map(level).collect()))),
        ("allowSelfApproval", Some(rule.allow_self_approval.to_string())),
        ("expiresAfterHours", Some(rule.expires_after_hours.to_string())),
    ];
    let there = parts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
    there.filter(|(_, text)| !text.is_empty()).collect()
}

/// As in `total gt 500`.
fn condition(Condition { field, op, values }: &Condition) -> String {
    let value = |value: &Value| match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    };
    let values = values.iter().map(value).collect::<Vec<_>>().join(", ");
    format!("{} {} {values}", field.name(), op.name())
}

/// As in `1 of usr_…, key_…`.
fn level(level: &Level) -> String {
    let people = level.approvers.iter().map(ToString::to_string).collect::<Vec<_>>();
    format!("{} of {}", level.min_approvals, people.join(", "))
}

fn locked(tx: &mut Tx<'_>, account: AccountId, id: RuleId, version: Option<i64>) -> Outcome<Rule> {
    let row = first_locked!(
        tx.db,
        RuleRow,
        table::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    let rule = row.ok_or(Refused::NotFound)?.rule()?;
    refuse_stale(version, rule.version)?;
    Ok(rule)
}
