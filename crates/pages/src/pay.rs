//! Paying by a link: the choice of a method, and what becomes of an attempt.

use askama::Template;
use kernel::Language;
use time::PrimitiveDateTime;

use crate::{
    Fault, Money,
    barcode::Barcode,
    drawn,
    moment::moment,
    texts::{Texts, texts},
};

/// A method that a payer can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayMethod {
    /// By card, on the provider's page.
    Card,
    /// By interbank transfer.
    Spei,
    /// In cash at an OXXO shop.
    Oxxo,
}

impl PayMethod {
    /// Its name in the form.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Spei => "spei",
            Self::Oxxo => "oxxo",
        }
    }
}

/// What is paid, to whom.
pub struct Bill<'a> {
    /// The language of the page.
    pub language: Language,
    /// Whether no money moves.
    pub sandbox: bool,
    /// Who is paid.
    pub merchant: &'a str,
    /// What is paid.
    pub title: &'a str,
    /// More about it.
    pub description: Option<&'a str>,
    /// The number of the order.
    pub order_number: Option<&'a str>,
    /// The invoice, and whom it is made out to.
    pub invoice: Option<(&'a str, &'a str)>,
    /// How much; `None` where the payer chooses.
    pub amount: Option<Money>,
}

/// The page where a payer chooses how to pay.
pub struct PayPage<'a> {
    /// What is paid.
    pub bill: Bill<'a>,
    /// The least and the most that the payer may choose.
    pub bounds: Option<(Money, Money)>,
    /// How it can be paid.
    pub methods: &'a [PayMethod],
    /// The most monthly installments without interest that a card can be paid in.
    pub installments: Option<u8>,
    /// Whether some of these need to know who pays.
    pub needs_payer: bool,
    /// Whether some need a telephone number.
    pub needs_phone: bool,
    /// Until when, local time in Mexico City.
    pub expires_at: PrimitiveDateTime,
    /// Where the form goes.
    pub action: &'a str,
    /// What tells this form from others.
    pub form: &'a str,
    /// What was entered.
    pub values: PayValues,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

/// What a payer enters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PayValues {
    /// How.
    pub method: String,
    /// How much, where they choose.
    pub amount: String,
    /// Who.
    pub name: String,
    /// Their e-mail address.
    pub email: String,
    /// Their telephone number.
    pub phone: String,
}

/// The fields of the form, from top to bottom.
const FIELDS: [&str; 5] = ["amount", "method", "name", "email", "phone"];

#[derive(Template)]
#[template(path = "pay.html", whitespace = "minimize")]
struct PaySheet<'a> {
    t: &'static Texts,
    sandbox: bool,
    page: &'a PayPage<'a>,
    /// In the order of the fields.
    faults: Vec<&'a Fault>,
    expires: String,
}

impl PayPage<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let (language, sandbox) = (self.bill.language, self.bill.sandbox);
        let expires = moment(self.expires_at, language);
        let mut faults: Vec<&Fault> = self.faults.iter().collect();
        faults.sort_by_key(|fault| FIELDS.iter().position(|field| *field == fault.field));
        drawn(&PaySheet { t: texts(language), sandbox, page: self, faults, expires })
    }

    fn is_chosen(&self, method: PayMethod) -> bool {
        match self.values.method.as_str() {
            "" => self.methods.first() == Some(&method),
            chosen => chosen == method.name(),
        }
    }
}

