//! Invoices in the panel, and what invoicing needs.

use accounts::{Accounts, slug};
use serde_json::{Value, json};
use testkit::{
    App, Client, DatabaseKind, FakeSmtp, Receiver,
    invoicing::{COMPANY, CREDITS, PASSWORD},
    on_both,
};

use super::{
    browser::{Browser, copied, hidden},
    bulk::{begun, rows},
    once::forms,
};
use crate::invoices::{
    emails::settings,
    office::{company, item, sale},
};

const LOGO: &[u8] = include_bytes!("../../../../print/fixtures/logo.png");
const OTHER_LOGO: &[u8] = include_bytes!("../../../../print/fixtures/logo.jpg");

on_both!(
    an_order_is_invoiced_and_stamped_once,
    findings_stand_at_their_fields,
    what_is_wrong_is_corrected_where_it_is_kept,
    a_form_is_judged_and_a_constancia_is_read,
    a_draft_is_judged_stamped_or_deleted,
    a_draft_is_corrected,
    an_item_that_is_not_shown_is_told_by_its_name,
    an_invoice_is_replaced_and_cancelled,
    an_invoice_is_sent_credited_and_has_an_addenda,
    a_certificate_is_taken_with_all_its_faults_told,
    issuers_series_and_branches_are_kept,
    many_invoices_are_stamped_and_the_papers_of_a_month_are_made,
    of_many_drafts_those_that_were_changed_meanwhile_are_not_stamped,
    what_could_be_done_twice_is_done_once_however_late,
);

/// The panel of a test account, for which the sandbox stamps, and a client of its API.
struct Shop {
    app: App,
    browser: Browser,
    account: String,
    client: Client,
}

impl Shop {
    /// Without an issuer.
    fn bare(kind: DatabaseKind) -> Self {
        Self::of(App::start(kind))
    }

    /// Without an issuer, in a service of its own.
    fn of(app: App) -> Self {
        let (browser, _) = Browser::of_owner(&app);
        let accounts = app.store().list_accounts().wait().unwrap().unwrap();
        let live = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
        let test = app.test_account(live);
        app.grant(test, CREDITS);
        let client = app.client_of(test, "*");
        let account = format!("/panel/{}/", slug::of_test_account("flores-del-sur"));
        Self { app, browser, account, client }
    }

    /// With an issuer and its certificate.
    fn open(kind: DatabaseKind) -> Self {
        Self::bare(kind).ready()
    }

    /// With an issuer and its certificate from now on.
    fn ready(self) -> Self {
        let shop = self;
        let accounts = shop.app.store().list_accounts().wait().unwrap().unwrap();
        let live = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
        shop.app.can_invoice(shop.app.test_account(live));
        shop
    }

    fn place(&self, path: &str) -> String {
        format!("{}{path}", self.account)
    }

    fn read(&self, path: &str) -> String {
        self.browser.read(&self.place(path))
    }

    /// Sends a form to the page that shows it.
    #[track_caller]
    fn send(&self, path: &str, fields: &[(&str, &str)]) -> testkit::Reply {
        let place = self.place(path);
        self.browser.send(&place, &place, fields)
    }

    /// Sends a page's form as it is filled in, but for these fields.
    #[track_caller]
    fn correct(&self, path: &str, fields: &[(&str, &str)]) -> testkit::Reply {
        let mut all = filled(&self.read(path));
        all.retain(|(known, _)| fields.iter().all(|(name, _)| name != known));
        let all = all.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let all: Vec<_> = all.chain(fields.iter().copied()).collect();
        self.browser.post(&self.place(path), &all)
    }

    /// What has come of the rows of bulk actions is not on record any more, and they go on.
    fn unrecorded(&self) {
        let database = &self.app.database;
        database.execute("UPDATE bulk_action_rows SET outcome = NULL, code = NULL");
        database.execute("UPDATE bulk_actions SET done = 0, refused = 0, skipped = 0");
        database.execute(
            "UPDATE tasks SET state = 'open', due_at = created_at, ended_at = NULL, outcome = NULL, done = 0 \
             WHERE kind IN ('orders.bulk', 'invoices.bulk', 'webhooks.bulk')",
        );
    }

    fn invoices(&self) -> Vec<Value> {
        self.client.get("/invoices").expect(200)["data"].as_array().unwrap().clone()
    }

    /// A stamped sale, by the path of its page.
    fn stamped(&self) -> String {
        let mut sale = sale(116.0);
        sale["stamp"] = json!(true);
        let made = self.client.post("/invoices", &sale).expect(201);
        format!("invoices/{}", made["id"].as_str().unwrap())
    }
}

/// What the longest form of a page would send as it is filled in.
fn filled(html: &str) -> Vec<(String, String)> {
    let fields = forms(html).into_iter().map(|form| form.fields);
    fields.max_by_key(Vec::len).unwrap_or_else(|| panic!("{html}"))
}

/// Where a form has led to, below the account.
#[track_caller]
fn led(shop: &Shop, reply: &testkit::Reply) -> String {
    assert_eq!(reply.status, 303, "{}", reply.text);
    let location = reply.header("location").unwrap();
    location.strip_prefix(&shop.account).unwrap_or_else(|| panic!("{location}")).to_owned()
}

