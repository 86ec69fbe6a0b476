//! The demo shop in the database: looked up, and made as far as it is missing.

use std::path::Path;

use accounts::{ApiKey, KeyDigest, PeopleError, Role, Scopes, UserOffice, service::CreateApiKey};
use anyhow::anyhow;
use catalog::{NewProduct, Product, ProductFilter, ProductId, ProductQuery, Products};
use crm::{Customer, CustomerFilter, CustomerId, CustomerQuery, Customers, NewCustomer};
use kernel::{
    AccountId, Amount, Ctx, Measure, Metadata, Mode, Page, PageRequest, Refused, Timestamp,
};
use links::Token;
use payments::{
    LinkQuery, LinkStatus, PaymentLinks,
    link::{self, LinkFilter, NewLink},
};
use store::Store;

use super::{
    assortment::{self, Aisles},
    catalog::{ORDERED_QUANTITY, products},
    key_file::{self, Kept},
    places, trade,
};
use crate::{
    answers::{read, waited, written},
    keys, people, test_accounts,
};

const ACCOUNT_NAME: &str = "Demo";
const CUSTOMER_NAME: &str = "Xóchilt Casas";
const CUSTOMER_EMAIL: &str = "xochilt@example.com";
const CUSTOMER_PHONE: &str = "+525512345678";
/// The tax authority's own example of a person.
const CUSTOMER_RFC: &str = "CACX7605101P8";
const CUSTOMER_LEGAL_NAME: &str = "XOCHILT CASAS CHAVEZ";
const CUSTOMER_TAX_REGIME: &str = "612";
const CUSTOMER_TAX_ZIP: &str = "36257";
const CUSTOMER_CFDI_USE: &str = "G03";
const KEY_NAME: &str = "Demo";
const USER_NAME: &str = "Demo";
pub(super) const USER_EMAIL: &str = "demo@example.com";
const LINK_TITLE: &str = "Canasta de café de Coatepec";
const LINK_DESCRIPTION: &str = "Dos kilos de café de altura con su prensa francesa";
const LINK_PESOS: i64 = 1_249;
pub(super) const GONE: &str = "the demo account no longer exists";

/// What the printed requests name.
pub(super) struct Shop {
    pub(super) key: String,
    pub(super) account: AccountId,
    pub(super) customer: CustomerId,
    pub(super) product: ProductId,
    /// What leads to a page where somebody pays.
    pub(super) pay: Token,
}

/// A link that signs somebody in as the owner of the demo, once.
pub(super) fn panel_link(
    store: &Store,
    account: AccountId,
    base: &str,
    now: Timestamp,
) -> anyhow::Result<String> {
    let ctx = Ctx::system(account, now);
    let user = match read(store.user_of(USER_EMAIL.to_owned()))? {
        None => {
            let user = people::without_password(USER_NAME.to_owned(), USER_EMAIL.to_owned())?;
            people::told(waited(store.add_user(ctx, user, Role::Owner))?, GONE)?
        }
        Some(user) => match waited(store.add_member(ctx, user.id, Role::Owner))? {
            Err(Refused::Rule(PeopleError::AlreadyMember)) => user,
            added => people::told(added, GONE)?,
        },
    };
    people::sign_in_link(store, user.id, base, now)
}

/// The parts of a store that the demo uses.
#[derive(Clone, Copy)]
struct Parts<'a> {
    store: &'a Store,
    accounts: &'a dyn accounts::Accounts,
    products: &'a dyn Products,
    customers: &'a dyn Customers,
    links: &'a dyn PaymentLinks,
    now: Timestamp,
}

/// Finds the demo shop or makes it; whatever an interrupted start left out is added.
pub(super) fn prepare(
    store: &Store,
    brand: &str,
    file: &Path,
    now: Timestamp,
) -> anyhow::Result<Shop> {
    let parts =
        Parts { store, accounts: store, products: store, customers: store, links: store, now };
    let kept = parts.live_key(brand, key_file::read(file))?;
    let account = match &kept {
        Some(kept) => kept.account,
        None => parts.account()?,
    };
    let customer = parts.customer(account)?;
    let shelves = parts.shelves(account)?;
    trade::prepare(store, account, customer, &shelves, now)?;
    places::prepare(store, account, &shelves, now)?;
    assortment::prepare_prices(store, account, &shelves, now)?;
    let product = parts.stocked_product(account)?;
    let kept_key = kept.map(|kept| kept.key);
    let known = kept_key.is_some();
    let key = kept_key.map_or_else(|| parts.new_key(brand, account), Ok)?;
    let pay = parts.payment_link(account)?;
    let shop = Shop { key, account, customer, product, pay };
    if !known {
        key_file::write(file, &shop)?;
    }
    Ok(shop)
}

