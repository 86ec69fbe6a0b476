//! A small shop of one account: one of everything, to be called upon.

use imports::{ImportKind, ImportOptions, Imports, KeptFile, NewImport};
use kernel::{AccountId, Ctx};
use serde_json::{Value, json};
use testkit::{App, Client};

use super::{invoices::ShopInvoices, payments::ShopPayments, sales::ShopSales};

/// An account with one of everything.
pub(crate) struct Shop {
    pub(crate) account: AccountId,
    /// May do everything.
    pub(crate) client: Client,
    pub(crate) product: String,
    pub(crate) variant: String,
    /// Its first warehouse, where everything lies.
    pub(crate) shelf: String,
    /// Another one, with nothing in it.
    pub(crate) warehouse: String,
    /// A category with another one in it, in which its product is.
    pub(crate) category: String,
    /// One that nothing is in.
    pub(crate) idle_category: String,
    /// A price list for nobody in particular, with a price of its product.
    pub(crate) price_list: String,
    /// A group that nobody is in.
    pub(crate) group: String,
    /// Of its stock.
    pub(crate) adjustment: String,
    /// Of the product and of its variant.
    pub(crate) goods_receipt: String,
    pub(crate) stock_count: String,
    /// Where transfers go to.
    pub(crate) outlet: String,
    /// Where damaged goods go to.
    pub(crate) quarantine: String,
    pub(crate) planned_transfer: String,
    pub(crate) sent_transfer: String,
    /// Has ordered.
    pub(crate) buyer: String,
    /// Has not.
    pub(crate) customer: String,
    pub(crate) order: String,
    /// Paid, with something to come back.
    pub(crate) paid_order: String,
    /// Of that order.
    pub(crate) taken_back: String,
    /// Of a part of another order.
    pub(crate) shipment: String,
    pub(crate) shipped_order: String,
    pub(crate) lead: String,
    /// Its deals.
    pub(crate) sales: ShopSales,
    /// Wants the events of orders; nobody answers at its URL.
    pub(crate) webhook: String,
    /// Of a test event to it.
    pub(crate) delivery: String,
    /// That test event.
    pub(crate) event: String,
    /// The key of somebody else who may approve.
    pub(crate) approver: String,
    /// A key that nothing else is asked with.
    pub(crate) api_key: String,
    /// Its imports, of a shop that has some.
    imports: Vec<ShopImports>,
    /// A rule that its orders do not meet.
    pub(crate) rule: String,
    /// Waits for a decision of the client.
    pub(crate) approval: String,
    /// Its invoices, of a shop that can invoice.
    invoices: Option<ShopInvoices>,
    /// Its payments, of a shop that takes some.
    payments: Option<ShopPayments>,
}

/// What there is in a shop: invoices, payments and imports take their time to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wares {
    Goods,
    Payments,
    Imports(ImportKind),
    Invoices,
    Everything,
}

impl Wares {
    /// What a path takes.
    pub(crate) fn of(path: &str) -> Self {
        let starts = |roots: &[&str]| roots.iter().any(|root| path.starts_with(root));
        if starts(&["/payment", "/refunds"]) {
            return Self::Payments;
        }
        if let Some(kind) = import_kind(path) {
            return Self::Imports(kind);
        }
        match starts(&["/invoices", "/withholdings", "/credits", "/jobs", "/approvals"]) {
            true => Self::Invoices,
            false => Self::Goods,
        }
    }
}

impl Shop {
    /// Opens one that invoices and takes payments too.
    pub(crate) fn open(app: &App) -> Self {
        let kinds = ImportKind::EVERY.iter();
        kinds.fold(Self::open_office(app).taking_payments(app), |shop, kind| {
            shop.importing(app, *kind)
        })
    }

    /// The same with imports.
    fn importing(mut self, app: &App, kind: ImportKind) -> Self {
        let ended = imported(&self.client, kind);
        let waiting = waiting_import(app, self.account, kind);
        self.imports.push(ShopImports { kind, ended, waiting });
        self
    }

