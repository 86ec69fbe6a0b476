//! Reading an address of trade or transport.

use cfdi::complements::Address;
use intake::{Check, Fields};

use super::{CHARS_MAX, phrase};

pub(super) fn read_address(fields: &mut Fields<'_>) -> Option<Address> {
    let street = phrase(CHARS_MAX).about("The street (`Calle`); foreign trade needs it.");
    let street = fields.optional("street", street);
    let exterior_number = phrase(CHARS_MAX).about("The number of the house.");
    let exterior_number = fields.optional("exteriorNumber", exterior_number);
    let interior_number = phrase(CHARS_MAX).about("The number of the flat or office.");
    let interior_number = fields.optional("interiorNumber", interior_number);
    let neighborhood =
        phrase(CHARS_MAX).about("The neighborhood (`Colonia`); a code of c_Colonia in Mexico.");
    let neighborhood = fields.optional("neighborhood", neighborhood);
    let locality =
        phrase(CHARS_MAX).about("The city or town (`Localidad`); a code of c_Localidad in Mexico.");
    let locality = fields.optional("locality", locality);
    let reference = phrase(CHARS_MAX).about("What else helps to find it.");
    let reference = fields.optional("reference", reference);
    let municipality = phrase(CHARS_MAX)
        .about("The municipality or county (`Municipio`); a code of c_Municipio in Mexico.");
    let municipality = fields.optional("municipality", municipality);
    let state = phrase(CHARS_MAX)
        .about("The state or region; a code of c_Estado in Mexico, the United States and Canada.");
    let state = fields.required("state", state);
    let country = phrase(CHARS_MAX).about("The country, a code of c_Pais.");
    let country = fields.required("country", country);
    let zip = phrase(CHARS_MAX).about("The postal code; one of c_CodigoPostal in Mexico.");
    let zip = fields.required("zip", zip);
    Some(Address {
        street,
        exterior_number,
        interior_number,
        neighborhood,
        locality,
        reference,
        municipality,
        state: state?,
        country: country?,
        zip: zip?,
    })
}
