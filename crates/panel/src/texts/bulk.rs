//! What is done about many at once.

texts! {
    which_ones: "Which ones", "Cuáles";
    the_selected: "The selected", "Los seleccionados";
    all_that_match(count: &str): "All {count} that match", "Los {count} que coinciden";
    all_matching: "All that match", "Todos los que coinciden";
    ship_many: "Ship…", "Enviar…";
    pay_many: "Take payment…", "Registrar pago…";
    cancel_many: "Cancel…", "Cancelar…";
    invoice_many: "Invoice…", "Facturar…";
    ship_orders: "Ship orders", "Enviar pedidos";
    pay_orders: "Take payments in hand", "Registrar pagos recibidos";
    cancel_orders: "Cancel orders", "Cancelar pedidos";
    invoice_orders: "Invoice orders", "Facturar pedidos";
    bulk_none: "Nothing matches.", "Nada coincide.";
    bulk_too_many(max: &str): "More than {max} match, and one action is about {max} at most. Narrow the list, by day for example.",
        "Coinciden más de {max} y una acción abarca a lo más {max}. Acota la lista, por ejemplo por fecha.";
    bulk_ship_intro(count: &str): "Orders: {count}. What is left of each leaves now. What has left already is skipped; cancelled orders are refused.",
        "Pedidos: {count}. Lo que falta de cada uno sale ahora. Lo que ya salió se omite; los cancelados se rechazan.";
    bulk_pay_intro(count: &str): "Orders: {count}. What is due for each is recorded as received in hand. What is paid already is skipped; cancelled orders are refused.",
        "Pedidos: {count}. El saldo de cada uno se registra como recibido. Lo ya pagado se omite; los cancelados se rechazan.";
    bulk_cancel_intro(count: &str): "Orders: {count}. Each is cancelled, and its goods are free again. Shipped ones are refused, and paid ones unless their money is given back.",
        "Pedidos: {count}. Cada uno se cancela y su mercancía queda libre. Los enviados se rechazan, y también los pagados si no se devuelve su dinero.";
    bulk_invoice_intro(count: &str): "Orders: {count}. An invoice is made of each. Those that have one already are skipped.",
        "Pedidos: {count}. De cada uno se hace una factura. Los ya facturados se omiten.";
    stamp_many: "Stamp…", "Timbrar…";
    email_many: "Send by email…", "Enviar por correo…";
    resend_many: "Send again…", "Reenviar…";
    stamp_invoices: "Stamp invoices", "Timbrar facturas";
    email_invoices: "Send invoices by email", "Enviar facturas por correo";
    resend_deliveries: "Send deliveries again", "Reenviar entregas";
    bulk_stamp_intro(count: &str): "Invoices: {count}. Each draft is stamped. Those that are stamped already are skipped.",
        "Facturas: {count}. Cada borrador se timbra. Las ya timbradas se omiten.";
    bulk_email_intro(count: &str): "Invoices: {count}. The XML and PDF of each go to its customer's address. Drafts are refused, and those whose customer has no address.",
        "Facturas: {count}. El XML y el PDF de cada una se envían al correo de su cliente. Los borradores se rechazan, y también las de clientes sin correo.";
    bulk_resend_intro(count: &str): "Deliveries: {count}. Each is attempted now; what was delivered or has failed becomes a new delivery of the same event.",
        "Entregas: {count}. Cada una se intenta ahora; la que se entregó o falló da lugar a una entrega nueva del mismo evento.";
    papers_of_month: "Papers of a month", "Documentos de un mes";
    papers_intro: "The stamped invoices of the month in one file. A job makes it; it is kept for 7 days.",
        "Las facturas timbradas del mes en un solo archivo. Lo genera un trabajo y se conserva 7 días.";
    month: "Month", "Mes";
    papers_content: "What is in it", "Contenido";
    papers_xml: "XML (ZIP)", "Solo XML (ZIP)";
    papers_xml_and_pdf: "XML and PDF (ZIP)", "XML y PDF (ZIP)";
    papers_csv: "A table (CSV)", "Una tabla (CSV)";
    make_file: "Make the file", "Generar el archivo";
    did_begin_file: "The file is being made. It is found here.", "El archivo se está generando. Aparecerá aquí.";
    download: "Download", "Descargar";
    bulk_credits(needed: &str, available: &str): "Stamping takes up to {needed} credits; {available} are available.",
        "Timbrar consume hasta {needed} créditos; hay {available} disponibles.";
    bulk_since_hint: "What comes from now on is not taken in.", "Lo que llegue a partir de ahora no se incluye.";
    bulk_refund: "Give back what was paid", "Devolver lo pagado";
    bulk_stamp: "Stamp the invoices at once", "Timbrar las facturas de una vez";
    bulk_stamp_hint: "Otherwise they stay drafts.", "Si no, quedan como borradores.";
    bulk_action: "Bulk action", "Acción masiva";
    rows_done_well: "Done", "Hechos";
    rows_rejected: "Refused", "Rechazados";
    rows_skipped: "Skipped", "Omitidos";
    rows_left: "Not begun", "Sin empezar";
    outcome_done: "Done", "Hecho";
    outcome_refused: "Refused", "Rechazado";
    outcome_skipped: "Skipped", "Omitido";
    outcome_waits: "Waits", "En espera";
    bulk_counting: "What matches is being looked up.", "Se está buscando lo que coincide.";
    bulk_progress(done: &str, total: &str): "{done} of {total}", "{done} de {total}";
    bulk_stopped: "It has stopped before its end.", "Se detuvo antes de terminar.";
    bulk_pauses: "It is tried again by itself.", "Se reintenta sin intervención.";
    refused_csv: "Refused as CSV", "Rechazados en CSV";
    led_to: "Led to", "Resultado en";
    did_begin_bulk: "It has begun. You may leave this page.", "Comenzó. Puedes salir de esta página.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "bulk.begun" => say.did_begin_bulk(),
        "file.begun" => say.did_begin_file(),
        _ => return None,
    })
}
