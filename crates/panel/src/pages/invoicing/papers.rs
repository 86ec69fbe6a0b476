//! How the invoices of an issuer are printed.

use intake::{
    Fields, Form,
    checks::{email, flag, line, one_of, text, whole_from},
    noun,
};
use invoices::{
    Issuer, ItemDetail, LogoPlace, SheetSettings,
    sheet::{ADDRESS_CHARS_MAX, FOOTER_CHARS_MAX, WEBSITE_CHARS_MAX, checked_color},
};
use kernel::FieldFault;

use super::{PATH, WRITE, branches::ADDRESS, issuers::issuer, with_form};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::{invoices::told::told, reading::phone},
    parts::Field,
    reply::{answered, concluded},
    texts::Say,
};

/// The fields by which an item leaves something out.
const HIDDEN: &[(&str, ItemDetail)] = &[
    ("hidden.sku", ItemDetail::Sku),
    ("hidden.unitName", ItemDetail::UnitName),
    ("hidden.productName", ItemDetail::ProductName),
    ("hidden.taxObjectName", ItemDetail::TaxObjectName),
    ("hidden.taxes", ItemDetail::Taxes),
];

const FORM: Form<SheetSettings> =
    Form::body("SetPdf", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<SheetSettings> {
    let place = one_of(LogoPlace::EVERY, LogoPlace::name);
    let accent = fields.optional("accent", text(checked_color));
    let logo_place = fields.optional("logoPlace", place).unwrap_or_default();
    let hidden = HIDDEN.iter().filter_map(|(name, detail)| {
        fields.optional(name, flag()).unwrap_or_default().then_some(*detail)
    });
    let hidden = hidden.collect();
    let address =
        ADDRESS.iter().copied().filter_map(|name| fields.optional(name, line(ADDRESS_CHARS_MAX)));
    let address = address.collect();
    Some(SheetSettings {
        accent,
        logo_place,
        hidden,
        address,
        phone: fields.optional("phone", phone()),
        email: fields.optional("email", email()),
        website: fields.optional("website", line(WEBSITE_CHARS_MAX)),
        footer: fields.optional("footer", line(FOOTER_CHARS_MAX)),
        spanish_abroad: fields.optional("spanishAbroad", flag()).unwrap_or_default(),
        updated_at: None,
        version: fields.optional("version", whole_from(0)).unwrap_or_default(),
    })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/invoicing/issuers/{id}/pdf", WRITE, show),
        Page::post("settings/invoicing/issuers/{id}/pdf", WRITE, set),
    ]
}

/// How the invoices of an issuer are printed now.
async fn kept(call: &Call<Member>, issuer: &Issuer) -> Result<SheetSettings, Failure> {
    answered(call.services().issuers.sheet(call.account(), Some(issuer.id))).await
}

/// Settings as the form has them.
fn values_of(settings: &SheetSettings) -> Values {
    let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
    let mut values = vec![
        ("accent", text(&settings.accent)),
        ("logoPlace", settings.logo_place.name().to_owned()),
        ("phone", text(&settings.phone)),
        ("email", text(&settings.email)),
        ("website", text(&settings.website)),
        ("footer", text(&settings.footer)),
        ("version", settings.version.to_string()),
    ];
    let hidden = HIDDEN.iter().filter(|(_, detail)| settings.hidden.contains(detail));
    values.extend(hidden.map(|(name, _)| (*name, "true".to_owned())));
    values.extend(settings.spanish_abroad.then(|| ("spanishAbroad", "true".to_owned())));
    values.extend(ADDRESS.iter().copied().zip(settings.address.iter().cloned()));
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    Values::with(&values)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let issuer = issuer(&call).await?;
    let kept = values_of(&kept(&call, &issuer).await?);
    Ok(page(&call, (&issuer, &kept), &kept, &[]))
}

pub(in crate::pages) const fn place_name(say: Say, place: LogoPlace) -> &'static str {
    match place {
        LogoPlace::Left => say.logo_left(),
        LogoPlace::Center => say.logo_center(),
        LogoPlace::Right => say.logo_right(),
    }
}

pub(in crate::pages) const fn detail_name(say: Say, detail: ItemDetail) -> &'static str {
    match detail {
        ItemDetail::Sku => say.hide_sku(),
        ItemDetail::UnitName => say.hide_unit_name(),
        ItemDetail::ProductName => say.hide_product_name(),
        ItemDetail::TaxObjectName => say.hide_tax_object(),
        ItemDetail::Taxes => say.hide_taxes(),
    }
}

fn page(
    call: &Call<Member>,
    (issuer, kept): (&Issuer, &Values),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let place = |place: &LogoPlace| (place.name().to_owned(), place_name(say, *place).to_owned());
    let places = LogoPlace::EVERY.iter().map(place).collect();
    let hidden = HIDDEN.iter();
    let hidden = hidden.map(|(name, detail)| Field::tick(name, detail_name(say, *detail), values));
    let line = |(place, name): (usize, &'static str)| {
        Field::text(name, say.address_line(place + 1), values)
    };
    let lines = ADDRESS.iter().copied().enumerate().map(line).collect();
    let fields = vec![
        Field::text("accent", say.accent(), values).hint(say.accent_hint()),
        Field::select("logoPlace", say.logo_place(), places, values),
        Field::group("hidden", say.hidden_columns(), hidden.collect()),
        Field::group("address", say.printed_address(), lines),
        Field::input("tel", "phone", say.phone(), values).hint(say.phone_hint()),
        Field::input("email", "email", say.email(), values),
        Field::text("website", say.website(), values),
        Field::text("footer", say.footer(), values),
        Field::tick("spanishAbroad", say.spanish_abroad(), values),
    ];
    let action = format!("{}/issuers/{}/pdf", call.href(PATH), issuer.id);
    let form = call.form(action, fields, say.save(), faults);
    let form = call.over(form, kept);
    with_form(call, &say.printed_as(&issuer.legal_name), &form, faults)
}

async fn set(call: Call<Member>) -> Result<Answer, Failure> {
    let issuer = issuer(&call).await?;
    let kept = values_of(&kept(&call, &issuer).await?);
    let subject = (&issuer, &kept);
    let settings = match call.read(&FORM)? {
        Ok(settings) => settings,
        Err(faults) => return Ok(page(&call, subject, call.sent.values(), &faults)),
    };
    let version = Some(settings.version);
    let issuers = &call.services().issuers;
    let setting = issuers.set_sheet(call.ctx(), Some(issuer.id), settings, version);
    Ok(match concluded(setting, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "pdf.saved"),
        Err(faults) => page(&call, subject, call.sent.values(), &faults),
    })
}
