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
    bulk_none: "No order matches.", "Ningún pedido coincide.";
    bulk_too_many(max: &str): "More than {max} orders match, and one action is about {max} at most. Narrow the list, by day for example.",
        "Coinciden más de {max} pedidos y una acción abarca a lo más {max}. Acota la lista, por ejemplo por fecha.";
    bulk_ship_intro(count: &str): "Orders: {count}. What is left of each leaves now. What has left already is skipped; cancelled orders are refused.",
        "Pedidos: {count}. Lo que falta de cada uno sale ahora. Lo que ya salió se omite; los cancelados se rechazan.";
    bulk_pay_intro(count: &str): "Orders: {count}. What is due for each is recorded as received in hand. What is paid already is skipped; cancelled orders are refused.",
        "Pedidos: {count}. El saldo de cada uno se registra como recibido. Lo ya pagado se omite; los cancelados se rechazan.";
    bulk_cancel_intro(count: &str): "Orders: {count}. Each is cancelled, and its goods are free again. Shipped ones are refused, and paid ones unless their money is given back.",
        "Pedidos: {count}. Cada uno se cancela y su mercancía queda libre. Los enviados se rechazan, y también los pagados si no se devuelve su dinero.";
    bulk_invoice_intro(count: &str): "Orders: {count}. An invoice is made of each. Those that have one already are skipped.",
        "Pedidos: {count}. De cada uno se hace una factura. Los ya facturados se omiten.";
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
    bulk_counting: "The orders are being looked up.", "Se están buscando los pedidos.";
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
        _ => return None,
    })
}
