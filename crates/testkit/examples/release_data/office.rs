//! Invoices of every kind in every state.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use testkit::{App, invoicing};

use crate::{
    merchant::{Merchant, id},
    shop::Ready,
};

/// A PNG of 16 by 16 pixels.
const LOGO: &str =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC";

/// Above this, the receiver is asked whether an invoice may be cancelled.
const LARGE: f64 = 1_160.0;

/// The office of a merchant with the embedded provider.
pub(crate) fn work(app: &App, merchant: &mut Merchant, ready: &Ready) {
    app.can_invoice(merchant.account);
    app.grant(merchant.account, invoicing::CREDITS);
    let _ = merchant
        .client
        .send("PUT", "/invoices/cfdi/issuer/logo", &json!({"image": LOGO}))
        .expect(200);
    let sold = sales(merchant, ready);
    of_orders(app, merchant, ready);
    corrections(app, merchant, &sold);
    cancellations(merchant);
    withholdings(app, merchant);
    under_way(merchant);
    let _ = merchant.make("/invoices", &sale(58.0));
}

/// The office of one whose provider is elsewhere: nothing is stamped yet.
pub(crate) fn work_elsewhere(app: &App, merchant: &mut Merchant, provider: (&str, &str)) {
    app.grant(merchant.account, invoicing::CREDITS);
    let issuer = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxRegime": "601", "taxZip": "42501", "series": {"income": "WEB"}});
    let put = |path: &str, body: &Value| merchant.client.send("PUT", path, body).expect(200);
    let _ = put("/invoices/cfdi/issuer", &issuer);
    let (user, password) = provider;
    let _ = put(
        "/invoices/cfdi/provider",
        &json!({"provider": "sw", "user": user, "password": password}),
    );
    let (certificate, key) = invoicing::COMPANY;
    let pair = json!({"certificate": BASE64_STANDARD.encode(certificate),
        "privateKey": BASE64_STANDARD.encode(key), "password": invoicing::PASSWORD});
    let _ = merchant.post("/invoices/cfdi/issuer/certificates", &pair);
    let _ = merchant.make("/invoices", &sale(116.0));
}

/// A sale paid at once, sent by mail, and one paid in parts; the latter is answered.
fn sales(merchant: &mut Merchant, ready: &Ready) -> Value {
    let of_customer = json!({"customerId": ready.company, "paymentForm": "03", "notes": "Gracias",
        "metadata": {"canal": "web"}, "items": [{"productId": ready.mug, "quantity": 3}, item(116.0)]});
    let at_once = stamped(merchant, &of_customer);
    let place = format!("/invoices/{}", id(&at_once));
    let _ = merchant.post(&format!("{place}/email"), &json!({"to": ["ana@example.com"]}));
    let _ = merchant.act(&format!("{place}/copy"));
    let mut in_parts = sale(LARGE);
    in_parts["paymentMethod"] = json!("PPD");
    in_parts["paymentForm"] = json!("99");
    stamped(merchant, &in_parts)
}

/// The invoice of one order, and one of several to the public.
fn of_orders(app: &App, merchant: &mut Merchant, ready: &Ready) {
    let _ = stamped(
        merchant,
        &json!({"orderId": ready.order, "receiver": company(), "paymentForm": "03"}),
    );
    let today = app.now().to_string();
    let (year, month) = (&today[..4], &today[5..7]);
    let year: u16 = year.parse().expect("a year");
    let _ = stamped(
        merchant,
        &json!({"orderIds": ready.tickets, "paymentForm": "01",
        "global": {"periodicity": "04", "months": month, "year": year}}),
    );
}

