//! Reading what goods are transported in, and what only some means of transport want to know.

use cfdi::{
    complements::carta_porte::{
        AirTransport, FerriedTruck, Insurance, Navigation, Policy, RailCar, RailContainer,
        RailTransport, RoadTransport, SeaTransport, Ship, ShipContainer, Shipper, Station,
        TrackRight, Trailer, Vehicle, WeightDetails,
    },
    rules::LINES_MAX,
};
use intake::{
    Check, Fields,
    checks::{object, objects, one_of, whole},
    noun,
};

use super::{CHARS_MAX, local_moment, not_negative, phrase};

/// Maximum trailers (CartaPorte31.xsd).
const TRAILERS_MAX: usize = 2;
/// Maximum containers on a car. SAT knows no limit.
const CONTAINERS_MAX: usize = 100;
/// Maximum rights to the tracks of others. SAT knows no limit.
const TRACK_RIGHTS_MAX: usize = 1_000;
/// Years of models and ships that are read; the rules know which there may be.
const YEARS: std::ops::RangeInclusive<i64> = 1900..=2100;
/// How many pieces the schema can count.
const PIECES: std::ops::RangeInclusive<i64> = 1..=2_147_483_647;

pub(super) fn read_road_transport(fields: &mut Fields<'_>) -> Option<RoadTransport> {
    let permit_type =
        phrase(CHARS_MAX).about("The kind of permit, a code of c_TipoPermiso (`PermSCT`).");
    let permit_type = fields.required("permitType", permit_type);
    let permit_number = phrase(CHARS_MAX).about("The number of the permit (`NumPermisoSCT`).");
    let permit_number = fields.required("permitNumber", permit_number);
    let vehicle = object(noun("a vehicle", "un vehículo"), read_vehicle)
        .about("The truck (`IdentificacionVehicular`).");
    let vehicle = fields.required("vehicle", vehicle);
    let insurance = object(noun("insurance", "los seguros"), read_insurance)
        .about("Who insures what (`Seguros`).");
    let insurance = fields.required("insurance", insurance);
    let trailers = objects(noun("a trailer", "un remolque"), 0..=TRAILERS_MAX, read_trailer)
        .about("What the truck draws (`Remolques`).");
    let trailers = fields.optional("trailers", trailers).unwrap_or_default();
    Some(RoadTransport {
        permit_type: permit_type?,
        permit_number: permit_number?,
        vehicle: vehicle?,
        insurance: insurance?,
        trailers,
    })
}

fn read_vehicle(fields: &mut Fields<'_>) -> Option<Vehicle> {
    let configuration = phrase(CHARS_MAX)
        .about("Its axles and tires, a code of c_ConfigAutotransporte (`ConfigVehicular`).");
    let configuration = fields.required("configuration", configuration);
    let gross_weight_tons = not_negative()
        .about("The gross weight that it is allowed, in tons (`PesoBrutoVehicular`).");
    let gross_weight_tons = fields.required("grossWeightTons", gross_weight_tons);
    let plate = phrase(CHARS_MAX).about("Its plate, without spaces and hyphens (`PlacaVM`).");
    let plate = fields.required("plate", plate);
    let model_year = whole(YEARS).about("The year of its model (`AnioModeloVM`).");
    let model_year = fields.required("modelYear", model_year);
    Some(Vehicle {
        configuration: configuration?,
        gross_weight_tons: gross_weight_tons?,
        plate: plate?,
        model_year: model_year.and_then(|year| u16::try_from(year).ok())?,
    })
}

fn read_insurance(fields: &mut Fields<'_>) -> Option<Insurance> {
    let liability =
        object(noun("a policy", "una póliza"), read_policy).about("Of civil liability.");
    let liability = fields.required("liability", liability);
    let environment = object(noun("a policy", "una póliza"), read_policy)
        .about("Of damage to the environment, for hazardous goods.");
    let environment = fields.optional("environment", environment);
    let cargo = object(noun("a policy", "una póliza"), read_policy).about("Of the load.");
    let cargo = fields.optional("cargo", cargo);
    let premium =
        not_negative().about("What the client is charged for the insurance (`PrimaSeguro`).");
    let premium = fields.optional("premium", premium);
    Some(Insurance { liability: liability?, environment, cargo, premium })
}

