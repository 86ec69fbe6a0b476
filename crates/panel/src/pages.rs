//! Every page, by its declaration.

mod api_keys;
mod approvals;
mod audit;
mod credits;
mod customers;
mod deals;
mod door;
mod events;
mod general;
mod home;
mod invitation;
mod invoices;
mod invoicing;
mod jobs;
mod leads;
mod links;
mod mail;
mod me;
mod money;
mod orders;
mod payments;
mod products;
mod quotes;
mod refusals;
mod requests;
mod search;
mod session;
mod shop;
mod stock;
mod team;
mod user_links;
mod webhooks;

use crate::{
    assets,
    page::{Method, Page},
};

/// Pages without an account.
pub(crate) fn outside() -> Vec<Page> {
    let assets = Page::open(Method::Get, assets::PATH, assets::show);
    [vec![assets], door::pages(), user_links::pages(), invitation::pages(), me::pages()]
        .into_iter()
        .flatten()
        .collect()
}

/// Pages of an account, in the order of the navigation.
pub(crate) fn inside() -> Vec<Page> {
    [
        home::pages(),
        approvals::pages(),
        orders::pages(),
        customers::pages(),
        leads::pages(),
        deals::pages(),
        quotes::pages(),
        invoices::pages(),
        payments::pages(),
        links::pages(),
        products::pages(),
        stock::pages(),
        webhooks::pages(),
        events::pages(),
        requests::pages(),
        jobs::pages(),
        search::pages(),
        general::pages(),
        invoicing::pages(),
        api_keys::pages(),
        team::pages(),
        mail::pages(),
        credits::pages(),
        audit::pages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use accounts::{Access, Role};

    use super::*;
    use crate::page::Opens;

    #[test]
    fn every_page_is_declared_once_and_guarded() {
        let mut seen = BTreeSet::new();
        for page in outside().iter().chain(&inside()) {
            let described = page.described();
            assert!(seen.insert((described.is_post, page.path)), "{}", page.path);
            if let Some(right) = described.right {
                // Whoever may send a form may read; whoever only reads sends none.
                let only_reads = right.access == Access::Read;
                assert!(!(described.is_post && only_reads), "{}", page.path);
            }
        }
    }

    #[test]
    fn pages_are_found_by_their_paths_and_hide_none() {
        for (pages, is_inside) in [(outside(), false), (inside(), true)] {
            for page in &pages {
                assert_eq!(matches!(page.opens, Opens::Member(..)), is_inside, "{}", page.path);
                let asked: Vec<_> = page
                    .path
                    .split('/')
                    .map(|part| if part.starts_with('{') { "x" } else { part })
                    .collect();
                let found = crate::router::find(&pages, page.method, &asked.join("/"));
                let crate::router::Found::Page(found, _) = found else { panic!("{}", page.path) };
                assert_eq!(found.path, page.path);
            }
        }
    }

    #[test]
    fn what_the_navigation_lists_is_read_and_open_to_an_owner() {
        for page in inside().iter().filter(|page| page.nav.is_some()) {
            let Opens::Member(right, _) = page.opens else { panic!("{}", page.path) };
            assert!(page.method == Method::Get && !page.path.contains('{'), "{}", page.path);
            assert!(right.access == Access::Read && Role::Owner.allows(right), "{}", page.path);
        }
    }
}
