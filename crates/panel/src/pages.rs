//! Every page, by its declaration.

mod activities;
mod api_keys;
mod approvals;
mod audit;
mod bulk;
mod categories;
mod credits;
mod customer_groups;
mod customers;
mod deals;
mod deletion;
mod door;
mod events;
mod forms;
mod general;
mod given_links;
mod home;
mod invitation;
mod invoices;
mod invoicing;
mod jobs;
mod leads;
mod linked;
mod links;
mod lookup;
mod mail;
mod me;
mod money;
mod named;
mod orders;
mod payments;
mod price_lists;
mod products;
mod quotes;
mod reading;
mod refusals;
mod requests;
mod search;
mod session;
mod shop;
mod stock;
mod team;
mod user_links;
mod views;
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
        customer_groups::pages(),
        leads::pages(),
        deals::pages(),
        activities::pages(),
        quotes::pages(),
        invoices::pages(),
        payments::pages(),
        links::pages(),
        products::pages(),
        categories::pages(),
        price_lists::pages(),
        stock::pages(),
        webhooks::pages(),
        events::pages(),
        requests::pages(),
        jobs::pages(),
        bulk::pages(),
        search::pages(),
        views::pages(),
        general::pages(),
        invoicing::pages(),
        payments::settings(),
        stock::settings(),
        api_keys::pages(),
        team::pages(),
        mail::pages(),
        credits::pages(),
        audit::pages(),
        forms::pages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use accounts::{Access, Right, Role, Scope};

    use super::*;
    use crate::page::Opens;

    #[test]
    fn every_page_is_declared_once_and_guarded() {
        let mut seen = BTreeSet::new();
        for page in outside().iter().chain(&inside()) {
            let described = page.described();
            let is_inside = described.right.is_some();
            assert!(seen.insert((is_inside, described.is_post, page.path)), "{}", page.path);
            if let Some(right) = described.right {
                // Whoever only reads sends nothing, but a decision that they are asked for, which is judged by what it is about.
                let only_reads = right.access == Access::Read;
                let is_decision = page.path.starts_with("approvals/");
                // What one has not sent is one's own, and so are views.
                let first = page.path.split('/').next();
                let is_own = first.is_some_and(|first| ["forms", "views"].contains(&first));
                // Judged by what is done about each.
                let is_judged = is_decision || is_own || page.path.starts_with("bulk/");
                assert!(!(described.is_post && only_reads) || is_judged, "{}", page.path);
            }
        }
    }

    /// Written by hand, beside the declarations: what a role shall and shall not do.
    #[test]
    fn roles_do_what_they_are_for() {
        use Role::{Accountant, Admin, Owner, Sales, Viewer, Warehouse};
        let all: &[Role] = &[Owner, Admin, Sales, Accountant, Warehouse, Viewer];
        let cases: &[(&str, &[Role])] = &[
            ("settings/invoicing/certificates/new", &[Owner, Admin, Accountant]),
            ("settings/invoicing/provider", &[Owner, Admin, Accountant]),
            ("settings/invoicing/issuers/{id}", &[Owner, Admin, Accountant]),
            ("settings/invoicing/series", &[Owner, Admin, Accountant]),
            ("settings/payments/rules", &[Owner, Admin, Accountant]),
            ("settings/payments/providers/{provider}", &[Owner, Admin, Accountant]),
            ("settings/stock", &[Owner, Admin, Warehouse]),
            ("invoices/{id}/stamp", &[Owner, Admin, Sales, Accountant]),
            ("payments/{id}/refund", &[Owner, Admin, Sales, Accountant]),
            ("orders/{id}/ship", &[Owner, Admin, Sales, Warehouse]),
            ("orders/{id}/pay", &[Owner, Admin, Sales, Accountant]),
            ("counts/{id}/post", &[Owner, Admin, Warehouse]),
            ("settings/api-keys/new", &[Owner, Admin]),
            ("settings/team/invite", &[Owner, Admin]),
            // Judged by what each approval is about, and by who is named.
            ("approvals/{id}/approve", all),
        ];
        let pages = inside();
        for (path, may) in cases {
            let sent = |page: &&Page| page.method == Method::Post && page.path == *path;
            let page = pages.iter().find(sent).unwrap_or_else(|| panic!("{path}"));
            let Opens::Member(right, _) = page.opens else { panic!("{path}") };
            for role in all {
                assert_eq!(role.allows(right), may.contains(role), "{role:?} {path}");
            }
        }
    }

    #[test]
    fn what_is_sent_about_money_holds_no_card() {
        let money = Right::write(Scope::Payments);
        let pages = inside();
        let sent = pages.iter().filter(|page| page.method == Method::Post);
        let about =
            sent.filter(|page| matches!(page.opens, Opens::Member(right, _) if right == money));
        let loose: Vec<_> = about.filter(|page| !page.is_card_free).map(|page| page.path).collect();
        assert!(loose.is_empty(), "{loose:?}");
        let back = pages.iter().filter(|page| page.is_card_free);
        assert!(back.map(|page| page.path).any(|path| path == "orders/{id}/return"));
    }

    #[test]
    fn each_list_is_exported_by_who_reads_it() {
        let pages = inside();
        let lists: Vec<_> = pages.iter().filter(|page| page.is_list).collect();
        assert!(lists.len() > 20, "{}", lists.len());
        for list in lists {
            let path = format!("{}.csv", list.path);
            let table = pages.iter().find(|page| page.path == path);
            let table = table.unwrap_or_else(|| panic!("{path}"));
            assert!(table.method == Method::Get && !list.path.contains('{'), "{path}");
            assert_eq!(list.described().right, table.described().right, "{path}");
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
    fn each_page_of_the_navigation_has_a_key_of_its_own() {
        let pages = inside();
        let mut seen = std::collections::BTreeMap::new();
        for (page, nav) in pages.iter().filter_map(|page| Some((page, page.nav?))) {
            let is_key = nav.key.len() == 1
                && nav.key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
            // `g` begins anew.
            assert!(is_key && nav.key != "g", "{}: {:?}", page.path, nav.key);
            let other = seen.insert(nav.key, page.path);
            assert_eq!(other, None, "{} has the key of {other:?}", page.path);
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
