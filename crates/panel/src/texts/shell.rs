//! What stands around every page, and what is said where there is none.

texts! {
    skip: "Skip to the content", "Ir al contenido";
    menu: "Menu", "Menú";
    navigation: "Navigation", "Navegación";
    accounts: "Accounts", "Cuentas";
    sign_out: "Sign out", "Cerrar sesión";
    error: "Error", "Error";
    sell: "Sell", "Vender";
    collect: "Collect", "Cobrar";
    supply: "Supply", "Surtir";
    develop: "Develop", "Desarrollar";
    settings: "Settings", "Configuración";
    sandbox_hint: "Test account: nothing here is real.", "Cuenta de pruebas: nada de esto es real.";
    to_start: "Go to the start page", "Ir al inicio";
    save: "Save", "Guardar";
    copy: "Copy", "Copiar";
    copied: "Copied", "Copiado";
    search_everything: "Search orders, customers, products", "Buscar pedidos, clientes, productos";
    search_hint: "Type an order number, a name, an email address, a telephone number or a SKU.",
        "Escribe un número de pedido, un nombre, un correo, un teléfono o un SKU.";
    exact_hit: "Exact match", "Coincidencia exacta";
    commands: "Commands", "Comandos";
    keys: "Keys", "Teclas";
    keys_intro: "These keys work while you are not typing in a field. You can switch them off in your profile.",
        "Estas teclas funcionan mientras no escribes en un campo. Puedes desactivarlas en tu perfil.";
    key: "Key", "Tecla";
    key_does: "What it does", "Qué hace";
    key_search: "searches for records and commands", "busca registros y comandos";
    key_goes: "goes to a page: the letters are those of the navigation", "va a una página: las letras son las de la navegación";
    key_new: "begins something new on a list", "comienza algo nuevo en una lista";
    key_rows: "go down and up the rows of a list", "bajan y suben por las filas de una lista";
    key_open: "opens the row", "abre la fila";
    key_select: "selects the row, where rows can be selected", "selecciona la fila, donde se puede";
    key_help: "shows these keys", "muestra estas teclas";
    key_close: "closes what is open", "cierra lo que esté abierto";
    no_hits: "Nothing found.", "Sin resultados.";
    problems: "Please correct this:", "Corrige lo siguiente:";
    offers_nothing: "offers no choices in this account", "no ofrece opciones en esta cuenta";
    must_be_offered(choices: &str): "must be one of the choices: {choices}", "debe ser una de las opciones: {choices}";
    filter: "Filter", "Filtrar";
    list_filters: "Filters of this list", "Filtros de esta lista";
    clear_filter: "Remove this filter", "Quitar este filtro";
    clear_filters: "Clear filters", "Quitar filtros";
    every: "All", "Todos";
    first_page: "First page", "Primera página";
    next_page: "Next page", "Página siguiente";
    more_acts: "More", "Más";
    more_rows: "More rows", "Más filas";
    rows_added: "More rows were added.", "Se agregaron más filas.";
    counted(rows: &str): "{rows} in total", "{rows} en total";
    counted_about(rows: &str): "more than {rows}", "más de {rows}";
    never: "Never", "Nunca";
    nothing_title: "There is nothing here", "Aquí no hay nada";
    nothing_text: "The address is wrong, or what was here is gone.",
        "La dirección es incorrecta, o lo que estaba aquí ya no existe.";
    not_allowed_title: "Your role does not allow this", "Tu rol no permite esto";
    not_allowed_text: "Ask an owner or an administrator of the account for another role.",
        "Pide otro rol a un propietario o administrador de la cuenta.";
    forged_title: "This form was not accepted", "No se aceptó este formulario";
    forged_text: "It does not come from a page of this session. Open the page again and send it from there.",
        "No viene de una página de esta sesión. Abre de nuevo la página y envíalo desde ahí.";
    too_often_title: "Please wait a moment", "Espera un momento";
    too_often_text(wait: &str): "Too many attempts. Try again in {wait}.",
        "Demasiados intentos. Intenta de nuevo en {wait}.";
    too_large_title: "That is too large", "Es demasiado grande";
    too_large_text: "A form here takes at most 64 KiB, with its files.", "Un formulario aquí acepta a lo más 64 KiB, con sus archivos.";
    nothing_selected_title: "Nothing is selected", "No hay nada seleccionado";
    nothing_selected_text: "Go back to the list and select at least one.", "Regresa a la lista y selecciona al menos uno.";
    unread_text(name: &str): "“{name}” in the address of the list cannot be read: without it this would go through more than is meant. Correct it in the list.",
        "«{name}» en la dirección de la lista no se puede leer: sin ese filtro se tomaría más de lo que quieres. Corrígelo en la lista.";
    unread: "cannot be read: it narrows nothing.", "no se puede leer: no filtra nada.";
    unread_filter(name: &str, value: &str): "“{name}={value}” cannot be read: it narrows nothing", "«{name}={value}» no se puede leer: no filtra nada";
    malformed_title: "This cannot be read", "Esto no se puede leer";
    unavailable_title: "The panel is not available right now", "El panel no está disponible por ahora";
    unavailable_text: "Try again in a few minutes. If you were saving something, check first whether it was saved.",
        "Intenta de nuevo en unos minutos. Si estabas guardando algo, revisa antes si quedó guardado.";
    request_mark: "In the log:", "En la bitácora:";
    internal_title: "Something went wrong", "Algo salió mal";
    internal_text: "It is in the log of the service. If you were saving something, check first whether it was saved.",
        "Quedó en la bitácora del servicio. Si estabas guardando algo, revisa antes si quedó guardado.";
}
