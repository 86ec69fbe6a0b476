//! `/invoices/cfdi/receiver-check`: whether somebody can be invoiced, before there is an invoice.

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use cfdi::{
    document::{DocumentType, Receiver},
    rules,
};
use intake::{Check, Fields, Form};
use invoices::tax_data::{self, TaxCheck};

use super::{examples, forms, verdict::VerdictBody};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::ApiError,
    reply::answered,
};

const CHECK: &str = "/invoices/cfdi/receiver-check";
const ASKED: Form<Asked> = Form::query(read);

/// Who is to receive which type of document.
struct Asked {
    kind: DocumentType,
    receiver: Receiver,
}

fn read(fields: &mut Fields<'_>) -> Option<Asked> {
    let kind = fields.optional("type", forms::kind().about("CFDI type; defaults to `I`."));
    let receiver = forms::read_receiver(fields)?;
    Some(Asked { kind: kind.unwrap_or(DocumentType::Income), receiver })
}

pub(super) fn endpoint() -> Endpoint {
    Endpoint::get(CHECK, Scope::Invoices, taking(query(ASKED), check))
        .translated()
        .summary("Check a receiver")
        .describes(
            "Whether somebody could receive an invoice: kind of person, tax regime, CFDI use and \
             postal code against SAT's catalogs and rules, the check digit of the RFC, and a name \
             without corporate suffix. To `PUBLICO EN GENERAL`, only global invoices are made out, as \
             a warning says. Whether RFC, name and postal code are the registered ones \
             only SAT knows.",
        )
        .answers::<VerdictBody>(200, "The result of the check.", examples::RECEIVER_VERDICT)
}

async fn check(call: Call, Asked { kind, receiver }: Asked) -> Result<Answer, ApiError> {
    let issuer = answered(call.services().issuers.issuer(call.account, None)).await?;
    let place = issuer.as_ref().map(|issuer| issuer.tax_zip.as_str());
    let period = rules::asks_for_period(&receiver, kind);
    let TaxCheck { findings, doubts, .. } =
        tax_data::check_receiver(receiver, kind, place, call.now);
    let doubts: Vec<_> = doubts.into_iter().chain(period).collect();
    let language = call.language();
    let verdict = VerdictBody::new(&findings, &doubts, language).of_receiver();
    Answer::json(StatusCode::OK, &verdict)?.with(CONTENT_LANGUAGE, language.tag())
}
