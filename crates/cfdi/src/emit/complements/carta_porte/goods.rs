//! The walk over goods, and over what SAT puts below them: what they are transported in.

use kernel::Amount;

use super::{Sink, YES, modes, transport, yes_or_no};
use crate::{
    complements::{
        CartaPorte,
        carta_porte::{CustomsDocument, GoodsItem, Guide, HealthControl, Portion, WeightDetails},
    },
    decimal::digits,
    document::day,
};

/// Decimals of weights.
const GRAMS: u32 = 3;

pub(super) fn walk(carta: &CartaPorte, sink: &mut impl Sink) {
    let goods = &carta.goods;
    sink.open("cartaporte31:Mercancias");
    sink.attribute("PesoBrutoTotal", &digits(goods.total_weight(), GRAMS));
    sink.attribute("UnidadPeso", &goods.weight_unit);
    let net_weight = goods.net_weight().map(|weight| digits(weight, GRAMS));
    sink.optional("PesoNetoTotal", net_weight.as_deref());
    sink.attribute("NumTotalMercancias", &goods.items.len().to_string());
    let charge = goods.appraisal_charge.map(|charge| digits(charge, 2));
    sink.optional("CargoPorTasacion", charge.as_deref());
    sink.optional("LogisticaInversaRecoleccionDevolucion", goods.reverse_logistics.then_some(YES));
    for each in &goods.items {
        item(each, sink);
    }
    if let Some(road) = &carta.road {
        transport::road(road, sink);
    }
    if let Some(sea) = &carta.sea {
        modes::sea(sea, sink);
    }
    if let Some(air) = &carta.air {
        modes::air(air, sink);
    }
    if let Some(rail) = &carta.rail {
        modes::rail(rail, sink);
    }
    sink.close("cartaporte31:Mercancias");
}

fn item(item: &GoodsItem, sink: &mut impl Sink) {
    let amount = |amount: Amount| digits(amount, 0);
    let value = item.value.as_ref();
    sink.open("cartaporte31:Mercancia");
    sink.attribute("BienesTransp", &item.sat_product_key);
    sink.optional("ClaveSTCC", item.stcc.as_deref());
    sink.attribute("Descripcion", &item.description);
    sink.attribute("Cantidad", &amount(item.quantity));
    sink.attribute("ClaveUnidad", &item.sat_unit_key);
    sink.optional("Unidad", item.unit.as_deref());
    sink.optional("Dimensiones", item.dimensions.as_deref());
    sink.optional("MaterialPeligroso", item.hazardous.map(yes_or_no));
    sink.optional("CveMaterialPeligroso", item.hazardous_material.as_deref());
    sink.optional("Embalaje", item.packaging.as_deref());
    sink.optional("DescripEmbalaje", item.packaging_description.as_deref());
    if let Some(control) = &item.health {
        health(control, sink);
    }
    sink.attribute("PesoEnKg", &digits(item.weight_kg, GRAMS));
    sink.optional("ValorMercancia", value.map(|value| amount(value.amount)).as_deref());
    sink.optional("Moneda", value.map(|value| value.currency.code()));
    sink.optional("FraccionArancelaria", item.tariff_code.as_deref());
    sink.optional("UUIDComercioExt", item.foreign_trade_uuid.as_deref());
    sink.optional("TipoMateria", item.material_type.as_deref());
    sink.optional("DescripcionMateria", item.material_description.as_deref());
    for each in &item.customs_documents {
        customs_document(each, sink);
    }
    for each in &item.guides {
        guide(each, sink);
    }
    for each in &item.portions {
        portion(each, sink);
    }
    if let Some(details) = &item.weights {
        weights(details, sink);
    }
    sink.close("cartaporte31:Mercancia");
}

fn health(control: &HealthControl, sink: &mut impl Sink) {
    sink.attribute("SectorCOFEPRIS", &control.sector);
    sink.optional("NombreIngredienteActivo", control.active_ingredient.as_deref());
    sink.optional("NomQuimico", control.chemical_name.as_deref());
    sink.optional("DenominacionGenericaProd", control.generic_name.as_deref());
    sink.optional("DenominacionDistintivaProd", control.brand_name.as_deref());
    sink.optional("Fabricante", control.manufacturer.as_deref());
    sink.optional("FechaCaducidad", control.expires_on.map(day::to_text).as_deref());
    sink.optional("LoteMedicamento", control.batch.as_deref());
    sink.optional("FormaFarmaceutica", control.dosage_form.as_deref());
    sink.optional("CondicionesEspTransp", control.special_conditions.as_deref());
    let registration = control.sanitary_registration.as_deref();
    sink.optional("RegistroSanitarioFolioAutorizacion", registration);
    sink.optional("PermisoImportacion", control.import_permit.as_deref());
    sink.optional("FolioImpoVUCEM", control.vucem_folio.as_deref());
    sink.optional("NumCAS", control.cas_number.as_deref());
    sink.optional("RazonSocialEmpImp", control.importer_name.as_deref());
    sink.optional("NumRegSanPlagCOFEPRIS", control.pesticide_registration.as_deref());
    sink.optional("DatosFabricante", control.manufacturer_details.as_deref());
    sink.optional("DatosFormulador", control.formulator_details.as_deref());
    sink.optional("DatosMaquilador", control.processor_details.as_deref());
    sink.optional("UsoAutorizado", control.authorized_use.as_deref());
}

fn customs_document(document: &CustomsDocument, sink: &mut impl Sink) {
    sink.open("cartaporte31:DocumentacionAduanera");
    sink.attribute("TipoDocumento", &document.document_type);
    // The number's groups are parted by two spaces, which the cadena makes one.
    sink.optional("NumPedimento", document.pedimento.as_deref());
    sink.optional("IdentDocAduanero", document.identifier.as_deref());
    sink.optional("RFCImpo", document.importer_rfc.as_deref());
    sink.close("cartaporte31:DocumentacionAduanera");
}

fn guide(guide: &Guide, sink: &mut impl Sink) {
    sink.open("cartaporte31:GuiasIdentificacion");
    sink.attribute("NumeroGuiaIdentificacion", &guide.number);
    sink.attribute("DescripGuiaIdentificacion", &guide.description);
    sink.attribute("PesoGuiaIdentificacion", &digits(guide.weight_kg, GRAMS));
    sink.close("cartaporte31:GuiasIdentificacion");
}

fn portion(portion: &Portion, sink: &mut impl Sink) {
    sink.open("cartaporte31:CantidadTransporta");
    sink.attribute("Cantidad", &digits(portion.quantity, 0));
    sink.attribute("IDOrigen", &portion.origin);
    sink.attribute("IDDestino", &portion.destination);
    sink.close("cartaporte31:CantidadTransporta");
}

fn weights(weights: &WeightDetails, sink: &mut impl Sink) {
    sink.open("cartaporte31:DetalleMercancia");
    sink.attribute("UnidadPesoMerc", &weights.unit);
    sink.attribute("PesoBruto", &digits(weights.gross, GRAMS));
    sink.attribute("PesoNeto", &digits(weights.net, GRAMS));
    sink.attribute("PesoTara", &digits(weights.tare(), GRAMS));
    sink.optional("NumPiezas", weights.pieces.map(|count| count.to_string()).as_deref());
    sink.close("cartaporte31:DetalleMercancia");
}
