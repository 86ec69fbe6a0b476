//! What matters most to a shop, by keyboard alone and without script: an order and its invoice, money back, a delivery, an import.

use serde_json::{Value, json};
use testkit::{Chromium, Client, DatabaseKind, Key};

use super::{super::browser::Browser, hands::Hands, made, owned};
use crate::invoices::office::{Office, company};

const BUYER: &str = "robotica@shop.example";

/// Somebody at a desk, and the API beside it.
struct Desk<'a> {
    chromium: &'a Chromium,
    hands: Hands<'a>,
    client: &'a Client,
    /// The path of the account.
    account: &'a str,
    origin: String,
}

impl Desk<'_> {
    fn open(&self, page: &str) {
        self.chromium.open(&format!("{}{}{page}", self.origin, self.account));
    }

    /// The path of the page, below the account.
    #[track_caller]
    fn path(&self) -> String {
        let path = self.hands.path();
        let below = path.strip_prefix(self.account);
        below.unwrap_or_else(|| panic!("led to {path}")).to_owned()
    }

    /// Follows the next link of which this is true.
    #[track_caller]
    fn follow(&self, is_meant: &str) {
        self.hands.reach_link(is_meant);
        self.chromium.press_through(Key::Enter);
    }

    /// Something was done, and is told.
    #[track_caller]
    fn is_told(&self) {
        let told = "document.querySelectorAll('.notice.ok[role=status]').length";
        assert_eq!(self.chromium.evaluate(told), json!(1), "{}", self.hands.path());
    }

    fn status(&self, path: &str) -> Value {
        self.client.get(path).expect(200)["status"].clone()
    }
}

#[test]
fn what_matters_most_is_done_by_keyboard_alone() {
    let Some(chromium) = Chromium::start() else { return };
    let office = Office::open(DatabaseKind::Sqlite);
    let client = &office.client;
    let browser = Browser::new(&office.app);
    let account = owned(&office.app, &browser);
    let mug = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9,
        "satProductKey": "52152100"});
    let mug = made(client, "/products", &mug);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    buyer["email"] = json!(BUYER);
    let buyer = made(client, "/customers", &buyer);
    let hook = json!({"url": "https://hooks.example.com/all", "events": ["*"]});
    let hook = made(client, "/webhooks", &hook);
    chromium.be_known(&office.app.origin(), &browser.cookies());
    let desk = Desk {
        chromium: &chromium,
        hands: Hands::on(&chromium),
        client,
        account: &account,
        origin: office.app.origin(),
    };
    chromium.let_script_run(false);
    an_order_is_placed_and_paid(&desk);
    an_invoice_is_stamped_by_two_clicks_and_cancelled(&desk);
    money_is_given_back(&desk);
    a_delivery_is_sent_again(&desk, &hook);
    rows_are_imported(&desk);
    chromium.let_script_run(true);
    let bought = json!({"customerId": buyer, "items": [{"productId": mug, "quantity": 1}]});
    let _ = made(client, "/orders", &bought);
    an_order_is_paid_with_others(&desk);
}

fn an_order_is_placed_and_paid(desk: &Desk<'_>) {
    desk.open("orders");
    desk.hands.follow("orders/new");
    desk.hands.fill(&[("customer", BUYER), ("sku[0]", "T-1"), ("quantity[0]", "2")]);
    desk.hands.send("orders/new");
    let order = desk.path();
    assert!(order.starts_with("orders/ord_"), "{order}");
    desk.is_told();
    desk.hands.follow("/pay");
    desk.hands.send("/pay");
    assert_eq!(desk.path(), order);
    desk.is_told();
    assert_eq!(desk.status(&format!("/{order}")), "paid");
}

/// Of the order whose page is open.
fn an_invoice_is_stamped_by_two_clicks_and_cancelled(desk: &Desk<'_>) {
    desk.hands.follow("/invoices/new");
    desk.hands.send("/invoices/new");
    let invoice = desk.path();
    assert!(invoice.starts_with("invoices/inv_"), "{invoice}");
    assert_eq!(desk.status(&format!("/{invoice}")), "stamped");
    desk.hands.follow("/cancel");
    // What a list offers is chosen by keys of the browser's own.
    desk.open(&format!("{invoice}/cancel?reason=02"));
    desk.hands.send("/cancel");
    assert_eq!(desk.status(&format!("/{invoice}")), "cancelled", "{}", desk.hands.path());
}

fn money_is_given_back(desk: &Desk<'_>) {
    let cash = json!({"method": "cash", "amount": 200, "currency": "MXN"});
    let payment = made(desk.client, "/payments", &cash);
    desk.open("payments");
    desk.hands.follow(&format!("payments/{payment}"));
    desk.hands.follow("/refund");
    desk.hands.fill(&[("amount", "50"), ("reason", "Taza rota")]);
    desk.hands.send("/refund");
    assert_eq!(desk.path(), format!("payments/{payment}"));
    desk.is_told();
    let given = desk.client.get(&format!("/refunds?paymentId={payment}")).expect(200);
    assert_eq!(given["data"][0]["amount"], 50.0, "{given}");
}

fn a_delivery_is_sent_again(desk: &Desk<'_>, webhook: &str) {
    desk.open("webhooks");
    desk.hands.follow(&format!("webhooks/{webhook}"));
    desk.follow("e.pathname.includes('/deliveries/')");
    desk.hands.send("/retry");
    desk.is_told();
}

/// The page is read again by itself until it is over.
fn rows_are_imported(desk: &Desk<'_>) {
    desk.open("imports/products/new");
    desk.hands.fill(&[("rows", "SKU;Nombre;Precio\nT-2;Plato;20\nT-3;Jarra;caro\n")]);
    desk.hands.send("imports/products/new");
    assert!(desk.path().starts_with("imports/products/files/fil_"), "{}", desk.hands.path());
    desk.hands.reach("e.name === 'write'");
    desk.chromium.press_through(Key::Enter);
    assert!(desk.path().starts_with("imports/products/imp_"), "{}", desk.hands.path());
    desk.chromium.wait_for("document.querySelector('a[href$=\"/errors.csv\"]') !== null");
    let plate = desk.client.get("/products?sku=T-2").expect(200);
    assert_eq!(plate["data"][0]["name"], "Plato", "{plate}");
}

/// With script, what is going to happen is told in a dialog; the page of what happens looks again by itself.
fn an_order_is_paid_with_others(desk: &Desk<'_>) {
    let (chromium, hands) = (desk.chromium, &desk.hands);
    desk.open("orders");
    let _ = chromium.evaluate("document.querySelector('td.box input').click()");
    hands.reach("e.tagName === 'BUTTON' && e.formAction.endsWith('orders/bulk/pay')");
    chromium.press(Key::Enter);
    chromium.wait_for("document.querySelector('dialog[open] form') !== null");
    assert_eq!(desk.path(), "orders");
    hands.reach("e.tagName === 'BUTTON' && e.closest('dialog') !== null");
    chromium.press_through(Key::Enter);
    assert!(desk.path().starts_with("bulk/"), "{}", hands.path());
    chromium.wait_for("document.querySelector('[data-poll]') === null");
    let acted = chromium.evaluate("document.querySelectorAll('.rows .pill.ok').length");
    assert_eq!(acted, json!(1), "{}", hands.path());
}
