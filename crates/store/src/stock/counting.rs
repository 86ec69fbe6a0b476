//! Counting what lies on the shelves of a warehouse.

use std::collections::{BTreeMap, BTreeSet};

use catalog::lookup::label_skus;
use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use inventory::{
    PostCount, Sku, StockError, WarehouseId,
    adjustment::{Named, repeated},
    count::{
        self, COUNT_LINES_MAX, Count, CountId, CountLine, CountLineId, CountStatus, NewCount, Scan,
        Tallies, Tally, Uncountable, Uncounted, Unposted,
    },
};
use kernel::{Ctx, FieldFault, Measure, Quantity, Refused, message, text::composed};

use super::{
    Outcome, UNCOMMITTED,
    adjusting::{named_lines, refuse_gone, unknown_warehouse},
    counts,
    ledger::variant_column,
    levels::{Levels, sold, tell_low},
    naming, places,
};
use crate::{
    db::{Db, on},
    figures,
    schema::orders,
    statement::{Bound, Statement},
    tx::Tx,
};

/// How many orders are named that hold what was not found.
const ORDERS_NAMED: i64 = 5;
/// How many open orders of each status are looked through for them, the newest ones.
const ORDERS_SEARCHED: i64 = 2_000;

/// Opens a count, with a line for what is named or for all that is on hand.
pub(super) fn open(tx: &mut Tx<'_>, ctx: &Ctx, new: &NewCount) -> Outcome<Count> {
    places::keep(tx, ctx.account)?;
    // Until then, what is promised is on the shelf and not on hand.
    if !places::commits(tx.db, ctx.account)? || !all_commit(tx.db, ctx)? {
        return Err(Refused::Rule(StockError::UpgradeUnfinished).into());
    }
    let warehouse = match new.warehouse {
        None => places::settings(tx.db, ctx.account)?.default_warehouse,
        Some(id) if places::one(tx.db, ctx.account, id)?.is_some() => id,
        Some(_) => return Err(invalid("warehouseId", unknown_warehouse())),
    };
    let snapshot = snapshot(tx, ctx, warehouse, &new.named)?;
    let id = CountId::from_u128(tx.ids.next());
    let line = |(sku, on_hand)| CountLine::new(CountLineId::from_u128(tx.ids.next()), sku, on_hand);
    let lines: Vec<CountLine> = snapshot.into_iter().map(line).collect();
    let opened = Count {
        id,
        status: CountStatus::Draft,
        warehouse,
        uncounted: new.uncounted,
        note: new.note.clone(),
        lines: lines.len() as i64,
        counted: 0,
        posted: 0,
        left_out: 0,
        created_at: ctx.now,
        updated_at: ctx.now,
        posted_at: None,
        cancelled_at: None,
        version: 1,
    };
    counts::insert(tx.db, ctx.account, &opened, &lines)?;
    Ok(opened)
}

/// Whether all that is promised is kept count of: an upgrade whose end was interrupted has left open orders.
fn all_commit(db: &mut Db, ctx: &Ctx) -> QueryResult<bool> {
    let left: Option<String> = orders::table
        .filter(orders::account_id.eq(ctx.account.to_string()))
        .filter(sql::<Bool>(UNCOMMITTED))
        .select(orders::id)
        .first(db)
        .optional()?;
    Ok(left.is_none())
}

fn snapshot(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    warehouse: WarehouseId,
    named: &[Named],
) -> Outcome<Vec<(Sku, Measure)>> {
    if named.is_empty() {
        let found = counts::on_hand(tx.db, ctx.account, warehouse, COUNT_LINES_MAX + 1)?;
        if found.len() > COUNT_LINES_MAX {
            let problem = message!(
                "is required: the warehouse has more than {COUNT_LINES_MAX} products, the most of one count",
                "es obligatorio: el almacén tiene más de {COUNT_LINES_MAX} productos, el máximo de un conteo"
            );
            return Err(invalid("items", problem));
        }
        return Ok(found);
    }
    let skus: BTreeSet<Sku> = skus_of(tx, ctx, named.iter())?.into_iter().collect();
    let shelves = counts::shelves(tx.db, ctx.account, warehouse, &skus)?;
    let on_hand = |sku: &Sku| shelves.get(sku).map_or(0, |shelf| shelf.level.on_hand());
    Ok(skus.iter().map(|sku| (*sku, sku.measure(on_hand(sku)))).collect())
}

