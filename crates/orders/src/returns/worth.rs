//! What goods that come back are worth, and what of that is given back.

use kernel::{Amount, Quantity};
use pricing::step;

use super::{Earlier, NewReturn, ReturnError};
use crate::Order;

/// What so many of `quantity` units are worth of what all of them cost, in millionths, rounded half up to that many
/// decimals. Shares of more and more units grow by what each is worth, and add up to the whole.
pub(crate) fn share(total: Amount, units: Quantity, quantity: Quantity, decimals: u32) -> i64 {
    let step = i128::from(step(decimals));
    let quantity = i128::from(quantity.max(1)) * step;
    let exact = i128::from(total.micros()) * i128::from(units);
    let steps = (2 * exact + quantity).div_euclid(2 * quantity);
    i64::try_from(steps * step).unwrap_or(i64::MAX)
}

/// What of the shipping is given back.
pub(super) fn shipping_back(
    order: &Order,
    new: &NewReturn,
    earlier: &Earlier,
) -> Result<Amount, ReturnError> {
    let shipping = new.shipping.unwrap_or_default();
    let left = order.shipping_total().micros().saturating_sub(earlier.shipping.micros());
    if shipping.micros() > left {
        return Err(ReturnError::ShippingExceeded { left: Amount::from_micros(left) });
    }
    Ok(shipping)
}

/// What can be refunded of a return's worth without what is withheld of it: as far as it is owed, no refund under way gives
/// it back, and payments can.
pub(super) fn refundable(order: &Order, net: Amount, earlier: &Earlier) -> Amount {
    let owed = order.refund_due.micros().saturating_sub(earlier.refund_pending.micros());
    net.min(Amount::from_micros(owed.max(0))).min(earlier.refundable)
}