fn read_policy(fields: &mut Fields<'_>) -> Option<Policy> {
    let insurer = phrase(CHARS_MAX).about("The name of the insurer.");
    let insurer = fields.required("insurer", insurer);
    let number = phrase(CHARS_MAX).about("The number of the policy.");
    let number = fields.required("number", number);
    Some(Policy { insurer: insurer?, number: number? })
}

fn read_trailer(fields: &mut Fields<'_>) -> Option<Trailer> {
    let subtype = phrase(CHARS_MAX).about("Its kind, a code of c_SubTipoRem (`SubTipoRem`).");
    let subtype = fields.required("subtype", subtype);
    let plate = phrase(CHARS_MAX).about("Its plate, without spaces and hyphens.");
    let plate = fields.required("plate", plate);
    Some(Trailer { subtype: subtype?, plate: plate? })
}

pub(super) fn read_station(fields: &mut Fields<'_>) -> Option<Station> {
    let code = phrase(CHARS_MAX).about("Which one, a code of c_Estaciones (`NumEstacion`).");
    let code = fields.required("code", code);
    let name = phrase(CHARS_MAX)
        .about("Its name; that of the catalog where it is not given (`NombreEstacion`).");
    let name = fields.optional("name", name);
    let station_type = phrase(CHARS_MAX)
        .about("What it is to the journey, a code of c_TipoEstacion (`TipoEstacion`).");
    let station_type = fields.optional("stationType", station_type);
    let navigation = one_of(Navigation::EVERY, Navigation::name)
        .about("Where the ships of a port sail (`NavegacionTrafico`).");
    let navigation = fields.optional("navigation", navigation);
    Some(Station { code: code?, name, station_type, navigation })
}

pub(super) fn read_weights(fields: &mut Fields<'_>) -> Option<WeightDetails> {
    let unit = phrase(CHARS_MAX).about("The unit, a code of c_ClaveUnidadPeso (`UnidadPesoMerc`).");
    let unit = fields.required("unit", unit);
    let gross = not_negative().about("With the packing (`PesoBruto`).");
    let gross = fields.required("gross", gross);
    let net =
        not_negative().about("Without it (`PesoNeto`); the rest is the packing's (`PesoTara`).");
    let net = fields.required("net", net);
    let pieces = whole(PIECES).about("How many pieces (`NumPiezas`).");
    let pieces = fields.optional("pieces", pieces).and_then(|count| u32::try_from(count).ok());
    Some(WeightDetails { unit: unit?, gross: gross?, net: net?, pieces })
}