/// The page that a form has led to.
#[track_caller]
fn shown(shop: &Shop, reply: &testkit::Reply) -> String {
    let html = shop.read(&led(shop, reply));
    assert!(html.contains("role=\"status\""), "{html}");
    html
}

/// The fields of a receiver, as the form has them.
const RECEIVER: [(&str, &str); 5] = [
    ("receiver.rfc", "URE180429TM6"),
    ("receiver.legalName", "UNIVERSIDAD ROBOTICA ESPAÑOLA"),
    ("receiver.taxZip", "86991"),
    ("receiver.taxRegime", "601"),
    ("receiver.cfdiUse", "G03"),
];

fn an_order_is_invoiced_and_stamped_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9});
    let product = made("/products", &product);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": product["id"], "quantity": 2}]);
    let order = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let id = order["id"].as_str().unwrap();
    let page = format!("invoices/new?order={id}");
    let order_page = format!("orders/{id}");
    assert!(shop.read(&order_page).contains(&page), "{}", shop.read(&order_page));
    let form = shop.read(&page);
    assert!(form.contains("value=\"URE180429TM6\"") && form.contains("$232.00"), "{form}");
    assert!(!form.contains("items[0]"), "its items are those of the order: {form}");
    assert!(form.contains("name=\"stamp\" value=\"true\">"), "{form}");
    assert!(form.contains("$232.00 · 10 "), "the button tells amount and credits: {form}");
    assert!(shop.invoices().is_empty(), "looking makes nothing");
    let tokens = ["csrf", "once"].map(|name| (name, hidden(&form, name).unwrap()));
    let fields: Vec<_> = tokens.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let given = [("orderId", id), ("stamp", "true"), ("paymentForm", "03")];
    let fields: Vec<_> = fields.into_iter().chain(RECEIVER).chain(given).collect();
    // Two clicks make one invoice.
    let replies = [0; 2].map(|_| shop.browser.post(&shop.place("invoices/new"), &fields));
    let places = replies.each_ref().map(|reply| led(&shop, reply));
    let places = places.each_ref().map(|place| place.split('?').next().unwrap());
    assert_eq!(places[0], places[1]);
    let detail = shown(&shop, &replies[0]);
    let invoices = shop.invoices();
    assert_eq!((invoices.len(), &invoices[0]["status"]), (1, &json!("stamped")));
    assert_eq!(copied(&detail, "uuid"), invoices[0]["uuid"].as_str().unwrap());
    assert!(detail.contains("verificacfdi") && detail.contains("pill ok"), "{detail}");
    let path = format!("invoices/{}", invoices[0]["id"].as_str().unwrap());
    let xml = shop.browser.get(&shop.place(&format!("{path}/xml")));
    assert!(xml.text.contains("<cfdi:Comprobante"), "{}", xml.text);
    assert!(xml.header("content-disposition").unwrap().starts_with("attachment; filename="));
    assert!(shop.read(&format!("{path}/pdf")).starts_with("%PDF"));
    assert_eq!(shop.browser.get(&shop.place(&format!("{path}/receipt"))).status, 404);
    let list = shop.read("invoices?type=I&status=stamped");
    assert!(list.contains("F-1") && list.contains("class=\"stat\""), "{list}");
    assert!(list.contains("$232.00"), "{list}");
    let uuid = invoices[0]["uuid"].as_str().unwrap();
    assert!(shop.read("invoices.csv?status=stamped").contains(uuid));
    assert!(shop.read("search?q=robotica").contains(&path));
    assert!(shop.read("invoices?status=draft").contains("class=\"empty\""));
    assert!(shop.read(&order_page).contains(&path), "the order leads to its invoice");
    // Of a product by its code, and of none.
    let of = |code: &'static str| {
        let item = [("items[0].sku", code), ("items[0].quantity", "3")];
        let fields: Vec<_> = RECEIVER.into_iter().chain(item).collect();
        shop.send("invoices/new", &fields)
    };
    let detail = shown(&shop, &of("T-1"));
    assert!(detail.contains("$348.00") && detail.contains("Taza"), "{detail}");
    let unknown = of("T-7");
    assert!(unknown.text.contains("id=\"items[0].sku-fault\""), "{}", unknown.text);
}

fn findings_stand_at_their_fields(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let item = [
        ("items[2].description", "Taza"),
        ("items[2].quantity", "2"),
        ("items[2].unitPrice", "58"),
        ("taxIncluded", "true"),
        ("stamp", "true"),
        ("paymentForm", "03"),
    ];
    let wrong = [("items[2].satProductKey", "00000000"), ("items[2].satUnitKey", "H87")];
    let fields: Vec<_> = RECEIVER.into_iter().chain(item).chain(wrong).collect();
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(name, text)| if name == "receiver.taxZip" { (name, "00001") } else { (name, text) })
        .collect();
    let refused = shop.send("invoices/new", &fields);
    assert_eq!(refused.status, 422, "{}", refused.text);
    for part in [
        "id=\"receiver.taxZip-fault\"",
        "id=\"items[2].satProductKey-fault\"",
        "href=\"#receiver.taxZip\"",
        "value=\"Taza\"",
    ] {
        assert!(refused.text.contains(part), "{part}: {}", refused.text);
    }
    assert!(shop.invoices().is_empty(), "no draft is made of what cannot be stamped");
    let nothing = shop.send("invoices/new", &[]);
    assert_eq!(nothing.status, 422, "{}", nothing.text);
    assert!(nothing.text.contains("id=\"items[0].description-fault\""), "{}", nothing.text);
    let fields: Vec<_> = RECEIVER.into_iter().chain(item).collect();
    let detail = shown(&shop, &shop.send("invoices/new", &fields));
    assert!(detail.contains("$116.00"), "{detail}");
}

