//! An office that is paid: the steps that stories about its papers have in common.

use kernel::Actor;
use serde_json::{Value, json};
use tasks::{TaskId, TaskOffice};
use testkit::{DatabaseKind, Reply};

use crate::invoices::office::{Office, id};

/// An office that sells, with somebody who buys.
pub(in crate::payments) struct Desk {
    pub(in crate::payments) office: Office,
    pub(in crate::payments) customer: String,
    mug: String,
}

impl Desk {
    pub(in crate::payments) fn open(kind: DatabaseKind) -> Self {
        let office = Office::open(kind);
        let mug = office.product("TAZA", 50.0, &json!({}));
        let customer = office.customer();
        Self { office, customer, mug }
    }

    /// A natural person whose tax data are complete: the customer is a company.
    #[track_caller]
    pub(in crate::payments) fn person(&self) -> String {
        let person = json!({"name": "Xóchilt", "rfc": "CACX7605101P8", "cfdiUse": "G03",
            "legalName": "XOCHILT CASAS CHAVEZ", "taxRegime": "612", "taxZip": "36257"});
        id(&self.office.make("/customers", &person))
    }

    /// Has papers stamped by themselves.
    #[track_caller]
    pub(in crate::payments) fn stamps(&self, receipts: bool, notes: bool) {
        let issuer = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
            "taxRegime": "601", "taxZip": "42501", "autoReceipts": receipts,
            "autoCreditNotes": notes});
        let told = self.office.client.send("PUT", "/invoices/cfdi/issuer", &issuer).expect(200);
        assert_eq!(
            (&told["autoReceipts"], &told["autoCreditNotes"]),
            (&json!(receipts), &json!(notes))
        );
    }

    /// An order of so many pieces of 50.00.
    #[track_caller]
    pub(in crate::payments) fn order(&self, pieces: i64) -> Value {
        self.office.order(&self.customer, &[(&self.mug, pieces)])
    }

    /// The order of the worked example, of 488.33: 440.82 at 16 %, shipping among it, and 47.51 at 0 %.
    #[track_caller]
    pub(in crate::payments) fn order_of_two_taxes(&self) -> Value {
        let zero = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}],
            "satProductKey": "55101500"});
        let lamp = self.office.product("LAMPARA", 199.90, &json!({}));
        let book = self.office.product("LIBRO", 50.0, &zero);
        let order = self.office.make(
            "/orders",
            &json!({"customerId": self.customer, "items": [
                {"productId": lamp, "quantity": 2, "discount": {"percent": 10}},
                {"productId": book, "quantity": 1}],
                "discount": {"percent": 5}, "shipping": {"name": "Estafeta", "amount": 99}}),
        );
        assert_eq!(order["totalAmount"], 488.33);
        order
    }

    /// An invoice of an order, which says nothing of how it is paid.
    #[track_caller]
    pub(in crate::payments) fn draft_of(&self, order: &Value) -> Value {
        self.office.draft(&json!({"orderId": order["id"]}))
    }

    /// The same, stamped.
    #[track_caller]
    pub(in crate::payments) fn invoice_of(&self, order: &Value) -> Value {
        self.office.stamp(&id(&self.draft_of(order))).expect(200)
    }

    /// A payment that is asked for.
    #[track_caller]
    pub(in crate::payments) fn pay(&self, body: &Value) -> Value {
        self.office.make("/payments", body)
    }

    /// Has the payer of a transfer send so much.
    #[track_caller]
    pub(in crate::payments) fn transfer(&self, body: &Value) -> Value {
        let mut body = body.clone();
        body["method"] = json!("spei");
        let payment = self.pay(&body);
        assert_eq!(payment["status"], "requires_action");
        let path = format!("/payments/{}/simulate", id(&payment));
        self.office.client.post(&path, &json!({"event": "pay"})).expect(200)
    }

    pub(in crate::payments) fn refund(&self, payment: &Value, body: &Value) -> Reply {
        self.office.client.post(&format!("/payments/{}/refunds", id(payment)), body)
    }

    /// The receipt of a payment, once there is one.
    #[track_caller]
    pub(in crate::payments) fn receipt(&self, payment: &Value) -> Value {
        let path = format!("/payments/{}", id(payment));
        let seen = self
            .office
            .client
            .once(&path, |seen| !seen["receiptId"].is_null() || !seen["receiptProblem"].is_null());
        assert_eq!(seen["receiptProblem"], json!(null), "{seen}");
        self.office.read(seen["receiptId"].as_str().unwrap())
    }

    /// The same, whatever keeps it a draft.
    #[track_caller]
    pub(in crate::payments) fn drafted(&self, payment: &Value) -> Value {
        let path = format!("/payments/{}", id(payment));
        let seen = self.office.client.once(&path, |seen| !seen["receiptId"].is_null());
        self.office.read(seen["receiptId"].as_str().unwrap())
    }

    /// The credit note of a refund, once there is one.
    #[track_caller]
    pub(in crate::payments) fn note(&self, refund: &Value) -> Value {
        let path = format!("/refunds/{}", id(refund));
        let seen = self.office.client.once(&path, |seen| {
            !seen["creditNoteId"].is_null() || !seen["creditNoteProblem"].is_null()
        });
        assert_eq!(seen["creditNoteProblem"], json!(null), "{seen}");
        self.office.read(seen["creditNoteId"].as_str().unwrap())
    }

    /// An invoice once it is stamped.
    #[track_caller]
    pub(in crate::payments) fn stamped(&self, invoice: &Value) -> Value {
        let stamped = self.office.until(&id(invoice), |seen| seen["status"] == "stamped");
        self.keep(&id(&stamped));
        stamped
    }

    /// Keeps a paper for others to judge, in the folder that `TRASTIENDA_KEEP_PAPERS` names.
    fn keep(&self, invoice: &str) {
        if let Some(folder) = std::env::var_os("TRASTIENDA_KEEP_PAPERS") {
            let xml = self.office.client.get(&format!("/invoices/{invoice}/xml")).text;
            let path = std::path::Path::new(&folder).join(format!("{invoice}.xml"));
            std::fs::write(path, xml).expect("the paper is kept");
        }
    }

    /// Waits until no paper is being made any more.
    #[track_caller]
    pub(in crate::payments) fn settle(&self) {
        let _ = self.office.client.once("/jobs?kind=payments.paper", |page| {
            let jobs = page["data"].as_array().unwrap();
            jobs.iter().all(|job| job["status"] != "queued" && job["status"] != "running")
        });
    }

    /// Gives up what is being stamped, as an operator does.
    #[track_caller]
    pub(in crate::payments) fn give_up_stamping(&self) {
        let jobs = self.office.client.get("/jobs?kind=invoices.stamp").expect(200);
        let mut jobs = jobs["data"].as_array().unwrap().iter();
        let job = jobs.find(|job| job["status"] == "queued").expect("a stamping waits");
        let (task, now) = (TaskId::parse(&id(job)).unwrap(), self.office.app.now());
        let (actor, note) = (Actor::Operator("ana".into()), "never stamped".to_owned());
        let given_up = self.office.app.store().abandon(task, actor, note, now);
        let _ = given_up.wait().unwrap().unwrap();
    }

    /// How many invoices there are of a type.
    #[track_caller]
    pub(in crate::payments) fn count(&self, kind: &str) -> u64 {
        let page = self.office.client.get(&format!("/invoices?type={kind}")).expect(200);
        page["total"].as_u64().unwrap()
    }
}
