//! What of stock an import has been about. Two of its rows may mean the same without saying the same: by a SKU and by a
//! barcode number, and in a warehouse by its name, by its identifier, and by naming none.

use std::collections::HashSet;

use ::imports::{Batch, Column};
use diesel::{prelude::*, sql_types::Text};
use inventory::{Sku, WarehouseId};

use crate::{
    db::Db,
    statement::{Bound, Statement, columns},
};

/// Something, and where it lies.
pub(super) type Spot = (Sku, WarehouseId);

struct CountedRow {
    account_id: String,
    import_id: String,
    item_id: String,
    warehouse_id: String,
}

impl CountedRow {
    fn of(batch: &Batch, (sku, warehouse): Spot) -> Self {
        Self {
            account_id: batch.account.to_string(),
            import_id: batch.import.to_string(),
            item_id: match sku.variant {
                Some(variant) => variant.to_string(),
                None => sku.product.to_string(),
            },
            warehouse_id: warehouse.to_string(),
        }
    }
}

/// Those of these that no earlier batch of the import was about; the later ones find them here.
pub(super) fn fresh(
    db: &mut Db,
    batch: &Batch,
    spots: HashSet<Spot>,
) -> QueryResult<HashSet<Spot>> {
    if spots.is_empty() || !may_coincide(batch) {
        return Ok(spots);
    }
    let rows: Vec<(Spot, CountedRow)> =
        spots.into_iter().map(|spot| (spot, CountedRow::of(batch, spot))).collect();
    match db {
        Db::Sqlite(conn) => {
            let mut fresh = HashSet::new();
            for (spot, row) in rows {
                let CountedRow { account_id, import_id, item_id, warehouse_id } = row;
                let insert = Statement::<()>::new(
                    "INSERT INTO import_stock (account_id, import_id, item_id, warehouse_id) VALUES (?, ?, ?, ?) \
                     ON CONFLICT DO NOTHING",
                    [account_id, import_id, item_id, warehouse_id].map(Bound::from),
                );
                if insert.execute(conn)? > 0 {
                    fresh.insert(spot);
                }
            }
            Ok(fresh)
        }
        Db::Postgres(conn) => {
            let all: Vec<&CountedRow> = rows.iter().map(|(_, row)| row).collect();
            let columns = columns!(
                all, Texts account_id, Texts import_id, Texts item_id, Texts warehouse_id,
            );
            let insert = Statement::<(Text, Text)>::new(
                "INSERT INTO import_stock (account_id, import_id, item_id, warehouse_id) SELECT * FROM ? AS w \
                 ON CONFLICT DO NOTHING RETURNING item_id, warehouse_id",
                [Bound::from(columns)],
            );
            let added: Vec<(String, String)> = insert.load(conn)?;
            let added: HashSet<(String, String)> = added.into_iter().collect();
            let rows = rows.into_iter().map(|(spot, row)| (spot, (row.item_id, row.warehouse_id)));
            Ok(rows.filter(|(_, key)| added.contains(key)).map(|(spot, _)| spot).collect())
        }
    }
}

/// Whether rows that say different things may mean the same. Those that say the same are told when the file is read.
fn may_coincide(batch: &Batch) -> bool {
    let has = |column: Column| batch.columns.iter().any(|(_, field)| field == column.name());
    has(Column::Warehouse) || (has(Column::Sku) && has(Column::Ean))
}
