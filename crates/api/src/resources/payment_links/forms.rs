//! What the endpoints of payment links read.

use intake::{
    Check, Fields, Form,
    checks::{above_zero, currency, line, list, metadata, moment, one_of, paragraph, whole},
    noun,
};
use kernel::Timestamp;
use payments::{
    LinkStatus, Method, PaymentLinkId, ProviderKind,
    link::{
        LINK_METHODS, LinkChanges, LinkFilter, LinkQuery, NewLink, PAYMENTS_MAX, TITLE_CHARS_MAX,
    },
};

use super::examples;
use crate::{
    filters,
    page::page_request_of,
    resources::payments::{installments, invoice, order, url},
};

pub(super) const LIST: Form<LinkQuery> = Form::query(read_query);
pub(super) const CREATE: Form<NewLink> = Form::body(
    "CreatePaymentLink",
    noun("a payment link", "un enlace de pago"),
    read_link,
    examples::CREATE,
);
pub(super) const UPDATE: Form<LinkChanges> = Form::body(
    "UpdatePaymentLink",
    noun("a payment link", "un enlace de pago"),
    read_changes,
    examples::UPDATE,
);

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &[
    "id",
    "status",
    "url",
    "customerId",
    "paymentsOpen",
    "paymentsPaid",
    "createdAt",
    "updatedAt",
];
/// What is not changed after the link was made.
const FIXED: &[&str] = &[
    "amount",
    "amountMin",
    "amountMax",
    "currency",
    "orderId",
    "invoiceId",
    "provider",
    "allowedMethods",
    "installments",
];
const DESCRIPTION_CHARS_MAX: usize = 500;

/// The providers that collect.
const PROVIDERS: &[ProviderKind] = &[
    ProviderKind::Sandbox,
    ProviderKind::Stripe,
    ProviderKind::Conekta,
    ProviderKind::MercadoPago,
];

const TITLE: &str = "What is paid, as the payer reads it; the number of the order or invoice by default, required without `orderId` and `invoiceId`.";
const AMOUNT: &str = "Amount to ask for; not with `orderId` or `invoiceId`.";
const AMOUNT_MIN: &str = "Least amount that the payer may choose, with `amountMax`.";
const AMOUNT_MAX: &str = "Largest amount that the payer may choose, with `amountMin`.";
const CURRENCY: &str = "Currency; that of the order or invoice, or MXN by default.";
const ORDER: &str = "Order that is paid: the link asks for what is owed of it when somebody begins to pay, as a payment of the order does that \
                     states no amount.";
const INVOICE: &str = "Stamped invoice that is paid: the link asks for what is due of it when somebody begins to pay; not with `orderId`.";
const PROVIDER: &str =
    "Payment provider; the account's default one, or the `sandbox` in a test account without one.";
const METHODS: &str = "How it can be paid; by default all that the provider takes for the amount.";
const MAX: &str = "How often it can be paid, `null` without limit; 1 by default. For an order or invoice: how many can be paying at once.";
const EXPIRES: &str =
    "Until when it can be paid, from 5 minutes to 365 days from now; 7 days by default.";
const SUCCESS: &str = "Where the payer can go once they have paid.";

fn read_query(fields: &mut Fields<'_>) -> Option<LinkQuery> {
    let status = one_of(LinkStatus::EVERY, LinkStatus::name).about("Filter by status.");
    let status = fields.change("status", status);
    let filter = LinkFilter {
        status: status.map(|status| (status, Timestamp::from_micros(0))),
        order: fields.change("orderId", order().about("Filter by order.")),
        invoice: fields.change("invoiceId", invoice().about("Filter by invoice.")),
        created_from: fields
            .change("createdFrom", moment().about("Only links created at or after this time.")),
        created_to: fields
            .change("createdTo", moment().about("Only links created before this time.")),
    };
    let created = [("createdFrom", filter.created_from), ("createdTo", filter.created_to)];
    filters::refuse_backwards(fields, created);
    Some(LinkQuery { filter, page: page_request_of(fields, "-createdAt", PaymentLinkId::PREFIX) })
}

fn max_payments() -> impl Check<Value = i64> {
    whole(1..=i64::from(PAYMENTS_MAX))
}

fn number(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(PAYMENTS_MAX)
}

fn read_link(fields: &mut Fields<'_>) -> Option<NewLink> {
    let methods = list(1..=LINK_METHODS.len(), one_of(LINK_METHODS, Method::name)).about(METHODS);
    let new = NewLink {
        title: fields.optional("title", line(TITLE_CHARS_MAX).about(TITLE)),
        description: fields.optional("description", paragraph(DESCRIPTION_CHARS_MAX)),
        amount: fields.optional("amount", above_zero().about(AMOUNT)),
        amount_min: fields.optional("amountMin", above_zero().about(AMOUNT_MIN)),
        amount_max: fields.optional("amountMax", above_zero().about(AMOUNT_MAX)),
        currency: fields.optional("currency", currency().about(CURRENCY)),
        order: fields.optional("orderId", order().about(ORDER)),
        invoice: fields.optional("invoiceId", invoice().about(INVOICE)),
        provider: fields
            .optional("provider", one_of(PROVIDERS, ProviderKind::name).about(PROVIDER)),
        methods: fields.optional("allowedMethods", methods).unwrap_or_default(),
        installments: installments(fields),
        payments_max: fields
            .patch("maxPayments", max_payments().about(MAX))
            .map(|max| max.map(number)),
        expires_at: fields.optional("expiresAt", moment().about(EXPIRES)),
        success_url: fields.optional("successUrl", url().about(SUCCESS)),
        metadata: fields.optional("metadata", metadata()).unwrap_or_default(),
    };
    fields.read_only(READ_ONLY);
    Some(new)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<LinkChanges> {
    let changes = LinkChanges {
        title: fields
            .change("title", line(TITLE_CHARS_MAX).about("What is paid, as the payer reads it.")),
        description: fields.patch("description", paragraph(DESCRIPTION_CHARS_MAX)),
        payments_max: fields
            .patch("maxPayments", max_payments().about(MAX))
            .map(|max| max.map(number)),
        expires_at: fields.change("expiresAt", moment().about(EXPIRES)),
        success_url: fields.patch("successUrl", url().about(SUCCESS)),
        metadata: fields.change("metadata", metadata()),
    };
    fields.read_only(READ_ONLY);
    fields.read_only(FIXED);
    Some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        let new = CREATE.read_body(examples::CREATE.as_bytes()).unwrap();
        assert!(new.order.is_some() && new.payments_max.is_none());
        let endless = br#"{"title": "Donation", "amount": 5, "maxPayments": null}"#;
        assert_eq!(CREATE.read_body(endless).unwrap().payments_max, Some(None));
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::LINK.as_bytes()).is_ok());
    }

    #[test]
    fn every_fault_is_named() {
        let body = r#"{"title": "", "amount": 0, "allowedMethods": ["cash"], "maxPayments": 0, "provider": "manual",
            "successUrl": "ftp://x", "expiresAt": "tomorrow"}"#;
        let refused = CREATE.read_body(body.as_bytes()).unwrap_err().to_string();
        for field in [
            "title",
            "amount",
            "allowedMethods",
            "maxPayments",
            "provider",
            "successUrl",
            "expiresAt",
        ] {
            assert!(refused.contains(field), "{field}: {refused}");
        }
    }
}
