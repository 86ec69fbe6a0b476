//! Products by a code, each way of finding one an index of its own.

use std::{collections::BTreeSet, slice};

use catalog::{
    Code, Match,
    lookup::{MATCHES_MAX, label_skus, matches},
};
use diesel::prelude::*;
use kernel::{scale::Label, text::spellings};

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
    Ok(by_codes(db, account, slice::from_ref(code))?.pop().unwrap_or_default())
}

/// What each of these codes names, by as many queries as one of them takes.
pub(super) fn by_codes(db: &mut Db, account: &str, codes: &[Code]) -> QueryResult<Vec<Vec<Match>>> {
    let patterns = match codes.iter().any(|code| code.label_digits().is_some()) {
        true => places::scale_codes(db, account)?,
        false => Vec::new(),
    };
    let labels: Vec<Option<Label>> = codes.iter().map(|code| code.label(&patterns)).collect();
    let labelled = labels.iter().flatten().flat_map(label_skus);
    let spelt: Vec<String> = codes.iter().flat_map(|code| spellings(code.as_str())).collect();
    let own = labelled.chain(spelt.iter().map(String::as_str));
    let mut ids: BTreeSet<String> = skus::table
        .filter(skus::account_id.eq(account))
        .filter(skus::sku.eq_any(own.collect::<Vec<&str>>()))
        .select(skus::product_id)
        .load(db)?
        .into_iter()
        .collect();
    ids.extend(by_numbers(db, account, codes)?);
    if ids.is_empty() {
        return Ok(codes.iter().map(|_| Vec::new()).collect());
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
    let products = products.collect::<QueryResult<Vec<_>>>()?;
    let each = codes.iter().zip(&labels);
    Ok(each.map(|(code, label)| matches(&products, code, label.as_ref())).collect())
}

/// The products that have one of these as an article number, themselves or in a variant.
fn by_numbers(db: &mut Db, account: &str, codes: &[Code]) -> QueryResult<BTreeSet<String>> {
    let gtins: Vec<String> = codes.iter().flat_map(Code::gtins).collect();
    if gtins.is_empty() {
        return Ok(BTreeSet::new());
    }
    let at_most = EACH_MAX.saturating_mul(i64::try_from(codes.len()).unwrap_or(i64::MAX));
    let own: Vec<String> = products::table
        .filter(dsl::account_id.eq(account))
        .filter(dsl::ean.eq_any(&gtins))
        .filter(dsl::deleted_at.is_null())
        .order(dsl::id)
        .limit(at_most)
        .select(dsl::id)
        .load(db)?;
    let of_variants: Vec<String> = variants::table
        .filter(variants::account_id.eq(account))
        .filter(variants::ean.eq_any(&gtins))
        .order(variants::product_id)
        .limit(at_most)
        .select(variants::product_id)
        .load(db)?;
    // Where one number has them all, others were left out: then each is looked up by itself.
    let is_full = |ids: &[String]| i64::try_from(ids.len()).is_ok_and(|ids| ids >= at_most);
    if codes.len() > 1 && (is_full(&own) || is_full(&of_variants)) {
        let mut ids = BTreeSet::new();
        for code in codes {
            ids.extend(by_numbers(db, account, slice::from_ref(code))?);
        }
        return Ok(ids);
    }
    Ok(own.into_iter().chain(of_variants).collect())
}