/// A credit note, a receipt of a payment, goods on the way, and an invoice that replaces another.
fn corrections(app: &App, merchant: &mut Merchant, sold: &Value) {
    let note = json!({"type": "E", "paymentForm": "03",
        "items": [{"description": "Descuento", "satProductKey": "84111506", "satUnitKey": "ACT",
            "quantity": 1, "unitPrice": 16}],
        "related": [{"relation": "01", "uuids": [sold["uuid"]]}]});
    let _ = stamped(merchant, &note);
    let receipt = json!({"type": "P", "payments": [{"paidAt": app.now().to_string(), "paymentForm": "03",
        "amount": 500, "documents": [{"invoiceId": sold["id"], "amount": 500}]}]});
    let _ = stamped(merchant, &receipt);
    let own = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxZip": "42501", "taxRegime": "601"});
    let goods = json!({"type": "T", "receiver": own, "items": [
        {"description": "Tazas", "satProductKey": "52152100", "quantity": 100, "unitPrice": 20}]});
    let _ = stamped(merchant, &goods);
    let wrong = stamped(merchant, &sale(29.0));
    let copy = merchant.post(&format!("/invoices/{}/copy", id(&wrong)), &json!({"replace": true}));
    let right = merchant.act(&format!("/invoices/{}/timbrar", id(&copy)));
    let _ = merchant.post(
        &format!("/invoices/{}/cancel", id(&wrong)),
        &json!({"reason": "01", "replacementUuid": right["uuid"]}),
    );
}

/// Accepted, rejected, and one that the receiver has not decided.
fn cancellations(merchant: &mut Merchant) {
    for (simulated, price) in [("accept", 116.0), ("reject", LARGE), ("pending", LARGE)] {
        simulate(merchant, "normal", simulated);
        let invoice = stamped(merchant, &sale(price));
        let _ =
            merchant.post(&format!("/invoices/{}/cancel", id(&invoice)), &json!({"reason": "02"}));
    }
}

/// A withholding in each status that lasts, and one whose stamp nobody has seen.
fn withholdings(app: &App, merchant: &mut Merchant) {
    let year: i64 = app.now().to_string()[..4].parse().expect("a year");
    let receiver = json!({"national": {"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxZip": "36257"}});
    let tax = json!({"tax": "ISR", "base": 1000, "amount": 100, "paymentKind": "04"});
    let fees = |folio: &str| {
        json!({"code": "01", "folio": folio, "receiver": receiver, "totals": {"taxed": 1000}, "taxes": [tax],
        "period": {"firstMonth": 1, "lastMonth": 1, "year": year}})
    };
    let draft = merchant.make("/withholdings", &fees("R1"));
    let _ = merchant.act(&format!("/withholdings/{draft}/stamp"));
    let gone = merchant.make("/withholdings", &fees("R2"));
    let _ = merchant.act(&format!("/withholdings/{gone}/stamp"));
    let _ = merchant.post(&format!("/withholdings/{gone}/cancel"), &json!({"reason": "02"}));
    simulate(merchant, "timeoutAfterStamping", "accept");
    let lost = merchant.make("/withholdings", &fees("R3"));
    let stamping = merchant.client.act(&format!("/withholdings/{lost}/stamp"));
    let _ = stamping.refused(504, "provider_timeout");
    simulate(merchant, "normal", "accept");
    let _ = merchant.make("/withholdings", &fees("R4"));
}

/// A stamping that was refused, and two whose answer was lost: one before the stamp, one after it.
fn under_way(merchant: &mut Merchant) {
    for (simulated, status, code) in [
        ("unavailable", 502, "provider_error"),
        ("timeout", 504, "provider_timeout"),
        ("timeoutAfterStamping", 504, "provider_timeout"),
    ] {
        simulate(merchant, simulated, "accept");
        let draft = merchant.make("/invoices", &sale(116.0));
        let _ = merchant.client.act(&format!("/invoices/{draft}/timbrar")).refused(status, code);
    }
    simulate(merchant, "normal", "accept");
}

fn simulate(merchant: &Merchant, stamping: &str, cancellation: &str) {
    let choice = json!({"provider": "sandbox",
        "simulate": {"stamping": stamping, "cancellation": cancellation}});
    let _ = merchant.client.send("PUT", "/invoices/cfdi/provider", &choice).expect(200);
}

fn stamped(merchant: &mut Merchant, body: &Value) -> Value {
    let draft = merchant.make("/invoices", body);
    merchant.act(&format!("/invoices/{draft}/timbrar"))
}

fn company() -> Value {
    json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
        "taxZip": "86991", "taxRegime": "601", "cfdiUse": "G03"})
}

fn item(price: f64) -> Value {
    json!({"description": "Taza", "satProductKey": "52152100", "quantity": 1, "unitPrice": price})
}

fn sale(price: f64) -> Value {
    json!({"receiver": company(), "paymentForm": "03", "items": [item(price)]})
}
