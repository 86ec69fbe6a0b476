//! Stock in the panel: corrected, moved between warehouses, received and counted.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::{
    browser::{Browser, hidden},
    shop::{made, opened},
};

on_both!(
    a_product_and_its_variants_are_kept,
    stock_is_seen_and_corrected,
    goods_go_from_one_warehouse_to_another,
    a_transfer_is_planned_anew_until_it_is_sent,
    goods_are_received_and_sent_back,
    stock_is_worth_what_it_costs,
    shelves_are_counted_by_scanner_and_by_list,
);

const SCRIPT: &str = "<script>alert(1)</script>";

/// The panel of an account that has ten mugs and three pens, and a client of its API.
struct Store {
    _app: App,
    browser: Browser,
    account: String,
    client: Client,
}

impl Store {
    fn open(kind: DatabaseKind) -> Self {
        let (app, browser, account, client) = opened(kind);
        let mug = json!({"name": format!("Taza {SCRIPT}"), "sku": "TAZA", "ean": "7501031311309",
            "price": 100, "inventory": 10});
        let pen = json!({"name": "Pluma", "sku": "PLUMA AZUL", "price": 10, "inventory": 3,
            "lowStockThreshold": 5});
        let _ = [made(&client, "/products", &mug), made(&client, "/products", &pen)];
        Self { _app: app, browser, account, client }
    }

    /// Where a page is.
    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.account)
    }

    /// Reads a page, which shows no text as markup.
    #[track_caller]
    fn read(&self, path: &str) -> String {
        let html = self.browser.read(&self.at(path));
        assert!(!html.contains("<script>") && !html.contains(" style="), "{path}: {html}");
        html
    }

    /// Sends the form of a page, and shows what comes of it.
    #[track_caller]
    fn send(&self, path: &str, fields: &[(&str, &str)]) -> String {
        self.send_to(path, path, fields)
    }

    #[track_caller]
    fn send_to(&self, page: &str, action: &str, fields: &[(&str, &str)]) -> String {
        let reply = self.browser.send(&self.at(page), &self.at(action), fields);
        assert_eq!(reply.status, 303, "{action}: {}", reply.text);
        let next = reply.header("location").unwrap().to_owned();
        let shown = self.browser.read(&next);
        assert!(shown.contains("role=\"status\""), "{shown}");
        next.strip_prefix(&self.account).unwrap().split('?').next().unwrap().to_owned()
    }

    /// Sends a form that is refused, and says what is shown.
    #[track_caller]
    fn refused(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let reply = self.browser.send(&self.at(path), &self.at(path), fields);
        assert_eq!(reply.status, 422, "{path}: {}", reply.text);
        reply.text
    }

    /// How many mugs, or pens, can be sold.
    fn available(&self, sku: &str) -> Value {
        let found = self.client.get(&format!("/products?sku={sku}")).expect(200);
        found["data"][0]["inventory"].clone()
    }

    /// A second warehouse of that name, opened in the panel, and the first one.
    fn warehouses(&self) -> (String, String) {
        let fields = [("name", "Bodega <b>"), ("kind", "store"), ("priority", "20")];
        let _ = self.send("warehouses/new", &fields);
        let all = self.client.get("/warehouses").expect(200);
        let id = |is_new: bool| {
            let mut all = all["data"].as_array().unwrap().iter();
            let one = all.find(|one| (one["name"] == "Bodega <b>") == is_new).unwrap();
            one["id"].as_str().unwrap().to_owned()
        };
        (id(false), id(true))
    }
}

