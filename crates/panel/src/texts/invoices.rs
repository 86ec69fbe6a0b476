//! Invoices, and what invoicing needs.

texts! {
    invoices: "Invoices", "Facturas";
    invoice: "Invoice", "Factura";
    new_invoice: "New invoice", "Nueva factura";
    no_invoices: "No invoices yet. Before the first one you need an issuer, its certificate and a provider.",
        "Aún no hay facturas. Antes de la primera: un emisor, su certificado y un proveedor.";
    to_invoicing: "Invoicing settings", "Ir a Facturación";
    receiver: "Receiver", "Receptor";
    invoice_kind: "Type", "Tipo";
    fiscal_folio: "Fiscal folio (UUID)", "Folio fiscal (UUID)";
    kind_income: "Income", "Ingreso";
    kind_credit: "Credit note", "Nota de crédito";
    kind_payment: "Payment receipt", "Recibo de pago";
    kind_transfer: "Transfer of goods", "Traslado";
    invoice_draft: "Draft", "Borrador";
    invoice_link: "Page with its PDF and XML, for whoever has the link", "Página con su PDF y XML, para quien tenga el enlace";
    make_invoice_link: "Create a link to the PDF and XML", "Crear enlace al PDF y XML";
    close_invoice_link: "Close the link", "Cerrar el enlace";
    did_open_invoice_link: "Send the link to whoever should have the PDF and XML.", "Envía el enlace a quien deba tener el PDF y el XML.";
    did_close_invoice_link: "The link no longer works.", "El enlace ya no funciona.";
    receipt_is_due: "Payment receipt (REP) due", "REP pendiente";
    draft_of(series: &str): "Draft {series}", "Borrador {series}";
    invoice_refused: "Rejected", "Rechazada";
    invoice_unanswered: "No answer from the provider", "Sin respuesta del PAC";
    invoice_incomplete: "To be completed", "Por completar";
    invoice_stamping: "Stamping", "Timbrándose";
    invoice_is_stamped: "Stamped", "Timbrada";
    invoice_is_cancelled: "Cancelled", "Cancelada";
    sums_income: "Income invoices", "Facturas de ingreso";
    sums_credit: "Credit notes", "Notas de crédito";
    sums_payment: "Payment receipts", "Recibos de pago";
    sums_transfer: "Transfers of goods", "Traslados";
    cancelled_of_them: "cancelled", "canceladas";
    of_this_month(what: &str): "{what}, this month", "{what}, este mes";
    still_owed: "Balance due", "Saldo por cobrar";
    outstanding: "Outstanding balance (by stamped receipts)", "Saldo insoluto";
    owed_of_it(owed: &str): "{owed} owed", "{owed} por cobrar";
    unreceipted_of_it(paid: &str): "{paid} paid, receipt (REP) pending", "{paid} pagados, REP pendiente";
    paid_without_receipt: "Paid, receipt (REP) pending", "Pagado, REP pendiente";
    to_be_credited: "To be credited, draft credit note", "Por acreditar, nota de crédito en borrador";
    installments_of_it(count: u32): "Payments with a receipt: {count}", "Pagos con recibo: {count}";
    taxes_transferred: "Taxes", "Impuestos trasladados";
    taxes_withheld: "Withheld", "Impuestos retenidos";
    local_taxes: "Local taxes", "Impuestos locales";
    local_withheld: "Local taxes withheld", "Retenciones locales";
    pdf: "PDF", "PDF";
    xml: "XML", "XML";
    cancellation_receipt: "Cancellation receipt", "Acuse de cancelación";
    the_stamp: "Stamp", "Timbre";
    stamped_at: "Stamped", "Timbrada el";
    certificate_of_provider: "Provider certificate", "Certificado del proveedor";
    verify_at_sat: "Verify with SAT", "Verificar en el SAT";
    being_stamped: "The provider is stamping it. This page refreshes itself.",
        "El proveedor la está timbrando. Esta página se actualiza sola.";
    findings_title: "It cannot be stamped yet:", "Así no se puede timbrar:";
    warnings_title: "Check this before stamping:", "Revisa esto antes de timbrar:";
    last_refusal: "The last attempt was rejected:", "El último intento se rechazó:";
    last_unanswered: "The provider did not answer the last attempt:", "El PAC no respondió en el último intento:";
    stamp_it(total: &str, credits: i64): "Stamp {total} · {credits} credits", "Timbrar {total} · {credits} créditos";
    and_more(count: usize): "and {count} more", "y {count} más";
    to_customer: "View customer", "Ver al cliente";
    credits_left(credits: &str): "{credits} credits are available.", "Hay {credits} créditos disponibles.";
    replaced_stands: "The invoice that this one replaces is still in force.",
        "La factura que esta sustituye sigue vigente.";
    cancel_replaced(number: &str): "Cancel {number}", "Cancelar {number}";
    delete_draft: "Delete the draft", "Eliminar el borrador";
    delete_draft_intro(receiver: &str): "The draft for {receiver} is deleted. It was never stamped.",
        "El borrador para {receiver} desaparece. Nada de él se ha timbrado.";
    cancel_invoice: "Cancel the invoice", "Cancelar la factura";
    cancel_credit_note: "Cancel the credit note", "Cancelar la nota de crédito";
    cancel_payment_receipt: "Cancel the payment receipt", "Cancelar el recibo de pago";
    cancel_invoice_intro(receiver: &str, total: &str):
        "SAT is asked to cancel the invoice of {total} for {receiver}.",
        "Se pide al SAT cancelar la factura de {receiver} por {total}.";
    cancel_credit_note_intro(receiver: &str, total: &str):
        "SAT is asked to cancel the credit note of {total} for {receiver}.",
        "Se pide al SAT cancelar la nota de crédito de {receiver} por {total}.";
    cancel_payment_receipt_intro(receiver: &str, total: &str):
        "SAT is asked to cancel the payment receipt of {total} for {receiver}.",
        "Se pide al SAT cancelar el recibo de pago de {receiver} por {total}.";
    must_accept(day: &str): "The receiver is asked and has until {day} to decide; no answer counts as acceptance. SAT’s own holidays extend the term.",
        "Se pregunta al receptor, que puede decidir hasta el {day}; si no responde, se da por aceptada. Los días inhábiles del SAT alargan el plazo.";
    need_not_accept(why: &str): "The receiver need not accept: {why}.", "El receptor no tiene que aceptar: {why}.";
    exempt_small: "its total is 1,000 pesos or less", "su monto es de hasta 1,000 pesos";
    exempt_credit: "it is a credit note", "es de egreso";
    exempt_transfer: "it is a transfer of goods", "es de traslado";
    exempt_public: "it is made out to the general public", "es al público en general";
    exempt_foreigner: "it is made out to somebody abroad", "es a un residente en el extranjero";
    exempt_fresh: "it was issued today, or on the business day before", "se expidió hoy o el día hábil anterior";
    living_documents: "Documents in force that refer to it", "Documentos vigentes relacionados";
    cancel_them_first: "Those that do not replace it have to be cancelled first.",
        "Los que no la sustituyen se cancelan primero.";
    paid_document: "Paid document", "Documento pagado";
    installment: "Installment", "Parcialidad";
    balance_before: "Balance before", "Saldo anterior";
    amount_paid: "Amount paid", "Importe pagado";
    related_documents: "Related documents", "Documentos relacionados";
    relation_paid: "Payment receipt for it", "Recibo de un pago de esta";
    relation_replaces: "Replaces it", "La sustituye";
    motive: "Reason", "Motivo";
    choose: "Choose one", "Elige";
    which_motive: "Which reason to use", "Qué motivo usar";
    reason_01: "Issued with errors, and another replaces it", "Emitida con errores con relación";
    reason_01_when: "Something is wrong in it, and a right one takes its place. Stamp that one first.",
        "Algo está mal y otra correcta la sustituye. Primero timbra la nueva.";
    reason_02: "Issued with errors, and none replaces it", "Emitida con errores sin relación";
    reason_02_when: "Something is wrong in it, and none takes its place.",
        "Algo está mal y ninguna otra la sustituye.";
    reason_03: "The sale did not take place", "No se llevó a cabo la operación";
    reason_03_when: "The invoice is right, but nothing was sold after all.",
        "La factura está bien, pero la venta no se realizó.";
    reason_04: "The sale is in a global invoice", "Operación nominativa en la factura global";
    reason_04_when: "A buyer asked for their own invoice after the sale was in a global one.",
        "Un cliente pidió su factura después de que su compra quedó en una global.";
    replacement: "Fiscal folio of the replacement", "Folio fiscal que la sustituye";
    replacement_hint: "For reason 01 only.", "Solo con el motivo 01.";
    replace_first: "To replace it", "Para sustituirla";
    replace_intro: "Creates a draft with the same contents that names the invoice it replaces. Correct it and stamp it; then it leads you back here.",
        "Crea un borrador con el mismo contenido que indica a cuál sustituye. Corrígelo y tímbralo; después te trae de vuelta aquí.";
    copy_to_replace: "Create the replacement", "Crear la sustituta";
    cancellation: "Cancellation", "Cancelación";
    cancellation_requested: "Cancellation requested", "Cancelación solicitada";
    cancellation_accepted: "Accepted", "Aceptada";
    cancellation_rejected: "Rejected", "Rechazada";
    cancellation_expired: "Accepted without an answer", "Plazo vencido";
    cancellation_was_requested: "Cancellation requested", "Cancelación solicitada";
    cancellation_was_received: "SAT has the request", "El SAT recibió la solicitud";
    cancellation_was_rejected: "Cancellation rejected", "Cancelación rechazada";
    invoice_of_order(number: &str, total: &str): "Of order {number}, {total}: its items, shipping and payment are taken from it.",
        "Del pedido {number}, {total}: de ahí se toman sus partidas, envío y pago.";
    invoice_of_customer(name: &str): "For {name}.", "Para {name}.";
    invoice_of_items: "What you leave empty is taken from the issuer and SAT’s usual codes.",
        "Lo que dejes vacío se toma del emisor y de las claves usuales del SAT.";
    invoice_order: "Invoice it", "Facturar";
    receiver_hint: "As in the Constancia de Situación Fiscal. A buyer without RFC: XAXX010101000 with their own name (PUBLICO EN GENERAL is for global invoices), regime 616, use S01 and your own postal code.",
        "Como en la Constancia de Situación Fiscal. Si el cliente no da su RFC: XAXX010101000 con su nombre (PUBLICO EN GENERAL es solo para facturas globales), régimen 616, uso S01 y tu código postal.";
    as_usual: "As usual", "Lo usual";
    item(number: usize): "Item {number}", "Concepto {number}";
    sku_or_ean: "SKU or EAN", "SKU o EAN";
    sat_keys: "SAT keys", "Claves del SAT";
    tax_included: "The prices include taxes", "Los precios incluyen impuestos";
    payment_method: "Payment method", "Método de pago";
    method_pue: "PUE, in one go", "PUE, en una sola exhibición";
    method_ppd: "PPD, in parts or later", "PPD, en parcialidades o diferido";
    payment_form: "Form of payment", "Forma de pago (SAT)";
    stamp_unknown(credits: i64): "Stamp · {credits} credits", "Timbrar · {credits} créditos";
    check_it: "Check", "Revisar";
    keep_draft: "Save as a draft", "Guardar como borrador";
    correct_draft: "Correct", "Corregir";
    one_to_correct: "One thing to correct before stamping", "Hay 1 cosa por corregir antes de timbrar";
    many_to_correct(count: usize): "{count} things to correct before stamping",
        "Hay {count} cosas por corregir antes de timbrar";
    edit_customer(name: &str): "Edit {name}", "Editar {name}";
    certificate: "The certificate", "El certificado";
    as_it_is: "As it is", "Como está";
    taxes: "Taxes", "Impuestos";
    taxes_iva16: "VAT 16 %", "IVA 16 %";
    taxes_iva8: "VAT 8 % (border)", "IVA 8 % (frontera)";
    taxes_iva0: "VAT 0 %", "IVA 0 %";
    taxes_exempt: "Exempt from VAT", "Exento de IVA";
    taxes_no_object: "Not subject to tax", "No objeto de impuesto";
    leave_item_out: "Leave this item out", "Quitar este concepto";
    paste_constancia: "Paste the Constancia de Situación Fiscal", "Pegar la constancia de situación fiscal";
    constancia_text: "Text of the Constancia", "Texto de la constancia";
    constancia_hint: "Copy all of its text and send the form: RFC, name, postal code and regime are taken from it, and nothing is stamped yet.",
        "Copia todo su texto y envía el formulario: de ahí se toman RFC, nombre, código postal y régimen; todavía no se timbra nada.";
    receiver_abroad: "Receiver abroad", "Receptor en el extranjero";
    tax_residence: "Country of tax residence", "País de residencia fiscal";
    tax_residence_hint: "Three letters, such as USA.", "Tres letras, como USA.";
    foreign_tax_id: "Foreign tax identifier", "Número de identidad tributaria";
    exchange_rate: "Exchange rate", "Tipo de cambio";
    exchange_rate_hint(currency: &str): "Pesos for one {currency}, as published that day.", "Pesos por un {currency}, según lo publicado ese día.";
    payment_terms: "Payment terms", "Condiciones de pago";
    notes_of_invoice_hint: "Printed on the PDF alone.", "Solo se imprimen en el PDF.";
    further_details: "Further details", "Más datos";
    items_kept(count: usize): "Items that are not shown and stay as they are: {count}.",
        "Conceptos que no se muestran y quedan como están: {count}.";
    payments_kept(count: usize): "Its payments stay as they are; documents paid: {count}.",
        "Sus pagos quedan como están; documentos pagados: {count}.";
    complements_kept: "Its local taxes and complements stay as they are.",
        "Sus impuestos locales y complementos quedan como están.";
    send_by_email: "Send by email", "Enviar por correo";
    mail_recipients_hint: "Up to 10 addresses, separated by commas.", "Hasta 10 direcciones, separadas con comas.";
    mail_usual_hint: "If you leave them empty, subject and text are the usual ones.", "Si los dejas vacíos, el asunto y el texto son los usuales.";
    mail_message: "Text", "Texto";
    addenda: "Addenda", "Agregar addenda";
    addenda_hint: "XML elements that the buyer wants in the invoice’s file, which SAT does not check. Empty: none.",
        "Elementos XML que el comprador quiere en el archivo y que el SAT no revisa. Vacío: ninguna.";
    begin_credit_note: "Begin a credit note", "Hacer nota de crédito";
    did_email: "The invoice was sent.", "La factura se envió.";
    did_email_credit_note: "The credit note was sent.", "La nota de crédito se envió.";
    did_email_payment_receipt: "The payment receipt was sent.", "El recibo de pago se envió.";
    did_queue_email: "The email is on its way: it is tried again until the mail server takes it.",
        "El correo va en camino: se intenta hasta que el servidor lo reciba.";
    did_set_addenda: "The addenda was saved.", "La addenda quedó guardada.";
    did_begin_credit: "This draft credits all of the invoice: correct it to what is credited, then stamp it.",
        "Este borrador acredita toda la factura: corrígelo a lo que se acredita y después tímbralo.";
    did_make_invoice: "The draft was created.", "El borrador quedó creado.";
    did_stamp: "The invoice is stamped.", "La factura quedó timbrada.";
    did_stamp_credit_note: "The credit note is stamped.", "La nota de crédito quedó timbrada.";
    did_stamp_payment_receipt: "The payment receipt is stamped.", "El recibo de pago quedó timbrado.";
    did_begin_stamping: "The provider has not answered yet. The result will appear here.",
        "El proveedor aún no responde. El resultado aparecerá aquí.";
    did_not_stamp_yet: "Too many invoices are being stamped right now: this one is still a draft. Stamp it again in a moment.",
        "Se están timbrando demasiadas facturas: esta sigue en borrador. Tímbrala de nuevo en un momento.";
    did_delete_draft: "The draft was deleted.", "El borrador se eliminó.";
    did_copy_invoice: "This draft will replace the other invoice and still says the same: correct it, then stamp it.",
        "Este borrador va a sustituir a la otra factura y todavía dice lo mismo: corrígelo y después tímbralo.";
    did_change_invoice: "The draft was saved.", "El borrador quedó guardado.";
    did_cancel_invoice: "The invoice is cancelled.", "La factura quedó cancelada.";
    did_cancel_credit_note: "The credit note is cancelled.", "La nota de crédito quedó cancelada.";
    did_cancel_payment_receipt: "The payment receipt is cancelled.", "El recibo de pago quedó cancelado.";
    did_ask_cancellation: "The cancellation was requested.", "Se solicitó la cancelación.";

    invoicing: "Invoicing", "Facturación";
    issuer: "Issuer", "Emisor";
    issuers: "Issuers", "Emisores";
    no_issuer: "There is no issuer yet: whoever invoices, with RFC, name, regime and postal code.",
        "Aún no hay emisor: quien factura, con RFC, nombre, régimen y código postal.";
    add_issuer: "Add an issuer", "Agregar emisor";
    default_issuer: "Default", "Predeterminado";
    is_default_issuer: "Use it for documents that name no issuer", "Usarlo cuando no se indique emisor";
    auto_receipts: "Stamp payment receipts (REP) automatically", "Timbrar los recibos de pago (REP) automáticamente";
    auto_credit_notes: "Stamp credit notes for refunds and returns automatically", "Timbrar automáticamente las notas de crédito de reembolsos y devoluciones";
    default_taxes: "Default taxes", "Impuestos predeterminados";
    shipping_taxes: "Taxes of shipping", "Impuestos del envío";
    taxes_by_default: "The same", "Los mismos";
    default_taxes_hint: "Used where neither the item nor its product states any. Others, such as withheld ones, are set by the API (PUT /invoices/cfdi/issuers/:id).",
        "Se usan si ni el concepto ni su producto indican otros. Otros, como retenciones, se indican por la API (PUT /invoices/cfdi/issuers/:id).";
    printed_as(name: &str): "PDF of {name}", "PDF de {name}";
    accent: "Colour of titles and total", "Color de títulos y total";
    accent_hint: "Such as #1F4E79; empty for the usual one.", "Como #1F4E79; vacío para el usual.";
    logo_place: "Position of the logo", "Posición del logotipo";
    logo_left: "With the issuer’s name", "Junto al nombre del emisor";
    logo_center: "Above everything", "Arriba de todo";
    logo_right: "Above the title", "Arriba del título";
    hidden_columns: "Hide in the items", "Ocultar en los conceptos";
    hide_sku: "Your own code (SKU)", "La clave propia (SKU)";
    hide_unit_name: "The name of the unit", "El nombre de la unidad";
    hide_product_name: "The name of the SAT product key", "El nombre de la clave de producto";
    hide_tax_object: "The name of the tax object", "El nombre del objeto de impuesto";
    hide_taxes: "The taxes of each item", "Los impuestos de cada concepto";
    website: "Website", "Sitio web";
    footer: "Line at the foot of every page", "Línea al pie de cada página";
    spanish_abroad: "In Spanish to receivers abroad, too", "En español también para receptores en el extranjero";
    logo: "Logo", "Logotipo";
    logo_of(name: &str): "Logo of {name}", "Logotipo de {name}";
    logo_hint: "PNG or JPEG of up to 256 KiB.", "PNG o JPEG de hasta 256 KiB.";
    remove_logo: "Remove the logo", "Quitar el logotipo";
    did_save_logo: "The logo was saved.", "El logotipo quedó guardado.";
    did_save_pdf: "Invoices are printed like this from now on, including those stamped before.",
        "Desde ahora las facturas se imprimen así, también las ya timbradas.";
    delete_title(name: &str): "Delete {name}", "Eliminar {name}";
    delete_issuer_intro(rfc: &str): "Nothing is issued as {rfc} any more. What was stamped stays.",
        "Ya no se emite nada como {rfc}. Lo timbrado permanece.";
    certificates: "Certificates (CSD)", "Certificados (CSD)";
    no_certificate: "There is no certificate yet: nothing can be sealed.", "Aún no hay certificado: nada se puede sellar.";
    add_certificate: "Add a certificate", "Agregar certificado";
    certificate_number: "Number", "Número";
    valid_from: "Valid from", "Vigente desde";
    certificate_ended: "Expired", "Vencido";
    certificate_ends_in(days: i64): "Active, days left: {days}", "Activo, días restantes: {days}";
    certificate_days_left: "days until the certificate ends", "días para que venza el certificado";
    certificate_idle: "Not used", "Sin usar";
    activate: "Use this one", "Usar este";
    activate_title(number: &str): "Seal with {number}", "Sellar con {number}";
    delete_certificate_intro(rfc: &str): "The certificate of {rfc} and its key are deleted. What it has sealed stays valid.",
        "El certificado de {rfc} y su llave se eliminan. Lo que selló sigue siendo válido.";
    certificate_file: "Certificate (.cer)", "Certificado (.cer)";
    key_file: "Private key (.key)", "Llave privada (.key)";
    key_password: "Password of the key", "Contraseña de la llave";
    csd_hint: "The Certificado de Sello Digital, not the e.firma. The key is kept sealed and never shown.",
        "El Certificado de Sello Digital, no la e.firma. La llave se guarda cifrada y nunca se muestra.";
    provider: "Provider (PAC)", "Proveedor (PAC)";
    no_provider: "None is chosen yet.", "Aún no hay ninguno.";
    missing: "Missing", "Falta";
    provider_sandbox: "Sandbox, without fiscal value", "Sandbox, sin valor fiscal";
    provider_sw: "SW sapien", "SW sapien";
    provider_finkok: "Finkok", "Finkok";
    provider_user: "User", "Usuario";
    provider_password: "Password", "Contraseña";
    provider_password_hint: "Empty: the stored one stays, for the same provider and user.",
        "Vacío: se conserva la guardada, si el proveedor y el usuario son los mismos.";
    provider_token: "Token", "Token infinito";
    provider_token_hint: "Of SW sapien, instead of user and password.", "De SW sapien, en lugar de usuario y contraseña.";
    simulated_stamping: "When stamping, pretend", "Al timbrar, simular";
    simulated_cancellation: "When cancelling, the receiver", "Al cancelar, el receptor";
    simulate_hint: "To try what your programs do then.", "Para probar qué hacen tus programas en ese caso.";
    simulated_normal: "Nothing: it stamps", "Nada: timbra";
    simulated_timeout: "No answer, and nothing stamped", "Sin respuesta y sin timbrar";
    simulated_timeout_after: "No answer, though it was stamped", "Sin respuesta aunque se timbró";
    simulated_unavailable: "Provider unavailable", "Proveedor caído";
    simulated_accept: "Accepts", "Acepta";
    simulated_reject: "Rejects", "Rechaza";
    simulated_expire: "Lets the time pass", "Deja vencer el plazo";
    simulated_pending: "Has not answered", "No ha respondido";
    series: "Series", "Series de folios";
    folio: "Folio", "Folio";
    one_series: "Series", "Serie";
    next_folio: "Next folio", "Siguiente folio";
    next_folio_hint: "To continue where another system left off. A series never goes back.",
        "Para continuar donde se quedó otro sistema. Una serie nunca retrocede.";
    continue_series: "Continue a series", "Continuar una serie";
    branch: "Branch", "Sucursal";
    branches: "Branches", "Sucursales";
    no_branches: "There is no branch: everything is issued at the postal code of the issuer.",
        "No hay sucursales: todo se emite en el código postal del emisor.";
    add_branch: "Add a branch", "Agregar sucursal";
    place_of_issue: "Place of issue", "Lugar de expedición";
    place_of_issue_hint: "Its postal code.", "Su código postal.";
    branch_series_hint: "Empty: that of the issuer.", "Vacío: la del emisor.";
    every_issuer: "Any issuer", "Cualquier emisor";
    printed_address: "Address, as it is printed", "Domicilio, como se imprime";
    address_line(number: usize): "Line {number}", "Línea {number}";
    delete_branch_intro: "Invoices still say that they were issued there, but are printed without its address.",
        "Las facturas siguen indicando que se emitieron ahí, pero se imprimen sin su domicilio.";
    did_save_issuer: "The issuer was saved.", "El emisor quedó guardado.";
    did_delete_issuer: "The issuer was deleted.", "El emisor se eliminó.";
    did_add_certificate: "The certificate was added.", "El certificado quedó agregado.";
    did_activate_certificate: "This certificate seals from now on.", "Desde ahora se sella con este certificado.";
    did_delete_certificate: "The certificate was deleted.", "El certificado se eliminó.";
    did_choose_provider: "The provider was saved.", "El proveedor quedó guardado.";
    did_save_series: "The series goes on with that folio.", "La serie continúa con ese folio.";
    did_save_branch: "The branch was saved.", "La sucursal quedó guardada.";
    did_delete_branch: "The branch was deleted.", "La sucursal se eliminó.";
}

