//! `/invoices/cfdi`: SAT's catalogs of the codes that invoices may use.

mod body;
mod examples;
mod forms;
mod places;
mod withholdings;

use std::future::ready;

use accounts::Scope;
use actix_web::http::StatusCode;
use cfdi::catalogs::{self, Found};
use intake::quoted;
use kernel::{Page, PageRequest, message};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{Endpoint, Segment, plain, query, segment, taking},
    error::{ApiError, Code},
    page::{in_memory, rows_before},
};
use body::{
    CancellationReasonBody, CatalogOf, CodeBody, CountryBody, CurrencyBody, PaymentFormBody,
    ProductKeyBody, RateBody, RegimeBody, TaxEntryBody, UnitBody, UseBody,
};
use places::PostalCodeBody;

const USES: &str = "/invoices/cfdi/usos-cfdi";
const UNITS: &str = UnitBody::PATH;
const UNIT: &str = "/invoices/cfdi/claves-unidad/{code}";
const PRODUCTS: &str = ProductKeyBody::PATH;
const PRODUCT: &str = "/invoices/cfdi/claves-prod-serv/{code}";
const POSTAL_CODE: &str = "/invoices/cfdi/codigos-postales/{cp}";

/// A code of a catalog.
const CODE: Segment<String> = code("code");
const CP: Segment<String> = code("cp");

const fn code(name: &'static str) -> Segment<String> {
    segment(name, "The code, as the catalog writes it.", |code| Some(code.to_owned()))
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    special()
        .into_iter()
        .chain(of_codes())
        .chain(withholdings::endpoints())
        .chain(large())
        .collect()
}

/// Catalogs whose rows have more than a code and a name.
fn special() -> [Endpoint; 8] {
    [
        small(
            "/invoices/cfdi/cancellation-motivos",
            || rows::<_, CancellationReasonBody>(catalogs::cancellation_reasons::all()),
            examples::CANCELLATION_REASONS,
        )
        .summary("List cancellation reasons")
        .describes(
            "Reasons for cancelling an invoice with SAT: the values of `reason` in `POST \
             /invoices/{id}/cancel`.",
        ),
        small(
            "/invoices/cfdi/regimenes-fiscales",
            || rows::<_, RegimeBody>(catalogs::regimes::all()),
            examples::REGIMES,
        )
        .summary("List tax regimes")
        .describes("c_RegimenFiscal: values of `taxRegime` of issuers and receivers."),
        Endpoint::get(USES, Scope::Invoices, taking(query(forms::USES), list_uses))
            .summary("List CFDI uses")
            .describes(
                "c_UsoCFDI: values of `cfdiUse` of receivers, with the tax regimes that may use \
                 them.",
            )
            .answers::<CatalogOf<UseBody>>(200, CATALOG, examples::USES),
        small(
            "/invoices/cfdi/formas-pago",
            || rows::<_, PaymentFormBody>(catalogs::payment_forms::all()),
            examples::PAYMENT_FORMS,
        )
        .summary("List payment forms")
        .describes("c_FormaPago: values of `paymentForm`."),
        small(
            "/invoices/cfdi/monedas",
            || rows::<_, CurrencyBody>(catalogs::currencies::all()),
            examples::CURRENCIES,
        )
        .summary("List currencies")
        .describes("c_Moneda: values of `currency`, with the number of decimal places of amounts."),
        small(
            "/invoices/cfdi/paises",
            || rows::<_, CountryBody>(catalogs::countries::all()),
            examples::COUNTRIES,
        )
        .summary("List countries")
        .describes("c_Pais: values of `taxResidence` of foreign receivers."),
        small(
            "/invoices/cfdi/impuestos",
            || rows::<_, TaxEntryBody>(catalogs::taxes::all()),
            examples::TAXES,
        )
        .summary("List taxes")
        .describes("c_Impuesto: values of `tax`, by name."),
        small(
            "/invoices/cfdi/tasas",
            || rows::<_, RateBody>(catalogs::rates::all()),
            examples::RATES,
        )
        .summary("List tax rates")
        .describes("c_TasaOCuota: values of `rate` for each tax."),
    ]
}

/// Catalogs of codes and names.
fn of_codes() -> [Endpoint; 7] {
    let codes = |path, all: fn() -> &'static [catalogs::Entry], example| {
        small(path, move || rows::<_, CodeBody>(all()), example)
    };
    [
        codes(
            "/invoices/cfdi/metodos-pago",
            catalogs::payment_methods::all,
            examples::PAYMENT_METHODS,
        )
        .summary("List payment methods")
        .describes("c_MetodoPago: values of `paymentMethod`."),
        codes("/invoices/cfdi/objetos-impuesto", catalogs::tax_objects::all, examples::TAX_OBJECTS)
            .summary("List tax objects")
            .describes("c_ObjetoImp: values of `taxObject` of items."),
        codes("/invoices/cfdi/tipos-relacion", catalogs::relations::all, examples::RELATIONS)
            .summary("List relation types")
            .describes("c_TipoRelacion: values of `relation` of related documents."),
        codes("/invoices/cfdi/exportaciones", catalogs::exports::all, examples::EXPORTS)
            .summary("List export codes")
            .describes("c_Exportacion: values of `export`."),
        codes("/invoices/cfdi/periodicidades", catalogs::periodicities::all, examples::PERIODS)
            .summary("List global invoice periodicities")
            .describes("c_Periodicidad: values of `global.periodicity`."),
        codes("/invoices/cfdi/meses", catalogs::months::all, examples::MONTHS)
            .summary("List global invoice months")
            .describes(
                "c_Meses: values of `global.months`; pairs of months only go with periodicity \
                 `05`.",
            ),
        codes("/invoices/cfdi/tipos-comprobante", catalogs::document_types::all, examples::TYPES)
            .summary("List CFDI types")
            .describes("c_TipoDeComprobante. The service issues `I`, `E`, `P` and `T`."),
    ]
}