fn a_product_and_its_variants_are_kept(kind: DatabaseKind) {
    let store = Store::open(kind);
    let soap = |fields: &[(&'static str, &'static str)]| {
        let soap = [("name", "Jabón <i>"), ("status", "active"), ("sold", "piece")];
        soap.into_iter().chain(fields.iter().copied()).collect::<Vec<_>>()
    };
    for (fields, wrong) in [
        (soap(&[("price", "x")]), "price"),
        (soap(&[("price", "1"), ("sku", "TAZA")]), "sku"),
        (soap(&[("price", "1"), ("inventory", "1.5")]), "inventory"),
    ] {
        let told = store.refused("products/new", &fields);
        assert!(told.contains(&format!("id=\"{wrong}-fault\"")), "{wrong}: {told}");
    }
    let fields = soap(&[("price", "25.50"), ("sku", "JABON"), ("inventory", "4")]);
    let page = store.send("products/new", &fields);
    let shown = store.read(&page);
    assert!(shown.contains("$25.50") && shown.contains("Jabón &#60;i&#62;"), "{shown}");
    assert_eq!(store.available("JABON"), 4);
    let edit = format!("{page}/edit");
    let seen = |path: &str| hidden(&store.read(path), "version").unwrap();
    let version = seen(&edit);
    let fields = [("name", "Jabón"), ("price", "30"), ("version", version.as_str())];
    let _ = store.send(&edit, &fields);
    let stale = store.refused(&edit, &fields);
    assert!(stale.contains("role=\"alert\""), "{stale}");
    let shown = store.read(&page);
    assert!(shown.contains("$30.00") && shown.contains("JABON"), "{shown}");

    let new = format!("{page}/variants/new");
    let version = seen(&new);
    let taken = [("name", "Lavanda"), ("sku", "TAZA"), ("version", version.as_str())];
    assert!(store.refused(&new, &taken).contains("id=\"sku-fault\""));
    let fields = [
        ("name", "Lavanda"),
        ("sku", "JABON-L"),
        ("inventory", "2"),
        ("version", version.as_str()),
    ];
    let _ = store.send(&new, &fields);
    let shown = store.read(&page);
    let variant = shown.split('"').find(|part| part.contains("/variants/var_")).unwrap();
    let variant = variant.strip_prefix(&store.account).unwrap();
    let version = seen(variant);
    let fields = [("name", "Lavanda"), ("price", "33"), ("version", version.as_str())];
    let _ = store.send(variant, &fields);
    assert!(store.read(&page).contains("$33.00"));
    let remove = format!("{variant}/remove");
    let version = seen(&remove);
    let kept = store.refused(&remove, &[("version", version.as_str())]);
    assert!(kept.contains("role=\"alert\""), "it is in stock: {kept}");
    let going = store.read(&format!("{page}/delete"));
    assert!(going.contains("Hay 6 en existencia"), "{going}");
}

fn stock_is_seen_and_corrected(kind: DatabaseKind) {
    let store = Store::open(kind);
    let all = store.read("stock");
    assert!(all.contains("TAZA") && all.contains("PLUMA AZUL"), "{all}");
    assert!(store.read("").contains("stock?low=yes"));
    let low = store.read("stock?low=yes");
    assert!(!low.contains("TAZA") && low.contains("PLUMA AZUL"), "{low}");
    let scanned = store.read("stock?q=7501031311309");
    assert!(scanned.contains("TAZA") && !scanned.contains("PLUMA AZUL"), "{scanned}");
    let unknown = store.read("stock?q=NADA");
    assert!(unknown.contains("no es de ning") && !unknown.contains("TAZA"), "{unknown}");
    let nothing = [("mode", "delta"), ("reason", "damage")];
    assert!(store.refused("stock/adjust", &nothing).contains("id=\"items-fault\""));
    for mode in ["counted", "delta"] {
        let unstated =
            [("mode", mode), ("reason", "correction"), ("items", "PLUMA AZUL 1\r\nTAZA")];
        let refused = store.refused("stock/adjust", &unstated);
        assert!(refused.contains("(renglón 2, TAZA) debe llevar su cantidad"), "{refused}");
    }
    let tampered = [("mode", "delta"), ("reason", "lost"), ("items", "TAZA -1")];
    let refused = store.refused("stock/adjust", &tampered);
    let told = "Motivo debe ser una de las opciones: ";
    assert!(refused.contains(told) && refused.contains("Robo; "), "{refused}");
    assert!(!refused.contains("theft; "), "choices are told in the words of the page: {refused}");
    let lines = "7501031311309 -2\r\nPLUMA AZUL;-4";
    let wanted = [("mode", "delta"), ("reason", "damage"), ("items", lines), ("note", SCRIPT)];
    let refused = store.refused("stock/adjust", &wanted);
    assert!(refused.contains("(renglón 2, PLUMA AZUL)"), "{refused}");
    assert!(refused.contains("7501031311309 -2"), "what was typed is kept: {refused}");
    let unknown = [("mode", "counted"), ("reason", "damage"), ("items", "NADA 1")];
    assert!(store.refused("stock/adjust", &unknown).contains("(renglón 1, NADA)"));
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(10), json!(3)));
    let lines = "7501031311309 -2\r\nPLUMA AZUL;-1";
    let wanted = [("mode", "delta"), ("reason", "damage"), ("items", lines), ("note", SCRIPT)];
    let _ = store.send("stock/adjust", &wanted);
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(8), json!(2)));
    let counted = [("mode", "counted"), ("reason", "found"), ("items", "TAZA\t12")];
    let _ = store.send("stock/adjust", &counted);
    assert_eq!(store.available("TAZA"), 12);
    let ledger = store.read("movements");
    assert!(ledger.contains("+4") && ledger.contains(": &#60;script&#62;"), "{ledger}");
    assert!(!ledger.contains("damage:"), "causes are told in the reader's language: {ledger}");
    let table = store.browser.read(&store.at("movements.csv"));
    for change in [",-2,0,8,", ",-1,0,2,", ",4,0,12,"] {
        assert!(table.contains(change), "spreadsheets add up {change}: {table}");
    }
    assert!(table.contains(",Pluma,PLUMA AZUL,prd_"), "{table}");
    let initial = store.read("movements?reason=initial");
    assert_eq!(initial.matches("<th scope=\"row\">").count(), 2, "{initial}");
    for nothing in ["from=2099-01-01&product=x", "reference=%00", "to=9999-12-31&reference=a%00b"] {
        let none = store.read(&format!("movements?{nothing}"));
        assert!(none.contains("class=\"empty\""), "{none}");
    }
}