/// Counts what a scanner has read: a SKU, a barcode number or the label of a scale.
pub(super) fn scan(tx: &mut Tx<'_>, ctx: &Ctx, id: CountId, scan: &Scan) -> Outcome<CountLine> {
    // Nobody changes the decimals of a product meanwhile.
    places::keep(tx, ctx.account)?;
    let count = counts::locked(tx.db, ctx.account, id)?.ok_or(Refused::NotFound)?;
    count::expect_open(&count)?;
    let (sku, on_label) = scanned(tx.db, ctx, &scan.code)?;
    let tally = scan.tally(sku.decimals, on_label);
    let tally = tally.map_err(|problem| invalid("quantity", problem))?;
    let tallied = [(sku, "quantity".to_owned(), tally)];
    let mut lines = tally_all(tx, ctx, &count, &tallied, scan.by.as_deref())?;
    lines.pop().ok_or_else(|| Refused::NotFound.into())
}

/// What a code is of, and how much of it if it is the label of a scale that says so.
fn scanned(db: &mut Db, ctx: &Ctx, code: &str) -> Outcome<(Sku, Option<Measure>)> {
    let names = [Named::Code(composed(code)), Named::Ean(code.to_owned())];
    let known = naming::found(db, ctx.account, &names)?;
    if let Some(sku) = names.iter().find_map(|name| known.get(name).copied()) {
        return Ok((sku, None));
    }
    if let Some(shared) = naming::shared(db, ctx.account, &names)?.into_values().next() {
        return Err(invalid("code", naming::shared_by(&shared)));
    }
    let unknown = || {
        let problem = message!(
            "is the SKU or EAN of no product",
            "no es el SKU ni el EAN de ningún producto"
        );
        invalid("code", problem)
    };
    let code = catalog::Code::parse(code).map_err(|_| unknown())?;
    let patterns = places::scale_codes(db, &ctx.account.to_string())?;
    let label = code.label(&patterns).ok_or_else(unknown)?;
    let names = label_skus(&label).map(|sku| Named::Code(sku.to_owned()));
    let known = naming::found(db, ctx.account, &names)?;
    let found: BTreeSet<Sku> = known.into_values().collect();
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(sku), None) => Ok((sku, label.quantity())),
        (Some(_), Some(_)) => {
            let [padded, plain] = label_skus(&label);
            let problem = message!(
                "is the label of two products: their SKUs are {padded} and {plain}",
                "es la etiqueta de dos productos: sus SKU son {padded} y {plain}"
            );
            Err(invalid("code", problem))
        }
        _ => Err(unknown()),
    }
}

/// Counts lines: all of them, or none.
pub(super) fn tally(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: CountId,
    Tallies { lines: wanted, by }: &Tallies,
) -> Outcome<Count> {
    places::keep(tx, ctx.account)?;
    let count = counts::locked(tx.db, ctx.account, id)?.ok_or(Refused::NotFound)?;
    count::expect_open(&count)?;
    let skus = skus_of(tx, ctx, wanted.iter().map(|line| &line.named))?;
    let repeated = repeated(&skus);
    if !repeated.is_empty() {
        return Err(Refused::Invalid(repeated).into());
    }
    let tallied: Vec<(Sku, String, Tally)> = skus
        .into_iter()
        .zip(wanted)
        .enumerate()
        .map(|(index, (sku, line))| (sku, format!("items[{index}]"), line.tally))
        .collect();
    tally_all(tx, ctx, &count, &tallied, by.as_deref())?;
    counts::one(tx.db, ctx.account, id)?.ok_or_else(|| Refused::NotFound.into())
}

