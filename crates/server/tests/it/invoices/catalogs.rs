//! SAT's catalogs: each answers, is searched and looked up, and is open to the scope of invoices only.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

on_both!(
    every_small_catalog_answers,
    the_catalogs_of_the_contract_are_complete,
    uses_are_those_of_a_regime,
    product_keys_are_found_by_words_and_digits,
    units_are_found,
    codes_are_looked_up,
    searches_are_paged,
    wrong_queries_are_named,
);

const SMALL: &[(&str, &str)] = &[
    ("cancellation-motivos", "01"),
    ("regimenes-fiscales", "601"),
    ("usos-cfdi", "G03"),
    ("formas-pago", "03"),
    ("metodos-pago", "PPD"),
    ("monedas", "MXN"),
    ("paises", "USA"),
    ("impuestos", "002"),
    ("objetos-impuesto", "02"),
    ("tipos-relacion", "04"),
    ("exportaciones", "01"),
    ("periodicidades", "04"),
    ("meses", "01"),
    ("tipos-comprobante", "I"),
];

/// The rows of a small catalog.
#[track_caller]
fn rows(client: &Client, catalog: &str) -> Vec<Value> {
    let answer = client.get(&format!("/invoices/cfdi/{catalog}")).expect(200);
    assert!(answer["version"].as_str().is_some_and(|version| !version.is_empty()), "{catalog}");
    answer["items"].as_array().expect("rows").clone()
}

fn codes(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["code"].as_str().expect("a code")).collect()
}

fn every_small_catalog_answers(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.account(), "invoices");
    for (catalog, code) in SMALL {
        let rows = rows(&client, catalog);
        assert!(codes(&rows).contains(code), "{code} of {catalog}");
        for row in &rows {
            assert!(row["name"].as_str().is_some_and(|name| !name.is_empty()), "{catalog}: {row}");
            assert!(row["validFrom"].is_string(), "{catalog}: {row}");
        }
    }
    let rates = rows(&client, "tasas");
    let general = rates
        .iter()
        .any(|rate| rate["tax"] == "IVA" && rate["factor"] == "Tasa" && rate["max"] == 0.16);
    assert!(general, "{rates:?}");
    let other = app.client_of(app.account(), "orders");
    let _ = other.get("/invoices/cfdi/regimenes-fiscales").refused(403, "insufficient_scope");
    let _ = client.get("/invoices/cfdi/nada").refused(404, "not_found");
}

fn the_catalogs_of_the_contract_are_complete(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let reasons = rows(&client, "cancellation-motivos");
    assert_eq!(codes(&reasons), ["01", "02", "03", "04"]);
    let with_replacement: Vec<_> =
        reasons.iter().map(|reason| reason["requiresReplacement"] == true).collect();
    assert_eq!(with_replacement, [true, false, false, false]);
    let regimes = rows(&client, "regimenes-fiscales");
    let codes = codes(&regimes);
    for code in [
        "601", "603", "605", "606", "607", "608", "610", "611", "612", "614", "615", "616", "620",
        "621", "622", "623", "624", "625", "626",
    ] {
        assert!(codes.contains(&code), "{code}");
    }
    let general = regimes.iter().find(|regime| regime["code"] == "601").unwrap();
    assert_eq!((&general["natural"], &general["legal"]), (&json!(false), &json!(true)));
}

