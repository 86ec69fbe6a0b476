//! Acting on orders.

use ::bulk::{BulkAction, Outcome, Row, RowResult};
use ::orders::{
    NewShipment, OrderChanges, OrderId, OrderStatus, ReviseOrder, ShipmentError, UpdateError,
};
use approvals::{Passed, Person};
use kernel::{Actor, Amount, Ctx, Refused, message};
use payments::{Method, NewPayment, PaymentError};

use super::{Halt, Run, missing, refused, written};
use crate::recorded::gone;

impl Run<'_> {
    pub(super) async fn ship_order(&self, bulk: &BulkAction, row: &Row) -> Result<RowResult, Halt> {
        let Some(id) = OrderId::parse(&row.subject) else { return Ok(missing()) };
        let ctx = self.keyed(bulk, row, "ship");
        let shipped = self.services.orders.ship(ctx, id, NewShipment::default()).await;
        match written(shipped) {
            Ok(shipment) => Ok(RowResult::done().led_to(&shipment.id)),
            Err(refusal) => {
                let outcome = match &refusal {
                    Refused::Rule(error) => unshipped(error),
                    _ => Outcome::Refused,
                };
                refused(self.services.wording.shipping, refusal, outcome)
            }
        }
    }

    pub(super) async fn pay_order(
        &self,
        bulk: &BulkAction,
        row: &Row,
        method: Method,
    ) -> Result<RowResult, Halt> {
        let Some(id) = payments::OrderId::parse(&row.subject) else { return Ok(missing()) };
        let ctx = self.keyed(bulk, row, "pay");
        match self.services.collecting.record_in_hand(ctx, NewPayment::in_hand(id, method)).await {
            Ok(payment) => Ok(RowResult::done().led_to(&payment)),
            Err(refusal) => {
                let outcome = match &refusal {
                    Refused::Rule(PaymentError::NothingDue) => Outcome::Skipped,
                    // Of what is paid by payments, nothing is left.
                    Refused::Rule(PaymentError::ExceedsDue { left }) if *left == Amount::ZERO => {
                        Outcome::Skipped
                    }
                    _ => Outcome::Refused,
                };
                refused(self.services.wording.paying, refusal, outcome)
            }
        }
    }

    pub(super) async fn cancel_order(
        &self,
        bulk: &BulkAction,
        row: &Row,
        reason: &str,
        refund: bool,
    ) -> Result<RowResult, Halt> {
        let Some(id) = OrderId::parse(&row.subject) else { return Ok(missing()) };
        let changes = OrderChanges {
            status: Some(OrderStatus::Cancelled),
            reason: Some(reason.to_owned()),
            refund,
            ..OrderChanges::default()
        };
        let command = ReviseOrder { id, version: None, changes };
        let ctx = self.keyed(bulk, row, "cancel");
        let told = self.services.wording.changing;
        match self.passed(&ctx, bulk, &command).await {
            Ok(Passed::Free) => {}
            Ok(Passed::Done(_)) => return Ok(RowResult::done()),
            Ok(Passed::Asked(approval)) => {
                let told = message!("It waits for its approval.", "Espera su aprobación.");
                let asked = RowResult::done().led_to(&approval);
                return Ok(asked.because("approval_required", told));
            }
            Err(refusal) => return refused(told, refusal, Outcome::Refused),
        }
        let cancelled = self.services.orders.update(ctx, command).await;
        match written(cancelled) {
            Ok(order) => {
                // Whoever cancelled it before this was asked for has left nothing to do.
                let is_old = order.cancelled_at.is_some_and(|at| at < self.task.created_at);
                let outcome = if is_old { Outcome::Skipped } else { Outcome::Done };
                Ok(RowResult { outcome, ..RowResult::done() })
            }
            Err(refusal) => refused(told, refusal, Outcome::Refused),
        }
    }

    /// What comes of a cancellation at its gate.
    async fn passed(
        &self,
        ctx: &Ctx,
        bulk: &BulkAction,
        command: &ReviseOrder,
    ) -> Result<Passed<::orders::Order>, Refused<UpdateError>> {
        let gate = &self.services.changing_gate;
        let Actor::User(user) = bulk.actor else { return Ok(Passed::Free) };
        if !gate.is_guarded(ctx).await.unwrap_or_else(|| Err(gone()))? {
            return Ok(Passed::Free);
        }
        let asked = gate.ask(ctx.clone(), Person::User(user), command.clone()).await;
        written(asked)
    }
}

/// Whether there was nothing to do, or it is forbidden.
const fn unshipped(error: &ShipmentError) -> Outcome {
    match error {
        ShipmentError::NothingOpen { .. }
        | ShipmentError::WrongStatus { status: OrderStatus::Shipped | OrderStatus::Delivered }
        | ShipmentError::OrderOver { status: OrderStatus::Delivered } => Outcome::Skipped,
        _ => Outcome::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_left_already_is_skipped() {
        let status = OrderStatus::Cancelled;
        for (error, outcome) in [
            (ShipmentError::NothingOpen { warehouse: None }, Outcome::Skipped),
            (ShipmentError::WrongStatus { status: OrderStatus::Shipped }, Outcome::Skipped),
            (ShipmentError::WrongStatus { status }, Outcome::Refused),
            (ShipmentError::OrderOver { status: OrderStatus::Delivered }, Outcome::Skipped),
            (ShipmentError::OrderOver { status }, Outcome::Refused),
            (ShipmentError::WarehouseGone, Outcome::Refused),
        ] {
            assert_eq!(unshipped(&error), outcome, "{error:?}");
        }
    }
}
