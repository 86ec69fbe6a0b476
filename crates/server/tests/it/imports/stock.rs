//! Files of what lies in warehouses.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::{counts, ended, faults, imported, imported_as, path, sent_to};
use crate::{
    orders::shop::{Shop, id},
    stock::{first, level, put, store},
};

on_both!(
    what_was_counted_is_what_lies_there,
    more_or_fewer_are_added_once,
    the_same_counts_once_however_it_is_named,
    what_is_promised_stays,
    an_inventory_of_shopify_is_imported,
    a_dry_run_of_stock_moves_nothing,
    refused_rows_of_stock_are_corrected_and_sent_again,
    files_of_stock_need_their_columns,
    what_is_weighed_is_imported_and_exported,
);

#[track_caller]
fn import(shop: &Shop, file: impl Into<Vec<u8>>) -> Value {
    imported_as(&shop.client, "stock", "", file)
}

/// The rows of the ledger of an import: what they change, the least first.
fn moved(shop: &Shop, import: &Value) -> Vec<i64> {
    let id = import["id"].as_str().unwrap();
    let page = shop.client.get(&format!("/stock/movements?reference={id}&limit=100")).expect(200);
    let rows = page["data"].as_array().unwrap().iter().map(|row| {
        assert_eq!(row["reason"], "import");
        row["delta"].as_i64().unwrap()
    });
    let mut moved: Vec<i64> = rows.collect();
    moved.sort_unstable();
    moved
}

fn what_was_counted_is_what_lies_there(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 10), shop.product("PLUMA", 1.0, 2));
    let north = store(&shop, "Bodega Norte", 10);
    put(&shop, &mug, &north, 5);
    let file = format!(
        "Clave;Almac\u{e9}n;Existencia f\u{ed}sica;Notas\nTAZA;bodega NORTE;3;\nTAZA;;9;\nPLUMA;{north};1200;\n\
         PLUMA;;2;sin cambio\nNADA;;1;\nTAZA;Sur;1;\nTAZA;Bodega Norte;4;otra vez\n"
    );
    let done = import(&shop, file);
    assert_eq!(counts(&done), json!([0, 3, 1, 3]), "{:?}", faults(&shop.client, &done));
    let expected =
        ["6 Clave not_found", "7 Almacén unknown_warehouse", "8 Clave duplicate_in_file"];
    assert_eq!(faults(&shop.client, &done), expected);
    assert_eq!(done["understood"]["unusedColumns"], json!(["Notas"]));
    assert_eq!(level(&shop, &mug, &north), (3, 0));
    assert_eq!(level(&shop, &mug, &first(&shop)), (9, 0));
    assert_eq!(level(&shop, &pen, &north), (1_200, 0));
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (12, 1_202));
    assert_eq!(moved(&shop, &done), [-2, -1, 1_200]);
    // Nothing is told of a product whose stock alone was counted, but that it is low.
    assert_eq!(shop.told("product.updated").len(), 0);
    let low = import(&shop, "sku,onHand\nTAZA,0\n");
    assert_eq!(counts(&low), json!([0, 1, 0, 0]));
    let low = json!({"productId": mug, "currentStock": 3, "threshold": 5});
    assert_eq!(shop.told("inventory.low"), [low]);
}

fn more_or_fewer_are_added_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let body = json!({"name": "Gorra", "price": 5, "ean": "7501031311309",
        "variants": [{"name": "Azul", "sku": "G-A", "ean": "036000291452", "inventory": 3}]});
    let cap = shop.make("/products", &body);
    let done = import(
        &shop,
        "sku,ean,ajuste\nTAZA,,-4\n,7501031311309,6\n,36000291452,+2\nG-A,,1\nTAZA,,0.5\n",
    );
    // Each of the last rows is of what an earlier one is about, by its SKU or by its barcode number.
    assert_eq!(counts(&done), json!([0, 3, 0, 2]));
    let twice = ["4 ean ean_zeros_added", "5 sku duplicate_in_file", "6 sku duplicate_in_file"];
    assert_eq!(faults(&shop.client, &done), twice);
    assert_eq!(shop.stock(&mug), 6);
    let cap = shop.client.get(&format!("/products/{}", id(&cap))).expect(200);
    assert_eq!((&cap["inventory"], &cap["variants"][0]["inventory"]), (&json!(6), &json!(5)));
    assert_eq!(moved(&shop, &done), [-4, 2, 6]);
    // However it is written, it is the same barcode number.
    let done = import(
        &shop,
        "ean,almacen,ajuste\n036000291452,Principal,1\n36000291452,PRINCIPAL,1\n0-36000-29145-2,principal,1\n",
    );
    assert_eq!(counts(&done), json!([0, 1, 0, 2]));
    assert_eq!(faults(&shop.client, &done), ["3 ean duplicate_in_file", "4 ean duplicate_in_file"]);
}

