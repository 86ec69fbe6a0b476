//! What every list of the panel has: a table of it, and views that members save of it.

use accounts::{
    Accounts, NewSavedView, Role, SavedViews, Team, UserOffice,
    saved_views::{VIEW_QUERY_BYTES_MAX, VIEWS_MAX},
};
use kernel::{Actor, Ctx};
use panel::{Described, described};
use serde_json::json;
use testkit::{Chromium, DatabaseKind, Key, on_both};

use super::{
    browser::{Browser, hidden},
    shop::{made, opened, ordered},
};

on_both!(
    every_list_is_a_table_too,
    every_list_is_narrowed_by_one_bar,
    days_that_end_before_they_begin_are_told,
    what_is_no_day_is_told_at_its_field,
    what_cannot_be_read_of_an_address_is_told,
    nothing_goes_through_all_where_an_address_cannot_be_read,
    lists_are_in_the_order_of_their_heads,
    views_are_saved_of_every_list,
    a_view_is_renamed_replaced_and_removed,
    views_are_bounded_and_belong_to_members,
);

fn lists() -> Vec<Described> {
    described().into_iter().filter(|page| page.is_list).collect()
}

fn every_list_is_a_table_too(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let _ = ordered(&client, &account);
    let _ = made(&client, "/crm/leads", &json!({"name": "=1+1", "company": "a,b"}));
    for list in lists() {
        let (page, table) =
            (format!("{account}{}", list.path), format!("{account}{}.csv", list.path));
        let shown = browser.read(&format!("{page}?q=&rows=50"));
        assert!(shown.contains(&format!("href=\"{table}\"")), "{page}: {shown}");
        let narrowed = browser.read(&format!("{page}?zz=a%26b"));
        assert!(narrowed.contains(&format!("href=\"{table}?zz=a%26b\"")), "{page}: {narrowed}");
        let sent = browser.get(&table);
        let content = sent.header("content-type");
        assert_eq!((sent.status, content), (200, Some("text/csv; charset=utf-8")), "{table}");
        assert!(sent.text.starts_with('\u{feff}') && sent.text.ends_with("\r\n"), "{}", sent.text);
        let heading = sent.text.lines().next().unwrap();
        let heads: Vec<_> = heading.trim_start_matches('\u{feff}').split(',').collect();
        assert!(heads.len() > 2, "{table}: {heading}");
        for head in heads {
            // In the words of the page, not of the API: `customerId`.
            let is_in_words = head.starts_with(char::is_uppercase) && !head.ends_with("Id");
            assert!(is_in_words, "{table}: {head}");
        }
    }
    let leads = browser.get(&format!("{account}leads.csv")).text;
    assert!(leads.contains(",'=1+1,\"a,b\","), "{leads}");
    let orders = browser.get(&format!("{account}orders.csv?status=pending")).text;
    assert_eq!(orders.lines().count(), 2, "{orders}");
    assert!(orders.contains(",Pendiente,Sin enviar,"), "{orders}");
    let none = browser.get(&format!("{account}orders.csv?status=paid")).text;
    assert_eq!(none.lines().count(), 1, "{none}");
}

/// Fields to narrow a list by stand behind buttons, and what it is narrowed to is a chip that leads back.
fn every_list_is_narrowed_by_one_bar(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["order.paid"]});
    let hook = made(&client, "/webhooks", &hook);
    let deliveries = format!("{account}webhooks/{}", hook["id"].as_str().unwrap());
    let pages = lists().into_iter().map(|list| format!("{account}{}", list.path));
    for page in pages.chain([deliveries.clone()]) {
        let shown = browser.read(&page);
        let Some((_, bar)) = shown.split_once("<form class=\"filters\"") else { continue };
        let bar = bar.split_once("</form>").unwrap().0;
        let mut parts = bar.split("<details");
        let open = parts
            .next()
            .into_iter()
            .chain(parts.filter_map(|part| part.split_once("</details>")).map(|(_, after)| after));
        for part in open {
            assert!(!part.contains("<select") && !part.contains("<label"), "{page}: {part}");
        }
    }
    for (page, query) in [
        (&deliveries, "state=failed"),
        (&deliveries, "event=order.paid"),
        (&format!("{account}jobs"), "status=queued"),
        (&format!("{account}jobs"), "kind=invoices.email"),
    ] {
        let narrowed = browser.read(&format!("{page}?{query}"));
        let chip = format!("class=\"chip on\" href=\"{page}\"");
        assert!(narrowed.contains(&chip), "{page}?{query}: {narrowed}");
    }
}

