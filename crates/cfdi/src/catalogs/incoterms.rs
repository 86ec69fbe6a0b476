//! Who bears which costs and risks of what is exported (c_INCOTERM): the Incoterms of 2020.

use time::{Date, macros::date};

use super::Entry;
use super::row::catalog;

/// Since when the complement of foreign trade is of version 2.0. Its schema still has the terms of before.
const START: Date = date!(2024 - 01 - 18);

const ROWS: &[Entry] = &[
    Entry::since("CFR", "COSTE Y FLETE (PUERTO DE DESTINO CONVENIDO)", START),
    Entry::since("CIF", "COSTE, SEGURO Y FLETE (PUERTO DE DESTINO CONVENIDO)", START),
    Entry::since("CPT", "TRANSPORTE PAGADO HASTA (EL LUGAR DE DESTINO CONVENIDO)", START),
    Entry::since("CIP", "TRANSPORTE Y SEGURO PAGADOS HASTA (LUGAR DE DESTINO CONVENIDO)", START),
    Entry::since("DAP", "ENTREGADA EN LUGAR", START),
    Entry::since("DDP", "ENTREGADA DERECHOS PAGADOS (LUGAR DE DESTINO CONVENIDO)", START),
    Entry::since("DPU", "ENTREGADA Y DESCARGADA EN LUGAR ACORDADO", START),
    Entry::since("EXW", "EN FABRICA (LUGAR CONVENIDO)", START),
    Entry::since("FCA", "FRANCO TRANSPORTISTA (LUGAR DESIGNADO)", START),
    Entry::since("FAS", "FRANCO AL COSTADO DEL BUQUE (PUERTO DE CARGA CONVENIDO)", START),
    Entry::since("FOB", "FRANCO A BORDO (PUERTO DE CARGA CONVENIDO)", START),
];

catalog!(Entry, ROWS);
