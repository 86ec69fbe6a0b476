mod exports;

use std::{collections::BTreeMap, sync::LazyLock};

use catalog::{Product, Tree};
use kernel::{Amount, Timestamp, id::IdSource};

use super::*;
use crate::{Cell, EmptyCells, ImportKind, Layout, Marks, Others, RowReader, Wanted};

/// One for all runs, so that what is made later has a greater identifier.
static IDS: LazyLock<IdSource> = LazyLock::new(IdSource::default);

/// A table as an import goes through it, over a catalog of its own.
struct Run {
    catalog: Vec<Product>,
    tree: Tree,
    outcomes: Vec<String>,
    events: Vec<&'static str>,
}

/// What is wrong with a row, or was left alone.
fn problem(problem: &Problem) -> String {
    format!("{} {}", problem.column.map_or("row", Column::name), problem.code.name())
}

/// The header and the rows of a table whose cells are separated by bars.
fn cells(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|line| line.split('|').map(str::trim).collect()).collect()
}

fn imported(table: &str, mode: Mode, catalog: Vec<Product>) -> Run {
    imported_with(table, mode, catalog, &Holdings::default())
}

/// Warehouses hold so much of each product.
fn imported_with(table: &str, mode: Mode, catalog: Vec<Product>, holdings: &Holdings) -> Run {
    imported_from(table, mode, (catalog, Tree::default()), holdings)
}

/// There are categories already.
fn imported_into(tree: Tree, table: &str, mode: Mode, catalog: Vec<Product>) -> Run {
    imported_from(table, mode, (catalog, tree), &Holdings::default())
}

fn imported_from(
    table: &str,
    mode: Mode,
    (catalog, mut tree): (Vec<Product>, Tree),
    holdings: &Holdings,
) -> Run {
    let rows = cells(table);
    let (header, rows) = rows.split_first().unwrap();
    let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
    let layout = Layout::of(ImportKind::Products, &header, &BTreeMap::new(), mode).unwrap();
    let numeric = layout.numeric();
    let marks: Vec<Marks> = numeric
        .iter()
        .map(|(_, place)| {
            let mut marks = Marks::default();
            rows.iter()
                .filter_map(|row| row.get(*place))
                .for_each(|cell| marks.look_at(Cell::Text(cell)));
            marks
        })
        .collect();
    let settled = Marks::settle(&marks).unwrap();
    let marks = numeric.iter().zip(settled).map(|((column, _), mark)| (*column, mark)).collect();
    let reader = RowReader::new(layout, marks, EmptyCells::Keep);
    let import = ImportId::from_u128(1);
    let (made, now) = (Remembered::default(), Timestamp::from_micros(7));
    let (threshold, takes_decimals) = (5, true);
    let judging = Judging { import, mode, made: &made, threshold, takes_decimals, ids: &IDS, now };
    let held = catalog.iter().map(|product| (product.clone(), holdings.clone()));
    let mut shelf = Shelf::new(held, tree.clone(), judging);
    let numbered: BTreeMap<String, String> =
        rows.iter().filter_map(|row| reader.numbered(&texts(row))).collect();
    let sku_of = |id: &str| numbered.get(id).cloned();
    let mut least: BTreeMap<String, Amount> = BTreeMap::new();
    for (sku, price) in rows.iter().filter_map(|row| reader.variation_price(&texts(row), &sku_of)) {
        let known = least.entry(sku).or_insert(price);
        *known = price.min(*known);
    }
    let others = Others { sku_of: &sku_of, least_price: &|sku| least.get(sku).copied() };
    let outcomes = rows.iter().map(|row| {
        let judged = reader.read(&texts(row), &others).and_then(|wanted| match wanted {
            Wanted::Product(wanted) => shelf.judge(&wanted),
            other => panic!("{other:?}"),
        });
        match judged {
            Ok((verdict, warnings)) => {
                let verdict = std::iter::once(format!("{verdict:?}"));
                verdict.chain(warnings.iter().map(problem)).collect::<Vec<_>>().join(", ")
            }
            Err(problems) => problems.iter().map(problem).collect::<Vec<_>>().join(", "),
        }
    });
    let outcomes = outcomes.collect();
    let mut after: BTreeMap<ProductId, Product> =
        catalog.into_iter().map(|product| (product.id, product)).collect();
    after.extend(shelf.touched().map(|entry| (entry.product.id, Product::clone(&entry.product))));
    let events = shelf.events.iter().map(|event| event.name).collect();
    let mut catalog: Vec<Product> = after.into_values().collect();
    // Identifiers of one millisecond have no order.
    catalog.sort_by(|one, other| one.sku.cmp(&other.sku));
    shelf.categories().iter().for_each(|made| tree.insert(made.clone()));
    Run { catalog, tree, outcomes, events }
}