fn days_that_end_before_they_begin_are_told(kind: DatabaseKind) {
    let (_app, browser, account, _client) = opened(kind);
    let (told, open) = ("Hasta no debe ser anterior a «Desde».", "<details class=\"add\" open>");
    for list in ["orders", "invoices", "payments", "movements"] {
        let page = |query: &str| browser.read(&format!("{account}{list}?{query}"));
        let shown = page("from=2026-03-02&to=2026-03-01");
        assert!(shown.contains(told) && shown.contains(open), "{shown}");
        let shown = page("from=2026-03-01&to=2026-03-01");
        assert!(!shown.contains(told) && !shown.contains(open), "{shown}");
    }
}

fn what_is_no_day_is_told_at_its_field(kind: DatabaseKind) {
    let (_app, browser, account, _client) = opened(kind);
    let open = "<details class=\"add\" open>";
    for (list, name, told) in [
        ("orders", "from", "Desde debe ser un día como 2026-12-31."),
        ("invoices", "to", "Hasta debe ser un día como 2026-12-31."),
        ("movements", "from", "Desde debe ser un día como 2026-12-31."),
        ("stock/valuation", "at", "debe ser un día como 2026-12-31."),
    ] {
        for wrong in ["2026-02-30", "ayer", "01/03/2026"] {
            let shown = browser.read(&format!("{account}{list}?{name}={wrong}"));
            assert!(shown.contains(told) && shown.contains(open), "{list} {wrong}: {shown}");
            assert!(!shown.contains("class=\"chip on\""), "{shown}");
        }
        let shown = browser.read(&format!("{account}{list}?{name}=2026-03-01"));
        assert!(!shown.contains("debe ser un día") && !shown.contains(open), "{shown}");
    }
}

const UNREAD: &str = "no se puede leer: no filtra nada";

fn what_cannot_be_read_of_an_address_is_told(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let _ = ordered(&client, &account);
    for (list, name) in [
        ("orders", "status"),
        ("orders", "fulfillment"),
        ("orders", "payment"),
        ("orders", "invoiced"),
        ("invoices", "type"),
        ("stock", "low"),
        ("quotes", "number"),
        ("settings/audit", "action"),
        ("settings/audit", "actor"),
    ] {
        let shown = browser.read(&format!("{account}{list}?{name}=zz"));
        let told = format!("{UNREAD}.");
        assert!(shown.contains(&told) && shown.contains("class=\"add\" open"), "{list}: {shown}");
        assert!(!shown.contains("class=\"chip on\""), "{list}: {shown}");
    }
    // What a link narrows to has no field; nor is the list of whatever its first row is.
    for (list, name, label) in [
        ("orders", "customer", "Cliente: "),
        ("orders", "paidFrom", "Pagado desde"),
        ("invoices", "order", "Pedido: "),
        ("movements", "product", "Producto: "),
    ] {
        let shown = browser.read(&format!("{account}{list}?{name}=abc"));
        let told = format!("«{name}=abc» {UNREAD}");
        assert!(shown.contains(&told) && !shown.contains(label), "{list} {name}: {shown}");
        let back = format!("class=\"chip on\" href=\"{account}{list}\"");
        assert!(shown.contains(&back), "{list} {name}: {shown}");
    }
}

/// What a list is narrowed to by choices is looked up in its bar, so that no list is left out.
fn nothing_goes_through_all_where_an_address_cannot_be_read(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let _ = ordered(&client, &account);
    let _ = made(&client, "/crm/leads", &json!({"name": "Ana"}));
    let mut seen = 0;
    for list in lists() {
        let page = format!("{account}{}", list.path);
        let shown = browser.read(&page);
        let Some((_, bar)) = shown.split_once("<form class=\"filters\"") else { continue };
        let (bar, _) = bar.split_once("</form>").unwrap();
        let selects = bar.split("<select").skip(1);
        let names = selects.filter_map(|select| select.split_once("name=\"")?.1.split_once('"'));
        for (name, _) in names {
            seen += 1;
            let shown = browser.read(&format!("{page}?{name}=zz"));
            assert!(shown.contains(UNREAD) || shown.contains("class=\"empty\""), "{page} {name}");
            let table = browser.get(&format!("{page}.csv?{name}=zz"));
            let is_refused = table.status == 400 && table.text.contains(&format!("«{name}»"));
            let is_empty = table.status == 200 && table.text.lines().count() == 1;
            assert!(is_refused || is_empty, "{page} {name}: {}", table.text);
        }
    }
    assert!(seen > 15, "{seen} choices are found");
    for path in ["orders.csv?from=ayer", "orders.csv?customer=abc", "settings/audit.csv?actor=zz"] {
        assert_eq!(browser.get(&format!("{account}{path}")).status, 400, "{path}");
    }
    for path in ["orders/bulk/ship", "invoices/bulk/stamp"] {
        let page = format!("{account}{path}?which=all");
        assert_eq!(browser.get(&format!("{page}&status=zz")).status, 400, "{path}");
        assert_eq!(browser.get(&page).status, 200, "{path}");
    }
}

