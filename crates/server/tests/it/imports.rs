//! Files of products, customers and stock, worked off behind their requests.

mod crashes;
mod customers;
mod exported;
mod exports_of_shops;
mod files;
mod places;
mod running;
mod stock;

use std::{
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{App, Client, Reply};

/// Sends a file to be imported.
pub(crate) fn sent(client: &Client, query: &str, file: impl Into<Vec<u8>>) -> Reply {
    sent_to(client, "products", query, file)
}

/// Sends a file of a kind to be imported.
pub(crate) fn sent_to(client: &Client, kind: &str, query: &str, file: impl Into<Vec<u8>>) -> Reply {
    let request = client.request("POST", &format!("/{kind}/imports?{query}"));
    Reply::to(request.header("Content-Type", "text/csv").body(file.into()))
}

/// An import that has ended.
#[track_caller]
pub(crate) fn ended(client: &Client, import: &Value) -> Value {
    let path = path(import);
    client.once(&path, |import| !import["endedAt"].is_null())
}

/// Where an import is.
pub(crate) fn path(import: &Value) -> String {
    format!("/{}/imports/{}", import["kind"].as_str().unwrap(), import["id"].as_str().unwrap())
}

/// Where the file of an import is kept until that has ended.
pub(crate) fn kept_file(app: &App, import: &Value) -> PathBuf {
    let named =
        format!("SELECT file AS line FROM imports WHERE id = '{}'", import["id"].as_str().unwrap());
    let name = app.database.lines(&named).remove(0);
    std::env::temp_dir().join("trastienda-files").join("imports").join(name)
}

/// An import that has ended, however long it waits: whenever it does not go on, the clock is moved ahead. What becomes due by that
/// would hold it up.
#[track_caller]
pub(crate) fn ended_in_time(app: &App, client: &Client, import: &Value) -> Value {
    let path = path(import);
    let mut before = Value::Null;
    for _ in 0..2_400 {
        let now = client.get(&path).expect(200);
        if !now["endedAt"].is_null() {
            return now;
        }
        if now["processed"] == before {
            app.advance_seconds(60);
        }
        before = now["processed"].clone();
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{path} does not end");
}

/// Imports a file of a kind to its end.
#[track_caller]
pub(crate) fn imported_as(
    client: &Client,
    kind: &str,
    query: &str,
    file: impl Into<Vec<u8>>,
) -> Value {
    ended(client, &sent_to(client, kind, query, file).expect(202))
}

/// Imports a file to its end.
#[track_caller]
pub(crate) fn imported(client: &Client, query: &str, file: impl Into<Vec<u8>>) -> Value {
    ended(client, &sent(client, query, file).expect(202))
}

/// What has become of rows: created, updated, unchanged, failed.
pub(crate) fn counts(import: &Value) -> Value {
    let sum = ["created", "updated", "unchanged", "failed"].map(|name| import[name].clone());
    let processed: u64 = sum.iter().filter_map(Value::as_u64).sum();
    assert_eq!(import["processed"], processed, "{import}");
    json!(sum)
}

/// What was wrong with rows: number, column, code.
pub(crate) fn faults(client: &Client, import: &Value) -> Vec<String> {
    let path = format!("{}/errors?limit=100", path(import));
    let page = client.get(&path).expect(200);
    let one = |error: &Value| {
        let text = |name: &str| error[name].as_str().unwrap_or("-").to_owned();
        format!("{} {} {}", error["row"], text("column"), text("code"))
    };
    page["data"].as_array().unwrap().iter().map(one).collect()
}

/// All products by SKU: name, price, stock, and the same of their variants.
pub(crate) fn catalog(client: &Client) -> Vec<String> {
    let page = client.get("/products?limit=100&sort=createdAt").expect(200);
    let shown = |thing: &Value| {
        let sku = thing["sku"].as_str().unwrap_or("-");
        let name = thing["name"].as_str().unwrap();
        format!("{sku} {name} {} {}", thing["price"], thing["inventory"])
    };
    let one = |product: &Value| {
        let variants = product["variants"].as_array().unwrap();
        let own = std::iter::once(shown(product));
        own.chain(variants.iter().map(shown)).collect::<Vec<_>>().join("; ")
    };
    page["data"].as_array().unwrap().iter().map(one).collect()
}

/// Events of this name are told so often, once all of them can be seen: on PostgreSQL the feed waits for older transactions.
#[track_caller]
pub(crate) fn assert_told(client: &Client, name: &str, times: usize) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while told(client, name) < times && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(told(client, name), times, "{name}");
}

fn told(client: &Client, name: &str) -> usize {
    let mut cursor = String::new();
    let mut count = 0;
    loop {
        let page = client.get(&format!("/events?limit=100&events={name}{cursor}")).expect(200);
        let events = page["data"].as_array().unwrap();
        if events.is_empty() {
            return count;
        }
        count += events.len();
        cursor = format!("&cursor={}", page["nextCursor"].as_str().unwrap());
    }
}
