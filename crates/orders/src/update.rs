//! Moving an order through its life.

use kernel::{
    Amount, FieldFault, Message, Metadata, NewEvent, Quantity, Refusal, Timestamp, message,
};

use crate::{
    FulfillmentStatus, ItemSku, Order, OrderId, OrderStatus, ShippingAddress, events,
    shipments::Dispatched,
};

/// What to change of an order; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct OrderChanges {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<Option<String>>,
    /// Requested status.
    pub status: Option<OrderStatus>,
    /// How much of it has been shipped.
    pub fulfillment_status: Option<FulfillmentStatus>,
    /// Carrier's tracking number.
    pub tracking_number: Option<Option<String>>,
    /// Shipping carrier.
    pub carrier: Option<Option<String>>,
    /// Reason, required when cancelling.
    pub reason: Option<String>,
    /// Whether an order for which money was received may be cancelled; the money is refunded then.
    pub refund: bool,
    /// Where it is sent to.
    pub shipping_address: Option<Option<ShippingAddress>>,
    /// Where it was sold.
    pub channel: Option<Option<String>>,
    pub notes: Option<Option<String>>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Option<Metadata>,
}

/// Why an order stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum UpdateError {
    /// Another order of the account has this external identifier.
    DuplicateExternalId {
        external_id: String,
        /// Order that has it.
        holder: OrderId,
    },
    /// The order's current status does not allow this transition.
    InvalidTransition {
        from: OrderStatus,
        /// Requested status.
        to: OrderStatus,
        /// Allowed transitions.
        allowed: &'static [OrderStatus],
    },
    /// Money was received for the order: the caller must confirm that cancelling it requires a refund.
    RefundNeeded {
        /// What would have to be refunded.
        paid: Amount,
    },
    /// Goods of the order are on their way; their shipments have to be cancelled first.
    HasShipments,
    /// How much of the order is out follows from its shipments.
    FulfillmentFollows,
    /// The order's status contradicts the requested fulfillment status.
    FulfillmentContradicts { status: OrderStatus, wanted: FulfillmentStatus },
}

/// What comes of a change: all of it is recorded together, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Updated {
    /// The updated order; its version is unchanged if nothing changed.
    pub order: Order,
    /// Promised goods that the cancellation frees.
    pub freed: Vec<Promised>,
    /// Whether what is left of it leaves.
    pub ships: bool,
    /// What was paid by marking it paid, if anything.
    pub received: Option<Amount>,
    /// What is to be refunded because of the cancellation, if anything.
    pub to_refund: Option<Amount>,
    pub events: Vec<NewEvent>,
}

/// Units of a line that are promised to an order and not shipped yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Promised {
    /// Place of the line in the order, from 0.
    pub line: usize,
    pub sold: ItemSku,
    pub quantity: Quantity,
}

/// What is promised to an order of which nothing has been shipped.
fn promised(order: &Order) -> Vec<Promised> {
    let of_line = |(line, item): (usize, &crate::Item)| Promised {
        line,
        sold: item.sold,
        quantity: item.quantity - item.returned,
    };
    let lines = order.items.iter().enumerate().map(of_line);
    lines.filter(|promised| promised.quantity > 0).collect()
}

/// Changes an order. Naming the status that it has is no change.
///
/// # Errors
/// [`Refusal::Invalid`] when a reason is missing or has no use; [`Refusal::Rule`] when the order
/// may not go there.
pub fn update(
    before: &Order,
    changes: OrderChanges,
    now: Timestamp,
) -> Result<Updated, Refusal<UpdateError>> {
    update_dispatched(before, changes, &Dispatched::default(), false, now)
}

/// The same of an order of which goods may be on their way, and whose customer may withhold taxes.
///
/// # Errors
/// Besides, [`UpdateError::HasShipments`] and [`UpdateError::FulfillmentFollows`].
pub fn update_dispatched(
    before: &Order,
    changes: OrderChanges,
    dispatched: &Dispatched,
    withholds: bool,
    now: Timestamp,
) -> Result<Updated, Refusal<UpdateError>> {
    let to = changes.status.filter(|status| *status != before.status);
    refuse_misplaced(&changes, to)?;

    let mut order = before.clone();
    let described = [
        set(&mut order.tracking_number, changes.tracking_number),
        set(&mut order.carrier, changes.carrier),
        set(&mut order.external_id, changes.external_id),
        set(&mut order.shipping_address, changes.shipping_address),
        set(&mut order.channel, changes.channel),
        set(&mut order.notes, changes.notes),
        set(&mut order.metadata, changes.metadata),
    ];
    let entered = match to {
        Some(to) => {
            refuse_transition(before, to, changes.refund)?;
            if to == OrderStatus::Cancelled && dispatched.is_any {
                return Err(Refusal::Rule(UpdateError::HasShipments));
            }
            enter(&mut order, to, changes.reason, (dispatched, withholds), now)
        }
        None => Entered::default(),
    };
    let contradicts = |wanted: FulfillmentStatus| wanted != order.fulfillment_status;
    if dispatched.is_any && changes.fulfillment_status.is_some_and(contradicts) {
        return Err(Refusal::Rule(UpdateError::FulfillmentFollows));
    }
    let fulfilled = fulfil(&mut order, changes.fulfillment_status)?;
    if to.is_some() || fulfilled || described.contains(&true) {
        order.updated_at = now;
        order.version += 1;
    }
    let Entered { freed, ships, received, to_refund, events } = entered;
    Ok(Updated { order, freed, ships, received, to_refund, events })
}

