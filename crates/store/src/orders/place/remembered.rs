//! What a lane remembers of what its last batches have read and left, on PostgreSQL: a batch that asks for nothing else is
//! recorded without a look at the database before.
//!
//! Nobody else needs to know of it. The statement that records a batch compares all that the batch went by with what there
//! is: the versions of rows of the catalog and of customers, levels, counters, and one number for all else
//! (`FACTS` in `postgres::load`). What it does not compare is not remembered: kept answers (one that is there refuses
//! another), external identifiers, and prices of lists.

use std::collections::{BTreeSet, HashMap};

use ::orders::{CustomerId, ItemSku, Offer, WarehouseId};
use cfdi::tax::TaxRate;
use kernel::AccountId;

use super::loaded::{Buyer, Loaded, OrderCounts, Premise, Stocking, Wanted};
use crate::outbox::deliveries::Subscriber;

/// Offers, customers and accounts that are remembered at most, most of them less than a kilobyte.
const THINGS_MAX: usize = 10_000;
/// An account about which the memory was wrong again and again is looked up for so many batches before it is tried again.
const PAUSE_MAX: u32 = 64;

/// What is known of accounts.
#[derive(Default)]
pub(super) struct Remembered {
    accounts: HashMap<AccountId, Entry>,
    things: usize,
}

#[derive(Default)]
struct Entry {
    known: Option<Known>,
    /// For how many batches more it is looked up.
    pause: u32,
    /// For how many it will be when the memory is wrong once more.
    next_pause: u32,
}

/// What is known of an account, all of it at one moment.
struct Known {
    facts: i64,
    stocking: Stocking,
    warehouses: Vec<(i64, WarehouseId)>,
    issuer_taxes: Option<Vec<TaxRate>>,
    shipping_taxes: Option<Vec<TaxRate>>,
    subscribers: Vec<Subscriber>,
    is_telling: bool,
    counts: OrderCounts,
    offers: HashMap<ItemSku, (Offer, Premise)>,
    customers: HashMap<CustomerId, Buyer>,
}

impl Remembered {
    /// What a batch asks for, if all of it is known.
    pub(super) fn recall(&mut self, wanted: &Wanted) -> Option<Loaded> {
        if !is_usual(wanted) {
            return None;
        }
        let mut are_known = true;
        for account in &wanted.accounts {
            are_known &= self.accounts.get_mut(account).is_some_and(Entry::is_ready);
        }
        are_known.then(|| self.all_known(wanted)).flatten()
    }

    /// The same for a batch that has locked what changes most, and reads that: however often it was wrong about it.
    pub(super) fn all_known(&self, wanted: &Wanted) -> Option<Loaded> {
        if !is_usual(wanted) {
            return None;
        }
        let mut loaded = Loaded::default();
        for account in &wanted.accounts {
            self.known(*account)?.tell(*account, &mut loaded);
        }
        for (account, sold) in &wanted.items {
            let (offer, premise) = self.known(*account)?.offers.get(sold)?;
            loaded.offers.insert((*account, *sold), offer.clone());
            loaded.premises.insert((*account, *sold), premise.clone());
        }
        for (account, customer) in &wanted.customers {
            let buyer = self.known(*account)?.customers.get(customer)?;
            loaded.customers.insert((*account, *customer), buyer.clone());
        }
        Some(loaded)
    }

    /// Remembers what a batch has read and left.
    pub(super) fn keep(&mut self, mut left: Loaded) {
        if self.things.max(self.accounts.len()) >= THINGS_MAX {
            *self = Self::default();
        }
        for (account, facts) in std::mem::take(&mut left.facts) {
            let stocking = left.stocking(account);
            // The last release changes what an account has that waits for the end of an upgrade.
            if !stocking.commits || left.price_lists.contains_key(&account) {
                self.forget(account);
                continue;
            }
            if self.known(account).is_some_and(|known| known.facts != facts) {
                self.forget(account);
            }
            let entry = self.accounts.entry(account).or_default();
            if entry.known.is_none() {
                self.things += 1;
            }
            let (offers, customers) = match entry.known.take() {
                Some(known) => (known.offers, known.customers),
                None => (HashMap::new(), HashMap::new()),
            };
            entry.known = Some(Known {
                facts,
                stocking,
                warehouses: left.warehouses.remove(&account).unwrap_or_default(),
                issuer_taxes: left.issuer_taxes.remove(&account),
                shipping_taxes: left.shipping_taxes.remove(&account),
                subscribers: left.subscribers.remove(&account).unwrap_or_default(),
                is_telling: left.telling.remove(&account),
                counts: left.counts.get(&account).copied().unwrap_or_default(),
                offers,
                customers,
            });
        }
        for ((account, sold), offer) in left.offers {
            let premise = left.premises.remove(&(account, sold));
            let Some(known) = known_of(&mut self.accounts, account) else { continue };
            let before = match premise {
                Some(premise) => known.offers.insert(sold, (offer, premise)).is_some(),
                None => {
                    self.things -= usize::from(known.offers.remove(&sold).is_some());
                    true
                }
            };
            self.things += usize::from(!before);
        }
        for ((account, customer), buyer) in left.customers {
            let Some(known) = known_of(&mut self.accounts, account) else { continue };
            self.things += usize::from(known.customers.insert(customer, buyer).is_none());
        }
    }

