//! How hazardous goods are packed (c_TipoEmbalaje).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("1A1", "Bidones (Tambores) de Acero 1 de tapa no desmontable"),
    entry("1A2", "Bidones (Tambores) de Acero 1 de tapa desmontable"),
    entry("1B1", "Bidones (Tambores) de Aluminio de tapa no desmontable"),
    entry("1B2", "Bidones (Tambores) de Aluminio de tapa desmontable"),
    entry("1D", "Bidones (Tambores) de Madera contrachapada"),
    entry("1G", "Bidones (Tambores) de Cartón"),
    entry("1H1", "Bidones (Tambores) de Plástico de tapa no desmontable"),
    entry("1H2", "Bidones (Tambores) de Plástico de tapa desmontable"),
    entry("1N1", "Bidones (Tambores) de Metal que no sea acero ni aluminio de tapa no desmontable"),
    entry("1N2", "Bidones (Tambores) de Metal que no sea acero ni aluminio de tapa desmontable"),
    entry("3A1", "Jerricanes (Porrones) de Acero de tapa no desmontable"),
    entry("3A2", "Jerricanes (Porrones) de Acero de tapa desmontable"),
    entry("3B1", "Jerricanes (Porrones) de Aluminio de tapa no desmontable"),
    entry("3B2", "Jerricanes (Porrones) de Aluminio de tapa desmontable"),
    entry("3H1", "Jerricanes (Porrones) de Plástico de tapa no desmontable"),
    entry("3H2", "Jerricanes (Porrones) de Plástico de tapa desmontable"),
    entry("4A", "Cajas de Acero"),
    entry("4B", "Cajas de Aluminio"),
    entry("4C1", "Cajas de Madera natural ordinaria"),
    entry(
        "4C2",
        "Cajas de Madera natural de paredes a prueba de polvos (estancas a los pulverulentos)",
    ),
    entry("4D", "Cajas de Madera contrachapada"),
    entry("4F", "Cajas de Madera reconstituida"),
    entry("4G", "Cajas de Cartón"),
    entry("4H1", "Cajas de Plástico Expandido"),
    entry("4H2", "Cajas de Plástico Rígido"),
    entry("5H1", "Sacos (Bolsas) de Tejido de plástico sin forro ni revestimientos interiores"),
    entry(
        "5H2",
        "Sacos (Bolsas) de Tejido de plástico a prueba de polvos (estancos a los pulverulentos)",
    ),
    entry("5H3", "Sacos (Bolsas) de Tejido de plástico resistente al agua"),
    entry("5H4", "Sacos (Bolsas) de Película de plástico"),
    entry("5L1", "Sacos (Bolsas) de Tela sin forro ni revestimientos interiores"),
    entry("5L2", "Sacos (Bolsas) de Tela a prueba de polvos (estancos a los pulverulentos)"),
    entry("5L3", "Sacos (Bolsas) de Tela resistentes al agua"),
    entry("5M1", "Sacos (Bolsas) de Papel de varias hojas"),
    entry("5M2", "Sacos (Bolsas) de Papel de varias hojas, resistentes al agua"),
    entry(
        "6HA1",
        "Envases y embalajes compuestos de Recipiente de plástico, con bidón (tambor) de acero",
    ),
    entry(
        "6HA2",
        "Envases y embalajes compuestos de Recipiente de plástico, con una jaula o caja de acero",
    ),
    entry(
        "6HB1",
        "Envases y embalajes compuestos de Recipiente de plástico, con un bidón (tambor) exterior de aluminio",
    ),
    entry(
        "6HB2",
        "Envases y embalajes compuestos de Recipiente de plástico, con una jaula o caja de aluminio",
    ),
    entry(
        "6HC",
        "Envases y embalajes compuestos de Recipiente de plástico, con una caja de madera",
    ),
    entry(
        "6HD1",
        "Envases y embalajes compuestos de Recipiente de plástico, con un bidón (tambor) de madera contrachapada",
    ),
    entry(
        "6HD2",
        "Envases y embalajes compuestos de Recipiente de plástico, con una caja de madera contrachapada",
    ),
    entry(
        "6HG1",
        "Envases y embalajes compuestos de Recipiente de plástico, con un bidón (tambor) de cartón",
    ),
    entry(
        "6HG2",
        "Envases y embalajes compuestos de Recipiente de plástico, con una caja de cartón",
    ),
    entry(
        "6HH1",
        "Envases y embalajes compuestos de Recipiente de plástico, con un bidón (tambor) de plástico",
    ),
    entry(
        "6HH2",
        "Envases y embalajes compuestos de Recipiente de plástico, con caja de plástico rígido",
    ),
    entry(
        "6PA1",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con un bidón (tambor) de acero",
    ),
    entry(
        "6PA2",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con una jaula o una caja de acero",
    ),
    entry(
        "6PB1",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con un bidón (tambor) exterior de aluminio",
    ),
    entry(
        "6PB2",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con una jaula o una caja de aluminio",
    ),
    entry(
        "6PC",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con una caja de madera",
    ),
    entry(
        "6PD1",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con bidón (tambor) de madera contrachapada",
    ),
    entry(
        "6PD2",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con canasta de mimbre",
    ),
    entry(
        "6PG1",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con un bidón (tambor) de cartón",
    ),
    entry(
        "6PG2",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con una caja de cartón",
    ),
    entry(
        "6PH1",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con un envase y embalaje de plástico expandido",
    ),
    entry(
        "6PH2",
        "Envases y embalajes compuestos de Recipiente de vidrio, porcelana o de gres, con un envase y embalaje de plástico rígido",
    ),
    entry("7H1", "Bultos de Plástico"),
    entry("7L1", "Bultos de Tela"),
    entry("Z01", "No aplica"),
];

catalog!(Entry, ROWS);