/// Catalogs that can be searched.
fn large() -> [Endpoint; 5] {
    [
        Endpoint::get(UNITS, Scope::Invoices, taking(query(forms::UNITS), list_units))
            .summary("Search units")
            .describes("c_ClaveUnidad: values of `satUnitKey`. Best matches first.")
            .pages::<UnitBody>("A page of units.", examples::UNITS),
        Endpoint::get(UNIT, Scope::Invoices, taking(CODE, show_unit))
            .summary("Get a unit")
            .answers::<UnitBody>(200, "The unit.", examples::UNIT),
        Endpoint::get(PRODUCTS, Scope::Invoices, taking(query(forms::PRODUCTS), list_products))
            .summary("Search product keys")
            .describes(
                "c_ClaveProdServ: values of `satProductKey`. Digits match the beginning of a key; \
                 words match names and synonyms, best matches first.",
            )
            .pages::<ProductKeyBody>("A page of keys.", examples::PRODUCTS),
        Endpoint::get(PRODUCT, Scope::Invoices, taking(CODE, show_product))
            .summary("Get a product key")
            .answers::<ProductKeyBody>(200, "The key.", examples::PRODUCT),
        Endpoint::get(POSTAL_CODE, Scope::Invoices, taking(CP, show_postal_code))
            .summary("Get a postal code")
            .describes(
                "c_CodigoPostal: location of a postal code, and the time zone in which invoices \
                 issued there are dated.",
            )
            .answers::<PostalCodeBody>(200, "The postal code.", examples::POSTAL_CODE),
    ]
}

const CATALOG: &str = "The catalog.";

/// A catalog that is returned whole.
fn small<B: Serialize + ToSchema + 'static>(
    path: &'static str,
    rows: impl Fn() -> Vec<B> + Send + Sync + 'static,
    example: &'static str,
) -> Endpoint {
    let answer = move |_: Call| ready(Answer::json(StatusCode::OK, &CatalogOf::new(rows())));
    Endpoint::get(path, Scope::Invoices, plain(answer))
        .answers::<CatalogOf<B>>(200, CATALOG, example)
}

fn rows<R, B: From<&'static R>>(rows: &'static [R]) -> Vec<B> {
    rows.iter().map(B::from).collect()
}

async fn list_uses(_: Call, regime: Option<String>) -> Result<Answer, ApiError> {
    let uses = catalogs::uses::all().iter();
    let allowed = uses.filter(|one| regime.as_deref().is_none_or(|regime| one.allows(regime)));
    let rows: Vec<UseBody> = allowed.map(UseBody::from).collect();
    Answer::json(StatusCode::OK, &CatalogOf::new(rows))
}

async fn list_units(_: Call, wanted: forms::Search) -> Result<Answer, ApiError> {
    let (before, limit) = part(&wanted.page);
    let found = catalogs::units::search(&wanted.words, before, limit);
    Answer::page::<UnitBody>(page(found, &wanted.page, forms::UNIT_LIST), &wanted.page)
}

async fn show_unit(_: Call, code: String) -> Result<Answer, ApiError> {
    let unit = named(&code, "c_ClaveUnidad", catalogs::units::find)?;
    Answer::json(StatusCode::OK, &UnitBody::from(unit))
}

async fn list_products(_: Call, wanted: forms::Search) -> Result<Answer, ApiError> {
    let (before, limit) = part(&wanted.page);
    let found = catalogs::products::search(&wanted.words, before, limit);
    let found = page(found, &wanted.page, forms::PRODUCT_LIST);
    Answer::page::<ProductKeyBody>(found, &wanted.page)
}

async fn show_product(_: Call, code: String) -> Result<Answer, ApiError> {
    let product = named(&code, "c_ClaveProdServ", catalogs::products::find)?;
    Answer::json(StatusCode::OK, &ProductKeyBody::from(product))
}

async fn show_postal_code(_: Call, code: String) -> Result<Answer, ApiError> {
    let find = |code: &str| Some((code.to_owned(), catalogs::postal_codes::find(code)?));
    let (code, place) = named(&code, "c_CodigoPostal", find)?;
    Answer::json(StatusCode::OK, &PostalCodeBody::new(code, &place))
}

/// The rows before a page, and the page size.
fn part(asked: &PageRequest) -> (usize, usize) {
    (rows_before(asked), asked.limit as usize)
}

fn page<T>(found: Found<T>, asked: &PageRequest, list: &str) -> Page<T> {
    in_memory(found.items, found.total, asked, (forms::ORDER, list))
}

/// The row that the path names.
fn named<T>(code: &str, catalog: &str, find: impl Fn(&str) -> Option<T>) -> Result<T, ApiError> {
    find(code).ok_or_else(|| {
        let message = message!(
            "SAT's catalog {catalog} has no {code}",
            "el catálogo {catalog} del SAT no tiene {code}",
            code = quoted(code)
        );
        ApiError::new(Code::NotFound, message)
    })
}
