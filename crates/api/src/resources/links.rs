//! Links that an account gives out: to a page where a customer fills in their tax data, and to an invoice.

use accounts::Scope;
use actix_web::http::{
    StatusCode,
    header::{ETAG, LOCATION},
};
use crm::CustomerId;
use intake::{Fields, Form, checks::whole, noun};
use invoices::InvoiceId;
use kernel::{Done, Timestamp};
use links::{DAYS_MAX, Link, LinkKind, Target, Token};
use serde::Serialize;
use utoipa::ToSchema;

use super::shapes;
use crate::{
    answer::{Answer, DeletedBody},
    call::Call,
    endpoint::{Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{found, written},
};

const TAX_LINK: &str = "/customers/{id}/tax-link";
const INVOICE_LINK: &str = "/invoices/{id}/link";
const CUSTOMER: Segment<CustomerId> = id(CustomerId::PREFIX, CustomerId::parse);
const INVOICE: Segment<InvoiceId> = id(InvoiceId::PREFIX, InvoiceId::parse);

/// How many days a link lasts that is not told.
const TAX_DAYS: u32 = 30;
const INVOICE_DAYS: u32 = 365;

const CREATE_TAX: Form<u32> = Form::body(
    "CreateTaxLink",
    noun("a link", "un enlace"),
    |fields| {
        Some(
            read_days(fields, "Days after which the link expires; defaults to 30.")
                .unwrap_or(TAX_DAYS),
        )
    },
    r#"{"expiresInDays": 30}"#,
)
.or_absent();
const CREATE_INVOICE: Form<u32> = Form::body(
    "CreateInvoiceLink",
    noun("a link", "un enlace"),
    |fields| {
        Some(
            read_days(fields, "Days after which the link expires; defaults to 365.")
                .unwrap_or(INVOICE_DAYS),
        )
    },
    r#"{"expiresInDays": 365}"#,
)
.or_absent();

const TAX_EXAMPLE: &str = r#"{
    "url": "https://shop.example.com/tax-data/kJ3xQ0b9ZfVtW7mYcR2sLh5N",
    "createdAt": "2026-01-31T18:00:00.000Z",
    "expiresAt": "2026-03-02T18:00:00.000Z"
}"#;
const INVOICE_EXAMPLE: &str = r#"{
    "url": "https://shop.example.com/invoice/kJ3xQ0b9ZfVtW7mYcR2sLh5N",
    "createdAt": "2026-01-31T18:00:00.000Z",
    "expiresAt": "2027-01-31T18:00:00.000Z"
}"#;
const TAX_CLOSED: &str = r#"{"id": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C", "deleted": true}"#;
const INVOICE_CLOSED: &str = r#"{"id": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T", "deleted": true}"#;

/// A link that works without a key.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Link)]
struct LinkBody {
    /// Address of the page; whoever has it can use it.
    url: String,
    /// When it was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it expires.
    #[schema(value_type = shapes::Timestamp)]
    expires_at: Timestamp,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    of_customers().into_iter().chain(of_invoices()).collect()
}

fn of_customers() -> [Endpoint; 3] {
    [
        Endpoint::get(TAX_LINK, Scope::Customers, taking(CUSTOMER, |call, id| show(call, of_customer(id))))
            .of_only_one()
            .summary("Get the tax data link of a customer")
            .answers::<LinkBody>(200, "The link.", TAX_EXAMPLE),
        Endpoint::post(
            TAX_LINK,
            Scope::Customers,
            taking((CUSTOMER, json(CREATE_TAX)), |call, (id, days)| open(call, of_customer(id), days)),
        )
        .summary("Create a tax data link for a customer")
        .describes(
            "A page, in Spanish or English, where the customer fills in RFC, name, postal code, tax \
             regime and CFDI use. What SAT would refuse is not saved, what is probably a mistake has to \
             be confirmed; `taxStatus` of the customer tells what has come of it. A new link replaces the one before.",
        )
        .answers::<LinkBody>(201, "The link.", TAX_EXAMPLE),
        Endpoint::delete(TAX_LINK, Scope::Customers, taking(CUSTOMER, |call, id| close(call, of_customer(id))))
            .summary("Close the tax data link of a customer")
            .answers::<DeletedBody>(200, "Confirmation; `id` is that of the customer.", TAX_CLOSED),
    ]
}

