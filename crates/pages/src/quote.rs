//! A quote, for the customer who has its link: what is offered, and a form that accepts it or asks.

use askama::Template;
use kernel::{Day, Language};

use crate::{
    Fault, Money, drawn,
    moment::day,
    texts::{Texts, texts},
};

/// An item of a quote.
pub struct QuoteLine<'a> {
    /// What it is.
    pub name: &'a str,
    /// The seller's number of it, if it has one.
    pub sku: Option<&'a str>,
    /// What else is said of it.
    pub note: Option<&'a str>,
    /// How many.
    pub quantity: String,
    /// Unit price.
    pub unit_price: Money,
    /// What all of it costs, before the discounts.
    pub amount: Money,
    /// What its discount takes off.
    pub discount: Option<Money>,
    /// Whether taxes are added to the price.
    pub plus_taxes: bool,
}

/// Where a quote stands, for its customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuoteStage {
    /// It can be accepted by this form.
    Open {
        /// What tells the form that accepts it from others.
        form: String,
        /// The same of the form that turns it down.
        reject_form: String,
    },
    /// It was accepted.
    Accepted {
        /// The number of the order, once there is one.
        order_number: Option<String>,
        /// Where it can be paid.
        pay: Option<String>,
    },
    /// It was turned down.
    Rejected,
    /// Its last day is over.
    Expired,
}

/// What the page tells about what was just sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteNews {
    /// Nothing was sent, or the page says it anyway.
    None,
    /// A question has arrived.
    Asked,
    /// The offer is another than the one that was accepted: it was not.
    Changed,
}

/// What was entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuoteValues {
    /// Who accepts.
    pub accept_name: String,
    /// Why it is turned down.
    pub reason: String,
    /// Who asks.
    pub name: String,
    /// Their e-mail address.
    pub email: String,
    /// What they ask.
    pub question: String,
}

/// The page of a quote.
pub struct QuotePage<'a> {
    /// The language of the page.
    pub language: Language,
    /// Whether no order of it is real.
    pub sandbox: bool,
    /// Who offers.
    pub merchant: &'a str,
    /// To whom.
    pub customer: &'a str,
    /// Its number.
    pub number: &'a str,
    /// Its revision.
    pub revision: u32,
    /// What it is about.
    pub title: Option<&'a str>,
    /// What else is to be read.
    pub notes: Option<&'a str>,
    /// What is offered.
    pub lines: Vec<QuoteLine<'a>>,
    /// What the items cost without discounts.
    pub subtotal: Money,
    /// What all discounts take off.
    pub discount: Option<Money>,
    /// What the shipping is called and costs.
    pub shipping: Option<(&'a str, Money)>,
    /// What of the total is tax.
    pub tax: Money,
    /// The total.
    pub total: Money,
    /// The last day on which it can be accepted.
    pub valid_until: Day,
    /// Whose midnight ends that day, such as `hora del centro`.
    pub zone: &'a str,
    /// Where it stands.
    pub stage: QuoteStage,
    /// What has just happened.
    pub news: QuoteNews,
    /// What tells the form of a question from others.
    pub question_form: &'a str,
    /// Where its page lies.
    pub address: &'a str,
    /// What was entered.
    pub values: QuoteValues,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

#[derive(Template)]
#[template(path = "quote.html", whitespace = "minimize")]
struct Sheet<'a> {
    t: &'static Texts,
    sandbox: bool,
    page: &'a QuotePage<'a>,
    valid: String,
}

impl QuotePage<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let valid = day(self.valid_until, self.zone, self.language);
        drawn(&Sheet { t: texts(self.language), sandbox: self.sandbox, page: self, valid })
    }
}

impl Sheet<'_> {
    fn fault(&self, field: &str) -> Option<&Fault> {
        self.page.faults.iter().find(|fault| fault.field == field)
    }

    /// Whether something is wrong with the form that has this field.
    fn is_wrong(&self, field: &str) -> bool {
        let of = |name: &str| match name {
            "acceptName" | "reason" => name == field,
            _ => field == "question",
        };
        self.page.faults.iter().any(|fault| of(&fault.field))
    }

    fn label(&self, field: &str) -> &'static str {
        match field {
            "acceptName" | "name" => self.t.payer_name,
            "email" => self.t.payer_email,
            "reason" => self.t.quote_reason,
            "question" => self.t.quote_question,
            _ => "",
        }
    }
}
