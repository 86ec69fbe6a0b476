//! The taxpayers that an account invoices as.

use cfdi::{
    catalogs::{postal_codes, regimes},
    tax::TaxRate,
};
use crm::tax;
use intake::{
    Fields, Form,
    checks::{flag, line, one_of, text, whole_from},
    noun,
};
use invoices::{
    Issuer, IssuerFields, IssuerId, Series, issuer::LEGAL_NAME_CHARS_MAX, series::SERIES_CHARS_MAX,
};
use kernel::{FieldFault, Message, message};

use super::{PATH, WRITE, deletion, with_form};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::{
        invoices::{taxes::ItemTaxes, told::told},
        reading::not_in_catalog,
    },
    parts::Field,
    reply::{concluded, found},
    texts::Say,
};

/// What a form says of an issuer.
struct Filled {
    rfc: String,
    legal_name: String,
    tax_regime: String,
    tax_zip: String,
    series: Series,
    /// Those of before where none are told.
    default_taxes: Option<ItemTaxes>,
    shipping_taxes: Shipping,
    stamps_receipts: bool,
    stamps_credit_notes: bool,
    is_default: bool,
    version: Option<i64>,
}

/// The taxes of the shipping of orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shipping {
    /// The default ones.
    #[default]
    AsUsual,
    /// Those of before.
    Kept,
    /// Others.
    Of(ItemTaxes),
}

/// What stands for taxes that the form does not offer.
const KEPT: &str = "kept";

impl Shipping {
    const EVERY: &'static [Self] = &[
        Self::Kept,
        Self::Of(ItemTaxes::Iva16),
        Self::Of(ItemTaxes::Iva8),
        Self::Of(ItemTaxes::Iva0),
        Self::Of(ItemTaxes::Exempt),
        Self::Of(ItemTaxes::NoObject),
    ];

    const fn code(self) -> &'static str {
        match self {
            Self::AsUsual => "",
            Self::Kept => KEPT,
            Self::Of(taxes) => taxes.code(),
        }
    }

    fn of(issuer: &Issuer) -> Self {
        match issuer.shipping_taxes.as_deref() {
            None => Self::AsUsual,
            Some(rates) => ItemTaxes::of(rates).map_or(Self::Kept, Self::Of),
        }
    }

    /// What is set of an issuer.
    fn rates(self) -> Option<Option<Vec<TaxRate>>> {
        match self {
            Self::AsUsual => Some(None),
            Self::Kept => None,
            Self::Of(taxes) => Some(Some(taxes.rates())),
        }
    }
}

const FORM: Form<Filled> = Form::body("Issuer", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let rfc = fields.required("rfc", text(tax::rfc));
    let legal_name = fields.required("legalName", line(LEGAL_NAME_CHARS_MAX));
    let tax_regime = fields.required("taxRegime", text(known_regime));
    let tax_zip = fields.required("taxZip", text(known_zip));
    let usual = Series::default();
    let mut series = |name| fields.optional(name, line(SERIES_CHARS_MAX));
    let series = Series {
        income: series("series.income").unwrap_or(usual.income),
        credit: series("series.credit").unwrap_or(usual.credit),
        payment: series("series.payment").unwrap_or(usual.payment),
        transfer: series("series.transfer").unwrap_or(usual.transfer),
    };
    let default_taxes = fields.optional("defaultTaxes", one_of(ItemTaxes::EVERY, ItemTaxes::code));
    let shipping_taxes = fields.optional("shippingTaxes", one_of(Shipping::EVERY, Shipping::code));
    let stamps_receipts = fields.optional("autoReceipts", flag()).unwrap_or_default();
    let stamps_credit_notes = fields.optional("autoCreditNotes", flag()).unwrap_or_default();
    let is_default = fields.optional("isDefault", flag()).unwrap_or_default();
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        rfc: rfc?,
        legal_name: legal_name?,
        tax_regime: tax_regime?,
        tax_zip: tax_zip?,
        series,
        default_taxes,
        shipping_taxes: shipping_taxes.unwrap_or_default(),
        stamps_receipts,
        stamps_credit_notes,
        is_default,
        version,
    })
}