/// In whichever batch it is named again, and by whoever goes on with it.
fn the_same_counts_once_however_it_is_named(kind: DatabaseKind) {
    const ITEMS: usize = 1_500;
    let mut shop = Shop::open(kind);
    let eans: Vec<String> = (0..ITEMS).map(ean).collect();
    let products = eans.iter().enumerate().map(|(item, ean)| format!("P-{item},Cosa,1,{ean}\n"));
    let file: String = std::iter::once("sku,name,price,ean\n".to_owned()).chain(products).collect();
    assert_eq!(counts(&imported_as(&shop.client, "products", "", file))[0], ITEMS);
    let first = first(&shop);
    let by_sku = (0..ITEMS).map(|item| format!("P-{item},,1,\n"));
    let by_ean = eans.iter().map(|ean| format!(",{ean},1,Principal\n"));
    let by_both = (0..9).map(|item| format!("P-{item},,1,{first}\n"));
    let header = std::iter::once("sku,ean,delta,almacen\n".to_owned());
    let file: String = header.chain(by_sku).chain(by_ean).chain(by_both).collect();
    let done = sent_to(&shop.client, "stock", "", file).expect(202);
    let halfway = ITEMS as u64 + 1;
    let _ = shop.client.once(&path(&done), |done| done["processed"].as_u64() >= Some(halfway));
    shop.app = shop.app.restart();
    shop.client = shop.client.at(&shop.app);
    let done = ended(&shop.client, &done);
    assert_eq!(counts(&done), json!([0, ITEMS, 0, ITEMS + 9]));
    let told = faults(&shop.client, &done);
    assert_eq!(told[0], format!("{} ean duplicate_in_file", ITEMS + 2));
    let moved =
        "SELECT CAST(COUNT(*) AS TEXT) AS line FROM stock_movements WHERE reason = 'import'";
    assert_eq!(shop.app.database.lines(moved), [ITEMS.to_string()]);
    // The next one begins anew.
    let again = import(&shop, "sku,ean,delta\nP-0,,1\n");
    assert_eq!(counts(&again), json!([0, 1, 0, 0]));
    // Nothing is left of what both were about.
    shop.app.advance_seconds(1);
    shop.app.housekeep();
    let kept = "SELECT CAST(COUNT(*) AS TEXT) AS line FROM import_stock";
    assert_eq!(shop.app.database.lines(kept), ["0"]);
}

/// A barcode number of its own, with its check digit.
fn ean(item: usize) -> String {
    let digits = format!("75{item:010}");
    let weighed = digits.bytes().zip([1, 3].into_iter().cycle());
    let sum: u32 = weighed.map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

fn what_is_promised_stays(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 10), shop.product("PLUMA", 1.0, 2));
    let _ = shop.order(&[(&mug, 4)]);
    let done = import(&shop, "sku,onHand\nTAZA,3\nPLUMA,5\n");
    assert_eq!(counts(&done), json!([0, 1, 0, 1]));
    assert_eq!(faults(&shop.client, &done), ["2 onHand below_zero"]);
    let done = import(&shop, "sku,delta\nTAZA,-7\nPLUMA,1000000000\n");
    assert_eq!(faults(&shop.client, &done), ["2 delta below_zero", "3 delta too_many"]);
    let done = import(&shop, "sku,onHand\nTAZA,4\n");
    assert_eq!(counts(&done), json!([0, 1, 0, 0]));
    assert_eq!(level(&shop, &mug, &first(&shop)), (0, 4));
    assert_eq!(shop.stock(&pen), 5);
}

fn an_inventory_of_shopify_is_imported(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("T-1", 10.0, 5);
    let north = store(&shop, "Tienda Norte", 10);
    let file = "Handle,Title,Option1 Name,Option1 Value,SKU,HS Code,COO,Location,Bin name,Incoming (not editable),\
        Unavailable (not editable),Committed (not editable),Available (not editable),On hand (current),On hand (new)\n\
        taza,Taza,Title,Default Title,T-1,,MX,Principal,,0,0,0,5,5,7\n\
        taza,Taza,Title,Default Title,T-1,,MX,Tienda Norte,,0,0,0,not stocked,not stocked,not stocked\n";
    let done = import(&shop, file);
    assert_eq!(counts(&done), json!([0, 1, 1, 0]), "{:?}", faults(&shop.client, &done));
    assert_eq!((level(&shop, &mug, &first(&shop)), level(&shop, &mug, &north)), ((7, 0), (0, 0)));
}

