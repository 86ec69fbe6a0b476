//! Invoices in the panel, and what invoicing needs.

use accounts::{Accounts, slug};
use serde_json::{Value, json};
use testkit::{
    App, Client, DatabaseKind,
    invoicing::{COMPANY, CREDITS, PASSWORD},
    on_both,
};

use super::{
    browser::{Browser, copied, hidden},
    bulk::{begun, rows},
};
use crate::invoices::office::{company, sale};

on_both!(
    an_order_is_invoiced_and_stamped_once,
    findings_stand_at_their_fields,
    a_draft_is_judged_stamped_or_deleted,
    an_invoice_is_replaced_and_cancelled,
    a_certificate_is_taken_with_all_its_faults_told,
    issuers_series_and_branches_are_kept,
    many_invoices_are_stamped_and_the_papers_of_a_month_are_made,
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
        let app = App::start(kind);
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
        let shop = Self::bare(kind);
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
    let draft = led(&shop, &copied);
    let draft = draft.split('?').next().unwrap();
    let stamp = shop.place(&format!("{draft}/stamp"));
    let stamped = shop.browser.send(&shop.place(draft), &stamp, &[]);
    let detail = shown(&shop, &stamped);
    let uuid = super::browser::copied(&detail, "uuid");
    let link = format!("{cancel}?reason=01&#38;replacementUuid={uuid}");
    assert!(detail.contains(&link), "{link}: {detail}");
    let given = [("reason", "01"), ("replacementUuid", uuid.as_str())];
    let detail = shown(&shop, &shop.send(&cancel, &given));
    assert!(detail.contains("pill bad") && detail.contains(&uuid), "{detail}");
    assert!(!detail.contains(&format!("{cancel}\"")), "{detail}");
    assert!(shop.read(&format!("{former}/receipt")).contains("Acuse"));
    assert!(!shop.read(draft).contains(&link), "nothing is left to be cancelled");
    assert!(shop.read(&format!("invoices?uuid={}", uuid.to_lowercase())).contains(draft));
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
