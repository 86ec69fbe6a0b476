//! The second warehouse of the demo shop, with something in it.

use catalog::Product;
use inventory::{
    Cause, Inventory, Kind, NewAdjustment, NewLine, NewWarehouse, ProductId, Sku, StockError,
    StockFilter, StockQuery, WarehouseId,
    adjustment::{Change, Named},
    warehouse::PRIORITY_DEFAULT,
};
use kernel::{AccountId, Ctx, Refused, Timestamp};
use store::Store;

use super::shop::GONE;
use crate::answers::{outcome, read, waited, written};

const NAME: &str = "Sucursal Coyoacán";
/// Behind the first warehouse.
const PRIORITY: i64 = 2 * PRIORITY_DEFAULT;
/// How many of the products lie there too, and how many pieces of each.
const PRODUCTS: usize = 4;
const PIECES: i64 = 12;

/// Finds the warehouse or makes it, and puts something into it if it is empty.
pub(super) fn prepare(
    store: &Store,
    account: AccountId,
    products: &[Product],
    now: Timestamp,
) -> anyhow::Result<()> {
    let inventory: &dyn Inventory = store;
    let ctx = || Ctx { account, now, idempotency: None };
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
        written(inventory.adjust(ctx(), filling(products, warehouse)), GONE)?;
    }
    Ok(())
}

fn filling(products: &[Product], warehouse: WarehouseId) -> NewAdjustment {
    let line = |product: &Product| {
        let product = ProductId::from_u128(product.id.to_u128());
        let named = Named::Id(Sku { product, variant: None });
        NewLine { warehouse: Some(warehouse), named, change: Change::Delta(PIECES) }
    };
    let plain = products.iter().rev().filter(|product| product.variants.is_empty());
    NewAdjustment {
        cause: Cause::Found,
        note: None,
        reference: None,
        lines: plain.take(PRODUCTS).map(line).collect(),
    }
}
