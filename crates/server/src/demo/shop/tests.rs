//! The demo is made once, and mends itself.

use std::sync::Arc;

use accounts::Accounts;

use kernel::PageRequest;

use super::*;

struct Bench {
    folder: tempfile::TempDir,
    store: Arc<Store>,
}

const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = fresh(&folder, "demo.db");
        Self { folder, store }
    }

    fn prepare(&self) -> Shop {
        self.prepare_as("service")
    }

    fn prepare_as(&self, brand: &str) -> Shop {
        prepare(&self.store, brand, &self.folder.path().join("demo.key"), NOW).unwrap()
    }

    fn products(&self, account: AccountId) -> Vec<Product> {
        let products: &dyn Products = self.store.as_ref();
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let query = ProductQuery { page, ..ProductQuery::default() };
        read(products.list(account, query)).unwrap().items
    }
}

fn fresh(folder: &tempfile::TempDir, name: &str) -> Arc<Store> {
    let url = format!("sqlite://{}", folder.path().join(name).display());
    let master_keys = vec![store::MasterKey::new([7; store::MASTER_KEY_BYTES])];
    let settings = store::Settings { url, master_keys, ..store::Settings::default() };
    store::migrate(&settings).unwrap();
    Store::open(&settings).unwrap()
}

#[test]
fn is_made_once() {
    let bench = Bench::new();
    let (first, second) = (bench.prepare(), bench.prepare());
    assert_eq!(first.key, second.key);
    assert_eq!((first.account, first.customer), (second.account, second.customer));
    assert_eq!(first.product, second.product);
    assert_eq!(bench.products(first.account).len(), products().unwrap().len());
    assert_eq!(
        read(bench.store.list_accounts()).unwrap().len(),
        2,
        "a live one and its test account"
    );
}

#[test]
fn has_something_of_everything() {
    let bench = Bench::new();
    let account = bench.prepare().account;
    let _ = bench.prepare();
    let page = || PageRequest { limit: 100, ..PageRequest::default() };
    let orders: &dyn orders::Orders = bench.store.as_ref();
    let query = orders::OrderQuery { page: page(), ..orders::OrderQuery::default() };
    let orders = read(orders.list(account, query)).unwrap().items;
    assert_eq!(orders.len(), 60);
    for status in orders::OrderStatus::EVERY {
        assert!(orders.iter().any(|order| order.status == *status), "{status:?}");
    }
    let customers: &dyn Customers = bench.store.as_ref();
    let query = CustomerQuery { page: page(), ..CustomerQuery::default() };
    assert_eq!(read(customers.list(account, query)).unwrap().items.len(), 12);
    let invoices: &dyn invoices::Invoices = bench.store.as_ref();
    let drafts = read(invoices.list(account, invoices::InvoiceQuery::default())).unwrap().items;
    assert!(drafts.len() >= 3, "{}", drafts.len());
    let inventory: &dyn inventory::Inventory = bench.store.as_ref();
    let places = read(inventory.warehouses(account)).unwrap();
    assert_eq!(places.len(), 2);
    let filter = inventory::StockFilter { warehouse: Some(places[0].id), ..Default::default() };
    let query = inventory::StockQuery { filter, ..Default::default() };
    assert_eq!(read(inventory.stock(account, query)).unwrap().items.len(), 4);
    let webhooks: &dyn webhooks::Webhooks = bench.store.as_ref();
    let query = webhooks::service::SubscriptionQuery::default();
    let webhooks = read(webhooks.list(account, query)).unwrap().items;
    assert!(webhooks.len() == 1 && webhooks[0].disabled.is_some());
}

#[test]
fn a_lost_or_broken_file_costs_a_new_key_only() {
    let bench = Bench::new();
    let first = bench.prepare();
    let file = bench.folder.path().join("demo.key");
    for spoil in [None, Some("key = 7")] {
        match spoil {
            None => std::fs::remove_file(&file).unwrap(),
            Some(text) => std::fs::write(&file, text).unwrap(),
        }
        let second = bench.prepare();
        assert_ne!(first.key, second.key);
        assert_eq!((first.account, first.product), (second.account, second.product));
    }
}

#[test]
fn a_key_that_no_longer_opens_is_replaced() {
    let mut bench = Bench::new();
    let first = bench.prepare();
    let id = read(bench.store.list_keys(first.account)).unwrap()[0].id;
    written(bench.store.revoke_key(id, NOW), GONE).unwrap();
    let second = bench.prepare();
    assert_ne!(first.key, second.key);
    assert!(bench.prepare_as("tienda").key.starts_with("tienda_test_"));

    bench.store = fresh(&bench.folder, "other.db");
    let third = bench.prepare();
    assert_ne!(third.key, second.key);
    assert_eq!(bench.products(third.account).len(), products().unwrap().len());
}

#[test]
fn an_account_that_merely_has_the_name_is_left_alone() {
    let bench = Bench::new();
    let own = bench.store.create_account(ACCOUNT_NAME.to_owned(), 5, NOW);
    let own = written(own, GONE).unwrap();
    assert_ne!(bench.prepare().account, own.id);
    assert!(bench.products(own.id).is_empty());
}

#[cfg(unix)]
#[test]
fn the_key_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    bench.prepare();
    let file = std::fs::metadata(bench.folder.path().join("demo.key")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}