fn tally_all(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    count: &Count,
    tallied: &[(Sku, String, Tally)],
    by: Option<&str>,
) -> Outcome<Vec<CountLine>> {
    let skus: BTreeSet<Sku> = tallied.iter().map(|(sku, ..)| *sku).collect();
    let shelves = counts::shelves(tx.db, ctx.account, count.warehouse, &skus)?;
    let shelf = |sku: &Sku| shelves.get(sku).copied().unwrap_or_default();
    let known = counts::lines_of(tx.db, ctx.account, count.id, Some(&skus))?;
    let mut known: BTreeMap<Sku, CountLine> =
        known.into_iter().map(|line| (line.sku, line)).collect();
    let (mut added, mut counted) = (0, 0);
    let (mut faults, mut done) = (Vec::new(), Vec::new());
    for (sku, field, how) in tallied {
        let line = known.get(sku).cloned().unwrap_or_else(|| {
            added += 1;
            let id = CountLineId::from_u128(tx.ids.next());
            CountLine::new(id, *sku, sku.measure(shelf(sku).level.on_hand()))
        });
        match count::tally(&line, (field.as_str(), *how), shelf(sku), by, ctx.now) {
            Ok(after) => {
                counted += i64::from(after.counted.is_some()) - i64::from(line.counted.is_some());
                known.insert(*sku, after.clone());
                done.push(after);
            }
            Err(Uncountable::Invalid(fault)) => faults.push(fault),
            Err(Uncountable::Unkept(problem)) => {
                let field = match field.strip_prefix("items") {
                    Some(_) => format!("{field}.countedQuantity"),
                    None => field.clone(),
                };
                faults.push(FieldFault::new(field, problem));
            }
            Err(Uncountable::Moved { sku, counted }) => {
                let code = code(tx.db, ctx, sku)?;
                return Err(Refused::Rule(StockError::CountMoved { code, counted }).into());
            }
        }
    }
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults).into());
    }
    let sums = (count.lines + added, count.counted + counted, count.posted);
    if sums.0 > COUNT_LINES_MAX as i64 {
        let problem = message!(
            "leads to more than {COUNT_LINES_MAX} lines in the count; open another one",
            "lleva a más de {COUNT_LINES_MAX} partidas en el conteo; hay que abrir otro"
        );
        return Err(invalid("items", problem));
    }
    let changed: Vec<CountLine> = known.into_values().collect();
    counts::save_lines(tx.db, ctx.account, count.id, &changed)?;
    counts::save(tx.db, ctx.account, &count::went_on(count, sums, ctx.now))?;
    Ok(done)
}

/// A count of which lines are to be posted, locked with what lies on their shelves until the end of the transaction.
pub(crate) struct Held {
    count: Count,
    /// What is named of it; all of it when `None`.
    wanted: Option<BTreeSet<Sku>>,
    /// Its lines of that.
    lines: Vec<CountLine>,
    /// Those that are still to be posted.
    open: BTreeSet<Sku>,
    levels: Levels,
}

/// Locks a count that is to be posted until the end of the transaction, and what lies on its shelves.
pub(crate) fn hold(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    PostCount { id, named }: &PostCount,
) -> Outcome<Held> {
    places::keep(tx, ctx.account)?;
    let count = counts::locked(tx.db, ctx.account, *id)?.ok_or(Refused::NotFound)?;
    count::expect_open(&count)?;
    let named_skus = match named {
        None => None,
        Some(named) => Some(skus_of(tx, ctx, named.iter())?),
    };
    let wanted = named_skus.as_ref().map(|skus| skus.iter().copied().collect::<BTreeSet<Sku>>());
    let lines = counts::lines_of(tx.db, ctx.account, *id, wanted.as_ref())?;
    let zeroes = count.uncounted == Uncounted::Zero;
    let is_meant = |line: &&CountLine| zeroes || line.counted.is_some();
    let meant: BTreeSet<Sku> = lines.iter().filter(is_meant).map(|line| line.sku).collect();
    let is_unmeant = |sku: &Sku| !meant.contains(sku);
    if let Some(index) = named_skus.and_then(|skus| skus.iter().position(is_unmeant)) {
        let problem =
            message!("names something that was not counted", "nombra algo que no se ha contado");
        return Err(invalid(&format!("items[{index}]"), problem));
    }
    let is_open = |line: &&CountLine| line.posted.is_none() && is_meant(line);
    let open: BTreeSet<Sku> = lines.iter().filter(is_open).map(|line| line.sku).collect();
    let levels = Levels::locked(tx.db, ctx.account, open.iter().copied())?;
    Ok(Held { count, wanted, lines, open, levels })
}

