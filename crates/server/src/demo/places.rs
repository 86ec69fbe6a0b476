//! The second warehouse of the demo shop, with something in it.

use catalog::Product;
use inventory::{
    DispatchTransfer, Inventory, Kind, NewReceipt, NewReceiptLine, NewWarehouse, ProductId, Sku,
    StockError, StockFilter, StockQuery, WarehouseId,
    adjustment::Named,
    transfer::{NewTransfer, NewTransferLine, TransferTerms},
    warehouse::{PRIORITY_DEFAULT, first_of},
};
use kernel::{AccountId, Amount, Ctx, Measure, Refused, Timestamp};
use store::Store;

use super::shop::GONE;
use crate::answers::{outcome, read, waited, written};

const NAME: &str = "Sucursal Coyoacán";
/// Behind the first warehouse.
const PRIORITY: i64 = 2 * PRIORITY_DEFAULT;
/// How many of the products lie there too, and how many pieces of each.
const PRODUCTS: usize = 4;
const PIECES: i64 = 12;
/// How many of one of them are on their way to the first warehouse.
const SENT: i64 = 3;
/// Who they come from.
const SUPPLIER: &str = "Artesanías del Valle SA de CV";

/// Finds the warehouse or makes it, and puts something into it if it is empty.
pub(super) fn prepare(
    store: &Store,
    account: AccountId,
    products: &[Product],
    now: Timestamp,
) -> anyhow::Result<()> {
    let inventory: &dyn Inventory = store;
    let ctx = || Ctx::system(account, now);
    let known = read(inventory.warehouses(account))?;
    let warehouse = match known.into_iter().find(|warehouse| warehouse.name == NAME) {
        Some(warehouse) => warehouse.id,
        None => {
            let new = NewWarehouse {
                name: NAME.to_owned(),
                address: None,
                kind: Kind::Store,
                priority: PRIORITY,
            };
            match waited(inventory.create_warehouse(ctx(), new))? {
                // The demo of an older release, which may still be running.
                Err(Refused::Rule(StockError::UpgradeUnfinished)) => return Ok(()),
                made => outcome(made, GONE)?.id,
            }
        }
    };
    let filter = StockFilter { warehouse: Some(warehouse), ..StockFilter::default() };
    let query = StockQuery { filter, ..StockQuery::default() };
    if read(inventory.stock(account, query))?.items.is_empty() {
        written(inventory.receive(ctx(), filling(products, warehouse)), GONE)?;
        let sending = sending(products, (warehouse, first_of(account)));
        let planned = written(inventory.plan_transfer(ctx(), sending), GONE)?;
        let command = DispatchTransfer { id: planned.id, version: None };
        written(inventory.dispatch_transfer(ctx(), command), GONE)?;
    }
    Ok(())
}

/// What was bought for the warehouse, at half of what it is sold for.
fn filling(products: &[Product], warehouse: WarehouseId) -> NewReceipt {
    let line = |product: &Product| NewReceiptLine {
        warehouse: Some(warehouse),
        named: named(product),
        quantity: Measure::whole(PIECES),
        unit_cost: Some(Amount::from_micros(product.price.micros() / 2)),
    };
    NewReceipt {
        supplier: Some(SUPPLIER.to_owned()),
        reference: None,
        note: None,
        currency: None,
        received_at: None,
        lines: plain(products).take(PRODUCTS).map(line).collect(),
    }
}

/// A few pieces for the first warehouse.
fn sending(products: &[Product], (from, to): (WarehouseId, WarehouseId)) -> NewTransfer {
    let line = |product| NewTransferLine { named: named(product), quantity: Measure::whole(SENT) };
    let terms = TransferTerms { from, to, quarantine: None, reference: None, note: None };
    NewTransfer { terms, lines: plain(products).take(1).map(line).collect() }
}

/// Products without variants, the last ones first.
fn plain(products: &[Product]) -> impl Iterator<Item = &Product> {
    products.iter().rev().filter(|product| product.variants.is_empty())
}

fn named(product: &Product) -> Named {
    Named::Id(Sku::named(ProductId::from_u128(product.id.to_u128()), None))
}
