//! Reading goods on the way.

mod modes;

use cfdi::{
    complements::{
        CartaPorte,
        carta_porte::{
            CustomsDocument, Direction, Figure, Goods, GoodsItem, GoodsValue, Guide, HealthControl,
            International, Isthmus, Location, LocationKind, Portion,
        },
    },
    rules::LINES_MAX,
};
use intake::{
    Check, Fields,
    checks::{currency, flag, line, list, object, objects, one_of},
    noun,
};

use super::{CHARS_MAX, address::read_address, local_moment, not_negative, phrase};
use crate::resources::fiscal::day;
use modes::{
    read_air_transport, read_rail_transport, read_road_transport, read_sea_transport, read_station,
    read_weights,
};

/// Maximum places of a journey. SAT knows no limit.
const LOCATIONS_MAX: usize = 1_000;
/// Maximum people and companies that take part. SAT knows no limit.
const FIGURES_MAX: usize = 100;
/// Maximum customs regimes (CartaPorte31.xsd).
const REGIMES_MAX: usize = 10;
/// Maximum parts of the transport of somebody. SAT knows no limit.
const PARTS_MAX: usize = 100;
/// Maximum documents, waybills or portions of goods. SAT knows no limit.
const DOCUMENTS_MAX: usize = 1_000;

pub(super) fn read_carta_porte(fields: &mut Fields<'_>) -> Option<CartaPorte> {
    let international =
        object(noun("a border crossing", "un cruce internacional"), read_international)
            .about("Present when the goods enter or leave the country (`TranspInternac`).");
    let international = fields.optional("international", international);
    let isthmus = object(noun("poles of the Isthmus", "polos del Istmo"), read_isthmus).about("Present when they stay within the development poles of the Isthmus of Tehuantepec (`RegistroISTMO`).");
    let isthmus = fields.optional("isthmus", isthmus);
    let locations = objects(noun("a location", "una ubicación"), 0..=LOCATIONS_MAX, read_location)
        .about(
            "Where goods are picked up and delivered, in the order of the journey (`Ubicaciones`).",
        );
    let locations = fields.optional("locations", locations).unwrap_or_default();
    let goods = object(noun("goods", "las mercancías"), read_goods)
        .about("What is transported (`Mercancias`).");
    let goods = fields.required("goods", goods);
    let road = object(noun("road transport", "un autotransporte"), read_road_transport)
        .about("The truck that it is transported in (`Autotransporte`). Of the four means of transport, give one.");
    let road = fields.optional("road", road);
    let sea = object(noun("sea transport", "un transporte marítimo"), read_sea_transport)
        .about("The ship (`TransporteMaritimo`).");
    let sea = fields.optional("sea", sea);
    let air = object(noun("air transport", "un transporte aéreo"), read_air_transport)
        .about("The flight (`TransporteAereo`).");
    let air = fields.optional("air", air);
    let rail = object(noun("rail transport", "un transporte ferroviario"), read_rail_transport)
        .about("The train (`TransporteFerroviario`).");
    let rail = fields.optional("rail", rail);
    let figures =
        objects(noun("a figure", "una figura de transporte"), 0..=FIGURES_MAX, read_figure).about(
            "Who drives, and who owns or lets what the issuer does not own (`FiguraTransporte`).",
        );
    let figures = fields.optional("figures", figures).unwrap_or_default();
    fields.read_only(&["id"]);
    Some(CartaPorte {
        id: None,
        international,
        isthmus,
        locations,
        goods: goods?,
        road,
        sea,
        air,
        rail,
        figures,
    })
}

fn read_international(fields: &mut Fields<'_>) -> Option<International> {
    let direction = one_of(Direction::EVERY, Direction::name)
        .about("Whether they enter or leave the country (`EntradaSalidaMerc`).");
    let direction = fields.required("direction", direction);
    let country = phrase(CHARS_MAX)
        .about("The country that they come from or go to, a code of c_Pais (`PaisOrigenDestino`).");
    let country = fields.required("country", country);
    let via = phrase(CHARS_MAX).about("The means of transport by which they cross the border, a code of c_CveTransporte (`ViaEntradaSalida`).");
    let via = fields.required("via", via);
    let customs_regimes = list(0..=REGIMES_MAX, phrase(CHARS_MAX))
        .about("Codes of c_RegimenAduanero (`RegimenesAduaneros`).");
    let customs_regimes = fields.optional("customsRegimes", customs_regimes).unwrap_or_default();
    Some(International { direction: direction?, country: country?, via: via?, customs_regimes })
}

