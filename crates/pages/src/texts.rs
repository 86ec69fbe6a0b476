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
    sandbox_pay: "SANDBOX: no money moves.", "SANDBOX: no se mueve dinero.";
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
    resident_abroad: "Only if you reside outside of Mexico (RFC XEXX010101000)",
        "Solo si reside fuera de México (RFC XEXX010101000)";
    abroad_hint: "You can then leave postal code, tax regime and use empty.",
        "En ese caso puede dejar vacíos el código postal, el régimen fiscal y el uso del CFDI.";
    tax_residence: "Country of tax residence", "País de residencia fiscal";
    foreign_tax_id: "Tax identifier in that country", "Número de identidad tributaria en ese país";
    none: "None", "Ninguno";
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
    order: "Order", "Pedido";
    made_out_to: "made out to", "a nombre de";
    error: "Error", "Error";
    pay: "Pay", "Pagar";
    go_on: "Continue", "Continuar";
    from: "From", "De";
    to: "to", "a";
    pay_amount: "Amount", "Importe";
    pay_method: "How would you like to pay?", "¿Cómo quiere pagar?";
    the_method: "The way to pay", "La forma de pago";
    asking_title: "The payment is being set up", "El pago se está preparando";
    asking_text: "The payment provider has not answered yet; we go on asking. Nothing has been charged. Look again in a minute.",
        "El proveedor de pagos aún no responde; seguimos consultándolo. No se ha hecho ningún cargo. Vuelva a consultar en un minuto.";
    unclear_title: "The shop is looking at your payment", "La tienda está revisando su pago";
    unclear_text: "The payment provider shows something else than was asked for. Do not pay again: the shop will contact you.",
        "El proveedor de pagos muestra algo distinto de lo que se pidió. No pague de nuevo: la tienda lo contactará.";
    paid_short_text: "Your payment was received, but it is less than was asked for. The shop has been told and will contact you.",
        "Su pago fue recibido, pero es menos de lo que se pidió. La tienda ya fue avisada y lo contactará.";
    paid_excess_text: "Your payment was received. It is more than was due: the shop has been told and will contact you.",
        "Su pago fue recibido. Es más de lo que debía: la tienda ya fue avisada y lo contactará.";
    payer_name: "Your name", "Su nombre";
    payer_email: "Your email address", "Su correo electrónico";
    payer_hint: "Your name and email address are optional; the shop sees them with the payment.",
        "Su nombre y correo son opcionales; la tienda los ve junto con el pago.";
    payer_hint_needed: "Needed for some ways to pay, such as OXXO, and optional for others; the shop sees it with the payment.",
        "Necesario para algunas formas de pago, como OXXO, y opcional para otras; la tienda lo ve junto con el pago.";
    payer_phone: "Your telephone number", "Su teléfono";
    by_card: "Credit or debit card", "Tarjeta de crédito o débito";
    by_card_hint: "You type the number on the payment provider's page; the shop never sees it.",
        "El número se escribe en la página del proveedor de pagos; la tienda nunca lo ve.";
    by_spei: "Bank transfer (SPEI)", "Transferencia (SPEI)";
    by_spei_hint: "From any bank in Mexico; it usually arrives within minutes.",
        "Desde cualquier banco en México; suele llegar en minutos.";
    by_oxxo: "Cash at OXXO", "Efectivo en OXXO";
    by_oxxo_hint: "You get a reference to pay at the till; the shop is told by the next business day.",
        "Recibe una referencia para pagar en caja; la tienda se entera a más tardar el siguiente día hábil.";
    pay_before: "Pay before", "Pague antes del";
    go_on_title: "Continue to payment", "Continúe para pagar";
    go_on_text: "You continue on the payment provider's page and come back here afterwards.",
        "Continuará en la página del proveedor de pagos y después volverá aquí.";
    go_on_to_bank: "Continue to payment", "Continuar al pago";
    up_to: "Up to", "Hasta";
    months_without_interest: "months without interest", "meses sin intereses";
    last_try: "The last try was refused:", "El último intento fue rechazado:";
    transfer_to_title: "Transfer to this account", "Transfiera a esta cuenta";
    transfer_to_text: "In your bank's app, transfer exactly this amount to this CLABE. The account is for this payment alone.",
        "En la aplicación de su banco, transfiera exactamente este importe a esta CLABE. La cuenta es solo para este pago.";
    received_so_far: "Received so far:", "Recibido hasta ahora:";
    bank: "Bank", "Banco";
    reference: "Reference", "Referencia";
    exact_amount: "Exact amount", "Importe exacto";
    counter_title: "Pay at OXXO", "Pague en OXXO";
    counter_text: "Show this at the till of any OXXO and say that you pay by reference. OXXO charges a fee of its own.",
        "Muestre esto en la caja de cualquier OXXO y diga que va a pagar con referencia. OXXO cobra su propia comisión.";
    barcode: "Barcode of reference", "Código de barras de la referencia";
    provider_slip: "The payment provider's slip", "Ficha del proveedor de pagos";
    print_hint: "You can print this page or show it on your phone.",
        "Puede imprimir esta página o mostrarla en su teléfono.";
    keep_address: "Keep the address of this page: here you see when the payment has arrived.",
        "Guarde la dirección de esta página: aquí verá cuando llegue el pago.";
    check_again: "Check again", "Actualizar";
    other_method: "Pay in another way", "Pagar de otra forma";
    processing_title: "The payment is being processed", "El pago se está procesando";
    processing_text: "This takes a moment. Nothing more is needed from you; look again in a while.",
        "Tarda un momento. No tiene que hacer nada más; vuelva a consultar en un rato.";
    paid_title: "Paid", "Pagado";
    paid_text: "Thank you: your payment was received.", "Gracias: su pago fue recibido.";
    paid_late_text: "Your payment was received after its time was over. The shop has been told and will contact you.",
        "Su pago se recibió después del plazo. La tienda ya fue avisada y lo contactará.";
    pay_another: "Make another payment", "Hacer otro pago";
    back_to_shop: "Back to the shop", "Volver a la tienda";
    declined_title: "The payment was declined", "El pago fue rechazado";
    declined_text: "Nothing was charged.", "No se hizo ningún cargo.";
    canceled_title: "The payment was cancelled", "El pago se canceló";
    canceled_text: "Nothing was charged. Do not pay with its reference or account any more.",
        "No se hizo ningún cargo. Ya no pague con esa referencia o cuenta.";
    attempt_expired_title: "The time to pay has passed", "Se acabó el tiempo para pagar";
    attempt_expired_text: "Do not pay with its reference or account any more.",
        "Ya no pague con esa referencia o cuenta.";
    try_again: "Try again", "Intentar de nuevo";
    completed_title: "This is paid already", "Esto ya está pagado";
    completed_text: "Nothing is left to pay by this link.", "Ya no queda nada por pagar con este enlace.";
    inactive_title: "This link is closed", "Este enlace está cerrado";
    inactive_text: "The shop does not take payments by it any more. Ask the shop if you still want to pay.",
        "La tienda ya no recibe pagos con él. Pregunte a la tienda si aún quiere pagar.";
    expired_title: "This link has expired", "Este enlace ya venció";
    expired_text: "Ask the shop for a new one.", "Pida uno nuevo a la tienda.";
    busy_title: "Somebody is paying right now", "Alguien está pagando en este momento";
    busy_text: "If it was you, continue on the page where you began. Otherwise try again later: nothing was charged.",
        "Si fue usted, continúe en la página donde empezó. Si no, intente de nuevo más tarde: no se hizo ningún cargo.";
    too_many_title: "Too many tries", "Demasiados intentos";
    too_many_text: "This link was tried too often. Wait an hour, then try again: nothing was charged.",
        "Hubo demasiados intentos con este enlace. Espere una hora e intente de nuevo: no se hizo ningún cargo.";
    no_method_title: "It cannot be paid right now", "Por ahora no se puede pagar";
    no_method_text: "No way to pay is available at this moment. Try again later, or ask the shop.",
        "No hay ninguna forma de pago disponible en este momento. Intente más tarde o pregunte a la tienda.";
    too_often_title: "Please wait a moment", "Espere un momento";
    too_often_text: "This page was opened or sent too often. Wait a minute, then reload it: nothing was charged.",
        "Esta página se abrió o se envió demasiadas veces. Espere un minuto y vuelva a cargarla: no se hizo ningún cargo.";
    down_title: "The page is not available right now", "La página no está disponible por ahora";
    down_text: "Try again in a few minutes.",
        "Intente de nuevo en unos minutos.";
    bank_title: "Test bank", "Banco de pruebas";
    bank_text: "Here a payer would type their card. No money moves: choose what happens.",
        "Aquí se escribirían los datos de la tarjeta. No se mueve dinero: elija qué sucede.";
    bank_months: "Pay in", "Pagar en";
    bank_at_once: "one payment", "una sola exhibición";
    bank_pay: "Approve the payment", "Aprobar el pago";
    bank_decline: "Decline it", "Rechazarlo";
    bank_back: "Back without paying", "Volver sin pagar";
    sandbox_quote: "SANDBOX: no order of it is real.", "SANDBOX: ningún pedido de ella es real.";
    quote_title: "Quote", "Cotización";
    quote_revision: "Revision", "Revisión";
    quote_for: "For", "Para";
    quote_plus_taxes: "plus taxes", "más impuestos";
    quote_discount: "discount", "descuento";
    quote_subtotal: "Without discounts", "Sin descuentos";
    quote_discounts: "Discounts", "Descuentos";
    quote_taxes_inside: "Taxes included in the total:", "Impuestos incluidos en el total:";
    quote_valid: "Valid until the end of", "Válida hasta el final del";
    quote_accept: "Accept and order for", "Aceptar y pedir por";
    quote_optional: "(optional)", "(opcional)";
    quote_ask: "Ask a question", "Hacer una pregunta";
    quote_question: "Your question", "Su pregunta";
    quote_decline: "Turn the quote down", "Rechazar la cotización";
    quote_reason: "Reason", "Motivo";
    quote_send_rejection: "Turn it down", "Rechazarla";
    quote_send_question: "Send the question", "Enviar la pregunta";
    quote_asked: "Thank you: your question was sent. The shop will contact you.",
        "Gracias: su pregunta fue enviada. La tienda lo contactará.";
    quote_changed: "The offer has changed since you opened this page, and nothing was accepted. Please read it again.",
        "La oferta cambió desde que abrió esta página y no se aceptó nada. Por favor léala de nuevo.";
    quote_accepted: "Thank you: the quote is accepted.", "Gracias: la cotización quedó aceptada.";
    quote_accepted_waits: "The shop will confirm your order.", "La tienda le confirmará su pedido.";
    quote_pay: "Pay now", "Pagar ahora";
    quote_rejected: "This quote was turned down. Ask the shop for another one.",
        "Esta cotización fue rechazada. Pida otra a la tienda.";
    quote_expired: "This quote has expired. Ask the shop whether it still holds.",
        "Esta cotización ya venció. Pregunte a la tienda si aún la respeta.";
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
