//! What the demo shop sells: the shelves of a Mexican corner shop.

use anyhow::anyhow;
use catalog::{Ean, NewProduct, NewVariant, ProductStatus, Tax, TaxFactor, TaxKind};
use kernel::{Amount, Currency, Metadata, Quantity};

/// Pieces that the printed order takes.
pub(super) const ORDERED_QUANTITY: Quantity = 2;

/// SAT's key of the unit "piece" (c_ClaveUnidad).
const PIECE: &str = "H87";
/// Centavos to the amount's millionths.
const CENTAVO_MICROS: i64 = 10_000;
/// IVA in millionths: food bears none, other goods 16 %.
const IVA_FOOD: i64 = 0;
const IVA_GENERAL: i64 = 160_000;

/// One product on the shelf.
struct Shelf {
    sku: &'static str,
    name: &'static str,
    ean: &'static str,
    centavos: i64,
    stock: Quantity,
    sat_product_key: &'static str,
    iva: i64,
    /// Name, SKU, EAN and stock of each variant.
    variants: &'static [(&'static str, &'static str, &'static str, Quantity)],
}

const SHELVES: &[Shelf] = &[
    Shelf {
        sku: "CAF-OLLA-500",
        name: "Café de olla molido con canela 500 g",
        ean: "7509990001019",
        centavos: 11_800,
        stock: 120,
        sat_product_key: "50201706",
        iva: IVA_FOOD,
        variants: &[],
    },
    Shelf {
        sku: "PIL-GRA-500",
        name: "Piloncillo granulado 500 g",
        ean: "7509990001026",
        centavos: 4_250,
        stock: 80,
        sat_product_key: "50161509",
        iva: IVA_FOOD,
        variants: &[],
    },
    Shelf {
        sku: "ACE-MAI-900",
        name: "Aceite de maíz 900 ml",
        ean: "7509990001033",
        centavos: 5_490,
        stock: 60,
        sat_product_key: "50151513",
        iva: IVA_FOOD,
        variants: &[],
    },
    Shelf {
        sku: "ARR-BLA-1K",
        name: "Arroz blanco 1 kg",
        ean: "7509990001040",
        centavos: 3_200,
        stock: 150,
        sat_product_key: "50221101",
        iva: IVA_FOOD,
        variants: &[],
    },
    Shelf {
        sku: "LEC-ENT-1L",
        name: "Leche entera 1 l",
        ean: "7509990001057",
        centavos: 2_850,
        stock: 96,
        sat_product_key: "50131702",
        iva: IVA_FOOD,
        variants: &[],
    },
    Shelf {
        sku: "HUE-BLA-18",
        name: "Huevo blanco, 18 piezas",
        ean: "7509990001064",
        centavos: 6_200,
        stock: 40,
        sat_product_key: "50131609",
        iva: IVA_FOOD,
        variants: &[],
    },
    Shelf {
        sku: "PAP-HIG-4",
        name: "Papel higiénico, 4 rollos",
        ean: "7509990001071",
        centavos: 3_750,
        stock: 72,
        sat_product_key: "14111704",
        iva: IVA_GENERAL,
        variants: &[],
    },
    Shelf {
        sku: "JAB-TOC-150",
        name: "Jabón de tocador 150 g",
        ean: "7509990001088",
        centavos: 1_990,
        stock: 0,
        sat_product_key: "53131608",
        iva: IVA_GENERAL,
        variants: &[
            ("Rosas", "JAB-TOC-150-ROS", "7509990001095", 48),
            ("Coco", "JAB-TOC-150-COC", "7509990001101", 36),
            ("Avena", "JAB-TOC-150-AVE", "7509990001118", 3),
        ],
    },
];

/// The products, each to be made unless its SKU is there.
pub(super) fn products() -> anyhow::Result<Vec<NewProduct>> {
    SHELVES.iter().map(product).collect()
}

fn product(shelf: &Shelf) -> anyhow::Result<NewProduct> {
    let rate = Amount::from_micros(shelf.iva);
    let iva = Tax { tax: TaxKind::Iva, factor: TaxFactor::Tasa, rate: Some(rate), withheld: false };
    let variants: anyhow::Result<Vec<NewVariant>> = shelf.variants.iter().map(variant).collect();
    Ok(NewProduct {
        name: shelf.name.to_owned(),
        sku: Some(shelf.sku.to_owned()),
        description: None,
        ean: Some(ean(shelf.ean)?),
        price: Amount::from_micros(shelf.centavos * CENTAVO_MICROS),
        currency: Currency::MXN,
        inventory: shelf.stock,
        status: ProductStatus::Active,
        low_stock_threshold: None,
        tax_included: true,
        taxes: vec![iva],
        sat_product_key: Some(shelf.sat_product_key.to_owned()),
        sat_unit_key: Some(PIECE.to_owned()),
        metadata: Metadata::default(),
        variants: variants?,
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
        inventory: *stock,
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
        assert!(products.len() >= 8);
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
        assert!(products.first().unwrap().inventory >= ORDERED_QUANTITY);
    }
}