    /// The memory was right about these accounts.
    pub(super) fn was_right(&mut self, accounts: &BTreeSet<AccountId>) {
        for account in accounts {
            if let Some(entry) = self.accounts.get_mut(account) {
                entry.next_pause = 0;
            }
        }
    }

    /// Compares what is known with what there is of what a batch asks for. Where it is wrong again and again, looking is quicker
    /// than being refused first.
    pub(super) fn compare(&mut self, wanted: &Wanted, there: &Loaded) {
        for account in &wanted.accounts {
            if self.known(*account).is_some_and(|known| !known.is_right(*account, wanted, there)) {
                self.forget(*account);
                self.pause(*account);
            }
        }
    }

    /// Orders of these accounts were refused, so they have to be looked up.
    pub(super) fn was_no_help(&mut self, accounts: &BTreeSet<AccountId>) {
        accounts.iter().for_each(|account| self.pause(*account));
    }

    fn pause(&mut self, account: AccountId) {
        if let Some(entry) = self.accounts.get_mut(&account) {
            entry.pause = entry.next_pause;
            entry.next_pause = (entry.next_pause * 2).clamp(1, PAUSE_MAX);
        }
    }

    fn known(&self, account: AccountId) -> Option<&Known> {
        self.accounts.get(&account)?.known.as_ref()
    }

    /// What is known of an account was changed by other commands.
    pub(super) fn forget(&mut self, account: AccountId) {
        let known = self.accounts.get_mut(&account).and_then(|entry| entry.known.take());
        self.things -= known.map_or(0, |known| 1 + known.offers.len() + known.customers.len());
    }
}

/// Whether a batch asks for nothing but what is remembered.
fn is_usual(Wanted { external_ids, naming, listing, .. }: &Wanted) -> bool {
    external_ids.is_empty() && naming.is_empty() && listing.is_empty()
}

impl Entry {
    /// Whether it is not looked up this time.
    fn is_ready(&mut self) -> bool {
        let is_ready = self.pause == 0 && self.known.is_some();
        self.pause = self.pause.saturating_sub(1);
        is_ready
    }
}

impl Known {
    /// Whether it is what there is, as far as a batch asks for it.
    fn is_right(&self, account: AccountId, wanted: &Wanted, there: &Loaded) -> bool {
        let counts = there.counts.get(&account).copied().unwrap_or_default();
        let is_own = |of: &AccountId| *of == account;
        let mut items = wanted.items.iter().filter(|(of, _)| is_own(of));
        let mut customers = wanted.customers.iter().filter(|(of, _)| is_own(of));
        there.facts.get(&account) == Some(&self.facts)
            && counts == self.counts
            && items.all(|name| {
                let known = self.offers.get(&name.1);
                known.map(|(offer, _)| offer) == there.offers.get(name)
                    && known.map(|(_, premise)| premise) == there.premises.get(name)
            })
            && customers.all(|name| self.customers.get(&name.1) == there.customers.get(name))
    }

    /// What is known of the account as a whole.
    fn tell(&self, account: AccountId, loaded: &mut Loaded) {
        loaded.facts.insert(account, self.facts);
        loaded.stocking.insert(account, self.stocking);
        loaded.warehouses.insert(account, self.warehouses.clone());
        loaded.subscribers.insert(account, self.subscribers.clone());
        loaded.telling.extend(self.is_telling.then_some(account));
        loaded.counts.insert(account, self.counts);
        let taxes = |taxes: &Option<Vec<TaxRate>>| taxes.clone().map(|taxes| (account, taxes));
        loaded.issuer_taxes.extend(taxes(&self.issuer_taxes));
        loaded.shipping_taxes.extend(taxes(&self.shipping_taxes));
    }
}

fn known_of(accounts: &mut HashMap<AccountId, Entry>, account: AccountId) -> Option<&mut Known> {
    accounts.get_mut(&account)?.known.as_mut()
}

