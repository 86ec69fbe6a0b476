//! What products are called.

use catalog::{ProductId, ProductNames, VariantId, VariantNames};
use diesel::prelude::*;
use kernel::AccountId;

use crate::{
    db::{Db, on},
    rows::read,
    schema::{products, variants},
};

/// A product with one of its variants, or alone where it has none.
type Row = (String, String, String, Option<String>, Option<String>, Option<String>);

pub(crate) fn of(
    db: &mut Db,
    account: AccountId,
    ids: &[ProductId],
) -> QueryResult<Vec<ProductNames>> {
    let of_product =
        variants::account_id.eq(products::account_id).and(variants::product_id.eq(products::id));
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let rows: Vec<Row> = on!(db, |conn| products::table
        .left_join(variants::table.on(of_product))
        .filter(products::account_id.eq(account.to_string()))
        .filter(products::deleted_at.is_null())
        .filter(products::id.eq_any(ids))
        .order((products::id, variants::position))
        .select((
            products::id,
            products::name,
            products::sku,
            variants::id.nullable(),
            variants::name.nullable(),
            variants::sku.nullable(),
        ))
        .load::<Row>(conn))?;
    let mut found: Vec<ProductNames> = Vec::new();
    for (id, name, sku, variant, variant_name, variant_sku) in rows {
        let id = read(&id, ProductId::parse)?;
        if found.last().is_none_or(|last| last.id != id) {
            found.push(ProductNames { id, name, sku, variants: Vec::new() });
        }
        if let (Some(last), Some(variant)) = (found.last_mut(), variant) {
            let id = read(&variant, VariantId::parse)?;
            let name = variant_name.unwrap_or_default();
            last.variants.push(VariantNames { id, name, sku: variant_sku });
        }
    }
    Ok(found)
}
