use std::collections::BTreeMap;

use catalog::{
    Category, CategoryId, Ean, Holdings, NewProduct, NewVariant, ProductDetails, ProductStatus,
    product,
};
use kernel::{Currency, Decimals, Measure, Metadata, Timestamp, id::IdSource};
use proptest::prelude::*;

use super::*;
use crate::{
    Cell, EmptyCells, ImportId, ImportKind, Judging, Layout, Marks, Mode, Others, Problem,
    Remembered, RowReader, Shelf, Verdict, Wanted,
};

/// Text that a name may have, much of it such that spreadsheets misread it.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9ñ'=+@#;,\" -]{1,12}",
        prop::sample::select(vec![
            "=1+1",
            "'=1",
            "''-1",
            "#N/A",
            "####",
            "7.5E+12",
            "1E+3",
            "0750",
            "=\"1\"",
            "true",
            "id:9",
            "id:",
            "none",
            "parent",
            "Default Title",
            "not stocked",
            "_error",
            "1,5",
            "$1",
            "sep=;",
        ])
        .prop_map(str::to_owned),
        "\\PC{1,12}",
    ]
    .prop_filter_map("a line", |text| kernel::text::line(&text, 64).ok())
}

fn amount() -> impl Strategy<Value = Amount> {
    prop_oneof![
        (0_i64..1_000_000_000_000).prop_map(Amount::from_micros),
        (0_i64..100_000_000).prop_map(|thousandths| Amount::from_micros(thousandths * 1_000)),
        (0_i64..10_000).prop_map(|units| Amount::from_micros(units * 1_000_000)),
    ]
}

prop_compose! {
    fn variant()(name in line(), price in prop::option::of(amount()), inventory in 0_i64..5_000) -> NewVariant {
        NewVariant { name, sku: None, ean: None, price, inventory: Measure::whole(inventory) }
    }
}

prop_compose! {
    fn details()(
        (brand, unit) in (prop::option::of(line()), prop::option::of("[a-zñ]{1,8}")),
        (compare_at_price, cost) in (prop::option::of(amount()), prop::option::of(amount())),
        weight in prop::option::of(1_i64..1_000_000),
        images in prop::collection::hash_set("https://a\\.mx/[a-z0-9,;|.-]{0,8}", 0..4),
    ) -> ProductDetails {
        let weight = weight.map(|grams| Amount::from_micros(grams * 1_000));
        let images = images.into_iter().collect();
        ProductDetails { brand, unit, compare_at_price, cost, images, weight, dimensions: None }
    }
}

/// Categories whose names have marks in them.
fn tree() -> Tree {
    let category = |(id, name, parent): (u128, &str, Option<u128>)| Category {
        id: CategoryId::from_u128(id),
        name: name.to_owned(),
        parent: parent.map(CategoryId::from_u128),
        created_at: Timestamp::from_micros(0),
        updated_at: Timestamp::from_micros(0),
        version: 1,
    };
    let all = [(1, "Hogar, cocina", None), (2, "a > b | c\\", Some(1)), (3, "=1+1", None)];
    Tree::of(all.map(category))
}

prop_compose! {
    fn new_product()(
        (name, sku, external_id) in (line(), line(), prop::option::of(line())),
        description in prop::option::of("[ a-z=\t\r\n'-]{0,12}"),
        has_ean in any::<bool>(),
        price in amount(),
        quantity_decimals in prop::sample::select(vec![Decimals::Zero, Decimals::Three]),
        (inventory, low_stock_threshold) in (0_i64..5_000, prop::option::of(0_i64..5_000)),
        (is_archived, tax_included) in (any::<bool>(), any::<bool>()),
        stated in prop::sample::select(vec!["", "IVA 0%", "IVA exento", "IEPS 8% | IVA 16%"]),
        (details, category_ids) in (details(), prop::sample::subsequence(vec![1_u128, 2, 3], 0..=3)),
        mut variants in prop::collection::vec(variant(), 0..4),
    ) -> NewProduct {
        let category_ids = category_ids.into_iter().map(CategoryId::from_u128).collect();
        // As whoever takes it in has made it.
        let sku = kernel::text::composed(&sku);
        // Some of them share a name.
        if let [first, .., last] = variants.as_mut_slice() {
            last.name.clone_from(&first.name);
        }
        if let [first, ..] = variants.as_mut_slice() {
            first.sku = Some(format!("{sku}/1")).filter(|sku| sku.len() <= 64);
        }
        let status = if is_archived { ProductStatus::Archived } else { ProductStatus::Active };
        let ean = has_ean.then(|| Ean::parse("036000291452").unwrap());
        let inventory = Measure::of(inventory, quantity_decimals);
        let low_stock_threshold = low_stock_threshold.map(|it| Measure::of(it, quantity_decimals));
        NewProduct {
            external_id, name, sku: Some(sku), description, ean, price, currency: Currency::MXN, quantity_decimals, inventory, status,
            low_stock_threshold, tax_included, taxes: taxes::taxes(stated).unwrap(), sat_product_key: None, sat_unit_key: None,
            details, category_ids, metadata: Metadata::default(), variants,
        }
    }
}

