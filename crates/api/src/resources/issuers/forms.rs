//! What the endpoints of issuers read.

use intake::{
    Check, Fields, Form,
    checks::{base64, flag, id, line, object},
    noun,
};
use invoices::{
    IssuerFields, IssuerId, Series, issuer::LEGAL_NAME_CHARS_MAX, series::SERIES_CHARS_MAX,
};
use kernel::PageRequest;

use super::examples;
use crate::{
    page::{begins_with, page_request},
    resources::{
        fiscal::{known_regime, known_zip, rfc},
        taxes::usual_rates,
    },
};

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const ISSUER: Form<IssuerFields> =
    Form::body("TellIssuer", noun("an issuer", "un emisor"), read_issuer, examples::WANTED);
pub(super) const ONE: Form<IssuerFields> =
    Form::body("SetIssuer", noun("an issuer", "un emisor"), read_issuer, examples::SET);
pub(super) const LOGO: Form<Vec<u8>> =
    Form::body("SetLogo", noun("a logo", "un logotipo"), read_logo, examples::LOGO);
pub(super) const ADD: Form<IssuerFields> =
    Form::body("AddIssuer", noun("an issuer", "un emisor"), read_issuer, examples::ADD);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-isDefault,id";

const IS_DEFAULT: &str = "Whether it issues what names no issuer; `true` makes it the default one instead of the present one.";
const SHIPPING_TAXES: &str = "Taxes of the shipping of orders that state none for it; `null` for `defaultTaxes`; as they were if absent. \
                              Those of the default issuer count.";
const AUTO_RECEIPTS: &str = "Whether the receipts (`P`) that payments of PPD invoices draft by themselves are stamped by themselves, too; \
                             as it was if absent, `false` at first.";
const AUTO_CREDIT_NOTES: &str = "Whether the credit notes (`E`) that refunds of invoiced payments, and returns of what was never paid, \
                                 draft by themselves are stamped by themselves, too; as it was if absent, `false` at first.";
/// Maximum size of a logo, in bytes.
const LOGO_BYTES_MAX: usize = 256 * 1024;

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    // Whether it is the default one stands before its identifier.
    let is_own = |id: &str| id.get(1..).is_some_and(|id| begins_with(id, IssuerId::PREFIX));
    Some(page_request(fields, ORDER, |cursor| is_own(&cursor.id)))
}

fn read_issuer(fields: &mut Fields<'_>) -> Option<IssuerFields> {
    let rfc = fields.required("rfc", rfc());
    let legal_name = fields.required("legalName", line(LEGAL_NAME_CHARS_MAX));
    let tax_regime = fields.required("taxRegime", known_regime());
    let tax_zip = fields.required("taxZip", known_zip());
    let series = fields.optional("series", object(noun("series", "las series"), read_series));
    let default_taxes = fields.optional("defaultTaxes", usual_rates());
    let shipping_taxes = fields.patch("shippingTaxes", usual_rates().about(SHIPPING_TAXES));
    let stamps_receipts = fields.optional("autoReceipts", flag().about(AUTO_RECEIPTS));
    let stamps_credit_notes = fields.optional("autoCreditNotes", flag().about(AUTO_CREDIT_NOTES));
    let is_default = fields.optional("isDefault", flag().about(IS_DEFAULT));
    fields.read_only(&["id", "hasLogo", "createdAt", "updatedAt"]);
    Some(IssuerFields {
        rfc: rfc?,
        legal_name: legal_name?,
        tax_regime: tax_regime?,
        tax_zip: tax_zip?,
        series,
        default_taxes,
        shipping_taxes,
        stamps_receipts,
        stamps_credit_notes,
        is_default,
    })
}

fn read_series(fields: &mut Fields<'_>) -> Option<Series> {
    let usual = Series::default();
    let mut series = |name| fields.optional(name, line(SERIES_CHARS_MAX));
    Some(Series {
        income: series("income").unwrap_or(usual.income),
        credit: series("credit").unwrap_or(usual.credit),
        payment: series("payment").unwrap_or(usual.payment),
        transfer: series("transfer").unwrap_or(usual.transfer),
    })
}

fn read_logo(fields: &mut Fields<'_>) -> Option<Vec<u8>> {
    fields.required("image", base64(LOGO_BYTES_MAX).about("PNG or JPEG file, base64-encoded."))
}

/// The identifier of an issuer.
pub(in crate::resources) fn issuer_id() -> impl Check<Value = IssuerId> {
    id(noun("an issuer", "un emisor"), IssuerId::PREFIX, IssuerId::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(ISSUER.read_body(examples::WANTED.as_bytes()).is_ok());
        assert!(LOGO.read_body(examples::LOGO.as_bytes()).is_ok());
        assert!(ADD.read_body(examples::ADD.as_bytes()).is_ok());
        let told = ISSUER.read_body(examples::ISSUER.as_bytes()).unwrap();
        assert_eq!(told.series, Some(Series::default()));
        assert_eq!(told.default_taxes.unwrap(), [cfdi::tax::TaxRate::iva(160_000)]);
    }

    #[test]
    fn what_is_left_out_of_the_series_is_as_usual() {
        let body = r#"{"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
            "taxRegime": "601", "taxZip": "42501", "series": {"income": "WEB"}}"#;
        let told = ISSUER.read_body(body.as_bytes()).unwrap();
        let series = Series { income: "WEB".to_owned(), ..Series::default() };
        assert_eq!((told.series, told.default_taxes), (Some(series), None));
    }

    #[test]
    fn every_fault_is_named() {
        let body = r#"{"rfc": "EKU", "legalName": " ", "taxRegime": "609", "taxZip": "19000",
            "defaultTaxes": [{"tax": "IVA", "factor": "Tasa", "rate": 16}]}"#;
        assert_eq!(
            ISSUER.read_body(body.as_bytes()).unwrap_err().to_string(),
            "rfc must be an RFC such as \"XAXX010101000\"; legalName must not be empty; taxRegime \
             must be a tax regime, see GET /invoices/cfdi/regimenes-fiscales; taxZip must be a \
             postal code of SAT's catalog, 5 digits; defaultTaxes[0] must have a rate as a share \
             such as 0.16, not as a percentage"
        );
    }

    #[test]
    fn files_are_base64_and_bounded() {
        let image = |text: &str| LOGO.read_body(format!(r#"{{"image": {text:?}}}"#).as_bytes());
        for text in ["iVBORw0KGgo=", "iVBORw0KGgo", "iVBO\nRw0K\r\nGgo="] {
            assert_eq!(image(text).unwrap(), b"\x89PNG\r\n\x1a\n", "{text}");
        }
        for (text, problem) in [
            ("", "image must not be empty"),
            ("data:image/png;base64,iVBORw0KGgo=", "image must be base64 (RFC 4648 §4)"),
            (&"A".repeat(400_000), "image must have at most 262144 bytes behind its base64"),
        ] {
            assert_eq!(image(text).unwrap_err().to_string(), problem);
        }
    }
}
