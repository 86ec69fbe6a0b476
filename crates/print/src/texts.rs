//! Every text of a sheet that is neither the document's nor of one of SAT's catalogs, in each language.
//!
//! What catalogs call their codes stays Spanish in every language: those names are SAT's.

use kernel::Language;

/// A text in each language; values go where it says `{}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    spanish: &'static str,
    english: &'static str,
}

impl Label {
    /// The text in a language.
    pub(crate) const fn text(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Spanish => self.spanish,
        }
    }

    /// The text with these values, in their order.
    pub(crate) fn with(self, language: Language, values: &[&str]) -> String {
        let mut parts = self.text(language).split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (part, value) in parts.zip(values) {
            text.push_str(value);
            text.push_str(part);
        }
        text
    }
}

macro_rules! labels {
    ($($name:ident = $spanish:literal, $english:literal;)*) => {
        $(pub(crate) const $name: Label = Label { spanish: $spanish, english: $english };)*

        #[cfg(test)]
        pub(crate) const EVERY: &[Label] = &[$($name),*];
    };
}

// `\u{a0}` keeps two words on one line.
labels! {
    // What documents are called.
    INVOICE = "Factura", "Invoice";
    CREDIT_NOTE = "Nota de crédito", "Credit note";
    PAYMENT_RECEIPT = "Recibo de pago", "Payment receipt";
    TRANSFER = "Traslado", "Goods transfer";
    WITHHOLDING = "Constancia de retenciones", "Withholding certificate";

    QUOTE = "Cotización", "Quote";

    // Of quotes.
    QUOTE_DATE = "Fecha", "Date";
    QUOTE_REVISION = "Revisión", "Revision";
    VALID_UNTIL = "Válida hasta", "Valid until";
    END_OF_DAY = "{}, fin del día ({})", "{}, end of the day ({})";
    CUSTOMER = "CLIENTE", "CUSTOMER";
    PLUS_TAXES = "más impuestos", "plus taxes";
    SUBTOTAL_WITH_TAXES = "Sin descuentos", "Without discounts";
    TAXES_INSIDE = "Impuestos incluidos en el total", "Taxes included in the total";
    LEGEND_QUOTE = "Esta cotización no es un comprobante fiscal.", "This quote is not a tax document.";
    QUOTE_DRAFT_MARK = "BORRADOR – AÚN NO ENVIADA", "DRAFT – NOT SENT YET";
    QUOTE_OVER_MARK = "YA NO ES VÁLIDA", "NOT VALID ANY MORE";
    QUOTE_SANDBOX_MARK = "SANDBOX – NINGÚN PEDIDO ES REAL", "SANDBOX – NO ORDER IS REAL";

    // A packing slip.
    PACKING_SLIP = "Lista de empaque", "Packing slip";
    SHIPPED_FROM = "SALE DE", "SHIPPED FROM";
    SHIP_TO = "ENTREGAR A", "SHIP TO";
    SHIPMENT = "Envío", "Shipment";
    SHIPPED_ON = "Fecha de salida", "Shipped on";
    CARRIER = "Paquetería", "Carrier";
    TRACKING_NUMBER = "Número de guía", "Tracking number";
    PACKED_SKU = "SKU", "SKU";
    PACKED_PRODUCT = "Producto", "Product";
    PACKED_PIECES = "Piezas", "Pieces";
    PACKED_QUANTITY = "Cantidad", "Quantity";
    PACKED_CHECK = "Revisado", "Checked";
    PACKED_TOTAL = "Total de piezas: {}", "Total pieces: {}";

    // On every page.
    CANCELLED = "CANCELADO", "CANCELLED";
    DRAFT = "BORRADOR", "DRAFT";
    DRAFT_MARK = "BORRADOR – SIN VALIDEZ FISCAL", "DRAFT – NOT VALID FOR TAX PURPOSES";
    SANDBOX = "SANDBOX", "SANDBOX";
    SANDBOX_MARK = "SANDBOX – SIN VALOR FISCAL", "SANDBOX – OF NO VALUE FOR TAX PURPOSES";
    FOLIO_OF_PAGE = "Folio fiscal {}", "Fiscal folio {}";
    PAGE = "Página {} de {}", "Page {} of {}";
    LEGEND_DRAFT =
        "Borrador de un CFDI que aún no se ha timbrado: carece de validez fiscal.",
        "Draft of a CFDI that has not been stamped yet: it is not valid for tax purposes.";
    // Rule 2.7.1.7 of the RMF prescribes the Spanish words, so a translation only follows them.
    LEGEND_SANDBOX =
        "Este documento es una representación impresa de un CFDI de prueba (sandbox), sin valor fiscal.",
        "Este documento es una representación impresa de un CFDI de prueba (sandbox), sin valor fiscal. \
         This document is a printed representation of a test CFDI (sandbox), of no value for tax purposes.";
    LEGEND =
        "Este documento es una representación impresa de un CFDI.",
        "Este documento es una representación impresa de un CFDI. \
         This document is a printed representation of a CFDI (Mexican electronic invoice).";
    LEGEND_WITHHOLDING =
        "Este documento es una representación impresa de un CFDI de retenciones e información de pagos.",
        "Este documento es una representación impresa de un CFDI de retenciones e información de pagos. \
         This document is a printed representation of a CFDI of withholdings (Mexican withholding certificate).";

    // The masthead.
    ISSUER_RFC = "RFC: {}", "RFC (tax ID): {}";
    ISSUER_REGIME = "Régimen fiscal: {}", "Tax regime: {}";
    PLACE_OF_ISSUE = "Lugar de expedición (C.P.): {}", "Place of issue (ZIP code): {}";
    PHONE = "Tel.\u{a0}{}", "Tel.\u{a0}{}";
    NUMBER = "Serie y folio: {}", "Series and folio: {}";
    WITHHOLDING_NUMBER = "Folio interno: {}", "Internal folio: {}";
    FOLIO = "Folio fiscal", "Fiscal folio";
    UNSTAMPED = "Sin timbrar", "Not stamped";
    ISSUED_AT = "Fecha de emisión", "Date of issue";
    ISSUER_CERTIFICATE = "Certificado del emisor", "Issuer's certificate";
    STAMPED_AT = "Fecha de certificación", "Date of certification";
    SAT_CERTIFICATE = "Certificado del SAT", "SAT's certificate";
    PROVIDER_RFC = "RFC del PAC", "Certified by (PAC's RFC)";

    // The receiver and the terms.
    RECEIVER = "RECEPTOR", "RECEIVER";
    RFC = "RFC", "RFC (tax ID)";
    REGIME = "Régimen fiscal", "Tax regime";
    TAX_ADDRESS = "Domicilio fiscal", "Tax address";
    ZIP = "C.P. {}", "ZIP code {}";
    USE = "Uso del CFDI", "Use of the CFDI";
    TAX_RESIDENCE = "Residencia fiscal", "Tax residence";
    FOREIGN_TAX_ID = "Reg. id. tributaria", "Foreign tax ID";
    TERMS = "DATOS DEL COMPROBANTE (CFDI 4.0)", "DOCUMENT DETAILS (CFDI 4.0)";
    KIND = "Tipo", "Type";
    PAYMENT_FORM = "Forma de pago", "Payment form";
    PAYMENT_METHOD = "Método de pago", "Payment method";
    PAYMENT_TERMS = "Condiciones de pago", "Payment terms";
    CURRENCY = "Moneda", "Currency";
    EXCHANGE_RATE = "Tipo de cambio", "Exchange rate";
    EXPORT = "Exportación", "Export";
    CONFIRMATION = "Confirmación", "Confirmation";
    SUBTOTAL_AND_TOTAL = "Subtotal y total", "Subtotal and total";
    TWO_SUMS = "{} y {}", "{} and {}";
    GLOBAL = "INFORMACIÓN GLOBAL", "GLOBAL INVOICE";
    PERIODICITY = "Periodicidad", "Frequency";
    MONTHS = "Meses", "Months";
    YEAR = "Año", "Year";
    RELATED = "CFDI RELACIONADOS", "RELATED CFDI";
    RELATION = "Relación: {}", "Relation: {}";

    // The items.
    QUANTITY = "Cantidad", "Quantity";
    UNIT = "Unidad", "Unit";
    PRODUCT_KEY = "Clave SAT", "SAT key";
    DESCRIPTION = "Descripción", "Description";
    UNIT_PRICE = "Valor unitario", "Unit price";
    DISCOUNT = "Descuento", "Discount";
    AMOUNT = "Importe", "Amount";
    SKU = "No. ident.\u{a0}{}", "Item no.\u{a0}{}";
    TAX_OBJECT = "Objeto de impuesto {}", "Tax object {}";
    THIRD_PARTY = "A cuenta de terceros: {}", "On behalf of: {}";
    THIRD_PARTY_RFC = "RFC\u{a0}{}", "RFC\u{a0}{}";
    THIRD_PARTY_REGIME = "Régimen {}", "Tax regime {}";
    THIRD_PARTY_ZIP = "C.P.\u{a0}{}", "ZIP code\u{a0}{}";
    CUSTOMS = "Número de pedimento {}", "Customs declaration {}";
    PART = "Parte ({}): {}", "Part ({}): {}";
    PROPERTY = "Cuenta predial {}", "Property tax account {}";

    // Taxes.
    IVA = "IVA", "VAT (IVA)";
    ISR = "ISR", "Income tax (ISR)";
    IEPS = "IEPS", "Excise tax (IEPS)";
    TRANSFERRED = "{} trasladado", "{} transferred";
    WITHHELD = "{} retenido", "{} withheld";
    TRANSFER_NODE = "Traslado", "Transferred";
    WITHHOLDING_NODE = "Retención", "Withheld";
    RATE = "Tasa {}", "Rate {}";
    QUOTA = "Cuota {}", "Quota {}";
    EXEMPT = "Exento", "Exempt";
    RATE_OF_QUOTA = "cuota {}", "quota {}";
    RATE_EXEMPT = "exento", "exempt";
    TAX_BASE = "base\u{a0}{}", "base\u{a0}{}";
    TAX_AMOUNT = "importe\u{a0}{}", "amount\u{a0}{}";

    // The sums.
    SUBTOTAL = "Subtotal", "Subtotal";
    LOCAL_TAX = "{} {} % (local)", "{} {} % (local)";
    TOTAL = "TOTAL {}", "TOTAL {}";
    IN_WORDS = "IMPORTE CON LETRA", "AMOUNT IN WORDS";
    TAX = "Impuesto", "Tax";
    FACTOR = "Factor y tasa", "Factor and rate";
    BASE = "Base", "Base";
    TOTAL_TRANSFERRED = "Total de impuestos trasladados", "Total taxes transferred";
    TOTAL_WITHHELD = "Total de impuestos retenidos", "Total taxes withheld";

    // Payments.
    PAYMENTS = "COMPLEMENTO PARA RECEPCIÓN DE PAGOS", "PAYMENT COMPLEMENT";
    NTH_PAYMENT =
        "COMPLEMENTO PARA RECEPCIÓN DE PAGOS: PAGO {} DE {}",
        "PAYMENT COMPLEMENT: PAYMENT {} OF {}";
    PAID_AT = "Fecha de pago", "Date of payment";
    PAID_AMOUNT = "Monto", "Amount paid";
    OPERATION = "Núm. de operación", "Operation number";
    PAYER_ACCOUNT = "Cuenta ordenante", "Payer's account";
    PAYEE_ACCOUNT = "Cuenta beneficiaria", "Payee's account";
    BANK = "banco\u{a0}{}", "bank\u{a0}{}";
    PAID_DOCUMENT = "Documento relacionado", "Related document";
    INSTALLMENT = "Parcialidad", "Installment";
    BALANCE_BEFORE = "Saldo anterior", "Previous balance";
    PAID = "Pagado", "Paid";
    BALANCE_AFTER = "Saldo insoluto", "Balance due";
    PAID_NUMBER = "Serie y folio {}", "Series and folio {}";
    EQUIVALENCE = "Equivalencia\u{a0}{}", "Equivalence\u{a0}{}";
    PAYMENT_TAXES = "Impuestos del pago ({})", "Taxes of the payment ({})";
    PAYMENTS_TOTAL = "TOTAL DE PAGOS MXN", "TOTAL PAID MXN";
    PAYMENTS_TOTALS = "TOTALES DE LOS PAGOS, EN PESOS", "TOTALS OF THE PAYMENTS, IN MEXICAN PESOS";
    BASE_AT = "Base de {} al {} %", "Base of {} at {} %";
    TAX_AT = "{} al {} %", "{} at {} %";
    BASE_EXEMPT = "Base exenta de {}", "Base exempt from {}";

    // Complements and notes.
    FISCAL_LEGENDS = "LEYENDAS FISCALES", "TAX LEGENDS";
    DONATION = "DONATIVO", "DONATION";
    AUTHORIZATION = "Núm. de autorización", "Authorization number";
    AUTHORIZED_ON = "Fecha de autorización", "Date of authorization";
    DONATION_LEGEND = "Leyenda", "Legend";
    ELECTORAL = "COMPLEMENTO INE", "ELECTORAL COMPLEMENT (INE)";
    ELECTORAL_PROCESS = "Tipo de proceso", "Type of process";
    ELECTORAL_COMMITTEE = "Tipo de comité", "Type of committee";
    ACCOUNTING_ID = "Id. de contabilidad", "Accounting ID";
    ELECTORAL_ENTITY = "Entidad", "State";
    ELECTORAL_SCOPE = "ámbito {}", "scope {}";
    ACCOUNTING_IDS = "contabilidad {}", "accounting {}";
    YES = "Sí", "Yes";
    NO = "No", "No";
    EXTERIOR_NUMBER = "núm. {}", "no. {}";
    INTERIOR_NUMBER = "int. {}", "int. {}";
    NEIGHBORHOOD = "col. {}", "neighborhood {}";
    LOCALITY = "loc. {}", "locality {}";
    MUNICIPALITY = "mun. {}", "municipality {}";
    ADDRESS = "Domicilio", "Address";
    GOODS = "Mercancía", "Goods";
    TARIFF_CODE = "Fracción arancelaria", "Tariff code";

    // Foreign trade.
    FOREIGN_TRADE = "COMPLEMENTO COMERCIO EXTERIOR 2.0", "FOREIGN TRADE COMPLEMENT 2.0";
    CUSTOMS_KEY = "Clave de pedimento", "Customs key";
    TRANSFER_REASON = "Motivo de traslado", "Reason of transfer";
    CERTIFICATE_OF_ORIGIN = "Certificado de origen", "Certificate of origin";
    CERTIFICATE_NUMBER = "Núm. de certificado", "Certificate number";
    TRUSTED_EXPORTER = "Exportador confiable", "Trusted exporter";
    INCOTERM = "Incoterm", "Incoterm";
    USD_RATE = "Tipo de cambio USD", "USD exchange rate";
    TOTAL_USD = "Total en USD", "Total in USD";
    REMARKS = "Comentarios", "Remarks";
    CURP = "CURP del emisor", "Issuer's CURP";
    ISSUER_ADDRESS = "Domicilio del emisor", "Issuer's address";
    RECEIVER_ADDRESS = "Domicilio del receptor", "Receiver's address";
    OWNER = "Propietario", "Owner";
    RECIPIENT = "Destinatario", "Recipient";
    CUSTOMS_QUANTITY = "Cantidad aduana", "Customs quantity";
    CUSTOMS_UNIT = "Unidad aduana", "Customs unit";
    CUSTOMS_PRICE = "Valor unitario aduana", "Customs unit price";
    USD_VALUE = "Valor en dólares", "Value in dollars";
    DETAILS = "Marca y modelo", "Brand and model";

    // Carta Porte.
    CARTA_PORTE = "COMPLEMENTO CARTA PORTE 3.1", "WAYBILL COMPLEMENT (CARTA PORTE 3.1)";
    CARTA_PORTE_ID = "IdCCP", "IdCCP";
    TRANSPORT = "Transporte", "Transport";
    NATIONAL = "Nacional", "Domestic";
    INTERNATIONAL = "Internacional", "International";
    VIA = "vía {}", "via {}";
    CUSTOMS_REGIMES = "regímenes {}", "regimes {}";
    ISTHMUS = "Polos del Istmo", "Isthmus poles";
    TOTAL_DISTANCE = "Distancia total (km)", "Total distance (km)";
    GROSS_WEIGHT = "Peso bruto total", "Total gross weight";
    GOODS_COUNT = "Núm. de mercancías", "Number of goods";
    NET_WEIGHT = "Peso neto total", "Total net weight";
    APPRAISAL_CHARGE = "Cargo por tasación", "Appraisal charge";
    STATION = "Estación", "Station";
    DETAILED_WEIGHT = "Peso bruto, neto y tara", "Gross, net and tare weight";
    SHIP = "Embarcación", "Ship";
    SHIP_SIZE = "Arqueo y medidas (pies)", "Tonnage and size (feet)";
    CARGO_TYPE = "Tipo de carga", "Type of cargo";
    SHIPPING_LINE = "Línea naviera", "Shipping line";
    SHIPPING_AGENT = "Agente naviero", "Shipping agent";
    VOYAGE = "Núm. de viaje", "Voyage number";
    BILL_OF_LADING = "Conocimiento embarque", "Bill of lading";
    TEMPORARY_PERMIT = "Permiso temporal", "Temporary permit";
    INSURANCE = "Seguro", "Insurance";
    CONTAINER = "Contenedor", "Container";
    AIRCRAFT = "Aeronave", "Aircraft";
    AIR_CARRIER = "Transportista aéreo", "Air carrier";
    CONTRACT_PLACE = "Lugar del contrato", "Place of contract";
    SHIPPER = "Embarcador", "Shipper";
    RAIL_SERVICE = "Servicio y tráfico", "Service and traffic";
    TRACK_RIGHT = "Derecho de paso", "Track right";
    KILOMETERS = "{} km", "{} km";
    RAIL_CAR = "Carro", "Railway car";
    REVERSE_LOGISTICS = "Logística inversa", "Reverse logistics";
    ORIGIN = "Origen", "Place of departure";
    DESTINATION = "Destino", "Place of arrival";
    LOCATION_TIME = "Fecha y hora", "Date and time";
    DISTANCE = "Distancia (km)", "Distance (km)";
    WEIGHT = "Peso (kg)", "Weight (kg)";
    DIMENSIONS = "Dimensiones", "Dimensions";
    HAZARD = "Material peligroso", "Hazardous material";
    GOODS_VALUE = "Valor de la mercancía", "Value of the goods";
    FOREIGN_TRADE_UUID = "UUID comercio exterior", "Foreign trade UUID";
    MATERIAL = "Tipo de materia", "Type of material";
    HEALTH = "Control sanitario", "Health control";
    CUSTOMS_DOCUMENT = "Documento aduanero", "Customs document";
    GUIDE = "Guía", "Waybill";
    KILOGRAMS = "{} kg", "{} kg";
    PORTION = "Cantidad transportada", "Quantity carried";
    ROUTE = "{} a {}", "{} to {}";
    PERMIT = "Permiso SICT", "SICT permit";
    VEHICLE = "Vehículo", "Vehicle";
    TONS = "{} t", "{} t";
    LIABILITY = "Seguro de resp. civil", "Liability insurance";
    ENVIRONMENT = "Seguro medio ambiente", "Environment insurance";
    CARGO = "Seguro de la carga", "Cargo insurance";
    PREMIUM = "Prima del seguro", "Insurance premium";
    TRAILER = "Remolque", "Trailer";
    FIGURE = "Figura del transporte", "Transport figure";
    LICENSE = "Licencia", "Driver's license";
    FIGURE_PARTS = "Partes del transporte", "Parts of the transport";
    NOTES = "OBSERVACIONES", "NOTES";

    // Withholdings.
    WITHHOLDING_TERMS =
        "DATOS DE LA CONSTANCIA (RETENCIONES 2.0)", "CERTIFICATE DETAILS (RETENCIONES 2.0)";
    WITHHOLDING_KIND = "Retención", "Withholding";
    FIRST_MONTH = "Mes inicial", "First month";
    LAST_MONTH = "Mes final", "Last month";
    FISCAL_YEAR = "Ejercicio", "Fiscal year";
    NATIONALITY = "Nacionalidad", "Nationality";
    OF_MEXICO = "Nacional", "Mexican";
    OF_ABROAD = "Extranjero", "Foreign";
    RECEIVER_CURP = "CURP", "CURP";
    RELATED_WITHHOLDING = "CFDI DE RETENCIONES RELACIONADO", "RELATED WITHHOLDING";
    PAYMENT_KIND = "Tipo de pago", "Type of payment";
    WITHHELD_AMOUNT = "Monto retenido", "Amount withheld";
    OPERATION_TOTAL = "Monto total de la operación", "Total amount of the operation";
    TAXED_AMOUNT = "Monto gravado", "Taxed amount";
    EXEMPT_AMOUNT = "Monto exento", "Exempt amount";
    BIMONTHLY_PROFIT = "Utilidad bimestral", "Profit of two months";
    BIMONTHLY_ISR = "ISR correspondiente", "Income tax (ISR) on the profit";
    WITHHELD_IN_ALL = "TOTAL RETENIDO {}", "TOTAL WITHHELD {}";

    // What some withholdings state beside their sums.
    DIVIDENDS = "COMPLEMENTO DIVIDENDOS", "DIVIDENDS COMPLEMENT";
    DIVIDEND_KIND = "Tipo de dividendo o utilidad", "Kind of dividend";
    ISR_WITHHELD_IN_MEXICO =
        "ISR acreditable retenido en México", "Creditable income tax withheld in Mexico";
    ISR_WITHHELD_ABROAD =
        "ISR acreditable retenido en el extranjero", "Creditable income tax withheld abroad";
    WITHHELD_FROM_FOREIGN_DIVIDENDS =
        "Retención en el extranjero sobre dividendos", "Withheld abroad from foreign dividends";
    DISTRIBUTING_COMPANY = "Sociedad que distribuye", "Distributing company";
    CREDITABLE_ISR = "ISR acreditable nacional", "Creditable domestic income tax";
    NATIONAL_INCOME = "Dividendo acumulable nacional", "Domestic dividend counted as income";
    FOREIGN_INCOME = "Dividendo acumulable extranjero", "Foreign dividend counted as income";
    REMAINDER_SHARE = "Proporción del remanente", "Share of the remainder";
    PERCENT = "{} %", "{} %";
    INTEREST = "COMPLEMENTO INTERESES", "INTEREST COMPLEMENT";
    FROM_FINANCIAL_SYSTEM = "Del sistema financiero", "From the financial system";
    WITHDRAWN = "Retirados en el periodo", "Withdrawn in the period";
    FROM_DERIVATIVES = "De operaciones financieras derivadas", "From derivatives";
    NOMINAL_INTEREST = "Interés nominal", "Nominal interest";
    REAL_INTEREST = "Interés real", "Real interest";
    LOSS = "Pérdida", "Loss";
    FOREIGN_PAYMENT = "COMPLEMENTO PAGOS A EXTRANJEROS", "PAYMENTS ABROAD COMPLEMENT";
    IS_BENEFICIARY = "Beneficiario efectivo del cobro", "Receiver is the beneficial owner";
    REPRESENTATIVE = "Representante en México", "Representative in Mexico";
    RESIDENCE = "País de residencia", "Country of residence";
    PAYEE = "Sujeto a la retención", "Subject to the withholding";
    PAID_FOR = "Concepto del pago", "Paid for";
    TRUST_LEASE = "COMPLEMENTO ARRENDAMIENTO EN FIDEICOMISO", "LEASE IN TRUST COMPLEMENT";
    PAID_BY_TRUSTEE = "Pago efectuado por el fiduciario", "Paid by the trustee";
    TRUST_YIELD = "Rendimientos del fideicomiso", "Yield of the trust";
    DEDUCTIONS = "Deducciones correspondientes", "Deductions";
    TRUST_WITHHELD = "Monto total retenido", "Total amount withheld";
    FIBRA_RESULT =
        "Resultado fiscal distribuido por FIBRAS", "Fiscal result distributed by FIBRAs";
    OTHER_DISTRIBUTIONS = "Otros conceptos distribuidos", "Other distributions";
    SHARE_SALE = "COMPLEMENTO ENAJENACIÓN DE ACCIONES", "SALE OF SHARES COMPLEMENT";
    BROKERAGE_CONTRACT = "Contrato de intermediación", "Brokerage contract";
    GAIN = "Ganancia", "Gain";
    PRIZE = "COMPLEMENTO PREMIOS", "PRIZES COMPLEMENT";
    STATE = "Entidad federativa", "State";
    PRIZE_PAID = "Monto total del pago", "Total amount paid";
    PLATFORM_SERVICES =
        "COMPLEMENTO SERVICIOS DE PLATAFORMAS TECNOLÓGICAS", "PLATFORM SERVICES COMPLEMENT";
    SERVICES_COUNT = "Número de servicios", "Number of services";
    SERVICES_PRICE = "Total de los servicios sin IVA", "Total price without VAT";
    IVA_CHARGED = "Total de IVA trasladado", "Total VAT (IVA) charged";
    IVA_WITHHELD = "Total de IVA retenido", "Total VAT (IVA) withheld";
    ISR_WITHHELD = "Total de ISR retenido", "Total income tax (ISR) withheld";
    IVA_DELIVERED = "Diferencia de IVA entregada al prestador", "VAT (IVA) delivered to the seller";
    FEES = "Total por uso de la plataforma", "Total fees of the platform";
    CONTRIBUTIONS = "Total de contribuciones gubernamentales", "Total state levies";
    SERVICE_DAY = "Fecha", "Date";
    SERVICE = "Servicio prestado", "Service";
    SERVICE_PRICE = "Precio sin IVA", "Price without VAT";
    CONTRIBUTION = "Contribución", "State levy";
    FEE = "Comisión", "Fee";
    HELPER = "Tercero autorizado {}", "Authorized third party {}";

    // The stamp.
    STAMP = "TIMBRE FISCAL DIGITAL", "DIGITAL TAX STAMP";
    ISSUER_SEAL = "Sello digital del CFDI", "Digital seal of the CFDI";
    SAT_SEAL = "Sello digital del SAT", "Digital seal of SAT";
    SAT_STRING =
        "Cadena original del complemento de certificación digital del SAT",
        "Original string of SAT's digital certification complement";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_a_text_for_the_same_values() {
        for label in EVERY {
            let values = |text: &str| text.matches("{}").count();
            assert_eq!(values(label.spanish), values(label.english), "{}", label.spanish);
            assert!(!label.spanish.trim().is_empty() && !label.english.trim().is_empty());
        }
    }

    #[test]
    fn values_take_their_places() {
        assert_eq!(PAGE.with(Language::Spanish, &["1", "{}"]), "Página 1 de {}");
        assert_eq!(PAGE.with(Language::English, &["1", "2"]), "Page 1 of 2");
        assert_eq!(ZIP.with(Language::Spanish, &["06600"]), "C.P. 06600");
    }
}