    /// The same with payments.
    fn taking_payments(self, app: &App) -> Self {
        let of = (self.account, self.order.as_str());
        let payments = ShopPayments::make(app, &self.client, of);
        Self { payments: Some(payments), ..self }
    }

    /// Opens one that invoices too.
    fn open_office(app: &App) -> Self {
        let shop = Self::open_stall(app);
        let another = json!({"customerId": shop.buyer,
            "items": [{"productId": shop.product, "quantity": 2}]});
        let of = (shop.account, shop.order.as_str(), shop.buyer.as_str());
        let invoices = ShopInvoices::make(app, &shop.client, of, &another);
        Self { invoices: Some(invoices), ..shop }
    }

    /// Opens one with what a path takes.
    pub(crate) fn open_for(app: &App, path: &str) -> Self {
        Self::open_with(app, Wares::of(path))
    }

    /// Opens one with these wares.
    pub(crate) fn open_with(app: &App, wares: Wares) -> Self {
        match wares {
            Wares::Goods => Self::open_stall(app),
            Wares::Payments => Self::open_stall(app).taking_payments(app),
            Wares::Imports(kind) => Self::open_stall(app).importing(app, kind),
            Wares::Invoices => Self::open_office(app),
            Wares::Everything => Self::open(app),
        }
    }

