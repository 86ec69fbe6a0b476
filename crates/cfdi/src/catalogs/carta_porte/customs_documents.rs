//! Documents of customs that go with goods (c_DocumentoAduanero).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

/// The customs entry, which has a number of its own form.
pub const PEDIMENTO: &str = "01";

const ROWS: &[Entry] = &[
    entry(PEDIMENTO, "Pedimento"),
    entry("02", "Autorización de importación temporal"),
    entry("03", "Autorización de importación temporal de embarcaciones"),
    entry(
        "04",
        "Autorización de importación temporal de mercancías, destinadas al mantenimiento y reparación de las mercancías importadas temporalmente",
    ),
    entry(
        "05",
        "Autorización para la importación de vehículos especialmente construidos o transformados, equipados con dispositivos o aparatos diversos para cumplir con contrato derivado de licitación pública",
    ),
    entry("06", "Aviso de exportación temporal"),
    entry(
        "07",
        "Aviso de traslado de mercancías de empresas con Programa IMMEX, RFE u Operador Económico Autorizado",
    ),
    entry(
        "08",
        "Aviso para el traslado de autopartes ubicadas en la franja o región fronteriza a la industria terminal automotriz o manufacturera de vehículos de autotransporte en el resto del territorio nacional",
    ),
    entry("09", "Constancia de importación temporal, retorno o transferencia de contenedores"),
    entry("10", "Constancia de transferencia de mercancías"),
    entry(
        "11",
        "Autorización de donación de mercancías al Fisco Federal que se encuentren en el extranjero",
    ),
    entry("12", "Cuaderno ATA"),
    entry("13", "Listas de intercambio"),
    entry("14", "Permiso de Importación Temporal"),
    entry("15", "Permiso de importación temporal de casa rodante"),
    entry("16", "Permiso de importación temporal de embarcaciones"),
    entry(
        "17",
        "Solicitud de donación de mercancías en casos de emergencias o desastres naturales",
    ),
    entry("18", "Aviso de consolidado"),
    entry("19", "Aviso de cruce de mercancias"),
    entry("20", "Otro"),
];

catalog!(Entry, ROWS);