/// What comes of another status, as an [`Updated`] has it.
#[derive(Default)]
struct Entered {
    freed: Vec<Promised>,
    ships: bool,
    received: Option<Amount>,
    to_refund: Option<Amount>,
    events: Vec<NewEvent>,
}

/// Moves an order on to a status that it may go to.
fn enter(
    order: &mut Order,
    to: OrderStatus,
    reason: Option<String>,
    (dispatched, withholds): (&Dispatched, bool),
    now: Timestamp,
) -> Entered {
    let mut entered = Entered::default();
    let (from, was_shipped) = (order.status, order.shipped_at.is_some());
    // An order that is out may be paid later: it stays shipped then.
    if !(from == OrderStatus::Shipped && to == OrderStatus::Paid) {
        order.status = to;
        entered.events.push(events::updated(order.id, from, to));
    }
    match to {
        OrderStatus::Paid => {
            let owed = order.amount_owed(withholds);
            let paid = order.amount_paid().micros().saturating_add(owed.micros());
            order.amount_paid = Some(Amount::from_micros(paid));
            order.settle(withholds, now);
            entered.received = Some(owed).filter(|owed| *owed > Amount::ZERO);
            entered.events.push(events::paid(order));
        }
        OrderStatus::Shipped => {
            order.shipped_at = order.shipped_at.or(Some(now));
            order.fulfillment_status = FulfillmentStatus::Fulfilled;
            entered.ships = true;
            if !was_shipped {
                // What leaves now has the tracking number of the order.
                let own = order.tracking_number.as_deref();
                let tracking = own.or(dispatched.tracking_number.as_deref());
                entered.events.push(events::shipped(order, tracking));
            }
        }
        OrderStatus::Delivered => order.delivered_at = Some(now),
        OrderStatus::Cancelled => {
            order.cancelled_at = Some(now);
            order.cancel_reason = reason;
            order.refund_due = order.refund_owed();
            entered.to_refund = Some(order.refund_due).filter(|owed| *owed > Amount::ZERO);
            entered.freed = promised(order);
            entered.events.push(events::cancelled(order));
        }
        OrderStatus::Pending => {}
    }
    entered
}

fn set<T: PartialEq>(field: &mut T, change: Option<T>) -> bool {
    match change {
        Some(value) if value != *field => {
            *field = value;
            true
        }
        _ => false,
    }
}

/// Cancelling needs a reason; cancelling what is cancelled may repeat one, which changes nothing. No other change has one, or
/// gives money back.
fn refuse_misplaced(
    changes: &OrderChanges,
    to: Option<OrderStatus>,
) -> Result<(), Refusal<UpdateError>> {
    let cancelled = Some(OrderStatus::Cancelled);
    let is_other = changes.status != cancelled;
    let mut faults = Vec::new();
    if changes.reason.is_none() && to == cancelled {
        let needed = message!("is required when cancelling", "es obligatorio al cancelar");
        faults.push(FieldFault::new("reason", needed));
    }
    if changes.reason.is_some() && is_other {
        faults.push(FieldFault::new("reason", only_when_cancelling()));
    }
    if changes.refund && is_other {
        faults.push(FieldFault::new("refund", only_when_cancelling()));
    }
    if faults.is_empty() { Ok(()) } else { Err(Refusal::Invalid(faults)) }
}

fn only_when_cancelling() -> Message {
    message!(
        "goes only with \"status\": \"cancelled\"",
        "solo se admite con \"status\": \"cancelled\""
    )
}

