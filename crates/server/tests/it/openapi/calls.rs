//! One valid call of every operation. A test that walks the document fails at an operation without one.

use std::sync::OnceLock;

use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::csd::{key, rand_core::OsRng, sandbox};
use kernel::Timestamp;
use serde_json::{Value, json};
use testkit::{Client, Reply};

use super::{
    Operation, Shop,
    shop::{EXTERNAL_ID, return_of_one},
};

/// What an operation takes besides the path.
#[derive(Clone, Copy)]
enum Takes {
    Nothing,
    Body(fn(&Shop) -> Value),
    /// A body of this media type, as it is.
    File(&'static str, &'static str),
}

use Takes::{Body, File, Nothing};

/// Every operation. A new one needs an entry here, and with it all that the tests ask of every operation.
const CALLS: &[(&str, &str, Takes)] = &[
    ("GET", "/products", Nothing),
    ("POST", "/products", Body(|_| json!({"name": "Taza", "price": 19.99, "inventory": 3}))),
    (
        "PUT",
        "/products/by-external-id/{externalId}",
        Body(|_| json!({"name": "Taza", "price": 19.99, "inventory": 3})),
    ),
    ("GET", "/products/lookup", Nothing),
    ("GET", "/products/{id}", Nothing),
    ("POST", "/products/imports", File("text/csv", "sku,name,price\nTZ-1,Taza,19.99\n")),
    ("GET", "/products/export", Nothing),
    ("GET", "/customers/export", Nothing),
    ("GET", "/orders/export", Nothing),
    ("GET", "/products/imports", Nothing),
    ("GET", "/products/imports/{id}", Nothing),
    ("GET", "/products/imports/{id}/errors", Nothing),
    ("GET", "/products/imports/{id}/errors.csv", Nothing),
    ("POST", "/products/imports/{id}/cancel", Nothing),
    ("POST", "/customers/imports", File("text/csv", "name,email\nLuz,luz@example.com\n")),
    ("GET", "/customers/imports", Nothing),
    ("GET", "/customers/imports/{id}", Nothing),
    ("GET", "/customers/imports/{id}/errors", Nothing),
    ("GET", "/customers/imports/{id}/errors.csv", Nothing),
    ("POST", "/customers/imports/{id}/cancel", Nothing),
    ("POST", "/stock/imports", File("text/csv", "sku,onHand\nPIN-1,7\n")),
    ("GET", "/stock/imports", Nothing),
    ("GET", "/stock/imports/{id}", Nothing),
    ("GET", "/stock/imports/{id}/errors", Nothing),
    ("GET", "/stock/imports/{id}/errors.csv", Nothing),
    ("POST", "/stock/imports/{id}/cancel", Nothing),
    ("PATCH", "/products/{id}", Body(|_| json!({"price": 21.5}))),
    ("DELETE", "/products/{id}", Nothing),
    ("POST", "/products/{id}/variants", Body(|_| json!({"name": "Verde", "inventory": 3}))),
    ("GET", "/products/{id}/variants/{variantId}", Nothing),
    ("PATCH", "/products/{id}/variants/{variantId}", Body(|_| json!({"price": 12, "sku": null}))),
    ("DELETE", "/products/{id}/variants/{variantId}", Nothing),
    ("GET", "/categories", Nothing),
    ("POST", "/categories", Body(|_| json!({"name": "Platos"}))),
    ("GET", "/categories/{id}", Nothing),
    ("PATCH", "/categories/{id}", Body(|_| json!({"name": "Fiestas"}))),
    ("DELETE", "/categories/{id}", Nothing),
    ("GET", "/price-lists", Nothing),
    ("POST", "/price-lists", Body(|_| json!({"name": "Menudeo"}))),
    ("GET", "/price-lists/{id}", Nothing),
    ("PATCH", "/price-lists/{id}", Body(|_| json!({"priority": 7}))),
    ("DELETE", "/price-lists/{id}", Nothing),
    ("GET", "/price-lists/{id}/items", Nothing),
    (
        "PUT",
        "/price-lists/{id}/items",
        Body(|_| json!({"items": [{"sku": "PIN-1", "minQuantity": 3, "price": 8}]})),
    ),
    ("GET", "/customer-groups", Nothing),
    ("POST", "/customer-groups", Body(|_| json!({"name": "Menudeo"}))),
    ("GET", "/customer-groups/{id}", Nothing),
    ("PATCH", "/customer-groups/{id}", Body(|_| json!({"name": "Distribuidores"}))),
    ("DELETE", "/customer-groups/{id}", Nothing),
    ("GET", "/orders", Nothing),
    ("POST", "/orders", Body(order)),
    ("GET", "/orders/{id}", Nothing),
    ("PATCH", "/orders/{id}", Body(|_| json!({"status": "paid"}))),
    (
        "POST",
        "/orders/{id}/reallocate",
        Body(
            |shop| json!({"items": [{"line": 1, "quantity": 1, "from": shop.shelf, "to": shop.outlet}]}),
        ),
    ),
    ("GET", "/orders/{id}/shipments", Nothing),
    (
        "POST",
        "/orders/{id}/shipments",
        Body(|_| json!({"items": [{"line": 1, "quantity": 1}], "carrier": "DHL"})),
    ),
    ("GET", "/shipments/{id}", Nothing),
    ("PATCH", "/shipments/{id}", Body(|_| json!({"trackingNumber": "1Z999"}))),
    ("POST", "/shipments/{id}/cancel", Nothing),
    ("GET", "/shipments/{id}/packing-slip", Nothing),
    ("GET", "/warehouses", Nothing),
    ("POST", "/warehouses", Body(|_| json!({"name": "Norte", "kind": "quarantine"}))),
    ("GET", "/warehouses/{id}", Nothing),
    ("PATCH", "/warehouses/{id}", Body(|_| json!({"name": "Sur", "priority": 7}))),
    ("DELETE", "/warehouses/{id}", Nothing),
    ("GET", "/warehouses/{id}/stock", Nothing),
    ("GET", "/stock", Nothing),
    ("GET", "/stock/movements", Nothing),
    ("GET", "/stock/settings", Nothing),
    ("PUT", "/stock/settings", Body(|_| json!({"allocation": "anyAvailable"}))),
    ("GET", "/stock/adjustments", Nothing),
    (
        "POST",
        "/stock/adjustments",
        Body(|_| json!({"reason": "found", "items": [{"sku": "PIN-1", "delta": 1}]})),
    ),
    ("GET", "/stock/adjustments/{id}", Nothing),
    ("GET", "/stock/receipts", Nothing),
    (
        "POST",
        "/stock/receipts",
        Body(
            |_| json!({"supplier": "Barro SA", "items": [{"sku": "PIN-1", "quantity": 1, "unitCost": 7.5}]}),
        ),
    ),
    ("GET", "/stock/receipts/{id}", Nothing),
    ("POST", "/stock/receipts/{id}/cancel", Nothing),
    ("GET", "/stock/costs", Nothing),
    ("POST", "/stock/costs", Body(|_| json!({"items": [{"sku": "PIN-1", "averageCost": 8}]}))),
    ("GET", "/stock/valuation", Nothing),
    ("GET", "/stock/counts", Nothing),
    ("POST", "/stock/counts", Body(|_| json!({"items": [{"sku": "PIN-1"}, {"sku": "PIN-1R"}]}))),
    ("GET", "/stock/counts/{id}", Nothing),
    ("GET", "/stock/counts/{id}/lines", Nothing),
    (
        "PUT",
        "/stock/counts/{id}/lines",
        Body(|_| json!({"items": [{"sku": "PIN-1", "countedQuantity": 9}]})),
    ),
    ("POST", "/stock/counts/{id}/scan", Body(|_| json!({"code": "PIN-1"}))),
    ("POST", "/stock/counts/{id}/post", Body(|_| json!({}))),
    ("POST", "/stock/counts/{id}/cancel", Nothing),
    ("GET", "/transfers", Nothing),
    (
        "POST",
        "/transfers",
        Body(
            |shop| json!({"fromWarehouseId": shop.shelf, "toWarehouseId": shop.outlet, "items": [{"sku": "PIN-1", "quantity": 1}]}),
        ),
    ),
    ("GET", "/transfers/{id}", Nothing),
    ("POST", "/transfers/{id}/dispatch", Nothing),
    ("POST", "/transfers/{id}/receive", Body(|_| json!({"items": [{"line": 1, "received": 1}]}))),
    ("POST", "/transfers/{id}/cancel", Nothing),
    ("GET", "/transfers/{id}/arrivals", Nothing),
    ("GET", "/payments", Nothing),
    ("POST", "/payments", Body(payment)),
    ("GET", "/payments/{id}", Nothing),
    ("POST", "/payments/{id}/capture", Body(|_| json!({"amount": 50}))),
    ("POST", "/payments/{id}/cancel", Nothing),
    ("POST", "/payments/{id}/sync", Nothing),
    ("POST", "/payments/{id}/resolve", Body(|_| json!({"resolution": "accept", "note": "Seen"}))),
    ("POST", "/payments/{id}/simulate", Body(|_| json!({"event": "pay"}))),
    ("GET", "/payments/{id}/refunds", Nothing),
    ("POST", "/payments/{id}/refunds", Body(|_| json!({"amount": 10, "reason": "Broken"}))),
    ("GET", "/refunds", Nothing),
    ("GET", "/refunds/{id}", Nothing),
    ("GET", "/payment-links", Nothing),
    ("POST", "/payment-links", Body(|_| json!({"title": "A cup", "amount": 100}))),
    ("GET", "/payment-links/{id}", Nothing),
    ("PATCH", "/payment-links/{id}", Body(|_| json!({"title": "A blue cup"}))),
    ("POST", "/payment-links/{id}/deactivate", Nothing),
    ("GET", "/payment-methods", Nothing),
    ("GET", "/payments/settings", Nothing),
    ("PUT", "/payments/settings", Body(|_| json!({"satPaymentForms": {"wallet": "05"}}))),
    ("GET", "/payments/providers", Nothing),
    ("GET", "/payments/providers/{provider}", Nothing),
    ("PUT", "/payments/providers/{provider}", Body(|_| json!({"default": true}))),
    ("GET", "/payments/notifications", Nothing),
    ("GET", "/payments/reconciliation", Nothing),
    ("POST", "/payments/notifications/{id}/retry", Nothing),
    ("POST", "/orders/{id}/returns", Body(|_| return_of_one())),
    ("GET", "/orders/{id}/returns", Nothing),
    ("GET", "/orders/{id}/timeline", Nothing),
    ("GET", "/returns/{id}", Nothing),
    ("GET", "/customers", Nothing),
    ("POST", "/customers", Body(|_| json!({"name": "Ana", "email": "ana@new.example"}))),
    ("GET", "/customers/{id}", Nothing),
    ("PATCH", "/customers/{id}", Body(|_| json!({"addresses": [{"street": "Juárez 10"}]}))),
    ("DELETE", "/customers/{id}", Nothing),
    ("GET", "/customers/{id}/tax-check", Nothing),
    ("GET", "/customers/{id}/tax-link", Nothing),
    ("POST", "/customers/{id}/tax-link", Body(|_| json!({"expiresInDays": 7}))),
    ("DELETE", "/customers/{id}/tax-link", Nothing),
    ("GET", "/crm/leads", Nothing),
    ("POST", "/crm/leads", Body(|_| json!({"name": "Beto", "tags": ["mayoreo"]}))),
    ("GET", "/crm/leads/{id}", Nothing),
    ("PATCH", "/crm/leads/{id}", Body(|_| json!({"status": "qualified"}))),
    ("DELETE", "/crm/leads/{id}", Nothing),
    ("POST", "/crm/leads/{id}/convert", Body(|_| json!({"title": "Tazas", "value": 18500.5}))),
    ("GET", "/crm/leads/{id}/duplicates", Nothing),
    ("POST", "/crm/leads/{id}/merge", Body(|shop| json!({"from": [shop.sales.twin]}))),
    ("GET", "/crm/activities", Nothing),
    (
        "POST",
        "/crm/activities",
        Body(|shop| json!({"kind": "note", "subject": "Barro", "leadId": shop.lead})),
    ),
    ("GET", "/crm/activities/{id}", Nothing),
    ("PATCH", "/crm/activities/{id}", Body(|_| json!({"done": true}))),
    ("DELETE", "/crm/activities/{id}", Nothing),
    ("GET", "/crm/quotes", Nothing),
    ("POST", "/crm/quotes", Body(quote)),
    ("GET", "/crm/quotes/{id}", Nothing),
    ("PATCH", "/crm/quotes/{id}", Body(|_| json!({"notes": "Entrega en 5 días"}))),
    ("DELETE", "/crm/quotes/{id}", Nothing),
    ("GET", "/crm/quotes/{id}/pdf", Nothing),
    ("GET", "/crm/quotes/{id}/questions", Nothing),
    ("POST", "/crm/quotes/{id}/send", Nothing),
    ("POST", "/crm/quotes/{id}/accept", Body(|_| json!({"name": "Ana"}))),
    ("POST", "/crm/quotes/{id}/order", Nothing),
    ("POST", "/crm/quotes/{id}/reject", Body(|_| json!({"reason": "Caro"}))),
    ("POST", "/crm/quotes/{id}/revise", Nothing),
    ("GET", "/crm/pipelines", Nothing),
    ("POST", "/crm/pipelines", Body(|_| super::pipeline())),
    ("GET", "/crm/pipelines/{id}", Nothing),
    ("PATCH", "/crm/pipelines/{id}", Body(|_| json!({"name": "Proyectos"}))),
    ("DELETE", "/crm/pipelines/{id}", Nothing),
    ("GET", "/crm/deals", Nothing),
    ("POST", "/crm/deals", Body(|_| json!({"title": "Jarras", "value": 99.5}))),
    ("GET", "/crm/deals/board", Nothing),
    ("GET", "/crm/deals/{id}", Nothing),
    ("PATCH", "/crm/deals/{id}", Body(|_| json!({"value": 21, "ownerId": null}))),
    ("DELETE", "/crm/deals/{id}", Nothing),
    ("GET", "/crm/deals/{id}/history", Nothing),
    ("POST", "/crm/deals/{id}/win", Body(|_| json!({}))),
    ("POST", "/crm/deals/{id}/lose", Body(|_| json!({"reason": "Caro"}))),
    (
        "POST",
        "/crm/deals/{id}/move",
        Body(|shop| json!({"stageId": shop.sales.stage, "after": shop.sales.second})),
    ),
    ("POST", "/crm/deals/{id}/reopen", Nothing),
    ("GET", "/webhooks", Nothing),
    (
        "POST",
        "/webhooks",
        Body(|_| json!({"url": "https://hooks.example.com/new", "events": ["*"]})),
    ),
    ("GET", "/webhooks/{id}", Nothing),
    ("PATCH", "/webhooks/{id}", Body(|_| json!({"events": ["order.paid"], "description": null}))),
    ("DELETE", "/webhooks/{id}", Nothing),
    ("POST", "/webhooks/{id}/rotate-secret", Nothing),
    ("POST", "/webhooks/{id}/enable", Nothing),
    ("POST", "/webhooks/{id}/disable", Nothing),
    ("POST", "/webhooks/{id}/test", Nothing),
    ("POST", "/webhooks/{id}/replay", Body(|_| json!({"since": "2020-01-01T00:00:00Z"}))),
    ("GET", "/webhooks/{id}/deliveries", Nothing),
    ("GET", "/webhooks/deliveries/{id}", Nothing),
    ("POST", "/webhooks/deliveries/{id}/retry", Nothing),
    ("GET", "/webhooks/events", Nothing),
    ("GET", "/events", Nothing),
    ("GET", "/invoices", Nothing),
    ("POST", "/invoices", Body(invoice)),
    ("GET", "/invoices/sums", Nothing),
    ("GET", "/invoices/{id}", Nothing),
    ("PATCH", "/invoices/{id}", Body(|_| json!({"notes": "Gracias", "paymentTerms": null}))),
    ("DELETE", "/invoices/{id}", Nothing),
    ("POST", "/invoices/{id}/copy", Body(|_| json!({"replace": true}))),
    ("POST", "/invoices/{id}/validate", Nothing),
    ("POST", "/invoices/{id}/timbrar", Nothing),
    ("POST", "/invoices/{id}/cancel", Body(|_| json!({"reason": "02"}))),
    ("GET", "/invoices/{id}/xml", Nothing),
    ("GET", "/invoices/{id}/pdf", Nothing),
    ("GET", "/invoices/{id}/cancellation-receipt", Nothing),
    ("GET", "/invoices/{id}/addenda", Nothing),
    ("POST", "/invoices/{id}/addenda", Body(|_| json!({"xml": "<pedido numero=\"7\"/>"}))),
    ("DELETE", "/invoices/{id}/addenda", Nothing),
    ("GET", "/invoices/{id}/link", Nothing),
    ("POST", "/invoices/{id}/link", Body(|_| json!({"expiresInDays": 7}))),
    ("DELETE", "/invoices/{id}/link", Nothing),
    ("POST", "/invoices/{id}/email", Body(|_| json!({"to": ["ana@shop.example"]}))),
    (
        "POST",
        "/invoices/exports",
        Body(|_| json!({"from": "2026-01-01", "to": "2026-01-31", "content": "csv"})),
    ),
    ("POST", "/invoices/global", Body(|_| json!({"paymentForm": "01"}))),
    ("GET", "/invoices/global/preview", Nothing),
    ("GET", "/invoices/cfdi/global", Nothing),
    (
        "PUT",
        "/invoices/cfdi/global",
        Body(|_| json!({"automatic": true, "periodicity": "01", "paymentForm": "01"})),
    ),
    ("GET", "/withholdings", Nothing),
    ("POST", "/withholdings", Body(withholding)),
    ("GET", "/withholdings/{id}", Nothing),
    ("PATCH", "/withholdings/{id}", Body(|_| json!({"folio": "R1", "description": null}))),
    ("DELETE", "/withholdings/{id}", Nothing),
    ("POST", "/withholdings/{id}/validate", Nothing),
    ("POST", "/withholdings/{id}/stamp", Nothing),
    ("POST", "/withholdings/{id}/cancel", Body(|_| json!({"reason": "02"}))),
    ("GET", "/withholdings/{id}/xml", Nothing),
    ("GET", "/withholdings/{id}/pdf", Nothing),
    ("GET", "/withholdings/{id}/cancellation-receipt", Nothing),
    ("GET", "/invoices/cfdi/issuer", Nothing),
    ("GET", "/invoices/cfdi/pdf", Nothing),
    ("PUT", "/invoices/cfdi/pdf", Body(|_| json!({"accent": "#1f4e79"}))),
    ("PUT", "/invoices/cfdi/issuer", Body(issuer)),
    ("PUT", "/invoices/cfdi/issuer/logo", Body(|_| json!({"image": LOGO}))),
    ("DELETE", "/invoices/cfdi/issuer/logo", Nothing),
    ("GET", "/invoices/cfdi/issuers", Nothing),
    ("POST", "/invoices/cfdi/issuers", Body(another_issuer)),
    ("GET", "/invoices/cfdi/issuers/{id}", Nothing),
    (
        "PUT",
        "/invoices/cfdi/issuers/{id}",
        Body(
            |_| json!({"rfc": "URE180429TM6", "legalName": "OTRA", "taxRegime": "601", "taxZip": "86991"}),
        ),
    ),
    ("DELETE", "/invoices/cfdi/issuers/{id}", Nothing),
    ("PUT", "/invoices/cfdi/issuers/{id}/logo", Body(|_| json!({"image": LOGO}))),
    ("DELETE", "/invoices/cfdi/issuers/{id}/logo", Nothing),
    ("GET", "/invoices/cfdi/issuers/{id}/pdf", Nothing),
    ("PUT", "/invoices/cfdi/issuers/{id}/pdf", Body(|_| json!({"accent": "#1f4e79"}))),
    ("GET", "/invoices/cfdi/branches", Nothing),
    (
        "POST",
        "/invoices/cfdi/branches",
        Body(|_| json!({"name": "Norte", "placeOfIssue": "64000"})),
    ),
    ("GET", "/invoices/cfdi/branches/{id}", Nothing),
    ("PATCH", "/invoices/cfdi/branches/{id}", Body(|_| json!({"phone": "+528112345678"}))),
    ("DELETE", "/invoices/cfdi/branches/{id}", Nothing),
    ("GET", "/invoices/cfdi/issuer/certificates", Nothing),
    ("POST", "/invoices/cfdi/issuer/certificates", Body(certificate)),
    ("GET", "/invoices/cfdi/issuer/certificates/{id}", Nothing),
    ("POST", "/invoices/cfdi/issuer/certificates/{id}/activate", Nothing),
    ("DELETE", "/invoices/cfdi/issuer/certificates/{id}", Nothing),
    ("GET", "/invoices/cfdi/series", Nothing),
    ("GET", "/invoices/cfdi/receiver-check", Nothing),
    ("PUT", "/invoices/cfdi/series/{series}", Body(|_| json!({"nextFolio": 12_345}))),
    ("GET", "/invoices/cfdi/provider", Nothing),
    ("PUT", "/invoices/cfdi/provider", Body(|_| json!({"provider": "sandbox"}))),
    ("GET", "/invoices/cfdi/cancellation-motivos", Nothing),
    ("GET", "/invoices/cfdi/regimenes-fiscales", Nothing),
    ("GET", "/invoices/cfdi/usos-cfdi", Nothing),
    ("GET", "/invoices/cfdi/formas-pago", Nothing),
    ("GET", "/invoices/cfdi/metodos-pago", Nothing),
    ("GET", "/invoices/cfdi/monedas", Nothing),
    ("GET", "/invoices/cfdi/paises", Nothing),
    ("GET", "/invoices/cfdi/impuestos", Nothing),
    ("GET", "/invoices/cfdi/tasas", Nothing),
    ("GET", "/invoices/cfdi/objetos-impuesto", Nothing),
    ("GET", "/invoices/cfdi/tipos-relacion", Nothing),
    ("GET", "/invoices/cfdi/exportaciones", Nothing),
    ("GET", "/invoices/cfdi/periodicidades", Nothing),
    ("GET", "/invoices/cfdi/meses", Nothing),
    ("GET", "/invoices/cfdi/tipos-comprobante", Nothing),
    ("GET", "/invoices/cfdi/claves-retencion", Nothing),
    ("GET", "/invoices/cfdi/tipos-pago-retencion", Nothing),
    ("GET", "/invoices/cfdi/tipos-dividendo", Nothing),
    ("GET", "/invoices/cfdi/tipos-contribuyente-retencion", Nothing),
    ("GET", "/invoices/cfdi/paises-retencion", Nothing),
    ("GET", "/invoices/cfdi/entidades-federativas", Nothing),
    ("GET", "/invoices/cfdi/periodicidades-retencion", Nothing),
    ("GET", "/invoices/cfdi/servicios-plataformas", Nothing),
    ("GET", "/invoices/cfdi/subtipos-servicio-plataformas", Nothing),
    ("GET", "/invoices/cfdi/formas-pago-plataformas", Nothing),
    ("GET", "/invoices/cfdi/claves-unidad", Nothing),
    ("GET", "/invoices/cfdi/claves-unidad/{code}", Nothing),
    ("GET", "/invoices/cfdi/claves-prod-serv", Nothing),
    ("GET", "/invoices/cfdi/claves-prod-serv/{code}", Nothing),
    ("GET", "/invoices/cfdi/codigos-postales/{cp}", Nothing),
    ("GET", "/credits", Nothing),
    ("GET", "/credits/ledger", Nothing),
    ("GET", "/approval-rules", Nothing),
    ("POST", "/approval-rules", Body(approval_rule)),
    (
        "POST",
        "/approval-rules/evaluate",
        Body(|_| json!({"entityType": "order_discount", "facts": {"discountPct": 51}})),
    ),
    ("GET", "/approval-rules/{id}", Nothing),
    ("PATCH", "/approval-rules/{id}", Body(|_| json!({"name": "Altos", "currency": null}))),
    ("DELETE", "/approval-rules/{id}", Nothing),
    ("GET", "/approvals", Nothing),
    ("POST", "/approvals", Body(approval)),
    ("GET", "/approvals/{id}", Nothing),
    ("POST", "/approvals/{id}/approve", Body(|_| json!({"comment": "Va"}))),
    ("POST", "/approvals/{id}/reject", Body(|_| json!({"comment": "No"}))),
    ("POST", "/approvals/{id}/cancel", Nothing),
    ("GET", "/jobs", Nothing),
    ("GET", "/jobs/{id}", Nothing),
    ("GET", "/jobs/{id}/file", Nothing),
    ("POST", "/jobs/{id}/cancel", Nothing),
    ("GET", "/api-keys", Nothing),
    (
        "POST",
        "/api-keys",
        Body(|_| json!({"name": "Web shop", "scopes": ["orders"], "ratePerHour": 100})),
    ),
    ("GET", "/api-keys/{id}", Nothing),
    ("DELETE", "/api-keys/{id}", Nothing),
    ("POST", "/api-keys/{id}/rotate", Body(|_| json!({"overlap": "1h"}))),
    ("GET", "/audit", Nothing),
];