fn a_dry_run_of_stock_moves_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let file = "sku,onHand\nTAZA,3\nNADA,1\n";
    let dry = imported_as(&shop.client, "stock", "dryRun=true", file);
    assert_eq!(counts(&dry), json!([0, 1, 0, 1]));
    assert_eq!(dry["preview"][0]["values"], json!({"sku": "TAZA", "onHand": "3"}));
    assert_eq!(shop.stock(&mug), 10);
    assert_eq!(moved(&shop, &dry), Vec::<i64>::new());
}

fn refused_rows_of_stock_are_corrected_and_sent_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let done = import(&shop, "clave,conteo\nTAZ,3\nTAZA,tres\n");
    assert_eq!(counts(&done), json!([0, 0, 0, 2]));
    let path = done["links"]["errorsFile"].as_str().unwrap();
    let refused = Reply::to(shop.client.request("GET", path).header("Accept-Language", "es"));
    let expected = "\u{feff}clave,conteo,_row,_column,_error,_code\r\n\
        TAZ,3,2,clave,\"no existe, y esta importación solo cambia lo que ya existe\",not_found@sku\r\n\
        TAZA,tres,3,conteo,no es un número como 1234.50,bad_number@onHand\r\n";
    assert_eq!(refused.text, expected);
    let corrected = refused.text.replace("TAZ,3", "TAZA,4").replace("TAZA,tres", "TAZ,4");
    let again = import(&shop, corrected);
    assert_eq!(counts(&again), json!([0, 1, 0, 1]));
    assert_eq!(shop.stock(&mug), 4);
}

fn files_of_stock_need_their_columns(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    for (file, query, code, words) in [
        ("sku\nT-1\n", "", "invalid_file", "a column for onHand"),
        ("almacen,existencia\nNorte,1\n", "", "invalid_file", "one for sku / ean"),
        ("sku,stock\nT-1,1\n", "mode=create", "validation_failed", "mode"),
        (
            "sku,stock\nT-1,1\n",
            "mapping[stock]=price",
            "validation_failed",
            "sku, ean, warehouse, onHand, delta",
        ),
    ] {
        let message = sent_to(&shop.client, "stock", query, file).refused(400, code);
        assert!(message.contains(words), "{message}");
    }
    // What is of one kind is not there as another.
    let done = import(&shop, "sku,stock\nT-1,1\n");
    let path = format!("/products/imports/{}", done["id"].as_str().unwrap());
    let _ = shop.client.get(&path).refused(404, "not_found");
    let job = shop.client.get("/jobs?kind=warehouses.import").expect(200);
    assert_eq!(job["total"], 1);
}

fn what_is_weighed_is_imported_and_exported(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let products = "sku,name,price,unidad,decimales,inventory\nQUESO,Queso,189.9,kg,3,2.35\nTAZA,Taza,10,,,2\n\
        PLUMA,Pluma,1,,,1.5\nMIEL,Miel,80,l,2,1\n";
    let done = imported(&shop.client, "", products);
    assert_eq!(counts(&done), json!([2, 0, 0, 2]));
    let expected = ["4 inventory not_whole", "5 decimales bad_decimals"];
    assert_eq!(faults(&shop.client, &done), expected);
    let all = shop.client.get("/products?sort=createdAt").expect(200);
    let cheese = &all["data"][0];
    assert_eq!(
        (&cheese["unit"], &cheese["quantityDecimals"], &cheese["inventory"]),
        (&json!("kg"), &json!(3), &json!(2.35))
    );
    let exported = shop.client.get("/products/export").text;
    assert!(exported.contains(",2.35,") && exported.contains(",kg,3,"), "{exported}");
    let again = imported(&shop.client, "", exported);
    assert_eq!(counts(&again), json!([0, 0, 2, 0]), "{:?}", faults(&shop.client, &again));

    let done = import(&shop, "sku,onHand\nQUESO,2.25\nTAZA,1.5\n");
    assert_eq!(counts(&done), json!([0, 1, 0, 1]));
    assert_eq!(faults(&shop.client, &done), ["3 onHand not_whole"]);
    let path = format!("/stock/movements?reference={}", id(&done));
    let moved = shop.client.get(&path).expect(200);
    assert_eq!((&moved["total"], &moved["data"][0]["delta"]), (&json!(1), &json!(-0.1)));
    let change = "sku,name,price,quantityDecimals\nTAZA,Taza,10,3\n";
    let refused = imported(&shop.client, "", change);
    assert_eq!(faults(&shop.client, &refused), ["2 quantityDecimals decimals_fixed"]);
}