/// What the rows of a list are called, in its order.
fn rows(html: &str) -> Vec<String> {
    let heads = html.split("<th scope=\"row\"><a href=\"").skip(1);
    let names = heads.filter_map(|head| head.split_once("\">")?.1.split_once("</a>"));
    names.map(|(name, _)| name.to_owned()).collect()
}

fn lists_are_in_the_order_of_their_heads(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    for list in ["orders", "customers", "invoices", "leads", "deals/list", "products"] {
        let _ = browser.read(&format!("{account}{list}?sort=nothing&after=nowhere"));
    }
    for place in 0..30 {
        // From P-00 to P-29 by name, the other way round by price.
        let body = json!({"name": format!("P-{place:02}"), "sku": format!("S-{place}"),
            "price": 130 - place});
        let _ = made(&client, "/products", &body);
    }
    let page = |query: &str| browser.read(&format!("{account}products?{query}"));
    let by_price = page("sort=price");
    let (all, first) = (rows(&by_price), |html: &str| rows(html).first().cloned());
    assert_eq!(all.len(), 25, "{by_price}");
    assert_eq!(all.first().map(String::as_str), Some("P-29"));
    assert_eq!(first(&page("sort=-price")).as_deref(), Some("P-00"));
    assert_eq!(first(&page("sort=name")).as_deref(), Some("P-00"));
    assert_eq!(first(&page("sort=-name")).as_deref(), Some("P-29"));
    assert!(by_price.contains("name=\"sort\" value=\"price\""), "{by_price}");
    let (_, next) = by_price.split_once("rel=\"next\" href=\"").unwrap();
    let next = next.split_once('"').unwrap().0.replace("&#38;", "&");
    assert_eq!(rows(&browser.read(&next)).last().map(String::as_str), Some("P-00"));
    // A place in one order is none in another.
    let other = next.replace("sort=price", "sort=name");
    assert_eq!(first(&browser.read(&other)).as_deref(), Some("P-00"));
    let table = browser.get(&format!("{account}products.csv?sort=price")).text;
    let named: Vec<_> = table.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!((named.len(), named[0], named[29]), (30, "P-29", "P-00"));
    let _ = ordered(&client, &account);
    let _ = made(&client, "/crm/leads", &json!({"name": "Ana"}));
    let of_state = |query: &str| rows(&browser.read(&format!("{account}orders?{query}"))).len();
    assert_eq!(of_state("fulfillment=unfulfilled&payment=unpaid&invoiced=no"), 1);
    for query in ["fulfillment=fulfilled", "payment=paid", "invoiced=yes"] {
        assert_eq!(of_state(query), 0, "{query}");
    }
    for list in ["orders", "customers", "leads"] {
        for (query, order) in [("", "descending"), ("?sort=createdAt", "ascending")] {
            let shown = browser.read(&format!("{account}{list}{query}"));
            assert_eq!(shown.matches(&format!("aria-sort=\"{order}\"")).count(), 1, "{shown}");
            assert_eq!(shown.matches("aria-sort").count(), 1, "{shown}");
        }
    }
}

