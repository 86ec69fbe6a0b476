//! Lists of more rows than are quick to read one by one.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::Shop;

on_both!(
    long_lists_are_searched_in_their_index,
    old_orders_are_found_through_what_they_name,
    long_lists_are_filtered,
    totals_keep_to_the_times_asked_for,
);

/// Rows that are quick to read one by one are fewer than these.
const MANY: i64 = 12_000;

impl Shop {
    /// Adds copies of a product, older than it, each with terms of its own.
    fn copy_product(&self, id: &str, copies: i64) {
        let columns = "sku, description, ean, price, currency, status, low_stock_threshold, tax_included, taxes, \
            sat_product_key, sat_unit_key, metadata, created_at, deleted_at, version";
        self.app.database.execute(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies}) \
             INSERT INTO products (account_id, id, name, sort_name, search_text, search_version, updated_at, {columns}) \
             SELECT account_id, 'prd_0' || substr(CAST(10000000000000000 + i AS TEXT), 2) || '000000000', \
             'Copia ' || i, 'copia ' || i, 'copia n' || i || ' ' || CASE WHEN i % 2 = 0 THEN 'par' ELSE 'impar' END, 1, \
             updated_at - i, {columns} FROM products, n WHERE id = '{id}'"
        ));
        self.count("products", copies);
    }

    /// Adds copies of an order, newer than all others, without items.
    fn copy_order(&self, id: &str, copies: i64) {
        let columns = "account_id, status, fulfillment_status, customer_id, total, currency, refund_due, metadata, \
            search_text, search_version, created_at, updated_at, version";
        self.app.database.execute(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies}) \
             INSERT INTO orders (id, number, {columns}) \
             SELECT 'ord_7' || substr(CAST(10000000000000000 + i AS TEXT), 2) || '000000000', 1000 + i, {columns} \
             FROM orders, n WHERE id = '{id}'"
        ));
        self.count("orders", copies);
    }

    /// Keeps the count of a list whose rows were copied or removed.
    fn count(&self, list: &str, more: i64) {
        self.app.database.analyze(list);
        self.app.database.execute(&format!(
            "UPDATE counters SET value = value + {more} WHERE account_id = '{}' AND name = '{list}'",
            self.account
        ));
    }
}

