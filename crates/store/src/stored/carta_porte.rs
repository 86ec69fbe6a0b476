//! Goods on the way.

mod modes;

use cfdi::complements::{
    Address, CartaPorte,
    carta_porte::{
        AirTransport, CustomsDocument, Direction, Figure, Goods, GoodsItem, GoodsValue, Guide,
        HealthControl, Insurance, International, Isthmus, Location, LocationKind, Navigation,
        Policy, Portion, RailTransport, RoadTransport, SeaTransport, Station, Trailer, Vehicle,
        WeightDetails,
    },
};
use kernel::{Amount, Currency};
use serde::{Deserialize, Serialize};
use time::{Date, PrimitiveDateTime};

use super::{
    address::AddressForm,
    complements::DayForm,
    document::local_time,
    forms::{Each, Form, Maybe, forms},
};
use modes::{AirTransportForm, RailTransportForm, SeaTransportForm};

forms!(
    CartaPorteForm of CartaPorte,
    CustomsDocumentForm of CustomsDocument,
    DirectionForm of Direction,
    FigureForm of Figure,
    GoodsForm of Goods,
    GoodsItemForm of GoodsItem,
    GoodsValueForm of GoodsValue,
    GuideForm of Guide,
    HealthControlForm of HealthControl,
    InsuranceForm of Insurance,
    InternationalForm of International,
    IsthmusForm of Isthmus,
    LocationForm of Location,
    LocationKindForm of LocationKind,
    NavigationForm of Navigation,
    PolicyForm of Policy,
    PortionForm of Portion,
    RoadTransportForm of RoadTransport,
    StationForm of Station,
    TrailerForm of Trailer,
    VehicleForm of Vehicle,
    WeightDetailsForm of WeightDetails,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "CartaPorte", rename_all = "camelCase")]
pub(super) struct CartaPorteForm {
    id: Option<String>,
    #[serde(default, with = "Maybe::<InternationalForm>")]
    international: Option<International>,
    #[serde(default, with = "Maybe::<IsthmusForm>")]
    isthmus: Option<Isthmus>,
    #[serde(with = "Each::<LocationForm>")]
    locations: Vec<Location>,
    #[serde(with = "GoodsForm")]
    goods: Goods,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<RoadTransportForm>")]
    road: Option<RoadTransport>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<SeaTransportForm>")]
    sea: Option<SeaTransport>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<AirTransportForm>")]
    air: Option<AirTransport>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<RailTransportForm>")]
    rail: Option<RailTransport>,
    #[serde(with = "Each::<FigureForm>")]
    figures: Vec<Figure>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "International", rename_all = "camelCase")]
struct InternationalForm {
    #[serde(with = "DirectionForm")]
    direction: Direction,
    country: String,
    via: String,
    customs_regimes: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Isthmus", rename_all = "camelCase")]
struct IsthmusForm {
    origin: String,
    destination: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Goods", rename_all = "camelCase")]
struct GoodsForm {
    gross_weight: Option<Amount>,
    weight_unit: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    appraisal_charge: Option<Amount>,
    reverse_logistics: bool,
    #[serde(with = "Each::<GoodsItemForm>")]
    items: Vec<GoodsItem>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "GoodsItem", rename_all = "camelCase")]
struct GoodsItemForm {
    sat_product_key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stcc: Option<String>,
    description: String,
    quantity: Amount,
    sat_unit_key: String,
    unit: Option<String>,
    dimensions: Option<String>,
    hazardous: Option<bool>,
    hazardous_material: Option<String>,
    packaging: Option<String>,
    packaging_description: Option<String>,
    #[serde(default, with = "Maybe::<HealthControlForm>")]
    health: Option<HealthControl>,
    weight_kg: Amount,
    #[serde(default, with = "Maybe::<GoodsValueForm>")]
    value: Option<GoodsValue>,
    tariff_code: Option<String>,
    foreign_trade_uuid: Option<String>,
    material_type: Option<String>,
    material_description: Option<String>,
    #[serde(with = "Each::<CustomsDocumentForm>")]
    customs_documents: Vec<CustomsDocument>,
    #[serde(with = "Each::<GuideForm>")]
    guides: Vec<Guide>,
    #[serde(with = "Each::<PortionForm>")]
    portions: Vec<Portion>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<WeightDetailsForm>")]
    weights: Option<WeightDetails>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "WeightDetails", rename_all = "camelCase")]