fn texts<'a>(row: &[&'a str]) -> Vec<Cell<'a>> {
    row.iter().map(|cell| Cell::Text(cell)).collect()
}

/// What a product and its variants are, for reading.
fn shown(product: &Product) -> String {
    let variants: Vec<String> = product
        .variants
        .iter()
        .map(|variant| {
            let sku = variant.sku.as_deref().unwrap_or("-");
            let price = variant.price.map_or("-".to_owned(), |price| price.to_string());
            format!("; {sku} {} {price} {}", variant.name, variant.inventory)
        })
        .collect();
    let Product { sku, name, price, inventory, .. } = product;
    format!("{sku} {name} {price} {inventory}{}", variants.concat())
}

/// What else is known of the products: brand, former price, cost, weight, images and categories.
fn all_details(run: &Run) -> Vec<String> {
    let amount = |amount: Option<Amount>| amount.map_or("-".to_owned(), |it| it.to_string());
    let path = |id: &CategoryId| {
        let names: Vec<_> = run.tree.path(*id).iter().map(|it| it.name.as_str()).collect();
        names.join(" > ")
    };
    let shown = |Product { sku, details, category_ids, .. }: &Product| {
        let brand = details.brand.as_deref().unwrap_or("-");
        let (before, cost) = (amount(details.compare_at_price), amount(details.cost));
        let weight = details.weight.map_or("-".to_owned(), |it| format!("{it} kg"));
        let (images, paths) = (details.images.join(" "), category_ids.iter().map(path));
        let paths = paths.collect::<Vec<_>>().join(" | ");
        format!("{sku}: {brand} {before} {cost} {weight} [{images}] ({paths})")
    };
    run.catalog.iter().map(shown).collect()
}

fn all(run: &Run) -> Vec<String> {
    run.catalog.iter().map(shown).collect()
}

#[test]
fn what_is_not_there_is_created_and_what_is_there_changed() {
    let first = imported(
        "Clave|Producto|Precio público|Existencia|Código de barras\n\
         T-1|Taza|19,90|1.200|7501031311309\n\
         T-2|Plato|$1.234,50|3|36000291452",
        Mode::Upsert,
        Vec::new(),
    );
    assert_eq!(first.outcomes, ["Created", "Created"]);
    assert_eq!(all(&first), ["T-1 Taza 19.9 1200", "T-2 Plato 1234.5 3"]);
    assert_eq!(first.catalog[1].ean.as_ref().unwrap().as_str(), "036000291452");
    let second = imported(
        "sku|name|price|inventory\nT-1|Taza|19.90|1200\nT-2||99|\nT-3|Vaso|5|",
        Mode::Upsert,
        first.catalog,
    );
    assert_eq!(second.outcomes, ["Unchanged", "Updated", "Created"]);
    assert_eq!(second.events, ["product.updated", "product.created"]);
    assert_eq!(all(&second), ["T-1 Taza 19.9 1200", "T-2 Plato 99 3", "T-3 Vaso 5 0"]);
    let third = imported("sku|inventory\nT-1|4\nT-9|1", Mode::Update, second.catalog);
    assert_eq!(third.outcomes, ["Updated", "sku not_found"]);
    assert_eq!(third.events, ["product.updated", "inventory.low"]);
    let fourth = imported("sku|name|price\nT-1|Taza|1\nT-9|Olla|1", Mode::Create, third.catalog);
    assert_eq!(fourth.outcomes, ["sku already_exists", "Created"]);
}

