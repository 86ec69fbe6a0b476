//! The reader of what is to be promised from other warehouses.

use intake::{
    Check, Fields, Form,
    checks::{id, objects, some_units, whole},
    noun,
};
use kernel::quantity::QUANTITY_MAX;
use orders::{Reallocation, WarehouseId, order::ITEMS_MAX};

use super::super::examples;

pub(in crate::resources::orders) const REALLOCATE: Form<Vec<Reallocation>> = Form::body(
    "ReallocateOrder",
    noun("a reallocation", "una reasignación"),
    read,
    examples::REALLOCATE,
);

fn read(fields: &mut Fields<'_>) -> Option<Vec<Reallocation>> {
    let items = objects(noun("an item", "una partida"), 1..=ITEMS_MAX, read_part);
    fields.required("items", items)
}

fn read_part(fields: &mut Fields<'_>) -> Option<Reallocation> {
    let line = whole(1..=ITEMS_MAX as i64).about("Which item of the order, starting at 1.");
    let line = fields.required("line", line);
    let quantity = fields.required("quantity", some_units(QUANTITY_MAX));
    let place = || id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let from = fields.required("from", place().about("Warehouse that they are promised from."));
    let to = fields.required("to", place().about("Warehouse that they are to be promised from."));
    let line = usize::try_from(line?).ok()?.checked_sub(1)?;
    Some(Reallocation { line, quantity: quantity?, from: from?, to: to? })
}

#[cfg(test)]
mod tests {
    use kernel::Measure;

    use super::*;

    #[test]
    fn the_example_is_read() {
        let parts = REALLOCATE.read_body(examples::REALLOCATE.as_bytes()).unwrap();
        assert_eq!((parts.len(), parts[0].line, parts[0].quantity), (1, 0, Measure::whole(2)));
        for wrong in [r#"{"items": []}"#, r#"{"items": [{"line": 1, "quantity": 1}]}"#, "{}"] {
            assert!(REALLOCATE.read_body(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
