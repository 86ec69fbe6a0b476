//! Every page, by its declaration.

mod api_keys;
mod audit;
mod door;
mod invitation;
mod me;
mod refusals;
mod session;
mod team;
mod user_links;

use crate::{
    assets,
    page::{Method, Page},
};

/// Pages without an account.
pub(crate) fn outside() -> Vec<Page> {
    let assets = Page::open(Method::Get, "assets/{file}", assets::show);
    [vec![assets], door::pages(), user_links::pages(), invitation::pages(), me::pages()]
        .into_iter()
        .flatten()
        .collect()
}

/// Pages of an account, in the order of the navigation.
pub(crate) fn inside() -> Vec<Page> {
    [api_keys::pages(), team::pages(), audit::pages()].into_iter().flatten().collect()
}