pub(super) fn read_sea_transport(fields: &mut Fields<'_>) -> Option<SeaTransport> {
    let permit_type =
        phrase(CHARS_MAX).about("The kind of permit, a code of c_TipoPermiso (`PermSCT`).");
    let permit_type = fields.optional("permitType", permit_type);
    let permit_number = phrase(CHARS_MAX).about("The number of the permit (`NumPermisoSCT`).");
    let permit_number = fields.optional("permitNumber", permit_number);
    let insurance = read_insurer(fields);
    let ship = object(noun("a ship", "una embarcación"), read_ship).about("The ship.");
    let ship = fields.required("ship", ship);
    let cargo_type =
        phrase(CHARS_MAX).about("The kind of load, a code of c_ClaveTipoCarga (`TipoCarga`).");
    let cargo_type = fields.required("cargoType", cargo_type);
    let shipping_line = phrase(CHARS_MAX).about("The shipping line (`LineaNaviera`).");
    let shipping_line = fields.optional("shippingLine", shipping_line);
    let agent_name =
        phrase(CHARS_MAX).about("The name of the shipping agent (`NombreAgenteNaviero`).");
    let agent_name = fields.required("agentName", agent_name);
    let agent_authorization = phrase(CHARS_MAX).about(
        "The agent's authorization, a code of c_NumAutorizacionNaviero (`NumAutorizacionNaviero`).",
    );
    let agent_authorization = fields.required("agentAuthorization", agent_authorization);
    let voyage_number = phrase(CHARS_MAX).about("The number of the voyage (`NumViaje`).");
    let voyage_number = fields.optional("voyageNumber", voyage_number);
    let bill_of_lading =
        phrase(CHARS_MAX).about("The number of the bill of lading (`NumConocEmbarc`).");
    let bill_of_lading = fields.optional("billOfLading", bill_of_lading);
    let temporary_permit = phrase(CHARS_MAX)
        .about("The permit of a foreign ship to sail for a time (`PermisoTempNavegacion`).");
    let temporary_permit = fields.optional("temporaryPermit", temporary_permit);
    let containers =
        objects(noun("a container", "un contenedor"), 0..=LINES_MAX, read_ship_container)
            .about("What the goods are in (`Contenedor`).");
    let containers = fields.optional("containers", containers).unwrap_or_default();
    Some(SeaTransport {
        permit_type,
        permit_number,
        insurance,
        ship: ship?,
        cargo_type: cargo_type?,
        shipping_line,
        agent_name: agent_name?,
        agent_authorization: agent_authorization?,
        voyage_number,
        bill_of_lading,
        temporary_permit,
        containers,
    })
}

fn read_ship(fields: &mut Fields<'_>) -> Option<Ship> {
    let kind = phrase(CHARS_MAX).about("Its kind, a code of c_ConfigMaritima (`TipoEmbarcacion`).");
    let kind = fields.required("type", kind);
    let registration = phrase(CHARS_MAX).about("Its registration (`Matricula`).");
    let registration = fields.required("registration", registration);
    let imo_number = phrase(CHARS_MAX).about("Its number at the International Maritime Organization: `IMO` and seven digits (`NumeroOMI`).");
    let imo_number = fields.required("imoNumber", imo_number);
    let year = whole(YEARS).about("The year it was built (`AnioEmbarcacion`).");
    let year = fields.optional("year", year).and_then(|year| u16::try_from(year).ok());
    let name = phrase(CHARS_MAX).about("Its name (`NombreEmbarc`).");
    let name = fields.optional("name", name);
    let flag = phrase(CHARS_MAX)
        .about("The country whose flag it flies, a code of c_Pais (`NacionalidadEmbarc`).");
    let flag = fields.required("flag", flag);
    let gross_tonnage = not_negative().about("Its gross tonnage (`UnidadesDeArqBruto`).");
    let gross_tonnage = fields.required("grossTonnage", gross_tonnage);
    let length = fields.optional("length", not_negative().about("Its length in feet (`Eslora`)."));
    let beam = fields.optional("beam", not_negative().about("Its beam in feet (`Manga`)."));
    let draft = fields.optional("draft", not_negative().about("Its draft in feet (`Calado`)."));
    let depth = fields.optional("depth", not_negative().about("Its depth in feet (`Puntal`)."));
    Some(Ship {
        kind: kind?,
        registration: registration?,
        imo_number: imo_number?,
        year,
        name,
        flag: flag?,
        gross_tonnage: gross_tonnage?,
        length,
        beam,
        draft,
        depth,
    })
}

fn read_ship_container(fields: &mut Fields<'_>) -> Option<ShipContainer> {
    let kind =
        phrase(CHARS_MAX).about("Its kind, a code of c_ContenedorMaritimo (`TipoContenedor`).");
    let kind = fields.required("type", kind);
    let registration = phrase(CHARS_MAX).about("Its number (`MatriculaContenedor`).");
    let registration = fields.optional("registration", registration);
    let seal = phrase(CHARS_MAX).about("The number of its seal (`NumPrecinto`).");
    let seal = fields.optional("seal", seal);
    let truck = object(noun("a truck", "un autotransporte"), read_ferried_truck)
        .about("The truck that a ferry carries.");
    let truck = fields.optional("truck", truck);
    Some(ShipContainer { kind: kind?, registration, seal, truck })
}

