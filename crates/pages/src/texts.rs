//! What the pages say, each sentence in both languages.

use kernel::Language;

macro_rules! texts {
    ($($name:ident: $english:literal, $spanish:literal;)+) => {
        /// The words of one language.
        pub(crate) struct Texts {
            $(pub(crate) $name: &'static str,)+
        }

        const ENGLISH: Texts = Texts { $($name: $english,)+ };
        const SPANISH: Texts = Texts { $($name: $spanish,)+ };

        /// Every sentence, in English and in Spanish.
        #[cfg(test)]
        pub(crate) const PAIRS: &[(&str, &str)] = &[$(($english, $spanish),)+];
    };
}

texts! {
    language: "en", "es-MX";
    sandbox: "Test environment: nothing here is a fiscal document.",
        "Ambiente de pruebas: nada de esto tiene validez fiscal.";
    tax_data_title: "Tax data for your invoice", "Datos fiscales para su factura";
    tax_data_intro: "Fill them in as they appear in your Constancia de Situación Fiscal: SAT compares them letter by letter.",
        "Escríbalos como aparecen en su Constancia de Situación Fiscal: el SAT los compara letra por letra.";
    asked_by: "Requested by", "Los solicita";
    rfc: "RFC", "RFC";
    legal_name: "Name or company name", "Nombre o razón social";
    legal_name_hint: "Without the corporate suffix (S.A. de C.V., S. de R.L., …).",
        "Sin el régimen societario (S.A. de C.V., S. de R.L., …).";
    tax_zip: "Postal code of the tax address", "Código postal del domicilio fiscal";
    tax_regime: "Tax regime", "Régimen fiscal";
    cfdi_use: "Use of the invoice (CFDI)", "Uso del CFDI";
    email: "Email address for the invoice (optional)", "Correo electrónico para la factura (opcional)";
    choose: "Choose…", "Elija…";
    save: "Save", "Guardar";
    save_anyway: "They are correct: save", "Son correctos: guardar";
    problems: "Please correct this:", "Corrija lo siguiente:";
    doubts: "Please check this; if it is correct, save again:",
        "Revise lo siguiente; si es correcto, guarde de nuevo:";
    saved: "Thank you: your tax data were saved. You can still correct them on this page.",
        "Gracias: sus datos fiscales quedaron guardados. Aún puede corregirlos en esta página.";
    invoice_title: "Invoice", "Factura";
    credit_title: "Credit note", "Nota de crédito";
    receipt_title: "Payment receipt", "Recibo de pago";
    transfer_title: "Transfer of goods", "Traslado de mercancías";
    cancelled: "Cancelled: this document is no longer valid.",
        "Cancelada: este comprobante ya no es válido.";
    issued_by: "Issued by", "Emite";
    issued_to: "Issued to", "Recibe";
    date: "Date", "Fecha";
    total: "Total", "Total";
    fiscal_folio: "Fiscal folio (UUID)", "Folio fiscal (UUID)";
    download_pdf: "Download PDF", "Descargar PDF";
    download_xml: "Download XML", "Descargar XML";
    verify: "Verify at SAT", "Verificar en el SAT";
    nothing_title: "There is nothing here", "Aquí no hay nada";
    nothing_text: "The link is wrong, was closed or has expired. Ask whoever sent it to you for a new one.",
        "El enlace es incorrecto, se cerró o ya venció. Pida uno nuevo a quien se lo envió.";
}

/// The words of a language.
pub(crate) const fn texts(language: Language) -> &'static Texts {
    match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
    }
}
