//! `/invoices/cfdi/pdf` and `/invoices/cfdi/issuers/{id}/pdf`: how the invoices of an issuer are printed.

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::{
    Check, Fields, Form, SentBack,
    checks::{email, flag, line, list, one_of, phone, text},
    noun,
};
use invoices::{
    IssuerId, ItemDetail, LogoPlace, SheetSettings,
    sheet::{
        ADDRESS_CHARS_MAX, ADDRESS_LINES_MAX, FOOTER_CHARS_MAX, WEBSITE_CHARS_MAX, checked_color,
    },
};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    issuers::{ID, issuer_tag, seen},
    shapes,
};
use crate::{
    answer::Answer,
    call::Call,
    crud,
    endpoint::{Endpoint, changes, plain, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{answered, not_found, written},
};

const DEFAULT: &str = "/invoices/cfdi/pdf";
const ONE: &str = "/invoices/cfdi/issuers/{id}/pdf";

const SET: Form<SheetSettings> =
    Form::body("SetPdf", noun("PDF settings", "ajustes del PDF"), read_settings, WANTED);

const WANTED: &str = r##"{
    "accent": "#1F4E79",
    "logoPlace": "center",
    "hidden": ["taxObjectName"],
    "address": ["Av. Juárez 10, Centro", "06050 Ciudad de México"],
    "phone": "+525512345678",
    "email": "facturas@example.com",
    "website": "tienda.example",
    "footer": "Gracias por su compra",
    "spanishAbroad": false
}"##;
const EXAMPLE: &str = r##"{
    "accent": "#1F4E79",
    "logoPlace": "center",
    "hidden": ["taxObjectName"],
    "address": ["Av. Juárez 10, Centro", "06050 Ciudad de México"],
    "phone": "+525512345678",
    "email": "facturas@example.com",
    "website": "tienda.example",
    "footer": "Gracias por su compra",
    "spanishAbroad": false,
    "updatedAt": "2026-01-31T18:00:00.000Z"
}"##;

/// How the invoices of an issuer are printed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PdfSettings)]
struct SheetBody {
    /// Colour of titles and of the total; `null` for the usual one.
    #[schema(example = "#1F4E79")]
    accent: Option<String>,
    /// Where the logo stands: with the issuer's name, above everything, or above the title.
    #[schema(value_type = shapes::LogoPlace)]
    logo_place: LogoPlace,
    /// Details that the items leave out.
    #[schema(value_type = Vec<shapes::ItemDetail>)]
    hidden: Vec<ItemDetail>,
    /// Postal address of the issuer, line by line.
    address: Vec<String>,
    /// Telephone number of the issuer.
    phone: Option<String>,
    /// Email address of the issuer.
    email: Option<String>,
    /// Address of the issuer's website.
    website: Option<String>,
    /// Line at the foot of every page.
    footer: Option<String>,
    /// Whether what goes to receivers abroad (RFC `XEXX010101000`) is in Spanish; it is in English otherwise.
    spanish_abroad: bool,
    /// When the settings were last changed.
    #[schema(value_type = Option<shapes::Timestamp>)]
    updated_at: Option<Timestamp>,
}

impl From<SheetSettings> for SheetBody {
    fn from(settings: SheetSettings) -> Self {
        Self {
            accent: settings.accent,
            logo_place: settings.logo_place,
            hidden: settings.hidden,
            address: settings.address,
            phone: settings.phone,
            email: settings.email,
            website: settings.website,
            footer: settings.footer,
            spanish_abroad: settings.spanish_abroad,
            updated_at: settings.updated_at,
        }
    }
}

pub(super) fn endpoints() -> [Endpoint; 4] {
    const SET_ABOUT: &str = "How the issuer's invoices are printed from now on, also those stamped before. Replaces the \
                             whole resource; omitted fields take their defaults. What the law asks for is always printed.";
    [
        Endpoint::get(ONE, Scope::Invoices, taking(ID, show_one))
            .summary("Get the PDF settings of an issuer")
            .answers::<SheetBody>(200, "The settings.", EXAMPLE),
        Endpoint::put(ONE, Scope::Invoices, taking((ID, changes(SET)), set_one))
            .summary("Set the PDF settings of an issuer")
            .describes(SET_ABOUT)
            .answers::<SheetBody>(200, "The updated settings.", EXAMPLE),
        Endpoint::get(DEFAULT, Scope::Invoices, plain(show_default))
            .of_only_one()
            .summary("Get the PDF settings")
            .describes("Those of the default issuer.")
            .answers::<SheetBody>(200, "The settings.", EXAMPLE),
        Endpoint::put(DEFAULT, Scope::Invoices, taking(changes(SET), set_default))
            .summary("Set the PDF settings")
            .describes(SET_ABOUT)
            .answers::<SheetBody>(200, "The updated settings.", EXAMPLE)
            .refuses(&[Code::IssuerMissing]),
    ]
}