fn stock_is_worth_what_it_costs(kind: DatabaseKind) {
    let store = Store::open(kind);
    assert!(store.read("stock").contains(&store.at("stock/valuation")));
    assert!(store.read("stock/valuation").contains("<td class=\"figure\""));
    assert!(store.read("stock/costs").contains("class=\"empty\""));
    for wrong in ["TAZA", "TAZA -1", "NADA 5", "TAZA 5\nNADA 5"] {
        let refused = store.refused("stock/costs/new", &[("items", wrong)]);
        assert!(refused.contains("id=\"items-fault\""), "{wrong}: {refused}");
    }
    assert!(store.read("stock/costs").contains("class=\"empty\""), "all or none");
    let costs = [("items", "TAZA 41.5\nPLUMA AZUL;2"), ("note", SCRIPT)];
    let _ = store.send("stock/costs/new", &costs);
    let changes = store.read("stock/costs");
    assert!(changes.contains("$41.50") && changes.contains("$2.00"), "{changes}");
    let worth = store.read("stock/valuation");
    // Ten mugs and three pens, in their warehouse and together.
    assert_eq!(worth.matches("$421.00").count(), 2, "{worth}");
    let (first, other) = store.warehouses();
    let there = store.read(&format!("stock/valuation?warehouse={first}"));
    assert!(there.contains("$421.00"), "{there}");
    let nothing = store.read(&format!("stock/valuation?warehouse={other}"));
    assert!(!nothing.contains("$421.00"), "{nothing}");
    for day in ["2020-01-01", "2999-12-31", "x"] {
        let then = store.read(&format!("stock/valuation?at={day}"));
        assert_eq!(then.contains("$421.00"), day != "2020-01-01", "{day}: {then}");
    }
    // A third of a peso each.
    let _ = store.send("stock/costs/new", &[("items", "TAZA 0.333333")]);
    let worth = store.read("stock/valuation");
    assert_eq!(worth.matches("$9.33<").count(), 2, "{worth}");
}

