//! Search: every word must match, in any order, by its beginning, accents and case aside.

mod long_lists;

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
    rows_of_older_rules_are_made_anew,
);

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