/// A PNG of 16 by 16 pixels.
const LOGO: &str =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC";

fn invoice(shop: &Shop) -> Value {
    json!({"customerId": shop.buyer, "paymentForm": "03",
        "items": [{"productId": shop.product, "quantity": 1}]})
}

fn payment(shop: &Shop) -> Value {
    json!({"orderId": shop.order, "method": "card", "amount": 2,
        "payer": {"name": "Ana", "email": "ana@shop.example"}, "satPaymentForm": "28"})
}

fn withholding(shop: &Shop) -> Value {
    json!({"code": "14", "customerId": shop.buyer, "totals": {"taxed": 100},
        "period": {"firstMonth": 1, "lastMonth": 3, "year": 2026}})
}

fn issuer(_: &Shop) -> Value {
    json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601",
        "taxZip": "42501", "series": {"income": "WEB"}})
}

fn another_issuer(_: &Shop) -> Value {
    json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxRegime": "612",
        "taxZip": "36257"})
}

/// A pair that no shop has yet.
fn certificate(_: &Shop) -> Value {
    static PAIR: OnceLock<Value> = OnceLock::new();
    let make = || {
        let since = Timestamp::parse("2026-01-01T00:00:00Z").expect("a moment");
        let order = sandbox::Order::seal("EKU9003173C9", "ESCUELA KEMPER URGATE", since);
        let issued = sandbox::issue(&order, &mut OsRng).expect("a pair");
        let private_key = key::encrypt(&issued.pkcs8_der, "secret", &mut OsRng).expect("a key");
        json!({"certificate": STANDARD.encode(issued.cer_der),
            "privateKey": STANDARD.encode(private_key), "password": "secret"})
    };
    PAIR.get_or_init(make).clone()
}

