//! Whatever is done at once, in whatever order: nothing is oversold, nothing is lost, and low stock is told once a crossing.
//!
//! The audits of the service's database, which end every test, say the rest.

mod acting;

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use testkit::{DatabaseKind, Reply, on_both};

use super::{first, put, store, take_anywhere};
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};
use acting::{import_goods, step};

on_both!(everything_at_once_adds_up, the_last_pieces_of_five_places_are_sold_once);

const THREADS: usize = 8;

/// What each thread does; `STOCK_STEPS` says how much of it.
fn steps() -> usize {
    number("STOCK_STEPS").unwrap_or(40)
}

fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// What everything happens by: `STOCK_SEED`, or another one each time.
pub(super) fn seed() -> u64 {
    static SEEDS: AtomicU64 = AtomicU64::new(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let another = || now.as_nanos() as u64 ^ SEEDS.fetch_add(1, Ordering::Relaxed);
    let seed = number("STOCK_SEED").unwrap_or_else(another);
    eprintln!("seed {seed}: run again with STOCK_SEED={seed}");
    seed
}

/// Numbers that look random and are the same for the same seed.
pub(super) struct Dice(u64);

impl Dice {
    /// Those of a thread.
    pub(super) fn of(seed: u64, thread: usize) -> Self {
        Self(seed.wrapping_add(thread as u64 * 7_919))
    }

    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    pub(super) fn pick<'a>(&mut self, of: &'a [String]) -> &'a str {
        &of[usize::try_from(self.roll(of.len() as u64)).unwrap()]
    }
}

/// Four warehouses of a shop, and four products that lie in all of them; the last one is weighed.
fn stocked(shop: &Shop) -> (Vec<String>, Vec<String>) {
    let mut places = vec![first(shop)];
    places.extend((0..3).map(|number| store(shop, &format!("Tienda {number}"), number * 90)));
    let mut products: Vec<String> =
        (0..3).map(|number| shop.product(&format!("P-{number}"), 10.0, 20)).collect();
    let weighed = json!({"name": "P-3", "sku": "P-3", "price": 10, "inventory": 20, "unit": "kg",
        "quantityDecimals": 3});
    products.push(id(&shop.make("/products", &weighed)));
    for product in &products {
        places.iter().for_each(|place| put(shop, product, place, 10));
    }
    take_anywhere(shop);
    (places, products)
}

/// What one of the threads does: the last one imports, the others do all the rest.
fn acted(
    shop: &Shop,
    seed: u64,
    thread: usize,
    (places, products): (&[String], &[String]),
) -> Vec<Reply> {
    let mut dice = Dice::of(seed, thread);
    if thread == THREADS {
        return (0..steps().div_ceil(8)).map(|_| import_goods(shop, &mut dice, places)).collect();
    }
    let mut orders: Vec<String> = Vec::new();
    (0..steps()).map(|_| step(shop, &mut dice, (places, products), &mut orders)).collect()
}

fn everything_at_once_adds_up(kind: DatabaseKind) {
    let (seed, shop) = (seed(), Shop::open(kind));
    let (places, products) = stocked(&shop);
    let known = (&*places, &*products);
    let replies = at_once(THREADS + 1, |thread| acted(&shop, seed, thread, known));
    for reply in replies.iter().flatten() {
        let is_usual = matches!(reply.status, 200..=202 | 400 | 409);
        assert!(is_usual, "{} {}, seed {seed}", reply.status, reply.text);
    }
    assert_eq!(shop.app.database.violations(), [""; 0], "seed {seed}");
    let lows = shop.told("inventory.low");
    for product in &products {
        let told = lows.iter().filter(|low| low["productId"] == json!(product)).count();
        assert_eq!(told, crossings(&shop, product), "seed {seed}");
    }
}

/// How often the stock of a product fell below its threshold, all warehouses together, by the ledger.
fn crossings(shop: &Shop, product: &str) -> usize {
    let rows = shop.app.database.lines(&format!(
        "SELECT reference || ' ' || created_at || ' ' || delta AS line FROM stock_movements \
         WHERE product_id = '{product}' AND warehouse_id LIKE 'whs%' ORDER BY id"
    ));
    let rows: Vec<(&str, i64)> = rows
        .iter()
        .map(|row| row.rsplit_once(' ').unwrap())
        .map(|(command, delta)| (command, delta.parse().unwrap()))
        .collect();
    let shown = shop.client.get(&format!("/products/{product}")).expect(200);
    let scale: i64 = if shown["quantityDecimals"] == 3 { 1_000 } else { 1 };
    let (mut left, mut crossings) = (0, 0);
    // A command may move several levels.
    for command in rows.chunk_by(|one, other| one.0 == other.0) {
        let before = left;
        left += command.iter().map(|(_, delta)| delta).sum::<i64>();
        crossings += usize::from(before >= 5 * scale && left < 5 * scale);
    }
    assert_eq!(shown["inventory"].as_f64(), Some(left as f64 / scale as f64));
    crossings
}

/// On one node, and on a second one beside it where the database allows it.
fn the_last_pieces_of_five_places_are_sold_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 60);
    for number in 0..4 {
        let place = store(&shop, &format!("Tienda {number}"), number * 60);
        put(&shop, &mug, &place, 60);
    }
    take_anywhere(&shop);
    let second = (kind == DatabaseKind::Postgres).then(|| shop.app.again().start());
    let one = shop.client.clone();
    let other = second.as_ref().map_or_else(|| one.clone(), |app| one.at(app));
    let cart = shop.cart(&[(&mug, 1)]);
    let replies = at_once(64, |buyer| {
        let client = [&one, &other][buyer % 2];
        (0..5).map(|_| client.post("/orders", &cart)).collect::<Vec<_>>()
    });
    let sold = replies.iter().flatten().filter(|reply| reply.status == 201).count();
    for reply in replies.iter().flatten().filter(|reply| reply.status != 201) {
        let _ = reply.refused(409, "insufficient_stock");
    }
    assert_eq!((sold, shop.stock(&mug)), (300, 0));
    assert_eq!(shop.told("inventory.low").len(), 1, "told once");
}
