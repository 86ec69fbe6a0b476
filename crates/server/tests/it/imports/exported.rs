//! Catalogs, customers and orders as tables.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply, on_both};

use super::{catalog, counts, ended, faults, imported, imported_as, sent};

on_both!(
    an_exported_catalog_is_imported_without_a_change,
    customers_and_orders_are_exported,
    an_export_ends_with_what_there_was,
    changed_customers_are_exported,
);

/// An export, as what.
fn exported(client: &Client, path: &str) -> (Reply, String) {
    let reply = client.get(path);
    assert_eq!(reply.status, 200, "{}", reply.text);
    let text = reply.text.clone();
    (reply, text)
}

fn an_exported_catalog_is_imported_without_a_change(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let category = |name: &str, parent: &Value| {
        client.post("/categories", &json!({"name": name, "parentId": parent})).expect(201)["id"]
            .clone()
    };
    let home = category("Hogar, cocina", &Value::Null);
    let inner = category("a > b", &home);
    let product = json!({"name": "=Suma", "sku": "7.5E+12", "brand": "=Acme", "compareAtPrice": 1.5, "cost": 0.755,
        "weight": 1.25, "images": ["https://a.mx/1,w.jpg", "https://a.mx/2"], "categoryIds": [inner, home], "externalId": "SAE 7", "description": "Una línea\r\ny otra ",
        "price": 1.234, "ean": "036000291452", "inventory": 5, "lowStockThreshold": 2, "satProductKey": "50161509",
        "taxIncluded": false, "variants": [{"name": "Azul, claro", "inventory": 3, "price": 2.5}, {"name": "#N/A", "sku": "'=V"},
            {"name": "Azul, claro", "inventory": 4, "price": 7}]});
    let _ = client.post("/products", &product).expect(201);
    let plain = json!({"name": "Taza \"azul\"", "sku": "0750", "price": 1250, "status": "archived",
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}]});
    let _ = client.post("/products", &plain).expect(201);
    let (reply, csv) = exported(&client, "/products/export");
    assert_eq!(reply.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"products.csv\""));
    let lines: Vec<&str> = csv.split("\r\n").collect();
    let heading = "\u{feff}sku,externalId,name,description,ean,price,currency,inventory,lowStockThreshold,status,taxIncluded,\
        satProductKey,satUnitKey,unit,quantityDecimals,parentSku,variantName,variantId,compareAtPrice,cost,brand,categories,images,weight,taxes";
    assert_eq!(lines[0], heading);
    assert!(csv.contains("\"=\"\"7.5E+12\"\"\",SAE 7,'=Suma,"), "{csv}");
    assert!(csv.contains(",1.2340,MXN,5,2,active,false,50161509,"), "{csv}");
    assert!(
        csv.contains("0750,,\"Taza \"\"azul\"\"\",,,1250,MXN,0,,archived,true,,,,0,,,"),
        "{csv}"
    );
    assert!(
        csv.contains("1.50,0.7550,'=Acme,\"Hogar, cocina > a \\> b | Hogar, cocina\""),
        "{csv}"
    );
    assert!(csv.contains(",IVA 0%\r\n"), "{csv}");
    let before = catalog(&client);
    let import = imported(&client, "", csv.clone());
    assert_eq!(counts(&import), json!([0, 0, 5, 0]), "{:?}", faults(&client, &import));
    let (reply, lines) = exported(&client, "/products/export?format=jsonl&status=active");
    assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[0]["name"], &rows[0]["price"]), (&json!("=Suma"), &json!(1.234)));
    assert_eq!((&rows[1]["parentSku"], &rows[1]["sku"]), (&json!("7.5E+12"), &json!(null)));
    let request = client.request("POST", "/products/imports");
    let request = request.header("Content-Type", "application/jsonl").body(lines);
    let import = ended(&client, &Reply::to(request).expect(202));
    assert_eq!(counts(&import), json!([0, 0, 4, 0]), "{:?}", faults(&client, &import));
    assert_eq!(catalog(&client), before);
    // Of two variants of one name the one is changed that the row is about.
    let import = imported(&client, "", csv.replace(",7,,4,", ",8,,9,"));
    assert_eq!(counts(&import), json!([0, 1, 4, 0]), "{:?}", faults(&client, &import));
    assert!(catalog(&client)[0].contains("- Azul, claro 2.5 3"), "{:?}", catalog(&client));
    assert!(catalog(&client)[0].contains("- Azul, claro 8 9"), "{:?}", catalog(&client));
    // Where nothing tells them apart the second is refused.
    let twins = "sku,parentSku,variantName,existencia\n,0750,Chica,1\n,0750,Chica,2\n";
    let import = imported(&client, "", twins);
    assert_eq!(counts(&import), json!([1, 0, 0, 1]));
    assert_eq!(faults(&client, &import), ["3 variantName duplicate_in_file"]);
    // Whatever the rates are, they are those of the file.
    let taxed = "sku,name,price,Tasa IVA,Impuestos\nL-1,Libro,90,0.08,\n";
    let _ = sent(&client, "", taxed).refused(400, "invalid_file");
    let rates = "sku,name,price,Impuestos\nL-1,Libro,90,Exento\nL-2,Vino,90,IEPS 26.5% | IVA 16%\nL-3,Pan,9,1.44\n0750,,,16\n";
    let import = imported(&client, "", rates);
    assert_eq!(counts(&import), json!([2, 1, 0, 1]));
    assert_eq!(faults(&client, &import), ["4 Impuestos bad_taxes"]);
    let told = |sku: &str| {
        let page = client.get(&format!("/products?sku={sku}")).expect(200);
        let taxes = page["data"][0]["taxes"].as_array().unwrap().clone();
        taxes.iter().map(|tax| format!("{} {}", tax["tax"], tax["rate"])).collect::<Vec<_>>()
    };
    assert_eq!(told("L-1"), ["\"IVA\" null"]);
    assert_eq!(told("L-2"), ["\"IEPS\" 0.265", "\"IVA\" 0.16"]);
    assert_eq!(told("0750"), ["\"IVA\" 0.16"]);
    let foreign = "sku,parentSku,variantName,variantId\n,0750,Chica,123\n,,Chica,\n";
    let import = imported(&client, "", foreign);
    assert_eq!(faults(&client, &import), ["2 variantId bad_variant_id", "3 sku required"]);
}

