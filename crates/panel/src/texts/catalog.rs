//! Categories, price lists, groups of customers, and what else describes a product.

texts! {
    delete: "Delete", "Eliminar";
    category: "Category", "Categoría";
    categories: "Categories", "Categorías";
    new_category: "New category", "Nueva categoría";
    no_categories: "No categories yet. They group products, for example on a website.",
        "Aún no hay categorías. Sirven para encontrar productos, por ejemplo en un sitio web.";
    part_of: "Part of", "Dentro de";
    at_the_top: "none: top level", "ninguna: en la raíz";
    category_intro: "A category moves with all that is in it.", "Una categoría se mueve con todo lo que contiene.";
    delete_category_intro: "Only a category without products or subcategories can be deleted.",
        "Solo se elimina una categoría sin productos ni otras categorías dentro.";
    did_save_category: "The category was saved.", "La categoría quedó guardada.";
    did_delete_category: "The category was deleted.", "La categoría se eliminó.";
    group: "Group", "Grupo";
    customer_groups: "Customer groups", "Grupos de clientes";
    new_customer_group: "New group", "Nuevo grupo";
    no_customer_groups: "No groups yet. Price lists can be for a group, such as wholesalers.",
        "Aún no hay grupos. Una lista de precios puede ser para uno, por ejemplo mayoristas.";
    no_group: "none", "ninguno";
    customer_group_intro: "A customer is in one group at most.", "Un cliente está a lo más en un grupo.";
    delete_group_intro: "Only a group without customers and price lists can be deleted.", "Solo se elimina un grupo sin clientes ni listas de precios.";
    did_save_group: "The group was saved.", "El grupo quedó guardado.";
    did_delete_group: "The group was deleted.", "El grupo se eliminó.";
    price_lists: "Price lists", "Listas de precios";
    new_price_list: "New price list", "Nueva lista de precios";
    no_price_lists: "No price lists yet. A list sets other prices for a customer group, a period or a quantity.",
        "Aún no hay listas de precios. Una lista tiene otros precios para un grupo de clientes, un periodo o una cantidad.";
    price_list_intro: "An order uses the lists that apply to its customer and currency, lowest priority number first.",
        "Un pedido toma el precio de las listas vigentes para su cliente en su moneda, primero la de menor prioridad.";
    is_for: "Used for", "Para";
    all_customers: "all customers", "todos los clientes";
    list_priority_hint: "With several lists, the lowest number comes first; 100 if empty.", "De varias listas va primero el número menor; vacío: 100.";
    holds_from: "Valid from", "Vigente desde";
    holds_until: "Valid until, inclusive", "Vigente hasta, incluido ese día";
    holds_from_to: "Validity", "Vigencia";
    prices: "Prices", "Precios";
    least_quantity: "Minimum quantity", "Cantidad mínima";
    set_prices: "Set prices", "Fijar precios";
    set_prices_hint: "One per line: SKU, price and, if you like, from how many units on, with tabs or semicolons between them: TAZA;45.50;12. A hyphen instead of the price removes it. Other prices stay.",
        "Uno por renglón: SKU, precio y, si quieres, desde cuántas unidades, separados con tabuladores o punto y coma: TAZA;45.50;12. Un guion en lugar del precio lo quita. Los demás precios se quedan.";
    delete_price_list_intro: "The list and its prices are deleted. Existing orders keep their prices.",
        "Se elimina con sus precios. Los pedidos conservan los precios con que se hicieron.";
    did_save_prices: "The price list was saved.", "La lista de precios quedó guardada.";
    did_delete_prices: "The price list was deleted.", "La lista de precios se eliminó.";
    product_codes: "Codes", "Códigos";
    for_invoices: "For invoices (SAT)", "Para facturar (SAT)";
    more_about_product: "Weight and size", "Peso y medidas";
    brand: "Brand", "Marca";
    unit_called: "Unit", "Unidad";
    unit_called_hint: "What people call it, such as kg, m or box.", "Como se le dice, por ejemplo kg, m o caja.";
    compare_at_price: "Compare-at price", "Precio anterior";
    compare_at_price_hint: "Shown beside the price.", "Se muestra junto al precio.";
    cost: "Cost of a unit", "Costo por unidad";
    cost_hint: "Used until a goods receipt states another.", "Se usa mientras ninguna entrada de mercancía indique otro.";
    images: "Images", "Imágenes";
    images_hint: "One address per line, the main one first; at most 20.", "Una dirección por renglón, la principal primero; a lo más 20.";
    weight: "Weight in kilograms", "Peso en kilogramos";
    dimensions: "Length, width and height", "Largo, ancho y alto";
    length_cm: "Length (cm)", "Largo (cm)";
    width_cm: "Width (cm)", "Ancho (cm)";
    height_cm: "Height (cm)", "Alto (cm)";
    categories_hint: "One per line with what it is in: Home > Kitchen; at most 10.", "Una por renglón, con lo que la contiene: Hogar > Cocina; a lo más 10.";
    taxes_hint: "One per line: IVA 16%, IVA 0%, IVA exempt, IEPS 8%, IEPS quota 5.50, ISR 1.25% withheld. Empty: those of the issuer.",
        "Uno por renglón: IVA 16%, IVA 0%, IVA exento, IEPS 8%, IEPS cuota 5.50, ISR 1.25% retenido. Vacío: los del emisor.";
    price_has_taxes: "The price includes taxes", "El precio incluye impuestos";
    yes: "yes", "sí";
    no: "no", "no incluye";
    delete_product_intro: "It leaves the catalog and its SKU becomes free. Existing orders stay as they are.",
        "Sale del catálogo y su SKU queda libre. Los pedidos que lo mencionan no cambian.";
    delete_product_stock(on_hand: &str, committed: &str): "{on_hand} are in stock, {committed} of them reserved for orders: they are no longer counted. Archived, the product keeps them.",
        "Hay {on_hand} en existencia, de ellas {committed} comprometidas con pedidos: dejan de contarse. Archivado, el producto las conserva.";
    deleted_product: "Deleted product", "Producto eliminado";
    did_delete_product: "The product was deleted.", "El producto se eliminó.";
    addresses: "Addresses", "Direcciones";
    new_address: "New address", "Nueva dirección";
    address_label: "Purpose", "Para qué es";
    address_label_hint: "Such as: shipping.", "Por ejemplo: envíos.";
    remove_address: "Remove this address", "Quitar esta dirección";
    too_many_addresses: "The customer has 20 addresses, the maximum.", "El cliente tiene 20 direcciones, el máximo.";
    tax_check: "Can be invoiced", "Se le puede facturar";
    tax_valid: "Yes", "Sí";
    tax_doubtful: "Probably; check the data", "Probablemente; revisa los datos";
    tax_invalid: "SAT would reject it", "El SAT lo rechazaría";
    tax_incomplete: "Tax data incomplete", "Faltan datos fiscales";
    tax_missing: "No tax data yet", "Sin datos fiscales";
    tax_findings: "What to correct", "Qué corregir";
    tax_link: "Page where the customer fills in the tax data", "Página donde el cliente captura sus datos fiscales";
    make_tax_link: "Request tax data with a link", "Pedir datos fiscales con un enlace";
    close_tax_link: "Close the link", "Cerrar el enlace";
    works_until(moment: &str): "Works until {moment}.", "Sirve hasta {moment}.";
    did_open_tax_link: "Send the link to the customer.", "Envía el enlace al cliente.";
    did_close_tax_link: "The link no longer works.", "El enlace ya no funciona.";
    owes: "Owes", "Debe";
    at_least(sum: &str): "at least {sum}", "al menos {sum}";
    addresses_moved: "Addresses were added or removed meanwhile: go back and open this one again.",
        "Mientras tanto se agregaron o quitaron direcciones: regresa y abre esta de nuevo.";
    delete_customer_intro: "The customer and their personal data are deleted. A customer with orders, deals or invoices cannot be deleted.",
        "Se elimina con sus datos personales. Un cliente con pedidos, oportunidades o facturas no se puede eliminar.";
    did_delete_customer: "The customer was deleted.", "El cliente se eliminó.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "category.saved" => say.did_save_category(),
        "category.deleted" => say.did_delete_category(),
        "group.saved" => say.did_save_group(),
        "group.deleted" => say.did_delete_group(),
        "prices.saved" => say.did_save_prices(),
        "prices.deleted" => say.did_delete_prices(),
        "product.deleted" => say.did_delete_product(),
        "tax-link.opened" => say.did_open_tax_link(),
        "tax-link.closed" => say.did_close_tax_link(),
        "customer.deleted" => say.did_delete_customer(),
        _ => return None,
    })
}
