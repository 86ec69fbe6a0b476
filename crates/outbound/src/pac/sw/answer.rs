//! What SW's answers say: `{status, message, messageDetail, data}`.

use cfdi::cancellation::Receipt;
use invoices::provider::{CancelOutcome, Rejection, StampOutcome};
use kernel::reason::Reason;
use serde_json::{Map, Value};

use crate::pac::{
    document::{Sealed, Shown},
    ending::{Failure, is_received, leading_code, words},
    http::Answer,
};

/// The document is stamped already, or its `customid` came with one that is.
const STAMPED: [&str; 2] = ["307", "CFDI3307"];

/// What codes begin with that speak of the session or the credentials.
const OF_CREDENTIALS: &str = "AU";

/// Errors that SW does not control: whether they came before the stamp is anybody's guess.
const ACCIDENTS: [&str; 2] = ["CO1000", "T1000"];

/// The authority could not be reached, so the request to cancel may or may not have come through.
const OF_AUTHORITY: [&str; 3] = ["CA2000", "CA2100", "CA2300"];

/// An answer that is one of SW's.
enum Said {
    Success(Value),
    Error { rejection: Rejection, data: Value },
}

/// The token of an answer to signing in.
pub(super) fn token(answer: &Answer) -> Result<String, Failure> {
    if matches!(answer.status, 401 | 403) {
        return Err(Failure::credentials());
    }
    match said(answer)? {
        Said::Success(data) => {
            let token = text(&data, "token").filter(|token| !token.is_empty());
            token.map(str::to_owned).ok_or_else(Failure::nonsense)
        }
        Said::Error { rejection, .. } if is_of_credentials(&rejection) => {
            Err(Failure::credentials())
        }
        // Its words may repeat what was sent.
        Said::Error { .. } => Err(Failure::unknown(Reason::RequestRejected)),
    }
}

/// Whether an answer says that the token is not valid any more.
pub(super) fn refuses_token(answer: &Answer) -> bool {
    answer.status == 401
        || matches!(said(answer), Ok(Said::Error { rejection, .. }) if is_of_credentials(&rejection))
}

/// What became of a call to stamp.
pub(super) fn stamp_outcome(answer: &Answer, sealed: &Sealed) -> Result<StampOutcome, Failure> {
    let other = || Failure::unknown(Reason::OtherDocument);
    match said(answer)? {
        Said::Success(data) => match shown(&data, sealed) {
            Shown::Own(xml) => Ok(StampOutcome::Stamped { xml }),
            Shown::Other => Err(other()),
            Shown::Nothing => Err(Failure::unknown(Reason::StampNotReturned)),
        },
        Said::Error { rejection, data } if STAMPED.contains(&rejection.code.as_str()) => {
            match shown(&data, sealed) {
                Shown::Own(xml) => Ok(StampOutcome::Stamped { xml }),
                Shown::Other => Err(other()),
                Shown::Nothing => Ok(StampOutcome::AlreadyStamped),
            }
        }
        Said::Error { rejection, .. } => refused(rejection, &ACCIDENTS).map(StampOutcome::Rejected),
    }
}

/// What became of a request to cancel.
pub(super) fn cancel_outcome(answer: &Answer, uuid: &str) -> Result<CancelOutcome, Failure> {
    let data = match said(answer)? {
        Said::Success(data) => data,
        Said::Error { rejection, .. } => {
            return refused(rejection, &OF_AUTHORITY).map(CancelOutcome::Rejected);
        }
    };
    let receipt = text(&data, "acuse").filter(|receipt| !receipt.trim().is_empty());
    let code = match data.get("uuid").and_then(Value::as_object) {
        Some(codes) => told(codes, uuid),
        // Of withholdings, some answers have the authority's receipt alone.
        None => receipt
            .and_then(|receipt| Receipt::parse(receipt).ok()?.status_of(uuid).map(str::to_owned)),
    };
    let code = code.ok_or_else(Failure::nonsense)?;
    if is_received(&code) {
        return Ok(CancelOutcome::Received { code, receipt: receipt.map(str::to_owned) });
    }
    Ok(CancelOutcome::Rejected(Rejection { code, message: String::new() }))
}

/// The authority's code of a document among those of the request.
fn told(codes: &Map<String, Value>, uuid: &str) -> Option<String> {
    let (_, code) = codes.iter().find(|(folio, _)| folio.eq_ignore_ascii_case(uuid))?;
    match code {
        Value::String(code) => Some(code.trim().to_owned()).filter(|code| !code.is_empty()),
        Value::Number(code) => Some(code.to_string()),
        _ => None,
    }
}

/// Reads an answer whose status lets it count.
fn said(answer: &Answer) -> Result<Said, Failure> {
    answer.body_counts()?;
    let mut body: Value = serde_json::from_slice(&answer.body).map_err(|_| Failure::nonsense())?;
    let data = body.get_mut("data").map(Value::take).unwrap_or_default();
    match text(&body, "status") {
        Some("success") if answer.status < 300 => Ok(Said::Success(data)),
        Some("error") => {
            let message = text(&body, "message").unwrap_or_default().trim();
            let detail = text(&body, "messageDetail").unwrap_or_default().trim();
            let code = leading_code(message).unwrap_or_default().to_owned();
            let message = format!("{message} {detail}").trim().to_owned();
            Ok(Said::Error { rejection: Rejection { code, message }, data })
        }
        _ => Err(Failure::nonsense()),
    }
}

/// A refusal that is one: for what was sent, and in words that SW documents.
fn refused(rejection: Rejection, accidents: &[&str]) -> Result<Rejection, Failure> {
    // Of what we are, not of what was sent: a gateway that checks tokens may say so too.
    if is_of_credentials(&rejection) {
        return Err(Failure::unknown(Reason::CredentialsRejected));
    }
    if rejection.code.is_empty() || accidents.contains(&rejection.code.as_str()) {
        return Err(Failure::Unknown(Reason::ProviderFailed.kept(words(&rejection))));
    }
    Ok(rejection)
}

fn is_of_credentials(rejection: &Rejection) -> bool {
    rejection.code.starts_with(OF_CREDENTIALS)
}

/// The stamped document of an answer; the service of withholdings has a name of its own for it. Some show the stamp alone.
fn shown(data: &Value, sealed: &Sealed) -> Shown {
    let document = text(data, "cfdi").or_else(|| text(data, "retencion"));
    match sealed.compare(document) {
        Shown::Nothing => sealed.complete(text(data, "tfd")),
        shown => shown,
    }
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}
