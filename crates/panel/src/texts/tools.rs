//! What is said on the pages for those who develop.

texts! {
    new_webhook: "New webhook", "Nuevo webhook";
    no_webhooks_intro: "What happens in the shop is sent to this address, signed, as soon as it has happened.",
        "Lo que sucede en la tienda se envía a esta dirección, firmado, en cuanto sucede.";
    webhook_url_hint: "Where your program listens: an address that begins with https://.",
        "Donde escucha tu programa: una dirección que comienza con https://.";
    webhook_note: "Purpose", "Para qué es";
    every_event: "Every event of the shop, including future ones, except the detailed ones of invoices, payments and shipments.",
        "Todos los eventos de la tienda, también los futuros, salvo los de detalle de facturas, pagos y envíos.";
    create_webhook: "Create the webhook", "Crear el webhook";
    change_webhook: "Change", "Modificar";
    change_webhook_intro: "A new address starts without failures. Pending deliveries go there.",
        "Una dirección nueva comienza sin fallas. Las entregas pendientes van ahí.";
    delete_webhook_intro(count: &str): "Nothing more is sent to it. Pending deliveries that are dropped: {count}. This cannot be undone.",
        "Ya no se le envía nada. Entregas pendientes que se descartan: {count}. Esto no se puede deshacer.";
    did_change_webhook: "The webhook was changed.", "El webhook se modificó.";
    did_delete_webhook: "The webhook was deleted.", "El webhook se eliminó.";
    attempts_of_day: "Attempts in 24 hours", "Intentos en 24 horas";
    attempts_succeeded: "Successful", "Con éxito";
    attempts_p95: "95% answered within", "El 95 % respondió en";
    request_headers: "Headers of the last attempt", "Encabezados del último intento";
    signatures_hint: "Signatures are not shown: they prove that a delivery is genuine.",
        "Las firmas no se muestran: prueban que una entrega es auténtica.";
    receiving: "How to receive them", "Cómo recibirlos";
    receiving_intro: "A receiver checks the signature of what comes, answers soon, and recognises by its id what has come before. These do so, each in one file without dependencies.",
        "Un receptor verifica la firma de lo que llega, responde pronto y reconoce por su id lo que ya llegó. Estos lo hacen, cada uno en un solo archivo sin dependencias.";
    try_webhook: "Request a test event", "Pedir un evento de prueba";
    requests_of_key: "Other requests of this key", "Otras de esta clave";
    identifier: "Identifier", "Identificador";
    identifiers: "Identifiers", "Identificadores";
    account: "Account", "Cuenta";
    variant: "Variant", "Variante";
    withholding: "Withholding certificate", "Constancia de retenciones";
    revision: "Revision", "Versión";
    how_often: "Times", "Veces";
    amount_at_least: "Least amount", "Importe mínimo";
    amount_at_most: "Greatest amount", "Importe máximo";
    zone_central: "Central Time", "Tiempo del Centro";
    zone_central_border: "Central Time at the border", "Tiempo del Centro en Frontera";
    zone_pacific: "Pacific Time", "Tiempo del Pacífico";
    zone_northwest: "Northwest Time", "Tiempo del Noroeste";
    zone_southeast: "Southeast Time", "Tiempo del Sureste";
    no_events: "No events yet.", "Aún no hay eventos.";
    delivery: "Delivery", "Entrega";
    no_deliveries_of_event: "It was sent to no webhook within a day.", "No se envió a ningún webhook durante un día.";
    replay: "Resend past events", "Reenviar eventos pasados";
    replay_intro: "Every event of these days that the webhook includes is delivered again, little by little. Programs that \
        recognise an event by its id count it once.",
        "Se entregan de nuevo, poco a poco, todos los eventos de estos días que el webhook incluye. Los programas que \
        reconocen un evento por su id lo cuentan una vez.";
    did_replay: "Past events are being sent again.", "Se están reenviando los eventos pasados.";
    requests: "Requests", "Peticiones";
    request: "Request", "Petición";
    api_key: "API key", "Clave de API";
    only_failures: "Only failures", "Solo fallas";
    times(count: &str): "{count} times, counted", "{count} veces, contadas";
    on_average(figure: &str): "{figure} on average", "{figure} en promedio";
    http_method: "Method", "Método";
    no_requests: "No recent requests.", "No hay peticiones recientes.";
    requests_intro: "Writes and failures. Reads, and anything very frequent, are counted per key, route and minute. Everything is kept for 30 days, unless the service is configured otherwise.",
        "Escrituras y fallas. Las lecturas, y lo que es muy frecuente, se cuentan por clave, ruta y minuto. Todo se conserva 30 días, salvo que el servicio se configure de otro modo.";
    jobs: "Jobs", "Trabajos";
    job_kind: "Type", "Tipo";
    job_of_stamp: "Stamp an invoice", "Timbrar una factura";
    job_of_cancel_invoice: "Cancel an invoice", "Cancelar una factura";
    job_of_cancel_approved: "Cancel an invoice as approved", "Cancelar una factura ya aprobada";
    job_of_follow: "Follow a cancellation at SAT", "Consultar una cancelación en el SAT";
    job_of_stamp_withholding: "Stamp a withholding certificate", "Timbrar una constancia de retenciones";
    job_of_cancel_withholding: "Cancel a withholding certificate", "Cancelar una constancia de retenciones";
    job_of_email: "Email an invoice", "Enviar una factura por correo";
    job_of_export: "Export invoices", "Exportar facturas";
    job_of_import_products: "Import products", "Importar productos";
    job_of_import_customers: "Import customers", "Importar clientes";
    job_of_import_stock: "Import stock", "Importar existencias";
    job_of_global: "Issue global invoices", "Emitir facturas globales";
    job_of_payment_call: "Request a payment from the provider", "Solicitar un cobro al proveedor";
    job_of_refund: "Refund a payment", "Reembolsar un cobro";
    job_of_payment_check: "Check a payment with the provider", "Consultar un cobro con el proveedor";
    job_of_payment_notice: "Process a provider’s notification", "Procesar una notificación del proveedor";
    job_of_sandbox_news: "Notify of a sandbox payment", "Notificar un cobro de prueba";
    job_of_paper: "Issue a payment receipt or credit note", "Emitir un recibo de pago o una nota de crédito";
    job_of_mail: "Send an email", "Enviar un correo";
    job_of_bulk_orders: "Bulk action on orders", "Acción masiva de pedidos";
    job_of_bulk_invoices: "Bulk action on invoices", "Acción masiva de facturas";
    job_of_bulk_deliveries: "Bulk action on deliveries", "Acción masiva de entregas";
    job_progress: "Progress", "Avance";
    job_queued: "Waiting", "En espera";
    job_running: "Running", "En curso";
    job_succeeded: "Done", "Terminado";
    job_failed: "Failed", "Fallido";
    job_cancelled: "Cancelled", "Cancelado";
    job_cancel: "Cancel", "Cancelar";
    ended: "Ended", "Terminó";
    no_jobs: "Nothing is running in the background.", "No hay nada en segundo plano.";
    did_cancel_job: "The job is being stopped.", "El trabajo se está deteniendo.";
    credits: "Credits", "Créditos";
    credits_source: "Whoever runs this service grants them.", "Los abona quien opera este servicio.";
    credits_available: "Available", "Disponibles";
    credits_reserved: "Reserved", "Apartados";
    credits_kind: "Entry", "Movimiento";
    credits_granted: "Granted", "Abono";
    credits_set_aside: "Reserved for a stamp", "Apartado para un timbre";
    credits_spent: "Spent", "Gastado";
    credits_given_back: "Refunded", "Devuelto";
    no_credits: "No entries yet.", "Aún no hay movimientos.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "webhook.replayed" => say.did_replay(),
        "webhook.changed" => say.did_change_webhook(),
        "webhook.deleted" => say.did_delete_webhook(),
        "job.cancelled" => say.did_cancel_job(),
        _ => return None,
    })
}