fn quote(shop: &Shop) -> Value {
    json!({"customerId": shop.buyer, "title": "Piñatas", "items": [
        {"productId": shop.product, "quantity": 2, "discount": {"percent": 5}}]})
}

fn order(shop: &Shop) -> Value {
    json!({"customerId": shop.buyer, "items": [
        {"productId": shop.product, "quantity": 2},
        {"productId": shop.product, "variantId": shop.variant, "quantity": 1},
    ]})
}

fn approval_rule(shop: &Shop) -> Value {
    json!({"entityType": "order_cancellation", "currency": "MXN",
        "conditions": [{"field": "total", "op": "in", "value": [1, 2.5]}],
        "levels": [{"approvers": [{"type": "key", "id": shop.approver}], "minApprovals": 1}]})
}

fn approval(shop: &Shop) -> Value {
    json!({"entityType": "order_discount", "entityId": shop.order,
        "levels": [{"approvers": [{"type": "key", "id": shop.approver}]}]})
}

/// The names of all operations that there is a call for.
pub(crate) fn names() -> Vec<String> {
    CALLS.iter().map(|(method, path, _)| format!("{method} {path}")).collect()
}

/// A call of one operation.
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    /// What is sent instead of JSON: its media type and text.
    file: Option<(&'static str, &'static str)>,
}