impl PaySheet<'_> {
    fn fault(&self, field: &str) -> Option<&Fault> {
        self.page.faults.iter().find(|fault| fault.field == field)
    }

    /// Where a field is, as far as it is on the page: of methods, the first.
    fn place(&self, field: &str) -> Option<String> {
        match field {
            "amount" => self.page.bounds.as_ref().map(|_| field.to_owned()),
            "method" => self.page.methods.first().map(|method| format!("method-{}", method.name())),
            "phone" => self.page.needs_phone.then(|| field.to_owned()),
            field => FIELDS.contains(&field).then(|| field.to_owned()),
        }
    }

    fn label(&self, field: &str) -> &'static str {
        match field {
            "amount" => self.t.pay_amount,
            "method" => self.t.the_method,
            "name" => self.t.payer_name,
            "email" => self.t.payer_email,
            "phone" => self.t.payer_phone,
            _ => "",
        }
    }

    fn method_name(&self, method: PayMethod) -> &'static str {
        match method {
            PayMethod::Card => self.t.by_card,
            PayMethod::Spei => self.t.by_spei,
            PayMethod::Oxxo => self.t.by_oxxo,
        }
    }

    /// The most installments that a method can be paid in.
    fn months(&self, method: PayMethod) -> Option<u8> {
        self.page.installments.filter(|_| method == PayMethod::Card)
    }

    fn method_hint(&self, method: PayMethod) -> &'static str {
        match method {
            PayMethod::Card => self.t.by_card_hint,
            PayMethod::Spei => self.t.by_spei_hint,
            PayMethod::Oxxo => self.t.by_oxxo_hint,
        }
    }
}

/// Where an attempt stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayStage {
    /// The payer goes on at this address.
    GoOn {
        /// Where.
        url: String,
        /// Why the last try was refused.
        problem: Option<String>,
    },
    /// The payer transfers.
    Transfer {
        /// The account.
        clabe: String,
        /// Its bank.
        bank: Option<String>,
        /// What to state.
        reference: Option<String>,
        /// What of it has arrived already.
        received: Option<Money>,
        /// What is still to be transferred.
        left: Money,
    },
    /// The payer goes to a shop.
    Counter {
        /// What to state.
        reference: String,
        /// What the barcode says.
        barcode: Option<String>,
        /// The provider's own slip.
        slip: Option<String>,
    },
    /// The provider has not answered yet.
    Asking,
    /// The provider works on it.
    Processing,
    /// Something has arrived that is not what was asked for.
    Unclear,
    /// It is paid.
    Paid {
        /// Where the payer can go.
        success_url: Option<String>,
        /// Whether it came after the time was over.
        is_late: bool,
        /// Whether it was less than was asked for.
        is_short: bool,
        /// Whether it was more than was due.
        is_excess: bool,
    },
    /// It was refused.
    Declined {
        /// Why, in the provider's words.
        problem: Option<String>,
    },
    /// It was called off.
    Canceled,
    /// Its time has passed.
    Expired,
}

/// The page of an attempt.
pub struct AttemptPage<'a> {
    /// What is paid.
    pub bill: Bill<'a>,
    /// Where it stands.
    pub stage: PayStage,
    /// Until when it can be paid, local time in Mexico City.
    pub expires_at: Option<PrimitiveDateTime>,
    /// Its own address.
    pub address: &'a str,
    /// The address of its link.
    pub link: &'a str,
    /// Whether the link can still be paid.
    pub can_choose_again: bool,
}

#[derive(Template)]
#[template(path = "attempt.html", whitespace = "minimize")]
struct AttemptSheet<'a> {
    t: &'static Texts,
    sandbox: bool,
    page: &'a AttemptPage<'a>,
    title: &'static str,
    expires: Option<String>,
    barcode: Option<Barcode>,
}