fn goods_go_from_one_warehouse_to_another(kind: DatabaseKind) {
    let store = Store::open(kind);
    let (first, other) = store.warehouses();
    let listed = store.read("warehouses");
    assert!(listed.contains("Bodega &#60;b&#62;"), "{listed}");
    let renamed = [("name", "Bodega"), ("priority", "30")];
    let version = [("version", "1")];
    let fields: Vec<_> = renamed.into_iter().chain(version).collect();
    let _ = store.send(&format!("warehouses/{other}"), &fields);
    let stale = store.refused(&format!("warehouses/{other}"), &fields);
    assert!(stale.contains("role=\"alert\""), "{stale}");

    let there = [("fromWarehouseId", first.as_str()), ("toWarehouseId", other.as_str())];
    let wanted =
        |items: &'static str| there.into_iter().chain([("items", items)]).collect::<Vec<_>>();
    let tampered = [wanted("TAZA 1"), vec![("quarantineId", "x")]].concat();
    let refused = store.refused("transfers/new", &tampered);
    assert!(refused.contains("Lo que llega dañado no ofrece opciones en esta cuenta"), "{refused}");
    let none = store.refused("transfers/new", &wanted("TAZA 0"));
    assert!(none.contains("(renglón 1, TAZA)"), "{none}");
    let too_many = store.send("transfers/new", &wanted("PLUMA AZUL 4"));
    let why = store.refused(&format!("{too_many}/send"), &[]);
    assert!(why.contains("role=\"alert\"") && why.contains("Pluma"), "{why}");
    let _ = store.send(&format!("{too_many}/cancel"), &[]);
    let transfer = store.send("transfers/new", &wanted("TAZA 6\nPLUMA AZUL"));
    let _ = store.send(&format!("{transfer}/send"), &[]);
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(4), json!(2)));
    let receive = format!("{transfer}/receive");
    assert!(store.refused(&receive, &[]).contains("role=\"alert\""));
    // Lost goods want a reason, at the field of their line.
    let why = store.refused(&receive, &[("lost[2]", "1")]);
    assert!(why.contains("id=\"reason[2]-fault\"") && why.contains("value=\"1\""), "{why}");
    let _ = store.send(&receive, &[("received[1]", "4")]);
    let shown = store.read(&transfer);
    assert!(shown.contains(&format!("{receive}\"")), "the rest is on the way: {shown}");
    assert_eq!(store.available("TAZA"), 8);
    let part = [("damaged[1]", "1"), ("reason[1]", "roto"), ("received[2]", "1")];
    let _ = store.send(&receive, &part);
    assert!(store.read(&transfer).contains("roto"));
    let _ = store.send(&receive, &[("all", "true")]);
    let shown = store.read(&transfer);
    assert!(shown.contains("class=\"pill ok\"") && !shown.contains(&receive), "{shown}");
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(9), json!(3)));
    let of_status = store.read("transfers?status=received");
    assert_eq!(of_status.matches("<th scope=\"row\">").count(), 1, "{of_status}");
}

fn a_transfer_is_planned_anew_until_it_is_sent(kind: DatabaseKind) {
    let store = Store::open(kind);
    let (first, other) = store.warehouses();
    let there = [("fromWarehouseId", first.as_str()), ("toWarehouseId", other.as_str())];
    let with = |more: &[(&'static str, &'static str)]| [&there[..], more].concat();
    let transfer = store.send("transfers/new", &with(&[("items", "TAZA 6\nPLUMA AZUL")]));
    let (edit, send) = (format!("{transfer}/edit"), format!("{transfer}/send"));
    assert!(store.read(&transfer).contains(&format!("{edit}\"")));
    let form = store.read(&edit);
    assert!(form.contains("TAZA\t6\nPLUMA AZUL\t1"), "{form}");
    assert_eq!(hidden(&form, "version").as_deref(), Some("1"));
    let wrong = store.refused(&edit, &with(&[("items", "NADA 1"), ("version", "1")]));
    assert!(wrong.contains("(renglón 1, NADA)") && wrong.contains("items-fault"), "{wrong}");
    let anew = with(&[("items", "PLUMA AZUL 2"), ("note", "Jueves"), ("version", "1")]);
    assert_eq!(store.send(&edit, &anew), transfer);
    let late = store.refused(&edit, &with(&[("items", "TAZA 1"), ("version", "1")]));
    assert!(late.contains("class=\"theirs\"") && late.contains("PLUMA AZUL"), "{late}");
    // What was seen before it was changed is not what is sent.
    let _ = store.refused(&send, &[("version", "1")]);
    let _ = store.send(&send, &[("version", "2")]);
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(10), json!(1)));
    assert!(!store.read(&transfer).contains(&edit));
    assert_eq!(store.browser.get(&store.at(&edit)).status, 422, "it is on its way");
    // What has no SKU cannot be typed, and stays.
    let cup = json!({"name": "Vaso", "sku": "VASO", "price": 1,
        "variants": [{"name": "Rojo", "inventory": 3}]});
    let cup = made(&store.client, "/products", &cup);
    let plan = json!({"fromWarehouseId": first, "toWarehouseId": other, "items": [{
        "productId": cup["id"], "variantId": cup["variants"][0]["id"], "quantity": 2}]});
    let planned = made(&store.client, "/transfers", &plan);
    let path = format!("/transfers/{}", planned["id"].as_str().unwrap());
    let edit = format!("{}/edit", &path[1..]);
    let form = store.read(&edit);
    assert_eq!(hidden(&form, "keepItems").as_deref(), Some("true"), "{form}");
    assert!(!form.contains("name=\"items\""), "{form}");
    let _ = store.send(&edit, &with(&[("keepItems", "true"), ("note", "x"), ("version", "1")]));
    let kept = store.client.get(&path).expect(200);
    assert_eq!((&kept["items"], &kept["note"]), (&planned["items"], &json!("x")));
}