#[cfg(test)]
mod tests {
    use ::orders::order::ItemProductId;
    use kernel::{Amount, Currency, Decimals, Quantity};

    use super::*;
    use crate::orders::{
        COUNTER, LAST_NUMBER,
        place::{plan::first_of, postgres::refresh},
    };

    const SHOP: AccountId = AccountId::from_u128(1);
    const ANA: CustomerId = CustomerId::from_u128(2);
    const CUP: ItemSku = sku(3);

    const fn sku(product: u128) -> ItemSku {
        ItemSku { product: ItemProductId::from_u128(product), variant: None }
    }

    fn offer(sold: ItemSku, available: Quantity) -> Offer {
        Offer {
            sold,
            name: "Taza".to_owned(),
            sku: "T".to_owned(),
            price: Amount::from_micros(1),
            listed: Vec::new(),
            currency: Currency::MXN,
            tax_included: true,
            taxes: Vec::new(),
            decimals: Decimals::Zero,
            available,
            elsewhere: 0,
            others: Vec::new(),
            unit_cost: None,
            threshold: 0,
            on_sale: true,
        }
    }

    fn loaded(facts: i64, offers: &[Offer]) -> Loaded {
        let mut loaded = Loaded::default();
        loaded.facts.insert(SHOP, facts);
        loaded.stocking.insert(SHOP, Stocking { commits: true, ..Stocking::default() });
        let buyer = Buyer { terms: "ana".to_owned(), group: None, row: "7".to_owned() };
        loaded.customers.insert((SHOP, ANA), buyer);
        for offer in offers {
            let premise = Premise { rows: "9".to_owned(), average: None };
            loaded.premises.insert((SHOP, offer.sold), premise);
            loaded.offers.insert((SHOP, offer.sold), offer.clone());
        }
        loaded
    }

    fn wanted(items: &[ItemSku]) -> Wanted {
        Wanted {
            accounts: BTreeSet::from([SHOP]),
            customers: BTreeSet::from([(SHOP, ANA)]),
            items: items.iter().map(|sold| (SHOP, *sold)).collect(),
            ..Wanted::default()
        }
    }

    #[test]
    fn what_was_left_is_recalled() {
        let mut remembered = Remembered::default();
        assert!(remembered.recall(&wanted(&[CUP])).is_none());
        remembered.keep(loaded(5, &[offer(CUP, 8)]));
        let known = remembered.recall(&wanted(&[CUP])).unwrap();
        assert_eq!((known.offers[&(SHOP, CUP)].available, known.facts[&SHOP]), (8, 5));
        assert_eq!(known.customers[&(SHOP, ANA)].row, "7");
        // Others are remembered beside it.
        assert!(remembered.recall(&wanted(&[CUP, sku(4)])).is_none());
        remembered.keep(loaded(5, &[offer(sku(4), 1)]));
        assert_eq!(remembered.recall(&wanted(&[CUP, sku(4)])).unwrap().offers.len(), 2);
        // An account, a customer, two offers.
        assert_eq!(remembered.things, 4);
    }

    #[test]
    fn what_the_record_does_not_compare_is_not_recalled() {
        let mut remembered = Remembered::default();
        let mut without_level = loaded(5, &[offer(CUP, 8), offer(sku(4), 0)]);
        without_level.premises.remove(&(SHOP, sku(4)));
        remembered.keep(without_level);
        assert!(remembered.recall(&wanted(&[sku(4)])).is_none(), "it has no level to compare");
        let more = |change: fn(&mut Wanted)| {
            let mut wanted = wanted(&[CUP]);
            change(&mut wanted);
            wanted
        };
        for other in [
            more(|wanted| wanted.external_ids = BTreeSet::from([(SHOP, "x".to_owned())])),
            more(|wanted| wanted.naming = BTreeSet::from([SHOP])),
            more(|wanted| wanted.listing = BTreeSet::from([SHOP])),
        ] {
            assert!(remembered.recall(&other).is_none());
        }
        assert!(remembered.recall(&wanted(&[CUP])).is_some());
        let mut with_lists = loaded(5, &[offer(CUP, 8)]);
        with_lists.price_lists.insert(SHOP, Vec::new());
        remembered.keep(with_lists);
        assert!(remembered.recall(&wanted(&[CUP])).is_none());
        assert_eq!(remembered.things, 0);
    }

