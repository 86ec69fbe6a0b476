//! Files of rows: sending them, saying what their columns hold, and what becomes of them.

texts! {
    import_file: "File", "Archivo";
    import_file_hint: "CSV in any encoding, Excel (.xlsx), JSON Lines, or text compressed by gzip; at most 1 GiB.",
        "CSV en cualquier codificación, Excel (.xlsx), JSON Lines o texto comprimido con gzip; a lo más 1 GiB.";
    import_intro: "Choose a file whose first row has the column names, or paste rows from a spreadsheet. Nothing is saved yet: next you review its columns.",
        "Elige un archivo cuya primera fila tenga los nombres de las columnas, o pega filas de una hoja de cálculo. Aún no se guarda nada: después verás qué contiene cada columna.";
    paste_rows: "Paste rows, or choose a file below", "Pega filas, o elige abajo un archivo";
    send_file: "Send", "Enviar";
    pasted_rows: "Pasted rows", "Filas pegadas";
    import_files: "Files", "Archivos";
    import_files_of_products: "Files with products", "Archivos con productos";
    import_files_of_customers: "Files with customers", "Archivos con clientes";
    import_files_of_stock: "Files with stock", "Archivos con existencias";
    no_import_files: "No files. An uploaded file is kept for a week, to be tried, imported and imported again.",
        "No hay archivos. Lo que subes se guarda una semana, para probarlo, importarlo y volver a importarlo.";
    size: "Size", "Tamaño";
    waits_until: "Kept until", "Se guarda hasta";
    map_columns: "Map columns", "Qué contienen las columnas";
    map_columns_intro: "Known columns are already chosen. Do a dry run first: nothing is saved, and you see what would happen to each row.",
        "Lo que se reconoce por su nombre ya está elegido. Prueba primero el archivo: no se guarda nada y verás qué pasaría con sus filas.";
    first_rows: "First rows", "Primeras filas";
    holds: "Holds", "Contiene";
    holds_of(name: &str): "What “{name}” holds", "Qué contiene “{name}”";
    leave_column: "Ignore this column", "Ignorar esta columna";
    as_recognised: "As recognised", "Como se reconoce";
    column_unnamed: "Without a name of its own: read as recognised.", "Sin nombre propio: se lee como se reconoce.";
    columns_beyond(count: &str): "{count} more columns are read as recognised.", "Otras {count} columnas se leen como se reconocen.";
    columns_changed: "Read like this, the file has other columns: check them again.",
        "Leído así, el archivo tiene otras columnas: revísalas de nuevo.";
    no_such_column(name: &str): "The file has no column “{name}”.", "El archivo no tiene la columna “{name}”.";
    column_twice(first: &str, second: &str, field: &str): "“{first}” and “{second}” both hold {field}: ignore one of them.",
        "“{first}” y “{second}” contienen {field}: ignora una de las dos.";
    column_keyless(fields: &str): "No column says what rows are about: choose one for {fields}.",
        "Ninguna columna dice de qué trata cada fila: elige una para {fields}.";
    column_missing(field: &str): "A column for {field} is needed.", "Hace falta una columna para {field}.";
    how_it_is_read: "How the file is read", "Cómo se lee el archivo";
    empty_cells: "Empty cells", "Celdas vacías";
    empty_cells_keep: "leave fields as they are", "dejan los campos como están";
    empty_cells_clear: "clear fields that can be", "borran los campos que se puede";
    decimal_mark: "Decimal mark", "Signo decimal";
    decimal_mark_hint: "Only if the file leaves it open.", "Solo si el archivo no lo deja claro.";
    decimal_mark_told: "as in the file", "como en el archivo";
    decimal_mark_point: "point: 1,234.50", "punto: 1,234.50";
    decimal_mark_comma: "comma: 1.234,50", "coma: 1.234,50";
    encoding: "Encoding", "Codificación";
    encoding_recognised: "as recognised", "la que se reconozca";
    sheet: "Sheet", "Hoja";
    sheet_hint: "Of a workbook; empty: the first one that is visible.", "De un libro; vacío: la primera visible.";
    try_import: "Dry run", "Probar";
    start_import: "Import", "Importar";
    forget_file: "Remove this file", "Eliminar este archivo";
    import_now: "Import these rows", "Importar estas filas";
    run_again: "Run again", "Repetir";
    correct_rows: "Rejected rows (CSV)", "Filas rechazadas (CSV)";
    rows_progress: "Progress", "Avance";
    rows_of(done: &str, total: &str): "{done} of {total} rows", "{done} de {total} filas";
    rows_so_far(done: &str): "{done} rows so far", "{done} filas hasta ahora";
    file_is_gone: "The file is no longer there: send it again.", "El archivo ya no está: envíalo de nuevo.";
    did_send_file: "The file was uploaded. Say what its columns hold.", "El archivo se subió. Indica qué contienen sus columnas.";
    did_forget_file: "The file was removed.", "El archivo se eliminó.";
    col_external_id: "Your own identifier", "Tu propio identificador";
    col_sku: "SKU", "SKU";
    col_ean: "Barcode (EAN, UPC)", "Código de barras (EAN, UPC)";
    col_name: "Name", "Nombre";
    col_description: "Description", "Descripción";
    col_price: "Price", "Precio";
    col_currency: "Currency", "Moneda";
    col_inventory: "Stock for sale", "Existencia a la venta";
    col_low_stock: "Low stock below", "Mínimo";
    col_parent_sku: "SKU of the product (of a variant)", "SKU del producto (de una variante)";
    col_variant_name: "Name of the variant", "Nombre de la variante";
    col_variant_id: "Identifier of the variant", "Identificador de la variante";
    col_status: "Status", "Estado de venta";
    col_tax_included: "Taxes included", "IVA incluido";
    col_taxes: "Taxes", "Impuestos";
    col_sat_product_key: "SAT product key", "Clave SAT del producto";
    col_sat_unit_key: "SAT unit key", "Clave SAT de la unidad";
    col_unit: "Unit", "Unidad";
    col_decimals: "Decimals of quantities", "Decimales de la cantidad";
    col_compare_at: "Compare-at price", "Precio anterior";
    col_cost: "Cost", "Costo";
    col_brand: "Brand", "Marca";
    col_categories: "Categories", "Categorías";
    col_images: "Images (addresses)", "Imágenes (direcciones)";
    col_weight: "Weight in kilograms", "Peso en kilogramos";
    col_first_name: "First name", "Nombre de pila";
    col_last_name: "Last name", "Apellidos";
    col_company: "Company", "Empresa";
    col_email: "Email address", "Correo electrónico";
    col_phone: "Phone", "Teléfono";
    col_rfc: "RFC", "RFC";
    col_legal_name: "Legal name", "Razón social";
    col_tax_regime: "Tax regime", "Régimen fiscal";
    col_tax_zip: "Tax postal code", "C.P. fiscal";
    col_cfdi_use: "CFDI use", "Uso de CFDI";
    col_tax_residence: "Country of tax residence", "País de residencia fiscal";
    col_foreign_tax_id: "Foreign tax identifier", "Número de identidad tributaria";
    col_street: "Street and number", "Calle y número";
    col_neighborhood: "Neighbourhood", "Colonia";
    col_city: "City", "Ciudad";
    col_state: "State", "Estado";
    col_zip: "Postal code", "Código postal";
    col_country: "Country", "País";
    col_warehouse: "Warehouse", "Almacén";
    col_on_hand: "Counted on the shelf", "Existencia física (contada)";
    col_delta: "How many more or fewer", "Ajuste (más o menos)";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "file.sent" => say.did_send_file(),
        "file.forgotten" => say.did_forget_file(),
        _ => return None,
    })
}