fn views_are_saved_of_every_list(kind: DatabaseKind) {
    let (app, browser, account, _client) = opened(kind);
    let colleague = Browser::of_member(&app, Role::Owner);
    for list in lists() {
        let page = format!("{account}{}", list.path);
        let asked = browser.read(&format!("{page}?zz=a%26b&rows=50"));
        assert!(asked.contains(&format!("name=\"list\" value=\"{}\"", list.path)), "{asked}");
        let query = hidden(&asked, "query").unwrap_or_else(|| panic!("{asked}"));
        assert_eq!(query, "zz=a%26b", "{page}");
        let place = format!("{account}views");
        let view = [("name", "Mía <b>"), ("list", list.path), ("query", query.as_str())];
        let saved = browser.send(&page, &place, &view);
        let there = format!("{page}?zz=a%26b&did=view.saved");
        assert_eq!((saved.status, saved.header("location")), (303, Some(there.as_str())), "{page}");
        let shown = browser.read(&there);
        let tab = format!("href=\"{page}?zz=a%26b\" aria-current=\"page\">Mía &#60;b&#62;</a>");
        assert!(shown.contains(&tab) && shown.contains("role=\"status\""), "{page}: {shown}");
        assert!(browser.read(&page).contains(&format!("href=\"{page}?zz=a%26b\"")), "{page}");
        let others = colleague.read(&page);
        assert!(!others.contains("Mía") && !others.contains("zz="), "{page}: {others}");
    }
}

/// The place where the first view of a page is edited.
fn place_of_view(html: &str, account: &str) -> String {
    let start = format!("{account}views/viw_");
    let place = html.split('"').find(|part| part.starts_with(&start));
    place.unwrap_or_else(|| panic!("{html}")).to_owned()
}

fn a_view_is_renamed_replaced_and_removed(kind: DatabaseKind) {
    let (app, browser, account, _client) = opened(kind);
    let (page, views) = (format!("{account}orders?status=paid"), format!("{account}views"));
    let save = |name: &str, list: &str, query: &str| {
        browser.send(&page, &views, &[("name", name), ("list", list), ("query", query)])
    };
    assert_eq!(save("Pagados", "orders", "status=paid").status, 303);
    assert_eq!(save("Hoy", "orders", "from=2026-01-01").status, 303);
    // The name is the view: another filter under it takes the place of the first.
    assert_eq!(save("Pagados", "orders", "did=x&status=shipped&rows=50").status, 303);
    let shown = browser.read(&page);
    assert_eq!(shown.matches("views/viw_").count(), 2, "{shown}");
    assert!(shown.contains("orders?status=shipped\""), "{shown}");
    let long = format!("q={}", "x".repeat(VIEW_QUERY_BYTES_MAX));
    for (name, list, query, status) in [
        ("", "orders", "status=paid", 422),
        ("Nada", "orders", "rows=50", 422),
        ("Nada", "orders/new", "q=x", 404),
        ("Nada", "nowhere", "q=x", 404),
        ("Larga", "orders", long.as_str(), 422),
    ] {
        let refused = save(name, list, query);
        assert_eq!(refused.status, status, "{name} {list}: {}", refused.text);
    }
    // They are in the order of their names.
    let edit = place_of_view(&shown, &account);
    assert!(browser.read(&edit).contains("value=\"Hoy\""));
    let taken = browser.send(&edit, &edit, &[("name", "Pagados")]);
    assert_eq!(taken.status, 422, "{}", taken.text);
    let renamed = browser.send(&edit, &edit, &[("name", "Otra")]);
    assert_eq!(renamed.status, 303, "{}", renamed.text);
    assert!(browser.read(renamed.header("location").unwrap()).contains(">Otra</a>"));
    // What is another member's is not there, neither to be seen nor to be changed.
    let colleague = Browser::of_member(&app, Role::Viewer);
    assert_eq!(colleague.get(&edit).status, 404);
    let csrf = colleague.csrf(&account);
    let renaming = colleague.post(&edit, &[("csrf", &csrf), ("name", "Ajena")]);
    assert_eq!(renaming.status, 404, "{}", renaming.text);
    let remove = format!("{edit}/remove");
    let removing = colleague.post(&remove, &[("csrf", &csrf), ("list", "orders")]);
    assert_eq!(removing.status, 303, "{}", removing.text);
    assert!(browser.read(&edit).contains("value=\"Otra\""));
    // Sent twice, a form has one effect.
    let csrf = browser.csrf(&account);
    for _ in 0..2 {
        let removed = browser.post(&remove, &[("csrf", &csrf), ("list", "orders")]);
        assert_eq!(removed.status, 303, "{}", removed.text);
    }
    assert_eq!(browser.read(&page).matches("views/viw_").count(), 1);
    assert_eq!(browser.get(&edit).status, 404);
}

