//! Payments, refunds, payment links, and approvals.

texts! {
    payments: "Payments", "Cobros";
    refunds: "Refunds", "Reembolsos";
    payment_link: "Payment link", "Liga de pago";
    payment_links: "Payment links", "Ligas de pago";
    no_payments: "No payments yet. They are recorded on orders, made through payment links, or requested through the API.",
        "Aún no hay cobros. Los cobros se registran en los pedidos, se hacen con ligas o se solicitan por la API.";
    no_refunds: "No refunds yet.", "Aún no hay reembolsos.";
    method_card: "Card", "Tarjeta";
    method_spei: "SPEI transfer", "Transferencia SPEI";
    method_oxxo: "Cash at OXXO", "Efectivo en OXXO";
    method_codi: "CoDi charge", "Cobro CoDi";
    method_wallet: "Wallet", "Monedero electrónico";
    in_hand: "In person", "En persona";
    payment_pending: "Pending", "Pendiente";
    payment_requires_action: "Waiting for the payer", "En espera del pagador";
    payment_processing: "Processing", "En proceso";
    payment_is_authorized: "Authorized", "Autorizado";
    payment_is_failed: "Rejected", "Rechazado";
    payment_is_canceled: "Cancelled", "Cancelado";
    payment_is_expired: "Expired", "Vencido";
    refund_is_made: "Refunded", "Reembolsado";
    refund_is_failed: "Failed", "Fallido";
    refund_is_canceled: "Cancelled", "Cancelado";
    flag_late: "Late", "Llegó tarde";
    flag_excess: "Overpaid", "Más de lo debido";
    flag_short: "Underpaid", "Menos de lo pedido";
    flag_conflict: "Amount mismatch", "Importe distinto";
    authorized: "Authorized", "Autorizado";
    captured: "Received", "Cobrado";
    refund_under_way: "Refund in progress", "Reembolso en proceso";
    fee: "Provider fee", "Comisión del proveedor";
    through: "Through", "Por medio de";
    id_there: "Provider ID", "ID del proveedor";
    card: "Card used", "Tarjeta usada";
    clabe: "CLABE to transfer to", "CLABE para transferir";
    bank: "Bank", "Banco";
    counter_reference: "Payment reference", "Referencia en caja";
    payer: "Payer", "Pagador";
    what_for: "Description", "Concepto";
    tracking_key: "Tracking key", "Clave de rastreo";
    received_at: "Received on", "Recibido el";
    payable_until: "Payable until", "Se puede pagar hasta";
    credit_note_problem(why: &str): "Credit note (CFDI) not stamped: {why}", "Nota de crédito sin timbrar: {why}";
    credit_note_trouble: "Why there is no stamped credit note (CFDI)", "Por qué no hay nota de crédito timbrada";
    receipt_unstamped: "Payment receipt (CFDI) not stamped", "Complemento de pago sin timbrar";
    receipt_problem: "Why there is no payment receipt (CFDI)", "Por qué no hay complemento de pago";
    ask_provider: "Ask the provider", "Consultar al proveedor";
    capture: "Capture", "Capturar";
    capture_intro(held: &str): "{held} is authorized. What is not captured is released to the payer.",
        "Hay {held} autorizados. Lo que no se captura se libera al pagador.";
    capture_hint(held: &str): "Empty: the full {held}.", "Vacío: todo, {held}.";
    refund: "Refund", "Reembolsar";
    refund_intro(left: &str): "Up to {left} of this payment can be refunded.", "De este cobro se pueden reembolsar {left}.";
    refund_hint(left: &str): "Empty: everything left, {left}.", "Vacío: todo lo que queda, {left}.";
    refund_by_hand: "I return the money myself; do not call the provider", "Devuelvo el dinero yo, sin llamar al proveedor";
    call_off: "Cancel the payment", "Cancelar el cobro";
    call_off_intro(amount: &str): "The {amount} is no longer expected, and the payer can no longer pay it.",
        "Ya no se espera el pago de {amount} y el pagador ya no podrá hacerlo.";
    did_capture: "The payment was captured.", "El cobro se capturó.";
    did_refund: "The refund was recorded.", "El reembolso quedó registrado.";
    did_call_off: "The payment was cancelled.", "El cobro se canceló.";
    did_ask_provider: "The provider was asked: this is what it says now.", "Se consultó al proveedor: esto dice ahora.";
    link_active: "Active", "Activa";
    link_inactive: "Closed", "Cerrada";
    link_completed: "Paid", "Pagada";
    link_expired: "Expired", "Vencida";
    what_is_due: "Amount due", "Lo que se debe";
    times_paid: "Times paid", "Veces pagada";
    no_links: "No payment links yet. Whoever has one can pay by card, by transfer or in cash at a store.",
        "Aún no hay ligas de pago. Quien tiene una paga con tarjeta, transferencia o en una tienda.";
    new_link: "New payment link", "Nueva liga de pago";
    new_link_intro: "It can be paid once, within a week. Send it to whoever is to pay.",
        "Se puede pagar una vez, durante una semana. Envíala a quien deba pagar.";
    link_title_hint: "As the payer reads it. Not needed with an order.", "Como lo lee el pagador. Con un pedido no hace falta.";
    link_amount_hint: "In pesos. Empty with an order: what is due for it.", "En pesos. Vacío con un pedido: lo que se deba.";
    link_order_hint: "Its number, such as ORD-000123, if the link is for an order.", "Su número, como ORD-000123, si la liga es de un pedido.";
    close_link: "Close the link", "Cerrar la liga";
    close_link_intro: "Nobody will be able to pay with it any more.", "Nadie más podrá pagar con ella.";
    did_make_link: "The link was created.", "La liga quedó creada.";
    did_close_link: "The link was closed.", "La liga se cerró.";
    approvals: "Approvals", "Aprobaciones";
    approval: "Approval", "Aprobación";
    no_approvals: "Nothing is waiting for approval.", "No hay nada por aprobar.";
    approval_pending: "Pending", "Por decidir";
    approval_approved: "Approved", "Aprobada";
    approval_rejected: "Rejected", "Rechazada";
    approval_cancelled: "Withdrawn", "Retirada";
    approval_expired: "Expired", "Vencida";
    approval_superseded: "No longer applies", "Sin objeto";
    of_order_discount: "Order with a discount", "Pedido con descuento";
    of_order_cancellation: "Cancellation of an order", "Cancelación de un pedido";
    of_invoice_cancellation: "Cancellation of an invoice", "Cancelación de una factura";
    of_refund: "Refund of a payment", "Reembolso de un cobro";
    of_stock_adjustment: "Stock adjustment", "Ajuste de existencias";
    of_stock_transfer: "Stock transfer", "Traspaso de existencias";
    discount_percent: "Discount, percent", "Descuento, por ciento";
    below_price: "Below the price, percent", "Bajo el precio, por ciento";
    channel: "Channel", "Canal";
    sat_motive: "SAT reason", "Motivo del SAT";
    days_since_stamp: "Days since stamping", "Días desde el timbrado";
    share_of_paid: "Share of the payment, percent", "De lo pagado, por ciento";
    days_since_paid: "Days since it was paid", "Días desde el pago";
    units: "Units", "Unidades";
    worth: "Worth", "Valor";
    effect_queued: "It is being carried out.", "Se está llevando a cabo.";
    effect_applied: "It was carried out.", "Se llevó a cabo.";
    effect_failed: "It could not be carried out.", "No se pudo llevar a cabo.";
    you_decide: "It is your turn to decide.", "Te toca decidir.";
    what_is_known: "What would happen", "Qué pasaría";
    decisions: "Decisions", "Decisiones";
    comment: "Comment", "Comentario";
    approve: "Approve", "Aprobar";
    approve_intro: "It is carried out with the last approval that is needed.", "La última aprobación que falte lo lleva a cabo.";
    reject: "Reject", "Rechazar";
    reject_intro: "Nothing happens. Whoever asked will read your comment.", "No se hace nada. Quien lo solicitó lee tu comentario.";
    approval_rules: "Rules", "Reglas";
    no_rules: "No rules: nothing needs approval.", "No hay reglas: nada requiere aprobación.";
    new_rule: "New rule", "Nueva regla";
    new_rule_about: "What is the rule about?", "¿De qué trata la regla?";
    rule_intro(entity: &str): "About: {entity}. What meets all conditions waits until every level has agreed, one after the other. Without conditions everything waits.",
        "Trata de: {entity}. Lo que cumpla todas las condiciones espera hasta que cada nivel esté de acuerdo, uno tras otro. Sin condiciones, todo espera.";
    rule_currency_hint: "The rule is for amounts in this currency only, such as MXN. Needed with a condition on an amount.",
        "La regla vale solo para importes en esta moneda, como MXN. Hace falta con una condición sobre un importe.";
    condition: "Condition", "Condición";
    no_condition: "None", "Ninguna";
    comparison: "Comparison", "Comparación";
    compared_with: "Compared with (several: a; b)", "Se compara con (varios: a; b)";
    compared_eq: "is", "es";
    compared_ne: "is not", "no es";
    compared_gt: "more than", "más de";
    compared_gte: "at least", "al menos";
    compared_lt: "less than", "menos de";
    compared_lte: "at most", "a lo más";
    compared_in: "one of", "alguno de";
    requester: "Asked by", "Solicitó";
    asked_by(name: &str): "asked by {name}", "solicitó {name}";
    level(number: usize): "Level {number}", "Nivel {number}";
    approvers: "Approvers", "Quién puede aprobar";
    min_approvals: "Approvals needed; 1 if empty", "Aprobaciones necesarias; 1 si lo dejas vacío";
    approving_key(name: &str, last4: &str): "{name} (API key …{last4})", "{name} (clave de API …{last4})";
    gone_approver(id: &str): "{id} (may not decide any more)", "{id} (ya no puede decidir)";
    so_many_of(count: u32, people: &str): "{count} of {people}", "{count} de {people}";
    self_approval: "The requester may approve, too", "Quien solicita también puede aprobar";
    rule_hours_hint: "The request expires afterwards; 72 if empty.", "Después la solicitud vence; 72 si lo dejas vacío.";
    delete_rule: "Delete the rule", "Eliminar la regla";
    delete_rule_intro(name: &str, entity: &str): "{name} ({entity}) no longer asks for approval. Pending requests still have to be decided.",
        "{name} ({entity}) ya no requiere aprobación. Las solicitudes pendientes aún deben decidirse.";
    did_make_rule: "The rule applies from now on.", "La regla se aplica desde ahora.";
    did_change_rule: "The rule was changed. Pending requests stay as they are.", "La regla cambió. Las solicitudes pendientes quedan como están.";
    did_delete_rule: "The rule was deleted.", "La regla se eliminó.";
    if_all: "If all of these are true", "Si se cumple todo esto";
    levels: "Levels", "Niveles";
    hours: "Hours to decide", "Horas para decidir";
    did_decide: "Your decision was recorded.", "Tu decisión quedó registrada.";
    payment_settings: "Payment settings", "Ajustes de pagos";
    payment_providers: "Payment providers", "Proveedores de pagos";
    payment_provider: "Provider", "Proveedor";
    payment_provider_intro: "Keys and secrets are stored encrypted and never shown again.",
        "Las claves y los secretos se guardan cifrados y no se vuelven a mostrar.";
    default_provider: "Default", "Predeterminado";
    is_set_up: "Set up", "Configurado";
    not_set_up: "Not set up", "Sin configurar";
    always_ready: "Ready", "Listo";
    is_default_provider: "Use it for payments that name no provider", "Los pagos que no indican proveedor se hacen con este";
    secret_key: "Secret key", "Clave secreta";
    secret_key_hint: "The secret key or access token of your account with the provider.", "La clave secreta o el token de acceso de tu cuenta con el proveedor.";
    kept_key(end: &str): "Leave empty to keep the one ending in {end}.", "Se conserva la que termina en {end} si esto queda vacío.";
    notification_secret: "Webhook secret", "Secreto de las notificaciones";
    notification_secret_hint: "What the provider signs its notifications with; it goes with the key.",
        "Con él firma el proveedor sus notificaciones; va junto con la clave.";
    installments: "Interest-free installments", "Meses sin intereses";
    installments_hint: "As your contract and your settings with the provider allow.",
        "Los que permiten tu contrato y tu configuración con el proveedor.";
    plans_documented: "as the provider documents them", "como los documenta el proveedor";
    plans_own: "those with an amount below", "los que tienen importe abajo";
    least_amounts: "Minimum amount for each term", "Importe mínimo de cada plazo";
    in_months(count: u64): "{count} months", "{count} meses";
    usually(amount: &str): "Usually {amount}", "Usualmente {amount}";
    payment_rules: "Payment rules", "Cómo se tratan los pagos";
    payment_rules_intro: "They apply to every payment of the account.", "Lo que vale para todos los pagos de la cuenta.";
    late_payments: "Money received for a cancelled order", "Dinero que llega para un pedido cancelado";
    late_manual: "is kept until someone refunds it", "se conserva hasta que alguien lo reembolse";
    late_auto: "is refunded automatically, where the provider allows it", "se reembolsa solo, si el proveedor lo permite";
    sat_payment_forms: "Payment forms for SAT", "Formas de pago para el SAT";
    sat_payment_forms_hint: "Only where they differ from the usual ones; for payments made from now on.",
        "Cuando deban ser otras que las usuales, para los pagos que se hagan a partir de ahora.";
    did_take_back_approval: "The request was withdrawn.", "La solicitud se retiró.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "payment.captured" => say.did_capture(),
        "payment.refunded" => say.did_refund(),
        "payment.called_off" => say.did_call_off(),
        "payment.asked" => say.did_ask_provider(),
        "link.made" => say.did_make_link(),
        "link.closed" => say.did_close_link(),
        "rule.made" => say.did_make_rule(),
        "rule.changed" => say.did_change_rule(),
        "rule.deleted" => say.did_delete_rule(),
        "approval.decided" => say.did_decide(),
        "approval.cancelled" => say.did_take_back_approval(),
        _ => return None,
    })
}
