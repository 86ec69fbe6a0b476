//! Products, customers, leads and orders in every state.

use serde_json::{Value, json};

use crate::merchant::{Merchant, id};

/// What an office needs of it.
pub(crate) struct Ready {
    /// A customer whose tax data are complete.
    pub(crate) company: String,
    pub(crate) mug: String,
    /// Delivered.
    pub(crate) order: String,
    /// Others that are not invoiced.
    pub(crate) tickets: Vec<String>,
}

/// Fills a shop.
pub(crate) fn work(merchant: &mut Merchant) -> Ready {
    let (mug, blue, gone) = products(merchant);
    let (company, ana) = customers(merchant);
    leads(merchant, &ana);
    let orders = orders(merchant, &ana, &[&mug, &blue, &gone]);
    merchant.delete(&format!("/products/{gone}"));
    let [order, tickets @ ..] = orders.as_slice() else { panic!("orders were placed") };
    Ready { company, mug, order: order.clone(), tickets: tickets.to_vec() }
}

/// A mug, its blue variant, and a product that will be deleted.
fn products(merchant: &mut Merchant) -> (String, String, String) {
    let mug = merchant.post(
        "/products",
        &json!({"name": "Taza de barro", "sku": "TAZA-01", "price": 19.99, "inventory": 100,
            "description": "Hecha a mano.\nApta para lavavajillas.", "ean": "7501031311309",
            "lowStockThreshold": 90, "satProductKey": "52152100", "satUnitKey": "H87",
            "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16}],
            "metadata": {"proveedor": "Tonalá", "peso": "350"},
            "variants": [{"name": "Azul", "sku": "TAZA-01-A", "inventory": 20, "price": 21.5},
                {"name": "Roja", "inventory": 5}]}),
    );
    let sugar = json!({"name": "Azúcar", "sku": "AZUCAR", "price": 33.33, "inventory": 1_000,
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}], "taxIncluded": false});
    let _ = merchant.make("/products", &sugar);
    let dollars = json!({"name": "Envío", "price": 12, "currency": "USD", "inventory": 7});
    let _ = merchant.make("/products", &dollars);
    let old = merchant.make("/products", &json!({"name": "Jarra", "sku": "JARRA", "price": 80}));
    let _ = merchant.change(&format!("/products/{old}"), &json!({"status": "archived"}));
    let gone = merchant
        .make("/products", &json!({"name": "Plato", "sku": "PLATO", "price": 9.5, "inventory": 4}));
    let mug_place = format!("/products/{}", id(&mug));
    let _ = merchant.change(&mug_place, &json!({"inventory": 120, "price": 20}));
    (id(&mug), id(&mug["variants"][0]), gone)
}

/// A company and a person.
fn customers(merchant: &mut Merchant) -> (String, String) {
    let company = merchant.make(
        "/customers",
        &json!({"name": "Universidad", "email": "compras@uni.example", "rfc": "URE180429TM6",
            "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA", "taxZip": "86991", "taxRegime": "601",
            "cfdiUse": "G03", "metadata": {"nivel": "oro"}}),
    );
    let ana = merchant.make(
        "/customers",
        &json!({"name": "Ana Flores", "email": "Ana@Example.com", "phone": "+525512345678",
            "addresses": [{"label": "shipping", "street": "Av. Juárez 10",
                "city": "Ciudad de México", "zip": "06050"}]}),
    );
    let gone = merchant.make("/customers", &json!({"name": "Nadie"}));
    merchant.delete(&format!("/customers/{gone}"));
    (company, ana)
}

/// One of each status.
fn leads(merchant: &mut Merchant, ana: &str) {
    let lead = |name: &str| {
        json!({"name": name, "email": format!("{name}@lead.example"), "company": "Flores",
            "source": "web", "estimatedValue": 25_000, "tags": ["mayoreo"], "ownerId": "luis",
            "notes": "Llamar"})
    };
    for (name, status) in
        [("nuevo", "new"), ("visto", "contacted"), ("listo", "qualified"), ("perdido", "lost")]
    {
        let made = merchant.make("/crm/leads", &lead(name));
        if status != "new" {
            let _ = merchant.change(&format!("/crm/leads/{made}"), &json!({"status": status}));
        }
    }
    for deal in [json!({"title": "Cien tazas", "value": 18_500.5}), json!({"customerId": ana})] {
        let made = merchant
            .make("/crm/leads", &lead(if deal["title"].is_null() { "beto" } else { "rosa" }));
        let place = format!("/crm/leads/{made}");
        let _ = merchant.change(&place, &json!({"status": "qualified"}));
        let _ = merchant.post(&format!("{place}/convert"), &deal);
    }
    let gone = merchant.make("/crm/leads", &json!({"name": "Nadie"}));
    merchant.delete(&format!("/crm/leads/{gone}"));
}

/// One on each way through life; the delivered one first, then three that can be invoiced.
fn orders(merchant: &mut Merchant, customer: &str, products: &[&str; 3]) -> Vec<String> {
    let [mug, blue, gone] = products;
    let cart = |items: Value, notes: Value| json!({"customerId": customer, "items": items, "notes": notes, "metadata": {"canal": "web"}});
    let mugs = |quantity: i64| json!([{"productId": mug, "quantity": quantity}]);
    let paid = json!({"status": "paid"});
    let shipped = json!({"status": "shipped", "carrier": "Estafeta", "trackingNumber": "E-1"});
    let delivered = json!({"status": "delivered"});
    let cancelled = json!({"status": "cancelled", "reason": "Se arrepintió"});
    let refunded = json!({"status": "cancelled", "reason": "Defecto", "refund": true});
    let both = json!([{"productId": mug, "quantity": 2},
        {"productId": mug, "variantId": blue, "quantity": 3}, {"productId": gone, "quantity": 1}]);
    let lives = [
        (both, json!("Tocar dos veces"), vec![&paid, &shipped, &delivered]),
        (mugs(1), json!(null), vec![]),
        (mugs(2), json!("Regalo"), vec![&paid]),
        (mugs(3), json!(null), vec![&shipped]),
        (mugs(4), json!(null), vec![&cancelled]),
        (mugs(5), json!(null), vec![&paid, &refunded]),
        (mugs(25), json!(null), vec![]),
    ];
    let mut placed = Vec::new();
    for (items, notes, steps) in lives {
        let order = merchant.make("/orders", &cart(items, notes));
        for step in steps {
            let _ = merchant.change(&format!("/orders/{order}"), step);
        }
        placed.push(order);
    }
    let _ = merchant
        .try_post("/orders", Some(&cart(mugs(100_000), json!(null))))
        .refused(409, "insufficient_stock");
    placed.truncate(4);
    placed
}
