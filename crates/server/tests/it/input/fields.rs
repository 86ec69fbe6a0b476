//! Single fields that are wrong, each named with the fix.

use serde_json::json;
use testkit::{App, Client, DatabaseKind};

use crate::openapi::Shop;

testkit::on_both!(
    wrong_fields_of_products_are_named,
    wrong_fields_of_people_are_named,
    quantities_are_whole_and_positive,
    integral_numbers_are_taken_in_every_form,
);

/// What is required, to which a case adds one field or which it overwrites.
fn with(required: &[(&str, &str)], field: &str, value: &str) -> String {
    let kept = required.iter().copied().filter(|(name, _)| *name != field);
    let fields = kept.chain([(field, value)]).map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Every case is refused with a message that says so, and nothing else.
fn refused(client: &Client, path: &str, required: &[(&str, &str)], cases: &[(&str, &str, &str)]) {
    for (field, value, problem) in cases {
        let body = with(required, field, value);
        let reply = client.send_raw("POST", path, body.into_bytes());
        let message = reply.refused(400, "validation_failed");
        let case: String = format!("{path} {field}: {value}").chars().take(100).collect();
        assert!(message.starts_with(&format!("{field}{problem}")), "{case}: {message}");
        assert!(message.len() < 300, "{case}: {message}");
    }
    let list = client.get(path).expect(200);
    assert_eq!(list["total"], 0, "something came of a refused request");
}

fn wrong_fields_of_products_are_named(kind: DatabaseKind) {
    let app = App::start(kind);
    let digits = "9".repeat(100_000);
    let fraction = format!("0.{digits}");
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let long_name = format!("\"{}\"", "ñ".repeat(201));
    let long_text = format!("\"{}\"", "a".repeat(10_001));
    let variants = format!("[{}]", vec!["{\"name\":\"a\"}"; 101].join(","));
    let entries: Vec<_> = (0..51).map(|i| format!("\"k{i}\":1")).collect();
    let entries = format!("{{{}}}", entries.join(","));
    let cases: &[(&str, &str, &str)] = &[
        ("name", "null", " must not be null"),
        ("name", "\"\"", " must not be empty"),
        ("name", "\" \\t \"", " must not be empty"),
        ("name", "1", " must be a string"),
        ("name", "[\"x\"]", " must be a string"),
        ("name", &nested, " must be a string"),
        ("name", "\"a\\u0000b\"", " must be one line without control characters"),
        ("name", "\"a\\nb\"", " must be one line"),
        ("name", "\"\\ud800\"", " must be Unicode text"),
        ("name", "\"\\udc00\\ud800\"", " must be Unicode text"),
        ("name", &long_name, " must have at most 200 characters"),
        ("description", "\"a\\u0000b\"", " must not contain control characters"),
        ("description", &long_text, " must have at most 10000 characters"),
        ("sku", "\"\"", " must not be empty"),
        ("sku", "7", " must be a string"),
        ("price", "null", " must not be null"),
        ("price", "\"19.99\"", " must be a number"),
        ("price", "-0.01", " must not be negative"),
        ("price", "1e400", " must be at most 1000000000000"),
        ("price", "1e-400", " must have at most 6 decimals"),
        ("price", "0.0000001", " must have at most 6 decimals"),
        ("price", "1000000000000.000001", " must be at most"),
        ("price", &digits, " must be at most"),
        ("price", &fraction, " must have at most 6 decimals"),
        ("price", &format!("1e{digits}"), " must be at most"),
        ("price", "{\"$numberDecimal\":\"1\"}", " must be a number"),
        ("price", "true", " must be a number"),
        ("currency", "\"mxn\"", " must be an ISO 4217"),
        ("currency", "\"XXX\"", " must be an ISO 4217"),
        ("currency", "\"\"", " must be an ISO 4217"),
        ("currency", "\"ñññ\"", " must be an ISO 4217"),
        ("ean", "\"7501031311308\"", " has the check digit 8 where 9 is right"),
        ("ean", "\"75010313\"", " has the check digit 3 where"),
        ("ean", "\"750\"", " must be an EAN"),
        ("ean", "\"٧٥٠١٠٣١٣١١٣٠٩\"", " must be an EAN"),
        ("ean", "7501031311309", " must be a string"),
        ("inventory", "-1", " must be from 0 to 1000000000"),
        ("inventory", "1.5", " must be a whole number"),
        ("inventory", "1.0005", " must have at most 3 decimals"),
        ("quantityDecimals", "2", " must be one of 0, 3"),
        ("unit", "\"\"", " must not be empty"),
        ("inventory", "1000000001", " must be from 0 to 1000000000"),
        ("inventory", "9223372036854775808", " must be from 0 to 1000000000"),
        ("inventory", "-9223372036854775809", " must be from 0 to 1000000000"),
        ("inventory", "1e400", " must be from 0 to 1000000000"),
        ("inventory", "\"3\"", " must be a number"),
        ("lowStockThreshold", "-1", " must be from 0"),
        ("status", "\"Active\"", " must be one of active, archived"),
        ("taxIncluded", "\"true\"", " must be true or false"),
        ("taxIncluded", "1", " must be true or false"),
        ("satProductKey", "\"5016150\"", " must be the 8 digits"),
        ("satUnitKey", "\"h87\"", " must be a SAT unit key"),
        ("compareAtPrice", "-1", " must not be negative"),
        ("cost", "\"5\"", " must be a number"),
        ("weight", "0", " must be a number of kilograms"),
        ("weight", "0.0005", " must be a number of kilograms"),
        ("dimensions", "{\"length\":1,\"width\":2}", ".height is required"),
        ("dimensions", "{\"length\":1,\"width\":2,\"height\":0.001}", ".height must be a number"),
        ("images", "[\"taza.jpg\"]", "[0] must be a URL"),
        ("images", "[\"https://a.mx/1\",\"https://a.mx/1\"]", "[1] is in the list already"),
        ("taxes", "{}", " must be a list"),
        ("taxes", "[7]", "[0] must be an object"),
        ("taxes", "[{\"tax\":\"VAT\",\"factor\":\"Tasa\"}]", "[0].tax must be one of IVA"),
        ("taxes", "[{\"tax\":\"IVA\",\"factor\":\"Tasa\"}]", "[0] must have a rate"),
        ("taxes", "[{\"tax\":\"IVA\",\"factor\":\"Tasa\",\"rate\":16}]", "[0] must have a rate as"),
        ("taxes", "[{\"tax\":\"ISR\",\"factor\":\"Tasa\",\"rate\":0.1}]", "[0] must be withheld"),
        ("variants", "[{}]", "[0].name is required"),
        ("variants", "[{\"name\":\"a\",\"inventory\":-1}]", "[0].inventory must be from 0"),
        ("variants", &variants, " must have at most 100 elements"),
        ("metadata", "[]", " must be an object"),
        ("metadata", "{\"a\":null}", "[\"a\"] must be a string, a number or a boolean"),
        ("metadata", "{\"a\":{}}", "[\"a\"] must be a string, a number or a boolean"),
        ("metadata", "{\"a\":1,\"a\":2}", "[\"a\"] is given more than once"),
        ("metadata", "{\"a\":\"\\u0000\"}", "[\"a\"] must not contain control characters"),
        ("metadata", "{\"a\":\"\\ud800\"}", "[\"a\"] must be Unicode text"),
        ("metadata", "{\"a\\u0000\":1}", "[\"a\u{fffd}\"] must be one line"),
        ("metadata", "{\"\":1}", "[\"\"] must not be empty"),
        ("metadata", &format!("{{\"a\":{digits}}}"), "[\"a\"] must have at most 500"),
        ("metadata", &entries, "[\"k50\"] is one entry too many"),
    ];
    let required = [("name", "\"Taza\""), ("price", "1")];
    refused(&app.client(), "/products", &required, cases);
}

fn wrong_fields_of_people_are_named(kind: DatabaseKind) {
    let app = App::start(kind);
    let long = format!("\"{}@example.com\"", "a".repeat(300));
    let address = |field: &str| format!("[{{\"street\":\"A 1\",{field}}}]");
    let contact: &[(&str, &str, &str)] = &[
        ("email", "\"ana\"", " must be an e-mail address such as"),
        ("email", "\"@example.com\"", " must be an e-mail address"),
        ("email", "\"ana@localhost\"", " must be an e-mail address"),
        ("email", "\"a b@example.com\"", " must be an e-mail address"),
        ("email", "\"ana@example.com\\u0000\"", " must be an e-mail address"),
        ("email", "\"ana@example.com\\r\\nBcc: x@example.com\"", " must be an e-mail address"),
        ("email", &long, " must be an e-mail address"),
        ("email", "\"\"", " must be an e-mail address"),
        ("phone", "\"5512345678\"", " must be in international form such as"),
        ("phone", "\"+52\"", " must be in international form"),
        ("phone", "\"+1234567890123456\"", " must be in international form"),
        ("phone", "\"+0123456789\"", " must be in international form"),
        ("phone", "525512345678", " must be a string"),
        ("name", "\"\"", " must not be empty"),
    ];
    let customer: &[(&str, &str, &str)] = &[
        ("rfc", "\"XAXX\"", " must be an RFC such as"),
        ("rfc", "\"XAXX011301000\"", " must be an RFC"),
        ("rfc", "\"XAXX010132000\"", " must be an RFC"),
        ("rfc", "\"\"", " must be an RFC"),
        ("taxRegime", "\"6O1\"", " must be a tax regime"),
        ("taxRegime", "\"999\"", " must be a tax regime"),
        ("taxRegime", "601", " must be a string"),
        ("taxZip", "\"0660\"", " must be a postal code of SAT's catalog"),
        ("taxZip", "\"00001\"", " must be a postal code of SAT's catalog"),
        ("cfdiUse", "\"3G0\"", " must be a CFDI use"),
        ("cfdiUse", "\"ZZ99\"", " must be a CFDI use"),
        ("taxResidence", "\"US\"", " must be a country, see GET /invoices/cfdi/paises"),
        ("taxResidence", "\"XYZ\"", " must be a country"),
        ("foreignTaxId", "\"\"", " must not be empty"),
        ("foreignTaxId", "123456789", " must be a string"),
        ("addresses", "{}", " must be a list"),
        ("addresses", "[{}]", "[0].street is required"),
        ("addresses", &address("\"country\":\"Mexico\""), "[0].country must be a country code"),
        ("addresses", &address("\"strete\":1"), "[0].\"strete\" is not a field of an address"),
    ];
    let lead: &[(&str, &str, &str)] = &[
        ("status", "\"converted\"", " must be one of new, contacted, qualified, lost"),
        ("estimatedValue", "-1", " must not be negative"),
        ("estimatedValue", "\"10\"", " must be a number"),
        ("currency", "\"pesos\"", " must be an ISO 4217"),
        ("tags", "\"a\"", " must be a list"),
        ("tags", "[1]", "[0] must be a string"),
        ("tags", "[\"a\",\"\"]", "[1] must not be empty"),
        ("notes", "\"\\u0007\"", " must not contain control characters"),
    ];
    let required = [("name", "\"Ana\"")];
    let client = app.client();
    refused(&client, "/customers", &required, &[contact, customer].concat());
    refused(&client, "/crm/leads", &required, &[contact, lead].concat());
}

/// The body of an order of so many pieces.
fn order_of(shop: &Shop, quantity: &str) -> Vec<u8> {
    let (customer, product) = (&shop.buyer, &shop.product);
    let items = format!("[{{\"productId\":\"{product}\",\"quantity\":{quantity}}}]");
    format!("{{\"customerId\":\"{customer}\",\"items\":{items}}}").into_bytes()
}

fn quantities_are_whole_and_positive(kind: DatabaseKind) {
    let app = App::start(kind);
    let shop = Shop::open_for(&app, "/products");
    let before = shop.snapshot(&app);
    let digits = "9".repeat(100_000);
    for quantity in [
        "0",
        "-1",
        "1.5",
        "0.1",
        "1e-1",
        "0.9999999",
        "1.0000001",
        "1e400",
        "-1e400",
        "1e10",
        "1000000001",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551617",
        "-9223372036854775809",
        "-0",
        "0.0",
        "0e9",
        "\"1\"",
        "null",
        "true",
        "[]",
        "{}",
        "[1]",
        &digits,
    ] {
        let reply = shop.client.send_raw("POST", "/orders", order_of(&shop, quantity));
        let message = reply.refused(400, "validation_failed");
        let shown: String = quantity.chars().take(30).collect();
        assert!(message.starts_with("items[0].quantity must"), "{shown}: {message}");
    }
    let absent = json!({"customerId": shop.buyer, "items": [{"productId": shop.product}]});
    let message = shop.client.post("/orders", &absent).refused(400, "validation_failed");
    assert_eq!(message, "items[0].quantity is required");
    assert_eq!(shop.snapshot(&app), before);
}

fn integral_numbers_are_taken_in_every_form(kind: DatabaseKind) {
    let app = App::start(kind);
    let shop = Shop::open_for(&app, "/products");
    for quantity in ["2", "2.0", "2.000000000", "2e0", "2E+0", "20e-1", "0.2e1", "0.0002E4"] {
        let order = shop.client.send_raw("POST", "/orders", order_of(&shop, quantity)).expect(201);
        assert_eq!(order["items"][0]["quantity"], 2, "{quantity}");
    }
    let product = shop.client.get(&format!("/products/{}", shop.product)).expect(200);
    // The shop has received two and found five in its second warehouse. It has sold one, one by a quote, three that are shipped in
    // parts, and two of three that did not come back.
    assert_eq!(product["inventory"], 100 + 2 + 5 - 1 - 1 - 3 - 2 - 8 * 2);
}