impl AttemptPage<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let language = self.bill.language;
        let t = texts(language);
        let title = match &self.stage {
            PayStage::GoOn { .. } => t.go_on_title,
            PayStage::Transfer { .. } => t.transfer_to_title,
            PayStage::Counter { .. } => t.counter_title,
            PayStage::Asking => t.asking_title,
            PayStage::Processing => t.processing_title,
            PayStage::Unclear => t.unclear_title,
            PayStage::Paid { .. } => t.paid_title,
            PayStage::Declined { .. } => t.declined_title,
            PayStage::Canceled => t.canceled_title,
            PayStage::Expired => t.attempt_expired_title,
        };
        let barcode = match &self.stage {
            PayStage::Counter { barcode, .. } => barcode.as_deref().and_then(Barcode::of),
            _ => None,
        };
        let expires = self.expires_at.map(|at| moment(at, language));
        let sandbox = self.bill.sandbox;
        drawn(&AttemptSheet { t, sandbox, page: self, title, expires, barcode })
    }

    /// Whether the payer may give it up for another method: also where the provider could not be reached yet.
    const fn can_give_up(&self) -> bool {
        self.is_waiting() || matches!(self.stage, PayStage::Asking)
    }

    /// Whether nothing came of it, so that the payer may begin anew.
    const fn may_try_again(&self) -> bool {
        let is_over = matches!(
            self.stage,
            PayStage::Declined { .. } | PayStage::Canceled | PayStage::Expired
        );
        is_over && self.can_choose_again
    }

    /// Whether the payer may pay once more by a link that takes several payments. Where the shop is to look at what came, it
    /// decides first.
    const fn may_pay_another(&self) -> bool {
        let is_in_order = matches!(
            self.stage,
            PayStage::Paid { is_late: false, is_short: false, is_excess: false, .. }
        );
        is_in_order && self.can_choose_again
    }

    /// Whether the payer has something to do.
    const fn is_waiting(&self) -> bool {
        matches!(
            self.stage,
            PayStage::GoOn { .. } | PayStage::Transfer { .. } | PayStage::Counter { .. }
        )
    }
}

impl AttemptSheet<'_> {
    /// Digits in groups of four, as they are read aloud. The style sheet sets them apart: a space between them would be
    /// copied, and apps of banks take no CLABE with spaces.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn fours(&self, digits: &str) -> Vec<String> {
        let chars: Vec<char> = digits.chars().collect();
        chars.chunks(4).map(|group| group.iter().collect()).collect()
    }
}

/// The bank's page of the embedded provider, where the payer decides what happens.
pub struct BankPage<'a> {
    /// What is paid.
    pub bill: Bill<'a>,
    /// The numbers of monthly installments that the payer may choose from.
    pub installments: &'a [u8],
    /// Where the form goes.
    pub action: &'a str,
    /// The page of the attempt.
    pub back: &'a str,
}

#[derive(Template)]
#[template(path = "bank.html", whitespace = "minimize")]
struct BankSheet<'a> {
    t: &'static Texts,
    sandbox: bool,
    page: &'a BankPage<'a>,
}

impl BankPage<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        drawn(&BankSheet { t: texts(self.bill.language), sandbox: true, page: self })
    }
}

/// Why nothing can be paid now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayNotice {
    /// It is paid already.
    Completed,
    /// The merchant has switched it off.
    Inactive,
    /// Its time has passed.
    Expired,
    /// Somebody is paying now.
    Busy,
    /// Too many have tried.
    TooMany,
    /// No method is offered now.
    NoMethod,
}

#[derive(Template)]
#[template(path = "pay_notice.html", whitespace = "minimize")]
struct NoticeSheet<'a> {
    t: &'static Texts,
    sandbox: bool,
    bill: &'a Bill<'a>,
    title: &'static str,
    text: &'static str,
    again: Option<&'a str>,
}

impl PayNotice {
    /// The page as HTML; `again` is where the payer can try again.
    #[must_use]
    pub fn html(self, bill: &Bill<'_>, again: &str) -> String {
        let t = texts(bill.language);
        let (title, text, may_try_again) = match self {
            Self::Completed => (t.completed_title, t.completed_text, false),
            Self::Inactive => (t.inactive_title, t.inactive_text, false),
            Self::Expired => (t.expired_title, t.expired_text, false),
            Self::Busy => (t.busy_title, t.busy_text, true),
            Self::TooMany => (t.too_many_title, t.too_many_text, true),
            Self::NoMethod => (t.no_method_title, t.no_method_text, true),
        };
        let again = may_try_again.then_some(again);
        drawn(&NoticeSheet { t, sandbox: bill.sandbox, bill, title, text, again })
    }
}