fn read_isthmus(fields: &mut Fields<'_>) -> Option<Isthmus> {
    let origin = phrase(CHARS_MAX)
        .about("Where the journey begins, a code of c_RegistroISTMO (`UbicacionPoloOrigen`).");
    let origin = fields.required("origin", origin);
    let destination = phrase(CHARS_MAX).about("Where it ends (`UbicacionPoloDestino`).");
    let destination = fields.required("destination", destination);
    Some(Isthmus { origin: origin?, destination: destination? })
}

fn read_goods(fields: &mut Fields<'_>) -> Option<Goods> {
    let gross_weight = not_negative().about("What all of it weighs, in `weightUnit`; where it is not given, the sum of the goods' `weights.gross` or else kilograms (`PesoBrutoTotal`).");
    let gross_weight = fields.optional("grossWeight", gross_weight);
    let weight_unit = phrase(CHARS_MAX)
        .about("The unit of that weight, a code of c_ClaveUnidadPeso (`UnidadPeso`).");
    let weight_unit = fields.required("weightUnit", weight_unit);
    let appraisal_charge =
        not_negative().about("What was paid for their appraisal, by air (`CargoPorTasacion`).");
    let appraisal_charge = fields.optional("appraisalCharge", appraisal_charge);
    let reverse_logistics = flag()
        .about("Whether they are collected or returned (`LogisticaInversaRecoleccionDevolucion`).");
    let reverse_logistics =
        fields.optional("reverseLogistics", reverse_logistics).unwrap_or_default();
    let items = objects(noun("goods", "una mercancía"), 0..=LINES_MAX, read_goods_item)
        .about("Each kind of goods.");
    let items = fields.optional("items", items).unwrap_or_default();
    Some(Goods {
        gross_weight,
        weight_unit: weight_unit?,
        appraisal_charge,
        reverse_logistics,
        items,
    })
}

fn read_goods_item(fields: &mut Fields<'_>) -> Option<GoodsItem> {
    let sat_product_key =
        phrase(CHARS_MAX).about("What they are, a code of c_ClaveProdServCP (`BienesTransp`).");
    let sat_product_key = fields.required("satProductKey", sat_product_key);
    let stcc = phrase(CHARS_MAX)
        .about("Their code of the Standard Transportation Commodity Code, by rail (`ClaveSTCC`).");
    let stcc = fields.optional("stcc", stcc);
    let description = phrase(CHARS_MAX).about("What they are, in the issuer's words.");
    let description = fields.required("description", description);
    let quantity = not_negative().about("How many units.");
    let quantity = fields.required("quantity", quantity);
    let sat_unit_key = phrase(CHARS_MAX).about("The unit, a code of c_ClaveUnidad.");
    let sat_unit_key = fields.required("satUnitKey", sat_unit_key);
    let unit = phrase(CHARS_MAX).about("The unit in the issuer's words.");
    let unit = fields.optional("unit", unit);
    let dimensions = phrase(CHARS_MAX)
        .about("Length, height and width of the package, as `30/40/30cm` or `12/16/12plg`.");
    let dimensions = fields.optional("dimensions", dimensions);
    let hazardous = flag()
        .about("Whether they are hazardous, for product keys that may be (`MaterialPeligroso`).");
    let hazardous = fields.optional("hazardous", hazardous);
    let hazardous_material = phrase(CHARS_MAX).about(
        "What hazardous material they are, a code of c_MaterialPeligroso (`CveMaterialPeligroso`).",
    );
    let hazardous_material = fields.optional("hazardousMaterial", hazardous_material);
    let packaging = phrase(CHARS_MAX)
        .about("How the hazardous material is packed, a code of c_TipoEmbalaje (`Embalaje`).");
    let packaging = fields.optional("packaging", packaging);
    let packaging_description =
        phrase(CHARS_MAX).about("That packaging in the issuer's words (`DescripEmbalaje`).");
    let packaging_description = fields.optional("packagingDescription", packaging_description);
    let health = object(noun("a health control", "un control sanitario"), read_health_control)
        .about("What the health authority demands of medicines and chemicals.");
    let health = fields.optional("health", health);
    let weight_kg = not_negative().about("What they weigh, in kilograms (`PesoEnKg`).");
    let weight_kg = fields.required("weightKg", weight_kg);
    let value = object(noun("a value", "un valor"), read_goods_value).about("What they are worth.");
    let value = fields.optional("value", value);
    let tariff_code = phrase(CHARS_MAX).about("A code of c_FraccionArancelaria.");
    let tariff_code = fields.optional("tariffCode", tariff_code);
    let foreign_trade_uuid = phrase(CHARS_MAX).about(
        "The fiscal folio of the invoice with the complement of foreign trade (`UUIDComercioExt`).",
    );
    let foreign_trade_uuid = fields.optional("foreignTradeUuid", foreign_trade_uuid);
    let material_type = phrase(CHARS_MAX).about("How far they are processed, a code of c_TipoMateria, for goods that cross the border (`TipoMateria`).");
    let material_type = fields.optional("materialType", material_type);
    let material_description =
        phrase(CHARS_MAX).about("The same in words, where no code says it (`DescripcionMateria`).");
    let material_description = fields.optional("materialDescription", material_description);
    let customs_documents = objects(
        noun("a customs document", "un documento aduanero"),
        0..=DOCUMENTS_MAX,
        read_customs_document,
    )
    .about(
        "What proves that goods from abroad are legally in the country (`DocumentacionAduanera`).",
    );
    let customs_documents =
        fields.optional("customsDocuments", customs_documents).unwrap_or_default();
    let guides = objects(noun("a waybill", "una guía"), 0..=DOCUMENTS_MAX, read_guide)
        .about("The parcels they are in (`GuiasIdentificacion`).");
    let guides = fields.optional("guides", guides).unwrap_or_default();
    let portions = objects(noun("a portion", "una cantidad"), 0..=DOCUMENTS_MAX, read_portion).about("How many go from where to where, when there are several origins or destinations (`CantidadTransporta`).");
    let portions = fields.optional("portions", portions).unwrap_or_default();
    let weights = object(noun("weights", "los pesos"), read_weights)
        .about("What they weigh with and without their packing, by sea (`DetalleMercancia`).");
    let weights = fields.optional("weights", weights);
    Some(GoodsItem {
        sat_product_key: sat_product_key?,
        stcc,
        description: description?,
        quantity: quantity?,
        sat_unit_key: sat_unit_key?,
        unit,
        dimensions,
        hazardous,
        hazardous_material,
        packaging,
        packaging_description,
        health,
        weight_kg: weight_kg?,
        value,
        tariff_code,
        foreign_trade_uuid,
        material_type,
        material_description,
        customs_documents,
        guides,
        portions,
        weights,
    })
}