#[test]
fn variants_are_rows_with_a_parent() {
    let run = imported(
        "sku|name|price|inventory|parentSku|talla|color\n\
         C|Camisa|100|||Grande|Azul\n\
         C-1||120|4|C|Grande|Azul\n\
         C-2|||2|C|Chica|Azul\n\
         C-3|||2|X|Chica|Rojo\n\
         C-4|||2|C||",
        Mode::Upsert,
        Vec::new(),
    );
    let refused = ["parentSku parent_not_found", "variantName required"];
    assert_eq!(run.outcomes, [&["Created"; 3], &refused[..]].concat());
    assert_eq!(all(&run), ["C Camisa 100 0; C-1 Grande / Azul 120 4; C-2 Chica / Azul - 2"]);
    assert_eq!(run.events, ["product.created", "product.updated", "product.updated"]);
    // A variant is found by its SKU alone, for what it has of its own.
    let run =
        imported("sku|inventory|name\nC-1|9|\nC-2||Camisa\nC-2|2|", Mode::Upsert, run.catalog);
    assert_eq!(run.outcomes, ["Updated", "sku duplicate_sku", "Unchanged"]);
    assert_eq!(all(&run), ["C Camisa 100 0; C-1 Grande / Azul 120 9; C-2 Chica / Azul - 2"]);
}

#[test]
fn one_sku_names_one_thing() {
    let run = imported(
        "sku|externalId|name|price|parentSku|variantName\n\
         A|1|Uno|1||\n\
         B|1|Dos|1||\n\
         A||Tres|||\n\
         A||||B|Rojo\n\
         |1|Cuatro|||\n\
         |2|Cinco|5||\n\
         |||||",
        Mode::Upsert,
        Vec::new(),
    );
    let expected = [
        "Created",
        // The external identifier finds it: its SKU changes.
        "Updated",
        "price required",
        // Which leaves its first SKU to a variant of its own.
        "Created",
        "Updated",
        "Created",
        "sku required",
    ];
    assert_eq!(run.outcomes, expected);
}

#[test]
fn categories_are_made_where_a_row_names_them() {
    let run = imported(
        "sku|name|price|categoría|marca|costo|peso|precio anterior\n\
         A|Uno|1|Hogar > Cocina|Acme|0,5|1,25|2\n\
         B|Dos|1|hogar > COCINA||||\n\
         C||1|Hogar > Jardín||||\n\
         D|Tres|1| > Jardín||||",
        Mode::Upsert,
        Vec::new(),
    );
    let outcomes = ["Created", "Created", "name required", "categories bad_category"];
    assert_eq!(run.outcomes, outcomes);
    let details = ["A: Acme 2 0.5 1.25 kg [] (Hogar > Cocina)", "B: - - - - [] (Hogar > Cocina)"];
    assert_eq!(all_details(&run), details);
    // What a refused row names is not made.
    assert_eq!(run.tree.newest_first().count(), 2);
}

#[test]
fn every_fault_of_a_row_is_told() {
    let run = imported(
        "sku|ean|name|price|inventory|status|clave sat|moneda|imagen|peso\n\
         7.5E+12|123456|Taza|gratis|1.5005|quizás|1|PESOS|taza.jpg|0.0005\n\
         A|||#N/A|-1|||||\n\
         B||Taza|1.1234567|9999999999|||||",
        Mode::Upsert,
        Vec::new(),
    );
    let expected = [
        "sku code_damaged_by_excel, ean bad_ean, price bad_number, currency bad_currency, inventory not_whole, \
         status bad_status, satProductKey bad_sat_product_key, images bad_url, weight bad_weight",
        "price spreadsheet_error",
        "price too_many_decimals, inventory out_of_range",
    ];
    assert_eq!(run.outcomes, expected);
    assert!(run.catalog.is_empty() && run.events.is_empty());
}

