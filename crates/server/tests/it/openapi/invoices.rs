//! What a shop has of invoices: one of each state.

use invoices::{EmailInvoice, EmailQueue, InvoiceId, testers::Testers};
use serde_json::{Value, json};
use testkit::{App, Client};

use super::shop::id;

/// An issuer's invoices.
pub(crate) struct ShopInvoices {
    /// Seals.
    pub(crate) certificate: String,
    /// Of the shop's order.
    pub(crate) draft: String,
    /// Paid in parts.
    pub(crate) stamped: String,
    /// The fiscal folio of that one.
    pub(crate) uuid: String,
    pub(crate) cancelled: String,
    /// The draft of a receipt of a payment of the stamped one.
    pub(crate) receipt: String,
    /// Has no invoice.
    pub(crate) order: String,
    /// The default issuer, of everything here.
    pub(crate) default_issuer: String,
    /// An issuer that nothing names.
    pub(crate) issuer: String,
    /// The branch where the draft is issued.
    pub(crate) branch: String,
    /// An email under way.
    pub(crate) job: String,
    /// An export that has made its file.
    pub(crate) export: String,
    /// The draft of a withholding from the buyer.
    pub(crate) withholding: String,
    pub(crate) stamped_withholding: String,
    /// The fiscal folio of that one.
    pub(crate) withholding_uuid: String,
    pub(crate) cancelled_withholding: String,
}

impl ShopInvoices {
    /// Makes them; `order` is the shop's, of which the draft is made, and `buyer` who has ordered.
    pub(crate) fn make(
        app: &App,
        client: &Client,
        (account, order, buyer): (kernel::AccountId, &str, &str),
        another: &Value,
    ) -> Self {
        app.can_invoice(account);
        app.grant(account, 1_000);
        let made = |path: &str, body: &Value| client.post(path, body).expect(201);
        let stamped = |body: Value| {
            let draft = id(&made("/invoices", &body));
            client.act(&format!("/invoices/{draft}/timbrar")).expect(200)
        };
        let receiver = json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
            "taxZip": "86991", "taxRegime": "601"});
        let items = json!([{"description": "Taza", "quantity": 1, "unitPrice": 116}]);
        let sold = stamped(json!({"receiver": receiver, "items": items, "paymentMethod": "PPD"}));
        let gone = stamped(json!({"receiver": receiver, "items": items, "paymentForm": "03"}));
        let cancelled = id(&gone);
        let cancel = json!({"reason": "02"});
        let _ = client.post(&format!("/invoices/{cancelled}/cancel"), &cancel).expect(200);
        let list = client.get("/invoices/cfdi/issuer/certificates").expect(200);
        let link = format!("/invoices/{}/link", id(&sold));
        let _ = client.act(&link).expect(201);
        let issuer = json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
            "taxRegime": "601", "taxZip": "86991"});
        let branch = json!({"name": "Centro", "placeOfIssue": "42501"});
        let branch = id(&made("/invoices/cfdi/branches", &branch));
        let draft = json!({"orderId": order, "paymentForm": "03", "branchId": branch});
        let year: i64 = app.now().to_string()[..4].parse().expect("a year");
        let withheld = |more: Value| {
            let mut body = json!({"code": "01", "period": {"firstMonth": 1, "lastMonth": 1, "year": year},
                "totals": {"taxed": 100},
                "taxes": [{"tax": "ISR", "base": 100, "amount": 10, "paymentKind": "04"}]});
            body.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
            made("/withholdings", &body)
        };
        let company = |folio: &str| {
            json!({"folio": folio, "receiver": {"national": {"rfc": "URE180429TM6",
            "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA", "taxZip": "86991"}}, "stamp": true})
        };
        let (certified, revoked) = (withheld(company("R1")), id(&withheld(company("R2"))));
        let _ = client.post(&format!("/withholdings/{revoked}/cancel"), &cancel).expect(200);
        Self {
            withholding: id(&withheld(json!({"customerId": buyer}))),
            withholding_uuid: certified["uuid"].as_str().expect("a fiscal folio").to_owned(),
            stamped_withholding: id(&certified),
            cancelled_withholding: revoked,
            default_issuer: id(&client.get("/invoices/cfdi/issuer").expect(200)),
            issuer: id(&made("/invoices/cfdi/issuers", &issuer)),
            branch,
            certificate: id(&list["data"][0]),
            draft: id(&made("/invoices", &draft)),
            receipt: id(&made("/invoices", &receipt_of(&id(&sold)))),
            stamped: id(&sold),
            job: emailing(app, account, &id(&sold)),
            export: exported(client),
            uuid: sold["uuid"].as_str().expect("a fiscal folio").to_owned(),
            cancelled,
            order: id(&made("/orders", another)),
        }
    }

    /// The identifier that belongs into a path below `/withholdings`.
    pub(crate) fn withholding_in(&self, path: &str) -> &str {
        match path.rsplit('/').next() {
            Some("cancel" | "xml") => &self.stamped_withholding,
            Some("cancellation-receipt") => &self.cancelled_withholding,
            _ => &self.withholding,
        }
    }

    /// The identifier that belongs into a path below `/invoices`.
    pub(crate) fn id_in(&self, path: &str) -> &str {
        match path.rsplit('/').next() {
            Some("file") => &self.export,
            _ if path.starts_with("/jobs/") => &self.job,
            _ if path.contains("/certificates/") => &self.certificate,
            _ if path.contains("/issuers/") => &self.issuer,
            _ if path.contains("/branches/") => &self.branch,
            Some("copy" | "cancel" | "xml" | "email" | "addenda" | "link") => &self.stamped,
            Some("cancellation-receipt") => &self.cancelled,
            _ => &self.draft,
        }
    }
}

/// A receipt of one peso paid of an invoice.
pub(crate) fn receipt_of(invoice: &str) -> Value {
    let payment = json!({"paidAt": "2098-01-31T18:00:00Z", "paymentForm": "03", "amount": 1,
        "documents": [{"invoiceId": invoice, "amount": 1}]});
    json!({"type": "P", "payments": [payment]})
}

/// An export that is done.
fn exported(client: &Client) -> String {
    let days = json!({"from": "2020-01-01", "to": "2020-01-31"});
    let job = id(&client.post("/invoices/exports", &days).expect(202));
    assert_eq!(client.ended(&job)["status"], "succeeded");
    job
}

/// An email that some worker is at.
fn emailing(app: &App, account: kernel::AccountId, invoice: &str) -> String {
    let ctx = kernel::Ctx::system(account, app.now());
    let command = EmailInvoice {
        id: InvoiceId::parse(invoice).expect("an invoice"),
        to: Some(vec!["ana@shop.example".to_owned()]),
        subject: None,
        message: None,
    };
    let until = app.now().plus_seconds(600);
    let opened = EmailQueue::open(
        &**app.store(),
        ctx,
        command,
        &Testers::parse("@shop.example").expect("a domain"),
        until,
    )
    .wait();
    opened.expect("an answer").expect("a task").value.id.to_string()
}