fn uses_are_those_of_a_regime(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let all = rows(&client, "usos-cfdi").len();
    let of = |regime: &str| {
        let rows = rows(&client, &format!("usos-cfdi?regime={regime}"));
        assert!(!rows.is_empty() && rows.len() < all, "{regime}");
        codes(&rows).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(of("601").contains(&"G03".to_owned()) && !of("601").contains(&"D01".to_owned()));
    assert!(of("605").contains(&"D01".to_owned()) && !of("605").contains(&"G03".to_owned()));
    assert_eq!(rows(&client, "usos-cfdi?regime=999"), [] as [Value; 0]);
    let refused = client.get("/invoices/cfdi/usos-cfdi?regime=general");
    assert!(refused.refused(400, "validation_failed").starts_with("regime"));
}

/// The codes that a search shows first.
#[track_caller]
fn found(client: &Client, catalog: &str, search: &str) -> Vec<String> {
    let path = format!("/invoices/cfdi/{catalog}?search={search}&limit=100");
    let page = client.get(&path).expect(200);
    let rows = page["data"].as_array().unwrap();
    codes(rows).into_iter().map(str::to_owned).collect()
}

fn product_keys_are_found_by_words_and_digits(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let search = |words: &str| found(&client, "claves-prod-serv", words);
    let plain = search("cafe");
    assert!(!plain.is_empty());
    for same in ["caf%C3%A9", "CAFE", "CAF%C3%89", "Cafe"] {
        assert_eq!(search(same), plain, "{same}");
    }
    assert!(plain.len() > search("cafe%20verde").len(), "all words must match");
    let digits = search("432115");
    assert!(
        !digits.is_empty() && digits.iter().all(|code| code.starts_with("432115")),
        "{digits:?}"
    );
    assert_eq!(search("43211503"), ["43211503"]);
    assert_eq!(search("xqzwy"), [] as [String; 0]);
}

fn units_are_found(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let search = |words: &str| found(&client, "claves-unidad", words);
    assert_eq!(search("pieza").first().map(String::as_str), Some("H87"));
    assert_eq!(search("kilogramo").first().map(String::as_str), Some("KGM"));
    assert!(search("h87").contains(&"H87".to_owned()));
}

fn codes_are_looked_up(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let get = |path: &str| client.get(&format!("/invoices/cfdi/{path}"));
    assert_eq!(get("claves-prod-serv/43211503").expect(200)["code"], "43211503");
    assert_eq!(get("claves-unidad/H87").expect(200)["name"], "Pieza");
    let place = get("codigos-postales/06600").expect(200);
    assert_eq!((&place["code"], &place["state"]["code"]), (&json!("06600"), &json!("CMX")));
    assert_eq!((&place["border"], &place["timeZone"]), (&json!(null), &json!("Tiempo del Centro")));
    let border = get("codigos-postales/22000").expect(200);
    assert_eq!(border["border"], "north");
    assert_ne!(border["timeZone"], place["timeZone"]);
    for (path, code) in [
        ("claves-prod-serv/99999999", "99999999"),
        ("claves-prod-serv/x", "x"),
        ("claves-unidad/ZZZZ", "ZZZZ"),
        ("codigos-postales/00001", "00001"),
        ("codigos-postales/0660", "0660"),
        ("codigos-postales/06600x", "06600x"),
        ("codigos-postales/%C3%B1", "ñ"),
    ] {
        let message = get(path).refused(404, "not_found");
        assert!(message.contains(code), "{path}: {message}");
    }
}

fn searches_are_paged(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    for catalog in ["claves-prod-serv", "claves-unidad"] {
        let path = format!("/invoices/cfdi/{catalog}");
        let all = client.get(&path).expect(200);
        assert!(all["total"].as_u64().unwrap() > 2_000, "no words find everything");
        assert_eq!((&all["page"], &all["limit"]), (&json!(1), &json!(20)));
        let second = client.get(&format!("{path}?page=2&limit=10")).expect(200);
        assert_eq!(second["data"].as_array().unwrap()[..], all["data"].as_array().unwrap()[10..]);
        let first = client.get(&format!("{path}?limit=10")).expect(200);
        let cursor = first["nextCursor"].as_str().expect("there is more");
        let next = client.get(&format!("{path}?limit=10&cursor={cursor}")).expect(200);
        assert_eq!(next["data"], second["data"]);
        let last = client.get(&format!("{path}?page=100000&limit=100")).expect(200);
        assert_eq!((&last["data"], &last["nextCursor"]), (&json!([]), &json!(null)));
    }
}

fn wrong_queries_are_named(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let long = format!("search={}", "x".repeat(201));
    for query in ["limit=0", "page=x", "cursor=x", "words=x", long.as_str()] {
        let refused = client.get(&format!("/invoices/cfdi/claves-prod-serv?{query}"));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains(query.split('=').next().unwrap()), "{query}: {message}");
    }
}
