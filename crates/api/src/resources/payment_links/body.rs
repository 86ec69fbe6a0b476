//! How the API shows a payment link.

use std::fmt::Display;

use kernel::{Amount, Currency, Metadata, Timestamp};
use links::LinkKind;
use payments::{
    CustomerId, InvoiceId, LinkStatus, Method, OrderId, PaymentLink, PaymentLinkId, ProviderKind,
    link::Asks,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{path_of_link, shapes},
};

/// A link as a caller is shown it.
pub(super) struct Shown {
    pub(super) link: PaymentLink,
    /// Where the public reaches the service.
    pub(super) base: String,
    pub(super) now: Timestamp,
}

/// A link to a page where somebody pays.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentLink)]
pub(super) struct LinkBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "plk_01KG9C7H9K1M3P5R7T9V1X3Z5B")]
    id: PaymentLinkId,
    /// Status: `active` can be paid.
    #[schema(value_type = shapes::PaymentLinkStatus)]
    status: LinkStatus,
    /// Address of the page; whoever has it can pay.
    #[schema(example = "https://shop.example.com/pay/kJ3xQ0b9ZfVtW7mYcR2sLh5N")]
    url: String,
    /// What is paid, as the payer reads it.
    title: String,
    /// More about it, as the payer reads it.
    description: Option<String>,
    /// Amount that is asked for; `null` where it is what is due for the order or invoice, or the payer chooses.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
    /// Least amount that the payer may choose.
    #[schema(value_type = Option<shapes::Amount>)]
    amount_min: Option<Amount>,
    /// Largest amount that the payer may choose.
    #[schema(value_type = Option<shapes::Amount>)]
    amount_max: Option<Amount>,
    /// Currency of all amounts.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Order that is paid, or that the invoice bills.
    #[schema(value_type = Option<String>, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    order_id: Option<OrderId>,
    /// Invoice that is paid.
    #[schema(value_type = Option<String>, example = "inv_01KG8Z4T6V8X0Y2A4C6E8G0J2L")]
    invoice_id: Option<InvoiceId>,
    /// Customer of that order or invoice.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// Payment provider; `null` for the account's default one.
    #[schema(value_type = Option<shapes::PaymentProvider>)]
    provider: Option<ProviderKind>,
    /// How it can be paid.
    #[schema(value_type = Vec<shapes::PayingMethod>)]
    allowed_methods: Vec<Method>,
    /// Numbers of monthly installments without interest that whoever pays by card may choose from, as far as they suit the amount.
    #[schema(example = json!([3, 6]))]
    installments: Vec<u8>,
    /// How often it can be paid, `null` without limit; for an order or invoice how many can be paying at once.
    max_payments: Option<u32>,
    /// How many are paying now.
    payments_open: u32,
    /// How many have paid.
    payments_paid: u32,
    /// Where the payer can go once they have paid.
    success_url: Option<String>,
    /// Arbitrary key-value pairs of your own.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// Until when it can be paid.
    #[schema(value_type = shapes::Timestamp)]
    expires_at: Timestamp,
    /// When it was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

impl Resource for LinkBody {
    type Thing = Shown;

    const PATH: &'static str = "/payment-links";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        // Time changes what is shown, too.
        ETag::version_and(self.version, [i64::from(self.status == LinkStatus::Expired)].into_iter())
    }
}

impl From<Shown> for LinkBody {
    fn from(shown: Shown) -> Self {
        let Shown { link, base, now } = shown;
        let (amount, amount_min, amount_max) = match link.asks {
            Asks::Fixed(amount) => (Some(amount), None, None),
            Asks::Between { min, max } => (None, Some(min), Some(max)),
            Asks::Due => (None, None, None),
        };
        Self {
            status: link.status(now),
            url: base + &path_of_link(LinkKind::Payment, &link.token),
            id: link.id,
            title: link.title,
            description: link.description,
            amount,
            amount_min,
            amount_max,
            currency: link.currency,
            order_id: link.order,
            invoice_id: link.invoice,
            customer_id: link.customer,
            provider: link.provider,
            allowed_methods: link.methods,
            installments: link.installments,
            max_payments: link.payments_max,
            payments_open: link.taken,
            payments_paid: link.paid_count,
            success_url: link.success_url,
            metadata: link.metadata,
            expires_at: link.expires_at,
            created_at: link.created_at,
            updated_at: link.updated_at,
            version: link.version,
        }
    }
}
