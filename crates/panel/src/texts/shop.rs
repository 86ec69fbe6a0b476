//! Orders, customers, products and webhooks.

texts! {
    today: "Today", "Hoy";
    to_do: "To do", "Por hacer";
    nothing_to_do: "Nothing is waiting for you.", "No hay nada pendiente.";
    order_to_ship: "order to ship", "pedido por enviar";
    orders_to_ship: "orders to ship", "pedidos por enviar";
    order_to_pay: "order to be paid", "pedido por cobrar";
    orders_to_pay: "orders to be paid", "pedidos por cobrar";
    approval_to_decide: "request for approval to decide", "solicitud de aprobación por decidir";
    approvals_to_decide: "requests for approval to decide", "solicitudes de aprobación por decidir";
    quote_to_order: "accepted quote without an order", "cotización aceptada sin pedido";
    quotes_to_order: "accepted quotes without an order", "cotizaciones aceptadas sin pedido";
    invoice_to_stamp: "invoice to stamp", "factura por timbrar";
    invoices_to_stamp: "invoices to stamp", "facturas por timbrar";
    invoice_lacks_receipt: "paid invoice without payment receipt (REP)", "factura con pago sin REP";
    invoices_lack_receipts: "paid invoices without payment receipt (REP)", "facturas con pagos sin REP";
    product_is_low: "product low in stock", "producto con existencia baja";
    products_are_low: "products low in stock", "productos con existencia baja";
    webhook_is_off: "disabled webhook", "webhook desactivado";
    webhooks_are_off: "disabled webhooks", "webhooks desactivados";
    order_to_invoice: "order to invoice", "pedido por facturar";
    orders_to_invoice: "orders to invoice", "pedidos por facturar";
    webhook_fails: "failing webhook", "webhook con fallas";
    webhooks_fail: "failing webhooks", "webhooks con fallas";
    stamping_left: "stamp left with your credits", "timbre disponible con tus créditos";
    stampings_left: "stamps left with your credits", "timbres disponibles con tus créditos";
    so_many_credits(credits: &str): "{credits} credits", "{credits} créditos";
    first_steps: "First steps", "Primeros pasos";
    is_done: "done", "listo";
    step_products: "Add what you sell", "Agrega lo que vendes";
    step_issuer: "Say who issues your invoices", "Indica quién emite tus facturas";
    step_key: "Create a key for your shop’s program", "Crea una clave para el programa de tu tienda";
    step_order: "Create your first order", "Registra tu primer pedido";
    search: "Search", "Buscar";
    from: "From", "Desde";
    not_a_day: "must be a day such as 2026-12-31.", "debe ser un día como 2026-12-31.";
    not_before_from: "must not be before “From”.", "no debe ser anterior a «Desde».";
    until: "Until", "Hasta";
    orders: "Orders", "Pedidos";
    order: "Order", "Pedido";
    the_order: "The order", "El pedido";
    export_csv: "Export CSV", "Exportar CSV";
    currency: "Currency", "Moneda";
    date: "Date", "Fecha";
    customer: "Customer", "Cliente";
    fulfillment: "Shipping", "Envío";
    total: "Total", "Total";
    new_order: "New order", "Nuevo pedido";
    customer_hint: "Name, email address or telephone number.", "Nombre, correo o teléfono.";
    goods: "Goods", "Mercancía";
    items_hint: "SKU, barcode (EAN) or words of the name, and how many. Without a unit price it is the product’s.",
        "SKU, código de barras (EAN) o palabras del nombre, y cuántos. Sin precio unitario se toma el del producto.";
    discount_and_note: "Discount and note", "Descuento y nota";
    more_lines: "Add lines", "Agregar partidas";
    calculate: "Calculate", "Calcular";
    no_total_yet: "The total shows once there is a customer and an item.", "El total aparece en cuanto hay un cliente y una partida.";
    place_order: "Create the order", "Registrar el pedido";
    discount_and_shipping: "Discount and shipping", "Descuento y envío";
    price_list: "Price list", "Lista de precios";
    recipient: "Recipient", "Quién recibe";
    did_place: "The order was created.", "El pedido quedó registrado.";
    no_orders: "No orders yet. Your shop creates them through the API, or you do here.",
        "Aún no hay pedidos. Llegan de tu tienda por la API, o los registras aquí.";
    no_matches: "Nothing matches these filters.", "Nada coincide con estos filtros.";
    status_pending: "Pending", "Pendiente";
    status_paid: "Paid", "Pagado";
    status_shipped: "Shipped", "Enviado";
    status_delivered: "Delivered", "Entregado";
    status_cancelled: "Cancelled", "Cancelado";
    invoiced: "Invoiced", "Facturado";
    not_invoiced: "Not invoiced", "Sin facturar";
    still_to_invoice: "To be invoiced", "Por facturar";
    paid_from(day: &str): "Paid since {day}", "Pagado desde {day}";
    unfulfilled: "Not shipped", "Sin enviar";
    partially_fulfilled: "Partially shipped", "Enviado en parte";
    fulfilled: "Shipped", "Enviado";
    unpaid: "Unpaid", "Sin pagar";
    partially_paid: "Partially paid", "Pagado en parte";
    partially_refunded: "Partially refunded", "Reembolsado en parte";
    refunded: "Refunded", "Reembolsado";
    product: "Product", "Producto";
    quantity: "Quantity", "Cantidad";
    unit_price: "Unit price", "Precio unitario";
    subtotal: "Subtotal", "Subtotal";
    discount: "Discount", "Descuento";
    shipping: "Shipping", "Envío";
    taxes_inside: "Taxes included", "Impuestos incluidos";
    paid: "Paid", "Pagado";
    due: "Due", "Por pagar";
    refund_owed: "To be refunded", "Por reembolsar";
    returned_goods: "Returned", "Devuelto";
    why_cancelled: "Cancelled because", "Se canceló por";
    so_many_shipped(quantity: &str): "Shipped: {quantity}", "Enviado: {quantity}";
    so_many_back(quantity: &str): "Returned: {quantity}", "Devuelto: {quantity}";
    payment: "Payment", "Pago";
    ticket: "Ticket", "Ticket de venta";
    packing_slip: "Packing slip", "Lista de empaque";
    shipments: "Shipments", "Envíos";
    carrier: "Carrier", "Paquetería";
    tracking_number: "Tracking number", "Número de guía";
    ships_to: "Ships to", "Se envía a";
    notes: "Notes", "Notas";
    timeline: "Timeline", "Historial";
    order_created: "Order placed", "Pedido recibido";
    order_updated: "Order changed", "Pedido modificado";
    order_paid: "Order paid", "Pedido pagado";
    order_shipped: "Order shipped", "Pedido enviado";
    order_returned: "Goods returned", "Mercancía devuelta";
    order_cancelled: "Order cancelled", "Pedido cancelado";
    shipment_created: "Shipment sent", "Envío despachado";
    shipment_delivered: "Shipment delivered", "Envío entregado";
    shipment_cancelled: "Shipment cancelled", "Envío cancelado";
    payment_created: "Payment requested", "Cobro solicitado";
    payment_received: "Payment received", "Pago recibido";
    payment_authorized: "Payment authorized", "Pago autorizado";
    payment_canceled: "Payment cancelled", "Pago cancelado";
    payment_expired: "Payment expired", "Pago vencido";
    payment_failed: "Payment failed", "Pago rechazado";
    payment_link_created: "Payment link created", "Liga de pago creada";
    refund_created: "Refund requested", "Reembolso solicitado";
    refund_succeeded: "Refunded", "Reembolsado";
    refund_failed: "Refund failed", "Reembolso rechazado";
    credit_note_created: "Credit note drafted", "Borrador de nota de crédito";
    credit_note_stamped: "Credit note stamped", "Nota de crédito timbrada";
    credit_note_cancelled: "Credit note cancelled", "Nota de crédito cancelada";
    receipt_created: "Payment receipt (REP) drafted", "Borrador de recibo de pago (REP)";
    receipt_stamped: "Payment receipt (REP) stamped", "Recibo de pago (REP) timbrado";
    receipt_cancelled: "Payment receipt (REP) cancelled", "Recibo de pago (REP) cancelado";
    invoice_created: "Invoice drafted", "Borrador de factura";
    invoice_stamped: "Invoice stamped", "Factura timbrada";
    credit_note_stamp_failed: "Credit note: stamping failed", "Nota de crédito: no se pudo timbrar";
    receipt_stamp_failed: "Payment receipt (REP): stamping failed", "Recibo de pago (REP): no se pudo timbrar";
    invoice_stamp_failed: "Invoice: stamping failed", "Factura: no se pudo timbrar";
    invoice_cancelled: "Invoice cancelled", "Factura cancelada";
    credit_note_cancellation_requested: "Credit note: cancellation requested", "Nota de crédito: cancelación solicitada";
    receipt_cancellation_requested: "Payment receipt (REP): cancellation requested", "Recibo de pago (REP): cancelación solicitada";
    invoice_cancellation_requested: "Invoice: cancellation requested", "Factura: cancelación solicitada";
    credit_note_cancellation_rejected: "Credit note: cancellation rejected", "Nota de crédito: cancelación rechazada";
    receipt_cancellation_rejected: "Payment receipt (REP): cancellation rejected", "Recibo de pago (REP): cancelación rechazada";
    invoice_cancellation_rejected: "Invoice: cancellation rejected", "Factura: cancelación rechazada";
    number_that_replaces(number: &str, replaced: &str): "{number}, replaces {replaced}", "{number}, sustituye a {replaced}";
    approval_requested: "Approval requested", "Aprobación solicitada";
    approval_decided: "Request for approval decided", "Solicitud de aprobación decidida";
    new_customer: "New customer", "Nuevo cliente";
    edit: "Edit", "Editar";
    unknown: "Not set", "Sin dato";
    phone_hint: "Ten digits; outside of Mexico with the country code, such as +1 202 456 1111.", "Diez dígitos; fuera de México, con clave de país, como +1 202 456 1111.";
    legal_name_hint: "As in the Constancia de Situación Fiscal, without S.A. de C.V. and the like.",
        "Como en la Constancia de Situación Fiscal, sin S.A. de C.V. ni similares.";
    did_save_customer: "The customer was saved.", "El cliente quedó guardado.";
    customers: "Customers", "Clientes";
    phone: "Phone", "Teléfono";
    rfc: "RFC", "RFC";
    since: "Since", "Desde";
    no_customers: "No customers yet.", "Aún no hay clientes.";
    legal_name: "Legal name", "Razón social";
    tax_regime: "Tax regime", "Régimen fiscal";
    tax_zip: "Tax postal code", "Código postal del domicilio fiscal";
    cfdi_use: "CFDI use", "Uso del CFDI";
    resident_abroad: "Resident abroad (RFC XEXX010101000)", "Residente en el extranjero (RFC XEXX010101000)";
    all_orders: "All orders of this customer", "Todos los pedidos de este cliente";
    products: "Products", "Productos";
    no_products: "No products yet.", "Aún no hay productos.";
    sku: "SKU", "SKU";
    ean: "EAN", "EAN";
    price: "Price", "Precio";
    in_stock: "In stock", "Existencia";
    variants: "Variants", "Variantes";
    active: "Active", "Activo";
    archived: "Archived", "Archivado";
    sat_product_key: "SAT product key", "Clave de producto SAT";
    sat_unit_key: "SAT unit key", "Clave de unidad SAT";
    external_id: "External ID", "ID externo";
    webhooks: "Webhooks", "Webhooks";
    url: "URL", "URL";
    event: "Event", "Evento";
    event_id: "Event ID", "ID del evento";
    events: "Events", "Eventos";
    the_events: "The events", "Los eventos";
    no_webhooks: "No webhooks yet. A webhook tells your program what happens here.",
        "Aún no hay webhooks. Un webhook envía a un programa tuyo lo que sucede aquí.";
    webhook_enabled: "Enabled", "Activo";
    webhook_failing: "Failing", "Con fallas";
    webhook_disabled: "Disabled", "Desactivado";
    deliveries: "Deliveries", "Entregas";
    no_deliveries: "No deliveries.", "No hay entregas.";
    attempting: "In progress", "En curso";
    delivered: "Delivered", "Entregada";
    failed: "Failed", "Fallida";
    attempt: "Attempt", "Intento";
    attempts: "Attempts", "Intentos";
    next_attempt: "Next attempt", "Próximo intento";
    outcome: "Result", "Resultado";
    took: "Duration", "Duración";
    answer: "Answer", "Respuesta";
    request_body: "Payload", "Lo que se envía";
    body_gone: "The event is past its retention period.", "El evento ya pasó su plazo de conservación.";
    send_again: "Send again", "Enviar de nuevo";
    send_test: "Send a test", "Enviar una prueba";
    enable: "Enable", "Activar";
    disable: "Disable", "Desactivar";
    rotate_secret: "New secret", "Nuevo secreto";
    rotate_secret_intro: "Deliveries are signed with both secrets for a day, so that your program can switch to the new one.",
        "Durante un día las entregas se firman con ambos, para que tu programa cambie al nuevo.";
    secret_once: "Copy the secret now: it will not be shown again.", "Copia el secreto ahora: solo se muestra esta vez.";
    the_secret: "Secret", "Secreto";
    did_send_test: "A test event is on its way.", "Una prueba va en camino.";
    did_send_again: "It is being sent again.", "Se está enviando de nuevo.";
    did_enable: "The webhook is enabled.", "El webhook quedó activo.";
    did_disable: "The webhook is disabled.", "El webhook quedó desactivado.";
    select: "Select", "Seleccionar";
    print_selected: "Print selected tickets", "Imprimir tickets de los seleccionados";
    ship: "Ship", "Enviar";
    ship_intro: "Leave the quantities empty to ship everything that is left of the order.",
        "Deja las cantidades vacías si sale del almacén todo lo que queda del pedido.";
    ship_more_lines: "Not all lines fit here. If you leave every quantity empty, the others ship too; otherwise they go with the next shipment.",
        "No caben aquí todas las partidas: las demás salen también si dejas vacías todas las cantidades; si no, con el siguiente envío.";
    still_to_ship(left: &str): "Still to be shipped: {left}.", "Por enviar: {left}.";
    leaves_from: "Ships from", "Sale de";
    shipment: "Shipment", "Envío";
    reallocate: "Ship from another warehouse", "Surtir desde otro almacén";
    reallocate_intro: "What is reserved for the order and has not shipped yet is reserved in another warehouse instead; no goods are moved.",
        "Lo apartado para el pedido que aún no se envía se aparta en otro almacén; no se mueve mercancía.";
    all_if_empty: "Empty: all of it.", "Vacío: todo.";
    edit_order_intro: "Where the order is sent, and its notes.", "A dónde se envía el pedido, y sus notas.";
    did_change_order: "The order was changed.", "El pedido se modificó.";
    change_tracking: "Edit tracking", "Cambiar el rastreo";
    follow_shipment: "Track the shipment", "Rastrear el envío";
    mark_delivered: "Mark as delivered", "Marcar como entregado";
    cancel_shipment: "Cancel the shipment", "Cancelar el envío";
    cancel_shipment_intro: "For a parcel that never left: its goods are reserved for the order again.",
        "Para un paquete que no salió: su mercancía vuelve a quedar apartada para el pedido.";
    did_change_shipment: "The shipment was changed.", "El envío se modificó.";
    did_deliver: "The shipment was delivered.", "El envío se entregó.";
    did_cancel_shipment: "The shipment was cancelled.", "El envío se canceló.";
    tracking_url: "Tracking URL", "Enlace de rastreo";
    cancel_order: "Cancel the order", "Cancelar el pedido";
    one_item: "1 item", "1 partida";
    so_many_items(items: usize): "{items} items", "{items} partidas";
    cancel_intro(items: &str, total: &str): "Its goods ({items}, {total}) return to stock. A cancelled order cannot be reopened.",
        "Su mercancía ({items}, {total}) vuelve a existencias y el pedido no se puede reabrir.";
    reason: "Reason", "Motivo";
    refund_it(amount: &str): "Refund {amount}", "Reembolsar {amount}";
    order_is_paid: "The order is paid: nothing is due.", "El pedido está pagado: no hay saldo por pagar.";
    nothing_is_due: "Nothing is due.", "No hay saldo por pagar.";
    order_is_cancelled: "The order is cancelled: nothing is to be paid.", "El pedido está cancelado: no hay nada por pagar.";
    order_is_being_paid: "A payment that is on its way covers what is due.", "Un pago en curso cubre lo que se debe.";
    pay_in_hand: "Record a payment", "Registrar un pago";
    pay_intro(due: &str): "{due} is due. What you record here has been received already.",
        "Se deben {due}. Lo que registras aquí ya se recibió.";
    method: "How it was paid", "Forma de pago";
    method_cash: "Cash", "Efectivo";
    method_transfer: "Transfer", "Transferencia";
    method_check: "Check", "Cheque";
    method_other: "Other", "Otra";
    amount: "Amount", "Importe";
    amount_hint(due: &str): "Empty: the full amount due, {due}.", "Vacío: todo lo que se debe, {due}.";
    reference: "Reference", "Referencia";
    take_goods_back: "Receive a return", "Recibir devolución";
    return_intro: "How many of each line come back; leave the others empty.", "Cuántos se devuelven de cada partida; deja vacías las demás.";
    return_lines_shown(first: usize, last: usize, all: usize): "Lines {first} to {last} of {all} are shown; what comes back of the others is another return.",
        "Se muestran las partidas {first} a {last} de {all}; lo que se devuelva de las demás es otra devolución.";
    return_lines(first: usize, last: usize): "Lines {first} to {last}", "Partidas {first} a {last}";
    up_to(most: &str): "At most {most}.", "A lo más {most}.";
    restock: "Return it to stock", "Regresarla a existencias";
    refund_return: "Refund its value, up to what was paid", "Reembolsar su valor, hasta lo pagado";
    did_return: "The return was recorded.", "La devolución quedó registrada.";
    did_ship: "The shipment was recorded.", "El envío quedó registrado.";
    did_cancel: "The order was cancelled.", "El pedido se canceló.";
    did_pay: "The payment was recorded.", "El pago quedó registrado.";
    did_ask: "This needs approval. The request was sent.", "Esto requiere aprobación: ya se solicitó.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "order.placed" => say.did_place(),
        "customer.saved" => say.did_save_customer(),
        "order.shipped" => say.did_ship(),
        "order.cancelled" => say.did_cancel(),
        "order.changed" | "order.reallocated" => say.did_change_order(),
        "shipment.changed" => say.did_change_shipment(),
        "shipment.delivered" => say.did_deliver(),
        "shipment.cancelled" => say.did_cancel_shipment(),
        "order.returned" => say.did_return(),
        "order.paid" => say.did_pay(),
        "approval.asked" => say.did_ask(),
        "webhook.tested" => say.did_send_test(),
        "webhook.enabled" => say.did_enable(),
        "webhook.disabled" => say.did_disable(),
        "delivery.retried" => say.did_send_again(),
        _ => return None,
    })
}
