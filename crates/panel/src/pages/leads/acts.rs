//! What is done about a lead: it becomes a customer and a deal, or another one becomes part of it.

use accounts::{Right, Scope};
use crm::{ConvertLead, Lead, LeadError, LeadId, LeadStatus, MergeLeads, deal::TITLE_CHARS_MAX};
use intake::{
    Form,
    checks::{id, line, number},
    noun,
};
use kernel::{Amount, FieldFault, message};

use super::{PATH, lead};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::money::{asking, not_negative},
    parts::{Field, Link},
    reply::{carried_out, found, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Leads);

/// What the deal is called, and what it is worth.
const CONVERSION: Form<(Option<String>, Option<Amount>)> = Form::body(
    "Conversion",
    noun("this form", "este formulario"),
    |fields| {
        let title = fields.optional("title", line(TITLE_CHARS_MAX));
        Some((title, fields.optional("value", number(Some(0), not_negative))))
    },
    "",
);
const MERGING: Form<LeadId> = Form::body(
    "Merging",
    noun("this form", "este formulario"),
    |fields| {
        fields.required("from", id(noun("a lead", "un prospecto"), LeadId::PREFIX, LeadId::parse))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("leads/{id}/convert", WRITE, ask_convert),
        Page::post("leads/{id}/convert", WRITE, convert),
        Page::get("leads/{id}/merge", WRITE, ask_merge),
        Page::post("leads/{id}/merge", WRITE, merge),
    ]
}

/// Whether the member may turn a lead into a customer and a deal.
pub(super) fn may_convert(call: &Call<Member>, lead: &Lead) -> bool {
    let is_open = !matches!(lead.status, LeadStatus::Converted | LeadStatus::Lost);
    call.may(WRITE) && is_open && lead.merged_into.is_none()
}

pub(super) fn place(call: &Call<Member>, lead: &Lead) -> String {
    format!("{}/{}", call.href(PATH), lead.id)
}

pub(super) fn back(call: &Call<Member>, lead: &Lead) -> Link {
    Link::new(lead.name.clone(), place(call, lead))
}

pub(super) fn done(call: &Call<Member>, id: LeadId, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{id}"), word)
}

async fn ask_convert(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    let title = lead.company.clone().unwrap_or_else(|| lead.name.clone());
    let value = lead.estimated_value.map(|value| value.to_string()).unwrap_or_default();
    let values = Values::with(&[("title", title.as_str()), ("value", value.as_str())]);
    Ok(converting(&call, &lead, &values, &[]))
}

fn converting(call: &Call<Member>, lead: &Lead, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let fields = vec![
        Field::text("title", say.deal_title(), values),
        Field::text("value", say.lead_value(), values).hint(lead.currency.to_string()),
    ];
    let action = format!("{}/convert", place(call, lead));
    let form = call.form(action, fields, say.convert(), faults);
    let told = (say.convert().to_owned(), say.convert_intro().to_owned());
    asking(call, told, &form, faults, back(call, lead))
}

async fn convert(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    let (title, value) = match call.read(&CONVERSION)? {
        Ok(given) => given,
        Err(faults) => return Ok(converting(&call, &lead, call.sent.values(), &faults)),
    };
    let command = ConvertLead { id: lead.id, customer: None, title, value, currency: None };
    let converting_it = call.services().leads.convert(call.ctx(), command);
    Ok(match carried_out(converting_it, |error| refused(&error)).await? {
        // What came of it is gone on with.
        Ok(conversion) if call.may(Right::read(Scope::Deals)) => {
            call.done_at(&format!("deals/{}", conversion.deal.id), "lead.converted")
        }
        Ok(_) => done(&call, lead.id, "lead.converted"),
        Err(faults) => converting(&call, &lead, call.sent.values(), &faults),
    })
}

async fn ask_merge(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    let from = call.query.filled("from").and_then(LeadId::parse).ok_or(Failure::Nothing)?;
    merging(&call, &lead, from, &[]).await
}

async fn merging(
    call: &Call<Member>,
    lead: &Lead,
    from: LeadId,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let other = found(call.services().leads.get(call.account(), from)).await?;
    let action = format!("{}/merge", place(call, lead));
    let form = call.form(action, Vec::new(), say.merge(), faults).dangerous();
    let form = form.hidden("from", from.to_string());
    let told = (say.merge().to_owned(), say.merge_intro(&other.name, &lead.name));
    Ok(asking(call, told, &form, faults, back(call, lead)))
}

async fn merge(call: Call<Member>) -> Result<Answer, Failure> {
    let lead = lead(&call).await?;
    let from = match call.read(&MERGING)? {
        Ok(from) => from,
        Err(faults) => return Err(crate::pages::money::refused(&faults)),
    };
    let command = MergeLeads { into: lead.id, from: vec![from] };
    let merging_them = call.services().leads.merge(call.ctx(), command);
    match carried_out(merging_them, |error| refused(&error)).await? {
        Ok(_) => Ok(done(&call, lead.id, "lead.merged")),
        Err(faults) => merging(&call, &lead, from, &faults).await,
    }
}

/// Why a lead stays as it is.
pub(super) fn refused(error: &LeadError) -> FieldFault {
    whole(match error {
        LeadError::InvalidTransition { .. } => message!(
            "A lead in this state cannot be converted.",
            "Un prospecto en este estado no se puede convertir."
        ),
        LeadError::Merged { .. } => message!(
            "The lead was merged into another one. Continue with that one.",
            "El prospecto ya se unió a otro. Continúa con ese."
        ),
        LeadError::SeveralConverted { .. } => message!(
            "Both were already converted, so they cannot be merged.",
            "Ambos ya se convirtieron y no se pueden unir."
        ),
        LeadError::CustomerDeleted { .. } => message!(
            "The customer that it became has been deleted since.",
            "El cliente en que se convirtió ya se eliminó."
        ),
        LeadError::DuplicateExternalId { .. } => {
            message!("Another lead has this external id.", "Otro prospecto tiene este id externo.")
        }
    })
}
