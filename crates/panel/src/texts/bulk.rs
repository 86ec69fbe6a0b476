//! What is done about many at once.

texts! {
    which_ones: "Which ones", "Cuáles";
    the_selected: "The selected ones", "Los seleccionados";
    all_that_match(count: &str): "All {count} matching", "Los {count} que coinciden";
    the_one_that_matches: "The only one matching", "El único que coincide";
    all_matching: "All matching", "Todos los que coinciden";
    ship_many: "Ship…", "Enviar…";
    pay_many: "Record payment…", "Registrar pago…";
    cancel_many: "Cancel…", "Cancelar…";
    invoice_many: "Invoice…", "Facturar…";
    ship_orders: "Ship orders", "Enviar pedidos";
    pay_orders: "Record payments received", "Registrar pagos recibidos";
    cancel_orders: "Cancel orders", "Cancelar pedidos";
    invoice_orders: "Invoice orders", "Facturar pedidos";
    bulk_none: "Nothing matches.", "Nada coincide.";
    bulk_too_many(max: &str): "More than {max} match, and one action covers {max} at most. Narrow the list, by day for example.",
        "Coinciden más de {max} y una acción abarca a lo más {max}. Acota la lista, por ejemplo por fecha.";
    bulk_ship_intro(count: &str): "Orders: {count}. Whatever is left of each ships now. Shipped orders are skipped; cancelled ones are rejected.",
        "Pedidos: {count}. Lo que falta de cada uno sale ahora. Lo que ya salió se omite; los cancelados se rechazan.";
    bulk_pay_intro(count: &str): "Orders: {count}. The amount due of each is recorded as received. Paid orders are skipped; cancelled ones are rejected.",
        "Pedidos: {count}. El saldo de cada uno se registra como recibido. Lo ya pagado se omite; los cancelados se rechazan.";
    bulk_pay_sum(sum: &str): "A total of {sum} is recorded as received.", "En total se registran {sum} como recibidos.";
    bulk_pay_nothing: "None of these orders has an amount left to record.", "Ninguno de estos pedidos tiene saldo por registrar.";
    pay_nothing_due: "Nothing is left to record.", "No queda saldo por registrar.";
    order_has_invoice: "The order is invoiced already.", "El pedido ya está facturado.";
    pay_order_cancelled: "The order is cancelled.", "El pedido está cancelado.";
    bulk_cancel_intro(count: &str): "Orders: {count}. Each is cancelled and its goods return to stock. Shipped orders are rejected, and paid ones unless they are refunded.",
        "Pedidos: {count}. Cada uno se cancela y su mercancía queda libre. Los enviados se rechazan, y también los pagados si no se reembolsan.";
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
    bulk_email_intro(count: &str): "Invoices: {count}. The XML and PDF of each go to its customer’s address. Drafts are refused, and those whose customer has no address.",
        "Facturas: {count}. El XML y el PDF de cada una se envían al correo de su cliente. Los borradores se rechazan, y también las de clientes sin correo.";
    bulk_resend_intro(count: &str): "Deliveries: {count}. Each is attempted now; what was delivered or has failed becomes a new delivery of the same event.",
        "Entregas: {count}. Cada una se intenta ahora; la que se entregó o falló da lugar a una entrega nueva del mismo evento.";
    papers_of_month: "Monthly documents", "Documentos de un mes";
    papers_intro: "All invoices stamped in the month, in one file. It is generated in the background and kept for 7 days.",
        "Las facturas timbradas del mes en un solo archivo. Se genera en segundo plano y se conserva 7 días.";
    month: "Month", "Mes";
    papers_content: "Contents", "Contenido";
    papers_xml: "XML (ZIP)", "Solo XML (ZIP)";
    papers_xml_and_pdf: "XML and PDF (ZIP)", "XML y PDF (ZIP)";
    papers_csv: "Table (CSV)", "Una tabla (CSV)";
    make_file: "Generate the file", "Generar el archivo";
    did_begin_file: "The file is being generated. It will appear here.", "El archivo se está generando. Aparecerá aquí.";
    download: "Download", "Descargar";
    bulk_credits(needed: &str, available: &str): "Stamping takes up to {needed} credits; {available} are available.",
        "Timbrar consume hasta {needed} créditos; hay {available} disponibles.";
    bulk_since_hint: "Anything that arrives from now on is not included.", "Lo que llegue a partir de ahora no se incluye.";
    order_was_cancelled: "The order was cancelled already.", "El pedido ya estaba cancelado.";
    invoice_was_stamped: "The invoice was stamped already.", "La factura ya estaba timbrada.";
    bulk_refund_needed(field: &str): "Money was received for this order: tick “{field}”.", "Se recibió dinero por este pedido: marca «{field}».";
    bulk_refund: "Refund what was paid", "Reembolsar lo pagado";
    overpayment_allowed: "overpayment allowed", "sobrepago permitido";
    bulk_stamp: "Stamp the invoices right away", "Timbrar las facturas de una vez";
    bulk_stamp_hint: "Otherwise they stay drafts.", "Si no, quedan como borradores.";
    bulk_action: "Bulk action", "Acción masiva";
    rows_done_well: "Done", "Hechos";
    rows_rejected: "Rejected", "Rechazados";
    rows_skipped: "Skipped", "Omitidos";
    rows_left: "Not started", "Sin empezar";
    outcome_done: "Done", "Hecho";
    outcome_refused: "Rejected", "Rechazado";
    outcome_skipped: "Skipped", "Omitido";
    outcome_waits: "Waiting", "En espera";
    bulk_counting: "Looking up what matches.", "Se está buscando lo que coincide.";
    bulk_progress(done: &str, total: &str): "{done} of {total}", "{done} de {total}";
    bulk_stopped: "It stopped before finishing.", "Se detuvo antes de terminar.";
    bulk_pauses: "It is retried automatically.", "Se reintenta automáticamente.";
    refused_csv: "Rejected (CSV)", "Rechazados (CSV)";
    led_to: "Result record", "Resultado en";
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