    /// Opens one that cannot invoice.
    fn open_stall(app: &App) -> Self {
        let account = app.account();
        let (text, key) = app.approving_key(account, "*");
        let client = app.client_of(account, "*").with_key(&text);
        let made = |path: &str, body: Value| client.post(path, &body).expect(201);
        let category = id(&made("/categories", json!({"name": "Fiesta"})));
        let inner = json!({"name": "Piñatas", "parentId": category});
        let inner = id(&made("/categories", inner));
        let idle_category = id(&made("/categories", json!({"name": "Nada"})));
        let mut pinata = product();
        pinata["categoryIds"] = json!([inner]);
        let product = made("/products", pinata);
        let price_list = id(&made("/price-lists", json!({"name": "Dólares", "currency": "USD"})));
        let prices = json!({"items": [{"sku": "PIN-1", "price": 5}]});
        let _ =
            client.send("PUT", &format!("/price-lists/{price_list}/items"), &prices).expect(200);
        let group = id(&made("/customer-groups", json!({"name": "Escuelas"})));
        let warehouse = id(&made("/warehouses", json!({"name": "Norte"})));
        let adjustment = json!({"reason": "found", "items": [{"sku": "PIN-1R", "delta": 40}]});
        let adjustment = made("/stock/adjustments", adjustment);
        let goods = json!({"supplier": "Barro SA", "items": [{"sku": "PIN-1", "quantity": 2, "unitCost": 7},
            {"sku": "PIN-1R", "quantity": 1, "unitCost": 8}]});
        let goods_receipt = made("/stock/receipts", goods);
        let count = json!({"items": [{"sku": "PIN-1"}, {"sku": "PIN-1R"}]});
        let stock_count = id(&made("/stock/counts", count));
        let scanned = json!({"code": "PIN-1R", "quantity": 40});
        let _ = client.post(&format!("/stock/counts/{stock_count}/scan"), &scanned).expect(200);
        let shelf = account.to_string().replacen("acc_", "whs_", 1);
        let outlet = id(&made("/warehouses", json!({"name": "Bazar"})));
        let some = json!({"sku": "PIN-1", "warehouseId": outlet, "delta": 5});
        let _ = made("/stock/adjustments", json!({"reason": "found", "items": [some]}));
        let apart = json!({"name": "Mermas", "kind": "quarantine"});
        let quarantine = id(&made("/warehouses", apart));
        let transfer = json!({"fromWarehouseId": shelf, "toWarehouseId": outlet,
            "items": [{"sku": "PIN-1R", "quantity": 10}]});
        let planned_transfer = id(&made("/transfers", transfer.clone()));
        let sent_transfer = id(&made("/transfers", transfer));
        let _ = client.act(&format!("/transfers/{sent_transfer}/dispatch")).expect(200);
        let person = |name: &str| {
            let body = json!({"name": name, "email": format!("{name}@shop.example"),
                "phone": "+525550001111", "rfc": "XAXX010101000", "legalName": "ANA",
                "taxRegime": "616", "taxZip": "42501"});
            id(&made("/customers", body))
        };
        let (buyer, customer) = (person("buyer"), person("idle"));
        let _ = client.act(&format!("/customers/{customer}/tax-link")).expect(201);
        let order = json!({"customerId": buyer, "notes": "Ring twice",
            "items": [{"productId": product["id"], "quantity": 1}]});
        let lead = json!({"name": "Rosa", "email": "rosa@lead.example", "source": "web",
            "ownerId": "luis", "estimatedValue": 10});
        let (order, lead) = (id(&made("/orders", order)), id(&made("/crm/leads", lead)));
        let paid = json!({"customerId": buyer,
            "items": [{"productId": product["id"], "quantity": 3}]});
        let paid_order = id(&made("/orders", paid));
        let as_paid = json!({"status": "paid"});
        let _ = client.patch(&format!("/orders/{paid_order}"), &as_paid).expect(200);
        let taken_back = id(&made(&format!("/orders/{paid_order}/returns"), return_of_one()));
        let three = json!({"customerId": buyer,
            "items": [{"productId": product["id"], "quantity": 3}]});
        let shipped_order = id(&made("/orders", three));
        let one = json!({"items": [{"line": 1, "quantity": 1}], "carrier": "DHL"});
        let shipment = id(&made(&format!("/orders/{shipped_order}/shipments"), one));
        let webhook = json!({"url": "https://hooks.example.com/shop",
            "events": ["order.created", "order.paid"], "description": "Shop"});
        let webhook = id(&made("/webhooks", webhook));
        let test = format!("/webhooks/{webhook}/test");
        let delivery = testkit::Reply::to(client.request("POST", &test)).expect(200);
        let (other, approver) = app.approving_key(account, "*");
        let levels = |key: &str| json!([{"approvers": [{"type": "key", "id": key}]}]);
        let rule = json!({"entityType": "order_discount", "levels": levels(&approver.to_string()),
            "conditions": [{"field": "discountPct", "op": "gt", "value": 50}]});
        let rule = id(&made("/approval-rules", rule));
        let approval = json!({"entityType": "order_discount", "entityId": order,
            "levels": levels(&key.to_string())});
        let approval = client.with_key(&other).post("/approvals", &approval).expect(201);
        Self {
            account,
            approver: approver.to_string(),
            api_key: app.key(account, "products").1.to_string(),
            imports: Vec::new(),
            rule,
            approval: id(&approval),
            order,
            paid_order,
            taken_back,
            shipment,
            shipped_order,
            sales: ShopSales::make(app, &client, (&buyer, &lead, &id(&product))),
            lead,
            webhook,
            event: delivery["eventId"].as_str().expect("an event").to_owned(),
            delivery: id(&delivery),
            variant: id(&product["variants"][0]),
            shelf,
            stock_count,
            outlet,
            quarantine,
            planned_transfer,
            sent_transfer,
            warehouse,
            category,
            idle_category,
            price_list,
            group,
            adjustment: id(&adjustment),
            goods_receipt: id(&goods_receipt),
            product: id(&product),
            buyer,
            customer,
            client,
            invoices: None,
            payments: None,
        }
    }

    /// Its invoices.
    pub(crate) fn invoices(&self) -> &ShopInvoices {
        self.invoices.as_ref().expect("a shop that invoices")
    }

    /// Whether it can invoice.
    pub(crate) fn has_invoices(&self) -> bool {
        self.invoices.is_some()
    }

    /// Its payments.
    pub(crate) fn payments(&self) -> &ShopPayments {
        self.payments.as_ref().expect("a shop that takes payments")
    }

    /// The fiscal year of its withholdings.
    pub(crate) fn year(&self) -> String {
        let path = format!("/withholdings/{}", self.invoices().stamped_withholding);
        self.client.get(&path).expect(200)["period"]["year"].to_string()
    }

