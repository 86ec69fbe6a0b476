//! Reading receivers and third parties.

use cfdi::document::{Receiver, ThirdParty};
use crm::customer::FOREIGN_ID_CHARS_MAX;
use intake::{Fields, checks::line};

use crate::resources::fiscal::{cfdi_use, country, regime, rfc, zip};

/// Maximum characters of a name (cfdv40).
const NAME_CHARS_MAX: usize = 300;

/// A receiver; the CFDI use is left empty if absent, and is derived then.
pub(super) fn read_receiver(fields: &mut Fields<'_>) -> Option<Receiver> {
    let rfc = fields.required("rfc", rfc());
    let legal_name = fields.required("legalName", line(NAME_CHARS_MAX));
    let tax_zip = fields.required("taxZip", zip());
    let tax_regime = fields.required("taxRegime", regime());
    let cfdi_use = fields.optional("cfdiUse", cfdi_use()).unwrap_or_default();
    let tax_residence = fields.optional("taxResidence", country());
    let foreign_tax_id = fields.optional("foreignTaxId", line(FOREIGN_ID_CHARS_MAX));
    Some(Receiver {
        rfc: rfc?,
        legal_name: legal_name?,
        tax_zip: tax_zip?,
        tax_regime: tax_regime?,
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
