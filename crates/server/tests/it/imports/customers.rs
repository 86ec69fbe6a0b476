//! Files of customers.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::{assert_told, counts, faults, imported_as, path, sent_to};

on_both!(
    customers_are_found_by_what_they_have,
    exported_customers_are_imported_without_a_change,
    modes_of_customers_refuse_the_other,
    what_is_wrong_with_customers_is_told,
    a_customer_export_of_shopify_is_imported,
    one_of_several_telephones_is_taken,
);

/// As Shopify documents it, and as it was before.
const SHOPIFY: &str = include_str!("../../data/shops/shopify_customers.csv");
const SHOPIFY_BEFORE: &str = include_str!("../../data/shops/shopify_customers_before.csv");

#[track_caller]
fn import(client: &Client, file: impl Into<Vec<u8>>) -> Value {
    imported_as(client, "customers", "", file)
}

/// All customers: name, identifier, address, telephone number.
fn customers(client: &Client) -> Vec<String> {
    let page = client.get("/customers?limit=100&sort=createdAt").expect(200);
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let one = |customer: &Value| {
        ["name", "externalId", "email", "phone"].map(|name| text(&customer[name])).join(" ")
    };
    let mut all: Vec<String> = page["data"].as_array().unwrap().iter().map(one).collect();
    all.sort();
    all
}

fn customers_are_found_by_what_they_have(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    // Windows-1252, as Excel in Spanish writes it.
    let file: &[u8] = b"Nombre;Correo;Tel\xE9fono;RFC;R\xE9gimen fiscal;C.P. fiscal;Uso CFDI;Calle;Ciudad;Saldo\r\n\
        Ana Torres;Ana@example.com;55 1234 5678;xaxx010101000;616 - Sin obligaciones;6600;S01;Ju\xE1rez 10;CDMX;5\r\n\
        Luz;;(55) 8765-4321;;;;;;;\r\n";
    let done = import(&client, file);
    assert_eq!(counts(&done), json!([2, 0, 0, 0]), "{:?}", faults(&client, &done));
    assert_eq!(done["understood"]["unusedColumns"], json!(["Saldo"]));
    let expected = ["Ana Torres - Ana@example.com +525512345678", "Luz - - +525587654321"];
    assert_eq!(customers(&client), expected);
    let ana = client.get("/customers?email=ana@example.com").expect(200)["data"][0].clone();
    assert_eq!((&ana["rfc"], &ana["taxZip"]), (&json!("XAXX010101000"), &json!("06600")));
    assert_eq!(ana["addresses"][0]["street"], "Juárez 10");
    assert_told(&client, "contact.created", 2);
    assert_eq!(counts(&import(&client, file)), json!([0, 0, 2, 0]));
    let file = "externalId,email,phone,city,name\nC-1,ANA@example.com,,Puebla,\n,,+525587654321,,Luz Ruiz\nC-2,,,,Eva\n";
    let done = import(&client, file);
    assert_eq!(counts(&done), json!([1, 2, 0, 0]), "{:?}", faults(&client, &done));
    let expected = [
        "Ana Torres C-1 ANA@example.com +525512345678",
        "Eva C-2 - -",
        "Luz Ruiz - - +525587654321",
    ];
    assert_eq!(customers(&client), expected);
    let ana = client.get("/customers?externalId=C-1").expect(200)["data"][0].clone();
    let address = &ana["addresses"][0];
    assert_eq!((&address["street"], &address["city"]), (&json!("Juárez 10"), &json!("Puebla")));
    assert_told(&client, "contact.created", 3);
}

fn exported_customers_are_imported_without_a_change(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let ana = json!({"name": "=Ana", "email": "ana@example.com", "phone": "+525512345678", "externalId": "0042",
        "rfc": "XAXX010101000", "legalName": "ANA", "taxRegime": "616", "taxZip": "01000", "cfdiUse": "S01",
        "addresses": [{"street": "Juárez 10, int. \"2\"", "zip": "01000", "label": "casa"}, {"street": "Madero 1"}]});
    let ana = client.post("/customers", &ana).expect(201);
    let _ =
        client.post("/customers", &json!({"name": "Luz", "email": "luz@example.com"})).expect(201);
    let abroad = json!({"name": "Acme", "email": "acme@example.com", "rfc": "XEXX010101000",
        "legalName": "ACME INC", "taxResidence": "USA", "foreignTaxId": "012345678"});
    let abroad = client.post("/customers", &abroad).expect(201);
    let csv = client.get("/customers/export").text;
    let done = import(&client, csv.as_str());
    assert_eq!(counts(&done), json!([0, 0, 3, 0]), "{:?}", faults(&client, &done));
    let path = format!("/customers/{}", ana["id"].as_str().unwrap());
    assert_eq!(client.get(&path).expect(200), ana);
    let lines = client.get("/customers/export?format=jsonl").text;
    let done = import(&client, lines);
    assert_eq!(counts(&done), json!([0, 0, 3, 0]), "{:?}", faults(&client, &done));
    // Somebody else gets all of the tax data that the file has.
    let other = app.client();
    let done = import(&other, csv);
    assert_eq!(counts(&done), json!([3, 0, 0, 0]), "{:?}", faults(&other, &done));
    let there = other.get("/customers?email=acme@example.com").expect(200);
    for field in ["rfc", "legalName", "taxResidence", "foreignTaxId", "taxStatus"] {
        assert_eq!(there["data"][0][field], abroad[field], "{field}");
    }
    assert_eq!(abroad["taxStatus"], "valid");
}