fn read_goods_value(fields: &mut Fields<'_>) -> Option<GoodsValue> {
    let amount = not_negative().about("How much (`ValorMercancia`).");
    let amount = fields.required("amount", amount);
    let currency = currency().about("In what currency (`Moneda`).");
    let currency = fields.required("currency", currency);
    Some(GoodsValue { amount: amount?, currency: currency? })
}

fn read_customs_document(fields: &mut Fields<'_>) -> Option<CustomsDocument> {
    let document_type =
        phrase(CHARS_MAX).about("What it is, a code of c_DocumentoAduanero (`TipoDocumento`).");
    let document_type = fields.required("documentType", document_type);
    // Of two spaces between its parts, which a phrase would make one.
    let pedimento = line(CHARS_MAX)
        .about("The number of a customs entry, as `15  48  3009  0001234` (`NumPedimento`).");
    let pedimento = fields.optional("pedimento", pedimento);
    let identifier =
        phrase(CHARS_MAX).about("The number of any other document (`IdentDocAduanero`).");
    let identifier = fields.optional("identifier", identifier);
    let importer_rfc = phrase(CHARS_MAX).about("The RFC of the importer (`RFCImpo`).");
    let importer_rfc = fields.optional("importerRfc", importer_rfc);
    Some(CustomsDocument { document_type: document_type?, pedimento, identifier, importer_rfc })
}

fn read_guide(fields: &mut Fields<'_>) -> Option<Guide> {
    let number = phrase(CHARS_MAX).about("The number of the waybill (`NumeroGuiaIdentificacion`).");
    let number = fields.required("number", number);
    let description =
        phrase(CHARS_MAX).about("What is in the parcel (`DescripGuiaIdentificacion`).");
    let description = fields.required("description", description);
    let weight_kg =
        not_negative().about("What it weighs, in kilograms (`PesoGuiaIdentificacion`).");
    let weight_kg = fields.required("weightKg", weight_kg);
    Some(Guide { number: number?, description: description?, weight_kg: weight_kg? })
}

