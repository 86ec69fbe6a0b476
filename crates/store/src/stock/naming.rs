//! What people name by codes: products and variants by their identifiers, SKUs and barcode numbers.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use inventory::{Sku, adjustment::Named};
use kernel::AccountId;

use super::{ledger::sku, levels::sold};
use crate::{
    db::Db,
    schema::{products, skus, variants},
};

/// What is in the catalog under each of these names; what is not is left out.
pub(crate) fn found<'n>(
    db: &mut Db,
    account: AccountId,
    names: impl IntoIterator<Item = &'n Named>,
) -> QueryResult<HashMap<Named, Sku>> {
    let (owner, account) = (account, account.to_string());
    let (mut codes, mut eans, mut ids) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut found = HashMap::new();
    for name in names {
        match name {
            Named::Code(code) => drop(codes.insert(code.as_str())),
            Named::Ean(ean) => drop(eans.insert(ean.as_str())),
            Named::Id(sku) => drop(ids.insert(*sku)),
        }
    }
    if !ids.is_empty() {
        found.extend(sold(db, owner, ids)?.into_iter().map(|sku| (Named::Id(sku), sku)));
    }
    if !codes.is_empty() {
        by_code(db, &account, &codes, &mut found)?;
    }
    if !eans.is_empty() {
        by_ean(db, &account, &eans, &mut found)?;
    }
    Ok(found)
}

fn by_code(
    db: &mut Db,
    account: &str,
    codes: &BTreeSet<&str>,
    found: &mut HashMap<Named, Sku>,
) -> QueryResult<()> {
    let holders: Vec<(String, String)> = skus::table
        .filter(skus::account_id.eq(account))
        .filter(skus::sku.eq_any(codes))
        .select((skus::sku, skus::product_id))
        .load(db)?;
    let products: BTreeSet<&str> = holders.iter().map(|(_, product)| product.as_str()).collect();
    let of_variants: Vec<(Option<String>, String, String)> = variants::table
        .filter(variants::account_id.eq(account))
        .filter(variants::product_id.eq_any(products))
        .filter(variants::sku.eq_any(codes))
        .select((variants::sku, variants::product_id, variants::id))
        .load(db)?;
    for (code, product) in &holders {
        found.insert(Named::Code(code.clone()), sku(product, "")?);
    }
    for (code, product, variant) in of_variants {
        found.extend(code.map(Named::Code).zip(Some(sku(&product, &variant)?)));
    }
    Ok(())
}

/// Several may have a barcode number: variants come first, then who was there first.
fn by_ean(
    db: &mut Db,
    account: &str,
    eans: &BTreeSet<&str>,
    found: &mut HashMap<Named, Sku>,
) -> QueryResult<()> {
    let live = products::table
        .filter(products::account_id.eq(account))
        .filter(products::deleted_at.is_null());
    let of_products: Vec<(Option<String>, String)> = live
        .filter(products::ean.eq_any(eans))
        .order(products::id.desc())
        .select((products::ean, products::id))
        .load(db)?;
    let of_variants: Vec<(Option<String>, String, String)> = variants::table
        .filter(variants::account_id.eq(account))
        .filter(variants::ean.eq_any(eans))
        .filter(variants::product_id.eq_any(live.select(products::id)))
        .order(variants::id.desc())
        .select((variants::ean, variants::product_id, variants::id))
        .load(db)?;
    for (ean, product) in of_products {
        found.extend(ean.map(Named::Ean).zip(Some(sku(&product, "")?)));
    }
    for (ean, product, variant) in of_variants {
        found.extend(ean.map(Named::Ean).zip(Some(sku(&product, &variant)?)));
    }
    Ok(())
}
