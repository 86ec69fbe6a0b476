//! The ledger as rows.

use diesel::prelude::*;
use inventory::{Move, Movement, MovementId, ProductId, Reason, Sku, VariantId, WarehouseId};
use kernel::{Amount, Timestamp};

use super::units::Units;
use crate::{
    rows::{read, read_name},
    schema::stock_movements,
};

/// What the identifier of the place between two warehouses begins with.
pub(crate) const TRANSIT_PREFIX: &str = "wht_";

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = stock_movements, treat_none_as_default_value = false)]
pub(crate) struct MovementRow {
    pub(crate) account_id: String,
    pub(crate) id: String,
    pub(crate) product_id: String,
    pub(crate) variant_id: String,
    pub(crate) warehouse_id: String,
    pub(crate) delta: i64,
    pub(crate) quantity_after: i64,
    pub(crate) reason: String,
    pub(crate) reference: String,
    pub(crate) created_at: i64,
    pub(crate) committed_delta: i64,
    pub(crate) unit_cost: Option<i64>,
    pub(crate) note: Option<String>,
}

impl MovementRow {
    pub(crate) fn of(
        account: &str,
        id: MovementId,
        (moved, place): (&Move, &str),
        quantity_after: i64,
        now: Timestamp,
    ) -> Self {
        Self {
            account_id: account.to_owned(),
            id: id.to_string(),
            product_id: moved.sku.product.to_string(),
            variant_id: variant_column(moved.sku),
            warehouse_id: place.to_owned(),
            delta: moved.delta,
            quantity_after,
            reason: moved.reason.name().to_owned(),
            reference: moved.reference.clone(),
            created_at: now.micros(),
            committed_delta: moved.committed_delta,
            unit_cost: moved.unit_cost.map(Amount::micros),
            note: moved.note.clone(),
        }
    }

    pub(super) fn movement(self, units: &Units) -> QueryResult<Movement> {
        let warehouse = match self.warehouse_id.starts_with(TRANSIT_PREFIX) {
            true => None,
            false => Some(read(&self.warehouse_id, WarehouseId::parse)?),
        };
        Ok(Movement {
            id: read(&self.id, MovementId::parse)?,
            sku: units.counted(sku(&self.product_id, &self.variant_id)?),
            warehouse,
            delta: self.delta,
            committed_delta: self.committed_delta,
            quantity_after: self.quantity_after,
            reason: read_name(&self.reason, Reason::EVERY, Reason::name)?,
            reference: Some(self.reference).filter(|reference| !reference.is_empty()),
            unit_cost: self.unit_cost.map(Amount::from_micros),
            note: self.note,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// Names a product or variant, from its two columns; those do not tell the decimals of its quantities.
pub(crate) fn sku(product: &str, variant: &str) -> QueryResult<Sku> {
    let variant = (!variant.is_empty()).then(|| read(variant, VariantId::parse)).transpose()?;
    Ok(Sku::named(read(product, ProductId::parse)?, variant))
}

/// The variant's identifier as a column, empty when none is named.
pub(crate) fn variant_column(sku: Sku) -> String {
    sku.variant.map(|id| id.to_string()).unwrap_or_default()
}