fn customers_and_orders_are_exported(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let ana = json!({"name": "Ana", "email": "ana@example.com", "phone": "+525512345678",
        "addresses": [{"street": "Juárez 10", "zip": "06050"}]});
    let ana = client.post("/customers", &ana).expect(201);
    let (_, csv) = exported(&client, "/customers/export");
    assert!(csv.contains(",Ana,ana@example.com,'+525512345678,"), "{csv}");
    assert!(csv.contains(",Juárez 10,,,,06050,MX,"), "{csv}");
    let product = json!({"name": "Taza", "sku": "T-1", "price": 19.5, "inventory": 9});
    let product = client.post("/products", &product).expect(201);
    let items = json!([{"productId": product["id"], "quantity": 2}, {"productId": product["id"], "quantity": 1}]);
    let order = json!({"customerId": ana["id"], "items": items, "notes": "Toque\ndos veces",
        "discount": {"percent": 10}, "shipping": {"name": "Estafeta", "amount": 5}});
    let order = client.post("/orders", &order).expect(201);
    let (_, lines) = exported(&client, "/orders/export?format=jsonl");
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), order["items"].as_array().unwrap().len());
    for name in ["orderNumber", "totalAmount", "customerId", "status", "createdAt"] {
        assert_eq!(rows[0][name], order[name], "{name}");
    }
    // What the lines come to is what the order does.
    for name in [
        "subtotal",
        "discountTotal",
        "shippingTotal",
        "returnedTotal",
        "amountDue",
        "refundDue",
        "paymentStatus",
    ] {
        assert_eq!(rows[1][name], order[name], "{name}");
    }
    for name in ["lineTotal", "discountAmount"] {
        assert_eq!(rows[1][name], order["items"][1][name], "{name}");
    }
    assert_eq!((&rows[0]["line"], &rows[0]["sku"]), (&json!(1), &json!("T-1")));
    let (_, csv) = exported(&client, "/orders/export?status=pending");
    assert!(csv.contains("\"Toque\ndos veces\""), "{csv}");
    let (_, none) = exported(&client, "/orders/export?status=cancelled");
    assert_eq!(none.lines().count(), 1);
    let (_, nothing) = exported(&client, "/orders/export?status=cancelled&format=jsonl");
    assert_eq!(nothing, "");
}

/// Whatever is asked of them, and however few of them have it.
fn changed_customers_are_exported(kind: DatabaseKind) {
    const CUSTOMERS: usize = 5_150;
    let app = App::start(kind);
    let client = app.client();
    let rows = (0..CUSTOMERS).map(|row| format!("C-{row:04},Cliente {row}\n"));
    let file: String = std::iter::once("externalId,name\n".to_owned()).chain(rows).collect();
    assert_eq!(counts(&imported_as(&client, "customers", "", file))[0], CUSTOMERS);
    app.advance_seconds(60);
    let changed = "externalId,name\nC-0007,Ana\nC-0300,Eva\nC-5149,Luz\n";
    let import = imported_as(&client, "customers", "", changed);
    let names = |since: &str| -> Vec<String> {
        let (_, csv) = exported(&client, &format!("/customers/export?updatedSince={since}"));
        csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect()
    };
    let all: Vec<String> = (0..CUSTOMERS).map(|row| format!("C-{row:04}")).collect();
    assert_eq!(names("2020-01-01T00:00:00Z"), all);
    assert_eq!(names(import["createdAt"].as_str().unwrap()), ["C-0007", "C-0300", "C-5149"]);
    assert!(names("2100-01-01T00:00:00Z").is_empty());
}

/// More than are read at once.
fn an_export_ends_with_what_there_was(kind: DatabaseKind) {
    const PRODUCTS: usize = 1_201;
    let app = App::start(kind);
    let client = app.client();
    let rows = (0..PRODUCTS).map(|row| format!("P-{row:04},Producto,{row}.5\n"));
    let file: String = std::iter::once("sku,name,price\n".to_owned()).chain(rows).collect();
    assert_eq!(counts(&imported(&client, "", file))[0], PRODUCTS);
    let (_, csv) = exported(&client, "/products/export");
    let skus: Vec<&str> = csv.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    let expected: Vec<String> = (0..PRODUCTS).map(|row| format!("P-{row:04}")).collect();
    assert_eq!(skus, expected);
}