fn what_is_wrong_is_corrected_where_it_is_kept(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9,
        "satProductKey": "00000000"});
    let product = made("/products", &product);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    buyer["taxZip"] = json!("06600");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": product["id"], "quantity": 2}]);
    let order = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let id = order["id"].as_str().unwrap();
    let page = format!("invoices/new?order={id}");
    let form = shop.read(&page);
    let edits = [("products", &product), ("customers", &buyer)];
    let edits =
        edits.map(|(kind, of)| format!("{kind}/{}/edit?back={id}", of["id"].as_str().unwrap()));
    for edit in &edits {
        assert!(form.contains(&format!("href=\"{}\"", shop.place(edit))), "{edit}: {form}");
    }
    for (edit, field, text) in
        [(&edits[0], "satProductKey", "52152000"), (&edits[1], "taxZip", "86991")]
    {
        let back = led(&shop, &shop.correct(edit, &[(field, text)]));
        assert!(back.starts_with(&format!("{page}&did=")), "{back}");
    }
    let form = shop.read(&page);
    assert!(!form.contains(&format!("{}\"", edits[0])), "{form}");
    assert!(form.contains("value=\"86991\""), "{form}");
    // No other place can be told to lead to.
    let elsewhere = "products/new?back=https%3A%2F%2Fevil.example";
    let led_to = shop.correct(elsewhere, &[("name", "Plato"), ("price", "58")]);
    assert!(led(&shop, &led_to).starts_with("products/"));
    assert!(shop.invoices().is_empty());
    // Without an issuer the page leads to where one is added.
    let bare = Shop::bare(kind);
    let item = [("items[0].description", "Taza"), ("items[0].unitPrice", "58"), ("check", "true")];
    let fields: Vec<_> = RECEIVER.into_iter().chain(item).collect();
    let judged = bare.send("invoices/new", &fields);
    let add = format!("href=\"{}\"", bare.place("settings/invoicing/issuers/new"));
    assert!(judged.text.contains(&add), "{}", judged.text);
}

fn a_form_is_judged_and_a_constancia_is_read(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let item = [
        ("items[0].description", "Taza"),
        ("items[0].unitPrice", "58"),
        ("items[0].discount", "8"),
        ("items[0].taxes", "iva0"),
        ("paymentForm", "03"),
    ];
    let mut fields: Vec<_> = RECEIVER.into_iter().chain(item).chain([("check", "true")]).collect();
    let judged = shop.send("invoices/new", &fields);
    assert_eq!(judged.status, 200, "{}", judged.text);
    assert!(judged.text.contains("$50.00 · 10 "), "{}", judged.text);
    assert!(!judged.text.contains("-fault\""), "{}", judged.text);
    fields[2] = ("receiver.taxZip", "00001");
    let judged = shop.send("invoices/new", &fields);
    assert_eq!(judged.status, 200, "{}", judged.text);
    assert!(judged.text.contains("id=\"receiver.taxZip-fault\""), "{}", judged.text);
    // Whatever button is pressed: what is pasted is looked at first.
    let pasted = "RFC: URE180429TM6\nDenominación/Razón Social: UNIVERSIDAD ROBOTICA ESPAÑOLA\n\
        Código Postal: 86991\nRegímenes:\nRégimen General de Ley Personas Morales 01/01/2020";
    let with = |text: &'static str| {
        let fields = [("constancia", text), ("stamp", "true"), ("receiver.cfdiUse", "G03")];
        let fields: Vec<_> = fields.into_iter().chain(item).collect();
        shop.send("invoices/new", &fields)
    };
    let read = with(pasted);
    assert_eq!(read.status, 200, "{}", read.text);
    let values = filled(&read.text);
    for (name, text) in RECEIVER.into_iter().chain(item).chain([("constancia", "")]) {
        let known = values.iter().find(|(known, _)| known == name).unwrap();
        assert_eq!(known.1, text, "{name}: {}", read.text);
    }
    let nothing = with("Hola");
    assert_eq!(nothing.status, 422, "{}", nothing.text);
    assert!(nothing.text.contains("id=\"constancia-fault\""), "{}", nothing.text);
    assert!(shop.invoices().is_empty(), "judging makes nothing");
}

