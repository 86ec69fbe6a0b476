//! Imports in the panel: files that are sent, mapped, tried, imported, corrected and forgotten.

use ::imports::{ImportKind, UPLOADS_MAX, Uploads};
use serde_json::Value;
use testkit::{App, Client, DatabaseKind, on_both};

use super::{
    browser::{Browser, EMAIL, PASSWORD, hidden},
    shop::opened,
};

on_both!(
    a_file_is_mapped_tried_imported_and_corrected,
    what_cannot_be_imported_is_told,
    rows_are_pasted_and_every_kind_is_imported,
    a_file_waits_over_a_restart_and_for_a_week,
    a_file_is_taken_from_a_page_of_this_session_alone,
    another_file_of_the_same_page_is_another_one,
);

/// As Excel in Spanish writes it: semicolons, a decimal comma, Windows-1252.
const CATALOG: &[u8] =
    b"Ref.;Art\xedculo;Menudeo;Notas\r\nGORRA;Gorra <i>;25,50;nueva\r\nTAZA;Taza;caro;\r\n";
const NOTHING: &str = "none";
const NEW: &str = "imports/products/new";
const FILES: &str = "imports/products/files";

/// The panel of an account, and a client of its API.
struct Office {
    _app: App,
    browser: Browser,
    account: String,
    client: Client,
}

impl Office {
    fn open(kind: DatabaseKind) -> Self {
        let (app, browser, account, client) = opened(kind);
        Self { _app: app, browser, account, client }
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.account)
    }

    #[track_caller]
    fn read(&self, path: &str) -> String {
        self.browser.read(&self.at(path))
    }

    /// Sends a file, and gives where it waits.
    #[track_caller]
    fn upload(&self, new: &str, file: &[u8]) -> String {
        uploaded(&self.browser, &self.account, new, file)
    }

    /// Sends what columns hold, with more; the status, and what is shown or where it leads.
    #[track_caller]
    fn map(&self, file: &str, columns: &[&str], more: &[(&str, &str)]) -> (u16, String) {
        let names: Vec<String> =
            (0..columns.len()).map(|place| format!("column[{place}]")).collect();
        let held = names.iter().map(String::as_str).zip(columns.iter().copied());
        let seen = hidden(&self.read(file), "seen").unwrap();
        let seen = [("seen", seen.as_str())].into_iter();
        let fields: Vec<_> = seen.chain(held).chain(more.iter().copied()).collect();
        let reply = self.browser.send(&self.at(file), &self.at(file), &fields);
        match reply.header("location") {
            Some(place) => (reply.status, self.path_in(place)),
            None => (reply.status, reply.text),
        }
    }

    /// The path of a place, below the account.
    fn path_in(&self, place: &str) -> String {
        let path = place.strip_prefix(&self.account).unwrap_or_else(|| panic!("{place}"));
        path.split('?').next().unwrap().to_owned()
    }

    /// What is shown of an import once it has ended.
    #[track_caller]
    fn ended(&self, page: &str) -> String {
        let (rest, id) = page.rsplit_once('/').unwrap();
        let kind = rest.rsplit('/').next().unwrap();
        let path = format!("/{kind}/imports/{id}");
        let _ = self.client.once(&path, |import| !import["endedAt"].is_null());
        self.read(page)
    }

    fn price(&self, sku: &str) -> Value {
        let found = self.client.get(&format!("/products?sku={sku}")).expect(200);
        found["data"][0]["price"].clone()
    }
}

#[track_caller]
fn uploaded(browser: &Browser, account: &str, new: &str, file: &[u8]) -> String {
    let new = format!("{account}{new}");
    let reply = browser.send_files(&new, &new, &[("rows", "")], &[("file", file)]);
    assert_eq!(reply.status, 303, "{}", reply.text);
    let place = reply.header("location").unwrap().to_owned();
    let shown = browser.read(&place);
    assert!(shown.contains("role=\"status\""), "{shown}");
    place.strip_prefix(account).unwrap().split('?').next().unwrap().to_owned()
}

