//! Commands share commits without harming each other.

use std::{sync::Arc, time::Duration};

use accounts::Accounts;
use catalog::{NewProduct, Product, ProductError, Products};
use crm::{Customer, Customers, NewCustomer};
use diesel::{Connection, PgConnection, SqliteConnection};
use engine::db::{Db, begin, begin_then, commit, rollback};
use kernel::{
    AccountId, Amount, Ctx, Currency, Fault, Idempotency, Metadata, Pending, Refused, Timestamp,
    Written,
};
use orders::{Order, Orders, PlaceError, PlaceItem, PlaceOrder};
use store::{
    Store,
    cleanup::{SLICE_ROWS, Walk},
};
use testkit::{Database, DatabaseKind, on_both};

on_both!(
    in_spanish:
    neighbours_of_a_refused_order_are_placed,
    twins_of_a_key_are_one_order,
    stock_is_never_oversold,
    batches_of_every_size_are_recorded_whole,
    a_taken_sku_harms_no_neighbour,
    an_expired_key_is_free_again,
    clean_up_removes_a_slice_a_command,
    accounts_do_not_see_each_other,
    a_beginning_that_fails_leaves_no_transaction,
);

pub(crate) struct Shop {
    pub(crate) store: Arc<Store>,
    pub(crate) account: AccountId,
    pub(crate) customer: Customer,
    pub(crate) database: Database,
}

impl Shop {
    pub(crate) fn open(kind: DatabaseKind) -> Self {
        let database = Database::fresh(kind);
        let store = Store::open(&database.settings()).unwrap();
        let account = store
            .create_account("Shop".to_owned(), 5, Timestamp::from_micros(0))
            .wait()
            .unwrap()
            .unwrap()
            .value
            .id;
        let customer = Customers::create(&*store, ctx(account, None), somebody("Ana"))
            .wait()
            .unwrap()
            .unwrap()
            .value;
        Self { store, account, customer, database }
    }

    pub(crate) fn product(&self, sku: &str, inventory: i64) -> Product {
        Products::create(&*self.store, ctx(self.account, None), something(sku, inventory))
            .wait()
            .unwrap()
            .unwrap()
            .value
    }

    /// A product that is being made.
    pub(crate) fn products_pending(&self, number: u32) -> Pending<Written<Product, ProductError>> {
        let sku = format!("SKU-{number}");
        Products::create(&*self.store, ctx(self.account, None), something(&sku, 1))
    }

    fn order(
        &self,
        product: &Product,
        quantity: i64,
        key: Option<&str>,
    ) -> Pending<Written<Order, PlaceError>> {
        self.store.place(ctx(self.account, key), self.wanting(product, quantity))
    }

    fn wanting(&self, product: &Product, quantity: i64) -> PlaceOrder {
        let product = orders::order::ItemProductId::from_u128(product.id.to_u128());
        let customer = orders::CustomerId::from_u128(self.customer.id.to_u128());
        let wanted = orders::ItemSku { product, variant: None };
        PlaceOrder::new(customer, vec![PlaceItem::new(wanted, kernel::Measure::whole(quantity))])
    }

    fn stock(&self, product: &Product) -> i64 {
        Products::get(&*self.store, self.account, product.id)
            .wait()
            .unwrap()
            .unwrap()
            .unwrap()
            .inventory
            .quantity(kernel::Decimals::Zero)
    }
}

pub(crate) fn ctx(account: AccountId, key: Option<&str>) -> Ctx {
    let named = |key: &str| Idempotency {
        operation: "POST /orders".to_owned(),
        key: key.to_owned(),
        digest: "d".to_owned(),
    };
    let now = Timestamp::from_micros(1_000_000);
    Ctx { idempotency: key.map(named), ..Ctx::system(account, now) }
}

pub(crate) fn somebody(name: &str) -> NewCustomer {
    NewCustomer {
        external_id: None,
        name: name.to_owned(),
        email: None,
        phone: None,
        rfc: None,
        legal_name: None,
        tax_regime: None,
        tax_zip: None,
        cfdi_use: None,
        tax_residence: None,
        foreign_tax_id: None,
        group: None,
        addresses: Vec::new(),
        metadata: Metadata::default(),
    }
}

fn something(sku: &str, inventory: i64) -> NewProduct {
    NewProduct {
        external_id: None,
        name: format!("Product {sku}"),
        sku: Some(sku.to_owned()),
        description: None,
        ean: None,
        price: Amount::from_micros(10_500_000),
        currency: Currency::MXN,
        quantity_decimals: kernel::Decimals::Zero,
        inventory: kernel::Measure::whole(inventory),
        status: catalog::ProductStatus::Active,
        low_stock_threshold: None,
        tax_included: true,
        taxes: Vec::new(),
        sat_product_key: None,
        sat_unit_key: None,
        details: catalog::ProductDetails::default(),
        category_ids: Vec::new(),
        metadata: Metadata::default(),
        variants: Vec::new(),
    }
}