impl super::Say {
    /// How many things are to be corrected.
    pub(crate) fn to_correct(self, count: usize) -> String {
        match count {
            1 => self.one_to_correct().to_owned(),
            _ => self.many_to_correct(count),
        }
    }
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "invoice.made" => say.did_make_invoice(),
        "invoice.stamped" => say.did_stamp(),
        "credit-note.stamped" => say.did_stamp_credit_note(),
        "payment-receipt.stamped" => say.did_stamp_payment_receipt(),
        "invoice-link.opened" => say.did_open_invoice_link(),
        "invoice-link.closed" => say.did_close_invoice_link(),
        "invoice.stamping" => say.did_begin_stamping(),
        "invoice.waits" => say.did_not_stamp_yet(),
        "invoice.deleted" => say.did_delete_draft(),
        "invoice.emailed" => say.did_email(),
        "credit-note.emailed" => say.did_email_credit_note(),
        "payment-receipt.emailed" => say.did_email_payment_receipt(),
        "invoice.email_queued" => say.did_queue_email(),
        "invoice.addenda_set" => say.did_set_addenda(),
        "invoice.credit_begun" => say.did_begin_credit(),
        "invoice.changed" => say.did_change_invoice(),
        "invoice.copied" => say.did_copy_invoice(),
        "invoice.cancelled" => say.did_cancel_invoice(),
        "credit-note.cancelled" => say.did_cancel_credit_note(),
        "payment-receipt.cancelled" => say.did_cancel_payment_receipt(),
        "invoice.cancellation_asked" => say.did_ask_cancellation(),
        "issuer.saved" => say.did_save_issuer(),
        "logo.saved" => say.did_save_logo(),
        "pdf.saved" => say.did_save_pdf(),
        "issuer.deleted" => say.did_delete_issuer(),
        "certificate.added" => say.did_add_certificate(),
        "certificate.activated" => say.did_activate_certificate(),
        "certificate.deleted" => say.did_delete_certificate(),
        "provider.chosen" => say.did_choose_provider(),
        "series.saved" => say.did_save_series(),
        "branch.saved" => say.did_save_branch(),
        "branch.deleted" => say.did_delete_branch(),
        _ => return None,
    })
}