fn read_ferried_truck(fields: &mut Fields<'_>) -> Option<FerriedTruck> {
    let carta_porte_id =
        phrase(CHARS_MAX).about("The folio of its own Carta Porte (`IdCCPRelacionado`).");
    let carta_porte_id = fields.required("cartaPorteId", carta_porte_id);
    let stamped_at =
        local_moment().about("When that was stamped: whole seconds (`FechaCertificacionCCP`).");
    let stamped_at = fields.required("stampedAt", stamped_at);
    let plate =
        phrase(CHARS_MAX).about("The truck's plate, without spaces and hyphens (`PlacaVMCCP`).");
    let plate = fields.required("plate", plate);
    let trailers = objects(noun("a trailer", "un remolque"), 0..=TRAILERS_MAX, read_trailer)
        .about("What the truck draws (`RemolquesCCP`).");
    let trailers = fields.optional("trailers", trailers).unwrap_or_default();
    Some(FerriedTruck {
        carta_porte_id: carta_porte_id?,
        stamped_at: stamped_at?,
        plate: plate?,
        trailers,
    })
}

pub(super) fn read_air_transport(fields: &mut Fields<'_>) -> Option<AirTransport> {
    let permit_type =
        phrase(CHARS_MAX).about("The kind of permit, a code of c_TipoPermiso (`PermSCT`).");
    let permit_type = fields.required("permitType", permit_type);
    let permit_number = phrase(CHARS_MAX).about("The number of the permit (`NumPermisoSCT`).");
    let permit_number = fields.required("permitNumber", permit_number);
    let registration = phrase(CHARS_MAX)
        .about("The plane's registration: capitals, digits and hyphens (`MatriculaAeronave`).");
    let aircraft_registration = fields.optional("aircraftRegistration", registration);
    let insurance = read_insurer(fields);
    let waybill_number = phrase(CHARS_MAX).about("The number of the air waybill (`NumeroGuia`).");
    let waybill_number = fields.required("waybillNumber", waybill_number);
    let contract_place = phrase(CHARS_MAX).about("Where the contract was made (`LugarContrato`).");
    let contract_place = fields.optional("contractPlace", contract_place);
    let carrier = phrase(CHARS_MAX)
        .about("Who flies, a code of c_CodigoTransporteAereo (`CodigoTransportista`).");
    let carrier = fields.required("carrier", carrier);
    let shipper = object(noun("a shipper", "un embarcador"), read_shipper)
        .about("Who had the goods put on the plane.");
    let shipper = fields.optional("shipper", shipper);
    Some(AirTransport {
        permit_type: permit_type?,
        permit_number: permit_number?,
        aircraft_registration,
        insurance,
        waybill_number: waybill_number?,
        contract_place,
        carrier: carrier?,
        shipper,
    })
}

fn read_shipper(fields: &mut Fields<'_>) -> Option<Shipper> {
    let rfc = phrase(CHARS_MAX)
        .about("The RFC; the generic one of foreigners for somebody abroad (`RFCEmbarcador`).");
    let rfc = fields.required("rfc", rfc);
    let name = phrase(CHARS_MAX).about("The name (`NombreEmbarcador`).");
    let name = fields.optional("name", name);
    let foreign_tax_id =
        phrase(CHARS_MAX).about("The tax identifier of a foreigner (`NumRegIdTribEmbarc`).");
    let foreign_tax_id = fields.optional("foreignTaxId", foreign_tax_id);
    let tax_residence = phrase(CHARS_MAX)
        .about("The country that gave it, a code of c_Pais (`ResidenciaFiscalEmbarc`).");
    let tax_residence = fields.optional("taxResidence", tax_residence);
    Some(Shipper { rfc: rfc?, name, foreign_tax_id, tax_residence })
}