fn known_regime(code: &str) -> Result<String, Message> {
    match regimes::find(code) {
        Some(regime) => Ok(regime.code.to_owned()),
        None => Err(not_in_catalog()),
    }
}

/// A postal code that there is.
pub(super) fn known_zip(code: &str) -> Result<String, Message> {
    match postal_codes::find(code.trim()) {
        Some(_) => Ok(code.trim().to_owned()),
        None => Err(message!(
            "must be a postal code of SAT's catalog, 5 digits",
            "debe ser un código postal del catálogo del SAT, de 5 dígitos"
        )),
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/invoicing/issuers/new", WRITE, show_new),
        Page::post("settings/invoicing/issuers/new", WRITE, add),
        Page::get("settings/invoicing/issuers/{id}", WRITE, show),
        Page::post("settings/invoicing/issuers/{id}", WRITE, change),
        Page::get("settings/invoicing/issuers/{id}/delete", WRITE, ask_delete),
        Page::post("settings/invoicing/issuers/{id}/delete", WRITE, delete),
    ]
}

/// The issuer of the path.
pub(super) async fn issuer(call: &Call<Member>) -> Result<Issuer, Failure> {
    let id = IssuerId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().issuers.issuer(call.account(), Some(id))).await
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    let Series { income, credit, payment, transfer } = Series::default();
    let values = Values::with(&[
        ("series.income", income.as_str()),
        ("series.credit", credit.as_str()),
        ("series.payment", payment.as_str()),
        ("series.transfer", transfer.as_str()),
        ("defaultTaxes", ItemTaxes::Iva16.code()),
    ]);
    Ok(page(&call, None, &values, &[]))
}

/// An issuer as the form has it.
fn values_of(issuer: &Issuer) -> Values {
    let version = issuer.version.to_string();
    let mut values = vec![
        ("rfc", issuer.rfc.as_str()),
        ("legalName", issuer.legal_name.as_str()),
        ("taxRegime", issuer.tax_regime.as_str()),
        ("taxZip", issuer.tax_zip.as_str()),
        ("series.income", issuer.series.income.as_str()),
        ("series.credit", issuer.series.credit.as_str()),
        ("series.payment", issuer.series.payment.as_str()),
        ("series.transfer", issuer.series.transfer.as_str()),
        ("defaultTaxes", ItemTaxes::of(&issuer.default_taxes).map_or("", ItemTaxes::code)),
        ("shippingTaxes", Shipping::of(issuer).code()),
        ("version", version.as_str()),
    ];
    let ticks = [
        ("autoReceipts", issuer.stamps_receipts),
        ("autoCreditNotes", issuer.stamps_credit_notes),
        ("isDefault", issuer.is_default),
    ];
    values.extend(ticks.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| (name, "true")));
    Values::with(&values)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let issuer = issuer(&call).await?;
    Ok(page(&call, Some(&issuer), &values_of(&issuer), &[]))
}

/// The fields of the series that documents are numbered in, one for each kind of them.
pub(super) fn series_fields(say: Say, values: &Values) -> Vec<Field> {
    vec![
        Field::text("series.income", say.sums_income(), values),
        Field::text("series.credit", say.sums_credit(), values),
        Field::text("series.payment", say.sums_payment(), values),
        Field::text("series.transfer", say.sums_transfer(), values),
    ]
}

