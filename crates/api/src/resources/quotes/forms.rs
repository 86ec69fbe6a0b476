//! What the endpoints of quotes read.

use intake::{
    Check, Fields, Form,
    checks::{flag, id, line, metadata, moment, objects, one_of, paragraph, text, whole},
    noun,
};
use kernel::{PageRequest, Timestamp, message};
use orders::{OrderId, PlaceItem, order::ITEMS_MAX};
use quotes::{
    CustomerId, DealId, NAME_CHARS_MAX, NOTES_CHARS_MAX, NewQuote, QuestionId, QuoteChanges,
    QuoteFilter, QuoteId, QuoteQuery, REASON_CHARS_MAX, Status, TITLE_CHARS_MAX, number_in,
};

use super::examples;
use crate::{
    filters,
    page::page_request_of,
    resources::{
        deals::day,
        orders::{order_discount, read_item, shipping},
    },
};

pub(super) const LIST: Form<QuoteQuery> = Form::query(read_query);
pub(super) const QUESTIONS: Form<PageRequest> = Form::query(read_page);
pub(super) const CREATE: Form<NewQuote> =
    Form::body("CreateQuote", noun("a quote", "una cotización"), read_quote, examples::CREATE);
pub(super) const UPDATE: Form<QuoteChanges> =
    Form::body("UpdateQuote", noun("a quote", "una cotización"), read_changes, examples::UPDATE);
pub(super) const ACCEPT: Form<SaidYes> = Form::body(
    "AcceptQuote",
    noun("an acceptance", "una aceptación"),
    read_acceptance,
    examples::ACCEPT,
)
.or_absent();
pub(super) const REJECT: Form<Option<String>> =
    Form::body("RejectQuote", noun("a rejection", "un rechazo"), read_rejection, examples::REJECT)
        .or_absent();

/// That a customer has said yes.
pub(super) struct SaidYes {
    pub(super) revision: Option<u32>,
    pub(super) name: Option<String>,
}

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &[
    "id",
    "quoteNumber",
    "revision",
    "status",
    "url",
    "subtotal",
    "discountTotal",
    "taxTotal",
    "totalAmount",
    "currency",
    "timeZone",
    "expiresAt",
    "orderId",
    "paymentLinkId",
    "problem",
    "sentAt",
    "acceptedAt",
    "acceptedBy",
    "acceptedName",
    "rejectedAt",
    "rejectReason",
    "createdAt",
    "updatedAt",
];

const VALID: &str = "Last day on which the customer can accept it, from today to 365 days from now; 15 days from now by \
                     default. It ends at midnight of `timeZone`.";
const LINK: &str = "Whether its acceptance opens a payment link for the order; refused where no payment provider collects the \
                    amount by links.";
const ITEMS: &str = "Items; each has the product's price of this moment unless it states another.";

fn read_query(fields: &mut Fields<'_>) -> Option<QuoteQuery> {
    let number = text(|text| {
        number_in(text).ok_or_else(|| {
            message!(
                "must be the number of a quote such as COT-000123",
                "debe ser el número de una cotización, como COT-000123"
            )
        })
    });
    let filter = QuoteFilter {
        ids: filters::ids(
            fields,
            noun("a quote", "una cotización"),
            QuoteId::PREFIX,
            QuoteId::parse,
        ),
        number: fields.change(
            "quoteNumber",
            number
                .pattern("^([Cc][Oo][Tt]-)?[0-9]+$")
                .example("COT-000123")
                .about("All revisions of the quote of this number."),
        ),
        status: fields
            .change("status", one_of(Status::EVERY, Status::name).about("Filter by status."))
            // The moment of the call is set by its handler.
            .map(|status| (status, Timestamp::from_micros(0))),
        customer: fields.change("customerId", customer().about("Filter by customer.")),
        deal: fields.change("dealId", deal().about("Filter by deal.")),
        order: fields.change(
            "orderId",
            id(noun("an order", "un pedido"), OrderId::PREFIX, OrderId::parse)
                .about("Filter by order."),
        ),
        created_from: fields
            .change("createdFrom", moment().about("Only quotes made at or after this time.")),
        created_to: fields
            .change("createdTo", moment().about("Only quotes made before this time.")),
    };
    let created = [("createdFrom", filter.created_from), ("createdTo", filter.created_to)];
    filters::refuse_backwards(fields, created);
    Some(QuoteQuery { filter, page: page_request_of(fields, "-createdAt", QuoteId::PREFIX) })
}

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, "-createdAt", QuestionId::PREFIX))
}

