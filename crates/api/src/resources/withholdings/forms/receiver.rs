//! Reading from whom taxes are withheld, and other things that are of one of two kinds.

use cfdi::withholding::{Foreign, National, Receiver};
use intake::{
    Check, Fields,
    checks::{line, object},
    noun,
};
use kernel::message;

use crate::resources::fiscal::{rfc, zip};

/// Maximum characters of a name (retencionpagov2).
const NAME_CHARS_MAX: usize = 300;
/// Characters of a CURP.
pub(super) const CURP_CHARS: usize = 18;
/// Maximum characters of a foreign tax identifier (retencionpagov2).
const FOREIGN_ID_CHARS_MAX: usize = 20;

pub(super) fn read_receiver(fields: &mut Fields<'_>) -> Option<Receiver> {
    let national = object(noun("a receiver in Mexico", "un receptor nacional"), read_national)
        .about("Receiver with an RFC.");
    let foreign = object(noun("a receiver abroad", "un receptor extranjero"), read_foreign)
        .about("Receiver who resides abroad.");
    one_of_two(fields, ("national", national), ("foreign", foreign))
}

fn read_national(fields: &mut Fields<'_>) -> Option<Receiver> {
    let rfc = fields.required("rfc", rfc());
    let legal_name = fields.required("legalName", line(NAME_CHARS_MAX));
    let curp = fields.optional("curp", line(CURP_CHARS).about("CURP of a natural person."));
    let tax_zip = fields.required("taxZip", zip());
    let (rfc, legal_name, tax_zip) = (rfc?, legal_name?, tax_zip?);
    Some(Receiver::National(National { rfc, legal_name, curp, tax_zip }))
}

fn read_foreign(fields: &mut Fields<'_>) -> Option<Receiver> {
    let id = line(FOREIGN_ID_CHARS_MAX).about("Tax ID in the country of residence.");
    let foreign_tax_id = fields.optional("foreignTaxId", id);
    let legal_name = fields.required("legalName", line(NAME_CHARS_MAX));
    Some(Receiver::Foreign(Foreign { foreign_tax_id, legal_name: legal_name? }))
}

/// What is given under one of two names, of which exactly one must be there.
pub(super) fn one_of_two<T>(
    fields: &mut Fields<'_>,
    (first, first_check): (&'static str, impl Check<Value = T>),
    (second, second_check): (&'static str, impl Check<Value = T>),
) -> Option<T> {
    let own = fields.patch(first, first_check);
    let other = fields.patch(second, second_check);
    // An invalid one has been reported already and is not missing.
    let is_faulty =
        (own.is_none() && fields.gives(first)) || (other.is_none() && fields.gives(second));
    match (own.flatten(), other.flatten()) {
        (Some(_), Some(_)) => fields.refuse(
            second,
            message!("must be absent beside {first}", "debe omitirse junto con {first}"),
        ),
        (Some(value), None) | (None, Some(value)) => Some(value),
        (None, None) if is_faulty => None,
        (None, None) => fields.refuse(
            first,
            message!("is required, or {second} instead", "es obligatorio, o bien {second}"),
        ),
    }
}
