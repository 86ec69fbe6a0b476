//! Stock while the server dies: goods are received, moved between warehouses, counted, promised, shipped, given back and
//! corrected, each call under a key of its own.

mod ask;
mod audit;
mod book;
mod cycle;
mod keeper;
mod promise;
mod settle;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;

use crate::arguments::ChaosOptions;
use crate::database::Database;
use crate::load;
use crate::random::SplitMix64;
use crate::run_directory::RunDirectory;
use crate::service::process::ServiceOptions;
use crate::service::{ApiClient, Service, Tenant};

use book::{Book, Ware, open};
use cycle::Subject;

/// Warehouses beside the first one.
const PLACES: usize = 3;
/// What lies of each product in the first warehouse, in units; some run out. Every other one is weighed.
const STOCKS: [i64; 8] = [400, 400, 60, 60, 2_000, 2_000, 10_000, 0];
/// What lies of each in every other warehouse, in units.
const ELSEWHERE: i64 = 40;

/// Runs the cycles on one database and prints what held; whether everything did.
pub(super) fn run_on(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &Database,
) -> anyhow::Result<bool> {
    let runtime = load::generator()?;
    runtime.block_on(async {
        let mut subject = prepare(options, seed, directory, database).await?;
        let (mut cycles, mut failure) = (0, None);
        for cycle in 1..=options.cycles {
            eprintln!("chaos: {} cycle {cycle} of {}", database.name(), options.cycles);
            match subject.cycle(cycle == options.cycles).await {
                Ok(()) => cycles = cycle,
                Err(error) => {
                    failure = Some(error.context(format!("cycle {cycle} on {}", database.name())));
                    break;
                }
            }
        }
        println!("\n{}", summary(&subject, cycles));
        failure.map_or(Ok(open(&subject.book).verdict.violations() == 0), Err)
    })
}

async fn prepare<'a>(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &'a Database,
) -> anyhow::Result<Subject<'a>> {
    let folder = directory.folder(&database.name().to_lowercase())?;
    let options = ServiceOptions::new(&options.surroundings.binary, database.url(), &folder)?;
    // The first start migrates the database, which the administration needs.
    let service = Service::start(&options)?;
    let tenant = Tenant::create(&options)?;
    let mut client = ApiClient::new(service.address(), &tenant.api_key);
    let book = open_shop(&mut client, &tenant, seed).await?;
    Ok(Subject {
        database,
        options,
        tenant,
        service,
        book: Arc::new(Mutex::new(book)),
        random: SplitMix64::new(seed),
        retries: 0,
        ready_after: Vec::new(),
    })
}

/// Warehouses, something that lies in them, and somebody to sell it to.
async fn open_shop(client: &mut ApiClient, tenant: &Tenant, seed: u64) -> anyhow::Result<Book> {
    let mut places = vec![tenant.account_id.replacen("acc_", "whs_", 1)];
    for number in 0..PLACES {
        let body = json!({"name": format!("Tienda {number}"), "priority": 50 + number * 100});
        places.push(client.create("/api/v1/warehouses", &body.to_string()).await?);
    }
    client.put("/api/v1/stock/settings", r#"{"allocation":"anyAvailable"}"#).await?;
    let mut wares = Vec::new();
    let mut items = Vec::new();
    for (number, stock) in STOCKS.into_iter().enumerate() {
        let (sku, is_weighed) = (format!("SKU-{number}"), number % 2 == 1);
        let mut body = json!({"name": format!("Producto {number}"), "sku": sku, "price": 10 + number,
            "currency": "MXN", "inventory": stock});
        if let Some(weighed) = body.as_object_mut().filter(|_| is_weighed) {
            weighed.insert("unit".to_owned(), json!("kg"));
            weighed.insert("quantityDecimals".to_owned(), json!(3));
        }
        let id = client.create("/api/v1/products", &body.to_string()).await?;
        for place in places.iter().skip(1) {
            items.push(json!({"productId": id, "warehouseId": place, "delta": ELSEWHERE}));
        }
        let units = stock + i64::try_from(PLACES)? * ELSEWHERE;
        let ware = Ware { id, sku, initial_stock: units, is_weighed };
        wares.push(Ware { initial_stock: units * ware.scale(), ..ware });
    }
    let found = json!({"reason": "found", "items": items});
    let found = client.create("/api/v1/stock/adjustments", &found.to_string()).await?;
    let customer = r#"{"name":"Compras","email":"compras@example.com","phone":"+525512345678"}"#;
    let customer = client.create("/api/v1/customers", customer).await?;
    let (api_key, key_prefix) = (tenant.api_key.clone(), format!("chaos-{seed}"));
    let set_up = BTreeSet::from([found]);
    Ok(Book { api_key, customer, wares, places, key_prefix, set_up, ..Book::default() })
}

fn summary(subject: &Subject<'_>, cycles: u32) -> String {
    let book = open(&subject.book);
    let things: usize = book.things.values().map(Vec::len).sum();
    let slowest = subject.ready_after.iter().max().copied().unwrap_or(Duration::ZERO);
    format!(
        "{}: {cycles} kills, {} keys, {things} things made, {} refused, {} answers lost, {} retries, \
         slowest restart {} ms\n\n{}",
        subject.database.name(),
        book.asks.len(),
        book.refused,
        book.answers_lost,
        subject.retries,
        slowest.as_millis(),
        book.verdict.report()
    )
}
