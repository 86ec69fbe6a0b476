//! Pages for those who hold a link: what they see, in Spanish and English.
//!
//! They work without script, on a phone and in the dark, and take nothing from elsewhere but their own style sheet.
//! What is on them is given; who may see it, and what becomes of a form, is not decided here.

mod barcode;
mod invoice;
mod moment;
mod nothing;
mod pay;
mod quote;
mod tax_data;
mod texts;

use askama::Template;

pub use invoice::{InvoicePage, Money};
pub use nothing::{nothing, too_many, unavailable};
pub use pay::{AttemptPage, BankPage, Bill, PayMethod, PayNotice, PayPage, PayStage, PayValues};
pub use quote::{QuoteLine, QuoteNews, QuotePage, QuoteStage, QuoteValues};
pub use tax_data::{Choice, Fault, Outcome, TaxDataPage, Values};

/// How the pages look; their colours are those of the account panel.
pub const STYLE: &str =
    concat!(include_str!("../assets/tokens.css"), "\n", include_str!("../assets/pages.css"));

/// A template as HTML. Writing to memory does not fail.
fn drawn(template: &impl Template) -> String {
    template.render().unwrap_or_default()
}

#[cfg(test)]
mod tests;
