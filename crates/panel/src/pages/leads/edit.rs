//! A lead is added, changed and deleted.

use crm::{
    Lead, LeadChanges, LeadStatus, NewLead, UpdateLead,
    customer::NAME_CHARS_MAX,
    lead::{LINE_CHARS_MAX, NOTES_CHARS_MAX, TAG_CHARS_MAX, TAGS_MAX},
};
use intake::{
    Fields, Form,
    checks::{currency, email, line, number, one_of, paragraph, text, whole_from},
    noun,
};
use kernel::{Amount, Currency, FieldFault, Message, Metadata, message};

use super::{
    PATH,
    acts::{WRITE, back, done, place, refused},
    lead, status_name,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::{
        money::{asking, not_negative},
        reading::phone,
    },
    parts::{Field, Link},
    reply::carried_out,
};

/// What somebody may say of a lead: it is converted by converting it.
const STATUSES: &[LeadStatus] =
    &[LeadStatus::New, LeadStatus::Contacted, LeadStatus::Qualified, LeadStatus::Lost];
/// Between tags.
const BETWEEN: char = ',';

/// What a form says of a lead.
struct Filled {
    name: String,
    email: Option<String>,
    phone: Option<String>,
    company: Option<String>,
    source: Option<String>,
    status: Option<LeadStatus>,
    estimated_value: Option<Amount>,
    currency: Currency,
    owner: Option<String>,
    tags: Vec<String>,
    notes: Option<String>,
    /// The version that the form was filled in on.
    version: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Lead", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let email = fields.optional("email", email());
    let phone = fields.optional("phone", phone());
    let company = fields.optional("company", line(LINE_CHARS_MAX));
    let source = fields.optional("source", line(LINE_CHARS_MAX));
    let status = fields.optional("status", one_of(STATUSES, LeadStatus::name));
    let estimated_value = fields.optional("estimatedValue", number(Some(0), not_negative));
    let currency = fields.optional("currency", currency());
    let owner = fields.optional("ownerId", line(LINE_CHARS_MAX));
    let tags = fields.optional("tags", text(tags));
    let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        name: name?,
        email,
        phone,
        company,
        source,
        status,
        estimated_value,
        currency: currency.unwrap_or(Currency::MXN),
        owner,
        tags: tags.unwrap_or_default(),
        notes,
        version,
    })
}

/// Tags between commas.
fn tags(text: &str) -> Result<Vec<String>, Message> {
    let tags = text.split(BETWEEN).map(str::trim).filter(|tag| !tag.is_empty());
    let tags = tags.map(|tag| kernel::text::line(tag, TAG_CHARS_MAX));
    let tags = tags.collect::<Result<Vec<_>, _>>()?;
    match tags.len() <= TAGS_MAX {
        true => Ok(tags),
        false => Err(message!("must be at most {TAGS_MAX}", "deben ser a lo más {TAGS_MAX}")),
    }
}

/// Tags as [`tags`] reads them.
fn written(tags: &[String]) -> String {
    tags.join(&format!("{BETWEEN} "))
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("leads/new", WRITE, ask_new),
        Page::post("leads/new", WRITE, add),
        Page::get("leads/{id}/edit", WRITE, ask_edit),
        Page::post("leads/{id}/edit", WRITE, edit),
        Page::get("leads/{id}/delete", WRITE, ask_delete),
        Page::post("leads/{id}/delete", WRITE, delete),
    ]
}

/// The fields of a lead; that of its status as long as that is to be said.
fn fields(call: &Call<Member>, values: &Values, has_status: bool) -> Vec<Field> {
    let say = call.say();
    let about = vec![
        Field::text("name", say.name(), values),
        Field::text("company", say.company(), values),
        Field::input("email", "email", say.email(), values),
        Field::input("tel", "phone", say.phone(), values).hint(say.phone_hint()),
    ];
    let choice =
        |status: &LeadStatus| (status.name().to_owned(), status_name(say, *status).to_owned());
    let statuses = STATUSES.iter().map(choice).collect();
    let status = has_status.then(|| Field::select("status", say.state(), statuses, values));
    let rest = vec![
        Field::text("source", say.lead_source(), values),
        Field::text("estimatedValue", say.lead_value(), values),
        Field::text("currency", say.currency(), values).hint(say.pesos_if_left_out()),
        Field::text("ownerId", say.lead_owner(), values),
        Field::text("tags", say.tags(), values).hint(say.tags_hint()),
        Field::area("notes", say.notes(), 4, values),
    ];
    about.into_iter().chain(status).chain(rest).collect()
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(adding(&call, &Values::default(), &[]))
}