fn a_draft_is_corrected(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9});
    let product = made("/products", &product);
    let mut draft = sale(116.0);
    draft["items"][0]["taxes"] = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]);
    draft["items"][0]["propertyAccounts"] = json!(["12345"]);
    let second = json!({"description": "Envío", "quantity": 1, "unitPrice": 58,
        "taxIncluded": false, "discount": 8, "satProductKey": "78102200", "satUnitKey": "E48"});
    draft["items"].as_array_mut().unwrap().push(second);
    draft["localTaxes"] = json!([{"name": "ISH", "rate": 0.03, "withheld": false}]);
    draft["notes"] = json!("Gracias");
    draft["metadata"] = json!({"pedido": "7"});
    let draft = made("/invoices", &draft);
    let path = format!("/invoices/{}", draft["id"].as_str().unwrap());
    let page = format!("{}/edit", &path[1..]);
    assert!(shop.read(&path[1..]).contains(&page));
    let now = || shop.client.get(&path).expect(200);
    // What nobody has changed stays as it is, also what the form does not show.
    let saved = shop.correct(&page, &[("stamp", "false")]);
    let _ = shown(&shop, &saved);
    let saved = now();
    for kept in [
        "items",
        "receiver",
        "localTaxes",
        "notes",
        "metadata",
        "paymentForm",
        "paymentMethod",
        "paymentTerms",
        "series",
        "issuerId",
        "branchId",
        "total",
    ] {
        assert_eq!(saved[kept], draft[kept], "{kept}");
    }
    // One item by another product, the other left out; one more, which is none of the products.
    let fields = [
        ("items[0].sku", "T-1"),
        ("items[1].leftOut", "true"),
        ("items[2].sku", "T-7"),
        ("notes", ""),
        ("paymentTerms", "30 días"),
        ("stamp", "false"),
    ];
    let unknown = shop.correct(&page, &fields);
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    assert!(unknown.text.contains("id=\"items[2].sku-fault\""), "{}", unknown.text);
    let mut fields = fields.to_vec();
    fields[2] = ("items[2].sku", "");
    let _ = shown(&shop, &shop.correct(&page, &fields));
    let changed = now();
    assert_eq!((&changed["notes"], &changed["paymentTerms"]), (&Value::Null, &json!("30 días")));
    let items = changed["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["productId"]), (1, &product["id"]));
    assert_eq!(items[0]["description"], "Taza");
    assert_eq!(items[0]["taxes"].as_array().unwrap().len(), 1, "those of the product: {changed}");
    for kept in ["metadata", "receiver", "series"] {
        assert_eq!(changed[kept], draft[kept], "{kept}");
    }
    // What would be refused is not saved to be stamped; a version that is gone changes nothing.
    let wrong = shop.correct(&page, &[("receiver.taxZip", "00001"), ("stamp", "true")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"receiver.taxZip-fault\""), "{}", wrong.text);
    assert_eq!(now()["version"], changed["version"]);
    let kept = shop.correct(&page, &[("receiver.taxZip", "00001"), ("stamp", "false")]);
    assert!(shown(&shop, &kept).contains(&format!("{page}#receiver.taxZip")), "it is no dead end");
    let stale = shop.correct(&page, &[("version", "1"), ("stamp", "false")]);
    assert_eq!(stale.status, 422, "{}", stale.text);
    // Sent twice, it is stamped once.
    let mut fields = filled(&shop.read(&page));
    fields.retain(|(name, _)| name != "receiver.taxZip");
    fields.extend(
        [("receiver.taxZip", "86991"), ("stamp", "true")]
            .map(|(name, text)| (name.to_owned(), text.to_owned())),
    );
    let fields: Vec<_> = fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    for reply in [0; 2].map(|_| shop.browser.post(&shop.place(&page), &fields)) {
        assert!(shown(&shop, &reply).contains("pill ok"));
    }
    assert_eq!(now()["status"], "stamped");
    let gone = shop.browser.get(&shop.place(&page));
    assert_eq!(led(&shop, &gone), &path[1..], "what is stamped is not corrected");
}

/// A form has rows for so many items: what is wrong with another one is not that of a row, however many are left out.
fn an_item_that_is_not_shown_is_told_by_its_name(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mut draft = sale(116.0);
    let item = draft["items"][0].clone();
    let items = draft["items"].as_array_mut().unwrap();
    items.resize(20, item.clone());
    let mut hidden = item;
    (hidden["description"], hidden["satProductKey"]) = (json!("Jarrón"), json!("00000000"));
    items.push(hidden);
    let made = shop.client.post("/invoices", &draft).expect(201);
    let page = format!("invoices/{}/edit", made["id"].as_str().unwrap());
    let told = shop.correct(&page, &[("items[0].leftOut", "true"), ("stamp", "true")]);
    assert_eq!(told.status, 422, "{}", told.text);
    assert!(told.text.contains("Jarrón: "), "{}", told.text);
    assert!(!told.text.contains("satProductKey-fault"), "{}", told.text);
}

