//! The account panel: what a merchant's people see and do in a browser.
//!
//! Pages are rendered on the server and are complete without script. A `page::Page` is one declaration that
//! mounts a page, says who may open it and whether the navigation shows it; `serve::serve` is the one way that
//! every request takes: limits, session, account, right, origin, form token, handler. There is no rule and no SQL
//! here: forms become commands of the domain crates, which answer with [`kernel::Pending`].
//!
//! Nothing that a template is given is markup but `markup::Markup`, which only templates make.

mod agent;
mod answer;
mod around;
mod assets;
mod call;
mod cookies;
mod csrf;
mod csv;
mod failure;
mod form;
mod format;
mod layout;
mod limits;
mod list;
mod markup;
mod mount;
mod multipart;
mod origin;
mod page;
mod pages;
mod panel;
mod parking;
mod parts;
mod qr;
mod repeats;
mod reply;
mod router;
mod serve;
mod sort;
mod texts;
mod timing;

pub use mount::configure;
pub use page::Described;
pub use panel::{Panel, Services, Settings};

/// The path that all pages lie below.
pub const PANEL_PATH: &str = "/panel";

/// Every page, as far as it is known without being opened.
#[must_use]
pub fn described() -> Vec<Described> {
    pages::outside().iter().chain(&pages::inside()).map(page::Page::described).collect()
}
