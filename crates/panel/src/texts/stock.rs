//! Stock, warehouses, transfers, receipts, counts and imports.

texts! {
    new_product: "New product", "Nuevo producto";
    sku_of_product_hint: "Your own code. Empty: one is assigned.", "Tu propio código. Vacío: el servicio le asigna uno.";
    threshold: "Low stock below", "Existencia mínima";
    threshold_hint: "Empty: the account’s own threshold.", "Vacío: el mínimo de la cuenta.";
    description: "Description", "Descripción";
    sold: "Sold by", "Se vende por";
    by_piece: "the piece", "pieza";
    by_measure: "weight or length", "peso o medida";
    new_variant: "New variant", "Nueva variante";
    remove_variant: "Remove the variant", "Quitar la variante";
    price_of_variant_hint: "Empty: the product’s.", "Vacío: el del producto.";
    did_save_product: "The product was saved.", "El producto quedó guardado.";
    stock: "Stock", "Existencias";
    no_stock: "No stock yet.", "Aún no hay existencias.";
    warehouse: "Warehouse", "Almacén";
    warehouses: "Warehouses", "Almacenes";
    available: "Available", "Disponible";
    committed: "Committed", "Comprometido";
    on_hand: "On hand", "En existencia";
    incoming: "Incoming", "Por llegar";
    average_cost: "Average cost", "Costo promedio";
    valuation: "Inventory value", "Valor del inventario";
    at_end_of: "As of the end of", "Al final de";
    cost_unknown: "Without cost", "Sin costo";
    cost_changes: "Cost changes", "Cambios de costos";
    cost_before: "Cost before", "Costo anterior";
    no_cost_changes: "No cost changes yet.", "Aún no hay cambios de costos.";
    receipt_was_cancelled: "Receipt cancelled", "Entrada cancelada";
    set_by_hand: "Set by hand", "Fijado a mano";
    set_costs: "Set costs", "Fijar costos";
    set_costs_intro: "Either all lines are set or none. Costs are in the product’s currency; receipts keep averaging from there.",
        "Se fijan todos los renglones o ninguno. El costo va en la moneda del producto y las entradas siguen promediando a partir de él.";
    costs_hint: "One per line: SKU or barcode, and the unit cost.",
        "Uno por renglón: SKU o código de barras, y el costo unitario.";
    did_set_costs: "The costs were set.", "Los costos quedaron fijados.";
    stock_level: "Level", "Nivel";
    low: "Low", "Baja";
    enough: "Enough", "Suficiente";
    low_only: "Low only", "Solo existencia baja";
    not_low: "Not low", "Sin existencia baja";
    adjust_stock: "Adjust stock", "Ajustar existencias";
    adjust_intro: "Either all lines are applied or none. Stock committed to orders is never touched.",
        "Se corrigen todos los renglones o ninguno. Nunca se toma lo comprometido en pedidos.";
    numbers_mean: "The numbers are", "Las cantidades son";
    mode_counted: "what was counted on the shelf", "lo contado en el anaquel";
    mode_delta: "changes, such as -2", "cambios, como -2";
    default_warehouse: "The default one", "El predeterminado";
    goods_hint: "One per line: SKU or barcode, then the quantity (1 if missing). You can scan, or paste from a spreadsheet.",
        "Uno por renglón: SKU o código de barras y la cantidad (1 si falta). Puedes escanear, o pegar desde una hoja de cálculo.";
    goods_with_numbers_hint: "One per line: SKU or barcode, then the quantity. You can paste from a spreadsheet.",
        "Uno por renglón: SKU o código de barras y la cantidad. Puedes pegar desde una hoja de cálculo.";
    goods_with_costs_hint: "One per line: SKU or barcode, quantity and, if known, unit cost.",
        "Uno por renglón: SKU o código de barras, cantidad y, si se sabe, costo unitario.";
    goods_to_count_hint: "One SKU or barcode per line. Empty: everything in stock there.",
        "Un SKU o código de barras por renglón. Vacío: todo lo que hay en existencia ahí.";
    note: "Note", "Nota";
    lines: "Lines", "Renglones";
    cause_damage: "Damaged", "Daño";
    cause_theft: "Stolen", "Robo";
    cause_expired: "Expired", "Caducidad";
    cause_found: "Found", "Hallazgo";
    cause_sample: "Sample", "Muestra";
    cause_internal_use: "Internal use", "Uso interno";
    cause_correction: "Record correction", "Corrección del registro";
    cause_other: "Other reason", "Otro motivo";
    did_adjust: "The stock was adjusted.", "Las existencias se ajustaron.";
    did_save_stock: "It was saved.", "Se guardó.";
    movements: "Movements", "Movimientos";
    no_movements: "No movements yet.", "Aún no hay movimientos.";
    change: "Change", "Cambio";
    afterwards: "Balance", "Saldo";
    on_the_way: "On the way", "En camino";
    moved_initial: "Initial stock", "Existencia inicial";
    moved_adjustment: "Adjusted", "Ajuste";
    moved_order: "Ordered", "Pedido";
    moved_cancellation: "Order cancelled", "Pedido cancelado";
    moved_removal: "Removed from the catalog", "Baja del catálogo";
    moved_shipment: "Shipped", "Envío";
    moved_shipment_cancelled: "Shipment cancelled", "Envío cancelado";
    moved_return: "Returned", "Devolución";
    moved_receipt: "Received", "Entrada";
    moved_receipt_cancelled: "Receipt cancelled", "Entrada cancelada";
    moved_count: "Counted", "Conteo";
    moved_transfer_out: "Transfer out", "Salida por traspaso";
    moved_transfer_in: "Transfer in", "Entrada por traspaso";
    moved_transfer_back: "Transfer cancelled", "Traspaso cancelado";
    moved_transfer_lost: "Lost in transit", "Perdido en camino";
    moved_transfer_damaged: "Damaged in transit", "Dañado en camino";
    moved_transfer_found: "Surplus received", "Llegó más de lo enviado";
    moved_reallocation: "Reallocated", "Reasignado a otro almacén";
    moved_import: "Imported", "Importación";
    moved_migration: "Record updated", "Actualización del registro";
    new_warehouse: "New warehouse", "Nuevo almacén";
    new_warehouse_intro: "A place where goods are kept. Orders ship from those that are for sale.",
        "Un lugar donde se guarda mercancía. Los pedidos se surten de los que son de venta.";
    kind: "Used for", "Para";
    kind_store: "Goods for sale", "Mercancía de venta";
    kind_quarantine: "Quarantine", "Cuarentena";
    priority: "Priority", "Prioridad";
    priority_hint: "Orders that can ship from any warehouse use the lowest number first; 100 if empty.",
        "Los pedidos que se surten de cualquier almacén usan primero el del número menor; 100 si está vacío.";
    did_open_warehouse: "The warehouse was created.", "El almacén quedó creado.";
    did_delete_warehouse: "The warehouse was deleted.", "El almacén se eliminó.";
    delete_warehouse_intro: "Only an empty warehouse with nothing in transit can be deleted. Its history stays on record.",
        "Solo se elimina un almacén vacío, sin nada en camino de o hacia él. Lo que ocurrió ahí queda registrado.";
    make_default: "Make default", "Hacerlo predeterminado";
    address: "Address", "Dirección";
    street: "Street and number", "Calle y número";
    neighborhood: "Neighbourhood", "Colonia";
    city: "City", "Ciudad";
    state_of_country: "State or province", "Entidad federativa";
    zip: "Postal code", "Código postal";
    country: "Country", "País";
    country_hint: "Two letters, such as MX; MX if empty.", "Dos letras, como MX; MX si está vacío.";
    stock_settings: "Stock settings", "Ajustes de existencias";
    stock_settings_intro: "For orders that name no warehouse, and for goods that are weighed.",
        "Para pedidos que no indican almacén y para mercancía que se pesa.";
    allocation: "Orders ship from", "Los pedidos se surten";
    allocation_default: "the default warehouse only", "solo del almacén predeterminado";
    allocation_any: "any warehouse, by its priority", "de cualquier almacén, según su prioridad";
    usual_warehouse: "Default warehouse", "Almacén predeterminado";
    scale_codes: "Scale labels", "Etiquetas de báscula";
    scale_codes_hint: "One pattern per line: fixed digits, P for the product number, W for the weight or M for the price, and C for the check digit; for example 20PPPPPWWWWWC.",
        "Un patrón por renglón: dígitos fijos, P para el número del producto, W para su peso o M para su precio y C para el dígito verificador; por ejemplo 20PPPPPWWWWWC.";
    did_set_stock: "The stock settings were saved.", "Se guardaron los ajustes de existencias.";
    transfer: "Transfer", "Traspaso";
    transfers: "Transfers", "Traspasos";
    plan_transfer: "Create the transfer", "Crear el traspaso";
    begin_count: "Begin the count", "Iniciar el conteo";
    record_receipt: "Record the receipt", "Registrar la entrada";
    no_transfers: "No transfers yet.", "Aún no hay traspasos.";
    new_transfer: "New transfer", "Nuevo traspaso";
    transfer_intro: "A draft: nothing leaves until it is sent.", "Un borrador: nada sale hasta que se envíe.";
    change_transfer: "Edit the transfer", "Editar el traspaso";
    transfer_keeps_goods: "The goods stay as they are: not all of them have a SKU that could be typed here.",
        "La mercancía queda como está: no toda tiene un SKU que se pueda escribir aquí.";
    warehouse_of_origin: "From warehouse", "Del almacén";
    to_warehouse: "To warehouse", "Al almacén";
    quarantine: "What arrives damaged", "Lo que llega dañado";
    written_off: "is written off", "se da de baja";
    draft: "Draft", "Borrador";
    in_transit: "In transit", "En tránsito";
    received: "Received", "Recibido";
    called_off: "Cancelled", "Cancelado";
    damaged: "Damaged", "Dañado";
    lost: "Lost", "Perdido";
    differences: "Damaged, lost or too many", "Dañado, perdido o de más";
    surplus: "Received but not sent", "Llegó sin haberse enviado";
    dispatched: "Sent", "Enviado";
    arrivals: "Received so far", "Lo que ha llegado";
    send_transfer: "Send", "Enviar traspaso";
    send_transfer_intro: "Either all of it leaves or none. Until it arrives it cannot be sold.",
        "Sale todo de su almacén o nada. Hasta que llegue no se puede vender en ninguno.";
    receive_transfer: "Receive", "Recibir traspaso";
    receive_transfer_intro: "Enter what has arrived; the rest stays in transit. If something is damaged, lost or was not sent, give the reason.",
        "Indica lo que ya llegó; el resto sigue en camino. Si algo llegó dañado, se perdió o no se envió, escribe el motivo.";
    all_has_arrived: "Everything in transit has arrived", "Llegó todo lo que está en camino";
    still_on_the_way(quantity: &str): "{quantity} in transit", "{quantity} en camino";
    nothing_else_comes: "Nothing else will come: the rest is lost", "Ya no llegará nada más: el resto se perdió";
    more_lines_later: "The transfer has more lines than fit here: record these first, and the rest after them.",
        "El traspaso tiene más renglones de los que caben aquí: registra primero estos y después los demás.";
    cancel_transfer: "Cancel the transfer", "Cancelar el traspaso";
    cancel_transfer_intro: "What is still in transit returns to its warehouse.",
        "Lo que sigue en camino regresa al almacén de donde salió.";
    did_plan_transfer: "The transfer is a draft. Send it when the goods leave.",
        "El traspaso es un borrador. Envíalo cuando salga la mercancía.";
    did_change_transfer: "The draft of the transfer was changed.", "El borrador del traspaso quedó actualizado.";
    did_send_transfer: "The transfer is on its way.", "El traspaso va en camino.";
    did_receive_transfer: "What arrived is in stock.", "Lo que llegó ya está en existencia.";
    did_cancel_transfer: "The transfer was cancelled.", "El traspaso se canceló.";
    receipt: "Goods receipt", "Entrada";
    receipts: "Goods receipts", "Entradas";
    no_receipts: "No goods received yet.", "Aún no hay entradas de mercancía.";
    new_receipt: "Receive goods", "Registrar una entrada";
    receipt_intro: "Either all lines are received or none. Costs update each product’s average cost.",
        "Se reciben todos los renglones o ninguno. Los costos mantienen el costo promedio de cada producto.";
    supplier: "Supplier", "Proveedor";
    supplier_reference_hint: "For example, the supplier’s invoice number.", "Por ejemplo, el folio de la factura del proveedor.";
    unit_cost: "Unit cost", "Costo unitario";
    cancel_receipt: "Cancel the receipt", "Cancelar la entrada";
    cancel_receipt_intro: "The goods are taken out of stock again.", "La mercancía sale de nuevo de existencias.";
    did_receive: "The goods are in stock.", "La mercancía ya está en existencia.";
    did_cancel_receipt: "The receipt was cancelled.", "La entrada se canceló.";
    count: "Stock count", "Conteo";
    counts: "Stock counts", "Conteos";
    no_counts: "No counts yet.", "Aún no hay conteos.";
    new_count: "New count", "Nuevo conteo";
    count_intro: "Stock keeps moving while you count: what is posted is the difference from the record at the moment of counting.",
        "La mercancía sigue moviéndose mientras se cuenta: se aplica la diferencia con lo registrado en ese momento.";
    uncounted: "What is not counted", "Lo que no se cuente";
    uncounted_leave: "stays as it is", "queda como está";
    uncounted_zero: "is set to zero", "queda en cero";
    counting: "Counting", "Contando";
    posted: "Posted", "Aplicado";
    counted_lines: "Counted lines", "Renglones contados";
    counted_quantity: "Counted pieces", "Contado";
    on_record: "On record", "Según el registro";
    difference: "Difference", "Diferencia";
    of_all(some: &str, all: &str): "{some} of {all}", "{some} de {all}";
    scan: "Count", "Contar";
    scan_code: "Code", "Código";
    scan_hint: "Scan a barcode, or type a SKU and press Enter.", "Escanea un código de barras, o escribe un SKU y oprime Entrar.";
    scan_quantity: "How many more", "Cuántos más";
    scan_quantity_hint: "Empty: one, or what the label of the scale says.", "Vacío: uno, o lo que diga la etiqueta de la báscula.";
    scanned_last: "Last counted", "Último contado";
    scan_restart: "Start over with this one", "Empezar de nuevo con este";
    fill_in_list: "Enter a list", "Capturar una lista";
    fill_in_list_intro: "Each number is what is on the shelf, and replaces what was counted before.",
        "Cada número es lo que hay en el anaquel y reemplaza lo contado antes.";
    post_count: "Post the count", "Aplicar el conteo";
    post_count_all(counted: &str): "All lines are posted: {counted}.", "Se aplican todos los renglones: {counted}.";
    post_count_leaving(counted: &str, left: &str): "{counted} lines are posted; the {left} that nobody counted stay as they are.",
        "Se aplican {counted} renglones; los {left} que nadie contó quedan como están.";
    post_count_zero(counted: &str, left: &str): "{counted} lines are posted; the {left} that nobody counted are set to zero.",
        "Se aplican {counted} renglones; los {left} que nadie contó quedan en cero.";
    cancel_count: "Cancel the count", "Cancelar el conteo";
    cancel_count_intro: "What was counted is not posted. Lines that were posted stay posted.",
        "Lo contado no se aplica. Los renglones ya aplicados siguen aplicados.";
    did_open_count: "The count is open.", "El conteo está abierto.";
    did_scan: "It was counted.", "Se contó.";
    did_post_count: "The count was posted.", "El conteo se aplicó.";
    did_cancel_count: "The count was cancelled.", "El conteo se canceló.";
    imports: "Imports", "Importaciones";
    imports_of_products: "Product imports", "Importaciones de productos";
    imports_of_customers: "Customer imports", "Importaciones de clientes";
    imports_of_stock: "Stock imports", "Importaciones de existencias";
    an_import: "Import", "Importación";
    new_import: "New import", "Nueva importación";
    rows: "Rows", "Filas";
    rows_of_products_hint: "For example: SKU, Name, Price, Stock. Columns are recognized by many names; unknown ones are ignored.",
        "Por ejemplo: SKU, Nombre, Precio, Existencia. Las columnas se reconocen por muchos nombres; las desconocidas se ignoran.";
    rows_of_customers_hint: "For example: Name, Email, Phone, RFC. Columns are recognized by many names; unknown ones are ignored.",
        "Por ejemplo: Nombre, Correo, Teléfono, RFC. Las columnas se reconocen por muchos nombres; las desconocidas se ignoran.";
    rows_of_stock_hint: "For example: SKU, Warehouse, and Stock (counted) or Adjustment (added).",
        "Por ejemplo: SKU, Almacén y Existencia física (lo contado) o Ajuste (lo que se suma).";
    import_mode: "Existing records", "Lo que ya existe";
    mode_upsert: "are updated, and missing ones created", "se actualiza, y lo que falta se crea";
    mode_create: "are rejected: rows only create", "se rechaza: las filas solo crean";
    mode_update: "are updated, and missing ones rejected", "se actualiza, y lo que falta se rechaza";
    on_error: "If a row is rejected", "Si una fila se rechaza";
    on_error_skip: "continue with the others", "seguir con las demás";
    on_error_abort: "stop", "detenerse";
    dry_run: "Dry run", "Solo probar";
    dry_run_hint: "Nothing is saved; you see what would happen to each row.", "No se guarda nada; se muestra qué pasaría con las filas.";
    no_imports: "No recent imports.", "No hay importaciones recientes.";
    look_again: "Refresh", "Actualizar";
    cancel_import: "Cancel the import", "Cancelar la importación";
    cancel_import_intro: "Finished rows stay; the others are not imported.", "Las filas ya importadas se quedan; las demás no se importan.";
    rows_created: "New", "Nuevas";
    rows_updated: "Changed", "Cambiadas";
    rows_unchanged: "Unchanged", "Sin cambio";
    rows_refused: "Rejected", "Rechazadas";
    rows_warned: "With a warning", "Con advertencia";
    columns_left_alone: "Ignored columns", "Columnas ignoradas";
    rows_understood: "First rows, as understood", "Las primeras filas, como se entienden";
    rows_wrong: "Row errors", "Errores por fila";
    row: "Row", "Fila";
    column: "Column", "Columna";
    value: "Value", "Valor";
    what_is_wrong: "Problem", "Problema";
    only_a_warning: "Warning: the row was imported.", "Advertencia: la fila se importó.";
    understood_as: "Understood as", "Se entiende como";
    would_create: "Would be created", "Se crearía";
    would_update: "Would be updated", "Se actualizaría";
    would_leave: "Would stay unchanged", "Quedaría igual";
    would_refuse: "Would be rejected", "Se rechazaría";
    import_waits: "Waiting", "En espera";
    import_runs: "In progress", "En proceso";
    import_completed: "Completed", "Terminada";
    import_completed_with_errors: "Completed with rejected rows", "Terminada, con filas rechazadas";
    import_failed: "Failed", "Falló";
    did_open_import: "The import has begun.", "La importación comenzó.";
    did_cancel_import: "The import was cancelled.", "La importación se canceló.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "product.saved" => say.did_save_product(),
        "stock.adjusted" => say.did_adjust(),
        "costs.set" => say.did_set_costs(),
        "stock.saved" => say.did_save_stock(),
        "warehouse.opened" => say.did_open_warehouse(),
        "warehouse.deleted" => say.did_delete_warehouse(),
        "stock.set" => say.did_set_stock(),
        "transfer.planned" => say.did_plan_transfer(),
        "transfer.changed" => say.did_change_transfer(),
        "transfer.sent" => say.did_send_transfer(),
        "transfer.received" => say.did_receive_transfer(),
        "transfer.cancelled" => say.did_cancel_transfer(),
        "receipt.received" => say.did_receive(),
        "receipt.cancelled" => say.did_cancel_receipt(),
        "count.opened" => say.did_open_count(),
        "count.scanned" => say.did_scan(),
        "count.posted" => say.did_post_count(),
        "count.cancelled" => say.did_cancel_count(),
        "import.opened" => say.did_open_import(),
        "import.cancelled" => say.did_cancel_import(),
        _ => return None,
    })
}