/// What becomes of a row, with what is remarked of it, or why it is refused.
type Judged = Result<(Verdict, Vec<Problem>), Vec<Problem>>;

/// What becomes of the rows of products that are written and read again, as CSV or as JSON.
fn read_again<'a>(products: &'a [Product], as_csv: bool) -> Vec<Judged> {
    let header: Vec<String> =
        PRODUCT_COLUMNS.iter().map(|column| column.name().to_owned()).collect();
    let layout = Layout::of(ImportKind::Products, &header, &BTreeMap::new(), Mode::Upsert).unwrap();
    let rows_of = |product: &'a Product| {
        let tree = tree();
        (0..=product.variants.len()).map(move |place| product_row(product, &tree, place))
    };
    let rows: Vec<Vec<Value<'_>>> = products.iter().flat_map(rows_of).collect();
    let texts: Vec<Vec<(String, bool)>> = rows
        .iter()
        .map(|row| {
            let one = |value: &Value<'_>| match value {
                Value::Text(text) | Value::Code(text) if !as_csv => (text.to_string(), true),
                value => (value.cell().into_owned(), false),
            };
            row.iter().map(one).collect()
        })
        .collect();
    let cells: Vec<Vec<Cell<'_>>> = texts
        .iter()
        .map(|row| {
            let cells = row.iter().map(|(text, is_exact)| match is_exact {
                true => Cell::Exact(text),
                false => Cell::Text(text),
            });
            cells.collect()
        })
        .collect();
    let numeric = layout.numeric();
    let marks: Vec<Marks> = numeric
        .iter()
        .map(|(_, place)| {
            let mut marks = Marks::default();
            cells.iter().for_each(|row| marks.look_at(row[*place]));
            marks
        })
        .collect();
    let settled = Marks::settle(&marks).unwrap();
    let marks = numeric.iter().zip(settled).map(|((column, _), mark)| (*column, mark)).collect();
    let reader = RowReader::new(layout, marks, EmptyCells::Keep);
    let (ids, made) = (IdSource::default(), Remembered::default());
    let judging = Judging {
        import: ImportId::from_u128(1),
        mode: Mode::Upsert,
        made: &made,
        threshold: 5,
        takes_decimals: true,
        ids: &ids,
        now: Timestamp::from_micros(9),
    };
    let mut shelf = Shelf::new(
        products.iter().map(|product| (product.clone(), Holdings::default())),
        tree(),
        judging,
    );
    cells
        .iter()
        .map(|row| {
            reader.read(row, &Others::NONE).and_then(|wanted| match wanted {
                Wanted::Product(mut wanted) => {
                    wanted.told_apart.has_twin = true;
                    shelf.judge(&wanted)
                }
                other => panic!("{other:?}"),
            })
        })
        .collect()
}

#[test]
fn a_price_is_never_taken_for_thousands() {
    for (text, written) in [("1.234", "1.2340"), ("19.5", "19.50"), ("19.99", "19.99"), ("7", "7")]
    {
        assert_eq!(price(Amount::parse(text).unwrap()), written);
    }
}

#[test]
fn what_spreadsheets_would_misread_is_kept_from_them() {
    let text = |text: &'static str| Value::Text(Cow::Borrowed(text)).cell().into_owned();
    let code = |code: &'static str| Value::Code(Cow::Borrowed(code)).cell().into_owned();
    assert_eq!((text("=1+1").as_str(), text("Taza").as_str()), ("'=1+1", "Taza"));
    assert_eq!((code("7.5E+12").as_str(), code("0750").as_str()), ("=\"7.5E+12\"", "0750"));
}

proptest! {
    #[test]
    fn what_is_exported_is_imported_without_a_change(new in prop::collection::vec(new_product(), 1..4), as_csv in any::<bool>()) {
        let ids = IdSource::default();
        let (mut skus, mut externals) = (std::collections::HashSet::new(), std::collections::HashSet::new());
        let products: Vec<Product> = new
            .into_iter()
            .filter_map(|new| product::create(new, &ids, Timestamp::from_micros(1)).ok())
            .map(|made| made.product)
            .filter(|product| product.external_id.iter().all(|id| externals.insert(id.clone())))
            .filter(|product| {
                let is_new = product.skus().all(|sku| !skus.contains(sku));
                skus.extend(product.skus().map(str::to_owned));
                is_new
            })
            .collect();
        for verdict in read_again(&products, as_csv) {
            prop_assert_eq!(verdict, Ok((Verdict::Unchanged, Vec::new())));
        }
    }
}
