//! The branches of an account.

use ::accounts::{
    Act, Action,
    audit::{Fields, present},
};
use ::invoices::{
    Branch, BranchId, BranchSeries, InvoiceError, IssuerId, NewBranch, UpdateBranch,
    branch::{create as made, update as updated},
    issuer::unknown,
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, Refused, Timestamp};

use super::issuers;
use crate::{
    audit,
    db::{Db, first_locked},
    error::{Failure, refuse_stale},
    rows::read,
    schema::branches::{self, dsl},
    stock::places,
    stored::{from_text, to_text},
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = branches, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct BranchRow {
    account_id: String,
    id: String,
    name: String,
    issuer_id: Option<String>,
    place_of_issue: String,
    series: String,
    address: String,
    phone: Option<String>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl BranchRow {
    fn of(account: AccountId, branch: &Branch) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: branch.id.to_string(),
            name: branch.name.clone(),
            issuer_id: branch.issuer.map(|id| id.to_string()),
            place_of_issue: branch.place_of_issue.clone(),
            series: to_text(&branch.series)?,
            address: to_text(&branch.address)?,
            phone: branch.phone.clone(),
            created_at: branch.created_at.micros(),
            updated_at: branch.updated_at.micros(),
            version: branch.version,
        })
    }

    fn branch(self) -> Result<Branch, DieselError> {
        let series: BranchSeries = from_text(&self.series)?;
        let issuer = self.issuer_id.as_deref().map(|id| read(id, IssuerId::parse));
        Ok(Branch {
            id: read(&self.id, BranchId::parse)?,
            name: self.name,
            issuer: issuer.transpose()?,
            place_of_issue: self.place_of_issue,
            series,
            address: from_text(&self.address)?,
            phone: self.phone,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: BranchId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    branches::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

pub(super) fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<Branch>> {
    let rows: Vec<BranchRow> = branches::table
        .filter(dsl::account_id.eq(account.to_string()))
        .order(dsl::id.desc())
        .select(BranchRow::as_select())
        .load(db)?;
    rows.into_iter().map(BranchRow::branch).collect()
}

pub(super) fn one(db: &mut Db, account: AccountId, id: BranchId) -> QueryResult<Option<Branch>> {
    let row = this(account, id).select(BranchRow::as_select()).first::<BranchRow>(db).optional()?;
    row.map(BranchRow::branch).transpose()
}

/// All branches, of which nobody else makes or renames one until the end of the transaction.
fn named(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<Vec<Branch>> {
    places::lock(tx, account)?;
    all(tx.db, account)
}

/// Makes a branch.
pub(super) fn create(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewBranch) -> Outcome<Branch> {
    let known = named(tx, ctx.account)?;
    require_issuer(tx, ctx, command.issuer)?;
    let id = BranchId::from_u128(tx.ids.next());
    let branch = made(command.clone(), &known, id, ctx.now)?;
    let row = BranchRow::of(ctx.account, &branch)?;
    diesel::insert_into(branches::table).values(&row).execute(tx.db)?;
    let act = Act::new(Action::BranchCreated, &branch.id);
    audit::record(tx, ctx, &act.with_all(&Fields::new(), &told(&branch)))?;
    Ok(branch)
}

/// Changes a branch.
pub(super) fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &UpdateBranch) -> Outcome<Branch> {
    let known = match &command.changes.name {
        Some(_) => named(tx, ctx.account)?,
        None => Vec::new(),
    };
    require_issuer(tx, ctx, command.changes.issuer.flatten())?;
    let before = locked(tx, ctx.account, command.id, command.version)?;
    let as_it_was = told(&before);
    let after = updated(before, &known, command.changes.clone(), ctx.now)?;
    let row = BranchRow::of(ctx.account, &after)?;
    diesel::update(this(ctx.account, after.id)).set(&row).execute(tx.db)?;
    let act = Act::new(Action::BranchChanged, &after.id);
    audit::record(tx, ctx, &act.with_all(&as_it_was, &told(&after)))?;
    Ok(after)
}

/// Deletes a branch.
pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: BranchId,
    version: Option<i64>,
) -> Outcome<BranchId> {
    let branch = locked(tx, ctx.account, id, version)?;
    diesel::delete(this(ctx.account, id)).execute(tx.db)?;
    let act = Act::new(Action::BranchDeleted, &id);
    audit::record(tx, ctx, &act.with_all(&told(&branch), &Fields::new()))?;
    Ok(id)
}

/// A branch as the audit log tells it: every part by the name that the API gives it.
fn told(branch: &Branch) -> Fields {
    let address = Some(branch.address.join("; ")).filter(|address| !address.is_empty());
    let parts = [
        ("name", Some(branch.name.clone())),
        ("issuerId", branch.issuer.map(|id| id.to_string())),
        ("placeOfIssue", Some(branch.place_of_issue.clone())),
        ("series.income", branch.series.income.clone()),
        ("series.credit", branch.series.credit.clone()),
        ("series.payment", branch.series.payment.clone()),
        ("series.transfer", branch.series.transfer.clone()),
        ("address", address),
        ("phone", branch.phone.clone()),
    ];
    present(parts)
}

fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: BranchId,
    version: Option<i64>,
) -> Outcome<Branch> {
    let row = first_locked!(
        tx.db,
        BranchRow,
        branches::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    let branch = row.ok_or(Refused::NotFound)?.branch()?;
    refuse_stale(version, branch.version)?;
    Ok(branch)
}

/// Refuses an issuer that the account has not. Nobody deletes it until the end of the transaction.
fn require_issuer(tx: &mut Tx<'_>, ctx: &Ctx, issuer: Option<IssuerId>) -> Outcome<()> {
    let Some(id) = issuer else { return Ok(()) };
    issuers::lock(tx, ctx.account)?;
    match issuers::one(tx.db, ctx.account, Some(id))? {
        Some(_) => Ok(()),
        None => Err(unknown().into()),
    }
}
