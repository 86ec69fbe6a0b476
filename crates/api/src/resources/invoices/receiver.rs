//! `/invoices/cfdi/receiver-check`: whether somebody can be invoiced, before there is an invoice.

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use cfdi::{
    document::{DocumentType, Receiver},
    rules,
};
use crm::customer::FOREIGN_ID_CHARS_MAX;
use intake::{Check, Fields, Form, checks::line};

use super::{examples, forms, verdict::VerdictBody};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::ApiError,
    reply::answered,
    resources::fiscal::{cfdi_use, country, regime, rfc, zip},
};

const CHECK: &str = "/invoices/cfdi/receiver-check";
const ASKED: Form<Asked> = Form::query(read);

/// Maximum characters of a name (cfdv40).
const NAME_CHARS_MAX: usize = 300;

/// Who is to receive which type of document.
struct Asked {
    kind: DocumentType,
    receiver: Receiver,
}

fn read(fields: &mut Fields<'_>) -> Option<Asked> {
    let kind = fields.optional("type", forms::kind().about("CFDI type; defaults to `I`."));
    let rfc = fields.required("rfc", rfc().about("RFC."));
    let name = line(NAME_CHARS_MAX).about("Legal name as registered with SAT.");
    let legal_name = fields.required("legalName", name);
    let tax_zip = fields.required("taxZip", zip().about("Postal code of the tax address."));
    let tax_regime = fields.required("taxRegime", regime().about("Tax regime."));
    let usual = cfdi_use().about("CFDI use; defaults to the one that the regime allows.");
    let cfdi_use = fields.optional("cfdiUse", usual);
    let residence = country().about("Country of residence of a foreigner.");
    let tax_residence = fields.optional("taxResidence", residence);
    let foreign = line(FOREIGN_ID_CHARS_MAX).about("Tax identifier of a foreigner.");
    let foreign_tax_id = fields.optional("foreignTaxId", foreign);
    let (kind, tax_regime) = (kind.unwrap_or(DocumentType::Income), tax_regime?);
    let cfdi_use = cfdi_use.unwrap_or_else(|| invoices::usual_use(kind, &tax_regime).to_owned());
    let receiver = Receiver {
        rfc: rfc?,
        legal_name: legal_name?,
        tax_zip: tax_zip?,
        cfdi_use,
        tax_regime,
        tax_residence,
        foreign_tax_id,
    };
    Some(Asked { kind, receiver })
}

pub(super) fn endpoint() -> Endpoint {
    Endpoint::get(CHECK, Scope::Invoices, taking(query(ASKED), check))
        .translated()
        .summary("Check a receiver")
        .describes(
            "Whether somebody could receive an invoice: kind of person, tax regime, CFDI use and \
             postal code against SAT's catalogs and rules, the check digit of the RFC, and a name \
             without corporate suffix. Whether RFC, name and postal code are the registered ones \
             only SAT knows.",
        )
        .answers::<VerdictBody>(200, "The result of the check.", examples::RECEIVER_VERDICT)
}

async fn check(call: Call, Asked { kind, receiver }: Asked) -> Result<Answer, ApiError> {
    let issuer = answered(call.services().issuers.issuer(call.account, None)).await?;
    let place = issuer.map_or_else(|| receiver.tax_zip.clone(), |issuer| issuer.tax_zip);
    let findings = rules::check_receiver(&receiver, kind, &place, call.now);
    let language = call.language();
    let verdict = VerdictBody::new(&findings, &rules::doubts(&receiver), language);
    Answer::json(StatusCode::OK, &verdict.of_receiver())?.with(CONTENT_LANGUAGE, language.tag())
}
