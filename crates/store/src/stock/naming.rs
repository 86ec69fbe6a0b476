//! What people name by codes: products and variants by their identifiers, SKUs and barcode numbers.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use inventory::{
    Sku,
    adjustment::{Named, named_by_ean},
};
use kernel::{
    AccountId, Message, message,
    text::{composed, spellings},
};

use super::{ledger::sku, levels::sold, units::Units};
use crate::{
    db::Db,
    schema::{products, skus, variants},
};

/// How many of those that share a barcode number are named.
const HOLDERS_NAMED: usize = 5;

/// What is in the catalog under each of these names, with the decimals of its quantities; what is not, or a barcode number that
/// [several](shared) have, is left out.
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
    let units = Units::of(db, owner, found.values().map(|sku| sku.product))?;
    for sku in found.values_mut() {
        *sku = units.counted(*sku);
    }
    Ok(found)
}

fn by_code(
    db: &mut Db,
    account: &str,
    codes: &BTreeSet<&str>,
    found: &mut HashMap<Named, Sku>,
) -> QueryResult<()> {
    let codes: Vec<String> = codes.iter().flat_map(|code| spellings(code)).collect();
    let holders: Vec<(String, String)> = skus::table
        .filter(skus::account_id.eq(account))
        .filter(skus::sku.eq_any(&codes))
        .select((skus::sku, skus::product_id))
        .load(db)?;
    let products: BTreeSet<&str> = holders.iter().map(|(_, product)| product.as_str()).collect();
    let of_variants: Vec<(Option<String>, String, String)> = variants::table
        .filter(variants::account_id.eq(account))
        .filter(variants::product_id.eq_any(products))
        .filter(variants::sku.eq_any(&codes))
        .select((variants::sku, variants::product_id, variants::id))
        .load(db)?;
    let own = holders.iter().map(|(code, product)| (code.as_str(), product, ""));
    let of_variants = of_variants
        .iter()
        .filter_map(|(code, product, variant)| Some((code.as_deref()?, product, variant.as_str())));
    let mut all: Vec<(&str, &String, &str)> = own.chain(of_variants).collect();
    // Of those that release 0.1 told apart by their spelling, the one that is spelled so is meant.
    all.sort_by_key(|(code, ..)| composed(code) == *code);
    for (code, product, variant) in all {
        found.insert(Named::Code(composed(code)), sku(product, variant)?);
    }
    Ok(())
}

fn by_ean(
    db: &mut Db,
    account: &str,
    eans: &BTreeSet<&str>,
    found: &mut HashMap<Named, Sku>,
) -> QueryResult<()> {
    for (ean, holders) in holders(db, account, eans)? {
        found.extend(named_by_ean(&holders).map(|sku| (Named::Ean(ean), sku)));
    }
    Ok(())
}

/// What has each of these barcode numbers.
fn holders(
    db: &mut Db,
    account: &str,
    eans: &BTreeSet<&str>,
) -> QueryResult<HashMap<String, Vec<Sku>>> {
    let live = products::table
        .filter(products::account_id.eq(account))
        .filter(products::deleted_at.is_null());
    let of_products: Vec<(Option<String>, String)> = live
        .filter(products::ean.eq_any(eans))
        .order(products::id)
        .select((products::ean, products::id))
        .load(db)?;
    let of_variants: Vec<(Option<String>, String, String)> = variants::table
        .filter(variants::account_id.eq(account))
        .filter(variants::ean.eq_any(eans))
        .filter(variants::product_id.eq_any(live.select(products::id)))
        .order(variants::id)
        .select((variants::ean, variants::product_id, variants::id))
        .load(db)?;
    let products = of_products.into_iter().map(|(ean, product)| (ean, product, String::new()));
    let mut holders: HashMap<String, Vec<Sku>> = HashMap::new();
    for (ean, product, variant) in products.chain(of_variants) {
        let Some(ean) = ean else { continue };
        holders.entry(ean).or_default().push(sku(&product, &variant)?);
    }
    Ok(holders)
}

/// Those of these names that several products or variants have, which therefore name nothing.
pub(crate) fn shared<'n>(
    db: &mut Db,
    account: AccountId,
    names: impl IntoIterator<Item = &'n Named>,
) -> QueryResult<HashMap<Named, Vec<Sku>>> {
    let eans: BTreeSet<&str> = names
        .into_iter()
        .filter_map(|name| match name {
            Named::Ean(ean) => Some(ean.as_str()),
            Named::Id(_) | Named::Code(_) => None,
        })
        .collect();
    if eans.is_empty() {
        return Ok(HashMap::new());
    }
    let mut holders = holders(db, &account.to_string(), &eans)?;
    holders.retain(|_, holders| holders.len() > 1 && named_by_ean(holders).is_none());
    Ok(holders.into_iter().map(|(ean, holders)| (Named::Ean(ean), holders)).collect())
}

/// What is said of a barcode number that these have.
pub(super) fn shared_by(holders: &[Sku]) -> Message {
    let shown = |word: &str| {
        let named = holders.iter().take(HOLDERS_NAMED).map(|holder| match holder.variant {
            Some(variant) => variant.to_string(),
            None => holder.product.to_string(),
        });
        let more = (holders.len() > HOLDERS_NAMED).then(|| word.to_owned());
        named.chain(more).collect::<Vec<_>>().join(", ")
    };
    let (named, nombrados) = (shown("and others"), shown("y otros"));
    message!(
        "is the EAN of several products or variants ({named}): name one of them by its SKU or its id",
        "es el EAN de varios productos o variantes ({nombrados}): indicar uno por su SKU o su id"
    )
}