/// Posts what was counted: the lines that are named, or all of them, which completes the count.
pub(crate) fn post(tx: &mut Tx<'_>, ctx: &Ctx, command: &PostCount) -> Outcome<Count> {
    let held = hold(tx, ctx, command)?;
    posting(tx, ctx, command, held).map(|(count, _)| count)
}

/// The same of a count that is held, with the lines that were posted by it.
pub(crate) fn posting(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &PostCount,
    Held { count, wanted, lines, open, mut levels }: Held,
) -> Outcome<(Count, Vec<CountLine>)> {
    if let Some(named) = &command.named {
        refuse_gone(tx, ctx, named.iter().map(|named| (named, None)))?;
    }
    // Only who has locked the levels of a product may remove it.
    let sold = sold(tx.db, ctx.account, open)?;
    let shelf = |sku| sold.contains(&sku).then(|| levels.shelf(sku, count.warehouse));
    let posted = match count::post(&count, &lines, wanted.as_ref(), shelf, ctx.now) {
        Ok(posted) => posted,
        Err(why) => return Err(Refused::Rule(explained(tx.db, ctx, &count, why)?).into()),
    };
    counts::save_lines(tx.db, ctx.account, count.id, &posted.lines)?;
    let uncounted = lines.iter().filter(|line| line.counted.is_none()).map(|line| line.sku);
    let uncounted: BTreeSet<Sku> = uncounted.collect();
    let zeroed = posted.lines.iter().filter(|line| uncounted.contains(&line.sku)).count() as i64;
    let now_posted = count.posted + posted.lines.len() as i64;
    let mut after =
        count::went_on(&count, (count.lines, count.counted + zeroed, now_posted), ctx.now);
    if command.named.is_none() {
        after = count::completed(&after, posted.left_out, ctx.now);
        tx.effects.count(figures::STOCK_COUNTED, 1);
    }
    counts::save(tx.db, ctx.account, &after)?;
    let totals = levels.record(tx, ctx.now, &posted.moves)?;
    tell_low(tx, ctx.account, ctx.now, &totals)?;
    Ok((after, posted.lines))
}

/// What is in the catalog under these names.
fn skus_of<'a>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    named: impl Iterator<Item = &'a Named>,
) -> Outcome<Vec<Sku>> {
    let lines = named_lines(tx, ctx, named.map(|named| (named, None)))?;
    Ok(lines.into_iter().map(|(sku, _)| sku).collect())
}

/// Calls a count off.
pub(super) fn cancel(tx: &mut Tx<'_>, ctx: &Ctx, id: CountId) -> Outcome<Count> {
    let count = counts::locked(tx.db, ctx.account, id)?.ok_or(Refused::NotFound)?;
    let cancelled = count::cancel(&count, ctx.now)?;
    counts::save(tx.db, ctx.account, &cancelled)?;
    Ok(cancelled)
}

/// Why lines cannot be posted, in words that people know them by.
fn explained(db: &mut Db, ctx: &Ctx, count: &Count, why: Unposted) -> QueryResult<StockError> {
    Ok(match why {
        Unposted::Stale(skus) => {
            let named = skus.iter().take(ORDERS_NAMED as usize);
            let codes = named.map(|sku| code(db, ctx, *sku)).collect::<QueryResult<Vec<_>>>()?;
            StockError::CountStale { codes, lines: skus.len() }
        }
        Unposted::Overtaken(sku) => StockError::CountOvertaken { code: code(db, ctx, sku)? },
        Unposted::Promised { sku, committed } => {
            let (orders, more) = holders(db, ctx, (count.warehouse, sku), committed)?;
            StockError::CountPromised { code: code(db, ctx, sku)?, committed, orders, more }
        }
        Unposted::TooMany(sku) => StockError::CountTooMany { code: code(db, ctx, sku)? },
    })
}