fn read_portion(fields: &mut Fields<'_>) -> Option<Portion> {
    let quantity = not_negative().about("How many units.");
    let quantity = fields.required("quantity", quantity);
    let origin = phrase(CHARS_MAX).about("The code of the place they leave from (`IDOrigen`).");
    let origin = fields.required("origin", origin);
    let destination =
        phrase(CHARS_MAX).about("The code of the place they arrive at (`IDDestino`).");
    let destination = fields.required("destination", destination);
    Some(Portion { quantity: quantity?, origin: origin?, destination: destination? })
}

fn read_health_control(fields: &mut Fields<'_>) -> Option<HealthControl> {
    let sector =
        phrase(CHARS_MAX).about("What sort of goods they are, a code of c_SectorCOFEPRIS.");
    let sector = fields.required("sector", sector);
    let active_ingredient = phrase(CHARS_MAX).about("The active ingredient of precursors, dual-use chemicals, pesticides and fertilizers (`NombreIngredienteActivo`).");
    let active_ingredient = fields.optional("activeIngredient", active_ingredient);
    let chemical_name = phrase(CHARS_MAX).about("The active substance of precursors, dual-use chemicals and toxic substances (`NomQuimico`).");
    let chemical_name = fields.optional("chemicalName", chemical_name);
    let generic_name =
        phrase(CHARS_MAX).about("The active substance of a medicine (`DenominacionGenericaProd`).");
    let generic_name = fields.optional("genericName", generic_name);
    let brand_name =
        phrase(CHARS_MAX).about("The brand of a medicine (`DenominacionDistintivaProd`).");
    let brand_name = fields.optional("brandName", brand_name);
    let manufacturer = phrase(CHARS_MAX).about("Who makes it (`Fabricante`).");
    let manufacturer = fields.optional("manufacturer", manufacturer);
    let expires_on = day().about("When it expires or is to be analyzed again (`FechaCaducidad`).");
    let expires_on = fields.optional("expiresOn", expires_on);
    let batch = phrase(CHARS_MAX).about("The batch (`LoteMedicamento`).");
    let batch = fields.optional("batch", batch);
    let dosage_form =
        phrase(CHARS_MAX).about("A code of c_FormaFarmaceutica (`FormaFarmaceutica`).");
    let dosage_form = fields.optional("dosageForm", dosage_form);
    let special_conditions = phrase(CHARS_MAX).about(
        "How it is kept on the way, a code of c_CondicionesEspeciales (`CondicionesEspTransp`).",
    );
    let special_conditions = fields.optional("specialConditions", special_conditions);
    let sanitary_registration = phrase(CHARS_MAX).about(
        "The sanitary registration or authorization (`RegistroSanitarioFolioAutorizacion`).",
    );
    let sanitary_registration = fields.optional("sanitaryRegistration", sanitary_registration);
    let import_permit = phrase(CHARS_MAX).about("The permit to import it (`PermisoImportacion`).");
    let import_permit = fields.optional("importPermit", import_permit);
    let vucem_folio = phrase(CHARS_MAX)
        .about("The folio of the import at the single window of foreign trade (`FolioImpoVUCEM`).");
    let vucem_folio = fields.optional("vucemFolio", vucem_folio);
    let cas_number = phrase(CHARS_MAX)
        .about("The number that Chemical Abstracts gave a toxic substance (`NumCAS`).");
    let cas_number = fields.optional("casNumber", cas_number);
    let importer_name =
        phrase(CHARS_MAX).about("The company that imports toxic substances (`RazonSocialEmpImp`).");
    let importer_name = fields.optional("importerName", importer_name);
    let pesticide_registration = phrase(CHARS_MAX)
        .about("The sanitary registration of a pesticide or fertilizer (`NumRegSanPlagCOFEPRIS`).");
    let pesticide_registration = fields.optional("pesticideRegistration", pesticide_registration);
    let manufacturer_details = phrase(CHARS_MAX)
        .about("Country and name of who makes the active ingredient (`DatosFabricante`).");
    let manufacturer_details = fields.optional("manufacturerDetails", manufacturer_details);
    let formulator_details =
        phrase(CHARS_MAX).about("Country and name of who formulates it (`DatosFormulador`).");
    let formulator_details = fields.optional("formulatorDetails", formulator_details);
    let processor_details = phrase(CHARS_MAX)
        .about("Country and name of who processes it for others (`DatosMaquilador`).");
    let processor_details = fields.optional("processorDetails", processor_details);
    let authorized_use = phrase(CHARS_MAX)
        .about("What a pesticide or fertilizer may be used for (`UsoAutorizado`).");
    let authorized_use = fields.optional("authorizedUse", authorized_use);
    Some(HealthControl {
        sector: sector?,
        active_ingredient,
        chemical_name,
        generic_name,
        brand_name,
        manufacturer,
        expires_on,
        batch,
        dosage_form,
        special_conditions,
        sanitary_registration,
        import_permit,
        vucem_folio,
        cas_number,
        importer_name,
        pesticide_registration,
        manufacturer_details,
        formulator_details,
        processor_details,
        authorized_use,
    })
}