/// Whoever goes back and chooses another file sends the same form once more, with nothing else in its fields.
fn another_file_of_the_same_page_is_another_one(kind: DatabaseKind) {
    let office = Office::open(kind);
    let new = office.at(NEW);
    let shown = office.browser.read(&new);
    let token = |name: &str| hidden(&shown, name).unwrap();
    let (csrf, once) = (token("csrf"), token("once"));
    let fields = [("csrf", csrf.as_str()), ("once", once.as_str()), ("rows", "")];
    let sent = |file: &[u8]| {
        let reply = office.browser.post_files(&new, &fields, &[("file", file)]);
        assert_eq!(reply.status, 303, "{}", reply.text);
        office.path_in(reply.header("location").unwrap())
    };
    let (first, second) = (sent(b"SKU,Nombre\nA,Uno\n"), sent(b"SKU,Nombre\nB,Dos\n"));
    assert!(office.read(&first).contains("Uno") && office.read(&second).contains("Dos"));
    assert_eq!(sent(b"SKU,Nombre\nA,Uno\n"), first);
}

fn a_file_is_mapped_tried_imported_and_corrected(kind: DatabaseKind) {
    let office = Office::open(kind);
    let file = office.upload(NEW, CATALOG);
    let shown = office.read(&file);
    for part in ["Artículo", "Gorra &#60;i&#62; · Taza", "25,50 · caro", "file.bin"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // The name is known, the others are left alone unless somebody says what they hold.
    let chosen = |html: &str| -> Vec<String> {
        let chosen = html.split("\" selected>").filter_map(|before| before.rsplit('"').next());
        chosen.map(str::to_owned).take(4).collect()
    };
    assert_eq!(chosen(&shown), ["none", "name", "none", "none"]);
    let (status, told) = office.map(&file, &["none", "name", "price", "none"], &[]);
    assert_eq!(status, 422, "{told}");
    assert!(
        told.contains("role=\"alert\"") && told.contains("<option value=\"price\" selected"),
        "{told}"
    );
    let (status, told) = office.map(&file, &["sku", "name", "sku", "none"], &[]);
    assert!(status == 422 && told.contains("“Ref.” y “Menudeo”"), "{told}");
    let (status, told) = office.map(&file, &["sku", "name", "price", "onHand"], &[]);
    assert!(status == 422 && told.contains("column[3]"), "{told}");

    let held = ["sku", "name", "price", "none"];
    let (status, tried) = office.map(&file, &held, &[]);
    assert_eq!(status, 303, "{tried}");
    let shown = office.ended(&tried);
    for part in ["Se crearía", "Se rechazaría", "Gorra &#60;i&#62;", "no es un número", "caro"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(office.price("GORRA"), Value::Null);
    // The way back shows what was chosen, and the way on imports the same.
    let back = shown.split('"').find(|part| part.contains("?like=")).unwrap();
    let back = office.browser.read(back);
    assert_eq!(chosen(&back), held);
    let begun = office.browser.send(&office.at(&tried), &office.at(&format!("{tried}/again")), &[]);
    assert_eq!(begun.status, 303, "{}", begun.text);
    let done = office.path_in(begun.header("location").unwrap());
    let shown = office.ended(&done);
    assert!(
        shown.contains("Terminada, con filas rechazadas") && !shown.contains("Se crearía"),
        "{shown}"
    );
    assert!(shown.contains("<progress") && !shown.contains("data-poll"), "{shown}");
    assert_eq!(office.price("GORRA"), 25.5);

    let refused = office.browser.get(&office.at(&format!("{done}/errors.csv")));
    assert_eq!(
        (refused.status, refused.header("content-type")),
        (200, Some("text/csv; charset=utf-8"))
    );
    let lines: Vec<&str> = refused.text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "Ref.;Artículo;Menudeo;Notas;_row;_column;_error;_code");
    assert!(lines.len() == 2 && lines[1].starts_with("TAZA;Taza;caro;;3;Menudeo;"), "{lines:?}");
    let corrected = office.upload(NEW, refused.text.replace("caro", "19.90").as_bytes());
    let shown = office.read(&corrected);
    assert!(!shown.contains("_column") && shown.contains("19.90"), "{shown}");
    let (status, again) = office.map(&corrected, &held, &[("write", "true")]);
    assert_eq!(status, 303, "{again}");
    let shown = office.ended(&again);
    assert!(shown.contains("class=\"pill ok\""), "{shown}");
    assert_eq!(office.price("TAZA"), 19.9);
    // What is all there is imported once more, and forgotten.
    let all = office.read("imports/products");
    for page in [&tried, &done, &again] {
        assert!(all.contains(&format!("href=\"{}\"", office.at(page))), "{all}");
    }
    let (status, once_more) = office.map(&file, &held, &[("write", "true"), ("mode", "update")]);
    assert_eq!(status, 303, "{once_more}");
    let _ = office.ended(&once_more);
    let forgotten =
        office.browser.send(&office.at(&file), &office.at(&format!("{file}/forget")), &[]);
    assert_eq!(forgotten.status, 303, "{}", forgotten.text);
    assert_eq!(office.browser.get(&office.at(&file)).status, 404);
    assert!(!office.read(&once_more).contains("?like="));
    // What has ended cannot be cancelled, and lies with imports of its kind alone.
    let cancel = office.at(&format!("{done}/cancel"));
    assert_eq!(office.browser.send(&cancel, &cancel, &[]).status, 422);
    let elsewhere = office.at(&done.replace("products", "stock"));
    assert_eq!(office.browser.get(&elsewhere).status, 404);
    assert_eq!(office.browser.get(&office.at(&corrected.replace("products", "stock"))).status, 404);
}

fn what_cannot_be_imported_is_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let new = office.at(NEW);
    let refused = |fields: &[(&str, &str)], file: &[u8]| {
        let reply = office.browser.send_files(&new, &new, fields, &[("file", file)]);
        assert_eq!(reply.status, 422, "{}", reply.text);
        reply.text
    };
    assert!(refused(&[], b"").contains("id=\"file-fault\""));
    let both = refused(&[("rows", "SKU\nT-1")], b"SKU\nT-1\n");
    assert!(both.contains("id=\"file-fault\"") && both.contains("T-1</textarea>"), "{both}");
    for wrong in [&b"\x89PNG\r\n\x1a\n"[..], b"%PDF-1.7", b" \n \n"] {
        assert!(refused(&[], wrong).contains("role=\"alert\""));
    }
    let files = office.read(FILES);
    assert!(files.contains("class=\"empty\""), "{files}");
    // Read otherwise a file has other columns, which are shown before anything is made of them.
    let file = office.upload(NEW, "Artículo,SKU\nTaza,T-1\n".as_bytes());
    let (status, told) = office.map(&file, &["name", "sku"], &[("encoding", "macintosh")]);
    assert!(status == 422 && told.contains("role=\"alert\""), "{told}");
    assert!(told.contains("<option value=\"macintosh\" selected"), "{told}");
    let (status, told) = office.map(&file, &["name", "sku"], &[("mode", "nothing")]);
    assert!(status == 422 && told.contains("id=\"mode-fault\""), "{told}");
}