    /// The identifier that belongs into a path; the customer is the one who may be deleted.
    pub(crate) fn id_in(&self, path: &str) -> &str {
        let resources = [
            ("/approval-rules/", &self.rule),
            ("/approvals/", &self.approval),
            ("/api-keys/", &self.api_key),
            ("/products/", &self.product),
            ("/warehouses/", &self.warehouse),
            ("/categories/", &self.idle_category),
            ("/price-lists/", &self.price_list),
            ("/customer-groups/", &self.group),
            ("/stock/adjustments/", &self.adjustment),
            ("/stock/receipts/", &self.goods_receipt),
            ("/stock/counts/", &self.stock_count),
            ("/orders/", &self.order),
            ("/returns/", &self.taken_back),
            ("/shipments/", &self.shipment),
            ("/customers/", &self.customer),
            ("/crm/leads/", &self.lead),
            ("/crm/activities/", &self.sales.activity),
            ("/crm/deals/", &self.sales.deal),
            ("/crm/quotes/", self.sales.quote_in(path)),
            ("/crm/pipelines/", &self.sales.pipeline),
            ("/webhooks/deliveries/", &self.delivery),
            ("/webhooks/", &self.webhook),
        ];
        if path.starts_with("/invoices/") || path.starts_with("/jobs/") {
            return self.invoices().id_in(path);
        }
        if path.starts_with("/withholdings/") {
            return self.invoices().withholding_in(path);
        }
        if ["/payments/", "/payment-links/", "/refunds"].iter().any(|root| path.starts_with(root)) {
            return self.payments().id_in(path);
        }
        if path.starts_with("/transfers/") {
            let is_planned = path.ends_with("/dispatch");
            return if is_planned { &self.planned_transfer } else { &self.sent_transfer };
        }
        if path.ends_with("/stock") {
            return &self.shelf;
        }
        if path.ends_with("/shipments") || path.ends_with("/reallocate") {
            return &self.shipped_order;
        }
        if path.ends_with("/returns") {
            return &self.paid_order;
        }
        if let Some(kind) = import_kind(path) {
            let imports = self.imports.iter().find(|imports| imports.kind == kind);
            let imports = imports.expect("a shop that imports");
            return if path.ends_with("/cancel") { &imports.waiting } else { &imports.ended };
        }
        let found = resources.iter().find(|(root, _)| path.starts_with(root));
        found.unwrap_or_else(|| panic!("the shop has nothing for {path}")).1
    }

    /// All that can be read of it, and its events: equal when nothing has changed.
    pub(crate) fn snapshot(&self, app: &App) -> Vec<String> {
        let paths = [
            format!("/products/{}", self.product),
            format!("/orders/{}", self.order),
            format!("/customers/{}", self.customer),
            format!("/customers/{}", self.buyer),
            format!("/crm/leads/{}", self.lead),
            "/products".to_owned(),
            "/warehouses".to_owned(),
            "/categories".to_owned(),
            "/price-lists".to_owned(),
            format!("/price-lists/{}/items", self.price_list),
            "/customer-groups".to_owned(),
            "/stock".to_owned(),
            "/stock/movements".to_owned(),
            "/stock/settings".to_owned(),
            "/transfers".to_owned(),
            "/orders".to_owned(),
            "/customers".to_owned(),
            "/crm/leads".to_owned(),
            "/crm/activities".to_owned(),
            "/crm/deals".to_owned(),
            "/crm/quotes".to_owned(),
            "/crm/pipelines".to_owned(),
            "/approval-rules".to_owned(),
            "/approvals".to_owned(),
        ];
        let invoicing = self.invoices.iter().flat_map(|invoices| {
            let invoices = [&invoices.draft, &invoices.stamped, &invoices.cancelled];
            let invoices = invoices.into_iter().map(|invoice| format!("/invoices/{invoice}"));
            let cfdi = ["issuer", "provider", "issuer/certificates"];
            let cfdi = cfdi.iter().map(|name| format!("/invoices/cfdi/{name}"));
            let rest = ["/invoices", "/withholdings", "/credits", "/credits/ledger"];
            let rest = rest.map(str::to_owned);
            invoices.chain(cfdi).chain(rest).collect::<Vec<_>>()
        });
        let paying = self.payments.iter().flat_map(|_| {
            ["/payments", "/payment-links", "/refunds", "/payments/providers", "/payments/settings"]
                .map(str::to_owned)
        });
        let paths: Vec<String> = paths.into_iter().chain(invoicing).chain(paying).collect();
        let read = paths.iter().map(|path| self.client.get(path).text);
        let moving = [
            format!("/webhooks/{}", self.webhook),
            format!("/webhooks/{}/deliveries", self.webhook),
            format!("/webhooks/deliveries/{}", self.delivery),
            "/webhooks".to_owned(),
        ];
        let still = moving.iter().map(|path| still(self.client.get(path).json()).to_string());
        // Imports that wait for a file that is not there end by themselves after a while.
        let events = app.database.event_names(self.account).into_iter();
        let events = events.filter(|name| name != "import.finished");
        read.chain(still).chain(events).collect()
    }
}