/// As far as the server was built with it.
#[test]
fn long_texts_are_compressed_by_what_takes_least() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let description = Some("A cup of clay. ".repeat(1_000));
    let long = NewProduct { description, ..something("LONG", 1) };
    Products::create(&*shop.store, ctx(shop.account, None), long).wait().unwrap().unwrap();
    let wanted = "SELECT CASE WHEN 'lz4' = ANY (enumvals) THEN 'lz4' ELSE 'pglz' END AS line \
        FROM pg_settings WHERE name = 'default_toast_compression'";
    let used = "SELECT pg_column_compression(description) AS line FROM products WHERE sku = 'LONG'";
    assert_eq!(shop.database.lines(used), shop.database.lines(wanted));
}

/// Nothing is done for whoever has been held up as long as a statement may take.
#[test]
fn who_is_held_up_for_too_long_is_told_so() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let product = shop.product("A", 10);
    let second = Duration::from_secs(1);
    let settings = store::Settings {
        statement_timeout: second,
        lock_timeout: second,
        ..shop.database.settings()
    };
    let impatient = Store::open(&settings).unwrap();
    let order = || {
        let wanted = shop.wanting(&product, 1);
        impatient.place(ctx(shop.account, Some("k")), wanted).wait().unwrap()
    };
    let held = shop.database.hold("SELECT 1 FROM stock_levels FOR UPDATE");
    let told = order();
    assert!(matches!(told, Err(Refused::Fault(Fault::Unavailable(_)))), "{told:?}");
    drop(held);
    assert!(!order().unwrap().replayed);
    assert_eq!(shop.stock(&product), 9);
}

fn neighbours_of_a_refused_order_are_placed(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (plenty, scarce) = (shop.product("PLENTY", 1_000), shop.product("SCARCE", 1));
    let pending: Vec<_> =
        (0..60).map(|i| shop.order(if i % 3 == 0 { &scarce } else { &plenty }, 2, None)).collect();
    let placed = pending.into_iter().filter_map(|answer| answer.wait().unwrap().ok()).count();
    assert_eq!((placed, shop.stock(&plenty), shop.stock(&scarce)), (40, 1_000 - 80, 1));
}

fn twins_of_a_key_are_one_order(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let product = shop.product("P", 100);
    let pending: Vec<_> = (0..64).map(|_| shop.order(&product, 1, Some("once"))).collect();
    let answers: Vec<_> =
        pending.into_iter().map(|answer| answer.wait().unwrap().unwrap()).collect();
    assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1);
    assert!(answers.iter().all(|answer| answer.value == answers[0].value));
    assert_eq!(shop.stock(&product), 99);

    let other = Ctx {
        idempotency: ctx(shop.account, Some("once"))
            .idempotency
            .map(|key| Idempotency { digest: "other".to_owned(), ..key }),
        ..ctx(shop.account, None)
    };
    let reused = shop.store.place(other, shop.wanting(&product, 1)).wait().unwrap();
    assert_eq!(reused.unwrap_err(), Refused::KeyReused);
}

fn stock_is_never_oversold(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let product = shop.product("P", 50);
    let sold: usize = std::thread::scope(|scope| {
        let buyers: Vec<_> = (0..20)
            .map(|_| {
                scope.spawn(|| {
                    (0..10)
                        .filter(|_| shop.order(&product, 1, None).wait().unwrap().is_ok())
                        .count()
                })
            })
            .collect();
        buyers.into_iter().map(|buyer| buyer.join().unwrap()).sum()
    });
    assert_eq!((sold, shop.stock(&product)), (50, 0));
}

/// On PostgreSQL statements of small batches have room for so many rows, and what a batch does not have is left out.
fn batches_of_every_size_are_recorded_whole(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let products: Vec<_> =
        (0..6).map(|number| shop.product(&format!("P{number}"), 10_000)).collect();
    let (mut sold, mut last) = ([0; 6], 0);
    for (count, lines) in (1..=10).flat_map(|count| [1, 2, 3, 5, 6].map(|lines| (count, lines))) {
        let mut wanted = shop.wanting(&products[0], 1);
        for product in &products[1..lines] {
            wanted.items.extend(shop.wanting(product, 2).items);
        }
        let key = |number| format!("{count} {lines} {number}");
        let pending: Vec<_> = (0..count)
            .map(|number| {
                let key = (number % 3 != 0).then(|| key(number));
                shop.store.place(ctx(shop.account, key.as_deref()), wanted.clone())
            })
            .collect();
        let placed = pending.into_iter().map(|answer| answer.wait().unwrap().unwrap().value);
        let placed: Vec<Order> = placed.collect();
        for order in &placed {
            last += 1;
            assert_eq!(order.number, last, "{count} of {lines}");
            let stored = Orders::get(&*shop.store, shop.account, order.id).wait().unwrap();
            assert_eq!(stored.unwrap().as_ref(), Some(order), "{count} of {lines}");
        }
        if let Some(second) = placed.get(1) {
            let again = shop.store.place(ctx(shop.account, Some(&key(1))), wanted.clone());
            let again = again.wait().unwrap().unwrap();
            assert_eq!((again.replayed, &again.value), (true, second));
        }
        sold[0] += count;
        sold[1..lines].iter_mut().for_each(|sold| *sold += 2 * count);
    }
    let left = products.iter().map(|product| shop.stock(product));
    assert!(left.eq(sold.map(|sold| 10_000 - sold)));
}

