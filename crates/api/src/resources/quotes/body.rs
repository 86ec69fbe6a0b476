//! How the API shows a quote.

use std::fmt::Display;

use kernel::{Amount, Currency, Day, Language, Measure, Metadata, Timestamp};
use links::LinkKind;
use orders::{
    Item, OrderId,
    order::{ItemProductId, ItemVariantId},
};
use quotes::{
    CustomerId, DealId, PaymentLinkId, Problem, Question, QuestionId, Quote, QuoteId, Status,
    zone_name,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{
        orders::{DiscountBody, OrderDiscountBody, ShippingBody},
        path_of_link, shapes,
        taxes::TaxBody,
    },
};

/// A quote as a caller is shown it.
pub(super) struct Shown {
    pub(super) quote: Quote,
    /// Where the public reaches the service.
    pub(super) base: String,
    pub(super) now: Timestamp,
    pub(super) language: Language,
}

/// A quote: one revision of what a customer is offered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Quote)]
pub(super) struct QuoteBody {
    /// Unique identifier of this revision.
    #[schema(value_type = String, example = "quo_01KGB5F7H9K1M3P5R7T9V1X3Z5")]
    id: QuoteId,
    /// Human-readable number, sequential within the account; the same for all revisions.
    #[schema(example = "COT-000123")]
    quote_number: String,
    /// Revision, starting at 1.
    revision: u32,
    /// Status.
    #[schema(value_type = shapes::QuoteStatus)]
    status: &'static str,
    /// Address of its page, where the customer accepts it or asks; the same for all revisions. It shows nothing before the
    /// quote is sent.
    #[schema(example = "https://shop.example.com/quotes/kJ3xQ0b9ZfVtW7mYcR2sLh5N")]
    url: String,
    /// Customer of the quote.
    #[schema(value_type = String, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: CustomerId,
    /// Deal that its acceptance wins.
    #[schema(value_type = Option<String>, example = "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7")]
    deal_id: Option<DealId>,
    /// What it is about, as the customer reads it.
    title: Option<String>,
    /// What else the customer reads: conditions, times of delivery.
    notes: Option<String>,
    /// Items, 1 to 500.
    items: Vec<QuoteItemBody>,
    /// What the items cost without discounts, with all taxes.
    #[schema(value_type = shapes::Amount)]
    subtotal: Amount,
    /// Discount on the whole quote.
    discount: Option<OrderDiscountBody>,
    /// What all discounts take off, those of the items included.
    #[schema(value_type = shapes::Amount)]
    discount_total: Amount,
    /// Shipping that the customer pays for.
    shipping: Option<ShippingBody>,
    /// What of the total is tax.
    #[schema(value_type = shapes::Amount)]
    tax_total: Amount,
    /// Total, rounded to the decimal places of its currency; the order's is the same.
    #[schema(value_type = shapes::Amount)]
    total_amount: Amount,
    /// Currency of all amounts, taken from the products.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Last day on which the customer can accept it.
    #[schema(value_type = shapes::Day)]
    valid_until: Day,
    /// Time zone in which that day ends: that of the tax address of the default issuer when it was drafted.
    #[schema(example = "America/Mexico_City")]
    time_zone: &'static str,
    /// When that is.
    #[schema(value_type = shapes::Timestamp)]
    expires_at: Timestamp,
    /// Whether its acceptance opens a payment link for the order.
    payment_link: bool,
    /// Order that it has become.
    #[schema(value_type = Option<String>, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    order_id: Option<OrderId>,
    /// Payment link for that order.
    #[schema(value_type = Option<String>, example = "plk_01KG9C7H9K1M3P5R7T9V1X3Z5B")]
    payment_link_id: Option<PaymentLinkId>,
    /// What has not come of its acceptance.
    problem: Option<ProblemBody>,
    /// Arbitrary key-value pairs of your own; the order's too.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When it was sent.
    #[schema(value_type = Option<shapes::Timestamp>)]
    sent_at: Option<Timestamp>,
    /// When it was accepted.
    #[schema(value_type = Option<shapes::Timestamp>)]
    accepted_at: Option<Timestamp>,
    /// Who accepted it.
    #[schema(value_type = Option<shapes::QuoteAcceptedBy>)]
    accepted_by: Option<&'static str>,
    /// Name that they gave.
    accepted_name: Option<String>,
    /// When it was rejected.
    #[schema(value_type = Option<shapes::Timestamp>)]
    rejected_at: Option<Timestamp>,
    /// Why.
    reject_reason: Option<String>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    language: Language,
    #[serde(skip)]
    version: i64,
}

