//! Goods that cross the border, and the documents that prove that they may.

use super::{common, lists};
use crate::{
    catalogs::{
        carta_porte::{customs_documents, material_types},
        tariff_codes,
    },
    complements::{
        CartaPorte,
        carta_porte::{CustomsDocument, Direction, GoodsItem},
    },
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        items::{self, CUSTOMS_PATTERN},
        listed, text,
    },
};

pub(super) fn check(
    case: &Case<'_>,
    carta: &CartaPorte,
    item: &GoodsItem,
    at: &At<'_>,
    found: &mut Findings,
) {
    tariff_code(item.tariff_code.as_deref(), &at.field("tariffCode"), found);
    let uuid = item.foreign_trade_uuid.as_deref();
    if let Some(uuid) = uuid.filter(|uuid| !text::is_uuid(uuid)) {
        let value = Shown(uuid);
        found.add(
            "301",
            &at.field("foreignTradeUuid"),
            format_args!("is {value}, which is not a fiscal folio: copy the UUID of that invoice"),
            format_args!("es {value}, que no es un folio fiscal: copie el UUID de esa factura"),
        );
    }
    material(case, carta, item, at, found);
    let lines = at.field("customsDocuments");
    if item.customs_documents.is_empty() && enters(carta) {
        common::missing(
            ("CFDI40999", &lines),
            "goods that enter the country need at least one customs document",
            "las mercancías que entran al país llevan al menos un documento aduanero",
            found,
        );
    }
    if items::is_too_many(item.customs_documents.len(), &lines, found) {
        return;
    }
    for (index, each) in item.customs_documents.iter().enumerate() {
        document(case, each, &lines.index(index), found);
    }
}

fn enters(carta: &CartaPorte) -> bool {
    carta.international.as_ref().is_some_and(|it| it.direction == Direction::Entry)
}

fn tariff_code(code: Option<&str>, at: &At<'_>, found: &mut Findings) {
    if let Some(code) = code.filter(|code| !tariff_codes::contains(code)) {
        let value = Shown(code);
        found.add(
            "301",
            at,
            format_args!("is {value}, which is not in the catalog c_FraccionArancelaria"),
            format_args!("es {value}, que no está en el catálogo c_FraccionArancelaria"),
        );
    }
}

/// There when goods cross the border, and described when no code says it.
fn material(
    case: &Case<'_>,
    carta: &CartaPorte,
    item: &GoodsItem,
    at: &At<'_>,
    found: &mut Findings,
) {
    let description = at.field("materialDescription");
    match item.material_type.as_deref() {
        Some(code) => {
            let row = (code, material_types::find(code));
            let error = ("301", &at.field("materialType"));
            listed::check(row, &lists::MATERIAL_TYPES, case.day(), error, found);
            if code == material_types::OTHER && item.material_description.is_none() {
                common::missing(
                    ("CFDI40999", &description),
                    "describe the goods, because materialType is 05 (other)",
                    "describa la materia, porque materialType es 05 (otra)",
                    found,
                );
            }
        }
        None if carta.international.is_some() => common::missing(
            ("CFDI40999", &at.field("materialType")),
            "goods that cross the border have a code of c_TipoMateria",
            "las mercancías de comercio exterior llevan una clave de c_TipoMateria",
            found,
        ),
        None => {}
    }
    text::optional(item.material_description.as_deref(), 50, &description, found);
}

/// A customs entry has a number of its own form and an importer, other documents an identifier.
fn document(case: &Case<'_>, document: &CustomsDocument, at: &At<'_>, found: &mut Findings) {
    let code = document.document_type.as_str();
    let row = (code, customs_documents::find(code));
    let error = ("301", &at.field("documentType"));
    let row = listed::check(row, &lists::CUSTOMS_DOCUMENTS, case.day(), error, found);
    if let Some(number) = document.pedimento.as_deref() {
        pedimento(number, &at.field("pedimento"), found);
    }
    text::optional(document.identifier.as_deref(), 150, &at.field("identifier"), found);
    if let Some(rfc) = document.importer_rfc.as_deref() {
        text::rfc(rfc, &at.field("importerRfc"), found);
    }
    if let Some(row) = row {
        numbers(row.code, document, at, found);
    }
}

/// Which numbers a document of that type has.
fn numbers(code: &str, document: &CustomsDocument, at: &At<'_>, found: &mut Findings) {
    let is_entry = code == customs_documents::PEDIMENTO;
    // Other documents may name the importer too.
    let importer = document.importer_rfc.is_some() || !is_entry;
    let fields = [
        ("pedimento", document.pedimento.is_some(), is_entry),
        ("identifier", document.identifier.is_some(), !is_entry),
        ("importerRfc", importer, true),
    ];
    for (field, is_given, is_needed) in fields {
        match (is_needed, is_given) {
            (true, false) => common::missing(
                ("CFDI40999", &at.field(field)),
                &format!("documents of type {code} have it"),
                &format!("los documentos de tipo {code} lo llevan"),
                found,
            ),
            (false, true) => common::needless(
                &at.field(field),
                "pedimento is for documents of type 01, identifier for all others",
                "pedimento es de los documentos de tipo 01, e identifier de los demás",
                found,
            ),
            _ => {}
        }
    }
}

fn pedimento(number: &str, at: &At<'_>, found: &mut Findings) {
    if !text::is_like(number, CUSTOMS_PATTERN) {
        let value = Shown(number);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, which is not a customs entry number: write 2, 2, 4 and 7 digits, \
                 separated by two spaces, such as \"15  48  3009  0001234\"",
            ),
            format_args!(
                "es {value}, que no es un número de pedimento: escribir 2, 2, 4 y 7 dígitos, \
                 separados por dos espacios, por ejemplo \"15  48  3009  0001234\"",
            ),
        );
    }
}
