//! Search: every word must match, in any order, by its beginning, accents and case aside.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

on_both!(
    products_are_found_by_every_word,
    customers_are_found_by_what_identifies_them,
    leads_are_found_by_their_tags,
    orders_are_found_by_number_customer_and_sku,
    orders_follow_the_name_of_their_customer,
    metadata_finds_whole_values_only,
    a_search_says_what_is_wrong_with_it,
    long_lists_are_searched_in_their_index,
    old_orders_are_found_through_what_they_name,
    long_lists_are_filtered,
    rows_of_older_rules_are_made_anew,
);

/// Rows that are quick to read one by one are fewer than these.
const MANY: i64 = 12_000;

struct Shop {
    app: App,
    client: Client,
    account: String,
}

impl Shop {
    fn open(kind: DatabaseKind) -> Self {
        let app = App::start(kind);
        let account = app.account();
        let client = app.client_of(account, "*");
        Self { app, client, account: account.to_string() }
    }

    #[track_caller]
    fn make(&self, path: &str, body: &Value) -> String {
        let made = self.client.post(path, body).expect(201);
        made["id"].as_str().unwrap().to_owned()
    }

    fn product(&self, name: &str, sku: &str) -> String {
        self.make("/products", &json!({"name": name, "sku": sku, "price": 100, "inventory": 1_000}))
    }

    fn order(&self, customer: &str, product: &str) -> String {
        let items = json!([{"productId": product, "quantity": 1}]);
        self.make("/orders", &json!({"customerId": customer, "items": items}))
    }

    /// What a list finds, by a field of each row.
    #[track_caller]
    fn found(&self, path: &str, query: &[(&str, &str)], field: &str) -> Vec<String> {
        let page = self.page(path, query);
        let rows = page["data"].as_array().unwrap();
        rows.iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
    }

    #[track_caller]
    fn page(&self, path: &str, query: &[(&str, &str)]) -> Value {
        let encoded = query.iter().map(|(name, value)| {
            let value = value.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
            format!("{name}={value}")
        });
        let encoded = encoded.collect::<Vec<_>>().join("&");
        self.client.get(&format!("{path}?{encoded}")).expect(200)
    }