fn customer() -> impl Check<Value = CustomerId> {
    id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse)
}

fn deal() -> impl Check<Value = DealId> {
    id(noun("a deal", "una oportunidad"), DealId::PREFIX, DealId::parse)
}

fn items() -> impl Check<Value = Vec<PlaceItem>> {
    objects(noun("an item", "una partida"), 1..=ITEMS_MAX, read_item).about(ITEMS)
}

fn read_quote(fields: &mut Fields<'_>) -> Option<NewQuote> {
    let customer = fields.optional(
        "customerId",
        customer().about("Customer of the quote; that of the deal by default."),
    );
    let deal = fields.optional("dealId", deal().about("Deal that its acceptance wins."));
    let items = fields.required("items", items());
    let quote = NewQuote {
        customer,
        deal,
        title: fields.optional("title", line(TITLE_CHARS_MAX)),
        notes: fields.optional("notes", paragraph(NOTES_CHARS_MAX)),
        items: items.unwrap_or_default(),
        discount: fields.optional("discount", order_discount()),
        shipping: fields.optional("shipping", shipping()),
        valid_until: fields.optional("validUntil", day().about(VALID)),
        wants_link: fields.optional("paymentLink", flag().about(LINK)).unwrap_or_default(),
        metadata: fields.optional("metadata", metadata()).unwrap_or_default(),
    };
    fields.read_only(READ_ONLY);
    Some(quote)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<QuoteChanges> {
    let changes = QuoteChanges {
        customer: fields.change("customerId", customer()),
        deal: fields.patch("dealId", deal()),
        title: fields.patch("title", line(TITLE_CHARS_MAX)),
        notes: fields.patch("notes", paragraph(NOTES_CHARS_MAX)),
        items: fields.change("items", items()),
        discount: fields.patch("discount", order_discount()),
        shipping: fields.patch("shipping", shipping()),
        valid_until: fields.change("validUntil", day().about(VALID)),
        wants_link: fields.change("paymentLink", flag().about(LINK)),
        metadata: fields.change("metadata", metadata()),
    };
    fields.read_only(READ_ONLY);
    Some(changes)
}

fn read_acceptance(fields: &mut Fields<'_>) -> Option<SaidYes> {
    let about = "Revision that the customer has seen; 409 where it is another than this.";
    let revision = fields.optional("revision", whole(1..=i64::from(u32::MAX)).about(about));
    let revision = revision.and_then(|revision| u32::try_from(revision).ok());
    let name = fields.optional("name", line(NAME_CHARS_MAX).about("Who has accepted."));
    Some(SaidYes { revision, name })
}

fn read_rejection(fields: &mut Fields<'_>) -> Option<Option<String>> {
    Some(fields.optional("reason", line(REASON_CHARS_MAX).about("Why.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert_eq!(CREATE.read_body(examples::CREATE.as_bytes()).unwrap().items.len(), 1);
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::QUOTE.as_bytes()).is_ok());
        assert_eq!(ACCEPT.read_body(examples::ACCEPT.as_bytes()).unwrap().revision, Some(1));
        assert!(ACCEPT.read_body(b"").unwrap().revision.is_none());
        assert!(REJECT.read_body(examples::REJECT.as_bytes()).unwrap().is_some());
    }
}
