//! What the demo shop sells: the shelves of a Mexican corner shop.

use anyhow::{Context, anyhow};
use catalog::{
    Ean, NewProduct, NewVariant, ProductDetails, ProductStatus, Tax, TaxFactor, TaxKind,
};
use kernel::{Amount, Currency, Decimals, Measure, Metadata, Quantity};

/// Pieces that the printed order takes.
pub(super) const ORDERED_QUANTITY: Quantity = 2;

/// SAT's key of the unit "piece" (c_ClaveUnidad).
const PIECE: &str = "H87";
/// Centavos to the amount's millionths.
const CENTAVO_MICROS: i64 = 10_000;
/// What is sold in one form: its SKU, name, EAN, price in centavos, stock, SAT product key and IVA in millionths.
const PRODUCTS: &str = include_str!("data/products.tsv");
const IVA_GENERAL: i64 = 160_000;

/// Soap comes in several scents: name, SKU, EAN and stock of each.
const SOAPS: &[(&str, &str, &str, Quantity)] = &[
    ("Rosas", "JAB-TOC-150-ROS", "7509990001095", 48),
    ("Coco", "JAB-TOC-150-COC", "7509990001101", 36),
    ("Avena", "JAB-TOC-150-AVE", "7509990001118", 3),
];

/// The products, each to be made unless its SKU is there.
pub(super) fn products() -> anyhow::Result<Vec<NewProduct>> {
    let lines = PRODUCTS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| plain(line).with_context(|| line.to_owned())).chain([soap()]).collect()
}

fn plain(line: &str) -> anyhow::Result<NewProduct> {
    let columns: [&str; 7] = line.split('\t').collect::<Vec<_>>().as_slice().try_into()?;
    let [sku, name, digits, centavos, stock, sat_product_key, iva] = columns;
    let product = product(sku, name, digits, centavos.parse()?, sat_product_key, iva.parse()?)?;
    Ok(NewProduct { inventory: Measure::whole(stock.parse()?), ..product })
}

fn soap() -> anyhow::Result<NewProduct> {
    let name = "Jabón de tocador 150 g";
    let soap = product("JAB-TOC-150", name, "7509990001088", 1_990, "53131608", IVA_GENERAL)?;
    let variants: anyhow::Result<_> = SOAPS.iter().map(variant).collect();
    Ok(NewProduct { variants: variants?, ..soap })
}

fn product(
    sku: &str,
    name: &str,
    digits: &str,
    centavos: i64,
    sat_product_key: &str,
    iva: i64,
) -> anyhow::Result<NewProduct> {
    let rate = Amount::from_micros(iva);
    let iva = Tax { tax: TaxKind::Iva, factor: TaxFactor::Tasa, rate: Some(rate), withheld: false };
    Ok(NewProduct {
        external_id: None,
        name: name.to_owned(),
        sku: Some(sku.to_owned()),
        description: None,
        ean: Some(ean(digits)?),
        price: Amount::from_micros(centavos * CENTAVO_MICROS),
        currency: Currency::MXN,
        quantity_decimals: Decimals::Zero,
        inventory: Measure::ZERO,
        status: ProductStatus::Active,
        low_stock_threshold: None,
        tax_included: true,
        taxes: vec![iva],
        sat_product_key: Some(sat_product_key.to_owned()),
        sat_unit_key: Some(PIECE.to_owned()),
        details: ProductDetails::default(),
        category_ids: Vec::new(),
        metadata: Metadata::default(),
        variants: Vec::new(),
    })
}

fn variant(
    (name, sku, digits, stock): &(&'static str, &'static str, &'static str, Quantity),
) -> anyhow::Result<NewVariant> {
    Ok(NewVariant {
        name: (*name).to_owned(),
        sku: Some((*sku).to_owned()),
        ean: Some(ean(digits)?),
        price: None,
        inventory: Measure::whole(*stock),
    })
}

fn ean(digits: &str) -> anyhow::Result<Ean> {
    Ean::parse(digits).map_err(|problem| anyhow!("the demo's EAN {digits} {problem}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use catalog::product::{checked_sat_product_key, checked_sat_unit_key};

    use super::*;

    #[test]
    fn shelves_hold_what_the_catalog_accepts() {
        let products = products().unwrap();
        assert_eq!(products.len(), 40);
        assert!(products.iter().any(|product| !product.variants.is_empty()));
        let mut skus = HashSet::new();
        let mut eans = HashSet::new();
        for product in &products {
            let sat_product_key = product.sat_product_key.as_deref().unwrap();
            checked_sat_product_key(sat_product_key).unwrap();
            checked_sat_unit_key(product.sat_unit_key.as_deref().unwrap()).unwrap();
            assert!(product.taxes.iter().all(|tax| tax.problem().is_none()));
            assert!(
                skus.insert(product.sku.clone())
                    && eans.insert(product.ean.clone().unwrap().to_string())
            );
            for variant in &product.variants {
                assert!(skus.insert(variant.sku.clone()));
                assert!(eans.insert(variant.ean.clone().unwrap().to_string()));
            }
        }
        assert!(products.first().unwrap().inventory >= Measure::whole(ORDERED_QUANTITY));
    }
}
