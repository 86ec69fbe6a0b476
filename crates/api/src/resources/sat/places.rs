//! How the API shows a postal code.

use cfdi::catalogs::postal_codes::{Border, PostalCode};
use serde::Serialize;
use utoipa::ToSchema;

/// A postal code of SAT's catalog.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PostalCode)]
pub(super) struct PostalCodeBody {
    /// Postal code, 5 digits.
    #[schema(example = "06600")]
    code: String,
    /// The state.
    state: PlaceBody,
    /// Municipality; `null` if the catalog states none.
    municipality: Option<PlaceBody>,
    /// Locality; `null` if the catalog states none.
    locality: Option<PlaceBody>,
    /// Border region whose tax incentive (8% IVA) applies there: `north` or `south`.
    border: Option<&'static str>,
    /// Time zone in which invoices issued there are dated, as SAT calls it.
    #[schema(example = "Tiempo del Centro")]
    time_zone: &'static str,
}

/// A state, municipality or locality.
#[derive(Serialize, ToSchema)]
#[schema(as = Place)]
struct PlaceBody {
    /// Code in SAT's catalog.
    code: &'static str,
    /// Name.
    name: Option<&'static str>,
}

impl PostalCodeBody {
    /// The postal code with that code.
    pub(super) fn new(code: String, place: &PostalCode) -> Self {
        let named = |code: Option<&'static str>, name| code.map(|code| PlaceBody { code, name });
        Self {
            code,
            state: PlaceBody { code: place.state, name: place.state_name() },
            municipality: named(place.municipality, place.municipality_name()),
            locality: named(place.locality, place.locality_name()),
            border: place.border.map(|border| match border {
                Border::North => "north",
                Border::South => "south",
            }),
            time_zone: place.zone().name(),
        }
    }
}
