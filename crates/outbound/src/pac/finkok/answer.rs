//! What Finkok's answers say. A stamp that is shown counts, whatever incidents are told beside it.

use invoices::provider::{CancelOutcome, Rejection, StampOutcome};
use kernel::reason::Reason;
use roxmltree::Node;

use crate::pac::{
    document::{Sealed, Shown},
    ending::{Failure, is_code, is_received, leading_code, words},
    http::Answer,
    soap::{self, descendant, text, xml},
};

/// The document is stamped already. 707 says that it came with a stamp, which a sealed one never does.
const STAMPED: [&str; 2] = ["307", "707"];

/// The credentials are not valid: 300 of the services, 501 of the authority's list.
const OF_CREDENTIALS: [&str; 2] = ["300", "501"];

/// The account is not served, whatever the document says: the customer (701) or the account (703) is
/// suspended, the month's limit is reached (714), no stamps are left (718).
const OF_ACCOUNT: [&str; 4] = ["701", "703", "714", "718"];

/// Accidents on their side while stamping: the XML (604) or the seal (709) could not be made.
const ACCIDENTS: [&str; 2] = ["604", "709"];

/// The authority could not be reached, so the request to cancel may or may not have come through.
const OF_AUTHORITY: &str = "708";

/// The authority has a request for the document since before.
const REQUESTED: &str = "798";

/// Said in the place of a code by the service that cancels.
const UNKNOWN_USER: &str = "Invalid Username or Password";

/// What became of a call to `stamp` or `stamped`.
pub(super) fn stamp_outcome(
    answer: &Answer,
    result: &str,
    sealed: &Sealed,
) -> Result<StampOutcome, Failure> {
    answer.body_counts()?;
    let (shown, folio, incidents) = soap::read(answer, result, |result| {
        let shown = sealed.compare(xml(result, "xml").as_deref());
        let folio = result.children().find(|node| node.tag_name().name() == "UUID");
        let folio = folio.is_some_and(|node| text(node, "UUID").is_some());
        (shown, folio, incidents(result))
    })?;
    match shown {
        Shown::Own(xml) => return Ok(StampOutcome::Stamped { xml }),
        Shown::Other => {
            return Err(Failure::unknown(Reason::OtherDocument));
        }
        Shown::Nothing => {}
    }
    if incidents.iter().any(|incident| STAMPED.contains(&incident.code.as_str())) {
        return Ok(StampOutcome::AlreadyStamped);
    }
    if folio {
        return Err(Failure::unknown(Reason::StampNotReturned));
    }
    let incident = incidents.into_iter().next().ok_or_else(Failure::nonsense)?;
    refused(incident, &ACCIDENTS).map(StampOutcome::Rejected)
}

/// What became of a request to cancel.
pub(super) fn cancel_outcome(answer: &Answer, uuid: &str) -> Result<CancelOutcome, Failure> {
    answer.body_counts()?;
    soap::read(answer, "cancel_signatureResult", |result| {
        let receipt = xml(result, "Acuse");
        let told = text(result, "CodEstatus").or_else(|| text(result, "error"));
        let told = told.unwrap_or_default();
        let own = own_folio(result, uuid);
        let code = own.and_then(|folio| text(folio, "EstatusUUID"));
        let Some(code) = code else { return whole_outcome(&told) };
        if is_received(&code) || code == REQUESTED {
            return Ok(CancelOutcome::Received { code, receipt });
        }
        let state = own.and_then(|folio| text(folio, "EstatusCancelacion"));
        let rejection = Rejection { code, message: state.unwrap_or(told) };
        refused(rejection, &[OF_AUTHORITY]).map(CancelOutcome::Rejected)
    })?
}

/// An answer that speaks of no document.
fn whole_outcome(told: &str) -> Result<CancelOutcome, Failure> {
    if told.contains(UNKNOWN_USER) {
        return Err(Failure::credentials());
    }
    if told.is_empty() {
        return Err(Failure::nonsense());
    }
    let code = leading_code(told).unwrap_or_default().to_owned();
    if matches!(code.as_str(), "202" | "1202" | REQUESTED) {
        return Ok(CancelOutcome::Received { code, receipt: None });
    }
    // Something was received, but it is not said which document.
    if is_received(&code) {
        return Err(Failure::nonsense());
    }
    let rejection = Rejection { code, message: told.to_owned() };
    refused(rejection, &[OF_AUTHORITY]).map(CancelOutcome::Rejected)
}

/// The element that tells of one document.
fn own_folio<'a, 'i>(result: Node<'a, 'i>, uuid: &str) -> Option<Node<'a, 'i>> {
    let mut folios =
        descendant(result, "Folios")?.children().filter(|node| node.tag_name().name() == "Folio");
    folios.find(|folio| text(*folio, "UUID").is_some_and(|own| own.eq_ignore_ascii_case(uuid)))
}

fn incidents(result: Node<'_, '_>) -> Vec<Rejection> {
    let told = result.descendants().filter(|node| node.tag_name().name() == "Incidencia");
    told.map(|incident| Rejection {
        code: text(incident, "CodigoError").unwrap_or_default(),
        message: text(incident, "MensajeIncidencia").unwrap_or_default(),
    })
    .collect()
}

/// A refusal that is one: for what was sent, and in words that Finkok documents.
fn refused(rejection: Rejection, accidents: &[&str]) -> Result<Rejection, Failure> {
    let code = rejection.code.as_str();
    if OF_CREDENTIALS.contains(&code) {
        return Err(Failure::credentials());
    }
    if OF_ACCOUNT.contains(&code) {
        return Err(Failure::NotTaken(Reason::ProviderAnswered.kept(words(&rejection))));
    }
    if accidents.contains(&code) || !(is_code(code) || code == "no_cancelable") {
        return Err(Failure::Unknown(Reason::ProviderFailed.kept(words(&rejection))));
    }
    Ok(rejection)
}
