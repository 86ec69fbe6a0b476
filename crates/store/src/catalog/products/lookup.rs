//! Products by a code, each way of finding one an index of its own.

use std::collections::BTreeSet;

use catalog::{
    Code, Match,
    lookup::{MATCHES_MAX, label_skus, matches},
};
use diesel::prelude::*;

use super::rows::{ProductRow, Rows, all_with_variants};
use crate::{
    db::Db,
    schema::{
        products::{self, dsl},
        skus, variants,
    },
    stock::places,
};

/// The most products of one article number that are read.
const EACH_MAX: i64 = MATCHES_MAX as i64;

pub(super) fn by_code(db: &mut Db, account: &str, code: &Code) -> QueryResult<Vec<Match>> {
    let label = match code.label_digits() {
        Some(_) => code.label(&places::scale_codes(db, account)?),
        None => None,
    };
    let own = label.iter().flat_map(label_skus).chain([code.as_str()]);
    let mut ids: BTreeSet<String> = skus::table
        .filter(skus::account_id.eq(account))
        .filter(skus::sku.eq_any(own.collect::<Vec<&str>>()))
        .select(skus::product_id)
        .load(db)?
        .into_iter()
        .collect();
    let gtins = code.gtins();
    if !gtins.is_empty() {
        let own: Vec<String> = products::table
            .filter(dsl::account_id.eq(account))
            .filter(dsl::ean.eq_any(&gtins))
            .filter(dsl::deleted_at.is_null())
            .order(dsl::id)
            .limit(EACH_MAX)
            .select(dsl::id)
            .load(db)?;
        let of_variants: Vec<String> = variants::table
            .filter(variants::account_id.eq(account))
            .filter(variants::ean.eq_any(&gtins))
            .order(variants::product_id)
            .limit(EACH_MAX)
            .select(variants::product_id)
            .load(db)?;
        ids.extend(own.into_iter().chain(of_variants));
    }
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<ProductRow> = products::table
        .filter(dsl::account_id.eq(account))
        .filter(dsl::id.eq_any(ids))
        .filter(dsl::deleted_at.is_null())
        .order(dsl::id)
        .select(ProductRow::as_select())
        .load(db)?;
    let found = all_with_variants(db, rows, Rows::Scattered)?;
    let products = found.into_iter().map(|(_, product)| product);
    Ok(matches(&products.collect::<QueryResult<Vec<_>>>()?, code, label.as_ref()))
}