fn a_draft_is_judged_stamped_or_deleted(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let draft = |body: &Value| {
        let made = shop.client.post("/invoices", body).expect(201);
        format!("invoices/{}", made["id"].as_str().unwrap())
    };
    let mut wrong = sale(116.0);
    wrong["receiver"]["taxZip"] = json!("00001");
    let wrong = draft(&wrong);
    let stamp = |page: &str| {
        shop.browser.send(&shop.place(page), &shop.place(&format!("{page}/stamp")), &[])
    };
    let page = shop.read(&wrong);
    assert!(page.contains("receiver.taxZip") && page.contains("notice bad"), "{page}");
    let refused = stamp(&wrong);
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("receiver.taxZip"), "{}", refused.text);
    let deleted = shop.send(&format!("{wrong}/delete"), &[]);
    assert!(shown(&shop, &deleted).contains("class=\"empty\""));
    let right = draft(&sale(116.0));
    let page = shop.read(&right);
    assert!(page.contains("$116.00") && !page.contains("notice bad"), "{page}");
    assert!(shown(&shop, &stamp(&right)).contains("pill ok"));
    let late = shop.send(&format!("{right}/delete"), &[]);
    assert_eq!(late.status, 422, "{}", late.text);
    // What was changed since it was shown is not stamped unseen.
    let changed = draft(&sale(116.0));
    let seen = hidden(&shop.read(&changed), "version").unwrap();
    let _ = shop.client.patch(&format!("/{changed}"), &json!({"notes": "Otra cosa"})).expect(200);
    let place = shop.place(&changed);
    let unseen =
        shop.browser.send(&place, &format!("{place}/stamp"), &[("version", seen.as_str())]);
    assert_eq!(unseen.status, 422, "{}", unseen.text);
    assert_eq!(shop.client.get(&format!("/{changed}")).expect(200)["status"], "draft");
    let seen = hidden(&shop.read(&changed), "version").unwrap();
    let stamped =
        shop.browser.send(&place, &format!("{place}/stamp"), &[("version", seen.as_str())]);
    assert!(shown(&shop, &stamped).contains("pill ok"));
    // Nor does it seem to be what was stamped.
    let late = shop.browser.send(&place, &format!("{place}/stamp"), &[("version", "1")]);
    assert_eq!(late.status, 422, "{}", late.text);
}

fn an_invoice_is_replaced_and_cancelled(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let former = shop.stamped();
    let cancel = format!("{former}/cancel");
    let nothing: &[(&str, &str)] = &[];
    for (fields, fault) in [
        (nothing, "reason-fault"),
        (&[("reason", "01")][..], "replacementUuid-fault"),
        (&[("reason", "02"), ("replacementUuid", "x")][..], "replacementUuid-fault"),
    ] {
        let refused = shop.send(&cancel, fields);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains(fault), "{fault}: {}", refused.text);
    }
    let copy = shop.place(&format!("{former}/copy"));
    let copied = shop.browser.send(&shop.place(&cancel), &copy, &[]);
    // The copy is corrected, then stamped, and leads back.
    let edit = led(&shop, &copied);
    let edit = edit.split('?').next().unwrap();
    let draft = edit.strip_suffix("/edit").unwrap();
    let right =
        [("items[0].description", "Tazas"), ("items[0].unitPrice", "58"), ("stamp", "true")];
    let detail = shown(&shop, &shop.correct(edit, &right));
    assert!(detail.contains("$58.00") && detail.contains("Tazas"), "{detail}");
    let uuid = super::browser::copied(&detail, "uuid");
    let link = format!("{cancel}?reason=01&#38;replacementUuid={uuid}");
    assert!(detail.contains(&link), "{link}: {detail}");
    // The page lists what has taken its place, and is filled in with it.
    let asking = shop.read(&cancel);
    assert!(asking.contains(&format!("href=\"{}\"", shop.place(draft))), "{asking}");
    assert!(asking.contains(&format!("value=\"{uuid}\"")), "{asking}");
    assert!(asking.contains("<option value=\"01\" selected>"), "{asking}");
    let given = [("reason", "01"), ("replacementUuid", uuid.as_str())];
    let detail = shown(&shop, &shop.send(&cancel, &given));
    assert!(detail.contains("pill bad") && detail.contains(&uuid), "{detail}");
    assert!(!detail.contains(&format!("{cancel}\"")), "{detail}");
    assert!(detail.contains(&format!("{former}/receipt\"")), "{detail}");
    assert!(shop.read(&format!("{former}/receipt")).contains("Acuse"));
    assert!(!shop.read(draft).contains(&link), "nothing is left to be cancelled");
    assert!(shop.read(&format!("invoices?uuid={}", uuid.to_lowercase())).contains(draft));
}

fn an_invoice_is_sent_credited_and_has_an_addenda(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let shop = Shop::of(App::with(kind).mail(settings(&smtp)).start()).ready();
    let path = shop.stamped();
    let detail = shop.read(&path);
    for page in ["email", "addenda"] {
        assert!(detail.contains(&format!("{path}/{page}\"")), "{page}: {detail}");
    }
    // By email.
    let email = format!("{path}/email");
    let wrong = shop.send(&email, &[("to", "ana@example.com nadie")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"to-fault\""), "{}", wrong.text);
    let _ = shown(&shop, &shop.send(&email, &[("to", "ana@example.com"), ("subject", "Va")]));
    assert_eq!(smtp.wait_for(1)[0].subject(), "Va");
    // What the buyer wants in the file.
    let addenda = format!("{path}/addenda");
    let wrong = shop.send(&addenda, &[("xml", "<a")]);
    assert!(wrong.text.contains("id=\"xml-fault\""), "{}", wrong.text);
    let xml = "<pedido xmlns=\"urn:tienda\">7</pedido>";
    let _ = shown(&shop, &shop.send(&addenda, &[("xml", xml)]));
    assert!(shop.read(&format!("{path}/xml")).contains(xml));
    assert!(shop.read(&addenda).contains("urn:tienda"));
    let _ = shown(&shop, &shop.send(&addenda, &[("xml", "")]));
    assert!(!shop.read(&format!("{path}/xml")).contains("urn:tienda"));
    // A credit note of all of it, corrected to half.
    let begin = shop.place(&format!("{path}/credit-note"));
    let begun = shop.browser.send(&shop.place(&path), &begin, &[]);
    let edit = led(&shop, &begun).split('?').next().unwrap().to_owned();
    let note = edit.strip_suffix("/edit").unwrap();
    let now = || shop.client.get(&format!("/{note}")).expect(200);
    assert_eq!((&now()["type"], &now()["total"]), (&json!("E"), &json!(116)));
    let half = [("items[0].unitPrice", "50"), ("stamp", "true")];
    assert!(shown(&shop, &shop.correct(&edit, &half)).contains("pill ok"));
    assert_eq!(now()["total"], json!(58));
    // It has to be cancelled first.
    let asking = shop.read(&format!("{path}/cancel"));
    assert!(asking.contains(note) && asking.contains("notice warn"), "{asking}");
}

