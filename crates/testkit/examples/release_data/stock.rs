//! Another warehouse, what lies there, and an order that takes from it.

use serde_json::json;

use crate::{
    merchant::{Merchant, id},
    shop::Ready,
};

/// Opens a warehouse, fills it by hand, and sells from it.
pub(crate) fn work(merchant: &mut Merchant, ready: &Ready) {
    let address = json!({"street": "Av. Vallarta 1234", "city": "Guadalajara", "zip": "44160"});
    let north = json!({"name": "Guadalajara", "priority": 200, "address": address});
    let north = merchant.make("/warehouses", &north);
    let apart = merchant.make("/warehouses", &json!({"name": "Mermas", "kind": "quarantine"}));
    let items = json!([{"productId": ready.mug, "warehouseId": north, "delta": 15},
        {"sku": "AZUCAR", "countedQuantity": 990}]);
    let found = json!({"reason": "found", "note": "Conteo de enero", "items": items});
    let _ = merchant.make("/stock/adjustments", &found);
    let goods = json!([{"productId": ready.mug, "warehouseId": north, "quantity": 5, "unitCost": 62.5},
        {"sku": "AZUCAR", "quantity": 10}]);
    let goods = json!({"supplier": "Barro y Fuego SA", "reference": "F-881", "items": goods});
    let _ = merchant.make("/stock/receipts", &goods);
    let wrong = merchant.make("/stock/receipts", &goods);
    let _ = merchant.client.act(&format!("/stock/receipts/{wrong}/cancel")).expect(200);
    let costs =
        json!({"note": "Inventario anual", "items": [{"sku": "AZUCAR", "averageCost": 18}]});
    let _ = merchant.client.post("/stock/costs", &costs).expect(200);
    let count = merchant.make("/stock/counts", &json!({"warehouseId": north, "uncounted": "zero"}));
    let scanned = json!({"code": "AZUCAR", "quantity": 2, "by": "Luis"});
    let _ = merchant.client.post(&format!("/stock/counts/{count}/scan"), &scanned).expect(200);
    let some = json!({"items": [{"sku": "AZUCAR"}]});
    let _ = merchant.client.post(&format!("/stock/counts/{count}/post"), &some).expect(200);
    let home = merchant.account.to_string().replacen("acc_", "whs_", 1);
    let sent = |sku: &str| {
        json!({"fromWarehouseId": home, "toWarehouseId": north, "quarantineId": apart,
            "items": [{"sku": sku, "quantity": 10}]})
    };
    let transfer = merchant.make("/transfers", &sent("AZUCAR"));
    let _ = merchant.client.act(&format!("/transfers/{transfer}/dispatch")).expect(200);
    let some = json!({"line": 1, "received": 6, "damaged": 1, "lost": 1, "reason": "Costal roto"});
    let path = format!("/transfers/{transfer}/receive");
    let _ = merchant.client.post(&path, &json!({"items": [some]})).expect(200);
    let _ = merchant.make("/transfers", &sent("AZUCAR"));
    let order = json!({"customerId": ready.company, "warehouseId": north,
        "items": [{"productId": ready.mug, "quantity": 3}]});
    let order = id(&merchant.post("/orders", &order));
    let one =
        json!({"items": [{"line": 1, "quantity": 1}], "carrier": "DHL", "trackingNumber": "1Z999"});
    let path = format!("/orders/{order}/shipments");
    let shipment = merchant.make(&path, &one);
    let _ = merchant.client.act(&format!("/shipments/{shipment}/cancel")).expect(200);
    let _ = merchant.make(&path, &one);
    let elsewhere = json!([{"line": 1, "quantity": 1, "from": north, "to": home}]);
    let path = format!("/orders/{order}/reallocate");
    let _ = merchant.client.post(&path, &json!({"items": elsewhere})).expect(200);
    let settings = json!({"allocation": "anyAvailable"});
    let _ = merchant.client.send("PUT", "/stock/settings", &settings).expect(200);
}
