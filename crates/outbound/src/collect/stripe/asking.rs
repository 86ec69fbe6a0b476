//! What is sent to Stripe. The same call is the same bytes, whenever it is repeated.

use kernel::Timestamp;
use payments::{CallFault, Payment, Refund, gateway::Asked};
use reqwest::Url;

use super::{faults::rejected, metadata};
use crate::collect::money::to_minor;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// A page is open for 30 minutes to 24 hours from the moment that it is made, by a clock that may be behind ours, some time
/// after the payment was asked for.
const PAGE_SECONDS: (i64, i64) = (40 * MINUTE, DAY - 10 * MINUTE);
/// For how many days, counted by midnights, a slip of OXXO can be paid.
const SLIP_DAYS: (i64, i64) = (1, 7);
/// Seconds from Mexico City's clocks to UTC; they are not changed in summer any more.
const MEXICO_CITY: i64 = 6 * HOUR;

/// A body, or a query.
#[derive(Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// One that asks for what is read of an intent that stands under `prefix`.
    pub(super) fn with_details(prefix: &str) -> Self {
        let mut form = Self::default();
        form.add("expand[]", &format!("{prefix}latest_charge.balance_transaction"));
        form.add("expand[]", &format!("{prefix}latest_charge.refunds"));
        form
    }

    pub(super) fn add(&mut self, name: &str, value: &(impl ToString + ?Sized)) {
        self.0.push((name.to_owned(), value.to_string()));
    }

    /// Sets what may be there already.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.0.retain(|(known, _)| known != name);
        self.add(name, value);
    }

    fn add_some(&mut self, name: &str, value: Option<&String>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    pub(super) fn encoded(&self) -> String {
        // Any URL encodes as forms are.
        let Ok(mut url) = Url::parse("form:") else { return String::new() };
        url.query_pairs_mut().extend_pairs(&self.0);
        url.query().unwrap_or_default().to_owned()
    }
}

/// Whether the payer is sent to Stripe's page.
pub(super) fn is_hosted(payment: &Payment) -> bool {
    payment.method == payments::Method::Card && payment.return_url.is_some()
}

fn intent(asked: &Asked, method: &str) -> Form {
    let payment = &asked.payment;
    let mut form = Form::default();
    form.add("amount", &to_minor(payment.amount, payment.currency));
    form.add("currency", &payment.currency.code().to_lowercase());
    form.add("payment_method_types[]", method);
    form.add_some("description", payment.description.as_ref());
    metadata(&mut form, "", asked, asked.call);
    form
}

const fn capture_method(payment: &Payment) -> &'static str {
    if payment.is_captured_at_once { "automatic" } else { "manual" }
}

/// Whether the payer may choose a plan of installments, among those that are switched on at Stripe and suit the card.
fn installments(form: &mut Form, payment: &Payment) {
    if !payment.installments.is_empty() {
        form.add("payment_method_options[card][installments][enabled]", &true);
    }
}

/// A card that the payer types into a page of the merchant's.
pub(super) fn card(asked: &Asked) -> Form {
    let mut form = intent(asked, "card");
    form.add("capture_method", capture_method(&asked.payment));
    installments(&mut form, &asked.payment);
    form
}

/// Stripe's page, where the payer types the card.
pub(super) fn session(asked: &Asked) -> Form {
    let payment = &asked.payment;
    let back = payment.return_url.clone().unwrap_or_default();
    let mut form = Form::default();
    form.add("mode", "payment");
    form.add("payment_method_types[]", "card");
    form.add("success_url", &back);
    form.add("cancel_url", &back);
    form.add("expires_at", &seconds(page_end(payment)));
    form.add("client_reference_id", &payment.id);
    form.add_some("customer_email", payment.payer.email.as_ref());
    let named = payment.description.clone().unwrap_or_else(|| payment.id.to_string());
    form.add("line_items[0][quantity]", &1);
    form.add("line_items[0][price_data][currency]", &payment.currency.code().to_lowercase());
    let minor = to_minor(payment.amount, payment.currency);
    form.add("line_items[0][price_data][unit_amount]", &minor);
    form.add("line_items[0][price_data][product_data][name]", &named);
    form.add("payment_intent_data[capture_method]", capture_method(payment));
    installments(&mut form, payment);
    if let Some(description) = &payment.description {
        form.add("payment_intent_data[description]", description);
    }
    metadata(&mut form, "", asked, asked.call);
    metadata(&mut form, "payment_intent_data", asked, asked.call);
    form
}

fn page_end(payment: &Payment) -> Timestamp {
    let (least, most) = PAGE_SECONDS;
    let [least, most] = [least, most].map(|after| payment.created_at.plus_seconds(after));
    payment.expires_at.unwrap_or(most).clamp(least, most)
}

/// Cash at OXXO, with a slip.
pub(super) fn oxxo(asked: &Asked) -> Result<Form, CallFault> {
    let payer = &asked.payment.payer;
    let required = |field: &str, value: Option<&String>| {
        let missing = || rejected("payer_required", &format!("{field} is required for OXXO."));
        value.cloned().ok_or_else(missing)
    };
    let name = required("payer.name", payer.name.as_ref())?;
    let email = required("payer.email", payer.email.as_ref())?;
    let mut form = intent(asked, "oxxo");
    form.add("payment_method_data[type]", "oxxo");
    form.add("payment_method_data[billing_details][name]", &name);
    form.add("payment_method_data[billing_details][email]", &email);
    form.add("payment_method_options[oxxo][expires_after_days]", &slip_days(&asked.payment));
    form.add("confirm", &true);
    Ok(form)
}

