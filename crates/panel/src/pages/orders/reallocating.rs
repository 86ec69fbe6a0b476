//! What is promised to an order from one warehouse is promised from another.

use intake::{
    Fields, Form,
    checks::{id, some_units, text},
    noun,
};
use kernel::{FieldFault, Measure, Message, message, quantity::QUANTITY_MAX};
use orders::{Order, ReallocateError, Reallocation, WarehouseId};

use super::{
    acts::{act, done, place},
    detail::order,
    shipping::{Open, WRITE, named, open},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::quantity,
    page::Page,
    pages::{
        refusals::waits_for_upgrade,
        stock::shared::{Places, places},
    },
    parts::Field,
    reply::{carried_out, whole},
};

const ONE: Measure = Measure::whole(1);

/// What a form says: the place of a line with the warehouse that it is promised from, where to, and how much if not all.
struct Wanted {
    part: (usize, WarehouseId),
    to: WarehouseId,
    quantity: Option<Measure>,
}

const REALLOCATION: Form<Wanted> =
    Form::body("Reallocation", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let part = fields.required("part", text(part));
    let place = id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let to = fields.required("to", place);
    let quantity = fields.optional("quantity", some_units(QUANTITY_MAX));
    Some(Wanted { part: part?, to: to?, quantity })
}

/// A line and a warehouse, as the choices of a form name them.
fn part(given: &str) -> Result<(usize, WarehouseId), Message> {
    let read = || {
        let (line, warehouse) = given.split_once(' ')?;
        Some((line.parse::<usize>().ok()?, WarehouseId::parse(warehouse)?))
    };
    read().ok_or_else(|| message!("is none of the choices", "no es ninguna de las opciones"))
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("orders/{id}/reallocate", WRITE, ask),
        Page::post("orders/{id}/reallocate", WRITE, reallocate),
    ]
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let (open, places) = (open(&call, &order).await?, places(&call).await?);
    Ok(form(&call, (&order, &open, &places), &Values::default(), &[]))
}

fn form(
    call: &Call<Member>,
    (order, open, places): (&Order, &Open, &Places),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let parts = open.lines().flat_map(|(line, parts)| {
        parts.iter().filter_map(move |(warehouse, left)| {
            let item = order.items.get(line)?;
            let label =
                format!("{} · {}: {}", item.name, named(places, *warehouse), quantity(*left));
            Some((format!("{line} {warehouse}"), label))
        })
    });
    let fields = vec![
        Field::select("part", say.product(), parts.collect(), values),
        Field::select("to", say.leaves_from(), places.choices(), values),
        Field::text("quantity", say.quantity(), values).hint(say.all_if_empty()),
    ];
    let form = call.form(place(call, order, "reallocate"), fields, say.reallocate(), faults);
    let told = (say.reallocate(), say.reallocate_intro().to_owned());
    act(call, order, told, &form, !faults.is_empty())
}

async fn reallocate(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let (open, places) = (open(&call, &order).await?, places(&call).await?);
    let again =
        |faults: &[FieldFault]| form(&call, (&order, &open, &places), call.sent.values(), faults);
    let wanted = match call.read(&REALLOCATION)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let (line, from) = wanted.part;
    // Where nothing is left it was sent before, which the service tells, or there is too little for any.
    let quantity = wanted.quantity.or_else(|| open.left(line, from)).unwrap_or(ONE);
    let parts = vec![Reallocation { line, quantity, from, to: wanted.to }];
    let moving = call.services().orders.reallocate(call.ctx(), order.id, parts);
    Ok(match carried_out(moving, |error| unmoved(&error)).await? {
        Ok(_) => done(&call, &order, "order.reallocated"),
        Err(faults) => {
            let here = |fault: FieldFault| match fault.field.strip_prefix("items[0].") {
                Some("to") => FieldFault::new("to", fault.problem),
                Some("quantity") => FieldFault::new("quantity", fault.problem),
                Some(_) => FieldFault::new("part", fault.problem),
                None => fault,
            };
            again(&faults.into_iter().map(here).collect::<Vec<_>>())
        }
    })
}

/// Why it stays promised from where it is.
fn unmoved(error: &ReallocateError) -> FieldFault {
    match error {
        ReallocateError::WrongStatus { .. } => whole(message!(
            "Nothing is reserved for an order in this state.",
            "A un pedido en este estado no se le aparta nada."
        )),
        ReallocateError::TooMany { open, .. } => {
            let most = open.amount();
            FieldFault::new(
                "quantity",
                message!(
                    "must be at most {most}, what is reserved there",
                    "debe ser a lo más {most}, lo apartado ahí"
                ),
            )
        }
        ReallocateError::OutOfStock { available, .. } => {
            let most = available.amount();
            FieldFault::new(
                "to",
                message!("has {most} left to reserve", "tiene {most} por apartar"),
            )
        }
        ReallocateError::UpgradeUnfinished => whole(waits_for_upgrade()),
    }
}
