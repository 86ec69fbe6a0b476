//! How the API shows what was compared.

use kernel::{Amount, Currency, Sum, Timestamp};
use payments::{
    OrderId, PaymentId, ProviderKind, Status,
    reconcile::{Compared, Difference, Group, Ours, Reconciled, Theirs, Totals, Verdict, sums},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// Payments as they are here and at their providers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentReconciliation)]
pub(super) struct ReconciliationBody {
    /// Up to when payments were compared.
    #[schema(value_type = shapes::Timestamp)]
    until: Timestamp,
    /// Where to go on (`from`) with what is left of the time that was asked for; `null` when that is nothing.
    #[schema(value_type = Option<shapes::Timestamp>)]
    next_from: Option<Timestamp>,
    /// Providers whose lists were compared.
    #[schema(value_type = Vec<shapes::PaymentProvider>)]
    compared: Vec<ProviderKind>,
    /// Providers that are set up and offer no list, whose payments were not compared.
    #[schema(value_type = Vec<shapes::PaymentProvider>)]
    not_compared: Vec<ProviderKind>,
    /// Each payment, the oldest first.
    data: Vec<ComparedBody>,
    /// What the payments of each currency and outcome add up to on each side.
    sums: Vec<GroupBody>,
}

/// A payment on both sides, or on one of them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReconciledPayment)]
struct ComparedBody {
    /// What has come of comparing it.
    #[schema(value_type = shapes::ReconciliationOutcome)]
    outcome: Verdict,
    /// What is not the same, where the outcome is `different`.
    #[schema(value_type = Vec<shapes::ReconciliationDifference>)]
    differences: Vec<Difference>,
    /// Payment provider.
    #[schema(value_type = shapes::PaymentProvider)]
    provider: ProviderKind,
    /// Payment; `null` where we do not know it.
    #[schema(value_type = Option<String>, example = "pay_01KG9A4D6F8H0J2M4P6R8T0V2X")]
    payment_id: Option<PaymentId>,
    /// Order that it is for.
    #[schema(value_type = Option<String>, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    order_id: Option<OrderId>,
    /// Identifier at the provider.
    #[schema(example = "sbx_01a20e2938eb53aeec618b5f449294fd")]
    provider_ref: Option<String>,
    /// What we have.
    here: Option<SideBody>,
    /// What the provider has.
    there: Option<SideBody>,
}

/// A payment on one side.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ReconciledSide)]
struct SideBody {
    /// Status, in the words of payments.
    #[schema(value_type = shapes::PaymentState)]
    status: Status,
    /// Amount that was asked for.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// Currency.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// What was taken.
    #[schema(value_type = shapes::Amount)]
    amount_captured: Amount,
    /// What was given back through the provider.
    #[schema(value_type = shapes::Amount)]
    amount_refunded: Amount,
    /// When it was made; `null` where the provider does not say.
    #[schema(value_type = Option<shapes::Timestamp>)]
    created_at: Option<Timestamp>,
}

/// What the payments of one currency and outcome add up to.
#[derive(Serialize, ToSchema)]
#[schema(as = ReconciliationSums)]
struct GroupBody {
    /// Currency.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// What has come of comparing them.
    #[schema(value_type = shapes::ReconciliationOutcome)]
    outcome: Verdict,
    /// Here.
    here: TotalsBody,
    /// At the provider.
    there: TotalsBody,
}

/// What payments add up to on one side.
#[derive(Serialize, ToSchema)]
#[schema(as = ReconciliationTotals)]
struct TotalsBody {
    /// Number of payments.
    count: u64,
    /// Sum of what was taken.
    #[schema(value_type = shapes::Sum)]
    captured: Sum,
    /// Sum of what was given back through the provider.
    #[schema(value_type = shapes::Sum)]
    refunded: Sum,
}

impl ReconciliationBody {
    /// What was compared of the time that ends at `to`.
    pub(super) fn new(reconciled: Reconciled, to: Timestamp) -> Self {
        let Reconciled { until, listed, unlisted, rows } = reconciled;
        Self {
            until,
            next_from: Some(until).filter(|until| *until < to),
            compared: listed,
            not_compared: unlisted,
            sums: sums(&rows).into_iter().map(GroupBody::from).collect(),
            data: rows.into_iter().map(ComparedBody::from).collect(),
        }
    }
}

impl From<Compared> for ComparedBody {
    fn from(compared: Compared) -> Self {
        let Compared { verdict, provider, ours, theirs, differences } = compared;
        let payment = ours.as_ref().map(|ours| &ours.payment);
        let there = theirs.as_ref().map(|theirs| theirs.seen.provider_ref.clone());
        let provider_ref = there.or_else(|| payment.and_then(|known| known.provider_ref.clone()));
        Self {
            outcome: verdict,
            differences,
            provider,
            payment_id: payment.map(|payment| payment.id),
            order_id: payment.and_then(|payment| payment.order),
            provider_ref,
            here: ours.as_ref().map(SideBody::here),
            there: theirs.as_ref().map(SideBody::there),
        }
    }
}

impl SideBody {
    fn here(ours: &Ours) -> Self {
        let payment = &ours.payment;
        Self {
            status: payment.status,
            amount: payment.amount,
            currency: payment.currency,
            amount_captured: payment.captured,
            amount_refunded: ours.refunded_there(),
            created_at: Some(payment.created_at),
        }
    }

    fn there(theirs: &Theirs) -> Self {
        Self {
            status: theirs.status(),
            amount: theirs.seen.amount,
            currency: theirs.seen.currency,
            amount_captured: theirs.captured(),
            amount_refunded: theirs.refunded(),
            created_at: theirs.created_at,
        }
    }
}

impl From<Group> for GroupBody {
    fn from(Group { currency, verdict, here, there }: Group) -> Self {
        Self { currency, outcome: verdict, here: here.into(), there: there.into() }
    }
}

impl From<Totals> for TotalsBody {
    fn from(Totals { count, captured, refunded }: Totals) -> Self {
        Self { count, captured, refunded }
    }
}