/// Stripe counts midnights in Mexico City.
fn slip_days(payment: &Payment) -> i64 {
    let day = |at: Timestamp| (seconds(at) - MEXICO_CITY).div_euclid(DAY);
    let days = payment.expires_at.map_or(3, |end| day(end) - day(payment.created_at));
    days.clamp(SLIP_DAYS.0, SLIP_DAYS.1)
}

/// Who transfers.
pub(super) fn customer(asked: &Asked) -> Form {
    let mut form = Form::default();
    form.add_some("name", asked.payment.payer.name.as_ref());
    form.add_some("email", asked.payment.payer.email.as_ref());
    form.add_some("phone", asked.payment.payer.phone.as_ref());
    metadata(&mut form, "", asked, asked.call);
    form
}

/// A transfer to an account of the customer's own.
pub(super) fn spei(asked: &Asked, customer: &str) -> Form {
    let mut form = intent(asked, "customer_balance");
    let options = "payment_method_options[customer_balance]";
    form.add("customer", customer);
    form.add("payment_method_data[type]", "customer_balance");
    form.add(&format!("{options}[funding_type]"), "bank_transfer");
    form.add(&format!("{options}[bank_transfer][type]"), "mx_bank_transfer");
    form.add("confirm", &true);
    form
}

/// Money to be given back.
pub(super) fn refund(of: &Asked, refund: &Refund, intent: &str) -> Form {
    let mut form = Form::default();
    form.add("payment_intent", intent);
    form.add("amount", &to_minor(refund.amount, of.payment.currency));
    metadata(&mut form, "", of, of.call);
    form.add("metadata[refund]", &refund.id);
    form
}

/// A moment in seconds, as Stripe writes it.
pub(super) const fn seconds(at: Timestamp) -> i64 {
    at.micros().div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use kernel::{AccountId, Amount, Currency, Metadata};
    use payments::{CallId, Method, NewPayment, Payer, PaymentId, ProviderKind, open};

    use super::*;

    /// 24 November 2026, 15:00 in UTC: 9:00 in Mexico City.
    const NOW: Timestamp = Timestamp::from_micros(1_795_532_400_000_000);

    fn asked(method: Method, expires_at: Option<Timestamp>, return_url: Option<&str>) -> Asked {
        let new = NewPayment {
            link: None,
            invoice: None,
            order: None,
            amount: Some(Amount::parse("149.5").unwrap()),
            currency: Some(Currency::MXN),
            provider: None,
            method,
            installments: Vec::new(),
            is_captured_at_once: true,
            allows_overpayment: false,
            payer: Payer::default(),
            description: Some("Café & té".to_owned()),
            reference: None,
            return_url: return_url.map(str::to_owned),
            expires_at: None,
            sat_payment_form: None,
            exchange_rate: None,
            metadata: Metadata::default(),
        };
        let id = PaymentId::from_u128(1);
        let payment = open(&new, id, ProviderKind::Stripe, None, NOW).unwrap().payment;
        let payment = Payment { expires_at, ..payment };
        let (account, call) = (AccountId::from_u128(2), CallId::from_u128(3));
        // A repetition is later, and says the same.
        Asked { account, payment, call, tries: 2, now: NOW.plus_seconds(4_000) }
    }

    #[test]
    fn installments_are_switched_on_where_they_are_offered() {
        let named = "payment_method_options%5Bcard%5D%5Binstallments%5D%5Benabled%5D=true";
        for back in [None, Some("https://shop.example/back")] {
            let plain = asked(Method::Card, None, back);
            let payment = Payment { installments: vec![3, 6], ..plain.payment.clone() };
            let offered = Asked { payment, ..plain.clone() };
            let form = |asked| if back.is_some() { session(asked) } else { card(asked) };
            assert!(form(&offered).encoded().contains(named), "{back:?}");
            assert!(!form(&plain).encoded().contains("installments"), "{back:?}");
        }
    }

    #[test]
    fn a_form_is_encoded() {
        let form = card(&asked(Method::Card, None, None)).encoded();
        let begins = "amount=14950&currency=mxn&payment_method_types%5B%5D=card&description=Caf%C3%A9+%26+t%C3%A9";
        assert!(form.starts_with(begins), "{form}");
    }

    #[test]
    fn slips_are_counted_by_midnights_in_mexico_city() {
        for (hours, days) in [(1, 1), (14, 1), (15, 1), (24, 1), (39, 2), (72, 3), (30 * 24, 7)] {
            let end = NOW.plus_seconds(hours * HOUR);
            let asked = asked(Method::Oxxo, Some(end), None);
            assert_eq!(slip_days(&asked.payment), days, "{hours}");
        }
    }

    #[test]
    fn a_page_is_open_for_as_long_as_stripe_lets_it_be() {
        for (minutes, open) in [(None, 1_430), (Some(5), 40), (Some(60), 60), (Some(9_999), 1_430)]
        {
            let end = minutes.map(|minutes: i64| NOW.plus_seconds(minutes * MINUTE));
            let asked = asked(Method::Card, end, Some("https://shop.example/back"));
            assert!(is_hosted(&asked.payment));
            assert_eq!(page_end(&asked.payment), NOW.plus_seconds(open * MINUTE), "{minutes:?}");
        }
    }
}