fn goods_are_received_and_sent_back(kind: DatabaseKind) {
    let store = Store::open(kind);
    let wrong = [("items", "TAZA 2 -1")];
    assert!(store.refused("receipts/new", &wrong).contains("id=\"items-fault\""));
    let goods = [("supplier", SCRIPT), ("reference", "F-1"), ("items", "TAZA 5 45.50\nPLUMA AZUL")];
    let receipt = store.send("receipts/new", &goods);
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(15), json!(4)));
    let shown = store.read(&receipt);
    assert!(shown.contains("$45.50") && shown.contains("F-1"), "{shown}");
    assert!(store.read("receipts").contains("&#60;script&#62;"));
    let cancel = format!("{receipt}/cancel");
    let _ = store.send(&cancel, &[]);
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(10), json!(3)));
    assert!(!store.read(&receipt).contains(&cancel));
}

fn shelves_are_counted_by_scanner_and_by_list(kind: DatabaseKind) {
    let store = Store::open(kind);
    let count = store.send("counts/new", &[("uncounted", "leave"), ("note", SCRIPT)]);
    let scan = format!("{count}/scan");
    for code in ["7501031311309", "TAZA"] {
        let _ = store.send_to(&count, &scan, &[("code", code)]);
    }
    // Whoever scans sees what it was, and how many of it there are by now.
    let third = store.browser.send(&store.at(&count), &store.at(&scan), &[("code", "TAZA")]);
    let shown = store.browser.read(third.header("location").unwrap());
    assert!(shown.contains("TAZA · 3</dd>"), "{shown}");
    let wrong = store.browser.send(&store.at(&count), &store.at(&scan), &[("code", "NADA")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let (told, kept) = ("id=\"code-fault\"", "value=\"NADA\"");
    assert!(wrong.text.contains(told) && !wrong.text.contains(kept), "{}", wrong.text);
    // It is told which one it was, and the next one goes where it shall.
    let is_told =
        wrong.text.contains("“NADA”") && !wrong.text.contains("tabindex=\"-1\" autofocus");
    assert!(is_told, "{}", wrong.text);
    let shown = store.read(&count);
    assert!(shown.contains("-7") && shown.contains("autofocus"), "{shown}");
    let list = format!("{count}/list");
    assert!(store.refused(&list, &[("items", "PLUMA AZUL -1")]).contains("id=\"items-fault\""));
    assert!(store.refused(&list, &[("items", "PLUMA AZUL")]).contains("id=\"items-fault\""));
    let _ = store.send(&list, &[("items", "PLUMA AZUL 7")]);
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(10), json!(3)));
    let _ = store.send(&format!("{count}/post"), &[]);
    assert_eq!((store.available("TAZA"), store.available("PLUMA%20AZUL")), (json!(3), json!(7)));
    let shown = store.read(&count);
    assert!(!shown.contains(&scan) && !shown.contains(&list), "{shown}");
    let other = store.send("counts/new", &[("uncounted", "zero"), ("items", "TAZA")]);
    let _ = store.send(&format!("{other}/cancel"), &[]);
    let posted = store.read("counts?status=posted");
    assert_eq!(posted.matches("<th scope=\"row\">").count(), 1, "{posted}");
}