#[test]
fn quantities_have_the_decimals_of_their_product() {
    let run = imported(
        "sku|name|price|existencia|minimo|unidad|decimales\n\
         Q|Queso|180|12.350|1.5|kg|3\n\
         T|Taza|90|1.5||pz|0\n\
         V|Vaso|40|7|0.5|pz|\n\
         X|Plato|40|7|||2\n\
         G|Grano|40|1000000.001|||3",
        Mode::Upsert,
        Vec::new(),
    );
    let not_whole = ["inventory not_whole", "lowStockThreshold not_whole"];
    let expected = [
        "Created",
        not_whole[0],
        not_whole[1],
        "quantityDecimals bad_decimals",
        "inventory out_of_range",
    ];
    assert_eq!(run.outcomes, expected);
    assert_eq!(all(&run), ["Q Queso 180 12.35"]);
    let again = imported(
        "sku|existencia|decimales\nQ|0.001|3\nQ|1|0\nQ|0.0005|",
        Mode::Upsert,
        run.catalog,
    );
    let expected = ["Updated", "quantityDecimals decimals_fixed", "inventory not_whole"];
    assert_eq!(again.outcomes, expected);
    assert_eq!(all(&again), ["Q Queso 180 0.001"]);
}

#[test]
fn a_product_with_a_cost_keeps_its_currency() {
    let run = imported("sku|name|price\nA|Taza|10", Mode::Upsert, Vec::new());
    let table = "sku|price|currency\nA|12|USD\nA|13|mxn";
    let valued = catalog::Holding { on_hand: 1, average_cost: Some(Amount::from_micros(5)) };
    let holdings = Holdings::from_iter([(None, valued)]);
    let kept = imported_with(table, Mode::Upsert, run.catalog.clone(), &holdings);
    assert_eq!(kept.outcomes, ["currency has_average_cost", "Updated"]);
    let changed = imported(table, Mode::Upsert, run.catalog);
    assert_eq!(changed.outcomes, ["Updated", "Updated"]);
}

#[test]
fn an_amount_says_its_currency() {
    let run = imported(
        "sku|name|price|cost|currency\n\
         A|Taza|5 USD||\n\
         B|Vaso|$5||\n\
         C|Plato|USD 5||mxn\n\
         D|Jarra|5 MXN|2 USD|\n\
         E|Olla|5 USD|2 USD|usd",
        Mode::Upsert,
        Vec::new(),
    );
    let (created, other) = ("Created", "other_currency");
    let expected = [created, created, &format!("price {other}"), &format!("cost {other}"), created];
    assert_eq!(run.outcomes, expected);
    let currency = |sku: &str| {
        let product = run.catalog.iter().find(|product| product.sku == sku);
        product.map(|product| product.currency.to_string())
    };
    let found = ["A", "B", "E"].map(currency);
    assert_eq!(found, ["USD", "MXN", "USD"].map(|code| Some(code.to_owned())));
    // What is kept of before would be an amount of the other currency.
    let again = imported("sku|price\nE|5 MXN\nA|5 USD\nB|5 MN", Mode::Upsert, run.catalog.clone());
    assert_eq!(again.outcomes, ["cost other_currency", "Unchanged", "Unchanged"]);
}

#[test]
fn a_variant_says_of_its_product_what_that_is() {
    let run = imported(
        "sku|name|price|currency|status|parentSku|variantName|externalId|clave sat\n\
         C|Camisa|100|USD|active|||c-1|53102501\n\
         C-1|Camisa|110|usd|activo|C|Azul|c-1|53102501\n\
         C-2|Camisa roja|120||archived|C|Roja||53102502\n\
         C-3||130|MXN||C|Verde||\n\
         C-4||140|||C|Negra||",
        Mode::Upsert,
        Vec::new(),
    );
    let ignored =
        ["name", "status", "satProductKey"].map(|of| format!("{of} variant_field_ignored"));
    assert_eq!(run.outcomes[..2], ["Created", "Created"]);
    assert_eq!(run.outcomes[2], format!("Created, {}", ignored.join(", ")));
    assert_eq!(run.outcomes[3..], ["currency variant_currency", "Created"]);
    assert_eq!(all(&run), ["C Camisa 100 0; C-1 Azul 110 0; C-2 Roja 120 0; C-4 Negra 140 0"]);
}