fn modes_of_customers_refuse_the_other(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "name,email\nAna,ana@example.com\n";
    let update = imported_as(&client, "customers", "mode=update", file);
    assert_eq!(faults(&client, &update), ["2 email not_found"]);
    let dry = imported_as(&client, "customers", "dryRun=true&mode=create", file);
    assert_eq!(counts(&dry), json!([1, 0, 0, 0]));
    assert!(customers(&client).is_empty());
    let create = imported_as(&client, "customers", "mode=create", file);
    assert_eq!(counts(&create), json!([1, 0, 0, 0]));
    let again = imported_as(&client, "customers", "mode=create", file);
    assert_eq!(faults(&client, &again), ["2 email already_exists"]);
    let message = sent_to(&client, "customers", "mode=create", "email\na@example.com\n");
    assert!(message.refused(400, "invalid_file").contains("a column for name"));
}

fn what_is_wrong_with_customers_is_told(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let file = "nombre,correo,telefono,rfc,clave\nAna,ana@example.com,5512345678,,A\nLuz,luz,1,X,\n,eva@example.com,,,\n\
        Isa,,,,\nOtra,ANA@example.com,,,B\nEva,eva@example.com,5512345678,,C\nAlguien,,5512345678,,\nEva,ana@example.com,,,C\n";
    let done = import(&client, file);
    let expected = [
        "3 correo bad_email",
        "3 telefono bad_phone",
        "3 rfc bad_rfc",
        "4 nombre required",
        "5 correo required",
        "8 telefono ambiguous_phone",
        "9 clave duplicate_in_file",
    ];
    assert_eq!(faults(&client, &done), expected);
    // The second row of Ana gives her another identifier.
    assert_eq!(counts(&done), json!([2, 1, 0, 5]));
    let done = import(&client, "clave,correo,nombre\nC,ana@example.com,\n");
    assert_eq!(faults(&client, &done), ["2 correo duplicate_email"]);
    let message =
        sent_to(&client, "customers", "", "nombre,saldo\nAna,1\n").refused(400, "invalid_file");
    assert!(message.contains("one for email / externalId / phone"), "{message}");
    // How long it may be is told of every text that has a bound.
    let long = "A".repeat(41);
    let done = import(&client, format!("name,email,foreignTaxId\nAcme,acme@example.com,{long}\n"));
    assert_eq!(faults(&client, &done), ["2 foreignTaxId too_long"]);
    let errors = client.get(&format!("{}/errors", path(&done))).expect(200);
    let message = errors["data"][0]["message"].as_str().unwrap();
    assert!(message.contains("(foreignTaxId) 40"), "{message}");
}

fn a_customer_export_of_shopify_is_imported(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let done = import(&client, SHOPIFY);
    assert_eq!(counts(&done), json!([4, 0, 0, 0]), "{:?}", faults(&client, &done));
    let unused = [
        "Accepts Email Marketing",
        "Accepts SMS Marketing",
        "Total Spent",
        "Total Orders",
        "Note",
        "Tax Exempt",
        "Tags",
    ];
    assert_eq!(done["understood"]["unusedColumns"], json!(unused));
    let expected = [
        "Acme, S.A. 6940095564002 compras@acme.example -",
        "Ana Torres 6940095564001 ana@example.com +525512345678",
        "Luz 6940095564003 - +523312345678",
        "sin.nombre@example.com 6940095564004 sin.nombre@example.com -",
    ];
    assert_eq!(customers(&client), expected);
    let ana = client.get("/customers?externalId=6940095564001").expect(200)["data"][0].clone();
    let address = json!({"label": null, "street": "Ju\u{e1}rez 10", "neighborhood": "Centro", "city": "Guadalajara",
        "state": "JAL", "zip": "44100", "country": "MX"});
    for (name, value) in address.as_object().unwrap() {
        assert_eq!(&ana["addresses"][0][name], value, "{name}");
    }
    assert_eq!(counts(&import(&client, SHOPIFY)), json!([0, 0, 4, 0]));
    // Without identifiers they are found by their addresses.
    let done = import(&client, SHOPIFY_BEFORE);
    assert_eq!(counts(&done), json!([0, 1, 0, 0]), "{:?}", faults(&client, &done));
    let ana = client.get("/customers?externalId=6940095564001").expect(200)["data"][0].clone();
    assert_eq!(ana["addresses"][0]["state"], "Jalisco");
}

/// Tills and spreadsheets ask for a telephone, a mobile and more.
fn one_of_several_telephones_is_taken(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let done = import(
        &client,
        "Clave;Nombre;Teléfono;Celular;WhatsApp;Código\n\
         1;Ana;33 1234 5678;55 1234 5678;;06600\n\
         2;Luz;;55 8765 4321;55 1111 1111;06600\n",
    );
    assert_eq!(counts(&done), json!([2, 0, 0, 0]), "{:?}", faults(&client, &done));
    assert_eq!(done["understood"]["unusedColumns"], json!(["WhatsApp", "Código"]));
    assert_eq!(customers(&client), ["Ana 1 - +523312345678", "Luz 2 - +525587654321"]);
}