fn rows_are_pasted_and_every_kind_is_imported(kind: DatabaseKind) {
    let office = Office::open(kind);
    let rows = "SKU\tNombre\tPrecio\tExistencia\r\nGORRA\tGorra\t25.50\t4\r\n";
    let sent = office.browser.send(&office.at(NEW), &office.at(NEW), &[("rows", rows)]);
    assert_eq!(sent.status, 303, "{}", sent.text);
    let file = office.path_in(sent.header("location").unwrap());
    assert!(office.read(FILES).contains("Filas pegadas"));
    let customers = office
        .upload("imports/customers/new", b"{\"name\": \"Ana\", \"email\": \"ana@example.com\"}\n");
    for (file, held) in
        [(file, &["sku", "name", "price", "inventory"][..]), (customers, &["name", "email"])]
    {
        let (status, begun) = office.map(&file, held, &[("write", "true"), ("onError", "abort")]);
        assert_eq!(status, 303, "{begun}");
        let shown = office.ended(&begun);
        assert!(shown.contains("class=\"pill ok\"") && shown.contains("1 de 1 filas"), "{shown}");
    }
    // Shops export dozens of columns.
    let many: Vec<String> = (0..80).map(|number| format!("Campo {number}")).collect();
    let wide = format!("SKU,Nombre,Precio,{}\nANCHA,Taza ancha,5\n", many.join(","));
    let wide = office.upload(NEW, wide.as_bytes());
    let held: Vec<&str> = ["sku", "name", "price"].into_iter().chain([NOTHING; 80]).collect();
    let (status, begun) = office.map(&wide, &held, &[("write", "true")]);
    assert_eq!(status, 303, "{begun}");
    assert!(office.ended(&begun).contains("class=\"pill ok\""));
    let stock = office.upload("imports/stock/new", "Clave,Existencia física\nGORRA,9\n".as_bytes());
    assert!(!office.read(&stock).contains("name=\"mode\""));
    let (status, begun) = office.map(&stock, &["sku", "onHand"], &[("write", "true")]);
    assert_eq!(status, 303, "{begun}");
    assert!(office.ended(&begun).contains("class=\"pill ok\""));
    let found = office.client.get("/products?sku=GORRA").expect(200);
    assert_eq!(found["data"][0]["inventory"], 9);
}