fn of_invoices() -> [Endpoint; 3] {
    [
        Endpoint::get(INVOICE_LINK, Scope::Invoices, taking(INVOICE, |call, id| show(call, of_invoice(id))))
            .of_only_one()
            .summary("Get the link of an invoice")
            .answers::<LinkBody>(200, "The link.", INVOICE_EXAMPLE),
        Endpoint::post(
            INVOICE_LINK,
            Scope::Invoices,
            taking((INVOICE, json(CREATE_INVOICE)), |call, (id, days)| open(call, of_invoice(id), days)),
        )
        .summary("Create a link to an invoice")
        .describes(
            "A page, in Spanish or English, with the invoice's data and its PDF and XML to download; below \
             the link they are at `/pdf` and `/xml`. Only of stamped invoices; it says so when the invoice \
             is cancelled. A new link replaces the one before.",
        )
        .answers::<LinkBody>(201, "The link.", INVOICE_EXAMPLE)
        .refuses(&[Code::Conflict]),
        Endpoint::delete(INVOICE_LINK, Scope::Invoices, taking(INVOICE, |call, id| close(call, of_invoice(id))))
            .summary("Close the link of an invoice")
            .answers::<DeletedBody>(200, "Confirmation; `id` is that of the invoice.", INVOICE_CLOSED),
    ]
}

fn read_days(fields: &mut Fields<'_>, about: &'static str) -> Option<u32> {
    use intake::Check;
    let days = fields.optional("expiresInDays", whole(1..=i64::from(DAYS_MAX)).about(about));
    days.and_then(|days| u32::try_from(days).ok())
}

fn of_customer(id: CustomerId) -> Target {
    Target { kind: LinkKind::TaxData, subject: id.to_string() }
}

fn of_invoice(id: InvoiceId) -> Target {
    Target { kind: LinkKind::Invoice, subject: id.to_string() }
}

async fn show(call: Call, target: Target) -> Result<Answer, ApiError> {
    let link = found(call.services().links.get(call.account, target, call.now)).await?;
    let tag = tag(&link);
    Answer::tagged(call.headers(), &body(&call, &link), tag)
}

async fn open(call: Call, target: Target, days: u32) -> Result<Answer, ApiError> {
    let Done { value, replayed } =
        written(call.services().links.open(call.ctx()?, target, days)).await?;
    let (tag, location) = (tag(&value), call.request.path().to_owned());
    Answer::json(StatusCode::CREATED, &body(&call, &value))?
        .with(ETAG, tag)?
        .with(LOCATION, location)?
        .replayed(replayed)
}

async fn close(call: Call, target: Target) -> Result<Answer, ApiError> {
    let made = call.expected_version().map(Timestamp::from_micros);
    let done = written(call.services().links.close(call.ctx()?, target, made)).await?;
    Answer::deleted(&done)
}

/// A link is never changed, only replaced.
fn tag(link: &Link) -> ETag {
    let token = link.token.reveal().bytes().map(i64::from);
    ETag::version_and(link.created_at.micros(), token)
}

fn body(call: &Call, link: &Link) -> LinkBody {
    let url = call.public_url() + &path_of_link(link.target.kind, &link.token);
    LinkBody { url, created_at: link.created_at, expires_at: link.expires_at }
}

/// Where the page of a link lies; see the endpoints of [`linked`](crate::linked).
pub(crate) fn path_of_link(kind: LinkKind, token: &Token) -> String {
    let page = match kind {
        LinkKind::TaxData => "/tax-data",
        LinkKind::Invoice => "/invoice",
        // The page of an attempt lies below that of its link.
        LinkKind::Payment | LinkKind::Attempt => "/pay",
        LinkKind::Quote => "/quotes",
    };
    format!("{page}/{}", token.reveal())
}