    #[track_caller]
    fn products(&self, search: &str) -> Vec<String> {
        self.found("/products", &[("search", search)], "name")
    }

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

fn products_are_found_by_every_word(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let _ = shop.product("Café de Olla 500 g", "CAF-OLLA-01");
    let _ = shop.product("Olla de barro", "OLLA-B");
    let variants = json!([{"name": "Añil", "sku": "PL-AN", "ean": "7501031311309"}]);
    let plate = json!({"name": "Plato", "sku": "PL", "price": 50, "variants": variants});
    let _ = shop.make("/products", &plate);
    let cases: &[(&str, &[&str])] = &[
        ("café olla", &["Café de Olla 500 g"]),
        ("olla cafe", &["Café de Olla 500 g"]),
        ("OLL", &["Olla de barro", "Café de Olla 500 g"]),
        ("barro, olla", &["Olla de barro"]),
        ("caf-olla", &["Café de Olla 500 g"]),
        ("01", &["Café de Olla 500 g"]),
        ("plato anil", &["Plato"]),
        ("750103", &["Plato"]),
        ("750 103 131 130 9", &["Plato"]),
        ("lla", &[]),
        ("café barro", &[]),
    ];
    for (search, names) in cases {
        assert_eq!(shop.products(search), *names, "{search}");
    }
}

fn customers_are_found_by_what_identifies_them(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let ana = json!({"name": "Ana López", "email": "ana.lopez@correo.mx", "phone": "+525512345678",
        "rfc": "LOAA850101AB3", "legalName": "ANA LOPEZ ARCE"});
    let _ = shop.make("/customers", &ana);
    let _ = shop.make("/customers", &json!({"name": "Analía Pérez", "phone": "+525598765432"}));
    let cases: &[(&str, &[&str])] = &[
        ("ana", &["Analía Pérez", "Ana López"]),
        ("lopez ana", &["Ana López"]),
        ("arce", &["Ana López"]),
        ("ana.lopez@correo.mx", &["Ana López"]),
        ("correo", &["Ana López"]),
        ("loaa85", &["Ana López"]),
        ("55 1234 5678", &["Ana López"]),
        ("+52 (55) 1234-5678", &["Ana López"]),
        ("5598765432 analia", &["Analía Pérez"]),
        ("1234", &[]),
    ];
    for (search, names) in cases {
        let found = shop.found("/customers", &[("search", search)], "name");
        assert_eq!(found, *names, "{search}");
    }
}

fn leads_are_found_by_their_tags(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let _ = shop.make("/crm/leads", &json!({"name": "Rosa", "tags": ["Mayoreo", "Feria 2026"]}));
    let _ = shop.make("/crm/leads", &json!({"name": "Rosario", "company": "Feria"}));
    let found = |search: &str| shop.found("/crm/leads", &[("search", search)], "name");
    assert_eq!(found("rosa feria"), ["Rosario", "Rosa"]);
    assert_eq!(found("mayoreo rosa"), ["Rosa"]);
}

fn orders_are_found_by_number_customer_and_sku(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("Taza", "TZ-AZUL");
    let plate = shop.product("Plato", "PL-ROJO");
    let ana = json!({"name": "Ana López", "email": "ana@correo.mx", "rfc": "LOAA850101AB3"});
    let ana = shop.make("/customers", &ana);
    let eva = shop.make("/customers", &json!({"name": "Eva Ruiz", "phone": "+525512345678"}));
    let first = shop.order(&ana, &mug);
    let _ = shop.order(&eva, &mug);
    let _ = shop.order(&ana, &plate);
    for _ in 4..=12 {
        let _ = shop.order(&eva, &plate);
    }
    let _ = shop.client.patch(&format!("/orders/{first}"), &json!({"notes": "Dejar en portería"}));
    let cases: &[(&str, &[&str])] = &[
        ("ORD-000001", &["ORD-000001"]),
        ("1", &["ORD-000001"]),
        ("12", &["ORD-000012"]),
        ("ana lopez", &["ORD-000003", "ORD-000001"]),
        ("ana azul", &["ORD-000001"]),
        ("tz-azul", &["ORD-000002", "ORD-000001"]),
        ("ruiz tz", &["ORD-000002"]),
        ("LOAA850101AB3 pl-rojo", &["ORD-000003"]),
        ("55 1234 5678", &["ORD-000012", "ORD-000011"]),
        ("porteria", &["ORD-000001"]),
        (&first, &["ORD-000001"]),
        ("000012 eva", &["ORD-000012"]),
        ("000012 ana", &[]),
    ];
    for (search, numbers) in cases {
        let query = [("search", *search), ("limit", "2")];
        let found = shop.found("/orders", &query, "orderNumber");
        assert_eq!(found, *numbers, "{search}");
    }
}

/// More orders than one command changes: the rest follows.
fn orders_follow_the_name_of_their_customer(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("Taza", "TZ");
    let ana = shop.make("/customers", &json!({"name": "Ana Lopes"}));
    let orders: Vec<String> = (0..120).map(|_| shop.order(&ana, &mug)).collect();
    let before = shop.client.get(&format!("/orders/{}", orders[119]));
    let _ = shop.client.patch(&format!("/customers/{ana}"), &json!({"name": "Ana López"}));
    let total = |search: &str| shop.page("/orders", &[("search", search)])["total"].clone();
    // What the sweeps of the service itself have done by now comes on top.
    assert!(total("lopez").as_u64() >= Some(50) && total("lopes").as_u64() <= Some(70));
    let after = shop.client.get(&format!("/orders/{}", orders[119]));
    assert_eq!(after.header("etag"), before.header("etag"), "the order itself is as it was");
    assert_eq!(after.expect(200), before.expect(200));
    shop.app.housekeep();
    assert_eq!((total("lopez"), total("lopes")), (json!(120), json!(0)));
}

fn metadata_finds_whole_values_only(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let product = |name: &str, metadata: Value| {
        shop.make("/products", &json!({"name": name, "price": 1, "metadata": metadata}))
    };
    let mug = product("Taza", json!({"Canal": "Tienda Física", "peso": 1.50}));
    let _ = product("Plato", json!({"Canal": "Tienda", "peso": "1.5", "frágil": true}));
    let found = |query: &[(&str, &str)]| shop.found("/products", query, "name");
    assert_eq!(found(&[("metadata[Canal]", "Tienda")]), ["Plato"]);
    assert_eq!(found(&[("metadata[Canal]", "Tienda Física")]), ["Taza"]);
    assert_eq!(found(&[("metadata[Canal]", "tienda")]), [""; 0]);
    assert_eq!(found(&[("metadata[peso]", "1.5")]), ["Plato", "Taza"]);
    assert_eq!(found(&[("metadata[frágil]", "true"), ("search", "pla")]), ["Plato"]);
    assert_eq!(found(&[("metadata[peso]", "1.5"), ("metadata[Canal]", "Tienda")]), ["Plato"]);
    let _ = shop.client.patch(&format!("/products/{mug}"), &json!({"metadata": {"peso": 2}}));
    assert_eq!(found(&[("metadata[peso]", "1.5")]), ["Plato"]);
    let ana = shop.make("/customers", &json!({"name": "Ana", "metadata": {"nivel": "oro"}}));
    let order = json!({"customerId": ana, "items": [{"productId": mug, "quantity": 1}]});
    let _ = shop.client.patch(&format!("/products/{mug}"), &json!({"inventory": 5}));
    let _ = shop.make("/orders", &order);
    let of = |path: &str| shop.found(path, &[("metadata[nivel]", "oro")], "id").len();
    assert_eq!((of("/customers"), of("/orders")), (1, 0), "a customer's entries are its own");
    let eva = shop.make("/crm/leads", &json!({"name": "Eva", "metadata": {"nivel": "oro"}}));
    let _ = shop.make("/crm/leads", &json!({"name": "Oro", "metadata": {"nivel": "plata"}}));
    assert_eq!(shop.found("/crm/leads", &[("metadata[nivel]", "oro")], "id"), [eva.as_str()]);
    let place = format!("/crm/leads/{eva}");
    let _ = shop.client.patch(&place, &json!({"metadata": null})).expect(200);
    assert_eq!(of("/crm/leads"), 0);
    let stranger = shop.app.client_of(shop.app.account(), "*");
    assert_eq!(stranger.get("/customers?metadata[nivel]=oro").expect(200)["total"], 0);
    for (query, problem) in [
        ("metadata[a]=1&metadata[a]=2", "metadata[a] is given more than once"),
        ("metadata[a]=", "metadata[a] must not be empty"),
        ("metadata=1", "\"metadata\" is not a parameter"),
        ("metadata[]=1", "\"metadata[]\" is not a parameter"),
    ] {
        let message = shop.client.get(&format!("/products?{query}"));
        let message = message.refused(400, "validation_failed");
        assert!(message.contains(problem), "{query}: {message}");
    }
}

fn a_search_says_what_is_wrong_with_it(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    for (query, problem) in [
        ("search=a+b+c+d+e+f+g+h+i+j+k", "search must have at most 10 words"),
        ("search=%23", "search must not be empty"),
        ("ids=prd_1", "ids must be the id of a product"),
        ("ids=", "ids must be the id of a product"),
        (&format!("ids={}", ["x"; 101].join(",")), "ids must have at most 100 values"),
        ("sort=stock", "sort must be one of"),
    ] {
        let message = shop.client.get(&format!("/products?{query}"));
        let message = message.refused(400, "validation_failed");
        assert!(message.contains(problem), "{query}: {message}");
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

const OLD_ORDERS: [(&str, &[&str]); 16] = [
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

fn rows_of_older_rules_are_made_anew(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("Taza azul", "TZ-01");
    let ana = shop.make("/customers", &json!({"name": "Ana"}));
    let _ = shop.order(&ana, &mug);
    let _ = shop.make("/crm/leads", &json!({"name": "Rosa", "tags": ["mayoreo"]}));
    let searches = [
        ("/products", "azul 01"),
        ("/customers", "ana"),
        ("/orders", "ana tz"),
        ("/crm/leads", "mayoreo"),
    ];
    let totals =
        || searches.map(|(path, search)| shop.page(path, &[("search", search)])["total"].clone());
    let forget = || {
        for table in ["products", "customers", "orders", "leads"] {
            let database = &shop.app.database;
            database
                .execute(&format!("UPDATE {table} SET search_text = 'taza', search_version = 0"));
        }
        totals()
    };
    // The service keeps house by itself as well, and may be at it just now.
    assert!((0..10).any(|_| forget() == [0, 0, 0, 0]), "{:?}", totals());
    shop.app.housekeep();
    assert_eq!(totals(), [1, 1, 1, 1]);
    assert_eq!(
        shop.app.database.lines("SELECT id AS line FROM orders WHERE search_version < 1"),
        [""; 0]
    );
}