/// An item of a quote, at its quoted price.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = QuoteItem)]
struct QuoteItemBody {
    /// Product quoted.
    #[schema(value_type = String, example = "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8")]
    product_id: ItemProductId,
    /// Variant quoted, if any.
    #[schema(value_type = Option<String>, example = "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9")]
    variant_id: Option<ItemVariantId>,
    /// Name of the product and variant when it was quoted.
    name: String,
    /// SKU when it was quoted.
    sku: String,
    /// Quantity.
    #[schema(value_type = shapes::Quantity)]
    quantity: Measure,
    /// Unit price.
    #[schema(value_type = shapes::Amount)]
    unit_price: Amount,
    /// Whether the unit price has the taxes inside; otherwise they are added to it.
    tax_included: bool,
    /// Taxes.
    taxes: Vec<TaxBody>,
    /// Discount on the item.
    discount: Option<DiscountBody>,
    /// What the discount and the item's share of the discount on the quote take off, stated as the unit price is.
    #[schema(value_type = shapes::Amount)]
    discount_amount: Amount,
    /// Free-text note.
    note: Option<String>,
    /// Unit price multiplied by quantity.
    #[schema(value_type = shapes::Amount)]
    line_total: Amount,
}

/// What has not come of an acceptance.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteProblem)]
struct ProblemBody {
    /// What: no order for want of stock or because something is not for sale any more, or no payment link.
    #[schema(value_type = shapes::QuoteProblemCode)]
    code: &'static str,
    /// Why, in the language that `Accept-Language` prefers.
    message: String,
}

/// A question that was asked on the page of a quote.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = QuoteQuestion)]
pub(super) struct QuestionBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "qst_01KGB6H8K0M2P4R6T8V0X2Z4B6")]
    id: QuestionId,
    /// Revision that it is about.
    #[schema(value_type = String, example = "quo_01KGB5F7H9K1M3P5R7T9V1X3Z5")]
    quote_id: QuoteId,
    /// Name that was given.
    name: Option<String>,
    /// Email address that was given.
    email: Option<String>,
    /// The question.
    question: String,
    /// When it was asked.
    #[schema(value_type = shapes::Timestamp)]
    asked_at: Timestamp,
}

impl Resource for QuoteBody {
    type Thing = Shown;

    const PATH: &'static str = "/crm/quotes";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        // Time changes what is shown, too.
        let is_expired = self.status == Status::Expired.name();
        let is_spanish = self.language == Language::Spanish;
        ETag::version_and(self.version, [is_expired, is_spanish].map(i64::from).into_iter())
    }

    fn weight(shown: &Shown) -> usize {
        1 + shown.quote.offered.items.len()
    }
}

impl From<Shown> for QuoteBody {
    fn from(shown: Shown) -> Self {
        let Shown { quote, base, now, language } = shown;
        let acceptance = quote.acceptance.clone();
        let problem = quote.problem.clone();
        let offered = quote.offered.clone();
        let (subtotal, discount_total) = (offered.subtotal(), offered.discount_total());
        Self {
            status: quote.status(now).name(),
            url: quote
                .token
                .as_ref()
                .map_or_else(String::new, |token| base + &path_of_link(LinkKind::Quote, token)),
            expires_at: quote.expires_at(),
            quote_number: quote.number_text(),
            id: quote.id,
            revision: quote.revision,
            customer_id: quote.customer,
            deal_id: quote.deal,
            title: quote.title,
            notes: quote.notes,
            items: offered.items.into_iter().map(QuoteItemBody::from).collect(),
            subtotal,
            discount: offered.discount.map(OrderDiscountBody::from),
            discount_total,
            shipping: offered.shipping.map(ShippingBody::from),
            tax_total: offered.tax_total,
            total_amount: offered.total,
            currency: offered.currency,
            valid_until: quote.valid_until,
            time_zone: zone_name(quote.zone),
            payment_link: quote.wants_link,
            order_id: quote.order,
            payment_link_id: quote.link,
            problem: problem.map(|problem| ProblemBody::new(problem, language)),
            metadata: quote.metadata,
            sent_at: quote.sent_at,
            accepted_at: acceptance.as_ref().map(|acceptance| acceptance.at),
            accepted_by: acceptance.as_ref().map(|acceptance| acceptance.via.name()),
            accepted_name: acceptance.and_then(|acceptance| acceptance.name),
            rejected_at: quote.rejected_at,
            reject_reason: quote.reject_reason,
            created_at: quote.created_at,
            updated_at: quote.updated_at,
            language,
            version: quote.version,
        }
    }
}

impl From<Item> for QuoteItemBody {
    fn from(item: Item) -> Self {
        Self {
            discount_amount: item.taken_off(),
            quantity: item.ordered(),
            line_total: item.line_total(),
            product_id: item.sold.product,
            variant_id: item.sold.variant,
            name: item.name,
            sku: item.sku,
            unit_price: item.unit_price,
            tax_included: item.tax_included,
            taxes: item.taxes.unwrap_or_default().into_iter().map(TaxBody::from).collect(),
            discount: item.discount.map(DiscountBody::from),
            note: item.note,
        }
    }
}

impl ProblemBody {
    fn new(problem: Problem, language: Language) -> Self {
        let message = match language {
            Language::English => problem.english,
            Language::Spanish => problem.spanish,
        };
        Self { code: problem.code.name(), message }
    }
}

impl Resource for QuestionBody {
    type Thing = Question;

    const PATH: &'static str = "/crm/quotes";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<Question> for QuestionBody {
    fn from(Question { id, quote, name, email, text, at }: Question) -> Self {
        Self { id, quote_id: quote, name, email, question: text, asked_at: at }
    }
}