fn a_file_waits_over_a_restart_and_for_a_week(kind: DatabaseKind) {
    let (app, browser, account, _) = opened(kind);
    let rows = (0..20_000).map(|row| format!("P-{row};Producto {row};{row},5\n"));
    let large: String = std::iter::once("clave;artículo;precio\n".to_owned()).chain(rows).collect();
    let file = uploaded(&browser, &account, NEW, large.as_bytes());
    assert_eq!(
        uploaded(&browser, &account, NEW, large.as_bytes()),
        file,
        "the same bytes wait once"
    );
    let app = app.restart();
    let browser = Browser::new(&app);
    let door = "/panel/sign-in";
    let entered = browser.send(door, door, &[("email", EMAIL), ("password", PASSWORD)]);
    assert_eq!(entered.status, 303, "{}", entered.text);
    assert!(browser.read(&format!("{account}{file}")).contains("Producto 0 · Producto 1"));
    // As many wait as may; the oldest gives way.
    for number in 0..UPLOADS_MAX {
        let _ = uploaded(&browser, &account, NEW, format!("sku\nT-{number}\n").as_bytes());
    }
    assert_eq!(browser.get(&format!("{account}{file}")).status, 404);
    let accounts = accounts::Accounts::list_accounts(&**app.store()).wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let waiting = || app.store().uploads(own, ImportKind::Products).wait().unwrap().unwrap().len();
    assert_eq!(waiting(), UPLOADS_MAX);
    app.advance_seconds(8 * 86_400);
    app.housekeep();
    assert_eq!(waiting(), 0);
}

fn a_file_is_taken_from_a_page_of_this_session_alone(kind: DatabaseKind) {
    let (app, browser, account, _) = opened(kind);
    let new = format!("{account}{NEW}");
    let csrf = browser.csrf(&new);
    let other = Browser::new(&app).csrf("/panel/sign-in");
    let text = |name: &str, text: &str| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let file = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nsku\nT-1\n\r\n";
    let origin = app.origin();
    let cookies: Vec<_> =
        browser.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let sent = |parts: &[&str]| {
        let body = format!("{}--x--\r\n", parts.concat());
        let request = app.anonymous().request("POST", &new).header("Cookie", cookies.join("; "));
        let request = request.header("Content-Type", "multipart/form-data; boundary=x");
        testkit::Reply::to(request.header("Origin", &origin).body(body)).status
    };
    let (own, foreign) = (text("csrf", &csrf), text("csrf", &other));
    // What proves the form has to come before the file.
    for parts in [&[file][..], &[foreign.as_str(), file], &[file, own.as_str()]] {
        assert_eq!(sent(parts), 403, "{parts:?}");
    }
    // What comes behind the file is not dropped silently.
    assert_eq!(sent(&[own.as_str(), file, text("rows", "").as_str()]), 422);
    assert_eq!(sent(&[own.as_str(), file]), 303);
}