fn a_certificate_is_taken_with_all_its_faults_told(kind: DatabaseKind) {
    let shop = Shop::bare(kind);
    assert!(shop.read("settings/invoicing").contains("notice warn"));
    let issuer = [
        ("rfc", "EKU9003173C9"),
        ("legalName", "ESCUELA KEMPER URGATE"),
        ("taxRegime", "601"),
        ("taxZip", "42501"),
    ];
    let _ = shown(&shop, &shop.send("settings/invoicing/issuers/new", &issuer));
    let (certificate, key) = COMPANY;
    let page = shop.place("settings/invoicing/certificates/new");
    let send = |files: &[(&str, &[u8])], fields: &[(&str, &str)]| {
        shop.browser.send_files(&page, &page, fields, files)
    };
    let empty: &[u8] = b"";
    let nothing = send(&[("certificate", empty), ("privateKey", empty)], &[("password", "")]);
    assert_eq!(nothing.status, 422, "{}", nothing.text);
    for field in ["certificate", "privateKey", "password"] {
        let fault = format!("id=\"{field}-fault\"");
        assert!(nothing.text.contains(&fault), "{fault}: {}", nothing.text);
    }
    let files = [("certificate", certificate), ("privateKey", key)];
    let wrong = send(&files, &[("password", "otra")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"password-fault\"") && !wrong.text.contains("otra\""));
    let swapped = send(&[files[1], ("certificate", key)], &[("password", PASSWORD)]);
    assert!(swapped.text.contains("id=\"certificate-fault\""), "{}", swapped.text);
    let added = send(&files, &[("password", PASSWORD)]);
    let overview = shown(&shop, &added);
    assert!(overview.contains("EKU9003173C9") && overview.contains("pill"), "{overview}");
    assert!(!overview.contains(PASSWORD), "{overview}");
    let again = send(&files, &[("password", PASSWORD)]);
    assert_eq!(again.status, 422, "{}", again.text);
    let path = overview.split('"').find(|part| part.contains("/certificates/csd_")).unwrap();
    let id = path.split('/').find(|part| part.starts_with("csd_")).unwrap();
    let delete = format!("settings/invoicing/certificates/{id}/delete");
    assert!(!shown(&shop, &shop.send(&delete, &[])).contains(id));
}