/// What is imported below a path.
fn import_kind(path: &str) -> Option<ImportKind> {
    let is_of = |kind: &&ImportKind| path.starts_with(&format!("/{}/imports", kind.name()));
    ImportKind::EVERY.iter().find(is_of).copied()
}

/// Imports of a shop.
struct ShopImports {
    kind: ImportKind,
    /// Has ended, with errors.
    ended: String,
    /// Waits for its file, and can be canceled.
    waiting: String,
}

/// A table of which two rows are wrong.
fn imported(client: &Client, kind: ImportKind) -> String {
    let table = match kind {
        ImportKind::Products => "sku,price\nPIN-1,19.99\nPIN-2,gratis\nPIN-3,x\n",
        ImportKind::Customers => "name,email\nLuz,luz@example.com\nEva,eva\nIsa,isa\n",
        ImportKind::Stock => "sku,onHand\nPIN-1,100\nNADA,1\nPIN-1R,x\n",
    };
    let path = format!("/{}/imports", kind.name());
    let request = client.request("POST", &path).header("Content-Type", "text/csv");
    let id = id(&testkit::Reply::to(request.body(table)).expect(202));
    let _ = client.once(&format!("{path}/{id}"), |import| !import["endedAt"].is_null());
    id
}

/// An import whose file is on no disk.
fn waiting_import(app: &App, account: AccountId, kind: ImportKind) -> String {
    let file = KeptFile { name: "nowhere".to_owned(), size: 1, digest: "0".repeat(64) };
    let options = ImportOptions::default();
    let ctx = Ctx::system(account, app.now());
    let opened = app.store().open(ctx, NewImport { kind, options, file }).wait();
    opened.expect("a store").expect("an import").value.id.to_string()
}

/// What is shown, without what attempts at a delivery change by themselves.
fn still(shown: Value) -> Value {
    const MOVING: &[&str] =
        &["consecutiveFailures", "state", "attempts", "attemptLog", "nextAttemptAt", "finishedAt"];
    match shown {
        Value::Array(elements) => elements.into_iter().map(still).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(name, _)| !MOVING.contains(&name.as_str()));
            fields.map(|(name, field)| (name, still(field))).collect()
        }
        other => other,
    }
}

/// One unit of the first item comes back.
pub(crate) fn return_of_one() -> Value {
    json!({"items": [{"line": 1, "quantity": 1, "restock": true}], "reason": "Rota"})
}

/// What the product is called elsewhere.
pub(crate) const EXTERNAL_ID: &str = "SAE-0042";

fn product() -> Value {
    json!({"name": "Piñata", "externalId": EXTERNAL_ID, "sku": "PIN-1", "ean": "7501031311309", "price": 19.99,
        "inventory": 100, "variants": [{"name": "Roja", "sku": "PIN-1R", "inventory": 10}]})
}

/// The identifier of a resource.
pub(crate) fn id(resource: &Value) -> String {
    resource["id"].as_str().expect("an id").to_owned()
}
