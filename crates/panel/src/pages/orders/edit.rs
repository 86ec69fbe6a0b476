//! What of an order may change once it is placed: where it goes, and what is noted on it.

use intake::{
    Form,
    checks::{paragraph, whole_from},
    noun,
};
use kernel::{FieldFault, message};
use orders::{Order, OrderChanges, ReviseOrder, ShippingAddress, order::NOTES_CHARS_MAX};

use super::{
    acts::{act, done, place},
    address,
    detail::order,
    shipping::WRITE,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    parts::Field,
    reply::{carried_out, whole},
};

const CHANGES: Form<(Option<ShippingAddress>, Option<String>)> = Form::body(
    "Changes",
    noun("this form", "este formulario"),
    |fields| {
        let address = address::read(fields);
        let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
        // Looked at by who carries it out.
        let _: Option<i64> = fields.optional("version", whole_from(1));
        Some((address, notes))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders/{id}/edit", WRITE, ask), Page::post("orders/{id}/edit", WRITE, change)]
}

/// An order as the form has it.
fn values_of(order: &Order) -> Values {
    let version = order.version.to_string();
    let mut values = order.shipping_address.as_ref().map(address::shown).unwrap_or_default();
    values.extend(order.notes.as_deref().map(|notes| ("notes", notes)));
    values.push(("version", version.as_str()));
    Values::with(&values)
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    Ok(form(&call, &order, &values_of(&order), &[]))
}

fn form(call: &Call<Member>, order: &Order, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let mut fields = address::inputs(say, values);
    fields.push(Field::area("notes", say.notes(), 3, values));
    let form = call.form(place(call, order, "edit"), fields, say.save(), faults);
    let form = call.over(form, &values_of(order));
    let told = (say.edit(), say.edit_order_intro().to_owned());
    act(call, order, told, &form, !faults.is_empty())
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let order = order(&call).await?;
    let again = |faults: &[FieldFault]| form(&call, &order, call.sent.values(), faults);
    let (address, notes) = match call.read(&CHANGES)? {
        Ok(given) => given,
        Err(faults) => return Ok(again(&faults)),
    };
    let changes = OrderChanges {
        shipping_address: Some(address),
        notes: Some(notes),
        ..OrderChanges::default()
    };
    let command = ReviseOrder { id: order.id, version: call.seen_version(), changes };
    let changing = call.services().orders.update(call.ctx(), command);
    let unchanged = |_| {
        whole(message!(
            "The order cannot be changed as it stands.",
            "El pedido no se puede modificar como está."
        ))
    };
    Ok(match carried_out(changing, unchanged).await? {
        Ok(_) => done(&call, &order, "order.changed"),
        Err(faults) => {
            let here = |fault: FieldFault| match address::field(&fault.field) {
                Some(field) => FieldFault { field, ..fault },
                None => fault,
            };
            again(&faults.into_iter().map(here).collect::<Vec<_>>())
        }
    })
}