fn long_lists_are_searched_in_their_index(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    // Older than what is read row by row, so that only the index has them.
    let names = [
        "Olla 'de' \"barro\"",
        "100% algodón_fino",
        "Taco 🌮",
        r"Barra \ invertida",
        "A:* | B & !C",
    ];
    let wild: Vec<String> =
        names.iter().enumerate().map(|(i, name)| shop.product(name, &format!("W{i}"))).collect();
    let plain = shop.product("Copia", "COPIA");
    shop.copy_product(&plain, MANY);
    shop.app
        .database
        .execute(&format!("UPDATE products SET updated_at = updated_at + 1 WHERE id = '{plain}'"));
    for (search, name) in [
        ("barro olla", names[0]),
        ("'de'", names[0]),
        ("o'de", ""),
        ("algodon_f", names[1]),
        ("100%", names[1]),
        ("🌮", names[2]),
        ("inver barra", names[3]),
        ("a:* b", names[4]),
        ("b !c", names[4]),
        ("* | ta", ""),
    ] {
        // In ascending order the copies come first.
        for sort in ["createdAt", "-createdAt", "name", "-price", "updatedAt"] {
            let query = [("search", search), ("sort", sort)];
            let expected: &[&str] = if name.is_empty() { &[] } else { &[name] };
            let page = shop.page("/products", &query);
            let found = shop.found("/products", &query, "name");
            assert_eq!(found, expected, "{search}, {sort}");
            assert_eq!(
                (&page["total"], &page["totalIsExact"]),
                (&json!(found.len()), &json!(true))
            );
        }
    }
    // Words of some, of half and of all of them; a copy's number is whole.
    let page = |search: &str| shop.page("/products", &[("search", search), ("limit", "2")]);
    let names = |page: &Value| -> Vec<String> {
        let rows = page["data"].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let one = page("copia n7999");
    assert_eq!((names(&one), &one["total"]), (vec!["Copia 7999".to_owned()], &json!(1)));
    let tens = page("par n150");
    assert_eq!(
        (names(&tens), &tens["total"]),
        (vec!["Copia 1508".into(), "Copia 1506".into()], &json!(6))
    );
    let half = page("impar");
    assert_eq!(half["totalIsExact"], false);
    let about = half["total"].as_i64().unwrap();
    assert!((about - MANY / 2).abs() < MANY / 50, "{about}");
    // A walk to the end finds each once, from the near rows into the index.
    let mut walked = Vec::new();
    let mut query = "search=par&limit=100".to_owned();
    loop {
        let page = shop.client.get(&format!("/products?{query}")).expect(200);
        walked.extend(names(&page));
        let Some(next) = page["nextCursor"].as_str() else { break };
        query = format!("search=par&limit=100&cursor={next}");
    }
    let expected: Vec<String> =
        (1..=MANY).rev().filter(|i| i % 2 == 0).map(|i| format!("Copia {i}")).collect();
    assert_eq!(walked, expected);
    // What is gone is found no more.
    let _ = shop.client.delete(&format!("/products/{}", wild[0])).expect(200);
    assert_eq!(shop.products("barro olla"), [""; 0]);
    let _ =
        shop.client.patch(&format!("/products/{}", wild[1]), &json!({"name": "Lino"})).expect(200);
    assert_eq!((shop.products("algodon"), shop.products("lino").len()), (vec![], 1));
    // Another account has none of them.
    let stranger = shop.app.client_of(shop.app.account(), "*");
    assert_eq!(stranger.get("/products?search=copia").expect(200)["total"], 0);
}

fn old_orders_are_found_through_what_they_name(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let plain = shop.product("Vaso", "VASO");
    let nobody = shop.make("/customers", &json!({"name": "Nadie"}));
    let ana = json!({"name": "Ana López", "email": "ana@correo.mx", "metadata": {"nivel": "oro"}});
    let ana = shop.make("/customers", &ana);
    let eva = shop.make("/customers", &json!({"name": "Eva Ruiz", "phone": "+525512345678"}));
    let mug = shop.product("Taza", "TZ-AZUL");
    let colours = json!([{"name": "Rojo", "sku": "PL-ROJO", "inventory": 9},
        {"name": "Añil", "sku": "PL-AN", "inventory": 9}]);
    let plate = json!({"name": "Plato", "sku": "PL", "price": 50, "variants": colours});
    let plate = shop.client.post("/products", &plate).expect(201);
    let red =
        json!({"productId": plate["id"], "variantId": plate["variants"][0]["id"], "quantity": 1});
    let first = shop.order(&ana, &mug);
    let second = json!({"customerId": eva, "items": [red], "notes": "Dejar en portería",
        "externalId": "web-77", "metadata": {"canal": "tienda"}});
    let _ = shop.make("/orders", &second);
    let _ = shop.order(&eva, &mug);
    let filler = shop.order(&nobody, &plain);
    // The mug's SKU changes, then the mug goes: its orders keep the SKU that they were placed with.
    let _ = shop.client.patch(&format!("/products/{mug}"), &json!({"sku": "TASSE"}));
    let _ = shop.client.patch(&format!("/customers/{eva}"), &json!({"name": "Eva Solís"}));
    shop.app.housekeep();
    let old = |search: &str| shop.found("/orders", &[("search", search)], "orderNumber");
    let near: Vec<_> = OLD_ORDERS.iter().map(|(search, _)| old(search)).collect();
    shop.copy_order(&filler, MANY);
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    let behind_blocks: Vec<_> = OLD_ORDERS.iter().map(|(search, _)| old(search)).collect();
    shop.app.housekeep();
    let blocks = shop.app.database.lines("SELECT id AS line FROM order_blocks");
    assert_eq!(blocks.len() as i64, MANY / 16);
    for ((search, numbers), (near, behind)) in OLD_ORDERS.iter().zip(near.iter().zip(behind_blocks))
    {
        assert_eq!(near, numbers, "{search}, in the rows");
        assert_eq!(behind, *numbers, "{search}, behind all blocks");
        assert_eq!(old(search), *numbers, "{search}, in the index");
        let page = shop.page("/orders", &[("search", search)]);
        assert_eq!(page["total"], numbers.len(), "{search}");
    }
    assert_eq!(old(&first), ["ORD-000001"]);
    let tagged = |value: &str| shop.found("/orders", &[("metadata[canal]", value)], "orderNumber");
    assert_eq!((tagged("tienda"), tagged("tien")), (vec!["ORD-000002".to_owned()], vec![]));
    assert_eq!(shop.found("/orders", &[("metadata[nivel]", "oro")], "id"), [""; 0]);
    let query = [("search", "solis"), ("sort", "updatedAt"), ("limit", "1")];
    assert_eq!(shop.found("/orders", &query, "orderNumber"), ["ORD-000002"]);
    let _ = shop.client.patch(&format!("/orders/{first}"), &json!({"notes": "Timbre roto"}));
    assert_eq!(old("timbre"), ["ORD-000001"]);
    let _ = shop.client.patch(&format!("/orders/{first}"), &json!({"notes": null}));
    assert_eq!(old("timbre"), [""; 0]);
    let stranger = shop.app.client_of(shop.app.account(), "*");
    assert_eq!(stranger.get("/orders?search=lopez").expect(200)["total"], 0);
    // Nobody was told of the copies, which the books would show.
    shop.app.database.execute("DELETE FROM orders WHERE id LIKE 'ord_7%'");
    shop.app.database.execute("DELETE FROM order_blocks");
    shop.count("orders", -MANY);
}

const OLD_ORDERS: [(&str, &[&str]); 20] = [
    ("lopez", &["ORD-000001"]),
    ("ana@correo", &["ORD-000001"]),
    ("tz-azul", &["ORD-000003", "ORD-000001"]),
    ("azul eva", &["ORD-000003"]),
    ("tasse", &[]),
    ("taza", &[]),
    ("pl-rojo", &["ORD-000002"]),
    ("pl-an", &[]),
    ("solis", &["ORD-000003", "ORD-000002"]),
    ("ruiz", &[]),
    ("55 1234 5678", &["ORD-000003", "ORD-000002"]),
    ("porteria eva", &["ORD-000002"]),
    ("web-77", &["ORD-000002"]),
    ("ORD-000003", &["ORD-000003"]),
    ("000002 solis", &["ORD-000002"]),
    ("000002 lopez", &[]),
    ("eva solis", &["ORD-000003", "ORD-000002"]),
    ("eva solis azul", &["ORD-000003"]),
    ("eva lopez", &[]),
    ("ana lopez azul", &["ORD-000001"]),
];

fn long_lists_are_filtered(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("Taza", "TZ");
    let archived = json!({"name": "Vaso", "price": 1, "status": "archived"});
    let glass = shop.make("/products", &archived);
    shop.copy_product(&mug, MANY);
    let found = |query: &[(&str, &str)]| shop.found("/products", query, "name");
    assert_eq!(found(&[("status", "archived")]), ["Vaso"]);
    assert_eq!(found(&[("ids", &format!("{glass},{mug}"))]), ["Vaso", "Taza"]);
    assert_eq!(found(&[("ids", &glass), ("status", "active")]), [""; 0]);
    let page = shop.page("/products", &[("status", "active"), ("limit", "1")]);
    assert_eq!((&page["total"], &page["totalIsExact"]), (&json!(10_000), &json!(false)));
    let page = shop.page("/products", &[("status", "active"), ("limit", "1"), ("count", "true")]);
    assert_eq!((&page["total"], &page["totalIsExact"]), (&json!(MANY + 1), &json!(true)));
    let page = shop.page("/products", &[("status", "active"), ("limit", "1"), ("count", "false")]);
    assert_eq!((page.get("total"), page["data"].as_array().unwrap().len()), (None, 1));
    let words = shop.page("/products", &[("search", "copia"), ("limit", "1"), ("count", "true")]);
    assert_eq!((&words["total"], &words["totalIsExact"]), (&json!(MANY), &json!(true)));
    let all = shop.page("/products", &[("limit", "1")]);
    assert_eq!((&all["total"], &all["totalIsExact"]), (&json!(MANY + 2), &json!(true)));
    // The last that has changed stands far behind in the order of the list.
    shop.app.advance_seconds(60);
    let oldest = "prd_00000000000000001000000000";
    let now = shop.app.now();
    let (since, micros) = (now.to_string(), now.micros());
    let change = format!("UPDATE products SET updated_at = {micros} WHERE id = '{oldest}'");
    shop.app.database.execute(&change);
    assert_eq!(found(&[("updatedSince", &since)]), ["Copia 1"]);
    assert_eq!(found(&[("sort", "-updatedAt"), ("limit", "1")]), ["Copia 1"]);
}

/// A search within some days finds no more than they have, however long the list is.
fn totals_keep_to_the_times_asked_for(kind: DatabaseKind) {
    const CHANGED: i64 = 300;
    const ORDERED: usize = 30;
    let shop = Shop::open(kind);
    let mug = shop.product("Taza", "TZ");
    shop.copy_product(&mug, MANY);
    let total = |list: &str, query: &[(&str, &str)]| {
        let page = shop.page(list, query);
        (page["total"].as_i64().unwrap(), page["totalIsExact"].as_bool().unwrap())
    };
    let database = &shop.app.database;
    shop.app.advance_seconds(60);
    let (since, micros) = (shop.app.now().to_string(), shop.app.now().micros());
    database.execute(&format!(
        "UPDATE products SET updated_at = {micros} WHERE name LIKE 'Copia %' AND id IN \
         (SELECT id FROM products ORDER BY id LIMIT {CHANGED})"
    ));
    for sort in ["-updatedAt", "updatedAt", "-createdAt"] {
        let query = [("search", "copia"), ("updatedSince", &since), ("sort", sort)];
        assert_eq!(total("/products", &query), (CHANGED, true), "{sort}");
        let every = [query.as_slice(), &[("count", "true")]].concat();
        assert_eq!(total("/products", &every), (CHANGED, true), "{sort}");
    }
    let customer = shop.make("/customers", &json!({"name": "Ana López"}));
    let order = json!({"customerId": customer, "items": [{"productId": mug, "quantity": 1}]});
    let early = shop.make("/orders", &order);
    shop.app.advance_seconds(60);
    let since = shop.app.now().to_string();
    for _ in 0..ORDERED {
        let _ = shop.make("/orders", &order);
    }
    // The copies are of the minute before, and numbered before the others, but for the oldest, which waited for approval.
    shop.copy_order(&early, MANY);
    let after = MANY + 1_000;
    database.execute(&format!("UPDATE orders SET number = number + {after} WHERE number < 1000"));
    database.execute("UPDATE orders SET number = 60000 WHERE number = 1001");
    let minted = early.split_at("ord_".len() + 10).0;
    database.execute(&format!(
        "UPDATE orders SET id = '{minted}' || substr(id, 6, 16) WHERE id LIKE 'ord_7%'"
    ));
    let ordered = i64::try_from(ORDERED).unwrap();
    for sort in ["-createdAt", "createdAt"] {
        let query = [("search", "ana lopez"), ("createdFrom", &since), ("sort", sort)];
        assert_eq!(total("/orders", &query), (ordered, true), "{sort}");
        let before = [("search", "ana lopez"), ("createdTo", &since), ("sort", sort)];
        let (about, is_exact) = total("/orders", &before);
        assert!(!is_exact && (about - MANY).abs() <= MANY / 100, "{about}, {sort}");
    }
    database.execute(&format!("DELETE FROM orders WHERE id LIKE '{minted}00000%'"));
    database.execute(&format!("UPDATE orders SET number = number - {after}"));
    shop.count("orders", -MANY);
}