    #[test]
    fn other_facts_end_what_went_with_them() {
        let mut remembered = Remembered::default();
        remembered.keep(loaded(5, &[offer(CUP, 8)]));
        remembered.keep(loaded(6, &[offer(sku(4), 8)]));
        assert!(remembered.recall(&wanted(&[CUP])).is_none(), "its threshold may be another");
        assert!(remembered.recall(&wanted(&[sku(4)])).is_some());
        assert_eq!(remembered.things, 3);
    }

    #[test]
    fn an_account_that_changes_all_the_time_is_looked_up() {
        let mut remembered = Remembered::default();
        let keep = |remembered: &mut Remembered| remembered.keep(loaded(5, &[offer(CUP, 8)]));
        keep(&mut remembered);
        let mut looked_up = Vec::new();
        for _ in 0..9 {
            let mut times = 0;
            while remembered.recall(&wanted(&[CUP])).is_none() {
                times += 1;
            }
            looked_up.push(times);
            remembered.compare(&wanted(&[CUP]), &loaded(5, &[offer(CUP, 7)]));
            keep(&mut remembered);
        }
        assert_eq!(looked_up, [0, 0, 1, 2, 4, 8, 16, 32, 64]);
        while remembered.recall(&wanted(&[CUP])).is_none() {}
        remembered.was_right(&BTreeSet::from([SHOP]));
        remembered.was_no_help(&BTreeSet::from([SHOP]));
        assert!(remembered.recall(&wanted(&[CUP])).is_some());
    }

    #[test]
    fn what_is_locked_is_told_anew() {
        let text = |text: &str| text.to_owned();
        let (first, other) = (first_of(SHOP), WarehouseId::from_u128(9));
        let level = |product: u128, warehouse: WarehouseId, quantity: i64| {
            let (shop, product) = (SHOP.to_string(), sku(product).product.to_string());
            (text("level"), shop, product, text(""), warehouse.to_string(), quantity, 2_i64)
        };
        let counter = |name: &str, value: i64| {
            (text("counter"), SHOP.to_string(), text(name), text(""), text(""), value, 0_i64)
        };
        let known = || {
            let others = vec![(other, 4)];
            loaded(5, &[Offer { others, ..offer(CUP, 8) }])
        };
        let mut now = known();
        let locked = [
            level(3, first, 6),
            level(3, other, 1),
            counter(COUNTER.0, 11),
            counter(LAST_NUMBER.0, 12),
        ];
        assert!(refresh(&mut now, &locked).unwrap());
        let cup = &now.offers[&(SHOP, CUP)];
        assert_eq!((cup.available, cup.elsewhere), (6, 2));
        assert_eq!(cup.others, [(other, 1)]);
        assert!(now.counts[&SHOP] == OrderCounts { orders: 11, last_number: 12 });
        // What a batch would have counted that was not committed, where nothing is counted yet.
        let mut lost = known();
        lost.counts.insert(SHOP, OrderCounts { orders: 1, last_number: 1 });
        assert!(refresh(&mut lost, &[level(3, first, 6), level(3, other, 1)]).unwrap());
        assert!(lost.counts[&SHOP] == OrderCounts::default());
        // One that is gone, one that is new, and one of something else.
        let new = WarehouseId::from_u128(10);
        for locked in [
            vec![level(3, first, 6)],
            vec![level(3, first, 6), level(3, other, 1), level(3, new, 1)],
            vec![level(3, first, 6), level(3, other, 1), level(4, first, 1)],
        ] {
            assert!(!refresh(&mut known(), &locked).unwrap());
        }
    }

    #[test]
    fn what_is_right_is_kept() {
        let mut remembered = Remembered::default();
        let known = || loaded(5, &[offer(CUP, 8)]);
        let mut others = [known(), known(), known(), loaded(6, &[offer(CUP, 8)]), loaded(5, &[])];
        others[0].counts.insert(SHOP, OrderCounts { orders: 1, last_number: 1 });
        if let Some(premise) = others[1].premises.get_mut(&(SHOP, CUP)) {
            premise.rows.push('1');
        }
        others[2].customers.clear();
        for other in &others {
            remembered.keep(known());
            remembered.compare(&wanted(&[CUP]), &known());
            assert!(remembered.known(SHOP).is_some());
            remembered.compare(&wanted(&[CUP]), other);
            assert!(remembered.known(SHOP).is_none());
        }
    }

    #[test]
    fn it_has_room_for_so_many_things() {
        let mut remembered = Remembered::default();
        for number in 0..2 * THINGS_MAX as u128 {
            remembered.keep(loaded(5, &[offer(sku(number), 8)]));
            assert!(remembered.things <= THINGS_MAX + 2);
        }
        assert!(remembered.recall(&wanted(&[sku(2 * THINGS_MAX as u128 - 1)])).is_some());
    }
}