/// The SKU of something, or its identifier if it has none.
fn code(db: &mut Db, ctx: &Ctx, sku: Sku) -> QueryResult<String> {
    use crate::schema::{products, variants};
    let account = ctx.account.to_string();
    let product = sku.product.to_string();
    let found: Option<String> = match sku.variant {
        None => {
            products::table.find((account, product)).select(products::sku).first(db).optional()?
        }
        Some(variant) => variants::table
            .find((account, product, variant.to_string()))
            .select(variants::sku)
            .first::<Option<String>>(db)
            .optional()?
            .flatten(),
    };
    Ok(found.unwrap_or_else(|| {
        sku.variant.map_or_else(|| sku.product.to_string(), |variant| variant.to_string())
    }))
}

/// The numbers of orders that something is promised to from a warehouse and not shipped yet, the newest first, each with how
/// much of it. No index finds them by what they sell, so the newest open ones are looked through, and no more of them: others
/// wait for the writer.
const HOLDERS: &str = "SELECT h.number, CAST(SUM(h.held) AS BIGINT) FROM (SELECT o.number AS number, \
    COALESCE(a.quantity, i.quantity - i.removed) - COALESCE((SELECT SUM(x.quantity) FROM shipments s \
    JOIN shipment_items x ON x.account_id = s.account_id AND x.shipment_id = s.id WHERE s.account_id = i.account_id \
    AND s.order_id = i.order_id AND s.warehouse_id = ? AND s.status <> 'cancelled' AND x.line = i.line), 0) AS held \
    FROM (SELECT * FROM (SELECT p.account_id, p.id, p.number, p.commits FROM orders p \
    WHERE p.account_id = ? AND p.status = 'pending' ORDER BY p.id DESC LIMIT ?) AS pending \
    UNION ALL SELECT * FROM (SELECT p.account_id, p.id, p.number, p.commits FROM orders p \
    WHERE p.account_id = ? AND p.status = 'paid' ORDER BY p.id DESC LIMIT ?) AS paid) AS o \
    JOIN order_items i ON i.account_id = o.account_id AND i.order_id = o.id \
    LEFT JOIN order_allocations a ON a.account_id = i.account_id AND a.order_id = i.order_id AND a.line = i.line \
    WHERE o.commits AND i.product_id = ? AND i.variant_id = ? AND COALESCE(a.warehouse_id, ?) = ?) AS h \
    WHERE h.held > 0 GROUP BY h.number ORDER BY h.number DESC LIMIT ?";

/// Numbers of orders that hold something of what is committed in a warehouse, and whether others do, too.
fn holders(
    db: &mut Db,
    ctx: &Ctx,
    (warehouse, sku): (WarehouseId, Sku),
    committed: Measure,
) -> QueryResult<(Vec<String>, bool)> {
    let account = ctx.account.to_string();
    let warehouse = warehouse.to_string();
    let values = [
        Bound::from(warehouse.clone()),
        account.clone().into(),
        ORDERS_SEARCHED.into(),
        account.clone().into(),
        ORDERS_SEARCHED.into(),
        sku.product.to_string().into(),
        variant_column(sku).into(),
        places::first_warehouse(&account).into(),
        warehouse.into(),
        ORDERS_NAMED.into(),
    ];
    let rows: Vec<(i64, Quantity)> =
        on!(db, |conn| Statement::<(BigInt, BigInt)>::new(HOLDERS, values).load(conn))?;
    let held: Quantity = rows.iter().map(|(_, held)| held).sum();
    let numbers = rows.into_iter().map(|(number, _)| ::orders::number_text(number));
    Ok((numbers.collect(), sku.measure(held) < committed))
}

fn invalid(field: &str, problem: kernel::Message) -> crate::error::Failure<StockError> {
    Refused::Invalid(vec![FieldFault::new(field.to_owned(), problem)]).into()
}
