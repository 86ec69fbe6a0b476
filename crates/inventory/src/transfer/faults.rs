//! What is wrong with what is said to have arrived.

use kernel::{FieldFault, Measure, Message, Quantity, message, quantity::QUANTITY_MAX};

use super::{ArrivedLine, Arriving, Transfer, accounted};
use crate::{Sku, WarehouseId, adjustment::too_many};

pub(super) fn faults(
    before: &Transfer,
    arriving: &Arriving,
    available: impl Fn(Sku, WarehouseId) -> Option<Quantity>,
) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    for (index, part) in arriving.lines.iter().enumerate() {
        let Some(line) = before.lines.get(part.line) else {
            let problem = match before.lines.len() {
                1 => message!(
                    "must be 1: the transfer has one line",
                    "debe ser 1: el traspaso tiene una sola partida"
                ),
                count => message!(
                    "must be from 1 to {count}, the lines of the transfer",
                    "debe ser de 1 a {count}, las partidas del traspaso"
                ),
            };
            faults.push(FieldFault::new(format!("items[{index}].line"), problem));
            continue;
        };
        let unkept = unkept(index, part, line.sku);
        if !unkept.is_empty() {
            faults.extend(unkept);
            continue;
        }
        let rest = line.in_transit;
        let overflows = arrivals(part, before).iter().any(|(place, more)| {
            let more = more.quantity(line.sku.decimals);
            available(line.sku, *place).is_some_and(|there| there + more > QUANTITY_MAX)
        });
        let differs = part.damaged + part.lost + part.found > Measure::ZERO;
        if let Some(other) =
            arriving.lines.iter().take(index).position(|other| other.line == part.line)
        {
            let problem = message!(
                "names the same line as items[{other}]",
                "nombra la misma partida que items[{other}]"
            );
            faults.push(FieldFault::new(format!("items[{index}].line"), problem));
        } else if accounted(part) + part.found == Measure::ZERO {
            faults.push(fault(index, nothing()));
        } else if accounted(part) > rest {
            faults.push(fault(index, too_much(rest)));
        } else if differs && part.reason.is_none() {
            faults.push(FieldFault::new(format!("items[{index}].reason"), unexplained()));
        } else if part.found > Measure::ZERO && available(line.sku, before.to).is_none() {
            faults.push(FieldFault::new(format!("items[{index}].found"), gone()));
        } else if overflows {
            faults.push(fault(index, too_many(line.sku)));
        }
    }
    faults
}

/// What is stated with decimals that are not kept.
fn unkept(index: usize, part: &ArrivedLine, sku: Sku) -> Vec<FieldFault> {
    let stated = [
        ("received", part.received),
        ("damaged", part.damaged),
        ("lost", part.lost),
        ("found", part.found),
    ];
    let fault = |(field, stated): (&str, Measure)| {
        let problem = stated.kept(sku.decimals).err()?;
        Some(FieldFault::new(format!("items[{index}].{field}"), problem))
    };
    stated.into_iter().filter_map(fault).collect()
}

/// How many arrive in each place.
fn arrivals(part: &ArrivedLine, transfer: &Transfer) -> Vec<(WarehouseId, Measure)> {
    let (good, damaged) = (part.received + part.found, part.damaged);
    match transfer.quarantine {
        Some(place) if place == transfer.to => vec![(place, good + damaged)],
        Some(place) => vec![(transfer.to, good), (place, damaged)],
        None => vec![(transfer.to, good)],
    }
}

fn fault(index: usize, problem: Message) -> FieldFault {
    FieldFault::new(format!("items[{index}]"), problem)
}

fn nothing() -> Message {
    message!(
        "must have at least one of received, damaged, lost and found above 0",
        "debe llevar received, damaged, lost o found mayor que 0"
    )
}

fn too_much(rest: Measure) -> Message {
    message!(
        "accounts for more than the {rest} that are in transit; what was not sent is found",
        "da cuenta de más de lo que está en tránsito ({rest}); lo que no se envió va en found"
    )
}

fn gone() -> Message {
    message!(
        "must be 0: the product has left the catalog, so there is nowhere to put what was not sent",
        "debe ser 0: el producto ya no está en el catálogo y no hay dónde poner lo que no se envió"
    )
}

fn unexplained() -> Message {
    message!(
        "is required where something is damaged, lost or found",
        "es obligatorio si algo se dañó, se perdió o se encontró de más"
    )
}