impl Parts<'_> {
    fn ctx(&self, account: AccountId) -> Ctx {
        Ctx::system(account, self.now)
    }

    /// The kept key, if it still opens the kept account of this very database.
    fn live_key(&self, brand: &str, kept: Option<Kept>) -> anyhow::Result<Option<Kept>> {
        let Some(kept) = kept else { return Ok(None) };
        let Some(digest) = KeyDigest::of_key(brand, &kept.key) else { return Ok(None) };
        let found = read(self.accounts.find_key(digest))?;
        let opens = |key: ApiKey| key.account == kept.account && key.is_live(self.now);
        if !found.is_some_and(opens) {
            return Ok(None);
        }
        let account = read(self.accounts.account(kept.account))?;
        // The demo of release 0.1.0 was a live account.
        let is_test = account.is_some_and(|account| account.mode() == Mode::Test);
        if is_test {
            test_accounts::open(self.store, kept.account, self.now)?;
        }
        Ok(is_test.then_some(kept))
    }

    /// The demo's account: a test account. One that merely has its name, without its customer, is somebody's own.
    fn account(&self) -> anyhow::Result<AccountId> {
        let accounts = read(self.accounts.list_accounts())?;
        let named = accounts.into_iter().filter(|account| account.name == ACCOUNT_NAME);
        for account in named.filter(|account| account.mode() == Mode::Test) {
            if self.find_customer(account.id)?.is_some() {
                return Ok(test_accounts::open(self.store, account.id, self.now)?.id);
            }
        }
        let threshold = accounts::account::LOW_STOCK_THRESHOLD_DEFAULT;
        let made = self.accounts.create_account(ACCOUNT_NAME.to_owned(), threshold, self.now);
        let live = written(made, GONE)?.id;
        Ok(test_accounts::open(self.store, live, self.now)?.id)
    }

    fn find_customer(&self, account: AccountId) -> anyhow::Result<Option<Customer>> {
        let filter =
            CustomerFilter { email: Some(CUSTOMER_EMAIL.to_owned()), ..CustomerFilter::default() };
        let query = CustomerQuery { filter, ..CustomerQuery::default() };
        let Page { items, .. } = read(self.customers.list(account, query))?;
        Ok(items.into_iter().next())
    }

    fn customer(&self, account: AccountId) -> anyhow::Result<CustomerId> {
        if let Some(customer) = self.find_customer(account)? {
            return Ok(customer.id);
        }
        let text = |text: &str| Some(text.to_owned());
        let command = NewCustomer {
            external_id: None,
            name: CUSTOMER_NAME.to_owned(),
            email: Some(CUSTOMER_EMAIL.to_owned()),
            phone: Some(CUSTOMER_PHONE.to_owned()),
            rfc: text(CUSTOMER_RFC),
            legal_name: text(CUSTOMER_LEGAL_NAME),
            tax_regime: text(CUSTOMER_TAX_REGIME),
            tax_zip: text(CUSTOMER_TAX_ZIP),
            cfdi_use: text(CUSTOMER_CFDI_USE),
            tax_residence: None,
            foreign_tax_id: None,
            group: None,
            addresses: Vec::new(),
            metadata: Metadata::default(),
        };
        Ok(written(self.customers.create(self.ctx(account), command), GONE)?.id)
    }

    /// A product of the demo of which enough is left; the first when all are sold out.
    fn stocked_product(&self, account: AccountId) -> anyhow::Result<ProductId> {
        let shelves = self.shelves(account)?;
        let stocked =
            shelves.iter().find(|product| product.inventory >= Measure::whole(ORDERED_QUANTITY));
        let product =
            stocked.or(shelves.first()).ok_or_else(|| anyhow!("the demo has no products"))?;
        Ok(product.id)
    }

    /// The products of the demo, of which those are made that are missing.
    fn shelves(&self, account: AccountId) -> anyhow::Result<Vec<Product>> {
        let aisles = Aisles::prepare(self.store, account, self.now)?;
        let sorted = products()?.into_iter().map(|product| aisles.sorted(product));
        sorted.map(|product| self.product(account, product)).collect()
    }

    fn product(&self, account: AccountId, command: NewProduct) -> anyhow::Result<Product> {
        let filter = ProductFilter { sku: command.sku.clone(), ..ProductFilter::default() };
        let query = ProductQuery { filter, ..ProductQuery::default() };
        let Page { items, .. } = read(self.products.list(account, query))?;
        match items.into_iter().next() {
            Some(product) => Ok(product),
            None => written(self.products.create(self.ctx(account), command), GONE),
        }
    }

    /// A link that can be paid as often as somebody likes to try it.
    fn payment_link(&self, account: AccountId) -> anyhow::Result<Token> {
        let status = Some((LinkStatus::Active, self.now));
        let filter = LinkFilter { status, ..LinkFilter::default() };
        let query = LinkQuery { filter, page: PageRequest::default() };
        let Page { items, .. } = read(self.links.list(account, query))?;
        if let Some(link) = items.into_iter().find(|link| link.title == LINK_TITLE) {
            return Ok(link.token);
        }
        let new = NewLink {
            title: Some(LINK_TITLE.to_owned()),
            description: Some(LINK_DESCRIPTION.to_owned()),
            amount: Some(Amount::from_micros(LINK_PESOS * 1_000_000)),
            payments_max: Some(None),
            expires_at: Some(self.now.plus_seconds(link::SECONDS_MAX)),
            ..NewLink::default()
        };
        Ok(written(self.links.create(self.ctx(account), new), GONE)?.token)
    }

    fn new_key(&self, brand: &str, account: AccountId) -> anyhow::Result<String> {
        let key = keys::new_key(brand, Mode::Test)?;
        let command = CreateApiKey {
            account,
            name: KEY_NAME.to_owned(),
            digest: key.digest,
            last4: key.last4().to_owned(),
            scopes: Scopes::all(),
            may_approve: true,
            rate_per_hour: None,
            expires_at: None,
        };
        written(self.accounts.create_key(command, self.now), GONE)?;
        Ok(key.text)
    }
}

#[cfg(test)]
mod tests;
