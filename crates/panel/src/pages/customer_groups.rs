//! Groups of customers, whom price lists are for.

use accounts::{Right, Scope};
use crm::{
    CustomerGroup, CustomerGroupChanges, CustomerGroupError, CustomerGroupId, NewCustomerGroup,
    UpdateCustomerGroup, group::GROUP_NAME_CHARS_MAX,
};
use intake::{
    Form,
    checks::{line, whole_from},
    noun,
};
use kernel::{FieldFault, message};

use super::{
    deletion::{DELETION, Going},
    linked::nothing_yet,
    stock::view::{Cell, Table, all_of, asking, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    parts::Field,
    reply::{answered, carried_out, found, whole},
};

const READ: Right = Right::read(Scope::Customers);
const WRITE: Right = Right::write(Scope::Customers);
const PATH: &str = "customer-groups";

/// Its name, and the version of a known one.
const FORM: Form<(String, Option<i64>)> = Form::body(
    "CustomerGroup",
    noun("this form", "este formulario"),
    |fields| {
        let name = fields.required("name", line(GROUP_NAME_CHARS_MAX));
        let version = fields.optional("version", whole_from(1));
        Some((name?, version))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show),
        Page::get("customer-groups/new", WRITE, ask_new),
        Page::post("customer-groups/new", WRITE, create),
        Page::get("customer-groups/{id}", WRITE, ask_change),
        Page::post("customer-groups/{id}", WRITE, change),
        Page::get("customer-groups/{id}/delete", WRITE, ask_delete),
        Page::post("customer-groups/{id}/delete", WRITE, delete),
    ]
}

/// Every group with its name, as choices of a field; the first one is none.
pub(super) async fn choices(call: &Call<Member>) -> Result<Vec<(String, String)>, Failure> {
    let mut groups = match call.may(READ) {
        true => answered(call.services().customer_groups.all(call.account())).await?,
        false => Vec::new(),
    };
    groups.sort_by_cached_key(|group| kernel::text::folded(&group.name));
    let groups = groups.into_iter().map(|group| (group.id.to_string(), group.name));
    let none = (String::new(), call.say().no_group().to_owned());
    Ok(std::iter::once(none).chain(groups).collect())
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let mut groups = answered(call.services().customer_groups.all(call.account())).await?;
    groups.sort_by_cached_key(|group| kernel::text::folded(&group.name));
    let may_write = call.may(WRITE);
    let row = |group: &CustomerGroup| {
        let customers = format!("{}?group={}", call.href("customers"), group.id);
        let own = format!("{}/{}", call.href(PATH), group.id);
        let name = match may_write {
            true => Cell::link(group.name.clone(), own),
            false => Cell::text(group.name.clone()),
        };
        vec![name, Cell::link(say.customers(), customers)]
    };
    let table = Table::new(vec![words(say.name()), words(say.customers())], groups.iter().map(row));
    let sheet = all_of(
        say.customer_groups(),
        table,
        nothing_yet(
            &call,
            say.no_customer_groups(),
            (say.new_customer_group(), "customer-groups/new"),
        ),
    );
    let sheet = sheet.back(say.customers(), call.href("customers"));
    Ok(call.page(match may_write {
        true => sheet.action(say.new_customer_group(), call.href("customer-groups/new")),
        false => sheet,
    }))
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(naming(&call, None, &Values::default(), &[]))
}

fn naming(
    call: &Call<Member>,
    group: Option<&CustomerGroup>,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let fields = vec![Field::text("name", say.name(), values)];
    let (title, place) = match group {
        None => (say.new_customer_group().to_owned(), format!("{PATH}/new")),
        Some(group) => (group.name.clone(), format!("{PATH}/{}", group.id)),
    };
    let mut form = call.form(call.href(&place), fields, say.save(), faults);
    if let Some(group) = group {
        form = call.over(form, &values_of(group));
        form = form.leads_to(say.delete(), call.href(&format!("{place}/delete")));
    }
    let back = (say.customer_groups(), PATH);
    asking(call, (title, say.customer_group_intro()), &form, !faults.is_empty(), back)
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let (name, _) = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return Ok(naming(&call, None, call.sent.values(), &faults)),
    };
    let creating = call.services().customer_groups.create(call.ctx(), NewCustomerGroup { name });
    Ok(match carried_out(creating, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "group.saved"),
        Err(faults) => naming(&call, None, call.sent.values(), &faults),
    })
}

/// The group of the path.
async fn one(call: &Call<Member>) -> Result<CustomerGroup, Failure> {
    let id = CustomerGroupId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().customer_groups.get(call.account(), id)).await
}

/// A group as the form has it.
fn values_of(group: &CustomerGroup) -> Values {
    let version = group.version.to_string();
    Values::with(&[("name", group.name.as_str()), ("version", version.as_str())])
}

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let group = one(&call).await?;
    Ok(naming(&call, Some(&group), &values_of(&group), &[]))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let group = one(&call).await?;
    let (name, version) = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return Ok(naming(&call, Some(&group), call.sent.values(), &faults)),
    };
    let changes = CustomerGroupChanges { name: Some(name) };
    let command = UpdateCustomerGroup { id: group.id, version, changes };
    let changing = call.services().customer_groups.update(call.ctx(), command);
    Ok(match carried_out(changing, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "group.saved"),
        Err(faults) => naming(&call, Some(&group), call.sent.values(), &faults),
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let group = one(&call).await?;
    Ok(deleting(&call, &group, &[]))
}

fn deleting(call: &Call<Member>, group: &CustomerGroup, faults: &[FieldFault]) -> Answer {
    let place = format!("{PATH}/{}", group.id);
    let text = call.say().delete_group_intro();
    Going { place, name: &group.name, version: group.version, text }.asked(call, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let group = one(&call).await?;
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return Ok(deleting(&call, &group, &faults)),
    };
    let deleting_it = call.services().customer_groups.delete(call.ctx(), group.id, version);
    Ok(match carried_out(deleting_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "group.deleted"),
        Err(faults) => deleting(&call, &group, &faults),
    })
}

fn told(error: &CustomerGroupError) -> FieldFault {
    match error {
        CustomerGroupError::DuplicateName { .. } => FieldFault::new(
            "name",
            message!("is already the name of another group", "ya es de otro grupo"),
        ),
        CustomerGroupError::TooMany { max } => whole(message!(
            "The account has {max} groups, the maximum.",
            "La cuenta tiene {max} grupos, el máximo."
        )),
        CustomerGroupError::HasCustomers => whole(message!(
            "There are customers in this group: move them to another one first.",
            "Hay clientes en este grupo: muévelos antes a otro."
        )),
        CustomerGroupError::HasPriceLists => whole(message!(
            "A price list is for this group: change or delete that list first.",
            "Una lista de precios es para este grupo: cambia o elimina antes esa lista."
        )),
    }
}