fn page(
    call: &Call<Member>,
    issuer: Option<&Issuer>,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let regimes = regimes::all().iter();
    let regimes = regimes.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let regimes = std::iter::once((String::new(), say.choose().to_owned())).chain(regimes);
    let offered = || ItemTaxes::EVERY.iter().map(|one| (one.code(), one.name(say)));
    let texts = |(code, name): (&str, &str)| (code.to_owned(), name.to_owned());
    // Others are set by the API, and kept.
    let others = issuer.filter(|issuer| ItemTaxes::of(&issuer.default_taxes).is_none());
    let defaults = others.map(|_| ("", say.as_it_is())).into_iter().chain(offered()).map(texts);
    let kept = issuer.filter(|issuer| Shipping::of(issuer) == Shipping::Kept);
    let shipping = std::iter::once(("", say.taxes_by_default()));
    let shipping = shipping.chain(kept.map(|_| (KEPT, say.as_it_is()))).chain(offered()).map(texts);
    let taxes = vec![
        Field::select("defaultTaxes", say.default_taxes(), defaults.collect(), values),
        Field::select("shippingTaxes", say.shipping_taxes(), shipping.collect(), values),
    ];
    let fields = vec![
        Field::text("rfc", say.rfc(), values),
        Field::text("legalName", say.legal_name(), values).hint(say.legal_name_hint()),
        Field::select("taxRegime", say.tax_regime(), regimes.collect(), values),
        Field::text("taxZip", say.tax_zip(), values),
        Field::group("series", say.series(), series_fields(say, values)),
        Field::group("taxes", say.taxes(), taxes).hint(say.default_taxes_hint()),
        Field::tick("autoReceipts", say.auto_receipts(), values),
        Field::tick("autoCreditNotes", say.auto_credit_notes(), values),
        Field::tick("isDefault", say.is_default_issuer(), values),
    ];
    let (title, place) = match issuer {
        Some(issuer) => (issuer.legal_name.as_str(), issuer.id.to_string()),
        None => (say.add_issuer(), "new".to_owned()),
    };
    let place = format!("{}/issuers/{place}", call.href(PATH));
    let form = call.form(place, fields, say.save(), faults);
    let form = match issuer {
        Some(issuer) => call.over(form, &values_of(issuer)),
        None => form,
    };
    with_form(call, title, &form, faults)
}

/// The command behind a form; what the form does not have stays as it is.
fn fields(filled: Filled, before: Option<&Issuer>) -> IssuerFields {
    // The default issuer stops being it when another one becomes it.
    let told = filled.default_taxes.map(ItemTaxes::rates);
    let stays = before.is_none_or(|issuer| issuer.is_default) && !filled.is_default;
    IssuerFields {
        rfc: filled.rfc,
        legal_name: filled.legal_name,
        tax_regime: filled.tax_regime,
        tax_zip: filled.tax_zip,
        series: Some(filled.series),
        default_taxes: told.or_else(|| before.map(|issuer| issuer.default_taxes.clone())),
        shipping_taxes: filled.shipping_taxes.rates(),
        stamps_receipts: Some(filled.stamps_receipts),
        stamps_credit_notes: Some(filled.stamps_credit_notes),
        is_default: (!stays).then_some(filled.is_default),
    }
}

async fn add(call: Call<Member>) -> Result<Answer, Failure> {
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, None, call.sent.values(), &faults)),
    };
    let adding = call.services().issuers.add_issuer(call.ctx(), fields(filled, None));
    Ok(match concluded(adding, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "issuer.saved"),
        Err(faults) => page(&call, None, call.sent.values(), &faults),
    })
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let issuer = issuer(&call).await?;
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, Some(&issuer), call.sent.values(), &faults)),
    };
    let version = filled.version;
    let fields = fields(filled, Some(&issuer));
    let issuers = &call.services().issuers;
    let setting = issuers.set_issuer(call.ctx(), Some(issuer.id), fields, version);
    Ok(match concluded(setting, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "issuer.saved"),
        Err(faults) => page(&call, Some(&issuer), call.sent.values(), &faults),
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let issuer = issuer(&call).await?;
    Ok(deleting(&call, &issuer, &[]))
}

fn deleting(call: &Call<Member>, issuer: &Issuer, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let place = format!("{}/issuers/{}/delete", call.href(PATH), issuer.id);
    let form = call.form(place, Vec::new(), say.delete(), faults);
    let form = form.hidden("version", issuer.version.to_string());
    let title = say.delete_title(&issuer.legal_name);
    deletion(call, (&title, say.delete_issuer_intro(&issuer.rfc)), form, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let issuer = issuer(&call).await?;
    let issuers = &call.services().issuers;
    let deleting_it = issuers.delete_issuer(call.ctx(), issuer.id, call.seen_version());
    Ok(match concluded(deleting_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "issuer.deleted"),
        Err(faults) => deleting(&call, &issuer, &faults),
    })
}
