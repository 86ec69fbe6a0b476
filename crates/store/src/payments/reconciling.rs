//! Payments as they are compared with the lists of their providers.

use std::collections::HashMap;

use ::payments::{Payment, PaymentId, ProviderKind, RefundStatus, reconcile::Ours};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Timestamp};

use super::{refunds::RefundRow, rows::PaymentRow};
use crate::{
    db::Db,
    schema::{payments, payments::dsl, refunds},
};

/// The payments made through a provider in a time, the oldest first.
pub(super) fn made_between(
    db: &mut Db,
    account: AccountId,
    provider: ProviderKind,
    (from, to): (Timestamp, Timestamp),
    limit: usize,
) -> QueryResult<Vec<Ours>> {
    // Identifiers begin with their moment.
    let least = |moment| PaymentId::least_at(moment).to_string();
    let rows: Vec<PaymentRow> = payments::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.ge(least(from)))
        .filter(dsl::id.lt(least(to)))
        .filter(dsl::provider.eq(provider.name()))
        .order(dsl::id)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(PaymentRow::as_select())
        .load(db)?;
    with_refunds(db, account, rows)
}

/// The payments through a provider that its list names.
pub(super) fn named(
    db: &mut Db,
    account: AccountId,
    provider: ProviderKind,
    names: &[(Option<PaymentId>, String)],
) -> QueryResult<Vec<Ours>> {
    let ids = names.iter().filter_map(|(id, _)| *id).map(|id| id.to_string());
    let refs = names.iter().filter(|(id, _)| id.is_none()).map(|(_, provider_ref)| provider_ref);
    let (ids, refs): (Vec<String>, Vec<&String>) = (ids.collect(), refs.collect());
    let of_provider = || {
        payments::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::provider.eq(provider.name()))
    };
    let mut rows = Vec::new();
    if !ids.is_empty() {
        let by_id = of_provider().filter(dsl::id.eq_any(&ids));
        rows.extend(by_id.select(PaymentRow::as_select()).load::<PaymentRow>(db)?);
    }
    if !refs.is_empty() {
        let by_ref = of_provider().filter(dsl::provider_ref.eq_any(&refs));
        rows.extend(by_ref.select(PaymentRow::as_select()).load::<PaymentRow>(db)?);
    }
    with_refunds(db, account, rows)
}

/// Payments with what of their refunds the merchant has given back.
fn with_refunds(db: &mut Db, account: AccountId, rows: Vec<PaymentRow>) -> QueryResult<Vec<Ours>> {
    let payments = rows.into_iter().map(PaymentRow::payment).collect::<QueryResult<Vec<_>>>()?;
    let is_refunded = |payment: &&Payment| payment.refunded > Amount::ZERO;
    let refunded: Vec<String> =
        payments.iter().filter(is_refunded).map(|payment| payment.id.to_string()).collect();
    let mut in_hand: HashMap<PaymentId, i64> = HashMap::new();
    if !refunded.is_empty() {
        let rows: Vec<RefundRow> = refunds::table
            .filter(refunds::account_id.eq(account.to_string()))
            .filter(refunds::payment_id.eq_any(&refunded))
            .filter(refunds::status.eq(RefundStatus::Succeeded.name()))
            .select(RefundRow::as_select())
            .load(db)?;
        for row in rows {
            let refund = row.refund()?;
            if refund.is_manual {
                *in_hand.entry(refund.payment).or_default() += refund.amount.micros();
            }
        }
    }
    let ours = payments.into_iter().map(|payment| {
        let micros = in_hand.get(&payment.id).copied().unwrap_or_default();
        Ours { payment, refunded_in_hand: Amount::from_micros(micros) }
    });
    Ok(ours.collect())
}
