//! How the API shows global invoices.

use cfdi::document::{Global, day};
use invoices::{
    BranchId, InvoiceId, IssuerId, OrderId,
    global::{
        GlobalInvoice, GlobalPreview, GlobalRun, GlobalSettings, GlobalTerms, LeftOut, Period, Sale,
    },
    provider::Rejection,
};
use kernel::{Amount, Currency, Language, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    etag::ETag,
    resources::{invoices::rejection_in, shapes},
};

/// How the sales that nobody asked an invoice for are invoiced.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GlobalInvoiceSettings)]
pub(super) struct SettingsBody {
    /// Whether the invoices are created by themselves when a period ends.
    automatic: bool,
    /// Length of the period, see GET /invoices/cfdi/periodicidades.
    #[schema(value_type = shapes::Periodicity)]
    periodicity: &'static str,
    /// How the sales were paid, see GET /invoices/cfdi/formas-pago; `null` until it is set.
    #[schema(example = "01")]
    payment_form: Option<String>,
    /// Whether the invoices are stamped, too.
    stamp: bool,
    /// Most sales of one invoice.
    #[schema(minimum = 1, example = 1_000)]
    tickets_per_invoice: usize,
    /// Hours after the end of the period when its sales are invoiced.
    #[schema(minimum = 0, example = 2)]
    delay_hours: i64,
    /// Issuer; the default one if none is named.
    #[schema(value_type = Option<String>, example = "iss_01KG8VXT0N9B4C6D8E0F2G4H6J")]
    issuer_id: Option<IssuerId>,
    /// Branch whose place of issue and series the invoices have.
    #[schema(value_type = Option<String>, example = "brn_01KG8VXT0N9B4C6D8E0F2G4H6J")]
    branch_id: Option<BranchId>,
    /// While `automatic`: sales paid before have been looked at; the next period begins here.
    #[schema(value_type = Option<shapes::Timestamp>)]
    covered_until: Option<Timestamp>,
    /// When the settings were last changed.
    #[schema(value_type = Option<shapes::Timestamp>)]
    updated_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

impl SettingsBody {
    /// The entity tag; what was looked at changes by itself.
    pub(super) fn etag(&self) -> ETag {
        ETag::version_and(self.version, self.covered_until.map(Timestamp::micros).into_iter())
    }
}

impl From<GlobalSettings> for SettingsBody {
    fn from(settings: GlobalSettings) -> Self {
        let GlobalTerms { issuer, branch, payment_form, tickets_per_invoice, is_to_stamp } =
            settings.terms;
        Self {
            automatic: settings.is_automatic,
            periodicity: settings.periodicity.code(),
            payment_form,
            stamp: is_to_stamp,
            tickets_per_invoice,
            delay_hours: settings.delay_hours,
            issuer_id: issuer,
            branch_id: branch,
            covered_until: settings.covered_until,
            updated_at: settings.updated_at.map(Timestamp::to_millis),
            version: settings.version,
        }
    }
}

/// Days whose sales are invoiced together.
#[derive(Serialize, ToSchema)]
#[schema(as = SalesPeriod)]
struct PeriodBody {
    /// Length of the period, see GET /invoices/cfdi/periodicidades.
    #[schema(value_type = shapes::Periodicity)]
    periodicity: String,
    /// Month code that the invoices state, see GET /invoices/cfdi/meses.
    #[schema(example = "01")]
    months: String,
    /// Year that the invoices state.
    #[schema(example = 2026)]
    year: u16,
    /// First day, in local time.
    #[schema(value_type = shapes::Day)]
    from: String,
    /// Last day.
    #[schema(value_type = shapes::Day)]
    to: String,
}

impl From<Period> for PeriodBody {
    fn from(period: Period) -> Self {
        let Global { periodicity, months, year } = period.stated();
        let (from, to) = (day::to_text(period.first), day::to_text(period.last));
        Self { periodicity, months, year, from, to }
    }
}

/// The global invoices of a period.
#[derive(Serialize, ToSchema)]
#[schema(as = GlobalInvoices)]
pub(in crate::resources) struct GlobalRunBody {
    /// The period.
    period: PeriodBody,
    /// Number of sales invoiced.
    tickets: usize,
    /// What they amount to, in pesos.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// The invoices; none if there was nothing to invoice.
    invoices: Vec<MadeBody>,
}

/// A global invoice of a period.
#[derive(Serialize, ToSchema)]
#[schema(as = GlobalInvoice)]
struct MadeBody {
    /// Identifier of the invoice.
    #[schema(value_type = String, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    id: InvoiceId,
    /// Number of sales in it.
    tickets: usize,
    /// What it amounts to.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// What had become of it when the job ended.
    #[schema(value_type = shapes::GlobalInvoiceStatus)]
    status: &'static str,
    /// Why it is a draft though it was to be stamped.
    error: Option<ErrorBody>,
}

/// Why an invoice was not stamped.
#[derive(Serialize, ToSchema)]
#[schema(as = StampError)]
struct ErrorBody {
    /// Code of SAT or the provider, or the error code with which the API refuses to stamp.
    #[schema(example = "insufficient_credits")]
    code: String,
    /// What it means: the provider's own words, or a sentence in the language that `Accept-Language` prefers.
    message: String,
}

impl GlobalRunBody {
    /// A run, with what became of its invoices in a language.
    pub(in crate::resources) fn new(run: GlobalRun, language: Language) -> Self {
        let tickets = run.invoices.iter().map(|made| made.tickets).sum();
        let total = cfdi::decimal::sum(run.invoices.iter().map(|made| made.total));
        let invoices = run.invoices.into_iter().map(|made| MadeBody::new(made, language)).collect();
        Self { period: run.period.into(), tickets, total, invoices }
    }
}

impl MadeBody {
    fn new(made: GlobalInvoice, language: Language) -> Self {
        let error = made.error.map(|error| rejection_in(error, language));
        let error = error.map(|Rejection { code, message }| ErrorBody { code, message });
        let (id, tickets, total) = (made.id, made.tickets, made.total);
        Self { id, tickets, total, status: made.fate.name(), error }
    }
}

/// What the global invoices of a period would have, and what they would leave out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GlobalInvoicePreview)]
pub(super) struct PreviewBody {
    /// The period.
    period: PeriodBody,
    /// Number of invoices, unless their sales have more items than fit.
    invoices: usize,
    /// Number of sales that would be invoiced.
    ticket_count: usize,
    /// What they amount to, in pesos.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// These sales in the order of their payment: the first 500.
    tickets: Vec<TicketBody>,
    /// Number of sales that would be left out, for each reason.
    left_out_counts: Vec<CountBody>,
    /// These sales: the first 500.
    left_out: Vec<LeftOutBody>,
}

/// A sale that goes into a global invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Ticket)]
struct TicketBody {
    /// Identifier of the order.
    #[schema(value_type = String, example = "ord_01KG8W2H6K1M3P5R7T9V0X2Z4B")]
    order_id: OrderId,
    /// Number of the order: that of the ticket.
    #[schema(example = "ORD-000123")]
    number: String,
    /// When it was paid.
    #[schema(value_type = Option<shapes::Timestamp>)]
    paid_at: Option<Timestamp>,
    /// What it amounts to, in pesos, without what has come back of it.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
}

/// A sale that a global invoice leaves out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LeftOutSale)]
struct LeftOutBody {
    /// Identifier of the order.
    #[schema(value_type = String, example = "ord_01KG8W2H6K1M3P5R7T9V0X2Z4B")]
    order_id: OrderId,
    /// Number of the order.
    #[schema(example = "ORD-000123")]
    number: String,
    /// When it was paid.
    #[schema(value_type = Option<shapes::Timestamp>)]
    paid_at: Option<Timestamp>,
    /// What it amounts to, without what has come back of it.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// In which currency.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Why it is left out.
    #[schema(value_type = shapes::LeftOut)]
    reason: &'static str,
    /// The invoice that it is in.
    #[schema(value_type = Option<String>, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    invoice_id: Option<InvoiceId>,
}

/// How many sales are left out for a reason.
#[derive(Serialize, ToSchema)]
#[schema(as = LeftOutCount)]
struct CountBody {
    /// The reason.
    #[schema(value_type = shapes::LeftOut)]
    reason: &'static str,
    /// How many.
    count: usize,
}

impl From<Sale> for TicketBody {
    fn from(sale: Sale) -> Self {
        let Sale { order, number, paid_at, total, .. } = sale;
        Self { order_id: order, number, paid_at: paid_at.map(Timestamp::to_millis), total }
    }
}

impl From<(Sale, LeftOut)> for LeftOutBody {
    fn from((sale, reason): (Sale, LeftOut)) -> Self {
        let Sale { order, number, paid_at, total, currency, invoice, .. } = sale;
        Self {
            order_id: order,
            number,
            paid_at: paid_at.map(Timestamp::to_millis),
            total,
            currency,
            reason: reason.name(),
            invoice_id: invoice,
        }
    }
}

impl From<GlobalPreview> for PreviewBody {
    fn from(preview: GlobalPreview) -> Self {
        let GlobalPreview { run, sales, count, total, left_out, counts_left_out } = preview;
        let counts = counts_left_out.into_iter();
        let counts = counts.map(|(reason, count)| CountBody { reason: reason.name(), count });
        Self {
            period: run.period.into(),
            invoices: count.div_ceil(run.terms.tickets_per_invoice),
            ticket_count: count,
            total,
            tickets: sales.into_iter().map(TicketBody::from).collect(),
            left_out_counts: counts.collect(),
            left_out: left_out.into_iter().map(LeftOutBody::from).collect(),
        }
    }
}
