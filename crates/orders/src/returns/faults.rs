//! What is wrong with a return as it was asked for.

use kernel::{FieldFault, Refusal, message};

use super::{NewReturn, ReturnError};
use crate::{Order, order::no_such_line};

/// Refuses what names no line, names one twice, or states a quantity, place or amount that cannot be.
pub(super) fn refuse_faults(
    order: &Order,
    new: &NewReturn,
    were_shipped: bool,
) -> Result<(), Refusal<ReturnError>> {
    let mut faults = Vec::new();
    let count = order.items.len();
    for (index, wanted) in new.lines.iter().enumerate() {
        let field = format!("items[{index}].line");
        if wanted.line == 0 || wanted.line > count {
            faults.push(FieldFault::new(field, no_such_line(count)));
        } else if new.lines.iter().take(index).any(|other| other.line == wanted.line) {
            let problem =
                message!("is named twice: add the quantities up", "se repite: sume las cantidades");
            faults.push(FieldFault::new(field, problem));
        }
        let item = wanted.line.checked_sub(1).and_then(|line| order.items.get(line));
        if let Some(Err(problem)) = item.map(|item| wanted.quantity.kept(item.decimals)) {
            faults.push(FieldFault::new(format!("items[{index}].quantity"), problem));
        }
        // What was not shipped is released where it lies, for sale again or not.
        if were_shipped && wanted.warehouse.is_some() && !wanted.is_restocked {
            let problem = message!(
                "says where the goods go, but they are not for sale again: send \"restock\": true, or leave it out",
                "dice a dónde va la mercancía, pero no vuelve a la venta: enviar \"restock\": true u omitirlo"
            );
            faults.push(FieldFault::new(format!("items[{index}].warehouseId"), problem));
        }
    }
    if let Some(shipping) = new.shipping {
        let decimals = order.currency.decimals();
        if shipping.is_negative() || !shipping.fits(decimals) {
            let problem = message!(
                "must not be negative and have at most {decimals} decimals",
                "no debe ser negativo y debe tener a lo más {decimals} decimales"
            );
            faults.push(FieldFault::new("shipping", problem));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Refusal::Invalid(faults)) }
}