fn issuers_series_and_branches_are_kept(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let settings = "settings/invoicing";
    let overview = shop.read(settings);
    let path = overview.split('"').find(|part| part.contains("/issuers/iss_")).unwrap();
    let issuer = path.strip_prefix(&shop.account).unwrap().trim_end_matches("/delete");
    let version = hidden(&shop.read(issuer), "version").unwrap();
    let mut fields = vec![
        ("rfc", "EKU9003173C9"),
        ("legalName", "ESCUELA KEMPER URGATE"),
        ("taxRegime", "601"),
        ("taxZip", "42501"),
        ("series.income", "WEB"),
        ("isDefault", "true"),
        ("version", version.as_str()),
    ];
    assert!(shown(&shop, &shop.send(issuer, &fields)).contains("WEB"));
    let stale = shop.send(issuer, &fields);
    assert_eq!(stale.status, 422, "an older version changes nothing: {}", stale.text);
    let _ = fields.pop();
    fields[3] = ("taxZip", "00001");
    let wrong = shop.send(issuer, &fields);
    assert!(wrong.text.contains("id=\"taxZip-fault\""), "{}", wrong.text);
    // How it taxes and prints what says nothing of itself.
    let kept = || shop.client.get("/invoices/cfdi/issuers").expect(200)["data"][0].clone();
    let taxes = [("defaultTaxes", "iva8"), ("shippingTaxes", "exempt")];
    let _ = shown(&shop, &shop.correct(issuer, &taxes));
    assert_eq!(kept()["defaultTaxes"][0]["rate"], json!(0.08));
    assert_eq!(kept()["shippingTaxes"][0]["factor"], "Exento");
    let other = json!([{"tax": "IEPS", "factor": "Tasa", "rate": 0.08}]);
    let change = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601",
        "taxZip": "42501", "defaultTaxes": other, "shippingTaxes": other});
    let id = kept()["id"].as_str().unwrap().to_owned();
    let _ = shop.client.send("PUT", &format!("/invoices/cfdi/issuers/{id}"), &change).expect(200);
    let _ = shown(&shop, &shop.correct(issuer, &[]));
    assert_eq!(kept()["defaultTaxes"][0]["tax"], "IEPS", "what the form does not offer stays");
    assert_eq!(kept()["shippingTaxes"][0]["tax"], "IEPS", "what the form does not offer stays");
    let pdf = format!("{issuer}/pdf");
    let wrong = shop.correct(&pdf, &[("accent", "azul")]);
    assert!(wrong.text.contains("id=\"accent-fault\""), "{}", wrong.text);
    let wanted = [
        ("accent", "#1f4e79"),
        ("logoPlace", "center"),
        ("hidden.taxes", "true"),
        ("address[0]", "Juárez 10"),
        ("email", "facturas@example.com"),
    ];
    let _ = shown(&shop, &shop.correct(&pdf, &wanted));
    let sheet = shop.client.get("/invoices/cfdi/pdf").expect(200);
    assert_eq!((&sheet["accent"], &sheet["logoPlace"]), (&json!("#1F4E79"), &json!("center")));
    assert_eq!((&sheet["hidden"], &sheet["address"]), (&json!(["taxes"]), &json!(["Juárez 10"])));
    let form = shop.read(&pdf);
    assert!(form.contains("value=\"Juárez 10\"") && form.contains("checked"), "{form}");
    let logo = shop.place(&format!("{issuer}/logo"));
    let version = hidden(&shop.browser.read(&logo), "version").unwrap();
    let version = [("version", version.as_str())];
    let send = |bytes: &[u8]| shop.browser.send_files(&logo, &logo, &version, &[("image", bytes)]);
    for wrong in [&b""[..], b"no image"] {
        let wrong = send(wrong);
        assert_eq!(wrong.status, 422, "{}", wrong.text);
        assert!(wrong.text.contains("id=\"image-fault\""), "{}", wrong.text);
    }
    let form = shop.browser.read(&logo);
    let tokens = ["csrf", "once", "version"].map(|name| (name, hidden(&form, name).unwrap()));
    let tokens: Vec<_> = tokens.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let again = |bytes: &[u8]| shop.browser.post_files(&logo, &tokens, &[("image", bytes)]);
    for reply in [again(LOGO), again(LOGO)] {
        let _ = shown(&shop, &reply);
    }
    assert_eq!(kept()["hasLogo"], true);
    // Whoever goes back and chooses another picture is not told that it was saved.
    let other = again(OTHER_LOGO);
    assert_eq!(other.status, 422, "{}", other.text);
    let version = hidden(&shop.browser.read(&logo), "version").unwrap();
    let gone = [("version", version.as_str()), ("remove", "true")];
    let none: &[u8] = b"";
    let gone = shop.browser.send_files(&logo, &logo, &gone, &[("image", none)]);
    let _ = shown(&shop, &gone);
    assert_eq!(kept()["hasLogo"], false);
    let series = format!("{settings}/series");
    let set = |next: &str| shop.send(&series, &[("series", "WEB"), ("nextFolio", next)]);
    assert!(shown(&shop, &set("1200")).contains("1,200"));
    let back = set("1199");
    assert!(back.text.contains("id=\"nextFolio-fault\""), "{}", back.text);
    let branch = [
        ("name", "Monterrey Centro"),
        ("placeOfIssue", "64000"),
        ("series.income", "MTY"),
        ("address[0]", "Padre Mier 100"),
        ("address[1]", "64000 Monterrey, N. L."),
    ];
    let made = shown(&shop, &shop.send(&format!("{settings}/branches/new"), &branch));
    let path = made.split('"').find(|part| part.contains("/branches/brn_")).unwrap();
    let path = path.strip_prefix(&shop.account).unwrap().trim_end_matches("/delete");
    let form = shop.read(path);
    assert!(form.contains("Padre Mier 100") && form.contains("Monterrey Centro"), "{form}");
    assert!(shop.read("invoices/new").contains("Monterrey Centro"), "an invoice can name it");
    let gone = shown(&shop, &shop.send(&format!("{path}/delete"), &[]));
    assert!(!gone.contains(path), "{gone}");
    let pretend = [("provider", "sandbox"), ("simulate.stamping", "unavailable")];
    let _ = shown(&shop, &shop.send(&format!("{settings}/provider"), &pretend));
    let draft = shop.client.post("/invoices", &sale(116.0)).expect(201);
    let draft = shop.place(&format!("invoices/{}", draft["id"].as_str().unwrap()));
    let refused = shop.browser.send(&draft, &format!("{draft}/stamp"), &[]);
    assert_eq!(refused.status, 422, "nobody is there: {}", refused.text);
}