fn refuse_transition(
    before: &Order,
    to: OrderStatus,
    refund: bool,
) -> Result<(), Refusal<UpdateError>> {
    let from = before.status;
    let allowed = from.allowed(before.paid_at.is_some());
    if !allowed.contains(&to) {
        return Err(Refusal::Rule(UpdateError::InvalidTransition { from, to, allowed }));
    }
    let paid = before.amount_kept();
    if to == OrderStatus::Cancelled && paid > Amount::ZERO && !refund {
        return Err(Refusal::Rule(UpdateError::RefundNeeded { paid }));
    }
    Ok(())
}

/// Sets how much has gone out; a shipped order has gone out as a whole, a cancelled one is left as it was.
fn fulfil(
    order: &mut Order,
    wanted: Option<FulfillmentStatus>,
) -> Result<bool, Refusal<UpdateError>> {
    let Some(wanted) = wanted.filter(|wanted| *wanted != order.fulfillment_status) else {
        return Ok(false);
    };
    if matches!(order.status, OrderStatus::Pending | OrderStatus::Paid) {
        order.fulfillment_status = wanted;
        return Ok(true);
    }
    Err(Refusal::Rule(UpdateError::FulfillmentContradicts { status: order.status, wanted }))
}

#[cfg(test)]
pub(crate) mod tests {
    use kernel::Currency;

    use super::*;
    use crate::{CustomerId, Item, OrderId, order::ItemProductId};

    pub(crate) fn order() -> Order {
        let item = Item {
            sold: ItemSku { product: ItemProductId::from_u128(7), variant: None },
            name: "Taza".to_owned(),
            sku: "T".to_owned(),
            quantity: 2,
            unit_price: Amount::from_micros(5_000_000),
            tax_included: true,
            taxes: None,
            discount: None,
            order_discount: Amount::ZERO,
            price_list: None,
            note: None,
            returned: 0,
            decimals: kernel::Decimals::Zero,
        };
        Order {
            external_id: None,
            id: OrderId::from_u128(1),
            number: 1,
            status: OrderStatus::Pending,
            fulfillment_status: FulfillmentStatus::Unfulfilled,
            customer: CustomerId::from_u128(1),
            items: vec![item],
            subtotal: None,
            discount: None,
            shipping: None,
            tax_total: None,
            total: Amount::from_micros(10_000_000),
            currency: Currency::MXN,
            amount_paid: None,
            amount_withheld: None,
            withheld_stated: None,
            amount_refunded: Amount::ZERO,
            returned_total: Amount::ZERO,
            refund_due: Amount::ZERO,
            carrier: None,
            tracking_number: None,
            cancel_reason: None,
            credit_note: None,
            shipping_address: None,
            channel: None,
            notes: None,
            metadata: Metadata::default(),
            created_at: Timestamp::from_micros(0),
            updated_at: Timestamp::from_micros(0),
            paid_at: None,
            shipped_at: None,
            delivered_at: None,
            cancelled_at: None,
            version: 1,
        }
    }

    fn to(status: OrderStatus) -> OrderChanges {
        let reason = (status == OrderStatus::Cancelled).then(|| "changed mind".to_owned());
        let refund = reason.is_some();
        OrderChanges { status: Some(status), reason, refund, ..OrderChanges::default() }
    }

    fn walk(path: &[OrderStatus]) -> Result<Updated, Refusal<UpdateError>> {
        let start = Updated {
            order: order(),
            freed: Vec::new(),
            ships: false,
            received: None,
            to_refund: None,
            events: Vec::new(),
        };
        path.iter().try_fold(start, |last, status| {
            update(&last.order, to(*status), Timestamp::from_micros(1))
        })
    }

    #[test]
    fn every_path_of_the_life_cycle() {
        use OrderStatus::{Cancelled, Delivered, Paid, Pending, Shipped};
        let open: &[&[OrderStatus]] = &[
            &[Paid, Shipped, Delivered],
            &[Shipped, Paid, Delivered],
            &[Shipped, Delivered],
            &[Cancelled],
            &[Paid, Cancelled],
            &[Paid, Paid],
        ];
        let shut: &[&[OrderStatus]] = &[
            &[Delivered],
            &[Paid, Pending],
            &[Paid, Delivered],
            &[Shipped, Cancelled],
            &[Shipped, Paid, Paid],
            &[Shipped, Delivered, Paid],
            &[Cancelled, Pending],
            &[Cancelled, Paid],
        ];
        for path in open {
            assert!(walk(path).is_ok(), "{path:?}");
        }
        for path in shut {
            assert!(
                matches!(walk(path), Err(Refusal::Rule(UpdateError::InvalidTransition { .. }))),
                "{path:?}"
            );
        }
    }

