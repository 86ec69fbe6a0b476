//! What whoever holds a link may see and do, without a key: pages, and the documents of an invoice.
//!
//! A link that was never made, was closed or has expired leads to the same page, so that nobody learns which; how often
//! an address may try is limited.

mod invoice;
mod pay;
mod quotes;
mod tax_data;

use actix_web::http::{
    Method, StatusCode,
    header::{
        ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, HeaderMap,
        HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    },
};
use intake::{Check, checks::text};
use kernel::{AccountId, Language, message, text as words};
use links::{LinkKind, Target, Token};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Handler, Segment, plain, segment, taking, urlencoded},
    error::{ApiError, Code},
    language,
    limits::Rate,
    reply::{answered, found},
};

const TAX_DATA_PAGE: &str = "/tax-data/{token}";
const INVOICE_PAGE: &str = "/invoice/{token}";
const INVOICE_PDF: &str = "/invoice/{token}/pdf";
const INVOICE_XML: &str = "/invoice/{token}/xml";
const STYLE_PATH: &str = "/links/pages.css";

const TOKEN: Segment<Option<Token>> =
    segment("token", "The token of the link.", |text| Some(Token::parse(text)));
/// A person needs a few; somebody who guesses would need ages.
const A_MINUTE: Rate = Rate::PerMinute(30);

/// Nothing from elsewhere and no script; forms go back to where they come from.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";
/// More than any field takes; what is too long for one is told at its place on the page.
const CHARS_MAX: usize = 1_000;
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// The endpoints without a key.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        get(STYLE_PATH, plain(style)).documentation(),
        get(TAX_DATA_PAGE, taking(TOKEN, tax_data::show)).refused_by(refused),
        Endpoint::public(
            Method::POST,
            TAX_DATA_PAGE,
            taking((TOKEN, urlencoded(tax_data::FORM)), tax_data::save),
        )
        .limited(A_MINUTE)
        .refused_by(refused),
        get(INVOICE_PAGE, taking(TOKEN, invoice::show)).refused_by(refused),
        get(INVOICE_PDF, taking(TOKEN, invoice::pdf)),
        get(INVOICE_XML, taking(TOKEN, invoice::xml)),
    ]
    .into_iter()
    .chain(pay::endpoints())
    .chain(quotes::endpoints())
    .collect()
}

fn get(path: &'static str, handler: Handler<()>) -> Endpoint {
    Endpoint::public(Method::GET, path, handler).limited(A_MINUTE)
}

async fn style(_: Call<()>) -> Result<Answer, ApiError> {
    Answer::new(StatusCode::OK, "text/css; charset=utf-8", pages::STYLE)
        .with(X_CONTENT_TYPE_OPTIONS, "nosniff")?
        .with(CACHE_CONTROL, "public, max-age=3600")
}

/// The account and the thing that a token leads to, if it leads to one of that kind.
async fn followed(
    call: &Call<()>,
    token: Option<Token>,
    kind: LinkKind,
) -> Result<Option<(AccountId, String)>, ApiError> {
    let Some(token) = token else { return Ok(None) };
    let led = answered(call.services().links.follow(token.digest(), call.now)).await?;
    Ok(led
        .filter(|(_, target)| target.kind == kind)
        .map(|(account, Target { subject, .. })| (account, subject)))
}

/// A page, in the language that it is in.
fn page(status: StatusCode, html: String, language: Language) -> Result<Answer, ApiError> {
    Answer::new(status, "text/html; charset=utf-8", html)
        .with(CONTENT_LANGUAGE, language.tag())?
        .with(CONTENT_SECURITY_POLICY, POLICY)?
        .with(REFERRER_POLICY, "no-referrer")?
        .with(X_CONTENT_TYPE_OPTIONS, "nosniff")?
        .with(ROBOTS, "noindex, nofollow")?
        .with(CACHE_CONTROL, "no-store")
}

/// What somebody reads who has come too often, or while the service cannot answer.
fn refused(headers: &HeaderMap, error: &ApiError) -> Option<Answer> {
    let language = reader(headers);
    let html = match error.status() {
        StatusCode::TOO_MANY_REQUESTS => pages::too_many(language),
        status if status.is_server_error() => pages::unavailable(language),
        _ => return None,
    };
    let mut answer = page(error.status(), html, language).ok()?;
    answer.headers.extend(error.headers.iter().cloned());
    Some(answer)
}

/// The page of a link that leads nowhere.
fn nothing(call: &Call<()>) -> Result<Answer, ApiError> {
    let language = reader(call.headers());
    page(StatusCode::NOT_FOUND, pages::nothing(language), language)
}

/// What a service found; the page of a link that leads nowhere where it is not there any more.
fn unless_gone<T>(outcome: Result<T, ApiError>) -> Result<Option<T>, ApiError> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The language of who reads a page; Spanish where the browser asks for none, for the readers are in Mexico.
fn reader(headers: &HeaderMap) -> Language {
    match headers.contains_key(ACCEPT_LANGUAGE) {
        true => language::preferred(headers),
        false => Language::Spanish,
    }
}

/// Any text of a form, with its spaces collapsed: what it must be like is told on the page.
fn anything() -> impl Check<Value = String> {
    let collapsed = |text: &str| match text.chars().nth(CHARS_MAX) {
        None => Ok(words::collapsed(text)),
        Some(_) => Err(message!(
            "must have at most {CHARS_MAX} characters",
            "debe tener como máximo {CHARS_MAX} caracteres"
        )),
    };
    text(collapsed).chars(0, CHARS_MAX)
}

/// Who is behind an account: the name that it invoices under, or else its own; and whether it is for trials.
async fn merchant(call: &Call<()>, account: AccountId) -> Result<(String, bool), ApiError> {
    let services = call.services();
    let issuer = answered(services.issuers.issuer(account, None)).await?;
    let account = found(services.accounts.account(account)).await?;
    let is_test = account.test_of.is_some();
    Ok((issuer.map_or(account.name, |issuer| issuer.legal_name), is_test))
}
