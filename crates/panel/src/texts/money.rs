//! Payments, refunds, payment links, and approvals.

texts! {
    payments: "Payments", "Cobros";
    refunds: "Refunds", "Reembolsos";
    payment_link: "Payment link", "Liga de pago";
    payment_links: "Payment links", "Ligas de pago";
    no_payments: "There is no payment yet. Payments are recorded at orders, made by links, or asked for through the API.",
        "Aún no hay cobros. Los cobros se registran en los pedidos, se hacen con ligas o se solicitan por la API.";
    no_refunds: "Nothing was given back yet.", "Aún no se ha devuelto dinero.";
    method_card: "Card", "Tarjeta";
    method_spei: "SPEI transfer", "Transferencia SPEI";
    method_oxxo: "Cash at OXXO", "Efectivo en OXXO";
    method_codi: "CoDi charge", "Cobro CoDi";
    method_wallet: "Wallet", "Monedero electrónico";
    in_hand: "In hand", "En mano";
    payment_pending: "Pending", "Pendiente";
    payment_requires_action: "Waits for the payer", "En espera del pagador";
    payment_processing: "In process", "En proceso";
    payment_is_authorized: "Authorized", "Autorizado";
    payment_is_failed: "Refused", "Rechazado";
    payment_is_canceled: "Called off", "Cancelado";
    payment_is_expired: "Expired", "Vencido";
    refund_is_made: "Given back", "Devuelto";
    refund_is_failed: "Failed", "Fallido";
    refund_is_canceled: "Called off", "Cancelado";
    flag_late: "Came late", "Llegó tarde";
    flag_excess: "More than due", "Más de lo debido";
    flag_short: "Less than asked", "Menos de lo pedido";
    flag_conflict: "Another amount", "Otro importe";
    authorized: "Authorized", "Autorizado";
    captured: "Received", "Cobrado";
    refund_under_way: "Being given back", "En devolución";
    fee: "Fee of the provider", "Comisión del proveedor";
    through: "Through", "Por medio de";
    id_there: "Identifier there", "Identificador allá";
    card: "Card used", "Tarjeta usada";
    clabe: "CLABE to transfer to", "CLABE para transferir";
    bank: "Bank", "Banco";
    counter_reference: "Reference at the counter", "Referencia en caja";
    payer: "Payer", "Pagador";
    what_for: "What for", "Concepto";
    tracking_key: "Tracking key", "Clave de rastreo";
    received_at: "Received on", "Recibido el";
    payable_until: "Can be paid until", "Se puede pagar hasta";
    receipt_problem: "Why there is no receipt", "Por qué no hay complemento de pago";
    ask_provider: "Ask the provider", "Consultar al proveedor";
    capture: "Capture", "Capturar";
    capture_intro(held: &str): "{held} is authorized. What is not captured is released to the payer.",
        "Hay {held} autorizados. Lo que no se captura se libera al pagador.";
    capture_hint(held: &str): "Empty: all of it, {held}.", "Vacío: todo, {held}.";
    refund: "Give back", "Devolver";
    refund_intro(left: &str): "{left} of this payment can be given back.", "De este cobro se pueden devolver {left}.";
    refund_hint(left: &str): "Empty: all that is left, {left}.", "Vacío: todo lo que queda, {left}.";
    refund_by_hand: "I give the money back myself, the provider is not called", "Devuelvo el dinero yo, sin llamar al proveedor";
    call_off: "Call off", "Cancelar el cobro";
    call_off_intro(amount: &str): "{amount} is not expected any more, and whoever was to pay cannot.",
        "Ya no se esperan {amount} y quien debía pagar ya no puede.";
    did_capture: "The payment was captured.", "El cobro se capturó.";
    did_refund: "The money is being given back.", "El dinero se está devolviendo.";
    did_call_off: "The payment was called off.", "El cobro se canceló.";
    did_ask_provider: "The provider was asked: this is what it says now.", "Se consultó al proveedor: esto dice ahora.";
    link_active: "Active", "Activa";
    link_inactive: "Closed", "Cerrada";
    link_completed: "Paid", "Pagada";
    link_expired: "Expired", "Vencida";
    what_is_due: "What is due", "Lo que se debe";
    times_paid: "Times paid", "Veces pagada";
    no_links: "There is no payment link yet. Whoever has one can pay by card, transfer or at a shop.",
        "Aún no hay ligas de pago. Quien tiene una paga con tarjeta, transferencia o en una tienda.";
    new_link: "New payment link", "Nueva liga de pago";
    new_link_intro: "It can be paid once, for a week. Send its address to whoever is to pay.",
        "Se puede pagar una vez, durante una semana. Envía su dirección a quien deba pagar.";
    link_title_hint: "As the payer reads it. Not needed with an order.", "Como lo lee el pagador. Con un pedido no hace falta.";
    link_amount_hint: "In pesos. Empty with an order: what is due for it.", "En pesos. Vacío con un pedido: lo que se deba.";
    link_order_hint: "Its id, if the link is for an order.", "Su id, si la liga es de un pedido.";
    close_link: "Close the link", "Cerrar la liga";
    close_link_intro: "Nobody can begin to pay by it any more.", "Nadie más podrá pagar con ella.";
    did_make_link: "The link was made.", "La liga quedó creada.";
    did_close_link: "The link was closed.", "La liga se cerró.";
    approvals: "Approvals", "Aprobaciones";
    approval: "Approval", "Aprobación";
    no_approvals: "Nothing waits for an approval.", "No hay nada por aprobar.";
    approval_pending: "To be decided", "Por decidir";
    approval_approved: "Approved", "Aprobada";
    approval_rejected: "Rejected", "Rechazada";
    approval_cancelled: "Taken back", "Retirada";
    approval_expired: "Expired", "Vencida";
    approval_superseded: "Overtaken", "Sin objeto";
    of_order_discount: "Order with a discount", "Pedido con descuento";
    of_order_cancellation: "Cancellation of an order", "Cancelación de un pedido";
    of_invoice_cancellation: "Cancellation of an invoice", "Cancelación de una factura";
    of_refund: "Refund of a payment", "Reembolso de un cobro";
    of_stock_adjustment: "Correction of stock", "Ajuste de existencias";
    of_stock_transfer: "Transfer of stock", "Traspaso de existencias";
    discount_percent: "Discount, percent", "Descuento, por ciento";
    below_price: "Below the price, percent", "Bajo el precio, por ciento";
    channel: "Channel", "Canal";
    sat_motive: "Motive of SAT", "Motivo del SAT";
    days_since_stamp: "Days since the stamp", "Días desde el timbrado";
    share_of_paid: "Of what was paid, percent", "De lo pagado, por ciento";
    days_since_paid: "Days since it was paid", "Días desde el pago";
    units: "Units", "Unidades";
    worth: "Worth", "Valor";
    effect_queued: "It is being carried out.", "Se está llevando a cabo.";
    effect_applied: "It was carried out.", "Se llevó a cabo.";
    effect_failed: "It could not be carried out.", "No se pudo llevar a cabo.";
    you_decide: "You are asked to decide.", "Te toca decidir.";
    what_is_known: "What would happen", "Qué pasaría";
    decisions: "Decisions", "Decisiones";
    comment: "Comment", "Comentario";
    approve: "Approve", "Aprobar";
    approve_intro: "The last approval that is needed carries it out.", "La última aprobación que falte lo lleva a cabo.";
    reject: "Reject", "Rechazar";
    reject_intro: "Nothing of it happens. Who has asked reads your comment.", "No se hace nada. Quien lo solicitó lee tu comentario.";
    approval_rules: "Rules", "Reglas";
    no_rules: "There is no rule: nothing needs an approval.", "No hay reglas: nada requiere aprobación.";
    new_rule: "New rule", "Nueva regla";
    new_rule_about: "What is the rule about?", "¿De qué trata la regla?";
    rule_intro(entity: &str): "About: {entity}. What meets all conditions waits until every level has agreed, one after the other. Without conditions everything waits.",
        "Trata de: {entity}. Lo que cumpla todas las condiciones espera hasta que cada nivel esté de acuerdo, uno tras otro. Sin condiciones, todo espera.";
    rule_currency_hint: "The rule is for amounts in this currency only, such as MXN. Needed with a condition on an amount.",
        "La regla vale solo para importes en esta moneda, como MXN. Hace falta con una condición sobre un importe.";
    condition: "Condition", "Condición";
    no_condition: "None", "Ninguna";
    comparison: "Comparison", "Comparación";
    compared_with: "Compared with (several with ∈: a; b)", "Se compara con (varios con ∈: a; b)";
    level(number: usize): "Level {number}", "Nivel {number}";
    approvers: "Who may agree", "Quién puede aprobar";
    min_approvals: "How many of them must; 1 if left out", "Cuántos deben hacerlo; 1 si lo dejas vacío";
    approving_key(name: &str, last4: &str): "{name} (API key …{last4})", "{name} (clave de API …{last4})";
    gone_approver(id: &str): "{id} (may not decide any more)", "{id} (ya no puede decidir)";
    so_many_of(count: u32, people: &str): "{count} of {people}", "{count} de {people}";
    self_approval: "Who asks may agree, too", "Quien solicita también puede aprobar";
    rule_hours_hint: "Afterwards the request expires; 72 if left out.", "Después la solicitud vence; 72 si lo dejas vacío.";
    delete_rule: "Delete the rule", "Eliminar la regla";
    delete_rule_intro(name: &str, entity: &str): "{name} ({entity}) asks nobody any more. What waits already stays to be decided.",
        "{name} ({entity}) ya no pregunta a nadie. Lo que ya espera queda por decidir.";
    did_make_rule: "The rule holds from now on.", "La regla vale desde ahora.";
    did_change_rule: "The rule was changed. What waits already stays as it is.", "La regla cambió. Lo que ya espera se queda como está.";
    did_delete_rule: "The rule was deleted.", "La regla se eliminó.";
    if_all: "If all of this holds", "Si se cumple todo esto";
    levels: "Levels", "Niveles";
    hours: "Hours to decide", "Horas para decidir";
    did_decide: "Your decision was recorded.", "Tu decisión quedó registrada.";
    payment_settings: "Payment settings", "Ajustes de pagos";
    payment_providers: "Payment providers", "Proveedores de pagos";
    payment_provider: "Provider", "Proveedor";
    payment_provider_intro: "Keys and secrets are kept sealed and never shown again.",
        "Las claves y los secretos se guardan cifrados y no se vuelven a mostrar.";
    default_provider: "Default", "Predeterminado";
    is_set_up: "Set up", "Configurado";
    not_set_up: "Not set up", "Sin configurar";
    always_ready: "Ready", "Listo";
    is_default_provider: "Payments that name no provider are made through it", "Los pagos que no indican proveedor se hacen con este";
    secret_key: "Secret key", "Clave secreta";
    secret_key_hint: "The secret key or access token of your account there.", "La clave secreta o el token de acceso de tu cuenta ahí.";
    kept_key(end: &str): "The one that ends in {end} stays if this is empty.", "Se conserva la que termina en {end} si esto queda vacío.";
    notification_secret: "Secret of notifications", "Secreto de las notificaciones";
    notification_secret_hint: "What the provider signs its notifications with; it goes with the key.",
        "Con él firma el proveedor sus notificaciones; va junto con la clave.";
    installments: "Monthly installments without interest", "Meses sin intereses";
    installments_hint: "Those that your contract and your settings at the provider allow.",
        "Los que permiten tu contrato y tu configuración con el proveedor.";
    plans_documented: "as the provider documents them", "como los documenta el proveedor";
    plans_own: "those with an amount below", "los que tienen importe abajo";
    least_amounts: "Least amount that is paid in so many months", "Importe mínimo de cada plazo";
    in_months(count: u64): "{count} months", "{count} meses";
    usually(amount: &str): "Usually {amount}", "Usualmente {amount}";
    payment_rules: "How payments are dealt with", "Cómo se tratan los pagos";
    payment_rules_intro: "What holds for every payment of the account.", "Lo que vale para todos los pagos de la cuenta.";
    late_payments: "Money that comes for a cancelled order", "Dinero que llega para un pedido cancelado";
    late_manual: "is kept until somebody gives it back", "se conserva hasta que alguien lo devuelva";
    late_auto: "is given back by itself, where its provider does that", "se devuelve solo, si su proveedor lo permite";
    sat_payment_forms: "Payment forms for SAT", "Formas de pago para el SAT";
    sat_payment_forms_hint: "Where they are to be others than the usual ones, for payments that are made from now on.",
        "Cuando deban ser otras que las usuales, para los pagos que se hagan a partir de ahora.";
    did_take_back_approval: "The request was taken back.", "La solicitud se retiró.";
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