    #[test]
    fn a_status_change_is_told_twice() {
        let events = |path: &[OrderStatus]| {
            walk(path).unwrap().events.iter().map(|event| event.name).collect::<Vec<_>>()
        };
        assert_eq!(events(&[OrderStatus::Paid]), ["order.updated", "order.paid"]);
        assert_eq!(events(&[OrderStatus::Shipped]), ["order.updated", "order.shipped"]);
        assert_eq!(events(&[OrderStatus::Shipped, OrderStatus::Paid]), ["order.paid"]);
        assert_eq!(events(&[OrderStatus::Shipped, OrderStatus::Delivered]), ["order.updated"]);
        assert_eq!(events(&[OrderStatus::Paid, OrderStatus::Paid]), [""; 0]);
    }

    #[test]
    fn cash_on_delivery_stays_shipped() {
        let order = walk(&[OrderStatus::Shipped, OrderStatus::Paid]).unwrap().order;
        assert_eq!((order.status, order.paid_at.is_some()), (OrderStatus::Shipped, true));
    }

    #[test]
    fn cancelling_gives_stock_back_and_needs_a_reason() {
        let cancelled = walk(&[OrderStatus::Cancelled]).unwrap();
        assert_eq!(cancelled.freed.iter().map(|part| part.quantity).collect::<Vec<_>>(), [2]);
        let without = OrderChanges { reason: None, ..to(OrderStatus::Cancelled) };
        assert!(matches!(
            update(&order(), without, Timestamp::from_micros(1)),
            Err(Refusal::Invalid(_))
        ));
    }

    #[test]
    fn cancelling_again_changes_nothing() {
        let cancelled = walk(&[OrderStatus::Cancelled]).unwrap().order;
        let again =
            update(&cancelled, to(OrderStatus::Cancelled), Timestamp::from_micros(9)).unwrap();
        assert_eq!((again.order, again.freed.len(), again.events.len()), (cancelled, 0, 0));
    }

    #[test]
    fn cancelling_a_paid_order_owes_the_money_back() {
        let paid = walk(&[OrderStatus::Paid]).unwrap().order;
        let without = OrderChanges { refund: false, ..to(OrderStatus::Cancelled) };
        let refused = update(&paid, without, Timestamp::from_micros(1)).unwrap_err();
        assert!(matches!(refused, Refusal::Rule(UpdateError::RefundNeeded { .. })));
        assert_eq!(
            walk(&[OrderStatus::Paid, OrderStatus::Cancelled]).unwrap().order.refund_due,
            paid.total
        );
    }

    #[test]
    fn what_is_on_its_way_is_not_cancelled_and_says_how_much_is_out() {
        let partly = Order { fulfillment_status: FulfillmentStatus::PartiallyFulfilled, ..order() };
        let number = Some("1Z999".to_owned());
        let dispatched = Dispatched { count: 1, is_any: true, tracking_number: number };
        let now = Timestamp::from_micros(1);
        let change = |changes| update_dispatched(&partly, changes, &dispatched, false, now);
        let cancelled = change(to(OrderStatus::Cancelled)).unwrap_err();
        assert_eq!(cancelled, Refusal::Rule(UpdateError::HasShipments));
        let wanted = Some(FulfillmentStatus::Unfulfilled);
        let wanted = OrderChanges { fulfillment_status: wanted, ..OrderChanges::default() };
        let follows = Refusal::Rule(UpdateError::FulfillmentFollows);
        assert_eq!(change(wanted.clone()).unwrap_err(), follows);
        for status in [OrderStatus::Paid, OrderStatus::Shipped] {
            let hidden = OrderChanges { status: Some(status), ..wanted.clone() };
            assert_eq!(change(hidden).unwrap_err(), follows);
        }
        let shipped = change(to(OrderStatus::Shipped)).unwrap();
        assert!(shipped.ships && shipped.events[1].data.contains("1Z999"));
    }

    #[test]
    fn a_shipped_order_has_gone_out() {
        let shipped = walk(&[OrderStatus::Shipped]).unwrap().order;
        assert_eq!(shipped.fulfillment_status, FulfillmentStatus::Fulfilled);
        let back = OrderChanges {
            fulfillment_status: Some(FulfillmentStatus::Unfulfilled),
            ..OrderChanges::default()
        };
        assert!(update(&shipped, back, Timestamp::from_micros(2)).is_err());
    }

    #[test]
    fn only_a_real_change_makes_a_version() {
        let same = OrderChanges { notes: Some(None), ..OrderChanges::default() };
        assert_eq!(update(&order(), same, Timestamp::from_micros(1)).unwrap().order, order());
        let noted =
            OrderChanges { notes: Some(Some("ring twice".to_owned())), ..OrderChanges::default() };
        assert_eq!(update(&order(), noted, Timestamp::from_micros(1)).unwrap().order.version, 2);
    }
}
