//! What an export asks of the document that has it.

use crate::{
    complements::{Complements, ForeignTrade},
    document::{DocumentType, FOREIGNER, Item},
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
    },
};

use super::{GUIDE, INVOICED_BEFORE};

/// The code of a definitive export with customs key A1.
const DEFINITIVE: &str = "02";
/// The relation of a transfer to the invoices of the goods.
const OF_INVOICED_GOODS: &str = "05";
/// That no taxes apply.
const NOT_TAXED: &str = "01";

pub(super) fn check(case: &Case<'_>, trade: &ForeignTrade, found: &mut Findings) {
    export(case, found);
    if trade.transfer_reason.as_deref() == Some(INVOICED_BEFORE) {
        invoices(case, found);
    }
    receiver(case, found);
    let items = At::top("items");
    for (index, each) in case.document.items.iter().enumerate() {
        item(case, each, &items.index(index), found);
    }
    others(&case.document.complements, &At::top("complements"), found);
}

fn export(case: &Case<'_>, found: &mut Findings) {
    let code = case.document.export.as_str();
    if code != DEFINITIVE {
        let value = Shown(code);
        found.add(
            GUIDE,
            &At::top("export"),
            format_args!(
                "is {value}, but must be \"02\" (definitive export with key A1) together with \
                 complements.foreignTrade: set it, or leave the complement out",
            ),
            format_args!(
                "es {value}, pero debe ser \"02\" (exportación definitiva con clave A1) junto con \
                 complements.foreignTrade: indicarlo, u omitir el complemento",
            ),
        );
    }
}

/// What was invoiced before is moved with a reference to the invoice.
fn invoices(case: &Case<'_>, found: &mut Findings) {
    let refers = case.document.related.iter().any(|relation| {
        relation.relation == OF_INVOICED_GOODS && relation.uuids.iter().any(|uuid| !uuid.is_empty())
    });
    if !refers {
        found.add(
            GUIDE,
            &At::top("related"),
            format_args!(
                "must reference the invoices of the goods, because transferReason is 01: add their \
                 UUIDs with relation 05",
            ),
            format_args!(
                "debe señalar las facturas de la mercancía, porque transferReason es 01: agregar \
                 sus folios fiscales (UUID) con la relación 05",
            ),
        );
    }
}

/// Somebody in particular; of a foreigner the country (40153) and the tax identifier there (40155).
fn receiver(case: &Case<'_>, found: &mut Findings) {
    let receiver = &case.document.receiver;
    let at = At::top("receiver");
    if case.document.is_to_the_public() {
        found.add(
            GUIDE,
            &at.field("rfc"),
            format_args!(
                "must not be that of the general public in an export: set the customer's RFC, or \
                 {FOREIGNER} for a foreign one",
            ),
            format_args!(
                "no debe ser el del público en general en una exportación: indicar el RFC del \
                 cliente, o {FOREIGNER} si es extranjero",
            ),
        );
    }
    if receiver.rfc != FOREIGNER || receiver.foreign_tax_id.is_some() {
        return;
    }
    found.add(
        "CFDI40155",
        &at.field("foreignTaxId"),
        format_args!("is missing: an export names the customer's tax ID in their country"),
        format_args!(
            "falta: en una exportación se indica el número de identidad tributaria del cliente en \
             su país",
        ),
    );
    if receiver.tax_residence.is_none() {
        found.add(
            "CFDI40153",
            &at.field("taxResidence"),
            format_args!("is missing: an export names the country where the customer resides"),
            format_args!("falta: en una exportación se indica el país de residencia del cliente"),
        );
    }
}

/// Every item has a number; none is sold for others, is a house, or is taxed in a transfer.
fn item(case: &Case<'_>, item: &Item, at: &At<'_>, found: &mut Findings) {
    if item.sku.is_none() {
        found.add(
            GUIDE,
            &at.field("sku"),
            format_args!("is missing: complements.foreignTrade.goods refer to items by their sku"),
            format_args!(
                "falta: complements.foreignTrade.goods se refiere a los conceptos por su sku"
            ),
        );
    }
    if item.third_party.is_some() {
        found.add(
            GUIDE,
            &at.field("thirdParty"),
            format_args!("must be left out: goods cannot be exported on behalf of a third party"),
            format_args!("debe omitirse: en una exportación no hay venta por cuenta de terceros"),
        );
    }
    if !item.property_accounts.is_empty() {
        found.add(
            GUIDE,
            &at.field("propertyAccounts"),
            format_args!("must be empty: real estate cannot be exported"),
            format_args!("debe estar vacío: un inmueble no se exporta"),
        );
    }
    if case.document.kind == DocumentType::Transfer && item.tax_object != NOT_TAXED {
        let value = Shown(&item.tax_object);
        found.add(
            GUIDE,
            &at.field("taxObject"),
            format_args!(
                "is {value}, but must be \"01\" (not subject to tax) in an exporting transfer"
            ),
            format_args!(
                "es {value}, pero debe ser \"01\" (no objeto de impuesto) en un traslado de \
                 exportación",
            ),
        );
    }
}

/// Of the other complements, it goes with those of local taxes and of prescribed sentences alone.
fn others(complements: &Complements, at: &At<'_>, found: &mut Findings) {
    let others = [
        ("donation", complements.donation.is_some()),
        ("electoral", complements.electoral.is_some()),
    ];
    for (name, _) in others.into_iter().filter(|(_, is_there)| *is_there) {
        found.add(
            GUIDE,
            &at.field(name),
            format_args!("must be left out: SAT does not allow it together with foreignTrade"),
            format_args!("debe omitirse: el SAT no lo admite junto con foreignTrade"),
        );
    }
}
