//! `/invoices/sums`: what invoices add up to.

use accounts::Scope;
use actix_web::http::{StatusCode, header::RETRY_AFTER};
use cfdi::document::DocumentType;
use intake::{Fields, Form};
use invoices::{
    Status,
    sums::{Figures, Sums, SumsQuery},
};
use kernel::{Currency, Sum, message};
use serde::Serialize;
use utoipa::ToSchema;

use super::{examples, forms};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::{ApiError, Code},
    reply::answered,
    resources::shapes,
};

const SUMS: &str = "/invoices/sums";
const ASKED: Form<SumsQuery> = Form::query(read);
/// So long a caller is told to wait for sums that are being made, in seconds.
const RETRY_SECONDS: u32 = 60;

/// What invoices add up to, apart by type, status and currency.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceSums)]
struct SumsBody {
    /// Sums of the invoices of each type, status and currency of which there are any.
    sums: Vec<GroupBody>,
}

/// What the invoices of one type, status and currency add up to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceGroup)]
struct GroupBody {
    /// CFDI type.
    #[serde(rename = "type")]
    #[schema(value_type = shapes::InvoiceType)]
    kind: DocumentType,
    /// Status.
    #[schema(value_type = shapes::InvoiceStatus)]
    status: Status,
    /// Currency of all sums but `paid`.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Number of invoices.
    count: u64,
    /// Sum of the subtotals, before taxes and discounts.
    #[schema(value_type = shapes::Sum)]
    subtotal: Sum,
    /// Sum of the discounts.
    #[schema(value_type = shapes::Sum)]
    discount: Sum,
    /// Sums of transferred taxes (traslados).
    transferred: TransferredBody,
    /// Sums of withheld taxes (retenciones).
    withheld: WithheldSumsBody,
    /// Sums of taxes of states and municipalities.
    local: LocalBody,
    /// Sum of the totals.
    #[schema(value_type = shapes::Sum)]
    total: Sum,
    /// Sum of what payment receipts (`P`) state as paid, in pesos; their own total is 0.
    #[schema(value_type = shapes::Sum)]
    paid: Sum,
    /// Sum of the outstanding balances.
    #[schema(value_type = shapes::Sum)]
    balance: Sum,
}

/// Sums of transferred taxes.
#[derive(Serialize, ToSchema)]
#[schema(as = TransferredSums)]
struct TransferredBody {
    /// Sum of IVA.
    #[schema(value_type = shapes::Sum)]
    iva: Sum,
    /// Sum of IEPS.
    #[schema(value_type = shapes::Sum)]
    ieps: Sum,
}

/// Sums of withheld taxes.
#[derive(Serialize, ToSchema)]
#[schema(as = WithheldSums)]
struct WithheldSumsBody {
    /// Sum of ISR.
    #[schema(value_type = shapes::Sum)]
    isr: Sum,
    /// Sum of IVA.
    #[schema(value_type = shapes::Sum)]
    iva: Sum,
    /// Sum of IEPS.
    #[schema(value_type = shapes::Sum)]
    ieps: Sum,
}

/// Sums of taxes of states and municipalities.
#[derive(Serialize, ToSchema)]
#[schema(as = LocalTaxSums)]
struct LocalBody {
    /// Sum of what is added to the totals.
    #[schema(value_type = shapes::Sum)]
    charged: Sum,
    /// Sum of what is taken off them.
    #[schema(value_type = shapes::Sum)]
    withheld: Sum,
}

pub(super) fn endpoint() -> Endpoint {
    Endpoint::get(SUMS, Scope::Invoices, taking(query(ASKED), show))
        .summary("Sum up invoices")
        .describes(
            "What the invoices add up to that the list finds with the same filters, exactly, apart by type, status \
             and currency. Needs `stampedFrom` and `stampedTo`, or `createdFrom` and `createdTo`, at most 366 days \
             apart.",
        )
        .asks(&[("stampedFrom", "2026-01-01T00:00:00Z"), ("stampedTo", "2026-02-01T00:00:00Z")])
        .answers::<SumsBody>(200, "The sums.", examples::SUMS)
}

fn read(fields: &mut Fields<'_>) -> Option<SumsQuery> {
    match SumsQuery::of(forms::read_filter(fields)) {
        Ok(query) => Some(query),
        Err(fault) => fields.refuse(&fault.field, fault.problem),
    }
}

async fn show(call: Call, query: SumsQuery) -> Result<Answer, ApiError> {
    let sums = answered(call.services().invoices.sums(call.account, query)).await?;
    let sums = sums.ok_or_else(unfinished)?.into_iter().map(GroupBody::from).collect();
    Answer::json(StatusCode::OK, &SumsBody { sums })
}

/// After an upgrade, until the sums of invoices of before have been made.
fn unfinished() -> ApiError {
    let message = message!(
        "the sums of the invoices of before the upgrade are still being made; try again in some minutes",
        "aún se preparan las sumas de las facturas anteriores a la actualización; intente de nuevo en unos minutos"
    );
    ApiError::new(Code::Unavailable, message).with(RETRY_AFTER, RETRY_SECONDS.into())
}

impl From<Sums> for GroupBody {
    fn from(sums: Sums) -> Self {
        let Sums { kind, status, currency, count, figures, total, paid, balance } = sums;
        let Figures { subtotal, discount, transferred_iva, transferred_ieps, .. } = figures;
        Self {
            kind,
            status,
            currency,
            count,
            subtotal,
            discount,
            transferred: TransferredBody { iva: transferred_iva, ieps: transferred_ieps },
            withheld: WithheldSumsBody {
                isr: figures.withheld_isr,
                iva: figures.withheld_iva,
                ieps: figures.withheld_ieps,
            },
            local: LocalBody { charged: figures.local_charged, withheld: figures.local_withheld },
            total,
            paid,
            balance,
        }
    }
}