fn views_are_bounded_and_belong_to_members(kind: DatabaseKind) {
    let (app, browser, account, _client) = opened(kind);
    let store = app.store();
    let colleague = Browser::of_member(&app, Role::Sales);
    let (page, views) = (format!("{account}orders?status=paid"), format!("{account}views"));
    let csrf = colleague.csrf(&account);
    let save = |name: &str, list: &str| {
        let view = [("csrf", csrf.as_str()), ("name", name), ("list", list), ("query", "q=x")];
        colleague.post(&views, &view).status
    };
    for number in 0..VIEWS_MAX {
        assert_eq!(save(&format!("Vista {number}"), "orders"), 303, "{number}");
    }
    assert_eq!(save("Una más", "orders"), 422);
    assert_eq!((save("Vista 7", "orders"), save("Una más", "customers")), (303, 303));
    // Of a list that the role does not open.
    assert_eq!(save("Ajena", "settings/audit"), 404);
    let shown = colleague.read(&page);
    assert_eq!(shown.matches("views/viw_").count(), VIEWS_MAX as usize, "{shown}");
    assert!(!browser.read(&page).contains("views/viw_"));
    // Who leaves loses them, also those of the test account, and comes back to none.
    let accounts = store.list_accounts().wait().unwrap().unwrap();
    let live = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let test = store.test_account(live, app.now()).wait().unwrap().unwrap().value.id;
    let email = format!("{}@shop.example", Role::Sales.name());
    let user = store.user_of(email).wait().unwrap().unwrap().unwrap().id;
    let by_user = |account| Ctx::system(account, app.now()).by(Actor::User(user));
    let new = || NewSavedView {
        list: "orders".to_owned(),
        name: "De prueba".to_owned(),
        query: "q=x".to_owned(),
    };
    let _ = store.save(by_user(test), new()).wait().unwrap().unwrap();
    let known =
        |account| store.of_list(account, user, "orders".to_owned()).wait().unwrap().unwrap();
    assert_eq!((known(live).len(), known(test).len()), (VIEWS_MAX as usize, 1));
    let by_operator = || Ctx::system(live, app.now()).by(Actor::Operator("test".into()));
    let _ = store.remove_member(by_operator(), user).wait().unwrap().unwrap();
    assert_eq!((known(live).len(), known(test).len()), (0, 0));
    assert!(store.save(by_user(live), new()).wait().unwrap().is_err());
    let _ = store.add_member(by_operator(), user, Role::Sales).wait().unwrap().unwrap();
    assert!(!colleague.read(&page).contains("views/viw_"));
}

/// With script: what was ticked and typed stays where rows are added, and a view is saved from the menu.
#[test]
fn rows_are_added_and_a_view_is_saved_in_a_browser() {
    const ADDED: &str = "new Promise((done) => {
        const count = (what) => document.querySelectorAll(`table.rows tbody ${what}`).length;
        const typed = () => document.querySelector('.filters input[name=q]').value;
        const look = () => count('tr') > 25 ? done([count('tr'), count('input:checked'), typed()]) : setTimeout(look, 20);
        look();
    })";
    let Some(chromium) = Chromium::start() else { return };
    let (app, browser, account, client) = opened(DatabaseKind::Sqlite);
    let product = json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 100});
    let product = made(&client, "/products", &product);
    let buyer = made(&client, "/customers", &json!({"name": "Xóchilt"}));
    let items = json!([{"productId": product["id"], "quantity": 1}]);
    for _ in 0..27 {
        let _ = made(&client, "/orders", &json!({"customerId": buyer["id"], "items": items}));
    }
    chromium.be_known(&app.origin(), &browser.cookies());
    chromium.resize(1_280, 900);
    chromium.open(&format!("{}{account}orders?status=pending", app.origin()));
    let _ = chromium.evaluate("document.querySelector('.filters input[name=q]').value = 'Xóch'");
    let _ = chromium.evaluate("document.querySelector('tbody input[type=checkbox]').click()");
    let _ = chromium.evaluate("document.querySelector('a[rel=next]').click()");
    assert_eq!(chromium.evaluate(ADDED), json!([27, 1, "Xóch"]));
    assert_eq!(chromium.evaluate("document.querySelectorAll('a[rel=next]').length"), json!(0));
    let _ = chromium.evaluate("document.querySelector('nav.views details').open = true");
    let _ = chromium.evaluate("document.querySelector('nav.views input[name=name]').focus()");
    chromium.write("Por cobrar");
    chromium.press_through(Key::Enter);
    let shown = "document.querySelector('nav.views a[aria-current]').textContent";
    assert_eq!(chromium.evaluate(shown), json!("Por cobrar"));
    assert_eq!(chromium.evaluate("location.pathname"), json!(format!("{account}orders")));
}