pub(super) fn read_rail_transport(fields: &mut Fields<'_>) -> Option<RailTransport> {
    let service = phrase(CHARS_MAX)
        .about("The kind of service, a code of c_TipoDeServicio (`TipoDeServicio`).");
    let service = fields.required("service", service);
    let traffic = phrase(CHARS_MAX)
        .about("The kind of traffic, a code of c_TipoDeTrafico (`TipoDeTrafico`).");
    let traffic = fields.required("traffic", traffic);
    let insurance = read_insurer(fields);
    let track_rights =
        objects(noun("a right", "un derecho de paso"), 0..=TRACK_RIGHTS_MAX, read_track_right)
            .about("The tracks of others that it uses (`DerechosDePaso`).");
    let track_rights = fields.optional("trackRights", track_rights).unwrap_or_default();
    let cars = objects(noun("a car", "un carro"), 0..=LINES_MAX, read_car)
        .about("The cars that the goods are in (`Carro`).");
    let cars = fields.optional("cars", cars).unwrap_or_default();
    Some(RailTransport { service: service?, traffic: traffic?, insurance, track_rights, cars })
}

fn read_track_right(fields: &mut Fields<'_>) -> Option<TrackRight> {
    let kind =
        phrase(CHARS_MAX).about("Which one, a code of c_DerechosDePaso (`TipoDerechoDePaso`).");
    let kind = fields.required("type", kind);
    let paid_km = not_negative().about("The kilometers paid for (`KilometrajePagado`).");
    let paid_km = fields.required("paidKm", paid_km);
    Some(TrackRight { kind: kind?, paid_km: paid_km? })
}

fn read_car(fields: &mut Fields<'_>) -> Option<RailCar> {
    let kind = phrase(CHARS_MAX).about("Its kind, a code of c_TipoCarro (`TipoCarro`).");
    let kind = fields.required("type", kind);
    let registration = phrase(CHARS_MAX).about("Its number (`MatriculaCarro`).");
    let registration = fields.required("registration", registration);
    let waybill_number = phrase(CHARS_MAX).about("The number of its waybill (`GuiaCarro`).");
    let waybill_number = fields.required("waybillNumber", waybill_number);
    let net_tons = not_negative().about("The tons in it (`ToneladasNetasCarro`).");
    let net_tons = fields.required("netTons", net_tons);
    let containers =
        objects(noun("a container", "un contenedor"), 0..=CONTAINERS_MAX, read_rail_container)
            .about("The containers on it (`Contenedor`).");
    let containers = fields.optional("containers", containers).unwrap_or_default();
    Some(RailCar {
        kind: kind?,
        registration: registration?,
        waybill_number: waybill_number?,
        net_tons: net_tons?,
        containers,
    })
}

fn read_rail_container(fields: &mut Fields<'_>) -> Option<RailContainer> {
    let kind = phrase(CHARS_MAX).about("Its kind, a code of c_Contenedor (`TipoContenedor`).");
    let kind = fields.required("type", kind);
    let empty_weight_kg =
        not_negative().about("What it weighs empty, in kilograms (`PesoContenedorVacio`).");
    let empty_weight_kg = fields.required("emptyWeightKg", empty_weight_kg);
    let net_weight_kg =
        not_negative().about("What the goods in it weigh, in kilograms (`PesoNetoMercancia`).");
    let net_weight_kg = fields.required("netWeightKg", net_weight_kg);
    Some(RailContainer {
        kind: kind?,
        empty_weight_kg: empty_weight_kg?,
        net_weight_kg: net_weight_kg?,
    })
}

/// The policy of what is not a truck, which has one alone.
fn read_insurer(fields: &mut Fields<'_>) -> Option<Policy> {
    let insurance = object(noun("a policy", "una póliza"), read_policy)
        .about("Who insures it (`NombreAseg`, `NumPolizaSeguro`).");
    fields.optional("insurance", insurance)
}
