//! The places that an account sells at.

use intake::{
    Fields, Form,
    checks::{id, line, text, whole_from},
    noun,
};
use invoices::{
    Branch, BranchChanges, BranchId, BranchSeries, IssuerId, NewBranch, UpdateBranch,
    series::SERIES_CHARS_MAX, sheet::ADDRESS_CHARS_MAX,
};
use kernel::FieldFault;

use super::{
    PATH, WRITE, deletion,
    issuers::{known_zip, series_fields},
    with_form,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::{invoices::told::told, reading::phone},
    parts::Field,
    reply::{answered, concluded, found},
};

/// Maximum characters of a name.
const NAME_CHARS_MAX: usize = 120;
/// The lines of a postal address, as many as are printed.
pub(super) const ADDRESS: &[&str] = &["address[0]", "address[1]", "address[2]", "address[3]"];

/// What a form says of a branch.
struct Filled {
    branch: NewBranch,
    version: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Branch", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let issuer = id(noun("an issuer", "un emisor"), IssuerId::PREFIX, IssuerId::parse);
    let issuer = fields.optional("issuerId", issuer);
    let place_of_issue = fields.required("placeOfIssue", text(known_zip));
    let mut series = |name| fields.optional(name, line(SERIES_CHARS_MAX));
    let series = BranchSeries {
        income: series("series.income"),
        credit: series("series.credit"),
        payment: series("series.payment"),
        transfer: series("series.transfer"),
    };
    let address =
        ADDRESS.iter().copied().filter_map(|name| fields.optional(name, line(ADDRESS_CHARS_MAX)));
    let address = address.collect();
    let phone = fields.optional("phone", phone());
    let version = fields.optional("version", whole_from(1));
    let (name, place_of_issue) = (name?, place_of_issue?);
    let branch = NewBranch { name, issuer, place_of_issue, series, address, phone };
    Some(Filled { branch, version })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/invoicing/branches/new", WRITE, show_new),
        Page::post("settings/invoicing/branches/new", WRITE, create),
        Page::get("settings/invoicing/branches/{id}", WRITE, show),
        Page::post("settings/invoicing/branches/{id}", WRITE, change),
        Page::get("settings/invoicing/branches/{id}/delete", WRITE, ask_delete),
        Page::post("settings/invoicing/branches/{id}/delete", WRITE, delete),
    ]
}

/// The branch of the path.
async fn branch(call: &Call<Member>) -> Result<Branch, Failure> {
    let id = BranchId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().branches.branch(call.account(), id)).await
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    page(&call, None, &Values::default(), &[]).await
}

/// A branch as the form has it.
fn values_of(branch: &Branch) -> Values {
    let (issuer, version) = (branch.issuer.map(|id| id.to_string()), branch.version.to_string());
    let series = &branch.series;
    let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
    let mut values = vec![
        ("name", branch.name.clone()),
        ("issuerId", text(&issuer)),
        ("placeOfIssue", branch.place_of_issue.clone()),
        ("series.income", text(&series.income)),
        ("series.credit", text(&series.credit)),
        ("series.payment", text(&series.payment)),
        ("series.transfer", text(&series.transfer)),
        ("phone", text(&branch.phone)),
        ("version", version),
    ];
    values.extend(ADDRESS.iter().copied().zip(branch.address.iter().cloned()));
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let branch = branch(&call).await?;
    page(&call, Some(&branch), &values_of(&branch), &[]).await
}

async fn page(
    call: &Call<Member>,
    branch: Option<&Branch>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let issuers = answered(call.services().issuers.issuers(call.account())).await?;
    let issuer = (issuers.len() > 1).then(|| {
        let known = issuers
            .iter()
            .map(|issuer| (issuer.id.to_string(), format!("{} {}", issuer.rfc, issuer.legal_name)));
        let any = (String::new(), say.every_issuer().to_owned());
        let known = std::iter::once(any).chain(known).collect();
        Field::select("issuerId", say.issuer(), known, values)
    });
    let line = |(place, name): (usize, &'static str)| {
        Field::text(name, say.address_line(place + 1), values)
    };
    let lines = ADDRESS.iter().copied().enumerate().map(line).collect();
    let others = [
        Field::text("placeOfIssue", say.place_of_issue(), values).hint(say.place_of_issue_hint()),
        Field::group("series", say.series(), series_fields(say, values))
            .hint(say.branch_series_hint()),
        Field::group("address", say.printed_address(), lines),
        Field::input("tel", "phone", say.phone(), values).hint(say.phone_hint()),
    ];
    let name = Field::text("name", say.name(), values);
    let fields = std::iter::once(name).chain(issuer).chain(others).collect();
    let (title, place) = match branch {
        Some(branch) => (branch.name.as_str(), branch.id.to_string()),
        None => (say.add_branch(), "new".to_owned()),
    };
    let place = format!("{}/branches/{place}", call.href(PATH));
    let form = call.form(place, fields, say.save(), faults);
    let form = match branch {
        Some(branch) => call.over(form, &values_of(branch)),
        None => form,
    };
    Ok(with_form(call, title, &form, faults))
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let Filled { branch, .. } = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, None, call.sent.values(), &faults).await,
    };
    let creating = call.services().branches.create_branch(call.ctx(), branch);
    match concluded(creating, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(PATH, "branch.saved")),
        Err(faults) => page(&call, None, call.sent.values(), &faults).await,
    }
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let before = branch(&call).await?;
    let Filled { branch, version } = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, Some(&before), call.sent.values(), &faults).await,
    };
    // A field that the form leaves empty is cleared.
    let changes = BranchChanges {
        name: Some(branch.name),
        issuer: Some(branch.issuer),
        place_of_issue: Some(branch.place_of_issue),
        series: Some(branch.series),
        address: Some(branch.address),
        phone: Some(branch.phone),
    };
    let command = UpdateBranch { id: before.id, version, changes };
    let changing = call.services().branches.update_branch(call.ctx(), command);
    match concluded(changing, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(PATH, "branch.saved")),
        Err(faults) => page(&call, Some(&before), call.sent.values(), &faults).await,
    }
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let branch = branch(&call).await?;
    Ok(deleting(&call, &branch, &[]))
}

fn deleting(call: &Call<Member>, branch: &Branch, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let place = format!("{}/branches/{}/delete", call.href(PATH), branch.id);
    let form = call.form(place, Vec::new(), say.delete(), faults);
    let form = form.hidden("version", branch.version.to_string());
    let title = say.delete_title(&branch.name);
    deletion(call, (&title, say.delete_branch_intro().to_owned()), form, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let branch = branch(&call).await?;
    let deleting_it =
        call.services().branches.delete_branch(call.ctx(), branch.id, call.seen_version());
    Ok(match concluded(deleting_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "branch.deleted"),
        Err(faults) => deleting(&call, &branch, &faults),
    })
}
