//! Series, and the folio that their next document gets.

use intake::{
    Form,
    checks::{id, line, whole},
    noun,
};
use invoices::{
    IssuerId,
    series::{FOLIO_MAX, SERIES_CHARS_MAX},
};
use kernel::FieldFault;

use super::{PATH, WRITE, with_form};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::invoices::told::told,
    parts::Field,
    reply::{answered, concluded},
};

/// A series and the folio that comes next, over the one that was seen to.
struct Filled {
    issuer: Option<IssuerId>,
    series: String,
    next: u64,
    seen: Option<i64>,
}

const FORM: Form<Filled> = Form::body(
    "Series",
    noun("this form", "este formulario"),
    |fields| {
        let issuer = id(noun("an issuer", "un emisor"), IssuerId::PREFIX, IssuerId::parse);
        let issuer = fields.optional("issuerId", issuer);
        let series = fields.required("series", line(SERIES_CHARS_MAX));
        let next = fields.required("nextFolio", whole(1..=FOLIO_MAX));
        let seen = fields.optional("version", whole(1..=FOLIO_MAX));
        let next = u64::try_from(next?).ok();
        Some(Filled { issuer, series: series?, next: next?, seen })
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/invoicing/series", WRITE, show),
        Page::post("settings/invoicing/series", WRITE, set),
    ]
}

/// A series that a query names, with the folio that comes next; else the form for any.
async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let values = values_now(&call, &call.query).await?.unwrap_or_default();
    page(&call, &values, &[]).await
}

/// The series that is named there as the form has it, if it is known.
async fn values_now(call: &Call<Member>, named: &Values) -> Result<Option<Values>, Failure> {
    let Some(issuer) = named.filled("issuerId").and_then(IssuerId::parse) else { return Ok(None) };
    let series = named.filled("series").unwrap_or_default().to_owned();
    let known = call.services().issuers.one_series(call.account(), issuer, series);
    Ok(answered(known).await?.map(|one| {
        let (issuer, next) = (one.issuer.to_string(), one.next_folio.to_string());
        Values::with(&[
            ("issuerId", issuer.as_str()),
            ("series", one.series.as_str()),
            ("nextFolio", next.as_str()),
            ("version", next.as_str()),
        ])
    }))
}

async fn page(
    call: &Call<Member>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let issuers = answered(call.services().issuers.issuers(call.account())).await?;
    let issuer = (issuers.len() > 1).then(|| {
        let known = issuers
            .iter()
            .map(|issuer| (issuer.id.to_string(), format!("{} {}", issuer.rfc, issuer.legal_name)));
        Field::select("issuerId", say.issuer(), known.collect(), values)
    });
    let others = [
        Field::text("series", say.one_series(), values),
        Field::input("number", "nextFolio", say.next_folio(), values).hint(say.next_folio_hint()),
    ];
    let fields = issuer.into_iter().chain(others).collect();
    let form = call.form(format!("{}/series", call.href(PATH)), fields, say.save(), faults);
    // What comes next of it moves on whenever something is stamped.
    let now = match values.filled("version") {
        Some(_) => values_now(call, values).await?,
        None => None,
    };
    let form = match (now, values.filled("version")) {
        (Some(now), _) => call.over(form, &now),
        (None, Some(seen)) => form.hidden("version", seen),
        (None, None) => form,
    };
    Ok(with_form(call, say.continue_series(), &form, faults))
}

async fn set(call: Call<Member>) -> Result<Answer, Failure> {
    let Filled { issuer, series, next, seen } = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, call.sent.values(), &faults).await,
    };
    let issuers = &call.services().issuers;
    let setting = issuers.set_series(call.ctx(), (issuer, series), next, seen);
    match concluded(setting, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(PATH, "series.saved")),
        Err(faults) => page(&call, call.sent.values(), &faults).await,
    }
}