fn read_location(fields: &mut Fields<'_>) -> Option<Location> {
    let kind = one_of(LocationKind::EVERY, LocationKind::name)
        .about("Whether goods leave from it or arrive at it (`TipoUbicacion`).");
    let kind = fields.required("type", kind);
    let code = phrase(CHARS_MAX)
        .about("The issuer's own code of it: `OR` or `DE` and six digits (`IDUbicacion`).");
    let code = fields.optional("code", code);
    let rfc = phrase(CHARS_MAX).about("The RFC of the sender or recipient; the generic one of foreigners for somebody abroad (`RFCRemitenteDestinatario`).");
    let rfc = fields.required("rfc", rfc);
    let name = phrase(CHARS_MAX)
        .about("The name of the sender or recipient (`NombreRemitenteDestinatario`).");
    let name = fields.optional("name", name);
    let foreign_tax_id = phrase(CHARS_MAX)
        .about("The tax identifier of a foreign sender or recipient (`NumRegIdTrib`).");
    let foreign_tax_id = fields.optional("foreignTaxId", foreign_tax_id);
    let tax_residence =
        phrase(CHARS_MAX).about("The country that gave it, a code of c_Pais (`ResidenciaFiscal`).");
    let tax_residence = fields.optional("taxResidence", tax_residence);
    let station = object(noun("a station", "una estación"), read_station)
        .about("The port, airport or railway station.");
    let station = fields.optional("station", station);
    let at = local_moment().about("When goods are expected to leave or arrive: whole seconds of the local time there (`FechaHoraSalidaLlegada`).");
    let at = fields.required("at", at);
    let distance_km = not_negative()
        .about("Kilometers from the place before, at destinations (`DistanciaRecorrida`).");
    let distance_km = fields.optional("distanceKm", distance_km);
    let address = object(noun("an address", "un domicilio"), read_address)
        .about("Where it is (`Domicilio`).");
    let address = fields.optional("address", address);
    Some(Location {
        kind: kind?,
        code,
        rfc: rfc?,
        name,
        foreign_tax_id,
        tax_residence,
        station,
        at: at?,
        distance_km,
        address,
    })
}

fn read_figure(fields: &mut Fields<'_>) -> Option<Figure> {
    let figure_type =
        phrase(CHARS_MAX).about("In what role, a code of c_FiguraTransporte (`TipoFigura`).");
    let figure_type = fields.required("figureType", figure_type);
    let rfc = phrase(CHARS_MAX).about("Tax identifier (`RFCFigura`).");
    let rfc = fields.optional("rfc", rfc);
    let license = phrase(CHARS_MAX).about("The driver's license (`NumLicencia`).");
    let license = fields.optional("license", license);
    let name = phrase(CHARS_MAX).about("The name (`NombreFigura`).");
    let name = fields.required("name", name);
    let foreign_tax_id =
        phrase(CHARS_MAX).about("The tax identifier of a foreigner (`NumRegIdTribFigura`).");
    let foreign_tax_id = fields.optional("foreignTaxId", foreign_tax_id);
    let tax_residence = phrase(CHARS_MAX)
        .about("The country that gave it, a code of c_Pais (`ResidenciaFiscalFigura`).");
    let tax_residence = fields.optional("taxResidence", tax_residence);
    let parts = list(0..=PARTS_MAX, phrase(CHARS_MAX))
        .about("What of the transport is theirs, codes of c_ParteTransporte (`PartesTransporte`).");
    let parts = fields.optional("parts", parts).unwrap_or_default();
    let address = object(noun("an address", "un domicilio"), read_address)
        .about("Where they live (`Domicilio`).");
    let address = fields.optional("address", address);
    Some(Figure {
        figure_type: figure_type?,
        rfc,
        license,
        name: name?,
        foreign_tax_id,
        tax_residence,
        parts,
        address,
    })
}