struct WeightDetailsForm {
    unit: String,
    gross: Amount,
    net: Amount,
    pieces: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "GoodsValue", rename_all = "camelCase")]
struct GoodsValueForm {
    amount: Amount,
    currency: Currency,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CustomsDocument", rename_all = "camelCase")]
struct CustomsDocumentForm {
    document_type: String,
    pedimento: Option<String>,
    identifier: Option<String>,
    importer_rfc: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Guide", rename_all = "camelCase")]
struct GuideForm {
    number: String,
    description: String,
    weight_kg: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Portion", rename_all = "camelCase")]
struct PortionForm {
    quantity: Amount,
    origin: String,
    destination: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "HealthControl", rename_all = "camelCase")]
struct HealthControlForm {
    sector: String,
    active_ingredient: Option<String>,
    chemical_name: Option<String>,
    generic_name: Option<String>,
    brand_name: Option<String>,
    manufacturer: Option<String>,
    #[serde(default, with = "Maybe::<DayForm>")]
    expires_on: Option<Date>,
    batch: Option<String>,
    dosage_form: Option<String>,
    special_conditions: Option<String>,
    sanitary_registration: Option<String>,
    import_permit: Option<String>,
    vucem_folio: Option<String>,
    cas_number: Option<String>,
    importer_name: Option<String>,
    pesticide_registration: Option<String>,
    manufacturer_details: Option<String>,
    formulator_details: Option<String>,
    processor_details: Option<String>,
    authorized_use: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Location", rename_all = "camelCase")]
struct LocationForm {
    #[serde(with = "LocationKindForm")]
    kind: LocationKind,
    code: Option<String>,
    rfc: String,
    name: Option<String>,
    foreign_tax_id: Option<String>,
    tax_residence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<StationForm>")]
    station: Option<Station>,
    #[serde(with = "local_time")]
    at: PrimitiveDateTime,
    distance_km: Option<Amount>,
    #[serde(default, with = "Maybe::<AddressForm>")]
    address: Option<Address>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Station", rename_all = "camelCase")]
struct StationForm {
    code: String,
    name: Option<String>,
    station_type: Option<String>,
    #[serde(default, with = "Maybe::<NavigationForm>")]
    navigation: Option<Navigation>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Navigation", rename_all = "snake_case")]
enum NavigationForm {
    HighSeas,
    Coastal,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RoadTransport", rename_all = "camelCase")]
struct RoadTransportForm {
    permit_type: String,
    permit_number: String,
    #[serde(with = "VehicleForm")]
    vehicle: Vehicle,
    #[serde(with = "InsuranceForm")]
    insurance: Insurance,
    #[serde(with = "Each::<TrailerForm>")]
    trailers: Vec<Trailer>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Vehicle", rename_all = "camelCase")]
struct VehicleForm {
    configuration: String,
    gross_weight_tons: Amount,
    plate: String,
    model_year: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Insurance", rename_all = "camelCase")]
struct InsuranceForm {
    #[serde(with = "PolicyForm")]
    liability: Policy,
    #[serde(default, with = "Maybe::<PolicyForm>")]
    environment: Option<Policy>,
    #[serde(default, with = "Maybe::<PolicyForm>")]
    cargo: Option<Policy>,
    premium: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Policy", rename_all = "camelCase")]
struct PolicyForm {
    insurer: String,
    number: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Trailer", rename_all = "camelCase")]
struct TrailerForm {
    subtype: String,
    plate: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Figure", rename_all = "camelCase")]
struct FigureForm {
    figure_type: String,
    rfc: Option<String>,
    license: Option<String>,
    name: String,
    foreign_tax_id: Option<String>,
    tax_residence: Option<String>,
    parts: Vec<String>,
    #[serde(default, with = "Maybe::<AddressForm>")]
    address: Option<Address>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Direction", rename_all = "snake_case")]
enum DirectionForm {
    Entry,
    Exit,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LocationKind", rename_all = "snake_case")]
enum LocationKindForm {
    Origin,
    Destination,
}