fn a_taken_sku_harms_no_neighbour(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let pending: Vec<_> = (0..30)
        .map(|i| {
            Products::create(
                &*shop.store,
                ctx(shop.account, None),
                something(if i % 2 == 0 { "SAME" } else { ["A", "B"][i % 4 / 2] }, 1),
            )
        })
        .collect();
    let answers: Vec<_> = pending.into_iter().map(|answer| answer.wait().unwrap()).collect();
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
    let refused = answers.into_iter().filter_map(Result::err);
    assert!(
        refused
            .into_iter()
            .all(|refused| matches!(refused, Refused::Rule(ProductError::DuplicateSku { .. })))
    );
}

fn an_expired_key_is_free_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let product = shop.product("P", 10);
    let first = shop.order(&product, 1, Some("k")).wait().unwrap().unwrap();
    let later = |seconds: i64| Ctx {
        now: Timestamp::from_micros(1_000_000).plus_seconds(seconds),
        ..ctx(shop.account, Some("k"))
    };
    let day = 24 * 60 * 60;
    let within = shop.store.place(later(day), shop.wanting(&product, 1)).wait().unwrap().unwrap();
    assert_eq!((within.replayed, within.value.id), (true, first.value.id));
    let after =
        shop.store.place(later(day + 1), shop.wanting(&product, 1)).wait().unwrap().unwrap();
    assert_ne!((after.replayed, after.value.id), (true, first.value.id));
    let later = Timestamp::from_micros(1_000_000).plus_seconds(3 * day);
    assert_eq!(testkit::clean_up(&shop.store, later), 1);
}

fn clean_up_removes_a_slice_a_command(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let product = shop.product("P", 1_000);
    let count = 2 * SLICE_ROWS + 20;
    let keys: Vec<String> = (0..count).map(|number| format!("k{number}")).collect();
    let placed: Vec<_> = keys.iter().map(|key| shop.order(&product, 1, Some(key))).collect();
    assert!(placed.into_iter().all(|pending| pending.wait().unwrap().is_ok()));
    let later = Timestamp::from_micros(1_000_000).plus_seconds(3 * 24 * 60 * 60);
    let step = shop.store.find_expired(Walk::default(), later).wait().unwrap().unwrap();
    assert_eq!(step.expired.len(), 1);
    let (mut left, mut slices) = (step.expired, Vec::new());
    while !left.is_empty() {
        let slice = shop.store.clean_up(left, later).wait().unwrap().unwrap().value;
        slices.push(slice.removed);
        left = slice.left;
    }
    assert_eq!(slices, [SLICE_ROWS.unsigned_abs(), SLICE_ROWS.unsigned_abs(), 20]);
}

fn accounts_do_not_see_each_other(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let product = shop.product("P", 10);
    let other = shop
        .store
        .create_account("Other".to_owned(), 5, Timestamp::from_micros(0))
        .wait()
        .unwrap()
        .unwrap()
        .value
        .id;
    assert_eq!(Products::get(&*shop.store, other, product.id).wait().unwrap().unwrap(), None);
    let foreign = shop.store.place(ctx(other, None), shop.wanting(&product, 1)).wait().unwrap();
    assert!(matches!(foreign, Err(Refused::Invalid(_))));
}

/// A lane goes on with its connection, on which nothing may be left of it.
fn a_beginning_that_fails_leaves_no_transaction(kind: DatabaseKind) {
    let database = Database::fresh(kind);
    let mut db = match kind {
        DatabaseKind::Sqlite => {
            let path = database.url.strip_prefix("sqlite://").unwrap();
            Db::Sqlite(SqliteConnection::establish(path).unwrap())
        }
        DatabaseKind::Postgres => Db::Postgres(PgConnection::establish(&database.url).unwrap()),
    };
    for first in ["SELECT * FROM nowhere", "ROLLBACK; SELECT * FROM nowhere"] {
        assert!(begin_then(&mut db, first).is_err());
        begin_then(&mut db, "SAVEPOINT command").unwrap();
        rollback(&mut db).unwrap();
        begin(&mut db).unwrap();
        commit(&mut db).unwrap();
    }
}
