//! What a unit of something has cost on average, and every change of that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::prelude::*;
use inventory::{
    CostChange, CostChangeId, CostQuery, CostReason, ProductId, Revalue, Sku, cost,
    receipt::Revalued,
};
use kernel::{AccountId, Amount, Ctx, Currency, Page, Timestamp, id::behind};

use super::{
    Outcome,
    adjusting::{named_lines, refuse_gone},
    ledger::{sku, variant_column},
    levels::Levels,
    places::{self, first_warehouse},
    units::Units,
};
use crate::{
    db::Db,
    listing::{self, newest_first},
    rows::{currency, read, read_name},
    schema::{cost_changes as table, products, stock_levels},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct ChangeRow {
    account_id: String,
    id: String,
    product_id: String,
    variant_id: String,
    reason: String,
    reference: Option<String>,
    on_hand: i64,
    cost_before: Option<i64>,
    cost_after: Option<i64>,
    currency: String,
    note: Option<String>,
    created_at: i64,
}

impl ChangeRow {
    fn of(account: AccountId, change: &CostChange) -> Self {
        Self {
            account_id: account.to_string(),
            id: change.id.to_string(),
            product_id: change.sku.product.to_string(),
            variant_id: variant_column(change.sku),
            reason: change.reason.name().to_owned(),
            reference: change.reference.clone(),
            on_hand: change.on_hand.quantity(change.sku.decimals),
            cost_before: change.before.map(Amount::micros),
            cost_after: change.after.map(Amount::micros),
            currency: change.currency.to_string(),
            note: change.note.clone(),
            created_at: change.created_at.micros(),
        }
    }

    fn change(self, units: &Units) -> QueryResult<CostChange> {
        let sku = units.counted(sku(&self.product_id, &self.variant_id)?);
        Ok(CostChange {
            id: read(&self.id, CostChangeId::parse)?,
            sku,
            reason: read_name(&self.reason, CostReason::EVERY, CostReason::name)?,
            reference: self.reference,
            on_hand: sku.measure(self.on_hand),
            before: self.cost_before.map(Amount::from_micros),
            after: self.cost_after.map(Amount::from_micros),
            currency: currency(&self.currency)?,
            note: self.note,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// The currencies that products are sold in.
pub(super) struct Currencies(HashMap<ProductId, Currency>);

impl Currencies {
    /// That of something that was looked for.
    pub(super) fn of(&self, sku: Sku) -> Currency {
        self.0.get(&sku.product).copied().unwrap_or(Currency::MXN)
    }
}

/// The currencies of these, removed ones too.
pub(super) fn currencies(
    db: &mut Db,
    account: AccountId,
    skus: impl Iterator<Item = Sku>,
) -> QueryResult<Currencies> {
    let ids: BTreeSet<String> = skus.map(|sku| sku.product.to_string()).collect();
    let rows: Vec<(String, String)> = products::table
        .filter(products::account_id.eq(account.to_string()))
        .filter(products::id.eq_any(ids))
        .select((products::id, products::currency))
        .load(db)?;
    let read = |(id, code): (String, String)| Ok((read(&id, ProductId::parse)?, currency(&code)?));
    rows.into_iter().map(read).collect::<QueryResult<_>>().map(Currencies)
}

/// What a unit of each of these has cost on average, if that is known, in the currency of its product.
pub(crate) fn averages(
    db: &mut Db,
    account: AccountId,
    skus: &BTreeSet<Sku>,
) -> QueryResult<BTreeMap<Sku, (Option<Amount>, Currency)>> {
    let currencies = currencies(db, account, skus.iter().copied())?;
    let products: BTreeSet<String> = skus.iter().map(|sku| sku.product.to_string()).collect();
    let rows: Vec<(String, String, Option<i64>)> = stock_levels::table
        .filter(stock_levels::account_id.eq(account.to_string()))
        .filter(stock_levels::product_id.eq_any(products))
        .filter(stock_levels::warehouse_id.eq(first_warehouse(&account.to_string())))
        .select((stock_levels::product_id, stock_levels::variant_id, stock_levels::average_cost))
        .load(db)?;
    let mut known = BTreeMap::new();
    for (product, variant, average) in rows {
        known.insert(sku(&product, &variant)?, average.map(Amount::from_micros));
    }
    let of = |sku: &Sku| (*sku, (known.get(sku).copied().flatten(), currencies.of(*sku)));
    Ok(skus.iter().map(of).collect())
}

/// A page of changes, newest first.
pub(super) fn changes(
    db: &mut Db,
    account: AccountId,
    query: &CostQuery,
) -> QueryResult<Page<CostChange>> {
    let all = || {
        let mut all = table::table.filter(table::account_id.eq(account.to_string())).into_boxed();
        if let Some(product) = query.filter.product {
            all = all.filter(table::product_id.eq(product.to_string()));
        }
        if let Some(variant) = query.filter.variant {
            all = all.filter(table::variant_id.eq(variant.to_string()));
        }
        all
    };
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, ChangeRow, table::id, &query.page, all())?;
    let key = |row: &ChangeRow| (account.to_string(), row.id.clone());
    let units = Units::of_rows(db, account, rows.iter().map(|row| &row.product_id))?;
    let change = |row: ChangeRow| row.change(&units);
    listing::newest_page(rows, &query.page, total, "cost_change", key, change)
}

/// Sets costs by hand: all lines, or none.
pub(super) fn revalue(tx: &mut Tx<'_>, ctx: &Ctx, new: &Revalue) -> Outcome<Vec<CostChange>> {
    places::keep(tx, ctx.account)?;
    let wanted = || new.lines.iter().map(|line| (&line.named, None));
    let lines = named_lines(tx, ctx, wanted())?;
    let skus: Vec<Sku> = lines.into_iter().map(|(sku, _)| sku).collect();
    let mut levels = Levels::locked(tx.db, ctx.account, skus.iter().copied())?;
    refuse_gone(tx, ctx, wanted())?;
    let currencies = currencies(tx.db, ctx.account, skus.iter().copied())?;
    let valued = |sku| levels.valued(sku, currencies.of(sku));
    let id = || CostChangeId::from_u128(tx.ids.next());
    let changes = cost::revalue(new, &skus, valued, id, ctx.now)?;
    let save = |change| save(tx.db, ctx.account, &mut levels, change);
    Ok(changes.into_iter().map(save).collect::<QueryResult<_>>()?)
}

/// Changes averages for this reason.
pub(super) fn change(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    levels: &mut Levels,
    reference: &str,
    costs: &[Revalued],
) -> QueryResult<()> {
    for revalued in costs {
        let change = CostChange {
            id: CostChangeId::from_u128(tx.ids.next()),
            sku: revalued.sku,
            reason: revalued.reason,
            reference: Some(reference.to_owned()),
            on_hand: revalued.sku.measure(revalued.before.on_hand),
            before: revalued.before.average,
            after: revalued.after,
            currency: revalued.before.currency,
            note: None,
            created_at: ctx.now,
        };
        save(tx.db, ctx.account, levels, change)?;
    }
    Ok(())
}

/// Saves a change of something that is locked, behind those before it, whatever the clocks of their nodes said: the order of
/// the identifiers is that in which a cost has changed.
fn save(
    db: &mut Db,
    account: AccountId,
    levels: &mut Levels,
    change: CostChange,
) -> QueryResult<CostChange> {
    let last: Option<String> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::product_id.eq(change.sku.product.to_string()))
        .filter(table::variant_id.eq(variant_column(change.sku)))
        .order(table::id.desc())
        .select(table::id)
        .first(db)
        .optional()?;
    let mut change = change;
    if let Some(last) = last {
        let last = read(&last, CostChangeId::parse)?;
        let id = CostChangeId::from_u128(behind(change.id.to_u128(), last.to_u128()));
        if id != change.id {
            change.created_at = change.created_at.max(id.minted_at());
            change.id = id;
        }
    }
    levels.set_average(db, change.sku, change.after)?;
    diesel::insert_into(table::table).values(&ChangeRow::of(account, &change)).execute(db)?;
    Ok(change)
}