/// A valid call of the operation in this shop.
pub(crate) fn call<'a>(operation: &'a Operation<'_>, shop: &Shop) -> Call<'a> {
    let id = if operation.names_one() { shop.id_in(operation.path) } else { "" };
    call_on(operation, shop, id)
}

/// The same on the resource with this identifier.
pub(crate) fn call_on<'a>(operation: &'a Operation<'_>, shop: &Shop, id: &str) -> Call<'a> {
    let known = CALLS
        .iter()
        .find(|(method, path, _)| *method == operation.method && *path == operation.path);
    let Some((_, _, takes)) = known else {
        panic!("{} has no entry in the table of calls: add one", operation.name());
    };
    let body = match takes {
        Nothing | File(..) => None,
        Body(make) => Some(make(shop)),
    };
    let file = match takes {
        File(media_type, text) => Some((*media_type, *text)),
        Nothing | Body(_) => None,
    };
    let code = if operation.path.contains("/claves-unidad/") { "H87" } else { "43211503" };
    let path = operation.path.replace("{id}", id).replace("{code}", code).replace("{cp}", "06600");
    let variant = match operation.method.as_str() {
        // It has stock.
        "DELETE" => format!("{}?force=true", shop.variant),
        _ => shop.variant.clone(),
    };
    let path = path.replace("{variantId}", &variant).replace("{externalId}", EXTERNAL_ID);
    let path = path.replace("{provider}", "sandbox");
    let mut path = path.replace("{series}", "F");
    if path.ends_with("/receiver-check") {
        path.push_str("?rfc=CACX7605101P8&legalName=XOCHILT&taxZip=36257&taxRegime=612");
    }
    if path.ends_with("/lookup") {
        path.push_str("?code=PIN-1");
    }
    if path.ends_with("/reconciliation") {
        path.push_str("?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z");
    }
    if path.ends_with("/sums") {
        path.push_str("?createdFrom=2026-01-01T00:00:00Z&createdTo=2026-12-31T00:00:00Z");
    }
    Call { method: &operation.method, path, body, file }
}

impl Call<'_> {
    pub(crate) fn send(&self, client: &Client) -> Reply {
        match &self.body {
            Some(body) => client.send(self.method, &self.path, body),
            None if self.file.is_some() => {
                let (media_type, text) = self.file.unwrap_or_default();
                let request = client.request(self.method, &self.path);
                Reply::to(request.header("Content-Type", media_type).body(text))
            }
            None => Reply::to(client.request(self.method, &self.path)),
        }
    }
}
