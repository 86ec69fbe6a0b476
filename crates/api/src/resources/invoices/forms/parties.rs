//! Reading receivers and third parties.

use cfdi::document::{Receiver, ThirdParty, is_generic};
use crm::customer::FOREIGN_ID_CHARS_MAX;
use intake::{Check, Fields, checks::line};

use crate::resources::fiscal::{cfdi_use, country, regime, rfc, zip};

/// Maximum characters of a name (cfdv40).
const NAME_CHARS_MAX: usize = 300;

const RFC: &str =
    "RFC (Mexican tax ID); `XAXX010101000` for the general public, `XEXX010101000` for foreigners.";
const LEGAL_NAME: &str = "Legal name as registered with SAT, in capitals and without the corporate suffix (régimen societario).";
const TAX_ZIP: &str = "Postal code of the tax address (domicilio fiscal). Required unless the RFC is `XAXX010101000` or \
     `XEXX010101000`: it is that of the place of issue then.";
const TAX_REGIME: &str = "Tax regime code, see GET /invoices/cfdi/regimenes-fiscales. Required unless the RFC is \
     `XAXX010101000` or `XEXX010101000`: it is `616` then.";
const CFDI_USE: &str = "CFDI use code, see GET /invoices/cfdi/usos-cfdi; defaults to the usual one for the CFDI type and tax regime.";
const TAX_RESIDENCE: &str =
    "Country of tax residence of a foreign receiver, see GET /invoices/cfdi/paises.";
const FOREIGN_TAX_ID: &str = "Tax ID of a foreign receiver in that country (NumRegIdTrib).";

/// A receiver; what follows is left empty if absent, and is derived then: the CFDI use, and postal code and regime of who has
/// no RFC of their own.
pub(in crate::resources::invoices) fn read_receiver(fields: &mut Fields<'_>) -> Option<Receiver> {
    let rfc = fields.required("rfc", rfc().about(RFC));
    let legal_name = fields.required("legalName", line(NAME_CHARS_MAX).about(LEGAL_NAME));
    let has_own = !rfc.as_deref().is_some_and(is_generic);
    let tax_zip = fields.required_if(has_own, "taxZip", zip().about(TAX_ZIP));
    let tax_regime = fields.required_if(has_own, "taxRegime", regime().about(TAX_REGIME));
    let cfdi_use = fields.optional("cfdiUse", cfdi_use().about(CFDI_USE)).unwrap_or_default();
    let tax_residence = fields.optional("taxResidence", country().about(TAX_RESIDENCE));
    let foreign_tax_id = line(FOREIGN_ID_CHARS_MAX).about(FOREIGN_TAX_ID);
    let foreign_tax_id = fields.optional("foreignTaxId", foreign_tax_id);
    Some(Receiver {
        rfc: rfc?,
        legal_name: legal_name?,
        tax_zip: tax_zip?.unwrap_or_default(),
        tax_regime: tax_regime?.unwrap_or_default(),
        cfdi_use,
        tax_residence,
        foreign_tax_id,
    })
}

pub(super) fn read_third_party(fields: &mut Fields<'_>) -> Option<ThirdParty> {
    let rfc = fields.required("rfc", rfc());
    let legal_name = fields.required("legalName", line(NAME_CHARS_MAX));
    let tax_regime = fields.required("taxRegime", regime());
    let tax_zip = fields.required("taxZip", zip());
    Some(ThirdParty {
        rfc: rfc?,
        legal_name: legal_name?,
        tax_regime: tax_regime?,
        tax_zip: tax_zip?,
    })
}