fn read_settings(fields: &mut Fields<'_>) -> Option<SheetSettings> {
    let accent = text(checked_color).pattern("^#[0-9A-Fa-f]{6}$").example("#1F4E79");
    let accent = accent.about("Colour of titles and of the total, as `#RRGGBB`.");
    let place = one_of(LogoPlace::EVERY, LogoPlace::name)
        .about("Where the logo stands; defaults to `left`.");
    let hidden = list(0..=ItemDetail::EVERY.len(), one_of(ItemDetail::EVERY, ItemDetail::name))
        .about("Details that the items leave out.");
    let address = printed_address().about("Postal address of the issuer, line by line.");
    let abroad = flag().about(
        "Whether what goes to receivers abroad (RFC `XEXX010101000`) is in Spanish; defaults to `false`: it is in English.",
    );
    let settings = SheetSettings {
        accent: fields.optional("accent", accent),
        logo_place: fields.optional("logoPlace", place).unwrap_or_default(),
        hidden: fields.optional("hidden", hidden).unwrap_or_default(),
        address: fields.optional("address", address).unwrap_or_default(),
        phone: fields.optional("phone", phone()),
        email: fields.optional("email", email()),
        website: fields.optional("website", line(WEBSITE_CHARS_MAX)),
        footer: fields.optional("footer", line(FOOTER_CHARS_MAX)),
        spanish_abroad: fields.optional("spanishAbroad", abroad).unwrap_or_default(),
        updated_at: None,
        version: 0,
    };
    fields.read_only(&["updatedAt"]);
    Some(settings)
}

/// An address as it is printed, line by line.
pub(super) fn printed_address() -> impl Check<Value = Vec<String>> {
    list(0..=ADDRESS_LINES_MAX, line(ADDRESS_CHARS_MAX))
}

async fn show_default(call: Call) -> Result<Answer, ApiError> {
    show(&call, None).await
}

async fn show_one(call: Call, id: IssuerId) -> Result<Answer, ApiError> {
    show(&call, Some(id)).await
}

async fn show(call: &Call, which: Option<IssuerId>) -> Result<Answer, ApiError> {
    let (settings, tag) = kept(call, which).await?;
    Answer::tagged(call.headers(), &settings, tag)
}

/// The settings of an issuer, and their tag; the usual ones where the account has no issuer yet.
async fn kept(call: &Call, which: Option<IssuerId>) -> Result<(SheetBody, ETag), ApiError> {
    let issuers = &call.services().issuers;
    let issuer = answered(issuers.issuer(call.account, which)).await?;
    let Some(issuer) = issuer else {
        return match which {
            Some(_) => Err(not_found()),
            None => Ok((SheetBody::from(SheetSettings::default()), ETag::version(0))),
        };
    };
    let settings = answered(issuers.sheet(call.account, Some(issuer.id))).await?;
    let tag = issuer_tag(issuer.id, settings.version);
    Ok((SheetBody::from(settings), tag))
}

async fn set_default(call: Call, told: (SheetSettings, SentBack)) -> Result<Answer, ApiError> {
    set(&call, None, told).await
}

async fn set_one(
    call: Call,
    (id, told): (IssuerId, (SheetSettings, SentBack)),
) -> Result<Answer, ApiError> {
    set(&call, Some(id), told).await
}

async fn set(
    call: &Call,
    which: Option<IssuerId>,
    (settings, sent_back): (SheetSettings, SentBack),
) -> Result<Answer, ApiError> {
    let which = seen(call, which).await?;
    if !sent_back.is_empty() {
        let (before, tag) = kept(call, which).await?;
        crud::unchanged_at(call, sent_back, &before, tag)?;
    }
    let (issuers, version) = (&call.services().issuers, call.expected_version());
    let issuer = answered(issuers.issuer(call.account, which)).await?;
    let which = issuer.map_or(which, |issuer| Some(issuer.id));
    let settings = written(issuers.set_sheet(call.ctx()?, which, settings, version)).await?.value;
    let version = settings.version;
    let tag = which.map_or_else(|| ETag::version(version), |id| issuer_tag(id, version));
    Answer::json(StatusCode::OK, &SheetBody::from(settings))?.with(ETAG, tag)
}