fn adding(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let form = call.form(call.href("leads/new"), fields(call, values, true), say.save(), faults);
    let told = (say.new_lead().to_owned(), say.new_lead_intro().to_owned());
    asking(call, told, &form, faults, Link::new(say.leads(), call.href(PATH)))
}

async fn add(call: Call<Member>) -> Result<Answer, Failure> {
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(adding(&call, call.sent.values(), &faults)),
    };
    let new = NewLead {
        external_id: None,
        name: filled.name,
        email: filled.email,
        phone: filled.phone,
        company: filled.company,
        source: filled.source,
        status: filled.status.unwrap_or_default(),
        estimated_value: filled.estimated_value,
        currency: filled.currency,
        owner: filled.owner,
        notes: filled.notes,
        tags: filled.tags,
        metadata: Metadata::default(),
    };
    let adding_it = call.services().leads.create(call.ctx(), new);
    Ok(match carried_out(adding_it, |error| refused(&error)).await? {
        Ok(lead) => done(&call, lead.id, "lead.added"),
        Err(faults) => adding(&call, call.sent.values(), &faults),
    })
}

/// A lead as the form has it.
fn values_of(lead: &Lead) -> Values {
    let value = lead.estimated_value.map(|value| value.to_string()).unwrap_or_default();
    let (currency, tags) = (lead.currency.to_string(), written(&lead.tags));
    let version = lead.version.to_string();
    let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
    let values = [
        ("name", lead.name.clone()),
        ("email", text(&lead.email)),
        ("phone", text(&lead.phone)),
        ("company", text(&lead.company)),
        ("source", text(&lead.source)),
        ("status", lead.status.name().to_owned()),
        ("estimatedValue", value),
        ("currency", currency),
        ("ownerId", text(&lead.owner)),
        ("tags", tags),
        ("notes", text(&lead.notes)),
        ("version", version),
    ];
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn ask_edit(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    Ok(editing(&call, &lead, &values_of(&lead), &[]))
}

fn editing(call: &Call<Member>, lead: &Lead, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let has_status = lead.status != LeadStatus::Converted;
    let fields = fields(call, values, has_status);
    let form = call.form(format!("{}/edit", place(call, lead)), fields, say.save(), faults);
    let form = call.over(form, &values_of(lead));
    let told = (lead.name.clone(), say.edit_lead_intro().to_owned());
    asking(call, told, &form, faults, back(call, lead))
}

async fn edit(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(editing(&call, &lead, call.sent.values(), &faults)),
    };
    // A tag with a comma inside is no two.
    let is_same = written(&filled.tags) == written(&lead.tags);
    let changes = LeadChanges {
        external_id: None,
        name: Some(filled.name),
        email: Some(filled.email),
        phone: Some(filled.phone),
        company: Some(filled.company),
        source: Some(filled.source),
        status: filled.status,
        estimated_value: Some(filled.estimated_value),
        currency: Some(filled.currency),
        owner: Some(filled.owner),
        notes: Some(filled.notes),
        tags: (!is_same).then_some(filled.tags),
        metadata: None,
    };
    let command = UpdateLead { id: lead.id, version: filled.version, changes };
    let editing_it = call.services().leads.update(call.ctx(), command);
    Ok(match carried_out(editing_it, |error| refused(&error)).await? {
        Ok(_) => done(&call, lead.id, "lead.changed"),
        Err(faults) => editing(&call, &lead, call.sent.values(), &faults),
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    Ok(deleting(&call, &lead, &[]))
}

fn deleting(call: &Call<Member>, lead: &Lead, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let action = format!("{}/delete", place(call, lead));
    let form = call.form(action, Vec::new(), say.delete_lead(), faults).dangerous();
    let told = (say.delete_lead().to_owned(), say.delete_lead_intro(&lead.name));
    asking(call, told, &form, faults, back(call, lead))
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    let deleting_it = call.services().leads.delete(call.ctx(), lead.id, None);
    Ok(match carried_out(deleting_it, |error| refused(&error)).await? {
        Ok(_) => call.done_at(PATH, "lead.deleted"),
        Err(faults) => deleting(&call, &lead, &faults),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_stand_between_commas() {
        let texts = |text: &str| tags(text).unwrap();
        assert_eq!(texts(" boda , Navidad,, "), ["boda", "Navidad"]);
        assert_eq!(texts(&written(&texts("a,b"))), ["a", "b"]);
        assert!(tags(&"x,".repeat(TAGS_MAX + 1)).is_err());
        assert!(tags(&"x".repeat(TAG_CHARS_MAX + 1)).is_err());
    }
}