fn many_invoices_are_stamped_and_the_papers_of_a_month_are_made(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (browser, account) = (&shop.browser, shop.account.as_str());
    for _ in 0..2 {
        let _ = shop.client.post("/invoices", &sale(116.0)).expect(201);
    }
    let stamped = shop.stamped().replace("invoices/", "");
    let list = shop.read("invoices");
    assert!(list.contains(&format!("name=\"id[{stamped}]\"")), "{list}");
    let job = begun(browser, &shop.place("invoices/bulk/stamp?which=all"), &[]);
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    assert_eq!(rows(browser, account, &job, "done").len(), 2);
    let skipped = rows(browser, account, &job, "skipped");
    assert_eq!((skipped.len(), skipped[0][1].as_str()), (1, stamped.as_str()), "{skipped:?}");
    assert!(shop.invoices().iter().all(|invoice| invoice["status"] == "stamped"));
    // There is no mail server to send them by.
    let page = format!("invoices/bulk/email?which=selected&id%5B{stamped}%5D=true");
    let job = begun(browser, &shop.place(&page), &[]);
    let _ = shop.client.ended(&job);
    assert_eq!(rows(browser, account, &job, "refused").len(), 1);
    let month = shop.app.now().to_string()[..7].to_owned();
    let wrong = shop.send("invoices/export", &[("month", "2026"), ("content", "xml")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let sent = shop.send("invoices/export", &[("month", &month), ("content", "xml")]);
    assert_eq!(led(&shop, &sent), "jobs?did=file.begun");
    let jobs = shop.client.get("/jobs?kind=invoices.export").expect(200);
    let job = jobs["data"][0]["id"].as_str().unwrap();
    assert_eq!(shop.client.ended(job)["status"], "succeeded");
    let place = shop.place(&format!("jobs/{job}/file"));
    assert!(shop.read("jobs").contains(&place));
    let file = browser.get(&place);
    assert_eq!((file.status, file.header("content-type")), (200, Some("application/zip")));
    assert!(file.text.starts_with("PK"), "{}", file.text);
}

fn of_many_drafts_those_that_were_changed_meanwhile_are_not_stamped(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (browser, account) = (&shop.browser, shop.account.as_str());
    let pretend = |stamping: &str| {
        let choice = json!({"provider": "sandbox",
            "simulate": {"stamping": stamping, "cancellation": "accept"}});
        let _ = shop.client.send("PUT", "/invoices/cfdi/provider", &choice).expect(200);
    };
    let drafts = [0; 2].map(|_| {
        let draft = shop.client.post("/invoices", &sale(116.0)).expect(201);
        draft["id"].as_str().unwrap().to_owned()
    });
    // Nobody stamps them yet, which leaves its traces in both.
    pretend("unavailable");
    let job = begun(browser, &shop.place("invoices/bulk/stamp?which=all"), &[]);
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    assert_eq!(rows(browser, account, &job, "refused").len(), 2);
    pretend("normal");
    let _ =
        shop.client.patch(&format!("/invoices/{}", drafts[0]), &json!({"notes": "x"})).expect(200);
    // As if the process had died before it could record what came of them.
    shop.unrecorded();
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    let of = |outcome: &str| {
        let rows = rows(browser, account, &job, outcome);
        rows.into_iter().map(|row| (row[1].clone(), row[3].clone())).collect::<Vec<_>>()
    };
    assert_eq!(of("done"), [(drafts[1].clone(), String::new())]);
    assert_eq!(of("refused"), [(drafts[0].clone(), "precondition_failed".to_owned())]);
    let status =
        |id: &str| shop.client.get(&format!("/invoices/{id}")).expect(200)["status"].clone();
    assert_eq!(drafts.each_ref().map(|id| status(id)), ["draft", "stamped"]);
}

/// Drafts of orders, emails and deliveries: by the time that an action goes on, its idempotency keys may be forgotten.
fn what_could_be_done_twice_is_done_once_however_late(kind: DatabaseKind) {
    let (smtp, receiver) = (FakeSmtp::start(), Receiver::start());
    let app = App::with(kind).delivering().mail(settings(&smtp)).start();
    let shop = Shop::of(app).ready();
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let hook =
        made("/webhooks", &json!({"url": receiver.url("/a"), "events": ["product.created"]}));
    let hook = format!("webhooks/{}", hook["id"].as_str().unwrap());
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 9});
    let mug = made("/products", &mug);
    let mut buyer = company();
    (buyer["name"], buyer["email"]) = (json!("Universidad"), json!("compras@uni.example"));
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": mug["id"], "quantity": 1}]);
    let _ = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let sold = json!({"customerId": buyer["id"], "paymentForm": "03", "items": [item(116.0)], "stamp": true});
    let sold = made("/invoices", &sold);
    let deliveries = format!("/{hook}/deliveries");
    let _ = shop.client.once(&deliveries, |seen| seen["data"][0]["state"] == "delivered");
    let email =
        format!("invoices/bulk/email?which=selected&id%5B{}%5D=true", sold["id"].as_str().unwrap());
    let pages =
        [email, format!("{hook}/resend?which=all"), "orders/bulk/invoice?which=all".to_owned()];
    let jobs = pages.map(|page| begun(&shop.browser, &shop.place(&page), &[]));
    let ended = || {
        for job in &jobs {
            let ended = shop.client.ended(job);
            assert_eq!(ended["status"], "succeeded", "{ended}");
        }
    };
    let done = || {
        let emails =
            shop.app.database.lines("SELECT id AS line FROM tasks WHERE kind = 'invoices.email'");
        let sent = shop.client.get(&deliveries).expect(200)["total"].clone();
        (emails.len(), sent, shop.invoices().len())
    };
    ended();
    assert_eq!(done(), (1, json!(2), 2));
    let _ = smtp.wait_for(1);
    // As if the process had died before it could record what came of them, and was away for more than a day.
    shop.app.advance_seconds(25 * 60 * 60);
    shop.app.housekeep();
    shop.unrecorded();
    ended();
    assert_eq!(done(), (1, json!(2), 2));
    let outcomes = shop.app.database.lines("SELECT outcome AS line FROM bulk_action_rows");
    assert_eq!(outcomes, ["done"; 3]);
    assert_eq!(smtp.emails().len(), 1);
}
